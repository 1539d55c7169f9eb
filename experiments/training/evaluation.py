"""How many points a network makes against a fixed opponent, seats balanced, in worlds nobody trained on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from hakoenv.agents.policy.network import PlanNetwork
from hakoenv.experiments import seeds
from hakoenv.experiments.intervals import estimate
from hakoenv.experiments.training.config import OPPONENTS, Game
from hakoenv.experiments.training.seats import Seats
from hakoenv.experiments.worlds import Worlds
from numpy.typing import NDArray

from hakoenv import controllers

_AT_ONCE = 64  # worlds


class Outcome(NamedTuple):
    """Points of the learner's seat, season by season.

    Attributes:
        points: float64 (seasons,).
        ahead: bool (seasons,): more points than everybody else.
    """

    points: NDArray[np.float64]
    ahead: NDArray[np.bool_]

    def figures(self) -> dict[str, float]:
        """Mean points, half the width of their 95% interval, and the share of seasons ahead.

        One season tells no width, so there is none.
        """
        found = estimate(self.points.tolist())
        figures = {
            "points": found.mean,
            "ahead": float(self.ahead.mean()),
            "seasons": float(len(self.points)),
        }
        return figures if found.half_width is None else figures | {"half_width": found.half_width}


def evaluate(
    network: PlanNetwork,
    game: Game,
    against: str,
    seasons: int,
    first: int = 0,
    greedy: bool = False,
    other: PlanNetwork | None = None,
) -> Outcome:
    """Play seasons of a network in one seat, the opponent in all others.

    Args:
        network: the one that is judged.
        game: what is played.
        against: the controller `rule_ai` or `random`, or a name for ``other``.
        seasons: how many; season k has the evaluation seed ``first + k`` and the network in seat k % N.
        first: see above.
        greedy: the network takes each head's likeliest value.
        other: a network that sits in the other seats.

    Raises:
        ValueError: an unknown opponent.
    """
    if other is None and against not in OPPONENTS:
        raise ValueError(f"against={against!r} must be one of {', '.join(OPPONENTS)}")
    points: list[float] = []
    ahead: list[bool] = []
    for start in range(0, seasons, _AT_ONCE):
        found = _play(
            network, game, against, np.arange(start, min(seasons, start + _AT_ONCE)), first, greedy, other
        )
        points += found.points.tolist()
        ahead += found.ahead.tolist()
    return Outcome(np.array(points), np.array(ahead, np.bool_))


def _play(
    network: PlanNetwork,
    game: Game,
    against: str,
    numbers: NDArray[np.int64],
    first: int,
    greedy: bool,
    other: PlanNetwork | None,
) -> Outcome:
    env = Worlds(
        game.scenario,
        len(numbers),
        commands_per_turn=game.commands_per_turn,
        commands=network.form.verbs,
        rules=game.rules,
    )
    seats = Seats(env, np.random.default_rng([first, int(numbers[0])]))
    opponent = None if other is not None else controllers.get(against)
    seen, infos = env.reset(seed=[seeds.evaluation(first + int(k)) for k in numbers])
    own = np.zeros((env.num_envs, env.nations), np.bool_)
    own[np.arange(env.num_envs), numbers % env.nations] = True
    points = np.zeros(env.num_envs)
    ahead = np.zeros(env.num_envs, np.bool_)
    running = np.ones(env.num_envs, np.bool_)
    while running.any():
        acting = infos["alive"] & running[:, np.newaxis]
        shape = (env.num_envs * env.nations, -1)
        actions = np.zeros((env.num_envs, env.nations, env.single_action_space.nvec.size), np.int64)
        rows = np.flatnonzero(acting & own)
        if rows.size:
            actions.reshape(shape)[rows] = seats.ask(network, seen, rows, greedy).actions
        rows = np.flatnonzero(acting & ~own)
        if other is not None and rows.size:
            actions.reshape(shape)[rows] = seats.ask(other, seen, rows, greedy).actions
        if opponent is not None:
            env.let_plan(opponent, acting & ~own)
        seen, _, _, _, infos = env.step(actions)
        for k, i in enumerate(infos.get("final", ())):
            if running[i]:
                running[i] = False
                mine = infos["final_points"][k][own[i]][0]
                points[i], ahead[i] = mine, mine > infos["final_points"][k][~own[i]].max()
    return Outcome(points, ahead)
