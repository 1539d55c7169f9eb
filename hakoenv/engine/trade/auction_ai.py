"""What AI nations list and bid for by themselves, once a turn each (AI-073 .. AI-079, LLM-010).

The rules of auctions are the same for them (AUC-024); trade prices are the national ones (MER-069).
"""

from __future__ import annotations

from hakoenv.engine import stock, view
from hakoenv.engine.codes import cause, item, lot, reason
from hakoenv.engine.diplomacy import threat
from hakoenv.engine.kernel import kernel
from hakoenv.engine.rounding import ceil_div, floor
from hakoenv.engine.trade import bidding, lots, market
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

NONE = -1
_PERCENT = 100


@kernel
def list_an_item(world: World, rules: Rules, nation: int) -> None:
    """List the most valuable item that the treasury has and may export, below its price (AI-075, AUC-020)."""
    s = rules.scalars[0]
    what = _most_valuable(world, rules, nation)
    if what < 0:
        return
    record = world.nations[nation]
    price = int(record.prices[what])
    quantity = int(record.export_caps[what]) * s.ai_auction_share // _PERCENT
    quantity = min(quantity, market.affordable(s.ai_auction_value_max * stock.THOUSANDTHS, price))
    quantity = int(min(quantity, record.treasury[what]))
    least = ceil_div(market.worth(quantity, price) * s.ai_auction_min_price, _PERCENT * stock.THOUSANDTHS)
    turns = int(s.ai_auction_turns)
    why = bidding.may_list(world, rules, view.TRUTH, nation, what, turns, quantity, max(1, least))
    if why == reason.DONE:
        stock.take(world, nation, what, quantity, cause.AUCTION)
        bidding.put_up(world, rules, nation, what, turns, quantity, max(1, least))


@kernel
def _most_valuable(world: World, rules: Rules, nation: int) -> int:
    """The item whose allowance is worth most, the first of equals; -1 none (AI-074, AUC-021, AUC-022).

    Only of what the treasury holds; not of what is up for auction often enough, nor war goods under threat.
    """
    record = world.nations[nation]
    found, most = NONE, 0
    for what in range(item.FUNDS):
        value = market.worth(int(record.export_caps[what]), int(record.prices[what]))
        if value <= most or record.treasury[what] == 0:
            continue
        if lots.count_of_item(world, what) >= rules.scalars[0].ai_auction_same_item_max:
            continue
        is_for_war = what == item.AMMO or what == item.FUEL or what == item.STEEL
        if not (is_for_war and threat.is_threatened(world, rules, nation)):
            found, most = what, value
    return found


@kernel
def bid_for_a_lot(world: World, rules: Rules, nation: int) -> None:
    """Make the lowest bid for the lot of what is missing most, if it is worth that (AI-076 .. AI-078)."""
    best = NONE
    for k in range(world.lots.shape[0]):
        if world.lots[k].state == lot.OPEN and _wants(world, rules, nation, k):
            if best < 0 or _comes_first(world, nation, k, best):
                best = k
    if best >= 0:
        bid = bidding.lowest_bid(world, rules, best)
        stock.take(world, nation, item.FUNDS, bidding.deposit(rules, bid), cause.AUCTION)
        bidding.bid_for(world, rules, nation, int(world.lots[best].number), bid)


@kernel
def _wants(world: World, rules: Rules, nation: int, k: int) -> bool:
    """Whether a lot is of something missing, not too large, and a bid legal, worth it and within means."""
    s = rules.scalars[0]
    entry = world.lots[k]
    missing = market.gap(world, nation, int(entry.what))
    if missing == 0 or entry.quantity > floor(s.ai_bid_quantity_ratio * missing):
        return False
    bid = bidding.lowest_bid(world, rules, k)
    if bidding.may_bid(world, rules, nation, int(entry.number), bid) != reason.DONE:
        return False
    cost = bidding.deposit(rules, bid)
    value = market.worth(int(entry.quantity), int(world.nations[nation].prices[entry.what]))
    if cost * _PERCENT * stock.THOUSANDTHS > value * s.ai_bid_price_max:
        return False
    return cost <= _may_spend(world, rules, nation)


@kernel
def _may_spend(world: World, rules: Rules, nation: int) -> int:
    """What an AI nation may still put into bids: a share of cash and deposits, some cash left (AI-078)."""
    s = rules.scalars[0]
    cash = int(world.nations[nation].treasury[item.FUNDS])
    held = 0
    for k in range(world.lots.shape[0]):
        if world.lots[k].state == lot.OPEN and world.lots[k].bidder == nation:
            held += bidding.deposit(rules, int(world.lots[k].bid))
    share = (cash + held) * s.ai_bid_treasury_percent // _PERCENT - held
    return int(min(share, cash - s.ai_bid_treasury_left))


@kernel
def _comes_first(world: World, nation: int, k: int, other: int) -> bool:
    """Whether a lot comes before another: larger missing share, nearer deadline, lower number (AUC-023)."""
    one, two = world.lots[k], world.lots[other]
    targets = world.nations[nation].targets
    share = market.gap(world, nation, int(one.what)) * int(targets[two.what])
    other_share = market.gap(world, nation, int(two.what)) * int(targets[one.what])
    if share != other_share:
        return bool(share > other_share)
    if one.deadline != two.deadline:
        return bool(one.deadline < two.deadline)
    return bool(one.number < two.number)
