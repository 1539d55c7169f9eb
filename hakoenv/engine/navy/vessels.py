"""Ships as records: how they come, how fast they are, what they carry, how many there are."""

from __future__ import annotations

from hakoenv.engine.codes import fleet_mode, research, ship_class
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import fleets
from hakoenv.engine.view import is_warship
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

NONE = -1


@kernel
def is_merchant(kind: int) -> bool:
    """Whether a ship class is a merchant's, small or large (MER-001)."""
    return bool(kind == ship_class.MERCHANT or kind == ship_class.LARGE_MERCHANT)


@kernel
def is_private(kind: int) -> bool:
    """Whether ships of a class are a private sector's: merchants, cruise ships, fishing boats."""
    return bool(is_merchant(kind) or kind == ship_class.CRUISE_SHIP or kind == ship_class.FISHING_BOAT)


@kernel
def place(world: World, rules: Rules, owner: int, kind: int, cell: int, fleet: int) -> int:
    """Make a ship of a class on a free cell (NAVY-095); ``owner`` -1 nobody, ``fleet`` -1 none.

    Returns:
        Its index, or -1 if the list of ships is full.
    """
    for ship in range(world.ships.shape[0]):
        record = world.ships[ship]
        if record.kind > 0:
            continue
        clock = world.clock[0]
        record.serial = clock.ships_made
        clock.ships_made += 1
        clock.ships = max(int(clock.ships), ship + 1)
        record.owner = owner
        record.kind = kind
        record.cell = cell
        record.hp = rules.ship_classes[kind].hp_start
        record.mode = fleet_mode.NORMAL
        record.experience = 0
        record.escort = 0
        record.moved = record.repaired = 0
        record.met = record.aid = 0
        record.fleet = record.aid_to = NONE
        reset_job(world, ship)
        world.cells.flat[cell].ship = ship
        if fleet >= 0:
            fleets.join(world, ship, fleet)
        return ship
    return NONE


@kernel
def reset_job(world: World, ship: int) -> None:
    """A ship has nothing to do, no home and no history."""
    entry = world.jobs[ship]
    entry.home = entry.refuge = entry.goal = entry.unloaded_at = entry.called = NONE
    entry.unlooted = 0
    entry.built = entry.arrived = entry.handled = entry.strayed = entry.searched = entry.chosen = 0
    entry.fuel_counter = entry.waited = 0
    entry.job = entry.paid = entry.dormant = entry.detour_length = entry.detour_done = 0
    entry.detour[:] = 0


@kernel
def has_room(world: World) -> bool:
    """Whether the list of ships has a free place."""
    for ship in range(world.ships.shape[0]):
        if world.ships[ship].kind == 0:
            return True
    return False


@kernel
def speed(world: World, rules: Rules, ship: int) -> int:
    """Movement points of a ship in a turn (NAVY-008, NAVY-105).

    Research, then for warships the weather where it lies, never below 1.
    """
    record = world.ships[ship]
    points = class_speed(world, rules, int(record.owner), int(record.kind))
    if is_warship(int(record.kind)):
        zone = int(world.cells.flat[record.cell].climate)
        points = max(1, points + int(rules.weather[world.clock[0].weather[zone]].ship_speed_bonus))
    return points


@kernel
def class_speed(world: World, rules: Rules, owner: int, kind: int) -> int:
    """Speed of a nation's (-1 nobody's) ship class; cruise ships use no research (NAVY-008)."""
    points = int(rules.ship_classes[kind].speed)
    return points if owner < 0 or kind == ship_class.CRUISE_SHIP else shipped(world, rules, owner, points)


@kernel
def shipped(world: World, rules: Rules, nation: int, amount: int) -> int:
    """A speed or cargo capacity with the nation's shipping research, cut once (NAVY-008)."""
    level = world.nations[nation].research[research.SHIPPING]
    return int(amount * rules.research[research.SHIPPING, level].effect_percent // 100)


@kernel
def carried(world: World, ship: int) -> int:
    """The unit aboard a ship, -1 none; a ship carries one at most (EMBARK-011)."""
    for u in range(world.clock[0].units):
        if world.units[u].owner >= 0 and world.units[u].aboard == ship:
            return u
    return NONE


@kernel
def warships(world: World, nation: int) -> int:
    """Warships of a nation (NAVY-037)."""
    count = 0
    for ship in range(world.clock[0].ships):
        record = world.ships[ship]
        count += record.owner == nation and is_warship(int(record.kind))
    return count
