"""Reserves that a nation's warships bring to a faction mate over the sea (AID-013 .. AID-016, TURN-074).

An order of phase 14 stands in the results of the turn; in phase 16 its reserves leave the pool and go aboard.
From then on the ship sails by itself, whatever its fleet is bound for, unless it is stopped or moved by hand:
to the nearest port of the mate and, when it has unloaded there, back to the naval port where it took them
aboard, until its fleet is bound for somewhere (AID-026). It does so without the port's containers.

Reserves are never lost but with their ship. While the other nation is no mate any more, has fallen or has no
port that the ship could reach, they are for their own nation again: the ship makes for the nearest own port,
and what it brings there rejoins the reserves.
"""

from __future__ import annotations

from typing import Any

from hakoenv.engine import happenings, hexgrid, nation_order
from hakoenv.engine.codes import command as number
from hakoenv.engine.codes import event, item, reason, terrain
from hakoenv.engine.diplomacy import relations
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import fleets, routes, vessels, waters
from hakoenv.engine.view import is_warship
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

NONE = -1
NOWHERE = -1
RESERVES = item.COUNT  # the item of command 123 that means reserves
_NEIGHBOURS = 6
_BLOCKED = 1 << 20  # more than any way is long


@kernel
def is_order(order: Any, turn: int) -> bool:
    """Whether an entry of a plan or of the results is an order of this kind that was accepted in ``turn``."""
    is_aid = order.command == number.NATIONAL_AID and order.x == RESERVES
    return bool(is_aid and order.turn == turn and order.reason == reason.DONE)


@kernel
def may_receive(world: World, nation: int, other: int) -> bool:
    """Whether another nation may be sent reserves: a living mate (AID-004)."""
    return bool(relations.are_mates(world, nation, other) and world.nations[other].alive == 1)


# ---------------------------------------------------------------- loading


@kernel
def room(rules: Rules, kind: int) -> int:
    """Reserves that a ship of a class holds (AID-015); what is no warship carries none (AID-003)."""
    if not is_warship(kind):
        return 0
    return int(min(rules.scalars[0].aid_ship_strength, rules.ship_classes[kind].capacity_strength))


@kernel
def next_free(world: World, rules: Rules, nation: int, first: int) -> int:
    """The first warship from a place of the list on that could take reserves aboard where it lies; -1 none.

    Beside an own naval port, with room, neither reserves nor a unit aboard (AID-013, AID-015).
    """
    for ship in range(first, world.clock[0].ships):
        record = world.ships[ship]
        if record.kind == 0 or record.owner != nation or record.aid > 0 or room(rules, int(record.kind)) == 0:
            continue
        beside = _port_beside(world, nation, int(record.cell), False)
        if beside >= 0 and vessels.carried(world, ship) < 0:
            return ship
    return NONE


@kernel
def _port_beside(world: World, nation: int, cell: int, any_port: bool) -> int:
    """The first naval port of a nation beside a cell, or also port; -1 none."""
    height, width = world.cells.shape
    for direction in range(1, _NEIGHBOURS + 1):
        near = hexgrid.neighbour(width, height, cell, direction)
        if near >= 0 and _is_port(world, nation, near, any_port):
            return near
    return NOWHERE


@kernel
def _is_port(world: World, nation: int, cell: int, any_port: bool) -> bool:
    """Whether a cell is a naval port of a nation, or also a port."""
    place = world.cells.flat[cell]
    if place.owner != nation:
        return False
    return bool(place.terrain == terrain.NAVAL_PORT or (any_port and place.terrain == terrain.PORT))


@kernel
def promised(world: World, rules: Rules, nation: int, turn: int) -> tuple[int, int]:
    """What a nation's earlier orders of ``turn`` will take: the first ship left to later ones, and strength.

    The ship is a place of the list from which `next_free` goes on.
    """
    first = strength = 0
    if turn != world.clock[0].turn:
        return first, strength
    for k in range(int(world.nations[nation].plan_length)):
        order = world.plans[nation, k]
        if not is_order(order, turn):
            continue
        left = int(order.amount)
        while left > 0:
            ship = next_free(world, rules, nation, first)
            if ship < 0:
                return world.ships.shape[0], strength
            part = min(left, room(rules, int(world.ships[ship].kind)))
            left -= part
            strength += part
            first = ship + 1
    return first, strength


@kernel
def load(world: World, rules: Rules) -> None:
    """The reserves ordered in this turn go aboard, nation by nation and order by order (phase 16)."""
    turn = int(world.clock[0].turn)
    for k in range(nation_order.count(world)):
        nation = int(world.order[k])
        for place in range(int(world.nations[nation].result_count)):
            order = world.results[nation, place]
            if is_order(order, turn):
                _go_aboard(world, rules, nation, int(order.target), int(order.amount))


@kernel
def _go_aboard(world: World, rules: Rules, nation: int, mate: int, strength: int) -> None:
    """Load free ships that know a way to the mate, the lowest number first, with what is left in the pool."""
    record = world.nations[nation]
    left = min(strength, int(record.reserves))
    if not may_receive(world, nation, mate):
        return
    ship = next_free(world, rules, nation, 0)
    while left > 0 and ship >= 0:
        vessel = world.ships[ship]
        if can_reach(world, rules, ship, mate):
            part = min(left, room(rules, int(vessel.kind)))
            left -= part
            record.reserves -= part
            vessel.aid = part
            vessel.aid_to = mate
            world.jobs[ship].goal = _port_beside(world, nation, int(vessel.cell), False)
            happenings.record_between(world, event.RESERVES_SENT, nation, mate, int(vessel.cell), part)
        ship = next_free(world, rules, nation, ship + 1)


# ---------------------------------------------------------------- under way


@kernel
def errand(world: World, rules: Rules, ship: int) -> int:
    """Where a warship sails for the sake of reserves, whatever its fleet does; -1: it follows its fleet."""
    record = world.ships[ship]
    nation, mate = int(record.owner), int(record.aid_to)
    if record.aid > 0:
        port = nearest_port(world, rules, ship, mate) if may_receive(world, nation, mate) else NOWHERE
        return port if port >= 0 else nearest_port(world, rules, ship, nation)
    home = int(world.jobs[ship].goal)
    if home < 0:
        return NOWHERE
    stays_away = _is_led(world, ship) or not _is_port(world, nation, home, False)
    if stays_away or routes.is_reached(world, rules, nation, ship, home):
        world.jobs[ship].goal = NOWHERE
        return NOWHERE
    return home


@kernel
def _is_led(world: World, ship: int) -> bool:
    """Whether a ship's fleet has somewhere to go, or it escorts another one."""
    record = world.ships[ship]
    if record.fleet < 0:
        return False
    banner = world.fleets[record.owner, record.fleet]
    return bool(fleets.goal(banner) >= 0 or (record.escort == 1 and banner.flagship != ship))


@kernel
def can_reach(world: World, rules: Rules, ship: int, nation: int) -> bool:
    """Whether a ship's nation knows a way to a port or naval port of a nation, whoever lies in the way."""
    for cell in range(world.cells.size):
        if _is_port(world, nation, cell, True):
            if routes.measure(world, rules, int(world.ships[ship].owner), ship, cell)[0] >= 0:
                return True
    return False


@kernel
def nearest_port(world: World, rules: Rules, ship: int, nation: int) -> int:
    """The port or naval port of a nation that is nearest to a ship by sea, the lowest of equals; -1 none.

    The way is what the ship's nation knows. A port where no water is free counts after all others, and the
    ship waits for it to become free (AID-026): its owner tells who lies there, lest the ship turn to and fro.
    """
    found, least = NOWHERE, 0
    for cell in range(world.cells.size):
        if not _is_port(world, nation, cell, True):
            continue
        steps, around = routes.measure(world, rules, int(world.ships[ship].owner), ship, cell)
        if steps < 0:
            continue
        if not around or not _has_free_berth(world, rules, nation, ship, cell):
            steps += _BLOCKED
        if found < 0 or steps < least:
            found, least = cell, steps
    return found


@kernel
def _has_free_berth(world: World, rules: Rules, host: int, ship: int, port: int) -> bool:
    """Whether a ship could lie beside a port, as the port's owner sees it."""
    height, width = world.cells.shape
    record = world.ships[ship]
    for direction in range(1, _NEIGHBOURS + 1):
        near = hexgrid.neighbour(width, height, port, direction)
        if near < 0 or (near != record.cell and waters.is_taken(world, rules, host, near)):
            continue
        if waters.way(world, rules, host, int(record.owner), int(record.kind), near) == waters.OPEN:
            return True
    return False


@kernel
def knows_way(world: World, rules: Rules, nation: int, first: int, other: int) -> bool:
    """Whether a free ship, from a place of the list on, can reach a port of another nation."""
    ship = next_free(world, rules, nation, first)
    while ship >= 0:
        if can_reach(world, rules, ship, other):
            return True
        ship = next_free(world, rules, nation, ship + 1)
    return False


# ---------------------------------------------------------------- unloading


@kernel
def unload(world: World, rules: Rules) -> None:
    """Ships beside a port of the mate to whom they bring reserves put these ashore (phases 20, 22, 25)."""
    for ship in range(world.clock[0].ships):
        if world.ships[ship].aid > 0:
            _unload(world, rules, ship)


@kernel
def _unload(world: World, rules: Rules, ship: int) -> None:
    """Beside an own port reserves rejoin their nation's if there is nobody that they could be brought to."""
    record = world.ships[ship]
    nation, mate, cell = int(record.owner), int(record.aid_to), int(record.cell)
    is_for_mate = may_receive(world, nation, mate)
    port = _port_beside(world, mate, cell, True) if is_for_mate else NOWHERE
    if port >= 0:
        _put_ashore(world, ship, mate, event.RESERVES_ARRIVED, port)
        return
    port = _port_beside(world, nation, cell, True)
    if port >= 0 and not (is_for_mate and can_reach(world, rules, ship, mate)):
        _put_ashore(world, ship, nation, event.RESERVES_RETURNED, port)
        world.jobs[ship].goal = NOWHERE


@kernel
def _put_ashore(world: World, ship: int, receiver: int, kind: int, port: int) -> None:
    """The reserves aboard enter a nation's pool."""
    record = world.ships[ship]
    strength = int(record.aid)
    world.nations[receiver].reserves += strength
    happenings.record_between(world, kind, int(record.owner), int(record.aid_to), port, strength)
    record.aid = 0
    record.aid_to = NONE
