"""What a prompt tells about the commands."""

import pytest

from hakoenv.engine.commands import table
from hakoenv.obs.language import hints, lines
from hakoenv.obs.language.booking import menu_table_of
from hakoenv.obs.language.building import Problem
from hakoenv.obs.language.vocabulary import Vocabulary
from hakoenv.ruleset import load_ruleset

SEASON = load_ruleset("season")
WORDS = Vocabulary(SEASON, 20, 90, 90, "everything")
LINES = {verb.name: line for verb, line in zip(WORDS.offered, hints.describe(WORDS), strict=True)}


@pytest.mark.rule("CMD-006")
@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("farm", "farm at (x,y) - build or enlarge a farm; 20..200 funds; uses the turn"),
        ("warehouse", "warehouse at (x,y) - build or raise a warehouse; 100..200 funds, 10..20 wood, "
         "0..10 stone; uses the turn"),
        ("missile_pp", "missile_pp at (x,y) shots=0..9999 - fire precise missiles; 50 funds, 1 ammo a shot; "
         "uses the turn"),
        ("embargo:on", "embargo:on with nation_N - put an embargo on a nation; free; takes no turn"),
        ("place_unit:armor", "place_unit:armor at (x,y) corps=0..31 strength=1..200 - place armor; 5 funds "
         "for each strength; takes no turn"),
        ("buyback_target", "buyback_target item=wood|stone|ore|oil|fuel|goods|ammo|steel|food stock=0..99999 "
         "- set the stock that the treasury buys up to; free; takes no turn"),
        ("auction_bid", "auction_bid lot=0..2147483647 bid=1..1000000000 - bid for a lot; the bid and 10 "
         "percent of it for freight, until it is outbid; takes no turn"),
    ],
)  # fmt: skip
def test_a_verb_in_one_line(name: str, line: str) -> None:
    assert LINES[name] == line


def test_every_verb_of_the_game_is_told_and_no_other() -> None:
    """What is told is what a menu may ever offer: masks and prompts agree on what is not built yet."""
    for name in ("season", "duel"):
        ruleset = load_ruleset(name)
        possible = menu_table_of(ruleset).verbs["possible"] == 1
        offered = Vocabulary(ruleset, 2, 30, 30, "everything").offered
        assert list(offered) == [verb for verb, may in zip(table.verbs(), possible, strict=True) if may]
    assert list(LINES) == [verb.name for verb in WORDS.offered]
    assert {"farm", "declare_war", "place_unit:armor", "build_ship:cruiser", "abandon_nation"} <= LINES.keys()
    assert {"exchange:offer", "national_aid", "auction_bid", "land_gate:closed"} <= LINES.keys()
    assert {"faction_decide:accept", "aid_reserves", "league_join:join", "containment_join"} <= LINES.keys()
    assert not LINES.keys() & {"reclaim", "bank_loan"}
    assert all("\n" not in line for line in LINES.values())
    assert len(hints.describe(Vocabulary(SEASON, 2, 30, 30, "economy"))) < 60


def test_what_is_not_in_the_game_is_read_but_never_proposed() -> None:
    assert isinstance(lines.read(WORDS, "bank_loan"), table.Packed)
    near = lines.read(WORDS, "bank_lone")  # `bank_loan` would be nearest
    assert isinstance(near, Problem) and "bank" not in near.nearest


@pytest.mark.rule("CMD-007")
def test_early_prices() -> None:
    words = Vocabulary(SEASON, 2, 30, 30, "factory")
    assert "; 100.." in hints.describe(words)[0] and "; 50.." in hints.describe(words, turn=1)[0]


def test_the_lines_are_the_language() -> None:
    """With numbers in the place of the letters and bounds they are commands."""
    for name in ("farm", "embargo:on", "research:production"):
        shown = LINES[name].split(" - ")[0].replace("(x,y)", "(1,2)").replace("nation_N", "nation_1")
        assert isinstance(lines.read(WORDS, shown), table.Packed)
