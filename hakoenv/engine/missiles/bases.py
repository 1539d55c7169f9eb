"""Missile bases: how far and how often they fire, and how they gain experience (MSL-001 .. MSL-006)."""

from __future__ import annotations

from hakoenv.engine import hexgrid
from hakoenv.engine.codes import terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

_ON_LAND, _SEABED, _NO_BASE = 0, 1, -1  # rows of `rules.missile_base`


@kernel
def missile_of(rules: Rules, command: int) -> int:
    """The kind of missile that a command fires: a row of `rules.missiles` (MSL-019)."""
    for kind in range(rules.missiles.shape[0]):
        if rules.missiles[kind].command == command:
            return kind
    return 0


@kernel
def reach(world: World, rules: Rules, base: int) -> tuple[int, int]:
    """Range, and missiles of one command, of the base on a cell; (0, 0) if there is none (MSL-001)."""
    place = world.cells.flat[base]
    row = _row_of(int(place.terrain))
    if row == _NO_BASE:
        return 0, 0
    known = rules.missile_base[row, level_of(rules, row, int(place.experience))]
    return int(known.range), int(known.shots)


@kernel
def shots_at(world: World, rules: Rules, nation: int, base: int, cell: int, kind: int) -> int:
    """Missiles that an own base on cell ``base`` fires at a cell in one command; 0 if none reaches it.

    The range holds inclusively; ballistic missiles reach further (MSL-002 .. MSL-004).
    """
    place = world.cells.flat[base]
    row = _row_of(int(place.terrain))
    if row == _NO_BASE or place.owner != nation:
        return 0
    known = rules.missile_base[row, level_of(rules, row, int(place.experience))]
    reach = known.range + rules.missiles[kind].range_bonus
    return int(known.shots) if hexgrid.distance(world.cells.shape[1], base, cell) <= reach else 0


@kernel
def any_reaches(world: World, rules: Rules, nation: int, turn: int, cell: int, kind: int) -> bool:
    """Whether a nation has a base that fires so far (MSL-006).

    For a coming turn only what the nation holds now is asked; inside a turn a base may have changed hands.
    """
    record = world.nations[nation]
    inside = turn == world.clock[0].turn
    for k in range(world.cells.size if inside else int(record.held)):
        base = k if inside else int(world.territory[record.first + k])
        if shots_at(world, rules, nation, base, cell, kind) > 0:
            return True
    return False


@kernel
def level_of(rules: Rules, row: int, experience: int) -> int:
    """The last level whose experience is reached, counted from 0; levels a kind lacks are 0 (MSL-001)."""
    levels = rules.missile_base[row]
    level = 0
    while level + 1 < levels.shape[0] and levels[level].experience_min < levels[level + 1].experience_min:
        if experience < levels[level + 1].experience_min:
            break
        level += 1
    return level


@kernel
def learn(world: World, rules: Rules, base: int, experience: int) -> None:
    """Add experience to a base if it still stands, up to the cap; what is above is lost (MSL-005)."""
    place = world.cells.flat[base]
    row = _row_of(int(place.terrain))
    if row != _NO_BASE:
        cap = rules.missile_base[row, 0].experience_cap
        place.experience = max(int(place.experience), min(int(place.experience) + experience, cap))


@kernel
def _row_of(ground: int) -> int:
    if ground == terrain.MISSILE_BASE:
        return _ON_LAND
    return _SEABED if ground == terrain.SEABED_BASE else _NO_BASE
