"""Where private ships wait near a port (MER-051 .. MER-053, MER-077).

The port (4, 4) of nation 0 has one entrance, (5, 4); beside that are the cells (5, 3), (6, 4) and (5, 5), all
two from the port.
"""

from __future__ import annotations

from typing import Any

import pytest

from hakoenv.engine.shipping import charts, harbours, merchants
from hakoenv.testing import SmallWorld

SHOES = ["shoes_of_water_movement"]
SHORE = ((3, 3), (4, 3), (3, 4), (3, 5), (4, 5))


def narrow(shore: Any = SHORE, **rules: Any) -> SmallWorld:
    """The port with land around it but for the entrance, and another one in the east."""
    w = SmallWorld(9, 20, 2, turn=100, rules=rules)
    for x, y in shore:
        w.cell(x, y, terrain="plains", owner=0)
    w.cell(4, 4, terrain="port", owner=0)
    w.cell(17, 4, terrain="port", owner=1)
    w.nation(0, private_fuel=50)
    return w


def add(w: SmallWorld, x: int, y: int = 4, kind: str = "merchant", **given: Any) -> int:
    """A ship of nation 0 that comes home; its index."""
    w.ship(0, kind, x, y, home=[4, 4], **{"job": "returning", "destination": [4, 4], **given})
    return int(w.world.cells["ship"][y, x])


def sail(w: SmallWorld, ship: int = 0) -> tuple[int, int]:
    harbours.enlist(w.world)
    for h in range(len(w.world.harbours)):
        if w.world.harbours[h]["cell"] >= 0:
            charts.make(w.world, h)
    merchants.sail(w.world, w.rules, ship)
    record = w.record("ship", ship)
    return record.x, record.y


# ---------------------------------------------------------------- one entrance


@pytest.mark.rule("MER-051", "MER-077")
@pytest.mark.parametrize("kind", ["merchant", "large_merchant", "fishing_boat"])
def test_off_a_port_with_one_entrance_it_waits_beside_it(kind: str) -> None:
    """Of the three cells next to the entrance the lowest. There it is idle."""
    w = narrow()
    add(w, 8, kind=kind)
    assert sail(w) == (5, 3)
    assert w.record("ship", 0).job == "idle" and w.record("ship", 0).destination is None


@pytest.mark.rule("MER-051")
@pytest.mark.parametrize(
    "what", ["ground", "fish_farm", "naval_mine", "ship", "unit", "offshore_oil", "land"]
)
def test_some_cells_are_no_place_to_wait(what: str) -> None:
    """Then the next lowest, (6, 4)."""
    w = narrow()
    if what == "ground":
        w.cell(5, 3, fish_stock=100)
    elif what == "ship":
        w.ship(1, "destroyer", 5, 3)
    elif what == "unit":
        w.cell(5, 3, terrain="shallows")
        w.unit(0, "infantry", 5, 3, items=SHOES)
    elif what == "land":
        w.cell(5, 3, terrain="plains")
    else:
        w.cell(5, 3, terrain=what, owner=0, level=1)
    assert sail(w, add(w, 8)) == (6, 4)


@pytest.mark.rule("MER-051")
def test_shallows_will_do() -> None:
    w = narrow()
    w.cell(5, 3, terrain="shallows")
    add(w, 8)
    assert sail(w) == (5, 3)


@pytest.mark.rule("MER-051")
def test_the_nearest_by_water_comes_before_lower_cells() -> None:
    """(4, 2) is two cells from the port, too, and lower, but two from the entrance."""
    w = narrow()
    w.ship(1, "destroyer", 5, 3)
    w.ship(1, "destroyer", 6, 4)
    assert w.place(4, 2) < w.place(5, 5)
    assert sail(w, add(w, 8)) == (5, 5)


@pytest.mark.rule("MER-051")
def test_without_such_a_cell_it_waits_on_the_entrance() -> None:
    """All but the three cells beside the entrance is land within two cells of the port; these hold fish."""
    w = narrow()
    for x, y in ((3, 2), (4, 2), (5, 2), (2, 3), (2, 4), (2, 5), (3, 6), (4, 6), (5, 6)):
        w.cell(x, y, terrain="plains")
    for x, y in ((5, 3), (6, 4), (5, 5)):
        w.cell(x, y, fish_stock=100)
    add(w, 9)
    assert sail(w) == (5, 4)
    assert w.record("ship", 0).job == "idle"


@pytest.mark.rule("MER-051")
def test_a_wait_distance_of_one_leaves_only_the_entrance() -> None:
    w = narrow(**{"private.wait_distance": 1})
    add(w, 9)
    assert sail(w) == (5, 4)
    assert w.record("ship", 0).job == "idle"


@pytest.mark.rule("MER-051")
def test_idle_on_the_entrance_it_moves_off() -> None:
    """A new ship lies there, or one that has just unloaded."""
    w = narrow()
    add(w, 5, job="idle", destination=None)
    assert sail(w) == (5, 3)
    assert sail(w) == (5, 3)


@pytest.mark.rule("MER-051")
def test_far_away_it_heads_for_the_port_and_never_stops_on_the_entrance() -> None:
    """Seven cells from the entrance it would end there; six points would end beside it."""
    for x in range(8, 17):
        w = narrow()
        add(w, x)
        assert sail(w) != (5, 4)
        assert sail(w) != (5, 4)
        assert sail(w) == (5, 3)


@pytest.mark.rule("MER-051", "MER-077")
def test_with_two_entrances_it_lies_at_the_port() -> None:
    w = narrow(SHORE[:-1])  # (4, 5) is water
    add(w, 8)
    assert sail(w) == (5, 4)
    assert w.record("ship", 0).job == "idle"


@pytest.mark.rule("MER-052", "MER-077")
def test_when_cargo_comes_it_enters_and_later_sails_from_there() -> None:
    """From (5, 3) onto the entrance; loaded in that turn it stays (MER-018); then 7 cells to (12, 4)."""
    w = narrow()
    goods = [{"item": "steel", "quantity": 3, "kind": "trade", "from": 0, "to": 1}]
    add(w, 5, 4, job="loading", destination=[17, 4], to_load=goods)
    w.world.cells["ship"][4, 5], w.world.cells["ship"][3, 5] = -1, 0
    w.world.ships[0]["cell"] = w.place(5, 3)
    assert sail(w) == (5, 4)
    assert w.world.jobs[0]["arrived"] == 100
    w.phase("port_handling_3")
    assert w.record("ship", 0).job == "sailing"
    assert sail(w) == (5, 4)
    w.world.clock["turn"] = 101
    assert sail(w) == (12, 4)


@pytest.mark.rule("MER-053")
def test_a_warship_stops_on_the_entrance() -> None:
    w = narrow()
    w.ship(0, "destroyer", 8, 4, fleet=0)
    w.fleet(0, 0, target=[4, 4])
    w.phase("fast_ships")
    assert (w.record("ship", 0).x, w.record("ship", 0).y) == (5, 4)


# ---------------------------------------------------------------- taken berths


GOODS = [{"item": "steel", "quantity": 3, "kind": "trade", "from": 1, "to": 0}]


def laden(w: SmallWorld, x: int, y: int = 4) -> None:
    """A ship of nation 1 with goods for the port."""
    w.nation(1, private_fuel=50)
    w.ship(1, "merchant", x, y, home=[17, 4], job="sailing", destination=[4, 4], cargo=GOODS)


@pytest.mark.rule("MER-077")
def test_a_laden_ship_waits_near_a_full_port_and_then_enters() -> None:
    """Someone lies on the only berth: it waits on the cell before, without searching, until that is free."""
    w = narrow()
    laden(w, 9)
    w.ship(0, "destroyer", 5, 4)
    assert sail(w) == (6, 4)
    assert sail(w) == (6, 4)
    assert w.record("ship", 0).job == "sailing"
    assert w.world.jobs[0]["waited"] == 0 and w.world.clock[0]["detours"] == 0
    w.world.cells["ship"][4, 5] = -1
    w.world.ships[1]["kind"] = 0
    assert sail(w) == (5, 4)
    assert w.record("ship", 0).job == "unloading" and w.record("ship", 0).arrived == 100


@pytest.mark.rule("MER-077", "MER-051")
def test_it_does_not_wait_on_a_fishing_ground() -> None:
    w = narrow()
    laden(w, 9)
    w.ship(0, "destroyer", 5, 4)
    w.cell(6, 4, fish_stock=100)
    assert sail(w) == (5, 3)


@pytest.mark.rule("MER-077")
def test_where_the_nearest_berth_is_taken_it_goes_to_another() -> None:
    """(5, 4) is taken, (4, 5) and (4, 3) are free: from (6, 4) over (5, 3) to (4, 3), in the same turn."""
    w = narrow(())
    laden(w, 9)
    w.ship(0, "destroyer", 5, 4)
    end = sail(w)
    assert harbours.is_at(w.world, 0, w.place(4, 4)) and end != (5, 4)
    assert w.record("ship", 0).job == "unloading"
    assert w.world.clock[0]["detours"] == 0


@pytest.mark.rule("MER-077", "MER-051", "MER-075")
def test_home_with_all_berths_taken_it_is_idle_nearby() -> None:
    w = narrow(SHORE[:-1])
    for x, y in ((5, 4), (4, 5)):
        w.ship(1, "destroyer", x, y)
    ship = add(w, 9)
    assert sail(w, ship) == (5, 3)
    assert w.record("ship", ship).job == "idle"


@pytest.mark.rule("MER-051")
def test_an_idle_ship_does_not_shift_to_a_better_cell_that_becomes_free() -> None:
    w = narrow()
    w.ship(1, "destroyer", 5, 3)
    ship = add(w, 9)
    assert sail(w, ship) == (6, 4)
    w.world.cells["ship"][3, 5] = -1
    w.world.ships[0]["kind"] = 0
    assert sail(w, ship) == (6, 4)
