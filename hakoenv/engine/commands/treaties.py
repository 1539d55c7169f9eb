"""Commands between two nations: war, ceasefire, amity, and land that changes hands in peace.

Relations are public and offers known to both sides, so a nation's view and the truth agree here.
"""

from __future__ import annotations

from hakoenv.engine import ground, happenings, hexgrid, territory
from hakoenv.engine.codes import command as number
from hakoenv.engine.codes import event, reason, relation, war_origin
from hakoenv.engine.commands import outlook
from hakoenv.engine.diplomacy import containment, relations, terms
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

WITHDRAW = 1  # amount of ceasefire and amity; 0 offers or accepts
_NEIGHBOURS = 6


@kernel
def allowed(
    world: World, rules: Rules, nation: int, turn: int, command: int, amount: int, target: int
) -> int:
    """Reason code of declare_war, ceasefire or amity toward a nation (LIMIT-002 .. LIMIT-005)."""
    if not _is_partner(world, nation, target):
        return reason.BAD_TARGET
    if terms.is_young(world, rules, nation, turn):
        return reason.TOO_YOUNG
    if terms.is_young(world, rules, target, turn):
        return reason.PARTNER_TOO_YOUNG
    side = world.relations[nation, target]
    state = outlook.relation_state(side, int(world.clock[0].turn), turn)
    fighting = state == relation.PENDING or state == relation.WAR
    if command == number.CEASEFIRE:
        if not fighting:
            return reason.NOT_AT_WAR
    elif fighting:
        return reason.AT_WAR
    if command == number.DECLARE_WAR:
        return _may_declare(world, rules, nation, turn, target)
    if amount != 0 and amount != WITHDRAW:
        return reason.BAD_AMOUNT
    if state == relation.AMITY:
        return reason.DONE if amount == WITHDRAW else reason.AMITY_IN_FORCE
    if amount == WITHDRAW and not terms.offers(world, nation, target, turn):
        return reason.NO_OFFER
    return reason.DONE


@kernel
def _is_partner(world: World, nation: int, target: int) -> bool:
    """Whether there is another, living nation of that number."""
    if target < 0 or target >= world.nations.shape[0] or target == nation:
        return False
    return bool(world.nations[target].alive)


@kernel
def _may_declare(world: World, rules: Rules, nation: int, turn: int, target: int) -> int:
    """Reason code of a declaration between two nations that are not at war (LIMIT-014)."""
    side = world.relations[nation, target]
    if side.state == relation.AMITY:
        return reason.AMITY_IN_FORCE
    if relations.are_mates(world, nation, target):
        return reason.SAME_FACTION
    if outlook.truce(side, int(world.clock[0].turn), turn):
        return reason.TRUCE_IN_FORCE
    incoming = 0
    for other in range(world.nations.shape[0]):
        between = world.relations[other, target]
        if between.declarer == other and between.origin == war_origin.DECLARATION:  # CONT-016
            incoming += 1
    most = rules.scalars[0].diplomacy_incoming_wars_max
    return reason.TOO_MANY_WARS if incoming >= most else reason.DONE


@kernel
def may_cede(world: World, rules: Rules, nation: int, turn: int, cell: int, target: int) -> int:
    """Reason code of cede_land: a cell for a nation (LIMIT-006, LIMIT-010, LIMIT-017)."""
    record = world.nations[nation]
    place = world.cells.flat[cell]
    now = int(world.clock[0].turn)
    if not _is_partner(world, nation, target):
        return reason.BAD_TARGET
    if terms.is_young(world, rules, nation, turn):  # the receiver may be young: LIMIT-006
        return reason.TOO_YOUNG
    if place.owner != nation:
        return reason.NOT_OWN_CELL
    if not territory.is_land(world, rules, cell):
        return reason.WRONG_TERRAIN
    if record.capital == cell:
        return reason.IS_CAPITAL
    if place.unit >= 0:
        return reason.UNIT_IN_THE_WAY
    if outlook.relation_state(world.relations[nation, target], now, turn) == relation.WAR:
        return reason.AT_WAR
    if turn == now and record.ceded >= rules.scalars[0].diplomacy_cession_per_turn:
        return reason.ONCE_A_TURN
    height, width = world.cells.shape
    for direction in range(1, _NEIGHBOURS + 1):
        near = hexgrid.neighbour(width, height, cell, direction)
        if near >= 0 and world.cells.flat[near].owner == target and territory.is_land(world, rules, near):
            return reason.DONE
    return reason.NO_BORDER


@kernel
def carry_out(
    world: World, rules: Rules, nation: int, command: int, cell: int, amount: int, target: int
) -> None:
    """The effect of a command of this file that is allowed."""
    if command == number.CEDE_LAND:
        world.nations[nation].ceded += 1
        happenings.record_between(world, event.CELL_CEDED, nation, target, cell, 0)
        ground.hand_over(world, rules, cell, target)
    elif command == number.DECLARE_WAR:
        terms.begin_war(world, rules, nation, target, int(war_origin.DECLARATION))
        containment.stand_together(world, rules, nation, target)
    elif amount == WITHDRAW:
        if world.relations[nation, target].state == relation.AMITY:
            terms.cancel_amity(world, nation, target)
        else:
            world.relations[nation, target].offer_until = 0
    elif terms.offers(world, target, nation, int(world.clock[0].turn)):
        if command == number.CEASEFIRE:
            terms.make_peace(world, rules, nation, target)
        else:
            terms.make_amity(world, nation, target)
    elif command == number.CEASEFIRE:
        turns = rules.scalars[0].diplomacy_ceasefire_offer_turns
        terms.offer(world, nation, target, event.CEASEFIRE_OFFERED, turns)
    else:
        terms.offer(world, nation, target, event.AMITY_OFFERED, rules.scalars[0].diplomacy_amity_offer_turns)
