"""Compiled code and plain Python fill the same arrays."""

import os
import subprocess
import sys

LOOK = """
import hashlib
from hakoenv.engine.season import Season
from hakoenv.obs.spec import Spec
season = Season.new("duel", seed=5, agents="rule_ai")
digest = hashlib.blake2b()
for turn in (0, 3):
    season.run(until=turn)
    for cells in ("list", "all"):
        spec = Spec(season.ruleset, 2, ("cells", "planes"), cells)
        buffers = spec.buffers()
        spec.fill(season.world, season.rules, buffers)
        for name in sorted(buffers):
            digest.update(name.encode() + buffers[name].tobytes())
print(digest.hexdigest())
"""


def digest(**environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-c", LOOK],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_observations_are_equal_with_and_without_jit() -> None:
    assert digest() == digest(NUMBA_DISABLE_JIT="1")
