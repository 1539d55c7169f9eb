"""How the rule AI finds its way at sea, and carries a unit over: fetch it, sail, land it.

All of it is seen with the nation's eyes: depth of water is on every chart (`waters.way`), ships and units of
others only where they are in sight.
"""

from __future__ import annotations

from hakoenv.agents.rule_ai import orders
from hakoenv.agents.rule_ai.orders import write
from hakoenv.agents.rule_ai.staff import BOUND, NEIGHBOURS, NOTHING, Staff

from hakoenv.engine import hexgrid, view
from hakoenv.engine.codes import command
from hakoenv.engine.commands import fleet_orders
from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import movement
from hakoenv.engine.navy import waters
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def chart(world: World, rules: Rules, n: int, staff: Staff, kind: int, sources: int, limit: int) -> int:
    """Measure how far a class of ship sails from the first ``sources`` cells of the queue.

    Returns:
        How many cells of the queue it reached within ``limit``, the nearest first: each has the number of the
        chart in `charted` and its distance in `miles`. Ports are crossed; known mines are not.
    """
    height, width = world.cells.shape
    head = staff.head[0]
    head.charts += 1
    last = 0
    for k in range(sources):
        cell = int(staff.queue[k])
        if staff.charted[cell] != head.charts:
            staff.charted[cell], staff.miles[cell] = head.charts, 0
            staff.queue[last] = cell
            last += 1
    first = 0
    while first < last:
        cell = int(staff.queue[first])
        first += 1
        if staff.miles[cell] >= limit:
            break
        for direction in range(1, NEIGHBOURS):
            near = hexgrid.nth(width, height, cell, direction)
            if near < 0 or staff.charted[near] == head.charts:
                continue
            found = waters.way(world, rules, n, n, kind, near)
            if found == waters.OPEN or found == waters.PASSAGE:
                staff.charted[near], staff.miles[near] = head.charts, staff.miles[cell] + 1
                staff.queue[last] = near
                last += 1
    return last


@kernel
def chart_from(world: World, rules: Rules, n: int, staff: Staff, h: int, limit: int) -> int:
    """`chart` from where an own ship lies."""
    staff.queue[0] = staff.hulls[h].cell
    return chart(world, rules, n, staff, int(staff.hulls[h].kind), 1, limit)


@kernel
def is_charted(staff: Staff, cell: int) -> bool:
    """Whether the last chart reached a cell."""
    return bool(staff.charted[cell] == staff.head[0].charts)


@kernel
def is_berth(world: World, rules: Rules, n: int, kind: int, cell: int, ship: int) -> bool:
    """Whether a class of ship can lie on a cell where no other ship or unit than ``ship`` (-1) is seen."""
    if waters.way(world, rules, n, n, kind, cell) != waters.OPEN or view.unit(world, rules, n, cell) >= 0:
        return False
    found = view.ship(world, rules, n, cell)
    return bool(found < 0 or found == ship)


@kernel
def touches_water(world: World, rules: Rules, n: int, kind: int, cell: int) -> bool:
    """Whether open water for a class of ship lies beside a cell."""
    height, width = world.cells.shape
    for direction in range(1, NEIGHBOURS):
        near = hexgrid.nth(width, height, cell, direction)
        if near >= 0 and waters.way(world, rules, n, n, kind, near) == waters.OPEN:
            return True
    return False


@kernel
def miles_to(world: World, rules: Rules, n: int, staff: Staff, kind: int, cell: int) -> int:
    """Cells sailed on the last chart to open water beside a cell, -1 if it reached none."""
    height, width = world.cells.shape
    best = NOTHING
    for direction in range(1, NEIGHBOURS):
        near = hexgrid.nth(width, height, cell, direction)
        if near < 0 or not is_charted(staff, near):
            continue
        if waters.way(world, rules, n, n, kind, near) == waters.OPEN:
            if best < 0 or staff.miles[near] < best:
                best = int(staff.miles[near])
    return best


@kernel
def side_of(world: World, cell: int, goal: int) -> int:
    """The direction from a cell to one beside it, 0 if it is not beside it."""
    height, width = world.cells.shape
    for direction in range(1, NEIGHBOURS):
        if hexgrid.nth(width, height, cell, direction) == goal:
            return direction
    return 0


@kernel
def target_of(world: World, n: int, staff: Staff, h: int) -> int:
    """Where a ship's fleet is bound for in the end, -1 nowhere or without fleet."""
    fleet = int(staff.hulls[h].fleet)
    return int(world.fleets[n, fleet].target) if fleet >= 0 else NOTHING


@kernel
def sail(world: World, rules: Rules, n: int, staff: Staff, h: int, cell: int) -> None:
    """Set the target of a ship's fleet, unless it is set already or the ship is about to change fleets."""
    hull = staff.hulls[h]
    if hull.moves or hull.fleet < 0 or hull.cell == cell or target_of(world, n, staff, h) == cell:
        return
    write(world, rules, n, command.FLEET_MOVE, cell, int(fleet_orders.TARGET + hull.fleet))


@kernel
def halt(world: World, rules: Rules, n: int, staff: Staff, h: int) -> None:
    """Clear the target of a ship's fleet."""
    hull = staff.hulls[h]
    if not hull.moves and target_of(world, n, staff, h) >= 0:
        write(world, rules, n, command.FLEET_MOVE, int(hull.cell), int(fleet_orders.CLEAR + hull.fleet))


@kernel
def assign(world: World, rules: Rules, n: int, staff: Staff, h: int, fleet: int) -> bool:
    """Send a ship into a fleet of its nation; whether it belongs there by the end of the plan."""
    hull = staff.hulls[h]
    if hull.fleet == fleet:
        return True
    if hull.moves or not write(world, rules, n, command.FORM_FLEET, int(hull.cell), fleet):
        return False
    hull.fleet, hull.moves = fleet, 1
    return True


@kernel
def sail_beside(world: World, rules: Rules, n: int, staff: Staff, h: int, goal: int) -> bool:
    """Sail to the nearest free water beside a cell; false if there is no way.

    A ship that is on its way to such a place goes on.
    """
    hull = staff.hulls[h]
    kind, ship = int(hull.kind), int(hull.ship)
    target = target_of(world, n, staff, h)
    if side_of(world, int(hull.cell), goal) > 0:
        return True
    if target >= 0 and side_of(world, target, goal) > 0 and is_berth(world, rules, n, kind, target, ship):
        return True
    chart_from(world, rules, n, staff, h, int(rules.scalars[0].ai_strike_reach))
    height, width = world.cells.shape
    best = NOTHING
    for direction in range(1, NEIGHBOURS):
        near = hexgrid.nth(width, height, goal, direction)
        if near < 0 or not is_charted(staff, near) or not is_berth(world, rules, n, kind, near, ship):
            continue
        if best < 0 or staff.miles[near] < staff.miles[best]:
            best = near
    if best < 0:
        return False
    sail(world, rules, n, staff, h, best)
    return True


@kernel
def meet(world: World, rules: Rules, n: int, staff: Staff, m: int, h: int, limit: int) -> bool:
    """Find where a unit and a ship can meet: `head.shore`, where the unit walks, and `head.quay` beside it.

    The nearest coast for the unit; of equally near ones that nearest to the ship.
    """
    head = staff.head[0]
    hull = staff.hulls[h]
    kind, ship = int(hull.kind), int(hull.ship)
    height, width = world.cells.shape
    start = int(staff.men[m].cell)
    chart_from(world, rules, n, staff, h, int(rules.scalars[0].ai_strike_reach))
    head.walks += 1
    head.shore = head.quay = NOTHING
    staff.seen[start] = head.walks
    staff.queue[0] = start
    first, last, steps = 0, 1, 0
    while first < last and steps <= limit and head.shore < 0:
        end = last
        for k in range(first, end):
            cell = int(staff.queue[k])
            for direction in range(1, NEIGHBOURS):
                near = hexgrid.nth(width, height, cell, direction)
                if near < 0:
                    continue
                if is_charted(staff, near) and is_berth(world, rules, n, kind, near, ship):
                    if head.quay < 0 or staff.miles[near] < staff.miles[head.quay]:
                        head.shore, head.quay = cell, near
                elif staff.seen[near] != head.walks:
                    if movement.step_value(world, rules, n, int(staff.men[m].unit), cell, near) > 0:
                        staff.seen[near] = head.walks
                        staff.queue[last] = near
                        last += 1
        first = end
        steps += 1
    return bool(head.shore >= 0)


@kernel
def fetch(world: World, rules: Rules, n: int, staff: Staff, m: int, h: int, limit: int) -> bool:
    """Bring a unit and a ship together and take the unit aboard; false if they can't meet.

    The unit's goal is set: `marching` leads it. Once it is aboard, the plan counts it as cargo.
    """
    man = staff.men[m]
    hull = staff.hulls[h]
    side = side_of(world, int(hull.cell), int(man.cell))
    if side > 0 and write(world, rules, n, command.EMBARK, int(hull.cell), side):
        hull.cargo = man.unit
        man.task, man.goal = BOUND, NOTHING  # so that its corps does not march off where it lands
        return True
    target = target_of(world, n, staff, h)
    waits = target >= 0 and side_of(world, target, int(man.cell)) > 0
    if waits and is_berth(world, rules, n, int(hull.kind), target, int(hull.ship)):
        return True
    if not meet(world, rules, n, staff, m, h, limit):
        return False
    if staff.head[0].shore != man.cell:
        man.goal = staff.head[0].shore
    sail(world, rules, n, staff, h, int(staff.head[0].quay))
    return True


@kernel
def carry(world: World, rules: Rules, n: int, staff: Staff, h: int, goal: int) -> bool:
    """Sail to a coastal hex and land the unit aboard there; whether it has been landed."""
    hull = staff.hulls[h]
    side = side_of(world, int(hull.cell), goal)
    if side > 0 and orders.allowed(world, rules, n, command.DISEMBARK, int(hull.cell), side):
        return write(world, rules, n, command.DISEMBARK, int(hull.cell), side)
    sail_beside(world, rules, n, staff, h, goal)
    return False
