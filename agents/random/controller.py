"""The random agent as a controller of the season driver."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine import chance
from hakoenv.engine.codes import controller as kinds
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset import Rules

COMMANDS = 8  # of a plan


class RandomAgent:
    """Replaces the plans of its nations by random ones: the verb first, then each head, all alike likely.

    It knows what a learner knows: the menu of each nation, made from what the nation may see. Its draws
    are the world's own (`chance.CONTROLLER`), so a seed fixes the season.
    """

    code = kinds.EXTERNAL  # the rules for AI nations are not its

    def __init__(self) -> None:
        self._rules: Rules | None = None
        self._seats = 0

    def fill(self, world: World, rules: Rules, nations: NDArray[Any]) -> None:
        """Write the coming turn's plan of every living nation of ``nations`` (seat numbers)."""
        from hakoenv.envs.actions import REPLACE, apply

        self._prepare(world, rules)
        seats = np.ascontiguousarray(nations, dtype=np.int64)
        seeds = np.zeros(len(seats), np.uint64)
        draw_seeds(world, seats, seeds)
        seen, menus = self._briefings.take(world, rules)
        actions = self._space.sample_plans(menus, seats, seeds, REPLACE)
        apply(world, rules, self._briefings.menu, seats, actions, seen["cell_index"])

    def _prepare(self, world: World, rules: Rules) -> None:
        """Make what shows the world to nations, once for a ruleset and a number of nations."""
        seats = len(world.nations)
        if self._rules is rules and self._seats == seats:
            return
        from hakoenv.envs.briefings import Briefings
        from hakoenv.envs.plan_space import PlanSpace

        self._briefings = Briefings(rules, seats)
        self._space = PlanSpace(self._briefings.menu, COMMANDS)
        self._rules, self._seats = rules, seats


@kernel
def draw_seeds(world: World, nations: Any, seeds: Any) -> None:
    """A seed for each nation's plan of the coming turn."""
    clock = world.clock[0]
    for k in range(nations.shape[0]):
        seeds[k] = chance.draw_at(np.uint64(clock.seed), clock.turn, chance.CONTROLLER, nations[k], 0)


def controller() -> RandomAgent:
    """Return the random agent, as the controllers' registry names it ``random``."""
    return RandomAgent()
