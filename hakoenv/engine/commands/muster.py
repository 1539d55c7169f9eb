"""Commands that raise, place and equip troops: conscript, place_unit, equip_item.

All concern own cells and units, and whoever stands on own land or beside it is seen: view and truth
agree but at sea, and for the room in the list of all units, which is nobody's to know.
"""

from __future__ import annotations

from hakoenv.engine import hexgrid, view
from hakoenv.engine.codes import command as number
from hakoenv.engine.codes import reason, relation, terrain, unit_item, unit_type
from hakoenv.engine.commands import outlook, prices
from hakoenv.engine.economy import towns
from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import movement, troops
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

TYPE_BASE, CORPS_BASE = 10000, 200  # amount of place_unit = type x 10000 + corps x 200 + strength - 1
ALL = 0  # amount of conscript: as many as may go
TAKE_BACK = 0  # amount of equip_item
_PERCENT = 100


@kernel
def allowed(
    world: World, rules: Rules, viewer: int, nation: int, turn: int, command: int, cell: int, amount: int
) -> tuple[int, int, int, int]:
    """Whether a command for troops on a cell is allowed: (reason, price kind, price row, price level)."""
    if command == number.PLACE_UNIT:
        why, kind, added = _placement(world, rules, viewer, nation, turn, cell, amount)
        return why, int(prices.UNIT), kind, added
    if command == number.CONSCRIPT:
        why = _may_conscript(world, rules, viewer, nation, turn, cell, amount)
    else:
        why = _may_equip(world, rules, viewer, nation, cell, amount)
    return why, int(prices.COMMAND), command, 0


@kernel
def carry_out(world: World, rules: Rules, nation: int, command: int, cell: int, amount: int) -> None:
    """The effect of a command for troops that is allowed and paid."""
    if command == number.PLACE_UNIT:
        _place(world, rules, nation, cell, amount)
    elif command == number.CONSCRIPT:
        _conscript(world, rules, nation, cell, amount)
    else:
        _equip(world, nation, cell, amount)


@kernel
def _conscripts(world: World, rules: Rules, cell: int, amount: int) -> tuple[int, int]:
    """How many people a conscription takes from a town, and how many may go at most (ARMY-062)."""
    people = int(world.cells.flat[cell].population)
    most = people * rules.scalars[0].army_conscript_max_percent // _PERCENT
    return most if amount == ALL else amount, min(most, people - 1)


@kernel
def _may_conscript(
    world: World, rules: Rules, viewer: int, nation: int, turn: int, cell: int, amount: int
) -> int:
    """Reason code of conscript: an own town that is not under attack, once a turn (ARMY-062)."""
    place = world.cells.flat[cell]
    if amount < 0:
        return reason.BAD_AMOUNT
    if place.owner != nation:
        return reason.NOT_OWN_CELL
    if not rules.terrains[place.terrain].is_town:
        return reason.WRONG_TERRAIN
    if place.mustered == turn:
        return reason.ONCE_A_TURN
    if _under_attack(world, rules, viewer, nation, turn, cell):
        return reason.ENEMY_NEAR
    taken, most = _conscripts(world, rules, cell, amount)
    return reason.DONE if 0 < taken <= most else reason.NOT_ENOUGH_POPULATION


@kernel
def _under_attack(world: World, rules: Rules, viewer: int, nation: int, turn: int, cell: int) -> bool:
    """Whether a unit of a nation in open war with ``nation`` stands on the cell or beside it (ARMY-062)."""
    height, width = world.cells.shape
    now = int(world.clock[0].turn)
    for k in range(hexgrid.disc_size(1)):
        near = hexgrid.nth(width, height, cell, k)
        unit = view.unit(world, rules, viewer, near) if near >= 0 else -1
        if unit < 0:
            continue
        side = world.relations[nation, world.units[unit].owner]
        if outlook.relation_state(side, now, turn) == relation.WAR:
            return True
    return False


@kernel
def _conscript(world: World, rules: Rules, nation: int, cell: int, amount: int) -> None:
    """People leave the town at once and join the reserves in the next turn (ARMY-062, TURN-065)."""
    record = world.nations[nation]
    taken, _ = _conscripts(world, rules, cell, amount)
    gone = towns.lose(world, rules, cell, taken, 1)
    if rules.scalars[0].army_conscript_delay:
        record.conscripts += gone
    else:
        record.reserves += gone
    world.cells.flat[cell].mustered = world.clock[0].turn


@kernel
def _placement(
    world: World, rules: Rules, viewer: int, nation: int, turn: int, cell: int, amount: int
) -> tuple[int, int, int]:
    """What place_unit comes to: (reason, type that the unit ends with, strength added) (ARMY-061, ARMY-019).

    What a unit has no room for stays in the reserves, which must hold all that was named.
    """
    place = world.cells.flat[cell]
    scalars = rules.scalars[0]
    kind, corps, strength = amount // TYPE_BASE, amount % TYPE_BASE // CORPS_BASE, amount % CORPS_BASE + 1
    if kind < 0 or kind >= unit_type.COUNT or corps >= scalars.army_corps:
        return reason.BAD_AMOUNT, 0, 0
    if place.owner != nation:
        return reason.NOT_OWN_CELL, 0, 0
    if place.terrain != terrain.DEPOT:
        return reason.WRONG_TERRAIN, 0, 0
    if place.mustered == turn:
        return reason.ONCE_A_TURN, 0, 0
    standing = 0
    if place.unit >= 0:
        unit = world.units[place.unit]
        if unit.owner != nation:
            return reason.UNIT_IN_THE_WAY, 0, 0
        standing = int(unit.strength)
        if not rules.unit_types[unit.type].type_change:
            kind = int(unit.type)
    elif viewer == view.TRUTH and not _has_room(world):
        return reason.NO_ROOM, 0, 0
    most = min(rules.unit_types[kind].max_strength, scalars.army_unit_max_strength)
    added = min(strength, most - standing)
    why = reason.DONE
    if added <= 0:
        why = reason.AT_FULL_STRENGTH
    elif standing + added < scalars.army_unit_min_strength:
        why = reason.BAD_AMOUNT
    elif outlook.reserves(world.nations[nation], int(world.clock[0].turn), turn) < strength:
        why = reason.NO_STRENGTH
    return why, kind, added


@kernel
def _has_room(world: World) -> bool:
    """Whether the list of units has a free place."""
    for k in range(world.units.shape[0]):
        if world.units[k].owner < 0:
            return True
    return False


@kernel
def _place(world: World, rules: Rules, nation: int, cell: int, amount: int) -> None:
    """Reserves become a unit or join the one that stands there, which dilutes experience (ARMY-061)."""
    turn = int(world.clock[0].turn)
    place = world.cells.flat[cell]
    corps = amount % TYPE_BASE // CORPS_BASE
    _, kind, added = _placement(world, rules, int(view.TRUTH), nation, turn, cell, amount)
    if place.unit < 0:
        troops.place(world, nation, kind, corps, cell, added)
    else:
        unit = world.units[place.unit]
        standing = int(unit.strength)
        unit.experience = int(unit.experience) * standing // (standing + added)
        unit.strength = standing + added
        unit.type = kind
        unit.corps = corps
    world.nations[nation].reserves -= added
    place.mustered = turn


@kernel
def _may_equip(world: World, rules: Rules, viewer: int, nation: int, cell: int, amount: int) -> int:
    """Reason code of equip_item: an own unit, and an item that the store or the unit has (ARMY-055).

    Whoever stands on water in the shoes keeps them on (ARMY-069).
    """
    if amount < TAKE_BACK or amount >= unit_item.COUNT:
        return reason.BAD_AMOUNT
    standing = int(world.cells.flat[cell].unit)
    if standing < 0 or world.units[standing].owner != nation:
        return reason.NO_UNIT
    kind, carried = int(world.units[standing].type), int(world.units[standing].carries)
    if amount == TAKE_BACK and carried == unit_item.NONE:
        return reason.NO_ITEM
    if carried == amount:
        return reason.ALREADY_SO
    if amount != TAKE_BACK and world.nations[nation].items[amount] <= 0:
        return reason.NO_ITEM
    ground = movement.ground_of(world, rules, viewer, cell)
    stands = troops.pace(rules, kind, carried, ground) > 0
    return reason.DONE if not stands or troops.pace(rules, kind, amount, ground) > 0 else reason.WRONG_TERRAIN


@kernel
def _equip(world: World, nation: int, cell: int, amount: int) -> None:
    """An item passes from the store to the unit, what the unit held goes back to the store (ARMY-055)."""
    unit = world.units[world.cells.flat[cell].unit]
    store = world.nations[nation].items
    if unit.carries != unit_item.NONE:
        store[unit.carries] += 1
    if amount != TAKE_BACK:
        store[amount] -= 1
    unit.carries = amount
