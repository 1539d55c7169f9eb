"""The numbers that the values of factors stand for, and what of the state they are made from.

A percentage is that share of a stock or price as it stands before the action, floored but at least 1, or 0
for none; what earlier commands of the action take does not change it. So an action says the same to whoever
reads it: the mask that allows it and what enters it into a plan.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hakoenv.engine.codes import item
from hakoenv.engine.commands import deals, outlook
from hakoenv.engine.handles import handle
from hakoenv.engine.kernel import kernel
from hakoenv.engine.trade import bidding
from hakoenv.engine.world import World
from hakoenv.obs import listed_deals
from hakoenv.obs.listed_deals import LISTED, NUMBER, PLACE
from hakoenv.obs.menu_deals import (
    AID_CAP,
    AID_MOST,
    BY_LAND,
    EXCHANGE_CAP,
    EXCHANGE_MOST,
    FIRST_LIST,
    LEAGUE,
    LOT,
    LOWEST,
    LOWEST_BID,
    MADE,
    NATIONAL_PRICE,
    PEOPLE,
    PRICE,
    RECEIVED,
    RESERVES_CAP,
    ROW_OF_LIST,
    ROWS,
    STOCK,
    TREASURY,
)
from hakoenv.obs.menu_table import FACTOR, FACTORS, RESERVES, VALUES, MenuTable
from hakoenv.ruleset.compiled import Rules

_HUNDRED = 100
_THOUSAND = 1000
_MOST_WORTH = 2**53
_INT32_MAX = 2**31 - 1


@handle
class Notes(NamedTuple):
    """Room to note what the values of one nation's factors stand for."""

    trade: Any  # (9, 32) int32: as `trade` of a menu
    found: Any  # (32, 2) int64: a list of deals


def new_notes() -> Notes:
    """Fresh room."""
    return Notes(np.zeros((ROWS, VALUES), np.int32), np.zeros((LISTED, 2), np.int64))


@kernel
def note(world: World, rules: Rules, n: int, trade: Any, found: Any) -> None:
    """Note what a nation's percentages are of and its lists hold; ``trade`` must be all 0."""
    record = world.nations[n]
    now = int(world.clock[0].turn)
    for what in range(item.COUNT):
        trade[STOCK, what] = _fitting(int(record.treasury[what]))
    trade[STOCK, RESERVES] = _fitting(outlook.reserves(record, now, now + 1))
    for what in range(item.FUNDS):
        price = int(record.prices[what])
        trade[PRICE, what] = _fitting(price if price > 0 else int(world.market[what].price))
    for k in range(listed_deals.size(found, listed_deals.open_lots(world, found))):
        trade[LOT, k] = _fitting(int(found[k, NUMBER]))
        trade[LOWEST, k] = _fitting(bidding.lowest_bid(world, rules, int(found[k, PLACE])))
    count = listed_deals.shipments(world, n, listed_deals.OFFERED_TO, found)
    for k in range(listed_deals.size(found, count)):
        revision = int(world.promises[int(found[k, PLACE])].revision)
        trade[RECEIVED, k] = _fitting(int(found[k, NUMBER]) * deals.REVISION_BASE + revision)
    count = listed_deals.shipments(world, n, listed_deals.OFFERED_BY, found)
    for k in range(listed_deals.size(found, count)):
        trade[MADE, k] = _fitting(int(found[k, NUMBER]))
    for k in range(listed_deals.size(found, listed_deals.leagues(world, found))):
        trade[LEAGUE, k] = _fitting(int(found[k, NUMBER]))


@kernel
def _fitting(amount: int) -> int:
    """An amount as an array of numbers holds it."""
    return int(max(0, min(amount, _INT32_MAX)))


@kernel
def field_of(table: MenuTable, verb: Any, which: int, trade: Any, heads: Any, people: int) -> int:
    """A field of the command that a verb's heads say; places that it has not got count as the first.

    Args:
        table: the menu's.
        verb: its record.
        which: X, Y, AMOUNT or TARGET.
        trade: the nation's numbers, as `note` writes them.
        heads: of the command.
        people: who live on the cell that it names.
    """
    total = int(verb.fixed[which])
    for f in range(FACTORS):
        if f < verb.factors and verb.field[f] == which:
            total += int(verb.times[f]) * number(table, verb, trade, heads, people, f)
    return total


@kernel
def number(table: MenuTable, verb: Any, trade: Any, heads: Any, people: int, f: int) -> int:
    """What the head of a factor stands for, given those of the factors before it."""
    place = place_of(verb, heads, f)
    if verb.of[f] == NATIONAL_PRICE and place >= verb.plain[f]:  # of the quantity, the factor before it
        quantity = share(table, verb, trade, heads, people, f - 1, place_of(verb, heads, f - 1))
        return price_of(verb, trade, f, item_of(verb, heads, f), quantity, int(verb.value[f, place]))
    return share(table, verb, trade, heads, people, f, place)


@kernel
def number_of(table: MenuTable, v: int, trade: Any, heads: Any, people: int, f: int) -> int:
    """The same of a verb by its place among those of the menu."""
    return number(table, table.verbs[v], trade, heads, people, f)


@kernel
def share(table: MenuTable, verb: Any, trade: Any, heads: Any, people: int, f: int, place: int) -> int:
    """What a value of a factor that needs no price stands for: the ``place``-th it has."""
    of = int(verb.of[f])
    if of >= FIRST_LIST:
        named = int(trade[ROW_OF_LIST[of - FIRST_LIST], place])
        return (
            named if named >= verb.low[f] else int(verb.high[f])
        )  # an empty place names nothing that exists
    value = int(verb.value[f, place])
    if place < verb.plain[f]:
        return value
    if of == LOWEST_BID:
        return bid_of(verb, trade, place_of(verb, heads, 0), place)
    if of == PEOPLE:
        return _percent(verb, f, people, value)
    return part_of(table, verb, trade, f, item_of(verb, heads, f), value)


@kernel
def part_of(table: MenuTable, verb: Any, trade: Any, f: int, what: int, percent: int) -> int:
    """A percentage of an item as a factor has it: of a stock, a cap, or the less of both."""
    of = int(verb.of[f])
    base = int(trade[STOCK, what])
    if of != TREASURY:
        row = BY_LAND if of == RESERVES_CAP else AID_MOST if of == AID_CAP else EXCHANGE_MOST
        most = int(table.caps[row, what])
        base = most if of == EXCHANGE_CAP else min(base, most)
    return _percent(verb, f, base, percent)


@kernel
def price_of(verb: Any, trade: Any, f: int, what: int, quantity: int, percent: int) -> int:
    """A percentage of the national price of so much of an item: funds, within the bounds of a factor."""
    worth = min(quantity * int(trade[PRICE, what]), _MOST_WORTH)
    return int(max(1, verb.low[f], min(worth * percent // (_HUNDRED * _THOUSAND), verb.high[f])))


@kernel
def bid_of(verb: Any, trade: Any, lot: int, place: int) -> int:
    """The bid for a listed lot that the ``place``-th percentage of the lowest one means."""
    return _percent(verb, 1, int(trade[LOWEST, lot]), int(verb.value[1, place]))


@kernel
def _percent(verb: Any, f: int, base: int, percent: int) -> int:
    """A percentage within the bounds of a factor: at least 1, but 0 percent are nothing."""
    part = max(1, base * percent // _HUNDRED) if percent > 0 else 0
    return int(max(verb.low[f], min(part, verb.high[f])))


@kernel
def item_of(verb: Any, heads: Any, f: int) -> int:
    """The item that a factor is about."""
    about = int(verb.about[f])
    if about < 0:
        return RESERVES
    return int(verb.value[about, place_of(verb, heads, about)])


@kernel
def place_of(verb: Any, heads: Any, f: int) -> int:
    """The place of the value that a head names; the first if it names none."""
    place = int(heads[FACTOR + f])
    return place if 0 <= place < verb.count[f] else 0


__all__ = [
    "Notes", "bid_of", "field_of", "item_of", "new_notes", "note", "number", "number_of", "part_of",
    "place_of", "price_of", "share",
]  # fmt: skip
