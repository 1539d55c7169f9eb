"""Who a learner meets: the rule AI, its past selves, itself; and how it fared against each."""

from __future__ import annotations

import copy
from collections import Counter
from typing import Any

import numpy as np
from hakoenv.agents.policy.network import PlanNetwork
from hakoenv.experiments.training.config import League as Shares
from numpy.typing import NDArray

LEARNER, RULE_AI, PAST = 0, 1, 2  # pilots of a seat; PAST + k is the k-th past self
_FLOOR = 0.1  # weight of a past self that the learner always beats
_FADE = 0.99  # what older results count for, a season later


class League:
    """Opponents and results.

    Args:
        shares: how often which kind sits in a seat.
        draws: decides who sits where.

    Attributes:
        past: the past selves that are kept, the oldest first.
        endings: how often seasons ended how, by the code of the ending.
    """

    def __init__(self, shares: Shares, draws: np.random.Generator) -> None:
        self.shares, self.draws = shares, draws
        self.past: list[PlanNetwork] = []
        self.born: list[int] = []  # iteration from which each past self is
        self.endings: Counter[int] = Counter()
        self._met: dict[str, list[float]] = {}  # seasons, seasons ahead, points of the learner; fading

    def keep(self, network: PlanNetwork, iteration: int) -> None:
        """Keep the network as it is now as a past self; the one beaten most surely makes room."""
        if len(self.past) >= self.shares.past_kept > 0:
            gone = int(np.argmax([self.share_ahead(f"past_{born}") for born in self.born]))
            self._met.pop(f"past_{self.born[gone]}", None)
            del self.past[gone], self.born[gone]
        self.past.append(copy.deepcopy(network).eval())
        self.born.append(iteration)

    def seat(self, nations: int) -> NDArray[np.int64]:
        """Pilots of the seats of a new season; the learner has at least one, drawn evenly."""
        pilots = np.full(nations, LEARNER)
        own = int(self.draws.integers(nations))
        kinds = [self.shares.rule_ai, self.shares.past if self.past else 0.0, self.shares.present]
        chances = np.array(kinds) / sum(kinds)
        for n in range(nations):
            if n != own:
                kind = int(self.draws.choice(3, p=chances))
                pilots[n] = (RULE_AI, self._past_self(), LEARNER)[kind]
        return pilots

    def share_ahead(self, name: str) -> float:
        """Share of the seasons against an opponent in which the learner had more points, 0.5 at first."""
        seasons, ahead, _ = self._met.get(name, (0.0, 0.0, 0.0))
        return (ahead + 0.5) / (seasons + 1.0)

    def note(self, pilots: NDArray[np.int64], points: NDArray[np.float64], ending: int) -> None:
        """A season is over: points of its seats."""
        self.endings[ending] += 1
        own = pilots == LEARNER
        for n in np.flatnonzero(~own):
            for m in np.flatnonzero(own):
                met = self._met.setdefault(self.name(int(pilots[n])), [0.0, 0.0, 0.0])
                gain = 1.0 if points[m] > points[n] else 0.5 if points[m] == points[n] else 0.0
                for k, what in enumerate((1.0, gain, float(points[m]))):
                    met[k] = met[k] * _FADE + what

    def name(self, pilot: int) -> str:
        """What figures call a pilot."""
        return "rule_ai" if pilot == RULE_AI else f"past_{self.born[pilot - PAST]}"

    def payoffs(self) -> dict[str, dict[str, float]]:
        """By opponent: seasons (fading), share of them ahead, mean points."""
        return {
            name: {"seasons": round(seasons, 1), "ahead": ahead / seasons, "points": points / seasons}
            for name, (seasons, ahead, points) in sorted(self._met.items())
        }

    def state(self) -> dict[str, Any]:
        """Everything, for a checkpoint."""
        return {
            "past": [network.state_dict() for network in self.past],
            "born": list(self.born),
            "endings": dict(self.endings),
            "met": {name: list(values) for name, values in self._met.items()},
        }

    def restore(self, state: dict[str, Any], like: PlanNetwork) -> None:
        """Take over what `state` gave; ``like``: a network of the same sizes."""
        self.past = []
        for weights in state["past"]:
            network = copy.deepcopy(like).eval()
            network.load_state_dict(weights)
            self.past.append(network)
        self.born = list(state["born"])
        self.endings = Counter(state["endings"])
        self._met = {name: list(values) for name, values in state["met"].items()}

    def _past_self(self) -> int:
        """One of the past selves, those that beat the learner more often; the rule AI if there is none."""
        if not self.past:
            return RULE_AI
        weights = np.array([1.0 - self.share_ahead(f"past_{born}") + _FLOOR for born in self.born])
        return PAST + int(self.draws.choice(len(weights), p=weights / weights.sum()))
