"""The fields of ships and fleets by the names of case files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from hakoenv.engine import view
from hakoenv.engine.navy import fleets, vessels
from hakoenv.engine.world import FLEETS, WAYPOINTS
from hakoenv.testing import names
from hakoenv.testing.cargo_fields import CARGO_FIELDS
from hakoenv.testing.errors import CaseError
from hakoenv.testing.fields import (
    Field,
    Kind,
    cell_field,
    cell_of,
    coded,
    flag,
    listed,
    number,
    owner,
    owner_number,
    pair,
    place,
    record,
    whole,
)
from hakoenv.testing.job_fields import JOB_FIELDS

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


def _write_aid(small: SmallWorld, where: int, value: Any) -> None:
    """Put aid reserves aboard a warship, as many as its class holds at most (AID-015)."""
    ship = record(small, "ships", where)
    reserves = whole(value, 0, 2**15 - 1)
    if reserves and (ship["owner"] < 0 or not small.rules.ship_classes[ship["kind"]]["capacity_strength"]):
        raise CaseError(f"{reserves}: only a nation's warships that can carry a unit carry reserves")
    if reserves and vessels.carried(small.world, where) >= 0:
        raise CaseError(f"{reserves}: the ship has a unit aboard")
    ship["aid"] = reserves


def _write_aid_to(small: SmallWorld, where: int, value: Any) -> None:
    ship = record(small, "ships", where)
    mate = owner_number(small, value)
    if mate >= 0 and (mate == ship["owner"] or not view.is_warship(int(ship["kind"]))):
        raise CaseError(f"{value!r}: only a warship carries reserves to another nation")
    ship["aid_to"] = mate


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
    "aid_reserves": Field(number("ships", "aid").read, _write_aid),
    "aid_to": Field(owner("ships", "aid_to").read, _write_aid_to),
    **JOB_FIELDS,
    **CARGO_FIELDS,
}
SHIPS = Kind("ship", SHIP_FIELDS)
LAST = ("aid_reserves", "dormant", "home", "temp_home", "to_load", "cargo")
"""Fields that are set after the others, in this order: they look at what has been set."""

# ---------------------------------------------------------------- fleets


def _read_waypoints(small: SmallWorld, where: tuple[int, int]) -> list[list[int] | None]:
    banner = record(small, "fleets", where)
    return [pair(small, cell) for cell in banner["waypoints"][: int(banner["legs"])]]


def _write_waypoints(small: SmallWorld, where: tuple[int, int], value: Any) -> None:
    cells = [cell_of(small, place) for place in listed(value, "cells")]
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
    "target": cell_field("fleets", "target"),
    "waypoints": Field(_read_waypoints, _write_waypoints),
    "salvo": cell_field("fleets", "salvo"),
    "flagship": Field(_read_flagship, _write_flagship),
    "name": number("fleets", "name"),
    "colour": number("fleets", "colour"),
}
FLEET_KIND = Kind("fleet", FLEET_FIELDS)
