"""Whether factions, leagues, the containment, relations and aid in a World agree (`soundness`)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hakoenv.engine.codes import relation, ship_class
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

_TURN = 2**30
_SAME_BOTH_WAYS = ("state", "turns_left", "truce", "declarer", "origin")


def limits(world: World) -> dict[str, dict[str, tuple[int, int]]]:
    """The lowest and highest number of every field of diplomacy that names a place, or is counted with."""
    turn, flag = (-_TURN, _TURN), (0, 1)
    return {
        "nations": {
            "faction_joined": turn,
            "faction_left": turn,
            "applied": turn,
            "league_joined": turn,
            "league_left": turn,
            "captured": (0, _TURN),
            "conquests": (0, 2**15 - 1),
            "demands": flag,
            "contained": flag,
        },
        "ships": {"aid": (0, 2**14), "aid_to": (-1, len(world.nations) - 1)},
        "relations": {
            "turns_left": (0, 2**14),
            "truce": (0, 2**14),
            "offer_until": (0, _TURN),
            "since": turn,
            "good_terms": flag,
            "embargo": flag,
        },
        "factions": {
            "created": turn,
            "renamed": turn,
            "offered": turn,
            "dissolves": turn,
            "name": (0, 2**14),
        },
        "leagues": {"founded": turn, "name": (0, 2**14)},
        "containment": {"formed": turn, "declared": turn, "announced": turn},
    }


def disagreements(world: World, rules: Rules) -> Iterator[str]:
    """What records of diplomacy tell differently, one line each; all numbers must be within `limits`."""
    yield from _of_factions(world)
    yield from _of_leagues(world)
    yield from _of_containment(world)
    yield from _of_relations(world)
    yield from _of_aid(world, rules)


def _of_factions(world: World) -> Iterator[str]:
    """Every faction has one living leader among its members; nobody outside has a part in it."""
    alive, faction = np.asarray(world.nations["alive"]) == 1, np.asarray(world.nations["faction"])
    asked, demands = np.asarray(world.nations["applied_to"]), np.asarray(world.nations["demands"]) == 1
    active = np.asarray(world.factions["active"]) == 1
    leader, heir = np.asarray(world.factions["leader"]), np.asarray(world.factions["heir"])
    slots = np.flatnonzero(active)
    aligned = faction >= 0
    if np.any(aligned & ~alive):
        yield "nations.faction is set of a nation that is not alive"
    if np.any(aligned & ~active[faction]):
        yield "nations.faction names a faction that does not exist"
    if np.any(leader[slots] < 0) or np.any(faction[leader[slots]] != slots):
        yield "factions.leader is no member of the faction"
    named = active & (heir >= 0)
    if np.any(faction[heir[named]] != np.flatnonzero(named)) or np.any(heir[named] == leader[named]):
        yield "factions.heir is no member that could lead"
    applies = asked >= 0
    if np.any(applies & (aligned | ~alive)):
        yield "nations.applied_to is set of a member or of a nation that is not alive"
    if np.any(applies & ~active[asked]):
        yield "nations.applied_to names a faction that does not exist"
    leads = np.zeros(len(alive), np.bool_)
    leads[leader[slots][leader[slots] >= 0]] = True
    running = np.asarray(world.factions["dissolves"]) > 0
    if np.any(demands & (~aligned | leads | ~running[faction])):
        yield "nations.demands is set where there is no notice to object to"


def _of_leagues(world: World) -> Iterator[str]:
    """A league exists as long as it has members, and one of them represents it (TRD-006)."""
    alive, league = np.asarray(world.nations["alive"]) == 1, np.asarray(world.nations["league"])
    active, speaker = np.asarray(world.leagues["active"]) == 1, np.asarray(world.leagues["representative"])
    members = league >= 0
    if np.any(members & ~alive):
        yield "nations.league is set of a nation that is not alive"
    if np.any(members & ~active[league]):
        yield "nations.league names a league that does not exist"
    places = np.flatnonzero(active)
    if np.any(speaker[places] < 0) or np.any(league[speaker[places]] != places):
        yield "leagues.representative is no member of the league"


def _of_containment(world: World) -> Iterator[str]:
    """The containment is one of living nations against another."""
    alive, members = np.asarray(world.nations["alive"]) == 1, np.asarray(world.nations["contained"]) == 1
    target = int(world.containment["target"][0])
    if target >= 0 and not alive[target]:
        yield "containment.target is a nation that is not alive"
    if np.any(members) and (target < 0 or members[target] or np.any(members & ~alive)):
        yield "nations.contained is set of a nation that can be no member of the containment"


def _of_relations(world: World) -> Iterator[str]:
    """Two nations are to each other what the other is to them; the dead are nothing to anybody."""
    sides, alive = world.relations, np.asarray(world.nations["alive"]) == 1
    for name in _SAME_BOTH_WAYS:
        values = np.asarray(sides[name])
        if np.any(values != values.T):
            yield f"relations.{name} is not the same both ways"
    state, declarer = np.asarray(sides["state"]), np.asarray(sides["declarer"])
    fights = (state == relation.PENDING) | (state == relation.WAR)
    if np.any(state.diagonal() != relation.PEACE):
        yield "relations.state is that of a nation with itself"
    if np.any((state != relation.PEACE) & ~alive):
        yield "relations.state is no peace with a nation that is not alive"
    one, other = np.indices(declarer.shape)
    if np.any((declarer >= 0) & ((declarer != one) & (declarer != other) | ~fights)):
        yield "relations.declarer is neither of two nations that are at war"
    faction = np.asarray(world.nations["faction"])
    if np.any(fights & (faction >= 0) & (faction == faction[:, None])):
        yield "relations.state is a war between members of one faction"


def _of_aid(world: World, rules: Rules) -> Iterator[str]:
    """Aid reserves are aboard warships that can hold them, alone, and bound for another nation (AID-015)."""
    ships, units = world.ships, world.units
    aid, bound = np.asarray(ships["aid"]), np.asarray(ships["aid_to"])
    owner, kind = np.asarray(ships["owner"]), np.asarray(ships["kind"])
    loaded = aid > 0
    holds = np.asarray(rules.ship_classes["capacity_strength"])[kind]
    war = (kind >= ship_class.FIRST_WARSHIP) & (kind <= ship_class.LAST_WARSHIP)
    if np.any(loaded & (~war | (owner < 0) | (aid > holds))):
        yield "ships.aid is more than the ship can carry"
    if np.any(loaded != (bound >= 0)) or np.any(loaded & (bound == owner)):
        yield "ships.aid and ships.aid_to tell differently whether there are reserves aboard"
    carriers = np.asarray(units["aboard"])[
        (np.asarray(units["owner"]) >= 0) & (np.asarray(units["aboard"]) >= 0)
    ]
    if np.any(loaded[carriers]):
        yield "ships.aid is set of a ship with a unit aboard"
