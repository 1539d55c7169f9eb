"""Statistics: what is recorded, kept, left out and replaced."""

import numpy as np
import pytest

from hakoenv.engine.save import kernel_rules
from hakoenv.engine.statistics import GAP, SERIES, Statistics
from hakoenv.engine.world import World, new_world
from hakoenv.ruleset import load_ruleset


@pytest.fixture
def world() -> World:
    made = new_world(12, 12, 2, 0)
    made.nations["alive"] = 1
    return made


def record(
    statistics: Statistics, world: World, turns: range | list[int], alive: tuple[int, int] = (1, 1)
) -> None:
    world.nations["alive"] = alive
    for turn in turns:
        world.clock["turn"] = turn
        statistics.record(world)


@pytest.mark.rule("SEASON-015", "SEASON-016")
def test_the_five_series_of_the_rules_example(world: World) -> None:
    for field, value in (("population", 1200), ("reserves", 200), ("deployed", 150), ("wounded", 40)):
        world.nations[field][0] = value
    world.nations["area"][0], world.nations["power_score"][0] = 33, 430
    statistics = Statistics(2)
    record(statistics, world, [1])
    row = statistics.row(1)
    assert row is not None
    assert dict(zip(SERIES, row.values[0].tolist(), strict=True)) == {
        "population_plus_strength": 1550, "population": 1200, "strength": 350, "area": 33, "power_score": 430,
    }  # fmt: skip


@pytest.mark.rule("SEASON-018", "TURN-046")
def test_the_latest_120_turns_are_kept(world: World) -> None:
    statistics = Statistics.of_rules(kernel_rules(load_ruleset("season")), 2)
    record(statistics, world, range(1, 122))
    assert [row.turn for row in statistics.log] == list(range(2, 122))
    assert statistics.curves().turns.tolist() == list(range(2, 122))


@pytest.mark.rule("SEASON-018")
def test_the_window_is_a_constant_and_can_be_left_open(world: World) -> None:
    short = Statistics.of_rules(kernel_rules(load_ruleset("season", {"stats.history_turns": 5})), 2)
    record(short, world, range(1, 11))
    assert [row.turn for row in short.log] == [6, 7, 8, 9, 10]
    whole = Statistics.of_rules(kernel_rules(load_ruleset("season")), 2, keep_all=True)
    record(whole, world, range(1, 131))
    assert len(whole.log) == 130


@pytest.mark.rule("SEASON-019")
def test_a_gap_is_missing_and_neither_zero_nor_filled(world: World) -> None:
    world.nations["area"] = [5, 7]
    statistics = Statistics(2)
    record(statistics, world, [10, 11, 13])
    curves = statistics.curves()
    assert curves.turns.tolist() == [10, 11, 12, 13]
    assert curves.present.tolist() == [True, True, False, True]
    assert curves.values[:, 0, SERIES.index("area")].tolist() == [5, 5, GAP, 5]
    assert statistics.row(12) is None


@pytest.mark.rule("SEASON-020")
def test_nobody_is_dropped_up_to_turn_35(world: World) -> None:
    world.nations["reserves"] = 50  # what a dead nation's record still holds counts for nothing
    statistics = Statistics(2)
    record(statistics, world, range(1, 5))
    record(statistics, world, range(5, 36), alive=(1, 0))
    assert not statistics.dropped(35).any()
    row = statistics.row(35)
    assert row is not None
    assert row.values[1].tolist() == [0] * 5  # still plotted, at 0


@pytest.mark.rule("SEASON-021")
@pytest.mark.parametrize(("last_alive", "dropped"), [(34, True), (35, False)])
def test_from_36_to_69_the_window_starts_at_35(world: World, last_alive: int, dropped: bool) -> None:
    statistics = Statistics(2)
    record(statistics, world, range(1, last_alive + 1))
    record(statistics, world, range(last_alive + 1, 70), alive=(1, 0))
    for turn in (36, 40, 69):
        assert statistics.dropped(turn).tolist() == [False, dropped]


@pytest.mark.rule("SEASON-022")
@pytest.mark.parametrize(("last_alive", "dropped"), [(65, True), (66, False)])
def test_from_70_the_window_is_the_latest_35_turns(world: World, last_alive: int, dropped: bool) -> None:
    # turn 100: the window is 66..100
    statistics = Statistics(2)
    record(statistics, world, range(1, last_alive + 1))
    record(statistics, world, range(last_alive + 1, 101), alive=(1, 0))
    assert statistics.dropped(100).tolist() == [False, dropped]


@pytest.mark.rule("SEASON-022")
def test_turn_70_looks_at_36_to_70(world: World) -> None:
    statistics = Statistics(2)
    record(statistics, world, range(1, 36))
    record(statistics, world, range(36, 71), alive=(1, 0))
    assert statistics.dropped(69).tolist() == [False, False]  # alive in 35
    assert statistics.dropped(70).tolist() == [False, True]


@pytest.mark.rule("SEASON-023")
def test_a_missing_record_or_a_return_keeps_a_nation(world: World) -> None:
    gap = Statistics(2)
    record(gap, world, [turn for turn in range(1, 81) if turn != 60], alive=(1, 0))
    assert not gap.dropped(80).any()
    back = Statistics(2)
    record(back, world, range(1, 60), alive=(1, 0))
    record(back, world, [60])
    record(back, world, range(61, 81), alive=(1, 0))
    assert not back.dropped(80).any()


@pytest.mark.rule("SEASON-024")
def test_a_living_nation_with_zero_is_not_taken_for_dead(world: World) -> None:
    statistics = Statistics(2)
    record(statistics, world, range(1, 101))  # alive, every series 0
    assert not statistics.dropped(100).any()


@pytest.mark.rule("SAVE-007")
def test_a_turn_played_again_replaces_its_row_in_graphs_but_not_in_the_log(world: World) -> None:
    statistics = Statistics(2)
    record(statistics, world, range(29, 32))
    world.nations["area"] = 9
    record(statistics, world, [29])
    assert [row.turn for row in statistics.log] == [29, 30, 31, 29]
    curves = statistics.curves()
    assert curves.values[:, 0, SERIES.index("area")].tolist() == [9, 0, 0]
    assert curves.present.all()


def test_records_share_no_memory_with_the_world(world: World) -> None:
    statistics = Statistics(2)
    record(statistics, world, [1])
    world.nations["area"] = 50
    world.nations["alive"] = 0
    row = statistics.row(1)
    assert row is not None
    assert row.values[0, SERIES.index("area")] == 0
    assert row.alive.all()


def test_arrays_and_back(world: World) -> None:
    statistics = Statistics(2)
    world.nations["area"] = [3, 4]
    record(statistics, world, [5, 6, 8], alive=(1, 0))
    copy = Statistics(2)
    copy.take_arrays(*statistics.to_arrays())
    for one, other in zip(statistics.log, copy.log, strict=True):
        assert one.turn == other.turn
        assert np.array_equal(one.values, other.values)
        assert np.array_equal(one.alive, other.alive)
