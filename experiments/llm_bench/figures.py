"""From the seasons of a benchmark to its figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hakoenv.experiments.intervals import estimate
from hakoenv.experiments.llm_bench.play import Played

_SUMS = ("turns", "asked", "plans", "calls", "prompt_tokens", "answer_tokens", "estimated_tokens", "seconds",
         "cost", "commands", "rejected")  # fmt: skip
_SHARES = ("queue_share", "proxy_share", "idle_share")


def of(played: Sequence[Played]) -> list[dict[str, Any]]:
    """Figures of each contestant, in the order in which they played.

    Returns:
        Each: `contestant`, `seasons`, `points` by season, their `mean` and 95 percent `interval` over seeds
        (None of one season), `rank` (mean), `against_rule_ai`: mean and interval of the difference
        to the rule AI in the same seeds; and of models `llm`: sums over the seasons.
    """
    names = list(dict.fromkeys(entry.contestant for entry in played))
    points = {name: {p.seed: p.points for p in played if p.contestant == name} for name in names}
    found = []
    for name in names:
        own = [entry for entry in played if entry.contestant == name]
        values = [float(entry.points) for entry in own]
        figures: dict[str, Any] = {
            "contestant": name,
            "seasons": len(own),
            "points": [round(value, 4) for value in values],
            **_mean(values),
            "rank": round(sum(entry.rank for entry in own) / len(own), 3),
        }
        if name != "rule_ai" and "rule_ai" in points:
            gaps = [float(entry.points - points["rule_ai"][entry.seed]) for entry in own]
            figures["against_rule_ai"] = _mean(gaps)
        reports = [entry.llm for entry in own if entry.llm is not None]
        if reports:
            figures["llm"] = _summed(reports)
        found.append(figures)
    return found


def _mean(values: Sequence[float]) -> dict[str, Any]:
    """A mean and its interval."""
    found = estimate(values)
    return {"mean": round(found.mean, 4), "interval": found.interval}


def _summed(reports: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Figures of several seasons as one; shares are of all turns."""
    found: dict[str, Any] = {name: sum(report[name] for report in reports) for name in _SUMS}
    for name in ("seconds", "cost"):
        found[name] = round(found[name], 6)
    for name in ("failures", "outcomes"):
        found[name] = {}
        for report in reports:
            for key, count in report[name].items():
                found[name][key] = found[name].get(key, 0) + count
    turns = max(1, found["turns"])
    for name in _SHARES:
        found[name] = round(sum(report[name] * report["turns"] for report in reports) / turns, 4)
    return found
