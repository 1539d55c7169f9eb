"""The words of the text view: names of nations, terrain, items and commands, in English or Japanese."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from hakoenv.engine.board import Post
from hakoenv.engine.codes import item
from hakoenv.engine.commands import table
from hakoenv.engine.commands.table import Packed
from hakoenv.engine.names import NationName
from hakoenv.engine.stock import THOUSANDTHS
from hakoenv.engine.world import World
from hakoenv.obs.language import forms
from hakoenv.obs.language.vocabulary import FUNDS, RESERVES
from hakoenv.obs.sight import ship_class_names, terrain_name
from hakoenv.ruleset import Rules, Ruleset, codes

Japanese: TypeAlias = bool | Literal["both"]
"""Names in English, in Japanese, or in both."""
_LAND_OIL = "陸上油田"


class Words:
    """Names, as one nation's text uses them.

    Args:
        ruleset: where the names stand.
        names: display names of the nations by number; None: only their numbers.
        observer: the nation's own number.
        seats: nations.
        japanese: names in Japanese; `both`: behind the English ones, but not in commands.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        names: Sequence[NationName] | None,
        observer: int,
        seats: int,
        japanese: Japanese,
    ) -> None:
        self.names = names
        self.observer = observer
        self.seats = seats
        self.japanese = japanese is True
        self.both = japanese == "both"
        self._terrains = _japanese(ruleset, "terrains", "name")
        self._commands = _japanese(ruleset, "commands", "name")
        self._items = [*_japanese(ruleset, "resources", "id").values(), FUNDS[1]]
        self.units = _labels(ruleset, "unit_types", self.japanese)
        self.ships = [name.replace("_", " ") for name in ship_class_names(ruleset, self.japanese)]
        self.unit_items = ["", *_labels(ruleset, "items", self.japanese)]
        self.monsters = _labels(ruleset, "monsters", self.japanese)
        self.missiles = [
            str(row["name_ja"]) if self.japanese else f"{row['id']} missile"
            for row in ruleset.table("missiles")
        ]

    def nation(self, number: int) -> str:
        """A nation by number: `nation_3 Aoba`."""
        plain = f"nation_{number}"
        if self.names is None or not 0 <= number < len(self.names):
            return plain
        name = self.names[number]
        if self.both:
            return f"{plain} {name.romaji} {name.kanji}"
        return f"{plain} {name.kanji if self.japanese else name.romaji}"

    def head_of_state(self, number: int) -> str:
        """Who governs a nation, by its number; empty if that is not known."""
        return "" if self.names is None or not 0 <= number < len(self.names) else self.names[number].head

    def at_place(self, place: int) -> str:
        """A nation by its place seen from the observer."""
        if place < 0:
            return "nobody"
        return "you" if place == 0 else self.nation((self.observer + int(place)) % self.seats)

    def party(self, number: int) -> str:
        """A nation by number as one side of an affair: `you`, `nation_3 Aoba`, or `nobody`."""
        if number < 0:
            return "nobody"
        return "you" if number == self.observer else self.nation(number)

    def terrain(self, ground: int, base: int) -> str:
        """A terrain as seen, with what it stands on."""
        name = terrain_name(int(ground), int(base))
        japanese = self._terrains.get(name, _LAND_OIL)
        return japanese if self.japanese else self._with(name.replace("_", " "), japanese)

    def item(self, what: int) -> str:
        """An item, or funds."""
        if self.japanese:
            return self._items[what]
        return self._with(_item_name(what), self._items[what])

    def order(self, row: Any) -> str:
        """A command with what it names, as the language of plans has it: `farm at (3,4)`."""
        order = Packed(*(int(row[field]) for field in Packed._fields))
        meaning = table.unpack(*order)
        if meaning is None:
            return forms.unreadable(order)
        return forms.line_of(meaning, self._verb, self._item)

    def _verb(self, verb: table.Verb) -> str:
        if not self.japanese:
            return verb.name
        plain, _, kind = verb.name.partition(":")
        return self._commands[plain] + (f":{kind}" if kind else "")

    def _item(self, what: int) -> str:
        """An item in a command, which must be read back."""
        if what > item.FUNDS:
            return RESERVES[self.japanese]
        return self._items[what] if self.japanese else _item_name(what)

    def _with(self, name: str, japanese: str) -> str:
        return f"{name} {japanese}" if self.both else name


class Knowledge(NamedTuple):
    """What a text is made from: one nation's observation with its columns by name, and words for it."""

    seen: dict[str, Any]
    words: Words
    world: World  # for what is asked through the nation's eyes only: maps, events, where others begin
    rules: Rules
    nation: int
    posts: Sequence[Post] = ()  # messages that the nation may read and has not read

    @property
    def turn(self) -> int:
        """The turn last played."""
        return int(self.seen["clock"]["turn"])


def counted(number: int, word: str) -> str:
    """A number of things: `1 turn`, `2 turns`."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def decimal(thousandths: int) -> str:
    """Thousandths as a plain number without zeros at its end."""
    return f"{thousandths / THOUSANDTHS:.3f}".rstrip("0").rstrip(".")


def _item_name(what: int) -> str:
    return codes.ITEM_NAMES[what] if what != item.FUNDS else FUNDS[0]


def _japanese(ruleset: Ruleset, name: str, key: str) -> dict[str, str]:
    return {str(row[key]): str(row["name_ja"]) for row in ruleset.table(name)}


def _labels(ruleset: Ruleset, name: str, japanese: bool) -> list[str]:
    column = "name_ja" if japanese else "name"
    return [str(row[column]).replace("_", " ") for row in ruleset.table(name)]
