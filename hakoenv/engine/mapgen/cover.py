"""What covers the land of a new world: mountains, forests, plains, wasteland, shallows (MAP-051).

Shares are exact for the world and even over the homes of the nations: every home's part of the land gets
its share of each terrain, on the cells where the noise of that terrain is strongest.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine import chance, hexgrid
from hakoenv.engine.codes import terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.mapgen import noise, shape
from hakoenv.engine.mapgen.homes import Homes
from hakoenv.engine.mapgen.shape import Sketch
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

_NEVER = 1 << 20  # worse than any noise
_INLAND = 150  # a mountain's preference for each step from the coast
_INLAND_STEPS = 3
_LAYERS = (
    (terrain.MOUNTAIN, noise.MOUNTAIN, "mountain"),
    (terrain.FOREST, noise.FOREST, "forest"),
    (terrain.PLAINS, noise.PLAINS, "plains"),
)


def lay(world: World, rules: Rules, attempt: int, homes: Homes) -> None:
    """Give every land cell its terrain (the rest stays wasteland), then every forest its trees."""
    s = rules.scalars[0]
    ground = np.full(len(homes.land), terrain.WASTELAND)
    from_home = steps_from_home(world, homes)
    for kind, layer, name in _LAYERS:
        liking = noise.field(world, layer, attempt, int(s[f"worldgen_noise_{name}"]), homes.land)
        if kind == terrain.MOUNTAIN:  # on the ridges of the noise, inland, none on a home: FOUND-004
            liking = noise.TOP - 2 * abs(2 * liking - noise.TOP) + _INLAND * _steps_inland(world, homes)
            liking[from_home <= 1] -= _NEVER
        elif kind == terrain.PLAINS:  # a centre is wasteland or forest: FOUND-002
            liking[from_home == 0] -= _NEVER
        wanted = (len(ground) * int(s[f"worldgen_{name}_percent"]) + 50) // 100
        _lay_one(ground, homes.part, liking, kind, wanted)
    cells = world.cells.reshape(-1)
    cells["terrain"][homes.land] = ground
    woods = homes.land[ground == terrain.FOREST]
    low, high = int(s["worldgen_forest_trees_low"]), int(s["worldgen_forest_trees_high"])
    more = noise.rolls(world, chance.MAP_TREES, woods, attempt, max(1, high - low + 1))
    cells["level"][woods] = low + more


def steps_from_home(world: World, homes: Homes) -> NDArray[np.int64]:
    """Steps of each land cell from the centre of its home; many where it has none."""
    steps = np.full(len(homes.land), _NEVER)
    measure_homes(world.cells.shape[1], homes, steps)
    return steps


@kernel
def measure_homes(width: int, homes: Homes, steps: NDArray[np.int64]) -> None:
    """Fill ``steps`` where a land cell has a home."""
    for k in range(homes.land.shape[0]):
        if homes.part[k] >= 0:
            steps[k] = hexgrid.distance(width, homes.land[k], homes.centre[homes.part[k]])


def lay_shallows(world: World, rules: Rules, attempt: int, sketch: Sketch) -> None:
    """Turn the share of the sea that touches land into shallows, in stretches."""
    s = rules.scalars[0]
    coast = np.flatnonzero(sketch.shore == 1)
    depth = noise.field(world, noise.SHALLOWS, attempt, int(s["worldgen_noise_shallows"]), coast)
    depth += noise.rolls(world, chance.MAP_SHALLOWS, coast, attempt, noise.TOP // 4)
    order = np.argsort(depth, kind="stable")
    wanted = (len(coast) * int(s["worldgen_shallows_percent"]) + 50) // 100
    world.cells.reshape(-1)["terrain"][coast[order[:wanted]]] = terrain.SHALLOWS


def set_climate(world: World, rules: Rules) -> None:
    """Give every row its climate zone: bands that lie alike on both sides of the middle row (MAP-051)."""
    height = world.cells.shape[0]
    place = 1000 * abs(2 * np.arange(height) - (height - 1)) // height
    borders = rules.scalars[0]["worldgen_climate_bands"]
    world.cells["climate"] = (place[:, None] > borders).sum(axis=1)[:, None]


def _lay_one(
    ground: NDArray[np.int64], part: NDArray[np.int64], liking: NDArray[np.int64], kind: int, wanted: int
) -> None:
    """Turn ``wanted`` of the cells that are still wasteland into ``kind``: of each part its share."""
    bare = np.flatnonzero(ground == terrain.WASTELAND)
    bare = bare[np.lexsort((bare, -liking[bare], part[bare]))]
    wanted = min(wanted, len(bare))
    start = 0
    while start < len(bare):
        end = start + int(np.count_nonzero(part[bare] == part[bare[start]]))
        quota = wanted * end // len(bare) - wanted * start // len(bare)
        ground[bare[start : start + quota]] = kind
        start = end


def _steps_inland(world: World, homes: Homes) -> NDArray[np.int64]:
    """Steps of each land cell from the coast, up to ``_INLAND_STEPS``."""
    height, width = world.cells.shape
    steps = np.where(homes.mass < 0, 0, shape.FAR)
    shape.measure(width, height, steps, np.empty(steps.size, np.int64))
    return np.minimum(steps[homes.land], _INLAND_STEPS)
