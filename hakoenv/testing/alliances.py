"""Factions, trade leagues and the containment of a small world: how they are made and what they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from hakoenv.engine.world import FACTIONS
from hakoenv.testing import names
from hakoenv.testing.errors import CaseError
from hakoenv.testing.fields import listed, nation_number, whole

if TYPE_CHECKING:
    from hakoenv.testing.small_world import SmallWorld

_TURN = 2**31 - 1
MEMBER_FOR = 50
"""Turns that a faction or league has existed, and a member has been in it, where a case does not say."""


# ---------------------------------------------------------------- factions


def add_faction(small: SmallWorld, given: Mapping[str, Any]) -> int:
    """Make a faction of the given fields (see `SmallWorld.faction`). Returns its place.

    Raises:
        CaseError: a field is unknown, or has a value that can't be.
    """
    _known("faction", given, FACTION_KEYS)
    name, leader = _label(given, small.faction_names), nation_number(small, given.get("leader"))
    members = _members(small, given.get("members"), first=leader)
    world, slot = small.world, next((k for k in range(FACTIONS) if not small.world.factions[k]["active"]), -1)
    if slot < 0:
        raise CaseError(f'no room for faction "{name}": there are at most {FACTIONS}')
    for nation in members:
        if world.nations[nation]["faction"] >= 0:
            raise CaseError(f"nation {nation} is in two factions")
    record = world.factions[slot]
    record["active"], record["leader"], record["name"], record["heir"] = 1, leader, slot, -1
    record["created"] = _turn("created", given.get("created", small.turn - MEMBER_FOR))
    record["renamed"] = _turn("renamed", given.get("renamed", 0))
    record["dissolves"] = _due(small, given)
    for nation, since in members.items():
        world.nations[nation]["faction"], world.nations[nation]["faction_joined"] = slot, since
    small.faction_names[slot, int(record["created"])] = name
    _add_applications(small, slot, given.get("applications", []))
    _add_handover(small, slot, given.get("handover"))
    for nation in listed(given.get("demands", []), "nations"):
        if nation_number(small, nation) not in members or nation == leader:
            raise CaseError(f'"demands": nation {nation} is no member that could demand another leader')
        world.nations[nation]["demands"] = 1
    return slot


FACTION_KEYS = (
    "name", "leader", "members", "created", "renamed", "dissolving", "due", "applications", "handover",
    "demands",
)  # fmt: skip


def _due(small: SmallWorld, given: Mapping[str, Any]) -> int:
    """The turn in which a running notice ends a faction, given itself or as turns left; 0 none."""
    dissolving, due = given.get("dissolving"), given.get("due")
    if dissolving is not None and due is not None:
        raise CaseError('"due" and "dissolving" say the same: give one')
    if dissolving is None and due is None:
        return 0
    left = whole(due) - small.turn if dissolving is None else dissolving
    try:
        return small.turn + whole(left, 0, 2**30)
    except CaseError as error:
        raise CaseError(f"dissolving: {error}") from None


def _add_applications(small: SmallWorld, slot: int, value: Any) -> None:
    for entry in listed(value, "applications"):
        pair = listed(entry, "nation and turn")
        if len(pair) != 2:
            raise CaseError(f'"applications": {entry!r} is no pair of nation and turn')
        record = small.world.nations[nation_number(small, pair[0])]
        if record["faction"] >= 0 or record["applied_to"] >= 0:
            raise CaseError(f'"applications": nation {pair[0]} is in a faction or has applied to another')
        record["applied_to"], record["applied"] = slot, _turn("applications", pair[1])


def _add_handover(small: SmallWorld, slot: int, value: Any) -> None:
    if value is None:
        return
    if not isinstance(value, Mapping) or set(value) != {"to", "turn"}:
        raise CaseError(f'"handover": {value!r} is not an object with "to" and "turn"')
    record, heir = small.world.factions[slot], nation_number(small, value["to"])
    if small.world.nations[heir]["faction"] != slot or heir == record["leader"]:
        raise CaseError(f'"handover": nation {heir} is no member that could lead')
    record["heir"], record["offered"] = heir, _turn("handover", value["turn"])


def factions(small: SmallWorld) -> list[dict[str, Any]]:
    """The factions of a small world by field name; nations are sorted numbers."""
    found: list[dict[str, Any]] = []
    nations = small.world.nations
    for slot in np.flatnonzero(small.world.factions["active"]).tolist():
        record = small.world.factions[slot]
        members, due, heir = nations["faction"] == slot, int(record["dissolves"]), int(record["heir"])
        found.append(
            {
                "name": faction_name(small, slot),
                "leader": int(record["leader"]),
                "members": _numbers(members),
                "created": int(record["created"]),
                "renamed": int(record["renamed"]) or None,
                "due": due or None,
                "dissolving": due - small.turn if due else None,
                "applications": _numbers(nations["applied_to"] == slot),
                "demands": _numbers(members & (nations["demands"] == 1)),
                "handover": None if heir < 0 else {"to": heir, "turn": int(record["offered"])},
            }
        )
    return found


def faction_name(small: SmallWorld, slot: int) -> str:
    """The name given to a faction; the number of its name if the game gave it one (command 107)."""
    record = small.world.factions[slot]
    number = int(record["name"])
    given = small.faction_names.get((slot, int(record["created"])))
    return given if given is not None and number == slot else str(number)


# ---------------------------------------------------------------- leagues


def add_league(small: SmallWorld, given: Mapping[str, Any]) -> int:
    """Make a trade league of the given fields (see `SmallWorld.league`). Returns its place.

    Raises:
        CaseError: a field is unknown, or has a value that can't be.
    """
    _known("league", given, LEAGUE_KEYS)
    leagues, nations = small.world.leagues, small.world.nations
    name = _label(given, small.league_names)
    free = next((k for k in range(len(leagues)) if not leagues[k]["active"]), -1)
    place = whole(given.get("number", free + 1), 1, len(leagues)) - 1
    if leagues[place]["active"]:
        raise CaseError(f"two leagues have number {place + 1}")
    members = _members(small, given.get("members"))
    if not members:
        raise CaseError(f'league "{name}" has no members')
    for nation in members:
        if nations[nation]["league"] >= 0:
            raise CaseError(f"nation {nation} is in two leagues")
    speaker = given.get("representative", min(members, key=lambda nation: (members[nation], nation)))
    if nation_number(small, speaker) not in members:
        raise CaseError(f'"representative": nation {speaker} is no member')
    record = leagues[place]
    record["active"], record["name"], record["representative"] = 1, place, speaker
    record["founded"] = min(members.values())
    for nation, since in members.items():
        nations[nation]["league"], nations[nation]["league_joined"] = place, since
    small.league_names[place, int(record["founded"])] = name
    return place


LEAGUE_KEYS = ("number", "name", "members", "representative")
FIELDS = {"faction": FACTION_KEYS, "league": (*LEAGUE_KEYS, "founded")}
"""What can be said of one that there is."""


def leagues(small: SmallWorld) -> list[dict[str, Any]]:
    """The trade leagues of a small world by field name; members are sorted nation numbers."""
    return [
        {
            "number": place + 1,
            "name": league_name(small, place),
            "members": _numbers(small.world.nations["league"] == place),
            "representative": int(small.world.leagues[place]["representative"]),
            "founded": int(small.world.leagues[place]["founded"]),
        }
        for place in np.flatnonzero(small.world.leagues["active"]).tolist()
    ]


def league_name(small: SmallWorld, place: int) -> str:
    """The name given to a trade league; the number of its name if it was founded in the game."""
    record = small.world.leagues[place]
    return small.league_names.get((place, int(record["founded"])), str(int(record["name"])))


# ---------------------------------------------------------------- the containment


def set_containment(small: SmallWorld, given: Mapping[str, Any]) -> None:
    """Let a containment stand against a nation (see `SmallWorld.containment`).

    Raises:
        CaseError: a field is missing or unknown, or has a value that can't be.
    """
    _known("containment", given, CONTAINMENT_KEYS)
    for key in ("target", "members"):
        if key not in given:
            raise CaseError(f'"{key}" is missing')
    target = nation_number(small, given["target"])
    members = [nation_number(small, nation) for nation in listed(given["members"], "nations")]
    if target in members:
        raise CaseError(f"nation {target} is a member of the containment against itself")
    record = small.world.containment[0]
    record["target"] = target
    record["formed"] = _turn("formed", given.get("formed", small.turn))
    record["declared"] = _turn("last_joint", given.get("last_joint", 0))
    small.world.nations["contained"] = 0
    small.world.nations["contained"][members] = 1


CONTAINMENT_KEYS = ("target", "members", "formed", "last_joint")


def containment(small: SmallWorld) -> dict[str, Any]:
    """The containment by field name; without one all but `exists` is None, and nobody is a member."""
    record = small.world.containment[0]
    exists = bool(record["target"] >= 0)
    return {
        "exists": exists,
        "target": int(record["target"]) if exists else None,
        "members": _numbers(small.world.nations["contained"] == 1),
        "formed": int(record["formed"]) if exists else None,
        "last_joint": int(record["declared"]) or None,
    }


# ---------------------------------------------------------------- what they share


def _known(what: str, given: Mapping[str, Any], keys: tuple[str, ...]) -> None:
    for key in given:
        if key not in keys:
            raise CaseError(f'unknown {what} field "{key}"; {names.nearest(key, keys)}')


def _label(given: Mapping[str, Any], taken: Mapping[tuple[int, int], str]) -> str:
    name = given.get("name", str(len(taken) + 1))
    if not isinstance(name, str):
        raise CaseError(f'"name": {name!r} is no text')
    if name in taken.values():
        raise CaseError(f'two are called "{name}"')
    return name


def _members(small: SmallWorld, value: Any, first: int = -1) -> dict[int, int]:
    """Turn of joining by nation; ``first`` is a member in any case."""
    old = small.turn - MEMBER_FOR
    joined = {first: old} if first >= 0 else {}
    for member in [] if value is None else listed(value, "members"):
        pair = listed(member, "nation and turn") if not isinstance(member, int) else [member, old]
        if len(pair) != 2:
            raise CaseError(f"member {member!r} is no nation and no pair of nation and turn of joining")
        joined[small.seat(pair[0])] = _turn("turn of joining", pair[1])
    return joined


def _turn(what: str, value: Any) -> int:
    try:
        return whole(value, -_TURN, _TURN)
    except CaseError as error:
        raise CaseError(f"{what}: {error}") from None


def _numbers(chosen: Any) -> list[int]:
    """The nations that are chosen, sorted."""
    return [int(nation) for nation in np.flatnonzero(chosen)]
