"""Land routes to mates overseas: where they begin, how they grow, and what they need."""

from __future__ import annotations

from typing import Any

import pytest
from hakoenv.agents.rule_ai import ferry, fleet, overseas
from hakoenv.agents.rule_ai.voyage import CORPS, GOAL

from hakoenv.testing import SmallWorld

HARBOUR = [("build_ship", 3, 2, 0, 0)]


def at(w: SmallWorld, x: int, y: int) -> int:
    """A cell's number."""
    return y * w.width + x


def goal(w: SmallWorld) -> tuple[int, int] | None:
    """Where nation 0's expansion overseas goes."""
    cell = int(w.world.nations["voyage"][0][GOAL]) - 1
    return (cell % w.width, cell // w.width) if cell >= 0 else None


# ---------------------------------------------------------------- the landing


@pytest.mark.rule("AID-031", "AID-032", "AID-033")
def test_a_landing_place_beside_the_mates_land_is_the_goal_of_an_expansion(aid: Any) -> None:
    w = aid.isles()
    w.cell(10, 1, terrain="plains")  # touches the mate's town (11, 2)
    assert aid.built(w) == HARBOUR
    assert goal(w) == (10, 1)
    w = aid.isles(True)
    w.cell(10, 1, terrain="forest")
    assert [step[3] for step in aid.built(w)] == [1]  # a destroyer for the marines
    assert goal(w) == (10, 1)


@pytest.mark.rule("AID-031", "AID-032")
def test_where_no_supply_base_can_be_put_nobody_lands(aid: Any) -> None:
    def landing(ground: str, x: int = 10, y: int = 1, sight: int = 0) -> tuple[int, int] | None:
        w = aid.isles(rules={"army.land_cell_search": sight})
        w.cell(x, y, terrain=ground)
        if sight:
            w.unit(2, "infantry", x, y, strength=10)
        aid.built(w)
        return goal(w)

    assert landing("wasteland") == (10, 1)
    assert landing("mountain") is None
    assert landing("plains", 8, 3) is None  # leads nowhere
    assert landing("plains", sight=8) is None  # somebody is seen there, from (2, 2)
    assert landing("plains", sight=1) == (10, 1)
    w = aid.isles()
    w.cell(10, 1, terrain="plains", owner=1)
    aid.built(w)
    assert goal(w) is None


@pytest.mark.rule("AID-032")
def test_the_shortest_way_to_the_mate_counts_then_the_nearest_by_sea(aid: Any) -> None:
    w = aid.isles()
    for x, y in ((8, 1), (9, 1), (10, 1)):  # three hexes in a row, the last beside the mate
        w.cell(x, y, terrain="plains")
    aid.built(w)
    assert goal(w) == (10, 1)
    w = aid.isles()
    w.cell(10, 1, terrain="mountain")
    for x, y in ((10, 3), (11, 1)):  # both beside the mate
        w.cell(x, y, terrain="plains")
    aid.built(w)
    assert goal(w) == (10, 3)


@pytest.mark.rule("AID-031", "AID-032")
def test_no_route_is_begun_for_a_mate_that_needs_none_or_without_reserves_to_send(aid: Any) -> None:
    for give in ("peace", "reserves", "declared"):
        w = aid.isles(reserves=201 if give == "reserves" else 700)
        w.cell(10, 1, terrain="plains")
        if give == "peace":
            w.relation(1, 2, state="peace")
        if give == "declared":
            w.relation(0, 2, state="pending", turns_left=3, declarer=2)
        assert aid.built(w) == []
        assert goal(w) is None


@pytest.mark.rule("AID-032")
def test_an_expansion_that_is_under_way_is_not_redirected(aid: Any) -> None:
    w = aid.isles(True)
    w.cell(10, 1, terrain="plains")
    w.cell(6, 4, terrain="plains")
    w.world.nations["voyage"][0] = at(w, 6, 4) + 1, 40, 0, 0
    aid.built(w)
    assert goal(w) == (6, 4)


# ---------------------------------------------------------------- the route


def strip(aid: Any, *own: int) -> SmallWorld:
    """Hexes from (6, 2) to (9, 2), beside the mate's forest (10, 2): some are nation 0's, others nobody's."""
    w: SmallWorld = aid.isles()
    w.cell(10, 2, terrain="forest", owner=1)
    for x in range(6, 10):
        w.cell(x, 2, terrain="wasteland", owner=0 if x in own else None)
    return w


@pytest.mark.rule("AID-032")
def test_from_the_landing_ownerless_hexes_are_taken_toward_the_mate_until_the_lands_touch(aid: Any) -> None:
    assert aid.built(strip(aid, 7)) == [("prepare_land", 8, 2, 0, 0)]  # not (6, 2)
    assert aid.built(strip(aid, 7, 8)) == [("prepare_land", 9, 2, 0, 0)]
    w = strip(aid, 7, 8, 9)
    assert aid.built(w) == []
    assert [step[3:] for step in aid.of(aid.plan(w), "aid_reserves")] == [(200, 1)]


@pytest.mark.rule("AID-032")
def test_a_route_is_no_longer_than_is_worth_it_and_leads_over_no_mountain(aid: Any) -> None:
    for most, begun in ((3, True), (2, False)):  # (7, 2) to (9, 2)
        w = aid.isles(rules={"ai.land_route_steps": most})
        w.cell(10, 2, terrain="forest", owner=1)
        for x in range(6, 10):
            w.cell(x, 2, terrain="wasteland", owner=0 if x == 6 else None)
        assert bool(aid.of(aid.built(w), "prepare_land")) is begun
    w = strip(aid, 6)
    w.cell(9, 2, terrain="mountain")  # no way over it
    assert aid.of(aid.built(w), "prepare_land") == []


# ---------------------------------------------------------------- ships for the marines


@pytest.mark.rule("AID-033")
def test_ships_for_marines_are_built_up_to_one_more_than_are_kept(aid: Any) -> None:
    def built(*fleets: int) -> list[Any]:
        w = aid.isles(True)
        w.cell(10, 1, terrain="plains")
        w.world.nations["voyage"][0] = at(w, 10, 1) + 1, 40, 0, 0
        for k, number in enumerate(fleets):
            w.ship(0, "destroyer", 5 + k, 3, fleet=number, hp=4)
            if number == 9:
                w.unit(0, "infantry", aboard=k, strength=10)  # it carries troops: not free
        staff = aid.staff_of(w)
        w.world.nations["plan_length"][0] = 0
        overseas.go_on(w.world, w.rules, 0, staff)
        return [step for step in aid.steps(w, 0) if step[0] == "build_ship"]

    assert [step[3] for step in built(0)] == [1]  # one is kept, none free
    assert built(0, 9) == []
    assert built(0, 4) == []  # the free one goes


@pytest.mark.rule("AID-036")
@pytest.mark.parametrize("near", [0, 1])
def test_the_nearest_free_ship_fetches_the_marines(aid: Any, near: int) -> None:
    w = aid.isles(True)
    w.cell(10, 1, terrain="plains")
    w.world.nations["voyage"][0] = at(w, 10, 1) + 1, 40, 0, 0
    w.ship(0, "destroyer", 5, 1, fleet=0, hp=4)
    for k in range(2):
        w.ship(0, "destroyer", 6 if k == near else 9, 4, fleet=4, hp=4)
    assert ("form_fleet", 6, 4, 15, 0) in aid.plan(w)


# ---------------------------------------------------------------- depots for the marines


def muster(aid: Any, w: SmallWorld) -> list[Any]:
    """What an expansion does whose ship waits at (4, 2)."""
    w.cell(13, 4, terrain="plains")
    w.world.nations["voyage"][0] = at(w, 13, 4) + 1, 40, 0, 0
    if not w.ships(owner=0):
        w.ship(0, "destroyer", 4, 2, fleet=15, hp=4)
    staff = aid.staff_of(w)
    w.world.nations["plan_length"][0] = 0
    overseas.go_on(w.world, w.rules, 0, staff)
    return [step[:3] for step in aid.steps(w, 0)]


@pytest.mark.rule("AID-034")
def test_without_plains_forest_or_wasteland_is_levelled_for_the_depot(aid: Any) -> None:
    w = aid.isles(True)
    assert muster(aid, w) == [("prepare_land", 2, 2)]  # the only forest
    w.cell(2, 2, terrain="plains", owner=0)
    assert muster(aid, w) == [("depot", 2, 2)]
    w = aid.isles(True)
    w.cell(2, 1, terrain="wasteland", owner=0)  # as near to the naval port: the lower index
    assert muster(aid, w) == [("prepare_land", 2, 1)]


@pytest.mark.rule("AID-034")
def test_mountains_mines_and_hexes_with_a_unit_are_not_levelled(aid: Any) -> None:
    for ground in ("mountain", "iron_mine"):
        w = aid.isles(True)
        w.cell(2, 2, terrain=ground, owner=0)
        assert muster(aid, w) == [], ground
    w = aid.isles(True)
    w.unit(0, "infantry", 2, 2, strength=10)
    assert muster(aid, w) == []


@pytest.mark.rule("AID-035")
@pytest.mark.parametrize(("towns", "expected"), [(6, [("prepare_land", 3, 1)]), (4, [])])
def test_the_smallest_of_many_towns_is_levelled_but_not_the_capital(
    aid: Any, towns: int, expected: list[Any]
) -> None:
    w = aid.isles(True)
    w.cell(1, 2, population=30)  # the capital
    w.cell(2, 2, terrain="town", owner=0, population=90)
    w.cell(3, 1, terrain="town", owner=0, population=40)
    w.cell(2, 1, terrain="town", owner=0, population=55)
    if towns > 4:
        w.cell(2, 3, terrain="metropolis", owner=0, population=170)
        w.cell(3, 3, terrain="town", owner=0, population=80)
    assert muster(aid, w) == expected
    if towns > 4:
        w.cell(2, 3, terrain="mountain", owner=0)
        assert muster(aid, w) == expected  # five are enough, the capital counted


# ---------------------------------------------------------------- where they meet


@pytest.mark.rule("AID-037")
def test_marines_and_ship_meet_on_the_nearest_coast_that_the_ship_can_reach(aid: Any) -> None:
    w = SmallWorld(height=3, width=14, nations=1, turn=40)
    for y in range(3):
        for x in range(10):
            w.cell(x, y, terrain="plains", owner=0)
    w.cell(1, 1, terrain="sea")  # a lake, two hexes from the unit
    w.unit(0, "infantry", 4, 1, strength=10)
    w.ship(0, "destroyer", 12, 1, fleet=15, hp=4)
    staff = aid.staff_of(w)
    assert ferry.fetch(w.world, w.rules, 0, staff, 0, 0, 16)
    unit_goal = int(staff.men[0]["goal"])
    (sailing,) = aid.of(aid.steps(w, 0), "fleet_move")
    assert unit_goal % w.width == 9  # the coast of the sea
    assert ferry.side_of(w.world, unit_goal, at(w, *sailing[1:3])) > 0
    assert staff.hulls[0]["role"] == fleet.AWAY
    assert w.world.nations["voyage"][0][CORPS] == 0
