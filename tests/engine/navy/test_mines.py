"""What mines do to ships that come onto them (NMINE-004, NMINE-012, NAVY-006)."""

from __future__ import annotations

import pytest

from hakoenv.engine import territory
from hakoenv.engine.codes import event, ship_class, terrain
from hakoenv.engine.navy import sailing
from hakoenv.ruleset import load_ruleset
from hakoenv.testing import SmallWorld


def events(w: SmallWorld) -> list[tuple[str, int, int, int, int]]:
    listed = w.world.events[: int(w.world.clock[0]["event_count"])]
    fields = ("nation", "other", "cell", "amount")
    return [(event.NAMES[int(e["kind"])], *(int(e[name]) for name in fields)) for e in listed]  # type: ignore[misc]


def mined(owner: int | None, level: int) -> SmallWorld:
    """A mine at (5, 4)."""
    w = SmallWorld(9, 12, 3)
    w.cell(5, 4, terrain="naval_mine", owner=owner, level=level)
    return w


def step(w: SmallWorld) -> int:
    """Ship 0 goes to (5, 4)."""
    return int(sailing.enter(w.world, w.rules, 0, w.place(5, 4)))


@pytest.mark.rule("NMINE-004", "NAVY-006")
@pytest.mark.parametrize(("level", "left"), [(1, 6), (2, 4)])
def test_two_hit_points_for_each_of_its_power_and_no_research(level: int, left: int) -> None:
    w = mined(1, level)
    w.nation(1, military=5)
    ship = w.ship(0, "battleship", 4, 4, hp=8)
    assert step(w) == sailing.STRUCK
    assert (ship.x, ship.y, ship.hp) == (5, 4, left)
    cell = w.cell(5, 4)
    assert (cell.terrain, cell.owner) == ("sea", None)
    assert events(w) == [("mine_struck", 0, 1, w.place(5, 4), 2 * level)]
    assert w.world.cells[4, 5]["ship"] == 0 and w.world.cells[4, 4]["ship"] == -1


@pytest.mark.rule("NMINE-004", "NAVY-042")
def test_a_ship_without_hit_points_left_sinks() -> None:
    w = mined(1, 2)
    w.ship(0, "destroyer", 4, 4, hp=3)
    assert step(w) == sailing.STRUCK
    assert not w.ships() and w.world.cells[4, 5]["ship"] == -1
    assert w.cell(5, 4).terrain == "sea"
    struck, sunk = events(w)
    assert struck == ("mine_struck", 0, 1, w.place(5, 4), 3)  # no more than it had
    assert sunk == ("ship_sunk", 0, 1, w.place(5, 4), ship_class.DESTROYER)
    assert (w.world.wrecks[0]["cell"], w.world.wrecks[0]["kind"]) == (w.place(5, 4), ship_class.DESTROYER)


@pytest.mark.rule("NMINE-004")
def test_its_owner_passes_unharmed_and_leaves_it() -> None:
    w = mined(0, 2)
    ship = w.ship(0, "destroyer", 4, 4, hp=2)
    assert step(w) == sailing.ENTERED
    assert (ship.x, ship.y, ship.hp) == (5, 4, 2)
    cell = w.cell(5, 4)
    assert (cell.terrain, cell.owner, cell.level) == ("naval_mine", 0, 2)
    assert sailing.enter(w.world, w.rules, 0, w.place(6, 4)) == sailing.ENTERED
    assert w.cell(5, 4).terrain == "naval_mine" and not events(w)


@pytest.mark.rule("NMINE-004", "NMINE-012")
@pytest.mark.parametrize("state", ["peace", "amity", "war"])
def test_whoever_its_owner_is_to_the_ship(state: str) -> None:
    w = mined(1, 1)
    w.relation(0, 1, state=state)
    ship = w.ship(0, "cruiser", 4, 4, hp=6)
    assert step(w) == sailing.STRUCK and ship.hp == 4


@pytest.mark.rule("NMINE-004", "NMINE-012")
@pytest.mark.parametrize(
    ("owner", "kind"), [(0, "destroyer"), (0, "merchant"), (None, "pirate"), (1, "cruise_ship")]
)
def test_a_mine_of_nobody_harms_every_ship(owner: int | None, kind: str) -> None:
    w = mined(None, 1)
    w.ship(owner, kind, 4, 4, hp=2)
    assert step(w) == sailing.STRUCK
    assert not w.ships()
    assert [entry[:3] for entry in events(w)] == [
        ("mine_struck", -1 if owner is None else owner, -1),
        ("ship_sunk", -1 if owner is None else owner, -1),
    ]


@pytest.mark.rule("NMINE-004")
def test_water_without_a_mine_does_nothing() -> None:
    w = SmallWorld(9, 12, 2)
    ship = w.ship(0, "cruiser", 4, 4)
    assert step(w) == sailing.ENTERED and ship.hp == 3 and not events(w)


@pytest.mark.rule("NMINE-012")
def test_mines_are_counted_by_owner() -> None:
    w = SmallWorld(9, 12, 2)
    for x, owner in enumerate((0, 0, 1, None, 0)):
        w.cell(x, 4, terrain="naval_mine", owner=owner, level=1)
    w.cell(8, 8, terrain="plains", owner=0)
    assert [territory.count(w.world, nation, terrain.NAVAL_MINE) for nation in (0, 1)] == [3, 1]
    assert load_ruleset("season")["naval_mine.nation_max"] == 10
    assert load_ruleset("season")["naval_mine.damage_per_strength"] == 2
