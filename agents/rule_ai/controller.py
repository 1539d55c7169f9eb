"""The rule AI as a controller of the season driver."""

from __future__ import annotations

from typing import Any

import numpy as np
from hakoenv.agents.rule_ai import planner
from hakoenv.agents.rule_ai.staff import Staff, assemble
from numpy.typing import NDArray

from hakoenv.engine.codes import controller as kinds
from hakoenv.engine.handles import one_of
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


class RuleAI:
    """Writes the plans of the nations it is given, in one compiled call a turn."""

    code = kinds.RULE_AI

    def __init__(self) -> None:
        self._staff: Staff | None = None  # for many worlds; holds nothing from one call to the next

    def fill(self, world: World, rules: Rules, nations: NDArray[Any]) -> None:
        """Write this turn's plan of every living nation of ``nations`` (seat numbers)."""
        planner.write_plans(world, rules, nations)

    def fill_worlds(self, worlds: World, rules: Rules, whose: NDArray[np.bool_]) -> None:
        """`fill` in many worlds (`engine/worlds.py`) in one compiled call, for those whose (E, N) it is."""
        if self._staff is None or self._staff.seen.shape != worlds.territory.shape[1:]:
            self._staff = assemble(one_of(worlds, 0))
        planner.write_plans_of_worlds(worlds, rules, whose, self._staff)


def controller() -> RuleAI:
    """Return the rule AI, as the controllers' registry names it ``rule_ai``."""
    return RuleAI()
