"""The navy of a nation but its ships: fleets, limits, what research makes of ship classes; and all wrecks."""

from __future__ import annotations

from hakoenv.engine import damage
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import fleets, vessels
from hakoenv.engine.view import is_warship
from hakoenv.engine.world import FLEETS, World, fleet_dtype
from hakoenv.obs.arrays import Arrays, Scratch, common, copier, fit
from hakoenv.obs.pieces import fleet_record
from hakoenv.ruleset.compiled import Rules

_INT16 = 32_767
_INT32 = 2**31 - 1
_copy_fleet = copier(common(fleet_record, fleet_dtype))


@kernel
def find_wrecks(world: World, scratch: Scratch) -> None:
    """Note the oldest wreck of each cell that has one, in map order (NAVY-042)."""
    noted = scratch.wrecks
    found = 0
    for k in range(world.wrecks.shape[0]):
        wreck = world.wrecks[k]
        if wreck.kind == 0:
            continue
        age = int(world.clock[0].turn) - int(wreck.turn)
        place = found
        while place > 0 and noted[place - 1, 0] >= wreck.cell:
            place -= 1
        if place == found or noted[place, 0] != wreck.cell:
            for later in range(found, place, -1):
                for column in range(noted.shape[1]):
                    noted[later, column] = noted[later - 1, column]
            found += 1
        elif age <= noted[place, 2]:
            continue
        noted[place, 0] = wreck.cell
        noted[place, 1] = wreck.kind
        noted[place, 2] = age
    noted[found, 1] = 0


@kernel
def fill_navy(world: World, rules: Rules, n: int, out: Arrays) -> None:
    """The fleets of nation ``n``, its limits and its ship classes."""
    for number in range(FLEETS):
        _fill_fleet(world, n, number, out)
    ships = 0
    for ship in range(world.clock[0].ships):
        record = world.ships[ship]
        if record.owner == n and record.kind > 0:
            ships += is_warship(int(record.kind))
            if record.fleet >= 0:
                out.fleets[n, record.fleet].ships += 1
    s = rules.scalars[0]
    row = out.own[n]
    row.warships = ships
    row.warships_more = fit(min(s.ship_nation_max, s.ship_per_naval_port * row.naval_ports) - ships, _INT32)
    for kind in range(rules.ship_classes.shape[0]):
        _fill_class(world, rules, n, kind, out)


@kernel
def _fill_fleet(world: World, n: int, number: int, out: Arrays) -> None:
    """Where a fleet is and where it is bound (NAVY-049, NAVY-056)."""
    width = world.cells.shape[1]
    banner = world.fleets[n, number]
    row = out.fleets[n, number]
    _copy_fleet(banner, row)
    row.ships = 0
    row.x = row.y = row.target_x = row.target_y = row.next_x = row.next_y = -1
    if banner.flagship >= 0:
        at = int(world.ships[banner.flagship].cell)
        row.x, row.y = at % width, at // width
    if banner.target >= 0:
        row.target_x, row.target_y = banner.target % width, banner.target // width
    if banner.legs > 0:
        goal = fleets.goal(banner)
        row.next_x, row.next_y = goal % width, goal // width


@kernel
def _fill_class(world: World, rules: Rules, n: int, kind: int, out: Arrays) -> None:
    """A ship class with the nation's research; cruise ships go by none (NAVY-005, NAVY-007, NAVY-008)."""
    built = rules.ship_classes[kind]
    row = out.ship_classes[n, kind]
    row.damage = fit(damage.strengthened(world, rules, n, int(built.damage)), _INT16)
    row.speed = fit(vessels.class_speed(world, rules, n, kind), _INT16)
    row.containers = fit(vessels.shipped(world, rules, n, int(built.capacity_containers)), _INT16)
