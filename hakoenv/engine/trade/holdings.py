"""What nations and their private sectors own that lies in no stock (SEASON-014, FIN-028).

Goods on their way, in bond and on offer are their sender's until they arrive, the money held for them is the
buyer's (MER-073): in private trade, for auctions and for transports between nations alike.
"""

from __future__ import annotations

from typing import Any

from hakoenv.engine import stock
from hakoenv.engine.codes import item, lot, parcel
from hakoenv.engine.kernel import kernel
from hakoenv.engine.rounding import ceil_div
from hakoenv.engine.shipping import parcels
from hakoenv.engine.trade import market
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

MOST = 1 << 36  # thousandths of funds in one record of assets: no realistic ruleset reaches it
_PERCENT = 100


@kernel
def is_private(world: World, p: int, nation: int) -> bool:
    """Whether the goods of a parcel belong to the private sector of a nation."""
    entry = world.parcels[p]
    return bool(
        entry.state != parcel.FREE and entry.source == nation and not parcels.is_of_nations(int(entry.kind))
    )


@kernel
def add_assets(world: World, rules: Rules, values: Any) -> None:
    """Add to each nation's value, in thousandths of funds, what it owns outside its stocks, at base prices.

    Goods and money of treasury and private sector alike (SEASON-012, SEASON-014).
    """
    for p in range(world.clock[0].parcels):
        entry = world.parcels[p]
        if entry.state == parcel.FREE:
            continue
        _add_goods(rules, values, int(entry.source), int(entry.what), int(entry.quantity))
        if entry.kind == parcel.TRADE:
            held = market.worth(int(entry.quantity), int(entry.price) + int(entry.tariff))
            _add(values, int(entry.receiver), held)
    for k in range(world.lots.shape[0]):
        offer = world.lots[k]
        if offer.state == lot.OPEN:
            freight = ceil_div(int(offer.bid) * rules.scalars[0].auction_freight_percent, _PERCENT)  # AUC-002
            _add_goods(rules, values, int(offer.seller), int(offer.what), int(offer.quantity))
            _add_goods(rules, values, int(offer.bidder), int(item.FUNDS), int(offer.bid) + int(freight))
    for t in range(world.transports.shape[0]):
        sent = world.transports[t]
        if sent.kind > 0:
            _add_goods(rules, values, int(sent.sender), int(sent.what), int(sent.waiting))
            held = int(sent.price) + int(sent.freight)
            _add_goods(rules, values, int(sent.receiver), int(item.FUNDS), held)


@kernel
def _add_goods(rules: Rules, values: Any, n: int, what: int, quantity: int) -> None:
    """Add goods at their base price; funds are worth themselves."""
    each = 1 if what == item.FUNDS else int(rules.resources[what].base_price)
    _add(values, n, market.worth(quantity, each * stock.THOUSANDTHS))


@kernel
def _add(values: Any, n: int, amount: int) -> None:
    """Add thousandths of funds to what a nation, if it is one, has."""
    if n >= 0:
        values[n] = min(MOST, values[n] + amount)
