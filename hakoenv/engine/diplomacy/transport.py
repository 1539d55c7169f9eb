"""Shipments between nations (phase 16)."""

from __future__ import annotations

from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def start(world: World, rules: Rules) -> None:
    """Assign and start diplomatic shipments (TURN-017). Its rules come with trade."""
