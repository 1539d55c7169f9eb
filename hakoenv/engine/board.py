"""The message board: what nations tell each other, and the rooms of factions (FAC-015, FAC-016).

The board stands beside the World and outside `state_hash`: no rule reads it. Posts are only ever added, and
taking the world back to an earlier turn takes none of them back (SAVE-006). What is posted beside the plan
of turn t waits until that turn has been played; from then on those may read it whom it is for.
"""

from __future__ import annotations

import operator
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from hakoenv.engine.codes import ending
from hakoenv.engine.world import FACTIONS, World
from hakoenv.ruleset import Rules

ALL, FACTION = "all", "faction"
"""Whom a post may be for besides a nation: everybody, and the full members of the author's faction."""
_NATION = re.compile(r"nation_(\d{1,4})", re.ASCII)
_ODD = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp", "Zs"})  # kinds of signs that become blanks
_UNSEEN = frozenset(  # and signs of other kinds that nobody sees: fillers, joiners, selectors of variants
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2065\u2800\u3164\uffa0"
) | {chr(s) for first, last in ((0xFE00, 0xFE0F), (0xFFF0, 0xFFF8), (0xE0000, 0xE0FFF))
     for s in range(first, last + 1)}  # fmt: skip
_LONGEST_READ = 1 << 16  # characters of a text that are looked at one by one; more are too many anyway
_SHOWN = 40


class Room(NamedTuple):
    """A faction's room. Places of factions are used again, rooms are not.

    Attributes:
        faction: place of the faction in `world.factions`.
        created: the turn in which it was created.
        founder: the nation that led it first.
        branch: how often the world had been taken back before the room was opened.
    """

    faction: int
    created: int
    founder: int
    branch: int


To: TypeAlias = int | Room | None
"""Whom a post is for: a nation, those who may enter a room, or (None) all."""


class Post(NamedTuple):
    """A message.

    Attributes:
        turn: beside whose plans it was posted; it is read from the end of this turn on.
        author: the nation that wrote it.
        to: whom it is for.
        text: one line without control characters.
    """

    turn: int
    author: int
    to: To
    text: str


class Message(NamedTuple):
    """What somebody wants to post.

    Attributes:
        to: `nation_3`, `faction` (the room of the author's faction) or `all`.
        text: what it says.
    """

    to: str
    text: str


@dataclass
class Board:
    """All posts of a season, and which rooms there are.

    Attributes:
        turns: posts by the turn in which they were made, each turn's in order of the authors' numbers.
        waiting: posts beside the coming turn's plans, which nobody may read yet.
        rooms: the rooms that are open, by place of their faction.
        members: who may enter each room that there ever was: the full members of its faction; of an
            archived room (FAC-016) those of its last turn, who read on and post no more.
        branch: how often the world has been taken back.
    """

    turns: dict[int, tuple[Post, ...]] = field(default_factory=dict)
    waiting: list[Post] = field(default_factory=list)
    rooms: dict[int, Room] = field(default_factory=dict)
    members: dict[Room, tuple[int, ...]] = field(default_factory=dict)
    branch: int = 0

    @property
    def posts(self) -> list[Post]:
        """All posts that have been delivered, by turns."""
        return [post for turn in sorted(self.turns) for post in self.turns[turn]]

    def post(self, world: World, rules: Rules, author: int, to: object, text: object) -> str:
        """Post a message beside the coming turn's plans; it is delivered when that turn has been played.

        Args:
            world: between two turns.
            rules: its rules.
            author: the nation that writes.
            to: a nation (`nation_3`, or its number), `faction` (the room of the author's own faction) or
                `all`.
            text: at most `message.length` characters. Line breaks and other control characters become
                blanks.

        Returns:
            Why it is refused, in a sentence; empty if it is posted.
        """
        posted = sum(post.author == author for post in self.waiting)
        why = refusal(world, rules, author, to, text, posted)
        if why:
            return why
        self.look(world)
        place = recipient(to, len(world.nations))
        whom: To = place if isinstance(place, int) else None
        if place == FACTION:
            whom = self.rooms[int(world.nations["faction"][author])]
        coming = int(world.clock["turn"][0]) + 1
        self.waiting.append(Post(coming, int(author), whom, clean(str(text))))
        return ""

    def deliver(self) -> None:
        """What has waited can be read: its turn has been played. The same is never put there twice."""
        waiting, self.waiting = self.waiting, []
        for post in sorted(waiting, key=lambda post: post.author):  # who was quicker says nothing
            there = self.turns.get(post.turn, ())
            if post not in there:
                self.turns[post.turn] = (*there, post)

    def look(self, world: World) -> None:
        """See which factions there are: new ones get a room, those of the ended are archived (FAC-016)."""
        created = world.factions["created"]
        there = np.flatnonzero(world.factions["active"]).tolist()
        self.rooms = {
            slot: room
            for slot, room in self.rooms.items()
            if slot in there and int(created[slot]) == room.created
        }
        for slot in there:
            founded = Room(slot, int(created[slot]), int(world.factions["leader"][slot]), self.branch)
            room = self.rooms.setdefault(slot, founded)
            self.members[room] = _full_members(world, slot)

    def read(self, world: World, nation: int, since: int | None = None) -> list[Post]:
        """The posts that a nation may read, oldest first: for it or by it, of rooms it may enter, for all.

        The dead read nothing, and nobody reads what was posted in a turn that has yet to be played.

        Args:
            world: between two turns.
            nation: who reads.
            since: only those of this turn and later ones; None all.
        """
        self.look(world)
        if not world.nations["alive"][nation]:
            return []
        last = int(world.clock["turn"][0])
        turns = sorted(turn for turn in self.turns if turn <= last and (since is None or turn >= since))
        return [post for turn in turns for post in self.turns[turn] if self._is_for(nation, post)]

    def _is_for(self, nation: int, post: Post) -> bool:
        """Whether a living nation may read a post of a turn that has been played."""
        if isinstance(post.to, Room):
            return nation in self.members.get(post.to, ())
        return post.to is None or nation in (post.to, post.author)

    def copy(self) -> Board:
        """A board with the same posts, which goes its own way."""
        return Board(dict(self.turns), list(self.waiting), dict(self.rooms), dict(self.members), self.branch)

    def assign(self, other: Board) -> None:
        """Become like another board."""
        vars(self).update(vars(other.copy()))

    def restore(self, earlier: Board) -> None:
        """Go back with the world to what it was: rooms and what waits do so, posts don't (SAVE-006)."""
        for turn, posts in earlier.turns.items():
            there = self.turns.get(turn, ())
            self.turns[turn] = (*there, *(post for post in posts if post not in there))
        self.waiting = list(earlier.waiting)
        self.rooms = dict(earlier.rooms)
        self.members = {**self.members, **earlier.members}
        self.branch = max(self.branch, earlier.branch) + 1

    def as_data(self) -> dict[str, Any]:
        """The board as plain values, for JSON."""
        return {
            "posts": [_row(post) for post in self.posts],
            "waiting": [_row(post) for post in self.waiting],
            "rooms": [[*room, list(members)] for room, members in self.members.items()],
            "open": [list(self.members).index(room) for room in self.rooms.values()],
            "branch": self.branch,
        }

    @classmethod
    def of_data(cls, data: Any, seats: int, longest: int) -> Board:
        """The board in plain values.

        Args:
            data: what `as_data` gave.
            seats: nations of its world.
            longest: characters of a post.

        Raises:
            ValueError: it is none.
        """
        try:
            given = {name: list(data[name]) for name in ("posts", "waiting", "rooms", "open")}
            members = dict(_room_of(row, seats) for row in given["rooms"])
            rooms = [list(members)[_whole(place, 0, len(members) - 1)] for place in given["open"]]
            posts, waiting = (
                [_post_of(row, seats, longest, members) for row in given[name]]
                for name in ("posts", "waiting")
            )
            board = cls(
                {}, waiting, {room.faction: room for room in rooms}, members, _whole(data["branch"], 0)
            )
        except (TypeError, KeyError, AttributeError, IndexError, RecursionError) as error:
            raise ValueError(f"{type(error).__name__}: {error}") from error
        for post in posts:
            board.turns[post.turn] = (*board.turns.get(post.turn, ()), post)
        return board

    def lines(self) -> Iterator[dict[str, Any]]:
        """Every delivered post as a line for people: turn, from, to and text; of rooms who may enter."""
        for post in self.posts:
            line: dict[str, Any] = as_info(post)
            if isinstance(post.to, Room):
                line |= {"room": post.to._asdict(), "members": list(self.members.get(post.to, ()))}
            yield line


def refusal(world: World, rules: Rules, author: int, to: object, text: object, posted: int = 0) -> str:
    """Why a nation can't post a message now, in a sentence; empty if it can.

    It depends on public facts and the author's own faction only. Arguments as for `Board.post`; ``posted``
    are the author's messages of the coming turn so far.
    """
    closed = barred(world, author, to)
    if closed:
        return closed
    most, longest = int(rules.scalars["message_per_turn"][0]), int(rules.scalars["message_length"][0])
    if not isinstance(text, str):
        return "the message must be a text"
    said = clean(text) if len(text) <= _LONGEST_READ else text
    if not said:
        return "the message is empty"
    if len(said) > longest:
        return f"the message has {len(said)} characters; at most {longest} are allowed"
    if posted >= most:
        return f"a nation may post {most} message{'s' * (most != 1)} a turn"
    return ""


def barred(world: World, author: int, to: object) -> str:
    """Why a nation can't post to somebody, whatever it says; empty if it can (FAC-015, FAC-016).

    A faction's room is open to its full members as they stand between the turns, during a notice of its end
    as well.
    """
    alive = world.nations["alive"]
    seats = len(alive)
    place = recipient(to, seats)
    if place is None:
        shown = repr(to)
        shown = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}..."
        return f"to={shown} must be nation_0 .. nation_{seats - 1}, {FACTION} or {ALL}"
    if not 0 <= author < seats or not alive[author]:
        return f"nation_{author} is not on the map"
    if int(world.clock["ending"][0]) != ending.RUNNING:
        return "the season has ended"
    if place == author:
        return "a nation can't write to itself"
    if isinstance(place, int) and not alive[place]:
        return f"nation_{place} is not on the map"
    slot = int(world.nations["faction"][author])
    if place == FACTION and not (0 <= slot < FACTIONS and world.factions["active"][slot]):
        return f"nation_{author} is a full member of no faction, so it has no room"
    return ""


def recipient(to: object, seats: int) -> int | str | None:
    """Whom an argument means: a nation's number, `faction` or `all`; None nobody."""
    if isinstance(to, str):
        named = _NATION.fullmatch(to)
        if named is None:
            return to if to in {ALL, FACTION} else None
        number = int(named[1])
    else:
        try:
            number = -1 if isinstance(to, bool | np.bool_) else operator.index(to)  # type: ignore[arg-type]
        except TypeError:
            return None
    return number if 0 <= number < seats else None


def clean(text: str) -> str:
    """A text on one line: line breaks, control and invisible characters and runs of blanks are a blank."""
    seen = (" " if s in _UNSEEN or unicodedata.category(s) in _ODD else s for s in text)
    return " ".join("".join(seen).split())


def as_info(post: Post) -> dict[str, Any]:
    """A post as its readers get it: `turn`, `from`, `to` (`nation_3`, `faction` or `all`), `text`."""
    whom = FACTION if isinstance(post.to, Room) else ALL if post.to is None else f"nation_{post.to}"
    return {"turn": post.turn, "from": f"nation_{post.author}", "to": whom, "text": post.text}


def _full_members(world: World, slot: int) -> tuple[int, ...]:
    """The full members of a faction (FAC-003): applicants and the dead are none."""
    nations = world.nations
    return tuple(np.flatnonzero((nations["faction"] == slot) & (nations["alive"] == 1)).tolist())


def _row(post: Post) -> list[Any]:
    return [post.turn, post.author, list(post.to) if isinstance(post.to, Room) else post.to, post.text]


def _post_of(row: Any, seats: int, longest: int, rooms: dict[Room, tuple[int, ...]]) -> Post:
    turn, author, to, text = row
    whom: To = None
    if isinstance(to, list):
        whom = Room(*to)
        if whom not in rooms:
            raise ValueError("a post in a room that is none")
    elif to is not None:
        whom = _whole(to, 0, seats - 1)
    if not isinstance(text, str) or not 0 < len(text) <= longest or clean(text) != text:
        raise ValueError("a post without a text, or with one that can't be")
    return Post(_whole(turn, 1), _whole(author, 0, seats - 1), whom, text)


def _room_of(row: Any, seats: int) -> tuple[Room, tuple[int, ...]]:
    faction, created, founder, branch, members = row
    room = Room(
        _whole(faction, 0, FACTIONS - 1),
        _whole(created, 0),
        _whole(founder, -1, seats - 1),
        _whole(branch, 0),
    )
    return room, tuple(_whole(member, 0, seats - 1) for member in members)


def _whole(value: Any, low: int, high: int = 2**31 - 1) -> int:
    if type(value) is not int or not low <= value <= high:
        raise ValueError(f"{value!r:.40} is no number of {low}..{high}")
    return value
