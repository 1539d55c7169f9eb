"""Damage to ships and their loss, whatever deals it."""

from __future__ import annotations

from hakoenv.engine import happenings
from hakoenv.engine.codes import event
from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import troops
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def hurt(world: World, rules: Rules, ship: int, damage: int) -> bool:
    """Take hit points from a ship; at none left it sinks. Return whether it sank."""
    record = world.ships[ship]
    record.hp = max(0, int(record.hp) - damage)
    if record.hp > 0:
        return False
    sink(world, rules, ship)
    return True


@kernel
def sink(world: World, rules: Rules, ship: int) -> None:
    """A ship is gone with the unit aboard; the water under it is what it was (NAVY-070, EMBARK-010).

    Cargo, reserves aboard and the wreck of a warship (NAVY-042) come with the sea.
    """
    record = world.ships[ship]
    for u in range(world.units.shape[0]):
        unit = world.units[u]
        if unit.owner >= 0 and unit.aboard == ship:
            happenings.record(world, event.UNIT_LOST, int(unit.owner), int(record.cell), int(unit.strength))
            troops.remove(world, u)
    if record.cell >= 0:
        world.cells.flat[record.cell].ship = -1
    record.owner = record.cell = record.fleet = -1
    record.kind = 0
    record.hp = record.experience = 0
