"""The harvest of the fields, of the townspeople and of fish farms (phase 10)."""

from __future__ import annotations

from hakoenv.engine import stock, weather
from hakoenv.engine.codes import cause, item, sector, terrain
from hakoenv.engine.economy import factors
from hakoenv.engine.kernel import kernel
from hakoenv.engine.rounding import floor
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def field_food(world: World, rules: Rules, nation: int) -> float:
    """Food of all farms before a lack of fuel: workers fill them in cell order (RES-014, IND-038)."""
    cells = world.cells.flat
    record = world.nations[nation]
    left = int(record.farm_workers)
    plain = 0.0  # workers, each weighted by the crop of its field
    for k in range(record.first, record.first + record.held):
        if left <= 0:
            break
        cell = int(world.territory[k])
        ground = cells[cell].terrain
        if ground == terrain.FARM or ground == terrain.LARGE_FARM:
            hands = min(left, cells[cell].level * rules.terrains[ground].workers_per_level)
            plain += hands * weather.crop_factor(world, rules, cell)
            left -= hands
    efficiency = factors.efficiency(world, rules, nation, sector.AGRICULTURE)
    return float(plain * rules.scalars[0].food_per_farm_worker * efficiency)


@kernel
def harvest(world: World, rules: Rules, nation: int) -> None:
    """Bring in the fields, cut by a lack of fuel, and town farming, uncut; one floor (RES-014, IND-039).

    Fish farms add to it: all of it is the nation's own production, of which so much may lie before it rots.
    """
    record = world.nations[nation]
    fields = field_food(world, rules, nation) * factors.fuel_ratio(world, rules, nation)
    town = record.town_farmers * rules.scalars[0].food_per_town_farmer
    record.food_made = floor(fields + town + farmed_fish(world, rules, nation))
    stock.gain(world, rules, nation, item.FOOD, int(record.food_made), cause.FARMING)


@kernel
def farmed_fish(world: World, rules: Rules, nation: int) -> int:
    """Food of a nation's fish farms, which need no workers and no fuel (FISH-005)."""
    cells = world.cells.flat
    record = world.nations[nation]
    levels = 0
    for k in range(record.first, record.first + record.held):
        cell = int(world.territory[k])
        if cells[cell].terrain == terrain.FISH_FARM:
            levels += cells[cell].level
    return int(levels * rules.scalars[0].fishing_fish_farm_yield)
