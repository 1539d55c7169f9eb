"""What happened in the last turn, as far as a nation can know.

What concerns it is told whole. Of the rest it knows what everybody does: what the public map and the public
lists of nations and relations show. Nothing is told of a place that only its owner knows, nor of how much was
destroyed: that would count ships and sites out of sight. Who shells a site learns what it looks like only.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from hakoenv.engine.codes import event, terrain
from hakoenv.engine.world import EVENT_LENGTH, World
from hakoenv.ruleset.compiled import Rules

NOBODY = -1
NOWHERE = -1


class Happening(NamedTuple):
    """One event, as a nation knows it."""

    kind: int  # codes.event
    nation: int  # whom it befell, or who did it; -1 nobody or all
    other: int  # the other nation in it, -1 none
    cell: int  # flat index, -1 nowhere or unknown
    amount: int  # what the kind says; 0 if it says nothing


class Public(NamedTuple):
    """What everybody learns of a kind of event; `fuller`: those whom it concerns learn more."""

    nation: bool = True
    other: bool = True
    where: bool = False
    amount: bool = False
    fuller: bool = False


_NATURE = Public(nation=False, other=False, where=True)
_OF_NATIONS = Public()
_ON_THE_MAP = Public(where=True)
PUBLIC: dict[int, Public] = {
    event.EARTHQUAKE: _NATURE,
    event.TSUNAMI: _NATURE,
    event.ERUPTION: _NATURE,
    event.METEOR: _NATURE,
    event.HUGE_METEOR: _NATURE,
    event.TYPHOON: _NATURE,
    event.FOUNDED: _OF_NATIONS,
    event.FELL: _OF_NATIONS,
    event.TUNNELS_UNLOCKED: _OF_NATIONS,
    event.SEASON_ENDED: Public(amount=True),
    event.TURN_CUP: Public(amount=True),
    event.WAR_DECLARED: _OF_NATIONS,
    event.WAR_OPENED: _OF_NATIONS,
    event.PEACE: _OF_NATIONS,
    event.AMITY: _OF_NATIONS,
    event.AMITY_ENDED: _OF_NATIONS,
    event.CELL_CAPTURED: Public(where=True, fuller=True),
    event.CELL_CEDED: _ON_THE_MAP,
    event.MISSILE: Public(other=False, where=True, amount=True, fuller=True),
    event.MONSTER_APPEARED: Public(where=True, amount=True),
    event.MONSTER_TRAMPLED: Public(where=True, amount=True),
    event.MONSTER_KILLED: Public(where=True, amount=True),
    event.SELF_DESTRUCTED: _ON_THE_MAP,
    event.PIRATE_APPEARED: _NATURE,
    event.SUPPLY_BREACH: Public(amount=True),
    event.LOT_LISTED: Public(amount=True),
    event.LOT_SOLD: Public(amount=True),
    event.LOT_RETURNED: Public(amount=True),
    **dict.fromkeys(
        (
            event.FACTION_FOUNDED,
            event.FACTION_JOINED,
            event.FACTION_LEFT,
            event.FACTION_EXPELLED,
            event.FACTION_LED,
            event.FACTION_RENAMED,
            event.FACTION_NOTICE,
            event.FACTION_KEPT,
            event.FACTION_ENDED,
            event.LEAGUE_FOUNDED,
            event.LEAGUE_JOINED,
            event.LEAGUE_LEFT,
            event.LEAGUE_ENDED,
            event.CONTAINMENT_FORMED,
            event.CONTAINMENT_ENDED,
            event.CONTAINMENT_JOINED,
            event.CONTAINMENT_LEFT,
            event.JOINT_DECLARATION,
            event.PACT_ENTERED,
        ),
        Public(amount=True),
    ),
}
_PRIVATE = Public(fuller=True)
"""Every other kind: told whole to the nations named in it, and to nobody else."""


def seen(world: World, rules: Rules) -> list[list[Happening]]:
    """The events of the last turn for each nation, in the order in which they happened."""
    found: list[list[Happening]] = [[] for _ in range(len(world.nations))]
    everybody = range(len(found))
    for entry in listed(world):
        told = for_all(rules, entry)
        named = {entry.nation, entry.other} - {NOBODY}
        for nation in named if told is None else everybody:
            known = known_to(rules, entry, nation) if nation in named else told
            if known is not None:
                found[nation].append(known)
    return found


def listed(world: World) -> list[Happening]:
    """The events of the turn as they are."""
    rows = world.events[: min(int(world.clock["event_count"][0]), EVENT_LENGTH)]
    columns = (rows[name].tolist() for name in Happening._fields)
    return [Happening(*entry) for entry in zip(*columns, strict=True)]


def known_to(rules: Rules, entry: Happening, nation: int) -> Happening | None:
    """What a nation learns of an event; None if nothing."""
    public = PUBLIC.get(entry.kind, _PRIVATE)
    if not public.fuller or nation not in (entry.nation, entry.other):
        return for_all(rules, entry)
    if entry.kind == event.BOMBARDED and nation != entry.other:
        return entry._replace(amount=_looks(rules, entry.amount))
    return entry if public.other or nation == entry.other else entry._replace(other=NOBODY)


def for_all(rules: Rules, entry: Happening) -> Happening | None:
    """What everybody learns of an event; None if nothing."""
    public = PUBLIC.get(entry.kind)
    if public is None or _betrays_a_site(rules, entry):
        return None
    return Happening(
        entry.kind,
        entry.nation if public.nation else NOBODY,
        entry.other if public.other else NOBODY,
        entry.cell if public.where else NOWHERE,
        _public_amount(entry) if public.amount else 0,
    )


def _betrays_a_site(rules: Rules, entry: Happening) -> bool:
    """Whether it tells of a captured cell that looks like sea to all but its owners (MAP-026)."""
    if entry.kind != event.CELL_CAPTURED:
        return False
    return bool(rules.terrains["disguise"][entry.amount] == terrain.SEA)


def _looks(rules: Rules, ground: int) -> int:
    """What a terrain looks like to all but its owner (MAP-025)."""
    disguise = int(rules.terrains["disguise"][ground])
    return ground if disguise < 0 else disguise


def _public_amount(entry: Happening) -> int:
    """The amount as all may know it: that a missile was shot down would betray a defense facility."""
    if entry.kind == event.MISSILE and entry.amount < 0:
        return -1 - entry.amount
    return entry.amount


def as_info(happening: Happening, width: int) -> dict[str, Any]:
    """An event as plain data: `kind` by name, `nation`, `other`, `x`, `y` (-1 unknown), `amount`."""
    y, x = divmod(happening.cell, width) if happening.cell >= 0 else (-1, -1)
    return {
        "kind": event.NAMES[happening.kind],
        "nation": happening.nation,
        "other": happening.other,
        "x": x,
        "y": y,
        "amount": happening.amount,
    }
