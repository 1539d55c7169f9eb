"""One compiled call fills the observations of nations."""

from __future__ import annotations

from typing import Any

from hakoenv.engine import view
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.obs import bonds, cells, cells_things, faction_view, listed_deals, nation, navy, planes, trade
from hakoenv.obs.arrays import Arrays, Scratch
from hakoenv.ruleset.compiled import Rules


@kernel
def fill(world: World, rules: Rules, all_cells: bool, seats: Any, out: Arrays, scratch: Scratch) -> None:
    """Fill every array for each of ``seats``, the dead and never founded ones included (TURN-077).

    All lists must be 0: only what stands in them is written.
    """
    view.watch_all(world, rules, scratch.watch)
    occupied = cells_things.find_occupied(world, scratch)
    navy.find_wrecks(world, scratch)
    lots = listed_deals.open_lots(world, scratch.lots)
    strongest = bonds.find_bonds(world, rules, scratch)
    if out.planes.shape[1] > 0:
        planes.draw_public(world, rules, scratch)
    for k in range(seats.shape[0]):
        n = int(seats[k])
        nation.fill_nation(world, rules, n, out)
        bonds.fill_bonds(world, rules, n, strongest, out, scratch)
        faction_view.fill_view(world, rules, n, out, scratch, occupied)
        cells_things.fill_things(world, rules, n, out, scratch, occupied)
        navy.fill_navy(world, rules, n, out)
        trade.fill_trade(world, rules, n, out, scratch, occupied, lots)
        cells.fill_cells(world, rules, all_cells, n, out, scratch, occupied)
        if out.planes.shape[1] > 0:
            planes.fill_planes(world, rules, n, out, scratch, occupied)
