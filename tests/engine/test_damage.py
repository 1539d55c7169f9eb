"""What damage does to a cell, a unit and a ship (DIS-019, ARMY-069, MAP-033, EMBARK-010)."""

from typing import Any

import pytest

from hakoenv.engine import damage, ground
from hakoenv.engine.codes import terrain, unit_item
from hakoenv.engine.navy import hulls
from hakoenv.ruleset import load_ruleset
from hakoenv.testing import SmallWorld

HERE = 4 * 9 + 4


def one_cell(name: str, **given: Any) -> SmallWorld:
    w = SmallWorld(height=9, width=9, nations=2)
    w.cell(0, 0, terrain="town", owner=0, population=20, capital=True)
    w.cell(4, 4, terrain=name, **{"owner": 0, **given})
    return w


def flood(w: SmallWorld, water: int = terrain.SHALLOWS) -> Any:
    damage.flood(w.world, w.rules, HERE, water)
    return w.cell(4, 4)


@pytest.mark.rule("DIS-019", "MAP-033")
def test_what_becomes_water_loses_owner_deposit_and_tunnel() -> None:
    for name, given in (
        ("mountain", {"deposit": "coal", "richness": 60, "tunnel": True}),
        ("iron_mine", {"deposit": "iron", "richness": 100, "level": 4, "pile": 30}),
        ("land_oil", {"deposit": "oil", "richness": 500, "level": 2, "pile": 300}),
        ("offshore_oil", {"deposit": "oil", "richness": 300, "level": 2, "pile": 300}),
        ("wasteland", {"deposit": "oil", "richness": 500}),
        ("seabed_city", {"population": 90}),
        ("port", {"level": 2, "hits": 1}),
    ):
        cell = flood(one_cell(name, **given))
        assert (cell.terrain, cell.owner, cell.deposit, cell.richness) == ("shallows", None, None, 0), name
        assert (cell.level, cell.pile, cell.population, cell.hits, cell.tunnel) == (0, 0, 0, 0, False), name
        assert cell.below == "sea" and cell.resistance == 0, name  # below: nothing is remembered (MAP-015)


@pytest.mark.rule("MAP-018", "DIS-019")
def test_oil_under_open_water_stays_when_its_depth_changes() -> None:
    w = one_cell("shallows", owner=None, deposit="oil", richness=300)
    cell = flood(w, terrain.SEA)
    assert (cell.terrain, cell.deposit, cell.richness) == ("sea", "oil", 300)


@pytest.mark.rule("DIS-019", "MAP-017", "MAP-033")
def test_a_ruin_keeps_its_owner_and_no_ore() -> None:
    w = one_cell("iron_mine", deposit="iron", richness=100, level=4, pile=30, hits=1)
    damage.ruin(w.world, w.rules, HERE)
    cell = w.cell(4, 4)
    assert (cell.terrain, cell.owner, cell.level, cell.pile, cell.hits) == ("wasteland", 0, 0, 0, 0)
    assert (cell.deposit, cell.richness, cell.worked) == (None, 0, 0)
    w = one_cell("mountain", tunnel=True)
    damage.ruin(w.world, w.rules, HERE)
    assert w.cell(4, 4).tunnel is False
    w = one_cell("land_oil", deposit="oil", richness=500, level=2)
    damage.ruin(w.world, w.rules, HERE)
    assert (w.cell(4, 4).deposit, w.cell(4, 4).richness) == ("oil", 500)  # wasteland may hold it


@pytest.mark.rule("DIS-019")
@pytest.mark.parametrize(
    ("name", "level", "becomes", "left"),
    [
        ("farm", 20, "farm", 15),
        ("farm", 6, "farm", 1),
        ("farm", 5, "plains", 0),
        ("large_farm", 50, "large_farm", 40),
        ("large_factory", 150, "large_factory", 120),
        ("factory", 15, "plains", 0),
        ("warehouse", 1, "plains", 0),
        ("power_plant", 3, "power_plant", 2),
        ("reserved_land", 1, "plains", 0),
        ("coal_mine", 2, "coal_mine", 1),
        ("coal_mine", 1, "coal_mine", 1),
        ("monument", 2, "plains", 0),
        ("missile_base", 90, "plains", 0),
    ],
)
def test_one_step_down(name: str, level: int, becomes: str, left: int) -> None:
    w = one_cell(name, level=level)
    damage.step_down(w.world, w.rules, HERE)
    cell = w.cell(4, 4)
    assert (cell.terrain, cell.level, cell.owner) == (becomes, left, 0)


@pytest.mark.rule("DIS-019", "DIS-012")
@pytest.mark.parametrize(("people", "percent", "left"), [(99, 30, 70), (1, 50, 1), (3, 100, 1), (3, 30, 3)])
def test_towns_lose_a_floored_share_and_keep_one(people: int, percent: int, left: int) -> None:
    w = one_cell("town", population=people)
    assert damage.lose_people(w.world, w.rules, HERE, percent) == people - left
    assert w.cell(4, 4).population == left


UNITS = ("infantry", "artillery", "armor", "marines", "airborne", "mountain_troops", "battery")


@pytest.mark.rule("ARMY-069")
@pytest.mark.parametrize("kind", UNITS)
@pytest.mark.parametrize("water", [terrain.SEA, terrain.SHALLOWS])
def test_a_unit_is_lost_where_it_cannot_swim(kind: str, water: int) -> None:
    w = one_cell("plains")
    w.unit(0, kind, 4, 4, strength=50)
    flood(w, water)
    swims = kind in ("marines", "airborne")
    assert len(w.units(owner=0)) == int(swims)
    assert (w.cell(4, 4).unit is not None) == swims


@pytest.mark.rule("ARMY-069")
def test_the_shoes_save_a_unit_from_the_water() -> None:
    w = one_cell("plains")
    w.unit(0, "infantry", 4, 4, strength=50, items=["shoes_of_water_movement"])
    flood(w)
    assert w.cell(4, 4).unit.strength == 50
    w = one_cell("plains")
    w.unit(0, "infantry", 4, 4, strength=50, items=["sword_of_war_god"])
    flood(w)
    assert w.cell(4, 4).unit is None


@pytest.mark.rule("ARMY-069")
@pytest.mark.parametrize("becomes", [terrain.MOUNTAIN, terrain.WASTELAND, terrain.PLAINS])
def test_any_other_change_leaves_a_unit_standing(becomes: int) -> None:
    w = one_cell("factory")
    w.unit(0, "infantry", 4, 4, strength=50)
    ground.put(w.world, w.rules, HERE, becomes, 0, 0)
    assert w.cell(4, 4).unit.strength == 50


def test_item_numbers_are_the_table_s() -> None:
    table = {str(row["name"]).upper(): row["id"] for row in load_ruleset().table("items")}
    assert {k: v for k, v in vars(unit_item).items() if k.isupper() and k not in ("NONE", "COUNT")} == table


@pytest.mark.rule("EMBARK-010")
def test_a_ship_that_sinks_takes_its_unit_down_and_leaves_the_water() -> None:
    w = SmallWorld(height=9, width=9, nations=2)
    w.cell(4, 4, terrain="shallows", owner=None, deposit="oil", richness=300)
    w.ship(1, "cruiser", 2, 2, hp=4)
    w.ship(0, "destroyer", 4, 4, hp=3, experience=40)
    w.unit(0, "infantry", aboard=1, strength=10)
    w.unit(0, "infantry", 8, 8, strength=20)
    assert not hulls.hurt(w.world, w.rules, 1, 2, hulls.NOBODY)
    assert w.cell(4, 4).ship.hp == 1 and len(w.units()) == 2
    assert hulls.hurt(w.world, w.rules, 1, 5, hulls.NOBODY)
    cell = w.cell(4, 4)
    assert (cell.ship, cell.terrain, cell.deposit, cell.richness) == (None, "shallows", "oil", 300)
    assert [unit.strength for unit in w.units()] == [20]
    assert len(w.ships()) == 1 and w.cell(2, 2).ship.hp == 4
    w.ship(0, "submarine", 4, 4)  # the place is free again
    assert len(w.ships()) == 2


def test_without_immunity_the_largest_town_left_becomes_the_capital() -> None:
    w = one_cell("town", population=30)
    w.cell(2, 2, terrain="town", owner=0, population=45)
    w.cell(6, 6, terrain="town", owner=0, population=45)
    w.cell(4, 4, capital=True)
    damage.ruin(w.world, w.rules, HERE)
    assert w.nation(0).capital == [2, 2]
    for x, y in ((2, 2), (6, 6), (0, 0)):
        damage.flood(w.world, w.rules, y * 9 + x, terrain.SEA)
    assert w.nation(0).capital is None
    w.phase("nation_update")
    assert not w.nation(0).alive


@pytest.mark.rule("DIS-002")
def test_the_immunity_of_capitals_can_be_switched_off() -> None:
    for immune in (1, 0):
        w = SmallWorld(rules={"disaster.capital_immune": immune, "disasters.fire.percent_per_turn": 100})
        w.cell(4, 4, terrain="modern_city", owner=0, population=300, capital=True)
        w.nation(0, food=1000)
        w.phase("hex_growth")
        assert w.cell(4, 4).population == (300 if immune else 210)
