"""Movement and fire of ships (phases 21 and 24)."""

from __future__ import annotations

from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def move_fast(world: World, rules: Rules) -> None:
    """Ships with advance movement move and fight (TURN-022). Its rules come with the sea."""


@kernel
def move_ordinary(world: World, rules: Rules) -> None:
    """All other ships move and fight (TURN-025). Its rules come with the sea."""
