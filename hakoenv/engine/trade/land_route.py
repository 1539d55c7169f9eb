"""Private trade over land routes (phase 18)."""

from __future__ import annotations

from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def trade(world: World, rules: Rules) -> None:
    """Private land trade (TURN-019). Its rules come with trade."""
