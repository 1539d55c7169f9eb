"""Means with 95 percent intervals, where seasons with the same seed count as one observation."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

_LEVEL = 0.95
_DIGITS = 4


class Estimate(NamedTuple):
    """A mean and how sure it is.

    Attributes:
        mean: of all values.
        half_width: of its 95 percent interval; None where there are fewer than two clusters.
    """

    mean: float
    half_width: float | None

    @property
    def interval(self) -> list[float] | None:
        """Lower and upper bound."""
        if self.half_width is None:
            return None
        return [round(self.mean - self.half_width, _DIGITS), round(self.mean + self.half_width, _DIGITS)]

    def as_dict(self) -> dict[str, float | list[float] | None]:
        """For JSON."""
        half = None if self.half_width is None else round(self.half_width, _DIGITS)
        return {"mean": round(self.mean, _DIGITS), "half_width": half, "interval": self.interval}


def estimate(values: Sequence[float], clusters: Sequence[Hashable] | None = None) -> Estimate:
    """Mean of values and the half-width of its 95 percent interval (Student's t).

    With G clusters, N values and their mean m, the standard error is sqrt(G / (G - 1) * sum over clusters of
    (sum of (value - m))**2) / N, with G - 1 degrees of freedom; with one value a cluster that is the usual
    s / sqrt(N).

    Args:
        values: one or more.
        clusters: what each belongs to; None: each stands alone.
    """
    array = np.asarray(values, np.float64)
    mean = float(array.mean())
    names = list(range(len(array))) if clusters is None else list(clusters)
    places = {name: place for place, name in enumerate(dict.fromkeys(names))}
    count = len(places)
    if count < 2:
        return Estimate(mean, None)
    sums = np.zeros(count)
    np.add.at(sums, [places[name] for name in names], array - mean)
    error = float(np.sqrt(count / (count - 1) * np.sum(sums**2)) / len(array))
    return Estimate(mean, t_quantile(count - 1) * error)


@cache
def t_quantile(degrees: int) -> float:
    """The 97.5 percent quantile of Student's t, by bisection."""
    low, high = 0.0, 13.0  # of one degree it is 12.7
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if t_within(middle, degrees) > _LEVEL else (middle, high)
    return (low + high) / 2


def t_within(bound: float, degrees: int) -> float:
    """How likely Student's t lies within -bound..bound (Abramowitz and Stegun 26.7.3 and 26.7.4)."""
    angle = math.atan(bound / math.sqrt(degrees))
    sine, cosine = math.sin(angle), math.cos(angle)
    if degrees % 2:
        steps = np.arange(2.0, degrees - 1, 2.0)  # 2/3, 4/5 ...: from each term to the next
        terms = np.cumprod(np.append(cosine, steps / (steps + 1) * cosine**2))
        return 2 / math.pi * (angle + (sine * float(terms.sum()) if degrees > 1 else 0.0))
    steps = np.arange(1.0, degrees - 2, 2.0)  # 1/2, 3/4 ...
    terms = np.cumprod(np.append(1.0, steps / (steps + 1) * cosine**2))
    return sine * float(terms.sum())
