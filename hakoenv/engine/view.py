"""What a nation can know of a cell: the lens that masks and observations look through.

``viewer`` is a nation's number, or ``TRUTH`` inside the turn, which sees everything. Public by rule
are terrain with its disguises (MAP-025, MAP-026), owner, deposits, level and population of what is
not disguised, merchants, cruise ships and pirates; foreign units and warships only within sight.

Sight of units is the army's (ARMY-058): from own land, and from own units on the map by their search range;
nobody aboard a ship searches. Sight of warships and mines is from own cells of any kind by
`army.land_cell_search`, and by the search ranges of ships, naval ports and lighthouses (NAVY-017, NAVY-020).
A ship out of sight looks like sea even over shallows, so all shallows out of sight do: what is shown tells
nothing of what hides there.
"""

from __future__ import annotations

from typing import Any

from hakoenv.engine import hexgrid, territory
from hakoenv.engine.codes import deposit as deposit_code
from hakoenv.engine.codes import ship_class
from hakoenv.engine.codes import terrain as terrain_code
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

TRUTH = -1
NOBODY = -1
NOTHING = -1
UNITS = 0  # rows of what `watch_all` writes
WARSHIPS = 1


@kernel
def knows(world: World, viewer: int, cell: int) -> bool:
    """Whether the viewer sees the ground of a cell as it is: the truth does, and its owner (MAP-027)."""
    return viewer == TRUTH or world.cells.flat[cell].owner == viewer


@kernel
def terrain(world: World, rules: Rules, viewer: int, cell: int) -> int:
    """Terrain number as seen: foreign military sites look like forest or sea (MAP-025, MAP-026).

    Foreign mines and all shallows look like sea where no warship would be seen (NMINE-012, NAVY-020).
    """
    return terrain_watched(world, rules, viewer, cell, _watchers(world, rules, viewer, cell))


@kernel
def terrain_watched(world: World, rules: Rules, viewer: int, cell: int, watchers: int) -> int:
    """`terrain` for who has the cell's `warship_watchers` from `watch_all`: cheaper where cells are many."""
    ground = int(world.cells.flat[cell].terrain)
    if not _is_disguised(world, rules, viewer, cell, watchers):
        return ground
    return int(terrain_code.SEA) if looks_like_sea(ground) else int(rules.terrains[ground].disguise)


@kernel
def is_disguised(world: World, rules: Rules, viewer: int, cell: int) -> bool:
    """Whether the viewer sees another terrain than lies there."""
    return _is_disguised(world, rules, viewer, cell, _watchers(world, rules, viewer, cell))


@kernel
def _is_disguised(world: World, rules: Rules, viewer: int, cell: int, watchers: int) -> bool:
    ground = int(world.cells.flat[cell].terrain)
    if looks_like_sea(ground):
        return not knows(world, viewer, cell) and (viewer < 0 or (watchers >> viewer) & 1 == 0)
    return rules.terrains[ground].disguise >= 0 and not knows(world, viewer, cell)


@kernel
def _watchers(world: World, rules: Rules, viewer: int, cell: int) -> int:
    """The viewer's bit if it would see a warship on a cell whose looks depend on that; else nobody's."""
    if viewer < 0 or not looks_like_sea(int(world.cells.flat[cell].terrain)):
        return 0
    return int(sees_warships(world, rules, viewer, cell)) << viewer


@kernel
def looks_like_sea(ground: int) -> bool:
    """Whether a terrain looks like sea to who would not see a warship there."""
    return bool(ground == terrain_code.SHALLOWS or ground == terrain_code.NAVAL_MINE)


@kernel
def owner(world: World, rules: Rules, viewer: int, cell: int) -> int:
    """Owner as seen, -1 nobody: what is disguised as sea has none (MAP-027)."""
    found = int(world.cells.flat[cell].owner)
    if found < 0 or found == viewer or terrain(world, rules, viewer, cell) != terrain_code.SEA:
        return found
    return int(NOBODY)


@kernel
def level(world: World, rules: Rules, viewer: int, cell: int) -> int:
    """Level as seen: forests that are not the viewer's, real or disguised, all show 0 (MAP-027)."""
    return level_watched(world, rules, viewer, cell, _watchers(world, rules, viewer, cell))


@kernel
def level_watched(world: World, rules: Rules, viewer: int, cell: int, watchers: int) -> int:
    """`level`, as `terrain_watched`."""
    place = world.cells.flat[cell]
    if place.terrain == terrain_code.FOREST and not knows(world, viewer, cell):
        return 0
    return 0 if _is_disguised(world, rules, viewer, cell, watchers) else int(place.level)


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
    if is_met(world.units[found].met, viewer) or sees_units(world, rules, viewer, cell):
        return found
    return int(NOTHING)


@kernel
def ship(world: World, rules: Rules, viewer: int, cell: int) -> int:
    """Index of the ship lying there, -1 none or none seen; only warships hide."""
    found = int(world.cells.flat[cell].ship)
    if found < 0 or viewer == TRUTH or world.ships[found].owner == viewer:
        return found
    if not hides(world, found) or is_met(world.ships[found].met, viewer):
        return found
    return found if sees_warships(world, rules, viewer, cell) else int(NOTHING)


@kernel
def is_met(met: int, viewer: int) -> bool:
    """Whether a ship of the viewer has run into something in this turn, by its field `met` (NAVY-097)."""
    return bool(viewer >= 0 and (met >> viewer) & 1 == 1)


@kernel
def hides(world: World, ship: int) -> bool:
    """Whether a ship is a warship, which others see only within sight (NAVY-020 .. NAVY-022)."""
    return is_warship(int(world.ships[ship].kind))


@kernel
def is_warship(kind: int) -> bool:
    """Whether a ship class is a warship's (NAVY-002)."""
    return bool(ship_class.FIRST_WARSHIP <= kind <= ship_class.LAST_WARSHIP)


@kernel
def sees_units(world: World, rules: Rules, viewer: int, cell: int) -> bool:
    """Whether a foreign unit on the cell is in sight of the viewer (ARMY-058)."""
    if viewer < 0:
        return viewer == TRUTH
    wanted = 1 << viewer
    return _find_unit_watchers(world, rules, cell, wanted) & wanted != 0


@kernel
def sees_warships(world: World, rules: Rules, viewer: int, cell: int) -> bool:
    """Whether a foreign warship or mine on the cell is in sight of the viewer (NAVY-020, NMINE-012)."""
    if viewer < 0:
        return viewer == TRUTH
    wanted = 1 << viewer
    return _find_warship_watchers(world, rules, cell, wanted) & wanted != 0


@kernel
def unit_watchers(world: World, rules: Rules, cell: int) -> int:
    """Whom `sees_units` is true of, one bit a nation: owners of land, and of units, that reach the cell."""
    return _find_unit_watchers(world, rules, cell, 0)


@kernel
def warship_watchers(world: World, rules: Rules, cell: int) -> int:
    """Whom `sees_warships` is true of, one bit a nation: for all nations at the price of one."""
    return _find_warship_watchers(world, rules, cell, 0)


@kernel
def _find_unit_watchers(world: World, rules: Rules, cell: int, wanted: int) -> int:
    """Who sees units on a cell, from the nearest on; the search ends with the nation of the bit wanted."""
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
        if found & wanted:
            break
    return found


@kernel
def _find_warship_watchers(world: World, rules: Rules, cell: int, wanted: int) -> int:
    """Who sees warships on a cell, likewise."""
    cells = world.cells.flat
    height, width = world.cells.shape
    found = distance = 0
    for k in range(hexgrid.disc_size(_farthest_search(rules))):
        distance += k == hexgrid.disc_size(distance)
        near = hexgrid.nth(width, height, cell, k)
        if near < 0:
            continue
        holder = int(cells[near].owner)
        if holder >= 0 and distance <= _ground_search(rules, int(cells[near].terrain)):
            found |= 1 << holder
        if cells[near].ship >= 0:
            scout = world.ships[cells[near].ship]
            if scout.owner >= 0 and distance <= _ship_search(rules, int(scout.kind)):
                found |= 1 << int(scout.owner)
        if found & wanted:
            break
    return found


@kernel
def watch_all(world: World, rules: Rules, watch: Any) -> None:
    """Write who sees what stands on each cell into ``watch`` (2, H * W) int64, one bit a nation.

    Row `UNITS` is `unit_watchers`, row `WARSHIPS` `warship_watchers` of every cell: each owned cell, unit and
    ship tells those near it, so that the price goes with what there is.
    """
    cells = world.cells.flat
    land = _land_search(rules)
    watch[:] = 0
    for i in range(world.cells.size):
        owner = int(cells[i].owner)
        if owner >= 0:
            reach = _ground_search(rules, int(cells[i].terrain))
            _watch_disc(world, watch, WARSHIPS, i, reach, owner)
            if territory.is_land(world, rules, i):
                _watch_disc(world, watch, UNITS, i, land, owner)
        if cells[i].unit >= 0:
            scout = world.units[cells[i].unit]
            _watch_disc(world, watch, UNITS, i, _unit_search(rules, scout.type), int(scout.owner))
    for s in range(world.clock[0].ships):
        ship = world.ships[s]
        if ship.kind > 0 and ship.owner >= 0:
            reach = _ship_search(rules, int(ship.kind))
            _watch_disc(world, watch, WARSHIPS, int(ship.cell), reach, int(ship.owner))


@kernel
def _watch_disc(world: World, watch: Any, row: int, cell: int, radius: int, nation: int) -> None:
    """A nation watches all cells within a radius, row by row of the map."""
    height, width = world.cells.shape
    y = cell // width
    x = cell - y * width
    for dy in range(max(-radius, -y), min(radius, height - 1 - y) + 1):
        first = hexgrid.first_in_row(x, y, radius, dy)
        last = first + 2 * radius - abs(dy)
        start = (y + dy) * width
        for near in range(start + max(first, 0), start + min(last, width - 1) + 1):
            watch[row, near] |= 1 << nation


@kernel
def _land_search(rules: Rules) -> int:
    """How far an own cell sees (`army.land_cell_search`)."""
    return int(min(rules.scalars[0].army_land_cell_search, hexgrid.MAX_RADIUS))


@kernel
def _unit_search(rules: Rules, kind: int) -> int:
    """How far a unit of a type sees."""
    return int(min(rules.unit_types[kind].search_range, hexgrid.MAX_RADIUS))


@kernel
def _ground_search(rules: Rules, ground: int) -> int:
    """How far an own cell of a terrain sees warships and mines; a mine itself sees nothing."""
    if ground == terrain_code.NAVAL_MINE:
        return 0
    reach = rules.scalars[0].army_land_cell_search
    if ground == terrain_code.NAVAL_PORT:
        reach = max(reach, rules.ship_classes[ship_class.NAVAL_PORT].search_range)
    elif ground == terrain_code.LIGHTHOUSE:
        reach = max(reach, rules.scalars[0].lighthouse_search_range)
    return int(min(reach, hexgrid.MAX_RADIUS))


@kernel
def _ship_search(rules: Rules, kind: int) -> int:
    """How far a ship of a class sees (NAVY-017)."""
    return int(min(rules.ship_classes[kind].search_range, hexgrid.MAX_RADIUS))


@kernel
def _farthest_search(rules: Rules) -> int:
    """How far anything sees warships."""
    port, tower = int(terrain_code.NAVAL_PORT), int(terrain_code.LIGHTHOUSE)
    far = max(_ground_search(rules, port), _ground_search(rules, tower))
    for kind in range(1, rules.ship_classes.shape[0]):
        far = max(far, _ship_search(rules, kind))
    return int(far)
