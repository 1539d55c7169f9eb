"""Regular shipments: offer, acceptance, the promise and what starts of it (SHIP-001 .. SHIP-012)."""

from __future__ import annotations

from typing import Any

import pytest

from hakoenv.engine.codes import command as number
from hakoenv.engine.codes import job
from hakoenv.engine.commands import validate
from hakoenv.engine.diplomacy import shipments, transport, transports
from hakoenv.engine.shipping import cargo
from hakoenv.testing import SmallWorld
from hakoenv.testing.driver import give

FUEL, STEEL, FOOD = 4, 7, 8
PORT = (6, 4)


def neighbours(turn: int = 100, **given: Any) -> SmallWorld:
    """Two nations whose lands touch, the buyer's port at (6, 4); the seller has steel, the buyer funds."""
    w = SmallWorld(9, 9, 2, turn=turn, rules={"fundraise.income": 0, **given})
    for n, town, land in ((0, 2, 3), (1, 5, 4)):
        w.cell(town, 4, terrain="town", owner=n, population=50, capital=True)
        w.cell(land, 4, terrain="plains", owner=n)
    w.cell(*PORT, terrain="port", owner=1, level=1)
    w.nation(0, steel=500, funds=100)
    w.nation(1, funds=5000, tariff=40)
    return w


def islands(turn: int = 100, **given: Any) -> SmallWorld:
    """Ports at (2, 4) and (24, 4) whose berths are 20 cells apart; an idle merchant of the seller's."""
    w = SmallWorld(9, 27, 2, turn=turn, rules={"fundraise.income": 0, **given})
    for n, town, port in ((0, 1, 2), (1, 25, 24)):
        w.cell(town, 4, terrain="town", owner=n, population=50, capital=True)
        w.cell(port, 4, terrain="port", owner=n, level=1)
    w.nation(0, steel=500, funds=100)
    w.nation(1, funds=5000, tariff=40)
    w.ship(0, "merchant", 3, 4, home=[2, 4])
    w.phase("shipping_open")
    return w


def offer(
    what: int = STEEL, quantity: int = 10, price: int = 150, cap: int = 50, port: tuple[int, int] = PORT,
    to: int = 1,
) -> tuple[Any, ...]:  # fmt: skip
    return ("regular_offer", *port, what * 10**11 + quantity * 10**7 + price * 1000 + cap, to)


def accept(offer_number: int, revision: int = 1) -> tuple[Any, ...]:
    return ("regular_accept", 0, 0, offer_number * 100 + revision, 0)


def withdraw(offer_number: int) -> tuple[Any, ...]:
    return ("regular_withdraw", 0, 0, offer_number, 0)


def at(w: SmallWorld, turn: int) -> None:
    """Go to a turn: full land routes, and what has ended is gone."""
    w.world.clock[0]["turn"] = turn
    w.world.relations["land_used"] = 0
    shipments.lapse(w.world, w.rules)


# ---------------------------------------------------------------- offer and acceptance


@pytest.mark.rule("SHIP-001", "SHIP-002", "CMD-048")
def test_an_offer_says_who_what_how_much_for_how_much_where_and_at_which_freight() -> None:
    """It is free, takes no turn, and nothing is taken for it."""
    w = neighbours()
    assert give(w, 0, offer(), ("port_policy", 0, 0, 2, 0)) == ["done", "done"]
    (made,) = w.matching("shipment", {})
    expected = {
        "id": 1, "seller": 0, "buyer": 1, "item": "steel", "quantity": 10, "price": 150, "freight_cap": 50,
        "port": list(PORT), "offered": 100, "revision": 1, "accepted": None,
    }  # fmt: skip
    assert {name: made.read(name) for name in expected} == expected
    assert w.nation(0).steel == 500 and w.nation(0).funds == 100


@pytest.mark.rule("SHIP-002", "SHIP-010", "CMD-048")
@pytest.mark.parametrize(
    ("order", "why"),
    [
        (offer(FUEL, 300, 3000), "done"),
        (offer(FUEL, 301, 3000), "bad_amount"),
        (offer(FOOD, 3000, 1), "done"),
        (offer(FOOD, 3001, 1), "bad_amount"),
        (offer(STEEL, 0), "bad_amount"),
        (offer(price=0), "bad_price"),
        (offer(price=3001), "bad_price"),
        (offer(9), "bad_item"),
        (offer(cap=0), "done"),
        (offer(to=0), "bad_target"),
        (offer(to=2), "bad_target"),
        (offer(port=(4, 4)), "not_a_port"),
        (offer(port=(9, 4)), "outside_map"),
        (("regular_offer", 6, 4, -1, 1), "bad_item"),
        (("regular_offer", 6, 4, 2**62, 1), "bad_item"),
    ],
)
def test_what_can_be_offered(order: tuple[Any, ...], why: str) -> None:
    """300 units, 3000 food, 3000 funds at most, refused and not cut; nobody asks for the stock yet."""
    assert give(neighbours(), 0, order) == [why]


@pytest.mark.rule("SHIP-002")
@pytest.mark.parametrize("what", ["war", "pending", "embargo", "embargo of the buyer", "closed", "no port"])
def test_to_whom_it_can_be_offered(what: str) -> None:
    """A port closed to the seller only makes shipments skip (SHIP-008)."""
    w = neighbours()
    if what == "war":
        w.war(0, 1)
    elif what == "pending":
        w.relation(0, 1, state="pending", declarer=0, turns_left=3)
    elif what == "closed":
        w.nation(1, port_policy="closed")
    elif what == "no port":
        w.cell(*PORT, terrain="port", owner=0, level=1)
    else:
        w.relation(0, 1, embargo=[int(what != "embargo")])
    why = {"war": "at_war", "pending": "at_war", "closed": "done", "no port": "not_a_port"}
    assert give(w, 0, offer()) == [why.get(what, "no_deals")]


@pytest.mark.rule("SHIP-003")
def test_a_change_of_an_open_offer_raises_its_revision_and_old_terms_can_not_be_accepted() -> None:
    w = neighbours()
    give(w, 0, offer(price=150))
    at(w, 101)
    give(w, 0, offer(price=180))
    at(w, 102)
    assert [(s.id, s.revision, s.price, s.offered) for s in w.matching("shipment", {})] == [(1, 2, 180, 101)]
    assert give(w, 1, accept(1, 1), accept(1, 3), accept(1, 2)) == ["no_such_offer", "no_such_offer", "done"]
    (made,) = w.matching("shipment", {})
    assert made.accepted == 102
    assert give(w, 0, offer(price=200)) == ["done"]  # a new offer: the promise can't be changed
    assert [(s.id, s.price) for s in w.matching("shipment", {})] == [(1, 180), (2, 200)]


@pytest.mark.rule("SHIP-003")
def test_terms_of_this_turn_have_not_been_seen_yet() -> None:
    w = neighbours()
    give(w, 0, offer())
    assert give(w, 1, accept(1)) == ["no_such_offer"]
    at(w, 101)
    give(w, 0, offer(price=3000))
    assert give(w, 1, accept(1, 1), accept(1, 2)) == ["no_such_offer"] * 2
    at(w, 102)
    assert give(w, 0, accept(1, 2)) == ["no_such_offer"]  # the seller
    assert give(w, 1, accept(7), accept(-1), accept(1, 2)) == ["no_such_offer", "no_such_offer", "done"]
    assert give(w, 1, accept(1, 2)) == ["no_such_offer"]  # once


@pytest.mark.rule("SHIP-004", "MER-067")
def test_the_interval_is_the_one_way_travel_time_at_the_offer() -> None:
    """20 cells at 7 a turn: 3 turns; over land 1. It stays as it is when the way changes."""
    w = neighbours()
    give(w, 0, offer())
    assert [s.interval for s in w.matching("shipment", {})] == [1]
    w = islands()
    give(w, 0, offer(port=(24, 4)))
    assert [s.interval for s in w.matching("shipment", {})] == [3]
    w.nation(0, shipping=5)  # base speed counts, not the 8 of research
    at(w, 101)
    give(w, 0, offer(FUEL, port=(24, 4)))
    assert [s.interval for s in w.matching("shipment", {})] == [3, 3]


@pytest.mark.rule("SHIP-004", "SHIP-002")
def test_without_a_known_way_there_is_no_interval_and_no_offer() -> None:
    w = islands()
    w.world.distances[:] = 255
    assert give(w, 0, offer(port=(24, 4))) == ["blocked"]  # charts are the merchants' own


@pytest.mark.rule("SHIP-005", "TURN-071")
@pytest.mark.parametrize(("turn", "ok"), [(21, True), (30, True), (31, False)])
def test_an_offer_lapses_after_ten_turns(turn: int, ok: bool) -> None:
    """Made on 20 it can be accepted on 21 to 30, whether or not the lists were swept before."""
    w = neighbours(turn=20)
    give(w, 0, offer())
    w.world.clock[0]["turn"] = turn
    assert validate.is_legal(w.world, w.rules, 1, number.REGULAR_ACCEPT, 0, 0, 101, 0) == (turn < 30)
    assert give(w, 1, accept(1)) == ["done" if ok else "no_such_offer"]
    shipments.lapse(w.world, w.rules)
    assert len(w.matching("shipment", {})) == ok


@pytest.mark.rule("SHIP-006", "CMD-048")
def test_an_offer_can_be_withdrawn_but_a_promise_can_not() -> None:
    w = neighbours()
    give(w, 0, offer(), offer(FUEL))
    assert give(w, 1, withdraw(1)) == ["no_such_offer"]
    assert give(w, 0, withdraw(1), withdraw(1), withdraw(0), withdraw(99)) == ["done"] + ["no_such_offer"] * 3
    at(w, 101)
    assert give(w, 1, accept(2)) == ["done"]
    assert give(w, 0, withdraw(2)) == ["no_such_offer"] and give(w, 1, withdraw(2)) == ["no_such_offer"]
    assert [s.id for s in w.matching("shipment", {})] == [2]


@pytest.mark.rule("SHIP-007", "AI-072", "LLM-012")
@pytest.mark.parametrize("driver", ["rule_ai", "llm", "external"])
def test_ai_nations_never_accept(driver: str) -> None:
    """Masks say so, and an order of theirs is dropped."""
    w = neighbours()
    give(w, 0, offer())
    w.nation(1, controller=driver)
    person = driver == "external"
    assert validate.is_legal(w.world, w.rules, 1, number.REGULAR_ACCEPT, 0, 0, 101, 0) == person
    at(w, 101)
    assert give(w, 1, accept(1)) == ["done" if person else "people_only"]


@pytest.mark.rule("SHIP-009")
@pytest.mark.parametrize(("level", "places"), [(1, 10), (2, 20), (5, 20)])
def test_a_port_takes_part_in_so_many_promises(level: int, places: int) -> None:
    """One that ends frees its place; a port that shrinks keeps those that run."""
    w = neighbours()
    w.cell(*PORT, terrain="port", owner=1, level=level)
    for k in range(1, places + 1):
        w.shipment(k, 0, 1, "steel", 10, 100, PORT, 90, accepted=65 if k == 1 else 94, interval=40)
    w.shipment(50, 0, 1, "steel", 10, 100, PORT, 95)
    w.world.clock[0]["turn"] = 100
    assert give(w, 1, accept(50)) == ["port_full"]
    w.world.clock[0]["turn"] = 101  # 65 + 36
    assert give(w, 1, accept(50)) == ["done"]
    w.world.cells[PORT[1], PORT[0]]["level"] = 1
    shipments.lapse(w.world, w.rules)
    assert len(w.matching("shipment", {})) == places


@pytest.mark.rule("SHIP-009")
def test_the_port_must_still_be_the_buyers() -> None:
    w = neighbours()
    w.shipment(5, 0, 1, "steel", 10, 100, PORT, 95)
    w.cell(*PORT, terrain="plains", owner=1)
    assert give(w, 1, accept(5)) == ["not_a_port"]


# ---------------------------------------------------------------- what starts


def run_promise(w: SmallWorld, turns: range) -> list[int]:
    """The turns in which a shipment started."""
    found = []
    for turn in turns:
        at(w, turn)
        before = w.nation(0).steel
        w.phase("diplomatic_transport")
        if w.nation(0).steel != before:
            found.append(turn)
    return found


@pytest.mark.rule("SHIP-001", "SHIP-004", "TURN-017")
@pytest.mark.parametrize(("interval", "count"), [(5, 8), (12, 3), (1, 36), (40, 1), (36, 1), (35, 2)])
def test_shipments_start_at_the_interval_for_36_turns(interval: int, count: int) -> None:
    """ceil(36 / interval), the first in the turn of acceptance; then the promise is over."""
    w = neighbours()
    w.shipment(3, 0, 1, "steel", 10, 20, PORT, 99, accepted=100, interval=interval, freight_cap=9)
    assert run_promise(w, range(100, 140)) == list(range(100, 136, interval))
    assert w.nation(1).steel == 10 * count and w.nation(1).funds == 5000 - 20 * count
    assert not w.matching("shipment", {})


@pytest.mark.rule("SHIP-011", "SHIP-001", "MER-015", "MER-017")
def test_goods_go_one_way_and_the_price_the_other() -> None:
    """Freight ceil(10 x 0.15) = 2 is the seller's and its own; no tariff is charged, though it is 40%."""
    w = neighbours()
    w.shipment(3, 0, 1, "steel", 10, 150, PORT, 90, accepted=100, interval=5, freight_cap=2)
    w.phase("diplomatic_transport")
    assert (w.nation(0).steel, w.nation(0).funds) == (490, 250)
    assert (w.nation(1).steel, w.nation(1).funds) == (10, 4850)


@pytest.mark.rule("SHIP-011", "MER-078")
def test_at_sea_the_price_is_held_until_arrival() -> None:
    """60 containers over 20 cells: 12 funds of freight when the ship is hired; sunk, the price goes back."""
    w = islands()
    w.shipment(3, 0, 1, "steel", 60, 900, (24, 4), 90, accepted=100, interval=3, freight_cap=12)
    w.phase("diplomatic_transport")
    assert (w.nation(0).steel, w.nation(0).funds, w.nation(1).funds) == (440, 88, 4100)
    assert w.world.jobs[0]["job"] == job.LOADING and int(w.world.jobs[0]["goal"]) == 4 * 27 + 24
    world, p = w.world, 0
    cargo.lose(world, w.rules, p, 20)  # of 60
    assert (w.nation(0).funds, w.nation(1).funds) == (88, 4100)
    world.parcels[p]["state"], world.parcels[p]["port"] = 2, -1
    cargo.arrive(world, w.rules, p, 40)
    assert (w.nation(0).funds, w.nation(1).funds, w.nation(1).steel) == (688, 4400, 40)


@pytest.mark.rule("SHIP-008", "SHIP-013", "CONT-013")
@pytest.mark.parametrize(
    "what",
    ["stock", "money", "war", "pending", "embargo", "hegemon sells", "hegemon buys", "freight",
     "cash for freight", "port closed", "port destroyed", "port captured", "no ship"],
)  # fmt: skip
@pytest.mark.parametrize("by", ["land", "sea"])
def test_a_shipment_that_can_not_start_is_skipped_and_not_made_up_for(what: str, by: str) -> None:
    """Due on 100, 105, 110: something is amiss on 100 and well again on 101: the next starts on 105."""
    w = neighbours() if by == "land" else islands()
    if by == "land" and what == "no ship":
        w.world.relations["land_used"] = 64  # the route is used up
    port = PORT if by == "land" else (24, 4)
    fare = 2  # 10 containers: 1.5 over land, 2.0 by sea
    w.shipment(3, 0, 1, "steel", 10, 150, port, 90, accepted=100, interval=5, freight_cap=fare)
    if what == "stock":
        w.nation(0, steel=9)
    elif what == "money":
        w.nation(1, funds=149)
    elif what == "war":
        w.war(0, 1)
    elif what == "pending":
        w.relation(0, 1, state="pending", declarer=1, turns_left=2)
    elif what == "embargo":
        w.relation(0, 1, embargo=[1])
    elif what.startswith("hegemon"):
        w.containment(*((0, [1]) if what == "hegemon sells" else (1, [0])))
    elif what == "freight":
        w.world.promises[0]["freight_cap"] = fare - 1
    elif what == "cash for freight":
        w.nation(0, funds=fare - 1)
    elif what == "port closed":
        w.relation(0, 1, port_policy={"1": "closed"})
    elif what == "port destroyed":
        w.cell(*port, terrain="plains", owner=1)
    elif what == "port captured":
        w.cell(*port, terrain="port", owner=0, level=1)
    elif by == "sea":
        w.world.jobs[0]["job"] = job.RETURNING
    before = w.nation(0).steel, w.nation(0).funds, w.nation(1).funds
    w.phase("diplomatic_transport")
    assert (w.nation(0).steel, w.nation(0).funds, w.nation(1).funds) == before
    assert not w.world.transports["kind"].any() and w.matching("shipment", {"id": 3})
    w.nation(0, steel=500, funds=100)
    w.nation(1, funds=5000)
    w.relation(0, 1, state="peace", embargo=[], port_policy={"1": "open"})
    w.world.containment["target"] = -1
    w.cell(*port, terrain="port", owner=1, level=1)
    w.world.promises[0]["freight_cap"] = fare
    w.world.jobs[0]["job"] = job.IDLE
    if by == "sea":
        w.phase("shipping_open")  # a port that is new on the list has no routes yet
    assert run_promise(w, range(101, 107)) == [105]


@pytest.mark.rule("SHIP-008", "MER-078")
def test_older_transports_and_lower_numbers_take_the_carrier_first() -> None:
    """70 containers wait for a route of 64: the shipments of the turn are skipped; then number 3 goes."""
    w = neighbours()
    w.transport("aid", 0, 1, "steel", 70, created=100)
    for k in (4, 3):
        w.shipment(k, 0, 1, "steel", 60, 10 * k, PORT, 90, accepted=100, interval=1, freight_cap=9)
    assert run_promise(w, range(100, 102)) == [101]
    assert w.nation(1).funds == 5000 - 30  # number 3, of which 58 containers went with 6 of the aid
    assert [t.quantity for t in w.matching("transport", {})] == [2]


@pytest.mark.rule("SHIP-001", "SHIP-009")
def test_a_promise_ends_when_the_rest_of_its_last_shipment_is_on_its_way() -> None:
    """100 steel on turn 135 (100 + 35): 64 go, 36 wait and go on 136; then the place in the list is free."""
    w = neighbours()
    w.shipment(3, 0, 1, "steel", 100, 500, PORT, 90, accepted=100, interval=35, freight_cap=10)
    at(w, 135)
    w.phase("diplomatic_transport")
    at(w, 136)
    assert w.matching("shipment", {"id": 3})
    w.phase("diplomatic_transport")
    assert (w.nation(1).steel, w.nation(1).funds, w.nation(0).funds) == (100, 4500, 600)
    at(w, 137)
    assert not w.matching("shipment", {})


@pytest.mark.rule("SHIP-012", "MER-059")
def test_pirates_spare_a_regular_shipment() -> None:
    w = islands(**{"pirate.raid_percent": 100})
    w.shipment(3, 0, 1, "steel", 60, 900, (24, 4), 90, accepted=100, interval=3)
    w.ship(0, "merchant", 12, 4, home=[2, 4], job="sailing", destination=[24, 4], cargo=[
        {"item": "steel", "quantity": 40, "kind": "regular", "from": 0, "to": 1, "shipment": 3}
    ])  # fmt: skip
    w.ship(None, "pirate", 13, 4)
    w.phase("cruise_and_raids")
    assert w.record("ship", 1).cargo == {"steel": 40}


@pytest.mark.rule("TURN-055", "SHIP-006")
def test_offers_and_promises_of_a_fallen_nation_end() -> None:
    w = neighbours()
    w.shipment(3, 0, 1, "steel", 60, 900, PORT, 90, accepted=100)
    w.shipment(4, 1, 0, "steel", 60, 900, PORT, 90)
    t = transports.open(w.world, 5, STEEL, 60, 0, 1)
    w.world.transports[t]["deal"] = 0
    transport.end_deals(w.world, w.rules, 1)
    assert not w.matching("shipment", {}) and int(w.world.transports[t]["deal"]) == -1
