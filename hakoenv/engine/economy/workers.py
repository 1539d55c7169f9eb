"""Who works where: the nation's one assignment of the turn (IND-033, IND-048; AI-031)."""

from __future__ import annotations

from typing import Any

import numpy as np

from hakoenv.engine.codes import author, controller, item, sector, terrain
from hakoenv.engine.economy import consumption, mining
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

# Kinds of work a cell gives; industry fills its own in this order (IND-048).
_FARMS, _MINES, _FACTORIES, _REFINERIES, _ARSENALS, _MARKETS, _PLANTS = range(1, 8)

_WORK: Any = np.zeros(terrain.COUNT, np.int64)  # by terrain, 0 none; power plants employ nobody (IND-034)
_WORK[[terrain.FARM, terrain.LARGE_FARM]] = _FARMS
_WORK[terrain.IRON_MINE : terrain.OFFSHORE_OIL + 1] = _MINES
_WORK[terrain.LARGE_MINE] = _MINES
_WORK[[terrain.FACTORY, terrain.LARGE_FACTORY]] = _FACTORIES
_WORK[terrain.REFINERY] = _REFINERIES
_WORK[terrain.ARSENAL] = _ARSENALS
_WORK[terrain.MARKET] = _MARKETS
_WORK[terrain.POWER_PLANT] = _PLANTS


@kernel
def choose_order(world: World, rules: Rules, nation: int) -> None:
    """Fix the worker order of the turn: industry first for AI plans with plenty of food (AI-031, AI-032)."""
    record = world.nations[nation]
    record.mines_first = 0
    planned_by_ai = record.controller == controller.RULE_AI or record.author == author.PROXY
    if record.alive and planned_by_ai:
        eaten = consumption.rations(world, rules, nation)
        record.mines_first = record.treasury[item.FOOD] > rules.scalars[0].ai_food_ample_turns * eaten


@kernel
def ensure(world: World, rules: Rules, nation: int) -> None:
    """Assign the workers unless it was done in this turn (TURN-059: the assignment is not repeated)."""
    if world.nations[nation].assigned_turn != world.clock[0].turn:
        assign(world, rules, nation)


@kernel
def assign(world: World, rules: Rules, nation: int) -> None:
    """Divide the people of the towns among the three sectors and town farming (IND-048).

    The shares are upper bounds of agriculture and industry, commerce gets the rest; who finds no
    job there falls to the fields, then to town farming.
    """
    record = world.nations[nation]
    record.assigned_turn = world.clock[0].turn
    record.fuel_need = record.fuel_used = record.plant_fuel = 0
    people, farm_jobs, mine_jobs, factory_jobs, refinery_jobs, arsenal_jobs, market_jobs, plants = _count(
        world, rules, nation
    )
    industry_jobs = mine_jobs + factory_jobs + refinery_jobs + arsenal_jobs
    if record.mines_first:
        industry = min(people, industry_jobs)
        farms = min(people - industry, farm_jobs)
        markets = min(people - industry - farms, market_jobs)
    else:
        fields_bound = people * int(record.shares[sector.AGRICULTURE]) // 100
        industry_bound = people * int(record.shares[sector.INDUSTRY]) // 100
        industry = min(industry_bound, industry_jobs)
        markets = max(0, min(people - fields_bound - industry_bound, market_jobs))
        farms = min(people - industry - markets, farm_jobs)
    record.population = people
    record.farm_jobs = farm_jobs
    record.industry_jobs = industry_jobs
    record.plant_levels = plants
    record.assigned[sector.AGRICULTURE] = record.farm_workers = farms
    record.assigned[sector.INDUSTRY] = industry
    record.assigned[sector.COMMERCE] = record.market_workers = markets
    record.town_farmers = people - industry - farms - markets
    record.mine_workers = min(industry, mine_jobs)
    industry -= record.mine_workers
    record.factory_workers = min(industry, factory_jobs)
    industry -= record.factory_workers
    record.refinery_workers = min(industry, refinery_jobs)
    record.arsenal_workers = industry - record.refinery_workers


@kernel
def mostly_jobless(world: World, rules: Rules, nation: int) -> bool:
    """Whether more than the limit of the people have no job; town farming is none (MAP-044: no_jobs)."""
    record = world.nations[nation]
    people = record.assigned[0] + record.assigned[1] + record.assigned[2] + record.town_farmers
    return bool(record.town_farmers * 100 > people * rules.scalars[0].growth_no_jobs_condition_idle_percent)


@kernel
def _count(world: World, rules: Rules, nation: int) -> tuple[int, int, int, int, int, int, int, int]:
    """People; jobs on farms, in mines, factories, refineries, arsenals and markets; plant levels."""
    cells = world.cells.flat
    record = world.nations[nation]
    people = farms = mines = factories = refineries = arsenals = markets = plants = 0
    for k in range(record.first, record.first + record.held):
        cell = int(world.territory[k])
        ground = cells[cell].terrain
        work = _WORK[ground]
        if work == 0:
            if rules.terrains[ground].is_town:
                people += int(cells[cell].population)
            continue
        size = int(cells[cell].level) * rules.terrains[ground].workers_per_level
        if work == _FARMS:
            farms += size
        elif work == _MINES:
            mines += mining.jobs(world, rules, cell)
        elif work == _FACTORIES:
            factories += size
        elif work == _REFINERIES:
            refineries += size
        elif work == _ARSENALS:
            arsenals += size
        elif work == _MARKETS:
            markets += size
        else:
            plants += int(cells[cell].level)
    return people, farms, mines, factories, refineries, arsenals, markets, plants
