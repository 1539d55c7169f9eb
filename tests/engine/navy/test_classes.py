"""The table of ship classes: numbers, what the source still says of the lost values, who moves early."""

from __future__ import annotations

import pytest

from hakoenv.engine import view
from hakoenv.engine.codes import ship_class, terrain
from hakoenv.engine.navy import waters
from hakoenv.engine.view import is_warship
from hakoenv.ruleset import load_ruleset
from hakoenv.testing import SmallWorld

RULESET = load_ruleset()
CLASSES = RULESET.rules.ship_classes
NAMES = [str(row["name"]) for row in RULESET.table("ship_classes")]
WARSHIPS = range(1, 6)


@pytest.mark.rule("NAVY-002")
def test_classes_have_the_numbers_of_the_build_command() -> None:
    assert NAMES == [
        "naval_port", "destroyer", "cruiser", "battleship", "carrier", "submarine", "merchant", "pirate",
        "cruise_ship",
    ]  # fmt: skip
    assert [kind for kind in range(len(NAMES)) if is_warship(kind)] == list(WARSHIPS)
    assert CLASSES["terrain_number"].tolist()[1:9] == [kind + 35 for kind in range(1, 9)]
    for kind, name in enumerate(NAMES):
        assert getattr(ship_class, name.upper()) == kind
        assert kind == 0 or getattr(terrain, name.upper()) == kind + 35
    assert CLASSES["nation_builds"].tolist() == [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0]
    w = SmallWorld(nations=1)
    for kind in range(1, 9):
        owner = 0 if kind != ship_class.PIRATE else None
        w.ship(owner, NAMES[kind], kind, 3)
    assert w.world.ships["kind"][:8].tolist() == list(range(1, 9))


@pytest.mark.rule("NAVY-003", "NAVY-018", "IND-015", "AID-030")
def test_the_lost_table_keeps_to_what_the_source_says_of_it() -> None:
    assert CLASSES["search_range"].tolist()[:7] == [3, 2, 2, 3, 4, 2, 2]
    assert CLASSES["fire_range"].tolist() == [0, 1, 2, 3, 4, 1, 0, 0, 0, 0, 0]
    assert (CLASSES["fire_range"] <= CLASSES["search_range"]).all()
    assert CLASSES["ammo_per_engagement"].tolist()[1:6] == [1, 1, 2, 3, 1]
    steel = CLASSES["steel"].tolist()
    assert steel[1:6] == [3, 4, 5, 13, 3]
    assert [-(-20 * steel[kind] // 100) for kind in WARSHIPS] == [1, 1, 1, 3, 1]
    assert all(CLASSES["hp_base"][kind] <= RULESET["ship.max_hp_cap"] == 15 for kind in WARSHIPS)
    assert (CLASSES["hp_start"][1], CLASSES["hp_base"][1]) == (2, 4)  # repaired until above half
    assert [kind for kind in WARSHIPS if CLASSES["enters_shallows"][kind]] == [ship_class.DESTROYER]
    assert 1 in CLASSES["damage"].tolist()[1:6] and CLASSES["capacity_containers"][6] == 128
    assert CLASSES["capacity_strength"].tolist()[1:6] == [200, 200, 200, 200, 0]
    assert not CLASSES["anti_ship"][7]
    assert CLASSES["upkeep_funds"][0] > 0 and CLASSES["upkeep_food"][0] > 0 and CLASSES["upkeep_fuel"][0] == 0


@pytest.mark.rule("NAVY-081")
def test_destroyers_and_all_ships_but_warships_enter_shallows() -> None:
    allowed = {"destroyer", "merchant", "pirate", "cruise_ship"}
    for kind, name in enumerate(NAMES[1:], start=1):
        w = SmallWorld(nations=1)
        w.cell(3, 3, terrain="shallows")
        owner = -1 if name == "pirate" else 0
        way = waters.way(w.world, w.rules, view.TRUTH, owner, kind, w.place(3, 3))
        assert way == (waters.OPEN if name in allowed else waters.CLOSED), name


@pytest.mark.rule("NAVY-007")
def test_the_ruleset_holds_base_values_whatever_a_nation_has_learnt() -> None:
    w = SmallWorld(nations=1)
    w.nation(0, military=5, shipping=5)
    assert w.rules.ship_classes["damage"].tolist() == CLASSES["damage"].tolist()


@pytest.mark.rule("TURN-054", "NAVY-058")
@pytest.mark.parametrize("kind", NAMES[1:6])
def test_only_destroyers_sail_in_the_early_stage(kind: str) -> None:
    w = SmallWorld(height=6, width=16, nations=1)
    w.ship(0, kind, 2, 2, fleet=0)
    w.fleet(0, 0, target=(13, 2))
    w.phase("fast_ships")
    early = w.ships()[0].x
    w.phase("ordinary_ships")
    assert (early > 2) == (kind == "destroyer")
    assert w.ships()[0].x == 2 + int(CLASSES["speed"][NAMES.index(kind)])


@pytest.mark.rule("BOMB-013")
def test_people_are_counted_in_hundreds_and_field_workers_in_thousands() -> None:
    """A town of 100 holds 10,000 people, who make food for 100; a farm of level 5 has work for 5,000."""
    w = SmallWorld(nations=1)
    w.cell(3, 3, terrain="town", owner=0, population=100, capital=True)
    w.cell(4, 3, terrain="farm", owner=0, level=5)
    w.nation(0, shares=[100, 0, 0])
    w.phase("income")
    assert w.nation(0).population == 100
    jobs, hands = 5 * 1000, int(w.world.nations["farm_workers"][0]) * 100
    assert int(w.world.nations["farm_jobs"][0]) * 100 == jobs == hands
