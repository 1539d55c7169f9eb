"""Households buy from the private sector (phase 29)."""

from __future__ import annotations

from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def sell(world: World, rules: Rules) -> None:
    """Sell private stocks to households (TURN-030). Its rules come with the economy."""
