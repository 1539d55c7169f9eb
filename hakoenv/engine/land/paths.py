"""Shortest ways of a unit over cells that it may walk, and the first step on them."""

from __future__ import annotations

from typing import Any

import numpy as np

from hakoenv.engine import hexgrid
from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import movement
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

NOWHERE = -1
_NEIGHBOURS = 6


@kernel(allocates=True)
def find(world: World, rules: Rules, viewer: int, unit: int, goals: Any, limit: int) -> tuple[int, int, int]:
    """The shortest way of a unit to the nearest of several cells.

    Every step must be one that the unit may make as things stand (`movement.step_value`), so a cell where
    a unit stands is no part of a way, nor a goal.

    Args:
        world: the world.
        rules: the ruleset.
        viewer: the nation whose knowledge the way rests on, or ``view.TRUTH``.
        unit: index of a unit on the map.
        goals: (H * W,) numbers; a cell is a goal where they are not 0.
        limit: most steps of a way; the search costs with the cells within that many.

    Returns:
        (direction of the first step, steps, goal). Of equally near goals the lowest cell, of equally short
        ways the smallest first direction (ARMY-063, AI-089). (0, 0, cell) on a goal, (0, -1, -1) without
        a way.
    """
    start = int(world.units[unit].cell)
    if goals[start]:
        return 0, 0, start
    height, width = world.cells.shape
    first = np.zeros(world.cells.size, np.int8)  # direction in which the way to a reached cell begins
    queue = np.empty(world.cells.size, np.int32)
    first[start] = NOWHERE
    queue[0] = start
    head, tail, steps, goal = 0, 1, 0, NOWHERE
    while head < tail and steps < limit and goal == NOWHERE:
        steps += 1
        for k in range(head, tail):  # in the order of their first direction, so that the least one stays
            cell = int(queue[k])
            for direction in range(1, _NEIGHBOURS + 1):
                near = hexgrid.neighbour(width, height, cell, direction)
                if near < 0 or first[near] != 0:
                    continue
                if movement.step_value(world, rules, viewer, unit, cell, near) == 0:
                    continue
                first[near] = direction if cell == start else first[cell]
                queue[tail] = near
                tail += 1
                if goals[near] and (goal == NOWHERE or near < goal):
                    goal = near
            head += 1
    if goal == NOWHERE:
        return 0, NOWHERE, NOWHERE
    return int(first[goal]), steps, goal
