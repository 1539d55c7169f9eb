"""What each nation has seen of foreign units and warships, and where last (ARMY-058, NAVY-020).

A nation knows what it sees now and where it saw the rest last, at most 64 things: the longest unseen
are forgotten first. Its memory holds nothing that it could not have noted down itself; `record`
tells the engine when a remembered thing has been found elsewhere, and is shown to nobody.
"""

from __future__ import annotations

from typing import Any

from hakoenv.engine import view
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import SIGHTINGS, World
from hakoenv.ruleset.compiled import Rules

NONE = 0
UNIT = 1
WARSHIP = 2


@kernel
def remember(world: World, rules: Rules) -> None:
    """Note what is in sight at the end of the turn and drop what is known to have gone."""
    for n in range(world.nations.shape[0]):
        alive = world.nations[n].alive == 1
        for k in range(SIGHTINGS):
            seen = world.sightings[n, k]
            if seen.what != NONE and not (alive and _still_believed(world, rules, n, seen)):
                _forget(seen)
    for k in range(world.units.shape[0]):
        unit = world.units[k]
        if unit.owner >= 0 and unit.cell >= 0:
            _note(world, rules, UNIT, k, unit.cell, unit.owner, unit.type, unit.strength)
    for k in range(world.ships.shape[0]):
        ship = world.ships[k]
        if view.WARSHIP_FIRST <= ship.kind <= view.WARSHIP_LAST and ship.cell >= 0:
            _note(world, rules, WARSHIP, k, ship.cell, ship.owner, ship.kind, ship.hp)


@kernel
def _still_believed(world: World, rules: Rules, nation: int, seen: Any) -> bool:
    """Whether neither the place nor the thing itself is in sight: either would be fresher news."""
    if view.sees_cell(world, rules, nation, seen.cell):
        return False
    if seen.what == UNIT:
        unit = world.units[seen.record]
        same = unit.owner == seen.owner and unit.type == seen.type
        place = int(unit.cell)
    else:
        ship = world.ships[seen.record]
        same = ship.owner == seen.owner and ship.kind == seen.type
        place = int(ship.cell)
    return not (same and place >= 0 and view.sees_cell(world, rules, nation, place))


@kernel
def _note(
    world: World, rules: Rules, what: int, record: int, cell: int, owner: int, kind: int, strength: int
) -> None:
    """Write down for each nation that sees a foreign unit or warship where it stands."""
    watching = view.watchers(world, rules, cell)
    for n in range(world.nations.shape[0]):
        if n == owner or not (watching >> n) & 1 or not world.nations[n].alive:
            continue
        place = _place(world, n, cell, what)
        if place >= 0:
            seen = world.sightings[n, place]
            seen.turn = world.clock[0].turn
            seen.cell = cell
            seen.record = record
            seen.strength = strength
            seen.owner = owner
            seen.what = what
            seen.type = kind


@kernel
def _place(world: World, nation: int, cell: int, what: int) -> int:
    """Where to note something: a free place, else that of the oldest entry; -1 if all are newer.

    Of one turn's entries those of higher cells stay, units before warships: the order in which things
    are noted, which is hidden, must not show.
    """
    oldest = -1
    turn, least, kind = int(world.clock[0].turn), cell, what
    for k in range(SIGHTINGS):
        seen = world.sightings[nation, k]
        if seen.what == NONE:
            return k
        if (
            seen.turn < turn
            or (seen.turn == turn and seen.cell < least)
            or (seen.turn == turn and seen.cell == least and seen.what > kind)
        ):
            oldest = k
            turn, least, kind = int(seen.turn), int(seen.cell), int(seen.what)
    return oldest


@kernel
def _forget(seen: Any) -> None:
    """Make an entry the empty one."""
    seen.turn = seen.cell = seen.record = 0
    seen.strength = 0
    seen.owner = 0
    seen.what = 0
    seen.type = 0
