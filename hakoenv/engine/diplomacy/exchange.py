"""Exchanges between two nations: an offer, and the goods of both once it is accepted (CMD-047, MER-017).

An offer stands in the own side of the relation. Only terms that the other side has seen can be accepted:
those of earlier turns.
"""

from __future__ import annotations

from hakoenv.engine import happenings, stock
from hakoenv.engine.codes import cause, event, item, parcel
from hakoenv.engine.diplomacy import transports
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def cap(rules: Rules, what: int) -> int:
    """The most of an item on one side of an exchange, and in a regular shipment (AID-007, SHIP-010)."""
    s = rules.scalars[0]
    if what == item.FUNDS:
        return int(s.diplomacy_exchange_funds_max)
    return int(s.diplomacy_exchange_food_max if what == item.FOOD else s.aid_caps_exchange_max_per_send)


@kernel
def stands(world: World, nation: int, other: int, turn: int) -> bool:
    """Whether a nation has an offer to another that has not lapsed in ``turn``: it can be withdrawn."""
    until = world.relations[nation, other].swap_until
    return bool(until > 0 and until >= turn)


@kernel
def is_acceptable(world: World, rules: Rules, nation: int, other: int, turn: int) -> bool:
    """Whether a nation's offer to another can be accepted in ``turn``: one of an earlier turn."""
    made = world.relations[nation, other].swap_until - rules.scalars[0].diplomacy_exchange_offer_turns
    return stands(world, nation, other, turn) and bool(turn > made)


@kernel
def sent(world: World, nation: int, what: int) -> int:
    """What a nation has given of an item in exchanges agreed in this turn (LIMIT-012)."""
    total = 0
    for t in range(world.transports.shape[0]):
        entry = world.transports[t]
        if entry.kind == parcel.EXCHANGE and entry.sender == nation and entry.what == what:
            if entry.created == world.clock[0].turn:
                total += int(entry.quantity)
    return total


@kernel
def offer(
    world: World, rules: Rules, nation: int, other: int, give: int, given: int, want: int, wanted: int
) -> None:
    """Offer an exchange in place of what was offered before; nothing is taken yet."""
    side = world.relations[nation, other]
    side.swap_until = world.clock[0].turn + rules.scalars[0].diplomacy_exchange_offer_turns
    side.swap_give = give
    side.swap_given = given
    side.swap_want = want
    side.swap_wanted = wanted
    happenings.record_between(world, event.DEAL_OFFERED, nation, other, -1, 0)


@kernel
def withdraw(world: World, nation: int, other: int) -> None:
    """A nation has no offer to another any more."""
    side = world.relations[nation, other]
    side.swap_until = side.swap_given = side.swap_wanted = 0
    side.swap_give = side.swap_want = 0


@kernel
def agree(world: World, rules: Rules, nation: int, other: int) -> None:
    """A nation that has paid its part accepts another's offer.

    That one's goods are taken, too, and both wait for a carrier.
    """
    side = world.relations[other, nation]
    give, given, want, wanted = (
        int(side.swap_give), int(side.swap_given), int(side.swap_want), int(side.swap_wanted),
    )  # fmt: skip
    withdraw(world, other, nation)
    stock.take(world, other, give, given, cause.EXCHANGE)
    if given > 0:
        transports.open(world, int(parcel.EXCHANGE), give, given, other, nation)
    if wanted > 0:
        transports.open(world, int(parcel.EXCHANGE), want, wanted, nation, other)
    happenings.record_between(world, event.DEAL_AGREED, nation, other, -1, 0)


@kernel
def end_nation(world: World, n: int) -> None:
    """A fallen nation's offers end, and those made to it."""
    for other in range(world.nations.shape[0]):
        withdraw(world, n, other)
        withdraw(world, other, n)
