"""A world that differs from another only in what one nation can't know, for testing the fog.

Whatever an agent gets (arrays, mask, text, picture) must be equal, byte for byte, in both worlds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from hakoenv.engine import territory, view
from hakoenv.engine.codes import corps_order, deposit, parcel, reason, terrain
from hakoenv.engine.commands import table
from hakoenv.engine.world import CORPS_COUNT, PLAN_LENGTH, WAYPOINTS, World, copy_world
from hakoenv.obs.cells_list import base_of
from hakoenv.ruleset import Rules
from hakoenv.testing import hidden_bonds
from hakoenv.testing.hidden_books import vary_books, vary_events
from hakoenv.testing.hidden_trade import vary_trade

_SITES = (terrain.FOREST, terrain.MISSILE_BASE, terrain.DEFENSE_FACILITY, terrain.DEPOT)
_OWN_AFFAIRS = {  # fields of other nations that vary, and their highest value
    "reserves": 200, "conscripts": 90, "wounded": 90, "capital": 0, "research_done_turn": 400,
    "policy_turn": 100, "warehouses": 20, "assigned_turn": 100, "assigned": 300, "farm_workers": 300,
    "town_farmers": 300, "mine_workers": 300, "factory_workers": 300, "refinery_workers": 300,
    "arsenal_workers": 300, "market_workers": 300, "farm_jobs": 300, "industry_jobs": 300, "food_made": 900,
    "rations": 900, "plant_levels": 9, "plant_fuel": 9, "fuel_need": 90, "fuel_used": 90, "cut": 9,
    "research": 5, "shares": 33, "research_branch": 2, "author": 3, "policy": 2, "policy_next": 2,
    "ai_policy": 3,
    "tariff": 50, "transit_fee": 50, "port_policy": 2, "levelled": 3, "mines_first": 1, "famine": 1,
    "assets_recorded": 50, "assets": 10**9, "treasury": 30_000, "private": 30_000, "deposit": 10**7,
    "no_loan_until": 400, "prices": 10**5, "targets": 900, "export_caps": 900, "planned": 900,
    "wanted": 10**5, "unserved": 10**6 - 1, "payments": 10**7, "household_sales": 10**7, "carry": 999,
    "industry_value": 9000, "commerce_value": 10**7, "ore_in": 90, "farm_food": 900, "fuel_made": 90,
    "expanded": 100, "developed": 100, "expanded_before": 100, "developed_before": 100, "items": 9,
    "voyage": 30, "voyage_before": 30, "voyage_planned": 100,
    "captured": 9, "ceded": 9, "stalled": 1, "army_funds": 9000, "army_fuel": 900,
    "inbound": 900, "set_aside": 900, "shorts": 900, "cruise_unpaid": 10**6, "ships_fuel": 90,
    "ships_steel": 90, "waiting": 900, "aid_sent": 300, "short_last": 500, "surplus_last": 500,
    "cruise_turns": 9, "cruise_calls": 9, "land_gate": 1,
}  # fmt: skip
_OWN_CELL = {"richness": 500, "pile": 500, "resistance": 200, "experience": 200, "surveyed": 90, "hits": 3,
             "worked": 1, "mustered": 90}  # fmt: skip


def vary_hidden(world: World, rules: Rules, viewer: int, rng: np.random.Generator) -> World:
    """A copy of a world in which everything hidden from a nation is drawn anew.

    Other nations' stocks, items, balances, prices, accounts, settings, offers to each other, plans, results,
    corps, affairs and capitals; the figures of the clearing house, its queue, and what was asked and offered;
    what happened to others alone; deals between others, their goods under way, what their private ships are
    about; applications, offered leaderships and demands that do not concern it; disguised sites; what only
    its owner knows of a cell; mines, units and warships out of sight, who is aboard, fleets and where they
    are bound; the engine's numbering of units and ships, and the order in which anything is kept; the seed.
    Public facts stay, the statistics series, the depth of the sea, wrecks and open auctions included, and
    what faction mates show each other (FAC-017, FAC-018).

    Args:
        world: the world at the end of a turn; not changed.
        rules: its compiled rules.
        viewer: the nation that must not notice.
        rng: chooses.
    """
    changed = copy_world(world)
    others = [n for n in range(len(world.nations)) if n != viewer]
    _vary_nations(changed, others, rng)
    vary_books(changed, viewer, rng)
    vary_events(changed, rules, viewer, rng)
    _vary_plans(changed, others, rng)
    hidden_bonds.vary_bonds(changed, viewer, rng)
    hidden_bonds.show_mates(changed, world, rules, viewer, rng)
    _vary_settings(changed, others, rng)
    _vary_corps(changed, others, rng)
    _vary_cells(changed, rules, viewer, others, rng)
    changed.clock["units"], changed.clock["ships"] = len(changed.units), len(changed.ships)
    _vary_units(changed, rules, viewer, others, rng)
    _vary_ships(changed, rules, viewer, others, rng)
    vary_trade(changed, world, viewer, rng)
    _renumber_ships(changed, rng)
    _vary_fleets(changed, others, rng)
    _vary_meetings(changed, viewer, rng)
    _shuffle_wrecks(changed, rng)
    seen = changed.sightings
    seen["record"] = rng.integers(0, min(len(world.units), len(world.ships)), seen.shape)
    rows = seen[others]
    rows[...] = rng.permutation(rows)
    seen[others] = rows
    seen[viewer] = seen[viewer][rng.permutation(seen.shape[1])]
    changed.roster[:] = rng.integers(0, len(world.units), changed.roster.shape)
    changed.order[:] = rng.permutation(changed.order)
    changed.clock["seed"] = rng.integers(0, 2**63)
    changed.clock["discrepancies"] = rng.integers(0, 9)
    territory.index(changed, rules)
    return changed


def _vary_nations(world: World, others: list[int], rng: np.random.Generator) -> None:
    strength = world.nations["reserves"].astype(np.int64) + world.nations["deployed"]
    for name, most in _OWN_AFFAIRS.items():
        values = world.nations[name]
        values[others] = rng.integers(0, most + 1, values[others].shape)
    world.nations["reserves"][others] = rng.integers(0, strength[others] + 1)
    world.nations["deployed"][others] = strength[others] - world.nations["reserves"][others]
    owner = world.cells["owner"].reshape(-1)
    for n in others:
        own = np.flatnonzero(owner == n)
        world.nations["capital"][n] = rng.choice(own) if own.size else -1


def _vary_plans(world: World, others: list[int], rng: np.random.Generator) -> None:
    commands, reasons = list(table.command_names()), list(reason.SENTENCES)
    height, width = world.cells.shape
    for array in (world.plans, world.results):
        size = array[others].shape
        for name, values in {
            "command": rng.choice(commands, size),
            "x": rng.integers(0, width, size),
            "y": rng.integers(0, height, size),
            "amount": rng.integers(0, 9, size),
            "target": rng.integers(0, len(world.nations), size),
            "turn": np.full(size, int(world.clock["turn"][0])),
            "reason": rng.choice(reasons, size),
        }.items():
            array[name][others] = values
    world.nations["plan_length"][others] = rng.integers(0, PLAN_LENGTH + 1, len(others))
    world.nations["result_count"][others] = rng.integers(0, PLAN_LENGTH + 1, len(others))


def _vary_settings(world: World, others: list[int], rng: np.random.Generator) -> None:
    for name, most in {"tariff": 50, "transit_fee": 50, "port_policy": 2}.items():
        values = world.relations[name]
        values[others] = rng.integers(0, most + 1, values[others].shape)
    between = np.ix_(others, others)  # an offer, and whom a nation likes, is known to the two
    world.relations["offer_until"][between] = rng.integers(0, 99, (len(others), len(others)))
    world.relations["good_terms"][between] = rng.integers(0, 2, (len(others), len(others)))


def _vary_corps(world: World, others: list[int], rng: np.random.Generator) -> None:
    limits = {"order": corps_order.COUNT, "direction": 7, "name": 1000, "colour": CORPS_COUNT}
    for name, limit in limits.items():
        values = world.corps[name]
        values[others] = rng.integers(0, limit, values[others].shape)


def _vary_cells(world: World, rules: Rules, viewer: int, others: list[int], rng: np.random.Generator) -> None:
    cells, mates = world.cells.reshape(-1), hidden_bonds.members_of(world, viewer)
    strangers = [n for n in others if n not in mates]
    for i in range(cells.size):
        cell = cells[i]
        if cell["owner"] == viewer:
            continue
        for name, most in _OWN_CELL.items():
            cells[name][i] = rng.integers(0, most + 1)
        seen = int(view.terrain(world, rules, viewer, i))
        disguised = seen != cell["terrain"]
        shown = rules.terrains[base_of(seen, int(cell["below"]))]["counts_as_land"]
        if not shown or view.owner(world, rules, viewer, i) < 0:  # a base on the seabed may have been taken
            cells["taken_turn"][i], cells["taken_from"][i] = rng.integers(0, 90), rng.choice([-1, *others])
        if cell["owner"] in mates:
            continue  # what they see from it is on the faction map
        bare = not disguised and cell["deposit"] == deposit.NONE and cell["owner"] < 0
        if seen == terrain.FOREST and (disguised or cell["deposit"] == deposit.NONE):
            cells["terrain"][i] = rng.choice(_SITES)
            cells["level"][i] = rng.integers(0, 20)
            if cells["terrain"][i] == terrain.FOREST:
                cells["deposit"][i] = deposit.NONE
        elif cells["terrain"][i] == terrain.SHALLOWS:
            continue  # they look like sea, but everybody has a chart
        elif seen == terrain.SEA and (disguised or (bare and rng.random() < 0.1)):
            grounds = [terrain.SEA, terrain.SEABED_BASE]
            if not any(view.sees_warships(world, rules, mate, i) for mate in mates):
                grounds.append(terrain.NAVAL_MINE)
            cells["terrain"][i] = rng.choice(grounds)
            built = cells["terrain"][i] != terrain.SEA
            cells["owner"][i] = rng.choice(strangers) if built and strangers else -1
            cells["level"][i] = rng.integers(1, 3) if built else 0
            is_base = cells["terrain"][i] == terrain.SEABED_BASE
            cells["deposit"][i] = deposit.OIL if is_base else deposit.NONE


def _vary_units(world: World, rules: Rules, viewer: int, others: list[int], rng: np.random.Generator) -> None:
    units, cells = world.units, world.cells.reshape(-1)
    mates = hidden_bonds.members_of(world, viewer)
    strangers = [n for n in others if n not in mates]
    for u in np.flatnonzero(np.isin(units["owner"], strangers)).tolist():
        at, met = int(units["cell"][u]), int(units["met"][u])
        if at < 0 or not _is_watched(view.sees_units, world, rules, mates, at, met):
            if at >= 0:
                cells["unit"][at] = -1
            _clear(units, u)
            units["owner"][u] = units["cell"][u] = units["aboard"][u] = -1
    for _ in range(4):
        at, free = _hidden_cell(world, rules, viewer, "unit", rng), np.flatnonzero(units["owner"] < 0)
        if at >= 0 and free.size and strangers:
            u = int(free[0])
            units["owner"][u], units["cell"][u], units["aboard"][u] = rng.choice(strangers), at, -1
            units["type"][u], units["strength"][u] = rng.integers(0, 7), rng.integers(1, 201)
            cells["unit"][at] = u
    theirs = np.isin(units["owner"], others)
    for name, most in {"experience": 100, "corps": 31, "carries": 5}.items():
        units[name][theirs] = rng.integers(0, most + 1, int(theirs.sum()))
    present = np.flatnonzero(units["owner"] >= 0)
    by_age = present[np.argsort(units["serial"][present])]
    units["serial"][by_age] = np.sort(rng.choice(10**6, len(by_age), replace=False))
    world.clock["units_made"] = rng.integers(10**6, 10**7)
    order = rng.permutation(len(units))  # renumber
    units[order] = units.copy()
    there = cells["unit"] >= 0
    cells["unit"][there] = order[cells["unit"][there]]


def _vary_ships(world: World, rules: Rules, viewer: int, others: list[int], rng: np.random.Generator) -> None:
    ships, cells = world.ships, world.cells.reshape(-1)
    mates = hidden_bonds.members_of(world, viewer)
    strangers = [n for n in others if n not in mates]
    theirs = (ships["kind"] > 0) & ~np.isin(ships["owner"], mates)
    for s in np.flatnonzero(theirs).tolist():
        at = int(ships["cell"][s])
        if _is_watched(view.sees_warships, world, rules, mates, at, int(ships["met"][s])):
            continue
        ships["hp"][s] = rng.integers(1, 9)
        if view.is_warship(int(ships["kind"][s])):
            cells["ship"][at] = -1
            _clear(ships, s)
            ships["owner"][s] = ships["cell"][s] = ships["fleet"][s] = -1
    for k in range(6):
        grounds = (terrain.SHALLOWS,) if k < 2 else None  # its looks must not tell of a ship there
        at = _hidden_cell(world, rules, viewer, "ship", rng, grounds)
        free = np.flatnonzero(ships["kind"] == 0)
        if at >= 0 and free.size and strangers:
            s = int(free[0])
            ships["owner"][s], ships["cell"][s], ships["fleet"][s] = rng.choice(strangers), at, -1
            ships["kind"][s], ships["hp"][s] = rng.integers(1, 6), rng.integers(1, 9)
            ships["aid"][s], ships["aid_to"][s] = 0, -1
            cells["ship"][at] = s
    theirs = (ships["kind"] > 0) & np.isin(ships["owner"], others)
    limits = {"experience": 255, "fleet": 15, "mode": 3, "escort": 1, "moved": 90, "repaired": 90}
    for name, most in limits.items():
        ships[name][theirs] = rng.integers(0, most + 1, int(theirs.sum()))
    _embark(world, np.flatnonzero(theirs), rng)
    present = np.flatnonzero(ships["kind"] > 0)
    by_age = present[np.argsort(ships["serial"][present], kind="stable")]
    ships["serial"][by_age] = np.sort(rng.choice(10**6, len(by_age), replace=False))
    world.clock["ships_made"] = rng.integers(10**6, 10**7)


def _embark(world: World, ships: Any, rng: np.random.Generator) -> None:
    """Units aboard some ships of others, which nobody but their nations knows of."""
    for s in ships.tolist():
        free = np.flatnonzero(world.units["owner"] < 0)
        if free.size and rng.random() < 0.5:
            u = int(free[0])
            world.units["owner"][u], world.units["aboard"][u] = world.ships["owner"][s], s
            world.units["cell"][u] = -1
            world.units["type"][u], world.units["strength"][u] = rng.integers(0, 7), rng.integers(1, 201)
            world.units["serial"][u] = world.clock["units_made"][0]
            world.clock["units_made"] += 1


def _renumber_ships(world: World, rng: np.random.Generator) -> None:
    ships, cells = world.ships, world.cells.reshape(-1)
    order = rng.permutation(len(ships))
    ships[order], world.jobs[order] = ships.copy(), world.jobs.copy()
    for indexes in (cells["ship"], world.units["aboard"], world.fleets["flagship"]):
        there = indexes >= 0
        indexes[there] = order[indexes[there]]
    carried = (world.parcels["state"] != parcel.FREE) & (world.parcels["ship"] >= 0)
    world.parcels["ship"][carried] = order[world.parcels["ship"][carried]]


def _vary_fleets(world: World, others: list[int], rng: np.random.Generator) -> None:
    """Where the fleets of others are bound, whom they follow, what they fire at; the labels."""
    cells = world.cells.size
    limits = {"target": cells, "waypoints": cells, "salvo": cells, "flagship": len(world.ships)}
    for name, limit in limits.items():
        values = world.fleets[name]
        values[others] = rng.integers(-1, limit, values[others].shape)
    for name, limit in {"legs": WAYPOINTS + 1, "name": 1000, "colour": CORPS_COUNT}.items():
        values = world.fleets[name]
        values[others] = rng.integers(0, limit, values[others].shape)


def _vary_meetings(world: World, viewer: int, rng: np.random.Generator) -> None:
    """Whose ships ran into what, those of the viewer and its mates apart."""
    ours = sum(1 << mate for mate in hidden_bonds.members_of(world, viewer))
    for things, present in ((world.units, world.units["owner"] >= 0), (world.ships, world.ships["kind"] > 0)):
        own = things["met"] & ours
        drawn = rng.integers(0, 1 << len(world.nations), len(things)) & ~ours
        things["met"] = np.where(present, own | drawn, 0)


def _shuffle_wrecks(world: World, rng: np.random.Generator) -> None:
    """Wrecks are public, the order in which they are kept is not; of one cell and turn the first counts."""
    wrecks = world.wrecks[world.wrecks["kind"] > 0]
    if len({(int(wreck["cell"]), int(wreck["turn"])) for wreck in wrecks}) == len(wrecks):
        world.wrecks[:] = world.wrecks[rng.permutation(len(world.wrecks))]


def _is_watched(
    sees: Callable[..., Any], world: World, rules: Rules, mates: list[int], cell: int, met: int
) -> bool:
    """Whether one of some nations sees what stands on a cell, or has run into it (`met`)."""
    return any(sees(world, rules, mate, cell) or view.is_met(met, mate) for mate in mates)


def _hidden_cell(
    world: World,
    rules: Rules,
    viewer: int,
    what: str,
    rng: np.random.Generator,
    grounds: tuple[int, ...] | None = None,
) -> int:
    """A cell without unit and ship on which the viewer would not see a `unit` or `ship`, -1 none found.

    ``grounds``: terrain numbers that will do; None: all.
    """
    sees = view.sees_units if what == "unit" else view.sees_warships
    mates = hidden_bonds.members_of(world, viewer)
    cells = world.cells.reshape(-1)
    places = np.arange(cells.size) if grounds is None else np.flatnonzero(np.isin(cells["terrain"], grounds))
    for at in rng.choice(places, 20).tolist() if places.size else []:
        empty = cells["unit"][at] < 0 and cells["ship"][at] < 0
        if empty and not _is_watched(sees, world, rules, mates, at, 0):
            return int(at)
    return -1


def _clear(array: Any, index: int) -> None:
    array[index : index + 1] = np.zeros(1, array.dtype)
