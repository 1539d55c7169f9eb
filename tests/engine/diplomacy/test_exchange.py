"""Exchanges: the offer, its acceptance, and both sides' goods on the way (CMD-047, MER-017)."""

from __future__ import annotations

from typing import Any

import pytest

from hakoenv.engine.codes import cause, job
from hakoenv.testing import SmallWorld
from hakoenv.testing.driver import give

FUEL, STEEL, FOOD, FUNDS = 4, 7, 8, 9
ACCEPT, WITHDRAW = 0, -1


def neighbours(turn: int = 40, **given: Any) -> SmallWorld:
    """Two nations whose lands touch, with steel, fuel and funds."""
    w = SmallWorld(9, 9, 2, turn=turn, rules={"fundraise.income": 0, **given})
    for n, town, land in ((0, 2, 3), (1, 5, 4)):
        w.cell(town, 4, terrain="town", owner=n, population=50, capital=True)
        w.cell(land, 4, terrain="plains", owner=n)
        w.nation(n, steel=500, fuel=500, funds=5000, food=5000, tariff=50)
    return w


def swap(given: int, wanted: int, give: int = STEEL, want: int = FUEL, to: int = 1) -> tuple[Any, ...]:
    return ("exchange", give, want, given * 10**4 + wanted, to)


def answer(amount: int = ACCEPT, to: int = 0) -> tuple[Any, ...]:
    return ("exchange", 0, 0, amount, to)


def go(w: SmallWorld, turn: int) -> None:
    w.world.clock[0]["turn"] = turn


@pytest.mark.rule("CMD-047", "MER-017", "NAVY-048", "MER-078")
def test_an_exchange_takes_both_sides_goods_when_it_is_accepted() -> None:
    """100 steel for 60 fuel. Over land: 64 of the 100 containers of steel, then nothing is left for the fuel.

    Each side pays its own freight, to itself; a tariff of 50% is not charged.
    """
    w = neighbours()
    assert give(w, 0, swap(100, 60), ("port_policy", 0, 0, 2, 0)) == ["done", "done"]
    assert w.nation(0).steel == 500
    go(w, 41)
    assert give(w, 1, answer()) == ["done"]
    assert (w.nation(0).steel, w.nation(0).fuel, w.nation(1).steel, w.nation(1).fuel) == (400, 500, 500, 440)
    w.phase("diplomatic_transport")
    assert (w.nation(1).steel, w.nation(0).fuel) == (564, 500)
    w.world.relations["land_used"] = 0
    w.phase("diplomatic_transport")
    assert (w.nation(1).steel, w.nation(0).fuel) == (600, 560)
    assert (w.nation(0).funds, w.nation(1).funds) == (5000, 5000)
    assert not w.world.transports["kind"].any()


@pytest.mark.rule("CMD-047", "MER-017")
def test_each_side_has_its_own_transport() -> None:
    """At sea, with one ship of nation 1: its fuel sails, and the steel of nation 0 waits for a ship."""
    w = SmallWorld(9, 27, 2, turn=40, rules={"fundraise.income": 0})
    for n, town, port in ((0, 1, 2), (1, 25, 24)):
        w.cell(town, 4, terrain="town", owner=n, population=50, capital=True)
        w.cell(port, 4, terrain="port", owner=n, level=1)
        w.nation(n, steel=500, fuel=500, funds=100)
    w.ship(1, "merchant", 23, 4, home=[24, 4])
    w.phase("shipping_open")
    give(w, 0, swap(100, 60))
    go(w, 41)
    assert give(w, 1, answer()) == ["done"]
    w.phase("diplomatic_transport")
    assert w.world.jobs[0]["job"] == job.LOADING
    assert (w.nation(0).funds, w.nation(1).funds) == (100, 97)  # 15 containers x 20 x 0.01
    waiting = w.matching("transport", {})
    assert [(t.sender, t.receiver, t.item, t.quantity, t.kind) for t in waiting] == [
        (0, 1, "steel", 100, "exchange")
    ]


@pytest.mark.rule("CMD-047")
def test_an_offer_stands_for_ten_turns_and_is_of_use_from_the_next_on() -> None:
    """Nobody accepts terms that came in the same turn, so a changed offer is not taken for the old one."""
    for turn, ok in ((40, False), (41, True), (50, True), (51, False)):
        w = neighbours()
        give(w, 0, swap(10, 5))
        go(w, turn)
        assert give(w, 1, answer()) == ["done" if ok else "no_such_offer"], turn
    w = neighbours()
    give(w, 0, swap(10, 5))
    go(w, 41)
    give(w, 0, swap(10, 300))
    assert give(w, 1, answer()) == ["no_such_offer"]
    go(w, 42)
    assert give(w, 1, answer()) == ["done"] and w.nation(1).fuel == 200
    assert give(w, 1, answer()) == ["no_such_offer"]  # once


@pytest.mark.rule("CMD-047")
def test_an_offer_can_be_withdrawn_and_belongs_to_its_side() -> None:
    w = neighbours()
    assert give(w, 1, swap(1, 2, to=0)) == ["done"]
    assert give(w, 0, swap(10, 5), answer(WITHDRAW, 1), answer(WITHDRAW, 1)) == [
        "done",
        "done",
        "no_such_offer",
    ]
    go(w, 41)
    assert give(w, 1, answer()) == ["no_such_offer"]
    assert give(w, 0, answer(ACCEPT, 1)) == ["done"]
    assert (w.nation(1).steel, w.nation(0).fuel) == (499, 498)


@pytest.mark.rule("AID-007", "SHIP-010", "CMD-047")
@pytest.mark.parametrize(
    ("order", "why"),
    [
        (swap(300, 300), "done"),
        (swap(301, 300), "bad_amount"),
        (swap(300, 301), "bad_amount"),
        (swap(3000, 3000, FOOD, FUNDS), "done"),
        (swap(3001, 1, FOOD, FUNDS), "bad_amount"),
        (swap(1, 3001, FOOD, FUNDS), "bad_amount"),
        (swap(0, 5), "done"),
        (swap(5, 0), "done"),
        (swap(5, 5, -1, FUEL), "bad_item"),
        (swap(5, 5, STEEL, 10), "bad_item"),
        (swap(5, 5, to=0), "bad_target"),
        (("exchange", STEEL, FUEL, -2, 1), "bad_amount"),
        (("exchange", STEEL, FUEL, 2**62, 1), "bad_amount"),
    ],
)
def test_what_can_be_offered(order: tuple[Any, ...], why: str) -> None:
    """300 units, 3000 food, 3000 funds a side; 0 of it is nothing."""
    assert give(neighbours(), 0, order) == [why]


@pytest.mark.rule("CMD-047", "LIMIT-012")
def test_one_turn_has_room_for_so_much_of_an_item() -> None:
    """Accepting 200 and 150 fuel in one turn is more than 300; what the other has sent counts for it, too."""
    w = SmallWorld(9, 12, 3, turn=40, rules={"fundraise.income": 0})
    for n in range(3):  # 0 touches 1, 1 touches 2
        w.cell(2 + n, 4, terrain="town", owner=n, population=50, capital=True)
        w.nation(n, steel=500, fuel=500)
    give(w, 0, swap(0, 200))
    give(w, 2, swap(0, 150))
    go(w, 41)
    assert give(w, 1, answer(to=0), answer(to=2)) == ["done", "once_a_turn"]
    go(w, 42)
    assert give(w, 1, answer(to=2)) == ["done"]
    w = SmallWorld(9, 12, 3, turn=40, rules={"fundraise.income": 0})
    for n in range(3):
        w.cell(2 + n, 4, terrain="town", owner=n, population=50, capital=True)
        w.nation(n, steel=500)
    give(w, 1, swap(200, 0, to=0), swap(101, 0, to=2))
    go(w, 41)
    assert give(w, 0, answer(to=1)) == ["done"]
    assert give(w, 2, answer(to=1)) == ["blocked"]  # it can't know what the other has sent


@pytest.mark.rule("CMD-047", "CMD-005")
def test_what_a_side_has_not_it_does_not_exchange() -> None:
    """Who accepts knows its own stock; that the other's is short stays hidden, and nothing is taken."""
    w = neighbours()
    give(w, 0, swap(100, 60))
    go(w, 41)
    w.nation(1, fuel=59)
    assert give(w, 1, answer()) == ["no_materials"]
    w.nation(1, fuel=60)
    w.nation(0, steel=99)
    assert give(w, 1, answer()) == ["blocked"]
    assert (w.nation(0).steel, w.nation(1).fuel) == (99, 60) and not w.world.transports["kind"].any()
    w.nation(0, steel=100)
    assert give(w, 1, answer()) == ["done"]
    assert (w.nation(0).steel, w.nation(1).fuel) == (0, 0)


@pytest.mark.rule("CMD-047")
@pytest.mark.parametrize("what", ["war", "pending", "embargo", "gates", "own ports", "other's ports"])
def test_with_whom_nothing_is_exchanged(what: str) -> None:
    """The same for offer and acceptance; where the gates are closed the ports of both must be open."""
    w = neighbours()
    w.cell(3, 5, terrain="port", owner=0, level=1)
    w.cell(5, 5, terrain="port", owner=1, level=1)
    give(w, 0, swap(10, 5))
    if what == "war":
        w.war(0, 1)
    elif what == "pending":
        w.relation(0, 1, state="pending", declarer=0, turns_left=3)
    elif what == "embargo":
        w.relation(0, 1, embargo=[1])
    else:
        w.relation(0, 1, gate_closed=[0])
    if what == "own ports":
        w.nation(1, port_policy="closed")
    elif what == "other's ports":
        w.nation(0, port_policy="closed")
    go(w, 41)
    why = {"war": "at_war", "pending": "at_war", "embargo": "no_deals", "gates": "done"}.get(what, "no_way")
    assert give(w, 1, answer()) == [why]
    assert give(w, 0, swap(10, 5)) == [why]


@pytest.mark.rule("LIMIT-006", "AID-006")
def test_a_young_nation_gives_nothing_for_nothing() -> None:
    """Founded on 30, 14 turns old on 44, 15 on 45; exchanging is no aid, and it may receive."""
    w = neighbours(turn=44)
    w.nation(0, founded=30)
    assert give(w, 0, swap(10, 0), swap(10, 1), swap(0, 1)) == ["too_young", "done", "done"]
    give(w, 1, swap(0, 10, to=0))
    w.world.relations["swap_until"][1, 0] = 50  # as if it had been made earlier
    assert give(w, 0, answer(to=1)) == ["too_young"]
    go(w, 45)
    assert give(w, 0, answer(to=1)) == ["done"]


@pytest.mark.rule("TURN-038", "CMD-047")
def test_the_books_name_the_exchange() -> None:
    w = neighbours()
    give(w, 0, swap(100, 60, STEEL, FUNDS))
    go(w, 41)
    w.world.accounts[:] = 0
    give(w, 1, answer())
    w.phase("diplomatic_transport")
    booked = w.world.accounts[:, cause.EXCHANGE]
    assert booked[0].tolist()[STEEL::2] == [-100, 60] and booked[1].tolist()[STEEL::2] == [64, -60]
