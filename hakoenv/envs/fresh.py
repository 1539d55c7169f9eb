"""Seeds of seasons that nobody has given one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from hakoenv.engine.mapgen import ScenarioError

T = TypeVar("T")
_SEEDS = 1 << 62  # larger ones are left to evaluation, so that nobody is measured where it learnt
_TRIES = 100  # maps drawn anew where a fresh seed's has too few sites


def with_fresh_seed(draws: np.random.Generator, start: Callable[[int], T]) -> T:
    """What ``start`` makes of a fresh seed; of another if the map of one has too few sites.

    Raises:
        ScenarioError: none of a hundred maps has room.
    """
    for tries in range(_TRIES):
        try:
            return start(int(draws.integers(_SEEDS)))
        except ScenarioError:
            if tries == _TRIES - 1:
                raise
    raise AssertionError
