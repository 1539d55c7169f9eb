"""Cargo handling at ports (phases 20, 22 and 25)."""

from __future__ import annotations

from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def handle(world: World, rules: Rules) -> None:
    """Ships at ports load and unload (TURN-021, 023, 026). Its rules come with trade."""
