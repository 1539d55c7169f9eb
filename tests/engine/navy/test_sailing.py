"""How warships of a fleet sail (NAVY-056 .. NAVY-060, NAVY-097)."""

from __future__ import annotations

from typing import Any

import pytest

from hakoenv.engine import view
from hakoenv.engine.codes import event
from hakoenv.engine.navy import sailing, vessels
from hakoenv.testing import SmallWorld


def sail(w: SmallWorld, ship: int = 0) -> tuple[int, int] | None:
    """Let a ship make its move; where it is then, None if it sank."""
    sailing.sail(w.world, w.rules, ship)
    record = w.world.ships[ship]
    return None if record["kind"] == 0 else (int(record["cell"]) % w.width, int(record["cell"]) // w.width)


def events(w: SmallWorld) -> list[tuple[str, int, int]]:
    listed = w.world.events[: int(w.world.clock[0]["event_count"])]
    return [(event.NAMES[int(e["kind"])], int(e["nation"]), int(e["cell"])) for e in listed]


def bound(
    kind: str, target: Any = (9, 4), x: int = 2, y: int = 4, width: int = 16, **given: Any
) -> SmallWorld:
    """One warship, the flagship of fleet 0 with a target, on open sea."""
    w = SmallWorld(9, width, 2, rules=given.pop("rules", None))
    w.ship(0, kind, x, y, fleet=0, **given)
    w.fleet(0, 0, target=list(target))
    return w


# ---------------------------------------------------------------- toward the target


@pytest.mark.rule("NAVY-097", "NAVY-056", "NAVY-054")
def test_the_example_speed_5_and_a_target_12_cells_away() -> None:
    w = bound("destroyer", (14, 4))
    assert [sail(w), w.fleet(0, 0).target] == [(7, 4), [14, 4]]
    assert [sail(w), w.fleet(0, 0).target] == [(12, 4), [14, 4]]
    assert [sail(w), w.fleet(0, 0).target] == [(14, 4), None]
    assert sail(w) == (14, 4)


@pytest.mark.rule("NAVY-056")
def test_without_target_or_fleet_a_ship_stays() -> None:
    w = bound("destroyer")
    w.ship(0, "destroyer", 2, 6)
    w.fleet(0, 0, target=None)
    assert sail(w) == (2, 4)
    assert sail(w, 1) == (2, 6)


@pytest.mark.rule("NAVY-060")
@pytest.mark.parametrize(
    ("mode", "end"), [("normal", (6, 4)), ("hunt", (6, 4)), ("cruise", (6, 4)), ("stop", (2, 4))]
)
def test_only_a_stopped_ship_stays(mode: str, end: Any) -> None:
    assert sail(bound("cruiser", mode=mode)) == end


@pytest.mark.rule("NAVY-101", "TURN-066")
def test_a_ship_moved_by_hand_in_this_turn_stays() -> None:
    assert sail(bound("cruiser", moved=100)) == (2, 4)
    assert sail(bound("cruiser", moved=99)) == (6, 4)


@pytest.mark.rule("NAVY-097", "NAVY-101")
def test_a_flagship_brought_to_the_target_by_hand_has_reached_it() -> None:
    w = bound("cruiser", (2, 4), moved=100)
    assert sail(w) == (2, 4) and w.fleet(0, 0).target is None


@pytest.mark.rule("NAVY-008")
@pytest.mark.parametrize(("speed", "end"), [(7, 10), (6, 8)])
def test_shipping_research_makes_faster(speed: int, end: int) -> None:
    """floor(7 x 1.15) = 8, floor(6 x 1.15) = 6."""
    w = bound("destroyer", (14, 4), rules={"ship_classes.destroyer.speed": speed})
    w.nation(0, shipping=5)
    assert sail(w) == (end, 4)


@pytest.mark.rule("NAVY-105")
@pytest.mark.parametrize(("speed", "cells"), [(3, 2), (1, 1)])
def test_heavy_rain_where_the_ship_starts_slows_it(speed: int, cells: int) -> None:
    """Never below 1; the next cell's zone counts in the next turn."""
    w = bound("battleship", (14, 4), rules={"ship_classes.battleship.speed": speed})
    w.set_weather("tropical", "heavy_rain")
    assert sail(w) == (2 + speed, 4)
    w = bound("battleship", (14, 4), rules={"ship_classes.battleship.speed": speed})
    w.set_weather("tropical", "heavy_rain")
    w.cell(2, 4, climate="tropical")
    assert sail(w) == (2 + cells, 4)


@pytest.mark.rule("NAVY-105")
@pytest.mark.parametrize("kind", ["merchant", "cruise_ship", "pirate"])
def test_weather_slows_warships_only(kind: str) -> None:
    """The rule's example: a merchant in heavy rain sails 7 cells, as ever."""
    w = SmallWorld(9, 12, 1)
    w.set_weather("temperate", "heavy_rain")
    w.ship(None if kind == "pirate" else 0, kind, 4, 4)
    w.ship(0, "battleship", 6, 4)
    assert vessels.speed(w.world, w.rules, 0) == {"merchant": 7, "cruise_ship": 2, "pirate": 3}[kind]
    assert vessels.speed(w.world, w.rules, 1) == 2


# ---------------------------------------------------------------- waypoints, reaching, leading


@pytest.mark.rule("NAVY-049", "NAVY-097")
def test_waypoints_first_and_on_to_the_next_in_the_same_move() -> None:
    """Two cells east, one north-west, then toward (2, 0): one west and three north-west, west first."""
    w = bound("destroyer", (2, 0))
    w.fleet(0, 0, waypoints=[[4, 4], [4, 3]])
    assert sail(w) == (3, 2)  # over (3, 4), (4, 4), (4, 3), (3, 3)
    assert w.fleet(0, 0).waypoints == [] and w.fleet(0, 0).target == [2, 0]


@pytest.mark.rule("NAVY-097")
@pytest.mark.parametrize(
    "closed", ["port", "naval_port", "plains", "breakwater", "monster", "naval_mine", "shallows"]
)
def test_next_to_a_closed_target_it_is_reached(closed: str) -> None:
    """A whale is a cell of terrain monster."""
    w = bound("cruiser", (6, 4))
    level = {"monster": 64, "naval_mine": 1}.get(closed)
    w.cell(6, 4, terrain=closed, owner=0, **({} if level is None else {"level": level}))
    assert sail(w) == (5, 4) and w.fleet(0, 0).target is None


@pytest.mark.rule("NAVY-097")
@pytest.mark.parametrize("owner", [0, 1])
def test_next_to_a_taken_target_it_is_reached(owner: int) -> None:
    """The flagship of another fleet, or of another nation that it sees when it comes."""
    w = bound("cruiser", (6, 4))
    w.ship(owner, "submarine", 6, 4)
    assert sail(w) == (5, 4) and w.fleet(0, 0).target is None


@pytest.mark.rule("NAVY-097")
def test_only_the_flagship_ends_the_voyage() -> None:
    w = bound("battleship", (7, 4))
    w.ship(0, "battleship", 5, 4, fleet=0)
    assert sail(w, 1) == (7, 4) and w.fleet(0, 0).target == [7, 4]
    assert sail(w, 1) == (7, 4)
    assert sail(w, 0) == (5, 4) and w.fleet(0, 0).target == [7, 4]
    assert sail(w, 0) == (6, 4) and w.fleet(0, 0).target is None  # beside the ship that lies there


@pytest.mark.rule("NAVY-097")
def test_without_a_way_the_ship_stays_and_the_target_too() -> None:
    w = bound("cruiser", (6, 4))
    for x, y in ((5, 4), (6, 3), (5, 3), (7, 4), (5, 5), (6, 5)):
        w.cell(x, y, terrain="plains")
    assert sail(w) == (2, 4) and w.fleet(0, 0).target == [6, 4]


@pytest.mark.rule("NAVY-059")
def test_an_escort_heads_for_its_flagship_and_lies_beside_it() -> None:
    w = bound("battleship", (15, 4), x=6)
    w.ship(0, "destroyer", 2, 4, fleet=0, escort=True)
    assert sail(w, 1) == (5, 4)
    assert sail(w, 1) == (5, 4)
    assert sail(w, 0) == (9, 4)
    assert sail(w, 1) == (8, 4)
    w.fleet(0, 0, target=None)
    assert sail(w, 0) == (9, 4) and sail(w, 1) == (8, 4)


@pytest.mark.rule("NAVY-059")
def test_an_escort_that_leads_or_has_none_to_follow_sails_for_the_target() -> None:
    w = bound("destroyer", escort=True)
    assert sail(w) == (7, 4)
    w.world.fleets[0, 0]["flagship"] = -1
    assert sail(w) == (9, 4) and w.fleet(0, 0).target == [9, 4]


# ---------------------------------------------------------------- what is in the way


def row(kind: str, target: int, width: int = 12) -> SmallWorld:
    """A ship at (2, 1) on the one row of water between two of land."""
    w = SmallWorld(3, width, 2)
    for x in range(width):
        for y in (0, 2):
            w.cell(x, y, terrain="plains")
    w.ship(0, kind, 2, 1, fleet=0)
    w.fleet(0, 0, target=[target, 1])
    return w


@pytest.mark.rule("NAVY-075", "NAVY-097")
def test_a_warship_waits_behind_an_own_ship_in_the_only_way() -> None:
    w = row("destroyer", 9)
    w.ship(0, "destroyer", 5, 1)
    assert sail(w) == (4, 1)
    assert sail(w) == (4, 1) and w.fleet(0, 0).target == [9, 1]
    assert events(w) == []  # it was seen


@pytest.mark.rule("NAVY-076", "NAVY-079")
def test_a_port_is_crossed_with_two_points_or_not_at_all() -> None:
    """Speed 5 from (2, 1): with the port at 7 it waits at 6, with the port at 6 it lands on 7."""
    for port, ends in ((7, [(6, 1), (9, 1)]), (6, [(7, 1), (9, 1)])):
        w = row("destroyer", 9)
        w.cell(port, 1, terrain="port", owner=1, level=1)
        assert [sail(w), sail(w)] == ends


@pytest.mark.rule("NAVY-079", "NAVY-081")
def test_a_cruiser_crosses_no_port() -> None:
    w = row("cruiser", 9)
    w.cell(5, 1, terrain="port", owner=0, level=1)
    assert sail(w) == (2, 1)


@pytest.mark.rule("NAVY-097", "NAVY-020")
def test_an_unseen_ship_ends_the_move_and_is_seen() -> None:
    """A cruiser searches 2 cells; the submarine at 3 was not known when the way was searched."""
    w = bound("cruiser")
    w.ship(1, "submarine", 5, 4)
    assert view.ship(w.world, w.rules, 0, w.place(5, 4)) == -1
    assert sail(w) == (4, 4)
    assert events(w) == [("ship_met", 0, w.place(5, 4))]
    assert int(w.world.ships[1]["met"]) == 1 and int(w.world.ships[0]["met"]) == 0
    w.world.cells[4, 4]["ship"] = -1  # even if the ship is lost now
    w.world.ships[0]["kind"] = 0
    assert view.ship(w.world, w.rules, 0, w.place(5, 4)) == 1
    assert w.fleet(0, 0).target == [9, 4]


@pytest.mark.rule("NAVY-097")
def test_the_way_is_searched_anew_in_the_next_turn() -> None:
    """Around (5, 4) to (9, 4) from (4, 4) are six cells; four of them in this turn."""
    w = bound("cruiser")
    w.ship(1, "submarine", 5, 4)
    sail(w)
    assert sail(w) not in ((4, 4), (5, 4), None)
    assert len(events(w)) == 1


@pytest.mark.rule("EMBARK-006", "EMBARK-007")
def test_an_unseen_unit_ends_the_move_and_is_seen() -> None:
    w = bound("destroyer")
    w.cell(5, 4, terrain="shallows")
    w.unit(1, "infantry", 5, 4)
    assert sail(w) == (4, 4)
    assert int(w.world.units[0]["met"]) == 1
    assert events(w) == [("ship_met", 0, w.place(5, 4))]
    assert view.unit(w.world, w.rules, 0, w.place(5, 4)) == 0


@pytest.mark.rule("EMBARK-006", "EMBARK-007", "NAVY-079")
def test_an_unseen_unit_on_a_port_keeps_the_ship_before_it() -> None:
    w = row("destroyer", 9)
    w.cell(5, 1, terrain="port", owner=1, level=1)
    w.unit(1, "infantry", 5, 1)
    assert sail(w) == (4, 1) and int(w.world.units[0]["met"]) == 1


@pytest.mark.rule("NAVY-097")
def test_something_disguised_as_sea_ends_the_move() -> None:
    w = bound("cruiser")
    w.cell(5, 4, terrain="seabed_base", owner=1)
    assert sail(w) == (4, 4)
    assert events(w) == [("ship_met", 0, w.place(5, 4))]


@pytest.mark.rule("NMINE-004", "NAVY-050")
def test_an_unknown_mine_ends_the_move_on_its_cell() -> None:
    """Speed 4 would take the ship to (6, 4)."""
    w = bound("cruiser", hp=6)
    w.cell(5, 4, terrain="naval_mine", owner=1, level=2)
    assert sail(w) == (5, 4)
    assert w.ships()[0].hp == 2 and w.cell(5, 4).terrain == "sea"


@pytest.mark.rule("NMINE-004")
def test_on_the_target_too_and_it_is_reached() -> None:
    w = bound("cruiser", (5, 4), hp=6)
    w.fleet(0, 0, waypoints=[[5, 4]], target=[9, 4])
    w.cell(5, 4, terrain="naval_mine", owner=1, level=1)
    assert sail(w) == (5, 4) and w.fleet(0, 0).waypoints == []  # no point is left for the rest


@pytest.mark.rule("NMINE-004", "NAVY-102")
def test_a_flagship_lost_on_a_mine_leaves_the_fleet_its_target() -> None:
    w = bound("cruiser", hp=2)
    w.ship(0, "cruiser", 2, 6, fleet=0)
    w.cell(5, 4, terrain="naval_mine", owner=1, level=1)
    assert sail(w) is None
    assert w.fleet(0, 0).target == [9, 4] and int(w.world.fleets[0, 0]["flagship"]) == 1
