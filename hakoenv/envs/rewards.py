"""Rewards by name, and the parts they are made of.

The default is the change in standing points: the season points that a nation would get if the season
ended now, and on the last turn the real ones. They sum to 0 over all nations each turn, and over the
turns to the final points minus those at the start.

Rewards of the last turn pay what `infos[agent]["result"]` says. At a limit of the caller's (`max_turns`) the
season has not ended by the rules: nobody has won, so `win` pays nothing; points and places are those that
stand, so `points`, `points_final` and `rank` pay as on the last turn of the rules.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine import scoring
from hakoenv.engine.codes import item
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World, assign_world, copy_world
from hakoenv.ruleset.compiled import Rules

Floats: TypeAlias = NDArray[np.float64]
RewardFunction: TypeAlias = Callable[[World, World, int], float]
"""The world before a turn, the world after it, and a nation's number."""

EVEN = scoring.TERMS  # the part of points that is shared evenly because nobody has a score
POINT_PARTS = ("territory", "population", "economic_assets", "funds", "even")
GROWTH_PARTS = ("land", "population", "assets")


class Turn(NamedTuple):
    """What a reward is computed from.

    Attributes:
        before: the world before the turn (or before the first step); of a callable's use only.
        after: the world after it.
        rules: its compiled rules.
        last: whether the season is over, by its rules or by the caller's limit.
        fell: (N,) the nations that fell in this turn.
    """

    before: World
    after: World
    rules: Rules
    last: bool
    fell: NDArray[np.bool_]


class Reward:
    """Base of the rewards: what a step gives to each nation, and its parts.

    Attributes:
        parts: names of the parts; each reward is the sum of its parts.
    """

    parts: tuple[str, ...] = ()

    def start(self, world: World, rules: Rules) -> None:
        """Take ``world`` as the state before the next turn."""

    def give(self, turn: Turn) -> Floats:
        """The parts of every nation's reward, shape (N, parts), and remember the state after the turn."""
        raise NotImplementedError


class Points(Reward):
    """Change in standing points, by the terms of the score."""

    parts = POINT_PARTS

    def start(self, world: World, rules: Rules) -> None:
        """Remember the points at the start."""
        self._parts = point_parts(world, rules)

    def give(self, turn: Turn) -> Floats:
        """The change of each part."""
        now = point_parts(turn.after, turn.rules)
        change = now - self._parts
        self._parts = now
        return change


class Faction(Points):
    """Mean change in standing points over the nation's faction; its own where it has none.

    Zero-sum like `points`: members share what the faction as a whole gained.
    """

    def give(self, turn: Turn) -> Floats:
        """The mean over the members that live after the turn."""
        change = super().give(turn)
        nations = turn.after.nations
        for faction in range(len(turn.after.factions)):
            members = (nations["faction"] == faction) & (nations["alive"] == 1)
            if members.any():
                change[members] = change[members].mean(axis=0)
        return change


class PointsFinal(Reward):
    """The season points on the last turn, that of a caller's limit too, 0 before."""

    parts = POINT_PARTS

    def give(self, turn: Turn) -> Floats:
        """All points at the end."""
        if turn.last:
            return point_parts(turn.after, turn.rules)
        return np.zeros((len(turn.after.nations), len(POINT_PARTS)))


class Win(Reward):
    """1 shared among the winners when the rules end the season; 0 before, and for all if nobody has won.

    Nobody wins at a caller's limit and where the last nations fall together.
    """

    parts = ("win",)

    def give(self, turn: Turn) -> Floats:
        """An equal share for each winner."""
        winners = turn.after.nations["winner"] * float(turn.last)
        return (winners / max(1.0, winners.sum())).reshape(-1, 1)


class Rank(Reward):
    """Points by final place, linear from 100 to 0, ties averaged; for the fallen when they fall.

    At a caller's limit the places are those that stand.
    """

    parts = ("rank",)

    def give(self, turn: Turn) -> Floats:
        """The points of those whose place is final with this turn."""
        settled = turn.fell | (turn.last & (turn.after.nations["alive"] == 1))
        if not settled.any():
            return np.zeros((len(settled), 1))
        points = rank_points(scoring.ranks(turn.after, turn.rules))
        return np.where(settled, points, 0.0).reshape(-1, 1)


class Growth(Reward):
    """Change in the logarithms of 1 + own land, people and assets. Not zero-sum."""

    parts = GROWTH_PARTS

    def start(self, world: World, rules: Rules) -> None:
        """Remember the logarithms at the start."""
        self._logs = growth_logs(world, rules)

    def give(self, turn: Turn) -> Floats:
        """The change of each logarithm."""
        now = growth_logs(turn.after, turn.rules)
        change = now - self._logs
        self._logs = now
        return change


class Custom(Reward):
    """A function of the caller's: (world before the turn, world after it, nation) -> float.

    It is given copies: nothing that it does changes the game.
    """

    parts = ("custom",)

    def __init__(self, function: RewardFunction) -> None:
        self.function = function
        self._copies: tuple[World, World] | None = None

    def give(self, turn: Turn) -> Floats:
        """Ask the function for every nation that lived before the turn.

        Raises:
            ValueError: it gave something that is no number.
        """
        if self._copies is None:
            self._copies = copy_world(turn.before), copy_world(turn.after)
        before, after = self._copies
        assign_world(before, turn.before)
        assign_world(after, turn.after)
        alive = turn.before.nations["alive"]
        values = [self._number(before, after, n) if alive[n] else 0.0 for n in range(len(alive))]
        return np.array(values).reshape(-1, 1)

    def _number(self, before: World, after: World, nation: int) -> float:
        value = self.function(before, after, nation)
        try:
            return float(value)
        except (TypeError, ValueError) as error:
            raise ValueError(f"reward: the function gave {value!r} for nation_{nation}, no number") from error


NAMED: dict[str, type[Reward]] = {
    "points": Points,
    "points_final": PointsFinal,
    "win": Win,
    "rank": Rank,
    "growth": Growth,
    "faction": Faction,
}


def reward_of(what: str | RewardFunction) -> Reward:
    """A new reward, by name or from a function.

    Raises:
        ValueError: there is no reward of that name.
    """
    if callable(what):
        return Custom(what)
    if not isinstance(what, str) or what not in NAMED:
        near = difflib.get_close_matches(str(what), NAMED, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]}? " if near else ""
        raise ValueError(f"reward={what!r}: {hint}use {', '.join(NAMED)} or a function")
    return NAMED[what]()


@kernel(allocates=True)
def fill_point_parts(
    world: World, rules: Rules, points: NDArray[np.float64], parts: NDArray[np.float64]
) -> None:
    """Write season points into ``points`` (N,) and what they are made of into ``parts`` (N, TERMS + 1).

    A nation's points are split as its score is; points without any score stand under EVEN.
    """
    count = world.nations.shape[0]
    terms = np.zeros((count, scoring.TERMS), np.int64)
    weights = np.zeros(scoring.TERMS, np.int64)
    scoring.fill_points(world, rules, points)
    scoring.fill_terms(world, rules, terms)
    scoring.fill_weights(rules, terms, weights)
    for n in range(count):
        score = 0.0
        for k in range(scoring.TERMS):
            parts[n, k] = weights[k] * (terms[n, k] / terms[:, k].sum()) if weights[k] > 0 else 0.0
            score += parts[n, k]
        for k in range(scoring.TERMS):
            parts[n, k] *= points[n] / score if score > 0.0 else 0.0
        parts[n, EVEN] = points[n] if score <= 0.0 else 0.0


def point_parts(world: World, rules: Rules) -> Floats:
    """Standing points by part, shape (N, 5); the rows sum to `scoring.standing_points`."""
    points = np.zeros(len(world.nations))
    parts = np.zeros((len(world.nations), len(POINT_PARTS)))
    fill_point_parts(world, rules, points, parts)
    return parts


def growth_logs(world: World, rules: Rules) -> Floats:
    """Logarithms of 1 + own land, people (units of 100) and assets (funds), shape (N, 3)."""
    nations = world.nations
    prices = np.asarray(rules.resources["base_price"][: item.FUNDS], np.float64)
    goods = nations["treasury"][:, : item.FUNDS] + nations["private"][:, : item.FUNDS]
    assets = goods @ prices + nations["treasury"][:, item.FUNDS] + nations["private"][:, item.FUNDS] / 1000
    figures = np.stack([nations["land"], nations["population"], assets], axis=1)
    logs: Floats = np.log1p(np.where(nations["alive"][:, None] == 1, np.maximum(figures, 0.0), 0.0))
    return logs


def rank_points(ranks: list[int]) -> Floats:
    """Points by place: 100 for the first of all founded nations, 0 for the last, ties averaged.

    Args:
        ranks: places, 1 first; 0 = never founded, which gets 0.
    """
    founded = sum(rank > 0 for rank in ranks)
    points = np.zeros(len(ranks))
    for n, rank in enumerate(ranks):
        if rank > 0:
            place = rank + (ranks.count(rank) - 1) / 2
            points[n] = 100.0 * (founded - place) / (founded - 1) if founded > 1 else 100.0
    return points


def as_terms(parts: tuple[str, ...], row: Any) -> dict[str, float]:
    """One nation's `reward_terms`."""
    return dict(zip(parts, row.tolist(), strict=True))
