"""Reserves for mates overseas: what the rule AI builds for them, which ship carries them, and when."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hakoenv.agents.rule_ai import aid as aids
from hakoenv.agents.rule_ai import outer_sea, planner
from hakoenv.agents.rule_ai import staff as staffs

from hakoenv.engine import turn
from hakoenv.testing import SmallWorld

HARBOUR = [("build_ship", 3, 2, 0, 0)]


def at(w: SmallWorld, x: int, y: int) -> int:
    """A cell's number."""
    return y * w.width + x


def ordered(aid: Any, w: SmallWorld) -> list[int]:
    """The amounts of the ships and ports that nation 0 builds."""
    return [step[3] for step in aid.of(aid.built(w), "build_ship")]


def attack(w: SmallWorld) -> SmallWorld:
    """The war that nation 2 declared on the mate is open."""
    w.relation(1, 2, state="war", declarer=2)
    return w


def lake(w: SmallWorld) -> SmallWorld:
    """The mate's only port, (13, 2), lies on a lake of one hex, (12, 2)."""
    w.cell(10, 2, terrain="plains", owner=1)
    for x, y in ((11, 1), (12, 1), (13, 1), (11, 3), (12, 3), (13, 3)):
        w.cell(x, y, terrain="wasteland", owner=1)
    w.cell(13, 2, terrain="port", owner=1)
    return w


# ---------------------------------------------------------------- what is built


@pytest.mark.rule("AID-022", "AID-023")
def test_without_a_naval_port_one_is_built(aid: Any) -> None:
    w = aid.isles()
    assert aid.built(w) == HARBOUR
    assert aid.of(aid.plan(w), "aid_reserves", "national_aid") == []


@pytest.mark.rule("AID-022", "AID-023")
def test_destroyers_are_built_until_there_is_one_more_than_are_kept_for_defence(aid: Any) -> None:
    w = aid.isles(True)  # one naval port: one is kept
    assert ordered(aid, w) == [1]
    w.ship(0, "destroyer", 4, 3, fleet=0)
    assert ordered(aid, w) == [1]
    w.ship(0, "destroyer", 5, 3, fleet=0)
    assert ordered(aid, w) == []
    w = aid.isles(True)
    w.cell(2, 2, terrain="naval_port", owner=0)  # two: two are kept
    w.ship(0, "destroyer", 4, 3, fleet=0)
    assert ordered(aid, w) == [1]
    w.ship(0, "destroyer", 5, 3, fleet=0)
    assert ordered(aid, w) == [1]
    w.ship(0, "destroyer", 6, 3, fleet=0)
    assert ordered(aid, w) == []


@pytest.mark.rule("AID-023")
def test_a_new_ship_joins_the_lowest_fleet_with_a_free_place(aid: Any) -> None:
    w = aid.isles(True, {"ai.guard_ships": 3})
    w.cell(2, 2, terrain="naval_port", owner=0)  # six are kept
    for x in range(4, 9):
        w.ship(0, "destroyer", x, 4, fleet=0)
    assert ordered(aid, w) == [111]  # 100 + fleet 1 x 10 + class 1


@pytest.mark.rule("AID-025")
def test_nothing_is_built_by_who_sends_no_reserves(aid: Any) -> None:
    w = aid.isles()
    w.relation(1, 2, state="peace")
    assert aid.built(w) == []
    w = aid.isles()
    w.relation(0, 2, state="pending", turns_left=3, declarer=2)
    assert aid.built(w) == []
    assert aid.built(aid.isles(reserves=201)) == []  # half of a surplus of 1
    assert aid.built(aid.isles(reserves=203)) == []  # less than 300 would be left, units included
    assert aid.built(aid.isles(reserves=241)) == HARBOUR


@pytest.mark.rule("AID-025")
def test_nothing_is_built_that_is_not_payable(aid: Any) -> None:
    assert aid.built(aid.isles(funds=599)) == []
    assert aid.built(aid.isles(funds=600)) == HARBOUR
    assert ordered(aid, attack(aid.isles(True, funds=399))) == []
    assert ordered(aid, attack(aid.isles(True, funds=400))) == [1]
    assert ordered(aid, attack(aid.isles(True, steel=2))) == []
    assert ordered(aid, attack(aid.isles(True, steel=3))) == [1]
    assert ordered(aid, attack(aid.isles(True, fuel=0))) == []  # it would be worn down at once


@pytest.mark.rule("AID-025")
def test_nothing_is_built_at_the_caps_of_ships(aid: Any) -> None:
    for caps, built in (({}, [1]), ({"ship.nation_max": 2}, []), ({"ship.per_naval_port": 2}, [])):
        w = aid.isles(True, {"ai.guard_ships": 3, **caps})
        w.ship(0, "destroyer", 4, 4, fleet=0)
        w.ship(0, "destroyer", 5, 4, fleet=0)
        assert ordered(aid, w) == built, caps
    w = aid.isles(rules={"ship.nation_max": 2})
    w.ship(0, "destroyer", 4, 4, fleet=0)
    w.ship(0, "destroyer", 5, 4, fleet=0)
    assert aid.built(w) == []  # nor a naval port


@pytest.mark.rule("AID-024", "AID-025")
def test_nothing_is_built_for_a_mate_whose_only_port_lies_on_a_lake(aid: Any) -> None:
    assert aid.built(lake(aid.isles())) == []
    w = lake(aid.isles())
    w.cell(10, 2, terrain="naval_port", owner=1)
    assert aid.built(w) == HARBOUR
    w = lake(aid.isles())
    w.cell(12, 3, terrain="port", owner=1)  # ports are crossed: the lake is none
    w.cell(12, 4, terrain="sea")
    assert aid.built(w) == HARBOUR


@pytest.mark.rule("AID-023", "AID-024")
def test_nothing_is_built_on_water_that_does_not_lead_to_the_mate(aid: Any) -> None:
    w = aid.isles()
    for x, y in ((2, 1), (3, 1), (2, 3), (3, 3), (5, 2), (4, 1), (4, 3)):
        w.cell(x, y, terrain="mountain", owner=0)
    assert aid.built(w) == []  # (4, 2) is a lake


@pytest.mark.rule("AID-026")
def test_a_dead_end_inlet_counts_while_nobody_lies_there(aid: Any) -> None:
    def inlet() -> SmallWorld:
        w: SmallWorld = lake(aid.isles())
        w.cell(11, 3, terrain="sea")  # leads into (12, 2)
        return w

    assert aid.built(inlet()) == HARBOUR
    w = inlet()
    w.ship(1, "merchant", 12, 2)
    assert aid.built(w) == []
    w = aid.isles()
    for x, y in ((9, 2), (9, 1), (10, 1), (9, 3), (10, 3)):
        w.ship(1, "merchant", x, y)
    assert aid.built(w) == HARBOUR  # no inlet: they will move on


@pytest.mark.rule("AID-027", "AID-028")
def test_only_while_the_mate_is_attacked_steel_goes_below_what_is_held_back(aid: Any) -> None:
    rules = {"ai.ship_steel_keep": 40}
    assert ordered(aid, aid.isles(True, rules, steel=12)) == []  # declared upon
    assert ordered(aid, attack(aid.isles(True, rules, steel=12))) == [1]
    w = aid.isles(True, rules, steel=12)
    w.relation(1, 2, state="war", declarer=1)  # its own war
    assert ordered(aid, w) == []
    assert ordered(aid, aid.isles(True, rules, steel=42)) == []
    assert ordered(aid, aid.isles(True, rules, steel=43)) == [1]  # 40 are left


# ---------------------------------------------------------------- the outer sea


@pytest.mark.rule("AID-024")
def test_the_outer_sea_is_the_largest_water_and_ports_do_not_cut_it() -> None:
    w = SmallWorld(height=3, width=9, nations=1)
    for y in range(3):
        w.cell(3, y, terrain="plains")
        w.cell(6, y, terrain="plains")
    w.cell(7, 1, terrain="shallows")
    staff = staffs.assemble(w.world)

    def outer() -> set[int]:
        staffs.call_roll(w.world, staff)
        outer_sea.chart(w.world, staff)
        inside = [i for i in range(w.world.cells.size) if outer_sea.has(w.world, staff, i)]
        return {i % w.width for i in inside}

    assert outer() == {0, 1, 2}  # of 9, 6 and 6 cells
    w.cell(6, 1, terrain="port")
    assert outer() == {4, 5, 7, 8}  # 12 together
    w.cell(3, 1, terrain="naval_port")
    assert outer() == {0, 1, 2, 4, 5, 7, 8}


# ---------------------------------------------------------------- which ship


def fleet(aid: Any, hp: int = 3, guard: int = 4, rules: Any = None) -> SmallWorld:
    """`isles` with a naval port, a guard at (5, 2) and a ship beside the port."""
    w: SmallWorld = aid.isles(True, rules)
    w.ship(0, "destroyer", 5, 2, fleet=0, hp=guard)
    w.ship(0, "destroyer", 4, 2, fleet=4, hp=hp)
    return w


@pytest.mark.rule("AID-029", "AID-013")
def test_a_ship_carries_reserves_once_it_has_more_than_half_of_its_hit_points(aid: Any) -> None:
    assert aid.of(aid.plan(fleet(aid, hp=3)), "national_aid") == [("national_aid", 10, 0, 200, 1)]
    planned = aid.plan(fleet(aid, hp=2))
    assert aid.of(planned, "national_aid", "fleet_move") == []
    assert aid.of(planned, "naval_repair") == [("naval_repair", 4, 2, 0, 0)]


@pytest.mark.rule("AID-029", "AID-031")
def test_it_waits_while_a_ship_that_is_damaged_would_be_loaded_in_its_place(aid: Any) -> None:
    w = fleet(aid)
    w.ship(0, "destroyer", 3, 1, fleet=0, hp=1)
    assert len(aid.of(aid.plan(w), "national_aid")) == 1  # the ship before it in the list goes
    w = aid.isles(True)
    w.ship(0, "destroyer", 3, 1, fleet=0, hp=2)  # the guard, first in the list
    w.ship(0, "destroyer", 4, 2, fleet=4, hp=4)
    assert aid.of(aid.plan(w), "national_aid") == []


@pytest.mark.rule("AID-022", "AID-031")
def test_the_ships_kept_for_defence_carry_none(aid: Any) -> None:
    w = aid.isles(True)
    w.ship(0, "destroyer", 4, 2, fleet=0, hp=4)
    assert aid.of(aid.plan(w), "national_aid") == []
    w.ship(0, "submarine", 6, 2, fleet=4, hp=3)  # has no room
    assert aid.of(aid.plan(w), "national_aid") == []


@pytest.mark.rule("AID-031")
def test_while_there_is_a_landing_place_only_a_ship_beyond_guards_and_marines_carries(aid: Any) -> None:
    def carried(marines: int) -> int:
        w = fleet(aid)
        w.cell(10, 1, terrain="plains")  # beside the mate's town
        for x in range(marines):
            w.ship(0, "destroyer", 6 + x, 4, fleet=15, hp=4)
        return len(aid.of(aid.plan(w), "national_aid"))

    assert carried(2) == 1  # 4 ships: 1 kept, 2 for marines
    assert carried(0) == 0  # 2 ships: the free one is wanted for marines
    w = aid.isles(True)
    w.cell(10, 1, terrain="plains")
    w.ship(0, "destroyer", 5, 2, fleet=0, hp=4)
    w.ship(0, "destroyer", 6, 4, fleet=15, hp=4)
    w.ship(0, "destroyer", 4, 2, fleet=15, hp=4)
    assert aid.of(aid.plan(w), "national_aid") == []


@pytest.mark.rule("AID-031")
def test_without_a_landing_place_the_ship_of_an_expansion_that_is_over_may_carry(aid: Any) -> None:
    w = aid.isles(True)
    w.ship(0, "destroyer", 5, 2, fleet=0, hp=4)
    w.ship(0, "destroyer", 4, 2, fleet=15, hp=4)
    assert len(aid.of(aid.plan(w), "national_aid")) == 1
    w.cell(8, 4, terrain="plains")
    w.world.nations["voyage"][0] = at(w, 8, 4) + 1, 40, 0, 0
    assert aid.of(aid.plan(w), "national_aid") == []


@pytest.mark.rule("AID-036")
@pytest.mark.parametrize("near", [0, 1])
def test_of_two_free_ships_the_nearer_by_sea_goes_to_fetch_reserves(aid: Any, near: int) -> None:
    w = aid.isles(True)
    w.ship(0, "destroyer", 5, 2, fleet=0, hp=4)
    for k in range(2):
        w.ship(0, "destroyer", 7 if k == near else 9, 4, fleet=7 + k, hp=4)
    moves = aid.of(aid.plan(w), "fleet_move")
    assert [step[3] for step in moves if step[1] <= 4] == [107 + near]  # to the naval port at (3, 2)


@pytest.mark.rule("AID-036")
def test_of_equally_near_ships_the_lowest_number_goes(aid: Any) -> None:
    w = aid.isles(True)
    w.ship(0, "destroyer", 5, 2, fleet=0, hp=4)
    w.ship(0, "destroyer", 7, 1, fleet=7, hp=4)
    w.ship(0, "destroyer", 7, 3, fleet=8, hp=4)
    moves = aid.of(aid.plan(w), "fleet_move")
    assert [step[3] for step in moves if step[1] <= 4] == [107]


@pytest.mark.rule("AID-026")
def test_a_ship_waits_while_the_inlet_at_its_own_naval_port_is_taken(aid: Any) -> None:
    def moves(taken: bool) -> list[Any]:
        w = aid.isles(True)
        for x, y in ((2, 1), (3, 1), (2, 3), (3, 3)):
            w.cell(x, y, terrain="mountain", owner=0)  # (4, 2) is the only water of the port
        w.ship(0, "destroyer", 7, 3, fleet=0, hp=4)
        w.ship(0, "destroyer", 6, 2, fleet=7, hp=4)
        if taken:
            w.ship(1, "merchant", 4, 2)
        return [step for step in aid.of(aid.plan(w), "fleet_move") if step[3] == 107]

    assert moves(False) == [("fleet_move", 4, 2, 107, 0)]
    assert moves(True) == []


# ---------------------------------------------------------------- in the whole plan


@pytest.mark.rule("AID-038")
def test_aid_stands_between_border_readiness_and_a_shortage_of_fuel() -> None:
    w = SmallWorld(height=3, width=3, nations=1)
    s = w.rules.scalars[0]
    named = ("guard", "reserve_aid", "land_route", "relief", "fuel")
    assert [s[f"ai_priority_{name}"] for name in named] == [88, 87, 86, 85, 84]
    levels = list(planner.priorities(w.rules))
    assert levels[levels.index(88) :][:5] == [88, 87, 86, 85, 84]


@pytest.mark.rule("AID-038", "AID-022")
def test_a_turn_is_spent_on_the_relief_port_unless_something_larger_wants_it(aid: Any) -> None:
    def built(**rules: int) -> bool:
        w = aid.isles(rules={f"ai.{name}": value for name, value in rules.items()})
        turn.run_phase(w.world, w.rules, "nation_update")
        planner.write_plans(w.world, w.rules, np.array([0]))
        return len(aid.of(aid.steps(w, 0), "build_ship")) == 1

    assert built()
    assert not built(priority_relief=40)  # the first port of an economy: 80


@pytest.mark.rule("AID-028")
def test_a_mate_is_attacked_once_a_war_declared_on_it_is_open(aid: Any) -> None:
    w = aid.isles()
    assert not aids.is_attacked(w.world, 1)
    assert aids.is_attacked(attack(w).world, 1)
    w.relation(1, 2, state="war", declarer=1)
    assert not aids.is_attacked(w.world, 1)


@pytest.mark.rule("AID-022", "AID-029")
def test_reserves_reach_the_mate(aid: Any) -> None:
    w = fleet(aid)
    w.relation(1, 2, state="pending", turns_left=5, declarer=2)
    w.nation(1, food=500)
    w.run(2)
    assert (w.nation(0).reserves, w.nation(1).reserves) == (500, 200)
