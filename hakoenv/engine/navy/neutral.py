"""Neutral enemies: pirates and other ships of no nation (phase 7)."""

from __future__ import annotations

from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def appear(world: World, rules: Rules) -> None:
    """Neutral enemies appear (TURN-008). Its rules come with the sea and the monsters."""
