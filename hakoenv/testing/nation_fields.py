"""The fields of nations by the names of case files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from hakoenv.engine import census, scoring
from hakoenv.engine.codes import item
from hakoenv.engine.world import NATION
from hakoenv.testing import names
from hakoenv.testing.alliance_fields import ALLIANCES
from hakoenv.testing.errors import CaseError
from hakoenv.testing.fields import (
    MONEY,
    Field,
    Kind,
    amount,
    coded,
    decimal,
    flag,
    item_values,
    listed,
    nation_number,
    number,
    record,
    thousandths,
    whole,
)
from hakoenv.testing.trade_memory import TRADE_MEMORY

if TYPE_CHECKING:
    from hakoenv.testing.small_world import SmallWorld


def _read_store(small: SmallWorld, where: int) -> dict[str, int]:
    held = record(small, "nations", where)["items"]
    return {name: int(held[number]) for name, number in names.unit_items().numbers.items()}


def _write_store(small: SmallWorld, where: int, value: Any) -> None:
    if not isinstance(value, Mapping):
        raise CaseError(f"{value!r} is not a map of items")
    for name, given in value.items():
        record(small, "nations", where)["items"][names.unit_items().number(name)] = whole(given, 0, 9999)


MOST_SET = 99999  # what a command can set for an item
PAYMENT_TURNS = 4  # of the memory that the finance rules read (FIN-025)
SALE_TURNS = 10  # likewise (FIN-027)


def _item_map(column: str, checked: Callable[[Any], int], shown: Callable[[Any], int | float]) -> Field:
    """A vector by item as an item map; items that are not given stay as they are."""

    def read(small: SmallWorld, where: int) -> dict[str, int | float]:
        held = record(small, "nations", where)[column]
        return {name: shown(held[number]) for number, name in enumerate(names.RESOURCES)}

    def write(small: SmallWorld, where: int, value: Any) -> None:
        for what, given in item_values(value, checked).items():
            record(small, "nations", where)[column][what] = given

    return Field(read, write)


def _last_turns(column: str, turns: int) -> Field:
    """Money by turn, a ring in the World: the turns that ended before this one, oldest first."""

    def read(small: SmallWorld, where: int) -> list[int | float]:
        ring = record(small, "nations", where)[column]
        return [decimal(ring[(small.turn - back) % len(ring)]) for back in range(turns, 0, -1)]

    def write(small: SmallWorld, where: int, value: Any) -> None:
        ring = record(small, "nations", where)[column]
        amounts = [amount(given) for given in listed(value, "amounts")]
        if len(amounts) > turns:
            raise CaseError(f"{value!r} are more than {turns} turns")
        ring[:] = 0
        for back, given in enumerate(reversed(amounts), start=1):
            ring[(small.turn - back) % len(ring)] = given

    return Field(read, write)


def _stock_number(value: Any) -> int:
    return whole(value, 0, MOST_SET)


def _read_private_funds(small: SmallWorld, where: int) -> int | float:
    return decimal(record(small, "nations", where)["private"][item.FUNDS])


def _write_private_funds(small: SmallWorld, where: int, value: Any) -> None:
    record(small, "nations", where)["private"][item.FUNDS] = thousandths(value)


def _write_carry(small: SmallWorld, where: int, value: Any) -> None:
    record(small, "nations", where)["carry"] = whole(thousandths(value), 0, MONEY - 1)


def _write_policy(small: SmallWorld, where: int, value: Any) -> None:
    entry = record(small, "nations", where)
    entry["policy"] = entry["policy_next"] = names.POLICIES.number(value)


def _read_shares(small: SmallWorld, where: int) -> list[int]:
    return [int(share) for share in record(small, "nations", where)["shares"]]


def _write_shares(small: SmallWorld, where: int, value: Any) -> None:
    shares = [whole(share, 0, 100) for share in listed(value, "three percentages")]
    if len(shares) != 3 or sum(shares) != 100:
        raise CaseError(f"{value!r} are not three percentages that add up to 100")
    record(small, "nations", where)["shares"] = shares


def _read_good_terms(small: SmallWorld, where: int) -> list[int]:
    return [other for other in range(small.nations) if small.world.relations[where, other]["good_terms"]]


def _write_good_terms(small: SmallWorld, where: int, value: Any) -> None:
    liked = [nation_number(small, other) for other in listed(value, "nations")]
    for other in range(small.nations):
        small.world.relations[where, other]["good_terms"] = int(other in liked)


def _read_capital_cell(small: SmallWorld, where: int) -> list[int] | None:
    place = int(record(small, "nations", where)["capital"])
    return None if place < 0 else [place % small.width, place // small.width]


def _counted(column: str) -> Field:
    return Field(lambda small, where: int(small.counted().nations[where][column]))


def _read_score(small: SmallWorld, where: int) -> float:
    return float(scoring.scores(small.counted(), small.rules)[where])


def _read_rank(small: SmallWorld, where: int) -> int:
    return int(record(small, "nations", where)["rank"]) or int(small.counted().nations[where]["rank"])


def _read_ore(small: SmallWorld, where: int) -> list[int]:
    ring = record(small, "nations", where)["ore_in"]
    return [int(ring[(small.turn - back) % len(ring)]) for back in range(len(ring) - 1, -1, -1)]


def _write_ore(small: SmallWorld, where: int, value: Any) -> None:
    ring = record(small, "nations", where)["ore_in"]
    amounts = [whole(ore, 0, 2**31 - 1) for ore in listed(value, "amounts")]
    if len(amounts) > len(ring):
        raise CaseError(f"{value!r} are more than {len(ring)} turns")
    ring[:] = 0
    for back, ore in enumerate(reversed(amounts)):
        ring[(small.turn - back) % len(ring)] = ore


def _write_commerce(small: SmallWorld, where: int, value: Any) -> None:
    record(small, "nations", where)["commerce_value"] = amount(value)


def _read_commerce(small: SmallWorld, where: int) -> int | float:
    return decimal(record(small, "nations", where)["commerce_value"])


def _marked(small: SmallWorld, chosen: Any) -> list[list[int]]:
    """Columns and rows of chosen cells."""
    return [[int(i) % small.width, int(i) // small.width] for i in np.flatnonzero(chosen)]


def _mark(small: SmallWorld, value: Any, loser: int) -> None:
    """Note that cells, given as pairs of column and row, were taken from a nation in the last turn."""
    for pair in listed(value, "cells"):
        place = listed(pair, "column and row")
        if len(place) != 2:
            raise CaseError(f"{pair!r} is no pair of column and row")
        cell = record(small, "cells", small.place(*place))
        cell["taken_from"], cell["taken_turn"] = loser, small.turn


def _read_lost(small: SmallWorld, where: int) -> list[list[int]]:
    cells = small.world.cells.reshape(-1)
    now = (cells["taken_turn"] == small.turn) & (cells["taken_turn"] > 0)
    return _marked(small, (cells["taken_from"] == where) & now)


def _write_lost(small: SmallWorld, where: int, value: Any) -> None:
    _mark(small, value, where)


def _read_taken(small: SmallWorld, where: int) -> list[list[int]]:
    cells = small.world.cells.reshape(-1)
    taken = (cells["taken_turn"] > 0) & (cells["taken_from"] >= 0)
    return _marked(small, (cells["owner"] == where) & taken)


def _write_taken(small: SmallWorld, where: int, value: Any) -> None:
    if small.nations < 2:
        raise CaseError("there is no other nation")
    _mark(small, value, (where + 1) % small.nations)


AI = Kind(
    "ai",
    {name: number("nations", name) for name in ("fuel_made", "farm_food", "food_made", "industry_value")}
    | {
        "last_develop": number("nations", "developed"),
        "last_policy": number("nations", "policy_turn"),
        "last_expand": number("nations", "expanded"),
        "ore_in": Field(_read_ore, _write_ore),
        "commerce_value": Field(_read_commerce, _write_commerce),
        "policy": coded("nations", "policy", lambda: names.POLICIES),
        "lost": Field(_read_lost, _write_lost),
        "taken": Field(_read_taken, _write_taken),
    },
    frozenset({"overseas_since"}),
)
"""What the rule AI remembers of a nation, and what was noted of its last finished turn."""


def _read_ai(small: SmallWorld, where: int) -> dict[str, Any]:
    return {name: field.read(small, where) for name, field in AI.fields.items()}


def _write_ai(small: SmallWorld, where: int, value: Any) -> None:
    if not isinstance(value, Mapping):
        raise CaseError(f"{value!r} is not an object")
    given = dict(value)
    if "farm_food" in given:
        given.setdefault("food_made", given["farm_food"])
    for name, content in given.items():
        AI.write(small, where, name, content)


def _read_worker_order(small: SmallWorld, where: int) -> str:
    return "industry_first" if record(small, "nations", where)["mines_first"] else "fields_first"


_CENSUS = names.words("population towns land area deployed power_score warehouses held")
_NATION_NUMBERS = names.words(
    """
    reserves conscripts wounded captured ceded stalled founded fell research_done_turn research_branch
    policy_turn expanded developed faction_joined league_joined tariff transit_fee levelled mines_first famine
    abandoning
    """
)
_SET_OR_COUNTED = {*_CENSUS, *_NATION_NUMBERS}
_READ_ONLY = tuple(n for n, (kind, _) in NATION.items() if isinstance(kind, str) and n not in _SET_OR_COUNTED)

NATION_FIELDS: dict[str, Field] = (
    {name: Field(number("nations", name).read) for name in _READ_ONLY}
    | {name: number("nations", name) for name in _NATION_NUMBERS}
    | {name: number("nations", "treasury", place) for name, place in names.ITEMS.numbers.items()}
    | {f"private_{name}": number("nations", "private", place) for name, place in names.ITEMS.numbers.items()}
    | {name: number("nations", "research", place) for place, name in enumerate(names.BRANCHES)}
    | {name: _counted(name) for name in _CENSUS}
    | {
        "private_funds": Field(_read_private_funds, _write_private_funds),
        "policy": Field(coded("nations", "policy", lambda: names.POLICIES).read, _write_policy),
        "policy_next": coded("nations", "policy_next", lambda: names.POLICIES),
        "controller": coded("nations", "controller", lambda: names.CONTROLLERS),
        "port_policy": coded("nations", "port_policy", lambda: names.PORT_POLICIES),
        "shares": Field(_read_shares, _write_shares),
        "good_terms": Field(_read_good_terms, _write_good_terms),
        "alive": flag("nations", "alive"),
        "winner": Field(flag("nations", "winner").read),
        "capital": Field(_read_capital_cell),
        "rank": Field(_read_rank),
        "score": Field(_read_score),
        "strength": Field(lambda small, where: int(census.strength(small.counted(), where))),
        "carry": Field(lambda small, where: decimal(record(small, "nations", where)["carry"]), _write_carry),
        "export_cap": _item_map("export_caps", _stock_number, int),
        "buyback": _item_map("targets", _stock_number, int),
        "items": Field(_read_store, _write_store),
        "household_use": _item_map("wanted", amount, decimal),
        "ai": Field(_read_ai, _write_ai),
        "worker_order": Field(_read_worker_order),
        "payments": _last_turns("payments", PAYMENT_TURNS),
        "household_sales": _last_turns("household_sales", SALE_TURNS),
    }
    | TRADE_MEMORY
    | ALLIANCES
)
NATIONS = Kind("nation", NATION_FIELDS)
