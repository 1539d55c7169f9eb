"""What a nation is in factions, leagues and the containment, and its record, by the names of case files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hakoenv.engine.diplomacy import containment, hegemon
from hakoenv.engine.world import RECORD_TURNS
from hakoenv.testing import alliances
from hakoenv.testing.errors import CaseError
from hakoenv.testing.fields import Field, flag, listed, number, record, turn_or_none, whole

if TYPE_CHECKING:
    from hakoenv.testing.small_world import SmallWorld

_MOST = 2**15 - 1


def _read_faction(small: SmallWorld, where: int) -> str | None:
    slot = int(record(small, "nations", where)["faction"])
    return None if slot < 0 else alliances.faction_name(small, slot)


def _read_league(small: SmallWorld, where: int) -> str | None:
    place = int(record(small, "nations", where)["league"])
    return None if place < 0 else alliances.league_name(small, place)


# ---------------------------------------------------------------- records of the last 48 turns


def _kept(small: SmallWorld, where: int, column: str) -> list[list[int]]:
    """The turns of a record that are not 0, oldest first, with their numbers."""
    ring = record(small, "nations", where)[column]
    turns = range(small.turn - RECORD_TURNS + 1, small.turn + 1)
    return [[turn, int(ring[turn % RECORD_TURNS])] for turn in turns if ring[turn % RECORD_TURNS]]


def _note(small: SmallWorld, where: int, column: str, turns: list[list[int]]) -> None:
    """Make a record say how many there were by turn; what is older than it reaches back no longer counts."""
    ring = record(small, "nations", where)[column]
    ring[:] = 0
    for turn, count in turns:
        if turn > small.turn:
            raise CaseError(f"turn {turn} is yet to come")
        if turn > small.turn - RECORD_TURNS:
            ring[turn % RECORD_TURNS] += count


def _turns(value: Any) -> list[list[int]]:
    """Each turn of a list counts 1."""
    return [[whole(turn, -_MOST, 2**31 - 1), 1] for turn in listed(value, "turns")]


def _repeated(turns: list[list[int]]) -> list[int]:
    return [turn for turn, count in turns for _ in range(count)]


def _read_unreliable(small: SmallWorld, where: int) -> list[int]:
    return _repeated(_kept(small, where, "breaches"))


def _write_unreliable(small: SmallWorld, where: int, value: Any) -> None:
    _note(small, where, "breaches", _turns(value))


def _read_wars(small: SmallWorld, where: int) -> dict[str, Any]:
    return {
        "declarations": _repeated(_kept(small, where, "declarations")),
        "cells": _kept(small, where, "conquests"),
    }


def _write_wars(small: SmallWorld, where: int, value: Any) -> None:
    if not isinstance(value, Mapping) or not set(value) <= {"declarations", "cells"}:
        raise CaseError(f'{value!r} is not an object with "declarations" and "cells"')
    if "declarations" in value:
        _note(small, where, "declarations", _turns(value["declarations"]))
    if "cells" in value:
        pairs = [listed(entry, "turn and cells") for entry in listed(value["cells"], "turns")]
        if any(len(pair) != 2 for pair in pairs):
            raise CaseError('"cells" is no list of pairs of turn and number of cells')
        counts = [[whole(turn, -_MOST, 2**31 - 1), whole(cells, 0, _MOST)] for turn, cells in pairs]
        _note(small, where, "conquests", counts)


# ---------------------------------------------------------------- what follows from the map and the record


def _is_hegemon(small: SmallWorld, where: int) -> bool:
    return bool(hegemon.find(small.counted(), small.rules) == where)


def _points(small: SmallWorld, where: int) -> int:
    return int(hegemon.points48(small.world, small.rules, where))


def _power(small: SmallWorld, where: int) -> int:

    return int(containment.power(small.counted(), small.rules, where))


ALLIANCES: dict[str, Field] = {
    "faction": Field(_read_faction),
    "applied": number("nations", "applied"),
    "left_faction": turn_or_none("nations", "faction_left"),
    "demands": Field(flag("nations", "demands").read),
    "unreliable": Field(_read_unreliable, _write_unreliable),
    "league": Field(_read_league),
    "left_league": turn_or_none("nations", "league_left"),
    "contained": Field(flag("nations", "contained").read),
    "war_record": Field(_read_wars, _write_wars),
    "hegemon": Field(_is_hegemon),
    "points48": Field(_points),
    "containment_power": Field(_power),
}
