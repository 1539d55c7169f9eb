"""Typhoons (phase 27): the source never names one, so the ruleset has them off."""

from __future__ import annotations

from hakoenv.engine import chance, damage, happenings, hexgrid
from hakoenv.engine.codes import event, terrain
from hakoenv.engine.economy import epicentre
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

_NEIGHBOURS = 6


@kernel
def blow(world: World, rules: Rules, nation: int) -> None:
    """A typhoon over land of a nation: farms in its radius may lose a step, less likely beside forests."""
    s = rules.scalars[0]
    percent = s.disasters_typhoon_percent_per_turn * s.disasters_typhoon_default_on
    centre = epicentre.draw(world, rules, chance.TYPHOON, nation, nation, percent)
    if centre < 0:
        return
    height, width = world.cells.shape
    damaged = 0
    for k in range(hexgrid.disc_size(s.disasters_typhoon_radius)):
        cell = hexgrid.nth_far(width, height, centre, k)
        if cell < 0:
            continue
        kind = world.cells.flat[cell].terrain
        if kind == terrain.FARM or kind == terrain.LARGE_FARM:
            die = chance.roll(world, chance.TYPHOON_HIT, cell, nation, s.disasters_typhoon_effect_die_sides)
            if die < s.disasters_typhoon_effect_forest_base - _forests_beside(world, cell):
                damage.step_down(world, rules, cell)
                damaged += 1
    happenings.record(world, event.TYPHOON, nation, centre, damaged)


@kernel
def _forests_beside(world: World, cell: int) -> int:
    height, width = world.cells.shape
    count = 0
    for direction in range(1, _NEIGHBOURS + 1):
        other = hexgrid.neighbour(width, height, cell, direction)
        if other >= 0:
            count += world.cells.flat[other].terrain == terrain.FOREST
    return count
