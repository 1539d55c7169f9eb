"""How nations stand to each other in the rule AI's eyes: their might, who fights whom, who stands by whom.

All of it is public: strength and people are among the statistics, and so are relations, factions and the
containment.
"""

from __future__ import annotations

import numpy as np

from hakoenv.engine import census, chance
from hakoenv.engine.diplomacy import relations
from hakoenv.engine.diplomacy.membership import are_fighting
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

_TEMPERS = 100


@kernel
def temper(world: World, n: int) -> int:
    """How warlike a nation is, 0..99: given by the place of its capital, so no nation knows another's."""
    drawn = chance.mix(np.uint64(max(0, int(world.nations[n].capital))))
    return int(drawn % np.uint64(_TEMPERS))


@kernel
def between(low: int, high: int, share: int) -> int:
    """The number that lies ``share`` hundredths of the way from low to high."""
    return low + (high - low) * share // _TEMPERS


@kernel
def might(world: World, rules: Rules, n: int) -> int:
    """What a nation could bring to the field: strength and a share of its people, both public."""
    people = int(world.nations[n].population)
    return census.strength(world, n) + people * rules.scalars[0].ai_mobilize_percent // 100


@kernel
def power(world: World, n: int) -> int:
    """People and strength: the power that AI-086 compares. Deployed strength alone is not public."""
    return census.strength(world, n) + int(world.nations[n].population)


@kernel
def are_fellows(world: World, a: int, b: int) -> bool:
    """Whether two nations are members of the containment together."""
    return bool(a != b and world.nations[a].contained and world.nations[b].contained)


@kernel
def are_sided(world: World, a: int, b: int) -> bool:
    """Whether two nations stand by each other: in a faction or in the containment."""
    return relations.are_mates(world, a, b) or are_fellows(world, a, b)


@kernel
def side(world: World, rules: Rules, n: int, foe: int) -> int:
    """The might that a nation has on its side in a war with another.

    A part of its mates', who may help; and all of the containment's, whose members are bound to, if the other
    is the hegemon (CONT-011).
    """
    total = helpers = 0
    bound = world.containment[0].target == foe
    for m in range(world.nations.shape[0]):
        if not world.nations[m].alive or m == foe:
            continue
        if m == n or (bound and are_fellows(world, n, m)):
            total += might(world, rules, m)
        elif relations.are_mates(world, n, m):
            helpers += might(world, rules, m)
    return int(total + helpers * rules.scalars[0].ai_mates_percent // 100)


@kernel
def power_against(world: World, n: int, foe: int) -> int:
    """The power of a nation and of all that stand by it and fight the same enemy, or are about to."""
    total = power(world, n)
    for m in range(world.nations.shape[0]):
        if world.nations[m].alive and are_sided(world, n, m) and are_fighting(world, m, foe):
            total += power(world, m)
    return total
