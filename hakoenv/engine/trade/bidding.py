"""Listings and bids: who may make which, and what they do (AUC-001 .. AUC-003, AUC-010 .. AUC-016).

Open lots, bids and relations are public, so a nation's view and the truth agree here; only what is left of
the lists, where sold lots and all transports stand, counts in truth alone.
"""

from __future__ import annotations

from hakoenv.engine import happenings, stock, view
from hakoenv.engine.codes import cause, event, item, lot, port_policy, reason
from hakoenv.engine.diplomacy import transports
from hakoenv.engine.kernel import kernel
from hakoenv.engine.rounding import ceil_div
from hakoenv.engine.trade import lots, partners
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

NOBODY = -1
_PERCENT = 100
_DEFAULT = -1  # of a setting toward one nation
_MOST_EXTENSIONS = 255  # what a lot can count; only extreme rulesets come near it


@kernel
def may_list(
    world: World, rules: Rules, viewer: int, nation: int, what: int, turns: int, quantity: int, price: int
) -> int:
    """Reason code of a listing; whether the goods are there is the purse's question (AUC-011, AUC-014)."""
    s = rules.scalars[0]
    if what < 0 or what >= item.FUNDS:
        return reason.BAD_ITEM
    if quantity < 1 or turns < s.auction_min_turns or turns > s.auction_max_turns:
        return reason.BAD_AMOUNT
    if price < 1:
        return reason.BAD_PRICE
    of_nation, of_all = lots.count_open(world, nation), lots.count_open(world, NOBODY)
    if of_nation >= s.auction_nation_max or of_all >= s.auction_world_max:
        return reason.TOO_MANY_LOTS
    if viewer == view.TRUTH and (lots.free_place(world) < 0 or not transports.has_room(world, 1)):
        return reason.LISTS_FULL
    enough = world.nations[nation].treasury[item.FUNDS] >= listing_fee(rules, price)
    return reason.DONE if enough else reason.NO_FUNDS


@kernel
def listing_fee(rules: Rules, price: int) -> int:
    """Funds that a listing costs (AUC-015)."""
    return int(ceil_div(price * rules.scalars[0].auction_fee_percent, _PERCENT))


@kernel
def put_up(world: World, rules: Rules, nation: int, what: int, turns: int, quantity: int, price: int) -> None:
    """Open a lot of goods that have left the treasury; it can't be taken back (AUC-010)."""
    stock.take(world, nation, item.FUNDS, listing_fee(rules, price), cause.COMMAND_COST)
    k = lots.free_place(world)
    world.clock[0].lots_made += 1
    entry = world.lots[k]
    entry.quantity = quantity
    entry.min_price = price
    entry.bid = 0
    entry.number = world.clock[0].lots_made
    entry.deadline = world.clock[0].turn + turns
    entry.settled = 0
    entry.seller = nation
    entry.bidder = NOBODY
    entry.what = what
    entry.extensions = 0
    entry.state = lot.OPEN
    happenings.record(world, event.LOT_LISTED, nation, -1, int(entry.number))


@kernel
def may_trade(world: World, seller: int, bidder: int) -> bool:
    """Whether a nation may have a seller's lot: no war, embargo or closed gate, ports open to it (AUC-016).

    Ports for friends only are shut even to friends. The same test is made at the deadline.
    """
    if not partners.gates_open(world, seller, bidder):
        return False
    policy = int(world.relations[seller, bidder].port_policy)
    if policy == _DEFAULT:
        policy = int(world.nations[seller].port_policy)
    return bool(policy == port_policy.OPEN)


@kernel
def lowest_bid(world: World, rules: Rules, k: int) -> int:
    """The lowest bid that can be made for a lot (AUC-013)."""
    s = rules.scalars[0]
    highest = int(world.lots[k].bid)
    if highest == 0:
        return int(world.lots[k].min_price)
    return int(highest + max(s.auction_raise_min, ceil_div(highest * s.auction_raise_percent, _PERCENT)))


@kernel
def freight_part(rules: Rules, bid: int) -> int:
    """What is held for freight with a bid: the most that carrying the goods may cost (AUC-002, AUC-007)."""
    return int(ceil_div(bid * rules.scalars[0].auction_freight_percent, _PERCENT))


@kernel
def deposit(rules: Rules, bid: int) -> int:
    """What is taken with a bid (AUC-002)."""
    return bid + freight_part(rules, bid)


@kernel
def may_bid(world: World, rules: Rules, nation: int, number: int, bid: int) -> int:
    """Reason code of a bid for a lot, by its number; whether the deposit is there is the purse's question."""
    k = lots.find(world, number)
    if k < 0:
        return reason.NO_LOT
    entry = world.lots[k]
    if entry.seller == nation:
        return reason.OWN_LOT
    if entry.bidder == nation:
        return reason.OWN_BID  # nobody outbids itself: AUC-003
    if not may_trade(world, int(entry.seller), nation):
        return reason.NO_DEALS
    return reason.DONE if bid >= lowest_bid(world, rules, k) else reason.BID_TOO_LOW


@kernel
def bid_for(world: World, rules: Rules, nation: int, number: int, bid: int) -> None:
    """Make a bid whose deposit has been taken; the one before gets its own back at once (AUC-003)."""
    s = rules.scalars[0]
    turn = int(world.clock[0].turn)
    k = lots.find(world, number)
    entry = world.lots[k]
    if entry.bidder >= 0:
        happenings.record_between(world, event.OUTBID, int(entry.bidder), nation, -1, number)
        give_back(world, rules, k)
    entry.bid = bid
    entry.bidder = nation
    most = min(int(s.auction_extend_max), _MOST_EXTENSIONS)
    if entry.deadline - turn < s.auction_extend_turns and entry.extensions < most:
        entry.deadline = turn + s.auction_extend_turns
        entry.extensions += 1


@kernel
def give_back(world: World, rules: Rules, k: int) -> None:
    """The highest bid of a lot is no more: its deposit goes back (AUC-003, AUC-016)."""
    entry = world.lots[k]
    bidder = int(entry.bidder)
    held = deposit(rules, int(entry.bid))
    if bidder >= 0 and world.nations[bidder].alive:
        stock.gain(world, rules, bidder, item.FUNDS, held, cause.RETURNED)
    elif bidder >= 0:
        stock.vanish(world, item.FUNDS, held)
    entry.bid = 0
    entry.bidder = NOBODY
