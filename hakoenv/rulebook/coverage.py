"""Which tests name which rule: the committed index `coverage.json`, and what it says about the ledger."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from hakoenv.rulebook import rules

INDEX_NAME = "coverage.json"


def index() -> dict[str, list[str]]:
    """The tests of each rule, as committed (`python -m hakoenv.rulebook.collect tests` rewrites it)."""
    file = files("hakoenv.rulebook") / INDEX_NAME
    if not file.is_file():
        return {}
    found: dict[str, list[str]] = json.loads(file.read_text(encoding="utf-8"))
    return found


def report(tests: Mapping[str, list[str]] | None = None) -> dict[str, Any]:
    """Tested and missing rules.

    Args:
        tests: the tests of each rule; the committed index if not given.

    Returns:
        `tested_ids`, `missing_ids` and `rules` (id, kind, tests), all in the order of the ledger.
    """
    known = index() if tests is None else tests
    listed = [
        {"id": rule.id, "kind": rule.kind, "tests": list(known.get(rule.id, ()))} for rule in rules().values()
    ]
    return {
        "tested_ids": [rule["id"] for rule in listed if rule["tests"]],
        "missing_ids": [rule["id"] for rule in listed if not rule["tests"]],
        "rules": listed,
    }


def brought_by(rule_id: str) -> str:
    """What will bring a rule that is still missing."""
    plan = _plan()
    found: str = plan["rules"].get(rule_id) or plan["areas"][rule_id.rsplit("-", 1)[0]]
    return found


def unfinished() -> frozenset[str]:
    """The rules that `missing.toml` names: what tests say about their finished parts doesn't count yet."""
    return frozenset(_plan()["rules"])


def _plan() -> dict[str, Any]:
    return tomllib.loads((files("hakoenv.rulebook") / "missing.toml").read_text(encoding="utf-8"))
