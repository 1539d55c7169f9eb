"""Disasters (phase 27)."""

from __future__ import annotations

from hakoenv.engine import chance, nation_order
from hakoenv.engine.codes import terrain
from hakoenv.engine.economy import towns
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def strike(world: World, rules: Rules) -> None:
    """Disasters of each nation in the order of the turn, then those of the world (TURN-028).

    Famine so far; earthquakes, eruptions and what falls from the sky come with the disasters.
    """
    s = rules.scalars[0]
    for k in range(nation_order.count(world)):
        n = int(world.order[k])
        if world.nations[n].famine and s.disasters_famine_default_on:
            if chance.happens(world, chance.FAMINE_LOSS, n, 1, s.disasters_famine_percent_per_turn):
                starve(world, rules, n)


@kernel
def starve(world: World, rules: Rules, nation: int) -> None:
    """Every town loses people, the capital too (DIS-002), and soldiers desert (MAP-044, DIS-001: famine).

    A town is never left empty: its smallest size stays.
    """
    s = rules.scalars[0]
    record = world.nations[nation]
    cells = world.cells.flat
    least = rules.terrains[terrain.TOWN].level_min
    low = s.growth_famine_loss_per_turn_low
    high = max(low, s.growth_famine_loss_per_turn_high)
    for k in range(world.clock[0].listed):
        cell = int(world.territory[k])
        if cells[cell].owner == nation and rules.terrains[cells[cell].terrain].is_town:
            gone = chance.between(world, chance.FAMINE_LOSS, cell, 0, low, high)
            towns.lose(world, rules, cell, gone, least)
    percent = s.disasters_famine_effect_strength_loss_percent
    record.reserves -= record.reserves * percent // 100
    for u in range(world.units.shape[0]):
        if world.units[u].owner == nation:
            world.units[u].strength -= world.units[u].strength * percent // 100
