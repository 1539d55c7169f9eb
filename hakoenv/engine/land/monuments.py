"""What monuments do for their owner: towns grow, cells resist, units learn (MAP-008, monuments.csv)."""

from __future__ import annotations

from hakoenv.engine import hexgrid
from hakoenv.engine.codes import terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import troops
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

MONOLITH, PEACE, WAR = 1, 2, 3  # kinds, that is levels, of a monument


@kernel
def is_near(world: World, rules: Rules, cell: int, nation: int, kind: int) -> bool:
    """Whether a monument of a kind that a nation owns has a cell in its radius."""
    height, width = world.cells.shape
    for k in range(hexgrid.disc_size(rules.monuments[kind].effect_radius)):
        near = hexgrid.nth(width, height, cell, k)
        if near < 0:
            continue
        place = world.cells.flat[near]
        if place.terrain == terrain.MONUMENT and place.level == kind and place.owner == nation:
            return True
    return False


@kernel
def kinds(world: World) -> int:
    """Which kinds of monuments anybody owns, one bit each, by the cells listed (engine/territory.py)."""
    cells = world.cells.flat
    found = 0
    for k in range(world.clock[0].listed):
        place = cells[world.territory[k]]
        if place.terrain == terrain.MONUMENT and place.owner >= 0:
            found |= 1 << int(place.level)
    return found


@kernel
def train(world: World, rules: Rules, count: int) -> None:
    """Units near an own war monument gain experience, the last act of phase 26 (monuments.csv: 3, ARMY-054).

    Several monuments teach no more than one; ``count`` units are on the roster.
    """
    for k in range(count):
        unit = world.roster[k]
        record = world.units[unit]
        if record.owner >= 0 and is_near(world, rules, int(record.cell), int(record.owner), WAR):
            troops.learn(world, rules, unit, rules.monuments[WAR].effect_experience)
