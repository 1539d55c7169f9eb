"""The rule AI at sea: land overseas, ships and fleets, landings, wars over the sea."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hakoenv.agents.rule_ai import planner

from hakoenv.engine import turn
from hakoenv.engine.codes import command
from hakoenv.testing import SmallWorld

NAMES = {number: name.lower() for name, number in vars(command).items() if name.isupper() and name != "LIMIT"}
Step = tuple[str, int, int, int]
STOCK = {
    "funds": 3000, "food": 2000, "wood": 50, "stone": 50, "goods": 50, "fuel": 100, "ammo": 50, "steel": 60,
}  # fmt: skip


def island(rules: dict[str, Any] | None = None, naval_port: bool = False, **given: Any) -> SmallWorld:
    """An island of nation 0 around its capital (5, 5), with plains at (5, 6), and an ownerless islet (12, 2).

    Nothing else wants the turn: all is researched and built, the capital's guard stands. Nation 1 lives far
    away at (15, 10).
    """
    w = SmallWorld(height=11, width=16, nations=2, turn=40, rules=rules)
    for x, y, ground in (
        (4, 5, "farm"),
        (6, 5, "factory"),
        (5, 4, "port"),
        (6, 4, "market"),
        (4, 4, "depot"),
    ):
        w.cell(x, y, terrain=ground, owner=0)
    w.cell(5, 5, terrain="town", owner=0, population=180, capital=True)
    w.cell(5, 6, terrain="naval_port" if naval_port else "plains", owner=0)
    w.cell(12, 2, terrain="plains")
    w.cell(15, 10, terrain="town", owner=1, population=50, capital=True)
    done = {"production": 5, "military": 5, "shipping": 5, "founded": -60, "shares": [50, 50, 0]}
    w.nation(0, controller="rule_ai", **{**STOCK, **done, **given})
    w.unit(0, "infantry", 5, 5, strength=60, corps=9)
    return w


def plan(w: SmallWorld, n: int = 0) -> list[Step]:
    """The plan of a nation, settings of trade left out: (command, x, y, amount)."""
    turn.run_phase(w.world, w.rules, "nation_update")
    turn.run_phase(w.world, w.rules, "sightings")
    planner.write_plans(w.world, w.rules, np.array([n]))
    orders = w.world.plans[n][: w.world.nations["plan_length"][n]]
    steps = [(NAMES[int(o["command"])], int(o["x"]), int(o["y"]), int(o["amount"])) for o in orders]
    return [step for step in steps if step[0] not in ("buyback_target", "export_cap", "industrial_policy")]


def of(steps: list[Step], *names: str) -> list[Step]:
    """The steps of some commands."""
    return [step for step in steps if step[0] in names]


def at(w: SmallWorld, x: int, y: int) -> int:
    """A cell's number."""
    return y * w.width + x


# ---------------------------------------------------------------- land overseas


@pytest.mark.rule("AI-037", "AI-066", "AI-067", "AI-069")
def test_an_islet_is_taken_step_by_step() -> None:
    w = island(reserves=20)
    seen = []
    for _ in range(12):
        w.run()
        done = [entry for entry in w.results(0) if entry["turn"] == w.turn and entry["done"]]
        seen += [(e["command"], e["amount"]) for e in done if e["command"] in ("build_ship", "place_unit")]
        seen += [(e["command"], 0) for e in done if e["command"] in ("embark", "disembark")]
    assert seen == [
        ("build_ship", 0),  # naval port
        ("build_ship", 1),  # destroyer, into fleet 0
        ("place_unit", 9),  # infantry of strength 10 in corps 0
        ("embark", 0),
        ("disembark", 0),
    ]
    assert w.cell(12, 2).owner == 0
    assert [(u.x, u.y, u.strength) for u in w.units(owner=0, strength=10)] == [(12, 2, 10)]


@pytest.mark.rule("AI-066")
def test_a_started_expansion_goes_before_everything_else() -> None:
    w = island(naval_port=True, food=0, shares=[0, 0, 100])  # a food emergency: the farm would be enlarged
    w.world.nations["voyage"][0] = at(w, 12, 2) + 1, 40, 0, 0
    assert of(plan(w), "build_ship", "farm")[0][0] == "build_ship"
    w = island(naval_port=True, food=0, shares=[0, 0, 100])
    assert of(plan(w), "build_ship", "farm") == [("farm", 4, 5, 0)]  # not started


@pytest.mark.rule("AI-066", "AI-067")
def test_a_step_that_is_not_payable_leaves_the_turn_to_others_and_is_made_later() -> None:
    w = island(naval_port=True, steel=2)  # a destroyer costs 3 steel
    w.world.nations["voyage"][0] = at(w, 12, 2) + 1, 40, 0, 0
    steps = plan(w)
    assert of(steps, "build_ship") == [] and len(steps) > 0
    assert w.world.nations["voyage"][0][0] == at(w, 12, 2) + 1
    w.nation(0, steel=3)
    assert [step[3] for step in of(plan(w), "build_ship")] == [1]


@pytest.mark.rule("AI-069")
def test_no_ship_is_built_that_would_lie_without_fuel() -> None:
    for fuel, begun in ((10, True), (9, False)):  # ten turns of one destroyer
        assert bool(of(plan(island(fuel=fuel)), "build_ship")) is begun
    for fuel, built in ((1, True), (0, False)):  # what has begun goes on while the next turn is covered
        w = island(naval_port=True, fuel=fuel)
        w.world.nations["voyage"][0] = at(w, 12, 2) + 1, 40, 0, 0
        assert bool(of(plan(w), "build_ship")) is built


@pytest.mark.rule("AI-067")
def test_what_the_nation_has_is_skipped() -> None:
    w = island(naval_port=True, reserves=20)
    w.ship(0, "destroyer", 4, 7, fleet=0)
    w.ship(0, "destroyer", 6, 7, fleet=0)  # one beyond the one kept for defence
    w.world.nations["voyage"][0] = at(w, 12, 2) + 1, 40, 0, 0
    steps = plan(w)
    assert of(steps, "build_ship") == []
    assert of(steps, "form_fleet") == [("form_fleet", 6, 7, 15)]
    assert [step[:3] for step in of(steps, "place_unit")] == [("place_unit", 4, 4)]


@pytest.mark.rule("AI-069")
def test_the_ship_kept_for_defence_is_not_taken_for_it() -> None:
    w = island(naval_port=True, reserves=20)
    w.ship(0, "destroyer", 4, 7, fleet=0)
    w.world.nations["voyage"][0] = at(w, 12, 2) + 1, 40, 0, 0
    assert [step[3] for step in of(plan(w), "build_ship")] == [1]


@pytest.mark.rule("AI-067")
def test_without_a_depot_that_leads_to_the_coast_one_is_built_there() -> None:
    w = island(naval_port=True, reserves=20)
    w.cell(4, 4, terrain="mountain", owner=0)
    w.cell(3, 6, terrain="plains", owner=0)
    w.ship(0, "destroyer", 4, 7, fleet=15)
    w.world.nations["voyage"][0] = at(w, 12, 2) + 1, 40, 0, 0
    assert of(plan(w), "depot") == [("depot", 3, 6, 0)]
    w.cell(3, 6, terrain="forest", owner=0)
    assert of(plan(w), "depot") == []


@pytest.mark.rule("AI-067")
def test_the_unit_is_placed_at_the_depot_nearest_to_the_ships_naval_port() -> None:
    w = island(naval_port=True, reserves=20)
    w.cell(6, 6, terrain="depot", owner=0)  # beside the naval port (5, 6); (4, 4) is two hexes away
    w.ship(0, "destroyer", 4, 7, fleet=15)
    w.world.nations["voyage"][0] = at(w, 12, 2) + 1, 40, 0, 0
    assert [step[:3] for step in of(plan(w), "place_unit")] == [("place_unit", 6, 6)]


@pytest.mark.rule("AI-068")
def test_without_a_coast_nothing_is_prepared() -> None:
    w = island()
    w.cell(5, 6, terrain="forest", owner=0)  # no plains by the sea, no naval port
    assert of(plan(w), "build_ship") == []
    assert w.world.nations["voyage"][0][0] == 0


@pytest.mark.rule("AI-037", "AI-069")
def test_land_that_can_be_reached_by_land_or_not_be_entered_is_no_target() -> None:
    w = island()
    w.cell(12, 2, terrain="mountain")  # infantry can't enter
    assert of(plan(w), "build_ship") == []
    w = island()
    w.cell(12, 2, terrain="sea")
    w.cell(5, 7, terrain="wasteland")  # touches the plains (5, 6): it will be taken from there
    assert of(plan(w), "build_ship") == []
    w.cell(5, 7, terrain="sea")
    w.cell(12, 2, terrain="plains", owner=1)  # not ownerless
    assert of(plan(w), "build_ship") == []


@pytest.mark.rule("AI-069")
def test_the_nearest_land_by_sea_is_the_target_and_the_lowest_of_equals() -> None:
    w = island()
    w.cell(8, 9, terrain="plains")
    plan(w)
    assert w.world.nations["voyage"][0][0] == at(w, 8, 9) + 1
    w = island()
    w.cell(12, 2, terrain="sea")
    w.cell(2, 9, terrain="plains")  # both three hexes from (5, 6), and two cells sailed
    w.cell(7, 9, terrain="plains")
    plan(w)
    assert w.world.nations["voyage"][0][0] == at(w, 2, 9) + 1


@pytest.mark.rule("AI-069")
def test_it_gives_up_when_the_target_is_anothers_or_after_20_turns_without_a_step() -> None:
    cases = ((None, 21, True), (None, 20, False), (1, 40, False))  # the turn that is planned is 41
    for owner, step, goes_on in cases:
        w = island(naval_port=True, steel=0)
        w.cell(12, 2, terrain="plains", owner=owner)
        w.world.nations["voyage"][0] = at(w, 12, 2) + 1, step, 0, 0
        plan(w)
        assert bool(w.world.nations["voyage"][0][0]) is goes_on


@pytest.mark.rule("AI-037", "AI-088")
def test_planning_a_turn_twice_gives_the_same_plan() -> None:
    w = island(reserves=20)
    for _ in range(5):
        first = plan(w)
        memory = w.world.nations["voyage"][0].copy()
        assert plan(w) == first
        assert np.array_equal(w.world.nations["voyage"][0], memory)
        w.run()


@pytest.mark.rule("AI-069")
def test_the_unit_stays_where_it_landed_until_the_hex_is_own() -> None:
    w = island(naval_port=True)
    w.unit(0, "infantry", 12, 2, strength=10, corps=3)
    w.ship(0, "destroyer", 11, 3, fleet=15)
    w.world.nations["voyage"][0] = at(w, 12, 2) + 1, 20, 4, 1  # no step for 21 turns, but it is there
    w.corps(0, 3, order="move", direction=2)
    steps = plan(w)
    assert ("corps_orders", 0, 0, 3040) in steps  # corps 3: defend
    assert of(steps, "embark", "fleet_move") == []


@pytest.mark.rule("AI-064", "IND-021")
def test_steel_is_held_back_for_the_destroyer_of_an_expansion() -> None:
    def target(w: SmallWorld) -> int:
        plan(w)
        orders = w.world.plans[0][: w.world.nations["plan_length"][0]]
        wanted = [int(o["amount"]) - 700000 for o in orders if o["command"] == command.BUYBACK_TARGET]
        return next((amount for amount in wanted if 0 <= amount < 100000), 0)

    assert target(island()) == 0  # no naval port
    assert target(island(naval_port=True)) == 13  # not decided
    w = island(naval_port=True)
    w.world.nations["voyage"][0] = at(w, 12, 2) + 1, 40, 0, 0
    assert target(w) == 10  # a destroyer has 3: at least 10


# ---------------------------------------------------------------- ships at home and at sea


def isles(rules: dict[str, Any] | None = None, war: bool = True, **given: Any) -> SmallWorld:
    """Nation 0 on an island with a naval port at (4, 5) and a depot, nation 1 on one around (13, 5)."""
    w = SmallWorld(height=11, width=18, nations=2, turn=40, rules=rules)
    for x, y, ground in ((3, 4, "port"), (3, 6, "market"), (4, 6, "depot"), (4, 4, "forest")):
        w.cell(x, y, terrain=ground, owner=0)
    w.cell(2, 5, terrain="farm", owner=0, level=30)
    w.cell(2, 4, terrain="factory", owner=0, level=30)
    w.cell(3, 5, terrain="town", owner=0, population=180, capital=True)
    w.cell(4, 5, terrain="naval_port", owner=0)
    for x, y, ground in ((12, 5, "farm"), (13, 4, "forest"), (14, 5, "market")):
        w.cell(x, y, terrain=ground, owner=1)
    w.cell(13, 5, terrain="town", owner=1, population=120, capital=True)
    w.cell(13, 6, terrain="town", owner=1, population=100)
    done = {"production": 5, "military": 5, "shipping": 5, "founded": -60, "shares": [50, 50, 0]}
    w.nation(0, controller="rule_ai", **{**STOCK, **done, **given})
    w.nation(1, funds=500, food=500)
    w.unit(0, "infantry", 3, 5, strength=100, corps=9)
    if war:
        w.relation(0, 1, state="war", declarer=0, since=38)
    return w


@pytest.mark.rule("AI-050")
def test_ships_kept_for_defence_stay_near_a_naval_port_in_mode_normal() -> None:
    w = isles()
    w.ship(0, "destroyer", 6, 5, fleet=0, hp=4, mode="stop")  # two hexes away: where it should be
    steps = plan(w)
    assert of(steps, "fleet_move") == [] and of(steps, "fleet_mode") == [("fleet_mode", 6, 5, 0)]
    w = isles()
    w.ship(0, "destroyer", 9, 5, fleet=0, hp=4)
    (x, y, amount) = of(plan(w), "fleet_move")[0][1:]
    assert amount == 100 and abs(x - 4) <= 2 and abs(y - 5) <= 2


@pytest.mark.rule("AI-050")
def test_a_guard_three_hexes_from_the_naval_port_is_called_back() -> None:
    for x, calls in ((6, 0), (7, 1)):
        w = isles()
        w.ship(0, "destroyer", x, 5, fleet=0, hp=4)
        assert len(of(plan(w), "fleet_move")) == calls, x


@pytest.mark.rule("AI-050")
def test_the_others_sail_for_the_nearest_enemy_ship_in_sight() -> None:
    w = isles()
    w.ship(0, "destroyer", 5, 5, fleet=0, hp=4)
    w.ship(0, "submarine", 8, 2, fleet=4, hp=3)
    w.ship(1, "cruiser", 10, 2)  # within its search range of 2
    assert of(plan(w), "fleet_move") == [("fleet_move", 10, 2, 104)]
    w.relation(0, 1, state="peace", declarer=None)
    assert ("fleet_move", 10, 2, 104) not in plan(w)
    w = isles()
    w.ship(0, "destroyer", 5, 5, fleet=0, hp=4)
    w.ship(0, "submarine", 8, 2, fleet=4, hp=3)
    w.ship(1, "submarine", 10, 2)  # a submarine can't hit one
    assert ("fleet_move", 10, 2, 104) not in plan(w)


@pytest.mark.rule("AI-050")
@pytest.mark.parametrize("far", [(12, 2), (5, 1)])
def test_of_two_enemy_ships_in_sight_the_nearer_is_the_target(far: tuple[int, int]) -> None:
    w = isles({"ship_classes.submarine.search_range": 5})
    w.ship(0, "destroyer", 5, 5, fleet=0, hp=4)
    w.ship(0, "submarine", 8, 2, fleet=4, hp=3)
    w.ship(1, "cruiser", *far)
    w.ship(1, "cruiser", 10, 2)
    assert of(plan(w), "fleet_move") == [("fleet_move", 10, 2, 104)]


@pytest.mark.rule("AI-050")
def test_ships_that_bombard_sail_for_a_naval_port_before_a_nearer_town() -> None:
    def goal(w: SmallWorld) -> tuple[int, int]:
        w.ship(0, "destroyer", 5, 5, fleet=0, hp=4)
        w.ship(0, "cruiser", 8, 5, fleet=1, hp=6)
        return of(plan(w), "fleet_move")[0][1:3]

    assert goal(isles()) == (10, 5)  # the farm (12, 5) is in its range of 2 from there
    w = isles()
    w.cell(16, 9, terrain="naval_port", owner=1)
    x, y = goal(w)
    assert max(abs(x - 16), abs(y - 9)) <= 2


@pytest.mark.rule("AI-050")
def test_a_ship_that_has_something_in_range_stays_and_fires() -> None:
    w = isles()
    w.ship(0, "destroyer", 5, 5, fleet=0, hp=4)
    w.ship(0, "cruiser", 10, 5, fleet=1, hp=6)
    assert of(plan(w), "fleet_move") == []
    w.relation(0, 1, state="peace", declarer=None)
    assert len(of(plan(w), "fleet_move")) == 1  # home


@pytest.mark.rule("AI-050")
def test_a_damaged_ship_goes_home_and_is_repaired_there() -> None:
    w = isles()
    w.ship(0, "destroyer", 6, 5, fleet=0, hp=4)
    w.ship(0, "cruiser", 9, 5, fleet=0, hp=2)  # of 6
    assert ("form_fleet", 9, 5, 20) in plan(w)  # it leads the fleet home
    (x, y, amount) = of(plan(w), "fleet_move")[0][1:]
    assert amount == 100 and (x, y) in ((5, 4), (5, 5), (5, 6))  # beside the naval port
    w = isles()
    w.ship(0, "cruiser", 5, 5, fleet=0, hp=2)
    assert of(plan(w), "naval_repair") == [("naval_repair", 5, 5, 0)]
    w.nation(0, funds=400)
    assert of(plan(w), "naval_repair") == []


@pytest.mark.rule("AI-050")
def test_in_peace_ships_to_spare_hunt_pirates_near_home() -> None:
    w = isles(war=False)
    w.ship(0, "destroyer", 5, 5, fleet=0, hp=4)
    w.ship(0, "destroyer", 6, 4, fleet=4, hp=4)
    w.ship(None, "pirate", 10, 3)
    steps = plan(w)
    assert ("fleet_move", 10, 3, 104) in steps and ("fleet_mode", 6, 4, 11) in steps
    w = isles(war=False)
    w.ship(0, "destroyer", 5, 5, fleet=0, hp=4)
    w.ship(0, "destroyer", 6, 4, fleet=4, hp=4)
    w.ship(None, "pirate", 15, 9)  # eleven hexes from the naval port
    assert of(plan(w), "fleet_mode") == []


@pytest.mark.rule("NAVY-043")
def test_a_wreck_beside_a_ship_is_salvaged_when_steel_is_short() -> None:
    for steel, salvaged in ((12, True), (13, False)):  # 13 are held back for the next ship
        w = isles(war=False, steel=steel)
        w.ship(0, "destroyer", 6, 5, fleet=0, hp=4)
        w.world.wrecks[0]["cell"], w.world.wrecks[0]["turn"], w.world.wrecks[0]["kind"] = at(w, 7, 5), 38, 2
        assert (("salvage_wreck", 7, 5, 0) in plan(w)) is salvaged


# ---------------------------------------------------------------- shipbuilding


def with_taxes(w: SmallWorld, funds: int = 1000) -> SmallWorld:
    """Taxes of the last turn, by which upkeep of ships is judged."""
    w.world.accounts[0, 1, 9] = funds
    return w


@pytest.mark.rule("AI-050")
def test_in_war_over_the_sea_a_naval_port_is_built_then_ships() -> None:
    def first(w: SmallWorld) -> list[Step]:
        return of(plan(with_taxes(w)), "build_ship")

    w = isles()
    w.cell(4, 5, terrain="plains", owner=0)
    assert first(w) == [("build_ship", 4, 5, 0)]
    w = isles(war=False)
    w.cell(4, 5, terrain="plains", owner=0)
    assert first(w) == []
    assert [step[3] for step in first(isles())] == [1]  # destroyers first
    w = isles()
    w.ship(0, "destroyer", 6, 4, fleet=0, hp=4)
    w.ship(0, "destroyer", 6, 6, fleet=0, hp=4)
    assert [step[3] for step in first(w)] == [2]  # a cruiser
    w.ship(0, "cruiser", 7, 6, fleet=1, hp=6)
    w.nation(0, funds=5000)
    assert [step[3] for step in first(w)] == [3]  # a battleship


@pytest.mark.rule("AI-050", "AI-063")
def test_no_ship_is_built_without_funds_steel_taxes_or_fuel() -> None:
    def builds(w: SmallWorld, taxes: int = 1000) -> bool:
        return of(plan(with_taxes(w, taxes)), "build_ship") != []

    assert builds(isles(funds=1200 + 25)) and not builds(isles(funds=1199 - 25))  # 400, and 800 left
    assert builds(isles(steel=3)) and not builds(isles(steel=2))
    assert builds(isles(), 40) and not builds(isles(), 39)  # 5 for the port and 5 for the ship: 25 percent
    assert builds(isles(fuel=10)) and not builds(isles(fuel=9))


@pytest.mark.rule("AI-050")
def test_in_peace_a_rich_nation_with_a_naval_port_keeps_a_small_navy() -> None:
    def builds(w: SmallWorld) -> list[Step]:
        return of(plan(with_taxes(w)), "build_ship")

    assert [step[3] for step in builds(isles(war=False, funds=20_000))] == [1]
    assert builds(isles(war=False, funds=2000)) == []
    w = isles(war=False, funds=20_000)
    for x, y in ((6, 4), (6, 5), (6, 6)):
        w.ship(0, "destroyer", x, y, fleet=0, hp=4)
    assert builds(w) == []  # three are enough


# ---------------------------------------------------------------- landings


@pytest.mark.rule("AI-050")
def test_a_unit_without_task_is_taken_aboard_and_landed_beside_the_enemys_town() -> None:
    w = isles()
    w.ship(0, "destroyer", 6, 5, fleet=0, hp=4)
    w.ship(0, "destroyer", 5, 6, fleet=7, hp=4)
    w.unit(0, "infantry", 4, 6, strength=100, corps=3)
    steps = plan(w)
    assert ("embark", 5, 6, 5) in steps  # the depot (4, 6) lies west of it
    assert ("corps_orders", 0, 0, 3040) in steps or w.corps(0, 3).order == "defend"
    w = isles()
    w.ship(0, "destroyer", 6, 5, fleet=0, hp=4)
    w.ship(0, "destroyer", 5, 6, fleet=7, hp=4)
    w.unit(0, "infantry", 4, 6, strength=49, corps=3)  # less than 50
    assert of(plan(w), "embark") == []


@pytest.mark.rule("AI-050")
def test_nobody_lands_where_a_unit_is_seen_or_where_there_is_peace() -> None:
    def landed(w: SmallWorld) -> list[Step]:
        w.ship(0, "destroyer", 6, 5, fleet=0, hp=4)
        w.ship(0, "destroyer", 12, 6, fleet=7, hp=4)
        w.unit(0, "infantry", aboard=1, strength=100, corps=3)
        return of(plan(w), "disembark")

    assert landed(isles()) == [("disembark", 12, 6, 2)]  # the town (13, 6), worth more than the farm
    w = isles()
    w.unit(1, "infantry", 13, 6, strength=10)
    w.cell(11, 5, terrain="plains", owner=0)
    w.unit(0, "infantry", 11, 5, strength=10)  # sees the one two hexes away: ships don't see units
    assert ("disembark", 12, 6, 2) not in landed(w)
    assert landed(isles(war=False)) == []


@pytest.mark.rule("AI-050")
def test_a_town_across_the_sea_falls() -> None:
    w = isles(reserves=300, funds=4000)
    for y in (4, 5, 6):
        w.ship(0, "destroyer", 6, y, fleet=0, hp=4)
    towns = [(13, 5), (13, 6)]
    for _ in range(14):
        w.run()
        if any(w.cell(x, y).owner == 0 for x, y in towns):
            break
    assert any(w.cell(x, y).owner == 0 for x, y in towns)


# ---------------------------------------------------------------- wars over the sea


def raider(rules: dict[str, Any] | None = None, ships: int = 3, **given: Any) -> SmallWorld:
    """`isles` at peace for 40 of 100 turns, nation 0 rich and strong, with ships."""
    more = {"ai.raid_interval": 1, "season.max_turns": 100, **(rules or {})}
    w = isles(more, war=False, **{"funds": 9000, "food": 9000, "fuel": 500, "founded": 0, **given})
    for k in range(ships):
        w.ship(0, "destroyer", 6, 4 + k, fleet=0, hp=4)
    w.unit(0, "infantry", 4, 6, strength=200, corps=3)
    return w


@pytest.mark.rule("AI-086")
def test_a_rich_nation_with_a_navy_declares_war_on_a_weaker_one_across_the_sea() -> None:
    def declares(w: SmallWorld) -> bool:
        return of(plan(w), "declare_war") != []

    assert declares(raider())
    assert not declares(raider(ships=2))  # one beyond the one kept for defence
    assert not declares(raider(funds=3999))
    assert not declares(raider({"ai.raid_reach": 2}))  # too far
    assert not declares(raider({"ai.raid_peace": 99}))
    w = raider()
    w.unit(1, "infantry", 13, 4, strength=200)
    w.unit(1, "infantry", 14, 5, strength=200)
    assert not declares(w)  # not weak enough
    w = raider()
    w.relation(0, 1, state="amity")
    assert not declares(w)


@pytest.mark.rule("AI-086")
def test_a_war_over_the_sea_may_lie_still_for_longer() -> None:
    def offers(since: int) -> bool:
        w = isles({"ai.war_patience": [100, 100], "season.max_turns": 1000})
        w.relation(0, 1, state="war", declarer=0, since=since)
        return of(plan(w), "ceasefire") != []

    assert not offers(40 - 24)
    assert offers(40 - 25)
