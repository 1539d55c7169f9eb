"""The pieces about nations: oneself, the others, factions, market, plan and results."""

from __future__ import annotations

from typing import Any

from hakoenv.engine import census, scoring, stock
from hakoenv.engine.codes import cause, command, item, relation
from hakoenv.engine.kernel import kernel
from hakoenv.engine.trade import bank, loans
from hakoenv.engine.world import CLIMATES, FACTIONS, LOANS, PLAN_LENGTH, RESULT_LENGTH, World
from hakoenv.obs.arrays import Arrays, fit, place_of
from hakoenv.ruleset.compiled import Rules

_INT32 = 2**31 - 1
_INT64 = 2**53
_LONG = 999  # turns of food that are shown at most


@kernel
def fill_clock(world: World, rules: Rules, n: int, out: Arrays) -> None:
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
def fill_own(world: World, rules: Rules, n: int, out: Arrays) -> None:
    """The own nation: land, people, army, work, settings."""
    nation = world.nations[n]
    turn = int(world.clock[0].turn)
    row = out.own[n]
    row.seat = n
    row.alive = nation.alive
    row.age = fit(turn - nation.founded, _INT32)
    row.capital_x = row.capital_y = -1
    if nation.alive and nation.capital >= 0:
        width = world.cells.shape[1]
        row.capital_x = nation.capital % width
        row.capital_y = nation.capital // width
    row.population = nation.population
    row.towns = nation.towns
    row.land = nation.land
    row.area = nation.area
    row.rank = nation.rank
    row.power_score = _signed(nation.power_score)
    records = scoring.records_in_mean(world, rules, n)
    row.mean_assets = 0
    if records > 0:
        row.mean_assets = fit(scoring.assets_sum(world, rules, n) // (1000 * records), _INT32)
    row.asset_records = nation.assets_recorded
    row.strength = fit(census.strength(world, n), _INT32)
    row.reserves = nation.reserves
    row.conscripts = nation.conscripts
    row.wounded = nation.wounded
    row.deployed = nation.deployed
    row.warehouses = nation.warehouses
    row.faction = nation.faction
    row.plan_length = nation.plan_length
    row.plan_cut = nation.cut
    _fill_work(nation, row)
    _fill_settings(nation, turn, row)
    _fill_balances(world, rules, n, row)


@kernel
def _fill_work(nation: Any, row: Any) -> None:
    """Food, fuel and workers of the last turn."""
    food = int(nation.treasury[item.FOOD])
    row.rations = fit(nation.rations, _INT32)
    row.food_turns = _LONG if nation.rations <= 0 else fit(food // int(nation.rations), _LONG)
    row.food_made = fit(nation.food_made, _INT32)
    row.famine = nation.famine
    row.fuel_need = fit(nation.fuel_need, _INT32)
    row.fuel_used = fit(nation.fuel_used, _INT32)
    row.fuel_percent = 100
    if nation.fuel_need > 0:
        row.fuel_percent = fit(100 * int(nation.fuel_used) // int(nation.fuel_need), 100)
    row.plant_levels = nation.plant_levels
    row.plant_fuel = nation.plant_fuel
    row.workers_agriculture, row.workers_industry, row.workers_commerce = (
        nation.assigned[0],
        nation.assigned[1],
        nation.assigned[2],
    )
    row.workers_idle = nation.town_farmers
    row.farm_jobs = nation.farm_jobs
    row.industry_jobs = nation.industry_jobs
    row.mine_workers = nation.mine_workers
    row.factory_workers = nation.factory_workers
    row.refinery_workers = nation.refinery_workers
    row.arsenal_workers = nation.arsenal_workers


@kernel
def _fill_settings(nation: Any, turn: int, row: Any) -> None:
    """What the nation has chosen."""
    row.share_agriculture, row.share_industry, row.share_commerce = (
        nation.shares[0],
        nation.shares[1],
        nation.shares[2],
    )
    row.policy = nation.policy
    row.policy_next = nation.policy_next
    row.policy_age = turn - nation.policy_turn if nation.policy_turn > 0 else -1
    row.tariff = nation.tariff
    row.transit_fee = nation.transit_fee
    row.port_policy = nation.port_policy
    row.research_production, row.research_military, row.research_shipping = (
        nation.research[0],
        nation.research[1],
        nation.research[2],
    )
    row.research_branch = nation.research_branch
    row.research_turns_left = 0
    if nation.research_branch >= 0:
        row.research_turns_left = fit(nation.research_done_turn - turn, _INT32)


@kernel
def _fill_balances(world: World, rules: Rules, n: int, row: Any) -> None:
    """The private sector's account at the clearing house (FIN-034)."""
    turn = int(world.clock[0].turn)
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
def fill_stocks(world: World, rules: Rules, n: int, out: Arrays) -> None:
    """Stocks, their caps and changes, and the accounts of the last turn."""
    nation = world.nations[n]
    for what in range(item.COUNT):
        row = out.stocks[n, what]
        row.treasury = _signed(nation.treasury[what])
        row.capacity = fit(stock.cap(world, rules, n, what), _INT32)
        private = int(nation.private[what])
        row.private = _signed(private // 1000 if what == item.FUNDS else private)
        row.change = _signed(nation.treasury[what] - world.accounts[n, cause.OPENING, what])
    for why in range(cause.COUNT):
        for what in range(item.COUNT):
            out.accounts[n, why, what] = _signed(world.accounts[n, why, what])


@kernel
def fill_nations(world: World, rules: Rules, n: int, out: Arrays) -> None:
    """Public facts of every nation by place, relations, factions (SEASON-015..017)."""
    seats = world.nations.shape[0]
    turn = int(world.clock[0].turn)
    for place in range(seats):
        other = (n + place) % seats
        nation = world.nations[other]
        row = out.nations[n, place]
        row.seated = 1
        row.seat = other
        row.alive = nation.alive
        row.age = fit(turn - nation.founded, _INT32)
        row.fallen_for = -1
        if not nation.alive and nation.fell > 0:
            row.fallen_for = fit(turn - nation.fell, _INT32)
        row.population = nation.population
        row.strength = fit(census.strength(world, other), _INT32)
        row.area = nation.area
        row.power_score = _signed(nation.power_score)
        row.rank = nation.rank
        row.faction = nation.faction
        row.leader = int(nation.faction >= 0 and world.factions[nation.faction].leader == other)
        third = n
        for k in range(seats):
            out.relations[n, place, k] = world.relations[other, third].state
            third = third + 1 if third + 1 < seats else 0
        _fill_relation(world.relations[n, other], world.relations[other, n], n, other, turn, row)


@kernel
def _fill_relation(own: Any, theirs: Any, n: int, other: int, turn: int, row: Any) -> None:
    """State and terms between two nations: of the other's settings only its embargo is public."""
    row.state = own.state
    row.state_age = fit(turn - own.since, _INT32)
    row.turns_left = fit(own.turns_left, _INT32)
    row.truce = fit(own.truce, _INT32)
    row.declarer = 0
    if own.state == relation.PENDING or own.state == relation.WAR:
        row.declarer = 1 if own.declarer == n else 2 if own.declarer == other else 0
    row.tariff = own.tariff
    row.transit_fee = own.transit_fee
    row.port_policy = own.port_policy
    row.good_terms = own.good_terms
    row.embargo = own.embargo
    row.embargoed = theirs.embargo


@kernel
def fill_factions(world: World, n: int, out: Arrays) -> None:
    """Factions, by number."""
    turn = int(world.clock[0].turn)
    for f in range(FACTIONS):
        faction = world.factions[f]
        row = out.factions[n, f]
        row.active = faction.active
        row.leader = -1
        row.members = row.age = row.dissolves_in = 0
        if faction.active:
            row.leader = place_of(faction.leader, n, world.nations.shape[0])
            row.age = fit(turn - faction.created, _INT32)
            row.dissolves_in = fit(faction.dissolves - turn, _INT32)
            for k in range(world.nations.shape[0]):
                if world.nations[k].alive and world.nations[k].faction == f:
                    row.members += 1


@kernel
def fill_market(world: World, rules: Rules, n: int, out: Arrays) -> None:
    """World prices."""
    for what in range(item.COUNT - 1):
        out.market[n, what].price = fit(world.market[what].price, _INT32)
        out.market[n, what].base_price = fit(rules.resources[what].base_price, _INT32)


@kernel
def fill_plan(world: World, n: int, out: Arrays) -> None:
    """The own plan, and what became of the commands of the last turn."""
    nation = world.nations[n]
    length = min(int(nation.plan_length), PLAN_LENGTH)
    for k in range(PLAN_LENGTH):
        row = out.plan[n, k]
        row.listed = int(k < length)
        row.command, row.x, row.y, row.amount, row.target = _shown(world.plans[n, k], k < length)
    turn = int(world.clock[0].turn)
    length = min(int(nation.result_count), RESULT_LENGTH)
    for k in range(RESULT_LENGTH):
        order = world.results[n, k]
        listed = k < length and order.turn == turn and turn > 0
        line = out.results[n, k]
        line.listed = int(listed)
        line.command, line.x, line.y, line.amount, line.target = _shown(order, listed)
        line.reason = int(order.reason) if listed else 0


@kernel
def _shown(order: Any, listed: bool) -> tuple[int, int, int, int, int]:
    """Command, x, y, amount and target; all 0 where none is listed."""
    if not listed:
        return 0, 0, 0, 0, 0
    known = 0 <= order.command < command.LIMIT
    amount = max(-_INT64, min(int(order.amount), _INT64))
    return int(order.command) if known else 0, int(order.x), int(order.y), amount, int(order.target)


@kernel
def _signed(value: int) -> int:
    """A number brought into the range of int32."""
    return max(-_INT32 - 1, min(value, _INT32))
