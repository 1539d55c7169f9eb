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


def seen(w: SmallWorld, nation: int = 0) -> dict[str, Any]:
    """One nation's pieces, records by the names of their columns."""
    spec = Spec(w.ruleset, w.nations)
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
