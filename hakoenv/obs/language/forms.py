"""Writing commands: as a line (`build_ship:cruiser at (3,4) fleet=2`) and as an object of JSON.

What is written here is what `lines` and `documents` read: text views and prompts use these forms only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hakoenv.engine.commands import table
from hakoenv.engine.commands.table import Meaning, Packed, Verb
from hakoenv.obs.language.vocabulary import COLUMN, ITEMS, NATION, ROW, TOWARD, Argument, nation_word

_CELL = (COLUMN, ROW)


def line(order: Packed) -> str:
    """A command as a line; one that no verb means is told by its fields and can't be read back."""
    meaning = table.unpack(*order)
    return unreadable(order) if meaning is None else line_of(meaning)


def line_of(
    meaning: Meaning,
    command_word: Callable[[Verb], str] = lambda verb: verb.name,
    item_word: Callable[[int], str] = lambda number: ITEMS[number],
) -> str:
    """What a command says, as a line.

    Args:
        meaning: as `table.unpack` gives it.
        command_word: the name of a verb.
        item_word: the name of an item.
    """
    parts = [command_word(meaning.verb)]
    if meaning.cell is not None:
        parts.append(f"at ({meaning.cell[0]},{meaning.cell[1]})")
    if meaning.nation is not None:
        parts.append(f"{TOWARD[0]} {nation_word(meaning.nation)}")
    for factor, value in zip(meaning.verb.factors, meaning.values, strict=True):
        is_item = factor.name.endswith("item") and 0 <= value < len(ITEMS)
        parts.append(f"{factor.name}={item_word(value) if is_item else value}")
    return " ".join(parts)


def unreadable(order: Packed) -> str:
    """A command that no verb means, by its fields."""
    name = table.command_names().get(order.command, f"unknown command {order.command}")
    return f"{name} ({order.x},{order.y}) amount {order.amount} target {order.target}"


def document(order: Packed) -> dict[str, Any]:
    """A command as an object of JSON.

    Raises:
        ValueError: no verb means it.
    """
    meaning = table.unpack(*order)
    if meaning is None:
        raise ValueError(f"{order} is the record of no verb")
    found: dict[str, Any] = {"command": meaning.verb.name}
    if meaning.cell is not None:
        found[COLUMN], found[ROW] = meaning.cell
    if meaning.nation is not None:
        found[NATION] = nation_word(meaning.nation)
    for factor, value in zip(meaning.verb.factors, meaning.values, strict=True):
        found[factor.name] = ITEMS[value] if factor.name.endswith("item") else value
    return found


def template(verb: Verb, arguments: tuple[Argument, ...], given: Mapping[str, str] | None = None) -> str:
    """The line of a verb with what is given, and in the place of the rest what is allowed.

    Args:
        verb: the verb.
        arguments: its arguments.
        given: values by the name of the argument, as they are told.
    """
    told = {argument.name: allowed(argument) for argument in arguments} | dict(given or {})
    parts = [verb.name]
    if verb.needs_cell:
        parts.append(f"at ({told[COLUMN]},{told[ROW]})")
    if verb.needs_nation:
        parts.append(f"{TOWARD[0]} {told[NATION]}")
    return " ".join(parts + [f"{a.name}={told[a.name]}" for a in arguments if a.name not in (*_CELL, NATION)])


def allowed(argument: Argument) -> str:
    """What an argument may be: `0..31`, `wood|stone|ore`, `nation_0..nation_19`."""
    if argument.is_item:
        return "|".join(argument.words)
    if argument.words:
        return f"{argument.words[0]}..{argument.words[-1]}"
    return f"{argument.low}..{argument.high}"
