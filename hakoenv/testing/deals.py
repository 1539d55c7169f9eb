"""Auctions, regular shipments, transports, supply contracts and bonded goods of a small world."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hakoenv.engine.codes import lot, parcel, terrain
from hakoenv.engine.shipping import parcels
from hakoenv.testing import names
from hakoenv.testing.deal_fields import DEALS, PLACES, freight_part, transport_of
from hakoenv.testing.errors import CaseError
from hakoenv.testing.fields import cell_of, nation_number, owner_number, resource, whole

if TYPE_CHECKING:
    from hakoenv.testing.small_world import SmallWorld

_MOST = 2**31 - 1


def add_auction(small: SmallWorld, given: dict[str, Any]) -> int:
    """Make a lot; the goods of a sold one, but for `lost`, wait for a carrier. Returns its place."""
    quantity = whole(given["quantity"], 1, _MOST)
    bid = whole(given.pop("bid", 0), 0, _MOST)
    seller = nation_number(small, given["seller"])
    bidder = owner_number(small, given.pop("bidder", None))
    state = names.LOT_STATES.number(given.pop("state", "open"))
    lost = whole(given.pop("lost", 0), 0, quantity)
    freight = given.pop("freight", None)
    settled = given.pop("settled", None)
    if (bid > 0) != (bidder >= 0):
        raise CaseError("a bid has a bidder, and a bidder a bid")
    if bidder == seller:
        raise CaseError('"seller" and "bidder" are the same nation')
    if state != lot.SOLD and (lost or freight is not None or settled is not None):
        raise CaseError('only an auction in state "sold" has "settled", "freight" and "lost"')
    if state == lot.SOLD and not bid:
        raise CaseError('an auction in state "sold" has a bid and a bidder')
    place = _new(small, "auction", given)
    entry = small.world.lots[place]
    entry["bid"], entry["bidder"], entry["state"] = bid, bidder, state
    _raise_count(small, "lots_made", given["lot"])
    if state == lot.SOLD:
        when = min(int(entry["deadline"]), small.turn) if settled is None else whole(settled, 0, _MOST)
        entry["settled"] = when
        left = freight_part(small, bid) if freight is None else whole(freight, 0, _MOST)
        what = int(entry["what"])
        t = open_transport(small, parcel.AUCTION, seller, bidder, what, quantity, waiting=quantity - lost)
        made = small.world.transports[t]
        made["deal"], made["price"], made["freight"], made["created"] = place, bid, left, when
    return place


def add_shipment(small: SmallWorld, given: dict[str, Any]) -> int:
    """Make a regular shipment, an offer unless it is `accepted`. Returns its place."""
    _parties(small, given, "seller", "buyer")
    whole(given["quantity"], 1, _MOST)
    given = {"revision": 1, "interval": 1, **given}
    place = _new(small, "shipment", given)
    _raise_count(small, "promises_made", given["id"])
    return place


def add_contract(small: SmallWorld, given: dict[str, Any]) -> int:
    """Make a supply contract; the shipments that were delivered have been sent. Returns its place."""
    _parties(small, given, "buyer", "seller")
    whole(given["quantity"], 1, _MOST)
    given = {"port": None, "sent": given.get("delivered", 0), **given}
    place = _new(small, "contract", given)
    _raise_count(small, "contracts_made", given["id"])
    return place


def add_transport(small: SmallWorld, given: dict[str, Any]) -> int:
    """Make a transport whose goods wait for a carrier. Returns its place.

    That of a sold lot exists already: what is given of it is set.
    """
    kind = names.PARCELS.number(given["kind"])
    if not parcels.is_of_nations(kind):
        raise CaseError(f'"{given["kind"]}" is no kind of transport between nations')
    sender, receiver = _parties(small, given, "sender", "receiver")
    quantity = whole(given["quantity"], 1, _MOST)
    what = names.ITEMS.number(given["item"])
    deal = _deal(small, kind, given)
    t = transport_of(small, kind, deal) if kind == parcel.AUCTION and deal >= 0 else -1
    if t >= 0:
        waits = small.world.transports[t]
        if (sender, receiver, what) != (waits["sender"], waits["receiver"], waits["what"]):
            raise CaseError(f"sender, receiver and item are not those of auction {given['lot']}")
        if quantity > waits["quantity"]:
            raise CaseError(f"quantity {quantity} is more than auction {given['lot']} was about")
        waits["waiting"] = quantity
    else:
        t = open_transport(small, kind, sender, receiver, what, quantity, waiting=quantity)
        small.world.transports[t]["deal"] = deal
        if kind == parcel.REGULAR and deal >= 0:
            small.world.transports[t]["price"] = small.world.promises[deal]["price"]
    for name in ("created", "port", "price", "freight"):
        if name in given:
            DEALS["transports"].write(small, t, name, given[name])
    return t


def add_bonded(small: SmallWorld, given: dict[str, Any]) -> int:
    """Let private goods lie in the bonded storage of a port (MER-048). Returns the place of the parcel."""
    port = cell_of(small, given["port"])
    if small.world.cells.reshape(-1)[port]["terrain"] != terrain.PORT:
        raise CaseError(f'"port": cell {given["port"]!r} is no port')
    owner = nation_number(small, given["owner"])
    quantity = whole(given["quantity"], 1, _MOST)
    what = resource(given["item"])
    place = int(parcels.put(small.world, parcel.BOND, what, quantity, owner, owner, -1, port))
    if place < 0:
        raise CaseError("no room for more bonded goods in a world of this size")
    if "deposited" in given:
        DEALS["parcels"].write(small, place, "deposited", given["deposited"])
    return place


ADDERS = {
    "auction": (add_auction, ("lot", "seller", "item", "quantity", "min_price", "deadline"),
                ("bid", "bidder", "extensions", "state", "settled", "freight", "lost")),
    "shipment": (add_shipment, ("id", "seller", "buyer", "item", "quantity", "price", "port", "offered"),
                 ("revision", "freight_cap", "interval", "accepted")),
    "contract": (add_contract, ("id", "buyer", "seller", "item", "quantity", "price", "signed", "interval"),
                 ("delivered", "refused", "port", "sent")),
    "transport": (add_transport, ("kind", "sender", "receiver", "item", "quantity"),
                  ("created", "port", "lot", "shipment", "price", "freight")),
    "bonded": (add_bonded, ("port", "owner", "item", "quantity"), ("deposited",)),
}  # fmt: skip
"""How a thing is made, what must be said of it, and what may."""


def add(small: SmallWorld, kind: str, given: Mapping[str, Any]) -> int:
    """Make an auction, shipment, contract, transport or bonded goods of the given fields. Returns its place.

    Raises:
        CaseError: a field is missing, unknown, or has a value that can't be.
    """
    make, required, optional = ADDERS[kind]
    for name in required:
        if name not in given:
            raise CaseError(f'"{name}" is missing')
    for name in given:
        if name not in required and name not in optional:
            raise CaseError(f'unknown {kind} field "{name}"; {names.nearest(name, (*required, *optional))}')
    return make(small, dict(given))


def open_transport(
    small: SmallWorld, kind: int, sender: int, receiver: int, what: int, quantity: int, *, waiting: int
) -> int:
    """A new transport between two nations with nothing held for it. Returns its place."""
    t = _free(small, "transports", small.world.transports["kind"] == 0)
    entry = small.world.transports[t]
    entry["kind"], entry["sender"], entry["receiver"], entry["what"] = kind, sender, receiver, what
    entry["quantity"], entry["waiting"] = quantity, waiting
    entry["created"], entry["port"], entry["deal"] = small.turn, -1, -1
    entry["price"] = entry["freight"] = entry["arrived"] = 0
    return t


def claimed(
    small: SmallWorld, kind: int, what: int, quantity: int, entry: Mapping[str, Any]
) -> tuple[int, tuple[int, int] | None]:
    """What a cargo entry belongs to.

    Goods of a sold lot come out of those that wait for a carrier; a regular shipment's add to its transport,
    which is made if there is none; a shipment of a contract has been sent.

    Returns:
        Its place in `contracts` or `transports` (-1 none), and its sender and receiver.
    """
    deal = _deal(small, kind, entry)
    if kind == parcel.CONTRACT:
        if deal < 0:
            raise CaseError('"contract" is missing')
        bound = small.world.contracts[deal]
        _same_item(what, bound)
        bound["sent"] = min(int(bound["sent"]) + 1, 255)
        return deal, (int(bound["seller"]), int(bound["buyer"]))
    if kind == parcel.AUCTION:
        if deal < 0:
            raise CaseError('"lot" is missing')
        t = transport_of(small, kind, deal)
        if t < 0:
            raise CaseError(f'auction {entry["lot"]} is not in state "sold"')
        waits = small.world.transports[t]
        _same_item(what, waits)
        if quantity > waits["waiting"]:
            raise CaseError(
                f"auction {entry['lot']} has {int(waits['waiting'])} units to carry, not {quantity}"
            )
        waits["waiting"] -= quantity
        return t, (int(waits["sender"]), int(waits["receiver"]))
    if kind == parcel.REGULAR and deal >= 0:
        promise = small.world.promises[deal]
        _same_item(what, promise)
        pair = int(promise["seller"]), int(promise["buyer"])
        t = transport_of(small, kind, deal)
        if t < 0:
            t = open_transport(small, kind, *pair, what, 0, waiting=0)
            made = small.world.transports[t]
            made["deal"], made["price"], made["port"] = deal, promise["price"], promise["port"]
        small.world.transports[t]["quantity"] += quantity
        return t, pair
    return -1, None


def _deal(small: SmallWorld, kind: int, given: Mapping[str, Any]) -> int:
    """The place of the auction, regular shipment or contract that something names; -1 it names none."""
    owners = {"lot": parcel.AUCTION, "shipment": parcel.REGULAR, "contract": parcel.CONTRACT}
    for key, of_kind in owners.items():
        if key not in given:
            continue
        if kind != of_kind:
            raise CaseError(f'"{key}" does not go with kind "{names.PARCELS.name(kind)}"')
        word = "auction" if key == "lot" else key
        entries = getattr(small.world, PLACES[word].table)
        wanted = whole(given[key], 1, _MOST)
        found = (PLACES[word].is_used(entries) & (entries["number"] == wanted)).nonzero()[0]
        if len(found) == 0:
            raise CaseError(f"there is no {word} {wanted}")
        return int(found[0])
    return -1


def _same_item(what: int, bound: Any) -> None:
    if what != bound["what"]:
        raise CaseError(f"the deal is about {names.ITEMS.name(int(bound['what']))}")


def _parties(small: SmallWorld, given: Mapping[str, Any], one: str, other: str) -> tuple[int, int]:
    pair = nation_number(small, given[one]), nation_number(small, given[other])
    if pair[0] == pair[1]:
        raise CaseError(f'"{one}" and "{other}" are the same nation')
    return pair


def _new(small: SmallWorld, kind: str, given: Mapping[str, Any]) -> int:
    """A numbered deal at a free place, all its fields set; one with that number must not exist."""
    key = "lot" if kind == "auction" else "id"
    table = PLACES[kind].table
    entries = getattr(small.world, table)
    used = PLACES[kind].is_used(entries)
    wanted = whole(given[key], 1, _MOST)
    if (used & (entries["number"] == wanted)).any():
        raise CaseError(f"two {kind}s have the number {wanted}")
    resource(given["item"])
    place = _free(small, table, ~used)
    for name, value in given.items():
        DEALS[table].write(small, place, name, value)
    return place


def _free(small: SmallWorld, table: str, free: Any) -> int:
    places = free.nonzero()[0]
    if len(places) == 0:
        raise CaseError(f"no room for more {table}: there are at most {len(getattr(small.world, table))}")
    place = int(places[0])
    getattr(small.world, table).view("u1").reshape(len(free), -1)[place] = 0
    return place


def _raise_count(small: SmallWorld, column: str, made: int) -> None:
    clock = small.world.clock[0]
    clock[column] = max(int(clock[column]), made)
