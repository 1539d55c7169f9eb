"""From the records of a tournament to its table: points first, then what stands beside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hakoenv.experiments.intervals import estimate
from hakoenv.experiments.tournament import ratings

from hakoenv.engine.codes import ending

FEWEST = 30
"""Seasons that every entrant has played before `--until` stops: fewer often look surer than they are."""

Record = dict[str, Any]


def of(records: Sequence[Record], entrants: Sequence[str], field: str) -> dict[str, Any]:
    """The figures of a tournament.

    Args:
        records: of its seasons, in order.
        entrants: names, in the order in which they entered.
        field: name of the field.

    Returns:
        `seasons`: how many; `standings`: an entry an entrant that has played, best mean first, with `place`,
        `entrant`, `seasons`, `mean`, `half_width`, `interval`, `wins`, `mean_rank`, `forfeits`;
        `field_points`: the mean points of a seat of the field, None where it has none; `ratings` (see
        `ratings.of`); `head_to_head` (see `head_to_head`); `endings`: how many seasons ended in which way;
        `mean_turns`; `forfeits`: all of them.
    """
    rows = [_row(name, records) for name in entrants if any(name in record["seats"] for record in records)]
    rows.sort(key=lambda row: (-row["mean"], entrants.index(row["entrant"])))
    for row in rows:
        row["place"] = 1 + sum(other["mean"] > row["mean"] for other in rows)
    there = [row["entrant"] for row in rows]
    players = [*there, field] if any(field in record["seats"] for record in records) else there
    return {
        "seasons": len(records),
        "standings": rows,
        "field_points": _field(field, records),
        "ratings": ratings.of(records, players, field),
        "head_to_head": head_to_head(records, there),
        "endings": {
            name: count
            for name in ending.NAMES
            if (count := sum(record["ending"] == name for record in records))
        },
        "mean_turns": round(sum(record["turns"] for record in records) / max(1, len(records)), 2),
        "forfeits": [{"id": r["id"], "seed": r["seed"], **entry} for r in records for entry in r["forfeits"]],
    }


def sure_enough(records: Sequence[Record], entrants: Sequence[str], half_width: float) -> bool:
    """Whether every entrant's interval is narrow enough, and each has played `FEWEST` seasons."""
    for name in entrants:
        points, seeds = _points(name, records)
        if len(points) < FEWEST:
            return False
        half = estimate(points, seeds).half_width
        if half is None or half > half_width:
            return False
    return True


def head_to_head(records: Sequence[Record], entrants: Sequence[str]) -> list[dict[str, Any]]:
    """Every entrant against every other, over the seasons in which both played.

    Returns:
        An entry a pair, in the order of ``entrants``: `entrant`, `against`, `seasons`, `difference` of points
        (mean, half_width, interval), `ahead`: share of seasons with more points, ties half. Of pairs that
        never met, `difference` and `ahead` are None.
    """
    found = []
    for one in entrants:
        for other in entrants:
            if one == other:
                continue
            met = [record for record in records if one in record["seats"] and other in record["seats"]]
            gaps = [_of(one, record) - _of(other, record) for record in met]
            ahead = sum(1.0 if gap > 0 else 0.5 if gap == 0 else 0.0 for gap in gaps)
            found.append(
                {
                    "entrant": one,
                    "against": other,
                    "seasons": len(met),
                    "difference": estimate(gaps, [r["seed"] for r in met]).as_dict() if met else None,
                    "ahead": round(ahead / len(met), 4) if met else None,
                }
            )
    return found


def strangers(table: dict[str, Any]) -> bool:
    """Whether some entrants of a table never met, so that their points come from different opponents."""
    return any(pair["seasons"] == 0 for pair in table["head_to_head"])


def _row(name: str, records: Sequence[Record]) -> dict[str, Any]:
    played = [record for record in records if name in record["seats"]]
    points, seeds = _points(name, played)
    failed = {(record["id"], entry["seat"]) for record in played for entry in record["forfeits"]}
    places = [
        (record["ranks"][record["seats"].index(name)], (record["id"], record["seats"].index(name)) in failed)
        for record in played
    ]
    return {
        "place": 0,
        "entrant": name,
        "seasons": len(played),
        **estimate(points, seeds).as_dict(),
        "wins": sum(rank == 1 and not forfeit for rank, forfeit in places),
        "mean_rank": round(sum(rank for rank, _ in places) / len(places), 4),
        "forfeits": sum(forfeit for _, forfeit in places),
    }


def _field(name: str, records: Sequence[Record]) -> dict[str, Any] | None:
    """Mean points of a seat of the field, a mean a season, since its seats are one controller."""
    means, seeds = [], []
    for record in records:
        own = [p for who, p in zip(record["seats"], record["points"], strict=True) if who == name]
        if own:
            means.append(sum(own) / len(own))
            seeds.append(record["seed"])
    return {"name": name, "seasons": len(means), **estimate(means, seeds).as_dict()} if means else None


def _points(name: str, records: Sequence[Record]) -> tuple[list[float], list[int]]:
    """Points of an entrant by season, and the seeds."""
    played = [record for record in records if name in record["seats"]]
    return [_of(name, record) for record in played], [record["seed"] for record in played]


def _of(name: str, record: Record) -> float:
    return float(record["points"][record["seats"].index(name)])
