"""Changing the ruleset: from a scenario, a TOML file, or Python; later ones win."""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path

from hakoenv.ruleset.schema import RulesetError, Value, check
from hakoenv.ruleset.tables import Base


def flatten(tree: Mapping[str, object], prefix: str = "", source: str = "override") -> dict[str, object]:
    """Nested mappings as dotted keys: `{"mine": {"level_max": 5}}` is `{"mine.level_max": 5}`.

    An empty mapping stands for itself, so that `apply` sees its key.

    Raises:
        RulesetError: it is no mapping, or a key is given both nested and dotted.
    """
    if not isinstance(tree, Mapping):
        raise RulesetError(f"{source}: {tree!r} is no mapping of keys to values")
    flat: dict[str, object] = {}
    for name, node in tree.items():
        found: dict[str, object] = {f"{prefix}{name}": node}
        if isinstance(node, Mapping) and node:
            found = flatten(node, f"{prefix}{name}.", source)
        for key, value in found.items():
            if key in flat:
                raise RulesetError(f"{source}: {key} is given twice, as {flat[key]!r} and {value!r}")
            flat[key] = value
    return flat


def read_file(path: str | os.PathLike[str]) -> dict[str, object]:
    """The overrides of a TOML file, as dotted keys.

    Raises:
        RulesetError: the file is missing or not TOML, or gives a key twice.
    """
    name = os.fspath(path)
    try:
        return flatten(tomllib.loads(Path(path).read_text(encoding="utf-8")), source=name)
    except OSError as error:
        raise RulesetError(f"{name}: can't be read ({error.strerror})") from error
    except RulesetError:
        raise
    except RecursionError as error:
        raise RulesetError(f"{name}: is not valid TOML (nested too deeply)") from error
    except ValueError as error:  # no TOML, no UTF-8, a number of thousands of digits, a name with a NUL
        raise RulesetError(f"{name}: is not valid TOML ({error})") from error


def resolve(base: Base, key: str, source: str) -> str:
    """The proper key of what the user wrote.

    Raises:
        RulesetError: no such key; the message names the three nearest.
    """
    if key in base.entries:
        return key
    if key in base.aliases:
        return base.aliases[key]
    near = nearest(key, [*base.entries, *base.aliases])
    raise RulesetError(f"{source}: unknown key {key!r}; nearest: {', '.join(near)}")


def nearest(word: str, words: list[str]) -> list[str]:
    """The three words most like `word`, best first; those with the same first part go before others."""
    head = word.split(".")[0]
    group = [other for other in words if other.split(".")[0] == head]
    found = difflib.get_close_matches(word, group, n=3, cutoff=0.0)
    if len(found) < 3:
        others = [other for other in words if other not in found]
        found += difflib.get_close_matches(word, others, n=3 - len(found), cutoff=0.0)
    return found


def apply(base: Base, values: dict[str, Value], layer: Mapping[str, object], source: str) -> dict[str, Value]:
    """Put one layer of overrides into `values` (changed in place), checked, and what follows from them, too.

    Returns:
        The checked values by proper key.
    """
    given: dict[str, Value] = {}
    for key, value in layer.items():
        if isinstance(value, Mapping) and any(known.startswith(f"{key}.") for known in base.entries):
            continue  # a section without a line
        name = resolve(base, key, source)
        checked = check(base.entries[name], value, source)
        if given.get(name, checked) != checked:
            raise RulesetError(f"{source}: {name} is given twice, as {given[name]!r} and {checked!r}")
        given[name] = checked
    for name, value in list(given.items()):
        _follow(base, values, given, name, value, source)
    values.update(given)
    return given


def _follow(
    base: Base, values: dict[str, Value], given: dict[str, Value], name: str, value: Value, source: str
) -> None:
    """Set what `implied.toml` ties to `name`, unless this layer sets it itself."""
    waiting, seen = [name], {name}
    while waiting:
        for target in base.implied.get(waiting.pop(), ()):
            if target not in given and target not in seen:
                values[target] = check(base.entries[target], value, f"{source} ({name})")
                waiting.append(target)
                seen.add(target)
