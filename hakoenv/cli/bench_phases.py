"""Where the time of a turn goes: each phase alone, in turns that are whole turns."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from hakoenv.engine import nation_order
from hakoenv.engine.turn import PHASES, Phase
from hakoenv.engine.world import World, assign_world, copy_world
from hakoenv.ruleset import Rules


def microseconds(
    start: World, rules: Rules, plans: Sequence[tuple[Any, Any]], repeats: int
) -> list[tuple[Phase, float]]:
    """Microseconds a turn of each phase of the engine, in the order of the turn.

    Args:
        start: where the turns begin; left as it is.
        rules: of that world.
        plans: for each turn the plans and their lengths, as the World holds them.
        repeats: how often the turns are played; the least sum of a phase counts.

    Returns:
        Every phase that is the engine's, with Python's entries in the figures (about 1 us each).
    """
    phases = [phase for phase in PHASES if phase.run is not None]
    least = [float("inf")] * len(phases)
    world = copy_world(start)
    for _ in range(repeats):
        assign_world(world, start)
        spent = [0.0] * len(phases)
        for orders, lengths in plans:
            world.plans[...] = orders
            world.nations["plan_length"] = lengths
            for k, phase in enumerate(phases):
                before = time.perf_counter()
                run(world, rules, phase)
                spent[k] += time.perf_counter() - before
        least = [min(pair) for pair in zip(least, spent, strict=True)]
    return [(phase, 1e6 * spent / len(plans)) for phase, spent in zip(phases, least, strict=True)]


def run(world: World, rules: Rules, phase: Phase) -> None:
    """Run a phase where the turn has come to it; all in order are `engine.turn.turn`."""
    assert phase.run is not None
    if not phase.by_nation:
        phase.run(world, rules)
        return
    for k in range(nation_order.count(world)):
        phase.run(world, rules, int(world.order[k]))
