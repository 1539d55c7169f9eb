"""The compiled engine and plain Python play the same game, and compiled code never reads out of range."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from hakoenv.engine.world import new_world
from hakoenv.ruleset import load_ruleset

PLAY = """
import json, sys
from hakoenv.engine.season import Season
season = Season.new(sys.argv[1], seed=int(sys.argv[2]), agents="rule_ai")
hashes = [season.state_hash()]
for _ in range(int(sys.argv[3])):
    season.play_turn()
    hashes.append(season.state_hash())
print(json.dumps(hashes))
"""


FORTY = """
import warnings
from hakoenv.testing import SmallWorld
warnings.simplefilter("error")
w = SmallWorld(nations=40)
w.cell(5, 5, terrain="wasteland")
for n in range(40):
    w.cell(n % 12, n // 12, terrain="town", owner=n, capital=True, population=50)
    w.nation(n, funds=900)
w.unit(39, "infantry", 5, 5)
for n in range(40):
    w.order(n, "prepare_land", 5, 5)  # what stands there is asked for by each, as it sees it
w.run(2)
assert w.units(owner=39)
"""


def run(code: str, *arguments: str, **environment: str) -> str:
    """What a process of its own prints."""
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-c", code, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def hashes(scenario: str, seed: int, turns: int, **environment: str) -> list[str]:
    """State hashes of a season of rule AIs, before the first and after each turn."""
    return list(json.loads(run(PLAY, scenario, str(seed), str(turns), **environment)))


def test_duel_is_equal_with_and_without_jit_for_30_turns() -> None:
    assert hashes("duel", 5, 30) == hashes("duel", 5, 30, NUMBA_DISABLE_JIT="1")


def test_forty_nations_are_told_apart_without_jit() -> None:
    run(FORTY, NUMBA_DISABLE_JIT="1")


def test_no_field_has_the_name_of_something_that_every_record_has() -> None:
    """Without JIT `record.size` would be NumPy's own size of a record, not the field."""
    taken = set(dir(np.record))
    for part in (new_world(3, 3, 1, 0), load_ruleset("duel").rules):
        for name, array in zip(part._fields, part, strict=True):
            assert not taken & set(array.dtype.names or ()), name


@pytest.mark.soak
def test_bounds_checked_season_is_equal_and_never_out_of_range() -> None:
    for scenario, seed, turns in (("season", 1, 120), ("duel", 2, 120)):
        assert hashes(scenario, seed, turns) == hashes(scenario, seed, turns, NUMBA_BOUNDSCHECK="1")
