"""What a ship may enter: water, what is built on it, who lies there (NAVY-076, NAVY-077, NAVY-081)."""

from __future__ import annotations

import numpy as np

from hakoenv.engine import view
from hakoenv.engine.codes import relation, terrain
from hakoenv.engine.diplomacy import containment
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

CLOSED = 0
PASSAGE = 1  # a port: may be crossed, no place to stop
OPEN = 2
MINED = 3  # open, but routes avoid it (NAVY-050)

_WATER = np.zeros(terrain.COUNT, np.int64)  # what a ground is to a ship that enters shallows
_WATER[[terrain.SEA, terrain.SHALLOWS, terrain.OFFSHORE_OIL]] = OPEN
_WATER[[terrain.PORT, terrain.NAVAL_PORT]] = PASSAGE
_WATER[terrain.NAVAL_MINE] = MINED
_SHALLOW = np.zeros(terrain.COUNT, np.bool_)  # closed to ships that keep to the deep
_SHALLOW[[terrain.SHALLOWS, terrain.PORT, terrain.NAVAL_PORT]] = True


@kernel
def way(world: World, rules: Rules, viewer: int, nation: int, kind: int, cell: int) -> int:
    """What a cell is to a ship of a class and nation (-1 nobody's), whoever lies there, as a viewer knows it.

    The depth of water is on every chart: shallows are known even where their looks are hidden. An oil field
    on land is none of the sea's.
    """
    place = world.cells.flat[cell]
    ground = int(place.terrain)
    if ground != terrain.SHALLOWS:
        ground = view.terrain(world, rules, viewer, cell)
    if _SHALLOW[ground] and not rules.ship_classes[kind].enters_shallows:
        return int(CLOSED)
    found = int(_WATER[ground])
    if ground == terrain.OFFSHORE_OIL and place.below != terrain.SEA and place.below != terrain.SHALLOWS:
        return int(CLOSED)
    if found == PASSAGE and not _lets_in(world, int(place.owner), nation):
        return int(CLOSED)
    return found


@kernel
def _lets_in(world: World, host: int, nation: int) -> bool:
    """Whether ships may cross a port of a host: none of enemies, nobody's (NAVY-077, NAVY-103, CONT-013)."""
    return nation >= 0 and not (is_hostile(world, nation, host) or containment.bars(world, nation, host))


@kernel
def is_hostile(world: World, nation: int, other: int) -> bool:
    """Whether a war between two nations is open or declared (NAVY-073, NAVY-077); nobody (-1) has none."""
    if nation < 0 or other < 0 or nation == other:
        return False
    state = world.relations[nation, other].state
    return bool(state == relation.WAR or state == relation.PENDING)


@kernel
def is_taken(world: World, rules: Rules, viewer: int, cell: int) -> bool:
    """Whether the viewer sees a ship or unit there: two never share a cell (EMBARK-006, EMBARK-007)."""
    return view.ship(world, rules, viewer, cell) >= 0 or view.unit(world, rules, viewer, cell) >= 0
