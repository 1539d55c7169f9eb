"""Cargo handling at ports (phases 20, 22 and 25; MKT-005 .. MKT-016, MER-011, MER-012).

A port has one allowance a turn, for loading and unloading, all ships and all three phases together. Ships are
served in the order in which they came. What is not handled stays where it is.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hakoenv.engine.codes import job, parcel
from hakoenv.engine.diplomacy import relief
from hakoenv.engine.kernel import kernel
from hakoenv.engine.shipping import cargo, fishing, harbours, jobs, parcels, voyages
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel(allocates=True)
def handle(world: World, rules: Rules) -> None:
    """Ships beside a port load and unload, then fishing boats, then warships with reserves unload.

    TURN-021, TURN-023, TURN-026, TURN-074.
    """
    queue = np.empty(world.ships.shape[0], np.int64)
    for k in range(_line_up(world, queue)):
        ship = int(queue[k])
        if world.jobs[ship].job == job.LOADING:
            _load(world, rules, ship)
        elif world.jobs[ship].job != job.SAILING:  # from its arrival on, which is no port's matter
            _unload(world, rules, ship)
    fishing.unload(world, rules)
    relief.unload(world, rules)


@kernel
def _line_up(world: World, queue: Any) -> int:
    """Write the cargo ships that have work by turn of arrival, then by number (MKT-016)."""
    count = 0
    for ship in range(world.clock[0].ships):
        if not jobs.is_cargo_ship(world, ship) or world.jobs[ship].job == job.IDLE:
            continue
        place = count
        while place > 0 and world.jobs[queue[place - 1]].arrived > world.jobs[ship].arrived:
            queue[place] = queue[place - 1]
            place -= 1
        queue[place] = ship
        count += 1
    return count


@kernel
def _load(world: World, rules: Rules, ship: int) -> None:
    """What lies ashore for a ship comes aboard; with all of it aboard it can sail (MER-077)."""
    for p in range(world.clock[0].parcels):
        entry = world.parcels[p]
        if entry.state != parcel.ASHORE or entry.ship != ship:
            continue
        h = harbours.find(world, int(entry.port))
        if h < 0 or not harbours.is_at(world, ship, int(entry.port)):  # MER-031
            continue
        what = int(entry.what)
        quantity = _most(world, rules, h, p)
        _note(world, rules, ship, h, what, parcels.bring_aboard(world, p, quantity) if quantity > 0 else 0)
    if not parcels.ashore(world, ship):
        voyages.pay_freight(world, rules, ship)
        jobs.next_job(world, rules, ship)


@kernel
def _unload(world: World, rules: Rules, ship: int) -> None:
    """What a ship has brought comes ashore; an empty one can go home (MER-077).

    Private goods that find no room are no longer sold: they go home with the ship (MER-073).
    """
    port = int(world.jobs[ship].goal)
    h = harbours.find(world, port)
    if h < 0 or not harbours.is_at(world, ship, port):
        return
    has_unloaded = False
    for p in range(world.clock[0].parcels):
        entry = world.parcels[p]
        if entry.state != parcel.ABOARD or entry.ship != ship or not voyages.may_land(world, p, port):
            continue
        what, kind = int(entry.what), int(entry.kind)
        quantity = _most(world, rules, h, p)
        if quantity == 0:
            continue
        taken = cargo.arrive(world, rules, p, quantity)
        _note(world, rules, ship, h, what, taken)
        has_unloaded = has_unloaded or taken > 0
        if taken < quantity and (kind == parcel.TRADE or kind == parcel.BOND):
            cargo.give_back(world, rules, p)
    if has_unloaded:
        world.jobs[ship].unloaded_at = port  # MER-045
        jobs.next_job(world, rules, ship)


@kernel
def _most(world: World, rules: Rules, h: int, p: int) -> int:
    """The most of a parcel that a port can handle now; what fills no container it always can."""
    what, quantity = int(world.parcels[p].what), int(world.parcels[p].quantity)
    if parcels.containers(rules, what, quantity) == 0:
        return quantity
    return int(min(quantity, parcels.units_in(rules, what, harbours.left(world, rules, h))))


@kernel
def _note(world: World, rules: Rules, ship: int, h: int, what: int, quantity: int) -> None:
    """Count what was handled; its ship stays in port for this turn (MER-018, MKT-007)."""
    if quantity > 0:
        world.harbours[h].handled += parcels.containers(rules, what, quantity)
        world.jobs[ship].handled = world.clock[0].turn
