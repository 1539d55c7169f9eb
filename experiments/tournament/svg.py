"""Plots as inline SVG: places in percent, so that text keeps its size on a small screen; no randomness."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from hakoenv.experiments.tournament.page_style import LINES

_ROW = 38  # pixels of a whisker row: a line of text above the whisker
_AXIS = 26  # pixels of the axis below
_LEFT, _RIGHT = 2.0, 98.0  # percent of the width in which data lies
_BARS = 20  # of a histogram
_TICKS = 5


class Whisker(NamedTuple):
    """A value with its interval.

    Attributes:
        name: of whom.
        value: the dot.
        interval: the line; None where it is not known.
        words: what stands behind the name.
    """

    name: str
    value: float
    interval: Sequence[float] | None
    words: str


def whiskers(rows: Sequence[Whisker], label: str, mark: float | None = None, mark_words: str = "") -> str:
    """Dots with their intervals below each other on one axis.

    Args:
        rows: from top to bottom.
        label: says what the plot is, for those who can't see it.
        mark: where a dashed line stands.
        mark_words: what it is.
    """
    values = [edge for row in rows for edge in (row.value, *(row.interval or ()))] + [mark] * (
        mark is not None
    )
    low, high, ticks = _scale([value for value in values if value is not None])
    height = _ROW * len(rows)
    parts = [_line(_at(tick, low, high), 0, height, "grid") for tick in ticks]
    if mark is not None:
        parts.append(_line(_at(mark, low, high), 0, height, "mark"))
    for k, row in enumerate(rows):
        top, middle = k * _ROW, k * _ROW + 27
        parts.append(
            f'<text x="0" y="{top + 14}"><tspan class="name">{escape(row.name)}</tspan> '
            f'<tspan class="soft">{escape(row.words)}</tspan></text>'
        )
        if row.interval is not None:
            left, right = (_at(edge, low, high) for edge in row.interval)
            parts.append(f'<line class="whisker" x1="{left}%" x2="{right}%" y1="{middle}" y2="{middle}"/>')
        parts.append(f'<circle class="dot" cx="{_at(row.value, low, high)}%" cy="{middle}" r="5"/>')
    parts += _tick_words(ticks, low, high, height + 16)
    foot = f'<p class="soft">dashed: {escape(mark_words)}</p>' if mark is not None else ""
    return _svg(parts, height + _AXIS, label) + foot


def histogram(values: Sequence[float], name: str, top: int) -> str:
    """How often points of 0..100 were had, in twenty bars.

    Args:
        values: points.
        name: whose.
        top: seasons that the tallest bar of all plots stands for.
    """
    counts = counted(values)
    tall = 72
    parts = [f'<text x="0" y="14" class="name">{escape(name)}</text>']
    width = (_RIGHT - _LEFT) / _BARS
    for k, count in enumerate(counts):
        height = round(tall * count / max(1, top), 2)
        if count:
            parts.append(
                f'<rect class="bar" x="{_LEFT + k * width:.3f}%" y="{22 + tall - height:.2f}" '
                f'width="{width * 0.86:.3f}%" height="{height:.2f}">'
                f"<title>{k * 5} to {k * 5 + 5} points: {count} seasons</title></rect>"
            )
    parts.append(f'<line class="axis" x1="{_LEFT}%" x2="{_RIGHT}%" y1="{22 + tall}" y2="{22 + tall}"/>')
    parts += _tick_words((0.0, 50.0, 100.0), 0.0, 100.0, 22 + tall + 16)
    return _svg(parts, 22 + tall + _AXIS, f"How often {name} had how many points")


def counted(values: Sequence[float]) -> list[int]:
    """How many of the points lie in each twentieth of 0..100."""
    counts = [0] * _BARS
    for value in values:
        counts[min(_BARS - 1, max(0, int(value * _BARS / 100)))] += 1
    return counts


def courses(lines: Sequence[tuple[str, Sequence[tuple[int, float]]]], label: str) -> str:
    """How means came about: a line an entrant, from season to season.

    Args:
        lines: name, and (season, mean) in order.
        label: says what the plot is.
    """
    last = max((points[-1][0] for _, points in lines if points), default=1)
    settled = [mean for _, points in lines for season, mean in points if season >= last / 10]
    low, high, ticks = _scale(settled or [0.0])
    height = 220
    parts = []
    for tick in ticks:
        y = height - (tick - low) / (high - low) * height
        parts.append(f'<line class="grid" x1="0%" x2="100%" y1="{y:.2f}" y2="{y:.2f}"/>')
        parts.append(f'<text class="soft" x="0" y="{y - 3:.2f}">{_number(tick)}</text>')
    inner = []
    for k, (_, points) in enumerate(lines):
        path = " ".join(
            f"{1000 * season / last:.2f},{height * (high - min(max(mean, low), high)) / (high - low):.2f}"
            for season, mean in _thinned(points)
        )
        inner.append(f'<polyline class="course c{k % LINES}" points="{path}"/>')
    parts.append(
        f'<svg width="100%" height="{height}" viewBox="0 0 1000 {height}" preserveAspectRatio="none">'
        f"{''.join(inner)}</svg>"
    )
    parts.append(f'<text class="soft" x="100%" y="{height + 16}" text-anchor="end">season {last}</text>')
    names = "".join(
        f'<span class="key c{k % LINES}">{escape(name)}</span>' for k, (name, _) in enumerate(lines)
    )
    return _svg(parts, height + _AXIS, label) + f'<p class="keys">{names}</p>'


def _thinned(points: Sequence[tuple[int, float]], most: int = 400) -> Sequence[tuple[int, float]]:
    """At most about so many points, with the last."""
    step = max(1, len(points) // most)
    return [*points[::step], *points[-1:]] if step > 1 else points


def _scale(values: Sequence[float]) -> tuple[float, float, list[float]]:
    """Ends of an axis that holds all values, and its ticks."""
    low, high = min(values), max(values)
    if high - low < 1e-9:
        low, high = low - 1, high + 1
    rough = (high - low) / _TICKS
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(unit * k for k in (1, 2, 5, 10) if unit * k >= rough)
    first, last = math.floor(low / step), math.ceil(high / step)
    return first * step, last * step, [k * step for k in range(first, last + 1)]


def _at(value: float, low: float, high: float) -> float:
    """Where a value stands, in percent of the width."""
    return round(_LEFT + (_RIGHT - _LEFT) * (value - low) / (high - low), 3)


def _line(x: float, top: float, bottom: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x}%" x2="{x}%" y1="{top}" y2="{bottom}"/>'


def _tick_words(ticks: Sequence[float], low: float, high: float, y: float) -> list[str]:
    anchors = {0: "start", len(ticks) - 1: "end"}
    return [
        f'<text class="soft" x="{_at(tick, low, high)}%" y="{y}" text-anchor="{anchors.get(k, "middle")}">'
        f"{_number(tick)}</text>"
        for k, tick in enumerate(ticks)
    ]


def _number(value: float) -> str:
    return f"{value:.6g}".replace("-0", "0") if value == 0 else f"{value:.6g}"


def _svg(parts: Sequence[str], height: float, label: str) -> str:
    head = f'<svg class="plot" width="100%" height="{height}" role="img" aria-label="{escape(label)}">'
    return f"{head}{''.join(parts)}</svg>"
