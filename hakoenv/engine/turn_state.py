"""What lasts one turn or ends by its term (phase 5)."""

from __future__ import annotations

from hakoenv.engine import happenings
from hakoenv.engine.codes import event, research
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import wrecks
from hakoenv.engine.trade import bank, market
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def begin(world: World, rules: Rules) -> None:
    """Clear the marks of the last turn, finish what is due, open clearing house and market.

    TURN-006, TURN-064, TURN-071, TURN-072; national prices are the last thing fixed (MER-069).
    """
    cells = world.cells.flat
    for k in range(world.clock[0].listed):  # as listed in the last turn: a worked mine is an owned cell
        cells[world.territory[k]].worked = 0
    market.open_turn(world)
    wrecks.rot(world, rules)
    for n in range(world.nations.shape[0]):
        nation = world.nations[n]
        nation.levelled = nation.ceded = nation.stalled = 0
        nation.captured = 0
        if world.clock[0].turn - nation.policy_turn >= rules.scalars[0].policy_delay:  # IND-002
            nation.policy = nation.policy_next
        if nation.alive:
            _finish_research(world, n)
    bank.open_window(world, rules)
    market.fix_prices(world, rules)


@kernel
def _finish_research(world: World, n: int) -> None:
    """Raise the level whose research is over (TURN-064, CMD-051)."""
    nation = world.nations[n]
    branch = nation.research_branch
    if branch != research.NONE and world.clock[0].turn >= nation.research_done_turn:
        nation.research[branch] += 1
        nation.research_branch = research.NONE
        happenings.record(world, event.RESEARCH_DONE, n, -1, branch)
