"""The side panel of the map: nations with land and population, and what the symbols mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw

from hakoenv.engine.codes import deposit
from hakoenv.engine.world import World
from hakoenv.render import colours, fonts, symbols
from hakoenv.render.scene import Scene
from hakoenv.ruleset.compiled import Rules

WIDTH = 336
_MARGIN = 14

SYMBOLS: tuple[tuple[str, str], ...] = (
    ("village", "村 village"),
    ("small_town", "町 town"),
    ("city", "都市 city"),
    ("metropolis", "大都市 metropolis"),
    ("new_town", "ニュータウン new town"),
    ("modern_city", "現代都市 modern city"),
    ("seabed_city", "海底都市 seabed city"),
    ("reserved_land", "開発予定地 reserved"),
    ("farm", "農場 farm"),
    ("large_farm", "大農場 large farm"),
    ("factory", "工場 factory"),
    ("large_factory", "大工場 large factory"),
    ("refinery", "精製所 refinery"),
    ("arsenal", "軍需工場 arsenal"),
    ("market", "市場 market"),
    ("warehouse", "倉庫 warehouse"),
    ("power_plant", "発電所 power plant"),
    ("iron_mine", "鉱山 iron mine"),
    ("quarry", "採石場 quarry"),
    ("coal_mine", "炭坑 coal mine"),
    ("open_pit", "露天鉱脈 open pit"),
    ("uranium_mine", "ウラン鉱山 uranium"),
    ("large_mine", "大鉱山 large mine"),
    ("oil", "油田 oil field"),
    ("port", "港 port"),
    ("naval_port", "軍港 naval port"),
    ("lighthouse", "灯台 lighthouse"),
    ("breakwater", "防波堤 breakwater"),
    ("fish_farm", "養殖場 fish farm"),
    ("naval_mine", "機雷 naval mine"),
    ("missile_base", "ミサイル基地 missiles"),
    ("seabed_base", "海底基地 seabed base"),
    ("defense_facility", "防衛施設 defense"),
    ("depot", "兵站基地 depot"),
    ("monument", "記念碑 monument"),
    ("monster", "怪獣 monster"),
    ("forest", "森 forest"),
    ("deep_forest", "深い森 old forest"),
    ("mountain", "山 mountain"),
    ("wasteland", "荒地 wasteland"),
)
_ALWAYS = ("small_town", "farm", "factory", "port", "forest", "mountain", "wasteland")
_DEPOSIT_WORDS = (
    (deposit.IRON, "鉄 iron"),
    (deposit.STONE, "石 stone"),
    (deposit.COAL, "炭 coal"),
    (deposit.OPEN_PIT, "露天 open pit"),
    (deposit.URANIUM, "ウラン uranium"),
    (deposit.OIL, "油 oil"),
)


class Spacing(NamedTuple):
    """Pixels of a nation's row and of a symbol's row."""

    row: int
    icon: int


_SPACINGS = (Spacing(21, 25), Spacing(19, 24), Spacing(17, 22), Spacing(15, 20))


class Row(NamedTuple):
    """A nation's line."""

    nation: int
    name: str
    land: int
    population: int
    fell: int  # turn of its end, 0 alive


def rows(world: World, rules: Rules, scene: Scene, names: Sequence[str]) -> list[Row]:
    """Nations by falling population, then the fallen ones; land and people are counted from the picture."""
    land_kind = rules.terrains["counts_as_land"][scene.ground] == 1
    owned = scene.owner >= 0
    count = len(world.nations)
    land = np.bincount(scene.owner[owned & land_kind], minlength=count)
    people = np.bincount(scene.owner[owned], weights=scene.population[owned], minlength=count)
    listed = []
    for n in range(count):
        nation = world.nations[n]
        alive, fell = int(nation["alive"]), int(nation["fell"])
        if alive or fell or land[n]:
            listed.append(Row(n, names[n], int(land[n]), int(people[n]), 0 if alive or land[n] else fell))
    return sorted(listed, key=lambda row: (row.fell > 0, -row.population, -row.land, row.nation))


def spacing(nations: Sequence[Row], shown: Sequence[str], room: int) -> Spacing:
    """The widest spacing with which the panel is no taller than ``room``, else the tightest."""
    return next((each for each in _SPACINGS if height(nations, shown, each) <= room), _SPACINGS[-1])


def height(nations: Sequence[Row], shown: Sequence[str], spacing: Spacing) -> int:
    """Pixels that the panel needs."""
    symbol_rows = -(-len(shown) // 2)
    return 2 * _MARGIN + 28 + spacing.row * len(nations) + 40 + spacing.icon * symbol_rows + 22 * 4 + 30


def symbols_shown(scene: Scene) -> list[str]:
    """Symbols that occur on the map, and the commonest ones, in the legend's order."""
    kinds = np.unique(np.stack([scene.terrain, scene.population, scene.level], axis=1), axis=0)
    found = {symbols.name_of(int(t), int(p), int(v), scene.town_steps) for t, p, v in kinds}
    return [name for name, _ in SYMBOLS if name in found or name in _ALWAYS]


def draw(
    image: Image.Image,
    corner: tuple[int, int],
    nations: Sequence[Row],
    shown: Sequence[str],
    scene: Scene,
    spacing: Spacing,
) -> None:
    """Draw the panel with its left upper corner at ``corner``."""
    pen = ImageDraw.Draw(image)
    x = corner[0] + _MARGIN
    y = _draw_nations(pen, x, corner[1] + _MARGIN, nations, spacing.row)
    y = _draw_symbols(image, pen, x, y + 12, shown, spacing.icon)
    _draw_marks(image, pen, x, y + 4, scene)


def _heading(pen: ImageDraw.ImageDraw, x: int, y: int, text: str) -> int:
    pen.text((x, y), text, font=fonts.load(15), fill=colours.INK)
    pen.line((x, y + 22, x + WIDTH - 2 * _MARGIN, y + 22), fill=colours.FAINT, width=1)
    return y + 28


def _draw_nations(pen: ImageDraw.ImageDraw, x: int, y: int, nations: Sequence[Row], tall: int) -> int:
    right = x + WIDTH - 2 * _MARGIN
    small = fonts.load(11)
    pen.text((right - 78, y + 17), "土地 land", font=small, fill=colours.FAINT, anchor="rs")
    pen.text((right, y + 17), "人口 pop.", font=small, fill=colours.FAINT, anchor="rs")
    y = _heading(pen, x, y, "国 nations")
    font = fonts.load(13)
    for row in nations:
        colour = colours.of_nation(row.nation)
        faint = row.fell > 0
        middle = y + tall // 2
        ink, rim = colours.FAINT if faint else colours.INK, colours.darker(colour, 0.2)
        fill = colours.lighter(colour, 0.75 if faint else 0.35)
        pen.rectangle((x, middle - 5, x + 20, middle + 6), fill=fill, outline=rim, width=2)
        room = right - x - 28 - (60 if faint else 150)
        pen.text((x + 28, middle), _fit(row.name, room, 13), font=font, anchor="lm", fill=ink)
        if faint:
            pen.text((right, middle), f"滅亡 {row.fell}", font=font, fill=colours.FAINT, anchor="rm")
        else:
            pen.text((right - 78, middle), f"{row.land:,}", font=font, fill=colours.INK, anchor="rm")
            pen.text((right, middle), f"{row.population:,}", font=font, fill=colours.INK, anchor="rm")
        y += tall
    return y


def _draw_symbols(
    image: Image.Image, pen: ImageDraw.ImageDraw, x: int, y: int, shown: Sequence[str], tall: int
) -> int:
    y = _heading(pen, x, y, "地形 terrain")
    words = dict(SYMBOLS)
    column_rows = -(-len(shown) // 2)
    half = (WIDTH - 2 * _MARGIN) // 2
    for k, name in enumerate(shown):
        column, row = divmod(k, column_rows)
        cx, cy = x + column * half, y + row * tall
        mark = symbols.stamp(name, tall)
        image.paste(mark, (cx, cy), mark)
        _write(pen, (cx + tall + 4, cy + tall // 2), words[name], half - tall - 6)
    return y + column_rows * tall


def _draw_marks(image: Image.Image, pen: ImageDraw.ImageDraw, x: int, y: int, scene: Scene) -> None:
    """Capital, unit, ships, deposits, water."""
    third = (WIDTH - 2 * _MARGIN) // 3
    entries: list[tuple[Image.Image, str]] = [(symbols.star(18), "首都 capital")]
    if (scene.unit_owner >= 0).any():
        entries.append((symbols.unit_badge(0, 18), "部隊 unit"))
    if (scene.ship_kind > 0).any():
        entries.append((symbols.ship_mark(0, True, 18), "艦船 ship"))
    for kind, words in _DEPOSIT_WORDS:
        if (scene.deposit == kind).any():
            entries.append((symbols.deposit_mark(kind, 26).crop((4, 4, 22, 22)), words))
    for k, (mark, words) in enumerate(entries):
        row, column = divmod(k, 3)
        cx, cy = x + column * third, y + row * 22
        image.paste(mark, (cx + 2, cy + 2), mark)
        _write(pen, (cx + 24, cy + 11), words, third - 26)
    y += 22 * -(-len(entries) // 3) + 8
    for k, (colour, words) in enumerate(((colours.SEA, "海 sea"), (colours.SHALLOWS, "浅瀬 shallows"))):
        cx = x + k * third
        pen.rectangle((cx + 2, y + 2, cx + 18, y + 14), fill=colour, outline=colours.COAST)
        _write(pen, (cx + 24, y + 8), words, third - 26)


def _write(pen: ImageDraw.ImageDraw, at: tuple[int, int], text: str, room: float) -> None:
    """Write words in the largest small size that fits."""
    size = next((size for size in (12, 11, 10) if fonts.load(size).getlength(text) <= room), 10)
    pen.text(at, _fit(text, room, size), font=fonts.load(size), fill=colours.INK, anchor="lm")


def _fit(text: str, room: float, size: int) -> str:
    """The text, cut with an ellipsis where it is wider than ``room`` pixels."""
    font = fonts.load(size)
    if font.getlength(text) <= room:
        return text
    while text and font.getlength(text + "…") > room:
        text = text[:-1]
    return text + "…"
