"""Units and ships: one's own, and those of others in sight or remembered.

Lists go by the map, never by the engine's own numbering of units and ships: how many others exist,
and when they were made, must not show.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine import hexgrid, view
from hakoenv.engine.codes import terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import troops
from hakoenv.engine.navy import hulls, vessels
from hakoenv.engine.world import CORPS_COUNT, SIGHTINGS, World, corps_dtype, ship_dtype, unit_dtype
from hakoenv.obs.arrays import Arrays, Scratch, common, copier, fit, place_of
from hakoenv.obs.pieces import corps_record, ship_record, unit_record
from hakoenv.ruleset.compiled import Rules

_INT16 = 32_767
_MONSTER_NEAR = 3  # cells from own ones within which a monster is of interest
_copy_unit = copier(common(unit_record, unit_dtype))
_copy_ship = copier(common(ship_record, ship_dtype))
_copy_corps = copier(common(corps_record, corps_dtype))


@kernel
def find_occupied(world: World, scratch: Scratch) -> int:
    """Note every cell with a unit, ship or monster, and to whom it is news; their number.

    That is who sees a foreign unit or warship there, or has cells near a monster.
    """
    cells = world.cells.flat
    found = 0
    for i in range(world.cells.size):
        unit, ship = int(cells[i].unit), int(cells[i].ship)
        monster = cells[i].terrain == terrain.MONSTER
        if unit < 0 and ship < 0 and not monster:
            continue
        concerned = 0
        if unit >= 0:
            concerned |= _others(int(scratch.watch[view.UNITS, i]), world.units[unit].owner)
        if ship >= 0 and view.hides(world, ship):
            concerned |= _others(int(scratch.watch[view.WARSHIPS, i]), world.ships[ship].owner)
        if monster:
            concerned |= _owners_near(world, i)
        scratch.occupied[found, 0] = i
        scratch.occupied[found, 1] = concerned
        found += 1
    return found


@kernel
def _others(nations: int, owner: int) -> int:
    """A set of nations, one bit each, without the owner."""
    return nations & ~(1 << int(owner)) if owner >= 0 else nations


@kernel
def _owners_near(world: World, cell: int) -> int:
    """Who owns cells near a cell, one bit a nation."""
    height, width = world.cells.shape
    found = 0
    for k in range(hexgrid.disc_size(_MONSTER_NEAR)):
        near = hexgrid.nth(width, height, cell, k)
        if near >= 0 and world.cells.flat[near].owner >= 0:
            found |= 1 << int(world.cells.flat[near].owner)
    return found


@kernel(inline=True)
def seen_unit(world: World, n: int, cell: int, watch: NDArray[np.int64]) -> int:
    """As `view.unit`, by the watch over the whole map."""
    found = int(world.cells.flat[cell].unit)
    if found >= 0 and (world.units[found].owner == n or (watch[view.UNITS, cell] >> n) & 1):
        return found
    return -1


@kernel(inline=True)
def seen_ship(world: World, n: int, cell: int, watch: NDArray[np.int64]) -> int:
    """As `view.ship`, by the watch over the whole map."""
    found = int(world.cells.flat[cell].ship)
    if found < 0 or world.ships[found].owner == n or not view.hides(world, found):
        return found
    return found if (watch[view.WARSHIPS, cell] >> n) & 1 else -1


@kernel
def fill_things(world: World, rules: Rules, n: int, out: Arrays, scratch: Scratch, occupied: int) -> None:
    """The units, corps and ships that nation ``n`` has, and what it sees or remembers of others."""
    if world.nations[n].alive:
        for k in range(CORPS_COUNT):
            _copy_corps(world.corps[n, k], out.corps[n, k])
    _fill_own(world, rules, n, out, scratch, occupied)
    _fill_sightings(world, n, out)


@kernel
def _fill_own(world: World, rules: Rules, n: int, out: Arrays, scratch: Scratch, occupied: int) -> None:
    """Own units and ships on the map, in map order."""
    cells = world.cells.flat
    width = world.cells.shape[1]
    units = ships = 0
    for k in range(occupied):
        cell = scratch.occupied[k, 0]
        unit, ship = int(cells[cell].unit), int(cells[cell].ship)
        if unit >= 0 and world.units[unit].owner == n:
            if units < out.units.shape[1]:
                there = out.units[n, units]
                there.listed, there.x, there.y = 1, cell % width, cell // width
                _copy_unit(world.units[unit], there)
                there.level = troops.level(rules, world.units[unit].experience)
            _count_in_corps(world.units[unit], out.corps[n])
            units += 1
        if ship >= 0 and world.ships[ship].owner == n:
            if ships < out.ships.shape[1]:
                afloat = out.ships[n, ships]
                afloat.listed, afloat.x, afloat.y = 1, cell % width, cell // width
                afloat.ship_class = world.ships[ship].kind
                _copy_ship(world.ships[ship], afloat)
                afloat.speed = fit(vessels.speed(world, rules, ship), _INT16)
                most = hulls.most_hp(rules, int(world.ships[ship].kind), int(world.ships[ship].experience))
                afloat.hp_max = fit(most, _INT16)
                fleet = int(world.ships[ship].fleet)
                afloat.flagship = int(fleet >= 0 and world.fleets[n, fleet].flagship == ship)
            ships += 1
    row = out.counts[n]
    row.units = min(units, out.units.shape[1])
    row.units_left_out = units - row.units
    row.ships = min(ships, out.ships.shape[1])
    row.ships_left_out = ships - row.ships
    if row.ships > 0:
        _count_aboard(world, n, out)


@kernel
def _count_in_corps(unit: Any, corps: Any) -> None:
    """Count a unit and its strength in its corps."""
    row = corps[unit.corps]
    row.units = fit(int(row.units) + 1, _INT16)
    row.strength = int(row.strength) + int(unit.strength)


@kernel
def _count_aboard(world: World, n: int, out: Arrays) -> None:
    """Count the own units aboard ships: in their corps, and with the listed ships."""
    width = world.cells.shape[1]
    for u in range(world.clock[0].units):
        unit = world.units[u]
        if unit.owner != n or unit.aboard < 0:
            continue
        _count_in_corps(unit, out.corps[n])
        cell = int(world.ships[unit.aboard].cell)
        for k in range(out.counts[n].ships):
            row = out.ships[n, k]
            if row.y * width + row.x == cell:
                row.units_aboard += 1
                row.strength_aboard = fit(int(row.strength_aboard) + int(unit.strength), _INT16)


@kernel
def _fill_sightings(world: World, n: int, out: Arrays) -> None:
    """Foreign units and warships where they were seen last, the freshest first, then in map order."""
    width = world.cells.shape[1]
    turn = int(world.clock[0].turn)
    count = 0
    for k in range(SIGHTINGS):
        seen = world.sightings[n, k]
        if seen.what == 0:
            continue
        age = fit(turn - int(seen.turn), _INT16)
        place = count
        while place > 0 and _is_behind(out.sightings[n, place - 1], width, age, seen.cell, seen.what):
            out.sightings[n, place] = out.sightings[n, place - 1]
            place -= 1
        row = out.sightings[n, place]
        row.what = seen.what
        row.owner = place_of(seen.owner, n, world.nations.shape[0])
        row.x = seen.cell % width
        row.y = seen.cell // width
        row.type = seen.type
        row.strength = seen.strength
        row.age = age
        count += 1
    out.counts[n].sightings = count


@kernel
def _is_behind(row: Any, width: int, age: int, cell: int, what: int) -> bool:
    """Whether an entry comes after one of that age, cell and kind."""
    at = int(row.y) * width + int(row.x)
    if row.age != age:
        return bool(row.age > age)
    return at > cell or (at == cell and row.what > what)
