"""Land routes to mates overseas: ownerless land is taken until own land touches theirs (AID-031, AID-032).

Over ownerless hexes the way to a mate's land is measured from there. Where own land touches such a hex, the
nearest to the mate is taken, one a turn; else marines are shipped to the nearest landing place, as any
expansion overseas is (`overseas`), and the route goes on from there. Once the lands touch, reserves go by
land.
"""

from __future__ import annotations

from hakoenv.agents.rule_ai import aid, expanding, ferry, frontier, orders, outer_sea, overseas, shipyard
from hakoenv.agents.rule_ai.staff import NEIGHBOURS, NOTHING, Staff

from hakoenv.engine import hexgrid, territory, view
from hakoenv.engine.codes import command, terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import waters
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def explore(world: World, rules: Rules, n: int, staff: Staff) -> None:
    """Look for a land route to the neediest mate that one can lead to: `head.route`, `head.landing`."""
    head = staff.head[0]
    mates = aid.by_sea_only(staff)
    if world.clock[0].ownerless_land == 0:
        return
    while mates and head.route < 0 and head.landing < 0:
        b = aid.neediest(world, mates)
        count = _measure(world, rules, n, staff, b)
        if count > 0:
            head.route = _next_hex(world, rules, n, staff, count)
            head.landing = _landing(world, rules, n, staff)
        mates &= ~(1 << b)


@kernel
def build(world: World, rules: Rules, n: int, staff: Staff) -> bool:
    """Take the next hex of the route, else begin the landing by its first missing step, to send reserves."""
    head = staff.head[0]
    if aid.amount(world, rules, n, staff) == 0:
        return False
    if head.route >= 0 and _take(world, rules, n, int(head.route)):
        return True
    if head.landing < 0 or not overseas.may_start(world, rules, n, staff):
        return False
    return overseas.begin(world, rules, n, staff, int(head.landing))


@kernel
def _take(world: World, rules: Rules, n: int, cell: int) -> bool:
    """Take an ownerless hex beside own land as any expansion does (AI-034)."""
    what = frontier.taking(world, rules, n, cell)
    if what == command.PLANT_FOREST:
        return expanding.settle_plains(world, rules, n, cell)
    return what >= 0 and orders.write(world, rules, n, what, cell, 0)


# ------------------------------------------------------------------ the way


@kernel
def _measure(world: World, rules: Rules, n: int, staff: Staff, b: int) -> int:
    """Measure the way to a mate's land over ownerless hexes; return how many of the queue it reached.

    `seen` marks them, `way` says how many must be taken, that hex included.
    """
    height, width = world.cells.shape
    head = staff.head[0]
    head.walks += 1
    last = 0
    for k in range(world.nations[b].first, world.nations[b].first + world.nations[b].held):
        i = int(world.territory[k])
        if world.cells.flat[i].owner == b and territory.is_land(world, rules, i):
            last = _spread(world, rules, n, staff, i, 1, last)
    first = 0
    while first < last:
        cell = int(staff.queue[first])
        first += 1
        if staff.way[cell] < rules.scalars[0].ai_land_route_steps:
            last = _spread(world, rules, n, staff, cell, int(staff.way[cell]) + 1, last)
    return last


@kernel
def _spread(world: World, rules: Rules, n: int, staff: Staff, cell: int, way: int, last: int) -> int:
    """Add the ownerless hexes beside a cell to the ``last`` of the queue; return how many they are."""
    height, width = world.cells.shape
    walk = staff.head[0].walks
    for direction in range(1, NEIGHBOURS):
        near = hexgrid.nth(width, height, cell, direction)
        if near < 0 or staff.seen[near] == walk or not overseas.is_open_land(world, rules, n, near):
            continue
        staff.seen[near], staff.way[near] = walk, way
        staff.queue[last] = near
        last += 1
    return last


@kernel
def _next_hex(world: World, rules: Rules, n: int, staff: Staff, count: int) -> int:
    """Of the first ``count`` hexes of the queue the nearest to the mate that a command takes; -1 none.

    Ties: lowest index.
    """
    best = NOTHING
    for k in range(count):
        cell = int(staff.queue[k])
        if best >= 0 and staff.way[cell] > staff.way[best]:
            break
        if (best < 0 or cell < best) and _touches_own(world, rules, n, cell):
            what = frontier.taking(world, rules, n, cell)
            if what >= 0 and orders.allowed(world, rules, n, what, cell, 0):
                best = cell
    return best


@kernel
def _touches_own(world: World, rules: Rules, n: int, cell: int) -> bool:
    height, width = world.cells.shape
    for direction in range(1, NEIGHBOURS):
        near = hexgrid.nth(width, height, cell, direction)
        if near >= 0 and world.cells.flat[near].owner == n and territory.is_land(world, rules, near):
            return True
    return False


@kernel
def _landing(world: World, rules: Rules, n: int, staff: Staff) -> int:
    """Where marines can land for the route that was measured, -1 nowhere (AID-031).

    Ground for a supply base where nobody is seen, beside water of the outer sea that ships reach from own
    naval ports, without one from where one could stand. The shortest way to the mate, then the nearest by
    sea, then the lowest index.
    """
    height, width = world.cells.shape
    kind = int(rules.scalars[0].ai_overseas_class)
    outer_sea.chart(world, staff)
    sources = shipyard.list_waters(world, rules, n, staff, kind, staff.head[0].harbours == 0)
    count = ferry.chart(world, rules, n, staff, kind, sources, int(rules.scalars[0].ai_overseas_reach))
    best, way, miles = NOTHING, 0, 0
    for k in range(count):
        cell = int(staff.queue[k])
        if not outer_sea.has(world, staff, cell) or waters.way(world, rules, n, n, kind, cell) != waters.OPEN:
            continue
        for direction in range(1, NEIGHBOURS):
            near = hexgrid.nth(width, height, cell, direction)
            if near < 0 or staff.seen[near] != staff.head[0].walks:
                continue
            better = best < 0 or staff.way[near] < way
            same = best >= 0 and staff.way[near] == way
            if not better and (not same or staff.miles[cell] > miles or near >= best):
                continue
            if _bears_base(world, rules, n, near):
                best, way, miles = near, int(staff.way[near]), int(staff.miles[cell])
    return best


@kernel
def _bears_base(world: World, rules: Rules, n: int, cell: int) -> bool:
    """Whether a supply base can be put on a hex: plains, or what can be levelled; nobody is seen there."""
    ground = view.terrain(world, rules, n, cell)
    fits = ground == terrain.PLAINS or ground == terrain.WASTELAND or ground == terrain.FOREST
    return bool(fits and view.unit(world, rules, n, cell) < 0)
