"""The rule AI in trade leagues (AI-086 is the floor, this is ours): friends trade together, enemies don't."""

from __future__ import annotations

from hakoenv.agents.rule_ai.orders import NOWHERE, write
from hakoenv.agents.rule_ai.staff import NOTHING

from hakoenv.engine.codes import command, controller, relation
from hakoenv.engine.commands.alliances import FOUND
from hakoenv.engine.diplomacy import relations
from hakoenv.engine.diplomacy.membership import are_fighting
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def trade(world: World, rules: Rules, n: int) -> None:
    """Join the league with the most friends, or found one for a friend without league; leave enemies.

    Friends are faction mates and partners in amity. No proxy does so for its nation.
    """
    nation = world.nations[n]
    if nation.controller != controller.RULE_AI:
        return
    if nation.league >= 0:
        if _has_enemy(world, n, int(nation.league)) and _friends(world, n, int(nation.league)) == 0:
            write(world, rules, n, command.LEAGUE_LEAVE, NOWHERE, 0)
        return
    if (world.clock[0].turn + n) % rules.scalars[0].ai_league_interval != 0:
        return
    best, most = NOTHING, 0
    for k in range(world.leagues.shape[0]):
        friends = _friends(world, n, k) if world.leagues[k].active else 0
        if friends > most and not _has_enemy(world, n, k):
            best, most = k, friends
    if best >= 0:
        write(world, rules, n, command.LEAGUE_JOIN, NOWHERE, best + 1)
    elif _friends(world, n, NOTHING) > 0:
        write(world, rules, n, command.LEAGUE_JOIN, NOWHERE, FOUND)


@kernel
def _friends(world: World, n: int, league: int) -> int:
    """How many friends of a nation are in a league; -1: in none."""
    count = 0
    for b in range(world.nations.shape[0]):
        if b != n and world.nations[b].alive and world.nations[b].league == league:
            amity = world.relations[n, b].state == relation.AMITY
            count += bool(amity or relations.are_mates(world, n, b))
    return count


@kernel
def _has_enemy(world: World, n: int, league: int) -> bool:
    for b in range(world.nations.shape[0]):
        if world.nations[b].alive and world.nations[b].league == league and are_fighting(world, n, b):
            return True
    return False
