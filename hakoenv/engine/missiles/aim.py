"""What missiles may be aimed at, how wide they scatter, who must not be near (MSL-011 .. MSL-016, MSL-022).

All of it is judged by what the launching nation can see of the owners of cells: a hidden base on the seabed
neither refuses a launch nor saves its owner, so that no launch betrays what is hidden.
"""

from __future__ import annotations

from hakoenv.engine import hexgrid, view
from hakoenv.engine.codes import relation, terrain
from hakoenv.engine.commands import outlook
from hakoenv.engine.diplomacy import relations
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def is_target(world: World, rules: Rules, nation: int, turn: int, cell: int) -> bool:
    """Whether a cell may be aimed at in ``turn``: ownerless, or of a nation in open war with it (MSL-022).

    Of its own cells only one that a monster stands on: nothing else fights those on land (ARMY-070).
    """
    owner = view.owner(world, rules, nation, cell)
    if owner < 0:
        return True
    if owner == nation:
        haunted = world.cells.flat[cell].terrain == terrain.MONSTER
        return bool(haunted and rules.scalars[0].missile_at_own_monsters)
    side = world.relations[nation, owner]
    return outlook.relation_state(side, int(world.clock[0].turn), turn) == relation.WAR


@kernel
def scatter(world: World, rules: Rules, kind: int, turn: int, cell: int) -> int:
    """Radius within which a missile aimed at a cell comes down (MSL-011, MSL-016).

    The weather of the aimed cell widens it, but nobody knows that of a coming turn.
    """
    radius = int(rules.missiles[kind].scatter)
    now = world.clock[0]
    if turn == now.turn:
        radius += rules.weather[now.weather[world.cells.flat[cell].climate]].missile_scatter_bonus
    return max(0, radius)


@kernel
def endangers_friend(world: World, rules: Rules, nation: int, cell: int, radius: int) -> bool:
    """Whether a cell within the radius belongs to a friend; ships and units don't count (MSL-014)."""
    height, width = world.cells.shape
    for k in range(hexgrid.disc_size(radius)):
        near = hexgrid.nth(width, height, cell, k)
        if near >= 0 and _is_friend(world, nation, view.owner(world, rules, nation, near)):
            return True
    return False


@kernel
def _is_friend(world: World, nation: int, other: int) -> bool:
    """A faction mate, a partner in amity, or one on the nation's own list, but no enemy of any degree."""
    if other < 0 or other == nation:
        return False
    side = world.relations[nation, other]
    if side.state == relation.WAR or side.state == relation.PENDING:
        return False
    listed = side.state == relation.AMITY or side.good_terms == 1
    return bool(listed or relations.are_mates(world, nation, other))
