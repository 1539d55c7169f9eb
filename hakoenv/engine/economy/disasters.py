"""Disasters of nations and of the world (phase 27)."""

from __future__ import annotations

from hakoenv.engine import nation_order
from hakoenv.engine.economy import famine, meteors, quakes, storms
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def strike(world: World, rules: Rules) -> None:
    """Disasters of each nation in the order of the turn, then those of the world (DIS-015, TURN-028).

    A tsunami comes directly after its cause. The land that makes meteors likelier is counted once, at
    the start (DIS-004).
    """
    crowded = meteors.too_much_land(world, rules)
    for k in range(nation_order.count(world)):
        nation = int(world.order[k])
        quakes.shake_land(world, rules, nation)
        famine.starve(world, rules, nation)
        storms.blow(world, rules, nation)
    quakes.shake_sea(world, rules)
    quakes.erupt(world, rules)
    meteors.shower(world, rules, crowded)
    meteors.fall_huge(world, rules, crowded)
