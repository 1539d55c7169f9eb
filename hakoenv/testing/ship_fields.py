"""The fields of ships and fleets by the names of case files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from hakoenv.engine import view
from hakoenv.engine.navy import fleets, vessels
from hakoenv.engine.world import FLEETS, WAYPOINTS
from hakoenv.testing import names
from hakoenv.testing.errors import CaseError
from hakoenv.testing.fields import Field, Kind, coded, flag, listed, number, owner, place, record, whole

if TYPE_CHECKING:
    from hakoenv.testing.small_world import SmallWorld

# ---------------------------------------------------------------- ships


def _write_fleet(small: SmallWorld, where: int, value: Any) -> None:
    """Let a warship leave its fleet and join another; the first in a fleet leads it (NAVY-040)."""
    ship = record(small, "ships", where)
    chosen = -1 if value is None else whole(value, -1, FLEETS - 1)
    if chosen >= 0 and (ship["owner"] < 0 or not view.is_warship(int(ship["kind"]))):
        raise CaseError(f"{value!r}: only a nation's warships sail in fleets")
    fleets.leave(small.world, where)
    if chosen >= 0:
        fleets.join(small.world, where, chosen)


def _read_troops(small: SmallWorld, where: int) -> Any:
    unit = int(vessels.carried(small.world, where))
    return None if unit < 0 else small.record("unit", unit)


def _write_troops(small: SmallWorld, where: int, value: Any) -> None:
    """Put a unit of the ship's nation, as an object with `type` and other fields, aboard."""
    if not isinstance(value, Mapping) or "type" not in value:
        raise CaseError(f"{value!r} is no object with the type of a unit")
    holder = int(record(small, "ships", where)["owner"])
    small.unit(holder, aboard=where, **value)


SHIP_FIELDS: dict[str, Field] = {
    "owner": Field(owner("ships").read),
    "class": Field(coded("ships", "kind", names.ship_classes).read),
    "x": place("ships", 0),
    "y": place("ships", 1),
    "hp": number("ships", "hp"),
    "experience": number("ships", "experience"),
    "fleet": Field(number("ships", "fleet").read, _write_fleet),
    "mode": coded("ships", "mode", lambda: names.FLEET_MODES),
    "escort": flag("ships", "escort"),
    "moved": number("ships", "moved"),
    "repaired": number("ships", "repaired"),
    "troops": Field(_read_troops, _write_troops),
}
SHIPS = Kind(
    "ship",
    SHIP_FIELDS,
    frozenset(
        names.words(
            """
            cargo home job destination arrived to_load temp_home no_route_since last_unload
            waited fuel_counter upkeep_paid dormant last_call unlooted aid_reserves aid_to speed
            capacity diplomatic_capacity
        """
        )
    ),
)

# ---------------------------------------------------------------- fleets


def _pair(small: SmallWorld, cell: Any) -> list[int] | None:
    """Column and row of a cell; None for none."""
    return None if cell < 0 else [int(cell) % small.width, int(cell) // small.width]


def _cell(small: SmallWorld, value: Any) -> int:
    pair = listed(value, "column and row")
    if len(pair) != 2:
        raise CaseError(f"{value!r} is no pair of column and row")
    return small.place(*pair)


def _cell_field(column: str) -> Field:
    """A cell as column and row, or None."""

    def write(small: SmallWorld, where: tuple[int, int], value: Any) -> None:
        record(small, "fleets", where)[column] = -1 if value is None else _cell(small, value)

    return Field(lambda small, where: _pair(small, record(small, "fleets", where)[column]), write)


def _read_waypoints(small: SmallWorld, where: tuple[int, int]) -> list[list[int] | None]:
    banner = record(small, "fleets", where)
    return [_pair(small, cell) for cell in banner["waypoints"][: int(banner["legs"])]]


def _write_waypoints(small: SmallWorld, where: tuple[int, int], value: Any) -> None:
    cells = [_cell(small, pair) for pair in listed(value, "cells")]
    if len(cells) > WAYPOINTS:
        raise CaseError(f"{value!r} are more than {WAYPOINTS} waypoints")
    banner = record(small, "fleets", where)
    banner["waypoints"][:] = -1
    banner["waypoints"][: len(cells)] = cells
    banner["legs"] = len(cells)


def _ships_of(small: SmallWorld, where: tuple[int, int]) -> Any:
    """The indexes of a fleet's ships."""
    ships = small.world.ships
    nation, fleet = where
    return np.flatnonzero((ships["kind"] > 0) & (ships["owner"] == nation) & (ships["fleet"] == fleet))


def _read_flagship(small: SmallWorld, where: tuple[int, int]) -> Any:
    ship = int(record(small, "fleets", where)["flagship"])
    return None if ship < 0 else small.record("ship", ship)


def _write_flagship(small: SmallWorld, where: tuple[int, int], value: Any) -> None:
    ship = whole(value)
    if ship not in _ships_of(small, where).tolist():
        raise CaseError(f"ship {ship} is none of the fleet's")
    record(small, "fleets", where)["flagship"] = ship


def _read_mode(small: SmallWorld, where: tuple[int, int]) -> Any:
    """The mode that all ships of a fleet have; a list if they differ, None without ships."""
    modes = sorted({int(small.world.ships[ship]["mode"]) for ship in _ships_of(small, where)})
    found = [names.FLEET_MODES.name(mode) for mode in modes]
    return found if len(found) > 1 else next(iter(found), None)


def _write_mode(small: SmallWorld, where: tuple[int, int], value: Any) -> None:
    mode, ships = names.FLEET_MODES.number(value), _ships_of(small, where)
    if not len(ships):
        raise CaseError("the fleet has no ships, and these have the mode")
    for ship in ships:
        small.world.ships[ship]["mode"] = mode


FLEET_FIELDS: dict[str, Field] = {
    "mode": Field(_read_mode, _write_mode),
    "target": _cell_field("target"),
    "waypoints": Field(_read_waypoints, _write_waypoints),
    "salvo": _cell_field("salvo"),
    "flagship": Field(_read_flagship, _write_flagship),
    "name": number("fleets", "name"),
    "colour": number("fleets", "colour"),
}
FLEET_KIND = Kind("fleet", FLEET_FIELDS)

KINDS = {"ships": SHIPS, "fleets": FLEET_KIND}
