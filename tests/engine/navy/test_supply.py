"""Upkeep of the navy where a case can't say it: chances, order of service, and what happened."""

import numpy as np
import pytest

from hakoenv.engine.codes import event
from hakoenv.engine.navy import supply
from hakoenv.engine.world import state_hash
from hakoenv.testing import SmallWorld

TURNS = 60
SHIPS = 40


def squadron(climate: str, hp: int = 2) -> SmallWorld:
    """A rich nation with 40 destroyers in one climate zone."""
    w = SmallWorld(height=30, width=30, nations=1)
    for k in range(SHIPS):
        w.cell(2 * (k % 10), 2 * (k // 10), terrain="sea", climate=climate)
        w.ship(0, "destroyer", 2 * (k % 10), 2 * (k // 10), hp=hp)
    return w


def supplied(w: SmallWorld, turn: int, hp: int) -> np.ndarray:
    """Hit points of all ships after the supply of a turn that they begin with ``hp``."""
    w.nation(0, funds=9000, food=9000, fuel=900)
    w.world.clock["turn"] = turn
    w.world.ships["hp"][:SHIPS] = hp
    supply.pay_navy(w.world, w.rules, 0)
    return w.world.ships["hp"][:SHIPS].copy()


@pytest.mark.rule("NAVY-085")
@pytest.mark.parametrize(
    ("climate", "percent"),
    [("tropical", 80), ("subtropical", 90), ("temperate", 100), ("subarctic", 90), ("arctic", 80)],
)
def test_recovery_goes_by_the_climate_of_the_ships_cell(climate: str, percent: int) -> None:
    """2400 draws; a right program fails with a chance below 1 in 50,000 (4.2 standard deviations)."""
    w = squadron(climate)
    healed = np.array([supplied(w, turn, 2) - 2 for turn in range(TURNS)])
    assert set(np.unique(healed).tolist()) <= {0, 1}
    if percent == 100:
        assert healed.all()
        return
    spread = (percent * (100 - percent) / healed.size) ** 0.5
    assert abs(100 * healed.mean() - percent) < 4.2 * spread
    assert len({tuple(row) for row in healed.tolist()}) > TURNS // 2  # a draw a ship and turn


@pytest.mark.rule("NAVY-085")
def test_the_zone_counts_where_the_ship_lies_not_where_its_nation_does() -> None:
    w = squadron("temperate")
    w.cell(20, 20, terrain="town", owner=0, population=10, capital=True, climate="arctic")
    w.world.cells["climate"][0, 0] = 4
    rows = np.array([supplied(w, turn, 2) - 2 for turn in range(TURNS)])
    assert rows[:, 1:].all() and not rows[:, 0].all()


@pytest.mark.rule("NAVY-086")
def test_a_draw_depends_on_nothing_that_ships_at_full_hit_points_do() -> None:
    w = squadron("arctic")
    damaged = supplied(w, 7, 2)
    others = squadron("arctic")
    others.nation(0, funds=9000, food=9000, fuel=900)
    others.world.clock["turn"] = 7
    others.world.ships["hp"][:SHIPS:2] = 4  # every second one is whole
    supply.pay_navy(others.world, others.rules, 0)
    assert others.world.ships["hp"][1:SHIPS:2].tolist() == damaged[1::2].tolist()
    assert (others.world.ships["hp"][:SHIPS:2] == 4).all()


@pytest.mark.rule("NAVY-094")
def test_the_oldest_is_served_first_whatever_its_place_in_the_list_of_ships() -> None:
    w = SmallWorld(height=9, width=9, nations=1)
    for k, serial in enumerate((30, 10, 20)):
        w.ship(0, "destroyer", 2 * k, 4, hp=3)
        w.world.ships["serial"][k] = serial
    w.nation(0, funds=100, food=100, fuel=2)
    w.phase("naval_supply")
    assert w.world.ships["hp"][:3].tolist() == [2, 4, 4]  # no fuel for the youngest


@pytest.mark.rule("NAVY-088", "NAVY-042", "NAVY-070")
def test_who_sinks_for_want_of_fuel_has_no_killer_and_leaves_a_wreck() -> None:
    w = SmallWorld(height=9, width=9, nations=2)
    w.cell(4, 4, terrain="shallows", owner=None)
    w.ship(0, "destroyer", 4, 4, hp=1, fleet=3)
    w.ship(0, "submarine", 6, 4, hp=1, fleet=3)
    w.nation(0, funds=100, food=100, fuel=1)
    w.phase("naval_supply")
    (sunk,) = w.ships(owner=0)
    assert sunk.read("class") == "destroyer" and sunk.hp == 2  # it took the only fuel
    rows = w.world.events[: int(w.world.clock["event_count"][0])]
    (lost,) = rows[rows["kind"] == event.SHIP_SUNK]
    assert (lost["nation"], lost["other"], lost["cell"]) == (0, -1, 4 * 9 + 6)
    (wreck,) = w.world.wrecks[w.world.wrecks["kind"] > 0]
    assert (wreck["cell"], wreck["kind"], wreck["turn"]) == (4 * 9 + 6, 5, w.turn)


@pytest.mark.rule("NAVY-083", "NAVY-091", "NAVY-087")
def test_who_has_no_navy_pays_nothing() -> None:
    w = SmallWorld(height=9, width=9, nations=2)
    w.cell(2, 2, terrain="port", owner=0, level=1)
    w.cell(3, 3, terrain="naval_port", owner=1)
    w.ship(0, "merchant", 4, 4)
    w.ship(1, "destroyer", 6, 4)
    w.nation(0, funds=100, food=100, fuel=10)
    w.phase("sightings")
    before = state_hash(w.world)
    supply.pay_navy(w.world, w.rules, 0)
    assert state_hash(w.world) == before
