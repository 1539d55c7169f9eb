"""The pieces of trade, nation by nation: open auctions are everybody's, all else is the own side of it."""

from __future__ import annotations

from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.obs import trade_deals, trade_partners, trade_ships
from hakoenv.obs.arrays import Arrays, Scratch
from hakoenv.ruleset.compiled import Rules


@kernel
def fill_trade(
    world: World, rules: Rules, n: int, out: Arrays, scratch: Scratch, occupied: int, lots: int
) -> None:
    """What nation ``n`` knows of trade; ``lots`` are open in the world, the first of them in the scratch."""
    _clear(n, out)
    trade_deals.fill_lots(world, rules, n, out, scratch, lots)
    if world.nations[n].alive:
        trade_partners.fill_partners(world, rules, n, out)
        trade_ships.fill_ships(world, rules, n, out, scratch, occupied)
        trade_deals.fill_deals(world, rules, n, out, scratch)


@kernel
def _clear(n: int, out: Arrays) -> None:
    """Nothing is known yet: the single records and the rows by item are written anew each time."""
    row = out.commerce[n]
    row.land_gate = row.ports = row.large_ports = row.merchants = row.large_merchants = 0
    row.cruise_ships = row.fishing_boats = row.idle = row.astray = row.waiting = row.waiting_large = 0
    row.lots = row.bids_held = row.cruise_unpaid = 0
    counts = out.trade_counts[n]
    counts.offers_received = counts.offers_made = counts.shipments = 0
    counts.offers_received_left_out = counts.offers_made_left_out = counts.shipments_left_out = 0
    counts.contracts = counts.transports = counts.private_ships = 0
    counts.contracts_left_out = counts.transports_left_out = counts.private_ships_left_out = 0
    for what in range(out.private_market.shape[1]):
        goods = out.private_market[n, what]
        goods.short = goods.surplus = goods.set_aside = goods.coming = goods.going = 0
