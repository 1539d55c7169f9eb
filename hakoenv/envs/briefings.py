"""What the nations of a world see and may do, in arrays that nobody else holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hakoenv.engine.world import World
from hakoenv.envs.pool import Buffers, Pool, rows
from hakoenv.obs.menu import Menu
from hakoenv.obs.spec import Spec
from hakoenv.ruleset import Rules, Ruleset


class Briefings:
    """Makes the observations and action masks of all nations, in arrays that are reused once let go.

    Args:
        rules: the rules of the worlds.
        seats: their nations.
        views, cells, commands: `observation`, `cells` and `commands` of `hakoenv.parallel_env`.
        whose: the nations that are briefed; None all.

    Attributes:
        spec: what an observation consists of.
        menu: what an action refers to.

    Raises:
        ValueError: an argument is impossible.
    """

    def __init__(
        self,
        rules: Ruleset | Rules,
        seats: int,
        views: tuple[str, ...] = ("cells",),
        cells: str = "list",
        commands: str | Sequence[str] = "all",
        whose: Sequence[int] | None = None,
    ) -> None:
        self.spec = Spec(rules, seats, views, cells)
        self.menu = Menu(rules, seats, commands, self.spec.cell_count)
        self._whose = None if whose is None else np.array(whose, np.int64)
        self._pools = Pool(self.spec.buffers), Pool(self.menu.buffers)

    def take(self, world: World, rules: Rules) -> tuple[Buffers, Buffers]:
        """What the nations see between two turns, and their menus."""
        seen: Any = self._pools[0].take()  # the spec's own kind of buffers
        allowed = self._pools[1].take()
        self.spec.fill(world, rules, seen, self._whose)
        self.menu.fill(world, rules, seen["cell_index"], allowed, self._whose)
        return seen, allowed

    def of(self, seen: Buffers, allowed: Buffers, nation: int) -> dict[str, Any]:
        """One nation's observation with its `action_mask`: views into what `take` gave."""
        return {**self.spec.of(seen, nation), "action_mask": self.menu.of(allowed, nation)}

    def each(self, seen: Buffers, allowed: Buffers, nations: Sequence[int]) -> list[dict[str, Any]]:
        """What `of` gives for several nations; if they are many, all seats' views are taken at once."""
        if 2 * len(nations) < self.spec.seats:
            return [self.of(seen, allowed, nation) for nation in nations]
        found: list[dict[str, Any]] = [*rows(seen, self.spec.names)]
        for observation, mask in zip(found, rows(allowed, allowed), strict=True):
            observation["action_mask"] = mask
        return [found[nation] for nation in nations]
