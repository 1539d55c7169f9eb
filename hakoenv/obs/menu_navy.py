"""Filling a menu with the verbs of the navy: ships, fleets, mines and wrecks.

What the nation has on the water tells which of them are worth asking about; the answer is the
validator's own. Which fleet a verb may name is one thing, which cell another: neither asks for the
other, so each is found once. Directions are asked one by one (`options`).
"""

from __future__ import annotations

from typing import Any

from hakoenv.engine import hexgrid, view
from hakoenv.engine.codes import reason, terrain
from hakoenv.engine.commands import look, naval, prices, sea_works, shipyard, validate
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import vessels
from hakoenv.engine.world import FLEETS, World
from hakoenv.obs.menu_pieces import Pieces, Scratch, number_of_price, offer_verb, pays
from hakoenv.obs.menu_table import (
    ALL_KEPT,
    AMOUNT,
    COURSE,
    CREW,
    DISEMBARK,
    EMBARK,
    FLEETLESS,
    HERE,
    JOIN,
    LAY,
    MINES,
    NO_FLEET,
    NONE,
    OWN_PORT,
    SALVO,
    SHIPS,
    SWEEP,
    WRECK,
    YARD,
    MenuTable,
    field,
)
from hakoenv.ruleset.compiled import Rules

_NEIGHBOURS = 6
_CLOSED = -2  # in `Scratch.timely`: no fleet may get an order; else one that may, -1 not asked yet
_NOWHERE = -1  # the cell of who names none


@kernel
def offer(
    world: World, rules: Rules, table: MenuTable, cell_index: Any, pieces: Pieces, scratch: Scratch, n: int,
    turn: int,
) -> None:  # fmt: skip
    """Judge the verbs of the navy for every place of the nation's cell list."""
    ships = _count_ships(world, scratch, n)
    ports, mines = _count_sites(world, n)
    left = max(0, int(rules.scalars[0].naval_mine_nation_max) - mines)
    pieces.uses[n, MINES] = min(int(table.uses[MINES]), left)
    builds = ports > 0 and table.rows_of[YARD, 0] > 0 and ships < shipyard.most_ships(world, rules, n)
    pieces.uses[n, SHIPS] = int(builds)
    lays = left > 0 and _pays_for_a_mine(table, pieces, scratch, n)
    if ships == 0 and ports == 0 and mines == 0 and not lays:
        return
    room = _fleets_with_room(rules, scratch)
    builds = builds and room > 0
    if ships > 0:
        _offer_without_cell(world, rules, table, pieces, scratch, n, turn)
        _offer_wrecks(world, rules, table, cell_index, pieces, scratch, n, turn)
        for row in range(table.row_verb.shape[0]):
            scratch.timely[row] = NONE
        scratch.waters[:] = NONE
    for place in range(cell_index.shape[1]):
        cell = int(cell_index[n, place])
        if cell < 0:
            continue
        if ships > 0:
            _offer_orders(world, rules, table, pieces, scratch, n, turn, place, cell)
            if look.own_warship(world, n, cell) >= 0:
                _offer_crew(world, rules, table, pieces, scratch, n, turn, place, cell, room)
        here = world.cells.flat[cell]
        if here.owner == n and here.terrain == terrain.NAVAL_PORT:
            pieces.options[n, place, HERE] = OWN_PORT
        elif here.owner == n and here.terrain == terrain.NAVAL_MINE:
            _offer_there(world, rules, table, pieces, scratch, SWEEP, n, turn, place, cell)
        elif (builds or lays) and _is_beside_own(world, n, cell):
            fleets = room if builds and shipyard.has_port(world, n, cell) else 0
            if fleets or lays:
                _offer_water(world, rules, table, pieces, scratch, n, turn, place, cell, fleets, int(lays))


@kernel
def _count_ships(world: World, scratch: Scratch, n: int) -> int:
    """Count the nation's warships, also by fleet."""
    scratch.fleets[:] = 0
    found = 0
    for ship in range(world.clock[0].ships):
        record = world.ships[ship]
        if record.owner == n and view.is_warship(int(record.kind)):
            found += 1
            if 0 <= record.fleet < FLEETS:
                scratch.fleets[record.fleet] += 1
    return found


@kernel
def _count_sites(world: World, n: int) -> tuple[int, int]:
    """How many naval ports and mines the nation has."""
    nation = world.nations[n]
    ports = mines = 0
    for k in range(int(nation.first), int(nation.first) + int(nation.held)):
        place = world.cells.flat[world.territory[k]]
        if place.owner == n:
            ports += place.terrain == terrain.NAVAL_PORT
            mines += place.terrain == terrain.NAVAL_MINE
    return ports, mines


@kernel
def _pays_for_a_mine(table: MenuTable, pieces: Pieces, scratch: Scratch, n: int) -> bool:
    for k in range(1, table.rows_of[LAY, 0] + 1):
        verb = table.verbs[table.row_verb[table.rows_of[LAY, k]]]
        price = number_of_price(table, prices.PER_LEVEL, verb.command, 0)
        if pays(pieces, n, price, scratch.purse, verb, 0, verb.least):
            return True
    return False


@kernel
def _is_beside_own(world: World, n: int, cell: int) -> bool:
    """Whether an own cell lies beside a cell: no ship is built and no mine laid elsewhere."""
    height, width = world.cells.shape
    for direction in range(1, _NEIGHBOURS + 1):
        near = hexgrid.neighbour(width, height, cell, direction)
        if near >= 0 and world.cells.flat[near].owner == n:
            return True
    return False


# ------------------------------------------------------------------ one cell, one price


@kernel
def _offer_there(
    world: World, rules: Rules, table: MenuTable, pieces: Pieces, scratch: Scratch, way: int, n: int,
    turn: int, place: int, cell: int,
) -> None:  # fmt: skip
    """Ask about the verbs of a way that name a cell and nothing that depends on it."""
    for k in range(1, table.rows_of[way, 0] + 1):
        row = table.rows_of[way, k]
        v = int(table.row_verb[row])
        _offer_row(world, rules, table, pieces, scratch, n, turn, place, cell, row, v, _least(table, v))


@kernel
def _offer_row(
    world: World, rules: Rules, table: MenuTable, pieces: Pieces, scratch: Scratch, n: int, turn: int,
    place: int, cell: int, row: int, v: int, amount: int,
) -> bool:  # fmt: skip
    """Offer a verb at a place if the validator takes it with an amount and the purse pays; tell whether."""
    why, kind, at, level = naval.allowed(world, rules, n, n, turn, int(table.verbs[v].command), cell, amount)
    return why == reason.DONE and _offer_at_price(table, pieces, scratch, n, place, row, v, kind, at, level)


@kernel
def _offer_at_price(
    table: MenuTable, pieces: Pieces, scratch: Scratch, n: int, place: int, row: int, v: int, kind: int,
    at: int, level: int,
) -> bool:  # fmt: skip
    """Offer a verb at a place where it is allowed, if the purse pays; tell whether."""
    verb = table.verbs[v]
    price = number_of_price(table, kind, at, 0 if verb.scales >= 0 else level)
    if not pays(pieces, n, price, scratch.purse, verb, 0, verb.least):
        return False
    pieces.cells[n, row, place] = price + 1
    if verb.fleet == NO_FLEET or verb.options >= 0 or verb.factors == 0:
        offer_verb(table, pieces, n, v)
    return True


@kernel
def _least(table: MenuTable, v: int) -> int:
    """The amount of a verb with the first value of its factor."""
    verb = table.verbs[v]
    return field(verb, AMOUNT, verb.first[0], verb.first[1], 0, 0, 0)


@kernel
def _with(table: MenuTable, v: int, value: int) -> int:
    """The amount of a verb with a value of its factor, by its place."""
    return field(table.verbs[v], AMOUNT, value, 0, 0, 0, 0)


@kernel
def _offer_water(
    world: World, rules: Rules, table: MenuTable, pieces: Pieces, scratch: Scratch, n: int, turn: int,
    place: int, cell: int, fleets: int, lays: int,
) -> None:  # fmt: skip
    """New mines, and new ships into some fleets (one bit each), on water; their number was judged before."""
    seen = view.terrain(world, rules, n, cell)
    if lays and seen == terrain.SEA and sea_works.may_lie(world, rules, n, n, cell) == reason.DONE:
        for k in range(1, table.rows_of[LAY, 0] + 1):
            row = table.rows_of[LAY, k]
            v = int(table.row_verb[row])
            at = int(table.verbs[v].command)
            _offer_at_price(table, pieces, scratch, n, place, row, v, prices.PER_LEVEL, at, 0)
    if not fleets or (seen != terrain.SEA and seen != terrain.SHALLOWS):
        return
    first = _first(fleets)
    for k in range(1, table.rows_of[YARD, 0] + 1):
        row = table.rows_of[YARD, k]
        v = int(table.row_verb[row])
        kind, _ = shipyard.ordered(_with(table, v, first))
        if shipyard.may_lie(world, rules, n, n, kind, cell) != reason.DONE:
            continue
        if _offer_at_price(table, pieces, scratch, n, place, row, v, prices.SHIP, kind, 0):
            _offer_fleets(pieces, n, v, fleets)


@kernel
def _offer_wrecks(
    world: World, rules: Rules, table: MenuTable, cell_index: Any, pieces: Pieces, scratch: Scratch, n: int,
    turn: int,
) -> None:  # fmt: skip
    """Wrecks that lie on cells of the list."""
    for k in range(world.wrecks.shape[0] if table.rows_of[WRECK, 0] else 0):
        wreck = world.wrecks[k]
        for place in range(cell_index.shape[1] if wreck.kind > 0 else 0):
            if cell_index[n, place] == wreck.cell:
                _offer_there(world, rules, table, pieces, scratch, WRECK, n, turn, place, int(wreck.cell))


# ------------------------------------------------------------------ fleets


@kernel
def _fleets_with_room(rules: Rules, scratch: Scratch) -> int:
    """Fleets that another ship may join, one bit each (NAVY-039)."""
    found = 0
    for fleet in range(FLEETS):
        if scratch.fleets[fleet] < rules.scalars[0].ship_per_fleet:
            found |= 1 << fleet
    return found


@kernel
def _first(bits: int) -> int:
    """The least bit that is 1, -1 none."""
    for fleet in range(FLEETS):
        if (bits >> fleet) & 1:
            return fleet
    return NONE


@kernel
def _offer_fleets(pieces: Pieces, n: int, v: int, fleets: int) -> None:
    """Offer a verb for some fleets, one bit each."""
    pieces.verbs[n, v + 1] = 1
    for fleet in range(FLEETS):
        if (fleets >> fleet) & 1:
            pieces.factors[n, v, 0, fleet] = 1


@kernel
def _offer_without_cell(
    world: World, rules: Rules, table: MenuTable, pieces: Pieces, scratch: Scratch, n: int, turn: int
) -> None:  # fmt: skip
    """Verbs that name no cell: they clear a course or salvo orders."""
    for k in range(table.flat.shape[0]):
        v = int(table.flat[k])
        verb = table.verbs[v]
        if validate.HANDLED[verb.command] != validate.OF_NAVY:
            continue
        price = number_of_price(table, prices.COMMAND, verb.command, 0)
        if not scratch.payable[price]:
            continue
        fleets = 0
        for fleet in range(max(1, int(verb.count[0]))):
            amount = _with(table, v, fleet)
            why, _, _, _ = naval.allowed(world, rules, n, n, turn, int(verb.command), _NOWHERE, amount)
            fleets |= int(why == reason.DONE) << fleet
        if fleets:
            pieces.flat_price[n, v] = price
            pieces.verbs[n, v + 1] = 1
            if verb.factors > 0:
                _offer_fleets(pieces, n, v, fleets)


@kernel
def _offer_orders(
    world: World, rules: Rules, table: MenuTable, pieces: Pieces, scratch: Scratch, n: int, turn: int,
    place: int, cell: int,
) -> None:  # fmt: skip
    """Where fleets may be sent and what they may fire at.

    Any cell may be fired at, so one stands for all; of cells to sail to, one of each ground.
    """
    for k in range(1, table.rows_of[SALVO, 0] + 1):
        row = int(table.rows_of[SALVO, k])
        _offer_order(world, rules, table, pieces, scratch, n, turn, place, cell, row, 1)
    if table.rows_of[COURSE, 0] == 0:
        return
    ground = view.terrain(world, rules, n, cell)
    known = int(scratch.waters[ground])
    if ground == terrain.OFFSHORE_OIL or ground == terrain.MONSTER:  # may stand on land or water
        known = NONE
    for k in range(1, table.rows_of[COURSE, 0] + 1):
        row = int(table.rows_of[COURSE, k])
        if known != 0:
            known = _offer_order(world, rules, table, pieces, scratch, n, turn, place, cell, row, known)
    scratch.waters[ground] = known


@kernel
def _offer_order(
    world: World, rules: Rules, table: MenuTable, pieces: Pieces, scratch: Scratch, n: int, turn: int,
    place: int, cell: int, row: int, known: int,
) -> int:  # fmt: skip
    """Offer an order for a cell; which fleets may get it is asked once, at the first cell that is fit.

    ``known``: whether the cell is fit, -1 not asked yet. Returns the same as it is known now.
    """
    v = int(table.row_verb[row])
    verb = table.verbs[v]
    price = number_of_price(table, prices.COMMAND, verb.command, 0)
    if scratch.timely[row] == _CLOSED or not scratch.payable[price]:
        return known
    first = 0 if scratch.timely[row] == NONE else int(scratch.timely[row])
    last = int(max(1, verb.count[0])) if scratch.timely[row] == NONE else first + 1
    fleets = 0
    for fleet in range(first, last if known != 1 or scratch.timely[row] == NONE else first):
        amount = _with(table, v, fleet)
        why, _, _, _ = naval.allowed(world, rules, n, n, turn, int(verb.command), cell, amount)
        if why == reason.WRONG_TERRAIN:
            return 0
        if why == reason.DONE:
            fleets |= 1 << fleet
            known = 1
    if scratch.timely[row] == NONE:
        scratch.timely[row] = _first(fleets) if fleets else _CLOSED
        if fleets and verb.fleet == ALL_KEPT:
            pieces.verbs[n, v + 1] = 1
        elif fleets:
            _offer_fleets(pieces, n, v, fleets)
    if scratch.timely[row] != _CLOSED:
        pieces.cells[n, row, place] = price + 1
    return known


# ------------------------------------------------------------------ own ships


@kernel
def _offer_crew(
    world: World, rules: Rules, table: MenuTable, pieces: Pieces, scratch: Scratch, n: int, turn: int,
    place: int, cell: int, room: int,
) -> None:  # fmt: skip
    """What an own warship may do, and which fleets and directions it may choose."""
    ship = int(world.cells.flat[cell].ship)
    fleet = int(world.ships[ship].fleet)
    pieces.options[n, place, HERE] = 1 + (fleet if fleet >= 0 else FLEETLESS)
    laden = int(vessels.carried(world, ship) >= 0)
    others = room & ~(1 << fleet) if fleet >= 0 else room
    for k in range(1, table.rows_of[CREW, 0] + 1):
        row = int(table.rows_of[CREW, k])
        v = int(table.row_verb[row])
        verb = table.verbs[v]
        if verb.options < 0:
            _offer_row(world, rules, table, pieces, scratch, n, turn, place, cell, row, v, _least(table, v))
            continue
        if verb.options == JOIN:  # one fleet stands for all with room; without any the first is refused
            amount = _with(table, v, max(0, _first(others)))
            if _offer_row(world, rules, table, pieces, scratch, n, turn, place, cell, row, v, amount):
                pieces.options[n, place, JOIN] = others
            continue
        for value in range(int(verb.count[0])):
            if not _is_likely(world, n, cell, laden, int(verb.options), value):
                continue
            amount = _with(table, v, value)
            if _offer_row(world, rules, table, pieces, scratch, n, turn, place, cell, row, v, amount):
                pieces.options[n, place, verb.options] |= 1 << value


@kernel
def _is_likely(world: World, n: int, cell: int, laden: int, what: int, value: int) -> bool:
    """Whether it is worth asking for a direction; most fall here, at less than the price of asking."""
    if what == DISEMBARK:
        return laden == 1
    height, width = world.cells.shape
    near = hexgrid.neighbour(width, height, cell, value + 1)
    if near < 0:
        return False
    unit = int(world.cells.flat[near].unit)
    mine = bool(unit >= 0 and world.units[unit].owner == n)
    return mine and laden == 0 if what == EMBARK else not mine
