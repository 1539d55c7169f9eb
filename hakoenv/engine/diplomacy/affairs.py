"""Phase 9: what is between nations moves on by a turn, then the containment is looked after."""

from __future__ import annotations

from hakoenv.engine.diplomacy import containment, relations
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def advance(world: World, rules: Rules) -> None:
    """Terms run out and declared wars open; then the containment, on the land of now (TURN-010, CONT-019)."""
    relations.advance(world, rules)
    containment.advance(world, rules)
