"""What a nation can know of a cell: the lens that masks and observations look through.

``viewer`` is a nation's number, or ``TRUTH`` inside the turn, which sees everything. Public by rule
are terrain with its disguises (MAP-025, MAP-026), owner, deposits, level and population of what is
not disguised, merchants, cruise ships and pirates; foreign units and warships only within sight.
"""

from __future__ import annotations

from typing import Any

from hakoenv.engine import hexgrid
from hakoenv.engine.codes import deposit as deposit_code
from hakoenv.engine.codes import terrain as terrain_code
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

TRUTH = -1
NOBODY = -1
NOTHING = -1
WARSHIP_FIRST = 1  # ship classes 1..5 hide (NAVY-020); the others are always seen
WARSHIP_LAST = 5


@kernel
def knows(world: World, viewer: int, cell: int) -> bool:
    """Whether the viewer sees the ground of a cell as it is: the truth does, and its owner (MAP-027)."""
    return viewer == TRUTH or world.cells.flat[cell].owner == viewer


@kernel
def terrain(world: World, rules: Rules, viewer: int, cell: int) -> int:
    """Terrain number as seen: foreign military sites look like forest or sea (MAP-025, MAP-026)."""
    ground = int(world.cells.flat[cell].terrain)
    if rules.terrains[ground].disguise >= 0 and not knows(world, viewer, cell):
        return int(rules.terrains[ground].disguise)
    return ground


@kernel
def owner(world: World, rules: Rules, viewer: int, cell: int) -> int:
    """Owner as seen, -1 nobody: what is disguised as sea has none (MAP-027)."""
    place = world.cells.flat[cell]
    if rules.terrains[place.terrain].disguise == terrain_code.SEA and not knows(world, viewer, cell):
        return int(NOBODY)
    return int(place.owner)


@kernel
def level(world: World, rules: Rules, viewer: int, cell: int) -> int:
    """Level as seen: forests that are not the viewer's, real or disguised, all show 0 (MAP-027)."""
    place = world.cells.flat[cell]
    if not knows(world, viewer, cell):
        hidden = rules.terrains[place.terrain].disguise >= 0
        if hidden or place.terrain == terrain_code.FOREST:
            return 0
    return int(place.level)


@kernel
def deposit(world: World, rules: Rules, viewer: int, cell: int) -> int:
    """Deposit kind: public (MAP-017, MAP-018), but none under a disguised site (MAP-027)."""
    place = world.cells.flat[cell]
    if rules.terrains[place.terrain].disguise >= 0 and not knows(world, viewer, cell):
        return int(deposit_code.NONE)
    return int(place.deposit)


@kernel
def population(world: World, rules: Rules, viewer: int, cell: int) -> int:
    """People living there; public."""
    return int(world.cells.flat[cell].population)


@kernel
def unit(world: World, rules: Rules, viewer: int, cell: int) -> int:
    """Index of the unit standing there, -1 none or none seen."""
    found = int(world.cells.flat[cell].unit)
    if found < 0 or viewer == TRUTH or world.units[found].owner == viewer:
        return found
    return found if sees_cell(world, rules, viewer, cell) else int(NOTHING)


@kernel
def ship(world: World, rules: Rules, viewer: int, cell: int) -> int:
    """Index of the ship lying there, -1 none or none seen; only warships hide."""
    found = int(world.cells.flat[cell].ship)
    if found < 0 or viewer == TRUTH or world.ships[found].owner == viewer:
        return found
    kind = world.ships[found].kind
    if kind < WARSHIP_FIRST or kind > WARSHIP_LAST or sees_cell(world, rules, viewer, cell):
        return found
    return int(NOTHING)


@kernel
def sees_cell(world: World, rules: Rules, viewer: int, cell: int) -> bool:
    """Whether foreign units and warships on the cell are in sight: own cells and what lies near them."""
    if knows(world, viewer, cell):
        return True
    cells = world.cells.flat
    height, width = world.cells.shape
    radius = min(rules.scalars[0].army_land_cell_search, hexgrid.MAX_RADIUS)
    for k in range(1, hexgrid.disc_size(radius)):
        near = hexgrid.nth(width, height, cell, k)
        if near >= 0 and cells[near].owner == viewer:
            return True
    return False


@kernel
def watchers(world: World, rules: Rules, cell: int) -> int:
    """Whom `sees_cell` is true of, one bit a nation: for all nations at the price of one."""
    cells = world.cells.flat
    height, width = world.cells.shape
    radius = min(rules.scalars[0].army_land_cell_search, hexgrid.MAX_RADIUS)
    found = 0
    for k in range(hexgrid.disc_size(radius)):
        near = hexgrid.nth(width, height, cell, k)
        if near >= 0 and cells[near].owner >= 0:
            found |= 1 << int(cells[near].owner)
    return found


@kernel
def watch_all(world: World, rules: Rules, watch: Any) -> None:
    """Write `watchers` of every cell into ``watch`` (H * W,) int64: each owned cell tells those near it."""
    cells = world.cells.flat
    height, width = world.cells.shape
    size = hexgrid.disc_size(min(rules.scalars[0].army_land_cell_search, hexgrid.MAX_RADIUS))
    watch[:] = 0
    for i in range(world.cells.size):
        if cells[i].owner < 0:
            continue
        for k in range(size):
            near = hexgrid.nth(width, height, i, k)
            if near >= 0:
                watch[near] |= 1 << int(cells[i].owner)
