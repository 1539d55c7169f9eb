"""The rule AI in trade leagues."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Make = Callable[..., Any]


@pytest.mark.rule("AI-086")
def test_a_nation_joins_the_league_with_the_most_friends(row: Make) -> None:
    r = row(6)
    r.w.league("L", [1, 5])
    r.w.league("M", [2, 3])
    assert r.steps(0, "trade") == []  # no friend in either
    r.w.relation(0, 1, state="amity")
    assert r.steps(0, "trade") == [("league_join", 0, 1)]
    r.w.faction("A", 0, [0, 2, 3])
    assert r.steps(0, "trade") == [("league_join", 0, 2)]
    r.w.relation(0, 3, state="peace")
    r.w.world.nations["faction"][3] = -1
    assert r.steps(0, "trade") == [("league_join", 0, 1)]  # one friend each: the first
    r.w.relation(0, 5, state="pending", turns_left=3, declarer=5)
    assert r.steps(0, "trade") == [("league_join", 0, 2)]  # an enemy in the first


@pytest.mark.rule("AI-086")
def test_a_nation_founds_a_league_for_a_friend_without_one(row: Make) -> None:
    r = row(3, ai__league_interval=20)
    assert r.steps(0, "trade") == []
    r.w.faction("A", 0, [0, 1])
    assert r.steps(0, "trade") == [("league_join", 0, 0)]
    assert r.steps(1, "trade") == []  # in turn 119
    r.w.nation(0, controller="llm")
    assert r.steps(0, "trade") == []
    r.w.nation(0, controller="rule_ai", left_league=92)
    assert r.steps(0, "trade") == []  # ten turns after leaving one


@pytest.mark.rule("AI-086")
def test_a_nation_leaves_enemies_unless_friends_are_with_them(row: Make) -> None:
    r = row(4)
    r.w.league("L", [0, 1, 2])
    assert r.steps(0, "trade") == []
    r.w.relation(0, 2, state="war", declarer=2)
    assert r.steps(0, "trade") == [("league_leave", 0, 0)]
    r.w.relation(0, 1, state="amity")
    assert r.steps(0, "trade") == []
