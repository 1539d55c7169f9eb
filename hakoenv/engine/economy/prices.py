"""World market prices (phase 35)."""

from __future__ import annotations

from hakoenv.engine import stock
from hakoenv.engine.codes import item
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

_MOST = 10.0**12  # thousandths of funds; only extreme rulesets come near it


@kernel
def open_market(world: World, rules: Rules) -> None:
    """World prices of a new season: the base prices (MKT-025)."""
    for what in range(item.FUNDS):
        world.market[what].price = _base(rules, what)


@kernel
def update(world: World, rules: Rules) -> None:
    """Move world prices by what was asked and offered, then toward the base price (TURN-036, MKT-025).

    The new price is the nearest whole thousandth within the bounds; food's is fixed.
    """
    s = rules.scalars[0]
    for what in range(item.FUNDS):
        entry = world.market[what]
        base = _base(rules, what)
        excess = (entry.asked - entry.offered) / (entry.asked + entry.offered + s.market_price_depth)
        price = entry.price * (1.0 + rules.resources[what].elasticity * excess)
        price += (base - price) * s.market_price_reversion / 100.0
        price = max(min(price, base * s.market_price_ceiling), base * s.market_price_floor)
        entry.price = base if what == item.FOOD else int(min(price, _MOST) + 0.5)


@kernel
def _base(rules: Rules, what: int) -> int:
    """The price of turn 1 in thousandths; that of food stands with the market's constants (FIN-029)."""
    if what == item.FOOD:
        return int(rules.scalars[0].market_food_price * stock.THOUSANDTHS)
    return int(rules.resources[what].base_price * stock.THOUSANDTHS)
