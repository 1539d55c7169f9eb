"""Shortest sea ways of a ship: round what its nation knows, mines included (NAVY-050, NAVY-051, NAVY-097).

Every cell costs one movement point: the layer of rivers and currents is off, and a world has none (NAVY-054).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hakoenv.engine import hexgrid
from hakoenv.engine.codes import terrain
from hakoenv.engine.handles import handle
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import waters
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

NO_WAY = -1
_NEIGHBOURS = 6
_FAR = 1 << 30
_SEEN = 8  # added to a cell's looks; 0 is one that was not asked for yet
_TAKEN = 4  # added to what the water is: somebody is there
_AROUND, _THROUGH = 0, 1  # ways around ships and units that are seen, and as if they were not there
_STACKS = 3
_POCKET = 24  # cells; a ship that leaves them is not shut in


@handle
class Sheet(NamedTuple):
    """What a search writes down; all 0 at first. It is made once, outside of the loops."""

    looks: Any  # (H * W,) int8: what a cell is to the ship, with `_SEEN`
    steps: Any  # (H * W,) int32: from a cell to the goal, and 1
    stacks: Any  # (3, H * W) int32: cells that wait, by the length of a way over them
    waiting: Any  # (3,) int64: how many
    pocket: Any  # (24,) int64: cells around the ship


@kernel(allocates=True)
def find(world: World, rules: Rules, viewer: int, ship: int, goal: int, path: Any) -> int:
    """Write the next cells of a ship's shortest way to a cell into ``path``, as many as it holds.

    Of equally short ways that whose first direction is the smallest, then its second, and so on (NAVY-050).
    A goal that is closed, taken or a port is replaced by the cells next to it. A way leads around ships and
    units that are seen; if there is none such, through them, but ``path`` ends before the first (NAVY-097,
    EMBARK-007). It may lead over a port between two cells of open water, never over two in a row, and
    ``path`` doesn't end on one (NAVY-076, NAVY-079).

    Args:
        world: the world.
        rules: the ruleset.
        viewer: the nation whose knowledge the way rests on, or ``view.TRUTH``.
        ship: index of a ship.
        goal: a cell.
        path: (movement points,) integers to write into.

    Returns:
        How many cells were written: 0 if the ship is there or can't go on now; `NO_WAY` if there is none.
    """
    count = _go_straight(world, rules, viewer, ship, goal, path)
    if count >= 0:
        return count
    sheet = _new_sheet(world)
    if _search(world, rules, viewer, ship, goal, sheet) == NO_WAY:
        return int(NO_WAY)
    return _trace(world, int(world.ships[ship].cell), sheet.looks, sheet.steps, path)


@kernel(allocates=True)
def measure(world: World, rules: Rules, viewer: int, ship: int, goal: int) -> tuple[int, bool]:
    """How long the way is that `find` would take, and whether it leads around all who are seen.

    The length is `NO_WAY` if there is none.
    """
    sheet = _new_sheet(world)
    manner = _search(world, rules, viewer, ship, goal, sheet)
    if manner == NO_WAY:
        return int(NO_WAY), False
    return int(sheet.steps[world.ships[ship].cell]) - 1, bool(manner == _AROUND)


@kernel(allocates=True)
def _new_sheet(world: World) -> Sheet:
    """An empty sheet for a search."""
    cells = world.cells.size
    return Sheet(
        np.zeros(cells, np.int8),
        np.zeros(cells, np.int32),
        np.empty((_STACKS, cells), np.int32),
        np.zeros(_STACKS, np.int64),
        np.zeros(_POCKET, np.int64),
    )


@kernel
def is_reached(world: World, rules: Rules, viewer: int, ship: int, goal: int) -> bool:
    """Whether a ship is on a cell, or next to it while it is closed, taken or a port (NAVY-097)."""
    record = world.ships[ship]
    away = hexgrid.distance(world.cells.shape[1], int(record.cell), goal)
    if away != 1:
        return away == 0
    water = waters.way(world, rules, viewer, int(record.owner), int(record.kind), goal)
    return water != waters.OPEN or waters.is_taken(world, rules, viewer, goal)


@kernel
def _go_straight(world: World, rules: Rules, viewer: int, ship: int, goal: int, path: Any) -> int:
    """Write the way as `find` does where none of it is a detour; `NO_WAY` where that can't be told so easily.

    Step by step in the smallest direction that leads nearer. If that arrives, no way is shorter, and none as
    short has a smaller direction earlier. Most ways at sea are such, at a fraction of the price of a search.
    """
    height, width = world.cells.shape
    cell = int(world.ships[ship].cell)
    left = hexgrid.distance(width, cell, goal)
    if left > 0 and _see(world, rules, viewer, ship, goal) != waters.OPEN:
        return int(NO_WAY)
    water = int(waters.OPEN)
    count = ashore = 0
    while left > 0:
        over_port = water == waters.PASSAGE
        direction, nearer = 1, int(NO_WAY)
        while nearer < 0 and direction <= _NEIGHBOURS:
            near = hexgrid.neighbour(width, height, cell, direction)
            if near >= 0 and hexgrid.distance(width, near, goal) < left:
                water = _see(world, rules, viewer, ship, near)
                if water == waters.OPEN or (water == waters.PASSAGE and not over_port):
                    nearer = near
            direction += 1
        if nearer < 0:
            return int(NO_WAY)
        cell = nearer
        left -= 1
        if count < path.shape[0]:
            path[count] = cell
            count += 1
            ashore = int(water == waters.PASSAGE)
    return count - ashore


@kernel
def _search(world: World, rules: Rules, viewer: int, ship: int, goal: int, sheet: Sheet) -> int:
    """Write the steps to the goal as `_measure`, and in which manner; `NO_WAY` if there is no way."""
    sheet.looks[world.ships[ship].cell] = _SEEN + waters.OPEN
    if not _is_shut_in(world, rules, viewer, ship, goal, _AROUND, sheet):
        if _measure(world, rules, viewer, ship, goal, _AROUND, sheet):
            return int(_AROUND)
    if not _met_anybody(sheet):
        return int(NO_WAY)
    sheet.steps[:] = 0
    if not _is_shut_in(world, rules, viewer, ship, goal, _THROUGH, sheet):
        if _measure(world, rules, viewer, ship, goal, _THROUGH, sheet):
            return int(_THROUGH)
    return int(NO_WAY)


@kernel
def _met_anybody(sheet: Sheet) -> bool:
    """Whether somebody lies on a cell that was looked at."""
    for k in range(sheet.looks.shape[0]):
        if sheet.looks[k] >= _SEEN + _TAKEN:
            return True
    return False


@kernel
def _is_shut_in(
    world: World, rules: Rules, viewer: int, ship: int, goal: int, manner: int, sheet: Sheet
) -> bool:
    """Whether a ship can't leave the few cells around it, and the goal is none of them.

    A search from the goal would go through the whole sea before it knew.
    """
    height, width = world.cells.shape
    pocket = sheet.pocket
    pocket[0] = world.ships[ship].cell
    first, last = 0, 1
    while first < last:
        cell = int(pocket[first])
        first += 1
        if hexgrid.distance(width, cell, goal) <= 1:
            return False
        for direction in range(1, _NEIGHBOURS + 1):
            near = hexgrid.neighbour(width, height, cell, direction)
            if near < 0 or _is_in(pocket, last, near):
                continue
            water = _look(world, rules, viewer, ship, near, manner, sheet.looks)
            if water != waters.OPEN and water != waters.PASSAGE:
                continue
            if last == _POCKET:
                return False
            pocket[last] = near
            last += 1
    return True


@kernel(inline=True)
def _is_in(cells: Any, count: int, cell: int) -> bool:
    """Whether a cell is one of the first of a list."""
    for k in range(count):
        if cells[k] == cell:
            return True
    return False


@kernel
def _measure(
    world: World, rules: Rules, viewer: int, ship: int, goal: int, manner: int, sheet: Sheet
) -> bool:
    """Write the steps from cells to the goal, right for all on a shortest way; return whether there is one.

    They are written with 1 more, so that 0 is a cell not reached.

    A search from the goal toward the ship (A*). Cells wait in the order of steps done plus distance to the
    ship, which grows by 0, 1 or 2 from a cell to the next, so three stacks in turn hold all that waits. The
    ship is reached while the stack of its way's length is worked off; when it is empty, every cell of every
    shortest way has its steps.
    """
    height, width = world.cells.shape
    start = int(world.ships[ship].cell)
    looks, steps, stacks, waiting = sheet.looks, sheet.steps, sheet.stacks, sheet.waiting
    length = _begin(world, rules, viewer, ship, goal, manner, sheet)
    idle = 0
    while idle < _STACKS:
        stack = length % _STACKS
        idle = idle + 1 if waiting[stack] == 0 else 0
        while waiting[stack] > 0:
            waiting[stack] -= 1
            cell = int(stacks[stack, waiting[stack]])
            done = int(steps[cell]) - 1
            y = cell // width
            x = cell - y * width
            if done + _distance(width, x, y, start) != length:
                continue  # a shorter way to it was found since
            over_port = looks[cell] % _TAKEN == waters.PASSAGE  # `_SEEN` is twice `_TAKEN`
            for direction in range(1, _NEIGHBOURS + 1):
                near = hexgrid.beside(width, height, x, y, direction)
                if near < 0 or 0 < steps[near] <= done + 2:
                    continue
                water = _look(world, rules, viewer, ship, near, manner, looks)
                if water == waters.OPEN or (water == waters.PASSAGE and not over_port):
                    _push(width, near, done + 1, start, steps, stacks, waiting)
        if steps[start] > 0:
            return True
        length += 1
    return False


@kernel
def _begin(world: World, rules: Rules, viewer: int, ship: int, goal: int, manner: int, sheet: Sheet) -> int:
    """Put the goal on its stack, or what is open next to it; return the least length of a way."""
    height, width = world.cells.shape
    start = int(world.ships[ship].cell)
    looks, steps, stacks, waiting = sheet.looks, sheet.steps, sheet.stacks, sheet.waiting
    if _look(world, rules, viewer, ship, goal, manner, looks) == waters.OPEN:
        return _push(width, goal, 0, start, steps, stacks, waiting)
    least = _FAR
    for direction in range(1, _NEIGHBOURS + 1):
        near = hexgrid.neighbour(width, height, goal, direction)
        if near >= 0 and _look(world, rules, viewer, ship, near, manner, looks) == waters.OPEN:
            least = min(least, _push(width, near, 0, start, steps, stacks, waiting))
    return least


@kernel(inline=True)
def _push(width: int, cell: int, done: int, start: int, steps: Any, stacks: Any, waiting: Any) -> int:
    """A cell was reached from the goal in so many steps; return the least length of a way over it.

    A stack has room for all: steps only fall, so a cell comes once to a length.
    """
    y = cell // width
    length = done + _distance(width, cell - y * width, y, start)
    stack = length % _STACKS
    steps[cell] = done + 1
    stacks[stack, waiting[stack]] = cell
    waiting[stack] += 1
    return length


@kernel(inline=True)
def _look(world: World, rules: Rules, viewer: int, ship: int, cell: int, manner: int, looks: Any) -> int:
    """What a cell is to the ship in a search, as `waters.way` says it; asked once. None leads over mines."""
    seen = int(looks[cell]) - _SEEN
    if seen < 0:
        seen = _see(world, rules, viewer, ship, cell)
        looks[cell] = _SEEN + seen
    if seen < _TAKEN:
        return seen
    return seen - _TAKEN if manner == _THROUGH else int(waters.CLOSED)


@kernel
def _see(world: World, rules: Rules, viewer: int, ship: int, cell: int) -> int:
    """What a cell is to the ship, as `waters.way` says it, and `_TAKEN` more where somebody is seen."""
    place = world.cells.flat[cell]
    if place.terrain == terrain.SEA and place.ship < 0 and place.unit < 0:
        return int(waters.OPEN)  # most cells, and nothing to see
    record = world.ships[ship]
    seen = waters.way(world, rules, viewer, int(record.owner), int(record.kind), cell)
    if seen != waters.CLOSED and waters.is_taken(world, rules, viewer, cell):
        seen += _TAKEN
    return int(seen)


@kernel
def _trace(world: World, start: int, looks: Any, steps: Any, path: Any) -> int:
    """Write the way from the ship along falling steps as far as it is free; return the number of cells."""
    height, width = world.cells.shape
    cell = start
    count = ashore = 0  # ports at the end of the path
    while count < path.shape[0] and steps[cell] > 1:
        direction, near = 1, _onward(width, height, cell, 1, looks, steps)
        while near < 0:
            direction += 1
            near = _onward(width, height, cell, direction, looks, steps)
        if looks[near] >= _SEEN + _TAKEN:
            break
        path[count] = cell = near
        count += 1
        ashore = int(looks[cell] == _SEEN + waters.PASSAGE)
    return count - ashore


@kernel(inline=True)
def _onward(width: int, height: int, cell: int, direction: int, looks: Any, steps: Any) -> int:
    """The neighbour in a direction if a shortest way goes on there, else -1."""
    near = hexgrid.neighbour(width, height, cell, direction)
    if near < 0 or steps[near] != steps[cell] - 1:
        return int(NO_WAY)
    from_port_to_port = looks[cell] % _TAKEN == waters.PASSAGE and looks[near] % _TAKEN == waters.PASSAGE
    return int(NO_WAY) if from_port_to_port else near


@kernel(inline=True)
def _distance(width: int, x: int, y: int, other: int) -> int:
    """Steps between a cell by its column and row and another."""
    v = other // width
    u = other - v * width
    dr = y - v
    dq = (x - (y >> 1)) - (u - (v >> 1))
    return max(abs(dq), abs(dr), abs(dq + dr))
