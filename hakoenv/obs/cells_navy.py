"""Cells of interest at sea: what commands name, where own ships may go or fire, where shipments may go."""

from __future__ import annotations

from hakoenv.engine import hexgrid, view
from hakoenv.engine.codes import relation, terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import fleets, vessels
from hakoenv.engine.trade import partners
from hakoenv.engine.view import is_warship
from hakoenv.engine.world import FLEETS, World
from hakoenv.obs.arrays import Arrays, Scratch, add
from hakoenv.ruleset.compiled import Rules

_AROUND = 7  # places of a disc of one step
_DIRECTIONS = 6
_NOWHERE = -1
_WRECK_NEAR = 4  # steps from an own warship within which a wreck is of interest


@kernel
def add_goals(world: World, rules: Rules, n: int, out: Arrays, scratch: Scratch, occupied: int) -> None:
    """Add what naval commands name, away from the own ships.

    Water beside own naval ports; where fleets are bound; what warships may fire at, and wrecks near them; how
    far flagships sail in a turn in each direction; a port of each nation to deal with.
    """
    _add_berths(world, rules, n, out, scratch)
    _add_courses(world, n, out, scratch)
    for k in range(occupied):
        cell = int(scratch.occupied[k, 0])
        if is_own_warship(world, n, cell):
            _add_aims(world, rules, n, cell, out, scratch)
            _add_wrecks(world, n, cell, out, scratch)
    for number in range(FLEETS):
        flagship = int(world.fleets[n, number].flagship)
        if flagship >= 0:
            _add_reach(world, rules, n, flagship, out, scratch)
    _add_ports(world, n, out, scratch)


@kernel
def add_around_ships(world: World, n: int, out: Arrays, scratch: Scratch, occupied: int) -> None:
    """Add what lies within a step of own warships."""
    height, width = world.cells.shape
    for k in range(occupied):
        cell = int(scratch.occupied[k, 0])
        if is_own_warship(world, n, cell):
            for d in range(1, _AROUND):
                near = hexgrid.nth(width, height, cell, d)
                if near >= 0:
                    add(n, near, out, scratch.marks)


@kernel
def is_own_warship(world: World, n: int, cell: int) -> bool:
    """Whether a warship of the nation lies on a cell."""
    ship = int(world.cells.flat[cell].ship)
    return ship >= 0 and world.ships[ship].owner == n and is_warship(int(world.ships[ship].kind))


@kernel
def _add_berths(world: World, rules: Rules, n: int, out: Arrays, scratch: Scratch) -> None:
    """Add water beside own naval ports, where new ships appear (NAVY-095)."""
    height, width = world.cells.shape
    nation = world.nations[n]
    for k in range(nation.first, nation.first + nation.held):
        cell = int(world.territory[k])
        if world.cells.flat[cell].terrain != terrain.NAVAL_PORT:
            continue
        for d in range(1, _AROUND):
            near = hexgrid.nth(width, height, cell, d)
            if near < 0:
                continue
            ground = view.terrain_watched(world, rules, n, near, int(scratch.watch[view.WARSHIPS, near]))
            if ground == terrain.SEA or ground == terrain.SHALLOWS:
                add(n, near, out, scratch.marks)


@kernel
def _add_courses(world: World, n: int, out: Arrays, scratch: Scratch) -> None:
    """Add where own fleets are bound, first where they sail now (NAVY-056)."""
    for number in range(FLEETS):
        banner = world.fleets[n, number]
        goal = fleets.goal(banner)
        if goal >= 0:
            add(n, goal, out, scratch.marks)
        if banner.target >= 0:
            add(n, banner.target, out, scratch.marks)


@kernel
def _add_aims(world: World, rules: Rules, n: int, cell: int, out: Arrays, scratch: Scratch) -> None:
    """Add what the warship on a cell has within its fire range: enemies' cells, monsters, mines in sight."""
    height, width = world.cells.shape
    kind = int(world.ships[world.cells.flat[cell].ship].kind)
    reach = min(int(rules.ship_classes[kind].fire_range), hexgrid.MAX_RADIUS)
    for d in range(1, hexgrid.disc_size(reach)):
        near = hexgrid.nth(width, height, cell, d)
        if near < 0:
            continue
        owner = int(world.cells.flat[near].owner)
        ground = int(world.cells.flat[near].terrain)
        if ground != terrain.MONSTER and ground != terrain.NAVAL_MINE and (owner < 0 or owner == n):
            continue
        seen = view.terrain_watched(world, rules, n, near, int(scratch.watch[view.WARSHIPS, near]))
        hostile = owner >= 0 and owner != n and world.relations[n, owner].state == relation.WAR
        if seen == terrain.MONSTER or seen == terrain.NAVAL_MINE or (hostile and seen != terrain.SEA):
            add(n, near, out, scratch.marks)


@kernel
def _add_wrecks(world: World, n: int, cell: int, out: Arrays, scratch: Scratch) -> None:
    """Add the wrecks near the warship on a cell (NAVY-043)."""
    k = 0
    while scratch.wrecks[k, 1] > 0:
        wreck = int(scratch.wrecks[k, 0])
        if hexgrid.distance(world.cells.shape[1], cell, wreck) <= _WRECK_NEAR:
            add(n, wreck, out, scratch.marks)
        k += 1


@kernel
def _add_reach(world: World, rules: Rules, n: int, ship: int, out: Arrays, scratch: Scratch) -> None:
    """Add the cells that lie as far from a ship as it sails in a turn, straight in each direction."""
    height, width = world.cells.shape
    start = int(world.ships[ship].cell)
    steps = min(vessels.speed(world, rules, ship), hexgrid.MAX_RADIUS)
    if steps < 1:
        return
    for side in range(_DIRECTIONS):  # a ring begins in the first direction, and turns after `steps` cells
        far = hexgrid.nth(width, height, start, hexgrid.disc_size(steps - 1) + side * steps)
        if far >= 0:
            add(n, far, out, scratch.marks)


@kernel
def _add_ports(world: World, n: int, out: Arrays, scratch: Scratch) -> None:
    """Add of each nation that the own one may deal with the port nearest its capital (command 94)."""
    if world.nations[n].capital < 0:
        return
    nearest = scratch.ports
    seats, width = world.nations.shape[0], world.cells.shape[1]
    for other in range(seats):
        nearest[other, 0] = nearest[other, 1] = _NOWHERE
    for h in range(world.harbours.shape[0]):
        cell = int(world.harbours[h].cell)
        if cell < 0 or world.cells.flat[cell].terrain != terrain.PORT or world.cells.flat[cell].owner < 0:
            continue
        other = int(world.cells.flat[cell].owner)
        steps = hexgrid.distance(width, int(world.nations[n].capital), cell)
        far = int(nearest[other, 1])
        if far < 0 or steps < far or (steps == far and cell < nearest[other, 0]):
            nearest[other, 0] = cell
            nearest[other, 1] = steps
    for place in range(1, seats):
        other = (n + place) % seats
        if nearest[other, 0] >= 0 and partners.may_deal(world, n, other):
            add(n, int(nearest[other, 0]), out, scratch.marks)
