"""The rule AI as a controller of the season driver."""

from __future__ import annotations

from typing import Any

from hakoenv.agents.rule_ai import planner
from numpy.typing import NDArray

from hakoenv.engine.codes import controller as kinds
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


class RuleAI:
    """Writes the plans of the nations it is given, in one compiled call a turn."""

    code = kinds.RULE_AI

    def fill(self, world: World, rules: Rules, nations: NDArray[Any]) -> None:
        """Write this turn's plan of every living nation of ``nations`` (seat numbers)."""
        planner.write_plans(world, rules, nations)


def controller() -> RuleAI:
    """Return the rule AI, as the controllers' registry names it ``rule_ai``."""
    return RuleAI()
