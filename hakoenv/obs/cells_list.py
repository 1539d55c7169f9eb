"""Which cells a nation is told of where there is no room for the whole map: those of interest to it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine import hexgrid, view
from hakoenv.engine.codes import relation, terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.missiles import bases
from hakoenv.engine.world import PLAN_LENGTH, World
from hakoenv.obs import cells_navy
from hakoenv.obs.arrays import Arrays, Scratch, add
from hakoenv.ruleset.codes import TARGET_KINDS
from hakoenv.ruleset.compiled import Rules

_ON_A_CELL = tuple(kind.endswith(("cell", "ship")) for kind in TARGET_KINDS)
_AROUND_UNITS = 2  # steps around own units that are of interest


@kernel
def choose(world: World, rules: Rules, n: int, out: Arrays, scratch: Scratch, occupied: int) -> None:
    """Choose the cells of nation ``n`` and note them in `cell_index`.

    In this order, as long as there is room: the capital; own cells, up to three quarters of the places
    (a nation with more sees another stretch of them each turn); land beside them; own units and ships
    elsewhere; foreign units and warships in sight, and monsters near the own cells; what is remembered of
    units and warships; cells that the plan names; what is of interest at sea (`cells_navy`); what lies within
    a step of own units, then within two; what own missiles reach; what lies within a step of own ships; water
    beside own cells; the other own cells. The dead have none.
    """
    nation = world.nations[n]
    marks = scratch.marks
    counts = out.counts[n]
    counts.cells = counts.cells_left_out = 0
    if nation.alive:
        first, held = int(nation.first), int(nation.held)
        if nation.capital >= 0 and world.cells.flat[nation.capital].owner == n:
            add(n, nation.capital, out, marks)
        most = out.cell_index.shape[1] * 3 // 4
        start = (int(world.clock[0].turn) * most) % held if held > most else 0
        for k in range(min(held, most)):
            add(n, world.territory[first + (start + k) % held], out, marks)
        own = int(counts.cells)
        wet = _add_land_beside(world, rules, n, own, out, scratch)
        _add_things(world, n, out, scratch, occupied)
        for k in range(counts.sightings):  # in their own order: that of the memory tells too much
            seen = out.sightings[n, k]
            add(n, int(seen.y) * world.cells.shape[1] + int(seen.x), out, marks)
        for k in range(min(int(nation.plan_length), PLAN_LENGTH)):
            target = target_of(world, rules, n, k)
            if target >= 0:
                add(n, target, out, marks)
        cells_navy.add_goals(world, rules, n, out, scratch, occupied)
        for distance in range(1, _AROUND_UNITS + 1):
            _add_ring_of_units(world, rules, n, distance, out, scratch, occupied)
        _add_targets(world, rules, n, out, scratch, occupied)
        cells_navy.add_around_ships(world, n, out, scratch, occupied)
        for k in range(wet):
            add(n, scratch.shore[k], out, marks)
        for k in range(min(held, most), held):
            add(n, world.territory[first + (start + k) % held], out, marks)
    for k in range(counts.cells, out.cell_index.shape[1]):
        out.cell_index[n, k] = -1


@kernel
def forget(n: int, out: Arrays, scratch: Scratch) -> None:
    """Take back the marks of the nation's list, which is cheaper than to clear the map for each nation."""
    if out.counts[n].cells_left_out > 0:
        scratch.marks[:] = 0
    for k in range(out.counts[n].cells):
        scratch.marks[out.cell_index[n, k]] = 0


@kernel
def take_all(world: World, n: int, out: Arrays, scratch: Scratch) -> None:
    """Note every cell of the map, in map order, for a list that has room for all."""
    for i in range(world.cells.size):
        out.cell_index[n, i] = i
        scratch.marks[i] = i + 1
    out.counts[n].cells = world.cells.size
    out.counts[n].cells_left_out = 0


@kernel(inline=True)
def _add_land_beside(world: World, rules: Rules, n: int, own: int, out: Arrays, scratch: Scratch) -> int:
    """Add the land beside the own cells in the list, and note the water there; how much that is."""
    height, width = world.cells.shape
    cells = world.cells.flat
    wet = 0
    for k in range(own):
        cell = int(out.cell_index[n, k])
        for d in range(1, 7):
            near = hexgrid.nth(width, height, cell, d)
            if near < 0 or scratch.marks[near] != 0 or cells[near].owner == n:
                continue
            if _looks_like_sea(world, rules, n, near, scratch):
                scratch.shore[wet] = near
                wet += 1
            else:
                add(n, near, out, scratch.marks)
    return wet


@kernel(inline=True)
def _add_things(world: World, n: int, out: Arrays, scratch: Scratch, occupied: int) -> None:
    """Add cells with own units and ships, then those where foreign units or warships are in sight."""
    cells = world.cells.flat
    for k in range(occupied):
        cell = scratch.occupied[k, 0]
        unit, ship = int(cells[cell].unit), int(cells[cell].ship)
        if (unit >= 0 and world.units[unit].owner == n) or (ship >= 0 and world.ships[ship].owner == n):
            add(n, cell, out, scratch.marks)
    for k in range(occupied):
        if (scratch.occupied[k, 1] >> n) & 1:
            add(n, scratch.occupied[k, 0], out, scratch.marks)


@kernel(inline=True)
def _looks_like_sea(world: World, rules: Rules, n: int, cell: int, scratch: Scratch) -> bool:
    """Whether a cell is sea to the nation."""
    watchers = int(scratch.watch[view.WARSHIPS, cell])
    return bool(view.terrain_watched(world, rules, n, cell, watchers) == terrain.SEA)


@kernel
def _add_ring_of_units(
    world: World, rules: Rules, n: int, distance: int, out: Arrays, scratch: Scratch, occupied: int
) -> None:
    """Add the cells at a distance of own units, but the sea."""
    height, width = world.cells.shape
    for k in range(occupied):
        cell = int(scratch.occupied[k, 0])
        unit = int(world.cells.flat[cell].unit)
        if unit < 0 or world.units[unit].owner != n:
            continue
        for d in range(hexgrid.disc_size(distance - 1), hexgrid.disc_size(distance)):
            near = hexgrid.nth(width, height, cell, d)
            if near >= 0 and not _looks_like_sea(world, rules, n, near, scratch):
                add(n, near, out, scratch.marks)


@kernel
def _add_targets(world: World, rules: Rules, n: int, out: Arrays, scratch: Scratch, occupied: int) -> None:
    """Add what own missiles reach: cells of nations at war with the own one, and monsters.

    What only ballistic ones reach comes after the rest.
    """
    found = _note_bases(world, rules, n, scratch.bases)
    if found == 0:
        return
    seats = world.nations.shape[0]
    for more in (0, int(rules.scalars[0].missile_ballistic_range_bonus)):
        for place in range(1, seats):
            enemy = (n + place) % seats
            if world.relations[n, enemy].state != relation.WAR:
                continue
            first = int(world.nations[enemy].first)
            for k in range(first, first + int(world.nations[enemy].held)):
                cell = int(world.territory[k])
                seen = view.owner(world, rules, n, cell) == enemy
                if seen and _reach(world, scratch.bases, found, cell, more):
                    add(n, cell, out, scratch.marks)
        for k in range(occupied):
            cell = int(scratch.occupied[k, 0])
            monster = world.cells.flat[cell].terrain == terrain.MONSTER
            if monster and _reach(world, scratch.bases, found, cell, more):
                add(n, cell, out, scratch.marks)


@kernel
def _note_bases(world: World, rules: Rules, n: int, noted: NDArray[np.int32]) -> int:
    """Note cell and range of each own missile base in ``noted`` (places, 2); their number."""
    nation = world.nations[n]
    found = 0
    for k in range(nation.first, nation.first + nation.held):
        cell = int(world.territory[k])
        cells, shots = bases.reach(world, rules, cell)
        if shots > 0:
            noted[found, 0] = cell
            noted[found, 1] = cells
            found += 1
    return found


@kernel
def _reach(world: World, noted: NDArray[np.int32], found: int, cell: int, more: int) -> bool:
    """Whether one of the noted bases reaches a cell, with ``more`` cells of range."""
    for k in range(found):
        if hexgrid.distance(world.cells.shape[1], noted[k, 0], cell) <= noted[k, 1] + more:
            return True
    return False


@kernel
def target_of(world: World, rules: Rules, n: int, k: int) -> int:
    """The cell that the k-th command of the plan names, -1 none."""
    order = world.plans[n, k]
    height, width = world.cells.shape
    if not (0 <= order.command < rules.commands.shape[0]):
        return -1
    if not _ON_A_CELL[rules.commands[order.command].target]:
        return -1
    if not (0 <= order.x < width and 0 <= order.y < height):
        return -1
    return int(order.y) * width + int(order.x)


@kernel
def base_of(ground: int, below: int) -> int:
    """What an oil field or a monster stands on, else the terrain itself (MAP-015)."""
    return below if ground == terrain.OFFSHORE_OIL or ground == terrain.MONSTER else ground
