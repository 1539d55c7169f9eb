"""Nations that found, join and leave factions: orders of phase 14, and what phase 30 makes of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from hakoenv.engine import calendar
from hakoenv.engine.codes import command, event, reason
from hakoenv.engine.commands import execute, plans, validate
from hakoenv.engine.diplomacy import affairs, factions
from hakoenv.testing import SmallWorld, alliances


class Council:
    """Nations of a town each, with 1000 funds; only calendar, factions and plans go on."""

    def __init__(self, nations: int = 3, turn: int = 40, **rules: Any) -> None:
        self.w = SmallWorld(3, 3 * nations, nations, turn=turn, rules={"fundraise.income": 0, **rules})
        for n in range(nations):
            self.w.cell(3 * n + 1, 1, terrain="town", owner=n, population=50, capital=True)
            self.w.nation(n, funds=1000)
        self.world = self.w.world
        self.rules = self.w.rules

    @property
    def turn(self) -> int:
        return self.w.turn

    def go(self, turn: int) -> None:
        """Go on to a turn: its number, the records that it clears, and what lapses in its phase 5."""
        while self.w.turn < turn:
            calendar.advance(self.world, self.rules)
            factions.lapse(self.world, self.rules)

    def plan(self, nation: int, *orders: tuple[Any, ...]) -> list[str]:
        """Phase 14 of one nation; what was said of each order (name, target, amount)."""
        rows = [(name, 0, 0, *reversed(rest)) for name, *rest in (_filled(order) for order in orders)]
        plans.set_plan(self.world, nation, rows)
        execute.run_plan(self.world, self.rules, nation)
        self.world.nations["plan_length"][nation] = 0
        return self.reasons(nation)

    def settle(self, order: Sequence[int] | None = None) -> None:
        """Phase 30, with the nations in an order (by number by default)."""
        self.world.order[:] = -1
        chosen = list(range(len(self.world.nations))) if order is None else list(order)
        self.world.order[: len(chosen)] = chosen
        factions.settle(self.world, self.rules)

    def reasons(self, nation: int) -> list[str]:
        """What stands in the results of this turn's faction orders of a nation."""
        rows = [row for row in plans.results_of(self.world, nation) if row.turn == self.turn]
        return [reason.name(row.reason) for row in rows if row.command != command.FUNDRAISE]

    def do(self, nation: int, *orders: tuple[Any, ...]) -> list[str]:
        """Phase 14 of one nation, then phase 30; the results after it."""
        self.plan(nation, *orders)
        self.settle()
        return self.reasons(nation)

    def fall(self, *nations: int) -> None:
        """Nations die in phase 28."""
        for n in nations:
            self.world.nations["alive"][n] = 0
            self.world.nations["fell"][n] = self.turn

    def is_legal(self, nation: int, name: str, target: int = 0, amount: int = 0) -> bool:
        """The mask of the coming turn."""
        number = plans.command_number(name)
        return validate.is_legal(self.world, self.rules, nation, number, 0, 0, amount, target)

    def factions(self) -> list[dict[str, Any]]:
        return alliances.factions(self.w)

    def faction(self, leader: int) -> dict[str, Any] | None:
        """The faction that a nation leads."""
        return next((entry for entry in self.factions() if entry["leader"] == leader), None)

    def told(self) -> list[tuple[str, int, int, int]]:
        """Events of factions in this turn: kind, nation, other, amount."""
        rows = self.world.events[: int(self.world.clock["event_count"][0])]
        return [
            (event.NAMES[int(row["kind"])], int(row["nation"]), int(row["other"]), int(row["amount"]))
            for row in rows
            if event.NAMES[int(row["kind"])].startswith("faction_")
        ]


def _filled(order: tuple[Any, ...]) -> tuple[str, int, int]:
    name, target, amount = (*order, 0, 0)[:3]
    return name, target, amount


@pytest.fixture
def council() -> type[Council]:
    return Council


class Realm:
    """Nations of a town each, a hegemon (0) among them; what the census would say is set by hand.

    By default nation 0 owns 20 of 40 land cells, and nobody else more than 5.
    """

    def __init__(self, nations: int = 4, turn: int = 60, **rules: Any) -> None:
        self.w = SmallWorld(3, 3 * nations, nations, turn=turn, rules={"fundraise.income": 0, **rules})
        for n in range(nations):
            self.w.cell(3 * n + 1, 1, terrain="town", owner=n, population=50, capital=True)
            self.w.nation(n, controller="rule_ai")
        self.world, self.rules = self.w.world, self.w.rules
        self.land(20, *[5] * (nations - 1), world=40)
        self.powers(*[(1000, 0)] + [(10, 0)] * (nations - 1))

    @property
    def turn(self) -> int:
        return self.w.turn

    def land(self, *cells: int, world: int) -> None:
        """The land cells of each nation and of the world, as a census counts them."""
        self.world.nations["land"] = cells
        self.world.clock["all_land"] = world

    def powers(self, *powers: tuple[int, int]) -> None:
        """The population units and deployed strength of each nation."""
        for n, (people, army) in enumerate(powers):
            self.world.nations["population"][n], self.world.nations["deployed"][n] = people, army

    def frighten(self, nation: int = 0) -> None:
        """Four declarations 12 turns ago: 4 x 10 x 36 = 1440 48ths, exactly the threshold."""
        self.w.nation(nation, war_record={"declarations": [self.turn - 12] * 4})

    def external(self, *nations: int) -> None:
        for n in nations:
            self.w.nation(n, controller="external")

    def phase_9(self) -> None:
        affairs.advance(self.world, self.rules)

    def go(self, turn: int) -> None:
        """Go on to a turn: its number, then phase 9."""
        while self.turn < turn:
            calendar.advance(self.world, self.rules)
            self.phase_9()

    def do(self, nation: int, name: str, amount: int = 0, target: int = 0) -> str:
        """Carry out one command in phase 14; what was said of it."""
        plans.set_plan(self.world, nation, [(name, 0, 0, amount, target)])
        execute.run_plan(self.world, self.rules, nation)
        self.world.nations["plan_length"][nation] = 0
        return reason.name(plans.results_of(self.world, nation)[0].reason)

    def is_legal(self, nation: int, name: str, amount: int = 0, target: int = 0) -> bool:
        """The mask of the coming turn."""
        number = plans.command_number(name)
        return validate.is_legal(self.world, self.rules, nation, number, 0, 0, amount, target)

    def containment(self) -> tuple[int | None, list[int]]:
        """Against whom it stands, and its members."""
        state = alliances.containment(self.w)
        return state["target"], state["members"]

    def states(self, *others: int) -> list[str]:
        """What nation 0 is to others."""
        return [self.w.relation(0, n).state for n in others]

    def told(self, *kinds: int) -> list[tuple[int, int, int]]:
        """Kind, nation and other of this turn's events of some kinds."""
        rows = self.world.events[: int(self.world.clock["event_count"][0])]
        return [(int(e["kind"]), int(e["nation"]), int(e["other"])) for e in rows if e["kind"] in kinds]


@pytest.fixture
def realm() -> type[Realm]:
    """Makes a `Realm`."""
    return Realm
