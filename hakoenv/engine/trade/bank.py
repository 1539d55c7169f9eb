"""The clearing house: what it does in a turn (FIN-001 .. FIN-036). It belongs to no nation.

Cash on hand, deposit principal and claims on borrowers are three accounts (FIN-005); the reserve and the
uncovered losses are records of what the cash and the claims are good for. Loans: `loans.py`.

Readings: a nation that is gone has no private cash, so its dividends go to the reserve, and so does a
dividend that does not fit under a private sector's cap; its waiting withdrawals lapse. Dividends stop when
the uncovered losses or the overdue debts, either of them alone, exceed the reserve (FIN-018).
"""

from __future__ import annotations

from hakoenv.engine import stock
from hakoenv.engine.codes import cause, item
from hakoenv.engine.kernel import kernel
from hakoenv.engine.trade import loans, window
from hakoenv.engine.world import LOANS, World
from hakoenv.ruleset.compiled import Rules


@kernel
def open_window(world: World, rules: Rules) -> None:
    """The acts at the head of the turn, in order (TURN-072, TURN-047; phase 5)."""
    nations = world.nations
    collected = 0
    for n in range(nations.shape[0]):
        if _is_written_off(world, rules, n):
            settle_estate(world, n)
    for n in range(nations.shape[0]):
        if nations[n].alive:  # no interest after the end: FIN-020
            loans.accrue(world, rules, n)
    for n in range(nations.shape[0]):
        if nations[n].alive:
            collected += loans.repay_due(world, rules, n)
    _share_out(world, rules, collected)
    _serve_queue(world, rules)
    for n in range(nations.shape[0]):
        if nations[n].alive:
            _withdraw(world, rules, n)
            loans.borrow(world, rules, n)


@kernel
def deposit_surplus(world: World, rules: Rules) -> None:
    """Deposit private cash above the limit (FIN-024, TURN-047; after phase 29)."""
    kept = rules.scalars[0].finance_auto_deposit_above * stock.THOUSANDTHS
    for n in range(world.nations.shape[0]):
        nation = world.nations[n]
        if nation.alive:
            taken = window.MOST - max(int(world.finance[0].cash), window.deposits(world))
            taken = max(0, min(taken, nation.private[item.FUNDS] - kept))
            nation.deposit += window.receive(world, n, taken, cause.DEPOSIT)


@kernel
def _is_written_off(world: World, rules: Rules, n: int) -> bool:
    """Whether the wait after a nation's end is over (FIN-020)."""
    nation = world.nations[n]
    waited = world.clock[0].turn - nation.fell
    return bool(not nation.alive and nation.fell > 0 and waited >= rules.scalars[0].finance_writeoff_turns)


@kernel
def settle_estate(world: World, n: int) -> None:
    """Close the account of a nation that is gone (FIN-020, FIN-021, FIN-036).

    Its deposit is set off against its debt. What is left of the deposit is the reserve's; what is left of
    the debt is taken from the reserve as far as it reaches, and the rest recorded as a loss.
    """
    house = world.finance[0]
    left = world.nations[n].deposit - loans.principal(world, n) - loans.interest(world, n)
    world.nations[n].deposit = 0
    for k in range(LOANS):
        loans.clear(world, n, k)
    change = max(left, -house.reserve)
    house.reserve += change
    house.uncovered += change - left
    for k in range(house.queued):
        if world.withdrawals[k].nation == n:
            world.withdrawals[k].amount = 0


@kernel
def _share_out(world: World, rules: Rules, collected: int) -> None:
    """A part of the collected interest to the depositors, the rest to the reserve (FIN-015 .. FIN-018)."""
    house = world.finance[0]
    total = window.deposits(world)
    step = window.step(rules)
    paid = 0
    risk = max(int(house.uncovered), loans.overdue(world, rules))
    if collected > 0 and total > 0 and risk <= house.reserve:
        pool = collected * rules.scalars[0].finance_dividend_percent // window.PERCENT
        for n in range(world.nations.shape[0]):
            if world.nations[n].alive:
                share = window.portion(pool, int(world.nations[n].deposit), total) // step * step
                paid += window.pay(world, rules, n, share, cause.DIVIDEND)
    house.reserve += collected - paid


@kernel
def _serve_queue(world: World, rules: Rules) -> None:
    """Pay waiting withdrawals in order of request, within the cash on hand (FIN-019)."""
    house = world.finance[0]
    waiting = 0
    for k in range(house.queued):
        n = int(world.withdrawals[k].nation)
        amount = min(int(world.withdrawals[k].amount), int(world.nations[n].deposit))
        amount = amount - _pay_out(world, rules, n, amount) if world.nations[n].alive else 0
        if amount > 0:
            _put(world, waiting, n, amount)
            waiting += 1
    for k in range(waiting, house.queued):
        _put(world, k, 0, 0)
    house.queued = waiting


@kernel
def _withdraw(world: World, rules: Rules, n: int) -> None:
    """Withdraw from the own deposit what the working capital lacks and no request waits for (FIN-022)."""
    wanted = min(window.lacking(world, rules, n), window.room(world, rules, n))
    wanted = min(wanted, int(world.nations[n].deposit)) - queued(world, n)
    if wanted <= 0:
        return
    left = wanted - _pay_out(world, rules, n, wanted)
    house = world.finance[0]
    if left > 0 and house.queued < world.withdrawals.shape[0]:  # no place: it asks again next turn
        _put(world, int(house.queued), n, left)
        house.queued += 1


@kernel
def queued(world: World, n: int) -> int:
    """What the waiting requests of a nation add up to, in thousandths of funds."""
    total = 0
    for k in range(world.finance[0].queued):
        if world.withdrawals[k].nation == n:
            total += world.withdrawals[k].amount
    return total


@kernel
def _pay_out(world: World, rules: Rules, n: int, amount: int) -> int:
    """Pay back up to an amount of a deposit; return how much it was."""
    paid = window.pay(world, rules, n, amount, cause.WITHDRAWAL)
    world.nations[n].deposit -= paid
    return paid


@kernel
def _put(world: World, place: int, n: int, amount: int) -> None:
    world.withdrawals[place].nation = n
    world.withdrawals[place].amount = amount
