"""Units as pieces on the map: where they can stand, and how they leave."""

from __future__ import annotations

from hakoenv.engine.codes import terrain, unit_item
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def floats(world: World, rules: Rules, unit: int) -> bool:
    """Whether a unit can stand on open water: by its type, or with the shoes (ARMY-069)."""
    record = world.units[unit]
    if record.carries == unit_item.SHOES_OF_WATER_MOVEMENT:
        return True
    return bool(rules.unit_move[record.type, terrain.SEA] > 0)


@kernel
def remove(world: World, unit: int) -> None:
    """Take a unit off its cell or ship; its place in the list is free."""
    record = world.units[unit]
    if record.cell >= 0:
        world.cells.flat[record.cell].unit = -1
    record.owner = record.cell = record.aboard = -1
    record.strength = record.experience = 0
    record.type = record.corps = record.carries = 0
