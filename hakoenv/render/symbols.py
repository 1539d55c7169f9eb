"""The small symbols of the map, drawn as vectors and kept as stamps."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from math import cos, pi, sin

from PIL import Image

from hakoenv.engine.codes import terrain
from hakoenv.render import colours
from hakoenv.render.colours import Colour
from hakoenv.render.pen import LEAF, LIT, ROOF, WALL, WOOD, Pen

STONE: Colour = (134, 138, 146)
STEEL: Colour = (84, 92, 108)
LEAF_DARK: Colour = (40, 84, 50)
NAVY: Colour = (28, 60, 110)
GOLD: Colour = (250, 196, 40)
CROP: Colour = (196, 160, 44)
BRICK: Colour = (150, 92, 78)
GLASS: Colour = (120, 160, 190)
SNOW: Colour = (248, 250, 252)
ROCK: Colour = (138, 122, 104)
ROCK_DARK: Colour = (104, 90, 76)
_READABLE = 32  # pixels of a badge from which a number on it can be read
_FULL = 200  # strength of a full bar


def _village(p: Pen) -> None:
    p.house(0.36, 0.48, 0.3)


def _small_town(p: Pen) -> None:
    p.house(0.2, 0.42, 0.26)
    p.house(0.52, 0.52, 0.28)


def _city(p: Pen) -> None:
    p.tower(BRICK, 0.4, 0.22, 0.62, 0.74)
    p.house(0.16, 0.54, 0.24)
    p.house(0.62, 0.56, 0.22)


def _metropolis(p: Pen) -> None:
    p.tower(STEEL, 0.18, 0.36, 0.38, 0.8)
    p.tower(BRICK, 0.4, 0.14, 0.62, 0.8)
    p.tower(STEEL, 0.64, 0.3, 0.84, 0.8)


def _modern_city(p: Pen) -> None:
    p.tower(GLASS, 0.16, 0.34, 0.36, 0.82)
    p.tower(NAVY, 0.38, 0.1, 0.6, 0.82)
    p.tower(GLASS, 0.62, 0.24, 0.84, 0.82)
    p.line(NAVY, 0.04, (0.49, 0.12), (0.49, 0.0))


def _new_town(p: Pen) -> None:
    for x, y in ((0.18, 0.38), (0.54, 0.38), (0.18, 0.7), (0.54, 0.7)):
        p.house(x, y, 0.26, (70, 130, 170))


def _seabed_city(p: Pen) -> None:
    dome = p.at([(0.14, 0.2), (0.86, 0.92)])
    p.draw.pieslice(dome, 180, 360, fill=(226, 242, 248), outline=NAVY, width=max(1, p.pixels // 28))
    p.tower(NAVY, 0.32, 0.4, 0.48, 0.56)
    p.tower(BRICK, 0.52, 0.34, 0.68, 0.56)
    p.line(NAVY, 0.05, (0.12, 0.58), (0.88, 0.58))


def _reserved_land(p: Pen) -> None:
    p.line(WOOD, 0.05, (0.22, 0.3), (0.78, 0.3), (0.78, 0.74), (0.22, 0.74), (0.22, 0.3))
    p.line(WOOD, 0.05, (0.22, 0.3), (0.78, 0.74))
    p.line(WOOD, 0.05, (0.78, 0.3), (0.22, 0.74))


def _forest(p: Pen) -> None:
    p.tree(0.32, 0.66, 0.4)
    p.tree(0.66, 0.7, 0.48, LEAF_DARK)


def _deep_forest(p: Pen) -> None:
    p.tree(0.5, 0.5, 0.42, LEAF_DARK)
    p.tree(0.26, 0.74, 0.44)
    p.tree(0.74, 0.76, 0.46)
    p.tree(0.5, 0.84, 0.44)


def _mountain(p: Pen) -> None:
    p.shape(ROCK, (0.1, 0.78), (0.46, 0.18), (0.82, 0.78))
    p.shape(ROCK_DARK, (0.46, 0.18), (0.82, 0.78), (0.5, 0.78), (0.54, 0.5))
    p.shape(ROCK_DARK, (0.56, 0.78), (0.74, 0.44), (0.93, 0.78))
    p.shape(SNOW, (0.46, 0.18), (0.34, 0.38), (0.42, 0.36), (0.48, 0.44), (0.54, 0.35), (0.58, 0.38))


def _wasteland(p: Pen) -> None:
    for x, y in ((0.3, 0.4), (0.62, 0.32), (0.46, 0.62), (0.7, 0.66), (0.24, 0.7)):
        p.disc((176, 152, 112), x, y, 0.045)


def _farm(p: Pen) -> None:
    for k in range(3):
        y = 0.36 + 0.17 * k
        p.line(CROP, 0.075, (0.22, y), (0.78, y))


def _large_farm(p: Pen) -> None:
    for k in range(4):
        y = 0.3 + 0.15 * k
        p.line((170, 130, 20), 0.08, (0.16, y), (0.84, y))
    p.line(LEAF, 0.06, (0.5, 0.22), (0.5, 0.82))


def _works(p: Pen, chimneys: int, colour: Colour) -> None:
    roof = ((0.14, 0.5), (0.32, 0.38), (0.32, 0.5), (0.5, 0.38), (0.5, 0.5), (0.68, 0.38))
    p.shape(colour, (0.14, 0.8), *roof, (0.68, 0.8))
    for k in range(chimneys):
        x = 0.72 + (0.13 * k if chimneys > 1 else 0.02)
        p.box(colours.darker(colour, 0.35), x, 0.22 + 0.06 * k, x + 0.1, 0.8)
    for x in (0.22, 0.4, 0.56):
        p.box(LIT, x, 0.6, x + 0.08, 0.68)


def _factory(p: Pen) -> None:
    _works(p, 1, STONE)


def _large_factory(p: Pen) -> None:
    _works(p, 2, STEEL)


def _refinery(p: Pen) -> None:
    p.box(STEEL, 0.62, 0.18, 0.76, 0.78)
    p.disc((206, 206, 210), 0.36, 0.58, 0.23)
    p.ring(STEEL, 0.36, 0.58, 0.23, 0.05)
    p.line(STEEL, 0.05, (0.36, 0.34), (0.68, 0.34))
    p.shape((240, 130, 40), (0.62, 0.16), (0.69, 0.02), (0.76, 0.16))


def _arsenal(p: Pen) -> None:
    for x in (0.24, 0.43, 0.62):
        p.box((176, 140, 60), x, 0.46, x + 0.14, 0.78)
        p.shape(STEEL, (x, 0.44), (x + 0.07, 0.2), (x + 0.14, 0.44))


def _market(p: Pen) -> None:
    p.box(WALL, 0.22, 0.46, 0.78, 0.78)
    p.line(WOOD, 0.04, (0.22, 0.46), (0.22, 0.78), (0.78, 0.78), (0.78, 0.46))
    for k in range(4):
        x = 0.16 + 0.17 * k
        p.shape(ROOF if k % 2 == 0 else WALL, (x + 0.04, 0.26), (x + 0.18, 0.26), (x + 0.17, 0.5), (x, 0.5))


def _warehouse(p: Pen) -> None:
    p.shape((154, 122, 86), (0.14, 0.44), (0.5, 0.22), (0.86, 0.44), (0.86, 0.78), (0.14, 0.78))
    p.box(WALL, 0.34, 0.5, 0.66, 0.78)
    p.line((154, 122, 86), 0.04, (0.34, 0.64), (0.66, 0.64))


def _power_plant(p: Pen) -> None:
    p.disc((60, 66, 84), 0.5, 0.5, 0.36)
    p.shape(GOLD, (0.56, 0.18), (0.3, 0.54), (0.47, 0.54), (0.42, 0.84), (0.7, 0.44), (0.52, 0.44))


def _picks(p: Pen, mark: Colour) -> None:
    p.disc(mark, 0.5, 0.5, 0.4)
    p.disc(colours.lighter(mark, 0.75), 0.5, 0.5, 0.32)
    for side in (1, -1):
        p.line(WOOD, 0.075, (0.5 - side * 0.2, 0.74), (0.5 + side * 0.17, 0.34))
        p.line(
            colours.INK, 0.075, (0.5 - side * 0.02, 0.27), (0.5 + side * 0.19, 0.32), (0.5 + side * 0.28, 0.5)
        )


def _oil(p: Pen) -> None:
    p.line(colours.INK, 0.06, (0.26, 0.84), (0.5, 0.16), (0.74, 0.84))
    p.line(colours.INK, 0.045, (0.33, 0.64), (0.67, 0.64))
    p.line(colours.INK, 0.045, (0.41, 0.42), (0.59, 0.42))
    p.line(colours.INK, 0.045, (0.33, 0.64), (0.59, 0.42))
    p.disc(colours.DEPOSITS[6], 0.5, 0.16, 0.09)


def _anchor(p: Pen, colour: Colour) -> None:
    p.ring(colour, 0.5, 0.24, 0.1, 0.06)
    p.line(colour, 0.085, (0.5, 0.32), (0.5, 0.82))
    p.line(colour, 0.075, (0.32, 0.44), (0.68, 0.44))
    p.arc(colour, 0.5, 0.52, 0.32, 20, 160, 0.085)
    p.shape(colour, (0.1, 0.66), (0.2, 0.48), (0.32, 0.64))
    p.shape(colour, (0.9, 0.66), (0.8, 0.48), (0.68, 0.64))


def _port(p: Pen) -> None:
    _anchor(p, NAVY)


def _naval_port(p: Pen) -> None:
    p.disc(NAVY, 0.5, 0.5, 0.46)
    _anchor(p, WALL)


def _lighthouse(p: Pen) -> None:
    p.shape(WALL, (0.4, 0.34), (0.6, 0.34), (0.66, 0.84), (0.34, 0.84))
    p.shape(ROOF, (0.385, 0.46), (0.615, 0.46), (0.635, 0.6), (0.365, 0.6))
    p.box(GOLD, 0.41, 0.22, 0.59, 0.34)
    p.shape(ROOF, (0.36, 0.22), (0.5, 0.08), (0.64, 0.22))
    for side in (1, -1):
        p.line(GOLD, 0.05, (0.5 + side * 0.18, 0.28), (0.5 + side * 0.4, 0.2))


def _missile(p: Pen) -> None:
    p.shape(STEEL, (0.42, 0.3), (0.5, 0.08), (0.58, 0.3), (0.58, 0.7), (0.42, 0.7))
    p.shape(ROOF, (0.42, 0.54), (0.28, 0.76), (0.42, 0.74))
    p.shape(ROOF, (0.58, 0.54), (0.72, 0.76), (0.58, 0.74))
    p.shape((250, 170, 40), (0.44, 0.72), (0.5, 0.92), (0.56, 0.72))


def _seabed_base(p: Pen) -> None:
    p.disc(NAVY, 0.5, 0.5, 0.42)
    p.shape(WALL, (0.43, 0.34), (0.5, 0.16), (0.57, 0.34), (0.57, 0.7), (0.43, 0.7))
    p.shape(ROOF, (0.43, 0.56), (0.3, 0.76), (0.43, 0.72))
    p.shape(ROOF, (0.57, 0.56), (0.7, 0.76), (0.57, 0.72))


def _shield(p: Pen) -> None:
    outline = ((0.5, 0.12), (0.82, 0.24), (0.78, 0.56), (0.5, 0.88), (0.22, 0.56), (0.18, 0.24))
    p.shape(STEEL, *outline)
    p.shape(WALL, *((0.5 + (x - 0.5) * 0.72, 0.48 + (y - 0.48) * 0.72) for x, y in outline))
    p.shape(STEEL, (0.5, 0.26), (0.5, 0.72), (0.3, 0.5), (0.28, 0.32))


def _depot(p: Pen) -> None:
    p.box((110, 120, 70), 0.18, 0.52, 0.5, 0.82)
    p.box((134, 146, 88), 0.52, 0.52, 0.82, 0.82)
    p.box((90, 100, 58), 0.34, 0.24, 0.66, 0.5)
    p.line(WALL, 0.04, (0.34, 0.52), (0.34, 0.82))
    p.line(WALL, 0.04, (0.67, 0.52), (0.67, 0.82))
    p.line(WALL, 0.04, (0.5, 0.24), (0.5, 0.5))


def _monument(p: Pen) -> None:
    p.shape((206, 200, 190), (0.42, 0.26), (0.5, 0.12), (0.58, 0.26), (0.62, 0.72), (0.38, 0.72))
    p.shape(STONE, (0.5, 0.12), (0.58, 0.26), (0.62, 0.72), (0.5, 0.72))
    p.box(STONE, 0.26, 0.72, 0.74, 0.84)


def _monster(p: Pen) -> None:
    beast: Colour = (120, 40, 120)
    p.disc(beast, 0.5, 0.54, 0.32)
    for x, lean in ((0.28, -0.1), (0.5, 0.0), (0.72, 0.1)):
        p.shape(beast, (x - 0.1, 0.4), (x + lean, 0.06), (x + 0.1, 0.4))
    p.disc(GOLD, 0.38, 0.48, 0.07)
    p.disc(GOLD, 0.62, 0.48, 0.07)
    for x in (0.32, 0.44, 0.56):
        p.shape(WALL, (x, 0.64), (x + 0.06, 0.76), (x + 0.12, 0.64))


def _breakwater(p: Pen) -> None:
    for k in range(3):
        x = 0.12 + 0.27 * k
        p.shape(STONE, (x, 0.66), (x + 0.11, 0.38), (x + 0.22, 0.66))
        p.shape(STEEL, (x + 0.11, 0.38), (x + 0.22, 0.66), (x + 0.11, 0.66))
    p.line(WALL, 0.05, (0.1, 0.72), (0.9, 0.72))


def _naval_mine(p: Pen) -> None:
    for a, b in (((0.5, 0.1), (0.5, 0.9)), ((0.1, 0.5), (0.9, 0.5))):
        p.line(colours.INK, 0.07, a, b)
    for a, b in (((0.22, 0.22), (0.78, 0.78)), ((0.22, 0.78), (0.78, 0.22))):
        p.line(colours.INK, 0.07, a, b)
    p.disc(colours.INK, 0.5, 0.5, 0.25)
    p.disc((210, 60, 50), 0.43, 0.43, 0.07)


def _fish_farm(p: Pen) -> None:
    p.ring(WOOD, 0.5, 0.5, 0.4, 0.05)
    p.draw.ellipse(p.at([(0.24, 0.38), (0.64, 0.64)]), fill=(230, 120, 70))
    p.shape((230, 120, 70), (0.58, 0.51), (0.78, 0.36), (0.78, 0.66))
    p.disc(WALL, 0.35, 0.48, 0.035)


def _shallows(p: Pen) -> None:
    for y, x in ((0.4, 0.24), (0.64, 0.42)):
        p.arc((150, 192, 200), x + 0.09, y, 0.09, 180, 360, 0.035)
        p.arc((150, 192, 200), x + 0.27, y, 0.09, 0, 180, 0.035)


def _mine(kind: int) -> Callable[[Pen], None]:
    return lambda p: _picks(p, colours.DEPOSITS[kind])


def _large_mine(p: Pen) -> None:
    _picks(p, colours.DEPOSITS[1])
    p.ring(GOLD, 0.5, 0.5, 0.44, 0.06)


_DRAWN: dict[str, Callable[[Pen], None]] = {
    "village": _village, "small_town": _small_town, "city": _city, "metropolis": _metropolis,
    "modern_city": _modern_city, "new_town": _new_town, "seabed_city": _seabed_city,
    "reserved_land": _reserved_land, "forest": _forest, "deep_forest": _deep_forest, "mountain": _mountain,
    "wasteland": _wasteland, "farm": _farm, "large_farm": _large_farm, "factory": _factory,
    "large_factory": _large_factory, "refinery": _refinery, "arsenal": _arsenal, "market": _market,
    "warehouse": _warehouse, "power_plant": _power_plant, "iron_mine": _mine(1), "quarry": _mine(2),
    "coal_mine": _mine(3), "open_pit": _mine(4), "uranium_mine": _mine(5), "large_mine": _large_mine,
    "oil": _oil, "port": _port, "naval_port": _naval_port, "lighthouse": _lighthouse,
    "missile_base": _missile, "seabed_base": _seabed_base, "defense_facility": _shield, "depot": _depot,
    "monument": _monument, "monster": _monster, "breakwater": _breakwater, "naval_mine": _naval_mine,
    "fish_farm": _fish_farm, "shallows": _shallows,
}  # fmt: skip

_BY_TERRAIN: dict[int, str] = {
    terrain.SEABED_BASE: "seabed_base", terrain.MONSTER: "monster", terrain.MONUMENT: "monument",
    terrain.MOUNTAIN: "mountain", terrain.WASTELAND: "wasteland", terrain.FARM: "farm",
    terrain.FACTORY: "factory", terrain.MISSILE_BASE: "missile_base",
    terrain.DEFENSE_FACILITY: "defense_facility", terrain.DEPOT: "depot", terrain.SHALLOWS: "shallows",
    terrain.RESERVED_LAND: "reserved_land", terrain.REFINERY: "refinery", terrain.ARSENAL: "arsenal",
    terrain.MARKET: "market", terrain.IRON_MINE: "iron_mine", terrain.QUARRY: "quarry",
    terrain.COAL_MINE: "coal_mine", terrain.OPEN_PIT: "open_pit", terrain.URANIUM_MINE: "uranium_mine",
    terrain.OFFSHORE_OIL: "oil", terrain.PORT: "port", terrain.NAVAL_PORT: "naval_port",
    terrain.LIGHTHOUSE: "lighthouse", terrain.SEABED_CITY: "seabed_city", terrain.NEW_TOWN: "new_town",
    terrain.MODERN_CITY: "modern_city", terrain.METROPOLIS: "metropolis", terrain.LARGE_FARM: "large_farm",
    terrain.LARGE_FACTORY: "large_factory", terrain.LARGE_MINE: "large_mine",
    terrain.WAREHOUSE: "warehouse", terrain.BREAKWATER: "breakwater", terrain.NAVAL_MINE: "naval_mine",
    terrain.POWER_PLANT: "power_plant", terrain.FISH_FARM: "fish_farm",
}  # fmt: skip

_DEEP_FOREST_AT = 10
_PLAIN = ("forest", "deep_forest", "mountain", "wasteland", "farm", "large_farm", "shallows", "reserved_land")


def name_of(number: int, population: int, level: int, town_steps: tuple[int, int]) -> str | None:
    """The symbol of a cell, or None; ``town_steps`` are the populations of a town and of a city (MAP-016)."""
    if number == terrain.TOWN:
        return (
            "village"
            if population < town_steps[0]
            else "small_town"
            if population < town_steps[1]
            else "city"
        )
    if number == terrain.FOREST:
        return "deep_forest" if level >= _DEEP_FOREST_AT else "forest"
    return _BY_TERRAIN.get(number)


@cache
def stamp(name: str, size: int) -> Image.Image:
    """A symbol as an RGBA image of ``size`` x ``size`` pixels."""
    pen = Pen(size)
    _DRAWN[name](pen)
    return pen.stamp(halo=name not in _PLAIN)


@cache
def deposit_mark(kind: int, size: int, beside: bool = False) -> Image.Image:
    """The mark over a cell that holds a deposit (MAP-017, MAP-018); ``beside`` spares a peak."""
    pen = Pen(size)
    x, y = (0.74, 0.72) if beside else (0.5, 0.5)
    for colour, reach in ((WALL, 0.26), (colours.INK, 0.22), (colours.DEPOSITS[kind], 0.17)):
        pen.shape(colour, (x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y))
    return pen.stamp(halo=False)


@lru_cache(maxsize=4096)
def unit_badge(owner: int, size: int, strength: int = 0, corps: int = -1) -> Image.Image:
    """A unit standing on a cell: a plate in its nation's colour; anybody's (-1) is grey.

    Args:
        owner: nation, -1 anybody.
        size: pixels.
        strength: a number on the plate where there is room for it, and a bar below; 0 neither.
        corps: colour number of its corps, a stripe; -1 unknown.
    """
    pen = Pen(size)
    plate = STEEL if owner < 0 else colours.darker(colours.of_nation(owner), 0.2)
    pen.box(WALL, 0.06, 0.14, 0.94, 0.66)
    pen.box(plate, 0.1, 0.18, 0.9, 0.62)
    if strength > 0 and size >= _READABLE:
        pen.text(WALL, 0.53, 0.4, 0.4, str(strength))
    else:
        pen.line(WALL, 0.055, (0.1, 0.18), (0.9, 0.62))
        pen.line(WALL, 0.055, (0.1, 0.62), (0.9, 0.18))
    if strength > 0:
        pen.box(WALL, 0.06, 0.66, 0.94, 0.82)
        pen.box(colours.INK, 0.1, 0.7, 0.1 + 0.8 * min(1.0, strength / _FULL), 0.79)
    if corps >= 0:
        pen.box(colours.of_corps(corps), 0.1, 0.18, 0.2, 0.62)
    return pen.stamp(halo=False)


def _warship(pen: Pen, hull: Colour) -> None:
    _hull(pen, hull)
    pen.shape(hull, (0.32, 0.52), (0.36, 0.34), (0.62, 0.34), (0.66, 0.52))
    pen.box(hull, 0.46, 0.14, 0.53, 0.4)
    pen.line(hull, 0.06, (0.64, 0.42), (0.86, 0.34))


def _merchant(pen: Pen, hull: Colour) -> None:
    _hull(pen, hull)
    for k, colour in enumerate(_CONTAINERS):
        pen.box(colour, 0.22 + 0.19 * k, 0.34, 0.38 + 0.19 * k, 0.52)


def _large_merchant(pen: Pen, hull: Colour) -> None:
    pen.shape(hull, (0.02, 0.54), (0.98, 0.54), (0.86, 0.84), (0.14, 0.84))
    for k in range(4):
        for row in range(2):
            x, y = 0.13 + 0.19 * k, 0.34 - 0.2 * row
            pen.box(_CONTAINERS[(k + row) % len(_CONTAINERS)], x, y, x + 0.16, y + 0.18)


def _cruise_ship(pen: Pen, hull: Colour) -> None:
    _hull(pen, hull)
    pen.box(WALL, 0.18, 0.4, 0.84, 0.53)
    pen.box(WALL, 0.28, 0.28, 0.72, 0.4)
    for k in range(5):
        pen.box(GLASS, 0.24 + 0.11 * k, 0.44, 0.3 + 0.11 * k, 0.49)
    pen.shape(ROOF, (0.5, 0.28), (0.52, 0.14), (0.64, 0.14), (0.66, 0.28))


def _fishing_boat(pen: Pen, hull: Colour) -> None:
    pen.shape(hull, (0.18, 0.58), (0.86, 0.54), (0.74, 0.8), (0.28, 0.8))
    pen.box(WALL, 0.28, 0.42, 0.44, 0.58)
    pen.line(WOOD, 0.05, (0.58, 0.58), (0.58, 0.18))
    pen.line(WOOD, 0.035, (0.58, 0.2), (0.84, 0.54))


def _pirate(pen: Pen, hull: Colour) -> None:
    _hull(pen, colours.INK)
    pen.line(WOOD, 0.05, (0.48, 0.56), (0.48, 0.1))
    pen.shape(colours.INK, (0.22, 0.16), (0.76, 0.16), (0.7, 0.48), (0.28, 0.48))
    pen.disc(WALL, 0.49, 0.28, 0.08)
    pen.line(WALL, 0.04, (0.38, 0.36), (0.6, 0.44))
    pen.line(WALL, 0.04, (0.38, 0.44), (0.6, 0.36))


def _hull(pen: Pen, hull: Colour) -> None:
    pen.shape(hull, (0.06, 0.54), (0.94, 0.54), (0.8, 0.8), (0.2, 0.8))


_CONTAINERS: tuple[Colour, ...] = ((196, 90, 60), (90, 130, 170), (220, 180, 80))
_SHIPS: dict[str, Callable[[Pen, Colour], None]] = {
    "warship": _warship,
    "merchant": _merchant,
    "large_merchant": _large_merchant,
    "cruise_ship": _cruise_ship,
    "fishing_boat": _fishing_boat,
    "pirate": _pirate,
}


@cache
def ship_mark(owner: int, sort: str, size: int) -> Image.Image:
    """A ship of a sort (`scene.SHIP_SORTS`) in its nation's colour; without a nation grey, pirates black."""
    pen = Pen(size)
    hull = STEEL if owner < 0 else colours.darker(colours.of_nation(owner), 0.15)
    _SHIPS[sort](pen, hull)
    return pen.stamp(halo=True)


@cache
def wreck_mark(size: int) -> Image.Image:
    """A wreck: a hull that goes down by the stern."""
    pen = Pen(size)
    pen.shape(STEEL, (0.3, 0.62), (0.78, 0.28), (0.86, 0.44), (0.62, 0.66))
    pen.line(STEEL, 0.055, (0.58, 0.42), (0.46, 0.22))
    for x in (0.2, 0.44, 0.68):
        pen.arc(NAVY, x, 0.7, 0.12, 180, 360, 0.05)
    return pen.stamp(halo=True)


@cache
def star(size: int) -> Image.Image:
    """The capital's star."""

    def points(outer: float) -> list[tuple[float, float]]:
        radii = (outer, outer * 0.45)
        return [
            (0.5 + radii[k % 2] * sin(pi * k / 5), 0.52 - radii[k % 2] * cos(pi * k / 5)) for k in range(10)
        ]

    pen = Pen(size)
    pen.shape(WALL, *points(0.5))
    pen.shape(colours.INK, *points(0.44))
    pen.shape(GOLD, *points(0.33))
    return pen.stamp(halo=False)
