"""How much of what the action mask offers is carried out."""

from __future__ import annotations

import numpy as np
from hakoenv.agents.random.controller import COMMANDS

from hakoenv.engine.codes import reason
from hakoenv.engine.season import Season


def mask_fidelity(scenario: str = "season", seed: int = 0, turns: int = 60) -> list[float]:
    """Share of the random agent's commands that were carried out, by position in the plan.

    All nations are random agents, whose plans hold only what the mask offers; they replace their plans
    each turn. Counted are the commands that the turn came to. What is missing to 1 failed through what
    others did first, through the turn's income and upkeep, or through hidden things.

    Args:
        scenario: which season.
        seed: its seed.
        turns: turns to play, fewer if the season ends.

    Returns:
        The shares of positions 1 to 8; NaN for a position that no turn came to.
    """
    season = Season.new(scenario, seed=seed, agents="random")
    reached = np.zeros(COMMANDS)
    done = np.zeros(COMMANDS)
    while not season.ended and season.turn < turns:
        season.fill_plans()
        lengths = season.world.nations["plan_length"].copy()
        alive = np.flatnonzero(season.world.nations["alive"])
        season.play_turn()  # writes the same plans once more
        for n in alive:
            handled = min(int(season.world.nations["result_count"][n]), int(lengths[n]))
            results = np.asarray(season.world.results["reason"][n, :handled])
            reached[:handled] += 1
            done[:handled] += results == reason.DONE
    return [float(a / b) if b else float("nan") for a, b in zip(done, reached, strict=True)]
