"""Trade leagues: founding, joining, leaving, who represents them (TRD-001 .. TRD-006, TRD-012)."""

from typing import Any

import pytest

from hakoenv.engine import survival
from hakoenv.engine.codes import event
from hakoenv.engine.diplomacy import leagues, relations
from hakoenv.testing import alliances


def all_leagues(r: Any) -> list[tuple[int, list[int], int]]:
    """Number, members and representative of the leagues."""
    return [(one["number"], one["members"], one["representative"]) for one in alliances.leagues(r.w)]


@pytest.mark.rule("TRD-002", "TRD-003", "TRD-004", "TRD-012", "CMD-028")
def test_amount_0_founds_and_a_number_joins_at_once(realm: Any) -> None:
    r = realm(4)
    r.w.nation(0, funds=5)
    assert r.do(0, "league_join") == "done"
    assert all_leagues(r) == [(1, [0], 0)]
    assert r.do(1, "league_join", amount=1) == "done"
    assert r.do(2, "league_join") == "done"
    assert r.do(3, "league_join", amount=2) == "done"
    assert all_leagues(r) == [(1, [0, 1], 0), (2, [2, 3], 2)]
    assert r.w.nation(0).funds == 5
    assert r.told(event.LEAGUE_FOUNDED) == [(event.LEAGUE_FOUNDED, n, -1) for n in (0, 2)]
    assert r.told(event.LEAGUE_JOINED) == [(event.LEAGUE_JOINED, n, -1) for n in (1, 3)]


@pytest.mark.rule("TRD-002", "TRD-003", "TRD-012")
def test_one_league_a_nation_and_only_one_that_is_there(realm: Any) -> None:
    r = realm(3)
    r.w.league("A", [0], number=2)
    for amount, said in ((0, "in_league"), (1, "in_league"), (2, "in_league"), (-1, "bad_amount")):
        assert r.do(0, "league_join", amount=amount) == said
    for amount in (1, 3, 4, 1000):
        assert r.do(1, "league_join", amount=amount) == "no_league"
    assert r.do(1, "league_leave") == "not_in_league"
    assert r.do(1, "league_join", amount=2) == "done"


@pytest.mark.rule("TRD-003", "TRD-012")
def test_every_nation_finds_a_place_for_a_league_of_its_own(realm: Any) -> None:
    r = realm(4)
    for n in range(4):
        assert r.do(n, "league_join") == "done"
    assert all_leagues(r) == [(n + 1, [n], n) for n in range(4)]


@pytest.mark.rule("TRD-005", "CMD-029")
def test_left_on_turn_60_it_joins_and_founds_again_on_turn_70(realm: Any) -> None:
    r = realm(3)
    r.w.league("A", [[0, 10], [1, 20]])
    assert r.do(0, "league_leave") == "done"
    assert r.told(event.LEAGUE_LEFT) == [(event.LEAGUE_LEFT, 0, -1)]
    for amount in (0, 1):
        assert r.do(0, "league_join", amount=amount) == "left_league_recently"
    r.go(68)
    assert not r.is_legal(0, "league_join", amount=1)
    r.go(69)
    assert r.do(0, "league_join", amount=1) == r.do(0, "league_join") == "left_league_recently"
    assert r.is_legal(0, "league_join", amount=1)  # of turn 70
    r.go(70)
    assert r.do(0, "league_join", amount=1) == "done"


@pytest.mark.rule("TRD-006")
def test_the_longest_member_follows_the_lowest_number_of_equals(realm: Any) -> None:
    r = realm(4)
    r.w.league("A", [[0, 10], [1, 30], [2, 20], [3, 20]], representative=0)
    assert r.do(1, "league_leave") == "done"
    assert all_leagues(r) == [(1, [0, 2, 3], 0)]  # it did not represent it
    assert r.do(0, "league_leave") == "done"
    assert all_leagues(r) == [(1, [2, 3], 2)]


@pytest.mark.rule("TRD-006")
def test_a_league_without_members_vanishes_and_its_number_is_free(realm: Any) -> None:
    r = realm(3)
    r.w.league("A", [0])
    r.w.league("B", [1])
    assert r.do(0, "league_leave") == "done"
    assert all_leagues(r) == [(2, [1], 1)]
    assert r.told(event.LEAGUE_ENDED) == [(event.LEAGUE_ENDED, -1, -1)]
    assert r.do(2, "league_join", amount=1) == "no_league"
    assert r.do(2, "league_join") == "done"
    assert all_leagues(r) == [(1, [2], 2), (2, [1], 1)]


@pytest.mark.rule("TRD-006")
def test_a_nation_that_falls_leaves_its_league(realm: Any) -> None:
    r = realm(3)
    r.w.league("A", [[0, 10], [1, 20], [2, 15]])
    r.world.nations["alive"][0] = 0
    r.world.nations["fell"][0] = r.turn
    survival.free_abandoned_land(r.world, r.rules)
    assert all_leagues(r) == [(1, [1, 2], 2)]


@pytest.mark.rule("TRD-001")
def test_a_league_is_no_faction_and_a_faction_no_league(realm: Any) -> None:
    r = realm(4)
    r.w.faction("F", 0, [1])
    r.w.league("L", [0, 2])
    assert [leagues.are_partners(r.world, 0, n) for n in range(4)] == [False, False, True, False]
    assert [relations.are_mates(r.world, 0, n) for n in range(4)] == [False, True, False, False]
    assert not leagues.are_partners(r.world, 3, -1) and not leagues.are_partners(r.world, 1, 3)
    assert r.do(2, "declare_war", target=0) == "done"  # no obligation: partners may even fight
