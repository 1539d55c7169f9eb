"""What is to be seen of deals at a moment: records, goods on the way, and what was booked for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from hakoenv.engine.codes import cause, item, lot, parcel
from hakoenv.engine.world import World

Row = dict[str, int]

NOBODY = -1
GOODS = {
    parcel.AID: cause.AID,
    parcel.EXCHANGE: cause.EXCHANGE,
    parcel.REGULAR: cause.SHIPMENT,
    parcel.AUCTION: cause.AUCTION,
}
"""Under which cause transports of each kind are booked."""
TREASURY = sorted({*GOODS.values(), cause.RETURNED})
"""Causes that treasuries have of deals only."""
PRIVATE = [cause.SUPPLY, cause.PENALTY]
"""Causes that private sectors have of supply contracts only."""
SWAP = ("swap_until", "swap_give", "swap_given", "swap_want", "swap_wanted")


class Sight:
    """What is to be seen of deals at a moment.

    Attributes:
        lots, promises, contracts: records by number.
        swaps: offers of exchange by the two nations.
        sent: records of transports by place; `deal` is the number of their lot or promise, 0 none.
        onward, back: units under way to the receiver, or on their way back, by place of the transport.
        aboard, ashore: the same by place of the transport and ship.
        ends: ports where what goes onward lies (-1 aboard) and is bound for, by place of the transport.
        supplies, carriers: units under way and their ships, by number of the contract.
        ships: serial numbers by place.
        alive, founded: by nation.
        cash, payments: private cash by nation, and its entries by nation and cause.
        accounts, private_accounts: entries by nation, cause (of `TREASURY` or `PRIVATE`) and item.
        events: how many there were in this turn.
    """

    def __init__(self, world: World) -> None:
        """Look at a world; later changes of it don't matter."""
        self.lots = _by_number(world.lots, world.lots["state"] != lot.FREE)
        self.promises = _by_number(world.promises, world.promises["number"] > 0)
        self.contracts = _by_number(world.contracts, world.contracts["number"] > 0)
        self.sent = {row["place"]: row for row in _rows(world.transports, world.transports["kind"] > 0)}
        for row in self.sent.values():
            row["deal"] = _deal(world, row)
        self.swaps = {
            (a, b): {name: int(world.relations[a, b][name]) for name in SWAP}
            for a, b in np.argwhere(np.asarray(world.relations["swap_until"]) > 0).tolist()
        }
        afloat = np.flatnonzero(world.ships["kind"]).tolist()
        self.ships = {ship: int(world.ships[ship]["serial"]) for ship in afloat}
        self.alive = [bool(alive) for alive in world.nations["alive"]]
        self.founded: list[int] = world.nations["founded"].tolist()
        self.cash: list[int] = world.nations["private"][:, item.FUNDS].tolist()
        self.payments = np.array(world.private_accounts[:, :, item.FUNDS])
        self.accounts = np.array(world.accounts[:, TREASURY])
        self.private_accounts = np.array(world.private_accounts[:, PRIVATE])
        self.events = int(world.clock["event_count"][0])
        self._look_at_cargo(world)

    def _look_at_cargo(self, world: World) -> None:
        self.onward: Counter[int] = Counter()
        self.back: Counter[int] = Counter()
        self.aboard: Counter[tuple[int, int]] = Counter()
        self.ashore: Counter[tuple[int, int]] = Counter()
        self.ends: dict[int, set[tuple[int, int]]] = {}
        self.supplies: Counter[int] = Counter()
        self.carriers: dict[int, set[int]] = {}
        of_contract = {row["place"]: number for number, row in self.contracts.items()}
        for row in _rows(world.parcels, world.parcels["state"] != parcel.FREE):
            place, ship, quantity = row["deal"], row["ship"], row["quantity"]
            if row["kind"] == parcel.CONTRACT:
                self.supplies[of_contract[place]] += quantity
                self.carriers.setdefault(of_contract[place], set()).add(ship)
            elif row["kind"] in GOODS:
                (self.aboard if row["state"] == parcel.ABOARD else self.ashore)[place, ship] += quantity
                if row["receiver"] == row["source"]:
                    self.back[place] += quantity
                    continue
                self.onward[place] += quantity
                goal = int(world.jobs["goal"][ship]) if ship >= 0 else NOBODY
                self.ends.setdefault(place, set()).add((row["port"], goal))

    def under_way(self, place: int) -> int:
        """Units of a transport that have a carrier."""
        return self.onward[place] + self.back[place]


def known(row: Row) -> Row:
    """A record without its place in the list."""
    return {name: value for name, value in row.items() if name not in ("place", "spare")}


def _by_number(entries: Any, used: Any) -> dict[int, Row]:
    return {row["number"]: row for row in _rows(entries, used)}


def _rows(entries: Any, used: Any) -> Iterator[Row]:
    """The records of a list that are used, with their places."""
    for place in np.flatnonzero(used).tolist():
        values = np.asarray(entries)[place].tolist()
        yield {"place": place, **dict(zip(entries.dtype.names, values, strict=True))}


def _deal(world: World, row: Row) -> int:
    """The number of the lot or promise that a transport belongs to, 0 none."""
    if row["deal"] < 0 or row["kind"] not in (parcel.AUCTION, parcel.REGULAR):
        return 0
    deals = world.lots if row["kind"] == parcel.AUCTION else world.promises
    return int(deals[row["deal"]]["number"])
