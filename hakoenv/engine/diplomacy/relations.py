"""Relations between nations (phase 9)."""

from __future__ import annotations

from hakoenv.engine import happenings
from hakoenv.engine.codes import event, relation
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def are_enemies(world: World, a: int, b: int) -> bool:
    """Whether a war between two nations has opened; never true of nobody (-1)."""
    return bool(a >= 0 and b >= 0 and world.relations[a, b].state == relation.WAR)


@kernel
def are_mates(world: World, a: int, b: int) -> bool:
    """Whether two nations belong to the same faction; never true of nobody (-1)."""
    if a < 0 or b < 0 or a == b:
        return False
    return bool(world.nations[a].faction >= 0 and world.nations[a].faction == world.nations[b].faction)


@kernel
def at_war(world: World, nation: int) -> bool:
    """Whether a nation is in a war that has opened; a pending one does not count (MKT-024)."""
    for other in range(world.nations.shape[0]):
        if world.relations[nation, other].state == relation.WAR and world.nations[other].alive:
            return True
    return False


@kernel
def advance(world: World, rules: Rules) -> None:
    """Pending wars come a turn nearer or open, truces run out (TURN-010, LIMIT-009)."""
    count = world.nations.shape[0]
    for a in range(count):
        for b in range(a + 1, count):
            one = world.relations[a, b]
            other = world.relations[b, a]
            if one.truce > 0:
                one.truce -= 1
                other.truce = one.truce
            if one.state != relation.PENDING:
                continue
            one.turns_left -= 1
            if one.turns_left <= 0:
                one.turns_left = 0
                one.state = relation.WAR
                one.since = world.clock[0].turn
                other.state = relation.WAR
                other.since = one.since
                happenings.record(world, event.WAR_OPENED, a, -1, b)
            other.turns_left = one.turns_left
