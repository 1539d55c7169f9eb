"""What seasons came to: how they ended, and who fared how against whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

LEARNER = "learner"
"""What figures call the network that is trained."""
_FADE = 0.99  # what older results count for, a season later

Row = dict[str, dict[str, float]]


class Results:
    """Results of seasons between named players, the same figures for all trainers.

    Attributes:
        endings: how often seasons ended how, by the name of the ending.
    """

    def __init__(self) -> None:
        self.endings: Counter[str] = Counter()
        # by player and opponent: seasons, seasons ahead, points of the player; fading
        self._met: dict[str, dict[str, list[float]]] = {}

    def note(self, names: Sequence[str], points: Sequence[float], ending: str) -> None:
        """A season is over.

        Args:
            names: who sat in its seats; every two seats of different players count.
            points: of the seats.
            ending: its name.
        """
        self.endings[ending] += 1
        for opponent, theirs in zip(names, points, strict=True):
            for name, own in zip(names, points, strict=True):
                if name != opponent:
                    met = self._met.setdefault(name, {}).setdefault(opponent, [0.0, 0.0, 0.0])
                    gain = 1.0 if own > theirs else 0.5 if own == theirs else 0.0
                    for k, what in enumerate((1.0, gain, float(own))):
                        met[k] = met[k] * _FADE + what

    def share_ahead(self, name: str, opponent: str) -> float:
        """Share of the seasons against an opponent in which a player had more points, 0.5 at first."""
        seasons, ahead, _ = self._met.get(name, {}).get(opponent, (0.0, 0.0, 0.0))
        return (ahead + 0.5) / (seasons + 1.0)

    def payoffs(self, name: str) -> Row:
        """How a player fared, by opponent: seasons (fading), share of them ahead, mean points."""
        return {
            opponent: {"seasons": round(seasons, 1), "ahead": ahead / seasons, "points": points / seasons}
            for opponent, (seasons, ahead, points) in sorted(self._met.get(name, {}).items())
        }

    def matrix(self) -> dict[str, Row]:
        """The `payoffs` of all players, by name."""
        return {name: self.payoffs(name) for name in sorted(self._met)}

    def figures(self) -> dict[str, Any]:
        """What a line of metrics tells: the learner's payoffs, and endings so far."""
        return {"payoffs": self.payoffs(LEARNER), "endings": dict(sorted(self.endings.items()))}

    def keep(self, names: Collection[str]) -> None:
        """Drop all pairs in which there is a player who is none of these."""
        self._met = {
            name: {opponent: met for opponent, met in row.items() if opponent in names}
            for name, row in self._met.items()
            if name in names
        }

    def state(self) -> dict[str, Any]:
        """Everything, in plain values, for a checkpoint."""
        met = {name: {other: list(met) for other, met in row.items()} for name, row in self._met.items()}
        return {"endings": dict(self.endings), "met": met}

    def restore(self, state: dict[str, Any]) -> None:
        """Take over what `state` gave.

        Raises:
            KeyError, TypeError, ValueError, AttributeError: it is something else.
        """
        self.endings = Counter({str(name): int(count) for name, count in state["endings"].items()})
        self._met = {
            name: {other: [float(number) for number in met] for other, met in row.items()}
            for name, row in state["met"].items()
        }
