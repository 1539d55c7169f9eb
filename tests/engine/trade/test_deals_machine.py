"""Deals of all kinds at random, with deaths, wars, embargoes and port losses: each ends in exactly one way.

The ledger (`hakoenv.testing.deal_ledger`) follows every deal and knows from the rules how it may end, and
what is booked then.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from hakoenv.engine import audit, census, founding, ground, hexgrid, soundness, territory
from hakoenv.engine import turn as turns
from hakoenv.engine.codes import item, lot, relation, ship_class, terrain
from hakoenv.engine.commands import plans, table, validate
from hakoenv.engine.navy import hulls
from hakoenv.engine.world import copy_world, state_hash
from hakoenv.testing import SmallWorld
from hakoenv.testing.deal_ledger import Ledger

Order = tuple[int, int, int, int, int]

WIDTH, HEIGHT = 20, 12
HOMES = ((3, 3), (6, 3), (13, 3), (16, 3), (4, 8), (14, 8))  # two pairs of neighbours, and two islands
NATIONS = len(HOMES)
CONTROLLERS = ("external", "external", "external", "external", "rule_ai", "llm")
RING = 6
MOST_PORTS = 8  # that a world of this size lists
TOWNS = (1, 4)  # directions in which a founding puts towns
CARGO_SHIPS = (ship_class.MERCHANT, ship_class.LARGE_MERCHANT)
OPEN_SITES = {
    "founding.min_distance": 1, "founding.site_land_radius3_min": 0, "founding.site_forest_radius3_min": 0,
    "founding.site_deposit_radius5_min": 0,
}  # fmt: skip
RULES = {  # ships are slow, pirates many, and relations change fast
    "ship_classes.merchant.speed": 3, "merchant.large_merchant.speed": 3,
    "diplomacy.founding_lock": 3, "diplomacy.war_delay": 2, "diplomacy.truce_turns": 2,
    "league.rejoin_wait": 3, "containment.threshold": 8, "pirate.raid_percent": 60, "pirate.sink_percent": 20,
    "disasters.pirate_spawn.percent_per_turn": 25, **OPEN_SITES,
}  # fmt: skip
SHORT_TERMS = {
    "auction.delivery_turns": 8, "regular.promise_turns": 12, "regular.offer_turns": 3,
    "diplomacy.exchange_offer_turns": 3,
}  # fmt: skip
ORDERS = {  # how often each is drawn
    "auction_list": 9, "auction_bid": 18, "regular_offer": 12, "regular_accept": 14, "regular_withdraw": 1.5,
    "exchange": 12, "exchange:accept": 10, "exchange:withdraw": 1.5, "national_aid": 10, "embargo": 3,
    "port_policy": 4, "land_gate": 3, "supply_policy": 2, "tariff_and_fee": 2, "export_cap": 2,
    "buyback_target": 6, "declare_war": 0.8, "ceasefire": 8, "amity": 4, "league_join": 3, "league_leave": 1,
    "containment_join": 1, "containment_leave": 1, "abandon_nation": 0.05,
}  # fmt: skip
CROWDED = {  # a lasting peace full of deals
    "regular_offer": 60, "regular_accept": 40, "national_aid": 60, "exchange": 20, "exchange:accept": 20,
    "declare_war": 0, "embargo": 0, "port_policy": 0, "land_gate": 0, "abandon_nation": 0,
}  # fmt: skip
FEW_SHIPS = 40  # of so many turns, ships are built in a few


class Machine:
    """Six small countries with ports and merchants, what is done to them, and the ledger of their deals."""

    def __init__(self, seed: int, terms: dict[str, int], is_crowded: bool = False) -> None:
        self.draws = np.random.default_rng(seed)
        self.is_crowded = is_crowded  # more is agreed than can be carried
        self.w = SmallWorld(HEIGHT, WIDTH, NATIONS, seed=seed, turn=60, rules={**RULES, **terms})
        self.world, self.rules = self.w.world, self.w.rules
        self.steps = 0
        self.broke = [0] * NATIONS  # the last turn in which a private sector has no money
        for n in range(NATIONS):
            for cell in self.block(n):
                self.w.cell(*self.place(cell), terrain="plains", owner=n)
            self.w.cell(*HOMES[n], terrain="modern_city", owner=n, population=200, capital=True)
            self.w.nation(n, controller=CONTROLLERS[n], funds=5000, private_funds=9000)
            self.open_port(n)
        for x in range(8, 12):  # so much land that nation 0 towers (CONT-001)
            for y in (6, 7, 10):
                self.w.cell(x, y, terrain="plains", owner=0)
        self.recount()
        self.ledger = Ledger(self.world, self.rules)
        self.books = audit.Audit(self.world, self.rules)

    def block(self, n: int) -> list[int]:
        """The home cell of a seat and its six neighbours."""
        x, y = HOMES[n]
        return [int(hexgrid.nth(WIDTH, HEIGHT, y * WIDTH + x, k)) for k in range(RING + 1)]

    def place(self, cell: int) -> tuple[int, int]:
        return cell % WIDTH, cell // WIDTH

    # ------------------------------------------------------------ a turn

    def turn(self) -> None:
        """Things happen, plans are drawn, and the phases of a turn follow, watched by ledger and audit."""
        self.supply()
        self.books.accept(self.world)
        self.stir()
        self.ledger.enter("between turns")
        self.books.check_opening(self.world)
        for n in np.flatnonzero(self.world.nations["alive"]).tolist():
            plans.set_plan(self.world, n, self.orders(n))
            self.steps += int(self.world.nations["plan_length"][n])
        whole = copy_world(self.world)
        for name in self.phases():
            if name in self.ledger.phases:
                self.ledger.enter(name)
        if self.w.turn % 8 == 0:
            turns.turn(whole, self.rules)
            assert state_hash(whole) == state_hash(self.world)
        self.books.check_turn(self.world)
        assert soundness.faults(self.world, self.rules) == []

    def phases(self) -> Iterator[str]:
        """Run the phases of a turn one by one, in the order of `turn`; their names when they are over."""
        by_nation = [phase for phase in turns.PHASES if phase.by_nation and phase.name != "plans"]
        for phase in turns.PHASES:
            if phase.run is None or phase in by_nation[1:]:
                continue
            if not phase.by_nation:
                phase.run(self.world, self.rules)
            for n in [int(n) for n in self.world.order if n >= 0] if phase.by_nation else []:
                for one in by_nation if phase in by_nation else [phase]:
                    assert one.run is not None
                    one.run(self.world, self.rules, n)
            yield phase.name

    # ------------------------------------------------------------ what happens

    def supply(self) -> None:
        """Stocks come and go: there is always something to deal in, and sometimes no room or no money."""
        draws, nations = self.draws, self.world.nations
        for deal in self.world.contracts[self.world.contracts["number"] > 0]:
            if draws.random() < 0.05:
                self.broke[deal["buyer"]] = self.w.turn + 12
        for n in np.flatnonzero(nations["alive"]).tolist():
            record = nations[n]
            record["treasury"][item.FUNDS] = max(int(record["treasury"][item.FUNDS]), 2500)
            cash = max(int(record["private"][item.FUNDS]), 3_000_000)
            record["private"][item.FUNDS] = cash if self.broke[n] < self.w.turn else 0
            record["private"][[item.FUEL, item.FOOD]] = 2000, 20000
            what = self.pick(0, item.FUNDS)
            most = 1000 if draws.random() < 0.9 else 100_000
            full = int(self.rules.resources[what]["treasury_cap"])
            record["treasury"][what] = min(self.pick(0, most), full)
            what = self.pick(0, item.FOOD)
            has, wants = (what + n) % 3 == 0, (what + n) % 3 == 1
            full = int(self.rules.resources[what]["private_cap"])
            record["private"][what] = 400 if has else self.one_of([0, 0, 0, 0, 0, 150, full])
            record["targets"][what] = 900 if wants else self.one_of([0, 0, 300])

    def stir(self) -> None:
        """Ships sink, ports come and go, land changes hands, nations fall and are founded anew."""
        draws = self.draws
        living = np.flatnonzero(self.world.nations["alive"]).tolist()
        for ship in self.cargo_ships():
            if draws.random() < 0.012:
                self.steps += 1
                hulls.sink(self.world, self.rules, ship, -1)
        for n in living:
            if draws.random() < 0.02:
                self.lose_port(n)
            if draws.random() < (0.1 if self.ports(n) else 0.5):
                self.open_port(n)
            self.launch(n)
        if draws.random() < 0.02 and len(living) > 3:
            self.raze(int(draws.choice(living)))
        if draws.random() < 0.12:
            self.refound()
        self.recount()

    def recount(self) -> None:
        territory.index(self.world, self.rules)
        territory.index(self.world, self.rules)
        census.take(self.world, self.rules)

    def ports(self, n: int) -> list[int]:
        cells = self.world.cells.reshape(-1)
        return np.flatnonzero((cells["terrain"] == terrain.PORT) & (cells["owner"] == n)).tolist()

    def cargo_ships(self) -> list[int]:
        ships = self.world.ships
        return np.flatnonzero(np.isin(ships["kind"], CARGO_SHIPS) & (ships["owner"] >= 0)).tolist()

    def lose_port(self, n: int) -> None:
        """A port is destroyed, or taken by another nation."""
        ports = self.ports(n)
        if not ports:
            return
        self.steps += 1
        cell = int(self.draws.choice(ports))
        if self.draws.random() < 0.3:
            living = np.flatnonzero(self.world.nations["alive"])
            ground.hand_over(self.world, self.rules, cell, int(self.draws.choice(living)))
        else:
            ground.put(self.world, self.rules, cell, terrain.PLAINS, n, 0)

    def open_port(self, n: int) -> None:
        """A port is built on the coast of the own home."""
        cells = self.world.cells.reshape(-1)
        if len(self.ports(n)) > 1 or (cells["terrain"] == terrain.PORT).sum() >= MOST_PORTS:
            return
        coast = [
            cell
            for k, cell in enumerate(self.block(n))
            if k not in (0, *TOWNS) and cells["owner"][cell] == n and cells["terrain"][cell] != terrain.PORT
            and self.berths(cell)
        ]  # fmt: skip
        if coast:
            self.steps += 1
            cell = int(self.draws.choice(coast))
            ground.put(self.world, self.rules, cell, terrain.PORT, n, self.pick(1, 3))

    def berths(self, cell: int) -> list[int]:
        cells = self.world.cells.reshape(-1)
        near = [int(hexgrid.nth(WIDTH, HEIGHT, cell, k)) for k in range(1, RING + 1)]
        return [c for c in near if c >= 0 and cells["terrain"][c] == terrain.SEA and cells["ship"][c] < 0]

    def launch(self, n: int) -> None:
        """A merchant lies idle beside a port of a nation that has too few."""
        own = [k for k in self.cargo_ships() if self.world.ships["owner"][k] == n]
        ports = [port for port in self.ports(n) if self.berths(port)]
        if len(own) > 1 or not ports or (self.world.ships["kind"] > 0).sum() > 24:
            return
        if self.is_crowded and self.w.turn % FEW_SHIPS > 3:
            return
        self.steps += 1
        port = int(self.draws.choice(ports))
        kind = "merchant" if self.draws.random() < 0.7 else "large_merchant"
        self.w.ship(n, kind, *self.place(self.berths(port)[0]), home=list(self.place(port)), job="idle")

    def raze(self, n: int) -> None:
        """All towns of a nation are destroyed: it falls in phase 28."""
        self.steps += 1
        cells = self.world.cells.reshape(-1)
        for cell in np.flatnonzero((cells["owner"] == n) & (cells["population"] > 0)).tolist():
            ground.put(self.world, self.rules, cell, terrain.WASTELAND, n, 0)

    def refound(self) -> None:
        """The home of a nation that fell lies waste, and one is founded there."""
        dead = np.flatnonzero(self.world.nations["alive"] == 0)
        if dead.size == 0:
            return
        self.steps += 1
        n = int(self.draws.choice(dead))
        if any(cell in self.world.nations["capital"] for cell in self.block(n)):
            return
        for cell in self.block(n):
            ground.put(self.world, self.rules, cell, terrain.WASTELAND, -1, 0)
        assert founding.found(self.world, self.rules, n, self.block(n)[0])
        self.open_port(n)

    # ------------------------------------------------------------ what is ordered

    def orders(self, n: int) -> list[Order]:
        """A plan: about half of it commands that the mask lets in, the others likely or arbitrary ones."""
        found = []
        orders = {**ORDERS, **CROWDED} if self.is_crowded else ORDERS
        weights = np.array(list(orders.values()), np.float64)
        count = self.pick(20, 51) if self.is_crowded else self.pick(2, 9)
        for name in self.draws.choice(list(orders), size=count, p=weights / weights.sum()).tolist():
            wants_legal = self.draws.random() < 0.6
            for _ in range(4):
                order = (command_of(name), *self.likely(name, n))
                if not wants_legal or validate.is_legal(self.world, self.rules, n, *order):
                    break
            found.append(order if wants_legal or self.draws.random() < 0.5 else self.arbitrary(order[0]))
        return found

    def arbitrary(self, number: int) -> Order:
        """A command of a number with fields that are anything."""
        tops = self.draws.choice([3, 12, 200, 2**31 - 1], size=4).tolist()
        x, y, amount, target = (self.pick(-2, top) for top in tops)
        return number, x, y, amount, target

    def likely(self, name: str, n: int) -> tuple[int, int, int, int]:
        """Numbers for a command that it could be meant with: x, y, amount, target."""
        living = np.flatnonzero(self.world.nations["alive"]).tolist()
        other = self.one_of([k for k in living if k != n])
        what = self.pick(0, item.COUNT)
        if name == "auction_list":
            return self.pick(0, item.FUNDS), self.pick(3, 9), self.pick(1, 200), self.pick(1, 60)
        if name == "auction_bid":
            return self.bid()
        if name.startswith("regular"):
            return self.regular(name, n, other)
        if name == "exchange":
            return what, self.pick(0, item.COUNT), self.pick(0, 150) * 10**4 + self.pick(0, 150), other
        if name.startswith("exchange"):
            offers = self.world.relations["swap_until"]
            is_own = name == "exchange:withdraw"
            return (
                0,
                0,
                -int(is_own),
                self.one_of(np.flatnonzero(offers[n] if is_own else offers[:, n]).tolist()),
            )
        if name == "national_aid":
            return what, 0, self.pick(1, 160), other
        return 0, 0, *self.between(name, n, other)

    def bid(self) -> tuple[int, int, int, int]:
        """A bid for some lot, high enough or nearly so."""
        lots = self.world.lots[np.asarray(self.world.lots["state"]) == lot.OPEN]
        if len(lots) == 0:
            return 0, 0, 1, 1
        entry = lots[self.pick(0, len(lots))]
        raised = int(entry["bid"]) * 105 // 100 + self.pick(0, 9)
        return 0, 0, max(int(entry["min_price"]), raised), int(entry["number"])

    def regular(self, name: str, n: int, other: int) -> tuple[int, int, int, int]:
        """An offer of regular shipments to a port of another nation, or an answer to some offer."""
        if name == "regular_offer":
            x, y = self.place(self.one_of(self.ports(other)))
            terms = self.pick(0, item.FUNDS) * 10**11 + self.pick(1, 80) * 10**7 + self.pick(1, 300) * 10**3
            return x, y, terms + self.one_of([0, 10, 60, 300]), other
        entries, side = self.world.promises, "seller" if name == "regular_withdraw" else "buyer"
        is_open = (entries["number"] > 0) & (entries["accepted"] == 0)
        k = self.one_of(np.flatnonzero(is_open & (entries[side] == n)).tolist())
        number, revision = int(entries["number"][k]), int(entries["revision"][k])
        return 0, 0, number if name == "regular_withdraw" else number * 100 + revision, 0

    def between(self, name: str, n: int, other: int) -> tuple[int, int]:
        """Amount and target of a command about another nation, or all, or the own one."""
        state = self.world.relations["state"][n]
        if name == "ceasefire":
            return 0, self.one_of(np.flatnonzero(state >= relation.PENDING).tolist())
        if name == "amity":
            friends = np.flatnonzero(state == relation.AMITY).tolist()
            return (1, self.one_of(friends)) if self.draws.random() < 0.3 else (0, other)
        amount = {
            "embargo": int(self.draws.random() < 0.12),
            "port_policy": self.one_of([0, 1, 2, 2, 2, 2, 2, 2]),
            "land_gate": self.one_of([0, 1, 1, 1, 1]),
            "supply_policy": self.pick(0, item.COUNT) * 10 + self.one_of([0, 1, 1]),
            "tariff_and_fee": self.pick(0, 40) + self.one_of([0, 1000]),
            "export_cap": self.pick(0, item.FUNDS) * 10**5 + self.pick(0, 200),
            "buyback_target": self.pick(0, item.FUNDS) * 10**5 + self.pick(0, 300),
            "league_join": self.pick(0, 3),
            "abandon_nation": 999,
        }.get(name, 0)
        for_all = name not in ("embargo", "declare_war") and self.draws.random() < 0.3
        return amount, n if for_all else other

    def pick(self, low: int, high: int) -> int:
        """A number from ``low`` up to below ``high``."""
        return int(self.draws.integers(low, high))

    def one_of(self, choices: list[int]) -> int:
        return int(self.draws.choice(choices)) if choices else 0


def command_of(name: str) -> int:
    return table.command_numbers()[name.split(":")[0]]


def play(machine: Machine, steps: int) -> Machine:
    while machine.steps < steps:
        machine.turn()
    machine.ledger.check_numbers()
    return machine


OFTEN = {  # what must happen in a few thousand steps
    "lot": "delivered, came back, undone, unsold, called off, nation fell",
    "shipment": "withdrawn, lapsed, over, nation fell",
    "one shipment": "sent, skipped",
    "exchange": "accepted, replaced, withdrawn, lapsed",
    "contract": "broken by the seller, impossible",
    "transport of aid": "arrived, in parts, lost, returned",
    "transport of auction": "arrived, returned",
    "transport of exchange": "arrived, lost, returned",
    "transport of regular": "arrived, lost",
}
RARELY = {
    "lot": "in parts, lost",
    "exchange": "nation fell",
    "contract": "kept, broken by the buyer, nation fell",
    "transport of auction": "in parts, lost",
    "transport of exchange": "in parts",
    "transport of regular": "in parts, returned",
}


def missing(machine: Machine, wanted: dict[str, str]) -> list[str]:
    """Outcomes that were never seen."""
    names = [f"{kind}: {outcome}" for kind, words in wanted.items() for outcome in words.split(", ")]
    return [name for name in names if not machine.ledger.outcomes[name]]


@pytest.mark.rule(
    "AUC-003", "AUC-005", "AUC-006", "AUC-009", "AUC-010", "AUC-016", "SHIP-001", "SHIP-005", "SHIP-006",
    "SHIP-008", "SUP-007", "SUP-015", "AID-019", "AID-020", "MER-078", "MER-081",
)  # fmt: skip
def test_every_deal_ends_in_exactly_one_of_its_outcomes() -> None:
    machine = play(Machine(1, SHORT_TERMS), 4000)
    assert missing(machine, OFTEN) == []


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.rule(
    "AUC-008", "AUC-017", "SHIP-011", "SHIP-012", "SUP-009", "SUP-012", "SUP-014", "MER-017", "MER-036",
    "MER-058", "MER-059", "TURN-055",
)  # fmt: skip
@pytest.mark.parametrize(("seed", "terms"), [(2, SHORT_TERMS), (3, {})])
def test_so_they_do_over_100000_steps(seed: int, terms: dict[str, int]) -> None:
    """One world has shorter terms, the other those of the rules."""
    machine = play(Machine(seed, terms), 50_000)
    assert missing(machine, OFTEN) + missing(machine, RARELY) == []


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.rule("AUC-016", "MER-078", "SHIP-009")
def test_so_they_do_when_there_is_no_place_for_more() -> None:
    """Lists of transports and of shipments are full most of the time; who would need a place is refused."""
    terms = {"regular.offer_turns": 20, "diplomacy.transports_max": 512, "regular.offers_max": 256}
    machine = Machine(6, terms, is_crowded=True)
    full = 0
    while machine.steps < 15_000:
        machine.turn()
        world = machine.world
        full += bool(np.all(world.transports["kind"] > 0) or np.all(world.promises["number"] > 0))
    machine.ledger.check_numbers()
    assert full > 20
