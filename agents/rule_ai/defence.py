"""Who guards what, and what is raised for it (AI-043, AI-046 .. AI-049, AI-053 .. AI-059, AI-061).

The demands of a turn come first by their order of need: borders, capital, single hexes that development could
take, and in war the field army. Units that are counted where they are stay; free ones are sent; what is still
missing is placed at depots, from reserves that towns fill.
"""

from __future__ import annotations

from hakoenv.agents.rule_ai import judgement, orders, worth
from hakoenv.agents.rule_ai.orders import write
from hakoenv.agents.rule_ai.staff import BOUND, FREE, NOTHING, SENT, Staff, army_decides

from hakoenv.engine import hexgrid, view
from hakoenv.engine.codes import command, corps_order, item, relation, terrain, unit_type
from hakoenv.engine.commands import muster
from hakoenv.engine.diplomacy import relations
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import CORPS_COUNT, World
from hakoenv.ruleset.compiled import Rules

EVERYWHERE = 0  # mask of a depot that may be anywhere
_MOST = 1 << 30  # more than any town has people


@kernel
def post(world: World, rules: Rules, n: int, staff: Staff) -> None:
    """Say what each border and the capital demand, count who stands there already, and send the free."""
    _demand(world, rules, n, staff)
    _count(world, rules, n, staff)
    _send(world, rules, n, staff)


@kernel
def _demand(world: World, rules: Rules, n: int, staff: Staff) -> None:
    """The strength wanted on the border with each land neighbour (AI-053, AI-054, AI-059)."""
    s = rules.scalars[0]
    head = staff.head[0]
    for b in range(staff.lands.shape[0]):
        land = staff.lands[b]
        if not (head.neighbours >> b) & 1:
            continue
        if head.rivals:  # the minimum defence ends, and only those who declared are guarded against
            land.demand = s.ai_readiness_strength * ((head.claimants >> b) & 1)
        elif not is_friend(world, n, b):
            land.demand = s.ai_border_strength


@kernel
def is_friend(world: World, n: int, b: int) -> bool:
    """Whether no defence is kept against a nation: a mate, amity, or it likes us (AI-053)."""
    if world.relations[n, b].state == relation.AMITY or world.relations[b, n].good_terms:
        return True
    return relations.are_mates(world, n, b)


@kernel
def capital_demand(rules: Rules, staff: Staff) -> int:
    """The strength wanted around the capital (AI-054), more when war was declared on the nation (AI-059)."""
    s = rules.scalars[0]
    return int(s.ai_readiness_strength if staff.head[0].claimants else s.ai_capital_strength)


@kernel
def _count(world: World, rules: Rules, n: int, staff: Staff) -> None:
    """Bind the units that are wanted where they are (AI-048, AI-054, AI-057).

    A unit may count for two borders, but not for a border and the capital: one that stands on the capital
    is counted there, others near both for a border first.
    """
    head = staff.head[0]
    capital = int(world.nations[n].capital)
    wanted = capital_demand(rules, staff)
    for turn in range(3):  # borders by units away from the capital, by those near it; then the capital
        for m in range(head.men):
            man = staff.men[m]
            if man.task == BOUND:
                continue
            useful = turn == 2 and man.by_capital == 1 and head.capital_held < wanted
            if turn < 2 and man.cell != capital and man.by_capital == turn:
                useful = _is_wanted(staff, int(man.near))
            if not useful:
                continue
            man.task = BOUND
            if turn == 2:
                head.capital_held += man.strength
                man.near = 0
            else:
                _reckon(staff, int(man.near), int(man.strength))
    if not army_decides(staff):  # AI-049: in war guards of single hexes are at the army's disposal
        for e in range(head.edges):
            edge = staff.edges[e]
            for m in range(head.men):
                if edge.score > 0 and staff.men[m].cell == edge.cell:
                    staff.men[m].task = BOUND


@kernel
def _is_wanted(staff: Staff, near: int) -> bool:
    """Whether a unit near some borders helps one of them that is short (AI-054)."""
    for b in range(staff.lands.shape[0]):
        land = staff.lands[b]
        if (near >> b) & 1 and land.demand > 0 and (land.held < land.demand or land.men == 0):
            return True
    return False


@kernel
def _reckon(staff: Staff, near: int, strength: int) -> None:
    """Count a unit for the borders it is near or sent to."""
    for b in range(staff.lands.shape[0]):
        if (near >> b) & 1:
            staff.lands[b].held += strength
            staff.lands[b].men += 1


@kernel
def short_border(staff: Staff) -> int:
    """The neighbour on whose border most strength is missing, the first of equals; -1 none (AI-055)."""
    best, most = NOTHING, 0
    for b in range(staff.lands.shape[0]):
        land = staff.lands[b]
        missing = max(int(land.demand - land.held), int(land.demand > 0 and land.men == 0))
        if missing > most:
            best, most = b, missing
    return best


@kernel
def best_edge(staff: Staff, touches: int) -> int:
    """The border hex (its place in `edges`) to guard, of those that touch some nations; -1 none.

    First the highest score of what nobody guards (AI-046); ties: higher level, nearer to the capital, lower
    index (AI-047). Without such a hex any nobody stands on.
    """
    best = NOTHING
    for e in range(staff.head[0].edges):
        edge = staff.edges[e]
        if edge.held or not edge.touches & touches:
            continue
        if best >= 0:
            top = staff.edges[best]
            if edge.score < top.score or (edge.score == top.score and edge.level < top.level):
                continue
            if edge.score == top.score and edge.level == top.level and edge.away >= top.away:
                continue
        best = e
    return best


@kernel
def dearest_edge(world: World, rules: Rules, n: int, staff: Staff, touches: int) -> int:
    """Where on a border to raise units: the dearest hex that can be taken, else `best_edge` (AI-055).

    Ties: nearer to the capital, lower index (AI-042).
    """
    best, most = NOTHING, 0
    for e in range(staff.head[0].edges):
        edge = staff.edges[e]
        if edge.score == 0 or not edge.touches & touches:
            continue
        value = worth.of_hex(world, rules, n, int(edge.cell))
        if best < 0 or value > most or (value == most and edge.away < staff.edges[best].away):
            best, most = e, value
    return best if best >= 0 else best_edge(staff, touches)


@kernel
def _send(world: World, rules: Rules, n: int, staff: Staff) -> None:
    """Free units go where they are missing, and units at a depot take their place (AI-046, AI-055).

    Whoever is counted but stands on a depot has yet to take its place: it leaves room for the next.
    """
    head = staff.head[0]
    capital = int(world.nations[n].capital)
    width = world.cells.shape[1]
    for m in range(head.men):
        man = staff.men[m]
        if man.task != BOUND or view.terrain(world, rules, n, int(man.cell)) != terrain.DEPOT:
            continue
        e = best_edge(staff, int(man.near))
        if e >= 0 and hexgrid.distance(width, int(man.cell), int(staff.edges[e].cell)) > 0:
            man.goal = staff.edges[e].cell
            staff.edges[e].held = 1
        elif man.near == 0 and man.by_capital == 1:
            man.goal = capital
    while True:
        b = short_border(staff)
        e = best_edge(staff, 1 << b) if b >= 0 else NOTHING
        m = _nearest(world, staff, int(staff.edges[e].cell), True) if e >= 0 else NOTHING
        if m < 0:
            break
        staff.men[m].task, staff.men[m].goal = SENT, staff.edges[e].cell
        staff.edges[e].held = 1
        _reckon(staff, 1 << b, int(staff.men[m].strength))
    while head.capital_held < capital_demand(rules, staff) and capital >= 0:
        m = _nearest(world, staff, capital, True)
        if m < 0:
            break
        staff.men[m].task, staff.men[m].goal = SENT, capital
        head.capital_held += staff.men[m].strength
    while not army_decides(staff):
        e = best_edge(staff, int(head.neighbours))
        if e < 0 or staff.edges[e].score == 0:
            break
        m = _nearest(world, staff, int(staff.edges[e].cell), True)
        if m < 0:
            break
        staff.men[m].task, staff.men[m].goal = SENT, staff.edges[e].cell
        staff.edges[e].held = 1


@kernel
def _nearest(world: World, staff: Staff, cell: int, free: bool) -> int:
    """The unit (its place in `men`) nearest to a cell, the oldest of equals, -1 none; ``free``: to send."""
    best, near = NOTHING, 0
    for m in range(staff.head[0].men):
        if not free or (staff.men[m].task == FREE and staff.men[m].type != unit_type.BATTERY):
            away = hexgrid.distance(world.cells.shape[1], int(staff.men[m].cell), cell)
            if best < 0 or away < near:
                best, near = m, away
    return best


@kernel
def muster_what_is_missing(world: World, rules: Rules, n: int, staff: Staff) -> None:
    """Place and conscript what is still missing, and say where a depot is wanted (AI-048, AI-055, AI-061)."""
    s = rules.scalars[0]
    head = staff.head[0]
    nation = world.nations[n]
    head.reserves = nation.reserves + nation.conscripts
    head.funds = nation.treasury[item.FUNDS]
    if judgement.food_emergency(world, rules, n):  # the field goes first: AI-056
        head.funds -= rules.commands[command.FARM].cost
    priority = s.ai_priority_war if head.rivals else s.ai_priority_defense
    while True:
        b = short_border(staff)
        if b < 0:
            break
        land = staff.lands[b]
        missing = max(int(land.demand - land.held), int(s.army_unit_min_strength))
        e = dearest_edge(world, rules, n, staff, 1 << b)
        goal = int(staff.edges[e].cell) if e >= 0 else int(nation.capital)
        _supply(world, rules, n, staff, 1 << b, goal, missing, unit_type.INFANTRY, priority)
        land.held, land.men = land.demand, 1
    missing = capital_demand(rules, staff) - head.capital_held
    if missing > 0 and nation.capital >= 0:
        _supply(world, rules, n, staff, NOTHING, int(nation.capital), missing, unit_type.INFANTRY, priority)
    if army_decides(staff):
        return
    for _ in range(head.yards + 1):
        e = best_edge(staff, int(head.neighbours))
        if e < 0 or staff.edges[e].score == 0:
            break
        goal = int(staff.edges[e].cell)
        strength = s.ai_guard_strength
        _supply(world, rules, n, staff, EVERYWHERE, goal, strength, unit_type.INFANTRY, s.ai_priority_guard)
        staff.edges[e].held = 1


@kernel
def _supply(
    world: World,
    rules: Rules,
    n: int,
    staff: Staff,
    near: int,
    goal: int,
    strength: int,
    kind: int,
    priority: int,
) -> None:
    """Place a unit for a demand at a depot; if reserves are too few, conscript and wait for them (AI-055).

    ``near``: depots near the border with these nations, -1 near the capital, 0 anywhere. Without such a
    depot one is wanted near ``goal``, and while none can be built any other serves. What it costs is kept
    from later demands.
    """
    head = staff.head[0]
    called = 0
    if head.reserves < strength:
        called = conscript(world, rules, n, strength - int(head.reserves))
        if called == 0:
            strength = int(head.reserves)
    if strength < rules.scalars[0].army_unit_min_strength:
        return
    yard = nearest_yard(world, staff, near, goal, kind)
    if yard < 0 and (near != EVERYWHERE or head.yards == 0):
        cost = rules.commands[command.DEPOT].cost
        if head.depot < 0 and head.funds >= cost:
            head.depot = depot_site(world, rules, n, staff, near, goal)
            head.depot_priority = priority
            head.funds -= cost if head.depot >= 0 else 0
        if head.depot >= 0:
            return
        yard = nearest_yard(world, staff, EVERYWHERE, goal, kind)
    if yard >= 0 and called == 0:
        place(world, rules, n, staff, yard, strength, kind)


@kernel
def nearest_yard(world: World, staff: Staff, near: int, goal: int, kind: int) -> int:
    """The depot (its place in `yards`) nearest to a goal that can take a unit of a type (-1: any); -1 none.

    ``near`` as in `_supply`. A unit that stands there can be topped up, but only by its own type.
    """
    best, least = NOTHING, 0
    for y in range(staff.head[0].yards):
        yard = staff.yards[y]
        if yard.used or (yard.standing > 0 and kind >= 0 and yard.type != kind):
            continue
        if (near > 0 and not yard.near & near) or (near < 0 and not yard.by_capital):
            continue
        away = hexgrid.distance(world.cells.shape[1], int(yard.cell), goal)
        if best < 0 or away < least:
            best, least = y, away
    return best


@kernel
def place(world: World, rules: Rules, n: int, staff: Staff, y: int, strength: int, kind: int) -> bool:
    """Place a unit at a depot in a corps of its own, or top up the one that stands there (AI-089)."""
    head = staff.head[0]
    yard = staff.yards[y]
    cost = int(rules.unit_types[kind].cost_per_strength)
    strength = min(strength, int(rules.scalars[0].army_unit_max_strength - yard.standing))
    strength = min(strength, int(head.funds) // max(1, cost))
    corps = int(yard.corps)
    if yard.standing == 0:
        if head.fielded >= rules.scalars[0].ai_units_max:
            return False
        corps = free_corps(world, staff, int(yard.cell))
    if strength < rules.scalars[0].army_unit_min_strength:
        return False
    amount = kind * muster.TYPE_BASE + corps * muster.CORPS_BASE + strength - 1
    if not write(world, rules, n, command.PLACE_UNIT, int(yard.cell), amount):
        return False
    if yard.standing == 0:  # the corps may have any order from units that are gone
        orders.set_corps(world, rules, n, corps, corps_order.DEFEND, 0)
    yard.used = 1
    head.reserves -= strength
    head.funds -= strength * cost
    head.spent += strength * cost
    head.corps |= 1 << corps
    head.fielded += int(yard.standing == 0)
    return True


@kernel
def free_corps(world: World, staff: Staff, cell: int) -> int:
    """The lowest corps without a unit, else that of the nearest unit (AI-089)."""
    for corps in range(CORPS_COUNT):
        if not (staff.head[0].corps >> corps) & 1:
            return corps
    return int(staff.men[_nearest(world, staff, cell, False)].corps)


@kernel
def conscript(world: World, rules: Rules, n: int, wanted: int) -> int:
    """Conscript so many from the most populous towns, leaving some people in each (AI-061); how many.

    Towns that may give nobody, as beside an enemy, are passed over.
    """
    s = rules.scalars[0]
    nation = world.nations[n]
    cells = world.cells.flat
    taken = called = 0
    below, at = _MOST, NOTHING  # the town asked last
    while taken < wanted and called < s.ai_conscript_towns:
        best = NOTHING
        for k in range(nation.first, nation.first + nation.held):
            i = int(world.territory[k])
            if cells[i].owner != n or not rules.terrains[cells[i].terrain].is_town:
                continue
            people = int(cells[i].population)
            if people > below or (people == below and i <= at):
                continue
            if best >= 0 and people <= cells[best].population:
                continue
            if not orders.is_planned(world, n, i, int(command.CONSCRIPT)):
                best = i
        if best < 0:
            break
        people = int(cells[best].population)
        most = people * s.army_conscript_max_percent // 100
        count = min(wanted - taken, most, people - s.ai_conscript_left)
        if count <= 0:
            break
        if write(world, rules, n, command.CONSCRIPT, best, count):
            taken += count
            called += 1
        below, at = people, best
    return taken


@kernel
def depot_site(world: World, rules: Rules, n: int, staff: Staff, near: int, goal: int) -> int:
    """Own plains for a depot, nearest to a goal, -1 none: within reach of the border or the capital (AI-055).

    Where nothing else is left the border hexes themselves serve.
    """
    s = rules.scalars[0]
    nation = world.nations[n]
    cells = world.cells.flat
    width = world.cells.shape[1]
    best, least = NOTHING, 0
    for k in range(nation.first, nation.first + nation.held):
        i = int(world.territory[k])
        if cells[i].owner != n or cells[i].terrain != terrain.PLAINS or cells[i].unit >= 0:
            continue
        fits = near == EVERYWHERE
        if near < 0:
            fits = hexgrid.distance(width, i, int(nation.capital)) <= s.ai_capital_radius
        away = 4 * hexgrid.distance(width, i, goal)
        for e in range(staff.head[0].edges):
            apart = hexgrid.distance(width, i, int(staff.edges[e].cell))
            fits = fits or (near > 0 and staff.edges[e].touches & near and apart <= s.ai_border_distance)
            away += 2 * s.ai_border_distance if apart == 0 else 0
        if fits and (best < 0 or away < least):
            best, least = i, away
    return best


@kernel
def build_depot(world: World, rules: Rules, n: int, staff: Staff, priority: int) -> bool:
    """Build the depot that is wanted with this priority (AI-048, AI-055)."""
    head = staff.head[0]
    if head.depot < 0 or head.depot_priority != priority:
        return False
    return write(world, rules, n, command.DEPOT, int(head.depot), 0)
