"""Seeds of seasons that nobody has given one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count, islice
from typing import TypeVar

import numpy as np

from hakoenv.engine.mapgen import ScenarioError

SEEDS = 1 << 62
"""Fresh seeds lie below; larger ones are left to evaluation, so that nobody is measured where it learnt."""
T = TypeVar("T")
_TRIES = 100  # seeds in a row whose maps have too few sites


def with_fresh_seed(draws: np.random.Generator, start: Callable[[int], T]) -> T:
    """What ``start`` makes of a fresh seed; of another if the map of one has too few sites.

    Raises:
        ScenarioError: none of a hundred maps has room.
    """
    return with_first_seed((int(draws.integers(SEEDS)) for _ in count()), start)


def with_first_seed(seeds: Iterator[int], start: Callable[[int], T]) -> T:
    """What ``start`` makes of the first of endless seeds whose map has sites enough.

    Raises:
        ScenarioError: none of a hundred maps has room.
    """
    for seed in islice(seeds, _TRIES - 1):
        with suppress(ScenarioError):
            return start(seed)
    return start(next(seeds))
