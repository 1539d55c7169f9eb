"""Nations of language models: the rule AI plans for those that gave none (LLM-001, LLM-002)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hakoenv import controllers
from hakoenv.engine.codes import author, command, reason
from hakoenv.engine.world import World
from hakoenv.ruleset import Rules

PROXY = "rule_ai"
_DEVELOPMENT = (command.MINE, command.MINE_LEVEL_UP)


def stand_in(world: World, rules: Rules, seats: NDArray[np.int64]) -> None:
    """Let the rule AI write the plans of those of ``seats`` whose queue is empty; their author is `proxy`.

    Commands that are left in a queue count as a plan.
    """
    nations = world.nations
    silent = seats[nations["plan_length"][seats] == 0]
    if silent.size:
        controllers.get(PROXY).fill(world, rules, silent)
        nations["author"][silent] = author.PROXY


def note_steps(world: World, seats: NDArray[np.int64]) -> None:
    """Tell the rule AI's memory what the nations' own plans did last turn: its spacings count that (LLM-009).

    Changes of policy it sees in the World; steps of resource development are among the results. What a proxy
    did it has noted itself.
    """
    for n in seats[world.nations["author"][seats] == author.LLM].tolist():
        done: Any = world.results[n, : int(world.nations["result_count"][n])]
        steps = np.isin(done["command"], _DEVELOPMENT) & (done["reason"] == reason.DONE)
        if steps.any():
            world.nations["developed"][n] = world.clock["turn"][0]
