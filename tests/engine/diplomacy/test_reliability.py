"""What is held against a nation, and AI leaders that refuse it for that (FAC-019, FAC-020, AI-070)."""

from __future__ import annotations

from typing import Any

import pytest

from hakoenv.engine.diplomacy import records
from hakoenv.engine.season import Season
from hakoenv.testing import SmallWorld

LEAVE = ("faction_leave",)
RINGS = ("breaches", "conquests", "declarations")


def approve(nation: int) -> tuple[Any, ...]:
    return ("faction_decide", nation, 1)


def mark(c: Any, nation: int, *turns: int) -> None:
    """Something is held against a nation in each of these turns (now or up to 47 turns ago)."""
    for turn in turns:
        c.world.nations["breaches"][nation, turn % 48] += 1


@pytest.mark.rule("FAC-019", "AI-070", "LLM-013", "FAC-014")
@pytest.mark.parametrize(("leader", "refused"), [("rule_ai", True), ("llm", True), ("external", False)])
@pytest.mark.parametrize("applicant", ["rule_ai", "llm", "external"])
def test_ai_leaders_refuse_who_has_two_marks(
    council: Any, leader: str, refused: bool, applicant: str
) -> None:
    c = council(4, turn=88)
    c.w.nation(0, controller=leader)
    c.w.nation(1, controller=applicant)
    c.w.faction("A", 0, applications=[[1, 87], [2, 87], [3, 87]])
    mark(c, 1, 41, 60)
    mark(c, 2, 60)
    c.settle()
    assert c.factions()[0]["applications"] == ([2, 3] if refused else [1, 2, 3])
    assert (("faction_refused", 1, 0, 0) in c.told()) == refused


@pytest.mark.rule("FAC-019", "FAC-020", "AI-070")
@pytest.mark.parametrize(
    ("turns", "refused"),
    [((80, 90), True), ((53, 90), True), ((52, 90), False), ((51, 95), False), ((90,), False),
     ((90, 90), True), ((100, 53), True)],
)  # fmt: skip
def test_marks_count_for_48_turns(council: Any, turns: tuple[int, ...], refused: bool) -> None:
    """In turn 100: those of turns 53 to 100; 20 and 10 turns ago are two, 49 and 5 turns ago are one."""
    c = council(turn=50)
    c.w.nation(0, controller="rule_ai")
    c.w.faction("A", 0)
    for turn in sorted(turns):
        c.go(turn)
        records.breach(c.world, 1)
    c.go(100)
    c.world.nations["applied_to"][1], c.world.nations["applied"][1] = 0, 99
    c.settle()
    assert c.factions()[0]["applications"] == ([] if refused else [1])


@pytest.mark.rule("FAC-020", "SAVE-009")
def test_a_mark_of_turn_t_counts_on_turns_t_to_t_plus_47(council: Any) -> None:
    c = council(turn=40)
    records.breach(c.world, 1)
    counted = []
    for turn in range(40, 90):
        c.go(turn)
        counted.append(records.breaches_within(c.world, c.rules, 1, turn))
    assert counted == [1] * 48 + [0] * 2


@pytest.mark.rule("FAC-019", "FAC-020")
def test_the_mask_looks_at_the_coming_turn(council: Any) -> None:
    """Marks of turns 41 and 60: in turn 88 both count, in 89 one."""
    for now, legal in ((87, False), (88, True)):
        c = council(turn=now)
        c.w.nation(0, controller="llm")
        c.w.faction("A", 0, applications=[[1, now - 1]])
        mark(c, 1, 41, 60)
        assert c.is_legal(0, "faction_decide", 1, 1) == legal and c.is_legal(0, "faction_decide", 1, 0)
        c.go(now + 1)
        assert c.do(0, approve(1)) == ["done" if legal else "unreliable"]


@pytest.mark.rule("FAC-019", "AI-070", "TURN-067")
def test_the_refusal_comes_before_what_plans_ordered(council: Any) -> None:
    """The second mark falls in phase 14, after the approval was registered."""
    c = council(turn=100)
    c.w.nation(0, controller="rule_ai")
    c.w.faction("A", 0, applications=[[1, 99]])
    c.w.relation(1, 2, state="amity")
    mark(c, 1, 90)
    assert c.plan(0, approve(1)) == ["done"]
    assert c.plan(1, ("amity", 2, 1)) == ["done"]
    c.settle()
    assert c.reasons(0) == ["no_application"] and c.factions()[0]["applications"] == []
    assert c.factions()[0]["members"] == [0]


@pytest.mark.rule("AI-070", "TURN-067")
def test_an_application_of_this_turn_is_refused_in_the_next(council: Any) -> None:
    c = council(turn=100)
    c.w.nation(0, controller="rule_ai")
    c.w.faction("A", 0)
    mark(c, 1, 90, 91)
    assert c.do(1, ("faction_apply", 0)) == ["done"] and c.factions()[0]["applications"] == [1]
    c.go(101)
    assert c.plan(0, approve(1)) == ["unreliable"]
    c.settle()
    assert c.factions()[0]["applications"] == []


@pytest.mark.rule("FAC-019", "FAC-013")
def test_a_faction_without_leader_refuses_nobody_until_it_has_one(council: Any) -> None:
    c = council(turn=100)
    for n in range(3):
        c.w.nation(n, controller="rule_ai")
    c.w.faction("A", 0, [1], applications=[[2, 99]])
    mark(c, 2, 90, 91)
    c.fall(0)
    c.settle()
    assert c.faction(1)["applications"] == [2]
    c.go(101)
    c.settle()
    assert c.faction(1)["applications"] == []


@pytest.mark.rule("FAC-020")
def test_leaving_being_expelled_and_cancelling_a_treaty_are_held_against_a_nation(council: Any) -> None:
    c = council(5, turn=100)
    c.w.faction("A", 0, [1, 2])
    c.w.relation(3, 4, state="amity")
    c.plan(0, ("faction_expel", 1))
    c.plan(2, LEAVE)
    assert c.plan(3, ("amity", 4, 1)) == ["done"]
    c.settle()
    assert [records.breaches_within(c.world, c.rules, n, 100) for n in range(5)] == [0, 1, 1, 1, 0]
    assert c.world.nations["breaches"][:, 100 % 48].tolist() == [0, 1, 1, 1, 0]


@pytest.mark.rule("FAC-020")
def test_neither_refused_offers_nor_the_end_of_a_faction_nor_a_new_leader_are(council: Any) -> None:
    c = council(5, turn=100)
    c.w.faction("A", 0, [1], due=100)
    c.w.faction("B", 2, [3], handover={"to": 3, "turn": 99}, applications=[[4, 99]])
    assert c.plan(0, ("amity", 1, 0), ("amity", 1, 1)) == ["done", "done"]  # offered, and withdrawn
    c.plan(2, ("faction_decide", 4, 0))
    c.plan(3, ("faction_handover", 0, 1))
    c.settle()
    assert c.faction(3) and len(c.factions()) == 1
    assert not c.world.nations["breaches"].any()


@pytest.mark.rule("FAC-020", "SAVE-009")
def test_the_turn_that_begins_takes_the_place_of_the_one_48_turns_ago() -> None:
    w = SmallWorld(3, 3, 1, turn=47)
    for ring in RINGS:
        w.world.nations[ring][:] = 1
    w.phase("clock")
    for ring in RINGS:
        assert w.world.nations[ring][0].tolist() == [0] + [1] * 47


@pytest.mark.rule("SAVE-009", "FAC-020")
def test_the_records_are_part_of_a_save(tmp_path: Any) -> None:
    season = Season.new("duel", seed=5, agents="idle")
    for k, ring in enumerate(RINGS):
        season.world.nations[ring][1, 40 + k] = 3 + k
    season.save(tmp_path / "a.save")
    earlier = season.snapshot()
    loaded, _ = Season.load(tmp_path / "a.save")
    for ring in RINGS:
        season.world.nations[ring][:] = 0
    season.restore(earlier)
    for k, ring in enumerate(RINGS):
        for game in (loaded, season):
            assert int(game.world.nations[ring][1, 40 + k]) == 3 + k
