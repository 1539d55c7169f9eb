"""How merchants and fishing boats sail, arrive and are mended, and what is known of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hakoenv.engine import view
from hakoenv.engine.codes import job, ship_class, terrain
from hakoenv.engine.land import movement
from hakoenv.engine.navy import vessels
from hakoenv.engine.shipping import charts, harbours, merchants
from hakoenv.testing import SmallWorld, driver

STEEL = [{"item": "steel", "quantity": 5, "kind": "trade", "from": 0, "to": 1}]
KINDS = ("merchant", "large_merchant", "fishing_boat")


def sea(width: int = 18, **rules: Any) -> SmallWorld:
    """Open sea with a port of nation 0 in the west and one of nation 1 in the east, both on row 4."""
    w = SmallWorld(9, width, 3, turn=100, rules=rules)
    w.cell(0, 4, terrain="port", owner=0)
    w.cell(width - 1, 4, terrain="port", owner=1)
    for n in (0, 1):
        w.nation(n, private_fuel=50)
    return w


def chart(w: SmallWorld) -> None:
    harbours.enlist(w.world)
    for h in range(len(w.world.harbours)):
        if w.world.harbours[h]["cell"] >= 0:
            charts.make(w.world, h)


def sail(w: SmallWorld, ship: int = 0) -> tuple[int, int]:
    chart(w)
    merchants.sail(w.world, w.rules, ship)
    record = w.record("ship", ship)
    return record.x, record.y


def laden(w: SmallWorld, x: int, kind: str = "merchant", **given: Any) -> None:
    """A ship of nation 0 under way to the east, with goods if it carries any."""
    cargo = {} if kind == "fishing_boat" else {"cargo": STEEL}
    usual = {"home": [0, 4], "job": "sailing", "destination": [w.width - 1, 4]}
    w.ship(0, kind, x, 4, **{**usual, **cargo, **given})


# ---------------------------------------------------------------- how far


@pytest.mark.rule("MER-009", "NAVY-008", "MER-005")
@pytest.mark.parametrize(
    ("kind", "level", "cells"),
    [
        ("merchant", 0, 7), ("merchant", 4, 7), ("merchant", 5, 8),  # 7 x 1.12 = 7.84, 7 x 1.15 = 8.05
        ("large_merchant", 0, 5), ("large_merchant", 5, 5),  # 5 x 1.15 = 5.75
        ("fishing_boat", 0, 4), ("fishing_boat", 5, 4),  # 4 x 1.15 = 4.6
    ],
)  # fmt: skip
def test_speed_and_shipping_research(kind: str, level: int, cells: int) -> None:
    w = sea()
    w.nation(0, shipping=level)
    laden(w, 2, kind)
    assert sail(w) == (2 + cells, 4)


@pytest.mark.rule("MER-018", "NAVY-055")
@pytest.mark.parametrize(("handled", "end"), [(100, 2), (99, 9)])
def test_no_departure_in_a_turn_of_handling(handled: int, end: int) -> None:
    w = sea()
    laden(w, 2, handled=handled)
    assert sail(w) == (end, 4)


@pytest.mark.rule("MER-071")
@pytest.mark.parametrize(("paid", "end"), [(False, 2), (True, 9)])
def test_a_ship_that_was_not_paid_for_stays(paid: bool, end: int) -> None:
    w = sea()
    laden(w, 2, upkeep_paid=paid)
    assert sail(w) == (end, 4)


@pytest.mark.rule("TURN-063", "MER-005")
def test_a_new_ship_stays() -> None:
    w = sea()
    laden(w, 2)
    w.world.jobs[0]["built"] = 100
    assert sail(w) == (2, 4)
    w.world.clock["turn"] = 101
    assert sail(w) == (9, 4)


@pytest.mark.rule("MER-067")
def test_without_a_chart_of_its_port_it_waits() -> None:
    w = sea()
    laden(w, 2)
    harbours.enlist(w.world)
    merchants.sail(w.world, w.rules, 0)
    assert w.record("ship", 0).x == 2
    assert w.world.clock[0]["detours"] == 0


@pytest.mark.rule("NAVY-096", "TURN-069")
def test_private_ships_sail_after_warships_and_the_older_before_the_younger() -> None:
    """In a canal, each one cell a turn at most: who stands in front moves first and makes room.

    The cruiser is the youngest, the second merchant in the row older than the first.
    """
    w = SmallWorld(3, 14, 2, turn=100, rules={"merchant.merchant.speed": 1, "ship_classes.cruiser.speed": 1})
    w.world.cells["terrain"][[0, 2]] = terrain.PLAINS
    w.cell(0, 1, terrain="port", owner=0)
    w.cell(13, 1, terrain="port", owner=1)
    w.nation(0, private_fuel=5)
    for x in (2, 3):
        w.ship(0, "merchant", x, 1, home=[0, 1], job="sailing", destination=[13, 1], cargo=STEEL)
    w.ship(0, "cruiser", 4, 1, fleet=0)
    w.fleet(0, 0, target=[9, 1])
    w.world.ships[0]["serial"], w.world.ships[1]["serial"] = 1, 0
    chart(w)
    w.phase("ordinary_ships")
    assert [w.record("ship", k).x for k in range(3)] == [3, 4, 5]
    w.world.ships[0]["serial"], w.world.ships[1]["serial"] = 0, 1
    w.phase("ordinary_ships")
    assert [w.record("ship", k).x for k in range(3)] == [3, 5, 6]


# ---------------------------------------------------------------- what comes next


@pytest.mark.rule("MER-077", "MKT-016")
def test_a_laden_ship_arrives_beside_its_port_and_unloads_there() -> None:
    w = sea()
    laden(w, 12)
    assert sail(w) == (16, 4)
    ship = w.record("ship", 0)
    assert (ship.job, ship.destination, ship.arrived) == ("unloading", [17, 4], 100)
    w.world.clock["turn"] = 101
    assert sail(w) == (16, 4)
    assert w.record("ship", 0).arrived == 100


@pytest.mark.rule("MER-077")
def test_an_empty_ship_comes_home_and_is_idle() -> None:
    w = sea()
    w.ship(0, "merchant", 5, 4, home=[0, 4], job="returning", destination=[0, 4])
    assert sail(w) == (1, 4)
    ship = w.record("ship", 0)
    assert (ship.job, ship.destination, ship.arrived, ship.temp_home) == ("idle", None, 100, None)


@pytest.mark.rule("MER-077", "FISH-006")
@pytest.mark.parametrize("kind", KINDS)
def test_a_ship_that_brings_its_goods_home_unloads_there(kind: str) -> None:
    w = sea()
    w.ship(0, kind, 4, 4, home=[0, 4], job="returning", destination=[0, 4], cargo={"food": 9})
    assert sail(w) == (1, 4)
    assert w.record("ship", 0).job == "unloading"


@pytest.mark.rule("MER-077", "MER-052")
def test_a_ship_that_is_to_load_goes_to_where_its_goods_lie() -> None:
    """Called from (6, 4) to the port in the west; its destination is the one in the east."""
    w = sea()
    w.ship(0, "merchant", 1, 4, home=[0, 4], job="loading", destination=[17, 4], to_load=STEEL)
    w.world.cells["ship"][4, 1], w.world.cells["ship"][4, 6] = -1, 0
    w.world.ships[0]["cell"] = w.place(6, 4)
    assert sail(w) == (1, 4)
    assert (w.record("ship", 0).job, w.record("ship", 0).arrived) == ("loading", 100)
    assert sail(w) == (1, 4)


@pytest.mark.rule("MER-080", "MER-077")
def test_nobody_returns_to_a_home_that_another_nation_has_taken_and_closed() -> None:
    w = sea()
    w.cell(0, 4, owner=1)
    w.relation(0, 1, embargo=[1])
    w.ship(0, "merchant", 5, 4, home=[0, 4], job="returning", destination=[0, 4])
    assert sail(w) == (5, 4)


@pytest.mark.rule("FISH-002", "FISH-006")
def test_a_boat_notes_the_turn_in_which_it_came_to_its_ground() -> None:
    w = sea()
    w.cell(8, 4, fish_stock=400)
    w.ship(0, "fishing_boat", 2, 4, home=[0, 4], job="idle")
    w.world.jobs[0]["job"], w.world.jobs[0]["goal"] = job.FISHING, w.place(8, 4)
    assert sail(w) == (6, 4)
    assert w.world.jobs[0]["arrived"] == 0
    w.world.clock["turn"] = 101
    assert sail(w) == (8, 4)
    assert w.world.jobs[0]["arrived"] == 101


@pytest.mark.rule("MER-023", "MER-028", "MER-040", "MER-066", "NAVY-071")
@pytest.mark.parametrize("seed", range(8))
def test_wherever_ships_crowd_each_lies_alone_on_water(seed: int) -> None:
    """Twenty ships of three nations, two at war, among islands, ports, units and pirates, for ten turns."""
    rng = np.random.default_rng(seed)
    w = SmallWorld(11, 14, 3, seed=seed, turn=100)
    w.war(0, 2)
    free = [(x, y) for y in range(11) for x in range(14)]
    rng.shuffle(free)
    for _ in range(30):
        w.cell(
            *free.pop(), terrain=str(rng.choice(["plains", "shallows", "breakwater", "naval_mine"])), level=1
        )
    ports = [free.pop() for _ in range(7)]
    for k, place in enumerate(ports):
        w.cell(*place, terrain="port", owner=k % 3)
    for k in range(20):
        kind = str(rng.choice(KINDS))
        home, goal = ports[k % 3], ports[int(rng.integers(7))]
        work = "idle" if k % 5 == 0 else ("returning" if k % 5 < 3 or kind == "fishing_boat" else "sailing")
        given = {"cargo": STEEL} if work == "sailing" else {}
        w.ship(k % 3, kind, *free.pop(), home=list(home), job=work, destination=list(goal), **given)
    for k in range(4):
        place = free.pop()
        w.cell(*place, terrain="shallows")
        w.unit(k % 3, "infantry", *place, items=["shoes_of_water_movement"])
        w.ship(None, "pirate", *free.pop())
    for n in range(3):
        w.nation(n, private_fuel=20)
    for turn in range(101, 111):
        w.world.clock["turn"] = turn
        w.world.clock["detours"] = w.world.clock["rescues"] = 0
        for phase in ("shipping_open", "ordinary_ships"):
            w.phase(phase)
        here = [int(ship["cell"]) for ship in w.world.ships if ship["kind"] > 0]
        assert len(set(here)) == len(here) == 24
        cells = w.world.cells.reshape(-1)
        assert {int(t) for t in cells["terrain"][here]} <= {terrain.SEA, terrain.SHALLOWS}
        assert (cells["unit"][here] == -1).all()
        assert [int(w.world.ships[int(cells["ship"][cell])]["cell"]) for cell in here] == here


# ---------------------------------------------------------------- mending


@pytest.mark.rule("MER-039", "NAVY-087", "FISH-002")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("climate", ["arctic", "temperate"])
def test_beside_an_own_port_a_ship_is_mended_by_one_hp_a_turn_without_a_draw(kind: str, climate: str) -> None:
    """Whatever seed and climate, by which a warship recovers; never above what it has when new."""
    for seed in range(4):
        w = SmallWorld(9, 9, 2, seed=seed)
        w.cell(4, 4, terrain="port", owner=0, climate=climate)
        w.cell(5, 4, climate=climate)
        full = w.ruleset[f"merchant.{kind}.hp"]
        w.ship(0, kind, 5, 4, home=[4, 4], job="idle", hp=1, upkeep_paid=False)
        sail(w)
        assert w.record("ship", 0).hp == 2
        for _ in range(4):
            sail(w)
        assert w.record("ship", 0).hp == full


@pytest.mark.rule("MER-039", "NAVY-087")
def test_it_is_where_the_ship_ends_its_turn_that_counts() -> None:
    w = sea()
    w.ship(0, "merchant", 4, 4, hp=1, home=[0, 4], job="returning", destination=[0, 4])
    sail(w)
    assert w.record("ship", 0).hp == 2
    w = sea()
    laden(w, 1, hp=1)
    sail(w)
    assert w.record("ship", 0).hp == 1


@pytest.mark.rule("MER-039", "NAVY-087")
@pytest.mark.parametrize(("ground", "owner"), [("port", 1), ("naval_port", 0), ("town", 0)])
def test_not_beside_anything_else(ground: str, owner: int) -> None:
    w = SmallWorld(9, 9, 2)
    w.cell(4, 4, terrain=ground, owner=owner)
    w.ship(0, "merchant", 5, 4, hp=1)
    sail(w)
    assert w.record("ship", 0).hp == 1


# ---------------------------------------------------------------- what ships are and who sees them


@pytest.mark.rule("MER-001", "MAP-004", "MAP-005")
def test_terrain_numbers_of_private_ships() -> None:
    """Both merchants share one; which it is says the ship. Fishing boats have a number beyond the list."""
    classes = SmallWorld().rules.ship_classes
    kinds = (ship_class.MERCHANT, ship_class.LARGE_MERCHANT, ship_class.PIRATE, ship_class.CRUISE_SHIP)
    assert [int(classes[kind]["terrain_number"]) for kind in kinds] == [41, 41, 42, 43]
    assert int(classes[ship_class.FISHING_BOAT]["terrain_number"]) == 47
    assert terrain.FISH_FARM == 48


@pytest.mark.rule("MER-001", "MAP-004")
def test_the_kind_is_the_ships_and_the_water_below_stays() -> None:
    w = sea()
    w.cell(4, 4, terrain="shallows")
    w.ship(0, "large_merchant", 4, 4)
    w.ship(0, "merchant", 6, 4)
    assert [w.record("ship", k).read("class") for k in (0, 1)] == ["large_merchant", "merchant"]
    assert w.cell(4, 4).terrain == "shallows" and w.cell(6, 4).terrain == "sea"


@pytest.mark.rule("MER-035", "NAVY-022", "FISH-002")
@pytest.mark.parametrize("kind", [*KINDS, "cruise_ship", "pirate", "destroyer"])
def test_all_but_warships_are_seen_by_everybody(kind: str) -> None:
    """Nation 2 has nothing near."""
    w = sea()
    w.ship(None if kind == "pirate" else 0, kind, 8, 1)
    seen = [int(view.ship(w.world, w.rules, n, w.place(8, 1))) for n in range(3)]
    hidden = -1 if kind == "destroyer" else 0
    assert seen == [0, hidden, hidden]


@pytest.mark.rule("MER-034", "FISH-002")
@pytest.mark.parametrize(("kind", "far"), [("merchant", 2), ("large_merchant", 2), ("fishing_boat", 0)])
def test_how_far_private_ships_see(kind: str, far: int) -> None:
    w = sea()
    w.ship(0, kind, 8, 1)
    for x in (9, 10, 11):
        w.ship(1, "submarine", x, 1)
    seen = [view.ship(w.world, w.rules, 0, w.place(x, 1)) >= 0 for x in (9, 10, 11)]
    assert seen == [far >= 1, far >= 2, False]


@pytest.mark.rule("MER-034", "FISH-004")
@pytest.mark.parametrize("kind", KINDS)
def test_private_ships_never_fire(kind: str) -> None:
    w = sea()
    w.war(0, 1)
    w.nation(0, ammo=50)
    w.ship(0, kind, 8, 4)
    w.ship(1, "merchant", 9, 4)
    w.phase("fast_ships")
    w.phase("ordinary_ships")
    assert w.record("ship", 1).hp == 2 and w.nation(0).ammo == 50


@pytest.mark.rule("MER-042")
@pytest.mark.parametrize("kind", [*KINDS, "cruise_ship"])
@pytest.mark.parametrize(("owner", "allowed"), [(0, True), (1, False)])
def test_an_own_ship_of_any_kind_helps_to_oil_at_sea_and_to_nothing_else(
    kind: str, owner: int, allowed: bool
) -> None:
    w = SmallWorld(9, 9, 2)
    w.cell(0, 0, terrain="town", owner=0, population=40, capital=True)
    w.cell(4, 4, terrain="sea", deposit="oil", richness=300)
    w.cell(6, 4, terrain="wasteland")
    w.nation(0, funds=5000, wood=50, stone=50)
    w.ship(owner, kind, 5, 4)
    assert driver.is_legal(w, 0, "mine", 4, 4) == allowed
    assert not driver.is_legal(w, 0, "prepare_land", 6, 4)


@pytest.mark.rule("MER-043")
@pytest.mark.parametrize("kind", [*KINDS, "cruise_ship", "pirate"])
@pytest.mark.parametrize("ground", ["sea", "shallows"])
def test_to_units_the_cell_of_a_ship_is_sea(kind: str, ground: str) -> None:
    w = sea()
    w.cell(4, 4, terrain=ground)
    w.ship(None if kind == "pirate" else 0, kind, 4, 4)
    assert movement.ground_of(w.world, w.rules, view.TRUTH, w.place(4, 4)) == terrain.SEA
    number = int(w.rules.ship_classes[w.world.ships[0]["kind"]]["terrain_number"])
    assert int(w.rules.terrains[number]["unit_table_as"]) == terrain.SEA


@pytest.mark.rule("MER-019")
def test_a_ninth_waypoint_is_refused() -> None:
    """Routes of private ships have none at all; the bound is that of a fleet's course."""
    w = sea()
    w.ship(0, "destroyer", 4, 1, fleet=0)
    w.order(0, "fleet_move", 15, 7, 100)
    for k in range(9):
        w.order(0, "fleet_move", 3 + k, 7, 200)
    w.phase("plans")
    assert [entry["done"] for entry in w.results(0)][:10] == [True] * 9 + [False]
    assert len(w.fleet(0, 0).waypoints) == 8


@pytest.mark.rule("MER-054")
def test_there_are_no_state_merchants() -> None:
    """No class is one and no nation builds one (MER-003), so all merchants are private and in no fleet."""
    w = sea()
    assert "state_merchant" in {str(row["id"]) for row in w.ruleset.table("merchant")}
    assert len(w.rules.ship_classes) == ship_class.COUNT
    ship = int(vessels.place(w.world, w.rules, 0, ship_class.MERCHANT, w.place(4, 4), -1))
    assert w.world.ships[ship]["fleet"] == -1
