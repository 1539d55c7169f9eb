"""A fixed map from a drawing: one character a cell, for tests and examples.

===== ======================================================
 ~     sea
 .     shallows
 ,     plains
 w     wasteland
 f     forest, as few trees as a new world's forests have
 M     mountain without a deposit
 i     mountain with iron
 s     mountain with stone
 c     mountain with coal
 o     mountain with open-pit ore
 u     mountain with uranium
 O     wasteland with oil
 P     sea with oil
 p     shallows with oil
===== ======================================================
"""

from __future__ import annotations

from hakoenv.engine.codes import deposit, terrain
from hakoenv.engine.world import World
from hakoenv.ruleset.codes import CLIMATES, MINE_ROWS
from hakoenv.ruleset.compiled import Rules

LEGEND: dict[str, tuple[int, int]] = {
    "~": (terrain.SEA, deposit.NONE),
    ".": (terrain.SHALLOWS, deposit.NONE),
    ",": (terrain.PLAINS, deposit.NONE),
    "w": (terrain.WASTELAND, deposit.NONE),
    "f": (terrain.FOREST, deposit.NONE),
    "M": (terrain.MOUNTAIN, deposit.NONE),
    "i": (terrain.MOUNTAIN, deposit.IRON),
    "s": (terrain.MOUNTAIN, deposit.STONE),
    "c": (terrain.MOUNTAIN, deposit.COAL),
    "o": (terrain.MOUNTAIN, deposit.OPEN_PIT),
    "u": (terrain.MOUNTAIN, deposit.URANIUM),
    "O": (terrain.WASTELAND, deposit.OIL),
    "P": (terrain.SEA, deposit.OIL),
    "p": (terrain.SHALLOWS, deposit.OIL),
}
"""Terrain and deposit of each character."""

_MINES = {
    deposit.IRON: "iron_mine",
    deposit.STONE: "quarry",
    deposit.COAL: "coal_mine",
    deposit.OPEN_PIT: "open_pit",
    deposit.URANIUM: "uranium_mine",
}


def draw_map(world: World, rules: Rules, text: str) -> None:
    """Fill an empty world with a drawn map; every cell is temperate, deposits have their normal richness.

    Args:
        world: from `new_world`, as wide and high as the drawing.
        rules: the ruleset.
        text: one line a row, top row first; blank lines and spaces around a line are left out.

    Raises:
        ValueError: a character that is not in `LEGEND`, or a drawing of another size than the world.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    height, width = world.cells.shape
    if len(lines) != height:
        raise ValueError(f"the drawing has {len(lines)} lines, the world {height} rows")
    for y, line in enumerate(lines):
        if len(line) != width:
            raise ValueError(f"line {y + 1} has {len(line)} characters, the world is {width} cells wide")
        for x, character in enumerate(line):
            if character not in LEGEND:
                place = f"line {y + 1}, character {x + 1}"
                raise ValueError(f"{place}: {character!r} is not in the legend ({' '.join(LEGEND)})")
            _draw_cell(world, rules, x, y, *LEGEND[character])
    world.cells["climate"] = CLIMATES.index("temperate")


def _draw_cell(world: World, rules: Rules, x: int, y: int, ground: int, treasure: int) -> None:
    cell = world.cells[y, x]
    cell["terrain"] = ground
    cell["deposit"] = treasure
    cell["level"] = rules.scalars[0]["worldgen_forest_trees_low"] if ground == terrain.FOREST else 0
    cell["richness"] = 0
    if treasure != deposit.NONE:
        oil = "land_oil" if ground == terrain.WASTELAND else "offshore_oil"
        cell["richness"] = rules.mines[MINE_ROWS[_MINES.get(treasure, oil)]]["richness_normal"]
