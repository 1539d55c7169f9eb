"""The only door to a stock: every change is booked under a cause (TURN-004, TURN-038).

A nation has a treasury and a private sector, whose funds are kept in thousandths (MER-063); `private_gain`
and `private_take` are the private sector's. What would exceed a cap is lost (RES-004, RES-011) and booked
as lost.

Goods that are in no stock (parcels, auctioned goods, transports) came out of one and end in one, under a
cause. What does not, appears or vanishes on the way: `appear`, `vanish`.
"""

from __future__ import annotations

from hakoenv.engine.codes import cause, item
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

THOUSANDTHS = 1000  # of 1 funds: the unit of private money


@kernel
def cap(world: World, rules: Rules, nation: int, what: int) -> int:
    """The most the treasury holds of an item; warehouses raise it, funds excepted (RES-004)."""
    s = rules.scalars[0]
    if what == item.FUNDS:
        return s.treasury_funds_cap
    percent = min(
        world.nations[nation].warehouses * s.warehouse_cap_percent_per_level, s.warehouse_cap_percent_max
    )
    return rules.resources[what].treasury_cap * (100 + percent) // 100


@kernel
def gain(world: World, rules: Rules, nation: int, what: int, amount: int, why: int) -> int:
    """Add ``amount`` (0 or more) to the treasury; return what found room."""
    if amount <= 0:
        return 0
    room = max(0, cap(world, rules, nation, what) - world.nations[nation].treasury[what])
    kept = min(amount, room)
    world.nations[nation].treasury[what] += kept
    world.accounts[nation, why, what] += amount
    world.accounts[nation, cause.LOST_OVER_CAP, what] -= amount - kept
    return kept


@kernel
def take(world: World, nation: int, what: int, amount: int, why: int) -> int:
    """Take up to ``amount`` from the treasury; return what was there to take."""
    taken = max(0, min(amount, world.nations[nation].treasury[what]))
    world.nations[nation].treasury[what] -= taken
    world.accounts[nation, why, what] -= taken
    return taken


@kernel
def credit(world: World, rules: Rules, nation: int, thousandths: int, why: int) -> None:
    """Pay thousandths of funds into the treasury: whole funds now, the rest is carried (MER-063)."""
    record = world.nations[nation]
    total = record.carry + thousandths
    gain(world, rules, nation, item.FUNDS, total // THOUSANDTHS, why)
    record.carry = total % THOUSANDTHS


@kernel
def private_cap(rules: Rules, what: int) -> int:
    """The most a private sector holds of an item; of funds in thousandths (RES-004)."""
    if what == item.FUNDS:
        return rules.scalars[0].private_cash_cap * THOUSANDTHS
    return int(rules.resources[what].private_cap)


@kernel
def private_gain(world: World, rules: Rules, nation: int, what: int, amount: int, why: int) -> int:
    """Add ``amount`` (0 or more) to a private stock; return what found room."""
    if amount <= 0:
        return 0
    room = max(0, private_cap(rules, what) - world.nations[nation].private[what])
    kept = min(amount, room)
    world.nations[nation].private[what] += kept
    world.private_accounts[nation, why, what] += amount
    world.private_accounts[nation, cause.LOST_OVER_CAP, what] -= amount - kept
    return kept


@kernel
def private_take(world: World, nation: int, what: int, amount: int, why: int) -> int:
    """Take up to ``amount`` from a private stock; return what was there to take."""
    taken = max(0, min(amount, world.nations[nation].private[what]))
    world.nations[nation].private[what] -= taken
    world.private_accounts[nation, why, what] -= taken
    return taken


@kernel
def trim(world: World, rules: Rules, nation: int) -> None:
    """Lose what lies above a cap that has become smaller (DIS-014)."""
    for what in range(item.COUNT):
        excess = world.nations[nation].treasury[what] - cap(world, rules, nation, what)
        if excess > 0:
            take(world, nation, what, excess, cause.LOST_OVER_CAP)


@kernel
def appear(world: World, what: int, quantity: int) -> None:
    """Goods that no stock gave are on the way from now on: fish that was caught (FISH-005)."""
    world.transit[what] += quantity


@kernel
def vanish(world: World, what: int, quantity: int) -> None:
    """Goods or funds that are in no stock are no more: sunk, looted, or nobody's who could have them."""
    world.transit[what] -= quantity
