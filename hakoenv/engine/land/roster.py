"""In which order units act in phase 26: nations by turn order, corps by number, the older first."""

from __future__ import annotations

from hakoenv.engine import nation_order
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World


@kernel
def muster(world: World) -> int:
    """List the units on the map in ``world.roster``, in that order; return how many (ARMY-064, TURN-053).

    The list holds for the phase: a unit that is lost leaves a free place (owner -1) in ``world.units``.
    """
    roster = world.roster
    count = 0
    for unit in range(world.clock[0].units):
        if world.units[unit].owner >= 0 and world.units[unit].cell >= 0:
            roster[count] = unit
            count += 1
    first = 0
    for k in range(nation_order.count(world)):
        first = _bring_forward(world, int(world.order[k]), first, count)
    return first


@kernel
def _bring_forward(world: World, nation: int, first: int, count: int) -> int:
    """Sort a nation's units to the places from ``first`` on; return the place after them."""
    roster = world.roster
    end = first
    for k in range(first, count):
        unit = roster[k]
        if world.units[unit].owner != nation:
            continue
        roster[k] = roster[end]
        place = end
        while place > first and _acts_before(world, unit, roster[place - 1]):
            roster[place] = roster[place - 1]
            place -= 1
        roster[place] = unit
        end += 1
    return end


@kernel
def _acts_before(world: World, unit: int, other: int) -> bool:
    """Whether a unit acts before another of its nation."""
    one, two = world.units[unit], world.units[other]
    if one.corps != two.corps:
        return bool(one.corps < two.corps)
    return bool(one.serial < two.serial)
