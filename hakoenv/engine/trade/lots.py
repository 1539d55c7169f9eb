"""Auctions as records: their list, its places and what is counted in it (AUC-014)."""

from __future__ import annotations

from hakoenv.engine.codes import lot
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World

NONE = -1


@kernel
def find(world: World, number: int) -> int:
    """The place of the open lot of a number, -1 none."""
    for k in range(world.lots.shape[0]):
        if world.lots[k].state == lot.OPEN and world.lots[k].number == number:
            return k
    return NONE


@kernel
def free_place(world: World) -> int:
    """A free place in the list, -1 if it is full."""
    for k in range(world.lots.shape[0]):
        if world.lots[k].state == lot.FREE:
            return k
    return NONE


@kernel
def count_open(world: World, seller: int) -> int:
    """Open lots of a nation, -1: of all; sold ones that are under way do not count (AUC-014)."""
    count = 0
    for k in range(world.lots.shape[0]):
        entry = world.lots[k]
        count += entry.state == lot.OPEN and (seller < 0 or entry.seller == seller)
    return count


@kernel
def count_of_item(world: World, what: int) -> int:
    """Open lots of an item in the world (AUC-021)."""
    count = 0
    for k in range(world.lots.shape[0]):
        count += world.lots[k].state == lot.OPEN and world.lots[k].what == what
    return count


@kernel
def next_by_number(world: World, after: int) -> int:
    """The place of the lot of the lowest number above ``after``, open or sold; -1 none."""
    found = NONE
    for k in range(world.lots.shape[0]):
        entry = world.lots[k]
        if entry.state != lot.FREE and entry.number > after:
            if found < 0 or entry.number < world.lots[found].number:
                found = k
    return found


@kernel
def free(world: World, k: int) -> None:
    """An auction is over: its place is free, all bytes 0."""
    entry = world.lots[k]
    entry.quantity = entry.min_price = entry.bid = 0
    entry.number = entry.deadline = entry.settled = 0
    entry.seller = entry.bidder = 0
    entry.what = entry.extensions = entry.state = 0
