"""Who a learner meets: the rule AI, its past selves, itself; and how it fared against each."""

from __future__ import annotations

import copy
from collections import Counter
from typing import Any

import numpy as np
from hakoenv.agents.policy.network import PlanNetwork
from hakoenv.experiments.training.config import League as Shares
from numpy.typing import NDArray

LEARNER, RULE_AI, PAST = 0, 1, 2  # pilots of a seat; PAST + k is the past self of iteration k
_FLOOR = 0.1  # weight of a past self that the learner always beats
_FADE = 0.99  # what older results count for, a season later


class League:
    """Opponents and results.

    Args:
        shares: how often which kind sits in a seat.
        draws: decides who sits where.

    Attributes:
        past: past selves by the iteration that they are from: those that are kept, and those that still
            sit in a season.
        born: of those that are kept, the oldest first.
        endings: how often seasons ended how, by the code of the ending.
    """

    def __init__(self, shares: Shares, draws: np.random.Generator) -> None:
        self.shares, self.draws = shares, draws
        self.past: dict[int, PlanNetwork] = {}
        self.born: list[int] = []
        self.endings: Counter[int] = Counter()
        self._met: dict[str, list[float]] = {}  # seasons, seasons ahead, points of the learner; fading

    def keep(self, network: PlanNetwork, iteration: int) -> None:
        """Keep the network as it is now as a past self; the one beaten most surely makes room.

        In seasons under way that one goes on playing: see `forget`.
        """
        if len(self.born) >= max(1, self.shares.past_kept):
            del self.born[int(np.argmax([self.share_ahead(_named(born)) for born in self.born]))]
        self.past[iteration] = copy.deepcopy(network).eval()
        self.born.append(iteration)

    def forget(self, pilots: NDArray[np.int64]) -> None:
        """Drop the past selves that are neither kept nor among the pilots of seasons under way."""
        needed = {*self.born, *(pilots[pilots >= PAST] - PAST).tolist()}
        for born in [born for born in self.past if born not in needed]:
            del self.past[born]
            self._met.pop(_named(born), None)

    def seat(self, nations: int) -> NDArray[np.int64]:
        """Pilots of the seats of a new season; the learner has at least one, drawn evenly.

        What falls to past selves before there are any is shared by the others.
        """
        pilots = np.full(nations, LEARNER)
        own = int(self.draws.integers(nations))
        kinds = [self.shares.rule_ai, self.shares.past if self.born else 0.0, self.shares.present]
        chances = np.array(kinds) / sum(kinds)
        for n in range(nations):
            if n != own:
                kind = int(self.draws.choice(3, p=chances))
                pilots[n] = self._past_self() if kind == 1 else (RULE_AI, PAST, LEARNER)[kind]
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
        return "rule_ai" if pilot == RULE_AI else _named(pilot - PAST)

    def payoffs(self) -> dict[str, dict[str, float]]:
        """By opponent: seasons (fading), share of them ahead, mean points."""
        return {
            name: {"seasons": round(seasons, 1), "ahead": ahead / seasons, "points": points / seasons}
            for name, (seasons, ahead, points) in sorted(self._met.items())
        }

    def state(self) -> dict[str, Any]:
        """Everything, for a checkpoint."""
        return {
            "past": [self.past[born].state_dict() for born in self.born],
            "born": list(self.born),
            "endings": dict(self.endings),
            "met": {name: list(values) for name, values in self._met.items()},
        }

    def restore(self, state: dict[str, Any], like: PlanNetwork) -> None:
        """Take over what `state` gave; ``like``: a network of the same sizes."""
        self.past, self.born = {}, list(state["born"])
        for born, weights in zip(self.born, state["past"], strict=True):
            self.past[born] = copy.deepcopy(like).eval()
            self.past[born].load_state_dict(weights)
        self.endings = Counter(state["endings"])
        known = {self.name(RULE_AI), *(_named(born) for born in self.born)}
        self._met = {name: list(values) for name, values in state["met"].items() if name in known}

    def _past_self(self) -> int:
        """The pilot of one of the past selves; those that beat the learner are drawn more often."""
        weights = np.array([1.0 - self.share_ahead(_named(born)) + _FLOOR for born in self.born])
        return PAST + self.born[int(self.draws.choice(len(weights), p=weights / weights.sum()))]


def _named(born: int) -> str:
    return f"past_{born}"
