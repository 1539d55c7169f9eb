"""The economic judgement of the rule AI: fuel, steel, and the stocks that a nation wants to hold."""

from __future__ import annotations

from hakoenv.agents.rule_ai import judgement, sites, voyage

from hakoenv.engine import stock
from hakoenv.engine.codes import item, policy, relation, research, terrain
from hakoenv.engine.economy import consumption, fuel
from hakoenv.engine.kernel import kernel
from hakoenv.engine.rounding import ceil, ceil_div
from hakoenv.engine.world import World
from hakoenv.ruleset.codes import FACILITY_ROWS, INDUSTRY_ROWS
from hakoenv.ruleset.compiled import Rules

_ARSENAL = INDUSTRY_ROWS["arsenal"]
_SEABED_ROW = FACILITY_ROWS["seabed_city"]  # the city that costs most
_MOST = 2**31  # runs and steel that are believed; keeps extreme rulesets within 64 bits


@kernel
def fuel_demand(world: World, rules: Rules, n: int) -> int:
    """Fuel that a turn wants by the figures of the last finished one, without phase-in (AI-004)."""
    return ceil(fuel.full_need(world, rules, n)) + plant_fuel(world, rules, n)


@kernel
def fuel_target(world: World, rules: Rules, n: int) -> int:
    """The stock of fuel it wants to hold (AI-005)."""
    return int(fuel_demand(world, rules, n) * rules.scalars[0].ai_fuel_stock_turns)


@kernel
def lasting_fuel(world: World, rules: Rules, n: int) -> int:
    """Fuel a turn that its mines give when their first piles are gone (DEV-007, DEV-013, DEV-014)."""
    nation = world.nations[n]
    skill = int(nation.research[research.PRODUCTION])
    effect = rules.research[research.PRODUCTION, skill].effect_percent
    found = 0
    for k in range(nation.first, nation.first + nation.held):
        i = int(world.territory[k])
        cell = world.cells.flat[i]
        row = int(rules.terrains[cell.terrain].mine)
        if cell.owner != n or row < 0 or rules.mines[row].product != item.FUEL:
            continue
        mine = rules.mines[row]
        if skill < mine.unlock_production:
            continue
        back = ceil_div(cell.level, rules.scalars[0].mine_recovery_levels_per_unit) * mine.facility_multiplier
        output = back * mine.yield_percent * effect // 10000
        found += min(output, mine.per_mining_cap) if mine.per_mining_cap > 0 else output
    return found


@kernel
def lives_on_stock(world: World, rules: Rules, n: int) -> bool:
    """Whether its mines will not give the fuel that a growing nation wants, however much is in stock."""
    wanted = fuel_demand(world, rules, n) * rules.scalars[0].ai_fuel_margin_percent
    return 100 * lasting_fuel(world, rules, n) < wanted


@kernel
def turns_left(world: World, rules: Rules, n: int, what: int) -> int:
    """How scarce a resource is: the turns that its stock lasts (AI-024).

    Fuel, and oil where it is refined, come before all if mines won't give enough of it for good.
    """
    refined = what == item.OIL and sites.count_own(world, n, terrain.REFINERY) > 0
    if (what == item.FUEL or refined) and lives_on_stock(world, rules, n):
        return -1
    return judgement.turns_of_stock(world, n, what)


@kernel
def plant_fuel(world: World, rules: Rules, n: int) -> int:
    """Fuel that its power plants want in a turn (MAP-048)."""
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
    return steel_besides_factories(world, rules, n) + _factory_steel(world, rules, n)


@kernel
def steel_floor(world: World, rules: Rules, n: int, kind: int) -> int:
    """The same where a ship of a class is what is built next (AI-064)."""
    ship = max(rules.scalars[0].ai_ship_steel_keep, rules.ship_classes[kind].steel)
    return int(arsenal_steel(world, rules, n) + ship + _factory_steel(world, rules, n))


@kernel
def _factory_steel(world: World, rules: Rules, n: int) -> int:
    """The reserve for heavy factories (AI-016)."""
    if world.nations[n].policy_next != policy.HEAVY:
        return 0
    return int(rules.scalars[0].ai_heavy_steel_turns * heavy_steel(world, rules, n))


@kernel
def steel_besides_factories(world: World, rules: Rules, n: int) -> int:
    """The reserve for arsenals, and for a ship if there is a port to build it (AI-063, AI-064).

    Which ship comes next is decided only while an expansion overseas lacks one; else the base amount of S:133
    stands for it.
    """
    s = rules.scalars[0]
    kept = arsenal_steel(world, rules, n)
    if sites.count_own(world, n, terrain.NAVAL_PORT) > 0:
        ship = s.ai_ship_base_amount
        if voyage.lacks_ship(world, n):
            ship = rules.ship_classes[s.ai_overseas_class].steel
        kept += max(s.ai_ship_steel_keep, ship)
    return int(kept)


@kernel
def arsenal_steel(world: World, rules: Rules, n: int) -> int:
    """The reserve for arsenals, larger under threat (AI-063)."""
    s = rules.scalars[0]
    turns = s.ai_ammo_turns_steel[1] if threatened(world, n) else s.ai_ammo_turns_steel[0]
    return int(arsenal_runs(world, rules, n) * rules.industry[_ARSENAL].inputs[item.STEEL] * turns)


@kernel
def heavy_steel(world: World, rules: Rules, n: int) -> int:
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
def bought_stock(world: World, rules: Rules, n: int, what: int) -> int:
    """The stock that the treasury buys up to: what is wanted (AI-091), with our own thrift and luxury.

    An item far above its base price is bought with a small part of the money that development would not
    leave, and not at all without; of fuel, what the coming turn will leave counts. A nation with idle
    funds wants the goods and steel of a city, too.
    """
    s = rules.scalars[0]
    nation = world.nations[n]
    wanted = wanted_stock(world, rules, n, what)
    if (what == item.GOODS or what == item.STEEL) and judgement.has_idle_funds(world, rules, n, 0):
        wanted += rules.facility_costs[_SEABED_ROW].build_materials[what]
    price = world.market[what].price
    if 100 * price <= s.ai_dear_percent * rules.resources[what].base_price * stock.THOUSANDTHS:
        return wanted
    budget = max(0, nation.treasury[item.FUNDS] - s.ai_develop_funds_left) * s.ai_dear_budget_percent // 100
    units = budget * stock.THOUSANDTHS // max(1, price)
    if units == 0:
        return 0
    left = int(nation.treasury[what])
    if what == item.FUEL:
        left = max(0, left + nation.fuel_made - fuel_demand(world, rules, n))
    return int(min(wanted, left + units))


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
