"""From the `world` and `orders` of a case to a `SmallWorld`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from hakoenv.ruleset import RulesetError
from hakoenv.testing import alliances, clearing_house, council, deals, fields, names
from hakoenv.testing.entries import mapping, only, pair_of, take
from hakoenv.testing.errors import CaseError
from hakoenv.testing.kinds import KINDS
from hakoenv.testing.small_world import SmallWorld

SIZES = ("height", "width", "nations", "turn", "seed")
LATER_SECTIONS = frozenset({"chance"})


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
        elif name in _OBJECTS:
            _located(name, add, small, mapping(section, name))
        else:
            for place, entry in enumerate(fields.listed(section, name)):
                _located(f"{name}[{place}]", add, small, mapping(entry, f"{name}[{place}]"))
    if _starts_with_next_turn(case.get("run")):
        for column in ("payments", "household_sales"):  # "the last turns" end with `turn` itself then
            ring = small.world.nations[column]
            ring[...] = np.roll(ring, 1, axis=1)
    for place, entry in enumerate(fields.listed(case.get("orders", []), "orders")):
        _located(f"orders[{place}]", _add_order, small, mapping(entry, f"orders[{place}]"))
    return small


def _starts_with_next_turn(run: Any) -> bool:
    """Whether a run begins with another turn: whole turns, or phases from `clock` on."""
    phases = run.get("phases") if isinstance(run, Mapping) else None
    first = phases[0] if isinstance(phases, list) and phases else None
    return isinstance(run, Mapping) and ("turns" in run or first in ("plan_fill", "clock"))


def refuse_section(key: object, known: list[str]) -> None:
    """Raise the error for a section that can't be used."""
    if key in LATER_SECTIONS:
        raise CaseError(f'section "{key}" belongs to rules that are not built yet')
    raise CaseError(f'unknown key "{key}"; {names.nearest(key, known)}')


def _located(where: str, add: Callable[[SmallWorld, Any], object], small: SmallWorld, entry: Any) -> None:
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
        KINDS["cells"].field(name)
    small.cell(x, y, **rest)


def _add_nation(small: SmallWorld, entry: tuple[str, dict[str, Any]]) -> None:
    number, given = entry
    for name in given:
        KINDS["nations"].field(name)
    is_number = isinstance(number, str) and number.isascii() and number.isdecimal() and len(number) < 10
    small.nation(int(number) if is_number else number, **given)  # type: ignore[arg-type]


def _add_ship(small: SmallWorld, entry: dict[str, Any]) -> None:
    (owner, kind, x, y), rest = take(entry, ("owner", "class", "x", "y"))
    for name in rest:
        KINDS["ships"].field(name)
    small.ship(owner, kind, x, y, **rest)


def _add_fleet(small: SmallWorld, entry: dict[str, Any]) -> None:
    (nation, fleet), rest = take(entry, ("nation", "fleet"))
    for name in rest:
        KINDS["fleets"].field(name)
    small.fleet(nation, fleet, **rest)


def _add_unit(small: SmallWorld, entry: dict[str, Any]) -> None:
    if entry.get("aboard") is not None:
        entry = {"x": None, "y": None, **entry}
    (owner, kind, x, y), rest = take(entry, ("owner", "type", "x", "y"))
    for name in rest:
        KINDS["units"].field(name)
    aboard = rest.pop("aboard", None)
    small.unit(owner, kind, x, y, aboard=aboard, **rest)


def _add_corps(small: SmallWorld, entry: dict[str, Any]) -> None:
    (nation, corps), rest = take(entry, ("nation", "corps"))
    for name in rest:
        KINDS["corps"].field(name)
    small.corps(nation, corps, **rest)


def _add_relation(small: SmallWorld, entry: dict[str, Any]) -> None:
    (pair,), rest = take(entry, ("between",))
    a, b = pair_of(pair)
    for name in rest:
        KINDS["relations"].field(name)
    small.relation(a, b, **rest)


def _add_faction(small: SmallWorld, entry: dict[str, Any]) -> None:
    take(entry, ("name", "leader"))
    alliances.add_faction(small, entry)


def _add_market(small: SmallWorld, entry: dict[str, Any]) -> None:
    """World prices of items, under either name."""
    only(entry, ("prices", "price"))
    for key, value in entry.items():
        try:
            found = fields.item_values(value, fields.amount)
        except CaseError as error:
            raise CaseError(f'"{key}": {error}') from None
        for number, price in found.items():
            small.world.market[number]["price"] = price


def _add_order(small: SmallWorld, entry: dict[str, Any]) -> None:
    (nation, command), rest = take(entry, ("nation", "command"))
    only(rest, ("x", "y", "amount", "target"))
    small.order(nation, command, **rest)


_DEALS = {  # before the ships, whose cargo may belong to them
    "auctions": "auction",
    "shipments": "shipment",
    "contracts": "contract",
    "transports": "transport",
    "bonded": "bonded",
}


def _add_deal(kind: str, small: SmallWorld, entry: dict[str, Any]) -> None:
    deals.add(small, kind, entry)


_SECTIONS: dict[str, Callable[[SmallWorld, Any], object]] = {
    "cells": _add_cell,
    "founding": _add_founding,
    "nation": _add_nation,
    **{section: partial(_add_deal, kind) for section, kind in _DEALS.items()},
    "ships": _add_ship,
    "fleets": _add_fleet,
    "units": _add_unit,
    "corps": _add_corps,
    "relations": _add_relation,
    "factions": _add_faction,
    "leagues": alliances.add_league,
    "containment": alliances.set_containment,
    "messages": council.add_message,
    "market": _add_market,
    "finance": clearing_house.add,
}
_OBJECTS = ("market", "finance", "containment")  # sections that are one object; the others are lists
