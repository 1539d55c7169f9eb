"""What a nation can know of a cell: the lens that masks and observations look through.

``viewer`` is a nation's number, or ``TRUTH`` inside the turn, which sees everything. Public by rule
are terrain with its disguises (MAP-025, MAP-026), owner, deposits, level and population of what is
not disguised, merchants, cruise ships and pirates; foreign units and warships only within sight.

Sight of units is the army's (ARMY-058): from own land, and from own units on the map by their search range;
nobody aboard a ship searches. Sight of warships is from own cells of any kind, until ships search (NAVY-020).
"""

from __future__ import annotations

from typing import Any

from hakoenv.engine import hexgrid, territory
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
UNITS = 0  # rows of what `watch_all` writes
WARSHIPS = 1


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
    return found if sees_units(world, rules, viewer, cell) else int(NOTHING)


@kernel
def ship(world: World, rules: Rules, viewer: int, cell: int) -> int:
    """Index of the ship lying there, -1 none or none seen; only warships hide."""
    found = int(world.cells.flat[cell].ship)
    if found < 0 or viewer == TRUTH or world.ships[found].owner == viewer:
        return found
    if not hides(world, found) or sees_warships(world, rules, viewer, cell):
        return found
    return int(NOTHING)


@kernel
def hides(world: World, ship: int) -> bool:
    """Whether a ship is a warship, which others see only within sight (NAVY-020 .. NAVY-022)."""
    return bool(WARSHIP_FIRST <= world.ships[ship].kind <= WARSHIP_LAST)


@kernel
def sees_units(world: World, rules: Rules, viewer: int, cell: int) -> bool:
    """Whether a foreign unit on the cell is in sight of the viewer (ARMY-058)."""
    return viewer == TRUTH or (viewer >= 0 and (unit_watchers(world, rules, cell) >> viewer) & 1 == 1)


@kernel
def sees_warships(world: World, rules: Rules, viewer: int, cell: int) -> bool:
    """Whether a foreign warship on the cell is in sight of the viewer: on own cells and near them."""
    return viewer == TRUTH or (viewer >= 0 and (warship_watchers(world, rules, cell) >> viewer) & 1 == 1)


@kernel
def unit_watchers(world: World, rules: Rules, cell: int) -> int:
    """Whom `sees_units` is true of, one bit a nation: owners of land, and of units, that reach the cell."""
    cells = world.cells.flat
    height, width = world.cells.shape
    land = _land_search(rules)
    far = land
    for kind in range(rules.unit_types.shape[0]):
        far = max(far, _unit_search(rules, kind))
    found = distance = 0
    for k in range(hexgrid.disc_size(far)):
        distance += k == hexgrid.disc_size(distance)
        near = hexgrid.nth(width, height, cell, k)
        if near < 0:
            continue
        if distance <= land and cells[near].owner >= 0 and territory.is_land(world, rules, near):
            found |= 1 << int(cells[near].owner)
        if cells[near].unit >= 0:
            scout = world.units[cells[near].unit]
            if distance <= _unit_search(rules, scout.type):
                found |= 1 << int(scout.owner)
    return found


@kernel
def warship_watchers(world: World, rules: Rules, cell: int) -> int:
    """Whom `sees_warships` is true of, one bit a nation: for all nations at the price of one."""
    cells = world.cells.flat
    height, width = world.cells.shape
    found = 0
    for k in range(hexgrid.disc_size(_land_search(rules))):
        near = hexgrid.nth(width, height, cell, k)
        if near >= 0 and cells[near].owner >= 0:
            found |= 1 << int(cells[near].owner)
    return found


@kernel(allocates=True)
def watch_all(world: World, rules: Rules, watch: Any) -> None:
    """Write who sees what stands on each cell into ``watch`` (2, H * W) int64, one bit a nation.

    Row `UNITS` is `unit_watchers`, row `WARSHIPS` `warship_watchers` of every cell: each owned cell and each
    unit tells those near it, so that the price goes with what there is.
    """
    cells = world.cells.flat
    height, width = world.cells.shape
    size = hexgrid.disc_size(_land_search(rules))
    watch[:] = 0
    for i in range(world.cells.size):
        owner = int(cells[i].owner)
        if owner >= 0:
            on_land = territory.is_land(world, rules, i)
            for k in range(size):
                near = hexgrid.nth(width, height, i, k)
                if near >= 0:
                    watch[WARSHIPS, near] |= 1 << owner
                    if on_land:
                        watch[UNITS, near] |= 1 << owner
        if cells[i].unit >= 0:
            scout = world.units[cells[i].unit]
            for k in range(hexgrid.disc_size(_unit_search(rules, scout.type))):
                near = hexgrid.nth(width, height, i, k)
                if near >= 0:
                    watch[UNITS, near] |= 1 << int(scout.owner)


@kernel
def _land_search(rules: Rules) -> int:
    """How far an own cell sees (`army.land_cell_search`)."""
    return int(min(rules.scalars[0].army_land_cell_search, hexgrid.MAX_RADIUS))


@kernel
def _unit_search(rules: Rules, kind: int) -> int:
    """How far a unit of a type sees."""
    return int(min(rules.unit_types[kind].search_range, hexgrid.MAX_RADIUS))
