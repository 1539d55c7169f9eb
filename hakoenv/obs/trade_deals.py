"""Deals: open auctions, regular shipments, supply contracts, and what is on its way between nations.

Lists go by the numbers of deals, or by what the parties know of them, never by their places in the World.
"""

from __future__ import annotations

from typing import Any

from hakoenv.engine import stock
from hakoenv.engine.codes import lot, parcel
from hakoenv.engine.diplomacy import transports
from hakoenv.engine.kernel import kernel
from hakoenv.engine.trade import bidding, market
from hakoenv.engine.world import World
from hakoenv.obs import listed_deals
from hakoenv.obs.arrays import Arrays, Scratch, fit, place_of
from hakoenv.obs.listed_deals import PLACE
from hakoenv.ruleset.compiled import Rules

_INT16 = 32_767
_INT32 = 2**31 - 1
_18_BITS = 2**18 - 1


@kernel
def fill_lots(world: World, rules: Rules, n: int, out: Arrays, scratch: Scratch, lots: int) -> None:
    """The open auctions as nation ``n`` sees them, and what it has in them (AUC-001, AUC-013)."""
    counts = out.trade_counts[n]
    counts.open_lots = listed_deals.size(scratch.lots, lots)
    counts.open_lots_left_out = lots - int(counts.open_lots)
    for k in range(counts.open_lots):
        _fill_lot(world, rules, n, int(scratch.lots[k, PLACE]), out.open_lots[n, k])


@kernel
def _fill_lot(world: World, rules: Rules, n: int, k: int, row: Any) -> None:
    """One open lot; what it is worth goes by the nation's prices of the last turn (MER-069)."""
    entry = world.lots[k]
    seats = world.nations.shape[0]
    row.listed = 1
    row.number = fit(int(entry.number), _INT32)
    row.seller = place_of(int(entry.seller), n, seats)
    row.own = int(entry.seller == n)
    row.item = entry.what
    row.quantity = fit(int(entry.quantity), _INT32)
    row.min_price = fit(int(entry.min_price), _INT32)
    row.bid = fit(int(entry.bid), _INT32)
    row.bidder = place_of(int(entry.bidder), n, seats)
    row.leading = int(entry.bidder == n)
    row.turns_left = fit(int(entry.deadline) - int(world.clock[0].turn), _INT32)
    row.extensions = entry.extensions
    row.lowest_bid = fit(bidding.lowest_bid(world, rules, k), _INT32)
    row.may_bid = row.value = 0
    if world.nations[n].alive:
        others = entry.seller != n and entry.bidder != n
        row.may_bid = int(others and bidding.may_trade(world, int(entry.seller), n))
        price = int(world.nations[n].prices[entry.what])
        row.value = fit(market.worth(int(entry.quantity), price) // stock.THOUSANDTHS, _INT32)


@kernel
def fill_deals(world: World, rules: Rules, n: int, out: Arrays, scratch: Scratch) -> None:
    """The deals of nation ``n`` and what it has in auctions."""
    _fill_offers(world, rules, n, out, scratch)
    _fill_contracts(world, rules, n, out, scratch)
    _fill_transports(world, n, out, scratch)
    row = out.commerce[n]
    for k in range(world.lots.shape[0]):
        entry = world.lots[k]
        if entry.state == lot.OPEN:
            row.lots += int(entry.seller == n)
            if entry.bidder == n:
                held = int(row.bids_held) + bidding.deposit(rules, int(entry.bid))
                row.bids_held = fit(held, _INT32)


@kernel
def _fill_offers(world: World, rules: Rules, n: int, out: Arrays, scratch: Scratch) -> None:
    """Regular shipments: offers to the nation, its own, and those that run (SHIP-001 .. SHIP-005)."""
    counts = out.trade_counts[n]
    found = scratch.deals
    count = listed_deals.shipments(world, n, listed_deals.OFFERED_TO, found)
    counts.offers_received = listed_deals.size(found, count)
    counts.offers_received_left_out = count - int(counts.offers_received)
    for k in range(counts.offers_received):
        _fill_offer(world, rules, n, int(found[k, PLACE]), out.offers_received[n, k])
    count = listed_deals.shipments(world, n, listed_deals.OFFERED_BY, found)
    counts.offers_made = listed_deals.size(found, count)
    counts.offers_made_left_out = count - int(counts.offers_made)
    for k in range(counts.offers_made):
        _fill_offer(world, rules, n, int(found[k, PLACE]), out.offers_made[n, k])
    count = listed_deals.shipments(world, n, listed_deals.RUNNING, found)
    counts.shipments = listed_deals.size(found, count)
    counts.shipments_left_out = count - int(counts.shipments)
    for k in range(counts.shipments):
        _fill_offer(world, rules, n, int(found[k, PLACE]), out.shipments[n, k])


@kernel
def _fill_offer(world: World, rules: Rules, n: int, k: int, row: Any) -> None:
    """One offer of regular shipments, or one that has been accepted and runs."""
    entry = world.promises[k]
    turn = int(world.clock[0].turn)
    selling = entry.seller == n
    row.listed = 1
    row.number = fit(int(entry.number), _INT32)
    row.revision = fit(int(entry.revision), _INT32)
    row.partner = place_of(int(entry.buyer if selling else entry.seller), n, world.nations.shape[0])
    row.selling = int(selling)
    row.item = entry.what
    row.quantity = fit(int(entry.quantity), _INT32)
    row.price = fit(int(entry.price), _INT32)
    row.freight_cap = fit(int(entry.freight_cap), _INT32)
    row.port_x = column_of(world, int(entry.port))
    row.port_y = row_of(world, int(entry.port))
    row.interval = fit(int(entry.interval), _INT16)
    row.next_in = -1
    if entry.accepted == 0:
        row.turns_left = fit(int(entry.offered) + rules.scalars[0].regular_offer_turns - turn, _INT32)
        return
    last = int(entry.accepted) + rules.scalars[0].regular_promise_turns - 1
    row.turns_left = fit(last - turn, _INT32)
    every = max(1, int(entry.interval))
    following = int(entry.accepted) + ((turn - int(entry.accepted)) // every + 1) * every
    if following <= last:
        row.next_in = fit(following - turn, _INT32)


@kernel
def _fill_contracts(world: World, rules: Rules, n: int, out: Arrays, scratch: Scratch) -> None:
    """Supply contracts of the nation's private sector, by number (SUP-007 .. SUP-012)."""
    found = scratch.deals
    count = 0
    for k in range(world.contracts.shape[0]):
        entry = world.contracts[k]
        if entry.number > 0 and (entry.buyer == n or entry.seller == n):
            listed_deals.enter(found, count, k, int(entry.number))
            count += 1
    counts = out.trade_counts[n]
    counts.contracts = min(count, out.contracts.shape[1])
    counts.contracts_left_out = count - int(counts.contracts)
    for k in range(counts.contracts):
        _fill_contract(world, rules, n, int(found[k, PLACE]), out.contracts[n, k])


@kernel
def _fill_contract(world: World, rules: Rules, n: int, k: int, row: Any) -> None:
    """One supply contract; a shipment is due some turns after its time (SUP-011)."""
    entry = world.contracts[k]
    selling = entry.seller == n
    row.listed = 1
    row.selling = int(selling)
    row.partner = place_of(int(entry.buyer if selling else entry.seller), n, world.nations.shape[0])
    row.item = entry.what
    row.quantity = fit(int(entry.quantity), _INT32)
    row.price = fit(int(entry.price), _INT32)
    row.port_x = column_of(world, int(entry.port))
    row.port_y = row_of(world, int(entry.port))
    row.interval = fit(int(entry.interval), _INT16)
    row.sent = entry.sent
    row.delivered = entry.delivered
    row.refused = entry.refused
    shipment = int(entry.delivered) + 1
    due = int(entry.signed) + shipment * int(entry.interval) + rules.scalars[0].supply_grace
    row.due_in = fit(due - int(world.clock[0].turn), _INT32)


@kernel
def _fill_transports(world: World, n: int, out: Arrays, scratch: Scratch) -> None:
    """Goods of nations on their way from or to the own one (MER-017), the oldest first."""
    found = scratch.deals
    count = 0
    for t in range(world.transports.shape[0]):
        entry = world.transports[t]
        if entry.kind > 0 and (entry.sender == n or entry.receiver == n):
            listed_deals.enter(found, count, t, _rank(world, n, t))
            count += 1
    counts = out.trade_counts[n]
    counts.transports = min(count, out.transports.shape[1])
    counts.transports_left_out = count - int(counts.transports)
    for k in range(counts.transports):
        _fill_transport(world, n, int(found[k, PLACE]), out.transports[n, k])


@kernel
def _rank(world: World, n: int, t: int) -> int:
    """Where a transport stands in the list: by age, and then by what the nation knows, not by its place."""
    entry = world.transports[t]
    sending = entry.sender == n
    partner = place_of(int(entry.receiver if sending else entry.sender), n, world.nations.shape[0])
    rank = (int(entry.created) << 3 | int(entry.kind)) << 6 | partner
    rank = (rank << 1 | int(sending)) << 4 | int(entry.what)
    amounts = int(entry.quantity) + 8191 * int(entry.waiting) + 127 * int(entry.arrived)
    return rank << 18 | (amounts & _18_BITS)


@kernel
def _fill_transport(world: World, n: int, t: int, row: Any) -> None:
    """One transport, with what of it is under way."""
    entry = world.transports[t]
    sending = entry.sender == n
    row.listed = 1
    row.kind = entry.kind
    row.number = 0
    if entry.deal >= 0 and entry.kind == parcel.AUCTION:
        row.number = fit(int(world.lots[entry.deal].number), _INT32)
    if entry.deal >= 0 and entry.kind == parcel.REGULAR:
        row.number = fit(int(world.promises[entry.deal].number), _INT32)
    row.sending = int(sending)
    row.partner = place_of(int(entry.receiver if sending else entry.sender), n, world.nations.shape[0])
    row.item = entry.what
    row.quantity = fit(int(entry.quantity), _INT32)
    row.waiting = fit(int(entry.waiting), _INT32)
    row.arrived = fit(int(entry.arrived), _INT32)
    row.price = fit(int(entry.price), _INT32)
    row.freight = fit(int(entry.freight), _INT32)
    row.age = fit(int(world.clock[0].turn) - int(entry.created), _INT16)
    row.port_x = column_of(world, int(entry.port))
    row.port_y = row_of(world, int(entry.port))
    row.under_way = fit(transports.under_way(world, t), _INT32)


@kernel
def column_of(world: World, cell: int) -> int:
    """Column of a cell, -1 of none."""
    return cell % world.cells.shape[1] if cell >= 0 else -1


@kernel
def row_of(world: World, cell: int) -> int:
    """Row of a cell, -1 of none."""
    return cell // world.cells.shape[1] if cell >= 0 else -1
