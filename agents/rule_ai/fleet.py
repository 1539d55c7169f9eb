"""The rule AI's fleets: who keeps watch at home, who fights, who goes home (AI-050; beyond it ours).

Ships kept for defence are the fleet `HOME` and stay near a naval port. The others sail for the nearest enemy
ship in sight, else for what they can bombard; in peace they hunt pirates and whales near home. Ships that
carry troops (`landing`), reserves for a mate (`relief`) and the ship of an expansion (`overseas`) are led
elsewhere.
"""

from __future__ import annotations

from hakoenv.agents.rule_ai import ferry, judgement, shipyard
from hakoenv.agents.rule_ai.orders import write
from hakoenv.agents.rule_ai.staff import NOTHING, Staff
from hakoenv.agents.rule_ai.voyage import FLEET as EXPEDITION

from hakoenv.engine import hexgrid, sightings, view
from hakoenv.engine.codes import command, fleet_mode, ship_class, terrain
from hakoenv.engine.commands import fleet_orders
from hakoenv.engine.diplomacy import relations
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import fleets
from hakoenv.engine.world import SIGHTINGS, World
from hakoenv.ruleset.compiled import Rules

# What a ship is for (`hulls.role`).
UNDECIDED = 0
GUARD = 1  # kept for defence, or damaged
LIFT = 2  # carries troops, in a fleet of its own
STRIKE = 3
AWAY = 4  # the ship of an expansion
RELIEF = 5  # carries reserves to a mate, or goes to fetch them

HOME = 0  # fleets
_GUNS = 1  # 1..3: ships that bombard
_LIGHT = 4  # 4..6: the others
FIRST_LIFT = 7  # 7..14: a ship each
_BANDS = 3

_FAR = 1 << 30  # more than any distance


@kernel
def keep(world: World, rules: Rules, n: int, staff: Staff) -> None:
    """Say which ships are not free: the expedition's, those with troops or reserves aboard, and guards.

    Guards are those that guard already, then the oldest.
    """
    head = staff.head[0]
    for h in range(head.hulls):
        hull = staff.hulls[h]
        if hull.aid > 0:
            hull.role = RELIEF
        elif hull.fleet == EXPEDITION:
            hull.role = AWAY
        elif hull.cargo >= 0:
            hull.role = LIFT
    missing = shipyard.kept(rules, staff)
    for turn in range(2):
        for h in range(head.hulls):
            hull = staff.hulls[h]
            if missing > 0 and hull.role == UNDECIDED and (turn == 1 or hull.fleet == HOME):
                hull.role = GUARD
                missing -= 1


@kernel
def detail(staff: Staff) -> None:
    """Say what the free ships are for: they fight; damaged ones keep the guards company."""
    for h in range(staff.head[0].hulls):
        hull = staff.hulls[h]
        if hull.role == UNDECIDED:
            hull.role = GUARD if 2 * hull.hp < hull.most else STRIKE


@kernel
def lead(world: World, rules: Rules, n: int, staff: Staff) -> None:
    """Repair, form the fleets, and give each of them its target and mode."""
    head = staff.head[0]
    if head.hulls == 0:
        return
    for h in range(head.hulls):
        _repair(world, rules, n, staff, h)
        _enlist(world, rules, n, staff, h)
    _keep_watch(world, rules, n, staff)
    for h in range(head.hulls):
        hull = staff.hulls[h]
        if hull.role == STRIKE and not hull.moves and _leads(world, n, staff, h):
            _strike(world, rules, n, staff, h)


@kernel
def _leads(world: World, n: int, staff: Staff, h: int) -> bool:
    """Whether a ship is the flagship of its fleet."""
    hull = staff.hulls[h]
    return bool(hull.fleet >= 0 and world.fleets[n, hull.fleet].flagship == hull.ship)


@kernel
def _repair(world: World, rules: Rules, n: int, staff: Staff, h: int) -> None:
    """Repair a ship beside a naval port that is damaged by half or more, in war any that is (NAVY-089)."""
    hull = staff.hulls[h]
    heals = rules.scalars[0].ship_supply_repair  # before the plan runs, being supplied (NAVY-084)
    if hull.hp + heals >= hull.most or (2 * hull.hp > hull.most and not staff.head[0].rivals):
        return
    if not shipyard.supplies(world, rules, n, staff, int(ship_class.NAVAL_PORT)):
        return
    if judgement.funds_after(world, n, 0) >= rules.scalars[0].ai_repair_funds_left:
        if from_home(world, staff, int(hull.cell)) == 1:
            write(world, rules, n, command.NAVAL_REPAIR, int(hull.cell), 0)


@kernel
def _enlist(world: World, rules: Rules, n: int, staff: Staff, h: int) -> None:
    """Send a ship into a fleet of its kind, if one has room (NAVY-039)."""
    hull = staff.hulls[h]
    first, count = int(HOME), 1
    if hull.role == STRIKE:
        first = int(_GUNS if rules.ship_classes[hull.kind].anti_land else _LIGHT)
        count = int(_BANDS)
    elif hull.role != GUARD:
        return
    if first <= hull.fleet < first + count:
        return
    for fleet in range(first, first + count):
        if fleets.size(world, n, fleet) < rules.scalars[0].ship_per_fleet:
            if ferry.assign(world, rules, n, staff, h, fleet):
                return


@kernel
def _set_mode(world: World, rules: Rules, n: int, staff: Staff, h: int, mode: int) -> None:
    """Give the ships of a fleet a mode, by its flagship (NAVY-060)."""
    if world.ships[staff.hulls[h].ship].mode != mode:
        write(world, rules, n, command.FLEET_MODE, int(staff.hulls[h].cell), fleet_orders.WHOLE_FLEET + mode)


# ------------------------------------------------------------------ at home


@kernel
def _keep_watch(world: World, rules: Rules, n: int, staff: Staff) -> None:
    """Ships kept for defence stay near a naval port; one that is too far leads the fleet home."""
    far, most = NOTHING, int(rules.scalars[0].ai_guard_radius)
    for h in range(staff.head[0].hulls):
        hull = staff.hulls[h]
        if hull.role != GUARD or hull.moves:
            continue
        if world.ships[hull.ship].mode != fleet_mode.NORMAL:
            write(world, rules, n, command.FLEET_MODE, int(hull.cell), fleet_mode.NORMAL)
        away = from_home(world, staff, int(hull.cell))
        if away > 1 and 2 * hull.hp < hull.most:
            away = max(away, int(rules.scalars[0].ai_guard_radius) + 1)  # to where it can be repaired
        if away > most:
            far, most = h, away
    if far < 0:
        return
    if not _leads(world, n, staff, far):
        write(world, rules, n, command.FORM_FLEET, int(staff.hulls[far].cell), fleet_orders.FLAGSHIP)
    sail_home(world, rules, n, staff, far)


@kernel
def sail_home(world: World, rules: Rules, n: int, staff: Staff, h: int) -> None:
    """Sail near a naval port; a damaged ship right beside it.

    The others leave the water beside the port to ships that are built there.
    """
    damaged = 2 * staff.hulls[h].hp <= staff.hulls[h].most
    approach(world, rules, n, staff, h, 1 if damaged else int(rules.scalars[0].ai_guard_radius))


@kernel
def approach(world: World, rules: Rules, n: int, staff: Staff, h: int, wanted: int) -> None:
    """Sail to where a naval port is so many steps away, unless the ship is there or on its way."""
    hull = staff.hulls[h]
    target = ferry.target_of(world, n, staff, h)
    if target >= 0 and from_home(world, staff, target) == wanted:
        return
    if from_home(world, staff, int(hull.cell)) == wanted:
        ferry.halt(world, rules, n, staff, h)
        return
    count = ferry.chart_from(world, rules, n, staff, h, int(rules.scalars[0].ai_strike_reach))
    for k in range(count):
        cell = int(staff.queue[k])
        if from_home(world, staff, cell) == wanted:
            if ferry.is_berth(world, rules, n, int(hull.kind), cell, -1):
                ferry.sail(world, rules, n, staff, h, cell)
                return


@kernel
def from_home(world: World, staff: Staff, cell: int) -> int:
    """Steps from a cell to the nearest own naval port, -1 without one."""
    harbour = shipyard.nearest_harbour(world, staff, cell)
    return hexgrid.distance(world.cells.shape[1], cell, harbour) if harbour >= 0 else NOTHING


# ------------------------------------------------------------------ at sea


@kernel
def _strike(world: World, rules: Rules, n: int, staff: Staff, h: int) -> None:
    """Lead a fleet against the nearest enemy ship in sight, else to bombard, else home (AI-050)."""
    hull = staff.hulls[h]
    if not staff.head[0].enemies:
        prey = _nuisance(world, rules, staff, h, n)
        _set_mode(world, rules, n, staff, h, fleet_mode.HUNT if prey >= 0 else fleet_mode.NORMAL)
        _pursue(world, rules, n, staff, h, prey)
        return
    _set_mode(world, rules, n, staff, h, fleet_mode.NORMAL)
    prey = _enemy_ship(world, rules, staff, h, n)
    if prey >= 0 or not rules.ship_classes[hull.kind].anti_land:
        _pursue(world, rules, n, staff, h, prey)
        return
    aim = ferry.target_of(world, n, staff, h)
    if aim < 0:
        aim = int(hull.cell)
    if _in_range(world, rules, n, staff, aim, int(rules.ship_classes[hull.kind].fire_range)) > 0:
        return  # on its way there, or there
    place = _firing_place(world, rules, n, staff, h)
    if place >= 0:
        ferry.sail(world, rules, n, staff, h, place)
    else:
        sail_home(world, rules, n, staff, h)


@kernel
def _pursue(world: World, rules: Rules, n: int, staff: Staff, h: int, prey: int) -> None:
    """Sail for a cell with something to fire at, until it is in range; home if there is none (-1)."""
    if prey < 0:
        sail_home(world, rules, n, staff, h)
        return
    reach = rules.ship_classes[staff.hulls[h].kind].fire_range
    if hexgrid.distance(world.cells.shape[1], int(staff.hulls[h].cell), prey) <= reach:
        ferry.halt(world, rules, n, staff, h)
    else:
        ferry.sail(world, rules, n, staff, h, prey)


@kernel
def _enemy_ship(world: World, rules: Rules, staff: Staff, h: int, n: int) -> int:
    """The cell of the nearest enemy ship in sight that the flagship can fight, -1 none (NAVY-062)."""
    hull = staff.hulls[h]
    own = rules.ship_classes[hull.kind]
    best, least = NOTHING, int(rules.scalars[0].ai_strike_reach) + 1
    for k in range(SIGHTINGS):
        seen = world.sightings[n, k]
        if seen.what != sightings.WARSHIP or seen.turn != world.clock[0].turn:
            continue
        if not relations.are_enemies(world, n, int(seen.owner)):
            continue
        if not (own.anti_sub if seen.type == ship_class.SUBMARINE else own.anti_ship):
            continue
        away = hexgrid.distance(world.cells.shape[1], int(hull.cell), int(seen.cell))
        if away < least or (away == least and seen.cell < best):
            best, least = int(seen.cell), away
    return best


@kernel
def _nuisance(world: World, rules: Rules, staff: Staff, h: int, n: int) -> int:
    """The nearest pirate or whale near an own naval port, -1 none: everybody sees them (NAVY-022)."""
    hull = staff.hulls[h]
    if not rules.ship_classes[hull.kind].anti_ship:
        return NOTHING
    best, least = NOTHING, _FAR
    width = world.cells.shape[1]
    for k in range(world.clock[0].ships if staff.head[0].pirates > 0 else 0):
        if world.ships[k].kind != ship_class.PIRATE:
            continue
        i = int(world.ships[k].cell)
        away = hexgrid.distance(width, int(hull.cell), i)
        if (away < least or (away == least and i < best)) and _is_near_home(world, rules, staff, i):
            best, least = i, away
    last = world.nations[world.nations.shape[0] - 1]
    for k in range(last.first + last.held, world.clock[0].listed):  # whales are listed with ownerless land
        i = int(world.territory[k])
        cell = world.cells.flat[i]
        if cell.terrain != terrain.MONSTER or cell.below != terrain.SEA:
            continue
        away = hexgrid.distance(width, int(hull.cell), i)
        if (away < least or (away == least and i < best)) and _is_near_home(world, rules, staff, i):
            best, least = i, away
    return best


@kernel
def _is_near_home(world: World, rules: Rules, staff: Staff, cell: int) -> bool:
    return 0 <= from_home(world, staff, cell) <= rules.scalars[0].ai_hunt_radius


@kernel
def _in_range(world: World, rules: Rules, n: int, staff: Staff, cell: int, reach: int) -> int:
    """What may be bombarded from a cell: 2 something military, 1 a town, farm or factory, 0 nothing."""
    height, width = world.cells.shape
    found = 0
    for k in range(hexgrid.disc_size(min(reach, hexgrid.MAX_RADIUS))):
        i = hexgrid.nth(width, height, cell, k)
        if i >= 0:
            found = max(found, _prize(world, rules, n, staff, i))
    return found


@kernel
def _prize(world: World, rules: Rules, n: int, staff: Staff, i: int) -> int:
    """What a cell is to a ship's guns, as the nation sees it: as in `_in_range` (BOMB-003, BOMB-012)."""
    owner = view.owner(world, rules, n, i)
    if owner < 0 or not (staff.head[0].enemies >> owner) & 1:
        return 0
    ground = view.terrain(world, rules, n, i)
    if ground == terrain.NAVAL_PORT or ground == terrain.MISSILE_BASE or ground == terrain.DEFENSE_FACILITY:
        return 2
    if rules.terrains[ground].is_town:
        return int(view.population(world, rules, n, i) > 0)
    fields = ground == terrain.FARM or ground == terrain.LARGE_FARM
    return int(fields or ground == terrain.FACTORY or ground == terrain.LARGE_FACTORY)


@kernel
def _firing_place(world: World, rules: Rules, n: int, staff: Staff, h: int) -> int:
    """Where a fleet can lie to bombard something military, else a town, farm or factory; -1 nowhere.

    The nearest such place; ties: lowest index of the target, lowest place around it.
    """
    hull = staff.hulls[h]
    height, width = world.cells.shape
    kind, ship = int(hull.kind), int(hull.ship)
    reach = int(min(rules.ship_classes[kind].fire_range, hexgrid.MAX_RADIUS))
    ferry.chart_from(world, rules, n, staff, h, int(rules.scalars[0].ai_strike_reach))
    best, value, least = NOTHING, 0, 0
    for b in range(world.nations.shape[0]):
        if not (staff.head[0].enemies >> b) & 1:
            continue
        for k in range(world.nations[b].first, world.nations[b].first + world.nations[b].held):
            i = int(world.territory[k])
            prize = _prize(world, rules, n, staff, i)
            if prize == 0 or prize < value:
                continue
            for place in range(1, hexgrid.disc_size(reach)):
                near = hexgrid.nth(width, height, i, place)
                if near < 0 or not ferry.is_charted(staff, near):
                    continue
                if prize == value and staff.miles[near] >= least:
                    continue
                if ferry.is_berth(world, rules, n, kind, near, ship):
                    best, value, least = near, prize, int(staff.miles[near])
    return best
