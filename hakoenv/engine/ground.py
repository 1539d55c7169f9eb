"""Changing what lies on a cell, with everything that hangs on it."""

from __future__ import annotations

from hakoenv.engine import happenings
from hakoenv.engine.codes import deposit, event, terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.codes import DOMAINS, TERRAIN_KINDS
from hakoenv.ruleset.compiled import Rules

NOBODY = -1
_WATER = DOMAINS.index("water")
_NATURE = TERRAIN_KINDS.index("nature")


@kernel
def put(world: World, rules: Rules, cell: int, ground: int, owner: int, level: int) -> None:
    """Make a cell terrain ``ground`` of ``owner`` (-1 nobody) at ``level``; what was there is gone.

    People, pile, experience and hits end; a tunnel ends with its mountain (MAP-033), a deposit with
    the last ground that can hold one. A new owner starts at the full resistance of the new terrain,
    the old one keeps at most that (ARMY-009). Works on water and oil fields remember what lies under
    them (MAP-015).
    """
    place = world.cells.reshape(-1)[cell]
    kind = rules.terrains[ground]
    over_water = kind.domain == _WATER and kind.kind != _NATURE
    place.below = place.terrain if over_water or ground == terrain.OFFSHORE_OIL else 0
    if owner < 0:
        place.resistance = 0
    elif place.owner != owner:
        place.resistance = kind.resistance_max
    else:
        place.resistance = min(int(place.resistance), kind.resistance_max)
    place.terrain = ground
    place.owner = owner
    place.level = level
    place.population = place.pile = place.experience = 0
    place.hits = place.worked = 0
    if ground != terrain.MOUNTAIN:
        place.tunnel = 0
    open_ground = ground == terrain.SEA or ground == terrain.SHALLOWS or ground == terrain.WASTELAND
    if not open_ground and ground != terrain.MOUNTAIN and kind.mine < 0:  # MAP-017, MAP-018
        place.deposit = deposit.NONE
        place.richness = 0


@kernel
def claim(world: World, rules: Rules, cell: int, nation: int, ground: int) -> None:
    """Give a cell to ``nation`` at the full resistance of its terrain (ARMY-009), a public event.

    The event's amount is the former owner, -1 nobody; what will look like sea (``ground``) is no event.
    """
    place = world.cells.reshape(-1)[cell]
    if place.owner == nation:
        return
    if rules.terrains[ground].disguise != terrain.SEA:
        happenings.record(world, event.CELL_CLAIMED, nation, cell, int(place.owner))
    place.owner = nation
    place.resistance = rules.terrains[ground].resistance_max
