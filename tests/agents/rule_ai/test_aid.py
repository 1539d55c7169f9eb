"""The rule AI sends reserves by land to mates at war: when, when not, how many, to whom first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from hakoenv.engine.codes import war_origin
from hakoenv.testing import SmallWorld

Sent = Callable[[SmallWorld], list[tuple[int, int]]]


def row(rules: dict[str, Any] | None = None, units: int = 60, **given: Any) -> SmallWorld:
    """In a row: nation 2, nation 0 with 700 reserves, its mate 1; apart from them nations 3 and 4.

    Nation 0 has a unit on the border with 2 and one in the capital (3, 1).
    """
    w = SmallWorld(height=3, width=14, nations=5, turn=40, rules=rules)
    w.cell(0, 1, terrain="town", owner=2, population=50, capital=True)
    w.cell(1, 1, terrain="forest", owner=2)
    w.cell(2, 1, terrain="forest", owner=0)
    w.cell(3, 1, terrain="town", owner=0, population=180, capital=True)
    w.cell(4, 1, terrain="forest", owner=0)
    w.cell(5, 1, terrain="forest", owner=1)
    w.cell(6, 1, terrain="town", owner=1, population=50, capital=True)
    w.cell(7, 1, terrain="forest")
    w.cell(12, 1, terrain="town", owner=3, population=50, capital=True)
    w.cell(9, 0, terrain="town", owner=4, population=50, capital=True)
    if units:
        w.unit(0, "infantry", 2, 1, strength=units)
        w.unit(0, "infantry", 3, 1, strength=units)
    w.nation(0, controller="rule_ai", **{"reserves": 700, "food": 2000, "founded": -60, **given})
    w.faction("A", 0, [0, 1])
    w.relation(1, 3, state="pending", turns_left=3, declarer=3)
    return w


@pytest.fixture
def sent(aid: Any) -> Sent:
    """To whom nation 0 sends how many reserves."""

    def read(w: SmallWorld) -> list[tuple[int, int]]:
        return [(target, amount) for _, _, _, amount, target in aid.of(aid.plan(w), "aid_reserves")]

    return read


# ---------------------------------------------------------------- when


@pytest.mark.rule("AID-008")
def test_a_mate_that_was_declared_upon_gets_reserves_before_and_during_the_war(sent: Sent) -> None:
    w = row()
    assert sent(w) == [(1, 200)]
    w.relation(1, 3, state="war", declarer=3)
    assert sent(w) == [(1, 200)]
    w.relation(1, 3, state="war", declarer=1)  # a war that it declared itself is a war
    assert sent(w) == [(1, 200)]
    w.relation(1, 3, state="pending", turns_left=3, declarer=1)  # but it was not declared upon
    assert sent(w) == []
    w.relation(1, 3, state="peace")
    assert sent(w) == []


@pytest.mark.rule("AID-008")
def test_only_mates_are_helped_and_only_by_nations_of_the_rule_ai(sent: Sent) -> None:
    for controller in ("external", "llm"):  # the rule AI plans as their proxy
        w = row()
        w.nation(0, controller=controller)
        assert sent(w) == []
    w = row()
    w.world.nations["faction"][1] = -1
    w.relation(0, 1, state="amity")
    assert sent(w) == []


# ---------------------------------------------------------------- when not


@pytest.mark.rule("AID-009", "AID-012")
def test_who_is_declared_upon_sends_nothing_but_a_war_of_its_own_choice_does_not_stop_it(sent: Sent) -> None:
    w = row()
    w.relation(0, 3, state="pending", turns_left=3, declarer=3)
    assert sent(w) == []
    w.relation(0, 3, state="war", declarer=3)
    assert sent(w) == []
    w.relation(0, 3, state="war", declarer=0)
    assert sent(w) == [(1, 200)]
    w.relation(0, 3, state="pending", turns_left=3, declarer=0)
    assert sent(w) == [(1, 200)]
    w.relation(0, 2, state="pending", turns_left=3, declarer=2)  # another one is not its choice
    assert sent(w) == []


@pytest.mark.rule("AID-012")
def test_a_war_that_a_defensive_pact_brought_is_not_of_its_own_choice(sent: Sent) -> None:
    w = row()
    w.relation(0, 3, state="war", declarer=0)
    w.world.relations["origin"][0, 3] = w.world.relations["origin"][3, 0] = war_origin.PACT
    assert sent(w) == []


@pytest.mark.rule("AID-009", "AID-011")
def test_who_has_a_neighbour_more_than_twice_as_strong_sends_nothing(sent: Sent) -> None:
    w = row()  # nation 0 has 700 + 120
    w.nation(2, reserves=1640)
    assert sent(w) == [(1, 200)]
    w.nation(2, reserves=1641)
    assert sent(w) == []
    w.nation(2, good_terms=[0])
    assert sent(w) == [(1, 200)]
    w.nation(2, good_terms=[])
    w.relation(0, 2, state="amity")
    assert sent(w) == [(1, 200)]
    w = row()
    w.nation(3, reserves=9000)  # no neighbour
    assert sent(w) == [(1, 200)]
    w.nation(1, reserves=9000)  # a mate
    assert sent(w) == [(1, 200)]


@pytest.mark.rule("AID-009", "AID-011")
def test_who_sees_an_enemys_unit_within_two_hexes_of_its_land_sends_nothing(sent: Sent) -> None:
    for x, goes in ((7, True), (6, False)):  # own land ends at (4, 1)
        w = row({"army.land_cell_search": 3})
        w.unit(3, "infantry", x, 1, strength=10)
        w.relation(0, 3, state="war", declarer=0)
        assert bool(sent(w)) is goes, x
    w = row({"army.land_cell_search": 3})
    w.unit(3, "infantry", 6, 1, strength=10)  # no enemy of its own
    assert sent(w) == [(1, 200)]


# ---------------------------------------------------------------- how many


@pytest.mark.rule("AID-010")
@pytest.mark.parametrize(
    ("reserves", "floor", "units", "amount"),
    [
        (700, 200, 75, 200),  # surplus 400, half 200; 500 + 150 left
        (699, 200, 75, 199),  # 399, rounded down
        (900, 200, 75, 200),  # half is 300: no more than 200
        (302, 200, 75, 1),
        (301, 200, 75, 0),  # half of 1
        (300, 200, 75, 0),  # no surplus
        (340, 0, 0, 40),  # half of 240, but 300 must be left
        (300, 0, 0, 0),
        (340, 0, 15, 70),  # 30 in units count, too
    ],
)
def test_half_of_the_surplus_is_sent_within_its_limits(
    sent: Sent, reserves: int, floor: int, units: int, amount: int
) -> None:
    w = row({"ai.aid_reserve_floor": floor}, units=units, reserves=reserves)
    assert sent(w) == ([(1, amount)] if amount else [])


@pytest.mark.rule("AID-010", "AID-011")
def test_the_reserve_floor_is_100(sent: Sent) -> None:
    assert sent(row(reserves=210)) == [(1, 5)]  # surplus 210 - (100 + 100); 205 + 120 left
    assert sent(row(reserves=201)) == []


@pytest.mark.rule("AID-010", "AID-038")
def test_what_defence_places_in_the_same_plan_is_not_given_away(aid: Any, sent: Sent) -> None:
    w = row(units=0, reserves=400, funds=3000)
    w.cell(4, 1, terrain="depot", owner=0)
    placed = aid.of(aid.plan(w), "place_unit")
    assert [step[1:3] for step in placed] == [(4, 1)]  # 50 for the border or the capital
    assert sent(w) == [(1, 75)]  # half of 400 - 50 - 200


@pytest.mark.rule("AID-010")
def test_units_that_stand_somewhere_are_neither_moved_nor_recalled_for_aid(aid: Any) -> None:
    planned = aid.plan(row())
    assert {step[0] for step in planned} <= {"aid_reserves", "corps_orders"}
    w = row(reserves=0, units=200)
    assert aid.plan(w) == []


# ---------------------------------------------------------------- to whom


@pytest.mark.rule("AID-011")
def test_the_weakest_by_its_enemies_strength_comes_first_then_the_lowest_number(sent: Sent) -> None:
    def first(own: int, other: int, more: bool = False) -> int:
        w = row()
        w.world.nations["faction"][2] = w.world.nations["faction"][0]
        w.relation(2, 3, state="war", declarer=3)
        w.nation(1, reserves=own)
        w.nation(2, reserves=other)
        w.nation(3, reserves=500)
        if more:  # one enemy more, of strength 400
            w.nation(4, reserves=400)
            w.relation(2, 4, state="war", declarer=4)
        ((target, _),) = sent(w)  # one command a turn
        return target

    assert first(100, 99) == 2
    assert first(99, 100) == 1
    assert first(100, 100) == 1
    assert first(100, 180, more=True) == 1  # 1/5 and 1/5
    assert first(100, 179, more=True) == 2  # although it is stronger
