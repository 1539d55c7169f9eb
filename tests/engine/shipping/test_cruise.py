"""Cruise ships: when they are built, how they sail, what a call brings (CRU-001 .. CRU-025)."""

from __future__ import annotations

from typing import Any

import pytest

from hakoenv.engine import view
from hakoenv.engine.codes import cause, item
from hakoenv.engine.shipping import cruise, cruise_route
from hakoenv.testing import SmallWorld

Cell = tuple[int, int]
SURE = {"pirate.raid_percent": 100, "pirate.sink_percent": 0}


def sea(
    ports: dict[Cell, int] | None = None, height: int = 9, width: int = 16, nations: int = 3, **more: Any
) -> SmallWorld:
    """Open sea with ports (cell: owner), all on routes."""
    w = SmallWorld(height, width, nations, **more)
    for (x, y), owner in (ports or {}).items():
        w.cell(x, y, terrain="port", owner=owner, level=1)
    w.phase("shipping_open")
    return w


def chart(w: SmallWorld) -> None:
    """Make all charts anew after land and water have changed."""
    w.world.clock[0]["waters"] += 1
    w.phase("shipping_open")


def liner(w: SmallWorld, x: int, y: int, home: Cell, owner: int = 0, **given: Any) -> Any:
    return w.ship(owner, "cruise_ship", x, y, home=home, **{"last_call": home, **given})


def crowd(w: SmallWorld, count: int) -> None:
    """Dormant ships of nation 2, in the last rows."""
    for k in range(count):
        w.ship(2, "cruise_ship", k % w.width, w.height - 1 - k // w.width, dormant=True)


def sail(w: SmallWorld) -> None:
    """Phase 25+ of the next turn, with full budgets."""
    w.world.clock[0]["turn"] += 1
    w.world.clock[0]["rescues"] = w.world.clock[0]["estimates"] = 0
    w.phase("cruise_and_raids")


def at(ship: Any) -> Cell:
    return ship.x, ship.y


def build(w: SmallWorld, nation: int = 0) -> bool:
    return bool(cruise.build(w.world, w.rules, nation))


# ---------------------------------------------------------------- private


@pytest.mark.rule("CRU-001", "MER-003")
@pytest.mark.parametrize("amount", [8, 108, 158])
def test_no_nation_builds_one(amount: int) -> None:
    w = SmallWorld(9, 9, 1)
    w.nation(0, funds=5000, steel=50)
    w.cell(3, 3, terrain="naval_port", owner=0)
    w.order(0, "build_ship", 4, 3, amount=amount)
    w.phase("plans")
    assert not w.results(0)[0]["done"] and not w.ships()


@pytest.mark.rule("CRU-001")
@pytest.mark.parametrize("command", ["fleet_mode", "decommission", "ship_step", "naval_repair", "form_fleet"])
def test_no_command_reaches_one(command: str) -> None:
    w = SmallWorld(9, 9, 1)
    w.nation(0, funds=5000)
    w.cell(3, 3, terrain="naval_port", owner=0)
    ship = w.ship(0, "cruise_ship", 4, 3)
    before = ship.values()
    w.order(0, command, 4, 3, amount=2)
    w.phase("plans")
    assert not w.results(0)[0]["done"] and ship.values() == before


@pytest.mark.rule("CRU-024", "CRU-003")
def test_seen_by_all_and_sees_nothing_costs_nothing_a_turn() -> None:
    """A merchant would see the cell two away. Speed 2, hit points 3; no research, repair, upkeep or fuel."""
    w = sea({(2, 4): 0, (12, 4): 0})
    w.nation(0, shipping=5, private_funds=9)
    ship = liner(w, 4, 4, (2, 4), hp=1)
    other = w.place(6, 4)
    w.ship(2, "submarine", 6, 4)
    assert view.ship(w.world, w.rules, 1, w.place(4, 4)) == 0
    assert view.ship(w.world, w.rules, 0, other) < 0
    w.phase("naval_supply")
    w.phase("domestic_trade")
    assert (ship.hp, ship.speed) == (1, 2)
    assert (w.nation(0).private_funds, w.nation(0).private_fuel) == (9, 0)
    w.ship(0, "merchant", 4, 5)
    assert view.ship(w.world, w.rules, 0, other) >= 0


# ---------------------------------------------------------------- building


@pytest.mark.rule("CRU-003", "CRU-025", "CRU-005", "CRU-007", "FIN-025")
def test_what_a_new_ship_costs_and_where_it_lies() -> None:
    """100 funds of the private cash and nothing else; the lowest of the cells beside the port is (2, 3)."""
    w = sea({(3, 4): 0, (5, 4): 0})
    w.nation(0, private_funds=99.999, funds=500, steel=9, private_steel=9)
    assert not build(w) and w.nation(0).private_funds == 99.999
    w.nation(0, private_funds=100)
    assert build(w)
    (ship,) = w.ships()
    assert (ship.owner, at(ship), ship.hp, ship.home) == (0, (2, 3), 3, [3, 4])
    assert ship.last_call == [3, 4]  # coming back without another call is none: CRU-007
    nation = w.nation(0)
    assert (nation.private_funds, nation.funds, nation.steel, nation.private_steel) == (0, 500, 9, 9)
    assert w.cell(3, 4).handled == 0
    booked = w.world.private_accounts[0, cause.SHIP_BUILDING, item.FUNDS]
    assert booked == -100_000 and w.world.nations[0]["payments"].sum() == 100_000


@pytest.mark.rule("CRU-002")
def test_one_for_a_port_and_no_more_than_ports() -> None:
    w = sea({(3, 4): 0, (5, 4): 0, (7, 4): 0})
    w.nation(0, private_funds=1000)
    built = [build(w) for _ in range(4)]
    assert built == [True, True, True, False]
    assert [ship.home for ship in w.ships()] == [[3, 4], [5, 4], [7, 4]]


@pytest.mark.rule("CRU-002")
@pytest.mark.parametrize(("dormant", "built"), [(1, [True, False]), (2, [False]), (3, [False])])
def test_dormant_ships_count_for_the_nation_but_for_no_port(dormant: int, built: list[bool]) -> None:
    """Two ports, no naval ones: with one dormant ship there is room for one more, for the first port."""
    w = sea({(3, 4): 0, (5, 4): 0})
    w.cell(9, 4, terrain="naval_port", owner=0)
    w.nation(0, private_funds=1000)
    for k in range(dormant):
        w.ship(0, "cruise_ship", 2 * k, 8, home=(10, 2), dormant=True)
    assert [build(w) for _ in built] == built


@pytest.mark.rule("CRU-005")
@pytest.mark.parametrize(
    ("beside", "builds"),
    [
        (["sea"], False), (["sea", "shallows"], True), (["shallows", "offshore_oil"], False),
        (["sea", "naval_mine"], False), (["sea", "fish_farm"], False), ([], False),
    ],
)  # fmt: skip
def test_a_port_needs_two_empty_water_cells(beside: list[str], builds: bool) -> None:
    """Of the six neighbours of (3, 4) all are plains but (3, 5) and (4, 4)."""
    w = sea({(5, 4): 1, (3, 4): 0})
    w.nation(0, private_funds=1000)
    around = [(4, 4), (3, 5), (2, 3), (3, 3), (2, 4), (2, 5)]
    for k, (x, y) in enumerate(around):
        w.cell(x, y, terrain=beside[k] if k < len(beside) else "plains")
    chart(w)
    assert build(w) == builds
    if builds:
        assert at(w.ships()[0]) == (4, 4)
    if beside == ["sea", "shallows"]:
        w = sea({(5, 4): 1, (3, 4): 0})
        w.nation(0, private_funds=1000)
        for x, y in around[2:]:
            w.cell(x, y, terrain="plains")
        w.ship(1, "merchant", 4, 4)
        assert not build(w)


@pytest.mark.rule("CRU-010", "CRU-011")
@pytest.mark.parametrize(
    ("away", "others", "builds"),
    [
        (4, 0, True), (4, 1, False), (3, 0, True), (5, 0, False), (2, 1, True), (2, 10, True), (2, 11, False),
        (1, 10, True),
    ],
)  # fmt: skip
def test_built_where_20_turns_bring_back_the_price(away: int, others: int, builds: bool) -> None:
    """Legs of 1, 2 and 3 turns for up to 2, 4 and 6 cells: 20, 10 and 6 calls; enough are 10 + others."""
    w = sea({(3, 4): 0, (3 + away, 4): 1})
    w.nation(0, private_funds=1000)
    crowd(w, others)
    assert build(w) == builds


@pytest.mark.rule("CRU-011")
@pytest.mark.parametrize("why", ["closed", "war", "walled", "none"])
def test_the_nearest_port_that_is_permitted_and_can_be_reached_counts(why: str) -> None:
    """With another ship in the world 20 calls are enough and 10 are not: of the port 4 cells away."""
    w = sea({(3, 4): 0, (7, 4): 1, (3, 6): 2})
    w.nation(0, private_funds=1000)
    crowd(w, 1)
    if why == "closed":
        w.nation(2, port_policy="closed")
    elif why == "war":
        w.war(0, 2)
    elif why == "walled":
        for x, y in [(2, 5), (3, 5), (4, 6), (3, 7), (2, 7)]:
            w.cell(x, y, terrain="plains")
        for x, y in [(1, 6), (0, 6), (1, 5), (1, 7), (0, 5), (0, 7)]:
            w.cell(x, y, terrain="plains")
        w.cell(2, 6, terrain="sea")
        chart(w)
    assert build(w) == (why == "none")


@pytest.mark.rule("CRU-011")
def test_none_is_built_without_another_port() -> None:
    w = sea({(3, 4): 0}, rules={"cruise.cost": 0})
    w.nation(0, private_funds=1000)
    assert not build(w)


@pytest.mark.rule("CRU-012")
@pytest.mark.parametrize(
    ("record", "away", "others", "builds"),
    [
        ((40, 14), 2, 2, False), ((40, 24), 2, 2, True), ((40, 24), 2, 3, False), ((20, 0), 2, 0, False),
        ((19, 0), 2, 0, True), ((20, 10), 4, 0, True), ((20, 9), 4, 0, False), ((20, 20), 5, 0, False),
    ],
)  # fmt: skip
def test_a_poorer_record_replaces_the_estimate(
    record: tuple[int, int], away: int, others: int, builds: bool
) -> None:
    """Calls of a ship in 20 turns: 7; 12, exactly enough with 2 others and not with 3; 0.

    Then a record that is too short, 10, 9, and one above the estimate.
    """
    w = sea({(3, 4): 0, (3 + away, 4): 1})
    w.nation(0, private_funds=1000, cruise_record=list(record))
    crowd(w, others)
    assert build(w) == builds


@pytest.mark.rule("CRU-012")
def test_what_is_recorded() -> None:
    """In 21 turns: a ship that calls each turn, a dormant one; the first turn is forgotten. One is new."""
    w = sea({(3, 4): 0, (6, 4): 0})
    liner(w, 4, 4, (3, 4))
    w.ship(0, "cruise_ship", 0, 8, dormant=True)
    w.nation(1, cruise_record=[5, 5])
    new = liner(w, 12, 8, (6, 4))
    for _ in range(21):
        w.world.jobs[2]["built"] = w.turn + 1
        sail(w)
    assert at(new) == (12, 8)
    assert w.nation(0).cruise_record == [40, 20] and w.nation(1).cruise_record == [0, 0]


@pytest.mark.rule("CRU-025", "CRU-010")
def test_one_a_nation_and_turn_in_the_order_of_nations_and_cells() -> None:
    """Ports 4 cells apart: 10 calls are enough for the first ship of the world and for no other."""
    w = SmallWorld(9, 20, 2)
    for x, y, owner in [(2, 2, 0), (6, 2, 0), (12, 6, 1), (16, 6, 1)]:
        w.cell(x, y, terrain="port", owner=owner, level=1)
    for n in range(2):
        w.nation(n, private_funds=1000)
    w.phase("shipping_open")
    w.phase("shipping_plan")
    (ship,) = w.ships(**{"class": "cruise_ship"})
    assert ship.owner == int(w.world.order[0]) and ship.home in ([2, 2], [12, 6])
    w = sea({(3, 4): 0, (5, 4): 0})
    w.nation(0, private_funds=1000)
    w.phase("shipping_plan")
    assert [ship.home for ship in w.ships(**{"class": "cruise_ship"})] == [[3, 4]]


# ---------------------------------------------------------------- home


@pytest.mark.rule("CRU-006")
def test_a_lost_home_puts_a_ship_to_sleep_and_a_new_port_there_wakes_it() -> None:
    w = sea({(3, 4): 0, (8, 4): 0})
    ship = liner(w, 4, 4, (3, 4), destination=(8, 4))
    w.cell(3, 4, terrain="port", owner=1, level=1)
    sail(w)
    assert at(ship) == (4, 4) and ship.dormant and ship.owner == 0
    w.cell(3, 4, terrain="plains", owner=0)
    sail(w)
    assert at(ship) == (4, 4) and ship.dormant
    w.cell(3, 4, terrain="port", owner=0, level=1)
    sail(w)
    assert at(ship) == (6, 4) and not ship.dormant


@pytest.mark.rule("CRU-006", "TURN-055")
def test_the_hull_goes_with_its_nation() -> None:
    w = sea({(3, 4): 0, (8, 4): 1})
    w.cell(9, 8, terrain="town", owner=1, population=5, capital=True)
    liner(w, 4, 4, (3, 4))
    liner(w, 9, 4, (8, 4), owner=1)
    for name in ("nation_update", "abandoned_land"):
        w.phase(name)
    assert [ship.owner for ship in w.ships()] == [1]


# ---------------------------------------------------------------- calls


@pytest.mark.rule("CRU-007", "CRU-013")
def test_each_new_port_is_a_call_and_so_is_home_again() -> None:
    """Between ports 5 cells apart a ship makes 3 steps: a call every second turn."""
    w = sea({(3, 4): 0, (8, 4): 1})
    ship = liner(w, 4, 4, (3, 4))
    seen = []
    for _ in range(4):
        sail(w)
        seen.append((ship.x, w.nation(0).private_funds))
    assert seen == [(6, 0), (7, 10), (5, 10), (4, 20)]
    assert w.nation(1).private_funds == 0


@pytest.mark.rule("CRU-007")
def test_the_same_port_again_is_none() -> None:
    w = sea({(3, 4): 0, (8, 4): 0})
    ship = liner(w, 6, 4, (3, 4), destination=(8, 4), last_call=(8, 4))
    sail(w)
    assert at(ship) == (7, 4) and w.nation(0).private_funds == 0
    sail(w)
    sail(w)
    assert ship.last_call == [3, 4] and w.nation(0).private_funds == 10


@pytest.mark.rule("CRU-007")
def test_lying_at_a_port_is_none_and_neither_is_the_turn_of_building() -> None:
    w = sea({(3, 4): 0})
    ship = liner(w, 4, 4, (3, 4), last_call=None)
    for _ in range(2):
        sail(w)
        assert at(ship) == (4, 4) and w.nation(0).private_funds == 0
    w = sea({(3, 4): 0, (6, 4): 0})
    new = liner(w, 4, 4, (3, 4))
    w.world.jobs[0]["built"] = w.turn + 1
    sail(w)
    assert at(new) == (4, 4) and w.nation(0).private_funds == 0
    sail(w)
    assert at(new) == (5, 4) and w.nation(0).private_funds == 10


@pytest.mark.rule("CRU-007", "CRU-016")
def test_a_port_that_has_closed_is_no_longer_made_for() -> None:
    w = sea({(3, 4): 0, (8, 4): 1})
    ship = liner(w, 6, 4, (3, 4), destination=(8, 4))
    w.nation(1, port_policy="closed")
    sail(w)
    assert w.nation(0).private_funds == 0 and at(ship) == (4, 4)


@pytest.mark.rule("CRU-008", "CRU-004")
@pytest.mark.parametrize(
    ("others", "income"), [(0, 10), (1, 9.09), (2, 8.333), (3, 7.692), (10, 5), (20, 3.333)]
)
def test_what_a_call_brings(others: int, income: float) -> None:
    """10 x 10 / (10 + others), cut to thousandths: to the owner, however little it is."""
    w = sea({(3, 4): 0, (6, 4): 1})
    crowd(w, others)
    ship = liner(w, 4, 4, (3, 4))
    sail(w)
    assert at(ship) == (5, 4) and ship.unlooted == income
    assert (w.nation(0).private_funds, w.nation(1).private_funds, w.nation(0).funds) == (income, 0, 0)


@pytest.mark.rule("CRU-009")
def test_income_waits_for_room_and_the_older_is_paid_first() -> None:
    """4 of 10 find room; later 6 and then 10 more do, with a ship or without."""
    w = sea({(3, 4): 0, (6, 4): 1})
    ship = liner(w, 4, 4, (3, 4))
    w.nation(0, private_funds=99_996)
    sail(w)
    assert (w.nation(0).private_funds, w.nation(0).cruise_unpaid) == (100_000, 6)
    sail(w)
    assert at(ship) == (4, 4) and w.nation(0).cruise_unpaid == 16
    w.world.ships[0]["kind"] = 0
    w.nation(0, private_funds=99_990)
    sail(w)
    assert (w.nation(0).private_funds, w.nation(0).cruise_unpaid) == (100_000, 6)


@pytest.mark.rule("CRU-020", "TURN-049", "CRU-023")
def test_ships_sail_then_earn_then_are_raided() -> None:
    """One sails to a pirate and loses half of its new 9.09; one sails away from another pirate."""
    w = sea({(3, 4): 0, (6, 4): 1}, rules=SURE)
    comes = liner(w, 4, 4, (3, 4))
    leaves = liner(w, 13, 7, (3, 4), destination=(6, 4), unlooted=8)
    w.ship(None, "pirate", 5, 3)
    w.ship(None, "pirate", 14, 7)
    sail(w)
    assert at(comes) == (5, 4) and w.nation(0).private_funds == 4.545 and comes.unlooted == 4.545
    assert leaves.unlooted == 8


# ---------------------------------------------------------------- steps


@pytest.mark.rule("CRU-013")
@pytest.mark.parametrize(
    ("ground", "end"),
    [
        ("sea", (4, 4)), ("shallows", (4, 4)), ("naval_mine", (3, 5)), ("offshore_oil", (3, 5)),
        ("port", (3, 5)), ("plains", (3, 5)), ("breakwater", (3, 5)), ("fish_farm", (3, 5)),
    ],
)  # fmt: skip
def test_two_steps_nearer_on_sea_and_shallows(ground: str, end: Cell) -> None:
    """From (2, 4) to (5, 6) east and south-east lead nearer: twice east, unless (3, 4) is closed."""
    w = sea({(5, 6): 0, (12, 2): 0})
    ship = liner(w, 2, 4, (12, 2), destination=(5, 6))
    w.cell(3, 4, terrain=ground, owner=1 if ground == "naval_mine" else None)
    sail(w)
    assert at(ship) == end


@pytest.mark.rule("CRU-013", "MER-040", "CRU-024")
def test_not_onto_ships_and_units() -> None:
    for kind in ("merchant", "pirate", "infantry"):
        w = sea({(5, 6): 0, (12, 2): 0})
        ship = liner(w, 2, 4, (12, 2), destination=(5, 6))
        if kind == "infantry":
            w.cell(3, 4, terrain="shallows")
            w.unit(0, kind, 3, 4)
        else:
            w.ship(None if kind == "pirate" else 0, kind, 3, 4)
        sail(w)
        assert at(ship) == (3, 5)
        assert w.world.cells[4, 2]["ship"] == -1 and w.world.cells[5, 3]["ship"] == 0


@pytest.mark.rule("CRU-014", "CRU-015")
def test_around_a_wall_to_the_end_of_the_way_found() -> None:
    """East of (4, 4) stands a wall of three cells: five steps lead around it to a berth of (8, 4).

    North-east twice, east twice, south-east; after the first step none would lead nearer.
    """
    w = sea({(8, 4): 0, (0, 4): 0})
    for y in (3, 4, 5):
        w.cell(5, y, terrain="plains")
    ship = liner(w, 4, 4, (0, 4), destination=(8, 4))
    seen = []
    for _ in range(3):
        sail(w)
        seen.append(at(ship))
    assert seen == [(5, 2), (7, 2), (7, 3)]
    assert w.world.jobs[0]["searched"] == w.turn - 2 and w.nation(0).private_funds == 10


@pytest.mark.rule("CRU-014", "MER-020")
def test_a_way_around_leads_over_no_mine_and_no_ship() -> None:
    """The northern way is as short as the southern one, and mined or barred."""
    for bar in ("mine", "ship"):
        w = sea({(8, 4): 0, (0, 4): 0})
        for y in (3, 4, 5):
            w.cell(5, y, terrain="plains")
        if bar == "mine":
            w.cell(4, 3, terrain="naval_mine", owner=1, level=1)
        else:
            w.ship(1, "destroyer", 4, 3)
        ship = liner(w, 4, 4, (0, 4), destination=(8, 4))
        sail(w)
        assert at(ship) == (5, 6)


@pytest.mark.rule("CRU-014", "CRU-015", "CRU-013")
def test_a_ship_on_its_way_around_waits_for_who_is_in_it_and_searches_anew_when_it_may() -> None:
    """On (5, 2) it finds a merchant on (6, 2), where its way leads on, and stays.

    4 turns after its first search it finds the way by (5, 1), (6, 1) and (7, 2) to the berth (7, 3).
    """
    w = sea({(8, 4): 0, (0, 4): 0})
    for y in (3, 4, 5):
        w.cell(5, y, terrain="plains")
    ship = liner(w, 4, 4, (0, 4), destination=(8, 4))
    sail(w)
    w.ship(1, "merchant", 6, 2)
    for _ in range(3):
        sail(w)
        assert at(ship) == (5, 2)
    sail(w)
    assert at(ship) == (6, 1)
    sail(w)
    assert at(ship) == (7, 3)
    assert w.world.jobs[0]["searched"] == w.turn - 1


def stuck(count: int, **more: Any) -> SmallWorld:
    """Ships of nation 0 in pools of their own, bound for the port of (2, 2); all charts are made."""
    w = sea({(2, 2): 0}, width=24, height=12, **more)
    for k in range(count):
        x = 6 + 4 * (k % 4)
        y = 2 + 4 * (k // 4)
        for dx, dy in [(-1, 0), (1, 0), (-1, -1), (0, -1), (-1, 1), (0, 1)]:
            w.cell(x + dx, y + dy, terrain="plains")
        liner(w, x, y, (2, 2), destination=(2, 2), last_call=None)
    return w


def searched(w: SmallWorld, count: int) -> list[int]:
    return [int(turn) for turn in w.world.jobs["searched"][:count]]


@pytest.mark.rule("CRU-015", "MER-050")
def test_four_searches_a_turn_for_the_world_and_one_a_ship_in_four_turns() -> None:
    w = stuck(6)
    sail(w)
    first = w.turn
    assert searched(w, 6) == [first] * 4 + [0, 0]
    for _ in range(3):
        sail(w)
    assert searched(w, 6) == [first] * 4 + [first + 1] * 2
    w.world.jobs["chosen"] = 0  # stay with the port
    sail(w)
    assert searched(w, 6) == [first + 4] * 4 + [first + 1] * 2


@pytest.mark.rule("CRU-015", "MER-050")
def test_the_searches_of_stranded_merchants_count() -> None:
    w = stuck(3)
    w.world.clock[0]["rescues"] = 3
    w.phase("cruise_and_raids")
    assert searched(w, 3) == [w.turn, 0, 0] and w.world.clock[0]["rescues"] == 4


@pytest.mark.rule("CRU-019")
def test_a_ship_that_finds_no_way_chooses_again_four_turns_later() -> None:
    """It lies beside the wall of a port in a pool, and can get to the other port only."""
    w = sea({(3, 4): 0, (12, 4): 0}, width=20)
    for x, y in [(11, 3), (12, 3), (11, 5), (12, 5), (13, 4), (10, 4), (10, 3), (10, 5)]:
        w.cell(x, y, terrain="plains")
    ship = liner(w, 9, 4, (3, 4), destination=(12, 4))
    for _ in range(4):
        sail(w)
        assert at(ship) == (9, 4) and ship.destination == [12, 4]
    sail(w)
    assert at(ship) == (7, 4) and ship.destination == [3, 4]


# ---------------------------------------------------------------- where to


def chosen(w: SmallWorld) -> Any:
    """Where ship 0 is bound after it chose, without sailing there in one turn."""
    cruise_route.choose(w.world, w.rules, 0)
    return w.record("ship", 0).destination


@pytest.mark.rule("CRU-016", "CONT-013", "TRD-007", "TRD-011")
@pytest.mark.parametrize(
    ("bar", "allowed"),
    [
        ("none", True),
        ("war", False),
        ("pending", False),
        ("embargo_own", False),
        ("embargo_other", False),
        ("closed", False),
        ("friends", False),
        ("amity", True),
        ("own_closed", True),
        ("hegemon", False),
        ("member", False),
        ("league", True),
        ("league_closed", False),
        ("league_embargo", False),
    ],
)
def test_ports_that_permit_entry(bar: str, allowed: bool) -> None:
    """The port's owner is asked alone: the own ports may be closed to it. Else it is the far port."""
    w = sea({(3, 4): 0, (8, 4): 1, (14, 4): 2})
    liner(w, 4, 4, (3, 4))
    if bar in ("war", "pending"):
        w.relation(0, 1, state=bar)
    elif bar.startswith("embargo"):
        w.relation(0, 1, embargo=[0 if bar == "embargo_own" else 1])
    elif bar == "own_closed":
        w.nation(0, port_policy="closed")
    elif bar in ("hegemon", "member"):
        w.containment(*((0, [1]) if bar == "member" else (1, [0])))
    elif bar != "none":
        w.nation(1, port_policy="closed" if bar.endswith("closed") else "friends")
        if bar.startswith("league"):
            w.league("L", [0, 1])
            w.relation(0, 1, embargo=[1] if bar == "league_embargo" else [])
        if bar == "amity":
            w.relation(0, 1, state="amity")
    assert chosen(w) == ([8, 4] if allowed else [14, 4])


@pytest.mark.rule("CRU-016")
def test_own_ports_always_permit_and_the_port_it_is_at_is_none() -> None:
    w = sea({(3, 4): 0, (8, 4): 0})
    w.nation(0, port_policy="closed")
    liner(w, 4, 4, (3, 4))
    assert chosen(w) == [8, 4]


@pytest.mark.rule("CRU-016")
def test_a_port_whose_entrances_are_full_is_none() -> None:
    w = sea({(3, 4): 0, (8, 4): 1, (14, 4): 2})
    liner(w, 4, 4, (3, 4))
    cells = [(7, 4), (9, 4), (7, 3), (8, 3), (7, 5), (8, 5)]
    for x, y in cells[1:]:
        w.ship(1, "merchant", x, y)
    assert chosen(w) == [8, 4]
    w.ship(1, "merchant", *cells[0])
    assert chosen(w) == [14, 4]


def strait() -> SmallWorld:
    """A lane of water along row 1 of a land, with a port of nation 1 in it and others at its sides."""
    w = SmallWorld(3, 16, 3)
    for x in range(16):
        for y in (0, 2):
            w.cell(x, y, terrain="plains")
    w.cell(6, 1, terrain="port", owner=1, level=1)
    w.cell(2, 0, terrain="port", owner=0, level=1)
    w.cell(8, 0, terrain="port", owner=2, level=1)
    w.phase("shipping_open")
    liner(w, 2, 1, (2, 0))
    return w


@pytest.mark.rule("CRU-016")
def test_a_port_behind_a_port_is_none() -> None:
    """Charts lead over ports, cruise ships don't."""
    w = strait()
    w.nation(1, port_policy="closed")
    assert chosen(w) is None
    w.nation(1, port_policy="open")
    assert chosen(w) == [6, 1]


@pytest.mark.rule("CRU-016", "CRU-018")
def test_the_way_is_measured_around_ports() -> None:
    """From (3, 3) to (7, 3) it is 3 steps over the port in the wall, and 7 by the gap at (4, 6)."""
    w = SmallWorld(7, 9, 1)
    for y in range(6):
        w.cell(4, y, terrain="plains")
    w.cell(4, 3, terrain="port", owner=0, level=1)
    w.cell(7, 3, terrain="port", owner=0, level=1)
    chart(w)
    assert cruise_route.length(w.world, w.rules, w.place(3, 3), w.place(7, 3)) == 7
    w.cell(4, 6, terrain="plains")
    chart(w)
    assert cruise_route.length(w.world, w.rules, w.place(3, 3), w.place(7, 3)) == -1


@pytest.mark.rule("CRU-017")
def test_the_fewest_turns_first_then_the_straight_nearest_then_the_lowest_cell() -> None:
    """A wall of five makes the way to (8, 4) longer than that to (4, 8); a single cell costs a step, no turn.

    (2, 4) and (10, 4) lie 4 cells from (6, 4): 4 steps with (4, 4) closed, and 3: both 2 turns.
    """
    w = sea({(8, 4): 1, (4, 8): 1}, height=12)
    w.ship(0, "cruise_ship", 4, 4)
    assert chosen(w) == [8, 4]
    for y in (2, 3, 4, 5, 6):
        w.cell(6, y, terrain="plains")
    chart(w)
    assert chosen(w) == [4, 8]
    w = sea({(2, 4): 1, (10, 4): 1})
    w.ship(0, "cruise_ship", 6, 4)
    w.cell(4, 4, terrain="plains")
    chart(w)
    assert chosen(w) == [2, 4]


@pytest.mark.rule("CRU-017", "CRU-018")
def test_without_a_way_to_the_nearest_three_the_next_is_taken_unseen() -> None:
    """Each of three ports near (8, 4) lies at a pool of its own."""
    w = sea({}, width=24)
    for x, y in [(5, 2), (11, 2), (6, 7)]:
        for dx in range(-2, 3):
            for dy in range(-1, 2):
                w.cell(x + dx, y + dy, terrain="plains")
        w.cell(x, y, terrain="port", owner=1, level=1)
        w.cell(x + 1, y, terrain="sea")
    w.cell(20, 4, terrain="port", owner=1, level=1)
    chart(w)
    ship = w.ship(0, "cruise_ship", 8, 4)
    assert chosen(w) == [20, 4]
    assert w.world.jobs[0]["chosen"] == w.turn + 4 and w.world.clock[0]["estimates"] == 3
    w.cell(20, 4, terrain="plains")
    assert chosen(w) is None and w.world.jobs[0]["chosen"] == w.turn + 4 and at(ship) == (8, 4)


@pytest.mark.rule("CRU-018")
def test_eight_estimates_a_turn_for_the_world() -> None:
    """Of four ships that choose among four ports two ask for 3, the third for 2, the last goes unseen.

    For it that is the straight nearest, (16, 4), though a wall makes (20, 8) nearer; it chooses again 4 turns
    later, for which it is put back to where it was.
    """
    w = sea({(3, 1): 0, (5, 6): 0, (10, 2): 0, (16, 4): 0, (20, 8): 0}, width=26, height=12)
    for y in range(1, 9):
        w.cell(18, y, terrain="plains")
    chart(w)
    for x, y in [(6, 3), (7, 3), (8, 3), (20, 4)]:
        liner(w, x, y, (3, 1), last_call=None)
    sail(w)
    assert w.world.clock[0]["estimates"] == 8
    now = w.turn
    assert w.world.jobs["chosen"][:4].tolist() == [0, 0, 0, now + 4]
    assert w.record("ship", 3).destination == [16, 4]
    for _ in range(3):
        sail(w)
        assert w.record("ship", 3).destination == [16, 4]
    cells = w.world.cells.reshape(-1)
    cells["ship"][w.world.ships[3]["cell"]] = -1
    w.world.ships[3]["cell"] = w.place(20, 4)
    cells["ship"][w.place(20, 4)] = 3
    sail(w)
    assert w.record("ship", 3).destination == [20, 8]


@pytest.mark.rule("CRU-018")
def test_a_port_without_chart_is_no_way_that_is_known() -> None:
    w = sea({(8, 4): 1, (14, 4): 1})
    w.ship(0, "cruise_ship", 4, 4)
    w.world.distances[0] = 255
    w.world.harbours[0]["charted"] = 0
    assert chosen(w) == [14, 4] and w.world.jobs[0]["chosen"] == 0
