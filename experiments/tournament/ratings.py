"""Ratings beside the points: batch Bradley-Terry over who had more points than whom, by choix.

All seasons are judged at once, so their order has no influence. Every player is taken to have drawn one
season more against an average player, whose rating is 0: so nobody's rating is infinite.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

_ELO = 400 / math.log(10)  # points a unit: ten to one on is 400 points
_DRAWS = 1000  # of the bootstrap
_SEED = 0
_PRIOR = 0.5  # each way, against the average player: one drawn season
_STEPS = 10_000


def of(records: Sequence[dict[str, Any]], players: Sequence[str], field: str) -> list[dict[str, Any]]:
    """Ratings, best first, with 95 percent intervals by the bootstrap over seeds.

    Args:
        records: of seasons.
        players: who is rated; the field is one player, whose seats do not play each other.
        field: its name.

    Returns:
        An entry a player: `player`, `rating`, `interval` (None of fewer than two seeds).
    """
    seeds = {seed: place for place, seed in enumerate(dict.fromkeys(record["seed"] for record in records))}
    won = np.zeros((len(seeds), len(players), len(players)))
    for record in records:
        won[seeds[record["seed"]]] += wins(record, players)
    best = fit(won.sum(axis=0))
    bounds = _bounds(won, best) if len(seeds) > 1 else None
    found = [
        {
            "player": name,
            "rating": round(float(best[k]), 1),
            "interval": None if bounds is None else [round(float(edge), 1) for edge in bounds[:, k]],
        }
        for k, name in enumerate(players)
    ]
    return sorted(found, key=lambda entry: -entry["rating"])


def wins(record: dict[str, Any], players: Sequence[str]) -> NDArray[np.float64]:
    """How often each player (row) had more points than each other (column) in a season, ties half."""
    count = np.zeros((len(players), len(players)))
    places = {name: k for k, name in enumerate(players)}
    sat = [
        (places[who], p) for who, p in zip(record["seats"], record["points"], strict=True) if who in places
    ]
    for one, points in sat:
        for other, less in sat:
            if one != other and points >= less:
                count[one, other] += 1.0 if points > less else 0.5
    return count


def fit(won: NDArray[np.float64], start: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
    """Ratings from a table of wins.

    Args:
        won: (P, P) how often each won against each, ties half.
        start: ratings to begin from.

    Returns:
        (P,) ratings, the average player's being 0.
    """
    import choix

    players = len(won)
    table = np.full((players + 1, players + 1), 0.0)
    table[:players, :players] = won
    table[players, :players] = table[:players, players] = _PRIOR
    begin = None if start is None else np.append(start, 0.0) / _ELO
    found = choix.ilsr_pairwise_dense(table, initial_params=begin, max_iter=_STEPS)
    ratings: NDArray[np.float64] = _ELO * (found[:players] - found[players])
    return ratings


def _bounds(won: NDArray[np.float64], best: NDArray[np.float64]) -> NDArray[np.float64]:
    """The 2.5 and 97.5 percent bounds, (2, P), over seasons drawn anew."""
    draws = np.random.default_rng(_SEED)
    seeds, players = won.shape[:2]
    rows = won.reshape(seeds, -1)
    found = np.empty((_DRAWS, players))
    for k in range(_DRAWS):
        times = np.bincount(draws.integers(0, seeds, seeds), minlength=seeds)
        found[k] = fit((times @ rows).reshape(players, players), best)
    bounds: NDArray[np.float64] = np.percentile(found, (2.5, 97.5), axis=0)
    return bounds
