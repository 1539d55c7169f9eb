"""A plan in the making: what the commands given so far leave possible of a menu.

Each further command is judged after booking the ones before it: the purse pays, a cell serves once,
cells beside dug ones are out, and what has so many uses a turn is used up. So no command of a plan is
refused because of its own predecessors. Menus may be any numbers: nothing is read outside its array.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hakoenv.engine import hexgrid
from hakoenv.engine.codes import item
from hakoenv.engine.kernel import kernel
from hakoenv.obs.menu_fill import Pieces
from hakoenv.obs.menu_table import ANYTHING, FACTORS, GROUPS, MenuTable

MODE = 0  # the first head of an action
KEEP, FRONT, REPLACE, APPEND = range(4)  # APPEND is no choice of an action: for one command at a time
VERB, NATION, CELL, FACTOR = range(4)  # heads of a command; its factors follow
HEADS = FACTOR + FACTORS
_SPAN = 1 << 15  # wider than any map: names cells by column and row


class Draft(NamedTuple):
    """What is left, and scratch."""

    purse: Any  # (10,) int64
    uses: Any  # (4,) int64
    blocked: Any  # (C,) int8: places that are out
    spots: Any  # (C,) int64: scratch, places that a verb may name
    choices: Any  # (V + 1,) int64: scratch
    cursor: Any  # (1,) int64: draws made


def new_draft(verbs: int, cells: int) -> Draft:
    """A draft for a menu of so many verbs and cells."""
    return Draft(
        np.zeros(item.COUNT, np.int64),
        np.zeros(GROUPS, np.int64),
        np.zeros(cells, np.int8),
        np.zeros(cells, np.int64),
        np.zeros(verbs + 1, np.int64),
        np.zeros(1, np.int64),
    )


@kernel
def begin(pieces: Pieces, n: int, draft: Draft) -> None:
    """Nothing has been given yet."""
    for what in range(item.COUNT):
        draft.purse[what] = pieces.purse[n, what]
    for group in range(GROUPS):
        draft.uses[group] = pieces.uses[n, group]
    draft.blocked[:] = 0


@kernel
def can_pay(pieces: Pieces, n: int, price: int, draft: Draft) -> bool:
    """Whether the rest of the purse pays a price; none that there is not."""
    if price < 0 or price >= pieces.prices.shape[1]:
        return False
    for what in range(item.COUNT):
        if draft.purse[what] < pieces.prices[n, price, what]:
            return False
    return True


@kernel
def find_spots(table: MenuTable, pieces: Pieces, n: int, v: int, draft: Draft) -> int:
    """How many places a verb may still name; they are ``draft.spots``."""
    row = table.verbs[v].cell_row
    found = 0
    for place in range(pieces.cells.shape[2]):
        entry = int(pieces.cells[n, row, place])
        if entry and not draft.blocked[place] and can_pay(pieces, n, entry - 1, draft):
            draft.spots[found] = place
            found += 1
    return found


@kernel
def has_uses(table: MenuTable, v: int, draft: Draft) -> bool:
    """Whether this turn's uses of a verb are not spent, nor all commands by giving the nation up."""
    group = table.verbs[v].group
    return bool(draft.uses[ANYTHING] > 0 and (group < 0 or draft.uses[group] > 0))


@kernel
def is_open(table: MenuTable, pieces: Pieces, n: int, v: int, draft: Draft) -> int:
    """0 if a verb can't be given any more; else how many places it may name, 1 if it needs none."""
    if not pieces.verbs[n, v + 1] or not has_uses(table, v, draft):
        return 0
    if table.verbs[v].cell_row >= 0:
        return find_spots(table, pieces, n, v, draft)
    return int(can_pay(pieces, n, int(pieces.flat_price[n, v]), draft))


@kernel
def book(table: MenuTable, pieces: Pieces, n: int, v: int, place: int, draft: Draft) -> None:
    """Take from the draft what a command costs and spoils; one that the menu does not have costs nothing."""
    verb = table.verbs[v]
    price = int(pieces.flat_price[n, v])
    if verb.cell_row >= 0:
        if place < 0 or place >= pieces.cells.shape[2] or not pieces.cells[n, verb.cell_row, place]:
            return
        price = int(pieces.cells[n, verb.cell_row, place]) - 1
        _block(pieces, n, place, bool(verb.disturbs), draft)
    if price < pieces.prices.shape[1]:
        for what in range(item.COUNT):
            draft.purse[what] -= pieces.prices[n, price, what]
    if verb.group >= 0:
        draft.uses[verb.group] -= 1


@kernel
def _block(pieces: Pieces, n: int, place: int, around: bool, draft: Draft) -> None:
    """A place is out, and with it those beside if the work disturbs them."""
    draft.blocked[place] = 1
    if not around:
        return
    here = int(pieces.places[n, place, 1]) * _SPAN + int(pieces.places[n, place, 0])
    for other in range(pieces.places.shape[1]):
        x, y = int(pieces.places[n, other, 0]), int(pieces.places[n, other, 1])
        if x >= 0 and y >= 0 and hexgrid.distance(_SPAN, here, y * _SPAN + x) == 1:
            draft.blocked[other] = 1


@kernel
def book_action(table: MenuTable, pieces: Pieces, n: int, action: Any, commands: int, draft: Draft) -> bool:
    """Book the first ``commands`` commands of an action; tell whether more may follow."""
    for k in range(commands):
        base = 1 + k * HEADS
        v = action[base + VERB] - 1
        if v < 0 or v >= table.verbs.shape[0]:
            return False
        if pieces.verbs[n, v + 1]:
            book(table, pieces, n, v, action[base + CELL], draft)
    return bool(draft.uses[ANYTHING] > 0)


@kernel
def next_head(
    table: MenuTable, pieces: Pieces, n: int, prefix: Any, length: int, mode_free: bool, out: Any,
    draft: Draft,
) -> None:  # fmt: skip
    """Mark in ``out`` (all 0) what the head after the first ``length`` ones of ``prefix`` may be."""
    begin(pieces, n, draft)
    if length == 0:
        out[:] = 1
        return
    k = (length - 1) // HEADS
    head = (length - 1) % HEADS
    more = book_action(table, pieces, n, prefix, k, draft) and not (mode_free and prefix[MODE] == KEEP)
    if head == VERB:
        out[0] = 1
        for v in range(table.verbs.shape[0] if more else 0):
            out[v + 1] = is_open(table, pieces, n, v, draft) > 0
        return
    v = prefix[1 + k * HEADS + VERB] - 1
    found = 0
    if more and 0 <= v < table.verbs.shape[0]:
        found = mark_values(table, pieces, n, v, head, prefix[length - 1], out, draft)
    if found == 0:
        out[0] = 1


@kernel
def mark_values(
    table: MenuTable, pieces: Pieces, n: int, v: int, head: int, before: int, out: Any, draft: Draft
) -> int:
    """Mark the values of a head of a verb that needs it; ``before`` is the head before. How many they are."""
    verb = table.verbs[v]
    found = 0
    if head == CELL and verb.cell_row >= 0:
        found = find_spots(table, pieces, n, v, draft)
        for k in range(found):
            out[draft.spots[k]] = 1
    elif head == NATION and verb.nation:
        for place in range(pieces.nations.shape[2]):
            if pieces.nations[n, v, place]:
                out[place] = 1
                found += 1
    elif head >= FACTOR and head - FACTOR < verb.factors:
        for value in range(pieces.factors.shape[3]):
            if value_fits(table, pieces, n, v, head - FACTOR, value, before):
                out[value] = 1
                found += 1
    return found


@kernel
def value_fits(
    table: MenuTable, pieces: Pieces, n: int, v: int, factor: int, value: int, before: int
) -> bool:
    """Whether a factor may have its ``value``-th value when the factor before it has its ``before``-th."""
    verb = table.verbs[v]
    if not pieces.factors[n, v, factor, value]:
        return False
    if factor != 1 or verb.joint < 0 or before < 0 or before >= pieces.factors.shape[3]:
        return True
    return bool(table.joint[verb.joint, before, value])


@kernel
def shrink(table: MenuTable, pieces: Pieces, n: int, action: Any, commands: int, draft: Draft) -> None:
    """Make the menu what it is after an action's commands: what `Menu.book` does."""
    begin(pieces, n, draft)
    more = book_action(table, pieces, n, action, commands, draft)
    for v in range(table.verbs.shape[0]):
        left = is_open(table, pieces, n, v, draft) if more else 0
        row = table.verbs[v].cell_row
        if row >= 0 and pieces.verbs[n, v + 1]:
            kept = 0
            for place in range(pieces.cells.shape[2]):
                if kept < left and draft.spots[kept] == place:
                    kept += 1
                else:
                    pieces.cells[n, row, place] = 0
        if left == 0:
            pieces.verbs[n, v + 1] = 0
    for what in range(item.COUNT):
        pieces.purse[n, what] = max(0, draft.purse[what])
    for group in range(GROUPS):
        pieces.uses[n, group] = max(0, draft.uses[group])
