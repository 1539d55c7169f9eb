"""Who may deal with whom, and whether goods can get there: the rules anew, beside the engine (MER-064)."""

from __future__ import annotations

import numpy as np

from hakoenv.engine.codes import port_policy, relation, terrain
from hakoenv.engine.world import World

NEAREST = -1  # in place of a receiving port


def may_deal(world: World, a: int, b: int) -> bool:
    """Two living nations without war, embargo or containment between them (MER-064, CONT-013)."""
    nations, target = world.nations, int(world.containment["target"][0])
    if a == b or not (nations["alive"][a] and nations["alive"][b]):
        return False
    if target in (a, b) and (nations["contained"][a] or nations["contained"][b]):
        return False
    at_peace = world.relations["state"][a, b] in (relation.PEACE, relation.AMITY)
    return bool(at_peace and not world.relations["embargo"][a, b] and not world.relations["embargo"][b, a])


def may_have_lot(world: World, seller: int, bidder: int) -> bool:
    """Whether a nation may bid for a lot of another, and get it (AUC-016)."""
    opened = _setting(world, seller, bidder, "port_policy") == port_policy.OPEN
    return opened and gates_open(world, seller, bidder)


def gates_open(world: World, a: int, b: int) -> bool:
    """Whether what is between two nations lets goods pass over land (command 97)."""
    both = _setting(world, a, b, "land_gate") and _setting(world, b, a, "land_gate")
    return bool(both) and may_deal(world, a, b)


def by_land(world: World, a: int, b: int) -> bool:
    """Whether goods go over land, by the borders of phase 16 (MER-078)."""
    return bool(int(world.nations["neighbours"][a]) >> b & 1) and gates_open(world, a, b)


def admits(world: World, host: int, guest: int) -> bool:
    """Whether the ports of a nation let in ships of another (MER-046, TRD-007)."""
    policy = _setting(world, host, guest, "port_policy")
    if policy != port_policy.FRIENDS:
        return policy == port_policy.OPEN
    league = int(world.nations["league"][host])
    partners = league >= 0 and league == world.nations["league"][guest] and may_deal(world, host, guest)
    return bool(partners or world.relations["state"][host, guest] == relation.AMITY)


def may_call(world: World, host: int, guest: int) -> bool:
    """Whether ships of a nation may bring goods to another's ports (MER-046, MER-078)."""
    return may_deal(world, host, guest) and admits(world, host, guest)


def may_trade_by_sea(world: World, a: int, b: int) -> bool:
    """Whether the ports of both let in the other (MER-064)."""
    return may_deal(world, a, b) and admits(world, a, b) and admits(world, b, a)


def by_sea(world: World, sender: int, receiver: int, port: int) -> bool:
    """Whether ships may take goods of a nation to a port of another, or to its nearest one (MER-078)."""
    both = owns_port(world, sender, NEAREST) and owns_port(world, receiver, port)
    return both and may_call(world, receiver, sender)


def owns_port(world: World, nation: int, port: int) -> bool:
    """Whether a listed port, or with `NEAREST` any of them, is a nation's."""
    listed = np.asarray(world.harbours["cell"])
    cells = listed[listed >= 0].tolist()
    return any(is_port_of(world, nation, cell) for cell in cells if port in (cell, NEAREST))


def is_port_of(world: World, nation: int, cell: int) -> bool:
    """Whether a cell is a port of a nation."""
    place = world.cells.reshape(-1)[cell]
    return bool(place["terrain"] == terrain.PORT and place["owner"] == nation)


def _setting(world: World, host: int, guest: int, name: str) -> int:
    """A setting toward a nation, or the default for all (CMD-049)."""
    own = int(world.relations[name][host, guest])
    return own if own >= 0 else int(world.nations[name][host])
