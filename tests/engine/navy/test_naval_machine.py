"""A state machine over naval commands: whatever fleets are told, in whatever order, the world stays whole."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from hakoenv.engine import hexgrid, soundness, view
from hakoenv.engine.audit import Audit
from hakoenv.engine.codes import command, corps_order, event, fleet_mode, terrain
from hakoenv.engine.commands import fleet_orders, intake
from hakoenv.engine.ground import is_open_water
from hakoenv.engine.land import troops
from hakoenv.engine.navy import hulls, vessels, waters
from hakoenv.engine.turn import turn
from hakoenv.engine.world import CORPS_COUNT, FLEETS, WAYPOINTS, World, copy_world
from hakoenv.testing import SmallWorld

SIZE = 11
NATIONS = 3
ISLES = ((1, 1), (8, 2), (4, 8))  # the capitals; each isle is its neighbours, too
COAST = ("naval_port", "naval_port", "port", "plains", "town", "farm", "defense_facility", "missile_base",
         "lighthouse", "depot", "factory", "shallows")  # fmt: skip
WATERS = ("sea", "sea", "sea", "shallows", "offshore_oil", "breakwater", "port")
CLASSES = ("destroyer", "cruiser", "battleship", "carrier", "submarine")
NAVAL = (command.BUILD_SHIP, command.FORM_FLEET, command.FLEET_MOVE, command.FLEET_MODE, command.SALVO_ORDER,
         command.NAVAL_REPAIR, command.EMBARK, command.DISEMBARK, command.DECOMMISSION, command.LAY_MINE,
         command.REMOVE_MINE, command.SHIP_STEP, command.SALVAGE_WRECK, command.BREAKWATER,
         command.PREPARE_LAND, command.RECLAIM, command.DIG, command.SEABED_BASE, command.MINE,
         command.FISH_FARM, command.LIGHTHOUSE, command.MISSILE_NORMAL, command.ABANDON_NATION)  # fmt: skip
TREATIES = (command.DECLARE_WAR, command.DECLARE_WAR, command.CEASEFIRE, command.AMITY)
OF_A_SHIP: dict[int, tuple[int, ...]] = {
    command.FORM_FLEET: (0, 1, 2, 3, FLEETS - 1, FLEETS, fleet_orders.FLAGSHIP, fleet_orders.ESCORT_ON,
                         fleet_orders.ESCORT_OFF),
    command.FLEET_MODE: (0, 0, 0, 1, 2, 3, 4, 10, 10, 11, 12, 13, 14),
    command.NAVAL_REPAIR: (0,),
    command.DECOMMISSION: (0,),
    command.SHIP_STEP: tuple(range(8)),
}  # fmt: skip
NO_GROUND = (terrain.MONSTER, terrain.NAVAL_MINE, terrain.BREAKWATER, terrain.OFFSHORE_OIL)
OPEN_WATER = (terrain.SEA, terrain.SHALLOWS)
RULES = {  # things happen: wars open at once, pirates and whales come often, nothing is kept from the young
    "diplomacy.founding_lock": 0, "diplomacy.self_destruct_lock": 0, "diplomacy.war_delay": 1,
    "diplomacy.truce_turns": 2, "season.end_on_sole_survivor": 0,
    "disasters.famine.default_on": 0,
    "disasters.pirate_spawn.percent_per_turn": 20.0, "disasters.pirate_spawn.effect.port_distance": 2,
    "disasters.whale_spawn.percent_per_turn": 10.0,
}  # fmt: skip
MOST_OF_A_SHELL = 57  # strength that a shell can take: 49, and 15% more with all research (BOMB-026)
RICH = {"funds": 9000, "food": 5000, "ammo": 200, "fuel": 200, "steel": 200, "wood": 200, "stone": 200}

nations = st.integers(0, NATIONS - 1)
columns = st.integers(0, SIZE - 1)
seeds = st.integers(0, 2**32)
amounts = st.one_of(st.integers(-2, 260), st.sampled_from([1000, 1015, 2000, 2001, 2016, 2017]),
                    st.integers(-(2**31), 2**31 - 1))  # fmt: skip


class Navy(RuleBasedStateMachine):
    """Three nations on an archipelago; every step orders, places something or plays a turn."""

    def __init__(self) -> None:
        super().__init__()
        self.small = SmallWorld(SIZE, SIZE, nations=NATIONS, turn=40, rules=RULES)
        self.audit: Audit | None = None

    @initialize(seed=st.integers(0, 2**32), coast=st.lists(st.sampled_from(COAST), min_size=18, max_size=18),
                wet=st.lists(st.sampled_from(WATERS), min_size=20, max_size=20),
                war=st.integers(1, 3), research=st.integers(0, 5))  # fmt: skip
    def draw_map(self, seed: int, coast: list[str], wet: list[str], war: int, research: int) -> None:
        small = self.small
        small.world.clock["seed"] = seed
        for k, ground in enumerate(wet):
            small.cell((k * 7) % SIZE, (k * 5 + 3) % SIZE, terrain=ground, owner=None)
        for n, (x, y) in enumerate(ISLES):
            small.cell(x, y, terrain="town", owner=n, population=80, capital=True)
            centre = y * SIZE + x
            for direction in range(1, 7):
                cell = hexgrid.neighbour(SIZE, SIZE, centre, direction)
                ground = coast[n * 6 + direction - 1] if direction > 1 else "naval_port"
                held = None if ground == "shallows" else n
                people = {"population": 60} if ground == "town" else {}
                small.cell(cell % SIZE, cell // SIZE, terrain=ground, owner=held, **people)
            small.nation(n, reserves=400, military=research, shipping=5 - research,
                         items={"shoes_of_water_movement": 1}, **RICH)  # fmt: skip
        for k in range(war):
            small.war(k, (k + 1) % NATIONS)
        for k in range(12):
            self._drop_ship(random.Random(seed + k))
        self.audit = Audit(small.world, small.rules)

    @rule(seed=seeds, count=st.integers(6, 16))
    def campaign(self, seed: int, count: int) -> None:
        """A turn in which nations order what could well be done."""
        luck = random.Random(seed)
        acts = (self._build, self._command_ship, self._command_ship, self._send, self._send, self._aim,
                self._mine, self._mine, self._salvage, self._embark, self._embark, self._treat)  # fmt: skip
        for _ in range(count):
            luck.choice(acts)(luck)
        self.play(1)

    @rule(seed=seeds, count=st.integers(4, 12))
    def reinforce(self, seed: int, count: int) -> None:
        """Ships and units out of nowhere."""
        luck = random.Random(seed)
        for _ in range(count):
            luck.choice((self._drop_ship, self._drop_ship, self._drop_unit))(luck)

    @rule(nation=nations, what=st.sampled_from(NAVAL), x=columns, y=columns, amount=amounts,
          partner=st.integers(-1, NATIONS))  # fmt: skip
    def order(self, nation: int, what: int, x: int, y: int, amount: int, partner: int) -> None:
        """Anything at all."""
        if what == command.ABANDON_NATION and (x or y):
            return  # not too often
        self._order(nation, what, x, y, amount, partner)

    @rule(nation=nations, corps=st.integers(0, CORPS_COUNT - 1), order=st.integers(0, corps_order.COUNT - 1),
          direction=st.integers(0, 6))  # fmt: skip
    def direct(self, nation: int, corps: int, order: int, direction: int) -> None:
        self._order(nation, command.CORPS_ORDERS, 0, 0, corps * 1000 + order * 10 + direction, 0)

    @rule(nation=nations, poor=st.booleans())
    def stock_up(self, nation: int, poor: bool) -> None:
        if self.small.world.nations[nation]["alive"]:
            self.small.nation(nation, **({"funds": 30, "food": 300, "ammo": 1, "fuel": 0} if poor else RICH))
            self._accept()

    @rule(count=st.integers(1, 2))
    def play(self, count: int) -> None:
        small = self.small
        for _ in range(count):
            assert self.audit is not None
            self.audit.check_opening(small.world)
            before, ports = copy_world(small.world), self._ports()
            turn(small.world, small.rules)
            self.audit.check_turn(small.world)
            self.audit.accept(small.world)
            self._check_losses(before)
            limit = np.minimum(15, 5 * np.maximum(ports, self._ports()))
            assert (warships(self.small.world) <= np.maximum(warships(before), limit)).all(), (
                "built beyond a limit"
            )
            assert (small.world.fleets["salvo"] == -1).all(), "a salvo order outlives its turn"
            assert not small.world.ships["met"].any() and not small.world.units["met"].any()

    # ------------------------------------------------------------ what must hold

    @invariant()
    def is_whole(self) -> None:
        if self.audit is None:
            return
        world = self.small.world
        assert soundness.faults(world, self.small.rules) == []
        assert int(world.clock["discrepancies"][0]) == 0
        self._check_ships()
        self._check_units()
        self._check_fleets()
        self._check_cells()

    def _check_ships(self) -> None:
        world, rules = self.small.world, self.small.rules
        afloat = np.flatnonzero(world.ships["kind"])
        cells = world.cells.reshape(-1)
        at = world.ships["cell"][afloat]
        assert len(set(at.tolist())) == len(at), "two ships on one cell"
        assert (cells["ship"][at] == afloat).all() and (cells["ship"] >= 0).sum() == len(at)
        assert (cells["unit"][at] < 0).all(), "a ship and a unit on one cell"
        for ship in afloat.tolist():
            record = world.ships[ship]
            kind, owner = int(record["kind"]), int(record["owner"])
            most = hulls.most_hp(rules, kind, int(record["experience"]))
            assert 1 <= record["hp"] <= most, (kind, int(record["hp"]), most)
            assert 0 <= record["experience"] <= 255
            assert view.is_warship(kind) == (owner >= 0), "pirates are nobody's, all others a nation's"
            assert owner < 0 or world.nations[owner]["alive"], "a ship of a dead nation"
            here = cells[record["cell"]]
            way = waters.way(world, rules, view.TRUTH, owner, kind, int(record["cell"]))
            assert way == waters.OPEN or (way == waters.MINED and here["owner"] == owner), here["terrain"]
        serials = world.ships["serial"][afloat].tolist()
        assert len(set(serials)) == len(serials)
        assert (warships(self.small.world) <= 15).all()

    def _check_units(self) -> None:
        world, rules = self.small.world, self.small.rules
        cells = world.cells.reshape(-1)
        carrying: list[int] = []
        for unit in np.flatnonzero(world.units["owner"] >= 0).tolist():
            record = world.units[unit]
            assert 1 <= record["strength"] <= 200 and world.nations[record["owner"]]["alive"]
            if record["aboard"] < 0:
                assert cells[record["cell"]]["unit"] == unit
                wet = is_open_water(int(cells[record["cell"]]["terrain"]))
                assert not wet or troops.floats(world, rules, unit), "a unit that can't swim is in water"
                continue
            ship = world.ships[record["aboard"]]
            assert record["cell"] == -1 and ship["owner"] == record["owner"]
            assert record["strength"] <= rules.ship_classes[ship["kind"]]["capacity_strength"]
            carrying.append(int(record["aboard"]))
        assert len(set(carrying)) == len(carrying), "a ship carries two units"

    def _check_fleets(self) -> None:
        world = self.small.world
        for n in range(NATIONS):
            for fleet in range(FLEETS):
                banner = world.fleets[n, fleet]
                size, legs, leader = self._size(n, fleet), int(banner["legs"]), int(banner["flagship"])
                assert size <= 5
                assert (banner["waypoints"][:legs] >= 0).all() and (banner["waypoints"][legs:] == -1).all()
                assert legs <= WAYPOINTS
                assert (leader >= 0) == (size > 0), (n, fleet, size, leader)
                if size:
                    ship = world.ships[leader]
                    assert (ship["kind"] > 0, ship["owner"], ship["fleet"]) == (True, n, fleet)
                else:
                    assert banner["target"] == -1 and legs == 0 and banner["salvo"] == -1
                assert (banner["name"], banner["colour"]) == (fleet, fleet)

    def _check_cells(self) -> None:
        world, now = self.small.world, self.small.turn
        mined = world.cells["terrain"] == terrain.NAVAL_MINE
        for n in range(NATIONS):
            assert (mined & (world.cells["owner"] == n)).sum() <= 10
        assert ((world.cells["level"][mined] >= 1) & (world.cells["level"][mined] <= 2)).all()
        held = world.cells["owner"][world.cells["owner"] >= 0]
        assert world.nations["alive"][held].all(), "a cell of a dead nation"
        lying = world.wrecks[world.wrecks["kind"] > 0]
        assert ((now - lying["turn"] >= 0) & (now - lying["turn"] <= 10)).all()
        assert all(view.is_warship(int(kind)) for kind in lying["kind"])

    def _check_losses(self, before: World) -> None:
        """Strength goes only where an event tells of it, and never comes from nowhere (nobody conscripts)."""
        world = self.small.world
        assert int(world.clock["event_count"][0]) <= len(world.events)
        told = [0] * NATIONS
        for entry in world.events[: int(world.clock["event_count"][0])]:
            kind, nation, other = int(entry["kind"]), int(entry["nation"]), int(entry["other"])
            if kind in (event.UNIT_LOST, event.COUNTERED) and nation >= 0:
                told[nation] += int(entry["amount"])
            elif kind == event.BATTLE:
                told[other] += int(entry["amount"])
            elif kind == event.BOMBARDED and other >= 0:
                told[other] += MOST_OF_A_SHELL
            elif kind == event.MISSILE:
                told = [amount + 200 for amount in told]
        for n in range(NATIONS):
            lost = soldiers(before, n) - soldiers(world, n)
            assert lost >= 0, f"nation {n} has {-lost} soldiers from nowhere"
            if world.nations[n]["alive"]:
                assert lost <= told[n], f"nation {n} lost {lost} soldiers, and events tell of {told[n]}"

    # ------------------------------------------------------------ orders that could well be done

    def _build(self, luck: random.Random) -> None:
        """A ship at one of the nation's naval ports, now and then another port."""
        nation = luck.randrange(NATIONS)
        if luck.random() < 0.1:
            plains = self._own(nation, terrain.PLAINS)
            self._order(nation, command.BUILD_SHIP, *luck.choice(plains or [(0, 0)]), 0, 0)
        kind, fleet = luck.randint(1, 5), luck.randrange(4)
        place = self._beside(nation, luck)
        self._order(nation, command.BUILD_SHIP, *place, 100 + 10 * fleet + kind, 0)

    def _command_ship(self, luck: random.Random) -> None:
        ship = self._warship(luck)
        if ship is not None:
            what = luck.choice(sorted(OF_A_SHIP))
            self._order_at(ship, what, luck.choice(OF_A_SHIP[what]))

    def _embark(self, luck: random.Random) -> None:
        """A ship takes the unit beside it aboard, or lands the one that it carries."""
        world = self.small.world
        ship = self._warship(luck)
        if ship is None:
            return
        loaded = (world.units["aboard"][world.units["owner"] >= 0] == ship).any()
        for direction in luck.sample(range(1, 7), 6):
            cell = hexgrid.neighbour(SIZE, SIZE, int(world.ships[ship]["cell"]), direction)
            here = world.cells.reshape(-1)[cell]
            if cell >= 0 and (here["terrain"] not in OPEN_WATER if loaded else here["unit"] >= 0):
                self._order_at(ship, command.DISEMBARK if loaded else command.EMBARK, direction)
                return

    def _send(self, luck: random.Random) -> None:
        """A fleet somewhere, often at another ship."""
        ship, other = self._warship(luck), self._warship(luck)
        if ship is None or other is None:
            return
        cell = luck.choice([luck.randrange(SIZE * SIZE), int(self.small.world.ships[other]["cell"])])
        record = self.small.world.ships[ship]
        base = luck.choice([fleet_orders.TARGET] * 4 + [fleet_orders.WAYPOINT, fleet_orders.CLEAR])
        amount = base + int(record["fleet"])
        self._order(int(record["owner"]), command.FLEET_MOVE, cell % SIZE, cell // SIZE, amount, 0)

    def _aim(self, luck: random.Random) -> None:
        """A salvo at a ship, unit, mine or town."""
        cells = self.small.world.cells
        there = luck.choice([cells["ship"] >= 0, cells["unit"] >= 0, cells["population"] > 0,
                             cells["terrain"] == terrain.NAVAL_MINE])  # fmt: skip
        if there.any():
            y, x = luck.choice(np.argwhere(there).tolist())
            amount = luck.choice([0, 2000, 2000, 2000, 2001, 2003])
            self._order(luck.randrange(NATIONS), command.SALVO_ORDER, x, y, amount, 0)

    def _mine(self, luck: random.Random) -> None:
        """A mine beside own land, or the end of one."""
        nation = luck.randrange(NATIONS)
        own = self._own(nation, terrain.NAVAL_MINE)
        if own and luck.random() < 0.3:
            self._order(nation, command.REMOVE_MINE, *luck.choice(own), 0, 0)
        else:
            self._order(nation, command.LAY_MINE, *self._beside(nation, luck), luck.randint(1, 2), 0)

    def _salvage(self, luck: random.Random) -> None:
        wrecks = self.small.world.wrecks
        lying = wrecks["cell"][wrecks["kind"] > 0].tolist()
        if lying:
            cell = luck.choice(lying)
            self._order(luck.randrange(NATIONS), command.SALVAGE_WRECK, cell % SIZE, cell // SIZE, 0, 0)

    def _treat(self, luck: random.Random) -> None:
        nation, partner = luck.sample(range(NATIONS), 2)
        self._order(nation, luck.choice(TREATIES), 0, 0, 0, partner)

    def _drop_ship(self, luck: random.Random) -> None:
        small, world = self.small, self.small.world
        nation, cell = luck.randrange(NATIONS), luck.randrange(SIZE * SIZE)
        kind = luck.randint(1, 5)
        way = waters.way(world, small.rules, view.TRUTH, nation, kind, cell)
        fleet = luck.randrange(-1, 3)
        fleet = fleet if fleet < 0 or self._size(nation, fleet) < 5 else -1
        here = world.cells.reshape(-1)[cell]
        free = way == waters.OPEN and here["ship"] < 0 and here["unit"] < 0 and vessels.has_room(world)
        if not free or warships(world)[nation] >= 15 or not world.nations[nation]["alive"]:
            return
        load = luck.random() < 0.5 and CLASSES[kind - 1] != "submarine" and self._has_unit_room()
        troops = {"troops": {"type": "infantry", "strength": luck.randint(1, 200)}} if load else {}
        experience = luck.choice([0, 9, 10, 29, 30, 250, 255])
        hp = max(1, hulls.most_hp(small.rules, kind, experience) - luck.randrange(6))
        mode = luck.choice([*fleet_mode.NAMES, "normal", "normal"])
        small.ship(nation, CLASSES[kind - 1], cell % SIZE, cell // SIZE, fleet=fleet, hp=hp,
                   experience=experience, mode=mode, **troops)  # fmt: skip
        self._accept()

    def _drop_unit(self, luck: random.Random) -> None:
        world = self.small.world
        nation, cell = luck.randrange(NATIONS), luck.randrange(SIZE * SIZE)
        kind = luck.choice(["infantry", "armor", "marines"])
        here = world.cells.reshape(-1)[cell]
        free = here["unit"] < 0 and here["ship"] < 0 and here["terrain"] not in NO_GROUND
        if (
            free
            and self._has_unit_room()
            and world.nations[nation]["alive"]
            and (kind == "marines" or here["terrain"] not in OPEN_WATER)
        ):
            self.small.unit(nation, kind, cell % SIZE, cell // SIZE, strength=luck.randint(1, 200),
                            corps=luck.randrange(32))  # fmt: skip
            self._accept()

    # ------------------------------------------------------------ helpers

    def _order(self, nation: int, what: int, x: int, y: int, amount: int, target: int) -> None:
        intake.append(self.small.world, self.small.rules, nation, what, x, y, amount, target)
        self._accept()

    def _accept(self) -> None:
        if self.audit is not None:
            self.audit.accept(self.small.world)

    def _own(self, nation: int, ground: int) -> list[tuple[int, int]]:
        """The cells of a terrain that a nation has, as column and row."""
        cells = self.small.world.cells
        found = np.argwhere((cells["terrain"] == ground) & (cells["owner"] == nation)).tolist()
        return [(x, y) for y, x in found]

    def _order_at(self, ship: int, what: int, amount: int) -> None:
        """A command of a ship's owner to this ship."""
        cell, owner = (int(self.small.world.ships[ship][column]) for column in ("cell", "owner"))
        self._order(owner, what, cell % SIZE, cell // SIZE, amount, 0)

    def _beside(self, nation: int, luck: random.Random) -> tuple[int, int]:
        """A cell of water beside own cells, if there is one."""
        cells = self.small.world.cells.reshape(-1)
        own = np.flatnonzero((cells["owner"] == nation) & (cells["terrain"] != terrain.NAVAL_MINE)).tolist()
        near = {hexgrid.neighbour(SIZE, SIZE, cell, d) for cell in own for d in range(1, 7)}
        wet = sorted(cell for cell in near if cell >= 0 and cells["terrain"][cell] in OPEN_WATER)
        cell = luck.choice(wet) if wet else luck.randrange(SIZE * SIZE)
        return cell % SIZE, cell // SIZE

    def _warship(self, luck: random.Random) -> int | None:
        found = np.flatnonzero((self.small.world.ships["kind"] > 0) & (self.small.world.ships["owner"] >= 0))
        return int(luck.choice(found.tolist())) if len(found) else None

    def _has_unit_room(self) -> bool:
        return bool((self.small.world.units["owner"] < 0).any())

    def _size(self, nation: int, fleet: int) -> int:
        record = self.small.world.ships
        return int(((record["kind"] > 0) & (record["owner"] == nation) & (record["fleet"] == fleet)).sum())

    def _ports(self) -> Any:
        return np.array([len(self._own(n, terrain.NAVAL_PORT)) for n in range(NATIONS)])


def warships(world: World) -> Any:
    """Warships of each nation."""
    owners = world.ships["owner"][world.ships["kind"] > 0]
    return np.array([(owners == n).sum() for n in range(NATIONS)])


def soldiers(world: World, nation: int) -> int:
    """All strength of a nation: reserves, conscripts, wounded, units on land and aboard ships."""
    record = world.nations[nation]
    units = world.units["strength"][world.units["owner"] == nation]
    return int(record["reserves"]) + int(record["conscripts"]) + int(record["wounded"]) + int(units.sum())


def test_no_order_to_a_fleet_breaks_the_world(run_machine: Any) -> None:
    run_machine(Navy, 20, 40)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_no_order_to_a_fleet_breaks_the_world_in_100_000_steps(run_machine: Any) -> None:
    run_machine(Navy, 1000, 100)
