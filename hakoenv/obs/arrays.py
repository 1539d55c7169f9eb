"""The arrays that the fillers write: an observation of every nation, and room to work in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
from numba import literal_unroll
from numpy.typing import NDArray

from hakoenv.engine.handles import handle
from hakoenv.engine.kernel import kernel

_NO_ROOM = -1


@handle
class Arrays(NamedTuple):
    """One array a piece, leading axis = seats; records by name (obs/pieces.py). P: cells in the list."""

    cells: Any  # (N, P) cell_record, P = 0 where the view is not wanted
    planes: Any  # (N, C, H, W) uint8, C = 0 likewise
    counts: Any  # (N,) counts_record
    clock: Any  # (N,) clock_record
    weather: Any  # (N, climates) uint8
    own: Any  # (N,) own_record
    stocks: Any  # (N, items) stock_record
    accounts: Any  # (N, causes, items) int32
    private_accounts: Any  # likewise
    nations: Any  # (N, 40) nation_record
    relations: Any  # (N, 40, 40) uint8
    factions: Any  # (N, 8) faction_record
    market: Any  # (N, 8) market_record
    plan: Any  # (N, 50) order_record
    results: Any  # (N, 51) result_record
    sightings: Any  # (N, 64) sighting_record
    units: Any  # (N, 64) unit_record
    corps: Any  # (N, 32) corps_record
    ships: Any  # (N, 64) ship_record
    fleets: Any  # (N, 16) fleet_record
    ship_classes: Any  # (N, ship classes) own_class_record
    open_lots: Any  # (N, 32) lot_record
    offers_received: Any  # (N, 32) offer_record
    offers_made: Any  # (N, 32) offer_record
    shipments: Any  # (N, 32) offer_record
    contracts: Any  # (N, 8) contract_record
    transports: Any  # (N, 32) transport_record
    private_ships: Any  # (N, 64) private_ship_record
    partners: Any  # (N, 40) partner_record
    private_market: Any  # (N, items but funds) private_item_record
    commerce: Any  # (N,) commerce_record
    trade_counts: Any  # (N,) trade_counts_record
    supply_allowed: Any  # (N, 40, items but funds) uint8
    bonds: Any  # (N, 40) bond_record
    diplomacy: Any  # (N,) diplomacy_record
    leagues: Any  # (N, 40) league_record
    containment: Any  # (N,) containment_record
    mates: Any  # (N, 16) mate_record
    mate_plans: Any  # (N, 16, 15) order_record
    faction_sightings: Any  # (N, 96) faction_sighting_record
    cell_index: Any  # (N, P) int32: flat cell of each place in the list, -1 none


@handle
class Scratch(NamedTuple):
    """Room to work in; holds nothing between two fills."""

    marks: Any  # (H * W,) int32: 1 + place of a cell in the list being made, -1 no room for it; else 0
    shore: Any  # (6 * P,) int32: water beside the own cells in the list
    occupied: Any  # (H * W, 2) int64: cells with a unit, ship or monster in map order, and whom it concerns
    bases: Any  # (H * W, 2) int32: own missile bases, and how far they reach
    layers: Any  # (public planes, H * W) uint8
    veiled: Any  # (H * W + 1,) int32: cells that look like sea to who sees no warship there, ended by -1
    wrecks: Any  # (H * W + 1, 3) int32: cell, ship class, age of the oldest wreck of a cell; ended by class 0
    watch: Any  # (2, H * W) int64: who sees units, and warships, on the cell, one bit a nation
    lots: Any  # (32, 2) int64: open lots (listed_deals.py)
    deals: Any  # (32, 2) int64: deals of the nation being looked at, likewise
    ports: Any  # (40, 2) int64: of each nation its port nearest to the own capital, -1 none; the steps
    bonds: Any  # (40, 4) int64: what `bonds.find_bonds` notes of each nation, and of each league


def common(record: np.dtype[Any], source: np.dtype[Any]) -> tuple[str, ...]:
    """The columns that can show a field of the same name as it is."""
    assert record.names is not None and source.names is not None
    return tuple(
        name for name in record.names if name in source.names and np.can_cast(source[name], record[name])
    )


def copier(names: Iterable[str]) -> Callable[[Any, Any], None]:
    """A kernel (source, row) that copies fields of a record to the columns of the same names."""
    chosen = tuple(names)

    @kernel
    def _copy(source: Any, row: Any) -> None:
        for name in literal_unroll(chosen):
            row[name] = source[name]

    return _copy


@kernel(inline=True)
def add(n: int, cell: int, out: Arrays, marks: NDArray[np.int32]) -> None:
    """Put a cell at the end of the nation's list of cells, unless it is there or there is no room."""
    if marks[cell] != 0:
        return
    counts = out.counts[n]
    if counts.cells >= out.cell_index.shape[1]:
        marks[cell] = _NO_ROOM
        counts.cells_left_out += 1
        return
    out.cell_index[n, counts.cells] = cell
    counts.cells += 1
    marks[cell] = counts.cells


@kernel
def fit(value: int, limit: int) -> int:
    """A number brought into 0..limit."""
    return max(0, min(value, limit))


@kernel
def place_of(nation: int, observer: int, seats: int) -> int:
    """Place of a nation seen from the observer, which is 0; -1 nobody."""
    if nation < 0:
        return -1
    place = nation - observer
    return place if place >= 0 else place + seats
