"""What a nation keeps of its trade from turn to turn, by the names of case files (MER-082, SUP-017)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hakoenv.engine.codes import item
from hakoenv.engine.world import AID_ITEMS
from hakoenv.testing import names
from hakoenv.testing.errors import CaseError
from hakoenv.testing.fields import Field, listed, money, nation_number, record, resource, whole

if TYPE_CHECKING:
    from hakoenv.testing.small_world import SmallWorld

_ALL_ITEMS = (1 << len(names.RESOURCES)) - 1
_RESERVES = AID_ITEMS - 1  # place of the reserves in `aid_sent`, after the items and money
_MOST = 2**31 - 1
_MOST_OF_RING = 2**15 - 1


def _item_names(bits: int) -> list[str]:
    return [name for number, name in enumerate(names.RESOURCES) if bits >> number & 1]


def _item_set(column: str) -> Field:
    """A list of items, one bit each in the World."""

    def write(small: SmallWorld, where: int, value: Any) -> None:
        chosen = {resource(name) for name in listed(value, "items")}
        record(small, "nations", where)[column] = sum(1 << number for number in chosen)

    return Field(lambda small, where: _item_names(int(record(small, "nations", where)[column])), write)


def _read_waiting(small: SmallWorld, where: int) -> list[int]:
    return [int(containers) for containers in record(small, "nations", where)["waiting"]]


def _write_waiting(small: SmallWorld, where: int, value: Any) -> None:
    held = record(small, "nations", where)["waiting"]
    given = [whole(containers, 0, _MOST) for containers in listed(value, "containers")]
    if len(given) != len(held):
        raise CaseError(f"{value!r} are not containers for ports of any size and for large ones")
    held[:] = given


_CRUISES = ("cruise_turns", "cruise_calls")


def _read_cruises(small: SmallWorld, where: int) -> list[int]:
    entry = record(small, "nations", where)
    return [int(entry[column].astype("int64").sum()) for column in _CRUISES]


def _write_cruises(small: SmallWorld, where: int, value: Any) -> None:
    """Sums of the last turns: all of it in the turn before this one."""
    given = [whole(count, 0, _MOST_OF_RING) for count in listed(value, "ship turns and calls")]
    if len(given) != len(_CRUISES):
        raise CaseError(f"{value!r} is no pair of ship turns and calls")
    for column, count in zip(_CRUISES, given, strict=True):
        ring = record(small, "nations", where)[column]
        ring[:] = 0
        ring[(small.turn - 1) % len(ring)] = count


def _others(small: SmallWorld, where: int) -> list[int]:
    return [other for other in range(small.nations) if other != where]


def _read_forbidden(small: SmallWorld, where: int) -> list[list[Any]]:
    """Pairs of partner and item: first the items forbidden with everybody, then the rest by partner."""
    others = _others(small, where)
    bits = {other: int(small.world.relations[where, other]["no_supply"]) for other in others}
    with_all = _ALL_ITEMS if others else 0
    for forbidden in bits.values():
        with_all &= forbidden
    if with_all == _ALL_ITEMS:
        return [[None, None]]
    pairs: list[list[Any]] = [[None, name] for name in _item_names(with_all)]
    for other in others:
        rest = bits[other] & ~with_all
        everything = bits[other] == _ALL_ITEMS
        pairs += [[other, None]] if everything else [[other, name] for name in _item_names(rest)]
    return pairs


def _write_forbidden(small: SmallWorld, where: int, value: Any) -> None:
    others = _others(small, where)
    for other in others:
        small.world.relations[where, other]["no_supply"] = 0
    for entry in listed(value, "pairs of partner and item"):
        pair = listed(entry, "partner and item")
        if len(pair) != 2:
            raise CaseError(f"{entry!r} is no pair of partner and item")
        partner, what = pair
        bits = _ALL_ITEMS if what is None else 1 << resource(what)
        chosen = others if partner is None else [nation_number(small, partner)]
        if where in chosen:
            raise CaseError(f"{partner!r} is the nation itself")
        for other in chosen:
            small.world.relations[where, other]["no_supply"] |= bits


def _aid_place(name: object) -> int:
    return _RESERVES if name == "reserves" else names.ITEMS.number(name)


def _read_aid(small: SmallWorld, where: int) -> dict[str, int]:
    sent = record(small, "nations", where)["aid_sent"]
    return {name: int(sent[_aid_place(name)]) for name in (*names.ITEMS.numbers, "reserves")}


def _write_aid(small: SmallWorld, where: int, value: Any) -> None:
    if not isinstance(value, Mapping):
        raise CaseError(f"{value!r} is not a map of items")
    for name, given in value.items():
        record(small, "nations", where)["aid_sent"][_aid_place(name)] = whole(given, 0, _MOST)


TRADE_MEMORY: dict[str, Field] = {
    "short_last": _item_set("short_last"),
    "surplus_last": _item_set("surplus_last"),
    "waiting_last": Field(_read_waiting, _write_waiting),
    "cruise_unpaid": money("nations", "cruise_unpaid"),
    "cruise_record": Field(_read_cruises, _write_cruises),
    "supply_forbid": Field(_read_forbidden, _write_forbidden),
    "aid_sent": Field(_read_aid, _write_aid),
}
assert _RESERVES == item.COUNT
