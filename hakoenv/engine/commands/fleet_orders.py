"""Orders to fleets and ships: who belongs together, where to sail, how to act, what to fire at."""

from __future__ import annotations

from hakoenv.engine import view
from hakoenv.engine.codes import command as number
from hakoenv.engine.codes import fleet_mode, reason, terrain
from hakoenv.engine.commands import look
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import fleets, sailing, waters
from hakoenv.engine.world import FLEETS, World
from hakoenv.ruleset.codes import DOMAINS
from hakoenv.ruleset.compiled import Rules

FLAGSHIP, ESCORT_ON, ESCORT_OFF = 20, 30, 31  # amounts of form_fleet; below: a fleet to join
TARGET, WAYPOINT, CLEAR = 100, 200, 1000  # amounts of fleet_move: these + fleet (CMD-040)
WHOLE_FLEET = 10  # amounts of fleet_mode from here on concern all ships of the fleet (CMD-041)
NO_SALVO = 0  # amounts of salvo_order: this, `salvo.amount` all fleets, or one more + fleet (CMD-021)
ALL = -1
NOBODY = -1
_WATER = DOMAINS.index("water")


@kernel
def allowed(
    world: World, rules: Rules, viewer: int, nation: int, turn: int, command: int, cell: int, amount: int
) -> int:
    """Reason code of an order."""
    if command == number.FLEET_MOVE:
        return _may_set_course(world, rules, viewer, nation, cell, amount)
    if command == number.SALVO_ORDER:
        return _may_order_salvo(world, rules, nation, amount)
    ship = look.own_warship(world, nation, cell)
    if ship < 0:
        return reason.NO_SHIP
    if command == number.FORM_FLEET:
        return _may_form(world, rules, nation, ship, amount)
    if command == number.FLEET_MODE:
        return _may_set_mode(world, ship, amount)
    return _may_step(world, rules, viewer, nation, turn, ship, amount)


@kernel
def carry_out(world: World, rules: Rules, nation: int, command: int, cell: int, amount: int) -> None:
    """The effect of an order that is allowed."""
    if command == number.FLEET_MOVE:
        _set_course(world, nation, cell, amount)
    elif command == number.SALVO_ORDER:
        _order_salvo(world, rules, nation, cell, amount)
    elif command == number.FORM_FLEET:
        _form(world, nation, int(world.cells.flat[cell].ship), amount)
    elif command == number.FLEET_MODE:
        _set_mode(world, nation, int(world.cells.flat[cell].ship), amount)
    else:
        step(world, rules, int(world.cells.flat[cell].ship), amount)


# ------------------------------------------------------------------ fleets


@kernel
def _may_form(world: World, rules: Rules, nation: int, ship: int, amount: int) -> int:
    """Another fleet with room, or the lead or escort of the own one (NAVY-039, NAVY-059, NAVY-102)."""
    record = world.ships[ship]
    if 0 <= amount < FLEETS:
        if record.fleet == amount:
            return reason.ALREADY_SO
        full = fleets.size(world, nation, amount) >= rules.scalars[0].ship_per_fleet
        return reason.FLEET_FULL if full else reason.DONE
    if amount != FLAGSHIP and amount != ESCORT_ON and amount != ESCORT_OFF:
        return reason.BAD_AMOUNT
    if record.fleet < 0:
        return reason.NO_FLEET
    if amount == FLAGSHIP:
        so = world.fleets[nation, record.fleet].flagship == ship
    else:
        so = (record.escort == 1) == (amount == ESCORT_ON)
    return reason.ALREADY_SO if so else reason.DONE


@kernel
def _form(world: World, nation: int, ship: int, amount: int) -> None:
    """A ship changes its fleet, leads it, or begins or ends its escort."""
    record = world.ships[ship]
    if amount < FLEETS:
        fleets.leave(world, ship)
        fleets.join(world, ship, amount)
    elif amount == FLAGSHIP:
        world.fleets[nation, record.fleet].flagship = ship
    else:
        record.escort = 1 if amount == ESCORT_ON else 0


@kernel
def _may_set_mode(world: World, ship: int, amount: int) -> int:
    """One of the four modes, for the ship or its whole fleet (NAVY-060)."""
    whole = amount >= WHOLE_FLEET
    mode = amount - WHOLE_FLEET if whole else amount
    if mode < 0 or mode >= fleet_mode.COUNT:
        return reason.BAD_AMOUNT
    return reason.NO_FLEET if whole and world.ships[ship].fleet < 0 else reason.DONE


@kernel
def _set_mode(world: World, nation: int, ship: int, amount: int) -> None:
    if amount < WHOLE_FLEET:
        world.ships[ship].mode = amount
        return
    fleet = int(world.ships[ship].fleet)
    for k in range(world.clock[0].ships):
        record = world.ships[k]
        if record.kind > 0 and record.owner == nation and record.fleet == fleet:
            record.mode = amount - WHOLE_FLEET


# ------------------------------------------------------------------ courses


@kernel
def _course(amount: int) -> tuple[int, int]:
    """What an amount of fleet_move does and to which fleet; fleet -1 if it means nothing (NAVY-057)."""
    base = int(CLEAR) if amount >= CLEAR else int(WAYPOINT) if amount >= WAYPOINT else int(TARGET)
    fleet = amount - base
    return base, fleet if 0 <= fleet < FLEETS else -1


@kernel
def _may_set_course(world: World, rules: Rules, viewer: int, nation: int, cell: int, amount: int) -> int:
    """A fleet with ships, water to sail to, and for a waypoint a target and room (NAVY-049, CMD-040)."""
    what, fleet = _course(amount)
    if fleet < 0:
        return reason.BAD_AMOUNT
    if fleets.size(world, nation, fleet) == 0:
        return reason.NO_FLEET
    banner = world.fleets[nation, fleet]
    if what != TARGET and banner.target < 0:
        return reason.NO_TARGET
    if what == CLEAR:
        return reason.DONE
    if not _is_water(world, rules, viewer, cell):
        return reason.WRONG_TERRAIN
    if what == WAYPOINT and banner.legs >= rules.scalars[0].ship_waypoints_max:
        return reason.TOO_MANY_WAYPOINTS
    return reason.DONE


@kernel
def _is_water(world: World, rules: Rules, viewer: int, cell: int) -> bool:
    """Whether a cell is water as the viewer sees it, ports and what is built at sea included."""
    ground = view.terrain(world, rules, viewer, cell)
    if ground == terrain.OFFSHORE_OIL or ground == terrain.MONSTER:
        ground = int(world.cells.flat[cell].below)
    return bool(rules.terrains[ground].domain == _WATER)


@kernel
def _set_course(world: World, nation: int, cell: int, amount: int) -> None:
    """A target replaces the whole course; waypoints are passed before it, in the order given (NAVY-056)."""
    what, fleet = _course(amount)
    banner = world.fleets[nation, fleet]
    if what == WAYPOINT:
        fleets.append_waypoint(banner, cell)
        return
    fleets.clear_course(banner)
    if what == TARGET:
        banner.target = cell


# ------------------------------------------------------------------ salvo orders


@kernel
def _may_order_salvo(world: World, rules: Rules, nation: int, amount: int) -> int:
    """Any cell, for a fleet that has ships (BOMB-033); an order can be taken back in its turn (CMD-021)."""
    everybody = rules.scalars[0].salvo_amount
    fleet = int(amount - everybody - 1) if amount != NO_SALVO else int(ALL)
    if fleet < ALL or fleet >= FLEETS:
        return reason.BAD_AMOUNT
    for f in range(FLEETS):
        if fleet != ALL and f != fleet:
            continue
        if world.fleets[nation, f].salvo >= 0 if amount == NO_SALVO else fleets.size(world, nation, f) > 0:
            return reason.DONE
    return reason.ALREADY_SO if amount == NO_SALVO else reason.NO_FLEET


@kernel
def _order_salvo(world: World, rules: Rules, nation: int, cell: int, amount: int) -> None:
    """The fleets named fire at the cell; a later order replaces earlier ones (BOMB-033)."""
    one = int(amount - rules.scalars[0].salvo_amount - 1)
    for fleet in range(FLEETS):
        banner = world.fleets[nation, fleet]
        if amount == NO_SALVO:
            banner.salvo = fleets.NONE
        elif (one == ALL or fleet == one) and fleets.size(world, nation, fleet) > 0:
            banner.salvo = cell


# ------------------------------------------------------------------ steps by hand


@kernel
def _may_step(
    world: World, rules: Rules, viewer: int, nation: int, turn: int, ship: int, direction: int
) -> int:
    """One free cell that the ship may enter, no port, once a turn (NAVY-080, NAVY-081, NAVY-101).

    Who knows of a mine there may run on it all the same (NMINE-004).
    """
    record = world.ships[ship]
    if direction < 1 or direction > look.DIRECTIONS:
        return reason.BAD_AMOUNT
    if record.moved == turn:
        return reason.ONCE_A_TURN
    goal = look.side(world, int(record.cell), direction)
    if goal < 0:
        return reason.OUTSIDE_MAP
    way = waters.way(world, rules, viewer, nation, int(record.kind), goal)
    if way != waters.OPEN and way != waters.MINED:
        return reason.WRONG_TERRAIN
    if view.ship(world, rules, viewer, goal) >= 0:
        return reason.SHIP_IN_THE_WAY
    return reason.UNIT_IN_THE_WAY if view.unit(world, rules, viewer, goal) >= 0 else reason.DONE


@kernel
def step(world: World, rules: Rules, ship: int, direction: int) -> None:
    """A ship sails a cell by hand, and its stage moves it no more (TURN-066); a mine may go off (NMINE-004).

    Something unseen ends it without a move, and its nation sees who is there until the turn ends (NAVY-101).
    """
    record = world.ships[ship]
    record.moved = world.clock[0].turn
    sailing.enter(world, rules, ship, look.side(world, int(record.cell), direction))
