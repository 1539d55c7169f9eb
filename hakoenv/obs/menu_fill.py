"""Filling a menu: what each nation may do in the coming turn, as far as it can know, and the price.

Cells are looked at once and judged by the kernels that the validator uses, so a menu says what
``validate.is_legal`` says (DESIGN: masks state what the nation can know).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hakoenv.engine import view
from hakoenv.engine.codes import command as number
from hakoenv.engine.codes import item, reason
from hakoenv.engine.commands import look, outlook, prices, settings, sites, validate
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.obs.menu_table import (
    AMOUNT,
    FOREIGN,
    LEVEL,
    NOBODY,
    NONE,
    OWN,
    PEOPLE,
    TARGET,
    MenuTable,
    field,
)
from hakoenv.ruleset.compiled import Rules

_INT32_MAX = 2**31 - 1
_16_BITS = 2**16 - 1
_31_BITS = 2**31 - 1
_SLOTS = 4096  # sites remembered; a power of 2
_SPREAD = 0x9E3779B1  # 2**32 / golden ratio: keys that differ little get slots far apart


class Pieces(NamedTuple):
    """The arrays of a menu; the leading axis is the seat."""

    verbs: Any  # (N, V + 1) int8
    cells: Any  # (N, R, C) uint8
    nations: Any  # (N, V, 40) int8
    factors: Any  # (N, V, 4, 32) int8
    prices: Any  # (N, P, 10) int32
    flat_price: Any  # (N, V) uint8
    purse: Any  # (N, 10) int32
    uses: Any  # (N, 4) int8
    places: Any  # (N, C, 2) int16


class Scratch(NamedTuple):
    """Room to work in; and what sites allow is remembered, as it depends on the site and the rules only."""

    payable: Any  # (P,) int8
    payable_row: Any  # (R,) int8: whether any price of a row can be paid
    timely: Any  # (R,) int8: whether a row's verb can be done in the coming turn, -1 not asked yet
    keys: Any  # (4096,) int64: the site noted in a slot, -1 none
    counts: Any  # (4096,) int64
    rows: Any  # (4096, most rows of use to one kind of cell) int16
    prices: Any  # likewise


def new_scratch(table: MenuTable) -> Scratch:
    """Fresh scratch."""
    most = int(table.useful[..., 0].max(initial=1))
    return Scratch(
        np.empty(len(table.prices), np.int8),
        np.empty(len(table.row_verb), np.int8),
        np.empty(len(table.row_verb), np.int8),
        np.full(_SLOTS, NONE, np.int64),
        np.empty(_SLOTS, np.int64),
        np.empty((_SLOTS, most), np.int16),
        np.empty((_SLOTS, most), np.int16),
    )


@kernel
def fill(
    world: World, rules: Rules, table: MenuTable, cell_index: Any, pieces: Pieces, scratch: Scratch
) -> None:
    """Fill every seat's menu, of the prices only the first seat's; all but prices and places must be 0."""
    turn = int(world.clock[0].turn) + 1
    pieces.prices[0, 0] = 0
    for p in range(1, table.prices.shape[0]):
        row = table.prices[p]
        for what in range(item.COUNT):
            cost = prices.price(rules, turn, row.command, row.kind, row.row, row.level, what)
            pieces.prices[0, p, what] = min(cost, _INT32_MAX)
    for n in range(world.nations.shape[0]):
        pieces.verbs[n, 0] = 1
        _places(world, cell_index, pieces, n)
        if world.nations[n].alive:
            _purse(world, table, pieces, scratch.payable, n)
            _offer_flat(world, rules, table, pieces, scratch.payable, n, turn)
            _offer_cells(world, rules, table, cell_index, pieces, scratch, n, turn)


@kernel
def _purse(world: World, table: MenuTable, pieces: Pieces, payable: Any, n: int) -> None:
    """The nation's means: its treasury, the uses of a turn, and which prices it can pay."""
    treasury = world.nations[n].treasury
    for what in range(item.COUNT):
        pieces.purse[n, what] = max(0, min(treasury[what], _INT32_MAX))
    for group in range(table.uses.shape[0]):
        pieces.uses[n, group] = table.uses[group]
    for p in range(table.prices.shape[0]):
        payable[p] = 1
        for what in range(item.COUNT):
            if treasury[what] < pieces.prices[0, p, what]:
                payable[p] = 0
                break


@kernel
def _places(world: World, cell_index: Any, pieces: Pieces, n: int) -> None:
    """Column and row of each place of the cell list."""
    width = world.cells.shape[1]
    for place in range(pieces.places.shape[1]):
        cell = int(cell_index[n, place])
        y = cell // width if cell >= 0 else NONE
        pieces.places[n, place, 0] = cell - y * width if cell >= 0 else NONE
        pieces.places[n, place, 1] = y


@kernel
def _offer_cells(
    world: World, rules: Rules, table: MenuTable, cell_index: Any, pieces: Pieces, scratch: Scratch, n: int,
    turn: int,
) -> None:  # fmt: skip
    """Judge all verbs that need a cell; one long loop, as handing all these arrays on costs more."""
    record = world.nations[n]
    for row in range(table.row_verb.shape[0]):
        scratch.timely[row] = NONE
        scratch.payable_row[row] = 0
        for k in range(1, table.costs[row, 0] + 1):
            scratch.payable_row[row] |= scratch.payable[table.costs[row, k]]
    for place in range(pieces.cells.shape[2]):
        cell = cell_index[n, place]
        if cell < 0:
            continue
        ground = view.terrain(world, rules, n, cell)
        owner = view.owner(world, rules, n, cell)
        whose = OWN if owner == n else FOREIGN if owner >= 0 else NOBODY
        hope = 0
        for k in range(1, table.useful[ground, whose, 1, 0] + 1):
            hope |= scratch.payable_row[table.useful[ground, whose, 1, k]]
            if hope:
                break
        if not hope:
            continue
        site = look.look(world, rules, n, n, cell)
        near = site.own | site.by_own  # nothing else can be near in a site
        key = _key(table, site)
        slot = (((key ^ (key >> 31)) & _31_BITS) * _SPREAD >> 20) & (_SLOTS - 1)
        if scratch.keys[slot] != key:
            scratch.keys[slot] = key
            scratch.counts[slot] = _judge(
                rules, table, scratch.rows[slot], scratch.prices[slot], site, whose, near
            )
        for k in range(scratch.counts[slot]):
            p = scratch.prices[slot, k]
            if not scratch.payable[p]:
                continue
            row = scratch.rows[slot, k]
            v = table.row_verb[row]
            if scratch.timely[row] == NONE:
                why = validate.this_turn(world, rules, record, turn, table.verbs[v].command)
                scratch.timely[row] = why == reason.DONE
            if scratch.timely[row]:
                pieces.cells[n, row, place] = p + 1
                pieces.verbs[n, v + 1] = 1


@kernel
def _key(table: MenuTable, site: look.Site) -> int:
    """A number that says all that matters of a site."""
    flags = site.capital + 2 * site.tunnel + 4 * site.unit + 8 * site.foreign_unit + 16 * site.enemy_unit
    flags += 32 * site.ship + 64 * site.by_land + 128 * site.by_own + 256 * site.by_water + 512 * site.own
    key = ((site.mountains << 3 | site.deposit) << 6 | site.ground) << 1 | site.foreign
    if table.minds[site.ground, LEVEL]:
        key |= (site.level & _16_BITS) << 18
    if table.minds[site.ground, PEOPLE]:
        key |= (site.population & _16_BITS) << 34
    return key << 10 | flags


@kernel
def _judge(
    rules: Rules, table: MenuTable, rows: Any, numbers: Any, site: look.Site, whose: int, near: int
) -> int:
    """Note the rows and prices that a site allows, which depend on nothing else; how many they are."""
    found = 0
    for k in range(1, table.useful[site.ground, whose, near, 0] + 1):
        row = table.useful[site.ground, whose, near, k]
        verb = table.verbs[table.row_verb[row]]
        why, _, kind, price = sites.work(rules, site, verb.command, verb.fixed[AMOUNT])
        if why == reason.DONE:
            rows[found] = row
            numbers[found] = _number_of_price(table, kind, price, site.level)
            found += 1
    return found


@kernel
def _number_of_price(table: MenuTable, kind: int, row: int, level: int) -> int:
    """Which of the menu's prices a kind, row and level mean."""
    return int(table.price_at[kind, row]) + min(level, int(table.price_levels[kind, row]))


@kernel
def _offer_flat(
    world: World, rules: Rules, table: MenuTable, pieces: Pieces, payable: Any, n: int, turn: int
) -> None:
    """Judge all verbs that need no cell."""
    seats = world.nations.shape[0]
    for k in range(table.flat.shape[0]):
        v = int(table.flat[k])
        verb = table.verbs[v]
        command = int(verb.command)
        p = _number_of_price(table, prices.COMMAND, command, 0)
        if command == number.RESEARCH:
            branch = int(verb.fixed[AMOUNT])
            level = outlook.research_level(world.nations[n], turn - 1, turn, branch) + 1
            p = _number_of_price(table, prices.RESEARCH, branch, level)
        if not payable[p]:
            continue
        pieces.flat_price[n, v] = p
        target = int(verb.fixed[TARGET])
        if verb.nation:
            for place in range(seats):
                to = (n + place) % seats
                if _flat(world, rules, table, n, turn, v, to, 0, 0):
                    pieces.nations[n, v, place] = 1
                    pieces.verbs[n, v + 1] = 1
                    target = to
        elif verb.factors or _flat(world, rules, table, n, turn, v, target, 0, 0):
            pieces.verbs[n, v + 1] = 1
        if verb.factors and pieces.verbs[n, v + 1]:
            pieces.verbs[n, v + 1] = _offer_values(world, rules, table, pieces, n, turn, v, target)


@kernel
def _offer_values(
    world: World, rules: Rules, table: MenuTable, pieces: Pieces, n: int, turn: int, v: int, target: int
) -> int:
    """Mark the values of a verb's two factors that go with some value of the other; 1 if any do."""
    verb = table.verbs[v]
    offered = pieces.factors[n, v]
    found = 0
    for a in range(verb.count[0]):
        for b in range(max(1, verb.count[1])):
            if _flat(world, rules, table, n, turn, v, target, a, b):
                found = 1
                offered[0, a] = 1
                if verb.factors > 1:
                    offered[1, b] = 1
    return found


@kernel
def _flat(
    world: World, rules: Rules, table: MenuTable, n: int, turn: int, v: int, target: int, a: int, b: int
) -> bool:
    """Whether a verb without a cell may be given with the a-th and b-th values of its factors."""
    verb = table.verbs[v]
    amount = field(verb, AMOUNT, a, b, 0, 0)
    return bool(settings.allowed(world, rules, n, turn, verb.command, amount, target) == reason.DONE)
