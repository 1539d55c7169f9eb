"""Households buy from the private sector (phase 29)."""

from __future__ import annotations

from hakoenv.engine import nation_order, stock
from hakoenv.engine.codes import cause, item
from hakoenv.engine.economy import factors, fuel
from hakoenv.engine.kernel import kernel
from hakoenv.engine.rounding import floor
from hakoenv.engine.trade import demand, market
from hakoenv.engine.world import MARKET_TURNS, World
from hakoenv.ruleset.compiled import Rules


@kernel
def sell(world: World, rules: Rules) -> None:
    """Sell private stocks to households, then what is left over to a world that buys (TURN-030)."""
    market.ensure_prices(world, rules)
    market.open_phase(world, rules)
    for k in range(nation_order.count(world)):
        n = int(world.order[k])
        if not world.nations[n].alive:
            continue
        fuel.ensure_burnt(world, rules, n)
        budget = _budget(world, rules, n)
        for what in range(item.FUNDS):
            if what == item.GOODS or what == item.FOOD or what == item.FUEL:
                budget -= _serve(world, rules, n, what, budget)
            _sell_abroad(world, rules, n, what)


@kernel
def _serve(world: World, rules: Rules, n: int, what: int, budget: int) -> int:
    """Sell what households want of an item, as far as stock and their budget go; return what they pay.

    The fraction of the wanted quantity is carried, demand that finds no stock is not (IND-046).
    """
    record = world.nations[n]
    wanted = demand.wanted(world, rules, n, what)
    if what == item.GOODS:
        wanted *= factors.fuel_ratio(world, rules, n)
    millionths = demand.millionths(wanted)
    record.wanted[what] = millionths // (demand.MILLION // stock.THOUSANDTHS)
    millionths += record.unserved[what]
    carried = rules.scalars[0].market_household_fraction_carry
    record.unserved[what] = millionths % demand.MILLION if carried else 0
    price = demand.price(world, rules, n, what)
    quantity = min(millionths // demand.MILLION, market.free_stock(world, n, what))
    quantity = max(0, min(quantity, market.affordable(budget, price)))
    return _settle(world, rules, n, what, int(quantity), price)


@kernel
def _budget(world: World, rules: Rules, n: int) -> int:
    """What households can spend in the turn, in thousandths of funds; 0 in the ruleset is no limit."""
    each = rules.scalars[0].market_household_budget
    if each <= 0.0:
        return market.MOST_MONEY * item.COUNT
    return floor(world.nations[n].population * each) * stock.THOUSANDTHS


@kernel
def _settle(world: World, rules: Rules, n: int, what: int, quantity: int, price: int) -> int:
    """The goods go, the treasury gets its tax, the private sector the rest; return the payment (IND-047)."""
    if quantity <= 0:
        return 0
    payment = market.worth(quantity, price)
    tax = payment * rules.scalars[0].market_sales_tax_percent // 100
    stock.private_take(world, n, what, quantity, cause.HOUSEHOLD_SALE)
    stock.private_gain(world, rules, n, item.FUNDS, payment - tax, cause.HOUSEHOLD_SALE)
    stock.credit(world, rules, n, tax, cause.SALES_TAX)
    world.nations[n].household_sales[world.clock[0].turn % MARKET_TURNS] += payment
    return int(payment)


@kernel
def _sell_abroad(world: World, rules: Rules, n: int, what: int) -> None:
    """The surplus goes to the world at a fixed part of its price, if the ruleset lets it buy (MKT-024)."""
    ratio = rules.scalars[0].market_world_sell_ratio
    if ratio > 0.0:
        market.plan(world, rules, n, what)
        quantity = market.surplus(world, n, what)
        price = market.at_ratio(world.market[what].price, ratio)
        stock.private_take(world, n, what, quantity, cause.WORLD_SALE)
        stock.private_gain(world, rules, n, item.FUNDS, market.worth(quantity, price), cause.WORLD_SALE)
