"""Private shipping: opening of the term and plan (phases 15 and 19)."""

from __future__ import annotations

import numpy as np

from hakoenv.engine.codes import item
from hakoenv.engine.kernel import kernel
from hakoenv.engine.shipping import (
    bond,
    charts,
    deposits,
    desk,
    fishing,
    harbours,
    shipyards,
    stranded,
    voyages,
)
from hakoenv.engine.trade import contracts, market
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


@kernel
def open_term(world: World, rules: Rules) -> None:
    """Start of the term of private ships: ports, routes, goods left in bond, stranded ships (TURN-016)."""
    harbours.enlist(world)
    charts.renew(world, rules)
    deposits.give_back(world, rules)
    stranded.open_term(world, rules)


@kernel(allocates=True)
def plan(world: World, rules: Rules) -> None:
    """Private sectors plan their sea trade (TURN-020), after what is no longer possible is called off."""
    market.ensure_prices(world, rules)
    contracts.drop_impossible(world, rules)
    voyages.call_off(world, rules)
    nations, ships, places = world.nations.shape[0], world.ships.shape[0], world.harbours.shape[0]
    ready, count = np.zeros((ships, 3), np.int64), np.zeros(2, np.int64)
    sea, steady = np.zeros(nations, np.int64), np.zeros((nations, 2), np.int64)
    offers, ports = np.zeros((nations, 1 + item.FUNDS), np.int64), np.zeros(places, np.int64)
    first, load = np.zeros(nations + 1, np.int64), np.zeros(item.FUNDS, np.int64)
    waits, near = np.zeros((3, item.FUNDS), np.int64), np.zeros((nations, 2), np.int64)
    voyage, forecast = np.zeros(desk.COLUMNS, np.int64), np.zeros((ships, desk.COLUMNS), np.int64)
    asked = np.zeros((nations, nations), np.int64)
    _give_work(
        world,
        rules,
        desk.Desk(
            ready, count, sea, steady, offers, ports, first, load, waits, near, voyage, forecast, asked
        ),
    )


@kernel
def _give_work(world: World, rules: Rules, notes: desk.Desk) -> None:
    """Contracts first, then ordinary trade, fishing, new ships; what is still short is noted (MER-075)."""
    market.open_phase(world, rules)
    contracts.note_gaps(world, rules, notes)
    voyages.look_around(world, rules, notes)
    bond.fetch(world, rules, notes)
    contracts.send_due(world, rules, notes)
    contracts.sign(world, rules, notes)
    voyages.assign_all(world, rules, notes)
    fishing.assign(world, rules)
    shipyards.build(world, rules, notes)
    _remember_shorts(world)


@kernel
def _remember_shorts(world: World) -> None:
    """Keep what each private sector is short of: its partners' treasuries sell for it next turn (MER-082)."""
    for n in range(world.nations.shape[0]):
        for what in range(item.FUNDS):
            alive = world.nations[n].alive
            world.nations[n].shorts[what] = market.short(world, n, what) if alive else 0
