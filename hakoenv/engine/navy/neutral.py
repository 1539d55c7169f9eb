"""Neutral enemies: pirates and monsters, which belong to no nation (phase 7)."""

from __future__ import annotations

from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import monsters
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def appear(world: World, rules: Rules) -> None:
    """Neutral enemies appear: pirates, which come with the sea, then monsters (TURN-008, TURN-057)."""
    monsters.appear(world, rules)
