"""The moment of auctions: AI nations, closing and award, deals that come to nothing (TURN-048)."""

from __future__ import annotations

from hakoenv.engine import happenings, nation_order, stock
from hakoenv.engine.codes import cause, controller, event, lot, parcel
from hakoenv.engine.diplomacy import transports
from hakoenv.engine.kernel import kernel
from hakoenv.engine.trade import auction_ai, bidding, lots, market
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def settle(world: World, rules: Rules) -> None:
    """AI nations list and bid in turn, then lots are closed, and deals undone that nobody carried in time."""
    market.ensure_prices(world, rules)
    for k in range(nation_order.count(world)):
        nation = int(world.order[k])
        driver = world.nations[nation].controller
        if driver == controller.RULE_AI or driver == controller.LLM:  # with a plan of its own, too: LLM-010
            auction_ai.list_an_item(world, rules, nation)
            auction_ai.bid_for_a_lot(world, rules, nation)
    _close_lots(world, rules)
    _undo_late_deals(world, rules)


@kernel
def _close_lots(world: World, rules: Rules) -> None:
    """Lots whose deadline has come go to the highest bid, in order of number (AUC-004, AUC-005, AUC-016)."""
    last = 0
    while True:
        k = lots.next_by_number(world, last)
        if k < 0:
            break
        entry = world.lots[k]
        last = int(entry.number)
        if entry.state != lot.OPEN or entry.deadline > world.clock[0].turn:
            continue
        is_wanted = entry.bidder >= 0 and bidding.may_trade(world, int(entry.seller), int(entry.bidder))
        if is_wanted and transports.free_places(world) > 0:
            _award(world, rules, k)
        else:
            _call_off(world, rules, k)


@kernel
def _award(world: World, rules: Rules, k: int) -> None:
    """A lot is sold: its goods wait for a carrier, price and freight part are held with them (AUC-006)."""
    entry = world.lots[k]
    seller, bidder, bid = int(entry.seller), int(entry.bidder), int(entry.bid)
    t = transports.open(world, int(parcel.AUCTION), int(entry.what), int(entry.quantity), seller, bidder)
    deal = world.transports[t]
    deal.price = bid
    deal.freight = bidding.freight_part(rules, bid)
    deal.deal = k
    entry.state = lot.SOLD
    entry.settled = world.clock[0].turn
    happenings.record_between(world, event.LOT_SOLD, seller, bidder, -1, bid)


@kernel
def _call_off(world: World, rules: Rules, k: int) -> None:
    """A lot ends without a buyer: goods and deposit go back (AUC-005, AUC-016)."""
    entry = world.lots[k]
    seller = int(entry.seller)
    happenings.record_between(world, event.LOT_RETURNED, seller, int(entry.bidder), -1, int(entry.number))
    bidding.give_back(world, rules, k)
    if world.nations[seller].alive:
        stock.gain(world, rules, seller, int(entry.what), int(entry.quantity), cause.RETURNED)
    else:
        stock.vanish(world, int(entry.what), int(entry.quantity))
    lots.free(world, k)


@kernel
def _undo_late_deals(world: World, rules: Rules) -> None:
    """What has not arrived so many turns after the settlement never will: the deal is undone (AUC-017)."""
    latest = world.clock[0].turn - rules.scalars[0].auction_delivery_turns
    for t in range(world.transports.shape[0]):
        entry = world.transports[t]
        if entry.kind == parcel.AUCTION and entry.deal >= 0 and world.lots[entry.deal].settled <= latest:
            transports.undo(world, rules, t)


@kernel
def end_nation(world: World, rules: Rules, n: int) -> None:
    """A fallen nation's lots end and their goods vanish; its bids for others' lots are no more (TURN-055)."""
    for k in range(world.lots.shape[0]):
        entry = world.lots[k]
        if entry.state == lot.OPEN and (entry.bidder == n or entry.seller == n):
            bidding.give_back(world, rules, k)
            if entry.seller == n:
                stock.vanish(world, int(entry.what), int(entry.quantity))
                lots.free(world, k)
