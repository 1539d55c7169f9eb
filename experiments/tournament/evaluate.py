"""Two entrants compared in pairs of seasons with the same seed: whatever a world gives away, both get."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from hakoenv.experiments.intervals import estimate
from hakoenv.experiments.tournament.run import Schedule
from hakoenv.experiments.tournament.seating import guest, swapped

Record = dict[str, Any]


def schedule(first: str, second: str, seats: int, field: str | None, seed: int) -> Schedule:
    """The pairs of seasons.

    Without a field, and with two seats, both play each other and change seats within a pair. With a field
    the first plays a season and the second the same season in the same seat, which moves on from pair to
    pair.

    Args:
        first: name of one.
        second: name of the other.
        seats: of the scenario.
        field: name of the field, or None.
        seed: number of the first evaluation seed.
    """
    if field is None:
        return Schedule(partial(swapped, first=first, second=second), seed, each=2)
    return Schedule(partial(guest, first=first, second=second, seats=seats, field=field), seed, each=2)


def figures(records: Sequence[Record], first: str, second: str) -> dict[str, Any]:
    """What came of it.

    Args:
        records: of the seasons, in order: two a seed.
        first: name of one.
        second: name of the other.

    Returns:
        `entrant` and `against`: name, seasons, mean points with interval, forfeits; `difference` of their
        points with its 95 percent interval over seeds; `seeds`; `won`, `tied`, `lost`: seasons in which the
        first had more points than the second, as many, fewer (with a field: pairs of seasons); `won_share`,
        ties half.
    """
    gaps, verdicts = [], []
    for one, other in zip(records[::2], records[1::2], strict=True):
        both = [(_points(first, record), _points(second, record)) for record in (one, other)]
        a, b = ([points for points in side if points is not None] for side in zip(*both, strict=True))
        gaps.append(sum(a) / len(a) - sum(b) / len(b))
        verdicts += [x - y for x, y in zip(a, b, strict=True)]
    won, tied = sum(gap > 0 for gap in verdicts), sum(gap == 0 for gap in verdicts)
    return {
        "entrant": _about(first, records),
        "against": _about(second, records),
        "seeds": len(gaps),
        "difference": estimate(gaps).as_dict(),
        "won": won,
        "tied": tied,
        "lost": len(verdicts) - won - tied,
        "won_share": round((won + tied / 2) / len(verdicts), 4),
    }


def _about(name: str, records: Sequence[Record]) -> dict[str, Any]:
    played = [(record, points) for record in records if (points := _points(name, record)) is not None]
    whole = estimate([points for _, points in played], [record["seed"] for record, _ in played])
    failed = sum(entry["entrant"] == name for record, _ in played for entry in record["forfeits"])
    return {"name": name, "seasons": len(played), **whole.as_dict(), "forfeits": failed}


def _points(name: str, record: Record) -> float | None:
    return float(record["points"][record["seats"].index(name)]) if name in record["seats"] else None
