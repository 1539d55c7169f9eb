"""What is wrong with a world from a file: places that do not exist, records that contradict each other."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hakoenv.engine import soundness
from hakoenv.engine.world import World
from hakoenv.testing import SmallWorld


def fleet_at_sea() -> SmallWorld:
    """Ships 0 and 1 of nation 0, the first with unit 0 aboard; unit 1 ashore, ship 2 of nation 1, a wreck."""
    w = SmallWorld(height=9, width=9)
    w.cell(4, 4, terrain="plains", owner=0)
    w.ship(0, "destroyer", 1, 1, fleet=2, troops={"type": "infantry", "strength": 90})
    w.ship(0, "cruiser", 2, 2, fleet=3)
    w.unit(0, "infantry", 4, 4)
    w.ship(1, "destroyer", 6, 6, fleet=2)
    w.ship(None, "pirate", 7, 7)
    w.wreck(8, 8, "carrier")
    w.fleet(0, 2, target=[5, 5], waypoints=[[1, 2]], salvo=[4, 4])
    return w


def test_a_world_with_fleets_is_sound() -> None:
    w = fleet_at_sea()
    assert soundness.faults(w.world, w.rules) == []


def move_ship(world: World) -> None:
    world.ships[0]["cell"] = 0


def forget_ship(world: World) -> None:
    world.cells.reshape(-1)[world.ships[1]["cell"]]["ship"] = -1


def ghost_ship(world: World) -> None:
    world.cells[8, 0]["ship"] = 1


def move_unit(world: World) -> None:
    world.units[1]["cell"] = 0


def lose_unit(world: World) -> None:
    world.units[1]["cell"] = -1


def ghost_unit(world: World) -> None:
    world.cells[8, 0]["unit"] = 5


def two_places(world: World) -> None:
    world.units[0]["cell"] = 0


def on_a_foreign_ship(world: World) -> None:
    world.units[0]["aboard"] = 2


def on_no_ship(world: World) -> None:
    world.units[0]["aboard"] = 20


def both_aboard(world: World) -> None:
    world.cells[4, 4]["unit"] = -1
    world.units[1]["cell"], world.units[1]["aboard"] = -1, 0


def lost_wreck(world: World) -> None:
    world.wrecks[0]["cell"] = -1


def pirates_in_a_fleet(world: World) -> None:
    world.ships[3]["fleet"] = 1


def foreign_flagship(world: World) -> None:
    world.fleets[0, 2]["flagship"] = 2


def flagship_of_another_fleet(world: World) -> None:
    world.fleets[0, 2]["flagship"] = 1


def no_flagship_there(world: World) -> None:
    world.fleets[0, 2]["flagship"] = 20


@pytest.mark.parametrize(
    ("spoil", "fault"),
    [
        (move_ship, "a record of ships lies on a cell that knows nothing of it"),
        (forget_ship, "a record of ships lies on a cell that knows nothing of it"),
        (ghost_ship, "cells.ship names a ship that is not there"),
        (move_unit, "a record of units lies on a cell that knows nothing of it"),
        (lose_unit, "a record of units lies on a cell that knows nothing of it"),
        (ghost_unit, "cells.unit names a unit that is not there"),
        (two_places, "units.aboard and units.cell both say where a unit is"),
        (on_a_foreign_ship, "units.aboard names a ship that is none of the unit's nation"),
        (on_no_ship, "units.aboard names a ship that is none of the unit's nation"),
        (both_aboard, "units.aboard names a ship that carries two units"),
        (lost_wreck, "wrecks.cell is -1 of a wreck"),
        (pirates_in_a_fleet, "ships.fleet is that of a ship without nation"),
        (foreign_flagship, "fleets.flagship of fleet 2 of nation 0 is no ship of it"),
        (flagship_of_another_fleet, "fleets.flagship of fleet 2 of nation 0 is no ship of it"),
        (no_flagship_there, "fleets.flagship of fleet 2 of nation 0 is no ship of it"),
    ],
)
def test_records_that_contradict_each_other_are_faults(spoil: Callable[[World], None], fault: str) -> None:
    w = fleet_at_sea()
    spoil(w.world)
    assert fault in soundness.faults(w.world, w.rules)
