"""What a value of the ruleset may be: types, ranges, and the one error that says what is wrong."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, TypeAlias

Value: TypeAlias = int | float | str | tuple[int, ...] | tuple[float, ...]

NUMERIC = ("int", "real")


class RulesetError(ValueError):
    """A ruleset file or override that can't be used; the message names source, key, value and limits."""


@dataclass(frozen=True)
class Entry:
    """One overridable number (or list, or name from a list) of the ruleset.

    Attributes:
        key: `mine.pile_per_level` or `table.row.column`.
        value: int, float, tuple of them, or one of `choices`.
        type: `int`, `real`, `code` (one of `choices`) or `text` (explains only, can't be overridden).
        unit: what one of it is; empty if it is a plain number.
        low: least allowed value (numbers only).
        high: greatest allowed value (numbers only).
        choices: allowed names of a `code`, in code order; the names of a number's values, if it has any.
        rules: ids of the ledger rules that use it.
        provenance: `seed`, `bounded`, `ancestor` or `chosen`.
        source: lines of the source, `S:143`; may be empty.
        note: how the value came about.
        fixed: why it can't be overridden; empty if it can.
        table: the table it is a cell of; empty for a constant.
    """

    key: str
    value: Value
    type: str
    unit: str = ""
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    provenance: str = "chosen"
    source: str = ""
    note: str = ""
    fixed: str = ""
    table: str = ""

    @property
    def allowed(self) -> str:
        """The allowed values in words, as error messages say them."""
        if self.type == "code":
            return "one of " + ", ".join(name or '"" (none)' for name in self.choices)
        kind = {"int": "an integer", "real": "a number"}.get(self.type, "text")
        if self.type not in NUMERIC:
            return kind
        span = f" from {_plain(self.low)} to {_plain(self.high)}"
        if isinstance(self.value, tuple):
            kind = f"a list of {len(self.value)} {'integers' if self.type == 'int' else 'numbers'}, each"
        names = ", ".join(f"{code} {name}" for code, name in enumerate(self.choices))
        return f"{kind}{span} ({names})" if names else kind + span


def check(entry: Entry, value: object, source: str) -> Value:
    """Return `value` as the entry holds it (a plain int, float, str or tuple), or refuse it.

    Args:
        entry: what is to be overridden.
        value: the new value, from Python or TOML.
        source: a file name, `override` or `scenario "duel"`; opens the message.

    Raises:
        RulesetError: wrong type, out of range, not a number, wrong length, or not to be overridden.
    """
    if entry.fixed:
        raise RulesetError(f"{source}: {entry.key} can't be overridden: {entry.fixed}")
    if entry.type == "text":
        raise RulesetError(f"{source}: {entry.key} can't be overridden: it only explains")
    if isinstance(entry.value, tuple):
        if not isinstance(value, list | tuple) or len(value) != len(entry.value):
            raise _refuse(entry, value, source)
        numbers: tuple[Any, ...] = tuple(_number(entry, item, value, source) for item in value)
        return numbers
    if entry.type == "code":
        if not isinstance(value, str) or value not in entry.choices:
            raise _refuse(entry, value, source)
        return value
    number: int | float = _number(entry, value, value, source)
    return number


def _number(entry: Entry, item: object, whole: object, source: str) -> Any:
    """One number of a value, converted; `whole` is what the message shows."""
    if isinstance(item, bool) and entry.unit == "flag":
        item = int(item)
    kind = Integral if entry.type == "int" else Real
    if isinstance(item, bool) or not isinstance(item, kind):
        raise _refuse(entry, whole, source)
    try:
        number = float(item) if entry.type == "real" else int(item)  # type: ignore[call-overload]
    except OverflowError:
        raise _refuse(entry, whole, source) from None
    low = -math.inf if entry.low is None else entry.low
    high = math.inf if entry.high is None else entry.high
    if not low <= number <= high:  # also refuses NaN
        raise _refuse(entry, whole, source)
    return number


def _refuse(entry: Entry, value: object, source: str) -> RulesetError:
    return RulesetError(f"{source}: {entry.key} = {value!r} is not allowed; it must be {entry.allowed}")


def _plain(number: float | None) -> str:
    """A bound without the `.0` of whole numbers."""
    if number is None:
        return "any"
    return str(int(number)) if number == int(number) else str(number)
