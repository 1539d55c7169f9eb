"""Naval mines are laid and removed by command (NMINE-003, NMINE-005, NMINE-012)."""

from __future__ import annotations

from hakoenv.engine import ground, territory, view
from hakoenv.engine.codes import deposit, reason, terrain
from hakoenv.engine.commands import look
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def may_lay(world: World, rules: Rules, viewer: int, nation: int, cell: int, power: int) -> int:
    """Reason code of laying a mine: on free deep sea beside own land or an own port, so many at most."""
    if power < 1 or power > rules.scalars[0].naval_mine_strength_max:
        return reason.BAD_AMOUNT
    why = may_lie(world, rules, viewer, nation, cell)
    if why != reason.DONE:
        return why
    laid = territory.count(world, nation, terrain.NAVAL_MINE)
    return reason.DONE if laid < rules.scalars[0].naval_mine_nation_max else reason.TOO_MANY_MINES


@kernel
def may_lie(world: World, rules: Rules, viewer: int, nation: int, cell: int) -> int:
    """Reason code of the place of a mine (NMINE-003)."""
    if view.terrain(world, rules, viewer, cell) != terrain.SEA:
        return reason.WRONG_TERRAIN
    if not _touches_land(world, rules, nation, cell):
        return reason.NOT_ADJACENT
    if view.deposit(world, rules, viewer, cell) != deposit.NONE:
        return reason.DEPOSIT_IN_THE_WAY
    if view.ship(world, rules, viewer, cell) >= 0:
        return reason.SHIP_IN_THE_WAY
    return reason.UNIT_IN_THE_WAY if view.unit(world, rules, viewer, cell) >= 0 else reason.DONE


@kernel
def _touches_land(world: World, rules: Rules, nation: int, cell: int) -> bool:
    """Whether own land or an own port lies beside a cell (NMINE-003, MAP-036)."""
    for direction in range(1, look.DIRECTIONS + 1):
        near = look.side(world, cell, direction)
        if near >= 0 and world.cells.flat[near].owner == nation and look.is_foothold(world, rules, near):
            return True
    return False


@kernel
def lay(world: World, rules: Rules, nation: int, cell: int, power: int) -> None:
    """The cell is a mine of the nation; no event tells of it."""
    ground.put(world, rules, cell, terrain.NAVAL_MINE, nation, power)


@kernel
def may_remove(world: World, nation: int, cell: int) -> tuple[int, int]:
    """Reason code of removing a mine, an own one wherever it lies (NMINE-005), and its power."""
    place = world.cells.flat[cell]
    if place.terrain != terrain.NAVAL_MINE or place.owner != nation:
        return reason.NO_MINE, 0
    return reason.DONE, int(place.level)


@kernel
def remove(world: World, rules: Rules, cell: int) -> None:
    """The cell is open sea again."""
    ground.put(world, rules, cell, terrain.SEA, ground.NOBODY, 0)
