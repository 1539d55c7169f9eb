"""Units go aboard warships and ashore: embark, disembark."""

from __future__ import annotations

from hakoenv.engine import happenings, view
from hakoenv.engine.codes import event, reason, relation, terrain
from hakoenv.engine.commands import look, outlook
from hakoenv.engine.diplomacy import relations
from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import movement
from hakoenv.engine.navy import vessels
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

NONE = -1


@kernel
def may_embark(world: World, rules: Rules, nation: int, cell: int, direction: int) -> int:
    """Reason code of taking the own unit beside an own warship aboard (EMBARK-001, EMBARK-011)."""
    ship = look.own_warship(world, nation, cell)
    if ship < 0:
        return reason.NO_SHIP
    if direction < 1 or direction > look.DIRECTIONS:
        return reason.BAD_AMOUNT
    place = look.side(world, cell, direction)
    if place < 0:
        return reason.OUTSIDE_MAP
    unit = int(world.cells.flat[place].unit)
    if unit < 0 or world.units[unit].owner != nation:
        return reason.NO_UNIT
    if world.ships[ship].aid > 0:
        return reason.AID_ABOARD
    room = rules.ship_classes[world.ships[ship].kind].capacity_strength
    if room == 0 or vessels.carried(world, ship) >= 0:
        return reason.SHIP_FULL
    return reason.TOO_STRONG if world.units[unit].strength > room else reason.DONE


@kernel
def embark(world: World, cell: int, direction: int) -> None:
    """The unit leaves the map; who had run into it sees it no more."""
    place = look.side(world, cell, direction)
    unit = int(world.cells.flat[place].unit)
    record = world.units[unit]
    world.cells.flat[place].unit = NONE
    record.cell = NONE
    record.aboard = world.cells.flat[cell].ship
    record.met = 0


@kernel
def may_land(
    world: World, rules: Rules, viewer: int, nation: int, turn: int, cell: int, direction: int
) -> int:
    """Reason code of putting the unit aboard an own warship on a cell beside it (EMBARK-002, EMBARK-003).

    Zones of control and ARMY-017 count for nothing: it comes from the sea.
    """
    ship = look.own_warship(world, nation, cell)
    if ship < 0:
        return reason.NO_SHIP
    if direction < 1 or direction > look.DIRECTIONS:
        return reason.BAD_AMOUNT
    unit = vessels.carried(world, ship)
    if unit < 0:
        return reason.NOTHING_ABOARD
    shore = look.side(world, cell, direction)
    if shore < 0:
        return reason.OUTSIDE_MAP
    if view.terrain(world, rules, viewer, shore) == terrain.MONSTER:
        return reason.WRONG_TERRAIN
    if movement.pace_on(world, rules, viewer, unit, shore) == 0:
        return reason.WRONG_TERRAIN
    if view.unit(world, rules, viewer, shore) >= 0:
        return reason.UNIT_IN_THE_WAY
    if view.ship(world, rules, viewer, shore) >= 0:
        return reason.SHIP_IN_THE_WAY
    admitted = _admits(world, nation, turn, view.owner(world, rules, viewer, shore))
    return reason.DONE if admitted else reason.CLOSED_LAND


@kernel
def _admits(world: World, nation: int, turn: int, owner: int) -> bool:
    """Whether land of an owner (-1 nobody) is open to a nation's units in ``turn`` (ARMY-059)."""
    if owner < 0 or owner == nation or relations.are_mates(world, nation, owner):
        return True
    state = outlook.relation_state(world.relations[nation, owner], int(world.clock[0].turn), turn)
    return bool(state == relation.WAR)


@kernel
def land(world: World, nation: int, cell: int, direction: int) -> None:
    """The unit stands on the shore; others' land and nobody's is worth a line of news."""
    shore = look.side(world, cell, direction)
    unit = vessels.carried(world, int(world.cells.flat[cell].ship))
    record = world.units[unit]
    record.aboard = NONE
    record.cell = shore
    world.cells.flat[shore].unit = unit
    owner = int(world.cells.flat[shore].owner)
    if owner != nation:
        happenings.record_between(world, event.LANDED, nation, owner, shore, int(record.strength))
