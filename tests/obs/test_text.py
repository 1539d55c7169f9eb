"""The text view."""

import re
from typing import Any

import pytest

from hakoenv.engine import happenings
from hakoenv.engine.codes import cause, event, item
from hakoenv.engine.names import nation_names
from hakoenv.obs.text import text
from hakoenv.testing import SmallWorld


def world() -> SmallWorld:
    w = SmallWorld(height=9, width=9, nations=2, turn=50)
    w.cell(2, 4, terrain="town", owner=0, population=50, capital=True)
    w.cell(3, 4, terrain="farm", owner=0, level=12)
    w.cell(4, 4, terrain="mountain", owner=None, deposit="coal")
    w.cell(3, 5, terrain="plains", owner=1)
    w.cell(4, 6, terrain="town", owner=1, population=30, capital=True)
    w.nation(0, funds=1234, food=500)
    return w


def told(w: SmallWorld, nation: int = 0, **settings: Any) -> str:
    w.phase("sightings")
    return text(w.world, w.rules, w.ruleset, nation, **settings)


def sections(whole: str) -> dict[str, list[str]]:
    parts = whole.removeprefix("## ").split("\n\n## ")
    return {part.split("\n")[0]: part.split("\n")[1:] for part in parts}


def test_all_is_told() -> None:
    w = world()
    w.unit(1, "armor", 4, 4, strength=33)
    w.ship(0, "destroyer", 0, 0, hp=3)
    w.order(0, "worker_shares", 50, 30, 0)
    found = sections(told(w))
    assert list(found) == [
        "Situation", "Plan", "Your land", "Free cells beside your land", "Neighbours",
        "Nations and relations", "Forces", "Private sector and accounts", "Market", "Map",
    ]  # fmt: skip
    assert "Turn 50 of" in found["Situation"][0] and "You are nation_0." in found["Situation"][0]
    assert any("funds 1234" in line and "food 500" in line for line in found["Situation"])
    assert "town (1): (2,4) capital pop 50" in found["Your land"]
    assert "farm (1): (3,4) level 12" in found["Your land"]
    assert found["Free cells beside your land"] == ["mountain (1): (4,4) coal"]
    assert found["Neighbours"] == ["nation_1: 1 cells beside yours: (3,5)"]
    assert "nation_1: armor (4,4) strength 33, in sight" in found["Forces"]
    assert "yours: destroyer (0,0) hp 3" in found["Forces"]


@pytest.mark.rule("FIN-034")
def test_the_economy_is_told() -> None:
    w = world()
    record = w.world.nations[0:1]
    goods = (record["prices"], record["planned"], record["wanted"], record["targets"], record["export_caps"])
    for field, value in zip(goods, (76_400, 30, 3_250, 50, 20), strict=True):
        field[0, item.GOODS] = value
    record["treasury"][0, item.GOODS], record["private"][0, item.GOODS] = 8, 12
    record["private"][0, item.FUNDS], record["deposit"][0] = 2_500_900, 700_000
    record["household_sales"][0, 50 % 12], record["payments"][0, 50 % 12] = 900_500, 120_000
    record["fuel_need"], record["fuel_used"], record["fuel_made"] = 10, 7, 4
    record["policy"], record["policy_next"], record["policy_turn"] = 0, 1, 48
    w.world.private_accounts[0, cause.HOUSEHOLD_SALE, item.FUNDS] = 810_450
    w.world.accounts[0, cause.TAX, item.FUNDS] = 90
    w.world.market["price"][item.GOODS] = 81_000
    found = sections(told(w))
    assert "goods 81 (base 80)" in found["Market"][0]
    assert (
        "goods: your price 76.4, from the world 101.25 (up to 4 a turn in peace, 4 at war); treasury 8, "
        "private sector 12 (plans with 30), households want 3.25; buy-back target 50, export cap 20"
    ) in found["Market"]
    assert found["Private sector and accounts"] == [
        "Cash 2500 funds; it wants to have 2000. In the last turn households paid it 900, and it bought for "
        "120.",
        "Its cash in the last turn: household sale +810.45.",
        "Your private sector at the clearing house: deposit 700 (0 asked for and waiting), debt 0.",
        "Funds of the treasury in the last turn: tax +90.",
    ]
    assert any("Fuel: industry got 7 of 10 (70 percent)" in line for line in found["Situation"])
    policy = "Industrial policy: light, next turn heavy (changed 2 turns ago)"
    assert any(line.startswith(policy) for line in found["Situation"])


@pytest.mark.rule("CMD-005")
def test_results_come_with_their_reason() -> None:
    w = world()
    w.order(0, "farm", 4, 4)
    w.order(0, "fundraise")
    w.run(1)
    lines = sections(told(w))["Last turn's commands"]
    assert lines == ["1. farm at (4,4): the terrain doesn't allow it", "2. fundraise: carried out"]


def test_what_happened_is_told_as_far_as_it_is_known() -> None:
    w = world()
    for kind, nation, cell, amount in (
        (event.FIRE, 0, 4 * 9 + 2, 5),
        (event.FIRE, 1, 6 * 9 + 4, 5),
        (event.FAMINE, 1, -1, 30),
        (event.METEOR, 1, 3 * 9 + 1, 7),
        (event.WAR_OPENED, 1, -1, 0),
        (event.RESEARCH_DONE, 0, -1, 2),
        (event.TUNNELS_UNLOCKED, -1, -1, 0),
    ):
        happenings.record(w.world, kind, nation, cell, amount)
    w.phase("sightings")
    found = sections(text(w.world, w.rules, w.ruleset, 0))["What happened"]
    assert found == [
        "fire (2,4) 5 people lost (units of 100)",
        "meteor (1,3)",
        "nation_1: war opened with nation_0",
        "research done shipping",
        "tunnels unlocked",
    ]


def test_the_map_extract_shows_the_cells_where_they_are() -> None:
    found = sections(told(world()))["Map"]
    assert found[0].startswith("Columns 0..5, rows 2..6")
    rows = {line[:3].strip(): line[4:] for line in found[2:]}
    assert rows["4"] == "    *A=A^"  # even rows: column x stands at 2x; columns 2, 3, 4
    assert rows["5"] == "       .B"  # odd rows: one further to the right; column 3
    assert rows["6"] == "        tB"


def test_a_map_far_from_the_edge_is_cut_out_without_strangers() -> None:
    w = SmallWorld(height=21, width=90, nations=2, turn=50)
    for x in range(90):
        w.cell(x, 11, terrain="plains", owner=1)
    w.cell(60, 11, terrain="town", owner=0, population=50, capital=True)
    found = sections(told(w))["Map"]
    assert found[0].startswith("Columns 58..62, rows 9..13")
    rows = {line[:3].strip(): line[4:] for line in found[2:]}
    assert rows["11"] == " .B.B*A.B.B"


@pytest.mark.parametrize("budget", [0, 1, 50, 200, 500, 900, 1200, 1500, 10**6])
def test_a_budget_is_kept_by_whole_lines(budget: int) -> None:
    w = world()
    whole, short = told(w), told(w, budget=budget)
    assert len(short) <= budget
    lines = set(whole.split("\n"))
    added = [line for line in short.split("\n") if line not in lines and line]
    assert all(re.match(r"\[left out for length: |\(\d+ more lines?\)$", line) for line in added)
    if budget >= len(whole):
        assert short == whole


def test_the_map_goes_before_the_situation() -> None:
    w = world()
    short = sections(told(w, budget=len(told(w)) - 10))
    assert "Map" not in short and "Situation" in short
    assert list(sections(told(w, budget=700)))[:1] == ["Situation"]


def test_a_section_that_is_cut_says_how_many_lines_are_missing() -> None:
    w = world()
    whole = sections(told(w))
    seen = set()
    for budget in range(700, len(told(w)), 7):
        short = sections(told(w, budget=budget))
        for title, lines in short.items():
            told_lines = lines[: lines.index("")] if "" in lines else lines  # without the note behind it
            if match := re.fullmatch(r"\((\d+) more lines?\)", told_lines[-1]):
                seen.add(title)
                assert told_lines[:-1] == whole[title][: len(told_lines) - 1]
                assert int(match[1]) == len(whole[title]) - len(told_lines) + 1
    assert {"Situation", "Market"} <= seen and "Map" not in seen


def test_japanese_terms_beside_the_english_ones_leave_commands_readable() -> None:
    w = world()
    w.order(0, "export_cap", amount=20, target=0)
    shown = told(w, names=nation_names(2, 7), japanese="both")
    assert "funds 資金 1234" in shown and "farm 農場 (1): (3,4) level 12" in shown
    assert sections(shown)["Plan"] == sections(told(w))["Plan"]


def test_names_in_latin_letters_and_in_japanese() -> None:
    w = world()
    names = nation_names(2, 7)
    plain, japanese = told(w, names=names), told(w, names=names, japanese=True)
    assert f"nation_1 {names[1].romaji}" in plain and names[1].kanji not in plain
    assert f"nation_1 {names[1].kanji}" in japanese
    assert "資金 1234" in japanese and "農場 (1): (3,4) level 12" in japanese


def test_the_dead_are_told_so() -> None:
    w = world()
    w.world.nations["alive"][0] = 0
    w.world.cells["owner"][w.world.cells["owner"] == 0] = -1
    found = sections(told(w))
    assert "not on the map" in found["Situation"][1] and "Your land" not in found


@pytest.mark.parametrize(("nation", "budget"), [(2, None), (-1, None), (0, -1)])
def test_what_can_not_be_is_refused(nation: int, budget: int | None) -> None:
    w = world()
    with pytest.raises(ValueError, match="must"):
        text(w.world, w.rules, w.ruleset, nation, budget=budget)


def test_the_legend_names_the_signs_of_the_map_and_no_letters_of_owners() -> None:
    """Nation 0's letter A is a monument's sign, too, nation 1's B a seabed base's."""
    w = SmallWorld(height=9, width=9, nations=2)
    w.cell(4, 4, terrain="town", owner=0, population=40, capital=True)
    w.cell(5, 4, terrain="farm", owner=1, level=10)
    shown = told(w)
    (legend,) = [line for line in shown.splitlines() if line.startswith("Signs:")]
    assert "farm" in legend
    assert "monument" not in legend
    assert "seabed base" not in legend
