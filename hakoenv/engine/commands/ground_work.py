"""What commands of a cell do once they are allowed and paid."""

from __future__ import annotations

from hakoenv.engine import chance, ground, happenings, hexgrid, stock
from hakoenv.engine.codes import cause, deposit, event, item, research, terrain
from hakoenv.engine.codes import command as number
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.codes import TERRAIN_KINDS
from hakoenv.ruleset.compiled import Rules

_NATURE = TERRAIN_KINDS.index("nature")


@kernel
def carry_out(
    world: World, rules: Rules, nation: int, command: int, amount: int, cell: int, result: int
) -> None:
    """Do the work of a command: ``result`` is the terrain to be, as ``sites.work`` says."""
    place = world.cells.reshape(-1)[cell]
    kind = rules.terrains[result]
    if command == number.SURVEY:
        _survey(world, rules, nation, cell)
    elif command == number.TUNNEL:
        place.tunnel = 1
    elif place.terrain == result:  # one step up; a foreign farm or factory changes hands: AI-045
        ground.claim(world, rules, cell, nation, result)
        before = int(place.level)
        place.level = max(before, min(before + kind.level_step, kind.level_max))
        happenings.record(world, event.FACILITY_RAISED, nation, cell, int(place.level))
    elif result == terrain.LARGE_MINE or result == terrain.MODERN_CITY:
        place.terrain = result  # level, pile and people stay: MAP-024
        happenings.record(world, event.FACILITY_BUILT, nation, cell, result)
    else:
        if command == number.FELL_FOREST:
            _fell(world, rules, nation, int(place.level))
        level = amount if result == terrain.MONUMENT else kind.level_start
        _build(world, rules, nation, cell, result, level)


@kernel
def _survey(world: World, rules: Rules, nation: int, cell: int) -> None:
    """Wasteland may hide oil, more often near water; a mountain hides nothing (SURVEY-002 .. SURVEY-005)."""
    s = rules.scalars[0]
    cells = world.cells.reshape(-1)
    height, width = world.cells.shape
    cells[cell].surveyed = world.clock[0].turn
    if cells[cell].terrain != terrain.WASTELAND:
        return
    percent = float(s.survey_percent)
    for k in range(1, hexgrid.disc_size(min(s.survey_coast_distance, hexgrid.MAX_RADIUS))):
        near = hexgrid.nth(width, height, cell, k)
        if near >= 0 and (cells[near].terrain == terrain.SEA or cells[near].terrain == terrain.SHALLOWS):
            percent = float(s.survey_percent_coast)
    if chance.happens(world, chance.SURVEY_FIND, cell, nation, percent):
        cells[cell].deposit = deposit.OIL
        cells[cell].richness = s.survey_richness
        happenings.record(world, event.DEPOSIT_FOUND, nation, cell, deposit.OIL)


@kernel
def _fell(world: World, rules: Rules, nation: int, trees: int) -> None:
    """Trees become wood, more with production research, one floor (RES-009, RES-010, RES-013)."""
    level = world.nations[nation].research[research.PRODUCTION]
    wood = trees * rules.research[research.PRODUCTION, level].effect_percent // 100
    stock.gain(world, rules, nation, item.WOOD, wood, cause.LOGGING)


@kernel
def _build(world: World, rules: Rules, nation: int, cell: int, result: int, level: int) -> None:
    """Put something new on the cell, which becomes the nation's; dug water becomes nobody's."""
    place = world.cells.reshape(-1)[cell]
    pile = place.richness
    kind = rules.terrains[result]
    owner = nation
    if result == terrain.SEA or result == terrain.SHALLOWS:
        owner = int(ground.NOBODY)
    else:
        ground.claim(world, rules, cell, nation, result)
    ground.put(world, rules, cell, result, owner, level)
    if kind.mine >= 0:  # the first pile is the richness and may exceed the cap: DEV-016, DEV-017
        place.pile = pile
    if kind.is_town:
        place.population = level
    if kind.kind != _NATURE and kind.disguise < 0:  # hidden sites are no public event
        happenings.record(world, event.FACILITY_BUILT, nation, cell, result)
