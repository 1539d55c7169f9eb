"""How two nations stand to each other, and what of it runs out (phase 9)."""

from __future__ import annotations

from hakoenv.engine.codes import relation
from hakoenv.engine.diplomacy import terms
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
    """Pending wars come a turn nearer or open, truces and offers run out (TURN-071, LIMIT-009)."""
    count = world.nations.shape[0]
    turn = world.clock[0].turn
    for a in range(count):
        for b in range(count):
            one, other = world.relations[a, b], world.relations[b, a]
            if one.offer_until < turn:
                one.offer_until = 0
            if a >= b:  # the rest is the same on both sides
                continue
            if one.truce > 0:
                one.truce -= 1
                other.truce = one.truce
            if one.state == relation.PENDING:
                one.turns_left = max(0, one.turns_left - 1)
                other.turns_left = one.turns_left
                if one.turns_left == 0:
                    terms.open_war(world, a, b)


@kernel
def end_all(world: World, nation: int) -> None:
    """Wars, pending wars, treaties, truces and offers of a nation end with it (TURN-029)."""
    for other in range(world.nations.shape[0]):
        side = world.relations[nation, other]
        if side.state != relation.PEACE:
            terms.change(world, nation, other, relation.PEACE, 0, 0, terms.NOBODY)
        side.truce = side.offer_until = 0
        world.relations[other, nation].truce = 0
        world.relations[other, nation].offer_until = 0
