"""A small painted world for tests of pictures."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from hakoenv.engine.codes import terrain
from hakoenv.engine.world import World, new_world
from hakoenv.ruleset import load_ruleset
from hakoenv.ruleset.compiled import Rules

HEIGHT, WIDTH = 8, 10


class Island(NamedTuple):
    """Three nations on an island of 8 x 10 cells.

    Rows 2 to 5 of columns 2 to 7 are land, row 6 is shallows. Nation 0 owns columns 2 and 3 (forest, a depot
    at x 3, y 3), nation 1 columns 4 and 5 (plains); their capitals, towns of 40, lie at x 2 and x 5 of row 4.
    Nation 2 has fallen in turn 12.
    """

    world: World
    rules: Rules

    def put_unit(self, owner: int, x: int, y: int) -> None:
        """A unit at (x, y)."""
        self.world.units[0]["owner"] = owner
        self.world.units[0]["strength"] = 30
        self.world.units[0]["cell"] = y * WIDTH + x
        self.world.cells["unit"][y, x] = 0

    def put_ship(self, owner: int, kind: int, x: int, y: int) -> None:
        """A ship at (x, y)."""
        self.world.ships[0]["owner"] = owner
        self.world.ships[0]["kind"] = kind
        self.world.ships[0]["cell"] = y * WIDTH + x
        self.world.cells["ship"][y, x] = 0


@pytest.fixture
def island() -> Island:
    world = new_world(WIDTH, HEIGHT, 3, seed=7)
    cells = world.cells
    cells["terrain"][2:6, 2:8] = terrain.PLAINS
    cells["terrain"][2:6, 2:4] = terrain.FOREST
    cells["level"][2:6, 2:4] = 5
    cells["terrain"][6, 2:8] = terrain.SHALLOWS
    cells["owner"][2:6, 2:4] = 0
    cells["owner"][2:6, 4:6] = 1
    cells["terrain"][3, 3] = terrain.DEPOT
    cells["level"][3, 3] = 0
    for nation, (x, y) in enumerate(((2, 4), (5, 4))):
        cells["terrain"][y, x] = terrain.TOWN
        cells["population"][y, x] = 40
        world.nations[nation]["alive"] = 1
        world.nations[nation]["capital"] = y * WIDTH + x
    world.nations[2]["fell"] = 12
    world.clock["turn"] = 30
    return Island(world, load_ruleset("season").rules)
