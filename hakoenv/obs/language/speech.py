"""Messages in an answer: ``{"to": "nation_3", "text": "peace?"}``, or a line ``say nation_3: peace?``.

Whom one is for and what it says is read here; whether it may be posted is the word of the board
(`engine/board.py`).
"""

from __future__ import annotations

import re
from typing import Any

from hakoenv.engine.board import ALL, FACTION, Message
from hakoenv.obs.language.building import Problem, show, whole
from hakoenv.obs.language.documents import Members
from hakoenv.obs.language.vocabulary import Vocabulary, folded, nation_word

MOST_READ = 50  # messages of an answer
_TO, _TEXT = MEMBERS = ("to", "text")
_LONGEST_NAME = 60
_SAY = re.compile(
    r"[ \t>*`•・-]{0,9}say[ \t]+(?:to[ \t]+)?([^:：\n]{1,60}?)[ \t]*[:：](.*)", re.IGNORECASE | re.DOTALL
)
_NATION = re.compile(r"(?:nation[_\s]*)?(\d{1,4})", re.ASCII)
_FORM = '{"to": "nation_3", "text": "..."}'


def of_object(vocabulary: Vocabulary, entry: Any) -> Message | Problem:
    """The message of an object with `to` and `text`."""
    if not isinstance(entry, Members):
        return Problem(f"a message is an object such as {_FORM}, not {show(entry)}")
    if entry.doubled:
        return Problem(f"{', '.join(map(show, entry.doubled))} is given twice")
    unknown = [show(name) for name in entry if name not in MEMBERS][:3]
    if unknown:
        return Problem(f"a message has no {', '.join(unknown)}; it has {_TO} and {_TEXT}")
    text = entry.get(_TEXT)
    if not isinstance(text, str):
        return Problem(f"text={show(text)} must be a text")
    return _message(vocabulary, entry.get(_TO), text)


def of_line(vocabulary: Vocabulary, said: str) -> Message | Problem | None:
    """The message of a line; None if the line is none."""
    found = _SAY.fullmatch(said)
    return None if found is None else _message(vocabulary, found[1], found[2])


def _message(vocabulary: Vocabulary, to: Any, text: str) -> Message | Problem:
    whom = _recipient(vocabulary, to)
    if whom:
        return Message(whom, text)
    last = nation_word(vocabulary.seats - 1)
    return Problem(f"to={show(to)} must be {nation_word(0)} .. {last}, {FACTION} or {ALL}")


def _recipient(vocabulary: Vocabulary, to: Any) -> str:
    """Whom a message is for, in the board's words; empty if that names nobody."""
    number = whole(to) if not isinstance(to, str) else None
    if isinstance(to, str) and len(to) <= _LONGEST_NAME:
        word = folded(to).strip().strip("`\"'")
        if word in {ALL, FACTION}:
            return word
        named = _NATION.fullmatch(word)
        number = int(named[1]) if named else vocabulary.nations.get(word)
    return nation_word(number) if number is not None and 0 <= number < vocabulary.seats else ""
