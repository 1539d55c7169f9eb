"""What a nation can know of a cell."""

import numpy as np
import pytest

from hakoenv.engine import view
from hakoenv.engine.codes import deposit, terrain
from hakoenv.testing import SmallWorld


def world() -> SmallWorld:
    w = SmallWorld(height=9, width=9, nations=2)
    w.cell(1, 1, terrain="town", owner=0, population=50, capital=True)
    w.cell(7, 7, terrain="town", owner=1, population=50, capital=True)
    return w


@pytest.mark.rule("MAP-025", "MAP-027")
@pytest.mark.parametrize("site", ["missile_base", "defense_facility", "depot", "forest"])
def test_military_sites_and_forests_all_look_the_same_to_others(site: str) -> None:
    w = world()
    w.cell(4, 4, terrain=site, owner=0, **({"trees": 12} if site == "forest" else {}))
    i = 4 * 9 + 4
    seen = [f(w.world, w.rules, 1, i) for f in (view.terrain, view.owner, view.level, view.deposit)]
    assert seen == [terrain.FOREST, 0, 0, deposit.NONE]
    own = terrain.FOREST if site == "forest" else getattr(terrain, site.upper())
    assert view.terrain(w.world, w.rules, 0, i) == view.terrain(w.world, w.rules, view.TRUTH, i) == own


@pytest.mark.rule("MAP-027")
@pytest.mark.parametrize("site", ["missile_base", "forest"])
def test_sites_of_a_fallen_nation_stay_hidden(site: str) -> None:
    w = world()
    w.cell(4, 4, terrain=site, owner=None)
    i = 4 * 9 + 4
    assert [f(w.world, w.rules, 1, i) for f in (view.terrain, view.owner, view.level)] == [
        terrain.FOREST,
        -1,
        0,
    ]


@pytest.mark.rule("MAP-026", "MAP-027")
def test_a_seabed_base_looks_like_plain_sea() -> None:
    w = world()
    w.cell(4, 4, terrain="seabed_base", owner=0)
    w.world.cells["deposit"][4, 4] = deposit.OIL
    i = 4 * 9 + 4
    seen = [f(w.world, w.rules, 1, i) for f in (view.terrain, view.owner, view.deposit)]
    assert seen == [terrain.SEA, -1, deposit.NONE]
    assert view.terrain(w.world, w.rules, 0, i) == terrain.SEABED_BASE


@pytest.mark.rule("MAP-017", "MAP-018")
def test_deposits_and_population_are_public() -> None:
    w = world()
    w.cell(4, 4, terrain="mountain", owner=0, deposit="coal", richness=60)
    oil = {"wasteland": (5, 5), "sea": (6, 5), "shallows": (7, 5)}
    for ground, (x, y) in oil.items():
        w.cell(x, y, terrain=ground, owner=None, deposit="oil", richness=500)
    assert view.deposit(w.world, w.rules, 1, 4 * 9 + 4) == deposit.COAL
    for ground, (x, y) in oil.items():
        seen = [f(w.world, w.rules, 1, y * 9 + x) for f in (view.deposit, view.terrain)]
        looks = "sea" if ground == "shallows" else ground  # out of sight: NAVY-020
        assert seen == [deposit.OIL, getattr(terrain, looks.upper())]
    assert view.population(w.world, w.rules, 1, 1 * 9 + 1) == 50


@pytest.mark.rule("NAVY-022")
@pytest.mark.parametrize("kind", ["merchant", "pirate", "cruise_ship"])
def test_ships_of_peace_and_pirates_are_seen_by_everybody_everywhere(kind: str) -> None:
    w = world()
    w.ship(None if kind == "pirate" else 1, kind, 4, 4)  # three cells from anything
    there = int(w.world.cells["ship"][4, 4])
    assert [view.ship(w.world, w.rules, n, 4 * 9 + 4) for n in (0, 1)] == [there, there]
    assert int(w.world.ships["owner"][there]) == (-1 if kind == "pirate" else 1)


@pytest.mark.rule("NAVY-020", "NAVY-022")
@pytest.mark.parametrize("kind", ["destroyer", "cruiser", "battleship", "carrier", "submarine"])
def test_warships_are_always_seen_by_their_own_nation_and_not_by_others_far_away(kind: str) -> None:
    w = world()
    w.ship(1, kind, 4, 4)
    there = int(w.world.cells["ship"][4, 4])
    assert [view.ship(w.world, w.rules, n, 4 * 9 + 4) for n in (0, 1)] == [-1, there]


@pytest.mark.rule("ARMY-058", "NAVY-020", "NAVY-022")
def test_foreign_units_and_warships_are_seen_near_own_land_only() -> None:
    w = world()
    w.unit(1, "infantry", 7, 7, strength=20)
    w.ship(1, "destroyer", 7, 5)
    w.ship(1, "merchant", 6, 3)
    w.ship(1, "cruiser", 2, 1)  # beside nation 0's town
    units = [view.unit(w.world, w.rules, n, 7 * 9 + 7) for n in (0, 1, view.TRUTH)]
    assert units[0] == -1 and units[1] == units[2] >= 0
    ships = {(x, y): view.ship(w.world, w.rules, 0, y * 9 + x) >= 0 for x, y in ((7, 5), (6, 3), (2, 1))}
    assert ships == {(7, 5): False, (6, 3): True, (2, 1): True}


@pytest.mark.rule("MAP-027")
def test_hidden_fields_change_nothing_that_others_see() -> None:
    w = world()
    w.cell(4, 4, terrain="missile_base", owner=0, experience=0)
    i = 4 * 9 + 4
    look = (view.terrain, view.owner, view.level, view.deposit, view.population, view.unit, view.ship)
    before = [f(w.world, w.rules, 1, i) for f in look]
    for field in ("experience", "level", "hits", "resistance", "pile"):
        w.world.cells[field][4, 4] = 7
    w.world.cells["terrain"][4, 4] = terrain.DEPOT
    w.unit(0, "infantry", 4, 4, strength=5)
    after = [f(w.world, w.rules, 1, i) for f in look]
    assert np.array_equal(before, after)
