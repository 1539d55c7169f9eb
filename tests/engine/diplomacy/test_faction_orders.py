"""Faction orders have two moments: checked in phase 14, true in phase 30 (TURN-067); masks; whole turns."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from hakoenv.engine import calendar, victory
from hakoenv.engine.codes import cause, ending, item, reason
from hakoenv.engine.codes import command as number
from hakoenv.engine.commands import plans, validate
from hakoenv.engine.diplomacy import factions, membership
from hakoenv.engine.world import copy_world
from hakoenv.testing import SmallWorld, alliances

CREATE, LEAVE = ("faction_create",), ("faction_leave",)
ACCEPT = ("faction_handover", 0, 1)
COMMANDS = [number.FACTION_CREATE + k for k in range(9)] + [number.FACTION_DEMAND_LEADER]


def apply(leader: int) -> tuple[Any, ...]:
    return ("faction_apply", leader)


def approve(nation: int) -> tuple[Any, ...]:
    return ("faction_decide", nation, 1)


# ---------------------------------------------------------------- in the order of registration


@pytest.mark.rule("TURN-067", "FAC-003")
@pytest.mark.parametrize(
    ("order", "said", "members"),
    [([0, 1, 2], ("done", "in_faction"), [[0, 2], [1]]), ([2, 1, 0], ("no_application", "done"), [[0], [1]])],
)  # fmt: skip
def test_approval_and_another_application_of_one_turn(
    council: Any, order: list[int], said: tuple[str, str], members: list[list[int]]
) -> None:
    """Whoever was first in the turn: nation 2 is let in, or has applied to another already."""
    c = council()
    c.w.faction("A", 0, applications=[[2, 39]])
    c.w.faction("B", 1)
    assert c.plan(0, approve(2)) == ["done"] and c.plan(2, apply(1)) == ["done"]
    c.settle(order)
    assert (*c.reasons(0), *c.reasons(2)) == said
    assert [entry["members"] for entry in c.factions()] == members
    assert c.factions()[1]["applications"] == ([] if said[0] == "done" else [2])


@pytest.mark.rule("TURN-067", "FAC-003")
@pytest.mark.parametrize("decision", [0, 1])
@pytest.mark.parametrize(
    ("order", "leader", "applicant"),
    [([0, 1, 2], "done", "no_application"), ([1, 0, 2], "no_application", "done")],
)
def test_an_application_is_decided_on_or_withdrawn_whoever_is_first(
    council: Any, order: list[int], leader: str, applicant: str, decision: int
) -> None:
    c = council()
    c.w.faction("A", 0, applications=[[1, 39]])
    assert c.plan(0, ("faction_decide", 1, decision)) == ["done"]
    assert c.plan(1, ("faction_withdraw",)) == ["done"]
    c.settle(order)
    assert (c.reasons(0), c.reasons(1)) == ([leader], [applicant])
    joined = decision == 1 and leader == "done"
    assert c.factions()[0]["members"] == ([0, 1] if joined else [0])
    assert c.factions()[0]["applications"] == []


@pytest.mark.rule("TURN-067", "FAC-008")
@pytest.mark.parametrize(("leader_s", "members", "heir"), [
    (("faction_handover", 2, 0), [0, 1, 2], 2), (("faction_expel", 1), [0, 2], None),
])  # fmt: skip
@pytest.mark.parametrize("order", [[0, 1, 2], [1, 0, 2]])
def test_an_offer_is_accepted_unless_the_leader_was_first_to_think_better_of_it(
    council: Any, order: list[int], leader_s: tuple[Any, ...], members: list[int], heir: int | None
) -> None:
    """It names another heir, or expels the one it had named."""
    c = council()
    c.w.faction("A", 0, [1, 2], handover={"to": 1, "turn": 39})
    assert c.plan(0, leader_s) == ["done"] and c.plan(1, ACCEPT) == ["done"]
    c.settle(order)
    if order[0] == 0:
        assert (c.reasons(0), c.reasons(1)) == (["done"], ["no_such_offer"])
        assert c.faction(0)["members"] == members
        assert c.faction(0)["handover"] == (None if heir is None else {"to": heir, "turn": 40})
    else:
        assert (c.reasons(0), c.reasons(1)) == (["not_leader"], ["done"])
        assert c.faction(1)["members"] == [0, 1, 2] and c.faction(1)["handover"] is None


@pytest.mark.rule("TURN-067", "FAC-006")
@pytest.mark.parametrize(
    ("order", "said", "members"), [([0, 1, 2], "done", [0, 1]), ([1, 0, 2], "not_leader", [0, 1, 2])]
)
def test_orders_of_a_leader_that_was_succeeded_before_fail(
    council: Any, order: list[int], said: str, members: list[int]
) -> None:
    c = council()
    c.w.faction("A", 0, [1, 2], handover={"to": 1, "turn": 39})
    assert c.plan(0, ("faction_expel", 2)) == ["done"] and c.plan(1, ACCEPT) == ["done"]
    c.settle(order)
    assert c.reasons(0) == [said] and c.faction(1)["members"] == members


@pytest.mark.rule("TURN-067")
def test_a_member_that_left_before_it_was_expelled_has_left(council: Any) -> None:
    c = council()
    c.w.faction("A", 0, [1])
    c.plan(0, ("faction_expel", 1), ("faction_handover", 1, 0))
    c.plan(1, LEAVE)
    assert c.reasons(0) == ["done", "not_a_member"]
    c.settle([1, 0, 2])
    assert (c.reasons(1), c.reasons(0)) == (["done"], ["not_a_member", "not_a_member"])
    assert int(c.world.nations["breaches"][1].sum()) == 1


@pytest.mark.rule("TURN-067", "FAC-007")
def test_an_expelled_member_s_leave_fails(council: Any) -> None:
    c = council()
    c.w.faction("A", 0, [1])
    c.plan(0, ("faction_expel", 1))
    c.plan(1, LEAVE)
    c.settle()
    assert (c.reasons(0), c.reasons(1)) == (["done"], ["not_in_faction"])
    assert int(c.world.nations["breaches"][1].sum()) == 1


@pytest.mark.rule("TURN-067", "FAC-001")
def test_a_founder_that_was_let_in_elsewhere_gets_its_fee_back(council: Any) -> None:
    c = council()
    c.w.faction("A", 0, applications=[[1, 39]])
    c.plan(0, approve(1))
    assert c.plan(1, CREATE) == ["done"] and c.w.nation(1).funds == 0
    c.settle()
    assert c.reasons(1) == ["in_faction"] and c.w.nation(1).funds == 1000
    assert [entry["members"] for entry in c.factions()] == [[0, 1]]
    book = c.world.accounts[1, :, item.FUNDS]
    assert (book[cause.COMMAND_COST], book[cause.REFUND]) == (-1000, 1000)


@pytest.mark.rule("TURN-067")
def test_a_fee_comes_back_as_far_as_the_treasury_has_room(council: Any) -> None:
    c = council()
    full = int(c.rules.scalars[0]["treasury_funds_cap"])
    c.w.faction("A", 0, applications=[[1, 39]])
    c.w.nation(1, funds=full)
    c.plan(0, approve(1))
    c.plan(1, CREATE)
    c.w.nation(1, funds=full - 300)
    c.settle()
    assert c.w.nation(1).funds == full
    assert c.world.accounts[1, cause.LOST_OVER_CAP, item.FUNDS] == -700


@pytest.mark.rule("TURN-067")
def test_only_a_founding_s_fee_comes_back_and_only_once(council: Any) -> None:
    c = council()
    c.w.faction("A", 0, applications=[[1, 39]])
    c.plan(0, approve(1))
    c.plan(1, CREATE)
    c.settle()
    c.settle()
    assert c.w.nation(1).funds == 1000


@pytest.mark.rule("TURN-067")
def test_orders_of_earlier_turns_are_not_carried_out_again(council: Any) -> None:
    c = council()
    c.w.faction("A", 0, [1])
    c.plan(1, LEAVE)
    c.go(41)
    c.settle()
    assert c.faction(0)["members"] == [0, 1]


# ---------------------------------------------------------------- masks


def mixed(council: Any, seed: int) -> Any:
    """Three factions at random: notices, demands, offers, applications, wars, waits."""
    rng = np.random.default_rng(seed)
    c = council(7, turn=60, **{"faction.max": 3 + seed % 2})
    nations, turn = c.world.nations, 60
    names = iter(rng.permutation(7).tolist())
    for f in range(3):
        leader, mate = next(names), next(names)
        given: dict[str, Any] = {"renamed": int(rng.choice([0, turn - 12, turn - 11, turn - 10]))}
        if rng.integers(2):
            given |= {"due": turn + int(rng.integers(1, 3)), "demands": [mate] if rng.integers(2) else []}
        if rng.integers(3):
            given |= {"handover": {"to": mate, "turn": turn - int(rng.integers(4))}}
        c.w.faction(f"F{f}", leader, [mate], **given)
    loose = next(names)
    nations["applied_to"][loose] = int(rng.integers(-1, 3))
    nations["applied"][loose] = turn - int(rng.integers(13))
    nations["faction_left"][loose] = int(rng.choice([0, turn - 4, turn - 5, turn - 6]))
    nations["breaches"][loose, (turn - 47) % 48] = 2 * rng.integers(2)
    nations["controller"][:] = rng.integers(3, size=7)
    a, b = (int(n) for n in rng.choice(7, 2, replace=False))
    if nations["faction"][a] != nations["faction"][b] or nations["faction"][a] < 0:
        c.w.relation(a, b, state="war", by=a)
    return c


@pytest.mark.rule("CMD-046", "FAC-004", "FAC-007", "FAC-008", "FAC-009", "FAC-019")
@pytest.mark.parametrize("seed", range(4))
def test_masks_say_what_the_coming_turn_accepts(council: Any, seed: int) -> None:
    """By brute force over commands, amounts and targets: alone in its turn, an order does as its mask."""
    c = mixed(council, seed)
    world, rules = c.world, c.rules
    asked = list(product(range(7), COMMANDS, (0, 1, 2), range(-1, 8)))
    legal = [validate.is_legal(world, rules, n, what, 0, 0, amount, to) for n, what, amount, to in asked]
    calendar.advance(world, rules)
    factions.lapse(world, rules)
    kept = copy_world(world)
    names = {getattr(number, name): name.lower() for name in vars(number) if name.startswith("FACTION_")}
    for (n, what, amount, to), allowed in zip(asked, legal, strict=True):
        said = c.plan(n, (names[what], to, amount))
        assert (said == ["done"]) == allowed, (n, names[what], amount, to, said)
        if allowed:
            c.settle()
            assert c.reasons(n) == ["done"]
            for into, array in zip(world, kept, strict=True):
                into[...] = array
    assert any(legal)


@pytest.mark.rule("TURN-067", "CMD-046")
@pytest.mark.parametrize("seed", range(5))
def test_no_order_fails_for_an_earlier_one_of_its_own_plan(council: Any, seed: int) -> None:
    """What phase 14 accepts of one nation's plan, phase 30 carries out if nobody else ordered anything."""
    rng = np.random.default_rng(seed)
    c = mixed(council, seed)
    c.world.nations["controller"][:] = 0
    names = [name.lower() for name in vars(number) if name.startswith("FACTION_")]
    accepted = 0
    for turn in range(61, 90):
        c.go(turn)
        c.world.nations["treasury"][:, item.FUNDS] = 3000
        nation = int(rng.integers(7))
        orders = [(str(rng.choice(names)), int(rng.integers(7)), int(rng.integers(2))) for _ in range(20)]
        before = c.plan(nation, *orders)
        c.settle()
        assert c.reasons(nation) == before, (turn, orders, before)
        accepted += before.count("done")
        check(c)
    assert accepted > 20


def check(c: Any) -> None:
    """What is always so of factions after phase 30."""
    nations, records = c.world.nations, c.world.factions
    for f in range(len(records)):
        members = np.flatnonzero(nations["faction"] == f).tolist()
        record = records[f]
        assert bool(record["active"]) == bool(members)
        if not members:
            assert (int(record["leader"]), int(record["heir"])) == (-1, -1)
            assert not (nations["applied_to"] == f).any()
            continue
        assert int(record["leader"]) in members and nations["alive"][members].all()
        assert int(record["heir"]) in {*members, -1} - {int(record["leader"])}
        assert record["dissolves"] or not nations["demands"][members].any()
        assert not any(c.world.relations["state"][a, b] >= 2 for a in members for b in members)
    assert not ((nations["applied_to"] >= 0) & (nations["faction"] >= 0)).any()
    assert int(records["active"].sum()) <= int(c.rules.scalars[0]["faction_max"])


@pytest.mark.rule("TURN-067", "TURN-031", "FAC-013")
@pytest.mark.parametrize("seed", range(5))
def test_whatever_all_order_and_whoever_falls_factions_stay_whole(council: Any, seed: int) -> None:
    rng = np.random.default_rng(100 + seed)
    c = mixed(council, seed)
    names = [name.lower() for name in vars(number) if name.startswith("FACTION_")]
    for turn in range(61, 110):
        c.go(turn)
        c.world.nations["treasury"][:, item.FUNDS] = 3000
        alive = np.flatnonzero(c.world.nations["alive"])
        for nation in rng.permutation(alive).tolist():
            if rng.integers(8) == 0:
                foe = int(rng.choice(alive))
                c.plan(nation, ("declare_war", foe))
            else:
                c.plan(nation, *[
                    (str(rng.choice(names)), int(rng.integers(7)), int(rng.integers(2))) for _ in range(6)
                ])  # fmt: skip
        if len(alive) > 2 and rng.integers(15) == 0:
            c.fall(int(rng.choice(alive)))
        c.settle(rng.permutation(alive).tolist())
        check(c)


# ---------------------------------------------------------------- whole turns, victory


def lands(turn: int, **rules: Any) -> SmallWorld:
    """Three nations with a town and a plain each; nobody's land else."""
    w = SmallWorld(3, 9, 3, turn=turn, rules={"fundraise.income": 0, **rules})
    for n in range(3):
        w.cell(3 * n + 1, 1, terrain="town", owner=n, population=50, capital=True)
        w.cell(3 * n + 1, 2, terrain="plains", owner=n)
        w.nation(n, funds=3000, food=9000)
    return w


@pytest.mark.rule("TURN-067", "FAC-001")
def test_the_rule_s_example_of_a_faction_that_is_seen_in_its_turn() -> None:
    w = lands(19)
    w.order(0, "faction_create")
    w.run(1)
    assert [(entry["leader"], entry["created"]) for entry in alliances.factions(w)] == [(0, 20)]


@pytest.mark.rule("TURN-067", "FAC-013")
def test_the_rule_s_example_of_a_founder_that_falls_in_phase_28() -> None:
    w = lands(19)
    w.order(0, "faction_create")
    w.order(0, "abandon_nation", amount=999)
    w.run(1)
    assert not w.nation(0).alive and alliances.factions(w) == []
    assert reason.name(plans.results_of(w.world, 0)[0].reason) == "fell"
    assert int(w.world.clock["discrepancies"][0]) == 0


@pytest.mark.rule("FAC-014", "SEASON-006")
def test_a_new_member_counts_for_the_victory_of_its_turn(council: Any) -> None:
    """It joins in turn 150; 14 turns later, in 164, the faction may win, and not before."""
    c = council(turn=150)
    c.w.faction("A", 0, [[0, 10]], applications=[[1, 149]])
    c.world.nations["land"] = [80, 0, 20]
    c.world.clock["all_land"] = 100
    c.do(0, approve(1))
    for turn, ended in ((150, ending.RUNNING), (163, ending.RUNNING), (164, ending.FACTION_CONQUEST)):
        c.go(turn)
        c.settle()
        victory.judge(c.world, c.rules)
        assert int(c.world.clock["ending"][0]) == ended
    assert c.world.nations["winner"].tolist() == [1, 1, 0]


@pytest.mark.rule("FAC-014", "SEASON-005", "SEASON-006")
def test_who_has_left_in_phase_30_is_judged_alone_in_phase_33(council: Any) -> None:
    c = council(turn=150)
    c.w.faction("A", 0, [1])
    c.world.nations["land"] = [20, 60, 20]
    c.world.clock["all_land"] = 100
    victory.judge(c.world, c.rules)
    assert int(c.world.clock["ending"][0]) == ending.FACTION_CONQUEST  # 80 of 100, as members
    c.world.clock["ending"] = ending.RUNNING
    c.world.nations["winner"] = 0
    c.do(1, LEAVE)
    victory.judge(c.world, c.rules)
    assert int(c.world.clock["ending"][0]) == ending.LONE_CONQUEST
    assert c.world.nations["winner"].tolist() == [0, 1, 0]


@pytest.mark.rule("SEASON-006", "FAC-010")
def test_a_faction_in_notice_may_still_win() -> None:
    """The land of two of three nations is 4 of 6 cells: enough for 60%; they win while the notice runs."""
    w = lands(149, **{"victory.faction_land_percent": 60})
    w.faction("A", 0, [1], due=152)
    w.run(1)
    assert w.season_state() == {"ended": True, "ending": "faction_conquest", "winners": [0, 1]}


@pytest.mark.rule("SEASON-006", "FAC-010")
def test_a_faction_that_is_gone_in_phase_30_wins_nothing_in_phase_33() -> None:
    w = lands(149, **{"victory.faction_land_percent": 60})
    w.faction("A", 0, [1], due=150)
    w.run(1)
    assert not w.season_state()["ended"] and alliances.factions(w) == []


@pytest.mark.rule("FAC-003")
def test_full_members_are_those_that_joined_and_live(council: Any) -> None:
    c = council(4)
    c.w.faction("A", 0, [1, 2], applications=[[3, 39]])
    c.fall(2)
    assert [membership.is_full_member(c.world, n, 0) for n in range(4)] == [True, True, False, False]
    assert not membership.is_full_member(c.world, 3, -1)
    assert [membership.led_by(c.world, n) for n in range(4)] == [0, -1, -1, -1]


@pytest.mark.rule("TURN-067")
def test_the_log_of_a_small_world_says_what_became_of_an_order_in_phase_30() -> None:
    w = lands(40)
    w.faction("A", 0, [2], applications=[[1, 39]])
    w.phase("plans")
    w.phase("clock")
    w.order(0, "faction_expel", target=2)
    w.order(0, "faction_decide", target=1, amount=1)
    w.phase("plans")
    w.relation(1, 0, state="war", by=1)
    assert [entry["reason"] for entry in w.results(0)] == ["done"] * 4
    w.phase("faction_settle")
    assert [entry["reason"] for entry in w.results(0)] == ["done", "done", "fights_a_member", "done"]
