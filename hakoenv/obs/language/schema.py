"""The schema of a plan as JSON (draft 2020-12), made from the verbs on offer.

It stays within what endpoints with structured output take: objects with every member required and no
others, `anyOf` below the root only, enumerations, whole numbers between bounds. In the form `shapes` a
command is one of about a dozen objects, by what its verbs name: short answers. In the form `flat` it is one
object with all arguments, null where its verb has none: for endpoints that refuse unions of objects.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hakoenv.engine.board import ALL, FACTION
from hakoenv.engine.commands.table import Verb
from hakoenv.engine.world import PLAN_LENGTH
from hakoenv.obs.language.extraction import MODES
from hakoenv.obs.language.vocabulary import NATION, Argument, Vocabulary, nation_word

DRAFT = "https://json-schema.org/draft/2020-12/schema"
FORMS = ("shapes", "flat")
_BOUNDS = {"minimum", "maximum", "maxItems"}
_SENTENCES = {
    "mode": "keep the queue as it is, put these commands in front of it, or replace it",
    "commands": "at most 50, carried out from the first on; see the list of commands for what they do",
    "messages": "to other nations, delivered next turn; null for none",
    "notes": "for yourself, shown to you next time; null for none",
}


def schema(vocabulary: Vocabulary, form: str = "shapes", bounds: bool = True) -> dict[str, Any]:
    """The schema of a plan: ``{"mode": ..., "commands": [...], "messages": ..., "notes": ...}``.

    Args:
        vocabulary: which verbs, and the size of the world.
        form: `shapes` or `flat`.
        bounds: with the least and greatest numbers and the length of the list; some endpoints refuse them.

    Raises:
        ValueError: there is no such form; no verb is on offer.
    """
    if form not in FORMS:
        raise ValueError(f"form={form!r} must be one of {', '.join(FORMS)}")
    if not vocabulary.offered:
        raise ValueError("commands: none of those chosen is in this version of the game")
    command = _shapes(vocabulary) if form == "shapes" else _flat(vocabulary)
    commands = {"type": "array", "items": command, "maxItems": PLAN_LENGTH}
    members: dict[str, dict[str, Any]] = {
        "mode": {"type": "string", "enum": list(MODES)},
        "commands": commands,
        "messages": {"type": ["array", "null"], "items": _message(vocabulary), "maxItems": _most(vocabulary)},
        "notes": {"type": ["string", "null"]},
    }
    for name, sentence in _SENTENCES.items():
        members[name]["description"] = sentence
    whole = {"$schema": DRAFT, **_object(members)}
    definitions = _definitions(vocabulary)
    if definitions:
        whole["$defs"] = definitions
    return whole if bounds else _without(whole, _BOUNDS)


def _message(vocabulary: Vocabulary) -> dict[str, Any]:
    """A message: whom it is for and what it says."""
    nations = (nation_word(number) for number in range(vocabulary.seats))
    return _object({"to": {"type": "string", "enum": [*nations, FACTION, ALL]}, "text": {"type": "string"}})


def _most(vocabulary: Vocabulary) -> int:
    return int(vocabulary.ruleset.rules.scalars["message_per_turn"][0])


def _shapes(vocabulary: Vocabulary) -> dict[str, Any]:
    """One object for all verbs that name the same things."""
    verbs: dict[tuple[Argument, ...], list[str]] = {}
    for verb in vocabulary.offered:
        verbs.setdefault(vocabulary.arguments(verb), []).append(verb.name)
    shapes = [
        _object(
            {
                "command": {"type": "string", "enum": names},
                **{argument.name: _value(argument) for argument in arguments},
            }
        )
        for arguments, names in verbs.items()
    ]
    return shapes[0] if len(shapes) == 1 else {"anyOf": shapes}


def _flat(vocabulary: Vocabulary) -> dict[str, Any]:
    """One object with every argument of any verb, within its widest bounds, or null."""
    widest: dict[str, Argument] = {}
    for argument in _all_arguments(vocabulary.offered, vocabulary):
        known = widest.get(argument.name, argument)
        widest[argument.name] = Argument(
            argument.name, min(known.low, argument.low), max(known.high, argument.high)
        )
    members: dict[str, Any] = {"command": {"type": "string", "enum": [v.name for v in vocabulary.offered]}}
    for name, argument in widest.items():
        members[name] = {"anyOf": [_value(argument), {"type": "null"}]}
        if not argument.words:
            members[name] = {**_value(argument), "type": ["integer", "null"]}
    return _object(members)


def _value(argument: Argument) -> dict[str, Any]:
    if argument.words:
        return {"$ref": f"#/$defs/{_definition(argument)}"}
    return {"type": "integer", "minimum": argument.low, "maximum": argument.high}


def _definition(argument: Argument) -> str:
    return NATION if argument.name == NATION else f"item_to_{argument.words[-1]}"


def _definitions(vocabulary: Vocabulary) -> dict[str, Any]:
    """Nations and items, told once."""
    return {
        _definition(argument): {"type": "string", "enum": list(argument.words)}
        for argument in _all_arguments(vocabulary.offered, vocabulary)
        if argument.words
    }


def _all_arguments(verbs: Iterable[Verb], vocabulary: Vocabulary) -> Iterable[Argument]:
    return (argument for verb in verbs for argument in vocabulary.arguments(verb))


def _object(members: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": members,
        "required": list(members),
        "additionalProperties": False,
    }


def _without(node: Any, keywords: set[str]) -> Any:
    """A schema without some keywords."""
    if isinstance(node, dict):
        return {key: _without(value, keywords) for key, value in node.items() if key not in keywords}
    return [_without(value, keywords) for value in node] if isinstance(node, list) else node
