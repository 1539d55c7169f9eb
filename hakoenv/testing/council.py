"""The rooms of factions in a small world: what was posted in them, and who reads it (FAC-015, FAC-016)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hakoenv.engine import board
from hakoenv.engine.board import Post, Room
from hakoenv.testing import alliances, names
from hakoenv.testing.errors import CaseError
from hakoenv.testing.fields import nation_number, whole

if TYPE_CHECKING:
    from hakoenv.testing.small_world import SmallWorld

_LAST = 2**31 - 1


def add_message(small: SmallWorld, given: Mapping[str, Any]) -> None:
    """Let a message stand in the room of a faction; one of a coming turn waits for its end.

    Raises:
        CaseError: there is no such faction, the author is no member of it, or a key is unknown.
    """
    for key in given:
        if key not in _KEYS:
            raise CaseError(f'unknown message field "{key}"; {names.nearest(key, _KEYS)}')
    if "faction" not in given:
        raise CaseError('"faction" is missing')
    room = _room(small, given["faction"])
    author = nation_number(small, given.get("from", int(small.world.factions["leader"][room.faction])))
    if author not in small.board.members[room]:
        raise CaseError(f'"from": nation {author} is no member of faction "{given["faction"]}"')
    text = given.get("text", "...")
    if not isinstance(text, str) or not board.clean(text):
        raise CaseError(f'"text": {text!r} is no text')
    turn = whole(given.get("turn", small.turn), 1, _LAST)
    post = Post(turn, author, room, board.clean(text))
    if turn > small.turn:
        small.board.waiting.append(post)
    else:
        small.board.turns[turn] = (*small.board.turns.get(turn, ()), post)


_KEYS = ("faction", "from", "turn", "text")


def state(small: SmallWorld, nation: int, faction: object) -> dict[str, Any]:
    """What a faction's room is to a nation: `count` and `texts` of the posts that it may read, `may_post`."""
    room = _room(small, faction)
    read = [post for post in small.board.read(small.world, nation) if post.to == room]
    own = small.board.rooms.get(int(small.world.nations[nation]["faction"]))
    open_to = own == room and not board.barred(small.world, nation, board.FACTION)
    return {"count": len(read), "texts": [post.text for post in read], "may_post": open_to}


def follow(small: SmallWorld) -> None:
    """Note which factions there are and who is in them: the members of the last look read on (FAC-016)."""
    small.board.look(small.world)
    for slot, room in small.board.rooms.items():
        small.rooms.setdefault(alliances.faction_name(small, slot), room)


def _room(small: SmallWorld, faction: object) -> Room:
    """The room of a faction by its name, which it keeps when the faction has another one or ends."""
    follow(small)
    if faction not in small.rooms:
        raise CaseError(f'unknown faction "{faction}"; {names.nearest(faction, small.rooms)}')
    return small.rooms[str(faction)]
