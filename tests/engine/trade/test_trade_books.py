"""Random deals of four small nations, turn by turn: the books add up whatever becomes of ships and deals.

Each turn nations auction, bid, send aid, exchange and promise shipments at random; between turns ships sink,
wars break out and end, ports vanish and come back, and nations fall. After every turn the audit compares all
stocks, and all goods and money in none, with their entries, and the world is looked over as one from a file.
"""

import numpy as np
import pytest

from hakoenv.engine import audit, soundness
from hakoenv.engine.codes import cause
from hakoenv.engine.navy import hulls
from hakoenv.engine.world import copy_world
from hakoenv.testing import SmallWorld, names

TURNS = 40
NATIONS = 4
HOMES = (((2, 2), (1, 2)), ((11, 2), (12, 2)), ((6, 8), (5, 8)), ((6, 10), (5, 10)))  # port and capital
FLEET = ("merchant", "merchant", "large_merchant", "fishing_boat", "cruise_ship")
BESIDE = ((1, 0), (0, 1), (0, -1), (1, 1), (1, -1))


class Traders:
    """A world of nations that make deals at random."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        pirates = {"pirate.raid_percent": 60 * (seed % 2), "pirate.sink_percent": 30}
        self.small = w = SmallWorld(height=12, width=14, nations=NATIONS, turn=40, seed=seed, rules=pirates)
        for n, (port, town) in enumerate(HOMES):
            w.cell(*port, terrain="port", owner=n, level=1 + n % 2)
            w.cell(*town, terrain="town", owner=n, population=100, capital=True)
            w.nation(n, funds=5000, tariff=5, private_funds=int(self.rng.integers(1000, 30_000)))
            for name in names.RESOURCES:  # some have much of it, some nothing
                w.nation(n, **{name: self.some(), f"private_{name}": self.some()})
            w.nation(n, food=3000)
            for kind, (dx, dy) in zip(FLEET, BESIDE, strict=True):
                x, y = port[0] + dx, port[1] + dy
                if w.cell(x, y).terrain == "sea" and w.cell(x, y).ship is None:
                    w.ship(n, kind, x, y, home=port)
        w.cell(5, 9, terrain="plains", owner=2)  # nations 2 and 3 touch
        for x in range(4, 8):
            w.cell(x, 5, fish_stock=200)
        w.ship(None, "pirate", 6, 4)
        w.ship(None, "pirate", 9, 4)
        w.shipment(1, 0, 1, "oil", 10, 50, (11, 2), 38, freight_cap=50, interval=3, accepted=41)
        w.shipment(2, 2, 3, "goods", 10, 50, (6, 10), 38, freight_cap=50, interval=2, accepted=41)

    def some(self) -> int:
        return int(self.rng.integers(0, 2) * self.rng.integers(50, 500))

    def order(self) -> None:
        """Orders of a turn, whatever comes of them."""
        w, rng = self.small, self.rng
        for n in range(NATIONS):
            other, what = (n + int(rng.integers(1, NATIONS))) % NATIONS, int(rng.integers(0, 10))
            quantity = int(rng.integers(5, 60))
            if rng.random() < 0.4:
                w.order(n, "auction_list", what % 9, 3, quantity, 20)
            for lot in w.matching("auction", {"state": "open"}):
                if rng.random() < 0.5 and lot.seller != n:
                    w.order(n, "auction_bid", target=lot.lot, amount=max(40, lot.bid * 13 // 10 + 1))
            if rng.random() < 0.3:
                w.order(n, "national_aid", what, 0, quantity, other)
            if rng.random() < 0.3:
                w.order(n, "exchange", what, int(rng.integers(0, 10)), quantity * 10_000 + 7, other)
            w.order(n, "exchange", 0, 0, 0, other)

    def disturb(self) -> None:
        """Something from outside, in one turn of two."""
        w, rng = self.small, self.rng
        chosen, n = rng.random(), int(rng.integers(0, NATIONS))
        port, town = HOMES[n]
        private = np.flatnonzero((w.world.ships["kind"] > 0) & (w.world.ships["owner"] >= 0))
        if chosen < 0.12 and private.size:
            hulls.sink(w.world, w.rules, int(rng.choice(private)), hulls.NOBODY)
        elif chosen < 0.25:
            state = ("war", "peace", "amity")[int(rng.integers(0, 3))]
            if w.world.nations["alive"][[n, (n + 1) % NATIONS]].all():
                w.relation(n, (n + 1) % NATIONS, state=state, declarer=n if state == "war" else None)
        elif chosen < 0.32:
            w.cell(*port, terrain="plains", owner=n)
        elif chosen < 0.45:
            w.cell(*port, terrain="port", owner=n, level=1)
        elif chosen < 0.48:
            w.cell(*town, terrain="plains", owner=n)


@pytest.mark.rule("TURN-004", "TURN-038", "MER-063", "MER-073", "MER-081")
@pytest.mark.parametrize("seed", range(6))
def test_no_goods_and_no_money_come_from_nowhere_or_go_there(seed: int) -> None:
    traders = Traders(seed)
    w = traders.small
    happened: set[str] = set()
    for _ in range(TURNS):
        traders.order()
        before = copy_world(w.world)
        w.run(1)
        assert audit.faults_of_turn(before, w.world, w.rules) == [], w.turn
        assert soundness.faults(w.world, w.rules) == [], w.turn
        assert w.world.clock["discrepancies"][0] == 0
        booked = np.abs(w.world.accounts).sum((0, 2)) + np.abs(w.world.private_accounts).sum((0, 2))
        happened |= {cause.NAMES[why] for why in np.flatnonzero(booked)}
        before = copy_world(w.world)
        traders.disturb()
        assert audit.faults_between(before, w.world, w.rules) == [], w.turn
    assert {"trade", "auction", "freight", "aid"} <= happened
