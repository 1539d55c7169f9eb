"""Scores, season points and ranks, by hand and against exact fractions."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hakoenv.engine import scoring
from hakoenv.engine.codes import ending, item
from hakoenv.engine.save import kernel_rules
from hakoenv.engine.world import World, new_world
from hakoenv.ruleset import load_ruleset

RULES = kernel_rules(load_ruleset("season"))
BY_FUNDS = kernel_rules(
    load_ruleset("season", {"season_score.economic_assets.default_on": 0, "season_score.funds.default_on": 1})
)


def nations(area: list[int], population: list[int], funds: list[int]) -> World:
    """A world whose living nations have these sizes and one asset record of their treasury funds."""
    world = new_world(12, 12, len(area), 0)
    world.nations["alive"] = 1
    world.nations["area"] = area
    world.nations["population"] = population
    world.nations["treasury"][:, item.FUNDS] = funds
    world.clock["turn"] = 360
    scoring.record_assets(world, RULES)
    return world


def record(world: World, turn: int, funds: int) -> None:
    world.clock["turn"] = turn
    world.nations["treasury"][:, item.FUNDS] = funds
    scoring.record_assets(world, RULES)


@pytest.mark.rule("SEASON-008")
def test_score_of_the_rules_example() -> None:
    world = nations([60, 40], [300, 700], [1000, 3000])
    assert scoring.scores(world, BY_FUNDS) == [Fraction("0.4725"), Fraction("0.5275")]


@pytest.mark.rule("SEASON-011")
def test_economic_assets_take_the_place_of_funds() -> None:
    world = nations([60, 40], [300, 700], [1000, 3000])
    world.nations["assets"][:, 0] = [9_000_000, 3_000_000]  # thousandths
    assert scoring.scores(world, RULES) == [Fraction("0.5475"), Fraction("0.4525")]


@pytest.mark.rule("SEASON-008")
def test_the_dead_are_in_no_share() -> None:
    world = nations([60, 40, 100], [300, 700, 999], [1000, 3000, 5000])
    world.nations["alive"][2] = 0
    world.nations["fell"][2] = 300
    assert scoring.scores(world, BY_FUNDS) == [Fraction("0.4725"), Fraction("0.5275"), 0]


@pytest.mark.rule("SEASON-008")
def test_an_empty_term_is_spread_over_the_others_by_weight() -> None:
    # territory 60 and assets 15 are left: 60/75 = 0.8 and 0.2
    world = nations([3, 1], [0, 0], [1000, 1000])
    assert scoring.scores(world, RULES) == [Fraction("0.7"), Fraction("0.3")]  # 0.8 * 3/4 + 0.2 * 1/2
    nothing = nations([0, 0], [0, 0], [0, 0])
    assert scoring.scores(nothing, RULES) == [Fraction(1, 2), Fraction(1, 2)]


@pytest.mark.rule("SEASON-012")
def test_assets_of_one_turn_are_cash_and_goods_of_both_sectors() -> None:
    world = new_world(12, 12, 1, 0)
    nation = world.nations
    nation["alive"] = 1
    nation["treasury"][0, [item.FUNDS, item.FOOD]] = [1000, 200]  # food at 1
    nation["private"][0, item.FUNDS] = 500_000  # thousandths
    nation["private"][0, item.FUEL] = 10  # fuel at 17
    world.clock["turn"] = 26
    scoring.record_assets(world, RULES)
    assert scoring.mean_assets(world, RULES, 0) == 1870


@pytest.mark.rule("SEASON-014")
def test_goods_are_valued_at_base_prices_whatever_the_market_says() -> None:
    world = new_world(12, 12, 1, 0)
    world.nations["alive"] = 1
    world.nations["treasury"][0, [item.FUNDS, item.GOODS]] = [1000, 10]  # goods at 80
    world.nations["private"][0, [item.FUNDS, item.STEEL]] = [500_000, 4]  # steel at 20
    world.market["price"] = 999_999
    world.clock["turn"] = 26
    scoring.record_assets(world, RULES)
    assert scoring.mean_assets(world, RULES, 0) == 2380


@pytest.mark.rule("SEASON-013")
def test_assets_are_recorded_from_turn_26_and_averaged_over_twelve() -> None:
    world = new_world(12, 12, 1, 0)
    world.nations["alive"] = 1
    for turn in range(1, 26):
        record(world, turn, 10_000)
    assert scoring.mean_assets(world, RULES, 0) == 0
    for turn in range(26, 31):
        record(world, turn, turn)
    assert scoring.mean_assets(world, RULES, 0) == Fraction(26 + 27 + 28 + 29 + 30, 5)
    for turn in range(31, 39):
        record(world, turn, turn)
    assert scoring.mean_assets(world, RULES, 0) == Fraction(sum(range(27, 39)), 12)  # 26 has left the mean


@pytest.mark.rule("SEASON-013")
def test_a_late_nation_is_averaged_over_its_own_records() -> None:
    world = nations([1, 1], [1, 1], [600, 0])
    world.nations["assets_recorded"] = [12, 2]
    world.nations["assets"][0] = 600_000
    world.nations["assets"][1, :2] = [400_000, 800_000]
    scores = scoring.scores(world, RULES)
    assert scores[0] == scores[1] == Fraction(1, 2)  # both have a mean of 600


def test_absurd_stocks_saturate_instead_of_wrapping() -> None:
    world = new_world(12, 12, 1, 0)
    world.nations["alive"] = 1
    world.nations["treasury"][0] = 2**40
    world.nations["private"][0] = 2**40
    world.clock["turn"] = 30
    scoring.record_assets(world, RULES)
    assert world.nations["assets"][0, 0] == 2**36


sizes = st.lists(
    st.tuples(
        st.integers(0, 8100),
        st.integers(0, 8100 * 300),
        st.one_of(st.integers(0, 2**36), st.sampled_from([0, 1, 2**36])),
        st.sampled_from([0, 1, 7, 11, 12]),
    ),
    min_size=2,
    max_size=6,
)


@pytest.mark.rule("SEASON-008")
@given(sizes, st.booleans())
@settings(max_examples=300, deadline=None)
def test_compiled_comparison_agrees_with_fractions(rows: list[tuple[int, int, int, int]], twin: bool) -> None:
    if twin:
        rows = [rows[0], *rows]
    world = new_world(12, 12, len(rows), 0)
    world.nations["alive"] = 1
    for n, (area, population, assets, records) in enumerate(rows):
        world.nations["area"][n], world.nations["population"][n] = area, population
        world.nations["assets"][n], world.nations["assets_recorded"][n] = assets, records
    terms = np.zeros((len(rows), scoring.TERMS), np.int64)
    weights = np.zeros(scoring.TERMS, np.int64)
    scoring.fill_terms(world, RULES, terms)
    scoring.fill_weights(RULES, terms, weights)
    exact = scoring.scores(world, RULES)
    assert sum(exact) == 1
    for a in range(len(rows)):
        for b in range(len(rows)):
            sign = (exact[a] > exact[b]) - (exact[a] < exact[b])
            assert scoring.compare(terms, weights, a, b) == sign


@pytest.mark.rule("SEASON-008")
def test_a_difference_in_the_last_place_decides() -> None:
    # one thousandth of funds in 2**40, with equal territory and population
    world = nations([7, 7, 7], [11, 11, 11], [1, 1, 1])
    world.nations["assets"][:, 0] = [2**35, 2**35 + 1, 2**35]
    terms = np.zeros((3, scoring.TERMS), np.int64)
    weights = np.zeros(scoring.TERMS, np.int64)
    scoring.fill_terms(world, RULES, terms)
    scoring.fill_weights(RULES, terms, weights)
    assert scoring.compare(terms, weights, 1, 0) == 1
    assert scoring.compare(terms, weights, 0, 1) == -1
    assert scoring.compare(terms, weights, 0, 2) == 0


def end(world: World, how: int, winners: list[int]) -> World:
    world.clock["ending"] = how
    world.nations["winner"][winners] = 1
    return world


def both(world: World) -> list[Fraction]:
    """Exact season points, seen to agree with the compiled ones."""
    exact = scoring.season_points(world, RULES)
    points = scoring.standing_points(world, RULES)
    assert points.dtype == np.float64
    assert np.allclose(points, [float(share) for share in exact], rtol=0, atol=1e-9)
    return exact


def test_points_at_the_last_turn_are_the_score() -> None:
    world = nations([60, 40], [300, 700], [1000, 3000])
    assert both(end(world, ending.TURN_LIMIT, [1])) == [Fraction("47.25"), Fraction("52.75")]


def test_points_of_a_running_season_are_those_of_its_end_now() -> None:
    assert both(nations([60, 40], [300, 700], [1000, 3000])) == [Fraction("47.25"), Fraction("52.75")]


def test_a_lone_conqueror_has_all_points() -> None:
    world = nations([60, 40], [300, 700], [1000, 3000])
    assert both(end(world, ending.LONE_CONQUEST, [0])) == [100, 0]


def test_a_faction_shares_by_score_among_its_members() -> None:
    # scores 0.5, 0.3, 0.2 of equal terms; winners 0 and 1 share 5 : 3
    world = nations([50, 30, 20], [50, 30, 20], [50, 30, 20])
    assert both(end(world, ending.FACTION_CONQUEST, [0, 1])) == [Fraction("62.5"), Fraction("37.5"), 0]


def test_a_sole_survivor_has_all_points_and_those_who_fell_last_share() -> None:
    world = nations([50, 30, 20], [50, 30, 20], [50, 30, 20])
    world.nations["alive"] = [0, 1, 0]
    world.nations["fell"] = [200, 0, 190]
    assert both(end(world, ending.SOLE_SURVIVOR, [1])) == [0, 100, 0]
    world = nations([0, 0, 0], [0, 0, 0], [0, 0, 0])
    world.nations["alive"] = 0
    world.nations["fell"] = [200, 200, 190]
    assert both(end(world, ending.EXTINCTION, [])) == [50, 50, 0]


@given(sizes)
@settings(max_examples=100, deadline=None)
def test_points_always_sum_to_a_hundred(rows: list[tuple[int, int, int, int]]) -> None:
    world = new_world(12, 12, len(rows), 0)
    world.nations["alive"] = 1
    for n, (area, population, assets, records) in enumerate(rows):
        world.nations["area"][n], world.nations["population"][n] = area, population
        world.nations["assets"][n], world.nations["assets_recorded"][n] = assets, records
    assert sum(both(world)) == 100
    assert abs(scoring.standing_points(world, RULES).sum() - 100) <= 1e-9


def test_the_total_is_a_constant_of_the_ruleset() -> None:
    rules = kernel_rules(load_ruleset("season", {"season.standing_points_total": 7}))
    world = nations([60, 40], [300, 700], [1000, 3000])
    assert sum(scoring.season_points(world, rules)) == 7
    assert scoring.standing_points(world, rules).sum() == pytest.approx(7)


@pytest.mark.rule("SEASON-009")
def test_ranks_fall_with_the_score_and_ties_are_equal() -> None:
    world = nations([40, 40, 20], [40, 40, 20], [40, 40, 20])
    assert scoring.ranks(world, RULES) == [1, 1, 3]


@pytest.mark.rule("SEASON-009")
def test_winners_come_first_and_the_fallen_last() -> None:
    world = nations([50, 20, 10, 0, 0, 0], [50, 20, 10, 0, 0, 0], [50, 20, 10, 0, 0, 0])
    world.nations["alive"] = [1, 1, 1, 0, 0, 0]
    world.nations["fell"] = [0, 0, 0, 50, 90, 0]  # the last seat was never founded
    assert scoring.ranks(end(world, ending.FACTION_CONQUEST, [1, 2]), RULES) == [3, 1, 2, 5, 4, 0]


def test_scoring_kernels_have_one_signature_each() -> None:
    both(nations([1, 2], [3, 4], [5, 6]))
    kernels: list[Any] = [scoring.compare, scoring.fill_terms, scoring.fill_weights, scoring.record_assets]
    for function in kernels:
        assert len(getattr(function, "signatures", [0])) <= 1
