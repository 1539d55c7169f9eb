"""The economic judgement of the rule AI: fuel, steel, industry, and what a nation is short of."""

from __future__ import annotations

from hakoenv.agents.rule_ai import judgement, sites

from hakoenv.engine import stock
from hakoenv.engine.codes import item, policy, relation, research, sector, terrain
from hakoenv.engine.commands import outlook
from hakoenv.engine.economy import consumption, fuel
from hakoenv.engine.kernel import kernel
from hakoenv.engine.rounding import ceil
from hakoenv.engine.world import World
from hakoenv.ruleset.codes import INDUSTRY_ROWS
from hakoenv.ruleset.compiled import Rules

_ARSENAL = INDUSTRY_ROWS["arsenal"]
_MOST = 2**31  # runs and steel that are believed; keeps extreme rulesets within 64 bits


@kernel
def fuel_demand(world: World, rules: Rules, n: int) -> int:
    """Fuel that a turn wants by the figures of the last finished one, without phase-in (AI-004)."""
    return ceil(fuel.full_need(world, rules, n)) + _plant_fuel(world, rules, n)


@kernel
def fuel_target(world: World, rules: Rules, n: int) -> int:
    """The stock of fuel it wants to hold (AI-005)."""
    return int(fuel_demand(world, rules, n) * rules.scalars[0].ai_fuel_stock_turns)


@kernel
def _plant_fuel(world: World, rules: Rules, n: int) -> int:
    levels = sites.levels_own(world, n, int(terrain.POWER_PLANT))
    return int(levels * rules.scalars[0].power_plant_fuel_per_level)


@kernel
def threatened(world: World, n: int) -> bool:
    """At war, or in a war that is about to open (AI-063, AI-091)."""
    for other in range(world.nations.shape[0]):
        if other != n and world.nations[other].alive:
            state = world.relations[n, other].state
            if state == relation.WAR or state == relation.PENDING:
                return True
    return False


@kernel
def arsenal_runs(world: World, rules: Rules, n: int) -> int:
    """Runs a turn of all arsenals with all their workers (AI-063)."""
    plan = rules.industry[_ARSENAL]
    hands = sites.levels_own(world, n, terrain.ARSENAL) * rules.terrains[terrain.ARSENAL].workers_per_level
    return int(hands * plan.capacity_percent // (100 * max(1, plan.workers_per_run)))


@kernel
def run_value(rules: Rules, plan: int) -> int:
    """What one run of an industrial policy makes, in funds at base prices."""
    value = 0.0
    for what in range(item.FUNDS):
        value += rules.industry[plan].outputs[what] * rules.resources[what].base_price
    return int(value)


@kernel
def factory_runs(world: World, rules: Rules, n: int, plan: int) -> int:
    """Runs a turn of the factories under a policy: those of their hands, or the last turn's if more."""
    nation = world.nations[n]
    row = rules.industry[plan]
    by_hand = nation.factory_workers * row.capacity_percent // (100 * max(1, row.workers_per_run))
    last = nation.industry_value // max(1, run_value(rules, int(nation.policy)))
    return int(min(max(by_hand, last), _MOST))


@kernel
def steel_reserve(world: World, rules: Rules, n: int) -> int:
    """Steel that is held back: for arsenals, the next ship, heavy factories (AI-063, AI-064, AI-016)."""
    kept = _steel_besides_factories(world, rules, n)
    if world.nations[n].policy_next == policy.HEAVY:
        kept += rules.scalars[0].ai_heavy_steel_turns * _heavy_steel(world, rules, n)
    return kept


@kernel
def _steel_besides_factories(world: World, rules: Rules, n: int) -> int:
    """The reserve for arsenals, larger under threat, and for a ship if there is a port to build it.

    Which ship comes next is not decided, so the base amount of S:133 stands for it (AI-064).
    """
    s = rules.scalars[0]
    turns = s.ai_ammo_turns_steel[1] if threatened(world, n) else s.ai_ammo_turns_steel[0]
    kept = arsenal_runs(world, rules, n) * rules.industry[_ARSENAL].inputs[item.STEEL] * turns
    if sites.count_own(world, n, terrain.NAVAL_PORT) > 0:
        kept += max(s.ai_ship_steel_keep, s.ai_ship_base_amount)
    return int(kept)


@kernel
def _heavy_steel(world: World, rules: Rules, n: int) -> int:
    """Steel that its factories use in a turn of heavy industry."""
    used = rules.industry[policy.HEAVY].inputs[item.STEEL]
    return int(factory_runs(world, rules, n, int(policy.HEAVY)) * used)


@kernel
def wanted_stock(world: World, rules: Rules, n: int, what: int) -> int:
    """The stock of an item that the nation keeps, within its cap (AI-005, AI-016, AI-063, AI-091)."""
    s = rules.scalars[0]
    wanted = 0
    if what == item.FUEL:
        wanted = fuel_target(world, rules, n)
    elif what == item.STEEL:
        wanted = steel_reserve(world, rules, n)
    elif what == item.AMMO:
        wanted = s.ai_target_ammo_war if threatened(world, n) else s.ai_target_ammo_peace
    elif what == item.FOOD:
        wanted = s.ai_target_food_turns * consumption.rations(world, rules, n)
    elif what == item.WOOD:
        wanted = s.ai_target_wood
    elif what == item.STONE:
        wanted = s.ai_target_stone
    return int(min(wanted, stock.cap(world, rules, n, what)))


@kernel
def is_short(world: World, rules: Rules, n: int, what: int) -> bool:
    """Whether less is there than the nation wants to hold (AI-005, AI-015, AI-026).

    Ore is wanted by advanced industry only, for as many turns as fuel; it is not bought (AI-091).
    """
    nation = world.nations[n]
    wanted = wanted_stock(world, rules, n, what)
    if what == item.ORE and nation.policy_next == policy.ADVANCED:
        used = rules.industry[policy.ADVANCED].inputs[item.ORE]
        wanted = rules.scalars[0].ai_fuel_stock_turns * used
        wanted *= max(1, factory_runs(world, rules, n, int(policy.ADVANCED)))
    return bool(nation.treasury[what] < wanted)


@kernel
def ore_turns(world: World, rules: Rules, n: int) -> int:
    """In how many of the last turns ore came in (AI-011, AI-014)."""
    found = 0
    ring = world.nations[n].ore_in
    for back in range(rules.scalars[0].ai_ore_missing_turns):
        found += ring[(world.clock[0].turn - back) % ring.shape[0]] > 0
    return found


@kernel
def best_policy(world: World, rules: Rules, n: int) -> int:
    """The industrial policy to have, the present one if no change is due (AI-011, AI-012, AI-014).

    Between light and heavy it moves on its own judgement: heavy where steel and fuel lie idle while goods
    are scarce or a war is near, light again when that is over.
    """
    s = rules.scalars[0]
    nation = world.nations[n]
    now = int(world.clock[0].turn)
    held = int(nation.policy_next)
    if nation.policy_turn > 0 and now + 1 - nation.policy_turn < s.ai_policy_interval:
        return held
    skill = outlook.research_level(nation, now, now + 1, int(research.PRODUCTION))
    spare = nation.treasury[item.STEEL] - _steel_besides_factories(world, rules, n)
    used = max(rules.industry[policy.HEAVY].inputs[item.STEEL], _heavy_steel(world, rules, n))
    ore = ore_turns(world, rules, n)
    fed = not judgement.food_emergency(world, rules, n)
    if held == policy.ADVANCED:
        if ore > 0:
            return held
        if spare >= used and skill >= s.policy_heavy_research:
            return int(policy.HEAVY)
        return int(policy.LIGHT) if fed else held
    if ore == s.ai_ore_missing_turns and skill >= s.policy_advanced_research:
        return int(policy.ADVANCED)
    wanted = judgement.goods_scarce(world, rules, n) or threatened(world, n)
    if held == policy.HEAVY:
        goes_on = wanted and spare >= used and not is_short(world, rules, n, item.FUEL)
        return held if goes_on or not fed else int(policy.LIGHT)
    if wanted and skill >= s.policy_heavy_research and spare >= s.ai_heavy_plenty_turns * used:
        return int(policy.HEAVY) if _can_fuel_heavy(world, rules, n) else held
    return held


@kernel
def _can_fuel_heavy(world: World, rules: Rules, n: int) -> bool:
    """Whether the stock of fuel would still be the wanted one under heavy industry.

    Heavy factories make half as many goods again with the same hands, but burn more than they add: only
    stocks that lie idle make them worth it.
    """
    s = rules.scalars[0]
    nation = world.nations[n]
    plan = int(policy.HEAVY)
    value = float(factory_runs(world, rules, n, plan)) * run_value(rules, plan)
    more = value * rules.industry[plan].fuel_percent
    more -= float(nation.industry_value) * rules.industry[nation.policy].fuel_percent
    burnt = fuel.full_need(world, rules, n) + more / (100.0 * s.fuel_base_price)
    return bool(nation.treasury[item.FUEL] >= s.ai_fuel_stock_turns * (burnt + _plant_fuel(world, rules, n)))


@kernel
def wants_factory(world: World, rules: Rules, n: int) -> bool:
    """Goods are scarce, many people have no work, and there is fuel to spare (AI-090).

    Not while many places in industry are free: the bounds of the sectors keep them so (IND-048).
    """
    s = rules.scalars[0]
    nation = world.nations[n]
    if nation.town_farmers < s.ai_factory_min_jobless or not judgement.goods_scarce(world, rules, n):
        return False
    if nation.industry_jobs - nation.assigned[sector.INDUSTRY] >= s.ai_factory_max_free_jobs:
        return False
    return bool(nation.treasury[item.FUEL] > fuel_target(world, rules, n))


@kernel
def wants_power(world: World, rules: Rules, n: int) -> bool:
    """Industry is large, own fuel feeds one level more, and a level still adds something (AI-007, AI-008)."""
    s = rules.scalars[0]
    levels = sites.levels_own(world, n, terrain.POWER_PLANT)
    if levels * s.power_plant_percent_per_level >= s.power_plant_percent_max:
        return False
    if industry_levels(world, rules, n) < s.ai_power_plant_stage_min:
        return False
    wanted = fuel_demand(world, rules, n) + s.power_plant_fuel_per_level
    return bool(world.nations[n].fuel_made >= wanted)


@kernel
def industry_levels(world: World, rules: Rules, n: int) -> int:
    """Levels of industry: steps of the size of factories, levels of refineries and arsenals (AI-010)."""
    nation = world.nations[n]
    step = max(1, rules.terrains[terrain.FACTORY].level_step)
    found = 0
    for k in range(nation.first, nation.first + nation.held):
        cell = world.cells.flat[world.territory[k]]
        if cell.owner != n:
            continue
        if cell.terrain == terrain.FACTORY or cell.terrain == terrain.LARGE_FACTORY:
            found += cell.level // step
        elif cell.terrain == terrain.REFINERY or cell.terrain == terrain.ARSENAL:
            found += cell.level
    return found
