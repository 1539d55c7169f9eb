"""Many worlds of one size: a `World` whose arrays have a leading axis; `handles.one_of` gives one of them."""

from __future__ import annotations

import numpy as np

from hakoenv.engine.kernel import as_kernel_array
from hakoenv.engine.world import World, new_world


def new_worlds(count: int, width: int, height: int, nations: int) -> World:
    """Room for ``count`` worlds, all bytes 0: what they hold is put there by `assign_world` to one of them.

    Args:
        count: worlds.
        width: columns of their maps.
        height: rows.
        nations: seats, 1..40.

    Returns:
        A `World` whose arrays lead with the number of the world.
    """
    sample = new_world(width, height, nations, 0)
    return World(*(as_kernel_array(np.zeros((count, *array.shape), array.dtype)) for array in sample))
