"""Who belongs to a faction, who leads it and who has applied: the questions, and each change as one step.

A faction is a place in ``world.factions``. Who belongs to it says ``nations.faction``, who has applied to it
``nations.applied_to``. A leader is a full member, but for the moment in phase 30 in which it has fallen.
"""

from __future__ import annotations

from hakoenv.engine import happenings
from hakoenv.engine.codes import controller, event, relation
from hakoenv.engine.diplomacy import records
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

NONE = -1
_NOWHERE = -1


# ---------------------------------------------------------------- questions


@kernel
def is_full_member(world: World, nation: int, f: int) -> bool:
    """Whether a nation is a full member of a faction (FAC-003); an applicant is none."""
    return bool(f >= 0 and world.nations[nation].alive and world.nations[nation].faction == f)


@kernel
def led_by(world: World, nation: int) -> int:
    """The faction that a nation leads, -1 none."""
    f = int(world.nations[nation].faction)
    return f if f >= 0 and world.factions[f].leader == nation else NONE


@kernel
def application(world: World, rules: Rules, nation: int, turn: int) -> int:
    """The faction that may decide on a nation's application in ``turn``, -1 none (FAC-004)."""
    record = world.nations[nation]
    age = turn - record.applied
    if record.applied_to < 0 or age < 1 or age > rules.scalars[0].faction_application_turns:
        return NONE
    return int(record.applied_to)


@kernel
def waits(world: World, rules: Rules, nation: int, turn: int) -> bool:
    """Whether a nation has left its last faction too recently to apply in ``turn`` (FAC-007)."""
    left = int(world.nations[nation].faction_left)
    return bool(left > 0 and turn - left < rules.scalars[0].faction_rejoin_wait)


@kernel
def may_take_over(world: World, rules: Rules, nation: int, turn: int) -> bool:
    """Whether a nation may accept the leadership of its faction in ``turn`` (FAC-008)."""
    f = int(world.nations[nation].faction)
    if f < 0 or world.factions[f].heir != nation:
        return False
    age = turn - world.factions[f].offered
    return bool(1 <= age <= rules.scalars[0].faction_handover_turns)


@kernel
def may_rename(world: World, rules: Rules, f: int, turn: int) -> bool:
    """Whether a faction may have another name in ``turn`` (FAC-009)."""
    record = world.factions[f]
    if turn <= record.created:
        return False
    return bool(record.renamed == 0 or turn - record.renamed >= rules.scalars[0].faction_rename_wait)


@kernel
def refuses(world: World, rules: Rules, f: int, nation: int, turn: int) -> bool:
    """Whether a faction led by an AI refuses a nation by rule: one that was unreliable (FAC-019, AI-070).

    AI leaders are those of the rule AI and of language models (LLM-013).
    """
    leader = int(world.factions[f].leader)
    if leader < 0 or world.nations[leader].controller == controller.EXTERNAL:
        return False
    breaches = records.breaches_within(world, rules, nation, turn)
    return bool(breaches >= rules.scalars[0].faction_ai_refusal_count)


@kernel
def are_fighting(world: World, a: int, b: int) -> bool:
    """Whether two nations are at war or a war between them is declared."""
    state = world.relations[a, b].state
    return bool(state == relation.PENDING or state == relation.WAR)


@kernel
def fights_a_member(world: World, nation: int, f: int) -> bool:
    """Whether a nation is at war, or in a war that is declared, with a full member of a faction.

    Such a nation is not let in, so that mates are never at war (a reading: FAC-003 and FAC-021 don't say).
    """
    for n in range(world.nations.shape[0]):
        if is_full_member(world, n, f) and are_fighting(world, nation, n):
            return True
    return False


@kernel
def eldest(world: World, f: int, demanding: bool) -> int:
    """The oldest member, of equals the first by number; of all, or of the demanding ones (FAC-011)."""
    found = NONE
    for n in range(world.nations.shape[0]):
        if not is_full_member(world, n, f) or (demanding and not world.nations[n].demands):
            continue
        if found < 0 or world.nations[n].faction_joined < world.nations[found].faction_joined:
            found = n
    return found


@kernel
def free_place(world: World, rules: Rules) -> int:
    """The first place for a new faction, -1 if there are as many as may be (FAC-002)."""
    found = NONE
    active = 0
    for f in range(world.factions.shape[0]):
        if world.factions[f].active:
            active += 1
        elif found < 0:
            found = f
    return found if active < rules.scalars[0].faction_max else NONE


# ---------------------------------------------------------------- changes


@kernel
def found(world: World, nation: int, f: int) -> None:
    """A nation founds a faction in a free place and leads it (FAC-001); its name is the place's number."""
    record = world.factions[f]
    record.created = world.clock[0].turn
    record.name = f
    record.leader = nation
    record.heir = NONE
    record.dissolves = record.renamed = record.offered = 0
    record.active = 1
    _enter(world, nation, f)
    tell(world, event.FACTION_FOUNDED, nation, NONE, f)


@kernel
def join(world: World, nation: int, f: int) -> None:
    """A nation becomes a full member; its membership is of age 0 in this turn (FAC-014)."""
    _enter(world, nation, f)
    tell(world, event.FACTION_JOINED, nation, int(world.factions[f].leader), f)


@kernel
def part(world: World, nation: int) -> None:
    """A nation is no member any more, for whatever reason, and waits before it applies again (FAC-007)."""
    record = world.nations[nation]
    faction = world.factions[record.faction]
    if faction.heir == nation:
        withdraw_offer(world, int(record.faction))
    record.faction = NONE
    record.faction_joined = 0
    record.faction_left = world.clock[0].turn
    record.demands = 0


@kernel
def lead(world: World, f: int, nation: int) -> None:
    """Another member leads a faction; what its last leader offered is void, a notice runs on (FAC-008)."""
    before = int(world.factions[f].leader)
    world.factions[f].leader = nation
    world.nations[nation].demands = 0
    withdraw_offer(world, f)
    tell(world, event.FACTION_LED, nation, before, f)


@kernel
def keep(world: World, f: int) -> None:
    """A notice of dissolution ends, and the demands for another leader with it (FAC-010, FAC-011)."""
    world.factions[f].dissolves = 0
    for n in range(world.nations.shape[0]):
        if world.nations[n].faction == f:
            world.nations[n].demands = 0
    tell(world, event.FACTION_KEPT, int(world.factions[f].leader), NONE, f)


@kernel
def end(world: World, f: int) -> None:
    """A faction is no more; nobody belongs to it or applies to it, and it is no breach (FAC-010, FAC-013)."""
    record = world.factions[f]
    leader = int(record.leader)
    for n in range(world.nations.shape[0]):
        if world.nations[n].faction == f:
            part(world, n)
        if world.nations[n].applied_to == f:
            withdraw_application(world, n)
    record.created = record.renamed = record.dissolves = record.offered = 0
    record.name = 0
    record.leader = record.heir = NONE
    record.active = 0
    tell(world, event.FACTION_ENDED, leader, NONE, f)


@kernel
def take_out(world: World, nation: int) -> None:
    """A fallen nation is in no faction and applies to none; one that it led has no leader (TURN-031)."""
    record = world.nations[nation]
    f = int(record.faction)
    if f >= 0:
        part(world, nation)
        record.faction_left = 0
        if world.factions[f].leader == nation:
            world.factions[f].leader = NONE
    withdraw_application(world, nation)


@kernel
def withdraw_application(world: World, nation: int) -> None:
    """A nation applies to no faction any more."""
    world.nations[nation].applied_to = NONE
    world.nations[nation].applied = 0


@kernel
def withdraw_offer(world: World, f: int) -> None:
    """The leadership of a faction is offered to nobody any more."""
    world.factions[f].heir = NONE
    world.factions[f].offered = 0


@kernel
def tell(world: World, kind: int, nation: int, other: int, amount: int) -> None:
    """Note an event of a faction."""
    happenings.record_between(world, kind, nation, other, _NOWHERE, amount)


@kernel
def _enter(world: World, nation: int, f: int) -> None:
    """A nation that was in no faction is in one now, and applies to none."""
    record = world.nations[nation]
    record.faction = f
    record.faction_joined = world.clock[0].turn
    record.demands = 0
    withdraw_application(world, nation)
