"""Private shipping: opening of the term and plan (phases 15 and 19)."""

from __future__ import annotations

from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def open_term(world: World, rules: Rules) -> None:
    """Start-of-term processing of private ships (TURN-016). Its rules come with trade."""


@kernel
def plan(world: World, rules: Rules) -> None:
    """Private sectors plan their sea trade (TURN-020). Its rules come with trade."""
