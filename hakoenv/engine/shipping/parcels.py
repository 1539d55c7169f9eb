"""Goods that are in no stock, as records: aboard a ship, ashore for one, or in bonded storage.

What becomes of them when they arrive, are lost or go back is `cargo.py`.
"""

from __future__ import annotations

from hakoenv.engine.codes import item, parcel
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import vessels
from hakoenv.engine.rounding import ceil_div
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

NONE = -1


@kernel
def containers(rules: Rules, what: int, quantity: int) -> int:
    """Containers that a quantity of one item fills (MER-007); money takes none (MER-008)."""
    if what == item.FUNDS or quantity <= 0:
        return 0
    return int(ceil_div(quantity, max(1, int(rules.resources[what].units_per_container))))


@kernel
def units_in(rules: Rules, what: int, room: int) -> int:
    """Units of an item that so many containers hold."""
    return int(max(0, room) * max(1, int(rules.resources[what].units_per_container)))


@kernel
def is_of_nations(kind: int) -> bool:
    """Whether a parcel is a part of a transport between nations (MER-017)."""
    return bool(parcel.FIRST_OF_NATIONS <= kind <= parcel.LAST_OF_NATIONS)


@kernel
def free_place(world: World) -> int:
    """A free place in the list, -1 if it is full."""
    for p in range(world.parcels.shape[0]):
        if world.parcels[p].state == parcel.FREE:
            return p
    return NONE


@kernel
def put(
    world: World, kind: int, what: int, quantity: int, source: int, receiver: int, ship: int, port: int
) -> int:
    """Make a parcel: aboard ``ship`` if ``port`` is -1, else ashore there, for a ship if there is one.

    Price, tariff and deal are 0, 0 and none.

    Returns:
        Its index, or -1 if the list is full.
    """
    p = free_place(world)
    if p < 0:
        return NONE
    world.clock[0].parcels = max(int(world.clock[0].parcels), p + 1)
    entry = world.parcels[p]
    entry.quantity = quantity
    entry.price = entry.tariff = 0
    entry.port = port
    entry.turn = world.clock[0].turn
    entry.deal = NONE
    entry.ship = ship
    entry.source = source
    entry.receiver = receiver
    entry.what = what
    entry.kind = kind
    entry.state = parcel.ABOARD if port < 0 else (parcel.ASHORE if ship >= 0 else parcel.BONDED)
    return p


@kernel
def free(world: World, p: int) -> None:
    """A parcel is no more: its place is free, all bytes 0."""
    entry = world.parcels[p]
    entry.quantity = entry.price = entry.tariff = 0
    entry.port = entry.turn = entry.deal = 0
    entry.ship = entry.source = entry.receiver = 0
    entry.what = entry.kind = entry.state = 0
    while world.clock[0].parcels > 0 and world.parcels[world.clock[0].parcels - 1].state == parcel.FREE:
        world.clock[0].parcels -= 1


@kernel
def split(world: World, p: int, quantity: int) -> int:
    """Take a part of a parcel into one of its own, like it in all else; all of it is the parcel itself.

    Returns:
        The index of the part, or -1 if the list is full.
    """
    entry = world.parcels[p]
    if quantity >= entry.quantity:
        return p
    part = put(
        world,
        int(entry.kind),
        int(entry.what),
        quantity,
        int(entry.source),
        int(entry.receiver),
        int(entry.ship),
        int(entry.port),
    )
    if part >= 0:
        other = world.parcels[part]
        other.price = entry.price
        other.tariff = entry.tariff
        other.turn = entry.turn
        other.deal = entry.deal
        other.state = entry.state
        entry.quantity -= quantity
    return part


@kernel
def take(world: World, p: int, quantity: int) -> None:
    """So much of a parcel is no longer in it; an empty one is no more."""
    world.parcels[p].quantity -= quantity
    if world.parcels[p].quantity <= 0:
        free(world, p)


@kernel
def bring_aboard(world: World, p: int, quantity: int) -> int:
    """So much of a parcel ashore comes aboard its ship, to what is aboard of the same goods (MER-012).

    Returns:
        How much it was: none if it needs a parcel of its own and the list is full.
    """
    for other in range(world.clock[0].parcels):
        if world.parcels[other].state == parcel.ABOARD and _is_same(world, p, other):
            world.parcels[other].quantity += quantity
            take(world, p, quantity)
            return quantity
    part = split(world, p, quantity)
    if part < 0:
        return 0
    world.parcels[part].port = NONE
    world.parcels[part].state = parcel.ABOARD
    return quantity


@kernel
def _is_same(world: World, p: int, other: int) -> bool:
    """Whether two parcels are parts of one cargo entry: one owner, destination and deal (MER-007)."""
    a, b = world.parcels[p], world.parcels[other]
    return bool(
        a.ship == b.ship
        and a.what == b.what
        and a.kind == b.kind
        and a.deal == b.deal
        and a.source == b.source
        and a.receiver == b.receiver
        and a.price == b.price
        and a.tariff == b.tariff
        and a.kind != parcel.BOND  # its price is the value of the whole
    )


@kernel
def goes_back(world: World, p: int) -> bool:
    """Whether the goods of a parcel are their owner's own, or on their way back to it (MER-073, MER-078)."""
    entry = world.parcels[p]
    return bool(
        entry.kind == parcel.OWN or (is_of_nations(int(entry.kind)) and entry.receiver == entry.source)
    )


@kernel
def of_ship(world: World, p: int, ship: int) -> bool:
    """Whether a parcel is a ship's cargo, aboard or still ashore."""
    entry = world.parcels[p]
    return bool(entry.state != parcel.FREE and entry.state != parcel.BONDED and entry.ship == ship)


@kernel
def aboard(world: World, ship: int) -> bool:
    """Whether anything is aboard a ship."""
    for p in range(world.clock[0].parcels):
        if world.parcels[p].state == parcel.ABOARD and world.parcels[p].ship == ship:
            return True
    return False


@kernel
def ashore(world: World, ship: int) -> bool:
    """Whether some of a ship's cargo is still to be loaded."""
    for p in range(world.clock[0].parcels):
        if world.parcels[p].state == parcel.ASHORE and world.parcels[p].ship == ship:
            return True
    return False


@kernel
def capacity(world: World, rules: Rules, ship: int, of_nations: bool) -> int:
    """Containers that a ship holds: with its owner's research, without it for nations' goods (MER-010)."""
    record = world.ships[ship]
    base = int(rules.ship_classes[record.kind].capacity_containers)
    return base if of_nations or record.owner < 0 else vessels.shipped(world, rules, int(record.owner), base)
