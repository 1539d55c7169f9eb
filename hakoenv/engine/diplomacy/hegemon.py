"""Who towers over the world, and how it came to (CONT-001 .. CONT-003). Whole numbers all the way."""

from __future__ import annotations

from hakoenv.engine.kernel import kernel
from hakoenv.engine.rounding import floor
from hakoenv.engine.world import RECORD_TURNS, World
from hakoenv.ruleset.compiled import Rules

NOBODY = -1
_PERCENT = 100
_PERMILLE = 1000


@kernel
def find(world: World, rules: Rules) -> int:
    """The hegemon, -1 if there is none: so much of all land, and so many times the second (CONT-001).

    Land is that of the last census, ownerless land included in the whole (CONT-002).
    """
    s = rules.scalars[0]
    found, most, second = NOBODY, 0, 0
    for n in range(world.nations.shape[0]):
        if not world.nations[n].alive:
            continue
        land = int(world.nations[n].land)
        if land > most:
            found, most, second = n, land, most
        else:
            second = max(second, land)
    is_large = most * _PERCENT >= int(world.clock[0].all_land) * s.containment_land_percent
    towers = most * _PERMILLE >= second * floor(s.containment_second_ratio * _PERMILLE)
    return found if is_large and towers else int(NOBODY)


@kernel
def points48(world: World, rules: Rules, nation: int) -> int:
    """A nation's points of containment as they stand, in parts of `containment.window`: 48ths (CONT-003)."""
    return points48_in(world, rules, nation, int(world.clock[0].turn))


@kernel
def points48_in(world: World, rules: Rules, nation: int, turn: int) -> int:
    """The same in ``turn``, this one or a coming one: land taken in war and own declarations, by age.

    Each loses its points in a straight line over the window; nothing has happened yet in a turn to come.
    """
    s = rules.scalars[0]
    record = world.nations[nation]
    points = 0
    for age in range(turn - int(world.clock[0].turn), s.containment_window):
        place = (turn - age) % RECORD_TURNS
        worth = int(record.conquests[place]) * s.containment_point_land
        worth += int(record.declarations[place]) * s.containment_point_declaration
        points += worth * (s.containment_window - age)
    return int(points)


@kernel
def is_feared(world: World, rules: Rules, nation: int, turn: int) -> bool:
    """Whether a hegemon has the points that make others stand together against it, in ``turn`` (CONT-004)."""
    s = rules.scalars[0]
    return bool(points48_in(world, rules, nation, turn) >= s.containment_threshold * s.containment_window)
