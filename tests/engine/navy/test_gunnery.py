"""Ship fire beyond what cases say: choice, scatter, draws, what a volley spares (NAVY-060 .. NAVY-100)."""

from typing import Any

import numpy as np
import pytest

from hakoenv.engine import hexgrid
from hakoenv.engine.codes import event, terrain
from hakoenv.engine.navy import gunnery, hulls, seafire, volley
from hakoenv.ruleset.codes import CLIMATES
from hakoenv.testing import SmallWorld

WIDTH, HEIGHT = 15, 13
MIDDLE = (6, 6)
AROUND = [(5, 5), (6, 5), (5, 6), (7, 6), (5, 7), (6, 7)]
REACH = {"destroyer": 1, "cruiser": 2, "battleship": 3, "carrier": 4, "submarine": 1}


def place(x: int, y: int) -> int:
    return y * WIDTH + x


def sea(nations: int = 3, turn: int = 101, **rules: Any) -> SmallWorld:
    """Nation 0 has endless means and is at war with nation 1; the turn is odd: whales are not hardened."""
    w = SmallWorld(height=HEIGHT, width=WIDTH, nations=nations, turn=turn, rules=rules)
    w.nation(0, funds=30_000, ammo=9999)
    w.war(0, 1)
    return w


def certain(kind: str, **rules: Any) -> SmallWorld:
    """As `sea`, but the class hits what it aims at."""
    return sea(**{f"ship_classes.{kind}.scatter": 0, **rules})


def fire(w: SmallWorld, ship: int = 0) -> None:
    gunnery.fire(w.world, w.rules, ship)


def events(w: SmallWorld) -> list[tuple[str, int, int, int, int]]:
    """Kind, nation, other, cell and amount of the events, in order."""
    listed = w.world.events[: int(w.world.clock[0]["event_count"])]
    fields = ("nation", "other", "cell", "amount")
    return [(event.NAMES[int(e["kind"])], *(int(e[name]) for name in fields)) for e in listed]  # type: ignore[misc]


# ---------------------------------------------------------------- who fires, how far


@pytest.mark.rule("NAVY-018", "NAVY-061", "NAVY-066")
@pytest.mark.parametrize(("kind", "reach"), REACH.items())
def test_the_range_of_a_class_is_inclusive(kind: str, reach: int) -> None:
    for away, hurt in ((reach, True), (reach + 1, False)):
        w = certain(kind)
        w.ship(0, kind, 1, 6)
        w.ship(1, "battleship", 1 + away, 6, hp=100)
        fire(w)
        assert (w.ships(owner=1)[0].hp < 100) is hurt
        assert (w.nation(0).ammo < 9999) is hurt


@pytest.mark.rule("NAVY-060")
@pytest.mark.parametrize(("mode", "fires"), [("normal", 1), ("hunt", 1), ("cruise", 0), ("stop", 0)])
def test_only_two_modes_fire(mode: str, fires: int) -> None:
    w = certain("destroyer")
    w.ship(0, "destroyer", 1, 6, mode=mode, fleet=2)
    w.ship(1, "destroyer", 2, 6, hp=4)
    w.fleet(0, 2, salvo=(2, 6))
    fire(w)
    assert w.ships(owner=1)[0].hp == 4 - fires and w.nation(0).ammo == 9999 - fires


@pytest.mark.rule("NAVY-093", "NAVY-101", "NAVY-061")
def test_a_ship_moved_by_hand_fires_once_in_its_own_stage() -> None:
    w = certain("destroyer")
    w.ship(0, "destroyer", 1, 6)
    w.ship(1, "battleship", 2, 6, hp=10)
    w.world.ships["moved"][0] = w.turn
    w.phase("ordinary_ships")
    assert w.ships(owner=1)[0].hp == 10
    w.phase("fast_ships")
    assert w.ships(owner=1)[0].hp == 9
    w.phase("ordinary_ships")
    assert w.ships(owner=1)[0].hp == 9


@pytest.mark.rule("NAVY-016", "NAVY-010")
def test_only_warships_learn_and_rise() -> None:
    w = sea()
    for k, kind in enumerate(("merchant", "pirate", "cruise_ship")):
        w.ship(None if kind == "pirate" else 0, kind, 2 * k, 2)
        base = hulls.most_hp(w.rules, int(w.world.ships[k]["kind"]), 0)
        hulls.learn(w.world, w.rules, k, 30)
        assert w.world.ships[k]["experience"] == 0
        assert hulls.most_hp(w.rules, int(w.world.ships[k]["kind"]), 255) == base


# ---------------------------------------------------------------- what is preferred

GROUPS = {
    "warship": lambda w, x, y: w.ship(1, "destroyer", x, y),
    "other": lambda w, x, y: w.ship(1, "cruise_ship", x, y),
    "military": lambda w, x, y: w.cell(x, y, terrain="seabed_base", owner=1),
    "civilian": lambda w, x, y: w.cell(x, y, terrain="farm", owner=1, level=10),
    "pirate": lambda w, x, y: w.ship(None, "pirate", x, y),
    "monster": lambda w, x, y: w.cell(x, y, terrain="monster", level=64),
}
NORMAL = ["warship", "other", "military", "civilian", "pirate", "monster"]
HUNT = ["pirate", "monster", "warship", "other", "military", "civilian"]


def aimed_at(w: SmallWorld) -> tuple[int, int] | None:
    """Where the one shell that nation 0 can pay for comes down."""
    w.world.clock["event_count"] = 0
    w.nation(0, funds=20, ammo=3)
    fire(w)
    told = {e[3] for e in events(w) if e[0] in ("sea_battle", "bombarded", "whale_hit")}
    assert len(told) <= 1
    return next(((c % WIDTH, c // WIDTH) for c in told), None)


@pytest.mark.rule("NAVY-093", "BOMB-006", "NAVY-060", "NAVY-061", "NAVY-065")
@pytest.mark.parametrize(("mode", "order"), [("normal", NORMAL), ("hunt", HUNT)])
def test_each_group_comes_before_all_later_ones(mode: str, order: list[str]) -> None:
    """What is preferred lies at distance 4, the other at distance 1: groups count before distance."""
    for k, first in enumerate(order):
        for later in order[k + 1 :]:
            w = certain("carrier")
            w.ship(0, "carrier", 6, 6, mode=mode)
            GROUPS[later](w, 7, 6)
            GROUPS[first](w, 2, 6)
            assert aimed_at(w) == (2, 6), (first, later)


@pytest.mark.rule("NAVY-093")
@pytest.mark.parametrize("group", NORMAL)
def test_in_a_group_the_nearest_is_chosen(group: str) -> None:
    for near in ((7, 6), (5, 6), (6, 7), (5, 5)):
        w = certain("carrier")
        w.ship(0, "carrier", 6, 6)
        for x, y in ((10, 6), (2, 6), (6, 4), near):
            GROUPS[group](w, x, y)
        assert aimed_at(w) == near


@pytest.mark.rule("NAVY-093")
def test_ties_are_drawn_evenly() -> None:
    """600 turns, six pirates beside a ship: chi-square at 5 degrees, 41: false alarm below one in 10**6."""
    counts = dict.fromkeys(AROUND, 0)
    for turn in range(600):
        w = certain("carrier")
        w.world.clock["turn"] = turn
        w.ship(0, "carrier", *MIDDLE)
        for x, y in AROUND:
            w.ship(None, "pirate", x, y)
        chosen = aimed_at(w)
        assert chosen is not None
        counts[chosen] += 1
    assert sum((n - 100) ** 2 / 100 for n in counts.values()) < 41


@pytest.mark.rule("NAVY-093", "NAVY-061")
def test_without_a_target_no_shot_and_no_price() -> None:
    w = sea()
    w.ship(0, "carrier", *MIDDLE)
    w.ship(0, "destroyer", 7, 6)
    w.ship(2, "destroyer", 5, 6)
    w.cell(6, 5, terrain="naval_mine", owner=1, level=2)
    w.cell(5, 5, terrain="plains", owner=1)
    w.unit(1, "infantry", 5, 5)
    fire(w)
    assert (w.nation(0).funds, w.nation(0).ammo) == (30_000, 9999) and events(w) == []


# ---------------------------------------------------------------- where shells land


def landings(kind: str, turns: int, weather: dict[str, str] | None = None) -> np.ndarray[Any, Any]:
    """Where single shells of a class, aimed at (6, 6), come down: hits by cell."""
    w = SmallWorld(
        height=HEIGHT, width=WIDTH, nations=2, weather=weather,
        rules={f"ship_classes.{kind}.shots": 1, "ship_classes.battleship.hp_base": 255},
    )  # fmt: skip
    w.war(0, 1)
    w.ship(0, kind, 2, 6)
    for k in range(hexgrid.disc_size(2)):
        cell = hexgrid.nth(WIDTH, HEIGHT, place(*MIDDLE), k)
        if w.world.cells.reshape(-1)[cell]["ship"] < 0:
            w.ship(1, "battleship", cell % WIDTH, cell // WIDTH, hp=255)
    counts = np.zeros(HEIGHT * WIDTH, np.int64)
    for turn in range(turns):
        w.world.clock["turn"] = turn
        w.world.clock["event_count"] = 0
        w.nation(0, funds=100, ammo=10)
        for ship in w.world.ships[1:]:
            ship["hp"] = 255
        volley.fly(w.world, w.rules, 0, volley.SHIP, place(*MIDDLE))
        for what, _, _, cell, _ in events(w):
            assert what == "sea_battle"
            counts[cell] += 1
    assert counts.sum() == turns
    return counts


@pytest.mark.rule("NAVY-098", "NAVY-066", "MSL-017", "BOMB-032")
@pytest.mark.parametrize(
    ("kind", "radius", "weather", "limit"),
    [
        ("destroyer", 0, "fine", 1), ("cruiser", 1, "fine", 43), ("battleship", 1, "thunder", 43),
        ("carrier", 2, "fine", 68), ("carrier", 2, "thunder", 68),
    ],
)  # fmt: skip
def test_shells_are_spread_evenly_over_the_disc_in_any_weather(
    kind: str, radius: int, weather: str, limit: float
) -> None:
    """100 shells a cell on average; false alarm below 1e-6 a case (chi-squared at 6 and 18 degrees)."""
    places = hexgrid.disc_size(radius)
    counts = landings(kind, 100 * places, {"temperate": weather})
    disc = [hexgrid.nth(WIDTH, HEIGHT, place(*MIDDLE), k) for k in range(places)]
    assert counts[disc].sum() == 100 * places  # nothing outside it
    assert float(((counts[disc] - 100) ** 2 / 100).sum()) < limit


@pytest.mark.rule("NAVY-098")
def test_places_off_the_map_are_misses() -> None:
    """In the corner of an even row 4 of the 7 places are missing; 300 shells: 7 sigma, false alarm 1e-11."""
    w = sea(**{"ship_classes.cruiser.shots": 300, "ship_classes.cruiser.damage": 1})
    w.nation(0, funds=30_000)
    w.ship(0, "cruiser", 2, 0)
    w.ship(1, "battleship", 0, 0, hp=10_000)
    volley.fly(w.world, w.rules, 0, volley.SHIP, place(0, 0))
    hits = 10_000 - w.ships(owner=1)[0].hp
    assert w.nation(0).funds == 27_000  # all are paid
    assert abs(hits - 300 / 7) < 7 * (300 / 7 * 6 / 7) ** 0.5


@pytest.mark.rule("NAVY-098")
def test_the_shells_of_two_ships_fall_apart() -> None:
    """Ten shells each; that all fall alike has a chance of 7**-10."""
    fell = []
    for shooter in (0, 1):
        w = sea(**{"ship_classes.cruiser.shots": 10, "ship_classes.battleship.hp_base": 255})
        w.ship(0, "cruiser", 4, 6)
        w.ship(0, "cruiser", 8, 6)
        for x, y in (MIDDLE, *AROUND):
            w.ship(1, "battleship", x, y, hp=255)
        volley.fly(w.world, w.rules, shooter, volley.SHIP, place(*MIDDLE))
        fell.append([e[3] for e in events(w)])
    assert len(fell[0]) == len(fell[1]) == 10 and fell[0] != fell[1]


@pytest.mark.rule("NAVY-093", "NAVY-098")
def test_the_number_of_a_nation_changes_nothing() -> None:
    def battle(one: int, two: int) -> list[tuple[str, int, int]]:
        w = SmallWorld(height=HEIGHT, width=WIDTH, nations=4)
        w.war(one, two)
        w.nation(one, funds=500, ammo=5)
        w.ship(one, "carrier", *MIDDLE)
        for x, y in AROUND:
            w.ship(two, "destroyer", x, y)
        w.unit(two, "infantry", 8, 6)
        fire(w)
        return [(e[0], e[3], e[4]) for e in events(w)]

    assert len(battle(0, 1)) > 3
    assert battle(0, 1) == battle(1, 0) == battle(3, 2)


# ---------------------------------------------------------------- what a shell at sea hits


@pytest.mark.rule("NAVY-099", "BOMB-030", "BOMB-032", "NAVY-062")
def test_a_volley_at_sea_spares_all_but_ships_it_attacks_and_whales() -> None:
    w = sea()
    w.ship(0, "carrier", 10, 10)
    w.ship(0, "cruiser", 1, 1, hp=6)
    w.ship(2, "merchant", 2, 1, hp=2)
    w.ship(1, "submarine", 3, 1, hp=3)
    w.cell(4, 1, terrain="town", owner=1, population=50)
    w.unit(1, "infantry", 4, 1, strength=80)
    w.cell(5, 1, terrain="naval_port", owner=1)
    w.cell(6, 1, terrain="naval_mine", owner=1, level=2)
    w.cell(7, 1, terrain="breakwater", owner=1)
    w.cell(8, 1, terrain="monster", owner=1, level=12)
    w.ship(1, "destroyer", 9, 1, hp=4)
    w.cell(10, 1, terrain="monster", level=65)
    before = w.world.cells.copy(), w.world.units.copy(), w.world.ships.copy()
    carrier = int(w.world.ships[0]["kind"])
    gained = [seafire.hit(w.world, w.rules, carrier, 0, place(x, 1)) for x in range(1, 9)]
    assert gained == [0] * 8 and events(w) == []
    for was, now in zip(before, (w.world.cells, w.world.units, w.world.ships), strict=True):
        assert was.tobytes() == now.tobytes()
    assert seafire.hit(w.world, w.rules, carrier, 0, place(9, 1)) == 1
    assert seafire.hit(w.world, w.rules, carrier, 0, place(10, 1)) == 1
    assert w.ships(**{"owner": 1, "class": "destroyer"})[0].hp == 2 and w.cell(10, 1).level == 63
    assert events(w) == [
        ("sea_battle", 0, 1, place(9, 1), 2),
        ("whale_hit", 0, -1, place(10, 1), 2),
    ]


@pytest.mark.rule("NAVY-099")
@pytest.mark.parametrize(("weather", "climate"), [("blizzard", "arctic"), ("thunder", "tropical")])
def test_weather_and_climate_do_not_change_a_hit(weather: str, climate: str) -> None:
    w = SmallWorld(height=HEIGHT, width=WIDTH, nations=2, weather={climate: weather})
    w.world.cells["climate"] = CLIMATES.index(climate)
    w.nation(0, funds=5, ammo=1)
    w.war(0, 1)
    w.ship(0, "destroyer", 1, 6)
    w.ship(1, "destroyer", 2, 6, hp=4)
    fire(w)
    assert w.ships(owner=1)[0].hp == 3


@pytest.mark.rule("NAVY-070", "NAVY-011", "NAVY-067")
def test_hit_points_lost_are_those_that_there_were_and_the_killer_is_named() -> None:
    w = certain("battleship")
    w.ship(0, "battleship", 1, 6)
    w.ship(1, "destroyer", 2, 6, hp=1)
    fire(w)
    kind = 1
    assert events(w) == [("sea_battle", 0, 1, place(2, 6), 1), ("ship_sunk", 1, 0, place(2, 6), kind)]
    w.world.clock["event_count"] = 0
    w.cell(2, 6, terrain="monster", level=61)
    fire(w)
    assert events(w)[0] == ("whale_hit", 0, -1, place(2, 6), 1)
    assert w.cell(2, 6).terrain == "sea"


@pytest.mark.rule("NAVY-010", "NAVY-099")
def test_shells_beside_the_target_give_no_experience() -> None:
    """A carrier's ten shells scatter over 19 cells, of which one holds an enemy."""
    hits = shells = 0
    for turn in range(40):
        w = SmallWorld(HEIGHT, WIDTH, 2, turn=turn, rules={"ship_classes.battleship.hp_base": 255})
        w.war(0, 1)
        w.nation(0, funds=200, ammo=3)
        w.ship(0, "carrier", 2, 6)
        w.ship(1, "battleship", 6, 6, hp=255)
        fire(w)
        battles = int(w.world.clock[0]["event_kinds"][event.SEA_BATTLE])
        assert int(w.world.ships[0]["experience"]) == battles
        hits, shells = hits + battles, shells + (200 - w.nation(0).funds) // 20
    assert shells == 400 and 0 < hits < 60


# ---------------------------------------------------------------- mines


@pytest.mark.rule("NMINE-010", "NMINE-008", "NMINE-011", "NMINE-009")
def test_a_volley_at_a_mine_hurts_only_mines_it_may_remove() -> None:
    w = sea(**{"ship_classes.carrier.shots": 400, "ship_classes.carrier.scatter": 2})
    w.nation(0, funds=30_000)
    w.ship(0, "carrier", 2, 6)
    w.ship(1, "destroyer", 5, 5, hp=4)
    w.cell(6, 5, terrain="town", owner=1, population=50)
    w.unit(1, "infantry", 6, 5, strength=80)
    w.cell(5, 6, terrain="naval_port", owner=1)
    w.cell(7, 6, terrain="monster", level=65)
    for (x, y), owner in {(5, 7): 0, (6, 7): 1, (4, 6): 2, (8, 6): None}.items():
        w.cell(x, y, terrain="naval_mine", owner=owner, level=2)
    w.cell(6, 6, terrain="naval_mine", owner=1, level=1)
    for turn in range(100, 160):  # it ends with the aimed mine: lay that again
        w.world.clock["turn"] = turn
        w.cell(6, 6, terrain="naval_mine", owner=1, level=1)
        w.nation(0, funds=30_000, ammo=3)
        volley.fly(w.world, w.rules, 0, volley.MINE, place(*MIDDLE))
        assert w.cell(6, 6).terrain == "sea" and w.cell(6, 6).owner is None
    gone = [w.cell(x, y).terrain for x, y in ((5, 7), (6, 7))]
    kept = [w.cell(x, y).terrain for x, y in ((4, 6), (8, 6))]
    assert (gone, kept) == (["sea", "sea"], ["naval_mine", "naval_mine"])
    assert w.ships(owner=1)[0].hp == 4 and w.units(owner=1)[0].strength == 80
    assert (w.cell(6, 5).population, w.cell(5, 6).hits, w.cell(7, 6).level) == (50, 0, 65)
    assert w.world.ships[0]["experience"] == 0
    assert {e[0] for e in events(w)} == {"bombarded"}
    assert {(e[1], e[2], e[4]) for e in events(w)} == {(0, 1, terrain.NAVAL_MINE)}


@pytest.mark.rule("NMINE-007")
def test_a_volley_at_a_mine_has_the_shots_and_scatter_of_the_ship() -> None:
    """Ten shells of 20 funds over 19 cells: the mine survives 58 of 100 volleys, by (18/19)^10."""
    survived, most = 0, 0
    for turn in range(60):
        w = SmallWorld(HEIGHT, WIDTH, 2, turn=turn)
        w.war(0, 1)
        w.nation(0, funds=1000, ammo=10)
        w.ship(0, "carrier", 2, 6)
        w.cell(6, 6, terrain="naval_mine", owner=1, level=1)
        volley.fly(w.world, w.rules, 0, volley.MINE, place(*MIDDLE))
        left = w.cell(6, 6).terrain == "naval_mine"
        shells = (1000 - w.nation(0).funds) // 20
        assert w.nation(0).ammo == 7 and (shells == 10 if left else 1 <= shells <= 10)
        survived, most = survived + left, max(most, shells)
    assert 15 < survived < 55 and most == 10
