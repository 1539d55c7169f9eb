"""The fields of cells by the names of case files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hakoenv.obs import sight
from hakoenv.testing import names
from hakoenv.testing.errors import CaseError
from hakoenv.testing.fields import Field, Kind, coded, flag, listed, number, owner, record
from hakoenv.testing.port_fields import PORT_FIELDS

if TYPE_CHECKING:
    from hakoenv.testing.small_world import SmallWorld


def _read_terrain(small: SmallWorld, where: int) -> str:
    cell = record(small, "cells", where)
    return sight.terrain_name(int(cell["terrain"]), int(cell["below"]))


def _read_weather(small: SmallWorld, where: int) -> str:
    zone = int(record(small, "cells", where)["climate"])
    return names.WEATHERS.name(small.world.clock[0]["weather"][zone])


def _read_capital(small: SmallWorld, where: int) -> bool:
    holder = int(record(small, "cells", where)["owner"])
    return holder >= 0 and int(small.world.nations[holder]["capital"]) == where


def _trees(small: SmallWorld, where: int) -> int:
    return int(record(small, "cells", where)["level"])


def _standing(column: str) -> Field:
    def read(small: SmallWorld, where: int) -> Any:
        index = int(record(small, "cells", where)[column])
        return None if index < 0 else small.record(column, index)

    return Field(read)


def _read_wrecks(small: SmallWorld, where: int) -> list[dict[str, Any]]:
    """The wrecks of a cell, the oldest first."""
    there = [wreck for wreck in small.world.wrecks if wreck["kind"] and wreck["cell"] == where]
    there.sort(key=lambda wreck: int(wreck["turn"]))
    return [
        {"class": names.ship_classes().name(wreck["kind"]), "age": small.turn - int(wreck["turn"])}
        for wreck in there
    ]


def _write_wrecks(small: SmallWorld, where: int, value: Any) -> None:
    """Let exactly these wrecks, as `{"class", "age"}`, lie on a cell."""
    entries = listed(value, "wrecks")
    small.clear_wrecks(where)
    for entry in entries:
        if not isinstance(entry, Mapping):
            raise CaseError(f"{entry!r} is no object with class and age")
        given = dict(entry)
        if "class" not in given:
            raise CaseError('"class" is missing')
        kind, age = given.pop("class"), given.pop("age", 0)
        for name in given:
            raise CaseError(f'unknown key "{name}"; there are class, age')
        small.wreck(where % small.width, where // small.width, kind, age=age)


def _write_wreck(small: SmallWorld, where: int, value: Any) -> None:
    _write_wrecks(small, where, [] if value is None else [value])


_CELL_NUMBERS = names.words("population level richness pile resistance experience surveyed hits worked")

CELL_FIELDS: dict[str, Field] = (
    {name: number("cells", name) for name in _CELL_NUMBERS}
    | {
        "terrain": Field(_read_terrain),  # set by SmallWorld.cell, with all that hangs on it
        "weather": Field(_read_weather),
        "capital": Field(_read_capital),
        "trees": Field(_trees),
        "owner": owner("cells"),
        "deposit": coded("cells", "deposit", lambda: names.DEPOSITS, none=0),
        "climate": coded("cells", "climate", lambda: names.CLIMATES),
        "below": coded("cells", "below", names.terrains),
        "tunnel": flag("cells", "tunnel"),
        "unit": _standing("unit"),
        "ship": _standing("ship"),
        "wrecks": Field(_read_wrecks, _write_wrecks),
        "wreck": Field(lambda small, where: next(iter(_read_wrecks(small, where)), None), _write_wreck),
    }
    | PORT_FIELDS
)
CELLS = Kind("cell", CELL_FIELDS)
