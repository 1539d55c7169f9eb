"""Where a new world's fishing grounds lie (FISH-005): drawn last, so that nothing else depends on them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine import chance
from hakoenv.engine.codes import deposit, terrain
from hakoenv.engine.mapgen import noise, shape
from hakoenv.engine.rounding import floor
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


def strew(world: World, rules: Rules) -> None:
    """Draw the fishing grounds from the deep sea far from land that hides no deposit, each cell at most once.

    Their number is a share of all deep sea, and no more than there are such cells or places in the list,
    which is in cell order.
    """
    s = rules.scalars[0]
    cells = world.cells.reshape(-1)
    sea = cells["terrain"] == terrain.SEA
    far = _steps_to_land(world, rules) >= int(s["fishing_ground_distance_min"])
    fit = np.flatnonzero(sea & (cells["deposit"] == deposit.NONE) & far)
    share = floor(float(np.count_nonzero(sea) * s["fishing_ground_share"] / 100))
    count = min(int(share), len(fit), len(world.grounds))
    luck = noise.rolls(world, chance.FISHING_GROUND, fit, 0, 1 << 30)
    chosen = np.sort(fit[np.argsort(luck, kind="stable")[:count]])
    world.grounds["cell"] = -1
    world.grounds["fish"] = 0
    world.grounds["cell"][:count] = chosen
    world.grounds["fish"][:count] = s["fishing_ground_stock_max"]


def _steps_to_land(world: World, rules: Rules) -> NDArray[np.int64]:
    """Steps of each cell to the nearest land (SEASON-007)."""
    height, width = world.cells.shape
    land = rules.terrains["counts_as_land"][world.cells["terrain"].reshape(-1)] == 1
    steps = np.where(land, 0, shape.FAR)
    shape.measure(width, height, steps, np.empty(steps.size, np.int64))
    return steps
