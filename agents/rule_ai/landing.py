"""Landings of the rule AI in war: troops go by ship to a coast that no border leads to. All of it is ours.

Each destroyer that is free for it carries one unit that can occupy. The ships wait for those that are still
on their way to the shore, sail, and land on hexes of the enemy where nobody is seen, near what is worth most;
from there `marching` leads the units on.
"""

from __future__ import annotations

from hakoenv.agents.rule_ai import ferry, fleet, worth
from hakoenv.agents.rule_ai.staff import FREE, NEIGHBOURS, NOTHING, SENT, Staff

from hakoenv.engine import hexgrid, territory, view
from hakoenv.engine.codes import ship_class, terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import movement
from hakoenv.engine.navy import fleets
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

_LAST_LIFT = 14  # fleets of ships that carry troops or reserves: `fleet.FIRST_LIFT` to this, a ship each
_FRONT = 3  # a unit so near enemy land is where it should be


@kernel
def appoint(world: World, rules: Rules, n: int, staff: Staff) -> None:
    """Say which ships carry troops: where no border leads to a rival, or many units have nothing to do."""
    s = rules.scalars[0]
    head = staff.head[0]
    idle = 0
    for m in range(head.men):
        idle += staff.men[m].task == FREE
    wants = bool(head.rivals & ~head.neighbours) or (head.enemies > 0 and idle >= s.ai_landing_spare)
    for h in range(head.hulls):
        hull = staff.hulls[h]
        if wants and hull.role == fleet.STRIKE and hull.kind == ship_class.DESTROYER:
            if rules.ship_classes[hull.kind].capacity_strength >= s.ai_landing_strength:
                hull.role = fleet.LIFT
        head.lifts += hull.role == fleet.LIFT


@kernel
def lead(world: World, rules: Rules, n: int, staff: Staff) -> None:
    """Fetch units, carry them over and land them; in peace bring home whoever is aboard."""
    head = staff.head[0]
    if head.lifts == 0:
        return
    coming = empty = aboard = 0
    for h in range(head.hulls):
        hull = staff.hulls[h]
        aboard += hull.cargo >= 0
        if hull.role == fleet.LIFT:
            give_fleet(world, rules, n, staff, h)
            if hull.cargo < 0:
                empty += 1
                coming += _fill(world, rules, n, staff, h)
    if empty > coming and head.fielded > head.men + aboard:
        coming += 1  # a unit that this plan places may come along
    head.walks += 1  # marks the hexes that are taken by this plan
    for h in range(head.hulls):
        hull = staff.hulls[h]
        if hull.role != fleet.LIFT or hull.cargo < 0:
            continue
        if head.enemies and coming > 0 and _is_by_own_land(world, rules, n, int(hull.cell)):
            continue
        goal = _beach(world, rules, n, staff, h, int(hull.cargo)) if head.enemies else NOTHING
        if goal < 0:
            goal = _own_shore(world, rules, n, staff, h, int(hull.cargo))
        if goal >= 0:
            staff.seen[goal] = head.walks
            ferry.carry(world, rules, n, staff, h, goal)


@kernel
def give_fleet(world: World, rules: Rules, n: int, staff: Staff, h: int) -> None:
    """A ship that carries troops, or reserves, is a fleet of its own."""
    hull = staff.hulls[h]
    if fleet.FIRST_LIFT <= hull.fleet <= _LAST_LIFT:
        return
    for number in range(fleet.FIRST_LIFT, _LAST_LIFT + 1):
        free = fleets.size(world, n, number) == 0
        for k in range(staff.head[0].hulls):
            free = free and staff.hulls[k].fleet != number
        if free and ferry.assign(world, rules, n, staff, h, number):
            return


@kernel
def _fill(world: World, rules: Rules, n: int, staff: Staff, h: int) -> int:
    """Fetch a unit for an empty ship, or send the ship home; 1 if a unit is still on its way to the shore."""
    hull = staff.hulls[h]
    m = _passenger(world, rules, n, staff, h) if staff.head[0].enemies else NOTHING
    staff.head[0].walks += 1
    if m >= 0 and _beach(world, rules, n, staff, h, int(staff.men[m].unit)) >= 0:
        steps = int(rules.scalars[0].ai_landing_walk)
        if ferry.fetch(world, rules, n, staff, m, h, steps):
            if hull.cargo >= 0:
                return 0
            staff.men[m].task = SENT
            if staff.men[m].goal < 0:
                staff.men[m].goal = staff.men[m].cell
            return 1
    fleet.sail_home(world, rules, n, staff, h)
    return 0


@kernel
def _passenger(world: World, rules: Rules, n: int, staff: Staff, h: int) -> int:
    """The unit without a task nearest to a ship that can occupy and is no less than a landing wants; -1 none.

    Not who stands at the front already. Ties: the oldest.
    """
    s = rules.scalars[0]
    hull = staff.hulls[h]
    most = rules.ship_classes[hull.kind].capacity_strength
    best, least = NOTHING, int(s.ai_strike_reach) + 1
    for m in range(staff.head[0].men):
        man = staff.men[m]
        if man.task != FREE or man.strength < s.ai_landing_strength or man.strength > most:
            continue
        away = hexgrid.distance(world.cells.shape[1], int(man.cell), int(hull.cell))
        if rules.unit_types[man.type].occupation == 0 or away >= least or _is_nearer(world, staff, m, h):
            continue
        if not _is_at_front(world, rules, n, staff, int(man.cell)):
            best, least = m, away
    return best


@kernel
def _is_nearer(world: World, staff: Staff, m: int, h: int) -> bool:
    """Whether another empty ship is nearer to a unit."""
    width = world.cells.shape[1]
    away = hexgrid.distance(width, int(staff.men[m].cell), int(staff.hulls[h].cell))
    for k in range(staff.head[0].hulls):
        hull = staff.hulls[k]
        if k != h and hull.role == fleet.LIFT and hull.cargo < 0:
            if hexgrid.distance(width, int(staff.men[m].cell), int(hull.cell)) < away:
                return True
    return False


@kernel
def _is_at_front(world: World, rules: Rules, n: int, staff: Staff, cell: int) -> bool:
    """Whether enemy land lies near a cell."""
    height, width = world.cells.shape
    for k in range(hexgrid.disc_size(_FRONT)):
        near = hexgrid.nth(width, height, cell, k)
        if near >= 0:
            owner = view.owner(world, rules, n, near)
            if owner >= 0 and (staff.head[0].enemies >> owner) & 1:
                return True
    return False


@kernel
def _is_by_own_land(world: World, rules: Rules, n: int, cell: int) -> bool:
    """Whether own land lies beside a cell."""
    height, width = world.cells.shape
    for k in range(1, NEIGHBOURS):
        near = hexgrid.nth(width, height, cell, k)
        if near >= 0 and world.cells.flat[near].owner == n and territory.is_land(world, rules, near):
            return True
    return False


@kernel
def _beach(world: World, rules: Rules, n: int, staff: Staff, h: int, unit: int) -> int:
    """The enemy's hex to land a unit on, -1 none: worth most with what lies around it, less the way there.

    A ship on its way to one, or beside one, keeps to it. Ties: lowest index.
    """
    hull = staff.hulls[h]
    height, width = world.cells.shape
    aim = ferry.target_of(world, n, staff, h)
    best, most = NOTHING, 0
    for around in range(2):
        centre = aim if around == 0 else int(hull.cell)
        for k in range(1, NEIGHBOURS):
            near = hexgrid.nth(width, height, centre, k) if centre >= 0 else NOTHING
            if near >= 0 and _admits(world, rules, n, staff, unit, near):
                value = _value(world, rules, n, staff, near)
                if best < 0 or value > most:
                    best, most = near, value
        if best >= 0:
            return best
    ferry.chart_from(world, rules, n, staff, h, int(rules.scalars[0].ai_strike_reach))
    for b in range(world.nations.shape[0]):
        if not (staff.head[0].enemies >> b) & 1:
            continue
        for k in range(world.nations[b].first, world.nations[b].first + world.nations[b].held):
            i = int(world.territory[k])
            away = ferry.miles_to(world, rules, n, staff, int(hull.kind), i)
            if away < 0 or not _admits(world, rules, n, staff, unit, i):
                continue
            value = _value(world, rules, n, staff, i) - away * rules.scalars[0].ai_value_land
            if best < 0 or value > most or (value == most and i < best):
                best, most = i, value
    return best


@kernel
def _admits(world: World, rules: Rules, n: int, staff: Staff, unit: int, cell: int) -> bool:
    """Whether a unit can land on a cell: enemy land where nobody is seen, not yet taken by this plan."""
    owner = view.owner(world, rules, n, cell)
    if owner < 0 or not (staff.head[0].enemies >> owner) & 1 or not territory.is_land(world, rules, cell):
        return False
    if staff.seen[cell] == staff.head[0].walks or view.terrain(world, rules, n, cell) == terrain.MONSTER:
        return False
    return view.unit(world, rules, n, cell) < 0 and movement.pace_on(world, rules, n, unit, cell) > 0


@kernel
def _value(world: World, rules: Rules, n: int, staff: Staff, cell: int) -> int:
    """What a landing on a hex is worth: twice the hex, the enemy's hexes around it, less units seen near."""
    height, width = world.cells.shape
    value = 0
    for k in range(NEIGHBOURS):
        near = hexgrid.nth(width, height, cell, k)
        owner = view.owner(world, rules, n, near) if near >= 0 else NOTHING
        if owner >= 0 and (staff.head[0].enemies >> owner) & 1:
            value += worth.of_hex(world, rules, n, near) * (2 if k == 0 else 1)
    for f in range(staff.head[0].foes):
        if hexgrid.distance(width, cell, int(staff.foes[f].cell)) <= rules.scalars[0].ai_support_radius:
            value -= int(staff.foes[f].worth)
    return int(value)


@kernel
def _own_shore(world: World, rules: Rules, n: int, staff: Staff, h: int, unit: int) -> int:
    """The own hex nearest by sea where a unit can go ashore, -1 none; ties: lowest index."""
    height, width = world.cells.shape
    count = ferry.chart_from(world, rules, n, staff, h, int(rules.scalars[0].ai_strike_reach))
    best, least = NOTHING, 0
    for k in range(count):
        cell = int(staff.queue[k])
        if best >= 0 and staff.miles[cell] > least:
            break
        for direction in range(1, NEIGHBOURS):
            near = hexgrid.nth(width, height, cell, direction)
            if near < 0 or world.cells.flat[near].owner != n or not territory.is_land(world, rules, near):
                continue
            taken = view.unit(world, rules, n, near) >= 0 or staff.seen[near] == staff.head[0].walks
            if not taken and movement.pace_on(world, rules, n, unit, near) > 0 and (best < 0 or near < best):
                best, least = near, int(staff.miles[cell])
    return best
