"""Running cases: one small world each, what happens in it, and what must then hold."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hakoenv.testing import expect
from hakoenv.testing.case_world import build, refuse_section
from hakoenv.testing.entries import mapping, only
from hakoenv.testing.errors import CaseError
from hakoenv.testing.fields import listed
from hakoenv.testing.small_world import SmallWorld

FORMAT = 1
_CASE_KEYS = ("id", "rules", "title", "why", "world", "orders", "run", "expect")


def run_case(case: dict[str, Any]) -> list[str]:
    """Run one case and return its failures, one sentence each; an empty list says that it passed.

    What is wrong with the case itself, and an error inside the engine, are failures, too.
    """
    try:
        small = start_case(case)
        for entry in listed(case["expect"], "entries"):
            mapping(entry, "entry of expect")
    except CaseError as error:
        return [str(error)]
    except Exception as error:  # a broken engine must not hide the other cases
        return [f"engine error: {type(error).__name__}: {error}"]
    failures: list[str] = []
    for place, entry in enumerate(case["expect"]):
        try:
            failures += expect.check(small, entry)
        except CaseError as error:
            failures.append(f"expect[{place}]: {error}")
        except Exception as error:
            failures.append(f"expect[{place}]: engine error: {type(error).__name__}: {error}")
    return failures


def start_case(case: Mapping[str, Any]) -> SmallWorld:
    """The world of a case after its run.

    Raises:
        CaseError: the case has an unknown key, field or name, or a value that can't be.
    """
    for key in mapping(case, "the case"):
        if key not in _CASE_KEYS:
            refuse_section(key, list(_CASE_KEYS))
    for key in ("id", "run", "expect"):
        if key not in case:
            raise CaseError(f'"{key}" is missing')
    if not all(isinstance(rule, str) for rule in listed(case.get("rules", []), "rule ids")):
        raise CaseError('"rules" is not a list of rule ids')
    small = build(case)
    _run(small, mapping(case["run"], "run"))
    return small


def _run(small: SmallWorld, run: dict[str, Any]) -> None:
    only(run, ("phases", "turns", "none"))
    if len(run) != 1:
        raise CaseError(f'run needs one of "phases", "turns" and "none", not {list(run)}')
    if "turns" in run:
        small.run(run["turns"])
    for name in listed(run.get("phases", []), "phase names"):
        small.phase(name)


def load_cases(path: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """The cases of a file.

    Raises:
        CaseError: the file can't be read, is no JSON, or is no list of cases with ids of their own.
    """
    name = os.fspath(path)
    try:
        text = Path(path).read_text(encoding="utf-8")
        content = json.loads(text, object_pairs_hook=_object, parse_constant=_no_number)
    except OSError as error:
        raise CaseError(f"{name}: can't be read ({error.strerror})") from None
    except CaseError as error:
        raise CaseError(f"{name}: {error}") from None
    except (ValueError, RecursionError) as error:
        raise CaseError(f"{name}: is not valid JSON ({error})") from None
    try:
        content = mapping(content, "the file")
        only(content, ("format", "cases"))
        if content.get("format") != FORMAT:
            raise CaseError(f'"format" is {content.get("format")!r}; this version reads {FORMAT}')
        cases = [mapping(case, f"cases[{k}]") for k, case in enumerate(listed(content.get("cases"), "cases"))]
        seen: set[str] = set()
        for place, case in enumerate(cases):
            identity = case.get("id")
            if not isinstance(identity, str) or not identity:
                raise CaseError(f'cases[{place}]: "id" is missing or no text')
            if identity in seen:
                raise CaseError(f'two cases have the id "{identity}"')
            seen.add(identity)
            if not all(isinstance(rule, str) for rule in listed(case.get("rules", []), "rule ids")):
                raise CaseError(f'case "{identity}": "rules" is not a list of rule ids')
    except CaseError as error:
        raise CaseError(f"{name}: {error}") from None
    return cases


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; one that has a key twice would hide what stands first."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise CaseError(f'the key "{next(n for n in names if names.count(n) > 1)}" stands twice in an object')
    return found


def _no_number(word: str) -> Any:
    raise CaseError(f"{word} is no number of JSON")
