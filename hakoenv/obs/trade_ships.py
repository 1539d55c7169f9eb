"""Own private ships with their jobs and cargo, and the own private goods under way."""

from __future__ import annotations

from typing import Any

from hakoenv.engine.codes import item, job, parcel, ship_class
from hakoenv.engine.kernel import kernel
from hakoenv.engine.shipping import parcels
from hakoenv.engine.world import World
from hakoenv.obs.arrays import Arrays, Scratch, fit, place_of
from hakoenv.obs.trade_deals import column_of, row_of
from hakoenv.ruleset.compiled import Rules

_INT16 = 32_767
_INT32 = 2**31 - 1
_ONE_FUEL = 100  # of `fuel_counter` (MER-033)


@kernel
def fill_ships(world: World, rules: Rules, n: int, out: Arrays, scratch: Scratch, occupied: int) -> None:
    """Own private ships in map order, their cargo, and the goods that come to the private sector and go."""
    found = 0
    for k in range(occupied):
        ship = int(world.cells.flat[scratch.occupied[k, 0]].ship)
        if ship < 0 or world.ships[ship].owner != n or not is_private(int(world.ships[ship].kind)):
            continue
        if found < out.private_ships.shape[1]:
            _fill_ship(world, rules, ship, out.private_ships[n, found])
        _count(world, ship, out.commerce[n])
        found += 1
    counts = out.trade_counts[n]
    counts.private_ships = min(found, out.private_ships.shape[1])
    counts.private_ships_left_out = found - int(counts.private_ships)
    for p in range(world.clock[0].parcels):
        state = world.parcels[p].state
        if state == parcel.ASHORE or state == parcel.ABOARD:
            _add_goods(world, rules, n, p, out)


@kernel
def is_private(kind: int) -> bool:
    """Whether a ship class is a private sector's."""
    return bool(kind >= ship_class.MERCHANT and kind != ship_class.PIRATE)


@kernel
def _fill_ship(world: World, rules: Rules, ship: int, row: Any) -> None:
    """One private ship, empty so far."""
    record, entry = world.ships[ship], world.jobs[ship]
    turn = int(world.clock[0].turn)
    row.listed = 1
    row.x = column_of(world, int(record.cell))
    row.y = row_of(world, int(record.cell))
    row.ship_class = record.kind
    row.hp = record.hp
    row.job = entry.job
    row.home_x = column_of(world, int(entry.home))
    row.home_y = row_of(world, int(entry.home))
    row.refuge_x = column_of(world, int(entry.refuge))
    row.refuge_y = row_of(world, int(entry.refuge))
    row.goal_x = column_of(world, int(entry.goal))
    row.goal_y = row_of(world, int(entry.goal))
    row.load = row.quantity = 0
    row.item = row.receiver = -1
    row.capacity = fit(parcels.capacity(world, rules, ship, False), _INT16)
    row.blocked = fit(int(entry.waited), _INT16)
    row.astray = fit(turn - int(entry.strayed), _INT16) if entry.strayed > 0 else 0
    row.dormant = entry.dormant
    row.unpaid = int(entry.paid == 0 and entry.built < turn)
    row.owes_fuel = int(entry.fuel_counter >= _ONE_FUEL)


@kernel
def _count(world: World, ship: int, row: Any) -> None:
    """Count a private ship by class, and if it is idle or has no way home."""
    kind, entry = int(world.ships[ship].kind), world.jobs[ship]
    row.merchants += int(kind == ship_class.MERCHANT)
    row.large_merchants += int(kind == ship_class.LARGE_MERCHANT)
    row.cruise_ships += int(kind == ship_class.CRUISE_SHIP)
    row.fishing_boats += int(kind == ship_class.FISHING_BOAT)
    carries = kind == ship_class.MERCHANT or kind == ship_class.LARGE_MERCHANT
    row.idle += int(carries and entry.job == job.IDLE)
    row.astray += int(entry.strayed > 0)


@kernel
def _add_goods(world: World, rules: Rules, n: int, p: int, out: Arrays) -> None:
    """Add a parcel to the goods under way of the private sector, and to the cargo of an own ship."""
    goods = world.parcels[p]
    if goods.kind <= parcel.CONTRACT and goods.what != item.FUNDS:
        row = out.private_market[n, goods.what]
        if goods.receiver == n:
            row.coming = fit(int(row.coming) + int(goods.quantity), _INT32)
        elif goods.source == n:
            row.going = fit(int(row.going) + int(goods.quantity), _INT32)
    if goods.ship < 0 or world.ships[goods.ship].owner != n:
        return
    at = int(world.ships[goods.ship].cell)
    for k in range(out.trade_counts[n].private_ships):
        carrier = out.private_ships[n, k]
        if int(carrier.y) * world.cells.shape[1] + int(carrier.x) == at:
            _stow(world, rules, n, p, carrier)


@kernel
def _stow(world: World, rules: Rules, n: int, p: int, row: Any) -> None:
    """Add a parcel to a ship's load; the largest part is told, whatever the order of the parcels."""
    goods = world.parcels[p]
    what, quantity = int(goods.what), int(goods.quantity)
    size = parcels.containers(rules, what, quantity)
    row.load = fit(int(row.load) + size, _INT16)
    receiver = place_of(int(goods.receiver), n, world.nations.shape[0])
    quantity = fit(quantity, _INT16)
    if row["item"] >= 0:
        largest = parcels.containers(rules, int(row["item"]), int(row.quantity))
        told = (-largest, int(row["item"]), -int(row.quantity), int(row.receiver))
        if (-size, what, -quantity, receiver) > told:
            return
    row.item = what
    row.quantity = quantity
    row.receiver = receiver
