"""Tools that a model may use in its turn: they read what its nation can know, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hakoenv import rulebook
from hakoenv.engine.board import Post, as_info
from hakoenv.engine.statistics import SERIES, Curves
from hakoenv.engine.world import World
from hakoenv.obs import sight
from hakoenv.obs.language import answers
from hakoenv.obs.language.vocabulary import Vocabulary, nation_word
from hakoenv.obs.text import knowledge
from hakoenv.obs.text_diplomacy import neighbours, others
from hakoenv.obs.text_map import Sheet, Window
from hakoenv.obs.text_messages import WARNING, told_in_a_line
from hakoenv.obs.text_words import Words
from hakoenv.rulebook.pages import list_text
from hakoenv.ruleset import Rules

LONGEST = 4_000  # characters that a tool says
_WIDEST, _HIGHEST = 40, 30  # cells of a map
_HISTORY = 24  # turns told
_OWN_CELL = ("resistance", "richness", "pile", "experience", "hits", "worked")  # known to the owner only


def _described(name: str, about: str, **arguments: tuple[str, str]) -> dict[str, Any]:
    members = {key: {"type": kind, "description": text} for key, (kind, text) in arguments.items()}
    parameters = {
        "type": "object",
        "properties": members,
        "required": list(members),
        "additionalProperties": False,
    }
    return {"type": "function", "function": {"name": name, "description": about, "parameters": parameters}}


DESCRIPTIONS: tuple[dict[str, Any], ...] = (
    _described(
        "inspect", "What your nation knows of one cell.", x=("integer", "column"), y=("integer", "row")
    ),
    _described(
        "map",
        f"A part of the map, at most {_WIDEST} x {_HIGHEST} cells.",
        x=("integer", "first column"),
        y=("integer", "first row"),
        width=("integer", "columns"),
        height=("integer", "rows"),
    ),
    _described("nation", "The public facts of a nation.", id=("integer", "its number")),
    _described(
        "history",
        "A public statistic of all nations over the last turns.",
        stat=("string", "one of " + ", ".join(SERIES)),
    ),
    _described(
        "rules", "A rule of the game by id, or the rules of an area.", id=("string", "DEV-010 or DEV")
    ),
    _described(
        "messages",
        "What was written with a nation, in your faction's room or to all, the newest first.",
        who=("string", "nation_3, faction or all"),
    ),
    _described(
        "check",
        "Which commands of a plan are legal now, and why the others are not. It gives no command.",
        plan=("string", "the plan as JSON"),
    ),
)
"""The tools as endpoints want them described."""


class Tools:
    """The tools of one nation in one turn.

    Args:
        world: between two turns; not changed.
        rules: its rules.
        vocabulary: words for it.
        nation: who asks.
        names: display names.
        curves: the public statistics.
        posts: the messages that it may read, the oldest first.
    """

    def __init__(
        self,
        world: World,
        rules: Rules,
        vocabulary: Vocabulary,
        nation: int,
        names: Any,
        curves: Curves,
        posts: Sequence[Post] = (),
    ) -> None:
        self._world, self._rules, self._vocabulary = world, rules, vocabulary
        self._nation, self._names, self._curves, self._posts = nation, names, curves, posts
        self._tools: Mapping[str, Callable[[dict[str, Any]], str]] = {
            "inspect": self._inspect,
            "map": self._map,
            "nation": self._told,
            "history": self._history,
            "rules": self._rule,
            "messages": self._messages,
            "check": self._check,
        }

    def use(self, name: str, arguments: str) -> str:
        """What a tool says; a wrong call is answered in words. Never raises."""
        tool = self._tools.get(name)
        if tool is None:
            return f"there is no tool {name[:40]!r}; there are {', '.join(self._tools)}"
        try:
            given = json.loads(arguments or "{}")
            if not isinstance(given, dict):
                return "the arguments must be an object"
            said = tool(given)
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            said = f"{name}: {type(error).__name__}: {error}"
        return said if len(said) <= LONGEST else said[: LONGEST - 3] + "..."

    def _inspect(self, given: dict[str, Any]) -> str:
        height, width = self._world.cells.shape
        x, y = _within("x", given["x"], width), _within("y", given["y"], height)
        seen = sight.sees(self._world, self._rules, self._nation, y * width + x)
        place = self._world.cells[y, x]
        seen["tunnel"] = bool(place["tunnel"])
        if place["owner"] == self._nation:
            seen |= {name: int(place[name]) for name in _OWN_CELL}
        return json.dumps(seen, ensure_ascii=False)

    def _map(self, given: dict[str, Any]) -> str:
        height, width = self._world.cells.shape
        left, top = _within("x", given["x"], width), _within("y", given["y"], height)
        wide = min(_within("width", given["width"], 10**6), _WIDEST, width - left)
        high = min(_within("height", given["height"], 10**6), _HIGHEST, height - top)
        window = Window(left, left + wide - 1, top, top + high - 1)
        sheet = Sheet(self._world, self._rules, self._nation)
        drawn = sheet.drawn(window)
        seats = self._vocabulary.seats
        words = Words(self._vocabulary.ruleset, self._names, self._nation, seats, japanese=False)
        return "\n".join(
            [f"{window}; a cell is a sign and its owner's letter.", *sheet.legend(words), *drawn]
        )

    def _told(self, given: dict[str, Any]) -> str:
        number = _within("id", given["id"], self._vocabulary.seats)
        known = knowledge(self._world, self._rules, self._vocabulary.ruleset, self._nation, self._names)
        mark = f"{known.words.nation(number)}:"
        found = [line for line in (*others(known), *neighbours(known)) if mark in line]
        return "\n".join(found) or f"{nation_word(number)} is not on the map"

    def _history(self, given: dict[str, Any]) -> str:
        if given["stat"] not in SERIES:
            return f"stat must be one of {', '.join(SERIES)}"
        place = SERIES.index(given["stat"])
        lines = ["turn: " + " ".join(nation_word(n) for n in range(self._vocabulary.seats))]
        for turn, values in list(zip(self._curves.turns, self._curves.values, strict=True))[-_HISTORY:]:
            lines.append(f"{turn}: " + " ".join(str(int(value)) for value in values[:, place]))
        return "\n".join(lines) if len(lines) > 1 else "no turn is recorded yet"

    def _rule(self, given: dict[str, Any]) -> str:
        found = rulebook.find(str(given["id"])[:40].strip().upper())
        if len(found) > 1:
            return list_text(found, {})
        rule = found[0]
        return "\n".join(filter(None, [f"{rule.id} {rule.title}", rule.statement, rule.example]))

    def _messages(self, given: dict[str, Any]) -> str:
        who, own = str(given["who"]), nation_word(self._nation)
        seats = self._vocabulary.seats
        words = Words(self._vocabulary.ruleset, self._names, self._nation, seats, japanese=False)
        found = []
        for post in reversed(self._posts):
            told = as_info(post)
            partner = told["from"] if told["to"] == own else told["to"]
            if who == partner:
                found.append(told_in_a_line(post, words))
        return "\n".join([WARNING, *found]) if found else "there are none"

    def _check(self, given: dict[str, Any]) -> str:
        plan = given["plan"]
        text = plan if isinstance(plan, str) else json.dumps(plan)
        result = answers.parse(text, self._world, self._rules, self._nation, self._vocabulary, text=True)
        legal = [f"legal: {line}" for line in result.lines]
        return "\n".join([*legal, *answers.feedback(result)]) or "the plan has no command"


def _within(name: str, value: Any, size: int) -> int:
    """A place in 0..size-1.

    Raises:
        ValueError: it is none.
    """
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < size:
        raise ValueError(f"{name}={str(value)[:40]} must be a whole number of 0..{size - 1}")
    return value
