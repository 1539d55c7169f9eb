"""What a nation gets depends on nothing that it can't know."""

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hakoenv.engine import happenings, view
from hakoenv.engine.codes import event
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


@pytest.mark.rule("MAP-025", "MAP-026", "MAP-027", "ARMY-058", "NAVY-020", "NAVY-021")
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


def small() -> SmallWorld:
    """Nation 0 at the left, nation 1 at the right, far apart."""
    w = SmallWorld(height=9, width=15, nations=2)
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


@pytest.mark.rule("ARMY-058", "NAVY-020", "NAVY-022")
def test_sight_is_the_same_everywhere() -> None:
    """`watchers`, the plane and the column `in_sight` say what `sees_cell` says."""
    w = SmallWorld(height=9, width=9, nations=3)
    rng = np.random.default_rng(4)
    for x, y in rng.integers(0, 9, (12, 2)).tolist():
        w.cell(x, y, terrain="plains", owner=int(rng.integers(0, 3)))
    w.phase("sightings")
    spec = Spec(w.ruleset, 3, ("cells", "planes"), cells="all")
    buffers = spec.buffers()
    spec.fill(w.world, w.rules, buffers)
    plane, column = spec.plane_names.index("in_sight"), spec.cell_features.index("in_sight")
    for i in range(81):
        watching = view.watchers(w.world, w.rules, i)
        for n in range(3):
            sees = bool(view.sees_cell(w.world, w.rules, n, i))
            assert sees == bool(watching >> n & 1) == bool(buffers["planes"][n, plane, i // 9, i % 9])
            assert sees == bool(buffers["cells"][n, i, column])


@pytest.mark.rule("ARMY-058")
@pytest.mark.parametrize("radius", [0, 1, 3, 99])
def test_the_watch_over_the_map_is_that_over_each_cell(radius: int) -> None:
    w = SmallWorld(height=9, width=9, nations=3, rules={"army.land_cell_search": radius})
    for x, y in np.random.default_rng(4).integers(0, 9, (6, 2)).tolist():
        w.cell(x, y, terrain="plains", owner=(x + y) % 3)
    watch = np.full(81, 7, np.int64)
    view.watch_all(w.world, w.rules, watch)
    assert watch.tolist() == [view.watchers(w.world, w.rules, i) for i in range(81)]


def test_a_look_changes_nothing() -> None:
    w = small()
    before = copy_world(w.world)
    seen_by(w.ruleset, w.rules, w.world, 0)
    assert state_hash(before) == state_hash(w.world)


PUBLIC = {
    "nations": {
        "power_score", "founded", "fell", "faction_joined", "population", "towns", "land", "area", "rank",
        "first", "held", "faction", "alive", "controller", "abandoning", "winner",
    },
    "finance": set(), "loans": set(), "withdrawals": set(), "market": {"price"},
}  # fmt: skip
"""What stays the same in a world that differs in hidden things: it is public, or nothing outside a turn."""


@pytest.mark.rule("FIN-034")
def test_every_hidden_figure_of_the_economy_is_drawn_anew(make_random_world: Any) -> None:
    """Else the tests above would not notice if it showed."""
    w = make_random_world(1)
    varied: dict[str, set[str]] = {name: set() for name in PUBLIC}
    for change in range(6):
        changed = vary_hidden(w.world, w.rules, 0, np.random.default_rng(change))
        for name, found in varied.items():
            before, after = getattr(w.world, name), getattr(changed, name)
            found |= {field for field in before.dtype.names if np.any(before[field] != after[field])}
        for name in ("accounts", "private_accounts"):
            assert np.all(getattr(w.world, name)[0] == getattr(changed, name)[0])
            assert np.any(getattr(w.world, name)[1:] != getattr(changed, name)[1:])
        assert np.any(changed.finance_accounts != w.world.finance_accounts)
    for name, found in varied.items():
        fields = set(getattr(w.world, name).dtype.names) - {"spare"}
        assert fields - found <= PUBLIC[name], name


def test_of_events_a_nation_knows_its_own_and_what_everybody_does() -> None:
    w = small()
    for kind, nation, cell in (
        (event.FIRE, 0, 62), (event.FIRE, 1, 72), (event.DEPOSIT_FOUND, -1, 30), (event.HUGE_METEOR, 1, 72),
        (event.FELL, 1, 72),
    ):  # fmt: skip
        happenings.record(w.world, kind, nation, cell, 4)
    assert events.seen(w.world)[0] == [
        (event.FIRE, 0, 62, 4), (event.HUGE_METEOR, -1, 72, 0), (event.FELL, 1, -1, 0),
    ]  # fmt: skip
    rng = np.random.default_rng(3)
    for _ in range(20):
        changed = vary_hidden(w.world, w.rules, 0, rng)
        assert np.any(changed.events != w.world.events)
        assert events.seen(changed)[0] == events.seen(w.world)[0]
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
