"""The map as planes. What is public is drawn once a turn, then copied and completed for each nation."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine import view
from hakoenv.engine.kernel import kernel
from hakoenv.engine.missiles import bases
from hakoenv.engine.world import PLAN_LENGTH, World
from hakoenv.obs import pieces
from hakoenv.obs.arrays import Arrays, Scratch, place_of
from hakoenv.obs.cells_list import base_of, target_of
from hakoenv.obs.cells_things import seen_ship, seen_unit
from hakoenv.ruleset.compiled import Rules

PUBLIC = -2  # a viewer who owns nothing
NEUTRAL = 255
COPIED = 8  # the first planes are public but for the own cells
LAYERS = COPIED + 1  # and the owner, which every nation counts from itself
POPULATION_STEP = 2
RICHNESS_STEP = 16
PILE_STEP = 4
RESISTANCE_STEP = 4
_BYTE = 255


class Numbers(NamedTuple):
    """The number of each plane, in the order of `pieces.PLANES`."""

    terrain: int
    base: int
    population: int
    level: int
    deposit: int
    climate: int
    weather: int
    tunnel: int
    owner: int
    sees_units: int
    sees_warships: int
    unit_owner: int
    unit_type: int
    unit_strength: int
    ship_owner: int
    ship_class: int
    ship_hp: int
    wreck: int
    wreck_age: int
    capital: int
    richness: int
    pile: int
    resistance: int
    hits: int
    missile_range: int
    missile_shots: int
    planned: int
    last_seen: int
    last_seen_owner: int
    last_seen_age: int


P = Numbers(*range(len(pieces.PLANES)))
assert P._fields == tuple(column.name for column in pieces.PLANES)


@kernel
def draw_public(world: World, rules: Rules, scratch: Scratch) -> None:
    """Draw the public planes, and note which cells look otherwise to who would see a warship there."""
    veiled = 0
    for i in range(world.cells.size):
        _draw_ground(world, rules, PUBLIC, i, 0, scratch.layers)
        place = world.cells.flat[i]
        if view.looks_like_sea(int(place.terrain)):
            scratch.veiled[veiled] = i
            veiled += 1
        scratch.layers[P.climate, i] = place.climate
        scratch.layers[P.weather, i] = world.clock[0].weather[place.climate]
        scratch.layers[P.tunnel, i] = place.tunnel
        scratch.layers[P.population, i] = min(int(place.population) // POPULATION_STEP, _BYTE)
        scratch.layers[P.owner, i] = view.owner(world, rules, PUBLIC, i) + 1
    scratch.veiled[veiled] = -1


@kernel(inline=True)
def _draw_ground(
    world: World, rules: Rules, viewer: int, i: int, watchers: int, planes: NDArray[np.uint8]
) -> None:
    """What disguises hide from a viewer."""
    ground = view.terrain_watched(world, rules, viewer, i, watchers)
    planes[P.terrain, i] = ground
    planes[P.base, i] = base_of(ground, world.cells.flat[i].below)
    planes[P.level, i] = min(view.level_watched(world, rules, viewer, i, watchers), _BYTE)
    planes[P.deposit, i] = view.deposit(world, rules, viewer, i)


@kernel
def fill_planes(world: World, rules: Rules, n: int, out: Arrays, scratch: Scratch, occupied: int) -> None:
    """The map as nation ``n`` knows it."""
    planes = out.planes[n].reshape(out.planes.shape[1], -1)
    seats = world.nations.shape[0]
    for p in range(COPIED):
        for i in range(planes.shape[1]):
            planes[p, i] = scratch.layers[p, i]
    own = n + 1
    for i in range(planes.shape[1]):
        owner = int(scratch.layers[P.owner, i])
        turned = owner - n + (seats if owner < own else 0)
        planes[P.owner, i] = turned if owner > 0 else 0
        planes[P.sees_units, i] = (scratch.watch[view.UNITS, i] >> n) & 1
        planes[P.sees_warships, i] = (scratch.watch[view.WARSHIPS, i] >> n) & 1
    planes[P.unit_owner :] = 0
    _unveil(world, rules, n, scratch, planes)
    nation = world.nations[n]
    for k in range(nation.first, nation.first + nation.held):
        _draw_own(world, rules, n, int(world.territory[k]), planes)
    for k in range(occupied):
        _draw_things(world, n, scratch.occupied[k, 0], scratch.watch, planes)
    _draw_wrecks(scratch, planes)
    if nation.alive:
        if nation.capital >= 0:
            planes[P.capital, nation.capital] = 1
        for k in range(min(int(nation.plan_length), PLAN_LENGTH)):
            target = target_of(world, rules, n, k)
            if target >= 0 and planes[P.planned, target] == 0:
                planes[P.planned, target] = k + 1
    for k in range(out.counts[n].sightings):
        _draw_sighting(out.sightings[n, k], world.cells.shape[1], planes)


@kernel
def _unveil(world: World, rules: Rules, n: int, scratch: Scratch, planes: NDArray[np.uint8]) -> None:
    """Shallows and mines where the nation would see a warship (NAVY-020, NMINE-012)."""
    seats = world.nations.shape[0]
    k = 0
    while scratch.veiled[k] >= 0:
        i = int(scratch.veiled[k])
        if planes[P.sees_warships, i]:
            _draw_ground(world, rules, n, i, int(scratch.watch[view.WARSHIPS, i]), planes)
            planes[P.owner, i] = place_of(int(world.cells.flat[i].owner), n, seats) + 1
        k += 1


@kernel
def _draw_wrecks(scratch: Scratch, planes: NDArray[np.uint8]) -> None:
    """Wrecks, which everybody sees (NAVY-042)."""
    k = 0
    while scratch.wrecks[k, 1] > 0:
        i = scratch.wrecks[k, 0]
        planes[P.wreck, i] = scratch.wrecks[k, 1]
        planes[P.wreck_age, i] = max(1, min(int(scratch.wrecks[k, 2]) + 1, _BYTE))
        k += 1


@kernel(inline=True)
def _draw_own(world: World, rules: Rules, n: int, i: int, planes: NDArray[np.uint8]) -> None:
    """What only its owner knows of a cell."""
    place = world.cells.flat[i]
    _draw_ground(world, rules, n, i, 0, planes)
    planes[P.owner, i] = 1
    planes[P.richness, i] = min(int(place.richness) // RICHNESS_STEP, _BYTE)
    planes[P.pile, i] = min(int(place.pile) // PILE_STEP, _BYTE)
    planes[P.resistance, i] = min(int(place.resistance) // RESISTANCE_STEP, _BYTE)
    planes[P.hits, i] = place.hits
    cells, shots = bases.reach(world, rules, i)
    planes[P.missile_range, i] = min(cells, _BYTE)
    planes[P.missile_shots, i] = min(shots, _BYTE)


@kernel
def _draw_things(world: World, n: int, i: int, watch: NDArray[np.int64], planes: NDArray[np.uint8]) -> None:
    """The unit and the ship that the nation sees on a cell."""
    seats = world.nations.shape[0]
    found = seen_unit(world, n, i, watch)
    if found >= 0:
        unit = world.units[found]
        planes[P.unit_owner, i] = place_of(unit.owner, n, seats) + 1
        planes[P.unit_type, i] = unit.type + 1
        planes[P.unit_strength, i] = min(int(unit.strength), _BYTE)
    found = seen_ship(world, n, i, watch)
    if found >= 0:
        ship = world.ships[found]
        planes[P.ship_owner, i] = place_of(ship.owner, n, seats) + 1 if ship.owner >= 0 else NEUTRAL
        planes[P.ship_class, i] = ship.kind
        if ship.owner == n or planes[P.sees_warships, i]:
            planes[P.ship_hp, i] = min(int(ship.hp), _BYTE)


@kernel
def _draw_sighting(seen: Any, width: int, planes: NDArray[np.uint8]) -> None:
    """A remembered unit or warship; the freshest is drawn where two are remembered on one cell."""
    i = int(seen.y) * width + int(seen.x)
    if planes[P.last_seen, i] == 0:
        planes[P.last_seen, i] = seen.what
        planes[P.last_seen_owner, i] = seen.owner + 1 if seen.owner >= 0 else NEUTRAL
        planes[P.last_seen_age, i] = min(int(seen.age) + 1, _BYTE)
