"""Which seeds are for training and which for evaluation: two ranges that have nothing in common.

Training seeds are 0 .. 2**62 - 1, evaluation seeds 2**62 .. 2**63 - 1, so that no figure comes from a
world that a policy was trained on. A seed whose map has too few sites is stood in for by one of its kind.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import TypeVar

from hakoenv.engine.mapgen import ScenarioError
from hakoenv.envs.fresh import with_first_seed

COUNT = 2**62
"""How many seeds there are of each kind."""
STRIDE = 2**54
"""From a seed to the next that may stand in for it: farther than any run counts."""
T = TypeVar("T")


def training(number: int) -> int:
    """The training seed of a number.

    Raises:
        ValueError: the number is outside 0..2**62 - 1.
    """
    return _checked(number)


def evaluation(number: int) -> int:
    """The evaluation seed of a number: 2**62 + number.

    Raises:
        ValueError: the number is outside 0..2**62 - 1.
    """
    return COUNT + _checked(number)


def is_evaluation(seed: int) -> bool:
    """Whether a seed is one of evaluation."""
    return COUNT <= seed < 2 * COUNT


def with_room(seed: int, start: Callable[[int], T]) -> T:
    """What ``start`` makes of a seed, or of the first in its stead whose map has sites enough.

    In its stead come seed + STRIDE, seed + 2 * STRIDE ..., from the beginning of its kind again after the
    end: the same ones whoever asks and when.

    Args:
        seed: of training or evaluation.
        start: makes a world of a seed.

    Raises:
        ScenarioError: none of a hundred maps has room.
    """
    kind, number = divmod(seed, COUNT)
    tries = (kind * COUNT + (number + k * STRIDE) % COUNT for k in count())
    try:
        return with_first_seed(tries, start)
    except ScenarioError as error:
        raise ScenarioError(
            f"no map of a hundred has sites for all nations (seed {seed} and others in its stead): "
            "take fewer nations or more land (worldgen.land_cells)"
        ) from error


def stands_for(found: int, seed: int) -> bool:
    """Whether a season that was to have a seed may have another, as `with_room` finds it."""
    return found // COUNT == seed // COUNT and (found - seed) % STRIDE == 0


def _checked(number: int) -> int:
    if not 0 <= number < COUNT:
        raise ValueError(f"the number of a seed is {number}; it must be a whole number of 0..2**62-1")
    return number
