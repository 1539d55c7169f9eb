"""Goods that ships without a way home leave in bond; they go back if nobody fetches them (MER-046, MER-048).

Leaving goods is unloading: it needs what the port can still handle, and the ship stays for the turn.
"""

from __future__ import annotations

from hakoenv.engine import stock
from hakoenv.engine.codes import cause, job, parcel
from hakoenv.engine.kernel import kernel
from hakoenv.engine.shipping import bond, cargo, harbours, parcels
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

NONE = -1


@kernel
def is_due(world: World, ship: int) -> bool:
    """Whether a ship has been sent to a port to leave its goods: one that is no home of it, not yet."""
    entry = world.jobs[ship]
    if entry.job != job.RETURNING or entry.goal == entry.home or entry.goal == entry.refuge:
        return False
    return parcels.aboard(world, ship)


@kernel
def leave(world: World, rules: Rules, ship: int) -> None:
    """A ship beside the port that it was sent to leaves there what port and storage take (MER-048, MKT-014).

    They stay its owner's: a nation's goods are still a part of their transport.
    """
    port = int(world.jobs[ship].goal)
    h = harbours.find(world, port)
    if h < 0 or not harbours.is_at(world, ship, port):
        return
    for p in range(world.clock[0].parcels):
        if world.parcels[p].state == parcel.ABOARD and world.parcels[p].ship == ship:
            _leave_one(world, rules, ship, p, h)


@kernel
def _leave_one(world: World, rules: Rules, ship: int, p: int, h: int) -> None:
    port, what = int(world.harbours[h].cell), int(world.parcels[p].what)
    quantity = int(world.parcels[p].quantity)
    room = min(harbours.left(world, rules, h), bond.room(world, rules, port))  # MER-011, MKT-009
    if parcels.containers(rules, what, quantity) > room:
        quantity = parcels.units_in(rules, what, room)
    part = parcels.split(world, p, quantity) if quantity > 0 else NONE
    if part < 0:
        return
    if parcels.is_of_nations(int(world.parcels[part].kind)):
        _lay_up(world, part, port)
    else:
        bond.store(world, part, port)
    world.harbours[h].handled += parcels.containers(rules, what, quantity)
    world.jobs[ship].handled = world.clock[0].turn  # MER-018
    world.jobs[ship].unloaded_at = port


@kernel
def _lay_up(world: World, p: int, port: int) -> None:
    """Goods of a nation lie in bond; what they are a part of is not over (MER-078)."""
    entry = world.parcels[p]
    entry.state = parcel.BONDED
    entry.ship = NONE
    entry.port = port
    entry.turn = world.clock[0].turn


@kernel
def give_back(world: World, rules: Rules) -> None:
    """What has lain in bond for some turns returns to its owner's stock at once (MER-048, MKT-018, MKT-019).

    What is above a private cap is lost, and so is what a nation that has ended would get.
    """
    turns = rules.scalars[0].private_deposit_return_turns
    for p in range(world.clock[0].parcels):
        entry = world.parcels[p]
        if entry.state != parcel.BONDED or world.clock[0].turn - entry.turn < turns:
            continue
        if parcels.is_of_nations(int(entry.kind)):
            cargo.give_back(world, rules, p)
            continue
        owner, what, quantity = int(entry.receiver), int(entry.what), int(entry.quantity)
        parcels.free(world, p)
        if world.nations[owner].alive:
            stock.private_gain(world, rules, owner, what, quantity, cause.RETURNED)
        else:
            stock.vanish(world, what, quantity)
