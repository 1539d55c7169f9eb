"""Whether a nation is under threat: what AI nations keep their war goods for (AI-079, AID-011)."""

from __future__ import annotations

from hakoenv.engine import census, hexgrid, territory
from hakoenv.engine.codes import relation
from hakoenv.engine.diplomacy import relations
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import waters
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

_NEIGHBOURS = 6


@kernel
def is_threatened(world: World, rules: Rules, nation: int) -> bool:
    """Whether a nation is at war, in a pending one, or likely to be attacked (AI-079).

    That an enemy's unit is in sight near its land (AID-011) needs no look: whoever has enemies is at war.
    """
    for other in range(world.nations.shape[0]):
        if world.nations[other].alive and waters.is_hostile(world, nation, other):
            return True
    return is_outmatched(world, rules, nation)


@kernel
def is_outmatched(world: World, rules: Rules, nation: int) -> bool:
    """Whether a neighbour by land that is no friend is more than so many times as strong (AID-011).

    Strength is reserves and units (SEASON-016).
    """
    height, width = world.cells.shape
    cells = world.cells.flat
    limit = rules.scalars[0].ai_threat_strength_ratio * census.strength(world, nation)
    record = world.nations[nation]
    for k in range(record.first, record.first + record.held):
        cell = int(world.territory[k])
        if cells[cell].owner != nation or not territory.is_land(world, rules, cell):
            continue
        for direction in range(1, _NEIGHBOURS + 1):
            near = hexgrid.neighbour(width, height, cell, direction)
            other = int(cells[near].owner) if near >= 0 else -1
            if other < 0 or other == nation or census.strength(world, other) <= limit:
                continue
            if not is_friend(world, nation, other) and territory.is_land(world, rules, near):
                return True
    return False


@kernel
def is_friend(world: World, nation: int, other: int) -> bool:
    """Whether no attack is feared from another nation: a mate, amity, or it is on good terms (AI-053)."""
    if world.relations[nation, other].state == relation.AMITY or world.relations[other, nation].good_terms:
        return True
    return relations.are_mates(world, nation, other)
