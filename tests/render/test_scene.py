"""What a picture may show to whom."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hakoenv.engine.codes import terrain
from hakoenv.engine.navy import wrecks
from hakoenv.render import ansi, scene
from hakoenv.render.map_image import draw_map, rgb_array

HEIGHT, WIDTH = 8, 10

DEPOT = 3 * WIDTH + 3


@pytest.mark.rule("MAP-025")
@pytest.mark.parametrize("viewer", [1, "public"])
def test_a_foreign_depot_looks_like_any_forest(island: Any, viewer: scene.Viewer) -> None:
    world, rules = island
    seen = scene.look(world, rules, viewer)
    assert seen.terrain[DEPOT] == terrain.FOREST
    assert seen.level[DEPOT] == seen.level[DEPOT - WIDTH]


@pytest.mark.rule("MAP-025")
def test_the_owner_and_the_truth_see_the_depot(island: Any) -> None:
    world, rules = island
    assert scene.look(world, rules, 0).terrain[DEPOT] == terrain.DEPOT
    assert scene.look(world, rules).terrain[DEPOT] == terrain.DEPOT


@pytest.mark.rule("MAP-026")
def test_a_foreign_seabed_base_looks_like_ownerless_sea(island: Any) -> None:
    world, rules = island
    world.cells["terrain"][0, 0] = terrain.SEABED_BASE
    world.cells["owner"][0, 0] = 0
    views: list[tuple[scene.Viewer, int, int]] = [
        (0, terrain.SEABED_BASE, 0),
        (1, terrain.SEA, -1),
        ("public", terrain.SEA, -1),
    ]
    for viewer, number, owner in views:
        seen = scene.look(world, rules, viewer)
        assert (seen.terrain[0], seen.owner[0]) == (number, owner)


@pytest.mark.rule("MAP-019")
def test_an_oil_field_on_land_lies_on_wasteland_and_one_at_sea_on_sea(island: Any) -> None:
    world, rules = island
    world.cells["terrain"][2, 7] = world.cells["terrain"][0, 0] = terrain.OFFSHORE_OIL
    world.cells["below"][2, 7] = terrain.WASTELAND
    ground = scene.look(world, rules).ground
    assert ground[2 * WIDTH + 7] == terrain.WASTELAND
    assert ground[0] == terrain.SEA


def test_a_nation_does_not_see_units_far_from_its_land(island: Any) -> None:
    world, rules = island
    world.cells["owner"][2:6, 4:6] = -1
    world.cells["owner"][0, 9] = 1  # nation 1 holds one far cell only
    island.put_unit(0, 2, 5)
    assert (scene.look(world, rules, 1).unit_owner == -1).all()
    assert (scene.look(world, rules, "public").unit_owner == -1).all()
    assert scene.look(world, rules, 0).unit_owner[5 * WIDTH + 2] == 0
    assert scene.look(world, rules).unit_owner[5 * WIDTH + 2] == 0


@pytest.mark.rule("ARMY-002", "ARMY-058")
def test_strength_is_shown_with_a_unit_and_its_corps_to_its_nation_only(island: Any) -> None:
    world, rules = island
    island.put_unit(0, 3, 4)  # beside nation 1's land
    world.units["corps"] = 5
    world.corps["colour"][0, 5] = 17
    at = 4 * WIDTH + 3
    for viewer, strength, colour in ((0, 30, 17), (1, 30, -1), (None, 30, 17), ("public", 0, -1)):
        seen = scene.look(world, rules, viewer)
        assert (seen.unit_strength[at], seen.unit_colour[at]) == (strength, colour)
        assert seen.unit_colour[at + 1] == -1 and seen.unit_strength[at + 1] == 0


@pytest.mark.parametrize(("kind", "shown"), [(1, 0), (6, 6)])
def test_the_public_map_shows_merchants_but_no_warships(island: Any, kind: int, shown: int) -> None:
    world, rules = island
    island.put_ship(0, kind, 9, 0)
    assert scene.look(world, rules, "public").ship_kind[9] == shown
    assert scene.look(world, rules).ship_kind[9] == kind


@pytest.mark.rule("NAVY-042")
@pytest.mark.parametrize("viewer", [0, 1, "public", None])
def test_wrecks_are_shown_to_everybody_in_every_picture(island: Any, viewer: scene.Viewer) -> None:
    world, rules = island
    before = draw_map(world, rules, 16, viewer=viewer), rgb_array(world, rules, viewer)
    assert "+" not in ansi.ansi_map(world, rules, False, viewer)
    wrecks.leave(world, 9, 3)
    assert np.flatnonzero(scene.look(world, rules, viewer).wreck).tolist() == [9]
    assert before[0].tobytes() != draw_map(world, rules, 16, viewer=viewer).tobytes()
    assert not np.array_equal(before[1], rgb_array(world, rules, viewer))
    assert ansi.ansi_map(world, rules, False, viewer).split("\n")[0][18] == "+"


@pytest.mark.rule("NAVY-020", "NMINE-012")
def test_shallows_and_foreign_mines_out_of_sight_are_drawn_as_sea(island: Any) -> None:
    world, rules = island
    world.cells["terrain"][0, 0], world.cells["owner"][0, 0] = terrain.NAVAL_MINE, 1
    world.cells["terrain"][0, 9] = terrain.SHALLOWS
    shallows = 6 * WIDTH + 2  # beside nation 0's land
    for viewer, mine, far, near in (
        (0, terrain.SEA, terrain.SEA, terrain.SHALLOWS),
        (1, terrain.NAVAL_MINE, terrain.SEA, terrain.SEA),
        ("public", terrain.SEA, terrain.SEA, terrain.SEA),
        (None, terrain.NAVAL_MINE, terrain.SHALLOWS, terrain.SHALLOWS),
    ):
        seen = scene.look(world, rules, viewer)
        assert [seen.terrain[at] for at in (0, 9, shallows)] == [mine, far, near]


def test_a_nation_is_shown_only_its_own_capital(island: Any) -> None:
    world, rules = island
    assert scene.look(world, rules, 1).capital.tolist() == [-1, 4 * WIDTH + 5, -1]
    assert scene.look(world, rules, "public").capital.tolist() == [-1, -1, -1]
    assert scene.look(world, rules).capital.tolist() == [4 * WIDTH + 2, 4 * WIDTH + 5, -1]


@pytest.mark.parametrize("viewer", [-1, 3, "truth"])
def test_a_viewer_who_is_nobody_is_refused(island: Any, viewer: scene.Viewer) -> None:
    world, rules = island
    with pytest.raises(ValueError, match=r"viewer=.* is no nation: use 0\.\.2"):
        scene.look(world, rules, viewer)


def test_looking_changes_nothing(island: Any) -> None:
    world, rules = island
    before = [array.copy() for array in world]
    scene.look(world, rules, 1)
    scene.look(world, rules)
    assert all(np.array_equal(a, b) for a, b in zip(world, before, strict=True))
