"""A new nation on the map (FOUND-001 .. FOUND-016)."""

from __future__ import annotations

import numpy as np

from hakoenv.engine import chance, happenings, hexgrid, sites, stock
from hakoenv.engine.codes import cause, deposit, event, item, port_policy, research, terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import troops
from hakoenv.engine.mapgen import homes, noise
from hakoenv.engine.trade import bank
from hakoenv.engine.world import World, nation_dtype
from hakoenv.ruleset.compiled import Rules


def settle_nations(world: World, rules: Rules, nations: int) -> int:
    """Found nations on fair sites: the first ``nations`` seats that are empty, in drawn order.

    Returns:
        How many found a site.
    """
    plan = homes.choose(world, rules, nations)
    count = int(plan.found[0])
    luck = noise.rolls(world, chance.SITE_CHOICE, world.cells.size + np.arange(count), 0, 1 << 30)
    empty = [n for n in range(len(world.nations)) if not world.nations[n]["alive"]]
    founded = 0
    for n, k in zip(empty, np.argsort(luck, kind="stable"), strict=False):
        founded += int(found(world, rules, n, int(plan.centre[k])))
    return founded


@kernel
def found(world: World, rules: Rules, n: int, cell: int) -> bool:
    """Found nation ``n`` with its capital on ``cell``; False, and nothing changed, if that is no site now.

    The site is tested at this moment (FOUND-001, FOUND-006). The founding turn is the turn last
    finished (TURN-075). Who drives the nation is left as it is.
    """
    if not sites.is_site(world, rules, cell):
        return False
    bank.settle_estate(world, n)  # debts and deposits of the seat's last nation are not the new one's
    _forget(world, n)
    _settle(world, rules, n, cell)
    _equip(world, rules, n)
    nation = world.nations[n]
    nation.capital = cell
    nation.founded = world.clock[0].turn
    nation.alive = 1
    happenings.record(world, event.FOUNDED, n, cell, 0)
    return True


@kernel
def _settle(world: World, rules: Rules, n: int, cell: int) -> None:
    """Own the seven cells and build on five of them (FOUND-008 .. FOUND-011)."""
    s = rules.scalars[0]
    height, width = world.cells.shape
    cells = world.cells.reshape(-1)
    for k in range(sites.RING + 1):
        place = hexgrid.nth(width, height, cell, k)
        cells[place].owner = n
        if k == 0:
            _build(world, place, terrain.TOWN, 0, int(s.founding_capital_population))
        elif k == s.founding_building_order_town_1 or k == s.founding_building_order_town_2:
            _build(world, place, terrain.TOWN, 0, int(s.founding_town_population))
        elif k == s.founding_building_order_farm:
            _build(world, place, terrain.FARM, int(s.founding_farm_size), 0)
        elif k == s.founding_building_order_depot:
            _build(world, place, terrain.DEPOT, 0, 0)
        cells[place].resistance = rules.terrains[cells[place].terrain].resistance_max
    cells[cell].resistance = s.resistance_capital


@kernel
def _build(world: World, cell: int, ground: int, level: int, population: int) -> None:
    """Put a building where trees and deposits were."""
    place = world.cells.reshape(-1)[cell]
    place.terrain = ground
    place.level = level
    place.population = population
    place.deposit = deposit.NONE
    place.richness = 0


@kernel
def _equip(world: World, rules: Rules, n: int) -> None:
    """Stocks, soldiers and settings of a new nation (FOUND-012 .. FOUND-016)."""
    s = rules.scalars[0]
    nation = world.nations[n]
    stock.gain(world, rules, n, item.FUNDS, int(s.founding_funds), cause.FOUNDING)
    stock.gain(world, rules, n, item.FOOD, int(s.founding_food), cause.FOUNDING)
    for what in range(item.FOOD):
        stock.gain(world, rules, n, what, int(rules.resources[what].founding_stock), cause.FOUNDING)
        nation.export_caps[what] = s.market_export_cap_default_units
        stock.private_gain(world, rules, n, what, int(s.founding_private_stock), cause.FOUNDING)
    nation.export_caps[item.FOOD] = s.market_export_cap_default_food
    stock.private_gain(
        world, rules, n, item.FUNDS, s.founding_private_cash * stock.THOUSANDTHS, cause.FOUNDING
    )
    nation.reserves = s.founding_reserves
    nation.policy = nation.policy_next = s.founding_industrial_policy_policy
    nation.research[research.PRODUCTION] = s.founding_research_production
    nation.research[research.MILITARY] = s.founding_research_military
    nation.research[research.SHIPPING] = s.founding_research_shipping
    nation.shares[0] = s.founding_worker_shares_agriculture
    nation.shares[1] = s.founding_worker_shares_industry
    nation.shares[2] = s.founding_worker_shares_commerce
    nation.tariff = s.market_tariff_default
    nation.transit_fee = s.market_transit_fee_default
    nation.port_policy = port_policy.OPEN
    nation.land_gate = 1
    troops.reset_corps(world, rules, n)


@kernel(allocates=True)
def _forget(world: World, n: int) -> None:
    """Clear what a fallen nation left on the seat: stocks, history, plan, relations. Its driver stays."""
    controller = int(world.nations[n].controller)
    author = int(world.nations[n].author)
    world.nations[n] = np.zeros(1, nation_dtype)[0]
    nation = world.nations[n]
    nation.controller = controller
    nation.author = author
    nation.research_branch = research.NONE
    nation.capital = nation.faction = nation.applied_to = nation.league = -1
    for other in range(world.nations.shape[0]):
        _make_strangers(world, n, other)
        _make_strangers(world, other, n)


@kernel
def _make_strangers(world: World, a: int, b: int) -> None:
    relation = world.relations[a, b]
    relation.since = relation.turns_left = relation.truce = relation.offer_until = 0
    relation.tariff = relation.transit_fee = relation.port_policy = relation.land_gate = -1
    relation.declarer = -1
    relation.swap_until = relation.swap_given = relation.swap_wanted = 0
    relation.swap_give = relation.swap_want = 0
    relation.land_used = relation.no_supply = 0
    relation.state = relation.good_terms = relation.embargo = relation.origin = 0
