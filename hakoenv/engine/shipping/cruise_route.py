"""Where a cruise ship sails: which port it chooses, and ways around what is between (CRU-014 .. CRU-019).

It keeps to sea and shallows (CRU-013). Charts lead over ports and oil fields, too, so a chart's way is good
for it only if it leads over neither; else the way is searched.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hakoenv.engine import hexgrid
from hakoenv.engine.codes import terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import vessels
from hakoenv.engine.rounding import ceil_div
from hakoenv.engine.shipping import charts, harbours, seaways
from hakoenv.engine.trade import partners
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

NONE = -1
_NEIGHBOURS = 6


# ---------------------------------------------------------------- ports


@kernel
def free_berths(world: World, port: int) -> int:
    """Free water cells beside a port (CRU-005, CRU-016)."""
    height, width = world.cells.shape
    count = 0
    for direction in range(1, _NEIGHBOURS + 1):
        count += seaways.is_free(world, hexgrid.neighbour(width, height, port, direction))
    return count


@kernel
def free_berth(world: World, port: int) -> int:
    """The free water cell beside a port with the lowest index, -1 none (CRU-005)."""
    height, width = world.cells.shape
    found = NONE
    for direction in range(1, _NEIGHBOURS + 1):
        near = hexgrid.neighbour(width, height, port, direction)
        if seaways.is_free(world, near) and (found < 0 or near < found):
            found = near
    return found


@kernel
def admits(world: World, nation: int, port: int) -> bool:
    """Whether a cell is a port that a nation's cruise ships may enter (CRU-016)."""
    if port < 0 or world.cells.flat[port].terrain != terrain.PORT:
        return False
    return partners.may_call(world, int(world.cells.flat[port].owner), nation)


# ---------------------------------------------------------------- choosing a port


@kernel
def choose(world: World, rules: Rules, ship: int) -> None:
    """Choose where a ship is bound: of the nearest ports that with the fewest turns of way (CRU-017).

    If none of those has a way, or the world's estimates are used up, the next nearest is taken unseen, and
    the ship chooses again some turns later. Without a port to choose it stays, likewise (CRU-018).
    """
    s = rules.scalars[0]
    entry = world.jobs[ship]
    pace = max(1, vessels.speed(world, rules, ship))
    most = min(int(s.cruise_near_ports), int(s.cruise_estimates_per_turn - world.clock[0].estimates))
    best, fewest, asked = NONE, 0, 0
    rank = _next_rank(world, ship, NONE)
    while rank >= 0 and asked < most:
        port = rank % world.cells.size
        world.clock[0].estimates += 1
        asked += 1
        steps = length(world, rules, int(world.ships[ship].cell), port)
        turns = ceil_div(steps, pace)
        if steps != seaways.NO_WAY and (best < 0 or turns < fewest):
            best, fewest = port, turns
        rank = _next_rank(world, ship, rank)
    forget(world, ship)
    entry.goal = best
    if best < 0 and (rank >= 0 or asked > 0):
        entry.goal = rank % world.cells.size if rank >= 0 else NONE
        entry.chosen = world.clock[0].turn + s.cruise_reselect_turns


@kernel
def forget(world: World, ship: int) -> None:
    """A ship is bound nowhere and may choose at once."""
    entry = world.jobs[ship]
    entry.goal = NONE
    entry.chosen = 0
    drop_detour(world, ship)


@kernel
def _next_rank(world: World, ship: int, after: int) -> int:
    """The next port that a ship may choose, by straight distance, then by cell, as one number; -1 no more.

    Not one that it lies at, nor one whose entrance is blocked.
    """
    width = world.cells.shape[1]
    cell = int(world.ships[ship].cell)
    found = NONE
    for h in range(world.harbours.shape[0]):
        port = int(world.harbours[h].cell)
        if port < 0:
            continue
        away = hexgrid.distance(width, cell, port)
        rank = away * world.cells.size + port
        if away <= 1 or rank <= after or (0 <= found < rank):
            continue
        if admits(world, int(world.ships[ship].owner), port) and free_berths(world, port) > 0:
            found = rank
    return found


@kernel(allocates=True)
def length(world: World, rules: Rules, start: int, port: int) -> int:
    """Steps from a water cell to a berth of a port, over water alone, as charted; -1 no way known."""
    h = harbours.find(world, port)
    steps = charts.way(world, h, start)
    if steps < 0 or _is_clear(world, h, start):
        return steps
    marks = np.zeros(world.cells.size, np.uint8)
    steps, _ = seaways.find(
        world, rules, seaways.WATER, NONE, start, _berths(world, port), seaways.FAR, marks
    )
    return int(steps)


@kernel
def _is_clear(world: World, h: int, start: int) -> bool:
    """Whether a shortest way of a chart leads over nothing but sea and shallows."""
    height, width = world.cells.shape
    cell = start
    steps = charts.way(world, h, cell)
    while steps > 0:
        onward = NONE
        for direction in range(1, _NEIGHBOURS + 1):
            near = hexgrid.neighbour(width, height, cell, direction)
            if onward < 0 and seaways.is_water(world, near) and charts.way(world, h, near) == steps - 1:
                onward = near
        if onward < 0:
            return False
        cell = onward
        steps -= 1
    return True


@kernel
def reaches(world: World, rules: Rules, nation: int, home: int, farthest: int) -> bool:
    """Whether a nation's cruise ships can reach another port so near to one of its own (CRU-011).

    Distances are straight, in cells; ways are only searched to ports that are near enough.
    """
    width = world.cells.shape[1]
    start = free_berth(world, home)
    if start < 0:
        return False
    for h in range(world.harbours.shape[0]):
        port = int(world.harbours[h].cell)
        is_near = port >= 0 and port != home and hexgrid.distance(width, home, port) <= farthest
        if is_near and admits(world, nation, port) and length(world, rules, start, port) != seaways.NO_WAY:
            return True
    return False


# ---------------------------------------------------------------- ways around


@kernel(allocates=True)
def search(world: World, rules: Rules, ship: int) -> bool:
    """Search a ship's shortest way to a berth of its goal around all that lies there; remember it (CRU-014).

    A way that is longer than what a ship remembers is searched again at its end.
    """
    start = int(world.ships[ship].cell)
    drop_detour(world, ship)
    marks = np.zeros(world.cells.size, np.uint8)
    berths = _berths(world, int(world.jobs[ship].goal))
    steps, end = seaways.find(world, rules, seaways.FREE, ship, start, berths, seaways.FAR, marks)
    if steps == seaways.NO_WAY:
        return False
    seaways.follow(world, ship, end, steps, marks)
    return True


@kernel(allocates=True)
def _berths(world: World, port: int) -> Any:
    """The water cells beside a port as ends of a search, whoever lies there."""
    height, width = world.cells.shape
    ends = np.zeros(1 + seaways.MOST_ENDS, np.int64)
    for direction in range(1, _NEIGHBOURS + 1):
        near = hexgrid.neighbour(width, height, port, direction)
        if seaways.is_water(world, near):
            ends[0] += 1
            ends[ends[0]] = near
    return ends


@kernel
def drop_detour(world: World, ship: int) -> None:
    """A ship follows no way around any more."""
    entry = world.jobs[ship]
    entry.detour_length = entry.detour_done = 0
    entry.detour[:] = 0
