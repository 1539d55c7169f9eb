"""What a private sector is short of and can spare, and the national prices that follow (MER-068, MER-069).

Prices are thousandths of 1 funds, quantities whole units (MER-063). Ships, goods under way and supply
contracts join in `plan`, `free_stock` and `at_hand`.
"""

from __future__ import annotations

from hakoenv.engine import stock
from hakoenv.engine.codes import item
from hakoenv.engine.kernel import kernel
from hakoenv.engine.rounding import ceil_div, floor
from hakoenv.engine.world import MARKET_TURNS, World
from hakoenv.ruleset.compiled import Rules

_PERMILLE = 1000
_MOST_UNITS = 2**40  # bounds of what is multiplied; only extreme rulesets come near them
_MOST_PRICE = 10**12
MOST_MONEY = 2**53


@kernel
def open_turn(world: World) -> None:
    """Clear what the market counts by turn."""
    slot = world.clock[0].turn % MARKET_TURNS
    for what in range(item.FUNDS):
        world.market[what].asked = world.market[what].offered = 0
    for n in range(world.nations.shape[0]):
        world.nations[n].payments[slot] = world.nations[n].household_sales[slot] = 0


@kernel
def fix_prices(world: World, rules: Rules) -> None:
    """Fix every nation's prices of the turn (MER-069; end of phase 5)."""
    world.clock[0].priced = world.clock[0].turn
    for n in range(world.nations.shape[0]):
        record = world.nations[n]
        for what in range(item.FUNDS):
            if record.alive:
                plan(world, rules, n, what)
                record.prices[what] = _national_price(world, rules, n, what)


@kernel
def ensure_prices(world: World, rules: Rules) -> None:
    """Fix the prices unless it was done in this turn (a phase is run alone)."""
    if world.clock[0].priced != world.clock[0].turn:
        fix_prices(world, rules)


@kernel
def plan(world: World, rules: Rules, nation: int, what: int) -> None:
    """Fix the level of an item that the private sector plans with (MER-068).

    It is so many turns of household use and what the treasury lacks of its target, at least the floor.
    """
    record = world.nations[nation]
    use = ceil_div(rules.scalars[0].private_planning_turns * record.wanted[what], stock.THOUSANDTHS)
    level = max(rules.resources[what].private_floor, use + gap(world, nation, what))
    record.planned[what] = min(level, _MOST_UNITS)


@kernel
def gap(world: World, nation: int, what: int) -> int:
    """What the treasury lacks of its buy-back target (MER-068)."""
    record = world.nations[nation]
    return int(max(0, record.targets[what] - record.treasury[what]))


@kernel
def free_stock(world: World, nation: int, what: int) -> int:
    """The private stock that may be sold (MER-068)."""
    return int(world.nations[nation].private[what])


@kernel
def at_hand(world: World, nation: int, what: int) -> int:
    """The free stock and what was bought and has not arrived (MER-068)."""
    return free_stock(world, nation, what)


@kernel
def short(world: World, nation: int, what: int) -> int:
    """What the private sector lacks of its planned level."""
    return int(max(0, world.nations[nation].planned[what] - at_hand(world, nation, what)))


@kernel
def surplus(world: World, nation: int, what: int) -> int:
    """What the private sector has above its planned level."""
    return int(max(0, free_stock(world, nation, what) - world.nations[nation].planned[what]))


@kernel
def count_gaps(world: World, rules: Rules) -> None:
    """Count shortages as asked and surpluses as offered, by planning turn (MER-082; start of phase 18)."""
    turns = max(1, rules.scalars[0].private_planning_turns)
    for n in range(world.nations.shape[0]):
        for what in range(item.FUNDS):
            if world.nations[n].alive:
                plan(world, rules, n, what)
                world.market[what].asked += ceil_div(short(world, n, what), turns)
                world.market[what].offered += ceil_div(surplus(world, n, what), turns)


@kernel
def permille(ratio: float) -> int:
    """A ratio in whole thousandths."""
    return floor(ratio * _PERMILLE + 0.5)


@kernel
def at_ratio(price: int, ratio: float) -> int:
    """A price times a ratio, cut to thousandths of funds (MER-071)."""
    return int(min(price * permille(ratio) // _PERMILLE, _MOST_PRICE))


@kernel
def affordable(cash: int, price: int) -> int:
    """Whole units that so much cash buys; both in thousandths of funds."""
    return cash // price if price > 0 else _MOST_UNITS


@kernel
def worth(quantity: int, price: int) -> int:
    """The exact payment for a quantity, in the unit of the price (MER-063)."""
    if price <= 0 or quantity <= MOST_MONEY // price:
        return quantity * price
    return MOST_MONEY


@kernel
def _national_price(world: World, rules: Rules, nation: int, what: int) -> int:
    """World price times the demand coefficient, in the integer form of MER-069 (MKT-004)."""
    s = rules.scalars[0]
    level = int(world.nations[nation].planned[what])
    held = min(at_hand(world, nation, what), _MOST_UNITS)
    change = permille(s.market_demand_coefficient_slope) * (level - held) // (level + held + 1)
    least, most = permille(s.market_demand_coefficient_min), permille(s.market_demand_coefficient_max)
    coefficient = max(least, min(most, _PERMILLE + change))
    return int(min(world.market[what].price * coefficient // _PERMILLE, _MOST_PRICE))
