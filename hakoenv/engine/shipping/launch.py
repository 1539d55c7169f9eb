"""A private sector's new ship (TURN-063)."""

from __future__ import annotations

from hakoenv.engine.codes import cause
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import vessels
from hakoenv.engine.shipping import cargo
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def launch(world: World, rules: Rules, n: int, kind: int, port: int, cell: int, price: int) -> int:
    """Put a new ship on a free cell beside its home port and pay for it from the private cash (FIN-025).

    ``price`` is in thousandths of funds. The ship acts from the next turn on.

    Returns:
        Its index, or -1, and nothing was paid, if the list of ships is full.
    """
    ship = vessels.place(world, rules, n, kind, cell, vessels.NONE)
    if ship >= 0:
        world.jobs[ship].home = port
        world.jobs[ship].built = world.clock[0].turn
        cargo.pay(world, n, price, cause.SHIP_BUILDING)
    return ship
