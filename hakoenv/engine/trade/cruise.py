"""Cruise ships and pirate raids (after phase 25)."""

from __future__ import annotations

from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def sail_and_raid(world: World, rules: Rules) -> None:
    """Cruise ships sail and earn, pirates raid (TURN-049). Its rules come with trade."""
