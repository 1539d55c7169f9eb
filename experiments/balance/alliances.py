"""Who stands with whom in seasons of rule AIs: factions, leagues, containments, and how seasons end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from hakoenv.engine.codes import ending, event
from hakoenv.engine.world import World

_COUNTED = {
    "factions founded": event.FACTION_FOUNDED,
    "joined": event.FACTION_JOINED,
    "refused": event.FACTION_REFUSED,
    "left": event.FACTION_LEFT,
    "expelled": event.FACTION_EXPELLED,
    "factions ended": event.FACTION_ENDED,
    "leagues founded": event.LEAGUE_FOUNDED,
    "leagues joined": event.LEAGUE_JOINED,
    "containments": event.CONTAINMENT_FORMED,
    "containments ended": event.CONTAINMENT_ENDED,
    "joint declarations": event.JOINT_DECLARATION,
    "drawn in by the pact": event.PACT_ENTERED,
    "amity": event.AMITY,
    "reserves sent": event.RESERVES_SENT,
}


class Alliances:
    """The alliances of one season, watched turn by turn.

    Attributes:
        counts: how often each of what is counted happened, by name.
        largest: the greatest share of all land that one faction held, in percent.
        members: nation-turns in a faction, `leagued` in a league, of `nation_turns` in all.
        ending: how the season ended (codes.ending), empty while it runs.
    """

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.largest = 0.0
        self.members = self.leagued = self.nation_turns = 0
        self.ending = ""

    def look(self, world: World) -> None:
        """Note what a turn has brought."""
        kinds = world.clock["event_kinds"][0]
        for name, kind in _COUNTED.items():
            self.counts[name] += int(kinds[kind])
        alive = world.nations[world.nations["alive"] == 1]
        self.nation_turns += len(alive)
        self.members += int((alive["faction"] >= 0).sum())
        self.leagued += int((alive["league"] >= 0).sum())
        all_land = max(1, int(world.clock["all_land"][0]))
        for faction in range(len(world.factions)):
            land = int(alive["land"][alive["faction"] == faction].sum())
            self.largest = max(self.largest, 100 * land / all_land)
        code = int(world.clock["ending"][0])
        self.ending = ending.NAMES[code] if code else ""


def judge(seasons: Sequence[Alliances]) -> dict[str, Any]:
    """The figures of alliances over seasons: means a season, shares in percent, seasons by kind of ending."""

    def percent(part: float, whole: float) -> float:
        return round(100 * part / max(1.0, whole), 1)

    turns = sum(season.nation_turns for season in seasons)
    endings = Counter(season.ending for season in seasons)
    return {
        **{name: round(float(np.mean([season.counts[name] for season in seasons])), 2) for name in _COUNTED},
        "with_faction_percent": percent(sum(s.counts["factions founded"] > 0 for s in seasons), len(seasons)),
        "with_containment_percent": percent(sum(s.counts["containments"] > 0 for s in seasons), len(seasons)),
        "turns_in_faction_percent": percent(sum(season.members for season in seasons), turns),
        "turns_in_league_percent": percent(sum(season.leagued for season in seasons), turns),
        "largest_faction_land_percent": round(float(np.mean([season.largest for season in seasons])), 1),
        "endings": {name: endings[name] for name in sorted(endings)},
    }
