"""What private ships add to the fields of a ship: what they are about (MER-077), and where they belong."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from hakoenv.engine import view
from hakoenv.engine.codes import job, ship_class, terrain
from hakoenv.engine.navy import vessels
from hakoenv.engine.shipping import parcels
from hakoenv.testing import names
from hakoenv.testing.errors import CaseError
from hakoenv.testing.fields import (
    Field,
    cell_field,
    cell_of,
    coded,
    flag,
    listed,
    money,
    number,
    record,
    turn_or_none,
)

if TYPE_CHECKING:
    from hakoenv.testing.small_world import SmallWorld

PRIVATE = (ship_class.MERCHANT, ship_class.LARGE_MERCHANT, ship_class.FISHING_BOAT, ship_class.CRUISE_SHIP)


def is_private(small: SmallWorld, ship: int) -> bool:
    """Whether a ship is one of a nation's private sector."""
    entry = record(small, "ships", ship)
    return bool(entry["owner"] >= 0 and entry["kind"] in PRIVATE)


def start(small: SmallWorld, ship: int) -> None:
    """A ship placed by a test is about nothing; a private one has its upkeep paid."""
    vessels.reset_job(small.world, ship)
    small.world.jobs[ship]["paid"] = int(is_private(small, ship))


def finish(small: SmallWorld, ship: int) -> None:
    """When all that is given has been set: a ship that returns is bound for its home port."""
    entry = small.world.jobs[ship]
    if entry["job"] == job.RETURNING and entry["goal"] < 0:
        entry["goal"] = entry["refuge"] if entry["refuge"] >= 0 else entry["home"]


def _private(field: Field) -> Field:
    """A field that only private ships can be given; other ships have what a new ship has."""
    assert field.write is not None
    write = field.write

    def checked(small: SmallWorld, where: int, value: Any) -> None:
        if not is_private(small, where):
            raise CaseError("only private ships have it")
        write(small, where, value)

    return Field(field.read, checked)


def _write_home(small: SmallWorld, where: int, value: Any) -> None:
    """A home port; that of a dormant ship is lost, so a place off the map says as much as none."""
    if not is_private(small, where):
        _check_moorings(small, where, value)
        return
    pair = listed(value, "column and row") if value is not None else None
    on_map = (
        pair is None or len(pair) != 2 or (pair[0] in range(small.width) and pair[1] in range(small.height))
    )
    if not on_map and record(small, "jobs", where)["dormant"]:
        value = None
    assert _HOME.write is not None
    _HOME.write(small, where, value)


def _check_moorings(small: SmallWorld, where: int, value: Any) -> None:
    """A warship belongs to its nation and to no port of it: a naval port of it is accepted, and not kept."""
    ship, cells = record(small, "ships", where), small.world.cells.reshape(-1)
    port = -1 if value is None else cell_of(small, value)
    if port >= 0 and (
        not view.is_warship(int(ship["kind"]))
        or cells[port]["terrain"] != terrain.NAVAL_PORT
        or cells[port]["owner"] != ship["owner"]
    ):
        raise CaseError("only private ships have it; a warship's must be a naval port of its nation")


_HOME = cell_field("jobs", "home")


def _derived(found: Callable[[SmallWorld, int], Any]) -> Field:
    return Field(lambda small, where: int(found(small, where)))


JOB_FIELDS: dict[str, Field] = {
    name: field if name == "home" else _private(field)
    for name, field in {
        "dormant": flag("jobs", "dormant"),
        "home": Field(_HOME.read, _write_home),
        "temp_home": cell_field("jobs", "refuge"),
        "job": coded("jobs", "job", lambda: names.JOBS),
        "destination": cell_field("jobs", "goal"),
        "arrived": number("jobs", "arrived", low=0),
        "handled": number("jobs", "handled", low=0),
        "no_route_since": turn_or_none("jobs", "strayed"),
        "last_unload": cell_field("jobs", "unloaded_at"),
        "waited": number("jobs", "waited", low=0),
        "fuel_counter": number("jobs", "fuel_counter", low=0),
        "upkeep_paid": flag("jobs", "paid"),
        "last_call": cell_field("jobs", "called"),
        "unlooted": money("jobs", "unlooted"),
    }.items()
} | {
    "speed": _derived(lambda small, ship: vessels.speed(small.world, small.rules, ship)),
    "capacity": _derived(lambda small, ship: parcels.capacity(small.world, small.rules, ship, False)),
    "diplomatic_capacity": _derived(
        lambda small, ship: parcels.capacity(small.world, small.rules, ship, True)
    ),
}
