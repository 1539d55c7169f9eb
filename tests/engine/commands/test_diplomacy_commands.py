"""Commands of diplomacy and trade: which there are, and what they leave to the private sector."""

import itertools
from typing import Any

import pytest

from hakoenv.engine import territory
from hakoenv.engine.codes import command as number
from hakoenv.engine.codes import reason
from hakoenv.engine.commands import table, validate
from hakoenv.engine.shipping import harbours
from hakoenv.engine.view import TRUTH
from hakoenv.ruleset import load_ruleset
from hakoenv.testing import SmallWorld

DIPLOMACY = {
    51: "cede_land", 52: "declare_war", 53: "ceasefire", 54: "amity", 55: "good_terms", 123: "national_aid",
    124: "exchange",
}  # fmt: skip


def command_rows() -> list[Any]:
    """The rows of the command table."""
    return list(load_ruleset().table("commands"))


def neighbours() -> SmallWorld:
    """Two nations whose lands touch."""
    w = SmallWorld(5, 9, 2, turn=40, rules={"fundraise.income": 0})
    for n, town, land in ((0, 2, 3), (1, 5, 4)):
        w.cell(town, 2, terrain="town", owner=n, population=50, capital=True)
        w.cell(land, 2, terrain="plains", owner=n)
    w.cell(3, 1, terrain="plains", owner=0)
    w.nation(0, steel=100, funds=50)
    return w


@pytest.mark.rule("CMD-047")
def test_all_commands_of_diplomacy_fit_into_one_turn_and_are_free() -> None:
    rows = {row["number"]: row for row in command_rows()}
    assert {n: rows[n]["name"] for n in DIPLOMACY} == DIPLOMACY
    assert all(rows[n]["cost"] == 0 and rows[n]["turns"] == 0 for n in DIPLOMACY)
    w = neighbours()
    w.order(0, "good_terms", amount=1, target=1)
    w.order(0, "cede_land", x=3, y=2, target=1)
    w.order(0, "national_aid", x=7, amount=10, target=1)
    w.order(0, "exchange", x=7, y=8, amount=10 * 10000 + 5, target=1)
    w.order(0, "amity", target=1)
    w.order(0, "amity", amount=1, target=1)
    w.order(0, "declare_war", target=1)
    w.order(0, "ceasefire", target=1)
    w.order(0, "ceasefire", amount=1, target=1)
    w.phase("plans")
    assert [(entry["command"], entry["reason"]) for entry in w.results(0)] == [
        *((name, "done") for name in ("good_terms", "cede_land", "national_aid", "exchange", "amity", "amity",
                                      "declare_war", "ceasefire", "ceasefire")),
        ("fundraise", "done"),  # no turn was used
    ]  # fmt: skip
    assert (w.nation(0).funds, w.nation(0).steel) == (50, 90)


CONTROL = {
    "port_policy", "tariff_and_fee", "embargo", "export_cap", "buyback_target", "land_gate", "supply_policy",
    "league_join", "league_leave",
}  # fmt: skip
OF_THE_TREASURY = {"auction_list", "auction_bid", "regular_offer", "regular_accept", "regular_withdraw"}


@pytest.mark.rule("NAVY-047", "CMD-017")
def test_a_nation_controls_trade_by_its_settings_alone() -> None:
    """What else the table has of trade and finance deals with the treasury's goods, or is always refused."""
    rows = [row for row in command_rows() if row["category"] in ("trade", "finance")]
    refused = {row["name"] for row in rows if row["status"] == "private_only"}
    assert {row["name"] for row in rows} - refused == CONTROL | OF_THE_TREASURY
    w = neighbours()
    for name in refused:
        w.order(0, name, amount=1, target=1)
    w.phase("plans")
    assert [entry["reason"] for entry in w.results(0)][:-1] == ["private_only"] * len(refused)


@pytest.mark.rule("NAVY-047", "NAVY-048")
@pytest.mark.parametrize("kind", ["merchant", "large_merchant", "fishing_boat", "cruise_ship"])
def test_no_command_moves_a_private_ship(kind: str) -> None:
    """By brute force over commands of the navy on its cell and their amounts; the nation has no warship."""
    w = neighbours()
    w.cell(3, 3, terrain="naval_port", owner=0)
    w.cell(2, 3, terrain="port", owner=0, level=1)
    w.ship(0, kind, 3, 4, home=[2, 3])
    territory.index(w.world, w.rules)
    harbours.enlist(w.world)
    navy = [row["number"] for row in command_rows() if row["category"] == "navy"]
    navy.remove(number.BUILD_SHIP)
    assert {number.FLEET_MOVE, number.SHIP_STEP, number.FORM_FLEET} <= set(navy)
    amounts = (-1, *range(0, 17), 100, 101, 1000)
    for what, amount, target in itertools.product(navy, amounts, (0, 1)):
        why = validate.check(w.world, w.rules, TRUTH, 0, w.turn, what, 3, 4, amount, target)
        own_waters = what == number.LAY_MINE  # a mine needs no ship, but an empty cell
        assert why != reason.DONE or own_waters, (what, amount)
    built = {verb.name for verb in table.verbs() if verb.command == number.BUILD_SHIP}
    assert "build_ship:destroyer" in built and not any(kind in name for name in built)
