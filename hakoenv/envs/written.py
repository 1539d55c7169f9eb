"""From plans in a world back to learners' actions: what somebody else planned, in heads, for imitation."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine.commands import table as commands
from hakoenv.engine.kernel import kernel
from hakoenv.obs import menu_draft, menu_values
from hakoenv.obs.menu import Buffers, Menu, as_pieces
from hakoenv.obs.menu_draft import CELL, FACTOR, HEADS, MODE, NATION, REPLACE, VERB, Draft
from hakoenv.obs.menu_pieces import Pieces
from hakoenv.obs.menu_table import FACTORS, NO_FLEET, MenuTable

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
    people: NDArray[Any],
) -> NDArray[np.int64]:
    """Plans as legal actions of mode `replace`, as near as actions can say them.

    A number becomes the nearest of a factor's legal values, the smaller one of two as near; a percentage
    counts as the people, goods or funds that it means; a fleet, a ship's direction, an item, a lot and an
    offer stay what they are. A command that no verb of the menu says, or that its mask rules out after the
    ones before it, is left out, and so is what an action has no room for; but if only such a command would
    take the turn, it gets the last place.

    Args:
        menu: the menu that the actions refer to.
        plans: order records (n, 50): a plan for each row.
        lengths: (n,): how many commands each has.
        seats: int64 (n,): whose plans they are.
        cell_index: int32 (n, C): the cell lists that actions refer to.
        width: columns of the map.
        buffers: the menus of the rows, leading axis n.
        commands_per_turn: commands in an action.
        people: (n, C): people at each place of the cell lists.

    Returns:
        int64 (n, 1 + 7 * commands_per_turn).
    """
    count = len(lengths)
    most = int(max(1, np.max(lengths, initial=0)))
    drafts = np.zeros((count, most, HEADS), np.int64)
    numbers = {verb.name: v for v, verb in enumerate(menu.verbs)}
    fields = [plans[name][:, :most].tolist() for name in ("command", "x", "y", "amount", "target")]
    place_of = np.full((count, max(1, int(cell_index.max(initial=0)) + 1)), _NONE)
    listed = np.nonzero(cell_index >= 0)
    place_of[listed[0], cell_index[listed]] = listed[1]
    said = np.zeros(count, np.int64)
    for row, length in enumerate(lengths.tolist()):
        for k in range(length):
            meaning = _meaning(*(field[row][k] for field in fields))
            if meaning is None or meaning.verb.name not in numbers:
                continue
            heads = drafts[row, said[row]]
            heads[:] = 0
            if meaning.cell is not None:
                x, y = meaning.cell
                cell = y * width + x
                if not 0 <= cell < place_of.shape[1] or place_of[row, cell] == _NONE:
                    continue
                heads[CELL] = place_of[row, cell]
            if meaning.nation is not None:
                heads[NATION] = (meaning.nation - int(seats[row])) % menu.seats
            heads[VERB] = 1 + numbers[meaning.verb.name]
            heads[FACTOR : FACTOR + len(meaning.values)] = meaning.values
            said[row] += 1
    actions = np.zeros((count, 1 + HEADS * commands_per_turn), np.int64)
    actions[:, MODE] = REPLACE
    draft = menu_draft.new_draft(len(menu.verbs), menu.cells)
    takes_turn = np.array(menu.uses_turn, np.bool_)
    keep_legal(
        menu.table, as_pieces(buffers), drafts, said, people.astype(np.int64), takes_turn, actions, draft
    )
    return actions


@lru_cache(maxsize=1 << 14)
def _meaning(command: int, x: int, y: int, amount: int, target: int) -> commands.Meaning | None:
    return commands.unpack(command, x, y, amount, target)


@kernel
def keep_legal(
    table: MenuTable, pieces: Pieces, drafts: Any, said: Any, people: Any, takes_turn: Any, actions: Any,
    draft: Draft,
) -> None:  # fmt: skip
    """Copy from ``drafts`` into the actions what is legal after the commands before it.

    Drafts (n, commands, 7) are heads of commands, but for factors the wanted numbers; they are changed.
    ``takes_turn`` (V,): of each verb, whether it ends its nation's turn.
    """
    room = (actions.shape[1] - 1) // HEADS
    for row in range(actions.shape[0]):
        menu_draft.begin(table, pieces, row, draft)
        place = 0
        ended = False
        for k in range(said[row]):
            heads = drafts[row, k]
            v = heads[VERB] - 1
            if place == room:
                if ended or not takes_turn[v]:
                    continue
                menu_draft.begin(table, pieces, row, draft)  # without what stands in the last place
                menu_draft.book_action(table, pieces, row, actions[row], room - 1, draft)
            if not _fit(table, pieces, row, heads, people[row], draft):
                continue
            ended = ended or takes_turn[v]
            place = min(place, room - 1)
            for head in range(HEADS):
                actions[row, 1 + place * HEADS + head] = heads[head]
            menu_draft.book(table, pieces, row, v, heads, draft)
            place += 1


@kernel
def _fit(table: MenuTable, pieces: Pieces, row: int, heads: Any, people: Any, draft: Draft) -> bool:
    """Whether a command is legal; its wanted numbers become the places of the nearest values that are."""
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
        best, nearest = -1, 0
        wanted = int(heads[FACTOR + f])
        for value in range(verb.count[f]):
            if not menu_draft.value_fits(table, pieces, row, v, f, value, heads, draft):
                continue
            heads[FACTOR + f] = value
            number = menu_values.number(table, verb, pieces.trade[row], heads, int(people[heads[CELL]]), f)
            off = abs(number - wanted)
            named = f == 0 and (verb.options >= 0 or verb.fleet != NO_FLEET)
            if off > 0 and (named or verb.exact[f]):
                continue  # another fleet, direction, item or lot is none that is near
            if best < 0 or off < nearest:
                best, nearest = value, off
        if best < 0:
            return False
        heads[FACTOR + f] = best
    for f in range(verb.factors, FACTORS):
        heads[FACTOR + f] = 0
    return True
