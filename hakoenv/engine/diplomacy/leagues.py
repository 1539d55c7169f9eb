"""Trade leagues: houses of private sectors that share ports and fees (TRD-001 .. TRD-006).

A league is named by its place in ``world.leagues``; its number is one more. A nation is in at most one.
"""

from __future__ import annotations

from hakoenv.engine import happenings
from hakoenv.engine.codes import event
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World

NONE = -1


@kernel
def are_partners(world: World, a: int, b: int) -> bool:
    """Whether two nations are in the same trade league; never true of nobody (-1)."""
    if a < 0 or b < 0 or a == b:
        return False
    return bool(world.nations[a].league >= 0 and world.nations[a].league == world.nations[b].league)


@kernel
def exists(world: World, number: int) -> bool:
    """Whether there is a league of a number, 1 and up."""
    return bool(1 <= number <= world.leagues.shape[0] and world.leagues[number - 1].active == 1)


@kernel
def found(world: World, nation: int) -> None:
    """A nation founds a league and represents it (TRD-003); there are as many places as nations."""
    place = 0
    while world.leagues[place].active:
        place += 1
    league = world.leagues[place]
    league.active = 1
    league.founded = world.clock[0].turn
    league.name = place
    league.representative = nation
    _enter(world, nation, place)
    happenings.record(world, event.LEAGUE_FOUNDED, nation, -1, place + 1)


@kernel
def join(world: World, nation: int, number: int) -> None:
    """A nation joins the league of a number; nobody is asked (TRD-004)."""
    _enter(world, nation, number - 1)
    happenings.record(world, event.LEAGUE_JOINED, nation, -1, number)


@kernel
def leave(world: World, nation: int) -> None:
    """A nation leaves its league, by its own will or because it has fallen (TRD-005, TRD-006)."""
    record = world.nations[nation]
    place = int(record.league)
    if place < 0:
        return
    record.league = NONE
    record.league_joined = 0
    record.league_left = world.clock[0].turn
    happenings.record(world, event.LEAGUE_LEFT, nation, -1, place + 1)
    if world.leagues[place].representative == nation:
        _succeed(world, place)


@kernel
def _enter(world: World, nation: int, place: int) -> None:
    world.nations[nation].league = place
    world.nations[nation].league_joined = world.clock[0].turn


@kernel
def _succeed(world: World, place: int) -> None:
    """The longest member represents a league, the lowest number of equals; without one it ends (TRD-006)."""
    heir = NONE
    for n in range(world.nations.shape[0]):
        if world.nations[n].league == place:
            if heir < 0 or world.nations[n].league_joined < world.nations[heir].league_joined:
                heir = n
    league = world.leagues[place]
    league.representative = heir
    if heir < 0:
        league.active = 0
        league.founded = 0
        league.name = 0
        happenings.record(world, event.LEAGUE_ENDED, NONE, -1, place + 1)
