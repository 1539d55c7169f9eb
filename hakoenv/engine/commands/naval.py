"""Commands of the navy: which module knows what a command needs, costs and does.

Own ships and ports are known to their nation; what it may not see is another's ship, unit or mine
at sea, and the room in the list of all ships, which is nobody's to know.
"""

from __future__ import annotations

from hakoenv.engine.codes import command as number
from hakoenv.engine.commands import boarding, fleet_orders, prices, sea_works, shipyard
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def names_cell(command: int, amount: int) -> bool:
    """Whether x and y of a command name a cell: all but what clears a course or a salvo order."""
    if command == number.SALVO_ORDER:
        return amount != fleet_orders.NO_SALVO
    return command != number.FLEET_MOVE or amount < fleet_orders.CLEAR


@kernel
def allowed(
    world: World, rules: Rules, viewer: int, nation: int, turn: int, command: int, cell: int, amount: int
) -> tuple[int, int, int, int]:
    """Whether a command is allowed: (reason, price kind, price row, price level); ``cell`` -1 none.

    A naval port is a work of a cell like other buildings and no matter of this (NAVY-023).
    """
    kind, row, level = int(prices.COMMAND), command, 0
    if command == number.BUILD_SHIP:
        why, row = shipyard.may_build(world, rules, viewer, nation, cell, amount)
        kind = int(prices.SHIP)
    elif command == number.NAVAL_REPAIR:
        why, row = shipyard.may_repair(world, rules, nation, turn, cell)
        kind = int(prices.REPAIR)
    elif command == number.DECOMMISSION:
        why = shipyard.may_strike_off(world, nation, cell)
    elif command == number.SALVAGE_WRECK:
        why = shipyard.may_salvage(world, rules, nation, turn, cell)
    elif command == number.LAY_MINE:
        why, level = sea_works.may_lay(world, rules, viewer, nation, cell, amount), amount
        kind = int(prices.PER_LEVEL)
    elif command == number.REMOVE_MINE:
        why, level = sea_works.may_remove(world, nation, cell)
        kind = int(prices.PER_LEVEL)
    elif command == number.EMBARK:
        why = boarding.may_embark(world, rules, nation, cell, amount)
    elif command == number.DISEMBARK:
        why = boarding.may_land(world, rules, viewer, nation, turn, cell, amount)
    else:
        why = fleet_orders.allowed(world, rules, viewer, nation, turn, command, cell, amount)
    return why, kind, row, level


@kernel
def carry_out(world: World, rules: Rules, nation: int, command: int, cell: int, amount: int) -> None:
    """The effect of a command that is allowed and paid."""
    if command == number.BUILD_SHIP:
        shipyard.build(world, rules, nation, cell, amount)
    elif command == number.NAVAL_REPAIR:
        shipyard.repair(world, rules, cell)
    elif command == number.DECOMMISSION:
        shipyard.strike_off(world, rules, nation, cell)
    elif command == number.SALVAGE_WRECK:
        shipyard.salvage(world, rules, nation, cell)
    elif command == number.LAY_MINE:
        sea_works.lay(world, rules, nation, cell, amount)
    elif command == number.REMOVE_MINE:
        sea_works.remove(world, rules, cell)
    elif command == number.EMBARK:
        boarding.embark(world, cell, amount)
    elif command == number.DISEMBARK:
        boarding.land(world, nation, cell, amount)
    else:
        fleet_orders.carry_out(world, rules, nation, command, cell, amount)


@kernel
def run_into(world: World, rules: Rules, command: int, cell: int, amount: int) -> None:
    """What a command does that something unseen stands against: only a ship sent there by hand finds it."""
    if command == number.SHIP_STEP:
        fleet_orders.step(world, rules, int(world.cells.flat[cell].ship), amount)
