"""Changing what lies on a cell, with everything that hangs on it."""

from __future__ import annotations

from hakoenv.engine import happenings, stock
from hakoenv.engine.codes import deposit, event, terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import resistance, troops
from hakoenv.engine.shipping import charts
from hakoenv.engine.world import World
from hakoenv.ruleset.codes import DOMAINS, TERRAIN_KINDS
from hakoenv.ruleset.compiled import Rules

NOBODY = -1
_WATER = DOMAINS.index("water")
_NATURE = TERRAIN_KINDS.index("nature")


@kernel
def put(world: World, rules: Rules, cell: int, ground: int, owner: int, level: int) -> None:
    """Make a cell terrain ``ground`` of ``owner`` (-1 nobody) at ``level``; what was there is gone.

    People, pile, experience and hits end; a tunnel ends with its mountain (MAP-033), a deposit with
    the last ground that can hold one, a unit where it can't swim (ARMY-069). A new owner starts at the
    full resistance of the new terrain, the old one keeps at most that (ARMY-009). Works on water and
    oil fields remember what lies under them (MAP-015). A warehouse takes its room with it (DIS-014),
    a capital its rank (ARMY-065).
    """
    place = world.cells.reshape(-1)[cell]
    kind = rules.terrains[ground]
    before = int(place.terrain)
    holder = int(place.owner)
    over_water = kind.domain == _WATER and kind.kind != _NATURE
    place.below = place.terrain if over_water or ground == terrain.OFFSHORE_OIL else 0
    place.terrain = ground
    charts.note_change(world, cell, before, ground)
    place.owner = owner
    place.level = level
    place.population = place.pile = place.experience = 0
    place.hits = place.worked = 0
    if ground != terrain.MOUNTAIN:
        place.tunnel = 0
    if not can_hold(rules, ground, int(place.deposit)):
        place.deposit = deposit.NONE
        place.richness = 0
    if is_open_water(ground) and place.unit >= 0 and not troops.floats(world, rules, int(place.unit)):
        troops.lose(world, rules, int(place.unit), int(world.units[place.unit].strength), 0)
    if holder >= 0 and before == terrain.WAREHOUSE:
        close_stores(world, rules, holder)
    if holder >= 0 and world.nations[holder].capital == cell and not kind.is_town:
        move_capital(world, rules, holder)
    if owner < 0 or owner != holder:
        place.resistance = resistance.maximum(world, rules, cell)
    else:
        resistance.curb(world, rules, cell)


@kernel
def is_open_water(ground: int) -> bool:
    """Sea or shallows with nothing built on them."""
    return ground == terrain.SEA or ground == terrain.SHALLOWS


@kernel
def can_hold(rules: Rules, ground: int, lying: int) -> bool:
    """Whether a terrain may hold a kind of deposit (MAP-017, MAP-018).

    Oil lies under open water, wasteland, oil fields and monsters, all else in mountains and their mines.
    """
    if lying == deposit.OIL:
        over_it = ground == terrain.OFFSHORE_OIL or ground == terrain.MONSTER
        return is_open_water(ground) or ground == terrain.WASTELAND or over_it
    return ground == terrain.MOUNTAIN or (rules.terrains[ground].mine >= 0 and ground != terrain.OFFSHORE_OIL)


@kernel
def close_stores(world: World, rules: Rules, nation: int) -> None:
    """Count a nation's warehouses again and lose what has no room any more (RES-004, DIS-014)."""
    cells = world.cells.reshape(-1)
    levels = 0
    for i in range(world.cells.size):
        if cells[i].owner == nation and cells[i].terrain == terrain.WAREHOUSE:
            levels += cells[i].level
    world.nations[nation].warehouses = levels
    stock.trim(world, rules, nation)


@kernel
def move_capital(world: World, rules: Rules, nation: int) -> None:
    """The most populous town left, the first of equals, is the capital now; -1 without one (ARMY-065).

    The town keeps the resistance that it has: a capital's maximum is larger (ARMY-009).
    """
    cells = world.cells.reshape(-1)
    capital, most = NOBODY, -1
    for i in range(world.cells.size):
        if cells[i].owner == nation and rules.terrains[cells[i].terrain].is_town:
            if cells[i].population > most:
                capital, most = i, int(cells[i].population)
    world.nations[nation].capital = capital
    if capital >= 0:
        happenings.record(world, event.CAPITAL_MOVED, nation, capital, 0)


@kernel
def claim(world: World, rules: Rules, cell: int, nation: int, ground: int) -> None:
    """Give a cell to ``nation`` at the full resistance of its terrain (ARMY-009).

    The former owner is told; what will look like sea (``ground``) is no event.
    """
    place = world.cells.reshape(-1)[cell]
    if place.owner == nation:
        return
    if rules.terrains[ground].disguise != terrain.SEA:
        happenings.record_between(world, event.CELL_CLAIMED, nation, int(place.owner), cell, 0)
    if place.owner >= 0:
        note_taking(world, cell)
    place.owner = nation
    place.resistance = resistance.maximum_as(world, rules, cell, nation, ground)


@kernel
def note_taking(world: World, cell: int) -> None:
    """Remember that a cell is being taken from its owner, in this turn (AI-047, AI-052)."""
    place = world.cells.reshape(-1)[cell]
    place.taken_from = place.owner
    place.taken_turn = world.clock[0].turn


@kernel
def hand_over(world: World, rules: Rules, cell: int, nation: int) -> None:
    """Give a cell with everything on it to another nation: captured or ceded (ARMY-009, LIMIT-017).

    Resistance is a share of the maximum; a lost capital moves (ARMY-065), a lost warehouse takes its room.
    """
    place = world.cells.reshape(-1)[cell]
    former = int(place.owner)
    place.owner = nation
    share = rules.scalars[0].resistance_after_capture_percent
    place.resistance = resistance.maximum(world, rules, cell) * share // 100
    if former < 0:
        return
    if world.nations[former].capital == cell:
        move_capital(world, rules, former)
    if place.terrain == terrain.WAREHOUSE:
        close_stores(world, rules, former)
