"""How the rule AI gets at resources: mines, oil fields, refineries (AI-006, AI-015, AI-018 .. AI-026)."""

from __future__ import annotations

from hakoenv.agents.rule_ai import building, economy, frontier, judgement, sites
from hakoenv.agents.rule_ai.orders import allowed, write

from hakoenv.engine import hexgrid, view
from hakoenv.engine.codes import cause, command, deposit, item, research, terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.codes import INDUSTRY_ROWS
from hakoenv.ruleset.compiled import Rules

_REFINERY = INDUSTRY_ROWS["refinery"]
_ANY = -1  # product


@kernel
def end_fuel_shortage(world: World, rules: Rules, n: int) -> bool:
    """Short of fuel: a mine for it, a level more, a refinery for spare oil, an oil field (AI-006).

    Last of all, of our own, a level more for an oil field whose oil is refined. Neither the three turns
    between steps of development nor its workers count here.
    """
    if not economy.is_short(world, rules, n, item.FUEL):
        return False
    if _dig(world, rules, n, int(item.FUEL)):
        return True
    if has_spare_oil(world, rules, n, 0) and refine(world, rules, n):
        return True
    place = deposit_to_develop(world, rules, n, int(item.OIL))
    if place >= 0 and write(world, rules, n, command.MINE, place, 0):
        return True
    return sites.count_own(world, n, terrain.REFINERY) > 0 and _dig(world, rules, n, int(item.OIL))


@kernel
def dig_what_is_short(world: World, rules: Rules, n: int) -> bool:
    """Steel, ore or stone below what the nation wants to hold: a mine for it (AI-015, AI-026).

    The second facility beside mining is another deposit of the kind, or a level of a working one.
    """
    for what in (int(item.STEEL), int(item.ORE), int(item.STONE)):
        if economy.is_short(world, rules, n, what) and _dig(world, rules, n, what):
            return True
    return False


@kernel
def develop(world: World, rules: Rules, n: int, idle: bool) -> bool:
    """A new mine, else one level more for a working one, whatever it gives (AI-018 .. AI-025, AI-030)."""
    nation = world.nations[n]
    if not idle and nation.developed > 0:
        if world.clock[0].turn + 1 - nation.developed < rules.scalars[0].ai_develop_interval:
            return False
    if not judgement.can_staff_mines(world, rules, n) or not _dig(world, rules, n, _ANY):
        return False
    nation.developed = world.clock[0].turn + 1
    return True


@kernel
def use_oil(world: World, rules: Rules, n: int) -> bool:
    """Refine oil that lies about even while fuel is not short."""
    if not judgement.can_develop(world, rules, n):
        return False
    return has_spare_oil(world, rules, n, rules.scalars[0].ai_refinery_oil) and refine(world, rules, n)


@kernel
def _dig(world: World, rules: Rules, n: int, product: int) -> bool:
    """A new mine of a product, else one level more for a working one (AI-024)."""
    place = deposit_to_develop(world, rules, n, product)
    if place >= 0 and write(world, rules, n, command.MINE, place, 0):
        return True
    place = mine_to_raise(world, rules, n, product)
    return place >= 0 and write(world, rules, n, command.MINE_LEVEL_UP, place, 0)


@kernel
def has_spare_oil(world: World, rules: Rules, n: int, left: int) -> bool:
    """Whether oil in stock and of the last turn is more than refineries use in a turn and ``left``."""
    plan = rules.industry[_REFINERY]
    hands = sites.levels_own(world, n, terrain.REFINERY) * rules.terrains[terrain.REFINERY].workers_per_level
    used = hands * plan.capacity_percent // (100 * max(1, plan.workers_per_run)) * plan.inputs[item.OIL]
    there = world.nations[n].treasury[item.OIL] + world.accounts[n, cause.MINING, item.OIL]
    return bool(there > used + left)


@kernel
def refine(world: World, rules: Rules, n: int) -> bool:
    """A level more for a refinery, else a new one."""
    return building.facility(world, rules, n, int(terrain.REFINERY), int(building.REFINERY))


@kernel
def deposit_to_develop(world: World, rules: Rules, n: int, product: int) -> int:
    """The deposit to build on, own or beside own land: scarcest product, then cheapest (AI-018, AI-024).

    Uranium only once production research allows to mine it (AI-025); money must be left (AI-020) and
    its materials be there. ``product`` -1: any.
    """
    nation = world.nations[n]
    height, width = world.cells.shape
    best, best_turns, best_cost = -1, 0, 0
    for k in range(nation.first, nation.first + nation.held):
        own = int(world.territory[k])
        for d in range(frontier.NEIGHBOURS):
            i = hexgrid.nth(width, height, own, d)
            if i < 0 or view.deposit(world, rules, n, i) == deposit.NONE:
                continue
            owner = view.owner(world, rules, n, i)
            if owner >= 0 and (owner != n or d > 0):
                continue
            row = frontier.mine_row(world, rules, i)
            if row < 0 or nation.research[research.PRODUCTION] < rules.mines[row].unlock_production:
                continue
            if product >= 0 and rules.mines[row].product != product:
                continue
            cost = rules.mines[row].build_cost
            if judgement.funds_after(world, n, cost) < rules.scalars[0].ai_develop_funds_left:
                continue
            turns = economy.turns_left(world, rules, n, int(rules.mines[row].product))
            better = best < 0 or turns < best_turns or (turns == best_turns and cost < best_cost)
            same = best >= 0 and turns == best_turns and cost == best_cost and i < best
            if (better or same) and allowed(world, rules, n, int(command.MINE), i, 0):
                best, best_turns, best_cost = i, turns, cost
    return best


@kernel
def mine_to_raise(world: World, rules: Rules, n: int, product: int) -> int:
    """The own mine or oil field to raise a level, scarcest product first, then cheapest (AI-019, AI-024).

    Of fuel that no stock makes up for the highest mine comes first: a mine gives more only every few
    levels, and a high one collapses less (DEV-014, DEV-018).
    """
    s = rules.scalars[0]
    nation = world.nations[n]
    cells = world.cells.flat
    best, best_turns, best_level = -1, 0, 0
    for k in range(nation.first, nation.first + nation.held):
        i = int(world.territory[k])
        cell = cells[i]
        if cell.owner != n or cell.level >= s.mine_level_max or rules.terrains[cell.terrain].mine < 0:
            continue
        mine = rules.mines[rules.terrains[cell.terrain].mine]
        gives = mine.product
        if product >= 0 and gives != product:
            continue
        if nation.research[research.PRODUCTION] < mine.unlock_production:  # it does not work yet (DEV-008)
            continue
        if judgement.funds_after(world, n, cell.level * s.mine_level_cost) < s.ai_develop_funds_left:
            continue
        turns = economy.turns_left(world, rules, n, int(gives))
        level = -cell.level if turns < 0 else cell.level
        if best < 0 or turns < best_turns or (turns == best_turns and level < best_level):
            best, best_turns, best_level = i, turns, level
    return best
