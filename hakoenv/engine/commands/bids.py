"""Commands of auctions: a listing and a bid (CMD-024, CMD-025, AUC-018, AUC-019)."""

from __future__ import annotations

from hakoenv.engine.codes import command as number
from hakoenv.engine.codes import item, reason
from hakoenv.engine.commands import prices
from hakoenv.engine.kernel import kernel
from hakoenv.engine.trade import bidding
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def allowed(
    world: World,
    rules: Rules,
    viewer: int,
    nation: int,
    command: int,
    x: int,
    y: int,
    amount: int,
    target: int,
) -> tuple[int, int, int, int]:
    """Whether a listing or bid is allowed: (reason, price kind, price row, price level)."""
    if command == number.AUCTION_LIST:
        why = bidding.may_list(world, rules, viewer, nation, x, y, amount, target)
        return why, int(prices.STOCK), x, amount
    funds = int(world.nations[nation].treasury[item.FUNDS])
    why = bidding.may_bid(world, rules, nation, target, amount)
    if why == reason.DONE and amount > funds:  # no number is too large to be asked about
        why = reason.NO_FUNDS
    return why, int(prices.STOCK), int(item.FUNDS), bidding.deposit(rules, max(0, min(amount, funds)))


@kernel
def carry_out(
    world: World, rules: Rules, nation: int, command: int, x: int, y: int, amount: int, target: int
) -> None:
    """The effect of a listing or bid that is allowed and whose goods or funds are taken."""
    if command == number.AUCTION_LIST:
        bidding.put_up(world, rules, nation, x, y, amount, target)
    else:
        bidding.bid_for(world, rules, nation, target, amount)
