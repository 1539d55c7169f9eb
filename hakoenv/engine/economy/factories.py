"""Recipes: how many runs workers and materials allow, and what they make (IND-006 .. IND-013)."""

from __future__ import annotations

from hakoenv.engine import stock
from hakoenv.engine.codes import cause, item
from hakoenv.engine.kernel import kernel
from hakoenv.engine.rounding import floor
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def runs(world: World, rules: Rules, nation: int, recipe: int, workers: int) -> int:
    """Runs of a recipe: workers times capacity, cut once; no more than materials allow (IND-010)."""
    plan = rules.industry[recipe]
    possible = workers * plan.capacity_percent // (100 * max(1, plan.workers_per_run))
    for what in range(item.FUNDS):
        if plan.inputs[what] > 0:
            possible = min(possible, world.nations[nation].treasury[what] // plan.inputs[what])
    return int(possible)


@kernel
def product(rules: Rules, recipe: int, what: int, count: int, factor: float) -> int:
    """What ``count`` runs make of an item after all factors: one floor (IND-039, RES-010)."""
    return floor(count * rules.industry[recipe].outputs[what] * factor)


@kernel
def run(world: World, rules: Rules, nation: int, recipe: int, workers: int, factor: float) -> None:
    """Run a recipe: materials of the base output leave the treasury, products enter it (IND-011, RES-012)."""
    plan = rules.industry[recipe]
    count = runs(world, rules, nation, recipe, workers)
    for what in range(item.FUNDS):
        if plan.inputs[what] > 0:
            stock.take(world, nation, what, int(count * plan.inputs[what]), cause.INDUSTRY_INPUT)
    for what in range(item.FUNDS):
        made = product(rules, recipe, what, count, factor)
        if made > 0:
            stock.gain(world, rules, nation, what, made, cause.INDUSTRY_OUTPUT)
