"""Curves of a training run as a picture, and who fared how against whom as a table in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hakoenv.render import colours, fonts

PICTURE = "curves.png"
_PANELS = (
    ("points against fixed opponents", "against_"),
    ("points in the league", "payoffs"),
    ("entropy of plans", "entropy"),
    ("divergence from the clone", "clone_divergence"),
    ("value loss", "value_loss"),
    ("policy changed (approximate divergence a step)", "moved"),
    ("endings (share of the seasons so far)", "endings"),
)
_MATRIX = "row ahead of column (% of the seasons, when last judged)"  # the last panel
_COLUMNS = 4
_ALWAYS = ("iteration", "minutes", "agent_steps")  # numbers that every line has

Lines = dict[str, list[tuple[float, float, float]]]  # by name: minutes, value, half-width


def read(path: Path) -> list[dict[str, Any]]:
    """The lines of a metrics file; what is no line of a run, such as one that was cut off, is left out."""
    found: list[dict[str, Any]] = []
    for text in path.read_text(encoding="utf-8", errors="replace").splitlines() if path.exists() else ():
        try:
            line = json.loads(text)
        except (ValueError, RecursionError):
            continue
        if isinstance(line, dict) and all(isinstance(line.get(name), int | float) for name in _ALWAYS):
            found.append(line)
    return found


def save_png(metrics: list[dict[str, Any]], path: Path, title: str) -> bool:
    """Draw the curves into a PNG file.

    Returns:
        False, with nothing written, where matplotlib is not installed (`pip install 'hakoenv[report]'`).
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        return False
    family = fonts.register_with_matplotlib()
    panels = panels_of(metrics)
    names, ahead = matrix_of(metrics)
    rows = max(1, -(-(len(panels) + bool(names)) // _COLUMNS))
    figure = Figure(figsize=(6 * _COLUMNS, 3.8 * rows + 0.6), dpi=90, facecolor=colours.as_hex(colours.PAPER))
    FigureCanvasAgg(figure)
    figure.suptitle(title, fontsize=16, family=family, color=colours.as_hex(colours.INK), x=0.02, ha="left")
    for k, (name, lines) in enumerate(panels):
        _draw(figure.add_subplot(rows, _COLUMNS, k + 1), name, lines, family)
    if names:
        _draw_matrix(figure.add_subplot(rows, _COLUMNS, len(panels) + 1), names, ahead, family)
    figure.tight_layout(rect=(0, 0, 1, 0.96))
    figure.savefig(path, format="png", facecolor=figure.get_facecolor())
    return True


def panels_of(metrics: list[dict[str, Any]]) -> list[tuple[str, Lines]]:
    """Titles and lines of the panels, those without a figure left out."""
    panels = [(title, lines_of(metrics, key)) for title, key in _PANELS]
    return [(title, lines) for title, lines in panels if lines]


def lines_of(metrics: list[dict[str, Any]], key: str) -> Lines:
    """The lines of a panel: one a fixed opponent, one a kind of league opponent or ending, or one.

    A line of metrics that lacks the figure has no point.
    """
    found: Lines = {}
    for line in metrics:
        minutes = float(line["minutes"])
        if key == "against_":
            for name, figures in line.items():
                if name.startswith(key):
                    entry = (minutes, figures["points"], figures.get("half_width", 0.0))
                    found.setdefault(name.removeprefix(key), []).append(entry)
        elif key == "payoffs":
            kinds: dict[str, list[tuple[float, float]]] = {}
            for name, figures in line.get(key, {}).items():
                kind = "past selves" if name.startswith("past_") else name
                kinds.setdefault(kind, []).append((figures["points"], figures["seasons"]))
            for kind, met in kinds.items():
                points, weights = np.array(met).T
                found.setdefault(kind, []).append((minutes, float(np.average(points, weights=weights)), 0.0))
        elif key == "endings":
            seasons = sum(line.get(key, {}).values())
            for name, count in line.get(key, {}).items():
                found.setdefault(name, []).append((minutes, count / seasons, 0.0))
        elif key in line:
            found.setdefault("", []).append((minutes, float(line[key]), 0.0))
    return found


def matrix_of(metrics: list[dict[str, Any]]) -> tuple[list[str], NDArray[np.float64]]:
    """The last payoff matrix in the lines.

    Returns:
        The players; and float64 (players, players), the share of the seasons that the one of the row was
        ahead of the one of the column, NaN where they never met. Both empty if no line has a matrix.
    """
    judged = [line["payoff_matrix"] for line in metrics if "payoff_matrix" in line]
    matrix = judged[-1] if judged else {}
    names = sorted(matrix, key=_past)
    ahead = np.full((len(names), len(names)), np.nan)
    for i, row in enumerate(names):
        for j, column in enumerate(names):
            if column in matrix[row]:
                ahead[i, j] = matrix[row][column]["ahead"]
    return names, ahead


def _past(name: str) -> tuple[int, str]:
    """Past selves behind the others, the oldest first."""
    word, _, number = name.rpartition("_")
    return (int(number), "") if word == "past" else (-1, name)


def _draw(axes: Any, title: str, lines: Lines, family: str) -> None:
    axes.set_title(title, loc="left", fontsize=12, family=family)
    axes.set_facecolor("white")
    axes.grid(axis="y", color="#e6e6e0", linewidth=0.8)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for k, (name, entries) in enumerate(sorted(lines.items())):
        minutes, values, halves = np.array(entries).T
        colour = colours.as_hex(colours.NATIONS[k])
        if halves.any():
            axes.fill_between(
                minutes, values - halves, values + halves, color=colour, alpha=0.18, linewidth=0
            )
        axes.plot(minutes, values, color=colour, linewidth=1.8, label=name or None)
        if len(entries) == 1:  # no line yet
            axes.errorbar(minutes, values, yerr=halves, color=colour, fmt="o", markersize=4)
    if any(lines):
        axes.legend(fontsize=9, frameon=False)
    axes.set_xlabel("minutes of training", fontsize=9)


def _draw_matrix(axes: Any, names: list[str], ahead: NDArray[np.float64], family: str) -> None:
    axes.set_title(_MATRIX, loc="left", fontsize=12, family=family)
    axes.imshow(ahead, cmap="PiYG", vmin=0.0, vmax=1.0, aspect="auto", alpha=0.6)
    places = range(len(names))
    axes.set_xticks(places, names, fontsize=8, rotation=45, ha="right")
    axes.set_yticks(places, names, fontsize=8)
    for i, j in np.argwhere(np.isfinite(ahead)).tolist():
        axes.text(j, i, f"{100 * ahead[i, j]:.0f}", ha="center", va="center", fontsize=8)
