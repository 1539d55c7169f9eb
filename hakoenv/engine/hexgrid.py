"""Odd-row offset hexes (MAP-002): rows with odd y lie half a cell to the right, no wrap.

Kernels name a cell by its flat index ``y * width + x``; ``-1`` is "outside the map". Directions are
1 north-east, 2 east, 3 south-east, 4 south-west, 5 west, 6 north-west.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine.kernel import kernel

MAX_RADIUS = 8  # the largest disc that can be walked with `nth`


_STEPS = np.array(((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)))  # axial, directions 1..6


def _disc_offsets() -> NDArray[Any]:
    """Offsets (dx, dy) by row parity, sorted by distance, then clockwise from north-east."""
    steps = [(int(q), int(r)) for q, r in _STEPS]
    table = np.zeros((2, 1 + 3 * MAX_RADIUS * (MAX_RADIUS + 1), 2), np.int64)
    for parity in (0, 1):
        k = 1
        for radius in range(1, MAX_RADIUS + 1):
            q, r = steps[0][0] * radius, steps[0][1] * radius
            for side in range(6):
                for _ in range(radius):
                    y = parity + r
                    x = q + (y - (y & 1)) // 2
                    table[parity, k] = x, r
                    k += 1
                    q, r = q + steps[(side + 2) % 6][0], r + steps[(side + 2) % 6][1]
    return table


_DISC = _disc_offsets()
DISC_SIZE = tuple(1 + 3 * r * (r + 1) for r in range(MAX_RADIUS + 1))  # cells within a radius


@kernel
def neighbour(width: int, height: int, index: int, direction: int) -> int:
    """The cell next to ``index`` in ``direction`` 1..6, or -1 outside the map."""
    return nth(width, height, index, direction)


@kernel
def beside(width: int, height: int, x: int, y: int, direction: int) -> int:
    """As `neighbour`, of a cell by column and row: for loops that know them."""
    parity = y & 1
    x += _DISC[parity, direction, 0]
    y += _DISC[parity, direction, 1]
    if x < 0 or y < 0 or x >= width or y >= height:
        return -1
    return y * width + x


@kernel
def nth(width: int, height: int, index: int, k: int) -> int:
    """The k-th cell of the disc around ``index`` (0 itself, 1..6 its neighbours), or -1.

    Cells come in order of distance, then direction; a disc of radius r has ``DISC_SIZE[r]`` places.
    """
    y = index // width
    x = index - y * width
    parity = y & 1
    x += _DISC[parity, k, 0]
    y += _DISC[parity, k, 1]
    if x < 0 or y < 0 or x >= width or y >= height:
        return -1
    return y * width + x


@kernel
def nth_far(width: int, height: int, index: int, k: int) -> int:
    """As `nth`, for discs of any radius."""
    if k < _DISC.shape[1]:
        return nth(width, height, index, k)
    radius = MAX_RADIUS + 1
    while k >= disc_size(radius):
        radius += 1
    k -= disc_size(radius - 1)
    r = index // width
    q = index - r * width - (r - (r & 1)) // 2 + radius  # the ring begins in the north-east
    r -= radius
    for side in range(k // radius + 1):
        steps = radius if side < k // radius else k % radius
        q += steps * _STEPS[(side + 2) % 6, 0]
        r += steps * _STEPS[(side + 2) % 6, 1]
    x = q + (r - (r & 1)) // 2
    if x < 0 or r < 0 or x >= width or r >= height:
        return -1
    return r * width + x


@kernel
def distance(width: int, a: int, b: int) -> int:
    """Steps between two cells."""
    ya = a // width
    yb = b // width
    qa = a - ya * width - (ya - (ya & 1)) // 2
    qb = b - yb * width - (yb - (yb & 1)) // 2
    dq = qa - qb
    dr = ya - yb
    return max(abs(dq), abs(dr), abs(dq + dr))


@kernel
def first_in_row(x: int, y: int, radius: int, dy: int) -> int:
    """The lowest column, maybe outside the map, of a disc around a cell in the row ``dy`` below it.

    The disc has ``2 * radius + 1 - abs(dy)`` cells there, one beside the other.
    """
    row = y + dy
    column = x - (y - (y & 1)) // 2 + (row - (row & 1)) // 2
    return column - radius - min(0, dy)


@kernel
def disc_size(radius: int) -> int:
    """Number of places within ``radius``: 1, 7, 19, 37, ..."""
    return 1 + 3 * radius * (radius + 1)
