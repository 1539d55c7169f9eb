"""Goods between nations: who waits is given a carrier, and regular shipments start (phase 16)."""

from __future__ import annotations

from hakoenv.engine.diplomacy import dispatch, exchange, relief, shipments, transports
from hakoenv.engine.kernel import kernel
from hakoenv.engine.trade import auctions, reach
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def start(world: World, rules: Rules) -> None:
    """Reserves go aboard (TURN-074), then all transports that wait are served, in order of creation.

    Last come the shipments of the turn: one that finds no carrier never waits (TURN-017, SHIP-008).
    """
    reach.note_borders(world, rules)
    relief.load(world, rules)
    transports.settle_finished(world, rules)
    created = place = -1
    while True:
        t = transports.next_waiting(world, created, place)
        if t < 0:
            break
        created, place = int(world.transports[t].created), t
        dispatch.serve(world, rules, t)
    shipments.send_due(world, rules)


@kernel
def end_deals(world: World, rules: Rules, n: int) -> None:
    """Lots, bids, offers and promises of a fallen nation end; its goods on the way: `cargo.end_nation`."""
    auctions.end_nation(world, rules, n)
    shipments.end_nation(world, rules, n)
    exchange.end_nation(world, n)
