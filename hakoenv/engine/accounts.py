"""Resource accounts of the turn (phases 3 and 37): opening + all booked changes = closing."""

from __future__ import annotations

from hakoenv.engine.codes import cause, item
from hakoenv.engine.economy import workers
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import ORE_TURNS, World
from hakoenv.ruleset.compiled import Rules


@kernel
def open_books(world: World, rules: Rules) -> None:
    """Note every opening stock and fix the worker order of the turn (TURN-004, AI-032)."""
    world.accounts[:, :, :] = 0
    world.private_accounts[:, :, :] = 0
    world.finance_accounts[:] = 0
    world.transit[:] = 0
    world.finance_accounts[cause.OPENING] = world.finance[0].cash
    for n in range(world.nations.shape[0]):
        for what in range(item.COUNT):
            world.accounts[n, cause.OPENING, what] = world.nations[n].treasury[what]
            world.private_accounts[n, cause.OPENING, what] = world.nations[n].private[what]
        workers.choose_order(world, rules, n)


@kernel
def close_books(world: World, rules: Rules) -> None:
    """Compare every closing stock with its account; a difference is counted as a fault (TURN-038).

    The clearing house's cash has an account, too.
    """
    for n in range(world.nations.shape[0]):
        for what in range(item.COUNT):
            expected = private = 0
            for why in range(cause.COUNT):
                expected += world.accounts[n, why, what]
                private += world.private_accounts[n, why, what]
            world.clock[0].discrepancies += expected != world.nations[n].treasury[what]
            world.clock[0].discrepancies += private != world.nations[n].private[what]
        _note_ore(world, n)
    cash = 0
    for why in range(cause.COUNT):
        cash += world.finance_accounts[why]
    world.clock[0].discrepancies += cash != world.finance[0].cash


@kernel
def _note_ore(world: World, nation: int) -> None:
    """Remember the ore that came in, from own mines or bought (AI-011)."""
    came = 0
    for why in range(cause.OPENING + 1, cause.COUNT):
        came += max(0, world.accounts[nation, why, item.ORE])
    world.nations[nation].ore_in[world.clock[0].turn % ORE_TURNS] = came
