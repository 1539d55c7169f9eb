"""Ships are drawn so that their sorts differ, in pictures, small frames and text."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from hakoenv.engine.codes import ship_class
from hakoenv.render import ansi, legend, scene, symbols
from hakoenv.render.pixels import rgb_array

SORTS = (scene.WARSHIP, *scene.SHIP_SORTS.values())


@pytest.mark.parametrize("size", [20, 40])
def test_every_sort_has_a_mark_of_its_own(size: int) -> None:
    marks = {sort: np.asarray(symbols.ship_mark(-1, sort, size)).astype(int) for sort in SORTS}
    for one, other in combinations(SORTS, 2):
        assert np.abs(marks[one] - marks[other]).mean() > 3, (one, other)


@pytest.mark.parametrize(
    ("kind", "glyph", "words"),
    [
        (ship_class.SUBMARINE, "&", "軍艦 warship"),
        (ship_class.MERCHANT, "$", "商船 merchant"),
        (ship_class.LARGE_MERCHANT, "$", "大型商船 large"),
        (ship_class.CRUISE_SHIP, "Y", "遊覧船 cruise ship"),
        (ship_class.FISHING_BOAT, "v", "漁船 fishing boat"),
        (ship_class.PIRATE, "X", "海賊船 pirate"),
    ],
)
def test_a_ship_has_its_glyph_and_is_in_the_legend(island: Any, kind: int, glyph: str, words: str) -> None:
    world, rules = island
    island.put_ship(-1 if kind == ship_class.PIRATE else 0, kind, 9, 0)
    assert ansi.ansi_map(world, rules, colour=False).split("\n")[0][18] == glyph
    assert sum(f"{glyph} " in line for line in ansi.ansi_key().split("\n")) == 1
    told = [entry.words for entry in legend.contents([], scene.look(world, rules)).terrain]
    assert [word for _, word in legend.MARKS if word in told] == ["首都 capital", words]


def test_small_frames_tell_warships_private_ships_and_pirates_apart(island: Any) -> None:
    world, rules = island
    frames = set()
    for kind in (ship_class.DESTROYER, ship_class.MERCHANT, ship_class.PIRATE):
        island.put_ship(0, kind, 9, 0)
        frames.add(rgb_array(world, rules).tobytes())
    assert len(frames) == 3
