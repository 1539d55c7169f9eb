"""Which voyage an idle ship makes, and what is agreed at once (MER-073 .. MER-076, MKT-002; phase 19)."""

from typing import Any

import pytest

from hakoenv.engine.codes import cause, item, parcel
from hakoenv.testing import SmallWorld

STEEL, FUNDS = item.STEEL, item.FUNDS


def strait(width: int = 15, nations: int = 2, **rules: Any) -> SmallWorld:
    """Nation 0 with 100 steel to spare has a port in the west at (2, 4), nation 1, rich and without any,
    one in the east: it is short of 32. A ship at (3, 4) has 8 cells to go on a map of 15 columns.

    Prices: 20 x 0.7 = 14 and 20 x 1.484 = 29.68, so 21.84 are agreed and 1.092 tariff (5%) paid on top.
    """
    w = SmallWorld(9, width, nations, turn=40, rules=rules)
    for nation, town, port in ((0, 1, 2), (1, width - 2, width - 3)):
        w.cell(town, 4, terrain="town", owner=nation, population=50, capital=True)
        w.cell(port, 4, terrain="port", owner=nation, level=1)
    w.nation(0, private_steel=132, private_fuel=5, tariff=5)
    w.nation(1, private_funds=5000, tariff=5)
    return w


def merchant(
    w: SmallWorld, x: int = 3, y: int = 4, owner: int = 0, kind: str = "merchant", **given: Any
) -> Any:
    return w.ship(owner, kind, x, y, **{"home": [2, 4], "job": "idle", **given})


def plan(w: SmallWorld) -> None:
    for phase in ("shipping_open", "shipping_plan"):
        w.phase(phase)


# ---------------------------------------------------------------- what is agreed


@pytest.mark.rule("MER-073", "MER-075", "MKT-002", "MER-002", "TURN-020")
def test_goods_and_money_leave_their_stocks_when_the_trade_is_made() -> None:
    """32 x (21.84 + 1.092) = 733.824; no nation has given any command."""
    w = strait()
    ship = merchant(w)
    plan(w)
    assert (w.nation(0).private_steel, w.nation(0).private_funds) == (100, 0)
    assert w.nation(1).private_funds == 5000 - 733.824 and w.nation(1).private_steel == 0
    assert (ship.job, ship.destination, ship.to_load) == ("loading", [12, 4], {"steel": 32})
    goods = w.world.parcels[0]
    assert (int(goods["price"]), int(goods["tariff"])) == (21840, 1092)
    assert (int(goods["state"]), int(goods["port"])) == (parcel.ASHORE, w.place(2, 4))
    assert int(w.world.nations[1]["payments"][40 % 12]) == 733824  # a purchase: FIN-025
    assert int(w.world.nations[1]["inbound"][STEEL]) == 32
    assert w.world.private_accounts[0, cause.TRADE, STEEL] == -32


@pytest.mark.rule("MER-077", "MER-073", "MER-018", "TURN-045")
def test_a_whole_voyage_from_the_plan_to_the_ship_idle_at_home() -> None:
    """Planned and loaded in turn 40; 8 cells at 7: 41 and 42, unloaded there; home in 43 and 44."""
    w = strait()
    ship = merchant(w)
    course = []
    for _ in range(5):
        for phase in (
            "shipping_open",
            "shipping_plan",
            "port_handling_1",
            "ordinary_ships",
            "port_handling_3",
        ):
            w.phase(phase)
        w.nation(0, private_steel=0)  # nothing more to sell
        course.append((ship.job, ship.x, w.nation(1).private_steel))
        w.world.clock[0]["turn"] += 1
    assert course == [
        ("sailing", 3, 0), ("sailing", 10, 0), ("returning", 11, 32), ("returning", 4, 32), ("idle", 3, 32),
    ]  # fmt: skip
    assert w.nation(0).private_funds == pytest.approx(32 * 21.84)
    assert w.nation(1).funds == 34  # tariff 34.944, the rest is carried


@pytest.mark.rule("MER-077", "MER-074", "MER-018")
def test_a_voyage_between_ports_that_share_a_berth_takes_a_turn_all_the_same() -> None:
    """The ship at (3, 4) lies beside both: loaded in turn 40, there and unloaded in 41 (a leg is 1 turn)."""
    w = strait(width=7)
    ship = merchant(w)
    plan(w)
    for turn in (40, 41):
        w.world.clock[0]["turn"] = turn
        w.world.harbours["handled"] = 0
        seen = []
        for phase in ("port_handling_1", "port_handling_2", "ordinary_ships", "port_handling_3"):
            w.phase(phase)
            seen.append((ship.job, w.nation(1).private_steel))
        if turn == 40:
            assert seen == [("sailing", 0)] * 4
    assert seen == [("sailing", 0), ("sailing", 0), ("unloading", 0), ("idle", 32)]
    assert ship.arrived == 41


# ---------------------------------------------------------------- how much


@pytest.mark.rule("MER-074")
@pytest.mark.parametrize(
    ("cash", "spare", "quantity"),
    [(5000, 100, 32), (5000, 7, 7), (115, 100, 5), (22.931, 100, 0)],  # missing; there; 115 // 22.932
)
def test_the_load_is_the_least_of_surplus_short_and_cash(cash: float, spare: int, quantity: int) -> None:
    w = strait()
    w.nation(0, private_steel=32 + spare)
    w.nation(1, private_funds=cash)
    ship = merchant(w)
    plan(w)
    assert ship.to_load.get("steel", 0) == quantity


@pytest.mark.rule("MER-074")
def test_the_load_finds_room() -> None:
    """The buyer plans with 400 and holds 190 of 200: it is short of 210 and has room for 10."""
    w = strait(**{"resources.steel.private_cap": 200})
    w.nation(1, private_steel=190, buyback={"steel": 400})
    ship = merchant(w)
    plan(w)
    assert ship.to_load == {"steel": 10}


@pytest.mark.rule("MER-074", "MER-006")
@pytest.mark.parametrize(("level", "quantity"), [(0, 128), (5, 147)])
def test_the_load_is_no_more_than_the_ship_holds(level: int, quantity: int) -> None:
    w = strait()
    w.nation(0, private_steel=2000, shipping=level)
    w.nation(1, buyback={"steel": 500}, private_funds=100000)
    ship = merchant(w)
    plan(w)
    assert ship.to_load == {"steel": quantity}


@pytest.mark.rule("MER-074")
def test_the_best_container_is_loaded_first_and_the_rest_of_the_ship_filled() -> None:
    """Goods: 56 and 119.92, 31.96 a container; fuel: 11.9 and 25.483, 4 x 6.791 = 27.164.

    100 goods come first, 28 containers are left for 112 fuel, none for steel.
    """
    w = strait()
    w.nation(0, private_fuel=600, private_goods=100)
    w.nation(1, buyback={"fuel": 500, "goods": 500}, private_funds=100000)
    ship = merchant(w)
    plan(w)
    assert ship.to_load == {"goods": 100, "fuel": 112}


@pytest.mark.rule("MER-074")
def test_what_one_item_costs_is_not_there_for_the_next() -> None:
    """10 goods at 87.96 + 4.398 take 923.58 of 1000; 76.42 // (21.99 + 1.099) = 3 steel."""
    w = strait()
    w.nation(0, private_steel=2000, private_goods=10)
    w.nation(1, buyback={"steel": 500, "goods": 500}, private_funds=1000)
    ship = merchant(w)
    plan(w)
    assert ship.to_load == {"goods": 10, "steel": 3}
    assert w.nation(1).private_funds == pytest.approx(1000 - 923.58 - 3 * 23.089)


@pytest.mark.rule("MER-074", "MER-069", "MER-070")
@pytest.mark.parametrize(("upkeep", "sails"), [(75, True), (76, False)])
def test_the_example_of_a_voyage_of_20_cells_and_7_turns_sails_only_for_a_profit(
    upkeep: int, sails: bool
) -> None:
    """80 fuel bring 80 x 6.774 = 541.92. Fuel for 40 cells costs 40 x 2 x 17 / 100 = 13.6; 7 turns of upkeep.

    With 75 a turn 541.92 - 13.6 - 525 = 3.32 are left, with 76 it is a loss: so it is 7 turns.
    The planned level of 20 is 4 x 4.75 and 1 for the ship's fuel; the buyer's is 180.
    """
    w = strait(26, **{"merchant.merchant.upkeep_funds": upkeep})
    w.nation(0, private_steel=0, private_fuel=100, household_use={"fuel": 4.75})
    w.nation(1, private_steel=32, household_use={"fuel": 45})
    ship = merchant(w, 2, 5)  # to (22, 5), beside the port at (23, 4)
    w.phase("shipping_open")
    assert w.world.distances[1][w.place(2, 5)] == 20
    w.phase("shipping_plan")
    assert ship.to_load == ({"fuel": 80} if sails else {})


@pytest.mark.rule("MER-074")
def test_an_item_is_not_traded_when_the_tariff_eats_the_buyers_margin() -> None:
    """T 21.84, tariff 40% = 8.736: 30.576 is above the buyer's 29.68."""
    w = strait()
    w.nation(1, tariff=40)
    ship = merchant(w)
    plan(w)
    assert ship.job == "idle" and w.nation(1).private_funds == 5000


# ---------------------------------------------------------------- who may sail at all


@pytest.mark.rule("MER-075")
@pytest.mark.parametrize(
    ("change", "sails"),
    [
        ({}, True),
        ({"upkeep_paid": False}, False),
        ({"job": "returning", "destination": [2, 4]}, False),
        ({"home": None}, False),
        ({"x": 5}, False),
        ({"cargo": {"wood": 1}}, False),
    ],
)
def test_a_ship_is_idle_when_paid_for_without_a_job_and_at_its_home_port(
    change: dict[str, Any], sails: bool
) -> None:
    w = strait()
    ship = merchant(w, **change)
    w.phase("shipping_open")
    w.phase("shipping_plan")
    assert (ship.to_load != {}) == sails


@pytest.mark.rule("MER-075", "TURN-063")
def test_a_ship_built_in_this_turn_gets_no_cargo() -> None:
    w = strait()
    ship = merchant(w)
    w.world.jobs[0]["built"] = 40
    plan(w)
    assert ship.to_load == {}


@pytest.mark.rule("MER-075", "MER-051")
def test_a_ship_on_its_waiting_cell_is_idle_too() -> None:
    """The port's only entrance is (3, 4); the ship waits two cells off."""
    w = strait()
    for x, y in ((2, 3), (1, 3), (2, 5), (1, 5)):
        w.cell(x, y, terrain="plains", owner=0)
    ship = merchant(w, 4, 4)
    plan(w)
    assert ship.to_load == {"steel": 32}


@pytest.mark.rule("MER-075", "MER-065")
@pytest.mark.parametrize("what", ["no_chart", "war", "closed", "no_port", "buyers_port_walled_in"])
def test_without_a_way_or_leave_there_is_no_trade(what: str) -> None:
    w = strait()
    ship = merchant(w)
    if what == "war":
        w.relation(0, 1, state="war")
    elif what == "closed":
        w.nation(0, port_policy="closed")
    elif what == "no_port":
        w.cell(2, 4, terrain="plains", owner=0)
    elif what == "buyers_port_walled_in":
        for x, y in ((11, 4), (11, 3), (12, 3), (11, 5), (12, 5)):
            w.cell(x, y, terrain="plains", owner=1)
    if what != "no_chart":
        w.phase("shipping_open")
    w.phase("shipping_plan")
    assert ship.job == "idle" and w.nation(1).private_funds == 5000


# ---------------------------------------------------------------- which one


def market_place(**rules: Any) -> SmallWorld:
    """Nation 0's port in the middle at (12, 4); nation 1 in the west and 2 in the east, alike."""
    w = SmallWorld(9, 26, 3, turn=40, rules=rules)
    for nation, town, port in ((0, 12, 12), (1, 1, 2), (2, 24, 23)):
        w.cell(town, 5 if nation == 0 else 4, terrain="town", owner=nation, population=50, capital=True)
        w.cell(port, 4, terrain="port", owner=nation, level=1)
    w.nation(0, private_steel=132, private_fuel=5, tariff=5)
    for buyer in (1, 2):
        w.nation(buyer, private_funds=5000, tariff=5)
    return w


@pytest.mark.rule("MER-075")
def test_of_equal_voyages_that_to_the_lower_buyer_is_made() -> None:
    """From (12, 3) there are 10 cells to (2, 3) in the west and to (22, 3) in the east."""
    w = market_place()
    ship = w.ship(0, "merchant", 12, 3, home=[12, 4], job="idle")
    w.phase("shipping_open")
    assert [int(field[w.place(12, 3)]) for field in w.world.distances[:3]] == [10, 0, 10]
    w.phase("shipping_plan")
    assert ship.destination == [2, 4]


@pytest.mark.rule("MER-075", "MER-074")
def test_the_voyage_with_the_most_profit_a_turn_is_made_not_the_one_with_the_most() -> None:
    """West: 5 cells, 3 turns, 32 x 7.84 - 3.4 - 6 = 241.48, so 80.49 a turn.

    East: 11 cells, 5 turns; 40 x 7.87 - 7.48 - 10 = 297.32, so 59.46 a turn; with 57 wanted
    57 x 7.91 - 17.48 = 433.39, so 86.68 a turn (with turns counted one too short, less than the west's).
    """
    for wanted, goal, load in ((40, [5, 4], 32), (57, [23, 4], 57)):
        w = market_place()
        w.cell(2, 4, terrain="sea")
        w.cell(5, 4, terrain="port", owner=1, level=1)
        w.nation(0, private_steel=332)
        w.nation(2, buyback={"steel": wanted})
        ship = w.ship(0, "merchant", 11, 4, home=[12, 4], job="idle")
        plan(w)
        assert (ship.destination, ship.to_load) == (goal, {"steel": load})


@pytest.mark.rule("MER-065", "MER-075")
def test_the_nearest_port_of_the_buyer_receives_of_equals_the_one_of_the_lowest_cell() -> None:
    """(12, 4) is nearer than (12, 0) and (12, 8)."""
    w = strait()
    w.cell(12, 8, terrain="port", owner=1, level=1)
    w.cell(12, 0, terrain="port", owner=1, level=1)
    ship = merchant(w)
    plan(w)
    assert ship.destination == [12, 4]
    w = strait()
    w.cell(12, 4, terrain="plains", owner=1)
    w.cell(12, 8, terrain="port", owner=1, level=1)
    w.phase("shipping_open")  # so it is listed before the port of the lower cell
    w.cell(12, 0, terrain="port", owner=1, level=1)
    ship = merchant(w)
    plan(w)
    assert ship.destination == [12, 0]


@pytest.mark.rule("MER-075", "MER-068")
def test_the_next_ship_sees_what_is_left() -> None:
    """The rule's example: the first ship takes all that the buyer is short of, the second finds no short."""
    w = strait()
    first, second = merchant(w), merchant(w, 2, 3)
    plan(w)
    assert (first.to_load, second.to_load, second.job) == ({"steel": 32}, {}, "idle")


@pytest.mark.rule("MER-075")
def test_ships_are_asked_by_home_port_then_by_number() -> None:
    """The second ship is at home at (2, 2), which is a lower cell than (2, 4)."""
    w = strait()
    w.cell(2, 2, terrain="port", owner=0, level=1)
    first, second = merchant(w), merchant(w, 3, 2, home=[2, 2])
    plan(w)
    assert (first.to_load, second.to_load) == ({}, {"steel": 32})


@pytest.mark.rule("MER-075")
def test_nations_are_asked_in_the_order_of_the_turn() -> None:
    """Two sellers, one short of 32: who comes first in the turn's order sells."""
    winners = set()
    for seed in range(6):
        w = SmallWorld(9, 15, 3, turn=40, seed=seed)
        for nation, y in ((0, 2), (2, 6)):
            w.cell(1, y, terrain="town", owner=nation, population=50, capital=True)
            w.cell(2, y, terrain="port", owner=nation, level=1)
            w.nation(nation, private_steel=132, private_fuel=5, tariff=5)
            w.ship(nation, "merchant", 3, y, home=[2, y], job="idle")
        w.cell(13, 4, terrain="town", owner=1, population=50, capital=True)
        w.cell(12, 4, terrain="port", owner=1, level=1)
        w.nation(1, private_funds=5000)
        plan(w)
        order = [int(n) for n in w.world.order[:3]]
        sellers = [n for n in (0, 2) if w.nation(n).private_steel == 100]
        assert sellers == [min((0, 2), key=order.index)]
        winners |= set(sellers)
    assert winners == {0, 2}


# ---------------------------------------------------------------- ships of others


@pytest.mark.rule("MER-076", "MER-015")
def test_a_guest_at_its_temporary_home_carries_that_nations_goods_for_a_fare() -> None:
    """32 containers over 8 cells at 0.01 are 2.56, paid by nation 0 to nation 2 when all is aboard."""
    w = strait(nations=3)
    w.nation(0, private_funds=100)
    ship = merchant(w, owner=2, home=None, temp_home=[2, 4])
    plan(w)
    assert (ship.to_load, ship.destination) == ({"steel": 32}, [12, 4])
    assert (w.nation(0).private_funds, w.nation(2).private_funds) == (100, 0)
    w.phase("port_handling_1")
    assert (w.nation(0).private_funds, w.nation(2).private_funds) == (97.44, 2.56)
    w.phase("port_handling_2")
    assert w.nation(2).private_funds == 2.56


@pytest.mark.rule("MER-076")
@pytest.mark.parametrize(("rate", "sails"), [(0.97, True), (0.98, False)])
def test_the_fare_is_the_cost_of_such_a_voyage(rate: float, sails: bool) -> None:
    """32 x 7.84 = 250.88 is the gain; 256 container cells at 0.97 cost 248.32, at 0.98 they cost as much."""
    w = strait(nations=3, **{"sea.freight_per_container_cell": rate})
    ship = merchant(w, owner=2, home=None, temp_home=[2, 4])
    plan(w)
    assert (ship.to_load != {}) == sails


@pytest.mark.rule("MER-076")
def test_the_sellers_own_ships_are_asked_before_guests() -> None:
    w = strait(nations=3)
    guest = merchant(w, owner=2, home=None, temp_home=[2, 4])
    own = merchant(w, 2, 3)
    plan(w)
    assert (own.to_load, guest.to_load) == ({"steel": 32}, {})


@pytest.mark.rule("MER-076")
@pytest.mark.parametrize("what", ["war", "true_home"])
def test_a_ship_takes_no_goods_at_a_port_that_is_not_its_temporary_home_or_closed_to_it(what: str) -> None:
    w = strait(nations=3)
    where = {"home": [2, 4]} if what == "true_home" else {"home": None, "temp_home": [2, 4]}
    ship = merchant(w, owner=2, **where)
    if what == "war":
        w.relation(0, 2, state="war")
    plan(w)
    assert ship.to_load == {}


# ---------------------------------------------------------------- limits of the lists


@pytest.mark.rule("MER-073")
def test_with_no_place_for_another_parcel_nothing_is_taken() -> None:
    w = strait()
    ship = merchant(w)
    w.phase("shipping_open")
    for p in range(len(w.world.parcels)):
        w.world.parcels[p]["state"] = parcel.BONDED
        w.world.parcels[p]["ship"] = -1
        w.world.parcels[p]["turn"] = 40
    w.world.clock[0]["parcels"] = len(w.world.parcels)
    w.phase("shipping_plan")
    assert ship.job == "idle"
    assert (w.nation(0).private_steel, w.nation(1).private_funds) == (132, 5000)
