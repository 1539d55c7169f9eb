"""Ways around what is in a private ship's way (MER-025, MER-026): searched, then followed to their end.

A search finds the way with the smallest directions, from the ship on, among equally short ones. It keeps off
mines, units and hostile ships and ports; other ships are closed to it where they lie on the old route, else
passed (MER-020, MER-022, MER-040). Where ships lie is what the ship's nation sees.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hakoenv.engine import hexgrid, view
from hakoenv.engine.codes import terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import waters
from hakoenv.engine.shipping import harbours, jobs, passage, waiting
from hakoenv.engine.world import DETOUR, World
from hakoenv.ruleset.compiled import Rules

_NEIGHBOURS = 6
_FAR = 1 << 14  # more steps than a way has
_NOWHERE = -1
_START, _CLOSED, _END = 7, 8, 9  # marks of cells beside the directions 1..6 by which they were reached


@kernel(allocates=True)
def search(world: World, rules: Rules, ship: int, h: int, goal: int) -> bool:
    """Find a way around to a cell at sea, or to a port (listed as ``h``, -1 none), and set out on it.

    At a port it ends at a free berth, or where ships wait if all are taken. The caller has asked whether a
    search is left in the turn and counts it (MER-050, MER-067).

    Returns:
        Whether there is one; if not, the ship's route is what it was.
    """
    marks = np.zeros(world.cells.size, np.uint8)
    _close_old_route(world, rules, ship, h, goal, marks)
    if world.cells.flat[goal].terrain != terrain.PORT:
        _mark_end(world, rules, ship, goal, marks)
    elif _mark_berths(world, rules, ship, goal, marks) == 0:
        cell = waiting.choose(world, rules, ship, goal)
        if cell >= 0:
            _mark_end(world, rules, ship, cell, marks)
    return _find(world, rules, ship, _FAR, marks)


@kernel(allocates=True)
def to_berth(world: World, rules: Rules, ship: int, port: int, points: int) -> bool:
    """Set out on the shortest way to a free berth of a port, if one is so few steps away."""
    marks = np.zeros(world.cells.size, np.uint8)
    if _mark_berths(world, rules, ship, port, marks) == 0:
        return False
    return _find(world, rules, ship, points, marks)


@kernel(allocates=True)
def to_cell(world: World, rules: Rules, ship: int, cell: int, points: int) -> bool:
    """Set out on the shortest way to a free cell of water, if it is so few steps away."""
    marks = np.zeros(world.cells.size, np.uint8)
    _mark_end(world, rules, ship, cell, marks)
    return _find(world, rules, ship, points, marks)


# ---------------------------------------------------------------- marks


@kernel(allocates=True)
def _close_old_route(world: World, rules: Rules, ship: int, h: int, goal: int, marks: Any) -> None:
    """Close the cells of all ships that are seen on the route so far (MER-025)."""
    nation = int(world.ships[ship].owner)
    cell = int(world.ships[ship].cell)
    for k in range(world.cells.size):
        cell = passage.next_cell(world, rules, ship, h, goal, cell, k)
        if cell < 0:
            return
        if view.ship(world, rules, nation, cell) >= 0:
            marks[cell] = _CLOSED


@kernel(allocates=True)
def _mark_berths(world: World, rules: Rules, ship: int, port: int, marks: Any) -> int:
    """Mark the free cells beside a port as ends of the search; return how many they are."""
    height, width = world.cells.shape
    count = 0
    for direction in range(1, _NEIGHBOURS + 1):
        near = hexgrid.neighbour(width, height, port, direction)
        if harbours.is_free(world, rules, near):
            count += 1
            _mark_end(world, rules, ship, near, marks)
    return count


@kernel(allocates=True)
def _mark_end(world: World, rules: Rules, ship: int, cell: int, marks: Any) -> None:
    """Mark a cell as an end of the search if the ship may go there."""
    if marks[cell] == 0 and _opens(world, rules, ship, cell):
        marks[cell] = _END


@kernel
def _opens(world: World, rules: Rules, ship: int, cell: int) -> bool:
    """Whether a way around may lead over a cell, as the ship's nation sees who is there."""
    place = world.cells.flat[cell]
    if place.terrain == terrain.SEA and place.ship < 0 and place.unit < 0:
        return True
    record = world.ships[ship]
    nation = int(record.owner)
    water = waters.way(world, rules, view.TRUTH, nation, int(record.kind), cell)
    if water != waters.OPEN and water != waters.PASSAGE:
        return False
    if view.unit(world, rules, nation, cell) >= 0:
        return False
    other = view.ship(world, rules, nation, cell)
    return bool(other < 0 or passage.lets_pass(world, nation, other))


# ---------------------------------------------------------------- the search


@kernel(allocates=True)
def _find(world: World, rules: Rules, ship: int, most: int, marks: Any) -> bool:
    """Find the first of the shortest ways from the ship to a marked end, and set out on it.

    The search goes from both sides at once, ring by ring, always on the shorter one: a port that is shut in
    costs no search of the whole sea.
    """
    ahead = np.empty(world.cells.size, np.int32)  # cells reached from the ship, in order
    behind = np.empty(world.cells.size, np.int32)  # cells from which an end was reached
    left = np.zeros(world.cells.size, np.int16)  # their steps to it, and 1
    start = int(world.ships[ship].cell)
    marks[start] = _START
    ahead[0] = start
    ring, rim, steps = 0, 1, 0  # the outermost cells are ``steps`` away
    inner, outer, rest = 0, 0, 0
    for cell in range(world.cells.size):
        if marks[cell] == _END:
            behind[outer] = cell
            left[cell] = 1
            outer += 1
    while ring < rim and inner < outer and steps + rest < most:
        meeting = _NOWHERE
        if rim - ring <= outer - inner:
            last, meeting = _spread_ahead(world, rules, ship, marks, left, ahead, ring, rim)
            ring, rim = rim, last
            steps += 1
        else:
            inner, outer = outer, _spread_behind(world, rules, ship, marks, left, behind, inner, outer)
            rest += 1
            for k in range(ring, rim):  # in the order of their ways
                if left[ahead[k]] == rest + 1:
                    meeting = int(ahead[k])
                    break
        if meeting != _NOWHERE:
            _set_out(world, ship, _follow(world, marks, left, meeting), steps + rest, marks)
            return True
    return False


@kernel(allocates=True)
def _spread_ahead(
    world: World, rules: Rules, ship: int, marks: Any, left: Any, ahead: Any, ring: int, rim: int
) -> tuple[int, int]:
    """Reach the next ring from the ship; stop at the first cell from which an end is known.

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
            if _opens(world, rules, ship, near):
                marks[near] = direction
                ahead[last] = near
                last += 1
            else:
                marks[near] = _CLOSED
    return last, _NOWHERE


@kernel(allocates=True)
def _spread_behind(
    world: World, rules: Rules, ship: int, marks: Any, left: Any, behind: Any, inner: int, outer: int
) -> int:
    """Reach the next ring from the ends, the ship's cells with it; return the end of the list."""
    height, width = world.cells.shape
    last = outer
    for k in range(inner, outer):
        cell = int(behind[k])
        y = cell // width
        x = cell - y * width
        for direction in range(1, _NEIGHBOURS + 1):
            near = hexgrid.beside(width, height, x, y, direction)
            if near < 0 or left[near] > 0 or marks[near] == _CLOSED:
                continue
            if marks[near] == 0 and not _opens(world, rules, ship, near):
                marks[near] = _CLOSED
                continue
            left[near] = left[cell] + 1
            behind[last] = near
            last += 1
    return last


@kernel(allocates=True)
def _follow(world: World, marks: Any, left: Any, cell: int) -> int:
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


@kernel(allocates=True)
def _set_out(world: World, ship: int, end: int, length: int, marks: Any) -> None:
    """Remember the way that a search found, as much of it as a ship remembers."""
    height, width = world.cells.shape
    jobs.forget_way(world, ship)
    entry = world.jobs[ship]
    cell = end
    for k in range(length - 1, -1, -1):
        direction = int(marks[cell])
        if k < DETOUR:
            entry.detour[k] = direction
        cell = hexgrid.neighbour(width, height, cell, (direction + 2) % _NEIGHBOURS + 1)
    entry.detour_length = min(length, DETOUR)
