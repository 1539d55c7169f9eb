"""Units as records: how they come, where they can stand, what they lose and learn, and how they go."""

from __future__ import annotations

from hakoenv.engine import happenings
from hakoenv.engine.codes import event, terrain, unit_item
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import CORPS_COUNT, World
from hakoenv.ruleset.compiled import Rules

NONE = -1


@kernel
def place(world: World, nation: int, kind: int, corps: int, cell: int, strength: int) -> int:
    """Make a unit of a type on a free cell, without experience and item (ARMY-061).

    Returns:
        Its index, or -1 if the list of units is full.
    """
    for unit in range(world.units.shape[0]):
        record = world.units[unit]
        if record.owner >= 0:
            continue
        clock = world.clock[0]
        record.serial = clock.units_made
        clock.units_made += 1
        clock.units = max(int(clock.units), unit + 1)
        record.owner = nation
        record.type = kind
        record.corps = corps
        record.cell = cell
        record.strength = strength
        record.aboard = NONE
        record.experience = record.carries = 0
        record.met = 0
        world.cells.flat[cell].unit = unit
        return unit
    return NONE


@kernel
def pace(rules: Rules, kind: int, carries: int, ground: int) -> int:
    """Movement value of a unit type with an item on a terrain, tunnels apart (ARMY-020, ARMY-023).

    0: it can't enter; 1 or 2: so many cells a turn. Ground looked at is as the tables know it (ARMY-029 ..
    ARMY-033).
    """
    table = rules.terrains[ground].unit_table_as
    value = rules.unit_move[kind, table]
    if carries == unit_item.SHOES_OF_WATER_MOVEMENT and is_sea(table):
        value = max(value, int(rules.items[carries].value))
    return int(value)


@kernel
def is_sea(table: int) -> bool:
    """Whether a terrain of the unit tables is of the sea family (ARMY-018)."""
    return table == terrain.SEA or table == terrain.SEABED_BASE


@kernel
def floats(world: World, rules: Rules, unit: int) -> bool:
    """Whether a unit can stand on open water: by its type, or with the shoes (ARMY-069)."""
    record = world.units[unit]
    return pace(rules, int(record.type), int(record.carries), terrain.SEA) > 0


@kernel
def lose(world: World, rules: Rules, unit: int, damage: int, wounded: int) -> int:
    """Take strength from a unit, the one door for losses in the field; at 0 it is gone (ARMY-041).

    Args:
        world: the world.
        rules: the ruleset.
        unit: index of the unit.
        damage: strength to take, 0 or more; what the unit doesn't have is not lost.
        wounded: 1 if a share of the loss goes to its nation's hospital: in battle and by missiles, not in
            disasters (ARMY-057).

    Returns:
        The strength lost.
    """
    record = world.units[unit]
    before = int(record.strength)
    gone = max(0, min(damage, before))
    if wounded:
        world.nations[record.owner].wounded += gone * rules.scalars[0].army_wounded_percent // 100
    record.strength = before - gone
    if gone == before:
        happenings.record(world, event.UNIT_LOST, int(record.owner), int(record.cell), before)
        remove(world, unit)
    return gone


@kernel
def disband(world: World, unit: int) -> None:
    """A unit joins the reserves, its item the national store; what it learned is lost (ARMY-068)."""
    record = world.units[unit]
    nation = world.nations[record.owner]
    nation.reserves += record.strength
    if record.carries != unit_item.NONE:
        nation.items[record.carries] += 1
    remove(world, unit)


@kernel
def remove(world: World, unit: int) -> None:
    """Take a unit off its cell or ship; its place in the list is free."""
    record = world.units[unit]
    if record.cell >= 0:
        world.cells.flat[record.cell].unit = NONE
    record.owner = record.cell = record.aboard = NONE
    record.strength = record.experience = 0
    record.met = 0
    record.type = record.corps = record.carries = 0


@kernel
def learn(world: World, rules: Rules, unit: int, experience: int) -> None:
    """Add experience up to the cap (ARMY-054)."""
    record = world.units[unit]
    record.experience = min(int(record.experience) + experience, rules.scalars[0].army_experience_cap)


@kernel
def level(rules: Rules, experience: int) -> int:
    """The level of a unit: how many thresholds its experience has reached (ARMY-054)."""
    reached = 0
    for k in range(rules.scalars[0].army_level_thresholds.shape[0]):
        reached += experience >= rules.scalars[0].army_level_thresholds[k]
    return int(reached)


@kernel
def reset_corps(world: World, rules: Rules, nation: int) -> None:
    """Give all corps of a nation their first name, colour, order and direction (ARMY-002, ARMY-003)."""
    for number in range(CORPS_COUNT):
        corps = world.corps[nation, number]
        corps.name = corps.colour = number
        corps.order = rules.scalars[0].corps_default_order
        corps.direction = 0
