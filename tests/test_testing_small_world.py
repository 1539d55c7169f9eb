"""SmallWorld: what a quiet world is, and that it is set and read by name."""

import numpy as np
import pytest

from hakoenv.engine import turn
from hakoenv.engine.world import state_hash
from hakoenv.ruleset import RulesetError
from hakoenv.testing import CaseError, SmallWorld
from hakoenv.testing.quiet import quiet_overrides


def test_the_example_of_the_documentation_runs():
    w = SmallWorld(height=12, width=12, nations=2, seed=0)
    w.cell(5, 5, terrain="plains", owner=0)
    w.cell(6, 6, terrain="town", owner=1, population=50, capital=True)
    w.cell(4, 5, terrain="town", owner=0, population=40, capital=True)
    w.nation(0, funds=1000, wood=50, food=500)
    w.nation(1, food=500)
    w.unit(1, "infantry", 6, 6, strength=50, corps=0)
    w.ship(1, "destroyer", 7, 7, fleet=0)
    w.war(0, 1)
    w.order(0, "farm", 5, 5)
    w.run(1)
    assert w.cell(5, 5).terrain == "farm"
    assert w.nation(0).funds == 1000 + 4 - 20  # a tenth of 40 people in taxes, the farm
    assert w.log(0) == ["turn 101: farm at (5, 5): carried out"]


def test_a_quiet_world_is_all_sea_at_peace_with_empty_stocks():
    w = SmallWorld(height=5, width=7, nations=3, turn=40)
    assert {w.cell(x, y).terrain for x in range(7) for y in range(5)} == {"sea"}
    assert {w.cell(x, y).owner for x in range(7) for y in range(5)} == {None}
    assert {w.cell(x, y).weather for x in range(7) for y in range(5)} == {"fine"}
    assert {w.cell(x, y).climate for x in range(7) for y in range(5)} == {"temperate"}
    assert {w.relation(a, b).state for a in range(3) for b in range(3) if a != b} == {"peace"}
    assert [w.nation(n).founded for n in range(3)] == [-60, -60, -60]
    assert all(w.nation(n).alive and w.nation(n).capital is None for n in range(3))
    assert not w.world.nations["treasury"].any() and not w.world.nations["private"].any()
    assert w.season_state() == {"ended": False, "ending": None, "winners": []}


def test_every_chance_event_is_off():
    w = SmallWorld()
    quiet = quiet_overrides()
    assert all(w.ruleset[key] == 0 for key in quiet)
    for name in ("earthquake_land", "earthquake_sea", "eruption", "meteor", "huge_meteor", "fire", "typhoon",
                 "pirate_spawn", "monster_spawn", "whale_spawn"):  # fmt: skip
        assert f"disasters.{name}.percent_per_turn" in quiet
    assert "disasters.famine.percent_per_turn" not in quiet  # hunger is a consequence, not an event


def test_weather_stays_as_it_is_set():
    w = SmallWorld(weather={"temperate": "fog"})
    w.cell(0, 0, terrain="town", owner=0, population=50, climate="arctic", capital=True)
    w.cell(3, 3, terrain="town", owner=1, population=50, capital=True)
    for _ in range(20):
        w.phase("clock")
        w.phase("natural_stock")
        assert w.cell(3, 3).weather == "fog"
        assert w.cell(0, 0).weather == "fine"
    w.cell(0, 0, weather="blizzard")
    w.phase("natural_stock")
    assert (w.cell(0, 0).weather, w.cell(3, 3).weather) == ("blizzard", "fog")


def test_a_cell_made_of_a_terrain_has_its_start_level_and_full_resistance():
    w = SmallWorld()
    w.cell(1, 1, terrain="farm", owner=0)
    assert (w.cell(1, 1).level, w.cell(1, 1).resistance) == (10, 40)
    w.cell(1, 1, terrain="town", owner=1, population=30, capital=True)
    assert (w.cell(1, 1).level, w.cell(1, 1).population, w.cell(1, 1).resistance) == (0, 30, 150)
    assert w.cell(1, 1).capital and w.nation(1).capital == [1, 1]
    w.cell(1, 1, resistance=20)
    w.cell(1, 1, population=31)
    assert w.cell(1, 1).resistance == 20
    w.cell(2, 1, terrain="forest", trees=12)
    assert (w.cell(2, 1).level, w.cell(2, 1).trees, w.cell(2, 1).resistance) == (12, 12, 0)


@pytest.mark.rule("MAP-015")
def test_land_oil_is_terrain_24_on_wasteland_and_land():
    w = SmallWorld()
    w.cell(1, 1, terrain="land_oil", owner=0, level=2)
    w.cell(2, 1, terrain="offshore_oil", owner=0)
    assert (w.cell(1, 1).terrain, w.cell(1, 1).below) == ("land_oil", "wasteland")
    assert (w.cell(2, 1).terrain, w.cell(2, 1).below) == ("offshore_oil", "sea")
    assert (w.nation(0).land, w.nation(0).area) == (1, 2)


def test_units_and_ships_are_found_through_their_cells():
    w = SmallWorld()
    cruiser = w.ship(0, "cruiser", 3, 3, experience=12)
    w.ship(None, "pirate", 4, 4)
    w.unit(0, "marines", aboard=0, strength=80, items=["weak_shield"])
    w.unit(1, "armor", 5, 5)
    assert cruiser.hp == w.ruleset["ship_classes.cruiser.hp_start"]
    assert w.cell(3, 3).ship.read("class") == "cruiser"
    assert w.cell(4, 4).ship.owner is None
    assert w.cell(5, 5).unit.values() | {"strength": 0} == {
        "owner": 1, "type": "armor", "x": 5, "y": 5, "aboard": None, "items": [], "corps": 0,
        "strength": 0, "experience": 0,
    }  # fmt: skip
    (aboard,) = w.units(owner=0)
    assert (aboard.aboard, aboard.x, aboard.y, aboard.items) == (0, None, None, ["weak_shield"])
    assert len(w.ships()) == 2 and w.ships(fleet=3) == []


def test_fleets_have_ships_flagships_and_courses():
    w = SmallWorld()
    w.ship(0, "destroyer", 1, 1, fleet=2, mode="cruise", escort=True)
    w.ship(0, "cruiser", 3, 3, fleet=2)
    w.ship(1, "cruiser", 5, 5, fleet=2)
    fleet = w.fleet(0, 2)
    assert (fleet.flagship.read("class"), w.fleet(0, 3).flagship) == ("destroyer", None)
    assert [int(ship["serial"]) for ship in w.world.ships[:3]] == [0, 1, 2]
    assert (fleet.mode, w.fleet(1, 2).mode, w.fleet(0, 3).mode) == (["normal", "cruise"], "normal", None)
    w.fleet(0, 2, mode="hunt", target=(8, 4), waypoints=[(2, 2), [3, 4]], flagship=1, salvo=[0, 11])
    assert (fleet.mode, fleet.target, fleet.waypoints, fleet.salvo) == (
        "hunt",
        [8, 4],
        [[2, 2], [3, 4]],
        [0, 11],
    )
    assert fleet.flagship.read("class") == "cruiser"
    assert [ship.mode for ship in w.ships(owner=0)] == ["hunt", "hunt"] and w.ships(owner=1)[
        0
    ].mode == "normal"
    assert w.ships(owner=0)[0].escort and not w.ships(owner=0)[1].escort
    w.fleet(0, 2, target=None, waypoints=[])
    assert (fleet.target, fleet.waypoints) == (None, [])


def test_a_ship_carries_one_unit_of_its_nation():
    w = SmallWorld()
    ship = w.ship(0, "destroyer", 1, 1, troops={"type": "infantry", "strength": 60})
    assert (ship.troops.type, ship.troops.strength, ship.troops.aboard, ship.troops.x) == (
        "infantry",
        60,
        0,
        None,
    )
    assert w.ship(1, "carrier", 3, 3).troops is None
    for owner, place, message in (
        (0, 0, "carries a unit already"),
        (0, 1, "none of nation 0"),
        (0, 2, "no ship 2"),
    ):
        with pytest.raises(CaseError, match=message):
            w.unit(owner, "infantry", aboard=place)
    assert len(w.units()) == 1


def test_wrecks_lie_on_their_cell_the_oldest_first():
    w = SmallWorld(turn=100)
    w.cell(
        3, 3, wrecks=[{"class": "carrier", "age": 3}, {"class": "destroyer", "age": 7}, {"class": "cruiser"}]
    )
    w.wreck(4, 4, "submarine", age=1)
    assert w.cell(3, 3).wreck == {"class": "destroyer", "age": 7}
    assert [wreck["age"] for wreck in w.cell(3, 3).wrecks] == [7, 3, 0]
    assert (w.cell(4, 4).wreck, w.cell(5, 5).wreck) == ({"class": "submarine", "age": 1}, None)
    w.cell(3, 3, wreck={"class": "battleship", "age": 2})
    w.cell(4, 4, terrain="shallows")  # made anew
    assert (w.cell(3, 3).wrecks, w.cell(4, 4).wrecks) == ([{"class": "battleship", "age": 2}], [])


def test_relations_are_the_same_from_both_sides_and_settings_are_not():
    w = SmallWorld(nations=3)
    w.relation(0, 1, state="pending", turns_left=3, by=1, embargo=[1], tariff={"0": 7})
    assert (w.relation(1, 0).state, w.relation(1, 0).turns_left, w.relation(1, 0).declarer) == (
        "pending",
        3,
        1,
    )
    assert w.relation(1, 0).embargo == [1] and w.relation(0, 1).tariff == {"0": 7}
    assert w.relation(0, 2).state == "peace"
    w.nation(0, good_terms=[2])
    assert w.nation(0).good_terms == [2] and w.nation(2).good_terms == []


def test_a_faction_has_its_leader_and_members():
    w = SmallWorld(nations=3, turn=80)
    w.faction("North", 0, [[0, 60], [2, 71]])
    assert [w.nation(n).faction for n in range(3)] == ["North", None, "North"]
    assert w.nation(2).faction_joined == 71


def test_private_funds_have_three_decimals():
    w = SmallWorld()
    w.nation(0, private_funds=12.345)
    assert w.nation(0).private_funds == 12.345
    w.nation(0, private_funds=7)
    assert w.nation(0).private_funds == 7
    with pytest.raises(CaseError, match="three decimals"):
        w.nation(0, private_funds=0.0001)


def test_reading_changes_nothing():
    w = SmallWorld()
    w.cell(1, 1, terrain="town", owner=0, population=30, capital=True)
    before = state_hash(w.world)
    for n in range(2):
        w.nation(n).values()
    w.cell(1, 1).values()
    w.log(0), w.season_state(), w.counted()
    assert state_hash(w.world) == before


@pytest.mark.rule("TURN-009")
def test_phases_run_alone_share_the_order_of_their_turn():
    w = SmallWorld(nations=6, seed=3)
    for n in range(6):
        w.cell(n, n, terrain="town", owner=n, population=30, capital=True)
    w.phase("nation_order")
    drawn = w.world.order.copy()
    w.phase("income")
    assert np.array_equal(w.world.order, drawn)
    w.phase("clock")
    w.phase("plans")
    assert sorted(w.world.order) == list(range(6))


def test_a_seed_and_the_same_calls_give_the_same_world():
    def made():
        w = SmallWorld(seed=9, turn=30)
        for n in range(2):
            w.cell(2 + 5 * n, 4, terrain="town", owner=n, population=50, capital=True)
            w.nation(n, food=900)
        w.run(5)
        return state_hash(w.world)

    assert made() == made()


def test_phases_of_the_driver_do_nothing_and_all_others_run():
    w = SmallWorld()
    w.cell(1, 1, terrain="town", owner=0, population=30, capital=True)
    for name in ("backup", "save", "statistics_row", "publish", "plan_fill"):
        before = state_hash(w.world)
        w.phase(name)
        assert state_hash(w.world) == before
    for name in turn.PHASE_BY_NAME:
        w.phase(name)
    assert w.turn == 101


@pytest.mark.rule("FOUND-008", "FOUND-012")
def test_land_lost_and_taken_is_given_to_the_rule_ai_as_cells():
    w = SmallWorld(nations=3)
    w.cell(4, 4, terrain="plains", owner=1)
    w.nation(1, ai={"taken": [[4, 4]], "lost": [[5, 4], [2, 1]]})
    assert (w.nation(1).ai["taken"], w.nation(1).ai["lost"]) == ([[4, 4]], [[2, 1], [5, 4]])
    assert (w.nation(2).ai["taken"], w.nation(2).ai["lost"]) == ([], [[4, 4]])
    cells = w.world.cells
    assert (cells["taken_from"][4, 5], cells["taken_turn"][4, 5]) == (1, 100)
    w.world.clock["turn"] += 1
    assert (w.nation(1).ai["taken"], w.nation(1).ai["lost"]) == ([[4, 4]], [])
    with pytest.raises(CaseError, match=r'"lost": \[4\] is no pair of column and row'):
        w.nation(1, ai={"lost": [[4]]})


def test_a_nation_can_be_founded_by_the_rules():
    w = SmallWorld(height=9, width=9, nations=2)
    for y in range(9):
        for x in range(9):
            w.cell(x, y, terrain="forest", trees=5)
    for x, y in ((1, 1), (7, 7)):
        w.cell(x, y, terrain="mountain", deposit="iron", richness=100)
    w.cell(0, 4, terrain="sea")
    w.found(0, 4, 4)
    assert w.nation(0).funds == 6000 and w.nation(0).area == 7 and w.cell(4, 4).population == 60
    assert w.nation(0).capital == [4, 4] and w.nation(0).alive
    with pytest.raises(CaseError, match="has cells already"):
        w.found(0, 4, 4)
    with pytest.raises(CaseError, match="no site"):
        w.found(1, 4, 5)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda w: w.cell(1, 1, terrain="plain"), "unknown terrain 'plain'; nearest: plains"),
        (lambda w: w.cell(1, 1, terrain="cruiser"), "unknown terrain 'cruiser'"),
        (lambda w: w.cell(1, 1, colour=3), 'unknown cell field "colour"'),
        (lambda w: w.cell(1, 1, handled=3), 'cell field "handled": the cell is no port'),
        (lambda w: w.nation(0, league="A"), 'nation field "league" can\'t be set: it follows from the world'),
        (lambda w: w.cell(1, 1, level="three"), "'three' is not a whole number"),
        (lambda w: w.cell(1, 1, population=10**6), "1000000 is not between"),
        (lambda w: w.cell(1, 1, tunnel=1), "1 is neither true nor false"),
        (lambda w: w.cell(1, 1, capital=True), "the cell has no owner"),
        (lambda w: w.cell(12, 1), r"cell \(12, 1\) lies outside the map of 12 x 12"),
        (lambda w: w.nation(2), "unknown nation 2; there are 0..1"),
        (lambda w: w.nation(0, population=3), '"population" can\'t be set'),
        (lambda w: w.nation(0, items={"spoon": 1}), "unknown item .spoon."),
        (lambda w: w.nation(0, shares=[50, 50]), "add up to 100"),
        (lambda w: w.nation(0, policy="war"), "unknown policy 'war'; there are light, heavy, advanced"),
        (lambda w: w.unit(0, "knight", 1, 1), "unknown unit type 'knight'"),
        (lambda w: (w.unit(0, "armor", 1, 1), w.unit(0, "armor", 1, 1)), r"two units on cell \(1, 1\)"),
        (lambda w: w.unit(0, "armor", aboard=3), "there is no ship 3"),
        (lambda w: w.ship(0, "naval_port", 1, 1), "unknown ship class 'naval_port'"),
        (lambda w: w.relation(0, 0), "with itself"),
        (lambda w: w.relation(0, 1, state="love"), "unknown state 'love'"),
        (lambda w: w.order(0, "fram", 1, 1), "unknown command 'fram'; nearest: farm"),
        (lambda w: w.phase("lunch"), 'unknown phase "lunch"'),
        (lambda w: w.run(-1), "turns: -1 is not between"),
        (lambda w: SmallWorld(height=2), "height: 2 is not between 3 and 255"),
        (lambda w: SmallWorld(weather={"temperate": "sunny"}), "unknown weather 'sunny'"),
    ],
)  # fmt: skip
def test_what_can_not_be_says_what_and_why(call, message):
    with pytest.raises(CaseError, match=message):
        call(SmallWorld())


def test_an_unknown_field_of_a_thing_is_an_attribute_error_and_an_unknown_rule_the_rulesets_own():
    with pytest.raises(AttributeError, match='unknown nation field "gold"'):
        _ = SmallWorld().nation(0).gold
    with pytest.raises(RulesetError, match="mine.pile_per_levl"):
        SmallWorld(rules={"mine.pile_per_levl": 3})


def test_rules_can_be_changed():
    w = SmallWorld(rules={"mine": {"pile_per_level": 20}, "fuel.start_turn": np.int64(3)})
    assert w.ruleset["mine.pile_per_level"] == 20
    assert w.ruleset["fuel.enabled"] == 1 and SmallWorld().ruleset["fuel.enabled"] == 0
