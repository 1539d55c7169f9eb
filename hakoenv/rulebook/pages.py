"""The rulebook as text: one rule, a list of rules, and the Markdown pages of `docs/rules/`."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hakoenv.rulebook import Rule, areas, phases
from hakoenv.rulebook.coverage import brought_by, index
from hakoenv.ruleset import Ruleset, load_ruleset, scenarios

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

DATA = "../../hakoenv/ruleset/data"  # as seen from docs/rules
_MOVED = {"constants.csv": "constants.toml"}  # files that the ledger calls by an older name
_GONE = re.compile(r"(?:tables/BALANCE|trpg_background)\.md")
_TABLE = re.compile(r"(?:tables/|(?<![\w/]))([a-z_]+\.csv)")

KEY = """\
Every rule of the game has a number, such as `DEV-013`: an area and a running number that never changes.
Code, tests, constants and messages name rules by it. `hakoenv rules DEV-013` prints one rule,
`hakoenv rules DEV` an area.

The rules come from a Japanese text about the game, called **the source** here. Where it is silent, the
project has chosen, and says so.

## How to read a rule

| words | meaning |
| --- | --- |
| **stated** | the source says it; it binds |
| **open** | the source leaves it open or its table is lost; what follows "Reading" is this project's choice |
| Reading:, Reading to take: | a choice: how an unclear sentence is understood, or what fills a gap |
| Missing:, Not given:, Not said: | what the source does not tell |
| Clue:, Bound: | what the source says elsewhere that helps to choose, or limits the choice |
| `S:176` | line 176 of the Japanese source text (`S:138-140` lines 138 to 140); `TRPG:` is the text on the \
tabletop naval environment, by section. The texts are not part of this repository |
| seed, "the seed says" | the source text itself, never the random seed of a world |
| origin of a constant | `seed`: the source text; `bounded`: chosen within bounds that the source gives; \
`ancestor`: taken from an older game of its family; `chosen`: free choice |
| phase | the step of a turn in which the rule acts (list below) |
| values | the numbers in the rule's own text |
| constant | the key under which the number stands in the ruleset, with its value in scenario `season`; \
change it with `rules={"mine.pile_per_level": 20}` |
| tables, `terrains.csv` | a file in [hakoenv/ruleset/data](DATA), where all numbers live; constants are in \
[constants.toml](DATA/constants.toml) |
| tests | the tests that fail without the rule; "none yet": it is not built, or not whole, and comes with \
what is named (all of them: `hakoenv rules --missing`) |

Populations and soldiers are counted in units of 100 people.

## Numbers that depend on the scenario

Rules give the numbers of the source, and the constants beside them are those of scenario `season`. Other
scenarios override some of them: MAP-001 says 90 x 90, a duel is played on 30 x 30.
"""


def record(rule: Rule, ruleset: Ruleset | None = None) -> dict[str, Any]:
    """All about one rule, fit for JSON: text, phase, constants with their values, tables, tests.

    `comes_with` names what will bring a rule that is not built whole yet, None for one that is.
    """
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
        "comes_with": brought_by(rule.id) if rule.id not in index() else None,
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
    if about["comes_with"]:
        lines += ["", f"Not built yet, or not whole: comes with {about['comes_with']}"]
    else:
        lines += ["", "Tests", *(f"  {test}" for test in about["tests"])]
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
    """The key to the rules, the list of areas and that of phases."""
    tests = index()
    lines = ["# Rules", "", "Written by `make docs`; don't edit.", "", KEY.replace("DATA", DATA)]
    lines += [*_scenario_table(), "", "## Areas", ""]
    lines += ["| area | about | rules | tested |", "| --- | --- | --- | --- |"]
    for area, listed in areas().items():
        tested = sum(rule.id in tests for rule in listed)
        lines.append(f"| [{area}]({area}.md) | {AREA_TITLES[area]} | {len(listed)} | {tested} |")
    lines += ["", "## Phases of a turn", ""]
    lines += ["In this order, once a turn ([TURN](TURN.md)). A rule without a phase is always true.", ""]
    lines += [f"{number}. `{name}`" for number, name in phases().items()]
    return "\n".join(lines) + "\n"


def _scenario_table() -> list[str]:
    """The constants in which scenarios differ, one row each."""
    rulesets = {name: load_ruleset(name) for name in scenarios()}
    keys = dict.fromkeys(key for scenario in scenarios().values() for key in scenario.rules)
    rows = {"nations": [str(ruleset.nations) for ruleset in rulesets.values()]}
    rows |= {f"`{key}`": [show(ruleset[key]) for ruleset in rulesets.values()] for key in keys}
    return [
        "| constant | " + " | ".join(rulesets) + " |",
        "| --- " * (len(rulesets) + 1) + "|",
        *(f"| {name} | " + " | ".join(values) + " |" for name, values in rows.items()),
    ]


def _area_page(area: str, listed: Sequence[Rule]) -> str:
    """The page of one area."""
    head = f"# {area}: {AREA_TITLES[area]}\n\n[All areas, and how to read a rule](README.md)\n\n"
    return head + "\n".join(_section(rule) for rule in listed)


def _section(rule: Rule) -> str:
    """One rule of a page."""
    about = record(rule)
    lines = [f"## {rule.id} {_escape(rule.title)}", "", _prose(rule.statement), ""]
    if rule.example:
        lines += [f"Example: {_prose(rule.example)}", ""]
    lines.append(f"- {rule.kind}, {rule.source}; phase: {rule.phase_text}")
    if rule.values:
        values = ", ".join(f"{name} = {show(value)}" for name, value in rule.values.items())
        lines.append(f"- values: {_prose(values)}")
    for item in about["constants"]:
        lines.append(f"- constant `{item['key']}` = {show(item['value'])} {item['unit']}".rstrip())
    if about["tables"]:
        lines.append("- tables: " + ", ".join(f"[{name}]({DATA}/{name}.csv)" for name in about["tables"]))
    if about["commands"]:
        lines.append("- commands: " + ", ".join(f"`{name}`" for name in about["commands"]))
    files = sorted({re.sub(r"\[.*", "", test) for test in about["tests"]})
    named = ", ".join(f"`{test}`" for test in files)
    lines.append(f"- tests: {named or 'none yet; comes with ' + brought_by(rule.id)}")
    return "\n".join(lines) + "\n"


def _prose(text: str) -> str:
    """Text of the ledger as Markdown, with links to the tables that it names."""

    def link(found: re.Match[str]) -> str:
        name = _MOVED.get(found[1], found[1])
        return f"[{name}]({DATA}/{name})"

    return _TABLE.sub(link, _GONE.sub("the project's notes (not in this repository)", _escape(text)))


def _escape(text: str) -> str:
    """Characters that Markdown would take for markup."""
    return re.sub(r"([\\*<\[|])", r"\\\1", text)
