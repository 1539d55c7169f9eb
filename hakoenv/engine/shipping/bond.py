"""Bonded storage at ports: goods in it stay their owner's (MKT-009 .. MKT-013, MKT-017 .. MKT-019)."""

from __future__ import annotations

from hakoenv.engine import stock
from hakoenv.engine.codes import cause, item, parcel
from hakoenv.engine.kernel import kernel
from hakoenv.engine.shipping import charts, harbours, jobs, parcels
from hakoenv.engine.shipping.desk import WHO, Desk
from hakoenv.engine.trade import market, partners
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

NONE = -1
_PERCENT = 100
_PERMILLE = 1000
_DEFAULT = -1  # of a setting toward one nation


@kernel
def deposit(world: World, rules: Rules, p: int, quantity: int) -> int:
    """So much of a parcel bound for bonded storage is put there; its owner pays the fee (MKT-012).

    Nothing is taken in while new deposits are suspended (MKT-017), nor beyond the capacity (MKT-009).
    """
    if not rules.scalars[0].port_transit_deposits_enabled:
        return 0
    entry = world.parcels[p]
    port = int(world.jobs[entry.ship].goal)
    quantity = int(min(quantity, parcels.units_in(rules, int(entry.what), room(world, rules, port))))
    if quantity <= 0:
        return 0
    value = int(entry.price)
    part = parcels.split(world, p, quantity)
    if part < 0:
        return 0
    share = value * quantity // (quantity + (0 if part == p else int(world.parcels[p].quantity)))
    if part != p:
        world.parcels[p].price = value - share
    world.parcels[part].price = share
    _charge(world, rules, port, int(world.parcels[part].source), share)
    store(world, part, port)
    return quantity


@kernel
def store(world: World, p: int, port: int) -> None:
    """A parcel lies in the bonded storage of a port from now on, its owner's as before (MKT-011)."""
    entry = world.parcels[p]
    entry.kind = parcel.BOND
    entry.state = parcel.BONDED
    entry.ship = entry.deal = NONE
    entry.receiver = entry.source
    entry.tariff = 0
    entry.port = port
    entry.turn = world.clock[0].turn


@kernel
def room(world: World, rules: Rules, port: int) -> int:
    """Containers that the bonded storage of a port still has room for, all owners and items together."""
    used = 0
    for p in range(world.clock[0].parcels):
        entry = world.parcels[p]
        if entry.state == parcel.BONDED and entry.port == port:
            used += parcels.containers(rules, int(entry.what), int(entry.quantity))
    return int(max(0, rules.scalars[0].port_bonded_cap - used))


@kernel
def fetch(world: World, rules: Rules, desk: Desk) -> None:
    """Ships that wait away from home and know a way there take over what lies in bond beside them (MKT-018).

    They bring it home; taking it out costs no fee (MKT-012).
    """
    for place in range(desk.count[0]):
        ship = int(desk.ready[place, WHO])
        home, port = int(world.jobs[ship].home), jobs.base(world, ship)
        if port == home or charts.way(world, harbours.find(world, home), int(world.ships[ship].cell)) < 0:
            continue
        if world.cells.flat[home].owner == world.ships[ship].owner:
            _take_over(world, rules, ship, port)
            if jobs.has_cargo(world, ship):
                world.jobs[ship].refuge = NONE  # it goes home: MER-049
                jobs.begin(world, ship, home)


@kernel
def _take_over(world: World, rules: Rules, ship: int, port: int) -> None:
    """Its owner's goods in bond at a port are a ship's to load, as many as it holds."""
    free = parcels.capacity(world, rules, ship, False)
    for p in range(world.clock[0].parcels):
        entry = world.parcels[p]
        is_private = entry.state == parcel.BONDED and entry.kind == parcel.BOND
        if not is_private or entry.port != port or entry.source != world.ships[ship].owner:
            continue
        what = int(entry.what)
        quantity = int(min(entry.quantity, parcels.units_in(rules, what, free)))
        part = parcels.split(world, p, quantity) if quantity > 0 else NONE
        if part >= 0:
            free -= parcels.containers(rules, what, quantity)
            goods = world.parcels[part]
            goods.kind = parcel.OWN
            goods.state = parcel.ASHORE
            goods.ship = ship
            goods.price = 0


@kernel
def _charge(world: World, rules: Rules, port: int, owner: int, value: int) -> None:
    """The owner of goods pays the transit fee of the port's nation; a full treasury stops nothing (MKT-013).

    There is none at an own port, and half of it at that of a partner in a trade league. What is below 1 funds
    is carried to the next payment (TRD-009).
    """
    host = int(world.cells.flat[port].owner)
    if host < 0 or host == owner:
        return
    percent = int(world.relations[host, owner].transit_fee)
    if percent == _DEFAULT:
        percent = int(world.nations[host].transit_fee)
    fee = value * percent // _PERCENT
    if partners.share_league(world, host, owner):  # TRD-008
        fee = fee * market.permille(rules.scalars[0].league_transit_fee_factor) // _PERMILLE
    paid = stock.private_take(world, owner, item.FUNDS, fee, cause.TRANSIT_FEE)
    stock.credit(world, rules, host, paid, cause.TRANSIT_FEE)
