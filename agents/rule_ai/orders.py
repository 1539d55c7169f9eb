"""How the rule AI puts a command into a plan."""

from __future__ import annotations

from hakoenv.engine.codes import command, reason
from hakoenv.engine.commands import settings, validate
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import PLAN_LENGTH, World
from hakoenv.ruleset.compiled import Rules

NOWHERE = -1  # place of a command without a cell
_NOBODY = 0  # target of a command that names no nation


@kernel
def allowed(world: World, rules: Rules, n: int, what: int, place: int, amount: int) -> bool:
    """Whether the nation may give a command on its own view of the coming turn, and can pay for it."""
    width = world.cells.shape[1]
    x = place % width if place >= 0 else 0
    y = place // width if place >= 0 else 0
    return validate.is_legal(world, rules, n, what, x, y, amount, _NOBODY)


@kernel
def write(world: World, rules: Rules, n: int, what: int, place: int, amount: int) -> bool:
    """Append a command if it is allowed; tell whether it was."""
    return _append(world, rules, n, what, place, amount, _NOBODY)


@kernel
def address(world: World, rules: Rules, n: int, what: int, target: int, amount: int) -> bool:
    """Append a command to another nation if it is allowed; tell whether it was."""
    return _append(world, rules, n, what, NOWHERE, amount, target)


@kernel
def give(world: World, rules: Rules, n: int, what: int, item: int, amount: int, target: int) -> bool:
    """Append a command that names an item and another nation, if it is allowed; tell whether it was."""
    return _enter(world, rules, n, what, item, 0, amount, target)


@kernel
def _append(world: World, rules: Rules, n: int, what: int, place: int, amount: int, target: int) -> bool:
    width = world.cells.shape[1]
    x = place % width if place >= 0 else 0
    y = place // width if place >= 0 else 0
    return _enter(world, rules, n, what, x, y, amount, target)


@kernel
def _enter(world: World, rules: Rules, n: int, what: int, x: int, y: int, amount: int, target: int) -> bool:
    length = world.nations[n].plan_length
    if length >= PLAN_LENGTH or not validate.is_legal(world, rules, n, what, x, y, amount, target):
        return False
    order = world.plans[n, length]
    order.command = what
    order.x = x
    order.y = y
    order.amount = amount
    order.target = target
    order.turn = 0
    order.reason = reason.WAITING
    world.nations[n].plan_length += 1
    return True


@kernel
def set_corps(world: World, rules: Rules, n: int, corps: int, order: int, direction: int) -> None:
    """Append order and direction of a corps where they are not the present ones (AI-089)."""
    now = world.corps[n, corps]
    if now.order != order or now.direction != direction:
        amount = corps * settings.CORPS_BASE + order * settings.ORDER_BASE + direction
        write(world, rules, n, command.CORPS_ORDERS, NOWHERE, amount)


@kernel
def is_planned(world: World, n: int, place: int, what: int) -> bool:
    """Whether the plan holds a command of that number for a cell."""
    width = world.cells.shape[1]
    for k in range(world.nations[n].plan_length):
        order = world.plans[n, k]
        if order.command == what and order.y * width + order.x == place:
            return True
    return False
