"""Draws: a pure function of seed, turn, purpose, subject and index."""

import os
import subprocess
import sys

import numpy as np
import pytest

from hakoenv.engine import chance
from hakoenv.engine.world import World, new_world

SAMPLE = """
from hakoenv.engine import chance
from hakoenv.engine.world import new_world
for seed in (0, 3, 2**63, 2**64 - 1):
    world = new_world(3, 3, 1, seed)
    world.clock["turn"] = 7
    print([int(chance.roll(world, 20, subject, 5, 1000)) for subject in range(40)])
    print([int(chance.between(world, 21, 4, index, -10, 10)) for index in range(40)])
    print([bool(chance.happens(world, 22, subject, 0, 12.5)) for subject in range(40)])
"""


def world(seed: int = 5, turn: int = 1) -> World:
    made = new_world(3, 3, 1, seed)
    made.clock["turn"] = turn
    return made


def rolls(made: World, count: int, sides: int, purpose: int = chance.TOWN_GROWTH) -> np.ndarray:
    return np.array([chance.roll(made, purpose, subject, 0, sides) for subject in range(count)])


def test_a_draw_depends_on_nothing_but_its_arguments() -> None:
    first = rolls(world(), 50, 1000)
    other = world()
    rolls(other, 500, 7, chance.SETTLEMENT)
    assert (rolls(other, 50, 1000) == first).all()
    assert [chance.roll(other, chance.TOWN_GROWTH, s, 0, 1000) for s in reversed(range(50))] == first[
        ::-1
    ].tolist()


def test_each_argument_matters() -> None:
    base = rolls(world(), 64, 1 << 30)
    assert not (rolls(world(seed=6), 64, 1 << 30) == base).any()
    assert not (rolls(world(turn=2), 64, 1 << 30) == base).any()
    assert not (rolls(world(), 64, 1 << 30, chance.NEW_VILLAGE) == base).any()
    assert len(set(base.tolist())) == 64
    indices = [chance.roll(world(), chance.TOWN_GROWTH, 0, index, 1 << 30) for index in range(64)]
    assert len(set(indices) | set(base.tolist())) == 127  # subject 0, index 0 is in both


def test_compiled_and_plain_python_draw_the_same() -> None:
    outputs = [
        subprocess.run(
            [sys.executable, "-c", SAMPLE],
            env={**os.environ, "NUMBA_DISABLE_JIT": disabled},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for disabled in ("0", "1")
    ]
    assert outputs[0] == outputs[1] != ""


@pytest.mark.parametrize("seed", [0, 3, np.int64(3), 2**63, 2**64 - 1])
def test_every_seed_of_64_bits_works(seed: int) -> None:
    made = world(seed=seed)
    drawn = rolls(made, 100, 6)
    assert made.clock["seed"][0] == int(seed)
    assert drawn.min() == 0 and drawn.max() == 5
    assert (drawn == rolls(world(seed=int(seed)), 100, 6)).all()


def test_seeds_that_differ_in_the_top_bit_only_draw_differently() -> None:
    assert (rolls(world(seed=3), 64, 1 << 30) != rolls(world(seed=3 + 2**63), 64, 1 << 30)).all()


@pytest.mark.parametrize("seed", [0, 1, 2**63])
def test_rolls_are_uniform(seed: int) -> None:
    """Chi-square over 10 sides, 20,000 draws: false alarm 1 in 10,000 for each seed (33.72 at 9 degrees)."""
    counts = np.bincount(rolls(world(seed=seed), 20_000, 10), minlength=10)
    assert ((counts - 2000.0) ** 2 / 2000.0).sum() < 33.72


def test_neighbouring_subjects_are_independent() -> None:
    """Chi-square over pairs of 6 x 6 sides, 20,000 pairs: false alarm 1 in 10,000 (76.4 at 35 degrees)."""
    drawn = rolls(world(), 20_001, 6)
    counts = np.bincount(drawn[:-1] * 6 + drawn[1:], minlength=36)
    expected = 20_000 / 36
    assert ((counts - expected) ** 2 / expected).sum() < 76.4


def test_between_reaches_both_ends_and_no_further() -> None:
    drawn = {chance.between(world(), chance.TOWN_GROWTH, subject, 0, -2, 3) for subject in range(500)}
    assert drawn == {-2, -1, 0, 1, 2, 3}


@pytest.mark.parametrize(("percent", "never", "always"), [(0.0, True, False), (100.0, False, True)])
def test_0_percent_never_happens_and_100_always(percent: float, never: bool, always: bool) -> None:
    seen = {bool(chance.happens(world(), chance.SETTLEMENT, subject, 0, percent)) for subject in range(500)}
    assert seen == {always} == {not never}


def test_fractions_of_a_percent_count() -> None:
    """0.5% of 40,000 draws: 200 +- 14.1; outside 130..275 with a chance below 1 in 1,000,000."""
    hits = sum(chance.happens(world(), chance.SETTLEMENT, subject, 0, 0.5) for subject in range(40_000))
    assert 130 <= hits <= 275


def test_every_purpose_has_its_own_number() -> None:
    numbers = [value for name, value in vars(chance).items() if name.isupper() and isinstance(value, int)]
    purposes = [value for value in numbers if not isinstance(value, bool)]
    assert len(purposes) == len(set(purposes))
