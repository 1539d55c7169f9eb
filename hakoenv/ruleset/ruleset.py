"""The Ruleset: an immutable set of values with their documentation."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

from hakoenv.ruleset.compiled import Rules, compile_rules
from hakoenv.ruleset.overrides import resolve
from hakoenv.ruleset.schema import Value
from hakoenv.ruleset.tables import Base
from hakoenv.ruleset.version import RULES_VERSION


class Info(NamedTuple):
    """What is known about one key: value, unit, allowed values, rules that use it, where it comes from."""

    key: str
    value: Value
    default: Value
    unit: str
    allowed: str
    low: float | None
    high: float | None
    choices: tuple[str, ...]
    rules: tuple[str, ...]
    provenance: str
    source: str
    note: str
    overridable: bool


class Ruleset:
    """All values of one scenario with its overrides. Made by `load_ruleset`; never changes.

    `ruleset["mine.pile_per_level"]`, `ruleset["ship_classes.cruiser.scatter"]`; equal and hashed by content.
    """

    def __init__(
        self,
        scenario: str,
        nations: int,
        base: Base,
        values: Mapping[str, Value],
        overrides: Mapping[str, object],
        rebuild: Callable[[str, dict[str, Any]], Ruleset],
    ) -> None:
        """Use `load_ruleset` instead."""
        self.scenario = scenario
        self.nations = nations
        self.version = RULES_VERSION
        self._base = base
        self._values = MappingProxyType(dict(values))
        self._overrides = dict(overrides)
        self._rebuild = rebuild
        self._frozen = True

    def __setattr__(self, name: str, value: object) -> None:
        if getattr(self, "_frozen", False):
            raise AttributeError(f"a Ruleset never changes: load another one to set {name}")
        object.__setattr__(self, name, value)

    def __getitem__(self, key: str) -> Value:
        """The value of a key; unknown keys are errors that name the nearest ones."""
        return self._values[resolve(self._base, key, "ruleset")]

    def keys(self) -> tuple[str, ...]:
        """Every key, constants first, then `table.row.column`."""
        return tuple(self._base.entries)

    def info(self, key: str) -> Info:
        """What is known about a key."""
        entry = self._base.entries[resolve(self._base, key, "ruleset")]
        return Info(
            entry.key,
            self._values[entry.key],
            entry.value,
            entry.unit,
            entry.allowed,
            entry.low,
            entry.high,
            entry.choices,
            entry.rules,
            entry.provenance,
            entry.source,
            entry.note,
            not entry.fixed and entry.type != "text",
        )

    @property
    def overrides(self) -> dict[str, Any]:
        """What was changed on top of the scenario (file, then Python), as given, fit for JSON."""
        return {key: list(v) if isinstance(v, tuple) else v for key, v in self._overrides.items()}

    def tables(self) -> tuple[str, ...]:
        """The names of all tables."""
        return tuple(self._base.tables)

    def table(self, name: str) -> list[dict[str, Value | None]]:
        """A table with all its columns (names and notes, too), overrides applied; empty cells are None."""
        table = self._base.tables[name]
        rows: list[dict[str, Value | None]] = []
        for raw, label in zip(table.rows, table.labels, strict=True):
            row: dict[str, Value | None] = {}
            for column, text in raw.items():
                key = f"{name}.{label}" if table.layout == "values" else f"{name}.{label}.{column}"
                is_cell = column == "value" if table.layout == "values" else True
                value = self._values.get(key) if is_cell else None
                row[column] = text or None if value is None else value if value != "" else None
            rows.append(row)
        return rows

    def table_meaning(self, name: str) -> str:
        """One line on what a table is."""
        return self._base.tables[name].meaning

    def constants_of_rule(self, rule: str) -> tuple[str, ...]:
        """The constants that the rule uses, and the values of tables like `founding` that hold one a row.

        For cells of other tables see `tables_of_rule`.
        """
        single = {"", *(name for name, table in self._base.tables.items() if table.layout == "values")}
        entries = self._base.entries.items()
        return tuple(key for key, entry in entries if rule in entry.rules and entry.table in single)

    def tables_of_rule(self, rule: str) -> tuple[str, ...]:
        """The tables that the rule uses."""
        return tuple(name for name, table in self._base.tables.items() if rule in table.rules)

    def land_cells(self, nations: int | None = None) -> int:
        """Land target of a new world (MAP-051): `worldgen.land_cells`, or by formula where that is 0."""
        fixed = self._int("worldgen.land_cells")
        if fixed:
            return fixed
        wanted = self._int("worldgen.land_cells_per_nation") * (nations or self.nations)
        return min(max(wanted, self._int("worldgen.land_min")), self._int("worldgen.land_max"))

    def continents(self, nations: int | None = None) -> int:
        """Continents of a new world (MAP-051): `worldgen.continent_count`, or by formula where that is 0."""
        fixed = self._int("worldgen.continent_count")
        each = self._int("worldgen.continents.nations_per_continent")
        return fixed or max(1, (nations or self.nations) // each)

    @cached_property
    def rules(self) -> Rules:
        """The compiled form: NumPy tables for the engine. Treat as read-only."""
        return compile_rules(self._values, self._base)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of version, scenario, nations and all values: equal digests are the same game."""
        content = [self.version, self.scenario, self.nations, sorted(self._values.items())]
        return hashlib.sha256(json.dumps(content, ensure_ascii=True).encode()).hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ruleset) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"Ruleset({self.scenario!r}, overrides={self.overrides!r})"

    def __reduce__(self) -> tuple[Callable[..., Ruleset], tuple[str, dict[str, Any]]]:
        return self._rebuild, (self.scenario, self.overrides)

    def _int(self, key: str) -> int:
        value = self._values[key]
        assert isinstance(value, int)
        return value
