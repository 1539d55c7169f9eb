"""What a nation of the rule AI does in a turn: the behaviour of the largest priority that is possible.

Priorities are constants of the ruleset (AI-002, AI-003): a larger number goes first. Version one
grows in peace: it keeps food, opens with a factory and a port, develops deposits, farms, fells,
expands, builds and researches; what would be an idle turn goes to a substitute (AI-033).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from hakoenv.agents.rule_ai import judgement, sites
from hakoenv.agents.rule_ai.orders import write
from numpy.typing import NDArray

from hakoenv.engine.codes import command, item, research, terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

# Behaviours with a priority, in the order in which equal ones are tried.
_EMERGENCY_FOOD = 0
_OPENING = 1
_DEVELOP = 2
_FARM = 3
_WOOD = 4
_EXPAND = 5
_FACTORY = 6
_MARKET = 7
_RESEARCH = 8
_BEHAVIOURS = 9

# Amounts of economic_facility (CMD-039).
_MARKET_BUILDING = 2
_PORT = 3
_RAISE = 10


@kernel(allocates=True)
def plan_fill(world: World, rules: Rules, nations: NDArray[Any]) -> None:
    """Phase 1: write the plan of the coming turn for each living nation named (TURN-002, AI-088)."""
    tried = np.zeros(_BEHAVIOURS, np.uint8)  # by behaviour: looked at for this nation
    for k in range(nations.shape[0]):
        if world.nations[nations[k]].alive:
            _plan(world, rules, int(nations[k]), tried)


@kernel
def _plan(world: World, rules: Rules, n: int, tried: NDArray[Any]) -> None:
    """Fill the turn's slot with the first behaviour that is possible, or with a substitute."""
    _forget_plan(world, n)
    tried[:] = 0
    for _ in range(_BEHAVIOURS):
        best = -1
        for behaviour in range(_BEHAVIOURS):
            if not tried[behaviour]:
                if best < 0 or _priority(rules, behaviour) > _priority(rules, best):
                    best = behaviour
        tried[best] = 1
        if _try(world, rules, n, best):
            return
    _substitute(world, rules, n)


@kernel
def _forget_plan(world: World, n: int) -> None:
    """Drop the plan and what it left in the AI's memory: planning a turn twice gives the same plan."""
    nation = world.nations[n]
    nation.plan_length = 0
    if nation.expanded > world.clock[0].turn:
        nation.expanded = nation.expanded_before
    if nation.developed > world.clock[0].turn:
        nation.developed = nation.developed_before
    nation.expanded_before = nation.expanded
    nation.developed_before = nation.developed


@kernel
def _priority(rules: Rules, behaviour: int) -> int:
    s = rules.scalars[0]
    if behaviour == _EMERGENCY_FOOD:
        return s.ai_priority_emergency_food
    if behaviour == _OPENING:
        return s.ai_priority_opening
    if behaviour == _DEVELOP:
        return s.ai_priority_develop
    if behaviour == _FARM:
        return s.ai_priority_farm
    if behaviour == _WOOD:
        return s.ai_priority_wood
    if behaviour == _EXPAND:
        return s.ai_priority_expand
    if behaviour == _FACTORY:
        return s.ai_priority_factory
    if behaviour == _MARKET:
        return s.ai_priority_market
    return s.ai_priority_research


@kernel
def _try(world: World, rules: Rules, n: int, behaviour: int) -> bool:
    """Plan the behaviour if its conditions hold and its cost is payable."""
    if behaviour == _EMERGENCY_FOOD:
        return _feed(world, rules, n)
    if behaviour == _OPENING:
        return _open(world, rules, n)
    if behaviour == _DEVELOP:
        return _develop(world, rules, n, False)
    if behaviour == _FARM:
        return _farm(world, rules, n)
    if behaviour == _WOOD:
        return _get_wood(world, rules, n)
    if behaviour == _EXPAND:
        return _expand(world, rules, n, False)
    if behaviour == _FACTORY:
        return judgement.wants_factory(world, rules, n) and _raise_or_build(world, rules, n, command.FACTORY)
    if behaviour == _MARKET:
        return judgement.wants_market(world, rules, n) and _market(world, rules, n)
    return _research(world, rules, n)


@kernel
def _substitute(world: World, rules: Rules, n: int) -> None:
    """An otherwise idle turn (AI-033): develop, expand, a second port, else fundraise (AI-040)."""
    s = rules.scalars[0]
    if _develop(world, rules, n, True):
        return
    if _expand(world, rules, n, True):
        return
    if sites.count_own(world, n, terrain.PORT) < s.ai_ports_target:  # AI-038
        place = sites.port_site(world, rules, n, s.ai_port_distance)
        if place >= 0 and write(world, rules, n, command.ECONOMIC_FACILITY, place, _PORT):
            return
    write(world, rules, n, command.FUNDRAISE, -1, 0)


@kernel
def _open(world: World, rules: Rules, n: int) -> bool:
    """The first factory, then the first port, once payable with something left (AI-062)."""
    left = rules.scalars[0].ai_opening_funds_left
    if sites.count_own(world, n, terrain.FACTORY) + sites.count_own(world, n, terrain.LARGE_FACTORY) == 0:
        place = sites.building_site(world, rules, n, True)
        payable = judgement.funds_after(world, n, judgement.factory_cost(world, rules)) >= left
        return place >= 0 and payable and write(world, rules, n, command.FACTORY, place, 0)
    if sites.count_own(world, n, terrain.PORT) == 0:
        place = sites.port_site(world, rules, n, 0)
        payable = judgement.funds_after(world, n, judgement.port_cost(rules)) >= left
        return place >= 0 and payable and write(world, rules, n, command.ECONOMIC_FACILITY, place, _PORT)
    return False


@kernel
def _feed(world: World, rules: Rules, n: int) -> bool:
    """In a food emergency: a farm, new or enlarged, even on an unguarded border (AI-060)."""
    if not judgement.food_emergency(world, rules, n):
        return False
    place = sites.emergency_farm(world, rules, n)
    return place >= 0 and write(world, rules, n, command.FARM, place, 0)


@kernel
def _farm(world: World, rules: Rules, n: int) -> bool:
    """Enlarge a farm, or build one (AI-090); never above 30 turns of food (AI-029)."""
    if judgement.food_is_ample(world, rules, n) or not judgement.wants_farm(world, rules, n):
        return False
    return _raise_or_build(world, rules, n, command.FARM)


@kernel
def _raise_or_build(world: World, rules: Rules, n: int, what: int) -> bool:
    """Enlarge an own farm or factory that can still grow, else build on the safest own plains."""
    place = sites.to_enlarge(world, rules, n, what)
    if place < 0:
        place = sites.building_site(world, rules, n, False)
    return place >= 0 and write(world, rules, n, what, place, 0)


@kernel
def _market(world: World, rules: Rules, n: int) -> bool:
    place = sites.lowest_own(world, rules, n, terrain.MARKET)
    if place >= 0 and write(world, rules, n, command.ECONOMIC_FACILITY, place, _RAISE):
        return True
    place = sites.building_site(world, rules, n, False)
    return place >= 0 and write(world, rules, n, command.ECONOMIC_FACILITY, place, _MARKET_BUILDING)


@kernel
def _get_wood(world: World, rules: Rules, n: int) -> bool:
    """When wood runs short, fell the forest with most trees (AI-090); plant where too few are growing."""
    s = rules.scalars[0]
    if world.nations[n].treasury[item.WOOD] >= s.ai_wood_below:
        return False
    place = sites.fullest_forest(world, rules, n, s.ai_forest_min_trees)
    if place >= 0:
        return write(world, rules, n, command.FELL_FOREST, place, 0)
    if sites.safe_forests(world, rules, n) >= s.ai_forests_target:
        return False
    place = sites.building_site(world, rules, n, False)
    return place >= 0 and write(world, rules, n, command.PLANT_FOREST, place, 0)


@kernel
def _develop(world: World, rules: Rules, n: int, idle: bool) -> bool:
    """A new mine, else one level more for a working one (AI-018 .. AI-025, AI-030)."""
    nation = world.nations[n]
    if not idle and nation.developed > 0:
        if world.clock[0].turn + 1 - nation.developed < rules.scalars[0].ai_develop_interval:
            return False
    if not judgement.can_staff_mines(world, rules, n):
        return False
    what, place = command.MINE, sites.deposit_to_develop(world, rules, n)
    if place < 0 or not write(world, rules, n, what, place, 0):
        what, place = command.MINE_LEVEL_UP, sites.mine_to_raise(world, rules, n)
        if place < 0 or not write(world, rules, n, what, place, 0):
            return False
    nation.developed = world.clock[0].turn + 1
    return True


@kernel
def _expand(world: World, rules: Rules, n: int, idle: bool) -> bool:
    """Take the best ownerless land hex beside the territory (AI-027, AI-028, AI-034)."""
    nation = world.nations[n]
    if not idle and nation.expanded > 0:
        if world.clock[0].turn + 1 - nation.expanded < rules.scalars[0].ai_expand_interval:
            return False
    place = sites.expansion(world, rules, n)
    if place < 0:
        return False
    what = sites.taking(world, rules, n, place)
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
    if judgement.wants_factory(world, rules, n) and write(world, rules, n, command.FACTORY, place, 0):
        return True
    if not judgement.food_is_ample(world, rules, n) and write(world, rules, n, command.FARM, place, 0):
        return True
    if judgement.wants_market(world, rules, n):
        if write(world, rules, n, command.ECONOMIC_FACILITY, place, _MARKET_BUILDING):
            return True
    return write(world, rules, n, command.PLANT_FOREST, place, 0)


@kernel
def _research(world: World, rules: Rules, n: int) -> bool:
    """Research production to its first goal, then the lowest branch (AI-090)."""
    s = rules.scalars[0]
    nation = world.nations[n]
    if nation.research_branch != research.NONE:
        return False
    branch = research.PRODUCTION
    if nation.research[branch] >= s.ai_research_production_first:
        for other in range(research.COUNT):
            if nation.research[other] < nation.research[branch]:
                branch = other
    if nation.research[branch] >= s.research_level_max:
        return False
    cost = rules.research[branch, nation.research[branch] + 1].cost
    if nation.treasury[item.FUNDS] - cost < s.ai_research_funds_left:
        return False
    return write(world, rules, n, command.RESEARCH, -1, branch)
