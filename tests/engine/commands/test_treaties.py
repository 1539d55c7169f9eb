"""Land that changes hands in peace: masks against what happens, and what goes with the land."""

import numpy as np
import pytest

from hakoenv.engine.codes import command, event, reason
from hakoenv.engine.commands import execute, plans, validate
from hakoenv.engine.world import copy_world
from hakoenv.testing import SmallWorld

SIZE = 7
GROUNDS = ("plains", "town", "farm", "missile_base", "seabed_base", "offshore_oil", "port", "mountain", "sea")


def patchwork(seed: int) -> SmallWorld:
    """Cells of every sort and owner at random, a unit here and there; nation 0 in all relations."""
    rng = np.random.default_rng(seed)
    w = SmallWorld(height=SIZE, width=SIZE, nations=5, turn=100)
    for y in range(SIZE):
        for x in range(SIZE):
            owner = (None, 0, 0, 0, 1, 2, 3, 4)[rng.integers(8)]
            w.cell(x, y, terrain=GROUNDS[rng.integers(len(GROUNDS))], owner=owner)
            if rng.integers(6) == 0:
                w.unit(int(rng.integers(5)), "infantry", x, y, strength=10)
    w.cell(3, 3, terrain="town", owner=0, population=30, capital=True)
    w.relation(0, 1, state="war", by=0)
    w.relation(0, 2, state="pending", turns_left=1, by=2)
    w.relation(0, 3, state="pending", turns_left=2, by=0)
    w.nation(4, founded=99)
    return w


@pytest.mark.rule("LIMIT-006", "LIMIT-010", "LIMIT-017")
@pytest.mark.parametrize("seed", range(6))
def test_masks_of_cession_say_what_the_coming_turn_accepts(seed: int) -> None:
    """By brute force over cells and partners: alone in its turn, a cession does as its mask."""
    w = patchwork(seed)
    w.world.nations["ceded"][0] = 10 * (seed % 2)  # used up in this turn, not in the coming one
    asked = [(x, y, to) for y in range(SIZE) for x in range(SIZE) for to in range(-1, 6)]
    legal = [validate.is_legal(w.world, w.rules, 0, command.CEDE_LAND, x, y, 0, to) for x, y, to in asked]
    for phase in ("clock", "turn_state", "diplomacy"):
        w.phase(phase)
    for (x, y, to), allowed in zip(asked, legal, strict=True):
        world = copy_world(w.world)
        plans.set_plan(world, 0, [("cede_land", x, y, 0, to)])
        execute.run_plan(world, w.rules, 0)
        why = plans.results_of(world, 0)[0].reason
        assert (why == reason.DONE) == allowed and why != reason.BLOCKED, (x, y, to, reason.name(why))
        assert (world.cells["owner"][y, x] == to) == (allowed or w.world.cells["owner"][y, x] == to)
    assert any(legal)


@pytest.mark.rule("LIMIT-010", "LIMIT-017")
def test_a_cession_is_told_with_both_names_and_is_no_taking() -> None:
    w = SmallWorld(height=5, width=6, nations=2, turn=100)
    w.cell(0, 0, terrain="town", owner=0, population=60, capital=True)
    w.cell(2, 2, terrain="town", owner=0, population=30, resistance=60)
    w.cell(3, 2, terrain="farm", owner=1, level=10)
    w.cell(5, 4, terrain="town", owner=1, population=40, capital=True)
    w.order(0, "cede_land", x=2, y=2, target=1)
    w.phase("plans")
    told = [e for e in w.world.events if e["kind"] == event.CELL_CEDED]
    assert [(int(e["nation"]), int(e["other"]), int(e["cell"])) for e in told] == [(0, 1, 2 * 6 + 2)]
    place = w.world.cells[2, 2]
    assert (int(place["taken_turn"]), int(place["taken_from"])) == (0, -1)
    w.phase("nation_update")
    assert (w.nation(0).population, w.nation(1).population) == (60, 70)
    assert (w.nation(0).land, w.nation(1).land) == (1, 3)


@pytest.mark.rule("LIMIT-017", "TURN-011")
def test_who_cedes_a_town_has_had_its_tax_of_the_turn() -> None:
    """Income comes before plans: 90 people pay floor(9.0) to the giver, in the next turn 30 pay the other."""
    w = SmallWorld(height=5, width=6, nations=2, turn=100)
    w.cell(0, 0, terrain="town", owner=0, population=60, capital=True)
    w.cell(2, 2, terrain="town", owner=0, population=30)
    w.cell(3, 2, terrain="farm", owner=1, level=10)
    w.cell(5, 4, terrain="town", owner=1, population=40, capital=True)
    w.order(0, "cede_land", x=2, y=2, target=1)
    for phase in ("income", "plans", "nation_update", "clock", "income"):
        w.phase(phase)
    assert w.nation(0).funds == 9 + 10 + 6
    assert w.nation(1).funds == 4 + 10 + 7
