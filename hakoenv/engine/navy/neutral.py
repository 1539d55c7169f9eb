"""Neutral enemies: pirates and monsters, which belong to no nation (phase 7)."""

from __future__ import annotations

from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import monsters
from hakoenv.engine.navy import pirates
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def appear(world: World, rules: Rules) -> None:
    """Neutral enemies appear: pirates first, then monsters and whales (TURN-008, TURN-057)."""
    pirates.appear(world, rules)
    monsters.appear(world, rules)
