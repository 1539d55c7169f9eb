"""The turn cup: when, to whom, and what it gives (LIMIT-011, TURN-050)."""

from typing import Any

import numpy as np
import pytest

from hakoenv.engine import happenings, ranking
from hakoenv.engine.codes import cause, event, item
from hakoenv.ruleset import load_ruleset
from hakoenv.testing import SmallWorld


def three_nations(turn: int = 50, **given: Any) -> SmallWorld:
    """Nation 1 is the most populous."""
    w = SmallWorld(9, 9, 3, turn=turn, **given)
    for n, people in enumerate((30, 90, 50)):
        w.cell(3 * n, 4, terrain="town", owner=n, population=people, capital=True)
    return w


def events(w: SmallWorld) -> list[tuple[str, int, int]]:
    listed = w.world.events[: int(w.world.clock[0]["event_count"])]
    return [(event.NAMES[int(e["kind"])], int(e["nation"]), int(e["amount"])) for e in listed]


@pytest.mark.rule("LIMIT-011", "TURN-050")
@pytest.mark.parametrize(("turn", "cup"), [(24, False), (25, True), (26, False), (50, True), (350, True)])
def test_a_cup_on_every_25th_turn(turn: int, cup: bool) -> None:
    w = three_nations(turn)
    w.phase("ranking")
    w.phase("turn_cup")
    assert [w.nation(n).funds for n in range(3)] == [0, 300 if cup else 0, 0]
    assert [sum(w.nation(n).items.values()) for n in range(3)] == [0, int(cup), 0]
    assert w.world.accounts[1, cause.CUP, item.FUNDS] == (300 if cup else 0)
    what = next((k for k in range(1, 6) if w.world.nations["items"][1][k]), 0)
    assert events(w) == ([("turn_cup", 1, 300), ("item_won", 1, what)] if cup else [])


@pytest.mark.rule("LIMIT-011")
def test_a_full_season_has_14_cups() -> None:
    rules = load_ruleset("season")
    last, interval = rules["season.max_turns"], rules["cup.interval"]
    assert isinstance(last, int) and isinstance(interval, int)
    assert [t for t in range(1, last + 1) if t % interval == 0] == list(range(25, 351, 25))


@pytest.mark.rule("LIMIT-011", "TURN-033")
def test_of_equals_the_lower_number_wins_and_the_dead_never() -> None:
    w = three_nations()
    w.cell(6, 4, population=90)
    w.phase("ranking")
    w.phase("turn_cup")
    assert [w.nation(n).funds for n in range(3)] == [0, 300, 0]
    w = three_nations()
    w.nation(1, alive=False)
    w.phase("ranking")
    w.phase("turn_cup")
    assert [w.nation(n).funds for n in range(3)] == [0, 0, 300]


@pytest.mark.rule("LIMIT-011")
def test_what_is_above_the_funds_cap_is_lost() -> None:
    w = three_nations()
    w.nation(1, funds=29_900)
    w.phase("ranking")
    w.phase("turn_cup")
    assert w.nation(1).funds == 30_000 and sum(w.nation(1).items.values()) == 1
    assert w.world.accounts[1, cause.LOST_OVER_CAP, item.FUNDS] == -200


@pytest.mark.rule("LIMIT-011")
def test_the_item_is_any_of_the_five() -> None:
    """1,000 cups. False alarm below 1e-6: chi-squared above 34 (4 degrees of freedom)."""
    w = three_nations()
    w.phase("ranking")
    for k in range(1000):
        w.world.clock["turn"] = 25 * (k + 1)
        happenings.clear(w.world)
        w.nation(1, funds=0)
        ranking.award_cup(w.world, w.rules)
    store = np.asarray(w.world.nations["items"][1])
    assert store[0] == 0 and store.sum() == 1000
    assert ((store[1:] - 200) ** 2 / 200).sum() < 34


@pytest.mark.rule("LIMIT-011")
def test_only_items_of_the_cup_are_drawn() -> None:
    names = ("sword_of_war_god", "shield_of_iron_wall", "weak_shield", "shoes_of_water_movement")
    w = three_nations(rules={f"items.{name}.cup_item": 0 for name in names})
    w.phase("ranking")
    w.phase("turn_cup")
    assert w.nation(1).items["cloak_of_zoc_ignoring"] == 1
    everything = (*names, "cloak_of_zoc_ignoring")
    w = three_nations(rules={f"items.{name}.cup_item": 0 for name in everything})
    w.phase("ranking")
    w.phase("turn_cup")
    assert w.nation(1).funds == 300 and sum(w.nation(1).items.values()) == 0


@pytest.mark.rule("TURN-050")
def test_the_prize_is_there_before_the_end_is_judged() -> None:
    """The last turn is a cup turn: the 300 funds are in the treasury that is scored."""
    w = three_nations(turn=49, rules={"season.max_turns": 50})
    for n in range(3):
        w.nation(n, food=500)
    w.run()
    assert w.season_state()["ended"]
    without = three_nations(turn=49, rules={"season.max_turns": 50, "cup.prize_funds": 0})
    for n in range(3):
        without.nation(n, food=500)
    without.run()
    assert w.nation(1).funds - without.nation(1).funds == 300
    assert w.nation(1).score > without.nation(1).score
