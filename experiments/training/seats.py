"""Who plays which seat in many worlds: networks, and the rule AI."""

from __future__ import annotations

from typing import Any

import numpy as np
from hakoenv.agents.policy import features, sampling
from hakoenv.agents.policy.form import READ
from hakoenv.agents.policy.network import PlanNetwork
from hakoenv.agents.policy.sampling import Plans
from hakoenv.agents.rule_ai import RuleAI
from numpy.typing import NDArray

from hakoenv.envs.vec import VecEnv
from hakoenv.obs.menu_draft import HEADS

Seen = dict[str, NDArray[Any]]


class Seats:
    """Makes the actions of all nations of a vector environment in which all are agents.

    Args:
        env: the environment.
        draws: decides what networks draw.
    """

    def __init__(self, env: VecEnv, draws: np.random.Generator) -> None:
        self.env = env
        self.draws = draws
        self.space = env.single_action_space
        self.needs = sampling.Needs.of(self.space)
        self.rule_ai = RuleAI()

    def read(self, seen: Any, rows: NDArray[np.int64]) -> Seen:
        """The pieces that a network reads, of rows (env * N + nation)."""
        return {name: joined(seen[name])[rows] for name in READ}

    def ask(self, network: PlanNetwork, seen: Any, rows: NDArray[np.int64], greedy: bool = False) -> Plans:
        """A network's plans for rows."""
        menus = {name: joined(array) for name, array in seen["action_mask"].items()}
        luck = None if greedy else self.draws.random((len(rows), self.space.commands_per_turn, HEADS))
        known = features.read(self.read(seen, rows))
        return sampling.choose(network, known, menus, rows, self.space, self.needs, luck)

    def count_illegal(self, seen: Any, rows: NDArray[np.int64], actions: NDArray[np.int64]) -> int:
        """How many actions of rows hold anything that their masks rule out, judged anew."""
        menus = {name: joined(array) for name, array in seen["action_mask"].items()}
        return int((self.space.faults(menus, rows, actions) >= 0).sum())

    def let_rule_ai_plan(self, whose: NDArray[np.bool_]) -> None:
        """The rule AI plans for these nations (E, N) in the next step, in which their actions are all 0."""
        self.env.let_plan(self.rule_ai, whose)


def joined(array: NDArray[Any]) -> NDArray[Any]:
    """Worlds and nations as one axis."""
    return array.reshape(-1, *array.shape[2:])
