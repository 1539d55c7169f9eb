"""Whom a unit attacks: it looks around, cell by cell in an order of its own, until it finds an enemy."""

from __future__ import annotations

from hakoenv.engine import chance, hexgrid
from hakoenv.engine.diplomacy import relations
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

NONE = -1
_LOTS = 1 << 31  # a cell's place in the order is the rank of the number that it draws


@kernel
def find(world: World, rules: Rules, unit: int, luck: int) -> tuple[int, int]:
    """The first enemy unit that a unit comes upon, -1 none, and the own units seen before it.

    The order is one random permutation of the cells in reach for each unit and turn (ARMY-048): each cell
    draws a lot, the lowest is looked at first. Enemies are units of nations in open war with its own,
    seen or not; own units on the map give support, no others (ARMY-046, ARMY-047, ARMY-049).

    Args:
        world: the world.
        rules: the ruleset.
        unit: index of a unit on the map.
        luck: the cell where it stood when the phase began: the subject of its draws.
    """
    record = world.units[unit]
    nation = int(record.owner)
    height, width = world.cells.shape
    size = hexgrid.disc_size(reach(rules, int(record.type)))
    found, lowest = NONE, 0
    for k in range(1, size):
        other = _unit_at(world, width, height, int(record.cell), k)
        if other >= 0 and relations.are_enemies(world, nation, int(world.units[other].owner)):
            lot = _lot(world, luck, k)
            if found < 0 or lot < lowest:
                found, lowest = other, lot
    if found < 0:
        return NONE, 0
    supporters = 0
    for k in range(1, size):
        other = _unit_at(world, width, height, int(record.cell), k)
        if other >= 0 and world.units[other].owner == nation:
            supporters += _lot(world, luck, k) < lowest
    return found, supporters


@kernel
def reach(rules: Rules, kind: int) -> int:
    """How far a unit type attacks (ARMY-011 .. ARMY-013)."""
    s = rules.scalars[0]
    return int(s.army_reach_artillery if rules.unit_types[kind].artillery else s.army_reach)


@kernel
def _unit_at(world: World, width: int, height: int, centre: int, k: int) -> int:
    """The unit on the k-th cell around a cell, -1 none."""
    cell = hexgrid.nth(width, height, centre, k)
    return int(world.cells.flat[cell].unit) if cell >= 0 else NONE


@kernel
def _lot(world: World, luck: int, k: int) -> int:
    """The lot of the k-th cell around a unit; no two cells have the same."""
    places = hexgrid.disc_size(hexgrid.MAX_RADIUS)
    return chance.roll(world, chance.UNIT_SEARCH, luck, k, _LOTS) * places + k
