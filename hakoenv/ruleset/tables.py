"""The base data of the package, read and validated once per process: constants, tables, links."""

from __future__ import annotations

import csv
import io
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Any

from hakoenv.ruleset.schema import NUMERIC, Entry, RulesetError, Value, check

META = ("provenance", "seed_line", "field_sources", "note")


@dataclass(frozen=True)
class Column:
    """One column of a table, as `tables.toml` describes it."""

    name: str
    type: str
    unit: str = ""
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    blank: Value | None = None
    fixed: str = ""


@dataclass(frozen=True)
class Table:
    """One table: its description, its rows as text, and the label of each row."""

    name: str
    meaning: str
    row: str
    layout: str
    rules: tuple[str, ...]
    columns: dict[str, Column]
    rows: tuple[dict[str, str], ...]
    labels: tuple[str, ...]


@dataclass(frozen=True)
class Base:
    """Everything before scenario and overrides."""

    entries: MappingProxyType[str, Entry]
    aliases: MappingProxyType[str, str]
    tables: MappingProxyType[str, Table]
    implied: MappingProxyType[str, tuple[str, ...]]


def data() -> Traversable:
    """The folder of the data files."""
    return files("hakoenv.ruleset") / "data"


def read_toml(name: str) -> dict[str, Any]:
    """A TOML file of the data folder."""
    return tomllib.loads((data() / name).read_text(encoding="utf-8"))


def read_csv(name: str) -> tuple[dict[str, str], ...]:
    """The rows of a CSV file of the data folder."""
    text = (data() / f"{name}.csv").read_text(encoding="utf-8")
    return tuple(csv.DictReader(io.StringIO(text, newline="")))


@cache
def base() -> Base:
    """The base data, validated. Cached: files are read once per process."""
    entries = {entry.key: entry for entry in _constants(read_toml("constants.toml"))}
    tables = _tables()
    aliases: dict[str, str] = {}
    for table in tables.values():
        for entry in _cells(table):
            if entry.key in entries:
                raise RulesetError(f"{table.name}.csv: {entry.key} stands twice")
            entries[entry.key] = entry
        aliases.update(_aliases(table, entries))
    links = _links(read_toml("implied.toml"), entries)
    return Base(
        MappingProxyType(entries),
        MappingProxyType(aliases),
        MappingProxyType(tables),
        MappingProxyType({key: tuple(_spread(key, targets, entries)) for key, targets in links}),
    )


def _constants(tree: dict[str, Any], prefix: str = "") -> list[Entry]:
    """The entries of `constants.toml`: a leaf is a table with `value` or `text` and `rules`."""
    found: list[Entry] = []
    for name, node in tree.items():
        key = f"{prefix}{name}"
        if "rules" not in node:
            found += _constants(node, f"{key}.")
            continue
        shared = {
            "rules": tuple(node["rules"]),
            "provenance": node["provenance"],
            "source": node.get("source", ""),
            "note": node.get("note", ""),
        }
        if "text" in node:
            found.append(Entry(key, node["text"], "text", **shared))
            continue
        value = node["value"]
        first = value[0] if isinstance(value, list) else value
        entry = Entry(
            key,
            tuple(value) if isinstance(value, list) else value,
            "real" if isinstance(first, float) else "int",
            unit=node.get("unit", ""),
            low=node["min"],
            high=node["max"],
            choices=tuple(node.get("names", ())),
            **shared,
        )
        check(entry, value, "constants.toml")
        found.append(entry)
    return found


def _tables() -> dict[str, Table]:
    """All tables of `tables.toml` with the rows of their CSV files."""
    specs = read_toml("tables.toml")
    terrain_names = tuple(row["name"] for row in read_csv("terrains"))
    found = {}
    for name, spec in specs.items():
        columns = {}
        for column, node in spec["columns"].items():
            choices = tuple(node.get("choices", ()))
            kind = node["type"]
            if kind == "terrain":
                kind, choices = "code", ("", *terrain_names)
            columns[column] = Column(
                column,
                kind,
                node.get("unit", ""),
                node.get("min"),
                node.get("max"),
                choices,
                node.get("blank", "" if "" in choices else None),
                node.get("fixed", ""),
            )
        rows = read_csv(name)
        if not rows or set(rows[0]) != {*columns, *META}:
            raise RulesetError(f"{name}.csv: its columns are not those of tables.toml")
        keys = spec["row"]
        parts = (keys,) if keys in columns else tuple(keys.split("_"))
        labels = tuple("_".join(row[part] for part in parts) for row in rows)
        if len(set(labels)) != len(labels):
            raise RulesetError(f"{name}.csv: two rows have the same {keys}")
        found[name] = Table(
            name, spec["meaning"], keys, spec["layout"], tuple(spec["rules"]), columns, rows, labels
        )
    return found


def _cells(table: Table) -> list[Entry]:
    """The entries of a table: every cell that holds a number or a code."""
    found = []
    for row, label in zip(table.rows, table.labels, strict=True):
        rules = tuple(row["rules"].split(";")) if "rules" in row else table.rules
        source = ", ".join(f"S:{line}" for line in row["seed_line"].split(";") if line)
        if table.layout == "values":
            column = Column(
                "value",
                row["type"],
                row["unit"],
                float(row["min"]) if row["min"] else None,
                float(row["max"]) if row["max"] else None,
            )
            columns = [column]
        else:
            columns = [c for c in table.columns.values() if c.type != "text"]
        for column in columns:
            text = row[column.name]
            if text == "" and column.blank is None:
                if table.layout == "dense" and not column.fixed:
                    raise RulesetError(f"{table.name}.csv: {label}.{column.name} is empty")
                continue
            value: Value = text
            if text == "" and column.blank is not None:
                value = column.blank
            elif column.type in NUMERIC:
                value = int(text) if column.type == "int" else float(text)
            key = f"{table.name}.{label}" + ("" if table.layout == "values" else f".{column.name}")
            entry = Entry(
                key,
                value,
                column.type,
                column.unit,
                column.low,
                column.high,
                column.choices,
                rules,
                _provenance(row, column.name),
                source,
                row["note"],
                column.fixed,
                table.name,
            )
            if not column.fixed and column.type != "text":
                check(entry, value, f"{table.name}.csv")
            found.append(entry)
    return found


def _provenance(row: dict[str, str], column: str) -> str:
    """The class of one cell: the row's, unless `field_sources` names a better one for the column."""
    sources = dict(part.split("=", 1) for part in row["field_sources"].split(";") if "=" in part)
    source = sources.get(column, sources.get(column.split(".")[0], row["provenance"]))
    return next(kind for kind in ("seed", "bounded", "ancestor", "chosen") if source.startswith(kind))


def _aliases(table: Table, entries: dict[str, Entry]) -> dict[str, str]:
    """Other spellings: `market.price_floor.value`, and rows by `name` where the label is the id."""
    found = {}
    for row, label in zip(table.rows, table.labels, strict=True):
        if table.layout == "values":
            found[f"{table.name}.{label}.value"] = f"{table.name}.{label}"
            continue
        other = row.get("name", "")
        if other and other != label and other not in table.labels:
            for column in table.columns:
                if f"{table.name}.{label}.{column}" in entries:
                    found[f"{table.name}.{other}.{column}"] = f"{table.name}.{label}.{column}"
    return {alias: key for alias, key in found.items() if alias not in entries}


def _links(tree: dict[str, list[str]], entries: dict[str, Entry]) -> list[tuple[str, list[str]]]:
    """The lines of `implied.toml`, those with `*` on the left written out."""
    lines = []
    for key, targets in tree.items():
        if "*" not in key:
            lines.append((key, targets))
            continue
        head, tail = key.split("*")
        for found in entries:
            if found.startswith(head) and found.endswith(tail):
                label = found[len(head) : len(found) - len(tail)]
                lines.append((found, [target.replace("*", label) for target in targets]))
    return lines


def _spread(key: str, targets: list[str], entries: dict[str, Entry]) -> list[str]:
    """The keys that follow `key`; those of a whole table only where they are equal to it."""
    found = []
    for target in targets:
        if "*" in target:
            head, tail = target.split("*")
            found += [
                name
                for name in entries
                if name.startswith(head) and name.endswith(tail) and entries[name].value == entries[key].value
            ]
        elif entries[target].value == entries[key].value:
            found.append(target)
    return found
