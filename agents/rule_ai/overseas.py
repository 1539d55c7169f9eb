"""Ownerless land across the sea (AI-037, AI-066 .. AI-069): naval port, destroyer, infantry, one step a turn.

What a nation has begun it goes on with before all else; what it remembers of it is `voyage`. Ship and unit
are kept for the next one: the ship is a fleet of its own, the unit a corps.
"""

from __future__ import annotations

from hakoenv.agents.rule_ai import defence, ferry, shipyard
from hakoenv.agents.rule_ai.orders import write
from hakoenv.agents.rule_ai.staff import BOUND, NEIGHBOURS, NOTHING, Staff
from hakoenv.agents.rule_ai.voyage import CORPS, FLEET, GOAL, HULL, STEP, note_step

from hakoenv.engine import hexgrid, territory, view
from hakoenv.engine.codes import command, ship_class, terrain, unit_type
from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import troops
from hakoenv.engine.navy import waters
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def steer(world: World, rules: Rules, n: int, staff: Staff) -> None:
    """Lead ship and unit of an expansion: fetch the unit, sail, land it, stay until the hex is own (AI-069).

    Nothing of it takes a turn. The unit is kept from other duties.
    """
    voyage = world.nations[n].voyage
    if voyage[GOAL] == 0 and voyage[CORPS] == 0:
        return
    _review(world, rules, n)
    h = _ship(world, rules, n, staff)
    m = _unit(staff, int(voyage[CORPS] - 1))
    aboard = h >= 0 and staff.hulls[h].cargo >= 0
    if m < 0:
        voyage[CORPS] = world.units[staff.hulls[h].cargo].corps + 1 if aboard else 0
    goal = int(voyage[GOAL] - 1)
    if m >= 0:
        _reserve(staff, m)
        if staff.men[m].cell == goal:
            note_step(world, n)
            return
    if goal < 0 or h < 0:
        return
    if m >= 0 and not aboard:
        steps = int(rules.scalars[0].ai_march_steps)
        ferry.fetch(world, rules, n, staff, m, h, steps)
        aboard = staff.hulls[h].cargo >= 0
        if aboard:
            note_step(world, n)
    if aboard and ferry.carry(world, rules, n, staff, h, goal):
        note_step(world, n)


@kernel
def _review(world: World, rules: Rules, n: int) -> None:
    """End what has got its hex, lost it to another, or has made no step for too long (AI-069)."""
    voyage = world.nations[n].voyage
    if voyage[GOAL] == 0:
        return
    taken = view.owner(world, rules, n, int(voyage[GOAL] - 1)) >= 0
    if taken or world.clock[0].turn + 1 - voyage[STEP] > rules.scalars[0].ai_overseas_patience:
        voyage[GOAL] = voyage[HULL] = 0
        voyage[STEP] = 0 if taken else world.clock[0].turn + 1


@kernel
def _ship(world: World, rules: Rules, n: int, staff: Staff) -> int:
    """The ship of the expansion (its place in `hulls`), -1 none.

    Of those in its fleet one with a unit aboard first. Else a ship that can carry, ordered for it or beyond
    those kept for defence, goes into that fleet (AI-067, AI-069).
    """
    head = staff.head[0]
    voyage = world.nations[n].voyage
    best = NOTHING
    for h in range(head.hulls):
        hull = staff.hulls[h]
        if hull.fleet != FLEET or not _can_carry(rules, int(hull.kind)):
            continue
        if best < 0 or (hull.cargo >= 0 and staff.hulls[best].cargo < 0):
            best = h
    if best >= 0 or voyage[GOAL] == 0:
        return best
    spare = head.hulls - shipyard.kept(rules, staff)
    if spare <= 0 and voyage[HULL] == 0:
        return NOTHING
    for h in range(head.hulls):
        hull = staff.hulls[h]
        fits = hull.kind == rules.scalars[0].ai_overseas_class and hull.cargo < 0
        if fits and _can_carry(rules, int(hull.kind)):
            best = h  # the youngest: that was ordered last
    if best >= 0 and ferry.assign(world, rules, n, staff, best, FLEET):
        return best
    return NOTHING


@kernel
def _can_carry(rules: Rules, kind: int) -> bool:
    """Whether a class has room for the unit of an expansion (AI-069)."""
    return bool(rules.ship_classes[kind].capacity_strength >= rules.scalars[0].ai_overseas_strength)


@kernel
def _unit(staff: Staff, corps: int) -> int:
    """The unit of a corps on the map (its place in `men`), -1 none."""
    for m in range(staff.head[0].men):
        if staff.men[m].corps == corps:
            return m
    return NOTHING


@kernel
def _reserve(staff: Staff, m: int) -> None:
    """Keep the unit of the expansion from other duties, and others from joining it at its depot."""
    man = staff.men[m]
    man.task, man.near, man.by_capital = BOUND, 0, 0
    for y in range(staff.head[0].yards):
        if staff.yards[y].man == m:
            staff.yards[y].used = 1


# ------------------------------------------------------------------ preparation


@kernel
def go_on(world: World, rules: Rules, n: int, staff: Staff) -> bool:
    """The first missing step of a started expansion, if it is payable (AI-066, AI-067)."""
    head = staff.head[0]
    voyage = world.nations[n].voyage
    if voyage[GOAL] == 0:
        return False
    goal = int(voyage[GOAL] - 1)
    kind = int(rules.scalars[0].ai_overseas_class)
    if head.harbours == 0:
        if not shipyard.affords(world, rules, n, ship_class.NAVAL_PORT):
            return False
        _chart_to(world, rules, n, staff, goal)
        place = shipyard.harbour_site(world, rules, n, staff, kind)
        return place >= 0 and _step(world, rules, n, command.BUILD_SHIP, place, 0)
    h = _ship(world, rules, n, staff)
    if h < 0:
        if not shipyard.affords(world, rules, n, kind):
            return False
        if not shipyard.has_fuel(world, rules, n, staff, kind, 1):  # it would be worn down at once
            return False
        _chart_to(world, rules, n, staff, goal)
        place, amount = shipyard.berth(world, rules, n, staff, kind)
        if place >= 0 and _step(world, rules, n, command.BUILD_SHIP, place, amount):
            voyage[HULL] = 1
            return True
        return False
    if voyage[CORPS] == 0:
        return _muster(world, rules, n, staff, h)
    return False


@kernel
def _step(world: World, rules: Rules, n: int, what: int, place: int, amount: int) -> bool:
    if not write(world, rules, n, what, place, amount):
        return False
    note_step(world, n)
    return True


@kernel
def _chart_to(world: World, rules: Rules, n: int, staff: Staff, goal: int) -> None:
    """Chart the waters from which a hex can be reached."""
    height, width = world.cells.shape
    kind = int(rules.scalars[0].ai_overseas_class)
    sources = 0
    for direction in range(1, NEIGHBOURS):
        near = hexgrid.nth(width, height, goal, direction)
        if near >= 0 and waters.way(world, rules, n, n, kind, near) == waters.OPEN:
            staff.queue[sources] = near
            sources += 1
    ferry.chart(world, rules, n, staff, kind, sources, int(rules.scalars[0].ai_overseas_reach))


@kernel
def _muster(world: World, rules: Rules, n: int, staff: Staff, h: int) -> bool:
    """Place the unit at the depot nearest to the ship's port from which a unit gets to the coast (AI-067).

    A step of ours: without such a depot one is built there first; only that takes a turn.
    """
    s = rules.scalars[0]
    head = staff.head[0]
    hull = staff.hulls[h]
    harbour = shipyard.nearest_harbour(world, staff, int(hull.cell))
    ferry.chart_from(world, rules, n, staff, h, int(s.ai_strike_reach))
    y = _yard(world, rules, n, staff, harbour, int(hull.kind))
    if y < 0:
        place = _yard_site(world, rules, n, staff, harbour, int(hull.kind))
        return place >= 0 and _step(world, rules, n, command.DEPOT, place, 0)
    strength = int(s.ai_overseas_strength)
    if head.reserves < strength:
        defence.conscript(world, rules, n, strength - int(head.reserves))
        return False
    corps = defence.free_corps(world, staff, int(staff.yards[y].cell))
    if staff.yards[y].standing == 0 and staff.yards[y].used == 0:
        if defence.place(world, rules, n, staff, y, strength, unit_type.INFANTRY):
            world.nations[n].voyage[CORPS] = corps + 1
            note_step(world, n)
    return False


@kernel
def _yard(world: World, rules: Rules, n: int, staff: Staff, harbour: int, kind: int) -> int:
    """The depot nearest to a harbour from which infantry gets to charted water, -1 none; free ones first."""
    best, least = NOTHING, 0
    width = world.cells.shape[1]
    for y in range(staff.head[0].yards):
        yard = staff.yards[y]
        away = hexgrid.distance(width, int(yard.cell), harbour)
        if yard.standing > 0 or yard.used:
            away += width
        if (best < 0 or away < least) and _leads_to_sea(world, rules, n, staff, int(yard.cell), kind):
            best, least = y, away
    return best


@kernel
def _leads_to_sea(world: World, rules: Rules, n: int, staff: Staff, start: int, kind: int) -> bool:
    """Whether infantry gets from a cell over own land to charted water."""
    height, width = world.cells.shape
    cells = world.cells.flat
    head = staff.head[0]
    head.walks += 1
    staff.seen[start] = head.walks
    staff.way[start] = 0
    staff.queue[0] = start
    first, last = 0, 1
    while first < last:
        cell = int(staff.queue[first])
        first += 1
        if ferry.miles_to(world, rules, n, staff, kind, cell) >= 0:
            return True
        if staff.way[cell] >= rules.scalars[0].ai_march_steps:
            return False
        for direction in range(1, NEIGHBOURS):
            near = hexgrid.nth(width, height, cell, direction)
            if near < 0 or staff.seen[near] == head.walks or cells[near].owner != n:
                continue
            if _walks(rules, int(cells[near].terrain)):
                staff.seen[near] = head.walks
                staff.way[near] = staff.way[cell] + 1
                staff.queue[last] = near
                last += 1
    return False


@kernel
def _yard_site(world: World, rules: Rules, n: int, staff: Staff, harbour: int, kind: int) -> int:
    """Own plains beside charted water for a depot, nearest to a harbour; ties: lowest index; -1 none."""
    nation = world.nations[n]
    cells = world.cells.flat
    width = world.cells.shape[1]
    best, least = NOTHING, 0
    for k in range(nation.first, nation.first + nation.held):
        i = int(world.territory[k])
        if cells[i].owner != n or cells[i].terrain != terrain.PLAINS or cells[i].unit >= 0:
            continue
        away = hexgrid.distance(width, i, harbour)
        if (best < 0 or away < least) and ferry.miles_to(world, rules, n, staff, kind, i) >= 0:
            best, least = i, away
    return best


@kernel
def _walks(rules: Rules, ground: int) -> bool:
    """Whether infantry walks over a terrain."""
    return troops.pace(rules, unit_type.INFANTRY, 0, ground) > 0


# ------------------------------------------------------------------ beginning


@kernel
def start(world: World, rules: Rules, n: int, staff: Staff) -> bool:
    """Begin an expansion overseas in an idle turn, by its first missing step (AI-033, AI-037, AI-068).

    Only if that is payable; after a search in vain the nation waits some turns.
    """
    s = rules.scalars[0]
    voyage = world.nations[n].voyage
    turn = world.clock[0].turn + 1
    if voyage[GOAL] > 0 or world.clock[0].ownerless_land == 0:
        return False
    if voyage[STEP] > 0 and turn - voyage[STEP] < s.ai_overseas_pause:
        return False
    if not _affords_first_step(world, rules, n, staff):
        return False
    goal = _search(world, rules, n, staff)
    voyage[STEP] = turn
    if goal < 0:
        return False
    voyage[GOAL] = goal + 1
    return go_on(world, rules, n, staff)


@kernel
def _affords_first_step(world: World, rules: Rules, n: int, staff: Staff) -> bool:
    """Whether the nation can pay for a naval port, or with one for the ship, unless it has that, too.

    It must be able to supply the ship.
    """
    head = staff.head[0]
    kind = int(ship_class.NAVAL_PORT)
    if head.harbours > 0:
        kind = int(rules.scalars[0].ai_overseas_class)
        for h in range(head.hulls):
            spare = head.hulls > shipyard.kept(rules, staff) and staff.hulls[h].kind == kind
            if staff.hulls[h].fleet == FLEET or spare:
                return True
    supplied = shipyard.supplies(world, rules, n, staff, int(rules.scalars[0].ai_overseas_class))
    return supplied and shipyard.affords(world, rules, n, kind)


@kernel
def _search(world: World, rules: Rules, n: int, staff: Staff) -> int:
    """The ownerless land hex nearest by sea, of those that only a ship reaches; -1 none (AI-069).

    Measured from own naval ports, without one from the plains where one could stand. Ties: lowest index.
    """
    height, width = world.cells.shape
    if not _land_beyond(world, rules, n, staff):
        return NOTHING
    kind = int(rules.scalars[0].ai_overseas_class)
    walk = int(staff.head[0].walks)
    sources = shipyard.list_waters(world, rules, n, staff, kind, staff.head[0].harbours == 0)
    count = ferry.chart(world, rules, n, staff, kind, sources, int(rules.scalars[0].ai_overseas_reach))
    best, least = NOTHING, 0
    for k in range(count):
        cell = int(staff.queue[k])
        if best >= 0 and staff.miles[cell] > least:
            break
        if waters.way(world, rules, n, n, kind, cell) != waters.OPEN:
            continue
        for direction in range(1, NEIGHBOURS):
            near = hexgrid.nth(width, height, cell, direction)
            if near < 0 or staff.seen[near] == walk or not _is_open_land(world, rules, n, near):
                continue
            if view.unit(world, rules, n, near) < 0 and (best < 0 or near < best):
                best, least = near, int(staff.miles[cell])
    return best


@kernel
def _land_beyond(world: World, rules: Rules, n: int, staff: Staff) -> bool:
    """Whether there is ownerless land that can't be reached by land; `seen` marks what can be.

    Infantry walks over own and ownerless land only: what lies beyond another nation lies overseas.
    """
    nation = world.nations[n]
    height, width = world.cells.shape
    head = staff.head[0]
    head.walks += 1
    last = 0
    for k in range(nation.first, nation.first + nation.held):
        i = int(world.territory[k])
        if world.cells.flat[i].owner == n and territory.is_land(world, rules, i):
            staff.seen[i] = head.walks
            staff.queue[last] = i
            last += 1
    first, reached = 0, 0
    while first < last:
        cell = int(staff.queue[first])
        first += 1
        for direction in range(1, NEIGHBOURS):
            near = hexgrid.nth(width, height, cell, direction)
            if near < 0 or staff.seen[near] == head.walks or not _is_open_land(world, rules, n, near):
                continue
            staff.seen[near] = head.walks
            staff.queue[last] = near
            last += 1
            reached += 1
    return bool(reached < _open_land(world, rules, n))


@kernel
def _is_open_land(world: World, rules: Rules, n: int, i: int) -> bool:
    """Whether a hex is ownerless land that infantry can enter and take."""
    if view.owner(world, rules, n, i) >= 0 or not territory.is_land(world, rules, i):
        return False
    ground = view.terrain(world, rules, n, i)
    return ground != terrain.MONSTER and rules.terrains[ground].resistance_max > 0 and _walks(rules, ground)


@kernel
def _open_land(world: World, rules: Rules, n: int) -> int:
    """How many such hexes there are; ownerless land stands behind the nations' cells in the list."""
    last = world.nations[world.nations.shape[0] - 1]
    found = 0
    for k in range(last.first + last.held, world.clock[0].listed):
        found += _is_open_land(world, rules, n, int(world.territory[k]))
    return found
