"""Scores and season points, exact (SEASON-008 .. SEASON-014).

A score is a weighted sum of shares among the survivors: territory, population, and economic assets
or funds. Its terms are whole numbers, so scores are compared exactly, in compiled code by long
division and in Python as fractions; only points for training are floating-point numbers.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine.codes import ending, item
from hakoenv.engine.kernel import kernel
from hakoenv.engine.trade import holdings
from hakoenv.engine.world import ASSET_TURNS, World
from hakoenv.ruleset.compiled import Rules

TERRITORY = 0
POPULATION = 1
ASSETS = 2
FUNDS = 3
TERMS = 4

_RECORD_LIMIT = holdings.MOST
_DIVISION_STEPS = 62 * TERMS + 4  # doublings after which a difference below all denominators is 0


@kernel(allocates=True)
def record_assets(world: World, rules: Rules) -> None:
    """Note each living nation's economic assets of the turn (SEASON-012..014, TURN-051).

    Cash and goods of treasury and private sector, in transit and custody included, at base prices, in
    thousandths of 1 funds, from the start turn on; the newest twelve are kept.
    """
    if world.clock[0].turn < rules.scalars[0].score_asset_record_start_turn:
        return
    values = np.zeros(world.nations.shape[0], np.int64)
    holdings.add_assets(world, rules, values)
    for n in range(world.nations.shape[0]):
        nation = world.nations[n]
        if nation.alive:
            value = min(_RECORD_LIMIT, _in_stock(world, rules, n) + int(values[n]))
            nation.assets[nation.assets_recorded % ASSET_TURNS] = value
            nation.assets_recorded += 1


@kernel
def _in_stock(world: World, rules: Rules, n: int) -> int:
    """What lies in a nation's treasury and private sector."""
    nation = world.nations[n]
    value = min(_RECORD_LIMIT, 1000 * nation.treasury[item.FUNDS] + nation.private[item.FUNDS])
    for what in range(item.FUNDS):
        price = 1000 * rules.resources[what].base_price
        units = nation.treasury[what] + nation.private[what]
        if price > 0 and units > (_RECORD_LIMIT - value) // price:
            return _RECORD_LIMIT
        value += price * units
    return int(max(0, value))


@kernel
def records_in_mean(world: World, rules: Rules, n: int) -> int:
    """How many of a nation's records its mean assets are taken over (SEASON-013)."""
    wanted = max(1, min(ASSET_TURNS, rules.scalars[0].score_asset_mean_turns))
    return int(min(wanted, int(world.nations[n].assets_recorded)))


@kernel
def assets_sum(world: World, rules: Rules, n: int) -> int:
    """Sum of the records that make a nation's mean assets, in thousandths of funds."""
    nation = world.nations[n]
    total = 0
    for back in range(1, records_in_mean(world, rules, n) + 1):
        total += nation.assets[(nation.assets_recorded - back) % ASSET_TURNS]
    return total


@kernel
def fill_terms(world: World, rules: Rules, terms: NDArray[np.int64]) -> None:
    """Write each survivor's share numerators into ``terms`` (N, TERMS), 0 for the dead (SEASON-008, 010).

    Mean assets of nations with different numbers of records are brought to one denominator.
    """
    terms[:, :] = 0
    common = 1
    for n in range(world.nations.shape[0]):
        count = records_in_mean(world, rules, n)
        if world.nations[n].alive and count > 0:
            common *= count // _common_divisor(common, count)
    for n in range(world.nations.shape[0]):
        nation = world.nations[n]
        if not nation.alive:
            continue
        terms[n, TERRITORY] = nation.area
        terms[n, POPULATION] = nation.population
        terms[n, FUNDS] = max(0, int(nation.treasury[item.FUNDS]))
        count = records_in_mean(world, rules, n)
        if count > 0:
            terms[n, ASSETS] = assets_sum(world, rules, n) * (common // count)


@kernel
def _common_divisor(a: int, b: int) -> int:
    while b > 0:
        a, b = b, a % b
    return a


@kernel
def fill_weights(rules: Rules, terms: NDArray[np.int64], weights: NDArray[np.int64]) -> None:
    """Write the weights into ``weights`` (TERMS,): 0 where a term is off or its total is 0 (SEASON-008, 011).

    A share counts by its weight among the weights that are left, which spreads a missing term's
    weight over the others in proportion.
    """
    s = rules.scalars[0]
    weights[TERRITORY] = s.season_score_territory_weight_percent * s.season_score_territory_default_on
    weights[POPULATION] = s.season_score_population_weight_percent * s.season_score_population_default_on
    weights[ASSETS] = s.season_score_economic_assets_weight_percent
    weights[ASSETS] *= s.season_score_economic_assets_default_on
    weights[FUNDS] = s.season_score_funds_weight_percent * s.season_score_funds_default_on
    for k in range(TERMS):
        if terms[:, k].sum() == 0:
            weights[k] = 0


@kernel(allocates=True)
def compare(terms: NDArray[np.int64], weights: NDArray[np.int64], a: int, b: int) -> int:
    """Sign of score(a) - score(b), exact (SEASON-008: no rounding before the comparison).

    The difference is kept as a whole number plus one proper fraction per term and doubled until
    its sign shows; one that is still open after all denominators' bits is 0.
    """
    totals = np.zeros(TERMS, np.int64)
    rests = np.zeros(TERMS, np.int64)
    whole = 0
    for k in range(TERMS):
        totals[k] = terms[:, k].sum()
        for _ in range(weights[k]):
            rests[k] += terms[a, k] - terms[b, k]
            if rests[k] >= totals[k]:
                rests[k] -= totals[k]
                whole += 1
            elif rests[k] < 0:
                rests[k] += totals[k]
                whole -= 1
    for _ in range(_DIVISION_STEPS):
        if whole > 0:
            return 1
        if whole <= -TERMS:
            return -1
        whole *= 2
        for k in range(TERMS):
            rests[k] *= 2
            if rests[k] >= totals[k] and totals[k] > 0:
                rests[k] -= totals[k]
                whole += 1
    return 0


@kernel(allocates=True)
def fill_points(world: World, rules: Rules, points: NDArray[np.float64]) -> None:
    """Write every nation's season points into ``points`` (N,), as if the season ended now.

    Once it has ended, these are the real ones: by score at the last turn, the winners' among
    themselves after a conquest, those who fell last if nobody is left. They sum to
    `season.standing_points_total`; nobody's are 0 before any nation was founded.
    """
    count = world.nations.shape[0]
    terms = np.zeros((count, TERMS), np.int64)
    weights = np.zeros(TERMS, np.int64)
    fill_terms(world, rules, terms)
    fill_weights(rules, terms, weights)
    whole = 0.0
    for n in range(count):
        points[n] = 0.0
        if not shares_points(world, n):
            continue
        score = 0.0
        for k in range(TERMS):
            if weights[k] > 0:
                score += weights[k] * (terms[n, k] / terms[:, k].sum())
        points[n] = score
        whole += score
    sharing = 0
    for n in range(count):
        sharing += shares_points(world, n)
    total = float(rules.scalars[0].season_standing_points_total)
    for n in range(count):
        if whole > 0.0:
            points[n] *= total / whole
        elif shares_points(world, n):
            points[n] = total / sharing


@kernel
def shares_points(world: World, n: int) -> bool:
    """Whether a nation has a share in the points: winner of a conquest, survivor, or last to fall."""
    nation = world.nations[n]
    end = world.clock[0].ending
    if end == ending.LONE_CONQUEST or end == ending.FACTION_CONQUEST or end == ending.SOLE_SURVIVOR:
        return bool(nation.winner == 1)
    latest = 0
    for other in range(world.nations.shape[0]):
        if world.nations[other].alive:
            return bool(nation.alive == 1)
        latest = max(latest, int(world.nations[other].fell))
    return bool(latest > 0 and nation.fell == latest)


def scores(world: World, rules: Rules) -> list[Fraction]:
    """Every nation's score of SEASON-008, exact; survivors' sum to 1, the dead have 0."""
    terms = np.zeros((len(world.nations), TERMS), np.int64)
    weights = np.zeros(TERMS, np.int64)
    fill_terms(world, rules, terms)
    fill_weights(rules, terms, weights)
    totals = [int(total) for total in terms.sum(axis=0)]
    weight_sum = int(weights.sum())
    alive = [bool(flag) for flag in world.nations["alive"]]
    if weight_sum == 0:
        return [Fraction(int(lives), max(1, sum(alive))) for lives in alive]
    on = [k for k in range(TERMS) if weights[k]]
    parts = ([Fraction(int(weights[k]) * int(row[k]), weight_sum * totals[k]) for k in on] for row in terms)
    return [sum(part, Fraction(0)) for part in parts]


def season_points(world: World, rules: Rules) -> list[Fraction]:
    """Exact season points of every nation, as if the season ended now or as it has ended."""
    total = int(rules.scalars["season_standing_points_total"][0])
    sharing = [bool(shares_points(world, n)) for n in range(len(world.nations))]
    shares = [score * takes for score, takes in zip(scores(world, rules), sharing, strict=True)]
    whole = sum(shares, Fraction(0))
    if whole == 0:
        return [Fraction(total * takes, max(1, sum(sharing))) for takes in sharing]
    return [total * share / whole for share in shares]


def standing_points(world: World, rules: Rules) -> NDArray[np.float64]:
    """Season points if the season ended now, shape (N,); their sum is `season.standing_points_total`."""
    points = np.zeros(len(world.nations))
    fill_points(world, rules, points)
    return points


def mean_assets(world: World, rules: Rules, nation: int) -> Fraction:
    """A nation's economic assets in funds: the mean of its last records; 0 before the first (SEASON-012)."""
    count = int(records_in_mean(world, rules, nation))
    return Fraction(int(assets_sum(world, rules, nation)), 1000 * count) if count else Fraction(0)


def ranks(world: World, rules: Rules) -> list[int]:
    """Final places, 1 first, ties equal: winners, survivors by score, the fallen by their turn (SEASON-009).

    A seat that was never founded has place 0.
    """
    keys: list[tuple[int, int, Fraction, int] | None] = []
    for record, score in zip(world.nations, scores(world, rules), strict=True):
        founded = bool(record["alive"]) or int(record["fell"]) > 0
        key = (int(record["winner"]), int(record["alive"]), score, int(record["fell"]))
        keys.append(key if founded else None)
    placed = [key for key in keys if key is not None]
    return [0 if key is None else 1 + sum(other > key for other in placed) for key in keys]
