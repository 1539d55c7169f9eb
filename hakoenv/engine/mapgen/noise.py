"""Integer lattice noise: smooth random fields that are the same, bit for bit, on every processor.

(Float noise differs in the last bit between processors and moves coastlines.) Places are measured in
``UNIT`` to a cell, rows lie ``ROW`` apart, so that a field has no direction of its own on the hexes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine import chance
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World

UNIT = 256  # a cell's width
ROW = 222  # the height of a row of hexes: UNIT * sqrt(3) / 2
TOP = 1023  # the largest value of a field
COAST, MOUNTAIN, FOREST, PLAINS, SHALLOWS = range(0, 20, 4)  # layers; each has three octaves
_ATTEMPT = 32  # layers of one attempt at a map
_LATTICE = 4096  # more lattice columns than any map has
_ONE = 1024  # fixed-point 1 of the interpolation


def field(world: World, layer: int, attempt: int, scale: int, cells: NDArray[np.int64]) -> NDArray[np.int64]:
    """A smooth field, 0..``TOP``, at the cells listed: its largest features are ``scale`` cells wide."""
    out = np.empty(len(cells), np.int64)
    fill(world, layer + _ATTEMPT * attempt, UNIT * scale, cells, out)
    return out


def rolls(
    world: World, purpose: int, subject: int | NDArray[np.int64], index: int | NDArray[np.int64], sides: int
) -> NDArray[np.int64]:
    """Many draws of 0..sides-1 at once: for several subjects, several indices, or pairs of both."""
    subjects, indices, out = np.empty((3, *np.broadcast_shapes(np.shape(subject), np.shape(index))), np.int64)
    subjects[:], indices[:] = subject, index
    fill_rolls(world, purpose, subjects, indices, sides, out)
    return out


def east(width: int, cell: NDArray[np.int64]) -> NDArray[np.int64]:
    """How far east the middle of a cell lies."""
    return UNIT * (cell % width) + UNIT // 2 * ((cell // width) & 1)


def south(width: int, cell: NDArray[np.int64]) -> NDArray[np.int64]:
    """How far south the middle of a cell lies."""
    return ROW * (cell // width)


@kernel
def fill(world: World, layer: int, scale: int, places: NDArray[np.int64], out: NDArray[np.int64]) -> None:
    """The compiled part of `field`; ``scale`` is in ``UNIT``."""
    width = world.cells.shape[1]
    for k in range(places.shape[0]):
        y = places[k] // width
        x = UNIT * (places[k] - y * width) + UNIT // 2 * (y & 1)
        step = scale
        total = 0
        for octave in range(3):
            total += (4 >> octave) * _smooth(world, layer + octave, x, ROW * y, step)
            step = max(1, step // 2)
        out[k] = total // 7


@kernel
def _smooth(world: World, layer: int, x: int, y: int, step: int) -> int:
    """Lattice values ``step`` apart, blended with ease in and out."""
    i = x // step
    j = y // step
    u = (x - i * step) * _ONE // step
    v = (y - j * step) * _ONE // step
    u = u * u * (3 * _ONE - 2 * u) // (_ONE * _ONE)
    v = v * v * (3 * _ONE - 2 * v) // (_ONE * _ONE)
    value = 0
    for corner in range(4):
        lattice = (j + corner // 2) * _LATTICE + i + corner % 2
        weight = (u if corner % 2 else _ONE - u) * (v if corner // 2 else _ONE - v)
        value += weight * chance.roll(world, chance.MAP_NOISE, lattice, layer, TOP + 1)
    return value // (_ONE * _ONE)


@kernel
def fill_rolls(
    world: World,
    purpose: int,
    subjects: NDArray[np.int64],
    indices: NDArray[np.int64],
    sides: int,
    out: NDArray[np.int64],
) -> None:
    """The compiled part of `rolls`."""
    for k in range(out.shape[0]):
        out[k] = chance.roll(world, purpose, subjects[k], indices[k], sides)
