"""Private trade over land routes (phase 18; MER-013, MER-014, MER-072)."""

from __future__ import annotations

from typing import Any

import numpy as np

from hakoenv.engine import nation_order, stock
from hakoenv.engine.codes import cause, item
from hakoenv.engine.kernel import kernel
from hakoenv.engine.shipping import parcels
from hakoenv.engine.trade import bargain, market, reach
from hakoenv.engine.world import MARKET_TURNS, World
from hakoenv.ruleset.compiled import Rules

_MOST_USED = 2**15 - 1  # what a relation can count; only extreme rulesets come near it


@kernel(allocates=True)
def trade(world: World, rules: Rules) -> None:
    """Count what nations lack and can spare (MER-082), then let sellers trade by land in turn (TURN-019)."""
    market.ensure_prices(world, rules)
    market.open_phase(world, rules)
    market.count_gaps(world, rules)
    partners = np.zeros(world.nations.shape[0], np.int64)
    reach.add_land(world, partners)
    gain = np.empty(world.nations.shape[0] * item.FUNDS, np.int64)
    deal = np.empty(world.nations.shape[0] * item.FUNDS, np.int64)
    for k in range(nation_order.count(world)):
        seller = int(world.order[k])
        if partners[seller] == 0:
            continue
        for place in range(_list_deals(world, rules, seller, int(partners[seller]), gain, deal)):
            buyer = int(deal[place]) // item.FUNDS
            _sell(world, rules, seller, buyer, int(deal[place]) % item.FUNDS)


@kernel
def left(world: World, rules: Rules, a: int, b: int) -> int:
    """Containers that a pair can still move over land in this turn, both ways together (MER-013)."""
    most = min(int(rules.scalars[0].land_containers_per_pair), _MOST_USED)
    return int(max(0, most - world.relations[a, b].land_used))


@kernel
def use(world: World, a: int, b: int, containers: int) -> None:
    """Count containers that went over land between two nations."""
    world.relations[a, b].land_used += containers
    world.relations[b, a].land_used = world.relations[a, b].land_used


@kernel
def freight(rules: Rules, containers: int) -> int:
    """What it costs to carry so many containers over land, in thousandths of funds (MER-014)."""
    return containers * market.permille(rules.scalars[0].land_freight)


@kernel
def _list_deals(world: World, rules: Rules, seller: int, partners: int, gain: Any, deal: Any) -> int:
    """List what a seller may trade, the best container first, then by buyer, then by item (MER-072).

    Returns:
        How many deals stand in ``deal``, each as buyer x 9 + item. Neighbours are few: deals are sorted in.
    """
    count = 0
    for buyer in range(world.nations.shape[0]):
        if not reach.has(partners, buyer):
            continue
        for what in range(item.FUNDS):
            if market.surplus(world, seller, what) <= 0 or market.short(world, buyer, what) <= 0:
                continue
            if not bargain.pays(world, seller, buyer, what):
                continue
            margin = bargain.seller_margin(world, seller, buyer, what)
            each = market.worth(parcels.units_in(rules, what, 1), margin) - freight(rules, 1)
            if each <= 0:
                continue
            place = count
            while place > 0 and gain[place - 1] < each:
                gain[place] = gain[place - 1]
                deal[place] = deal[place - 1]
                place -= 1
            gain[place] = each
            deal[place] = buyer * item.FUNDS + what
            count += 1
    return count


@kernel
def _sell(world: World, rules: Rules, seller: int, buyer: int, what: int) -> None:
    """Trade as much of an item as there is surplus, shortage, room, capacity and money for (MER-072).

    The goods arrive at once. The buyer pays the price to the seller and the tariff to its own treasury
    (MER-070), the seller the freight to its own (MER-014).
    """
    price = bargain.price(world, seller, buyer, what)
    tariff = bargain.tariff(world, seller, buyer, what)
    room = stock.private_cap(rules, what) - world.nations[buyer].private[what]
    quantity = min(min(market.surplus(world, seller, what), market.short(world, buyer, what)), room)
    quantity = min(quantity, parcels.units_in(rules, what, left(world, rules, seller, buyer)))
    cash = int(world.nations[buyer].private[item.FUNDS])
    quantity = int(max(0, min(quantity, market.affordable(cash, price + tariff))))
    containers = parcels.containers(rules, what, quantity)
    fee = freight(rules, containers)
    if market.worth(quantity, bargain.seller_margin(world, seller, buyer, what)) <= fee:
        return
    use(world, seller, buyer, containers)
    stock.private_take(world, seller, what, quantity, cause.TRADE)
    stock.private_gain(world, rules, buyer, what, quantity, cause.TRADE)
    paid, duty = market.worth(quantity, price), market.worth(quantity, tariff)
    stock.private_take(world, buyer, item.FUNDS, paid + duty, cause.TRADE)
    world.nations[buyer].payments[world.clock[0].turn % MARKET_TURNS] += paid + duty
    stock.private_gain(world, rules, seller, item.FUNDS, paid, cause.TRADE)
    stock.credit(world, rules, buyer, duty, cause.TARIFF)
    fee = stock.private_take(world, seller, item.FUNDS, fee, cause.FREIGHT)  # less if its cash is full
    stock.credit(world, rules, seller, fee, cause.FREIGHT)
