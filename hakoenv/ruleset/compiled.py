"""The compiled ruleset: NumPy structured arrays that kernels take as they are.

`Rules` is passed to compiled functions at run time, so an override needs no recompilation. No strings: names
are codes (`codes.py`). Whole numbers are int64, real ones float64. `rules.scalars[0].mine_pile_per_level` is
a constant, `rules.terrains[cell.terrain].level_max` a table cell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine.handles import handle
from hakoenv.engine.kernel import as_kernel_array
from hakoenv.ruleset import codes
from hakoenv.ruleset.schema import NUMERIC, Value
from hakoenv.ruleset.tables import Base, Table

Records: TypeAlias = NDArray[Any]
Values: TypeAlias = Mapping[str, Value]

FLATTENED = (
    "founding",
    "market",
    "growth",
    "power_score",
    "season_score",
    "disasters",
    "fishing",
    "aid_caps",
)
"""Tables whose rows hold different things: they stand in `scalars` as `<table>_<row>_<column>`."""

TERRAIN_COUNT = 49
COMMAND_COUNT = 136


@handle
class Rules(NamedTuple):
    """What every kernel gets.

    Attributes:
        scalars: one element; a field per constant (`mine.pile_per_level` is `mine_pile_per_level`, lists are
            sub-arrays) and per cell of the flattened tables (`founding_funds`,
            `growth_village_growth_per_turn_low`).
        terrains: by terrain number 0..48; 41 is the merchant, 47 the fishing boat, 48 the fish farm.
        commands: by command number 0..135; `exists` is 0 where there is no such command.
        facility_costs: by `codes.FACILITY_ROWS`.
        mines: by `codes.MINE_ROWS`; `deposit` is the code in `codes.DEPOSITS`.
        industry: by `codes.INDUSTRY_ROWS`.
        resources: by item number 0..8.
        research: by branch (`codes.RESEARCH_BRANCHES`) and level 0..5.
        climates: by climate number 0..4.
        weather: by weather number 0..8; `weights` by climate.
        monuments: by monument kind 0..3; 0 is the wall.
        unit_move: cells a turn by unit type and terrain 0..13 (`terrains.unit_table_as`), then 14 = tunnel.
        unit_types: by unit type 0..6 (`codes.unit_type`).
        unit_matchup: by attacking and receiving unit type; 10 is standard.
        unit_terrain: by unit type and terrain 0..13 (`terrains.unit_table_as`); 10 is standard.
        missiles: normal, pp, antipersonnel, ballistic.
        missile_base: by base (0 missile_base, 1 seabed_base) and level 1..5 in columns 0..4; unused: 0.
        monsters: by monster kind 0..7.
        items: by item id 0..5; 0 is no item.
        ship_classes: by ship class 0..10 (`codes.ship_class`); 0 is the naval port. Private ships have what
            `merchant` says, with their fuel and their number at a port added.
    """

    scalars: Records
    terrains: Records
    commands: Records
    facility_costs: Records
    mines: Records
    industry: Records
    resources: Records
    research: Records
    climates: Records
    weather: Records
    monuments: Records
    unit_move: NDArray[np.int64]
    unit_types: Records
    unit_matchup: NDArray[np.int64]
    unit_terrain: NDArray[np.int64]
    missiles: Records
    missile_base: Records
    monsters: Records
    items: Records
    ship_classes: Records


def compile_rules(values: Values, base: Base) -> Rules:
    """The compiled tables of a set of values."""
    source = _Source(values, base)
    tables = Rules(
        scalars=_scalars(values, base),
        terrains=_terrains(source),
        commands=_commands(source),
        facility_costs=source.records("facility_costs", materials=("build_materials", "step_materials")),
        mines=_mines(source),
        industry=source.records("industry", materials=("inputs", "outputs")),
        resources=source.records("resources"),
        research=_research(source),
        climates=source.records("climate"),
        weather=_weather(source),
        monuments=source.records("monuments"),
        unit_move=source.matrix("unit_move"),
        unit_types=source.records("unit_types"),
        unit_matchup=source.matrix("unit_matchup"),
        unit_terrain=source.matrix("unit_terrain"),
        missiles=source.records("missiles"),
        missile_base=_missile_bases(source),
        monsters=source.records("monsters"),
        items=_items(source),
        ship_classes=_ship_classes(source),
    )
    return Rules(*map(as_kernel_array, tables))


def _dtype(fields: Sequence[Any]) -> np.dtype[Any]:
    """The aligned dtype of the fields: one object per layout, else a Numba call takes 35 µs, not 2."""
    return _interned(tuple(fields))


@cache
def _interned(fields: tuple[Any, ...]) -> np.dtype[Any]:
    return np.dtype(list(fields), align=True)


def scalar_name(key: str) -> str:
    """The field of `scalars` that holds a key."""
    return key.replace(".", "_")


def _scalars(values: Values, base: Base) -> Records:
    """All constants and the cells of the flattened tables, in the order of the data."""
    fields: list[Any] = []
    content: list[Any] = []
    for key, entry in base.entries.items():
        if entry.type not in NUMERIC or entry.table not in ("", *FLATTENED):
            continue
        value = values[key]
        kind = np.int64 if entry.type == "int" else np.float64
        shape = (len(value),) if isinstance(value, tuple) else ()
        fields.append((scalar_name(key), kind, shape))
        content.append(value)
    array = np.zeros(1, dtype=_dtype(fields))
    array[0] = tuple(content)
    return array


class _Source:
    """Reads the current value of any cell by table, row and column."""

    def __init__(self, values: Values, base: Base) -> None:
        self.values = values
        self.tables = base.tables
        self.terrain_numbers = {row["name"]: int(row["number"]) for row in base.tables["terrains"].rows}

    def cell(self, table: str, label: str, column: str) -> int | float:
        """A cell as a number: codes by their position, terrains by their number, none as -1."""
        value = self.values[f"{table}.{label}.{column}"]
        if not isinstance(value, str):
            assert not isinstance(value, tuple)
            return value
        choices = self.tables[table].columns[column].choices
        if choices[0] == "":
            return self.terrain_numbers.get(value, -1)
        return choices.index(value)

    def kind(self, table: str, column: str) -> type[np.generic]:
        """int64, or float64 for a real column."""
        return np.float64 if self.tables[table].columns[column].type == "real" else np.int64

    def records(self, name: str, materials: Sequence[str] = ()) -> Records:
        """One record a row, one field a column; the `x.wood` .. `x.food` of `materials` are vectors `x`."""
        table = self.tables[name]
        vectors = {f"{group}.{item}" for group in materials for item in codes.MATERIALS}
        plain = [c for c in _numeric(table) if c not in vectors]
        fields: list[Any] = [(scalar_name(column), self.kind(name, column)) for column in plain]
        fields += [(group, self.kind(name, f"{group}.wood"), (9,)) for group in materials]
        array = np.zeros(len(table.rows), dtype=_dtype(fields))
        for row, label in enumerate(table.labels):
            for column in plain:
                array[scalar_name(column)][row] = self.cell(name, label, column)
            for group in materials:
                array[group][row] = [self.cell(name, label, f"{group}.{item}") for item in codes.MATERIALS]
        return array

    def matrix(self, name: str) -> NDArray[np.int64]:
        """A table whose numeric columns are one axis."""
        table = self.tables[name]
        columns = _numeric(table)
        rows = [[self.cell(name, label, column) for column in columns] for label in table.labels]
        return np.array(rows, dtype=np.int64)


def _numeric(table: Table) -> list[str]:
    """The columns that a record holds: numbers and codes that are not the row's own label or mere display."""
    return [
        name
        for name, column in table.columns.items()
        if column.type != "text" and (not column.fixed or name in KEPT_FIXED.get(table.name, ()))
    ]


KEPT_FIXED: dict[str, tuple[str, ...]] = {
    "terrains": ("counts_as_land",),
    "mines": ("terrain_number",),
    "ship_classes": ("terrain_number",),
    "missiles": ("command",),
    "facility_costs": ("command",),
}


def _extended(records: Records, fields: list[Any], rename: Mapping[str, str]) -> Records:
    """Room for more fields beside those of `records`, some of which get other names."""
    old = [(rename.get(name, name), records.dtype[name]) for name in records.dtype.names or ()]
    array = np.zeros(records.shape, dtype=_dtype([*old, *fields]))
    for name in records.dtype.names or ():
        array[rename.get(name, name)] = records[name]
    return array


def _by_number(records: Records, rows: Sequence[Mapping[str, str]], count: int) -> Records:
    """Records put at their `number`; the first of two with the same number stays."""
    array = np.zeros(count, dtype=records.dtype)
    taken: set[int] = set()
    for record, row in zip(records, rows, strict=True):
        number = int(row["number"])
        if number not in taken:
            array[number] = record
            taken.add(number)
    return array


TOWNS = (7, 28, 29, 30, 31)
"""Terrains of the town class, with a population: town, seabed_city, new_town, modern_city, metropolis."""


def _terrains(source: _Source) -> Records:
    """`terrains` by number, with `is_town` and `mine` (row of `mines` that works here, -1 none) added."""
    rename = {
        "worker_units_per_level": "workers_per_level",
        "fire_result_loss_percent": "fire_loss_percent",
        "fire_result_to_wasteland": "fire_to_wasteland",
    }
    records = _extended(source.records("terrains"), [("is_town", np.int64), ("mine", np.int64)], rename)
    array = _by_number(records, source.tables["terrains"].rows, TERRAIN_COUNT)
    array["is_town"][list(TOWNS)] = 1
    array["mine"] = -1
    for row, label in reversed(list(enumerate(source.tables["mines"].labels))):
        if label != "barren_mountain":
            array["mine"][int(source.cell("mines", label, "terrain_number"))] = row
    return array


def _commands(source: _Source) -> Records:
    """`commands` by number, with `exists` added."""
    records = _extended(source.records("commands", materials=("materials",)), [("exists", np.int64)], {})
    records["exists"] = 1
    return _by_number(records, source.tables["commands"].rows, COMMAND_COUNT)


def _mines(source: _Source) -> Records:
    """`mines` with the deposit code and the build price as a materials vector."""
    rename = {"worker_units_per_level": "workers_per_level"}
    extra: list[Any] = [("deposit", np.int64), ("build_materials", np.int64, (9,))]
    array = _extended(source.records("mines"), extra, rename)
    for row, label in enumerate(source.tables["mines"].labels):
        array["deposit"][row] = codes.DEPOSITS.index(codes.DEPOSIT_OF_MINE[label])
    for item in ("wood", "stone"):
        array["build_materials"][:, codes.MATERIALS.index(item)] = array[f"build_{item}"]
    return array


def _research(source: _Source) -> Records:
    """`research` as (branch, level); the effect comes from `research.percent_per_level` (RES-009)."""
    records = _extended(source.records("research"), [("effect_percent", np.int64)], {})
    array = records.reshape(len(codes.RESEARCH_BRANCHES), -1)
    step = source.values["research.percent_per_level"]
    assert isinstance(step, int)
    array["effect_percent"] = 100 + np.arange(array.shape[1]) * step
    return array


def _missile_bases(source: _Source) -> Records:
    """`missile_base` as (base, level); levels that a base does not have are 0."""
    bases = source.records("missile_base")
    by_level = np.zeros((2, 5), dtype=bases.dtype)
    for record, row in zip(bases, source.tables["missile_base"].rows, strict=True):
        by_level[("missile_base", "seabed_base").index(row["base"]), int(row["level"]) - 1] = record
    return by_level


def _items(source: _Source) -> Records:
    """`items` by number, with an empty row for no item."""
    items = source.records("items")
    array = np.zeros(len(items) + 1, dtype=items.dtype)
    array[1:] = items
    return array


PRIVATE_SHIPS = {"merchant": 6, "cruise_ship": 8, "large_merchant": 9, "fishing_boat": 10}
"""Ship class by row of `merchant` (`codes.ship_class`)."""


def _ship_classes(source: _Source) -> Records:
    """`ship_classes`, then the classes that only `merchant` lists; private ships as it has them."""
    fields: list[Any] = [("fuel_per_100_cells", np.int64), ("per_port_cap", np.int64)]
    listed = _extended(source.records("ship_classes"), fields, {})
    array = np.zeros(max(PRIVATE_SHIPS.values()) + 1, dtype=listed.dtype)
    array[: len(listed)] = listed
    private = source.records("merchant")
    for row, label in enumerate(source.tables["merchant"].labels):
        if label not in PRIVATE_SHIPS:
            continue
        ship = array[PRIVATE_SHIPS[label]]
        if PRIVATE_SHIPS[label] >= len(listed):
            ship["terrain_number"] = source.terrain_numbers[label]
            ship["enters_shallows"] = 1
        ship["cost"], ship["steel"] = private["cost_funds"][row], private["cost_steel"][row]
        ship["hp_base"] = ship["hp_start"] = private["hp"][row]
        for name in ("speed", "upkeep_funds", "search_range", *(name for name, _ in fields)):
            ship[name] = private[name][row]
        ship["capacity_containers"] = private["capacity_containers"][row]
        ship["upkeep_food"] = 0
    return array


def _weather(source: _Source) -> Records:
    """`weather` with the weights of the five climates as one vector."""
    array = _extended(source.records("weather"), [("weights", np.int64, (5,))], {})
    for number, climate in enumerate(codes.CLIMATES):
        array["weights"][:, number] = array[f"weight_{climate}"]
    return array
