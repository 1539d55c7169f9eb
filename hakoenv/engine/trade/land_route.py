"""Private trade over land routes (phase 18)."""

from __future__ import annotations

from hakoenv.engine.kernel import kernel
from hakoenv.engine.trade import market
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def trade(world: World, rules: Rules) -> None:
    """Count what nations lack and can spare (MER-082), then land trade (TURN-019), which comes with trade."""
    market.count_gaps(world, rules)
