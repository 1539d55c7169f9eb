"""What a private sector is short of and can spare, and the national prices that follow (MER-068, MER-069).

Prices are thousandths of 1 funds, quantities whole units (MER-063). `open_phase` notes what is under way, set
aside and planned; whoever trades within the phase keeps stocks and `inbound` true, and with them the rest.
"""

from __future__ import annotations

import numpy as np

from hakoenv.engine import stock
from hakoenv.engine.codes import item, parcel
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import vessels
from hakoenv.engine.rounding import ceil_div, floor
from hakoenv.engine.world import MARKET_TURNS, World
from hakoenv.ruleset.compiled import Rules

_PERMILLE = 1000
_CELLS = 100  # of `fuel_per_100_cells`
_MOST_UNITS = 2**40  # bounds of what is multiplied; only extreme rulesets come near them
_MOST_PRICE = 10**12
MOST_MONEY = 2**53


@kernel
def open_turn(world: World) -> None:
    """Clear what the market counts by turn."""
    slot = world.clock[0].turn % MARKET_TURNS
    for what in range(item.FUNDS):
        world.market[what].asked = world.market[what].offered = 0
    for n in range(world.nations.shape[0]):
        world.nations[n].payments[slot] = world.nations[n].household_sales[slot] = 0


@kernel
def fix_prices(world: World, rules: Rules) -> None:
    """Fix every nation's prices of the turn (MER-069; end of phase 5)."""
    world.clock[0].priced = world.clock[0].turn
    open_phase(world, rules)
    for n in range(world.nations.shape[0]):
        record = world.nations[n]
        for what in range(item.FUNDS):
            if record.alive:
                record.prices[what] = _national_price(world, rules, n, what)


@kernel
def ensure_prices(world: World, rules: Rules) -> None:
    """Fix the prices unless it was done in this turn (a phase is run alone)."""
    if world.clock[0].priced != world.clock[0].turn:
        fix_prices(world, rules)


@kernel(allocates=True)
def open_phase(world: World, rules: Rules) -> None:
    """Note for all what is under way, set aside and planned: the shorts and surpluses of a phase (MER-068).

    Phases 17, 18 and 19 begin with it, so do the fixing of prices and the sales to households.
    """
    note_goods(world, rules)
    ship_fuel = np.zeros(world.nations.shape[0], np.int64)
    for ship in range(world.clock[0].ships):
        if world.ships[ship].kind > 0 and world.ships[ship].owner >= 0:
            ship_fuel[world.ships[ship].owner] += _most_fuel(world, rules, ship)
    for n in range(world.nations.shape[0]):
        if world.nations[n].alive:
            for what in range(item.FUNDS):
                _set_level(world, rules, n, what, int(ship_fuel[n]))


@kernel
def note_goods(world: World, rules: Rules) -> None:
    """Note what private sectors bought and have not got (MER-068), and what contracts set aside (SUP-010).

    Set aside is the quantity of a contract's next shipment, until a ship takes it.
    """
    for n in range(world.nations.shape[0]):
        world.nations[n].inbound[:] = 0
        world.nations[n].set_aside[:] = 0
    for p in range(world.clock[0].parcels):
        entry = world.parcels[p]
        is_bought = entry.kind == parcel.TRADE or entry.kind == parcel.CONTRACT
        if entry.state != parcel.FREE and is_bought and entry.receiver >= 0:
            world.nations[entry.receiver].inbound[entry.what] += entry.quantity
    for c in range(world.contracts.shape[0]):
        deal = world.contracts[c]
        if deal.number > 0 and deal.sent < rules.scalars[0].supply_deliveries:
            world.nations[deal.seller].set_aside[deal.what] += deal.quantity


@kernel
def plan(world: World, rules: Rules, nation: int, what: int) -> None:
    """Fix the level of an item that a private sector plans with anew, after its treasury bought (MER-068)."""
    ship_fuel = 0
    if what == item.FUEL:
        for ship in range(world.clock[0].ships):
            if world.ships[ship].kind > 0 and world.ships[ship].owner == nation:
                ship_fuel += _most_fuel(world, rules, ship)
    _set_level(world, rules, nation, what, ship_fuel)


@kernel
def _most_fuel(world: World, rules: Rules, ship: int) -> int:
    """Hundredths of a fuel that a private ship burns in a turn under way; other ships have none of it."""
    record = world.ships[ship]
    speed = vessels.class_speed(world, rules, int(record.owner), int(record.kind))
    return int(min(worth(speed, int(rules.ship_classes[record.kind].fuel_per_100_cells)), _MOST_UNITS))


@kernel
def _set_level(world: World, rules: Rules, nation: int, what: int, ship_fuel: int) -> None:
    """The level of an item that a private sector plans with (MER-068).

    It is so many turns of household use, of the ships' fuel (hundredths a turn) too, and what the treasury
    lacks of its target, at least the floor.
    """
    record = world.nations[nation]
    turns = rules.scalars[0].private_planning_turns
    level = ceil_div(turns * record.wanted[what], stock.THOUSANDTHS) + gap(world, nation, what)
    if what == item.FUEL:
        level += ceil_div(turns * min(ship_fuel, _MOST_UNITS), _CELLS)
    record.planned[what] = min(max(rules.resources[what].private_floor, level), _MOST_UNITS)


@kernel
def gap(world: World, nation: int, what: int) -> int:
    """What the treasury lacks of its buy-back target (MER-068)."""
    record = world.nations[nation]
    return int(max(0, record.targets[what] - record.treasury[what]))


@kernel
def free_stock(world: World, nation: int, what: int) -> int:
    """The private stock that may be sold: what no supply contract has set aside (MER-068, SUP-010)."""
    record = world.nations[nation]
    return int(max(0, record.private[what] - record.set_aside[what]))


@kernel
def at_hand(world: World, nation: int, what: int) -> int:
    """The free stock and what was bought and has not arrived (MER-068)."""
    return int(free_stock(world, nation, what) + world.nations[nation].inbound[what])


@kernel
def short(world: World, nation: int, what: int) -> int:
    """What the private sector lacks of its planned level."""
    return int(max(0, world.nations[nation].planned[what] - at_hand(world, nation, what)))


@kernel
def surplus(world: World, nation: int, what: int) -> int:
    """What the private sector has above its planned level."""
    return int(max(0, free_stock(world, nation, what) - world.nations[nation].planned[what]))


@kernel
def count_gaps(world: World, rules: Rules) -> None:
    """Count shortages as asked and surpluses as offered, by planning turn (MER-082; start of phase 18)."""
    turns = max(1, rules.scalars[0].private_planning_turns)
    for n in range(world.nations.shape[0]):
        for what in range(item.FUNDS):
            if world.nations[n].alive:
                world.market[what].asked += ceil_div(short(world, n, what), turns)
                world.market[what].offered += ceil_div(surplus(world, n, what), turns)


@kernel
def permille(ratio: float) -> int:
    """A ratio in whole thousandths."""
    return floor(ratio * _PERMILLE + 0.5)


@kernel
def at_ratio(price: int, ratio: float) -> int:
    """A price times a ratio, cut to thousandths of funds (MER-071)."""
    return int(min(price * permille(ratio) // _PERMILLE, _MOST_PRICE))


@kernel
def affordable(cash: int, price: int) -> int:
    """Whole units that so much cash buys; both in thousandths of funds."""
    return cash // price if price > 0 else _MOST_UNITS


@kernel
def worth(quantity: int, price: int) -> int:
    """The exact payment for a quantity, in the unit of the price (MER-063)."""
    if price <= 0 or quantity <= MOST_MONEY // price:
        return quantity * price
    return MOST_MONEY


@kernel
def _national_price(world: World, rules: Rules, nation: int, what: int) -> int:
    """World price times the demand coefficient, in the integer form of MER-069 (MKT-004)."""
    s = rules.scalars[0]
    level = int(world.nations[nation].planned[what])
    held = min(at_hand(world, nation, what), _MOST_UNITS)
    change = permille(s.market_demand_coefficient_slope) * (level - held) // (level + held + 1)
    least, most = permille(s.market_demand_coefficient_min), permille(s.market_demand_coefficient_max)
    coefficient = max(least, min(most, _PERMILLE + change))
    return int(min(world.market[what].price * coefficient // _PERMILLE, _MOST_PRICE))
