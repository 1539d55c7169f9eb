"""The fuel of power plants and of industry (phase 10, after mining)."""

from __future__ import annotations

from hakoenv.engine import stock
from hakoenv.engine.codes import cause, item, sector
from hakoenv.engine.economy import factories, factors, farming
from hakoenv.engine.kernel import kernel
from hakoenv.engine.rounding import ceil, floor
from hakoenv.engine.world import World
from hakoenv.ruleset.codes import INDUSTRY_ROWS
from hakoenv.ruleset.compiled import Rules

_AGRICULTURE = INDUSTRY_ROWS["agriculture"]


@kernel
def burn(world: World, rules: Rules, nation: int) -> None:
    """Power plants draw first, then the industry fuel is fixed and taken (MAP-048, MAP-049, TURN-056).

    Both come from the treasury, never from the private sector (IND-026).
    """
    record = world.nations[nation]
    wanted = record.plant_levels * rules.scalars[0].power_plant_fuel_per_level
    record.plant_fuel = stock.take(world, nation, item.FUEL, wanted, cause.FUEL_USE)
    record.fuel_need = record.fuel_used = 0
    if rules.scalars[0].fuel_enabled:
        record.fuel_need = ceil(full_need(world, rules, nation) * phase_in(world, rules, nation))
        need = int(record.fuel_need)
        record.fuel_used = stock.take(world, nation, item.FUEL, need, cause.FUEL_USE)


@kernel
def full_need(world: World, rules: Rules, nation: int) -> float:
    """Fuel worth the rate of the turn's uncut output at base prices (IND-022, IND-023, IND-028).

    Fields and factories; the sales of commerce join with the household market.
    """
    record = world.nations[nation]
    fields = floor(farming.field_food(world, rules, nation))
    value = fields * rules.resources[item.FOOD].base_price * rules.industry[_AGRICULTURE].fuel_percent
    policy = int(record.policy)
    count = factories.runs(world, rules, nation, policy, int(record.factory_workers))
    factor = factory_factor(world, rules, nation)
    for what in range(item.FUNDS):
        made = factories.product(rules, policy, what, count, factor)
        value += made * rules.resources[what].base_price * rules.industry[policy].fuel_percent
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
def factory_factor(world: World, rules: Rules, nation: int) -> float:
    """All factors on the factories' products but the fuel ratio (IND-039)."""
    efficiency = factors.efficiency(world, rules, nation, sector.INDUSTRY)
    return efficiency * factors.power(world, rules, nation) * factors.production(world, rules, nation)
