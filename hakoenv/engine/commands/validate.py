"""The one door: whether a command is acceptable, on the truth or on what a nation can know.

Carried out with ``viewer = TRUTH`` in the turn; for masks with the nation as viewer and the number of
the coming turn. Both give a reason code; ``reason.DONE`` means acceptable.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hakoenv.engine.codes import command as number
from hakoenv.engine.codes import reason
from hakoenv.engine.commands import (
    alliances,
    deals,
    factions,
    look,
    muster,
    naval,
    outlook,
    prices,
    settings,
    shipyard,
    sites,
    strikes,
    treaties,
)
from hakoenv.engine.kernel import kernel
from hakoenv.engine.shipping import harbours
from hakoenv.engine.world import World
from hakoenv.ruleset.codes import COMMAND_STATUS
from hakoenv.ruleset.compiled import Rules

_LOCKED = COMMAND_STATUS.index("locked")
_PRIVATE_ONLY = COMMAND_STATUS.index("private_only")

# How a command is handled; numbers not listed are no part of the game yet.
NOT_BUILT = 0
OF_CELL = 1
OF_NATION = 2
OF_TREATY = 3
OF_TROOPS = 4
OF_MISSILE = 5
OF_NAVY = 6
OF_DEAL = 7
OF_FACTION = 8
OF_ALLIANCE = 9
HANDLED = np.zeros(number.LIMIT, np.int64)
HANDLED[
    [
        number.PREPARE_LAND, number.LEVEL_LAND, number.DIG, number.TUNNEL, number.FELL_FOREST,
        number.PLANT_FOREST, number.FARM, number.FACTORY, number.MINE, number.MISSILE_BASE,
        number.DEFENSE_FACILITY, number.SEABED_BASE, number.MONUMENT, number.DEPOT,
        number.ECONOMIC_FACILITY, number.WAREHOUSE, number.LIGHTHOUSE, number.URBAN_BUILD,
        number.FISH_FARM, number.BREAKWATER, number.SURVEY, number.MINE_LEVEL_UP, number.POWER_PLANT,
    ]
] = OF_CELL  # fmt: skip
HANDLED[
    [
        number.FUNDRAISE, number.ABANDON_NATION, number.RESEARCH, number.WORKER_SHARES,
        number.GOOD_TERMS, number.PORT_POLICY, number.TARIFF_AND_FEE, number.EMBARGO,
        number.INDUSTRIAL_POLICY, number.EXPORT_CAP, number.BUYBACK_TARGET, number.CORPS_ORDERS,
        number.SUPPLY_POLICY, number.LAND_GATE,
    ]
] = OF_NATION  # fmt: skip
HANDLED[[number.CEDE_LAND, number.DECLARE_WAR, number.CEASEFIRE, number.AMITY]] = OF_TREATY
HANDLED[[number.CONSCRIPT, number.PLACE_UNIT, number.EQUIP_ITEM]] = OF_TROOPS
HANDLED[
    [number.MISSILE_NORMAL, number.MISSILE_PP, number.MISSILE_ANTIPERSONNEL, number.MISSILE_BALLISTIC]
] = OF_MISSILE
HANDLED[
    [
        number.BUILD_SHIP, number.FORM_FLEET, number.FLEET_MOVE, number.FLEET_MODE, number.SALVO_ORDER,
        number.NAVAL_REPAIR, number.EMBARK, number.DISEMBARK, number.DECOMMISSION, number.LAY_MINE,
        number.REMOVE_MINE, number.SHIP_STEP, number.SALVAGE_WRECK,
    ]
] = OF_NAVY  # fmt: skip
HANDLED[
    [
        number.AUCTION_LIST, number.AUCTION_BID, number.REGULAR_OFFER, number.REGULAR_ACCEPT,
        number.REGULAR_WITHDRAW, number.NATIONAL_AID, number.EXCHANGE, number.AID_RESERVES,
    ]
] = OF_DEAL  # fmt: skip
HANDLED[
    [
        number.FACTION_CREATE, number.FACTION_APPLY, number.FACTION_DECIDE, number.FACTION_WITHDRAW,
        number.FACTION_LEAVE, number.FACTION_EXPEL, number.FACTION_HANDOVER, number.FACTION_RENAME,
        number.FACTION_DISSOLVE, number.FACTION_DEMAND_LEADER,
    ]
] = OF_FACTION  # fmt: skip
HANDLED[
    [number.LEAGUE_JOIN, number.LEAGUE_LEAVE, number.CONTAINMENT_JOIN, number.CONTAINMENT_LEAVE]
] = OF_ALLIANCE  # fmt: skip
_NOWHERE = -1


@kernel
def handled_as(command: int, amount: int) -> int:
    """How a command is handled: a naval port is built like other buildings (NAVY-023)."""
    if command == number.BUILD_SHIP and amount == shipyard.NAVAL_PORT:
        return int(OF_CELL)
    return int(HANDLED[command])


@kernel
def validate(world: World, rules: Rules, viewer: int, nation: int, turn: int, order: Any) -> int:
    """Reason code of a record of ``World.plans``, for ``nation`` in ``turn``, as ``viewer`` sees it."""
    x, y, target = int(order.x), int(order.y), int(order.target)
    return check(world, rules, viewer, nation, turn, int(order.command), x, y, int(order.amount), target)


@kernel
def is_legal(
    world: World, rules: Rules, nation: int, command: int, x: int, y: int, amount: int, target: int
) -> bool:
    """Whether a command would be accepted in the coming turn, as far as the nation can know (masks)."""
    turn = world.clock[0].turn + 1
    return check(world, rules, nation, nation, turn, command, x, y, amount, target) == reason.DONE


@kernel
def check(
    world: World,
    rules: Rules,
    viewer: int,
    nation: int,
    turn: int,
    command: int,
    x: int,
    y: int,
    amount: int,
    target: int,
) -> int:
    """Reason code of a command given field by field; any numbers may be given (CMD-003, CMD-005)."""
    if command < 0 or command >= number.LIMIT or not rules.commands[command].exists:
        return reason.UNKNOWN_COMMAND
    if rules.commands[command].status == _LOCKED:
        return reason.LOCKED
    if rules.commands[command].status == _PRIVATE_ONLY:
        return reason.PRIVATE_ONLY
    handled = handled_as(command, amount)
    if handled == NOT_BUILT:
        return reason.NOT_BUILT_YET
    record = world.nations[nation]
    level = 0
    if handled == OF_NATION:
        why = settings.allowed(world, rules, nation, turn, command, amount, target)
        kind, row = int(prices.COMMAND), command
        if why == reason.DONE and command == number.RESEARCH:
            kind, row = int(prices.RESEARCH), amount
            level = outlook.research_level(record, int(world.clock[0].turn), turn, amount) + 1
    elif handled == OF_TREATY and command != number.CEDE_LAND:
        why = treaties.allowed(world, rules, nation, turn, command, amount, target)
        kind, row = int(prices.COMMAND), command
    elif handled == OF_FACTION:
        why = factions.allowed(world, rules, nation, turn, command, amount, target)
        kind, row = int(prices.COMMAND), command
    elif handled == OF_ALLIANCE:
        why = alliances.allowed(world, rules, nation, turn, command, amount)
        kind, row = int(prices.COMMAND), command
    elif handled == OF_DEAL:
        why, kind, row, level = deals.allowed(
            world, rules, viewer, nation, turn, command, x, y, amount, target
        )
    elif handled == OF_NAVY and not naval.names_cell(command, amount):
        why, kind, row, level = naval.allowed(world, rules, viewer, nation, turn, command, _NOWHERE, amount)
    else:
        height, width = world.cells.shape
        if x < 0 or y < 0 or x >= width or y >= height:
            return reason.OUTSIDE_MAP
        cell = y * width + x
        if handled == OF_MISSILE:
            return strikes.allowed(world, rules, nation, turn, command, cell, amount)
        if command == number.DEFENSE_FACILITY and amount != 0:
            return strikes.may_self_destruct(world, rules, viewer, nation, turn, cell, amount)
        if command == number.CEDE_LAND:
            why = treaties.may_cede(world, rules, nation, turn, cell, target)
            kind, row = int(prices.COMMAND), command
        elif handled == OF_TROOPS:
            why, kind, row, level = muster.allowed(world, rules, viewer, nation, turn, command, cell, amount)
        elif handled == OF_NAVY:
            why, kind, row, level = naval.allowed(world, rules, viewer, nation, turn, command, cell, amount)
        else:
            site = look.look(world, rules, viewer, nation, turn, cell)
            why, _, kind, row = sites.work(rules, site, command, amount)
            level = site.level
            if why == reason.DONE:
                why = elsewhere(world, rules, record, turn, command, amount)
    if why != reason.DONE:
        return why
    return prices.lacking(record.treasury, rules, turn, command, kind, row, level)


@kernel
def elsewhere(world: World, rules: Rules, record: Any, turn: int, command: int, amount: int) -> int:
    """Conditions beside the cell: the unlock of tunnels (MAP-030), uses of level_land, room for a port."""
    if command == number.TUNNEL and not outlook.tunnels_unlocked(world.clock[0], rules.scalars, turn):
        return reason.NOT_UNLOCKED
    if command == number.LEVEL_LAND and turn == world.clock[0].turn:
        if record.levelled >= rules.scalars[0].commands_level_land_per_turn:
            return reason.ONCE_A_TURN
    if command == number.ECONOMIC_FACILITY and amount == sites.PORT and harbours.places_left(world) == 0:
        return reason.NO_PORT_ROOM
    return reason.DONE
