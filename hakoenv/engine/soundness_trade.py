"""Whether the records of trade in a World name things that exist and agree with each other (`soundness`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine.codes import item, job, lot, parcel, research, ship_class
from hakoenv.engine.world import AID_ITEMS, DETOUR, World
from hakoenv.ruleset.compiled import Rules

_TURN = 2**30
_UNITS = 2**40
_MONEY = 2**52  # thousandths of funds
_ITEM_BITS = (1 << (item.COUNT - 1)) - 1
_GOODS = item.COUNT - 2  # the last item that is no money
_PRIVATE = (ship_class.MERCHANT, ship_class.LARGE_MERCHANT, ship_class.FISHING_BOAT, ship_class.CRUISE_SHIP)


def limits(world: World) -> dict[str, dict[str, tuple[int, int]]]:
    """The lowest and highest number of every field of trade that names a place, or is counted with."""
    seats, cells, ships = len(world.nations) - 1, world.cells.size, world.ships.size - 1
    place, nation = (-1, cells - 1), (-1, seats)
    count, turn, units, flag = (0, _TURN), (0, _TURN), (0, _UNITS), (0, 1)
    return {
        "clock": {
            "waters": turn,
            "parcels": (0, world.parcels.size),
            "charted_last": place,
            "searched_last": (-1, ships),
            "lots_made": count,
            "promises_made": count,
            "contracts_made": count,
            "detours": count,
            "rescues": count,
            "estimates": count,
        },
        "nations": {
            "inbound": units,
            "set_aside": units,
            "shorts": units,
            "cruise_unpaid": (0, _MONEY),
            "ships_fuel": count,
            "ships_steel": count,
            "waiting": count,
            "aid_sent": count,
            "short_last": (0, _ITEM_BITS),
            "surplus_last": (0, _ITEM_BITS),
            "cruise_turns": (0, 2**14),
            "cruise_calls": (0, 2**14),
            "port_policy": (0, 2),
            "land_gate": flag,
        },
        "relations": {
            "no_supply": (0, _ITEM_BITS),
            "land_used": (0, 2**14),
            "tariff": (-1, 2**8),
            "transit_fee": (-1, 2**8),
            "port_policy": (-1, 2),
            "land_gate": (-1, 1),
            "swap_until": turn,
            "swap_given": count,
            "swap_wanted": count,
            "swap_give": (0, AID_ITEMS - 1),
            "swap_want": (0, AID_ITEMS - 1),
        },
        "jobs": {
            "home": place,
            "refuge": place,
            "goal": place,
            "unloaded_at": place,
            "called": place,
            "built": turn,
            "arrived": turn,
            "handled": turn,
            "strayed": turn,
            "searched": turn,
            "chosen": turn,
            "unlooted": (0, _MONEY),
            "fuel_counter": count,
            "waited": (0, 2**14),
            "job": (0, len(job.NAMES) - 1),
            "paid": flag,
            "dormant": flag,
            "detour_length": (0, DETOUR),
            "detour_done": (0, DETOUR),
            "detour": (0, 6),
        },
        "parcels": {
            "quantity": (0, 2**31),
            "price": (0, _MONEY),
            "tariff": units,
            "port": place,
            "turn": (-_TURN, _TURN),
            "deal": (-1, max(world.contracts.size, world.transports.size) - 1),
            "ship": (-1, ships),
            "source": nation,
            "receiver": nation,
            "what": (0, item.COUNT - 1),
            "kind": (0, len(parcel.NAMES) - 1),
            "state": (0, parcel.BONDED),
        },
        "harbours": {"cell": place, "handled": count, "charted": turn},
        "grounds": {"cell": place, "fish": count},
        "lots": {
            "quantity": units,
            "min_price": units,
            "bid": units,
            "number": count,
            "deadline": turn,
            "settled": turn,
            "seller": nation,
            "bidder": nation,
            "what": (0, _GOODS),
            "state": (0, len(lot.NAMES) - 1),
        },
        "promises": {
            "quantity": units,
            "price": units,
            "freight_cap": units,
            "number": count,
            "revision": count,
            "port": place,
            "offered": (-_TURN, _TURN),
            "accepted": turn,
            "interval": (0, 2**14),
            "seller": nation,
            "buyer": nation,
            "what": (0, _GOODS),
        },
        "contracts": {
            "quantity": units,
            "price": units,
            "number": count,
            "signed": (-_TURN, _TURN),
            "port": place,
            "interval": (0, 2**14),
            "buyer": nation,
            "seller": nation,
            "what": (0, _GOODS),
            "refused": flag,
        },
        "transports": {
            "quantity": units,
            "waiting": units,
            "arrived": units,
            "price": units,
            "freight": units,
            "created": (-_TURN, _TURN),
            "port": place,
            "deal": (-1, max(world.lots.size, world.promises.size) - 1),
            "sender": nation,
            "receiver": nation,
            "what": (0, item.COUNT - 1),
            "kind": (0, parcel.LAST_OF_NATIONS),
        },
    }


def disagreements(world: World, rules: Rules) -> Iterator[str]:
    """What records of trade tell differently, one line each; all their numbers must be within `limits`."""
    yield from _of_parcels(world, rules)
    yield from _of_ships(world)
    yield from _of_places(world)
    yield from _of_deals(world)


def _of_parcels(world: World, rules: Rules) -> Iterator[str]:
    """Every parcel has goods, owners, a place, and the ship and deal that it needs."""
    cargo = world.parcels
    used = np.asarray(cargo["state"]) != parcel.FREE
    if used[int(world.clock["parcels"][0]) :].any():
        yield "clock.parcels leaves out a place of parcels that is used"
    state, kind = np.asarray(cargo["state"])[used], np.asarray(cargo["kind"])[used]
    ship, deal = np.asarray(cargo["ship"])[used], np.asarray(cargo["deal"])[used]
    ashore = np.asarray(cargo["port"])[used] >= 0
    if np.any(np.asarray(cargo["quantity"])[used] <= 0):
        yield "parcels.quantity is 0 of goods"
    if np.any(np.asarray(cargo["source"])[used] < 0) or np.any(np.asarray(cargo["receiver"])[used] < 0):
        yield "parcels.source or parcels.receiver is nobody"
    if np.any(ashore != (state != parcel.ABOARD)):
        yield "parcels.port and parcels.state tell differently whether goods are aboard"
    if np.any((ship >= 0) != (state != parcel.BONDED)):
        yield "parcels.ship and parcels.state tell differently whether goods have a ship"
    elif not np.all(_private_ships(world)[ship[state != parcel.BONDED]]):
        yield "parcels.ship names a ship that is none of a private sector"
    elif _overloaded(world, rules):
        yield "parcels.ship names a ship that can't hold all that is aboard"
    of_nations = (kind >= parcel.FIRST_OF_NATIONS) & (kind <= parcel.LAST_OF_NATIONS)
    if np.any(np.asarray(cargo["what"])[used][~of_nations] == item.FUNDS):
        yield "parcels.what is money of a private sector"
    for is_of, array, is_there, name in (
        (kind == parcel.CONTRACT, world.contracts["number"], "number", "contracts"),
        (of_nations, world.transports["kind"], "kind", "transports"),
    ):
        places = deal[is_of]
        if np.any((places < 0) | (places >= len(array))) or np.any(np.asarray(array)[places] <= 0):
            yield f"parcels.deal names none of the {name} (their {is_there} is 0)"


def _private_ships(world: World) -> NDArray[Any]:
    """Which places in the list of ships hold a nation's private ship."""
    ships = world.ships
    return np.isin(np.asarray(ships["kind"]), _PRIVATE) & (np.asarray(ships["owner"]) >= 0)


def _overloaded(world: World, rules: Rules) -> bool:
    """Whether a ship has more aboard than its class holds at the highest level of research."""
    cargo, ships = world.parcels, world.ships
    aboard = np.asarray(cargo["state"]) == parcel.ABOARD
    each = np.maximum(1, np.asarray(rules.resources["units_per_container"]).astype(np.int64))
    what, quantity = np.asarray(cargo["what"])[aboard], np.asarray(cargo["quantity"])[aboard]
    full = np.zeros(ships.size, np.int64)
    goods = what != item.FUNDS
    np.add.at(full, np.asarray(cargo["ship"])[aboard][goods], quantity[goods] // each[what[goods]])
    best = int(np.asarray(rules.research["effect_percent"])[research.SHIPPING].max())
    holds = np.asarray(rules.ship_classes["capacity_containers"]).astype(np.int64) * max(100, best) // 100
    catch = int(rules.scalars["fishing_boat_capacity"][0]) // int(each[item.FOOD])
    holds[ship_class.FISHING_BOAT] = max(int(holds[ship_class.FISHING_BOAT]), catch)
    return bool(np.any(full > holds[np.asarray(ships["kind"])]))


def _of_ships(world: World) -> Iterator[str]:
    """Only private ships have a home and something to do; a warship may be bound for a port (AID-026)."""
    ships, jobs = world.ships, world.jobs
    others = (np.asarray(ships["kind"]) > 0) & ~_private_ships(world)
    warships = (np.asarray(ships["kind"]) <= ship_class.LAST_WARSHIP) & (np.asarray(ships["owner"]) >= 0)
    for name, nothing in (("job", job.IDLE), ("home", -1), ("refuge", -1), ("goal", -1)):
        if np.any(np.asarray(jobs[name])[others & ~warships if name == "goal" else others] != nothing):
            yield f"jobs.{name} is set of a ship that is none of a private sector"


def _of_places(world: World) -> Iterator[str]:
    """No cell is two ports of trade, or two fishing grounds."""
    for name in ("harbours", "grounds"):
        cells = np.asarray(getattr(world, name)["cell"])
        if _has_double(cells[cells >= 0]):
            yield f"{name}.cell names a cell twice"


def _of_deals(world: World) -> Iterator[str]:
    """Deals have numbers of their own and two parties; a transport is about no more than there was."""
    lots, sent = world.lots, world.transports
    is_lot = np.asarray(lots["state"]) != lot.FREE
    for name, used in (
        ("lots", is_lot),
        ("promises", np.asarray(world.promises["number"]) > 0),
        ("contracts", np.asarray(world.contracts["number"]) > 0),
    ):
        entries = getattr(world, name)
        numbers = np.asarray(entries["number"])[used]
        if _has_double(numbers) or np.any(numbers <= 0):
            yield f"{name}.number is 0 or that of two"
        if numbers.size and int(numbers.max()) > int(world.clock[f"{name}_made"][0]):
            yield f"clock.{name}_made is below a number that was given"
        parties = ("seller", "bidder") if name == "lots" else ("seller", "buyer")
        one, other = (np.asarray(entries[party])[used] for party in parties)
        if np.any(one < 0) or (name != "lots" and np.any(other < 0)) or np.any(one == other):
            yield f"{name}.{parties[0]} and {name}.{parties[1]} are no two nations"
    if np.any((np.asarray(lots["bid"]) > 0)[is_lot] != (np.asarray(lots["bidder"]) >= 0)[is_lot]):
        yield "lots.bid and lots.bidder tell differently whether there is a bid"
    used = np.asarray(sent["kind"]) > 0
    if np.any(np.asarray(sent["kind"])[used] < parcel.FIRST_OF_NATIONS):
        yield "transports.kind is none between nations"
    if np.any(np.asarray(sent["sender"])[used] < 0) or np.any(np.asarray(sent["receiver"])[used] < 0):
        yield "transports.sender or transports.receiver is nobody"
    sold = used & (np.asarray(sent["kind"]) == parcel.AUCTION) & (np.asarray(sent["deal"]) >= 0)
    places = np.asarray(sent["deal"])[sold]
    are_lots = bool(np.all(places < lots.size))
    if not are_lots or np.any(np.asarray(lots["state"])[places] != lot.SOLD):
        yield "transports.deal names a lot that is not sold"
    there = np.asarray(sent["waiting"]) + np.asarray(sent["arrived"]) + _under_way(world)
    if np.any(there[used] > np.asarray(sent["quantity"])[used]):
        yield "transports.quantity is less than what waits, sails and has arrived"


def _under_way(world: World) -> NDArray[Any]:
    """What carriers have of each transport."""
    cargo = world.parcels
    kind, deal = np.asarray(cargo["kind"]), np.asarray(cargo["deal"])
    moving = (np.asarray(cargo["state"]) != parcel.FREE) & (deal >= 0) & (deal < world.transports.size)
    moving &= (kind >= parcel.FIRST_OF_NATIONS) & (kind <= parcel.LAST_OF_NATIONS)
    found = np.zeros(world.transports.size, np.int64)
    np.add.at(found, deal[moving], np.asarray(cargo["quantity"])[moving])
    return found


def _has_double(values: NDArray[Any]) -> bool:
    return bool(np.unique(values).size != values.size)
