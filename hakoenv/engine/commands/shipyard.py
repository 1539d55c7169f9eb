"""Building, repairing, striking off and salvaging warships."""

from __future__ import annotations

from hakoenv.engine import hexgrid, stock, territory, view
from hakoenv.engine.codes import cause, item, reason, terrain
from hakoenv.engine.commands import look
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import fleets, hulls, vessels, waters, wrecks
from hakoenv.engine.rounding import ceil_div
from hakoenv.engine.world import FLEETS, World
from hakoenv.ruleset.compiled import Rules

NAVAL_PORT = 0  # amounts of build_ship: a naval port, a class into fleet 0, or 100 + fleet x 10 + class
SHIP_BASE, FLEET_BASE = 100, 10
_PERCENT = 100


@kernel
def ordered(amount: int) -> tuple[int, int]:
    """Class and fleet that an amount of build_ship names, class -1 if none (NAVY-024 .. NAVY-026)."""
    kind, fleet = amount, 0
    if amount >= SHIP_BASE:
        kind, fleet = amount % FLEET_BASE, (amount - SHIP_BASE) // FLEET_BASE
    if not view.is_warship(kind) or fleet >= FLEETS:
        return -1, 0
    return kind, fleet


@kernel
def may_build(
    world: World, rules: Rules, viewer: int, nation: int, cell: int, amount: int
) -> tuple[int, int]:
    """Reason code of building a ship on a cell, and its class.

    On free water beside an own naval port (NAVY-095), within the limits of nation, ports and fleet
    (NAVY-037 .. NAVY-039, NAVY-041).
    """
    kind, fleet = ordered(amount)
    if kind < 0 or not rules.ship_classes[kind].nation_builds:
        return reason.BAD_AMOUNT, 0
    why = may_lie(world, rules, viewer, nation, kind, cell)
    if why != reason.DONE:
        return why, kind
    if vessels.warships(world, nation) >= most_ships(world, rules, nation):
        why = reason.TOO_MANY_SHIPS
    elif fleets.size(world, nation, fleet) >= rules.scalars[0].ship_per_fleet:
        why = reason.FLEET_FULL
    elif viewer == view.TRUTH and not vessels.has_room(world):
        why = reason.NO_ROOM
    return why, kind


@kernel
def may_lie(world: World, rules: Rules, viewer: int, nation: int, kind: int, cell: int) -> int:
    """Reason code of the place of a new ship: free water beside an own naval port (NAVY-095)."""
    if not has_port(world, nation, cell):
        return reason.NO_PORT
    if not _is_free_water(world, rules, viewer, kind, cell):
        return reason.WRONG_TERRAIN
    if view.ship(world, rules, viewer, cell) >= 0:
        return reason.SHIP_IN_THE_WAY
    return reason.UNIT_IN_THE_WAY if view.unit(world, rules, viewer, cell) >= 0 else reason.DONE


@kernel
def most_ships(world: World, rules: Rules, nation: int) -> int:
    """Warships that a nation may have when it builds another (NAVY-037, NAVY-038)."""
    scalars = rules.scalars[0]
    ports = territory.count(world, nation, terrain.NAVAL_PORT)
    return int(min(scalars.ship_nation_max, scalars.ship_per_naval_port * ports))


@kernel
def _is_free_water(world: World, rules: Rules, viewer: int, kind: int, cell: int) -> bool:
    """Whether a class can lie there and nothing is built there: open sea, or shallows for who enters them."""
    ground = view.terrain(world, rules, viewer, cell)
    if ground != terrain.SEA and ground != terrain.SHALLOWS:
        return False
    return waters.way(world, rules, viewer, -1, kind, cell) == waters.OPEN


@kernel
def has_port(world: World, nation: int, cell: int) -> bool:
    """Whether an own naval port lies beside a cell."""
    for direction in range(1, look.DIRECTIONS + 1):
        near = look.side(world, cell, direction)
        if near >= 0:
            place = world.cells.flat[near]
            if place.terrain == terrain.NAVAL_PORT and place.owner == nation:
                return True
    return False


@kernel
def build(world: World, rules: Rules, nation: int, cell: int, amount: int) -> None:
    """A new ship lies on the cell and belongs to the fleet named, whose flagship stays (NAVY-040)."""
    kind, fleet = ordered(amount)
    vessels.place(world, rules, nation, kind, cell, fleet)


@kernel
def may_repair(world: World, rules: Rules, nation: int, turn: int, cell: int) -> tuple[int, int]:
    """Reason code of a repair beside an own naval port, and the ship's class (NAVY-089)."""
    ship = look.own_warship(world, nation, cell)
    if ship < 0:
        return reason.NO_SHIP, 0
    record = world.ships[ship]
    why = reason.DONE
    if record.repaired == turn:
        why = reason.ONCE_A_TURN
    elif record.hp >= hulls.most_hp(rules, int(record.kind), int(record.experience)):
        why = reason.AT_FULL_HP
    elif not has_port(world, nation, cell):
        why = reason.NO_PORT
    return why, int(record.kind)


@kernel
def repair(world: World, rules: Rules, cell: int) -> None:
    """The ship regains what a supplied one would, whatever the climate (NAVY-089)."""
    ship = int(world.cells.flat[cell].ship)
    hulls.heal(world, rules, ship, int(rules.scalars[0].ship_supply_repair))
    world.ships[ship].repaired = world.clock[0].turn


@kernel
def may_strike_off(world: World, nation: int, cell: int) -> int:
    """Reason code of striking a ship off: none with a unit or aid reserves aboard (EMBARK-005, NAVY-104)."""
    ship = look.own_warship(world, nation, cell)
    if ship < 0:
        return reason.NO_SHIP
    if world.ships[ship].aid > 0:
        return reason.AID_ABOARD
    return reason.CARRIES if vessels.carried(world, ship) >= 0 else reason.DONE


@kernel
def strike_off(world: World, rules: Rules, nation: int, cell: int) -> None:
    """The ship is gone without a wreck (NAVY-104)."""
    hulls.strike_off(world, int(world.cells.flat[cell].ship))
    stock.gain(world, rules, nation, item.FUNDS, int(rules.scalars[0].ship_decommission_refund), cause.REFUND)


@kernel
def may_salvage(world: World, rules: Rules, nation: int, turn: int, cell: int) -> int:
    """Reason code of a salvage in ``turn``: a wreck, an own warship there, room (NAVY-043 .. NAVY-045)."""
    wreck = wrecks.find(world, rules, cell, turn)
    if wreck < 0:
        return reason.NO_WRECK
    if not _has_warship_near(world, nation, cell):
        return reason.NO_SHIP
    steel = _steel_of(rules, int(world.wrecks[wreck].kind))
    held = int(world.nations[nation].treasury[item.STEEL])
    if held + steel > stock.cap(world, rules, nation, item.STEEL):
        return reason.STOCK_FULL
    return reason.DONE


@kernel
def _has_warship_near(world: World, nation: int, cell: int) -> bool:
    """Whether an own warship lies on a cell or beside it."""
    height, width = world.cells.shape
    for k in range(hexgrid.disc_size(1)):
        near = hexgrid.nth(width, height, cell, k)
        if near >= 0 and look.own_warship(world, nation, near) >= 0:
            return True
    return False


@kernel
def _steel_of(rules: Rules, kind: int) -> int:
    """What the wreck of a class gives: a share of its building steel (NAVY-043, IND-016)."""
    share = int(rules.ship_classes[kind].steel) * int(rules.scalars[0].steel_wreck_percent)
    return int(ceil_div(share, _PERCENT))


@kernel
def salvage(world: World, rules: Rules, nation: int, cell: int) -> None:
    """The oldest wreck on the cell becomes steel (NAVY-042, NAVY-046)."""
    wreck = wrecks.find(world, rules, cell, int(world.clock[0].turn))
    steel = _steel_of(rules, int(world.wrecks[wreck].kind))
    stock.gain(world, rules, nation, item.STEEL, steel, cause.SALVAGE)
    wrecks.remove(world, wreck)
