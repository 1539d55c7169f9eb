"""The hidden part of factions and aid, drawn anew (see `hidden.py`).

Who belongs to what is public, and so are points and breaches. Applications and an offered leadership are
known to the two whom they concern, demands for another leader to the faction, reserves aboard to who sent
them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine.codes import item
from hakoenv.engine.view import is_warship
from hakoenv.engine.world import World
from hakoenv.ruleset import Rules

_TURNS = 90
_MOST_ABOARD = 200


def members_of(world: World, viewer: int) -> list[int]:
    """A nation and its mates, whose sight it has on the faction map (FAC-017)."""
    faction = int(world.nations["faction"][viewer])
    together = (world.nations["faction"] == faction) & (world.nations["alive"] == 1)
    return [viewer] if faction < 0 else [int(n) for n in np.flatnonzero(together)]


def vary_bonds(world: World, viewer: int, rng: np.random.Generator) -> None:
    """Draw anew what a nation can't know of factions and aid.

    Args:
        world: changed in place.
        viewer: the nation that must not notice.
        rng: chooses.
    """
    others = np.array([n for n in range(len(world.nations)) if n != viewer], np.int64)
    _vary_applications(world, viewer, others, rng)
    _vary_offers(world, viewer, rng)
    _vary_demands(world, viewer, others, rng)
    if not world.nations["contained"][viewer]:
        world.containment["announced"] = rng.integers(0, _TURNS)
    foreign = np.flatnonzero((world.ships["kind"] > 0) & (world.ships["owner"] != viewer))
    for ship in foreign.tolist():
        loaded = is_warship(int(world.ships["kind"][ship])) and rng.random() < 1 / 2
        world.ships["aid"][ship] = rng.integers(1, _MOST_ABOARD + 1) if loaded else 0
        world.ships["aid_to"][ship] = rng.integers(0, len(world.nations)) if loaded else -1


def show_mates(world: World, before: World, rules: Rules, viewer: int, rng: np.random.Generator) -> None:
    """What mates show each other is as it was: funds, food, the first commands of their plans (FAC-018)."""
    most = int(rules.scalars["faction_visible_plan_commands"][0])
    for mate in members_of(world, viewer):
        if mate == viewer:
            continue
        for what in (item.FUNDS, item.FOOD):
            world.nations["treasury"][mate, what] = before.nations["treasury"][mate, what]
        world.plans[mate, :most] = before.plans[mate, :most]
        length = int(before.nations["plan_length"][mate])
        longer = rng.integers(most, world.plans.shape[1] + 1) if length >= most else length
        world.nations["plan_length"][mate] = longer


def _vary_applications(
    world: World, viewer: int, others: NDArray[np.int64], rng: np.random.Generator
) -> None:
    """Who applied where, but for what the viewer decides on as a leader (FAC-003)."""
    nations, led = world.nations, np.flatnonzero(world.factions["leader"] == viewer)
    elsewhere = np.setdiff1d(np.flatnonzero(world.factions["active"]), led)
    for n in others.tolist():
        if nations["faction"][n] >= 0 or not nations["alive"][n] or nations["applied_to"][n] in led:
            continue
        applies = elsewhere.size and rng.random() < 1 / 2
        nations["applied_to"][n] = rng.choice(elsewhere) if applies else -1
        nations["applied"][n] = rng.integers(0, _TURNS)


def _vary_offers(world: World, viewer: int, rng: np.random.Generator) -> None:
    """To whom others offer the leadership, as long as the viewer is neither of the two (FAC-008)."""
    for slot in np.flatnonzero(world.factions["active"]).tolist():
        record: Any = world.factions[slot]
        if viewer in (int(record["leader"]), int(record["heir"])):
            continue
        members = np.flatnonzero(world.nations["faction"] == slot)
        heirs = members[(members != record["leader"]) & (members != viewer)]
        named = heirs.size and rng.random() < 1 / 2
        record["heir"] = rng.choice(heirs) if named else -1
        record["offered"] = rng.integers(0, _TURNS)


def _vary_demands(world: World, viewer: int, others: NDArray[np.int64], rng: np.random.Generator) -> None:
    """Who demands another leader of a faction that is not the viewer's (FAC-011)."""
    nations, factions = world.nations, world.factions
    for n in others.tolist():
        slot = int(nations["faction"][n])
        if slot < 0 or slot == nations["faction"][viewer]:
            continue
        may = factions["dissolves"][slot] > 0 and factions["leader"][slot] != n
        nations["demands"][n] = rng.integers(0, 2) if may else 0
