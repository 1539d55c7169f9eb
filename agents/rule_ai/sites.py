"""Where on its own land the rule AI builds.

Every search walks the nation's own cells in cell order, so that equal candidates fall to the lowest
index.
"""

from __future__ import annotations

from hakoenv.agents.rule_ai import frontier, orders

from hakoenv.engine import hexgrid
from hakoenv.engine.codes import command, deposit, terrain
from hakoenv.engine.commands import look
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

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
def levels_own(world: World, n: int, ground: int) -> int:
    """Levels of all own cells of a terrain together."""
    nation = world.nations[n]
    cells = world.cells.flat
    found = 0
    for k in range(nation.first, nation.first + nation.held):
        cell = cells[world.territory[k]]
        if cell.owner == n and cell.terrain == ground:
            found += cell.level
    return found


@kernel
def lowest_own(world: World, rules: Rules, n: int, ground: int) -> int:
    """The own cell of a terrain with the lowest level that can still rise, -1 none."""
    nation = world.nations[n]
    cells = world.cells.flat
    best = NOTHING
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
def building_site(world: World, rules: Rules, n: int, anywhere: bool) -> int:
    """Own plains farthest from foreign land (AI-090); an open border only if ``anywhere`` (AI-051)."""
    nation = world.nations[n]
    cells = world.cells.flat
    best, farthest = NOTHING, -1
    for k in range(nation.first, nation.first + nation.held):
        i = int(world.territory[k])
        if cells[i].owner != n or cells[i].terrain != terrain.PLAINS:
            continue
        if not anywhere and frontier.on_open_border(world, rules, n, i):
            continue
        away = frontier.foreign_distance(world, rules, n, i)
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
    best = NOTHING
    for k in range(nation.first, nation.first + nation.held):
        i = int(world.territory[k])
        cell = cells[i]
        if cell.owner != n or (cell.terrain != small and cell.terrain != large):
            continue
        if cell.level >= rules.terrains[large].level_max:
            continue
        if (best < 0 or cell.level > cells[best].level) and not frontier.on_open_border(world, rules, n, i):
            best = i
    return best


@kernel
def largest_field(world: World, rules: Rules, n: int, anywhere: bool) -> int:
    """The own farm with the most jobs, on an open border only if ``anywhere`` (AI-051); -1 none."""
    nation = world.nations[n]
    cells = world.cells.flat
    best = NOTHING
    for k in range(nation.first, nation.first + nation.held):
        i = int(world.territory[k])
        cell = cells[i]
        if cell.owner != n or (cell.terrain != terrain.FARM and cell.terrain != terrain.LARGE_FARM):
            continue
        if best < 0 or cell.level > cells[best].level:
            if anywhere or not frontier.on_open_border(world, rules, n, i):
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
        if jobs > most and orders.allowed(world, rules, n, int(command.FARM), i, 0):
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
            if look.look(world, rules, n, n, int(world.clock[0].turn) + 1, i).by_water:
                return i
    return NOTHING


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
    best = NOTHING
    for k in range(nation.first, nation.first + nation.held):
        i = int(world.territory[k])
        if cells[i].owner != n or cells[i].terrain != terrain.FOREST or cells[i].level < trees:
            continue
        if (best < 0 or cells[i].level > cells[best].level) and not frontier.on_open_border(
            world, rules, n, i
        ):
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
            found += not frontier.on_open_border(world, rules, n, i)
    return found


@kernel
def wasteland(world: World, rules: Rules, n: int) -> int:
    """Own wasteland without deposit that may be levelled, -1 none (AI-051)."""
    nation = world.nations[n]
    cells = world.cells.flat
    for k in range(nation.first, nation.first + nation.held):
        i = int(world.territory[k])
        if cells[i].owner == n and cells[i].terrain == terrain.WASTELAND and cells[i].deposit == deposit.NONE:
            if not frontier.on_open_border(world, rules, n, i):
                return i
    return NOTHING
