"""The pieces about nations: oneself, the others, factions, market, plan and results."""

from __future__ import annotations

from typing import Any

from hakoenv.engine import census, scoring, stock
from hakoenv.engine.codes import cause, command, item, relation, terrain, unit_item
from hakoenv.engine.kernel import kernel
from hakoenv.engine.trade import bank, loans, window
from hakoenv.engine.world import (
    CLIMATES,
    FACTIONS,
    LOANS,
    MARKET_TURNS,
    PLAN_LENGTH,
    RESULT_LENGTH,
    World,
    nation_dtype,
)
from hakoenv.obs.arrays import Arrays, common, copier, fit, place_of
from hakoenv.obs.pieces import own_record
from hakoenv.ruleset.compiled import Rules

_INT32 = 2**31 - 1
_INT64 = 2**53
_LONG = 999  # turns of food that are shown at most
_copy_own = copier(common(own_record, nation_dtype))
_copy_public = copier(("alive", "population", "area", "rank", "faction"))
_copy_terms = copier(("state", "tariff", "transit_fee", "port_policy", "good_terms", "embargo"))


@kernel
def fill_nation(world: World, rules: Rules, n: int, out: Arrays) -> None:
    """What nation ``n`` knows of itself, of the others and of the world, the map apart."""
    _fill_clock(world, rules, n, out)
    _fill_own(world, rules, n, out)
    _fill_stocks(world, rules, n, out)
    _fill_trade(world, n, out)
    _fill_nations(world, n, out)
    _fill_factions(world, n, out)
    _fill_market(world, rules, n, out)
    _fill_plan(world, n, out)


@kernel
def _fill_clock(world: World, rules: Rules, n: int, out: Arrays) -> None:
    """Season, map, time and weather."""
    clock = world.clock[0]
    s = rules.scalars[0]
    row = out.clock[n]
    row.turn = fit(clock.turn, _INT32)
    row.max_turns = fit(s.season_max_turns, _INT32)
    row.turns_left = fit(s.season_max_turns - clock.turn, _INT32)
    row.conquest_from = fit(s.season_min_turns, _INT32)
    row.height, row.width = world.cells.shape
    row.seats = world.nations.shape[0]
    row.living = 0
    for k in range(world.nations.shape[0]):
        row.living += int(world.nations[k].alive)
    row.all_land = clock.all_land
    row.free_land = clock.ownerless_land
    row.tunnels_unlocked = clock.tunnels_unlocked
    row.ending = clock.ending
    for zone in range(CLIMATES):
        out.weather[n, zone] = clock.weather[zone]


@kernel
def _fill_own(world: World, rules: Rules, n: int, out: Arrays) -> None:
    """The own nation: land, people, army, work, settings."""
    nation = world.nations[n]
    turn = int(world.clock[0].turn)
    row = out.own[n]
    _copy_own(nation, row)
    row.seat = n
    row.age = fit(turn - nation.founded, _INT32)
    row.capital_x = row.capital_y = -1
    if nation.alive and nation.capital >= 0:
        width = world.cells.shape[1]
        row.capital_x = nation.capital % width
        row.capital_y = nation.capital // width
    row.power_score = signed(nation.power_score)
    records = scoring.records_in_mean(world, rules, n)
    row.mean_assets = 0
    if records > 0:
        row.mean_assets = fit(scoring.assets_sum(world, rules, n) // (1000 * records), _INT32)
    row.asset_records = nation.assets_recorded
    row.strength = fit(census.strength(world, n), _INT32)
    row.plan_cut = nation.cut
    _fill_facilities(world, rules, n, row)
    _fill_army(rules, nation, row)
    _fill_work(nation, row)
    _fill_settings(nation, turn, row)
    _fill_balances(world, rules, n, row)


@kernel
def _fill_army(rules: Rules, nation: Any, row: Any) -> None:
    """Upkeep of the army (ARMY-067), and the items in the national store (ARMY-055)."""
    reserves = int(nation.reserves) * rules.scalars[0].army_reserve_upkeep_per_100
    row.upkeep_funds = fit((int(nation.army_funds) + reserves) // 100, _INT32)
    row.upkeep_fuel = fit(int(nation.army_fuel) // 100, _INT32)
    row.sword_of_war_god = nation.items[unit_item.SWORD_OF_WAR_GOD]
    row.shield_of_iron_wall = nation.items[unit_item.SHIELD_OF_IRON_WALL]
    row.weak_shield = nation.items[unit_item.WEAK_SHIELD]
    row.cloak_of_zoc_ignoring = nation.items[unit_item.CLOAK_OF_ZOC_IGNORING]
    row.shoes_of_water_movement = nation.items[unit_item.SHOES_OF_WATER_MOVEMENT]


@kernel
def _fill_facilities(world: World, rules: Rules, n: int, row: Any) -> None:
    """Power plants, naval ports and mines as they stand (MAP-050, NAVY-037, NAVY-038, NMINE-012)."""
    s = rules.scalars[0]
    nation = world.nations[n]
    levels = ports = mines = 0
    for k in range(nation.first, nation.first + nation.held):
        place = world.cells.flat[world.territory[k]]
        if place.terrain == terrain.POWER_PLANT:
            levels += int(place.level)
        ports += place.terrain == terrain.NAVAL_PORT
        mines += place.terrain == terrain.NAVAL_MINE
    row.generating_capacity = fit(levels * s.power_plant_display_kw, _INT32)
    row.naval_ports = ports
    row.naval_mines = mines
    row.naval_mines_more = fit(s.naval_mine_nation_max - mines, _INT32)


@kernel
def _fill_work(nation: Any, row: Any) -> None:
    """Food, fuel and workers of the last turn."""
    food = int(nation.treasury[item.FOOD])
    row.rations = fit(nation.rations, _INT32)
    row.food_turns = _LONG if nation.rations <= 0 else fit(food // int(nation.rations), _LONG)
    row.food_made = fit(nation.food_made, _INT32)
    row.fuel_need = fit(nation.fuel_need, _INT32)
    row.fuel_used = fit(nation.fuel_used, _INT32)
    row.fuel_percent = 100
    if nation.fuel_need > 0:
        row.fuel_percent = fit(100 * int(nation.fuel_used) // int(nation.fuel_need), 100)
    row.industry_value = fit(nation.industry_value, _INT32)
    row.commerce_value = fit(nation.commerce_value // stock.THOUSANDTHS, _INT32)
    row.workers_agriculture, row.workers_industry, row.workers_commerce = (
        nation.assigned[0],
        nation.assigned[1],
        nation.assigned[2],
    )
    row.workers_idle = nation.town_farmers


@kernel
def _fill_settings(nation: Any, turn: int, row: Any) -> None:
    """What the nation has chosen."""
    row.share_agriculture, row.share_industry, row.share_commerce = (
        nation.shares[0],
        nation.shares[1],
        nation.shares[2],
    )
    row.policy_age = turn - nation.policy_turn if nation.policy_turn > 0 else -1
    row.research_production, row.research_military, row.research_shipping = (
        nation.research[0],
        nation.research[1],
        nation.research[2],
    )
    row.research_turns_left = 0
    if nation.research_branch >= 0:
        row.research_turns_left = fit(nation.research_done_turn - turn, _INT32)


@kernel
def _fill_balances(world: World, rules: Rules, n: int, row: Any) -> None:
    """The private sector's cash and its account at the clearing house (FIN-025, FIN-034)."""
    turn = int(world.clock[0].turn)
    slot = turn % MARKET_TURNS
    row.household_sales = fit(world.nations[n].household_sales[slot] // stock.THOUSANDTHS, _INT32)
    row.private_purchases = fit(world.nations[n].payments[slot] // stock.THOUSANDTHS, _INT32)
    row.working_capital = fit(window.working_capital(world, rules, n, turn + 1) // stock.THOUSANDTHS, _INT32)
    row.deposit = fit(world.nations[n].deposit // stock.THOUSANDTHS, _INT32)
    row.deposit_queued = fit(bank.queued(world, n) // stock.THOUSANDTHS, _INT32)
    row.debt = fit((loans.principal(world, n) + loans.interest(world, n)) // stock.THOUSANDTHS, _INT32)
    row.loan_ban = fit(world.nations[n].no_loan_until - turn, _INT32)
    row.debt_due_in = -1
    for k in range(LOANS):
        if world.loans[n, k].principal > 0:
            left = fit(world.loans[n, k].taken + rules.scalars[0].finance_term - turn, _INT32)
            row.debt_due_in = left if row.debt_due_in < 0 else min(int(row.debt_due_in), left)


@kernel
def _fill_stocks(world: World, rules: Rules, n: int, out: Arrays) -> None:
    """Stocks, their caps and changes."""
    nation = world.nations[n]
    for what in range(item.COUNT):
        row = out.stocks[n, what]
        row.treasury = signed(nation.treasury[what])
        row.capacity = fit(stock.cap(world, rules, n, what), _INT32)
        private = int(nation.private[what])
        row.private = signed(private // 1000 if what == item.FUNDS else private)
        row.change = signed(nation.treasury[what] - world.accounts[n, cause.OPENING, what])


@kernel
def _fill_trade(world: World, n: int, out: Arrays) -> None:
    """What treasury and private sector go by in trade, and the accounts of both in the last turn."""
    nation = world.nations[n]
    for what in range(item.COUNT):
        row = out.stocks[n, what]
        row.price = row.target = row.export_cap = row.household_use = row.planned = 0
        if what != item.FUNDS:
            row.price = fit(nation.prices[what], _INT32)
            row.target = fit(nation.targets[what], _INT32)
            row.export_cap = fit(nation.export_caps[what], _INT32)
            row.household_use = fit(nation.wanted[what], _INT32)
            row.planned = fit(nation.planned[what], _INT32)
    for why in range(cause.COUNT):
        for what in range(item.COUNT):
            out.accounts[n, why, what] = signed(world.accounts[n, why, what])
            out.private_accounts[n, why, what] = signed(world.private_accounts[n, why, what])


@kernel
def _fill_nations(world: World, n: int, out: Arrays) -> None:
    """Public facts of every nation by place, relations, factions (SEASON-015..017)."""
    seats = world.nations.shape[0]
    turn = int(world.clock[0].turn)
    for place in range(seats):
        other = (n + place) % seats
        nation = world.nations[other]
        row = out.nations[n, place]
        row.seated = 1
        row.seat = other
        _copy_public(nation, row)
        row.age = fit(turn - nation.founded, _INT32)
        row.fallen_for = -1
        if not nation.alive and nation.fell > 0:
            row.fallen_for = fit(turn - nation.fell, _INT32)
        row.strength = fit(census.strength(world, other), _INT32)
        row.power_score = signed(nation.power_score)
        row.wars_against = 0
        row.leader = int(nation.faction >= 0 and world.factions[nation.faction].leader == other)
        third = n
        for k in range(seats):
            between = world.relations[other, third]
            out.relations[n, place, k] = between.state
            row.wars_against += int(between.declarer == third and between.state >= relation.PENDING)
            third = third + 1 if third + 1 < seats else 0
        _fill_relation(world.relations[n, other], world.relations[other, n], n, other, turn, row)


@kernel
def _fill_relation(own: Any, theirs: Any, n: int, other: int, turn: int, row: Any) -> None:
    """State and terms between two nations: of the other's settings only its embargo is public."""
    _copy_terms(own, row)
    row.state_age = fit(turn - own.since, _INT32)
    row.turns_left = fit(own.turns_left, _INT32)
    row.truce = fit(own.truce, _INT32)
    row.declarer = 0
    if own.state == relation.PENDING or own.state == relation.WAR:
        row.declarer = 1 if own.declarer == n else 2 if own.declarer == other else 0
    row.embargoed = theirs.embargo
    row.offer_made = fit(own.offer_until - turn, _INT32)
    row.offer_received = fit(theirs.offer_until - turn, _INT32)


@kernel
def _fill_factions(world: World, n: int, out: Arrays) -> None:
    """Factions, by number."""
    turn = int(world.clock[0].turn)
    for f in range(FACTIONS):
        faction = world.factions[f]
        row = out.factions[n, f]
        row.active = faction.active
        row.leader = -1
        row.members = row.age = row.dissolves_in = row.land = row.name = 0
        if faction.active:
            row.name = faction.name
            row.leader = place_of(faction.leader, n, world.nations.shape[0])
            row.age = fit(turn - faction.created, _INT32)
            row.dissolves_in = fit(faction.dissolves - turn, _INT32)
            for k in range(world.nations.shape[0]):
                if world.nations[k].alive and world.nations[k].faction == f:
                    row.members += 1
                    row.land = fit(int(row.land) + int(world.nations[k].land), _INT32)


@kernel
def _fill_market(world: World, rules: Rules, n: int, out: Arrays) -> None:
    """World prices."""
    for what in range(item.COUNT - 1):
        out.market[n, what].price = fit(world.market[what].price, _INT32)
        out.market[n, what].base_price = fit(rules.resources[what].base_price, _INT32)


@kernel
def _fill_plan(world: World, n: int, out: Arrays) -> None:
    """The own plan, and what became of the commands of the last turn."""
    nation = world.nations[n]
    length = min(int(nation.plan_length), PLAN_LENGTH)
    for k in range(length):
        row = out.plan[n, k]
        row.listed = 1
        row.command, row.x, row.y, row.amount, row.target = shown(world.plans[n, k])
    turn = int(world.clock[0].turn)
    length = min(int(nation.result_count), RESULT_LENGTH)
    for k in range(length if turn > 0 else 0):
        order = world.results[n, k]
        if order.turn != turn:
            continue
        line = out.results[n, k]
        line.listed = 1
        line.command, line.x, line.y, line.amount, line.target = shown(order)
        line.reason = order.reason


@kernel
def shown(order: Any) -> tuple[int, int, int, int, int]:
    """Command, x, y, amount and target."""
    known = 0 <= order.command < command.LIMIT
    amount = max(-_INT64, min(int(order.amount), _INT64))
    return int(order.command) if known else 0, int(order.x), int(order.y), amount, int(order.target)


@kernel
def signed(value: int) -> int:
    """A number brought into the range of int32."""
    return max(-_INT32 - 1, min(value, _INT32))
