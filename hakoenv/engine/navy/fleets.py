"""Fleets: who belongs to one, who leads it, where it is bound, what it is told to fire at."""

from __future__ import annotations

from typing import Any

from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import FLEETS, WAYPOINTS, World

NONE = -1


@kernel
def size(world: World, nation: int, fleet: int) -> int:
    """Ships of a fleet (NAVY-039)."""
    count = 0
    for ship in range(world.clock[0].ships):
        count += _belongs(world, ship, nation, fleet)
    return count


@kernel
def join(world: World, ship: int, fleet: int) -> None:
    """A ship without fleet enters one; the first in an empty fleet leads it (NAVY-040)."""
    record = world.ships[ship]
    record.fleet = fleet
    banner = world.fleets[record.owner, fleet]
    if banner.flagship < 0:
        banner.flagship = ship


@kernel
def leave(world: World, ship: int) -> None:
    """A ship leaves its fleet, if it has one; the oldest left follows a flagship (NAVY-102).

    A fleet without ships has no target and no salvo order.
    """
    record = world.ships[ship]
    fleet = int(record.fleet)
    if record.owner < 0 or fleet < 0:
        return
    nation = int(record.owner)
    record.fleet = NONE
    banner = world.fleets[nation, fleet]
    if banner.flagship == ship:
        banner.flagship = _oldest(world, nation, fleet)
    if banner.flagship < 0:
        clear_course(banner)
        banner.salvo = NONE


@kernel
def clear_course(banner: Any) -> None:
    """A fleet (its record) is bound nowhere."""
    banner.target = NONE
    banner.waypoints[:] = NONE
    banner.legs = 0


@kernel
def append_waypoint(banner: Any, cell: int) -> None:
    """Add a cell to pass before the target, after those that there are (NAVY-049, NAVY-057)."""
    if banner.legs < WAYPOINTS:
        banner.waypoints[banner.legs] = cell
        banner.legs += 1


@kernel
def goal(banner: Any) -> int:
    """Where a fleet (its record) sails now: the first waypoint left, else the target; -1 nowhere."""
    return int(banner.waypoints[0] if banner.legs > 0 else banner.target)


@kernel
def reach_goal(banner: Any) -> None:
    """The fleet has got where it was sailing to (NAVY-097)."""
    if banner.legs == 0:
        banner.target = NONE
        return
    for k in range(WAYPOINTS - 1):
        banner.waypoints[k] = banner.waypoints[k + 1]
    banner.waypoints[WAYPOINTS - 1] = NONE
    banner.legs -= 1


@kernel
def reset(world: World, nation: int) -> None:
    """Give all fleets of a nation their first name and colour, no course and no orders."""
    for number in range(FLEETS):
        banner = world.fleets[nation, number]
        clear_course(banner)
        banner.salvo = banner.flagship = NONE
        banner.name = banner.colour = number


@kernel
def _oldest(world: World, nation: int, fleet: int) -> int:
    """The oldest ship of a fleet, -1 none."""
    found = NONE
    for ship in range(world.clock[0].ships):
        if _belongs(world, ship, nation, fleet):
            if found < 0 or world.ships[ship].serial < world.ships[found].serial:
                found = ship
    return found


@kernel
def _belongs(world: World, ship: int, nation: int, fleet: int) -> bool:
    record = world.ships[ship]
    return bool(record.kind > 0 and record.owner == nation and record.fleet == fleet)
