"""Regular shipments: the offer, the promise, and what starts of it in a turn (SHIP-001 .. SHIP-012)."""

from __future__ import annotations

from hakoenv.engine import happenings, stock, view
from hakoenv.engine.codes import cause, event, item, parcel, ship_class
from hakoenv.engine.diplomacy import carriers, dispatch, transports
from hakoenv.engine.kernel import kernel
from hakoenv.engine.rounding import ceil_div
from hakoenv.engine.shipping import harbours
from hakoenv.engine.trade import partners
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

NONE = -1


@kernel
def find(world: World, number: int) -> int:
    """The place of an offer or promise of a number, -1 none."""
    for k in range(world.promises.shape[0]):
        if number > 0 and world.promises[k].number == number:
            return k
    return NONE


@kernel
def free_place(world: World) -> int:
    """A free place in the list, -1 if it is full."""
    for k in range(world.promises.shape[0]):
        if world.promises[k].number == 0:
            return k
    return NONE


@kernel
def open_offer(world: World, rules: Rules, seller: int, buyer: int, what: int, port: int, turn: int) -> int:
    """The place of a seller's open offer of an item to a buyer's port, -1 none.

    Another order of this kind changes it (SHIP-003).
    """
    for k in range(world.promises.shape[0]):
        entry = world.promises[k]
        same = entry.number > 0 and entry.seller == seller and entry.buyer == buyer and entry.what == what
        if same and entry.port == port and is_open(world, rules, k, turn):
            return k
    return NONE


@kernel
def is_open(world: World, rules: Rules, k: int, turn: int) -> bool:
    """Whether an offer stands in ``turn``: not accepted, and not lapsed (SHIP-005)."""
    entry = world.promises[k]
    return bool(entry.accepted == 0 and turn <= entry.offered + rules.scalars[0].regular_offer_turns)


@kernel
def count_open(world: World, rules: Rules, seller: int, turn: int) -> int:
    """How many offers of a seller stand in ``turn``."""
    count = 0
    for k in range(world.promises.shape[0]):
        entry = world.promises[k]
        if entry.number > 0 and entry.seller == seller and is_open(world, rules, k, turn):
            count += 1
    return count


@kernel
def is_running(world: World, rules: Rules, k: int, turn: int) -> bool:
    """Whether a promise is in force in ``turn``, so many turns from its acceptance on (SHIP-001)."""
    entry = world.promises[k]
    if entry.number == 0 or entry.accepted == 0:
        return False
    return bool(turn < entry.accepted + rules.scalars[0].regular_promise_turns)


@kernel
def port_has_place(world: World, rules: Rules, port: int, turn: int) -> bool:
    """Whether a receiving port can take part in one more promise (SHIP-009)."""
    s = rules.scalars[0]
    most = s.regular_per_large_port if harbours.is_large(world, rules, port) else s.regular_per_port
    for k in range(world.promises.shape[0]):
        most -= world.promises[k].port == port and is_running(world, rules, k, turn)
    return bool(most > 0)


@kernel
def is_reachable(world: World, rules: Rules, viewer: int, seller: int, buyer: int, port: int) -> bool:
    """Whether there is a way for shipments, by sea to the port or by land (the sea is cheaper to ask).

    By sea the merchants' charts decide, but only in truth: they keep off mines and bases under water that
    nations may know nothing of, so that these see no more than whose the ports are.
    """
    if viewer != view.TRUTH:
        if carriers.owns_port(world, seller, carriers.NEAREST) and carriers.owns_port(world, buyer, port):
            return True
        return partners.by_land(world, rules, seller, buyer)
    for h in range(world.harbours.shape[0]):
        cell = int(world.harbours[h].cell)
        if cell >= 0 and harbours.owner(world, h) == seller:
            goal, _ = carriers.way_between(world, rules, cell, buyer, port)
            if goal >= 0:
                return True
    return partners.by_land(world, rules, seller, buyer)


@kernel
def travel_turns(world: World, rules: Rules, seller: int, buyer: int, port: int) -> int:
    """One-way turns from the seller's nearest port to the buyer's (SHIP-004); 1 by land, 0 no way known.

    Both sides learn them as the interval of an offer: that the merchants' way is longer than the sea that
    they see would need is told by it, as by the ships that sail it.
    """
    if partners.by_land(world, rules, seller, buyer):
        return 1
    least = NONE
    for h in range(world.harbours.shape[0]):
        cell = int(world.harbours[h].cell)
        if cell < 0 or harbours.owner(world, h) != seller:
            continue
        goal, cells = carriers.way_between(world, rules, cell, buyer, port)
        if goal >= 0 and (least < 0 or cells < least):
            least = cells
    if least < 0:
        return 0
    return int(max(1, ceil_div(least, max(1, int(rules.ship_classes[ship_class.MERCHANT].speed)))))


@kernel
def offer(
    world: World,
    rules: Rules,
    seller: int,
    buyer: int,
    port: int,
    what: int,
    quantity: int,
    price: int,
    cap: int,
) -> None:
    """Make an offer, or change the open one of the item to this port: its revision goes up (SHIP-003)."""
    turn = int(world.clock[0].turn)
    k = open_offer(world, rules, seller, buyer, what, port, turn)
    if k < 0:
        k = free_place(world)
        world.clock[0].promises_made += 1
        world.promises[k].number = world.clock[0].promises_made
        world.promises[k].revision = 0
    entry = world.promises[k]
    entry.revision += 1
    entry.quantity = quantity
    entry.price = price
    entry.freight_cap = cap
    entry.port = port
    entry.offered = turn
    entry.accepted = 0
    entry.interval = travel_turns(world, rules, seller, buyer, port)  # fixed from now on: SHIP-004
    entry.seller = seller
    entry.buyer = buyer
    entry.what = what
    happenings.record_between(world, event.DEAL_OFFERED, seller, buyer, -1, int(entry.number))


@kernel
def accept(world: World, k: int) -> None:
    """The promise is made: it runs, from this turn's shipments on (SHIP-004)."""
    entry = world.promises[k]
    entry.accepted = world.clock[0].turn
    buyer, seller = int(entry.buyer), int(entry.seller)
    happenings.record_between(world, event.DEAL_AGREED, buyer, seller, -1, int(entry.number))


@kernel
def lapse(world: World, rules: Rules) -> None:
    """Offers that nobody took and promises whose turns are over end (TURN-071, SHIP-005, SHIP-006; phase 5).

    A promise of which something still waits for a carrier stays until that is on its way: it says what that
    may cost.
    """
    turn = int(world.clock[0].turn)
    for k in range(world.promises.shape[0]):
        is_alive = is_running(world, rules, k, turn) or is_open(world, rules, k, turn)
        if world.promises[k].number > 0 and not is_alive and not _waits(world, k):
            free(world, k)


@kernel
def _waits(world: World, k: int) -> bool:
    """Whether something of a promise still waits for a carrier."""
    for t in range(world.transports.shape[0]):
        entry = world.transports[t]
        if entry.kind == parcel.REGULAR and entry.deal == k and entry.waiting > 0:
            return True
    return False


@kernel
def send_due(world: World, rules: Rules) -> None:
    """Start the shipments of this turn, in order of number; one that can't start is skipped (SHIP-008)."""
    turn = int(world.clock[0].turn)
    last = 0
    while True:
        k = _next(world, last)
        if k < 0:
            break
        entry = world.promises[k]
        last = int(entry.number)
        if not is_running(world, rules, k, turn) or turn < entry.accepted:
            continue
        if (turn - entry.accepted) % max(1, int(entry.interval)) == 0 and _can_send(world, rules, k):
            _send(world, rules, k)


@kernel
def _next(world: World, after: int) -> int:
    """The place of the promise or offer of the lowest number above ``after``, -1 none."""
    found = NONE
    for k in range(world.promises.shape[0]):
        if world.promises[k].number > after:
            if found < 0 or world.promises[k].number < world.promises[found].number:
                found = k
    return found


@kernel
def _can_send(world: World, rules: Rules, k: int) -> bool:
    """Whether both sides have their part and a carrier takes it within the seller's cap (SHIP-008)."""
    entry = world.promises[k]
    seller, buyer, what, quantity = (
        int(entry.seller),
        int(entry.buyer),
        int(entry.what),
        int(entry.quantity),
    )
    has_goods = world.nations[seller].treasury[what] >= quantity
    has_funds = world.nations[buyer].treasury[item.FUNDS] >= entry.price
    if not (has_goods and has_funds and transports.has_room(world, 1)):
        return False
    if not (carriers.owns_port(world, buyer, int(entry.port)) and partners.admits(world, buyer, seller)):
        return False  # destroyed or closed to the seller, even if the goods would go by land
    most = int(min(world.nations[seller].treasury[item.FUNDS], entry.freight_cap))
    return dispatch.can_start(world, rules, seller, buyer, what, quantity, int(entry.port), most)


@kernel
def _send(world: World, rules: Rules, k: int) -> None:
    """Goods and price leave the two treasuries, and the goods start (SHIP-011)."""
    entry = world.promises[k]
    seller, buyer, what = int(entry.seller), int(entry.buyer), int(entry.what)
    quantity = stock.take(world, seller, what, int(entry.quantity), cause.SHIPMENT)
    price = stock.take(world, buyer, item.FUNDS, int(entry.price), cause.SHIPMENT)
    t = transports.open(world, int(parcel.REGULAR), what, quantity, seller, buyer)
    world.transports[t].price = price
    world.transports[t].port = entry.port
    world.transports[t].deal = k
    dispatch.serve(world, rules, t)


@kernel
def end_nation(world: World, rules: Rules, n: int) -> None:
    """Offers and promises of a fallen nation end; what waits of them has been given up before."""
    for k in range(world.promises.shape[0]):
        if world.promises[k].number > 0 and (world.promises[k].seller == n or world.promises[k].buyer == n):
            free(world, k)


@kernel
def free(world: World, k: int) -> None:
    """An offer or promise is over: its place is free, all bytes 0; what is under way goes on without it."""
    for t in range(world.transports.shape[0]):
        entry = world.transports[t]
        if entry.kind == parcel.REGULAR and entry.deal == k:
            entry.deal = NONE
    promise = world.promises[k]
    promise.quantity = promise.price = promise.freight_cap = 0
    promise.number = promise.revision = promise.port = promise.offered = promise.accepted = 0
    promise.interval = 0
    promise.seller = promise.buyer = 0
    promise.what = 0
