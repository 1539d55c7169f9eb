"""Naval mines: what they do to a ship (NMINE-004)."""

from __future__ import annotations

from hakoenv.engine import ground, happenings
from hakoenv.engine.codes import event, terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import hulls
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def touch(world: World, rules: Rules, ship: int, cell: int) -> bool:
    """A ship that has just come to a cell runs on the mine that may lie there; return whether one went off.

    It is used up, and the water is sea again without owner. Its owner's ships pass unharmed and leave it; a
    mine of nobody harms every ship (NMINE-004, NMINE-012). No research counts (NAVY-006). The ship may sink.
    """
    place = world.cells.flat[cell]
    record = world.ships[ship]
    owner = int(place.owner)
    if place.terrain != terrain.NAVAL_MINE or (owner >= 0 and owner == record.owner):
        return False
    damage = int(place.level) * rules.scalars[0].naval_mine_damage_per_strength
    lost = min(damage, int(record.hp))
    happenings.record_between(world, event.MINE_STRUCK, int(record.owner), owner, cell, lost)
    ground.put(world, rules, cell, terrain.SEA, ground.NOBODY, 0)
    hulls.hurt(world, rules, ship, damage, owner)
    return True
