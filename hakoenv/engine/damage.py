"""What damage does to a cell: the same whatever deals it (DIS-019)."""

from __future__ import annotations

from hakoenv.engine import ground
from hakoenv.engine.codes import deposit, terrain
from hakoenv.engine.economy import mining, towns
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


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
    was_open = ground.is_open_water(int(place.terrain))
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
