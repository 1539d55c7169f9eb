"""Where a nation can be founded (FOUND-001 .. FOUND-007)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine import hexgrid, territory
from hakoenv.engine.codes import deposit, terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

RING = 6  # cells around the centre
_LAND_RADIUS = 3  # of founding.site_land_radius3_min and site_forest_radius3_min
_DEPOSIT_RADIUS = 5  # of founding.site_deposit_radius5_min


@kernel
def is_site(world: World, rules: Rules, cell: int) -> bool:
    """Whether a nation can be founded with its capital on ``cell`` now."""
    s = rules.scalars[0]
    return (
        has_room(world, rules, cell)
        and _count(world, rules, cell, _LAND_RADIUS, _FOREST) >= s.founding_site_forest_radius3_min
        and _count(world, rules, cell, _DEPOSIT_RADIUS, _DEPOSIT) >= s.founding_site_deposit_radius5_min
    )


@kernel
def sites(world: World, rules: Rules, out: NDArray[np.int64]) -> int:
    """List the suitable sites in cell order (FOUND-001); ``out`` has a place for every cell of the map."""
    count = 0
    for cell in range(world.cells.size):
        if is_site(world, rules, cell):
            out[count] = cell
            count += 1
    return count


@kernel
def has_room(world: World, rules: Rules, cell: int) -> bool:
    """The part of the test that asks for ground, water and distance, not for forests and deposits.

    The centre is wasteland or forest, it and its six neighbours are unused wasteland, plains or
    forest (FOUND-002 .. FOUND-005); other capitals are far, land is around, water near (FOUND-007).
    """
    s = rules.scalars[0]
    height, width = world.cells.shape
    cells = world.cells.reshape(-1)
    if cells[cell].terrain != terrain.WASTELAND and cells[cell].terrain != terrain.FOREST:
        return False
    for k in range(RING + 1):
        place = hexgrid.nth(width, height, cell, k)
        if place < 0 or not _is_unused(world, place):
            return False
    for n in range(world.nations.shape[0]):
        capital = int(world.nations[n].capital)
        if capital >= 0 and hexgrid.distance(width, cell, capital) < s.founding_min_distance:
            return False
    water = int(s.founding_site_water_distance_max)
    return (
        _count(world, rules, cell, _LAND_RADIUS, _LAND) >= s.founding_site_land_radius3_min
        and _count(world, rules, cell, water, _WATER) > 0
    )


_LAND, _WATER, _FOREST, _DEPOSIT = range(4)


@kernel
def survey(world: World, rules: Rules, land: NDArray[np.int64], out: NDArray[np.int64]) -> int:
    """List the land cells in cell order, and in ``out`` whether each has room for a site; return how many."""
    count = 0
    for cell in range(world.cells.size):
        if territory.is_land(world, rules, cell):
            land[count] = cell
            out[count] = has_room(world, rules, cell)
            count += 1
    return count


@kernel
def _count(world: World, rules: Rules, cell: int, radius: int, what: int) -> int:
    """How many cells of a kind lie within ``radius``."""
    height, width = world.cells.shape
    cells = world.cells.reshape(-1)
    count = 0
    for k in range(hexgrid.disc_size(radius)):
        place = hexgrid.nth(width, height, cell, k)
        if place < 0:
            continue
        if what == _FOREST:
            count += cells[place].terrain == terrain.FOREST
        elif what == _DEPOSIT:
            count += cells[place].deposit != deposit.NONE
        else:
            count += territory.is_land(world, rules, place) == (what == _LAND)
    return count


@kernel
def _is_unused(world: World, cell: int) -> bool:
    """Natural open land without owner and unit (FOUND-003, FOUND-005)."""
    place = world.cells.reshape(-1)[cell]
    ground = place.terrain
    open_land = ground == terrain.WASTELAND or ground == terrain.PLAINS or ground == terrain.FOREST
    return bool(open_land and place.owner < 0 and place.unit < 0)
