"""Ownerless land across the sea (AI-037, AI-066 .. AI-069): naval port, destroyer, infantry, one step a turn.

What a nation has begun it goes on with before all else; what it remembers of it is `voyage`. Ship and unit
are kept for the next one: the ship is a fleet of its own, the unit a corps.
"""

from __future__ import annotations

from hakoenv.agents.rule_ai import defence, depots, ferry, fleet, shipyard
from hakoenv.agents.rule_ai.orders import write
from hakoenv.agents.rule_ai.staff import BOUND, NEIGHBOURS, NOTHING, Staff
from hakoenv.agents.rule_ai.voyage import CORPS, FLEET, GOAL, HULL, STEP, note_step

from hakoenv.engine import hexgrid, territory, view
from hakoenv.engine.codes import command, ship_class, terrain, unit_type
from hakoenv.engine.kernel import kernel
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

    Of those in its fleet one with a unit aboard first. Else a free ship that can carry goes into that fleet,
    the nearest to a naval port (AID-036), or the one that was ordered for it (AI-067, AI-069).
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
    best = _nearest_free(world, rules, n, staff)
    if best < 0 and voyage[HULL] > 0:
        for h in range(head.hulls):
            if _fits(rules, staff, h) and staff.hulls[h].role != fleet.RELIEF:
                best = h  # the youngest: that was ordered last
    if best >= 0 and ferry.assign(world, rules, n, staff, best, FLEET):
        staff.hulls[best].role = fleet.AWAY
        return best
    return NOTHING


@kernel
def _nearest_free(world: World, rules: Rules, n: int, staff: Staff) -> int:
    """The free ship of the class nearest by sea to a naval port, where units come aboard (AID-036); -1 none.

    Ties: lowest id.
    """
    kind = int(rules.scalars[0].ai_overseas_class)
    best, count = NOTHING, 0
    for h in range(staff.head[0].hulls):
        if _is_free(rules, staff, h):
            best, count = h, count + 1
    if count < 2:
        return best
    sources = shipyard.list_waters(world, rules, n, staff, kind, False)
    ferry.chart(world, rules, n, staff, kind, sources, world.cells.size)
    best, least = NOTHING, 0
    for h in range(staff.head[0].hulls):
        hull = staff.hulls[h]
        if not _is_free(rules, staff, h):
            continue
        away = int(staff.miles[hull.cell]) if ferry.is_charted(staff, int(hull.cell)) else world.cells.size
        if best < 0 or away < least or (away == least and hull.ship < staff.hulls[best].ship):
            best, least = h, away
    return best


@kernel
def _is_free(rules: Rules, staff: Staff, h: int) -> bool:
    """Whether a ship of the class is neither kept for defence nor under way with troops or reserves."""
    role = staff.hulls[h].role
    return _fits(rules, staff, h) and (role == fleet.UNDECIDED or role == fleet.STRIKE)


@kernel
def _fits(rules: Rules, staff: Staff, h: int) -> bool:
    """Whether a ship is of the class of an expansion, with room for its unit and nobody aboard."""
    hull = staff.hulls[h]
    fits = hull.kind == rules.scalars[0].ai_overseas_class and hull.cargo < 0
    return bool(fits and _can_carry(rules, int(hull.kind)))


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
        if _has_enough(rules, staff) or not shipyard.affords(world, rules, n, kind):
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
def _has_enough(rules: Rules, staff: Staff) -> bool:
    """Whether there are more ships of the class than are kept for defence: no more are built (AID-033)."""
    count = 0
    for h in range(staff.head[0].hulls):
        count += staff.hulls[h].kind == rules.scalars[0].ai_overseas_class
    return bool(count >= shipyard.kept(rules, staff) + rules.scalars[0].ai_spare_ships)


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

    A step of ours: without such a depot one is built there first, on land that is levelled for it where there
    are no plains (AID-034, AID-035); only that takes a turn.
    """
    s = rules.scalars[0]
    head = staff.head[0]
    hull = staff.hulls[h]
    harbour = shipyard.nearest_harbour(world, staff, int(hull.cell))
    ferry.chart_from(world, rules, n, staff, h, int(s.ai_strike_reach))
    y = depots.nearest(world, rules, n, staff, harbour, int(hull.kind))
    if y < 0:
        place = depots.site(world, rules, n, staff, harbour, int(hull.kind))
        if place >= 0:
            return _step(world, rules, n, command.DEPOT, place, 0)
        place = depots.to_level(world, rules, n, staff, harbour, int(hull.kind))
        return place >= 0 and _step(world, rules, n, command.PREPARE_LAND, place, 0)
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


# ------------------------------------------------------------------ beginning


@kernel
def start(world: World, rules: Rules, n: int, staff: Staff) -> bool:
    """Begin an expansion overseas in an idle turn, by its first missing step (AI-033, AI-037, AI-068).

    Only if that is payable; after a search in vain the nation waits some turns.
    """
    if not may_start(world, rules, n, staff):
        return False
    return begin(world, rules, n, staff, _search(world, rules, n, staff))


@kernel
def may_start(world: World, rules: Rules, n: int, staff: Staff) -> bool:
    """Whether none is under way, there is land for one, the last is long ago, and a step is payable."""
    voyage = world.nations[n].voyage
    waited = world.clock[0].turn + 1 - voyage[STEP]
    if voyage[GOAL] > 0 or world.clock[0].ownerless_land == 0:
        return False
    if voyage[STEP] > 0 and waited < rules.scalars[0].ai_overseas_pause:
        return False
    return _affords_first_step(world, rules, n, staff)


@kernel
def begin(world: World, rules: Rules, n: int, staff: Staff, goal: int) -> bool:
    """Begin an expansion to a hex, by its first missing step; -1: there was none to be found."""
    voyage = world.nations[n].voyage
    note_step(world, n)
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
            if near < 0 or staff.seen[near] == walk or not is_open_land(world, rules, n, near):
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
            if near < 0 or staff.seen[near] == head.walks or not is_open_land(world, rules, n, near):
                continue
            staff.seen[near] = head.walks
            staff.queue[last] = near
            last += 1
            reached += 1
    return bool(reached < _open_land(world, rules, n))


@kernel
def is_open_land(world: World, rules: Rules, n: int, i: int) -> bool:
    """Whether a hex is ownerless land that infantry can enter and take."""
    if view.owner(world, rules, n, i) >= 0 or not territory.is_land(world, rules, i):
        return False
    ground = view.terrain(world, rules, n, i)
    fits = ground != terrain.MONSTER and rules.terrains[ground].resistance_max > 0
    return bool(fits and depots.walks(rules, ground))


@kernel
def _open_land(world: World, rules: Rules, n: int) -> int:
    """How many such hexes there are; ownerless land stands behind the nations' cells in the list."""
    last = world.nations[world.nations.shape[0] - 1]
    found = 0
    for k in range(last.first + last.held, world.clock[0].listed):
        found += is_open_land(world, rules, n, int(world.territory[k]))
    return found
