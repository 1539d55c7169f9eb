"""Fires (phase 23): towns lose people, works burn down (DIS-008 .. DIS-016)."""

from __future__ import annotations

from hakoenv.engine import chance, damage, happenings, hexgrid
from hakoenv.engine.codes import event, terrain
from hakoenv.engine.economy import towns
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

_NEIGHBOURS = 6


@kernel
def break_out(world: World, rules: Rules, cell: int) -> None:
    """A cell that can burn draws once; a forest or monument beside it keeps the fire away (DIS-016).

    A unit on the cell is unharmed (DIS-013), a capital does not burn (DIS-002).
    """
    s = rules.scalars[0]
    percent = s.disasters_fire_percent_per_turn * s.disasters_fire_default_on
    if not chance.happens(world, chance.FIRE, cell, 0, percent):
        return
    if damage.spared_by_nature(world, rules, cell) or _is_shielded(world, cell):
        return
    place = world.cells.flat[cell]
    kind = rules.terrains[place.terrain]
    owner = int(place.owner)
    gone = 0
    if kind.fire_to_wasteland:
        damage.ruin(world, rules, cell)
    else:
        burnt = place.population * kind.fire_loss_percent // 100
        gone = towns.lose(world, rules, cell, burnt, s.disaster_fire_min_left)
    happenings.record(world, event.FIRE, owner, cell, gone)


@kernel
def _is_shielded(world: World, cell: int) -> bool:
    """Whether one of the six neighbours is a forest or a monument."""
    height, width = world.cells.shape
    for direction in range(1, _NEIGHBOURS + 1):
        other = hexgrid.neighbour(width, height, cell, direction)
        if other >= 0:
            ground = world.cells.flat[other].terrain
            if ground == terrain.FOREST or ground == terrain.MONUMENT:
                return True
    return False
