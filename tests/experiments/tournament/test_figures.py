"""Means, intervals, standings, ratings and the test over seats, against values worked by hand."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

pytest.importorskip("scipy", reason="the extra `tournament` is not installed")
pytest.importorskip("choix", reason="the extra `tournament` is not installed")

from hakoenv.experiments.intervals import estimate, t_quantile
from hakoenv.experiments.tournament import evaluate, fairness, ratings, standings
from hakoenv.experiments.tournament.season import record, shared
from hakoenv.experiments.tournament.seat import Forfeit
from hakoenv.experiments.tournament.seating import Task


def season(number: int, points: dict[str, float], seed: int | None = None, **more: Any) -> dict[str, Any]:
    """A record in which names sit in the order given and have some points."""
    values = list(points.values())
    return {
        "id": f"{number:06d}",
        "seed": number if seed is None else seed,
        "seats": list(points),
        "points": values,
        "ranks": [1 + sum(other > value for other in values) for value in values],
        "ending": "turn_limit",
        "turns": 10,
        "forfeits": [],
        **more,
    }


def test_the_interval_of_a_mean() -> None:
    # s = 1, so the error is 1 / sqrt(3) = 0.57735; t with 2 degrees of freedom is 4.30265.
    found = estimate([1, 2, 3])
    assert found.mean == 2
    assert found.half_width == pytest.approx(4.30265 * 0.57735, abs=1e-4)
    assert found.interval == [pytest.approx(-0.4842, abs=1e-3), pytest.approx(4.4842, abs=1e-3)]
    assert estimate([5.0]).half_width is None


@pytest.mark.parametrize("degrees", [*range(1, 40), 99, 100, 1000, 100_001, 999_998])
def test_quantiles_of_t(degrees: int) -> None:
    from scipy.special import stdtrit

    assert t_quantile(degrees) == pytest.approx(float(stdtrit(degrees, 0.975)), rel=1e-9)


def test_seasons_of_one_seed_count_as_one() -> None:
    # Mean 3; deviations sum to -4 and 4: the error is sqrt(2 / 1 * 32) / 4 = 2; t with 1 degree is 12.7062.
    found = estimate([0, 2, 4, 6], ["a", "a", "b", "b"])
    assert (found.mean, found.half_width) == (3, pytest.approx(25.4124, abs=1e-3))
    assert estimate([0, 2, 4, 6], ["a", "a", "a", "a"]).half_width is None
    assert estimate([0, 2, 4], [7, 8, 9]) == estimate([0, 2, 4])


def test_who_is_sure_enough() -> None:
    # 49 and 51 by turns: s**2 = 30/29, the error 1 / sqrt(29) = 0.18570, t with 29 degrees 2.04523: 0.3798.
    records = [season(k, {"A": 49.0 + 2 * (k % 2), "B": 51.0 - 2 * (k % 2)}) for k in range(30)]
    assert standings.sure_enough(records, ["A", "B"], 0.38)
    assert not standings.sure_enough(records, ["A", "B"], 0.379)
    assert not standings.sure_enough(records[:28], ["A", "B"], 50)  # too few, however narrow


def test_standings() -> None:
    records = [
        season(0, {"A": 60.0, "B": 40.0}),
        season(1, {"B": 50.0, "A": 50.0}),
        season(2, {"A": 100.0, "C": 0.0}),
    ]
    found = standings.of(records, ["C", "B", "A"], "f")
    rows = found["standings"]
    assert [(row["place"], row["entrant"], row["seasons"], row["mean"]) for row in rows] == [
        (1, "A", 3, 70.0),
        (2, "B", 2, 45.0),
        (3, "C", 1, 0.0),
    ]
    assert [row["wins"] for row in rows] == [3, 1, 0]  # a tie for first counts for both
    assert [row["mean_rank"] for row in rows] == [1.0, 1.5, 2.0]
    assert found["field_points"] is None
    assert found["endings"] == {"turn_limit": 3}
    pairs = {(entry["entrant"], entry["against"]): entry for entry in found["head_to_head"]}
    assert pairs["A", "B"]["difference"]["mean"] == 10.0
    assert (pairs["A", "B"]["ahead"], pairs["B", "A"]["ahead"], pairs["A", "B"]["seasons"]) == (0.75, 0.25, 2)
    assert (pairs["B", "C"]["difference"], pairs["B", "C"]["seasons"]) == (None, 0)


def test_the_field_is_one_observation_a_season() -> None:
    records = [season(k, {"A": 40.0, "f": 60.0}) for k in range(2)]
    records[0].update(seats=["A", "f", "f"], points=[40.0, 10.0, 50.0], ranks=[2, 3, 1])
    found = standings.of(records, ["A"], "f")["field_points"]
    assert (found["seasons"], found["mean"]) == (2, 45.0)


def test_who_forfeits_has_nothing_and_the_last_place() -> None:
    result = {"seed": 9, "points": [50.0, 30.0, 20.0], "ranks": [1, 2, 3], "ending": "turn_limit", "turns": 9,
              "winners": [], "state_hash": "x"}  # fmt: skip
    found = record(Task(3, 9, ("A", "B", "C")), result, {0: Forfeit(0, "A", 2, "slept")})
    assert found["points"] == [0.0, 60.0, 40.0]  # A's 50, in proportion 30 to 20
    assert found["ranks"] == [3, 1, 2]
    assert found["forfeits"] == [{"seat": 0, "entrant": "A", "turn": 2, "reason": "slept"}]
    rows = standings.of([found], ["A", "B", "C"], "f")["standings"]
    assert [(row["entrant"], row["wins"], row["forfeits"]) for row in rows] == [
        ("B", 1, 0),
        ("C", 0, 0),
        ("A", 0, 1),
    ]


@pytest.mark.parametrize(
    ("guilty", "expected"),
    [([], [1, 2, 3, 3]), ([0], [4, 1, 2, 2]), ([0, 3], [3, 1, 2, 3]), ([0, 1, 2, 3], [4, 4, 4, 4])],
)
def test_those_who_forfeit_share_the_last_place(guilty: list[int], expected: list[int]) -> None:
    result = {"seed": 9, "points": [50.0, 30.0, 10.0, 10.0], "ranks": [1, 2, 3, 3], "ending": "turn_limit",
              "turns": 9, "winners": [0], "state_hash": "x"}  # fmt: skip
    names = ("A", "B", "C", "D")
    forfeits = {seat: Forfeit(seat, names[seat], 2, "slept") for seat in guilty}
    assert record(Task(3, 9, names), result, forfeits)["ranks"] == expected


@pytest.mark.parametrize(
    ("points", "forfeits", "expected"),
    [
        ([40.0, 60.0], [], [40.0, 60.0]),
        ([40.0, 60.0], [1], [100.0, 0.0]),  # it failed in turn 110 and still stood at 60
        ([50.0, 30.0, 20.0, 0.0], [1, 3], [5000 / 70, 0.0, 2000 / 70, 0.0]),
        ([100.0, 0.0, 0.0], [0], [0.0, 50.0, 50.0]),  # the others have fallen
        ([70.0, 30.0], [0, 1], [0.0, 0.0]),
    ],
)
def test_what_those_had_who_forfeit_goes_to_the_others(
    points: list[float], forfeits: list[int], expected: list[float]
) -> None:
    assert shared(points, forfeits) == pytest.approx(expected)


def test_ratings_with_ties() -> None:
    # 3.5 of 4 against each other and half of 1 against the average player, who stands halfway by symmetry:
    # with x = 10**(rating / 400) the likelihood is greatest where 4 x**2 / (1 + x**2) + x / (1 + x) = 3.5 +
    # 0.5, which is x**3 - 3 x - 4 = 0, x = 2.1958.
    records = [season(k, {"A": 60.0, "B": 40.0}) for k in range(3)] + [season(3, {"A": 50.0, "B": 50.0})]
    one, other = ratings.of(records, ["B", "A"], "f")
    assert one["player"] == "A"
    assert 10 ** (one["rating"] / 400) == pytest.approx(2.1958, abs=2e-3)
    assert one["rating"] == -other["rating"]
    assert one["interval"][0] <= one["rating"] <= one["interval"][1]


def test_ratings_know_no_order_and_fall_with_rank() -> None:
    one = {"A": 30.0, "B": 30.0, "C": 20.0, "D": 15.0, "E": 5.0}
    records = [season(0, one), season(1, dict(reversed(one.items()))), season(2, {"E": 60.0, "A": 40.0})]
    found = ratings.of(records[:1], list(one), "f")
    values = {entry["player"]: entry["rating"] for entry in found}
    assert values["A"] == values["B"] > values["C"] > values["D"] > values["E"]
    shuffled = records[:]
    random.Random(1).shuffle(shuffled)
    fitted = [ratings.fit(sum(ratings.wins(r, list(one)) for r in some)) for some in (records, shuffled)]
    np.testing.assert_array_equal(fitted[0], fitted[1])


def test_seats_of_the_field_do_not_play_each_other() -> None:
    seen = season(0, {"A": 40.0, "f": 10.0})
    seen.update(seats=["f", "A", "f"], points=[50.0, 40.0, 10.0])
    np.testing.assert_array_equal(ratings.wins(seen, ["A", "f"]), [[0, 1], [1, 0]])


def test_seats_that_differ_are_found() -> None:
    points = np.zeros((40, 4))
    points[:, 2] = 100  # the best seat of every season: one in 4**40 permutations is as uneven
    found = fairness.permute(points)
    assert found.statistic == 75**2 + 3 * 25**2
    assert found.p == 1 / 10_001


def test_seats_that_are_alike_are_not_found() -> None:
    points = np.array([[60.0, 40.0], [40.0, 60.0]] * 10)
    assert fairness.permute(points) == (0.0, 1.0, 10_000)
    # Two seasons, both won by seat 0: half of the four equally likely permutations are as uneven.
    assert fairness.permute(np.array([[100.0, 0.0], [100.0, 0.0]])).p == pytest.approx(0.5, abs=0.03)


def test_a_pair_compared() -> None:
    records = [
        season(0, {"A": 60.0, "B": 40.0}, seed=1),
        season(1, {"B": 30.0, "A": 70.0}, seed=1),
        season(2, {"A": 50.0, "B": 50.0}, seed=2),
        season(3, {"B": 55.0, "A": 45.0}, seed=2),
    ]
    found = evaluate.figures(records, "A", "B")
    assert (found["entrant"]["mean"], found["against"]["mean"]) == (56.25, 43.75)
    # By seed 30 and -5: mean 12.5, s / sqrt(2) = 17.5, t with 1 degree 12.7062.
    assert found["difference"]["mean"] == 12.5
    assert found["difference"]["half_width"] == pytest.approx(12.7062 * 17.5, abs=1e-2)
    assert (found["won"], found["tied"], found["lost"], found["won_share"]) == (2, 1, 1, 0.625)


def test_a_pair_among_a_field() -> None:
    records = [season(0, {"A": 60.0, "f": 40.0}, seed=1), season(1, {"B": 30.0, "f": 70.0}, seed=1)]
    found = evaluate.figures(records, "A", "B")
    assert (found["difference"]["mean"], found["seeds"], found["won_share"]) == (30.0, 1, 1.0)
