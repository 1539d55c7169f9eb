"""Compiled code and plain Python fill the same arrays."""

import os
import subprocess
import sys

LOOK = """
import hashlib
from hakoenv.engine.season import Season
from hakoenv.obs.spec import Spec
from hakoenv.obs.text import text
from hakoenv.testing import SmallWorld
season = Season.new("duel", seed=5, agents="rule_ai")
digest = hashlib.blake2b()
crowd = SmallWorld(height=12, width=12, nations=10, turn=40)  # units and ships in each other's sight
for n in range(10):
    crowd.cell(n, 5, terrain="plains", owner=n)
    crowd.unit(n, "armor", n, 5, strength=20 + n)
    crowd.ship(n, "destroyer", n, 4, hp=3)
crowd.phase("sightings")
spec = Spec(crowd.ruleset, 10, ("cells", "planes"))
buffers = spec.buffers()
spec.fill(crowd.world, crowd.rules, buffers)
for name in sorted(buffers):
    digest.update(name.encode() + buffers[name].tobytes())
digest.update(text(crowd.world, crowd.rules, crowd.ruleset, 9).encode())
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
