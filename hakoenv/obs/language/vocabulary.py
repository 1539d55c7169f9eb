"""The words of the language of plans: verbs, items and nations by every name they may have."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from hakoenv.engine.commands import table, validate
from hakoenv.engine.commands.table import Factor, Verb
from hakoenv.engine.names import NationName
from hakoenv.engine.world import World
from hakoenv.ruleset import Ruleset, codes

FUNDS = ("funds", "資金")
RESERVES = ("reserves", "予備兵")
ITEMS = (*codes.ITEM_NAMES, RESERVES[0])
"""Names of the values of an item argument; reserves are an item of aid only (CMD-032)."""
COLUMN, ROW, NATION = "x", "y", "nation"
DIRECTION = "direction"
DIRECTIONS = ("none", "north_east", "east", "south_east", "south_west", "west", "north_west")
"""Names of the values 0..6 of a direction (MAP-002); read, while numbers are written."""
TOWARD = ("with", "on", "to", "toward", "towards", "against", "from", "for", "of")
"""Words before a nation; the first one is written, any of them is read."""
_OPEN = "on"  # status of a command that nations may give
_NAME_LENGTH = 40  # a longer display name is no word of the language


class Argument(NamedTuple):
    """Something a command names: a whole number between bounds, an item or a nation.

    Attributes:
        name: `x`, `y`, `nation`, or the name of a factor.
        low: least value.
        high: greatest value.
    """

    name: str
    low: int
    high: int

    @property
    def is_item(self) -> bool:
        """Whether its values are told by the names of items."""
        return self.name.endswith("item")

    @property
    def words(self) -> tuple[str, ...]:
        """The names of its values, `low` first; empty if these are plain numbers."""
        if self.is_item:
            return ITEMS[self.low : self.high + 1]
        if self.name == NATION:
            return tuple(nation_word(number) for number in range(self.low, self.high + 1))
        return ()


class Vocabulary:
    """What can be said about one world; made once per environment.

    Attributes:
        ruleset: its rules.
        seats: nations of the world.
        width: columns of its map.
        height: rows of its map.
        verbs: the verbs that are read, in table order.
        offered: of these, the ones that are in this version of the game: what prompts and schemas name.
        words: verbs by every name: `farm`, its Japanese name, `research:military`.
        kinds: of commands that have several kinds, the verbs by the command's names.
        items: item numbers by name.
        directions: numbers of directions by name.
        nations: nation numbers by display name.
        names: finds such a name, perhaps after blanks; its first group is the name.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        seats: int,
        width: int,
        height: int,
        commands: str | Iterable[str] = "all",
        names: Sequence[NationName] | None = None,
    ) -> None:
        """Collect the words.

        Args:
            ruleset: where Japanese names stand.
            seats: nations, 1 or more.
            width: columns of the map.
            height: rows of the map.
            commands: groups, commands or verbs, as `table.select` takes them.
            names: display names of the nations by number. One that two nations share, or that could be
                read as something else, is not used.

        Raises:
            ValueError: unknown group, command or verb.
        """
        self.ruleset = ruleset
        self.seats, self.width, self.height = int(seats), int(width), int(height)
        self.verbs = table.select(commands)
        self.offered = tuple(verb for verb in self.verbs if is_in_the_game(ruleset, verb))
        self.words: dict[str, Verb] = {}
        self.kinds: dict[str, list[Verb]] = {}
        commands_ja = {str(row["name"]): str(row["name_ja"]) for row in ruleset.table("commands")}
        for verb in self.verbs:
            command = verb.name.split(":")[0]
            for name in (command, folded(commands_ja[command])):
                self.words[f"{name}:{verb.kind}" if verb.kind else name] = verb
                if verb.kind:
                    self.kinds.setdefault(name, []).append(verb)
        self.items = {name: number for number, name in enumerate(ITEMS)}
        self.items.update({folded(japanese): self.items[plain] for plain, japanese in (FUNDS, RESERVES)})
        self.items.update(
            {folded(str(row["name_ja"])): int(str(row["id"])) for row in ruleset.table("resources")}
        )
        self.directions = {name: number for number, name in enumerate(DIRECTIONS)}
        self.directions |= {name.replace("_", ""): number for name, number in self.directions.items()}
        meant = {*self._argument_words(), *TOWARD, *self.items, *self.directions}
        self.nations = _nations(names or (), meant)
        longest_first = sorted(self.nations, key=len, reverse=True)
        self.names = re.compile(rf"\s*({'|'.join(map(re.escape, longest_first)) or '(?!)'})(?!\w)")

    @classmethod
    def of(
        cls,
        world: World,
        ruleset: Ruleset,
        commands: str | Iterable[str] = "all",
        names: Sequence[NationName] | None = None,
    ) -> Vocabulary:
        """The vocabulary of a world."""
        height, width = world.cells.shape
        return cls(ruleset, len(world.nations), width, height, commands, names)

    def _argument_words(self) -> set[str]:
        return {argument.name for verb in self.verbs for argument in self.arguments(verb)}

    def arguments(self, verb: Verb) -> tuple[Argument, ...]:
        """What a verb names, in the order in which it is told."""
        found = []
        if verb.needs_cell:
            found += [Argument(COLUMN, 0, self.width - 1), Argument(ROW, 0, self.height - 1)]
        if verb.needs_nation:
            found.append(Argument(NATION, 0, self.seats - 1))
        return (*found, *(_of_factor(factor) for factor in verb.factors))


def is_in_the_game(ruleset: Ruleset, verb: Verb) -> bool:
    """Whether the validator may ever accept a verb, as masks have it: it is built and open to nations."""
    status = codes.COMMAND_STATUS[int(ruleset.rules.commands["status"][verb.command])]
    return bool(validate.HANDLED[verb.command] != validate.NOT_BUILT) and status == _OPEN


def nation_word(number: int) -> str:
    """The name of a nation in the language: `nation_3`."""
    return f"nation_{number}"


def folded(text: str) -> str:
    """A text without differences that mean nothing: width of characters, case."""
    return unicodedata.normalize("NFKC", text).casefold()


def _of_factor(factor: Factor) -> Argument:
    return Argument(factor.name, factor.low, factor.high)


def _nations(names: Sequence[NationName], taken: set[str]) -> dict[str, int]:
    """Nations by display names that can only be names; ``taken`` are words with a meaning of their own."""
    found: dict[str, int] = {}
    shared = set(taken)
    for number, spellings in enumerate(names):
        for name in {folded(spelling).strip() for spelling in spellings}:
            if found.get(name, number) != number:
                shared.add(name)
            if _is_plain(name):
                found[name] = number
    return {name: number for name, number in found.items() if name not in shared}


def _is_plain(name: str) -> bool:
    """Whether a display name is one word of letters and digits, no longer than names are."""
    return name.isalnum() and name[0].isalpha() and len(name) <= _NAME_LENGTH and "nation" not in name
