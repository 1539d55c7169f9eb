"""The rule AI's wars beside its mates and against those of others; whose land it spares."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hakoenv.agents.rule_ai import expanding

from hakoenv.engine import turn
from hakoenv.testing import SmallWorld

Make = Callable[..., Any]
EAGER = {
    "ai__advantage": [100, 100],
    "ai__along_advantage": 100,
    "ai__mates_percent": 50,
    "ai__war_strength": 0,
}
CALM = EAGER | {"ai__advantage": [10000, 10000], "ai__boldness": [0, 0]}  # it declares no war of its own


# ---------------------------------------------------------------- land in peace


def taken(w: SmallWorld) -> int:
    """How many hexes nation 0 would take from its neighbour now."""
    turn.run_phase(w.world, w.rules, "nation_update")
    w.world.nations["plan_length"][0] = 0
    expanding.take_neighbours_hex(w.world, w.rules, 0)
    return int(w.world.nations["plan_length"][0])


@pytest.mark.rule("AI-036", "TRD-013", "CONT-018")
@pytest.mark.parametrize("tie", ["faction", "amity", "league", "containment", "good terms"])
def test_no_hex_is_taken_from_whom_a_tie_binds(row: Make, tie: str) -> None:
    w = row(3).w
    w.cell(3, 1, terrain="farm", owner=1, level=10)
    assert taken(w) == 1
    if tie == "faction":
        w.faction("A", 0, [0, 1])
    elif tie == "amity":
        w.relation(0, 1, state="amity")
    elif tie == "league":
        w.league("L", [0, 1])
    elif tie == "containment":
        w.containment(2, [0, 1])
    else:
        w.nation(0, good_terms=[1])
    assert taken(w) == 0


@pytest.mark.rule("AI-036", "TRD-013", "CONT-018")
@pytest.mark.parametrize("tie", ["faction", "league", "containment"])
def test_ties_to_others_spare_nobody(row: Make, tie: str) -> None:
    """Members of two factions or leagues, one member and one outside, a member and the hegemon."""
    w = row(4).w
    w.cell(3, 1, terrain="farm", owner=1, level=10)
    if tie == "faction":
        w.faction("A", 0, [0, 2])
        w.faction("B", 1, [1, 3])
    elif tie == "league":
        w.league("L", [0, 2])
        w.league("M", [1, 3])
    else:
        w.containment(1, [0, 2])
        assert taken(w) == 1
        w.containment(3, [0, 2])
    assert taken(w) == 1


# ---------------------------------------------------------------- wars


@pytest.mark.rule("AI-086", "AID-012")
def test_a_nation_enters_a_mates_war_against_a_neighbour_that_they_can_beat(row: Make) -> None:
    def enters(strength: int = 0, foes_mate: bool = False, who: int = 1, **stock: int) -> list[Any]:
        r = row(5, **CALM)
        r.w.faction("A", 0, [0, 1])
        r.w.relation(0, 2, state="pending", turns_left=3, declarer=2)
        r.w.nation(2, reserves=strength)
        r.w.nation(who, **stock)
        if foes_mate:
            r.w.faction("B", 2, [2, 3])
        return list(r.steps(who, "negotiate"))

    assert enters() == [("declare_war", 2, 0)]
    assert enters(100) == [("declare_war", 2, 0)]  # 100 and the mate's 100 against 200
    assert enters(101) == []
    assert enters(50, foes_mate=True) == [("declare_war", 2, 0)]  # half of the other's mate counts: 200
    assert enters(51, foes_mate=True) == []
    assert enters(food=100) == []  # not ready for a war
    assert enters(who=3) == []  # no mate of theirs
    r = row(5, **CALM)
    r.w.faction("A", 0, [0, 1])
    r.w.relation(0, 3, state="war", declarer=0)
    assert r.steps(1, "negotiate") == []  # nation 3 is no neighbour


@pytest.mark.rule("AI-001")
def test_a_proxy_enters_no_mates_war(row: Make) -> None:
    r = row(3, **EAGER)
    r.w.faction("A", 0, [0, 1])
    r.w.relation(0, 2, state="war", declarer=2)
    assert r.steps(1, "negotiate") == [("declare_war", 2, 0)]
    r.w.nation(1, controller="llm")
    assert r.steps(1, "negotiate") == []


@pytest.mark.rule("AI-086")
def test_whoever_attacks_reckons_with_the_mates_of_both(row: Make) -> None:
    def prey(mine: int, mates: str = "", theirs: int = 150) -> list[Any]:
        r = row(4, **EAGER).people(mine, theirs, 100, 100)
        if "b" in mates:
            r.w.faction("B", 1, [1, 2])
        if "a" in mates:
            r.w.faction("A", 0, [0, 3])
        return list(r.steps(0, "negotiate"))

    assert prey(150) == [("declare_war", 1, 0)] and prey(149) == []
    assert prey(200, "b") == [("declare_war", 1, 0)] and prey(199, "b") == []  # half of its mate's 100
    assert prey(150, "ab") == [("declare_war", 1, 0)] and prey(149, "ab") == []


@pytest.mark.rule("AI-086", "CONT-011")
def test_the_hegemon_reckons_with_all_whom_an_attack_would_bring_against_it(row: Make) -> None:
    def prey(mine: int, members: list[int]) -> list[Any]:
        r = row(4, **EAGER).people(mine, 90, 90, 90)
        if members:
            r.w.containment(0, members)
        return list(r.steps(0, "negotiate"))

    assert prey(90, []) == [("declare_war", 1, 0)]
    assert prey(269, [1, 2, 3]) == [] and prey(270, [1, 2, 3]) == [("declare_war", 1, 0)]
    assert prey(90, [2, 3]) == [("declare_war", 1, 0)]  # its neighbour is no member


@pytest.mark.rule("AI-086")
@pytest.mark.parametrize("tie", ["none", "mates", "fellows", "applied", "applicant", "guest of another"])
def test_nobody_attacks_a_mate_a_fellow_or_whom_it_wants_as_one(row: Make, tie: str) -> None:
    w = (r := row(4, **EAGER, ai__boldness=[100, 100])).w
    if tie == "mates":
        w.faction("A", 0, [0, 1])
    elif tie == "fellows":
        w.containment(3, [0, 1])
    elif tie == "applied":
        w.faction("A", 1, [1], applications=[[0, 99]])
    elif tie == "applicant":
        w.faction("A", 0, [0], applications=[[1, 99]])
    elif tie == "guest of another":  # only its leader knows
        w.faction("A", 3, [3, 0], applications=[[1, 99]])
    attacked = [("declare_war", 1, 0)] if tie in ("none", "guest of another") else []
    assert r.steps(0, "negotiate") == attacked


@pytest.mark.rule("AI-086")
def test_those_who_stand_together_do_not_give_in_one_by_one(row: Make) -> None:
    """The hegemon has 300: each member alone has less than half of it, two have more."""

    def asks(*fighting: int, offer: bool = False, faction: bool = False) -> bool:
        r = row(4).people(100, 100, 300, 100)
        if faction:
            r.w.faction("A", 0, [0, 1])
        else:
            r.w.containment(2, [0, 1])
        for n in fighting:
            r.w.relation(n, 2, state="pending", turns_left=4, declarer=n)
        r.w.world.relations["offer_until"][2, 0] = 101 if offer else 0
        return r.steps(0, "negotiate") == [("ceasefire", 2, 0)]

    assert asks(0) and asks(0, 3)  # nobody stands by it
    assert not asks(0, 1) and not asks(0, 1, faction=True)
    assert asks(0, 1, offer=True)  # the floor of AI-086: what is offered it accepts
