"""One turn as a readable list: phases 2 to 38 of the rulebook, in order (TURN-001 .. TURN-039).

Phase 1 (plans of AI nations) is the controllers', phases 34 and 39 to 41 (backup, save, statistics
row, publication) are the season driver's: see ``engine/season.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from hakoenv.engine import (
    accounts,
    calendar,
    census,
    nation_order,
    ranking,
    sightings,
    survival,
    territory,
    turn_state,
    unlock,
    victory,
)
from hakoenv.engine.commands import execute
from hakoenv.engine.diplomacy import affairs, factions, transport
from hakoenv.engine.economy import (
    consumption,
    disasters,
    growth,
    income,
    industry,
    natural_stock,
    prices,
)
from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import army
from hakoenv.engine.navy import neutral, ships, supply
from hakoenv.engine.shipping import cruise, harbours, planning, ports
from hakoenv.engine.trade import auctions, bank, domestic, household, land_route, reach
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def turn(world: World, rules: Rules) -> None:
    """Advance the world by one turn: phases 2 to 38, for all nations together (TURN-001)."""
    calendar.advance(world, rules)
    accounts.open_books(world, rules)
    unlock.check(world, rules)
    turn_state.begin(world, rules)
    natural_stock.accumulate(world, rules)
    neutral.appear(world, rules)

    nation_order.decide(world, rules)
    affairs.advance(world, rules)
    for k in range(nation_order.count(world)):
        nation = int(world.order[k])
        income.collect(world, rules, nation)
        consumption.feed(world, rules, nation)
        industry.produce(world, rules, nation)
        supply.pay_navy(world, rules, nation)
    for k in range(nation_order.count(world)):
        execute.run_plan(world, rules, int(world.order[k]))
    auctions.settle(world, rules)
    planning.open_term(world, rules)
    transport.start(world, rules)
    domestic.trade(world, rules)
    land_route.trade(world, rules)
    planning.plan(world, rules)

    ports.handle(world, rules)
    ships.move_fast(world, rules)
    ports.handle(world, rules)
    growth.grow(world, rules)
    ships.move_ordinary(world, rules)
    ports.handle(world, rules)
    cruise.sail_and_raid(world, rules)
    army.move_and_fight(world, rules)
    disasters.strike(world, rules)
    survival.update(world, rules)

    household.sell(world, rules)
    bank.deposit_surplus(world, rules)
    factions.settle(world, rules)
    survival.free_abandoned_land(world, rules)
    ranking.rank(world, rules)
    ranking.award_cup(world, rules)
    victory.judge(world, rules)

    prices.update(world, rules)
    census.take(world, rules)
    accounts.close_books(world, rules)
    execute.commit(world, rules)
    sightings.remember(world, rules)


class Phase(NamedTuple):
    """A named step of the turn, for running it alone (case files, tests, the rulebook)."""

    label: str  # number of the turn order, "14+" = right after 14
    name: str
    run: Callable[..., Any] | None  # None: the controllers' or the driver's
    by_nation: bool = False  # run(world, rules, nation) for each nation in order


PHASES: tuple[Phase, ...] = (
    Phase("1", "plan_fill", None),
    Phase("2", "clock", calendar.advance),
    Phase("3", "accounts_open", accounts.open_books),
    Phase("4", "unlock_check", unlock.check),
    Phase("5", "turn_state", turn_state.begin),
    Phase("6", "natural_stock", natural_stock.accumulate),
    Phase("7", "neutral_spawn", neutral.appear),
    Phase("8", "nation_order", nation_order.decide),
    Phase("9", "diplomacy", affairs.advance),
    Phase("10", "income", income.collect, by_nation=True),
    Phase("11", "consumption", consumption.feed, by_nation=True),
    Phase("12", "industry", industry.produce, by_nation=True),
    Phase("13", "naval_supply", supply.pay_navy, by_nation=True),
    Phase("14", "plans", execute.run_plan, by_nation=True),
    Phase("14+", "auctions", auctions.settle),
    Phase("15", "shipping_open", planning.open_term),
    Phase("16", "diplomatic_transport", transport.start),
    Phase("17", "domestic_trade", domestic.trade),
    Phase("18", "land_trade", land_route.trade),
    Phase("19", "shipping_plan", planning.plan),
    Phase("20", "port_handling_1", ports.handle),
    Phase("21", "fast_ships", ships.move_fast),
    Phase("22", "port_handling_2", ports.handle),
    Phase("23", "hex_growth", growth.grow),
    Phase("24", "ordinary_ships", ships.move_ordinary),
    Phase("25", "port_handling_3", ports.handle),
    Phase("25+", "cruise_and_raids", cruise.sail_and_raid),
    Phase("26", "army", army.move_and_fight),
    Phase("27", "disasters", disasters.strike),
    Phase("28", "nation_update", survival.update),
    Phase("29", "household_market", household.sell),
    Phase("29+", "auto_deposit", bank.deposit_surplus),
    Phase("30", "faction_settle", factions.settle),
    Phase("31", "abandoned_land", survival.free_abandoned_land),
    Phase("32", "ranking", ranking.rank),
    Phase("32+", "turn_cup", ranking.award_cup),
    Phase("33", "end_check", victory.judge),
    Phase("34", "backup", None),
    Phase("35", "world_prices", prices.update),
    Phase("36", "statistics_log", census.take),
    Phase("37", "accounts_close", accounts.close_books),
    Phase("38", "commit", execute.commit),
    Phase("38+", "sightings", sightings.remember),
    Phase("39", "save", None),
    Phase("40", "statistics_row", None),
    Phase("41", "publish", None),
)
PHASE_BY_NAME: dict[str, Phase] = {phase.name: phase for phase in PHASES}


def run_phase(world: World, rules: Rules, name: str) -> None:
    """Run one phase alone, as it runs inside a turn; what it needs of earlier ones is computed first.

    Raises:
        KeyError: there is no phase of that name.
        ValueError: the phase is the controllers' or the driver's.
    """
    phase = PHASE_BY_NAME[name]
    if phase.run is None:
        raise ValueError(
            f"phase {name!r} is not the engine's: it belongs to the controllers or the season driver"
        )
    territory.index(world, rules)
    census.take(world, rules)
    nation_order.decide(world, rules)  # the same draw each time: a turn has one order (TURN-009)
    harbours.enlist(world)
    reach.note_borders(world, rules)
    if not phase.by_nation:
        phase.run(world, rules)
        return
    for k in range(nation_order.count(world)):
        phase.run(world, rules, int(world.order[k]))


__all__ = ["PHASES", "PHASE_BY_NAME", "Phase", "run_phase", "turn"]
