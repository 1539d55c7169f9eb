"""What becomes of wars in seasons of rule AIs: who fights, what is taken, and how wars end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine.codes import event, relation
from hakoenv.engine.world import World


class Wars:
    """The wars of one season, watched turn by turn.

    Attributes:
        opened: wars that opened.
        peaces: of these, ended while both nations lived.
        falls: of these, ended by the end of a nation.
        hexes: land taken in war; `cities` of it towns of any kind.
        fallen: nations that fell, and `early` of them in the first half of the season.
        first_fight: turn of the first attack, 0 none.
        shots: missiles fired.
        war_turns, nation_turns: turns that living nations spent in open war, and in all.
    """

    def __init__(self, is_town: NDArray[Any], half: int) -> None:
        """Watch a season.

        Args:
            is_town: by terrain number, whether it is a town.
            half: the turn up to which a fall is an early one.
        """
        self._is_town = is_town
        self._half = half
        self._before: NDArray[Any] | None = None
        self.opened = self.peaces = self.falls = self.hexes = self.cities = 0
        self.fallen = self.early = self.first_fight = self.shots = 0
        self.war_turns = self.nation_turns = 0

    def look(self, world: World) -> None:
        """Note what a turn has brought."""
        kinds = world.clock["event_kinds"][0]
        turn = int(world.clock["turn"][0])
        self.hexes += int(kinds[event.CELL_CAPTURED])
        self.shots += int(kinds[event.MISSILE])
        self.fallen += int(kinds[event.FELL])
        self.early += int(kinds[event.FELL]) if turn <= self._half else 0
        if kinds[event.BATTLE] and not self.first_fight:
            self.first_fight = turn
        listed = world.events[: int(world.clock["event_count"][0])]
        taken = listed["cell"][listed["kind"] == event.CELL_CAPTURED]
        self.cities += int(self._is_town[world.cells["terrain"].reshape(-1)[taken]].sum())
        fights = np.triu(world.relations["state"] == relation.WAR, 1)
        alive = world.nations["alive"] == 1
        self.war_turns += int(((fights | fights.T).any(axis=1) & alive).sum())
        self.nation_turns += int(alive.sum())
        if self._before is not None:
            ended = self._before & ~fights
            both = alive[:, None] & alive[None, :]
            self.peaces += int((ended & both).sum())
            self.falls += int((ended & ~both).sum())
        self.opened += int(kinds[event.WAR_OPENED])
        self._before = fights


def judge(seasons: Sequence[Wars]) -> dict[str, Any]:
    """The figures of war over seasons: shares of seasons in percent, means a season."""

    def percent(happened: list[bool]) -> float:
        return round(100 * float(np.mean(happened)), 1)

    def mean(values: list[int]) -> float:
        return round(float(np.mean(values)), 2)

    ended = sum(wars.peaces + wars.falls for wars in seasons)
    turns = sum(wars.nation_turns for wars in seasons)
    first = [wars.first_fight for wars in seasons if wars.first_fight]
    return {
        "with_war_percent": percent([wars.opened > 0 for wars in seasons]),
        "with_city_taken_percent": percent([wars.cities > 0 for wars in seasons]),
        "with_fall_percent": percent([wars.fallen > 0 for wars in seasons]),
        "with_early_fall_percent": percent([wars.early > 0 for wars in seasons]),
        "wars": mean([wars.opened for wars in seasons]),
        "ended_in_peace_percent": round(100 * sum(wars.peaces for wars in seasons) / max(1, ended), 1),
        "hexes_taken": mean([wars.hexes for wars in seasons]),
        "cities_taken": mean([wars.cities for wars in seasons]),
        "nations_fallen": mean([wars.fallen for wars in seasons]),
        "missiles": mean([wars.shots for wars in seasons]),
        "turns_at_war_percent": round(100 * sum(wars.war_turns for wars in seasons) / max(1, turns), 1),
        "first_fight_median": float(np.median(first)) if first else None,
        "first_fight_by_20_percent": percent([0 < wars.first_fight <= 20 for wars in seasons]),
    }
