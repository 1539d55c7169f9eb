"""Trade between treasury and private sector, private upkeep (phase 17)."""

from __future__ import annotations

from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def trade(world: World, rules: Rules) -> None:
    """Domestic trade of every nation (TURN-018). Its rules come with the economy."""
