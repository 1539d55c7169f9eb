"""The containment: nations that stand together against a hegemon (CONT-004 .. CONT-020, AI-080 .. AI-085).

At most one is in the world, against ``world.containment[0].target``; its members are the nations that are
`contained`. What `advance` does with it in phase 9 of a coming turn is known before (`target_in`,
`is_member_in`), since land and points are: so masks can tell.
"""

from __future__ import annotations

from hakoenv.engine import happenings
from hakoenv.engine.codes import controller, event, relation, war_origin
from hakoenv.engine.diplomacy import hegemon, relations, terms
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

NOBODY = -1


# ---------------------------------------------------------------- who stands where


@kernel
def target_in(world: World, rules: Rules, turn: int) -> int:
    """The nation against which a containment stands in ``turn``, this one or the next; -1 none.

    In phase 9 it ends with the hegemony, and whoever towers then and is feared gets one (CONT-004, CONT-005).
    """
    target = int(world.containment[0].target)
    if turn == world.clock[0].turn:
        return target
    leader = hegemon.find(world, rules)
    if leader == target or leader < 0:
        return leader
    return leader if hegemon.is_feared(world, rules, leader, turn) else int(NOBODY)


@kernel
def is_member_in(world: World, rules: Rules, nation: int, turn: int) -> bool:
    """Whether a nation is a member in ``turn``, if it does nothing about it: this turn, or the next.

    A nation that may not be one any more leaves in phase 9; AI nations join there (CONT-006, CONT-008).
    """
    if turn == world.clock[0].turn:
        return bool(world.nations[nation].contained)
    target = target_in(world, rules, turn)
    if target < 0 or not is_free_to_join(world, target, nation):
        return False
    if world.nations[nation].contained and target == world.containment[0].target:
        return True
    return joins_by_itself(world, target, nation)


@kernel
def is_free_to_join(world: World, target: int, nation: int) -> bool:
    """Whether nothing ties a nation to a hegemon: neither itself, nor a mate, nor amity (CONT-007)."""
    if nation == target or not world.nations[nation].alive or relations.are_mates(world, target, nation):
        return False
    return bool(world.relations[target, nation].state != relation.AMITY)


@kernel
def joins_by_itself(world: World, target: int, nation: int) -> bool:
    """Whether it is an AI nation that joins untold: no mate of it has amity with the hegemon (CONT-009)."""
    if not is_ai(world, nation) or not is_free_to_join(world, target, nation):
        return False
    for mate in range(world.nations.shape[0]):
        if relations.are_mates(world, nation, mate):
            if world.relations[target, mate].state == relation.AMITY:
                return False
    return True


@kernel
def is_ai(world: World, nation: int) -> bool:
    """Whether a nation joins and declares by rule: rule AI and language models alike (CONT-006, LLM-011)."""
    return bool(world.nations[nation].controller != controller.EXTERNAL)


@kernel
def may_join(world: World, rules: Rules, nation: int, turn: int) -> bool:
    """Whether a nation that is no member might be one in ``turn``, this one or the next (CONT-007)."""
    target = target_in(world, rules, turn)
    if target < 0 or is_member_in(world, rules, nation, turn):
        return False
    return is_free_to_join(world, target, nation)


@kernel
def is_invited(world: World, rules: Rules, nation: int) -> bool:
    """Whether a nation is told that it may join: an external one, as things stand (CONT-010)."""
    return not is_ai(world, nation) and may_join(world, rules, nation, int(world.clock[0].turn))


@kernel
def is_told_of_war(world: World, nation: int) -> bool:
    """Whether an external member is told of a joint declaration of this turn (CONT-020)."""
    record = world.containment[0]
    is_new = record.target >= 0 and record.announced > 0 and record.announced == world.clock[0].turn
    return bool(is_new and world.nations[nation].contained == 1 and not is_ai(world, nation))


@kernel
def bars(world: World, a: int, b: int) -> bool:
    """Whether all traffic between two nations is stopped: a member and the hegemon (CONT-013)."""
    target = int(world.containment[0].target)
    if target < 0 or a < 0 or b < 0:
        return False
    if a != target and b != target:
        return False
    return bool(world.nations[a if b == target else b].contained == 1)


@kernel
def power(world: World, rules: Rules, nation: int) -> int:
    """What a nation weighs: people in hundreds and strength of units, also aboard (CONT-014, CONT-015).

    As of the last census; no reserves, no wounded.
    """
    s = rules.scalars[0]
    record = world.nations[nation]
    people = int(record.population) * s.power_score_containment_population_weight
    army = int(record.deployed) * s.power_score_containment_army_weight
    return int(people // s.containment_population_divisor + army)


@kernel
def members_power(world: World, rules: Rules) -> int:
    """What all members weigh together, external ones too (AI-083)."""
    total = 0
    for n in range(world.nations.shape[0]):
        if world.nations[n].contained:
            total += power(world, rules, n)
    return total


# ---------------------------------------------------------------- phase 9


@kernel
def advance(world: World, rules: Rules) -> None:
    """Hegemon and points, dissolution, formation, departure, joining, joint declaration (TURN-073)."""
    turn = int(world.clock[0].turn)
    leader = hegemon.find(world, rules)
    if world.containment[0].target >= 0 and leader != world.containment[0].target:
        dissolve(world)
    if world.containment[0].target < 0:
        if leader < 0 or not hegemon.is_feared(world, rules, leader, turn):
            return
        _form(world, leader)
    for n in range(world.nations.shape[0]):
        if world.nations[n].contained and not is_free_to_join(world, leader, n):
            leave(world, n)
    for n in range(world.nations.shape[0]):
        if not world.nations[n].contained and joins_by_itself(world, leader, n):
            join(world, n)
    if members_power(world, rules) > power(world, rules, leader) and _may_declare_jointly(world, rules):
        _declare_jointly(world, rules)


@kernel
def _form(world: World, target: int) -> None:
    record = world.containment[0]
    record.target = target
    record.formed = world.clock[0].turn
    happenings.record(world, event.CONTAINMENT_FORMED, target, -1, 0)


@kernel
def dissolve(world: World) -> None:
    """The containment is over, its wars go on (CONT-005).

    When one declared last stays known: it binds the next joint declaration, against whomever (CONT-017).
    """
    record = world.containment[0]
    happenings.record(world, event.CONTAINMENT_ENDED, int(record.target), -1, 0)
    record.target = NOBODY
    record.formed = 0
    for n in range(world.nations.shape[0]):
        world.nations[n].contained = 0


@kernel
def join(world: World, nation: int) -> None:
    """A nation is a member from now on (CONT-006)."""
    world.nations[nation].contained = 1
    target = int(world.containment[0].target)
    happenings.record_between(world, event.CONTAINMENT_JOINED, nation, target, -1, 0)


@kernel
def leave(world: World, nation: int) -> None:
    """A nation is a member no more, without any penalty (CONT-006, CONT-008)."""
    world.nations[nation].contained = 0
    happenings.record_between(world, event.CONTAINMENT_LEFT, nation, int(world.containment[0].target), -1, 0)


@kernel
def end_nation(world: World, nation: int) -> None:
    """A nation has fallen: it is no member; a containment against it is over."""
    if world.containment[0].target == nation:
        dissolve(world)
    elif world.nations[nation].contained:
        leave(world, nation)


# ---------------------------------------------------------------- wars


@kernel
def _may_declare_jointly(world: World, rules: Rules) -> bool:
    """Whether the wars of the last joint declaration are over and it is long enough ago (CONT-017)."""
    last = int(world.containment[0].declared)
    if last > 0 and world.clock[0].turn - last < rules.scalars[0].containment_joint_interval:
        return False
    for a in range(world.nations.shape[0]):
        for b in range(a):
            if world.relations[a, b].origin == war_origin.JOINT:  # of wars only: terms.change
                return False
    return True


@kernel
def _declare_jointly(world: World, rules: Rules) -> None:
    """The AI members declare war on the hegemon; external ones are told (CONT-014, CONT-016, CONT-020).

    If no AI member can, those outside are told all the same, but not every turn.
    """
    record = world.containment[0]
    turn, target = int(world.clock[0].turn), int(record.target)
    is_made = False
    for n in range(world.nations.shape[0]):
        if world.nations[n].contained and is_ai(world, n) and _may_declare(world, rules, n, target):
            terms.begin_war(world, rules, n, target, int(war_origin.JOINT))
            is_made = True
    if is_made:
        record.declared = turn
    elif record.announced > 0 and turn - record.announced < rules.scalars[0].containment_joint_interval:
        return
    record.announced = turn


@kernel
def _may_declare(world: World, rules: Rules, nation: int, target: int) -> bool:
    """Whether a member declares along: at peace, without truce, neither protected (LIMIT-005, LIMIT-015)."""
    side = world.relations[nation, target]
    if side.state != relation.PEACE or side.truce > 0:
        return False
    turn = int(world.clock[0].turn)
    return not (terms.is_young(world, rules, nation, turn) or terms.is_young(world, rules, target, turn))


@kernel
def stand_together(world: World, rules: Rules, nation: int, other: int) -> None:
    """A nation has declared war on another: if that is the hegemon on a member, all enter it (CONT-011).

    The hegemon is the one who declared these wars too (AI-085, AID-012), but to its points they don't count.
    Left out are the protected, whoever is its mate or has amity with it by now (CONT-012, TURN-073), and wars
    that are declared or open already. A truce is no way out: it bars declarations, and the member makes none.
    """
    if world.containment[0].target != nation or not world.nations[other].contained:
        return
    turn = int(world.clock[0].turn)
    for n in range(world.nations.shape[0]):
        if not world.nations[n].contained or terms.is_young(world, rules, n, turn):
            continue
        if world.relations[nation, n].state == relation.PEACE and is_free_to_join(world, nation, n):
            terms.begin_war(world, rules, nation, n, int(war_origin.PACT))
