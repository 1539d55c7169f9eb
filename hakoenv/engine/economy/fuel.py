"""The fuel of power plants and of industry (phase 10, after mining)."""

from __future__ import annotations

from hakoenv.engine import stock
from hakoenv.engine.codes import cause, controller, item, sector
from hakoenv.engine.economy import factories, factors, farming, workers
from hakoenv.engine.kernel import kernel
from hakoenv.engine.rounding import ceil, floor
from hakoenv.engine.trade import demand, market
from hakoenv.engine.world import World
from hakoenv.ruleset.codes import INDUSTRY_ROWS
from hakoenv.ruleset.compiled import Rules

_AGRICULTURE = INDUSTRY_ROWS["agriculture"]
_COMMERCE = INDUSTRY_ROWS["commerce"]


@kernel
def burn(world: World, rules: Rules, nation: int) -> None:
    """Power plants draw first, then the industry fuel is fixed and taken (MAP-048, MAP-049, TURN-056).

    Both come from the treasury, never from the private sector (IND-026).
    """
    record = world.nations[nation]
    wanted = record.plant_levels * rules.scalars[0].power_plant_fuel_per_level
    record.plant_fuel = stock.take(world, nation, item.FUEL, wanted, cause.FUEL_USE)
    record.fuel_need = record.fuel_used = 0
    value_output(world, rules, nation)
    if rules.scalars[0].fuel_enabled:
        record.fuel_need = ceil(full_need(world, rules, nation) * phase_in(world, rules, nation))
        need = int(record.fuel_need)
        record.fuel_used = stock.take(world, nation, item.FUEL, need, cause.FUEL_USE)


@kernel
def ensure_burnt(world: World, rules: Rules, nation: int) -> None:
    """Assign the workers and take the fuel unless it was done in this turn (a phase is run alone)."""
    if world.nations[nation].assigned_turn != world.clock[0].turn:
        workers.assign(world, rules, nation)
        burn(world, rules, nation)


@kernel
def value_output(world: World, rules: Rules, nation: int) -> None:
    """Note what the turn's workers, materials and private goods give before a lack of fuel (IND-028).

    Fields and factories in whole units at base prices, commerce as the revenue of its sales (IND-023).
    """
    record = world.nations[nation]
    market.ensure_prices(world, rules)
    record.farm_food = floor(farming.field_food(world, rules, nation))
    record.commerce_value = demand.expected_sales(world, rules, nation)
    record.industry_value = 0
    policy = int(record.policy)
    count = factories.runs(world, rules, nation, policy, int(record.factory_workers))
    factor = factory_factor(world, rules, nation)
    for what in range(item.FUNDS):
        made = factories.product(rules, policy, what, count, factor)
        record.industry_value += market.worth(made, rules.resources[what].base_price)


@kernel
def full_need(world: World, rules: Rules, nation: int) -> float:
    """Fuel worth the rate of the noted output, the sectors summed exactly (IND-022, IND-023, IND-029)."""
    record = world.nations[nation]
    fields = float(record.farm_food * rules.resources[item.FOOD].base_price)
    value = fields * rules.industry[_AGRICULTURE].fuel_percent
    value += float(record.industry_value) * rules.industry[record.policy].fuel_percent
    value += record.commerce_value / stock.THOUSANDTHS * rules.industry[_COMMERCE].fuel_percent
    return float(value / (100.0 * rules.scalars[0].fuel_base_price))


@kernel
def phase_in(world: World, rules: Rules, nation: int) -> float:
    """0 in a nation's first turn of fuel use, 1 from ``fuel.ramp_turns`` on (IND-024, IND-025)."""
    s = rules.scalars[0]
    since = world.clock[0].turn - world.nations[nation].founded - s.fuel_start_turn
    if since >= s.fuel_ramp_turns - 1:
        return 1.0
    return float(max(0, since) / max(1.0, s.fuel_ramp_turns - 1.0))


@kernel
def grant(world: World, rules: Rules) -> None:
    """Where fuel use begins later than at founding, external nations get some turns' need (IND-030, AI-065).

    It is the full need of the last finished turn; phase 6 of the nation's turn ``fuel.start_turn``.
    """
    s = rules.scalars[0]
    if not s.fuel_enabled or s.fuel_start_turn <= 1:
        return
    for n in range(world.nations.shape[0]):
        record = world.nations[n]
        begins = world.clock[0].turn - record.founded == s.fuel_start_turn
        if record.alive and record.controller == controller.EXTERNAL and begins:
            noted = record.farm_food > 0 or record.industry_value > 0 or record.commerce_value > 0
            if record.assigned_turn < 0 and not noted:  # no turn is finished
                workers.assign(world, rules, n)
                value_output(world, rules, n)
            need = ceil(full_need(world, rules, n))
            stock.gain(world, rules, n, item.FUEL, s.fuel_grant_turns * need, cause.FUEL_GRANT)


@kernel
def factory_factor(world: World, rules: Rules, nation: int) -> float:
    """All factors on the factories' products but the fuel ratio (IND-039)."""
    efficiency = factors.efficiency(world, rules, nation, sector.INDUSTRY)
    return efficiency * factors.power(world, rules, nation) * factors.production(world, rules, nation)
