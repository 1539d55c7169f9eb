"""The clearing house (phase 5 and after phase 29)."""

from __future__ import annotations

from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def open_window(world: World, rules: Rules) -> None:
    """The acts at the head of the turn, in order (TURN-072). Its rules come with the economy."""


@kernel
def deposit_surplus(world: World, rules: Rules) -> None:
    """Deposit private cash above the limit (TURN-047). Its rules come with the economy."""
