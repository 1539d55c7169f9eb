"""The audit of what is in no stock: goods on the way or in custody, and the money held for them.

Goods leave a stock when they are assigned to a ship, auctioned or sent, and end in one; what does not must be
noted in `world.transit` (MER-057, MER-073, MER-078, AUC-001). Independent of the kernels, like `audit.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine.codes import cause, item, lot, parcel
from hakoenv.engine.world import MARKET_TURNS, World
from hakoenv.ruleset.codes import ITEM_NAMES
from hakoenv.ruleset.compiled import Rules

_THOUSANDTHS = 1000
_PERCENT = 100
_OF_GOODS = [
    cause.TRADE,
    cause.SUPPLY,
    cause.FISHING,
    cause.AUCTION,
    cause.SHIPMENT,
    cause.EXCHANGE,
    cause.AID,
    cause.RETURNED,
]
"""Causes under which goods pass between stocks and the way, or from stock to stock."""
_OF_MONEY = [
    *_OF_GOODS,
    cause.PENALTY,
    cause.TARIFF,
    cause.FREIGHT,
    cause.TRANSIT_FEE,
    cause.DOMESTIC_SALE,
    cause.SALES_TAX,
]
"""Likewise money; those that pay into treasuries in thousandths, part of which is carried, are all here."""


def faults(
    before: World, after: World, treasury: NDArray[Any], private: NDArray[Any], rules: Rules
) -> Iterator[str]:
    """What of goods and money in no stock came from nowhere or went there, one phrase each.

    Args:
        before: the world that the entries start from.
        after: the world that they should lead to.
        treasury: entries of the treasuries in between, by nation, cause and item.
        private: likewise of the private sectors, funds in thousandths.
        rules: those of both worlds.
    """
    noted = after.transit - (before.transit if _turn(before) == _turn(after) else 0)
    then, now = goods(before), goods(after)
    entries = (treasury[:, _OF_GOODS] + private[:, _OF_GOODS]).sum(axis=(0, 1))
    for what in range(item.FUNDS):
        expected = int(then[what] - entries[what] + noted[what])
        if now[what] != expected:
            yield f"{ITEM_NAMES[what]} in no stock is {int(now[what])}, expected {expected}"
    booked = _THOUSANDTHS * int(treasury[:, _OF_MONEY, item.FUNDS].sum())
    booked += int(private[:, _OF_MONEY, item.FUNDS].sum()) + _carried(before, after)
    booked -= _taxed(before, after, int(private[:, cause.HOUSEHOLD_SALE, item.FUNDS].sum()))
    held = money(after, rules)
    expected = money(before, rules) - booked + _THOUSANDTHS * int(noted[item.FUNDS])
    if held != expected:
        yield f"money in no stock is {_funds(held)}, expected {_funds(expected)}"
    if min(now) < 0 or min(money_held(after, rules)) < 0:
        yield "a quantity or money in no stock is below 0"


def goods(world: World) -> NDArray[Any]:
    """Units of each item that are in no stock, money as funds."""
    found = np.zeros(item.COUNT, np.int64)
    cargo, offers, sent = world.parcels, world.lots, world.transports
    for entries, is_there, column in (
        (cargo, cargo["state"] != parcel.FREE, "quantity"),
        (offers, offers["state"] == lot.OPEN, "quantity"),
        (sent, sent["kind"] > 0, "waiting"),
    ):
        np.add.at(found, np.asarray(entries["what"])[is_there], np.asarray(entries[column])[is_there])
    return found


def money(world: World, rules: Rules) -> int:
    """Money in no stock, in thousandths of funds: held for deals, or itself on the way."""
    return sum(money_held(world, rules)) + _THOUSANDTHS * int(goods(world)[item.FUNDS])


def money_held(world: World, rules: Rules) -> list[int]:
    """Money held for goods, in thousandths: with those of private trade, with bids, with transports."""
    cargo, offers, sent = world.parcels, world.lots, world.transports
    sold = (cargo["state"] != parcel.FREE) & (cargo["kind"] == parcel.TRADE)
    each = np.asarray(cargo["price"]) + np.asarray(cargo["tariff"])
    with_trade = np.asarray(cargo["quantity"])[sold] * each[sold]
    bids = np.asarray(offers["bid"])[offers["state"] == lot.OPEN]
    percent = int(rules.scalars["auction_freight_percent"][0])
    with_bids = bids + -(-bids * percent // _PERCENT)  # the freight part is rounded up: AUC-002
    chosen = sent["kind"] > 0
    with_sent = np.asarray(sent["price"])[chosen] + np.asarray(sent["freight"])[chosen]
    return [int(with_trade.sum()), _THOUSANDTHS * int(with_bids.sum()), _THOUSANDTHS * int(with_sent.sum())]


def _carried(before: World, after: World) -> int:
    """How much more the treasuries are yet to be credited, in thousandths; one founded anew starts at 0."""
    then, now = before.nations, after.nations
    same = then["founded"] == now["founded"]
    return int((np.asarray(now["carry"]) - np.asarray(then["carry"]))[same].sum())


def _taxed(before: World, after: World, kept: int) -> int:
    """What households paid and private sectors did not keep: the tax, which comes from nowhere (IND-047)."""
    slot = _turn(after) % MARKET_TURNS
    paid = int(np.asarray(after.nations["household_sales"])[:, slot].sum())
    if _turn(before) == _turn(after):
        paid -= int(np.asarray(before.nations["household_sales"])[:, slot].sum())
    return paid - kept


def _turn(world: World) -> int:
    return int(world.clock["turn"][0])


def _funds(thousandths: int) -> str:
    return f"{thousandths / _THOUSANDTHS:.3f}".rstrip("0").rstrip(".")
