"""What households want, what they pay for a unit, and what their purchases would bring."""

from __future__ import annotations

from hakoenv.engine.codes import item, sector, terrain
from hakoenv.engine.economy import factors
from hakoenv.engine.kernel import kernel
from hakoenv.engine.rounding import floor
from hakoenv.engine.trade import market
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

MILLION = 1000000  # fractions of a unit are carried in millionths


@kernel
def wanted(world: World, rules: Rules, n: int, what: int) -> float:
    """What households want of an item in a turn, before a lack of fuel (IND-040 .. IND-046; IND-047).

    Goods by wealth or the capacity of the markets, whichever is more, times the efficiency of commerce;
    of food and fuel so much a head.
    """
    s = rules.scalars[0]
    record = world.nations[n]
    people = record.population
    if what == item.FOOD:
        return float(people * s.market_household_food_use)
    if what == item.FUEL:
        return float(people * s.market_household_fuel_use)
    if what != item.GOODS:
        return 0.0
    wealth = 0.0
    if people > 0:
        wealth = min(1.0, record.treasury[item.FUNDS] / (people * s.goods_wealth_divisor))
    base = people * s.market_household_goods_per_500 / s.goods_population_per_unit
    goods = base * (1.0 + wealth * s.market_household_wealth_bonus_max / 100.0)
    levels = record.market_workers / max(1, rules.terrains[terrain.MARKET].workers_per_level)
    goods = max(goods, levels * s.market_market_capacity_per_level)
    return float(goods * factors.efficiency(world, rules, n, sector.COMMERCE))


@kernel
def millionths(units: float) -> int:
    """A real number of units in the unit in which fractions are carried, to the nearest (IND-046)."""
    whole = floor(units)
    return whole * MILLION + floor(max(0.0, units - whole) * MILLION + 0.5)


@kernel
def expected_sales(world: World, rules: Rules, n: int) -> int:
    """What the sales of goods would bring by the stock of this moment, in thousandths (TURN-056)."""
    carried = world.nations[n].unserved[item.GOODS]
    quantity = (millionths(wanted(world, rules, n, item.GOODS)) + carried) // MILLION
    quantity = min(quantity, market.free_stock(world, n, item.GOODS))
    return market.worth(int(quantity), price(world, rules, n, item.GOODS))


@kernel
def price(world: World, rules: Rules, n: int, what: int) -> int:
    """What households pay for a unit, in thousandths of funds (IND-047)."""
    return market.at_ratio(world.nations[n].prices[what], rules.scalars[0].market_household_price_ratio)
