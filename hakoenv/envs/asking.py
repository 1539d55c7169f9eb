"""One command at a time: nations are asked again until each has ended its turn."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine.world import World
from hakoenv.envs.actions import APPEND, apply
from hakoenv.obs.menu import Buffers, Menu
from hakoenv.ruleset import Rules


class Asking:
    """Which nations have ended the coming turn, and what the others have given so far.

    A nation's turn ends with a command that uses the turn, with "no more command", with one that means
    nothing, and after so many commands.

    Args:
        menu: the menu that actions refer to.
        most: commands a nation may give in a turn.
    """

    def __init__(self, menu: Menu, most: int) -> None:
        self._menu = menu
        self._most = most
        self.given: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
        self.done = np.zeros(menu.seats, bool)

    def begin(self) -> None:
        """Nobody has given anything for the coming turn."""
        self.given = []
        self.done[:] = False

    def take(
        self, world: World, rules: Rules, seats: NDArray[np.int64], rows: NDArray[np.int64], cells: Any
    ) -> bool:
        """Put one command of each nation that is still asked at the end of its queue.

        Returns:
            Whether all of ``seats`` have ended their turn.
        """
        asked = ~self.done[seats]
        seats, rows = seats[asked], np.ascontiguousarray(rows[asked])
        before = world.nations["plan_length"][seats].copy()
        apply(world, rules, self._menu, seats, rows, cells, mode=APPEND)
        lengths = world.nations["plan_length"][seats]
        last = world.plans["command"][seats, np.maximum(lengths - 1, 0)]
        self.done[seats] = (lengths == before) | (rules.commands["turns"][last] > 0)
        self.given.append((seats, rows))
        if len(self.given) == self._most:
            self.done[seats] = True
        return bool(self.done[seats].all())

    def narrow(self, menus: Buffers) -> None:
        """Make fresh menus what they are after the commands given so far; who is done may only wait."""
        for seats, rows in self.given:
            self._menu.book(menus, seats, rows)
        for seat in np.flatnonzero(self.done):
            for name in ("verbs", "cells", "nations", "factors"):
                menus[name][seat] = 0
            menus["verbs"][seat, 0] = 1
