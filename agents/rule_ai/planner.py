"""What a nation of the rule AI does in a turn: the list of its behaviours by priority.

Priorities are constants of the ruleset, `ai.priority_...` (AI-002, AI-003); a larger number goes first.
Settings stand at the head of the plan (AI-091), then what diplomacy, the army and aid do without taking a
turn; then behaviours are looked at from the largest number down, and the first that is possible and payable
and takes a turn ends the plan. What would be an idle turn goes to a substitute (AI-033).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from hakoenv.agents.rule_ai import (
    aid,
    building,
    campaign,
    defence,
    diplomacy,
    expanding,
    factions,
    fleet,
    land_route,
    landing,
    leagues,
    marching,
    mining,
    missiles,
    overseas,
    relief,
    settings,
    shipyard,
    spending,
    voyage,
)
from hakoenv.agents.rule_ai.orders import NOWHERE, write
from hakoenv.agents.rule_ai.staff import Staff, assemble, call_roll, survey
from numpy.typing import NDArray

from hakoenv.engine.codes import command, item
from hakoenv.engine.economy import workers
from hakoenv.engine.handles import one_of
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

_PREFIX = "ai_priority_"
_FIRST = "ai_overseas_priority"


@kernel
def _act(world: World, rules: Rules, n: int, staff: Staff, priority: int) -> bool:
    """Try the behaviours of a priority, those of equal ones in the order written here.

    Each plans its command if its conditions hold and its cost is payable; true if it takes the turn.
    """
    s = rules.scalars[0]
    return (
        (priority == s.ai_overseas_priority and overseas.go_on(world, rules, n, staff))
        or (priority == s.ai_priority_emergency_food and building.feed(world, rules, n))
        or defence.build_depot(world, rules, n, staff, priority)
        or (priority == s.ai_priority_land_route and land_route.build(world, rules, n, staff))
        or (priority == s.ai_priority_relief and relief.build(world, rules, n, staff))
        or (priority == s.ai_priority_missile and missiles.fire(world, rules, n, staff))
        or (priority == s.ai_priority_navy and shipyard.arm(world, rules, n, staff))
        or (priority == s.ai_priority_missile_base and missiles.build_base(world, rules, n, staff))
        or (priority == s.ai_priority_fuel and mining.end_fuel_shortage(world, rules, n))
        or (priority == s.ai_priority_opening and building.open_up(world, rules, n))
        or (priority == s.ai_priority_levelling and spending.level(world, rules, n))
        or (priority == s.ai_priority_mine and mining.dig_what_is_short(world, rules, n))
        or (priority == s.ai_priority_policy and settings.choose_policy(world, rules, n))
        or (priority == s.ai_priority_develop and mining.develop(world, rules, n, False))
        or (priority == s.ai_priority_power_plant and building.power_plant(world, rules, n))
        or (priority == s.ai_priority_farm and building.farm(world, rules, n))
        or (priority == s.ai_priority_salvage and shipyard.salvage(world, rules, n, staff))
        or (priority == s.ai_priority_wood and building.wood(world, rules, n))
        or (priority == s.ai_priority_expand and expanding.expand(world, rules, n, False))
        or (priority == s.ai_priority_factory and building.factory(world, rules, n))
        or (priority == s.ai_priority_refinery and mining.use_oil(world, rules, n))
        or (priority == s.ai_priority_market and building.market(world, rules, n))
        or (priority == s.ai_priority_research and building.study(world, rules, n))
        or (priority == s.ai_priority_spare_farm and building.spare_farm(world, rules, n))
        or (priority == s.ai_priority_spare_room and building.spare_room(world, rules, n))
        or (priority == s.ai_priority_modern_city and spending.build_modern_city(world, rules, n))
        or (priority == s.ai_priority_spare_navy and shipyard.keep_navy(world, rules, n, staff))
        or (priority == s.ai_priority_spare_market and spending.build_market(world, rules, n))
        or (priority == s.ai_priority_arsenal and spending.build_arsenal(world, rules, n))
        or (priority == s.ai_priority_warehouse and spending.build_warehouse(world, rules, n))
        or (priority == s.ai_priority_new_town and spending.build_new_town(world, rules, n))
        or (priority == s.ai_priority_seabed_city and spending.build_seabed_city(world, rules, n))
        or (priority == s.ai_priority_survey and spending.survey(world, rules, n))
        or (priority == s.ai_priority_taken_forest and expanding.plant_taken(world, rules, n))
    )


@kernel
def _arrange(world: World, rules: Rules, n: int, staff: Staff, priority: int) -> None:
    """The behaviours of a priority that take no turn: planned whatever fills it, and ahead of it (AI-002)."""
    if priority == rules.scalars[0].ai_priority_reserve_aid:
        aid.send(world, rules, n, staff)
        relief.lead(world, rules, n, staff)


@kernel
def _command(world: World, rules: Rules, n: int, staff: Staff) -> int:
    """Diplomacy, troops, ships and their orders; returns the funds that it spends.

    None of it takes a turn, so it is planned in every turn (AI-002).
    """
    survey(world, rules, n, staff)
    diplomacy.negotiate(world, rules, n, staff)
    factions.answer(world, rules, n)
    leagues.trade(world, rules, n)
    aid.consider(world, rules, n, staff)
    fleet.keep(world, rules, n, staff)
    overseas.steer(world, rules, n, staff)
    defence.post(world, rules, n, staff)
    defence.muster_what_is_missing(world, rules, n, staff)
    fleet.detail(staff)
    land_route.explore(world, rules, n, staff)
    relief.appoint(world, rules, n, staff)
    landing.appoint(world, rules, n, staff)
    campaign.raise_army(world, rules, n, staff)
    landing.lead(world, rules, n, staff)
    marching.steer(world, rules, n, staff)
    fleet.lead(world, rules, n, staff)
    factions.seek(world, rules, n, staff)
    return int(staff.head[0].spent)


@kernel
def _substitute(world: World, rules: Rules, n: int, staff: Staff) -> None:
    """An otherwise idle turn (AI-033): the first of these that is possible, else fundraise (AI-040)."""
    if not (
        mining.develop(world, rules, n, True)
        or expanding.expand(world, rules, n, True)
        or expanding.take_neighbours_hex(world, rules, n)
        or overseas.start(world, rules, n, staff)
        or building.second_port(world, rules, n)
        or expanding.plant_border(world, rules, n)
    ):
        write(world, rules, n, command.FUNDRAISE, NOWHERE, 0)


def write_plans(world: World, rules: Rules, nations: NDArray[Any]) -> None:
    """Write the plan of the coming turn for each living nation of ``nations`` (seat numbers)."""
    seats = np.ascontiguousarray(nations, dtype=np.int64)
    plan_fill(world, rules, seats, priorities(rules), assemble(world))


def write_plans_of_worlds(worlds: World, rules: Rules, whose: NDArray[np.bool_], staff: Staff) -> None:
    """`write_plans` in many worlds (`engine/worlds.py`).

    Args:
        worlds: changed as by `write_plans`.
        rules: theirs.
        whose: (E, N): which nations of each.
        staff: `assemble` of one of them.
    """
    plan_many(worlds, rules, whose, np.zeros(whose.shape[1], np.int64), priorities(rules), staff)


def priorities(rules: Rules) -> NDArray[np.int64]:
    """The priorities of all behaviours, largest first, each once."""
    scalars = rules.scalars[0]
    names = [name for name in rules.scalars.dtype.names or () if name.startswith(_PREFIX)]
    names.append(_FIRST)
    return np.unique(np.array([scalars[name] for name in names], np.int64))[::-1].copy()


@kernel
def plan_fill(world: World, rules: Rules, nations: NDArray[Any], levels: NDArray[Any], staff: Staff) -> None:
    """Phase 1: write the plan of the coming turn for each living nation named (TURN-002, AI-088).

    Args:
        world: changed: plans, and what the rule AI remembers of its steps.
        rules: of the season.
        nations: seats (int64).
        levels: `priorities` of these rules.
        staff: `assemble` of this world; overwritten.
    """
    call_roll(world, staff)
    for k in range(nations.shape[0]):
        n = int(nations[k])
        if world.nations[n].alive:
            _forget_plan(world, n)
            workers.ensure(world, rules, n)  # a nation just founded has not worked yet
            settings.keep(world, rules, n)
            spent = _command(world, rules, n, staff)
            world.nations[n].treasury[item.FUNDS] -= spent  # what follows is paid with what is left
            for step in range(levels.shape[0]):
                _arrange(world, rules, n, staff, levels[step])
            for step in range(levels.shape[0]):
                if _act(world, rules, n, staff, levels[step]):
                    break
            else:
                _substitute(world, rules, n, staff)
            world.nations[n].treasury[item.FUNDS] += spent


@kernel(allocates=True)
def plan_many(
    worlds: World, rules: Rules, whose: NDArray[Any], seats: NDArray[Any], levels: NDArray[Any], staff: Staff
) -> None:
    """`plan_fill` in each of many worlds for those whose (E, N) it is; ``seats`` (N,) is scratch."""
    for i in range(worlds.clock.shape[0]):
        count = 0
        for n in range(whose.shape[1]):
            if whose[i, n]:
                seats[count] = n
                count += 1
        if count > 0:
            plan_fill(one_of(worlds, i), rules, seats[:count], levels, staff)


@kernel
def _forget_plan(world: World, n: int) -> None:
    """Drop the plan and what it left in the AI's memory: planning a turn twice gives the same plan."""
    nation = world.nations[n]
    nation.plan_length = 0
    if nation.expanded > world.clock[0].turn:
        nation.expanded = nation.expanded_before
    if nation.developed > world.clock[0].turn:
        nation.developed = nation.developed_before
    voyage.recall(world, n)
    nation.expanded_before = nation.expanded
    nation.developed_before = nation.developed
