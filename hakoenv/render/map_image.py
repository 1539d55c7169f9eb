"""The large map as an image: terrain, nations, capitals and a legend."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

from hakoenv.engine import names as nation_name
from hakoenv.engine.codes import terrain
from hakoenv.engine.world import World
from hakoenv.render import colours, fonts, hexes, labels, legend, scene, symbols
from hakoenv.render.colours import Colour
from hakoenv.render.hexes import Layout
from hakoenv.render.pixels import rgb_array
from hakoenv.render.scene import Scene, Viewer
from hakoenv.ruleset.compiled import Rules

__all__ = ["draw_map", "rgb_array", "save_map_png"]

Mask: TypeAlias = NDArray[np.bool_]

_FINE = 2  # the map is drawn this much larger, then reduced
_WIDE = 1450  # pixels of the map itself where no scale is given
_SCALES = (8.0, 44.0)
_HEAD = 50
_EDGE = 26  # room for the coordinates
_WATER_TINT = 0.3
_BAND = 0.74  # where the inner edge of a border band lies between centre and rim
_SHALLOW = (terrain.SHALLOWS, terrain.BREAKWATER, terrain.FISH_FARM)
_MINED = (
    terrain.IRON_MINE,
    terrain.QUARRY,
    terrain.COAL_MINE,
    terrain.OPEN_PIT,
    terrain.URANIUM_MINE,
    terrain.LARGE_MINE,
    terrain.OFFSHORE_OIL,
)


def draw_map(
    world: World,
    rules: Rules,
    scale: float | None = None,
    labels: bool = True,
    names: Sequence[object] | None = None,
    title: str | None = None,
    viewer: Viewer = None,
) -> Image.Image:
    """Draw the map.

    Args:
        world: the world; not changed.
        rules: the compiled rules.
        scale: width of a cell in pixels (at least 4); without it the map is about 1,450 pixels wide.
        labels: whether capitals carry their nations' numbers and names, and the edges coordinates.
        names: one a nation, such as "青葉国 Aoba"; without it the names that go with the seed.
        title: headline; without it seed and turn.
        viewer: nation whose knowledge is drawn, "public" for the public map; None draws the truth.

    Returns:
        An RGB image.

    Raises:
        ValueError: a viewer that is no nation, too few names, or a scale below 4.
    """
    seats = len(world.nations)
    if names is not None and len(names) < seats:
        raise ValueError(f"names has {len(names)} entries, the world has {seats} nations: give one name each")
    if scale is not None and scale < 4:
        raise ValueError(f"scale={scale} is too small: a cell needs at least 4 pixels")
    seed, turn = int(world.clock[0]["seed"]), int(world.clock[0]["turn"])
    called = [str(name) for name in (nation_name.nation_names(seats, seed) if names is None else names)]
    view = scene.look(world, rules, viewer)
    cell = scale or min(max(_WIDE / (view.width + 0.5), _SCALES[0]), _SCALES[1])
    picture = _draw_cells(view, cell)
    panel = legend.contents(legend.rows(world, rules, view, called, ranked=viewer is None), view)
    spacing = legend.spacing(panel, picture.height)
    height = max(picture.height + _HEAD + _EDGE, legend.height(panel, spacing) + _HEAD)
    page = Image.new("RGB", (picture.width + 2 * _EDGE + legend.WIDTH, height), colours.PAPER)
    page.paste(picture, (_EDGE, _HEAD))
    _draw_frame(page, picture.size, view, cell, labels)
    _draw_capitals(page, view, cell, called if labels else None)
    _draw_title(page, title or f"seed {seed} · turn {turn}", viewer, called)
    legend.draw(page, (picture.width + 2 * _EDGE - 8, _HEAD - 14), panel, spacing)
    return page


def save_map_png(
    world: World,
    rules: Rules,
    path: str | PathLike[str],
    scale: float | None = None,
    labels: bool = True,
    names: Sequence[object] | None = None,
    title: str | None = None,
    viewer: Viewer = None,
) -> None:
    """Draw the map (see `draw_map`) into a PNG file."""
    draw_map(world, rules, scale, labels, names, title, viewer).save(path, format="PNG")


def _draw_cells(view: Scene, cell: float) -> Image.Image:
    """The map without words, at its final size."""
    place = hexes.layout(view.height, view.width, cell * _FINE)
    small = hexes.layout(view.height, view.width, cell)
    water = scene.is_water(view.ground)
    canvas = _draw_sea(view, place, water)
    pen = ImageDraw.Draw(canvas)
    around = hexes.neighbours(view.height, view.width)
    _draw_land(pen, view, place, water)
    _draw_bands(pen, view, place, around)
    _draw_lines(pen, view, place, around, water)
    _draw_symbols(canvas, view, place)
    _dim_unseen(canvas, view, place)
    return canvas.resize(small.size, Image.Resampling.LANCZOS)


def _draw_sea(view: Scene, place: Layout, water: Mask) -> Image.Image:
    """Deep water, brighter toward the coasts, with soft shallows."""
    reduce = max(1, round(place.cell / 8))
    coast = _soft_mask(place, ~water, reduce, 1.1)
    shallows = _soft_mask(place, np.isin(view.ground, _SHALLOW), reduce, 0.16)
    canvas = Image.new("RGB", place.size, colours.SEA)
    canvas.paste(colours.SEA_AT_COAST, (0, 0), coast.point([min(255, round(k * 1.7)) for k in range(256)]))
    canvas.paste(colours.SHALLOWS, (0, 0), shallows)
    return canvas


def _soft_mask(place: Layout, chosen: Mask, reduce: int, blur: float) -> Image.Image:
    """Where the chosen cells are, blurred by ``blur`` cells."""
    size = (place.size[0] // reduce + 1, place.size[1] // reduce + 1)
    mask = Image.new("L", size, 0)
    pen = ImageDraw.Draw(mask)
    for x, y in place.centres[chosen] / reduce:
        pen.polygon([(x + dx, y + dy) for dx, dy in place.corners / reduce], fill=255)
    mask = mask.filter(ImageFilter.GaussianBlur(blur * place.cell / reduce))
    return mask.resize(place.size, Image.Resampling.BILINEAR)


def cell_colour(ground: int, owner: int, water: bool) -> Colour:
    """The colour of a cell: its ground, tinted by its owner."""
    plain = colours.of_ground(ground)
    if owner < 0:
        return plain if water else colours.of_free_land(ground)
    return (
        colours.mix(plain, colours.of_nation(owner), _WATER_TINT) if water else colours.of_land(owner, plain)
    )


def _draw_land(pen: ImageDraw.ImageDraw, view: Scene, place: Layout, water: Mask) -> None:
    offsets = [tuple(corner) for corner in place.corners]
    for i in np.flatnonzero(~water | (view.owner >= 0)):
        x, y = place.centres[i]
        fill = cell_colour(int(view.ground[i]), int(view.owner[i]), bool(water[i]))
        points = [(x + dx, y + dy) for dx, dy in offsets]
        pen.polygon(points, fill=fill, outline=colours.darker(fill, 0.07))


def _draw_bands(pen: ImageDraw.ImageDraw, view: Scene, place: Layout, around: NDArray[np.int64]) -> None:
    """A band in the nation's full colour along the inside of its border."""
    beyond = np.where(around >= 0, view.owner[around], -1)
    rim = (view.owner[:, None] >= 0) & (beyond != view.owner[:, None])
    for i, k in np.argwhere(rim):
        x, y = place.centres[i]
        (ax, ay), (bx, by) = place.corners[k], place.corners[(k + 1) % 6]
        across = ((ax, ay, 1.0), (bx, by, 1.0), (bx, by, _BAND), (ax, ay, _BAND))
        points = [(x + dx * reach, y + dy * reach) for dx, dy, reach in across]
        pen.polygon(points, fill=colours.of_nation(int(view.owner[i])))


def _draw_lines(
    pen: ImageDraw.ImageDraw, view: Scene, place: Layout, around: NDArray[np.int64], water: Mask
) -> None:
    """Coasts, then borders between nations; each edge once."""
    lines: list[tuple[int, float, Colour, int, int]] = []
    for i, k in np.argwhere(around >= 0):
        other = around[i, k]
        if other < i:
            continue
        mine, theirs = int(view.owner[i]), int(view.owner[other])
        if water[i] != water[other]:
            lines.append((0, 0.085, colours.COAST, i, k))
        if mine != theirs and mine >= 0 and theirs >= 0:
            lines.append((2, 0.15, colours.INK, i, k))
        elif mine != theirs and water[i] == water[other]:
            lines.append((1, 0.07, colours.darker(colours.of_nation(max(mine, theirs)), 0.45), i, k))
    for _, wide, colour, i, k in sorted(lines, key=lambda line: line[0]):
        x, y = place.centres[i]
        (ax, ay), (bx, by) = place.corners[k], place.corners[(k + 1) % 6]
        ends = [(x + ax, y + ay), (x + bx, y + by)]
        width = max(1, round(wide * place.cell))
        pen.line(ends, fill=colour, width=width)
        if width > 2:
            r = width / 2 - 0.5
            for ex, ey in ends:
                pen.ellipse((ex - r, ey - r, ex + r, ey + r), fill=colour)


def _draw_symbols(canvas: Image.Image, view: Scene, place: Layout) -> None:
    size = round(place.cell * 0.98)
    covered = (view.deposit > 0) | (view.unit_owner >= 0) | (view.ship_kind > 0) | view.wreck
    for i in np.flatnonzero((view.terrain != terrain.SEA) | covered).tolist():
        x, y = place.centres[i]
        at = (round(x - size / 2), round(y - size / 2))
        name = _symbol(view, i)
        if name is not None:
            mark = symbols.stamp(name, size)
            canvas.paste(mark, at, mark)
        if view.deposit[i] > 0 and view.terrain[i] not in _MINED:
            mark = symbols.deposit_mark(int(view.deposit[i]), size, name == "mountain")
            canvas.paste(mark, at, mark)
        if view.wreck[i] and view.ship_kind[i] == 0:  # a ship over it hides it
            mark = symbols.wreck_mark(size)
            canvas.paste(mark, at, mark)
        if view.ship_kind[i] > 0:
            sort = scene.SHIP_SORTS.get(int(view.ship_kind[i]), scene.WARSHIP)
            mark = symbols.ship_mark(int(view.ship_owner[i]), sort, size)
            canvas.paste(mark, at, mark)
        if view.unit_owner[i] >= 0:
            strength, corps = int(view.unit_strength[i]), int(view.unit_colour[i])
            mark = symbols.unit_badge(int(view.unit_owner[i]), round(size * 0.78), strength, corps)
            canvas.paste(mark, (at[0] + round(size * 0.11), at[1] - round(size * 0.08)), mark)


def _symbol(view: Scene, i: int) -> str | None:
    level = int(view.level[i])
    return symbols.name_of(int(view.terrain[i]), int(view.population[i]), level, view.town_steps)


def _dim_unseen(canvas: Image.Image, view: Scene, place: Layout) -> None:
    """Cells out of the viewer's sight lie in a light haze."""
    if view.seen is None:
        return
    sight = _soft_mask(place, view.seen, max(1, round(place.cell / 8)), 0.2)
    canvas.paste(colours.UNSEEN, (0, 0), sight.point([round((255 - k) * 0.22) for k in range(256)]))


def _draw_frame(page: Image.Image, size: tuple[int, int], view: Scene, cell: float, numbers: bool) -> None:
    pen = ImageDraw.Draw(page)
    pen.rectangle((_EDGE - 1, _HEAD - 1, _EDGE + size[0], _HEAD + size[1]), outline=colours.COAST, width=1)
    if not numbers:
        return
    place = hexes.layout(view.height, view.width, cell)
    font = fonts.load(11)
    step = 10 if max(view.width, view.height) > 24 else 5
    for x in range(0, view.width, step):
        pen.text((_EDGE + place.centres[x][0], _HEAD - 4), str(x), font=font, fill=colours.FAINT, anchor="ms")
    for y in range(0, view.height, step):
        beside = (_EDGE - 5, _HEAD + place.centres[y * view.width][1])
        pen.text(beside, str(y), font=font, fill=colours.FAINT, anchor="rm")


def _draw_capitals(page: Image.Image, view: Scene, cell: float, names: Sequence[str] | None) -> None:
    place = hexes.layout(view.height, view.width, cell)
    size = round(max(13.0, cell * 1.15))
    mark = symbols.star(size)
    called = []
    for n, capital in enumerate(view.capital):
        at = int(capital)
        if at >= 0:
            x, y = place.centres[at] + (_EDGE, _HEAD)
            page.paste(mark, (round(x - size / 2), round(y - size / 2)), mark)
        else:
            at = _middle(view, place, n)
        if names is not None and at >= 0:
            x, y = place.centres[at] + (_EDGE, _HEAD)
            weight = int((view.owner == n).sum())
            called.append(labels.Label(f"{n} {names[n]}", (float(x), float(y)), colours.of_nation(n), weight))
    area = (_EDGE + 2.0, _HEAD + 2.0, _EDGE + place.size[0] - 2.0, _HEAD + place.size[1] - 2.0)
    text = round(min(max(13.0, cell * 0.9), 20.0))
    labels.draw(ImageDraw.Draw(page), called, text, size * 0.55 + 2, area)


def _middle(view: Scene, place: Layout, nation: int) -> int:
    """The own cell nearest to the middle of a nation's cells, -1 if it has none."""
    own = np.flatnonzero(view.owner == nation)
    if not len(own):
        return -1
    away = ((place.centres[own] - place.centres[own].mean(axis=0)) ** 2).sum(axis=1)
    return int(own[away.argmin()])


def _draw_title(page: Image.Image, title: str, viewer: Viewer, names: Sequence[str]) -> None:
    pen = ImageDraw.Draw(page)
    pen.text((_EDGE, 7), title, font=fonts.load(20), fill=colours.INK)
    if viewer is not None:
        whose = "public map" if isinstance(viewer, str) else f"as seen by {names[viewer]}"
        shift = fonts.load(20).getlength(title) + 18
        pen.text((_EDGE + shift, 12), whose, font=fonts.load(15), fill=colours.FAINT)
