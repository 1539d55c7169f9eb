"""Plans from Python: put commands into a nation's queue, read it and its results back.

Whatever numbers come in, the engine gets numbers it can hold: what is too large for a field becomes
its least number, which names nothing, so that the command is dropped with a reason in its turn.
"""

from __future__ import annotations

import difflib
import operator
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from hakoenv.engine.codes import reason
from hakoenv.engine.commands import table
from hakoenv.engine.world import ORDER, PLAN_LENGTH, World, order_dtype

MODES = ("replace", "front", "keep")
_FIELDS = ("command", "x", "y", "amount", "target")


class Order(NamedTuple):
    """A command of a plan; `command` is its number or name (CMD-002)."""

    command: int | str
    x: int = 0
    y: int = 0
    amount: int = 0
    target: int = 0


class Result(NamedTuple):
    """What became of a command of the last turn: `reason` is a code of `codes.reason`."""

    command: int
    x: int
    y: int
    amount: int
    target: int
    turn: int
    reason: int

    @property
    def done(self) -> bool:
        """Whether it was carried out."""
        return self.reason == reason.DONE


def set_plan(
    world: World, nation: int, orders: Iterable[Any], mode: str = "replace", limit: int = PLAN_LENGTH
) -> int:
    """Put commands into a nation's plan; what is beyond the limit is cut and counted (CMD-001).

    Args:
        world: changed in place.
        nation: whose plan.
        orders: commands as (command, x, y, amount, target), later fields may be left out; `command` is a
            number or a name. Numbers of any size are accepted.
        mode: `replace` the queue, put the commands in `front` of it, or `keep` it as it is (then
            `orders` must be empty).
        limit: most commands of a plan, at most 50 (`plan.max_commands`).

    Returns:
        How many commands were cut, also kept in `nations.cut`.

    Raises:
        ValueError: unknown mode, nation or command name, or a field that is no whole number.
    """
    if mode not in MODES:
        raise ValueError(f"mode={mode!r} must be one of {', '.join(MODES)}")
    seats = world.nations.shape[0]
    seat = whole_number("nation", nation)
    if not 0 <= seat < seats:
        raise ValueError(f"nation={seat} must lie in 0..{seats - 1}")
    limit = max(0, min(limit, PLAN_LENGTH))
    new = np.zeros(PLAN_LENGTH, order_dtype)
    given = 0
    for order in orders:
        if mode == "keep":
            raise ValueError('mode="keep" takes no orders; use "front" to put them before the queue')
        if given < limit:
            _fill(new[given], order)
        given += 1
    kept = min(given, limit)
    old = 0 if mode == "replace" else int(world.nations["plan_length"][seat])
    total = min(kept + old, limit)
    new[kept:total] = np.asarray(world.plans[seat, : total - kept])
    world.plans[seat] = new
    world.nations["plan_length"][seat] = total
    world.nations["cut"][seat] = min(given + old - total, np.iinfo(np.int16).max)
    return given + old - total


def plan_of(world: World, nation: int) -> list[Order]:
    """The commands that wait in a nation's plan, first one first."""
    return [
        Order(*_numbers(entry)) for entry in world.plans[nation, : int(world.nations["plan_length"][nation])]
    ]


def results_of(world: World, nation: int) -> list[Result]:
    """What became of the commands that the nation's plan handled in its last turn, in order."""
    entries = world.results[nation, : int(world.nations["result_count"][nation])]
    return [Result(*_numbers(entry), int(entry["turn"]), int(entry["reason"])) for entry in entries]


def order_name(order: Any) -> str:
    """A command in a few words for logs: `build_ship:cruiser at (3, 4) fleet=2`."""
    command, x, y, amount, target = (int(field) for field in tuple(order)[:5])
    meaning = table.unpack(command, x, y, amount, target)
    if meaning is None:
        name = table.command_names().get(command, f"command {command}")
        return f"{name} x={x} y={y} amount={amount} target={target}"
    parts = [meaning.verb.name]
    if meaning.cell is not None:
        parts.append(f"at ({x}, {y})")
    if meaning.nation is not None:
        parts.append(f"nation={target}")
    factors = zip(meaning.verb.factors, meaning.values, strict=True)
    return " ".join(parts + [f"{factor.name}={value}" for factor, value in factors])


def result_text(result: Result) -> str:
    """A result in words: the command and its reason's sentence."""
    return f"{order_name(result)}: {reason.SENTENCES[result.reason]}"


def whole_number(field: str, value: Any) -> int:
    """``value`` as a Python int.

    Raises:
        ValueError: it is no whole number; the message names the field.
    """
    try:
        return operator.index(value)
    except TypeError:
        if isinstance(value, float | np.floating) and float(value).is_integer():
            return int(value)
        raise ValueError(f"{field}={value!r} must be a whole number") from None


def command_number(command: Any) -> int:
    """The number of a command given by number or name.

    Raises:
        ValueError: there is no command of that name, or it is neither number nor name.
    """
    if not isinstance(command, str):
        return whole_number("command", command)
    numbers = table.command_numbers()
    if command not in numbers:
        near = ", ".join(difflib.get_close_matches(command, numbers, 3, 0.0))
        raise ValueError(f"command={command!r} is no command; nearest: {near}")
    return numbers[command]


def _fill(entry: Any, order: Any) -> None:
    """Write one order into an empty record."""
    if isinstance(order, np.void):
        order = [order[field] for field in _FIELDS]
    if isinstance(order, str | bytes) or not isinstance(order, Iterable):
        raise ValueError(f"order={order!r} must be (command, x, y, amount, target)")
    fields = list(order)
    if not 1 <= len(fields) <= len(_FIELDS):
        raise ValueError(f"order={order!r} must have 1 to {len(_FIELDS)} fields: {', '.join(_FIELDS)}")
    for name, value in zip(_FIELDS, fields, strict=False):
        whole = command_number(value) if name == "command" else whole_number(name, value)
        limits = np.iinfo(ORDER[name][0])
        entry[name] = whole if limits.min <= whole <= limits.max else limits.min
    entry["reason"] = reason.WAITING


def _numbers(entry: Any) -> tuple[int, int, int, int, int]:
    command, x, y, amount, target = (int(entry[field]) for field in _FIELDS)
    return command, x, y, amount, target
