"""What lasts one turn or ends by its term (phase 5)."""

from __future__ import annotations

from hakoenv.engine import happenings
from hakoenv.engine.codes import event, research
from hakoenv.engine.diplomacy import factions, shipments
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import wrecks
from hakoenv.engine.shipping import harbours
from hakoenv.engine.trade import bank, market
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def begin(world: World, rules: Rules) -> None:
    """Clear the marks of the last turn, finish what is due, open routes, clearing house and market.

    TURN-006, TURN-064, TURN-071, TURN-072; national prices are the last thing fixed (MER-069).
    """
    cells = world.cells.flat
    for k in range(world.clock[0].listed):  # as listed in the last turn: a worked mine is an owned cell
        cells[world.territory[k]].worked = 0
    _lower_marks(world)
    factions.lapse(world, rules)
    market.open_turn(world)
    wrecks.rot(world, rules)
    for n in range(world.nations.shape[0]):
        nation = world.nations[n]
        nation.levelled = nation.ceded = nation.stalled = 0
        nation.captured = 0
        nation.aid_sent[:] = 0  # LIMIT-012
        if world.clock[0].turn - nation.policy_turn >= rules.scalars[0].policy_delay:  # IND-002
            nation.policy = nation.policy_next
        if nation.alive:
            _finish_research(world, n)
    _open_routes(world)
    shipments.lapse(world, rules)
    market.note_goods(world, rules)  # what a loan may be repaid with: FIN-008
    bank.open_window(world, rules)
    market.fix_prices(world, rules)


@kernel
def _lower_marks(world: World) -> None:
    """From the marks of the clock on, all places of units and ships are free: every loop ends there."""
    clock = world.clock[0]
    while clock.units > 0 and world.units[clock.units - 1].owner < 0:
        clock.units -= 1
    while clock.ships > 0 and world.ships[clock.ships - 1].kind == 0:
        clock.ships -= 1


@kernel
def _open_routes(world: World) -> None:
    """Ports, land routes and searches for a way have their full amounts again; offers of exchange lapse."""
    harbours.open_turn(world)
    clock = world.clock[0]
    clock.detours = clock.rescues = clock.estimates = 0
    for a in range(world.nations.shape[0]):
        for b in range(world.nations.shape[0]):
            side = world.relations[a, b]
            side.land_used = 0
            if 0 < side.swap_until < clock.turn:
                side.swap_until = side.swap_given = side.swap_wanted = 0
                side.swap_give = side.swap_want = 0


@kernel
def _finish_research(world: World, n: int) -> None:
    """Raise the level whose research is over (TURN-064, CMD-051)."""
    nation = world.nations[n]
    branch = nation.research_branch
    if branch != research.NONE and world.clock[0].turn >= nation.research_done_turn:
        nation.research[branch] += 1
        nation.research_branch = research.NONE
        happenings.record(world, event.RESEARCH_DONE, n, -1, branch)
