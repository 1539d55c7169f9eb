"""What the tests of environments share."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from hakoenv.engine import hexgrid
from hakoenv.engine.codes import terrain
from hakoenv.envs.parallel import NationsEnv, Step
from hakoenv.testing import SmallWorld


def _give_up(env: NationsEnv, *nations: int) -> None:
    """These nations fall at the end of the coming turn (TURN-075)."""
    for nation in nations:
        env.world.nations["abandoning"][nation] = 1


@pytest.fixture
def give_up() -> Callable[..., None]:
    """Let nations fall at the end of the coming turn."""
    return _give_up


@pytest.fixture
def play() -> Callable[..., Step]:
    """Play turns with sampled legal actions; the last step's results."""

    def played(env: NationsEnv, turns: int) -> Any:
        step: Any = None
        for _ in range(turns):
            step = env.step(env.sample_legal())
        return step

    return played


GROUNDS = [n for n in range(terrain.COUNT) if n not in {2, *range(36, 44), 47}]  # neither monster nor ships
COMMON = [terrain.PLAINS, terrain.WASTELAND, terrain.FOREST, terrain.MOUNTAIN, terrain.SEA, terrain.SHALLOWS]


def _crowded_world(seed: int, rules: dict[str, object] | None = None, means: int = 6) -> SmallWorld:
    """Three nations on 8 x 8 cells of all kinds, levels and deposits, with units, ships, means, research."""
    rng = np.random.default_rng(seed)
    w = SmallWorld(8, 8, 3, seed, turn=int(rng.choice([3, 60, 200])), rules=rules)
    cells = w.world.cells.reshape(-1)
    for i in range(cells.size):
        ground = int(rng.choice(GROUNDS if rng.random() < 0.4 else COMMON))
        top = max(1, int(w.rules.terrains["level_max"][ground]))
        cells["terrain"][i] = ground
        cells["owner"][i] = -1 if ground == terrain.SEA or rng.random() < 0.3 else rng.integers(0, 3)
        cells["level"][i] = rng.choice([0, 1, top - 1, top])
        cells["population"][i] = rng.choice([0, 50, 250, 300])
        cells["deposit"][i] = rng.integers(0, 7) if rng.random() < 0.3 else 0
        cells["tunnel"][i] = rng.random() < 0.2
        cells["below"][i] = rng.choice([terrain.SEA, terrain.SHALLOWS, terrain.WASTELAND])
    for i in rng.permutation(cells.size)[:14].tolist():
        if rng.random() < 0.5:
            w.unit(int(rng.integers(0, 3)), "infantry", i % 8, i // 8)
        else:
            w.ship(int(rng.integers(0, 3)), "destroyer", i % 8, i // 8)
    if rng.random() < 0.5:
        w.war(0, 1)
    for n in range(3):
        record = w.world.nations[n : n + 1]
        record["capital"] = rng.choice([-1, *np.flatnonzero(cells["owner"] == n)])
        record["treasury"] = rng.choice([0, 5, 60, 900, 30_000], 10, p=_MEANS[means])
        record["research"] = rng.integers(0, 6, 3)
        record["policy"], record["policy_next"] = rng.integers(0, 3), rng.integers(0, 3)
        if rng.random() < 0.4:
            record["research_branch"] = rng.integers(0, 3)
            record["research_done_turn"] = w.turn + rng.integers(0, 3)
    w.world.clock["all_land"], w.world.clock["ownerless_land"] = 40, rng.choice([0, 20])
    w.world.clock["tunnels_unlocked"] = rng.random() < 0.5
    return w


_MEANS = {6: (0.1, 0.1, 0.2, 0.2, 0.4), 9: (0, 0, 0, 0.1, 0.9)}


@pytest.fixture
def crowded_world() -> Callable[..., SmallWorld]:
    """Make a small world in which as many commands as possible are now legal, now not."""
    return _crowded_world


def _own_cells_and_around(w: SmallWorld, radius: int = 2, places: int = 256) -> NDArray[np.int32]:
    """A simple cell list for each nation: what lies within two cells of its own, in map order."""
    height, width = w.world.cells.shape
    owner = w.world.cells["owner"].reshape(-1)
    lists = np.full((len(w.world.nations), places), -1, np.int32)
    for n in range(len(lists)):
        around = {
            hexgrid.nth(width, height, int(cell), k)
            for cell in np.flatnonzero(owner == n)
            for k in range(hexgrid.DISC_SIZE[radius])
        }
        found = sorted(around - {-1})[:places]
        lists[n, : len(found)] = found
    return lists


@pytest.fixture
def cells_around() -> Callable[..., NDArray[np.int32]]:
    """Make a simple cell list for each nation of a small world."""
    return _own_cells_and_around
