"""Which seeds are for training and which for evaluation: two ranges that have nothing in common.

Training seeds are 0 .. 2**62 - 1, evaluation seeds 2**62 .. 2**63 - 1, so that no figure comes from a
world that a policy was trained on.
"""

from __future__ import annotations

COUNT = 2**62
"""How many seeds there are of each kind."""


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


def _checked(number: int) -> int:
    if not 0 <= number < COUNT:
        raise ValueError(f"the number of a seed is {number}; it must be a whole number of 0..2**62-1")
    return number
