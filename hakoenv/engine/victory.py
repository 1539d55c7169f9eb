"""Victory and the end of the season (phase 33)."""

from __future__ import annotations

import numpy as np

from hakoenv.engine import happenings, scoring
from hakoenv.engine.codes import ending, event
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def judge(world: World, rules: Rules) -> None:
    """Record economic assets, then decide whether the season ends and who wins (TURN-034, TURN-051).

    In this order: conquest (from `season.min_turns` to before `season.max_turns`: SEASON-004), nobody
    or one nation left, the last turn (SEASON-003). An ended season is not judged again.
    """
    clock = world.clock[0]
    s = rules.scalars[0]
    if clock.ending != ending.RUNNING:
        return
    scoring.record_assets(world, rules)
    if s.season_min_turns <= clock.turn < s.season_max_turns and clock.all_land > 0:
        if _lone_conquest(world, rules):
            clock.ending = ending.LONE_CONQUEST
        elif _faction_conquest(world, rules):
            clock.ending = ending.FACTION_CONQUEST
    if clock.ending == ending.RUNNING:
        clock.ending = _last_alive(world, rules)
    if clock.ending == ending.RUNNING and clock.turn >= s.season_max_turns:
        _name_best(world, rules)
        clock.ending = ending.TURN_LIMIT
    if clock.ending != ending.RUNNING:
        happenings.record(world, event.SEASON_ENDED, -1, -1, int(clock.ending))


@kernel
def _lone_conquest(world: World, rules: Rules) -> bool:
    """A nation without faction owns its percent of all land (SEASON-005)."""
    needed = rules.scalars[0].victory_unaligned_land_percent * world.clock[0].all_land
    found = False
    for n in range(world.nations.shape[0]):
        nation = world.nations[n]
        if nation.alive and nation.faction < 0 and nation.land * 100 >= needed:
            nation.winner = 1
            found = True
    return found


@kernel
def _faction_conquest(world: World, rules: Rules) -> bool:
    """A faction whose members all joined long enough ago owns its percent of all land (SEASON-006)."""
    s = rules.scalars[0]
    found = False
    for f in range(world.factions.shape[0]):
        members = land = 0
        newest = -1
        for n in range(world.nations.shape[0]):
            nation = world.nations[n]
            if nation.alive and nation.faction == f:
                members += 1
                land += nation.land
                newest = max(newest, int(nation.faction_joined))
        if members == 0 or not world.factions[f].active:
            continue
        if world.clock[0].turn - newest < s.victory_faction_member_turns:
            continue
        if land * 100 >= s.victory_faction_land_percent * world.clock[0].all_land:
            found = True
            for n in range(world.nations.shape[0]):
                if world.nations[n].alive and world.nations[n].faction == f:
                    world.nations[n].winner = 1
    return found


@kernel
def _last_alive(world: World, rules: Rules) -> int:
    """The ending if at most one of the nations ever founded is left (`season.end_on_sole_survivor`)."""
    founded = alive = 0
    survivor = -1
    for n in range(world.nations.shape[0]):
        if world.nations[n].alive:
            alive += 1
            survivor = n
        if world.nations[n].alive or world.nations[n].fell > 0:
            founded += 1
    if founded > 0 and alive == 0:
        return ending.EXTINCTION
    if founded > 1 and alive == 1 and rules.scalars[0].season_end_on_sole_survivor:
        world.nations[survivor].winner = 1
        return ending.SOLE_SURVIVOR
    return ending.RUNNING


@kernel(allocates=True)
def _name_best(world: World, rules: Rules) -> None:
    """Mark those with the highest score; equal ones all win (SEASON-008, SEASON-009)."""
    count = world.nations.shape[0]
    terms = np.zeros((count, scoring.TERMS), np.int64)
    weights = np.zeros(scoring.TERMS, np.int64)
    scoring.fill_terms(world, rules, terms)
    scoring.fill_weights(rules, terms, weights)
    best = -1
    for n in range(count):
        if world.nations[n].alive and (best < 0 or scoring.compare(terms, weights, n, best) > 0):
            best = n
    if best < 0:
        return
    share_first = rules.scalars[0].season_score_tie_default_on == 1
    for n in range(count):
        may_win = world.nations[n].alive and (n == best or share_first)
        if may_win and scoring.compare(terms, weights, n, best) == 0:
            world.nations[n].winner = 1
