"""The numbers in code are those of the tables, and a whole map is as large as the rules say."""

import pytest

from hakoenv.engine.codes import command, deposit, item, reason, terrain
from hakoenv.engine.season import Season
from hakoenv.ruleset import load_ruleset
from hakoenv.ruleset.codes import DEPOSITS, ITEM_NAMES
from hakoenv.testing import SmallWorld


def names_of(module: object, leave: tuple[str, ...] = ("COUNT", "LIMIT", "NAMES")) -> dict[str, int]:
    """Lower-case names and numbers of a codes module."""
    return {
        name.lower(): value for name, value in vars(module).items() if name.isupper() and name not in leave
    }


@pytest.mark.rule("MAP-003", "MAP-005")
def test_terrain_numbers_are_the_tables_and_boat_and_fish_farm_lie_beyond_46() -> None:
    table = {row["name"]: int(row["number"]) for row in load_ruleset().table("terrains")}
    assert table.pop("large_merchant") == table["merchant"]
    assert names_of(terrain) == table
    assert (terrain.FISHING_BOAT, terrain.FISH_FARM) == (47, 48)


@pytest.mark.rule("MAP-014")
def test_warship_class_k_is_terrain_35_plus_k() -> None:
    classes = {int(row["id"]): str(row["name"]) for row in load_ruleset().table("ship_classes")}
    assert [getattr(terrain, classes[k].upper()) for k in range(1, 6)] == [36, 37, 38, 39, 40]


@pytest.mark.rule("SEASON-007")
def test_land_is_all_but_the_listed_terrains() -> None:
    rows = load_ruleset().table("terrains")
    water = {int(row["number"]) for row in rows if not row["counts_as_land"]}
    listed = {0, 1, 14, 24, 25, 26, 28, *range(36, 44), 44, 45}
    assert water == listed | {terrain.FISHING_BOAT, terrain.FISH_FARM}


def test_command_item_and_deposit_numbers_are_the_tables() -> None:
    table = {row["name"]: int(row["number"]) for row in load_ruleset().table("commands")}
    assert names_of(command) == table and len(table) == 86
    assert tuple(names_of(item)) == ITEM_NAMES
    assert deposit.NAMES == DEPOSITS


def test_every_reason_has_its_sentence() -> None:
    codes = {name: value for name, value in vars(reason).items() if name.isupper() and isinstance(value, int)}
    assert set(codes.values()) == set(reason.SENTENCES)
    assert all(reason.name(value) == name.lower() for name, value in codes.items())


@pytest.mark.rule("MAP-001")
def test_the_map_has_90_by_90_cells_and_nothing_lies_beyond() -> None:
    season = Season.new("season", seed=0)
    assert season.world.cells.shape == (90, 90) and season.world.cells.size == 8100
    w = SmallWorld(height=12, width=12)
    w.cell(0, 0, terrain="town", owner=0, population=50, capital=True)
    for x, y in ((12, 0), (0, 12), (-1, 0), (0, -1)):
        w.order(0, "farm", x, y)
    w.phase("plans")
    assert [entry["reason"] for entry in w.results(0)[:4]] == ["outside_map"] * 4


@pytest.mark.rule("TURN-013", "IND-002")
def test_a_policy_of_this_turn_produces_from_the_next() -> None:
    # light at 50% and heavy at 75% of 200 workers: one run a turn either way
    w = SmallWorld(height=12, width=12)
    w.cell(5, 5, terrain="metropolis", owner=0, population=200, capital=True)
    w.cell(6, 5, terrain="factory", owner=0, level=30)
    w.nation(0, funds=1000, food=500, steel=50, production=1, shares=[0, 100, 0])
    w.order(0, "industrial_policy", amount=1)
    w.run(1)  # light: 200 workers, floor(200 * 50 / 10000) = 1 run: 2 food in, no steel
    assert w.nation(0).steel == 50 and w.nation(0).ammo == 0 and w.nation(0).goods >= 1
    w.run(1)  # heavy: floor(200 * 75 / 10000) = 1 run: 2 steel in, goods and ammo out
    assert w.nation(0).steel == 48 and w.nation(0).ammo >= 1


@pytest.mark.rule("IND-002")
def test_the_delay_of_a_policy_is_a_constant() -> None:
    w = SmallWorld(height=12, width=12, nations=1, turn=59, rules={"policy.delay": 3})
    w.cell(5, 5, terrain="town", owner=0, population=40, capital=True)
    w.nation(0, funds=1000, food=500, production=1)
    w.order(0, "industrial_policy", amount=1)  # in turn 60: in force from turn 63
    w.run(3)
    assert (w.turn, w.nation(0).policy) == (62, "light")
    w.run(1)
    assert (w.turn, w.nation(0).policy) == (63, "heavy")


@pytest.mark.rule("TURN-037")
def test_the_statistics_of_a_turn_count_what_grew_in_it() -> None:
    season = Season.new("duel", seed=4, agents="idle")
    season.run(until=3)
    towns = season.world.cells["population"]
    for n in range(2):
        people = int(towns[season.world.cells["owner"] == n].sum())
        row = season.statistics.row(3)
        assert row is not None and row.values[n][1] == people > 100
