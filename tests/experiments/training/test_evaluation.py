"""How good a network is: balanced seats, worlds that nobody trains on."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra `train` is not installed")
pytest.importorskip("yaml", reason="the extra `train` is not installed")

from hakoenv.experiments import seeds
from hakoenv.experiments.training import evaluation
from hakoenv.experiments.training.config import Config
from hakoenv.experiments.training.evaluation import Outcome, evaluate
from hakoenv.experiments.training.seats import Seats

from hakoenv.engine.season import Season


def test_figures_by_hand() -> None:
    """40 and 60: mean 50, deviation 14.142; t with one degree, 12.706, * 14.142 / 1.414 = 127.06."""
    found = Outcome(np.array([40.0, 60.0]), np.array([False, True])).figures()
    assert found == {
        "points": 50.0,
        "half_width": pytest.approx(127.06, abs=0.01),
        "ahead": 0.5,
        "seasons": 2.0,
    }


def test_one_season_tells_no_half_width() -> None:
    """Nothing is known of how seasons differ, least of all that they do not."""
    found = Outcome(np.array([40.0]), np.array([True])).figures()
    assert found == {"points": 40.0, "ahead": 1.0, "seasons": 1.0}


@pytest.mark.parametrize("against", ["rule_ai", "random"])
def test_seats_take_turns_and_seeds_are_for_evaluation(
    network: Any, small: Config, against: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five seasons, at most three at once: seats 0 1 0 1 0, seeds 2**62 + 10 to 14."""
    given: list[int] = []
    asked: list[list[int]] = []
    begin, ask = evaluation.Worlds.reset, Seats.ask

    def reset(self: Any, *, seed: Any) -> Any:
        given.extend(seed)
        asked.append([])
        return begin(self, seed=seed)

    def answer(self: Any, network: Any, seen: Any, rows: Any, *rest: Any) -> Any:
        asked[-1].append(rows.tolist())
        return ask(self, network, seen, rows, *rest)

    monkeypatch.setattr(evaluation, "_AT_ONCE", 3)
    monkeypatch.setattr(evaluation.Worlds, "reset", reset)
    monkeypatch.setattr(Seats, "ask", answer)
    found = evaluate(network, small.game, against, 5, first=10)
    assert given == [2**62 + 10 + k for k in range(5)]
    assert all(seeds.is_evaluation(seed) for seed in given)
    # rows are env * 2 + nation: season 0 in seat 0, 1 in seat 1, 2 in seat 0; then 3 in seat 1, 4 in seat 0
    assert [turns[0] for turns in asked] == [[0, 3, 4], [1, 2]]
    assert found.points.shape == (5,) and ((found.points > 0) & (found.points < 100)).all()


def test_the_random_opponent_is_the_controller_of_that_name(
    network: Any, small: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever commands the run has; here beside a nation that does nothing, as a season plays them."""

    def nothing(self: Any, network: Any, seen: Any, rows: Any, *rest: Any) -> Any:
        return SimpleNamespace(actions=np.zeros((len(rows), self.space.nvec.size), np.int64))

    monkeypatch.setattr(Seats, "ask", nothing)
    found = evaluate(network, small.game, "random", 2)
    for k, agents in enumerate((["external", "random"], ["random", "external"])):
        season = Season.new("duel", seed=2**62 + k, rules=small.game.rules, agents=agents)
        season.run()
        own = season.result()["points"][k]  # rounded from exact fractions
        assert found.points[k] == pytest.approx(own, rel=1e-12)


def test_it_repeats(network: Any, small: Config) -> None:
    one, two = (evaluate(network, small.game, "rule_ai", 3) for _ in range(2))
    assert np.array_equal(one.points, two.points)


def test_seasons_do_not_depend_on_how_many_there_are(network: Any, small: Config) -> None:
    """Of a network without luck."""
    one = evaluate(network, small.game, "itself", 2, greedy=True, other=network)
    two = evaluate(network, small.game, "itself", 3, greedy=True, other=network)
    assert np.array_equal(one.points, two.points[:2])


def test_an_unknown_opponent_is_refused(network: Any, small: Config) -> None:
    with pytest.raises(ValueError, match="against='rule_ia' must be one of rule_ai, random"):
        evaluate(network, small.game, "rule_ia", 1)
