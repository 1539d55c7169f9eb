"""What a nation's own affairs will be when its plan runs: masks are made before the turn begins.

``now`` is the clock's turn, ``turn`` the one in which the plan runs. Inside the turn they are equal and
these are the fields themselves; for the coming turn they are what phases 4 to 10 will make of them.
"""

from __future__ import annotations

from typing import Any

from hakoenv.engine.codes import relation, research
from hakoenv.engine.kernel import kernel


@kernel
def research_level(record: Any, now: int, turn: int, branch: int) -> int:
    """Research level of a nation (its record) in ``turn``: a research due by then counts (TURN-064)."""
    due = record.research_branch == branch and turn != now and turn >= record.research_done_turn
    return int(record.research[branch]) + due


@kernel
def researching(record: Any, now: int, turn: int) -> bool:
    """Whether a research still runs in ``turn``; one at a time (CMD-051, TURN-064)."""
    if record.research_branch == research.NONE:
        return False
    return bool(turn == now or turn < record.research_done_turn)


@kernel
def tunnels_unlocked(clock: Any, scalars: Any, turn: int) -> bool:
    """Whether tunnels are unlocked in ``turn``, by the last census of the land (MAP-030)."""
    if clock.tunnels_unlocked or turn == clock.turn:
        return bool(clock.tunnels_unlocked == 1)
    limit = scalars[0].tunnel_neutral_land_percent * clock.all_land
    return bool(clock.all_land > 0 and clock.ownerless_land * 100 <= limit)


@kernel
def reserves(record: Any, now: int, turn: int) -> int:
    """Reserves of a nation (its record) in ``turn``: conscripts have joined them by then (TURN-065)."""
    return int(record.reserves) + (int(record.conscripts) if turn != now else 0)


@kernel
def relation_state(side: Any, now: int, turn: int) -> int:
    """State between two nations in ``turn``: a pending war may have opened by then (LIMIT-009)."""
    if side.state == relation.PENDING and turn != now and side.turns_left <= turn - now:
        return int(relation.WAR)
    return int(side.state)


@kernel
def truce(side: Any, now: int, turn: int) -> bool:
    """Whether a truce is in force between two nations in ``turn`` (LIMIT-015)."""
    return bool(side.truce > turn - now)
