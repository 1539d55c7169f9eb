"""Open auctions and regular shipments as lists: menus and observations number them alike.

A list holds what there is in the order of its numbers, and the first `LISTED` if that is more: place k of
`open_lots`, `offers_received` or `offers_made` in an observation is choice k of the menu of that name.
Kernels write into an array (LISTED, 2) int64: place in the World, number.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine.codes import lot
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World

LISTED = 32  # entries of a list at most
PLACE = 0  # columns of a list
NUMBER = 1


@kernel
def open_lots(world: World, found: NDArray[np.int64]) -> int:
    """List the lots that are open, which everybody knows (AUC-001); how many there are."""
    count = 0
    for k in range(world.lots.shape[0]):
        if world.lots[k].state == lot.OPEN:
            enter(found, count, k, int(world.lots[k].number))
            count += 1
    return count


@kernel
def offers_received(world: World, n: int, found: NDArray[np.int64]) -> int:
    """List the regular shipments that others offer to nation ``n`` (SHIP-002); how many there are."""
    count = 0
    for k in range(world.promises.shape[0]):
        entry = world.promises[k]
        if entry.number > 0 and entry.accepted == 0 and entry.buyer == n:
            enter(found, count, k, int(entry.number))
            count += 1
    return count


@kernel
def offers_made(world: World, n: int, found: NDArray[np.int64]) -> int:
    """List the regular shipments that nation ``n`` offers to others (SHIP-002); how many there are."""
    count = 0
    for k in range(world.promises.shape[0]):
        entry = world.promises[k]
        if entry.number > 0 and entry.accepted == 0 and entry.seller == n:
            enter(found, count, k, int(entry.number))
            count += 1
    return count


@kernel
def running_shipments(world: World, n: int, found: NDArray[np.int64]) -> int:
    """List the accepted regular shipments that nation ``n`` has a part in; how many there are."""
    count = 0
    for k in range(world.promises.shape[0]):
        entry = world.promises[k]
        if entry.number > 0 and entry.accepted > 0 and (entry.buyer == n or entry.seller == n):
            enter(found, count, k, int(entry.number))
            count += 1
    return count


@kernel
def size(found: NDArray[np.int64], count: int) -> int:
    """How many of ``count`` entries a list holds."""
    return min(count, found.shape[0])


@kernel
def enter(found: NDArray[np.int64], count: int, place: int, number: int) -> None:
    """Enter one more into a list of ``count`` in the order of numbers; what has no room falls off its end."""
    room = found.shape[0]
    at = min(count, room)
    while at > 0 and found[at - 1, NUMBER] > number:
        if at < room:
            found[at, PLACE] = found[at - 1, PLACE]
            found[at, NUMBER] = found[at - 1, NUMBER]
        at -= 1
    if at < room:
        found[at, PLACE] = place
        found[at, NUMBER] = number
