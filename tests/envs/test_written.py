"""Plans in a world become actions that say the same, as far as actions can."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from hakoenv.engine.commands.plans import plan_of, set_plan
from hakoenv.envs.actions import apply
from hakoenv.envs.plan_space import PlanSpace
from hakoenv.envs.written import actions_of
from hakoenv.obs.menu import Menu
from hakoenv.obs.menu_draft import HEADS, REPLACE
from hakoenv.obs.spec import CELL_INDEX, Spec
from hakoenv.ruleset import load_ruleset
from hakoenv.testing import SmallWorld

MENU = Menu(load_ruleset("season"), 3)
NAMES = ["none", *(verb.name for verb in MENU.verbs)]


def world() -> SmallWorld:
    """Nation 1 has a town of 50 people with three plains beside it; nation 2 has a town far away."""
    w = SmallWorld(8, 8, 3)
    w.cell(4, 4, terrain="town", owner=1, population=50, capital=True)
    w.cell(1, 1, terrain="town", owner=2, population=50, capital=True)
    w.cell(7, 1, terrain="town", owner=0, population=50, capital=True)
    for x, y in ((3, 4), (5, 4), (4, 5)):
        w.cell(x, y, terrain="plains", owner=1)
    w.nation(1, funds=1000, food=500)
    return w


class Said:
    """What the plans of some nations become, and where places of their cell lists are."""

    def __init__(self, w: SmallWorld, seats: list[int], commands: int, menu: Menu = MENU) -> None:
        spec, whose = Spec(w.ruleset, 3), np.array(seats)
        seen, menus = spec.buffers(), menu.buffers()
        spec.fill(w.world, w.rules, seen)
        menu.fill(w.world, w.rules, seen[CELL_INDEX], menus)
        self.cells, self.menus, self.space = seen[CELL_INDEX], menus, PlanSpace(menu, commands)
        flat = w.world.cells["population"].reshape(-1)
        self.actions = actions_of(
            menu,
            w.world.plans[whose],
            w.world.nations["plan_length"][whose],
            whose,
            self.cells[whose],
            w.width,
            {name: array[whose] for name, array in menus.items()},
            commands,
            flat[np.maximum(self.cells[whose], 0)],
        )

    def place(self, nation: int, x: int, y: int) -> int:
        (place,) = np.flatnonzero(self.cells[nation] == 8 * y + x)
        return int(place)


def commands_of(action: Any) -> list[tuple[Any, ...]]:
    """(verb, nation, cell, values' places) of an action's commands."""
    assert action[0] == REPLACE
    rows = action[1:].reshape(-1, HEADS).tolist()
    return [(NAMES[row[0]], *row[1:]) for row in rows if row[0]]


def plan(w: SmallWorld, nation: int, *orders: tuple[Any, ...], room: int = 4) -> list[tuple[Any, ...]]:
    set_plan(w.world, nation, orders)
    return commands_of(Said(w, [nation], room).actions[0])


def test_orders_become_heads() -> None:
    """Nation 2 is the next but none after nation 1: place 1. 60000 + 20: shares of 60 and 20 percent."""
    w = world()
    set_plan(w.world, 1, [("worker_shares", 0, 0, 60020), ("declare_war", 0, 0, 0, 2), ("farm", 5, 4)])
    said = Said(w, [1], 4)
    assert commands_of(said.actions[0]) == [
        ("worker_shares", 0, 0, 2, 2, 0, 0),
        ("declare_war", 1, 0, 0, 0, 0, 0),
        ("farm", 0, said.place(1, 5, 4), 0, 0, 0, 0),
    ]


def test_several_nations_at_once_each_in_its_own_places() -> None:
    """For nation 2, nation 1 comes last of three: place 2."""
    w = world()
    set_plan(w.world, 1, [("farm", 3, 4)])
    set_plan(w.world, 2, [("declare_war", 0, 0, 0, 1)])
    said = Said(w, [2, 1], 2)
    assert commands_of(said.actions[0]) == [("declare_war", 2, 0, 0, 0, 0, 0)]
    assert commands_of(said.actions[1]) == [("farm", 0, said.place(1, 3, 4), 0, 0, 0, 0)]


@pytest.mark.parametrize(
    "agriculture, industry, places",
    [
        (60, 20, (2, 2)),
        (62, 17, (2, 2)),  # 60 is nearer than 70, 20 nearer than 10
        (65, 15, (2, 1)),  # between 60 and 70, between 10 and 20: the smaller ones
        (72, 28, (4, 3)),  # 73; then 26, for 30 would be more than there are workers
        (0, 100, (0, 6)),  # 40 and 50
    ],
)
def test_numbers_become_the_nearest_legal_ones(
    agriculture: int, industry: int, places: tuple[int, int]
) -> None:
    """Of agriculture 40, 50, 60, 70, 73, 80 or 90, of industry 5, 10, 20, 26, 30, 40 or 50 are offered."""
    (command,) = plan(world(), 1, ("worker_shares", 0, 0, 1000 * agriculture + industry))
    assert command == ("worker_shares", 0, 0, *places, 0, 0)


@pytest.mark.parametrize("people, place", [(0, 0), (3, 1), (5, 1), (8, 1), (9, 2), (13, 2), (24, 3)])
def test_percentages_count_as_the_people_that_they_mean(people: int, place: int) -> None:
    """Of 50 people 10, 25 and 50 percent are 5, 12 and 25; 0 is offered, too (as many as may go)."""
    w = world()
    w.nation(1, food=5000, fuel=5000)
    set_plan(w.world, 1, [("conscript", 4, 4, people)])
    said = Said(w, [1], 1)
    assert commands_of(said.actions[0]) == [("conscript", 0, said.place(1, 4, 4), place, 0, 0, 0)]


def test_what_cannot_be_said_is_left_out() -> None:
    """A verb of none, a cell that is not listed, one of somebody else's, and an amount of no verb."""
    w = world()
    orders = [(250, 5, 4), ("farm", 0, 7), ("farm", 1, 1), ("monument", 5, 4, 77), ("farm", 4, 5)]
    set_plan(w.world, 1, orders)
    said = Said(w, [1], 4)
    assert commands_of(said.actions[0]) == [("farm", 0, said.place(1, 4, 5), 0, 0, 0, 0)]


def test_what_those_before_rule_out_is_left_out() -> None:
    """A cell serves once; three farms of 20 funds are too many for 50; war is declared once."""
    w = world()
    w.nation(1, funds=50)
    orders = [("farm", 5, 4), ("farm", 5, 4), ("farm", 3, 4), ("farm", 4, 5)]
    orders += [("declare_war", 0, 0, 0, 2), ("declare_war", 0, 0, 0, 2)]
    assert [command[0] for command in plan(w, 1, *orders)] == ["farm", "farm", "declare_war"]


def test_what_an_action_has_no_room_for_is_left_out() -> None:
    w = world()
    orders = [("farm", 1, 1), ("farm", 5, 4), ("farm", 3, 4), ("farm", 4, 5)]  # the first one is illegal
    assert len(plan(w, 1, *orders, room=2)) == 2


def test_what_takes_the_turn_has_a_place() -> None:
    """Settings take no turn: of three and two farms in three places the first farm is the last command."""
    w = world()
    settings = [("declare_war", 0, 0, 0, 2), ("worker_shares", 0, 0, 60020), ("good_terms", 0, 0, 1, 0)]
    orders = [*settings, ("farm", 1, 1), ("farm", 5, 4), ("farm", 3, 4)]  # the first farm is illegal
    set_plan(w.world, 1, orders)
    said = Said(w, [1], 3)
    assert [command[0] for command in commands_of(said.actions[0])] == [
        "declare_war",
        "worker_shares",
        "farm",
    ]
    assert commands_of(said.actions[0])[-1][2] == said.place(1, 5, 4)
    assert said.space.faults(said.menus, np.array([1]), said.actions).tolist() == [-1]
    assert [command[0] for command in plan(w, 1, *orders, room=1)] == ["farm"]
    assert [command[0] for command in plan(w, 1, orders[4], *orders[:3], room=2)] == ["farm", "declare_war"]


def test_what_leaves_the_last_place_to_it_is_not_paid() -> None:
    """Levelling land costs all 100 funds and takes no turn; in its place the farm can be paid."""
    w = world()
    w.cell(5, 5, terrain="wasteland", owner=1)
    w.nation(1, funds=100)
    orders = [("declare_war", 0, 0, 0, 2), ("level_land", 5, 5), ("farm", 5, 4)]
    assert [command[0] for command in plan(w, 1, *orders, room=3)] == ["declare_war", "level_land"]
    assert [command[0] for command in plan(w, 1, *orders, room=2)] == ["declare_war", "farm"]


def test_no_plan_is_the_empty_action() -> None:
    assert plan(world(), 1) == []


@pytest.mark.parametrize("seed", range(4))
def test_actions_entered_and_read_back_are_the_same_orders(
    seed: int, crowded_world: Callable[..., SmallWorld]
) -> None:
    """Whatever legal plans are drawn: their orders, said anew and entered anew, are the same records."""
    w = crowded_world(seed, means=9)
    menu = Menu(w.ruleset, 3)
    everybody = np.arange(3)
    before = Said(w, [0, 1, 2], 8, menu)
    seeds = np.arange(3, dtype=np.uint64) + np.uint64(100 * seed)
    drawn = before.space.sample_plans(before.menus, everybody, seeds, mode=REPLACE)
    apply(w.world, w.rules, menu, everybody, drawn, before.cells)
    orders = [plan_of(w.world, n) for n in range(3)]
    said = Said(w, [0, 1, 2], 8, menu)
    assert (said.space.faults(said.menus, everybody, said.actions) == -1).all()
    apply(w.world, w.rules, menu, everybody, said.actions, said.cells)
    assert [plan_of(w.world, n) for n in range(3)] == orders
    assert sum(len(plan) for plan in orders) > 6
