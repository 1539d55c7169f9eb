"""Loading a ruleset: base data, then the scenario, then a TOML file, then Python overrides; later wins."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from numbers import Integral, Real
from types import MappingProxyType
from typing import NamedTuple

from hakoenv.ruleset.overrides import apply, flatten, read_file, resolve
from hakoenv.ruleset.ruleset import Ruleset
from hakoenv.ruleset.schema import RulesetError, Value
from hakoenv.ruleset.tables import Base, base, read_toml


class Scenario(NamedTuple):
    """A named game: how many nations, and what differs from the constants."""

    name: str
    title: str
    nations: int
    rules: Mapping[str, object]


@cache
def scenarios() -> Mapping[str, Scenario]:
    """All scenarios by name."""
    return MappingProxyType(
        {
            name: Scenario(name, node["title"], node["nations"], MappingProxyType(node["rules"]))
            for name, node in read_toml("scenarios.toml").items()
        }
    )


def load_ruleset(
    scenario: str = "season",
    overrides: Mapping[str, object] | None = None,
    file: str | os.PathLike[str] | None = None,
    source: str = "override",
) -> Ruleset:
    """The ruleset of a scenario with changes.

    Args:
        scenario: `duel`, `skirmish`, `season` or `grand`.
        overrides: keys and new values; win over `file`.
        file: a TOML file of keys and new values, `[mine]` / `level_max = 5` or `"mine.level_max" = 5`.
        source: what an error about `overrides` calls them.

    Raises:
        RulesetError: unknown scenario or key, or a value that is not allowed.
    """
    known = scenarios()
    if not isinstance(scenario, str) or scenario not in known:
        raise RulesetError(f"unknown scenario {scenario!r}; there are {', '.join(known)}")
    data = base()
    values: dict[str, Value] = {key: entry.value for key, entry in data.entries.items()}
    apply(data, values, known[scenario].rules, f'scenario "{scenario}"')
    given: dict[str, object] = {}
    kept: dict[str, Value] = {}
    if file is not None:
        layer = read_file(file)
        given, kept = _values_of(layer), apply(data, values, layer, os.fspath(file))
    if overrides is not None:
        layer = flatten(overrides, source=source)
        later = apply(data, values, layer, source)
        for key in list(given):  # a key of the file that Python overrides, directly or through `implied.toml`
            name = resolve(data, key, source)
            if name in later or values[name] != kept[name]:
                del given[key]
        given = {**given, **_values_of(layer)}
    _check_levels(values, data)
    given = {key: _plain(value) for key, value in given.items()}
    return Ruleset(scenario, known[scenario].nations, data, values, given, load_ruleset)


def _values_of(layer: Mapping[str, object]) -> dict[str, object]:
    """A layer without its empty sections."""
    return {key: value for key, value in layer.items() if not isinstance(value, Mapping)}


def _check_levels(values: Mapping[str, Value], data: Base) -> None:
    """Refuse a terrain that would be built above its highest level (towns have people instead).

    Raises:
        RulesetError: naming both keys.
    """
    for label in data.tables["terrains"].labels:
        start, top, people = (
            values[f"terrains.{label}.{x}"] for x in ("level_start", "level_max", "pop_cap")
        )
        if people == 0 and isinstance(start, int) and isinstance(top, int) and start > top:
            raise RulesetError(
                f"terrains.{label}.level_start = {start} is above terrains.{label}.level_max = {top}: "
                "change one of them"
            )


def _plain(value: object) -> object:
    """A checked override as JSON can hold it (NumPy's numbers and fractions become Python's)."""
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, bool | str):
        return value
    if isinstance(value, Integral):
        return int(value)
    return float(value) if isinstance(value, Real) else value
