"""Where private ships wait near a port: off its only entrance, or for a berth (MER-051, MER-077).

Of the empty cells within reach of the port the nearest by water, then the lowest. State ships and warships
wait as ever (MER-053).
"""

from __future__ import annotations

from hakoenv.engine import hexgrid
from hakoenv.engine.codes import terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.shipping import charts, grounds, harbours
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

NONE = -1


@kernel
def radius(rules: Rules) -> int:
    """How far from a port ships wait."""
    return int(min(rules.scalars[0].private_wait_distance, hexgrid.MAX_RADIUS))


@kernel
def has_one_entrance(world: World, rules: Rules, port: int) -> bool:
    """Whether a port has exactly one water cell beside it, the entrance."""
    return bool(harbours.berths(world, rules, port, False) == 1)


@kernel
def choose(world: World, rules: Rules, ship: int, port: int) -> int:
    """The cell on which a ship is to wait for a port, its own if it is the best one; -1 none."""
    height, width = world.cells.shape
    h = harbours.find(world, port)
    found, least = NONE, 0
    for k in range(1, hexgrid.disc_size(radius(rules))):
        near = hexgrid.nth(width, height, port, k)
        away = charts.way(world, h, near) if near >= 0 else NONE
        if away < 0:
            continue
        rank = away * world.cells.size + near
        if (found < 0 or rank < least) and is_place(world, rules, ship, port, near):
            found, least = near, rank
    return int(found)


@kernel
def is_place(world: World, rules: Rules, ship: int, port: int, cell: int) -> bool:
    """Whether a ship may wait for a port on a cell: open water near it without fish, and nobody else's place.

    The only entrance is none.
    """
    place = world.cells.flat[cell]
    if place.terrain != terrain.SEA and place.terrain != terrain.SHALLOWS:
        return False
    if (place.ship >= 0 and place.ship != ship) or place.unit >= 0:
        return False
    away = hexgrid.distance(world.cells.shape[1], cell, port)
    if away > radius(rules) or (away == 1 and has_one_entrance(world, rules, port)):
        return False
    return bool(grounds.find(world, cell) < 0)


@kernel
def is_settled(world: World, rules: Rules, ship: int, port: int) -> bool:
    """Whether a ship that comes to a port to wait for cargo lies where it should (MER-051, MER-075).

    That is beside the port, but off its only entrance while there is a waiting cell; or on that cell, if the
    port has one entrance or all its berths are taken.
    """
    is_narrow = has_one_entrance(world, rules, port)
    if harbours.is_at(world, ship, port):
        return not is_narrow or choose(world, rules, ship, port) < 0
    if not is_narrow and harbours.berths(world, rules, port, True) > 0:
        return False
    return choose(world, rules, ship, port) == world.ships[ship].cell


@kernel
def is_waiting(world: World, rules: Rules, ship: int, port: int) -> bool:
    """Whether an idle ship need not move: it is settled, or on a cell that was the best when it came."""
    cell = int(world.ships[ship].cell)
    if not harbours.is_at(world, ship, port) and is_place(world, rules, ship, port, cell):
        return True
    return is_settled(world, rules, ship, port)
