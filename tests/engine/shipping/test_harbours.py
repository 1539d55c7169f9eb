"""The list of ports, and what lies at them (MER-031, MER-065)."""

from __future__ import annotations

import pytest

from hakoenv.engine.codes import terrain
from hakoenv.engine.shipping import harbours
from hakoenv.testing import SmallWorld
from hakoenv.testing.driver import give, is_legal


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


def full_of_ports(places: int) -> SmallWorld:
    """A map of 24 places for ports, so many of them free; nation 0 owns plains by the sea and a port."""
    w = SmallWorld(12, 12, 2, turn=100, rules={"fundraise.income": 0})
    assert len(w.world.harbours) == 24
    for n, y in ((0, 0), (1, 11)):
        w.cell(0, y, terrain="town", owner=n, population=50, capital=True)
        w.nation(n, founded=0, funds=9000, food=1000, steel=900, wood=900, stone=900, goods=900, fuel=900)
    w.cell(1, 0, terrain="plains", owner=0)
    w.cell(1, 1, terrain="plains", owner=0)
    w.cell(0, 1, terrain="port", owner=0, level=1)
    for k in range(23 - places):
        w.cell(k % 12, 4 + 2 * (k // 12), terrain="port", owner=1, level=1)
    w.phase("shipping_open")
    return w


@pytest.mark.rule("MER-065")
@pytest.mark.parametrize(("width", "height", "places"), [(12, 12, 24), (60, 60, 40), (100, 100, 111)])
def test_a_map_has_a_place_for_a_port_on_90_cells_and_24_at_least(
    width: int, height: int, places: int
) -> None:
    assert len(SmallWorld(height, width, 1).world.harbours) == places


@pytest.mark.rule("MER-065", "CMD-039")
def test_no_port_is_built_that_the_list_has_no_place_for() -> None:
    """One place is left: of two ports one is built; the next mask knows it; a large port is no new one."""
    w = full_of_ports(1)
    first, second = ("economic_facility", 1, 0, 3), ("economic_facility", 1, 1, 3)
    assert is_legal(w, 0, *first) and is_legal(w, 0, *second)
    assert give(w, 0, first) == ["done"]
    assert give(w, 0, second) == ["no_port_room"]
    assert not is_legal(w, 0, *second)
    assert is_legal(w, 0, "economic_facility", 0, 1, 4)
    assert len(listed(w)) == 24
    w.world.cells["terrain"][4, 0] = terrain.SEA
    assert is_legal(w, 0, *second)
