"""What full members of a faction see of each other, and with each other's eyes; nobody else does."""

from typing import Any

import numpy as np
import pytest

from hakoenv.engine.codes import item
from hakoenv.obs import bond_pieces, pieces, sight
from hakoenv.obs.spec import Spec
from hakoenv.obs.text import text
from hakoenv.testing import SmallWorld

TURN = 50
PIECES = ("mates", "mate_plans", "faction_sightings")


def four_nations(members: Any = (1, 2)) -> SmallWorld:
    """Nations in a row in the sea, too far from each other to see: 1 leads 2, 3 applies, 0 is alone."""
    w = SmallWorld(height=9, width=40, nations=4, turn=TURN)
    for n in range(4):
        w.cell(10 * n, 4, terrain="town", owner=n, population=50, capital=True)
        w.cell(10 * n + 1, 4, terrain="plains", owner=n)
    w.faction("North", leader=1, members=list(members), applications=[[3, 45]])
    return w


def seen(w: SmallWorld, nation: int) -> dict[str, Any]:
    spec = Spec(w.ruleset, w.nations)
    buffers = spec.buffers()
    spec.fill(w.counted(), w.rules, buffers)
    found = spec.of(buffers, nation)
    assert spec.space().contains(found)
    return {
        name: array.view(pieces.RECORDS[name])[..., 0] if name in pieces.RECORDS else array
        for name, array in found.items()
    }


def sightings(w: SmallWorld, nation: int) -> list[tuple[int, ...]]:
    """The faction map: what, owner's place, x, y, type, strength, watchers, own."""
    rows = seen(w, nation)["faction_sightings"]
    return [tuple(row) for row in rows[rows["what"] > 0].tolist()]


@pytest.mark.rule("FAC-017")
def test_a_unit_that_a_mate_sees_is_on_the_faction_map_and_not_in_the_own_view() -> None:
    w = four_nations()
    w.unit(0, "armor", 21, 3, strength=70)  # beside nation 2's land
    assert sightings(w, 1) == [(1, 3, 21, 3, 2, 70, 1, 0)]
    assert sightings(w, 2) == [(1, 2, 21, 3, 2, 70, 1, 1)]
    assert sightings(w, 0) == sightings(w, 3) == []
    cells = seen(w, 1)["cells"]
    assert not ((cells["x"] == 21) & (cells["y"] == 3)).any() and (cells["unit_owner"] <= 0).all()
    assert not seen(w, 1)["sightings"]["what"].any()
    cell = w.place(21, 3)
    assert sight.sees(w.world, w.rules, 1, cell)["unit"] is None
    shown = sight.faction_sees(w.world, w.rules, 1, cell)
    assert shown is not None and shown["unit"] == {"owner": 0, "type": "armor", "strength": 70}
    assert sight.faction_sees(w.world, w.rules, 3, cell) is None
    assert "## What mates see\n(21,3) armor strength 70 of nation_0" in told(w, 1)
    assert "What mates see" not in told(w, 3)


def told(w: SmallWorld, nation: int) -> str:
    return text(w.counted(), w.rules, w.ruleset, nation)


@pytest.mark.rule("FAC-017")
def test_warships_follow_the_rules_of_the_sea_and_merchants_are_no_news() -> None:
    w = four_nations()
    w.ship(0, "cruiser", 20, 5, hp=3)  # beside nation 2's cells
    w.ship(0, "merchant", 21, 5)
    w.ship(0, "destroyer", 35, 7)  # in sight of nobody
    assert sightings(w, 1) == [(2, 3, 20, 5, 2, 3, 1, 0)]


@pytest.mark.rule("FAC-017")
def test_what_mates_have_is_on_the_faction_map_after_what_is_strange() -> None:
    """In order: out of the own sight; mates' own; what the observer sees itself. Own units are elsewhere."""
    w = four_nations()
    w.unit(0, "infantry", 11, 3, strength=10)  # beside nation 1
    w.unit(2, "armor", 20, 4, strength=20)
    w.ship(2, "destroyer", 28, 8, hp=2)
    w.unit(1, "infantry", 10, 4, strength=30)
    w.unit(0, "infantry", 21, 3, strength=40)  # beside nation 2
    assert [row[5] for row in sightings(w, 1)] == [40, 20, 2, 10]
    assert [row[5] for row in sightings(w, 2)] == [10, 30, 40]
    assert [row[6] for row in sightings(w, 1)] == [1, 1, 1, 1]


@pytest.mark.rule("FAC-017")
def test_watchers_are_counted_and_a_full_list_says_so() -> None:
    w = SmallWorld(height=30, width=30, nations=4, turn=TURN)
    for n in range(1, 4):
        w.cell(9 * n, 0, terrain="town", owner=n, population=50, capital=True)
    w.faction("North", leader=1, members=[1, 2])
    for k in range(3 * 40):
        w.cell(k % 30, 10 + k // 30, terrain="plains", owner=2)
    for k in range(100):
        w.unit(3, "infantry", k % 30, 10 + k // 30)
    row = seen(w, 1)["diplomacy"]
    assert int(row["faction_sightings"]) == bond_pieces.FACTION_SIGHTINGS
    assert int(row["faction_sightings_left_out"]) == 100 - bond_pieces.FACTION_SIGHTINGS
    w.unit(1, "infantry", 0, 9)
    found = {(row[2], row[3]): row[6:] for row in sightings(w, 1)}
    assert found[(20, 10)] == (1, 0)
    assert sightings(w, 2)[-1][7] == 1
    alone = {(row[2], row[3]): row[6] for row in sightings(w, 2)}
    assert alone[(0, 10)] == 2


@pytest.mark.rule("FAC-015", "FAC-018")
def test_mates_know_funds_food_and_the_first_fifteen_commands() -> None:
    w = four_nations((1, 2, 0))
    w.nation(2, funds=1234, food=567)
    for k in range(22):
        w.order(2, "farm", 20, k % 9)
    mates = seen(w, 1)["mates"]
    assert mates["place"].tolist()[:3] == [1, 3, 0] and mates["leader"].sum() == 0
    assert [int(mates[0][name]) for name in ("funds", "food", "plan_length")] == [1234, 567, 15]
    plans = seen(w, 1)["mate_plans"]
    assert plans.shape == (16, 15)
    assert plans[0]["listed"].all() and plans[0]["y"].tolist() == [k % 9 for k in range(15)]
    assert not plans[1]["listed"].any()
    assert seen(w, 2)["mates"]["leader"].tolist()[:2] == [0, 1]  # nations 0 and 1
    assert sight.faction_shows(w.world, w.rules, 1, 2) == {"funds": 1234, "food": 567, "plan_shown": 15}
    assert sight.faction_shows(w.world, w.rules, 3, 2) is None
    assert "nation_2: funds 1234, food 567; plan: farm at (20,0); " in told(w, 1)
    assert "1234" not in told(w, 3)


@pytest.mark.rule("FAC-015", "TURN-077")
def test_outsiders_and_applicants_get_nothing_and_the_leaver_no_more() -> None:
    w = four_nations()
    w.nation(2, funds=1234)
    w.unit(0, "armor", 21, 3)
    w.order(2, "farm", 21, 4)
    shows = [[bool(np.any(np.array(seen(w, n)[name].tolist()))) for name in PIECES] for n in range(4)]
    assert shows == [[False] * 3, [True] * 3, [True, False, True], [False] * 3]  # nation 1 plans nothing
    w.order(1, "faction_leave", target=0)
    w.world.factions["leader"][0] = 2
    w.run(1)
    assert int(w.world.nations["faction"][1]) == -1
    for nation in range(4):
        assert not any(np.any(np.array(seen(w, nation)[name].tolist())) for name in PIECES)


@pytest.mark.rule("FAC-018")
def test_how_many_commands_mates_see_is_a_constant() -> None:
    w = SmallWorld(height=9, width=9, nations=2, turn=TURN, rules={"faction.visible_plan_commands": 2})
    for n in range(2):
        w.cell(4 * n, 4, terrain="town", owner=n, population=50, capital=True)
    w.faction("Two", leader=0, members=[0, 1])
    for k in range(5):
        w.order(1, "farm", 4, k)
    assert int(seen(w, 0)["mates"][0]["plan_length"]) == 2
    assert seen(w, 0)["mate_plans"][0]["listed"].tolist() == [1, 1, *[0] * 13]


def test_more_mates_than_places_are_counted() -> None:
    w = SmallWorld(height=9, width=40, nations=20, turn=TURN)
    for n in range(20):
        w.cell(2 * n, 4, terrain="town", owner=n, population=50, capital=True)
    w.faction("All", leader=0, members=list(range(20)))
    row = seen(w, 3)["diplomacy"]
    assert (int(row["mates"]), int(row["mates_left_out"])) == (16, 3)
    assert seen(w, 3)["mates"]["place"].tolist() == list(range(1, 17))


@pytest.mark.rule("FAC-015", "FAC-017", "FAC-018")
def test_a_mates_hidden_affairs_change_members_observations_only() -> None:
    def all_of(w: SmallWorld, nation: int) -> bytes:
        spec = Spec(w.ruleset, w.nations)
        buffers = spec.buffers()
        spec.fill(w.counted(), w.rules, buffers)
        return b"".join(array.tobytes() for array in spec.of(buffers, nation).values())

    w = four_nations()
    before = [all_of(w, n) for n in range(4)]
    w.world.nations["treasury"][2, item.FUNDS] += 5
    w.order(2, "farm", 21, 4)
    after = [all_of(w, n) for n in range(4)]
    assert [a == b for a, b in zip(before, after, strict=True)] == [True, False, False, True]
    w.world.nations["treasury"][2, item.STEEL] += 5  # of goods only food and funds are shown
    assert all_of(w, 1) == after[1]
