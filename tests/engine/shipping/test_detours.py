"""When private ships search a way around what is in their way (MER-025, MER-026, MER-067).

On open sea ship 0 sails east along row 4 for the port (12, 4), whose berths (11, 3) and (11, 4) look west.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from hakoenv.engine import ground, hexgrid, view
from hakoenv.engine.codes import terrain
from hakoenv.engine.shipping import charts, detours, harbours, merchants, seaways
from hakoenv.testing import SmallWorld

NORTH_EAST, EAST, WEST = 1, 2, 5
CARGO = [{"item": "steel", "quantity": 5, "kind": "trade", "from": 0, "to": 1}]
SHOES = ["shoes_of_water_movement"]


def chart(w: SmallWorld) -> None:
    harbours.enlist(w.world)
    for h in range(len(w.world.harbours)):
        if w.world.harbours[h]["cell"] >= 0:
            charts.make(w.world, h)


def sea(speed: int = 4, kind: str = "merchant", rules: dict[str, Any] | None = None) -> SmallWorld:
    """Ship 0 of nation 0 at (3, 4), bound for the port of nation 1 in the east."""
    w = SmallWorld(9, 16, 3, turn=100, rules={f"merchant.{kind}.speed": speed, **(rules or {})})
    w.cell(0, 4, terrain="port", owner=0)
    w.cell(12, 4, terrain="port", owner=1)
    w.nation(0, private_fuel=50)
    add(w, 3, kind)
    chart(w)
    return w


def add(w: SmallWorld, x: int, kind: str = "merchant", y: int = 4) -> None:
    given = {} if kind == "fishing_boat" else {"cargo": CARGO}
    w.ship(0, kind, x, y, home=[0, 4], job="sailing", destination=[12, 4], **given)


def sail(w: SmallWorld, ship: int = 0) -> tuple[int, int]:
    merchants.sail(w.world, w.rules, ship)
    record = w.record("ship", ship)
    return record.x, record.y


def next_turn(w: SmallWorld) -> None:
    w.world.clock["turn"] += 1
    w.world.clock["detours"] = 0
    w.world.units["met"] = w.world.ships["met"] = 0


def searches(w: SmallWorld) -> int:
    return int(w.world.clock[0]["detours"])


def course(w: SmallWorld, ship: int = 0) -> list[int]:
    """What is left of the way around that a ship follows, as directions."""
    job = w.world.jobs[ship]
    return [int(d) for d in job["detour"][int(job["detour_done"]) : int(job["detour_length"])]]


# ---------------------------------------------------------------- wait, then search


@pytest.mark.rule("MER-025", "NAVY-052", "NAVY-074", "MER-067")
def test_behind_others_it_waits_a_turn_and_then_searches() -> None:
    """With 2 points it can't pass two ships in a row. North-east and along row 3 it is 9 cells to (11, 3)."""
    w = sea(2)
    for x in (4, 5):
        w.ship(1, "destroyer", x, 4)
    assert [sail(w), searches(w)] == [(3, 4), 0]
    next_turn(w)
    assert [sail(w), searches(w)] == [(4, 3), 1]
    assert course(w) == [EAST] * 7


@pytest.mark.rule("MER-025")
def test_if_the_way_is_free_again_it_just_goes_on() -> None:
    w = sea(2)
    for x in (4, 5):
        w.ship(1, "destroyer", x, 4)
    sail(w)
    w.world.cells["ship"][4, 5] = -1
    w.world.ships[2]["cell"] = w.place(5, 8)
    w.world.cells["ship"][8, 5] = 2
    next_turn(w)
    assert [sail(w), searches(w), course(w)] == [(5, 4), 0, []]
    assert w.world.jobs[0]["waited"] == 0


@pytest.mark.rule("MER-025")
def test_the_turn_of_waiting_counts_from_where_it_was_stopped() -> None:
    """It sails one cell, then is stopped: that is the first turn, though it has moved."""
    w = sea(3)
    for x in (5, 6):
        w.ship(1, "destroyer", x, 4)
    assert [sail(w), searches(w)] == [(4, 4), 0]  # two points for three cells
    w.ship(1, "destroyer", 7, 4)
    next_turn(w)
    assert searches(w) == 0
    assert [sail(w), searches(w)] == [(6, 3), 1]


@pytest.mark.rule("MER-025")
def test_the_way_around_is_followed_to_its_end() -> None:
    """Who made it necessary is gone; the way leads along row 3 to the berth (11, 3) all the same."""
    w = sea(3)
    w.ship(None, "pirate", 4, 4)
    assert sail(w) == (5, 3)
    w.world.cells["ship"][4, 4] = -1
    w.world.ships[1]["kind"] = 0
    next_turn(w)
    assert sail(w) == (8, 3)
    next_turn(w)
    assert sail(w) == (11, 3)
    assert course(w) == []
    assert w.record("ship", 0).job == "unloading"


@pytest.mark.rule("MER-025")
def test_something_in_the_way_around_is_gone_around_in_turn() -> None:
    w = sea(4)
    w.ship(None, "pirate", 4, 4)
    assert sail(w) == (6, 3)
    w.ship(None, "pirate", 8, 3)
    next_turn(w)
    assert sail(w) == (10, 4)  # (7, 3), south-east, east, east: 4 cells to (11, 4), north of it 5
    assert searches(w) == 1


# ---------------------------------------------------------------- at once


@pytest.mark.rule("MER-026", "NAVY-074", "NAVY-073")
@pytest.mark.parametrize("owner", [None, 2])
def test_an_enemy_is_gone_around_at_once(owner: int | None) -> None:
    """To (4, 4), then north-east to (4, 3) and east: 4 cells in the same turn."""
    w = sea(4)
    w.war(0, 2)
    w.ship(owner, "pirate" if owner is None else "cruiser", 5, 4)
    assert [sail(w), searches(w)] == [(6, 3), 1]


@pytest.mark.rule("MER-026")
def test_an_enemy_that_it_did_not_see_is_gone_around_when_it_is_met() -> None:
    """A fishing boat sees nothing. The way around leads onto another unseen one: that ends the turn."""
    w = sea(4, "fishing_boat")
    w.war(0, 2)
    w.ship(2, "submarine", 5, 4)
    w.ship(2, "submarine", 5, 3)
    assert [sail(w), searches(w)] == [(4, 3), 1]
    assert [view.ship(w.world, w.rules, 0, w.place(5, y)) for y in (3, 4)] == [2, 1]


@pytest.mark.rule("NAVY-052", "MER-026")
def test_enemies_that_are_seen_are_avoided_beside_the_old_route_too() -> None:
    """North-east of (4, 4) lies a second one: the way leads south of row 4, and back as soon as it can."""
    w = sea(4)
    w.ship(None, "pirate", 5, 4)
    w.ship(None, "pirate", 4, 3)
    assert sail(w) == (6, 4)  # over (4, 4), (4, 5), (5, 5)


@pytest.mark.rule("MER-025")
def test_ships_at_peace_beside_the_old_route_are_passed() -> None:
    w = sea(4)
    w.ship(None, "pirate", 5, 4)
    w.ship(1, "destroyer", 5, 3)
    assert sail(w) == (6, 3)


@pytest.mark.rule("MER-025")
def test_ships_on_the_old_route_are_closed() -> None:
    """In a canal the search finds no way past two friends, though they could move on."""
    w = sea(2)
    w.world.cells["terrain"][[3, 5]] = terrain.PLAINS
    chart(w)
    for x in (4, 5):
        w.ship(1, "destroyer", x, 4)
    sail(w)
    next_turn(w)
    assert [sail(w), searches(w), course(w)] == [(3, 4), 1, []]
    assert w.world.jobs[0]["waited"] == 2


@pytest.mark.rule("MER-067", "MER-020")
def test_a_mine_that_the_chart_does_not_know_is_gone_around_at_once() -> None:
    w = sea(4)
    ground.put(w.world, w.rules, w.place(5, 4), terrain.NAVAL_MINE, 0, 1)
    ground.put(w.world, w.rules, w.place(4, 3), terrain.NAVAL_MINE, 2, 1)
    assert [sail(w), searches(w)] == [(6, 4), 1]  # over (4, 4), (4, 5), (5, 5)


@pytest.mark.rule("MER-040", "EMBARK-007")
def test_the_cell_of_a_unit_is_gone_around() -> None:
    w = sea(4)
    w.cell(5, 4, terrain="shallows")
    w.unit(1, "infantry", 5, 4, items=SHOES)
    assert sail(w) == (6, 3)


@pytest.mark.rule("MER-029", "NAVY-077")
def test_an_enemys_port_is_gone_around() -> None:
    w = sea(4)
    w.cell(5, 4, terrain="port", owner=2)
    w.relation(0, 2, state="pending")
    assert sail(w) == (6, 3)


@pytest.mark.rule("MER-021", "NAVY-051")
def test_enemy_guns_are_not_avoided() -> None:
    """A battleship of range 3 beside the route changes nothing, in the chart or in a way around."""
    w = sea(4)
    w.war(0, 2)
    w.ship(2, "battleship", 6, 6)
    assert sail(w) == (7, 4)
    w = sea(4)
    w.war(0, 2)
    w.ship(2, "battleship", 5, 2)
    w.ship(None, "pirate", 4, 4)
    assert sail(w) == (6, 3)


# ---------------------------------------------------------------- bounds


@pytest.mark.rule("MER-067")
def test_the_worlds_searches_of_a_turn_are_counted() -> None:
    """One is granted: the second ship waits, and has its turn when the next begins."""
    w = sea(4, rules={"merchant.detour_searches_per_turn": 1})
    add(w, 3, y=6)
    w.ship(None, "pirate", 4, 4)
    w.ship(None, "pirate", 4, 6)
    w.world.cells["terrain"][[5]] = terrain.PLAINS
    chart(w)
    w.world.jobs[1]["goal"] = w.place(12, 6)
    w.cell(12, 6, terrain="port", owner=1)
    chart(w)
    assert sail(w) == (6, 3)
    assert [sail(w, 1), searches(w)] == [(3, 6), 1]
    next_turn(w)
    assert [sail(w, 1), searches(w)] == [(6, 6), 1]  # over (3, 7), (4, 7), (5, 6)


@pytest.mark.rule("MER-067")
def test_the_most_searches_of_a_turn() -> None:
    assert sea().ruleset["merchant.detour_searches_per_turn"] == 16


@pytest.mark.rule("MER-067")
def test_a_ship_searches_once_a_turn() -> None:
    """The way around leads onto an unseen enemy: no second search, it waits there."""
    w = sea(6, "fishing_boat")
    w.war(0, 2)
    w.ship(None, "pirate", 4, 4)
    w.ship(2, "submarine", 5, 3)
    assert [sail(w), searches(w)] == [(4, 3), 1]
    next_turn(w)
    assert [sail(w), searches(w)] == [(10, 4), 1]  # met anew; south-east and along row 4


@pytest.mark.rule("MER-025", "MER-067")
def test_a_long_way_around_is_remembered_in_part_and_leads_there_all_the_same() -> None:
    """Two lanes joined at both ends: back west along row 4 and east along row 2, far more than 64 cells."""
    w = SmallWorld(7, 50, 2, turn=100)
    w.world.cells["terrain"][:] = terrain.PLAINS
    w.world.cells["terrain"][[2, 4]] = terrain.SEA
    w.world.cells["terrain"][3, [0, 49]] = terrain.SEA
    w.cell(46, 4, terrain="port", owner=1)
    w.cell(20, 5, terrain="port", owner=0)
    w.nation(0, private_fuel=50)
    w.ship(0, "merchant", 42, 4, home=[20, 5], job="sailing", destination=[46, 4], cargo=CARGO)
    w.ship(None, "pirate", 44, 4)
    chart(w)
    sail(w)
    assert w.world.jobs[0]["detour_length"] == 64
    for _ in range(16):
        next_turn(w)
        sail(w)
    assert w.record("ship", 0).job == "unloading"
    assert (w.record("ship", 0).x, w.record("ship", 0).y) == (47, 4)


@pytest.mark.rule("MER-025", "MER-067")
def test_of_equally_short_ways_that_with_the_smallest_directions() -> None:
    w = sea()
    w.ship(None, "pirate", 4, 4)
    goal = w.place(12, 4)
    assert detours.search(w.world, w.rules, 0, int(harbours.find(w.world, goal)), goal)
    assert course(w) == [NORTH_EAST] + [EAST] * 8  # south-east and along row 5 is as short
    assert searches(w) == 0  # its caller counts


def plain_search(w: SmallWorld, start: int, ends: set[int], most: int) -> list[int]:
    """The way that a search cell by cell finds, from the start on and in the order of directions."""
    height, width = w.world.cells.shape
    ways: dict[int, list[int]] = {start: []}
    queue = [start]
    for cell in queue:
        for direction in range(1, 7):
            near = int(hexgrid.neighbour(width, height, cell, direction))
            if near < 0 or near in ways or not seaways.opens(w.world, w.rules, seaways.SEEN_OPEN, 0, near):
                continue
            ways[near] = [*ways[cell], direction]
            if len(ways[near]) > most:
                return []
            if near in ends:
                return ways[near]
            queue.append(near)
    return []


@pytest.mark.rule("MER-025", "MER-067")
@pytest.mark.parametrize("seed", range(40))
def test_ways_are_those_of_a_plain_search(seed: int) -> None:
    """On random maps, to the nearest berth and to a cell, with and without enough movement points."""
    draws = random.Random(seed)
    w = SmallWorld(9, 9, 2, turn=100)
    w.cell(4, 4, terrain="port", owner=1)
    places = [(x, y) for x in range(9) for y in range(9) if (x, y) != (4, 4)]
    draws.shuffle(places)
    start = places.pop()
    for x, y in places[: draws.choice((10, 20, 30, 40))]:
        w.cell(x, y, terrain="plains")
    w.ship(0, "merchant", *start, home=[4, 4])
    here = w.place(*start)
    port = w.place(4, 4)
    berths = {int(hexgrid.neighbour(9, 9, port, d)) for d in range(1, 7)} - {here}
    free = {cell for cell in berths if harbours.is_free(w.world, w.rules, cell)}
    for most in (2, 5, 50):
        way = plain_search(w, here, free, most)
        assert detours.to_berth(w.world, w.rules, 0, port, most) == bool(way)
        assert course(w) == way or not way
        cell = w.place(*draws.choice(places))
        if cell != here:
            way = plain_search(w, here, {cell}, most)
            assert detours.to_cell(w.world, w.rules, 0, cell, most) == bool(way)
            assert course(w) == way or not way


@pytest.mark.rule("MER-025")
def test_without_a_way_the_old_route_stays() -> None:
    w = sea()
    w.cell(6, 4, terrain="sea")
    for x, y in ((3, 3), (2, 3), (2, 4), (3, 5), (2, 5), (4, 4)):
        w.cell(x, y, terrain="plains")
    goal = w.place(12, 4)
    assert not detours.search(w.world, w.rules, 0, int(harbours.find(w.world, goal)), goal)
    assert course(w) == []


# ---------------------------------------------------------------- to a place at sea


@pytest.mark.rule("FISH-002", "MER-067")
def test_a_boat_sails_straight_to_its_ground_and_around_what_is_between() -> None:
    """From (3, 4) to (9, 4), 4 cells a turn; a headland over rows 3 to 5 costs a search at once."""
    w = sea(4, "fishing_boat")
    w.cell(9, 4, fish_stock=400)
    w.world.jobs[0]["job"] = 5  # fishing
    w.world.jobs[0]["goal"] = w.place(9, 4)
    assert [sail(w), searches(w)] == [(7, 4), 0]
    next_turn(w)
    assert sail(w) == (9, 4)
    assert w.world.jobs[0]["arrived"] == 101
    w = sea(4, "fishing_boat")
    w.cell(9, 4, fish_stock=400)
    for y in (3, 4, 5):
        w.cell(5, y, terrain="plains")
    w.world.jobs[0]["job"] = 5
    w.world.jobs[0]["goal"] = w.place(9, 4)
    sail(w)
    assert searches(w) == 1
    for _ in range(3):
        next_turn(w)
        sail(w)
    assert (w.record("ship", 0).x, w.record("ship", 0).y) == (9, 4)
    assert searches(w) == 0


@pytest.mark.rule("FISH-002", "MER-025")
def test_a_headland_behind_a_port_is_no_reason_to_wait() -> None:
    """The straight way leads over the port (4, 4) to land: the search comes at once."""
    w = sea(4, "fishing_boat")
    w.cell(4, 4, terrain="port", owner=0)
    for y in (3, 4, 5):
        w.cell(5, y, terrain="plains")
    w.cell(9, 4, fish_stock=400)
    w.world.jobs[0]["job"] = 5
    w.world.jobs[0]["goal"] = w.place(9, 4)
    assert sail(w) != (3, 4)
    assert searches(w) == 1
