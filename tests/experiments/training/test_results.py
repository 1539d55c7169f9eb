"""Who fared how against whom; expected numbers are worked by hand."""

from __future__ import annotations

import json

import pytest
from hakoenv.experiments.training.results import Results


def test_a_season_counts_for_every_pair_of_players_in_both_directions() -> None:
    found = Results()
    found.note(["rule_ai", "learner", "past_2"], [30, 50, 50], "turn_limit")
    row = {"seasons": 1.0, "points": 50.0}
    assert found.matrix() == {
        "learner": {"past_2": {**row, "ahead": 0.5}, "rule_ai": {**row, "ahead": 1.0}},
        "past_2": {"learner": {**row, "ahead": 0.5}, "rule_ai": {**row, "ahead": 1.0}},
        "rule_ai": {
            "learner": {"seasons": 1.0, "ahead": 0.0, "points": 30.0},
            "past_2": {"seasons": 1.0, "ahead": 0.0, "points": 30.0},
        },
    }
    assert found.payoffs("learner") == found.matrix()["learner"]


def test_a_player_does_not_meet_itself_and_each_of_its_seats_counts() -> None:
    """The two seats of rule_ai, 30 and 10, were ahead once of two; a pair later the first counts 0.99."""
    found = Results()
    found.note(["rule_ai", "learner", "rule_ai"], [30, 20, 10], "turn_limit")
    assert list(found.payoffs("rule_ai")) == ["learner"]
    assert found.payoffs("rule_ai")["learner"]["ahead"] == pytest.approx(0.99 / 1.99)
    assert found.payoffs("rule_ai")["learner"]["points"] == pytest.approx((30 * 0.99 + 10) / 1.99)
    assert found.payoffs("learner")["rule_ai"]["ahead"] == pytest.approx(1 / 1.99)


def test_endings_are_counted_by_name() -> None:
    found = Results()
    for how in ("turn_limit", "sole_survivor", "turn_limit"):
        found.note(["learner", "learner"], [1, 2], how)
    assert found.figures() == {"payoffs": {}, "endings": {"sole_survivor": 1, "turn_limit": 2}}


def test_who_is_dropped_is_in_no_row_and_no_column() -> None:
    found = Results()
    found.note(["learner", "past_1", "past_2"], [3, 2, 1], "turn_limit")
    found.keep(["learner", "past_2"])
    assert {name: sorted(row) for name, row in found.matrix().items()} == {
        "learner": ["past_2"],
        "past_2": ["learner"],
    }


def test_restored_results_go_on_like_the_first() -> None:
    first, second = Results(), Results()
    for k in range(3):
        first.note(["learner", "rule_ai"], [50.3 + k, 49.7 - k], "turn_limit")
    second.restore(json.loads(json.dumps(first.state())))
    for results in (first, second):
        results.note(["learner", "rule_ai"], [10, 90], "extinction")
    assert second.matrix() == first.matrix()
    assert second.endings == first.endings == {"turn_limit": 3, "extinction": 1}
