"""Growth and single-hex disasters, cell by cell in random order (phase 23)."""

from __future__ import annotations

from typing import Any

import numpy as np

from hakoenv.engine import chance, territory
from hakoenv.engine.codes import terrain
from hakoenv.engine.economy import fire, mining, settling, towns, workers
from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import monsters, monuments
from hakoenv.engine.rounding import ceil_div
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel(allocates=True)
def grow(world: World, rules: Rules) -> None:
    """Process every cell once, in an order drawn anew each turn: growth, then what befalls it (TURN-024).

    The order of the other cells (sea without owner) decides nothing, so only listed ones are drawn. A
    monster moves once, wherever it gets (DIS-018, TURN-051).
    """
    territory.index(world, rules)
    for n in range(world.nations.shape[0]):
        if world.nations[n].alive:
            workers.ensure(world, rules, n)
    order = hex_order(world)
    moved = np.zeros(world.cells.size, np.bool_)
    for k in range(order.shape[0]):
        cell = order[k]
        _grow_cell(world, rules, cell)
        _befall_cell(world, rules, cell)
        if world.cells.flat[cell].terrain == terrain.MONSTER and not moved[cell]:
            stands = monsters.roam(world, rules, cell)
            if stands >= 0:
                moved[stands] = True


@kernel(allocates=True)
def hex_order(world: World) -> Any:
    """A uniform random permutation of the listed cells (TURN-024)."""
    count = int(world.clock[0].listed)
    order = np.empty(count, np.int64)
    for k in range(count):
        other = chance.roll(world, chance.HEX_ORDER, k, 0, k + 1)
        order[k] = order[other]
        order[other] = world.territory[k]
    return order


@kernel
def _grow_cell(world: World, rules: Rules, cell: int) -> None:
    place = world.cells.flat[cell]
    ground = place.terrain
    if rules.terrains[ground].is_town:
        if place.owner >= 0 and place.population > 0 and not world.nations[place.owner].famine:
            _grow_town(world, rules, cell)
    elif ground == terrain.FOREST:
        _grow_forest(world, rules, cell)
    elif ground == terrain.PLAINS:
        settling.settle(world, rules, cell)
    elif ground == terrain.WASTELAND:
        settling.recover(world, rules, cell)
    elif ground == terrain.RESERVED_LAND:
        _build_new_town(world, rules, cell)


@kernel
def _befall_cell(world: World, rules: Rules, cell: int) -> None:
    """The disasters that hit one cell: a fire, or the collapse of a mine (DIS-015)."""
    kind = rules.terrains[world.cells.flat[cell].terrain]
    if kind.fire_loss_percent > 0 or kind.fire_to_wasteland:
        fire.break_out(world, rules, cell)
    elif kind.mine >= 0:
        mining.collapse(world, rules, cell)


@kernel
def _grow_town(world: World, rules: Rules, cell: int) -> None:
    """One turn of growth: climate percent, cut; then half, rounded up, if jobs are few (MAP-044).

    An own monolith near the town adds its share whole (monuments.csv: 1).
    """
    place = world.cells.flat[cell]
    low, high, cap = town_growth(rules, int(place.terrain), int(place.population))
    drawn = chance.between(world, chance.TOWN_GROWTH, cell, 0, low, max(low, high))
    people = drawn * rules.climates[place.climate].town_growth_percent // 100
    if workers.mostly_jobless(world, rules, int(place.owner)):
        people = ceil_div(people, rules.scalars[0].growth_no_jobs_per_turn_divisor)
    if monuments.is_near(world, rules, cell, int(place.owner), monuments.MONOLITH):
        people += rules.monuments[monuments.MONOLITH].effect_growth
    towns.gain(world, rules, cell, people, cap)


@kernel
def town_growth(rules: Rules, kind: int, people: int) -> tuple[int, int, int]:
    """Smallest and largest growth of a turn and the cap, by kind and size (MAP-040 .. MAP-044)."""
    s = rules.scalars[0]
    if kind == terrain.TOWN and people < s.growth_village_growth_condition_below:
        return (
            s.growth_village_growth_per_turn_low,
            s.growth_village_growth_per_turn_high,
            s.growth_village_growth_cap_limit,
        )
    if kind == terrain.TOWN:
        return (
            s.growth_city_growth_per_turn_low,
            s.growth_city_growth_per_turn_high,
            s.growth_city_growth_cap_limit,
        )
    if kind == terrain.METROPOLIS:
        return (
            s.growth_metropolis_growth_per_turn_low,
            s.growth_metropolis_growth_per_turn_high,
            s.growth_metropolis_growth_cap_limit,
        )
    if kind == terrain.NEW_TOWN:
        return (
            s.growth_new_town_growth_per_turn_low,
            s.growth_new_town_growth_per_turn_high,
            s.growth_new_town_growth_cap_limit,
        )
    if kind == terrain.MODERN_CITY:
        return (
            s.growth_modern_city_growth_per_turn_low,
            s.growth_modern_city_growth_per_turn_high,
            s.growth_modern_city_growth_cap_limit,
        )
    return (
        s.growth_seabed_city_growth_per_turn_low,
        s.growth_seabed_city_growth_per_turn_high,
        s.growth_seabed_city_growth_cap_limit,
    )


@kernel
def _grow_forest(world: World, rules: Rules, cell: int) -> None:
    """A forest gains trees on even turns, ownerless ones too (RES-013)."""
    s = rules.scalars[0]
    place = world.cells.flat[cell]
    if world.clock[0].turn % s.growth_forest_growth_per_turn_every_turns != 0:
        return
    if place.level < s.growth_forest_growth_cap_limit:
        grown = place.level + s.growth_forest_growth_per_turn_amount
        place.level = min(grown, s.growth_forest_growth_cap_limit)


@kernel
def _build_new_town(world: World, rules: Rules, cell: int) -> None:
    """Reserved land counts its turns and becomes a new town (terrains: reserved_land; MAP-009)."""
    place = world.cells.flat[cell]
    if place.owner < 0:
        return
    place.level += 1
    if place.level >= rules.terrains[terrain.RESERVED_LAND].level_max:
        towns.found(world, rules, cell, terrain.NEW_TOWN, rules.terrains[terrain.NEW_TOWN].level_start)
