"""What a nation's staff knows before it gives orders: units, borders, depots, ships, enemies in sight.

One pass over the nation's units, land and sightings fills the lists of a `Staff`; the behaviours of war and
defence (`defence`, `marching`, `diplomacy`, `missiles`, `fleet`, `landing`) read them and mark what they have
decided. A staff is made once for all nations that are planned together and holds nothing from one turn to the
next.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hakoenv.engine import hexgrid, sightings, territory, view
from hakoenv.engine.codes import relation, ship_class, terrain
from hakoenv.engine.diplomacy import relations
from hakoenv.engine.kernel import kernel, zeros
from hakoenv.engine.navy import hulls
from hakoenv.engine.world import SIGHTINGS, World
from hakoenv.ruleset.compiled import Rules

NOTHING = -1
NEIGHBOURS = 7  # disc places 1..6
_FAR = 1 << 30  # more than any distance

# What a unit has to do (`men.task`).
FREE = 0
BOUND = 1  # it is counted where it is and stays
SENT = 2  # it goes to `goal`

_HEAD = np.dtype(
    [
        ("neighbours", "i8"),  # nations that own land beside the nation's land, one bit each
        ("enemies", "i8"),  # in open war with it
        ("rivals", "i8"),  # in open or pending war with it
        ("claimants", "i8"),  # of these, who declared it
        ("corps", "i8"),  # corps that have a unit
        ("ordered", "i8"),  # corps that have their order for this turn
        ("present", "i4"),  # units in `present`
        ("men", "i4"),
        ("fielded", "i4"),  # own units, those that this plan places included
        ("edges", "i4"),
        ("yards", "i4"),
        ("foes", "i4"),
        ("reserves", "i4"),  # strength not spent by this plan
        ("funds", "i4"),  # likewise, without what the field of a food emergency costs
        ("spent", "i4"),  # funds that this plan spends on troops
        ("capital_held", "i4"),  # strength counted around the capital
        ("depot", "i4"),  # plains on which a depot is wanted, -1 none
        ("depot_priority", "i4"),
        ("walks", "i4"),  # walks over the map so far
        ("afloat", "i4"),  # warships in `afloat`
        ("pirates", "i4"),  # pirates on the map
        ("hulls", "i4"),
        ("harbours", "i4"),
        ("charts", "i4"),  # charts of the sea so far
        ("shore", "i4"),  # where a unit and a ship can meet (`ferry.meet`)
        ("quay", "i4"),
        ("lifts", "i4"),  # ships that carry troops to the enemy's coast
        ("helped", "i8"),  # mates in need that it will help, one bit each (`aid`)
        ("given", "i4"),  # strength that this plan gives to mates
        ("far", "i4"),  # the mate to be helped by ship, -1 none
        ("relief", "i4"),  # the ship that is to fetch reserves for it (its place in `hulls`), -1 none
        ("landing", "i4"),  # where a land route to a mate can begin, -1 nowhere (`land_route`)
        ("route", "i4"),  # the next hex of one beside own land, likewise
        ("outer", "i4"),  # which basin the outer sea is, 0 not charted yet (`outer_sea`)
    ],
    align=True,
)
_MAN = np.dtype(  # a unit on the map
    [
        ("near", "i8"),  # neighbours to whose border it is near
        ("unit", "i4"),
        ("cell", "i4"),
        ("goal", "i4"),  # cell it is sent to or has chosen, -1 none
        ("strength", "i4"),
        ("type", "i4"),
        ("corps", "i4"),
        ("task", "i4"),
        ("by_capital", "i4"),
    ],
    align=True,
)
_EDGE = np.dtype(  # own land that touches another nation's land
    [
        ("touches", "i8"),
        ("cell", "i4"),
        ("score", "i8"),  # of a hex that development could take, 0 for others (AI-043, AI-046)
        ("level", "i4"),
        ("away", "i4"),  # steps to the capital
        ("held", "i4"),  # 1 = a unit stands there or is sent there
    ],
    align=True,
)
_YARD = np.dtype(  # a depot
    [
        ("near", "i8"),
        ("cell", "i4"),
        ("by_capital", "i4"),
        ("standing", "i4"),  # strength of the unit on it
        ("man", "i4"),  # its place in `men`, -1 none
        ("type", "i4"),  # its type and corps
        ("corps", "i4"),
        ("used", "i4"),
    ],
    align=True,
)
_FOE = np.dtype(  # an enemy unit in sight
    [
        ("cell", "i4"),
        ("strength", "i4"),
        ("type", "i4"),
        ("worth", "i4"),
        ("faced", "i4"),  # own strength near it
    ],
    align=True,
)
_HULL = np.dtype(  # a warship
    [
        ("ship", "i4"),
        ("cell", "i4"),
        ("kind", "i4"),
        ("fleet", "i4"),  # the orders of this plan included
        ("hp", "i4"),
        ("most", "i4"),
        ("cargo", "i4"),  # the unit aboard, -1 none
        ("aid", "i4"),  # reserves for a mate aboard
        ("role", "i4"),  # what it is for (`fleet`); 0 not decided
        ("moves", "i4"),  # 1 = another fleet has been ordered, which it joins when the plan runs
    ],
    align=True,
)
_LAND = np.dtype([("border", "i4"), ("demand", "i4"), ("held", "i4"), ("men", "i4")], align=True)  # by nation


class Staff(NamedTuple):
    """The lists of one nation; `head` says how many entries of each count.

    Attributes:
        head: one record of what concerns the nation as a whole.
        present: all units on the map, the oldest first.
        men: own units, in that order.
        edges: own border hexes, in cell order.
        yards: own depots, in cell order.
        foes: enemy units in sight.
        lands: by nation, the border with it: own hexes, strength that is wanted and counted near it, units.
        seen, way, queue: by cell, for walks over the map; `seen` holds the number of the walk.
        afloat: all warships of nations, the oldest first.
        cargo: by ship, the unit aboard, -1 none.
        hulls: own warships, in that order.
        harbours: cells of own naval ports, in cell order.
        charted, miles: by cell, for charts of the sea (`ferry.chart`): number of the chart, cells sailed.
        basin: by cell, number of the connected water (`outer_sea`).
    """

    head: Any
    present: Any
    men: Any
    edges: Any
    yards: Any
    foes: Any
    lands: Any
    seen: Any
    way: Any
    queue: Any
    afloat: Any
    cargo: Any
    hulls: Any
    harbours: Any
    charted: Any
    miles: Any
    basin: Any


def assemble(world: World) -> Staff:
    """A staff for a world's size."""
    units, ships, cells = world.units.shape[0], world.ships.shape[0], world.cells.size
    return Staff(
        head=zeros(1, _HEAD),
        present=np.zeros(units, np.int32),
        men=zeros(units, _MAN),
        edges=zeros(cells, _EDGE),
        yards=zeros(cells, _YARD),
        foes=zeros(SIGHTINGS, _FOE),
        lands=zeros(world.nations.shape[0], _LAND),
        seen=np.zeros(cells, np.int32),
        way=np.zeros(cells, np.int32),
        queue=np.zeros(cells, np.int32),
        afloat=np.zeros(ships, np.int32),
        cargo=np.zeros(ships, np.int32),
        hulls=zeros(ships, _HULL),
        harbours=np.zeros(cells, np.int32),
        charted=np.zeros(cells, np.int32),
        miles=np.zeros(cells, np.int32),
        basin=np.zeros(cells, np.int32),
    )


@kernel
def call_roll(world: World, staff: Staff) -> None:
    """List all units on the map and all warships, the oldest first, and who is aboard."""
    staff.head[0].outer = 0
    _list_ships(world, staff)
    present = staff.present
    count = 0
    for u in range(world.clock[0].units):
        unit = world.units[u]
        if unit.owner < 0:
            continue
        if unit.cell < 0:
            if unit.aboard >= 0:
                staff.cargo[unit.aboard] = u
            continue
        k = count
        while k > 0 and world.units[present[k - 1]].serial > unit.serial:
            present[k] = present[k - 1]
            k -= 1
        present[k] = u
        count += 1
    staff.head[0].present = count


@kernel
def _list_ships(world: World, staff: Staff) -> None:
    head = staff.head[0]
    afloat = staff.afloat
    count = 0
    head.pirates = 0
    for s in range(world.clock[0].ships):
        ship = world.ships[s]
        staff.cargo[s] = NOTHING
        head.pirates += ship.kind == ship_class.PIRATE
        if ship.owner < 0 or not view.is_warship(int(ship.kind)):
            continue
        k = count
        while k > 0 and world.ships[afloat[k - 1]].serial > ship.serial:
            afloat[k] = afloat[k - 1]
            k -= 1
        afloat[k] = s
        count += 1
    head.afloat = count


@kernel
def survey(world: World, rules: Rules, n: int, staff: Staff) -> None:
    """Fill the lists for a nation, from what it sees (AI-087)."""
    head = staff.head[0]
    nation = world.nations[n]
    head.neighbours = head.enemies = head.rivals = head.claimants = head.corps = head.ordered = 0
    head.men = head.edges = head.yards = head.foes = head.capital_held = head.spent = 0
    head.hulls = head.harbours = head.lifts = 0
    head.depot = NOTHING
    head.depot_priority = 0
    for b in range(world.nations.shape[0]):
        land = staff.lands[b]
        land.border = land.demand = land.held = land.men = 0
        side = world.relations[n, b]
        fights = side.state == relation.WAR
        if b != n and world.nations[b].alive and (fights or side.state == relation.PENDING):
            head.rivals |= 1 << b
            head.enemies |= int(fights) << b
            head.claimants |= int(side.declarer == b) << b
    for k in range(head.present):
        u = int(staff.present[k])
        unit = world.units[u]
        if unit.owner == n:
            man = staff.men[head.men]
            man.unit, man.cell, man.goal, man.strength = u, unit.cell, NOTHING, unit.strength
            man.type, man.corps, man.task, man.near = unit.type, unit.corps, FREE, 0
            man.by_capital = _near(
                world, int(unit.cell), int(nation.capital), rules.scalars[0].ai_capital_radius
            )
            head.corps |= 1 << int(unit.corps)
            head.men += 1
    head.fielded = head.men
    _inspect_ships(world, rules, n, staff)
    _walk_land(world, rules, n, staff)
    for k in range(head.edges):
        edge = staff.edges[k]
        reach = rules.scalars[0].ai_border_distance
        for m in range(head.men):
            if _near(world, int(staff.men[m].cell), int(edge.cell), reach):
                staff.men[m].near |= edge.touches
        for y in range(head.yards):
            if _near(world, int(staff.yards[y].cell), int(edge.cell), reach):
                staff.yards[y].near |= edge.touches
    _look_out(world, rules, n, staff)


@kernel
def _inspect_ships(world: World, rules: Rules, n: int, staff: Staff) -> None:
    """List own warships."""
    head = staff.head[0]
    for k in range(head.afloat):
        s = int(staff.afloat[k])
        ship = world.ships[s]
        if ship.owner != n:
            continue
        hull = staff.hulls[head.hulls]
        hull.ship, hull.cell, hull.kind, hull.fleet, hull.hp = s, ship.cell, ship.kind, ship.fleet, ship.hp
        hull.most = hulls.most_hp(rules, int(ship.kind), int(ship.experience))
        hull.cargo = staff.cargo[s]
        hull.aid = ship.aid
        hull.role = hull.moves = 0
        if hull.cargo >= 0:
            head.fielded += 1
            head.corps |= 1 << int(world.units[hull.cargo].corps)
        head.hulls += 1


@kernel
def _near(world: World, a: int, b: int, reach: int) -> bool:
    return b >= 0 and hexgrid.distance(world.cells.shape[1], a, b) <= reach


@kernel
def _walk_land(world: World, rules: Rules, n: int, staff: Staff) -> None:
    """List border hexes and depots, and measure the borders."""
    head = staff.head[0]
    nation = world.nations[n]
    cells = world.cells.flat
    height, width = world.cells.shape
    for k in range(nation.first, nation.first + nation.held):
        i = int(world.territory[k])
        cell = cells[i]
        if cell.owner != n:
            continue
        if cell.terrain == terrain.DEPOT:
            yard = staff.yards[head.yards]
            yard.cell, yard.near, yard.standing, yard.man, yard.used = i, 0, 0, NOTHING, 0
            yard.by_capital = _near(world, i, int(nation.capital), rules.scalars[0].ai_capital_radius)
            if cell.unit >= 0:
                unit = world.units[cell.unit]
                yard.standing, yard.type, yard.corps = unit.strength, unit.type, unit.corps
                yard.used = unit.owner != n
                for m in range(head.men):
                    if staff.men[m].cell == i:
                        yard.man = m
            head.yards += 1
        if cell.terrain == terrain.NAVAL_PORT:
            staff.harbours[head.harbours] = i
            head.harbours += 1
        if not territory.is_land(world, rules, i):
            continue
        touches = 0
        for d in range(1, NEIGHBOURS):
            j = hexgrid.nth(width, height, i, d)
            if j >= 0 and cells[j].owner >= 0 and cells[j].owner != n and territory.is_land(world, rules, j):
                touches |= 1 << int(cells[j].owner)
        if touches == 0:
            continue
        head.neighbours |= touches
        for b in range(staff.lands.shape[0]):
            staff.lands[b].border += (touches >> b) & 1
        edge = staff.edges[head.edges]
        edge.cell, edge.touches = i, touches
        edge.held = cell.unit >= 0
        edge.away = hexgrid.distance(width, i, int(nation.capital)) if nation.capital >= 0 else 0
        edge.score, edge.level = _guard_score(world, rules, n, i, int(edge.away))
        head.edges += 1


@kernel
def is_takeable(ground: int) -> bool:
    """Whether development commands of a neighbour can take a hex of that terrain (AI-044)."""
    open_ground = ground == terrain.PLAINS or ground == terrain.WASTELAND
    return bool(open_ground or ground == terrain.FARM or ground == terrain.FACTORY)


@kernel
def _guard_score(world: World, rules: Rules, n: int, i: int, away: int) -> tuple[int, int]:
    """Score and level of a border hex as a destination of guards (AI-046, AI-047); 0 if it can't be taken."""
    s = rules.scalars[0]
    cells = world.cells.flat
    ground = int(cells[i].terrain)
    if not is_takeable(ground):
        return 0, 0
    level = 0
    if ground == terrain.FARM or ground == terrain.FACTORY:
        level = int(cells[i].level) // max(1, rules.terrains[ground].level_step)
    score = s.ai_guard_score + level + max(0, s.ai_guard_capital_radius - away)
    height, width = world.cells.shape
    for k in range(hexgrid.disc_size(s.ai_guard_loss_radius)):
        j = hexgrid.nth(width, height, i, k)
        if j < 0 or cells[j].taken_from != n or cells[j].owner == n or not territory.is_land(world, rules, j):
            continue
        if cells[j].taken_turn > 0 and cells[j].taken_turn == world.clock[0].turn:
            return int(score + s.ai_guard_loss_bonus), level
    return int(score), level


@kernel
def _look_out(world: World, rules: Rules, n: int, staff: Staff) -> None:
    """List the enemy units in sight, what each is worth, and how much own strength is near it (AI-050).

    One near the capital is worth most, so that it comes first.
    """
    s = rules.scalars[0]
    head = staff.head[0]
    width = world.cells.shape[1]
    capital = int(world.nations[n].capital)
    for k in range(SIGHTINGS):
        seen = world.sightings[n, k]
        if seen.what != sightings.UNIT or seen.turn != world.clock[0].turn:
            continue
        if not relations.are_enemies(world, n, int(seen.owner)):
            continue
        foe = staff.foes[head.foes]
        foe.cell, foe.strength, foe.type = seen.cell, seen.strength, seen.type
        foe.worth = s.ai_value_strength * seen.strength
        if capital >= 0 and hexgrid.distance(width, int(seen.cell), capital) <= s.ai_capital_radius:
            foe.worth += s.ai_value_capital
        foe.faced = 0
        for m in range(head.men):
            if hexgrid.distance(width, int(staff.men[m].cell), int(seen.cell)) <= s.ai_support_radius:
                foe.faced += staff.men[m].strength
        head.foes += 1


@kernel
def army_decides(staff: Staff) -> bool:
    """Whether war needs the units that demands leave: a rival beside the land, or an enemy in sight.

    Without either nothing keeps them from border readiness (AI-049).
    """
    head = staff.head[0]
    return bool(head.rivals & head.neighbours) or bool(head.foes > 0)


@kernel
def front(world: World, staff: Staff, cell: int) -> int:
    """The own hex nearest to a cell that touches land of an enemy, or one to be; the cell itself if none."""
    best, least = cell, _FAR
    for e in range(staff.head[0].edges):
        edge = staff.edges[e]
        away = hexgrid.distance(world.cells.shape[1], int(edge.cell), cell)
        if edge.touches & staff.head[0].rivals and away < least:
            best, least = int(edge.cell), away
    return best
