"""What a missile does where it lands: to the unit, the ship and the ground there (MSL-025 .. MSL-027)."""

from __future__ import annotations

from hakoenv.engine import chance, damage
from hakoenv.engine.codes import terrain
from hakoenv.engine.diplomacy import relations
from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import monsters, troops
from hakoenv.engine.navy import hulls
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def hit(world: World, rules: Rules, nation: int, kind: int, base: int, shot: int, cell: int) -> int:
    """Hit whatever is on a cell, whoever owns it; return the experience that the base gains.

    Only enemies in open war, neutral ships and killed monsters give experience (MSL-025, MSL-027).
    """
    place = world.cells.flat[cell]
    unit, ship = int(place.unit), int(place.ship)
    gained = 0
    if unit >= 0:
        gained += _hit_unit(world, rules, nation, kind, base, shot, unit)
    if ship >= 0:
        gained += _hit_ship(world, rules, nation, kind, ship)
    return gained + _hit_ground(world, rules, nation, kind, cell)


@kernel
def _hit_unit(world: World, rules: Rules, nation: int, kind: int, base: int, shot: int, unit: int) -> int:
    """A drawn loss; below strength 1 nothing is left of it, and some are wounded (MSL-018, ARMY-057)."""
    missile = rules.missiles[kind]
    most = max(missile.unit_damage_min, missile.unit_damage_max)
    drawn = chance.between(world, chance.MISSILE_DAMAGE, base, shot, missile.unit_damage_min, most)
    is_enemy = relations.are_enemies(world, nation, int(world.units[unit].owner))
    lost = troops.lose(world, rules, unit, damage.strengthened(world, rules, nation, drawn), 1)
    return int(rules.scalars[0].missile_experience_gain_per_unit) if is_enemy and lost > 0 else 0


@kernel
def _hit_ship(world: World, rules: Rules, nation: int, kind: int, ship: int) -> int:
    """Hit points of a ship of any kind."""
    harm = damage.strengthened(world, rules, nation, int(rules.missiles[kind].ship_damage))
    if harm <= 0:
        return 0
    owner = int(world.ships[ship].owner)
    is_enemy = owner < 0 or relations.are_enemies(world, nation, owner)
    hulls.hurt(world, rules, ship, harm, nation)
    return int(rules.scalars[0].missile_experience_gain_per_unit) if is_enemy else 0


@kernel
def _hit_ground(world: World, rules: Rules, nation: int, kind: int, cell: int) -> int:
    """A monster, a town's people, or what is built there; nature and monuments stand it (MSL-026)."""
    s = rules.scalars[0]
    missile = rules.missiles[kind]
    place = world.cells.flat[cell]
    ground = place.terrain
    is_enemy = relations.are_enemies(world, nation, int(place.owner))
    if ground == terrain.MONSTER:
        beast = monsters.kind_of(rules, int(place.level))
        harm = damage.strengthened(world, rules, nation, int(missile.monster_damage))
        return int(rules.monsters[beast].experience) if monsters.hurt(world, rules, cell, harm, nation) else 0
    if rules.terrains[ground].is_town:
        gone = damage.drive_out(world, rules, cell, int(missile.town_loss_percent))
        return int(gone // s.missile_experience_gain_population_divisor) if is_enemy else 0
    if ground == terrain.NAVAL_MINE:
        if missile.facility_hits > 0:
            damage.tear_down(world, rules, cell)
        return 0
    if damage.batter(world, rules, cell, int(missile.facility_hits)) and is_enemy:
        return int(s.missile_experience_gain_per_building)
    return 0
