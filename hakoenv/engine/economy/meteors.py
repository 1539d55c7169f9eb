"""Meteors (phase 27); too much land in the world brings more of them (DIS-004, DIS-017, DIS-019)."""

from __future__ import annotations

from hakoenv.engine import chance, damage, happenings, hexgrid, territory
from hakoenv.engine.codes import event, terrain
from hakoenv.engine.economy import epicentre, mining
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import hulls
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def too_much_land(world: World, rules: Rules) -> bool:
    """Whether the world's land, ownerless land included, exceeds the safe limit (DIS-004).

    The cells listed in phase 23 hold all land: nothing between makes any.
    """
    land = 0
    for k in range(world.clock[0].listed):
        land += territory.is_land(world, rules, int(world.territory[k]))
    return bool(land > safe_land(world, rules))


@kernel
def safe_land(world: World, rules: Rules) -> int:
    """The limit: a number, or a share of the land of a map that began with more (DIS-017)."""
    s = rules.scalars[0]
    began = int(world.clock[0].initial_land)
    if began > s.disaster_safe_land_cells:
        return int(began * s.disaster_safe_land_scaled_percent // 100)
    return int(s.disaster_safe_land_cells)


@kernel
def shower(world: World, rules: Rules, raised: bool) -> None:
    """Stones fall anywhere; after each one another may come, no more than there are cells."""
    s = rules.scalars[0]
    percent = s.disasters_meteor_percent_per_turn
    if raised:
        percent = s.disasters_meteor_percent_over_limit
    percent *= s.disasters_meteor_default_on
    if not chance.happens(world, chance.METEOR, 0, epicentre.WHETHER, percent):
        return
    height, width = world.cells.shape
    again = float(s.disasters_meteor_effect_repeat_percent)
    for stone in range(world.cells.size):
        centre = chance.roll(world, chance.METEOR, stone, epicentre.WHERE, world.cells.size)
        owner = int(world.cells.flat[centre].owner)
        damaged = 0
        for k in range(hexgrid.disc_size(s.disasters_meteor_radius)):
            cell = hexgrid.nth_far(width, height, centre, k)
            if cell >= 0:
                damaged += _strike(world, rules, cell)
        happenings.record(world, event.METEOR, owner, centre, damaged)
        if not chance.happens(world, chance.METEOR, stone + 1, epicentre.WHETHER, again):
            return


@kernel
def _strike(world: World, rules: Rules, cell: int) -> int:
    """One stone: a ship is hurt, a town loses people, land is laid waste, shallows become sea.

    A mine above level 1 loses a level only. Works on water are spared. Returns 1 if something changed.
    """
    s = rules.scalars[0]
    place = world.cells.flat[cell]
    kind = place.terrain
    hit = place.ship >= 0
    if hit:
        hulls.hurt(world, rules, int(place.ship), s.disasters_meteor_effect_ship_damage, hulls.NOBODY)
    if damage.spared_by_nature(world, rules, cell):
        return 0
    if rules.terrains[kind].is_town:
        damage.lose_people(world, rules, cell, s.disasters_meteor_effect_town_loss_percent)
    elif kind == terrain.SHALLOWS:
        damage.flood(world, rules, cell, terrain.SEA)
    elif kind == terrain.WASTELAND or not territory.is_land(world, rules, cell):
        return int(hit)
    elif rules.terrains[kind].mine >= 0 and kind != terrain.OFFSHORE_OIL and place.level > 1:
        mining.lose_level(world, rules, cell)
    else:
        damage.ruin(world, rules, cell)
    return 1


@kernel
def fall_huge(world: World, rules: Rules, raised: bool) -> None:
    """A huge meteor may fall anywhere."""
    s = rules.scalars[0]
    percent = s.disasters_huge_meteor_percent_per_turn
    if raised:
        percent = s.disasters_huge_meteor_percent_over_limit
    percent *= s.disasters_huge_meteor_default_on
    if not chance.happens(world, chance.HUGE_METEOR, 0, epicentre.WHETHER, percent):
        return
    centre = chance.roll(world, chance.HUGE_METEOR, 0, epicentre.WHERE, world.cells.size)
    owner = int(world.cells.flat[centre].owner)
    damaged = crater(world, rules, centre)
    happenings.record(world, event.HUGE_METEOR, owner, centre, damaged)


@kernel
def crater(world: World, rules: Rules, centre: int) -> int:
    """Wide damage: the centre is sea, its ring shallows, land further out waste; return the cells changed.

    Capitals are spared, and so are mountains and water beyond the first ring. Ships near the centre
    sink, others in the radius are hurt.
    """
    radius = rules.scalars[0].disasters_huge_meteor_radius
    height, width = world.cells.shape
    damage.toss_ships(world, rules, centre, radius)
    damaged = 0
    for k in range(hexgrid.disc_size(radius)):
        cell = hexgrid.nth_far(width, height, centre, k)
        if cell >= 0 and not damage.spared_by_nature(world, rules, cell):
            damaged += damage.lay_waste(world, rules, cell, hexgrid.distance(width, centre, cell))
    return damaged
