"""Phase 26 as a whole: orders, who acts when, upkeep, ground that gives way, nations by other numbers."""

from typing import Any

import numpy as np
import pytest

from hakoenv.engine import census, chance, damage, ground, territory
from hakoenv.engine.codes import cause, corps_order, event, item, terrain, unit_type
from hakoenv.engine.land import army, roster, troops
from hakoenv.engine.missiles import impact
from hakoenv.engine.navy import hulls
from hakoenv.engine.world import CORPS_COUNT, EVENT_LENGTH, copy_world
from hakoenv.ruleset import load_ruleset
from hakoenv.testing import SmallWorld

PLACE = (4, 4)


def front(
    order: str, direction: Any = "east", foes: tuple[tuple[int, int], ...] = (), **given: Any
) -> SmallWorld:
    """An own unit at (4, 4) on a plain of nation 0; enemies that do nothing on the named cells."""
    rules = given.pop("rules", {})
    w = SmallWorld(height=9, width=11, nations=2, rules=rules)
    for x in range(11):
        for y in range(9):
            w.cell(x, y, terrain="plains", owner=0)
    w.unit(0, given.pop("kind", "infantry"), *PLACE, **given)
    w.corps(0, 0, order=order, direction=direction)
    w.corps(1, 0, order="move")
    w.nation(0, ammo=50, fuel=50)
    for x, y in foes:
        w.unit(1, "marines", x, y)  # they make no zone of control
    w.war(0, 1)
    return w


def after(w: SmallWorld) -> tuple[int, int, int]:
    """Column and row of the own unit after the phase, and how many attacks it made."""
    w.phase("army")
    count = min(int(w.world.clock[0]["event_count"]), EVENT_LENGTH)
    battles = sum(int(e["kind"]) == event.BATTLE for e in w.world.events[:count])
    own = w.units(owner=0)[0]
    return own.x, own.y, battles


# ---------------------------------------------------------------- orders


@pytest.mark.rule("ARMY-003", "ARMY-063")
def test_the_orders_and_their_numbers() -> None:
    rows = [row for row in load_ruleset().table("enums") if row["enum"] == "corps_order"]
    numbered = {row["name"]: row["value"] for row in rows}
    assert numbered == {name: k for k, name in enumerate(corps_order.NAMES)}
    assert corps_order.NAMES == ("hold", "attack", "advance", "move", "defend", "retreat")
    w = SmallWorld(nations=2, rules={"corps.default_order": 4})
    assert [w.corps(0, k).order for k in (0, 31)] == ["defend", "defend"]
    assert SmallWorld().corps(1, 31).order == "hold" and SmallWorld().corps(1, 31).direction == 0


@pytest.mark.rule("ARMY-063", "ARMY-049", "ARMY-003")
@pytest.mark.parametrize(
    ("order", "near", "ahead", "expected"),
    [
        ("hold", True, False, (4, 4, 1)),
        ("hold", False, False, (4, 4, 0)),
        ("defend", True, False, (4, 4, 1)),
        ("attack", True, False, (5, 4, 1)),  # finds, attacks, then steps
        ("attack", False, True, (5, 4, 1)),  # finds nobody, steps, then finds
        ("attack", False, False, (5, 4, 0)),
        ("advance", True, False, (5, 4, 0)),  # steps away from the one it would have found
        ("advance", False, True, (5, 4, 1)),
        ("move", True, False, (5, 4, 0)),
        ("move", False, True, (5, 4, 0)),
    ],
)  # fmt: skip
def test_what_a_unit_does_under_each_order(
    order: str, near: bool, ahead: bool, expected: tuple[int, int, int]
) -> None:
    foes = ((3, 4),) * near + ((6, 4),) * ahead
    assert after(front(order, foes=foes)) == expected


@pytest.mark.rule("ARMY-063", "ARMY-060")
@pytest.mark.parametrize(
    ("order", "expected"), [("advance", (4, 4, 1)), ("attack", (4, 4, 1)), ("move", (4, 4, 0))]
)
def test_an_enemy_on_the_cell_ahead(order: str, expected: tuple[int, int, int]) -> None:
    w = front(order, foes=((5, 4),))
    assert after(w) == expected


@pytest.mark.rule("ARMY-063", "ARMY-021")
def test_an_attacker_that_destroys_what_blocks_it_steps_on() -> None:
    w = front("attack", foes=((5, 4),), strength=200)
    w.world.units[1]["strength"] = 5
    assert after(w) == (5, 4, 1)
    w = front("advance", foes=((6, 4),), kind="armor")
    assert after(w) == (5, 4, 1)  # one step, the second is closed, then the attack


@pytest.mark.rule("ARMY-063")
def test_direction_none_is_no_step() -> None:
    for order in ("attack", "advance", "move"):
        assert after(front(order, 0))[:2] == PLACE


@pytest.mark.rule("ARMY-049")
def test_the_flag_that_forbids_an_attack_after_a_step() -> None:
    rules = {"army.unit_moves_then_attacks": 0}
    assert after(front("advance", foes=((6, 4),), rules=rules)) == (5, 4, 0)
    assert after(front("attack", foes=((6, 4),), rules=rules)) == (5, 4, 0)
    assert after(front("advance", foes=((5, 4),), rules=rules)) == (4, 4, 1)  # it didn't move
    assert after(front("attack", foes=((3, 4),), rules=rules)) == (5, 4, 1)


@pytest.mark.rule("ARMY-001")
@pytest.mark.parametrize(("corps", "accepted"), [(0, True), (31, True), (32, False), (-1, False)])
def test_corps_are_numbered_0_to_31(corps: int, accepted: bool) -> None:
    w = SmallWorld()
    w.order(0, "corps_orders", amount=corps * 1000 + 40)
    w.phase("plans")
    result = w.results(0)[0]
    assert result["done"] == accepted and (accepted or result["reason"] == "bad_amount")
    assert CORPS_COUNT == load_ruleset()["army.corps"] == 32 and w.world.corps.shape == (2, 32)


@pytest.mark.rule("ARMY-002", "ARMY-003")
def test_setting_one_corps_leaves_all_others() -> None:
    w = SmallWorld(nations=2)
    before = copy_world(w.world).corps
    w.order(1, "corps_orders", amount=3 * 1000 + 4 * 10 + 6)
    w.phase("plans")
    assert (w.corps(1, 3).order, w.corps(1, 3).direction) == ("defend", 6)
    same = before == w.world.corps
    assert not same[1, 3] and same.sum() == 63
    assert {"name", "colour", "order", "direction"} <= set(w.world.corps.dtype.names or ())
    assert w.world.corps["name"][0].tolist() == w.world.corps["colour"][0].tolist() == list(range(32))


# ---------------------------------------------------------------- who acts when


@pytest.mark.rule("ARMY-064", "TURN-053", "TURN-009")
def test_nations_by_turn_order_corps_by_number_units_by_age() -> None:
    w = SmallWorld(height=9, width=11, nations=3)
    for x, (owner, corps) in enumerate(((1, 2), (0, 5), (2, 0), (1, 0), (0, 5), (1, 2), (2, 31), (0, 4))):
        w.unit(owner, "battery", x, 0, corps=corps)
    w.ship(0, "destroyer", 9, 5)
    w.unit(0, "infantry", aboard=0)
    w.world.units["serial"][[1, 4]] = 40, 30  # unit 4 is the older one
    w.world.order[:3] = (2, 0, 1)
    assert roster.muster(w.world) == 8  # nobody aboard
    assert w.world.roster[:8].tolist() == [2, 6, 7, 4, 1, 3, 0, 5]
    w.world.order[:3] = (1, 2, 0)
    roster.muster(w.world)
    assert w.world.roster[:8].tolist() == [3, 0, 5, 2, 6, 7, 4, 1]


@pytest.mark.rule("ARMY-064", "ARMY-061")
def test_the_place_in_the_list_does_not_tell_the_age() -> None:
    w = SmallWorld(height=9, width=11, nations=1)
    for x in range(3):
        w.unit(0, "infantry", x, 0)
    troops.remove(w.world, 0)
    assert troops.place(w.world, 0, unit_type.ARMOR, 0, w.place(5, 5), 70) == 0
    names = ("owner", "type", "corps", "strength", "experience", "carries", "serial")
    assert [int(w.world.units[0][name]) for name in names] == [0, 2, 0, 70, 0, 0, 3]
    assert w.cell(5, 5).unit.type == "armor" and w.world.clock[0]["units_made"] == 4
    roster.muster(w.world)
    assert w.world.roster[:3].tolist() == [1, 2, 0]


@pytest.mark.rule("ARMY-061")
def test_a_full_list_takes_no_unit() -> None:
    w = SmallWorld(height=9, width=11, nations=1)
    w.world.units["owner"] = 0
    assert troops.place(w.world, 0, 0, 0, 5, 10) == -1
    assert w.cell(5, 0).unit is None and w.world.clock[0]["units_made"] == 0


@pytest.mark.rule("ARMY-064", "TURN-053", "ARMY-007")
@pytest.mark.parametrize("first", [0, 1])
def test_who_is_annihilated_before_its_turn_does_nothing(first: int) -> None:
    w = SmallWorld(height=9, width=11, nations=2)
    w.war(0, 1)
    for n, x in ((0, 4), (1, 5)):
        w.cell(x, 4, terrain="plains", owner=1 - n)
        w.unit(n, "infantry", x, 4, strength=200 if n == first else 9)
        w.nation(n, ammo=5)
    territory.index(w.world, w.rules)
    w.world.order[:2] = (first, 1 - first)
    army.move_and_fight(w.world, w.rules)
    assert [u.owner for u in w.units()] == [first]
    assert w.nation(1 - first).ammo == 5  # it made no attack
    assert w.cell(5 - first, 4).owner == first  # it occupies nothing: its cell stays the other's
    assert w.cell(4 + first, 4).owner == first


@pytest.mark.rule("ARMY-064", "TURN-068")
def test_all_act_before_anybody_occupies() -> None:
    """The first nation's unit stands on the second's town, whose unit kills it: nothing is taken."""
    w = SmallWorld(height=9, width=11, nations=2)
    w.war(0, 1)
    w.cell(5, 4, terrain="town", owner=1, population=20, resistance=10)
    w.unit(0, "infantry", 5, 4, strength=5)
    w.unit(1, "infantry", 4, 4, strength=200)
    w.nation(1, ammo=9)
    w.corps(0, 0, order="move")
    territory.index(w.world, w.rules)
    w.world.order[:2] = (0, 1)
    army.move_and_fight(w.world, w.rules)
    assert (w.cell(5, 4).owner, w.cell(5, 4).resistance) == (1, 20)  # and the town recovers


@pytest.mark.rule("TURN-027", "ARMY-064")
def test_the_phase_follows_the_ships_and_precedes_the_disasters() -> None:
    from hakoenv.engine import turn

    names = [p.name for p in turn.PHASES]
    assert names.index("port_handling_3") < names.index("army") < names.index("disasters")
    assert turn.PHASE_BY_NAME["army"].run is army.move_and_fight


# ---------------------------------------------------------------- upkeep


@pytest.mark.rule("ARMY-067", "TURN-061", "RES-014")
def test_upkeep_of_the_example() -> None:
    w = SmallWorld(nations=1)
    w.unit(0, "armor", 3, 3, strength=150)
    w.ship(0, "destroyer", 5, 5)
    w.unit(0, "infantry", aboard=0, strength=100)
    w.nation(0, funds=500, food=500, fuel=50, reserves=200)
    w.phase("consumption")
    # funds (150 x 15 + 100 x 5 + 200 x 1) / 100 = 29.5; fuel 150 x 2 / 100; food 450 x 0.2
    books = w.world.accounts[0]
    assert books[cause.UPKEEP, item.FUNDS] == -29 and books[cause.UPKEEP, item.FUEL] == -3
    assert books[cause.RATIONS, item.FOOD] == -90 and w.nation(0).stalled == 0


@pytest.mark.rule("ARMY-067", "ARMY-004")
def test_each_type_costs_by_its_row() -> None:
    for row in load_ruleset().table("unit_types"):
        w = SmallWorld(nations=1)
        w.unit(0, row["name"], 3, 3, strength=200)
        w.nation(0, funds=500, food=500, fuel=50)
        w.phase("consumption")
        spent = [-int(w.world.accounts[0, cause.UPKEEP, what]) for what in (item.FUNDS, item.FUEL)]
        assert spent == [2 * row["upkeep_funds_per_100"], 2 * row["upkeep_fuel_per_100"]]


@pytest.mark.rule("ARMY-067")
@pytest.mark.parametrize(("fuel", "left", "stalled"), [(3, 0, 0), (2, 0, 1), (0, 0, 1), (4, 1, 0)])
def test_what_there_is_is_taken(fuel: int, left: int, stalled: int) -> None:
    w = SmallWorld(nations=1)
    w.unit(0, "armor", 3, 3, strength=150)
    w.nation(0, funds=4, food=99, fuel=fuel)
    w.phase("consumption")
    assert (w.nation(0).fuel, w.nation(0).stalled, w.nation(0).funds) == (left, stalled, 0)


# ---------------------------------------------------------------- ground that gives way


@pytest.mark.rule("ARMY-069")
@pytest.mark.parametrize(
    ("kind", "items", "survives"),
    [("infantry", [], False), ("armor", [], False), ("marines", [], True), ("airborne", [], True),
     ("infantry", ["shoes_of_water_movement"], True)],
    ids=["infantry", "armor", "marines", "airborne", "shod"],
)  # fmt: skip
@pytest.mark.parametrize("water", [terrain.SEA, terrain.SHALLOWS], ids=["sea", "shallows"])
def test_who_survives_where_land_becomes_water(
    kind: str, items: list[str], survives: bool, water: int
) -> None:
    w = SmallWorld(height=9, width=11, nations=1)
    w.cell(*PLACE, terrain="plains", owner=0)
    w.unit(0, kind, *PLACE, items=items, strength=70)
    damage.flood(w.world, w.rules, w.place(*PLACE), water)
    assert (w.units() != []) == survives and (w.cell(*PLACE).unit is not None) == survives
    lost = [e for e in w.world.events[: int(w.world.clock[0]["event_count"])] if e["kind"] == event.UNIT_LOST]
    assert [int(e["amount"]) for e in lost] == ([] if survives else [70])
    assert w.nation(0).wounded == 0


@pytest.mark.rule("ARMY-055", "ARMY-057")
@pytest.mark.parametrize("how", ["drowned", "sunk", "bombed"])
def test_what_is_lost_outside_battle_loses_its_item(how: str) -> None:
    w = SmallWorld(height=9, width=11, nations=2)
    if how == "sunk":
        w.ship(0, "destroyer", *PLACE)
        w.unit(0, "infantry", aboard=0, strength=30, items=["weak_shield"])
        hulls.sink(w.world, w.rules, 0, hulls.NOBODY)
    else:
        w.cell(*PLACE, terrain="plains", owner=0)
        w.unit(0, "infantry", *PLACE, strength=30, items=["weak_shield"])
        if how == "drowned":
            damage.flood(w.world, w.rules, w.place(*PLACE), terrain.SEA)
        else:  # anti-personnel missile: at least 60
            impact.hit(w.world, w.rules, 1, 2, 0, 0, w.place(*PLACE))
    assert w.units() == [] and sum(w.nation(0).items.values()) == sum(w.nation(1).items.values()) == 0
    *_, lost = w.world.events[: int(w.world.clock[0]["event_count"])]  # after the ship's own news
    told = [int(lost[name]) for name in ("kind", "nation", "cell", "amount")]
    assert told == [event.UNIT_LOST, 0, w.place(*PLACE), 30]
    assert w.nation(0).wounded == (9 if how == "bombed" else 0)  # 30% of 30


@pytest.mark.rule("ARMY-061", "ARMY-063", "TURN-027")
def test_a_unit_placed_in_this_turn_marches_in_it() -> None:
    w = front("move")
    w.cell(0, 0, terrain="town", owner=0, population=20, capital=True)
    w.cell(4, 6, terrain="depot", owner=0)
    w.nation(0, reserves=50, funds=100, food=100)
    w.order(0, "place_unit", 4, 6, 2 * 10000 + 0 * 200 + 9)  # armor of 10 for corps 0, which goes east
    w.run(1)
    assert [(u.x, u.y, u.strength) for u in w.units(type="armor")] == [(6, 6, 10)]


@pytest.mark.rule("ARMY-069")
def test_a_unit_under_which_a_mountain_rises_may_step_off() -> None:
    w = front("move")
    ground.put(w.world, w.rules, w.place(*PLACE), terrain.MOUNTAIN, 0, 0)
    assert len(w.units(owner=0)) == 1
    assert after(w)[:2] == (5, 4)
    w.corps(0, 0, direction="west")
    assert after(w)[:2] == (5, 4)  # but not back


@pytest.mark.rule("ARMY-069", "CMD-050")
@pytest.mark.parametrize(
    ("command", "kind", "refused"),
    [("monument", "infantry", True), ("monument", "mountain_troops", False), ("depot", "infantry", False),
     ("dig", "marines", True), ("dig", "infantry", True), ("farm", "armor", False)],
)  # fmt: skip
def test_commands_that_would_take_the_ground_from_under_an_own_unit(
    command: str, kind: str, refused: bool
) -> None:
    w = SmallWorld(height=9, width=11, nations=1)
    w.cell(3, 4, terrain="town", owner=0, population=20, capital=True)
    w.cell(*PLACE, terrain="plains", owner=0)
    w.unit(0, kind, *PLACE)
    w.nation(0, funds=20000, stone=100)
    w.order(0, command, *PLACE)
    w.phase("plans")
    result = w.results(0)[0]
    assert result["done"] != refused and (not refused or result["reason"] == "unit_in_the_way")


@pytest.mark.rule("ARMY-069", "MAP-023")
def test_an_own_unit_that_could_not_enter_before_does_not_block() -> None:
    w = SmallWorld(height=9, width=11, nations=1)
    w.cell(3, 4, terrain="town", owner=0, population=20, capital=True)
    w.cell(*PLACE, terrain="mountain", owner=0, deposit="iron", richness=100)
    w.unit(0, "infantry", *PLACE)
    w.nation(0, funds=2000, wood=100, stone=100)
    w.order(0, "mine", *PLACE)
    w.phase("plans")
    assert w.cell(*PLACE).terrain == "iron_mine" and len(w.units()) == 1


# ---------------------------------------------------------------- other numbers of nations


def melee(new: list[int]) -> SmallWorld:
    """A crowded war of four nations, the k-th of which has number ``new[k]``."""
    w = SmallWorld(height=12, width=12, nations=4, seed=99, rules={"unit.item_taken_percent": 50})
    draw = np.random.default_rng(5)
    grounds = ("plains", "forest", "town", "farm", "depot", "mountain", "wasteland", "shallows", "monument")
    cells = w.world.cells.reshape(-1)
    for place in range(144):
        name = grounds[int(draw.integers(len(grounds)))]
        owner = int(draw.integers(-1, 4))
        given: dict[str, Any] = {"owner": None if owner < 0 or name == "shallows" else new[owner]}
        given |= {"population": 40} if name == "town" else {}
        given |= {"level": int(draw.integers(4))} if name == "monument" else {}
        w.cell(place % 12, place // 12, terrain=name, **given)
        cells["resistance"][place] = min(int(cells["resistance"][place]), int(draw.integers(1, 60)))
        if draw.random() < 0.45:
            kind = unit_type.NAMES[int(draw.integers(7))]
            held = ["sword_of_war_god", "weak_shield", "cloak_of_zoc_ignoring"][int(draw.integers(3))]
            w.unit(new[int(draw.integers(4))], kind, place % 12, place // 12,
                   strength=int(draw.integers(1, 60)), experience=int(draw.integers(100)),
                   corps=int(draw.integers(6)), items=[held] if draw.random() < 0.4 else [])  # fmt: skip
    for k in range(4):
        for corps in range(6):
            w.corps(new[k], corps, order=corps_order.NAMES[int(draw.integers(6))],
                    direction=int(draw.integers(7)))  # fmt: skip
        w.nation(new[k], ammo=12, fuel=90, stalled=int(k == 2), military=k)
        w.world.nations[new[k]]["capital"] = -1
    for a, b in ((0, 1), (1, 2), (2, 3), (0, 3)):
        w.war(new[a], new[b])
    w.faction("Us", new[0], [new[2]])
    territory.index(w.world, w.rules)
    census.take(w.world, w.rules)
    territory.index(w.world, w.rules)
    w.world.order[:4] = [new[k] for k in (2, 0, 3, 1)]
    return w


@pytest.mark.rule("ARMY-064", "ARMY-048", "ARMY-035", "TURN-053")
@pytest.mark.parametrize(
    "new", [[3, 2, 1, 0], [1, 2, 3, 0], [0, 2, 1, 3]], ids=["reversed", "turned", "swapped"]
)
def test_other_numbers_of_nations_give_the_same_war(new: list[int]) -> None:
    plain, other = melee([0, 1, 2, 3]), melee(new)
    for turn in range(101, 105):
        for w in (plain, other):
            w.world.clock[0]["turn"] = turn
            army.move_and_fight(w.world, w.rules)
        number = np.array([*new, -1])  # -1 stays nobody
        for table, fields in (
            ("cells", ("owner", "taken_from")), ("units", ("owner",)), ("events", ("nation", "other")),
        ):  # fmt: skip
            mine, theirs = getattr(plain.world, table), getattr(other.world, table)
            for name in mine.dtype.names or ():
                expected = number[mine[name]] if name in fields else mine[name]
                if table == "events":
                    count = int(plain.world.clock[0]["event_count"])
                    assert (expected[:count] == theirs[name][:count]).all(), name
                else:
                    assert (expected == theirs[name]).all(), (table, name)
        for k in range(4):
            for name in ("treasury", "items", "reserves", "wounded", "captured", "capital"):
                same = plain.world.nations[name][k] == other.world.nations[name][new[k]]
                assert np.all(same), (k, name)
        assert plain.world.roster.tolist() == other.world.roster.tolist()
    kinds = plain.world.clock[0]["event_kinds"]
    assert kinds[event.BATTLE] > 10 and kinds[event.CELL_CAPTURED] > 5 and kinds[event.UNIT_LOST] > 3


def test_the_draws_of_a_battle_have_purposes_of_their_own() -> None:
    purposes = [chance.UNIT_SEARCH, chance.ATTACK_ROLL, chance.COUNTER_ROLL, chance.ITEM_TAKEN]
    assert len(set(purposes)) == 4
