"""Commands of deals between two nations: aid, exchanges, regular shipments; auctions are `bids.py`.

Relations, prices and ports are public, offers known to both sides and own transports to their sender; what
lies in another's treasury, what it has under way, where ships can sail and how full the lists of all deals
are is nobody's to know, so it only counts in truth.
"""

from __future__ import annotations

from hakoenv.engine import view
from hakoenv.engine.codes import cause, controller, item, reason, terrain
from hakoenv.engine.codes import command as number
from hakoenv.engine.commands import bids, prices, reserves
from hakoenv.engine.diplomacy import aid, carriers, exchange, shipments, transports
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import waters
from hakoenv.engine.trade import partners
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

# amount of regular_offer = item x 10^11 + quantity x 10^7 + price x 10^3 + freight cap
ITEM_BASE, QUANTITY_BASE, PRICE_BASE = 10**11, 10**7, 10**3
REVISION_BASE = 100  # amount of regular_accept = offer number x 100 + revision
GIVEN_BASE = 10**4  # amount of exchange = offered x 10^4 + wanted
ACCEPT, WITHDRAW = 0, -1  # amounts of exchange
_NOTHING = 0


@kernel
def allowed(
    world: World,
    rules: Rules,
    viewer: int,
    nation: int,
    turn: int,
    command: int,
    x: int,
    y: int,
    amount: int,
    target: int,
) -> tuple[int, int, int, int]:
    """Whether a deal is allowed: (reason, price kind, price row, price level)."""
    kind, row, level = int(prices.STOCK), int(item.FUNDS), _NOTHING
    if command == number.AUCTION_LIST or command == number.AUCTION_BID:
        return bids.allowed(world, rules, viewer, nation, command, x, y, amount, target)
    if command == number.REGULAR_ACCEPT:
        return _may_accept_regular(world, rules, nation, turn, amount), kind, row, level
    if command == number.REGULAR_WITHDRAW:
        return _may_withdraw_regular(world, rules, nation, turn, amount), kind, row, level
    if target < 0 or target >= world.nations.shape[0] or target == nation or not world.nations[target].alive:
        return reason.BAD_TARGET, kind, row, level
    if command == number.AID_RESERVES:
        return _may_aid_by_land(world, rules, nation, turn, amount, target), kind, row, level
    if command == number.REGULAR_OFFER:
        return _may_offer_regular(world, rules, viewer, nation, turn, x, y, amount, target), kind, row, level
    if command == number.NATIONAL_AID:
        why = _may_aid(world, rules, viewer, nation, turn, x, amount, target)
        if why == reason.DONE and x != aid.RESERVES:
            row, level = x, min(amount, aid.most(world, rules, nation, x, turn))
        return why, kind, row, level
    if amount == WITHDRAW:
        why = reason.DONE if exchange.stands(world, nation, target, turn) else reason.NO_SUCH_OFFER
        return why, kind, row, level
    if amount != ACCEPT:
        return _may_offer_exchange(world, rules, nation, turn, x, y, amount, target), kind, row, level
    why = _may_accept_exchange(world, rules, viewer, nation, turn, target)
    if why == reason.DONE:
        row = int(world.relations[target, nation].swap_want)
        level = int(world.relations[target, nation].swap_wanted)
    return why, kind, row, level


@kernel
def cause_of(command: int) -> int:
    """The cause under which what a deal takes is booked."""
    if command == number.NATIONAL_AID:
        return int(cause.AID)
    return int(cause.EXCHANGE if command == number.EXCHANGE else cause.AUCTION)


@kernel
def carry_out(
    world: World, rules: Rules, nation: int, command: int, x: int, y: int, amount: int, target: int
) -> None:
    """The effect of a deal that is allowed and whose goods or funds are taken."""
    if command == number.AUCTION_LIST or command == number.AUCTION_BID:
        bids.carry_out(world, rules, nation, command, x, y, amount, target)
    elif command == number.REGULAR_OFFER:
        port = y * world.cells.shape[1] + x
        what, quantity, price, cap = _terms(amount)
        shipments.offer(world, rules, nation, target, port, what, quantity, price, cap)
    elif command == number.REGULAR_ACCEPT:
        shipments.accept(world, shipments.find(world, amount // REVISION_BASE))
    elif command == number.REGULAR_WITHDRAW:
        shipments.free(world, shipments.find(world, amount))
    elif command == number.AID_RESERVES:
        aid.send_reserves(world, rules, nation, target, amount)
    elif command == number.NATIONAL_AID:
        if x != aid.RESERVES:  # these go aboard in phase 16: `relief.load` reads the results
            quantity = min(amount, aid.most(world, rules, nation, x, int(world.clock[0].turn)))
            aid.send(world, nation, target, x, quantity)
    elif amount == WITHDRAW:
        exchange.withdraw(world, nation, target)
    elif amount == ACCEPT:
        exchange.agree(world, rules, nation, target)
    else:
        exchange.offer(world, rules, nation, target, x, amount // GIVEN_BASE, y, amount % GIVEN_BASE)


@kernel
def _between(world: World, rules: Rules, nation: int, target: int, both_ways: bool) -> int:
    """Reason code of a deal whose goods are to travel to another nation, or both ways (CMD-032, CMD-047)."""
    if waters.is_hostile(world, nation, target):
        return reason.AT_WAR
    if not partners.may_deal(world, nation, target):
        return reason.NO_DEALS
    possible = carriers.is_possible(world, rules, nation, target, carriers.NEAREST)
    if both_ways:
        possible = possible and carriers.is_possible(world, rules, target, nation, carriers.NEAREST)
    return reason.DONE if possible else reason.NO_WAY


@kernel
def _is_young(world: World, rules: Rules, nation: int, turn: int) -> bool:
    """Whether a nation is still kept from giving aid, in ``turn`` (AID-006, LIMIT-006)."""
    return bool(turn - world.nations[nation].founded < rules.scalars[0].diplomacy_founding_lock)


@kernel
def _may_aid_by_land(world: World, rules: Rules, nation: int, turn: int, amount: int, target: int) -> int:
    """Reason code of reserves over land, which a young nation can't give (LIMIT-006)."""
    if _is_young(world, rules, nation, turn):
        return reason.TOO_YOUNG
    return reserves.may_send(world, rules, nation, turn, amount, target)


@kernel
def _may_aid(
    world: World, rules: Rules, viewer: int, nation: int, turn: int, what: int, amount: int, target: int
) -> int:
    """Reason code of national aid (CMD-032, LIMIT-012); a young receiver may receive."""
    if what < 0 or what > aid.RESERVES:
        return reason.BAD_ITEM
    if amount < 1:
        return reason.BAD_AMOUNT
    if _is_young(world, rules, nation, turn):
        return reason.TOO_YOUNG
    if what == aid.RESERVES:
        return reserves.may_ship(world, rules, nation, turn, amount, target)
    why = _between(world, rules, nation, target, False)
    if why != reason.DONE:
        return why
    if transports.left(world, rules, nation) == 0:
        return reason.TOO_MANY_TRANSPORTS
    if aid.most(world, rules, nation, what, turn) == 0:
        return reason.ONCE_A_TURN
    return reason.LISTS_FULL if viewer == view.TRUTH and not transports.has_room(world, 1) else reason.DONE


@kernel
def _may_offer_exchange(
    world: World, rules: Rules, nation: int, turn: int, give: int, want: int, amount: int, target: int
) -> int:
    """Reason code of an offer of exchange; its goods are taken when it is accepted and need not be there."""
    if give < 0 or give > item.FUNDS or want < 0 or want > item.FUNDS:
        return reason.BAD_ITEM
    given, wanted = amount // GIVEN_BASE, amount % GIVEN_BASE
    if amount < 0 or given > exchange.cap(rules, give) or wanted > exchange.cap(rules, want):
        return reason.BAD_AMOUNT
    if wanted == 0 and _is_young(world, rules, nation, turn):
        return reason.TOO_YOUNG  # a gift is aid: LIMIT-006
    if transports.left(world, rules, nation) == 0:
        return reason.TOO_MANY_TRANSPORTS
    return _between(world, rules, nation, target, True)


@kernel
def _may_accept_exchange(world: World, rules: Rules, viewer: int, nation: int, turn: int, target: int) -> int:
    """Reason code of accepting an exchange; what the other has and has sent counts in truth only."""
    if not exchange.is_acceptable(world, rules, target, nation, turn):
        return reason.NO_SUCH_OFFER
    side = world.relations[target, nation]
    want, give = int(side.swap_want), int(side.swap_give)
    if side.swap_given == 0 and _is_young(world, rules, nation, turn):
        return reason.TOO_YOUNG
    why = _between(world, rules, nation, target, True)
    if why != reason.DONE:
        return why
    if side.swap_wanted > 0 and transports.left(world, rules, nation) == 0:
        return reason.TOO_MANY_TRANSPORTS
    now = turn == world.clock[0].turn
    if now and exchange.sent(world, nation, want) + side.swap_wanted > exchange.cap(rules, want):
        return reason.ONCE_A_TURN
    if viewer != view.TRUTH:
        return reason.DONE
    if world.nations[target].treasury[give] < side.swap_given:
        return reason.NO_FUNDS if give == item.FUNDS else reason.NO_MATERIALS
    if exchange.sent(world, target, give) + side.swap_given > exchange.cap(rules, give):
        return reason.ONCE_A_TURN
    if side.swap_given > 0 and transports.left(world, rules, target) == 0:
        return reason.TOO_MANY_TRANSPORTS
    return reason.DONE if transports.has_room(world, 2) else reason.LISTS_FULL


@kernel
def _terms(amount: int) -> tuple[int, int, int, int]:
    """Item, quantity, price and freight cap of an offered regular shipment (SHIP-002)."""
    quantity = amount % ITEM_BASE // QUANTITY_BASE
    return amount // ITEM_BASE, quantity, amount % QUANTITY_BASE // PRICE_BASE, amount % PRICE_BASE


@kernel
def _may_offer_regular(
    world: World, rules: Rules, viewer: int, nation: int, turn: int, x: int, y: int, amount: int, target: int
) -> int:
    """Reason code of an offer of regular shipments, or of a change of one (SHIP-002, SHIP-003, SHIP-010)."""
    height, width = world.cells.shape
    if x < 0 or y < 0 or x >= width or y >= height:
        return reason.OUTSIDE_MAP
    port = y * width + x
    what, quantity, price, _ = _terms(amount)
    if what < 0 or what >= item.FUNDS:
        return reason.BAD_ITEM
    if quantity < 1 or quantity > exchange.cap(rules, what):
        return reason.BAD_AMOUNT
    if price < 1 or price > exchange.cap(rules, item.FUNDS):
        return reason.BAD_PRICE
    if waters.is_hostile(world, nation, target):
        return reason.AT_WAR
    if not partners.may_deal(world, nation, target):
        return reason.NO_DEALS
    place = world.cells.flat[port]
    if place.terrain != terrain.PORT or place.owner != target:
        return reason.NOT_A_PORT
    if not shipments.is_reachable(world, rules, viewer, nation, target, port):
        return reason.NOT_A_PORT
    k = shipments.open_offer(world, rules, nation, target, what, port, turn)
    if k >= 0:
        return reason.DONE if world.promises[k].revision < REVISION_BASE - 1 else reason.LISTS_FULL
    if shipments.count_open(world, rules, nation, turn) >= rules.scalars[0].regular_offers_max:
        return reason.TOO_MANY_OFFERS
    full = viewer == view.TRUTH and shipments.free_place(world) < 0
    return reason.LISTS_FULL if full else reason.DONE


@kernel
def _may_accept_regular(world: World, rules: Rules, nation: int, turn: int, amount: int) -> int:
    """Reason code of accepting regular shipments (SHIP-003, SHIP-005, SHIP-007, SHIP-009)."""
    if world.nations[nation].controller != controller.EXTERNAL:
        return reason.PEOPLE_ONLY
    k = shipments.find(world, amount // REVISION_BASE)
    if k < 0:
        return reason.NO_SUCH_OFFER
    entry = world.promises[k]
    if entry.buyer != nation or entry.revision != amount % REVISION_BASE or entry.offered >= turn:
        return reason.NO_SUCH_OFFER
    if not shipments.is_open(world, rules, k, turn):
        return reason.NO_SUCH_OFFER
    port = int(entry.port)
    if world.cells.flat[port].terrain != terrain.PORT or world.cells.flat[port].owner != nation:
        return reason.NOT_A_PORT
    return reason.DONE if shipments.port_has_place(world, rules, port, turn) else reason.PORT_FULL


@kernel
def _may_withdraw_regular(world: World, rules: Rules, nation: int, turn: int, amount: int) -> int:
    """Reason code of withdrawing an offer: an own one that nobody has accepted (SHIP-006)."""
    k = shipments.find(world, amount)
    if k < 0 or world.promises[k].seller != nation or not shipments.is_open(world, rules, k, turn):
        return reason.NO_SUCH_OFFER
    return reason.DONE
