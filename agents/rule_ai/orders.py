"""How the rule AI puts a command into a plan."""

from __future__ import annotations

from hakoenv.engine.codes import reason
from hakoenv.engine.commands import validate
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import PLAN_LENGTH, World
from hakoenv.ruleset.compiled import Rules

NOWHERE = -1  # place of a command without a cell


@kernel
def allowed(world: World, rules: Rules, n: int, what: int, place: int, amount: int) -> bool:
    """Whether the nation may give a command on its own view of the coming turn, and can pay for it."""
    width = world.cells.shape[1]
    x = place % width if place >= 0 else 0
    y = place // width if place >= 0 else 0
    return validate.is_legal(world, rules, n, what, x, y, amount, 0)


@kernel
def write(world: World, rules: Rules, n: int, what: int, place: int, amount: int) -> bool:
    """Append a command if it is allowed; tell whether it was."""
    length = world.nations[n].plan_length
    if length >= PLAN_LENGTH or not allowed(world, rules, n, what, place, amount):
        return False
    width = world.cells.shape[1]
    order = world.plans[n, length]
    order.command = what
    order.x = place % width if place >= 0 else 0
    order.y = place // width if place >= 0 else 0
    order.amount = amount
    order.target = 0
    order.turn = 0
    order.reason = reason.WAITING
    world.nations[n].plan_length += 1
    return True


@kernel
def is_planned(world: World, n: int, place: int, what: int) -> bool:
    """Whether the plan holds a command of that number for a cell."""
    width = world.cells.shape[1]
    for k in range(world.nations[n].plan_length):
        order = world.plans[n, k]
        if order.command == what and order.y * width + order.x == place:
            return True
    return False
