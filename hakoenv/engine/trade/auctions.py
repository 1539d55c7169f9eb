"""Auctions: listings and bids of AI nations, closing, award (after phase 14)."""

from __future__ import annotations

from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def settle(world: World, rules: Rules) -> None:
    """Close and award auctions (TURN-048). Its rules come with trade."""
