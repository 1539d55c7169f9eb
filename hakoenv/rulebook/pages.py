"""The rulebook as text: one rule, a list of rules, and the Markdown pages of `docs/rules/`."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hakoenv.rulebook import Rule, areas
from hakoenv.rulebook.coverage import index
from hakoenv.ruleset import Ruleset, load_ruleset

AREA_TITLES = {
    "SEASON": "seasons, victory, scores, statistics",
    "FOUND": "founding a nation",
    "MAP": "the map, terrain, deposits",
    "CMD": "plans and commands",
    "RES": "resources, stocks, food",
    "SURVEY": "surveys",
    "DEV": "mines and oil fields",
    "IND": "industry, fuel, workers, households",
    "MKT": "ports, markets, tariffs",
    "FIN": "the clearing house: deposits and loans",
    "ARMY": "land units and land combat",
    "MSL": "missiles",
    "DIS": "disasters",
    "LIMIT": "limits of young nations, diplomacy, the turn cup",
    "NAVY": "fleets, ships, sea combat",
    "BOMB": "bombardment from the sea",
    "EMBARK": "boarding and landing",
    "NMINE": "naval mines and breakwaters",
    "MER": "merchant ships and private trade",
    "CRU": "cruise ships",
    "FISH": "fishing",
    "FAC": "factions",
    "TRD": "trade leagues",
    "SHIP": "regular shipments",
    "SUP": "supply contracts",
    "AUC": "auctions",
    "AI": "the rule AI",
    "AID": "aid and relief",
    "TURN": "the order of the turn",
    "SAVE": "saving and backups",
    "LLM": "language-model nations",
    "CONT": "the containment",
    "TRPG": "the tabletop naval environment",
}


def record(rule: Rule, ruleset: Ruleset | None = None) -> dict[str, Any]:
    """All about one rule, fit for JSON: text, phase, constants with their values, tables, tests."""
    source = ruleset or load_ruleset()
    return {
        "id": rule.id,
        "area": rule.area,
        "title": rule.title,
        "kind": rule.kind,
        "statement": rule.statement,
        "values": dict(rule.values),
        "example": rule.example,
        "source": rule.source,
        "phase": rule.phase,
        "phase_text": rule.phase_text,
        "constants": [
            {"key": key, "value": source[key], "unit": source.info(key).unit}
            for key in source.constants_of_rule(rule.id)
        ],
        "tables": list(source.tables_of_rule(rule.id)),
        "commands": [
            row["name"] for row in source.table("commands") if rule.id in str(row["rules"]).split(";")
        ],
        "tests": index().get(rule.id, []),
    }


def rule_text(rule: Rule) -> str:
    """One rule for the terminal."""
    about = record(rule)
    lines = [f"{rule.id}  {rule.title}  ({rule.kind}, {rule.source})", "", rule.statement]
    if rule.values:
        lines += ["", "Values", *(f"  {name} = {show(value)}" for name, value in rule.values.items())]
    if rule.example:
        lines += ["", "Example", f"  {rule.example}"]
    lines += ["", f"Phase: {rule.phase_text}"]
    lines += (
        ["", "Constants", *(_constant(item) for item in about["constants"])] if about["constants"] else []
    )
    if about["tables"]:
        lines += ["", "Tables: " + ", ".join(about["tables"])]
    if about["commands"]:
        lines += ["", "Commands: " + ", ".join(about["commands"])]
    lines += ["", "Tests", *(f"  {test}" for test in about["tests"] or ["none yet"])]
    return "\n".join(lines)


def list_text(listed: Sequence[Rule], tests: Mapping[str, list[str]]) -> str:
    """A list of rules for the terminal: id, number of tests, title."""
    lines = []
    for rule in listed:
        mark = " (open)" if rule.kind == "open" else ""
        lines.append(f"{rule.id:<11} {len(tests.get(rule.id, ())) or '-':>3}  {rule.title}{mark}")
    return "\n".join(lines)


def write_docs(folder: str | os.PathLike[str]) -> list[Path]:
    """Write one Markdown page per area and a README into `folder`; returns the files."""
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    pages = {"README": _contents()}
    pages.update({area: _area_page(area, listed) for area, listed in areas().items()})
    written = []
    for name, text in pages.items():
        path = place / f"{name}.md"
        path.write_text(text, encoding="utf-8", newline="\n")
        written.append(path)
    return written


def show(value: Any) -> str:
    """A value of the ledger or the ruleset in one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {show(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(show(item) for item in value) + "]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _constant(item: Mapping[str, Any]) -> str:
    return f"  {item['key']} = {show(item['value'])} {item['unit']}".rstrip()


def _contents() -> str:
    """The list of areas."""
    tests = index()
    lines = ["# Rules", "", "Written by `hakoenv.rulebook.pages.write_docs`; don't edit.", ""]
    lines += ["| area | about | rules | tested |", "| --- | --- | --- | --- |"]
    for area, listed in areas().items():
        tested = sum(rule.id in tests for rule in listed)
        lines.append(f"| [{area}]({area}.md) | {AREA_TITLES[area]} | {len(listed)} | {tested} |")
    return "\n".join(lines) + "\n"


def _area_page(area: str, listed: Sequence[Rule]) -> str:
    """The page of one area."""
    return f"# {area}: {AREA_TITLES[area]}\n\n" + "\n".join(_section(rule) for rule in listed)


def _section(rule: Rule) -> str:
    """One rule of a page."""
    about = record(rule)
    lines = [f"## {rule.id} {_escape(rule.title)}", "", _escape(rule.statement), ""]
    if rule.example:
        lines += [f"Example: {_escape(rule.example)}", ""]
    lines.append(f"- {rule.kind}, {rule.source}; phase: {rule.phase_text}")
    if rule.values:
        values = ", ".join(f"{name} = {show(value)}" for name, value in rule.values.items())
        lines.append(f"- values: {_escape(values)}")
    for item in about["constants"]:
        lines.append(f"- constant `{item['key']}` = {show(item['value'])} {item['unit']}".rstrip())
    if about["tables"]:
        lines.append("- tables: " + ", ".join(f"`{name}`" for name in about["tables"]))
    if about["commands"]:
        lines.append("- commands: " + ", ".join(f"`{name}`" for name in about["commands"]))
    files = sorted({re.sub(r"\[.*", "", test) for test in about["tests"]})
    lines.append("- tests: " + (", ".join(f"`{test}`" for test in files) or "none yet"))
    return "\n".join(lines) + "\n"


def _escape(text: str) -> str:
    """Characters that Markdown would take for markup."""
    return re.sub(r"([\\*<\[|])", r"\\\1", text)
