"""Whether seats are fair: copies of one agent in all of them, and a joint permutation test over seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from hakoenv.experiments.intervals import estimate
from numpy.typing import NDArray

PERMUTATIONS = 10_000
_SEED = 0
_ROUNDING = 1e-9  # what equal statistics may differ by


class Verdict(NamedTuple):
    """A permutation test.

    Attributes:
        statistic: sum over seats of the squared deviations of mean points from the mean of all.
        p: share of permutations, the seen one among them, whose statistic is as great or greater.
        permutations: how many were drawn.
    """

    statistic: float
    p: float
    permutations: int


def figures(records: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Points by seat and the test over all seats.

    Args:
        records: of seasons in which one agent has all seats.

    Returns:
        `seasons`, `seats`: by seat mean points with interval and `wins`; `forfeits`; `test`.
    """
    points = np.array([record["points"] for record in records], np.float64)
    seats = [
        {
            "seat": seat,
            **estimate(points[:, seat].tolist()).as_dict(),
            "wins": sum(record["ranks"][seat] == 1 for record in records),
        }
        for seat in range(points.shape[1])
    ]
    found = permute(points)
    return {
        "seasons": len(records),
        "seats": seats,
        "forfeits": sum(len(record["forfeits"]) for record in records),
        "test": {
            "statistic": round(found.statistic, 4),
            "p": round(found.p, 6),
            "permutations": found.permutations,
        },
    }


def permute(points: NDArray[np.float64], permutations: int = PERMUTATIONS) -> Verdict:
    """Whether all seats get the same, jointly: points are permuted among the seats within each season.

    That is exact whatever the points' distribution: if seats are alike, every permutation was as likely.

    Args:
        points: (seasons, seats).
        permutations: how many to draw.
    """
    draws = np.random.default_rng(_SEED)
    seen = _statistic(points)
    limit = seen - _ROUNDING * max(1.0, seen)
    as_great = sum(_statistic(draws.permuted(points, axis=1)) >= limit for _ in range(permutations))
    return Verdict(seen, (1 + as_great) / (1 + permutations), permutations)


def _statistic(points: NDArray[np.float64]) -> float:
    means = points.mean(axis=0)
    return float(np.sum((means - means.mean()) ** 2))
