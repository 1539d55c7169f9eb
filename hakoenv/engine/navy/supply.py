"""Upkeep of naval ports and ships (phase 13)."""

from __future__ import annotations

from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def pay_navy(world: World, rules: Rules, nation: int) -> None:
    """Pay naval upkeep of one nation (TURN-014). Its rules come with the sea."""
