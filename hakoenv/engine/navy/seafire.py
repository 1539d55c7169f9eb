"""What shells do at sea: to ships, sea monsters and mines (NAVY-099, NMINE-008 .. NMINE-010)."""

from __future__ import annotations

from hakoenv.engine import damage, happenings
from hakoenv.engine.codes import event, ship_class, terrain
from hakoenv.engine.diplomacy import relations
from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import monsters
from hakoenv.engine.navy import hulls
from hakoenv.engine.world import World
from hakoenv.ruleset.codes import MONSTER_DOMAINS
from hakoenv.ruleset.compiled import Rules

NOBODY = -1
_SEA = MONSTER_DOMAINS.index("sea")


@kernel
def prey(world: World, rules: Rules, kind: int, nation: int, cell: int) -> int:
    """The ship on a cell that ships of a class and nation attack, -1 none (NAVY-061, NAVY-062).

    A ship of any class of a nation in open war with theirs, or a pirate.
    """
    found = int(world.cells.flat[cell].ship)
    if found < 0:
        return NOBODY
    other = world.ships[found]
    guns = rules.ship_classes[kind]
    fits = guns.anti_sub if other.kind == ship_class.SUBMARINE else guns.anti_ship
    hostile = other.kind == ship_class.PIRATE or relations.are_enemies(world, nation, int(other.owner))
    return found if fits and hostile else NOBODY


@kernel
def is_monster(world: World, rules: Rules, kind: int, cell: int) -> bool:
    """Whether there is a sea monster that ships of a class attack, hardened or not (NAVY-065)."""
    place = world.cells.flat[cell]
    if place.terrain != terrain.MONSTER or not rules.ship_classes[kind].anti_ship:
        return False
    return bool(rules.monsters[monsters.kind_of(rules, int(place.level))].domain == _SEA)


@kernel
def is_mine(world: World, nation: int, cell: int) -> bool:
    """Whether there is a mine of the nation or of one in open war with it (NMINE-008, NMINE-009)."""
    place = world.cells.flat[cell]
    if place.terrain != terrain.NAVAL_MINE:
        return False
    return bool(place.owner == nation or relations.are_enemies(world, nation, int(place.owner)))


@kernel
def hit(world: World, rules: Rules, kind: int, nation: int, cell: int) -> int:
    """A shell of a volley at a ship or monster; return the experience that it gives (NAVY-010, NAVY-011).

    It hurts ships that the class attacks, and sea monsters, nothing else.
    """
    harm = damage.strengthened(world, rules, nation, int(rules.ship_classes[kind].damage))
    if harm <= 0:
        return 0
    ship = prey(world, rules, kind, nation, cell)
    if ship >= 0:
        other = world.ships[ship]
        lost = min(harm, int(other.hp))
        happenings.record_between(world, event.SEA_BATTLE, nation, int(other.owner), cell, lost)
        return _experience(rules, hulls.hurt(world, rules, ship, harm, nation))
    if is_monster(world, rules, kind, cell):
        return _hit_monster(world, rules, nation, harm, cell)
    return 0


@kernel
def _hit_monster(world: World, rules: Rules, nation: int, harm: int, cell: int) -> int:
    """Hit points of a sea monster, unless it is hardened (NAVY-015)."""
    if monsters.is_hardened(world, rules, cell, int(world.clock[0].turn)):
        return 0
    level = int(world.cells.flat[cell].level)
    lost = min(harm, monsters.hit_points(rules, level))
    happenings.record(world, event.WHALE_HIT, nation, cell, lost)
    return _experience(rules, monsters.hurt(world, rules, cell, harm, nation))


@kernel
def _experience(rules: Rules, killed: bool) -> int:
    """What a valid hit gives, and more for a ship or monster that it is the end of."""
    s = rules.scalars[0]
    return int(s.ship_experience_hit + (s.ship_experience_kill if killed else 0))


@kernel
def sweep(world: World, rules: Rules, nation: int, cell: int) -> None:
    """A shell of a volley at a mine: mines of the nation and its enemies go, nothing else is hurt."""
    if not is_mine(world, nation, cell):
        return
    owner = int(world.cells.flat[cell].owner)
    if owner != nation:
        happenings.record_between(world, event.BOMBARDED, nation, owner, cell, terrain.NAVAL_MINE)
    damage.tear_down(world, rules, cell)
