"""Filling a menu with the verbs of war that name a cell: troops, missiles, self-destruction, cession.

What stands on a cell tells which of them are worth asking about; the answer is the validator's own.
Missiles are judged at the price of a distance for each own base, since any cell may be aimed at.
"""

from __future__ import annotations

from typing import Any

from hakoenv.engine import hexgrid, view
from hakoenv.engine.codes import reason, terrain
from hakoenv.engine.commands import muster, prices, strikes, treaties
from hakoenv.engine.kernel import kernel
from hakoenv.engine.missiles import aim, bases
from hakoenv.engine.world import World
from hakoenv.obs.menu_pieces import Pieces, Scratch, number_of_price, offer_verb, pays
from hakoenv.obs.menu_table import (
    AIM,
    AMOUNT,
    BLAST,
    CEDE,
    CONSCRIPT,
    EQUIP,
    ITEM,
    NONE,
    OWN_BASE,
    PLACE,
    MenuTable,
    field,
)
from hakoenv.ruleset.compiled import Rules

_CELL, _RANGE, _SHOTS, _DISTANCE = range(4)  # columns of `Scratch.bases`
_NEIGHBOURS = 6
_FREE = 0  # the price that is none
_INT16_MAX = 2**15 - 1


@kernel
def offer(
    world: World, rules: Rules, table: MenuTable, cell_index: Any, pieces: Pieces, scratch: Scratch, n: int,
    turn: int,
) -> None:  # fmt: skip
    """Judge the verbs of war for every place of the nation's cell list."""
    armed = _find_bases(world, rules, table, scratch, n)
    for place in range(cell_index.shape[1]):
        cell = int(cell_index[n, place])
        if cell < 0:
            continue
        here = world.cells.flat[cell]
        if here.unit >= 0 and world.units[here.unit].owner == n:
            _offer_there(world, rules, table, pieces, scratch, EQUIP, n, turn, place, cell)
        if here.owner == n:
            _offer_own(world, rules, table, pieces, scratch, n, turn, place, cell)
        if armed and (here.owner != n or here.terrain == terrain.MONSTER):
            _offer_launch(world, rules, table, pieces, scratch, armed, n, turn, place, cell)


@kernel
def _offer_own(
    world: World, rules: Rules, table: MenuTable, pieces: Pieces, scratch: Scratch, n: int, turn: int,
    place: int, cell: int,
) -> None:  # fmt: skip
    """What may be done on an own cell, by what stands there."""
    ground = world.cells.flat[cell].terrain
    if rules.terrains[ground].is_town:
        _offer_there(world, rules, table, pieces, scratch, CONSCRIPT, n, turn, place, cell)
    elif ground == terrain.DEPOT:
        _offer_there(world, rules, table, pieces, scratch, PLACE, n, turn, place, cell)
    elif ground == terrain.DEFENSE_FACILITY:
        _offer_there(world, rules, table, pieces, scratch, BLAST, n, turn, place, cell)
    elif ground == terrain.MISSILE_BASE or ground == terrain.SEABED_BASE:
        pieces.limits[n, place] = OWN_BASE
    if table.rows_of[CEDE, 0]:
        _offer_cession(world, rules, table, pieces, scratch, n, turn, place, cell)


@kernel
def _offer_there(
    world: World, rules: Rules, table: MenuTable, pieces: Pieces, scratch: Scratch, way: int, n: int,
    turn: int, place: int, cell: int,
) -> None:  # fmt: skip
    """Ask about the verbs of a way, all of which the validator judges by the cell and one amount."""
    for k in range(1, table.rows_of[way, 0] + 1):
        row = table.rows_of[way, k]
        v = table.row_verb[row]
        verb = table.verbs[v]
        price = _FREE
        if way == PLACE:
            price = _price_of_placing(world, rules, table, pieces, n, turn, place, cell, v)
        elif way == EQUIP:
            price = number_of_price(table, ITEM, verb.fixed[AMOUNT], 0)
        elif way == CONSCRIPT:
            price = number_of_price(table, prices.COMMAND, verb.command, 0)
        if not pays(pieces, 0, price, scratch.purse, verb, int(pieces.limits[n, place]), verb.least):
            continue
        amount = field(verb, AMOUNT, verb.first[0], verb.first[1], 0, 0, world.cells.flat[cell].population)
        if way == BLAST:
            why = strikes.may_self_destruct(world, rules, n, n, turn, cell, amount)
        else:
            why, _, _, _ = muster.allowed(world, rules, n, n, turn, verb.command, cell, amount)
        if why == reason.DONE:
            pieces.cells[n, row, place] = price + 1
            offer_verb(table, pieces, n, v)


@kernel
def _price_of_placing(
    world: World, rules: Rules, table: MenuTable, pieces: Pieces, n: int, turn: int, place: int, cell: int,
    v: int,
) -> int:  # fmt: skip
    """The price of one strength of the type that a unit on a depot ends with; notes what finds room there."""
    verb = table.verbs[v]
    amount = verb.fixed[AMOUNT] + verb.times[verb.scales] * verb.most
    _, kind, row, room = muster.allowed(world, rules, n, n, turn, verb.command, cell, amount)
    pieces.limits[n, place] = max(int(pieces.limits[n, place]), min(room, _INT16_MAX))
    return number_of_price(table, kind, row, 0)


@kernel
def _offer_cession(
    world: World, rules: Rules, table: MenuTable, pieces: Pieces, scratch: Scratch, n: int, turn: int,
    place: int, cell: int,
) -> None:  # fmt: skip
    """Whom an own cell may be given to: nations that have a cell beside it."""
    height, width = world.cells.shape
    seats = world.nations.shape[0]
    row = table.rows_of[CEDE, 1]
    v = table.row_verb[row]
    price = number_of_price(table, prices.COMMAND, table.verbs[v].command, 0)
    if not pays(pieces, 0, price, scratch.purse, table.verbs[v], 0, 0):
        return
    for direction in range(1, _NEIGHBOURS + 1):
        near = hexgrid.nth(width, height, cell, direction)
        other = view.owner(world, rules, n, near) if near >= 0 else NONE
        if other < 0 or other == n:
            continue
        at = (other - n) % seats
        if (pieces.beside[n, place] >> at) & 1:
            continue
        if treaties.may_cede(world, rules, n, turn, cell, other) == reason.DONE:
            pieces.beside[n, place] |= 1 << at
            pieces.cells[n, row, place] = price + 1
            pieces.nations[n, v, at] = 1
            pieces.verbs[n, v + 1] = 1


@kernel
def _find_bases(world: World, rules: Rules, table: MenuTable, scratch: Scratch, n: int) -> int:
    """Note the nation's missile bases, if there is anything to fire from them; how many they are."""
    payable = 0
    for k in range(1, table.rows_of[AIM, 0] + 1):
        verb = table.verbs[table.row_verb[table.rows_of[AIM, k]]]
        payable |= scratch.payable[number_of_price(table, prices.MISSILE, verb.missile, 0)]
    found = 0
    nation = world.nations[n]
    for k in range(int(nation.held) if payable else 0):
        cell = int(world.territory[nation.first + k])
        reach, shots = bases.reach(world, rules, cell)
        if shots > 0 and world.cells.flat[cell].owner == n and found < scratch.bases.shape[0]:
            scratch.bases[found, _CELL] = cell
            scratch.bases[found, _RANGE] = reach
            scratch.bases[found, _SHOTS] = shots
            found += 1
    return found


@kernel
def _offer_launch(
    world: World, rules: Rules, table: MenuTable, pieces: Pieces, scratch: Scratch, armed: int, n: int,
    turn: int, place: int, cell: int,
) -> None:  # fmt: skip
    """Which missiles may be aimed at a cell, and how many there are at most."""
    nearest = scratch.bases[0, _RANGE] - world.cells.size  # what is left of the range at the cell
    for b in range(armed):
        distance = hexgrid.distance(world.cells.shape[1], scratch.bases[b, _CELL], cell)
        scratch.bases[b, _DISTANCE] = distance
        nearest = max(nearest, scratch.bases[b, _RANGE] - distance)
    checked, endangers = NONE, False  # the radius asked about last, and the answer
    is_target = NONE
    for k in range(1, table.rows_of[AIM, 0] + 1):
        row = table.rows_of[AIM, k]
        v = table.row_verb[row]
        kind = table.verbs[v].missile
        price = number_of_price(table, prices.MISSILE, kind, 0)
        bonus = rules.missiles[kind].range_bonus
        if nearest + bonus < 0 or not scratch.payable[price]:
            continue
        if is_target == NONE:
            is_target = int(aim.is_target(world, rules, n, turn, cell))
        if not is_target:
            return
        radius = aim.scatter(world, rules, kind, turn, cell)
        if radius > checked or (endangers and radius < checked):
            checked, endangers = radius, aim.endangers_friend(world, rules, n, cell, radius)
        if endangers:
            continue
        if scratch.timely[row] == NONE:  # the rest of the conditions is the same for all cells
            why = strikes.allowed(world, rules, n, turn, table.verbs[v].command, cell, 1)
            scratch.timely[row] = why == reason.DONE
        if not scratch.timely[row]:
            continue
        shots = 0
        for b in range(armed):
            if scratch.bases[b, _DISTANCE] <= scratch.bases[b, _RANGE] + bonus:
                shots += scratch.bases[b, _SHOTS]
        pieces.limits[n, place] = min(max(int(pieces.limits[n, place]), shots), _INT16_MAX)
        pieces.cells[n, row, place] = price + 1
        offer_verb(table, pieces, n, v)
