"""Reserves for mates overseas: which ship carries them, what is built for it (AID-022 .. AID-031, AID-036).

A ship that is free for it goes beside an own naval port, is repaired there and takes reserves aboard (command
123); then the engine sails it (`engine/diplomacy/relief.py`). Where a nation lacks a naval port or a ship, it
builds what is missing, one thing a turn, on water of the outer sea.
"""

from __future__ import annotations

from typing import Any

from hakoenv.agents.rule_ai import aid, economy, ferry, fleet, landing, outer_sea, shipyard
from hakoenv.agents.rule_ai.orders import give, write
from hakoenv.agents.rule_ai.staff import NEIGHBOURS, NOTHING, Staff
from hakoenv.agents.rule_ai.voyage import GOAL

from hakoenv.engine import hexgrid, view
from hakoenv.engine.codes import command, item, ship_class, terrain
from hakoenv.engine.commands import shipyard as yard
from hakoenv.engine.diplomacy import relief as carriage
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import waters
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

_KIND = int(ship_class.DESTROYER)  # what is built, and what the sea is charted for
_FAR = 1 << 30  # more than any distance


# ------------------------------------------------------------------ whom, and by which ship


@kernel
def appoint(world: World, rules: Rules, n: int, staff: Staff) -> None:
    """Say whom to help by ship, `head.far`, and which ship fetches reserves for it, `head.relief`.

    The neediest mate with a usable port; of the free ships one that is repaired, then the nearest by sea to
    where it loads, then the lowest id (AID-036). While a land route has no ship yet, one stays free for its
    marines (AID-031).
    """
    head = staff.head[0]
    mates = aid.by_sea_only(staff)
    while mates and head.far < 0:
        b = aid.neediest(world, mates)
        if list_landings(world, rules, n, staff, b) > 0:
            head.far = b
        mates &= ~(1 << b)
    if head.far < 0 or head.harbours == 0:
        return
    free = 0
    for h in range(head.hulls):
        free += _is_free(world, rules, n, staff, h)
    if free <= _marines_want(staff):
        return
    if free > 1:
        sources = shipyard.list_waters(world, rules, n, staff, _KIND, False)
        ferry.chart(world, rules, n, staff, _KIND, sources, world.cells.size)
    best, least = NOTHING, 0
    for h in range(head.hulls):
        if not _is_free(world, rules, n, staff, h):
            continue
        hull = staff.hulls[h]
        cell = int(hull.cell)
        away = int(staff.miles[cell]) if free > 1 and ferry.is_charted(staff, cell) else _FAR
        away += 0 if is_repaired(hull) else 2 * _FAR
        if best < 0 or away < least or (away == least and hull.ship < staff.hulls[best].ship):
            best, least = h, away
    head.relief = best
    staff.hulls[best].role = fleet.RELIEF


@kernel
def _is_free(world: World, rules: Rules, n: int, staff: Staff, h: int) -> bool:
    """Whether a ship on the outer sea may carry reserves: neither kept for defence nor for marines (AID-031).

    The ship of an expansion that is over may, unless a land route will want it.
    """
    hull = staff.hulls[h]
    idle = hull.role == fleet.AWAY and world.nations[n].voyage[GOAL] == 0 and staff.head[0].landing < 0
    if (hull.role != fleet.STRIKE and not idle) or hull.cargo >= 0:
        return False
    roomy = rules.ship_classes[hull.kind].capacity_strength > 0
    return bool(roomy and outer_sea.has(world, staff, int(hull.cell)))


@kernel
def _marines_want(staff: Staff) -> int:
    """How many free ships the marines of a land route still want: one, until they have it (AID-031)."""
    if staff.head[0].landing < 0:
        return 0
    for h in range(staff.head[0].hulls):
        if staff.hulls[h].role == fleet.AWAY:
            return 0
    return 1


@kernel
def is_repaired(hull: Any) -> bool:
    """Whether a ship (its record) has more than half of its most hit points (AID-029)."""
    return bool(2 * hull.hp > hull.most)


@kernel
def list_landings(world: World, rules: Rules, n: int, staff: Staff, b: int) -> int:
    """Write the water of the outer sea beside ports of a mate to the queue; return how much it is (AID-025).

    Where a ship can lie. A dead-end inlet counts only while nobody is seen there (AID-026).
    """
    height, width = world.cells.shape
    outer_sea.chart(world, staff)
    staff.head[0].charts += 1  # so that none is listed twice
    count = 0
    for k in range(world.nations[b].first, world.nations[b].first + world.nations[b].held):
        i = int(world.territory[k])
        ground = view.terrain(world, rules, n, i)
        if world.cells.flat[i].owner != b or (ground != terrain.PORT and ground != terrain.NAVAL_PORT):
            continue
        for direction in range(1, NEIGHBOURS):
            near = hexgrid.nth(width, height, i, direction)
            if near < 0 or ferry.is_charted(staff, near) or not outer_sea.has(world, staff, near):
                continue
            if waters.way(world, rules, n, n, _KIND, near) != waters.OPEN:
                continue
            if outer_sea.is_inlet(world, near) and view.ship(world, rules, n, near) >= 0:
                continue
            staff.charted[near] = staff.head[0].charts
            staff.queue[count] = near
            count += 1
    return count


# ------------------------------------------------------------------ loading


@kernel
def lead(world: World, rules: Rules, n: int, staff: Staff) -> None:
    """Bring the chosen ship beside a naval port, and load it there once it is repaired (AID-013, AID-029)."""
    h = int(staff.head[0].relief)
    if h < 0:
        return
    hull = staff.hulls[h]
    landing.give_fleet(world, rules, n, staff, h)
    strength = min(aid.amount(world, rules, n, staff), carriage.room(rules, int(hull.kind)))
    if strength == 0 or not is_repaired(hull):
        fleet.sail_home(world, rules, n, staff, h)
    elif fleet.from_home(world, staff, int(hull.cell)) != 1:
        fleet.approach(world, rules, n, staff, h, 1)
    elif _may_board(world, rules, n, staff):
        if give(world, rules, n, command.NATIONAL_AID, carriage.RESERVES, strength, int(staff.head[0].far)):
            aid.note_given(staff, strength)


@kernel
def _may_board(world: World, rules: Rules, n: int, staff: Staff) -> bool:
    """Whether the ship that the engine loads, of those at naval ports, is repaired and not the marines'.

    It may be another than the chosen one: as many as are kept for defence stay.
    """
    ship = carriage.next_free(world, rules, n, 0)
    for h in range(staff.head[0].hulls):
        hull = staff.hulls[h]
        if hull.ship == ship:
            marines = hull.role == fleet.AWAY and not _is_free(world, rules, n, staff, h)
            return bool(is_repaired(hull) and not marines)
    return False


# ------------------------------------------------------------------ what is built


@kernel
def build(world: World, rules: Rules, n: int, staff: Staff) -> bool:
    """A naval port, else a destroyer until there is one more than is kept for defence (AID-022, AID-025)."""
    head = staff.head[0]
    if head.far < 0 or aid.amount(world, rules, n, staff) == 0:
        return False
    if head.hulls >= rules.scalars[0].ship_nation_max:
        return False
    if head.harbours == 0:
        return _build_harbour(world, rules, n, staff)
    return lacks_ship(rules, staff) and _build_ship(world, rules, n, staff)


@kernel
def lacks_ship(rules: Rules, staff: Staff) -> bool:
    """Whether there are not more warships yet than are kept for defence and one (AID-023, AID-033)."""
    return bool(staff.head[0].hulls < shipyard.kept(rules, staff) + rules.scalars[0].ai_spare_ships)


@kernel
def _build_harbour(world: World, rules: Rules, n: int, staff: Staff) -> bool:
    """A naval port on own plains, nearest by sea to the mate's ports."""
    if not shipyard.affords(world, rules, n, ship_class.NAVAL_PORT):
        return False
    _chart_from_mate(world, rules, n, staff)
    place = shipyard.harbour_site(world, rules, n, staff, _KIND)
    return place >= 0 and write(world, rules, n, command.BUILD_SHIP, place, yard.NAVAL_PORT)


@kernel
def _build_ship(world: World, rules: Rules, n: int, staff: Staff) -> bool:
    """A destroyer, below the floor of steel only while the mate is attacked (AID-027); not without fuel."""
    left = world.nations[n].treasury[item.STEEL] - rules.ship_classes[_KIND].steel
    attacked = aid.is_attacked(world, int(staff.head[0].far))
    if not attacked and left < economy.steel_floor(world, rules, n, _KIND):
        return False
    if not shipyard.affords(world, rules, n, _KIND):
        return False
    if not shipyard.has_fuel(world, rules, n, staff, _KIND, 1):  # it would be worn down at once
        return False
    _chart_from_mate(world, rules, n, staff)
    place, amount = shipyard.berth(world, rules, n, staff, _KIND)
    return place >= 0 and write(world, rules, n, command.BUILD_SHIP, place, amount)


@kernel
def _chart_from_mate(world: World, rules: Rules, n: int, staff: Staff) -> None:
    """Chart all the water from which the mate's ports can be reached."""
    sources = list_landings(world, rules, n, staff, int(staff.head[0].far))
    ferry.chart(world, rules, n, staff, _KIND, sources, world.cells.size)
