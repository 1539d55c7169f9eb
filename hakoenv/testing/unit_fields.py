"""The fields of units and corps by the names of case files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hakoenv.testing import names
from hakoenv.testing.errors import CaseError
from hakoenv.testing.fields import (
    Field,
    Kind,
    coded,
    listed,
    number,
    owner,
    place,
    record,
    whole,
)

if TYPE_CHECKING:
    from hakoenv.testing.small_world import SmallWorld


def _read_items(small: SmallWorld, where: int) -> list[str]:
    held = int(record(small, "units", where)["carries"])
    return [names.unit_items().name(held)] if held else []


def _write_items(small: SmallWorld, where: int, value: Any) -> None:
    held = [names.unit_items().number(name) for name in listed(value, "items")]
    if len(held) > 1:
        raise CaseError(f"{value!r}: a unit carries one item")
    record(small, "units", where)["carries"] = held[0] if held else 0


def _read_aboard(small: SmallWorld, where: int) -> int | None:
    index = int(record(small, "units", where)["aboard"])
    return None if index < 0 else index


UNIT_FIELDS: dict[str, Field] = {
    "owner": Field(owner("units").read),
    "type": Field(coded("units", "type", names.unit_types).read),
    "x": place("units", 0),
    "y": place("units", 1),
    "aboard": Field(_read_aboard),
    "items": Field(_read_items, _write_items),
    "strength": number("units", "strength"),
    "experience": number("units", "experience"),
    "corps": number("units", "corps"),
}
UNITS = Kind("unit", UNIT_FIELDS)


def _write_direction(small: SmallWorld, where: tuple[int, int], value: Any) -> None:
    number = names.DIRECTIONS.number(value) if isinstance(value, str) else whole(value, 0, 6)
    record(small, "corps", where)["direction"] = number


CORPS = Kind(
    "corps",
    {
        "order": coded("corps", "order", lambda: names.CORPS_ORDERS),
        "direction": Field(number("corps", "direction").read, _write_direction),
        "name": number("corps", "name"),
        "colour": number("corps", "colour"),
    },
)
