"""Commands of a cell: whether the ground allows them, what it becomes, and which price they have.

``work`` answers all three at once: (reason, terrain to be, price kind, price row). Where the terrain
to be is the one that is there, the command raises its level by a step. The site is what a viewer sees
(``look``), so the same rules make masks and carry out plans.
"""

from __future__ import annotations

import numpy as np

from hakoenv.engine.codes import command as number
from hakoenv.engine.codes import deposit, reason, terrain, unit_item
from hakoenv.engine.commands import prices
from hakoenv.engine.commands.look import SHOD, Site
from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import troops
from hakoenv.ruleset.codes import MINE_ROWS
from hakoenv.ruleset.compiled import Rules

SELF_DESTRUCT = 99  # amount of command 16
PORT = 3  # amounts of command 20
LARGE_PORT = 4
RAISE = 10
_NONE = -1
_IRON_ROW = MINE_ROWS["iron_mine"]
_LARGE_ROW = MINE_ROWS["large_mine"]
_OFFSHORE_ROW = MINE_ROWS["offshore_oil"]
_LAND_OIL_ROW = MINE_ROWS["land_oil"]

_CHOICES = 4
BUILDS = np.full((number.LIMIT, _CHOICES), _NONE)  # what a command builds, by amount
AMOUNTS = np.zeros(number.LIMIT, np.int64)  # how many amounts it knows; 0: the amount is not used
for _command, _grounds in {
    number.PLANT_FOREST: (terrain.FOREST,),
    number.MISSILE_BASE: (terrain.MISSILE_BASE,),
    number.DEFENSE_FACILITY: (terrain.DEFENSE_FACILITY,),
    number.SEABED_BASE: (terrain.SEABED_BASE,),
    number.MONUMENT: (terrain.MONUMENT, terrain.MONUMENT, terrain.MONUMENT, terrain.MONUMENT),
    number.DEPOT: (terrain.DEPOT,),
    number.ECONOMIC_FACILITY: (terrain.REFINERY, terrain.ARSENAL, terrain.MARKET, terrain.PORT),
    number.WAREHOUSE: (terrain.WAREHOUSE,),
    number.LIGHTHOUSE: (terrain.LIGHTHOUSE,),
    number.URBAN_BUILD: (terrain.RESERVED_LAND, terrain.MODERN_CITY, terrain.SEABED_CITY),
    number.FISH_FARM: (terrain.FISH_FARM,),
    number.BREAKWATER: (terrain.BREAKWATER,),
    number.POWER_PLANT: (terrain.POWER_PLANT,),
    number.BUILD_SHIP: (terrain.NAVAL_PORT,),  # of amount 0; the rest is the navy's
}.items():
    BUILDS[_command, : len(_grounds)] = _grounds
    AMOUNTS[_command] = len(_grounds) if len(_grounds) > 1 else 0

GROUND = np.full(terrain.COUNT, terrain.PLAINS)  # what something is built on
GROUND[[terrain.SEABED_BASE, terrain.SEABED_CITY]] = terrain.SEA
GROUND[[terrain.FISH_FARM, terrain.BREAKWATER]] = terrain.SHALLOWS
GROUND[terrain.MODERN_CITY] = terrain.METROPOLIS

CLEARABLE = np.zeros(terrain.COUNT, np.bool_)  # what prepare_land makes plains of, on own or ownerless land
CLEARABLE[
    [
        terrain.WASTELAND, terrain.FOREST, terrain.FARM, terrain.FACTORY, terrain.LARGE_FARM,
        terrain.LARGE_FACTORY, terrain.REFINERY, terrain.ARSENAL, terrain.MARKET, terrain.WAREHOUSE,
        terrain.POWER_PLANT, terrain.MONUMENT, terrain.MISSILE_BASE, terrain.DEFENSE_FACILITY,
        terrain.DEPOT, terrain.RESERVED_LAND, terrain.LIGHTHOUSE, terrain.PORT, terrain.NAVAL_PORT,
        terrain.TOWN, terrain.NEW_TOWN, terrain.MODERN_CITY, terrain.METROPOLIS,
    ]
] = True  # fmt: skip

DUG = np.full(terrain.COUNT, _NONE)  # what digging makes of a cell
DUG[[terrain.PLAINS, terrain.WASTELAND, terrain.FOREST]] = terrain.SHALLOWS
DUG[[terrain.TOWN, terrain.NEW_TOWN, terrain.MODERN_CITY, terrain.METROPOLIS]] = terrain.SHALLOWS
DUG[terrain.SHALLOWS] = terrain.SEA
DUG[terrain.MOUNTAIN] = terrain.WASTELAND

Work = tuple[int, int, int, int]


@kernel
def work(rules: Rules, site: Site, command: int, amount: int) -> Work:
    """What a command of a cell would do: (reason, terrain to be, price kind, price row)."""
    why, result, kind, row = _work(rules, site, command, amount)
    if why == reason.DONE and site.stander > 0 and not _bears(rules, site, result):
        why = int(reason.UNIT_IN_THE_WAY)
    return why, result, kind, row


@kernel
def _bears(rules: Rules, site: Site, result: int) -> bool:
    """Whether an own unit that can stand on a cell could stand there afterwards, too (ARMY-069)."""
    kind = (site.stander - 1) % SHOD
    carries = unit_item.SHOES_OF_WATER_MOVEMENT if site.stander > SHOD else unit_item.NONE
    if troops.pace(rules, kind, carries, site.ground) == 0:
        return True
    return bool(troops.pace(rules, kind, carries, result) > 0)


@kernel
def _work(rules: Rules, site: Site, command: int, amount: int) -> Work:
    """The same, whatever unit of the own stands there."""
    ground = site.ground
    if command == number.FARM:
        return _grow(rules, site, command, int(terrain.FARM), int(terrain.LARGE_FARM))
    if command == number.FACTORY:
        return _grow(rules, site, command, int(terrain.FACTORY), int(terrain.LARGE_FACTORY))
    if command == number.MINE:
        return _mine(rules, site)
    if command == number.MINE_LEVEL_UP:
        why = _raise(rules, site, rules.terrains[ground].mine >= 0)
        return why, ground, prices.STEP, prices.MINES_ROW
    if command == number.ECONOMIC_FACILITY and amount == RAISE:
        industrial = ground == terrain.REFINERY or ground == terrain.ARSENAL or ground == terrain.MARKET
        return _raise(rules, site, industrial), ground, prices.STEP, prices.FACILITY_OF_TERRAIN[ground]
    if command == number.ECONOMIC_FACILITY and amount == LARGE_PORT:  # NAVY-028
        return _raise(rules, site, ground == terrain.PORT), ground, prices.BUILD, prices.LARGE_PORT_ROW
    if BUILDS[command, 0] < 0:
        why, result = _till(site, command)
        if why == reason.DONE and command == number.TUNNEL:
            if site.mountains < rules.scalars[0].tunnel_adjacent_mountains:
                why = reason.TOO_FEW_MOUNTAINS
        return why, result, prices.COMMAND, command
    if AMOUNTS[command] == 0:
        built = BUILDS[command, 0]
    elif amount < 0 or amount >= AMOUNTS[command]:
        return reason.BAD_AMOUNT, ground, prices.COMMAND, command
    else:
        built = BUILDS[command, amount]
    if site.own and ground == built:
        if built == terrain.WAREHOUSE or built == terrain.FISH_FARM or built == terrain.POWER_PLANT:
            return (
                _raise(rules, site, ground == built),
                ground,
                prices.STEP,
                prices.FACILITY_OF_TERRAIN[built],
            )
    why = _build(rules, site, built)
    if built == terrain.MONUMENT and amount > 0:
        return why, built, prices.MONUMENT, amount
    kind, row = prices.of_building(command, built)
    return why, built, kind, row


@kernel
def within_reach(site: Site, takeable: bool) -> int:
    """DONE if the nation may work there: its own cell, or one that touches its land (CMD-011, MAP-034).

    A foreign cell only if its ground is ``takeable`` (AI-044, AI-045); never under a foreign unit.
    """
    if site.foreign and not takeable:
        return reason.FOREIGN_CELL
    if not site.own and not site.by_land:
        return reason.NOT_ADJACENT
    return reason.UNIT_IN_THE_WAY if site.foreign_unit else reason.DONE


@kernel
def _till(site: Site, command: int) -> tuple[int, int]:
    """Commands that build nothing, the number of tunnels' mountains apart: reason and terrain to be."""
    ground = site.ground
    if command == number.SURVEY:
        return _survey(site), ground
    if command == number.TUNNEL or command == number.FELL_FOREST:
        if not site.own:
            return reason.NOT_OWN_CELL, ground
        if command == number.TUNNEL:
            if ground != terrain.MOUNTAIN:
                return reason.WRONG_TERRAIN, ground
            return reason.ALREADY_SO if site.tunnel else reason.DONE, ground
        if ground != terrain.FOREST:
            return reason.WRONG_TERRAIN, ground
        return reason.UNIT_IN_THE_WAY if site.foreign_unit else reason.DONE, terrain.PLAINS
    digs = command == number.DIG
    takeable = ground == terrain.WASTELAND and not digs  # AI-045
    result = DUG[ground] if digs else int(terrain.PLAINS)
    if site.foreign and not takeable:
        return reason.FOREIGN_CELL, ground
    if result < 0 or (not digs and not CLEARABLE[ground]):
        return reason.WRONG_TERRAIN, ground
    if site.capital:
        return reason.IS_CAPITAL, ground
    if digs and site.deposit != deposit.NONE:
        return reason.DEPOSIT_IN_THE_WAY, ground
    if digs and site.unit:
        return reason.UNIT_IN_THE_WAY, ground
    if site.ship:
        return reason.SHIP_IN_THE_WAY, ground
    return within_reach(site, takeable), result


@kernel
def _survey(site: Site) -> int:
    """An own or an ownerless cell beside own land, without enemy, deposit or facility (SURVEY-006, 010)."""
    if site.foreign:
        return reason.FOREIGN_CELL
    if site.ground != terrain.WASTELAND and site.ground != terrain.MOUNTAIN:
        return reason.WRONG_TERRAIN
    if site.deposit != deposit.NONE:
        return reason.DEPOSIT_IN_THE_WAY
    if not site.own and not site.by_land:
        return reason.NOT_ADJACENT
    return reason.UNIT_IN_THE_WAY if site.enemy_unit else reason.DONE


@kernel
def _build(rules: Rules, site: Site, built: int) -> int:
    """Whether ``built`` may be built on a cell of its kind of ground (CMD-050, AI-045)."""
    ground = site.ground
    modern = built == terrain.MODERN_CITY
    if (modern or built == terrain.POWER_PLANT or built == terrain.NAVAL_PORT) and not site.own:
        return reason.NOT_OWN_CELL
    fits = ground == GROUND[built]
    if built == terrain.MISSILE_BASE or built == terrain.DEFENSE_FACILITY:
        fits = fits or ground == terrain.TOWN
    elif modern:
        fits = fits or ground == terrain.NEW_TOWN
    if not fits:
        return reason.FOREIGN_CELL if site.foreign and ground != terrain.PLAINS else reason.WRONG_TERRAIN
    why = within_reach(site, ground == terrain.PLAINS)
    if why != reason.DONE:
        return why
    if modern:
        few = site.population < rules.scalars[0].commands_modern_city_from
        return reason.NOT_ENOUGH_POPULATION if few else reason.DONE
    if site.capital:
        return reason.IS_CAPITAL
    if GROUND[built] != terrain.PLAINS:  # in water
        if site.ship:
            return reason.SHIP_IN_THE_WAY
        return reason.DEPOSIT_IN_THE_WAY if site.deposit != deposit.NONE else reason.DONE
    coastal = built == terrain.PORT or built == terrain.NAVAL_PORT or built == terrain.LIGHTHOUSE
    return reason.NO_WATER if coastal and not site.by_water else reason.DONE


@kernel
def _grow(rules: Rules, site: Site, command: int, small: int, large: int) -> Work:
    """Farms and factories: build on plains, enlarge, make large, enlarge that (CMD-050, AI-045)."""
    if site.ground == large:
        return (
            _raise(rules, site, site.ground == large),
            large,
            prices.STEP,
            prices.FACILITY_OF_TERRAIN[large],
        )
    if site.ground != small:
        kind, row = prices.of_building(command, small)
        return _build(rules, site, small), small, kind, row
    why = within_reach(site, site.ground == small)
    if site.own and site.level >= rules.terrains[small].level_max:
        return why, large, prices.BUILD, prices.FACILITY_OF_TERRAIN[large]
    return why, small, prices.STEP, prices.FACILITY_OF_TERRAIN[small]


@kernel
def _raise(rules: Rules, site: Site, fits: bool) -> int:
    """Whether an own facility that ``fits`` has room for one level more (DEV-009, MAP-046, CMD-039)."""
    if not site.own:
        return reason.NOT_OWN_CELL
    if not fits:
        return reason.WRONG_TERRAIN
    mine = rules.terrains[site.ground].mine  # levels of mines stand in their own table
    top = rules.mines[mine].level_max if mine >= 0 else rules.terrains[site.ground].level_max
    return reason.AT_TOP_LEVEL if site.level >= top else reason.DONE


@kernel
def _mine(rules: Rules, site: Site) -> Work:
    """A mine or oil field for the deposit on the cell, or a large mine from a full iron mine.

    MAP-021 to MAP-024; who may work at sea: MAP-035, DEV-001, DEV-002.
    """
    row = row_of_deposit(rules, site.deposit, site.ground)
    why = reason.DONE
    if site.foreign:
        why = reason.FOREIGN_CELL
    elif site.ground == terrain.IRON_MINE:
        row = _LARGE_ROW
        if not site.own:
            why = reason.NOT_OWN_CELL
        elif site.level < rules.mines[_IRON_ROW].level_max:
            why = reason.LEVEL_TOO_LOW
    elif site.deposit == deposit.NONE:
        why = reason.NO_DEPOSIT
    elif row == _OFFSHORE_ROW:
        if site.ground != terrain.SEA and site.ground != terrain.SHALLOWS:
            why = reason.WRONG_TERRAIN
        elif not site.own and not site.by_own:
            why = reason.NOT_ADJACENT
    elif site.ground != (terrain.WASTELAND if site.deposit == deposit.OIL else terrain.MOUNTAIN):
        why = reason.WRONG_TERRAIN
    elif not site.own and not site.by_land:
        why = reason.NOT_ADJACENT
    if why == reason.DONE and site.foreign_unit:
        why = reason.UNIT_IN_THE_WAY
    return why, rules.mines[row].terrain_number, prices.MINE, row


@kernel
def row_of_deposit(rules: Rules, lying: int, ground: int) -> int:
    """The row of the mines table that works a deposit; oil on wasteland is land oil."""
    if lying == deposit.OIL and ground == terrain.WASTELAND:
        return _LAND_OIL_ROW
    for row in range(rules.mines.shape[0]):
        if rules.mines[row].deposit == lying:
            return row
    return _IRON_ROW
