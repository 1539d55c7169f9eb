"""Worlds for the tests of observations."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from hakoenv.engine import happenings
from hakoenv.engine.codes import corps_order, event, job, lot, parcel, terrain
from hakoenv.engine.navy import fleets, wrecks
from hakoenv.testing import SmallWorld

GROUNDS = [
    "sea", "shallows", "plains", "wasteland", "forest", "mountain", "town", "farm", "factory", "missile_base",
    "defense_facility", "depot", "iron_mine", "offshore_oil", "port", "power_plant", "seabed_base", "market",
    "naval_port", "lighthouse", "naval_mine",
]  # fmt: skip
WATER = {"sea", "shallows", "seabed_base", "offshore_oil"}


def random_world(seed: int, nations: int = 3) -> SmallWorld:
    """Nations in each other's reach, all kinds of ground, units and ships that move, plans and memories."""
    rng = np.random.default_rng(seed)
    w = SmallWorld(height=11, width=11, nations=nations, seed=seed, turn=40)
    for y in range(11):
        for x in range(11):
            ground = str(rng.choice(GROUNDS))
            owner = int(rng.integers(-1, nations)) if rng.random() < 0.5 else -1
            if ground == "sea":
                owner = -1
            extra = {"population": int(rng.integers(0, 100))} if ground == "town" else {}
            extra |= {"level": int(rng.integers(1, 3))} if ground == "naval_mine" else {}
            w.cell(x, y, terrain=ground, owner=None if owner < 0 else owner, **extra)
    for n in range(nations):
        w.cell(3 * n + 1, 5, terrain="town", owner=n, population=60, capital=True)
        w.nation(n, funds=int(rng.integers(0, 3000)), food=500, wood=int(rng.integers(0, 90)))
        for _ in range(int(rng.integers(0, 5))):
            w.order(n, "farm", int(rng.integers(0, 11)), int(rng.integers(0, 11)))
        w.nation(n, items={"weak_shield": int(rng.integers(0, 3))})
        w.corps(n, int(rng.integers(0, 32)), order=str(rng.choice(corps_order.NAMES)), direction=2)
    mix_war_in(w, rng)
    for _ in range(8):
        place(w, rng)
    sail(w, rng)
    trade(w, rng)
    w.phase("sightings")
    for _ in range(3):  # some move on, so that there is something to remember
        move(w, rng)
        w.world.clock["turn"] += 1
        w.phase("sightings")
    return w


def mix_war_in(w: SmallWorld, rng: np.random.Generator) -> None:
    """States between nations, offers, monsters, bases that have fired, land taken, troops aboard."""
    for a, b in ((0, 1), (0, 2), (1, 2)):
        if b < w.nations:
            w.relation(a, b, state=str(rng.choice(["peace", "war", "amity"])))
            w.world.relations["offer_until"][a, b] = rng.choice([0, 42])
    cells = w.world.cells.reshape(-1)
    for i in rng.integers(0, cells.size, 4).tolist():
        if cells["owner"][i] != 0 or w.world.nations["capital"][0] != i:
            w.cell(i % 11, i // 11, terrain="monster", level=int(rng.integers(11, 14)))
    cells["experience"][cells["terrain"] == terrain.MISSILE_BASE] = rng.integers(0, 200)
    taken = rng.random(cells.size) < 0.2
    cells["taken_turn"][taken], cells["taken_from"][taken] = 39, rng.integers(0, w.nations)
    w.cell(0, 0, terrain="sea")
    ship = w.ship(w.nations - 1, "destroyer", 0, 0)
    w.unit(w.nations - 1, "marines", aboard=ship._where)
    for kind in (event.BATTLE, event.MISSILE, event.CELL_CAPTURED, event.MONSTER_APPEARED):
        happenings.record_between(w.world, kind, *rng.integers(0, w.nations, 2).tolist(), 5, 1)


def place(w: SmallWorld, rng: np.random.Generator) -> None:
    x, y = (int(v) for v in rng.integers(0, 11, 2))
    cell = w.world.cells[y, x]
    owner = int(rng.integers(0, w.nations))
    if cell["unit"] >= 0 or cell["ship"] >= 0:
        return
    if w.cell(x, y).terrain in WATER:
        kind = str(
            rng.choice(
                [
                    "destroyer",
                    "submarine",
                    "battleship",
                    "merchant",
                    "large_merchant",
                    "fishing_boat",
                    "pirate",
                ]
            )
        )
        w.ship(None if kind == "pirate" else owner, kind, x, y)
    else:
        w.unit(owner, str(rng.choice(["infantry", "armor"])), x, y, strength=int(rng.integers(1, 200)))


def sail(w: SmallWorld, rng: np.random.Generator) -> None:
    """Warships join fleets that are bound somewhere, and some have met with something; wrecks lie about."""
    ships = w.world.ships
    for s in np.flatnonzero((ships["kind"] > 0) & (ships["kind"] <= 5) & (ships["owner"] >= 0)).tolist():
        fleet = int(rng.integers(0, 3))
        fleets.join(w.world, s, fleet)
        banner = w.world.fleets[int(ships["owner"][s]), fleet]
        banner["target"] = rng.integers(0, w.world.cells.size)
        fleets.append_waypoint(banner, int(rng.integers(0, w.world.cells.size)))
        ships["mode"][s], ships["escort"][s] = rng.integers(0, 4), rng.integers(0, 2)
        ships["met"][s] = rng.integers(0, 1 << w.nations)
    for _ in range(4):
        wrecks.leave(w.world, int(rng.integers(0, 30)), int(rng.integers(1, 6)))
    w.world.wrecks["turn"] -= np.arange(len(w.world.wrecks)) % 3 * (w.world.wrecks["kind"] > 0)


def trade(w: SmallWorld, rng: np.random.Generator) -> None:
    """Ports are listed, private ships have jobs and cargo, there are auctions and deals of all kinds."""
    cells, nations = w.world.cells.reshape(-1), w.nations
    listed = np.flatnonzero(cells["terrain"] == terrain.PORT)[: len(w.world.harbours)]
    w.world.harbours["cell"][: len(listed)] = listed
    w.world.distances[: len(listed)] = rng.integers(0, 30, (len(listed), cells.size))
    w.world.grounds["cell"][:3], w.world.grounds["fish"][:3] = (1, 30, 60), 40
    for name in ("swap_until", "swap_given", "swap_wanted"):
        w.world.relations[name] = rng.choice([0, 42, 60], (nations, nations))
    for name, most in (("swap_give", 10), ("swap_want", 10), ("no_supply", 512), ("land_used", 64)):
        w.world.relations[name] = rng.integers(0, most, (nations, nations))
    for name in ("port_policy", "land_gate"):
        w.world.relations[name] = rng.integers(-1, 2, (nations, nations))
    private = np.flatnonzero((w.world.ships["kind"] > 5) & (w.world.ships["owner"] >= 0))
    for s in private.tolist():
        entry = w.world.jobs[s]
        entry["home"], entry["goal"] = rng.integers(0, 121, 2)
        entry["job"], entry["strayed"] = rng.integers(0, len(job.NAMES)), rng.choice([0, 30])
        entry["waited"], entry["fuel_counter"] = rng.integers(0, 3), rng.choice([0, 130])
    if nations < 2:
        return
    for k, number in enumerate((rng.permutation(300)[:6] + 1).tolist()):
        one, other = rng.choice(nations, 2, replace=False).tolist()
        quantity, price = rng.integers(1, 300, 2).tolist()
        given = {"number": number, "quantity": quantity, "price": price, "what": rng.integers(0, 9)}
        if k < 4:
            fill(w.world.lots[k], quantity=quantity, min_price=price, number=k + 1, deadline=44, seller=one,
                 bidder=rng.choice([-1, other]), what=k, state=lot.OPEN if k < 3 else lot.SOLD)  # fmt: skip
        fill(w.world.promises[k], **given, revision=k, port=5, offered=38, accepted=rng.choice([0, 39]),
             interval=3, seller=one, buyer=other)  # fmt: skip
        fill(w.world.contracts[k], **given, signed=36, port=7, interval=4, seller=one, buyer=other)
        kind = rng.choice([parcel.AID, parcel.EXCHANGE, parcel.REGULAR, parcel.AUCTION])
        deal = {parcel.REGULAR: k, parcel.AUCTION: 3}.get(int(kind), -1)
        given = {"quantity": quantity, "price": price, "what": given["what"], "kind": kind}
        fill(w.world.transports[k], **given, waiting=quantity // 2, created=35 + k, port=-1, deal=deal,
             sender=one, receiver=other)  # fmt: skip
        if private.size:
            given["kind"] = kind = rng.choice([parcel.OWN, parcel.TRADE, parcel.CONTRACT, kind])
            state = rng.choice([parcel.ASHORE, parcel.ABOARD])
            fill(w.world.parcels[k], **given, port=-1 if state == parcel.ABOARD else 8, source=one,
                 receiver=other, deal=k if kind >= parcel.CONTRACT else -1, ship=rng.choice(private),
                 state=state)  # fmt: skip
            w.world.clock["parcels"] = k + 1


def fill(record: Any, **given: Any) -> None:
    for name, value in given.items():
        record[name] = value


def move(w: SmallWorld, rng: np.random.Generator) -> None:
    cells = w.world.cells.reshape(-1)
    for u in np.flatnonzero(w.world.units["owner"] >= 0).tolist():
        to = int(rng.integers(0, cells.size))
        if rng.random() < 0.5 and cells["unit"][to] < 0 and cells["ship"][to] < 0:
            cells["unit"][w.world.units["cell"][u]] = -1
            cells["unit"][to] = u
            w.world.units["cell"][u] = to


@pytest.fixture
def make_random_world() -> Callable[..., SmallWorld]:
    return random_world
