"""Depots for units that go aboard a ship: which one serves, where one is built, what is levelled for it.

Plains come first; without them wasteland or forest is levelled, and in a nation with many towns the smallest
town (AID-034, AID-035). Only hexes count from which a unit gets to charted water over own land.
"""

from __future__ import annotations

from hakoenv.agents.rule_ai import ferry
from hakoenv.agents.rule_ai.staff import NEIGHBOURS, NOTHING, Staff

from hakoenv.engine import hexgrid
from hakoenv.engine.codes import deposit, terrain, unit_type
from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import troops
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def nearest(world: World, rules: Rules, n: int, staff: Staff, harbour: int, kind: int) -> int:
    """The depot (its place in `yards`) nearest to a harbour, -1 none; free ones first."""
    best, least = NOTHING, 0
    width = world.cells.shape[1]
    for y in range(staff.head[0].yards):
        yard = staff.yards[y]
        away = hexgrid.distance(width, int(yard.cell), harbour)
        if yard.standing > 0 or yard.used:
            away += width
        if (best < 0 or away < least) and _leads_to_sea(world, rules, n, staff, int(yard.cell), kind):
            best, least = y, away
    return best


@kernel
def site(world: World, rules: Rules, n: int, staff: Staff, harbour: int, kind: int) -> int:
    """Own plains for a depot, nearest to a harbour; ties: lowest index; -1 none."""
    return _nearest_ground(world, rules, n, staff, harbour, kind, int(terrain.PLAINS), int(terrain.PLAINS))


@kernel
def to_level(world: World, rules: Rules, n: int, staff: Staff, harbour: int, kind: int) -> int:
    """What to level for a depot where no plains are, -1 nothing: wasteland or forest, else a town."""
    place = _nearest_ground(
        world, rules, n, staff, harbour, kind, int(terrain.WASTELAND), int(terrain.FOREST)
    )
    return place if place >= 0 else _smallest_town(world, rules, n, staff, kind)


@kernel
def _nearest_ground(
    world: World, rules: Rules, n: int, staff: Staff, harbour: int, kind: int, one: int, other: int
) -> int:
    """The own hex of one of two terrains nearest to a harbour, without unit or deposit; -1 none (AID-034)."""
    nation = world.nations[n]
    cells = world.cells.flat
    width = world.cells.shape[1]
    best, least = NOTHING, 0
    for k in range(nation.first, nation.first + nation.held):
        i = int(world.territory[k])
        cell = cells[i]
        if cell.owner != n or (cell.terrain != one and cell.terrain != other):
            continue
        if cell.unit >= 0 or cell.deposit != deposit.NONE:
            continue
        away = hexgrid.distance(width, i, harbour)
        if (best < 0 or away < least) and _leads_to_sea(world, rules, n, staff, i, kind):
            best, least = i, away
    return best


@kernel
def _smallest_town(world: World, rules: Rules, n: int, staff: Staff, kind: int) -> int:
    """The town with the fewest people but the capital, where a nation has enough towns; -1 none (AID-035).

    Ties: lowest index.
    """
    nation = world.nations[n]
    cells = world.cells.flat
    towns, best = 0, NOTHING
    for k in range(nation.first, nation.first + nation.held):
        i = int(world.territory[k])
        if cells[i].owner != n or not rules.terrains[cells[i].terrain].is_town:
            continue
        towns += 1
        if i == nation.capital or cells[i].unit >= 0:
            continue
        if best < 0 or cells[i].population < cells[best].population:
            if _leads_to_sea(world, rules, n, staff, i, kind):
                best = i
    return best if towns >= rules.scalars[0].ai_towns_min_for_clearing else NOTHING


@kernel
def _leads_to_sea(world: World, rules: Rules, n: int, staff: Staff, start: int, kind: int) -> bool:
    """Whether infantry gets from a cell over own land to charted water."""
    height, width = world.cells.shape
    cells = world.cells.flat
    head = staff.head[0]
    head.walks += 1
    staff.seen[start] = head.walks
    staff.way[start] = 0
    staff.queue[0] = start
    first, last = 0, 1
    while first < last:
        cell = int(staff.queue[first])
        first += 1
        if ferry.miles_to(world, rules, n, staff, kind, cell) >= 0:
            return True
        if staff.way[cell] >= rules.scalars[0].ai_march_steps:
            return False
        for direction in range(1, NEIGHBOURS):
            near = hexgrid.nth(width, height, cell, direction)
            if near < 0 or staff.seen[near] == head.walks or cells[near].owner != n:
                continue
            if walks(rules, int(cells[near].terrain)):
                staff.seen[near] = head.walks
                staff.way[near] = staff.way[cell] + 1
                staff.queue[last] = near
                last += 1
    return False


@kernel
def walks(rules: Rules, ground: int) -> bool:
    """Whether infantry walks over a terrain."""
    return troops.pace(rules, unit_type.INFANTRY, 0, ground) > 0
