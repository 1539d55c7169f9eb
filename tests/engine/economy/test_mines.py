"""Collapses of worked mines (DEV-018 .. DEV-021, TURN-060)."""

import pytest

from hakoenv.engine import ground
from hakoenv.engine.codes import event, terrain
from hakoenv.testing import SmallWorld


@pytest.mark.rule("DEV-018")
@pytest.mark.parametrize(
    ("level", "first", "last", "percent"),
    [(1, 11, 2, 11), (2, 11, 2, 10), (5, 11, 2, 7), (9, 11, 2, 3), (10, 11, 2, 2), (4, 20, 2, 14)],
)
def test_the_chance_is_linear_in_the_level(level: int, first: int, last: int, percent: int) -> None:
    """900 mines, 4 turns. False alarm below 1e-5 in all: more than 5 deviations from the expected number."""
    w = SmallWorld(90, 90, 1, rules={"mine.collapse_level1": first, "mine.collapse_level10": last})
    for y in range(0, 90, 3):
        for x in range(0, 90, 3):
            w.cell(x, y, terrain="quarry", owner=0)
    mines = w.world.cells["terrain"] == terrain.QUARRY
    for turn in range(4):
        w.world.clock["turn"] = turn
        w.world.cells["level"][mines], w.world.cells["worked"][mines] = level, 1
        w.phase("hex_growth")
        assert set(w.world.cells["level"][mines].tolist()) == {level, max(1, level - 1)}
    expected = 3600 * percent / 100
    deviation = (expected * (1 - percent / 100)) ** 0.5
    assert abs(int(w.world.clock[0]["event_kinds"][event.MINE_COLLAPSED]) - expected) <= 5 * deviation


@pytest.mark.rule("TURN-060", "DEV-021")
def test_the_level_of_phase_23_decides_not_that_of_phase_10() -> None:
    """At level 9 one mine in nine would collapse, at level 10 none: it is raised in between."""
    for seed in range(40):
        w = SmallWorld(9, 9, 1, seed=seed, rules={"mine.collapse_level1": 100, "mine.collapse_level10": 0})
        w.cell(4, 4, terrain="quarry", owner=0, level=9, pile=50)
        w.cell(5, 4, terrain="town", owner=0, population=50, capital=True)
        w.nation(0, funds=900, stone=0, wood=10, food=100, shares=[0, 100, 0])
        w.order(0, "mine_level_up", 4, 4)
        for phase in ("income", "plans", "hex_growth"):
            w.phase(phase)
        assert (w.cell(4, 4).level, w.cell(4, 4).pile, w.cell(4, 4).worked) == (10, 0, 1)
        assert w.nation(0).stone == 40  # 50 dug, 10 paid


@pytest.mark.rule("TURN-060")
def test_what_is_no_longer_the_mine_that_was_worked_is_not_drawn() -> None:
    w = SmallWorld(9, 9, 1, rules={"mine.collapse_level1": 100, "mine.collapse_level10": 100})
    w.cell(4, 4, terrain="quarry", owner=0, level=5, pile=50, worked=1)
    ground.put(w.world, w.rules, 40, terrain.MOUNTAIN, 0, 0)  # destroyed
    ground.put(w.world, w.rules, 40, terrain.QUARRY, 0, 5)
    w.phase("hex_growth")
    assert w.cell(4, 4).level == 5


@pytest.mark.rule("DEV-018", "TURN-006")
def test_a_mine_worked_in_an_earlier_turn_draws_no_more() -> None:
    w = SmallWorld(9, 9, 1, rules={"mine.collapse_level1": 100, "mine.collapse_level10": 100})
    w.cell(4, 4, terrain="quarry", owner=0, level=5, pile=9, worked=1)
    w.cell(5, 4, terrain="town", owner=0, population=50, capital=True)
    w.nation(0, food=500, shares=[100, 0, 0])  # nobody for the mine
    w.run(1)
    assert w.cell(4, 4).level == 4  # the mark of a world made by hand: no phase 5 has seen it yet
    w.run(1)
    assert w.cell(4, 4).level == 4 and w.cell(4, 4).worked == 0
