"""Curves of a training run: a picture, and the same figures for TensorBoard."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from hakoenv.render import colours, fonts

PICTURE = "curves.png"
_PANELS = (
    ("points against fixed opponents", "against_"),
    ("points in the league", "payoffs"),
    ("entropy of plans", "entropy"),
    ("divergence from the clone", "clone_divergence"),
    ("value loss", "value_loss"),
    ("policy changed (approximate divergence a step)", "moved"),
)
_COLUMNS = 3

Lines = dict[str, list[tuple[float, float, float]]]  # by name: minutes, value, half-width


def read(path: Path) -> list[dict[str, Any]]:
    """The lines of a metrics file; a last line that was cut off is left out."""
    found: list[dict[str, Any]] = []
    for text in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        try:
            found.append(json.loads(text))
        except ValueError:
            break
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
    rows = -(-len(_PANELS) // _COLUMNS)
    figure = Figure(figsize=(6 * _COLUMNS, 3.8 * rows + 0.6), dpi=90, facecolor=colours.as_hex(colours.PAPER))
    FigureCanvasAgg(figure)
    figure.suptitle(title, fontsize=16, family=family, color=colours.as_hex(colours.INK), x=0.02, ha="left")
    for k, (name, key) in enumerate(_PANELS):
        _draw(figure.add_subplot(rows, _COLUMNS, k + 1), name, lines_of(metrics, key), family)
    figure.tight_layout(rect=(0, 0, 1, 0.96))
    figure.savefig(path, format="png", facecolor=figure.get_facecolor())
    return True


def lines_of(metrics: list[dict[str, Any]], key: str) -> Lines:
    """The lines of a panel: one a fixed opponent, one a kind of league opponent, or one."""
    found: Lines = {}
    for line in metrics:
        minutes = float(line["minutes"])
        if key == "against_":
            for name, figures in line.items():
                if name.startswith(key):
                    entry = (minutes, figures["points"], figures["half_width"])
                    found.setdefault(name.removeprefix(key), []).append(entry)
        elif key == "payoffs":
            kinds: dict[str, list[tuple[float, float]]] = {}
            for name, figures in line.get(key, {}).items():
                kind = "past selves" if name.startswith("past_") else name
                kinds.setdefault(kind, []).append((figures["points"], figures["seasons"]))
            for kind, met in kinds.items():
                points, weights = np.array(met).T
                found.setdefault(kind, []).append((minutes, float(np.average(points, weights=weights)), 0.0))
        elif key in line:
            found.setdefault("", []).append((minutes, float(line[key]), 0.0))
    return found


def write_tensorboard(metrics: list[dict[str, Any]], folder: Path) -> bool:
    """Write the figures of metrics lines as TensorBoard events.

    Returns:
        False where tensorboard is not installed.
    """
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ModuleNotFoundError:
        return False
    with SummaryWriter(str(folder)) as writer:  # type: ignore[no-untyped-call]
        for line in metrics:
            step = int(line["agent_steps"])
            for name, value in _numbers(line):
                writer.add_scalar(name, value, step)  # type: ignore[no-untyped-call]
    return True


def _numbers(figures: dict[str, Any], prefix: str = "") -> list[tuple[str, float]]:
    found: list[tuple[str, float]] = []
    for name, value in figures.items():
        if isinstance(value, dict):
            found += _numbers(value, f"{prefix}{name}/")
        elif isinstance(value, int | float):
            found.append((f"{prefix}{name}", float(value)))
    return found


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
    if any(lines):
        axes.legend(fontsize=9, frameon=False)
    axes.set_xlabel("minutes of training", fontsize=9)
