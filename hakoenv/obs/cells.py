"""The list of cells of interest, and what a nation knows of each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine import hexgrid, view
from hakoenv.engine.codes import terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import PLAN_LENGTH, SIGHTINGS, World
from hakoenv.obs.arrays import Arrays, Scratch, copier, fit, place_of
from hakoenv.ruleset.codes import TARGET_KINDS
from hakoenv.ruleset.compiled import Rules

_INT16 = 32_767
_NO_ROOM = -1
_ON_A_CELL = tuple(kind.endswith(("cell", "ship")) for kind in TARGET_KINDS)
_copy_public = copier(("population", "climate", "tunnel"))
_copy_own = copier(("richness", "pile", "resistance", "experience", "hits", "worked"))


@kernel
def fill_cells(
    world: World, rules: Rules, all_cells: bool, n: int, out: Arrays, scratch: Scratch, occupied: int
) -> None:
    """Choose the cells of nation ``n``, and write what it knows of them if the view is wanted."""
    if all_cells:
        _list_all_cells(world, n, out, scratch)
    else:
        _list_cells(world, rules, n, out, scratch, occupied)
    if out.cells.shape[1] > 0:
        _describe_cells(world, rules, n, out, scratch)
    if not all_cells:
        _forget_list(n, out, scratch)


@kernel
def _list_cells(world: World, rules: Rules, n: int, out: Arrays, scratch: Scratch, occupied: int) -> None:
    """Choose the cells of nation ``n`` and note them in `cell_index`.

    In this order, as long as there is room: the capital; own cells, up to three quarters of the places
    (a nation with more sees another stretch of them each turn); land beside them; own units and ships
    elsewhere; foreign units and warships in sight, then those remembered; cells that the plan names;
    water beside own cells; the other own cells. The dead have none.
    """
    nation = world.nations[n]
    marks = scratch.marks
    counts = out.counts[n]
    counts.cells = counts.cells_left_out = 0
    if nation.alive:
        first, held = int(nation.first), int(nation.held)
        if nation.capital >= 0 and world.cells.flat[nation.capital].owner == n:
            _add(n, nation.capital, out, marks)
        most = out.cell_index.shape[1] * 3 // 4
        start = (int(world.clock[0].turn) * most) % held if held > most else 0
        for k in range(min(held, most)):
            _add(n, world.territory[first + (start + k) % held], out, marks)
        own = int(counts.cells)
        wet = _add_land_beside(world, rules, n, own, out, scratch)
        _add_things(world, n, out, scratch, occupied)
        for k in range(SIGHTINGS):
            if world.sightings[n, k].what > 0:
                _add(n, world.sightings[n, k].cell, out, marks)
        for k in range(min(int(nation.plan_length), PLAN_LENGTH)):
            target = target_of(world, rules, n, k)
            if target >= 0:
                _add(n, target, out, marks)
        for k in range(wet):
            _add(n, scratch.shore[k], out, marks)
        for k in range(min(held, most), held):
            _add(n, world.territory[first + (start + k) % held], out, marks)
    for k in range(counts.cells, out.cell_index.shape[1]):
        out.cell_index[n, k] = -1


@kernel
def _forget_list(n: int, out: Arrays, scratch: Scratch) -> None:
    """Take back the marks of the nation's list, which is cheaper than to clear the map for each nation."""
    if out.counts[n].cells_left_out > 0:
        scratch.marks[:] = 0
    for k in range(out.counts[n].cells):
        scratch.marks[out.cell_index[n, k]] = 0


@kernel
def _list_all_cells(world: World, n: int, out: Arrays, scratch: Scratch) -> None:
    """Note every cell of the map, in map order, for a list that has room for all."""
    for i in range(world.cells.size):
        out.cell_index[n, i] = i
        scratch.marks[i] = i + 1
    out.counts[n].cells = world.cells.size
    out.counts[n].cells_left_out = 0


@kernel(inline=True)
def _add(n: int, cell: int, out: Arrays, marks: NDArray[np.int32]) -> None:
    """Put a cell at the end of the list, unless it is there or there is no room."""
    if marks[cell] != 0:
        return
    counts = out.counts[n]
    if counts.cells >= out.cell_index.shape[1]:
        marks[cell] = _NO_ROOM
        counts.cells_left_out += 1
        return
    out.cell_index[n, counts.cells] = cell
    counts.cells += 1
    marks[cell] = counts.cells


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
            if cells[near].terrain == terrain.SEA or view.terrain(world, rules, n, near) == terrain.SEA:
                scratch.shore[wet] = near
                wet += 1
            else:
                _add(n, near, out, scratch.marks)
    return wet


@kernel(inline=True)
def _add_things(world: World, n: int, out: Arrays, scratch: Scratch, occupied: int) -> None:
    """Add cells with own units and ships, then those where foreign units or warships are in sight."""
    cells = world.cells.flat
    for k in range(occupied):
        cell = scratch.occupied[k, 0]
        unit, ship = int(cells[cell].unit), int(cells[cell].ship)
        if (unit >= 0 and world.units[unit].owner == n) or (ship >= 0 and world.ships[ship].owner == n):
            _add(n, cell, out, scratch.marks)
    for k in range(occupied):
        if (scratch.occupied[k, 1] >> n) & 1:
            _add(n, scratch.occupied[k, 0], out, scratch.marks)


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
def _describe_cells(world: World, rules: Rules, n: int, out: Arrays, scratch: Scratch) -> None:
    """Write what the nation knows of each listed cell."""
    listed = int(out.counts[n].cells)
    for k in range(listed):
        _describe(world, rules, n, k, out)
        _look_around(world, rules, n, k, out)
    for k in range(min(int(world.nations[n].plan_length), PLAN_LENGTH)):
        target = target_of(world, rules, n, k)
        if target >= 0 and scratch.marks[target] > 0:
            row = out.cells[n, scratch.marks[target] - 1]
            if row.planned == 0:
                row.planned = k + 1


@kernel(inline=True)
def _describe(world: World, rules: Rules, n: int, k: int, out: Arrays) -> None:
    """The ground of a cell, its owner, and what stands on it."""
    cell = int(out.cell_index[n, k])
    place = world.cells.flat[cell]
    width = world.cells.shape[1]
    nation = world.nations[n]
    seats = world.nations.shape[0]
    row = out.cells[n, k]
    ground = view.terrain(world, rules, n, cell)
    base = base_of(ground, place.below)
    owner = view.owner(world, rules, n, cell)
    row.listed = 1
    row.y = cell // width
    row.x = cell % width
    row.terrain = ground
    row.base = base
    row.land = int(rules.terrains[base].counts_as_land == 1)
    row.owner = place_of(owner, n, seats)
    row.own = int(owner == n)
    if owner >= 0:
        row.foreign = int(owner != n)
        row.relation = world.relations[n, owner].state
    row.level = fit(view.level(world, rules, n, cell), _INT16)
    row.deposit = view.deposit(world, rules, n, cell)
    row.weather = world.clock[0].weather[place.climate]
    _copy_public(place, row)
    if nation.alive == 1 and nation.capital >= 0:
        row.capital = int(nation.capital == cell)
        row.distance = hexgrid.distance(width, nation.capital, cell)
    in_sight = view.sees_cell(world, rules, n, cell)
    row.in_sight = int(in_sight)
    row.unit_owner = row.unit_type = -1
    row.ship_owner = -2
    unit = view.unit(world, rules, n, cell)
    if unit >= 0:
        row.unit_owner = place_of(world.units[unit].owner, n, seats)
        row.unit_type = world.units[unit].type
        row.unit_strength = world.units[unit].strength
    ship = view.ship(world, rules, n, cell)
    if ship >= 0:
        row.ship_owner = place_of(world.ships[ship].owner, n, seats)
        row.ship_class = world.ships[ship].kind
        if in_sight or world.ships[ship].owner == n:
            row.ship_hp = world.ships[ship].hp
    row.survey_age = -1
    if place.owner == n:
        _copy_own(place, row)
        if place.surveyed > 0:
            row.survey_age = fit(int(world.clock[0].turn) - int(place.surveyed), _INT16)


@kernel(inline=True)
def _look_around(world: World, rules: Rules, n: int, k: int, out: Arrays) -> None:
    """Count what lies around a cell."""
    cells = world.cells.flat
    height, width = world.cells.shape
    cell = int(out.cell_index[n, k])
    own = foreign = free = water = mountains = 0
    for d in range(1, 7):
        near = hexgrid.nth(width, height, cell, d)
        if near < 0:
            continue
        ground = view.terrain(world, rules, n, near)
        owner = view.owner(world, rules, n, near)
        own += owner == n
        foreign += owner >= 0 and owner != n
        free += owner < 0 and rules.terrains[base_of(ground, cells[near].below)].counts_as_land == 1
        water += ground == terrain.SEA or ground == terrain.SHALLOWS
        mountains += ground == terrain.MOUNTAIN
    row = out.cells[n, k]
    row.own_beside = own
    row.foreign_beside = foreign
    row.free_land_beside = free
    row.water_beside = water
    row.mountains_beside = mountains


@kernel
def base_of(ground: int, below: int) -> int:
    """What an oil field or a monster stands on, else the terrain itself (MAP-015)."""
    return below if ground == terrain.OFFSHORE_OIL or ground == terrain.MONSTER else ground
