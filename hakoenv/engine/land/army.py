"""Land units move and fight (phase 26)."""

from __future__ import annotations

from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def move_and_fight(world: World, rules: Rules) -> None:
    """Movement, combat, occupation (TURN-027). Its rules come with the land war."""
