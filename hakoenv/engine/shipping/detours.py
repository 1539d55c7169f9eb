"""Ways around what is in a private ship's way (MER-025, MER-026): searched, then followed to their end.

A way around keeps off mines, units and hostile ships and ports; other ships are closed to it where they lie
on the old route, else passed (MER-020, MER-022, MER-040). Where ships lie is what the ship's nation sees.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hakoenv.engine import hexgrid, view
from hakoenv.engine.codes import terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.shipping import harbours, jobs, passage, seaways, waiting
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

_NEIGHBOURS = 6


@kernel(allocates=True)
def search(world: World, rules: Rules, ship: int, h: int, goal: int) -> bool:
    """Find a way around to a cell at sea, or to a port (listed as ``h``, -1 none), and set out on it.

    At a port it ends at a free berth, or where ships wait if all are taken. The caller has asked whether a
    search is left in the turn and counts it (MER-050, MER-067).

    Returns:
        Whether there is one; if not, the ship's route is what it was.
    """
    marks = np.zeros(world.cells.size, np.uint8)
    ends = np.zeros(1 + seaways.MOST_ENDS, np.int64)
    _close_old_route(world, rules, ship, h, goal, marks)
    if world.cells.flat[goal].terrain != terrain.PORT:
        _add_end(world, ship, goal, ends)
    else:
        _add_berths(world, rules, goal, ends)
        if ends[0] == 0:
            _add_end(world, ship, waiting.choose(world, rules, ship, goal), ends)
    return _set_out(world, rules, ship, ends, seaways.FAR, marks)


@kernel(allocates=True)
def to_berth(world: World, rules: Rules, ship: int, port: int, points: int) -> bool:
    """Set out on the shortest way to a free berth of a port, if one is so few steps away."""
    marks = np.zeros(world.cells.size, np.uint8)
    ends = np.zeros(1 + seaways.MOST_ENDS, np.int64)
    _add_berths(world, rules, port, ends)
    return _set_out(world, rules, ship, ends, points, marks)


@kernel(allocates=True)
def to_cell(world: World, rules: Rules, ship: int, cell: int, points: int) -> bool:
    """Set out on the shortest way to a free cell of water, if it is so few steps away."""
    marks = np.zeros(world.cells.size, np.uint8)
    ends = np.zeros(1 + seaways.MOST_ENDS, np.int64)
    _add_end(world, ship, cell, ends)
    return _set_out(world, rules, ship, ends, points, marks)


@kernel
def _close_old_route(world: World, rules: Rules, ship: int, h: int, goal: int, marks: Any) -> None:
    """Close the cells of all ships that are seen on the route so far (MER-025)."""
    nation = int(world.ships[ship].owner)
    cell = int(world.ships[ship].cell)
    for k in range(world.cells.size):
        cell = passage.next_cell(world, rules, ship, h, goal, cell, k)
        if cell < 0:
            return
        if view.ship(world, rules, nation, cell) >= 0:
            marks[cell] = seaways.CLOSED


@kernel
def _add_berths(world: World, rules: Rules, port: int, ends: Any) -> None:
    """The free cells beside a port are ends of the search."""
    height, width = world.cells.shape
    for direction in range(1, _NEIGHBOURS + 1):
        near = hexgrid.neighbour(width, height, port, direction)
        if harbours.is_free(world, rules, near):
            ends[0] += 1
            ends[ends[0]] = near


@kernel
def _add_end(world: World, ship: int, cell: int, ends: Any) -> None:
    """A cell (-1 none) is an end of the search, unless the ship lies there."""
    if cell >= 0 and cell != world.ships[ship].cell:
        ends[0] += 1
        ends[ends[0]] = cell


@kernel
def _set_out(world: World, rules: Rules, ship: int, ends: Any, most: int, marks: Any) -> bool:
    """Search a way of at most so many steps, and set out on it; whether there is one."""
    if ends[0] == 0:
        return False
    start = int(world.ships[ship].cell)
    steps, end = seaways.find(world, rules, seaways.SEEN_OPEN, ship, start, ends, most, marks)
    if steps == seaways.NO_WAY:
        return False
    jobs.forget_way(world, ship)
    seaways.follow(world, ship, end, steps, marks)
    return True
