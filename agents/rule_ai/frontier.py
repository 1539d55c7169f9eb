"""Where a nation's land meets other land: open borders, and ownerless hexes to take.

What lies beyond is judged by what the nation sees (AI-087). Searches walk the nation's own cells and
those beside them in cell order, so that equal candidates fall to the lowest index.
"""

from __future__ import annotations

from hakoenv.agents.rule_ai import orders

from hakoenv.engine import hexgrid, territory, view
from hakoenv.engine.codes import command, deposit, research, terrain
from hakoenv.engine.commands import sites as works
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.codes import MINE_ROWS
from hakoenv.ruleset.compiled import Rules

NEIGHBOURS = 7  # disc places 1..6
NOTHING = -1
_LARGE_ROW = MINE_ROWS["large_mine"]


@kernel
def touches_foreign(world: World, rules: Rules, n: int, i: int) -> bool:
    """Whether a hex touches another nation's land."""
    height, width = world.cells.shape
    for k in range(1, NEIGHBOURS):
        j = hexgrid.nth(width, height, i, k)
        if j >= 0:
            owner = view.owner(world, rules, n, j)
            if owner >= 0 and owner != n:
                return True
    return False


@kernel
def on_open_border(world: World, rules: Rules, n: int, i: int) -> bool:
    """Whether an own hex touches another nation's land and no unit guards it (AI-051)."""
    return world.cells.flat[i].unit < 0 and touches_foreign(world, rules, n, i)


@kernel
def foreign_distance(world: World, rules: Rules, n: int, i: int) -> int:
    """Steps to the nearest foreign cell, at most the search radius + 1."""
    height, width = world.cells.shape
    radius = rules.scalars[0].ai_foreign_search_radius
    for k in range(1, hexgrid.disc_size(radius)):
        j = hexgrid.nth(width, height, i, k)
        if j >= 0:
            owner = view.owner(world, rules, n, j)
            if owner >= 0 and owner != n:
                return hexgrid.distance(width, i, j)
    return radius + 1


@kernel
def border_plains(world: World, rules: Rules, n: int) -> int:
    """Own plains on an open border, nearest to the capital, -1 none (AI-039, AI-042).

    All bare plains are worth the same; of equal ones those near the capital come first.
    """
    nation = world.nations[n]
    cells = world.cells.flat
    width = world.cells.shape[1]
    best, near = NOTHING, 0
    for k in range(nation.first, nation.first + nation.held):
        i = int(world.territory[k])
        if cells[i].owner != n or cells[i].terrain != terrain.PLAINS:
            continue
        away = hexgrid.distance(width, i, int(nation.capital)) if nation.capital >= 0 else 0
        if (best < 0 or away < near) and on_open_border(world, rules, n, i):
            best, near = i, away
    return best


@kernel
def expansion(world: World, rules: Rules, n: int, level: bool) -> int:
    """The best ownerless land hex beside the territory (AI-027, AI-028), -1 none.

    Own neighbours count 1 each, a coast and a near land deposit that does not touch the territory
    yet add their bonus; hexes that no payable command takes are left out, and those that are planned.
    With ``level`` only what ``level_land`` takes.
    """
    nation = world.nations[n]
    height, width = world.cells.shape
    cells = world.cells.flat
    best, best_score = NOTHING, 0
    for k in range(nation.first, nation.first + nation.held):
        own = int(world.territory[k])
        if cells[own].owner != n:
            continue
        for d in range(1, NEIGHBOURS):
            i = hexgrid.nth(width, height, own, d)
            if i < 0 or view.owner(world, rules, n, i) >= 0:
                continue
            score = expansion_score(world, rules, n, i)
            if score < best_score or (score == best_score and i >= best):
                continue
            what = taking(world, rules, n, i)
            if level:
                what = command.LEVEL_LAND if what == command.PREPARE_LAND else NOTHING
            if what >= 0 and orders.allowed(world, rules, n, what, i, 0):
                if not orders.is_planned(world, n, i, int(command.LEVEL_LAND)):
                    best, best_score = i, score
    return best


@kernel
def taking(world: World, rules: Rules, n: int, i: int) -> int:
    """The command that takes an ownerless land hex (AI-034), -1 none.

    A deposit falls to the mine it may become, wasteland and forest to levelling, plains at least to a
    forest.
    """
    ground = view.terrain(world, rules, n, i)
    if (ground == terrain.MOUNTAIN or ground == terrain.WASTELAND) and mine_row(world, rules, i) >= 0:
        needed = rules.mines[mine_row(world, rules, i)].unlock_production
        return command.MINE if world.nations[n].research[research.PRODUCTION] >= needed else NOTHING
    if ground == terrain.WASTELAND or ground == terrain.FOREST:
        return command.PREPARE_LAND
    return command.PLANT_FOREST if ground == terrain.PLAINS else NOTHING


@kernel
def mine_row(world: World, rules: Rules, i: int) -> int:
    """Row of the mines table for what a deposit would become (MAP-021), -1 without deposit."""
    cell = world.cells.flat[i]
    if cell.deposit == deposit.NONE:
        return NOTHING
    if cell.terrain == terrain.IRON_MINE:  # a full one may become a large mine (MAP-023)
        return _LARGE_ROW
    return works.row_of_deposit(rules, cell.deposit, cell.terrain)


@kernel
def expansion_score(world: World, rules: Rules, n: int, i: int) -> int:
    """Own neighbours, a bonus for the coast, the largest one for a deposit near by (AI-027, AI-028)."""
    s = rules.scalars[0]
    height, width = world.cells.shape
    score, coast, bonus = 0, 0, 0
    for k in range(1, hexgrid.disc_size(2)):
        j = hexgrid.nth(width, height, i, k)
        if j < 0:
            continue
        if k < NEIGHBOURS:
            if view.owner(world, rules, n, j) == n:
                score += 1
            ground = view.terrain(world, rules, n, j)
            if ground == terrain.SEA or ground == terrain.SHALLOWS:
                coast = s.ai_expand_coast_bonus
        if view.deposit(world, rules, n, j) != deposit.NONE and territory.is_land(world, rules, j):
            near = s.ai_expand_near_deposit if k < NEIGHBOURS else s.ai_expand_two_cells
            if near > bonus and not _touches_own(world, rules, n, j):
                bonus = near
    return score + coast + bonus


@kernel
def _touches_own(world: World, rules: Rules, n: int, i: int) -> bool:
    height, width = world.cells.shape
    for k in range(NEIGHBOURS):
        j = hexgrid.nth(width, height, i, k)
        if j >= 0 and view.owner(world, rules, n, j) == n:
            return True
    return False
