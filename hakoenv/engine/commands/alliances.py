"""Commands of trade leagues and of the containment (CMD-028, CMD-029, CMD-036, CMD-037).

Both are public, and what phase 9 makes of the containment is known before: view and truth agree.
"""

from __future__ import annotations

from hakoenv.engine.codes import command as number
from hakoenv.engine.codes import reason
from hakoenv.engine.diplomacy import containment, leagues
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

FOUND = 0  # amount of league_join; n joins league n (TRD-012)


@kernel
def allowed(world: World, rules: Rules, nation: int, turn: int, command: int, amount: int) -> int:
    """Reason code of joining or leaving a league or the containment, in ``turn``."""
    if command == number.LEAGUE_JOIN:
        return _may_join_league(world, rules, nation, turn, amount)
    if command == number.LEAGUE_LEAVE:
        return reason.DONE if world.nations[nation].league >= 0 else reason.NOT_IN_LEAGUE
    target = containment.target_in(world, rules, turn)
    if target < 0:
        return reason.NO_CONTAINMENT
    if containment.is_ai(world, nation):  # LLM-011
        return reason.JOINS_BY_ITSELF
    is_member = containment.is_member_in(world, rules, nation, turn)
    if command == number.CONTAINMENT_LEAVE:
        return reason.DONE if is_member else reason.NOT_CONTAINING
    if is_member:
        return reason.ALREADY_SO
    return reason.DONE if containment.is_free_to_join(world, target, nation) else reason.TIED_TO_HEGEMON


@kernel
def _may_join_league(world: World, rules: Rules, nation: int, turn: int, amount: int) -> int:
    """One league a nation, and for some turns after leaving one none at all (TRD-003 .. TRD-005)."""
    record = world.nations[nation]
    if amount < FOUND:
        return reason.BAD_AMOUNT
    if record.league >= 0:
        return reason.IN_LEAGUE
    if record.league_left > 0 and turn - record.league_left < rules.scalars[0].league_rejoin_wait:
        return reason.LEFT_LEAGUE_RECENTLY
    return reason.DONE if amount == FOUND or leagues.exists(world, amount) else reason.NO_LEAGUE


@kernel
def carry_out(world: World, nation: int, command: int, amount: int) -> None:
    """The effect of a command of this file that is allowed."""
    if command == number.LEAGUE_LEAVE:
        leagues.leave(world, nation)
    elif command == number.CONTAINMENT_JOIN:
        containment.join(world, nation)
    elif command == number.CONTAINMENT_LEAVE:
        containment.leave(world, nation)
    elif amount == FOUND:
        leagues.found(world, nation)
    else:
        leagues.join(world, nation, amount)
