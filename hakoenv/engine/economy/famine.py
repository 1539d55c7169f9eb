"""Famine (phase 27): it follows from the empty granary of phase 11, the capital starves too."""

from __future__ import annotations

from hakoenv.engine import chance
from hakoenv.engine.codes import terrain
from hakoenv.engine.economy import towns
from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import troops
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

_LOSS, _WHETHER = 0, 1  # draws


@kernel
def starve(world: World, rules: Rules, nation: int) -> None:
    """In a famine every town loses people and soldiers desert (MAP-044, DIS-001: famine; TURN-028).

    A town is never left empty: its smallest size stays. A unit that nobody stays with is gone.
    """
    s = rules.scalars[0]
    record = world.nations[nation]
    if not record.famine or not s.disasters_famine_default_on:
        return
    if not chance.happens(world, chance.FAMINE_LOSS, nation, _WHETHER, s.disasters_famine_percent_per_turn):
        return
    cells = world.cells.flat
    least = rules.terrains[terrain.TOWN].level_min
    low = s.growth_famine_loss_per_turn_low
    high = max(low, s.growth_famine_loss_per_turn_high)
    for k in range(world.clock[0].listed):
        cell = int(world.territory[k])
        if cells[cell].owner == nation and rules.terrains[cells[cell].terrain].is_town:
            gone = chance.between(world, chance.FAMINE_LOSS, cell, _LOSS, low, high)
            towns.lose(world, rules, cell, gone, least)
    percent = s.disasters_famine_effect_strength_loss_percent
    record.reserves -= record.reserves * percent // 100
    for u in range(world.clock[0].units):
        if world.units[u].owner == nation:
            troops.lose(world, rules, u, int(world.units[u].strength) * percent // 100, 0)
