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
        "Situation", "War and peace", "Threats", "Plan", "Army", "Your land", "Free cells beside your land",
        "Neighbours", "Nations and relations", "Your ships", "Private sector and accounts", "Market",
        "Private trade and ships", "Map",
    ]  # fmt: skip
    assert "Turn 50 of" in found["Situation"][0] and "You are nation_0." in found["Situation"][0]
    assert any("funds 1234" in line and "food 500" in line for line in found["Situation"])
    assert "town (1): (2,4) capital pop 50" in found["Your land"]
    assert "farm (1): (3,4) level 12" in found["Your land"]
    assert found["Free cells beside your land"] == ["mountain (1): (4,4) coal"]
    assert found["Neighbours"] == ["nation_1: 1 cell beside yours: (3,5)"]
    assert found["Threats"] == [
        "nation_1: armor (4,4) on mountain strength 33, in sight; 1 step from your land"
    ]
    assert found["Your ships"][:2] == [
        "Naval ports 0; warships 1, 0 more may be built; naval mines 0, 10 more may be laid.",
        "destroyer (0,0) hp 3 of 4, speed 5",
    ]
    assert found["War and peace"] == ["No war is open or declared between you and anybody."]
    assert found["Army"] == [
        "Reserves 0, 0 more next turn, wounded 0, units 0. Upkeep a turn: 0 funds, 0 fuel.",
    ]


@pytest.mark.rule("ARMY-002", "ARMY-003", "ARMY-054", "ARMY-055", "ARMY-067", "MSL-001", "MSL-004")
def test_the_own_army_is_told_by_corps() -> None:
    w = world()
    w.cell(1, 4, terrain="depot", owner=0)
    w.cell(1, 3, terrain="missile_base", owner=0, experience=59)
    w.nation(0, reserves=200, items={"weak_shield": 2})
    w.world.nations["wounded"][0], w.world.nations["conscripts"][0] = 13, 30
    w.corps(0, 3, order="advance", direction="east")
    w.corps(0, 5, order="defend")
    w.unit(0, "armor", 3, 4, strength=150, corps=3, experience=52)
    w.unit(0, "infantry", 2, 4, strength=100, items=["sword_of_war_god"])
    found = sections(told(w))
    # ARMY-067: funds (150 x 15 + 100 x 5 + 200 x 1) / 100 = 29.5, fuel 150 x 2 / 100 = 3
    assert found["Army"] == [
        "Reserves 200, 30 more next turn, wounded 13, units 250. Upkeep a turn: 29 funds, 3 fuel.",
        "Items in store: 2 weak shield.",
        "Depots: (1,4).",
        "corps 0: hold; 1 unit, strength 100",
        "- infantry (2,4) on town strength 100, carries sword of war god",
        "corps 3: advance, heading east; 1 unit, strength 150",
        "- armor (3,4) on farm strength 150, experience 52 (level 2)",
        "30 corps without units, the first: 1 hold; 2 hold; 4 hold.",
    ]
    assert found["Missile bases"] == [
        "missile base (1,3): range 6 (ballistic 11), 2 missiles a command, experience 59, hits 0"
    ]
    theirs = sections(told(w, 1))
    assert len(theirs["Army"]) == 1 and "Missile bases" not in theirs


@pytest.mark.rule("LIMIT-001", "LIMIT-009", "LIMIT-015", "LIMIT-016")
def test_war_and_peace_are_told_with_what_wants_an_answer() -> None:
    w = SmallWorld(height=9, width=30, nations=6, turn=50)
    for n in range(6):
        w.cell(5 * n, 4, terrain="town", owner=n, population=50, capital=True)
    w.relation(0, 1, state="war", by=1, since=46)
    w.relation(0, 2, state="pending", by=0, turns_left=3)
    w.relation(0, 3, state="amity", since=40)
    w.relation(0, 5, truce=9)
    for a, b, until in ((1, 0, 52), (0, 1, 51), (4, 0, 55), (5, 0, 50), (2, 3, 60)):
        w.world.relations["offer_until"][a, b] = until
    found = sections(told(w))
    assert found["War and peace"] == [
        "nation_1 offers ceasefire for 2 turns: ceasefire:offer with nation_1 accepts",
        "nation_4 offers amity for 5 turns: amity:offer with nation_4 accepts",
        "WAR with nation_1 for 4 turns, declared by them",
        "war with nation_2 opens in 3 turns, declared by you",
        "amity with nation_3 for 10 turns",
        "your offer of ceasefire to nation_1 stands for 1 turn",
        "truce with nation_5 for 9 turns",
    ]
    theirs = sections(told(w, 2))["Nations and relations"]
    assert any("nation_2" in line and ", 1 war declared on it; you" in line for line in theirs)
    w.nation(0, founded=40)  # on turn 51 it is 11 turns old; 15 are needed
    last = sections(told(w))["War and peace"][-1]
    assert last.startswith("For 4 turns your nation is too young to declare war")


@pytest.mark.rule("ARMY-058", "DIS-018")
def test_threats_come_by_enmity_and_distance_and_monsters_apart() -> None:
    w = SmallWorld(height=9, width=30, nations=3, turn=50)
    w.cell(2, 4, terrain="town", owner=0, population=50, capital=True)
    w.unit(0, "airborne", 4, 4)
    w.unit(0, "airborne", 14, 4)
    w.unit(1, "armor", 3, 4, strength=40)
    w.unit(2, "infantry", 5, 4, strength=50)
    w.unit(2, "artillery", 15, 4, strength=60)
    w.war(2, 0)
    w.cell(4, 2, terrain="monster", level=21)  # a sanjira, hardened on odd turns such as the next
    w.cell(25, 4, terrain="monster", level=11)  # nowhere near
    found = sections(told(w))
    assert found["Threats"] == [
        "nation_2 (at war with you): infantry (5,4) on sea strength 50, in sight; 3 steps from your land",
        "nation_1: armor (3,4) on sea strength 40, in sight; 1 step from your land",
    ]
    assert found["Other forces"] == [
        "nation_2 (at war with you): artillery (15,4) on sea strength 60, in sight",
    ]
    assert found["Monsters"] == [
        "sanjira (4,2) hp 1, hits have no effect next turn; 3 steps from your land",
    ]


@pytest.mark.rule("ARMY-009", "ARMY-058")
def test_resistance_is_told_to_the_owner_of_a_cell_and_nobody_else() -> None:
    """Works have 40, a capital 150, open land 20 (ARMY-009)."""
    w = world()
    w.cell(2, 4, resistance=90)
    w.cell(3, 4, resistance=25)
    w.cell(3, 5, resistance=7)
    w.unit(1, "infantry", 3, 4, strength=50)
    w.unit(0, "infantry", 3, 5, strength=60)
    peace = told(w)
    assert "resistance" not in peace
    w.war(1, 0)
    found = sections(told(w))
    assert found["Threats"] == [
        "nation_1 (at war with you): infantry (3,4) on farm strength 50, in sight; on your land, "
        "resistance 25 of 40"
    ]
    assert "- infantry (3,5) on plains of nation_1 strength 60" in found["Army"]
    assert "town (1): (2,4) capital pop 50 resistance 90 of 150" in found["Your land"]
    assert "farm (1): (3,4) level 12 resistance 25 of 40" in found["Your land"]
    assert "resistance 7" not in told(w)
    theirs = sections(told(w, 1))
    assert "plains (1): (3,5) resistance 7 of 20" in theirs["Your land"]
    assert "resistance 25" not in told(w, 1) and "resistance 90" not in told(w, 1)
    assert "- infantry (3,4) on farm of nation_0 strength 50" in theirs["Army"]


def test_one_is_never_many() -> None:
    """`1 turn`, not `1 turns`: in every line, with as many ones as a world can have."""
    w = world()
    w.war(1, 0)
    w.unit(0, "infantry", 2, 4, strength=1)
    w.cell(1, 4, terrain="missile_base", owner=0)
    record = w.world.nations[0:1]
    record["cut"] = 1
    record["policy"], record["policy_next"], record["policy_turn"] = 0, 1, 49
    record["research_branch"], record["research_done_turn"], record["no_loan_until"] = 1, 51, 51
    happenings.record_between(w.world, event.LAND_ABANDONED, 0, -1, -1, 1)
    w.phase("sightings")
    whole = text(w.world, w.rules, w.ruleset, 0)
    plural = r"\b1 (?:\w+ )?(turns|cells|towns|jobs|levels|missiles|units|commands|steps|wars|lines)\b"
    assert re.findall(plural, whole) == []
    for once in ("changed 1 turn ago", "in 1 town,", "land abandoned 1 cell", "1 turn left", "for 1 turn.",
                 "1 missile a command", "(1 command cut"):  # fmt: skip
        assert once in whole, once


def test_battles_are_told_as_one_with_the_answer() -> None:
    w = world()
    w.unit(0, "infantry", 3, 4, strength=60, corps=3)
    there, at = 4 * 9 + 3, 5 * 9 + 3
    for kind, nation, other, cell, amount in (
        (event.BATTLE, 0, 1, at, 20), (event.UNIT_LOST, 0, -1, there, 5), (event.COUNTERED, 0, 1, at, 5),
        (event.BATTLE, 1, 0, there, 12), (event.MISSILE, 1, 0, there, -1), (event.MISSILE, 0, 1, at, 3),
        (event.CELL_CAPTURED, 0, 1, at, 6), (event.CELL_CLAIMED, 1, 0, there, 0),
        (event.MONSTER_KILLED, 0, 1, at, 5), (event.ITEM_WON, 0, -1, -1, 3), (event.TURN_CUP, 1, -1, -1, 300),
        (event.WAR_DECLARED, 1, 0, -1, 0), (event.CEASEFIRE_OFFERED, 1, 0, -1, 0),
    ):  # fmt: skip
        happenings.record_between(w.world, kind, nation, other, cell, amount)
    w.phase("sightings")
    assert sections(text(w.world, w.rules, w.ruleset, 0))["What happened"] == [
        "battle (3,5): your unit attacked one of nation_1, which lost 20; the attacker lost 5",
        "unit lost (3,4) of strength 5",
        "battle (3,4): a unit of nation_1 attacked yours, which lost 12; no counter (there now: your "
        "infantry strength 60, corps 3)",
        "missile (3,4): normal missile of nation_1 was shot down",
        "missile (3,5): ballistic missile of you",
        "cell captured (3,5): you took it from nation_1 (plains)",
        "nation_1: cell claimed (3,4) from you",
        "monster killed (3,5): inora ghost by you",
        "item won weak shield",
        "nation_1: turn cup 300 funds and an item",
        "war declared: nation_1 on you",
        "ceasefire offered: by nation_1 to you",
    ]


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
    for kind, nation, other, cell, amount in (
        (event.FIRE, 0, -1, 4 * 9 + 2, 5),
        (event.FIRE, 1, -1, 6 * 9 + 4, 5),
        (event.FAMINE, 1, -1, -1, 30),
        (event.METEOR, 1, -1, 3 * 9 + 1, 7),
        (event.WAR_OPENED, 1, 0, -1, 0),
        (event.RESEARCH_DONE, 0, -1, -1, 2),
        (event.TUNNELS_UNLOCKED, -1, -1, -1, 0),
    ):
        happenings.record_between(w.world, kind, nation, other, cell, amount)
    w.phase("sightings")
    found = sections(text(w.world, w.rules, w.ruleset, 0))["What happened"]
    assert found == [
        "fire (2,4) 5 people lost (units of 100)",
        "meteor (1,3)",
        "war opened: nation_1 and you",
        "research done shipping",
        "tunnels unlocked",
    ]


@pytest.mark.rule("NAVY-067", "NAVY-097", "NMINE-004", "EMBARK-002")
def test_what_happened_at_sea_is_told() -> None:
    w = world()
    for kind, nation, other, amount in (
        (event.SEA_BATTLE, 0, 1, 2),
        (event.SEA_BATTLE, 0, -1, 2),
        (event.SHIP_SUNK, 1, 0, 3),
        (event.SHIP_SUNK, 0, -1, 1),
        (event.BOMBARDED, 1, 0, 9),
        (event.MINE_STRUCK, 0, 1, 4),
        (event.MINE_STRUCK, 0, -1, 2),
        (event.LANDED, 1, 0, 60),
        (event.LANDED, 0, -1, 40),
        (event.SHIP_MET, 0, -1, 0),
        (event.WHALE_HIT, 0, -1, 1),
        (event.PIRATE_APPEARED, -1, -1, 0),
    ):
        happenings.record_between(w.world, kind, nation, other, 4 * 9 + 7, amount)
    w.phase("sightings")
    assert sections(text(w.world, w.rules, w.ruleset, 0))["What happened"] == [
        "sea battle (7,4): your warship hit a ship of nation_1, which lost 2 hp",
        "sea battle (7,4): your warship hit a pirate, which lost 2 hp",
        "ship sunk (7,4): a battleship of nation_1, by you",
        "ship sunk (7,4): your destroyer",
        "bombarded (7,4): a shell of nation_1 hit your farm",
        "mine struck (7,4): your ship ran on a mine of nation_1 and lost 4 hp",
        "mine struck (7,4): your ship ran on a mine and lost 2 hp",
        "landed (7,4): a unit of nation_1 of strength 60 went ashore on your cell",
        "landed (7,4): your unit of strength 40 went ashore on free land",
        "ship met (7,4): your ship was stopped there by something unseen",
        "whale hit (7,4): your warship hit a sea monster, which lost 1 hp",
        "pirate appeared (7,4)",
    ]


def test_the_map_extract_shows_the_cells_where_they_are() -> None:
    found = sections(told(world()))["Map"]
    assert found[0].startswith("Columns 0..5, rows 2..6")
    rows = {line[:3].strip(): line[4:] for line in found[2:]}
    assert rows["4"] == "    *A=A^"  # even rows: column x stands at 2x; columns 2, 3, 4
    assert rows["5"] == "       .B"  # odd rows: one further to the right; column 3
    assert rows["6"] == "        tB"


def test_the_map_says_whose_letters_stand_there_and_shows_the_front() -> None:
    w = SmallWorld(height=21, width=90, nations=3, turn=50)
    w.cell(3, 4, terrain="town", owner=0, population=50, capital=True)
    w.cell(60, 11, terrain="town", owner=1, population=50, capital=True)
    w.cell(89, 20, terrain="town", owner=2, population=50, capital=True)
    w.unit(0, "infantry", 59, 11, strength=50)
    found = sections(told(w, names=nation_names(3, 7)))["Map"]
    assert found[0].startswith("Columns 1..5, rows 2..6; ")
    assert f"Owners: A you, B nation_1 {nation_names(3, 7)[1].romaji}" in found
    front = found[found.index("Columns 53..65, rows 7..15:") + 1 :]  # 13 x 9 cells around the unit
    assert len(front) == 9
    row = front[4]  # row 11 is odd: after its number and a blank one blank more, then two signs a cell
    assert row[:4] == " 11 " and row[5 + 2 * (60 - 53) :] == "tB" and row[5 + 2 * (59 - 53)] == "!"


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


@pytest.mark.rule("LLM-015")
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


def test_a_nation_without_a_common_border_is_told_where_to_find() -> None:
    """Nation 1's nearest cell, by hand: (9,2) lies 5 steps east of the capital (4,2)."""
    w = SmallWorld(height=6, width=14, nations=2)
    w.cell(4, 2, terrain="town", owner=0, population=50, capital=True)
    w.cell(9, 2, terrain="farm", owner=1)
    w.cell(11, 2, terrain="town", owner=1, population=50, capital=True)
    w.cell(6, 2, terrain="seabed_base", owner=1)  # looks like nobody's sea
    assert "; peace; nearest cell (9,2), 5 steps from your capital" in told(w)
