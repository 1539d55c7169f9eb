"""What nature gives at the start of a turn (phase 6): weather, piles, mountain wood, coal, fish."""

from __future__ import annotations

from hakoenv.engine import chance, stock, territory, weather
from hakoenv.engine.codes import cause, deposit, item, terrain
from hakoenv.engine.economy import fuel, mining
from hakoenv.engine.kernel import kernel
from hakoenv.engine.shipping import grounds
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def accumulate(world: World, rules: Rules) -> None:
    """Draw the weather, restore piles and fishing grounds, cut mountain wood, grant fuel (TURN-007).

    Deposits alone give nothing (MAP-020). Walks the cells as listed in the last turn: land stays listed
    whoever owns it now.
    """
    weather.draw(world, rules)
    if world.clock[0].listed == 0:
        territory.index(world, rules)
    fuel.grant(world, rules)
    grounds.regrow(world, rules)
    if world.clock[0].turn == 1:
        _strew_coal(world, rules)
    cells = world.cells.flat
    wood_turn = world.clock[0].turn % rules.scalars[0].growth_mountain_wood_per_turn_every_turns == 0
    for k in range(world.clock[0].listed):
        cell = int(world.territory[k])
        ground = cells[cell].terrain
        if rules.terrains[ground].mine >= 0:
            mining.restore_pile(world, rules, cell)
        elif wood_turn and ground == terrain.MOUNTAIN:
            _cut_mountain_wood(world, rules, cell)


@kernel
def _cut_mountain_wood(world: World, rules: Rules, cell: int) -> None:
    """An owned mountain without deposit gives its owner wood, research or not (MAP-037, MAP-038)."""
    place = world.cells.flat[cell]
    if place.owner >= 0 and place.deposit == deposit.NONE:
        amount = rules.scalars[0].growth_mountain_wood_per_turn_amount
        stock.gain(world, rules, int(place.owner), item.WOOD, amount, cause.MOUNTAIN_WOOD)


@kernel
def _strew_coal(world: World, rules: Rules) -> None:
    """Once in a season, ownerless bare mountains may turn out to hold a little coal (IND-031, IND-032)."""
    s = rules.scalars[0]
    cells = world.cells.flat
    for k in range(world.clock[0].listed):
        cell = int(world.territory[k])
        place = cells[cell]
        if place.terrain != terrain.MOUNTAIN or place.owner >= 0 or place.deposit != deposit.NONE:
            continue
        percent = s.coal_small_percent * rules.climates[place.climate].coal_percent / 100.0
        if chance.happens(world, chance.SMALL_COAL, cell, 0, percent):
            place.deposit = deposit.COAL
            place.richness = s.coal_small_richness
