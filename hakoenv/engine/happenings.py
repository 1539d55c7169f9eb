"""The public events of a turn: counted by kind, the first ones listed."""

from __future__ import annotations

from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import EVENT_LENGTH, World


@kernel
def record(world: World, kind: int, nation: int, cell: int, amount: int) -> None:
    """Note that something happened to ``nation`` (-1 nobody) at ``cell`` (-1 nowhere)."""
    record_between(world, kind, nation, -1, cell, amount)


@kernel
def record_between(world: World, kind: int, nation: int, other: int, cell: int, amount: int) -> None:
    """Note that something happened between two nations."""
    clock = world.clock[0]
    place = clock.event_count
    clock.event_count += 1
    clock.event_kinds[kind] += 1
    if place < EVENT_LENGTH:
        entry = world.events[place]
        entry.kind = kind
        entry.nation = nation
        entry.other = other
        entry.cell = cell
        entry.amount = amount


@kernel
def clear(world: World) -> None:
    """Forget the events of the last turn."""
    clock = world.clock[0]
    for k in range(min(clock.event_count, EVENT_LENGTH)):
        entry = world.events[k]
        entry.kind = 0
        entry.nation = 0
        entry.other = 0
        entry.cell = 0
        entry.amount = 0
    clock.event_count = 0
    clock.event_kinds[:] = 0
