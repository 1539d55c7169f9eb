"""Factions: terms that lapse (phase 5), and the orders of the turn's plans come into force (phase 30).

An order is checked and paid in phase 14 (``commands/factions.py``). What was registered stands in the results
of the turn's plans: phase 30 carries the orders out in the order of nations and then of plans (TURN-067), and
one that has become impossible gets another reason there.
"""

from __future__ import annotations

import numpy as np

from hakoenv.engine import nation_order, stock
from hakoenv.engine.codes import cause, event, item, reason
from hakoenv.engine.codes import command as number
from hakoenv.engine.commands import prices
from hakoenv.engine.diplomacy import membership, records
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import RESULT_LENGTH, World
from hakoenv.ruleset.compiled import Rules

REFUSE, APPROVE = 0, 1  # amounts of faction_decide
OFFER, ACCEPT = 0, 1  # of faction_handover
ANNOUNCE, CANCEL = 0, 1  # of faction_dissolve
NOT_ANY_MORE, DEMAND = 0, 1  # of faction_demand_leader
_NOBODY = -1
_NOTHING = 0

IS_ORDER = np.zeros(number.LIMIT, np.bool_)
IS_ORDER[
    [
        number.FACTION_CREATE, number.FACTION_APPLY, number.FACTION_DECIDE, number.FACTION_WITHDRAW,
        number.FACTION_LEAVE, number.FACTION_EXPEL, number.FACTION_HANDOVER, number.FACTION_RENAME,
        number.FACTION_DISSOLVE, number.FACTION_DEMAND_LEADER,
    ]
] = True  # fmt: skip


@kernel
def lapse(world: World, rules: Rules) -> None:
    """Applications and offers of the leadership whose last turn has passed lapse (TURN-006, TURN-071).

    The wait of who left a faction ends by its turn alone (FAC-007).
    """
    s = rules.scalars[0]
    turn = int(world.clock[0].turn)
    for n in range(world.nations.shape[0]):
        nation = world.nations[n]
        if nation.applied_to >= 0 and turn - nation.applied > s.faction_application_turns:
            membership.withdraw_application(world, n)
    for f in range(world.factions.shape[0]):
        faction = world.factions[f]
        if faction.heir >= 0 and turn - faction.offered > s.faction_handover_turns:
            membership.withdraw_offer(world, f)


@kernel
def settle(world: World, rules: Rules) -> None:
    """What plans have registered becomes true, then leaders and ends are judged (TURN-031, FAC-014).

    Succession comes last: a faction that is due and has lost its leader is saved by a majority of demands
    only, as any other, and before that turn the notice of a leader that fell runs on under the next one.
    """
    turn = int(world.clock[0].turn)
    for n in range(world.nations.shape[0]):
        if not world.nations[n].alive:
            membership.take_out(world, n)
            _drop_orders(world, n, turn)
    for n in range(world.nations.shape[0]):
        f = int(world.nations[n].applied_to)
        if f >= 0 and membership.refuses(world, rules, f, n, turn):
            _refuse(world, n, f)
    for k in range(nation_order.count(world)):
        _carry_out(world, rules, int(world.order[k]), turn)
    for f in range(world.factions.shape[0]):
        if world.factions[f].active:
            _replace_leader(world, f)
            _end_or_succeed(world, f, turn)


@kernel
def _drop_orders(world: World, nation: int, turn: int) -> None:
    """What a nation that fell has registered in this turn does not happen (FAC-013)."""
    results = world.results[nation]
    for k in range(min(int(world.nations[nation].result_count), RESULT_LENGTH)):
        if results[k].turn == turn and results[k].reason == reason.DONE and IS_ORDER[int(results[k].command)]:
            results[k].reason = reason.FELL


@kernel
def _carry_out(world: World, rules: Rules, nation: int, turn: int) -> None:
    """A nation's orders of this turn come into force, or fail."""
    results = world.results[nation]
    for k in range(min(int(world.nations[nation].result_count), RESULT_LENGTH)):
        order = results[k]
        command, amount, target = int(order.command), int(order.amount), int(order.target)
        if order.turn != turn or order.reason != reason.DONE or not IS_ORDER[command]:
            continue
        if command == number.FACTION_CREATE:
            order.reason = _create(world, rules, nation, turn)
        elif command == number.FACTION_APPLY or command == number.FACTION_WITHDRAW:
            order.reason = _settle_application(world, nation, command, target)
        elif command == number.FACTION_LEAVE or command == number.FACTION_DEMAND_LEADER:
            order.reason = _settle_as_member(world, nation, command, amount)
        elif command == number.FACTION_HANDOVER and amount == ACCEPT:
            order.reason = _take_over(world, nation)
        else:
            order.reason = _settle_as_leader(world, rules, nation, turn, command, amount, target)


@kernel
def _create(world: World, rules: Rules, nation: int, turn: int) -> int:
    """A new faction (FAC-001); if that has become impossible, the fee comes back as far as there is room."""
    place = membership.free_place(world, rules)
    if world.nations[nation].faction < 0 and place >= 0:
        membership.found(world, nation, place)
        return reason.DONE
    command = int(number.FACTION_CREATE)
    for what in range(item.COUNT):
        fee = prices.price(rules, turn, command, prices.COMMAND, command, _NOTHING, what)
        stock.gain(world, rules, nation, what, fee, cause.REFUND)
    return reason.TOO_MANY_FACTIONS if place < 0 else reason.IN_FACTION


@kernel
def _settle_application(world: World, nation: int, command: int, target: int) -> int:
    """A nation applies to the faction of the nation that it named as leader, or to none (FAC-003)."""
    record = world.nations[nation]
    if command == number.FACTION_WITHDRAW:
        if record.applied_to < 0:
            return reason.NO_APPLICATION
        membership.withdraw_application(world, nation)
        return reason.DONE
    f = int(world.nations[target].faction)
    if record.faction >= 0:
        return reason.IN_FACTION
    if f < 0:
        return reason.LEADS_NOTHING
    record.applied_to = f
    record.applied = world.clock[0].turn
    membership.tell(world, event.FACTION_APPLIED, nation, int(world.factions[f].leader), f)
    return reason.DONE


@kernel
def _settle_as_member(world: World, nation: int, command: int, amount: int) -> int:
    """A member leaves, or demands another leader while a notice runs, or no more (FAC-006, FAC-011)."""
    record = world.nations[nation]
    f = int(record.faction)
    if f < 0:
        return reason.NOT_IN_FACTION
    leader = int(world.factions[f].leader)
    if leader == nation:
        return reason.IS_LEADER
    if command == number.FACTION_LEAVE:
        _lose(world, event.FACTION_LEFT, nation, f)
        return reason.DONE
    if world.factions[f].dissolves == 0:
        return reason.NO_NOTICE
    record.demands = amount
    if amount == DEMAND:
        membership.tell(world, event.FACTION_DEMANDED, nation, leader, f)
    return reason.DONE


@kernel
def _take_over(world: World, nation: int) -> int:
    """A member accepts the leadership that it was offered (FAC-008)."""
    f = int(world.nations[nation].faction)
    if f < 0 or world.factions[f].heir != nation:
        return reason.NO_SUCH_OFFER
    membership.lead(world, f, nation)
    return reason.DONE


@kernel
def _settle_as_leader(
    world: World, rules: Rules, nation: int, turn: int, command: int, amount: int, target: int
) -> int:
    """What only the leader of a faction may do (FAC-006)."""
    f = membership.led_by(world, nation)
    if f < 0:
        return reason.NOT_LEADER
    if command == number.FACTION_DECIDE:
        return _decide(world, f, amount, target)
    record = world.factions[f]
    if command == number.FACTION_RENAME:
        record.name = amount
        record.renamed = turn
        membership.tell(world, event.FACTION_RENAMED, nation, _NOBODY, amount)
    elif command == number.FACTION_DISSOLVE:
        if amount == ANNOUNCE:
            record.dissolves = turn + rules.scalars[0].faction_dissolve_turns
            membership.tell(world, event.FACTION_NOTICE, nation, _NOBODY, int(record.dissolves))
        else:
            membership.keep(world, f)
    elif not membership.is_full_member(world, target, f):
        return reason.NOT_A_MEMBER
    elif command == number.FACTION_EXPEL:
        _lose(world, event.FACTION_EXPELLED, target, f)
    else:
        record.heir = target
        record.offered = turn
        membership.tell(world, event.FACTION_OFFERED, nation, target, f)
    return reason.DONE


@kernel
def _decide(world: World, f: int, amount: int, target: int) -> int:
    """The leader lets an applicant in or refuses it; who is at war with a member can't come in (FAC-003)."""
    if world.nations[target].applied_to != f:
        return reason.NO_APPLICATION
    if amount == REFUSE:
        _refuse(world, target, f)
        return reason.DONE
    if membership.fights_a_member(world, target, f):
        return reason.FIGHTS_A_MEMBER
    membership.join(world, target, f)
    return reason.DONE


@kernel
def _refuse(world: World, nation: int, f: int) -> None:
    """An application ends without success."""
    membership.withdraw_application(world, nation)
    membership.tell(world, event.FACTION_REFUSED, nation, int(world.factions[f].leader), f)


@kernel
def _lose(world: World, kind: int, nation: int, f: int) -> None:
    """A member leaves or is expelled, which is held against it (FAC-020)."""
    membership.part(world, nation)
    records.breach(world, nation)
    membership.tell(world, kind, nation, int(world.factions[f].leader), f)


@kernel
def _replace_leader(world: World, f: int) -> None:
    """While a notice runs, demands of more than half of the others change the leader and end it (FAC-011)."""
    if world.factions[f].dissolves == 0:
        return
    others = demands = 0
    for n in range(world.nations.shape[0]):
        if membership.is_full_member(world, n, f) and world.factions[f].leader != n:
            others += 1
            demands += int(world.nations[n].demands)
    if demands * 2 > others:
        membership.lead(world, f, membership.eldest(world, f, True))
        membership.keep(world, f)


@kernel
def _end_or_succeed(world: World, f: int, turn: int) -> None:
    """A faction that is due or without members ends; one without a leader has its oldest member (FAC-013)."""
    due = int(world.factions[f].dissolves)
    heir = membership.eldest(world, f, False)
    if heir < 0 or 0 < due <= turn:
        membership.end(world, f)
    elif world.factions[f].leader < 0:
        membership.lead(world, f, heir)
