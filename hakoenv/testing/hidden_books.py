"""The hidden part of the economy and of what happened, drawn anew (see `hidden.py`)."""

from __future__ import annotations

import numpy as np

from hakoenv.engine.codes import event
from hakoenv.engine.world import EVENT_LENGTH, World
from hakoenv.obs import events

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


def vary_events(world: World, viewer: int, rng: np.random.Generator) -> None:
    """What befalls others alone is something else; so is what a disaster destroyed, and whose it was."""
    listed = world.events
    count = min(int(world.clock["event_count"][0]), EVENT_LENGTH)
    others = [n for n in range(len(world.nations)) if n != viewer]
    secret = [kind for kind in event.NAMES if kind not in events.NATURE | events.OF_NATIONS]
    kept = []
    for k in range(count):
        entry = listed[k].copy()
        if entry["kind"] in events.NATURE:
            entry["nation"], entry["amount"] = rng.integers(-1, len(world.nations)), rng.integers(0, 99)
        elif entry["kind"] in events.OF_NATIONS:
            entry["cell"] = rng.integers(-1, world.cells.size)
        elif entry["nation"] != viewer:
            continue
        kept.append(entry)
    for _ in range(min(EVENT_LENGTH - len(kept), int(rng.integers(0, 9))) if others else 0):
        entry = np.zeros(1, listed.dtype)[0]
        entry["kind"], entry["nation"] = rng.choice(secret), rng.choice([-1, *others])
        entry["cell"], entry["amount"] = rng.integers(-1, world.cells.size), rng.integers(0, 4)
        kept.insert(int(rng.integers(0, len(kept) + 1)), entry)
    listed[:] = np.zeros(1, listed.dtype)
    for place, entry in enumerate(kept):
        listed[place] = entry
    world.clock["event_count"] = len(kept)
    kinds = np.bincount(listed["kind"][: len(kept)], minlength=event.COUNT)
    world.clock["event_kinds"][0] = kinds[: event.COUNT]
