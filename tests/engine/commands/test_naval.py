"""Commands of the navy: what is unseen, what masks say, and what a case file can't say."""

import itertools

import numpy as np
import pytest

from hakoenv.engine import hexgrid, view
from hakoenv.engine.codes import command, event, item, reason, terrain
from hakoenv.engine.commands import execute, naval, plans, prices, shipyard, validate
from hakoenv.engine.world import World, copy_world, state_hash
from hakoenv.testing import SmallWorld

SHOD = {"items": ["shoes_of_water_movement"]}
NAVAL = [int(number) for number in np.flatnonzero(validate.HANDLED == validate.OF_NAVY)]
AMOUNTS = {
    command.BUILD_SHIP: (0, 1, 2, 5, 6, 100, 101, 143, 255, 256),
    command.FORM_FLEET: (0, 1, 2, 15, 16, 20, 30, 31),
    command.FLEET_MOVE: (0, 100, 101, 116, 200, 201, 1000, 1001, 1016),
    command.FLEET_MODE: (0, 3, 4, 10, 13, 14),
    command.SALVO_ORDER: (0, 1, 2000, 2001, 2003, 2016, 2017),
    command.LAY_MINE: (0, 1, 2, 3),
    command.EMBARK: (0, 1, 2, 3, 4, 5, 6, 7),
    command.DISEMBARK: (0, 1, 2, 3, 4, 5, 6, 7),
    command.SHIP_STEP: (0, 1, 2, 3, 4, 5, 6, 7),
}


def coast(**settings: object) -> SmallWorld:
    """Nation 0 with a town, a naval port, plains and three ships; nation 1 far away, at war."""
    w = SmallWorld(height=9, width=12, nations=2, turn=100, **settings)
    w.cell(2, 4, terrain="town", owner=0, population=60, capital=True)
    w.cell(3, 4, terrain="naval_port", owner=0)
    w.cell(2, 3, terrain="plains", owner=0)
    w.cell(11, 8, terrain="town", owner=1, population=60, capital=True)
    w.nation(0, funds=2000, steel=20, food=500)
    w.war(0, 1)
    return w


def fleet() -> SmallWorld:
    """The same with ships, a unit ashore and one aboard, mines, a wreck, and enemies in and out of sight."""
    w = coast()
    w.cell(1, 3, terrain="plains", owner=0)
    w.ship(0, "destroyer", 3, 3, hp=2, fleet=0)
    w.ship(0, "cruiser", 6, 4, hp=6, fleet=0)
    w.ship(0, "battleship", 2, 2, hp=5, fleet=2)
    w.ship(1, "cruiser", 7, 4, fleet=0)
    w.ship(None, "merchant", 5, 5)
    w.unit(0, "infantry", 2, 3, strength=80)
    w.unit(0, "artillery", aboard=2, strength=30)
    w.cell(5, 3, terrain="naval_mine", owner=0, level=2)
    w.cell(7, 5, terrain="naval_mine", owner=1, level=1)
    w.cell(3, 2, terrain="sea", wrecks=[{"class": "carrier", "age": 2}])
    w.cell(3, 5, terrain="shallows")
    w.fleet(0, 2, target=[9, 1], waypoints=[[5, 1]])
    return w


def outcome(world: World, w: SmallWorld, *order: int) -> str:
    """What becomes of one command of nation 0 in a copy of a world, in the turn that runs."""
    copy = copy_world(world)
    plans.set_plan(copy, 0, [order])
    execute.run_plan(copy, w.rules, 0)
    return reason.name(plans.results_of(copy, 0)[0].reason)


def asked(w: SmallWorld) -> list[tuple[int, int, int, int]]:
    """Every naval command on every cell, with amounts that mean something and some that don't."""
    return [
        (number, x, y, amount)
        for number in NAVAL
        for amount in AMOUNTS.get(number, (0,))
        for y, x in itertools.product(range(w.height), range(w.width))
    ]


def masks(w: SmallWorld) -> list[bool]:
    return [bool(validate.is_legal(w.world, w.rules, 0, *order, 0)) for order in asked(w)]


@pytest.mark.rule("CMD-038", "CMD-040", "CMD-041", "CMD-042", "CMD-044", "CMD-005")
def test_masks_of_the_navy_say_what_the_turn_accepts() -> None:
    """By brute force, with nothing hidden in the way: legal means carried out, illegal refused for free."""
    w = fleet()
    legal = masks(w)
    w.world.clock["turn"] += 1
    for k, (order, may) in enumerate(zip(asked(w), legal, strict=True)):
        if not may and k % 7:
            continue  # illegal ones are many and alike
        found = outcome(w.world, w, *order)
        assert (found == "done") == may, (order, found)
        assert found != "blocked", order
    shown = {order[0] for order, may in zip(asked(w), legal, strict=True) if may}
    assert shown == set(NAVAL)


@pytest.mark.rule("NAVY-020", "NMINE-012", "EMBARK-007")
def test_what_is_out_of_sight_changes_no_mask() -> None:
    """Warships, one over shallows, and a mine out of search range, a unit at sea, a seabed base."""
    w = fleet()
    before = masks(w)
    w.ship(1, "battleship", 10, 2, fleet=1)
    w.cell(10, 4, terrain="naval_mine", owner=1, level=2)
    w.cell(5, 7, terrain="seabed_base", owner=1)
    w.cell(8, 1, terrain="shallows")
    w.unit(1, "infantry", 7, 3, strength=90, **SHOD)
    w.cell(10, 5, terrain="shallows")
    w.ship(1, "destroyer", 10, 5, fleet=2)
    assert masks(w) == before


@pytest.mark.rule("NAVY-101", "NAVY-097", "EMBARK-006", "EMBARK-007")
def test_a_step_onto_an_unseen_unit_is_blocked_and_shows_it_until_the_turn_ends() -> None:
    w = coast()
    w.ship(0, "cruiser", 7, 4, fleet=0)
    w.unit(1, "infantry", 8, 4, strength=90, **SHOD)
    there = w.place(8, 4)
    assert view.unit(w.world, w.rules, 0, there) < 0
    assert validate.is_legal(w.world, w.rules, 0, command.SHIP_STEP, 7, 4, 2, 0)
    w.order(0, "ship_step", 7, 4, 2)
    w.order(0, "ship_step", 7, 4, 5)
    w.phase("plans")
    assert [entry["reason"] for entry in w.results(0)[:2]] == ["blocked", "once_a_turn"]
    (ship,) = w.ships(owner=0)
    assert (ship.x, ship.y, ship.moved) == (7, 4, 100)
    assert w.nation(0).funds == 2010  # no cost, and the turn was not used
    assert view.unit(w.world, w.rules, 0, there) >= 0
    assert int(w.world.clock[0]["event_kinds"][event.SHIP_MET]) == 1
    w.order(1, "fundraise")
    w.run(1)
    assert view.unit(w.world, w.rules, 0, there) < 0


@pytest.mark.rule("NAVY-101", "NAVY-020")
def test_a_step_onto_an_unseen_ship_is_blocked() -> None:
    """With classes that see nothing; another own ship that tries it afterwards sees what lies there."""
    w = coast(rules={"ship_classes.cruiser.search_range": 0})
    w.ship(0, "cruiser", 7, 6, fleet=0)
    w.ship(0, "cruiser", 9, 6, fleet=1)
    w.ship(1, "submarine", 8, 6, fleet=0)
    w.order(0, "ship_step", 7, 6, 2)
    w.order(0, "ship_step", 9, 6, 5)
    w.phase("plans")
    assert [entry["reason"] for entry in w.results(0)[:2]] == ["blocked", "ship_in_the_way"]
    assert [(ship.x, ship.moved) for ship in w.ships(owner=0)] == [(7, 100), (9, 0)]
    assert w.world.ships["met"].tolist()[2] == 1


@pytest.mark.rule("NAVY-101", "MAP-026")
def test_a_step_onto_a_site_that_looks_like_sea_is_blocked() -> None:
    w = coast()
    w.ship(0, "cruiser", 7, 6, fleet=0)
    w.cell(8, 6, terrain="seabed_base", owner=1)
    w.order(0, "ship_step", 7, 6, 2)
    w.phase("plans")
    assert w.results(0)[0]["reason"] == "blocked"
    assert w.ships(owner=0)[0].moved == 100
    assert view.terrain(w.world, w.rules, 0, w.place(8, 6)) == terrain.SEA


@pytest.mark.rule("NMINE-004", "NMINE-012", "NAVY-101")
def test_a_step_onto_a_mine_that_is_out_of_sight_is_carried_out() -> None:
    w = coast(rules={"ship_classes.cruiser.search_range": 0})
    w.ship(0, "cruiser", 7, 6, hp=6, fleet=0)
    w.cell(8, 6, terrain="naval_mine", owner=1, level=1)
    w.order(0, "ship_step", 7, 6, 2)
    w.phase("plans")
    assert w.results(0)[0]["reason"] == "done"
    (ship,) = w.ships(owner=0)
    assert (ship.x, ship.hp) == (8, 4)
    assert w.cell(8, 6).terrain == "sea"
    assert int(w.world.clock[0]["event_kinds"][event.MINE_STRUCK]) == 1


@pytest.mark.rule("EMBARK-003", "EMBARK-007")
def test_a_landing_on_an_unseen_unit_is_blocked_and_tells_nothing() -> None:
    """Far from own land and units; the unit aboard sees nothing."""
    w = coast()
    w.cell(8, 6, terrain="plains", owner=1)
    w.ship(0, "destroyer", 7, 6, fleet=0)
    w.unit(0, "infantry", aboard=0)
    w.unit(1, "infantry", 8, 6)
    assert validate.is_legal(w.world, w.rules, 0, command.DISEMBARK, 7, 6, 2, 0)
    w.order(0, "disembark", 7, 6, 2)
    w.phase("plans")
    assert w.results(0)[0]["reason"] == "blocked"
    assert w.units(owner=0)[0].aboard == 0
    assert view.unit(w.world, w.rules, 0, w.place(8, 6)) < 0
    assert w.ships(owner=0)[0].moved == 0


@pytest.mark.rule("ARMY-059", "LIMIT-009", "EMBARK-003")
@pytest.mark.parametrize(("turns_left", "opens"), [(1, True), (2, False)])
def test_a_landing_counts_on_a_war_that_opens_in_the_coming_turn(turns_left: int, opens: bool) -> None:
    w = coast()
    w.relation(0, 1, state="pending", turns_left=turns_left, declarer=0)
    w.cell(8, 6, terrain="plains", owner=1)
    w.ship(0, "destroyer", 7, 6, fleet=0)
    w.unit(0, "infantry", aboard=0)
    assert validate.is_legal(w.world, w.rules, 0, command.DISEMBARK, 7, 6, 2, 0) == opens
    w.order(0, "disembark", 7, 6, 2)
    w.phase("clock")
    w.phase("diplomacy")
    w.phase("plans")
    assert w.results(0)[0]["reason"] == ("done" if opens else "closed_land")


@pytest.mark.rule("EMBARK-002")
@pytest.mark.parametrize(("owner", "told"), [(0, []), (None, [-1]), (1, [1])])
def test_landings_abroad_are_news(owner: int | None, told: list[int]) -> None:
    w = coast()
    w.cell(8, 6, terrain="plains", owner=owner)
    w.ship(0, "destroyer", 7, 6, fleet=0)
    w.unit(0, "infantry", aboard=0, strength=70)
    w.order(0, "disembark", 7, 6, 2)
    w.phase("plans")
    count = int(w.world.clock[0]["event_count"])
    landed = [entry for entry in w.world.events[:count] if entry["kind"] == event.LANDED]
    assert [int(entry["other"]) for entry in landed] == told
    assert all(
        (entry["nation"], entry["cell"], entry["amount"]) == (0, w.place(8, 6), 70) for entry in landed
    )


@pytest.mark.rule("EMBARK-001", "EMBARK-004")
def test_aboard_a_unit_is_on_no_cell_and_nobody_goes_on_seeing_it() -> None:
    w = coast()
    w.ship(0, "destroyer", 3, 3, fleet=0)
    w.unit(0, "infantry", 2, 3)
    w.world.units["met"][0] = 2
    w.order(0, "embark", 3, 3, 5)
    w.phase("plans")
    assert w.results(0)[0]["reason"] == "done"
    unit = w.world.units[0]
    assert (int(unit["cell"]), int(unit["aboard"]), int(unit["met"])) == (-1, 0, 0)
    assert int(w.world.cells["unit"][3, 2]) == -1


@pytest.mark.rule("NAVY-095", "CMD-005")
def test_without_room_in_the_list_of_ships_a_building_is_blocked() -> None:
    """How many ships there are in the world is not for a nation to know, so its mask can't tell."""
    w = coast()
    w.world.ships["kind"] = 6
    assert validate.is_legal(w.world, w.rules, 0, command.BUILD_SHIP, 4, 4, 1, 0)
    w.order(0, "build_ship", 4, 4, 1)
    w.phase("plans")
    assert w.results(0)[0]["reason"] == "blocked"
    assert (w.nation(0).steel, int(w.world.cells["ship"][4, 4])) == (20, -1)
    w.world.ships["kind"][5] = 0
    w.world.clock["turn"] += 1
    assert outcome(w.world, w, command.BUILD_SHIP, 4, 4, 1) == "done"


@pytest.mark.rule("NAVY-095", "NAVY-058")
def test_a_new_ship_is_the_youngest_and_may_act_in_the_turn_of_its_building() -> None:
    """Built in phase 14 beside a fleet bound for (11, 4), it sails with it in phase 21: 5 cells."""
    w = coast()
    w.ship(0, "destroyer", 4, 6, fleet=0)
    w.fleet(0, 0, target=[11, 4])
    w.order(0, "build_ship", 4, 4, 1)
    w.phase("plans")
    old, new = w.world.ships[0], w.world.ships[1]
    assert (int(old["serial"]), int(new["serial"]), int(new["moved"])) == (0, 1, 0)
    w.phase("fast_ships")
    assert hexgrid.distance(w.width, w.place(4, 4), int(new["cell"])) == 5


@pytest.mark.rule("NAVY-034", "NAVY-090", "IND-014", "CMD-006")
@pytest.mark.parametrize("kind", [1, 2, 3, 4, 5])
def test_prices_of_ships_and_repairs(kind: int) -> None:
    w = coast(rules={"ship.repair_upkeep_times": 3})
    building = [prices.price(w.rules, 100, 66, prices.SHIP, kind, 0, what) for what in range(item.COUNT)]
    repairing = [prices.price(w.rules, 100, 72, prices.REPAIR, kind, 0, what) for what in range(item.COUNT)]
    cost = {1: (400, 3), 2: (800, 4), 3: (1500, 5), 4: (3000, 13), 5: (700, 3)}[kind]
    upkeep = {1: (5, 5), 2: (10, 8), 3: (20, 15), 4: (30, 25), 5: (8, 4)}[kind]
    assert (building[item.FUNDS], building[item.STEEL]) == cost
    assert sum(building) == sum(cost)
    assert (repairing[item.FUNDS], repairing[item.FOOD]) == (3 * upkeep[0], 3 * upkeep[1])
    assert sum(repairing) == 3 * sum(upkeep)


@pytest.mark.rule("NAVY-092", "NAVY-036", "NMINE-003")
def test_one_number_sets_a_price_that_stands_in_several_places() -> None:
    w = coast(rules={"ship_classes.naval_port.cost": 650, "naval_mine.cost_per_strength": 70})
    assert w.ruleset["commands.build_ship.cost"] == 650
    assert w.ruleset["facility_costs.naval_port.build_funds"] == 650
    assert w.ruleset["commands.lay_mine.early_cost"] == 70
    w.order(0, "build_ship", 2, 3, 0)
    w.phase("plans")
    assert w.nation(0).funds == 2000 - 650


@pytest.mark.rule("CMD-023", "NMINE-005")
def test_the_removal_of_a_mine_costs_what_the_command_table_says() -> None:
    """The table's price of 60 is the share of the laying price that is charged (CMD-023)."""
    w = coast()
    for power in (1, 2):
        laid = prices.price(w.rules, 100, 76, prices.PER_LEVEL, 76, power, item.FUNDS)
        removed = prices.price(w.rules, 100, 77, prices.PER_LEVEL, 77, power, item.FUNDS)
        assert (laid, removed) == (300 * power, w.ruleset["commands.remove_mine.cost"] * power)


@pytest.mark.rule("NAVY-024", "NAVY-025", "NAVY-026")
def test_amounts_of_build_ship_all_of_them() -> None:
    known = {kind: (kind, 0) for kind in range(1, 6)}
    known |= {100 + 10 * fleet + kind: (kind, fleet) for fleet in range(16) for kind in range(1, 6)}
    for amount in range(-300, 700):
        assert tuple(shipyard.ordered(amount)) == known.get(amount, (-1, 0)), amount


@pytest.mark.rule("CMD-040", "CMD-021")
def test_what_clears_needs_no_cell() -> None:
    w = fleet()
    assert not naval.names_cell(command.FLEET_MOVE, 1002)
    assert not naval.names_cell(command.SALVO_ORDER, 0)
    assert naval.names_cell(command.SALVO_ORDER, 2000)
    assert naval.names_cell(command.FLEET_MOVE, 102)
    assert validate.is_legal(w.world, w.rules, 0, command.FLEET_MOVE, -7, 99, 1002, 0)
    assert not validate.is_legal(w.world, w.rules, 0, command.FLEET_MOVE, -7, 99, 102, 0)


@pytest.mark.rule("CMD-005")
def test_refused_commands_of_the_navy_change_nothing_but_the_plan() -> None:
    w = fleet()
    refused = [order for order, may in zip(asked(w), masks(w), strict=True) if not may][::7]
    idle = copy_world(w.world)
    plans.set_plan(idle, 0, [])
    execute.run_plan(idle, w.rules, 0)
    idle.plans[0] = idle.results[0] = np.zeros((), idle.plans.dtype)
    idle.nations["plan_length"][0] = idle.nations["result_count"][0] = 0
    for k in range(0, len(refused), 50):
        world = copy_world(w.world)
        plans.set_plan(world, 0, refused[k : k + 50])
        execute.run_plan(world, w.rules, 0)
        world.plans[0] = world.results[0] = np.zeros((), world.plans.dtype)
        world.nations["plan_length"][0] = world.nations["result_count"][0] = 0
        assert state_hash(world) == state_hash(idle)
