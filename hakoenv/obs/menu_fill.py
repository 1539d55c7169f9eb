"""Filling a menu: what each nation may do in the coming turn, as far as it can know, and the price.

Cells are looked at once and judged by the kernels that the validator uses, so a menu says what
``validate.is_legal`` says (DESIGN: masks state what the nation can know). The verbs of war that need a
cell are `menu_war`'s, those of the navy `menu_navy`'s, deals between nations `menu_trade`'s, what binds
nations `menu_bonds`'s.
"""

from __future__ import annotations

from typing import Any

from hakoenv.engine import view
from hakoenv.engine.codes import command as number
from hakoenv.engine.codes import item, reason, unit_item
from hakoenv.engine.commands import look, outlook, prices, settings, sites, treaties, validate
from hakoenv.engine.kernel import kernel
from hakoenv.engine.shipping import harbours
from hakoenv.engine.world import World
from hakoenv.obs import menu_bonds, menu_navy, menu_trade, menu_war
from hakoenv.obs.menu_pieces import SLOTS, Pieces, Scratch, number_of_price, offer_verb
from hakoenv.obs.menu_table import (
    AMOUNT,
    FOREIGN,
    ITEM,
    LEVEL,
    MEANS,
    NOBODY,
    NONE,
    OWN,
    PEOPLE,
    PORTS,
    RESERVES,
    TARGET,
    MenuTable,
    field,
)
from hakoenv.ruleset.compiled import Rules

_INT32_MAX = 2**31 - 1
_16_BITS = 2**16 - 1
_31_BITS = 2**31 - 1
_SPREAD = 0x9E3779B1  # 2**32 / golden ratio: keys that differ little get slots far apart


@kernel
def fill(
    world: World, rules: Rules, table: MenuTable, seats: Any, cell_index: Any, pieces: Pieces,
    scratch: Scratch,
) -> None:  # fmt: skip
    """Fill the menu of each of ``seats`` and the prices of all; all but prices and places must be 0."""
    turn = int(world.clock[0].turn) + 1
    early = int(turn <= rules.scalars[0].command_early_price_turns)  # prices know nothing else of the turn
    if not scratch.due_known[early]:
        scratch.due_known[early] = 1
        for p in range(1, table.prices.shape[0]):
            for what in range(MEANS):
                due = _cost(rules, turn, table.prices[p], what)
                scratch.due[early, p, what] = min(due, _INT32_MAX)
    for n in range(pieces.prices.shape[0]):
        for p in range(table.prices.shape[0]):
            for what in range(MEANS):
                pieces.prices[n, p, what] = scratch.due[early, p, what]
    menu_trade.find_ways(world, rules, table, scratch)
    room = min(harbours.places_left(world), int(table.uses[PORTS]))
    for k in range(seats.shape[0]):
        n = int(seats[k])
        pieces.verbs[n, 0] = 1
        _places(world, cell_index, pieces, n)
        if world.nations[n].alive:
            _purse(world, table, pieces, scratch, n, turn)
            pieces.uses[n, PORTS] = room
            _offer_flat(world, rules, table, pieces, scratch.payable, n, turn)
            _offer_cells(world, rules, table, cell_index, pieces, scratch, n, turn)
            menu_war.offer(world, rules, table, cell_index, pieces, scratch, n, turn)
            menu_navy.offer(world, rules, table, cell_index, pieces, scratch, n, turn)
            menu_trade.offer(world, rules, table, cell_index, pieces, scratch, n, turn)
            menu_bonds.offer(world, rules, table, pieces, scratch, n, turn)


@kernel
def _cost(rules: Rules, turn: int, row: Any, what: int) -> int:
    """How much of one of the means a price is: of a treasury's item, reserves, or an item for a unit."""
    if what >= item.COUNT:
        if row.kind == prices.UNIT:
            return int(what == RESERVES)
        return int(row.kind == ITEM and row.row != unit_item.NONE and what == RESERVES + row.row)
    if row.kind == ITEM:
        return prices.price(rules, turn, row.command, prices.COMMAND, row.command, row.level, what)
    return prices.price(rules, turn, row.command, row.kind, row.row, row.level, what)


@kernel
def _purse(world: World, table: MenuTable, pieces: Pieces, scratch: Scratch, n: int, turn: int) -> None:
    """The nation's means: its treasury, reserves and items, the uses of a turn, and what it can pay."""
    record = world.nations[n]
    for what in range(item.COUNT):
        pieces.purse[n, what] = max(0, min(record.treasury[what], _INT32_MAX))
    pieces.purse[n, RESERVES] = max(0, min(outlook.reserves(record, turn - 1, turn), _INT32_MAX))
    for what in range(1, unit_item.COUNT):
        pieces.purse[n, RESERVES + what] = max(0, record.items[what])
    for what in range(MEANS):
        scratch.purse[what] = pieces.purse[n, what]
    for group in range(table.uses.shape[0]):
        pieces.uses[n, group] = table.uses[group]
    for p in range(table.prices.shape[0]):
        scratch.payable[p] = 1
        for what in range(MEANS):
            if scratch.purse[what] < pieces.prices[0, p, what]:
                scratch.payable[p] = 0
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
        site = look.look(world, rules, n, n, turn, cell)
        near = site.own | site.by_own  # nothing else can be near in a site
        key = _key(table, site)
        slot = (((key ^ (key >> 31)) & _31_BITS) * _SPREAD >> 20) & (SLOTS - 1)
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
                amount = int(table.verbs[v].fixed[AMOUNT])
                why = validate.elsewhere(world, rules, record, turn, table.verbs[v].command, amount)
                scratch.timely[row] = why == reason.DONE
            if scratch.timely[row]:
                pieces.cells[n, row, place] = p + 1
                pieces.verbs[n, v + 1] = 1


@kernel
def _key(table: MenuTable, site: look.Site) -> int:
    """A number that says all that matters of a site."""
    flags = site.capital + 2 * site.tunnel + 4 * site.unit + 8 * site.foreign_unit + 16 * site.enemy_unit
    flags += 32 * site.ship + 64 * site.by_land + 128 * site.by_own + 256 * site.by_water + 512 * site.own
    key = (((site.stander << 3 | site.mountains) << 3 | site.deposit) << 6 | site.ground) << 1 | site.foreign
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
            numbers[found] = number_of_price(table, kind, price, site.level)
            found += 1
    return found


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
        if validate.HANDLED[command] == validate.OF_NAVY:
            continue  # `menu_navy`'s
        p = number_of_price(table, prices.COMMAND, command, 0)
        if command == number.RESEARCH:
            branch = int(verb.fixed[AMOUNT])
            level = outlook.research_level(world.nations[n], turn - 1, turn, branch) + 1
            p = number_of_price(table, prices.RESEARCH, branch, level)
        if not payable[p]:
            continue
        pieces.flat_price[n, v] = p
        target = int(verb.fixed[TARGET])
        amount = field(verb, AMOUNT, verb.first[0], verb.first[1], 0, 0, 0)
        for place in range(seats if verb.nation else 1):
            if verb.nation:
                target = (n + place) % seats
            if _is_allowed(world, rules, n, turn, command, amount, target):
                pieces.nations[n, v, place] = verb.nation
                offer_verb(table, pieces, n, v)


@kernel
def _is_allowed(
    world: World, rules: Rules, n: int, turn: int, command: int, amount: int, target: int
) -> bool:
    """Whether a command without a cell may be given, its price apart."""
    if validate.HANDLED[command] == validate.OF_TREATY:
        return bool(treaties.allowed(world, rules, n, turn, command, amount, target) == reason.DONE)
    return bool(settings.allowed(world, rules, n, turn, command, amount, target) == reason.DONE)
