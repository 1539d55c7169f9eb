"""Whole numbers out of real factors: one floor or ceiling at the end (RES-010, IND-039).

A real factor such as 0.2 is not exact in binary; the small margin keeps 35 x 0.2 at 7.
"""

from __future__ import annotations

import math

from hakoenv.engine.kernel import kernel

_MARGIN = 1e-9  # of binary fractions, not of the game
_MOST = 2.0**31 - 1  # what a record of a nation can hold; only extreme rulesets come near it


@kernel
def floor(value: float) -> int:
    """The largest whole number not above ``value``, and none above 2**31 - 1."""
    return int(math.floor(min(value, _MOST) + _MARGIN))


@kernel
def ceil(value: float) -> int:
    """The smallest whole number not below ``value``, and none above 2**31 - 1."""
    return int(math.ceil(min(value, _MOST) - _MARGIN))


@kernel
def ceil_div(amount: int, divisor: int) -> int:
    """``amount / divisor`` rounded up, for amounts of 0 or more."""
    return (amount + divisor - 1) // divisor
