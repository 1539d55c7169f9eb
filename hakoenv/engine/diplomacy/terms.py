"""What two nations agree, declare and end: every change of the state between them, on both sides at once."""

from __future__ import annotations

from hakoenv.engine import happenings
from hakoenv.engine.codes import event, relation
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

NOBODY = -1


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
        side.offer_until = 0


@kernel
def declare_war(world: World, rules: Rules, nation: int, other: int) -> None:
    """Both are in pending war and on good terms no more (LIMIT-009, LIMIT-014, LIMIT-016)."""
    delay = rules.scalars[0].diplomacy_war_delay
    change(world, nation, other, relation.PENDING, delay, 0, nation)
    world.relations[nation, other].good_terms = 0
    world.relations[other, nation].good_terms = 0
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
    """A treaty of amity ends at once by the will of one side (LIMIT-016)."""
    change(world, nation, other, relation.PEACE, 0, int(world.relations[nation, other].truce), NOBODY)
    happenings.record_between(world, event.AMITY_ENDED, nation, other, -1, 0)


@kernel
def offer(world: World, nation: int, other: int, kind: int, turns: int) -> None:
    """Offer a ceasefire or amity (``kind`` of event), to be accepted in this turn or ``turns`` later ones."""
    world.relations[nation, other].offer_until = world.clock[0].turn + turns
    happenings.record_between(world, kind, nation, other, -1, 0)
