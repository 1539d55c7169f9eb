"""Goods that nations send each other, as records: from the order to the settlement (MER-017, MER-078).

Of each transport: waiting + under way + arrived + lost = quantity. What is under way are the parcels of its
number. Whoever carries these first lessens or frees the parcel and then tells here what became of the goods;
when nothing waits and nothing is under way, price and freight are settled, once, and the record is free.
"""

from __future__ import annotations

import numpy as np

from hakoenv.engine import happenings, stock
from hakoenv.engine.codes import cause, event, item, parcel
from hakoenv.engine.kernel import kernel
from hakoenv.engine.shipping import jobs, parcels
from hakoenv.engine.trade import lots
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

NONE = -1
_CAUSES = np.zeros(parcel.BOND + 1, np.int64)
_CAUSES[[parcel.AID, parcel.EXCHANGE, parcel.REGULAR, parcel.AUCTION]] = (
    cause.AID, cause.EXCHANGE, cause.SHIPMENT, cause.AUCTION,
)  # fmt: skip


@kernel
def open(world: World, kind: int, what: int, quantity: int, sender: int, receiver: int) -> int:
    """Make a transport of goods that have left their stock; all of them wait for a carrier.

    Price, freight, port and deal are 0, 0, the nearest and none.

    Returns:
        Its place, or -1 if the list is full.
    """
    t = _new_place(world)
    if t < 0:
        return NONE
    entry = world.transports[t]
    entry.quantity = entry.waiting = quantity
    entry.arrived = entry.price = entry.freight = 0
    entry.created = world.clock[0].turn
    entry.port = entry.deal = NONE
    entry.sender = sender
    entry.receiver = receiver
    entry.what = what
    entry.kind = kind
    return t


@kernel
def _new_place(world: World) -> int:
    """A free place, above all that are used if there is one: so places go by age within a turn."""
    last = lowest = NONE
    for t in range(world.transports.shape[0]):
        if world.transports[t].kind != 0:
            last = t
        elif lowest < 0:
            lowest = t
    return last + 1 if last + 1 < world.transports.shape[0] else lowest


@kernel
def free_places(world: World) -> int:
    """How many more transports find a place in the list."""
    count = 0
    for t in range(world.transports.shape[0]):
        count += world.transports[t].kind == 0
    return int(count)


@kernel
def has_room(world: World, count: int) -> bool:
    """Whether so many more transports find a place beside those that open lots need when they are sold."""
    return free_places(world) - lots.count_open(world, NONE) >= count


@kernel
def left(world: World, rules: Rules, nation: int) -> int:
    """How many more transports of aid and exchanges a nation may send before one of them is finished."""
    count = 0
    for t in range(world.transports.shape[0]):
        entry = world.transports[t]
        is_gift = entry.kind == parcel.AID or entry.kind == parcel.EXCHANGE
        count += is_gift and entry.sender == nation
    return int(max(0, rules.scalars[0].diplomacy_transports_max - count))


@kernel
def next_waiting(world: World, created: int, place: int) -> int:
    """The first transport whose goods wait, by creation, after one of that turn and place; -1 none."""
    found = NONE
    for t in range(world.transports.shape[0]):
        entry = world.transports[t]
        if entry.kind == 0 or entry.waiting == 0:
            continue
        if entry.created < created or (entry.created == created and t <= place):
            continue
        if found < 0 or entry.created < world.transports[found].created:
            found = t
    return found


@kernel
def is_part(world: World, p: int, t: int) -> bool:
    """Whether a parcel belongs to a transport."""
    entry = world.parcels[p]
    return bool(entry.state != parcel.FREE and entry.deal == t and parcels.is_of_nations(int(entry.kind)))


@kernel
def under_way(world: World, t: int) -> int:
    """What of a transport has a carrier and has neither arrived nor been lost."""
    total = 0
    for p in range(world.clock[0].parcels):
        if is_part(world, p, t):
            total += int(world.parcels[p].quantity)
    return total


@kernel
def arrived(world: World, rules: Rules, t: int, quantity: int) -> None:
    """So much has come to the receiver's treasury, without tariff (MER-017)."""
    entry = world.transports[t]
    entry.arrived += quantity
    _give(world, rules, int(entry.receiver), int(entry.what), quantity, int(_CAUSES[entry.kind]))
    settle(world, rules, t)


@kernel
def lost(world: World, rules: Rules, t: int, quantity: int) -> None:
    """So much was sunk or looted (AID-020, MER-058): nobody gets it, and nobody pays for it."""
    settle(world, rules, t)


@kernel
def returned(world: World, rules: Rules, t: int, quantity: int) -> None:
    """So much of what was under way has come back to the sender's treasury (AUC-009, MER-078)."""
    entry = world.transports[t]
    _give(world, rules, int(entry.sender), int(entry.what), quantity, int(cause.RETURNED))
    settle(world, rules, t)


@kernel
def recall(world: World, rules: Rules, t: int) -> None:
    """What still waits for a carrier goes back to the sender."""
    quantity = int(world.transports[t].waiting)
    world.transports[t].waiting = 0
    returned(world, rules, t, quantity)


@kernel
def undo(world: World, rules: Rules, t: int) -> None:
    """A deal is given up: what has not arrived goes back, and what is held is settled now (AUC-009, AUC-017).

    What waits, or lies ashore for a ship, is in the sender's treasury at once; what is aboard goes home.
    """
    quantity = int(world.transports[t].waiting)
    world.transports[t].waiting = 0
    for p in range(world.parcels.shape[0]):
        if not is_part(world, p, t):
            continue
        ship = int(world.parcels[p].ship)
        if world.parcels[p].state == parcel.ABOARD:
            world.parcels[p].receiver = world.parcels[p].source
        else:
            quantity += int(world.parcels[p].quantity)
            parcels.free(world, p)
        if ship >= 0:
            jobs.next_job(world, rules, ship)
    _pay_out(world, rules, t)
    returned(world, rules, t, quantity)


@kernel
def settle(world: World, rules: Rules, t: int) -> None:
    """Once all has arrived, been lost or come back, the transport is over and what is held is paid out."""
    entry = world.transports[t]
    if entry.waiting == 0 and under_way(world, t) == 0:
        _pay_out(world, rules, t)
        sender, receiver = int(entry.sender), int(entry.receiver)
        happenings.record_between(world, event.DELIVERED, sender, receiver, -1, int(entry.arrived))
        free(world, t)


@kernel
def _pay_out(world: World, rules: Rules, t: int) -> None:
    """Pay what is held for a transport (AUC-007 .. AUC-009, SHIP-011); an auction is over with it.

    The sender gets the price of the part that arrived, floored; the receiver the rest of it, and what was
    held for freight and not used.
    """
    entry = world.transports[t]
    price = int(entry.price)
    paid = price * int(entry.arrived) // max(1, int(entry.quantity))
    _give(world, rules, int(entry.sender), int(item.FUNDS), paid, int(_CAUSES[entry.kind]))
    rest = price - paid + int(entry.freight)
    _give(world, rules, int(entry.receiver), int(item.FUNDS), rest, int(cause.RETURNED))
    entry.price = entry.freight = 0
    if entry.kind == parcel.AUCTION and entry.deal >= 0:
        lots.free(world, int(entry.deal))
        entry.deal = NONE


@kernel
def settle_finished(world: World, rules: Rules) -> None:
    """Settle every transport of which nothing is left to be carried."""
    for t in range(world.transports.shape[0]):
        if world.transports[t].kind != 0:
            settle(world, rules, t)


@kernel
def end_nation(world: World, rules: Rules, n: int) -> None:
    """Transports from and to a fallen nation are given up: its own goods vanish, others' go back (MER-081).

    What is held is paid now, so that nothing is left for whoever takes the seat later.
    """
    for t in range(world.transports.shape[0]):
        entry = world.transports[t]
        if entry.kind != 0 and (entry.sender == n or entry.receiver == n):
            undo(world, rules, t)


@kernel
def _give(world: World, rules: Rules, nation: int, what: int, amount: int, why: int) -> None:
    """Goods or funds come to a nation's treasury; what a fallen one would get is lost with it."""
    if world.nations[nation].alive:
        stock.gain(world, rules, nation, what, amount, why)
    else:
        stock.vanish(world, what, amount)


@kernel
def free(world: World, t: int) -> None:
    """A transport is over: its place is free, all bytes 0."""
    entry = world.transports[t]
    entry.quantity = entry.waiting = entry.arrived = entry.price = entry.freight = 0
    entry.created = entry.port = entry.deal = 0
    entry.sender = entry.receiver = 0
    entry.what = entry.kind = 0
