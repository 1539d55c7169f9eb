"""Sea trade over many turns of a changing world: nothing is lost or made; ships, cargo and deals agree."""

from typing import Any

import numpy as np
import pytest

from hakoenv.engine import audit
from hakoenv.engine.codes import item, job, parcel, ship_class
from hakoenv.engine.shipping import parcels
from hakoenv.testing import SmallWorld

CARGO_SHIPS = (ship_class.MERCHANT, ship_class.LARGE_MERCHANT)
HOMES = ((3, 3), (21, 3), (3, 12), (21, 12))
PIRATES = {
    "pirate.raid_percent": 25,
    "pirate.sink_percent": 10,
    "disasters.pirate_spawn.percent_per_turn": 30,
}


def islands(seed: int) -> SmallWorld:
    """Four nations with two ports, a small and a large merchant each, and pirates about."""
    w = SmallWorld(16, 26, 4, seed=seed, turn=30, rules=PIRATES)
    for n, (x, y) in enumerate(HOMES):
        for dx in range(-1, 3):
            for dy in range(-1, 2):
                w.cell(x + dx, y + dy, terrain="plains", owner=n)
        w.cell(x, y, terrain="modern_city", owner=n, population=200, capital=True)
        w.cell(x + 1, y, terrain="farm", owner=n, level=20)
        w.cell(x + 2, y, terrain="port", owner=n, level=1 + n % 2)
        w.cell(x + 1, y + 1, terrain="port", owner=n, level=1)
        w.nation(n, food=9000, funds=5000, private_funds=9000)
        for k, kind in enumerate(("merchant", "large_merchant")):
            w.ship(n, kind, x + 3, y - 1 + 2 * k, home=[x + 2, y], job="idle")
    for x, y in ((12, 3), (12, 12), (13, 8)):
        w.cell(x, y, fish_stock=400)
    return w


def stir(w: SmallWorld, draws: np.random.Generator) -> None:
    """What nations have and want, their tariffs and embargoes change; a port comes or goes."""
    for n in range(4):
        nation = w.world.nations[n]
        nation["private"][item.FUNDS] = max(int(nation["private"][item.FUNDS]), 6_000_000)
        for what in range(item.FUNDS):
            if what % 4 == n and draws.random() < 0.7:
                nation["private"][what] += draws.integers(0, 60)
        if draws.random() < 0.1:
            nation["targets"][draws.integers(0, 9)] = draws.integers(0, 400)
        if draws.random() < 0.05:
            nation["tariff"] = draws.integers(0, 60)
        other = int(draws.integers(0, 4))
        if other != n and draws.random() < 0.03:
            w.world.relations[n, other]["embargo"] ^= 1
    if draws.random() < 0.05:
        x, y = ((5, 3), (23, 3), (5, 12), (4, 13))[draws.integers(0, 4)]
        there = w.cell(x, y)
        w.cell(x, y, terrain="plains" if there.terrain == "port" else "port", owner=there.owner)


def cargo_of(w: SmallWorld, ship: int) -> Any:
    """The parcels that are a ship's."""
    entries = w.world.parcels
    is_its = ((entries["state"] == parcel.ASHORE) | (entries["state"] == parcel.ABOARD)) & (
        entries["ship"] == ship
    )
    return entries[is_its]


def containers_of(w: SmallWorld, cargo: Any) -> int:
    return sum(int(parcels.containers(w.rules, int(p["what"]), int(p["quantity"]))) for p in cargo)


def check(w: SmallWorld) -> None:
    """Jobs fit cargo, contracts fit what is under way, and no ship holds more than it can."""
    for ship in range(len(w.world.ships)):
        kind, work, cargo = (
            int(w.world.ships[ship]["kind"]),
            int(w.world.jobs[ship]["job"]),
            cargo_of(w, ship),
        )
        states = [int(state) for state in cargo["state"]]
        if kind not in CARGO_SHIPS:
            assert not states or kind == ship_class.FISHING_BOAT
            continue
        assert not states or work != job.IDLE
        assert (parcel.ASHORE in states) == (work == job.LOADING)
        assert states or work not in (job.SAILING, job.UNLOADING)
        assert containers_of(w, cargo) <= w.rules.ship_classes[kind]["capacity_containers"]
    for c in np.flatnonzero(w.world.contracts["number"]):
        held = w.world.parcels[(w.world.parcels["kind"] == parcel.CONTRACT) & (w.world.parcels["deal"] == c)]
        sent = len({int(ship) for ship in held["ship"][held["state"] != parcel.FREE]})
        deal = w.world.contracts[c]
        assert sent == int(deal["sent"]) - int(deal["delivered"])
    assert (w.world.parcels["quantity"][w.world.parcels["state"] != parcel.FREE] > 0).all()


@pytest.mark.rule("MER-073", "MER-077", "TURN-045", "MER-012", "SUP-014")
@pytest.mark.parametrize("seed", [1, 2])
def test_goods_money_ships_and_deals_agree_turn_after_turn(seed: int) -> None:
    w, draws = islands(seed), np.random.default_rng(seed)
    books = audit.Audit(w.world, w.rules)
    for _ in range(60):
        stir(w, draws)
        books.accept(w.world)
        w.run()
        books.check_turn(w.world)
        check(w)
    assert w.world.clock[0]["contracts_made"] > 0 and (w.world.parcels["state"] == parcel.ABOARD).any()
