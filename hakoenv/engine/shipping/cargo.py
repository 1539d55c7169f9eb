"""What becomes of goods on the way: they arrive, are lost, or go back, and so does the money held for them.

For private trade price and tariff of each unit are held from the moment of the trade on and settled here
(MER-073); a supply contract is paid when its goods arrive (SUP-009); what nations send each other is settled
by `diplomacy/transports.py`.
"""

from __future__ import annotations

from hakoenv.engine import stock
from hakoenv.engine.codes import cause, item, parcel, ship_class
from hakoenv.engine.diplomacy import transports
from hakoenv.engine.kernel import kernel
from hakoenv.engine.shipping import bond, jobs, parcels
from hakoenv.engine.trade import bargain, contract_list, market
from hakoenv.engine.world import MARKET_TURNS, World
from hakoenv.ruleset.compiled import Rules

NONE = -1


# ---------------------------------------------------------------- arriving


@kernel
def arrive(world: World, rules: Rules, p: int, quantity: int) -> int:
    """So much of a parcel aboard is put ashore at its ship's port; return what was taken in.

    What finds no room, or no cash of a contract's buyer, stays aboard (MKT-014).
    """
    kind = int(world.parcels[p].kind)
    quantity = int(min(quantity, world.parcels[p].quantity))
    if parcels.is_of_nations(kind):
        return _hand_over(world, rules, p, quantity)
    if kind == parcel.TRADE:
        return _deliver(world, rules, p, quantity)
    if kind == parcel.CONTRACT:
        return _supply(world, rules, p, quantity)
    if kind == parcel.BOND:
        return bond.deposit(world, rules, p, quantity)
    return _take_home(world, rules, p, quantity)


@kernel
def _hand_over(world: World, rules: Rules, p: int, quantity: int) -> int:
    """Goods of a nation enter the receiver's treasury, or their sender's if they go back (MER-078)."""
    entry = world.parcels[p]
    receiver, deal, is_back = int(entry.receiver), int(entry.deal), parcels.goes_back(world, p)
    room = stock.cap(world, rules, receiver, int(entry.what)) - world.nations[receiver].treasury[entry.what]
    quantity = int(max(0, min(quantity, room)))
    if quantity > 0:
        parcels.take(world, p, quantity)
        if is_back:
            transports.returned(world, rules, deal, quantity)
        else:
            transports.arrived(world, rules, deal, quantity)
    return quantity


@kernel
def _deliver(world: World, rules: Rules, p: int, quantity: int) -> int:
    """Goods sold in private trade enter the buyer's stock; what is held for them is paid out (MER-073)."""
    entry = world.parcels[p]
    seller, buyer, what = int(entry.source), int(entry.receiver), int(entry.what)
    quantity = int(max(0, min(quantity, room_of(world, rules, buyer, what))))
    if quantity > 0:
        paid, duty = market.worth(quantity, int(entry.price)), market.worth(quantity, int(entry.tariff))
        parcels.take(world, p, quantity)
        _enter(world, rules, buyer, what, quantity, cause.TRADE)
        stock.private_gain(world, rules, seller, item.FUNDS, paid, cause.TRADE)
        stock.credit(world, rules, buyer, duty, cause.TARIFF)
    return quantity


@kernel
def _supply(world: World, rules: Rules, p: int, quantity: int) -> int:
    """Goods of a supply contract enter the buyer's stock and are paid, as far as its cash goes (SUP-009).

    The price is the signed one, the tariff that of today (SUP-008).
    """
    entry = world.parcels[p]
    seller, buyer, what = int(entry.source), int(entry.receiver), int(entry.what)
    deal, ship = int(entry.deal), int(entry.ship)
    price = int(world.contracts[deal].price)
    tariff = bargain.tariff_on(world, seller, buyer, price)
    wanted = quantity
    quantity = min(quantity, room_of(world, rules, buyer, what))
    cash = int(world.nations[buyer].private[item.FUNDS])
    quantity = int(max(0, min(quantity, market.affordable(cash, price + tariff))))
    world.contracts[deal].refused = 1 if quantity < wanted else 0
    if quantity > 0:
        parcels.take(world, p, quantity)
        pay(world, buyer, market.worth(quantity, price + tariff), cause.SUPPLY)
        _enter(world, rules, buyer, what, quantity, cause.SUPPLY)
        stock.private_gain(world, rules, seller, item.FUNDS, market.worth(quantity, price), cause.SUPPLY)
        stock.credit(world, rules, buyer, market.worth(quantity, tariff), cause.TARIFF)
        _count_delivery(world, rules, deal, ship)
    return quantity


@kernel
def _count_delivery(world: World, rules: Rules, deal: int, ship: int) -> None:
    """A shipment has arrived when nothing of it is left; the last one ends the contract (SUP-007)."""
    if _has_shipment(world, deal, ship):
        return
    world.contracts[deal].delivered += 1
    if world.contracts[deal].delivered >= contract_list.shipments(rules):
        contract_list.clear(world, deal)


@kernel
def _take_home(world: World, rules: Rules, p: int, quantity: int) -> int:
    """A private sector's own goods come into its stock; what is above the cap is lost (MER-048, MER-073)."""
    entry = world.parcels[p]
    owner, what = int(entry.receiver), int(entry.what)
    is_catch = entry.ship >= 0 and world.ships[entry.ship].kind == ship_class.FISHING_BOAT
    parcels.take(world, p, quantity)
    stock.private_gain(world, rules, owner, what, quantity, cause.FISHING if is_catch else cause.RETURNED)
    return quantity


@kernel
def room_of(world: World, rules: Rules, nation: int, what: int) -> int:
    """What a private stock has room for."""
    return int(max(0, stock.private_cap(rules, what) - world.nations[nation].private[what]))


@kernel
def pay(world: World, nation: int, amount: int, why: int) -> None:
    """A private sector pays for a purchase or a ship, which its working capital is measured by (FIN-025)."""
    paid = stock.private_take(world, nation, item.FUNDS, amount, why)
    world.nations[nation].payments[world.clock[0].turn % MARKET_TURNS] += paid


@kernel
def _enter(world: World, rules: Rules, buyer: int, what: int, quantity: int, why: int) -> None:
    """What was bought is in stock and no longer inbound."""
    stock.private_gain(world, rules, buyer, what, quantity, why)
    record = world.nations[buyer]
    record.inbound[what] = max(0, record.inbound[what] - quantity)


# ---------------------------------------------------------------- lost


@kernel
def lose(world: World, rules: Rules, p: int, quantity: int) -> None:
    """So much of a parcel is destroyed or looted; money held for it goes back (MER-057, MER-060).

    Looted contract goods count as delivered while some of the shipment sails on; none left, it was not
    delivered and can be sent again (SUP-014).
    """
    entry = world.parcels[p]
    kind, deal, ship = int(entry.kind), int(entry.deal), int(entry.ship)
    quantity = int(max(0, min(quantity, entry.quantity)))
    if quantity == 0:
        return
    stock.vanish(world, int(entry.what), quantity)
    if kind == parcel.TRADE:
        _refund(world, rules, p, quantity)
    parcels.take(world, p, quantity)
    if kind == parcel.CONTRACT:
        _unsend(world, deal, ship)
    elif parcels.is_of_nations(kind):
        transports.lost(world, rules, deal, quantity)


@kernel
def sink(world: World, rules: Rules, ship: int) -> None:
    """A ship goes down: what is aboard is lost, what waits ashore for it is its owner's (MER-036)."""
    for p in range(world.clock[0].parcels):
        if not parcels.of_ship(world, p, ship):
            continue
        if world.parcels[p].state == parcel.ABOARD:
            lose(world, rules, p, int(world.parcels[p].quantity))
        else:
            give_back(world, rules, p)


@kernel
def _refund(world: World, rules: Rules, p: int, quantity: int) -> None:
    """What is held for so much of a trade goes back to its buyer (MER-073)."""
    entry = world.parcels[p]
    held = market.worth(quantity, int(entry.price) + int(entry.tariff))
    stock.private_gain(world, rules, int(entry.receiver), item.FUNDS, held, cause.RETURNED)


@kernel
def _unsend(world: World, deal: int, ship: int) -> None:
    """A shipment of which nothing is left on the way is to be sent again (SUP-014)."""
    record = world.contracts[deal]
    if record.number > 0 and record.sent > record.delivered and not _has_shipment(world, deal, ship):
        record.sent -= 1
        record.refused = 0


@kernel
def _has_shipment(world: World, deal: int, ship: int) -> bool:
    """Whether a ship has goods of a contract."""
    for p in range(world.clock[0].parcels):
        entry = world.parcels[p]
        if entry.kind == parcel.CONTRACT and entry.deal == deal and parcels.of_ship(world, p, ship):
            return True
    return False


# ---------------------------------------------------------------- going back


@kernel
def give_back(world: World, rules: Rules, p: int) -> None:
    """A deal is called off: its goods are their owner's again, what is held goes to the buyer (MER-073).

    Goods ashore or in bond are in stock at once; those aboard go home with their ship.
    """
    entry = world.parcels[p]
    ship, deal, kind = int(entry.ship), int(entry.deal), int(entry.kind)
    quantity = int(entry.quantity)
    if kind == parcel.TRADE:
        _refund(world, rules, p, quantity)
    if entry.state == parcel.ABOARD:
        entry.receiver = entry.source
        if not parcels.is_of_nations(kind):
            entry.kind = parcel.OWN
            entry.price = entry.tariff = 0
            entry.deal = NONE
    else:
        owner, what = int(entry.source), int(entry.what)
        parcels.free(world, p)
        if parcels.is_of_nations(kind):
            transports.returned(world, rules, deal, quantity)
        else:
            stock.private_gain(world, rules, owner, what, quantity, cause.RETURNED)
    if kind == parcel.CONTRACT:
        _unsend(world, deal, ship)
    if ship >= 0:
        jobs.next_job(world, rules, ship)


@kernel
def end_nation(world: World, rules: Rules, n: int) -> None:
    """A nation is gone: its goods vanish, others' return to their stocks, its purchases end (MER-081).

    Its transports to and from others are settled; its ships are struck off by the caller, later.
    """
    for p in range(world.clock[0].parcels):
        entry = world.parcels[p]
        if entry.state == parcel.FREE:
            continue
        is_on_its_ship = entry.ship >= 0 and world.ships[entry.ship].owner == n
        if entry.source == n:
            _vanish(world, rules, p)
        elif is_on_its_ship:
            entry.state = parcel.ASHORE  # whatever becomes of the hull
            give_back(world, rules, p)
        elif entry.receiver == n:
            give_back(world, rules, p)
    for c in range(world.contracts.shape[0]):
        deal = world.contracts[c]
        if deal.number > 0 and (deal.buyer == n or deal.seller == n):
            contract_list.clear(world, c)
    transports.end_nation(world, rules, n)


@kernel
def _vanish(world: World, rules: Rules, p: int) -> None:
    """Goods of a nation that is gone are no more; their ship, if it is another's, goes home."""
    ship = int(world.parcels[p].ship)
    lose(world, rules, p, int(world.parcels[p].quantity))
    if ship >= 0:
        jobs.next_job(world, rules, ship)
