"""The side panel of the map: nations by rank with land and population, and what the symbols mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw

from hakoenv.engine import scoring
from hakoenv.engine.codes import deposit, terrain
from hakoenv.engine.world import World
from hakoenv.render import colours, fonts, symbols
from hakoenv.render.colours import Colour
from hakoenv.render.scene import SHIP_SORTS, WARSHIP, Scene
from hakoenv.ruleset.compiled import Rules

WIDTH = 380
_MARGIN = 14
_GAP = 10  # pixels above a heading
_PEOPLE = 92  # of the column of people

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
GROUNDS: tuple[tuple[str, str, Colour], ...] = (  # those that have no symbol of their own
    ("plains", "平地 plains", colours.of_free_land(terrain.PLAINS)),
    ("sea", "海 sea", colours.SEA),
    ("shallows", "浅瀬 shallows", colours.SHALLOWS),
)
MARKS = (
    ("capital", "首都 capital"),
    ("unit", "部隊 unit"),
    ("warship", "軍艦 warship"),
    ("merchant", "商船 merchant"),
    ("large_merchant", "大型商船 large"),
    ("cruise_ship", "遊覧船 cruise ship"),
    ("fishing_boat", "漁船 fishing boat"),
    ("pirate", "海賊船 pirate"),
    ("wreck", "残骸 wreck"),
)
DEPOSITS = (
    (deposit.IRON, "鉄鉱 iron"),
    (deposit.STONE, "石材 stone"),
    (deposit.COAL, "石炭 coal"),
    (deposit.OPEN_PIT, "露天鉱脈 open pit"),
    (deposit.URANIUM, "ウラン uranium"),
    (deposit.OIL, "石油 oil"),
)
HEADINGS = ("国 nations", "土地 land", "人口 pop. ×100", "地形 terrain", "資源 deposits", "滅亡")
_TEXT = 12  # pixels of all words but headings
_SMALL = 11  # of column heads and of numbers in swatches


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
    winner: bool


class Entry(NamedTuple):
    """A symbol with its words; ``mark`` makes its picture for a row of so many pixels."""

    mark: Callable[[int], Image.Image]
    words: str


class Panel(NamedTuple):
    """What the panel shows: nations, terrain with marks, deposits."""

    nations: list[Row]
    terrain: list[Entry]
    deposits: list[Entry]


def rows(world: World, rules: Rules, scene: Scene, names: Sequence[str], ranked: bool = False) -> list[Row]:
    """The nations in order, the fallen ones last; land and people are counted from the picture.

    Args:
        world: the world.
        rules: the compiled rules.
        scene: what is drawn.
        names: one a nation.
        ranked: order by the season's ranks (SEASON-009) and, where they tie, by population; without it
            by population alone, which tells no viewer more than the picture does.
    """
    land_kind = rules.terrains["counts_as_land"][scene.ground] == 1
    owned = scene.owner >= 0
    count = len(world.nations)
    land = np.bincount(scene.owner[owned & land_kind], minlength=count)
    people = np.bincount(scene.owner[owned], weights=scene.population[owned], minlength=count)
    places = scoring.ranks(world, rules) if ranked else [0] * count
    listed = []
    for n in range(count):
        nation = world.nations[n]
        alive, fell = int(nation["alive"]), int(nation["fell"])
        if alive or fell or land[n]:
            end = 0 if alive or land[n] else fell
            listed.append(Row(n, names[n], int(land[n]), int(people[n]), end, bool(nation["winner"])))
    return sorted(
        listed,
        key=lambda row: (row.fell > 0, places[row.nation], -row.population, -row.land, row.nation),
    )


def contents(nations: list[Row], scene: Scene) -> Panel:
    """What a picture of this scene needs explained."""
    words = dict(SYMBOLS)
    ground = [Entry(partial(_swatch, colour), text) for _, text, colour in GROUNDS]
    symbol = [Entry(partial(symbols.stamp, name), words[name]) for name in symbols_shown(scene)]
    has = {
        "capital": True,
        "unit": (scene.unit_owner >= 0).any(),
        "wreck": scene.wreck.any(),
    }
    sorts = {SHIP_SORTS.get(kind, WARSHIP) for kind in np.unique(scene.ship_kind).tolist() if kind > 0}
    has |= {name: name in sorts for name in (WARSHIP, *SHIP_SORTS.values())}
    marks = [Entry(partial(_small_mark, name), text) for name, text in MARKS if has[name]]
    found = [(kind, text) for kind, text in DEPOSITS if (scene.deposit == kind).any()]
    held = [Entry(partial(_deposit, kind), text) for kind, text in found]
    return Panel(nations, symbol + ground + marks, held)


def spacing(panel: Panel, room: int) -> Spacing:
    """The widest spacing with which the panel is no taller than ``room``, else the tightest."""
    return next((each for each in _SPACINGS if height(panel, each) <= room), _SPACINGS[-1])


def height(panel: Panel, spacing: Spacing) -> int:
    """Pixels that the panel needs."""
    symbol_rows = sum(-(-len(entries) // 2) for entries in (panel.terrain, panel.deposits))
    return 2 * _MARGIN + 3 * (28 + _GAP) + spacing.row * len(panel.nations) + spacing.icon * symbol_rows


def symbols_shown(scene: Scene) -> list[str]:
    """Symbols that occur on the map, and the commonest ones, in the legend's order."""
    kinds = np.unique(np.stack([scene.terrain, scene.population, scene.level], axis=1), axis=0)
    found = {symbols.name_of(int(t), int(p), int(v), scene.town_steps) for t, p, v in kinds}
    return [name for name, _ in SYMBOLS if name in found or name in _ALWAYS]


def draw(image: Image.Image, corner: tuple[int, int], panel: Panel, spacing: Spacing) -> None:
    """Draw the panel with its left upper corner at ``corner``."""
    pen = ImageDraw.Draw(image)
    x = corner[0] + _MARGIN
    y = _draw_nations(image, pen, x, corner[1] + _MARGIN, panel.nations, spacing.row)
    y = _heading(pen, x, y + _GAP, "地形 terrain", 15)
    y = _draw_entries(image, pen, x, y, panel.terrain, spacing.icon)
    if panel.deposits:
        y = _heading(pen, x, y + _GAP, "資源 deposits", 13)
        _draw_entries(image, pen, x, y, panel.deposits, spacing.icon)


def _heading(pen: ImageDraw.ImageDraw, x: int, y: int, text: str, size: int) -> int:
    pen.text((x, y + 18), text, font=fonts.load(size), fill=colours.INK, anchor="ls")
    pen.line((x, y + 22, x + WIDTH - 2 * _MARGIN, y + 22), fill=colours.FAINT, width=1)
    return y + 28


def _draw_nations(
    image: Image.Image, pen: ImageDraw.ImageDraw, x: int, y: int, nations: Sequence[Row], tall: int
) -> int:
    right = x + WIDTH - 2 * _MARGIN
    small, font = fonts.load(_SMALL), fonts.load(13)
    pen.text((right - _PEOPLE, y + 17), "土地 land", font=small, fill=colours.FAINT, anchor="rs")
    pen.text((right, y + 17), "人口 pop. ×100", font=small, fill=colours.FAINT, anchor="rs")
    y = _heading(pen, x, y, "国 nations", 15)
    for row in nations:
        faint = row.fell > 0
        middle = y + tall // 2
        _draw_number(pen, x, middle, row.nation, faint)
        room = right - x - 50 - (60 if faint else _PEOPLE + 50)
        name = _fit(row.name, room, 13)
        ink = colours.FAINT if faint else colours.INK
        pen.text((x + 32, middle), name, font=font, anchor="lm", fill=ink)
        if row.winner:
            mark = symbols.star(17)
            image.paste(mark, (x + 36 + round(font.getlength(name)), middle - 9), mark)
        if faint:
            pen.text((right, middle), f"滅亡 {row.fell}", font=font, fill=colours.FAINT, anchor="rm")
        else:
            pen.text((right - _PEOPLE, middle), f"{row.land:,}", font=font, fill=colours.INK, anchor="rm")
            pen.text((right, middle), f"{row.population:,}", font=font, fill=colours.INK, anchor="rm")
        y += tall
    return y


def _draw_number(pen: ImageDraw.ImageDraw, x: int, middle: int, nation: int, faint: bool) -> None:
    """A nation's swatch, in the colours of its land and border, with its number."""
    fill, rim = colours.of_land(nation), colours.of_nation(nation)
    if faint:
        fill, rim = colours.lighter(fill, 0.6), colours.lighter(rim, 0.4)
    pen.rectangle((x, middle - 7, x + 25, middle + 7), fill=fill, outline=rim, width=2)
    ink = colours.FAINT if faint else colours.INK
    halo = colours.lighter(fill, 0.55)
    pen.text(
        (x + 13, middle), str(nation), font=fonts.load(_SMALL), anchor="mm", fill=ink,
        stroke_width=1, stroke_fill=halo,
    )  # fmt: skip


def _draw_entries(
    image: Image.Image, pen: ImageDraw.ImageDraw, x: int, y: int, entries: Sequence[Entry], tall: int
) -> int:
    """Symbols with their words in two columns."""
    column_rows = -(-len(entries) // 2)
    half = (WIDTH - 2 * _MARGIN) // 2
    for k, entry in enumerate(entries):
        column, row = divmod(k, column_rows)
        cx, cy = x + column * half, y + row * tall
        mark = entry.mark(tall)
        image.paste(mark, (cx, cy), mark)
        words = _fit(entry.words, half - tall - 6, _TEXT)
        font = fonts.load(_TEXT)
        pen.text((cx + tall + 4, cy + tall // 2), words, font=font, fill=colours.INK, anchor="lm")
    return y + column_rows * tall


def _swatch(colour: Colour, size: int) -> Image.Image:
    """A patch of ground."""
    image = Image.new("RGBA", (size, size), (0, 0, 0, 0))
    pen = ImageDraw.Draw(image)
    pen.rectangle((3, 5, size - 4, size - 6), fill=colour, outline=colours.COAST)
    return image


def _deposit(kind: int, size: int) -> Image.Image:
    """A deposit's mark without the empty rim that it has on the map."""
    large = round(size * 1.5)
    edge = (large - size) // 2
    return symbols.deposit_mark(kind, large).crop((edge, edge, edge + size, edge + size))


def _small_mark(name: str, size: int) -> Image.Image:
    """The capital's star; a wreck; a unit and a ship without a nation's colour."""
    if name == "capital":
        return symbols.star(size)
    if name == "wreck":
        return symbols.wreck_mark(size)
    return symbols.unit_badge(-1, size) if name == "unit" else symbols.ship_mark(-1, name, size)


def _fit(text: str, room: float, size: int) -> str:
    """The text, cut with an ellipsis where it is wider than ``room`` pixels."""
    font = fonts.load(size)
    if font.getlength(text) <= room:
        return text
    while text and font.getlength(text + "…") > room:
        text = text[:-1]
    return text + "…"
