"""The joint declaration of war on the hegemon (CONT-014 .. CONT-017, CONT-020, AI-083, AI-084)."""

from typing import Any

import pytest

from hakoenv.engine.codes import event
from hakoenv.engine.diplomacy import containment
from hakoenv.testing import SmallWorld


def told_of_war(r: Any) -> list[int]:
    return [n for n in range(r.w.nations) if containment.is_told_of_war(r.world, n)]


@pytest.mark.rule("CONT-014", "AI-083")
@pytest.mark.parametrize(
    ("hegemon", "members", "declared"),
    [
        ((6000, 500), [(2000, 180), (1500, 200), (2400, 250)], True),  # 6530 > 6500
        ((6000, 500), [(2000, 180), (1500, 200), (2400, 220)], False),  # 6500 = 6500
        ((2000, 100), [(900, 0), (700, 0), (500, 0)], False),  # 2100 = 2100
        ((2000, 99), [(900, 0), (700, 0), (500, 0)], True),
    ],
)
def test_more_power_than_the_hegemon_s_declares_a_tie_does_not(
    realm: Any, hegemon: tuple[int, int], members: list[tuple[int, int]], declared: bool
) -> None:
    r = realm(4)
    r.w.containment(0, [1, 2, 3])
    r.powers(hegemon, *members)
    r.phase_9()
    assert r.states(1, 2, 3) == ["pending" if declared else "peace"] * 3
    assert r.world.containment["declared"][0] == (60 if declared else 0)


@pytest.mark.rule("CONT-014", "CONT-015")
def test_power_is_people_and_units_also_aboard_but_no_reserves_or_wounded() -> None:
    w = SmallWorld(3, 6, 1)
    w.cell(1, 1, terrain="town", owner=0, population=120, capital=True)
    w.unit(0, "infantry", 1, 1, strength=30)
    w.ship(0, "destroyer", 4, 1)
    w.unit(0, "infantry", aboard=0, strength=25)
    w.nation(0, reserves=500, wounded=40)
    assert containment.power(w.counted(), w.rules, 0) == 120 + 30 + 25
    w = SmallWorld(3, 6, 1, rules={"containment.population_divisor": 100})  # the other reading of S:387
    w.cell(1, 1, terrain="town", owner=0, population=299, capital=True)
    assert containment.power(w.counted(), w.rules, 0) == 2
    weights = {"power_score.containment_population.weight": 3, "power_score.containment_army.weight": 2}
    w = SmallWorld(3, 6, 1, rules=weights)
    w.cell(1, 1, terrain="town", owner=0, population=50, capital=True)
    w.unit(0, "infantry", 1, 1, strength=20)
    assert containment.power(w.counted(), w.rules, 0) == 3 * 50 + 2 * 20


@pytest.mark.rule("CONT-014", "CONT-020", "AI-083", "LLM-011")
def test_ai_members_declare_external_ones_are_told(realm: Any) -> None:
    """130 against 60 + 40 (external) + 31: the external one counts, but decides by itself."""
    r = realm(5)
    r.w.nation(3, controller="llm")
    r.external(0, 2, 4)
    r.w.containment(0, [1, 2, 3])
    r.powers((100, 30), (60, 0), (40, 0), (31, 0), (500, 0))
    r.phase_9()
    assert r.states(1, 2, 3, 4) == ["pending", "peace", "pending", "peace"]
    for n in (1, 3):
        side = r.w.relation(0, n)
        assert (side.turns_left, side.by, side.origin, side.joint) == (5, n, "joint", True)
    assert told_of_war(r) == [2]
    assert r.told(event.JOINT_DECLARATION, event.WAR_DECLARED) == [
        (event.JOINT_DECLARATION, 1, 0),
        (event.JOINT_DECLARATION, 3, 0),
    ]
    assert r.do(2, "declare_war", target=0) == "done"  # as any nation
    assert r.w.relation(0, 2).origin == "declaration"
    r.go(64)
    assert r.states(1, 2, 3) == ["pending"] * 3
    assert told_of_war(r) == []
    r.go(65)
    assert r.states(1, 2, 3) == ["war"] * 3


@pytest.mark.rule("CONT-014", "LIMIT-002", "LIMIT-015")
def test_who_can_t_or_need_not_declare_doesn_t(realm: Any) -> None:
    """Member 1 is young, 2 has a truce, 3 is at war, 4 nearly; 5 declares alone. All are counted."""
    r = realm(6)
    r.w.nation(1, founded=46)
    r.w.containment(0, [1, 2, 3, 4, 5])
    r.w.relation(0, 2, truce=2)
    r.w.relation(0, 3, state="war", by=0)
    r.w.relation(0, 4, state="pending", turns_left=3, by=4)
    r.powers((49, 0), *[(10, 0)] * 5)
    r.phase_9()
    assert r.states(1, 2, 3, 4, 5) == ["peace", "peace", "war", "pending", "pending"]
    assert [r.w.relation(0, n).origin for n in (3, 4, 5)] == ["declaration", "declaration", "joint"]
    assert (r.w.relation(0, 4).turns_left, r.w.relation(0, 5).turns_left) == (2, 5)


@pytest.mark.rule("CONT-014", "LIMIT-005")
def test_nobody_declares_on_a_protected_hegemon(realm: Any) -> None:
    r = realm(2)
    r.w.nation(0, founded=46)
    r.w.containment(0, [1])
    r.powers((1, 0), (10, 0))
    r.phase_9()
    assert r.states(1) == ["peace"]
    r.go(61)  # 15 turns old
    assert r.states(1) == ["pending"]


@pytest.mark.rule("CONT-012", "CONT-008", "TURN-073")
def test_leaving_and_joining_come_before_the_declaration(realm: Any) -> None:
    """Member 1 has become a mate of the hegemon and goes; 2 joins and declares in the same phase."""
    r = realm(4)
    r.frighten()
    r.external(3)
    r.w.containment(0, [1])
    r.w.faction("A", 0, [1])
    r.powers((20, 0), (500, 0), (21, 0), (500, 0))
    r.phase_9()
    assert r.containment() == (0, [2])
    assert r.states(1, 2, 3) == ["peace", "pending", "peace"]


@pytest.mark.rule("CONT-004", "TURN-073")
def test_it_may_declare_in_the_turn_of_its_forming(realm: Any) -> None:
    r = realm(3)
    r.frighten()
    r.powers((20, 0), (11, 0), (10, 0))
    r.phase_9()
    assert r.containment() == (0, [1, 2])
    assert r.states(1, 2) == ["pending", "pending"]


# ---------------------------------------------------------------- caps and intervals


@pytest.mark.rule("CONT-016", "AI-084", "LIMIT-014")
def test_joint_declarations_don_t_count_toward_the_cap(realm: Any) -> None:
    r = realm(10)
    for n in (6, 7, 8):
        r.w.relation(0, n, state="war", by=n)
    r.external(6, 7, 8, 9)
    r.w.containment(0, [1, 2, 3, 4, 5])
    r.powers((20, 0), *[(10, 0)] * 9)
    assert r.do(9, "declare_war", target=0) == "too_many_wars"
    r.phase_9()
    assert r.states(1, 2, 3, 4, 5) == ["pending"] * 5
    r.w.relation(0, 6, state="peace", declarer=None)
    assert r.is_legal(9, "declare_war", target=0)
    assert r.do(9, "declare_war", target=0) == "done"  # the ordinary cap still has its 3
    assert not r.is_legal(6, "declare_war", target=0)


@pytest.mark.rule("CONT-017", "AI-084")
@pytest.mark.parametrize(
    ("over", "first"),
    [(110, 124), (123, 124), (130, 130)],
)
def test_the_next_one_needs_the_end_of_all_wars_and_24_turns(realm: Any, over: int, first: int) -> None:
    """Declared on turn 100 by member 1; member 2 can declare from the start."""
    r = realm(3, turn=105)
    r.w.containment(0, [1, 2], last_joint=100)
    r.w.relation(0, 1, state="war", by=1, origin="joint")
    r.powers((20, 0), (11, 0), (10, 0))
    for turn in range(105, first + 1):
        if turn == over:
            r.w.relation(0, 1, state="peace", declarer=None, origin="declaration")
        r.go(turn)
        if turn == 105:
            r.phase_9()
        assert r.states(2) == ["pending" if turn == first else "peace"], turn
    assert r.world.containment["declared"][0] == first


@pytest.mark.rule("CONT-017")
def test_the_first_one_waits_for_nothing(realm: Any) -> None:
    """In turn 20, fewer than 24 turns into the season."""
    r = realm(2, turn=20)
    for n in (0, 1):
        r.w.nation(n, founded=0)
    r.w.containment(0, [1])
    r.powers((20, 0), (21, 0))
    r.phase_9()
    assert r.states(1) == ["pending"] and r.world.containment["declared"][0] == 20


@pytest.mark.rule("CONT-017")
@pytest.mark.parametrize("origin", ["declaration", "pact"])
def test_only_wars_of_a_joint_declaration_are_waited_for(realm: Any, origin: str) -> None:
    r = realm(3, turn=124)
    r.w.containment(0, [1, 2], last_joint=100)
    r.w.relation(0, 1, state="war", by=0, origin=origin)
    r.powers((20, 0), (11, 0), (10, 0))
    r.phase_9()
    assert r.states(2) == ["pending"]


@pytest.mark.rule("CONT-017", "CONT-005")
def test_a_new_containment_is_bound_by_the_last_joint_declaration(realm: Any) -> None:
    """Declared on 60, over on 61, formed anew on 62: the next declaration is due on 84."""
    r = realm(3)
    r.w.nation(0, war_record={"declarations": [60] * 5})
    r.w.containment(0, [1])
    r.powers((20, 0), (21, 0), (0, 0))
    r.phase_9()
    assert r.states(1, 2) == ["pending", "pending"]
    r.land(20, 11, 5, world=40)
    r.go(61)
    assert r.containment() == (None, [])
    for n in (1, 2):
        r.w.relation(0, n, state="peace", declarer=None, turns_left=0, origin="declaration")
    r.land(20, 5, 5, world=40)
    r.go(83)
    assert r.containment() == (0, [1, 2])
    assert r.states(1, 2) == ["peace", "peace"]
    r.go(84)
    assert r.states(1, 2) == ["pending", "pending"]


@pytest.mark.rule("CONT-020")
def test_without_ai_members_the_notice_is_given_all_the_same_but_not_every_turn(realm: Any) -> None:
    r = realm(3)
    r.external(0, 1, 2)
    r.w.containment(0, [1])
    r.powers((20, 0), (21, 0), (500, 0))
    r.phase_9()
    assert told_of_war(r) == [1]  # 2 is no member
    assert r.states(1, 2) == ["peace", "peace"]
    assert r.world.containment["declared"][0] == 0
    told = [turn for turn in range(61, 86) if r.go(turn) is None and told_of_war(r)]
    assert told == [84]
    r.w.nation(2, controller="rule_ai")  # whoever can declare does not wait for that
    r.go(86)
    assert r.states(1, 2) == ["peace", "pending"]
    assert told_of_war(r) == [1]
