"""People in a town: the one place where its number changes and its class follows (MAP-039, DIS-012)."""

from __future__ import annotations

from hakoenv.engine import happenings
from hakoenv.engine.codes import event, terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import resistance
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def gain(world: World, rules: Rules, cell: int, people: int, cap: int) -> None:
    """Let a town grow by ``people``, not past ``cap``; one above the cap stays (MAP-039 .. MAP-043).

    A town that reaches ``town.metropolis_at`` becomes a metropolis with the people it has.
    """
    place = world.cells.flat[cell]
    place.population = max(place.population, min(place.population + people, cap))
    if place.terrain == terrain.TOWN and place.population >= rules.scalars[0].town_metropolis_at:
        place.terrain = terrain.METROPOLIS
        happenings.record(world, event.METROPOLIS, place.owner, cell, place.population)


@kernel
def lose(world: World, rules: Rules, cell: int, people: int, least: int) -> int:
    """Take ``people`` from a town but leave ``least``; return how many went.

    A metropolis below ``town.metropolis_at`` is an ordinary town again (DIS-012), with the resistance of one.
    """
    place = world.cells.flat[cell]
    gone = max(0, min(people, place.population - least))
    place.population -= gone
    if place.terrain == terrain.METROPOLIS and place.population < rules.scalars[0].town_metropolis_at:
        place.terrain = terrain.TOWN
        resistance.curb(world, rules, cell)
        happenings.record(world, event.METROPOLIS_LOST, place.owner, cell, place.population)
    return int(gone)


@kernel
def found(world: World, rules: Rules, cell: int, kind: int, people: int) -> None:
    """Turn the cell into a young town of terrain ``kind``."""
    place = world.cells.flat[cell]
    place.terrain = kind
    place.level = 0
    place.population = people
    happenings.record(world, event.NEW_TOWN, place.owner, cell, people)
