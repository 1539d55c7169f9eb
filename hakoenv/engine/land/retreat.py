"""Units whose corps has the order retreat go home: to the nearest own depot, and into the reserves."""

from __future__ import annotations

from typing import Any

import numpy as np

from hakoenv.engine import hexgrid, view
from hakoenv.engine.codes import terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import movement, paths, troops
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel(allocates=True)
def withdraw(world: World, rules: Rules, unit: int) -> None:
    """A unit's whole turn on the retreat (ARMY-063, ARMY-068).

    It never attacks. On an own depot, at the start or at the end, it joins the reserves; without a way
    to one it stays.
    """
    if _is_home(world, unit):
        troops.disband(world, unit)
        return
    budget = movement.first_budget(world, rules, unit)
    if budget == 0:
        return
    depots = np.zeros(world.cells.size, np.uint8)
    if _mark_free_depots(world, int(world.units[unit].owner), depots) == 0:
        return
    height, width = world.cells.shape
    while budget > 0:
        direction, _, _ = paths.find(world, rules, view.TRUTH, unit, depots, world.cells.size)
        if direction == 0:
            return
        goal = hexgrid.neighbour(width, height, int(world.units[unit].cell), direction)
        budget = movement.step(world, rules, unit, goal, budget)
        if _is_home(world, unit):
            troops.disband(world, unit)
            return


@kernel
def _is_home(world: World, unit: int) -> bool:
    """Whether a unit stands on an own depot."""
    record = world.units[unit]
    place = world.cells.flat[record.cell]
    return bool(place.terrain == terrain.DEPOT and place.owner == record.owner)


@kernel
def _mark_free_depots(world: World, nation: int, depots: Any) -> int:
    """Mark a nation's depots that a unit can enter; return how many there are."""
    record = world.nations[nation]
    count = 0
    for k in range(record.first, record.first + record.held):
        cell = world.territory[k]
        place = world.cells.flat[cell]
        if place.terrain == terrain.DEPOT and place.owner == nation and place.unit < 0:
            depots[cell] = 1
            count += 1
    return count
