"""Units and ships: one's own, and those of others in sight or remembered.

Lists go by the map, never by the engine's own numbering of units and ships: how many others exist,
and when they were made, must not show.
"""

from __future__ import annotations

from typing import Any

from hakoenv.engine import view
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import SIGHTINGS, World, ship_dtype, unit_dtype
from hakoenv.obs.arrays import Arrays, Scratch, common, copier, fit, place_of
from hakoenv.obs.pieces import ship_record, unit_record
from hakoenv.ruleset.compiled import Rules

_INT16 = 32_767
_copy_unit = copier(common(unit_record, unit_dtype))
_copy_ship = copier(common(ship_record, ship_dtype))


@kernel
def find_occupied(world: World, rules: Rules, scratch: Scratch) -> int:
    """Note every cell with a unit or ship, and who sees a foreign unit or warship there; their number."""
    cells = world.cells.flat
    found = 0
    for i in range(world.cells.size):
        unit, ship = int(cells[i].unit), int(cells[i].ship)
        if unit < 0 and ship < 0:
            continue
        seen = 0
        if unit >= 0:
            seen |= _watchers_of(world, rules, i, world.units[unit].owner)
        if ship >= 0 and view.WARSHIP_FIRST <= world.ships[ship].kind <= view.WARSHIP_LAST:
            seen |= _watchers_of(world, rules, i, world.ships[ship].owner)
        scratch.occupied[found, 0] = i
        scratch.occupied[found, 1] = seen
        found += 1
    return found


@kernel
def _watchers_of(world: World, rules: Rules, cell: int, owner: int) -> int:
    """Who sees what another nation has on the cell, one bit a nation."""
    watching = int(view.watchers(world, rules, cell))
    return watching & ~(1 << int(owner)) if owner >= 0 else watching


@kernel
def fill_things(world: World, n: int, out: Arrays, scratch: Scratch, occupied: int) -> None:
    """The units and ships that nation ``n`` has, sees or remembers."""
    _fill_own(world, n, out, scratch, occupied)
    _fill_sightings(world, n, out)


@kernel
def _fill_own(world: World, n: int, out: Arrays, scratch: Scratch, occupied: int) -> None:
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
            units += 1
        if ship >= 0 and world.ships[ship].owner == n:
            if ships < out.ships.shape[1]:
                afloat = out.ships[n, ships]
                afloat.listed, afloat.x, afloat.y = 1, cell % width, cell // width
                afloat.ship_class = world.ships[ship].kind
                _copy_ship(world.ships[ship], afloat)
            ships += 1
    row = out.counts[n]
    row.units = min(units, out.units.shape[1])
    row.units_left_out = units - row.units
    row.ships = min(ships, out.ships.shape[1])
    row.ships_left_out = ships - row.ships
    if row.ships > 0:
        _count_aboard(world, n, out)


@kernel
def _count_aboard(world: World, n: int, out: Arrays) -> None:
    """Count the own units aboard each listed ship."""
    width = world.cells.shape[1]
    for u in range(world.units.shape[0]):
        unit = world.units[u]
        if unit.owner != n or unit.aboard < 0:
            continue
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
