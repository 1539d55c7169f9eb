"""The containment: when it stands, who is in it, what war on one of them brings (CONT-004 .. CONT-012)."""

import itertools
from typing import Any

import pytest

from hakoenv.engine import survival
from hakoenv.engine.codes import event, war_origin
from hakoenv.engine.diplomacy import containment, hegemon
from hakoenv.engine.turn import PHASES
from hakoenv.testing import SmallWorld


def invited(r: Any) -> list[int]:
    return [n for n in range(r.w.nations) if containment.is_invited(r.world, r.rules, n)]


# ---------------------------------------------------------------- forming and dissolving


@pytest.mark.rule("CONT-003", "CONT-004", "CONT-006", "CONT-010", "AI-080", "LLM-011", "TURN-073", "TURN-010")
def test_it_forms_and_ai_nations_are_members_at_once(realm: Any) -> None:
    """The points are exactly 30; rule AI and language models join, external nations are invited."""
    r = realm(5)
    r.frighten()
    r.w.nation(2, controller="llm")
    r.external(0, 3, 4)
    r.phase_9()
    assert r.containment() == (0, [1, 2])
    assert r.world.containment["formed"][0] == 60
    assert invited(r) == [3, 4]
    news = (event.CONTAINMENT_FORMED, event.CONTAINMENT_JOINED, event.CONTAINMENT_ENDED)
    told = [
        (event.CONTAINMENT_FORMED, 0, -1),
        (event.CONTAINMENT_JOINED, 1, 0),
        (event.CONTAINMENT_JOINED, 2, 0),
    ]
    assert r.told(*news) == told
    assert r.states(1, 2, 3, 4) == ["peace"] * 4  # they are too weak
    r.phase_9()
    assert r.containment() == (0, [1, 2]) and r.told(*news) == told


@pytest.mark.rule("CONT-004", "CONT-019", "TURN-051")
def test_it_is_looked_after_in_phase_9_on_the_land_of_that_moment() -> None:
    """4 of 8 land cells, 1440 points; the declarations of this turn's plans count from the next turn on."""
    w = SmallWorld(3, 8, 2, turn=60)
    w.cell(0, 1, terrain="town", owner=0, population=90, capital=True)
    for x in (1, 2, 3):
        w.cell(x, 1, terrain="plains", owner=0)
    w.cell(5, 1, terrain="town", owner=1, population=10, capital=True)
    for x in (6, 7, 4):
        w.cell(x, 1, terrain="plains")
    w.nation(0, war_record={"declarations": [48] * 4})
    w.nation(1, controller="rule_ai")
    w.phase("plans")
    assert w.world.containment["target"][0] == -1
    w.phase("diplomacy")
    assert w.world.containment["target"][0] == 0
    assert w.world.nations["contained"].tolist() == [0, 1]
    w.cell(3, 1, owner=1)  # 3 of 8, and 3 < 2 x 2
    w.phase("diplomacy")
    assert w.world.containment["target"][0] == -1
    assert next(phase.name for phase in PHASES if phase.label == "9") == "diplomacy"


@pytest.mark.rule("CONT-005", "CONT-001")
def test_it_dissolves_with_the_hegemony_and_wars_go_on(realm: Any) -> None:
    r = realm(4)
    r.w.containment(0, [1, 2], formed=30)
    r.w.relation(0, 1, state="war", by=0, origin="pact", since=50)
    r.w.relation(0, 2, state="pending", turns_left=3, by=2, origin="joint")
    r.land(20, 11, 5, 4, world=40)  # 20 < 2 x 11
    r.phase_9()
    assert r.containment() == (None, [])
    assert r.states(1, 2, 3) == ["war", "pending", "peace"]
    assert r.told(event.CONTAINMENT_ENDED) == [(event.CONTAINMENT_ENDED, 0, -1)]
    assert invited(r) == []
    r.go(62)
    assert r.states(1, 2, 3) == ["war", "war", "peace"]


@pytest.mark.rule("CONT-005")
def test_fading_points_do_not_dissolve_it(realm: Any) -> None:
    r = realm(3)
    r.w.containment(0, [1], formed=30)
    r.phase_9()
    assert r.containment()[0] == 0


@pytest.mark.rule("CONT-004", "CONT-005", "TURN-073")
@pytest.mark.parametrize(("is_feared", "found"), [(True, (1, [0, 2])), (False, (None, []))])
def test_another_hegemon_has_a_containment_of_its_own(
    realm: Any, is_feared: bool, found: tuple[int | None, list[int]]
) -> None:
    """The old one is over before the new one is thought of; members of the old one join it as others do."""
    r = realm(4)
    r.external(3)
    r.w.containment(0, [2, 3], formed=30)
    r.land(5, 20, 5, 5, world=40)
    r.powers((10, 0), (1000, 0), (10, 0), (10, 0))
    if is_feared:
        r.frighten(1)
    r.phase_9()
    assert r.containment() == found
    assert (
        r.told(event.CONTAINMENT_ENDED, event.CONTAINMENT_FORMED)
        == [
            (event.CONTAINMENT_ENDED, 0, -1),
            (event.CONTAINMENT_FORMED, 1, -1),
        ][: 1 + is_feared]
    )


@pytest.mark.rule("CONT-005", "CONT-006")
@pytest.mark.parametrize("fallen", [0, 1])
def test_it_ends_with_its_hegemon_and_loses_members_that_fall(realm: Any, fallen: int) -> None:
    r = realm(3)
    r.w.containment(0, [1, 2])
    r.w.relation(0, 1, state="war", by=0, origin="pact")
    r.world.nations["alive"][fallen] = 0
    r.world.nations["fell"][fallen] = r.turn
    survival.free_abandoned_land(r.world, r.rules)
    assert r.containment() == ((None, []) if fallen == 0 else (0, [2]))
    assert r.w.relation(0, 1).state == "peace" and r.w.relation(0, 1).origin == "declaration"
    r.land(*((0, 5, 5) if fallen == 0 else (20, 0, 5)), world=40)
    r.phase_9()  # the fallen join nothing
    assert r.containment() == ((None, []) if fallen == 0 else (0, [2]))


# ---------------------------------------------------------------- joining and leaving


@pytest.mark.rule("CONT-006", "CMD-036", "CMD-037", "AI-080")
def test_external_nations_join_and_leave_as_they_like(realm: Any) -> None:
    r = realm(3)
    r.external(1)
    r.w.nation(1, funds=7)
    r.w.containment(0, [])
    assert r.do(1, "containment_leave") == "not_containing"
    for _ in range(2):  # whoever left may join again
        assert r.do(1, "containment_join") == "done"
        assert r.containment() == (0, [1])
        assert invited(r) == []
        assert r.do(1, "containment_join") == "already_so"
        assert r.do(1, "containment_leave") == "done"
        assert r.containment() == (0, [])
        assert invited(r) == [1]
    assert r.w.nation(1).funds == 7
    pair = (event.CONTAINMENT_JOINED, 1, 0), (event.CONTAINMENT_LEFT, 1, 0)
    assert r.told(event.CONTAINMENT_JOINED, event.CONTAINMENT_LEFT) == [*pair, *pair]


@pytest.mark.rule("LLM-011", "CMD-036", "CMD-037", "AI-080")
@pytest.mark.parametrize("driver", ["rule_ai", "llm"])
def test_ai_nations_have_no_say_in_it(realm: Any, driver: str) -> None:
    r = realm(3)
    r.w.nation(1, controller=driver)
    r.w.nation(2, controller=driver)
    r.w.containment(0, [1])
    for n, name in itertools.product((1, 2), ("containment_join", "containment_leave")):
        assert r.do(n, name) == "joins_by_itself"
    assert r.containment() == (0, [1])
    assert invited(r) == []


@pytest.mark.rule("CMD-036", "CMD-037")
def test_without_a_containment_there_is_nothing_to_join(realm: Any) -> None:
    r = realm(2)
    r.external(1)
    for name in ("containment_join", "containment_leave"):
        assert r.do(1, name) == "no_containment"
    assert invited(r) == []


@pytest.mark.rule("CONT-004", "CONT-019", "CMD-036")
def test_what_plans_do_forms_nothing_in_their_turn(realm: Any) -> None:
    """Three declarations of this turn are 3 x 10 x 48 = 1440; in the next 3 x 470, with a fourth 4 x 470."""
    r = realm(6)
    r.external(5)
    for n, feared_next in ((1, False), (2, False), (3, False), (4, True)):
        assert r.do(0, "declare_war", target=n) == "done"
        assert r.do(5, "containment_join") == "no_containment"
        assert r.is_legal(5, "containment_join") == feared_next
        assert r.containment() == (None, []) and invited(r) == []
    assert hegemon.is_feared(r.world, r.rules, 0, 60)
    r.go(61)
    assert r.containment() == (0, [1, 2, 3, 4]) and invited(r) == [5]


@pytest.mark.rule("CONT-007", "AI-081", "CMD-036")
def test_the_hegemon_its_mates_and_partners_in_amity_can_t_join(realm: Any) -> None:
    r = realm(5)
    r.external(0, 1, 2, 3)
    r.w.faction("A", 0, [1])
    r.w.relation(0, 2, state="amity")
    r.w.relation(3, 2, state="amity")  # with others it is no matter
    r.w.containment(0, [])
    assert [r.do(n, "containment_join") for n in range(4)] == ["tied_to_hegemon"] * 3 + ["done"]
    assert r.containment() == (0, [3])


@pytest.mark.rule("CONT-007", "AI-081", "FAC-021")
def test_ai_nations_tied_to_the_hegemon_stay_out(realm: Any) -> None:
    r = realm(5)
    r.frighten()
    r.w.faction("A", 0, [1])
    r.w.relation(0, 2, state="amity")
    r.phase_9()
    assert r.containment() == (0, [3, 4])


@pytest.mark.rule("CONT-008", "AI-081", "TURN-073")
def test_members_that_become_ineligible_leave_in_the_next_phase_9(realm: Any) -> None:
    r = realm(4)
    r.external(0, 1, 3)
    r.w.containment(0, [1, 2, 3])
    r.w.relation(0, 1, amity_offer=0)
    assert r.do(1, "amity", target=0) == "done"
    r.w.faction("A", 0, [3])
    assert r.states(1) == ["amity"]
    assert r.do(1, "containment_join") == "already_so"
    assert r.containment() == (0, [1, 2, 3])
    r.go(61)
    assert r.containment() == (0, [2])
    assert r.told(event.CONTAINMENT_LEFT) == [
        (event.CONTAINMENT_LEFT, 1, 0),
        (event.CONTAINMENT_LEFT, 3, 0),
    ]


@pytest.mark.rule("CONT-009", "AI-082", "FAC-021")
def test_a_mate_with_amity_keeps_ai_nations_out_and_no_others(realm: Any) -> None:
    """Nations 1 (AI), 2 (external) and 3 share a faction; 3 has amity with the hegemon."""
    r = realm(5)
    r.external(0, 2, 3)
    r.frighten()
    r.w.faction("A", 1, [2, 3])
    r.w.relation(0, 3, state="amity")
    r.phase_9()
    assert r.containment() == (0, [4])
    assert invited(r) == [2]
    assert r.do(2, "containment_join") == "done"
    assert r.do(0, "amity", amount=1, target=3) == "done"  # the treaty ends
    r.go(61)
    assert r.containment() == (0, [1, 2, 4])
    r.w.relation(0, 3, state="amity")  # who is in stays: only joining is barred
    r.go(62)
    assert r.containment() == (0, [1, 2, 4])


@pytest.mark.rule("CMD-036", "CMD-037", "CONT-010", "TURN-077")
def test_masks_know_what_phase_9_of_the_coming_turn_makes_of_it(realm: Any) -> None:
    """By brute force over hegemony, points, membership and ties: a command does as its mask said."""
    asked = ("containment_join", "containment_leave")
    seen = set()
    cases = itertools.product(
        (None, 0, 2), (20, 9), (4, 5), ((), (1,)), ("peace", "amity"), ("external", "rule_ai")
    )
    for target, land, declarations, members, state, driver in cases:
        if target is None and members:
            continue
        r = realm(3)
        r.land(land, 5, 5, world=40)
        r.w.nation(0, war_record={"declarations": [48] * declarations})
        r.w.nation(1, controller=driver)
        r.w.relation(0, 1, state=state)
        if target is not None:
            r.w.containment(target, list(members))
        legal = [r.is_legal(1, name) for name in asked]
        r.go(61)
        done = []
        for name in asked:
            before = r.containment()
            done.append(r.do(1, name) == "done")
            if before[0] is not None:
                r.w.containment(*before)
        assert done == legal, (target, land, declarations, members, state, driver)
        seen.add(tuple(done))
    assert seen == {(False, False), (True, False), (False, True)}


# ---------------------------------------------------------------- the defensive pact


def at_war_with(r: Any) -> list[int]:
    return [n for n in range(1, r.w.nations) if r.w.relation(0, n).state in ("pending", "war")]


@pytest.mark.rule("CONT-011", "AI-085", "LIMIT-009", "AID-012")
def test_the_hegemon_declares_on_one_member_and_has_them_all(realm: Any) -> None:
    r = realm(5, turn=100)
    r.external(0, 3, 4)
    r.w.containment(0, [1, 2, 3])
    r.w.relation(0, 2, amity_offer=2)  # offers lapse
    r.world.relations["good_terms"][3, 0] = r.world.relations["good_terms"][0, 2] = 1
    assert r.do(0, "declare_war", target=1) == "done"
    for n, origin in ((1, "declaration"), (2, "pact"), (3, "pact")):
        side = r.w.relation(n, 0)
        assert (side.state, side.turns_left, side.by, side.origin) == ("pending", 5, 0, origin)
    assert r.states(4) == ["peace"]
    assert not r.world.relations["offer_until"].any() and not r.world.relations["good_terms"].any()
    assert r.told(event.WAR_DECLARED, event.PACT_ENTERED) == [
        (event.WAR_DECLARED, 0, 1),
        (event.PACT_ENTERED, 2, 0),
        (event.PACT_ENTERED, 3, 0),
    ]
    r.go(104)
    assert r.states(1, 2, 3) == ["pending"] * 3
    r.go(105)
    assert r.states(1, 2, 3, 4) == ["war"] * 3 + ["peace"]
    assert r.told(event.WAR_OPENED) == [(event.WAR_OPENED, 0, n) for n in (1, 2, 3)]


@pytest.mark.rule("CONT-011")
def test_no_other_declaration_calls_them(realm: Any) -> None:
    r = realm(4)
    r.w.containment(0, [1, 2])
    assert r.do(3, "declare_war", target=1) == "done"  # not the hegemon
    assert r.do(0, "declare_war", target=3) == "done"  # not on a member
    assert r.do(2, "declare_war", target=0) == "done"  # by a member
    assert at_war_with(r) == [2, 3]
    assert r.w.relation(3, 2).state == "peace"


@pytest.mark.rule("CONT-011", "LIMIT-001")
@pytest.mark.parametrize(("founded", "joins"), [(46, False), (45, True)])
def test_the_protected_stay_out(realm: Any, founded: int, joins: bool) -> None:
    r = realm(3)
    r.w.nation(2, founded=founded)
    r.w.containment(0, [1, 2])
    assert r.do(0, "declare_war", target=1) == "done"
    assert at_war_with(r) == ([1, 2] if joins else [1])


@pytest.mark.rule("CONT-012", "TURN-073", "AI-085", "FAC-021")
def test_mates_and_new_partners_in_amity_of_the_hegemon_stay_out(realm: Any) -> None:
    """They are members until phase 9, but are not drawn in."""
    r = realm(5)
    r.external(0, 1, 2, 3, 4)
    r.w.containment(0, [1, 2, 3, 4])
    r.w.faction("A", 0, [2])
    r.w.relation(0, 3, state="amity")
    assert r.do(0, "declare_war", target=1) == "done"
    assert r.states(1, 2, 3, 4) == ["pending", "peace", "amity", "pending"]


@pytest.mark.rule("CONT-011", "CONT-012")
def test_wars_under_way_stay_as_they_are_and_a_truce_is_no_way_out(realm: Any) -> None:
    r = realm(5)
    r.w.containment(0, [1, 2, 3, 4])
    r.w.relation(0, 2, state="pending", turns_left=2, by=2)
    r.w.relation(0, 3, state="war", by=3, origin="joint", since=50)
    r.w.relation(0, 4, truce=7)
    assert r.do(0, "declare_war", target=4) == "truce_in_force"
    assert r.do(0, "declare_war", target=1) == "done"
    assert (r.w.relation(0, 2).turns_left, r.w.relation(0, 2).by) == (2, 2)
    assert (r.w.relation(0, 3).state, r.w.relation(0, 3).origin, r.w.relation(0, 3).since) == (
        "war",
        "joint",
        50,
    )
    assert (r.w.relation(0, 4).state, r.w.relation(0, 4).truce) == ("pending", 0)


@pytest.mark.rule("CONT-011", "CONT-016")
def test_wars_by_the_pact_leave_the_ordinary_cap_alone(realm: Any) -> None:
    """The hegemon's own declaration on member 1 is the one that counts, and it is one on member 1."""
    r = realm(8)
    r.w.containment(0, [1, 2, 3, 4])
    assert r.do(0, "declare_war", target=1) == "done"
    assert (r.world.relations["origin"][0, 1:] == [0, 2, 2, 2, 0, 0, 0]).all() and war_origin.PACT == 2
    assert [r.do(n, "declare_war", target=0) for n in (5, 6, 7)] == ["done"] * 3
    assert [r.do(n, "declare_war", target=2) for n in (5, 6, 7)] == ["done"] * 3
    assert [r.do(n, "declare_war", target=1) for n in (5, 6, 7)] == ["done", "done", "too_many_wars"]


@pytest.mark.rule("CONT-011", "CONT-005")
def test_drawn_in_is_drawn_in_even_if_the_containment_is_over_before_the_war_opens(realm: Any) -> None:
    r = realm(3)
    r.external(2)
    r.w.containment(0, [1, 2])
    assert r.do(0, "declare_war", target=1) == "done"
    assert r.do(2, "containment_leave") == "done"
    r.land(20, 11, 5, world=40)
    r.go(65)
    assert r.containment() == (None, [])
    assert r.states(1, 2) == ["war", "war"]


@pytest.mark.rule("CONT-011")
def test_without_a_delay_all_wars_open_at_once(realm: Any) -> None:
    r = realm(3, **{"diplomacy.war_delay": 0})
    r.w.containment(0, [1, 2])
    assert r.do(0, "declare_war", target=1) == "done"
    assert r.states(1, 2) == ["war", "war"]
    assert [r.w.relation(0, n).origin for n in (1, 2)] == ["declaration", "pact"]
