"""What shells do on land: to buildings, towns and armies of nations in open war (BOMB)."""

from __future__ import annotations

import numpy as np

from hakoenv.engine import chance, damage, happenings
from hakoenv.engine.codes import event, terrain
from hakoenv.engine.diplomacy import relations
from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import troops
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

NOBODY = -1
NOTHING = 0
MILITARY = 1
CIVILIAN = 2
_SITES = [terrain.NAVAL_PORT, terrain.MISSILE_BASE, terrain.DEFENSE_FACILITY, terrain.SEABED_BASE]
_TARGETS = np.full(terrain.COUNT, NOTHING)  # every other building stands it (BOMB-035)
_TARGETS[_SITES] = MILITARY  # BOMB-003
_TARGETS[
    [
        terrain.TOWN, terrain.SEABED_CITY, terrain.NEW_TOWN, terrain.MODERN_CITY, terrain.METROPOLIS,
        terrain.FARM, terrain.FACTORY, terrain.LARGE_FARM, terrain.LARGE_FACTORY,
    ]
] = CIVILIAN  # BOMB-012  # fmt: skip


@kernel
def target(world: World, rules: Rules, kind: int, nation: int, cell: int) -> int:
    """What ships of a class and nation may shell on a cell: a military or civilian target, or nothing."""
    return _exposed(world, nation, cell) if rules.ship_classes[kind].anti_land else int(NOTHING)


@kernel
def army(world: World, rules: Rules, kind: int, nation: int, cell: int) -> int:
    """The enemy unit that ships of a class and nation may shell on a cell, -1 none (BOMB-024, BOMB-029)."""
    return _enemy_unit(world, nation, cell) if rules.ship_classes[kind].anti_land else int(NOBODY)


@kernel
def is_deserted(world: World, rules: Rules, cell: int) -> bool:
    """Whether there is a town without people, which no ship chooses of its own (BOMB-006)."""
    place = world.cells.flat[cell]
    return bool(rules.terrains[place.terrain].is_town and place.population == 0)


@kernel
def hit(world: World, rules: Rules, nation: int, subject: int, shell: int, cell: int) -> int:
    """A shell of a volley at land: unit and place take their own damage each (BOMB-027, BOMB-028, BOMB-032).

    ``subject`` and ``shell`` name its draw. Return the experience: one at most (BOMB-034), nothing more for
    what it is the end of (BOMB-011, BOMB-022, BOMB-031).
    """
    ground = int(world.cells.flat[cell].terrain)
    place = _exposed(world, nation, cell)
    owner = int(world.cells.flat[cell].owner)
    unit = _enemy_unit(world, nation, cell)
    holder = int(world.units[unit].owner) if unit >= 0 else NOBODY
    hurt = False
    if unit >= 0 and _hit_unit(world, rules, nation, subject, shell, unit):
        happenings.record_between(world, event.BOMBARDED, nation, holder, cell, ground)
        hurt = True
    if place != NOTHING and _hit_place(world, rules, cell):
        happenings.record_between(world, event.BOMBARDED, nation, owner, cell, ground)
        hurt = True
    return int(rules.scalars[0].ship_experience_hit) if hurt else 0


@kernel
def _exposed(world: World, nation: int, cell: int) -> int:
    """What can be shelled on a cell if its owner is in open war with the nation (BOMB-004, BOMB-019)."""
    place = world.cells.flat[cell]
    if not relations.are_enemies(world, nation, int(place.owner)):
        return int(NOTHING)
    return int(_TARGETS[place.terrain])


@kernel
def _enemy_unit(world: World, nation: int, cell: int) -> int:
    """The unit on a cell, whoever owns the ground, if its nation is in open war with the other."""
    unit = int(world.cells.flat[cell].unit)
    if unit < 0 or not relations.are_enemies(world, nation, int(world.units[unit].owner)):
        return int(NOBODY)
    return unit


@kernel
def _hit_unit(world: World, rules: Rules, nation: int, subject: int, shell: int, unit: int) -> bool:
    """A drawn loss with military research; some are wounded (BOMB-026, ARMY-057)."""
    s = rules.scalars[0]
    low = int(s.bombard_unit_damage_low)
    high = max(low, int(s.bombard_unit_damage_high))
    drawn = chance.between(world, chance.SHELL_DAMAGE, subject, shell, low, high)
    return troops.lose(world, rules, unit, damage.strengthened(world, rules, nation, drawn), 1) > 0


@kernel
def _hit_place(world: World, rules: Rules, cell: int) -> bool:
    """People of a town, a level of works, a hit on a facility; no research counts (NAVY-006, BOMB-021)."""
    if rules.terrains[world.cells.flat[cell].terrain].is_town:
        return damage.drive_out(world, rules, cell, int(rules.scalars[0].bombard_town_percent)) > 0
    return damage.batter(world, rules, cell, 1)
