"""Fishing grounds: cells of deep sea with food in them, the same for all nations (FISH-005)."""

from __future__ import annotations

from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

NONE = -1


@kernel
def regrow(world: World, rules: Rules) -> None:
    """Every ground regains food up to its most (phase 6)."""
    s = rules.scalars[0]
    for k in range(world.grounds.shape[0]):
        ground = world.grounds[k]
        if ground.cell >= 0 and ground.fish < s.fishing_ground_stock_max:
            ground.fish = min(int(s.fishing_ground_stock_max), int(ground.fish) + s.fishing_ground_regrowth)


@kernel
def find(world: World, cell: int) -> int:
    """The place of a cell in the list of grounds, -1 if it is none."""
    for k in range(world.grounds.shape[0]):
        if world.grounds[k].cell == cell and cell >= 0:
            return k
    return NONE
