"""A turn of many worlds, and what their nations see then: the two compiled calls of `hakoenv.vec`."""

from __future__ import annotations

from typing import Any

from hakoenv.engine.codes import ending
from hakoenv.engine.handles import one_of
from hakoenv.engine.kernel import kernel
from hakoenv.engine.turn import turn
from hakoenv.engine.world import World
from hakoenv.envs import actions as deeds
from hakoenv.envs.rewards import fill_point_parts
from hakoenv.obs import fill as observation
from hakoenv.obs import menu_fill
from hakoenv.obs.arrays import Arrays
from hakoenv.obs.arrays import Scratch as Room
from hakoenv.obs.menu_pieces import Pieces
from hakoenv.obs.menu_pieces import Scratch as MenuRoom
from hakoenv.obs.menu_table import MenuTable
from hakoenv.obs.menu_values import Notes
from hakoenv.ruleset.compiled import Rules

_ACTIONS_OWN_MODE = -1


@kernel
def enter(
    worlds: World, rules: Rules, table: MenuTable, seats: Any, actions: Any, cell_index: Any, notes: Notes
) -> None:
    """Put the actions (E, n, L) of ``seats`` (n,) into the plans of every world; notes are scratch."""
    mode = _ACTIONS_OWN_MODE
    for i in range(worlds.clock.shape[0]):
        deeds.enter(one_of(worlds, i), rules, table, seats, actions[i], cell_index[i], mode, notes)


@kernel
def play(worlds: World, rules: Rules, max_turns: int, over: Any) -> None:
    """Play a turn of every world; ``over`` (E, 2): whether the rules, or ``max_turns``, have ended it."""
    for i in range(worlds.clock.shape[0]):
        turn(one_of(worlds, i), rules)
        clock = worlds.clock[i, 0]
        over[i, 0] = clock.ending != ending.RUNNING
        over[i, 1] = not over[i, 0] and clock.turn >= max_turns


@kernel
def count_points(worlds: World, rules: Rules, which: Any, points: Any, parts: Any) -> None:
    """Standing points and their parts (`fill_point_parts`) of the worlds named in ``which``."""
    for k in range(which.shape[0]):
        i = int(which[k])
        fill_point_parts(one_of(worlds, i), rules, points[i], parts[i])


@kernel
def observe(
    worlds: World, rules: Rules, which: Any, seats: Any, all_cells: bool, blanks: Any, seen: Arrays,
    room: Room, table: MenuTable, menus: Pieces, menu_room: MenuRoom,
) -> None:  # fmt: skip
    """Fill observations and menus of ``seats`` in the worlds named in ``which``.

    ``blanks``: what must be 0 before it is filled, as bytes (E, N, bytes); done world by world, while the
    processor has it at hand.
    """
    for k in range(which.shape[0]):
        i = int(which[k])
        for blank in blanks:
            for place in range(seats.shape[0]):
                blank[i, seats[place]] = 0
        world = one_of(worlds, i)
        observation.fill(world, rules, all_cells, seats, one_of(seen, i), room)
        menu_fill.fill(world, rules, table, seats, seen.cell_index[i], one_of(menus, i), menu_room)
