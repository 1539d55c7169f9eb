"""Missiles of the rule AI: bases near the front of a rich nation in war, and what they fire at. All ours."""

from __future__ import annotations

from hakoenv.agents.rule_ai import defence, sites, worth
from hakoenv.agents.rule_ai.orders import write
from hakoenv.agents.rule_ai.staff import NOTHING, Staff, front

from hakoenv.engine import hexgrid, view
from hakoenv.engine.codes import command, item, terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.missiles import bases
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

_ALL = 0  # shots: as many as the bases in range allow


@kernel
def build_base(world: World, rules: Rules, n: int, staff: Staff) -> bool:
    """A missile base near the front while there is money for what it fires."""
    s = rules.scalars[0]
    head = staff.head[0]
    if not head.rivals & head.neighbours or world.nations[n].treasury[item.FUNDS] < s.ai_missile_funds:
        return False
    if sites.count_own(world, n, int(terrain.MISSILE_BASE)) >= s.ai_missile_bases:
        return False
    goal = front(world, staff, int(world.nations[n].capital))
    place = defence.depot_site(world, rules, n, staff, defence.EVERYWHERE, goal)
    if place < 0 or hexgrid.distance(world.cells.shape[1], place, goal) >= rules.missile_base[0, 0].range:
        return False
    return write(world, rules, n, command.MISSILE_BASE, place, 0)


@kernel
def fire(world: World, rules: Rules, n: int, staff: Staff) -> bool:
    """Fire at the best enemy hex or unit in range, with the missile that scatters least of those affordable.

    Never where it could come down on own land; ammo that the troops need is kept.
    """
    s = rules.scalars[0]
    nation = world.nations[n]
    if not staff.head[0].enemies or sites.count_own(world, n, int(terrain.MISSILE_BASE)) == 0:
        return False
    for k in range(rules.missiles.shape[0] - 1, -1, -1):
        missile = rules.missiles[k]
        if nation.treasury[item.AMMO] < s.ai_army_stock + missile.ammo:
            continue
        if nation.treasury[item.FUNDS] < s.ai_missile_funds + missile.cost:
            continue
        target = _target(world, rules, n, staff, k)
        if target >= 0 and write(world, rules, n, int(missile.command), target, _ALL):
            return True
    return False


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
