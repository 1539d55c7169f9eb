"""What the numbers do over seasons of rule AIs, and that the books of whole seasons are right."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hakoenv.experiments.balance import measure

from hakoenv.cli import main
from hakoenv.engine.season import Season

CAP = 30000


def test_courses_have_a_row_a_season_and_end_with_it() -> None:
    courses = measure.play("duel", [3, 4], {"season.max_turns": 12})
    assert courses.living.shape == (2, 12)
    assert courses.prices.shape == (2, 12, 9)
    assert (courses.living == 2).all()
    assert (courses.prices[:, 0, 8] == 1).all()  # food has a fixed price (MKT-025)
    assert (courses.discrepancies == 0).all()


def test_a_price_swings_only_if_it_rose_and_fell_in_one_season() -> None:
    rising = np.array([[1.0, 1.1, 1.2], [1.0, 1.0, 1.0]])
    both = np.array([[1.0, 1.0, np.nan], [1.0, 1.1, 1.05]])
    assert not measure._swings(rising)
    assert not measure._swings(2 - rising)
    assert measure._swings(both)


def test_the_command_prints_figures_and_draws(tmp_path: Path) -> None:
    picture = tmp_path / "balance.png"
    arguments = [
        "--scenario",
        "duel",
        "--seasons",
        "2",
        "--rules",
        "season.max_turns=12",
        "--out",
        str(picture),
    ]
    done = CliRunner().invoke(main, ["balance", *arguments, "--json"])
    assert done.exit_code == 0, done.output
    figures = json.loads(done.stdout)
    assert figures["seasons"] == 2
    assert figures["funds_cap"] == CAP
    assert figures["discrepancies"] == 0
    assert picture.stat().st_size > 10_000


def test_a_wrong_rule_is_one_sentence() -> None:
    done = CliRunner().invoke(main, ["balance", "--rules", "mine.pile_per_level=many"])
    assert done.exit_code == 2
    assert "mine.pile_per_level" in done.output


@pytest.mark.soak
def test_twenty_seasons_play_well() -> None:
    figures = measure.judge(measure.play("season", range(20)), CAP)
    assert figures["starving_percent"] <= 5
    assert figures["funds_late"] < CAP / 2
    assert min(figures["policies"].values()) > 0
    assert min(figures["research"].values()) >= 1
    assert len(figures["prices_both_ways"]) >= 3
    assert figures["discrepancies"] == 0


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(20))
def test_the_books_of_a_whole_season_are_right(seed: int) -> None:
    Season.new("season", seed=seed, agents="rule_ai", audit=True).run()


@pytest.mark.parametrize("out", ["", "missing/picture.png"])
def test_a_place_where_no_picture_can_go_is_refused_before_playing(tmp_path: Path, out: str) -> None:
    arguments = ["balance", "--scenario", "duel", "--seasons", "1", "--out", str(tmp_path / out)]
    found = CliRunner().invoke(main, arguments)
    assert found.exit_code == 2
    assert "can't be written" in found.output
