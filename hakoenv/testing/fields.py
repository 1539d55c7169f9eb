"""Fields of things by the names of case files: what a field is, and the usual ways to read and set one.

Which fields there are is said by topic: `cell_fields`, `nation_fields`, `job_fields` and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from hakoenv.testing import names
from hakoenv.testing.errors import CaseError
from hakoenv.testing.names import Names

if TYPE_CHECKING:
    from hakoenv.testing.small_world import SmallWorld

Reader: TypeAlias = Callable[["SmallWorld", Any], Any]
Writer: TypeAlias = Callable[["SmallWorld", Any, Any], None]

MONEY = 1000  # private funds are kept in thousandths


class Field(NamedTuple):
    """How a named field of a thing is read, and set where it can be."""

    read: Reader
    write: Writer | None = None


class Kind(NamedTuple):
    """The fields of one kind of thing; `later` are those of rules that are not built yet."""

    name: str
    fields: Mapping[str, Field]
    later: frozenset[str] = frozenset()

    def field(self, name: str) -> Field:
        """The field of that name.

        Raises:
            CaseError: no such field, or it belongs to rules that are not built yet.
        """
        if name in self.fields:
            return self.fields[name]
        if name in self.later:
            raise CaseError(f'{self.name} field "{name}" belongs to rules that are not built yet')
        raise CaseError(f'unknown {self.name} field "{name}"; {names.nearest(name, self.fields)}')

    def write(self, small: SmallWorld, where: Any, name: str, value: Any) -> None:
        """Set a field of one thing.

        Raises:
            CaseError: no such field, not to be set, or a value it can't have.
        """
        setter = self.field(name).write
        if setter is None:
            raise CaseError(f'{self.name} field "{name}" can\'t be set: it follows from the world')
        try:
            setter(small, where, value)
        except CaseError as error:
            raise CaseError(f'{self.name} field "{name}": {error}') from None


def whole(value: Any, low: int = -(2**63), high: int = 2**63 - 1) -> int:
    """A whole number within bounds, or a CaseError."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise CaseError(f"{value!r} is not a whole number")
    if not low <= value <= high:
        raise CaseError(f"{int(value)} is not between {low} and {high}")
    return int(value)


def truth(value: Any) -> bool:
    """True or false itself, or a CaseError."""
    if not isinstance(value, bool):
        raise CaseError(f"{value!r} is neither true nor false")
    return value


def listed(value: Any, what: str) -> list[Any]:
    """A list, or a CaseError that says of what it should be one."""
    if not isinstance(value, list | tuple):
        raise CaseError(f"{value!r} is not a list of {what}")
    return list(value)


def nation_number(small: SmallWorld, value: Any) -> int:
    """The number of a nation of this world, or a CaseError."""
    return whole(value, 0, small.nations - 1)


def owner_number(small: SmallWorld, value: Any) -> int:
    """A nation's number, -1 for null."""
    return -1 if value is None else nation_number(small, value)


def record(small: SmallWorld, table: str, where: Any) -> Any:
    """One record of the World by its flat place (relations: by the two nations)."""
    array = getattr(small.world, table)
    return array[where] if isinstance(where, tuple) else array.reshape(-1)[where]


def number(table: str, column: str, place: int | None = None, low: int | None = None) -> Field:
    """A whole number that stands in the World as it is, not below ``low`` when it is set."""

    def read(small: SmallWorld, where: Any) -> int:
        value = record(small, table, where)[column]
        return int(value if place is None else value[place])

    def write(small: SmallWorld, where: Any, value: Any) -> None:
        entry = record(small, table, where)
        bounds = np.iinfo(entry[column].dtype)
        checked = whole(value, int(bounds.min) if low is None else low, int(bounds.max))
        if place is None:
            entry[column] = checked
        else:
            entry[column][place] = checked

    return Field(read, write)


def coded(table: str, column: str, known: Callable[[], Names], none: int | None = None) -> Field:
    """A name that stands in the World as a number; `none` is the number of null."""

    def read(small: SmallWorld, where: Any) -> str | None:
        value = int(record(small, table, where)[column])
        return None if value == none else known().name(value)

    def write(small: SmallWorld, where: Any, value: Any) -> None:
        empty = none is not None and value is None
        record(small, table, where)[column] = none if empty else known().number(value)

    return Field(read, write)


def flag(table: str, column: str) -> Field:
    """True or false."""

    def write(small: SmallWorld, where: Any, value: Any) -> None:
        record(small, table, where)[column] = int(truth(value))

    return Field(lambda small, where: bool(record(small, table, where)[column]), write)


def owner(table: str, column: str = "owner") -> Field:
    """A nation's number, or None."""

    def read(small: SmallWorld, where: Any) -> int | None:
        value = int(record(small, table, where)[column])
        return None if value < 0 else value

    def write(small: SmallWorld, where: Any, value: Any) -> None:
        record(small, table, where)[column] = owner_number(small, value)

    return Field(read, write)


def decimal(thousandths: Any) -> int | float:
    """A number that the World keeps in thousandths; whole ones as int."""
    whole, rest = divmod(int(thousandths), MONEY)
    return whole if rest == 0 else int(thousandths) / MONEY


def thousandths(value: Any) -> int:
    """A number with up to three decimals in thousandths, or a CaseError."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 2**53:
        raise CaseError(f"{value!r} is not a number below 2**53")
    found = round(value * MONEY)
    if abs(found - value * MONEY) > 1e-6:
        raise CaseError(f"{value!r} has more than three decimals")
    return found


def resource(name: object) -> int:
    """The number of an item that is no money, or a CaseError."""
    if name not in names.RESOURCES:
        raise CaseError(f'unknown item "{name}"; {names.nearest(name, names.RESOURCES)}')
    return names.RESOURCES.index(str(name))


def item_values(value: Any, checked: Callable[[Any], int]) -> dict[int, int]:
    """An item map by item number, each value checked, or a CaseError that names the item."""
    if not isinstance(value, Mapping):
        raise CaseError(f"{value!r} is not a map of items")
    found = {}
    for name, given in value.items():
        number = resource(name)
        try:
            found[number] = checked(given)
        except CaseError as error:
            raise CaseError(f"{name}: {error}") from None
    return found


def amount(value: Any) -> int:
    """A number of 0 or more with up to three decimals in thousandths, or a CaseError."""
    return whole(thousandths(value), 0)


def place(table: str, axis: int) -> Field:
    """The column (axis 0) or row (1) of a thing that lies on the map, else None."""

    def read(small: SmallWorld, where: int) -> int | None:
        cell = int(record(small, table, where)["cell"])
        if cell < 0:
            return None
        return cell // small.width if axis else cell % small.width

    return Field(read)


def cell_of(small: SmallWorld, value: Any) -> int:
    """The flat index of a cell given as column and row, or a CaseError."""
    pair = listed(value, "column and row")
    if len(pair) != 2:
        raise CaseError(f"{value!r} is no pair of column and row")
    return small.place(*pair)


def pair(small: SmallWorld, cell: Any) -> list[int] | None:
    """Column and row of a cell; None for none."""
    return None if cell < 0 else [int(cell) % small.width, int(cell) // small.width]


def cell_field(table: str, column: str) -> Field:
    """A cell as column and row, or None."""

    def write(small: SmallWorld, where: Any, value: Any) -> None:
        record(small, table, where)[column] = -1 if value is None else cell_of(small, value)

    return Field(lambda small, where: pair(small, record(small, table, where)[column]), write)


def money(table: str, column: str) -> Field:
    """An amount of 0 or more that stands in the World in thousandths."""

    def write(small: SmallWorld, where: Any, value: Any) -> None:
        record(small, table, where)[column] = amount(value)

    return Field(lambda small, where: decimal(record(small, table, where)[column]), write)


def turn_or_none(table: str, column: str) -> Field:
    """A turn, or None where the World has 0."""
    one = number(table, column)

    def write(small: SmallWorld, where: Any, value: Any) -> None:
        assert one.write is not None
        one.write(small, where, 0 if value is None else value)

    return Field(lambda small, where: one.read(small, where) or None, write)
