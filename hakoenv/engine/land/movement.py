"""Where units may go, one cell at a time: terrain, what stands there, whose land it is, zones of control.

``viewer`` is a nation's number or ``view.TRUTH``: the same rules move units in the turn and tell a nation
what it can know of a step.
"""

from __future__ import annotations

from hakoenv.engine import happenings, hexgrid, view
from hakoenv.engine.codes import event, terrain, unit_item
from hakoenv.engine.diplomacy import relations
from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import troops
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

TUNNEL = 14  # column of the movement table, after the 14 terrains
_NEIGHBOURS = 6


@kernel
def march(world: World, rules: Rules, unit: int, direction: int) -> bool:
    """Move a unit as far in a direction as it gets this turn; return whether it moved (ARMY-063).

    Direction 0 is no step. A closed cell ends the march: units do not sidestep.
    """
    height, width = world.cells.shape
    budget = first_budget(world, rules, unit)
    moved = False
    while direction > 0 and budget > 0:
        goal = hexgrid.neighbour(width, height, int(world.units[unit].cell), direction)
        budget = step(world, rules, unit, goal, budget)
        moved = moved or budget >= 0
    return moved


@kernel
def first_budget(world: World, rules: Rules, unit: int) -> int:
    """What a unit can spend on steps in a turn (ARMY-021); nothing if it lacks fuel (ARMY-067)."""
    record = world.units[unit]
    if world.nations[record.owner].stalled and rules.unit_types[record.type].upkeep_fuel_per_100 > 0:
        return 0
    return int(rules.scalars[0].army_move_budget)


@kernel
def step(world: World, rules: Rules, unit: int, goal: int, budget: int) -> int:
    """Move a unit to a neighbouring cell (-1 outside the map) if it may and ``budget`` allows it.

    Its nation learns that a zone of control forbade it, maybe of an enemy that it can't see (ARMY-016).

    Returns:
        What is left of the budget, or -1 if the unit stays.
    """
    record = world.units[unit]
    if goal < 0:
        return -1
    value = _open_value(world, rules, view.TRUTH, unit, int(record.cell), goal)
    if value == 0:
        return -1
    cost = max(1, rules.scalars[0].army_move_budget // value)  # a value of 1 needs it all: ARMY-021
    if cost > budget:
        return -1
    if _is_held(world, rules, view.TRUTH, unit, int(record.cell), goal):
        happenings.record(world, event.HELD_BY_ZONE, int(record.owner), goal, 0)
        return -1
    cells = world.cells.flat
    cells[record.cell].unit = troops.NONE
    cells[goal].unit = unit
    record.cell = goal
    return int(budget - cost)


@kernel
def step_value(world: World, rules: Rules, viewer: int, unit: int, start: int, goal: int) -> int:
    """Movement value of a unit's step between neighbouring cells, 0 if it is closed."""
    value = _open_value(world, rules, viewer, unit, start, goal)
    return 0 if value == 0 or _is_held(world, rules, viewer, unit, start, goal) else value


@kernel
def _open_value(world: World, rules: Rules, viewer: int, unit: int, start: int, goal: int) -> int:
    """The same, zones of control apart.

    A cell holds one unit (ARMY-060), no unit enters the cell of a ship (EMBARK-008) or monster (ARMY-070).
    """
    if view.unit(world, rules, viewer, goal) >= 0 or view.ship(world, rules, viewer, goal) >= 0:
        return 0
    ground = view.terrain(world, rules, viewer, goal)
    if ground == terrain.MONSTER:
        return 0
    value = _pace(world, rules, unit, goal, ground)
    return value if value > 0 and _is_open(world, rules, viewer, unit, start, goal) else 0


@kernel
def pace_on(world: World, rules: Rules, viewer: int, unit: int, cell: int) -> int:
    """Movement value of a unit on a cell, by its terrain alone (ARMY-020)."""
    return _pace(world, rules, unit, cell, view.terrain(world, rules, viewer, cell))


@kernel
def _pace(world: World, rules: Rules, unit: int, cell: int, ground: int) -> int:
    """The same for a cell whose terrain is known; a tunnel is a column of its own (MAP-031)."""
    record = world.units[unit]
    if ground == terrain.MOUNTAIN and world.cells.flat[cell].tunnel:
        return int(rules.unit_move[record.type, TUNNEL])
    return int(troops.pace(rules, int(record.type), int(record.carries), _base(world, cell, ground)))


@kernel
def ground_of(world: World, rules: Rules, viewer: int, cell: int) -> int:
    """Terrain of a cell as the unit tables know it (ARMY-029 .. ARMY-033)."""
    ground = _base(world, cell, view.terrain(world, rules, viewer, cell))
    return int(rules.terrains[ground].unit_table_as)


@kernel
def _base(world: World, cell: int, ground: int) -> int:
    """The terrain itself, but under an oil field what it was drilled in (MAP-015)."""
    return int(world.cells.flat[cell].below) if ground == terrain.OFFSHORE_OIL else ground


@kernel
def admits(world: World, nation: int, owner: int) -> bool:
    """Whether a nation's units may enter land of an owner, -1 nobody (ARMY-059)."""
    if owner < 0 or owner == nation:
        return True
    return relations.are_enemies(world, nation, owner) or relations.are_mates(world, nation, owner)


@kernel
def _is_open(world: World, rules: Rules, viewer: int, unit: int, start: int, goal: int) -> bool:
    """Whether the owners of two cells let a unit step from one to the other (ARMY-017, ARMY-018, ARMY-059).

    From a closed cell, where a war ended, it may walk on over land of the same nation.
    """
    record = world.units[unit]
    nation = int(record.owner)
    here = view.owner(world, rules, viewer, start)
    there = view.owner(world, rules, viewer, goal)
    if there == nation:
        return True
    if here != there and not admits(world, nation, there):
        return False
    if here == nation or rules.unit_types[record.type].foreign_to_foreign:
        return True
    by_sea = troops.is_sea(ground_of(world, rules, viewer, start))
    return bool(by_sea or troops.is_sea(ground_of(world, rules, viewer, goal)))


@kernel
def _is_held(world: World, rules: Rules, viewer: int, unit: int, start: int, goal: int) -> bool:
    """Whether an enemy beside the unit forbids the step to another cell beside it (ARMY-014 .. ARMY-016)."""
    record = world.units[unit]
    if rules.unit_types[record.type].ignores_zoc or record.carries == unit_item.CLOAK_OF_ZOC_IGNORING:
        return False
    height, width = world.cells.shape
    for direction in range(1, _NEIGHBOURS + 1):
        near = hexgrid.neighbour(width, height, start, direction)
        if near < 0:
            continue
        other = view.unit(world, rules, viewer, near)
        if other < 0 or not rules.unit_types[world.units[other].type].makes_zoc:
            continue
        if hexgrid.distance(width, near, goal) > 1:
            continue
        if relations.are_enemies(world, int(record.owner), int(world.units[other].owner)):
            return True
    return False
