"""Who plays which seat: in one the rule AI does what it does in a season of its own."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra `train` is not installed")

from hakoenv.experiments.training.seats import Seats

from hakoenv.engine.season import Season
from hakoenv.engine.world import state_hash
from hakoenv.envs.vec import VecEnv

TURNS = 60


@pytest.mark.parametrize("scenario", ["duel", "skirmish"])
def test_rule_ais_in_seats_play_the_season_of_rule_ais(scenario: str) -> None:
    """The whole World is the same, what the rule AI remembers and who wrote the plans included."""
    env = VecEnv(scenario, 2, commands_per_turn=1)
    seats = Seats(env, np.random.default_rng(0))
    _, infos = env.reset(seed=[11, 12])
    nothing = np.zeros((2, env.nations, 8), np.int64)
    for _ in range(TURNS):
        seats.let_rule_ai_plan(infos["alive"])
        *_, infos = env.step(nothing)
    for i in range(2):
        season = Season.new(scenario, seed=11 + i, agents="rule_ai")
        season.run(until=TURNS)
        assert state_hash(env.world(i)) == season.state_hash()
