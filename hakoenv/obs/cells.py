"""What a nation knows of each cell in its list."""

from __future__ import annotations

from hakoenv.engine import hexgrid, view
from hakoenv.engine.codes import terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import monsters
from hakoenv.engine.missiles import bases
from hakoenv.engine.world import PLAN_LENGTH, World
from hakoenv.obs import cells_list
from hakoenv.obs.arrays import Arrays, Scratch, copier, fit, place_of
from hakoenv.obs.cells_things import seen_ship, seen_unit
from hakoenv.ruleset.compiled import Rules

_INT16 = 32_767
_copy_public = copier(("population", "climate", "tunnel"))
_copy_own = copier(("richness", "pile", "resistance", "experience", "hits", "worked"))


@kernel
def fill_cells(
    world: World, rules: Rules, all_cells: bool, n: int, out: Arrays, scratch: Scratch, occupied: int
) -> None:
    """Choose the cells of nation ``n``, and write what it knows of them if the view is wanted."""
    if all_cells:
        cells_list.take_all(world, n, out, scratch)
    else:
        cells_list.choose(world, rules, n, out, scratch, occupied)
    if out.cells.shape[1] > 0:
        _describe_cells(world, rules, n, out, scratch)
    if not all_cells:
        cells_list.forget(n, out, scratch)


@kernel
def _describe_cells(world: World, rules: Rules, n: int, out: Arrays, scratch: Scratch) -> None:
    """Write what the nation knows of each listed cell."""
    listed = int(out.counts[n].cells)
    for k in range(listed):
        _describe(world, rules, n, k, out, scratch)
        _look_around(world, rules, n, k, out, scratch)
    for k in range(min(int(world.nations[n].plan_length), PLAN_LENGTH)):
        target = cells_list.target_of(world, rules, n, k)
        if target >= 0 and scratch.marks[target] > 0:
            row = out.cells[n, scratch.marks[target] - 1]
            if row.planned == 0:
                row.planned = k + 1
    k = 0
    while scratch.wrecks[k, 1] > 0:
        place = scratch.marks[scratch.wrecks[k, 0]]
        if place > 0:
            out.cells[n, place - 1].wreck = scratch.wrecks[k, 1]
            out.cells[n, place - 1].wreck_age = fit(int(scratch.wrecks[k, 2]), _INT16)
        k += 1


@kernel(inline=True)
def _describe(world: World, rules: Rules, n: int, k: int, out: Arrays, scratch: Scratch) -> None:
    """The ground of a cell, its owner, and what stands on it."""
    cell = int(out.cell_index[n, k])
    place = world.cells.flat[cell]
    width = world.cells.shape[1]
    nation = world.nations[n]
    seats = world.nations.shape[0]
    row = out.cells[n, k]
    watchers = int(scratch.watch[view.WARSHIPS, cell])
    ground = view.terrain_watched(world, rules, n, cell, watchers)
    base = cells_list.base_of(ground, place.below)
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
    row.level = fit(view.level_watched(world, rules, n, cell, watchers), _INT16)
    row.deposit = view.deposit(world, rules, n, cell)
    row.weather = world.clock[0].weather[place.climate]
    _copy_public(place, row)
    if nation.alive == 1 and nation.capital >= 0:
        row.capital = int(nation.capital == cell)
        row.distance = hexgrid.distance(width, nation.capital, cell)
    row.monster = -1
    if ground == terrain.MONSTER:
        row.monster = monsters.kind_of(rules, int(place.level))
        row.monster_hp = monsters.hit_points(rules, int(place.level))
    row.taken_age = row.taken_from = -1
    if owner >= 0 and place.taken_turn > 0 and row.land == 1:  # what only looked like sea before is not told
        row.taken_age = fit(int(world.clock[0].turn) - int(place.taken_turn), _INT16)
        row.taken_from = place_of(place.taken_from, n, seats)
    _describe_things(world, n, k, out, scratch)
    row.survey_age = -1
    if place.owner == n:
        _copy_own(place, row)
        row.missile_range, row.missile_shots = bases.reach(world, rules, cell)
        if place.surveyed > 0:
            row.survey_age = fit(int(world.clock[0].turn) - int(place.surveyed), _INT16)


@kernel(inline=True)
def _describe_things(world: World, n: int, k: int, out: Arrays, scratch: Scratch) -> None:
    """The unit and the ship that the nation sees on a cell."""
    cell = int(out.cell_index[n, k])
    seats = world.nations.shape[0]
    row = out.cells[n, k]
    row.sees_units = (scratch.watch[view.UNITS, cell] >> n) & 1
    row.sees_warships = (scratch.watch[view.WARSHIPS, cell] >> n) & 1
    row.unit_owner = row.unit_type = -1
    row.ship_owner = -2
    row.wreck_age = -1
    unit = seen_unit(world, n, cell, scratch.watch)
    if unit >= 0:
        row.unit_owner = place_of(world.units[unit].owner, n, seats)
        row.unit_type = world.units[unit].type
        row.unit_strength = world.units[unit].strength
    ship = seen_ship(world, n, cell, scratch.watch)
    if ship >= 0:
        row.ship_owner = place_of(world.ships[ship].owner, n, seats)
        row.ship_class = world.ships[ship].kind
        if row.sees_warships == 1 or world.ships[ship].owner == n:
            row.ship_hp = world.ships[ship].hp


@kernel(inline=True)
def _look_around(world: World, rules: Rules, n: int, k: int, out: Arrays, scratch: Scratch) -> None:
    """Count what lies around a cell."""
    cells = world.cells.flat
    height, width = world.cells.shape
    cell = int(out.cell_index[n, k])
    own = foreign = free = water = mountains = 0
    for d in range(1, 7):
        near = hexgrid.nth(width, height, cell, d)
        if near < 0:
            continue
        ground = view.terrain_watched(world, rules, n, near, scratch.watch[view.WARSHIPS, near])
        owner = view.owner(world, rules, n, near)
        own += owner == n
        foreign += owner >= 0 and owner != n
        free += (
            owner < 0 and rules.terrains[cells_list.base_of(ground, cells[near].below)].counts_as_land == 1
        )
        water += ground == terrain.SEA or ground == terrain.SHALLOWS
        mountains += ground == terrain.MOUNTAIN
    row = out.cells[n, k]
    row.own_beside = own
    row.foreign_beside = foreign
    row.free_land_beside = free
    row.water_beside = water
    row.mountains_beside = mountains
