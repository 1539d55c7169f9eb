"""Missiles of the rule AI: where a rich nation has bases, and what they fire at. All ours.

In war they stand near the front and fire at what is worth most; they also kill monsters that tread down the
nation's own land, which nothing else can fight there.
"""

from __future__ import annotations

from hakoenv.agents.rule_ai import defence, sites, worth
from hakoenv.agents.rule_ai.orders import write
from hakoenv.agents.rule_ai.staff import NOTHING, Staff, front

from hakoenv.engine import hexgrid, view
from hakoenv.engine.codes import command, item, terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import monsters
from hakoenv.engine.missiles import bases
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

_ALL = 0  # shots: as many as the bases in range allow


@kernel
def build_base(world: World, rules: Rules, n: int, staff: Staff) -> bool:
    """A missile base near the front or near a monster while there is money for what it fires."""
    s = rules.scalars[0]
    head = staff.head[0]
    if world.nations[n].treasury[item.FUNDS] < s.ai_missile_funds:
        return False
    built = sites.count_own(world, n, int(terrain.MISSILE_BASE))
    goal = NOTHING
    if head.rivals & head.neighbours and built < s.ai_missile_bases:
        goal = front(world, staff, int(world.nations[n].capital))
    elif built == 0:
        goal = _monster(world, n)
    if goal < 0:
        return False
    place = defence.depot_site(world, rules, n, staff, defence.EVERYWHERE, goal)
    if place < 0 or hexgrid.distance(world.cells.shape[1], place, goal) >= rules.missile_base[0, 0].range:
        return False
    return write(world, rules, n, command.MISSILE_BASE, place, 0)


@kernel
def fire(world: World, rules: Rules, n: int, staff: Staff) -> bool:
    """Fire at a monster on own land, or at the best enemy hex or unit in range; the troops keep their ammo.

    The missile that scatters least of those affordable, never where it could come down on own land.
    """
    if sites.count_own(world, n, int(terrain.MISSILE_BASE)) == 0:
        return False
    for k in range(rules.missiles.shape[0] - 1, -1, -1):
        missile = rules.missiles[k]
        if not _is_affordable(world, rules, n, k):
            continue
        target, shots = NOTHING, _ALL
        if missile.scatter == 0 and missile.monster_damage > 0:
            target, shots = _haunted(world, rules, n, k), 1
        if target < 0 and staff.head[0].enemies:
            target, shots = _target(world, rules, n, staff, k), _ALL
        if target >= 0 and write(world, rules, n, int(missile.command), target, shots):
            return True
    return False


@kernel
def _is_affordable(world: World, rules: Rules, n: int, k: int) -> bool:
    s = rules.scalars[0]
    stock = world.nations[n].treasury
    missile = rules.missiles[k]
    enough = stock[item.AMMO] >= s.ai_army_stock + missile.ammo
    return bool(enough and stock[item.FUNDS] >= s.ai_missile_funds + missile.cost)


@kernel
def _monster(world: World, n: int) -> int:
    """The first own cell that a monster stands on, -1 none."""
    nation = world.nations[n]
    for k in range(nation.first, nation.first + nation.held):
        i = int(world.territory[k])
        if world.cells.flat[i].terrain == terrain.MONSTER:
            return i
    return NOTHING


@kernel
def _haunted(world: World, rules: Rules, n: int, k: int) -> int:
    """The first own cell with a monster that a kind of missile reaches and can hurt next turn, -1 none."""
    nation = world.nations[n]
    turn = int(world.clock[0].turn) + 1
    for m in range(nation.first, nation.first + nation.held):
        i = int(world.territory[m])
        if world.cells.flat[i].terrain == terrain.MONSTER and not monsters.is_hardened(world, rules, i, turn):
            for b in range(nation.first, nation.first + nation.held):
                if bases.shots_at(world, rules, n, int(world.territory[b]), i, k) > 0:
                    return i
    return NOTHING


@kernel
def _target(world: World, rules: Rules, n: int, staff: Staff, k: int) -> int:
    """The enemy hex that is worth most to hit with a kind of missile, -1 none; ties: lowest index."""
    nation = world.nations[n]
    height, width = world.cells.shape
    missile = rules.missiles[k]
    best, most = NOTHING, rules.scalars[0].ai_missile_worth
    for b in range(nation.first, nation.first + nation.held):
        base = int(world.territory[b])
        if world.cells.flat[base].terrain != terrain.MISSILE_BASE:
            continue
        for place in range(hexgrid.disc_size(hexgrid.MAX_RADIUS)):
            i = hexgrid.nth(width, height, base, place)
            owner = view.owner(world, rules, n, i) if i >= 0 else NOTHING
            if owner < 0 or not (staff.head[0].enemies >> owner) & 1:
                continue
            value = worth.of_hex(world, rules, n, i) if missile.facility_hits > 0 else 0
            for f in range(staff.head[0].foes):
                if staff.foes[f].cell == i:
                    value += staff.foes[f].worth
            if value < most or (value == most and (best < 0 or i >= best)):
                continue
            if bases.shots_at(world, rules, n, base, i, k) > 0 and _is_clear(
                world, n, i, int(missile.scatter)
            ):
                best, most = i, value
    return best


@kernel
def _is_clear(world: World, n: int, cell: int, radius: int) -> bool:
    """Whether no own cell lies where a missile aimed at a cell may come down."""
    height, width = world.cells.shape
    for k in range(hexgrid.disc_size(radius)):
        near = hexgrid.nth(width, height, cell, k)
        if near >= 0 and world.cells.flat[near].owner == n:
            return False
    return True
