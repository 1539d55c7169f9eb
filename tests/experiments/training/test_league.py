"""Who meets whom, and what is kept of it; expected numbers are worked by hand."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra `train` is not installed")

import torch
from hakoenv.experiments.training.config import League as Shares
from hakoenv.experiments.training.league import LEARNER, PAST, RULE_AI, League


def network(number: float = 0.0) -> Any:
    made = torch.nn.Linear(1, 1)
    torch.nn.init.constant_(made.weight, number)
    return made


def league(seed: int = 0, **shares: Any) -> League:
    return League(Shares(**shares), np.random.default_rng(seed))


def points(*values: float) -> Any:
    return np.array(values)


def payoffs_of(league: League) -> Any:
    return league.results.payoffs("learner")


def test_the_learner_always_has_a_seat_and_the_others_their_shares() -> None:
    """Of 6000 other seats 30% are the rule AI's: 1800 with a deviation of 36; all bounds are 5 of these."""
    found = league(rule_ai=0.3, past=0.5, present=0.2)
    found.keep(network(), 0)
    pilots = np.array([found.seat(4) for _ in range(2000)])
    assert (pilots == LEARNER).any(axis=1).all()
    assert abs((pilots == RULE_AI).sum() - 1800) < 180
    assert abs((pilots == PAST).sum() - 3000) < 195
    alone = (pilots == LEARNER).sum(axis=1) == 1
    seats = (pilots[alone] == LEARNER).mean(axis=0)
    assert (np.abs(seats - 0.25) < 0.07).all()  # about 1000 seasons, a deviation of 0.014


def test_without_past_selves_the_others_share() -> None:
    """30 to 20: of 1000 seats 600 are the rule AI's, with a deviation of 15."""
    found = league(rule_ai=0.3, past=0.5, present=0.2)
    pilots = np.array([found.seat(2) for _ in range(1000)])
    assert set(pilots.reshape(-1).tolist()) == {LEARNER, RULE_AI}
    assert abs((pilots == RULE_AI).sum() - 600) < 77


def test_results_by_hand() -> None:
    """After a win, a draw and a loss with fading 0.99: 2.9701 seasons, 0.9801 + 0.5 * 0.99 = 1.4751 ahead."""
    found = league()
    assert found.results.share_ahead("learner", "rule_ai") == 0.5
    pilots = np.array([RULE_AI, LEARNER])
    for mine in (60.0, 50.0, 40.0):
        found.note(pilots, points(100 - mine, mine), "turn_limit")
    payoffs = payoffs_of(found)["rule_ai"]
    assert payoffs["seasons"] == 3.0
    assert payoffs["ahead"] == pytest.approx(1.4751 / 2.9701)
    assert payoffs["points"] == pytest.approx((60 * 0.9801 + 50 * 0.99 + 40) / 2.9701)
    assert found.results.share_ahead("learner", "rule_ai") == pytest.approx((1.4751 + 0.5) / 3.9701)
    assert found.results.endings == {"turn_limit": 3}


def test_every_pair_of_a_learner_and_an_opponent_counts() -> None:
    """Two learners with 50 and 10 points, one opponent with 30: one win of two, fading 0.99."""
    found = league()
    found.note(np.array([LEARNER, RULE_AI, LEARNER]), points(50, 30, 10), "turn_limit")
    payoffs = payoffs_of(found)["rule_ai"]
    assert payoffs["ahead"] == pytest.approx(0.99 / 1.99)
    found.note(np.array([LEARNER, LEARNER]), points(50, 30), "turn_limit")  # nobody else: nothing to note
    assert payoffs_of(found)["rule_ai"] == payoffs


def test_past_selves_that_beat_the_learner_come_more_often() -> None:
    """Self 0 is beaten three times: share (2.9701 + 0.5) / 3.9701 = 0.87406, weight 0.22594; self 5 has 0.6.

    So self 0 comes in 27.36% of 4000 seasons: 1094, with a deviation of 28.
    """
    found = league(rule_ai=0.0, past=1.0, present=0.0)
    found.keep(network(), 0)
    found.keep(network(), 5)
    for _ in range(3):
        found.note(np.array([LEARNER, PAST + 0]), points(60, 40), "turn_limit")
    pilots = np.array([found.seat(2) for _ in range(4000)])
    assert set(pilots.reshape(-1).tolist()) == {LEARNER, PAST, PAST + 5}
    assert abs((pilots == PAST).sum() - 1094) < 141


def test_the_one_beaten_most_surely_makes_room_but_ends_its_seasons() -> None:
    found = league(past_kept=2)
    for iteration in (0, 4):
        found.keep(network(iteration), iteration)
    found.note(np.array([LEARNER, PAST + 4]), points(60, 40), "turn_limit")
    pilots = np.array([[LEARNER, PAST + 4], [PAST + 0, LEARNER]])  # seasons under way
    found.keep(network(8), 8)
    assert found.born == [0, 8]
    found.forget(pilots)
    assert found.past[4].weight.item() == 4.0
    assert found.past[0].weight.item() == 0.0  # the others are who they were
    assert PAST + 4 not in {int(pilot) for _ in range(50) for pilot in found.seat(2)}
    found.note(pilots[0], points(70, 30), "turn_limit")
    assert payoffs_of(found)["past_4"]["seasons"] == 2.0  # 0.99 + 1
    found.forget(np.array([[LEARNER, PAST + 0]]))
    assert sorted(found.past) == [0, 8]
    assert list(payoffs_of(found)) == []


def test_all_pairs_are_kept_of_those_who_can_still_meet() -> None:
    """However many past selves come and go: learner, rule AI, two that are kept, one that still sits."""
    found = league(past_kept=2)
    for iteration in range(5):
        found.keep(network(iteration), iteration)
        pilots = np.array([LEARNER, RULE_AI, *(PAST + born for born in found.born), LEARNER])
        found.note(pilots, points(*range(len(pilots))), "turn_limit")
    sitting = (set(range(5)) - set(found.born)).pop()
    found.forget(np.array([[LEARNER, PAST + sitting]]))
    names = {"learner", "rule_ai", *(f"past_{born}" for born in (*found.born, sitting))}
    matrix = found.results.matrix()
    assert set(matrix) == names and len(names) == 5
    assert all(set(row) <= names - {name} for name, row in matrix.items())
    assert set(matrix["rule_ai"]) == names - {"rule_ai"}
    second = league(past_kept=2)
    second.restore(found.state(), network())  # nobody else sits anywhere
    assert set(second.results.matrix()) == {"learner", "rule_ai", *(f"past_{born}" for born in found.born)}


def test_a_past_self_is_a_copy() -> None:
    found, learner = league(), network(1.0)
    found.keep(learner, 0)
    torch.nn.init.constant_(learner.weight, 9.0)
    assert found.past[0].weight.item() == 1.0
    assert not found.past[0].training


def test_a_restored_league_goes_on_like_the_first() -> None:
    first = league(past_kept=3)
    for iteration in range(4):
        first.keep(network(iteration), iteration)
    for k in range(6):
        pilots = first.seat(2)
        first.note(pilots, points(50 + k, 50 - k), "turn_limit")
    first.forget(np.zeros((1, 2), np.int64))
    second = league(seed=1, past_kept=3)
    second.restore(first.state(), network())
    second.draws.bit_generator.state = json.loads(json.dumps(first.draws.bit_generator.state))
    assert payoffs_of(second) == payoffs_of(first)
    assert second.born == first.born
    assert second.results.matrix() == first.results.matrix()
    assert second.results.endings == first.results.endings
    for born in first.born:
        assert torch.equal(first.past[born].weight, second.past[born].weight)
    for _ in range(20):
        assert first.seat(3).tolist() == second.seat(3).tolist()
