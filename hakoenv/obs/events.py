"""What happened in the last turn, as far as a nation can know.

Its own affairs are told whole. Of the rest it knows what everybody does: forces of nature, which change the
public map, and what the public lists of nations and relations show. Nothing is told of a place that only its
owner knows, nor of how much a disaster destroyed: that would count ships and sites out of sight.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from hakoenv.engine.codes import event
from hakoenv.engine.world import EVENT_LENGTH, World

NATURE = frozenset({event.EARTHQUAKE, event.TSUNAMI, event.ERUPTION, event.METEOR, event.HUGE_METEOR,
                    event.TYPHOON})  # fmt: skip
"""Known to all: what and where, not to whom."""
OF_NATIONS = frozenset({event.FOUNDED, event.FELL, event.WAR_OPENED, event.TUNNELS_UNLOCKED,
                        event.SEASON_ENDED})  # fmt: skip
"""Known to all: what and to whom (and which war, which ending), not where."""
_WITH_AMOUNT = frozenset({event.WAR_OPENED, event.SEASON_ENDED})
_EVERYBODY = -1


class Happening(NamedTuple):
    """One event, as a nation knows it."""

    kind: int  # codes.event
    nation: int  # whom it befell, -1 nobody or all
    cell: int  # flat index, -1 nowhere or unknown
    amount: int  # what the kind says; 0 if it says nothing


def seen(world: World) -> list[list[Happening]]:
    """The events of the last turn for each nation, in the order in which they happened."""
    found: list[list[Happening]] = [[] for _ in range(len(world.nations))]
    count = min(int(world.clock["event_count"][0]), EVENT_LENGTH)
    listed = world.events[:count]
    columns = (listed[name].tolist() for name in ("kind", "nation", "cell", "amount"))
    for kind, nation, cell, amount in zip(*columns, strict=True):
        if kind in NATURE:
            known: Happening | None = Happening(kind, _EVERYBODY, cell, 0)
        elif kind in OF_NATIONS:
            known = Happening(kind, nation, -1, amount if kind in _WITH_AMOUNT else 0)
        else:
            known = None
        if known is not None:
            for events in found:
                events.append(known)
        elif nation >= 0:
            found[nation].append(Happening(kind, nation, cell, amount))
    return found


def as_info(happening: Happening, width: int) -> dict[str, Any]:
    """An event as plain data: `kind` by name, `nation`, `x`, `y` (-1 nowhere or unknown), `amount`."""
    y, x = divmod(happening.cell, width) if happening.cell >= 0 else (-1, -1)
    return {
        "kind": event.NAMES[happening.kind],
        "nation": happening.nation,
        "x": x,
        "y": y,
        "amount": happening.amount,
    }
