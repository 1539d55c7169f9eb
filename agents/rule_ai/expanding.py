"""How the rule AI takes ownerless land (AI-028, AI-034) and keeps its border from being taken (AI-039)."""

from __future__ import annotations

from hakoenv.agents.rule_ai import building, frontier, industry, judgement
from hakoenv.agents.rule_ai.orders import write

from hakoenv.engine.codes import command
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def expand(world: World, rules: Rules, n: int, idle: bool) -> bool:
    """Take the best ownerless land hex beside the territory (AI-027, AI-028, AI-034)."""
    nation = world.nations[n]
    if not idle and nation.expanded > 0:
        if world.clock[0].turn + 1 - nation.expanded < rules.scalars[0].ai_expand_interval:
            return False
    place = frontier.expansion(world, rules, n, False)
    if place < 0:
        return False
    what = frontier.taking(world, rules, n, place)
    if what == command.PLANT_FOREST:
        done = _settle_plains(world, rules, n, place)
    else:
        done = write(world, rules, n, what, place, 0)
    if done:
        nation.expanded = world.clock[0].turn + 1
    return done


@kernel
def _settle_plains(world: World, rules: Rules, n: int, place: int) -> bool:
    """Take ownerless plains by the building wanted next, else by planting a forest (AI-034)."""
    fields = judgement.wants_farm(world, rules, n) or judgement.wants_spare_farm(world, rules, n)
    if fields and write(world, rules, n, command.FARM, place, 0):
        return True
    if industry.wants_factory(world, rules, n) and write(world, rules, n, command.FACTORY, place, 0):
        return True
    if judgement.wants_market(world, rules, n):
        if write(world, rules, n, command.ECONOMIC_FACILITY, place, building.MARKET):
            return True
    return write(world, rules, n, command.PLANT_FOREST, place, 0)


@kernel
def plant_border(world: World, rules: Rules, n: int) -> bool:
    """Turn own plains on an open border into forest, which development can't take (AI-039)."""
    place = frontier.border_plains(world, rules, n)
    return place >= 0 and write(world, rules, n, command.PLANT_FOREST, place, 0)
