"""Disasters by chance: how often, where, in which order (DIS-001 .. DIS-019, TURN-028)."""

from typing import Any

import numpy as np
import pytest

from hakoenv.engine import happenings, hexgrid, soundness, territory
from hakoenv.engine.codes import event, terrain
from hakoenv.engine.economy import disasters, meteors, quakes, tsunami
from hakoenv.engine.season import Season
from hakoenv.engine.world import EVENT_LENGTH
from hakoenv.ruleset import load_ruleset
from hakoenv.testing import SmallWorld

WIDE = ("earthquake_land", "earthquake_sea", "eruption", "meteor", "huge_meteor")


def forced(*names: str, **more: Any) -> dict[str, Any]:
    return {**{f"disasters.{name}.percent_per_turn": 100 for name in names}, **more}


def ready(w: SmallWorld) -> SmallWorld:
    """A world whose phase 27 can be called again and again."""
    w.phase("disasters")
    happenings.clear(w.world)
    return w


def events(w: SmallWorld) -> list[tuple[int, int, int, int]]:
    """Kind, nation, cell and amount of the listed events, in order."""
    count = min(int(w.world.clock[0]["event_count"]), EVENT_LENGTH)
    fields = ("kind", "nation", "cell", "amount")
    return [tuple(int(e[name]) for name in fields) for e in w.world.events[:count]]  # type: ignore[misc]


def all_of(name: str, size: int = 5, owner: int | None = 0, **given: Any) -> SmallWorld:
    rules = given.pop("rules", {})
    w = SmallWorld(height=size, width=size, nations=1, rules=rules)
    for y in range(size):
        for x in range(size):
            w.cell(x, y, terrain=name, owner=owner, **given)
    return w


# ---------------------------------------------------------------- how often


@pytest.mark.rule("DIS-001", "DIS-004", "DIS-017")
def test_the_chances_of_the_table() -> None:
    rules = load_ruleset("season")
    table = {
        row["id"]: (row["percent_per_turn"], row["percent_over_limit"]) for row in rules.table("disasters")
    }
    assert table["earthquake_land"] == (0.5, 0.5) and table["earthquake_sea"] == (0.5, 0.5)
    assert table["eruption"] == (0.5, 0.5) and table["fire"] == (1.0, 1.0)
    assert table["meteor"] == (1.5, 4.5) and table["huge_meteor"] == (0.2, 1.0)
    assert table["tsunami"] == (100.0, 100.0) and table["famine"] == (100.0, 100.0)


@pytest.mark.rule("DIS-001", "DIS-015")
def test_each_nation_and_the_world_draw_once_a_turn() -> None:
    """10 nations, 3,000 turns. False alarm below 1e-5 in all: more than 5 deviations from the mean."""
    percents = {"earthquake_land": 2.0, "earthquake_sea": 5.0, "eruption": 4.0, "huge_meteor": 3.0}
    rules = {f"disasters.{name}.percent_per_turn": percent for name, percent in percents.items()}
    rules["disasters.huge_meteor.radius"] = 0
    w = SmallWorld(height=9, width=30, nations=10, rules=rules)
    for n in range(10):
        w.cell(3 * n, 4, terrain="town", owner=n, population=20, capital=True)
    ready(w)
    counts = np.zeros(event.COUNT)
    for turn in range(3000):
        w.world.clock["turn"] = turn
        disasters.strike(w.world, w.rules)
        counts += w.world.clock[0]["event_kinds"]
        happenings.clear(w.world)
    for kind, each in (
        (event.EARTHQUAKE, [(30_000, 0.02), (3000, 0.05)]),
        (event.ERUPTION, [(3000, 0.04)]),
        (event.HUGE_METEOR, [(3000, 0.03)]),
    ):
        expected = sum(n * p for n, p in each)
        deviation = sum(n * p * (1 - p) for n, p in each) ** 0.5
        assert abs(counts[kind] - expected) <= 5 * deviation, event.NAMES[kind]


@pytest.mark.rule("DIS-016", "DIS-001")
def test_every_town_draws_its_fire_once_a_turn() -> None:
    """900 towns, 20 turns at 1%: 180 expected. False alarm below 1e-6: more than 5 deviations (13.3)."""
    w = SmallWorld(90, 90, 1, rules={"disasters.fire.percent_per_turn": 1.0})
    for y in range(0, 90, 3):
        for x in range(0, 90, 3):
            w.cell(x, y, terrain="town", owner=None, population=150)
    for turn in range(20):
        w.world.clock["turn"] = turn
        w.phase("hex_growth")
    assert abs(int(w.world.clock[0]["event_kinds"][event.FIRE]) - 180) <= 67


@pytest.mark.rule("DIS-017", "DIS-019")
def test_after_a_meteor_another_comes_with_half_the_chance() -> None:
    """2,000 showers of 2 stones on average. False alarm below 1e-5: chi-squared above 37 (5 degrees)."""
    w = ready(SmallWorld(9, 9, 1, rules=forced("meteor")))
    stones = np.zeros(6)
    where = np.zeros(81)
    for turn in range(2000):
        w.world.clock["turn"] = turn
        disasters.strike(w.world, w.rules)
        stones[min(len(events(w)), 6) - 1] += 1
        for _, _, cell, _ in events(w):
            where[cell] += 1
        happenings.clear(w.world)
    expected = 2000 * np.array([1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 32])
    assert ((stones - expected) ** 2 / expected).sum() < 37
    each = where.sum() / 81  # anywhere: chi-squared above 160 (80 degrees) once in a million
    assert ((where - each) ** 2 / each).sum() < 160


@pytest.mark.rule("DIS-019")
def test_a_shower_without_end_ends() -> None:
    w = all_of("shallows", 3, None, rules=forced("meteor", **{"disasters.meteor.effect.repeat_percent": 100}))
    w.phase("disasters")
    assert w.world.clock[0]["event_kinds"][event.METEOR] == 9


@pytest.mark.rule("DIS-001")
def test_an_earthquake_begins_anywhere_on_a_nation_s_own_land() -> None:
    """1,200 turns, 6 land cells. False alarm below 1e-6: chi-squared above 37 (5 degrees of freedom)."""
    w = SmallWorld(9, 9, 2, rules=forced("earthquake_land"))
    own = [(1, 1), (7, 1), (3, 4), (4, 4), (1, 7), (7, 7)]
    for x, y in own:
        w.cell(x, y, terrain="plains", owner=0)
    w.cell(0, 4, terrain="port", owner=0)
    w.cell(5, 4, terrain="plains", owner=1)
    w.nation(1, alive=False)
    ready(w)
    seen = np.zeros(81)
    for turn in range(1200):
        w.world.clock["turn"] = turn
        disasters.strike(w.world, w.rules)
        seen[events(w)[0][2]] += 1
        happenings.clear(w.world)
    places = [y * 9 + x for x, y in own]
    assert seen.sum() == seen[places].sum() == 1200
    assert ((seen[places] - 200) ** 2 / 200).sum() < 37


@pytest.mark.rule("DIS-001")
def test_a_quarter_of_what_an_earthquake_can_hit_is_hit() -> None:
    """2,000 quakes, 5 refineries. False alarm below 1e-6: more than 5 deviations (43) from 2,500."""
    w = SmallWorld(9, 9, 1, rules=forced("earthquake_land"))
    w.cell(4, 4, terrain="town", owner=0, population=20, capital=True)
    for x in (2, 3, 5, 6, 7):
        w.cell(x, 4, terrain="refinery", owner=None)
    ready(w)
    hits = 0
    for turn in range(2000):
        w.world.clock["turn"] = turn
        for x in (2, 3, 5, 6, 7):
            w.world.cells["terrain"][4, x], w.world.cells["level"][4, x] = terrain.REFINERY, 9
        disasters.strike(w.world, w.rules)
        hits += events(w)[0][3]
        happenings.clear(w.world)
    assert abs(hits - 2500) <= 216


@pytest.mark.rule("DIS-006", "DIS-001")
def test_a_tsunami_hits_by_a_twelve_sided_die_and_the_water_around() -> None:
    """3,000 waves. False alarm below 1e-5 in all: more than 5 deviations from (water - 1) / 12."""
    w = SmallWorld(9, 9, 1)
    waters = {(2, 2): 6, (6, 2): 4, (4, 6): 2}
    for x, y in ((5, 2), (7, 2), (3, 6), (5, 6), (3, 5), (4, 5)):
        w.cell(x, y, terrain="plains", owner=0)
    for x, y in waters:
        w.cell(x, y, terrain="lighthouse", owner=0)
    hits = dict.fromkeys(waters, 0)
    for turn in range(3000):
        w.world.clock["turn"] = turn
        tsunami.roll_in(w.world, w.rules, 4 * 9 + 4, tsunami.AFTER_EARTHQUAKE)
        for x, y in waters:
            hits[x, y] += int(w.world.cells["terrain"][y, x] == terrain.PLAINS)
            w.world.cells["terrain"][y, x] = terrain.LIGHTHOUSE
    for place, water in waters.items():
        share = (water - 1) / 12
        assert abs(hits[place] - 3000 * share) <= 5 * (3000 * share * (1 - share)) ** 0.5, place


# ---------------------------------------------------------------- in which order


@pytest.mark.rule("TURN-028", "TURN-009", "DIS-006", "DIS-015")
def test_nations_in_order_then_the_world_and_the_tsunami_after_its_cause() -> None:
    rules = forced(*WIDE, **{"disasters.meteor.effect.repeat_percent": 0, "disasters.typhoon.default_on": 1,
                             "disasters.typhoon.percent_per_turn": 100})  # fmt: skip
    orders = set()
    for seed in range(12):
        w = SmallWorld(height=12, width=12, nations=3, seed=seed, rules=rules)
        for n in range(3):
            w.cell(4 * n + 1, 2, terrain="town", owner=n, population=20, capital=True)
        w.nation(1, famine=1)
        w.phase("disasters")
        order = [int(n) for n in w.world.order[:3]]
        orders.add(tuple(order))
        found = [(kind, nation) for kind, nation, _, _ in events(w)]
        own = [(kind, n) for n in order for kind in (event.EARTHQUAKE, event.TYPHOON)]
        assert found[:6] == own
        kinds = [kind for kind, _ in found[6:]]
        centres = [cell for _, _, cell, _ in events(w)[6:]]
        assert kinds[:3] == [event.EARTHQUAKE, event.TSUNAMI, event.ERUPTION] and centres[0] == centres[1]
        in_sea = w.world.cells.reshape(-1)["terrain"][centres[2]] != terrain.MOUNTAIN
        rest = [event.METEOR, event.HUGE_METEOR]
        assert kinds[3:] == ([event.TSUNAMI, *rest] if in_sea else rest)
        assert not in_sea or centres[2] == centres[3]
    assert len(orders) > 1


@pytest.mark.rule("DIS-006")
def test_an_eruption_in_the_sea_sends_its_own_wave() -> None:
    w = ready(SmallWorld(9, 9, 1, rules=forced("earthquake_sea", "eruption")))
    disasters.strike(w.world, w.rules)
    assert [kind for kind, *_ in events(w)].count(event.TSUNAMI) == 2
    calm = SmallWorld(9, 9, 1, rules=forced("eruption", **{"disasters.tsunami.percent_per_turn": 0}))
    calm.phase("disasters")
    assert [kind for kind, *_ in events(calm)] == [event.ERUPTION]
    centre = events(calm)[0][2]
    shallow = (calm.world.cells.reshape(-1)["terrain"] == terrain.SHALLOWS).nonzero()[0]
    assert shallow.tolist() == [centre]


@pytest.mark.rule("DIS-006", "DIS-019")
def test_an_eruption_on_land_raises_a_mountain_and_buries_its_ring() -> None:
    """By hand around each centre: mountain, six neighbours waste, towns halved, the rest as it was."""
    for seed in range(25):
        rules = forced("eruption", **{"disasters.eruption.effect.deposit_percent": 0})
        w = SmallWorld(height=6, width=6, nations=1, seed=seed, rules=rules)
        for y in range(6):
            for x in range(6):
                name = ("plains", "farm", "forest", "mountain", "town", "wasteland")[(x + 2 * y) % 6]
                w.cell(x, y, terrain=name, owner=0, **({"population": 61} if name == "town" else {}))
        w.cell(2, 2, terrain="town", owner=0, population=90, capital=True)
        w.cell(3, 3, terrain="port", owner=0, level=2)
        w.unit(0, "infantry", 1, 1, strength=9)
        before = {(x, y): w.cell(x, y).terrain for x in range(6) for y in range(6)}
        w.phase("disasters")
        kind, nation, centre, _ = events(w)[0]
        assert (kind, nation) == (event.ERUPTION, 0)
        in_port = before[centre % 6, centre // 6] == "port"
        assert w.world.clock[0]["event_kinds"][event.TSUNAMI] == in_port
        for (x, y), was in before.items():
            cell, away = w.cell(x, y), hexgrid.distance(6, centre, y * 6 + x)
            if (x, y) == (2, 2):
                wanted: tuple[Any, ...] = ("town", 90, 0)
            elif (x, y) == (3, 3):
                wanted = ("shallows", 0, None) if away == 0 else ("port", 0, 0)
            elif in_port or away > 1:
                wanted = (was, 61 if was == "town" else 0, 0)
            elif away == 0:
                wanted = ("mountain", 0, 0)
            else:
                wanted = (was, 31, 0) if was == "town" else (was if was == "mountain" else "wasteland", 0, 0)
            assert (cell.terrain, cell.population, cell.owner) == wanted, (seed, x, y)
        assert w.units()[0].strength == 9


@pytest.mark.rule("DIS-001", "DEV-016")
def test_a_new_mountain_holds_a_deposit_in_two_of_five_by_the_shares_of_the_world() -> None:
    """3,000 eruptions. False alarm below 1e-5: 5 deviations (134) from 1,200, chi-squared (4) above 34."""
    w = ready(all_of("plains", 3, rules=forced("eruption")))
    found = np.zeros(7)
    for turn in range(3000):
        w.world.clock["turn"] = turn
        w.world.cells["terrain"], w.world.cells["deposit"] = terrain.PLAINS, 0
        quakes.erupt(w.world, w.rules)
        kinds = w.world.cells["deposit"][w.world.cells["deposit"] > 0]
        assert len(kinds) <= 1
        found[kinds] += 1
        for kind, richness in ((1, 100), (2, 150), (3, 60), (4, 100), (5, 60)):
            assert (w.world.cells["richness"][w.world.cells["deposit"] == kind] == richness).all()
        happenings.clear(w.world)
    assert found[0] == found[6] == 0 and abs(found.sum() - 1200) <= 134
    expected = found.sum() * np.array([18, 14, 30, 10, 6]) / 78
    assert ((found[1:6] - expected) ** 2 / expected).sum() < 34


@pytest.mark.rule("DIS-001")
def test_a_mountain_that_is_there_keeps_what_it_holds() -> None:
    rules = forced("eruption", **{"disasters.eruption.effect.deposit_percent": 100})
    w = all_of("mountain", 3, tunnel=True, deposit="coal", richness=60, rules=rules)
    w.phase("disasters")
    assert (w.world.cells["deposit"] == 3).all() and (w.world.cells["tunnel"] == 1).all()
    w = all_of("coal_mine", 3, level=4, deposit="coal", richness=60, rules=rules)
    w.phase("disasters")
    here = w.world.cells["terrain"] == terrain.MOUNTAIN
    assert (
        here.sum() == 1 and (w.world.cells["deposit"][here] == 3).all()
    )  # the mine is gone, its coal is not


# ---------------------------------------------------------------- meteors


@pytest.mark.rule("DIS-019", "DIS-001")
@pytest.mark.parametrize(
    ("name", "given", "becomes"),
    [
        ("plains", {}, ("wasteland", 0, 0)),
        ("farm", {"level": 20}, ("wasteland", 0, 0)),
        ("monument", {"level": 2}, ("wasteland", 0, 0)),
        ("mountain", {"deposit": "coal", "tunnel": True}, ("wasteland", 0, 0)),
        ("coal_mine", {"level": 3, "pile": 28}, ("coal_mine", 2, 0)),
        ("coal_mine", {"level": 1, "pile": 5}, ("wasteland", 0, 0)),
        ("town", {"population": 61}, ("town", 0, 31)),
        ("metropolis", {"population": 230}, ("town", 0, 115)),
        ("wasteland", {"deposit": "oil"}, ("wasteland", 0, 0)),
        ("shallows", {}, ("sea", 0, 0)),
        ("sea", {"deposit": "oil"}, ("sea", 0, 0)),
        ("port", {"level": 2}, ("port", 2, 0)),
        ("offshore_oil", {"level": 2}, ("offshore_oil", 2, 0)),
        ("land_oil", {"level": 1}, ("wasteland", 0, 0)),
    ],
)
def test_a_meteor(name: str, given: dict[str, Any], becomes: tuple[str, int, int]) -> None:
    """One stone on a map of one terrain: one cell changes so, all others stay."""
    rules = forced("meteor", **{"disasters.meteor.effect.repeat_percent": 0})
    owner = None if name in ("sea", "shallows") else 0
    w = all_of(name, 3, owner, **given, rules=rules)
    before = w.world.cells.copy().reshape(-1)
    w.phase("disasters")
    (centre,) = [cell for kind, _, cell, _ in events(w) if kind == event.METEOR]
    cell = w.cell(centre % 3, centre // 3)
    assert (cell.terrain, cell.level, cell.population) == becomes
    assert cell.owner == owner
    assert cell.deposit == ("oil" if given.get("deposit") == "oil" else None)
    after = w.world.cells.reshape(-1)
    assert all(after[k].tobytes() == before[k].tobytes() for k in range(9) if k != centre)


@pytest.mark.rule("DIS-019")
def test_a_meteor_takes_3_from_a_ship_and_spares_units() -> None:
    rules = forced("meteor", **{"disasters.meteor.effect.repeat_percent": 0})
    w = SmallWorld(3, 3, 1, rules=rules)
    for k in range(9):
        w.ship(0, "battleship", k % 3, k // 3, hp=3 if k % 2 else 5)
    w.phase("disasters")
    ((_, _, centre, damaged),) = events(w)
    ship = w.cell(centre % 3, centre // 3).ship
    assert ship is None if centre % 2 else ship.hp == 2
    assert damaged == 1 and len(w.ships()) == 9 - centre % 2
    w = all_of("farm", 3, rules=rules)
    for k in range(9):
        w.unit(0, "infantry", k % 3, k // 3, strength=40)
    w.phase("disasters")
    assert [unit.strength for unit in w.units()] == [40] * 9


def crater(w: SmallWorld, x: int, y: int) -> int:
    return meteors.crater(w.world, w.rules, y * w.width + x)


@pytest.mark.rule("DIS-019", "DIS-002")
def test_a_huge_meteor_digs_a_crater() -> None:
    """Centre (4, 4): sea; six neighbours shallows; the twelve beyond waste, mountains and capital spared."""
    w = all_of("plains", 9)
    w.cell(4, 3, terrain="seabed_city", owner=0, population=90)  # ring 1
    w.cell(5, 4, terrain="mountain", owner=0)  # ring 1
    w.cell(4, 2, terrain="mountain", owner=0)  # ring 2
    w.cell(6, 4, terrain="town", owner=0, population=120)  # ring 2
    w.cell(2, 4, terrain="port", owner=0, level=2)  # ring 2
    w.cell(3, 2, terrain="coal_mine", owner=0, level=5)  # ring 2
    w.cell(3, 3, terrain="town", owner=0, population=50, capital=True)  # ring 1
    w.cell(7, 4, terrain="town", owner=0, population=40)  # outside
    crater(w, 4, 4)
    special = {(3, 3): "town", (4, 2): "mountain", (2, 4): "port"}
    for y in range(9):
        for x in range(9):
            away = hexgrid.distance(9, 4 * 9 + 4, y * 9 + x)
            outside = "town" if (x, y) == (7, 4) else "plains"
            wanted = ("sea", "shallows", "wasteland", *[outside] * 9)[away]
            cell = w.cell(x, y)
            assert cell.terrain == special.get((x, y), wanted), (x, y)
            assert cell.owner == (None if wanted in ("sea", "shallows") and (x, y) != (3, 3) else 0), (x, y)
    assert w.cell(3, 3).population == 50 and w.cell(2, 4).level == 2 and w.nation(0).capital == [3, 3]


@pytest.mark.rule("DIS-002")
def test_a_capital_in_the_very_centre_stands() -> None:
    w = all_of("plains", 5)
    w.cell(2, 2, terrain="town", owner=0, population=50, capital=True)
    assert crater(w, 2, 2) == 18
    assert (w.cell(2, 2).terrain, w.cell(2, 2).population) == ("town", 50)
    assert w.cell(3, 2).terrain == "shallows"


@pytest.mark.rule("DIS-019", "ARMY-069")
def test_a_huge_meteor_sinks_ships_close_by_and_drowns_units() -> None:
    w = SmallWorld(9, 9, 1)
    for x, hp in ((4, 8), (5, 8), (6, 8), (7, 8)):
        w.ship(0, "battleship", x, 4, hp=hp)
    w.ship(0, "destroyer", 2, 4, hp=4)
    for (x, y), kind in {
        (4, 3): "infantry",
        (3, 3): "marines",
        (3, 4): "airborne",
        (3, 2): "infantry",
    }.items():
        w.cell(x, y, terrain="plains", owner=0)
        w.unit(0, kind, x, y, strength=30)
    crater(w, 4, 4)
    assert [(ship.x, ship.hp) for ship in w.ships()] == [(6, 3), (7, 8)]
    assert sorted(str(unit.type) for unit in w.units()) == ["airborne", "infantry", "marines"]
    assert w.cell(3, 2).unit.strength == 30 and w.cell(4, 3).unit is None
    assert (w.cell(3, 3).terrain, w.cell(3, 2).terrain) == ("shallows", "wasteland")


@pytest.mark.rule("DIS-017", "DIS-004")
@pytest.mark.parametrize(
    ("began", "limit"), [(0, 716), (420, 716), (716, 716), (717, 788), (1000, 1100), (1400, 1540)]
)
def test_the_safe_limit_of_land(began: int, limit: int) -> None:
    w = SmallWorld()
    w.world.clock["initial_land"] = began
    assert meteors.safe_land(w.world, w.rules) == limit


@pytest.mark.rule("DIS-004", "DIS-017", "SEASON-007")
@pytest.mark.parametrize(("land", "over"), [(716, False), (717, True)])
def test_one_cell_of_land_too_many_brings_meteors(land: int, over: bool) -> None:
    """Whoever owns it; a port is no land, oil fields on land are."""
    rules = {"disasters.meteor.percent_over_limit": 100, "disasters.huge_meteor.percent_over_limit": 100}
    w = SmallWorld(height=30, width=30, nations=2, rules=rules)
    w.world.clock["initial_land"] = 700
    for k in range(land):
        w.cell(k % 30, k // 30, terrain="land_oil" if k == 3 else "plains", owner=(0, None, 1)[k % 3])
    for k in range(land, land + 9):
        w.cell(k % 30, k // 30, terrain=("port", "shallows", "seabed_city")[k % 3], owner=0)
    w.phase("disasters")
    fell = w.world.clock[0]["event_kinds"]
    assert (fell[event.METEOR] > 0) == (fell[event.HUGE_METEOR] > 0) == over


@pytest.mark.rule("SEASON-007")
def test_a_whale_is_water_and_a_beast_on_land_is_land() -> None:
    w = SmallWorld()
    sea_kinds = [k for k, row in enumerate(w.ruleset.table("monsters")) if row["domain"] == "sea"]
    w.cell(2, 2, terrain="monster", owner=None, level=10 * sea_kinds[0] + 5)
    w.cell(5, 5, terrain="monster", owner=0, level=5)
    assert not territory.is_land(w.world, w.rules, 2 * 12 + 2)
    assert territory.is_land(w.world, w.rules, 5 * 12 + 5)


@pytest.mark.rule("TURN-028")
def test_a_unit_whose_soldiers_have_all_deserted_is_gone() -> None:
    w = SmallWorld(rules={"disasters.famine.effect.strength_loss_percent": 100})
    w.cell(5, 5, terrain="town", owner=0, population=50)
    w.unit(0, "infantry", 5, 5, strength=40)
    w.nation(0, famine=1, reserves=10)
    w.phase("disasters")
    assert w.nation(0).reserves == 0
    assert (w.world.units["owner"] == -1).all()
    assert w.cell(5, 5).unit is None


@pytest.mark.rule("TURN-032")
def test_units_and_ships_of_a_nation_that_is_gone_leave_nothing_behind() -> None:
    w = SmallWorld(nations=2)
    w.cell(5, 5, terrain="town", owner=0, population=50)
    w.cell(8, 8, terrain="town", owner=1, population=50)
    w.unit(0, "infantry", 5, 5, strength=40)
    w.ship(0, "destroyer", 6, 6)
    fresh = SmallWorld(nations=2).world
    w.world.nations["alive"][0] = 0
    w.phase("abandoned_land")
    assert w.world.units.tobytes() == fresh.units.tobytes()
    assert w.world.ships.tobytes() == fresh.ships.tobytes()
    assert w.cell(5, 5).unit is None and w.cell(6, 6).ship is None


# ---------------------------------------------------------------- whole seasons


@pytest.mark.rule("DIS-019", "TURN-038")
@pytest.mark.parametrize("seed", range(3))
def test_a_world_full_of_disasters_stays_whole(seed: int) -> None:
    rules = {f"disasters.{name}.{column}": 40 for name in (*WIDE, "fire", "typhoon")
             for column in ("percent_per_turn", "percent_over_limit")}  # fmt: skip
    rules |= {"disasters.typhoon.default_on": 1, "mine.collapse_level1": 60, "mine.collapse_level10": 60}
    rules |= {"disaster.capital_immune": seed % 2}
    season = Season.new("duel", seed=seed, rules=rules, agents="rule_ai")
    while season.turn < 30 and not season.ended:
        season.play_turn()
        world = season.world
        assert soundness.faults(world, season.rules) == []
        assert world.clock["discrepancies"][0] == 0
        cells = world.cells.reshape(-1)
        water = (cells["terrain"] == terrain.SEA) | (cells["terrain"] == terrain.SHALLOWS)
        assert (cells["owner"][water] == -1).all() and (cells["population"][water] == 0).all()
        for u in np.flatnonzero(world.units["owner"] >= 0):
            assert cells["unit"][world.units["cell"][u]] == u
        for name in ("level", "population", "pile", "resistance"):
            assert (cells[name] >= 0).all()
        for nation in world.nations[world.nations["alive"] == 1]:
            assert nation["capital"] < 0 or cells["owner"][nation["capital"]] >= 0
    assert season.event_totals["fire"] > 0 and season.event_totals["meteor"] > 0


def test_no_disaster_when_all_are_off() -> None:
    rules = {f"disasters.{name}.default_on": 0 for name in (*WIDE, "fire", "mine_collapse", "famine")}
    rules |= {f"disasters.{name}.percent_per_turn": 100 for name in (*WIDE, "fire")}
    season = Season.new("duel", seed=1, rules=rules, agents="rule_ai")
    season.run(until=20)
    kinds = {"fire", "earthquake", "eruption", "meteor", "huge_meteor", "tsunami", "mine_collapsed"}
    assert not kinds & set(season.event_totals)
