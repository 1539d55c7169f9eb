"""Supply contracts as records: which run, their limits and dates (SUP-007, SUP-011, SUP-016)."""

from __future__ import annotations

from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

NONE = -1
_MOST = 255  # shipments that a record can count


@kernel
def shipments(rules: Rules) -> int:
    """Shipments of a contract (SUP-007)."""
    return int(min(_MOST, rules.scalars[0].supply_deliveries))


@kernel
def free_place(world: World, rules: Rules) -> int:
    """A free place in the list, -1 if as many contracts run as may (SUP-016)."""
    found, running = NONE, 0
    for c in range(world.contracts.shape[0]):
        if world.contracts[c].number > 0:
            running += 1
        elif found < 0:
            found = c
    return int(found if running < rules.scalars[0].supply_world_max else NONE)


@kernel
def has_place(world: World, rules: Rules, nation: int) -> bool:
    """Whether a nation can be a party of one more contract (SUP-016)."""
    running = 0
    for c in range(world.contracts.shape[0]):
        deal = world.contracts[c]
        running += deal.number > 0 and (deal.buyer == nation or deal.seller == nation)
    return bool(running < rules.scalars[0].supply_nation_max)


@kernel
def runs(world: World, seller: int, buyer: int, what: int) -> bool:
    """Whether two private sectors have a contract for an item that way (SUP-018)."""
    for c in range(world.contracts.shape[0]):
        deal = world.contracts[c]
        if deal.number > 0 and deal.seller == seller and deal.buyer == buyer and deal.what == what:
            return True
    return False


@kernel
def due_turn(world: World, c: int) -> int:
    """The turn from which on the next shipment leaves (SUP-018)."""
    deal = world.contracts[c]
    return int(deal.signed + deal.sent * deal.interval)


@kernel
def deadline(world: World, rules: Rules, c: int) -> int:
    """The turn by whose end the next shipment must have arrived (SUP-011)."""
    deal = world.contracts[c]
    return int(deal.signed + (deal.delivered + 1) * deal.interval + rules.scalars[0].supply_grace)


@kernel
def clear(world: World, c: int) -> None:
    """A contract is over: its place is free, all bytes 0."""
    deal = world.contracts[c]
    deal.quantity = deal.price = 0
    deal.number = deal.signed = deal.port = 0
    deal.interval = 0
    deal.buyer = deal.seller = 0
    deal.what = deal.sent = deal.delivered = deal.refused = 0
