"""Remembered routes: for each port how far it is from every water cell (MER-067).

Ships, units and monsters are left out; ports may be crossed. A chart is stale when land, water, ports or
mines have changed since it was made (`clock.waters`); it is used until it is made anew: drawn, or mended
where a few cells have changed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hakoenv.engine import hexgrid
from hakoenv.engine.codes import terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import NO_WAY as NO_CHART
from hakoenv.engine.world import SHORES, World
from hakoenv.ruleset.compiled import Rules

NO_WAY = -1
_NEIGHBOURS = 6
_FAR = NO_CHART - 1  # the longest way that a chart knows

_CLOSED, _PORT, _OPEN, _AS_BELOW = 0, 1, 2, 3
_GROUNDS = np.zeros(terrain.COUNT, np.int64)
_GROUNDS[[terrain.SEA, terrain.SHALLOWS]] = _OPEN
_GROUNDS[[terrain.PORT, terrain.NAVAL_PORT]] = _PORT
_GROUNDS[[terrain.OFFSHORE_OIL, terrain.MONSTER]] = _AS_BELOW  # either may be on land

_MOST_BLOTTED = 256  # cells of a chart that are mended; with more it is drawn
_UNSEEN, _BAR = -1, -2  # of steps while a chart is made: water not reached yet, no water


# ---------------------------------------------------------------- reading


@kernel
def is_port(world: World, cell: int) -> bool:
    """Whether a cell is a port or naval port, which may be crossed and is no berth."""
    return bool(_GROUNDS[world.cells.flat[cell].terrain] == _PORT)


@kernel
def way(world: World, h: int, cell: int) -> int:
    """Steps from a cell to a berth of a listed port, as remembered; -1 no way, or no chart yet."""
    if h < 0 or world.distances[h, cell] == NO_CHART:
        return int(NO_WAY)
    return int(world.distances[h, cell])


@kernel
def onward(world: World, h: int, cell: int) -> int:
    """The next cell on the way to a listed port: nearest to it, of equals the first direction; -1 none."""
    if h < 0:
        return int(NO_WAY)
    height, width = world.cells.shape
    y = cell // width
    x = cell - y * width
    least, found = int(world.distances[h, cell]), int(NO_WAY)
    if least == NO_CHART:
        return found
    for direction in range(1, _NEIGHBOURS + 1):
        near = hexgrid.beside(width, height, x, y, direction)
        if near >= 0 and world.distances[h, near] < least:
            least, found = int(world.distances[h, near]), near
    return found


@kernel
def kind(world: World, cell: int) -> int:
    """What a cell is on a chart: closed, a port, or water; oil fields and monsters by what is below."""
    place = world.cells.flat[cell]
    found = int(_GROUNDS[place.terrain])
    return int(_GROUNDS[place.below]) if found == _AS_BELOW else found


# ---------------------------------------------------------------- growing stale


@kernel
def note_change(world: World, cell: int, before: int, after: int) -> None:
    """A cell changes its terrain: all charts go stale if that matters to them, and may be mended by it.

    Monsters come and go over land or over water. An oil field keeps what it is drilled in.
    """
    old, new = int(_GROUNDS[before]), int(_GROUNDS[after])
    if before == terrain.MONSTER or after == terrain.MONSTER:
        return
    if new == _AS_BELOW:
        new = old
    elif old == _AS_BELOW:
        old = int(_OPEN)
    if old != new:
        world.clock[0].waters += 1
        world.shores[world.clock[0].waters % SHORES] = cell


# ---------------------------------------------------------------- making


@kernel(allocates=True)
def renew(world: World, rules: Rules) -> None:
    """Make a few charts: missing ones first, then stale ones, in cell order after the last (phase 15)."""
    left = int(rules.scalars[0].merchant_distance_fields_per_turn)
    if left <= 0 or (_next(world, True, -1) < 0 and _next(world, False, -1) < 0):
        return
    places = (world.cells.shape[0] + 2) * (world.cells.shape[1] + 2)
    water = np.empty(places, np.int16)
    steps = np.empty(places, np.int16)
    queue = np.empty(2 * places, np.int32)
    is_surveyed = False
    for missing in range(1, -1, -1):
        last = int(world.clock[0].charted_last)
        for lap in range(2):  # those after the last one made, then from the beginning
            h = _next(world, bool(missing), last if lap == 0 else -1)
            while left > 0 and h >= 0:
                if not (_can_mend(world, h) and _mend(world, h, steps, queue)):
                    if not is_surveyed:
                        _survey(world, water)
                        is_surveyed = True
                    _draw(world, h, water, steps, queue)
                last = int(world.harbours[h].cell)
                world.clock[0].charted_last = last
                left -= 1
                h = _next(world, bool(missing), last)


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
    """Make the chart of one listed port."""
    places = (world.cells.shape[0] + 2) * (world.cells.shape[1] + 2)
    water = np.empty(places, np.int16)
    _survey(world, water)
    _draw(world, h, water, np.empty(places, np.int16), np.empty(places, np.int32))


@kernel
def _survey(world: World, water: Any) -> None:
    """Write which cells charts lead over, into a map with a closed edge: a search needs no bounds."""
    height, width = world.cells.shape
    water[:] = _BAR
    for y in range(height):
        row = (y + 1) * (width + 2) + 1
        for x in range(width):
            if kind(world, y * width + x) != _CLOSED:
                water[row + x] = _UNSEEN


@kernel
def _draw(world: World, h: int, water: Any, steps: Any, queue: Any) -> None:
    """Make a chart by the survey: steps from every water or port cell to the nearest berth of the port.

    ``steps`` and ``queue`` are room to work in. Odd rows lie half a cell to the right (MAP-002).
    """
    height, width = world.cells.shape
    stride = width + 2
    for place in range(water.shape[0]):
        steps[place] = water[place]
    last = 0
    for direction in range(1, _NEIGHBOURS + 1):
        near = hexgrid.neighbour(width, height, int(world.harbours[h].cell), direction)
        if near >= 0 and kind(world, near) == _OPEN:
            last = _reach(steps, queue, last, (near // width + 1) * stride + near % width + 1, 0)
    first = 0
    while first < last:
        place = int(queue[first])
        first += 1
        done = int(steps[place]) + 1
        if done > _FAR:
            break
        shift = (place // stride - 1) & 1
        north, south = place - stride + shift, place + stride + shift
        last = _reach(steps, queue, last, place - 1, done)
        last = _reach(steps, queue, last, place + 1, done)
        last = _reach(steps, queue, last, north - 1, done)
        last = _reach(steps, queue, last, north, done)
        last = _reach(steps, queue, last, south - 1, done)
        last = _reach(steps, queue, last, south, done)
    for y in range(height):
        row = (y + 1) * stride + 1
        for x in range(width):
            found = steps[row + x]
            world.distances[h, y * width + x] = found if found >= 0 else NO_CHART
    world.harbours[h].charted = world.clock[0].waters


@kernel(inline=True)
def _reach(steps: Any, queue: Any, last: int, place: int, done: int) -> int:
    """Put a place in the queue if nothing has reached it before; return where the queue ends."""
    if steps[place] != _UNSEEN:
        return last
    steps[place] = done
    queue[last] = place
    return last + 1


# ---------------------------------------------------------------- mending


@kernel
def _can_mend(world: World, h: int) -> bool:
    """Whether all that has changed since a chart was made is known."""
    made, now = int(world.harbours[h].charted), int(world.clock[0].waters)
    if made == 0 or now - made >= SHORES:
        return False
    for change in range(made + 1, now + 1):
        if world.shores[change % SHORES] < 0:
            return False
    return True


@kernel
def _mend(world: World, h: int, seeds: Any, queue: Any) -> bool:
    """Make a chart what `_draw` would make of it, where cells have changed since; False if these are many.

    First what no longer has a nearer neighbour is blotted out, ring by ring outward; then these cells and
    those that opened are reached anew, the nearest first. ``seeds`` and ``queue`` are room to work in.
    """
    made, now = int(world.harbours[h].charted), int(world.clock[0].waters)
    count = _blot(world, h, made, now, queue)
    if count > _MOST_BLOTTED:
        return False
    for change in range(made + 1, now + 1):
        queue[count] = world.shores[change % SHORES]
        count += 1
    _reach_anew(world, h, count, seeds, queue)
    world.harbours[h].charted = now
    return True


@kernel
def _blot(world: World, h: int, made: int, now: int, queue: Any) -> int:
    """Blot out what has lost its way, and write it into the queue; return how many cells."""
    height, width = world.cells.shape
    steps = world.distances[h]
    first = count = 0
    for ring in range(NO_CHART):
        last = count
        for change in range(made + 1, now + 1):
            cell = int(world.shores[change % SHORES])
            if steps[cell] == ring and not _has_way(world, h, cell):
                steps[cell] = NO_CHART
                queue[count] = cell
                count += 1
        for k in range(first, last):  # of the ring before
            for direction in range(1, _NEIGHBOURS + 1):
                near = hexgrid.neighbour(width, height, int(queue[k]), direction)
                if near >= 0 and steps[near] == ring and not _has_way(world, h, near):
                    steps[near] = NO_CHART
                    queue[count] = near
                    count += 1
        first = last
        if count > _MOST_BLOTTED:
            break  # it is drawn anew
    return count


@kernel
def _has_way(world: World, h: int, cell: int) -> bool:
    """Whether a charted cell still is a berth if it was one, or has a neighbour that is a step nearer."""
    ground = kind(world, cell)
    steps = int(world.distances[h, cell])
    if ground == _CLOSED:
        return False
    if _is_berth(world, h, cell, ground):
        return steps == 0
    return steps > 0 and _nearest(world, h, cell) == steps - 1


@kernel
def _is_berth(world: World, h: int, cell: int, ground: int) -> bool:
    return ground == _OPEN and hexgrid.distance(world.cells.shape[1], cell, int(world.harbours[h].cell)) == 1


@kernel
def _nearest(world: World, h: int, cell: int) -> int:
    """The fewest steps of a neighbour of a cell, `NO_CHART` if none has a way."""
    height, width = world.cells.shape
    least = NO_CHART
    for direction in range(1, _NEIGHBOURS + 1):
        near = hexgrid.neighbour(width, height, cell, direction)
        if near >= 0:
            least = min(least, int(world.distances[h, near]))
    return least


@kernel
def _steps_from_beside(world: World, h: int, cell: int) -> int:
    """Steps that a cell would have by those of its neighbours; more than there can be if none has a way."""
    ground = kind(world, cell)
    if ground == _CLOSED:
        return int(NO_CHART)
    return 0 if _is_berth(world, h, cell, ground) else _nearest(world, h, cell) + 1


@kernel
def _reach_anew(world: World, h: int, count: int, seeds: Any, queue: Any) -> None:
    """Reach the first ``count`` cells of the queue from beside, and then what is nearer by way of them."""
    height, width = world.cells.shape
    steps = world.distances[h]
    for k in range(count):
        seeds[k] = _steps_from_beside(world, h, int(queue[k]))
    first = last = count
    for ring in range(NO_CHART):
        for k in range(count):
            if seeds[k] == ring and steps[queue[k]] > ring:
                steps[queue[k]] = ring
                queue[last] = queue[k]
                last += 1
        rim = last
        for k in range(first, rim):
            for direction in range(1, _NEIGHBOURS + 1):
                near = hexgrid.neighbour(width, height, int(queue[k]), direction)
                if near < 0 or ring == _FAR or steps[near] <= ring + 1 or kind(world, near) == _CLOSED:
                    continue
                steps[near] = ring + 1
                queue[last] = near
                last += 1
        first = rim
