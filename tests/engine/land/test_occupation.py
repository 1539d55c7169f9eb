"""Occupation: resistance falls and comes back, cells change hands, capitals move, nations fall."""

from typing import Any

import numpy as np
import pytest

from hakoenv.engine import damage, ground, territory
from hakoenv.engine.codes import event, terrain
from hakoenv.engine.land import monuments, occupation, resistance
from hakoenv.engine.world import CELL, EVENT_LENGTH
from hakoenv.ruleset import load_ruleset
from hakoenv.ruleset.tables import base
from hakoenv.testing import SmallWorld

UNITS = ("infantry", "artillery", "armor", "marines", "airborne", "mountain_troops", "battery")
PLACE = (5, 4)


def held(
    kind: str = "infantry", ground: str = "town", strength: int = 100, war: bool = True, **given: Any
) -> SmallWorld:
    """A unit of nation 0 on a cell of nation 1, whose capital is elsewhere; nobody moves."""
    rules = given.pop("rules", {})
    w = SmallWorld(height=9, width=11, nations=3, rules=rules)
    w.cell(*PLACE, terrain=ground, **{"owner": 1, **given})
    w.cell(9, 4, terrain="town", owner=1, population=30, capital=True)
    w.cell(1, 4, terrain="town", owner=0, population=30, capital=True)
    w.unit(0, kind, *PLACE, strength=strength)
    if war:
        w.war(0, 1)
    return w


def turns(w: SmallWorld, count: int) -> list[int | None]:
    """The resistance of the cell after each of so many army phases; None once it is captured."""
    found: list[int | None] = []
    for _ in range(count):
        w.phase("army")
        cell = w.cell(*PLACE)
        found.append(None if cell.owner == 0 else cell.resistance)
    return found


def events(w: SmallWorld, kind: int) -> list[tuple[int, int, int, int]]:
    """Nation, other, cell and amount of the listed events of a kind."""
    count = min(int(w.world.clock[0]["event_count"]), EVENT_LENGTH)
    found = [e for e in w.world.events[:count] if e["kind"] == kind]
    return [tuple(int(e[name]) for name in ("nation", "other", "cell", "amount")) for e in found]  # type: ignore[misc]


# ---------------------------------------------------------------- resistance falls


@pytest.mark.rule("ARMY-009", "ARMY-006", "ARMY-007", "ARMY-008")
@pytest.mark.parametrize(
    ("kind", "strength", "expected"),
    [("infantry", 100, [20, None]), ("marines", 100, [40, 20, None]), ("infantry", 2, [59, 58, 57]),
     ("marines", 1, [59, 58, 57]), ("infantry", 200, [None]), ("mountain_troops", 70, [32, 4, None])],
)  # fmt: skip
def test_the_resistance_of_a_town_falls(kind: str, strength: int, expected: list[int | None]) -> None:
    w = held(kind, strength=strength, population=50)
    assert turns(w, len(expected)) == expected
    if expected[-1] is None:
        assert w.cell(*PLACE).resistance == 15  # 60 x 25%


@pytest.mark.rule("ARMY-005", "ARMY-004")
@pytest.mark.parametrize(
    ("kind", "falls"), list(zip(UNITS, (True, False, False, True, True, True, False), strict=True))
)
def test_which_types_occupy(kind: str, falls: bool) -> None:
    w = held(kind, "farm", 30)
    assert (turns(w, 1)[0] != 40) == falls


@pytest.mark.rule("ARMY-005", "ARMY-009")
def test_a_type_that_cannot_occupy_changes_nothing_in_fifty_turns() -> None:
    w = held("armor", "farm", 200, resistance=33)
    assert turns(w, 50) == [33] * 50  # a unit of another nation also stops the recovery


@pytest.mark.rule("ARMY-008")
def test_more_strength_and_a_stronger_attribute_take_more() -> None:
    rules = load_ruleset().rules
    strong = [occupation.drop(rules, 0, s) for s in range(1, 201)]
    weak = [occupation.drop(rules, 3, s) for s in range(1, 201)]
    for drops in (strong, weak):
        assert all(a <= b for a, b in zip(drops, drops[1:], strict=False)) and drops[-1] > drops[0] > 0
    assert all(a >= b for a, b in zip(strong, weak, strict=True))
    assert all(a > b for a, b in zip(strong[4:], weak[4:], strict=True))
    assert (strong[99], weak[99]) == (40, 20)
    assert [occupation.drop(rules, k, 200) for k in (1, 2, 6)] == [0, 0, 0]


@pytest.mark.rule("ARMY-006", "ARMY-059")
@pytest.mark.parametrize("state", ["peace", "pending", "amity"])
def test_only_land_of_enemies_falls(state: str) -> None:
    w = held(resistance=40, war=False)
    w.relation(0, 1, state=state)
    assert turns(w, 2) == [40, 40]


@pytest.mark.rule("ARMY-006")
def test_nothing_happens_on_land_of_a_faction_mate() -> None:
    w = held(resistance=40, war=False)
    w.faction("Us", 0, [1])
    assert turns(w, 2) == [40, 40]


@pytest.mark.rule("ARMY-006", "ARMY-009", "ARMY-065")
@pytest.mark.parametrize("kind", ["infantry", "marines"])
def test_ownerless_land_falls_in_one_step(kind: str) -> None:
    w = held(kind, "plains", 1, owner=None)
    assert turns(w, 1) == [None]
    assert w.cell(*PLACE).resistance == 5  # 20 x 25%
    assert w.nation(0).captured == 0
    assert events(w, event.CELL_CAPTURED) == [(0, -1, w.place(*PLACE), terrain.PLAINS)]


@pytest.mark.rule("ARMY-006", "ARMY-066")
@pytest.mark.parametrize("water", ["sea", "shallows", "breakwater", "naval_mine", "fish_farm"])
@pytest.mark.parametrize("owner", [1, None])
def test_water_that_cannot_resist_never_changes_hands(water: str, owner: int | None) -> None:
    w = held("marines", water, 200, owner=owner)
    assert turns(w, 3) == [0, 0, 0]
    assert w.cell(*PLACE).owner == owner


@pytest.mark.rule("ARMY-066")
@pytest.mark.parametrize(
    ("name", "expected"),
    [("offshore_oil", [10, None]), ("seabed_city", [40, 20, None]), ("seabed_base", [60, 40, 20, None]),
     ("port", [40, 20, None]), ("naval_port", [60, 40, 20, None])],
)  # fmt: skip
def test_works_in_the_water_can_be_taken(name: str, expected: list[int | None]) -> None:
    w = held("airborne", name)
    assert turns(w, len(expected)) == expected
    assert w.cell(*PLACE).terrain == name


# ---------------------------------------------------------------- resistance comes back


@pytest.mark.rule("ARMY-010", "ARMY-009")
@pytest.mark.parametrize("kind", UNITS)
def test_any_own_unit_restores_30(kind: str) -> None:
    w = SmallWorld(height=9, width=11, nations=1)
    w.cell(*PLACE, terrain="farm", owner=0, resistance=4)
    w.unit(0, kind, *PLACE, strength=1)
    w.phase("army")
    assert w.cell(*PLACE).resistance == 34
    w.phase("army")
    assert w.cell(*PLACE).resistance == 40


@pytest.mark.rule("ARMY-009", "TURN-068")
def test_empty_cells_regain_10_up_to_their_maximum() -> None:
    w = SmallWorld(height=9, width=11, nations=1)
    starts = (("plains", 3), ("plains", 15), ("town", 50), ("town", 55), ("sea", 0))
    for x, (name, start) in enumerate(starts):
        w.cell(x, 0, terrain=name, owner=0, resistance=start)
    w.cell(2, 0, capital=True, resistance=50)
    w.cell(7, 0, terrain="plains")
    w.phase("army")
    assert [w.cell(x, 0).resistance for x in range(5)] == [13, 20, 60, 60, 0]
    assert w.cell(7, 0).resistance == 0  # nobody's


@pytest.mark.rule("ARMY-009")
@pytest.mark.parametrize("war", [True, False])
def test_a_foreign_unit_on_a_cell_stops_its_recovery(war: bool) -> None:
    w = held("battery", "farm", resistance=12, war=war)
    assert turns(w, 2) == [12, 12]


@pytest.mark.rule("ARMY-009")
def test_the_most_that_cells_resist() -> None:
    w = SmallWorld(height=9, width=11, nations=2)
    names = {"plains": 20, "farm": 40, "town": 60, "metropolis": 80, "depot": 80, "defense_facility": 100}
    for x, (name, most) in enumerate(names.items()):
        w.cell(x, 0, terrain=name, owner=0)
        assert resistance.maximum(w.world, w.rules, x) == most, name
    w.cell(2, 0, capital=True)
    assert resistance.maximum(w.world, w.rules, 2) == 150
    w.cell(0, 0, owner=None)
    assert resistance.maximum(w.world, w.rules, 0) == 0


@pytest.mark.rule("ARMY-009", "ARMY-010")
def test_a_peace_monument_strengthens_own_cells_near_it() -> None:
    w = SmallWorld(height=9, width=11, nations=2)
    for x, owner in ((3, 0), (4, 0), (5, 0), (6, 1)):
        w.cell(x, 4, terrain="town", owner=owner, population=9)
    w.cell(7, 4, terrain="town", owner=0, population=9, capital=True)
    w.cell(5, 3, terrain="monument", level=2, owner=0)
    most = [resistance.maximum(w.world, w.rules, w.place(x, 4)) for x in range(3, 8)]
    assert most == [60, 90, 90, 60, 225]  # one 3 away, two with half more, a foreign one, the capital
    assert resistance.maximum(w.world, w.rules, w.place(5, 3)) == 150  # the monument itself: 100
    for _ in range(20):
        w.phase("army")
    assert [w.cell(x, 4).resistance for x in range(3, 8)] == most
    w.cell(5, 3, terrain="plains", owner=0)
    w.phase("army")
    assert [w.cell(x, 4).resistance for x in (4, 7)] == [60, 150]  # no more than the maximum is kept
    w.cell(5, 3, terrain="monument", level=3, owner=0)
    assert not monuments.is_near(w.world, w.rules, w.place(4, 4), 0, monuments.PEACE)


@pytest.mark.rule("ARMY-009")
def test_a_change_of_terrain_sets_the_maximum() -> None:
    w = SmallWorld(height=9, width=11, nations=2)
    w.cell(*PLACE, terrain="farm", owner=0)
    here = w.place(*PLACE)
    ground.put(w.world, w.rules, here, terrain.WASTELAND, 0, 0)
    assert w.cell(*PLACE).resistance == 20  # a larger value is lowered
    w.cell(*PLACE, resistance=7)
    ground.put(w.world, w.rules, here, terrain.DEPOT, 0, 0)
    assert w.cell(*PLACE).resistance == 7
    ground.put(w.world, w.rules, here, terrain.FARM, 1, 10)
    assert w.cell(*PLACE).resistance == 40  # a cell starts at its maximum
    ground.put(w.world, w.rules, here, terrain.SEA, -1, 0)
    assert w.cell(*PLACE).resistance == 0


@pytest.mark.rule("ARMY-009", "DIS-012")
def test_a_metropolis_that_shrinks_has_the_resistance_of_a_town() -> None:
    w = SmallWorld(height=9, width=11, nations=1)
    w.cell(*PLACE, terrain="metropolis", owner=0, population=200)
    assert w.cell(*PLACE).resistance == 80
    damage.lose_people(w.world, w.rules, w.place(*PLACE), 10)
    assert (w.cell(*PLACE).terrain, w.cell(*PLACE).resistance) == ("town", 60)


@pytest.mark.rule("ARMY-009", "AI-045")
def test_claimed_land_has_full_resistance_of_what_is_built() -> None:
    w = SmallWorld(height=9, width=11, nations=2)
    w.cell(*PLACE, terrain="plains", owner=1, resistance=3)
    w.cell(4, 3, terrain="monument", level=2, owner=0)
    ground.claim(w.world, w.rules, w.place(*PLACE), 0, terrain.FARM)
    assert w.cell(*PLACE).resistance == 60  # 40 with half more


def test_the_largest_resistance_fits_its_field() -> None:
    entries = base().entries
    most = max(float(e.high or 0) for k, e in entries.items() if k.endswith("resistance_max"))
    share = float(entries["monuments.peace_monument.effect.resistance_percent"].high or 0)
    assert max(most, 10000) * (100 + share) / 100 <= np.iinfo(CELL["resistance"][0]).max


# ---------------------------------------------------------------- captures


@pytest.mark.rule("ARMY-065", "ARMY-007", "MAP-033", "BOMB-008")
@pytest.mark.parametrize(
    ("name", "given"),
    [("farm", {"level": 35}), ("iron_mine", {"level": 4, "pile": 17, "deposit": "iron", "richness": 9}),
     ("mountain", {"tunnel": True}), ("missile_base", {"experience": 60, "hits": 2}), ("port", {"hits": 1}),
     ("forest", {"trees": 12}), ("monument", {"level": 2})],
    ids=["farm", "mine", "tunnel", "base", "port", "forest", "monument"],
)  # fmt: skip
def test_what_stays_on_a_captured_cell(name: str, given: dict[str, Any]) -> None:
    w = held("mountain_troops", name, 200, resistance=1, **given)
    before = w.cell(*PLACE).values()
    w.phase("army")
    after = w.cell(*PLACE).values()
    changed = {key for key in before if key != "unit" and before[key] != after[key]}
    assert after["owner"] == 0 and changed == {"owner", "resistance"}


@pytest.mark.rule("ARMY-065")
@pytest.mark.parametrize(("people", "left"), [(60, 54), (9, 9), (1, 1), (199, 180)])
def test_people_flee_from_a_captured_town(people: int, left: int) -> None:
    w = held(resistance=1, population=people)
    w.phase("army")
    assert w.cell(*PLACE).population == left


@pytest.mark.rule("ARMY-065", "ARMY-009", "DIS-012")
def test_a_captured_metropolis_may_be_a_town_then() -> None:
    w = held("infantry", "metropolis", resistance=1, population=205)
    w.phase("army")
    cell = w.cell(*PLACE)  # 205 - 20 = 185
    assert (cell.owner, cell.terrain, cell.population, cell.resistance) == (0, "town", 185, 15)


@pytest.mark.rule("ARMY-065", "ARMY-009")
def test_a_capital_falls_and_the_largest_town_is_the_next() -> None:
    w = held(resistance=1, population=60)
    w.cell(*PLACE, capital=True, resistance=1)
    w.cell(9, 4, population=25, resistance=60)
    w.cell(8, 8, terrain="town", owner=1, population=25)
    w.cell(8, 0, terrain="town", owner=1, population=24)
    w.phase("army")
    cell = w.cell(*PLACE)
    assert (cell.owner, cell.population, cell.resistance) == (0, 54, 15)  # an ordinary town: 60 x 25%
    assert w.nation(1).capital == [9, 4] and w.nation(0).capital == [1, 4]  # of two of 25 the lower cell
    assert events(w, event.CAPITAL_MOVED) == [(1, -1, w.place(9, 4), 0)]
    assert w.cell(9, 4).resistance == 70  # what it had, and 10: a capital recovers up to 150
    for _ in range(8):
        w.phase("army")
    assert w.cell(9, 4).resistance == 150


@pytest.mark.rule("ARMY-065", "TURN-029", "TURN-052", "TURN-055")
def test_a_nation_that_loses_its_last_town_is_dead() -> None:
    w = held(resistance=1, population=60)
    w.cell(*PLACE, capital=True, resistance=1)
    w.cell(9, 4, terrain="farm", owner=1, level=10)
    w.unit(1, "infantry", 9, 4, corps=2, items=["weak_shield"])
    w.corps(1, 2, order="defend", direction=3)
    w.nation(1, items={"sword_of_war_god": 2}, wounded=9, reserves=50, conscripts=3)
    w.phase("army")
    assert w.nation(1).alive and w.nation(1).capital is None
    assert events(w, event.CAPITAL_MOVED) == []
    w.phase("nation_update")
    assert not w.nation(1).alive and w.units(owner=1) != []
    w.phase("abandoned_land")
    assert w.units(owner=1) == [] and w.cell(9, 4).owner is None and w.cell(9, 4).unit is None
    assert (w.corps(1, 2).order, w.corps(1, 2).direction) == ("hold", 0)
    assert set(w.nation(1).items.values()) == {0}
    assert (w.nation(1).wounded, w.nation(1).reserves, w.nation(1).conscripts) == (0, 0, 0)
    assert w.relation(0, 1).state == "peace"


@pytest.mark.rule("ARMY-065", "TURN-055")
def test_units_of_a_nation_without_any_cell_go_with_it() -> None:
    w = held(resistance=1, population=60)
    w.cell(9, 4, owner=0)
    w.cell(*PLACE, capital=True, resistance=1)
    w.unit(1, "infantry", 1, 4)
    w.nation(1, funds=77)
    for phase in ("army", "nation_update", "abandoned_land"):
        w.phase(phase)
    assert not w.nation(1).alive and w.units(owner=1) == [] and w.nation(1).funds == 0
    assert events(w, event.LAND_ABANDONED) == []


@pytest.mark.rule("ARMY-065", "CONT-003")
def test_land_taken_from_enemies_is_counted_and_remembered() -> None:
    w = held("infantry", "farm", resistance=1)
    w.phase("army")
    assert (w.nation(0).captured, w.nation(1).captured) == (1, 0)
    place = w.world.cells.reshape(-1)[w.place(*PLACE)]
    assert (place["taken_from"], place["taken_turn"]) == (1, w.turn)
    assert events(w, event.CELL_CAPTURED) == [(0, 1, w.place(*PLACE), terrain.FARM)]
    w = held("airborne", "offshore_oil", resistance=1)  # no land
    w.phase("army")
    assert w.cell(*PLACE).owner == 0 and w.nation(0).captured == 0


@pytest.mark.rule("ARMY-065", "RES-004")
def test_a_captured_warehouse_takes_its_room_with_it() -> None:
    w = held("infantry", "warehouse", resistance=1, level=10)
    full = int(load_ruleset()["resources.stone.treasury_cap"])
    w.phase("nation_update")
    w.nation(1, stone=full + 1)
    w.phase("army")
    assert w.cell(*PLACE).owner == 0 and w.nation(1).stone == full


@pytest.mark.rule("ARMY-064", "TURN-068", "ARMY-009")
def test_a_capture_is_at_once_and_the_cell_does_not_recover_in_that_turn() -> None:
    w = held(resistance=1, population=30)
    w.cell(6, 4, terrain="plains", owner=1, resistance=5)
    w.phase("army")
    assert w.cell(*PLACE).resistance == 15  # neither 45 nor 25
    assert w.cell(6, 4).resistance == 15
    w.phase("army")
    assert w.cell(*PLACE).resistance == 45  # now by the unit of the owner: 30


@pytest.mark.rule("TURN-068", "ARMY-009")
def test_land_that_was_claimed_in_the_same_turn_recovers_too() -> None:
    """The list of phase 23 holds all cells that can be anybody's in phase 26."""
    w = SmallWorld(height=9, width=11, nations=1)
    w.cell(4, 4, terrain="plains")
    territory.index(w.world, w.rules)
    ground.claim(w.world, w.rules, w.place(4, 4), 0, terrain.PLAINS)
    w.cell(4, 4, resistance=2)
    resistance.recover(w.world, w.rules, False)
    assert w.cell(4, 4).resistance == 12
