"""The order of nations in a turn (phase 8)."""

from __future__ import annotations

from hakoenv.engine import chance
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def decide(world: World, rules: Rules) -> None:
    """Draw a uniform permutation of the living nations, used by all later phases (TURN-009, TURN-043)."""
    count = 0
    for n in range(world.nations.shape[0]):
        if world.nations[n].alive:
            world.order[count] = n
            count += 1
    for k in range(count - 1, 0, -1):
        other = chance.roll(world, chance.NATION_ORDER, k, 0, k + 1)
        world.order[k], world.order[other] = world.order[other], world.order[k]
    for k in range(count, world.order.shape[0]):
        world.order[k] = -1


@kernel
def count(world: World) -> int:
    """How many nations take part in this turn: all that were alive in phase 8 (TURN-052)."""
    places = 0
    while places < world.order.shape[0] and world.order[places] >= 0:
        places += 1
    return places
