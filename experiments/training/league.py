"""Who a learner meets: the rule AI, its past selves, itself; and who fared how against whom."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from hakoenv.agents.policy.network import PlanNetwork
from hakoenv.experiments.training import results
from hakoenv.experiments.training.config import League as Shares
from hakoenv.experiments.training.results import Results
from numpy.typing import NDArray

LEARNER, RULE_AI, PAST = 0, 1, 2  # pilots of a seat; PAST + k is the past self of iteration k
_FLOOR = 0.1  # weight of a past self that the learner always beats


class League:
    """Opponents and results.

    Args:
        shares: how often which kind sits in a seat.
        draws: decides who sits where.

    Attributes:
        past: past selves by the iteration that they are from: those that are kept, and those that still
            sit in a season.
        born: of those that are kept, the oldest first.
        results: of the seasons: of all pairs among the learner, the rule AI and these past selves.
    """

    def __init__(self, shares: Shares, draws: np.random.Generator) -> None:
        self.shares, self.draws = shares, draws
        self.past: dict[int, PlanNetwork] = {}
        self.born: list[int] = []
        self.results = Results()

    def keep(self, network: PlanNetwork, iteration: int) -> None:
        """Keep the network as it is now as a past self; the one beaten most surely makes room.

        In seasons under way that one goes on playing: see `forget`.
        """
        if len(self.born) >= max(1, self.shares.past_kept):
            del self.born[int(np.argmax([self._share_ahead(born) for born in self.born]))]
        self.past[iteration] = copy.deepcopy(network).eval()
        self.born.append(iteration)

    def forget(self, pilots: NDArray[np.int64]) -> None:
        """Drop the past selves that are neither kept nor among the pilots of seasons under way."""
        needed = {*self.born, *(pilots[pilots >= PAST] - PAST).tolist()}
        for born in [born for born in self.past if born not in needed]:
            del self.past[born]
        pilots_left = (LEARNER, RULE_AI, *(PAST + born for born in self.past))
        self.results.keep([named(pilot) for pilot in pilots_left])

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

    def note(self, pilots: NDArray[np.int64], points: NDArray[np.float64], ending: str) -> None:
        """A season is over: points of its seats, and the name of its ending."""
        self.results.note([named(pilot) for pilot in pilots.tolist()], points.tolist(), ending)

    def state(self) -> dict[str, Any]:
        """Everything, for a checkpoint."""
        return {
            "past": [self.past[born].state_dict() for born in self.born],
            "born": list(self.born),
            "results": self.results.state(),
        }

    def restore(self, state: dict[str, Any], like: PlanNetwork) -> None:
        """Take over what `state` gave; ``like``: a network of the same sizes."""
        self.past, self.born = {}, list(state["born"])
        for born, weights in zip(self.born, state["past"], strict=True):
            self.past[born] = copy.deepcopy(like).eval()
            self.past[born].load_state_dict(weights)
        self.results.restore(state["results"])
        self.forget(np.zeros(0, np.int64))  # no season is under way

    def _past_self(self) -> int:
        """The pilot of one of the past selves; those that beat the learner are drawn more often."""
        weights = np.array([1.0 - self._share_ahead(born) + _FLOOR for born in self.born])
        return PAST + self.born[int(self.draws.choice(len(weights), p=weights / weights.sum()))]

    def _share_ahead(self, born: int) -> float:
        """How surely the learner beats a past self."""
        return self.results.share_ahead(results.LEARNER, named(PAST + born))


def named(pilot: int) -> str:
    """What figures call a pilot."""
    if pilot == LEARNER:
        return results.LEARNER
    return "rule_ai" if pilot == RULE_AI else f"past_{pilot - PAST}"
