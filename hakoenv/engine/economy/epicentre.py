"""Whether and where a disaster strikes: a place of a nation, or of the sea, each equally likely."""

from __future__ import annotations

from hakoenv.engine import chance, territory
from hakoenv.engine.codes import terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

WHETHER, WHERE = 0, 1  # the first two draws of a disaster
OPEN_SEA = -1  # instead of a nation


@kernel
def draw(world: World, rules: Rules, purpose: int, subject: int, nation: int, percent: float) -> int:
    """Where a disaster of so many percent strikes: a land cell of ``nation``, or deep sea for OPEN_SEA.

    -1 if it does not come, or there is no such cell.
    """
    if not chance.happens(world, purpose, subject, WHETHER, percent):
        return -1
    count = 0
    for cell in range(world.cells.size):
        count += _is_candidate(world, rules, cell, nation)
    if count == 0:
        return -1
    left = chance.roll(world, purpose, subject, WHERE, count)
    for cell in range(world.cells.size):
        if _is_candidate(world, rules, cell, nation):
            if left == 0:
                return cell
            left -= 1
    return -1


@kernel
def _is_candidate(world: World, rules: Rules, cell: int, nation: int) -> bool:
    place = world.cells.flat[cell]
    if nation == OPEN_SEA:
        return bool(place.terrain == terrain.SEA)
    return bool(place.owner == nation and territory.is_land(world, rules, cell))
