"""From the `world` and `orders` of a case to a `SmallWorld`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hakoenv.ruleset import RulesetError
from hakoenv.testing import fields, names
from hakoenv.testing.errors import CaseError
from hakoenv.testing.small_world import SmallWorld

SIZES = ("height", "width", "nations", "turn", "seed")
LATER_SECTIONS = frozenset(
    names.words(
        """
        corps fleets leagues auctions shipments transports contracts bonded finance market
        containment messages chance
    """
    )
)
LATER_FACTION = frozenset({"renamed", "applications", "handover", "demands"})


def build(case: Mapping[str, Any]) -> SmallWorld:
    """The world of a case with its foundings made and its orders given (see `SmallWorld.from_case`)."""
    world = mapping(case.get("world", {}), "world")
    for key in world:
        if key not in SIZES and key not in ("rules", "weather") and key not in _SECTIONS:
            refuse_section(key, [*SIZES, "rules", "weather", *_SECTIONS])
    try:
        small = SmallWorld(
            **{key: world[key] for key in SIZES if key in world},
            rules=mapping(world.get("rules", {}), "rules"),
            weather=mapping(world.get("weather", {}), "weather"),
        )
    except RulesetError as error:
        raise CaseError(f'section "rules": {error}') from None
    for name, add in _SECTIONS.items():  # in the order of the table, which is one that works
        if name not in world:
            continue
        section = world[name]
        if name == "nation":
            for number, given in mapping(section, name).items():
                _located(f"nation {number}", add, small, (number, mapping(given, f"nation {number}")))
        else:
            for place, entry in enumerate(fields.listed(section, name)):
                _located(f"{name}[{place}]", add, small, mapping(entry, f"{name}[{place}]"))
    for place, entry in enumerate(fields.listed(case.get("orders", []), "orders")):
        _located(f"orders[{place}]", _add_order, small, mapping(entry, f"orders[{place}]"))
    return small


def refuse_section(key: object, known: list[str]) -> None:
    """Raise the error for a section that can't be used."""
    if key in LATER_SECTIONS:
        raise CaseError(f'section "{key}" belongs to rules that are not built yet')
    raise CaseError(f'unknown key "{key}"; {names.nearest(key, known)}')


def mapping(value: Any, what: str) -> dict[str, Any]:
    """A JSON object, or a CaseError that names it."""
    if not isinstance(value, Mapping):
        raise CaseError(f"{what} is not an object: {value!r}")
    return dict(value)


def take(entry: Mapping[str, Any], required: tuple[str, ...]) -> tuple[list[Any], dict[str, Any]]:
    """The required values of an entry, in order, and the others.

    Raises:
        CaseError: one is missing.
    """
    for key in required:
        if key not in entry:
            raise CaseError(f'"{key}" is missing')
    others = {key: value for key, value in entry.items() if key not in required}
    return [entry[key] for key in required], others


def only(entry: Mapping[str, Any], allowed: tuple[str, ...], later: frozenset[str] = frozenset()) -> None:
    """Refuse keys that are not allowed; those of `later` as not built yet."""
    for key in entry:
        if key in later:
            raise CaseError(f'"{key}" belongs to rules that are not built yet')
        if key not in allowed:
            raise CaseError(f'unknown key "{key}"; {names.nearest(key, allowed)}')


def _located(where: str, add: Callable[[SmallWorld, Any], None], small: SmallWorld, entry: Any) -> None:
    try:
        add(small, entry)
    except CaseError as error:
        raise CaseError(f"{where}: {error}") from None


def _add_founding(small: SmallWorld, entry: dict[str, Any]) -> None:
    (nation, x, y), rest = take(entry, ("nation", "x", "y"))
    only(rest, ())
    small.found(nation, x, y)


def _add_cell(small: SmallWorld, entry: dict[str, Any]) -> None:
    (x, y), rest = take(entry, ("x", "y"))
    for name in rest:
        fields.CELLS.field(name)
    small.cell(x, y, **rest)


def _add_nation(small: SmallWorld, entry: tuple[str, dict[str, Any]]) -> None:
    number, given = entry
    for name in given:
        fields.NATIONS.field(name)
    is_number = isinstance(number, str) and number.isascii() and number.isdecimal() and len(number) < 10
    small.nation(int(number) if is_number else number, **given)  # type: ignore[arg-type]


def _add_ship(small: SmallWorld, entry: dict[str, Any]) -> None:
    (owner, kind, x, y), rest = take(entry, ("owner", "class", "x", "y"))
    for name in rest:
        fields.SHIPS.field(name)
    small.ship(owner, kind, x, y, **rest)


def _add_unit(small: SmallWorld, entry: dict[str, Any]) -> None:
    if entry.get("aboard") is not None:
        entry = {"x": None, "y": None, **entry}
    (owner, kind, x, y), rest = take(entry, ("owner", "type", "x", "y"))
    for name in rest:
        fields.UNITS.field(name)
    aboard = rest.pop("aboard", None)
    small.unit(owner, kind, x, y, aboard=aboard, **rest)


def _add_relation(small: SmallWorld, entry: dict[str, Any]) -> None:
    (pair,), rest = take(entry, ("between",))
    a, b = pair_of(pair)
    for name in rest:
        fields.RELATIONS.field(name)
    small.relation(a, b, **rest)


def pair_of(value: Any) -> tuple[Any, Any]:
    """Two values in a list, or a CaseError."""
    pair = fields.listed(value, "two numbers")
    if len(pair) != 2:
        raise CaseError(f"{value!r} is not a list of two numbers")
    return pair[0], pair[1]


def _add_faction(small: SmallWorld, entry: dict[str, Any]) -> None:
    (name, leader), rest = take(entry, ("name", "leader"))
    only(rest, ("members", "created", "dissolving", "due"), LATER_FACTION)
    due = rest.pop("due", None)
    if due is not None:
        rest["dissolving"] = fields.whole(due) - small.turn
    small.faction(name, leader, **rest)


def _add_order(small: SmallWorld, entry: dict[str, Any]) -> None:
    (nation, command), rest = take(entry, ("nation", "command"))
    only(rest, ("x", "y", "amount", "target"))
    small.order(nation, command, **rest)


_SECTIONS: dict[str, Callable[[SmallWorld, Any], None]] = {
    "cells": _add_cell,
    "founding": _add_founding,
    "nation": _add_nation,
    "ships": _add_ship,
    "units": _add_unit,
    "relations": _add_relation,
    "factions": _add_faction,
}
