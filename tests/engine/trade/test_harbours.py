"""The list of ports, and what lies at them (MER-031, MER-065)."""

from __future__ import annotations

import pytest

from hakoenv.engine.trade import harbours
from hakoenv.testing import SmallWorld


def listed(w: SmallWorld) -> list[int]:
    harbours.enlist(w.world)
    return sorted(int(cell) for cell in w.world.harbours["cell"] if cell >= 0)


@pytest.mark.rule("MER-065")
def test_ports_are_listed_naval_ports_are_not() -> None:
    w = SmallWorld(5, 9, 2)
    w.cell(2, 2, terrain="port", owner=0)
    w.cell(4, 2, terrain="naval_port", owner=0)
    w.cell(6, 2, terrain="port", owner=1)
    assert listed(w) == [w.place(2, 2), w.place(6, 2)]
    w.cell(2, 2, terrain="plains", owner=0)
    w.cell(8, 4, terrain="port", owner=1)
    assert listed(w) == [w.place(6, 2), w.place(8, 4)]


@pytest.mark.rule("MER-031", "NAVY-082")
@pytest.mark.parametrize(("x", "y", "beside"), [(4, 4, True), (5, 5, True), (3, 4, False), (6, 6, False)])
def test_a_ship_is_at_a_port_on_a_neighbouring_cell(x: int, y: int, beside: bool) -> None:
    """(5, 4) is an even row: (5, 5) is its south-east, (6, 6) two away."""
    w = SmallWorld(9, 9, 1)
    w.cell(5, 4, terrain="port", owner=0)
    w.ship(0, "merchant", x, y)
    assert harbours.is_at(w.world, 0, w.place(5, 4)) == beside


@pytest.mark.rule("MER-066", "MER-040", "MER-023")
def test_berths_are_the_waters_beside_a_port_and_free_without_ship_and_unit() -> None:
    """Six neighbours of (4, 4): land, a breakwater, a mine, a ship, a unit in shallows; (5, 4) is left."""
    w = SmallWorld(9, 9, 1)
    w.cell(4, 4, terrain="port", owner=0)
    w.cell(3, 3, terrain="plains", owner=0)
    w.cell(4, 3, terrain="breakwater", owner=0)
    w.cell(3, 4, terrain="naval_mine", owner=0, level=1)
    w.ship(0, "destroyer", 3, 5)
    w.cell(4, 5, terrain="shallows")
    w.unit(0, "infantry", 4, 5, items=["shoes_of_water_movement"])
    port = w.place(4, 4)
    assert harbours.berths(w.world, w.rules, port, False) == 3
    assert harbours.berths(w.world, w.rules, port, True) == 1
    assert harbours.free_berth(w.world, w.rules, port) == w.place(5, 4)
