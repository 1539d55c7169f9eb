"""What sunk warships leave: marks on the water that rot after some turns (NAVY-042)."""

from __future__ import annotations

from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

NONE = -1


@kernel
def leave(world: World, cell: int, kind: int) -> None:
    """A wreck of a ship class on a cell; with no place left in the list it takes that of the oldest."""
    place, oldest = NONE, 0
    for k in range(world.wrecks.shape[0]):
        wreck = world.wrecks[k]
        if wreck.kind == 0:
            place = k
            break
        if wreck.turn < world.wrecks[oldest].turn:
            oldest = k
    wreck = world.wrecks[place if place >= 0 else oldest]
    wreck.cell = cell
    wreck.turn = world.clock[0].turn
    wreck.kind = kind


@kernel
def rot(world: World, rules: Rules) -> None:
    """Wrecks that have lain for their term are gone (TURN-071)."""
    for k in range(world.wrecks.shape[0]):
        wreck = world.wrecks[k]
        if wreck.kind > 0 and not _lasts(world, rules, k, int(world.clock[0].turn)):
            remove(world, k)


@kernel
def _lasts(world: World, rules: Rules, wreck: int, turn: int) -> bool:
    """Whether a wreck is still there in a turn (NAVY-042)."""
    return bool(turn - world.wrecks[wreck].turn <= rules.scalars[0].ship_wreck_turns)


@kernel
def find(world: World, rules: Rules, cell: int, turn: int) -> int:
    """The oldest wreck that is on a cell in ``turn``, -1 none; of equally old ones the first in the list."""
    found = NONE
    for k in range(world.wrecks.shape[0]):
        wreck = world.wrecks[k]
        if wreck.kind > 0 and wreck.cell == cell and _lasts(world, rules, k, turn):
            if found < 0 or wreck.turn < world.wrecks[found].turn:
                found = k
    return found


@kernel
def remove(world: World, wreck: int) -> None:
    """Make an entry the empty one."""
    record = world.wrecks[wreck]
    record.cell = NONE
    record.turn = 0
    record.kind = 0
