"""What the rule AI thinks of its nation's food, work, goods and money."""

from __future__ import annotations

from hakoenv.agents.rule_ai import sites

from hakoenv.engine import stock
from hakoenv.engine.codes import cause, command, item, terrain
from hakoenv.engine.economy import consumption
from hakoenv.engine.kernel import kernel
from hakoenv.engine.trade import demand
from hakoenv.engine.world import World
from hakoenv.ruleset.codes import FACILITY_ROWS
from hakoenv.ruleset.compiled import Rules

_PORT_ROW = FACILITY_ROWS["port"]
_RARELY = 10  # turns to a unit of an item that is not used


@kernel
def food_emergency(world: World, rules: Rules, n: int) -> bool:
    """Less than a few turns of rations in the treasury (AI-060)."""
    eaten = consumption.rations(world, rules, n)
    return world.nations[n].treasury[item.FOOD] < rules.scalars[0].ai_emergency_food_turns * eaten


@kernel
def food_is_ample(world: World, rules: Rules, n: int) -> bool:
    """More than 30 turns of rations (AI-029); exactly 30 is not yet ample."""
    eaten = consumption.rations(world, rules, n)
    return world.nations[n].treasury[item.FOOD] > rules.scalars[0].ai_food_ample_turns * eaten


@kernel
def has_fuel_for_fields(world: World, rules: Rules, n: int) -> bool:
    """Whether fuel covered enough of the need; with less a field gives no more than a town's own farming."""
    nation = world.nations[n]
    return 100 * nation.fuel_used >= rules.scalars[0].ai_farm_fuel_percent * nation.fuel_need


@kernel
def fields_lie_idle(world: World, rules: Rules, n: int) -> bool:
    """Whether food is short and fields have so little fuel that their people would make more without them.

    A worker on a field makes 1 food times the share of fuel, one in a town 0.25.
    """
    s = rules.scalars[0]
    nation = world.nations[n]
    if 100 * nation.fuel_used >= s.ai_field_fuel_percent * nation.fuel_need:
        return False
    return nation.treasury[item.FOOD] < s.ai_target_food_turns * consumption.rations(world, rules, n)


@kernel
def wants_farm(world: World, rules: Rules, n: int) -> bool:
    """The food of the last turn hardly covers rations and the food that industry uses (AI-090).

    Only while somebody would find work there with fuel, and never above 30 turns of food (AI-029).
    """
    nation = world.nations[n]
    if nation.town_farmers <= 0 or food_is_ample(world, rules, n) or not has_fuel_for_fields(world, rules, n):
        return False
    used = consumption.rations(world, rules, n) - world.accounts[n, cause.INDUSTRY_INPUT, item.FOOD]
    return 100 * nation.food_made < rules.scalars[0].ai_farm_margin_percent * used


@kernel
def wants_spare_farm(world: World, rules: Rules, n: int) -> bool:
    """Many people have no work, and food is not ample."""
    if world.nations[n].town_farmers < rules.scalars[0].ai_spare_farm_jobless:
        return False
    return has_fuel_for_fields(world, rules, n) and not food_is_ample(world, rules, n)


@kernel
def goods_turns(world: World, rules: Rules, n: int, turns: int) -> bool:
    """Whether treasury and private sector hold goods for so many turns of household demand."""
    nation = world.nations[n]
    held = nation.treasury[item.GOODS] + nation.private[item.GOODS]
    return held >= turns * demand.wanted(world, rules, n, item.GOODS)


@kernel
def goods_scarce(world: World, rules: Rules, n: int) -> bool:
    """Few turns of goods are left (AI-090)."""
    return not goods_turns(world, rules, n, rules.scalars[0].ai_factory_goods_turns)


@kernel
def wants_market(world: World, rules: Rules, n: int) -> bool:
    """Fewer market levels than thousands of population units (AI-090)."""
    levels = sites.levels_own(world, n, terrain.MARKET)
    return levels * rules.scalars[0].ai_market_people_per_level < world.nations[n].population


@kernel
def can_staff_mines(world: World, rules: Rules, n: int) -> bool:
    """Workers of a level are left, and mines hold at most half of those off the fields (AI-021, AI-022)."""
    s = rules.scalars[0]
    nation = world.nations[n]
    spare = nation.population - nation.farm_workers - nation.mine_workers
    off_fields = nation.population - nation.farm_workers
    few_miners = 100 * nation.mine_workers <= s.ai_mine_worker_percent * off_fields
    return spare >= s.mine_workers_per_level and few_miners


@kernel
def turns_of_stock(world: World, n: int, what: int) -> int:
    """How many turns the stock of an item lasts at the use of the last turn (AI-024).

    An item that nobody used counts as one of which a unit is used in ten turns.
    """
    use = 0
    for why in range(cause.TAX, cause.COUNT):
        if why != cause.LOST_OVER_CAP:
            use -= min(0, world.accounts[n, why, what])
    return world.nations[n].treasury[what] * _RARELY // max(1, use * _RARELY)


@kernel
def funds_after(world: World, n: int, cost: int) -> int:
    """What the treasury would hold after paying ``cost``."""
    return world.nations[n].treasury[item.FUNDS] - cost


@kernel
def can_develop(world: World, rules: Rules, n: int) -> bool:
    """Whether there is more money than development leaves untouched (AI-020)."""
    return world.nations[n].treasury[item.FUNDS] > rules.scalars[0].ai_develop_funds_left


@kernel
def has_idle_funds(world: World, rules: Rules, n: int, cost: int) -> bool:
    """Whether a good part of the treasury's cap is still there after paying ``cost``."""
    cap = stock.cap(world, rules, n, item.FUNDS)
    return 100 * funds_after(world, n, cost) >= rules.scalars[0].ai_idle_funds_percent * cap


@kernel
def factory_cost(world: World, rules: Rules) -> int:
    """Price of a new factory in the coming turn, cheaper early in the season (CMD-007)."""
    row = rules.commands[command.FACTORY]
    early = world.clock[0].turn + 1 <= rules.scalars[0].command_early_price_turns
    return row.early_cost if early else row.cost


@kernel
def port_cost(rules: Rules) -> int:
    """Price of a port in funds (CMD-039)."""
    return rules.facility_costs[_PORT_ROW].build_funds
