"""Where a new world's deposits lie (MAP-051): exact shares, spread evenly, coal by climate (IND-032)."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine import chance
from hakoenv.engine.codes import deposit, terrain
from hakoenv.engine.mapgen import noise
from hakoenv.engine.mapgen.cover import steps_from_home
from hakoenv.engine.mapgen.homes import Homes
from hakoenv.engine.mapgen.shape import Sketch
from hakoenv.engine.world import World
from hakoenv.ruleset.codes import MINE_ROWS
from hakoenv.ruleset.compiled import Rules

Cells: TypeAlias = NDArray[np.int64]

_LAND_OIL = MINE_ROWS["land_oil"]
_SEA_OIL = MINE_ROWS["offshore_oil"]
_SQUARE = 8  # side of the squares over which offshore oil is spread
_EVEN = 100  # weight of a cell that is as good as any


def place(world: World, rules: Rules, attempt: int, homes: Homes, sketch: Sketch) -> None:
    """Put every deposit of a new world in its place; no oil lies under the seven cells of a home."""
    cells = world.cells.reshape(-1)
    width = world.cells.shape[1]
    luck = noise.rolls(world, chance.MAP_DEPOSIT, np.arange(cells.size), attempt, 1 << 30)
    ground = cells["terrain"][homes.land]

    kind = ground == terrain.MOUNTAIN
    mountains = _in_drawn_order(homes.land[kind], homes.part[kind], luck)
    for row, wanted in enumerate(_mountain_shares(rules, len(mountains))):
        mountains = _scatter(world, rules, attempt, mountains, row, wanted)

    kind = ground == terrain.WASTELAND
    wanted = _percent(int(np.count_nonzero(kind)), rules, _LAND_OIL)
    kind &= steps_from_home(world, homes) > 1
    wastes = _in_drawn_order(homes.land[kind], homes.part[kind], luck)
    _scatter(world, rules, attempt, wastes, _LAND_OIL, wanted)

    reach = int(rules.scalars[0]["worldgen_offshore_oil_reach"])
    water = np.flatnonzero((sketch.shore >= 1) & (sketch.shore <= reach))
    square = water // width // _SQUARE * width + water % width // _SQUARE
    wanted = _percent(len(water), rules, _SEA_OIL)
    _scatter(world, rules, attempt, _in_drawn_order(water, square, luck), _SEA_OIL, wanted)


def _mountain_shares(rules: Rules, mountains: int) -> list[int]:
    """How many mountains hold the deposit of each row of the mines table, by largest remainder."""
    parts = [int(mine["worldgen_share_percent"]) * (mine["deposit"] != deposit.OIL) for mine in rules.mines]
    shares = [mountains * int(part) // 100 for part in parts]
    by_rest = sorted(range(len(parts)), key=lambda row: -(mountains * int(parts[row]) % 100))
    for row in by_rest[: max(0, mountains - sum(shares))]:
        shares[row] += 1 if mountains * int(parts[row]) % 100 else 0
    return shares


def _percent(count: int, rules: Rules, row: int) -> int:
    return (count * int(rules.mines[row]["worldgen_share_percent"]) + 50) // 100


def _in_drawn_order(places: Cells, group: Cells, luck: Cells) -> Cells:
    """The places group by group, each group in drawn order."""
    return places[np.lexsort((places, luck[places], group))]


def _scatter(world: World, rules: Rules, attempt: int, places: Cells, row: int, wanted: int) -> Cells:
    """Give ``wanted`` of the places the deposit of a row; return the places left.

    The places are walked with an even stride from a drawn start, so that every stretch of the list gets
    its share; a stride measures weight, so that coal keeps to its climates.
    """
    mine = rules.mines[row]
    if mine["deposit"] == deposit.NONE or wanted <= 0 or len(places) == 0:
        return places
    cells = world.cells.reshape(-1)
    weight = np.full(len(places), _EVEN)
    if mine["deposit"] == deposit.COAL:
        weight = rules.climates["coal_percent"][cells["climate"][places]]
    weight = np.maximum(weight, 1)
    passed = np.cumsum(weight) * wanted
    total = int(weight.sum())
    start = chance.roll(world, chance.MAP_DEPOSIT, cells.size + row, attempt, total)
    taken = np.zeros(len(places), bool)
    for k in range(wanted):
        stop = int(np.searchsorted(passed, start + k * total, side="right")) % len(places)
        for _ in range(len(places)):
            if not taken[stop]:
                break
            stop = (stop + 1) % len(places)  # a heavy place takes one deposit like the others
        taken[stop] = True
    cells["deposit"][places[taken]] = mine["deposit"]
    cells["richness"][places[taken]] = mine["richness_normal"]
    return places[~taken]
