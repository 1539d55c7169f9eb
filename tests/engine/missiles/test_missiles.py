"""Missiles beyond what cases say: draws, what a launch betrays, events (MSL-001 .. MSL-027)."""

from typing import Any

import numpy as np
import pytest

from hakoenv.engine import hexgrid, view
from hakoenv.engine.codes import command, event, reason, terrain
from hakoenv.engine.commands import strikes, validate
from hakoenv.engine.missiles import aim, bases, flight, impact
from hakoenv.ruleset import load_ruleset
from hakoenv.testing import SmallWorld

KINDS = {
    "normal": command.MISSILE_NORMAL,
    "pp": command.MISSILE_PP,
    "antipersonnel": command.MISSILE_ANTIPERSONNEL,
    "ballistic": command.MISSILE_BALLISTIC,
}
NORMAL, PP, ANTIPERSONNEL, BALLISTIC = range(4)  # rows of the table
WIDTH = 22


def place(x: int, y: int) -> int:
    return y * WIDTH + x


BASE = place(1, 4)
AIMED = place(6, 4)


def at_war(rules: dict[str, Any] | None = None, **base: Any) -> SmallWorld:
    """Nation 0 has a base at (1, 4) and endless means, and is at war with nation 1."""
    w = SmallWorld(height=9, width=WIDTH, nations=3, rules=rules)
    w.cell(1, 4, terrain="missile_base", owner=0, **base)
    w.nation(0, funds=30_000, ammo=9999, fuel=9999)
    w.war(0, 1)
    return w


def events(w: SmallWorld) -> list[tuple[str, int, int, int, int]]:
    """Kind, nation, other, cell and amount of the events, in order."""
    listed = w.world.events[: int(w.world.clock[0]["event_count"])]
    fields = ("nation", "other", "cell", "amount")
    return [(event.NAMES[int(e["kind"])], *(int(e[name]) for name in fields)) for e in listed]  # type: ignore[misc]


def landings(w: SmallWorld, kind: str, turns: int, shots: int = 1) -> np.ndarray[Any, Any]:
    """Fire at (6, 4) in each of many turns; where the missiles came down, the last place: off the map."""
    counts = np.zeros(w.height * w.width + 1, np.int64)
    for turn in range(turns):
        w.world.clock["turn"] = 100 + turn
        w.world.clock["event_count"] = 0
        w.nation(0, funds=30_000, ammo=9999, fuel=9999)
        flight.launch(w.world, w.rules, 0, KINDS[kind], AIMED, shots)
        for what, _, _, cell, _ in events(w):
            assert what == "missile"
            counts[cell] += 1
    return counts


def chi_squared(found: Any, expected: Any) -> float:
    return float(((np.asarray(found) - expected) ** 2 / expected).sum())


# ---------------------------------------------------------------- ranges and shots


@pytest.mark.rule("MSL-001")
@pytest.mark.parametrize(
    ("base", "experience", "reach", "shots"),
    [
        ("missile_base", 0, 5, 1), ("missile_base", 19, 5, 1), ("missile_base", 20, 6, 2),
        ("missile_base", 59, 6, 2), ("missile_base", 60, 7, 3), ("missile_base", 119, 7, 3),
        ("missile_base", 120, 8, 4), ("missile_base", 199, 8, 4), ("missile_base", 200, 10, 5),
        ("seabed_base", 0, 5, 1), ("seabed_base", 49, 5, 1), ("seabed_base", 50, 7, 2),
        ("seabed_base", 199, 7, 2), ("seabed_base", 200, 10, 3),
    ],
)  # fmt: skip
def test_experience_gives_range_and_shots(base: str, experience: int, reach: int, shots: int) -> None:
    w = SmallWorld(height=9, width=WIDTH)
    w.cell(1, 4, terrain=base, owner=0, experience=experience)
    fired = [
        bases.shots_at(w.world, w.rules, 0, BASE, place(1 + away, 4), NORMAL) for away in range(reach + 3)
    ]
    assert fired == [shots] * (reach + 1) + [0, 0]
    assert bases.shots_at(w.world, w.rules, 1, BASE, BASE, NORMAL) == 0  # it is not nation 1's


@pytest.mark.rule("MSL-001", "MSL-004")
def test_the_ranges_of_an_overridden_table() -> None:
    rules = {"missile_base.missile_base_1.range": 2, "missile.ballistic_range_bonus": 1}
    w = SmallWorld(height=9, width=WIDTH, rules=rules)
    w.cell(1, 4, terrain="missile_base", owner=0)
    assert [bases.shots_at(w.world, w.rules, 0, BASE, place(x, 4), NORMAL) for x in (3, 4)] == [1, 0]
    assert [bases.shots_at(w.world, w.rules, 0, BASE, place(x, 4), BALLISTIC) for x in (4, 5)] == [1, 0]


@pytest.mark.rule("MSL-005")
@pytest.mark.parametrize("base", ["missile_base", "seabed_base"])
def test_a_base_learns_up_to_its_cap(base: str) -> None:
    w = SmallWorld(height=9, width=WIDTH)
    w.cell(1, 4, terrain=base, owner=0, experience=199)
    bases.learn(w.world, w.rules, BASE, 5)
    assert w.cell(1, 4).experience == 200


@pytest.mark.rule("MSL-027")
def test_a_new_base_has_no_experience() -> None:
    w = SmallWorld()
    w.cell(5, 5, terrain="town", owner=0, population=30, capital=True)
    w.cell(6, 5, terrain="plains", owner=0, experience=30)
    w.nation(0, funds=300, steel=2)
    w.order(0, "missile_base", 6, 5)
    w.phase("plans")
    assert (w.cell(6, 5).terrain, w.cell(6, 5).experience) == ("missile_base", 0)


@pytest.mark.rule("MSL-023")
def test_a_base_that_fell_to_an_own_stray_fires_no_more() -> None:
    """Both aim beside the second base, and a missile hits that (seed chosen): it was the last one."""
    rules = {"missiles.normal.facility_hits": 3}
    for seed in range(200):
        w = SmallWorld(height=9, width=WIDTH, nations=2, seed=seed, rules=rules)
        w.cell(1, 3, terrain="missile_base", owner=0)
        w.cell(4, 4, terrain="missile_base", owner=0, experience=200)
        w.nation(0, funds=30_000, ammo=9999)
        w.order(0, "missile_normal", 5, 4)
        w.phase("plans")
        if w.cell(4, 4).terrain != "missile_base":
            break
    assert w.cell(4, 4).terrain == "wasteland"
    fired = w.world.clock[0]["event_kinds"][event.MISSILE]
    shots = [e for e in events(w) if e[0] == "missile"]
    assert shots[-1][3] == place(4, 4) and fired == len(shots)  # nothing after it came down there
    assert w.nation(0).funds == 30_000 - 20 * fired


# ---------------------------------------------------------------- where it lands


@pytest.mark.rule("MSL-012", "MSL-011")
@pytest.mark.parametrize(
    ("kind", "weather", "candidates"),
    [
        ("ballistic", "fine", 1), ("antipersonnel", "fine", 7), ("normal", "fine", 19),
        ("ballistic", "thunder", 7), ("antipersonnel", "thunder", 19), ("normal", "thunder", 37),
    ],
)  # fmt: skip
def test_every_candidate_is_equally_likely(kind: str, weather: str, candidates: int) -> None:
    """100 missiles a candidate on average; false alarm below 1e-6 a case (chi-squared)."""
    w = at_war()
    w.set_weather("temperate", weather)
    found = landings(w, kind, 100 * candidates)
    near = [
        cell
        for cell in range(w.height * w.width)
        if hexgrid.distance(WIDTH, cell, AIMED) <= {1: 0, 7: 1, 19: 2, 37: 3}[candidates]
    ]
    assert len(near) == candidates and found[near].sum() == found.sum() == 100 * candidates
    limit = {1: 1, 7: 38, 19: 66, 37: 99}[candidates]
    assert chi_squared(found[near], 100) < limit


@pytest.mark.rule("MSL-013", "MSL-019")
@pytest.mark.parametrize(("weather", "entries"), [("fine", 8), ("thunder", 20)])
def test_a_precise_missile_draws_the_centre_twice(weather: str, entries: int) -> None:
    """2/8 and 2/20; 2,000 missiles. False alarm below 1e-6: chi-squared above 38 (6), 66 (18 degrees)."""
    w = at_war()
    w.set_weather("temperate", weather)
    found = landings(w, "pp", 2000)
    near = [c for c in range(w.height * w.width) if hexgrid.distance(WIDTH, c, AIMED) <= (1, 2)[entries > 8]]
    expected = np.array([2000 * (2 if cell == AIMED else 1) / entries for cell in near])
    assert found[near].sum() == 2000 and len(near) == entries - 1
    assert chi_squared(found[near], expected) < (38 if entries == 8 else 66)


@pytest.mark.rule("MSL-011", "MSL-023")
def test_a_missile_that_leaves_the_map_is_lost_and_paid() -> None:
    """Aimed at the corner (0, 0): of the 7 places only 3 are on the map, so 4 in 7 are lost.

    700 missiles, 400 expected. False alarm below 1e-6: more than 5 deviations (13.1).
    """
    w = at_war(rules={"missiles.normal.scatter": 1})
    lost = 0
    for turn in range(700):
        w.world.clock["turn"] = 100 + turn
        w.world.clock["event_count"] = 0
        w.nation(0, funds=20, ammo=1)
        flight.launch(w.world, w.rules, 0, command.MISSILE_NORMAL, 0, 1)
        assert w.nation(0).funds == w.nation(0).ammo == 0
        ((_, nation, other, cell, amount),) = events(w)
        assert (nation, other, amount) == (0, -1, NORMAL)
        assert cell in (-1, 0, 1, WIDTH)
        lost += cell == -1
    assert abs(lost - 400) <= 66


@pytest.mark.rule("MSL-023")
def test_shots_of_one_command_and_bases_draw_apart() -> None:
    """19 places; 3 bases of 5 shots: equal landings of all 15 would be a shared draw (below 1e-17)."""
    w = at_war(experience=200)
    w.cell(1, 5, terrain="missile_base", owner=0, experience=200)
    w.cell(2, 4, terrain="missile_base", owner=0, experience=200)
    flight.launch(w.world, w.rules, 0, command.MISSILE_NORMAL, AIMED, 0)
    where = [e[3] for e in events(w)]
    assert len(where) == 15
    assert len({tuple(where[k : k + 5]) for k in (0, 5, 10)}) == 3
    assert min(len(set(where[k : k + 5])) for k in (0, 5, 10)) > 1


@pytest.mark.rule("MSL-023")
def test_the_draws_know_nothing_of_the_numbers_of_nations() -> None:
    found = []
    for shooter, enemy in ((0, 2), (2, 0)):
        w = SmallWorld(height=9, width=WIDTH, nations=3)
        w.cell(1, 4, terrain="missile_base", owner=shooter, experience=200)
        w.cell(6, 4, terrain="town", owner=enemy, population=150)
        w.cell(7, 4, terrain="plains", owner=enemy)
        w.cell(5, 4, terrain="defense_facility", owner=enemy)
        w.unit(enemy, "infantry", 7, 4, strength=200)
        w.nation(shooter, funds=1000, ammo=20)
        w.war(shooter, enemy)
        w.order(shooter, "missile_normal", 6, 4)
        w.phase("plans")
        seen = [(e[0], e[3], e[4]) for e in events(w)]
        found.append((seen, w.cell(6, 4).population, w.units()[0].strength, w.cell(1, 4).experience))
    assert found[0] == found[1] and len(found[0][0]) >= 5


# ---------------------------------------------------------------- what a launch betrays


def hidden_and_bare() -> list[SmallWorld]:
    """Two worlds that nation 0 can't tell apart: seabed bases of a friend, a neutral and an enemy, or sea."""
    worlds = []
    for ground, owners in (("seabed_base", (1, 2, 3)), ("sea", (None, None, None))):
        w = SmallWorld(height=9, width=WIDTH, nations=4)
        w.cell(1, 4, terrain="missile_base", owner=0, experience=60)
        w.cell(8, 4, terrain="farm", owner=1)
        w.cell(3, 2, terrain="farm", owner=3)
        for x, owner in zip((4, 5, 6), owners, strict=True):
            w.cell(x, 4, terrain=ground, owner=owner)
        w.nation(0, funds=1000, ammo=100, fuel=100)
        w.relation(0, 1, state="amity")
        w.war(0, 3)
        worlds.append(w)
    return worlds


@pytest.mark.rule("MSL-014", "MSL-022", "MAP-027")
def test_masks_and_refusals_are_the_same_whatever_is_hidden() -> None:
    hidden, bare = (w.counted() for w in hidden_and_bare())
    rules = hidden_and_bare()[0].rules
    for number in KINDS.values():
        for cell in range(9 * WIDTH):
            answers = {
                strikes.allowed(world, rules, 0, turn, number, cell, 1)
                for world in (hidden, bare)
                for turn in (100, 101)
            }
            assert len(answers) == 1, cell


@pytest.mark.rule("MSL-014", "MSL-022", "CMD-005")
def test_a_launch_is_never_blocked() -> None:
    """The truth and the nation's own view judge alike, so no launch can stumble over what is hidden."""
    for w in hidden_and_bare():
        for number in KINDS.values():
            for y in range(9):
                for x in range(WIDTH):
                    truth, seen = (
                        validate.check(w.world, w.rules, viewer, 0, 100, number, x, y, 1, 0)
                        for viewer in (view.TRUTH, 0)
                    )
                    assert truth == seen


@pytest.mark.rule("MSL-014")
def test_the_own_seabed_base_can_not_be_aimed_at() -> None:
    w = at_war()
    w.cell(4, 4, terrain="seabed_base", owner=0)
    assert not aim.is_target(w.world, w.rules, 0, 100, place(4, 4))
    assert aim.is_target(w.world, w.rules, 1, 100, place(4, 4))  # it looks like sea to nation 1


@pytest.mark.rule("MSL-006", "MSL-010", "CMD-045")
def test_what_a_mask_says_is_carried_out() -> None:
    """Of a row of cells just those that the mask lets in are fired at in the coming turn."""
    for number in KINDS:
        for x in range(WIDTH):
            w = at_war(experience=60)
            w.cell(6, 4, terrain="town", owner=1, population=100, capital=True)
            w.cell(7, 4, terrain="farm", owner=2)
            w.cell(0, 0, terrain="town", owner=0, population=10, capital=True)
            w.relation(0, 2, state="amity")
            legal = validate.is_legal(w.counted(), w.rules, 0, KINDS[number], x, 4, 1, 0)
            w.order(0, f"missile_{number}", x, 4, amount=1)
            w.run()
            assert w.results(0)[0]["done"] == legal, (number, x)


# ---------------------------------------------------------------- interception


@pytest.mark.rule("MSL-024")
@pytest.mark.parametrize(("kind", "down"), [("normal", 0.9), ("ballistic", 0.45)])
def test_how_many_are_shot_down(kind: str, down: float) -> None:
    """2,000 missiles, two facilities: one draw each. False alarm below 1e-6: more than 5 deviations."""
    w = at_war(rules={"missiles.normal.scatter": 0, "missiles.normal.facility_hits": 0,
                      "missiles.ballistic.facility_hits": 0})  # fmt: skip
    w.cell(6, 4, terrain="depot", owner=1)
    w.cell(8, 4, terrain="defense_facility", owner=1)
    w.cell(6, 5, terrain="defense_facility", owner=2)
    shot = 0
    for turn in range(2000):
        w.world.clock["turn"] = turn
        w.world.clock["event_count"] = 0
        w.nation(0, funds=30_000, ammo=9999, fuel=9999)
        flight.launch(w.world, w.rules, 0, KINDS[kind], AIMED, 1)
        ((_, nation, other, cell, amount),) = events(w)
        row = NORMAL if kind == "normal" else BALLISTIC
        assert (nation, other, cell) == (0, 1, AIMED) and amount in (row, -1 - row)
        shot += amount < 0
    assert abs(shot - 2000 * down) <= 5 * (2000 * down * (1 - down)) ** 0.5


@pytest.mark.rule("MSL-024")
@pytest.mark.parametrize(("distance", "intercepted"), [(0, False), (1, True), (2, True), (3, False)])
def test_how_far_a_facility_guards(distance: int, intercepted: bool) -> None:
    w = at_war(rules={"missiles.normal.scatter": 0, "defense.intercept_percent": 100})
    w.cell(6 + distance, 4, terrain="defense_facility", owner=1)
    flight.launch(w.world, w.rules, 0, command.MISSILE_NORMAL, AIMED, 1)
    missile = next(e for e in events(w) if e[0] == "missile")
    assert (missile[4] < 0) == intercepted
    assert w.cell(6 + distance, 4).hits == (1 if distance == 0 else 0)


# ---------------------------------------------------------------- what it does


@pytest.mark.rule("MSL-018", "MSL-019")
@pytest.mark.parametrize(
    ("kind", "low", "high"), [(NORMAL, 30, 49), (PP, 30, 49), (ANTIPERSONNEL, 60, 99), (BALLISTIC, 60, 99)]
)
def test_losses_cover_their_range_evenly(kind: int, low: int, high: int) -> None:
    """100 hits a value. False alarm below 1e-6: chi-squared above 68 (19), 103 (39 degrees of freedom)."""
    w = at_war()
    w.cell(6, 4, terrain="plains", owner=1)
    found = np.zeros(200)
    values = high - low + 1
    for turn in range(100 * values):
        w.world.clock["turn"] = turn
        w.world.clock["event_count"] = 0
        unit = w.unit(1, "infantry", 6, 4, strength=200)
        impact.hit(w.world, w.rules, 0, kind, BASE, 0, AIMED)
        found[200 - unit.strength] += 1
        w.world.units["owner"][:] = -1
        w.world.cells["unit"][:] = -1
    assert found[low : high + 1].sum() == 100 * values
    assert chi_squared(found[low : high + 1], 100) < (68 if values == 20 else 103)


@pytest.mark.rule("MSL-025", "MSL-027")
def test_a_stray_hits_a_neutral_s_farm_and_gives_no_experience() -> None:
    w = at_war()
    w.cell(6, 4, terrain="farm", owner=2, level=20)
    assert impact.hit(w.world, w.rules, 0, NORMAL, BASE, 0, AIMED) == 0
    assert (w.cell(6, 4).level, w.cell(6, 4).owner) == (15, 2)


@pytest.mark.rule("MSL-025", "MSL-027")
@pytest.mark.parametrize(
    ("state", "gained"), [("war", 2), ("pending", 0), ("peace", 0), ("amity", 0)], ids=str
)
def test_only_open_war_gives_experience(state: str, gained: int) -> None:
    w = at_war()
    w.relation(0, 1, state=state)
    w.cell(6, 4, terrain="depot", owner=1)
    assert impact.hit(w.world, w.rules, 0, NORMAL, BASE, 0, AIMED) == gained
    assert w.cell(6, 4).hits == 1


@pytest.mark.rule("MSL-025")
def test_the_launcher_s_own_things_are_hit_too() -> None:
    w = at_war(rules={"missiles.normal.unit_damage_min": 40, "missiles.normal.unit_damage_max": 40})
    w.cell(6, 4, terrain="town", owner=0, population=100)
    w.unit(0, "infantry", 6, 4, strength=70)
    assert impact.hit(w.world, w.rules, 0, NORMAL, BASE, 0, AIMED) == 0
    assert w.cell(6, 4).population == 80 and w.units()[0].strength == 30
    assert w.nation(0).wounded == 12


@pytest.mark.rule("MSL-026", "NAVY-070")
def test_a_ship_that_sinks_takes_the_unit_aboard_along() -> None:
    w = at_war()
    w.cell(6, 4, terrain="sea", owner=None)
    w.ship(1, "destroyer", 6, 4, hp=1)
    w.unit(1, "infantry", aboard=0, strength=90)
    assert impact.hit(w.world, w.rules, 0, NORMAL, BASE, 0, AIMED) == 1
    assert w.ships() == [] and w.units() == [] and w.nation(1).wounded == 0
    assert events(w) == [("ship_sunk", 1, 0, AIMED, 1), ("unit_lost", 1, -1, AIMED, 90)]


@pytest.mark.rule("MSL-026")
def test_each_thing_on_a_cell_takes_its_own_effect() -> None:
    """A swimming unit on a fish farm of level 3: two of three hits stand, the unit loses its own."""
    w = at_war(rules={"missiles.normal.unit_damage_min": 40, "missiles.normal.unit_damage_max": 40})
    w.cell(6, 4, terrain="fish_farm", owner=1, level=3, hits=1)
    w.unit(1, "marines", 6, 4, strength=100)
    assert impact.hit(w.world, w.rules, 0, NORMAL, BASE, 0, AIMED) == 3
    assert (w.cell(6, 4).hits, w.cell(6, 4).level, w.units()[0].strength) == (2, 3, 60)
    assert impact.hit(w.world, w.rules, 0, NORMAL, BASE, 1, AIMED) == 3
    assert w.cell(6, 4).terrain == "shallows" and w.units()[0].strength == 20


@pytest.mark.rule("MSL-026", "MSL-019")
def test_the_table_of_kinds() -> None:
    """Funds, ammo, fuel, scatter; loss of a town; hits on a facility; damage to ships and monsters."""
    rows = {row["id"]: row for row in load_ruleset("season").table("missiles")}
    columns = ("cost", "ammo", "fuel", "scatter", "town_loss_percent", "facility_hits", "ship_damage",
               "monster_damage")  # fmt: skip
    assert {kind: tuple(row[name] for name in columns) for kind, row in rows.items()} == {
        "normal": (20, 1, 0, 2, 20, 1, 1, 1),
        "pp": (50, 1, 0, 1, 20, 1, 1, 1),
        "antipersonnel": (80, 2, 0, 1, 10, 0, 0, 1),
        "ballistic": (200, 4, 3, 0, 40, 3, 3, 3),
    }


@pytest.mark.rule("MSL-026")
@pytest.mark.parametrize(
    ("kind", "left"), [(NORMAL, 80), (PP, 80), (ANTIPERSONNEL, 90), (BALLISTIC, 60)], ids=str
)
def test_what_each_kind_leaves_of_a_town(kind: int, left: int) -> None:
    w = at_war()
    for name in ("town", "new_town", "modern_city", "seabed_city"):
        w.cell(6, 4, terrain=name, owner=1, population=100)
        impact.hit(w.world, w.rules, 0, kind, BASE, 0, AIMED)
        assert (w.cell(6, 4).terrain, w.cell(6, 4).population) == (name, left)


@pytest.mark.rule("MSL-020")
def test_a_base_shows_as_forest_and_a_seabed_base_as_sea() -> None:
    w = at_war()
    w.cell(6, 4, terrain="seabed_base", owner=0)
    seen = [int(view.terrain(w.world, w.rules, 1, cell)) for cell in (BASE, AIMED)]
    assert seen == [terrain.FOREST, terrain.SEA]


@pytest.mark.rule("MSL-026")
def test_a_warehouse_that_is_hit_to_the_ground_takes_its_room_along() -> None:
    """The cap of wood is 2000, and 2600 with the three levels."""
    w = at_war()
    w.cell(6, 4, terrain="warehouse", owner=1, level=3, hits=2)
    w.nation(1, wood=2500)
    impact.hit(w.world, w.rules, 0, NORMAL, BASE, 0, AIMED)
    assert w.cell(6, 4).terrain == "wasteland" and w.nation(1).wood == 2000


@pytest.mark.rule("TURN-051")
def test_missiles_fly_in_phase_14() -> None:
    w = at_war(rules={"missiles.normal.scatter": 0})
    w.cell(6, 4, terrain="town", owner=1, population=100)
    w.order(0, "missile_normal", 6, 4, amount=1)
    w.phase("income")
    assert w.cell(6, 4).population == 100
    w.phase("plans")
    assert w.cell(6, 4).population == 80
    assert w.results(0)[0]["reason"] == reason.name(reason.DONE)
