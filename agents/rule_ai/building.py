"""What the rule AI builds: farms, factories, markets, ports, power plants, and the room for them."""

from __future__ import annotations

from hakoenv.agents.rule_ai import industry, judgement, sites
from hakoenv.agents.rule_ai.orders import NOWHERE, write

from hakoenv.engine.codes import command, item, research, terrain
from hakoenv.engine.commands import outlook
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

# Amounts of economic_facility (CMD-039).
REFINERY = 0
ARSENAL = 1
MARKET = 2
PORT = 3
_RAISE = 10


@kernel
def feed(world: World, rules: Rules, n: int) -> bool:
    """In a food emergency: a farm, new or enlarged, even on an unguarded border (AI-060).

    Our own, and sooner: a field that has no fuel is given up, for its people grow more by hand.
    """
    emergency = judgement.food_emergency(world, rules, n)
    if judgement.fields_lie_idle(world, rules, n):
        place = sites.largest_field(world, rules, n, emergency)
        return place >= 0 and write(world, rules, n, command.PREPARE_LAND, place, 0)
    if not emergency or not judgement.has_fuel_for_fields(world, rules, n):
        return False
    place = sites.emergency_farm(world, rules, n)
    return place >= 0 and write(world, rules, n, command.FARM, place, 0)


@kernel
def open_up(world: World, rules: Rules, n: int) -> bool:
    """The first factory, then the first port, once payable with something left (AI-062)."""
    left = rules.scalars[0].ai_opening_funds_left
    if sites.count_own(world, n, terrain.FACTORY) + sites.count_own(world, n, terrain.LARGE_FACTORY) == 0:
        place = sites.building_site(world, rules, n, True)
        payable = judgement.funds_after(world, n, judgement.factory_cost(world, rules)) >= left
        return place >= 0 and payable and write(world, rules, n, command.FACTORY, place, 0)
    if sites.count_own(world, n, terrain.PORT) == 0:
        place = sites.port_site(world, rules, n, 0)
        payable = judgement.funds_after(world, n, judgement.port_cost(rules)) >= left
        return place >= 0 and payable and write(world, rules, n, command.ECONOMIC_FACILITY, place, PORT)
    return False


@kernel
def second_port(world: World, rules: Rules, n: int) -> bool:
    """One port more while there are few, away from the others (AI-038)."""
    s = rules.scalars[0]
    if sites.count_own(world, n, terrain.PORT) >= s.ai_ports_target:
        return False
    place = sites.port_site(world, rules, n, s.ai_port_distance)
    return place >= 0 and write(world, rules, n, command.ECONOMIC_FACILITY, place, PORT)


@kernel
def farm(world: World, rules: Rules, n: int) -> bool:
    """Enlarge a farm, or build one (AI-090); never above 30 turns of food (AI-029)."""
    return judgement.wants_farm(world, rules, n) and _raise_or_build(world, rules, n, command.FARM)


@kernel
def spare_farm(world: World, rules: Rules, n: int) -> bool:
    """Fields for many people without work while food is not ample: with ample food they may do better.

    Above 30 turns of food industry takes its workers first (AI-031), so the way to it is a full granary.
    """
    return judgement.wants_spare_farm(world, rules, n) and _raise_or_build(world, rules, n, command.FARM)


@kernel
def factory(world: World, rules: Rules, n: int) -> bool:
    """Enlarge a factory, or build one (AI-090)."""
    return industry.wants_factory(world, rules, n) and _raise_or_build(world, rules, n, command.FACTORY)


@kernel
def _raise_or_build(world: World, rules: Rules, n: int, what: int) -> bool:
    """Enlarge an own farm or factory that can still grow, else build on the safest own plains."""
    place = sites.to_enlarge(world, rules, n, what)
    if place < 0:
        place = sites.building_site(world, rules, n, False)
    if place < 0:
        return make_room(world, rules, n)
    return write(world, rules, n, what, place, 0)


@kernel
def market(world: World, rules: Rules, n: int) -> bool:
    """Market levels by the number of people (AI-090)."""
    return judgement.wants_market(world, rules, n) and facility(world, rules, n, int(terrain.MARKET), MARKET)


@kernel
def facility(world: World, rules: Rules, n: int, ground: int, amount: int) -> bool:
    """A level more for a refinery, arsenal or market, else a new one."""
    place = sites.lowest_own(world, rules, n, ground)
    if place >= 0 and write(world, rules, n, command.ECONOMIC_FACILITY, place, _RAISE):
        return True
    place = sites.building_site(world, rules, n, False)
    return place >= 0 and write(world, rules, n, command.ECONOMIC_FACILITY, place, amount)


@kernel
def power_plant(world: World, rules: Rules, n: int) -> bool:
    """A level of power more where industry and own fuel are large enough (AI-007, AI-008).

    The source says when it may; it does while money is left for what pays sooner.
    """
    left = judgement.funds_after(world, n, rules.commands[command.POWER_PLANT].cost)
    if left < rules.scalars[0].ai_power_funds_left or not industry.wants_power(world, rules, n):
        return False
    return raise_or_found(world, rules, n, int(terrain.POWER_PLANT), int(command.POWER_PLANT))


@kernel
def raise_or_found(world: World, rules: Rules, n: int, ground: int, what: int) -> bool:
    """Raise the lowest own facility of a terrain, else found one, by the same command."""
    place = sites.lowest_own(world, rules, n, ground)
    if place < 0:
        place = sites.building_site(world, rules, n, False)
    return place >= 0 and write(world, rules, n, what, place, 0)


@kernel
def wood(world: World, rules: Rules, n: int) -> bool:
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
def make_room(world: World, rules: Rules, n: int) -> bool:
    """Plains for something that is wanted: of wasteland, else of the forest with most trees (AI-051)."""
    place = sites.wasteland(world, rules, n)
    if place >= 0 and write(world, rules, n, command.PREPARE_LAND, place, 0):
        return True
    place = sites.fullest_forest(world, rules, n, 0)
    return place >= 0 and write(world, rules, n, command.FELL_FOREST, place, 0)


@kernel
def spare_room(world: World, rules: Rules, n: int) -> bool:
    """Some own plains, where villages can arise (MAP-044), as long as a forest stays."""
    s = rules.scalars[0]
    if sites.count_own(world, n, terrain.PLAINS) >= s.ai_plains_kept:
        return False
    if sites.safe_forests(world, rules, n) <= s.ai_forests_target:
        place = sites.wasteland(world, rules, n)
        return place >= 0 and write(world, rules, n, command.PREPARE_LAND, place, 0)
    return make_room(world, rules, n)


@kernel
def study(world: World, rules: Rules, n: int) -> bool:
    """Research production to its first goal, then the lowest branch (AI-090)."""
    s = rules.scalars[0]
    nation = world.nations[n]
    now = int(world.clock[0].turn)
    branch = int(research.PRODUCTION)
    level = outlook.research_level(nation, now, now + 1, branch)
    if level >= s.ai_research_production_first:
        for other in range(research.COUNT):
            reached = outlook.research_level(nation, now, now + 1, other)
            if reached < level:
                branch, level = other, reached
    if level >= s.research_level_max:
        return False
    if judgement.funds_after(world, n, rules.research[branch, level + 1].cost) < s.ai_research_funds_left:
        return False
    return write(world, rules, n, command.RESEARCH, NOWHERE, branch)
