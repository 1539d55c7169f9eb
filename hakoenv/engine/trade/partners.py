"""Who may trade with whom, by the settings of both nations (MER-064)."""

from __future__ import annotations

from hakoenv.engine import hexgrid, territory
from hakoenv.engine.codes import port_policy, relation
from hakoenv.engine.diplomacy import containment, leagues
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import waters
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

_NEIGHBOURS = 6
_DEFAULT = -1  # of a setting toward one nation


@kernel
def may_deal(world: World, a: int, b: int) -> bool:
    """Whether two nations deal at all: alive, no war open or pending, no embargo either way (MER-064).

    The containment's embargo is one, too: all that goes from a nation to another asks here (CONT-013).
    """
    if a < 0 or b < 0 or a == b or not (world.nations[a].alive and world.nations[b].alive):
        return False
    if waters.is_hostile(world, a, b) or containment.bars(world, a, b):
        return False
    return not (world.relations[a, b].embargo or world.relations[b, a].embargo)


@kernel
def are_friends(world: World, a: int, b: int) -> bool:
    """Whether ports for friends only let in each other's ships: an amity treaty, or one league (TRD-007)."""
    return bool(world.relations[a, b].state == relation.AMITY) or share_league(world, a, b)


@kernel
def share_league(world: World, a: int, b: int) -> bool:
    """Whether two nations have what a trade league gives: war and embargo go first (TRD-011)."""
    return leagues.are_partners(world, a, b) and may_deal(world, a, b)


@kernel
def admits(world: World, host: int, guest: int) -> bool:
    """Whether a nation's ports are open to another's private ships by its policy alone (MER-046)."""
    if host == guest:
        return True
    policy = int(world.relations[host, guest].port_policy)
    if policy == _DEFAULT:
        policy = int(world.nations[host].port_policy)
    return policy == port_policy.OPEN or (policy == port_policy.FRIENDS and are_friends(world, host, guest))


@kernel
def may_call(world: World, host: int, guest: int) -> bool:
    """Whether ships of one nation may use ports of another, whose owner alone is asked (MER-046, CRU-016)."""
    return host >= 0 and (host == guest or (may_deal(world, host, guest) and admits(world, host, guest)))


@kernel
def by_sea(world: World, a: int, b: int) -> bool:
    """Whether two nations may trade by sea: both admit the other."""
    return may_deal(world, a, b) and admits(world, a, b) and admits(world, b, a)


@kernel
def gate_open(world: World, host: int, guest: int) -> bool:
    """Whether a nation's land gate is open to another (command 97)."""
    gate = int(world.relations[host, guest].land_gate)
    return bool(gate if gate != _DEFAULT else world.nations[host].land_gate)


@kernel
def gates_open(world: World, a: int, b: int) -> bool:
    """Whether two nations would let land trade between them pass: they may deal, and both gates are open."""
    return may_deal(world, a, b) and gate_open(world, a, b) and gate_open(world, b, a)


@kernel
def by_land(world: World, rules: Rules, a: int, b: int) -> bool:
    """Whether two nations may trade by land: their land touches, and both gates are open."""
    return gates_open(world, a, b) and touch(world, rules, a, b)


@kernel
def touch(world: World, rules: Rules, a: int, b: int) -> bool:
    """Whether some land cell of a nation touches a land cell of the other.

    All listed cells are looked at: one that was handed over in this turn still stands among its old owner's.
    """
    height, width = world.cells.shape
    cells = world.cells.flat
    for k in range(world.clock[0].listed):
        cell = int(world.territory[k])
        one = int(cells[cell].owner)
        if (one != a and one != b) or not territory.is_land(world, rules, cell):
            continue
        other = b if one == a else a
        for direction in range(1, _NEIGHBOURS + 1):
            near = hexgrid.neighbour(width, height, cell, direction)
            if near >= 0 and cells[near].owner == other and territory.is_land(world, rules, near):
                return True
    return False
