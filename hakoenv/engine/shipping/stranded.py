"""Ships without a way home, and where they go (MER-044 .. MER-047, MER-049, MER-050, MER-080; phase 15).

Whether there is a way is what the chart of a port says (MER-067). A ship that has had none for some turns
looks for another port; the world grants so many of these searches in a turn (MER-050). Work that it can go on
with goes on meanwhile.
"""

from __future__ import annotations

from hakoenv.engine import hexgrid
from hakoenv.engine.codes import job, parcel, terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.shipping import cargo, charts, deposits, harbours, jobs, merchants, parcels, passage
from hakoenv.engine.trade import partners
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

NONE = -1


@kernel
def open_term(world: World, rules: Rules) -> None:
    """Note who has no way home, and help a few of these ships (TURN-016)."""
    for ship in range(world.clock[0].ships):
        if passage.sails(world, ship):
            _give_up_voyage(world, rules, ship)
            _keep_base(world, rules, ship)
            _note_way_home(world, ship)
    _help(world, rules)
    for ship in range(world.clock[0].ships):
        if passage.sails(world, ship) and deposits.is_due(world, ship):
            deposits.leave(world, rules, ship)
            merchants.settle(world, ship)


@kernel
def has_lost_patience(world: World, rules: Rules, since: int) -> bool:
    """Whether so many turns have passed since a ship last had a way that it looks for another port."""
    return bool(world.clock[0].turn - since >= rules.scalars[0].private_home_lost_turns)


# ---------------------------------------------------------------- ways


@kernel
def lets_in(world: World, ship: int, port: int) -> bool:
    """Whether a cell (-1 none) is a port that a ship may lie at and leave goods in (MER-046)."""
    if port < 0 or world.cells.flat[port].terrain != terrain.PORT:
        return False
    return partners.may_call(world, int(world.cells.flat[port].owner), int(world.ships[ship].owner))


@kernel
def has_way(world: World, ship: int, port: int) -> bool:
    """Whether a port's chart knows a way from where a ship lies."""
    return bool(charts.way(world, harbours.find(world, port), int(world.ships[ship].cell)) >= 0)


@kernel
def has_way_home(world: World, ship: int) -> bool:
    """Whether a ship's true home port is there, its nation's, and can be reached (MER-080)."""
    home = int(world.jobs[ship].home)
    return harbours.is_port_of(world, home, int(world.ships[ship].owner)) and has_way(world, ship, home)


@kernel
def _keep_base(world: World, rules: Rules, ship: int) -> None:
    """A temporary home of the own nation is home when the old one is lost (MER-080).

    One that is closed to the ship, or that it can't get to, is none any more.
    """
    entry = world.jobs[ship]
    owner = int(world.ships[ship].owner)
    refuge = int(entry.refuge)
    if refuge < 0:
        return
    if harbours.is_port_of(world, refuge, owner) and not harbours.is_port_of(world, int(entry.home), owner):
        entry.home = refuge
        entry.refuge = NONE
    elif not lets_in(world, ship, refuge) or _cannot_return(world, rules, ship):
        entry.refuge = NONE
        entry.searched = 0  # it looks for another one now


@kernel
def _cannot_return(world: World, rules: Rules, ship: int) -> bool:
    """Whether a ship on its way to its temporary home has no way there, or has been held up for too long."""
    entry = world.jobs[ship]
    if entry.job != job.RETURNING or entry.goal != entry.refuge:
        return False
    return _is_held_up(world, rules, ship) or not has_way(world, ship, int(entry.refuge))


@kernel
def _is_held_up(world: World, rules: Rules, ship: int) -> bool:
    """Whether a ship could not go on for so many turns that its way is none (MER-044, MER-073)."""
    return bool(world.jobs[ship].waited >= rules.scalars[0].private_home_lost_turns)


@kernel
def _note_way_home(world: World, ship: int) -> None:
    """Note since when a ship has had no way home: none on the chart, or none that it could go (MER-044).

    A port without chart yet tells nothing. With a way again, a ship on its way to another port turns home.
    """
    entry = world.jobs[ship]
    h = harbours.find(world, int(entry.home))
    if h >= 0 and world.harbours[h].charted == 0:
        return
    is_barred = entry.job == job.RETURNING and entry.goal == entry.home and entry.waited > 0
    if has_way_home(world, ship) and not is_barred:
        entry.strayed = 0
        if entry.job == job.RETURNING and entry.refuge < 0 and entry.goal != entry.home:
            go_to(world, ship, int(entry.home))
    elif entry.strayed == 0:
        entry.strayed = max(1, int(world.clock[0].turn) - 1)


@kernel
def _give_up_voyage(world: World, rules: Rules, ship: int) -> None:
    """A ship that could not go on toward its goal for some turns takes its goods home (MER-073)."""
    if not _is_held_up(world, rules, ship):
        return
    if world.jobs[ship].job == job.SAILING or world.jobs[ship].job == job.LOADING:
        _take_back(world, rules, ship)
    elif world.jobs[ship].job == job.FISHING:
        go_to(world, ship, jobs.base(world, ship))


@kernel
def _take_back(world: World, rules: Rules, ship: int) -> None:
    """The deals about a ship's cargo are called off; the goods go back (MER-073)."""
    for p in range(world.clock[0].parcels):
        is_ashore = world.parcels[p].state == parcel.ASHORE
        if parcels.of_ship(world, p, ship) and (is_ashore or not parcels.goes_back(world, p)):
            cargo.give_back(world, rules, p)


# ---------------------------------------------------------------- help


@kernel
def _help(world: World, rules: Rules) -> None:
    """Ships without a way home search in ship order, after the last one served, a few a turn (MER-050)."""
    clock = world.clock[0]
    ships = world.ships.shape[0]
    start = int(clock.searched_last) + 1
    for k in range(ships):
        ship = (start + k) % ships
        if not passage.sails(world, ship) or not _wants_help(world, rules, ship):
            continue
        if clock.rescues >= rules.scalars[0].cruise_path_searches_per_turn:
            return
        clock.rescues += 1
        clock.searched_last = ship
        _search(world, rules, ship)


@kernel
def _wants_help(world: World, rules: Rules, ship: int) -> bool:
    """Whether a ship is to search: stranded, or at its temporary home, and not in vain lately (MER-049)."""
    entry = world.jobs[ship]
    is_new = entry.searched <= entry.strayed
    if not is_new and not has_lost_patience(world, rules, int(entry.searched)):
        return False
    if entry.refuge >= 0:
        return bool(entry.job == job.IDLE)
    if entry.strayed == 0 or not has_lost_patience(world, rules, int(entry.strayed)):
        return False
    return not _goes_on(world, rules, ship)


@kernel
def _goes_on(world: World, rules: Rules, ship: int) -> bool:
    """Whether a ship has something to do that it can go on with (MER-080)."""
    entry = world.jobs[ship]
    goal = int(entry.goal)
    if entry.job == job.LOADING or entry.job == job.FISHING:
        return True
    if entry.job == job.IDLE or goal == entry.home or _is_held_up(world, rules, ship):
        return False
    return has_way(world, ship, goal) and (entry.job != job.RETURNING or lets_in(world, ship, goal))


@kernel
def _search(world: World, rules: Rules, ship: int) -> None:
    """A ship looks for its way home, else for a port to leave goods or to wait (MER-044 .. MER-049)."""
    entry = world.jobs[ship]
    entry.searched = world.clock[0].turn
    if has_way_home(world, ship) and entry.refuge >= 0:
        entry.refuge = NONE
        go_to(world, ship, int(entry.home))
        return
    if entry.refuge >= 0:
        return
    is_laden = parcels.aboard(world, ship)
    port = _haven(world, rules, ship, is_laden)
    if port < 0:
        return
    go_to(world, ship, port)
    _take_back(world, rules, ship)
    merchants.settle(world, ship)


@kernel
def go_to(world: World, ship: int, port: int) -> None:
    """A ship goes to a port to wait there, or to leave its goods."""
    entry = world.jobs[ship]
    entry.job = job.RETURNING
    entry.goal = port
    jobs.forget_way(world, ship)


@kernel
def _haven(world: World, rules: Rules, ship: int, is_laden: bool) -> int:
    """The port that a stranded ship makes for, -1 none.

    Laden: one close by that lets it in, else the nearest by route (MER-046, MER-047). Empty: a free one of
    its own nation close by, else the one where it last unloaded (MER-044, MER-045).
    """
    port = _close_by(world, rules, ship, is_laden)
    if port < 0 and is_laden:
        return _nearest(world, ship)
    if port < 0:
        port = int(world.jobs[ship].unloaded_at)
        if port == world.jobs[ship].home or not lets_in(world, ship, port) or not has_way(world, ship, port):
            return int(NONE)
    return port


@kernel
def _close_by(world: World, rules: Rules, ship: int, is_laden: bool) -> int:
    """The nearest suitable port within a few cells, straight; of equals the lowest; -1 none."""
    width = world.cells.shape[1]
    cell, owner = int(world.ships[ship].cell), int(world.ships[ship].owner)
    found, least = NONE, 0
    for h in range(world.harbours.shape[0]):
        port = int(world.harbours[h].cell)
        if port < 0 or port == world.jobs[ship].home:
            continue
        away = hexgrid.distance(width, cell, port)
        if away > rules.scalars[0].private_other_port_distance or charts.way(world, h, cell) < 0:
            continue
        if is_laden:
            is_fit = lets_in(world, ship, port)
        else:
            has_berth = away == 1 or harbours.berths(world, rules, port, True) > 0
            is_fit = has_berth and harbours.is_port_of(world, port, owner)
        rank = away * world.cells.size + port
        if is_fit and (found < 0 or rank < least):
            found, least = port, rank
    return int(found)


@kernel
def _nearest(world: World, ship: int) -> int:
    """The port with the shortest way that lets a ship in, of equals the lowest cell; -1 none (MER-047)."""
    cell = int(world.ships[ship].cell)
    found, least = NONE, 0
    for h in range(world.harbours.shape[0]):
        port = int(world.harbours[h].cell)
        if port < 0 or port == world.jobs[ship].home:
            continue
        away = charts.way(world, h, cell)
        if away < 0:
            continue
        rank = away * world.cells.size + port
        if (found < 0 or rank < least) and lets_in(world, ship, port):
            found, least = port, rank
    return int(found)
