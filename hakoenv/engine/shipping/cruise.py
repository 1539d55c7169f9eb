"""Cruise ships: private sectors build them where they pay, and they sail from port to port by themselves.

No command is about them (CRU-001). A ship has a home port and a goal; what it earned with its latest call and
what pirates have not taken of that is its `unlooted` (jobs).
"""

from __future__ import annotations

from hakoenv.engine import hexgrid, stock
from hakoenv.engine.codes import cause, item, ship_class
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import vessels
from hakoenv.engine.rounding import ceil_div
from hakoenv.engine.shipping import cruise_route, harbours, launch, raids, seaways
from hakoenv.engine.trade import contracts
from hakoenv.engine.world import CRUISE_TURNS, World
from hakoenv.ruleset.compiled import Rules

NONE = -1
_NEIGHBOURS = 6


@kernel
def sail_and_raid(world: World, rules: Rules) -> None:
    """Cruise ships sail, all of them; they earn; pirates raid; contracts are judged (TURN-049, CRU-020)."""
    sail(world, rules)
    earn(world, rules)
    raids.draw(world, rules)
    contracts.judge(world, rules)


# ---------------------------------------------------------------- sailing


@kernel
def sail(world: World, rules: Rules) -> None:
    """Every cruise ship sails, in ship order; nations note how many they have (CRU-012)."""
    slot = world.clock[0].turn % CRUISE_TURNS
    for n in range(world.nations.shape[0]):
        world.nations[n].cruise_turns[slot] = world.nations[n].cruise_calls[slot] = 0
    for ship in range(world.clock[0].ships):
        record = world.ships[ship]
        if record.kind != ship_class.CRUISE_SHIP or record.owner < 0:
            continue
        entry = world.jobs[ship]
        entry.dormant = not harbours.is_port_of(world, int(entry.home), int(record.owner))  # CRU-006
        if entry.built == world.clock[0].turn:
            continue
        world.nations[record.owner].cruise_turns[slot] += 1
        if not entry.dormant:
            _sail_one(world, rules, ship)


@kernel
def _sail_one(world: World, rules: Rules, ship: int) -> None:
    """Choose a port if need be and sail toward it; if the ship gets there, that may be a call (CRU-007)."""
    entry = world.jobs[ship]
    if _must_choose(world, ship):
        cruise_route.choose(world, rules, ship)
    if entry.goal < 0 or _head_for_goal(world, rules, ship) == 0 or not _is_there(world, ship):
        return
    if entry.goal != entry.called:
        entry.called = entry.goal
        entry.arrived = world.clock[0].turn
    cruise_route.forget(world, ship)


@kernel
def _must_choose(world: World, ship: int) -> bool:
    """Whether a ship chooses now: it lies at its goal or may not enter it, or the time has come (CRU-018)."""
    entry = world.jobs[ship]
    due = entry.chosen <= world.clock[0].turn
    if entry.goal < 0:
        return bool(due)
    may_enter = cruise_route.admits(world, int(world.ships[ship].owner), int(entry.goal))
    if not may_enter or _is_there(world, ship):
        return True
    return bool(due and entry.chosen > 0)


@kernel
def _is_there(world: World, ship: int) -> bool:
    """Whether a ship lies beside the port that it is bound for."""
    return harbours.is_at(world, ship, int(world.jobs[ship].goal))


@kernel
def _head_for_goal(world: World, rules: Rules, ship: int) -> int:
    """Sail nearer cell by cell, or along a way around, until beside the port; return the cells sailed."""
    most = vessels.speed(world, rules, ship)
    sailed = 0
    while sailed < most and not _is_there(world, ship):
        cell = _next_cell(world, ship)
        if cell < 0:
            if not _look_around(world, rules, ship):
                break
            cell = _next_cell(world, ship)
        world.cells.flat[world.ships[ship].cell].ship = NONE
        world.cells.flat[cell].ship = ship
        world.ships[ship].cell = cell
        if world.jobs[ship].detour_done < world.jobs[ship].detour_length:
            world.jobs[ship].detour_done += 1
        sailed += 1
    return sailed


@kernel
def _next_cell(world: World, ship: int) -> int:
    """Where a ship goes next: along its way around to the end of that, else nearer; -1 nowhere (CRU-013)."""
    height, width = world.cells.shape
    entry = world.jobs[ship]
    cell = int(world.ships[ship].cell)
    if entry.detour_done < entry.detour_length:
        near = hexgrid.neighbour(width, height, cell, int(entry.detour[entry.detour_done]))
        return near if seaways.is_free(world, near) else NONE
    left = hexgrid.distance(width, cell, int(entry.goal))
    for direction in range(1, _NEIGHBOURS + 1):
        near = hexgrid.neighbour(width, height, cell, direction)
        if seaways.is_free(world, near) and hexgrid.distance(width, near, int(entry.goal)) < left:
            return near
    return NONE


@kernel
def _look_around(world: World, rules: Rules, ship: int) -> bool:
    """A ship that has stopped searches a way around, if the world and its own last search allow (CRU-015).

    If it finds none it will choose another port (CRU-019).
    """
    s = rules.scalars[0]
    clock = world.clock[0]
    entry = world.jobs[ship]
    too_soon = entry.searched > 0 and clock.turn - entry.searched < s.cruise_retry_turns
    if too_soon or clock.rescues >= s.cruise_path_searches_per_turn:
        return False
    clock.rescues += 1
    entry.searched = clock.turn
    if cruise_route.search(world, rules, ship):
        return True
    if entry.chosen <= clock.turn:
        entry.chosen = clock.turn + s.cruise_reselect_turns
    return False


# ---------------------------------------------------------------- earning


@kernel
def earn(world: World, rules: Rules) -> None:
    """Calls of this turn bring income; what waits for room in private cash is paid as can be (CRU-009)."""
    slot = world.clock[0].turn % CRUISE_TURNS
    for ship in range(world.clock[0].ships):
        record = world.ships[ship]
        entry = world.jobs[ship]
        if record.kind != ship_class.CRUISE_SHIP or record.owner < 0 or entry.dormant:
            continue
        if entry.called >= 0 and entry.arrived == world.clock[0].turn:
            entry.unlooted = income(rules, count(world) - 1)
            world.nations[record.owner].cruise_unpaid += entry.unlooted
            world.nations[record.owner].cruise_calls[slot] += 1
    for n in range(world.nations.shape[0]):
        if world.nations[n].alive:
            _pay_out(world, rules, n)


@kernel
def income(rules: Rules, others: int) -> int:
    """What a call brings, in thousandths, with so many other cruise ships in the world (CRU-008)."""
    s = rules.scalars[0]
    full = s.cruise_call_income_base * stock.THOUSANDTHS
    return int(full * s.cruise_call_income_crowding // (s.cruise_call_income_crowding + others))


@kernel
def count(world: World) -> int:
    """Cruise ships in the world, whoever owns them, dormant ones too."""
    found = 0
    for ship in range(world.clock[0].ships):
        found += world.ships[ship].kind == ship_class.CRUISE_SHIP
    return found


@kernel
def _pay_out(world: World, rules: Rules, n: int) -> None:
    """Pay a private sector what its cruise ships earned, as far as there is room for it."""
    record = world.nations[n]
    room = max(0, stock.private_cap(rules, item.FUNDS) - record.private[item.FUNDS])
    paid = min(int(record.cruise_unpaid), int(room))
    record.cruise_unpaid -= stock.private_gain(world, rules, n, item.FUNDS, paid, cause.CRUISE)


# ---------------------------------------------------------------- building


@kernel
def build(world: World, rules: Rules, n: int) -> bool:
    """Build one cruise ship for the first own port in cell order that it pays for; whether one was (CRU-025).

    There is at most one for a port, and no more than ports: dormant ships count among these only (CRU-002).
    A port needs some free water cells beside it (CRU-005).
    """
    most = int(rules.ship_classes[ship_class.CRUISE_SHIP].per_port_cap)
    price = int(rules.ship_classes[ship_class.CRUISE_SHIP].cost) * stock.THOUSANDTHS
    if world.nations[n].private[item.FUNDS] < price or _owned(world, n, NONE) >= _ports(world, n):
        return False
    port = _next_port(world, n, NONE)
    while port >= 0:
        has_room = cruise_route.free_berths(world, port) >= rules.scalars[0].cruise_build_free_cells
        if has_room and _owned(world, n, port) < most and pays(world, rules, n, port):
            berth = cruise_route.free_berth(world, port)
            ship = launch.launch(world, rules, n, ship_class.CRUISE_SHIP, port, berth, price)
            if ship >= 0:
                world.jobs[ship].called = port
            return ship >= 0
        port = _next_port(world, n, port)
    return False


@kernel
def _owned(world: World, n: int, port: int) -> int:
    """Cruise ships of a nation whose home is a port; all that it has for -1."""
    found = 0
    for ship in range(world.clock[0].ships):
        record = world.ships[ship]
        own = record.kind == ship_class.CRUISE_SHIP and record.owner == n
        found += own and (port < 0 or world.jobs[ship].home == port)
    return found


@kernel
def _ports(world: World, n: int) -> int:
    """Listed ports of a nation."""
    found = 0
    for h in range(world.harbours.shape[0]):
        found += harbours.is_port_of(world, int(world.harbours[h].cell), n)
    return found


@kernel
def _next_port(world: World, n: int, after: int) -> int:
    """The listed port of a nation with the lowest cell above ``after``, -1 none."""
    found = NONE
    for h in range(world.harbours.shape[0]):
        cell = int(world.harbours[h].cell)
        if cell > after and (found < 0 or cell < found) and harbours.is_port_of(world, cell, n):
            found = cell
    return found


@kernel
def pays(world: World, rules: Rules, n: int, port: int) -> bool:
    """Whether the income that a new ship can expect of its first turns reaches its price (CRU-010).

    Expected calls times the income of one call if it joined, compared without cutting anything.
    """
    crowd = count(world)
    farthest, most = 0, world.cells.shape[0] + world.cells.shape[1]  # where it pays: it pays nearer, too
    while farthest < most:
        away = (farthest + most + 1) // 2
        if _pays_at(world, rules, n, away, crowd):
            farthest = away
        else:
            most = away - 1
    return farthest > 0 and cruise_route.reaches(world, rules, n, port, farthest)


@kernel
def _pays_at(world: World, rules: Rules, n: int, away: int, crowd: int) -> bool:
    """Whether a new ship pays if the nearest port is so far away, with so many in the world."""
    s = rules.scalars[0]
    calls, parts = expected_calls(world, rules, n, away)
    full = s.cruise_call_income_base * s.cruise_call_income_crowding
    price = rules.ship_classes[ship_class.CRUISE_SHIP].cost
    return bool(calls * full >= price * (s.cruise_call_income_crowding + crowd) * parts)


@kernel
def expected_calls(world: World, rules: Rules, n: int, away: int) -> tuple[int, int]:
    """Calls of a new ship in so many turns, as a fraction, if the nearest port is so far away (CRU-011).

    What the nation's ships did in the remembered turns counts instead if that is less, and is the record of a
    ship for all these turns, or of more ships for fewer (CRU-012).
    """
    horizon = int(rules.scalars[0].cruise_payback_turns)
    pace = max(1, vessels.class_speed(world, rules, n, ship_class.CRUISE_SHIP))
    calls = horizon // max(1, ceil_div(away, pace))
    turns = made = 0
    for slot in range(CRUISE_TURNS):
        turns += int(world.nations[n].cruise_turns[slot])
        made += int(world.nations[n].cruise_calls[slot])
    if turns >= CRUISE_TURNS and made * horizon < calls * turns:
        return made * horizon, turns
    return calls, 1
