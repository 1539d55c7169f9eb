"""The population ranking and the turn cup (phase 32 and after)."""

from __future__ import annotations

from hakoenv.engine import happenings, stock
from hakoenv.engine.codes import cause, event, item, unit_item
from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import items
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def rank(world: World, rules: Rules) -> None:
    """Rank living nations by population, ties to the lower number (TURN-033); the dead have rank 0."""
    nations = world.nations
    for n in range(nations.shape[0]):
        nations[n].rank = 0
        if not nations[n].alive:
            continue
        place = 1
        for other in range(nations.shape[0]):
            if not nations[other].alive or other == n:
                continue
            more = nations[other].population > nations[n].population
            same = nations[other].population == nations[n].population
            if more or (same and other < n):
                place += 1
        nations[n].rank = place


@kernel
def award_cup(world: World, rules: Rules) -> None:
    """Every so many turns the first of the ranking gets funds and an item (LIMIT-011, TURN-050)."""
    s = rules.scalars[0]
    if world.clock[0].turn % s.cup_interval != 0:
        return
    for n in range(world.nations.shape[0]):
        if world.nations[n].rank != 1:
            continue
        happenings.record(world, event.TURN_CUP, n, -1, s.cup_prize_funds)
        stock.gain(world, rules, n, item.FUNDS, s.cup_prize_funds, cause.CUP)
        what = items.draw_for_cup(world, rules)
        if what != unit_item.NONE:
            items.win(world, n, what)
