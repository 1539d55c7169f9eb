"""World market prices (phase 35)."""

from __future__ import annotations

from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def update(world: World, rules: Rules) -> None:
    """Update world prices (TURN-036). Its rules come with the economy."""
