"""A volley: what it is aimed at; its shells are paid for, fly and land one by one (NAVY-098 .. NAVY-100)."""

from __future__ import annotations

from hakoenv.engine import chance, hexgrid, stock
from hakoenv.engine.codes import cause, item
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import bombardment, hulls, seafire
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

NOTHING = 0
# What a volley is aimed at, in the order in which an ordered cell is looked through (BOMB-033).
SHIP = 1
MONSTER = 2
MINE = 3
PLACE = 4
UNIT = 5


@kernel
def first_aim(world: World, rules: Rules, kind: int, nation: int, cell: int) -> int:
    """What a ship of a class and nation fires at on a cell that it is ordered to fire at."""
    for aim in range(SHIP, UNIT + 1):
        if is_there(world, rules, kind, nation, aim, cell):
            return aim
    return int(NOTHING)


@kernel
def is_there(world: World, rules: Rules, kind: int, nation: int, aim: int, cell: int) -> bool:
    """Whether a ship of a class and nation may be aiming at ``aim`` on a cell."""
    if aim == SHIP:
        return seafire.prey(world, rules, kind, nation, cell) >= 0
    if aim == MONSTER:
        return seafire.is_monster(world, rules, kind, cell)
    if aim == MINE:
        return seafire.is_mine(world, nation, cell)
    if aim == PLACE:
        return bombardment.target(world, rules, kind, nation, cell) != bombardment.NOTHING
    return bombardment.army(world, rules, kind, nation, cell) >= 0


@kernel
def fly(world: World, rules: Rules, ship: int, aim: int, cell: int) -> None:
    """Fire at a cell: ammo for the whole volley, then funds shell by shell, as far as they last.

    With too little ammo, or funds for no shell, there is no volley and nothing is taken (NAVY-068, NAVY-069,
    BOMB-023, NMINE-007). It ends early when what was aimed at is gone. Weather does not widen it (MSL-017).
    """
    record = world.ships[ship]
    nation, kind = int(record.owner), int(record.kind)
    guns = rules.ship_classes[kind]
    price = int(guns.shell_cost)
    ammo = int(guns.ammo_per_engagement)
    if guns.shots <= 0 or world.nations[nation].treasury[item.AMMO] < ammo:
        return
    if world.nations[nation].treasury[item.FUNDS] < price:
        return
    height, width = world.cells.shape
    places = hexgrid.disc_size(int(guns.scatter))
    stock.take(world, nation, item.AMMO, ammo, cause.SHIP_FIRE)
    for shell in range(guns.shots):
        if not is_there(world, rules, kind, nation, aim, cell):
            return
        if world.nations[nation].treasury[item.FUNDS] < price:
            return
        stock.take(world, nation, item.FUNDS, price, cause.SHIP_FIRE)
        k = chance.roll(world, chance.SHELL_LANDING, int(record.serial), shell, places)
        landing = hexgrid.nth_far(width, height, cell, k)
        if landing >= 0:
            hulls.learn(world, rules, ship, _land(world, rules, ship, aim, shell, landing))


@kernel
def _land(world: World, rules: Rules, ship: int, aim: int, shell: int, cell: int) -> int:
    """A shell comes down on a cell; return the experience that it gives.

    What it can hurt is decided by what the volley is aimed at (NAVY-099, BOMB-030, BOMB-032, NMINE-010).
    """
    record = world.ships[ship]
    if aim == MINE:
        seafire.sweep(world, rules, int(record.owner), cell)
        return 0  # NMINE-011
    if aim < MINE:  # a ship or a monster
        return seafire.hit(world, rules, int(record.kind), int(record.owner), cell)
    return bombardment.hit(world, rules, int(record.owner), int(record.serial), shell, cell)
