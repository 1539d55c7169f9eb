"""The hidden part of the economy and of what happened, drawn anew (see `hidden.py`)."""

from __future__ import annotations

import numpy as np

from hakoenv.engine.codes import event
from hakoenv.engine.world import EVENT_LENGTH, World
from hakoenv.obs import events
from hakoenv.ruleset import Rules

_MONEY = 10**7


def vary_books(world: World, viewer: int, rng: np.random.Generator) -> None:
    """Other nations' accounts, loans and waiting withdrawals, the clearing house, the flows of the market."""
    others = [n for n in range(len(world.nations)) if n != viewer]
    for accounts in (world.accounts, world.private_accounts):
        accounts[others] = rng.integers(-999, 999, accounts[others].shape)
    world.finance_accounts[:] = rng.integers(-_MONEY, _MONEY, world.finance_accounts.shape)
    for name, most in {"principal": 10**6, "interest": 10**6, "taken": 400, "fraction": 99}.items():
        world.loans[name][others] = rng.integers(0, most, world.loans[name][others].shape)
    for name in ("cash", "reserve", "uncovered"):
        world.finance[name] = rng.integers(0, _MONEY)
    for name in ("asked", "offered"):
        world.market[name] = rng.integers(0, 900, world.market.shape)
    _vary_queue(world, viewer, others, rng)


def _vary_queue(world: World, viewer: int, others: list[int], rng: np.random.Generator) -> None:
    """The own requests stay, others' wait between them."""
    queue = world.withdrawals
    amounts, nations = (queue[name][: int(world.finance["queued"][0])] for name in ("amount", "nation"))
    waiting = [(int(amount), viewer) for amount in amounts[nations == viewer]]
    for _ in range(int(rng.integers(0, len(queue) - len(waiting) + 1)) if others else 0):
        request = (int(rng.integers(1, _MONEY)), int(rng.choice(others)))
        waiting.insert(int(rng.integers(0, len(waiting) + 1)), request)
    queue["amount"] = queue["nation"] = 0
    for place, (amount, nation) in enumerate(waiting):
        queue["amount"][place], queue["nation"][place] = amount, nation
    world.finance["queued"] = len(waiting)


def vary_events(world: World, rules: Rules, viewer: int, rng: np.random.Generator) -> None:
    """Of what happened, all that the viewer does not learn is something else."""
    kept = []
    for entry in events.listed(world):
        known = events.known_to(rules, entry, viewer)
        if known is None:
            continue
        other = _any_event(world, rng)._replace(kind=entry.kind)
        for field in ("nation", "other", "cell", "amount"):  # each that the viewer does not notice
            changed = entry._replace(**{field: getattr(other, field)})
            if events.known_to(rules, changed, viewer) == known:
                entry = changed
        kept.append(entry)
    for _ in range(int(rng.integers(0, 9))):
        entry = _any_event(world, rng)
        if len(kept) < EVENT_LENGTH and events.known_to(rules, entry, viewer) is None:
            kept.insert(int(rng.integers(0, len(kept) + 1)), entry)
    listed = world.events
    listed[:] = np.zeros(1, listed.dtype)
    for place, entry in enumerate(kept):
        for field in entry._fields:
            listed[field][place] = getattr(entry, field)
    world.clock["event_count"] = len(kept)
    kinds = np.bincount(listed["kind"][: len(kept)], minlength=event.COUNT)
    world.clock["event_kinds"][0] = kinds[: event.COUNT]


def _any_event(world: World, rng: np.random.Generator) -> events.Happening:
    """An event of any kind, to anybody, anywhere."""
    return events.Happening(
        kind=int(rng.choice(list(event.NAMES))),
        nation=int(rng.integers(-1, len(world.nations))),
        other=int(rng.integers(-1, len(world.nations))),
        cell=int(rng.integers(-1, world.cells.size)),
        amount=int(rng.integers(-4, 5)),
    )
