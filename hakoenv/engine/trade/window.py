"""What the clearing house does with cash: every payment is booked on both sides, none makes money (FIN-002).

An account holder is a nation's private sector. Money is in thousandths of funds.
"""

from __future__ import annotations

from hakoenv.engine import stock
from hakoenv.engine.codes import item
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import MARKET_TURNS, World
from hakoenv.ruleset.compiled import Rules

MOST = 1 << 50  # thousandths; no claim passes it, so that percentages of claims are whole numbers, too
PERCENT = 100
_BITS = 62  # of an amount


@kernel
def step(rules: Rules) -> int:
    """The smallest sum of interest, dividend and loan (FIN-014, FIN-017)."""
    return max(1, int(rules.scalars[0].finance_fraction * stock.THOUSANDTHS + 0.5))


@kernel
def receive(world: World, n: int, amount: int, why: int) -> int:
    """Take up to an amount of private cash into the cash on hand; return how much it was."""
    paid = stock.private_take(world, n, item.FUNDS, amount, why)
    world.finance[0].cash += paid
    world.finance_accounts[why] += paid
    return paid


@kernel
def pay(world: World, rules: Rules, n: int, amount: int, why: int) -> int:
    """Pay up to an amount from the cash on hand to a private sector; return what there was, and room for."""
    paid = max(0, min(amount, min(room(world, rules, n), int(world.finance[0].cash))))
    stock.private_gain(world, rules, n, item.FUNDS, paid, why)
    world.finance[0].cash -= paid
    world.finance_accounts[why] -= paid
    return paid


@kernel
def room(world: World, rules: Rules, n: int) -> int:
    """What a private sector's cash may still grow by."""
    return max(0, stock.private_cap(rules, item.FUNDS) - int(world.nations[n].private[item.FUNDS]))


@kernel
def deposits(world: World) -> int:
    """All deposit principal: what depositors may claim (FIN-005)."""
    total = 0
    for n in range(world.nations.shape[0]):
        total += world.nations[n].deposit
    return total


@kernel
def working_capital(world: World, rules: Rules, n: int, turn: int) -> int:
    """The cash that a private sector wants to have at the head of a turn (FIN-025)."""
    s = rules.scalars[0]
    spent = 0
    for age in range(1, s.finance_working_capital_turns + 1):
        spent += world.nations[n].payments[(turn - age) % MARKET_TURNS]
    return int(max(spent, s.finance_working_capital_min * stock.THOUSANDTHS))


@kernel
def lacking(world: World, rules: Rules, n: int) -> int:
    """What a private sector's cash lacks of its working capital; negative if it has more."""
    wanted = working_capital(world, rules, n, int(world.clock[0].turn))
    return int(wanted - world.nations[n].private[item.FUNDS])


@kernel
def sales(world: World, rules: Rules, n: int) -> int:
    """Its sales to households in the turns that limit its debt (FIN-027)."""
    turn = int(world.clock[0].turn)
    total = 0
    for age in range(1, rules.scalars[0].finance_sales_turns + 1):
        total += world.nations[n].household_sales[(turn - age) % MARKET_TURNS]
    return total


@kernel
def portion(amount: int, part: int, whole: int) -> int:
    """``amount * part // whole`` for a part of 0 up to the whole, in steps too small to wrap."""
    result = remainder = 0
    for bit in range(_BITS - 1, -1, -1):  # long multiplication and division, a binary digit at a time
        remainder = 2 * remainder + (part if amount >> bit & 1 else 0)
        result = 2 * result + remainder // whole
        remainder %= whole
    return result
