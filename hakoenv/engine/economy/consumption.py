"""What a nation uses up (phase 11): rations, upkeep of units and reserves, food that rots."""

from __future__ import annotations

from hakoenv.engine import happenings, stock
from hakoenv.engine.codes import cause, event, item
from hakoenv.engine.kernel import kernel
from hakoenv.engine.rounding import ceil, floor
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def feed(world: World, rules: Rules, nation: int) -> None:
    """Rations, upkeep, famine flag, rot, in this order (TURN-012, TURN-061)."""
    record = world.nations[nation]
    need = rations(world, rules, nation)
    record.rations = need
    eaten = stock.take(world, nation, item.FOOD, need, cause.RATIONS)
    pay_army(world, rules, nation)
    record.famine = eaten < need and record.treasury[item.FOOD] == 0
    if record.famine:
        happenings.record(world, event.FAMINE, nation, -1, need - eaten)
    _rot(world, rules, nation)


@kernel
def rations(world: World, rules: Rules, nation: int) -> int:
    """Food for people, units and reserves of the last count, rounded up as one sum (RES-014)."""
    s = rules.scalars[0]
    record = world.nations[nation]
    soldiers = record.reserves + record.deployed
    return ceil(record.population * s.food_eaten_per_population + soldiers * s.food_eaten_per_strength)


@kernel
def pay_army(world: World, rules: Rules, nation: int) -> None:
    """Upkeep of units and reserves in funds and fuel, each one sum, cut; what is there is taken (ARMY-067).

    Units of the last count, embarked ones included. Without enough fuel those that burn any take no step
    in this turn.
    """
    record = world.nations[nation]
    reserves = record.reserves * rules.scalars[0].army_reserve_upkeep_per_100
    stock.take(world, nation, item.FUNDS, (record.army_funds + reserves) // 100, cause.UPKEEP)
    fuel = record.army_fuel // 100
    record.stalled = stock.take(world, nation, item.FUEL, fuel, cause.UPKEEP) < fuel


@kernel
def _rot(world: World, rules: Rules, nation: int) -> None:
    """Treasury food above so many turns of own production rots, private food never (RES-005 .. RES-007)."""
    s = rules.scalars[0]
    record = world.nations[nation]
    excess = record.treasury[item.FOOD] - s.food_rot_multiple * record.food_made
    stock.take(world, nation, item.FOOD, floor(max(0, excess) * s.food_rot_percent / 100.0), cause.ROT)
