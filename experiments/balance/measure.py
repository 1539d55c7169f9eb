"""Plays seasons of rule AIs and keeps, turn by turn, what shows whether the numbers are sound."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from hakoenv.experiments.balance import alliances, navies, trade, wars
from numpy.typing import NDArray

from hakoenv.engine.codes import item
from hakoenv.engine.season import Season
from hakoenv.engine.world import World
from hakoenv.ruleset.codes import INDUSTRIES, ITEM_NAMES, RESEARCH_BRANCHES

SETTLED = 30  # turn after which a starving nation counts
LATER = 200  # turn at which treasuries are looked at
POLICIES = INDUSTRIES[:3]
_MOVED = 0.02  # part of itself by which a price must rise, and fall, to count as moving both ways

Values = NDArray[np.float64]


class Courses(NamedTuple):
    """What was seen, a row a season and a column a turn; NaN after a season's end or where nobody lives.

    Attributes:
        living: nations alive.
        starving: share of them whose people went hungry.
        medians: name -> the median nation's figure: `population`, `land`, `funds`, `fuel`, `goods`,
            `food turns`, `fuel ratio`.
        prices: (season, turn, 9) world prices as multiples of the base prices.
        policies: (season, turn, 3) share of nations by industrial policy.
        research: (season, turn, 3) mean level by branch.
        discrepancies: by season, stocks that differed from their accounts.
        traded: name -> figures of `trade.Trade.look`: `land`, `ports`, `spread`, private ships by class.
        wars, navies, trades, alliances: by season.
    """

    living: Values
    starving: Values
    medians: dict[str, Values]
    prices: Values
    policies: Values
    research: Values
    discrepancies: NDArray[np.int64]
    wars: list[wars.Wars]
    navies: list[navies.Navies]
    traded: dict[str, Values]
    trades: list[trade.Trade]
    alliances: list[alliances.Alliances]


def play(
    scenario: str,
    seeds: Iterable[int],
    rules: Mapping[str, object] | None = None,
) -> Courses:
    """Play one season of rule AIs a seed.

    Args:
        scenario: a scenario's name.
        seeds: one season each.
        rules: overrides of constants.

    Raises:
        RulesetError, ScenarioError: the rules or the scenario are none.
    """
    rows: list[list[dict[str, Any]]] = []
    discrepancies = []
    fought = []
    afloat = []
    traded = []
    allied = []
    for seed in seeds:
        season = Season.new(scenario, seed=seed, agents="rule_ai", rules=rules)
        row = []
        watch = wars.Wars(
            season.rules.terrains["is_town"] == 1, season.rules.scalars["season_max_turns"][0] // 2
        )
        sea = navies.Navies(season.rules.terrains["is_town"] == 1)
        market = trade.Trade(int(season.rules.scalars["supply_deliveries"][0]))
        ties = alliances.Alliances()
        while not season.ended:
            season.play_turn()
            seen = _look(season.world, season.rules.resources["base_price"])
            row.append(seen | {"traded": market.look(season.world)})
            watch.look(season.world)
            sea.look(season.world)
            ties.look(season.world)
        rows.append(row)
        fought.append(watch)
        afloat.append(sea)
        traded.append(market)
        allied.append(ties)
        discrepancies.append(int(season.world.clock["discrepancies"][0]))
    return _collect(rows, np.array(discrepancies), fought, afloat, traded, allied)


def _look(world: World, base_prices: NDArray[np.int64]) -> dict[str, Any]:
    """The state of a world after a turn."""
    nations = world.nations[world.nations["alive"] == 1]
    need = np.maximum(nations["fuel_need"], 1)
    figures = {
        "population": nations["population"],
        "land": nations["land"],
        "funds": nations["treasury"][:, item.FUNDS],
        "fuel": nations["treasury"][:, item.FUEL],
        "goods": nations["treasury"][:, item.GOODS] + nations["private"][:, item.GOODS],
        "food turns": nations["treasury"][:, item.FOOD] / np.maximum(nations["rations"], 1),
        "fuel ratio": np.where(nations["fuel_need"] > 0, nations["fuel_used"] / need, 1.0),
    }
    some = len(nations) > 0
    policies = [float((nations["policy"] == k).mean()) if some else np.nan for k in range(len(POLICIES))]
    return {
        "living": len(nations),
        "starving": float(nations["famine"].mean()) if some else np.nan,
        "medians": {name: float(np.median(values)) if some else np.nan for name, values in figures.items()},
        "prices": world.market["price"] / np.maximum(1000 * base_prices, 1),
        "policies": policies,
        "research": nations["research"].mean(axis=0) if some else np.full(len(RESEARCH_BRANCHES), np.nan),
    }


def _collect(
    rows: list[list[dict[str, Any]]],
    discrepancies: NDArray[np.int64],
    fought: list[wars.Wars],
    afloat: list[navies.Navies],
    traded: list[trade.Trade],
    allied: list[alliances.Alliances],
) -> Courses:
    turns = max(len(row) for row in rows)

    def table(pick: Callable[[dict[str, Any]], Any]) -> Values:
        shape = np.shape(pick(rows[0][0]))
        out = np.full((len(rows), turns, *shape), np.nan)
        for s, row in enumerate(rows):
            for t, seen in enumerate(row):
                out[s, t] = pick(seen)
        return out

    return Courses(
        living=table(lambda seen: seen["living"]),
        starving=table(lambda seen: seen["starving"]),
        medians={name: table(partial(_figure, "medians", name)) for name in rows[0][0]["medians"]},
        prices=table(lambda seen: seen["prices"]),
        policies=table(lambda seen: seen["policies"]),
        research=table(lambda seen: seen["research"]),
        discrepancies=discrepancies,
        wars=fought,
        navies=afloat,
        traded={name: table(partial(_figure, "traded", name)) for name in rows[0][0]["traded"]},
        trades=traded,
        alliances=allied,
    )


def _figure(group: str, name: str, seen: dict[str, Any]) -> float:
    return float(seen[group][name])


def judge(courses: Courses, funds_cap: int) -> dict[str, Any]:
    """The figures by which the balance is judged.

    Args:
        courses: of `play`.
        funds_cap: the treasury's cap of funds.

    Returns:
        `starving_percent` of nation-turns after turn 30; `funds_late`, the median over seasons of the
        median treasury at `late_turn` (200, or the last), and `funds_cap`; by policy the largest share of
        nations ever seen; by branch the mean level at the end; by item the lowest and highest price as
        multiples of the base price; which items' prices rose and fell by 2% or more in one season;
        `discrepancies`; `spread`, how far prices of nations lie apart at turn 30 and at the end (the median
        season); `war`, `navy`, `trade` and `alliances`, the figures of these modules.
    """
    late = slice(SETTLED, None)
    nation_turns = courses.living[:, late]
    hungry = np.nansum(courses.starving[:, late] * nation_turns)
    low, high = np.nanmin(courses.prices, axis=(0, 1)), np.nanmax(courses.prices, axis=(0, 1))
    ends = [np.flatnonzero(np.isfinite(row[:, 0]))[-1] for row in courses.research]
    research = np.mean([courses.research[s, t] for s, t in enumerate(ends)], axis=0)
    turn = min(LATER, courses.living.shape[1]) - 1
    resources = ITEM_NAMES[: courses.prices.shape[2]]
    policies = np.nanmax(courses.policies, axis=(0, 1)).round(3).tolist()
    spans = [[float(a), float(b)] for a, b in zip(low.round(3), high.round(3), strict=True)]
    return {
        "seasons": len(courses.living),
        "starving_percent": round(100 * float(hungry) / max(1.0, float(np.nansum(nation_turns))), 3),
        "late_turn": turn + 1,
        "funds_late": float(np.nanmedian(courses.medians["funds"][:, turn])),
        "funds_cap": funds_cap,
        "policies": dict(zip(POLICIES, policies, strict=True)),
        "research": dict(zip(RESEARCH_BRANCHES, research.round(2).tolist(), strict=True)),
        "prices": dict(zip(resources, spans, strict=True)),
        "prices_both_ways": [n for k, n in enumerate(resources) if _swings(courses.prices[:, :, k])],
        "discrepancies": int(courses.discrepancies.sum()),
        "spread": [
            _at(courses.traded["spread"], min(SETTLED, turn + 1)),
            _at(courses.traded["spread"], None),
        ],
        "war": wars.judge(courses.wars),
        "navy": navies.judge(courses.navies),
        "trade": trade.judge(courses.trades),
        "alliances": alliances.judge(courses.alliances),
    }


def _at(values: Values, turn: int | None) -> float | None:
    """The median season's figure in a turn, or (None) in each season's last; None where nothing is known."""
    known = [row[np.isfinite(row)] if turn is None else row[turn - 1 : turn] for row in values]
    found = [float(row[-1]) for row in known if len(row) and np.isfinite(row[-1])]
    return round(float(np.median(found)), 3) if found else None


def _swings(prices: Values) -> bool:
    """Whether in some season (a row) a price rose above an earlier one and fell below an earlier one."""
    known = np.where(np.isfinite(prices), prices, prices[:, :1])
    rise = known / np.minimum.accumulate(known, axis=1) - 1
    fall = 1 - known / np.maximum.accumulate(known, axis=1)
    return bool(np.any((rise.max(axis=1) >= _MOVED) & (fall.max(axis=1) >= _MOVED)))
