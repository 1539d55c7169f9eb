"""A plan in the making, deals between nations: what the commands given so far leave possible of them.

What leaves the treasury, or waits in a bid, is not there for the commands after it. A lot or an offer of
shipments serves once, and so does a nation for an exchange. After a command that may close the way to a
nation nothing is dealt with it, nor bid or accepted from anybody.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hakoenv.engine.codes import item
from hakoenv.engine.kernel import kernel
from hakoenv.engine.rounding import ceil_div
from hakoenv.obs import menu_values
from hakoenv.obs.menu_deals import (
    ACCEPTANCE,
    AID,
    AID_ITEMS,
    AID_KINDS,
    AID_LEFT,
    BID,
    BY_LAND,
    EXCHANGE_LEFT,
    EXCHANGE_MOST,
    FIRST_LIST,
    FREIGHT_FEE,
    KINDS,
    LISTING,
    LISTING_FEE,
    NO_DEAL,
    PACT,
    RESERVE_AID,
    SHIPMENT,
    SWAP,
    SWAP_ACCEPTANCE,
    SWAP_ITEM,
    SWAP_QUANTITY,
    SWAP_WITHDRAWAL,
    TIES,
)
from hakoenv.obs.menu_pieces import Draft, Pieces
from hakoenv.obs.menu_table import ALWAYS, CARRIAGES, FACTOR, NATION, NONE, RESERVES, VALUES, MenuTable

OF_AID, OF_EXCHANGE = range(2)  # of `Draft.caps`
DEALT, ESTRANGED = range(2)  # of `Draft.partners`: those of an exchange; those to whom the way may be closed
EVERYBODY = 0  # in ESTRANGED: the place of the own nation, which a setting for all names
_HUNDRED = 100
_GIVEN, _WANTED = 1, 3  # factors of an exchange: how much is offered and wanted
_NOTHING = 0  # value of what is wanted
PRICE_OF_LOT = 3  # factor of a listing
_NEEDS_WAY = np.zeros(KINDS, np.int64)
_NEEDS_WAY[[AID, SWAP, SWAP_ACCEPTANCE, SHIPMENT, ACCEPTANCE, BID, RESERVE_AID]] = 1
_IS_EXCHANGE = np.zeros(KINDS, np.int64)
_IS_EXCHANGE[[SWAP, SWAP_ACCEPTANCE, SWAP_WITHDRAWAL]] = 1


@kernel
def begin(pieces: Pieces, n: int, draft: Draft) -> None:
    """Nothing has been given yet."""
    for what in range(AID_KINDS):
        draft.caps[OF_AID, what] = pieces.trade[n, AID_LEFT, what]
        draft.caps[OF_EXCHANGE, what] = pieces.trade[n, EXCHANGE_LEFT, what]
    draft.listed[:] = 0
    draft.partners[:] = 0


@kernel
def needs_way(deal: int) -> bool:
    """Whether a deal is made only with those to whom the way is open."""
    return _NEEDS_WAY[deal] > 0


@kernel
def is_exchange(deal: int) -> bool:
    """Whether a deal is about an exchange; the one offer toward a nation is made, taken back or accepted."""
    return _IS_EXCHANGE[deal] > 0


@kernel
def partners(table: MenuTable, pieces: Pieces, n: int, v: int, found: int, draft: Draft) -> int:
    """Of the nations ``found``, by place of the nation head one bit each, those a deal may still name."""
    verb = table.verbs[v]
    if needs_way(verb.deal):
        if (draft.partners[ESTRANGED] >> EVERYBODY) & 1:
            return 0
        found &= ~int(draft.partners[ESTRANGED])
    if is_exchange(verb.deal):
        found &= ~int(draft.partners[DEALT])
    if verb.deal == SWAP and draft.uses[CARRIAGES] <= 0:
        return 0
    if verb.deal == RESERVE_AID and not _has_reserves(table, pieces, n, v, draft):
        return 0
    if verb.deal != AID and verb.deal != SWAP_ACCEPTANCE:
        return found
    kept = 0
    for place in range(pieces.deals.shape[1]):
        if not (found >> place) & 1:
            continue
        if verb.deal == AID:
            fits = sends_anything(table, pieces, n, v, place, draft)
        else:
            what, quantity = swap_item(pieces, n, place), int(pieces.deals[n, place, SWAP_QUANTITY])
            fits = quantity == 0 or draft.uses[CARRIAGES] > 0
            fits = fits and quantity <= draft.purse[what] and quantity <= draft.caps[OF_EXCHANGE, what]
        kept |= int(fits) << place
    return kept


@kernel
def swap_item(pieces: Pieces, n: int, place: int) -> int:
    """The item that a nation wants in its offer of an exchange."""
    return int(max(0, min(int(pieces.deals[n, place, SWAP_ITEM]), item.FUNDS)))


@kernel
def has_choice(table: MenuTable, pieces: Pieces, n: int, v: int, draft: Draft) -> bool:
    """Whether a deal that names no nation may still be given: an item, a lot or an offer is left for it."""
    verb = table.verbs[v]
    if needs_way(verb.deal) and draft.partners[ESTRANGED] != 0:
        return False
    for value in range(VALUES):
        if pieces.factors[n, v, 0, value] and _first_fits(table, pieces, n, verb, NONE, value, draft):
            return True
    return False


@kernel
def sends_anything(table: MenuTable, pieces: Pieces, n: int, v: int, nation: int, draft: Draft) -> bool:
    """Whether there is an item that may be sent to the nation at a place as aid."""
    verb = table.verbs[v]
    for value in range(verb.count[0]):
        if pieces.factors[n, v, 0, value] and _first_fits(table, pieces, n, verb, nation, value, draft):
            return True
    return False


@kernel
def fits(
    table: MenuTable, pieces: Pieces, n: int, v: int, factor: int, value: int, heads: Any, draft: Draft
) -> bool:
    """Whether a factor of a deal may have its ``value``-th value, given the heads before it."""
    verb = table.verbs[v]
    deal = int(verb.deal)
    if deal == RESERVE_AID:
        return _reserves_fit(table, pieces, n, verb, value, draft)
    if factor == 0:
        return _first_fits(table, pieces, n, verb, int(heads[NATION]), value, draft)
    if factor == verb.parts:
        what = menu_values.item_of(verb, heads, factor)
        percent = int(verb.value[factor, value])
        return _part_fits(table, pieces, n, verb, what, percent, draft)
    if deal == LISTING and factor == PRICE_OF_LOT:
        what = menu_values.item_of(verb, heads, factor)
        part = menu_values.number(table, verb, pieces.trade[n], heads, 0, int(verb.parts))
        return _fee_fits(table, pieces, n, verb, what, part, int(verb.value[factor, value]), draft)
    if deal == BID:
        return _bid_fits(table, pieces, n, verb, menu_values.place_of(verb, heads, 0), value, draft)
    return deal != SWAP or _swap_fits(table, pieces, n, v, factor, value, heads)


@kernel
def _swap_fits(table: MenuTable, pieces: Pieces, n: int, v: int, factor: int, value: int, heads: Any) -> bool:
    """Whether a factor of an exchange after the first may have a value: so that it can be completed.

    There is nothing of an item whose cap is 0, and nothing for nothing would mean the other's offer.
    """
    verb = table.verbs[v]
    what = menu_values.item_of(verb, heads, factor)
    if factor == _GIVEN:
        return bool(verb.value[factor, value] == 0 or _may_swap(table, what))
    is_gift = bool(verb.value[_GIVEN, menu_values.place_of(verb, heads, _GIVEN)] > 0)
    if factor == _WANTED:
        return _may_swap(table, what) if verb.value[factor, value] > 0 else is_gift
    is_gift = is_gift and bool(pieces.factors[n, v, _WANTED, _NOTHING])
    return bool(is_gift or _may_swap(table, int(verb.value[factor, value])))


@kernel
def _may_swap(table: MenuTable, what: int) -> bool:
    """Whether anything of an item may be in an exchange (AID-007)."""
    return bool(table.caps[EXCHANGE_MOST, what] > 0)


@kernel
def _has_reserves(table: MenuTable, pieces: Pieces, n: int, v: int, draft: Draft) -> bool:
    """Whether there are reserves left for the least that may be sent by land."""
    for value in range(VALUES):
        if pieces.factors[n, v, 0, value]:
            if _reserves_fit(table, pieces, n, table.verbs[v], value, draft):
                return True
    return False


@kernel
def _reserves_fit(table: MenuTable, pieces: Pieces, n: int, verb: Any, value: int, draft: Draft) -> bool:
    """Whether there are so many reserves left; what is above the most that may be sent stays (AID-002)."""
    named = int(verb.value[0, value])
    if value >= verb.plain[0]:
        named = menu_values.part_of(table, verb, pieces.trade[n], 0, RESERVES, named)
    return bool(min(named, int(table.caps[BY_LAND, RESERVES])) <= draft.purse[RESERVES])


@kernel
def _first_fits(
    table: MenuTable, pieces: Pieces, n: int, verb: Any, nation: int, value: int, draft: Draft
) -> bool:
    """The same of the first factor: an item, a lot or an offer."""
    of = int(verb.of[0])
    if of >= FIRST_LIST:
        if (draft.listed[of - FIRST_LIST] >> value) & 1:
            return False
        return verb.deal != BID or _bid_fits(table, pieces, n, verb, value, 0, draft)
    if verb.parts < 0:
        return True
    what = int(verb.value[0, value])
    if verb.deal == AID:
        if what != RESERVES and draft.uses[CARRIAGES] <= 0:
            return False
        if nation < 0 or nation >= pieces.deals.shape[1] or draft.caps[OF_AID, what] < 1:
            return False
        if not (int(pieces.deals[n, nation, AID_ITEMS]) >> what) & 1:
            return False
    return _part_fits(table, pieces, n, verb, what, int(verb.value[verb.parts, 0]), draft)


@kernel
def _part_fits(
    table: MenuTable, pieces: Pieces, n: int, verb: Any, what: int, percent: int, draft: Draft
) -> bool:
    """Whether a percentage of an item can leave the treasury; what is above the cap of aid is not sent."""
    part = menu_values.part_of(table, verb, pieces.trade[n], int(verb.parts), what, percent)
    if verb.deal == AID:
        part = min(part, int(draft.caps[OF_AID, what]))
    if part > draft.purse[what]:
        return False
    if verb.deal != LISTING:
        return True
    return _fee_fits(table, pieces, n, verb, what, part, int(verb.value[PRICE_OF_LOT, 0]), draft)


@kernel
def _fee_fits(
    table: MenuTable, pieces: Pieces, n: int, verb: Any, what: int, part: int, percent: int, draft: Draft
) -> bool:
    """Whether the purse holds the fee of listing a part of an item at a percentage of its price (AUC-015)."""
    if table.fees[LISTING_FEE] == 0:
        return True
    price = menu_values.price_of(verb, pieces.trade[n], PRICE_OF_LOT, what, part, percent)
    return bool(_fee(table, LISTING_FEE, price) <= draft.purse[item.FUNDS])


@kernel
def _bid_fits(
    table: MenuTable, pieces: Pieces, n: int, verb: Any, lot: int, value: int, draft: Draft
) -> bool:
    """Whether the purse holds a bid for a listed lot, and what is held for freight (AUC-002)."""
    bid = menu_values.bid_of(verb, pieces.trade[n], lot, value)
    return bool(bid + _fee(table, FREIGHT_FEE, bid) <= draft.purse[item.FUNDS])


@kernel
def _fee(table: MenuTable, which: int, amount: int) -> int:
    """A percentage of a bid or price, rounded up."""
    return int(ceil_div(amount * int(table.fees[which]), _HUNDRED))


@kernel
def book(table: MenuTable, pieces: Pieces, n: int, verb: Any, heads: Any, draft: Draft) -> None:
    """Take what a command leaves no more of deals, whatever numbers its heads hold."""
    nation = int(heads[NATION])
    known = 0 <= nation < pieces.deals.shape[1]
    if verb.bars == ALWAYS:
        draft.partners[ESTRANGED] |= 1 << EVERYBODY
    if verb.estranges and known:
        draft.partners[ESTRANGED] |= 1 << nation
    if verb.severs and (verb.severs != PACT or (known and int(pieces.deals[n, nation, TIES]) & PACT)):
        draft.partners[ESTRANGED] |= tied(pieces, n, int(verb.severs))
    if verb.deal != NO_DEAL:
        _book_deal(table, pieces, n, verb, heads, nation if known else NONE, draft)


@kernel
def tied(pieces: Pieces, n: int, tie: int) -> int:
    """The nations that one of `TIES` is with, by place of the nation head one bit each."""
    found = 0
    for place in range(pieces.deals.shape[1]):
        if int(pieces.deals[n, place, TIES]) & tie:
            found |= 1 << place
    return found


@kernel
def _book_deal(
    table: MenuTable, pieces: Pieces, n: int, verb: Any, heads: Any, nation: int, draft: Draft
) -> None:
    trade = pieces.trade[n]
    parts = int(verb.parts)
    if parts >= 0:
        what = menu_values.item_of(verb, heads, parts)
        part = menu_values.number(table, verb, trade, heads, 0, parts)
        if verb.deal == RESERVE_AID:
            part = min(part, int(table.caps[BY_LAND, RESERVES]))
        elif verb.deal == AID:
            part = min(part, max(0, int(draft.caps[OF_AID, what])))
            draft.caps[OF_AID, what] -= part
            if what == RESERVES:  # the ships are spoken for
                draft.caps[OF_AID, what] = 0
            else:
                draft.uses[CARRIAGES] -= 1
        draft.purse[what] -= part
        if verb.deal == LISTING:
            price = menu_values.number(table, verb, trade, heads, 0, PRICE_OF_LOT)
            draft.purse[item.FUNDS] -= _fee(table, LISTING_FEE, price)
    elif verb.deal == BID:
        bid = menu_values.number(table, verb, trade, heads, 0, 1)
        draft.purse[item.FUNDS] -= bid + _fee(table, FREIGHT_FEE, bid)
    elif verb.deal == SWAP_ACCEPTANCE and nation >= 0:
        what, part = swap_item(pieces, n, nation), int(pieces.deals[n, nation, SWAP_QUANTITY])
        draft.purse[what] -= part
        draft.caps[OF_EXCHANGE, what] -= part
        draft.uses[CARRIAGES] -= int(part > 0)
    of = int(verb.of[0]) - FIRST_LIST
    if verb.factors > 0 and of >= 0 and 0 <= heads[FACTOR] < VALUES:
        draft.listed[of] |= 1 << int(heads[FACTOR])
    if is_exchange(verb.deal) and nation >= 0:
        draft.partners[DEALT] |= 1 << nation


@kernel
def shrink(table: MenuTable, pieces: Pieces, n: int, v: int, draft: Draft) -> None:
    """Take from a menu what is no more to be had of a deal: lots, offers, nations of an exchange."""
    verb = table.verbs[v]
    of = int(verb.of[0]) - FIRST_LIST
    for value in range(VALUES if verb.factors > 0 and of >= 0 else 0):
        if (draft.listed[of] >> value) & 1:
            pieces.factors[n, v, 0, value] = 0
    closed = int(draft.partners[DEALT]) if is_exchange(verb.deal) else 0
    if needs_way(verb.deal):
        closed |= int(draft.partners[ESTRANGED])
        if (closed >> EVERYBODY) & 1:
            closed = -1
    for place in range(pieces.nations.shape[2]):
        if (closed >> place) & 1:
            pieces.nations[n, v, place] = 0


@kernel
def keep_caps(pieces: Pieces, n: int, draft: Draft) -> None:
    """Write into a menu how much may still be sent."""
    for what in range(AID_KINDS):
        pieces.trade[n, AID_LEFT, what] = max(0, draft.caps[OF_AID, what])
        pieces.trade[n, EXCHANGE_LEFT, what] = max(0, draft.caps[OF_EXCHANGE, what])
