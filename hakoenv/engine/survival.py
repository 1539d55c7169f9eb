"""Life and death of nations (phases 28 and 31)."""

from __future__ import annotations

from hakoenv.engine import census, happenings, stock, territory
from hakoenv.engine.codes import cause, event, item, research
from hakoenv.engine.diplomacy import containment, leagues, relations, transport
from hakoenv.engine.economy import towns
from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import hospital, troops
from hakoenv.engine.navy import fleets, hulls
from hakoenv.engine.shipping import cargo
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def update(world: World, rules: Rules) -> None:
    """Wounded return, then every nation is recounted (TURN-029, TURN-065).

    One without a town, or that gave up, is dead (TURN-075).
    """
    for n in range(world.nations.shape[0]):
        if world.nations[n].alive:
            hospital.discharge(world, rules, n)
    territory.index(world, rules)
    census.take(world, rules)
    for n in range(world.nations.shape[0]):
        nation = world.nations[n]
        if nation.alive and (nation.towns == 0 or nation.abandoning):
            nation.alive = 0
            nation.fell = world.clock[0].turn
            happenings.record(world, event.FELL, n, nation.capital, 0)
        elif nation.alive:
            stock.trim(world, rules, n)  # a warehouse may be gone: DIS-014


@kernel
def free_abandoned_land(world: World, rules: Rules) -> None:
    """Land of dead nations becomes ownerless; towns lose half their people (TURN-032, TURN-055).

    Terrain and facilities stay (a metropolis below its size is a town again: DIS-012); units, items, ships,
    treasury and private stock vanish, corps are as new and relations end. A nation may fall without a cell.
    """
    freed = False
    for n in range(world.nations.shape[0]):
        nation = world.nations[n]
        left = nation.area > 0 or nation.capital >= 0 or nation.fell == world.clock[0].turn
        if not nation.alive and left:
            _free(world, rules, n)
            freed = True
    if freed:
        territory.index(world, rules)
        census.take(world, rules)


@kernel
def _free(world: World, rules: Rules, n: int) -> None:
    cells = world.cells.flat
    divisor = rules.scalars[0].nation_abandoned_towns_population_divisor
    nation = world.nations[n]
    for i in range(world.cells.size):
        if cells[i].owner == n:
            people = int(cells[i].population)
            towns.lose(world, rules, i, people - people // divisor, 0)
            cells[i].owner = -1
            cells[i].resistance = rules.scalars[0].resistance_ownerless
    for u in range(world.clock[0].units):
        if world.units[u].owner == n:
            troops.remove(world, u)
    cargo.end_nation(world, rules, n)
    transport.end_deals(world, rules, n)
    for k in range(world.clock[0].ships):
        if world.ships[k].kind > 0 and world.ships[k].owner == n:
            hulls.strike_off(world, k)
    for what in range(item.COUNT):
        stock.take(world, n, what, int(nation.treasury[what]), cause.EXTINCTION)
        stock.private_take(world, n, what, int(nation.private[what]), cause.EXTINCTION)
    if nation.area > 0:
        happenings.record(world, event.LAND_ABANDONED, n, nation.capital, nation.area)
    nation.capital = -1
    nation.reserves = nation.conscripts = nation.wounded = 0
    nation.items[:] = 0
    troops.reset_corps(world, rules, n)
    fleets.reset(world, n)
    relations.end_all(world, n)
    leagues.leave(world, n)
    containment.end_nation(world, n)
    nation.research_branch = research.NONE
    nation.plan_length = 0
