"""Remembered routes: for each port how far it is from every water cell (MER-067).

Ships, units and monsters are left out; ports may be crossed. A chart is stale when land, water, ports or
mines have changed since it was made (`clock.waters`); it is used until it is made anew.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hakoenv.engine import hexgrid
from hakoenv.engine.codes import terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import NO_WAY as NO_CHART
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

NO_WAY = -1
_NEIGHBOURS = 6
_CLOSED, _PORT, _OPEN = 0, 1, 2
_GROUNDS = np.zeros(terrain.COUNT, np.int64)
_GROUNDS[[terrain.SEA, terrain.SHALLOWS, terrain.OFFSHORE_OIL, terrain.MONSTER]] = _OPEN
_GROUNDS[[terrain.PORT, terrain.NAVAL_PORT]] = _PORT
_FAR = NO_CHART - 1  # the longest way that a chart knows


@kernel
def kind(world: World, cell: int) -> int:
    """What a cell is on a chart: closed, a port, or water; oil fields and monsters by what lies under them."""
    place = world.cells.flat[cell]
    found = int(_GROUNDS[place.terrain])
    if place.terrain == terrain.OFFSHORE_OIL or place.terrain == terrain.MONSTER:
        found = int(_OPEN if place.below == terrain.SEA or place.below == terrain.SHALLOWS else _CLOSED)
    return found


@kernel
def way(world: World, h: int, cell: int) -> int:
    """Steps from a cell to a berth of a listed port, as remembered; -1 no way, or no chart yet."""
    if h < 0 or world.distances[h, cell] == NO_CHART:
        return int(NO_WAY)
    return int(world.distances[h, cell])


@kernel(allocates=True)
def renew(world: World, rules: Rules) -> None:
    """Make a few charts: missing ones first, then stale ones, each in cell order after the last (phase 15)."""
    left = int(rules.scalars[0].merchant_distance_fields_per_turn)
    for missing in range(1, -1, -1):
        last = int(world.clock[0].charted_last)
        for lap in range(2):  # those after the last one made, then from the beginning
            while left > 0:
                h = _next(world, bool(missing), last if lap == 0 else -1)
                if h < 0:
                    break
                make(world, h)
                world.clock[0].charted_last = world.harbours[h].cell
                last = int(world.harbours[h].cell) if lap == 0 else last
                left -= 1


@kernel
def _next(world: World, missing: bool, after: int) -> int:
    """The listed port of the lowest cell above ``after`` whose chart is missing (or else stale); -1 none."""
    found = -1
    for h in range(world.harbours.shape[0]):
        entry = world.harbours[h]
        if entry.cell <= after or entry.cell < 0:
            continue
        wanted = entry.charted == 0 if missing else 0 < entry.charted < world.clock[0].waters
        if wanted and (found < 0 or entry.cell < world.harbours[found].cell):
            found = h
    return found


@kernel(allocates=True)
def make(world: World, h: int) -> None:
    """Make the chart of a listed port: steps from every water or port cell to the nearest berth."""
    height, width = world.cells.shape
    chart = world.distances[h]
    chart[:] = NO_CHART
    queue = np.empty(world.cells.size, np.int32)
    last = 0
    for direction in range(1, _NEIGHBOURS + 1):
        near = hexgrid.neighbour(width, height, int(world.harbours[h].cell), direction)
        if near >= 0 and kind(world, near) == _OPEN:
            chart[near] = 0
            queue[last] = near
            last += 1
    _spread(world, chart, queue, last)
    world.harbours[h].charted = world.clock[0].waters


@kernel(allocates=True)
def _spread(world: World, chart: Any, queue: Any, last: int) -> None:
    """Fill a chart from its first cells on, in order of steps."""
    height, width = world.cells.shape
    first = 0
    while first < last:
        cell = int(queue[first])
        first += 1
        steps = int(chart[cell]) + 1
        if steps > _FAR:
            return
        y = cell // width
        x = cell - y * width
        for direction in range(1, _NEIGHBOURS + 1):
            near = hexgrid.beside(width, height, x, y, direction)
            if near >= 0 and chart[near] == NO_CHART and kind(world, near) != _CLOSED:
                chart[near] = steps
                queue[last] = near
                last += 1


@kernel
def note_change(world: World, before: int, after: int) -> None:
    """A cell changes its terrain: charts go stale if it matters to them."""
    if before != after and (_GROUNDS[before] != _GROUNDS[after] or _is_mine(before) != _is_mine(after)):
        world.clock[0].waters += 1


@kernel
def _is_mine(ground: int) -> bool:
    return ground == terrain.NAVAL_MINE
