"""Commands without a cell: whether they are allowed, and what they set.

Research, policy, worker shares, ports, land gates, tariffs, embargoes, good terms, supply contracts, export
caps, buy-back targets, fundraising, giving up.
"""

from __future__ import annotations

from typing import Any

from hakoenv.engine import stock
from hakoenv.engine.codes import cause, corps_order, item, policy, reason, research
from hakoenv.engine.codes import command as number
from hakoenv.engine.commands import outlook
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

CONFIRMATION = 999  # amount of abandon_nation
SHARE_BASE = 1000  # amount of worker_shares = agriculture x SHARE_BASE + industry, in percent
FEE_BASE = 1000  # amount of tariff_and_fee: percent = tariff, FEE_BASE + percent = transit fee
CORPS_BASE, ORDER_BASE = 1000, 10  # amount of corps_orders = corps x 1000 + order x 10 + direction
DIRECTIONS = 6
ITEM_BASE = 100000  # amount of export_cap and buyback_target = item x ITEM_BASE + quantity
PORT_POLICIES = 3
SUPPLY_BASE = 10  # amount of supply_policy = item x SUPPLY_BASE + 1 allow, 0 forbid; item.FUNDS = all items
ALL = 100  # percent


@kernel
def allowed(
    world: World, rules: Rules, nation: int, turn: int, command: int, amount: int, target: int
) -> int:
    """Reason code of a command without a cell; DONE if it can be carried out."""
    record = world.nations[nation]
    now = int(world.clock[0].turn)
    if command == number.FUNDRAISE:
        return reason.DONE
    if command == number.ABANDON_NATION:
        return reason.DONE if amount == CONFIRMATION else reason.NOT_CONFIRMED
    if command == number.RESEARCH:
        return _research(record, now, turn, amount, rules.scalars[0].research_level_max)
    if command == number.INDUSTRIAL_POLICY:
        return _policy(record, rules.scalars, now, turn, amount)
    if command == number.WORKER_SHARES:
        good = amount >= 0 and amount // SHARE_BASE + amount % SHARE_BASE <= ALL
        return reason.DONE if good else reason.BAD_AMOUNT
    if command == number.EXPORT_CAP or command == number.BUYBACK_TARGET:
        good = amount >= 0 and amount // ITEM_BASE < item.FUNDS
        return reason.DONE if good else reason.BAD_AMOUNT
    if command == number.CORPS_ORDERS:
        return _corps(rules, amount)
    if target < 0 or target >= world.nations.shape[0]:
        return reason.BAD_TARGET
    if target != nation and not world.nations[target].alive:
        return reason.BAD_TARGET
    return _toward(command, amount, target == nation)


@kernel
def _research(record: Any, now: int, turn: int, branch: int, top: int) -> int:
    """One research at a time, up to the top level (CMD-051)."""
    if branch < 0 or branch >= research.COUNT:
        return reason.BAD_AMOUNT
    if outlook.researching(record, now, turn):
        return reason.RESEARCH_RUNNING
    return reason.AT_TOP_LEVEL if outlook.research_level(record, now, turn, branch) >= top else reason.DONE


@kernel
def _policy(record: Any, scalars: Any, now: int, turn: int, choice: int) -> int:
    """Another policy than the one in force or already ordered, unlocked by research (IND-001 .. IND-004)."""
    if choice < policy.LIGHT or choice > policy.ADVANCED:
        return reason.BAD_AMOUNT
    needed = 0
    if choice == policy.HEAVY:
        needed = scalars[0].policy_heavy_research
    elif choice == policy.ADVANCED:
        needed = scalars[0].policy_advanced_research
    if outlook.research_level(record, now, turn, int(research.PRODUCTION)) < needed:
        return reason.RESEARCH_TOO_LOW
    if choice == record.policy_next or (turn == now and choice == record.policy):
        return reason.ALREADY_SO
    return reason.DONE


@kernel
def _corps(rules: Rules, amount: int) -> int:
    """Corps, order and direction within their lists (ARMY-001, ARMY-003)."""
    corps, order, direction = amount // CORPS_BASE, amount % CORPS_BASE // ORDER_BASE, amount % ORDER_BASE
    good = 0 <= corps < rules.scalars[0].army_corps and order < corps_order.COUNT and direction <= DIRECTIONS
    return reason.DONE if good else reason.BAD_AMOUNT


@kernel
def _toward(command: int, amount: int, is_self: bool) -> int:
    """Settings toward another nation; those of trade name the own one for all others (CMD-049, CMD-017)."""
    if command == number.PORT_POLICY:
        good = 0 <= amount < PORT_POLICIES
    elif command == number.TARIFF_AND_FEE:
        good = 0 <= amount <= ALL or FEE_BASE <= amount <= FEE_BASE + ALL
    elif command == number.SUPPLY_POLICY:
        good = 0 <= amount // SUPPLY_BASE <= item.FUNDS and 0 <= amount % SUPPLY_BASE <= 1
    elif command == number.LAND_GATE:
        good = amount == 0 or amount == 1
    elif is_self:
        return reason.BAD_TARGET
    else:
        good = amount == 0 or amount == 1
    return reason.DONE if good else reason.BAD_AMOUNT


@kernel
def carry_out(world: World, rules: Rules, nation: int, command: int, amount: int, target: int) -> None:
    """The effect of a command without a cell that is allowed and paid."""
    record = world.nations[nation]
    turn = int(world.clock[0].turn)
    if command == number.FUNDRAISE:  # CMD-008
        stock.gain(world, rules, nation, item.FUNDS, rules.scalars[0].fundraise_income, cause.FUNDRAISE)
    elif command == number.ABANDON_NATION:  # the nation falls in phase 28: TURN-075
        record.abandoning = 1
    elif command == number.RESEARCH:  # the level rises in phase 5: TURN-064
        level = int(record.research[amount]) + 1
        record.research_branch = amount
        record.research_done_turn = turn + rules.research[amount, level].turns
    elif command == number.INDUSTRIAL_POLICY:  # in force from the next turn: IND-002
        record.policy_next = amount
        record.policy_turn = turn
    elif command == number.WORKER_SHARES:
        record.shares[0] = amount // SHARE_BASE
        record.shares[1] = amount % SHARE_BASE
        record.shares[2] = ALL - amount // SHARE_BASE - amount % SHARE_BASE
    elif command == number.CORPS_ORDERS:
        corps = world.corps[nation, amount // CORPS_BASE]
        corps.order = amount % CORPS_BASE // ORDER_BASE
        corps.direction = amount % ORDER_BASE
    elif command == number.EXPORT_CAP:
        record.export_caps[amount // ITEM_BASE] = amount % ITEM_BASE
    elif command == number.BUYBACK_TARGET:
        record.targets[amount // ITEM_BASE] = amount % ITEM_BASE
    elif command == number.SUPPLY_POLICY:
        _set_supply(world, nation, amount // SUPPLY_BASE, amount % SUPPLY_BASE == 1, target)
    elif target == nation and command == number.PORT_POLICY:
        record.port_policy = amount
    elif target == nation and command == number.LAND_GATE:
        record.land_gate = amount
    elif target == nation and amount < FEE_BASE:
        record.tariff = amount
    elif target == nation:
        record.transit_fee = amount - FEE_BASE
    else:
        _set_toward(world.relations[nation, target], command, amount)


@kernel
def _set_toward(side: Any, command: int, amount: int) -> None:
    """Set something toward another nation, in the own side of the relation (CMD-049, LIMIT-016)."""
    if command == number.EMBARGO:
        side.embargo = amount
    elif command == number.GOOD_TERMS:
        side.good_terms = amount
    elif command == number.PORT_POLICY:
        side.port_policy = amount
    elif command == number.LAND_GATE:
        side.land_gate = amount
    elif amount < FEE_BASE:
        side.tariff = amount
    else:
        side.transit_fee = amount - FEE_BASE


@kernel
def _set_supply(world: World, nation: int, what: int, allow: bool, target: int) -> None:
    """Allow or forbid new supply contracts for an item, or for all, with a nation, or with all (SUP-017)."""
    items = (1 << item.FUNDS) - 1 if what == item.FUNDS else 1 << what
    all_others = target == nation
    for other in range(world.nations.shape[0]):
        if other != nation and (all_others or target == other):
            side = world.relations[nation, other]
            forbidden = int(side.no_supply)
            side.no_supply = forbidden & ~items if allow else forbidden | items
