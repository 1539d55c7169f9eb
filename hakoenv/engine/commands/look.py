"""What the commands of a cell ask about it, seen once: the cell, what stands on it, what lies around."""

from __future__ import annotations

from typing import NamedTuple

from hakoenv.engine import hexgrid, territory, view
from hakoenv.engine.codes import relation, terrain, unit_item, unit_type
from hakoenv.engine.commands import outlook
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


class Site(NamedTuple):
    """A cell as a viewer sees it, for the commands of one nation. All numbers; flags are 0 or 1."""

    ground: int  # terrain number
    own: int  # the nation's own cell
    foreign: int  # another nation's
    level: int
    population: int
    deposit: int
    capital: int  # the nation's own capital
    tunnel: int
    unit: int  # some unit stands there
    foreign_unit: int  # one of another nation
    enemy_unit: int  # one of a nation at war with this one
    stander: int  # one of its own: 1 + unit type, and SHOD with the shoes of water movement; 0 none
    ship: int  # some ship lies there
    by_land: int  # an own land cell or own port lies beside it (MAP-034, MAP-036)
    by_own: int  # any own cell or own ship lies beside it (MAP-035, DEV-001)
    by_water: int  # sea or shallows lie beside it
    mountains: int  # neighbours that are mountains without a tunnel (MAP-029)


SHOD = unit_type.COUNT + 1
DIRECTIONS = 6


@kernel
def is_foothold(world: World, rules: Rules, cell: int) -> bool:
    """Whether an own cell lets its nation work beside it: land or a port (MAP-034, MAP-036)."""
    return world.cells.flat[cell].terrain == terrain.PORT or territory.is_land(world, rules, cell)


@kernel
def own_warship(world: World, nation: int, cell: int) -> int:
    """The warship of a nation that lies on a cell, -1 none."""
    ship = int(world.cells.flat[cell].ship)
    if ship < 0 or world.ships[ship].owner != nation or not view.is_warship(int(world.ships[ship].kind)):
        return -1
    return ship


@kernel
def side(world: World, cell: int, direction: int) -> int:
    """The cell beside one in a direction 1..6 that a command names, -1 outside the map."""
    height, width = world.cells.shape
    return hexgrid.neighbour(width, height, cell, direction)


@kernel(inline=True)
def look(world: World, rules: Rules, viewer: int, nation: int, turn: int, cell: int) -> Site:
    """What ``viewer`` sees of a cell, for a command of ``nation`` in ``turn``.

    Ships on neighbouring water are no territory, nor are naval ports, breakwaters, seabed works, fish
    farms and oil at sea (MAP-034, MAP-036); beside an offshore deposit any own ship or cell counts.
    """
    cells = world.cells.flat
    height, width = world.cells.shape
    by_land = by_own = by_water = mountains = 0
    for k in range(1, 7):
        near = hexgrid.nth(width, height, cell, k)
        if near < 0:
            continue
        place = cells[near]
        seen = int(place.terrain)  # shallows and mines are water, whatever they look like
        if not view.looks_like_sea(seen):
            seen = view.terrain(world, rules, viewer, near)
        if place.owner == nation and place.terrain != terrain.NAVAL_MINE:  # no territory: NMINE-012
            by_own = 1
            if is_foothold(world, rules, near):
                by_land = 1
        if place.ship >= 0 and world.ships[place.ship].owner == nation:
            by_own = 1
        if seen == terrain.SEA or seen == terrain.SHALLOWS or seen == terrain.NAVAL_MINE:
            by_water = 1
        if seen == terrain.MOUNTAIN and place.tunnel == 0:
            mountains += 1
    owner = view.owner(world, rules, viewer, cell)
    unit = view.unit(world, rules, viewer, cell)
    foreign_unit = enemy_unit = stander = 0
    if unit >= 0 and world.units[unit].owner == nation:
        shod = world.units[unit].carries == unit_item.SHOES_OF_WATER_MOVEMENT
        stander = 1 + int(world.units[unit].type) + (SHOD if shod else 0)
    elif unit >= 0:
        foreign_unit = 1
        lord = world.units[unit].owner
        if lord >= 0:
            state = outlook.relation_state(world.relations[nation, lord], int(world.clock[0].turn), turn)
            enemy_unit = int(state == relation.WAR)
    return Site(
        view.terrain(world, rules, viewer, cell),
        int(owner == nation),
        int(owner >= 0 and owner != nation),
        view.level(world, rules, viewer, cell),
        0 + int(cells[cell].population),  # 64 bits, as in every Site: a kernel is compiled for one kind
        view.deposit(world, rules, viewer, cell),
        int(world.nations[nation].capital == cell),
        0 + int(cells[cell].tunnel),
        int(unit >= 0),
        int(foreign_unit),
        int(enemy_unit),
        int(stander),
        int(view.ship(world, rules, viewer, cell) >= 0),
        int(by_land),
        int(by_own),
        int(by_water),
        int(mountains),
    )
