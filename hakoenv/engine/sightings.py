"""What each nation has seen of foreign units and warships, and where last (ARMY-058, NAVY-020).

A nation knows what it sees now and where it saw the rest last, at most 64 things: the longest unseen
are forgotten first. Its memory holds nothing that it could not have noted down itself; `record`
tells the engine when a remembered thing has been found elsewhere, and is shown to nobody.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hakoenv.engine import view
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import SIGHTINGS, World
from hakoenv.ruleset.compiled import Rules

NONE = 0
UNIT = 1
WARSHIP = 2


@kernel(allocates=True)
def remember(world: World, rules: Rules) -> None:
    """Note what is in sight at the end of the turn and drop what is known to have gone."""
    watch = np.zeros((2, world.cells.size), np.int64)
    view.watch_all(world, rules, watch)
    for n in range(world.nations.shape[0]):
        for k in range(SIGHTINGS):
            seen = world.sightings[n, k]
            if seen.what == NONE:
                continue
            place = _place_now(world, seen)
            watching = watch[_row(seen.what), seen.cell]
            if place >= 0:
                watching |= watch[_row(seen.what), place] | _met(world, seen)
            # where either its place or the thing itself is in sight, there is fresher news
            if not world.nations[n].alive or (watching >> n) & 1:
                _forget(seen)
    for k in range(world.clock[0].units):
        unit = world.units[k]
        if unit.owner >= 0 and unit.cell >= 0:
            _note(world, UNIT, k, unit.cell, unit.owner, unit.type, unit.strength,
                  watch[view.UNITS, unit.cell] | unit.met)  # fmt: skip
            unit.met = 0
    for k in range(world.clock[0].ships):
        ship = world.ships[k]
        if view.hides(world, k) and ship.cell >= 0:
            _note(world, WARSHIP, k, ship.cell, ship.owner, ship.kind, ship.hp,
                  watch[view.WARSHIPS, ship.cell] | ship.met)  # fmt: skip
            ship.met = 0  # in sight of who ran into it until the turn ends: NAVY-097


@kernel
def _row(what: int) -> int:
    """The row of the watch for units, or for warships."""
    return int(view.UNITS) if what == UNIT else int(view.WARSHIPS)


@kernel
def _place_now(world: World, seen: Any) -> int:
    """Where a remembered thing is, -1 if it is no more, or aboard."""
    if seen.what == UNIT:
        unit = world.units[seen.record]
        return int(unit.cell) if unit.owner == seen.owner and unit.type == seen.type else -1
    ship = world.ships[seen.record]
    return int(ship.cell) if ship.owner == seen.owner and ship.kind == seen.type else -1


@kernel
def _met(world: World, seen: Any) -> int:
    """Whose ships ran into a remembered thing in this turn, one bit each."""
    return int(world.units[seen.record].met if seen.what == UNIT else world.ships[seen.record].met)


@kernel
def _note(
    world: World, what: int, record: int, cell: int, owner: int, kind: int, strength: int, watching: int
) -> None:
    """Write down for each nation that sees a foreign unit or warship where it stands."""
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
