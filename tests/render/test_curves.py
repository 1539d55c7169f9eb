"""Curves of the statistics."""

from __future__ import annotations

import builtins
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from hakoenv.engine.codes import terrain
from hakoenv.engine.statistics import Statistics
from hakoenv.engine.world import World, new_world
from hakoenv.render import curves


def _world(turn: int, alive: tuple[int, int] = (1, 1)) -> World:
    world = new_world(6, 6, 2, 0)
    world.clock["turn"] = turn
    world.cells["terrain"] = terrain.PLAINS
    world.nations["alive"] = alive
    world.nations["population"] = (100 + turn, 50)
    world.nations["reserves"] = (20, 0)
    world.nations["area"] = (7, 9)
    world.nations["power_score"] = (300, 0)
    return world


def _statistics(turns: list[int], dead_from: int = 10**6) -> Statistics:
    statistics = Statistics(2, history_turns=None)
    for turn in turns:
        statistics.record(_world(turn, (1, int(turn < dead_from))))
    return statistics


@pytest.mark.rule("SEASON-019")
def test_a_turn_without_a_record_is_no_number_in_the_lines() -> None:
    lines = curves.lines_of(_statistics([10, 11, 13]))
    assert lines.turns.tolist() == [10, 11, 12, 13]
    population = lines.series["population"]
    assert population[[0, 1, 3], 0].tolist() == [110, 111, 113]
    assert np.isnan(population[2]).all()


@pytest.mark.rule("SEASON-015")
def test_all_five_series_are_drawn() -> None:
    lines = curves.lines_of(_statistics([1]))
    first = {name: values[0, 0] for name, values in lines.series.items()}
    assert first == {
        "population_plus_strength": 121, "population": 101, "strength": 20, "area": 7, "power_score": 300,
    }  # fmt: skip
    assert set(curves.TITLES) == set(curves.UNITS) == set(lines.series)


@pytest.mark.rule("SEASON-020")
@pytest.mark.rule("SEASON-021")
def test_a_nation_dead_since_turn_35_leaves_the_curves_at_turn_36() -> None:
    assert curves.lines_of(_statistics(list(range(1, 36)), dead_from=5)).shown.tolist() == [True, True]
    assert curves.lines_of(_statistics(list(range(1, 37)), dead_from=5)).shown.tolist() == [True, False]


@pytest.mark.rule("SEASON-024")
def test_a_living_nation_without_strength_stays() -> None:
    assert curves.lines_of(_statistics(list(range(1, 101)))).shown.tolist() == [True, True]


def test_a_value_between_two_gaps_is_a_point() -> None:
    values = np.array([np.nan, 3.0, np.nan, 4.0, 5.0])
    assert curves._single_points(values) == [1]


def test_names_at_line_ends_keep_their_distance_and_order() -> None:
    placed = curves.spread([0.9, 0.89, 0.1, 0.01, 0.0], 0.1)
    assert placed == pytest.approx([0.9, 0.8, 0.2, 0.1, 0.0])


def _labels(values: list[float], shown: int | None = None) -> list[tuple[float, tuple[int, ...], str | None]]:
    chosen = np.arange(len(values)) < (len(values) if shown is None else shown)
    return [tuple(label) for label in curves.end_labels(np.array(values), chosen)]


def test_lines_of_one_value_are_labelled_once() -> None:
    assert _labels([200.0] * 20) == [(200.0, tuple(range(20)), "all 200")]
    assert _labels([200.0]) == [(200.0, (0,), None)]


def test_equal_values_are_named_together_and_many_of_them_counted() -> None:
    assert _labels([5, 7, 5, 1200, 1200, 1200, 1200]) == [
        (1200, (3, 4, 5, 6), "4 nations: 1,200"), (7, (1,), None), (5, (0, 2), None),
    ]  # fmt: skip


def test_at_most_eight_lines_of_names_and_none_of_a_tie_left_out() -> None:
    assert [label[1] for label in _labels([float(20 - n) for n in range(20)])] == [(n,) for n in range(8)]
    assert [label[1] for label in _labels([9, 8, 7, 6, 5, 4, 3, 2, 2])] == [(n,) for n in range(7)]


def test_nations_that_are_not_shown_or_have_no_value_get_no_label() -> None:
    assert _labels([3, -np.inf, 2, 9], shown=3) == [(3, (0,), None), (2, (2,), None)]


@pytest.mark.parametrize(
    ("first", "last", "ticks"),
    [
        (1, 360, [1, 50, 100, 150, 200, 250, 300, 350]),
        (1, 9, [1, 2, 3, 4, 5, 6, 7, 8, 9]),
        (241, 360, [241, 260, 280, 300, 320, 340, 360]),
        (4, 4, [4]),
    ],
)
def test_turn_ticks_begin_at_the_start(first: int, last: int, ticks: list[int]) -> None:
    assert curves.turn_ticks(first, last) == ticks


@pytest.mark.parametrize("turns", [[], [4], [10, 11, 13], list(range(1, 60))])
def test_a_picture_is_written_for_any_history(turns: list[int], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "curves.png"
    assert curves.save_curves_png(
        _statistics(turns, dead_from=12), path, names=["青葉国 Aoba", "暁国 Akatsuki"]
    )
    with Image.open(path) as image:
        assert image.size == (1800, 1100)
    assert "matplotlib.pyplot" not in sys.modules
    assert "tkinter" not in sys.modules


def test_without_matplotlib_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def no_matplotlib(name: str, *rest: Any) -> Any:
        if name.startswith("matplotlib"):
            raise ModuleNotFoundError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", no_matplotlib)
    assert not curves.save_curves_png(_statistics([1]), tmp_path / "curves.png")
    assert not (tmp_path / "curves.png").exists()
