"""Who carries goods from one nation to another, and for how much (MER-015, MER-016, MER-078, AID-017).

Over land if the two nations border on each other and both gates are open, else on a private ship that lies
idle near a port of the sender. A ship of nations' goods holds its base capacity, whatever its owner knows of
shipping (MER-010).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hakoenv.engine import hexgrid, stock
from hakoenv.engine.codes import cause, item
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import vessels
from hakoenv.engine.rounding import ceil_div
from hakoenv.engine.shipping import charts, harbours, jobs, parcels
from hakoenv.engine.trade import land_route, market, partners
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

NONE = -1
NEAREST = -1  # in place of a receiving port
_OTHERS = 1 << 20  # ships of others come after all own ones
_NEIGHBOURS = 6


@kernel
def is_possible(world: World, rules: Rules, sender: int, receiver: int, port: int) -> bool:
    """Whether goods can go from a nation to another as both now stand, to a port or the nearest one."""
    return by_sea(world, sender, receiver, port) or partners.by_land(world, rules, sender, receiver)


@kernel
def by_sea(world: World, sender: int, receiver: int, port: int) -> bool:
    """Whether ships may take goods there; of ports only the receiver's are asked, as on the way (MER-078)."""
    if not partners.may_call(world, receiver, sender) or not owns_port(world, sender, NEAREST):
        return False
    return owns_port(world, receiver, port)


@kernel
def owns_port(world: World, nation: int, port: int) -> bool:
    """Whether a port, or with `NEAREST` any, is a nation's."""
    is_any = port == NEAREST
    for h in range(world.harbours.shape[0]):
        cell = int(world.harbours[h].cell)
        if (is_any or port == cell) and harbours.is_port_of(world, cell, nation):
            return True
    return False


@kernel
def land_fare(rules: Rules, containers: int) -> int:
    """What a nation pays for containers that go over land, in whole funds (MER-015)."""
    return int(ceil_div(land_route.freight(rules, containers), stock.THOUSANDTHS))


@kernel
def sea_fare(rules: Rules, containers: int, cells: int, called: int) -> int:
    """What a nation pays for a voyage of so many cells, with the call of the ship (MER-015, MER-016)."""
    s = rules.scalars[0]
    voyage = market.worth(market.worth(containers, cells), market.permille(s.sea_freight_per_container_cell))
    return int(ceil_div(voyage, stock.THOUSANDTHS) + called * s.aid_call_freight)


@kernel
def most_aboard(world: World, rules: Rules, ship: int, what: int, quantity: int) -> int:
    """Units of an item that a ship takes of so many; money needs no room (MER-008, MER-010)."""
    if what == item.FUNDS:
        return quantity
    return int(min(quantity, parcels.units_in(rules, what, parcels.capacity(world, rules, ship, True))))


@kernel(allocates=True)
def find_ship(
    world: World, rules: Rules, sender: int, receiver: int, what: int, quantity: int, port: int, most: int
) -> tuple[int, int, int, int]:
    """The first ship that can be hired for at most so many funds, in the order of MER-016.

    The sender's own come before others, the nearest by its route to a port of the sender first, then the
    lowest number.

    Returns:
        The ship (-1 none), the cells of the ports where it loads and unloads, and its fare.
    """
    found = loading = goal = NONE
    price = first = 0
    ports = np.empty(world.harbours.shape[0], np.int64)
    count = _list_ports(world, sender, ports)
    for ship in range(world.clock[0].ships):
        if not vessels.is_merchant(int(world.ships[ship].kind)):
            continue
        start, called = _nearest_port(world, ports, count, int(world.ships[ship].cell))
        if start < 0 or called > rules.scalars[0].aid_hire_distance:
            continue
        if not may_hire(world, rules, ship, sender, receiver):
            continue
        rank = called if world.ships[ship].owner == sender else called + _OTHERS
        if found >= 0 and rank >= first:
            continue
        end, cells = way_between(world, rules, start, receiver, port)
        taken = most_aboard(world, rules, ship, what, quantity)
        fare = sea_fare(rules, parcels.containers(rules, what, taken), cells, called)
        if end >= 0 and taken > 0 and fare <= most:
            found, loading, goal, price, first = ship, start, end, fare, rank
    return found, loading, goal, price


@kernel
def may_hire(world: World, rules: Rules, ship: int, sender: int, receiver: int) -> bool:
    """Whether a merchant is idle, and its owner may call at ports of both nations (AID-018, MER-075)."""
    if not jobs.is_idle(world, rules, ship):
        return False
    owner = int(world.ships[ship].owner)
    return partners.may_call(world, sender, owner) and partners.may_call(world, receiver, owner)


@kernel
def _list_ports(world: World, nation: int, ports: Any) -> int:
    """Write the places in the list of ports of those of a nation; return how many they are."""
    count = 0
    for h in range(world.harbours.shape[0]):
        if world.harbours[h].cell >= 0 and harbours.owner(world, h) == nation:
            ports[count] = h
            count += 1
    return count


@kernel
def _nearest_port(world: World, ports: Any, count: int, cell: int) -> tuple[int, int]:
    """The listed port nearest to a water cell by route, the lowest of equals, and how far; -1 none."""
    port, least = NONE, 0
    for k in range(count):
        h = int(ports[k])
        place = int(world.harbours[h].cell)
        away = charts.way(world, h, cell)
        if away >= 0 and (port < 0 or away < least or (away == least and place < port)):
            port, least = place, away
    return port, least


@kernel
def way_between(world: World, rules: Rules, start: int, receiver: int, port: int) -> tuple[int, int]:
    """The receiver's port that is nearest to a loading port, or the one named, and its route; -1 none.

    The route is the shortest from a berth of the loading port, as remembered (MER-067, MER-078): what lies on
    the water since then, such as a mine that nobody has seen, doesn't count.
    """
    height, width = world.cells.shape
    goal, least = NONE, 0
    for h in range(world.harbours.shape[0]):
        place = int(world.harbours[h].cell)
        if place < 0 or harbours.owner(world, h) != receiver or (port != NEAREST and port != place):
            continue
        for direction in range(1, _NEIGHBOURS + 1):
            berth = hexgrid.neighbour(width, height, start, direction)
            away = NONE if berth < 0 or charts.is_port(world, berth) else charts.way(world, h, berth)
            if away >= 0 and (goal < 0 or away < least or (away == least and place < goal)):
                goal, least = place, away
    return goal, least


@kernel
def hire(
    world: World, rules: Rules, t: int, ship: int, loading: int, goal: int, quantity: int, fare: int
) -> bool:
    """Give a ship goods of a transport to load; its owner has the fare at once and keeps it (AID-018).

    Returns:
        False if there is no place for another parcel; then nothing has changed.
    """
    entry = world.transports[t]
    sender, receiver = int(entry.sender), int(entry.receiver)
    p = parcels.put(world, int(entry.kind), int(entry.what), quantity, sender, receiver, ship, loading)
    if p < 0:
        return False
    world.parcels[p].deal = t
    entry.waiting -= quantity
    jobs.begin(world, ship, goal)
    owner = int(world.ships[ship].owner)
    stock.private_gain(world, rules, owner, int(item.FUNDS), fare * stock.THOUSANDTHS, cause.FREIGHT)
    return True
