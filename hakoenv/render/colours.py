"""Colours of nations, ground and water, shared by maps and curves.

The 40 nation colours were chosen for the largest smallest distance in OKLab, as seen with normal and with
red-green blind eyes, among colours whose land stands out from sea and shallows; a nation keeps the colour of
its index in every picture.
"""

from __future__ import annotations

from colorsys import hsv_to_rgb
from typing import TypeAlias

from hakoenv.engine.codes import deposit, terrain
from hakoenv.engine.world import CORPS_COUNT

Colour: TypeAlias = tuple[int, int, int]

NATIONS: tuple[Colour, ...] = (
    (225, 105, 0), (135, 75, 180), (60, 150, 0), (180, 30, 45), (240, 195, 45),
    (180, 75, 135), (0, 105, 75), (135, 75, 60), (45, 0, 150), (15, 225, 150),
    (90, 0, 45), (165, 0, 135), (255, 90, 150), (165, 180, 75), (240, 150, 0),
    (165, 240, 105), (90, 165, 75), (75, 75, 210), (90, 15, 165), (135, 30, 90),
    (105, 0, 90), (255, 150, 120), (90, 15, 0), (30, 135, 90), (120, 45, 180),
    (210, 90, 120), (255, 120, 135), (120, 225, 90), (90, 75, 150), (90, 45, 0),
    (75, 90, 0), (150, 105, 60), (135, 0, 45), (150, 75, 105), (210, 135, 105),
    (15, 30, 120), (210, 60, 165), (45, 75, 120), (45, 45, 75), (45, 75, 75),
)  # fmt: skip
LAND_TINT = 0.56  # share of the nation's colour in its land

INK: Colour = (38, 44, 52)
PAPER: Colour = (250, 249, 244)
FAINT: Colour = (120, 128, 136)
SEA: Colour = (158, 194, 213)
SEA_AT_COAST: Colour = (199, 222, 229)
SHALLOWS: Colour = (190, 224, 224)
COAST: Colour = (66, 98, 118)
UNSEEN: Colour = (70, 80, 96)

PLAINS: Colour = (231, 232, 205)
FOREST: Colour = (189, 208, 164)
MOUNTAIN: Colour = (205, 194, 176)
WASTELAND: Colour = (222, 209, 180)
FIELD: Colour = (236, 226, 170)
BUILT: Colour = (226, 221, 212)
URBAN: Colour = (233, 222, 210)

DEPOSITS: dict[int, Colour] = {
    deposit.IRON: (178, 74, 46),
    deposit.STONE: (150, 150, 150),
    deposit.COAL: (40, 40, 44),
    deposit.OPEN_PIT: (214, 150, 36),
    deposit.URANIUM: (72, 176, 60),
    deposit.OIL: (92, 60, 128),
}

_GROUND: dict[int, Colour] = {
    terrain.SHALLOWS: SHALLOWS,
    terrain.BREAKWATER: SHALLOWS,
    terrain.FISH_FARM: SHALLOWS,
    terrain.MOUNTAIN: MOUNTAIN,
    terrain.IRON_MINE: MOUNTAIN,
    terrain.QUARRY: MOUNTAIN,
    terrain.COAL_MINE: MOUNTAIN,
    terrain.OPEN_PIT: MOUNTAIN,
    terrain.URANIUM_MINE: MOUNTAIN,
    terrain.LARGE_MINE: MOUNTAIN,
    terrain.WASTELAND: WASTELAND,
    terrain.MONSTER: WASTELAND,
    terrain.PLAINS: PLAINS,
    terrain.RESERVED_LAND: PLAINS,
    terrain.LIGHTHOUSE: PLAINS,
    terrain.FOREST: FOREST,
    terrain.FARM: FIELD,
    terrain.LARGE_FARM: FIELD,
    terrain.TOWN: URBAN,
    terrain.NEW_TOWN: URBAN,
    terrain.MODERN_CITY: URBAN,
    terrain.METROPOLIS: URBAN,
}
WATER = (
    terrain.SEA,
    terrain.SEABED_BASE,
    terrain.SHALLOWS,
    terrain.SEABED_CITY,
    terrain.BREAKWATER,
    terrain.NAVAL_MINE,
    terrain.FISH_FARM,
)


def of_nation(index: int) -> Colour:
    """The colour of a nation; it repeats after 40."""
    return NATIONS[index % len(NATIONS)]


def of_corps(number: int) -> Colour:
    """The colour of a corps by its colour number 0..31: around the wheel, neighbours far apart."""
    red, green, blue = hsv_to_rgb(number * 11 % CORPS_COUNT / CORPS_COUNT, 0.75, 1.0 if number % 2 else 0.75)
    return round(255 * red), round(255 * green), round(255 * blue)


def of_land(index: int, ground: Colour = PLAINS) -> Colour:
    """The colour of a nation's land on a ground."""
    return mix(ground, of_nation(index), LAND_TINT)


def of_ground(number: int) -> Colour:
    """The colour of a terrain without an owner."""
    return _GROUND.get(number, SEA if number in WATER else BUILT)


def of_free_land(number: int) -> Colour:
    """The colour of land without an owner, paler than its ground."""
    return mix(of_ground(number), (226, 224, 214), 0.35)


def mix(a: Colour, b: Colour, share: float) -> Colour:
    """``a`` with ``share`` (0..1) of ``b``."""
    return (
        round(a[0] + (b[0] - a[0]) * share),
        round(a[1] + (b[1] - a[1]) * share),
        round(a[2] + (b[2] - a[2]) * share),
    )


def darker(colour: Colour, share: float) -> Colour:
    """Nearer to ink, hue kept."""
    return mix(colour, (16, 20, 28), share)


def lighter(colour: Colour, share: float) -> Colour:
    """Nearer to white."""
    return mix(colour, (255, 255, 255), share)


def as_hex(colour: Colour) -> str:
    """``#rrggbb``."""
    return "#{:02x}{:02x}{:02x}".format(*colour)
