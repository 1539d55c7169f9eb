"""Many worlds of one size: the arrays of a `World`, each with a leading axis, and one of them as a world."""

from __future__ import annotations

import numpy as np

from hakoenv.engine.kernel import as_kernel_array, kernel
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


def world_of(worlds: World, number: int) -> World:
    """One of many worlds: views, so what is done to it is done there."""
    return World(*(array[number] for array in worlds))


@kernel(inline=True)
def at(worlds: World, number: int) -> World:
    """`world_of` in compiled code; for a kernel's arguments, not to be kept (see `engine/handles.py`)."""
    return World(
        worlds.clock[number],
        worlds.cells[number],
        worlds.nations[number],
        worlds.units[number],
        worlds.corps[number],
        worlds.ships[number],
        worlds.relations[number],
        worlds.plans[number],
        worlds.results[number],
        worlds.factions[number],
        worlds.market[number],
        worlds.finance[number],
        worlds.loans[number],
        worlds.withdrawals[number],
        worlds.accounts[number],
        worlds.private_accounts[number],
        worlds.finance_accounts[number],
        worlds.order[number],
        worlds.roster[number],
        worlds.territory[number],
        worlds.events[number],
        worlds.sightings[number],
    )
