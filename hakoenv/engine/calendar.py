"""The calendar (phase 2): turn number and a clean slate for what lasts one turn."""

from __future__ import annotations

from hakoenv.engine import happenings
from hakoenv.engine.diplomacy import records
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def advance(world: World, rules: Rules) -> None:
    """Raise the turn number by 1; everything after uses the new number (TURN-003)."""
    world.clock[0].turn += 1
    happenings.clear(world)
    records.open_turn(world)
