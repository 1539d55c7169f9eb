"""When a language model is asked: every so many turns, and when something calls for it.

What is new is told by what the nation knew when it was last looked at, so that a war wakes a model once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hakoenv.engine.codes import event, relation
from hakoenv.engine.world import World
from hakoenv.obs import events
from hakoenv.ruleset import Rules

WAR, OFFER, CAPITAL, EMPTY, MESSAGE = REASONS = ("war", "offer", "capital", "empty", "message")
"""War declared or opened, an offer received, the capital attacked or lost, no command waits, a message to the
nation or in its faction's room."""
USUAL = (WAR, OFFER, CAPITAL, EMPTY)
DUE = "due"
_ATTACKS = frozenset({event.BATTLE, event.MISSILE, event.CELL_CAPTURED})


class Outlook(NamedTuple):
    """What may wake a model, as its nation stands.

    Attributes:
        enemies: nations at war with it, or about to be.
        offers: nations whose offer waits for an answer.
    """

    enemies: frozenset[int] = frozenset()
    offers: frozenset[int] = frozenset()


def outlook(world: World, nation: int) -> Outlook:
    """How a nation stands before the coming turn."""
    coming = int(world.clock["turn"][0]) + 1
    states = world.relations["state"][nation]
    waiting = world.relations["offer_until"][:, nation] >= coming
    return Outlook(
        frozenset(np.flatnonzero((states == relation.PENDING) | (states == relation.WAR)).tolist()),
        frozenset(np.flatnonzero(waiting & (np.arange(len(states)) != nation)).tolist()),
    )


def reason(
    world: World,
    rules: Rules,
    nation: int,
    before: Outlook,
    now: Outlook,
    last_asked: int | None,
    every: int,
    wake_on: tuple[str, ...],
    written: bool = False,
) -> str:
    """Why a nation's model is asked for the coming turn; empty if it is not.

    Args:
        world: between two turns.
        rules: of the season.
        nation: whose.
        before: its outlook a turn ago.
        now: its outlook.
        last_asked: the turn for which it was last asked; None never.
        every: `Settings.decide_every`.
        wake_on: `Settings.wake_on`.
        written: whether the last turn has brought a message to it or its faction.
    """
    coming = int(world.clock["turn"][0]) + 1
    if last_asked is None or coming - last_asked >= every:
        return DUE
    happened = {
        WAR: bool(now.enemies - before.enemies),
        OFFER: bool(now.offers - before.offers),
        CAPITAL: _capital_attacked(world, rules, nation),
        EMPTY: int(world.nations["plan_length"][nation]) == 0,
        MESSAGE: written,
    }
    return next((name for name in REASONS if name in wake_on and happened[name]), "")


def _occupied(world: World, nation: int, capital: int) -> bool:
    """Whether an enemy stands on the capital, in sight as all on own land; to wear it down is no event."""
    unit = int(world.cells.reshape(-1)["unit"][capital]) if capital >= 0 else -1
    if unit < 0:
        return False
    owner = int(world.units["owner"][unit])
    return owner != nation and int(world.relations["state"][nation, owner]) == relation.WAR


def _capital_attacked(world: World, rules: Rules, nation: int) -> bool:
    capital = int(world.nations["capital"][nation])
    return _occupied(world, nation, capital) or any(
        happening.kind == event.CAPITAL_MOVED
        and happening.nation == nation
        or (happening.kind in _ATTACKS and happening.cell == capital >= 0)
        for happening in events.seen(world, rules)[nation]
    )
