"""Who owns which cells, as a list: phases that go nation by nation walk only what is there."""

from __future__ import annotations

import numpy as np

from hakoenv.engine.codes import terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel(allocates=True)
def index(world: World, rules: Rules) -> None:
    """Rebuild ``world.territory``: each nation's cells in cell order, then ownerless land and monsters.

    Nation n's cells are ``territory[first : first + held]``; what nobody owns follows the last nation's, up
    to ``clock.listed``: land, and the sea under a whale.
    """
    cells = world.cells.flat
    nations = world.nations
    for n in range(nations.shape[0]):
        nations[n].held = 0
    found = np.empty(world.cells.size, np.int32)  # all of them: the map is walked once, it is big
    count = 0
    for i in range(world.cells.size):
        owner = cells[i].owner
        if owner >= 0:
            nations[owner].held += 1
        elif cells[i].terrain == terrain.SEA or not _is_listed(world, rules, i):
            continue
        found[count] = i
        count += 1
    start = 0
    for n in range(nations.shape[0]):
        nations[n].first = start
        start += nations[n].held
        nations[n].held = 0
    world.clock[0].listed = count
    for k in range(count):
        owner = cells[found[k]].owner
        if owner >= 0:
            record = nations[owner]
            world.territory[record.first + record.held] = found[k]
            record.held += 1
        else:
            world.territory[start] = found[k]
            start += 1


@kernel
def count(world: World, nation: int, ground: int) -> int:
    """A nation's cells of a terrain, by the map as it stands within a turn."""
    found = 0
    for cell in range(world.cells.size):
        place = world.cells.flat[cell]
        found += place.terrain == ground and place.owner == nation
    return found


@kernel
def is_land(world: World, rules: Rules, cell: int) -> bool:
    """Whether a cell counts as land (SEASON-007). An oil field or a monster is what it stands on."""
    place = world.cells.flat[cell]
    ground = place.terrain
    if ground == terrain.OFFSHORE_OIL or ground == terrain.MONSTER:
        ground = place.below
    return rules.terrains[ground].counts_as_land == 1


@kernel
def _is_listed(world: World, rules: Rules, cell: int) -> bool:
    return world.cells.flat[cell].terrain == terrain.MONSTER or is_land(world, rules, cell)
