"""The occupation step of phase 26: units wear down or restore the cells they stand on, and take them."""

from __future__ import annotations

from hakoenv.engine import damage, ground, happenings, territory
from hakoenv.engine.codes import event
from hakoenv.engine.diplomacy import records, relations
from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import resistance
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

_STRONG = 2  # occupation attribute
_ALL = 100  # strength that the drop is given for


@kernel
def occupy(world: World, rules: Rules, unit: int) -> None:
    """One unit's effect on the resistance of its cell; at 0 it is captured at once (ARMY-006 .. ARMY-010).

    Land of enemies and ownerless land can be taken, where the terrain can resist at all (ARMY-066); on land
    of others nothing happens.
    """
    record = world.units[unit]
    cell = int(record.cell)
    place = world.cells.flat[cell]
    owner = int(place.owner)
    if owner == record.owner:
        resistance.restore(world, rules, cell, rules.scalars[0].resistance_recover_own_unit)
        return
    loss = drop(rules, int(record.type), int(record.strength))
    if loss == 0 or rules.terrains[place.terrain].resistance_max == 0:
        return
    if owner >= 0 and not relations.are_enemies(world, int(record.owner), owner):
        return
    place.resistance = max(0, int(place.resistance) - loss)
    if place.resistance == 0:
        capture(world, rules, cell, int(record.owner))


@kernel
def drop(rules: Rules, kind: int, strength: int) -> int:
    """Resistance that a unit takes from a cell in a turn, 0 if its type can't occupy (ARMY-008, ARMY-009)."""
    s = rules.scalars[0]
    occupation = rules.unit_types[kind].occupation
    if occupation == 0:
        return 0
    rate = s.resistance_drop_strong if occupation == _STRONG else s.resistance_drop_weak
    return int(max(s.resistance_min_drop, strength * rate // _ALL))


@kernel
def capture(world: World, rules: Rules, cell: int, nation: int) -> None:
    """A nation takes a cell with everything on it; people flee from a town (ARMY-065).

    Land of an enemy counts as taken in war (CONT-003).
    """
    former = int(world.cells.flat[cell].owner)
    if former >= 0:
        ground.note_taking(world, cell)
    if relations.are_enemies(world, nation, former) and territory.is_land(world, rules, cell):
        world.nations[nation].captured += 1
        records.conquered(world, nation, 1)
    if rules.terrains[world.cells.flat[cell].terrain].is_town:
        damage.lose_people(world, rules, cell, rules.scalars[0].army_capture_population_loss)
    happenings.record_between(
        world, event.CELL_CAPTURED, nation, former, cell, int(world.cells.flat[cell].terrain)
    )
    ground.hand_over(world, rules, cell, nation)
