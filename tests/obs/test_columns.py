"""Each column of an observation holds what its name says."""

from typing import Any

import numpy as np
import pytest

from hakoenv.engine.codes import cause, item
from hakoenv.obs import pieces
from hakoenv.obs.spec import Spec
from hakoenv.testing import SmallWorld


def three_nations() -> SmallWorld:
    w = SmallWorld(height=9, width=9, nations=3, turn=50)
    for n in range(3):
        w.cell(3 * n, 4, terrain="town", owner=n, population=50, capital=True)
    w.phase("sightings")
    return w


def seen(w: SmallWorld, nation: int = 0, **settings: Any) -> dict[str, Any]:
    """One nation's pieces, records by the names of their columns."""
    spec = Spec(w.ruleset, w.nations, **settings)
    buffers = spec.buffers()
    spec.fill(w.world, w.rules, buffers)
    return {
        name: array.view(pieces.RECORDS[name])[..., 0] if name in pieces.RECORDS else array
        for name, array in spec.of(buffers, nation).items()
    }


def test_own_columns_with_a_name_of_their_own() -> None:
    """Those named like a field are compared with it in test_spec.py."""
    w = three_nations()
    record = w.world.nations[0:1]
    record["assigned"], record["shares"], record["research"] = (61, 62, 63), (71, 20, 9), (1, 2, 3)
    record["town_farmers"], record["cut"] = 64, 65
    record["reserves"], record["deployed"] = 66, 7
    record["power_score"], record["assets_recorded"] = -5, 68
    own = seen(w)["own"]
    expected = {
        "workers_agriculture": 61, "workers_industry": 62, "workers_commerce": 63, "workers_idle": 64,
        "share_agriculture": 71, "share_industry": 20, "share_commerce": 9, "plan_cut": 65,
        "research_production": 1, "research_military": 2, "research_shipping": 3, "strength": 73,
        "power_score": -5, "asset_records": 68, "seat": 0, "capital_x": 0, "capital_y": 4,
    }  # fmt: skip
    assert {name: int(own[name]) for name in expected} == expected


def test_own_figures_are_worked_out() -> None:
    w = three_nations()
    record = w.world.nations[0:1]
    record["founded"], record["policy_turn"] = 10, 44
    record["research_branch"], record["research_done_turn"] = 2, 53
    record["fuel_need"], record["fuel_used"] = 9, 6
    record["treasury"][0, item.FOOD], record["rations"] = 100, 30
    record["assets"], record["assets_recorded"] = 0, 2
    record["assets"][0, :2] = 3_000_000, 8_000_000  # thousandths of funds
    own = seen(w)["own"]
    assert {name: int(own[name]) for name in
            ("age", "policy_age", "research_turns_left", "fuel_percent", "food_turns", "mean_assets")} == {
        "age": 40, "policy_age": 6, "research_turns_left": 3, "fuel_percent": 66, "food_turns": 3,
        "mean_assets": 5500,
    }  # fmt: skip
    record["fuel_need"] = record["rations"] = record["policy_turn"] = 0
    record["research_branch"] = -1
    own = seen(w)["own"]
    assert (own["fuel_percent"], own["food_turns"]) == (100, 999)
    assert (own["policy_age"], own["research_turns_left"]) == (-1, 0)


@pytest.mark.rule("SEASON-015", "SEASON-016", "SEASON-017")
def test_what_stands_between_two_nations_is_told_from_the_own_side() -> None:
    w = three_nations()
    own, theirs = w.world.relations[0, 2:3], w.world.relations[2, 0:1]
    told = {"state": 2, "turns_left": 4, "truce": 5, "tariff": 6, "transit_fee": 7, "port_policy": 1,
            "good_terms": 1, "embargo": 0}  # fmt: skip
    for name, value in told.items():
        own[name], theirs[name] = value, 0
    theirs["state"] = 2
    own["since"], own["declarer"], theirs["embargo"] = 42, 2, 1
    row = seen(w)["nations"][2]  # the next but one: seat 2
    assert {name: int(row[name]) for name in told} == told
    assert (row["state_age"], row["declarer"], row["embargoed"], row["seat"]) == (8, 2, 1, 2)


def test_factions_and_market() -> None:
    w = three_nations()
    w.faction("North", leader=1, members=[1, 2], created=20, dissolving=9)
    w.world.market["price"] = np.arange(9) + 1500
    told = seen(w, 2)
    (faction,) = told["factions"][told["factions"]["active"] == 1]
    # seen from nation 2 of three, nation 1 is at place 2
    assert [int(faction[name]) for name in ("leader", "members", "age", "dissolves_in")] == [2, 2, 30, 9]
    assert [int(told["nations"][place]["leader"]) for place in range(3)] == [0, 0, 1]
    assert told["market"]["price"].tolist() == list(range(1500, 1509))
    assert told["market"]["base_price"].tolist() == [4, 5, 10, 12, 17, 80, 24, 20, 1]  # resources.csv


def test_the_clock_tells_season_map_and_time() -> None:
    w = SmallWorld(height=9, width=11, nations=3, turn=50, rules={"season.max_turns": 120})
    w.cell(1, 1, terrain="town", owner=0, population=50, capital=True)
    w.cell(2, 1, terrain="plains")
    w.phase("sightings")
    w.world.nations["alive"][2] = 0
    w.world.clock["tunnels_unlocked"] = 1
    clock = seen(w)["clock"]
    assert {name: int(clock[name]) for name in clock.dtype.names} == {
        "turn": 50, "max_turns": 120, "turns_left": 70, "conquest_from": 100, "width": 11, "height": 9,
        "seats": 3, "living": 2, "all_land": 2, "free_land": 1, "tunnels_unlocked": 1, "ending": 0,
    }  # fmt: skip


def test_lists_say_what_they_had_no_room_for() -> None:
    w = SmallWorld(height=40, width=40, nations=1, turn=50)
    for k in range(70):
        w.unit(0, "infantry", k % 40, k // 40)
        w.ship(0, "merchant", k % 40, 10 + k // 40)
    w.phase("sightings")
    counts = seen(w)["counts"]
    assert (counts["units"], counts["units_left_out"]) == (64, 6)
    assert (counts["ships"], counts["ships_left_out"]) == (64, 6)


@pytest.mark.rule("ARMY-055", "ARMY-067")
def test_the_army_in_the_own_columns() -> None:
    w = three_nations()
    w.nation(0, reserves=250, items={"sword_of_war_god": 2, "shoes_of_water_movement": 1})
    w.unit(0, "armor", 0, 4, strength=150)
    w.unit(0, "airborne", 1, 4, strength=30)
    w.phase("sightings")
    own = seen(w)["own"]
    expected = {  # (150 x 15 + 30 x 15 + 250 x 1) / 100 = 29.5 funds, (150 x 2 + 30 x 1) / 100 = 3.3 fuel
        "upkeep_funds": 29, "upkeep_fuel": 3, "sword_of_war_god": 2, "shield_of_iron_wall": 0,
        "weak_shield": 0, "cloak_of_zoc_ignoring": 0, "shoes_of_water_movement": 1, "deployed": 180,
        "stalled": 0,
    }  # fmt: skip
    assert {name: int(own[name]) for name in expected} == expected
    assert seen(w, 1)["own"]["upkeep_funds"] == seen(w, 1)["own"]["sword_of_war_god"] == 0


@pytest.mark.rule("ARMY-001", "ARMY-002", "ARMY-003", "ARMY-054")
def test_the_own_corps_and_units() -> None:
    w = three_nations()
    w.corps(0, 31, order="retreat", direction=5, name=700, colour=9)
    w.unit(0, "infantry", 0, 4, strength=40, corps=31, experience=19)
    w.unit(0, "infantry", 1, 4, strength=50, corps=31, experience=90, items=["weak_shield"])
    w.unit(0, "marines", aboard=w.ship(0, "destroyer", 0, 0)._where, strength=60, corps=2)
    w.unit(1, "armor", 3, 4, corps=2)
    w.phase("sightings")
    told = seen(w)
    assert told["corps"].shape == (32,)
    assert told["corps"][31].tolist() == (5, 5, 700, 9, 2, 90)
    assert told["corps"][2].tolist() == (0, 0, 2, 2, 1, 60)  # aboard; name and colour as they were first
    assert [(row["level"], row["carries"]) for row in told["units"][:3]] == [(0, 0), (3, 3), (0, 0)]
    w.world.nations["alive"][0] = 0
    assert not seen(w)["corps"][31]["order"]


@pytest.mark.rule("LIMIT-014", "LIMIT-015", "LIMIT-016")
def test_offers_are_told_to_the_two_and_wars_to_all() -> None:
    w = three_nations()
    w.relation(0, 1, state="war", by=1)
    w.relation(1, 2, state="pending", by=2, turns_left=2)
    w.world.relations["offer_until"][0, 1] = 53
    w.world.relations["offer_until"][2, 0] = 51
    w.world.relations["offer_until"][1, 2] = 53

    def offers(nation: int) -> list[tuple[int, int]]:
        rows = seen(w, nation)["nations"]
        return [(int(row["offer_made"]), int(row["offer_received"])) for row in rows[1:3]]

    assert offers(0) == [(3, 0), (0, 1)]  # to and from nation 1, nation 2
    assert offers(1) == [(3, 0), (0, 3)]  # nation 2, nation 0
    assert offers(2) == [(1, 0), (0, 3)]  # nation 0, nation 1
    assert [int(row["wars_against"]) for row in seen(w)["nations"][:3]] == [1, 1, 0]


def cell_at(w: SmallWorld, nation: int, x: int, y: int) -> Any:
    return seen(w, nation, cells="all")["cells"][w.place(x, y)]


@pytest.mark.rule("MSL-001", "MAP-025")
def test_a_base_tells_its_owner_how_far_it_reaches() -> None:
    w = three_nations()
    w.cell(1, 4, terrain="missile_base", owner=0, experience=60)
    w.cell(2, 4, terrain="town", owner=1, population=9)
    row = cell_at(w, 0, 1, 4)
    assert (row["missile_range"], row["missile_shots"], row["experience"]) == (7, 3, 60)
    row = cell_at(w, 1, 1, 4)
    assert (row["missile_range"], row["missile_shots"], row["experience"]) == (0, 0, 0)
    w.cell(1, 3, terrain="seabed_base", owner=0, experience=49)
    assert cell_at(w, 0, 1, 3)["missile_range"] == 5


@pytest.mark.rule("DIS-018", "MAP-007")
def test_a_monster_is_known_to_all_by_kind_and_hit_points() -> None:
    w = three_nations()
    w.cell(1, 4, terrain="monster", level=53)
    for nation in range(2):
        row = cell_at(w, nation, 1, 4)
        assert (row["monster"], row["monster_hp"], row["level"]) == (5, 3, 53)
    assert cell_at(w, 0, 0, 4)["monster"] == -1


def test_land_remembers_from_whom_it_was_taken() -> None:
    w = three_nations()
    cells = w.world.cells
    w.cell(1, 4, terrain="plains", owner=1)
    w.cell(1, 5, terrain="plains", owner=None)
    w.cell(1, 3, terrain="seabed_base", owner=0)
    for x, y in ((1, 4), (1, 5), (1, 3)):
        cells["taken_turn"][y, x], cells["taken_from"][y, x] = 48, 2
    for nation, place in ((0, 2), (1, 1), (2, 0)):
        row = cell_at(w, nation, 1, 4)
        assert (row["taken_age"], row["taken_from"]) == (2, place)
    for x, y in ((1, 5), (1, 3), (0, 4)):  # nobody's, no land, never taken
        row = cell_at(w, 0, x, y)
        assert (row["taken_age"], row["taken_from"]) == (-1, -1)


def places(told: dict[str, Any]) -> list[tuple[int, int]]:
    cells = told["cells"][told["cells"]["listed"] == 1]
    return [(int(row["x"]), int(row["y"])) for row in cells]


@pytest.mark.rule("ARMY-058", "DIS-018")
def test_monsters_near_and_what_lies_around_own_units_are_listed() -> None:
    w = SmallWorld(height=9, width=40, nations=2, turn=50)
    w.cell(2, 4, terrain="town", owner=0, population=50, capital=True)
    w.cell(38, 4, terrain="town", owner=1, population=50, capital=True)
    w.unit(0, "infantry", 20, 4)
    w.unit(1, "infantry", 22, 4)
    for x in (5, 6):
        w.cell(x, 4, terrain="monster", level=11)  # 3 and 4 steps from the own cell
    for x in range(15, 26):
        if x != 20:
            w.cell(x, 4, terrain="plains")
    w.phase("sightings")
    assert places(seen(w)) == [
        (2, 4), (20, 4), (5, 4), (22, 4), (21, 4), (19, 4), (18, 4),
        # around the own cell there is water only; (20, 4) itself is sea, around it only land is listed
        (2, 3), (3, 4), (2, 5), (1, 5), (1, 4), (1, 3),
    ]  # fmt: skip


@pytest.mark.rule("MSL-002", "MSL-004", "MSL-022", "MAP-026")
def test_what_own_missiles_reach_is_listed_ballistic_last_and_no_hidden_base() -> None:
    w = SmallWorld(height=9, width=40, nations=3, turn=50)
    w.cell(2, 4, terrain="town", owner=0, population=50, capital=True)
    w.cell(3, 4, terrain="missile_base", owner=0)  # reaches 5, ballistic ones 10
    for x in (7, 8, 9, 13, 14):
        w.cell(x, 4, terrain="farm", owner=2)
    w.cell(8, 5, terrain="farm", owner=1)
    w.cell(8, 3, terrain="seabed_base", owner=2)
    w.cell(10, 4, terrain="monster", level=11)
    w.cell(7, 2, terrain="monster", level=11)
    w.war(0, 2)
    w.relation(0, 1, state="pending", turns_left=2)
    w.phase("sightings")
    listed = places(seen(w))
    shore = listed.index((2, 3))
    assert listed[2:shore] == [(7, 4), (8, 4), (7, 2), (9, 4), (13, 4), (10, 4)]
    assert not {(8, 5), (8, 3), (14, 4)} & set(listed)


def test_stocks_show_what_both_sides_go_by_in_trade() -> None:
    w = three_nations()
    record = w.world.nations[0:1]
    for k, name in enumerate(("prices", "targets", "export_caps", "wanted", "planned")):
        record[name] = np.arange(9) + 10 * k
    record["private"][0, 9] = 2_500_900  # thousandths of funds
    stocks = seen(w)["stocks"]
    names = ("price", "target", "export_cap", "household_use", "planned")
    for k, name in enumerate(names):
        assert stocks[name].tolist() == [*range(10 * k, 10 * k + 9), 0]
    assert stocks["private"][9] == 2500
    assert all(not seen(w, 1)["stocks"][name].any() for name in ("price", "household_use", "planned"))


@pytest.mark.rule("FIN-025")
def test_the_private_sector_s_money() -> None:
    w = three_nations()
    record = w.world.nations[0:1]
    record["payments"][0, 46 % 12] = 9_000_000  # too old for the coming turn, 51
    record["payments"][0, 47 % 12] = 1_500_000
    record["payments"][0, 50 % 12] = 700_900
    record["household_sales"][0, 50 % 12] = 800_999
    record["industry_value"], record["commerce_value"] = 480, 64_999
    record["farm_food"], record["fuel_made"] = 70, 8
    own = seen(w)["own"]
    expected = {
        "private_purchases": 700, "household_sales": 800, "working_capital": 2200, "industry_value": 480,
        "commerce_value": 64, "farm_food": 70, "fuel_made": 8,
    }  # fmt: skip
    assert {name: int(own[name]) for name in expected} == expected
    record["payments"] = 0
    assert seen(w)["own"]["working_capital"] == 2000  # the least


@pytest.mark.rule("TURN-038")
def test_both_accounts_add_up_to_the_stocks() -> None:
    w = three_nations()
    w.cell(1, 4, terrain="farm", owner=0, level=12)
    for n in range(3):
        w.nation(n, funds=500, food=900, private_goods=40, private_funds=3000, export_cap={"food": 100})
    w.run(3)
    for n in range(3):
        told = seen(w, n)
        stocks, private = told["stocks"], told["private_accounts"]
        assert told["accounts"].sum(0).tolist() == stocks["treasury"].tolist()
        totals = private.sum(0)
        totals[item.FUNDS] //= 1000
        assert totals.tolist() == stocks["private"].tolist()
    sold = seen(w)["private_accounts"][cause.HOUSEHOLD_SALE]
    assert sold[item.FOOD] < 0 < sold[item.FUNDS]
