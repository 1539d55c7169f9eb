"""What damage does to a cell: the same whatever deals it (DIS-019, BOMB-007 .. BOMB-018)."""

from __future__ import annotations

import numpy as np

from hakoenv.engine import ground, hexgrid, territory
from hakoenv.engine.codes import deposit, research, terrain
from hakoenv.engine.economy import mining, towns
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import hulls
from hakoenv.engine.world import World
from hakoenv.ruleset.codes import TERRAIN_KINDS
from hakoenv.ruleset.compiled import Rules

_STANDING = ("nature", "special", "ship")  # kinds of terrain that are no buildings
_NO_BUILDING = np.array([kind in _STANDING for kind in TERRAIN_KINDS])

_LEFT = np.full(terrain.COUNT, terrain.WASTELAND)  # what a destroyed building leaves (BOMB-009, MSL-026)
_LEFT[[terrain.SEABED_BASE, terrain.NAVAL_MINE]] = terrain.SEA
_LEFT[[terrain.BREAKWATER, terrain.FISH_FARM]] = terrain.SHALLOWS
_LEFT[
    [
        terrain.IRON_MINE, terrain.QUARRY, terrain.COAL_MINE, terrain.OPEN_PIT, terrain.URANIUM_MINE,
        terrain.LARGE_MINE,
    ]
] = terrain.MOUNTAIN  # fmt: skip


@kernel
def strengthened(world: World, rules: Rules, nation: int, amount: int) -> int:
    """A damage with the nation's military research, cut once (MSL-018, NAVY-005, BOMB-026)."""
    level = world.nations[nation].research[research.MILITARY]
    return int(amount * rules.research[research.MILITARY, level].effect_percent // 100)


@kernel
def spared_by_nature(world: World, rules: Rules, cell: int) -> bool:
    """Whether the cell is a capital, which no natural disaster changes (DIS-002)."""
    owner = world.cells.flat[cell].owner
    if owner < 0 or not rules.scalars[0].disaster_capital_immune:
        return False
    return bool(world.nations[owner].capital == cell)


@kernel
def lose_people(world: World, rules: Rules, cell: int, percent: int) -> int:
    """A town loses a share of its people, cut, but never the last; return how many went."""
    gone = world.cells.flat[cell].population * percent // 100
    return int(towns.lose(world, rules, cell, gone, rules.terrains[terrain.TOWN].level_min))


@kernel
def ruin(world: World, rules: Rules, cell: int) -> None:
    """What stands on a land cell is gone, its owner keeps the wasteland."""
    ground.put(world, rules, cell, terrain.WASTELAND, int(world.cells.flat[cell].owner), 0)


@kernel
def flood(world: World, rules: Rules, cell: int, water: int) -> None:
    """A cell becomes sea or shallows, which nobody owns; only oil that lay under open water stays."""
    place = world.cells.flat[cell]
    was_open = ground.is_open_water(int(place.below if place.terrain == terrain.MONSTER else place.terrain))
    ground.put(world, rules, cell, water, ground.NOBODY, 0)
    if not was_open:
        place.deposit = deposit.NONE
        place.richness = 0


@kernel
def step_down(world: World, rules: Rules, cell: int) -> None:
    """Works lose one step; what has no step left to lose is plains again, of the same owner.

    A mine loses a level as in a collapse.
    """
    place = world.cells.flat[cell]
    kind = rules.terrains[place.terrain]
    left = place.level - kind.level_step
    if kind.mine >= 0:
        mining.lose_level(world, rules, cell)
    elif kind.level_step <= 0 or left < max(1, kind.level_min):
        ground.put(world, rules, cell, terrain.PLAINS, int(place.owner), 0)
    else:
        place.level = left
        if place.terrain == terrain.WAREHOUSE and place.owner >= 0:
            ground.close_stores(world, rules, int(place.owner))


@kernel
def lay_waste(world: World, rules: Rules, cell: int, away: int) -> bool:
    """Wide damage to a cell ``away`` from its centre: sea there, shallows beside it, waste further out.

    Mountains and water beyond the first ring are spared. Returns whether the cell was hit.
    """
    if away <= 1:
        flood(world, rules, cell, terrain.SHALLOWS if away else terrain.SEA)
    elif world.cells.flat[cell].terrain == terrain.MOUNTAIN or not territory.is_land(world, rules, cell):
        return False
    else:
        ruin(world, rules, cell)
    return True


@kernel
def toss_ships(world: World, rules: Rules, centre: int, radius: int) -> None:
    """Wide damage to ships: those near the centre sink, others within the radius are hurt."""
    s = rules.scalars[0]
    width = world.cells.shape[1]
    for k in range(world.clock[0].ships):
        if world.ships[k].kind == 0:
            continue
        away = hexgrid.distance(width, centre, world.ships[k].cell)
        if away <= s.disasters_huge_meteor_effect_ship_sink_radius:
            hulls.sink(world, rules, k, hulls.NOBODY)
        elif away <= radius:
            hulls.hurt(world, rules, k, s.disasters_huge_meteor_effect_ship_damage, hulls.NOBODY)


@kernel
def drive_out(world: World, rules: Rules, cell: int, percent: int) -> int:
    """A hit town loses a share of its people, cut but at least one, maybe the last; return how many.

    It stays a town; military research does not change it (BOMB-014, BOMB-021, MSL-026, DIS-003).
    """
    if percent <= 0:
        return 0
    gone = max(1, int(world.cells.flat[cell].population) * percent // 100)
    return int(towns.lose(world, rules, cell, gone, 0))


@kernel
def batter(world: World, rules: Rules, cell: int, hits: int) -> bool:
    """So many hits on what is built on a cell, towns apart; return whether there was anything to hit.

    Farms and factories lose levels (BOMB-016 .. BOMB-018), other buildings count their hits and are gone
    with the last one (BOMB-007 .. BOMB-009).
    """
    s = rules.scalars[0]
    place = world.cells.flat[cell]
    kind = rules.terrains[place.terrain]
    if hits <= 0 or _NO_BUILDING[kind.kind] or kind.is_town:
        return False
    farm = place.terrain == terrain.FARM or place.terrain == terrain.LARGE_FARM
    if farm or place.terrain == terrain.FACTORY or place.terrain == terrain.LARGE_FACTORY:
        left = int(place.level) - hits * (s.bombard_farm_step if farm else s.bombard_factory_step)
        if left < (s.bombard_farm_min if farm else s.bombard_factory_min):
            ground.put(world, rules, cell, terrain.PLAINS, int(place.owner), 0)
        else:
            place.level = left
    elif int(place.hits) + hits < s.ship_facility_hits:
        place.hits += hits
    else:
        tear_down(world, rules, cell)
    return True


@kernel
def tear_down(world: World, rules: Rules, cell: int) -> None:
    """A building is gone (BOMB-009): wasteland of the same owner, or the water that it stood in, nobody's.

    A mine or oil field is its deposit's natural ground again (MSL-026).
    """
    place = world.cells.flat[cell]
    left = int(place.below if place.terrain == terrain.OFFSHORE_OIL else _LEFT[place.terrain])
    owner = ground.NOBODY if ground.is_open_water(left) else int(place.owner)
    ground.put(world, rules, cell, left, owner, 0)
