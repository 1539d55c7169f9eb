"""The resistance of cells against occupation: how much they can have, and how it comes back (ARMY-009)."""

from __future__ import annotations

from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import monuments
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

_ALL = 100  # percent


@kernel
def maximum(world: World, rules: Rules, cell: int) -> int:
    """The most resistance that a cell can have as it is: of its terrain, more as a capital (ARMY-009).

    A peace monument of the owner in range adds a share, cut. Ownerless land has its own number.
    """
    place = world.cells.flat[cell]
    return maximum_as(world, rules, cell, int(place.owner), int(place.terrain))


@kernel
def maximum_as(world: World, rules: Rules, cell: int, owner: int, ground: int) -> int:
    """The same as if the cell were terrain ``ground`` of ``owner``."""
    most = _without_monuments(world, rules, cell, owner, ground)
    if owner >= 0 and monuments.is_near(world, rules, cell, owner, monuments.PEACE):
        most += most * rules.monuments[monuments.PEACE].effect_resistance_percent // _ALL
    return int(most)


@kernel
def _without_monuments(world: World, rules: Rules, cell: int, owner: int, ground: int) -> int:
    if owner < 0:
        return int(rules.scalars[0].resistance_ownerless)
    if world.nations[owner].capital == cell:
        return int(rules.scalars[0].resistance_capital)
    return int(rules.terrains[ground].resistance_max)


@kernel
def curb(world: World, rules: Rules, cell: int) -> None:
    """After a change of a cell: what is above the new maximum is gone (ARMY-009)."""
    place = world.cells.flat[cell]
    place.resistance = min(int(place.resistance), maximum(world, rules, cell))


@kernel
def restore(world: World, rules: Rules, cell: int, amount: int) -> None:
    """Give back resistance, up to the maximum (ARMY-009, ARMY-010)."""
    place = world.cells.flat[cell]
    place.resistance = min(int(place.resistance) + amount, maximum(world, rules, cell))


@kernel
def recover(world: World, rules: Rules, watched: bool) -> None:
    """Cells with an owner and without a unit regain resistance: the end of phase 26 (TURN-068).

    All of them are in the list of phase 23: what was taken since has a unit on it. ``watched``: there are
    peace monuments.
    """
    cells = world.cells.flat
    amount = rules.scalars[0].resistance_recover_owner
    for k in range(world.clock[0].listed):
        cell = int(world.territory[k])
        place = cells[cell]
        owner = int(place.owner)
        if owner < 0 or place.unit >= 0:
            continue
        usual = _without_monuments(world, rules, cell, owner, int(place.terrain))
        if watched or place.resistance != usual:  # nothing to do for the many that are whole
            restore(world, rules, cell, amount)
