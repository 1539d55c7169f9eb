"""The shortest way over water to one of several ends, searched from both sides at once.

Of equally short ways it is the one whose directions are smallest, from the start on (CRU-014, MER-025). The
search goes ring by ring, always on the shorter side: a port that is shut in costs no search of the whole sea.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hakoenv.engine import hexgrid, view
from hakoenv.engine.codes import terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import waters
from hakoenv.engine.shipping import passage
from hakoenv.engine.world import DETOUR, World
from hakoenv.ruleset.compiled import Rules

NO_WAY = -1
FAR = 1 << 14  # more steps than a way has
MOST_ENDS = 6  # the cells beside a port
_NEIGHBOURS = 6
_NOWHERE = -1

# what a way may lead over
SEEN_OPEN = 0  # of a merchant or fishing boat: what its nation sees as open to it
FREE = 1  # of a cruise ship: where nobody lies
WATER = 2  # likewise, whoever lies there

# marks of cells beside the directions 1..6 by which they were reached
_START, CLOSED, _END = 7, 8, 9


@kernel
def is_water(world: World, cell: int) -> bool:
    """Whether a cell (-1 outside the map) is sea or shallows (CRU-013)."""
    if cell < 0:
        return False
    ground = int(world.cells.flat[cell].terrain)
    return ground == terrain.SEA or ground == terrain.SHALLOWS


@kernel
def is_free(world: World, cell: int) -> bool:
    """Whether a cell is sea or shallows without ship and unit (CRU-013, MER-040)."""
    return is_water(world, cell) and world.cells.flat[cell].ship < 0 and world.cells.flat[cell].unit < 0


@kernel
def opens(world: World, rules: Rules, over: int, ship: int, cell: int) -> bool:
    """Whether a way of a ship may lead over a cell; the ship matters to what is `SEEN_OPEN` alone."""
    place = world.cells.flat[cell]
    if place.terrain == terrain.SEA and place.ship < 0 and place.unit < 0:
        return True  # most cells
    if over != SEEN_OPEN:
        return is_water(world, cell) and (over == WATER or is_free(world, cell))
    record = world.ships[ship]
    nation = int(record.owner)
    water = waters.way(world, rules, view.TRUTH, nation, int(record.kind), cell)
    if water != waters.OPEN and water != waters.PASSAGE:
        return False
    if view.unit(world, rules, nation, cell) >= 0:
        return False
    other = view.ship(world, rules, nation, cell)
    return bool(other < 0 or passage.lets_pass(world, nation, other))


@kernel(allocates=True)
def find(
    world: World, rules: Rules, over: int, ship: int, start: int, ends: Any, most: int, marks: Any
) -> tuple[int, int]:
    """Find the first of the shortest ways from a cell to an end.

    Args:
        world: in which the ship is.
        rules: of that world.
        over: what the way may lead over: `SEEN_OPEN`, `FREE` or `WATER`.
        ship: whose way it is; -1 nobody's, unless ``over`` is `SEEN_OPEN`.
        start: a cell.
        ends: [0] is how many there are, then these cells, at most `MOST_ENDS`.
        most: steps that the way may have.
        marks: (H * W,) uint8, 0 but for cells that are `CLOSED`; then the way, for `follow`.

    Returns:
        Its steps, `NO_WAY` if there is none, and the end.
    """
    ahead = np.empty(world.cells.size, np.int32)  # cells reached from the start, in order
    behind = np.empty(world.cells.size, np.int32)  # cells from which an end was reached
    left = np.zeros(world.cells.size, np.int16)  # their steps to it, and 1
    ring, rim, steps = 0, 1, 0  # the outermost cells are ``steps`` away
    inner, outer, rest = 0, 0, 0
    for k in range(1, int(ends[0]) + 1):
        cell = int(ends[k])
        if cell == start:
            return 0, cell
        if marks[cell] == 0 and opens(world, rules, over, ship, cell):
            marks[cell] = _END
            behind[outer] = cell
            left[cell] = 1
            outer += 1
    marks[start] = _START
    ahead[0] = start
    while ring < rim and inner < outer and steps + rest < most:
        meeting = _NOWHERE
        if rim - ring <= outer - inner:
            last, meeting = _spread_ahead(world, rules, over, ship, marks, left, ahead, ring, rim)
            ring, rim = rim, last
            steps += 1
        else:
            inner, outer = outer, _spread_behind(world, rules, over, ship, marks, left, behind, inner, outer)
            rest += 1
            for k in range(ring, rim):  # in the order of their ways
                if left[ahead[k]] == rest + 1:
                    meeting = int(ahead[k])
                    break
        if meeting != _NOWHERE:
            return steps + rest, _mark_rest(world, marks, left, meeting)
    return int(NO_WAY), int(_NOWHERE)


@kernel
def _spread_ahead(
    world: World, rules: Rules, over: int, ship: int, marks: Any, left: Any, ahead: Any, ring: int, rim: int
) -> tuple[int, int]:
    """Reach the next ring from the start; stop at the first cell from which an end is known.

    Returns:
        The end of the list of cells reached, and that cell, -1 none.
    """
    height, width = world.cells.shape
    last = rim
    for k in range(ring, rim):
        y = ahead[k] // width
        x = ahead[k] - y * width
        for direction in range(1, _NEIGHBOURS + 1):
            near = hexgrid.beside(width, height, x, y, direction)
            if near < 0 or (marks[near] != 0 and marks[near] != _END):
                continue
            if left[near] > 0:
                marks[near] = direction
                return last, near
            if opens(world, rules, over, ship, near):
                marks[near] = direction
                ahead[last] = near
                last += 1
            else:
                marks[near] = CLOSED
    return last, _NOWHERE


@kernel
def _spread_behind(
    world: World, rules: Rules, over: int, ship: int, marks: Any, left: Any, behind: Any, first: int, end: int
) -> int:
    """Reach the next ring from the ends, the start's cells with it; return the end of the list."""
    height, width = world.cells.shape
    last = end
    for k in range(first, end):
        cell = int(behind[k])
        y = cell // width
        x = cell - y * width
        for direction in range(1, _NEIGHBOURS + 1):
            near = hexgrid.beside(width, height, x, y, direction)
            if near < 0 or left[near] > 0 or marks[near] == CLOSED:
                continue
            if marks[near] == 0 and not opens(world, rules, over, ship, near):
                marks[near] = CLOSED
                continue
            left[near] = left[cell] + 1
            behind[last] = near
            last += 1
    return last


@kernel
def _mark_rest(world: World, marks: Any, left: Any, cell: int) -> int:
    """Mark the first of the shortest ways from a cell to an end, and return the end."""
    height, width = world.cells.shape
    while left[cell] > 1:
        for direction in range(1, _NEIGHBOURS + 1):
            near = hexgrid.neighbour(width, height, cell, direction)
            if near >= 0 and left[near] == left[cell] - 1:
                marks[near] = direction
                cell = near
                break
    return cell


@kernel
def follow(world: World, ship: int, end: int, steps: int, marks: Any) -> None:
    """A ship remembers the way that was found, as much of it as a ship remembers; it had no other."""
    height, width = world.cells.shape
    entry = world.jobs[ship]
    cell = end
    for k in range(steps - 1, -1, -1):
        direction = int(marks[cell])
        if k < DETOUR:
            entry.detour[k] = direction
        cell = hexgrid.neighbour(width, height, cell, (direction + 2) % _NEIGHBOURS + 1)
    entry.detour_length = min(steps, DETOUR)
