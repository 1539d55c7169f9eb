"""Who is the hegemon, and its points: exact in whole numbers (CONT-001 .. CONT-003)."""

from typing import Any

import pytest

from hakoenv.engine import census, territory
from hakoenv.engine.codes import terrain
from hakoenv.engine.diplomacy import containment, hegemon, records
from hakoenv.engine.land import occupation
from hakoenv.testing import SmallWorld

NONE = -1


@pytest.mark.rule("CONT-001")
@pytest.mark.parametrize(
    ("world", "own", "second", "found"),
    [
        (716, 215, 107, 0),  # 30% is 214.8; 215 >= 2 x 107
        (716, 214, 107, NONE),
        (716, 215, 108, NONE),  # 215 < 216
        (1000, 300, 150, 0),
        (1000, 299, 149, NONE),  # 29900 < 30000
        (1000, 300, 151, NONE),
        (1000, 300, 0, 0),
    ],
)
def test_thirty_percent_of_all_land_and_twice_the_second(
    realm: Any, world: int, own: int, second: int, found: int
) -> None:
    r = realm(3)
    r.land(own, 0, second, world=world)
    assert hegemon.find(r.world, r.rules) == found
    r.land(second, 0, own, world=world)  # whoever it is
    assert hegemon.find(r.world, r.rules) == (found if found < 0 else 2)


@pytest.mark.rule("CONT-001")
def test_of_two_equals_none_is_the_hegemon_and_the_dead_count_for_nothing(realm: Any) -> None:
    r = realm(3)
    r.land(40, 40, 10, world=100)
    assert hegemon.find(r.world, r.rules) == NONE
    r.world.nations["alive"][0] = 0
    assert hegemon.find(r.world, r.rules) == 1


@pytest.mark.rule("CONT-001")
def test_without_a_second_nation_the_second_has_nothing(realm: Any) -> None:
    r = realm(1)
    r.land(3, world=10)
    assert hegemon.find(r.world, r.rules) == 0
    r.land(2, world=10)
    assert hegemon.find(r.world, r.rules) == NONE
    r.land(0, world=0)
    assert hegemon.find(r.world, r.rules) == NONE


@pytest.mark.rule("CONT-001")
def test_both_bounds_are_the_ruleset_s(realm: Any) -> None:
    r = realm(2, **{"containment.land_percent": 50, "containment.second_ratio": 1.5})
    r.land(60, 40, world=120)
    assert hegemon.find(r.world, r.rules) == 0
    r.land(60, 41, world=120)
    assert hegemon.find(r.world, r.rules) == NONE
    r.land(60, 40, world=121)
    assert hegemon.find(r.world, r.rules) == NONE


WATER = (
    "sea", "shallows", "port", "naval_port", "naval_mine", "breakwater", "seabed_base", "seabed_city",
    "offshore_oil", "fish_farm",
)  # fmt: skip
LAND = (
    "mountain", "lighthouse", "wasteland", "plains", "town", "forest", "farm", "factory", "missile_base",
    "depot", "power_plant", "monument", "reserved_land", "iron_mine", "warehouse", "large_farm",
)  # fmt: skip


@pytest.mark.rule("CONT-002")
def test_land_is_what_is_built_on_land_but_ports() -> None:
    """One census of a row with all of them: so many cells of land, of the nation and in the world."""
    w = SmallWorld(3, len(WATER + LAND), 1)
    for x, ground in enumerate(WATER + LAND):
        w.cell(x, 1, terrain=ground, owner=0)
    territory.index(w.world, w.rules)
    census.take(w.world, w.rules)
    assert int(w.world.nations["land"][0]) == len(LAND)
    assert int(w.world.clock["all_land"][0]) == len(LAND)


@pytest.mark.rule("CONT-002")
def test_a_monster_counts_as_what_it_stands_on() -> None:
    w = SmallWorld(3, 4, 1)
    for x, below in enumerate((terrain.SEA, terrain.PLAINS)):
        w.cell(x, 1, terrain="monster", owner=0)
        w.world.cells["below"][1, x] = below
    territory.index(w.world, w.rules)
    census.take(w.world, w.rules)
    assert int(w.world.clock["all_land"][0]) == 1


# ---------------------------------------------------------------- points


@pytest.mark.rule("CONT-003")
@pytest.mark.parametrize(
    ("declarations", "cells", "points"),
    [
        ([48, 48], [[36, 20], [60, 5]], 1440),  # ages 12, 24, 0: 720 + 480 + 240
        ([48] * 4, [], 1440),
        ([59] * 3, [], 1410),  # 3 x 10 x 47
        ([36], [], 240),  # age 24: 5 points
        ([48] * 3, [[48, 9], [47, 1]], 1439),
        ([13], [], 10),  # age 47 counts for the last time
        ([12], [[12, 30]], 0),  # age 48
    ],
)
def test_points_fall_in_a_straight_line(
    realm: Any, declarations: list[int], cells: list[list[int]], points: int
) -> None:
    r = realm(2)
    r.w.nation(0, war_record={"declarations": declarations, "cells": cells})
    assert hegemon.points48(r.world, r.rules, 0) == points
    assert hegemon.is_feared(r.world, r.rules, 0, 60) == (points >= 1440)
    assert hegemon.points48(r.world, r.rules, 1) == 0


@pytest.mark.rule("CONT-003", "SAVE-009")
def test_an_event_of_age_48_is_forgotten(realm: Any) -> None:
    r = realm(2)
    records.declared(r.world, 0)
    records.conquered(r.world, 0, 3)
    for age in range(50):
        r.go(60 + age)
        left = max(0, 48 - age)
        assert hegemon.points48(r.world, r.rules, 0) == 13 * left
        assert hegemon.points48_in(r.world, r.rules, 0, r.turn + 1) == 13 * max(0, left - 1)


@pytest.mark.rule("CONT-003")
def test_points_are_of_own_declarations_and_of_nothing_else(realm: Any) -> None:
    """What the pact and the joint declaration begin, and what others declare, is not noted."""
    r = realm(4, **{"diplomacy.founding_lock": 0})
    r.external(0, 1, 2, 3)
    r.w.containment(0, [1, 2])
    assert r.do(0, "declare_war", target=1) == "done"
    assert r.do(3, "declare_war", target=0) == "done"
    ring = r.world.nations["declarations"][:, 60 % 48]
    assert ring.tolist() == [1, 0, 0, 1]
    r = realm(3)
    r.w.containment(0, [1, 2])
    r.powers((10, 0), (10, 0), (10, 0))
    r.phase_9()
    assert r.states(1, 2) == ["pending", "pending"]
    assert not r.world.nations["declarations"].any()


@pytest.mark.rule("CONT-003")
@pytest.mark.parametrize(
    ("state", "ground", "cells"), [("war", "plains", 1), ("war", "port", 0), ("peace", "plains", 0)]
)
def test_land_taken_in_war_is_noted_and_no_other(state: str, ground: str, cells: int) -> None:
    w = SmallWorld(3, 9, 2, turn=60)
    w.cell(1, 1, terrain="town", owner=0, population=50, capital=True)
    w.cell(7, 1, terrain="town", owner=1, population=50, capital=True)
    w.cell(4, 1, terrain=ground, owner=1)
    w.relation(0, 1, state=state)
    occupation.capture(w.world, w.rules, w.place(4, 1), 0)
    assert int(w.world.nations["conquests"][0, 60 % 48]) == cells
    assert hegemon.points48(w.world, w.rules, 0) == 48 * cells


@pytest.mark.rule("CONT-003")
def test_a_shorter_window_is_counted_in_its_own_parts(realm: Any) -> None:
    """Window 24, age 12: half of 10 points each; 30 points are 30 x 24 = 720."""
    r = realm(2, **{"containment.window": 24})
    r.w.nation(0, war_record={"declarations": [48] * 6})
    assert hegemon.points48(r.world, r.rules, 0) == 720
    assert hegemon.is_feared(r.world, r.rules, 0, 60)
    assert not hegemon.is_feared(r.world, r.rules, 0, 61)


@pytest.mark.rule("CONT-004")
def test_points_without_hegemony_and_hegemony_without_points_form_nothing(realm: Any) -> None:
    r = realm(3)
    r.frighten(1)
    r.phase_9()
    assert r.containment() == (None, [])
    r.w.nation(0, war_record={"declarations": [48] * 3})
    r.phase_9()
    assert r.containment() == (None, [])
    assert containment.target_in(r.world, r.rules, r.turn) == NONE
