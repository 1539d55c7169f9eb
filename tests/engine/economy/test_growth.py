"""Growth by chance: frequencies, ranges and the order of the cells (MAP-044, TURN-024)."""

import numpy as np
import pytest

from hakoenv.engine import census, territory
from hakoenv.engine.economy import growth, towns
from hakoenv.testing import SmallWorld


def field_of(terrain: str, rows: int = 30, **given: object) -> SmallWorld:
    """Every third cell of every third row is ``terrain``: nobody has a land neighbour."""
    small = SmallWorld(rows * 3, 90, 1, turn=61, rules={"growth.village_growth.per_turn.low": 1})
    for y in range(0, rows * 3, 3):
        for x in range(0, 90, 3):
            small.cell(x, y, terrain=terrain, **given)
    return small


@pytest.mark.rule("MAP-044", "TURN-024")
def test_a_village_draws_each_growth_from_1_to_10():
    """900 villages. False alarm below 1e-6: chi-squared with 9 degrees of freedom above 46.5."""
    small = field_of("town", owner=0, population=20)
    small.cell(1, 1, terrain="large_farm", owner=0, level=1)
    small.world.cells["level"][1, 1] = 3000  # work for all
    small.phase("hex_growth")
    grown = small.world.cells["population"][0::3, 0::3].reshape(-1) - 20
    counts = np.bincount(grown, minlength=11)
    assert counts[0] == 0 and counts.size == 11
    assert ((counts[1:] - 90.0) ** 2 / 90.0).sum() < 46.5


@pytest.mark.rule("MAP-044")
def test_wasteland_recovers_with_one_in_ten():
    """900 cells, 90 expected, deviation 9. False alarm below 1e-6: more than 5 deviations."""
    small = field_of("wasteland", owner=0)
    small.phase("hex_growth")
    plains = int((small.world.cells["terrain"] == 6).sum())
    assert 45 <= plains <= 135


@pytest.mark.rule("MAP-044")
@pytest.mark.parametrize(
    ("owner", "neighbours", "percent"), [(0, 1, 4), (0, 3, 12), (None, 1, 2), (None, 3, 6)]
)
def test_new_villages_come_by_the_number_of_settled_neighbours(owner, neighbours, percent):
    """900 plains. False alarm below 1e-6: more than 5 deviations from the expected number."""
    small = field_of("plains", owner=owner)
    for y in range(0, 90, 3):
        for x in range(0, 90, 3):
            for dx, dy in ((1, 0), (0, 1), (1, 1))[:neighbours]:  # not all of them touch the plains
                small.cell(x + dx, y + dy, terrain="farm", owner=0, level=10)
    touching = [territory_count(small, 3 * (k % 30), 3 * (k // 30)) for k in range(900)]
    small.phase("hex_growth")
    each = {2: 0.02, 4: 0.04}[percent // neighbours]
    expected = sum(each * n for n in touching)
    deviation = sum(each * n * (1 - each * n) for n in touching) ** 0.5
    settled = int((small.world.cells["terrain"] == 7).sum())
    assert abs(settled - expected) <= 5 * deviation
    assert (small.world.cells["owner"][small.world.cells["terrain"] == 7] == 0).all()


def territory_count(small: SmallWorld, x: int, y: int) -> int:
    """Farms around a cell, counted from the directions of MAP-002."""
    odd = y % 2
    around = ((odd, -1), (1, 0), (odd, 1), (odd - 1, 1), (-1, 0), (odd - 1, -1))
    places = [(x + dx, y + dy) for dx, dy in around]
    return sum(
        0 <= a < small.width and 0 <= b < small.height and small.world.cells["terrain"][b, a] == 9
        for a, b in places
    )


@pytest.mark.rule("TURN-024")
def test_the_hex_order_is_a_permutation_and_another_one_each_turn():
    small = field_of("plains", rows=4, owner=0)
    territory.index(small.world, small.rules)
    first = growth.hex_order(small.world)
    assert sorted(first) == sorted(small.world.territory[:120])
    small.world.clock["turn"] += 1
    assert list(first) != list(growth.hex_order(small.world))


@pytest.mark.rule("TURN-024")
def test_every_place_in_the_order_is_equally_likely():
    """1,200 turns, 4 cells. False alarm below 1e-5: chi-squared (3 degrees of freedom) above 31 in a cell."""
    small = SmallWorld(9, 9, 1)
    for x in range(0, 8, 2):
        small.cell(x, 0, terrain="plains", owner=0)
    territory.index(small.world, small.rules)
    seen = np.zeros((4, 4))
    for turn in range(1200):
        small.world.clock["turn"] = turn
        for place, cell in enumerate(growth.hex_order(small.world)):
            seen[place, cell // 2] += 1
    assert (((seen - 300.0) ** 2 / 300.0).sum(axis=0) < 31).all()


@pytest.mark.rule("MAP-044", "TURN-024")
def test_a_town_grows_once_a_turn():
    small = SmallWorld(9, 9, 1, turn=60, rules={"growth.village_growth.per_turn.low": 3,
                                                "growth.village_growth.per_turn.high": 3})  # fmt: skip
    small.cell(4, 4, terrain="town", owner=0, population=20, capital=True)
    small.cell(0, 0, terrain="farm", owner=0, level=50)
    small.nation(0, food=1000)
    small.run(2)
    assert small.cell(4, 4).population == 26


@pytest.mark.rule("MAP-039", "DIS-012")
@pytest.mark.parametrize(
    ("terrain", "before", "change", "after", "becomes"),
    [
        ("town", 199, 1, 200, "metropolis"),
        ("metropolis", 222, -22, 200, "metropolis"),
        ("metropolis", 221, -22, 199, "town"),
        ("new_town", 205, -10, 195, "new_town"),
        ("town", 5, -9, 1, "town"),
    ],
)
def test_a_town_changes_class_with_its_people(terrain, before, change, after, becomes):
    small = SmallWorld(9, 9, 1)
    small.cell(4, 4, terrain=terrain, owner=0, population=before)
    if change > 0:
        towns.gain(small.world, small.rules, 40, change, 250)
    else:
        assert towns.lose(small.world, small.rules, 40, -change, 1) == before - after
    assert (small.cell(4, 4).population, small.cell(4, 4).terrain) == (after, becomes)


@pytest.mark.rule("MAP-044", "TURN-029")
def test_the_people_counted_by_the_assignment_are_those_of_the_census():
    small = SmallWorld(9, 9, 2)
    small.cell(1, 1, terrain="town", owner=0, population=70)
    small.cell(3, 3, terrain="seabed_city", owner=0, population=90)
    small.cell(5, 5, terrain="new_town", owner=1, population=11)
    small.phase("income")
    assigned = small.world.nations["population"].tolist()
    territory.index(small.world, small.rules)
    census.take(small.world, small.rules)
    assert assigned == small.world.nations["population"].tolist() == [160, 11]


@pytest.mark.rule("MAP-008")
@pytest.mark.parametrize(
    ("kind", "owner", "away", "grown"),
    [(1, 0, 1, 1), (1, 0, 2, 0), (1, 1, 1, 0), (1, None, 1, 0), (2, 0, 1, 0), (0, 0, 1, 0)],
    ids=["near", "far", "foreign", "nobody's", "peace", "wall"],
)
def test_towns_beside_an_own_monolith_grow_by_one_more(kind, owner, away, grown):
    """By 0% of the climate and 1 more of the monolith, however many of them there are (monuments.csv)."""
    w = SmallWorld(9, 11, 2, rules={"climate.temperate.town_growth_percent": 0})
    for x, (name, people) in enumerate((("town", 50), ("new_town", 100), ("metropolis", 210))):
        w.cell(3 * x + 1, 4, terrain=name, owner=0, population=people)
        for y in (4 - away, 4 + away):
            w.cell(3 * x + 1, y, terrain="monument", level=kind, owner=owner)
    w.phase("hex_growth")
    assert [w.cell(x, 4).population - was for x, was in ((1, 50), (4, 100), (7, 210))] == [grown] * 3


@pytest.mark.rule("MAP-008", "MAP-044")
def test_the_monolith_neither_lifts_the_cap_nor_feeds_the_hungry():
    w = SmallWorld(9, 11, 1, rules={"climate.temperate.town_growth_percent": 0})
    cap = int(w.ruleset["growth.metropolis_growth.cap.limit"])
    w.cell(4, 4, terrain="metropolis", owner=0, population=cap)
    w.cell(4, 3, terrain="monument", level=1, owner=0)
    w.phase("hex_growth")
    assert w.cell(4, 4).population == cap
    w.cell(4, 4, terrain="town", population=50)
    w.nation(0, famine=1)
    w.phase("hex_growth")
    assert w.cell(4, 4).population == 50
