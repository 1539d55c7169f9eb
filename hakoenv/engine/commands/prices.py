"""What a command costs: the price is found as a kind and a row of a table, then read item by item."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine.codes import command as number
from hakoenv.engine.codes import item, reason, terrain
from hakoenv.engine.kernel import kernel
from hakoenv.ruleset.codes import FACILITY_ROWS
from hakoenv.ruleset.compiled import Rules

# Where a price stands. COMMAND: the command's own row; BUILD, STEP: facility_costs; MINE: mines;
# MONUMENT: monuments; RESEARCH: research, row = branch and level = the level to be reached.
COMMAND = 0
BUILD = 1
STEP = 2
MINE = 3
MONUMENT = 4
RESEARCH = 5
UNIT = 6  # row = unit type, level = strength
MISSILE = 7  # row = missile kind; the price of one shot
SHIP = 8  # row = ship class
REPAIR = 9  # row = ship class
PER_LEVEL = 10  # row = command, level = strength of a mine that is laid or removed
STOCK = 11  # row = item, level = how much of it a deal takes
KINDS = 12

_PERCENT = 100
MINES_ROW = FACILITY_ROWS["mines"]
LARGE_PORT_ROW = FACILITY_ROWS["port_level_2"]


def _rows() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The row of facility_costs by terrain, and by command that of its basic facility; -1 none."""
    by_terrain = np.full(terrain.COUNT, -1, np.int64)
    by_command = np.full(number.LIMIT, -1, np.int64)
    for name, row in FACILITY_ROWS.items():
        place = getattr(terrain, name.upper(), None)
        if place is not None:
            by_terrain[place] = row
    basic = {
        number.FARM: "farm",
        number.FACTORY: "factory",
        number.ECONOMIC_FACILITY: "refinery",
        number.WAREHOUSE: "warehouse",
        number.FISH_FARM: "fish_farm",
        number.BREAKWATER: "breakwater",
        number.POWER_PLANT: "power_plant",
        number.BUILD_SHIP: "naval_port",
    }
    for command, name in basic.items():
        by_command[command] = FACILITY_ROWS[name]
    return by_terrain, by_command


FACILITY_OF_TERRAIN, BASIC_FACILITY = _rows()


@kernel
def of_building(command: int, ground: int) -> tuple[int, int]:
    """Kind and row of the price for building ``ground``: the basic facility has its command's price."""
    row = FACILITY_OF_TERRAIN[ground]
    if row < 0 or row == BASIC_FACILITY[command]:
        return COMMAND, command
    return BUILD, row


@kernel
def price(rules: Rules, turn: int, command: int, kind: int, row: int, level: int, what: int) -> int:
    """How much of item ``what`` a command costs (CMD-006); ``level`` is that of the cell.

    Early in the season the command's row may have another price, which then also holds for a step of
    its basic facility (CMD-007).
    """
    if kind == STOCK:
        return level if what == row else 0
    if what != item.FUNDS:
        if kind == COMMAND:
            return int(rules.commands[command].materials[what])
        if kind == BUILD:
            return int(rules.facility_costs[row].build_materials[what])
        if kind == STEP:
            return int(rules.facility_costs[row].step_materials[what])
        if kind == MINE:
            return int(rules.mines[row].build_materials[what])
        if kind == MISSILE:
            if what == item.AMMO:
                return int(rules.missiles[row].ammo)
            return int(rules.missiles[row].fuel if what == item.FUEL else 0)
        if SHIP <= kind <= REPAIR:
            return _of_ship(rules, kind, row, what)
        return int(rules.monuments[row].stone if kind == MONUMENT and what == item.STONE else 0)
    entry = rules.commands[command]
    early = turn <= rules.scalars[0].command_early_price_turns
    if kind == COMMAND:
        return int(entry.early_cost if early else entry.cost)
    if kind == BUILD:
        return int(rules.facility_costs[row].build_funds)
    if kind == MINE:
        return int(rules.mines[row].build_cost)
    if kind == MONUMENT:
        return int(rules.monuments[row].cost)
    if kind == RESEARCH:
        return int(rules.research[row, level].cost)
    if kind == UNIT:
        return int(rules.unit_types[row].cost_per_strength * level)
    if kind == MISSILE:
        return int(rules.missiles[row].cost)
    if SHIP <= kind <= REPAIR:
        return _of_ship(rules, kind, row, what)
    if kind == PER_LEVEL:
        return _of_mine(rules, row, level, early)
    facility = rules.facility_costs[row]
    if facility.step_funds_per_level:
        return int(facility.step_funds * level)
    if early and row == BASIC_FACILITY[command] and entry.early_cost != entry.cost:
        return int(entry.early_cost)
    return int(facility.step_funds)


@kernel
def _of_ship(rules: Rules, kind: int, row: int, what: int) -> int:
    """A ship of a class: its building price (NAVY-034), or some turns' upkeep without fuel (NAVY-090)."""
    ship = rules.ship_classes[row]
    if what == item.FUNDS:
        once, upkeep = ship.cost, ship.upkeep_funds
    elif what == item.STEEL:
        once, upkeep = ship.steel, 0
    else:
        once, upkeep = 0, ship.upkeep_food if what == item.FOOD else 0
    return int(once if kind == SHIP else upkeep * rules.scalars[0].ship_repair_upkeep_times)


@kernel
def _of_mine(rules: Rules, command: int, power: int, early: bool) -> int:
    """Laying a naval mine of a power (NMINE-003), or removing one, for a share of that (NMINE-005)."""
    entry = rules.commands[number.LAY_MINE]
    laying = int(entry.early_cost if early else entry.cost) * power
    if command == number.LAY_MINE:
        return laying
    return int(laying * rules.scalars[0].naval_mine_removal_percent // _PERCENT)


@kernel
def lacking(treasury: Any, rules: Rules, turn: int, command: int, kind: int, row: int, level: int) -> int:
    """NO_FUNDS or NO_MATERIALS if the treasury can't pay all of the price, else DONE."""
    for what in range(item.COUNT):
        if treasury[what] < price(rules, turn, command, kind, row, level, what):
            return reason.NO_FUNDS if what == item.FUNDS else reason.NO_MATERIALS
    return reason.DONE
