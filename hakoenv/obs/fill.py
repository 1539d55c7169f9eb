"""One compiled call fills the observations of all nations."""

from __future__ import annotations

from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.obs import cells, cells_things, nation, planes
from hakoenv.obs.arrays import Arrays, Scratch
from hakoenv.ruleset.compiled import Rules


@kernel
def fill(world: World, rules: Rules, all_cells: bool, out: Arrays, scratch: Scratch) -> None:
    """Fill every array for every seat, the dead and never founded ones included (TURN-077)."""
    occupied = cells_things.find_occupied(world, rules, scratch)
    if out.planes.shape[1] > 0:
        planes.draw_public(world, rules, scratch)
    for n in range(world.nations.shape[0]):
        nation.fill_clock(world, rules, n, out)
        nation.fill_own(world, rules, n, out)
        nation.fill_stocks(world, rules, n, out)
        nation.fill_nations(world, rules, n, out)
        nation.fill_factions(world, n, out)
        nation.fill_market(world, rules, n, out)
        nation.fill_plan(world, n, out)
        cells_things.fill_things(world, n, out, scratch, occupied)
        cells_things.fill_sightings(world, n, out)
        if all_cells:
            cells.list_all_cells(world, n, out, scratch)
        else:
            cells.list_cells(world, rules, n, out, scratch, occupied)
        if out.cells.shape[1] > 0:
            cells.describe_cells(world, rules, n, out, scratch)
        if out.planes.shape[1] > 0:
            planes.fill_planes(world, rules, n, out, scratch, occupied)
