"""Whom each private sector can trade with, found for all in one pass (MER-064, MER-071, MER-083).

A row is a whole number a nation, whose bit b stands for nation b.
"""

from __future__ import annotations

from typing import Any

from hakoenv.engine import hexgrid, territory
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import vessels
from hakoenv.engine.shipping import charts, harbours
from hakoenv.engine.trade import partners
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

_NEIGHBOURS = 6


@kernel
def has(row: int, nation: int) -> bool:
    """Whether a nation is in a row."""
    return bool((row >> nation) & 1)


@kernel
def note_borders(world: World, rules: Rules) -> None:
    """Note for every nation whose land touches its own: from phase 16 to phase 22 no land changes hands.

    All listed cells are looked at: one that was handed over in this turn still stands among its old owner's.
    """
    height, width = world.cells.shape
    cells = world.cells.flat
    for n in range(world.nations.shape[0]):
        world.nations[n].neighbours = 0
    for k in range(world.clock[0].listed):
        cell = int(world.territory[k])
        a = int(cells[cell].owner)
        if a < 0:
            continue
        y = cell // width
        x = cell - y * width
        for direction in range(1, _NEIGHBOURS + 1):
            near = hexgrid.beside(width, height, x, y, direction)
            b = int(cells[near].owner) if near >= 0 else a
            if b < 0 or b == a or has(int(world.nations[a].neighbours), b):
                continue
            if territory.is_land(world, rules, cell) and territory.is_land(world, rules, near):
                world.nations[a].neighbours |= 1 << b
                world.nations[b].neighbours |= 1 << a


@kernel
def by_land(world: World, a: int, b: int) -> bool:
    """As `partners.by_land`, by the borders that were noted."""
    return has(int(world.nations[a].neighbours), b) and partners.gates_open(world, a, b)


@kernel
def add_land(world: World, rows: Any) -> None:
    """Add to every nation's row those with whom it may trade by land."""
    for a in range(world.nations.shape[0]):
        if world.nations[a].neighbours != 0:
            for b in range(world.nations.shape[0]):
                if by_land(world, a, b):
                    rows[a] |= 1 << b


@kernel
def add_sea(world: World, rules: Rules, rows: Any) -> None:
    """Add those to whom nations with a merchant may trade by sea, on a remembered route from an own port."""
    traders = _with_merchants(world)
    for h in range(world.harbours.shape[0]):
        cell = int(world.harbours[h].cell)
        a = harbours.owner(world, h) if cell >= 0 else -1
        if a < 0 or not has(traders, a) or harbours.berths(world, rules, cell, False) == 0:
            continue
        for other in range(world.harbours.shape[0]):
            if charts.way(world, other, cell) < 0:
                continue
            b = harbours.owner(world, other)
            if b >= 0 and not has(int(rows[a]), b) and partners.by_sea(world, a, b):
                rows[a] |= 1 << b


@kernel
def _with_merchants(world: World) -> int:
    """The nations that own a merchant, as a row."""
    found = 0
    for ship in range(world.clock[0].ships):
        record = world.ships[ship]
        if vessels.is_merchant(int(record.kind)) and record.owner >= 0:
            found |= 1 << int(record.owner)
    return found
