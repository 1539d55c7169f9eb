"""Founding, joining and leaving factions; who may do what (FAC-001 .. FAC-007, FAC-013, FAC-014, FAC-022)."""

from __future__ import annotations

from typing import Any

import pytest

from hakoenv.engine.codes import command as number
from hakoenv.engine.diplomacy import relations
from hakoenv.engine.turn import PHASES

CREATE, LEAVE = ("faction_create",), ("faction_leave",)


def apply(leader: int) -> tuple[Any, ...]:
    return ("faction_apply", leader)


def approve(nation: int) -> tuple[Any, ...]:
    return ("faction_decide", nation, 1)


def refuse(nation: int) -> tuple[Any, ...]:
    return ("faction_decide", nation, 0)


# ---------------------------------------------------------------- founding


@pytest.mark.rule("FAC-001", "TURN-067", "CMD-046")
@pytest.mark.parametrize(("funds", "said", "left"), [(999, "no_funds", 999), (1000, "done", 0)])
def test_a_faction_costs_1000_funds_of_its_founder(council: Any, funds: int, said: str, left: int) -> None:
    c = council(turn=20)
    c.w.nation(0, funds=funds)
    assert c.plan(0, CREATE) == [said]
    assert (c.w.nation(0).funds, c.factions()) == (left, [])  # phase 14: paid, and not yet there
    c.settle()
    assert c.w.nation(0).funds == left
    made = c.faction(0)
    assert (made is not None) == (said == "done")
    if made:
        assert (made["members"], made["created"], made["renamed"], made["due"]) == ([0], 20, None, None)
        assert c.told() == [("faction_founded", 0, -1, 0)]


@pytest.mark.rule("FAC-001", "FAC-003")
def test_who_is_in_a_faction_founds_none_and_keeps_its_funds(council: Any) -> None:
    c = council()
    c.w.faction("A", 0, [1])
    for nation in (0, 1):
        assert c.do(nation, CREATE) == ["in_faction"]
        assert c.w.nation(nation).funds == 1000
    assert len(c.factions()) == 1


@pytest.mark.rule("FAC-001", "FAC-003")
def test_one_plan_founds_one_faction(council: Any) -> None:
    c = council()
    c.w.nation(0, funds=5000)
    c.w.faction("B", 1)
    assert c.do(0, CREATE, CREATE, apply(1)) == ["done", "in_faction", "in_faction"]
    assert (c.w.nation(0).funds, len(c.factions())) == (4000, 2)


@pytest.mark.rule("FAC-002")
def test_a_ninth_faction_is_refused_also_while_one_is_in_notice(council: Any) -> None:
    c = council(10)
    for n in range(8):
        c.w.faction(f"F{n}", n, **({"due": 41} if n == 3 else {}))
    assert c.do(8, CREATE) == ["too_many_factions"]
    c.go(41)  # the notice ends one in phase 30: its place is still taken in phase 14
    assert not c.is_legal(8, "faction_create") and c.do(8, CREATE) == ["too_many_factions"]
    c.go(42)
    assert c.do(8, CREATE) == ["done"]
    assert c.faction(8)["members"] == [8] and len(c.factions()) == 8
    assert (c.w.nation(8).funds, c.w.nation(9).funds) == (0, 1000)


@pytest.mark.rule("FAC-002", "TURN-067")
def test_a_founder_holds_its_place_from_phase_14_on(council: Any) -> None:
    c = council(10)
    for n in range(7):
        c.w.faction(f"F{n}", n)
    assert c.plan(8, CREATE) == ["done"]
    assert c.plan(7, CREATE) == ["too_many_factions"]  # who comes later in the turn pays nothing
    c.settle()
    assert c.faction(8) and not c.faction(7)
    assert (c.w.nation(7).funds, c.w.nation(8).funds) == (1000, 0)


@pytest.mark.rule("FAC-002")
def test_how_many_factions_may_be_is_a_constant(council: Any) -> None:
    c = council(**{"faction.max": 1})
    assert c.do(0, CREATE) == ["done"] and c.do(1, CREATE) == ["too_many_factions"]


# ---------------------------------------------------------------- applying


@pytest.mark.rule("FAC-003", "FAC-014", "CMD-046")
def test_an_applicant_is_a_member_once_the_leader_has_approved(council: Any) -> None:
    c = council()
    c.w.faction("A", 0)
    assert c.plan(1, apply(0)) == ["done"]
    assert c.factions()[0]["applications"] == []  # known from phase 30 on
    c.settle()
    assert c.told() == [("faction_applied", 1, 0, 0)]
    assert c.factions()[0]["applications"] == [1] and c.factions()[0]["members"] == [0]
    assert not relations.are_mates(c.world, 0, 1)
    c.go(41)
    assert c.plan(0, approve(1)) == ["done"] and c.factions()[0]["members"] == [0]
    c.settle()
    assert c.factions()[0]["members"] == [0, 1] and c.factions()[0]["applications"] == []
    assert (c.w.nation(1).faction_joined, c.w.nation(1).funds) == (41, 1000)  # joining is free: FAC-022
    assert relations.are_mates(c.world, 0, 1)
    assert c.told() == [("faction_joined", 1, 0, 0)]


@pytest.mark.rule("FAC-003", "CMD-046")
def test_a_refused_applicant_may_apply_again(council: Any) -> None:
    c = council()
    c.w.faction("A", 0, applications=[[1, 39]])
    assert c.do(0, refuse(1)) == ["done"]
    assert c.factions()[0]["applications"] == [] and c.told() == [("faction_refused", 1, 0, 0)]
    c.go(41)
    assert c.do(1, apply(0)) == ["done"] and c.factions()[0]["applications"] == [1]


@pytest.mark.rule("FAC-003")
def test_a_second_application_replaces_the_first(council: Any) -> None:
    c = council()
    c.w.faction("A", 0, applications=[[2, 39]])
    c.w.faction("B", 1)
    assert c.do(2, apply(1)) == ["done"]
    assert [entry["applications"] for entry in c.factions()] == [[], [2]]
    c.go(41)
    assert c.plan(0, approve(2)) == ["no_application"]
    c.do(1, approve(2))
    assert [entry["members"] for entry in c.factions()] == [[0], [1, 2]]


@pytest.mark.rule("FAC-003")
def test_of_two_applications_of_one_plan_the_second_stands(council: Any) -> None:
    c = council()
    c.w.faction("A", 0)
    c.w.faction("B", 1)
    assert c.do(2, apply(0), apply(1)) == ["done", "done"]
    assert [entry["applications"] for entry in c.factions()] == [[], [2]]


@pytest.mark.rule("FAC-003", "CMD-005")
def test_only_leaders_are_applied_to(council: Any) -> None:
    c = council(5)
    c.w.faction("A", 0, [1])
    c.w.faction("B", 4)
    c.fall(4)
    said = c.plan(2, apply(1), apply(3), apply(2), apply(-1), apply(99), apply(4))
    assert said == ["leads_nothing", "leads_nothing", "bad_target", "bad_target", "bad_target", "bad_target"]
    assert c.plan(1, apply(0)) == ["in_faction"]


@pytest.mark.rule("FAC-004")
@pytest.mark.parametrize(
    ("turn", "said"), [(40, "no_application"), (41, "done"), (52, "done"), (53, "no_application")]
)
def test_an_application_can_be_approved_in_twelve_turns(council: Any, turn: int, said: str) -> None:
    c = council()
    c.w.faction("A", 0)
    c.do(1, apply(0))
    c.go(turn - 1)
    assert turn == 40 or c.is_legal(0, "faction_decide", 1, 1) == (said == "done")
    c.go(turn)
    assert c.do(0, approve(1)) == [said]
    assert (c.w.nation(1).faction is not None) == (said == "done")


@pytest.mark.rule("FAC-004", "TURN-006", "TURN-071")
def test_an_application_lapses_in_phase_5_of_the_thirteenth_turn(council: Any) -> None:
    c = council()
    c.w.faction("A", 0, applications=[[1, 40], [2, 41]])
    c.w.world.clock["turn"] = 52
    c.w.phase("turn_state")
    assert c.factions()[0]["applications"] == [1, 2]
    c.w.world.clock["turn"] = 53
    c.w.phase("turn_state")
    assert c.factions()[0]["applications"] == [2] and c.w.nation(1).applied == 0


@pytest.mark.rule("FAC-004", "CMD-046")
def test_an_application_may_be_withdrawn_while_it_stands(council: Any) -> None:
    c = council()
    c.w.faction("A", 0, applications=[[1, 30], [2, 27]])
    assert c.do(1, ("faction_withdraw",), ("faction_withdraw",)) == ["done", "once_a_turn"]
    assert c.do(2, ("faction_withdraw",)) == ["no_application"]  # 40 - 27 = 13 turns
    c.go(41)
    assert c.factions()[0]["applications"] == [] and c.plan(0, approve(1)) == ["no_application"]


@pytest.mark.rule("FAC-003")
def test_a_founder_s_application_ends(council: Any) -> None:
    c = council()
    c.w.faction("A", 0, applications=[[1, 39]])
    assert c.do(1, CREATE, ("faction_withdraw",)) == ["done", "no_application"]
    assert [entry["applications"] for entry in c.factions()] == [[], []]


@pytest.mark.rule("FAC-022")
def test_a_faction_may_have_any_number_of_members(council: Any) -> None:
    c = council(40)
    c.w.faction("A", 0, applications=[[n, 39] for n in range(1, 40)])
    assert c.do(0, *[approve(n) for n in range(1, 40)]) == ["done"] * 39
    assert c.factions()[0]["members"] == list(range(40))
    assert all(c.w.nation(n).funds == 1000 for n in range(40))


# ---------------------------------------------------------------- leaving


@pytest.mark.rule("FAC-006", "FAC-007", "CMD-046")
def test_a_member_leaves_by_itself_or_is_expelled_by_the_leader(council: Any) -> None:
    c = council(4)
    c.w.faction("A", 0, [1, 2, 3])
    assert c.plan(0, ("faction_expel", 3)) == ["done"] and c.plan(2, LEAVE) == ["done"]
    assert c.factions()[0]["members"] == [0, 1, 2, 3]  # until phase 30
    c.settle()
    assert c.factions()[0]["members"] == [0, 1]
    assert c.world.nations["faction_left"].tolist() == [0, 0, 40, 40]
    assert sorted(c.told()) == [("faction_expelled", 3, 0, 0), ("faction_left", 2, 0, 0)]


@pytest.mark.rule("FAC-007")
@pytest.mark.parametrize("how", ["left", "expelled", "dissolved"])
def test_who_was_in_a_faction_waits_six_turns_before_it_applies(council: Any, how: str) -> None:
    c = council(turn=30)
    c.w.faction("A", 0, [1], **({"due": 30} if how == "dissolved" else {}))
    c.w.faction("B", 2)
    if how == "left":
        c.plan(1, LEAVE)
    elif how == "expelled":
        c.plan(0, ("faction_expel", 1))
    c.settle()
    assert c.w.nation(1).faction is None
    for turn, said in ((31, "left_too_recently"), (35, "left_too_recently"), (36, "done")):
        c.go(turn - 1)
        assert c.is_legal(1, "faction_apply", 2) == (said == "done")
        c.go(turn)
        assert c.plan(1, apply(2)) == [said]


@pytest.mark.rule("FAC-007", "FAC-001")
def test_founding_does_not_wait(council: Any) -> None:
    c = council(turn=30)
    c.w.faction("A", 0, [1])
    assert c.do(1, LEAVE, CREATE) == ["done", "in_faction"]  # a member until phase 30
    c.go(31)
    assert c.do(1, CREATE) == ["done"] and c.faction(1)["members"] == [1]


@pytest.mark.rule("FAC-006", "CMD-046")
def test_what_only_the_leader_may_do(council: Any) -> None:
    c = council(4)
    c.w.faction("A", 0, [1, 2], applications=[[3, 39]])
    orders = (
        approve(3), refuse(3), ("faction_expel", 2), ("faction_handover", 2, 0), ("faction_rename", 0, 7),
        ("faction_dissolve", 0, 0), ("faction_dissolve", 0, 1),
    )  # fmt: skip
    for nation in (1, 3):
        assert c.plan(nation, *orders) == ["not_leader"] * len(orders)


@pytest.mark.rule("FAC-006", "CMD-046")
def test_what_the_leader_may_not_do(council: Any) -> None:
    c = council()
    c.w.faction("A", 0, [1], due=42, applications=[[2, 39]])
    demand = ("faction_demand_leader", 0, 1)
    assert c.plan(0, LEAVE, demand, ("faction_handover", 0, 1), ("faction_withdraw",)) == [
        "is_leader", "is_leader", "no_such_offer", "no_application",
    ]  # fmt: skip
    assert c.plan(0, ("faction_expel", 0), ("faction_handover", 0, 0)) == ["bad_target", "bad_target"]
    assert c.plan(0, ("faction_expel", 2), ("faction_handover", 2, 0)) == ["not_a_member", "not_a_member"]
    assert c.plan(2, LEAVE, demand, ("faction_handover", 0, 1)) == [
        "not_in_faction", "not_in_faction", "not_in_faction",
    ]  # fmt: skip


@pytest.mark.rule("FAC-005", "CMD-046")
def test_faction_commands_use_no_turn_and_only_founding_costs(council: Any) -> None:
    numbers = [number.FACTION_CREATE + k for k in range(9)] + [number.FACTION_DEMAND_LEADER]
    rows = council().rules.commands[numbers]
    assert [int(row["turns"]) for row in rows] == [0] * 10
    assert [int(row["cost"]) for row in rows] == [1000] + [0] * 9
    assert [int(row["early_cost"]) for row in rows] == [1000] + [0] * 9
    assert not rows["materials"].any()


@pytest.mark.rule("CMD-005", "FAC-005")
@pytest.mark.parametrize(
    "order",
    [("faction_decide", 2, 2), ("faction_decide", 2, -1), ("faction_handover", 1, 2),
     ("faction_rename", 0, 1000), ("faction_rename", 0, -1), ("faction_dissolve", 0, 2),
     ("faction_dissolve", 0, -1)],
)  # fmt: skip
def test_amounts_that_mean_nothing_are_refused(council: Any, order: tuple[Any, ...]) -> None:
    c = council()
    c.w.faction("A", 0, [1], applications=[[2, 39]])
    assert c.plan(0, order) == ["bad_amount"]


# ---------------------------------------------------------------- war


@pytest.mark.rule("FAC-021")
@pytest.mark.parametrize("state", ["pending", "war"])
def test_nobody_at_war_with_a_member_is_let_in(council: Any, state: str) -> None:
    c = council(4)
    c.w.faction("A", 0, [1], applications=[[2, 39], [3, 39]])
    c.w.relation(1, 2, state=state, by=2, **({"turns_left": 3} if state == "pending" else {}))
    assert not c.is_legal(0, "faction_decide", 2, 1) and c.is_legal(0, "faction_decide", 2, 0)
    assert c.do(0, approve(2), approve(3)) == ["fights_a_member", "done"]
    assert c.factions()[0]["members"] == [0, 1, 3]


@pytest.mark.rule("FAC-021", "TURN-067")
def test_a_war_declared_in_the_turn_of_the_approval_keeps_the_applicant_out(council: Any) -> None:
    c = council(turn=100)
    c.w.faction("A", 0, [1], applications=[[2, 99]])
    assert c.plan(0, approve(2)) == ["done"]
    assert c.plan(2, ("declare_war", 1)) == ["done"]
    c.settle()
    assert c.reasons(0) == ["fights_a_member"] and c.factions()[0]["members"] == [0, 1]
    assert c.factions()[0]["applications"] == [2]  # it may be approved after a peace


@pytest.mark.rule("FAC-021")
def test_of_two_applicants_at_war_one_is_let_in(council: Any) -> None:
    c = council()
    c.w.faction("A", 0, applications=[[1, 39], [2, 39]])
    c.w.relation(1, 2, state="war", by=1)
    assert c.do(0, approve(1), approve(2)) == ["done", "fights_a_member"]
    assert c.factions()[0]["members"] == [0, 1]


@pytest.mark.rule("FAC-021")
def test_mates_declare_no_war_on_each_other(council: Any) -> None:
    c = council(turn=100)
    c.w.faction("A", 0, [1])
    assert c.plan(0, ("declare_war", 1)) == ["same_faction"]
    c.plan(1, LEAVE)
    assert c.plan(0, ("declare_war", 1)) == ["same_faction"]  # it is a mate until phase 30
    c.settle()
    c.go(101)
    assert c.plan(0, ("declare_war", 1)) == ["done"]


# ---------------------------------------------------------------- the fallen


@pytest.mark.rule("FAC-013", "TURN-031")
def test_the_oldest_member_follows_a_leader_that_fell(council: Any) -> None:
    c = council(5)
    c.w.faction("A", 0, [[0, 1], [1, 20], [2, 12], [3, 12]], applications=[[4, 39]])
    c.fall(0)
    c.settle()
    assert c.faction(2)["members"] == [1, 2, 3] and c.faction(2)["applications"] == [4]
    assert c.w.nation(0).faction is None and c.told() == [("faction_led", 2, -1, 0)]


@pytest.mark.rule("FAC-013")
@pytest.mark.parametrize("due", [None, 42])
def test_a_faction_ends_with_its_last_member(council: Any, due: int | None) -> None:
    """Without a notice, and before one that runs."""
    c = council()
    c.w.faction("A", 0, [1], due=due, applications=[[2, 39]])
    c.fall(0, 1)
    c.settle()
    assert c.factions() == [] and c.w.nation(2).applied == 0
    assert c.told() == [("faction_ended", -1, -1, 0)]
    c.go(41)
    assert c.plan(2, ("faction_withdraw",)) == ["no_application"]


@pytest.mark.rule("FAC-013", "TURN-031")
def test_the_leader_falls_and_the_last_member_leaves_in_one_turn(council: Any) -> None:
    c = council()
    c.w.faction("A", 0, [1])
    assert c.plan(1, LEAVE) == ["done"]
    c.fall(0)
    c.settle()
    assert c.factions() == [] and c.reasons(1) == ["done"] and c.w.nation(1).faction is None


@pytest.mark.rule("FAC-013", "TURN-067")
def test_orders_of_a_nation_that_falls_are_dropped(council: Any) -> None:
    c = council(5)
    c.w.faction("A", 0, [1], applications=[[2, 39]])
    c.w.faction("B", 3)
    c.plan(0, approve(2), ("faction_expel", 1), ("faction_expel", 4), ("good_terms", 1, 1))
    c.plan(4, CREATE)
    c.plan(2, apply(3))
    c.fall(0, 4, 2)
    c.settle()
    assert c.reasons(0) == ["fell", "fell", "not_a_member", "done"]  # what was no order of phase 30 stays
    assert c.reasons(4) == ["fell"] and c.reasons(2) == ["fell"]
    assert c.faction(1)["members"] == [1] and c.faction(3)["applications"] == []
    assert len(c.factions()) == 2


@pytest.mark.rule("FAC-013", "TURN-067")
def test_who_applies_to_or_is_approved_or_named_by_someone_and_falls_is_out(council: Any) -> None:
    c = council(5)
    c.w.faction("A", 0, [1, 2], handover={"to": 1, "turn": 39}, applications=[[3, 39]])
    assert c.plan(0, approve(3), ("faction_expel", 2)) == ["done", "done"]
    assert c.plan(4, apply(0)) == ["done"]
    c.fall(1, 2, 3)
    c.settle()
    assert c.reasons(0) == ["no_application", "not_a_member"]
    assert c.factions()[0]["members"] == [0] and c.factions()[0]["handover"] is None
    assert c.factions()[0]["applications"] == [4]


@pytest.mark.rule("FAC-013", "TURN-067")
def test_an_application_to_a_leader_that_falls_fails(council: Any) -> None:
    c = council()
    c.w.faction("A", 0, [1])
    c.plan(2, apply(0))
    c.fall(0)
    c.settle()
    assert c.reasons(2) == ["leads_nothing"] and c.faction(1)["applications"] == []


@pytest.mark.rule("FAC-014", "TURN-031")
def test_factions_settle_between_the_household_sales_and_the_abandoned_land() -> None:
    names = [phase.name for phase in PHASES]
    around = (
        "turn_state",
        "plans",
        "nation_update",
        "household_market",
        "faction_settle",
        "abandoned_land",
        "end_check",
    )
    assert sorted(around, key=names.index) == list(around)
