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
_OTHERS = (author.LLM, author.EXTERNAL)  # authors that are not the rule AI


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

    Whoever ordered it counts, a person or a program before the nation was switched, too. Changes of policy it
    sees in the World; steps of resource development are among the results. What it did itself, it has noted.
    ``world`` may be many worlds (`engine/worlds.py`); the seats are those of each.
    """
    commands: Any = world.results["command"]
    steps = (commands == command.MINE) | (commands == command.MINE_LEVEL_UP)
    if not steps.any():
        return
    nations = world.nations
    there = np.arange(commands.shape[-1]) < nations["result_count"][..., np.newaxis]
    done = (steps & there & (world.results["reason"] == reason.DONE)).any(axis=-1)[..., seats]
    own = done & np.isin(nations["author"][..., seats], _OTHERS)
    nations["developed"][..., seats] = np.where(own, world.clock["turn"], nations["developed"][..., seats])
