"""What the curves are drawn from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hakoenv.experiments.training import curves

MET = {"seasons": 4.0, "points": 60.0}
LINES: list[dict[str, Any]] = [
    {"minutes": 1.0, "clone_divergence": 0.5, "endings": {"turn_limit": 1}, "payoff_matrix": {}},
    {"minutes": 2.0, "endings": {"turn_limit": 3, "extinction": 1}},
    {
        "minutes": 3.0,
        "clone_divergence": 0.25,
        "payoff_matrix": {
            "learner": {"past_10": {**MET, "ahead": 0.75}, "rule_ai": {**MET, "ahead": 1.0}},
            "past_10": {"learner": {**MET, "ahead": 0.25}},
            "past_4": {},
            "rule_ai": {"learner": {**MET, "ahead": 0.0}},
        },
    },
]


def test_a_line_without_a_figure_has_no_point() -> None:
    assert curves.lines_of(LINES, "clone_divergence") == {"": [(1.0, 0.5, 0.0), (3.0, 0.25, 0.0)]}
    assert curves.lines_of(LINES, "entropy") == {}


def test_a_panel_without_a_figure_is_left_out() -> None:
    titles = [title for title, _ in curves.panels_of(LINES)]
    assert titles == ["divergence from the clone", "endings (share of the seasons so far)"]
    assert curves.panels_of([]) == []


def test_endings_are_shares_of_the_seasons_so_far() -> None:
    assert curves.lines_of(LINES, "endings") == {
        "turn_limit": [(1.0, 1.0, 0.0), (2.0, 0.75, 0.0)],
        "extinction": [(2.0, 0.25, 0.0)],
    }


def test_the_matrix_is_the_last_one_with_past_selves_in_order() -> None:
    names, ahead = curves.matrix_of(LINES)
    none = np.nan
    assert names == ["learner", "rule_ai", "past_4", "past_10"]
    assert np.array_equal(
        ahead,
        [
            [none, 1.0, none, 0.75],
            [0.0, none, none, none],
            [none, none, none, none],
            [0.25, none, none, none],
        ],
        equal_nan=True,
    )
    names, ahead = curves.matrix_of(LINES[1:2])
    assert (names, ahead.shape) == ([], (0, 0))


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_picture_is_drawn_whatever_is_missing(count: int, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    assert curves.save_png(LINES[:count], tmp_path / "curves.png", "a run")
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")


def test_what_is_no_line_of_a_run_is_left_out(tmp_path: Path) -> None:
    line = b'{"iteration": 2, "minutes": 0.5, "agent_steps": 9}'
    odd = (b"5", b"{}", b'{"iteration": "x"}', b'{"iteration": 1}', b"\xff\xfe", b"[" * 3000, line[:-9])
    file = tmp_path / "metrics.jsonl"
    file.write_bytes(b"\n".join((*odd, line, *odd)))
    assert curves.read(file) == [{"iteration": 2, "minutes": 0.5, "agent_steps": 9}]
