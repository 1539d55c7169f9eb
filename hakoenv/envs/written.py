"""From plans in a world back to learners' actions: what somebody else planned, in heads, for imitation."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine.commands import table as commands
from hakoenv.engine.kernel import kernel
from hakoenv.obs import menu_draft
from hakoenv.obs.menu import Buffers, Menu, as_pieces
from hakoenv.obs.menu_draft import CELL, FACTOR, HEADS, MODE, NATION, REPLACE, VERB, Draft
from hakoenv.obs.menu_pieces import Pieces
from hakoenv.obs.menu_table import FACTORS, VALUES, MenuTable

_NONE = -1


def actions_of(
    menu: Menu,
    plans: NDArray[Any],
    lengths: NDArray[Any],
    seats: NDArray[np.int64],
    cell_index: NDArray[np.int32],
    width: int,
    buffers: Buffers,
    commands_per_turn: int,
) -> NDArray[np.int64]:
    """Plans as legal actions of mode `replace`, as near as actions can say them.

    A number that is not among a factor's values becomes the nearest that is legal; a command that no verb of
    the menu says, or that its mask rules out after the ones before it, is left out, and so is what an action
    has no room for.

    Args:
        menu: the menu that the actions refer to.
        plans: order records (n, 50): a plan for each row.
        lengths: (n,): how many commands each has.
        seats: int64 (n,): whose plans they are.
        cell_index: int32 (n, C): the cell lists that actions refer to.
        width: columns of the map.
        buffers: the menus of the rows, leading axis n.
        commands_per_turn: commands in an action.

    Returns:
        int64 (n, 1 + 7 * commands_per_turn).
    """
    count = len(lengths)
    most = int(max(1, np.max(lengths, initial=0)))
    drafts = np.zeros((count, most, HEADS), np.int64)
    names = tuple(verb.name for verb in menu.verbs)
    columns = {name: plans[name][:, :most].tolist() for name in ("command", "x", "y", "amount", "target")}
    places = [
        {int(cell): place for place, cell in enumerate(row) if cell >= 0} for row in cell_index.tolist()
    ]
    said = np.zeros(count, np.int64)
    for row, length in enumerate(lengths.tolist()):
        for k in range(length):
            command, x, y, amount, target = (columns[name][row][k] for name in columns)
            known = _heads(menu, names, command, x, y, amount)
            if known is None:
                continue
            verb, needs_cell, needs_nation, values = known
            cell = places[row].get(y * width + x, _NONE) if needs_cell else 0
            if cell == _NONE:
                continue
            heads = drafts[row, said[row]]
            heads[VERB], heads[CELL] = verb + 1, cell
            heads[NATION] = (target - int(seats[row])) % menu.seats if needs_nation else 0
            heads[FACTOR:] = values
            said[row] += 1
    actions = np.zeros((count, 1 + HEADS * commands_per_turn), np.int64)
    actions[:, MODE] = REPLACE
    draft = menu_draft.new_draft(len(menu.verbs), menu.cells)
    keep_legal(menu.table, as_pieces(buffers), drafts, said, actions, np.zeros(VALUES, np.int8), draft)
    return actions


def _heads(
    menu: Menu, names: tuple[str, ...], command: int, x: int, y: int, amount: int
) -> tuple[int, bool, bool, tuple[int, ...]] | None:
    """The verb that a command's numbers say, what it needs, and the places of its factors' values."""
    meaning = _meaning(command, x, y, amount)
    if meaning is None or meaning.verb.name not in names:
        return None
    verb = names.index(meaning.verb.name)
    record = menu.table.verbs[verb]
    values = np.zeros(FACTORS, np.int64)
    for f, wanted in enumerate(meaning.values[: int(record["factors"])]):
        plain = record["value"][f][: int(record["plain"][f])]
        values[f] = int(np.argmin(np.abs(plain - wanted))) if len(plain) else 0
    return verb, meaning.cell is not None, meaning.nation is not None, tuple(values.tolist())


@lru_cache(maxsize=1 << 14)
def _meaning(command: int, x: int, y: int, amount: int) -> commands.Meaning | None:
    return commands.unpack(command, x, y, amount)


@kernel
def keep_legal(
    table: MenuTable, pieces: Pieces, drafts: Any, said: Any, actions: Any, scratch: Any, draft: Draft
) -> None:
    """Copy from ``drafts`` (n, commands, 7) into the actions what is legal after the commands before it."""
    for row in range(actions.shape[0]):
        menu_draft.begin(pieces, row, draft)
        place = 0
        for k in range(said[row]):
            heads = drafts[row, k]
            base = 1 + place * HEADS
            if base >= actions.shape[1]:
                break
            if not _fit(table, pieces, row, heads, scratch, draft):
                continue
            for head in range(HEADS):
                actions[row, base + head] = heads[head]
            menu_draft.book(table, pieces, row, heads[VERB] - 1, heads, draft)
            place += 1


@kernel
def _fit(table: MenuTable, pieces: Pieces, row: int, heads: Any, scratch: Any, draft: Draft) -> bool:
    """Whether a command is legal; its factors are moved to the nearest values that are."""
    v = heads[VERB] - 1
    verb = table.verbs[v]
    if menu_draft.is_open(table, pieces, row, v, draft) == 0:
        return False
    if verb.nation:
        nations = menu_draft.find_nations(table, pieces, row, v, draft)
        if not (nations >> heads[NATION]) & 1:
            return False
    if verb.cell_row >= 0:
        whom = heads[NATION] if verb.nation else menu_draft.ANY
        found = menu_draft.find_spots(table, pieces, row, v, whom, draft)
        there = False
        for k in range(found):
            there = there or draft.spots[k] == heads[CELL]
        if not there:
            return False
    for f in range(verb.factors):
        best = -1
        for value in range(verb.count[f]):
            if menu_draft.value_fits(table, pieces, row, v, f, value, heads, draft):
                if best < 0 or abs(value - heads[FACTOR + f]) < abs(best - heads[FACTOR + f]):
                    best = value
        if best < 0:
            return False
        heads[FACTOR + f] = best
    for f in range(verb.factors, FACTORS):
        heads[FACTOR + f] = 0
    return True
