"""Reading a command from a line of text, by name with named arguments: `farm at (12,7)`.

Tolerant where that is harmless: case, blanks, width of characters, bullets, numbers and code ticks around
a line, the order of the arguments, `12,7` or `x=12 y=7` for a cell, `nation 3` or the nation's own name.
Strict in meaning: what can't be read whole is no command.
"""

from __future__ import annotations

import re
from typing import Any

from hakoenv.engine.commands.table import Packed, Verb
from hakoenv.obs.language.building import Problem, build, find_verb, is_control, show, verb_word
from hakoenv.obs.language.forms import line
from hakoenv.obs.language.vocabulary import COLUMN, NATION, ROW, TOWARD, Vocabulary, folded

LONGEST = 300  # characters of a line
_DECORATION = re.compile(r"(?:[-*+>•・·–—]+\s+|\(?\d{1,3}[.):](?:\s+|(?=\D)))*")
_COMMENT = re.compile(r"(?:^|\s)#.*$")
_TO = rf"(?:(?:{'|'.join(TOWARD)})\s+)?"
_IS = r"\s*[=:]\s*"
_VALUE = r"([^\s,;()=]+)"
_CELL = re.compile(
    rf"(?:at\s+|cell{_IS}|at{_IS}|cell\s+)?\(\s*{_VALUE}\s*[,;\s]\s*{_VALUE}\s*\)"
    rf"|(?:at\s+|cell{_IS}|at{_IS}|cell\s+)?([+-]?\d+)\s*,\s*([+-]?\d+)(?![\w.])"
)
_TOWARD = re.compile(rf"{_TO}(?:(?:nation|target|partner){_IS})?")
_NATION = re.compile(rf"{_TOWARD.pattern}nation[_\s]*(\d+)(?![\w.])")
_NAMED = re.compile(rf"([^\W\d]\w*){_IS}{_VALUE}")
_SPACED = re.compile(r"([^\W\d]\w*)\s+([^\s,;()=:]+)")
_BETWEEN = re.compile(r"[\s,;]*")
_ALIASES = {"target": NATION, "partner": NATION, "column": COLUMN, "row": ROW}
_WORDS_OF_A_VERB = 6


def read(vocabulary: Vocabulary, text: str) -> Packed | Problem:
    """The command that a line says.

    Args:
        vocabulary: the words that may be used.
        text: one line.
    """
    if len(text) > LONGEST:
        return Problem(f"the line has {len(text)} characters; a command has at most {LONGEST}")
    if any(map(is_control, text.replace("\t", " ").strip())):
        return Problem("the line contains control characters")
    said = bare(text)
    if not said:
        return Problem("the line says nothing")
    verb, rest = _verb(vocabulary, said)
    if isinstance(verb, Problem):
        return verb
    given = _arguments(vocabulary, verb, rest)
    return given if isinstance(given, Problem) else build(vocabulary, verb, given)


def bare(text: str) -> str:
    """A line without what stands around a command: bullets, numbers, ticks, comment, full stop."""
    said = folded(text).replace("、", ",").strip()
    said = _COMMENT.sub("", said).strip("`* \t")
    decoration = _DECORATION.match(said)
    said = said[decoration.end() :] if decoration else said
    return said.strip("`* \t").rstrip(";., \t")


def _verb(vocabulary: Vocabulary, said: str) -> tuple[Verb | Problem, str]:
    """The verb that a line begins with, and the rest; the longest name counts."""
    spaced = re.sub(r"\s*:\s*", ":", said.replace("(", " ("))
    words = spaced.split()
    for count in range(min(_WORDS_OF_A_VERB, len(words)), 0, -1):
        name = verb_word(" ".join(words[:count]))
        if name in vocabulary.words:
            return vocabulary.words[name], " ".join(words[count:])
        if name in vocabulary.kinds:
            return find_verb(vocabulary, name, words[count] if count < len(words) else ""), ""
    head = re.split(r"[(=]|\d|\b(?:at|with|on|to)\b", spaced, maxsplit=1)[0]
    return find_verb(vocabulary, head.strip() or words[0]), ""


def _arguments(vocabulary: Vocabulary, verb: Verb, text: str) -> dict[str, Any] | Problem:
    """Arguments by name, as they stand."""
    names = {argument.name for argument in vocabulary.arguments(verb)}
    given: dict[str, Any] = {}
    place = 0
    while place < len(text):
        found = (
            _nation(vocabulary, text, place)
            or _cell(text, place)
            or _named(_NAMED, text, place)
            or _named(_SPACED, text, place, names)
        )
        if found is None:
            return _unread(vocabulary, verb, given, text[place:])
        pairs, place = found
        for name, value in pairs:
            if name in given:
                return Problem(f"{name} is given twice: {show(given[name])} and {show(value)}")
            given[name] = value
        between = _BETWEEN.match(text, place)
        place = between.end() if between else place
    return given


_Found = tuple[list[tuple[str, Any]], int]


def _cell(text: str, place: int) -> _Found | None:
    found = _CELL.match(text, place)
    if found is None:
        return None
    x, y = (found[1], found[2]) if found[1] is not None else (found[3], found[4])
    return [(COLUMN, x), (ROW, y)], found.end()


def _nation(vocabulary: Vocabulary, text: str, place: int) -> _Found | None:
    """A nation by its number, perhaps with its own name behind it, or by its name."""
    found = _NATION.match(text, place)
    if found is not None:
        name = vocabulary.names.match(text, found.end())
        own = name is not None and str(vocabulary.nations[name[1]]) == found[1]
        return [(NATION, found[1])], name.end() if name is not None and own else found.end()
    before = _TOWARD.match(text, place)
    name = vocabulary.names.match(text, before.end() if before else place)
    return ([(NATION, vocabulary.nations[name[1]])], name.end()) if name else None


def _named(pattern: re.Pattern[str], text: str, place: int, names: set[str] | None = None) -> _Found | None:
    found = pattern.match(text, place)
    if found is None:
        return None
    name = _ALIASES.get(found[1], found[1])
    if names is not None and name not in names:
        return None
    return [(name, found[2])], found.end()


def _unread(vocabulary: Vocabulary, verb: Verb, given: dict[str, Any], rest: str) -> Problem:
    known = build(vocabulary, verb, given)
    nearest = known.nearest if isinstance(known, Problem) else line(known)
    return Problem(f"{show(rest)!r} can't be read", nearest)
