"""Extracts of the map as signs and letters: around the own land, around the front, and any window."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from hakoenv.engine.codes import relation
from hakoenv.engine.world import World
from hakoenv.obs.text_words import Knowledge, Words
from hakoenv.render import ansi
from hakoenv.ruleset import Rules

_MARGIN = 2  # cells shown around what is of interest
_WIDTH, _HEIGHT = 36, 24  # the most that is shown of the own land
_FRONTS = 2  # further extracts
_FRONT_WIDTH, _FRONT_HEIGHT = 13, 9
_UNIT = 1  # `what` of a sighting


class Window(NamedTuple):
    """A part of the map, its first and last columns and rows."""

    left: int
    right: int
    top: int
    bottom: int

    def holds(self, x: int, y: int) -> bool:
        """Whether a cell lies in it."""
        return self.left <= x <= self.right and self.top <= y <= self.bottom

    def __str__(self) -> str:
        return f"Columns {self.left}..{self.right}, rows {self.top}..{self.bottom}"


class Sheet:
    """The map as a nation sees it, of which windows are cut.

    Attributes:
        signs: the signs that were drawn.
        letters: the letters of owners that were drawn.
    """

    def __init__(self, world: World, rules: Rules, viewer: int) -> None:
        self._rows = ansi.ansi_map(world, rules, colour=False, viewer=viewer).split("\n")
        self.signs: set[str] = set()
        self.letters: set[str] = set()

    def drawn(self, window: Window) -> list[str]:
        """The rows of a window with their numbers; odd ones begin with a blank."""
        lines = []
        for y in range(window.top, window.bottom + 1):
            start = 2 * window.left + y % 2
            shown = self._rows[y][start : start + 2 * (window.right - window.left + 1)]
            self.signs.update(shown[::2])
            self.letters.update(shown[1::2])
            lines.append(f"{y:3} {(' ' * (y % 2) + shown).rstrip()}")
        return lines

    def legend(self, words: Words) -> list[str]:
        """What the signs and letters mean that were drawn."""
        key = [f"{sign} {what}" for sign, what in ansi.GLYPHS.values() if sign in self.signs and sign != " "]
        things = [f"{ansi.CAPITAL} capital", f"{ansi.UNIT} unit", f"{ansi.WARSHIP} warship"]
        rare = (*ansi.ship_key(), (ansi.WRECK, "wreck"))
        things += [f"{sign} {what}" for sign, what in rare if sign in self.signs]
        owners = [
            f"{letter} {words.party(number)}"
            for number, letter in enumerate(ansi.LETTERS[: words.seats])
            if letter in self.letters
        ]
        lines = [f"Signs: {', '.join([*key, *things])}"]
        return [*lines, f"Owners: {', '.join(owners)}"] if owners else lines


def chart(known: Knowledge) -> list[str]:
    """The map around the own land, then around enemies in sight and own units elsewhere, with a legend."""
    cells = _listed(known.seen["cells"])
    own = cells[cells["own"] == 1]
    if not len(own):
        return []
    height, width = known.world.cells.shape
    capital = known.seen["own"]
    home = Window(
        *_stretch(own["x"], int(capital["capital_x"]), width, _WIDTH),
        *_stretch(own["y"], int(capital["capital_y"]), height, _HEIGHT),
    )
    sheet = Sheet(known.world, known.rules, known.nation)
    drawn = sheet.drawn(home)
    windows = [home]
    for x, y in _points(known):
        if len(windows) <= _FRONTS and not any(window.holds(x, y) for window in windows):
            near = _around(x, width, _FRONT_WIDTH), _around(y, height, _FRONT_HEIGHT)
            windows.append(Window(*near[0], *near[1]))
            drawn += [f"{windows[-1]}:", *sheet.drawn(windows[-1])]
    about = f"{home}; a cell is a sign and its owner's letter; odd rows lie half a cell to the right."
    return [about, *sheet.legend(known.words), *drawn]


def _points(known: Knowledge) -> Iterable[tuple[int, int]]:
    """Where something may happen away from home: enemies in sight, own units."""
    seen = known.seen["sightings"]
    states = known.seen["nations"]["state"]
    foes = seen[(seen["what"] == _UNIT) & (seen["age"] == 0) & (seen["owner"] > 0)]
    foes = foes[states[foes["owner"]] == relation.WAR]
    units = _listed(known.seen["units"])
    return [(int(row["x"]), int(row["y"])) for rows in (foes, units) for row in rows]


def _stretch(places: Any, centre: int, size: int, most: int) -> tuple[int, int]:
    """First and last row or column that show the own land, around the capital if it is too large."""
    low, high = max(0, int(places.min()) - _MARGIN), min(size - 1, int(places.max()) + _MARGIN)
    if high - low < most:
        return low, high
    start = min(max(low, centre - most // 2), high - most + 1)
    return start, start + most - 1


def _around(place: int, size: int, most: int) -> tuple[int, int]:
    """First and last row or column of a window with a place in its middle, within the map."""
    start = int(np.clip(place - most // 2, 0, max(0, size - most)))
    return start, min(size, start + most) - 1


def _listed(rows: Any) -> Any:
    return rows[rows["listed"] == 1]
