"""The map as a small array, painted from tables: the frame of render mode ``rgb_array``."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine.codes import ship_class, terrain
from hakoenv.engine.world import World
from hakoenv.render import colours, hexes, scene
from hakoenv.render.scene import Scene, Viewer
from hakoenv.ruleset.compiled import Rules

CELL_PIXELS = 8  # pixels across a cell where no other size is asked for
_BODY, _CORE = 0, 1  # layers of paint; 2..7 are the edges toward directions 1..6
_LAYERS = 8
_STRIP = 32
_BACKGROUND = colours.SEA

_CORES: dict[int, colours.Colour] = {
    terrain.TOWN: (170, 60, 44),
    terrain.NEW_TOWN: (70, 130, 170),
    terrain.MODERN_CITY: (28, 60, 110),
    terrain.METROPOLIS: (110, 24, 24),
    terrain.SEABED_CITY: (236, 246, 250),
    terrain.FOREST: (58, 112, 62),
    terrain.MOUNTAIN: (118, 102, 86),
    terrain.FARM: (186, 146, 30),
    terrain.LARGE_FARM: (150, 110, 10),
    terrain.FACTORY: (84, 92, 108),
    terrain.LARGE_FACTORY: (50, 56, 70),
    terrain.REFINERY: (84, 92, 108),
    terrain.ARSENAL: (84, 92, 108),
    terrain.PORT: (28, 60, 110),
    terrain.NAVAL_PORT: (10, 26, 60),
    terrain.MONSTER: (150, 20, 150),
    terrain.NAVAL_MINE: (20, 20, 20),
    terrain.OFFSHORE_OIL: (92, 60, 128),
}
_CAPITAL = (255, 214, 40)
_WRECK = (112, 132, 146)
_WARSHIP = (60, 60, 70)
_PRIVATE = (250, 246, 236)
_PIRATE = (120, 16, 32)


def rgb_array(
    world: World, rules: Rules, viewer: Viewer = None, cell: int = CELL_PIXELS
) -> NDArray[np.uint8]:
    """A small frame of the map, without words.

    Args:
        world: the world; not changed.
        rules: the compiled rules.
        viewer: nation whose knowledge is drawn, "public" for the public map; None draws the truth.
        cell: pixels across a cell, at least 3.

    Returns:
        (H', W', 3) uint8 of the caller's own: about ``cell`` pixels a column and 0.87 ``cell`` a row.

    Raises:
        ValueError: ``cell`` below 3 or a viewer that is no nation.
    """
    if cell < 3:
        raise ValueError(f"cell={cell} is too small: use at least 3 pixels")
    view = scene.look(world, rules, viewer)
    plan = _plan(view.height, view.width, cell)
    return _paint(view)[plan.paint].reshape(*plan.shape, 3)


class _Plan(NamedTuple):
    """Which row of the paint table every pixel takes."""

    shape: tuple[int, int]
    paint: NDArray[np.int64]  # flat


@cache
def _plan(height: int, width: int, cell: int) -> _Plan:
    place = hexes.layout(height, width, float(cell))
    wide, tall = place.size
    strips = [  # some rows at a time: arrays that fit a cache, and no memory to speak of
        _strip(place, height, width, cell, range(top, min(top + _STRIP, tall)))
        for top in range(0, tall, _STRIP)
    ]
    return _Plan((tall, wide), np.concatenate(strips))


def _strip(place: hexes.Layout, height: int, width: int, cell: int, rows: range) -> NDArray[np.int64]:
    """The paint rows of some rows of pixels, flat."""
    py, px = np.mgrid[rows.start : rows.stop, 0 : place.size[0]]
    row = np.clip((py + 0.5) / (cell * 3**0.5 / 2), 0, None)
    best = np.full(py.shape, np.inf)
    nearest = np.full(py.shape, -1)
    for y in (np.floor(row).astype(int) - 1, np.floor(row).astype(int)):
        x = np.floor((px + 0.5) / cell - 0.5 * (y & 1)).astype(int)
        inside = (y >= 0) & (y < height) & (x >= 0) & (x < width)
        index = np.where(inside, y * width + x, 0)
        away = ((place.centres[index] - np.stack([px + 0.5, py + 0.5], axis=-1)) ** 2).sum(axis=-1)
        closer = inside & (away < best)
        best[closer], nearest[closer] = away[closer], index[closer]
    best[best > (place.cell / 3**0.5) ** 2 + 0.5] = np.inf
    outside = np.isinf(best)
    offset = np.stack([px + 0.5, py + 0.5], axis=-1) - place.centres[nearest]
    angle = np.degrees(np.arctan2(offset[..., 0], -offset[..., 1])) % 360  # clockwise from the top
    side = (angle // 60).astype(int)
    middle = np.radians(side * 60 + 30)
    reach = offset[..., 0] * np.sin(middle) - offset[..., 1] * np.cos(middle)
    layer = np.where(reach > cell / 2 - 1, 2 + side, np.where(best < (cell * 0.26) ** 2, _CORE, _BODY))
    cells = height * width
    return np.where(outside, _LAYERS * cells, layer * cells + nearest).reshape(-1)


def _paint(view: Scene) -> NDArray[np.uint8]:
    """(8 * H*W + 1, 3): the colours of body, core and edges of every cell, last the background."""
    owner, ground = view.owner, view.ground
    table, cores = _tables()
    water = scene.is_water(ground)
    plain = table[ground]
    share = np.where(owner < 0, 0.0, np.where(water, 0.3, 0.6))[:, None]
    nation = np.array(colours.NATIONS, np.float32)[owner % len(colours.NATIONS)]
    body = (plain * (1 - share) + nation * share).astype(np.uint8)
    core = np.where(cores[view.terrain, :1] >= 0, cores[view.terrain], body)
    core[view.wreck] = _WRECK
    core[view.ship_kind > 0] = _PRIVATE
    core[(view.ship_kind > 0) & (view.ship_kind <= scene.LAST_WARSHIP)] = _WARSHIP
    core[view.ship_kind == ship_class.PIRATE] = _PIRATE
    guarded = view.unit_owner >= 0
    core[guarded] = nation_dark(view.unit_owner[guarded])
    core[view.capital[view.capital >= 0]] = _CAPITAL
    around = hexes.neighbours(view.height, view.width)
    beyond = np.where(around >= 0, owner[around], owner[:, None])
    border = (owner[:, None] >= 0) & (beyond != owner[:, None])
    coast = ~water[:, None] & water[around] & (around >= 0)
    edges = np.where(border[..., None], nation_dark(owner)[:, None], body[:, None])
    edges = np.where((coast & ~border)[..., None], np.array(colours.COAST), edges)
    layers = np.concatenate([body[None], core[None], edges.transpose(1, 0, 2)]).astype(np.uint8)
    if view.seen is not None:
        layers[:, ~view.seen] = (layers[:, ~view.seen] * 0.8).astype(np.uint8)
    return np.concatenate([layers.reshape(-1, 3), np.array([_BACKGROUND], np.uint8)])


def nation_dark(owner: NDArray[np.int64]) -> NDArray[np.uint8]:
    """(n, 3): the border colours of nations."""
    full = np.array(colours.NATIONS, np.float32)[owner % len(colours.NATIONS)]
    return (full * 0.62).astype(np.uint8)


@cache
def _tables() -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Ground colours and core colours (-1 none) by terrain number."""
    ground = np.array([colours.of_ground(n) for n in range(terrain.COUNT)], np.float32)
    cores = np.full((terrain.COUNT, 3), -1)
    for number, colour in _CORES.items():
        cores[number] = colour
    return ground, cores
