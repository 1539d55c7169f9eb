"""Where hexes lie in a picture: odd-row offset, pointy tops (MAP-002)."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_EVEN = ((0, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (-1, -1))  # dx, dy of directions 1..6
_ODD = ((1, -1), (1, 0), (1, 1), (0, 1), (-1, 0), (0, -1))


class Layout(NamedTuple):
    """Positions of a map's cells in pixels.

    Attributes:
        size: (width, height) of the picture of all cells.
        centres: (H*W, 2) x, y.
        corners: (6, 2) offsets from a centre, clockwise from the top; direction d has the edge
            between corners d-1 and d % 6.
        cell: width of a cell.
    """

    size: tuple[int, int]
    centres: NDArray[np.float64]
    corners: NDArray[np.float64]
    cell: float


@cache
def layout(height: int, width: int, cell: float) -> Layout:
    """The layout of a map of ``height`` x ``width`` cells that are ``cell`` pixels wide."""
    tall = cell * 2 / 3**0.5
    y, x = np.divmod(np.arange(height * width), width)
    centres = np.stack([(x + 0.5 + 0.5 * (y & 1)) * cell, (y * 0.75 + 0.5) * tall], axis=1)
    half, quarter = tall / 2, tall / 4
    side = cell / 2
    corners = np.array(
        [(0, -half), (side, -quarter), (side, quarter), (0, half), (-side, quarter), (-side, -quarter)]
    )
    odd_shift = 0.5 if height > 1 else 0.0
    size = (int(np.ceil((width + odd_shift) * cell)) + 1, int(np.ceil((height * 0.75 + 0.25) * tall)) + 1)
    return Layout(size, centres, corners, cell)


@cache
def neighbours(height: int, width: int) -> NDArray[np.int64]:
    """(H*W, 6): the cell in directions 1..6, -1 outside the map."""
    y, x = np.divmod(np.arange(height * width), width)
    steps = np.where((y & 1)[:, None, None] == 1, np.array(_ODD)[None], np.array(_EVEN)[None])
    nx, ny = x[:, None] + steps[..., 0], y[:, None] + steps[..., 1]
    inside = (nx >= 0) & (nx < width) & (ny >= 0) & (ny < height)
    return np.where(inside, ny * width + nx, -1)
