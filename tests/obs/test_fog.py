"""What a nation gets depends on nothing that it can't know."""

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hakoenv.engine import happenings, view
from hakoenv.engine.codes import event, unit_type
from hakoenv.engine.season import Season
from hakoenv.engine.world import World, copy_world, state_hash
from hakoenv.obs import events
from hakoenv.obs.spec import Spec
from hakoenv.obs.text import text
from hakoenv.render import ansi
from hakoenv.ruleset import Ruleset
from hakoenv.testing import SmallWorld
from hakoenv.testing.hidden import vary_hidden


def seen_by(ruleset: Ruleset, rules: Any, world: World, nation: int) -> dict[str, bytes]:
    """Everything a nation gets, as bytes."""
    spec = Spec(ruleset, len(world.nations), ("cells", "planes"))
    buffers = spec.buffers()
    spec.fill(world, rules, buffers)
    found = {name: array.tobytes() for name, array in spec.of(buffers, nation).items()}
    found["cell_index"] = buffers["cell_index"][nation].tobytes()
    found["text"] = text(world, rules, ruleset, nation).encode()
    found["map"] = ansi.ansi_map(world, rules, viewer=nation).encode()
    return found


def assert_unnoticed(ruleset: Ruleset, rules: Any, world: World, changed: World, nation: int) -> None:
    before, after = (seen_by(ruleset, rules, each, nation) for each in (world, changed))
    differing = [name for name in before if before[name] != after[name]]
    assert not differing, differing


@pytest.mark.rule("MAP-025", "MAP-026", "MAP-027", "ARMY-058", "NAVY-020", "NAVY-021", "NMINE-012")
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32 - 1), change=st.integers(0, 2**32 - 1), viewer=st.integers(0, 2))
def test_worlds_that_differ_in_hidden_things_look_the_same(
    make_random_world: Any, seed: int, change: int, viewer: int
) -> None:
    w = make_random_world(seed)
    changed = vary_hidden(w.world, w.rules, viewer, np.random.default_rng(change))
    assert state_hash(changed) != state_hash(w.world)
    assert_unnoticed(w.ruleset, w.rules, w.world, changed, viewer)


@pytest.mark.parametrize("scenario", ["duel", "season"])
def test_so_do_worlds_of_a_played_season(scenario: str) -> None:
    season = Season.new(scenario, seed=5, agents="rule_ai")
    for until in (0, 12, 40):
        season.run(until=until)
        for viewer in (0, 1):
            rng = np.random.default_rng(until + viewer)
            changed = vary_hidden(season.world, season.rules, viewer, rng)
            assert_unnoticed(season.ruleset, season.rules, season.world, changed, viewer)


def small(nations: int = 2) -> SmallWorld:
    """Nation 0 at the left, nation 1 at the right, far apart."""
    w = SmallWorld(height=9, width=15, nations=nations)
    w.cell(2, 4, terrain="town", owner=0, population=50, capital=True)
    w.cell(12, 4, terrain="town", owner=1, population=50, capital=True)
    w.cell(11, 4, terrain="forest", owner=1, trees=12)
    w.phase("sightings")
    return w


def test_what_is_in_sight_is_seen() -> None:
    # the guard of the tests above: they would pass if nothing were shown
    w = small()
    before = seen_by(w.ruleset, w.rules, w.world, 0)
    w.unit(1, "infantry", 3, 4)
    w.phase("sightings")
    after = seen_by(w.ruleset, w.rules, w.world, 0)
    assert {"cells", "planes", "sightings", "text", "map"} <= {n for n in before if before[n] != after[n]}


@pytest.mark.rule("MAP-025", "MAP-027")
def test_the_owner_sees_a_site_as_it_is_and_others_a_forest() -> None:
    w = small()
    spec = Spec(w.ruleset, 2, ("cells", "planes"))
    buffers = spec.buffers()
    w.cell(11, 4, terrain="missile_base", owner=1)
    w.cell(10, 4, terrain="town", owner=0, population=10)  # nation 0 stands right beside it
    w.phase("sightings")
    spec.fill(w.world, w.rules, buffers)
    terrain, level = (spec.plane_names.index(name) for name in ("terrain", "level"))
    assert buffers["planes"][0, terrain, 4, 11] == 8 and buffers["planes"][1, terrain, 4, 11] == 11
    assert buffers["planes"][0, level, 4, 11] == 0
    column = {name: k for k, name in enumerate(spec.cell_features)}
    for nation, number in ((0, 8), (1, 11)):
        rows = buffers["cells"][nation]
        (row,) = rows[(rows[:, column["x"]] == 11) & (rows[:, column["y"]] == 4) & (rows[:, 0] == 1)]
        assert row[column["terrain"]] == number


@pytest.mark.rule("NAVY-022")
def test_a_merchant_far_away_shows_kind_and_owner_but_not_its_hit_points() -> None:
    w = small()
    w.ship(1, "merchant", 7, 0, hp=2)
    w.ship(1, "destroyer", 8, 0, hp=2)
    w.phase("sightings")
    spec = Spec(w.ruleset, 2, ("cells", "planes"), cells="all")
    buffers = spec.buffers()
    spec.fill(w.world, w.rules, buffers)
    plane = {name: k for k, name in enumerate(spec.plane_names)}
    column = {name: k for k, name in enumerate(spec.cell_features)}
    names = ("ship_owner", "ship_class", "ship_hp")
    assert [int(buffers["planes"][0, plane[name], 0, 7]) for name in names] == [2, 6, 0]
    assert [int(buffers["cells"][0, 7, column[name]]) for name in names] == [1, 6, 0]
    assert [int(buffers["planes"][0, plane[name], 0, 8]) for name in names] == [0, 0, 0]
    assert [int(buffers["cells"][0, 8, column[name]]) for name in names] == [-2, 0, 0]
    assert [int(buffers["planes"][1, plane[name], 0, 8]) for name in names] == [1, 1, 2]


def scouts(**rules: Any) -> SmallWorld:
    """Cells of land and water of three nations, and units of all types."""
    w = SmallWorld(height=13, width=13, nations=3, rules=rules)
    rng = np.random.default_rng(4)
    for x, y in rng.integers(0, 13, (12, 2)).tolist():
        w.cell(
            x, y, terrain=str(rng.choice(["plains", "port", "offshore_oil"])), owner=int(rng.integers(0, 3))
        )
    for k, name in enumerate(unit_type.NAMES):
        w.unit(k % 3, name, 2 * k, (3 * k + 1) % 13)
    w.phase("sightings")
    return w


@pytest.mark.rule("ARMY-058", "NAVY-020", "NAVY-022")
def test_sight_is_the_same_everywhere() -> None:
    """The watch over the map, planes and columns say what `sees_units` and `sees_warships` say."""
    w = scouts()
    spec = Spec(w.ruleset, 3, ("cells", "planes"), cells="all")
    buffers = spec.buffers()
    spec.fill(w.world, w.rules, buffers)
    for name, sees, watchers in (
        ("sees_units", view.sees_units, view.unit_watchers),
        ("sees_warships", view.sees_warships, view.warship_watchers),
    ):
        plane, column = spec.plane_names.index(name), spec.cell_features.index(name)
        seen = 0
        for i in range(169):
            watching = watchers(w.world, w.rules, i)
            for n in range(3):
                is_seen = bool(sees(w.world, w.rules, n, i))
                seen += is_seen
                assert (
                    is_seen == bool(watching >> n & 1) == bool(buffers["planes"][n, plane, i // 13, i % 13])
                )
                assert is_seen == bool(buffers["cells"][n, i, column])
        assert 0 < seen < 3 * 169


@pytest.mark.rule("ARMY-058", "NAVY-020", "NAVY-022")
def test_things_are_drawn_where_the_lens_finds_them(make_random_world: Any) -> None:
    for seed in range(4):
        w = make_random_world(seed)
        spec = Spec(w.ruleset, 3, ("cells", "planes"), cells="all")
        buffers = spec.buffers()
        spec.fill(w.world, w.rules, buffers)
        column = {name: k for k, name in enumerate(spec.cell_features)}
        for n in range(3):
            for i in range(121):
                row = buffers["cells"][n, i]
                assert (row[column["unit_owner"]] >= 0) == (view.unit(w.world, w.rules, n, i) >= 0)
                assert (row[column["ship_class"]] > 0) == (view.ship(w.world, w.rules, n, i) >= 0)


@pytest.mark.rule("ARMY-058")
@pytest.mark.parametrize("radius", [0, 1, 3, 99])
def test_the_watch_over_the_map_is_that_over_each_cell(radius: int) -> None:
    w = scouts(**{"army.land_cell_search": radius, "unit_types.armor.search_range": 5 - min(radius, 5)})
    watch = np.full((2, 169), 7, np.int64)
    view.watch_all(w.world, w.rules, watch)
    assert watch[view.UNITS].tolist() == [view.unit_watchers(w.world, w.rules, i) for i in range(169)]
    assert watch[view.WARSHIPS].tolist() == [view.warship_watchers(w.world, w.rules, i) for i in range(169)]


def sees_unit(w: SmallWorld, nation: int, x: int, y: int) -> bool:
    return bool(view.unit(w.world, w.rules, nation, w.place(x, y)) >= 0)


@pytest.mark.rule("ARMY-058")
@pytest.mark.parametrize(("kind", "reach"), [("infantry", 2), ("airborne", 3), ("battery", 2)])
def test_a_unit_sees_foreign_units_within_its_search_range(kind: str, reach: int) -> None:
    w = SmallWorld(height=9, width=15, nations=2)
    w.unit(0, kind, 4, 4)  # no land is anybody's
    for x in (4 + reach, 5 + reach):
        w.unit(1, "armor", x, 4)
    assert [sees_unit(w, 0, x, 4) for x in (4 + reach, 5 + reach)] == [True, False]
    assert sees_unit(w, 1, 4, 4) == (reach == 2)  # armor searches 2


@pytest.mark.rule("ARMY-058")
def test_water_ships_and_units_aboard_do_not_search_for_units() -> None:
    w = SmallWorld(height=9, width=15, nations=2)
    w.unit(1, "armor", 5, 4)
    w.cell(4, 4, terrain="port", owner=0)  # a port is water
    index = w.ship(0, "destroyer", 6, 4)._where
    w.unit(0, "airborne", aboard=index)
    assert not sees_unit(w, 0, 5, 4)
    assert view.sees_warships(w.world, w.rules, 0, w.place(5, 4))  # from any own cell
    w.cell(4, 4, terrain="plains", owner=0)
    assert sees_unit(w, 0, 5, 4)


@pytest.mark.rule("ARMY-058")
def test_units_do_not_search_for_warships_nor_for_a_mate() -> None:
    w = SmallWorld(height=9, width=15, nations=3)
    w.unit(0, "airborne", 4, 4)
    w.ship(1, "destroyer", 5, 4)
    w.unit(1, "infantry", 4, 5)
    w.faction("Two", 0, [2])
    assert view.ship(w.world, w.rules, 0, w.place(5, 4)) < 0
    assert sees_unit(w, 0, 4, 5)
    assert not sees_unit(w, 2, 4, 5)


def test_a_look_changes_nothing() -> None:
    w = small()
    before = copy_world(w.world)
    seen_by(w.ruleset, w.rules, w.world, 0)
    assert state_hash(before) == state_hash(w.world)


PUBLIC: dict[str, set[str]] = {
    "clock": {
        "turn", "all_land", "ownerless_land", "initial_land", "listed", "priced", "ending", "weather",
        "tunnels_unlocked", "parcels",
    },
    "cells": {"population", "climate", "below", "tunnel"},
    "nations": {
        "power_score", "founded", "fell", "faction_joined", "population", "towns", "land", "area", "rank",
        "first", "held", "faction", "alive", "controller", "abandoning", "winner", "faction_left", "league",
        "league_joined", "league_left", "contained", "neighbours", "breaches", "conquests", "declarations",
        "applied", "applied_to", "demands",  # vary where there are factions: test_fog_bonds.py
    },
    "units": set(), "corps": set(), "ships": set(), "fleets": set(), "wrecks": {"cell", "turn", "kind"},
    "plans": set(), "results": set(), "events": set(),
    "relations": {"since", "turns_left", "truce", "declarer", "state", "embargo", "origin"},
    "market": {"price"}, "finance": set(), "loans": set(), "withdrawals": set(),
    "sightings": {"turn", "cell", "strength", "owner", "what", "type"},
    "jobs": set(), "parcels": set(), "harbours": set(), "grounds": set(), "lots": set(), "promises": set(),
    "contracts": set(), "transports": set(),
}  # fmt: skip
"""What stays the same in a world that differs in hidden things: it is public, or nothing outside a turn."""
NUMBERS = (
    "accounts",
    "private_accounts",
    "finance_accounts",
    "transit",
    "distances",
    "order",
    "roster",
    "shores",
)


@pytest.mark.rule("FIN-034", "ARMY-058", "MAP-025")
def test_everything_hidden_is_drawn_anew(make_random_world: Any) -> None:
    """Else the tests above would not notice if it showed."""
    w = make_random_world(1)
    varied: dict[str, set[str]] = {name: set() for name in PUBLIC}
    numbers: set[str] = set()
    for change in range(8):
        changed = vary_hidden(w.world, w.rules, 0, np.random.default_rng(change))
        for name, found in varied.items():
            before, after = getattr(w.world, name), getattr(changed, name)
            found |= {field for field in before.dtype.names if np.any(before[field] != after[field])}
        numbers |= {name for name in NUMBERS if np.any(getattr(w.world, name) != getattr(changed, name))}
        for name in ("accounts", "private_accounts", "corps", "plans", "results"):
            assert getattr(w.world, name)[0].tobytes() == getattr(changed, name)[0].tobytes(), name
    for name, found in varied.items():
        fields = set(getattr(w.world, name).dtype.names) - {"spare"}
        assert fields - found <= PUBLIC[name], name
    assert numbers == set(NUMBERS)
    bonds = {"factions", "leagues", "containment"}
    assert {*PUBLIC, *NUMBERS, *bonds, "territory"} == set(w.world._fields)


SITE, BASE = 4 * 15 + 11, 4 * 15 + 7  # cells of `small`
PLAINS, SEABED_BASE, MISSILE_BASE, FOREST, SEA = 6, 1, 11, 8, 0  # terrain numbers


@pytest.mark.rule("MAP-025", "MAP-026", "MSL-024", "NAVY-020", "SUP-013")
def test_of_events_a_nation_knows_its_own_and_what_everybody_does() -> None:
    """A row: what happens (kind, nation, other, cell, amount), then what nations 0, 1 and 2 know of it."""
    quiet, all_alike = None, "the same"
    told: list[tuple[tuple[int, ...], Any, Any, Any]] = [
        ((event.FIRE, 0, -1, 62, 4), (event.FIRE, 0, -1, 62, 4), quiet, quiet),
        ((event.DEPOSIT_FOUND, -1, -1, 30, 4), quiet, quiet, quiet),
        ((event.HUGE_METEOR, 1, -1, 72, 4), (event.HUGE_METEOR, -1, -1, 72, 0), all_alike, all_alike),
        ((event.FELL, 1, -1, 72, 4), (event.FELL, 1, -1, -1, 0), all_alike, all_alike),
        ((event.WAR_DECLARED, 0, 1, -1, 0), (event.WAR_DECLARED, 0, 1, -1, 0), all_alike, all_alike),
        ((event.WAR_OPENED, 0, 1, -1, 0), (event.WAR_OPENED, 0, 1, -1, 0), all_alike, all_alike),
        ((event.PEACE, 1, 0, -1, 0), (event.PEACE, 1, 0, -1, 0), all_alike, all_alike),
        ((event.AMITY, 1, 0, -1, 0), (event.AMITY, 1, 0, -1, 0), all_alike, all_alike),
        ((event.AMITY_ENDED, 1, 0, -1, 0), (event.AMITY_ENDED, 1, 0, -1, 0), all_alike, all_alike),
        # only the two know what the site was, and that there was one on the seabed
        ((event.CELL_CAPTURED, 0, 1, SITE, PLAINS), (event.CELL_CAPTURED, 0, 1, SITE, PLAINS), all_alike,
         (event.CELL_CAPTURED, 0, 1, SITE, 0)),
        ((event.CELL_CAPTURED, 0, 1, BASE, SEABED_BASE), (event.CELL_CAPTURED, 0, 1, BASE, SEABED_BASE),
         all_alike, quiet),
        ((event.CELL_CEDED, 0, 1, SITE, 0), (event.CELL_CEDED, 0, 1, SITE, 0), all_alike, all_alike),
        ((event.CAPITAL_MOVED, 0, 1, 62, 0), (event.CAPITAL_MOVED, 0, 1, 62, 0), all_alike, quiet),
        ((event.CAPITAL_MOVED, 1, -1, 72, 0), quiet, (event.CAPITAL_MOVED, 1, -1, 72, 0), quiet),
        ((event.BATTLE, 0, 1, SITE, 12), (event.BATTLE, 0, 1, SITE, 12), all_alike, quiet),
        ((event.COUNTERED, 0, 1, SITE, 5), (event.COUNTERED, 0, 1, SITE, 5), all_alike, quiet),
        ((event.UNIT_LOST, 1, -1, SITE, 12), quiet, (event.UNIT_LOST, 1, -1, SITE, 12), quiet),
        # whose cell it came down on may be a base on the seabed; that it was shot down betrays a facility
        ((event.MISSILE, 0, 1, SITE, 2), (event.MISSILE, 0, -1, SITE, 2), (event.MISSILE, 0, 1, SITE, 2),
         (event.MISSILE, 0, -1, SITE, 2)),
        ((event.MISSILE, 0, 1, SITE, -3), (event.MISSILE, 0, -1, SITE, -3), (event.MISSILE, 0, 1, SITE, -3),
         (event.MISSILE, 0, -1, SITE, 2)),
        ((event.MONSTER_APPEARED, 1, -1, 72, 5), (event.MONSTER_APPEARED, 1, -1, 72, 5), all_alike,
         all_alike),
        ((event.MONSTER_TRAMPLED, 1, -1, 72, 5), (event.MONSTER_TRAMPLED, 1, -1, 72, 5), all_alike,
         all_alike),
        ((event.MONSTER_KILLED, 0, 1, 72, 5), (event.MONSTER_KILLED, 0, 1, 72, 5), all_alike, all_alike),
        ((event.SELF_DESTRUCTED, 1, -1, 72, 9), (event.SELF_DESTRUCTED, 1, -1, 72, 0), all_alike, all_alike),
        ((event.CEASEFIRE_OFFERED, 0, 1, -1, 0), (event.CEASEFIRE_OFFERED, 0, 1, -1, 0), all_alike, quiet),
        ((event.AMITY_OFFERED, 1, 2, -1, 0), quiet, (event.AMITY_OFFERED, 1, 2, -1, 0),
         (event.AMITY_OFFERED, 1, 2, -1, 0)),
        ((event.ITEM_WON, 0, -1, -1, 3), (event.ITEM_WON, 0, -1, -1, 3), quiet, quiet),
        ((event.SEA_BATTLE, 0, 1, BASE, 2), (event.SEA_BATTLE, 0, 1, BASE, 2), all_alike, quiet),
        ((event.SEA_BATTLE, 0, -1, BASE, 2), (event.SEA_BATTLE, 0, -1, BASE, 2), quiet, quiet),
        ((event.SHIP_SUNK, 1, 0, BASE, 3), (event.SHIP_SUNK, 1, 0, BASE, 3), all_alike, quiet),
        ((event.SHIP_SUNK, 1, -1, BASE, 3), quiet, (event.SHIP_SUNK, 1, -1, BASE, 3), quiet),
        # who shells a site does not learn what it is
        ((event.BOMBARDED, 0, 1, SITE, PLAINS), (event.BOMBARDED, 0, 1, SITE, PLAINS), all_alike, quiet),
        ((event.BOMBARDED, 0, 1, SITE, MISSILE_BASE), (event.BOMBARDED, 0, 1, SITE, FOREST),
         (event.BOMBARDED, 0, 1, SITE, MISSILE_BASE), quiet),
        ((event.BOMBARDED, 0, 1, BASE, SEABED_BASE), (event.BOMBARDED, 0, 1, BASE, SEA),
         (event.BOMBARDED, 0, 1, BASE, SEABED_BASE), quiet),
        ((event.MINE_STRUCK, 1, 0, BASE, 4), (event.MINE_STRUCK, 1, 0, BASE, 4), all_alike, quiet),
        ((event.MINE_STRUCK, 1, -1, BASE, 4), quiet, (event.MINE_STRUCK, 1, -1, BASE, 4), quiet),
        ((event.LANDED, 0, 1, SITE, 60), (event.LANDED, 0, 1, SITE, 60), all_alike, quiet),
        # the market is public, what two nations do with each other is not
        ((event.SUPPLY_BREACH, 1, 2, -1, 4), (event.SUPPLY_BREACH, 1, 2, -1, 4), all_alike, all_alike),
        ((event.LOT_LISTED, 1, -1, -1, 17), (event.LOT_LISTED, 1, -1, -1, 17), all_alike, all_alike),
        ((event.LOT_SOLD, 1, 2, -1, 800), (event.LOT_SOLD, 1, 2, -1, 800), all_alike, all_alike),
        ((event.LOT_RETURNED, 1, 2, -1, 17), (event.LOT_RETURNED, 1, 2, -1, 17), all_alike, all_alike),
        ((event.OUTBID, 0, 1, -1, 17), (event.OUTBID, 0, 1, -1, 17), all_alike, quiet),
        ((event.DEAL_OFFERED, 0, 1, -1, 5), (event.DEAL_OFFERED, 0, 1, -1, 5), all_alike, quiet),
        ((event.DEAL_AGREED, 1, 0, -1, 5), (event.DEAL_AGREED, 1, 0, -1, 5), all_alike, quiet),
        ((event.DELIVERED, 0, 1, -1, 40), (event.DELIVERED, 0, 1, -1, 40), all_alike, quiet),
        ((event.LANDED, 0, -1, SITE, 60), (event.LANDED, 0, -1, SITE, 60), quiet, quiet),
        # who belongs to what is public; who applies, and whom the leadership is offered, is not
        ((event.FACTION_FOUNDED, 1, -1, -1, 2), (event.FACTION_FOUNDED, 1, -1, -1, 2), all_alike, all_alike),
        ((event.FACTION_JOINED, 1, 2, -1, 3), (event.FACTION_JOINED, 1, 2, -1, 3), all_alike, all_alike),
        ((event.FACTION_NOTICE, 1, -1, -1, 53), (event.FACTION_NOTICE, 1, -1, -1, 53), all_alike, all_alike),
        ((event.FACTION_APPLIED, 0, 1, -1, 2), (event.FACTION_APPLIED, 0, 1, -1, 2), all_alike, quiet),
        ((event.FACTION_REFUSED, 0, 1, -1, 2), (event.FACTION_REFUSED, 0, 1, -1, 2), all_alike, quiet),
        ((event.FACTION_OFFERED, 1, 2, -1, 2), quiet, (event.FACTION_OFFERED, 1, 2, -1, 2),
         (event.FACTION_OFFERED, 1, 2, -1, 2)),
        ((event.FACTION_DEMANDED, 0, 1, -1, 2), (event.FACTION_DEMANDED, 0, 1, -1, 2), all_alike, quiet),
        ((event.LEAGUE_JOINED, 1, -1, -1, 4), (event.LEAGUE_JOINED, 1, -1, -1, 4), all_alike, all_alike),
        ((event.CONTAINMENT_JOINED, 1, 2, -1, 0), (event.CONTAINMENT_JOINED, 1, 2, -1, 0), all_alike,
         all_alike),
        ((event.JOINT_DECLARATION, 1, 2, -1, 0), (event.JOINT_DECLARATION, 1, 2, -1, 0), all_alike,
         all_alike),
        ((event.PACT_ENTERED, 1, 2, -1, 0), (event.PACT_ENTERED, 1, 2, -1, 0), all_alike, all_alike),
        # reserves on the way are known to sender and receiver
        ((event.RESERVES_SENT, 0, 1, BASE, 90), (event.RESERVES_SENT, 0, 1, BASE, 90), all_alike, quiet),
        ((event.RESERVES_LOST, 0, 1, BASE, 90), (event.RESERVES_LOST, 0, 1, BASE, 90), all_alike, quiet),
        ((event.RAIDED, 0, -1, BASE, 9), (event.RAIDED, 0, -1, BASE, 9), quiet, quiet),
        ((event.SHIP_MET, 0, -1, BASE, 0), (event.SHIP_MET, 0, -1, BASE, 0), quiet, quiet),
        ((event.WHALE_HIT, 1, -1, BASE, 2), quiet, (event.WHALE_HIT, 1, -1, BASE, 2), quiet),
        ((event.PIRATE_APPEARED, -1, -1, BASE, 0), (event.PIRATE_APPEARED, -1, -1, BASE, 0), all_alike,
         all_alike),
        ((event.TURN_CUP, 0, -1, -1, 300), (event.TURN_CUP, 0, -1, -1, 300), all_alike, all_alike),
        ((event.SEASON_ENDED, 1, -1, -1, 3), (event.SEASON_ENDED, 1, -1, -1, 3), all_alike, all_alike),
    ]  # fmt: skip
    w = small(nations=3)
    for (kind, nation, other, cell, amount), *_ in told:
        happenings.record_between(w.world, kind, nation, other, cell, amount)
    known = [[row[1] if row[1 + n] == all_alike else row[1 + n] for row in told] for n in range(3)]
    assert events.seen(w.world, w.rules) == [
        [entry for entry in column if entry is not None] for column in known
    ]
    rng = np.random.default_rng(3)
    for _ in range(20):
        changed = vary_hidden(w.world, w.rules, 0, rng)
        assert np.any(changed.events != w.world.events)
        assert events.seen(changed, w.rules)[0] == events.seen(w.world, w.rules)[0]
        assert_unnoticed(w.ruleset, w.rules, w.world, changed, 0)


def test_the_own_requests_keep_their_place_among_those_of_others() -> None:
    w = small()
    w.world.finance["queued"] = 3
    for place, (amount, nation) in enumerate(((5_000, 0), (7_000, 1), (9_000, 0))):
        w.world.withdrawals[place]["amount"], w.world.withdrawals[place]["nation"] = amount, nation
    for change in range(20):
        changed = vary_hidden(w.world, w.rules, 0, np.random.default_rng(change))
        queue = changed.withdrawals[: int(changed.finance["queued"][0])]
        assert queue["amount"][queue["nation"] == 0].tolist() == [5_000, 9_000]
        assert_unnoticed(w.ruleset, w.rules, w.world, changed, 0)


def test_a_world_of_one_nation_can_be_varied() -> None:
    w = SmallWorld(height=9, width=9, nations=1)
    w.cell(4, 4, terrain="town", owner=0, population=60, capital=True)
    changed = vary_hidden(w.counted(), w.rules, 0, np.random.default_rng(1))
    assert state_hash(changed) != state_hash(w.world)
