"""What industry the rule AI wants: its policy, more factories, power plants (AI-007 .. AI-014, AI-090)."""

from __future__ import annotations

from hakoenv.agents.rule_ai import economy, judgement, sites

from hakoenv.engine.codes import item, policy, research, sector, terrain
from hakoenv.engine.commands import outlook
from hakoenv.engine.economy import fuel
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


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
    spare = nation.treasury[item.STEEL] - economy.steel_besides_factories(world, rules, n)
    used = max(rules.industry[policy.HEAVY].inputs[item.STEEL], economy.heavy_steel(world, rules, n))
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
    wanted = judgement.goods_scarce(world, rules, n) or economy.threatened(world, n)
    if held == policy.HEAVY:
        goes_on = wanted and spare >= used and not economy.is_short(world, rules, n, item.FUEL)
        return held if goes_on or not fed else int(policy.LIGHT)
    if wanted and skill >= s.policy_heavy_research and spare >= s.ai_heavy_plenty_turns * used:
        return int(policy.HEAVY) if _can_fuel_heavy(world, rules, n) else held
    return held


@kernel
def _can_fuel_heavy(world: World, rules: Rules, n: int) -> bool:
    """Whether mines feed heavy industry, or a stock that lasts long.

    Heavy factories make half as many goods again with the same hands, but burn more than they add: only
    fuel that would lie idle makes them worth it.
    """
    s = rules.scalars[0]
    nation = world.nations[n]
    plan = int(policy.HEAVY)
    value = float(economy.factory_runs(world, rules, n, plan)) * economy.run_value(rules, plan)
    more = value * rules.industry[plan].fuel_percent
    more -= float(nation.industry_value) * rules.industry[nation.policy].fuel_percent
    burnt = fuel.full_need(world, rules, n) + more / (100.0 * s.fuel_base_price)
    burnt += economy.plant_fuel(world, rules, n)
    stored = nation.treasury[item.FUEL] >= s.ai_heavy_fuel_turns * burnt
    return bool(stored or economy.lasting_fuel(world, rules, n) >= burnt)


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
    return bool(nation.treasury[item.FUEL] > economy.fuel_target(world, rules, n))


@kernel
def wants_power(world: World, rules: Rules, n: int) -> bool:
    """Industry is large, own fuel feeds one level more, and a level still adds something (AI-007, AI-008)."""
    s = rules.scalars[0]
    levels = sites.levels_own(world, n, terrain.POWER_PLANT)
    if levels * s.power_plant_percent_per_level >= s.power_plant_percent_max:
        return False
    if industry_levels(world, rules, n) < s.ai_power_plant_stage_min:
        return False
    wanted = economy.fuel_demand(world, rules, n) + s.power_plant_fuel_per_level
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
