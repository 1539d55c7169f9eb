"""Whether the numbers of a World are such that the engine can run on them.

Compiled code reads arrays unchecked, so a world from a file is looked over before anything runs:
every number that names a place in an array (a cell, nation, unit, ship, code) must name one, and what cells
and records say of each other must agree.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from hakoenv.engine import sightings, soundness_diplomacy, soundness_trade, stock
from hakoenv.engine.codes import (
    ai_policy,
    author,
    controller,
    corps_order,
    ending,
    fleet_mode,
    relation,
    research,
    ship_class,
    war_origin,
)
from hakoenv.engine.world import (
    CLIMATES,
    CORPS_COUNT,
    FACTIONS,
    FLEETS,
    PLAN_LENGTH,
    RESULT_LENGTH,
    WAYPOINTS,
    World,
)
from hakoenv.ruleset.compiled import Rules

# What a rule multiplies or adds up must still fit a whole number of the engine; no ruleset gets that far.
_MONEY = 2**52  # thousandths of funds
_CLAIM = 2**50  # likewise, of one holder: the sum of all is multiplied by percentages
_SUM = 2**60  # likewise, where it is only compared and added to
_UNITS = 2**40
_Bound = tuple[Any, int, int]  # values, lowest, highest


def faults(world: World, rules: Rules) -> list[str]:
    """What is wrong with a world, one line a field; an empty list means that it can be played on."""
    found = []
    for name, (values, low, high) in _bounds(world, rules):
        if values.size and (int(values.min()) < low or int(values.max()) > high):
            wrong = values[(values < low) | (values > high)].reshape(-1)[0]
            found.append(f"{name} is {int(wrong)}, outside {low}..{high}")
    nations = world.nations
    if not found and np.any(nations["first"].astype(np.int64) + nations["held"] > world.territory.size):
        found.append("nations.first + nations.held reaches beyond the territory list")
    return found or [
        *_disagreements(world),
        *soundness_trade.disagreements(world, rules),
        *soundness_diplomacy.disagreements(world, rules),
    ]


def _disagreements(world: World) -> Iterator[str]:
    """Places that two records tell differently: who stands where, who is aboard, who leads."""
    cells, units, ships = world.cells.reshape(-1), world.units, world.ships
    there, afloat = np.asarray(units["owner"]) >= 0, np.asarray(ships["kind"]) > 0
    aboard, wrecks = np.asarray(units["aboard"]), world.wrecks
    ashore = there & (aboard < 0)
    for name, records, present in (("unit", units, ashore), ("ship", ships, afloat)):
        places, held = np.asarray(records["cell"])[present], np.asarray(cells[name])
        if np.any(places < 0) or np.any(held[places] != np.flatnonzero(present)):
            yield f"a record of {name}s lies on a cell that knows nothing of it"
        if present[int(world.clock[f"{name}s"][0]) :].any():
            yield f"clock.{name}s leaves out a place of {name}s that is used"
        if (held >= 0).sum() != present.sum():
            yield f"cells.{name} names a {name} that is not there"
    loaded = there & (aboard >= 0)
    if np.any(np.asarray(units["cell"])[loaded] >= 0):
        yield "units.aboard and units.cell both say where a unit is"
    if np.any(np.asarray(ships["owner"])[aboard[loaded]] != np.asarray(units["owner"])[loaded]):
        yield "units.aboard names a ship that is none of the unit's nation"
    if np.unique(aboard[loaded]).size != loaded.sum():
        yield "units.aboard names a ship that carries two units"
    if np.any(np.asarray(wrecks["cell"])[np.asarray(wrecks["kind"]) > 0] < 0):
        yield "wrecks.cell is -1 of a wreck"
    owners, numbers = np.asarray(ships["owner"]), np.asarray(ships["fleet"])
    if np.any(afloat & (numbers >= 0) & (owners < 0)):
        yield "ships.fleet is that of a ship without nation"
    for nation, fleet in np.argwhere(np.asarray(world.fleets["flagship"]) >= 0).tolist():
        leader = int(world.fleets["flagship"][nation, fleet])
        if not afloat[leader] or owners[leader] != nation or numbers[leader] != fleet:
            yield f"fleets.flagship of fleet {fleet} of nation {nation} is no ship of it"


def _bounds(world: World, rules: Rules) -> Iterator[tuple[str, _Bound]]:
    seats, cells = len(world.nations) - 1, world.cells.size
    units, ships, terrains = world.units.size - 1, world.ships.size - 1, len(rules.terrains) - 1
    limits: dict[str, dict[str, tuple[int, int]]] = {
        "clock": {
            "turn": (0, 2**30),
            "units_made": (0, 2**30),
            "ships_made": (0, 2**30),
            "units": (0, len(world.units)),
            "ships": (0, len(world.ships)),
            "ending": (0, len(ending.NAMES) - 1),
            "weather": (0, len(rules.weather) - 1),
            "listed": (0, cells),
            "all_land": (0, cells),
            "ownerless_land": (0, cells),
            "event_count": (0, 2**30),
        },
        "cells": {
            "unit": (-1, units),
            "ship": (-1, ships),
            "terrain": (0, terrains),
            "below": (0, terrains),
            "owner": (-1, seats),
            "taken_from": (-1, seats),
            "deposit": (0, len(rules.mines)),
            "climate": (0, CLIMATES - 1),
            "population": (0, 2**14),
            "level": (0, 2**14),
        },
        "nations": {
            "capital": (-1, cells - 1),
            "faction": (-1, FACTIONS - 1),
            "applied_to": (-1, FACTIONS - 1),
            "league": (-1, seats),
            "research": (0, rules.research.shape[1] - 1),
            "research_branch": (-1, research.COUNT - 1),
            "first": (0, cells),
            "held": (0, cells),
            "plan_length": (0, PLAN_LENGTH),
            "result_count": (0, RESULT_LENGTH),
            "controller": (0, len(controller.NAMES) - 1),
            "author": (0, len(author.NAMES) - 1),
            "ai_policy": (0, len(ai_policy.NAMES) - 1),
            "policy": (0, 2),
            "policy_next": (0, 2),
            "alive": (0, 1),
            "winner": (0, 1),
            "rank": (0, seats + 1),
            "shares": (0, 100),
            "assets_recorded": (0, 2**30),
            "area": (0, cells),
            "land": (0, cells),
            "fell": (0, 2**30),
            "deposit": (0, _CLAIM),
            "payments": (0, _MONEY),
            "household_sales": (0, 2**56),  # of three items, each up to market.MOST_MONEY
            "carry": (0, stock.THOUSANDTHS - 1),
            "prices": (0, _UNITS),
            "targets": (0, _UNITS),
            "export_caps": (0, _UNITS),
            "planned": (0, _UNITS),
            "wanted": (0, 2 * _UNITS),
            "unserved": (0, 10**6),
            "reserves": (0, 2**30),
            "conscripts": (0, 2**30),
            "wounded": (0, 2**30),
            "voyage": (0, 2**30),
            "voyage_before": (0, 2**30),
            "army_funds": (0, _SUM),
            "army_fuel": (0, _SUM),
        },
        "market": {"price": (0, _UNITS), "asked": (0, _MONEY), "offered": (0, _MONEY)},
        "finance": {
            "cash": (0, _SUM),
            "reserve": (0, _SUM),
            "uncovered": (0, _SUM),
            "queued": (0, len(world.withdrawals)),
        },
        "loans": {
            "principal": (0, _CLAIM),
            "interest": (0, _CLAIM),
            "fraction": (0, 10**6),
            "taken": (0, 2**30),
        },
        "withdrawals": {"nation": (0, seats), "amount": (0, _MONEY)},
        "units": {
            "cell": (-1, cells - 1),
            "aboard": (-1, ships),
            "owner": (-1, seats),
            "type": (0, 6),
            "corps": (0, CORPS_COUNT - 1),
            "carries": (0, 5),
            "strength": (0, 2**14),
            "experience": (0, 2**14),
        },
        "corps": {"order": (0, corps_order.COUNT - 1), "direction": (0, 6)},
        "ships": {
            "cell": (-1, cells - 1),
            "owner": (-1, seats),
            "kind": (0, ship_class.COUNT - 1),
            "fleet": (-1, FLEETS - 1),
            "mode": (0, fleet_mode.COUNT - 1),
            "escort": (0, 1),
            "hp": (0, 2**14),
            "experience": (0, 2**14),
            "serial": (0, 2**30),  # orders ships together with their fleet
        },
        "fleets": {
            "target": (-1, cells - 1),
            "waypoints": (-1, cells - 1),
            "legs": (0, WAYPOINTS),
            "salvo": (-1, cells - 1),
            "flagship": (-1, ships),
        },
        "wrecks": {
            "cell": (-1, cells - 1),
            "kind": (0, ship_class.COUNT - 1),
            "turn": (-(2**30), 2**30),
        },
        "relations": {
            "state": (0, max(v for k, v in vars(relation).items() if k.isupper() and isinstance(v, int))),
            "declarer": (-1, seats),
            "origin": (0, war_origin.PACT),
        },
        "sightings": {
            "turn": (0, 2**30),
            "cell": (0, cells - 1),
            "owner": (-1, seats),
            "what": (0, sightings.WARSHIP),
            "type": (0, ship_class.COUNT - 1),
            "strength": (0, 2**14),
        },
        "factions": {"leader": (-1, seats), "heir": (-1, seats), "active": (0, 1)},
        "leagues": {"representative": (-1, seats), "active": (0, 1)},
        "containment": {"target": (-1, seats)},
    }
    for table in (limits, soundness_trade.limits(world), soundness_diplomacy.limits(world)):
        for array, fields in table.items():
            for field, (low, high) in fields.items():
                yield f"{array}.{field}", (np.asarray(getattr(world, array)[field]), low, high)
    seen = world.sightings
    for what, last in ((sightings.UNIT, units), (sightings.WARSHIP, ships)):
        yield "sightings.record", (np.asarray(seen["record"])[np.asarray(seen["what"]) == what], 0, last)
    for field in ("voyage", "voyage_before"):  # its first number is a cell, counted from 1
        yield f"nations.{field}", (np.asarray(world.nations[field])[..., 0], 0, cells)
    yield "order", (world.order, -1, seats)
    yield "roster", (world.roster, 0, units)
    yield "shores", (world.shores, -1, cells - 1)
    yield "territory", (world.territory, 0, cells - 1)
    stocks = np.asarray(world.nations["treasury"])
    yield "nations.treasury", (stocks, -_UNITS, _UNITS)
    yield "nations.private", (np.asarray(world.nations["private"]), -(2**50), 2**50)
