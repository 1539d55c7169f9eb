"""Pirates: where and how often they appear, what they hunt, how they drift (NAVY-103, TURN-057)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from hakoenv.engine.codes import event
from hakoenv.engine.navy import neutral, pirates
from hakoenv.ruleset import load_ruleset
from hakoenv.testing import SmallWorld

ALWAYS = {"disasters.pirate_spawn.percent_per_turn": 100}


def events(w: SmallWorld) -> list[tuple[str, int, int]]:
    listed = w.world.events[: int(w.world.clock[0]["event_count"])]
    return [(event.NAMES[int(e["kind"])], int(e["nation"]), int(e["cell"])) for e in listed]


def lairs(w: SmallWorld) -> list[tuple[int, int]]:
    return [(ship.x, ship.y) for ship in w.ships() if ship.read("class") == "pirate"]


def sea(size: int = 7, seed: int = 0, rules: Any = ALWAYS) -> SmallWorld:
    return SmallWorld(size, size, 2, seed=seed, rules=rules)


# ---------------------------------------------------------------- appearing


@pytest.mark.rule("NAVY-103", "DIS-001", "TURN-057")
def test_the_row_of_the_table() -> None:
    row = {row["id"]: row for row in load_ruleset("season").table("disasters")}["pirate_spawn"]
    assert (row["percent_per_turn"], row["phase"], row["default_on"]) == (8.0, "spawn", 1)
    columns = ("port_distance", "pirates_min", "merchants_per_pirate")
    assert tuple(row[f"effect.{column}"] for column in columns) == (5, 2, 15)


@pytest.mark.rule("NAVY-103", "TURN-008", "NAVY-004")
def test_a_pirate_of_nobody_with_the_hit_points_of_its_class() -> None:
    w = sea()
    w.phase("neutral_spawn")
    (pirate,) = w.ships()
    assert (pirate.read("class"), pirate.owner, pirate.hp, pirate.fleet) == ("pirate", None, 4, -1)
    assert w.world.cells[pirate.y, pirate.x]["ship"] == 0
    assert events(w) == [("pirate_appeared", -1, w.place(pirate.x, pirate.y))]


@pytest.mark.rule("DIS-001", "TURN-057")
def test_none_where_the_row_is_off_or_the_chance_is_0() -> None:
    for rules in ({**ALWAYS, "disasters.pirate_spawn.default_on": 0}, {}):
        w = sea(rules=rules)
        w.phase("neutral_spawn")
        assert not w.ships() and not events(w)


@pytest.mark.rule("DIS-001")
def test_how_often() -> None:
    """8% of 2000 turns: 160, standard deviation 12.1; outside 100..220 once in a million sets of draws."""
    w = sea(
        rules={
            "disasters.pirate_spawn.percent_per_turn": 8.0,
            "disasters.pirate_spawn.effect.pirates_min": 9999,
        }
    )
    count = 0
    for turn in range(1, 2001):
        w.world.clock[0]["turn"] = turn
        w.world.ships["kind"] = 0
        w.world.cells["ship"] = -1
        pirates.appear(w.world, w.rules)
        count += len(w.ships())
    assert 100 <= count <= 220


@pytest.mark.rule("NAVY-103", "TURN-057")
def test_on_free_deep_sea_5_cells_from_every_naval_port_each_place_equally() -> None:
    """On a strip with a port at each end: of columns 0..13 those from 5 to 8; 6 is shallow, 8 is taken.

    200 draws of 2 cells: 100, standard deviation 7.1; beyond 37 of it once in five million.
    """
    found: Counter[tuple[int, int]] = Counter()
    for seed in range(200):
        w = SmallWorld(3, 14, 2, seed=seed, rules=ALWAYS)
        for x in range(14):
            for y in (0, 2):
                w.cell(x, y, terrain="plains")
        w.cell(0, 1, terrain="naval_port", owner=0)
        w.cell(13, 1, terrain="naval_port", owner=1)
        w.cell(6, 1, terrain="shallows")
        w.ship(0, "merchant", 8, 1)
        pirates.appear(w.world, w.rules)
        found.update(lairs(w))
    assert set(found) == {(5, 1), (7, 1)}
    assert abs(found[5, 1] - 100) <= 37


@pytest.mark.rule("TURN-057")
@pytest.mark.parametrize("ground", ["shallows", "plains", "naval_mine", "port", "naval_port", "breakwater"])
def test_nowhere_without_deep_sea(ground: str) -> None:
    w = sea(3)
    for cell in range(9):
        w.cell(cell % 3, cell // 3, terrain=ground)
    pirates.appear(w.world, w.rules)
    assert not w.ships()


@pytest.mark.rule("TURN-057")
@pytest.mark.parametrize(("merchants", "most"), [(0, 2), (8, 2), (9, 3), (12, 4)])
@pytest.mark.parametrize("kind", ["merchant", "large_merchant"])
def test_while_there_are_few(merchants: int, most: int, kind: str) -> None:
    """max(2, merchants / 3) here, with 15 in the table; merchants of both classes count."""
    w = sea(12, rules={**ALWAYS, "disasters.pirate_spawn.effect.merchants_per_pirate": 3})
    for k in range(merchants):
        w.ship(0, kind, k % 12, k // 12)
    w.ship(0, "fishing_boat", 0, 5)
    w.ship(0, "cruise_ship", 0, 6)
    w.ship(0, "destroyer", 0, 7)
    for turn in range(1, 8):
        w.world.clock[0]["turn"] = turn
        pirates.appear(w.world, w.rules)
    assert len(lairs(w)) == most


@pytest.mark.rule("TURN-057")
def test_pirates_come_before_whales() -> None:
    w = sea(rules={**ALWAYS, "disasters.whale_spawn.percent_per_turn": 100})
    neutral.appear(w.world, w.rules)
    assert [entry[0] for entry in events(w)] == ["pirate_appeared", "monster_appeared"]


@pytest.mark.rule("NAVY-103")
def test_not_without_a_place_in_the_list_of_ships() -> None:
    w = sea()
    w.world.ships["kind"] = 1
    pirates.appear(w.world, w.rules)
    assert not events(w) and (w.world.cells["ship"] == -1).all()


# ---------------------------------------------------------------- hunting


def hunter(x: int = 2, y: int = 4, width: int = 20, seed: int = 0) -> SmallWorld:
    """A pirate, ship 0; its speed is 3."""
    w = SmallWorld(9, width, 2, seed=seed)
    w.ship(None, "pirate", x, y)
    return w


def sail(w: SmallWorld) -> tuple[int, int]:
    w.phase("ordinary_ships")
    return lairs(w)[0]


@pytest.mark.rule("NAVY-103", "TURN-025")
@pytest.mark.parametrize("prey", ["merchant", "large_merchant", "fishing_boat", "cruise_ship"])
def test_the_example_next_to_a_ship_5_cells_away_after_two_turns(prey: str) -> None:
    w = hunter()
    w.ship(0, prey, 7, 4)
    w.phase("fast_ships")
    assert lairs(w) == [(2, 4)]
    assert sail(w) == (5, 4)
    assert sail(w) == (6, 4)
    assert sail(w) == (6, 4)


@pytest.mark.rule("NAVY-103", "NAVY-105")
def test_the_weather_is_nothing_to_a_pirate() -> None:
    w = hunter()
    w.set_weather("temperate", "heavy_rain")
    w.ship(0, "merchant", 9, 4)
    assert sail(w) == (5, 4)


@pytest.mark.rule("NAVY-103")
def test_the_nearest_then_the_oldest() -> None:
    w = hunter(9)
    w.ship(0, "merchant", 15, 4)
    w.ship(1, "cruise_ship", 4, 4)
    assert sail(w) == (6, 4)
    w = hunter(9)
    w.ship(0, "merchant", 14, 4)
    w.ship(1, "merchant", 4, 4)
    assert sail(w) == (12, 4)
    w = hunter(9)
    w.ship(0, "merchant", 14, 4)
    w.ship(1, "merchant", 4, 4)
    w.world.ships["serial"][1:3] = 8, 7
    assert sail(w) == (6, 4)


@pytest.mark.rule("NAVY-103")
@pytest.mark.parametrize(("away", "cells"), [(10, 3), (11, 1)])
def test_within_10_cells(away: int, cells: int) -> None:
    """With none within 10 it makes one step, somewhere."""
    w = hunter()
    w.ship(0, "merchant", 2 + away, 4)
    x, y = sail(w)
    assert ((x, y) == (5, 4)) == (cells == 3)
    assert (x, y) != (2, 4)


@pytest.mark.rule("NAVY-103")
def test_warships_and_pirates_are_no_prey() -> None:
    w = hunter()
    w.ship(0, "destroyer", 5, 4)
    w.ship(None, "pirate", 2, 0)
    x, y = sail(w)
    assert (x, y) in {(2, 3), (3, 4), (2, 5), (1, 5), (1, 4), (1, 3)}


@pytest.mark.rule("NAVY-103", "NAVY-081")
@pytest.mark.parametrize(("ground", "end"), [("shallows", 4), ("port", 0), ("naval_port", 0)])
def test_shallows_are_no_bar_and_ports_are_closed(ground: str, end: int) -> None:
    """With the way to its prey closed it makes a step, and the only free cell is (0, 1)."""
    w = SmallWorld(3, 12, 2)
    for x in range(12):
        for y in (0, 2):
            w.cell(x, y, terrain="plains")
    w.ship(None, "pirate", 1, 1)
    w.ship(0, "merchant", 7, 1)
    w.cell(2, 1, terrain=ground)
    assert sail(w) == (end, 1)


@pytest.mark.rule("NAVY-103", "NAVY-050")
def test_no_pirate_runs_on_a_mine() -> None:
    """Next to the merchant at (5, 4) is (4, 4), two cells straight on; around the mine it takes three."""
    w = hunter()
    w.cell(3, 4, terrain="naval_mine", owner=1, level=1)
    w.ship(0, "merchant", 5, 4)
    assert sail(w) == (4, 3)
    assert w.cell(3, 4).terrain == "naval_mine" and w.ships()[0].hp == 4


@pytest.mark.rule("NAVY-103")
def test_a_step_to_each_free_neighbour_equally() -> None:
    """Free are (3, 4), (2, 5), (1, 4); the others hold land, a port and a mine.

    300 draws of 3 cells: 100, standard deviation 8.2; beyond 41 of it once in a million.
    """
    found: Counter[tuple[int, int]] = Counter()
    for seed in range(300):
        w = hunter(seed=seed)
        w.cell(2, 3, terrain="port", owner=0, level=1)
        w.cell(1, 3, terrain="plains")
        w.cell(1, 5, terrain="naval_mine", owner=0, level=1)
        pirates.sail(w.world, w.rules, 0)
        found.update(lairs(w))
    assert set(found) == {(3, 4), (2, 5), (1, 4)}
    assert all(abs(count - 100) <= 41 for count in found.values())


@pytest.mark.rule("NAVY-103", "EMBARK-007")
def test_shut_in_it_stays() -> None:
    w = hunter()
    for k, (x, y) in enumerate([(2, 3), (3, 4), (2, 5), (1, 5), (1, 4), (1, 3)]):
        if k % 2:
            w.ship(0, "destroyer", x, y)
        else:
            w.unit(0, "infantry", x, y)
    assert sail(w) == (2, 4)
    assert int(w.world.ships["met"].max()) == 0 and int(w.world.units["met"].max()) == 0
