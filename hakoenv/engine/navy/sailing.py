"""How a warship sails (NAVY-056, NAVY-097), and what a step onto a cell brings, whoever orders it."""

from __future__ import annotations

from typing import Any

import numpy as np

from hakoenv.engine import happenings, view
from hakoenv.engine.codes import event, fleet_mode
from hakoenv.engine.diplomacy import relief
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import fleets, mines, routes, vessels, waters
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

BARRED = 0  # what comes of a step: it was not made
ENTERED = 1
STRUCK = 2  # it was made, onto a mine; the ship may have sunk


@kernel
def sail(world: World, rules: Rules, ship: int) -> None:
    """The move of a warship in its stage: toward its goal, and on to the next while its points last.

    One that has stopped or was moved by hand in this turn stays (NAVY-060, NAVY-101). A goal is the fleet's
    and ends when the flagship has reached it, moved or not. A way is searched once for each goal and turn, so
    it may lead onto what its nation did not see then; that ends the move (NAVY-097, NMINE-004).
    A ship on an errand of reserves goes its own way (TURN-074).
    """
    record = world.ships[ship]
    if record.owner < 0:
        return
    nation = int(record.owner)
    stays = record.mode == fleet_mode.STOP or record.moved == world.clock[0].turn
    points = 0 if stays else vessels.speed(world, rules, ship)
    errand = relief.errand(world, rules, ship)
    if errand >= 0:
        if not routes.is_reached(world, rules, nation, ship, errand):
            _head_for(world, rules, nation, ship, errand, points)
        return
    if record.fleet < 0:
        return
    banner = world.fleets[nation, record.fleet]
    goal = _goal(world, ship, banner)
    while goal >= 0:
        if not routes.is_reached(world, rules, nation, ship, goal):
            points = _head_for(world, rules, nation, ship, goal, points)
            if record.kind == 0 or not routes.is_reached(world, rules, nation, ship, goal):
                return
        if banner.flagship != ship:
            return
        fleets.reach_goal(banner)
        goal = _goal(world, ship, banner)


@kernel
def _goal(world: World, ship: int, banner: Any) -> int:
    """Where a ship of a fleet (its record) is bound, -1 nowhere: an escort for its flagship (NAVY-059)."""
    if world.ships[ship].escort and banner.flagship >= 0 and banner.flagship != ship:
        return int(world.ships[banner.flagship].cell)
    return fleets.goal(banner)


@kernel(allocates=True)
def _head_for(world: World, rules: Rules, nation: int, ship: int, goal: int, points: int) -> int:
    """Sail toward a cell while movement points last; return what is left, 0 if the move is over."""
    if points <= 0:
        return 0
    path = np.empty(min(points, world.cells.size), np.int64)
    count = routes.find(world, rules, nation, ship, goal, path)
    if follow(world, rules, ship, path, count):
        return points - max(0, count)
    return 0


@kernel
def follow(world: World, rules: Rules, ship: int, path: Any, count: int) -> bool:
    """Sail the first ``count`` cells of a path, over ports (NAVY-079); return whether nothing ended it."""
    record = world.ships[ship]
    for k in range(count):
        cell = int(path[k])
        water = waters.way(world, rules, view.TRUTH, int(record.owner), int(record.kind), cell)
        if water == waters.PASSAGE:
            if is_barred(world, rules, ship, cell):
                return False
        elif enter(world, rules, ship, cell) != ENTERED:
            return False
    return True


@kernel
def enter(world: World, rules: Rules, ship: int, cell: int) -> int:
    """A ship goes to a cell that seems free to its nation, unless it isn't; a mine goes off (NMINE-004)."""
    if is_barred(world, rules, ship, cell):
        return int(BARRED)
    record = world.ships[ship]
    world.cells.flat[record.cell].ship = -1
    world.cells.flat[cell].ship = ship
    record.cell = cell
    return int(STRUCK if mines.touch(world, rules, ship, cell) else ENTERED)


@kernel
def is_barred(world: World, rules: Rules, ship: int, cell: int) -> bool:
    """Whether a cell that seems free is not: somebody is there, or what is disguised (NAVY-097, EMBARK-007).

    The nation sees who is there until the turn ends.
    """
    record = world.ships[ship]
    place = world.cells.flat[cell]
    nation = int(record.owner)
    water = waters.way(world, rules, view.TRUTH, nation, int(record.kind), cell)
    if water != waters.CLOSED and place.ship < 0 and place.unit < 0:
        return False
    if nation >= 0:
        happenings.record(world, event.SHIP_MET, nation, cell, 0)
        if place.ship >= 0:
            world.ships[place.ship].met |= 1 << nation
        if place.unit >= 0:
            world.units[place.unit].met |= 1 << nation
    return True
