"""What nations do at sea in seasons of rule AIs: ships, battles, landings, and what falls from the sea."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine.codes import event, ship_class
from hakoenv.engine.world import World

_WARSHIPS = (ship_class.FIRST_WARSHIP, ship_class.LAST_WARSHIP)


class Navies:
    """The sea of one season, watched turn by turn.

    Attributes:
        built: warships that were there at the end of a turn.
        sunk: warships lost, and `shot` of them by another nation.
        fights: turns in which a ship hit another nation's.
        shells: that hit something on land.
        struck: mines that went off.
        landed: units that went ashore on land of others or of nobody.
        hexes: taken in war by units that came by ship; `cities` of it towns of any kind.
    """

    def __init__(self, is_town: NDArray[Any]) -> None:
        """Watch a season; ``is_town``: by terrain number, whether it is a town."""
        self._is_town = is_town
        self._sailed: set[int] = set()  # serial numbers of units that were ever aboard
        self._warships: set[int] = set()  # serial numbers
        self.built = self.sunk = self.shot = self.fights = self.shells = 0
        self.struck = self.landed = self.hexes = self.cities = 0

    def look(self, world: World) -> None:
        """Note what a turn has brought."""
        kinds = world.clock["event_kinds"][0]
        ships = world.ships[(world.ships["kind"] >= _WARSHIPS[0]) & (world.ships["kind"] <= _WARSHIPS[1])]
        self._warships.update(ships["serial"].tolist())
        self.built = len(self._warships)
        self.fights += int(kinds[event.SEA_BATTLE] > 0)
        self.shells += int(kinds[event.BOMBARDED])
        self.struck += int(kinds[event.MINE_STRUCK])
        self.landed += int(kinds[event.LANDED])
        listed = world.events[: int(world.clock["event_count"][0])]
        lost = listed[listed["kind"] == event.SHIP_SUNK]
        lost = lost[(lost["amount"] >= _WARSHIPS[0]) & (lost["amount"] <= _WARSHIPS[1])]
        self.sunk += len(lost)
        self.shot += int((lost["other"] >= 0).sum())
        units, cells = world.units, world.cells.reshape(-1)
        for place in listed["cell"][listed["kind"] == event.CELL_CAPTURED].tolist():
            unit = int(cells["unit"][place])
            if unit >= 0 and int(units["serial"][unit]) in self._sailed:
                self.hexes += 1
                self.cities += int(self._is_town[cells["terrain"][place]])
        aboard = units[(units["owner"] >= 0) & (units["aboard"] >= 0)]
        self._sailed.update(aboard["serial"].tolist())


def judge(seasons: Sequence[Navies]) -> dict[str, Any]:
    """The figures of the sea over seasons: means a season, and how many seasons had none of it."""

    def mean(values: list[int]) -> float:
        return round(float(np.mean(values)), 2)

    names = ("built", "sunk", "shot", "fights", "shells", "struck", "landed", "hexes", "cities")
    without = ("built", "fights", "landed", "cities")
    return {name: mean([getattr(navy, name) for navy in seasons]) for name in names} | {
        f"without_{name}": sum(getattr(navy, name) == 0 for navy in seasons) for name in without
    }
