"""The courses of many seasons as one picture: the median season and the range of the middle half."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any

import numpy as np
from hakoenv.experiments.balance.measure import POLICIES, Courses, Values
from hakoenv.experiments.balance.trade import CLASSES

from hakoenv.render import colours, fonts
from hakoenv.ruleset.codes import ITEM_NAMES, RESEARCH_BRANCHES

_COLUMNS = 4
_PRICED = 8  # food's price is fixed
_TITLES = {
    "population": "人口 population",
    "land": "面積 land",
    "funds": "資金 funds",
    "fuel": "燃料 fuel in the treasury",
    "goods": "工業品 goods, treasury and private",
    "food turns": "食料 food, turns of rations",
    "fuel ratio": "燃料の充足 fuel taken / fuel needed",
}


def save_png(courses: Courses, path: str | PathLike[str], title: str) -> bool:
    """Draw the courses into a PNG file without a display.

    Returns:
        False, with nothing written, where matplotlib is not installed (`pip install hakoenv[report]`).
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        return False
    family = fonts.register_with_matplotlib()
    panels: list[tuple[str, list[tuple[str, Values]]]] = [
        (_TITLES[name], [("", values)]) for name, values in courses.medians.items()
    ]
    panels += [
        ("飢餓 share of nations starving", [("", courses.starving)]),
        ("世界価格 world prices / base", _lines(courses.prices, ITEM_NAMES[:_PRICED])),
        ("工業方針 nations by policy", _lines(courses.policies, POLICIES)),
        ("研究 mean research level", _lines(courses.research, RESEARCH_BRANCHES)),
        ("貿易 containers over land, through ports", [(n, courses.traded[n]) for n in ("land", "ports")]),
        ("民間船 private ships", [(name, courses.traded[name]) for name in CLASSES]),
        ("価格差 spread of prices between nations", [("", courses.traded["spread"])]),
    ]
    rows = -(-len(panels) // _COLUMNS)
    figure = Figure(figsize=(5 * _COLUMNS, 3.4 * rows + 0.8), dpi=90, facecolor=colours.as_hex(colours.PAPER))
    FigureCanvasAgg(figure)
    figure.suptitle(title, fontsize=17, family=family, color=colours.as_hex(colours.INK), x=0.02, ha="left")
    for k, (name, lines) in enumerate(panels):
        _draw(figure.add_subplot(rows, _COLUMNS, k + 1), name, lines, family)
    figure.tight_layout(rect=(0, 0, 1, 0.97))
    figure.savefig(path, format="png", facecolor=figure.get_facecolor())
    return True


def _lines(values: Values, names: Sequence[str]) -> list[tuple[str, Values]]:
    return [(name, values[:, :, k]) for k, name in enumerate(names)]


def _draw(axes: Any, title: str, lines: list[tuple[str, Values]], family: str) -> None:
    axes.set_title(title, loc="left", fontsize=12, family=family)
    axes.set_facecolor("white")
    axes.grid(axis="y", color="#e6e6e0", linewidth=0.8)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for k, (name, values) in enumerate(lines):
        seen = np.isfinite(values).any(axis=0)
        turns = np.flatnonzero(seen) + 1
        low, middle, high = np.nanpercentile(values[:, seen], [25, 50, 75], axis=0)
        colour = colours.as_hex(colours.NATIONS[k])
        axes.fill_between(turns, low, high, color=colour, alpha=0.18, linewidth=0)
        axes.plot(turns, middle, color=colour, linewidth=1.8, label=name or None)
    if len(lines) > 1:
        axes.legend(fontsize=8, frameon=False, ncols=2)
    axes.set_xlabel("turn", fontsize=9)
