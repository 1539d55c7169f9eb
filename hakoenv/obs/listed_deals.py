"""Open auctions, regular shipments and trade leagues as lists: menus and observations number them alike.

A list holds what there is in the order of its numbers, and the first `LISTED` if that is more: place k of
`open_lots`, `offers_received` or `offers_made` in an observation is choice k of the menu of that name; of
trade leagues it is the k-th that exists.
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
OFFERED_TO, OFFERED_BY, RUNNING = 0, 1, 2  # what a regular shipment is to a nation


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
def shipments(world: World, n: int, part: int, found: NDArray[np.int64]) -> int:
    """List a nation's regular shipments of a part (SHIP-002): offered to it, by it, running; how many."""
    count = 0
    for k in range(world.promises.shape[0]):
        if world.promises[k].number > 0 and _part(world, k, n) == part:
            enter(found, count, k, int(world.promises[k].number))
            count += 1
    return count


@kernel
def _part(world: World, k: int, n: int) -> int:
    """What a regular shipment is to a nation: offered to it, offered by it, or running; -1 not its own."""
    entry = world.promises[k]
    if entry.buyer != n and entry.seller != n:
        return -1
    if entry.accepted > 0:
        return int(RUNNING)
    return int(OFFERED_TO if entry.buyer == n else OFFERED_BY)


@kernel
def leagues(world: World, found: NDArray[np.int64]) -> int:
    """List the trade leagues (TRD-012); how many there are."""
    count = 0
    for k in range(world.leagues.shape[0]):
        if world.leagues[k].active:
            enter(found, count, k, k + 1)
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
