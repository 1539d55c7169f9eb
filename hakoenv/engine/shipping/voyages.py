"""Ordinary sea trade: which voyage each idle ship makes, with what aboard (MER-073 .. MER-076; phase 19).

A voyage is a trade of one seller with one buyer: of every item that pays, as much as there is surplus,
shortage, room and money for. When it is agreed, the goods leave the seller's stock and the money the buyer's
cash.
"""

from __future__ import annotations

from hakoenv.engine import nation_order, stock
from hakoenv.engine.codes import cause, item, job, parcel, terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import vessels
from hakoenv.engine.rounding import ceil_div
from hakoenv.engine.shipping import cargo, charts, harbours, jobs, parcels
from hakoenv.engine.shipping.desk import (
    BUYER,
    DISTANCE,
    FIRST,
    FOR_WHOM,
    HARBOUR,
    KEY,
    STEPS,
    TURNS,
    VALUE,
    WHO,
    Desk,
)
from hakoenv.engine.trade import bargain, market, partners, reach
from hakoenv.engine.world import NO_WAY, World
from hakoenv.ruleset.compiled import Rules

NONE = -1
_PER_100_CELLS = 100
_FOREIGN = 1 << 40  # ships of others are asked after the seller's own (MER-076)


# ---------------------------------------------------------------- who is there


@kernel
def look_around(world: World, rules: Rules, desk: Desk) -> None:
    """Note who may trade with whom by sea, whose ports lie where, and the idle ships as they are asked."""
    for a in range(world.nations.shape[0]):
        for b in range(a):
            if partners.by_sea(world, a, b):
                desk.sea[a] |= 1 << b
                desk.sea[b] |= 1 << a
    _list_ports(world, desk)
    for ship in range(world.clock[0].ships):
        if jobs.is_idle(world, rules, ship):
            seller = seller_of(world, ship)
            if seller >= 0:
                _line_up(world, ship, seller, desk)


@kernel
def _list_ports(world: World, desk: Desk) -> None:
    """Note the listed ports by owner, of each in order of their places."""
    count = 0
    for n in range(world.nations.shape[0]):
        desk.first[n] = count
        for h in range(world.harbours.shape[0]):
            if harbours.is_port_of(world, int(world.harbours[h].cell), n):
                desk.ports[count] = h
                count += 1
    desk.first[world.nations.shape[0]] = count


@kernel
def _line_up(world: World, ship: int, seller: int, desk: Desk) -> None:
    """A ship takes its place: a seller's own by home port, then by number; ships of others by number."""
    key = _FOREIGN + ship
    if world.ships[ship].owner == seller:
        key = int(jobs.base(world, ship) * world.ships.shape[0] + ship)
    place = int(desk.count[0])
    while place > 0 and desk.ready[place - 1, KEY] > key:
        for column in range(desk.ready.shape[1]):
            desk.ready[place, column] = desk.ready[place - 1, column]
        place -= 1
    desk.ready[place, WHO] = ship
    desk.ready[place, FOR_WHOM] = seller
    desk.ready[place, KEY] = key
    desk.count[0] += 1


@kernel
def seller_of(world: World, ship: int) -> int:
    """The nation whose goods a ship takes at its effective home port: the port's, -1 none (MER-075, MER-076).

    A ship at another nation's port takes goods there only while that is its temporary home.
    """
    port = jobs.base(world, ship)
    owner = int(world.ships[ship].owner)
    host = int(world.cells.flat[port].owner)
    if host == owner:
        return host
    is_guest = world.jobs[ship].refuge >= 0 and host >= 0 and partners.by_sea(world, host, owner)
    return int(host if is_guest else NONE)


@kernel
def idle_ship(world: World, place: int, seller: int, desk: Desk) -> int:
    """The ship at a place of the line if it is still idle and takes a seller's goods, else -1."""
    ship = int(desk.ready[place, WHO])
    is_free = desk.ready[place, FOR_WHOM] == seller and world.jobs[ship].job == job.IDLE
    return int(ship if is_free else NONE)


# ---------------------------------------------------------------- the best voyage


@kernel
def list_offers(world: World, rules: Rules, seller: int, desk: Desk) -> None:
    """Note for each buyer the items that a trade with it pays for, best container first (MER-074)."""
    for buyer in range(world.nations.shape[0]):
        desk.offers[buyer, 0] = 0
    for what in range(item.FUNDS):
        if market.surplus(world, seller, what) <= 0:
            continue
        for buyer in range(world.nations.shape[0]):
            if not reach.has(int(desk.sea[seller]), buyer) or market.short(world, buyer, what) <= 0:
                continue
            if bargain.pays(world, seller, buyer, what):
                _add_offer(world, rules, seller, buyer, what, desk)


@kernel
def _add_offer(world: World, rules: Rules, seller: int, buyer: int, what: int, desk: Desk) -> None:
    offers = desk.offers[buyer]
    each = container_margin(world, rules, seller, buyer, what)
    offers[0] += 1
    place = int(offers[0])
    while place > 1 and container_margin(world, rules, seller, buyer, int(offers[place - 1])) < each:
        offers[place] = offers[place - 1]
        place -= 1
    offers[place] = what


@kernel
def container_margin(world: World, rules: Rules, seller: int, buyer: int, what: int) -> int:
    """What the seller gains on a container of an item."""
    return market.worth(parcels.units_in(rules, what, 1), bargain.seller_margin(world, seller, buyer, what))


@kernel
def find_ports(world: World, ship: int, desk: Desk) -> None:
    """Note each nation's port that is nearest to a ship by remembered routes, of equals the first."""
    here = int(world.ships[ship].cell)
    for n in range(world.nations.shape[0]):
        best, least = NONE, 0
        for k in range(desk.first[n], desk.first[n + 1]):
            h = int(desk.ports[k])
            steps = int(world.distances[h, here])
            if steps == NO_WAY or (best >= 0 and steps > least):
                continue
            if best < 0 or steps < least or world.harbours[h].cell < world.harbours[best].cell:
                best, least = h, steps
        desk.near[n, FIRST] = best
        desk.near[n, DISTANCE] = least


@kernel
def choose(world: World, rules: Rules, ship: int, seller: int, desk: Desk) -> bool:
    """Find the voyage with the most profit a turn, noted in `desk.voyage`; False if there is none (MER-075).

    Of equal ones the shorter, then that to the lower buyer.
    """
    desk.voyage[BUYER] = NONE
    is_asked = False
    for buyer in range(world.nations.shape[0]):
        if desk.offers[buyer, 0] == 0:
            continue
        if not is_asked:
            find_ports(world, ship, desk)
            is_asked = True
        if desk.near[buyer, FIRST] < 0:
            continue
        steps = int(desk.near[buyer, DISTANCE])
        turns = 2 * leg(world, rules, ship, steps) + 1
        value = weigh(world, rules, ship, seller, buyer, steps, desk)
        if value > 0 and _is_better(value, turns, desk):
            desk.voyage[BUYER] = buyer
            desk.voyage[HARBOUR] = desk.near[buyer, FIRST]
            desk.voyage[STEPS] = steps
            desk.voyage[TURNS] = turns
            desk.voyage[VALUE] = value
    return bool(desk.voyage[BUYER] >= 0)


@kernel
def _is_better(value: int, turns: int, desk: Desk) -> bool:
    """Whether a voyage brings more a turn than the one noted, or as much in fewer turns."""
    if desk.voyage[BUYER] < 0:
        return True
    one, other = value * desk.voyage[TURNS], desk.voyage[VALUE] * turns
    return bool(one > other or (one == other and turns < desk.voyage[TURNS]))


@kernel
def leg(world: World, rules: Rules, ship: int, steps: int) -> int:
    """Turns that a ship sails one way (MER-074)."""
    return int(max(1, ceil_div(steps, max(1, vessels.speed(world, rules, ship)))))


@kernel
def weigh(world: World, rules: Rules, ship: int, seller: int, buyer: int, steps: int, desk: Desk) -> int:
    """The profit of a voyage to a buyer, with the quantities it would load in `desk.load` (MER-074)."""
    room = parcels.capacity(world, rules, ship, False)
    free = room
    cash = int(world.nations[buyer].private[item.FUNDS])
    value = 0
    for k in range(desk.offers[buyer, 0]):
        what = int(desk.offers[buyer, 1 + k])
        each = bargain.price(world, seller, buyer, what) + bargain.tariff(world, seller, buyer, what)
        quantity = min(market.surplus(world, seller, what), market.short(world, buyer, what))
        quantity = min(quantity, cargo.room_of(world, rules, buyer, what))
        quantity = min(quantity, parcels.units_in(rules, what, free))
        quantity = int(max(0, min(quantity, market.affordable(cash, each))))
        desk.load[k] = quantity
        free -= parcels.containers(rules, what, quantity)
        cash -= quantity * each
        margin = bargain.seller_margin(world, seller, buyer, what)
        value = min(market.MOST_MONEY, value + market.worth(quantity, margin))
    if room == free:
        return 0
    return value - _cost(world, rules, ship, seller, steps, room - free)


@kernel
def _cost(world: World, rules: Rules, ship: int, seller: int, steps: int, containers: int) -> int:
    """What the seller spends: fuel and upkeep of its own ship, or the freight of another's (MER-076)."""
    record = world.ships[ship]
    if record.owner != seller:
        return freight(rules, containers, steps)
    kind = rules.ship_classes[record.kind]
    fuel = market.worth(2 * steps * int(kind.fuel_per_100_cells), int(world.market[item.FUEL].price))
    turns = 2 * leg(world, rules, ship, steps) + 1
    upkeep = market.worth(turns, int(kind.upkeep_funds) * stock.THOUSANDTHS)
    return int(fuel // _PER_100_CELLS + upkeep)


@kernel
def freight(rules: Rules, containers: int, steps: int) -> int:
    """The fare of so many containers over so many cells, in thousandths of funds (MER-015)."""
    return market.worth(containers * steps, market.permille(rules.scalars[0].sea_freight_per_container_cell))


# ---------------------------------------------------------------- making it


@kernel
def assign_all(world: World, rules: Rules, desk: Desk) -> None:
    """Each idle ship in turn takes its best voyage; the next sees what is left (MER-075, step 4)."""
    for k in range(nation_order.count(world)):
        seller = int(world.order[k])
        is_listed = False
        for place in range(desk.count[0]):
            ship = idle_ship(world, place, seller, desk)
            if ship < 0:
                continue
            if not is_listed:  # what is gone by then is weighed as nothing
                list_offers(world, rules, seller, desk)
                is_listed = True
            if choose(world, rules, ship, seller, desk):
                _agree(world, rules, ship, seller, desk)


@kernel
def _agree(world: World, rules: Rules, ship: int, seller: int, desk: Desk) -> None:
    """Make the trades of the chosen voyage: goods and money leave their stocks, the ship loads (MER-073)."""
    buyer, steps = int(desk.voyage[BUYER]), int(desk.voyage[STEPS])
    weigh(world, rules, ship, seller, buyer, steps, desk)
    for k in range(desk.offers[buyer, 0]):
        what, quantity = int(desk.offers[buyer, 1 + k]), int(desk.load[k])
        if quantity == 0:
            continue
        p = hand_over(world, parcel.TRADE, seller, buyer, what, quantity, ship, cause.TRADE)
        if p < 0:
            break
        price = bargain.price(world, seller, buyer, what)
        hold(world, p, price, bargain.tariff_on(world, seller, buyer, price))
    if jobs.has_cargo(world, ship):
        jobs.begin(world, ship, int(world.harbours[desk.voyage[HARBOUR]].cell))


@kernel
def hand_over(
    world: World, kind: int, seller: int, buyer: int, what: int, quantity: int, ship: int, why: int
) -> int:
    """Private goods leave the stock and lie at a ship's port for it (MER-073).

    Returns:
        Their parcel, or -1 if the list is full: then nothing happens.
    """
    p = parcels.put(world, kind, what, quantity, seller, buyer, ship, jobs.base(world, ship))
    if p >= 0:
        stock.private_take(world, seller, what, quantity, why)
        world.nations[buyer].inbound[what] += quantity
    return p


@kernel
def hold(world: World, p: int, price: int, tariff: int) -> None:
    """The buyer of a parcel pays price and tariff of every unit; both are held with it (MER-073)."""
    entry = world.parcels[p]
    entry.price = price
    entry.tariff = tariff
    cargo.pay(world, int(entry.receiver), market.worth(int(entry.quantity), price + tariff), cause.TRADE)


# ---------------------------------------------------------------- calling it off


@kernel
def call_off(world: World, rules: Rules) -> None:
    """Trades and transports that are no longer possible end: goods and money go back (MER-073, MER-078)."""
    for p in range(world.clock[0].parcels):
        entry = world.parcels[p]
        if entry.state == parcel.FREE or entry.state == parcel.BONDED or entry.ship < 0:
            continue
        if entry.kind != parcel.CONTRACT and not parcels.goes_back(world, p) and not _goes_on(world, p):
            cargo.give_back(world, rules, p)


@kernel
def _goes_on(world: World, p: int) -> bool:
    """Whether goods can still be loaded where they lie and landed where their ship is bound."""
    entry = world.parcels[p]
    source, receiver = int(entry.source), int(entry.receiver)
    if entry.state == parcel.ASHORE and not harbours.is_port_of(world, int(entry.port), source):
        return False
    goal = int(world.jobs[entry.ship].goal)
    if entry.kind == parcel.BOND:
        host = int(world.cells.flat[goal].owner) if goal >= 0 else NONE
        return harbours.is_port_of(world, goal, host) and partners.may_call(world, host, source)
    if not harbours.is_port_of(world, goal, receiver):
        return False
    if parcels.is_of_nations(int(entry.kind)):
        return partners.may_call(world, receiver, source)
    return partners.by_sea(world, source, receiver)


@kernel
def may_land(world: World, p: int, port: int) -> bool:
    """Whether goods may be put ashore at a port that their ship lies at: the right one, and still allowed."""
    if parcels.goes_back(world, p):
        return bool(world.cells.flat[port].terrain == terrain.PORT)
    entry = world.parcels[p]
    if entry.kind == parcel.BOND:
        return partners.may_call(world, int(world.cells.flat[port].owner), int(entry.source))
    if not harbours.is_port_of(world, port, int(entry.receiver)):
        return False
    if parcels.is_of_nations(int(entry.kind)):
        return partners.may_call(world, int(entry.receiver), int(entry.source))
    return partners.by_sea(world, int(entry.source), int(entry.receiver))


@kernel
def pay_freight(world: World, rules: Rules, ship: int) -> None:
    """A ship of another nation has loaded private goods: their seller pays its owner the fare (MER-076)."""
    owner = int(world.ships[ship].owner)
    h = harbours.find(world, int(world.jobs[ship].goal))
    steps = charts.way(world, h, int(world.ships[ship].cell))
    for p in range(world.clock[0].parcels):
        entry = world.parcels[p]
        is_cargo = entry.state == parcel.ABOARD and entry.ship == ship and entry.kind == parcel.TRADE
        if is_cargo and entry.source != owner and steps > 0:
            containers = parcels.containers(rules, int(entry.what), int(entry.quantity))
            fare = freight(rules, containers, steps)
            paid = stock.private_take(world, int(entry.source), item.FUNDS, fare, cause.FREIGHT)
            stock.private_gain(world, rules, owner, item.FUNDS, paid, cause.FREIGHT)
