"""Commands that destroy: missiles, and the self-destruction of a defense facility."""

from __future__ import annotations

from hakoenv.engine.codes import reason, terrain
from hakoenv.engine.commands import sites
from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import blast
from hakoenv.engine.missiles import aim, bases, flight
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def allowed(world: World, rules: Rules, nation: int, turn: int, command: int, cell: int, amount: int) -> int:
    """Reason code of a launch of missiles at a cell (MSL-023: what refuses it, then the friendly check).

    The truth and the nation's own view give the same answer, so a launch is never blocked.
    """
    if amount < 0:
        return reason.BAD_AMOUNT
    if turn - world.nations[nation].founded < rules.scalars[0].diplomacy_founding_lock:  # LIMIT-007
        return reason.TOO_YOUNG
    if not aim.is_target(world, rules, nation, turn, cell):
        return reason.NOT_A_TARGET
    kind = bases.missile_of(rules, command)
    if not bases.any_reaches(world, rules, nation, turn, cell, kind):
        return reason.OUT_OF_RANGE
    radius = aim.scatter(world, rules, kind, turn, cell)
    if aim.endangers_friend(world, rules, nation, cell, radius):
        return reason.FRIEND_IN_RANGE
    return int(flight.lacking(world, rules, nation, turn, command, kind))


@kernel
def may_self_destruct(
    world: World, rules: Rules, viewer: int, nation: int, turn: int, cell: int, amount: int
) -> int:
    """Reason code of blowing up an own defense facility (LIMIT-008, LIMIT-018)."""
    if amount != sites.SELF_DESTRUCT:
        return reason.BAD_AMOUNT
    place = world.cells.flat[cell]
    if place.owner != nation:
        return reason.NOT_OWN_CELL
    if place.terrain != terrain.DEFENSE_FACILITY:
        return reason.WRONG_TERRAIN
    if turn - world.nations[nation].founded < rules.scalars[0].diplomacy_self_destruct_lock:
        return reason.TOO_YOUNG
    return reason.DONE


@kernel
def launch(world: World, rules: Rules, nation: int, command: int, cell: int, amount: int) -> None:
    """Fire the missiles of a command that is allowed; each is paid as it flies (MSL-010, MSL-023)."""
    flight.launch(world, rules, nation, command, cell, amount)


@kernel
def self_destruct(world: World, rules: Rules, nation: int, cell: int) -> None:
    """Blow up a defense facility (LIMIT-018)."""
    blast.blow_up(world, rules, cell)
