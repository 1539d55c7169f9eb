"""How open land changes by itself: new villages, settlers, wasteland that recovers (MAP-044)."""

from __future__ import annotations

from hakoenv.engine import chance, ground, hexgrid
from hakoenv.engine.codes import deposit, terrain
from hakoenv.engine.economy import towns
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

_NEIGHBOURS = 6
NOBODY = -1  # no settled neighbour
SEVERAL = -2  # settled neighbours of more than one nation


@kernel
def settle(world: World, rules: Rules, cell: int) -> None:
    """Plains without a unit may become a village: own ones by settlements, ownerless by one nation's."""
    s = rules.scalars[0]
    place = world.cells.flat[cell]
    if place.unit >= 0:
        return
    count, claims, nation = settlements_around(world, rules, cell)
    if count == 0:
        return
    if place.owner >= 0:
        percent = count * s.growth_new_village_per_turn_percent
        if chance.happens(world, chance.NEW_VILLAGE, cell, 0, float(percent)):
            towns.found(world, rules, cell, terrain.TOWN, s.growth_new_village_per_turn_population)
    elif nation >= 0:
        percent = claims * s.growth_settlement_per_turn_percent
        if chance.happens(world, chance.SETTLEMENT, cell, 0, float(percent)):
            ground.claim(world, rules, cell, nation, terrain.TOWN)
            towns.found(world, rules, cell, terrain.TOWN, s.growth_new_village_per_turn_population)


@kernel
def settlements_around(world: World, rules: Rules, cell: int) -> tuple[int, int, int]:
    """Neighbours that are towns or farms above the smallest size: all, owned ones, and whose these are.

    The size of a town is its people, of a farm its level. The last is a nation, NOBODY or SEVERAL.
    """
    cells = world.cells.flat
    height, width = world.cells.shape
    least = rules.scalars[0].growth_new_village_condition_level_above
    count = claims = 0
    nation = NOBODY
    for direction in range(1, _NEIGHBOURS + 1):
        other = hexgrid.neighbour(width, height, cell, direction)
        if other < 0:
            continue
        ground = cells[other].terrain
        size = 0
        if rules.terrains[ground].is_town:
            size = int(cells[other].population)
        elif ground == terrain.FARM or ground == terrain.LARGE_FARM:
            size = int(cells[other].level)
        if size > least:
            count += 1
            owner = cells[other].owner
            if owner >= 0:
                claims += 1
                if nation == NOBODY:
                    nation = int(owner)
                elif nation != owner:
                    nation = SEVERAL
    return count, claims, nation


@kernel
def recover(world: World, rules: Rules, cell: int) -> None:
    """Own wasteland without deposit, not surveyed lately, may become plains (MAP-044)."""
    s = rules.scalars[0]
    place = world.cells.flat[cell]
    turns = s.growth_wasteland_to_plains_condition_survey_turns
    lately = place.surveyed > 0 and world.clock[0].turn - place.surveyed < turns
    if place.owner < 0 or place.deposit != deposit.NONE or lately:
        return
    percent = float(s.growth_wasteland_to_plains_per_turn_percent)
    if chance.happens(world, chance.WASTELAND_RECOVERY, cell, 0, percent):
        place.terrain = terrain.PLAINS
