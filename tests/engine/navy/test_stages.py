"""Who moves when: the two stages of ships and the order within one (NAVY-058, NAVY-096)."""

from __future__ import annotations

import numpy as np
import pytest

from hakoenv.engine.codes import ship_class
from hakoenv.engine.navy import fleets, hulls, ships
from hakoenv.ruleset import load_ruleset
from hakoenv.testing import SmallWorld

CLASSES = ("destroyer", "cruiser", "battleship", "carrier", "submarine")


def lineup(w: SmallWorld, early: int = 0) -> list[int]:
    order = np.empty(w.world.ships.shape[0], np.int64)
    count = ships._line_up(w.world, w.rules, early, order)
    return [int(ship) for ship in order[:count]]


@pytest.mark.rule("NAVY-058", "TURN-022", "TURN-025")
@pytest.mark.parametrize("kind", CLASSES)
def test_each_warship_moves_in_one_of_the_stages(kind: str) -> None:
    """Only destroyers move early; the distance sailed in both stages is that of one move."""
    w = SmallWorld(9, 14, 1)
    ship = w.ship(0, kind, 1, 4, fleet=0)
    w.fleet(0, 0, target=[13, 4])
    speed = {"destroyer": 5, "cruiser": 4, "battleship": 3, "carrier": 3, "submarine": 3}[kind]
    w.phase("fast_ships")
    assert ship.x == 1 + speed * (kind == "destroyer")
    w.phase("ordinary_ships")
    assert ship.x == 1 + speed


@pytest.mark.rule("NAVY-058")
def test_the_classes_that_move_early() -> None:
    rows = load_ruleset("season").table("ship_classes")
    assert [number for number, row in enumerate(rows) if row["early_move"]] == [ship_class.DESTROYER]


@pytest.mark.rule("NAVY-096", "NAVY-058")
def test_the_order_within_a_stage() -> None:
    """Nations in the turn's order, fleets, flagship before age, private ships, then ownerless ones."""
    w = SmallWorld(12, 12, 3)
    made = [
        w.ship(None, "pirate", 0, 0),
        w.ship(0, "merchant", 1, 0),
        w.ship(0, "cruiser", 2, 0, fleet=3),
        w.ship(1, "cruiser", 3, 0, fleet=1),
        w.ship(1, "submarine", 4, 0, fleet=1),
        w.ship(1, "carrier", 5, 0, fleet=1),
        w.ship(1, "battleship", 6, 0, fleet=0),
        w.ship(1, "destroyer", 7, 0, fleet=0),
        w.ship(0, "cruiser", 8, 0, fleet=15),
        w.ship(2, "cruise_ship", 9, 0),
        w.ship(0, "cruiser", 10, 0),
    ]
    assert len(made) == 11
    w.fleet(1, 1, flagship=4)
    w.world.order[:3] = 2, 1, 0
    assert lineup(w) == [9, 6, 4, 3, 5, 2, 8, 10, 1, 0]
    assert lineup(w, early=1) == [7]
    w.world.order[:3] = 0, 2, 1
    assert lineup(w) == [2, 8, 10, 1, 9, 6, 4, 3, 5, 0]


@pytest.mark.rule("NAVY-096")
def test_age_counts_and_not_the_place_in_the_list() -> None:
    w = SmallWorld(12, 12, 1)
    for x in range(4):
        w.ship(0, "cruiser", x, 0, fleet=0)
    w.world.ships["serial"][:4] = 7, 9, 1, 5
    assert lineup(w) == [0, 2, 3, 1]  # ship 0 leads
    w.world.ships["serial"][:4] = 2**31 - 1, 3, 2, 1
    w.fleet(0, 0, flagship=3)
    assert lineup(w) == [3, 2, 1, 0]


@pytest.mark.rule("NAVY-096")
@pytest.mark.parametrize("first", [0, 1])
def test_the_nation_whose_turn_it_is_first_gets_the_cell(first: int) -> None:
    """Two cruisers, each three cells from (6, 4): the second stops beside it, where its goal ends."""
    w = SmallWorld(9, 13, 2)
    pair = [w.ship(0, "cruiser", 3, 4, fleet=0), w.ship(1, "cruiser", 9, 4, fleet=0)]
    for nation in (0, 1):
        w.fleet(nation, 0, target=[6, 4])
    w.world.order[:2] = first, 1 - first
    ships.move_ordinary(w.world, w.rules)
    assert [ship.x for ship in pair] == ([6, 7] if first == 0 else [5, 6])
    assert [w.fleet(nation, 0).target for nation in (0, 1)] == [None, None]


@pytest.mark.rule("NAVY-096", "NAVY-059")
def test_a_flagship_moves_before_its_older_escort() -> None:
    w = SmallWorld(9, 14, 1)
    escort = w.ship(0, "battleship", 1, 4, fleet=0, escort=True)
    flagship = w.ship(0, "battleship", 3, 4, fleet=0)
    w.fleet(0, 0, flagship=1, target=[9, 4])
    w.phase("ordinary_ships")
    assert (flagship.x, escort.x) == (6, 4)


@pytest.mark.rule("NAVY-096", "TURN-069", "NAVY-093")
@pytest.mark.parametrize("first", [0, 1])
def test_a_ship_fires_before_the_next_one_sails(first: int) -> None:
    """Two cells apart, in range of both; the second would sail out of range, or fire back."""
    w = SmallWorld(9, 16, 2, rules={"ship_classes.cruiser.scatter": 0})
    w.war(0, 1)
    for nation, x in ((0, 3), (1, 5)):
        w.nation(nation, funds=100, ammo=5)
        w.ship(nation, "cruiser", x, 4, fleet=0, hp=1)
    w.fleet(1, 0, target=[14, 4])
    w.world.order[:2] = first, 1 - first
    ships.move_ordinary(w.world, w.rules)
    if first == 0:  # sunk before its turn: it neither sails nor fires
        assert w.ships(owner=1) == [] and w.cell(5, 4).wreck is not None
        assert (w.nation(0).ammo, w.nation(1).ammo) == (4, 5)
    else:  # away before the other's turn
        assert [ship.x for ship in w.ships()] == [3, 9]
        assert (w.nation(0).ammo, w.nation(1).ammo) == (5, 5)


@pytest.mark.rule("NAVY-102")
def test_the_oldest_ship_follows_whatever_its_place_in_the_list() -> None:
    for end in ("sunk", "struck off", "left"):
        w = SmallWorld(9, 12, 1)
        for k, serial in enumerate((9, 8, 3, 5)):
            w.ship(0, "cruiser", 2 * k, 4, fleet=2)
            w.world.ships["serial"][k] = serial
        if end == "sunk":
            hulls.sink(w.world, w.rules, 0, hulls.NOBODY)
        elif end == "struck off":
            hulls.strike_off(w.world, 0)
        else:
            fleets.leave(w.world, 0)
        assert int(w.world.fleets[0, 2]["flagship"]) == 2, end


@pytest.mark.rule("TURN-066", "NAVY-101")
def test_a_step_by_hand_is_the_whole_movement_of_the_turn() -> None:
    w = SmallWorld(9, 14, 1)
    for kind, x, y in (("destroyer", 1, 2), ("cruiser", 1, 6)):
        w.ship(0, kind, x, y, moved=w.turn, fleet=0 if kind == "destroyer" else 1)
    w.fleet(0, 0, target=[12, 2])
    w.fleet(0, 1, target=[12, 6])
    w.phase("fast_ships")
    w.phase("ordinary_ships")
    assert [(ship.x, ship.y) for ship in w.ships()] == [(1, 2), (1, 6)]


@pytest.mark.rule("TURN-025", "TURN-070", "BOMB-033")
def test_salvo_orders_end_with_the_ordinary_stage() -> None:
    w = SmallWorld(9, 14, 1)
    w.ship(0, "destroyer", 1, 2, fleet=0)
    w.ship(0, "cruiser", 1, 6, fleet=1)
    for number in (0, 1):
        w.fleet(0, number, salvo=[12, 2])
    w.phase("fast_ships")
    assert [w.fleet(0, number).salvo for number in (0, 1)] == [[12, 2], [12, 2]]
    w.phase("ordinary_ships")
    assert [w.fleet(0, number).salvo for number in (0, 1)] == [None, None]


def test_private_ships_wait_for_the_trade_rules() -> None:
    w = SmallWorld(9, 14, 1)
    made = [w.ship(0, "merchant", 1, 2), w.ship(0, "cruise_ship", 1, 6)]
    w.phase("ordinary_ships")
    assert [(ship.x, ship.y) for ship in made] == [(1, 2), (1, 6)]


@pytest.mark.rule("NAVY-093", "NAVY-103")
def test_a_warship_of_nobody_neither_sails_nor_fires_at_anybodys_expense() -> None:
    w = SmallWorld(9, 9, 2)
    w.nation(1, funds=1000, ammo=50)
    w.ship(None, "carrier", 4, 4)
    w.ship(None, "pirate", 5, 4)
    ships.move_ordinary(w.world, w.rules)
    assert (w.nation(1).funds, w.nation(1).ammo) == (1000, 50)
    assert [ship.hp for ship in w.ships(**{"class": "pirate"})] == [4]
