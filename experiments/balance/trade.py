"""What is traded in seasons of rule AIs: goods by land and sea, prices, deals, what pirates take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine.codes import cause, event, item, ship_class
from hakoenv.engine.world import World

CLASSES = {
    "merchants": ship_class.MERCHANT,
    "large merchants": ship_class.LARGE_MERCHANT,
    "fishing boats": ship_class.FISHING_BOAT,
    "cruise ships": ship_class.CRUISE_SHIP,
}
_THOUSANDTHS = 1000
_PERCENTILES = (10, 90)


class Trade:
    """The trade of one season, watched turn by turn.

    Attributes:
        built: private ships that were there at the end of a turn, by name of the class.
        land, ports: containers that went over land, and that ports handled (loaded or unloaded).
        paid, supplied: funds between private sectors for ordinary trade, and under supply contracts.
        signed, broken, kept: supply contracts; one that ended early without penalty is neither.
        listed, sold, unsold: lots of auctions; `delivered`: transports between nations that are over.
        raided, looted, robbed: ships from which pirates took something, units or funds that they took, and
            private ships that sank by nobody's shot.
        fish: food that boats brought home.
        cruises: funds that cruise ships brought.
    """

    def __init__(self, deliveries: int) -> None:
        """Watch a season; ``deliveries``: shipments of a supply contract."""
        self._deliveries = deliveries
        self._running: dict[int, tuple[int, tuple[int, int]]] = {}  # contract -> shipments sent, its parties
        self._serials: dict[str, set[int]] = {name: set() for name in CLASSES}
        self.built = dict.fromkeys(CLASSES, 0)
        self.land = self.ports = self.signed = self.broken = self.kept = 0
        self.listed = self.sold = self.unsold = self.delivered = 0
        self.raided = self.looted = self.robbed = 0
        self.paid = self.supplied = self.fish = self.cruises = 0.0

    def look(self, world: World) -> dict[str, float]:
        """Note what a turn has brought; its own figures by name, for courses."""
        kinds = world.clock["event_kinds"][0]
        listed = world.events[: int(world.clock["event_count"][0])]
        land = int(np.triu(world.relations["land_used"], 1).sum())
        ports = int(world.harbours["handled"][world.harbours["cell"] >= 0].sum())
        self.land += land
        self.ports += ports
        books = world.private_accounts
        self.paid -= float(np.minimum(books[:, cause.TRADE, item.FUNDS], 0).sum()) / _THOUSANDTHS
        self.supplied -= float(np.minimum(books[:, cause.SUPPLY, item.FUNDS], 0).sum()) / _THOUSANDTHS
        self.fish += float(books[:, cause.FISHING, item.FOOD].sum())
        self.cruises += float(books[:, cause.CRUISE, item.FUNDS].sum()) / _THOUSANDTHS
        self.listed = int(world.clock["lots_made"][0])
        self.sold += int(kinds[event.LOT_SOLD])
        self.unsold += int(kinds[event.LOT_RETURNED])
        self.delivered += int(kinds[event.DELIVERED])
        raids = listed[listed["kind"] == event.RAIDED]
        self.raided += int(kinds[event.RAIDED])
        self.looted += int(raids["amount"].sum())
        self._look_at_contracts(world, listed)
        return {"land": land, "ports": ports, "spread": spread(world)} | self._look_at_ships(world, listed)

    def _look_at_ships(self, world: World, listed: NDArray[Any]) -> dict[str, float]:
        sunk = listed[(listed["kind"] == event.SHIP_SUNK) & (listed["other"] < 0)]
        afloat: dict[str, float] = {}
        for name, kind in CLASSES.items():
            ships = world.ships[world.ships["kind"] == kind]
            self._serials[name].update(ships["serial"].tolist())
            self.built[name] = len(self._serials[name])
            self.robbed += int((sunk["amount"] == kind).sum())
            afloat[name] = len(ships)
        return afloat

    def _look_at_contracts(self, world: World, listed: NDArray[Any]) -> None:
        self.signed = int(world.clock["contracts_made"][0])
        rows = listed[listed["kind"] == event.SUPPLY_BREACH]
        breaches = [
            frozenset(pair) for pair in zip(rows["nation"].tolist(), rows["other"].tolist(), strict=True)
        ]
        self.broken += len(breaches)
        now = {
            int(row["number"]): (int(row["sent"]), (int(row["buyer"]), int(row["seller"])))
            for row in world.contracts[world.contracts["number"] > 0]
        }
        for number in sorted(self._running.keys() - now.keys()):
            sent, parties = self._running[number]
            if frozenset(parties) in breaches:
                breaches.remove(frozenset(parties))
            else:
                self.kept += sent >= self._deliveries
        self._running = now


def spread(world: World) -> float:
    """How far the prices of living nations lie apart, in the middle of all items.

    By item: what the ninth tenth pays above the first, as a share of the median; 0 is one price everywhere.
    """
    prices = world.nations["prices"][world.nations["alive"] == 1]
    if len(prices) < 2:
        return float("nan")
    low, high = np.percentile(prices, _PERCENTILES, axis=0)
    middle = np.median(prices, axis=0)
    return float(np.median((high - low)[middle > 0] / middle[middle > 0])) if (middle > 0).any() else 0.0


def judge(seasons: Sequence[Trade]) -> dict[str, Any]:
    """The figures of trade over seasons: means a season."""

    def mean(values: Sequence[float]) -> float:
        return round(float(np.mean(values)), 2)

    names = (
        "land", "ports", "paid", "supplied", "signed", "kept", "broken", "listed", "sold", "unsold",
        "delivered", "fish", "cruises", "raided", "looted", "robbed",
    )  # fmt: skip
    built = {f"built {name}": mean([trade.built[name] for trade in seasons]) for name in CLASSES}
    return {name: mean([getattr(trade, name) for trade in seasons]) for name in names} | built
