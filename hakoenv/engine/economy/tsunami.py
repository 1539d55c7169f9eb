"""Tsunamis (phase 27): only after an earthquake or eruption in the sea (DIS-006, DIS-007)."""

from __future__ import annotations

from hakoenv.engine import chance, damage, ground, happenings, hexgrid, territory
from hakoenv.engine.codes import event, terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.codes import TERRAIN_KINDS
from hakoenv.ruleset.compiled import Rules

AFTER_EARTHQUAKE, AFTER_ERUPTION = 0, 1
_NATURE = TERRAIN_KINDS.index("nature")
_NEIGHBOURS = 6


@kernel
def roll_in(world: World, rules: Rules, centre: int, after: int) -> None:
    """The wave of one cause hits buildings on land and ports that touch water, the more the more water.

    A place is hit if a die shows less than its water neighbours less one; a breakwater shields it.
    """
    s = rules.scalars[0]
    percent = s.disasters_tsunami_percent_per_turn * s.disasters_tsunami_default_on
    if not chance.happens(world, chance.TSUNAMI, after, 0, percent):
        return
    height, width = world.cells.shape
    damaged = 0
    for k in range(hexgrid.disc_size(s.disasters_tsunami_radius)):
        cell = hexgrid.nth_far(width, height, centre, k)
        if cell < 0 or not _is_exposed(world, rules, cell):
            continue
        die = chance.roll(world, chance.TSUNAMI_HIT, cell, after, s.disasters_tsunami_effect_die_sides)
        if die < _water_beside(world, rules, cell) - 1 and not _is_sheltered(world, rules, cell):
            _sweep(world, rules, cell)
            damaged += 1
    happenings.record(world, event.TSUNAMI, ground.NOBODY, centre, damaged)


@kernel
def _is_exposed(world: World, rules: Rules, cell: int) -> bool:
    """A building on land or a port, no capital."""
    kind = world.cells.flat[cell].terrain
    if kind == terrain.MONSTER or damage.spared_by_nature(world, rules, cell):
        return False
    built = rules.terrains[kind].kind != _NATURE and territory.is_land(world, rules, cell)
    return bool(built or kind == terrain.PORT)


@kernel
def _water_beside(world: World, rules: Rules, cell: int) -> int:
    """How many neighbours are water, whatever is built on it."""
    height, width = world.cells.shape
    count = 0
    for direction in range(1, _NEIGHBOURS + 1):
        other = hexgrid.neighbour(width, height, cell, direction)
        if other >= 0:
            count += not territory.is_land(world, rules, other)
    return count


@kernel
def _is_sheltered(world: World, rules: Rules, cell: int) -> bool:
    """Whether anybody's breakwater is near enough (NMINE-002)."""
    width = world.cells.shape[1]
    for other in range(world.cells.size):
        if world.cells.flat[other].terrain == terrain.BREAKWATER:
            if hexgrid.distance(width, cell, other) <= rules.scalars[0].breakwater_radius:
                return True
    return False


@kernel
def _sweep(world: World, rules: Rules, cell: int) -> None:
    """Towns lose people, ports levels but not the last, other buildings one step."""
    s = rules.scalars[0]
    place = world.cells.flat[cell]
    kind = rules.terrains[place.terrain]
    if kind.is_town:
        damage.lose_people(world, rules, cell, s.disasters_tsunami_effect_town_loss_percent)
    elif place.terrain == terrain.PORT:
        place.level = max(kind.level_min, place.level - s.disasters_tsunami_effect_port_levels)
    else:
        damage.step_down(world, rules, cell)
