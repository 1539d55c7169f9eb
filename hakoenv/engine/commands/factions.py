"""Commands of factions (CMD-046): whether a nation may give one; phase 30 carries it out (TURN-067).

Factions, their members, departures and wars are public, and an application is known to both sides, so a
nation's view and the truth agree here. An order is judged on the factions as they stand before phase 30, and
on what the nation itself has registered in the same turn: what its own earlier order makes impossible is
refused.
"""

from __future__ import annotations

from hakoenv.engine.codes import command as number
from hakoenv.engine.codes import reason
from hakoenv.engine.diplomacy import factions, membership
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import RESULT_LENGTH, World
from hakoenv.ruleset.compiled import Rules

NAMES = 1000  # amount of faction_rename: a name number below
_ANY = -1  # of an amount or a target


@kernel
def allowed(
    world: World, rules: Rules, nation: int, turn: int, command: int, amount: int, target: int
) -> int:
    """Reason code of a faction command; DONE if it can be registered."""
    if command == number.FACTION_CREATE:
        return _may_create(world, rules, nation, turn)
    if command == number.FACTION_APPLY:
        return _may_apply(world, rules, nation, turn, target)
    if command == number.FACTION_WITHDRAW:
        founds = _ordered(world, nation, turn, number.FACTION_CREATE, _ANY, _ANY)
        if founds or membership.application(world, rules, nation, turn) < 0:
            return reason.NO_APPLICATION
        return reason.ONCE_A_TURN if _ordered(world, nation, turn, command, _ANY, _ANY) else reason.DONE
    if command == number.FACTION_LEAVE or command == number.FACTION_DEMAND_LEADER:
        return _may_as_member(world, nation, turn, command, amount)
    if command == number.FACTION_HANDOVER and amount == factions.ACCEPT:
        return _may_accept(world, rules, nation, turn)
    f = membership.led_by(world, nation)
    if f < 0:
        return reason.NOT_LEADER
    if command == number.FACTION_RENAME:
        return _may_rename(world, rules, nation, turn, f, amount)
    if command == number.FACTION_DISSOLVE:
        return _may_dissolve(world, nation, turn, f, amount)
    if target < 0 or target >= world.nations.shape[0] or target == nation or not world.nations[target].alive:
        return reason.BAD_TARGET
    if command == number.FACTION_DECIDE:
        return _may_decide(world, rules, nation, turn, f, amount, target)
    if command == number.FACTION_HANDOVER and amount != factions.OFFER:
        return reason.BAD_AMOUNT
    gone = _ordered(world, nation, turn, number.FACTION_EXPEL, _ANY, target)
    return reason.DONE if membership.is_full_member(world, target, f) and not gone else reason.NOT_A_MEMBER


@kernel
def _may_create(world: World, rules: Rules, nation: int, turn: int) -> int:
    """A nation in no faction, and a place that is free and not held by an order of this turn (FAC-002)."""
    if _is_bound(world, nation, turn):
        return reason.IN_FACTION
    taken = 0
    for f in range(world.factions.shape[0]):
        taken += int(world.factions[f].active)
    for n in range(world.nations.shape[0]):
        taken += int(_ordered(world, n, turn, number.FACTION_CREATE, _ANY, _ANY))
    return reason.DONE if taken < rules.scalars[0].faction_max else reason.TOO_MANY_FACTIONS


@kernel
def _may_apply(world: World, rules: Rules, nation: int, turn: int, target: int) -> int:
    """A nation in no faction may apply once it has waited, and again: the last one counts (FAC-003)."""
    if target < 0 or target >= world.nations.shape[0] or target == nation or not world.nations[target].alive:
        return reason.BAD_TARGET
    if _is_bound(world, nation, turn):
        return reason.IN_FACTION
    if membership.waits(world, rules, nation, turn):
        return reason.LEFT_TOO_RECENTLY
    return reason.DONE if membership.led_by(world, target) >= 0 else reason.LEADS_NOTHING


@kernel
def _is_bound(world: World, nation: int, turn: int) -> bool:
    """Whether a nation is in a faction, one that it leaves in this turn included, or founds one."""
    if world.nations[nation].faction >= 0:
        return True
    return _ordered(world, nation, turn, number.FACTION_CREATE, _ANY, _ANY)


@kernel
def _may_as_member(world: World, nation: int, turn: int, command: int, amount: int) -> int:
    """A member other than the leader may leave, and demand another while a notice runs (FAC-006, FAC-011)."""
    record = world.nations[nation]
    if record.faction < 0 or _ordered(world, nation, turn, number.FACTION_LEAVE, _ANY, _ANY):
        return reason.NOT_IN_FACTION
    f = int(record.faction)
    follows = _ordered(world, nation, turn, number.FACTION_HANDOVER, factions.ACCEPT, _ANY)
    if world.factions[f].leader == nation or follows:
        return reason.IS_LEADER
    if command == number.FACTION_LEAVE:
        return reason.DONE
    if amount != factions.DEMAND and amount != factions.NOT_ANY_MORE:
        return reason.BAD_AMOUNT
    if world.factions[f].dissolves == 0:
        return reason.NO_NOTICE
    if record.demands == amount:
        return reason.ALREADY_SO
    return reason.ONCE_A_TURN if _ordered(world, nation, turn, command, _ANY, _ANY) else reason.DONE


@kernel
def _may_accept(world: World, rules: Rules, nation: int, turn: int) -> int:
    """The member to whom the leadership was offered in one of the last turns (FAC-008)."""
    f = int(world.nations[nation].faction)
    if f < 0 or _ordered(world, nation, turn, number.FACTION_LEAVE, _ANY, _ANY):
        return reason.NOT_IN_FACTION
    if not membership.may_take_over(world, rules, nation, turn):
        return reason.NO_SUCH_OFFER
    again = _ordered(world, nation, turn, number.FACTION_HANDOVER, factions.ACCEPT, _ANY)
    return reason.ONCE_A_TURN if again else reason.DONE


@kernel
def _may_rename(world: World, rules: Rules, nation: int, turn: int, f: int, amount: int) -> int:
    """Another name, long enough after the last one (FAC-009)."""
    if amount < 0 or amount >= NAMES:
        return reason.BAD_AMOUNT
    if not membership.may_rename(world, rules, f, turn):
        return reason.RENAMED_TOO_RECENTLY
    again = _ordered(world, nation, turn, number.FACTION_RENAME, _ANY, _ANY)
    return reason.ONCE_A_TURN if again else reason.DONE


@kernel
def _may_dissolve(world: World, nation: int, turn: int, f: int, amount: int) -> int:
    """A notice if none runs, or the end of one that runs: one of this turn is none yet (FAC-010)."""
    runs = world.factions[f].dissolves > 0
    if amount != factions.ANNOUNCE and amount != factions.CANCEL:
        return reason.BAD_AMOUNT
    if amount == factions.ANNOUNCE and runs:
        return reason.ALREADY_SO
    if amount == factions.CANCEL and not runs:
        return reason.NO_NOTICE
    again = _ordered(world, nation, turn, number.FACTION_DISSOLVE, _ANY, _ANY)
    return reason.ONCE_A_TURN if again else reason.DONE


@kernel
def _may_decide(world: World, rules: Rules, nation: int, turn: int, f: int, amount: int, target: int) -> int:
    """Each application once; who is at war with a member, or with another that is let in, stays out."""
    if amount != factions.APPROVE and amount != factions.REFUSE:
        return reason.BAD_AMOUNT
    if membership.application(world, rules, target, turn) != f:
        return reason.NO_APPLICATION
    if _ordered(world, nation, turn, number.FACTION_DECIDE, _ANY, target):
        return reason.ONCE_A_TURN
    if amount == factions.REFUSE:
        return reason.DONE
    if membership.refuses(world, rules, f, target, turn):
        return reason.UNRELIABLE
    fights = membership.fights_a_member(world, target, f)
    for other in range(world.nations.shape[0]):
        if not fights and membership.are_fighting(world, target, other):
            fights = _ordered(world, nation, turn, number.FACTION_DECIDE, factions.APPROVE, other)
    return reason.FIGHTS_A_MEMBER if fights else reason.DONE


@kernel
def _ordered(world: World, nation: int, turn: int, command: int, amount: int, target: int) -> bool:
    """Whether a nation's plan has registered such an order in ``turn`` so far; results stand in order."""
    results = world.results[nation]
    for k in range(RESULT_LENGTH):
        order = results[k]
        if order.turn != turn:
            return False
        if order.command == command and order.reason == reason.DONE:
            if (amount == _ANY or order.amount == amount) and (target == _ANY or order.target == target):
                return True
    return False
