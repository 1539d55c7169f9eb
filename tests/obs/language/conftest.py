"""A world and the words for it."""

from functools import cache
from typing import NamedTuple

import pytest

from hakoenv.engine.names import NationName, nation_names
from hakoenv.obs.language.vocabulary import Vocabulary
from hakoenv.testing import SmallWorld

NAMES: list[NationName] = nation_names(3, 7)


class Scene(NamedTuple):
    world: SmallWorld
    vocabulary: Vocabulary


@cache
def _scene() -> Scene:
    """Nation 0 owns (2,4), (3,4), plains (4,4) and (5,4); nation 1 is at (3,6); 1000 funds."""
    w = SmallWorld(height=9, width=9, nations=3, turn=60)
    w.cell(2, 4, terrain="town", owner=0, population=50, capital=True)
    w.cell(3, 4, terrain="farm", owner=0, level=12)
    w.cell(4, 4, terrain="plains", owner=0)
    w.cell(5, 4, terrain="plains", owner=0)
    w.cell(3, 6, terrain="town", owner=1, population=30, capital=True)
    w.cell(7, 7, terrain="town", owner=2, population=30, capital=True)
    w.nation(0, funds=1000, food=500)
    return Scene(w, Vocabulary.of(w.world, w.ruleset, "everything", NAMES))


@pytest.fixture
def scene() -> Scene:
    """Not to be changed: all tests share it."""
    return _scene()
