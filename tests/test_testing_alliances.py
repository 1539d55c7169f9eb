"""Factions, leagues, the containment, messages and aid in small worlds and cases."""

from typing import Any

import pytest

from hakoenv.engine import soundness
from hakoenv.testing import CaseError, SmallWorld, alliances, expect


def table(nations: int = 4, **options: Any) -> SmallWorld:
    """Nations with a town each, in turn 40."""
    w = SmallWorld(3, 3 * nations, nations, turn=40, **options)
    for n in range(nations):
        w.cell(3 * n + 1, 1, terrain="town", owner=n, population=50, capital=True)
    return w


def sound(w: SmallWorld) -> SmallWorld:
    assert soundness.faults(w.world, w.rules) == []
    return w


def holds(w: SmallWorld, *entries: dict[str, Any]) -> None:
    assert [failure for entry in entries for failure in expect.check(w, entry)] == []


def test_a_faction_is_what_was_said_of_it() -> None:
    w = table()
    w.faction("A", 0, [[1, 10], 2], created=5, renamed=30, due=42, applications=[[3, 39]], demands=[1],
              handover={"to": 2, "turn": 40})  # fmt: skip
    (found,) = alliances.factions(sound(w))
    assert found == {
        "name": "A", "leader": 0, "members": [0, 1, 2], "created": 5, "renamed": 30, "due": 42,
        "dissolving": 2, "applications": [3], "demands": [1], "handover": {"to": 2, "turn": 40},
    }  # fmt: skip
    assert (w.nation(1).faction, w.nation(1).faction_joined, w.nation(2).faction_joined) == ("A", 10, -10)
    holds(w, {"faction": {"leader": 0}, "applications": [3], "handover": {"to": 2}},
          {"faction": {"name": "B"}, "count": 0})  # fmt: skip


def test_a_faction_made_in_the_game_is_called_by_the_number_of_its_name() -> None:
    w = table()
    w.faction("A", 0)
    w.nation(1, funds=1000)
    w.order(1, "faction_create")
    w.order(0, "faction_rename", amount=7)
    for phase in ("clock", "plans", "faction_settle"):
        w.phase(phase)
    assert [one["name"] for one in alliances.factions(w)] == ["7", "1"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"due": 42, "dissolving": 2}, "say the same"),
        ({"due": 39}, "dissolving: -1"),
        ({"applications": [[1, 30]], "members": [1]}, "nation 1 is in a faction"),
        ({"applications": [1]}, "is not a list of nation and turn"),
        ({"demands": [0]}, "nation 0 is no member that could demand"),
        ({"handover": {"to": 3, "turn": 40}}, "nation 3 is no member that could lead"),
        ({"handover": 3}, 'is not an object with "to" and "turn"'),
        ({"members": [[1, 2, 3]]}, "no nation and no pair"),
        ({"colour": 1}, 'unknown faction field "colour"'),
    ],
)
def test_a_faction_that_can_not_be_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(CaseError, match=message):
        table().faction("A", 0, **given)


def test_factions_share_no_member_and_no_name() -> None:
    w = table()
    w.faction("A", 0, [1])
    for name, leader, message in (("A", 2, 'two are called "A"'), ("B", 1, "nation 1 is in two factions")):
        with pytest.raises(CaseError, match=message):
            w.faction(name, leader)


def test_a_league_is_represented_by_its_longest_member_unless_another_is_named() -> None:
    w = table(5)
    w.league("L", [[2, 20], [0, 20], [1, 30]], number=3)
    w.league("M", [3, 4], representative=4)
    holds(
        sound(w),
        {"league": {"number": 3}, "name": "L", "members": [0, 1, 2], "representative": 0, "founded": 20},
        {"league": {"number": 1}, "name": "M", "representative": 4},
        {"nation": 1, "league": "L", "league_joined": 30},
    )
    with pytest.raises(CaseError, match="nation 1 is no member"):
        table().league("L", [0], representative=1)
    for given, message in (
        ({"members": [1]}, "nation 1 is in two leagues"),
        ({"members": [], "name": "N"}, "has no members"),
        ({"members": [0], "number": 3}, "two leagues have number 3"),
        ({"members": [0], "number": 6}, "6 is not between 1 and 5"),
    ):
        with pytest.raises(CaseError, match=message):
            alliances.add_league(w, given)


def test_a_containment_stands_against_one_and_has_members() -> None:
    w = table()
    holds(w, {"containment": True, "exists": False, "target": None, "members": []})
    w.containment(0, [2, 1], formed=30, last_joint=35)
    holds(sound(w), {"containment": True, "exists": True, "target": 0, "members": [1, 2], "formed": 30,
                     "last_joint": 35}, {"nation": 1, "contained": True})  # fmt: skip
    with pytest.raises(CaseError, match="a member of the containment against itself"):
        w.containment(0, [0])


def test_records_reach_back_47_turns() -> None:
    """Turn 40: what happened in turn -7 has age 47 and counts, in turn -8 no more (FAC-020)."""
    w = table()
    w.nation(0, unreliable=[-8, -7, 40, 40], war_record={"declarations": [12], "cells": [[39, 5], [-8, 9]]})
    assert w.nation(0).unreliable == [-7, 40, 40]
    assert w.nation(0).war_record == {"declarations": [12], "cells": [[39, 5]]}
    with pytest.raises(CaseError, match="turn 41 is yet to come"):
        w.nation(0, unreliable=[41])
    odd: Any
    for odd in ({"cells": [3]}, {"wars": []}, [1]):
        with pytest.raises(CaseError, match='"war_record"'):
            w.nation(0, war_record=odd)


@pytest.mark.rule("CONT-003")
def test_points_follow_from_the_record() -> None:
    """The rule's example: 2 declarations of age 12, 20 cells of age 24, 5 cells now: 720 + 480 + 240."""
    w = table()
    w.nation(0, war_record={"declarations": [28, 28], "cells": [[16, 20], [40, 5]]})
    assert w.nation(0).points48 == 1440


def test_a_war_by_joint_declaration_is_one_on_both_sides() -> None:
    w = table()
    w.relation(0, 1, state="war", by=1, joint=True)
    assert (w.relation(1, 0).joint, w.relation(1, 0).origin) == (True, "joint")
    w.relation(1, 0, origin="pact")
    assert (w.relation(0, 1).joint, w.relation(0, 1).origin) == (False, "pact")
    sound(w)


def test_a_warship_carries_reserves_to_a_mate_and_has_no_home_port() -> None:
    w = table(2)
    w.cell(2, 1, terrain="naval_port", owner=0)
    ship = w.ship(0, "destroyer", 2, 2, home=[2, 1], aid_reserves=150, aid_to=1)
    assert (ship.aid_reserves, ship.aid_to, ship.home) == (150, 1, None)
    sound(w)
    refused: tuple[tuple[str, dict[str, Any], str], ...] = (
        ("submarine", {"aid_reserves": 1}, "only a nation's warships that can carry a unit"),
        ("merchant", {"aid_to": 1}, "only a warship carries reserves"),
        ("destroyer", {"home": [1, 1]}, "must be a naval port of its nation"),
        ("destroyer", {"troops": {"type": "infantry"}, "aid_reserves": 9}, "the ship has a unit aboard"),
    )
    for x, (kind, given, message) in enumerate(refused):
        with pytest.raises(CaseError, match=message):
            w.ship(0, kind, x, 0, **given)


@pytest.mark.rule("FAC-015", "FAC-016")
def test_a_room_is_for_members_and_outlives_its_faction_read_only() -> None:
    w = table()
    w.faction("A", 0, [1], due=41)
    w.message("A", text="to arms", turn=38)
    w.message("A", **{"from": 1})
    for nation, count, may_post in ((0, 2, True), (1, 2, True), (2, 0, False)):
        holds(w, {"messages": {"nation": nation, "faction": "A"}, "count": count, "may_post": may_post})
    for phase in ("clock", "faction_settle"):
        w.phase(phase)
    assert alliances.factions(w) == []
    holds(w, {"messages": {"nation": 1, "faction": "A"}, "count": 2, "may_post": False,
              "texts": ["to arms", "..."]},
          {"messages": {"nation": 2, "faction": "A"}, "count": 0})  # fmt: skip
    with pytest.raises(CaseError, match="nation 2 is no member"):
        fresh = table()
        fresh.faction("A", 0)
        fresh.message("A", **{"from": 2})


@pytest.mark.rule("FAC-018", "FAC-015")
def test_the_faction_screen_shows_funds_food_and_15_commands() -> None:
    w = table()
    w.faction("A", 0, [1])
    w.nation(1, funds=5, food=7)
    for _ in range(22):
        w.order(1, "fundraise")
    shown = {"shown": True, "funds": 5, "food": 7, "plan_shown": 15, "leader": False}
    holds(w, {"faction_shows": {"nation": 0, "member": 1}, **shown},
          {"faction_shows": {"nation": 2, "member": 1}, "shown": False, "funds": None},
          {"faction_shows": {"nation": 1, "member": 0}, "leader": True, "plan_shown": 0})  # fmt: skip
