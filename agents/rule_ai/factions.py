"""The rule AI in factions: whom it admits (AI-071, LLM-013), where it applies, when it founds one or goes.

What goes beyond the admission is ours. A nation looks for the help of others, but wants a neighbour left to
take land from, and no faction so strong that nobody can stand up to it; the fiercest want no mates at all.
"""

from __future__ import annotations

from hakoenv.agents.rule_ai import defence, judgement
from hakoenv.agents.rule_ai.orders import NOWHERE, address, write
from hakoenv.agents.rule_ai.staff import NOTHING, Staff
from hakoenv.agents.rule_ai.standing import might, temper

from hakoenv.engine.codes import command, controller
from hakoenv.engine.diplomacy import records
from hakoenv.engine.diplomacy.factions import ACCEPT, ANNOUNCE, APPROVE, CANCEL, DEMAND
from hakoenv.engine.diplomacy.membership import are_fighting, fights_a_member
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

_BESIDE = 2  # times that the might of a member counts which has a border or an enemy in common


@kernel
def answer(world: World, rules: Rules, n: int) -> None:
    """Do what membership asks of a nation: decide on applications, take over, stay or go.

    As the proxy of a silent nation it only decides on applications (LLM-013).
    """
    nation = world.nations[n]
    f = int(nation.faction)
    if f < 0:
        return
    if world.factions[f].leader == n:
        _admit(world, rules, n, f)
    if nation.controller != controller.RULE_AI:
        return
    if world.factions[f].heir == n:
        address(world, rules, n, command.FACTION_HANDOVER, 0, ACCEPT)
    _stay_or_go(world, rules, n, f)


@kernel
def _admit(world: World, rules: Rules, n: int, f: int) -> None:
    """Accept whoever applies and may be accepted (AI-071).

    Who is at war with a member may not, and waits for peace; unreliable ones are refused by rule (AI-070).
    """
    for a in range(world.nations.shape[0]):
        if world.nations[a].applied_to == f:
            address(world, rules, n, command.FACTION_DECIDE, a, APPROVE)


@kernel
def _stay_or_go(world: World, rules: Rules, n: int, f: int) -> None:
    """Leave a faction that is of no use, or as its leader announce its end; keep it alive otherwise.

    A leader who goes is free once the faction has ended, or as a member when the others replace it (FAC-011).
    """
    faction = world.factions[f]
    goes = _wants_out(world, rules, n, f)
    if faction.leader == n:
        if goes and faction.dissolves == 0:
            write(world, rules, n, command.FACTION_DISSOLVE, NOWHERE, ANNOUNCE)
        elif not goes and faction.dissolves > 0:
            write(world, rules, n, command.FACTION_DISSOLVE, NOWHERE, CANCEL)
    elif goes:
        write(world, rules, n, command.FACTION_LEAVE, NOWHERE, 0)
    elif faction.dissolves > 0 and not world.nations[n].demands:
        write(world, rules, n, command.FACTION_DEMAND_LEADER, NOWHERE, DEMAND)


@kernel
def _wants_out(world: World, rules: Rules, n: int, f: int) -> bool:
    """Whether a nation may win without its mates, but not yet with them, or has long waited for any."""
    s = rules.scalars[0]
    clock = world.clock[0]
    mates = waiting = together = 0
    for m in range(world.nations.shape[0]):
        other = world.nations[m]
        if not other.alive:
            continue
        if other.faction == f:
            mates += m != n
            together += other.land
        waiting += other.applied_to == f
    if 100 * world.nations[n].land >= s.ai_faction_leave_percent * clock.all_land:
        return bool(100 * together < s.victory_faction_land_percent * clock.all_land)
    lasted = clock.turn - world.factions[f].created
    return bool(mates == 0 and waiting == 0 and lasted >= s.ai_faction_patience)


@kernel
def seek(world: World, rules: Rules, n: int, staff: Staff) -> None:
    """Apply to a faction, or found one if none fits, once every few turns; no proxy does so."""
    s = rules.scalars[0]
    nation = world.nations[n]
    turn = world.clock[0].turn
    if nation.faction >= 0 or nation.controller != controller.RULE_AI:
        return
    if nation.applied_to >= 0:  # it waits for an answer
        if fights_a_member(world, n, int(nation.applied_to)):
            write(world, rules, n, command.FACTION_WITHDRAW, NOWHERE, 0)
        return
    if (turn + n) % s.ai_faction_interval != 0 or 100 * turn < s.ai_faction_from * s.season_max_turns:
        return
    if nation.faction_left > 0 and turn - nation.faction_left < s.ai_faction_patience:
        return
    breaches = records.breaches_within(world, rules, n, turn + 1)
    if temper(world, n) >= s.ai_faction_loner or breaches >= s.faction_ai_refusal_count:
        return
    f = best_faction(world, rules, n, staff)
    if f >= 0:
        address(world, rules, n, command.FACTION_APPLY, int(world.factions[f].leader), 0)
        return
    cost = int(rules.commands[command.FACTION_CREATE].cost)
    left = judgement.funds_after(world, n, cost + int(staff.head[0].spent))
    if left >= s.ai_faction_funds and _would_attract(world, rules, n):
        if write(world, rules, n, command.FACTION_CREATE, NOWHERE, 0):
            staff.head[0].spent += cost


@kernel
def best_faction(world: World, rules: Rules, n: int, staff: Staff) -> int:
    """The faction that promises most help, the first of equals; -1 none.

    Help is the might of its members, twice that of those with a border or an enemy in common. None that
    would hold too large a share of all might, is at war with the nation, is about to end, or leaves it no
    neighbour to take land from.
    """
    most = share(world, rules)
    best, greatest = NOTHING, 0
    for f in range(world.factions.shape[0]):
        if not world.factions[f].active or world.factions[f].dissolves > 0 or fights_a_member(world, n, f):
            continue
        total, offered = might(world, rules, n), 0
        for m in range(world.nations.shape[0]):
            if world.nations[m].alive and world.nations[m].faction == f:
                total += might(world, rules, m)
                near = staff.lands[m].border > 0 or _share_an_enemy(world, n, m)
                offered += might(world, rules, m) * (_BESIDE if near else 1)
        if total <= most and offered > greatest and _leaves_prey(world, n, f, staff):
            best, greatest = f, offered
    return best


@kernel
def share(world: World, rules: Rules) -> int:
    """The might that a faction may have before nobody else joins it: a share of that of all nations."""
    total = 0
    for m in range(world.nations.shape[0]):
        if world.nations[m].alive:
            total += might(world, rules, m)
    return int(total * rules.scalars[0].ai_faction_share // 100)


@kernel
def _share_an_enemy(world: World, n: int, m: int) -> bool:
    for b in range(world.nations.shape[0]):
        if world.nations[b].alive and are_fighting(world, n, b) and are_fighting(world, m, b):
            return True
    return False


@kernel
def _leaves_prey(world: World, n: int, f: int, staff: Staff) -> bool:
    """Whether a land neighbour stays that is neither a friend nor in a faction; true of those without any."""
    if staff.head[0].neighbours == 0:
        return True
    for b in range(world.nations.shape[0]):
        if staff.lands[b].border > 0 and world.nations[b].faction != f and not defence.is_friend(world, n, b):
            return True
    return False


@kernel
def _would_attract(world: World, rules: Rules, n: int) -> bool:
    """Whether a nation is of the mightier half of those in no faction, and one of the others could join."""
    own = might(world, rules, n)
    most = share(world, rules)
    stronger = weaker = fitting = 0
    for b in range(world.nations.shape[0]):
        if b == n or not world.nations[b].alive or world.nations[b].faction >= 0:
            continue
        theirs = might(world, rules, b)
        if theirs > own:
            stronger += 1
        else:
            weaker += 1
            fitting += bool(own + theirs <= most and not are_fighting(world, n, b))
    return bool(fitting > 0 and stronger <= weaker)
