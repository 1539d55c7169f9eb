"""From a learner's action to a plan: heads become commands, commands go into the queue by the mode."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine.codes import reason
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import PLAN_LENGTH, World
from hakoenv.obs import menu_values
from hakoenv.obs.menu import Menu
from hakoenv.obs.menu_deals import NO_DEAL, SWAP
from hakoenv.obs.menu_draft import (
    APPEND,
    CELL,
    FACTOR,
    FRONT,
    HEADS,
    KEEP,
    MODE,
    NATION,
    REPLACE,
    VERB,
)
from hakoenv.obs.menu_table import AMOUNT, TARGET, MenuTable, X, Y
from hakoenv.obs.menu_values import Notes, new_notes
from hakoenv.ruleset.compiled import Rules

_CUT_MAX = 2**15 - 1  # most that `nations.cut` counts


def apply(
    world: World,
    rules: Rules,
    menu: Menu,
    seats: NDArray[np.int64],
    actions: NDArray[np.int64],
    cell_index: NDArray[np.int32],
    mode: int | None = None,
) -> None:
    """Write actions into the plans of their nations.

    Any numbers are harmless: a command whose heads name nothing counts as none, an unknown mode keeps the
    queue, a seat that is no living nation is left out. A command that is merely illegal goes into the
    plan and is refused in its turn, with a reason (CMD-005).

    Args:
        world: changed in place.
        rules: its rules.
        menu: the menu that the actions refer to.
        seats: int64 (n,) nations.
        actions: int64 (n, L), L = 1 + 7 * commands.
        cell_index: int32 (nations, C): the cell lists that the actions refer to.
        mode: instead of the actions' own: `menu_draft.APPEND` for one command at a time.
    """
    chosen = -1 if mode is None else int(mode)
    enter(world, rules, menu.table, seats, actions, cell_index, chosen, new_notes())


@kernel
def enter(
    world: World, rules: Rules, table: MenuTable, seats: Any, actions: Any, cell_index: Any, mode: int,
    notes: Notes,
) -> None:  # fmt: skip
    """The compiled form of `apply`; mode -1 is the actions' own, notes are scratch."""
    for i in range(seats.shape[0]):
        n = seats[i]
        if n < 0 or n >= world.nations.shape[0] or not world.nations[n].alive:
            continue
        world.nations[n].cut = 0
        chosen = actions[i, MODE] if mode < 0 else mode
        if chosen <= KEEP or chosen > APPEND:
            continue
        if chosen == REPLACE:
            _keep(world, n, 0, 0)
        if _names_deal(table, actions[i]):  # what percentages and lists are of, before anything is done
            notes.trade[:] = 0
            menu_values.note(world, rules, n, notes.trade, notes.found)
        _write(world, rules, table, n, actions[i], cell_index[n], chosen, notes)


@kernel
def count_commands(
    world: World, table: MenuTable, seats: Any, actions: Any, cell_index: Any, counts: Any
) -> None:
    """Write into ``counts`` (n, 2) how many commands each action gives and how many mean something."""
    for i in range(seats.shape[0]):
        counts[i, 0] = counts[i, 1] = 0
        n = seats[i]
        if n < 0 or n >= world.nations.shape[0]:
            continue
        for k in range((actions.shape[1] - 1) // HEADS):
            counts[i, 0] += actions[i, 1 + k * HEADS + VERB] != 0
            counts[i, 1] += means_something(world, table, n, actions[i], k, cell_index[n])


@kernel
def _names_deal(table: MenuTable, action: Any) -> bool:
    """Whether some command of an action is a deal between nations."""
    for k in range((action.shape[0] - 1) // HEADS):
        v = action[1 + k * HEADS + VERB] - 1
        if 0 <= v < table.verbs.shape[0] and table.verbs[v].deal != NO_DEAL:
            return True
    return False


@kernel
def _write(
    world: World, rules: Rules, table: MenuTable, n: int, action: Any, cells: Any, mode: int, notes: Notes
) -> None:
    """Put an action's commands before (FRONT) or behind the queue; what is too much is cut (CMD-001)."""
    record = world.nations[n]
    most = min(PLAN_LENGTH, rules.scalars[0].plan_max_commands)
    count = (action.shape[0] - 1) // HEADS
    fitting = 0
    for k in range(count):
        fitting += means_something(world, table, n, action, k, cells)
    old = int(record.plan_length)
    place = old
    if mode == FRONT:
        new = min(fitting, most)
        _keep(world, n, min(old, most - new), new)
        record.cut += max(0, old + new - most)
        place = 0
    for k in range(count):
        if not means_something(world, table, n, action, k, cells):
            continue
        if place >= most:
            record.cut = min(record.cut + 1, _CUT_MAX)
            continue
        _set(world, table, n, action, k, cells, notes, world.plans[n, place])
        place += 1
        record.plan_length = max(int(record.plan_length), place)


@kernel
def _keep(world: World, n: int, kept: int, shift: int) -> None:
    """Keep the first commands of a queue, moved back by ``shift`` places; the rest become empty."""
    plan = world.plans[n]
    if shift > 0:
        for k in range(kept - 1, -1, -1):
            plan[k + shift] = plan[k]
    for k in range(PLAN_LENGTH):
        if k < shift or k >= kept + shift:
            order = plan[k]
            order.command = order.x = order.y = order.target = order.turn = 0
            order.amount = 0
            order.reason = 0
    world.nations[n].plan_length = kept + shift


@kernel
def means_something(world: World, table: MenuTable, n: int, action: Any, k: int, cells: Any) -> bool:
    """Whether the heads of an action's k-th command name a verb and all that it needs."""
    base = 1 + k * HEADS
    v = action[base + VERB] - 1
    if v < 0 or v >= table.verbs.shape[0]:
        return False
    verb = table.verbs[v]
    if verb.nation and not 0 <= action[base + NATION] < world.nations.shape[0]:
        return False
    if verb.cell_row >= 0:
        place = action[base + CELL]
        if place < 0 or place >= cells.shape[0] or not 0 <= cells[place] < world.cells.size:
            return False
    for f in range(verb.factors):
        if not 0 <= action[base + FACTOR + f] < verb.count[f]:
            return False
    if verb.deal == SWAP:  # nothing for nothing would mean the other's offer
        given, wanted = action[base + FACTOR + 1], action[base + FACTOR + 3]
        return bool(verb.value[1, given] > 0 or verb.value[3, wanted] > 0)
    return True


@kernel
def _set(
    world: World, table: MenuTable, n: int, action: Any, k: int, cells: Any, notes: Notes, order: Any
) -> None:
    """Write the k-th command, which means something, into a place of the plan."""
    base = 1 + k * HEADS
    heads = action[base : base + HEADS]
    verb = table.verbs[heads[VERB] - 1]
    cell = int(cells[heads[CELL]]) if verb.cell_row >= 0 else 0
    people = int(world.cells.flat[cell].population) if verb.cell_row >= 0 else 0
    order.command = verb.command
    order.x = menu_values.field_of(table, verb, X, notes.trade, heads, people)
    order.y = menu_values.field_of(table, verb, Y, notes.trade, heads, people)
    order.amount = menu_values.field_of(table, verb, AMOUNT, notes.trade, heads, people)
    order.target = menu_values.field_of(table, verb, TARGET, notes.trade, heads, people)
    order.turn = 0
    order.reason = reason.WAITING
    if verb.cell_row >= 0:
        width = world.cells.shape[1]
        order.x = cell % width
        order.y = cell // width
    if verb.nation:
        order.target = (n + heads[NATION]) % world.nations.shape[0]


__all__ = ["APPEND", "FRONT", "KEEP", "REPLACE", "apply", "count_commands", "enter"]
