"""The rule AI in factions: whom it admits, where it applies, when it founds one, stays or goes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Make = Callable[..., Any]


# ---------------------------------------------------------------- as a leader


@pytest.mark.rule("AI-071")
def test_a_leader_accepts_who_is_at_war_with_nobody_in_the_faction(row: Make) -> None:
    r = row()
    r.w.faction("A", 0, [0, 1], applications=[[2, 99], [3, 95]])
    both = [("faction_decide", 2, 1), ("faction_decide", 3, 1)]
    assert r.steps(0, "answer") == both
    assert r.steps(1, "answer") == []  # a member decides nothing
    r.w.relation(1, 2, state="pending", turns_left=4, declarer=2)
    assert r.steps(0, "answer") == both[1:]
    r.w.relation(0, 3, state="war", declarer=0)
    assert r.steps(0, "answer") == []
    r.w.relation(0, 3, state="peace")
    r.w.relation(1, 2, state="peace")
    assert r.steps(0, "answer") == both


@pytest.mark.rule("AI-071", "AI-070")
def test_a_leader_wants_nobody_who_broke_with_others_twice(row: Make) -> None:
    r = row()
    r.w.faction("A", 0, [0], applications=[[2, 99], [3, 99]])
    r.w.nation(2, unreliable=[60, 95])
    r.w.nation(3, unreliable=[95])
    assert r.steps(0, "answer") == [("faction_decide", 3, 1)]


@pytest.mark.rule("LLM-013", "AI-001")
def test_a_proxy_decides_on_applications_and_on_nothing_else(row: Make) -> None:
    r = row(ai__faction_patience=0)
    r.w.faction("A", 0, [0, 1], applications=[[2, 99]], dissolving=2)
    assert r.steps(0, "answer") == [("faction_decide", 2, 1), ("faction_dissolve", 0, 1)]
    r.w.nation(0, controller="llm")
    assert r.steps(0) == [("faction_decide", 2, 1)]
    assert ("faction_demand_leader", 0, 1) in r.steps(1)
    r.w.nation(1, controller="llm")
    assert r.steps(1) == []
    assert r.steps(3, "seek") != []
    r.w.nation(3, controller="llm")
    assert r.steps(3) == []  # it looks for no faction and no league


# ---------------------------------------------------------------- without a faction


@pytest.mark.rule("AI-071")
def test_a_nation_applies_where_it_hopes_for_most_help(row: Make) -> None:
    r = row(6).people(100, 120, 100, 100, 150, 100)
    r.w.faction("A", 1, [1])
    r.w.faction("B", 4, [4])
    assert r.steps(2, "seek") == [("faction_apply", 1, 0)]  # 240 beside it, 150 far away
    r.w.nation(4, reserves=91)
    assert r.steps(2, "seek") == [("faction_apply", 4, 0)]
    assert r.steps(0, "seek") == [("faction_apply", 4, 0)]  # with 1 it would have no neighbour to fight
    r.w.nation(4, reserves=0)
    assert r.steps(0, "seek") == [("faction_apply", 4, 0)]
    r.w.relation(2, 0, state="war", declarer=0)
    r.w.relation(4, 0, state="war", declarer=0)  # an enemy in common: 300
    assert r.steps(2, "seek") == [("faction_apply", 4, 0)]


@pytest.mark.rule("AI-071")
def test_a_nation_without_land_neighbours_joins_any(row: Make) -> None:
    r = row(3).apart(0)
    r.w.faction("A", 1, [1])
    assert r.steps(0, "seek") == [("faction_apply", 1, 0)]


@pytest.mark.rule("AI-071")
@pytest.mark.parametrize(
    "why", ["war", "notice", "too strong", "waiting", "unreliable", "early", "fierce", "off"]
)
def test_a_nation_does_not_apply(row: Make, why: str) -> None:
    rules = {"off": {"ai__faction_interval": 7}, "early": {"ai__faction_from": 28}}.get(why, {})
    rules = {"fierce": {"ai__faction_loner": 0}, "too strong": {"ai__faction_share": 49}}.get(why, rules)
    r = row(4, **rules, **{"ai__faction_funds": 9000})
    r.w.faction("A", 1, [1], **({"dissolving": 2} if why == "notice" else {}))
    if why == "war":
        r.w.relation(1, 2, state="pending", turns_left=3, declarer=1)
    elif why == "waiting":
        r.w.nation(2, left_faction=71)
    elif why == "unreliable":
        r.w.nation(2, unreliable=[80, 81])
    assert r.steps(2, "seek") == []


@pytest.mark.rule("AI-071")
def test_nations_look_around_in_turns(row: Make) -> None:
    r = row(4, ai__faction_interval=5)
    r.w.faction("A", 1, [1])
    assert r.steps(2, "seek") == []  # turn 100
    r.w.world.clock["turn"] = 103
    assert r.steps(2, "seek") == [("faction_apply", 1, 0)]
    assert r.steps(3, "seek") == []


@pytest.mark.rule("AI-071")
def test_an_application_is_waited_for_and_withdrawn_in_war(row: Make) -> None:
    r = row(4)
    r.w.faction("A", 1, [1], applications=[[2, 98]])
    assert r.steps(2, "seek") == []
    r.w.relation(1, 2, state="pending", turns_left=3, declarer=1)
    assert r.steps(2, "seek") == [("faction_withdraw", 0, 0)]


@pytest.mark.rule("AI-071")
def test_a_mighty_nation_founds_a_faction_that_others_could_join(row: Make) -> None:
    def founds(n: int = 1, funds: int = 2500, share: int = 60, joined: tuple[int, ...] = ()) -> bool:
        r = row(4, ai__faction_share=share, ai__faction_funds=1500).people(90, 110, 120, 80)
        r.w.nation(n, funds=funds)
        for k in joined:
            r.w.faction(f"F{k}", k, [k], dissolving=3)  # nobody applies to one that ends
        steps = r.steps(n, "seek")
        assert steps in ([], [("faction_create", 0, 0)])
        return bool(steps)

    assert founds()  # 110 of 400: two are weaker, one is stronger
    assert founds(2)
    assert not founds(0)  # 90: two are stronger
    assert founds(0, joined=(1,)) and not founds(0, joined=(3,))
    assert not founds(funds=2499)
    assert founds(share=48) and not founds(share=47)  # 110 + 80 = 190 of 400


@pytest.mark.rule("AI-071", "FAC-002")
def test_no_faction_is_founded_beyond_the_eighth(row: Make) -> None:
    r = row(10)
    for n in range(8):
        r.w.faction(f"F{n}", n, [n], dissolving=2)
    assert r.steps(8, "seek") == []
    r.w.world.factions["active"][7] = 0
    r.w.world.nations["faction"][7] = -1
    assert r.steps(8, "seek") == [("faction_create", 0, 0)]


@pytest.mark.rule("AI-071")
def test_in_a_duel_nobody_founds_a_faction(row: Make) -> None:
    assert row(2, ai__faction_share=40).steps(0, "seek") == []


@pytest.mark.rule("AI-071")
def test_a_whole_plan_keeps_the_price_of_a_faction(row: Make) -> None:
    """What founding costs is not spent a second time by what follows in the plan."""
    r = row(4, ai__faction_funds=0)
    r.w.nation(0, funds=1000)
    r.w.phase("nation_update")
    r.w.phase("plan_fill")
    world = r.w.world
    planned = world.plans["command"][0, : world.nations["plan_length"][0]].tolist()
    assert 100 in planned
    r.w.phase("plans")
    assert all(entry["done"] for entry in r.w.results(0))


# ---------------------------------------------------------------- as a member


@pytest.mark.rule("AI-071")
def test_a_member_takes_over_the_leadership_it_is_offered(row: Make) -> None:
    r = row(3)
    r.w.faction("A", 0, [0, 1, 2], handover={"to": 1, "turn": 99})
    assert r.steps(1, "answer") == [("faction_handover", 0, 1)]
    assert r.steps(2, "answer") == []


@pytest.mark.rule("AI-071")
def test_a_member_wants_another_leader_rather_than_the_end(row: Make) -> None:
    r = row(3)
    r.w.faction("A", 0, [0, 1, 2], dissolving=2, demands=[2])
    assert r.steps(1, "answer") == [("faction_demand_leader", 0, 1)]
    assert r.steps(2, "answer") == []  # it does so already
    assert r.steps(0, "answer") == [("faction_dissolve", 0, 1)]  # its leader has no reason to go


@pytest.mark.rule("AI-071")
def test_a_nation_that_could_win_alone_goes(row: Make) -> None:
    """Land of 12 hexes in all; 6 are half."""
    r = row(4)
    r.w.faction("A", 0, [0, 1])
    for x in (9, 11):
        r.w.cell(x, 1, owner=1)
    r.w.cell(0, 1, owner=3)
    assert r.steps(1, "answer") == []  # 5 hexes, and 7 with its mate
    r.w.cell(6, 1, owner=1)
    r.w.cell(0, 1, owner=0)
    assert r.steps(1, "answer") == []  # 6, and 9 with its mate: 75 percent win together
    r.w.cell(0, 1, owner=3)  # 8 of 12: 66 percent don't
    assert r.steps(1, "answer") == [("faction_leave", 0, 0)]
    r.w.world.factions["leader"][0] = 1
    assert r.steps(1, "answer") == [("faction_dissolve", 0, 0)]
    r.w.world.factions["dissolves"][0] = 103
    assert r.steps(1, "answer") == []


@pytest.mark.rule("AI-071")
def test_a_leader_that_is_long_alone_gives_up(row: Make) -> None:
    def ends(age: int, mate: bool = False, guest: bool = False) -> bool:
        r = row(4)
        guests = {"applications": [[2, 99]]} if guest else {}
        r.w.faction("A", 0, [0, *([1] if mate else [])], created=100 - age, **guests)
        return ("faction_dissolve", 0, 0) in r.steps(0, "answer")

    assert ends(30) and not ends(29)
    assert not ends(30, mate=True) and not ends(30, guest=True)


@pytest.mark.rule("AI-071", "FAC-003")
def test_a_faction_forms_and_its_members_found_a_league(row: Make) -> None:
    """The first to look around founds it; the others apply in turns of their own and are let in."""
    r = row(3, ai__faction_interval=4, ai__league_interval=3, ai__war_border=99)
    r.apart(0).apart(1)  # nobody wants land of the others
    nations = r.w.world.nations
    seen = []
    for _ in range(10):
        r.w.run(1)
        seen.append((nations["faction"].tolist(), nations["applied_to"].tolist()))
    assert ([0, -1, -1], [-1, -1, 0]) in seen and ([0, -1, 0], [-1, 0, -1]) in seen
    assert nations["faction"].tolist() == [0, 0, 0]
    assert nations["league"].tolist() == [0, 0, 0]
