"""Earthquakes and eruptions (phase 27); one in the sea sends a tsunami (DIS-001, DIS-006, DIS-019)."""

from __future__ import annotations

from hakoenv.engine import chance, damage, ground, happenings, hexgrid, territory
from hakoenv.engine.codes import deposit, event, terrain
from hakoenv.engine.economy import epicentre, tsunami
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import hulls
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

_WHETHER_DEPOSIT, _WHICH_DEPOSIT = 2, 3  # draws of an eruption, after those of `epicentre`


@kernel
def shake_land(world: World, rules: Rules, nation: int) -> None:
    """An earthquake under land of a nation; levelling land in this turn makes it likelier.

    It hits large towns, factories, arsenals, refineries and warehouses in its radius, anybody's.
    """
    s = rules.scalars[0]
    percent = s.disasters_earthquake_land_percent_per_turn
    percent += world.nations[nation].levelled * s.disasters_earthquake_land_effect_percent_per_level_land
    percent *= s.disasters_earthquake_land_default_on
    centre = epicentre.draw(world, rules, chance.EARTHQUAKE, nation, nation, percent)
    if centre < 0:
        return
    height, width = world.cells.shape
    chance_of_hit = float(s.disasters_earthquake_land_effect_hit_percent)
    damaged = 0
    for k in range(hexgrid.disc_size(s.disasters_earthquake_land_radius)):
        cell = hexgrid.nth_far(width, height, centre, k)
        if cell < 0 or not _is_shaken(world, rules, cell):
            continue
        if chance.happens(world, chance.EARTHQUAKE_HIT, cell, nation, chance_of_hit):
            damaged += 1
            if rules.terrains[world.cells.flat[cell].terrain].is_town:
                damage.lose_people(world, rules, cell, s.disasters_earthquake_land_effect_town_loss_percent)
            else:
                damage.step_down(world, rules, cell)
    happenings.record(world, event.EARTHQUAKE, nation, centre, damaged)


@kernel
def _is_shaken(world: World, rules: Rules, cell: int) -> bool:
    """Whether an earthquake can damage what stands here."""
    place = world.cells.flat[cell]
    kind = place.terrain
    if damage.spared_by_nature(world, rules, cell):
        return False
    if rules.terrains[kind].is_town:
        return bool(place.population >= rules.scalars[0].disasters_earthquake_land_effect_town_from)
    factory = kind == terrain.FACTORY or kind == terrain.LARGE_FACTORY
    return bool(factory or kind == terrain.ARSENAL or kind == terrain.REFINERY or kind == terrain.WAREHOUSE)


@kernel
def shake_sea(world: World, rules: Rules) -> None:
    """An earthquake under the deep sea: ships close to it are hurt, then the wave comes."""
    s = rules.scalars[0]
    percent = s.disasters_earthquake_sea_percent_per_turn * s.disasters_earthquake_sea_default_on
    centre = epicentre.draw(world, rules, chance.SEA_EARTHQUAKE, 0, epicentre.OPEN_SEA, percent)
    if centre < 0:
        return
    width = world.cells.shape[1]
    damaged = 0
    for k in range(world.clock[0].ships):
        ship = world.ships[k]
        if ship.kind > 0:
            if hexgrid.distance(width, centre, ship.cell) <= s.disasters_earthquake_sea_effect_ship_radius:
                hulls.hurt(world, rules, k, s.disasters_earthquake_sea_effect_ship_damage, hulls.NOBODY)
                damaged += 1
    happenings.record(world, event.EARTHQUAKE, ground.NOBODY, centre, damaged)
    tsunami.roll_in(world, rules, centre, tsunami.AFTER_EARTHQUAKE)


@kernel
def erupt(world: World, rules: Rules) -> None:
    """An eruption anywhere: land rises to a mountain and lays its ring waste, sea becomes shallows."""
    s = rules.scalars[0]
    percent = s.disasters_eruption_percent_per_turn * s.disasters_eruption_default_on
    if not chance.happens(world, chance.ERUPTION, 0, epicentre.WHETHER, percent):
        return
    centre = chance.roll(world, chance.ERUPTION, 0, epicentre.WHERE, world.cells.size)
    spared = damage.spared_by_nature(world, rules, centre)
    owner = int(world.cells.flat[centre].owner)
    if not territory.is_land(world, rules, centre):
        if not spared:
            damage.flood(world, rules, centre, terrain.SHALLOWS)
        happenings.record(world, event.ERUPTION, owner, centre, int(not spared))
        tsunami.roll_in(world, rules, centre, tsunami.AFTER_ERUPTION)
        return
    if not spared:
        _raise_mountain(world, rules, centre)
    damaged = int(not spared)
    height, width = world.cells.shape
    for k in range(1, hexgrid.disc_size(s.disasters_eruption_radius)):
        cell = hexgrid.nth_far(width, height, centre, k)
        if cell >= 0 and not damage.spared_by_nature(world, rules, cell):
            damaged += _bury(world, rules, cell)
    happenings.record(world, event.ERUPTION, owner, centre, damaged)


@kernel
def _bury(world: World, rules: Rules, cell: int) -> int:
    """Ash over a cell of the ring: towns lose people, mountains and water stay; return 1 if it changed."""
    kind = world.cells.flat[cell].terrain
    if rules.terrains[kind].is_town:
        damage.lose_people(world, rules, cell, rules.scalars[0].disasters_eruption_effect_town_loss_percent)
        return 1
    if kind == terrain.MOUNTAIN or kind == terrain.WASTELAND or not territory.is_land(world, rules, cell):
        return 0
    damage.ruin(world, rules, cell)
    return 1


@kernel
def _raise_mountain(world: World, rules: Rules, cell: int) -> None:
    """The centre becomes a mountain of the same owner, which may hold a deposit; one that is there stays.

    Which kind: by the shares of world generation; its richness is the normal one (DEV-016).
    """
    place = world.cells.flat[cell]
    if place.terrain != terrain.MOUNTAIN:
        ground.put(world, rules, cell, terrain.MOUNTAIN, int(place.owner), 0)
    percent = float(rules.scalars[0].disasters_eruption_effect_deposit_percent)
    if place.deposit != deposit.NONE:
        return
    if not chance.happens(world, chance.ERUPTION, 0, _WHETHER_DEPOSIT, percent):
        return
    shares = 0
    for row in range(rules.mines.shape[0]):
        shares += _share(rules, row)
    if shares == 0:
        return
    left = chance.roll(world, chance.ERUPTION, 0, _WHICH_DEPOSIT, shares)
    for row in range(rules.mines.shape[0]):
        if left < _share(rules, row):
            place.deposit = rules.mines[row].deposit
            place.richness = rules.mines[row].richness_normal
            happenings.record(world, event.DEPOSIT_FOUND, int(place.owner), cell, int(place.deposit))
            return
        left -= _share(rules, row)


@kernel
def _share(rules: Rules, row: int) -> int:
    """Weight of a mine's deposit among those of mountains."""
    kind = rules.mines[row].deposit
    if kind == deposit.NONE or kind == deposit.OIL:
        return 0
    return int(rules.mines[row].worldgen_share_percent)
