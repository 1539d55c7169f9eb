"""The cargo of a private ship by the names of case files: what is aboard and what waits ashore (MER-077)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hakoenv.engine import hexgrid
from hakoenv.engine.codes import parcel, terrain
from hakoenv.engine.shipping import parcels
from hakoenv.testing import deals, names
from hakoenv.testing.errors import CaseError
from hakoenv.testing.fields import (
    Field,
    amount,
    item_values,
    listed,
    nation_number,
    record,
    resource,
    whole,
)
from hakoenv.testing.job_fields import is_private

if TYPE_CHECKING:
    from hakoenv.testing.small_world import SmallWorld

_KEYS = ("item", "quantity", "kind", "from", "to", "price", "tariff", "value", "contract", "lot", "shipment")
_ABOARD = -1  # in place of a port
_KEY_OF_KIND = {
    parcel.TRADE: ("price", "tariff"),
    parcel.BOND: ("value",),
    parcel.CONTRACT: ("contract",),
    parcel.AUCTION: ("lot",),
    parcel.REGULAR: ("shipment",),
}


class Cargo(dict[str, int]):
    """All that a ship holds, by item: a case that expects it names all of it."""


def _held(state: int) -> Any:
    """A reader of a ship's goods that are in a state, by item."""

    def read(small: SmallWorld, where: int) -> Cargo:
        held = small.world.parcels
        chosen = held[(held["state"] == state) & (held["ship"] == where)]
        found = Cargo()
        for name, number in names.ITEMS.numbers.items():
            quantity = int(chosen["quantity"][chosen["what"] == number].sum())
            if quantity:
                found[name] = quantity
        return found

    return read


def _write_cargo(small: SmallWorld, where: int, value: Any) -> None:
    _put_all(small, where, parcel.ABOARD, _ABOARD, value)


def _write_to_load(small: SmallWorld, where: int, value: Any) -> None:
    _put_all(small, where, parcel.ASHORE, _port_beside(small, where), value)


def _put_all(small: SmallWorld, ship: int, state: int, port: int, value: Any) -> None:
    """Let a ship hold exactly these goods in one of the two states."""
    if not is_private(small, ship):
        raise CaseError("only private ships carry goods")
    held = small.world.parcels
    for p in ((held["state"] == state) & (held["ship"] == ship)).nonzero()[0]:
        parcels.free(small.world, int(p))
    if isinstance(value, Mapping):
        own = item_values(value, lambda quantity: whole(quantity, 0, 2**31 - 1))
        value = [
            {"item": names.RESOURCES[number], "quantity": quantity, "kind": "own"}
            for number, quantity in own.items()
            if quantity
        ]
    for entry in listed(value, "cargo entries"):
        if not isinstance(entry, Mapping):
            raise CaseError(f"{entry!r} is no object with item, quantity and kind")
        _put(small, ship, port, entry)


def _put(small: SmallWorld, ship: int, port: int, entry: Mapping[str, Any]) -> None:
    """One cargo entry as a parcel, and what it belongs to if that is not there yet."""
    for key in entry:
        if key not in _KEYS:
            raise CaseError(f'unknown key "{key}"; {names.nearest(key, _KEYS)}')
    for key in ("item", "quantity", "kind"):
        if key not in entry:
            raise CaseError(f'"{key}" is missing')
    kind = names.PARCELS.number(entry["kind"])
    quantity = whole(entry["quantity"], 1, 2**31 - 1)
    what = names.ITEMS.number(entry["item"]) if parcels.is_of_nations(kind) else resource(entry["item"])
    for key in ("price", "tariff", "value", "contract", "lot", "shipment"):
        if key in entry and key not in _KEY_OF_KIND.get(kind, ()):
            raise CaseError(f'"{key}" does not go with kind "{entry["kind"]}"')
    deal, pair = deals.claimed(small, kind, what, quantity, entry)
    holder = int(record(small, "ships", ship)["owner"])
    source = nation_number(small, entry["from"]) if "from" in entry else (pair[0] if pair else holder)
    if "to" in entry:
        receiver = nation_number(small, entry["to"])
    elif pair or kind in (parcel.OWN, parcel.BOND):
        receiver = pair[1] if pair else source
    else:
        raise CaseError('"to" is missing')
    if pair and pair != (source, receiver):
        raise CaseError(f'"from" and "to" are not {pair[0]} and {pair[1]}, as the deal says')
    if deal < 0 and parcels.is_of_nations(kind):
        deal = deals.open_transport(small, kind, source, receiver, what, quantity, waiting=0)
    if kind in (parcel.OWN, parcel.BOND):
        receiver = source  # of own goods and in bond the owner
    place = int(parcels.put(small.world, kind, what, quantity, source, receiver, ship, port))
    if place < 0:
        raise CaseError("no room for more cargo in a world of this size")
    made = small.world.parcels[place]
    made["price"] = amount(entry.get("value", entry.get("price", 0)))
    made["tariff"] = amount(entry.get("tariff", 0))
    made["deal"] = deal


def _port_beside(small: SmallWorld, ship: int) -> int:
    """The port that a ship lies at: its (temporary) home if that is one, else the one of the lowest cell."""
    entry, here = record(small, "jobs", ship), int(record(small, "ships", ship)["cell"])
    cells = small.world.cells.reshape(-1)
    ports = (cells["terrain"] == terrain.PORT).nonzero()[0].tolist()
    beside: list[int] = [cell for cell in ports if hexgrid.distance(small.width, here, cell) == 1]
    home = int(entry["refuge"] if entry["refuge"] >= 0 else entry["home"])
    if home in beside or (not beside and home in ports):
        return home
    if not beside:
        raise CaseError("the ship lies at no port, and has no home port where goods could wait for it")
    return beside[0]


CARGO_FIELDS: dict[str, Field] = {
    "cargo": Field(_held(parcel.ABOARD), _write_cargo),
    "to_load": Field(_held(parcel.ASHORE), _write_to_load),
}
