"""A transport between nations is given its carriers, and these are paid (MER-078, AUC-007)."""

from __future__ import annotations

from hakoenv.engine import stock
from hakoenv.engine.codes import cause, item, parcel
from hakoenv.engine.diplomacy import carriers, transports
from hakoenv.engine.kernel import kernel
from hakoenv.engine.shipping import parcels
from hakoenv.engine.trade import land_route, reach
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def serve(world: World, rules: Rules, t: int) -> None:
    """Send off what waits of a transport as far as there are carriers; without a way it goes back."""
    entry = world.transports[t]
    sender, receiver, port = int(entry.sender), int(entry.receiver), int(entry.port)
    if reach.by_land(world, sender, receiver):
        _go_by_land(world, rules, t)
    elif not carriers.by_sea(world, sender, receiver, port):
        transports.recall(world, rules, t)
    else:
        while entry.waiting > 0 and _go_by_ship(world, rules, t):
            pass


@kernel
def can_start(
    world: World, rules: Rules, sender: int, receiver: int, what: int, quantity: int, port: int, most: int
) -> bool:
    """Whether a part at least of such a transport would find a carrier now, for at most so many funds."""
    if reach.by_land(world, sender, receiver):
        part = _most_by_land(world, rules, sender, receiver, what, quantity)
        return part > 0 and carriers.land_fare(rules, parcels.containers(rules, what, part)) <= most
    if not carriers.by_sea(world, sender, receiver, port):
        return False
    return carriers.find_ship(world, rules, sender, receiver, what, quantity, port, most)[0] >= 0


@kernel
def most_funds(world: World, t: int) -> int:
    """What may be spent on a voyage: the freight part of a bid (AUC-007), else what the sender has.

    The seller of a regular shipment gave a cap (SHIP-002).
    """
    entry = world.transports[t]
    if entry.kind == parcel.AUCTION:
        return int(entry.freight)
    most = int(world.nations[entry.sender].treasury[item.FUNDS])
    if entry.kind == parcel.REGULAR and entry.deal >= 0:
        most = min(most, int(world.promises[entry.deal].freight_cap))
    return int(most)


@kernel
def _pay(world: World, t: int, fare: int) -> None:
    """Take the fare of a voyage from what is held for it, or from the sender's treasury."""
    entry = world.transports[t]
    if entry.kind == parcel.AUCTION:
        entry.freight -= fare
    else:
        stock.take(world, int(entry.sender), item.FUNDS, fare, cause.FREIGHT)


@kernel
def _most_by_land(world: World, rules: Rules, sender: int, receiver: int, what: int, quantity: int) -> int:
    """Units of so many for which land route and receiver have room (MER-013, MKT-014)."""
    quantity = min(quantity, stock.cap(world, rules, receiver, what) - world.nations[receiver].treasury[what])
    if what == item.FUNDS:
        return int(quantity)
    return int(min(quantity, parcels.units_in(rules, what, land_route.left(world, rules, sender, receiver))))


@kernel
def _go_by_land(world: World, rules: Rules, t: int) -> None:
    """What the land route takes arrives at once; its freight goes to the sending nation (MER-015)."""
    entry = world.transports[t]
    sender, receiver, what = int(entry.sender), int(entry.receiver), int(entry.what)
    quantity = _most_by_land(world, rules, sender, receiver, what, int(entry.waiting))
    containers = parcels.containers(rules, what, quantity)
    fare = carriers.land_fare(rules, containers)
    if quantity <= 0 or fare > most_funds(world, t):
        return
    _pay(world, t, fare)
    stock.credit(world, rules, sender, fare * stock.THOUSANDTHS, cause.FREIGHT)
    land_route.use(world, sender, receiver, containers)
    entry.waiting -= quantity
    transports.arrived(world, rules, t, quantity)


@kernel
def _go_by_ship(world: World, rules: Rules, t: int) -> bool:
    """Hire a ship for what waits, or a part of it; whether one was found."""
    entry = world.transports[t]
    sender, receiver, what = int(entry.sender), int(entry.receiver), int(entry.what)
    waiting, port = int(entry.waiting), int(entry.port)
    ship, loading, goal, fare = carriers.find_ship(
        world, rules, sender, receiver, what, waiting, port, most_funds(world, t)
    )
    if ship < 0:
        return False
    quantity = carriers.most_aboard(world, rules, ship, what, waiting)
    if not carriers.hire(world, rules, t, ship, loading, goal, quantity, fare):
        return False
    _pay(world, t, fare)
    return True
