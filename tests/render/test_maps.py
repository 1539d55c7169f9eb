"""The map as a large image, as a small array and as text."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from hakoenv.engine import hexgrid
from hakoenv.engine.codes import deposit, terrain
from hakoenv.render import ansi, colours, fonts, hexes, legend, scene, symbols
from hakoenv.render.map_image import draw_map, save_map_png
from hakoenv.render.pixels import rgb_array

HEIGHT, WIDTH = 8, 10


@pytest.mark.rule("MAP-002")
def test_pictures_and_the_engine_agree_on_neighbours() -> None:
    table = hexes.neighbours(HEIGHT, WIDTH)
    for cell in range(HEIGHT * WIDTH):
        assert table[cell].tolist() == [hexgrid.neighbour(WIDTH, HEIGHT, cell, d) for d in range(1, 7)]


@pytest.mark.rule("MAP-002")
def test_odd_rows_lie_half_a_cell_to_the_right_and_neighbours_one_cell_away() -> None:
    place = hexes.layout(HEIGHT, WIDTH, 20.0)
    assert place.centres[WIDTH, 0] - place.centres[0, 0] == 10.0
    for cell, others in enumerate(hexes.neighbours(HEIGHT, WIDTH)):
        inside = others[others >= 0]
        away = np.hypot(*(place.centres[inside] - place.centres[cell]).T)
        assert np.allclose(away, 20.0)


def test_nation_colours_differ() -> None:
    assert len(set(colours.NATIONS)) == len(colours.NATIONS) == 40
    assert colours.of_nation(41) == colours.of_nation(1)


def _oklab(colour: colours.Colour) -> Any:
    c = np.array(colour) / 255
    linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    cones = [[0.41222, 0.53633, 0.05145], [0.21190, 0.68070, 0.10740], [0.08830, 0.28172, 0.62998]]
    axes = [[0.21045, 0.79362, -0.00407], [1.97800, -2.42859, 0.45059], [0.02590, 0.78277, -0.80868]]
    return np.array(axes) @ np.cbrt(np.array(cones) @ linear)


def _apart(a: colours.Colour, b: colours.Colour) -> float:
    return float(np.linalg.norm(_oklab(a) - _oklab(b)))


def test_every_nation_stands_out_from_the_sea() -> None:
    for number in range(len(colours.NATIONS)):
        for water in (colours.SEA, colours.SEA_AT_COAST, colours.SHALLOWS):
            assert _apart(colours.of_land(number), water) >= 0.1
            assert _apart(colours.of_nation(number), water) >= 0.16
            assert number > 7 or _apart(colours.of_land(number), water) >= 0.12


def test_nations_stand_apart() -> None:
    pairs = [(a, b) for a in range(40) for b in range(a)]
    assert min(_apart(colours.of_nation(a), colours.of_nation(b)) for a, b in pairs) >= 0.06


def test_every_terrain_of_the_map_has_a_symbol_a_glyph_and_a_word() -> None:
    plain = {terrain.SEA, terrain.PLAINS}
    on_ships = set(range(terrain.DESTROYER, terrain.CRUISE_SHIP + 1)) | {terrain.FISHING_BOAT}
    words = dict(legend.SYMBOLS)
    for number in set(range(terrain.COUNT)) - on_ships:
        assert number in ansi.GLYPHS
        name = symbols.name_of(number, 0, 0, (30, 100))
        if number not in plain:
            assert name is not None
            assert symbols.stamp(name, 20).getchannel("A").getbbox() is not None
            assert name in words or name == "shallows"
    glyphs = [glyph for glyph, _ in ansi.GLYPHS.values()]
    assert len(set(glyphs)) == len(glyphs)


@pytest.mark.rule("MAP-016")
@pytest.mark.parametrize(
    ("population", "name"), [(29, "village"), (30, "small_town"), (99, "small_town"), (100, "city")]
)
def test_a_town_is_drawn_as_village_town_or_city(island: Any, population: int, name: str) -> None:
    world, rules = island
    world.cells["population"][world.cells["terrain"] == terrain.TOWN] = population
    assert {"village", "small_town", "city"} & set(legend.symbols_shown(scene.look(world, rules))) == {
        name,
        "small_town",
    }


def test_the_large_map_has_many_colours_and_the_size_of_its_cells(island: Any) -> None:
    world, rules = island
    image = draw_map(world, rules, scale=20)
    assert image.mode == "RGB"
    assert image.width == int(np.ceil(10.5 * 20)) + 1 + 2 * 26 + legend.WIDTH
    assert len(image.getcolors(1 << 24) or []) > 10


def test_a_season_map_is_1600_to_1900_pixels_wide() -> None:
    assert 1600 <= 1450 + 2 * 26 + legend.WIDTH <= 1900


def test_the_same_world_gives_the_same_picture(island: Any, tmp_path: Path) -> None:
    world, rules = island
    for name in ("a.png", "b.png"):
        save_map_png(world, rules, tmp_path / name, scale=14, title="島 test")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
    with Image.open(tmp_path / "a.png") as image:
        assert image.format == "PNG"


def test_labels_and_titles_change_the_picture(island: Any) -> None:
    world, rules = island
    plain = draw_map(world, rules, scale=20, labels=False)
    assert plain.tobytes() != draw_map(world, rules, scale=20, names=["青葉国 Aoba"] * 3).tobytes()


@pytest.mark.rule("MAP-025")
def test_a_foreign_depot_leaves_no_trace_in_any_picture(island: Any) -> None:
    world, rules = island
    with_depot = (
        draw_map(world, rules, 16, viewer=1),
        rgb_array(world, rules, 1),
        ansi.ansi_map(world, rules, viewer=1),
    )
    world.cells["terrain"][3, 3] = terrain.FOREST
    without = (
        draw_map(world, rules, 16, viewer=1),
        rgb_array(world, rules, 1),
        ansi.ansi_map(world, rules, viewer=1),
    )
    assert with_depot[0].tobytes() == without[0].tobytes()
    assert np.array_equal(with_depot[1], without[1])
    assert with_depot[2] == without[2]


@pytest.mark.rule("MAP-017")
@pytest.mark.rule("MAP-018")
@pytest.mark.parametrize("kind", range(1, deposit.COUNT))
def test_a_deposit_shows_its_kind(island: Any, kind: int) -> None:
    world, rules = island
    world.cells["terrain"][3, 6] = terrain.WASTELAND if kind == deposit.OIL else terrain.MOUNTAIN
    bare = draw_map(world, rules, 24, viewer=0).tobytes()
    world.cells["deposit"][3, 6] = kind
    image = draw_map(world, rules, 24, viewer=0)
    assert image.tobytes() != bare
    assert colours.DEPOSITS[kind] in {colour for _, colour in image.getcolors(1 << 24) or []}


def test_legend_counts_land_and_people_and_puts_the_fallen_last(island: Any) -> None:
    world, rules = island
    world.cells["population"][4, 5] = 90
    rows = legend.rows(world, rules, scene.look(world, rules), ["a", "b", "c"])
    assert [tuple(row) for row in rows] == [
        (1, "b", 8, 90, 0, False), (0, "a", 8, 40, 0, False), (2, "c", 0, 0, 12, False),
    ]  # fmt: skip


def test_legend_of_the_truth_goes_by_rank_and_marks_the_winner(island: Any) -> None:
    world, rules = island
    world.cells["population"][4, 5] = 90
    world.nations["area"][:2] = 8
    world.nations["population"][:2] = (40, 90)
    world.nations["winner"][0] = 1
    view = scene.look(world, rules)
    ranked = legend.rows(world, rules, view, ["a", "b", "c"], ranked=True)
    assert [(row.nation, row.winner) for row in ranked] == [(0, True), (1, False), (2, False)]
    world.nations["winner"][0] = 0
    assert [row.nation for row in legend.rows(world, rules, view, ["a", "b", "c"], ranked=True)] == [1, 0, 2]


def test_legend_explains_plains_and_every_deposit_on_the_map(island: Any) -> None:
    world, rules = island
    panel = legend.contents([], scene.look(world, rules))
    assert {"平地 plains", "海 sea", "浅瀬 shallows", "首都 capital"} <= {
        entry.words for entry in panel.terrain
    }
    assert panel.deposits == []
    world.cells["deposit"][2, 6] = deposit.COAL
    panel = legend.contents([], scene.look(world, rules))
    assert [entry.words for entry in panel.deposits] == ["石炭 coal"]


def test_words_of_the_legend_fit_their_column_at_the_common_size() -> None:
    room = (legend.WIDTH - 28) // 2 - 25 - 6
    for _, words in (*legend.SYMBOLS, *legend.MARKS, *legend.DEPOSITS):
        assert fonts.load(legend._TEXT).getlength(words) <= room, words


def test_wrong_arguments_are_refused_with_their_names(island: Any) -> None:
    world, rules = island
    with pytest.raises(ValueError, match="names has 1 entries, the world has 3 nations"):
        draw_map(world, rules, names=["one"])
    with pytest.raises(ValueError, match="scale=3 is too small"):
        draw_map(world, rules, scale=3)
    with pytest.raises(ValueError, match="cell=2 is too small"):
        rgb_array(world, rules, cell=2)


def test_rgb_array_is_a_fresh_uint8_frame(island: Any) -> None:
    world, rules = island
    frame = rgb_array(world, rules)
    assert frame.dtype == np.uint8
    assert frame.shape == (
        hexes.layout(HEIGHT, WIDTH, 8.0).size[1],
        hexes.layout(HEIGHT, WIDTH, 8.0).size[0],
        3,
    )
    assert len(np.unique(frame.reshape(-1, 3), axis=0)) > 10
    again = rgb_array(world, rules)
    assert np.array_equal(frame, again)
    assert not np.shares_memory(frame, again)


def test_rgb_array_paints_a_cell_in_its_owners_tint_and_its_border_dark(island: Any) -> None:
    world, rules = island
    place = hexes.layout(HEIGHT, WIDTH, 12.0)
    frame = rgb_array(world, rules, cell=12)
    x, y = place.centres[3 * WIDTH + 4].astype(int)  # nation 1's cell east of nation 0's
    expected = np.array(colours.PLAINS) * 0.4 + np.array(colours.of_nation(1)) * 0.6
    assert np.abs(frame[y, x].astype(int) - expected).max() <= 1
    west = frame[y, x - 6].astype(int), frame[y, x - 5].astype(int)
    assert any(pixel.sum() < frame[y, x].sum() * 0.8 for pixel in west)


def test_ansi_map_has_a_line_a_row_and_two_characters_a_cell(island: Any) -> None:
    world, rules = island
    lines = ansi.ansi_map(world, rules, colour=False).split("\n")
    assert len(lines) == HEIGHT
    assert {len(line) for line in lines} == {2 * WIDTH + 1}
    assert lines[2] == "    %A%A.B.B. .      "
    assert lines[3] == "     %AdA.B.B. .     "
    assert lines[4][4:12] == "*A%A.B*B"


def test_ansi_colours_change_no_character(island: Any) -> None:
    world, rules = island
    island.put_unit(0, 6, 2)
    coloured = ansi.ansi_map(world, rules)
    assert "\x1b[38;2;" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == ansi.ansi_map(world, rules, colour=False)
    assert ansi.ansi_map(world, rules, colour=False).split("\n")[2][12] == ansi.UNIT


def test_ansi_key_names_every_glyph() -> None:
    for glyph, meaning in ansi.GLYPHS.values():
        assert glyph == " " or f"{glyph} {meaning}" in ansi.ansi_key()


def test_drawing_needs_no_display_module() -> None:
    code = (
        "import sys; from hakoenv.render import ansi, curves, map_image, pixels\n"
        "wrong = {'tkinter', 'pygame', 'matplotlib', 'PyQt5', 'PyQt6'} & set(sys.modules)\n"
        "sys.exit(repr(wrong) if wrong else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
