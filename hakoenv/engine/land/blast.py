"""A defense facility blows up: by command, or under a monster's feet (LIMIT-018, DIS-018)."""

from __future__ import annotations

from hakoenv.engine import damage, happenings, hexgrid
from hakoenv.engine.codes import event
from hakoenv.engine.economy import towns
from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import troops
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def blow_up(world: World, rules: Rules, centre: int) -> None:
    """Wide damage around a facility, whoever owns what lies there."""
    radius = rules.scalars[0].defense_self_destruct_radius
    height, width = world.cells.shape
    owner = int(world.cells.flat[centre].owner)
    damage.toss_ships(world, rules, centre, radius)
    damaged = 0
    for k in range(hexgrid.disc_size(radius)):
        cell = hexgrid.nth(width, height, centre, k)
        if cell >= 0:
            damaged += _shatter(world, rules, cell, hexgrid.distance(width, centre, cell))
            _maul_unit(world, rules, cell)
    happenings.record(world, event.SELF_DESTRUCTED, owner, centre, damaged)


@kernel
def _shatter(world: World, rules: Rules, cell: int, away: int) -> bool:
    """A cell is laid waste, but a capital stays and loses a share of its people."""
    place = world.cells.flat[cell]
    if place.owner < 0 or world.nations[place.owner].capital != cell:
        return bool(damage.lay_waste(world, rules, cell, away))
    percent = rules.scalars[0].defense_self_destruct_capital_loss_percent
    towns.lose(world, rules, cell, int(place.population) * percent // 100, 0)
    return True


@kernel
def _maul_unit(world: World, rules: Rules, cell: int) -> None:
    """A unit that still stands loses a share of its strength, at least 1; nobody is wounded (ARMY-057)."""
    unit = int(world.cells.flat[cell].unit)
    if unit >= 0:
        percent = rules.scalars[0].defense_self_destruct_unit_loss_percent
        troops.lose(world, rules, unit, max(1, int(world.units[unit].strength) * percent // 100), 0)
