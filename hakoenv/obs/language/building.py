"""From a verb and the arguments given with it to a command record, or to what is wrong with them."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Mapping
from typing import Any, NamedTuple

from hakoenv.engine.commands.table import Packed, Verb, pack
from hakoenv.obs.language import forms
from hakoenv.obs.language.vocabulary import (
    COLUMN,
    DIRECTION,
    DIRECTIONS,
    NATION,
    ROW,
    Argument,
    Vocabulary,
    folded,
    nation_word,
)

_WHOLE = re.compile(r"[+-]?\d{1,19}(?:\.0{1,6})?", re.ASCII)
_NATION = re.compile(r"nation[_\s]*(\d{1,4})", re.ASCII)
_LARGEST = 2**53  # whole floats up to it are exact
_SHOWN = 60
_LONGEST = 300  # characters of a name; what is longer is none, and takes long to fold
_TOLD = 3  # unknown arguments that are told


class Problem(NamedTuple):
    """Why something is no command: a reason, and the nearest line that is one (or shows how one looks)."""

    reason: str
    nearest: str = ""

    def __str__(self) -> str:
        return f"{self.reason}; nearest valid form: {self.nearest}" if self.nearest else self.reason


class Unread(NamedTuple):
    """A value that is no number of JSON, such as NaN, or one that is far too long; `text` is how it stood."""

    text: str


def build(vocabulary: Vocabulary, verb: Verb, given: Mapping[str, Any]) -> Packed | Problem:
    """The command of a verb with arguments by name: whole numbers, names of items, nations and directions.

    Numbers may be whole floats and texts of digits; nothing else is taken for a number, neither
    true nor NaN nor 1e3 in a text.
    """
    arguments = vocabulary.arguments(verb)
    values: dict[str, int] = {}
    told: dict[str, str] = {}
    faults = []
    for argument in arguments:
        value = _value(vocabulary, argument, given[argument.name]) if argument.name in given else None
        if argument.name not in given:
            faults.append(f"{verb.name} needs {argument.name} ({forms.allowed(argument)})")
        elif value is None or not argument.low <= value <= argument.high:
            shown = show(given[argument.name])
            faults.append(f"{argument.name}={shown} must be {_wanted(argument)}")
            if value is not None and not argument.words:
                told[argument.name] = str(min(max(value, argument.low), argument.high))
        else:
            values[argument.name] = value
            told[argument.name] = _told(argument, value)
    names = [argument.name for argument in arguments]
    unknown = [show(name) for name in given if name not in names][:_TOLD]
    if unknown:
        faults.append(f"{verb.name} has no {', '.join(unknown)}; it takes {', '.join(names) or 'nothing'}")
    if faults:
        return Problem("; ".join(faults), forms.template(verb, arguments, told))
    cell = (values[COLUMN], values[ROW]) if verb.needs_cell else None
    try:
        return pack(verb, cell, values.get(NATION), [values[factor.name] for factor in verb.factors])
    except ValueError as error:  # values that would mean another verb
        return Problem(str(error), forms.template(verb, arguments))


def find_verb(vocabulary: Vocabulary, name: str, hint: str = "") -> Verb | Problem:
    """The verb of a name; a command with several kinds needs one of them.

    Args:
        vocabulary: the words that may be used.
        name: as it was given.
        hint: what may be the kind that was meant.
    """
    if len(name) > _LONGEST:
        return Problem(f"{show(name)} is no command that may be used here")
    word = verb_word(name)
    if word in vocabulary.words:
        return vocabulary.words[word]
    if word in vocabulary.kinds:
        kinds = vocabulary.kinds[word]
        meant = next((verb for verb in kinds if verb.kind == hint), kinds[0])
        reason = f"{word} needs a kind: {' or '.join(verb.name for verb in kinds)}"
        return Problem(reason, forms.template(meant, vocabulary.arguments(meant)))
    words = {**{kind: verbs[0] for kind, verbs in vocabulary.kinds.items()}, **vocabulary.words}
    offered = [known for known, verb in words.items() if verb in vocabulary.offered]
    near = difflib.get_close_matches(word[:_SHOWN], offered, 1, 0.5)
    reason = f"{show(name)} is no command that may be used here"
    if not near:
        return Problem(reason)
    verb = words[near[0]]
    return Problem(reason, forms.template(verb, vocabulary.arguments(verb)))


def verb_word(name: str) -> str:
    """A verb's name without differences that mean nothing."""
    return re.sub(r"[\s-]+", "_", re.sub(r"\s*:\s*", ":", folded(name).strip()))


def whole(value: Any) -> int | None:
    """A whole number: an int, a whole float, or digits in a text; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) <= _LARGEST else None
    if isinstance(value, str) and _WHOLE.fullmatch(value.strip()):
        return int(value.strip().partition(".")[0])
    return None


def show(value: Any) -> str:
    """Something that was given, short and on one line, without characters that could do harm."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, int):
        text = str(value) if abs(value) < 10**_SHOWN else "a huge number"
    else:
        text = value.text if isinstance(value, Unread) else str(value)
    text = plain(text[: _SHOWN + 1])
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def plain(text: str) -> str:
    """A text on one line, without control characters, marks of direction and halves of characters."""
    return "".join("?" if is_control(sign) else sign for sign in text)


def is_control(sign: str) -> bool:
    """Whether a character is none that is seen, nor a blank."""
    kind = unicodedata.category(sign)
    return kind[0] == "C" or kind in ("Zl", "Zp")


def _value(vocabulary: Vocabulary, argument: Argument, value: Any) -> int | None:
    """The number that a value names, perhaps out of bounds; None if it names none."""
    number = whole(value)
    if number is not None or not isinstance(value, str) or len(value) > _LONGEST:
        return number
    word = folded(value).strip()
    if argument.is_item:
        return vocabulary.items.get(word)
    if argument.name == DIRECTION:
        return vocabulary.directions.get(re.sub(r"[\s-]", "_", word))
    if argument.name == NATION:
        named = _NATION.fullmatch(word)
        return int(named[1]) if named else vocabulary.nations.get(word)
    return None


def _wanted(argument: Argument) -> str:
    if argument.is_item:
        return f"one of {', '.join(argument.words)}"
    if argument.name == NATION:
        return f"one of {forms.allowed(argument)}"
    names = ""
    if argument.name == DIRECTION:
        names = f" or {DIRECTIONS[argument.low]}..{DIRECTIONS[argument.high]}, clockwise"
    return f"a whole number in {argument.low}..{argument.high}{names}"


def _told(argument: Argument, value: int) -> str:
    if argument.name == NATION:
        return nation_word(value)
    return argument.words[value - argument.low] if argument.is_item else str(value)
