"""Units and ships: one's own, and those of others in sight or remembered.

Lists go by the map, never by the engine's own numbering of units and ships: how many others exist,
and when they were made, must not show.
"""

from __future__ import annotations

from typing import Any

from hakoenv.engine import view
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import SIGHTINGS, World
from hakoenv.obs.arrays import Arrays, Scratch, fit, place_of
from hakoenv.ruleset.compiled import Rules

_INT16 = 32_767


@kernel
def find_occupied(world: World, rules: Rules, scratch: Scratch) -> int:
    """Note every cell with a unit or ship, and who sees a foreign unit or warship there; their number."""
    cells = world.cells.reshape(-1)
    found = 0
    for i in range(cells.shape[0]):
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
    return watching & ~(1 << owner) if owner >= 0 else watching


@kernel
def fill_things(world: World, n: int, out: Arrays, scratch: Scratch, occupied: int) -> None:
    """Own units and ships on the map, in map order."""
    cells = world.cells.reshape(-1)
    units = ships = 0
    for k in range(occupied):
        cell = scratch.occupied[k, 0]
        unit, ship = int(cells[cell].unit), int(cells[cell].ship)
        if unit >= 0 and world.units[unit].owner == n:
            if units < out.units.shape[1]:
                _write_unit(world.units[unit], world.cells.shape[1], cell, out.units[n, units])
            units += 1
        if ship >= 0 and world.ships[ship].owner == n:
            if ships < out.ships.shape[1]:
                _write_ship(world, ship, cell, out.ships[n, ships])
            ships += 1
    row = out.counts[n]
    row.units = min(units, out.units.shape[1])
    row.units_left_out = units - row.units
    row.ships = min(ships, out.ships.shape[1])
    row.ships_left_out = ships - row.ships
    for k in range(row.units, out.units.shape[1]):
        empty = out.units[n, k]
        empty.listed = empty.x = empty.y = empty.type = empty.strength = empty.experience = 0
        empty.corps = empty.carries = 0
    for k in range(row.ships, out.ships.shape[1]):
        free = out.ships[n, k]
        free.listed = free.x = free.y = free.ship_class = free.hp = free.experience = free.fleet = 0
        free.units_aboard = free.strength_aboard = 0
    if row.ships > 0:
        _count_aboard(world, n, out)


@kernel
def _write_unit(unit: Any, width: int, cell: int, row: Any) -> None:
    row.listed = 1
    row.x = cell % width
    row.y = cell // width
    row.type = unit.type
    row.strength = unit.strength
    row.experience = unit.experience
    row.corps = unit.corps
    row.carries = unit.carries


@kernel
def _write_ship(world: World, index: int, cell: int, row: Any) -> None:
    ship = world.ships[index]
    width = world.cells.shape[1]
    row.listed = 1
    row.x = cell % width
    row.y = cell // width
    row.ship_class = ship.kind
    row.hp = ship.hp
    row.experience = ship.experience
    row.fleet = ship.fleet
    row.units_aboard = row.strength_aboard = 0


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
def fill_sightings(world: World, n: int, out: Arrays) -> None:
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
        row.size = seen.size
        row.age = age
        count += 1
    out.counts[n].sightings = count
    for k in range(count, SIGHTINGS):
        empty = out.sightings[n, k]
        empty.what = empty.owner = empty.x = empty.y = empty.type = empty.size = empty.age = 0


@kernel
def _is_behind(row: Any, width: int, age: int, cell: int, what: int) -> bool:
    """Whether an entry comes after one of that age, cell and kind."""
    at = int(row.y) * width + int(row.x)
    if row.age != age:
        return bool(row.age > age)
    return at > cell or (at == cell and row.what > what)
