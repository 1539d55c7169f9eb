"""How merchants and fishing boats sail: to a berth of their goal, or a place to wait (phase 24; MER-077).

They step along the chart of their port, and search a way around only when something is in the way (MER-067).
Who is in the way may move on, so a ship waits a turn first; not if it is hostile (MER-025, MER-026).
"""

from __future__ import annotations

from hakoenv.engine import hexgrid
from hakoenv.engine.codes import job, parcel, terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import troops
from hakoenv.engine.navy import hulls, vessels
from hakoenv.engine.shipping import charts, deposits, detours, harbours, jobs, parcels, passage, waiting
from hakoenv.engine.trade import partners
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

NONE = -1
_NEIGHBOURS = 6
_MOST_WAITED = 1 << 14


@kernel
def sail(world: World, rules: Rules, ship: int) -> None:
    """The move of a merchant or fishing boat; then it may be where it was bound, and is mended."""
    start = int(world.ships[ship].cell)
    goal = bound_for(world, ship)
    if not _stays(world, rules, ship):
        if goal >= 0 and _may_head_for(world, ship, goal):
            _make_way(world, rules, ship, goal)
        if world.ships[ship].cell == start and world.cells.flat[start].unit >= 0:
            passage.step_aside(world, rules, ship)
    _arrive(world, rules, ship, goal, start)
    _mend(world, rules, ship)


@kernel
def _stays(world: World, rules: Rules, ship: int) -> bool:
    """Whether a ship does not move in this turn.

    It is new, has just loaded or unloaded (MER-018), was not paid for (MER-071), owes fuel that is not there
    (MER-033), or carries a unit over water that this could not stand on (MER-041).
    """
    entry = world.jobs[ship]
    now = world.clock[0].turn
    if entry.built == now or entry.handled == now or not entry.paid or not passage.pay_fuel(world, ship):
        return True
    below = int(world.cells.flat[world.ships[ship].cell].unit)
    return bool(below >= 0 and not troops.floats(world, rules, below))


# ---------------------------------------------------------------- where to


@kernel
def bound_for(world: World, ship: int) -> int:
    """The cell that a ship makes for: a port, or a fishing ground; -1 none.

    One that loads: the port where its goods lie. An idle one: its effective home, which it should be at.
    """
    entry = world.jobs[ship]
    if entry.job == job.IDLE:
        return jobs.base(world, ship)
    if entry.job == job.LOADING:
        for p in range(world.clock[0].parcels):
            if world.parcels[p].state == parcel.ASHORE and world.parcels[p].ship == ship:
                return int(world.parcels[p].port)
    return int(entry.goal)


@kernel
def _may_head_for(world: World, ship: int, goal: int) -> bool:
    """Whether a ship without work may go to a port: one that lets it in; home is its own nation's (MER-080).

    Whether goods may still go to theirs is asked by those who deal with goods.
    """
    entry = world.jobs[ship]
    owner = int(world.ships[ship].owner)
    if entry.job != job.IDLE and entry.job != job.RETURNING:
        return True
    place = world.cells.flat[goal]
    if place.terrain != terrain.PORT or (goal == entry.home and place.owner != owner):
        return False
    return partners.may_call(world, int(place.owner), owner)


@kernel
def waits_there(world: World, ship: int) -> bool:
    """Whether a ship, once at its port, only waits for work: it needs no berth."""
    work = world.jobs[ship].job
    return bool(work == job.IDLE or (work == job.RETURNING and not parcels.aboard(world, ship)))


@kernel
def is_there(world: World, rules: Rules, ship: int, goal: int) -> bool:
    """Whether a ship is where it was bound."""
    cell = int(world.ships[ship].cell)
    if world.cells.flat[goal].terrain != terrain.PORT:
        return bool(cell == goal)
    if hexgrid.distance(world.cells.shape[1], cell, goal) > max(1, waiting.radius(rules)):
        return False
    if world.jobs[ship].job == job.IDLE:
        return waiting.is_waiting(world, rules, ship, goal)
    if waits_there(world, ship):
        return waiting.is_settled(world, rules, ship, goal)
    return harbours.is_at(world, ship, goal)


# ---------------------------------------------------------------- on the way


@kernel
def _make_way(world: World, rules: Rules, ship: int, goal: int) -> None:
    """Sail toward a goal while movement points last; near a port that is full, to where ships wait."""
    h = harbours.find(world, goal)
    points = _keep_off_entrance(world, rules, ship, h, goal, vessels.speed(world, rules, ship))
    entry = world.jobs[ship]
    may_search, may_shift = True, True
    while points > 0 and (passage.is_on_detour(world, ship) or not is_there(world, rules, ship, goal)):
        covered = passage.advance(world, rules, ship, h, goal, points)
        if covered > 0:
            points = points - covered if passage.pay_fuel(world, ship) else 0
        elif may_shift and _is_off(world, rules, ship, goal) and _shift(world, rules, ship, goal, points):
            may_shift = False
        elif _is_off(world, rules, ship, goal) and _is_full(world, rules, ship, goal):
            entry.waited = 0  # it waits for a berth, not for somebody to move on
            return
        elif covered == passage.NO_ROUTE or (covered == passage.STUCK and entry.waited == 0):
            _count_turn(world, ship)
            return
        elif may_search and _search(world, rules, ship, h, goal):
            may_search = False
        else:
            _count_turn(world, ship)
            return


@kernel
def _search(world: World, rules: Rules, ship: int, h: int, goal: int) -> bool:
    """Search a way around, if the world has a search left in this turn; whether there is one (MER-067)."""
    if world.clock[0].detours >= rules.scalars[0].merchant_detour_searches_per_turn:
        return False
    world.clock[0].detours += 1
    return detours.search(world, rules, ship, h, goal)


@kernel
def _count_turn(world: World, ship: int) -> None:
    """A ship could not go on in this turn (MER-025)."""
    entry = world.jobs[ship]
    entry.waited = min(_MOST_WAITED, int(entry.waited) + 1)


# ---------------------------------------------------------------- off a port


@kernel
def _keep_off_entrance(world: World, rules: Rules, ship: int, h: int, port: int, points: int) -> int:
    """Let a ship that comes to wait off a port with one entrance make for its waiting cell (MER-051).

    Returns:
        The movement points that it may use: not those that would take it onto the entrance meanwhile.
    """
    away = charts.way(world, h, int(world.ships[ship].cell))
    if away < 0 or away > points or not waits_there(world, ship):
        return points
    if not waiting.has_one_entrance(world, rules, port) or is_there(world, rules, ship, port):
        return points
    cell = waiting.choose(world, rules, ship, port)
    if cell < 0 or detours.to_cell(world, rules, ship, cell, points):
        return points
    return away - 1


@kernel
def _is_off(world: World, rules: Rules, ship: int, goal: int) -> bool:
    """Whether a ship is close enough to its port to see how its berths are taken."""
    if world.cells.flat[goal].terrain != terrain.PORT:
        return False
    away = hexgrid.distance(world.cells.shape[1], int(world.ships[ship].cell), goal)
    return bool(away <= waiting.radius(rules) + 1)


@kernel
def _is_full(world: World, rules: Rules, ship: int, port: int) -> bool:
    """Whether a port has no free berth, and a ship lies where it may wait for one (MER-077)."""
    if harbours.berths(world, rules, port, True) > 0:
        return False
    return waiting.is_place(world, rules, ship, port, int(world.ships[ship].cell))


@kernel
def _shift(world: World, rules: Rules, ship: int, port: int, points: int) -> bool:
    """Set out for another berth than the nearest, or for a place to wait if all are taken (MER-077)."""
    keeps_off = waits_there(world, ship) and waiting.has_one_entrance(world, rules, port)
    if not keeps_off and detours.to_berth(world, rules, ship, port, points):
        return True
    if not keeps_off and harbours.berths(world, rules, port, True) > 0:
        return False
    here = int(world.ships[ship].cell)
    if not waits_there(world, ship) and waiting.is_place(world, rules, ship, port, here):
        return False
    cell = waiting.choose(world, rules, ship, port)
    return cell >= 0 and cell != here and detours.to_cell(world, rules, ship, cell, points)


# ---------------------------------------------------------------- there


@kernel
def _arrive(world: World, rules: Rules, ship: int, goal: int, start: int) -> None:
    """A ship that is where it was bound does what comes next (MER-077)."""
    entry = world.jobs[ship]
    has_moved = world.ships[ship].cell != start
    is_under_way = entry.job == job.SAILING or entry.job == job.RETURNING
    if goal < 0 or not (has_moved or is_under_way) or not is_there(world, rules, ship, goal):
        return
    if has_moved:
        entry.arrived = world.clock[0].turn
        jobs.forget_way(world, ship)
    if entry.job == job.SAILING:
        if entry.handled < world.clock[0].turn:  # one that loaded now, beside its goal, is there next turn
            entry.job = job.UNLOADING
            entry.arrived = world.clock[0].turn
    elif deposits.is_due(world, ship):
        deposits.leave(world, rules, ship)
        settle(world, ship)
    elif entry.job == job.RETURNING and waits_there(world, ship):
        take_base(world, ship, goal)
    elif entry.job == job.RETURNING:
        entry.job = job.UNLOADING


@kernel
def settle(world: World, ship: int) -> None:
    """A ship that was sent to a port is idle when it lies beside it, empty (MER-044, MER-046)."""
    entry = world.jobs[ship]
    if entry.job == job.RETURNING and harbours.is_at(world, ship, int(entry.goal)):
        if waits_there(world, ship):
            take_base(world, ship, int(entry.goal))


@kernel
def take_base(world: World, ship: int, port: int) -> None:
    """A ship is idle at a port; one that is not its home is its temporary home from now on (MER-044)."""
    entry = world.jobs[ship]
    entry.job = job.IDLE
    entry.goal = NONE
    if port == entry.home:
        entry.refuge = NONE
    elif port != entry.refuge:
        entry.refuge = port
        entry.searched = world.clock[0].turn


@kernel
def _mend(world: World, rules: Rules, ship: int) -> None:
    """A damaged ship beside a port of its own nation regains hit points, whatever the climate (MER-039)."""
    record = world.ships[ship]
    if record.hp >= hulls.most_hp(rules, int(record.kind), int(record.experience)):
        return
    height, width = world.cells.shape
    for direction in range(1, _NEIGHBOURS + 1):
        near = hexgrid.neighbour(width, height, int(record.cell), direction)
        if harbours.is_port_of(world, near, int(record.owner)):
            hulls.heal(world, rules, ship, int(rules.scalars[0].ship_supply_repair))
            return
