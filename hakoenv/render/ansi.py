"""The map as terminal text: two characters a cell, odd rows shifted by one (MAP-002)."""

from __future__ import annotations

import numpy as np

from hakoenv.engine.codes import terrain
from hakoenv.engine.world import World
from hakoenv.render import colours, scene
from hakoenv.render.colours import Colour
from hakoenv.render.scene import Scene, Viewer
from hakoenv.ruleset.compiled import Rules

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmn"  # of nations, by index
CAPITAL, UNIT, WARSHIP, WRECK = "*", "!", "&", "+"
SHIPS = {
    "merchant": "$",
    "large_merchant": "$",
    "cruise_ship": "Y",
    "fishing_boat": "v",
    "pirate": "X",
}
"""Glyphs of ships that are no warships, by what they are drawn as."""
_RESET = "\x1b[0m"

GLYPHS: dict[int, tuple[str, str]] = {
    terrain.SEA: (" ", "sea"),
    terrain.SHALLOWS: ("~", "shallows"),
    terrain.PLAINS: (".", "plains"),
    terrain.WASTELAND: (",", "wasteland"),
    terrain.FOREST: ("%", "forest"),
    terrain.MOUNTAIN: ("^", "mountain"),
    terrain.TOWN: ("t", "town"),
    terrain.METROPOLIS: ("T", "metropolis"),
    terrain.NEW_TOWN: ("n", "new town"),
    terrain.MODERN_CITY: ("N", "modern city"),
    terrain.SEABED_CITY: ("u", "seabed city"),
    terrain.RESERVED_LAND: ("_", "reserved land"),
    terrain.FARM: ("=", "farm"),
    terrain.LARGE_FARM: ("#", "large farm"),
    terrain.FACTORY: ("f", "factory"),
    terrain.LARGE_FACTORY: ("F", "large factory"),
    terrain.REFINERY: ("r", "refinery"),
    terrain.ARSENAL: ("a", "arsenal"),
    terrain.MARKET: ("m", "market"),
    terrain.WAREHOUSE: ("w", "warehouse"),
    terrain.POWER_PLANT: ("e", "power plant"),
    terrain.IRON_MINE: ("i", "iron mine"),
    terrain.QUARRY: ("q", "quarry"),
    terrain.COAL_MINE: ("c", "coal mine"),
    terrain.OPEN_PIT: ("o", "open pit"),
    terrain.URANIUM_MINE: ("U", "uranium mine"),
    terrain.LARGE_MINE: ("I", "large mine"),
    terrain.OFFSHORE_OIL: ("O", "oil field"),
    terrain.PORT: ("p", "port"),
    terrain.NAVAL_PORT: ("P", "naval port"),
    terrain.LIGHTHOUSE: ("l", "lighthouse"),
    terrain.BREAKWATER: ("-", "breakwater"),
    terrain.FISH_FARM: ("h", "fish farm"),
    terrain.NAVAL_MINE: ("x", "naval mine"),
    terrain.MISSILE_BASE: ("b", "missile base"),
    terrain.SEABED_BASE: ("B", "seabed base"),
    terrain.DEFENSE_FACILITY: ("D", "defense facility"),
    terrain.DEPOT: ("d", "depot"),
    terrain.MONUMENT: ("A", "monument"),
    terrain.MONSTER: ("M", "monster"),
}


def ansi_map(world: World, rules: Rules, colour: bool = True, viewer: Viewer = None) -> str:
    """The map as text, one line a row.

    A cell is its terrain's glyph (see `ansi_key`), or its capital, unit or ship, followed by its owner's
    letter. Even rows end with a blank, odd rows begin with one: a line shows ``2 * width + 1`` characters.

    Args:
        world: the world; not changed.
        rules: the compiled rules.
        colour: whether to colour cells with 24-bit escape codes.
        viewer: nation whose knowledge is drawn, "public" for the public map; None draws the truth.

    Raises:
        ValueError: a viewer that is no nation.
    """
    view = scene.look(world, rules, viewer)
    glyphs = _glyphs(view)
    lines = []
    for y in range(view.height):
        row = range(y * view.width, (y + 1) * view.width)
        text = _coloured(view, glyphs, row) if colour else "".join(glyphs[i] + _letter(view, i) for i in row)
        lines.append(" " + text if y % 2 else text + " ")
    return "\n".join(lines)


def ansi_key() -> str:
    """What the glyphs mean, a few to a line."""
    words = [f"{glyph} {meaning}" for glyph, meaning in GLYPHS.values() if glyph != " "]
    words += [f"{CAPITAL} capital", f"{UNIT} unit", f"{WARSHIP} warship"]
    words += [f"{glyph} {meaning}" for glyph, meaning in ship_key()]
    words.append(f"{WRECK} wreck")
    rows = (words[k : k + 5] for k in range(0, len(words), 5))
    return "\n".join("".join(f"{word:20}" for word in row).rstrip() for row in rows)


def ship_key() -> list[tuple[str, str]]:
    """The glyphs of ships that are no warships, with their meaning."""
    meanings: dict[str, str] = {}
    for sort, glyph in SHIPS.items():
        meanings.setdefault(glyph, sort.replace("_", " "))
    return list(meanings.items())


def _glyphs(view: Scene) -> list[str]:
    table = [GLYPHS.get(number, ("?", ""))[0] for number in range(terrain.COUNT)]
    glyphs = [table[number] for number in view.terrain.tolist()]
    for i in np.flatnonzero(view.wreck).tolist():
        glyphs[i] = WRECK
    for i in np.flatnonzero(view.ship_kind > 0).tolist():
        sort = scene.SHIP_SORTS.get(int(view.ship_kind[i]))
        glyphs[i] = WARSHIP if sort is None else SHIPS[sort]
    for i in np.flatnonzero(view.unit_owner >= 0).tolist():
        glyphs[i] = UNIT
    for i in view.capital[view.capital >= 0].tolist():
        glyphs[i] = CAPITAL
    return glyphs


def _letter(view: Scene, i: int) -> str:
    owner = int(view.owner[i])
    return " " if owner < 0 else LETTERS[owner % len(LETTERS)]


def _coloured(view: Scene, glyphs: list[str], row: range) -> str:
    parts: list[str] = []
    before: tuple[Colour, Colour] | None = None
    for i in row:
        paper = _paper(view, i)
        ink = colours.darker(paper, 0.75)
        if (paper, ink) != before:
            parts.append("\x1b[38;2;{};{};{};48;2;{};{};{}m".format(*ink, *paper))
            before = (paper, ink)
        parts.append(glyphs[i] + _letter(view, i))
    return "".join(parts) + _RESET


def _paper(view: Scene, i: int) -> Colour:
    ground, owner = int(view.ground[i]), int(view.owner[i])
    plain = colours.of_ground(ground)
    if owner >= 0:
        plain = colours.mix(plain, colours.of_nation(owner), 0.3 if ground in colours.WATER else 0.5)
    unseen = view.seen is not None and not view.seen[i]
    return colours.mix(plain, colours.UNSEEN, 0.22) if unseen else plain
