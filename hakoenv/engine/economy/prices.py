"""World market prices (phase 35)."""

from __future__ import annotations

from hakoenv.engine import stock
from hakoenv.engine.codes import item
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def open_market(world: World, rules: Rules) -> None:
    """World prices of a new season: the base prices (MKT-025)."""
    for what in range(item.FUNDS):
        world.market[what].price = rules.resources[what].base_price * stock.THOUSANDTHS


@kernel
def update(world: World, rules: Rules) -> None:
    """Update world prices (TURN-036). Its rules come with the economy."""
