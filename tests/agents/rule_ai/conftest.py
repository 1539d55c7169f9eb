"""Small nations of the rule AI: a row of them for factions, leagues and wars, isles for aid to mates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hakoenv.agents.rule_ai import (
    aid,
    defence,
    diplomacy,
    factions,
    fleet,
    land_route,
    leagues,
    overseas,
    relief,
)
from hakoenv.agents.rule_ai import staff as staffs

from hakoenv.engine import turn
from hakoenv.engine.codes import command
from hakoenv.testing import SmallWorld

NAMES = {number: name.lower() for name, number in vars(command).items() if name.isupper() and name != "LIMIT"}
QUIET = {
    "ai.faction_from": 0,
    "ai.faction_interval": 1,
    "ai.faction_loner": 100,  # nobody is so fierce
    "ai.faction_share": 100,
    "ai.league_interval": 1,
    "ai.mobilize_percent": 100,  # so might and power are people and soldiers
    "season.max_turns": 360,
}
Step = tuple[str, int, int]
Given = tuple[str, int, int, int, int]


class Row:
    """Nations of three hexes side by side: 0 borders on 1, 1 on 0 and 2, and so on.

    Each has a town of 100 people between two forests, 3000 funds, and food and ammo for a war.
    """

    def __init__(self, nations: int = 4, turn: int = 100, **rules: Any) -> None:
        overrides = {key.replace("__", "."): value for key, value in rules.items()}
        self.w = SmallWorld(3, 3 * nations, nations, seed=1, turn=turn, rules=QUIET | overrides)
        for n in range(nations):
            for x in (3 * n, 3 * n + 2):
                self.w.cell(x, 1, terrain="forest", owner=n)
            self.w.cell(3 * n + 1, 1, terrain="town", owner=n, population=100, capital=True)
            self.w.nation(n, controller="rule_ai", funds=3000, food=2000, ammo=20)

    def people(self, *counts: int) -> Row:
        """The people of the nations, from the first on."""
        for n, count in enumerate(counts):
            self.w.cell(3 * n + 1, 1, population=count)
        return self

    def apart(self, n: int) -> Row:
        """Cut a nation's land off from that of the next: the hex between them sinks."""
        self.w.cell(3 * n + 2, 1, terrain="sea", owner=None)
        return self

    def steps(self, n: int, *do: str) -> list[Step]:
        """What a nation plans, all of it or some parts: (command, target, amount)."""
        world, rules = self.w.world, self.w.rules
        turn.run_phase(world, rules, "nation_update")
        staff = staffs.assemble(world)
        staffs.call_roll(world, staff)
        staffs.survey(world, rules, n, staff)
        world.nations["plan_length"][n] = 0
        for what in do or ("negotiate", "answer", "trade", "seek"):
            if what == "answer":
                factions.answer(world, rules, n)
            elif what == "trade":
                leagues.trade(world, rules, n)
            elif what == "seek":
                factions.seek(world, rules, n, staff)
            else:
                diplomacy.negotiate(world, rules, n, staff)
        orders = world.plans[n][: world.nations["plan_length"][n]]
        return [(NAMES[int(o["command"])], int(o["target"]), int(o["amount"])) for o in orders]


@pytest.fixture
def row() -> Callable[..., Row]:
    """Makes a `Row`; rules by keyword, `__` for the dot."""
    return Row


class Aid:
    """Small worlds for aid to mates, and what a nation plans for it: (command, x, y, amount, target)."""

    def staff_of(self, w: SmallWorld, n: int = 0) -> staffs.Staff:
        """The staff of a nation once all is decided that comes before aid."""
        world, rules = w.world, w.rules
        turn.run_phase(world, rules, "sightings")
        staff = staffs.assemble(world)
        staffs.call_roll(world, staff)
        world.nations["plan_length"][n] = 0
        staffs.survey(world, rules, n, staff)
        aid.consider(world, rules, n, staff)
        fleet.keep(world, rules, n, staff)
        overseas.steer(world, rules, n, staff)
        defence.post(world, rules, n, staff)
        defence.muster_what_is_missing(world, rules, n, staff)
        fleet.detail(staff)
        land_route.explore(world, rules, n, staff)
        relief.appoint(world, rules, n, staff)
        return staff

    def plan(self, w: SmallWorld, n: int = 0) -> list[Given]:
        """What a nation plans for its mates without taking a turn."""
        staff = self.staff_of(w, n)
        fleet.lead(w.world, w.rules, n, staff)
        aid.send(w.world, w.rules, n, staff)
        relief.lead(w.world, w.rules, n, staff)
        return self.steps(w, n)

    def built(self, w: SmallWorld, n: int = 0) -> list[Given]:
        """What a nation would build with its turn: for a land route, else for relief."""
        world, rules = w.world, w.rules
        staff = self.staff_of(w, n)
        aid.send(world, rules, n, staff)
        relief.lead(world, rules, n, staff)
        world.nations["plan_length"][n] = 0
        if not land_route.build(world, rules, n, staff):
            relief.build(world, rules, n, staff)
        return self.steps(w, n)

    def steps(self, w: SmallWorld, n: int) -> list[Given]:
        """The plan of a nation."""
        orders = w.world.plans[n][: w.world.nations["plan_length"][n]]
        return [
            (NAMES[int(o["command"])], int(o["x"]), int(o["y"]), int(o["amount"]), int(o["target"]))
            for o in orders
        ]

    def of(self, planned: list[Given], *names: str) -> list[Given]:
        """The steps of some commands."""
        return [step for step in planned if step[0] in names]

    def isles(
        self, naval_port: bool = False, rules: dict[str, Any] | None = None, **given: Any
    ) -> SmallWorld:
        """Nation 0 with plains or a naval port at (3, 2), its mate 1 beyond the sea with a port at (10, 2).

        Nation 2 at (7, 0) has declared war on the mate; it opens in 3 turns. All else is sea.
        """
        w = SmallWorld(height=5, width=14, nations=3, turn=40, rules=rules)
        w.cell(1, 2, terrain="town", owner=0, population=180, capital=True)
        w.cell(2, 2, terrain="forest", owner=0)
        w.cell(3, 2, terrain="naval_port" if naval_port else "plains", owner=0)
        w.cell(11, 2, terrain="town", owner=1, population=50, capital=True)
        w.cell(10, 2, terrain="port", owner=1)
        w.cell(7, 0, terrain="town", owner=2, population=50, capital=True)
        w.unit(0, "infantry", 1, 2, strength=60)
        stock = {"funds": 3000, "food": 2000, "fuel": 100, "steel": 60, "reserves": 700, "founded": -60}
        w.nation(0, controller="rule_ai", **{**stock, **given})
        w.faction("A", 0, [0, 1])
        w.relation(1, 2, state="pending", turns_left=3, declarer=2)
        return w


@pytest.fixture(name="aid")
def aid_desk() -> Aid:
    """What a nation plans for its mates."""
    return Aid()
