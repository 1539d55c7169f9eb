"""Plans are carried out (phase 14) and what was handled leaves them (phase 38)."""

from __future__ import annotations

from typing import Any

from hakoenv.engine import stock, view
from hakoenv.engine.codes import cause, item, reason
from hakoenv.engine.codes import command as number
from hakoenv.engine.commands import (
    alliances,
    deals,
    ground_work,
    look,
    muster,
    naval,
    prices,
    settings,
    sites,
    strikes,
    treaties,
    validate,
)
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import PLAN_LENGTH, World
from hakoenv.ruleset.compiled import Rules

_NONE = 0


@kernel
def run_plan(world: World, rules: Rules, nation: int) -> None:
    """Carry out a nation's plan from the front until a command has used the turn (TURN-015, CMD-004).

    A refused command is marked with its reason and costs nothing (CMD-005); whoever used no turn
    fundraises (CMD-008). What the nation could have known refuses a command for free; what it could
    not see blocks it: turn and base cost are used and nothing more is said, so fog can't be probed.
    """
    record = world.nations[nation]
    results = world.results[nation]
    turn = int(world.clock[0].turn)
    for k in range(min(int(record.result_count), PLAN_LENGTH + 1)):
        _clear(results[k])
    count = 0
    used = False
    for k in range(min(int(record.plan_length), PLAN_LENGTH)):
        order = world.plans[nation, k]
        if used or _handled(order, turn):
            continue
        command, amount, target = int(order.command), int(order.amount), int(order.target)
        x, y = int(order.x), int(order.y)
        cell = y * world.cells.shape[1] + x
        why = validate.check(world, rules, view.TRUTH, nation, turn, command, x, y, amount, target)
        if why == reason.DONE:
            _do(world, rules, nation, turn, command, x, y, amount, target)
        else:
            why = validate.check(world, rules, nation, nation, turn, command, x, y, amount, target)
            if why == reason.DONE:
                why = _block(world, rules, nation, turn, command, cell, amount)
        used = uses_turn(rules, command, why)
        order.turn = turn
        order.reason = why
        results[count] = order
        count += 1
    if not used:
        settings.carry_out(world, rules, nation, number.FUNDRAISE, _NONE, _NONE)
        _clear(results[count])
        results[count].command = number.FUNDRAISE
        results[count].turn = turn
        count += 1
    record.result_count = count


@kernel
def commit(world: World, rules: Rules) -> None:
    """Handled commands leave the plans for good, the others move up (TURN-039); the dead have no plan."""
    turn = int(world.clock[0].turn)
    for n in range(world.nations.shape[0]):
        record = world.nations[n]
        plan = world.plans[n]
        length = min(int(record.plan_length), PLAN_LENGTH)
        kept = 0
        for k in range(length):
            if record.alive and not _handled(plan[k], turn):
                if kept != k:
                    plan[kept] = plan[k]
                kept += 1
        for k in range(kept, length):
            _clear(plan[k])
        record.plan_length = kept


@kernel
def uses_turn(rules: Rules, command: int, why: int) -> bool:
    """Whether a handled command ends its nation's turn: carried out or blocked, and of 1 turn (CMD-004)."""
    if why == reason.BLOCKED and not rules.scalars[0].commands_blocked_uses_turn:
        return False
    return (why == reason.DONE or why == reason.BLOCKED) and rules.commands[command].turns > 0


@kernel
def _block(world: World, rules: Rules, nation: int, turn: int, command: int, cell: int, amount: int) -> int:
    """Take the base cost of a command that something unseen stands against, as far as there are funds.

    A ship that was sent there runs into it.
    """
    if rules.scalars[0].commands_blocked_uses_turn:
        cost = prices.price(rules, turn, command, prices.COMMAND, command, _NONE, item.FUNDS)
        stock.take(world, nation, item.FUNDS, cost, cause.COMMAND_COST)
    if validate.handled_as(command, amount) == validate.OF_NAVY:
        naval.run_into(world, rules, command, cell, amount)
    return reason.BLOCKED


@kernel
def _do(
    world: World,
    rules: Rules,
    nation: int,
    turn: int,
    command: int,
    x: int,
    y: int,
    amount: int,
    target: int,
) -> None:
    """Pay for a command that is allowed and do what it does."""
    record = world.nations[nation]
    cell = y * world.cells.shape[1] + x
    handled = validate.handled_as(command, amount)
    if handled == validate.OF_MISSILE:
        strikes.launch(world, rules, nation, command, cell, amount)
        return
    if command == number.DEFENSE_FACILITY and amount == sites.SELF_DESTRUCT:
        strikes.self_destruct(world, rules, nation, cell)
        return
    level = 0
    kind, row = int(prices.COMMAND), command
    result = 0
    why = int(cause.COMMAND_COST)
    if handled == validate.OF_CELL:
        site = look.look(world, rules, int(view.TRUTH), nation, turn, cell)
        _, result, kind, row = sites.work(rules, site, command, amount)
        level = site.level
    elif handled == validate.OF_TROOPS:
        _, kind, row, level = muster.allowed(
            world, rules, int(view.TRUTH), nation, turn, command, cell, amount
        )
    elif handled == validate.OF_NAVY:
        _, kind, row, level = naval.allowed(
            world, rules, int(view.TRUTH), nation, turn, command, cell, amount
        )
    elif handled == validate.OF_DEAL:
        why = deals.cause_of(command)
        _, kind, row, level = deals.allowed(
            world, rules, int(view.TRUTH), nation, turn, command, x, y, amount, target
        )
    elif command == number.RESEARCH:
        kind, row, why = int(prices.RESEARCH), amount, int(cause.RESEARCH)
        level = int(record.research[amount]) + 1
    for what in range(item.COUNT):
        stock.take(world, nation, what, prices.price(rules, turn, command, kind, row, level, what), why)
    if handled == validate.OF_TROOPS:
        muster.carry_out(world, rules, nation, command, cell, amount)
    elif handled == validate.OF_NAVY:
        naval.carry_out(world, rules, nation, command, cell, amount)
    elif handled == validate.OF_DEAL:
        deals.carry_out(world, rules, nation, command, x, y, amount, target)
    elif handled == validate.OF_ALLIANCE:
        alliances.carry_out(world, nation, command, amount)
    elif handled == validate.OF_TREATY:
        treaties.carry_out(world, rules, nation, command, cell, amount, target)
    elif handled == validate.OF_NATION:
        settings.carry_out(world, rules, nation, command, amount, target)
    elif handled == validate.OF_CELL:  # what is left, factions, is only registered until phase 30: TURN-067
        if command == number.LEVEL_LAND:
            record.levelled += 1
        ground_work.carry_out(world, rules, nation, command, amount, cell, result)


@kernel
def _handled(order: Any, turn: int) -> bool:
    """Whether an entry of a plan was carried out or dropped in this turn."""
    return bool(order.turn == turn and order.reason != reason.WAITING)


@kernel
def _clear(order: Any) -> None:
    """Make an entry of a plan or of the results the empty one: all bytes 0."""
    order.command = order.x = order.y = order.target = order.turn = 0
    order.amount = 0
    order.reason = 0
