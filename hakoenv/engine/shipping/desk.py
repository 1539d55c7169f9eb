"""What private sectors work with while they plan their sea trade (phase 19): one set of notes for all.

Kernels that take it share its arrays; it lasts for one phase.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from hakoenv.engine.handles import handle

BUYER, HARBOUR, STEPS, TURNS, VALUE = 0, 1, 2, 3, 4  # columns of `voyage`
SHIP, SELLER, ITEMS = 5, 6, 7  # likewise of `forecast`
COLUMNS = 8
SHORT, SPARE = 0, 1  # columns of `steady`
FIRST, DISTANCE = 0, 1  # of `near`
WHO, FOR_WHOM, KEY = 0, 1, 2  # of `ready`


@handle
class Desk(NamedTuple):
    """N nations, S places for ships, H for ports."""

    ready: Any  # (S, 3) int64: ships idle when the plan began, whose goods they take; as they are asked
    count: Any  # (2,) int64: how many these are, and how many voyages are in the forecast
    sea: Any  # (N,) int64: with whom a nation may trade by sea, one bit each (reach.py)
    steady: Any  # (N, 2) int64: items that a nation is short of, and can spare, for two turns, by bits
    offers: Any  # (N, 10) int64: of a seller: how many items a buyer takes, and which, in order of loading
    ports: Any  # (H,) int64: places of ports in `harbours`, by owner; ownerless ones are left out
    first: Any  # (N + 1,) int64: where a nation's begin in `ports`; the last entry is their number
    load: Any  # (9,) int64: quantities of the voyage that was weighed last, in the order of `offers`
    waits: Any  # (3, 9) int64: what is wanted of a nation by sea, of it at large ports, what it could sell
    near: Any  # (N, 2) int64: of a ship: the harbour of each nation nearest to it, -1 none, and how far
    voyage: Any  # (8,) int64: the best voyage of the ship that was asked last
    forecast: Any  # (S, 8) int64: voyages that ships would make, the best first (SUP-002)
    asked: Any  # (N, N) int64: items that were in the forecast, by seller and buyer, one bit each
