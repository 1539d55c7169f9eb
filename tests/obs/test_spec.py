"""The observation's arrays: shapes, ranges, what stands where."""

import pickle
from typing import Any

import numpy as np
import pytest

from hakoenv.engine.kernel import compiled_kernels
from hakoenv.engine.season import Season
from hakoenv.engine.world import copy_world
from hakoenv.obs import pieces
from hakoenv.obs.arrays import common
from hakoenv.obs.spec import Spec
from hakoenv.obs.text import text
from hakoenv.ruleset import load_ruleset
from hakoenv.testing import SmallWorld

BOTH = ("cells", "planes")


def filled(w: SmallWorld, **settings: Any) -> tuple[Spec, dict[str, np.ndarray]]:
    w.phase("sightings")
    spec = Spec(w.ruleset, w.nations, **({"views": BOTH} | settings))
    buffers = spec.buffers()
    spec.fill(w.world, w.rules, buffers)
    return spec, buffers


def row(buffers: dict[str, np.ndarray], piece: str, *where: int) -> dict[str, int]:
    """One record of a nation as names and numbers."""
    record = pieces.RECORDS[piece]
    return dict(zip(record.names, buffers[piece][where].tolist(), strict=True))


def cell(spec: Spec, buffers: dict[str, np.ndarray], nation: int, x: int, y: int) -> dict[str, int]:
    """The listed cell at (x, y)."""
    rows = buffers["cells"][nation]
    (found,) = rows[(rows[:, 0] == 1) & (rows[:, 1] == x) & (rows[:, 2] == y)]
    return dict(zip(spec.cell_features, found.tolist(), strict=True))


def two_nations() -> SmallWorld:
    w = SmallWorld(height=9, width=9, nations=3, turn=50)
    w.cell(2, 4, terrain="town", owner=0, population=50, capital=True)
    w.cell(3, 4, terrain="farm", owner=0, level=12)
    w.cell(4, 4, terrain="mountain", owner=None, deposit="coal")
    w.cell(5, 4, terrain="town", owner=2, population=30, capital=True)
    w.cell(3, 5, terrain="plains", owner=2)
    w.nation(0, funds=1234, food=500)
    return w


@pytest.mark.parametrize("scenario", ["duel", "skirmish", "season", "grand"])
def test_shapes_are_the_same_in_all_scenarios_but_for_planes(scenario: str) -> None:
    def shapes(name: str) -> dict[str, tuple[int, ...]]:
        ruleset = load_ruleset(name)
        return {p.name: p.shape for p in Spec(ruleset, ruleset.nations, BOTH).pieces if p.name != "planes"}

    assert shapes(scenario) == shapes("season")
    assert shapes("season")["cells"] == (256, len(pieces.CELL))


def test_every_turn_of_a_season_lies_in_its_space() -> None:
    season = Season.new("duel", seed=3, agents="rule_ai")
    spec = Spec(season.ruleset, 2, BOTH)
    space, buffers = spec.space(), spec.buffers()
    while True:
        spec.fill(season.world, season.rules, buffers)
        for nation in range(2):
            assert space.contains(spec.of(buffers, nation)), season.turn
        if season.ended:
            break
        season.play_turn()
    assert season.turn > 60


@pytest.mark.parametrize("seed", range(12))
def test_so_does_every_random_world(make_random_world: Any, seed: int) -> None:
    w = make_random_world(seed)
    spec, buffers = filled(w)
    for nation in range(3):
        assert spec.space().contains(spec.of(buffers, nation))


def test_extremes_lie_in_the_space() -> None:
    w = two_nations()
    w.world.nations["treasury"][0] = 10**12
    w.world.nations["treasury"][2] = -(10**12)
    w.world.nations["private"] = 2**50
    w.world.nations["power_score"] = 2**40
    w.world.nations["reserves"] = w.world.nations["deployed"] = 2**31 - 1
    w.world.accounts[:] = -(2**45)
    w.world.private_accounts[:] = 2**50
    for name in ("prices", "targets", "export_caps", "wanted", "planned", "payments", "household_sales"):
        w.world.nations[name] = 2**50
    for name in ("industry_value", "commerce_value"):
        w.world.nations[name] = -(2**50)
    w.world.market["price"] = 2**50
    w.world.nations["plan_length"], w.world.nations["result_count"] = 50, 51
    for array in (w.world.plans, w.world.results):
        array["amount"], array["command"], array["x"], array["y"] = 2**62, 2**31 - 1, -(2**31), 2**31 - 1
        array["turn"] = w.turn
    spec = Spec(w.ruleset, 3, BOTH)
    buffers = spec.buffers()
    for turn in (0, 50, 2**30):
        w.world.clock["turn"] = turn
        spec.fill(w.world, w.rules, buffers)
        assert all(space_holds(spec, buffers, n) for n in range(3))
    assert row(buffers, "stocks", 0, 9)["treasury"] == 2**31 - 1
    assert row(buffers, "stocks", 2, 9)["treasury"] == -(2**31)


def space_holds(spec: Spec, buffers: dict[str, np.ndarray], nation: int) -> bool:
    return bool(spec.space().contains(spec.of(buffers, nation)))


def test_nobody_there_gets_whole_arrays_too() -> None:
    w = two_nations()
    w.nation(1)  # alive, without a cell
    w.world.nations["alive"][2], w.world.nations["fell"][2] = 0, 48
    spec, buffers = filled(w)
    for n in range(3):
        assert space_holds(spec, buffers, n)
    assert row(buffers, "counts", 2)["cells"] == 0 and not buffers["cells"][2].any()
    assert (buffers["cell_index"][2] == -1).all()
    assert row(buffers, "nations", 0, 2)["fallen_for"] == 2  # nation 2 is at place 2 of nation 0


def test_buffers_hold_nothing_of_an_earlier_fill() -> None:
    w = two_nations()
    w.unit(2, "infantry", 4, 4)
    w.unit(0, "armor", 2, 4)
    w.ship(0, "destroyer", 2, 2)
    w.order(0, "farm", 3, 5)
    spec, used = filled(w)
    empty = SmallWorld(height=9, width=9, nations=3, turn=50)
    _, fresh = filled(empty)
    spec.fill(empty.world, empty.rules, used)
    assert all(used[name].tobytes() == fresh[name].tobytes() for name in fresh)


def test_no_array_is_the_engines() -> None:
    w = two_nations()
    spec, buffers = filled(w)
    before = copy_world(w.world)
    for array in buffers.values():
        assert not any(np.shares_memory(array, part) for part in w.world)
        array[...] = 99 if array.dtype != np.int8 else 9
    assert all(a.tobytes() == b.tobytes() for a, b in zip(before, w.world, strict=True))
    spec.fill(w.world, w.rules, buffers)
    assert all(buffers[name].tobytes() == array.tobytes() for name, array in filled(w)[1].items())


def test_a_list_without_room_for_all_leaves_no_trace() -> None:
    """The marks of one nation's list must be gone before the next list is made."""
    w = large_nation(rows=15)
    w.cell(3, 14, terrain="town", owner=1, population=5, capital=True)
    w.world.nations["alive"] = 1
    spec, buffers = filled(w, views="cells")
    assert row(buffers, "counts", 0)["cells_left_out"] == 30 * 15 - 1 - 256
    assert row(buffers, "counts", 1)["cells"] == 7  # its town and what lies around
    again = spec.buffers()
    spec.fill(w.world, w.rules, again)
    assert all(again[name].tobytes() == buffers[name].tobytes() for name in buffers)


def test_own_columns_named_as_a_field_show_it() -> None:
    w = two_nations()
    names = common(pieces.own_record, w.world.nations.dtype)
    assert {"towns", "famine", "research_branch"} <= set(names)
    assert "power_score" not in names  # eight bytes, which a column has not
    for k, name in enumerate(names):
        w.world.nations[name][0] = k % 100
    w.world.nations["alive"][0] = w.world.nations["famine"][0] = 1
    w.world.nations["faction"][0] = 3  # there are 8
    spec = Spec(w.ruleset, 3)
    buffers = spec.buffers()
    spec.fill(w.world, w.rules, buffers)
    own = row(buffers, "own", 0)
    assert {name: own[name] for name in names} == {name: int(w.world.nations[name][0]) for name in names}


def test_a_spec_pickles_and_fills_the_same() -> None:
    w = two_nations()
    spec, buffers = filled(w)
    again = pickle.loads(pickle.dumps(spec))
    other = again.buffers()
    again.fill(w.world, w.rules, other)
    assert again.space() == spec.space()
    assert all(other[name].tobytes() == buffers[name].tobytes() for name in buffers)


def test_the_list_of_cells_says_what_is_there() -> None:
    w = two_nations()
    w.world.nations["capital"][0] = 4 * 9 + 2
    w.order(0, "farm", 3, 5)
    w.order(0, "mine", 4, 4)
    w.order(0, "plant_forest", 8, 8)
    w.unit(2, "armor", 4, 4, strength=33)
    spec, buffers = filled(w)
    town, farm, coal = (cell(spec, buffers, 0, x, 4) for x in (2, 3, 4))
    assert buffers["cell_index"][0, 0] == 4 * 9 + 2  # the capital comes first
    assert town["capital"] == 1 and town["population"] == 50 and town["owner"] == 0 and town["distance"] == 0
    assert farm["level"] == 12 and farm["distance"] == 1
    # around (3, 4), an even row: (3,3) (2,3) (2,5) sea, (2,4) own, (4,4) mountain, (3,5) nation 2's plains
    around = ("own_beside", "foreign_beside", "free_land_beside", "water_beside", "mountains_beside")
    assert [farm[name] for name in around] == [1, 1, 1, 3, 1]
    assert coal["owner"] == -1 and coal["deposit"] == 3 and coal["planned"] == 2 and coal["sees_units"] == 1
    assert (coal["unit_owner"], coal["unit_type"], coal["unit_strength"]) == (2, 2, 33)
    theirs = cell(spec, buffers, 0, 3, 5)
    assert (theirs["owner"], theirs["foreign"], theirs["planned"]) == (2, 1, 1)
    assert cell(spec, buffers, 0, 8, 8)["planned"] == 3  # the plan names it, so it is listed
    assert cell(spec, buffers, 2, 5, 4)["owner"] == 0  # everybody is place 0 to itself
    assert cell(spec, buffers, 2, 3, 4)["owner"] == 1  # nation 0, seen from nation 2 of three
    listed = row(buffers, "counts", 0)["cells"]
    assert (buffers["cell_index"][0, :listed] >= 0).all() and (buffers["cell_index"][0, listed:] == -1).all()
    assert len(set(buffers["cell_index"][0, :listed].tolist())) == listed


def large_nation(rows: int) -> SmallWorld:
    """Nation 0 owns the upper rows of a map, 30 cells each; below is sea."""
    w = SmallWorld(height=30, width=30, nations=2, turn=1)
    for i in range(30 * rows):
        w.cell(i % 30, i // 30, terrain="plains", owner=0)
    return w


def test_a_large_nation_sees_all_its_cells_in_turn() -> None:
    w = large_nation(rows=20)
    w.cell(29, 19, terrain="town", owner=0, population=9, capital=True)
    seen: set[int] = set()
    for turn in range(1, 9):
        w.world.clock["turn"] = turn
        _, buffers = filled(w, views="cells")
        index = buffers["cell_index"][0]
        assert index[0] == 19 * 30 + 29 and (index >= 0).all() and len(set(index.tolist())) == 256
        seen |= set(index.tolist())
    assert seen >= set(range(600))
    # turn 8 shows the own cells from the (8 * 192 - 2 * 600 = 336)th on: rows 11 to 17, and the capital; of
    # the sea below row 19 one cell lies beside those: 600 + 1 are of interest, 256 are listed
    assert row(buffers, "counts", 0)["cells_left_out"] == 601 - 256


def test_planes_and_cells_tell_the_same(make_random_world: Any) -> None:
    for seed in range(5):
        spec, buffers = filled(make_random_world(seed), cells="all")
        for n in range(3):
            planes = dict(
                zip(spec.plane_names, buffers["planes"][n].reshape(len(spec.plane_names), -1), strict=True)
            )
            cells = dict(zip(spec.cell_features, buffers["cells"][n].T, strict=True))
            for name in ("terrain", "base", "deposit", "climate", "weather", "tunnel", "sees_units",
                         "sees_warships", "capital", "unit_strength", "ship_class", "ship_hp", "hits",
                         "missile_range", "missile_shots", "planned"):  # fmt: skip
                assert (planes[name] == cells[name]).all(), name
            assert (planes["population"] == cells["population"] // 2).all()
            assert (planes["level"] == np.minimum(cells["level"], 255)).all()
            assert (planes["pile"] == np.minimum(cells["pile"] // 4, 255)).all()
            assert (planes["owner"] == cells["owner"] + 1).all()
            assert (planes["unit_owner"] == cells["unit_owner"] + 1).all()
            ships = cells["ship_owner"]
            assert (planes["ship_owner"] == np.where(ships == -1, 255, np.maximum(ships + 1, 0))).all()
            assert (buffers["cell_index"][n] == np.arange(121)).all()


@pytest.mark.rule("CMD-005", "TURN-077")
def test_results_and_plan_are_those_of_the_last_turn() -> None:
    w = two_nations()
    w.order(0, "farm", 4, 4)  # a mountain: refused
    w.order(0, "farm", 3, 4)  # enlarged
    w.order(0, "factory", 3, 5)
    w.run(1)
    _, buffers = filled(w)
    first, second, third = (row(buffers, "results", 0, k) for k in range(3))
    assert (first["command"], first["x"], first["y"]) == (12, 4, 4) and first["reason"] != 0
    assert (second["command"], second["reason"], third["listed"]) == (12, 0, 0)
    plan = row(buffers, "plan", 0, 0)
    assert (plan["listed"], plan["command"], plan["x"], plan["y"]) == (1, 13, 3, 5)
    assert row(buffers, "plan", 0, 1)["listed"] == 0
    w.world.clock["turn"] += 1  # what was done in an earlier turn is not shown again
    _, buffers = filled(w)
    assert not buffers["results"][0].any()


@pytest.mark.rule("SEASON-015", "SEASON-016", "SEASON-017")
def test_others_are_known_by_their_series_and_relation() -> None:
    w = two_nations()
    w.world.nations["reserves"][2] = 70
    w.war(0, 2)
    w.relation(0, 1, state="amity")
    _, buffers = filled(w)
    self_row, first, second = (row(buffers, "nations", 0, k) for k in range(3))
    assert [r["seat"] for r in (self_row, first, second)] == [0, 1, 2]
    assert (second["population"], second["area"], second["strength"]) == (30, 2, 70)
    assert second["power_score"] == int(w.world.nations["power_score"][2])
    assert (second["state"], second["declarer"], first["state"]) == (3, 1, 1)
    assert row(buffers, "nations", 2, 1)["seat"] == 0 and row(buffers, "nations", 2, 1)["declarer"] == 2
    assert buffers["relations"][0, 0, 2] == buffers["relations"][2, 1, 0] == 3
    assert not buffers["nations"][0, 3:].any()


def test_own_means_are_told() -> None:
    w = two_nations()
    w.run(1)
    _, buffers = filled(w)
    own, funds = row(buffers, "own", 0), row(buffers, "stocks", 0, 9)
    nation = w.world.nations[0]
    assert funds["treasury"] == int(nation["treasury"][9])
    assert funds["change"] == funds["treasury"] - 1234 == int(buffers["accounts"][0, 1:, 9].sum())
    assert buffers["accounts"][0, 0, 9] == 1234
    assert own["workers_idle"] == int(nation["town_farmers"])
    assert own["food_turns"] == int(nation["treasury"][8]) // int(nation["rations"])
    assert (own["capital_x"], own["capital_y"], own["seat"]) == (2, 4, 0)


@pytest.mark.rule("MAP-050")
def test_the_generating_capacity_is_that_of_the_plants_as_they_stand() -> None:
    w = two_nations()
    for x, level in ((0, 3), (1, 4)):
        w.cell(x, 0, terrain="power_plant", owner=0, level=level)
    w.cell(8, 8, terrain="power_plant", owner=2, level=10)
    w.cell(7, 8, terrain="power_plant", owner=None, level=5)
    _, buffers = filled(w)
    assert [row(buffers, "own", n)["generating_capacity"] for n in range(3)] == [280, 0, 400]
    assert "Power plants: 280 thousand kW." in text(w.world, w.rules, w.ruleset, 0)
    w.order(0, "power_plant", 1, 0)
    w.run(1)  # 4 becomes 5 in phase 14, after the turn's fuel: 8 levels stand
    _, buffers = filled(w)
    own = row(buffers, "own", 0)
    assert (own["generating_capacity"], own["plant_levels"]) == (320, 7)


def test_forces_are_listed_in_map_order() -> None:
    w = two_nations()
    w.unit(0, "armor", 3, 4, strength=20, corps=5)
    w.unit(0, "infantry", 2, 4)
    index = w.ship(0, "destroyer", 8, 8, hp=3)._where
    w.unit(0, "marines", aboard=index, strength=40)
    w.unit(2, "infantry", 3, 5, strength=9)
    _, buffers = filled(w)
    units = [row(buffers, "units", 0, k) for k in range(3)]
    assert [(u["x"], u["type"], u["listed"]) for u in units] == [(2, 0, 1), (3, 2, 1), (0, 0, 0)]
    ship = row(buffers, "ships", 0, 0)
    assert (ship["x"], ship["hp"], ship["units_aboard"], ship["strength_aboard"]) == (8, 3, 1, 40)
    seen = row(buffers, "sightings", 0, 0)
    assert (seen["what"], seen["owner"], seen["x"], seen["y"], seen["strength"], seen["age"]) == (
        1,
        2,
        3,
        5,
        9,
        0,
    )


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"views": ("maps",)}, "views=('maps',) must be one or more of cells, planes"),
        ({"views": ()}, "views=() must be"),
        ({"cells": "most"}, "cells='most' must be one of list, all"),
        ({"seats": 41}, "seats=41 must lie in 1..40"),
    ],
)
def test_what_can_not_be_is_refused(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError) as caught:
        Spec(load_ruleset("duel"), **({"seats": 2} | settings))
    assert said in str(caught.value)


def test_every_kernel_has_one_signature(make_random_world: Any) -> None:
    before = signature_counts()  # tests that ran earlier may have had reasons for a second one
    for settings in ({"views": "cells"}, {"views": "planes"}, {"cells": "all"}):
        filled(make_random_world(1), **settings)
    assert not [name for name, count in signature_counts().items() if count > max(1, before.get(name, 0))]


def signature_counts() -> dict[str, int]:
    return {
        f"{kernel.py_func.__module__}.{kernel.py_func.__qualname__}": len(kernel.signatures)  # type: ignore[attr-defined]
        for kernel in compiled_kernels()
    }


def test_fills_at_the_same_time_work_in_rooms_of_their_own(
    make_random_world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compiled code lets other threads run, and all texts of a ruleset share one spec."""
    w = make_random_world(1)
    spec = Spec(w.ruleset, w.nations)
    rooms: list[Any] = []

    def interrupted(*arguments: Any) -> None:
        rooms.append(arguments[-1])
        if len(rooms) == 1:  # another thread begins meanwhile
            spec.fill(w.world, w.rules, spec.buffers())

    monkeypatch.setattr("hakoenv.obs.spec.fill", interrupted)
    spec.fill(w.world, w.rules, spec.buffers())
    spec.fill(w.world, w.rules, spec.buffers())
    assert len(rooms) == 3
    assert rooms[0] is not rooms[1]
    assert any(rooms[2] is room for room in rooms[:2])
