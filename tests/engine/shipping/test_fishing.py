"""Fishing boats: when they are built, where they go, what they catch and bring home (FISH)."""

from __future__ import annotations

from typing import Any

import pytest

from hakoenv.engine import territory, view
from hakoenv.engine.codes import cause, item
from hakoenv.engine.shipping import fishing
from hakoenv.ruleset import load_ruleset
from hakoenv.testing import SmallWorld

Cell = tuple[int, int]
HOME = (2, 4)
FOOD = item.FOOD


def sea(
    fish: dict[Cell, int] | None = None, width: int = 16, height: int = 9, nations: int = 2, **more: Any
) -> SmallWorld:
    """Open sea with a port of nation 0 at (2, 4), some fishing grounds (cell: food), and all charts."""
    w = SmallWorld(height, width, nations, **more)
    w.cell(*HOME, terrain="port", owner=0, level=1)
    for (x, y), food in (fish or {}).items():
        w.cell(x, y, fish_stock=food)
    w.phase("shipping_open")
    return w


def boat(w: SmallWorld, x: int = 3, y: int = 4, **given: Any) -> Any:
    return w.ship(0, "fishing_boat", x, y, **{"home": HOME, **given})


def chart(w: SmallWorld) -> None:
    """Make all charts anew after land and water have changed."""
    w.world.clock[0]["waters"] += 1
    w.phase("shipping_open")


def at(ship: Any) -> Cell:
    return ship.x, ship.y


def fish(ship: Any) -> int:
    return int(ship.cargo.get("food", 0))


def next_turn(w: SmallWorld) -> None:
    w.world.clock[0]["turn"] += 1
    w.world.harbours["handled"] = 0


# ---------------------------------------------------------------- the boat


@pytest.mark.rule("FISH-001")
def test_the_figures() -> None:
    rules = load_ruleset("season")
    row = {row["id"]: row for row in rules.table("merchant")}["fishing_boat"]
    assert [row[name] for name in ("cost_funds", "speed", "hp", "upkeep_funds", "fuel_per_100_cells")] == [
        60, 4, 2, 1, 2,
    ]  # fmt: skip
    figures = {
        "boat_capacity": 200, "boat_catch": 20, "boat_go_on_below": 100, "boats_per_port": 2,
        "unload.containers": 10, "build_enabled": 1, "ground_share": 1.5, "ground_stock_max": 400,
        "ground_regrowth": 8, "fish_farm_yield": 10,
    }  # fmt: skip
    assert {name: rules[f"fishing.{name}"] for name in figures} == figures


@pytest.mark.rule("FISH-002", "NAVY-022")
def test_seen_by_all_and_sees_nothing() -> None:
    w = sea()
    boat(w, 8, 4)
    w.ship(1, "submarine", 9, 4)
    assert view.ship(w.world, w.rules, 1, w.place(8, 4)) == 0
    assert view.ship(w.world, w.rules, 0, w.place(9, 4)) < 0


@pytest.mark.rule("FISH-002", "MER-040", "MER-022")
def test_it_passes_ships_and_avoids_units() -> None:
    """A merchant of the own nation lies at (4, 4) and is passed; a unit stands on the shallows at (7, 4)."""
    w = sea({(11, 4): 400})
    w.ship(0, "merchant", 4, 4)
    w.cell(7, 4, terrain="shallows")
    w.unit(1, "infantry", 7, 4)
    ship = boat(w, job="fishing", destination=(11, 4))
    for _ in range(3):
        next_turn(w)
        w.phase("ordinary_ships")
        assert at(ship) != (7, 4)
    assert at(ship) == (11, 4)


# ---------------------------------------------------------------- a voyage


@pytest.mark.rule("FISH-006")
def test_a_voyage_of_18_turns_for_200_food() -> None:
    """The example: 8 cells at speed 4, two turns out, ten on the ground, two home, five in port.

    It comes home in turn 114, unloads 40 in the last port handling of that turn and 40 in each of four more.
    """
    w = sea({(11, 4): 400}, turn=100)
    w.nation(0, private_funds=100)
    ship = boat(w)
    told = []
    for _ in range(19):
        next_turn(w)
        for name in ("domestic_trade", "shipping_plan", "port_handling_1", "port_handling_2"):
            w.phase(name)
        for name in ("ordinary_ships", "port_handling_3"):
            w.phase(name)
        told.append((ship.x, fish(ship), w.nation(0).private_food))
    out = [(7, 0, 0), (11, 0, 0)]
    catch = [(11, 20 * k, 0) for k in range(1, 11)]
    home = [(7, 200, 0)]
    unload = [(3, 200 - 40 * k, 40 * k) for k in range(1, 6)]
    assert told == [*out, *catch, *home, *unload, (7, 0, 200)]
    assert w.cell(11, 4).fish_stock == 200
    assert w.nation(0).private_funds == 100 - 19


# ---------------------------------------------------------------- going out


def assign(w: SmallWorld) -> list[Any]:
    """Where the boats are bound then; None for those that stay."""
    fishing.assign(w.world, w.rules)
    return [ship.destination for ship in w.ships(**{"class": "fishing_boat"})]


@pytest.mark.rule("FISH-006")
def test_the_shortest_way_then_the_lowest_cell() -> None:
    """Of (9, 4), (7, 5) and (7, 4) the last is nearest to a berth; (7, 3) is a lower cell than (7, 5)."""
    w = sea({(9, 4): 400, (7, 4): 400, (7, 5): 400})
    boat(w)
    assert assign(w) == [[7, 4]]
    w = sea({(7, 5): 400, (7, 3): 400})
    boat(w)
    assert assign(w) == [[7, 3]]


@pytest.mark.rule("FISH-006")
def test_by_the_way_and_not_by_the_distance() -> None:
    """A wall in column 5 of rows 1 to 7 makes the way to (6, 4) longer than the 3 steps to (2, 8)."""
    w = sea({(6, 4): 400, (2, 8): 400})
    for y in range(1, 8):
        w.cell(5, y, terrain="plains")
    chart(w)
    boat(w)
    assert assign(w) == [[2, 8]]


@pytest.mark.rule("FISH-006")
@pytest.mark.parametrize("why", ["19 food", "a ship on it", "another's goal", "no way", "mined", "nothing"])
def test_what_a_ground_must_be(why: str) -> None:
    w = sea({(6, 4): 19 if why == "19 food" else 20, (9, 4): 20})
    boat(w)
    if why == "a ship on it":
        w.ship(1, "merchant", 6, 4)
    elif why == "another's goal":
        w.ship(1, "fishing_boat", 12, 4, job="fishing", destination=(6, 4))
    elif why == "no way":
        for x, y in [(5, 3), (6, 3), (5, 4), (7, 4), (5, 5), (6, 5)]:
            w.cell(x, y, terrain="plains")
        chart(w)
    elif why == "mined":
        w.cell(6, 4, terrain="naval_mine", owner=1, level=1)
    assert assign(w)[0] == ([6, 4] if why == "nothing" else [9, 4])


@pytest.mark.rule("FISH-006")
@pytest.mark.parametrize(
    "given",
    [
        {"upkeep_paid": False}, {"cargo": {"food": 1}}, {"x": 6}, {"home": (8, 4)}, {"home": None},
        {"job": "returning"},
    ],
)  # fmt: skip
def test_boats_that_do_not_go(given: dict[str, Any]) -> None:
    """Not paid, laden, not at home, home at another nation's port or at none, or with a job."""
    w = sea({(10, 4): 400})
    w.cell(8, 4, terrain="port", owner=1, level=1)
    w.phase("shipping_open")
    place = {"x": 7} if "home" in given else {}
    boat(w, **{**place, **given})
    assert assign(w) == ([list(HOME)] if "job" in given else [None])


@pytest.mark.rule("FISH-006", "TURN-063")
def test_a_boat_built_in_this_turn_stays() -> None:
    w = sea({(10, 4): 400})
    ship = boat(w)
    w.world.jobs[0]["built"] = w.turn
    assert assign(w) == [None]
    w.phase("ordinary_ships")
    assert at(ship) == (3, 4)


@pytest.mark.rule("FISH-006")
def test_each_boat_gets_a_ground_of_its_own_nations_in_order() -> None:
    w = sea({(6, 4): 400, (9, 4): 400})
    w.cell(12, 4, terrain="port", owner=1, level=1)
    w.phase("shipping_open")
    w.ship(1, "fishing_boat", 11, 4, home=(12, 4))
    boat(w)
    boat(w, 2, 5)
    w.world.order[:2] = 0, 1
    assert assign(w) == [None, [6, 4], [9, 4]]


# ---------------------------------------------------------------- on the ground


def fishing_boat(w: SmallWorld, aboard: int = 0, **given: Any) -> Any:
    """A boat that came to the ground at (9, 4) in the last turn."""
    doing = {"job": "fishing", "destination": (9, 4), "arrived": w.turn - 1}
    return boat(w, 9, 4, **{**doing, "cargo": {"food": aboard}, **given})


@pytest.mark.rule("FISH-006")
@pytest.mark.parametrize(
    ("stock", "aboard", "caught", "job"),
    [
        (400, 0, 20, "fishing"), (400, 179, 20, "fishing"), (400, 180, 20, "returning"),
        (400, 190, 10, "returning"), (400, 200, 0, "returning"), (15, 150, 15, "returning"),
        (20, 100, 20, "returning"), (0, 100, 0, "returning"), (21, 100, 20, "fishing"),
    ],
)  # fmt: skip
def test_what_is_caught_and_when_it_goes_home(stock: int, aboard: int, caught: int, job: str) -> None:
    """min(20, stock, 200 - aboard); home when full or when the ground is empty."""
    w = sea({(9, 4): stock})
    ship = fishing_boat(w, aboard)
    w.phase("ordinary_ships")
    assert (fish(ship), w.cell(9, 4).fish_stock) == (aboard + caught, stock - caught)
    assert ship.job == job and ship.destination == list(HOME if job == "returning" else (9, 4))
    assert w.world.transit[FOOD] == caught


@pytest.mark.rule("FISH-006")
def test_nothing_in_the_turn_of_arrival() -> None:
    w = sea({(9, 4): 400})
    ship = boat(w, 8, 4, job="fishing", destination=(9, 4))
    w.phase("ordinary_ships")
    assert at(ship) == (9, 4) and fish(ship) == 0
    next_turn(w)
    w.phase("ordinary_ships")
    assert fish(ship) == 20


@pytest.mark.rule("FISH-006")
@pytest.mark.parametrize(("aboard", "goal"), [(79, (6, 4)), (80, HOME)])
def test_with_less_than_100_on_to_the_next_ground(aboard: int, goal: Cell) -> None:
    """20 are caught and the ground is empty. The next is the nearest to the home port, not to the boat."""
    w = sea({(9, 4): 20, (6, 4): 400, (10, 4): 400, (5, 4): 19})
    ship = fishing_boat(w, aboard)
    w.phase("ordinary_ships")
    assert fish(ship) == aboard + 20 and ship.destination == list(goal)


@pytest.mark.rule("FISH-006")
def test_without_another_ground_it_goes_home() -> None:
    w = sea({(9, 4): 20, (6, 4): 19})
    ship = fishing_boat(w)
    w.phase("ordinary_ships")
    assert fish(ship) == 20 and ship.job == "returning"


@pytest.mark.rule("FISH-006")
def test_a_ground_that_is_taken_when_it_gets_there_is_left() -> None:
    w = sea({(9, 4): 400, (12, 4): 400})
    ship = boat(w, 7, 4, job="fishing", destination=(9, 4))
    w.ship(1, "merchant", 9, 4)
    for _ in range(6):
        next_turn(w)
        w.phase("ordinary_ships")
    assert at(ship) == (12, 4) and fish(ship) > 0


# ---------------------------------------------------------------- unloading


@pytest.mark.rule("FISH-006", "MKT-007")
@pytest.mark.parametrize(
    ("handled", "aboard", "unloaded", "used"),
    [(0, 200, 40, 10), (0, 40, 40, 10), (0, 13, 13, 4), (250, 200, 24, 6), (256, 200, 0, 0)],
)
def test_ten_containers_a_turn_of_what_the_port_can_handle(
    handled: int, aboard: int, unloaded: int, used: int
) -> None:
    w = sea()
    ship = boat(w, job="returning", cargo={"food": aboard}, arrived=w.turn)
    w.cell(*HOME, handled=handled)
    for _ in range(3):
        w.phase("port_handling_1")
    assert (fish(ship), w.nation(0).private_food) == (aboard - unloaded, unloaded)
    assert w.cell(*HOME).handled == handled + used
    assert (ship.job == "idle") == (aboard == unloaded)
    assert w.world.private_accounts[0, cause.FISHING, FOOD] == unloaded
    w.phase("ordinary_ships")
    assert at(ship) == (3, 4)


@pytest.mark.rule("FISH-006", "MKT-016")
def test_by_arrival_after_the_cargo_ships() -> None:
    """The merchant unloads 240 of 256 containers; then the boat that came first 10, then the other 6."""
    w = sea()
    first = boat(w, 3, 4, job="returning", cargo={"food": 200}, arrived=w.turn - 1)
    second = boat(w, 2, 5, job="returning", cargo={"food": 200}, arrived=w.turn - 2)
    w.cell(9, 4, terrain="port", owner=1, level=1)
    w.phase("shipping_open")
    entry = {"item": "goods", "quantity": 240, "kind": "trade", "from": 1, "to": 0, "price": 1, "tariff": 0}
    w.ship(
        1, "large_merchant", 2, 3,
        home=(9, 4), job="unloading", destination=HOME, arrived=w.turn, cargo=[entry],
    )  # fmt: skip
    w.phase("port_handling_1")
    assert w.nation(0).private_goods == 240
    assert (fish(first), fish(second)) == (176, 160)


@pytest.mark.rule("FISH-006")
def test_what_the_private_sector_has_no_room_for_is_lost() -> None:
    w = sea()
    most = w.ruleset["resources.food.private_cap"]
    w.nation(0, private_food=most - 15)
    ship = boat(w, job="returning", cargo={"food": 200}, arrived=w.turn)
    w.phase("port_handling_1")
    assert fish(ship) == 160 and w.nation(0).private_food == most


@pytest.mark.rule("FISH-006", "MER-031")
def test_not_away_from_the_port_nor_at_another_nor_while_it_fishes() -> None:
    w = sea({(4, 4): 400})
    w.cell(9, 4, terrain="port", owner=1, level=1)
    w.cell(12, 4, terrain="port", owner=0, level=1)
    w.phase("shipping_open")
    boat(w, 4, 4, job="returning", cargo={"food": 40})
    boat(w, 8, 4, home=(9, 4), job="returning", cargo={"food": 40})
    boat(w, 11, 4, job="returning", cargo={"food": 40})
    boat(w, 3, 4, job="fishing", destination=(4, 4), cargo={"food": 40})
    w.phase("port_handling_1")
    assert [fish(ship) for ship in w.ships()] == [40] * 4


# ---------------------------------------------------------------- building


def yard(fish_stock: dict[Cell, int] | None = None, **given: Any) -> SmallWorld:
    """Nation 0 with 2060 funds and 10 free food; its households want 1 food a turn."""
    w = sea({(6, 4): 400} if fish_stock is None else fish_stock, nations=3)
    w.nation(0, **{"private_funds": 2060, "private_food": 10, "household_use": {"food": 1}, **given})
    return w


def build(w: SmallWorld) -> bool:
    return bool(fishing.build(w.world, w.rules, 0))


@pytest.mark.rule("FISH-007", "FISH-001", "FIN-025")
def test_the_example() -> None:
    """Cash 2059: not built. 2060: built, on the lowest cell beside the port, 2000 left."""
    w = yard(private_funds=2059.999)
    assert not build(w)
    w = yard()
    assert build(w)
    (ship,) = w.ships()
    assert (ship.owner, ship.read("class"), at(ship), ship.hp, ship.home) == (
        0, "fishing_boat", (1, 3), 2, list(HOME),
    )  # fmt: skip
    assert w.nation(0).private_funds == 2000 and w.world.nations[0]["payments"].sum() == 60_000
    assert w.world.private_accounts[0, cause.SHIP_BUILDING, item.FUNDS] == -60_000


@pytest.mark.rule("FISH-007")
@pytest.mark.parametrize(
    ("food", "use", "builds"), [(19, 1, True), (20, 1, False), (0, 0, False), (7, 0.4, True)]
)
def test_less_than_20_turns_of_household_use(food: int, use: float, builds: bool) -> None:
    """0.4 x 20 = 8 is more than 7."""
    assert build(yard(private_food=food, household_use={"food": use})) == builds


@pytest.mark.rule("FISH-007", "MER-068")
def test_food_set_aside_for_a_contract_is_not_free() -> None:
    w = yard(private_food=30)
    w.contract(1, 1, 0, "food", 12, 1, signed=w.turn - 1, interval=6)
    w.phase("turn_state")
    w.world.nations[0]["private"][FOOD] = 30
    assert w.world.nations[0]["set_aside"][FOOD] == 12
    assert build(w)


@pytest.mark.rule("FISH-007")
@pytest.mark.parametrize(
    ("short", "price", "touch", "builds"),
    [(5, 1200, True, True), (0, 1200, True, False), (5, 900, True, False), (5, 1200, False, False)],
)
def test_or_a_partner_that_was_short_of_food_and_would_pay(
    short: int, price: int, touch: bool, builds: bool
) -> None:
    """By land, for it owns no merchant; the price between 1000 and 1200 is above the seller's."""
    w = yard(private_food=500)
    w.cell(2, 5, terrain="plains", owner=0)
    w.cell(3, 5 if touch else 7, terrain="plains", owner=1)
    w.phase("shipping_open")
    w.world.nations[0]["prices"][FOOD] = 1000
    w.world.nations[1]["prices"][FOOD] = price
    w.world.nations[1]["shorts"][FOOD] = short
    territory.index(w.world, w.rules)
    assert build(w) == builds


@pytest.mark.rule("FISH-007")
def test_a_partner_over_the_sea_counts_for_who_has_a_merchant() -> None:
    for merchant in (False, True):
        w = yard(private_food=500)
        w.cell(9, 4, terrain="port", owner=1, level=1)
        w.phase("shipping_open")
        if merchant:
            w.ship(0, "merchant", 3, 4, home=HOME)
        w.world.nations[0]["prices"][FOOD] = 1000
        w.world.nations[1]["prices"][FOOD] = 1200
        w.world.nations[1]["shorts"][FOOD] = 5
        assert build(w) == merchant


@pytest.mark.rule("FISH-007")
@pytest.mark.parametrize(
    "why", ["none", "poor", "sought", "no way", "no berth", "two boats", "another's port", "switched off"]
)
def test_what_a_port_needs(why: str) -> None:
    w = yard({(6, 4): 19 if why == "poor" else 20} if why != "none" else {})
    if why == "sought":
        w.ship(1, "fishing_boat", 12, 4, job="fishing", destination=(6, 4))
    elif why == "no way":
        for x, y in [(5, 3), (6, 3), (5, 4), (7, 4), (5, 5), (6, 5)]:
            w.cell(x, y, terrain="plains")
        chart(w)
    elif why == "no berth":
        for x, y in [(1, 3), (2, 3), (1, 4), (3, 4), (1, 5), (2, 5)]:
            w.ship(1, "merchant", x, y)
    elif why == "two boats":
        boat(w, 9, 2)
        boat(w, 9, 6)
    elif why == "another's port":
        w.cell(*HOME, terrain="port", owner=1, level=1)
    elif why == "switched off":
        w = SmallWorld(9, 16, 3, rules={"fishing.build_enabled": 0})
        w.cell(*HOME, terrain="port", owner=0, level=1)
        w.cell(6, 4, fish_stock=400)
        w.phase("shipping_open")
        w.nation(0, private_funds=2060, household_use={"food": 1})
    assert not build(w)


@pytest.mark.rule("FISH-007")
def test_the_port_with_the_fewest_boats_then_the_lowest_and_two_at_each() -> None:
    w = yard(private_funds=9000)
    w.cell(9, 4, terrain="port", owner=0, level=1)
    w.cell(12, 4, terrain="port", owner=1, level=1)
    w.phase("shipping_open")
    assert [build(w) for _ in range(5)] == [True] * 4 + [False]
    assert [ship.home for ship in w.ships()] == [list(HOME), [9, 4], list(HOME), [9, 4]]


@pytest.mark.rule("FISH-007", "TURN-063")
def test_one_a_nation_and_turn_and_it_goes_out_in_the_next() -> None:
    w = yard({(6, 4): 400, (8, 4): 400}, private_funds=9000, private_food=0)
    w.phase("shipping_plan")
    (ship,) = w.ships()
    where = at(ship)
    w.phase("ordinary_ships")
    assert at(ship) == where and ship.job == "idle"
    next_turn(w)
    w.nation(0, private_funds=2000)
    for name in ("domestic_trade", "shipping_plan", "ordinary_ships"):
        w.phase(name)
    assert at(ship) != where and ship.job == "fishing"
