"""What a private sector is short of and can spare, and the national prices that follow (MER-068, MER-069)."""

from __future__ import annotations

from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def plan_levels(world: World, rules: Rules, nation: int) -> None:
    """Fix the level that the private sector plans with for every item (MER-068)."""


@kernel
def fix_prices(world: World, rules: Rules) -> None:
    """Fix every nation's prices of the turn (MER-069; end of phase 5)."""
