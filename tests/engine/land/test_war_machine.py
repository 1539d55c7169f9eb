"""A state machine over land commands: whatever nations order, in whatever order, the world stays whole."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from hakoenv.engine import soundness
from hakoenv.engine.audit import Audit
from hakoenv.engine.codes import command, corps_order, relation, terrain
from hakoenv.engine.commands import intake
from hakoenv.engine.ground import is_open_water
from hakoenv.engine.land import troops
from hakoenv.engine.turn import turn
from hakoenv.engine.world import CORPS_COUNT
from hakoenv.testing import SmallWorld

SIZE = 9
NATIONS = 3
TYPES = ("infantry", "artillery", "armor", "marines", "airborne", "mountain_troops", "battery")
SWIMMERS = ("marines", "airborne")
GROUNDS = ("plains", "farm", "forest", "wasteland", "mountain", "town", "depot", "factory", "missile_base",
           "defense_facility", "shallows", "warehouse", "port", "seabed_base", "monument")  # fmt: skip
WAR_COMMANDS = (command.CONSCRIPT, command.PLACE_UNIT, command.CORPS_ORDERS, command.EQUIP_ITEM,
                command.MISSILE_NORMAL, command.MISSILE_PP, command.MISSILE_ANTIPERSONNEL,
                command.MISSILE_BALLISTIC, command.CEDE_LAND, command.DECLARE_WAR, command.CEASEFIRE,
                command.AMITY, command.GOOD_TERMS, command.DEFENSE_FACILITY, command.DEPOT, command.DIG,
                command.PREPARE_LAND, command.FARM, command.ABANDON_NATION)  # fmt: skip
RULES = {  # things happen: short protection, monsters and disasters that strike often
    "diplomacy.founding_lock": 0, "diplomacy.self_destruct_lock": 0, "diplomacy.war_delay": 1,
    "diplomacy.truce_turns": 2, "disasters.monster_spawn.percent_per_turn": 20.0,
    "disasters.meteor.percent_per_turn": 5.0, "disasters.huge_meteor.percent_per_turn": 3.0,
    "cup.interval": 5, "season.end_on_sole_survivor": 0,
}  # fmt: skip

nations = st.integers(0, NATIONS - 1)
columns = st.integers(0, SIZE - 1)
amounts = st.one_of(st.integers(-2, 12), st.sampled_from([0, 1, 99, 999]), st.integers(-(2**31), 2**31 - 1))


def forty(what: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Any]]:
    return st.lists(what, min_size=40, max_size=40)


class War(RuleBasedStateMachine):
    """Three nations on a small map; every step orders, marches, changes ground or plays a turn."""

    def __init__(self) -> None:
        super().__init__()
        self.small = SmallWorld(SIZE, SIZE, nations=NATIONS, turn=40, rules=RULES)
        self.audit: Audit | None = None

    @initialize(seed=st.integers(0, 2**32), grounds=forty(st.sampled_from(GROUNDS)),
                owners=forty(st.integers(-1, NATIONS - 1)), war=st.booleans())  # fmt: skip
    def draw_map(self, seed: int, grounds: list[str], owners: list[int], war: bool) -> None:
        small = self.small
        small.world.clock["seed"] = seed
        for k, (ground, owner) in enumerate(zip(grounds, owners, strict=True)):
            level = {"level": 10} if ground in ("farm", "factory") else {}
            people = {"population": 60} if ground == "town" else {}
            held = None if owner < 0 or ground == "shallows" else owner
            small.cell(k % 8, k // 8 + 1, terrain=ground, owner=held, **level, **people)
        for n in range(NATIONS):
            small.cell(n * 3, 0, terrain="town", owner=n, population=80, capital=True)
            small.cell(n * 3 + 1, 0, terrain="depot", owner=n)
            small.nation(n, funds=5000, food=5000, ammo=60, fuel=60, steel=50, stone=50, reserves=400,
                         items={"weak_shield": 2, "shoes_of_water_movement": 1})  # fmt: skip
        if war:
            small.war(0, 1)
        self.audit = Audit(small.world, small.rules)

    @rule(nation=nations, x=columns, y=columns, kind=st.integers(0, 6), corps=st.integers(0, 31),
          strength=st.integers(1, 200))  # fmt: skip
    def place(self, nation: int, x: int, y: int, kind: int, corps: int, strength: int) -> None:
        depot = self._own(nation, terrain.DEPOT)
        x, y = depot if depot and x % 2 else (x, y)
        self._order(nation, command.PLACE_UNIT, x, y, kind * 10000 + corps * 200 + strength - 1, 0)

    @rule(nation=nations, corps=st.integers(0, CORPS_COUNT - 1), order=st.integers(0, corps_order.COUNT - 1),
          direction=st.integers(0, 6))  # fmt: skip
    def direct(self, nation: int, corps: int, order: int, direction: int) -> None:
        self._order(nation, command.CORPS_ORDERS, 0, 0, corps * 1000 + order * 10 + direction, 0)

    @rule(nation=nations, what=st.sampled_from(WAR_COMMANDS), x=columns, y=columns, amount=amounts,
          partner=st.integers(-1, NATIONS))  # fmt: skip
    def order(self, nation: int, what: int, x: int, y: int, amount: int, partner: int) -> None:
        if what == command.ABANDON_NATION and (x or y):
            return  # not too often
        self._order(nation, what, x, y, amount, partner)

    @rule(nation=nations, kind=st.sampled_from(TYPES), x=columns, y=columns, strength=st.integers(1, 200),
          experience=st.integers(0, 100), corps=st.integers(0, 31))  # fmt: skip
    def drop_unit(
        self, nation: int, kind: str, x: int, y: int, strength: int, experience: int, corps: int
    ) -> None:
        cell = self.small.world.cells[y, x]
        if cell["unit"] < 0 and cell["ship"] < 0 and cell["terrain"] != terrain.MONSTER:
            dry = kind in SWIMMERS or not is_open_water(int(cell["terrain"]))
            if self.small.world.nations[nation]["alive"] and dry:
                self.small.unit(nation, kind, x, y, strength=strength, experience=experience, corps=corps)
                self._accept()

    @rule(count=st.integers(1, 3))
    def play(self, count: int) -> None:
        small = self.small
        for _ in range(count):
            assert self.audit is not None
            self.audit.check_opening(small.world)
            turn(small.world, small.rules)
            self.audit.check_turn(small.world)
            self.audit.accept(small.world)

    @invariant()
    def is_whole(self) -> None:
        if self.audit is None:
            return
        world, rules = self.small.world, self.small.rules
        assert soundness.faults(world, rules) == []
        there = world.units["owner"] >= 0
        cells = world.cells.reshape(-1)
        at = world.units["cell"][there]
        assert len(set(at.tolist())) == len(at), "two units on one cell"
        assert (at >= 0).all()
        assert (cells["unit"][at] == np.flatnonzero(there)).all()
        assert (cells["unit"] >= 0).sum() == len(at), "a cell names a unit that is not there"
        assert (cells["terrain"][at] != terrain.MONSTER).all()
        for unit in np.flatnonzero(there).tolist():
            wet = is_open_water(int(cells["terrain"][world.units["cell"][unit]]))
            assert not wet or troops.floats(world, rules, unit), "a unit that can't swim stands in water"
        strength = world.units["strength"][there]
        most = int(self.small.ruleset["army.unit_max_strength"])
        assert ((strength >= 1) & (strength <= most)).all()
        assert (world.units["experience"][there] <= self.small.ruleset["army.experience_cap"]).all()
        assert world.nations["alive"][world.units["owner"][there]].all(), "a unit of a dead nation"
        for name in ("reserves", "wounded", "conscripts", "items"):
            assert (world.nations[name] >= 0).all(), name
        assert (cells["resistance"] >= 0).all()
        assert (cells["population"] >= 0).all()
        owned = cells["owner"] >= 0
        assert world.nations["alive"][cells["owner"][owned]].all(), "land of a dead nation"
        capitals = world.nations["capital"][world.nations["alive"] == 1]
        for n in np.flatnonzero(world.nations["alive"]):
            capital = int(world.nations["capital"][n])
            assert capital < 0 or cells["owner"][capital] == n
        assert len(capitals) == int(world.nations["alive"].sum())
        for name in ("state", "turns_left", "truce", "declarer"):
            values = world.relations[name]
            assert (values == values.T).all(), name
        assert (np.diagonal(world.relations["state"]) == relation.PEACE).all()
        dead = world.nations["alive"] == 0
        assert (world.relations["state"][dead] == relation.PEACE).all(), "a dead nation is at war"
        assert int(world.clock["discrepancies"][0]) == 0

    def _order(self, nation: int, what: int, x: int, y: int, amount: int, target: int) -> None:
        intake.append(self.small.world, self.small.rules, nation, what, x, y, amount, target)
        self._accept()

    def _own(self, nation: int, ground: int) -> tuple[int, int] | None:
        cells = self.small.world.cells
        found = np.argwhere((cells["terrain"] == ground) & (cells["owner"] == nation))
        return (int(found[0][1]), int(found[0][0])) if len(found) else None

    def _accept(self) -> None:
        if self.audit is not None:
            self.audit.accept(self.small.world)


def test_no_order_of_war_breaks_the_world(run_machine: Any) -> None:
    run_machine(War, 20, 40)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_no_order_of_war_breaks_the_world_in_100_000_steps(run_machine: Any) -> None:
    run_machine(War, 1000, 100)
