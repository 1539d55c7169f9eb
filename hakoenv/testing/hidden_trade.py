"""The hidden part of trade, drawn anew (see `hidden.py`).

Open auctions are public. A deal is known to its two parties, goods under way to them and to who carries them.
What others' ships are about is nobody else's to know, nor the places at which records are kept. What others
let the viewer do (ports, gates) stays: it is told.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine.codes import item, job, lot, parcel
from hakoenv.engine.world import DETOUR, World

_DEFAULT = -1  # of a setting toward one nation
_PARTIES = 2
_MADE = 4  # records of others that are drawn anew, of each kind
_ABOARD = 0.8  # of these goods, how many have a ship
_NUMBERS = 10**6
_GOODS = (parcel.TRADE, parcel.CONTRACT, parcel.BOND)
_SENT = (parcel.AID, parcel.EXCHANGE, parcel.REGULAR, parcel.AUCTION)


def vary_trade(world: World, before: World, viewer: int, rng: np.random.Generator) -> None:
    """Draw anew what a nation can't know of trade.

    Args:
        world: changed in place; settings may have been varied already.
        before: the world as it is.
        viewer: the nation that must not notice.
        rng: chooses.
    """
    others = [n for n in range(len(world.nations)) if n != viewer]
    _keep_terms(world, before, viewer, others)
    _vary_between(world, others, rng)
    _vary_jobs(world, viewer, rng)
    _vary_records(world, viewer, others, rng)
    _shuffle_harbours(world, rng)
    world.grounds["fish"] = rng.integers(0, 900, world.grounds.shape)
    world.grounds[:] = world.grounds[rng.permutation(len(world.grounds))]
    world.transit[:] = rng.integers(-99, 99, world.transit.shape)
    world.shores[:] = rng.integers(0, world.cells.size, world.shores.shape)
    for name in (
        "charted_last", "searched_last", "lots_made", "promises_made", "contracts_made", "detours", "rescues",
        "estimates", "waters",
    ):  # fmt: skip
        world.clock[name] = rng.integers(1, _NUMBERS)


def _keep_terms(world: World, before: World, viewer: int, others: list[int]) -> None:
    """Others' ports and gates are to the viewer what they were, whatever they are to all."""
    for name in ("port_policy", "land_gate"):
        toward = before.relations[name][others, viewer]
        world.relations[name][others, viewer] = np.where(
            toward == _DEFAULT, before.nations[name][others], toward
        )


def _vary_between(world: World, others: list[int], rng: np.random.Generator) -> None:
    """What others offer each other, sent over land, and let their private sectors do."""
    between, size = np.ix_(others, others), (len(others), len(others))
    limits = {
        "swap_until": 99, "swap_given": 300, "swap_wanted": 300, "swap_give": item.COUNT,
        "swap_want": item.COUNT, "land_used": 64,
    }  # fmt: skip
    for name, limit in limits.items():
        world.relations[name][between] = rng.integers(0, limit, size)
    world.relations["land_gate"][between] = rng.integers(-1, 2, size)
    forbidden = world.relations["no_supply"]
    forbidden[others] = rng.integers(0, 1 << item.FUNDS, forbidden[others].shape)


def _vary_jobs(world: World, viewer: int, rng: np.random.Generator) -> None:
    """What the ships of others are about."""
    theirs = (world.ships["kind"] > 0) & (world.ships["owner"] != viewer)
    count, cells = int(theirs.sum()), world.cells.size
    limits = {
        "home": cells, "refuge": cells, "goal": cells, "unloaded_at": cells, "called": cells, "built": 90,
        "arrived": 90, "handled": 90, "strayed": 90, "searched": 90, "chosen": 90, "fuel_counter": 300,
        "waited": 9, "job": len(job.NAMES), "paid": 2, "dormant": 2, "detour_length": DETOUR,
        "detour_done": DETOUR, "unlooted": 9000,
    }  # fmt: skip
    for name, limit in limits.items():
        world.jobs[name][theirs] = rng.integers(0, limit, count)
    world.jobs["detour"][theirs] = rng.integers(0, 7, (count, DETOUR))


def _vary_records(world: World, viewer: int, others: list[int], rng: np.random.Generator) -> None:
    """Deals and goods of others, and where all of them are kept."""
    draw = _Draw(world, others, rng)
    parcels, transports, lots = world.parcels, world.transports, world.lots
    goods = _known_goods(world, viewer)
    of_nations = goods & np.isin(parcels["kind"], _SENT) & (parcels["deal"] >= 0)
    contracted = goods & (parcels["kind"] == parcel.CONTRACT) & (parcels["deal"] >= 0)
    sent = (transports["kind"] > 0) & _has_part(transports, viewer, "sender", "receiver")
    sent[parcels["deal"][of_nations]] = True
    for kind, records, kept, make in (
        (parcel.AUCTION, lots, lots["state"] == lot.OPEN, draw.sold_lot),
        (parcel.REGULAR, world.promises, _own_deals(world.promises, viewer), draw.promise),
    ):
        linked = sent & (transports["kind"] == kind) & (transports["deal"] >= 0)
        kept[transports["deal"][linked]] = True
        place = _redraw(records, kept, draw, make)
        transports["deal"][linked] = place[transports["deal"][linked]]
    kept = _own_deals(world.contracts, viewer)
    kept[parcels["deal"][contracted]] = True
    place = _redraw(world.contracts, kept, draw, draw.contract)
    parcels["deal"][contracted] = place[parcels["deal"][contracted]]
    place = _redraw(transports, sent, draw, draw.transport)
    parcels["deal"][of_nations] = place[parcels["deal"][of_nations]]
    _redraw(parcels, goods, draw, draw.goods)
    used = np.flatnonzero(parcels["state"] != parcel.FREE)
    world.clock["parcels"] = used.max(initial=-1) + 1


def _known_goods(world: World, viewer: int) -> NDArray[np.bool_]:
    """Which parcels the viewer sends, gets or carries."""
    parcels = world.parcels
    carried = (parcels["ship"] >= 0) & (world.ships["owner"][parcels["ship"]] == viewer)
    return (parcels["state"] != parcel.FREE) & (_has_part(parcels, viewer, "source", "receiver") | carried)


def _own_deals(records: Any, viewer: int) -> NDArray[np.bool_]:
    return (records["number"] > 0) & _has_part(records, viewer, "seller", "buyer")


def _has_part(records: Any, viewer: int, one: str, other: str) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = (records[one] == viewer) | (records[other] == viewer)
    return found


class _Draw:
    """Draws records of deals between others."""

    def __init__(self, world: World, others: list[int], rng: np.random.Generator) -> None:
        self.rng = rng
        self.cells = world.cells.size
        self.others = others
        self.ships = np.flatnonzero((world.ships["kind"] > 0) & np.isin(world.ships["owner"], others))

    @property
    def count(self) -> int:
        """How many are drawn: none if there are not two others."""
        return int(self.rng.integers(0, _MADE + 1)) if len(self.others) >= _PARTIES else 0

    def promise(self, record: Any) -> None:
        self._fill(record, quantity=900, price=900, freight_cap=99, revision=9, offered=90, accepted=90)
        self._fill(record, interval=9, port=self.cells, what=item.FUNDS)
        self._deal(record, "seller", "buyer")

    def contract(self, record: Any) -> None:
        self._fill(record, quantity=900, price=9000, signed=90, interval=9, sent=3, delivered=3, refused=2)
        self._fill(record, port=self.cells, what=item.FUNDS)
        self._deal(record, "seller", "buyer")

    def sold_lot(self, record: Any) -> None:
        self._fill(record, quantity=900, min_price=900, bid=900, deadline=90, settled=90, extensions=6)
        self._fill(record, what=item.FUNDS)
        self._deal(record, "seller", "bidder")
        record["state"] = lot.SOLD

    def transport(self, record: Any) -> None:
        self._fill(record, waiting=900, arrived=900, price=900, freight=99, created=90, port=self.cells)
        self._fill(record, what=item.COUNT)
        record["quantity"] = record["waiting"] + record["arrived"]
        record["kind"], record["deal"] = self.rng.choice(_SENT), -1
        self._parties(record, "sender", "receiver")

    def goods(self, record: Any) -> None:
        self._fill(record, quantity=900, price=9000, tariff=900, turn=90, what=item.FUNDS, port=self.cells)
        record["kind"], record["deal"] = self.rng.choice(_GOODS), -1
        record["ship"], record["state"] = -1, parcel.BONDED
        if self.ships.size and self.rng.random() < _ABOARD:
            record["ship"] = self.rng.choice(self.ships)
            record["state"] = self.rng.choice([parcel.ASHORE, parcel.ABOARD])
            record["port"] = -1 if record["state"] == parcel.ABOARD else record["port"]
        self._parties(record, "source", "receiver")

    def _fill(self, record: Any, **limits: int) -> None:
        for name, limit in limits.items():
            record[name] = self.rng.integers(0, limit)

    def _deal(self, record: Any, one: str, other: str) -> None:
        record["number"] = self.rng.integers(_NUMBERS, 2 * _NUMBERS)
        self._parties(record, one, other)

    def _parties(self, record: Any, one: str, other: str) -> None:
        record[one], record[other] = self.rng.choice(self.others, _PARTIES, replace=False)


def _redraw(
    records: Any, kept: NDArray[np.bool_], draw: _Draw, make: Callable[[Any], None]
) -> NDArray[np.int64]:
    """Keep some records at new places and make others; the new place of each."""
    order = draw.rng.permutation(len(records))
    old = records.copy()
    records[:] = np.zeros(1, records.dtype)
    records[order[kept]] = old[kept]
    for k in draw.rng.permutation(order[~kept])[: draw.count].tolist():
        make(records[k])
    return order


def _shuffle_harbours(world: World, rng: np.random.Generator) -> None:
    """Where ports are listed, and what they have handled, is the engine's affair."""
    order = rng.permutation(len(world.harbours))
    world.harbours[:] = world.harbours[order]
    world.distances[:] = world.distances[order]
    listed = world.harbours["cell"] >= 0
    for name in ("handled", "charted"):
        world.harbours[name] = np.where(listed, rng.integers(0, 99, listed.shape), 0)
