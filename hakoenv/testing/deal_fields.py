"""The fields of auctions, regular shipments, transports, supply contracts and bonded goods by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hakoenv.engine.codes import lot, parcel
from hakoenv.testing import names
from hakoenv.testing.fields import (
    Field,
    Kind,
    cell_field,
    coded,
    flag,
    money,
    number,
    owner,
    record,
    turn_or_none,
)

if TYPE_CHECKING:
    from hakoenv.testing.small_world import SmallWorld


def _item(table: str) -> Field:
    return coded(table, "what", lambda: names.ITEMS)


def _count(table: str, column: str) -> Field:
    return number(table, column, low=0)


def transport_of(small: SmallWorld, kind: int, deal: int) -> int:
    """The transport of a sold lot or regular shipment by its place in its list; -1 none."""
    entries = small.world.transports
    found = np.flatnonzero((entries["kind"] == kind) & (entries["deal"] == deal))
    return int(found[0]) if len(found) else -1


def _of_transport(column: str) -> Field:
    """What is left of a sold lot in its transport; 0 where there is none."""

    def read(small: SmallWorld, where: int) -> int:
        place = transport_of(small, parcel.AUCTION, where)
        return 0 if place < 0 else int(small.world.transports[place][column])

    return Field(read)


def _read_freight(small: SmallWorld, where: int) -> int:
    """The freight part: of an open lot what is held with the bid, of a sold one what is left of it."""
    entry = record(small, "lots", where)
    if entry["state"] == lot.SOLD:
        return int(_of_transport("freight").read(small, where))
    return freight_part(small, int(entry["bid"]))


def freight_part(small: SmallWorld, bid: int) -> int:
    """What is held with a bid for freight (AUC-002)."""
    return -(-bid * int(small.rules.scalars[0]["auction_freight_percent"]) // 100)


def _read_lost(small: SmallWorld, where: int) -> int:
    """Units of a sold lot that were looted or sunk: what is neither waiting, nor under way, nor there."""
    place = transport_of(small, parcel.AUCTION, where)
    if place < 0:
        return 0
    entry, held = small.world.transports[place], small.world.parcels
    moving = (held["state"] != parcel.FREE) & (held["kind"] == parcel.AUCTION) & (held["deal"] == place)
    rest = int(entry["waiting"]) + int(entry["arrived"]) + int(held["quantity"][moving].sum())
    return int(entry["quantity"]) - rest


LOT_FIELDS: dict[str, Field] = {
    "lot": _count("lots", "number"),
    "seller": owner("lots", "seller"),
    "item": _item("lots"),
    "quantity": _count("lots", "quantity"),
    "min_price": _count("lots", "min_price"),
    "deadline": _count("lots", "deadline"),
    "bid": _count("lots", "bid"),
    "bidder": owner("lots", "bidder"),
    "extensions": _count("lots", "extensions"),
    "state": coded("lots", "state", lambda: names.LOT_STATES),
    "settled": turn_or_none("lots", "settled"),
    "freight": Field(_read_freight),
    "lost": Field(_read_lost),
}
SHIPMENT_FIELDS: dict[str, Field] = {
    "id": _count("promises", "number"),
    "seller": owner("promises", "seller"),
    "buyer": owner("promises", "buyer"),
    "item": _item("promises"),
    "quantity": _count("promises", "quantity"),
    "price": _count("promises", "price"),
    "port": cell_field("promises", "port"),
    "offered": _count("promises", "offered"),
    "revision": _count("promises", "revision"),
    "freight_cap": _count("promises", "freight_cap"),
    "interval": _count("promises", "interval"),
    "accepted": turn_or_none("promises", "accepted"),
}
CONTRACT_FIELDS: dict[str, Field] = {
    "id": _count("contracts", "number"),
    "buyer": owner("contracts", "buyer"),
    "seller": owner("contracts", "seller"),
    "item": _item("contracts"),
    "quantity": _count("contracts", "quantity"),
    "price": money("contracts", "price"),
    "signed": _count("contracts", "signed"),
    "interval": _count("contracts", "interval"),
    "sent": _count("contracts", "sent"),
    "delivered": _count("contracts", "delivered"),
    "refused": flag("contracts", "refused"),
    "port": cell_field("contracts", "port"),
}


def _number_of(kind: int, table: str) -> Field:
    """The number of the auction or regular shipment that a transport belongs to; None: another kind."""

    def read(small: SmallWorld, where: int) -> int | None:
        entry = record(small, "transports", where)
        of_this = entry["kind"] == kind and entry["deal"] >= 0
        return int(getattr(small.world, table)[entry["deal"]]["number"]) if of_this else None

    return Field(read)


TRANSPORT_FIELDS: dict[str, Field] = {
    "kind": coded("transports", "kind", lambda: names.PARCELS),
    "sender": owner("transports", "sender"),
    "receiver": owner("transports", "receiver"),
    "item": _item("transports"),
    "quantity": _count("transports", "waiting"),  # not yet on a ship or over the border
    "ordered": _count("transports", "quantity"),
    "arrived": _count("transports", "arrived"),
    "created": _count("transports", "created"),
    "port": cell_field("transports", "port"),
    "price": _count("transports", "price"),
    "freight": _count("transports", "freight"),
    "lot": _number_of(parcel.AUCTION, "lots"),
    "shipment": _number_of(parcel.REGULAR, "promises"),
}
BONDED_FIELDS: dict[str, Field] = {
    "port": cell_field("parcels", "port"),
    "owner": owner("parcels", "receiver"),
    "item": _item("parcels"),
    "quantity": _count("parcels", "quantity"),
    "deposited": _count("parcels", "turn"),
}

DEALS: dict[str, Kind] = {
    "lots": Kind("auction", LOT_FIELDS),
    "promises": Kind("shipment", SHIPMENT_FIELDS),
    "transports": Kind("transport", TRANSPORT_FIELDS),
    "contracts": Kind("contract", CONTRACT_FIELDS),
    "parcels": Kind("bonded", BONDED_FIELDS),
}


class Place(NamedTuple):
    """The table of the World in which things of a kind stand, and which of its places hold one."""

    table: str
    is_used: Any


PLACES: dict[str, Place] = {
    "auction": Place("lots", lambda entries: entries["state"] != lot.FREE),
    "shipment": Place("promises", lambda entries: entries["number"] > 0),
    "transport": Place("transports", lambda entries: (entries["kind"] > 0) & (entries["waiting"] > 0)),
    "contract": Place("contracts", lambda entries: entries["number"] > 0),
    "bonded": Place("parcels", lambda entries: entries["state"] == parcel.BONDED),
}
