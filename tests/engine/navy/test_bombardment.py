"""Shells on land beyond what cases say: which places, whose, what strays hurt (BOMB-001 .. BOMB-036)."""

from typing import Any

import numpy as np
import pytest

from hakoenv.engine import damage
from hakoenv.engine.codes import event, terrain
from hakoenv.engine.missiles import impact
from hakoenv.engine.navy import bombardment, gunnery, volley
from hakoenv.testing import SmallWorld, names

WIDTH, HEIGHT = 15, 13
MIDDLE = (6, 6)
AROUND = [(5, 5), (6, 5), (5, 6), (7, 6), (5, 7), (6, 7)]
MILITARY = {"naval_port", "missile_base", "defense_facility", "seabed_base"}
TOWNS = {"town", "seabed_city", "new_town", "modern_city", "metropolis"}
CIVILIAN = TOWNS | {"farm", "factory", "large_farm", "large_factory"}
NO_GROUND = {"monster", "naval_mine"}  # of the sea's targets


def place(x: int, y: int) -> int:
    return y * WIDTH + x


def coast(nations: int = 3, **rules: Any) -> SmallWorld:
    """Nation 0 has endless means and is at war with nation 1."""
    w = SmallWorld(height=HEIGHT, width=WIDTH, nations=nations, turn=101, rules=rules)
    w.nation(0, funds=30_000, ammo=9999)
    w.war(0, 1)
    return w


def land(w: SmallWorld, x: int, y: int, shell: int = 0) -> int:
    """A shell of nation 0, fired at land, comes down; the experience that it gives."""
    return bombardment.hit(w.world, w.rules, 0, 0, shell, place(x, y))


def events(w: SmallWorld) -> list[tuple[str, int, int, int, int]]:
    """Kind, nation, other, cell and amount of the events, in order."""
    listed = w.world.events[: int(w.world.clock[0]["event_count"])]
    fields = ("nation", "other", "cell", "amount")
    return [(event.NAMES[int(e["kind"])], *(int(e[name]) for name in fields)) for e in listed]  # type: ignore[misc]


@pytest.mark.rule("BOMB-001", "NAVY-018")
@pytest.mark.parametrize(
    ("kind", "reach"), [("destroyer", 0), ("cruiser", 2), ("battleship", 3), ("carrier", 4), ("submarine", 0)]
)
def test_three_classes_bombard_within_their_range(kind: str, reach: int) -> None:
    for away in range(1, 6):
        for order in (False, True):
            w = coast(**{f"ship_classes.{kind}.scatter": 0})
            w.ship(0, kind, 1, 6, fleet=0)
            w.cell(1 + away, 6, terrain="town", owner=1, population=100)
            if order:
                w.fleet(0, 0, salvo=(1 + away, 6))
            gunnery.fire(w.world, w.rules, 0)
            assert (w.cell(1 + away, 6).population < 100) is (away <= reach), (away, order)


@pytest.mark.rule("BOMB-003", "BOMB-012", "BOMB-035", "BOMB-033")
def test_every_terrain_is_a_target_or_none_even_by_order() -> None:
    for name in sorted(set(names.terrains().numbers) - NO_GROUND):
        w = coast(**{"ship_classes.cruiser.scatter": 0})
        w.ship(0, "cruiser", 5, 6, fleet=0)
        town = (
            {"population": 100} if name in CIVILIAN and "farm" not in name and "factory" not in name else {}
        )
        w.cell(*MIDDLE, terrain=name, owner=1, **town)
        before = w.world.cells[6, 6].copy()
        expected = name in MILITARY | CIVILIAN
        found = bombardment.target(w.world, w.rules, 2, 0, place(*MIDDLE))
        kinds = {
            **dict.fromkeys(MILITARY, bombardment.MILITARY),
            **dict.fromkeys(CIVILIAN, bombardment.CIVILIAN),
        }
        assert found == kinds.get(name, bombardment.NOTHING), name
        w.fleet(0, 0, salvo=MIDDLE)
        gunnery.fire(w.world, w.rules, 0)
        assert (w.world.cells[6, 6].tobytes() != before.tobytes()) is expected, name
        assert (w.nation(0).ammo < 9999) is expected, name


@pytest.mark.rule("BOMB-004", "BOMB-019", "BOMB-024", "BOMB-029", "LIMIT-009")
@pytest.mark.parametrize("owner", [0, 2, 3, None])
def test_a_stray_shell_spares_places_and_units_of_all_but_enemies(owner: int | None) -> None:
    """Nation 2 has declared war, which is not open; nation 3 is at peace."""
    w = coast(nations=4)
    w.relation(0, 2, state="pending", turns_left=1)
    for x, name in enumerate(("town", "farm", "naval_port", "factory", "plains")):
        w.cell(x, 2, terrain=name, owner=owner, **({"population": 50} if name == "town" else {}))
        if owner is not None:
            w.unit(owner, "infantry", x, 2, strength=80)
    before = w.world.cells.tobytes(), w.world.units.tobytes()
    assert [land(w, x, 2) for x in range(5)] == [0] * 5
    assert (w.world.cells.tobytes(), w.world.units.tobytes()) == before and events(w) == []


@pytest.mark.rule("BOMB-032", "BOMB-027", "BOMB-035", "BOMB-034", "BOMB-028")
def test_a_stray_shell_at_land_hurts_all_that_is_permitted_and_no_ship_or_monster() -> None:
    w = coast(**{"bombard.unit_damage.low": 40, "bombard.unit_damage.high": 40})
    w.cell(1, 1, terrain="town", owner=1, population=100)
    w.cell(2, 1, terrain="seabed_base", owner=1)
    w.cell(3, 1, terrain="large_farm", owner=1, level=60)
    w.cell(4, 1, terrain="market", owner=1)
    w.unit(1, "infantry", 4, 1, strength=100)
    w.cell(5, 1, terrain="plains", owner=1)
    w.unit(1, "infantry", 5, 1, strength=100)
    assert [land(w, x, 1) for x in range(1, 6)] == [1] * 5
    assert (w.cell(1, 1).population, w.cell(2, 1).hits, w.cell(3, 1).level) == (90, 1, 55)
    assert [u.strength for u in w.units(owner=1)] == [60, 60]
    hit = [terrain.TOWN, terrain.SEABED_BASE, terrain.LARGE_FARM, terrain.MARKET, terrain.PLAINS]
    assert events(w) == [("bombarded", 0, 1, place(x, 1), hit[x - 1]) for x in range(1, 6)]
    w.world.clock["event_count"] = 0
    w.ship(1, "destroyer", 1, 3, hp=4)
    w.ship(None, "pirate", 2, 3, hp=4)
    w.cell(3, 3, terrain="monster", level=65)
    w.cell(4, 3, terrain="monster", owner=1, level=12)
    w.cell(5, 3, terrain="naval_mine", owner=1, level=2)
    w.cell(6, 3, terrain="market", owner=1)
    before = w.world.cells.tobytes(), w.world.ships.tobytes()
    assert [land(w, x, 3) for x in range(1, 7)] == [0] * 6
    assert (w.world.cells.tobytes(), w.world.ships.tobytes()) == before and events(w) == []


@pytest.mark.rule("BOMB-028", "BOMB-034")
def test_place_and_unit_of_two_enemies_are_both_told() -> None:
    w = coast()
    w.war(0, 2)
    w.cell(1, 1, terrain="town", owner=1, population=100)
    w.unit(2, "infantry", 1, 1, strength=100)
    assert land(w, 1, 1) == 1
    assert events(w) == [("bombarded", 0, owner, place(1, 1), terrain.TOWN) for owner in (2, 1)]


@pytest.mark.rule("BOMB-026")
def test_a_unit_loses_from_30_to_49_each_as_likely() -> None:
    """2000 shells, 20 values: chi-square at 19 degrees, 72: false alarm below one in 10**6."""
    w = coast()
    w.cell(1, 1, terrain="plains", owner=1)
    w.unit(1, "infantry", 1, 1)
    lost = []
    for shell in range(2000):
        w.world.units["strength"][0] = 200
        land(w, 1, 1, shell)
        lost.append(200 - int(w.world.units[0]["strength"]))
    assert (min(lost), max(lost)) == (30, 49)
    counts = np.bincount(np.array(lost) - 30, minlength=20)
    assert ((counts - 100.0) ** 2 / 100).sum() < 72


@pytest.mark.rule("BOMB-027", "BOMB-032", "BOMB-015", "NAVY-098", "BOMB-022")
def test_a_volley_at_a_town_strays_over_its_neighbours() -> None:
    """Towns of 19 lose one a hit. 70 shells, seven cells: one is spared with a chance of 7 x (6/7)**70."""
    w = coast(**{"ship_classes.cruiser.shots": 70, "ship_classes.cruiser.fire_range": 4})
    w.ship(0, "cruiser", 2, 6, fleet=3)
    for x, y in (MIDDLE, *AROUND):
        w.cell(x, y, terrain="town", owner=1, population=19)
    w.fleet(0, 3, salvo=MIDDLE)
    gunnery.fire(w.world, w.rules, 0)
    left = [w.cell(x, y).population for x, y in (MIDDLE, *AROUND)]
    assert sum(19 - n for n in left) == int(w.world.ships[0]["experience"]) <= 70
    assert max(left) < 19 and w.nation(0).funds == 30_000 - 700


@pytest.mark.rule("BOMB-033", "BOMB-005")
def test_an_order_binds_the_ships_of_its_fleet_only() -> None:
    for fleet, hit in ((2, (4, 6)), (1, (7, 6)), (None, (7, 6))):
        w = coast(**{"ship_classes.cruiser.scatter": 0})
        w.ship(0, "cruiser", *MIDDLE, **({} if fleet is None else {"fleet": fleet}))
        w.cell(4, 6, terrain="town", owner=1, population=100)
        w.cell(7, 6, terrain="naval_port", owner=1)
        w.fleet(0, 2, salvo=(4, 6))
        gunnery.fire(w.world, w.rules, 0)
        assert {e[3] for e in events(w)} == {place(*hit)}, fleet


@pytest.mark.rule("BOMB-033")
def test_what_lies_on_an_ordered_cell_is_looked_through_in_order() -> None:
    """Ship before mine before place before unit; each is aimed at once what comes before it is gone."""
    w = coast()
    cell, carrier = place(*MIDDLE), 4
    w.cell(*MIDDLE, terrain="town", owner=1, population=9)
    w.unit(1, "infantry", *MIDDLE)
    assert volley.first_aim(w.world, w.rules, carrier, 0, cell) == volley.PLACE
    w.cell(*MIDDLE, owner=0)
    assert volley.first_aim(w.world, w.rules, carrier, 0, cell) == volley.UNIT
    w.cell(*MIDDLE, terrain="naval_mine", owner=0, level=1)
    assert volley.first_aim(w.world, w.rules, carrier, 0, cell) == volley.MINE
    w.world.units["owner"][0] = -1
    w.world.cells[6, 6]["unit"] = -1
    w.ship(1, "destroyer", *MIDDLE)
    assert volley.first_aim(w.world, w.rules, carrier, 0, cell) == volley.SHIP
    w.world.ships["owner"][0] = 2
    assert volley.first_aim(w.world, w.rules, carrier, 0, cell) == volley.MINE
    w.cell(7, 6, terrain="monster", level=65)
    assert volley.first_aim(w.world, w.rules, carrier, 0, place(7, 6)) == volley.MONSTER


@pytest.mark.rule("BOMB-033", "BOMB-006")
def test_a_disguised_or_unseen_target_is_fired_at_like_any_other() -> None:
    w = coast(**{"ship_classes.carrier.scatter": 0, "ship_classes.carrier.search_range": 0})
    w.ship(0, "carrier", 2, 6)
    w.cell(6, 6, terrain="seabed_base", owner=1)
    gunnery.fire(w.world, w.rules, 0)
    assert w.cell(6, 6).terrain == "sea"


@pytest.mark.rule("BOMB-008", "MSL-026", "BOMB-007")
def test_hits_of_ships_and_missiles_add_up_under_any_owner() -> None:
    w = coast()
    w.cell(1, 1, terrain="missile_base", owner=1)
    land(w, 1, 1)
    impact.hit(w.world, w.rules, 0, 0, place(9, 9), 0, place(1, 1))  # a normal missile: one hit
    assert w.cell(1, 1).hits == 2
    w.cell(1, 1, owner=2)
    w.war(0, 2)
    assert w.cell(1, 1).hits == 2
    land(w, 1, 1)
    assert (w.cell(1, 1).terrain, w.cell(1, 1).owner) == ("wasteland", 2)
    w.cell(1, 1, terrain="missile_base", owner=2)  # built anew
    assert w.cell(1, 1).hits == 0


@pytest.mark.rule("BOMB-026", "NAVY-005", "MSL-018")
def test_one_research_strengthens_shells_and_missiles() -> None:
    w = coast()
    for level, strong in enumerate((100, 103, 106, 109, 112, 115)):
        w.nation(0, military=level)
        assert damage.strengthened(w.world, w.rules, 0, 100) == strong
        assert damage.strengthened(w.world, w.rules, 0, 1) == 1


@pytest.mark.rule("BOMB-013")
def test_towns_count_hundreds_of_people_and_works_thousands_of_workers() -> None:
    """A farm of 12 employs 12,000 people, 120 units; a shell takes 5,000 jobs, 15,000 of a factory."""
    w = coast()
    w.cell(1, 1, terrain="town", owner=1, population=100, capital=True)
    w.cell(2, 1, terrain="farm", owner=1, level=12)
    w.cell(3, 1, terrain="factory", owner=1, level=45)

    def people_and_jobs() -> tuple[int, int, int]:
        w.phase("industry")
        nation = w.world.nations[1]
        return int(nation["population"]), int(nation["farm_jobs"]), int(nation["industry_jobs"])

    assert people_and_jobs() == (100, 120, 450)
    for x in (1, 2, 3):
        assert land(w, x, 1) == 1
    w.world.clock["turn"] += 1  # workers are shared out once a turn
    assert people_and_jobs() == (90, 70, 300)
