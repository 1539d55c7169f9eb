"""Reserves for mates over land: command 50 (AID-001 .. AID-006, CMD-020, LIMIT-006)."""

from __future__ import annotations

from typing import Any

import pytest

from hakoenv.engine import territory
from hakoenv.engine.codes import command as number
from hakoenv.engine.codes import event, reason
from hakoenv.engine.commands import execute, plans, validate
from hakoenv.testing import SmallWorld
from hakoenv.testing.driver import give


def row(nations: int = 3, mates: tuple[int, ...] = (0, 1, 2), **rules: Any) -> SmallWorld:
    """Nations in a row, 4 cells each: a town in the middle; the land of each touches that of the next."""
    w = SmallWorld(9, 18, nations, turn=40, rules={"fundraise.income": 0, **rules})
    for n in range(nations):
        w.cell(2 + 4 * n, 4, terrain="town", owner=n, population=50, capital=True)
        for x in (1, 3, 4):
            w.cell(x + 4 * n, 4, terrain="plains", owner=n)
        w.nation(n, reserves=500)
    if mates:
        w.faction("A", mates[0], list(mates))
    return w


def send(amount: int, to: int) -> tuple[Any, ...]:
    return ("aid_reserves", 0, 0, amount, to)


def pools(w: SmallWorld) -> list[int]:
    return [int(count) for count in w.world.nations["reserves"]]


def is_offered(w: SmallWorld, nation: int, amount: int, to: int) -> bool:
    territory.index(w.world, w.rules)
    return bool(validate.is_legal(w.world, w.rules, nation, number.AID_RESERVES, 0, 0, amount, to))


@pytest.mark.rule("AID-001", "CMD-020")
def test_reserves_go_from_pool_to_pool_at_once() -> None:
    """500 and 40, 150 are sent: 350 and 190."""
    w = row()
    w.nation(1, reserves=40)
    assert give(w, 0, send(150, 1)) == ["done"]
    assert pools(w) == [350, 190, 500]
    assert w.world.nations["aid_sent"][0].tolist() == [0] * 10 + [150]
    told = w.world.events[: int(w.world.clock[0]["event_count"])][-1]
    assert (told["kind"], told["nation"], told["other"], told["amount"]) == (event.RESERVES_SENT, 0, 1, 150)


@pytest.mark.rule("CMD-020", "TURN-015")
def test_it_costs_nothing_and_uses_no_turn() -> None:
    w = row()
    w.nation(0, funds=7)
    assert give(w, 0, send(150, 1), ("fundraise",)) == ["done", "done"]
    assert w.nation(0).funds == 7


@pytest.mark.rule("AID-002", "CMD-020", "FAC-021")
@pytest.mark.parametrize(("amount", "sent"), [(350, 200), (201, 200), (200, 200), (1, 1), (2**40, 200)])
def test_at_most_200_are_sent(amount: int, sent: int) -> None:
    w = row()
    assert give(w, 0, send(amount, 1)) == ["done"]
    assert pools(w) == [500 - sent, 500 + sent, 500]


@pytest.mark.rule("AID-002", "CMD-020", "FAC-021")
def test_once_a_turn_counting_all_receivers() -> None:
    """Nation 1 borders on both; the next turn has its own time."""
    w = row()
    assert give(w, 1, send(1, 0), send(1, 2), send(1, 0)) == ["done", "once_a_turn", "once_a_turn"]
    assert pools(w) == [501, 499, 500]
    assert is_offered(w, 1, 1, 2)
    assert give(w, 0, send(5, 1)) == ["done"]
    w.phase("clock")
    w.phase("turn_state")
    assert give(w, 1, send(1, 2)) == ["done"]


@pytest.mark.rule("AID-002")
def test_a_refused_order_is_none_of_the_times() -> None:
    w = row()
    assert give(w, 0, send(5, 2), send(5, 1)) == ["no_land_border", "done"]


@pytest.mark.rule("AID-002")
def test_a_ruleset_may_allow_two_of_300_or_none() -> None:
    w = row(**{"aid.reserves_per_turn": 2, "aid.reserves_max": 300})
    w.nation(0, reserves=1000)
    assert give(w, 0, send(10, 1), send(400, 1), send(1, 1)) == ["done", "done", "once_a_turn"]
    assert pools(w) == [690, 810, 500]
    assert give(row(**{"aid.reserves_per_turn": 0}), 0, send(10, 1)) == ["once_a_turn"]


@pytest.mark.rule("CMD-020")
@pytest.mark.parametrize(
    ("reserves", "amount", "why"),
    [
        (150, 150, "done"),
        (149, 150, "no_strength"),
        (200, 900, "done"),
        (199, 900, "no_strength"),
        (0, 1, "no_strength"),
        (100, 0, "bad_amount"),
        (100, -3, "bad_amount"),
    ],
)
def test_what_is_sent_must_be_there(reserves: int, amount: int, why: str) -> None:
    w = row()
    w.nation(0, reserves=reserves)
    assert give(w, 0, send(amount, 1)) == [why]
    assert sum(pools(w)) == reserves + 1000 and (pools(w)[0] == reserves) == (why != "done")


@pytest.mark.rule("AID-001", "AID-003", "CMD-020")
def test_only_land_that_touches_land_is_a_border() -> None:
    """Nation 2 is a mate beyond nation 1; then a port of it lies beside land of 0, then land."""
    w = row()
    assert not is_offered(w, 0, 5, 2)
    assert give(w, 0, send(5, 2)) == ["no_land_border"]
    w.cell(2, 3, terrain="port", owner=2, level=1)
    assert give(w, 0, send(5, 2)) == ["no_land_border"]
    w.cell(2, 3, terrain="plains", owner=2)
    assert is_offered(w, 0, 5, 2)
    assert give(w, 0, send(5, 2)) == ["done"]


@pytest.mark.rule("AID-001", "AID-021")
def test_land_that_changes_hands_in_the_turn_counts_as_it_is_then() -> None:
    """Nation 1 cedes the cell that lies between 0 and 2 to 2, or the other way round."""
    w = row()
    for x in (5, 6, 7, 8):
        w.cell(x, 4, terrain="sea", owner=None)
    w.cell(5, 4, terrain="plains", owner=2)
    w.cell(1, 8, terrain="town", owner=1, population=50, capital=True)
    assert give(w, 0, send(5, 2)) == ["done"]
    w.cell(5, 4, owner=1)  # still listed as nation 2's
    plans.set_plan(w.world, 0, [send(5, 1)])
    execute.run_plan(w.world, w.rules, 0)
    assert plans.results_of(w.world, 0)[0].reason == reason.ONCE_A_TURN
    w.world.nations["plan_length"][0] = 0
    w.world.nations["aid_sent"][0] = 0
    plans.set_plan(w.world, 0, [send(5, 2), send(5, 1)])
    execute.run_plan(w.world, w.rules, 0)
    assert [entry.reason for entry in plans.results_of(w.world, 0)][:2] == [
        reason.NO_LAND_BORDER,
        reason.DONE,
    ]


@pytest.mark.rule("AID-004", "AID-001")
@pytest.mark.parametrize("tie", ["none", "amity", "league", "containment", "other faction", "applicant"])
def test_nobody_outside_the_faction_gets_any(tie: str) -> None:
    w = row(2, mates=())
    if tie == "amity":
        w.relation(0, 1, state="amity")
    elif tie == "league":
        w.league("L", [0, 1])
    elif tie == "containment":
        w.world.nations["contained"] = 1
    elif tie == "other faction":
        w.faction("A", 0)
        w.faction("B", 1)
    elif tie == "applicant":
        w.faction("A", 0, applications=[[1, 39]])
    assert not is_offered(w, 0, 50, 1)
    assert give(w, 0, send(50, 1), ("national_aid", 10, 0, 50, 1)) == ["not_a_mate", "not_a_mate"]
    assert pools(w) == [500, 500]


@pytest.mark.rule("AID-005")
def test_a_world_without_the_faction_condition_lets_any_land_neighbour_have_some() -> None:
    """Still by land only, still once a turn; by ship to mates only."""
    w = row(3, mates=(), **{"aid.faction_only": 0})
    assert is_offered(w, 0, 50, 1) and not is_offered(w, 0, 50, 2)
    assert give(w, 0, send(50, 2), ("national_aid", 10, 0, 50, 2), send(50, 1), send(1, 1)) == [
        "no_land_border",
        "not_a_mate",
        "done",
        "once_a_turn",
    ]


@pytest.mark.rule("AID-006", "LIMIT-006", "LIMIT-001")
@pytest.mark.parametrize(("founded", "ok"), [(26, False), (25, True), (39, False)])
def test_a_young_nation_sends_no_reserves_but_may_receive_them(founded: int, ok: bool) -> None:
    """On turn 40: founded on 26 it is 14 turns old, on 25 it is 15. Neither by land nor by ship."""
    w = row(2, mates=(0, 1))
    w.nation(0, founded=founded)
    orders = (("national_aid", 10, 0, 30, 1), send(30, 1))
    assert give(w, 0, *orders) == (["no_ship", "done"] if ok else ["too_young"] * 2)
    assert give(w, 1, send(30, 0)) == ["done"]


@pytest.mark.rule("AID-006", "CMD-020")
def test_what_is_offered_is_what_the_coming_turn_will_allow() -> None:
    """Founded on 26 it is 15 turns old in turn 41; conscripts will have joined by then."""
    w = row(2, mates=(0, 1))
    w.nation(0, founded=26, reserves=20, conscripts=30)
    assert is_offered(w, 0, 50, 1) and not is_offered(w, 0, 51, 1)
    w.nation(0, founded=27)
    assert not is_offered(w, 0, 50, 1)


@pytest.mark.rule("CMD-020")
@pytest.mark.parametrize("target", [-1, 0, 3, 40])
def test_the_target_is_another_living_nation(target: int) -> None:
    assert give(row(), 0, send(5, target)) == ["bad_target"]
    w = row()
    w.world.nations["alive"][1] = 0
    assert give(w, 0, send(5, 1)) == ["bad_target"]
