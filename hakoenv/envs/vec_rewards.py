"""Rewards of many worlds: points in one compiled call, the others world by world."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine.handles import one_of
from hakoenv.engine.world import World
from hakoenv.envs import vec_turn
from hakoenv.envs.rewards import POINT_PARTS, Floats, Turn, reward_of
from hakoenv.ruleset.compiled import Rules


class ManyPoints:
    """The reward `points` (`hakoenv.envs.rewards.Points`) of all worlds.

    Args:
        worlds: those of a vector environment.
        rules: their rules.
    """

    def __init__(self, worlds: World, rules: Rules) -> None:
        self._worlds, self._rules = worlds, rules
        count, nations = worlds.nations.shape
        self._everywhere = np.arange(count)
        self._points = np.zeros((count, nations))
        self._parts = np.zeros((count, nations, len(POINT_PARTS)))

    def start(self, which: NDArray[np.int64]) -> None:
        """Take these worlds as they are for the state before the next turn."""
        vec_turn.count_points(self._worlds, self._rules, which, self._points, self._parts)

    def give(self, last: NDArray[np.bool_], fell: NDArray[np.bool_]) -> Floats:
        """The parts of every nation's reward, shape (E, N, parts)."""
        before = self._parts.copy()
        self.start(self._everywhere)
        change: Floats = self._parts - before
        return change


class OneByOne:
    """Any named reward, one object a world.

    Args:
        name: of the reward.
        worlds, rules: as for `ManyPoints`.
    """

    def __init__(self, name: str, worlds: World, rules: Rules) -> None:
        self._worlds, self._rules = worlds, rules
        self._rewards = [reward_of(name) for _ in range(len(worlds.clock))]

    def start(self, which: NDArray[np.int64]) -> None:
        """Take these worlds as they are for the state before the next turn."""
        for i in which.tolist():
            self._rewards[i].start(one_of(self._worlds, i), self._rules)

    def give(self, last: NDArray[np.bool_], fell: NDArray[np.bool_]) -> Floats:
        """The parts of every nation's reward, shape (E, N, parts)."""
        found = []
        for i, reward in enumerate(self._rewards):
            world = one_of(self._worlds, i)
            found.append(reward.give(Turn(world, world, self._rules, bool(last[i]), fell[i])))
        return np.stack(found)
