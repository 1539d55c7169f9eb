"""Upkeep of private ships, then trade between treasury and private sector (phase 17; MER-071)."""

from __future__ import annotations

import numpy as np

from hakoenv.engine import nation_order, stock
from hakoenv.engine.codes import cause, item
from hakoenv.engine.diplomacy import relations
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import vessels
from hakoenv.engine.rounding import ceil_div
from hakoenv.engine.trade import bargain, market, reach
from hakoenv.engine.world import MARKET_TURNS, World
from hakoenv.ruleset.compiled import Rules


@kernel(allocates=True)
def trade(world: World, rules: Rules) -> None:
    """Ship upkeep, buy-back, the treasury's world purchases, its sales, private world purchases.

    TURN-018, TURN-062.
    """
    market.ensure_prices(world, rules)
    market.open_phase(world, rules)
    partners = np.zeros(world.nations.shape[0], np.int64)
    reach.add_land(world, partners)
    reach.add_sea(world, rules, partners)
    for k in range(nation_order.count(world)):
        n = int(world.order[k])
        at_war = relations.at_war(world, n)
        _keep_ships(world, rules, n)
        for what in range(item.FUNDS):
            if market.gap(world, n, what) > 0:
                _buy_back(world, rules, n, what)
                _buy_for_treasury(world, rules, n, what, at_war)
                market.plan(world, rules, n, what)
        for what in range(item.FUNDS):
            _sell_to_private(world, rules, n, what, int(partners[n]))
        for what in range(item.FUNDS):
            _buy_for_private(world, rules, n, what)
        world.nations[n].ships_fuel = world.nations[n].ships_steel = 0


@kernel
def _keep_ships(world: World, rules: Rules, n: int) -> None:
    """Pay for private ships in their order, each in full or not at all: an unpaid one stays where it is."""
    for ship in range(world.clock[0].ships):
        record = world.ships[ship]
        if record.owner != n or not vessels.is_private(int(record.kind)):
            continue
        upkeep = int(rules.ship_classes[record.kind].upkeep_funds) * stock.THOUSANDTHS
        can_pay = world.nations[n].private[item.FUNDS] >= upkeep
        world.jobs[ship].paid = 1 if can_pay else 0
        if can_pay:
            stock.private_take(world, n, item.FUNDS, upkeep, cause.SHIP_UPKEEP)


@kernel
def _buy_back(world: World, rules: Rules, n: int, what: int) -> None:
    """The treasury buys toward its target from its private sector, in whole funds (MKT-024, MER-071)."""
    record = world.nations[n]
    price = market.at_ratio(record.prices[what], rules.scalars[0].market_treasury_buyback_ratio)
    cash = record.treasury[item.FUNDS] * stock.THOUSANDTHS
    quantity = min(_wanted(world, rules, n, what), market.free_stock(world, n, what))
    quantity = min(quantity, market.affordable(cash, price))
    if quantity <= 0:
        return
    paid = ceil_div(market.worth(quantity, price), stock.THOUSANDTHS)
    stock.take(world, n, item.FUNDS, paid, cause.BUYBACK)
    stock.private_gain(world, rules, n, item.FUNDS, paid * stock.THOUSANDTHS, cause.BUYBACK)
    stock.private_take(world, n, what, quantity, cause.BUYBACK)
    stock.gain(world, rules, n, what, quantity, cause.BUYBACK)


@kernel
def _buy_for_treasury(world: World, rules: Rules, n: int, what: int, at_war: bool) -> None:
    """What is still missing comes from the world, within the limit of the turn (MKT-020 .. MKT-024)."""
    item_rules = rules.resources[what]
    most = item_rules.world_buy_cap_war if at_war else item_rules.world_buy_cap_peace
    price = world.market[what].price * market.permille(item_rules.world_buy_price_factor)  # in millionths
    millionths = stock.THOUSANDTHS * stock.THOUSANDTHS
    cash = world.nations[n].treasury[item.FUNDS] * millionths
    quantity = min(min(most, _wanted(world, rules, n, what)), market.affordable(cash, price))
    if quantity > 0:
        cost = ceil_div(quantity * price, millionths)
        stock.take(world, n, item.FUNDS, cost, cause.WORLD_PURCHASE)
        stock.gain(world, rules, n, what, quantity, cause.WORLD_PURCHASE)
        world.market[what].asked += quantity


@kernel
def _wanted(world: World, rules: Rules, n: int, what: int) -> int:
    """What the treasury lacks of its target and has room for."""
    room = stock.cap(world, rules, n, what) - world.nations[n].treasury[what]
    return int(max(0, min(market.gap(world, n, what), room)))


@kernel
def _sell_to_private(world: World, rules: Rules, n: int, what: int, partners: int) -> None:
    """The private sector buys what it or its partners are short of, up to the export cap (MKT-026)."""
    record = world.nations[n]
    most = min(record.export_caps[what], max(0, record.treasury[what] - record.targets[what]))
    wanted = market.short(world, n, what)
    if wanted < most:
        wanted += _pull(world, n, what, partners)
    price = market.at_ratio(record.prices[what], rules.scalars[0].market_treasury_sale_ratio)
    quantity = _private_buys(world, rules, n, what, int(min(most, wanted)), price, cause.DOMESTIC_SALE)
    if quantity > 0:
        stock.take(world, n, what, quantity, cause.DOMESTIC_SALE)
        stock.credit(world, rules, n, market.worth(quantity, price), cause.DOMESTIC_SALE)
        world.market[what].asked += quantity
        world.market[what].offered += quantity


@kernel
def _pull(world: World, n: int, what: int, partners: int) -> int:
    """What partners were short of last and would pay for, beyond what can be spared (MER-071)."""
    total = 0
    for b in range(world.nations.shape[0]):
        missing = int(world.nations[b].shorts[what])
        if missing > 0 and reach.has(partners, b) and bargain.pays(world, n, b, what):
            total += missing
    return int(max(0, total - market.surplus(world, n, what)))


@kernel
def _buy_for_private(world: World, rules: Rules, n: int, what: int) -> None:
    """What is still short comes from the world where that is no dearer, a turn's use at most (MER-071).

    Of fuel its ships use some, too; steel is theirs alone, what they took is bought again (IND-018, IND-019).
    """
    record = world.nations[n]
    price = market.at_ratio(world.market[what].price, rules.scalars[0].market_world_buy_ratio)
    if record.prices[what] < price:
        return
    use = int(ceil_div(record.wanted[what], stock.THOUSANDTHS))
    if what == item.FUEL:
        use += int(record.ships_fuel)
    elif what == item.STEEL:
        use = int(record.ships_steel)
    use = min(use, market.short(world, n, what))
    _private_buys(world, rules, n, what, use, price, cause.WORLD_PURCHASE)


@kernel
def _private_buys(world: World, rules: Rules, n: int, what: int, most: int, price: int, why: int) -> int:
    """Buy at most so much as room and cash allow; return the quantity.

    The payment leaves the private cash in exact thousandths (MER-063).
    """
    record = world.nations[n]
    quantity = min(most, stock.private_cap(rules, what) - record.private[what])
    quantity = max(0, min(quantity, market.affordable(record.private[item.FUNDS], price)))
    if quantity > 0:
        paid = stock.private_take(world, n, item.FUNDS, market.worth(quantity, price), why)
        record.payments[world.clock[0].turn % MARKET_TURNS] += paid
        stock.private_gain(world, rules, n, what, quantity, why)
    return int(quantity)
