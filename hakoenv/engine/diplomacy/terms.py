"""What two nations agree, declare and end: every change of the state between them, on both sides at once."""

from __future__ import annotations

from hakoenv.engine import happenings
from hakoenv.engine.codes import event, relation, war_origin
from hakoenv.engine.diplomacy import records
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

NOBODY = -1


@kernel
def is_young(world: World, rules: Rules, nation: int, turn: int) -> bool:
    """Whether a nation is still kept from diplomacy and wars, in ``turn`` (LIMIT-001)."""
    return bool(turn - world.nations[nation].founded < rules.scalars[0].diplomacy_founding_lock)


@kernel
def offers(world: World, nation: int, other: int, turn: int) -> bool:
    """Whether a nation's offer to another can be accepted or withdrawn in ``turn`` (LIMIT-015, LIMIT-016)."""
    until = world.relations[nation, other].offer_until
    return bool(until > 0 and until >= turn)


@kernel
def change(world: World, a: int, b: int, state: int, turns_left: int, truce: int, declarer: int) -> None:
    """Put two nations into another state; offers belong to the one they leave and lapse (LIMIT-014)."""
    for k in range(2):
        side = world.relations[a, b] if k == 0 else world.relations[b, a]
        side.state = state
        side.since = world.clock[0].turn
        side.turns_left = turns_left
        side.truce = truce
        side.declarer = declarer
        side.origin = war_origin.DECLARATION
        side.offer_until = 0


@kernel
def begin_war(world: World, rules: Rules, nation: int, other: int, origin: int) -> None:
    """A nation has declared war on another, or counts as having done so (`war_origin`).

    Both are in pending war and on good terms no more (LIMIT-009, LIMIT-014, LIMIT-016). Only a declaration of
    its own is noted against a nation (CONT-003).
    """
    delay = rules.scalars[0].diplomacy_war_delay
    change(world, nation, other, relation.PENDING, delay, 0, nation)
    for k in range(2):
        side = world.relations[nation, other] if k == 0 else world.relations[other, nation]
        side.origin = origin
        side.good_terms = 0
    if origin == war_origin.JOINT:
        happenings.record_between(world, event.JOINT_DECLARATION, nation, other, -1, 0)
    elif origin == war_origin.PACT:  # `other` is the member that stands by an ally
        happenings.record_between(world, event.PACT_ENTERED, other, nation, -1, 0)
    else:
        records.declared(world, nation)
        happenings.record_between(world, event.WAR_DECLARED, nation, other, -1, 0)
    if delay == 0:
        open_war(world, nation, other)


@kernel
def open_war(world: World, a: int, b: int) -> None:
    """A pending war opens (LIMIT-009); who declared it stays known and an offered ceasefire stands."""
    for k in range(2):
        side = world.relations[a, b] if k == 0 else world.relations[b, a]
        side.state = relation.WAR
        side.since = world.clock[0].turn
        side.turns_left = 0
    first = int(world.relations[a, b].declarer)
    if first != b:
        first = a
    happenings.record_between(world, event.WAR_OPENED, first, a + b - first, -1, 0)


@kernel
def make_peace(world: World, rules: Rules, nation: int, other: int) -> None:
    """A war or a pending one ends at once, and a truce begins (LIMIT-015)."""
    truce = rules.scalars[0].diplomacy_truce_turns
    change(world, nation, other, relation.PEACE, 0, truce, NOBODY)
    happenings.record_between(world, event.PEACE, nation, other, -1, 0)


@kernel
def make_amity(world: World, nation: int, other: int) -> None:
    """A treaty of amity is agreed (LIMIT-016); a truce from before it goes on."""
    change(world, nation, other, relation.AMITY, 0, int(world.relations[nation, other].truce), NOBODY)
    happenings.record_between(world, event.AMITY, nation, other, -1, 0)


@kernel
def cancel_amity(world: World, nation: int, other: int) -> None:
    """A treaty of amity ends at once by the will of one side, which is noted (LIMIT-016, FAC-020)."""
    records.breach(world, nation)
    change(world, nation, other, relation.PEACE, 0, int(world.relations[nation, other].truce), NOBODY)
    happenings.record_between(world, event.AMITY_ENDED, nation, other, -1, 0)


@kernel
def offer(world: World, nation: int, other: int, kind: int, turns: int) -> None:
    """Offer a ceasefire or amity (``kind`` of event), to be accepted in this turn or ``turns`` later ones."""
    world.relations[nation, other].offer_until = world.clock[0].turn + turns
    happenings.record_between(world, kind, nation, other, -1, 0)
