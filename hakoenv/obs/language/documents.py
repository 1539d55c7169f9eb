"""Reading JSON strictly: one document, with what is no number of JSON marked instead of taken.

Deep nesting, huge numbers, NaN, doubled keys and cut-off documents are told; nothing but `DocumentError`
is raised.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from hakoenv.engine.commands.table import Packed
from hakoenv.obs.language.building import Problem, Unread, build, find_verb, show
from hakoenv.obs.language.vocabulary import Vocabulary

DEEPEST = 16  # levels of a document; a plan has three
_DIGITS = 19  # of a number; more than any field holds
_COMMAND = "command"
_STRUCTURE = re.compile(r'["\\{}\[\]]')


class DocumentError(ValueError):
    """A text is no JSON document.

    Attributes:
        cut: whether the text seems to end too early.
    """

    def __init__(self, reason: str, cut: bool = False) -> None:
        super().__init__(reason)
        self.cut = cut


class Members(dict[str, Any]):
    """The members of an object.

    Attributes:
        doubled: keys that occur more than once; the last value counts as theirs.
    """

    doubled: tuple[str, ...] = ()


def load(text: str) -> Any:
    """The value of a document; numbers that are none of JSON's, or far too long, are `Unread`.

    Raises:
        DocumentError: it is no JSON, it is too deep, or something follows it.
    """
    deepest, cut = _shape(text)
    if deepest > DEEPEST:
        raise DocumentError(f"it is nested more than {DEEPEST} levels deep")
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        where = f"{error.msg} in line {error.lineno}, column {error.colno}"
        raise DocumentError(where[0].lower() + where[1:], cut) from None
    except RecursionError:
        raise DocumentError(f"it is nested more than {DEEPEST} levels deep") from None


def read(vocabulary: Vocabulary, entry: Mapping[str, Any]) -> Packed | Problem:
    """The command of an object such as ``{"command": "farm", "x": 12, "y": 7}``; null is nothing given."""
    doubled = getattr(entry, "doubled", ())
    if doubled:
        return Problem(f"{', '.join(map(show, doubled))} is given twice")
    name = entry.get(_COMMAND)
    if not isinstance(name, str):
        return Problem(f'"command" must be the name of a command, not {show(name)}')
    verb = find_verb(vocabulary, name)
    if isinstance(verb, Problem):
        return verb
    given = {key: value for key, value in entry.items() if key != _COMMAND and value is not None}
    return build(vocabulary, verb, given)


def _members(pairs: list[tuple[str, Any]]) -> Members:
    found = Members(pairs)
    if len(found) < len(pairs):
        found.doubled = tuple(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)[:3]
    return found


def _int(text: str) -> int | Unread:
    return int(text) if len(text.lstrip("-")) <= _DIGITS else Unread(text[: 2 * _DIGITS] + "...")


def _float(text: str) -> float | Unread:
    value = float(text)
    return value if abs(value) != float("inf") else Unread(text)


def _shape(text: str) -> tuple[int, bool]:
    """How deep a document is nested, and whether it ends inside a text, an object or a list."""
    depth = deepest = 0
    inside = False
    skipped = -1
    for found in _STRUCTURE.finditer(text):
        sign, place = found[0], found.start()
        if place == skipped:
            continue
        if inside:
            if sign == "\\":
                skipped = place + 1
            elif sign == '"':
                inside = False
        elif sign == '"':
            inside = True
        elif sign in "{[":
            depth += 1
            deepest = max(deepest, depth)
        elif sign in "}]":
            depth -= 1
    return deepest, inside or depth > 0


_DECODER = json.JSONDecoder(  # line breaks within texts do no harm
    object_pairs_hook=_members, parse_int=_int, parse_float=_float, parse_constant=Unread, strict=False
)
