"""Actions become plans, by their mode; whatever numbers come, nothing breaks."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from hakoenv.engine.codes import reason
from hakoenv.engine.commands.plans import plan_of, set_plan
from hakoenv.engine.world import PLAN_LENGTH, copy_world, state_hash
from hakoenv.envs.actions import APPEND, FRONT, KEEP, REPLACE, apply
from hakoenv.envs.plan_space import PlanSpace
from hakoenv.obs.menu import Menu
from hakoenv.ruleset import load_ruleset
from hakoenv.testing import SmallWorld

MENU = Menu(load_ruleset("season"), 3, "everything")
NAMES = ["none", *(verb.name for verb in MENU.verbs)]


def world() -> SmallWorld:
    w = SmallWorld(8, 8, 3)
    w.cell(4, 4, terrain="plains", owner=1)
    set_plan(w.world, 1, [("dig", 1, 1), ("tunnel", 2, 2)])
    return w


def action(mode: int, *commands: tuple[Any, ...], room: int = 4) -> Any:
    """(verb name, nation place, cell place, values' places...)"""
    rows = [[NAMES.index(name), *rest, *[0] * (6 - len(rest))] for name, *rest in commands]
    rows += [[0] * 7] * (room - len(rows))
    return np.array([[mode, *sum(rows, [])]], np.int64)


def give(w: SmallWorld, cells: Any, given: Any, seat: int = 1, **settings: Any) -> list[tuple[Any, ...]]:
    apply(w.world, w.rules, MENU, np.array([seat]), given, cells, **settings)
    return [tuple(order) for order in plan_of(w.world, seat)]


CELLS = np.full((3, 256), -1, np.int32)
CELLS[1, :3] = [8 * 4 + 4, 8 * 5 + 6, 0]


@pytest.mark.rule("CMD-002", "CMD-049")
def test_heads_become_the_fields_of_commands() -> None:
    """Port policy toward the second nation after the own one: (1 + 2) % 3 = 0. Shares 60 and 20 percent."""
    numbers = {verb.name: verb.command for verb in MENU.verbs}
    given = action(
        REPLACE,
        ("farm", 0, 1),
        ("port_policy:friends", 2),
        ("worker_shares", 0, 0, 2, 2),
        ("monument:wall", 5, 2),
    )
    assert give(world(), CELLS, given) == [
        (numbers["farm"], 6, 5, 0, 0),
        (numbers["port_policy:friends"], 0, 0, 1, 0),
        (numbers["worker_shares"], 0, 0, 60 * 1000 + 20, 0),
        (numbers["monument:wall"], 0, 0, 0, 0),
    ]


@pytest.mark.rule("CMD-001")
def test_modes() -> None:
    numbers = {verb.name: verb.command for verb in MENU.verbs}
    old = [(numbers["dig"], 1, 1, 0, 0), (numbers["tunnel"], 2, 2, 0, 0)]
    new = [(numbers["farm"], 4, 4, 0, 0)]
    commands = ("farm", 0, 0)
    assert give(world(), CELLS, action(KEEP, commands)) == old
    assert give(world(), CELLS, action(FRONT, commands)) == new + old
    assert give(world(), CELLS, action(REPLACE, commands)) == new
    assert give(world(), CELLS, action(REPLACE)) == []
    assert give(world(), CELLS, action(FRONT)) == old
    assert give(world(), CELLS, action(KEEP, commands), mode=APPEND) == old + new


@pytest.mark.rule("CMD-001")
def test_what_does_not_fit_is_cut_and_counted() -> None:
    for mode, first in ((FRONT, "farm"), (APPEND, "dig")):
        w = world()
        set_plan(w.world, 1, [("dig", 1, 1)] * (PLAN_LENGTH - 1))
        plan = give(w, CELLS, action(0, *[("farm", 0, 0)] * 3), mode=mode)
        assert len(plan) == PLAN_LENGTH
        assert plan[0][0] == {verb.name: verb.command for verb in MENU.verbs}[first]
        assert w.world.nations["cut"][1] == 2
    w = SmallWorld(8, 8, 3, rules={"plan.max_commands": 2})
    assert len(give(w, CELLS, action(REPLACE, *[("farm", 0, 0)] * 3))) == 2
    assert w.world.nations["cut"][1] == 1
    give(w, CELLS, action(KEEP))
    assert w.world.nations["cut"][1] == 0  # reported once


@pytest.mark.rule("CMD-001")
def test_modes_write_what_set_plan_writes() -> None:
    """Byte for byte: empty places of a plan are all zero."""
    for mode, name in ((FRONT, "front"), (REPLACE, "replace")):
        for before in (0, 3, 49, 50):
            one, two = world(), world()
            for w in (one, two):
                set_plan(w.world, 1, [("dig", 1, 1)] * before)
            give(one, CELLS, action(mode, ("farm", 0, 0), ("farm", 0, 1)))
            set_plan(two.world, 1, [("farm", 4, 4), ("farm", 6, 5)], name)
            assert state_hash(one.world) == state_hash(two.world)


def test_commands_that_name_nothing_count_as_none() -> None:
    numbers = {verb.name: verb.command for verb in MENU.verbs}
    bad = [
        ("farm", 0, 3),  # no cell stands there
        ("farm", 0, 256), ("farm", 0, -1), ("embargo:on", 3), ("embargo:on", -1),
        ("worker_shares", 0, 0, 7, 0), ("worker_shares", 0, 0, 0, -1),
        ("aid_reserves", 0, 0, 7),  # three shares and four numbers are offered
    ]  # fmt: skip
    for command in bad:
        given = action(REPLACE, command, ("farm", 0, 0))
        assert give(world(), CELLS, given) == [(numbers["farm"], 4, 4, 0, 0)], command
    given = action(REPLACE, ("farm", 0, 0))
    given[0, 8] = len(NAMES)
    given[0, 15] = -5
    assert len(give(world(), CELLS, given)) == 1


def test_the_dead_and_unknown_are_left_out() -> None:
    w = world()
    w.world.nations["alive"][2] = 0
    before = state_hash(w.world)
    given = np.repeat(action(REPLACE, ("fundraise",)), 4, axis=0)
    apply(w.world, w.rules, MENU, np.array([2, 3, -1, 2**40]), given, CELLS)
    assert state_hash(w.world) == before


def test_an_illegal_command_is_refused_in_its_turn_with_a_reason() -> None:
    w = world()
    give(w, CELLS, action(REPLACE, ("farm", 0, 1)))
    w.run()
    assert w.results(1)[0]["code"] == reason.WRONG_TERRAIN


@pytest.mark.parametrize("seed", range(8))
def test_any_numbers_are_harmless(
    seed: int, crowded_world: Callable[..., SmallWorld], cells_around: Any
) -> None:
    rng = np.random.default_rng(seed)
    w = crowded_world(seed)
    space = PlanSpace(MENU, 8, seed=seed)
    for _ in range(4):
        cells = cells_around(w)
        actions = np.array([space.sample() for _ in range(3)])
        wild = rng.random(actions.shape) < 0.3
        actions[wild] = rng.choice([-1, 2**62, -(2**62), 33, 255, 1000], wild.sum())
        copy = copy_world(w.world)
        apply(w.world, w.rules, MENU, np.arange(3), actions, cells)
        assert all(0 <= n <= PLAN_LENGTH for n in w.world.nations["plan_length"])
        for name in copy._fields:
            if name not in ("plans", "nations"):
                assert getattr(copy, name).tobytes() == getattr(w.world, name).tobytes()
        w.run()
