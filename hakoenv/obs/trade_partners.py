"""Trade with each nation, and what concerns all of the own trade: ports, gates, permissions, goods lacking.

What two nations let each other do is known to both: a ship that is turned away tells. What they charge, and
what they let others do, is not (hidden as all settings).
"""

from __future__ import annotations

from typing import Any

from hakoenv.engine import hexgrid, stock, territory
from hakoenv.engine.codes import item, terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.shipping import harbours
from hakoenv.engine.trade import market, partners
from hakoenv.engine.world import World
from hakoenv.obs.arrays import Arrays, fit
from hakoenv.ruleset.compiled import Rules

_INT16 = 32_767
_INT32 = 2**31 - 1
_NEIGHBOURS = 6
_DEFAULT = -1  # of a setting toward one nation
_MOST_PORTS = 2  # highest port policy


@kernel
def fill_partners(world: World, rules: Rules, n: int, out: Arrays) -> None:
    """Trade of a living nation with every other that lives; its own ports, gates and private goods."""
    seats = world.nations.shape[0]
    nation = world.nations[n]
    row = out.commerce[n]
    row.land_gate = nation.land_gate
    row.cruise_unpaid = fit(int(nation.cruise_unpaid) // stock.THOUSANDTHS, _INT32)
    row.waiting = fit(int(nation.waiting[0]), _INT32)
    row.waiting_large = fit(int(nation.waiting[1]), _INT32)
    touching = _walk(world, rules, n, row)
    for place in range(1, seats):
        other = (n + place) % seats
        if world.nations[other].alive:
            _fill_partner(world, n, other, (touching >> other) & 1, out.partners[n, place])
            for what in range(item.FUNDS):
                forbidden = (int(world.relations[n, other].no_supply) >> what) & 1
                out.supply_allowed[n, place, what] = 1 - forbidden
    for what in range(item.FUNDS):
        goods = out.private_market[n, what]
        goods.short = fit(market.short(world, n, what), _INT32)
        goods.surplus = fit(market.surplus(world, n, what), _INT32)
        goods.set_aside = fit(int(nation.set_aside[what]), _INT32)


@kernel
def _walk(world: World, rules: Rules, n: int, row: Any) -> int:
    """Count own ports, and find the nations whose land touches the own (MER-064), one bit each."""
    height, width = world.cells.shape
    cells = world.cells.flat
    nation = world.nations[n]
    found = ports = large = 0
    for k in range(nation.first, nation.first + nation.held):
        cell = int(world.territory[k])
        if cells[cell].owner != n:
            continue
        if cells[cell].terrain == terrain.PORT:
            ports += 1
            large += harbours.is_large(world, rules, cell)
        if not territory.is_land(world, rules, cell):
            continue
        for direction in range(1, _NEIGHBOURS + 1):
            near = hexgrid.nth(width, height, cell, direction)
            if near < 0:
                continue
            holder = int(cells[near].owner)
            if holder >= 0 and holder != n and territory.is_land(world, rules, near):
                found |= 1 << holder
    row.ports = fit(ports, _INT16)
    row.large_ports = fit(large, _INT16)
    return found


@kernel
def _fill_partner(world: World, n: int, other: int, touches: int, row: Any) -> None:
    """Trade with one nation: what is allowed, settings, and offers of exchange both ways (command 124)."""
    own, theirs = world.relations[n, other], world.relations[other, n]
    host, guest = world.nations[n], world.nations[other]
    deal = partners.may_deal(world, n, other)
    gate, its_gate = partners.gate_open(world, n, other), partners.gate_open(world, other, n)
    row.touches = touches
    row.gate = int(gate)
    row.its_gate = int(its_gate)
    row.by_land = int(deal and gate and its_gate and touches == 1)
    row.by_sea = int(deal and partners.admits(world, n, other) and partners.admits(world, other, n))
    row.ports = fit(_setting(int(own.port_policy), int(host.port_policy)), _MOST_PORTS)
    row.its_ports = fit(_setting(int(theirs.port_policy), int(guest.port_policy)), _MOST_PORTS)
    row.tariff = fit(_setting(int(own.tariff), int(host.tariff)), _INT16)
    row.land_used = fit(int(own.land_used), _INT16)
    turn = int(world.clock[0].turn)
    row.own_offer = fit(int(own.swap_until) - turn, _INT32)
    row.own_gives = row.own_wants = row.its_gives = row.its_wants = -1
    row.own_gives_quantity = row.own_wants_quantity = 0
    if row.own_offer > 0:
        row.own_gives = int(own.swap_give) if own.swap_given > 0 else -1
        row.own_gives_quantity = own.swap_given
        row.own_wants = int(own.swap_want) if own.swap_wanted > 0 else -1
        row.own_wants_quantity = own.swap_wanted
    row.its_offer = fit(int(theirs.swap_until) - turn, _INT32)
    row.its_gives_quantity = row.its_wants_quantity = 0
    if row.its_offer > 0:
        row.its_gives = int(theirs.swap_give) if theirs.swap_given > 0 else -1
        row.its_gives_quantity = theirs.swap_given
        row.its_wants = int(theirs.swap_want) if theirs.swap_wanted > 0 else -1
        row.its_wants_quantity = theirs.swap_wanted


@kernel
def _setting(toward: int, for_all: int) -> int:
    """A setting toward one nation, or that for all where there is none."""
    return for_all if toward == _DEFAULT else toward
