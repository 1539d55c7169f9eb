"""Ports as places of trade: their list, what they can still handle in a turn, where ships lie at them.

Naval ports are none (MER-065). `World.harbours` lists the ports of the world as they were at the opening of
the shipping term, those of its beginning if a phase is run alone. It has places for all that can be built.
"""

from __future__ import annotations

from hakoenv.engine import hexgrid, view
from hakoenv.engine.codes import ship_class, terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import waters
from hakoenv.engine.world import NO_WAY, World
from hakoenv.ruleset.compiled import Rules

NONE = -1
_NEIGHBOURS = 6


@kernel
def find(world: World, cell: int) -> int:
    """The place of a port in the list, -1 none: no port, or not listed."""
    if cell < 0 or world.cells.flat[cell].terrain != terrain.PORT:
        return NONE
    for h in range(world.harbours.shape[0]):
        if world.harbours[h].cell == cell:
            return h
    return NONE


@kernel
def enlist(world: World) -> None:
    """Bring the list up to date: ports that are gone leave it, new ones take free places in cell order."""
    for h in range(world.harbours.shape[0]):
        cell = int(world.harbours[h].cell)
        if cell >= 0 and world.cells.flat[cell].terrain != terrain.PORT:
            strike(world, h)
    for cell in range(world.cells.size):
        if world.cells.flat[cell].terrain == terrain.PORT and find(world, cell) < 0:
            for h in range(world.harbours.shape[0]):
                if world.harbours[h].cell < 0:
                    world.harbours[h].cell = cell
                    break


@kernel
def places_left(world: World) -> int:
    """How many more ports the map can have; one that was built in this turn takes a place already."""
    count = world.harbours.shape[0]
    for cell in range(world.cells.size):
        count -= world.cells.flat[cell].terrain == terrain.PORT
    return int(max(0, count))


@kernel
def strike(world: World, h: int) -> None:
    """Take a port off the list."""
    entry = world.harbours[h]
    entry.cell = NONE
    entry.handled = entry.charted = 0
    world.distances[h, :] = NO_WAY


@kernel
def owner(world: World, h: int) -> int:
    """The nation that owns a listed port, -1 nobody."""
    return int(world.cells.flat[world.harbours[h].cell].owner)


@kernel
def is_port_of(world: World, cell: int, nation: int) -> bool:
    """Whether a cell (-1 none) is a port of a nation (-1 nobody), listed or not."""
    if cell < 0 or nation < 0:
        return False
    return bool(world.cells.flat[cell].terrain == terrain.PORT and world.cells.flat[cell].owner == nation)


@kernel
def is_large(world: World, rules: Rules, cell: int) -> bool:
    """Whether a port is a large one (MKT-008)."""
    return bool(world.cells.flat[cell].level >= rules.scalars[0].port_large_level)


@kernel
def left(world: World, rules: Rules, h: int) -> int:
    """Containers that a port can still handle in this turn (MKT-005 .. MKT-007)."""
    s = rules.scalars[0]
    large = is_large(world, rules, int(world.harbours[h].cell))
    return int(max(0, (s.port_containers_large if large else s.port_containers) - world.harbours[h].handled))


@kernel
def open_turn(world: World) -> None:
    """All ports can handle their full amount again (TURN-006)."""
    for h in range(world.harbours.shape[0]):
        world.harbours[h].handled = 0


@kernel
def is_at(world: World, ship: int, cell: int) -> bool:
    """Whether a ship lies beside a port, where it can load and unload (MER-031)."""
    return bool(cell >= 0 and hexgrid.distance(world.cells.shape[1], int(world.ships[ship].cell), cell) == 1)


@kernel
def is_berth(world: World, rules: Rules, cell: int) -> bool:
    """Whether a cell is water that private ships may lie on, whoever lies there now (MER-066)."""
    if cell < 0:
        return False
    kind = int(ship_class.MERCHANT)
    return bool(waters.way(world, rules, view.TRUTH, -1, kind, cell) == waters.OPEN)


@kernel
def is_free(world: World, rules: Rules, cell: int) -> bool:
    """Whether a private ship could lie on a cell now: open water with no ship and no unit (MER-040)."""
    if not is_berth(world, rules, cell):
        return False
    return bool(world.cells.flat[cell].ship < 0 and world.cells.flat[cell].unit < 0)


@kernel
def berths(world: World, rules: Rules, port: int, only_free: bool) -> int:
    """Water cells beside a port on which private ships may lie, all or the free ones (CRU-005, MER-051)."""
    height, width = world.cells.shape
    count = 0
    for direction in range(1, _NEIGHBOURS + 1):
        near = hexgrid.neighbour(width, height, port, direction)
        count += is_free(world, rules, near) if only_free else is_berth(world, rules, near)
    return count


@kernel
def free_berth(world: World, rules: Rules, port: int) -> int:
    """The free water cell beside a port with the lowest index, -1 none (MER-079)."""
    height, width = world.cells.shape
    found = NONE
    for direction in range(1, _NEIGHBOURS + 1):
        near = hexgrid.neighbour(width, height, port, direction)
        if is_free(world, rules, near) and (found < 0 or near < found):
            found = near
    return found
