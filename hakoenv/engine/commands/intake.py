"""Putting commands into a plan from outside the engine."""

from __future__ import annotations

import numpy as np

from hakoenv.engine.codes import reason
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import PLAN_LENGTH, World
from hakoenv.ruleset.compiled import Rules


@kernel
def append(
    world: World, rules: Rules, nation: int, command: int, x: int, y: int, amount: int, target: int
) -> bool:
    """Put a command at the end of a nation's plan; one too many is cut, and the cut counted (CMD-001).

    Whether it can be carried out is judged when its turn comes (CMD-005).
    """
    record = world.nations[nation]
    place = np.int64(record.plan_length)
    if place >= min(PLAN_LENGTH, rules.scalars[0].plan_max_commands):
        record.cut += 1
        return False
    order = world.plans[nation, place]
    order.command = command
    order.x = x
    order.y = y
    order.amount = amount
    order.target = target
    order.turn = 0
    order.reason = reason.WAITING
    record.plan_length += 1
    return True
