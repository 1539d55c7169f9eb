"""Where war meets an end: a death on the last turn, and a missile whose target is no enemy's any more."""

import pytest

from hakoenv.engine.codes import ending
from hakoenv.testing import SmallWorld


@pytest.mark.rule("ARMY-065", "TURN-029", "TURN-034")
def test_a_nation_that_loses_its_last_town_on_the_last_turn_is_dead_when_the_season_is_judged() -> None:
    w = SmallWorld(9, 9, nations=3, turn=59, rules={"season.max_turns": 60, "season.min_turns": 60})
    w.cell(1, 1, terrain="town", owner=0, population=40, capital=True)
    w.cell(1, 7, terrain="town", owner=2, population=40, capital=True)
    w.cell(5, 4, terrain="town", owner=1, population=60, capital=True, resistance=20)
    w.unit(0, "infantry", 5, 4, strength=100)  # takes 40 of 20 in phase 26 of turn 60
    w.war(0, 1)
    w.run(1)
    assert w.turn == 60
    assert w.cell(5, 4).owner == 0
    assert not w.nation(1).alive and w.nation(0).alive and w.nation(2).alive
    assert w.relation(0, 1).state == "peace"
    assert int(w.world.clock[0]["ending"]) == ending.TURN_LIMIT
    assert not w.world.nations[1]["winner"]


@pytest.mark.rule("MSL-014", "MSL-022", "LIMIT-015")
@pytest.mark.parametrize("became", ["peaceful", "own", "a_mates"])
def test_a_missile_on_a_cell_that_became_friendly_is_not_fired(became: str) -> None:
    w = SmallWorld(9, 12, nations=3, turn=50, rules={"missiles.normal.scatter": 0})
    w.cell(1, 4, terrain="missile_base", owner=0)
    w.cell(5, 4, terrain="town", owner=1, population=100)
    w.nation(0, funds=1000, ammo=20)
    w.war(0, 1)
    w.order(0, "missile_normal", 5, 4, amount=1)
    if became == "peaceful":
        w.relation(0, 1, state="peace")
    elif became == "own":
        w.cell(5, 4, owner=0)
    else:
        w.faction("both", 0, [2])
        w.cell(5, 4, owner=2)
    w.phase("plans")
    assert not w.results(0)[0]["done"]
    assert w.cell(5, 4).population == 100
    assert (w.nation(0).ammo, w.nation(0).funds) == (20, 1010)  # nothing paid; the turn fundraises
