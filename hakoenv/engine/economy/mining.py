"""Mines and oil fields: jobs, yield and piles (DEV-003 .. DEV-015)."""

from __future__ import annotations

from hakoenv.engine import chance, happenings, hexgrid, stock
from hakoenv.engine.codes import cause, event, item, research, terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.rounding import ceil_div
from hakoenv.engine.world import World
from hakoenv.ruleset.codes import MINE_ROWS
from hakoenv.ruleset.compiled import Rules

_LAND_OIL = MINE_ROWS["land_oil"]
_NEIGHBOURS = 6
_FIRST, _LAST = 1, 10  # the levels of mine.collapse_level1 and mine.collapse_level10


@kernel
def row_of(world: World, rules: Rules, cell: int) -> int:
    """The row of ``rules.mines`` for this cell, -1 if it is no mine; oil on land has its own (MAP-015)."""
    place = world.cells.flat[cell]
    if place.terrain == terrain.OFFSHORE_OIL and place.below == terrain.WASTELAND:
        return _LAND_OIL
    return int(rules.terrains[place.terrain].mine)


@kernel
def jobs(world: World, rules: Rules, cell: int) -> int:
    """Workers that a mine can use: none without pile or research (DEV-008, DEV-012)."""
    place = world.cells.flat[cell]
    mine = rules.mines[row_of(world, rules, cell)]
    known = world.nations[place.owner].research[research.PRODUCTION] >= mine.unlock_production
    return place.level * mine.workers_per_level if known and place.pile > 0 else 0


@kernel
def restore_pile(world: World, rules: Rules, cell: int) -> None:
    """A mine regains part of its pile up to its cap; a first pile may lie above it (DEV-013 .. DEV-017)."""
    place = world.cells.flat[cell]
    cap = pile_cap(world, rules, cell)
    if place.pile < cap:
        times = rules.mines[row_of(world, rules, cell)].facility_multiplier
        back = ceil_div(int(place.level), rules.scalars[0].mine_recovery_levels_per_unit) * times
        place.pile = min(cap, place.pile + back)


@kernel
def pile_cap(world: World, rules: Rules, cell: int) -> int:
    """The most that a mine's pile grows to (DEV-013)."""
    times = rules.mines[row_of(world, rules, cell)].facility_multiplier
    return int(rules.scalars[0].mine_pile_per_level * world.cells.flat[cell].level * times)


@kernel
def work(world: World, rules: Rules, nation: int) -> None:
    """Work the staffed mines of a nation in cell order; products go to the treasury (DEV-012, TURN-059)."""
    cells = world.cells.flat
    record = world.nations[nation]
    left = int(record.mine_workers)
    for k in range(record.first, record.first + record.held):
        if left <= 0:
            return
        cell = int(world.territory[k])
        if rules.terrains[cells[cell].terrain].mine >= 0:
            hands = min(left, jobs(world, rules, cell))
            left -= hands
            if hands > 0:
                _dig(world, rules, cell, hands)


@kernel
def _dig(world: World, rules: Rules, cell: int, hands: int) -> None:
    """One worked turn of one mine: one floor after all factors, no more pile than its cap needs (DEV-007)."""
    place = world.cells.flat[cell]
    mine = rules.mines[row_of(world, rules, cell)]
    taken = min(place.pile, hands * mine.extract_per_level // max(1, mine.workers_per_level))
    level = world.nations[place.owner].research[research.PRODUCTION]
    each = mine.yield_percent * rules.research[research.PRODUCTION, level].effect_percent  # in 1/10,000
    each *= 100 + _coal_bonus(world, rules, cell)  # in 1/1,000,000
    output = taken * each // 1000000
    if 0 < mine.per_mining_cap <= output:
        output = mine.per_mining_cap
        taken = ceil_div(output * 1000000, each)
    place.pile -= taken
    place.worked = 1 if taken > 0 else 0
    stock.gain(world, rules, int(place.owner), mine.product, output, cause.MINING)


@kernel
def _coal_bonus(world: World, rules: Rules, cell: int) -> int:
    """Percent more steel beside at least one own coal mine, working or not (DEV-005)."""
    cells = world.cells.flat
    if rules.mines[row_of(world, rules, cell)].product != item.STEEL:
        return 0
    height, width = world.cells.shape
    owner = cells[cell].owner
    for direction in range(1, _NEIGHBOURS + 1):
        other = hexgrid.neighbour(width, height, cell, direction)
        if other >= 0 and cells[other].terrain == terrain.COAL_MINE and cells[other].owner == owner:
            return int(rules.scalars[0].steel_coal_adjacent_bonus)
    return 0


@kernel
def collapse(world: World, rules: Rules, cell: int) -> None:
    """A mine worked in this turn may cave in, by the level it has now (DEV-018 .. DEV-021, TURN-060)."""
    s = rules.scalars[0]
    place = world.cells.flat[cell]
    if not place.worked or not s.disasters_mine_collapse_default_on:
        return
    change = float(s.mine_collapse_level10 - s.mine_collapse_level1) / (_LAST - _FIRST)
    percent = s.mine_collapse_level1 + change * (place.level - _FIRST)
    if chance.happens(world, chance.MINE_COLLAPSE, cell, 0, percent):
        lose_level(world, rules, cell)
        happenings.record(world, event.MINE_COLLAPSED, int(place.owner), cell, int(place.level))


@kernel
def lose_level(world: World, rules: Rules, cell: int) -> None:
    """A mine is one level smaller, at least 1; what lies above its new cap is lost (DEV-017, DEV-019)."""
    place = world.cells.flat[cell]
    place.level = max(1, place.level - 1)
    place.pile = min(place.pile, pile_cap(world, rules, cell))
