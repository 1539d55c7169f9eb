"""Where the rule AI builds, digs and expands, judged by what its nation sees.

Every search walks the nation's own cells (and those beside them) in cell order, so that equal
candidates fall to the lowest index.
"""

from __future__ import annotations

from hakoenv.agents.rule_ai import judgement

from hakoenv.engine import hexgrid, territory, view
from hakoenv.engine.codes import command, deposit, research, terrain
from hakoenv.engine.commands import look, validate
from hakoenv.engine.commands import sites as works
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

_NEIGHBOURS = 7  # disc places 1..6
NOTHING = -1


@kernel
def count_own(world: World, n: int, ground: int) -> int:
    """How many own cells are of a terrain."""
    nation = world.nations[n]
    cells = world.cells.flat
    found = 0
    for k in range(nation.first, nation.first + nation.held):
        cell = cells[world.territory[k]]
        if cell.owner == n and cell.terrain == ground:
            found += 1
    return found


@kernel
def lowest_own(world: World, rules: Rules, n: int, ground: int) -> int:
    """The own cell of a terrain with the lowest level that can still rise, -1 none."""
    nation = world.nations[n]
    cells = world.cells.flat
    best = -1
    for k in range(nation.first, nation.first + nation.held):
        i = world.territory[k]
        if (
            cells[i].owner == n
            and cells[i].terrain == ground
            and cells[i].level < rules.terrains[ground].level_max
        ):
            if best < 0 or cells[i].level < cells[best].level:
                best = i
    return best


@kernel
def on_open_border(world: World, rules: Rules, n: int, i: int) -> bool:
    """Whether an own hex touches another nation's land and no unit guards it (AI-051)."""
    height, width = world.cells.shape
    if world.cells.flat[i].unit >= 0:
        return False
    for k in range(1, _NEIGHBOURS):
        j = hexgrid.nth(width, height, i, k)
        if j >= 0:
            owner = view.owner(world, rules, n, j)
            if owner >= 0 and owner != n:
                return True
    return False


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
def building_site(world: World, rules: Rules, n: int, anywhere: bool) -> int:
    """Own plains farthest from foreign land (AI-090); an open border only if ``anywhere`` (AI-051)."""
    nation = world.nations[n]
    cells = world.cells.flat
    best, farthest = -1, -1
    for k in range(nation.first, nation.first + nation.held):
        i = int(world.territory[k])
        if cells[i].owner != n or cells[i].terrain != terrain.PLAINS:
            continue
        if not anywhere and on_open_border(world, rules, n, i):
            continue
        away = foreign_distance(world, rules, n, i)
        if away > farthest:
            best, farthest = i, away
    return best


@kernel
def to_enlarge(world: World, rules: Rules, n: int, what: int) -> int:
    """The largest own farm (or factory) that can still grow, not on an open border (AI-051), -1 none."""
    nation = world.nations[n]
    cells = world.cells.flat
    small, large = terrain.FARM, terrain.LARGE_FARM
    if what == command.FACTORY:
        small, large = terrain.FACTORY, terrain.LARGE_FACTORY
    best = -1
    for k in range(nation.first, nation.first + nation.held):
        i = int(world.territory[k])
        cell = cells[i]
        if cell.owner != n or (cell.terrain != small and cell.terrain != large):
            continue
        if cell.level >= rules.terrains[large].level_max:
            continue
        if (best < 0 or cell.level > cells[best].level) and not on_open_border(world, rules, n, i):
            best = i
    return best


@kernel
def emergency_farm(world: World, rules: Rules, n: int) -> int:
    """The own plains or farm where a payable farm command employs most people, -1 none (AI-060)."""
    nation = world.nations[n]
    cells = world.cells.flat
    best, most = NOTHING, 0
    for k in range(nation.first, nation.first + nation.held):
        i = int(world.territory[k])
        ground = cells[i].terrain
        if cells[i].owner != n:
            continue
        jobs = 0
        if ground == terrain.PLAINS:
            jobs = rules.terrains[terrain.FARM].level_start
        elif ground == terrain.FARM or ground == terrain.LARGE_FARM:
            kind = rules.terrains[ground]
            jobs = min(kind.level_step, kind.level_max - cells[i].level)
        jobs = min(jobs * rules.terrains[terrain.FARM].workers_per_level, nation.town_farmers)
        if jobs > most and _is_legal(world, rules, n, int(command.FARM), i):
            best, most = i, jobs
    return best


@kernel
def port_site(world: World, rules: Rules, n: int, apart: int) -> int:
    """Own coastal plains at least ``apart`` steps from every own port (AI-038, AI-062)."""
    nation = world.nations[n]
    cells = world.cells.flat
    for k in range(nation.first, nation.first + nation.held):
        i = int(world.territory[k])
        if cells[i].owner == n and cells[i].terrain == terrain.PLAINS and _far_from_ports(world, n, i, apart):
            if look.look(world, rules, n, n, i).by_water:
                return i
    return -1


@kernel
def _far_from_ports(world: World, n: int, i: int, apart: int) -> bool:
    nation = world.nations[n]
    cells = world.cells.flat
    width = world.cells.shape[1]
    for k in range(nation.first, nation.first + nation.held):
        j = int(world.territory[k])
        if cells[j].owner == n and cells[j].terrain == terrain.PORT and hexgrid.distance(width, i, j) < apart:
            return False
    return True


@kernel
def fullest_forest(world: World, rules: Rules, n: int, trees: int) -> int:
    """The own forest with most trees, ``trees`` at least, not on an open border, -1 none (AI-090, AI-051)."""
    nation = world.nations[n]
    cells = world.cells.flat
    best = -1
    for k in range(nation.first, nation.first + nation.held):
        i = int(world.territory[k])
        if cells[i].owner != n or cells[i].terrain != terrain.FOREST or cells[i].level < trees:
            continue
        if (best < 0 or cells[i].level > cells[best].level) and not on_open_border(world, rules, n, i):
            best = i
    return best


@kernel
def safe_forests(world: World, rules: Rules, n: int) -> int:
    """How many own forests may be felled once they are grown (AI-051)."""
    nation = world.nations[n]
    cells = world.cells.flat
    found = 0
    for k in range(nation.first, nation.first + nation.held):
        i = int(world.territory[k])
        if cells[i].owner == n and cells[i].terrain == terrain.FOREST:
            found += not on_open_border(world, rules, n, i)
    return found


@kernel
def deposit_to_develop(world: World, rules: Rules, n: int) -> int:
    """The deposit to build on, own or beside own land: scarcest product, then cheapest (AI-018, AI-024).

    Uranium only once production research allows to mine it (AI-025); money must be left (AI-020) and
    its materials be there.
    """
    nation = world.nations[n]
    height, width = world.cells.shape
    best, best_turns, best_cost = -1, 0, 0
    for k in range(nation.first, nation.first + nation.held):
        own = int(world.territory[k])
        for d in range(_NEIGHBOURS):
            i = hexgrid.nth(width, height, own, d)
            if i < 0 or view.deposit(world, rules, n, i) == deposit.NONE:
                continue
            owner = view.owner(world, rules, n, i)
            if owner >= 0 and (owner != n or d > 0):
                continue
            row = mine_row(world, rules, i)
            if row < 0 or nation.research[research.PRODUCTION] < rules.mines[row].unlock_production:
                continue
            cost = rules.mines[row].build_cost
            if judgement.funds_after(world, n, cost) < rules.scalars[0].ai_develop_funds_left:
                continue
            turns = judgement.turns_of_stock(world, n, rules.mines[row].product)
            better = best < 0 or turns < best_turns or (turns == best_turns and cost < best_cost)
            same = best >= 0 and turns == best_turns and cost == best_cost and i < best
            if (better or same) and _is_legal(world, rules, n, int(command.MINE), i):
                best, best_turns, best_cost = i, turns, cost
    return best


@kernel
def mine_row(world: World, rules: Rules, i: int) -> int:
    """Row of the mines table for what a deposit would become (MAP-021), -1 without deposit."""
    cell = world.cells.flat[i]
    if cell.deposit == deposit.NONE:
        return -1
    return works.row_of_deposit(rules, cell.deposit, cell.terrain)


@kernel
def mine_to_raise(world: World, rules: Rules, n: int) -> int:
    """The own mine or oil field to raise a level, scarcest product first, then cheapest (AI-019, AI-024)."""
    s = rules.scalars[0]
    nation = world.nations[n]
    cells = world.cells.flat
    best, best_turns = -1, 0
    for k in range(nation.first, nation.first + nation.held):
        i = int(world.territory[k])
        cell = cells[i]
        if cell.owner != n or cell.level >= s.mine_level_max or rules.terrains[cell.terrain].mine < 0:
            continue
        cost = cell.level * s.mine_level_cost
        if judgement.funds_after(world, n, cost) < s.ai_develop_funds_left:
            continue
        product = rules.mines[rules.terrains[cell.terrain].mine].product
        turns = judgement.turns_of_stock(world, n, product)
        if best < 0 or turns < best_turns or (turns == best_turns and cell.level < cells[best].level):
            best, best_turns = i, turns
    return best


@kernel
def expansion(world: World, rules: Rules, n: int) -> int:
    """The best ownerless land hex beside the territory (AI-027, AI-028), -1 none.

    Own neighbours count 1 each, a coast and a near land deposit that does not touch the territory
    yet add their bonus; hexes that no payable command takes are left out.
    """
    nation = world.nations[n]
    height, width = world.cells.shape
    cells = world.cells.flat
    best, best_score = -1, 0
    for k in range(nation.first, nation.first + nation.held):
        own = int(world.territory[k])
        if cells[own].owner != n:
            continue
        for d in range(1, _NEIGHBOURS):
            i = hexgrid.nth(width, height, own, d)
            if i < 0 or view.owner(world, rules, n, i) >= 0:
                continue
            score = expansion_score(world, rules, n, i)
            better = score > best_score or (score == best_score and i < best)
            if better and _is_legal(world, rules, n, taking(world, rules, n, i), i):
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
def _is_legal(world: World, rules: Rules, n: int, what: int, i: int) -> bool:
    """Whether a command of a cell is allowed and payable; what can't be done must not hide what can."""
    width = world.cells.shape[1]
    return what >= 0 and validate.is_legal(world, rules, n, what, i % width, i // width, 0, 0)


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
        if k < _NEIGHBOURS:
            if view.owner(world, rules, n, j) == n:
                score += 1
            ground = view.terrain(world, rules, n, j)
            if ground == terrain.SEA or ground == terrain.SHALLOWS:
                coast = s.ai_expand_coast_bonus
        if view.deposit(world, rules, n, j) != deposit.NONE and territory.is_land(world, rules, j):
            near = s.ai_expand_near_deposit if k < _NEIGHBOURS else s.ai_expand_two_cells
            if near > bonus and not _touches_own(world, rules, n, j):
                bonus = near
    return score + coast + bonus


@kernel
def _touches_own(world: World, rules: Rules, n: int, i: int) -> bool:
    height, width = world.cells.shape
    for k in range(_NEIGHBOURS):
        j = hexgrid.nth(width, height, i, k)
        if j >= 0 and view.owner(world, rules, n, j) == n:
            return True
    return False
