"""What charts know of the way to a port, and when they are made anew (MER-020, MER-066, MER-067)."""

from __future__ import annotations

import numpy as np
import pytest

from hakoenv.engine import ground
from hakoenv.engine.codes import terrain
from hakoenv.engine.shipping import charts, harbours
from hakoenv.testing import SmallWorld


def chart(w: SmallWorld) -> None:
    """List all ports and make their charts."""
    harbours.enlist(w.world)
    for h in range(len(w.world.harbours)):
        if w.world.harbours[h]["cell"] >= 0:
            charts.make(w.world, h)


def way(w: SmallWorld, port: tuple[int, int], cell: tuple[int, int]) -> int:
    """Steps from a cell to a berth of a port by its chart, -1 none."""
    h = int(harbours.find(w.world, w.place(*port)))
    return int(charts.way(w.world, h, w.place(*cell)))


def canal(width: int = 12) -> SmallWorld:
    """One row of water between two rows of land; a port at its east end."""
    w = SmallWorld(3, width, 2)
    w.world.cells["terrain"][[0, 2]] = terrain.PLAINS
    w.cell(width - 1, 1, terrain="port", owner=1)
    return w


# ---------------------------------------------------------------- ways


@pytest.mark.rule("MER-067", "MER-032", "NAVY-054")
def test_steps_are_counted_to_a_berth_which_has_none() -> None:
    """Each step costs 1: the berth (10, 1) has 0, (0, 1) lies ten cells west of it."""
    w = canal()
    chart(w)
    assert [way(w, (11, 1), (x, 1)) for x in (10, 9, 5, 0)] == [0, 1, 5, 10]
    assert way(w, (11, 1), (3, 0)) == -1  # land


@pytest.mark.rule("MER-020", "NAVY-050")
@pytest.mark.parametrize("owner", [0, 1, None])
def test_a_mine_is_gone_around_whoever_laid_it(owner: int | None) -> None:
    """Straight along row 4 it is 6 cells from (2, 4) to (8, 4); around one cell of the row it is one more."""
    w = SmallWorld(9, 12, 2)
    w.cell(9, 4, terrain="port", owner=1)
    chart(w)
    assert way(w, (9, 4), (2, 4)) == 6
    w.cell(5, 4, terrain="naval_mine", owner=owner, level=1)
    chart(w)
    assert way(w, (9, 4), (2, 4)) == 7


@pytest.mark.rule("MER-020", "NAVY-050")
def test_where_every_route_is_mined_there_is_none() -> None:
    w = canal()
    w.cell(5, 1, terrain="naval_mine", owner=0, level=1)
    chart(w)
    assert [way(w, (11, 1), (x, 1)) for x in (6, 5, 4)] == [4, -1, -1]


@pytest.mark.rule("MER-066", "MER-067")
@pytest.mark.parametrize(
    ("ground", "steps"),
    [
        ("sea", 10), ("shallows", 10), ("offshore_oil", 10), ("port", 10), ("naval_port", 10),
        ("naval_mine", -1), ("breakwater", -1), ("fish_farm", -1), ("seabed_base", -1), ("seabed_city", -1),
        ("plains", -1), ("lighthouse", -1),
    ],
)  # fmt: skip
def test_what_a_chart_leads_over(ground: str, steps: int) -> None:
    w = canal()
    w.cell(5, 1, terrain=ground, owner=1)
    chart(w)
    assert way(w, (11, 1), (0, 1)) == steps


@pytest.mark.rule("MER-067")
def test_ships_units_and_monsters_are_not_on_a_chart() -> None:
    w = canal()
    w.ship(1, "destroyer", 3, 1)
    w.cell(4, 1, terrain="shallows")
    w.unit(1, "infantry", 4, 1, items=["shoes_of_water_movement"])
    w.cell(5, 1, terrain="monster", level=64)  # a whale
    chart(w)
    assert way(w, (11, 1), (0, 1)) == 10


@pytest.mark.rule("MER-067")
def test_an_oil_field_or_monster_on_land_is_land() -> None:
    for below, level in (("offshore_oil", 1), ("monster", 11)):
        w = canal()
        w.cell(5, 1, terrain="wasteland")
        ground.put(w.world, w.rules, w.place(5, 1), getattr(terrain, below.upper()), -1, level)
        w.world.cells["below"][1, 5] = terrain.WASTELAND
        chart(w)
        assert way(w, (11, 1), (0, 1)) == -1


@pytest.mark.rule("MER-067")
def test_a_ship_steps_to_the_nearest_neighbour_and_of_equals_in_the_first_direction() -> None:
    """From (4, 2) to berths of (4, 6): south-east (3) and south-west (4) both lead nearer; 3 is first."""
    w = SmallWorld(9, 9, 1)
    w.cell(4, 6, terrain="port", owner=0)
    chart(w)
    h = int(harbours.find(w.world, w.place(4, 6)))
    assert way(w, (4, 6), (4, 2)) == 3
    assert charts.onward(w.world, h, w.place(4, 2)) == w.place(4, 3)  # even row: south-east is straight down
    assert charts.onward(w.world, h, w.place(4, 5)) == -1  # a berth


@pytest.mark.rule("MER-067")
def test_a_berth_of_shallows_or_oil_serves_and_one_of_land_does_not() -> None:
    w = canal()
    w.cell(10, 1, terrain="shallows")
    chart(w)
    assert way(w, (11, 1), (10, 1)) == 0
    w.cell(10, 1, terrain="plains")
    chart(w)
    assert way(w, (11, 1), (9, 1)) == -1


@pytest.mark.rule("MER-067")
def test_a_chart_goes_as_far_as_its_numbers() -> None:
    """A byte counts to 255, which means no way: 254 steps are the most."""
    w = SmallWorld(3, 255, 1)
    w.world.cells["terrain"][[0, 2]] = terrain.PLAINS
    w.world.cells["terrain"][0, 0] = terrain.SEA  # in the north-west of (0, 1): the even row lies to its left
    w.cell(254, 1, terrain="port", owner=0)
    chart(w)
    assert [way(w, (254, 1), cell) for cell in ((1, 1), (0, 1), (0, 0))] == [252, 253, 254]
    w.world.cells["terrain"][0, 1] = terrain.PLAINS
    w.world.cells["terrain"][2, 0] = terrain.SEA
    chart(w)
    assert way(w, (254, 1), (2, 1)) == 251


# ---------------------------------------------------------------- which are made


def ports(count: int, a_turn: int, height: int = 5) -> SmallWorld:
    """A row of ports, and how many charts a turn makes."""
    w = SmallWorld(height, 2 * count + 1, 1, rules={"merchant.distance_fields_per_turn": a_turn})
    for k in range(count):
        w.cell(2 * k + 1, 2, terrain="port", owner=0)
    return w


def renewed(w: SmallWorld) -> list[int]:
    """Let a term open; the columns of the ports whose charts it made."""
    before = {int(entry["cell"]): int(entry["charted"]) for entry in w.world.harbours}
    harbours.enlist(w.world)
    charts.renew(w.world, w.rules)
    made = [e for e in w.world.harbours if e["cell"] >= 0 and before.get(int(e["cell"]), 0) != e["charted"]]
    return sorted(int(entry["cell"]) % w.width for entry in made)


def lay_mine(w: SmallWorld, x: int) -> None:
    ground.put(w.world, w.rules, w.place(x, 0), terrain.NAVAL_MINE, 0, 1)


@pytest.mark.rule("MER-067")
def test_eight_a_turn_in_cell_order_until_all_are_made() -> None:
    w = ports(10, 8, height=53)  # a world has a place for a port in 110 cells
    assert w.ruleset["merchant.distance_fields_per_turn"] == 8
    assert renewed(w) == [1, 3, 5, 7, 9, 11, 13, 15]
    assert renewed(w) == [17, 19]
    assert renewed(w) == []


@pytest.mark.rule("MER-067")
def test_stale_ones_go_on_after_the_last_and_are_used_meanwhile() -> None:
    """Made last is 9, so stale ones begin again at 1, two a turn; the second change comes in between."""
    w = ports(5, 2)
    assert [renewed(w), renewed(w), renewed(w)] == [[1, 3], [5, 7], [9]]
    before = way(w, (9, 2), (0, 0))
    lay_mine(w, 0)
    assert way(w, (9, 2), (0, 0)) == before  # as it was remembered
    assert renewed(w) == [1, 3]
    lay_mine(w, 2)
    assert [renewed(w), renewed(w), renewed(w)] == [[5, 7], [1, 9], [3]]
    assert way(w, (9, 2), (0, 0)) == -1


@pytest.mark.rule("MER-067")
def test_missing_ones_come_before_stale_ones() -> None:
    """The new port at 11 first, then the stale ones after it, from the beginning again."""
    w = ports(5, 2)
    for _ in range(3):
        renewed(w)
    w.world.cells["terrain"][2, 4] = terrain.PORT
    lay_mine(w, 0)
    assert renewed(w) == [4, 5]
    assert [renewed(w), renewed(w)] == [[7, 9], [1, 3]]


@pytest.mark.rule("MER-067")
def test_a_port_that_is_rebuilt_has_no_chart_at_first() -> None:
    w = ports(2, 2)
    renewed(w)
    w.world.cells["terrain"][2, 3] = terrain.PLAINS
    assert renewed(w) == []
    assert way(w, (3, 2), (0, 0)) == -1
    w.world.cells["terrain"][2, 3] = terrain.PORT
    assert renewed(w) == [3]


@pytest.mark.rule("MER-067")
@pytest.mark.parametrize(
    ("before", "after", "stale"),
    [
        ("sea", "naval_mine", True), ("naval_mine", "sea", True), ("sea", "breakwater", True),
        ("sea", "plains", True), ("plains", "shallows", True), ("plains", "port", True),
        ("port", "wasteland", True), ("shallows", "fish_farm", True), ("naval_port", "sea", True),
        ("sea", "shallows", False), ("plains", "farm", False), ("port", "naval_port", False),
        ("sea", "offshore_oil", False), ("wasteland", "offshore_oil", False), ("offshore_oil", "sea", False),
        ("sea", "monster", False), ("farm", "monster", False), ("monster", "wasteland", False),
        ("monster", "sea", False), ("sea", "sea", False),
    ],
)  # fmt: skip
def test_what_makes_charts_stale(before: str, after: str, stale: bool) -> None:
    w = SmallWorld(3, 3, 1)
    w.cell(1, 1, terrain=before, owner=0)
    count = int(w.world.clock[0]["waters"])
    ground.put(w.world, w.rules, w.place(1, 1), getattr(terrain, after.upper()), 0, 1)
    assert (int(w.world.clock[0]["waters"]) > count) == stale


# ---------------------------------------------------------------- mended charts


@pytest.mark.rule("MER-067")
@pytest.mark.parametrize("seed", range(30))
def test_a_mended_chart_is_the_one_that_would_be_drawn(seed: int) -> None:
    """Land, water, mines and ports come and go; of three ports one is charted anew now and then."""
    draws = np.random.default_rng(seed)
    w = SmallWorld(13, 17, 2, turn=50, rules={"merchant.distance_fields_per_turn": 2})
    grounds = ["sea", "sea", "sea", "shallows", "plains"][: 4 + seed % 2]
    for x in range(17):
        for y in range(13):
            w.cell(x, y, terrain=str(draws.choice(grounds)))
    for x, y in ((2, 3), (14, 9), (8, 6)):
        w.cell(x, y, terrain="port", owner=0)
    chart(w)
    changes = [
        terrain.SEA,
        terrain.SHALLOWS,
        terrain.PLAINS,
        terrain.PORT,
        terrain.NAVAL_MINE,
        terrain.OFFSHORE_OIL,
    ]
    ports = {w.place(2, 3), w.place(14, 9), w.place(8, 6)}
    for _ in range(25):
        for _ in range(int(draws.integers(0, 4))):
            cell = int(draws.integers(0, 13 * 17))
            if cell not in ports:
                ground.put(w.world, w.rules, cell, int(draws.choice(changes)), -1, 0)
        charts.renew(w.world, w.rules)
        for h in range(3):
            if w.world.harbours[h]["charted"] == w.world.clock[0]["waters"]:
                mended = w.world.distances[h].copy()
                charts.make(w.world, h)
                assert (mended == w.world.distances[h]).all()


@pytest.mark.rule("MER-067")
def test_a_chart_is_drawn_where_the_changes_are_not_known_or_too_many() -> None:
    w = canal()
    w.run(1)
    h = int(harbours.find(w.world, w.place(11, 1)))
    assert way(w, (11, 1), (0, 1)) == 10
    w.cell(4, 1, terrain="plains")  # by hand: in no list of changes
    w.world.clock["waters"] += 1
    assert not charts._can_mend(w.world, h)
    w.run(1)
    assert way(w, (11, 1), (0, 1)) == -1
    for _ in range(40):
        for what in (terrain.SEA, terrain.PLAINS):
            ground.put(w.world, w.rules, w.place(4, 1), what, -1, 0)
    assert not charts._can_mend(w.world, h)
    ground.put(w.world, w.rules, w.place(4, 1), terrain.SEA, -1, 0)
    w.run(1)
    assert way(w, (11, 1), (0, 1)) == 10


@pytest.mark.rule("MER-067")
def test_a_chart_of_which_much_is_lost_is_drawn() -> None:
    """The only way from the open sea (20 columns of 20) into the bay of the port is closed, then opened."""
    w = SmallWorld(20, 26, 2, turn=50)
    for y in range(20):
        w.cell(21, y, terrain="sea" if y == 10 else "plains")
    w.cell(25, 10, terrain="port", owner=0)
    chart(w)
    far = way(w, (25, 10), (0, 10))
    assert far == 24  # the berth (24, 10) has 0
    for what, steps in ((terrain.PLAINS, -1), (terrain.SEA, far)):
        ground.put(w.world, w.rules, w.place(21, 10), what, -1, 0)
        assert charts._can_mend(w.world, int(harbours.find(w.world, w.place(25, 10))))
        charts.renew(w.world, w.rules)
        assert way(w, (25, 10), (0, 10)) == steps
        assert way(w, (25, 10), (22, 10)) == 2  # within the bay
