"""Fishing grounds: where a new world has them, how they regrow; fish farms (FISH-005)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hakoenv.engine import hexgrid, mapgen
from hakoenv.engine.codes import deposit, terrain
from hakoenv.engine.mapgen import grounds
from hakoenv.engine.world import World, new_world
from hakoenv.ruleset import load_ruleset
from hakoenv.testing import SmallWorld

WATERS = (terrain.SEA, terrain.SHALLOWS)


def drawn(seed: int, **rules: Any) -> World:
    """The map of a seed of the scenario for two."""
    ruleset = load_ruleset("duel", {f"fishing.{name}": value for name, value in rules.items()})
    world = new_world(int(ruleset["map.width"]), int(ruleset["map.height"]), 2, seed)
    mapgen.generate(world, ruleset.rules)
    return world


def away_from_land(world: World) -> np.ndarray:
    """How far each cell lies from the nearest land."""
    width = world.cells.shape[1]
    ground = world.cells["terrain"].reshape(-1)
    land = np.flatnonzero(~np.isin(ground, WATERS)).tolist()
    return np.array(
        [min(hexgrid.distance(width, cell, other) for other in land) for cell in range(len(ground))]
    )


@pytest.mark.rule("FISH-005", "MAP-051")
def test_as_many_as_the_share_of_deep_sea_far_from_land_and_full() -> None:
    world = drawn(3)
    cells = world.cells.reshape(-1)
    sea = int((cells["terrain"] == terrain.SEA).sum())
    placed = world.grounds[world.grounds["cell"] >= 0]
    where = placed["cell"]
    assert len(placed) == sea * 15 // 1000 > 0
    assert len(set(where.tolist())) == len(where) and (np.diff(where) > 0).all()
    assert (cells["terrain"][where] == terrain.SEA).all() and (cells["deposit"][where] == deposit.NONE).all()
    assert (away_from_land(world)[where] >= 3).all()
    assert (placed["fish"] == 400).all() and not world.grounds["fish"][len(placed) :].any()


@pytest.mark.rule("FISH-005")
def test_no_more_than_there_are_such_cells_or_places() -> None:
    """Far out are only few cells, all of which are taken; nearer the list is full."""
    world = drawn(3, ground_share=100.0, ground_distance_min=3)
    assert (world.grounds["cell"] >= 0).all()
    away = away_from_land(world)
    cells = world.cells.reshape(-1)
    fit = (cells["terrain"] == terrain.SEA) & (cells["deposit"] == deposit.NONE)
    least = next(k for k in range(3, 99) if (fit & (away >= k)).sum() <= len(world.grounds))
    world = drawn(3, ground_share=100.0, ground_distance_min=least)
    placed = world.grounds["cell"][world.grounds["cell"] >= 0]
    assert placed.tolist() == np.flatnonzero(fit & (away >= least)).tolist()


@pytest.mark.rule("FISH-005")
def test_only_sea_without_a_deposit() -> None:
    """Of 36 cells of an open sea all hold oil or are shallow but three."""
    w = SmallWorld(6, 6, 1, rules={"fishing.ground_share": 100.0})
    free = [3, 14, 30]
    for cell in range(36):
        if cell not in free:
            w.cell(cell % 6, cell // 6, **({"deposit": "oil"} if cell % 2 else {"terrain": "shallows"}))
    grounds.strew(w.world, w.rules)
    assert w.world.grounds["cell"].tolist() == free + [-1] * (len(w.world.grounds) - 3)


@pytest.mark.rule("FISH-005", "MAP-051")
def test_they_change_nothing_else_of_a_map() -> None:
    with_them, without = drawn(5), drawn(5, ground_share=0.0)
    assert (with_them.grounds["cell"] >= 0).any() and (without.grounds["cell"] == -1).all()
    for name in World._fields:
        if name != "grounds":
            assert getattr(with_them, name).tobytes() == getattr(without, name).tobytes()
    assert drawn(5).grounds.tobytes() == with_them.grounds.tobytes()
    assert drawn(6).grounds.tobytes() != with_them.grounds.tobytes()


@pytest.mark.rule("FISH-005", "TURN-007")
@pytest.mark.parametrize(
    ("fish", "after"), [(394, 400), (392, 400), (300, 308), (0, 8), (400, 400), (450, 450)]
)
def test_a_ground_regains_8_a_turn_up_to_400(fish: int, after: int) -> None:
    w = SmallWorld(6, 6, 1)
    w.cell(2, 2, fish_stock=fish)
    w.phase("natural_stock")
    assert w.cell(2, 2).fish_stock == after
    assert (w.world.grounds["fish"][1:] == 0).all()


@pytest.mark.rule("FISH-005")
def test_grounds_regrow_in_phase_6_only() -> None:
    w = SmallWorld(6, 6, 1)
    w.cell(2, 2, fish_stock=10)
    for name in ("turn_state", "hex_growth", "ordinary_ships", "shipping_plan"):
        w.phase(name)
    assert w.cell(2, 2).fish_stock == 10


@pytest.mark.rule("FISH-005")
def test_a_farm_feeds_its_nation_without_workers_or_fuel() -> None:
    """10 food a level: 30 and 10 for nation 0, 50 for nation 1, whoever works and whatever fuel lacks."""
    w = SmallWorld(9, 9, 2, rules={"fuel.start_turn": 1})
    w.cell(1, 1, terrain="fish_farm", owner=0, level=3)
    w.cell(5, 5, terrain="fish_farm", owner=0, level=1)
    w.cell(7, 7, terrain="fish_farm", owner=1, level=5)
    w.phase("income")
    assert (w.nation(0).food, w.nation(1).food) == (40, 50)
    assert (w.nation(0).private_food, w.world.nations[0]["food_made"]) == (0, 40)


@pytest.mark.rule("FISH-005", "RES-005")
def test_farmed_food_is_own_production_for_the_rot() -> None:
    """What lies above a multiple of the own production rots: with a farm of 30 a turn more may lie."""
    left = []
    for level in (0, 3):
        w = SmallWorld(9, 9, 1)
        if level:
            w.cell(1, 1, terrain="fish_farm", owner=0, level=level)
        w.nation(0, food=1000)
        w.phase("income")
        w.phase("consumption")
        left.append(int(w.nation(0).food) - 10 * level)
    multiple, percent = w.ruleset["food.rot_multiple"], w.ruleset["food.rot_percent"]
    assert left[0] == 1000 - 1000 * percent // 100
    assert left[1] == 1000 - max(0, 1030 - 30 * multiple) * percent // 100 > left[0]
