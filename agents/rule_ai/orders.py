"""How the rule AI puts a command into a plan."""

from __future__ import annotations

from hakoenv.engine.codes import reason
from hakoenv.engine.commands import validate
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import PLAN_LENGTH, World
from hakoenv.ruleset.compiled import Rules


@kernel
def write(world: World, rules: Rules, n: int, what: int, place: int, amount: int) -> bool:
    """Append a command if the nation may give it on its own view of the coming turn; tell whether it did.

    ``place`` is the cell aimed at, -1 for none.
    """
    length = world.nations[n].plan_length
    if length >= PLAN_LENGTH:
        return False
    width = world.cells.shape[1]
    x = place % width if place >= 0 else 0
    y = place // width if place >= 0 else 0
    if not validate.is_legal(world, rules, n, what, x, y, amount, 0):
        return False
    order = world.plans[n, length]
    order.command = what
    order.x = x
    order.y = y
    order.amount = amount
    order.target = 0
    order.turn = 0
    order.reason = reason.WAITING
    world.nations[n].plan_length += 1
    return True
