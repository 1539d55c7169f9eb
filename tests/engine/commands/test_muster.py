"""Raising, placing and equipping troops: what a case file can't say."""

import itertools

import numpy as np
import pytest

from hakoenv.engine.codes import command, item, reason, unit_type
from hakoenv.engine.commands import execute, muster, plans, validate
from hakoenv.engine.world import copy_world
from hakoenv.testing import SmallWorld

X, Y = 4, 4


def garrison(**settings: object) -> SmallWorld:
    """Nation 0 with a capital, a depot at (4, 4) and means; nation 1 far away."""
    w = SmallWorld(height=9, width=9, nations=2, turn=100, **settings)
    w.cell(2, 4, terrain="town", owner=0, population=60, capital=True)
    w.cell(X, Y, terrain="depot", owner=0)
    w.cell(8, 8, terrain="town", owner=1, population=60, capital=True)
    w.nation(0, funds=10_000, reserves=1000)
    return w


def packed(kind: int, corps: int, strength: int) -> int:
    return kind * muster.TYPE_BASE + corps * muster.CORPS_BASE + strength - 1


def outcome(w: SmallWorld, *order: object) -> str:
    """What becomes of one command in a copy of the world, in the turn that runs."""
    world = copy_world(w.world)
    plans.set_plan(world, 0, [order])
    execute.run_plan(world, w.rules, 0)
    return reason.name(plans.results_of(world, 0)[0].reason)


@pytest.mark.rule("ARMY-061")
@pytest.mark.parametrize("kind", range(unit_type.COUNT), ids=unit_type.NAMES)
def test_every_type_is_placed_at_its_price_per_strength(kind: int) -> None:
    w = garrison()
    w.order(0, "place_unit", X, Y, packed(kind, 5, 40))
    w.phase("plans")
    each = [1, 3, 5, 3, 4, 2, 2][kind]
    (unit,) = w.units(owner=0)
    assert (unit.type, unit.corps, unit.strength) == (unit_type.NAMES[kind], 5, 40)
    assert w.nation(0).funds == 10_000 - 40 * each + 10
    assert w.nation(0).reserves == 960


@pytest.mark.rule("ARMY-061")
def test_later_units_have_later_serials_and_strengthened_ones_keep_theirs() -> None:
    w = garrison()
    w.unit(0, "infantry", X, Y, strength=5)
    w.cell(5, 4, terrain="depot", owner=0)
    for x in (X, 5):
        w.order(0, "place_unit", x, Y, packed(0, 0, 10))
    w.phase("plans")
    cells = w.world.cells
    old, new = (w.world.units[int(cells["unit"][Y, x])] for x in (X, 5))
    assert (int(old["serial"]), int(old["strength"]), int(new["serial"])) == (0, 15, 1)
    assert int(w.world.clock["units_made"][0]) == 2


@pytest.mark.rule("ARMY-061", "CMD-005")
def test_without_room_in_the_list_of_units_a_placement_is_blocked_and_costs_nothing() -> None:
    """How many units others have is not for a nation to know, so its mask can't tell."""
    w = garrison()
    w.world.units["owner"] = 1
    amount = packed(0, 0, 50)
    assert validate.is_legal(w.world, w.rules, 0, command.PLACE_UNIT, X, Y, amount, 0)
    w.order(0, "place_unit", X, Y, amount)
    w.phase("plans")
    assert w.results(0)[0]["reason"] == "blocked"
    assert (w.nation(0).funds, w.nation(0).reserves) == (10_010, 1000)
    w.world.units["owner"][7] = -1
    assert outcome(w, "fundraise") == "done"
    w.world.clock["turn"] += 1
    assert outcome(w, "place_unit", X, Y, amount) == "done"


@pytest.mark.rule("ARMY-061", "ARMY-019", "TURN-065")
@pytest.mark.parametrize("standing", [None, "infantry", "battery"])
def test_masks_of_placement_say_what_the_coming_turn_accepts(standing: str | None) -> None:
    """By brute force: alone in its turn, a placement does as its mask (reserves 60, conscripts 40)."""
    for strength, foreign in itertools.product((30, 195, 200), (False, True)):
        w = garrison()
        w.nation(0, reserves=60, conscripts=40, funds=230)
        if standing:
            w.unit(int(foreign), standing, X, Y, strength=strength)
        amounts = [packed(k, c, s) for k in range(8) for c in (0, 31, 32) for s in (1, 5, 46, 100, 101, 200)]
        asked = [(X, Y, amount) for amount in [*amounts, -1]] + [(2, 4, 0), (0, 0, 0), (9, 4, 0)]
        legal = [validate.is_legal(w.world, w.rules, 0, command.PLACE_UNIT, *order, 0) for order in asked]
        for phase in ("clock", "turn_state", "diplomacy"):
            w.phase(phase)
        w.world.nations["reserves"][0], w.world.nations["conscripts"][0] = 100, 0  # as phase 10 makes them
        done = [outcome(w, "place_unit", *order) == "done" for order in asked]
        assert done == legal
        assert any(legal) or (foreign and standing) or strength == 200


@pytest.mark.rule("ARMY-062")
@pytest.mark.parametrize("people", [0, 1, 2, 3, 61, 200, 201])
def test_masks_of_conscription_say_what_may_go(people: int) -> None:
    """All amounts: floor(people / 2) at most, 0 for that many, and somebody must go."""
    w = garrison()
    w.cell(2, 4, terrain="town" if people < 200 else "metropolis", owner=0, population=people, capital=True)
    for amount in range(-1, people + 3):
        taken = people // 2 if amount == 0 else amount
        allowed = 0 < taken <= people // 2
        assert validate.is_legal(w.world, w.rules, 0, command.CONSCRIPT, 2, 4, amount, 0) == allowed, amount


@pytest.mark.rule("ARMY-062", "TURN-065")
def test_conscription_takes_people_from_the_town_alone_and_no_goods() -> None:
    w = garrison()
    before = copy_world(w.world)
    w.order(0, "conscript", 2, 4, 20)
    w.phase("plans")
    changed = {
        name
        for name in before.cells.dtype.names
        if not np.array_equal(before.cells[name], w.world.cells[name])
    }
    assert changed == {"population", "mustered"}
    assert (w.cell(2, 4).population, w.nation(0).conscripts, w.nation(0).reserves) == (40, 20, 1000)
    stocks = w.world.nations["treasury"] - before.nations["treasury"]
    assert stocks[0, item.FUNDS] == 10 and np.count_nonzero(stocks[0]) == 1  # the idle fundraise


@pytest.mark.rule("ARMY-062", "ARMY-061", "LIMIT-009")
def test_a_call_to_arms_takes_effect_a_turn_later() -> None:
    """Called in turn 101, placed in turn 102: 60 people, half of them, and no other reserves."""
    w = garrison()
    w.nation(0, reserves=0, food=5000)
    w.order(0, "conscript", 2, 4)
    w.order(0, "place_unit", X, Y, packed(0, 0, 30))
    w.run(1)
    assert [entry["reason"] for entry in w.results(0)] == ["done", "no_strength", "done"]
    people = w.nation(0).conscripts
    assert people == 30
    w.order(0, "place_unit", X, Y, packed(0, 0, 30))
    w.run(1)
    (unit,) = w.units(owner=0)
    assert unit.strength == 30 and w.nation(0).reserves == 0


@pytest.mark.rule("ARMY-062")
def test_an_enemy_out_of_sight_does_not_stop_a_conscription_by_the_mask() -> None:
    """Land sees its neighbours; a seabed city does not, so there the command itself may be blocked."""
    w = garrison()
    w.war(0, 1)
    w.cell(7, 2, terrain="seabed_city", owner=0, population=40)
    w.unit(1, "marines", 7, 1, strength=10)
    assert validate.is_legal(w.world, w.rules, 0, command.CONSCRIPT, 7, 2, 0, 0)
    assert outcome(w, "conscript", 7, 2) == "blocked"
    w.unit(1, "infantry", 3, 4, strength=10)  # beside the capital
    assert not validate.is_legal(w.world, w.rules, 0, command.CONSCRIPT, 2, 4, 0, 0)
    assert outcome(w, "conscript", 2, 4) == "enemy_near"


@pytest.mark.rule("ARMY-055")
def test_items_are_neither_made_nor_lost_by_equipping() -> None:
    w = garrison()
    w.unit(0, "infantry", X, Y, strength=10)
    w.nation(0, items={"sword_of_war_god": 1, "weak_shield": 2})
    held = []
    for amount in (1, 3, 3, 0, 0, 2, 1, 0):
        w.world.clock["turn"] += 1
        w.order(0, "equip_item", X, Y, amount)
        w.phase("plans")
        w.phase("commit")
        carried = int(w.world.units[int(w.world.cells["unit"][Y, X])]["carries"])
        store = w.world.nations["items"][0]
        assert int(store.sum()) + (carried > 0) == 3 and (store >= 0).all() and store[0] == 0
        held.append(carried)
    assert held == [1, 3, 3, 0, 0, 0, 1, 0]


@pytest.mark.rule("ARMY-023", "ARMY-055", "ARMY-069")
@pytest.mark.parametrize("ground", ["sea", "shallows", "seabed_base"])
@pytest.mark.parametrize("swaps", [False, True], ids=["taken_back", "swapped"])
def test_who_stands_on_water_in_the_shoes_keeps_them_on(ground: str, swaps: bool) -> None:
    w = garrison()
    w.nation(0, items={"weak_shield": 1})
    for x, (kind, y) in enumerate((("infantry", 6), ("marines", 7), ("infantry", 4)), start=5):
        w.cell(x, y, terrain=ground if y > 4 else "plains", owner=1 if ground == "seabed_base" else None)
        w.unit(0, kind, x, y, items=["shoes_of_water_movement"])
    amount = 3 if swaps else 0
    outcomes = {(5, 6): "wrong_terrain", (6, 7): "done", (7, 4): "done"}
    for (x, y), expected in outcomes.items():
        assert outcome(w, "equip_item", x, y, amount) == expected
        legal = validate.is_legal(w.world, w.rules, 0, command.EQUIP_ITEM, x, y, amount, 0)
        assert legal == (expected == "done")


@pytest.mark.rule("ARMY-002", "ARMY-003", "CMD-014", "CMD-015")
def test_an_order_changes_one_corps_and_stays() -> None:
    w = garrison()
    before = w.world.corps.copy()
    w.order(0, "corps_orders", amount=17 * 1000 + 2 * 10 + 6)  # advance, north-west
    w.phase("plans")
    assert (w.corps(0, 17).order, w.corps(0, 17).direction) == ("advance", 6)
    after = w.world.corps.copy()
    assert np.argwhere(after != before).tolist() == [[0, 17]]
    w.run(2)
    assert (w.world.corps == after).all()


@pytest.mark.rule("ARMY-001", "ARMY-002", "ARMY-003", "CMD-012", "CMD-014")
def test_each_nation_has_32_corps_with_name_colour_direction_and_order() -> None:
    w = garrison(rules={"corps.default_order": 4})
    assert w.world.corps.shape == (2, 32)
    for k in range(32):
        one = w.corps(1, k)
        assert (one.name, one.colour, one.order, one.direction) == (k, k, "defend", 0)
    w.corps(1, 3, name=900, colour=7)
    assert (w.corps(1, 3).order, w.corps(1, 4).name, w.corps(0, 3).name) == ("defend", 4, 3)


@pytest.mark.rule("ARMY-001")
def test_a_ruleset_may_have_fewer_corps() -> None:
    w = garrison(rules={"army.corps": 8})
    assert outcome(w, "corps_orders", 0, 0, 7000) == "done"
    assert outcome(w, "corps_orders", 0, 0, 8000) == "bad_amount"
    assert outcome(w, "place_unit", X, Y, packed(0, 7, 10)) == "done"
    assert outcome(w, "place_unit", X, Y, packed(0, 8, 10)) == "bad_amount"
