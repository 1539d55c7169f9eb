"""Handover, renaming, dissolution and the change of leader that stops it (FAC-008 .. FAC-013)."""

from __future__ import annotations

from typing import Any

import pytest

CREATE, LEAVE = ("faction_create",), ("faction_leave",)
ACCEPT = ("faction_handover", 0, 1)
ANNOUNCE, CANCEL = ("faction_dissolve", 0, 0), ("faction_dissolve", 0, 1)
DEMAND, NO_DEMAND = ("faction_demand_leader", 0, 1), ("faction_demand_leader", 0, 0)


def offer(nation: int) -> tuple[Any, ...]:
    return ("faction_handover", nation, 0)


def rename(name: int) -> tuple[Any, ...]:
    return ("faction_rename", 0, name)


# ---------------------------------------------------------------- handover


@pytest.mark.rule("FAC-008", "TURN-067", "CMD-046")
@pytest.mark.parametrize(
    ("turn", "said"), [(40, "no_such_offer"), (41, "done"), (43, "done"), (44, "no_such_offer")]
)
def test_the_leadership_can_be_accepted_in_three_turns(council: Any, turn: int, said: str) -> None:
    c = council()
    c.w.faction("A", 0, [1])
    assert c.do(0, offer(1)) == ["done"]
    assert c.factions()[0]["handover"] == {"to": 1, "turn": 40} and c.told() == [("faction_offered", 0, 1, 0)]
    c.go(turn - 1)
    assert turn == 40 or c.is_legal(1, "faction_handover", 0, 1) == (said == "done")
    c.go(turn)
    assert c.plan(1, ACCEPT) == [said]
    assert c.faction(0)["members"] == [0, 1]  # until phase 30
    c.settle()
    leader = 1 if said == "done" else 0
    assert c.faction(leader)["members"] == [0, 1]  # the former leader stays
    if leader == 1:
        assert c.faction(1)["handover"] is None and ("faction_led", 1, 0, 0) in c.told()


@pytest.mark.rule("FAC-008", "TURN-006", "TURN-071")
@pytest.mark.parametrize(("leader", "heir"), [(0, 1), (1, 0)])
def test_an_offer_of_the_leadership_lapses_in_phase_5_of_the_fourth_turn(
    council: Any, leader: int, heir: int
) -> None:
    c = council()
    c.w.faction("A", leader, [heir], handover={"to": heir, "turn": 40})
    for turn, offered in ((43, {"to": heir, "turn": 40}), (44, None)):
        c.world.clock["turn"] = turn
        c.w.phase("turn_state")
        assert c.factions()[0]["handover"] == offered
    assert c.world.factions["offered"][0] == 0


@pytest.mark.rule("FAC-008")
def test_a_second_offer_takes_the_place_of_the_first(council: Any) -> None:
    c = council()
    c.w.faction("A", 0, [1, 2])
    assert c.do(0, offer(1), offer(2)) == ["done", "done"]
    c.go(41)
    assert c.plan(1, ACCEPT) == ["no_such_offer"] and c.plan(2, ACCEPT, ACCEPT) == ["done", "once_a_turn"]
    c.settle()
    assert c.faction(2)["members"] == [0, 1, 2]


@pytest.mark.rule("FAC-008")
def test_an_offer_ends_with_the_membership_of_the_heir(council: Any) -> None:
    c = council()
    c.w.faction("A", 0, [1], handover={"to": 1, "turn": 39})
    assert c.do(1, LEAVE, ACCEPT) == ["done", "not_in_faction"]
    assert c.factions()[0]["handover"] is None and c.faction(0)["members"] == [0]


@pytest.mark.rule("FAC-008")
def test_who_has_accepted_can_t_leave_any_more(council: Any) -> None:
    c = council()
    c.w.faction("A", 0, [1], handover={"to": 1, "turn": 39}, due=42)
    assert c.do(1, ACCEPT, LEAVE, DEMAND) == ["done", "is_leader", "is_leader"]
    assert c.faction(1)["members"] == [0, 1]


@pytest.mark.rule("FAC-008", "FAC-013")
def test_the_heir_of_a_leader_that_falls_may_still_accept_in_that_turn(council: Any) -> None:
    c = council()
    c.w.faction("A", 0, [[1, 5], [2, 30]], handover={"to": 2, "turn": 39})
    c.plan(2, ACCEPT)
    c.fall(0)
    c.settle()
    assert c.reasons(2) == ["done"] and c.faction(2)["members"] == [1, 2]


@pytest.mark.rule("FAC-008", "FAC-013")
def test_the_offer_of_a_leader_that_fell_is_void_after_that_turn(council: Any) -> None:
    c = council()
    c.w.faction("A", 0, [[1, 5], [2, 30]], handover={"to": 2, "turn": 39})
    c.fall(0)
    c.settle()
    assert c.faction(1)["handover"] is None
    c.go(41)
    assert c.plan(2, ACCEPT) == ["no_such_offer"]


@pytest.mark.rule("FAC-008", "FAC-010")
def test_a_notice_runs_on_under_a_leader_that_took_over_and_it_may_cancel_it(council: Any) -> None:
    c = council()
    c.w.faction("A", 0, [1, 2], due=42, handover={"to": 1, "turn": 39}, demands=[1])
    c.do(1, ACCEPT)
    assert c.faction(1)["due"] == 42 and c.faction(1)["demands"] == []  # a leader demands nothing
    c.go(41)
    assert c.plan(0, CANCEL) == ["not_leader"] and c.do(1, CANCEL) == ["done"]
    assert c.faction(1)["due"] is None


# ---------------------------------------------------------------- renaming


@pytest.mark.rule("FAC-009", "CMD-046")
def test_a_faction_is_renamed_from_the_turn_after_its_founding_and_every_twelve_turns(council: Any) -> None:
    c = council(turn=40)
    assert c.do(0, CREATE, rename(7)) == ["done", "not_leader"]
    c.go(41)
    assert c.do(0, rename(7), rename(8)) == ["done", "once_a_turn"]
    assert c.faction(0)["renamed"] == 41 and c.world.factions["name"][0] == 7
    assert c.told() == [("faction_renamed", 0, -1, 7)]
    for turn, said in ((42, "renamed_too_recently"), (52, "renamed_too_recently"), (53, "done")):
        c.go(turn - 1)
        assert c.is_legal(0, "faction_rename", 0, 999) == (said == "done")
        c.go(turn)
        assert c.do(0, rename(999)) == [said]
    assert c.world.factions["name"][0] == 999 and c.faction(0)["renamed"] == 53


@pytest.mark.rule("FAC-009")
def test_a_new_leader_waits_likewise(council: Any) -> None:
    c = council()
    c.w.faction("A", 0, [1], renamed=38, handover={"to": 1, "turn": 39})
    c.do(1, ACCEPT)
    c.go(41)
    assert c.plan(1, rename(3)) == ["renamed_too_recently"]


# ---------------------------------------------------------------- dissolution


@pytest.mark.rule("FAC-010", "TURN-031", "CMD-046")
def test_a_notice_of_turn_80_ends_the_faction_after_turn_83(council: Any) -> None:
    c = council(turn=80)
    c.w.faction("A", 0, [1], applications=[[2, 79]])
    assert c.do(0, ANNOUNCE) == ["done"]
    assert c.faction(0)["due"] == 83 and c.told() == [("faction_notice", 0, -1, 83)]
    for turn in (81, 82, 83):
        c.go(turn)
        assert c.faction(0)["members"] == [0, 1]  # also while plans of turn 83 run
        assert c.plan(0, ANNOUNCE) == ["already_so"]
        c.settle()
    assert c.factions() == [] and c.told() == [("faction_ended", 0, -1, 0)]
    nations = c.world.nations
    assert nations["faction"].tolist() == [-1] * 3 and nations["faction_left"].tolist() == [83, 83, 0]
    assert nations["applied_to"].tolist() == [-1] * 3
    for turn, said in ((84, "leads_nothing"), (88, "leads_nothing")):
        c.go(turn)
        assert c.plan(2, ("faction_apply", 0)) == [said]
    c.plan(2, CREATE)
    c.settle()
    assert c.plan(1, ("faction_apply", 2)) == ["left_too_recently"]  # 88 - 83 = 5
    c.go(89)
    assert c.plan(1, ("faction_apply", 2)) == ["done"] and c.plan(0, ("faction_apply", 2)) == ["done"]


@pytest.mark.rule("FAC-010", "CMD-046")
@pytest.mark.parametrize("turn", [81, 82, 83])
def test_the_leader_may_cancel_its_notice_up_to_the_due_turn(council: Any, turn: int) -> None:
    c = council(turn=80)
    c.w.faction("A", 0, [1, 2, 3][:2], due=83, demands=[1])
    c.go(turn)
    assert c.do(0, CANCEL, CANCEL) == ["done", "once_a_turn"]
    assert c.faction(0)["due"] is None and c.faction(0)["demands"] == []
    assert c.told() == [("faction_kept", 0, -1, 0)]
    c.go(84)
    c.settle()
    assert c.faction(0)["members"] == [0, 1, 2]


@pytest.mark.rule("FAC-010")
def test_a_notice_can_t_be_cancelled_before_it_runs(council: Any) -> None:
    c = council()
    c.w.faction("A", 0, [1])
    assert c.plan(0, CANCEL) == ["no_notice"]
    assert c.plan(0, ANNOUNCE, CANCEL, ANNOUNCE) == ["done", "no_notice", "once_a_turn"]
    c.settle()
    assert c.faction(0)["due"] == 43


@pytest.mark.rule("FAC-010")
def test_a_faction_of_one_is_dissolved_likewise(council: Any) -> None:
    c = council(turn=80)
    c.w.faction("A", 0)
    c.do(0, ANNOUNCE)
    c.go(83)
    c.settle()
    assert c.factions() == []


# ---------------------------------------------------------------- demands


def demanded(
    council: Any, others: dict[int, int], demanding: list[int], turn: int = 81, due: int = 83
) -> Any:
    """A faction of leader 0 and others with their turns of joining; some demand in ``turn``."""
    c = council(max(others) + 1, turn=turn)
    c.w.faction("A", 0, [[0, 1], *([n, joined] for n, joined in others.items())], due=due)
    for n in demanding:
        assert c.plan(n, DEMAND) == ["done"]
    c.settle()
    return c


@pytest.mark.rule("FAC-011")
@pytest.mark.parametrize(
    ("others", "demands", "passes"),
    [(4, 2, False), (4, 3, True), (3, 2, True), (3, 1, False), (1, 1, True), (2, 1, False)],
)  # fmt: skip
def test_more_than_half_of_the_other_members_change_the_leader(
    council: Any, others: int, demands: int, passes: bool
) -> None:
    c = demanded(council, dict.fromkeys(range(1, others + 1), 10), list(range(1, demands + 1)))
    assert (c.faction(1) is not None) == passes and (c.faction(0) is None) == passes
    entry = c.faction(1) or c.faction(0)
    assert entry["due"] == (None if passes else 83)
    assert entry["demands"] == ([] if passes else list(range(1, demands + 1)))
    assert entry["members"] == list(range(others + 1))


@pytest.mark.rule("FAC-011", "TURN-031")
def test_the_oldest_demanding_member_leads_and_of_equals_the_first_by_number(council: Any) -> None:
    c = demanded(council, {3: 10, 9: 7, 5: 7, 2: 3, 7: 40}, [3, 9, 5])
    assert c.faction(5)["members"] == [0, 2, 3, 5, 7, 9]  # nation 2 is older and didn't demand
    assert ("faction_led", 5, 0, 0) in c.told() and ("faction_kept", 5, -1, 0) in c.told()


@pytest.mark.rule("FAC-011")
def test_a_demand_holds_over_the_turns_until_it_is_withdrawn(council: Any) -> None:
    c = demanded(council, {1: 10, 2: 10}, [1])
    assert c.told() == [("faction_demanded", 1, 0, 0)] and c.faction(0)["demands"] == [1]
    c.go(82)
    assert c.plan(1, DEMAND) == ["already_so"] and c.plan(2, NO_DEMAND) == ["already_so"]
    assert c.do(1, NO_DEMAND, NO_DEMAND) == ["done", "once_a_turn"]
    assert c.faction(0)["demands"] == []
    c.go(83)
    assert c.do(2, DEMAND) == ["done"]  # one of two at the due turn
    assert c.factions() == []


@pytest.mark.rule("FAC-011")
def test_demands_of_several_turns_add_up(council: Any) -> None:
    c = demanded(council, {1: 10, 2: 9}, [1])
    c.go(82)
    assert c.do(2, DEMAND) == ["done"]
    assert c.faction(2)["due"] is None


@pytest.mark.rule("FAC-011")
def test_a_demand_ends_with_the_membership(council: Any) -> None:
    """Two of three demand and one of them leaves in the same turn: one of two is not more than half."""
    c = council(4, turn=81)
    c.w.faction("A", 0, [1, 2, 3], due=83, demands=[1])
    assert c.plan(2, DEMAND) == ["done"] and c.plan(1, LEAVE) == ["done"]
    c.settle()
    assert c.faction(0)["demands"] == [2] and c.world.nations["demands"].tolist() == [0, 0, 1, 0]


@pytest.mark.rule("FAC-011")
def test_without_a_notice_nobody_demands_another_leader(council: Any) -> None:
    c = council()
    c.w.faction("A", 0, [1])
    assert c.plan(0, ANNOUNCE) == ["done"]
    assert c.plan(1, DEMAND) == ["no_notice"]  # known from phase 30 on
    assert c.plan(1, ("faction_demand_leader", 0, 2)) == ["bad_amount"]


@pytest.mark.rule("FAC-011", "TURN-067")
@pytest.mark.parametrize(("order", "said"), [([0, 1], "no_notice"), ([1, 0], "done")])
def test_a_notice_that_is_cancelled_ends_demands_whoever_is_first(
    council: Any, order: list[int], said: str
) -> None:
    c = council(2, turn=81)
    c.w.faction("A", 0, [1], due=83)
    assert c.plan(0, CANCEL) == ["done"] and c.plan(1, DEMAND) == ["done"]
    c.settle(order)
    assert c.reasons(1) == [said]
    assert c.faction(0)["due"] is None and c.faction(0)["demands"] == []


@pytest.mark.rule("FAC-012", "FAC-011", "TURN-031")
@pytest.mark.parametrize(("demanding", "leader"), [([1, 2], 2), ([1], None)])
def test_on_the_due_turn_the_change_of_leader_comes_first(
    council: Any, demanding: list[int], leader: int | None
) -> None:
    c = demanded(council, {1: 10, 2: 9, 3: 2}, demanding, turn=83)
    if leader is None:
        assert c.factions() == []
    else:
        assert c.faction(leader)["members"] == [0, 1, 2, 3] and c.faction(leader)["due"] is None
        c.go(84)
        c.settle()
        assert c.faction(leader)


@pytest.mark.rule("FAC-011", "TURN-031")
def test_the_dead_are_out_before_demands_are_counted(council: Any) -> None:
    """Two of four others demand: half. Once one of the rest has fallen, two of three: more."""
    c = council(5, turn=81)
    c.w.faction("A", 0, [1, 2, 3, 4], due=83, demands=[1, 2])
    c.settle()
    assert c.faction(0)
    c.fall(4)
    c.settle()
    assert c.faction(1)["members"] == [0, 1, 2, 3]


@pytest.mark.rule("FAC-011", "TURN-031")
def test_a_demand_of_the_dead_doesn_t_count(council: Any) -> None:
    c = council(5, turn=81)
    c.w.faction("A", 0, [1, 2, 3], due=83, demands=[1])
    c.plan(2, DEMAND)
    c.fall(2)
    c.settle()
    assert c.faction(0)["demands"] == [1] and c.reasons(2) == ["fell"]


@pytest.mark.rule("FAC-012", "FAC-013")
@pytest.mark.parametrize(
    ("turn", "demands", "leader", "due"),
    [(82, [], 1, 83), (82, [2], 1, 83), (82, [2, 3], 2, None), (83, [2, 3], 2, None), (83, [2], None, None)],
)  # fmt: skip
def test_a_leader_falls_while_its_notice_runs(
    council: Any, turn: int, demands: list[int], leader: int | None, due: int | None
) -> None:
    """A majority of the rest chooses; else the oldest follows, unless the faction is due in that turn."""
    c = council(4, turn=turn)
    c.w.faction("A", 0, [[1, 5], [2, 10], [3, 10]], due=83, demands=demands)
    c.fall(0)
    c.settle()
    if leader is None:
        assert c.factions() == [] and c.world.nations["faction_left"].tolist() == [0, 83, 83, 83]
    else:
        assert (c.faction(leader)["members"], c.faction(leader)["due"]) == ([1, 2, 3], due)


@pytest.mark.rule("FAC-012", "TURN-067")
def test_a_place_that_becomes_free_in_phase_30_serves_from_the_next_turn(council: Any) -> None:
    c = council(**{"faction.max": 1})
    c.w.faction("A", 0, due=40)
    assert c.plan(1, CREATE) == ["too_many_factions"]
    c.settle()
    assert c.factions() == [] and c.is_legal(1, "faction_create")


@pytest.mark.rule("FAC-010", "TURN-067")
def test_who_joins_or_applies_to_a_faction_that_is_due_has_none_afterwards(council: Any) -> None:
    c = council(turn=83)
    c.w.faction("A", 0, due=83, applications=[[1, 82]])
    c.plan(0, ("faction_decide", 1, 1))
    c.plan(2, ("faction_apply", 0))
    c.settle()
    nations = c.world.nations
    assert c.factions() == [] and nations["applied_to"].tolist() == [-1] * 3
    assert nations["faction_left"].tolist() == [83, 83, 0]  # it was a member for a moment
