"""The outer sea: the largest connected water of the map (AID-024).

It is charted from what everybody knows of the map: what looks like sea to others is taken for it. Ports are
crossed and count as no water. It is the same for all nations that are planned together, so it is charted at
most once for them, and only when one of them needs it.
"""

from __future__ import annotations

import numpy as np
from hakoenv.agents.rule_ai.staff import NEIGHBOURS, Staff

from hakoenv.engine import hexgrid
from hakoenv.engine.codes import terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World

_NONE = 0
_CROSSED = 1  # a port
_WATER = 2
_LOOKS = np.zeros(terrain.COUNT, np.int64)  # what a terrain is to a ship, as everybody knows it
_LOOKS[[terrain.PORT, terrain.NAVAL_PORT]] = _CROSSED
_LOOKS[
    [terrain.SEA, terrain.SHALLOWS, terrain.OFFSHORE_OIL, terrain.NAVAL_MINE, terrain.SEABED_BASE]
] = _WATER  # fmt: skip


@kernel
def chart(world: World, staff: Staff) -> None:
    """Number the connected waters in `staff.basin`, and note the largest, the first of equals.

    Nothing is done if it has been charted since the roll was called.
    """
    head = staff.head[0]
    if head.outer > 0:
        return
    for i in range(world.cells.size):
        staff.basin[i] = 0
    most, basins = 0, 0
    for i in range(world.cells.size):
        if staff.basin[i] == 0 and looks(world, i) == _WATER:
            basins += 1
            size = _flood(world, staff, i, basins)
            if size > most:
                head.outer, most = basins, size


@kernel
def has(world: World, staff: Staff, cell: int) -> bool:
    """Whether a cell is water of the outer sea, once that has been charted."""
    return bool(staff.basin[cell] == staff.head[0].outer and looks(world, cell) == _WATER)


@kernel
def is_inlet(world: World, cell: int) -> bool:
    """Whether water is a dead end: one cell leads into it (AID-026)."""
    height, width = world.cells.shape
    ways = 0
    for direction in range(1, NEIGHBOURS):
        near = hexgrid.nth(width, height, cell, direction)
        ways += near >= 0 and looks(world, near) == _WATER
    return bool(ways == 1)


@kernel
def looks(world: World, cell: int) -> int:
    """What a cell is to a ship, as everybody knows it: an oil field on land is none of the sea's."""
    place = world.cells.flat[cell]
    oil = place.terrain == terrain.OFFSHORE_OIL
    if oil and place.below != terrain.SEA and place.below != terrain.SHALLOWS:
        return int(_NONE)
    return int(_LOOKS[place.terrain])


@kernel
def _flood(world: World, staff: Staff, start: int, number: int) -> int:
    """Give a number to all water that a ship gets to from a cell; return how many cells it is."""
    height, width = world.cells.shape
    staff.basin[start] = number
    staff.queue[0] = start
    first, last, size = 0, 1, 0
    while first < last:
        cell = int(staff.queue[first])
        first += 1
        size += looks(world, cell) == _WATER
        for direction in range(1, NEIGHBOURS):
            near = hexgrid.nth(width, height, cell, direction)
            if near >= 0 and staff.basin[near] != number and looks(world, near) != _NONE:
                staff.basin[near] = number
                staff.queue[last] = near
                last += 1
    return size
