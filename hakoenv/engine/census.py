"""What a nation amounts to, counted from the map (TURN-029, TURN-037; SEASON-015..017)."""

from __future__ import annotations

from hakoenv.engine import territory, view
from hakoenv.engine.codes import item, terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def take(world: World, rules: Rules) -> None:
    """Count land, area, population, strength and power score of all nations, and the world's land.

    The cells are those that `territory.index` has listed: what nobody owns and is no land counts for nothing.
    Area is every own cell but mines (SEASON-010, NMINE-012), land only what counts as land (SEASON-007);
    strength is reserves and deployed strength, that aboard ships included, no wounded (SEASON-016,
    EMBARK-004). Upkeep of units: ARMY-067.
    """
    cells = world.cells.flat
    nations = world.nations
    clock = world.clock[0]
    for n in range(nations.shape[0]):
        record = nations[n]
        record.population = record.towns = record.land = record.area = 0
        record.deployed = record.warehouses = 0
        record.power_score = record.army_funds = record.army_fuel = 0
    clock.all_land = clock.ownerless_land = 0
    for k in range(clock.listed):
        i = int(world.territory[k])
        owner = cells[i].owner
        ground = cells[i].terrain
        land = territory.is_land(world, rules, i)
        clock.all_land += land
        if owner < 0:
            clock.ownerless_land += land
            continue
        record = nations[owner]
        record.area += ground != terrain.NAVAL_MINE
        record.land += land
        if rules.terrains[ground].is_town:  # an emptied one, too: its nation lives on (BOMB-036, ARMY-065)
            record.towns += 1
            record.population += cells[i].population
        elif ground == terrain.WAREHOUSE:
            record.warehouses += cells[i].level
    for u in range(world.clock[0].units):
        unit = world.units[u]
        if unit.owner >= 0:
            record = nations[unit.owner]
            record.deployed += unit.strength
            record.army_funds += unit.strength * rules.unit_types[unit.type].upkeep_funds_per_100
            record.army_fuel += unit.strength * rules.unit_types[unit.type].upkeep_fuel_per_100
    _score_power(world, rules)


@kernel
def strength(world: World, nation: int) -> int:
    """Reserves plus deployed strength (SEASON-016), as of the last census."""
    return int(world.nations[nation].reserves) + int(world.nations[nation].deployed)


@kernel
def _score_power(world: World, rules: Rules) -> None:
    """The power score P (SEASON-017): people, army, land, warships and a little of the funds."""
    s = rules.scalars[0]
    nations = world.nations
    for n in range(nations.shape[0]):
        record = nations[n]
        if record.alive:
            record.power_score = (
                s.power_score_population_weight * record.population
                + s.power_score_army_weight * strength(world, n)
                + s.power_score_land_weight * record.land
                + s.power_score_funds_weight
                * (record.treasury[item.FUNDS] // s.power_score_funds_term_divisor)
            )
    for k in range(world.clock[0].ships):
        ship = world.ships[k]
        if view.is_warship(int(ship.kind)) and ship.owner >= 0 and nations[ship.owner].alive:
            nations[ship.owner].power_score += s.power_score_navy_weight * ship.hp
