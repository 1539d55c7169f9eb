"""`hakoenv rules --constants`: every number of the rules that can be changed, with what is known about it."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Any

from hakoenv.rulebook import RulebookError
from hakoenv.rulebook.pages import show
from hakoenv.ruleset import Ruleset, load_ruleset
from hakoenv.ruleset.overrides import nearest
from hakoenv.ruleset.ruleset import Info

_LISTED = 10  # rules or names that a line shows


def matching(pattern: str, ruleset: Ruleset | None = None) -> list[str]:
    """The keys that hold a pattern, in the ruleset's order; upper and lower case are the same.

    Args:
        pattern: part of a key; with `*` or `?`, which stand for anything, the whole key. Empty: all keys.
        ruleset: default that of `season`.

    Raises:
        RulebookError: none does; the message names the nearest.
    """
    keys = (ruleset or load_ruleset()).keys()
    wanted = pattern.lower() if set("*?") & set(pattern) else f"*{pattern.lower()}*"
    found = [key for key in keys if fnmatchcase(key.lower(), wanted)]
    if not found:
        near = ", ".join(nearest(pattern, list(keys)))
        raise RulebookError(f"no constant's key holds {pattern!r}; nearest: {near}")
    return found


def records(keys: Sequence[str], ruleset: Ruleset | None = None) -> list[dict[str, Any]]:
    """What is known about each key, fit for JSON."""
    source = ruleset or load_ruleset()
    return [source.info(key)._asdict() for key in keys]


def text(keys: Sequence[str], ruleset: Ruleset | None = None) -> str:
    """The keys for the terminal, a line each: value and unit; allowed values; origin; rules.

    Long lists are cut; `records` has them whole.
    """
    source = ruleset or load_ruleset()
    lines = []
    for key in keys:
        about = source.info(key)
        parts = (
            f"{key} = {show(about.value)} {about.unit}".rstrip(),
            _allowed(about),
            f"{about.provenance} {about.source}".rstrip(),
            _rules(about),
        )
        lines.append("; ".join(part for part in parts if part))
    return "\n".join(lines)


def _allowed(about: Info) -> str:
    if not about.overridable:
        return "can't be changed"
    return (
        about.allowed if len(about.choices) <= _LISTED else f"one of {len(about.choices)} names (see --json)"
    )


def _rules(about: Info) -> str:
    more = len(about.rules) - _LISTED
    return " ".join(about.rules[:_LISTED]) + (f" and {more} more" if more > 0 else "")
