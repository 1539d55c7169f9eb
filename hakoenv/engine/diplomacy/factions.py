"""Factions: registered operations settle (phase 30)."""

from __future__ import annotations

from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def settle(world: World, rules: Rules) -> None:
    """Settle faction operations (TURN-031). Its rules come with diplomacy."""
