"""Loans of the clearing house: interest, repayment, and what limits a new one (FIN-004 .. FIN-032).

Readings: interest goes before principal, in goods as in cash. What a due loan leaves unpaid is an overdue
debt: it bears interest, is tried again every turn, and each turn that does not pay it in cash is a default
of its own. All overdue debt of a nation is one loan, so that the places suffice.
"""

from __future__ import annotations

from hakoenv.engine import stock
from hakoenv.engine.codes import cause, item
from hakoenv.engine.kernel import kernel
from hakoenv.engine.trade import holdings, market, window
from hakoenv.engine.world import LOANS, World
from hakoenv.ruleset.compiled import Rules


@kernel
def accrue(world: World, rules: Rules, n: int) -> None:
    """Add a turn's simple interest to every loan of a nation (FIN-006)."""
    for k in range(LOANS):
        loan = world.loans[n, k]
        if loan.principal > 0:
            hundredths = loan.principal * rules.scalars[0].finance_interest_percent + loan.fraction
            _count_interest(world, rules, n, k, hundredths)


@kernel
def _count_interest(world: World, rules: Rules, n: int, k: int, hundredths: int) -> None:
    """Count the whole steps in some hundredths of a thousandth; the rest is carried (FIN-014)."""
    step = window.step(rules)
    loan = world.loans[n, k]
    loan.interest = min(window.MOST, loan.interest + hundredths // (window.PERCENT * step) * step)
    loan.fraction = hundredths % (window.PERCENT * step)


@kernel
def is_due(world: World, rules: Rules, n: int, k: int) -> bool:
    """Whether there is a loan in this place and its term is over (FIN-007)."""
    loan = world.loans[n, k]
    return bool(loan.principal > 0 and world.clock[0].turn >= loan.taken + rules.scalars[0].finance_term)


@kernel
def repay_due(world: World, rules: Rules, n: int) -> int:
    """Repay a nation's due loans, in cash as far as it reaches, then in goods (FIN-008, FIN-013, FIN-026).

    Returns:
        The interest paid in cash.
    """
    collected = 0
    overdue = -1
    for k in range(LOANS):
        if not is_due(world, rules, n, k):
            continue
        loan = world.loans[n, k]
        paid = window.receive(world, n, int(loan.interest), cause.INTEREST)
        loan.interest -= paid
        collected += paid
        loan.principal -= window.receive(world, n, int(loan.principal), cause.REPAYMENT)
        if loan.principal > 0:
            world.nations[n].no_loan_until = world.clock[0].turn + rules.scalars[0].finance_default_ban_turns
            _pay_in_goods(world, rules, n, k)
        if loan.principal == 0:
            clear(world, n, k)
        elif overdue < 0:
            overdue = k
        else:
            _merge(world, rules, n, overdue, k)
    return collected


@kernel
def _pay_in_goods(world: World, rules: Rules, n: int, k: int) -> None:
    """Hand over whole units, item by item, never more than is owed (FIN-008 .. FIN-012).

    The goods leave the economy; the cash on hand stays as it is.
    """
    loan = world.loans[n, k]
    unit = int(rules.scalars[0].finance_repay_unit)
    for place in range(item.FUNDS):
        what = int(rules.scalars[0].finance_repay_order[place])
        price = value_of_unit(world, rules, what)
        if price > 0:
            lots = (loan.interest + loan.principal) // (price * unit)
            lots = max(0, min(lots, market.free_stock(world, n, what) // unit))
            value = stock.private_take(world, n, what, lots * unit, cause.REPAID_IN_KIND) * price
            on_interest = min(int(loan.interest), value)
            loan.interest -= on_interest
            loan.principal -= value - on_interest


@kernel
def value_of_unit(world: World, rules: Rules, what: int) -> int:
    """Food at its fixed price, other items at the world price (FIN-010, FIN-028, FIN-029), in thousandths."""
    if what == item.FOOD:
        return int(rules.scalars[0].market_food_price) * stock.THOUSANDTHS
    return min(window.MOST, int(world.market[what].price))


@kernel
def clear(world: World, n: int, k: int) -> None:
    """Free the place of a loan."""
    loan = world.loans[n, k]
    loan.principal = loan.interest = loan.fraction = loan.taken = 0


@kernel
def _merge(world: World, rules: Rules, n: int, into: int, k: int) -> None:
    """Put two overdue debts together; the older date stays."""
    loan, other = world.loans[n, into], world.loans[n, k]
    loan.principal += other.principal
    loan.interest += other.interest
    loan.taken = min(loan.taken, other.taken)
    _count_interest(world, rules, n, into, int(loan.fraction) + int(other.fraction))
    clear(world, n, k)


@kernel
def principal(world: World, n: int) -> int:
    """Outstanding principal of a nation."""
    total = 0
    for k in range(LOANS):
        total += world.loans[n, k].principal
    return total


@kernel
def interest(world: World, n: int) -> int:
    """Its accrued and unpaid interest."""
    total = 0
    for k in range(LOANS):
        total += world.loans[n, k].interest
    return total


@kernel
def overdue(world: World, rules: Rules) -> int:
    """All overdue debts, interest included; those of nations that are gone, too."""
    total = 0
    for n in range(world.nations.shape[0]):
        for k in range(LOANS):
            if is_due(world, rules, n, k):
                total += world.loans[n, k].principal + world.loans[n, k].interest
    return total


@kernel
def borrow(world: World, rules: Rules, n: int) -> None:
    """Borrow what the private sector still lacks of its working capital, within the limits (FIN-023)."""
    amount = min(window.lacking(world, rules, n), window.room(world, rules, n))
    if amount <= 0 or world.clock[0].turn <= world.nations[n].no_loan_until:  # FIN-030
        return
    for k in range(LOANS):
        loan = world.loans[n, k]
        if loan.principal == 0:
            step = window.step(rules)
            amount = max(0, min(amount, limit(world, rules, n))) // step * step
            loan.principal = window.pay(world, rules, n, amount, cause.LOAN)
            loan.taken = world.clock[0].turn if amount > 0 else 0
            return


@kernel
def limit(world: World, rules: Rules, n: int) -> int:
    """The least of what sales, stock, cash on hand and deposits allow to be lent to a nation (FIN-027).

    The first of the five limits, the missing working capital, is the caller's. Sales and stock limit all
    that the nation owes (FIN-032), half of the deposits all that anybody does (FIN-004).
    """
    s = rules.scalars[0]
    lent = 0
    for other in range(world.nations.shape[0]):
        lent += principal(world, other)
    stock_limit = stock_value(world, rules, n) * s.finance_collateral_percent // window.PERCENT
    own_limit = min(window.sales(world, rules, n), stock_limit) - principal(world, n)
    total_limit = window.deposits(world) * s.finance_loan_percent_of_deposits // window.PERCENT - lent
    return min(min(own_limit, total_limit), int(world.finance[0].cash))


@kernel
def stock_value(world: World, rules: Rules, n: int) -> int:
    """What all goods of a private sector are worth, wherever they lie (FIN-028), in thousandths of funds."""
    total = 0
    for what in range(item.FUNDS):
        held = max(0, int(world.nations[n].private[what]))
        total = min(window.MOST, total + market.worth(held, value_of_unit(world, rules, what)))
    for p in range(world.clock[0].parcels):
        if holdings.is_private(world, p, n):
            entry = world.parcels[p]
            value = market.worth(int(entry.quantity), value_of_unit(world, rules, int(entry.what)))
            total = min(window.MOST, total + value)
    return total
