"""The population ranking and the turn cup (phase 32 and after)."""

from __future__ import annotations

from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def rank(world: World, rules: Rules) -> None:
    """Rank living nations by population, ties to the lower number (TURN-033); the dead have rank 0."""
    nations = world.nations
    for n in range(nations.shape[0]):
        nations[n].rank = 0
        if not nations[n].alive:
            continue
        place = 1
        for other in range(nations.shape[0]):
            if not nations[other].alive or other == n:
                continue
            more = nations[other].population > nations[n].population
            same = nations[other].population == nations[n].population
            if more or (same and other < n):
                place += 1
        nations[n].rank = place


@kernel
def award_cup(world: World, rules: Rules) -> None:
    """The turn cup (TURN-050). Its rules come with the items of the land war."""
