"""Cargo ships of private sectors: their home, whether they are idle, what they do next (MER-075, MER-077).

A ship has one job at a time. Whoever changes its cargo calls `next_job`, which sets what follows from that.
"""

from __future__ import annotations

from hakoenv.engine import hexgrid
from hakoenv.engine.codes import job, parcel, terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import vessels
from hakoenv.engine.shipping import harbours, parcels
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

NONE = -1


@kernel
def is_cargo_ship(world: World, ship: int) -> bool:
    """Whether a place in the list of ships holds a nation's merchant, small or large."""
    record = world.ships[ship]
    return bool(vessels.is_merchant(int(record.kind)) and record.owner >= 0)


@kernel
def base(world: World, ship: int) -> int:
    """The cell of a ship's effective home port: the temporary one if it has one; -1 none (MER-065)."""
    entry = world.jobs[ship]
    return int(entry.refuge if entry.refuge >= 0 else entry.home)


@kernel
def is_idle(world: World, rules: Rules, ship: int) -> bool:
    """Whether a cargo ship waits at its effective home port for work: paid for, empty and not new (MER-075).

    It lies beside the port or, where that is taken or too narrow, on a waiting cell near it (MER-051).
    """
    if not is_cargo_ship(world, ship):
        return False
    entry = world.jobs[ship]
    if entry.job != job.IDLE or entry.paid == 0 or entry.dormant or entry.built == world.clock[0].turn:
        return False
    port = base(world, ship)
    if port < 0 or world.cells.flat[port].terrain != terrain.PORT or has_cargo(world, ship):
        return False
    reach = max(int(rules.scalars[0].port_handling_distance), int(rules.scalars[0].private_wait_distance))
    return bool(hexgrid.distance(world.cells.shape[1], int(world.ships[ship].cell), port) <= reach)


@kernel
def has_cargo(world: World, ship: int) -> bool:
    """Whether anything is a ship's cargo, aboard or still ashore."""
    for p in range(world.clock[0].parcels):
        if parcels.of_ship(world, p, ship):
            return True
    return False


@kernel
def begin(world: World, ship: int, goal: int) -> None:
    """A ship is to load what lies ashore for it and to bring it to a port (MER-077)."""
    entry = world.jobs[ship]
    entry.job = job.LOADING
    entry.goal = goal
    forget_way(world, ship)


@kernel
def forget_way(world: World, ship: int) -> None:
    """What a ship found out about its old way is of no use for a new one."""
    entry = world.jobs[ship]
    entry.waited = 0
    entry.detour_length = entry.detour_done = 0
    entry.detour[:] = 0


@kernel
def next_job(world: World, rules: Rules, ship: int) -> None:
    """Set what a cargo ship does by the cargo it has (MER-073, MER-077).

    While some is ashore it loads; with goods for its goal it sails there and unloads; with goods that go back
    it goes home, and so it does empty, unless it lies there: then it is idle.
    """
    if not is_cargo_ship(world, ship):
        return
    is_ashore, is_onward, is_back = False, False, False
    for p in range(world.clock[0].parcels):
        if parcels.of_ship(world, p, ship):
            if world.parcels[p].state == parcel.ASHORE:
                is_ashore = True
            elif parcels.goes_back(world, p):
                is_back = True
            else:
                is_onward = True
    entry = world.jobs[ship]
    if is_ashore:
        return
    if is_onward:
        if entry.job == job.LOADING:
            entry.job = job.SAILING
        return
    if not is_back and harbours.is_at(world, ship, base(world, ship)):
        entry.job = job.IDLE
        entry.goal = NONE
        forget_way(world, ship)
    elif entry.job != job.RETURNING and not (entry.job == job.UNLOADING and entry.goal == base(world, ship)):
        entry.job = job.RETURNING
        entry.goal = base(world, ship)
        forget_way(world, ship)
