"""Whom a warship fires at, once a turn right after its move (NAVY-061, NAVY-093, BOMB-005, BOMB-006)."""

from __future__ import annotations

import numpy as np

from hakoenv.engine import chance, hexgrid
from hakoenv.engine.codes import fleet_mode, terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import bombardment, seafire, volley
from hakoenv.engine.view import is_warship
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

NOWHERE = -1
# What a ship may choose of its own; armies and mines it fires at by order only (BOMB-025, NMINE-006).
_NOTHING = -1
_WARSHIP, _OTHER_SHIP, _MILITARY, _CIVILIAN, _PIRATE, _MONSTER = range(6)
_AIMS = np.array([volley.SHIP, volley.SHIP, volley.PLACE, volley.PLACE, volley.SHIP, volley.MONSTER])
_NEVER = -1
_RANKS = np.full((fleet_mode.COUNT, len(_AIMS)), _NEVER)  # by mode (NAVY-060): what comes first
_RANKS[fleet_mode.NORMAL, [_WARSHIP, _OTHER_SHIP, _MILITARY, _CIVILIAN, _PIRATE, _MONSTER]] = range(6)
_RANKS[fleet_mode.HUNT, [_PIRATE, _MONSTER, _WARSHIP, _OTHER_SHIP, _MILITARY, _CIVILIAN]] = range(6)
_FAR = 1 << 8  # above every fire range
_LOTS = 1 << 31


@kernel
def fire(world: World, rules: Rules, ship: int) -> None:
    """The one volley of a warship in its stage: as ordered if it can, else as it chooses, seen or not."""
    if _RANKS[world.ships[ship].mode, _WARSHIP] == _NEVER:
        return
    if not _obey(world, rules, ship):
        _choose(world, rules, ship)


@kernel
def _obey(world: World, rules: Rules, ship: int) -> bool:
    """Fire by a salvo order that is valid for the ship; return whether there is one (BOMB-005, BOMB-033)."""
    record = world.ships[ship]
    if record.fleet < 0:
        return False
    cell = int(world.fleets[record.owner, record.fleet].salvo)
    reach = int(rules.ship_classes[record.kind].fire_range)
    if cell < 0 or hexgrid.distance(world.cells.shape[1], int(record.cell), cell) > reach:
        return False
    aim = volley.first_aim(world, rules, int(record.kind), int(record.owner), cell)
    if aim == volley.NOTHING:
        return False
    volley.fly(world, rules, ship, aim, cell)
    return True


@kernel
def _choose(world: World, rules: Rules, ship: int) -> None:
    """Fire at what its mode prefers: of one group the nearest, of the nearest the lowest lot (NAVY-093)."""
    record = world.ships[ship]
    height, width = world.cells.shape
    target, chosen, lowest = NOWHERE, _NOTHING, 0
    away = 0
    reach = min(int(rules.ship_classes[record.kind].fire_range), width + height)  # the map is no wider
    for k in range(1, hexgrid.disc_size(reach)):
        away += k == hexgrid.disc_size(away)
        cell = hexgrid.nth_far(width, height, int(record.cell), k)
        if cell < 0:
            continue
        group = _group(world, rules, int(record.kind), int(record.owner), cell)
        if group == _NOTHING:
            continue
        lot = chance.roll(world, chance.SHIP_TARGET, int(record.serial), k, _LOTS)
        place = (int(_RANKS[record.mode, group]) * _FAR + away) * _LOTS + lot
        if target < 0 or place < lowest:
            target, chosen, lowest = cell, group, place
    if target >= 0:
        volley.fly(world, rules, ship, int(_AIMS[chosen]), target)


@kernel
def _group(world: World, rules: Rules, kind: int, nation: int, cell: int) -> int:
    """What a ship of a class and nation may choose on a cell, -1 nothing."""
    place = world.cells.flat[cell]
    if place.terrain == terrain.SEA and place.ship < 0:
        return int(_NOTHING)  # most cells
    other = seafire.prey(world, rules, kind, nation, cell)
    if other >= 0:
        if world.ships[other].owner < 0:
            return int(_PIRATE)
        return int(_WARSHIP if is_warship(int(world.ships[other].kind)) else _OTHER_SHIP)
    if seafire.is_monster(world, rules, kind, cell):
        return int(_MONSTER)
    found = bombardment.target(world, rules, kind, nation, cell)
    if found == bombardment.MILITARY:
        return int(_MILITARY)
    if found == bombardment.CIVILIAN and not bombardment.is_deserted(world, rules, cell):
        return int(_CIVILIAN)
    return int(_NOTHING)
