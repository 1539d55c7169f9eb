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


def hashes(scenario: str, seed: int, turns: int, **environment: str) -> list[str]:
    """State hashes of a season of rule AIs, before the first and after each turn, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-c", PLAY, scenario, str(seed), str(turns)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


def test_duel_is_equal_with_and_without_jit_for_30_turns() -> None:
    assert hashes("duel", 5, 30) == hashes("duel", 5, 30, NUMBA_DISABLE_JIT="1")


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
