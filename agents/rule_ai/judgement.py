"""What the rule AI thinks of its nation's food, work, goods and money."""

from __future__ import annotations

from hakoenv.engine.codes import cause, command, item, terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.codes import FACILITY_ROWS
from hakoenv.ruleset.compiled import Rules

_PORT_ROW = FACILITY_ROWS["port"]
_ANY_USE = 1  # an item nobody uses lasts as many turns as there are units of it


@kernel
def food_emergency(world: World, rules: Rules, n: int) -> bool:
    """Less than a few turns of rations in the treasury (AI-060)."""
    nation = world.nations[n]
    return nation.treasury[item.FOOD] < rules.scalars[0].ai_emergency_food_turns * nation.rations


@kernel
def food_is_ample(world: World, rules: Rules, n: int) -> bool:
    """More than 30 turns of rations (AI-029); exactly 30 is not yet ample."""
    nation = world.nations[n]
    return nation.treasury[item.FOOD] > rules.scalars[0].ai_food_ample_turns * nation.rations


@kernel
def wants_farm(world: World, rules: Rules, n: int) -> bool:
    """The food of the last turn hardly covers rations and the food that industry uses (AI-090)."""
    nation = world.nations[n]
    used = nation.rations - world.accounts[n, cause.INDUSTRY_INPUT, item.FOOD]
    return 100 * nation.food_made < rules.scalars[0].ai_farm_margin_percent * used


@kernel
def wants_factory(world: World, rules: Rules, n: int) -> bool:
    """Goods are scarce and many people have no work (AI-090)."""
    s = rules.scalars[0]
    nation = world.nations[n]
    goods = nation.treasury[item.GOODS] + nation.private[item.GOODS]
    wealth = min(1.0, nation.treasury[item.FUNDS] / max(1, nation.population * s.goods_wealth_divisor))
    demand = nation.population / s.goods_population_per_unit * (1.0 + wealth * s.goods_wealth_bonus_max / 100)
    return goods < s.ai_factory_goods_turns * demand and nation.town_farmers >= s.ai_factory_min_jobless


@kernel
def wants_market(world: World, rules: Rules, n: int) -> bool:
    """Fewer market levels than thousands of population units (AI-090)."""
    nation = world.nations[n]
    levels = 0
    cells = world.cells.flat
    for k in range(nation.first, nation.first + nation.held):
        cell = cells[world.territory[k]]
        if cell.owner == n and cell.terrain == terrain.MARKET:
            levels += cell.level
    return levels * rules.scalars[0].ai_market_people_per_level < nation.population


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
    """How many turns the stock of an item lasts at the use of the last turn (AI-024)."""
    use = 0
    for why in range(cause.TAX, cause.COUNT):
        if why != cause.LOST_OVER_CAP:
            use -= min(0, world.accounts[n, why, what])
    return world.nations[n].treasury[what] // max(_ANY_USE, use)


@kernel
def funds_after(world: World, n: int, cost: int) -> int:
    """What the treasury would hold after paying ``cost``."""
    return world.nations[n].treasury[item.FUNDS] - cost


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
