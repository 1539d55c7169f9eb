"""Supply contracts between private sectors: signing, sending, and how they end (SUP-001 .. SUP-018).

They are signed and sent in phase 19 (steps 2 and 3 of MER-075) and judged after the last port handling (25+).
Readings: what is on the way when a contract ends goes on as an ordinary trade if the buyer can pay for it at
once, else back to its seller; a shipment is sent whole.
"""

from __future__ import annotations

from hakoenv.engine import happenings, hexgrid, stock
from hakoenv.engine.codes import cause, event, item, job, parcel
from hakoenv.engine.kernel import kernel
from hakoenv.engine.shipping import cargo, charts, harbours, jobs, parcels, voyages
from hakoenv.engine.shipping.desk import (
    BUYER,
    COLUMNS,
    DISTANCE,
    FIRST,
    HARBOUR,
    ITEMS,
    SELLER,
    SHIP,
    SHORT,
    SPARE,
    STEPS,
    TURNS,
    VALUE,
    Desk,
)
from hakoenv.engine.trade import bargain, contract_list, market, partners, reach
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

NONE = -1
_NEIGHBOURS = 6
_PERCENT = 100
_BITS = 4  # of an item in the list of a forecast voyage


# ---------------------------------------------------------------- two turns in a row


@kernel
def note_gaps(world: World, rules: Rules, desk: Desk) -> None:
    """Note what is short and to spare at the start of phase 19, and what has been for two turns (SUP-001)."""
    s = rules.scalars[0]
    for n in range(world.nations.shape[0]):
        record = world.nations[n]
        short, spare = 0, 0
        for what in range(item.FUNDS):
            if record.alive and market.short(world, n, what) > 0:
                short |= 1 << what
            if record.alive and market.surplus(world, n, what) >= max(1, s.supply_surplus_units):
                spare |= 1 << what
        is_long = s.supply_short_turns > 1
        desk.steady[n, SHORT] = short & int(record.short_last) if is_long else short
        desk.steady[n, SPARE] = spare & int(record.surplus_last) if is_long else spare
        record.short_last = short
        record.surplus_last = spare


# ---------------------------------------------------------------- sending


@kernel
def send_due(world: World, rules: Rules, desk: Desk) -> None:
    """Due shipments get the first idle ships of their sellers, the longest due first (SUP-010, SUP-018)."""
    turn, number = NONE, NONE
    while True:
        c = _next_due(world, rules, turn, number)
        if c < 0:
            return
        turn, number = contract_list.due_turn(world, c), int(world.contracts[c].number)
        _send(world, rules, c, desk)


@kernel
def _next_due(world: World, rules: Rules, turn: int, number: int) -> int:
    """The contract whose shipment has been due longest, after one of that turn and number; -1 none."""
    found = NONE
    for c in range(world.contracts.shape[0]):
        deal = world.contracts[c]
        if deal.number == 0 or deal.sent >= contract_list.shipments(rules):
            continue
        due = contract_list.due_turn(world, c)
        if due > world.clock[0].turn or due < turn or (due == turn and deal.number <= number):
            continue
        if found >= 0:
            earlier = contract_list.due_turn(world, found)
            if due > earlier or (due == earlier and deal.number > world.contracts[found].number):
                continue
        found = c
    return found


@kernel
def _send(world: World, rules: Rules, c: int, desk: Desk) -> None:
    """The first idle ship that holds the shipment and has a way takes it, if the goods are there."""
    deal = world.contracts[c]
    seller, buyer = int(deal.seller), int(deal.buyer)
    if world.nations[seller].private[deal.what] < deal.quantity or not partners.by_sea(world, seller, buyer):
        return
    for place in range(desk.count[0]):
        ship = voyages.idle_ship(world, place, seller, desk)
        if ship < 0 or world.ships[ship].owner != seller or _fits(world, rules, ship, c) == 0:
            continue
        port = int(deal.port)
        if port < 0:
            voyages.find_ports(world, ship, desk)
            h = int(desk.near[buyer, FIRST])
            port = int(world.harbours[h].cell) if h >= 0 else NONE
        if charts.way(world, harbours.find(world, port), int(world.ships[ship].cell)) >= 0:
            deal.port = port
            dispatch(world, rules, c, ship)
            return


@kernel
def _fits(world: World, rules: Rules, ship: int, c: int) -> bool:
    """Whether a ship holds a whole shipment."""
    deal = world.contracts[c]
    needed = parcels.containers(rules, int(deal.what), int(deal.quantity))
    return bool(needed <= parcels.capacity(world, rules, ship, False))


@kernel
def dispatch(world: World, rules: Rules, c: int, ship: int) -> None:
    """A ship takes the next shipment; the one after it is set aside (SUP-010)."""
    deal = world.contracts[c]
    seller, what, quantity = int(deal.seller), int(deal.what), int(deal.quantity)
    p = voyages.hand_over(world, parcel.CONTRACT, seller, int(deal.buyer), what, quantity, ship, cause.SUPPLY)
    if p < 0:
        return
    world.parcels[p].deal = c
    deal.sent += 1
    if deal.sent >= contract_list.shipments(rules):
        record = world.nations[seller]
        record.set_aside[what] = max(0, record.set_aside[what] - quantity)
    jobs.begin(world, ship, int(deal.port))


# ---------------------------------------------------------------- signing


@kernel
def sign(world: World, rules: Rules, desk: Desk) -> None:
    """Sign new contracts: with what the forecast of ordinary trade holds, then wider (SUP-002, SUP-018)."""
    if contract_list.free_place(world, rules) < 0 or contract_list.shipments(rules) < 1:
        return
    if not _make_forecast(world, rules, desk):
        return
    for place in range(desk.count[1]):
        voyage = desk.forecast[place]
        items = int(voyage[ITEMS])
        while items > 0:
            what = (items & ((1 << _BITS) - 1)) - 1
            items >>= _BITS
            desk.asked[voyage[SELLER], voyage[BUYER]] |= 1 << what
            _sign(
                world, rules, int(voyage[SHIP]), int(voyage[SELLER]), int(voyage[BUYER]), what,
                int(voyage[HARBOUR]), int(voyage[STEPS]), desk,
            )  # fmt: skip
    _widen(world, rules, desk)


@kernel
def _make_forecast(world: World, rules: Rules, desk: Desk) -> bool:
    """The best voyage of every idle ship with nothing reserved, the most profitable first (SUP-018).

    Only sellers that could sign anything are asked; False if there are none.
    """
    wanted = _wanted(world, desk)
    desk.count[1] = 0
    is_any = False
    for seller in range(world.nations.shape[0]):
        if desk.steady[seller, SPARE] & wanted == 0 or _first_ship(world, seller, desk) < 0:
            continue
        if not contract_list.has_place(world, rules, seller):
            continue
        is_any = True
        voyages.list_offers(world, rules, seller, desk)
        for place in range(desk.count[0]):
            ship = voyages.idle_ship(world, place, seller, desk)
            if ship >= 0 and world.ships[ship].owner == seller:
                if voyages.choose(world, rules, ship, seller, desk):
                    _note_voyage(world, rules, ship, seller, desk)
    return is_any


@kernel
def _wanted(world: World, desk: Desk) -> int:
    """The items that anybody has been short of for two turns, one bit each."""
    found = 0
    for n in range(world.nations.shape[0]):
        found |= int(desk.steady[n, SHORT])
    return found


@kernel
def _note_voyage(world: World, rules: Rules, ship: int, seller: int, desk: Desk) -> None:
    """Put the voyage of a ship where it belongs; of equal ones the lower seller and ship come first."""
    voyage = desk.voyage
    voyage[SHIP] = ship
    voyage[SELLER] = seller
    voyage[ITEMS] = 0
    buyer = int(voyage[BUYER])
    voyages.weigh(world, rules, ship, seller, buyer, int(voyage[STEPS]), desk)
    for k in range(desk.offers[buyer, 0] - 1, -1, -1):  # the first to be loaded in the lowest bits
        if desk.load[k] > 0:
            voyage[ITEMS] = voyage[ITEMS] << _BITS | (desk.offers[buyer, 1 + k] + 1)
    place = int(desk.count[1])
    while place > 0 and _goes_before(desk, place - 1):
        for column in range(COLUMNS):
            desk.forecast[place, column] = desk.forecast[place - 1, column]
        place -= 1
    for column in range(COLUMNS):
        desk.forecast[place, column] = voyage[column]
    desk.count[1] += 1


@kernel
def _goes_before(desk: Desk, place: int) -> bool:
    """Whether the voyage at hand brings more a turn than one in the forecast, or as much for a lower ship."""
    voyage, other = desk.voyage, desk.forecast[place]
    mine, its = voyage[VALUE] * other[TURNS], other[VALUE] * voyage[TURNS]
    is_lower = voyage[SELLER] < other[SELLER] or (
        voyage[SELLER] == other[SELLER] and voyage[SHIP] < other[SHIP]
    )
    return bool(mine > its or (mine == its and is_lower))


@kernel
def _sign(
    world: World, rules: Rules, ship: int, seller: int, buyer: int, what: int, h: int, steps: int, desk: Desk
) -> bool:
    """Sign a contract if all conditions hold; the ship takes the first shipment at once (SUP-018)."""
    if world.jobs[ship].job != job.IDLE or not _may_sign(world, rules, seller, buyer, what, desk):
        return False
    if not _can_leave(world, rules, ship):
        return False
    price = bargain.price(world, seller, buyer, what)
    quantity = _quantity(world, rules, ship, seller, buyer, what, price)
    c = contract_list.free_place(world, rules)
    is_enough = quantity >= max(1, rules.scalars[0].supply_min_quantity)
    if c < 0 or not is_enough or parcels.free_place(world) < 0:
        return False
    world.clock[0].contracts_made += 1
    deal = world.contracts[c]
    deal.quantity = quantity
    deal.price = price
    deal.number = world.clock[0].contracts_made
    deal.signed = world.clock[0].turn
    deal.port = world.harbours[h].cell
    turns = 2 * voyages.leg(world, rules, ship, steps)
    deal.interval = min(_MOST_TURNS, max(turns, int(rules.scalars[0].supply_min_interval)))
    deal.buyer = buyer
    deal.seller = seller
    deal.what = what
    deal.sent = deal.delivered = deal.refused = 0
    world.nations[seller].set_aside[what] += quantity
    dispatch(world, rules, c, ship)
    return True


_MOST_TURNS = 2**15 - 1  # of an interval


@kernel
def _may_sign(world: World, rules: Rules, seller: int, buyer: int, what: int, desk: Desk) -> bool:
    """Whether both are in need of it for two turns, may sign it, and have no such contract (SUP-001)."""
    bit = 1 << what
    if desk.steady[seller, SPARE] & bit == 0 or desk.steady[buyer, SHORT] & bit == 0:
        return False
    if world.relations[seller, buyer].no_supply & bit or world.relations[buyer, seller].no_supply & bit:
        return False  # SUP-017
    if contract_list.runs(world, seller, buyer, what):
        return False
    return contract_list.has_place(world, rules, seller) and contract_list.has_place(world, rules, buyer)


@kernel
def _can_leave(world: World, rules: Rules, ship: int) -> bool:
    """Whether a ship has a free cell beside it to leave by (SUP-004)."""
    height, width = world.cells.shape
    for direction in range(1, _NEIGHBOURS + 1):
        near = hexgrid.neighbour(width, height, int(world.ships[ship].cell), direction)
        if harbours.is_free(world, rules, near):
            return True
    return False


@kernel
def _quantity(world: World, rules: Rules, ship: int, seller: int, buyer: int, what: int, price: int) -> int:
    """Units of one shipment: what the ship holds, the buyer can pay for in all and has room for (SUP-006)."""
    each = price + bargain.tariff_on(world, seller, buyer, price)
    cash = int(world.nations[buyer].private[item.FUNDS])
    quantity = market.affordable(cash, each * contract_list.shipments(rules))
    quantity = min(quantity, parcels.units_in(rules, what, parcels.capacity(world, rules, ship, False)))
    return int(min(quantity, market.surplus(world, seller, what), cargo.room_of(world, rules, buyer, what)))


# ---------------------------------------------------------------- signing: beyond the forecast


@kernel
def _widen(world: World, rules: Rules, desk: Desk) -> None:
    """Ask sellers that were not in the forecast, for what is missed most (SUP-002, SUP-003, SUP-018)."""
    pairs = int(rules.scalars[0].supply_pairs_per_turn)
    searches = int(rules.scalars[0].supply_new_paths_per_turn)
    spare = _spare(world, rules, desk)
    value, last = NONE, NONE
    while pairs > 0 and contract_list.free_place(world, rules) >= 0:
        want = _next_want(world, spare, value, last, desk)
        if want < 0:
            return
        value, last = _want_value(world, want), want
        for known in range(1, -1, -1):  # those with a remembered route first: they cost no search
            while pairs > 0 and (known or searches > 0):
                seller = _next_seller(world, rules, want, bool(known), desk)
                if seller < 0:
                    break
                pairs -= 1
                searches -= 1 - known
                _look_at(world, rules, want, seller, bool(known), desk)


@kernel
def _spare(world: World, rules: Rules, desk: Desk) -> int:
    """The items that sellers with an idle ship and a place have had to spare for two turns, one bit each."""
    found = 0
    for seller in range(world.nations.shape[0]):
        bits = int(desk.steady[seller, SPARE])
        if (
            bits > 0
            and _first_ship(world, seller, desk) >= 0
            and contract_list.has_place(world, rules, seller)
        ):
            found |= bits
    return found


@kernel
def _first_ship(world: World, seller: int, desk: Desk) -> int:
    """A seller's own idle ship that is asked first, -1 none."""
    for place in range(desk.count[0]):
        ship = voyages.idle_ship(world, place, seller, desk)
        if ship >= 0 and world.ships[ship].owner == seller:
            return ship
    return int(NONE)


@kernel
def _want_value(world: World, want: int) -> int:
    """What a buyer's lack of an item (buyer x 9 + item) is worth at its price."""
    buyer, what = want // item.FUNDS, want % item.FUNDS
    return market.worth(market.short(world, buyer, what), int(world.nations[buyer].prices[what]))


@kernel
def _next_want(world: World, spare: int, value: int, last: int, desk: Desk) -> int:
    """The lack worth most after one of that value, of equal ones by buyer and item; -1 none.

    ``value`` -1 is the beginning. Only items that somebody has had to spare for two turns count.
    """
    found, most = NONE, NONE
    for buyer in range(world.nations.shape[0]):
        bits = int(desk.steady[buyer, SHORT]) & spare
        for what in range(item.FUNDS):
            if bits >> what & 1 == 0:
                continue
            want = buyer * item.FUNDS + what
            worth = _want_value(world, want)
            is_after = value < 0 or worth < value or (worth == value and want > last)
            if is_after and worth > most:
                found, most = want, worth
    return found


@kernel
def _next_seller(world: World, rules: Rules, want: int, known: bool, desk: Desk) -> int:
    """The nearest seller that has not been asked, with a remembered route or without one; -1 none.

    Nearest is by the route, or as the crow flies where that is still to be found.
    """
    buyer, what = want // item.FUNDS, want % item.FUNDS
    found, least = NONE, 0
    for seller in range(world.nations.shape[0]):
        if desk.steady[seller, SPARE] >> what & 1 == 0 or desk.asked[seller, buyer] >> what & 1:
            continue
        ship = _first_ship(world, seller, desk)
        if ship < 0 or not reach.has(int(desk.sea[seller]), buyer):
            continue
        if not bargain.pays(world, seller, buyer, what):
            continue
        steps = _steps(world, ship, buyer, desk)
        if (steps >= 0) != known or not _may_sign(world, rules, seller, buyer, what, desk):
            continue
        if not known:
            steps = _crow(world, ship, _unknown_port(world, buyer, desk))
        if steps >= 0 and (found < 0 or steps < least):
            found, least = seller, steps
    return found


@kernel
def _steps(world: World, ship: int, buyer: int, desk: Desk) -> int:
    """The remembered way from a ship to the buyer's nearest port, -1 none."""
    voyages.find_ports(world, ship, desk)
    return int(desk.near[buyer, DISTANCE] if desk.near[buyer, FIRST] >= 0 else NONE)


@kernel
def _unknown_port(world: World, nation: int, desk: Desk) -> int:
    """A nation's port whose chart is missing or stale, the first by cell; -1 none (SUP-003)."""
    found = NONE
    for k in range(desk.first[nation], desk.first[nation + 1]):
        h = int(desk.ports[k])
        if world.harbours[h].charted >= world.clock[0].waters:
            continue
        if found < 0 or world.harbours[h].cell < world.harbours[found].cell:
            found = h
    return int(found)


@kernel
def _crow(world: World, ship: int, h: int) -> int:
    """Cells between a ship and a port, whatever lies between them; -1 for no port."""
    if h < 0:
        return int(NONE)
    return hexgrid.distance(world.cells.shape[1], int(world.ships[ship].cell), int(world.harbours[h].cell))


@kernel
def _look_at(world: World, rules: Rules, want: int, seller: int, known: bool, desk: Desk) -> None:
    """Examine a pair: its route is remembered or searched now, and the contract signed if it can be."""
    buyer, what = want // item.FUNDS, want % item.FUNDS
    ship = _first_ship(world, seller, desk)
    desk.asked[seller, buyer] |= 1 << what
    if not known:
        charts.make(world, _unknown_port(world, buyer, desk))
    steps = _steps(world, ship, buyer, desk)
    if steps >= 0:
        _sign(world, rules, ship, seller, buyer, what, int(desk.near[buyer, FIRST]), steps, desk)


# ---------------------------------------------------------------- ending


@kernel
def judge(world: World, rules: Rules) -> None:
    """Contracts that are impossible now end without penalty, late ones with one (SUP-011 .. SUP-015)."""
    drop_impossible(world, rules)
    for c in range(world.contracts.shape[0]):
        if world.contracts[c].number > 0 and world.clock[0].turn >= contract_list.deadline(world, rules, c):
            _break_off(world, rules, c)


@kernel
def drop_impossible(world: World, rules: Rules) -> None:
    """War, embargo, closed ports, the end of a nation or of the port end a contract (SUP-015)."""
    for c in range(world.contracts.shape[0]):
        deal = world.contracts[c]
        if deal.number == 0:
            continue
        has_port = deal.port < 0 or harbours.is_port_of(world, int(deal.port), int(deal.buyer))
        if not has_port or not partners.by_sea(world, int(deal.seller), int(deal.buyer)):
            _end(world, rules, c)


@kernel
def _break_off(world: World, rules: Rules, c: int) -> None:
    """The side at fault pays a part of what is outstanding; all learn of it (SUP-012, SUP-013).

    That is the buyer if goods came and it had no cash or no room for them.
    """
    deal = world.contracts[c]
    guilty, other = int(deal.seller), int(deal.buyer)
    if deal.refused:
        guilty, other = other, guilty
    left = max(0, contract_list.shipments(rules) - int(deal.delivered))
    outstanding = market.worth(left * int(deal.quantity), int(deal.price))
    penalty = outstanding * rules.scalars[0].supply_penalty_percent // _PERCENT
    paid = stock.private_take(world, guilty, item.FUNDS, penalty, cause.PENALTY)
    stock.private_gain(world, rules, other, item.FUNDS, paid, cause.PENALTY)
    happenings.record_between(world, event.SUPPLY_BREACH, guilty, other, -1, int(deal.what))
    _end(world, rules, c)


@kernel
def _end(world: World, rules: Rules, c: int) -> None:
    """A contract is over; what is on its way finishes as an ordinary cargo or goes back (SUP-015)."""
    for p in range(world.clock[0].parcels):
        entry = world.parcels[p]
        if entry.state != parcel.FREE and entry.kind == parcel.CONTRACT and entry.deal == c:
            if not _make_ordinary(world, rules, p):
                cargo.give_back(world, rules, p)
    contract_list.clear(world, c)


@kernel
def _make_ordinary(world: World, rules: Rules, p: int) -> bool:
    """Turn contract goods into an ordinary trade at the signed price, if the buyer can pay for them."""
    entry = world.parcels[p]
    seller, buyer = int(entry.source), int(entry.receiver)
    if not partners.by_sea(world, seller, buyer):
        return False
    if not harbours.is_port_of(world, int(world.jobs[entry.ship].goal), buyer):
        return False
    price = int(world.contracts[entry.deal].price)
    tariff = bargain.tariff_on(world, seller, buyer, price)
    cash = int(world.nations[buyer].private[item.FUNDS])
    if market.affordable(cash, price + tariff) < entry.quantity:
        return False
    entry.kind = parcel.TRADE
    entry.deal = NONE
    voyages.hold(world, p, price, tariff)
    return True
