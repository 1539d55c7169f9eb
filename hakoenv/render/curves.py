"""The five statistics of all nations over time, as small multiples (SEASON-015)."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine.statistics import SERIES, Statistics
from hakoenv.render import colours, fonts

TITLES = {
    "population_plus_strength": "人口＋兵力 population + strength",
    "population": "人口 population",
    "strength": "兵力 strength",
    "area": "面積 area",
    "power_score": "国力 power score",
}
UNITS = {
    "population_plus_strength": "×100人 people",
    "population": "×100人 people",
    "strength": "×100人 soldiers",
    "area": "cells",
    "power_score": "points",
}
_PLACES = (  # left, bottom, width, height of the panels as parts of the figure; names stand right of each
    (0.045, 0.53, 0.365, 0.365), (0.53, 0.53, 0.365, 0.365),
    (0.045, 0.07, 0.205, 0.365), (0.375, 0.07, 0.205, 0.365), (0.705, 0.07, 0.205, 0.365),
)  # fmt: skip
_NAMED = 8  # lines of words right of a panel
_TIED_NAMED = 3  # nations with one value that are all named; more of them are counted
_TURN_TICKS = 9  # at most
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
_FALLEN_NAMED = 8
_TOP = {"linewidth": 2.2, "alpha": 1.0, "zorder": 4}
_OTHERS = {"linewidth": 1.2, "alpha": 0.6, "zorder": 2}
_LABEL_GAP = 0.062  # least distance of two names, as a part of the panel's height


class Lines(NamedTuple):
    """What is plotted.

    Attributes:
        turns: (T,) consecutive turns.
        series: name -> (T, N); NaN where nothing was recorded, so that no line joins both sides (SEASON-019).
        shown: (N,) whether a nation is plotted (SEASON-020 .. SEASON-024).
    """

    turns: NDArray[np.int64]
    series: dict[str, NDArray[np.float64]]
    shown: NDArray[np.bool_]


class EndLabel(NamedTuple):
    """What is said of the lines that end at one value: their nations' names, or one sentence for all."""

    value: float
    nations: tuple[int, ...]
    words: str | None


def lines_of(statistics: Statistics) -> Lines:
    """The lines of a season's statistics at its latest turn: gaps as NaN, nations long dead left out."""
    curves = statistics.curves()
    values = np.where(curves.present[:, None, None], curves.values, np.nan)
    series = {name: values[:, :, k] for k, name in enumerate(SERIES)}
    return Lines(curves.turns, series, ~statistics.dropped())


def save_curves_png(
    statistics: Statistics,
    path: str | PathLike[str],
    names: Sequence[object] | None = None,
    title: str | None = None,
) -> bool:
    """Draw the five curves into a PNG file, 1,800 pixels wide, without a display.

    Args:
        statistics: the season's records.
        path: where to write.
        names: one a nation; without it "nation 0" and so on.
        title: headline; the turns that are shown stand after it.

    Returns:
        False, with nothing written, where matplotlib is not installed (`pip install hakoenv[report]`).
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        return False
    lines = lines_of(statistics)
    called = (
        [f"nation {n}" for n in range(len(lines.shown))] if names is None else [str(name) for name in names]
    )
    family = fonts.register_with_matplotlib()
    figure = Figure(figsize=(18, 11), dpi=100, facecolor=colours.as_hex(colours.PAPER))
    FigureCanvasAgg(figure)
    for name, place in zip(SERIES, _PLACES, strict=True):
        _draw_panel(figure.add_axes(place), lines, name, called, family)
    ink = colours.as_hex(colours.INK)
    headline = " · ".join(filter(None, (title, _span(lines.turns))))
    figure.text(0.045, 0.955, headline, fontsize=19, family=family, color=ink, va="center")
    _draw_dropped_note(figure, lines, called, family)
    figure.savefig(path, format="png", facecolor=figure.get_facecolor())
    return True


def _span(turns: NDArray[np.int64]) -> str:
    """Which turns are shown."""
    return f"turns {turns[0]}–{turns[-1]}" if len(turns) else "no records"


def turn_ticks(first: int, last: int) -> list[int]:
    """Where the turn axis has its ticks: at its start and at round turns after it."""
    step = next((step for step in _STEPS if (last - first) / step <= _TURN_TICKS - 1), max(1, last - first))
    later = range((first // step + 1) * step, last + 1, step)
    return [first] + [turn for turn in later if 2 * (turn - first) > step]


def end_labels(final: NDArray[np.float64], shown: NDArray[np.bool_]) -> list[EndLabel]:
    """What stands right of a panel, highest first, at most eight lines of words.

    Args:
        final: (N,) last values, -inf none.
        shown: (N,) whether a nation is plotted.

    Returns:
        One entry a value. Up to three nations that share it are named; of more their number is told, and if
        all do, "all 200".
    """
    plotted = np.flatnonzero(shown & np.isfinite(final))
    labels: list[EndLabel] = []
    lines = 0
    for value in np.unique(final[plotted])[::-1].tolist():
        nations = tuple(plotted[final[plotted] == value].tolist())
        words = None
        if len(nations) == len(plotted) > 1:
            words = f"all {value:,.0f}"
        elif len(nations) > _TIED_NAMED:
            words = f"{len(nations)} nations: {value:,.0f}"
        lines += 1 if words else len(nations)
        if lines > _NAMED:
            break
        labels.append(EndLabel(value, nations, words))
    return labels


def _draw_panel(axes: Any, lines: Lines, name: str, names: Sequence[str], family: str) -> None:
    """One series: a line a nation, named at its end where it is among the highest."""
    values = lines.series[name]
    faint = colours.as_hex(colours.FAINT)
    axes.set_facecolor("white")
    axes.set_title(TITLES[name], loc="left", fontsize=14, family=family, color=colours.as_hex(colours.INK))
    axes.text(
        1, 1.02, UNITS[name], transform=axes.transAxes, ha="right", fontsize=10, family=family, color=faint
    )
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(faint)
    axes.tick_params(colors=faint, labelsize=10, labelfontfamily=family)
    axes.grid(axis="y", color="#e6e6e0", linewidth=0.8)
    axes.set_axisbelow(True)
    if not len(lines.turns):
        return
    final = _last_values(values)
    labels = end_labels(final, lines.shown)
    named = {n for label in labels if label.words is None for n in label.nations}
    for n in sorted(np.flatnonzero(lines.shown).tolist(), key=lambda n: (final[n], -n)):
        top = n in named
        colour = colours.as_hex(colours.of_nation(n))
        strokes = _TOP if top else _OTHERS
        axes.plot(lines.turns, values[:, n], color=colour, solid_joinstyle="round", **strokes)
        for alone in _single_points(values[:, n]):
            axes.plot(lines.turns[alone], values[alone, n], ".", color=colour, markersize=4)
    highest = np.max(values[:, lines.shown], initial=1.0, where=np.isfinite(values[:, lines.shown]))
    axes.set_ylim(0, float(highest) * 1.05)
    axes.set_xlim(lines.turns[0], max(lines.turns[-1], lines.turns[0] + 1))
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.set_xticks(turn_ticks(int(lines.turns[0]), int(lines.turns[-1])))
    axes.set_xlabel("turn", fontsize=10, family=family, color=faint)
    _name_ends(axes, labels, names, family)


def _last_values(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N,) each nation's newest value; -inf where it has none."""
    last = np.full(values.shape[1], -np.inf)
    for row in values:
        last = np.where(np.isfinite(row), row, last)
    return last


def _single_points(values: NDArray[np.float64]) -> list[int]:
    """Places recorded between two gaps: a line would not show them."""
    known = np.isfinite(np.concatenate([[np.nan], values, [np.nan]]))
    return np.flatnonzero(known[1:-1] & ~known[:-2] & ~known[2:]).tolist()


def _name_ends(axes: Any, labels: Sequence[EndLabel], names: Sequence[str], family: str) -> None:
    """Names right of the line ends, pushed apart so that they stay readable; equal values share a bracket."""
    top = axes.get_ylim()[1]
    wanted: list[float] = []
    for label in labels:
        count = 1 if label.words else len(label.nations)
        wanted += [label.value / top + _LABEL_GAP * ((count - 1) / 2 - k) for k in range(count)]
    heights = spread(wanted, _LABEL_GAP)
    ink = colours.as_hex(colours.INK)
    for label in labels:
        if label.words:
            texts = [(label.words, ink)]
        else:
            tints = [colours.darker(colours.of_nation(n), 0.25) for n in label.nations]
            texts = [(names[n], colours.as_hex(t)) for n, t in zip(label.nations, tints, strict=True)]
        own, heights = heights[: len(texts)], heights[len(texts) :]
        for (text, colour), height in zip(texts, own, strict=True):
            axes.text(
                1.035, height, text, transform=axes.transAxes, va="center_baseline", fontsize=10.5,
                family=family, color=colour,
            )  # fmt: skip
        colour = texts[0][1] if len(texts) == 1 else ink
        style = {"transform": axes.transAxes, "clip_on": False, "linewidth": 0.9, "color": colour}
        axes.plot([1.0, 1.024], [label.value / top, (own[0] + own[-1]) / 2], **style)
        if len(own) > 1:
            axes.plot([1.024, 1.024], [own[0] + 0.02, own[-1] - 0.02], **style)


def spread(heights: Sequence[float], gap: float) -> list[float]:
    """Heights in falling order, moved as little as needed to lie at least ``gap`` apart and at 0 or above."""
    placed: list[float] = []
    for height in heights:
        placed.append(min(height, placed[-1] - gap) if placed else height)
    lowest = 0.0
    for k in reversed(range(len(placed))):
        placed[k] = max(placed[k], lowest)
        lowest = placed[k] + gap
    return placed


def _draw_dropped_note(figure: Any, lines: Lines, names: Sequence[str], family: str) -> None:
    gone = [names[n] for n in np.flatnonzero(~lines.shown).tolist()]
    if gone:
        more = f" and {len(gone) - _FALLEN_NAMED} more" if len(gone) > _FALLEN_NAMED else ""
        words = "滅亡 fallen, not shown: " + ", ".join(gone[:_FALLEN_NAMED]) + more
        figure.text(0.045, 0.018, words, fontsize=10, family=family, color=colours.as_hex(colours.FAINT))
