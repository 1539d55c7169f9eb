"""Upkeep of naval ports and warships, and what it does to the ships (phase 13)."""

from __future__ import annotations

from typing import Any

import numpy as np

from hakoenv.engine import chance, stock
from hakoenv.engine.codes import cause, item, ship_class, terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import hulls
from hakoenv.engine.view import is_warship
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel(allocates=True)
def pay_navy(world: World, rules: Rules, nation: int) -> None:
    """Pay for naval ports in cell order, then for warships by age, wherever they lie (TURN-014, NAVY-083).

    The treasury pays (NAVY-091); ships of the private sector are none of its business.
    """
    record = world.nations[nation]
    for k in range(record.first, record.first + record.held):
        place = world.cells.flat[world.territory[k]]
        if place.terrain == terrain.NAVAL_PORT and place.owner == nation:
            _pay(world, nation, item.FUNDS, int(rules.ship_classes[ship_class.NAVAL_PORT].upkeep_funds))
            _pay(world, nation, item.FOOD, int(rules.ship_classes[ship_class.NAVAL_PORT].upkeep_food))
    fleet = np.empty(world.ships.shape[0], np.int64)
    for k in range(_line_up(world, nation, fleet)):
        _supply(world, rules, nation, int(fleet[k]))


@kernel
def _supply(world: World, rules: Rules, nation: int, ship: int) -> None:
    """Charge funds, food and fuel of a warship, each by itself, and do what follows (NAVY-094).

    All paid: it recovers. Without fuel it suffers, and may sink by nobody's hand; a lack of the others only
    keeps it from recovering (NAVY-084, NAVY-088).
    """
    built = rules.ship_classes[world.ships[ship].kind]
    has_funds = _pay(world, nation, item.FUNDS, int(built.upkeep_funds))
    has_food = _pay(world, nation, item.FOOD, int(built.upkeep_food))
    has_fuel = _pay(world, nation, item.FUEL, int(built.upkeep_fuel))
    if not has_fuel:
        hulls.hurt(world, rules, ship, int(rules.scalars[0].ship_fuel_short_damage), hulls.NOBODY)
    elif has_funds and has_food:
        _recover(world, rules, ship)


@kernel
def _pay(world: World, nation: int, what: int, amount: int) -> bool:
    """Pay a charge in full, or nothing of it; whether it was paid."""
    if world.nations[nation].treasury[what] < amount:
        return False
    stock.take(world, nation, what, amount, cause.NAVY_UPKEEP)
    return True


@kernel
def _recover(world: World, rules: Rules, ship: int) -> None:
    """A damaged warship regains hit points by the chance of the climate it lies in (NAVY-085, NAVY-086)."""
    record = world.ships[ship]
    if record.hp >= hulls.most_hp(rules, int(record.kind), int(record.experience)):
        return
    cell = int(record.cell)
    percent = rules.climates[world.cells.flat[cell].climate].ship_repair_percent
    if chance.happens(world, chance.SHIP_RECOVERY, cell, 0, float(percent)):
        hulls.heal(world, rules, ship, int(rules.scalars[0].ship_supply_repair))


@kernel
def _line_up(world: World, nation: int, fleet: Any) -> int:
    """Write the warships of a nation into ``fleet``, the oldest first; how many they are."""
    count = 0
    for ship in range(world.clock[0].ships):
        record = world.ships[ship]
        if record.owner != nation or not is_warship(int(record.kind)):
            continue
        place = count
        while place > 0 and world.ships[fleet[place - 1]].serial > record.serial:  # they are few
            fleet[place] = fleet[place - 1]
            place -= 1
        fleet[place] = ship
        count += 1
    return count
