"""How the rule AI steers its units: orders and directions of their corps (AI-050, AI-089).

Every unit walks over the cells that it may enter as its nation sees them, up to some steps, and takes the
first step toward the one that is worth most to its task. A corps has one order; where units share one, it
stays if one of them is bound, else the oldest decides.
"""

from __future__ import annotations

from hakoenv.agents.rule_ai import worth
from hakoenv.agents.rule_ai.orders import set_corps
from hakoenv.agents.rule_ai.staff import BOUND, FREE, NEIGHBOURS, Staff, front

from hakoenv.engine import hexgrid, view
from hakoenv.engine.codes import corps_order, terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import movement
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

_FAR = 1 << 30  # more than any worth or distance


@kernel
def steer(world: World, rules: Rules, n: int, staff: Staff) -> None:
    """Order every corps that has a unit, where its order differs from the present one (AI-089)."""
    head = staff.head[0]
    for k in range(2 * head.men):  # first those that stay where they are bound
        man = staff.men[k % head.men]
        stays = man.task == BOUND and man.goal < 0
        if stays != (k < head.men) or (head.ordered >> man.corps) & 1:
            continue
        order, direction = int(corps_order.DEFEND), 0
        if man.task == FREE and not head.rivals:
            if is_long_over(world, rules, n):
                order = int(corps_order.RETREAT)
        elif not stays:
            direction = _walk(world, rules, n, staff, k % head.men)
            if direction > 0:
                order = int(corps_order.ATTACK if head.enemies else corps_order.MOVE)
        head.ordered |= 1 << int(man.corps)
        set_corps(world, rules, n, int(man.corps), order, direction)


@kernel
def is_long_over(world: World, rules: Rules, n: int) -> bool:
    """Whether peace has lasted so long that units without a task go home into the reserves."""
    last = int(world.nations[n].founded)
    for b in range(world.nations.shape[0]):
        last = max(last, int(world.relations[n, b].since))
    return bool(world.clock[0].turn - last >= rules.scalars[0].ai_disband_turns)


@kernel
def _walk(world: World, rules: Rules, n: int, staff: Staff, m: int) -> int:
    """The direction of a unit's first step toward the best cell it can reach; 0 if it is there.

    With a goal the cell nearest to it is the best. Without one, in war: that of the highest worth within the
    reach of the rule, else the one nearest to enemy land. Ties: fewer steps, lower first direction.
    """
    s = rules.scalars[0]
    head = staff.head[0]
    man = staff.men[m]
    height, width = world.cells.shape
    fights = man.goal < 0
    target = front(world, staff, int(man.cell)) if fights else int(man.goal)
    limit = max(int(s.ai_march_steps), int(s.ai_war_reach))
    start = int(man.cell)
    head.walks += 1
    staff.seen[start] = head.walks
    staff.way[start] = 0
    staff.queue[0] = start
    best, best_score, chosen = 0, 0, start
    first, last, steps = 0, 1, 0
    while first < last and steps <= limit:
        end = last
        for k in range(first, end):
            cell = int(staff.queue[k])
            value = _worth(world, rules, n, staff, m, cell) if fights and steps <= s.ai_war_reach else 0
            if value > 0:
                score = _FAR + value
            elif value < 0:
                score = value - _FAR
            else:
                score = -hexgrid.distance(width, cell, target)
                if steps == 0 and view.terrain(world, rules, n, cell) == terrain.DEPOT:
                    score -= 1
            if k == 0 or score > best_score:
                best, best_score, chosen = int(staff.way[cell]), score, cell
            if steps == limit:
                continue
            for direction in range(1, NEIGHBOURS):
                near = hexgrid.nth(width, height, cell, direction)
                if near < 0 or staff.seen[near] == head.walks:
                    continue
                if movement.step_value(world, rules, n, int(man.unit), cell, near) == 0:
                    continue
                staff.seen[near] = head.walks
                staff.way[near] = direction if steps == 0 else staff.way[cell]
                staff.queue[last] = near
                last += 1
        first = end
        steps += 1
    man.goal = chosen
    return best


@kernel
def _worth(world: World, rules: Rules, n: int, staff: Staff, m: int, cell: int) -> int:
    """What it is worth for a unit to stand on a cell in war (AI-050).

    An enemy hex that it can occupy and no other unit is on its way to, and enemy units within its reach
    that may be attacked. Beside one that is too strong the worth is negative; artillery keeps its distance.
    """
    s = rules.scalars[0]
    head = staff.head[0]
    kind = rules.unit_types[staff.men[m].type]
    value = 0
    owner = view.owner(world, rules, n, cell)
    if kind.occupation > 0 and owner >= 0 and (head.enemies >> owner) & 1:
        value = s.ai_value_land + worth.of_hex(world, rules, n, cell)
        for k in range(m):
            if staff.men[k].goal == cell:
                value = 0
    for f in range(head.foes):
        foe = staff.foes[f]
        away = hexgrid.distance(world.cells.shape[1], cell, int(foe.cell))
        shells = kind.artillery > 0 and s.army_reach < away <= s.army_reach_artillery
        dares = max(staff.men[m].strength, foe.faced) >= foe.strength and kind.artillery == 0
        if shells or (away == s.army_reach and dares):
            value += foe.worth
        elif away == s.army_reach:
            value -= foe.worth
    return int(value)
