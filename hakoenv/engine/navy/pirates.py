"""Pirates appear in phase 7 and sail in the ordinary stage (NAVY-103, TURN-057)."""

from __future__ import annotations

from typing import Any

import numpy as np

from hakoenv.engine import chance, happenings, hexgrid, view
from hakoenv.engine.codes import event, ship_class, terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import routes, sailing, vessels, waters
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

_NOBODY = -1
_NEIGHBOURS = 6
_WHETHER, _WHERE = 0, 1  # draws of an appearance
_AGES = 1 << 31  # serial numbers are below it


# ---------------------------------------------------------------- appearing


@kernel
def appear(world: World, rules: Rules) -> None:
    """A pirate may appear on free deep sea away from naval ports while there are few (TURN-008, DIS-001)."""
    s = rules.scalars[0]
    percent = s.disasters_pirate_spawn_percent_per_turn * s.disasters_pirate_spawn_default_on
    if not chance.happens(world, chance.PIRATE_SPAWN, 0, _WHETHER, percent):
        return
    if _are_enough(world, rules) or not vessels.has_room(world):
        return
    cell = _lair(world, rules)
    if cell >= 0:
        vessels.place(world, rules, _NOBODY, ship_class.PIRATE, cell, vessels.NONE)
        happenings.record(world, event.PIRATE_APPEARED, _NOBODY, cell, 0)


@kernel
def _are_enough(world: World, rules: Rules) -> bool:
    """Whether there are as many pirates as the merchants of the world feed, or a few in any case."""
    s = rules.scalars[0]
    pirates = merchants = 0
    for ship in range(world.clock[0].ships):
        kind = int(world.ships[ship].kind)
        pirates += kind == ship_class.PIRATE
        merchants += vessels.is_merchant(kind)
    fed = merchants // s.disasters_pirate_spawn_effect_merchants_per_pirate
    return bool(pirates >= max(int(s.disasters_pirate_spawn_effect_pirates_min), fed))


@kernel(allocates=True)
def _lair(world: World, rules: Rules) -> int:
    """One of the cells where a pirate can appear, each equally likely; -1 if there is none."""
    is_guarded = np.zeros(world.cells.size, np.bool_)
    for cell in range(world.cells.size):
        if world.cells.flat[cell].terrain == terrain.NAVAL_PORT:
            _guard(world, rules, cell, is_guarded)
    fit = np.empty(world.cells.size, np.int32)
    count = 0
    for cell in range(world.cells.size):
        place = world.cells.flat[cell]
        free = place.terrain == terrain.SEA and place.ship < 0 and place.unit < 0
        if free and not is_guarded[cell]:
            fit[count] = cell
            count += 1
    if count == 0:
        return -1
    return int(fit[chance.roll(world, chance.PIRATE_SPAWN, 0, _WHERE, count)])


@kernel
def _guard(world: World, rules: Rules, port: int, is_guarded: Any) -> None:
    """Mark the cells that are too near to a naval port, whoever owns it."""
    height, width = world.cells.shape
    least = min(int(rules.scalars[0].disasters_pirate_spawn_effect_port_distance), width + height)
    for k in range(hexgrid.disc_size(least - 1) if least > 0 else 0):
        near = hexgrid.nth_far(width, height, port, k)
        if near >= 0:
            is_guarded[near] = True


# ---------------------------------------------------------------- sailing


@kernel(allocates=True)
def sail(world: World, rules: Rules, ship: int) -> None:
    """A pirate heads for the nearest prey that it has a way to; without one it makes one step at random.

    It belongs to nobody: it knows all ships, units and mines, so it meets nothing unseen.
    """
    path = np.empty(min(vessels.speed(world, rules, ship), world.cells.size), np.int64)
    rank = _next_prey(world, rules, ship, -1)
    while rank >= 0:
        prey = _of_rank(world, ship, rank)
        count = routes.find(world, rules, view.TRUTH, ship, int(world.ships[prey].cell), path)
        if count != routes.NO_WAY:
            sailing.follow(world, rules, ship, path, count)
            return
        rank = _next_prey(world, rules, ship, rank)
    _drift(world, rules, ship)


@kernel
def _next_prey(world: World, rules: Rules, ship: int, after: int) -> int:
    """The rank of the next private ship that it hunts, -1 no more in reach (NAVY-103).

    The near come before the far, then the old before the young.
    """
    found = -1
    for other in range(world.clock[0].ships):
        if not vessels.is_private(int(world.ships[other].kind)):
            continue
        rank = _rank(world, ship, other)
        if rank // _AGES <= rules.scalars[0].pirate_hunt_radius and rank > after:
            found = rank if found < 0 else min(found, rank)
    return found


@kernel
def _rank(world: World, ship: int, other: int) -> int:
    """Distance and age of a ship as one number."""
    away = hexgrid.distance(world.cells.shape[1], int(world.ships[ship].cell), int(world.ships[other].cell))
    return away * _AGES + int(world.ships[other].serial)


@kernel
def _of_rank(world: World, ship: int, rank: int) -> int:
    """The ship of a rank."""
    for other in range(world.clock[0].ships):
        if world.ships[other].kind > 0 and _rank(world, ship, other) == rank:
            return other
    return -1


@kernel
def _drift(world: World, rules: Rules, ship: int) -> None:
    """One step to a free cell next to it, each equally likely."""
    height, width = world.cells.shape
    start = int(world.ships[ship].cell)
    free = 0
    for direction in range(1, _NEIGHBOURS + 1):
        free += _is_free(world, rules, ship, hexgrid.neighbour(width, height, start, direction))
    if free == 0:
        return
    left = chance.roll(world, chance.PIRATE_STEP, start, 0, free) + 1
    direction = 0
    while left > 0:
        direction += 1
        left -= _is_free(world, rules, ship, hexgrid.neighbour(width, height, start, direction))
    sailing.enter(world, rules, ship, hexgrid.neighbour(width, height, start, direction))


@kernel
def _is_free(world: World, rules: Rules, ship: int, cell: int) -> bool:
    """Whether a pirate can lie on a cell (-1 outside the map) without mine, ship or unit."""
    if cell < 0:
        return False
    water = waters.way(world, rules, view.TRUTH, _NOBODY, int(world.ships[ship].kind), cell)
    return water == waters.OPEN and not waters.is_taken(world, rules, view.TRUTH, cell)
