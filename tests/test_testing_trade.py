"""Trade in small worlds and cases: ships with homes and cargo, deals, and what is kept from turn to turn."""

import copy

import pytest

from hakoenv.engine import soundness
from hakoenv.engine.codes import event, parcel
from hakoenv.testing import CaseError, SmallWorld, expect, run_case


def harbour_town(**options):
    """Ports of nation 0 at (2, 4) and of nation 1 at (9, 4), each with a capital behind it."""
    w = SmallWorld(height=9, width=12, turn=40, **options)
    for nation, (port, town) in enumerate(((2, 1), (9, 10))):
        w.cell(port, 4, terrain="port", owner=nation, level=1)
        w.cell(town, 4, terrain="town", owner=nation, population=50, capital=True)
    return w


def sound(w):
    assert soundness.faults(w.world, w.rules) == []
    return w


def test_a_private_ship_has_nothing_to_do_and_its_upkeep_is_paid():
    w = harbour_town()
    ship = w.ship(0, "merchant", 3, 4)
    nothing = {"home": None, "temp_home": None, "destination": None, "last_unload": None, "last_call": None,
               "job": "idle", "upkeep_paid": True, "dormant": False, "no_route_since": None, "arrived": 0,
               "waited": 0, "fuel_counter": 0, "unlooted": 0, "cargo": {}, "to_load": {}}  # fmt: skip
    assert {name: ship.read(name) for name in nothing} == nothing
    assert not w.ship(None, "pirate", 5, 5).upkeep_paid
    sound(w)


def test_speed_and_capacity_follow_from_class_and_research():
    """Speed 7 and 128 containers; at level 5 floor(8.05) and floor(147.2), but 128 for nations' goods."""
    w = harbour_town()
    ship = w.ship(0, "merchant", 3, 4)
    assert (ship.speed, ship.capacity, ship.diplomatic_capacity) == (7, 128, 128)
    w.nation(0, shipping=5)
    assert (ship.speed, ship.capacity, ship.diplomatic_capacity) == (8, 147, 128)
    with pytest.raises(CaseError, match="it follows from the world"):
        w.ship(0, "merchant", 3, 5, speed=3)


def test_a_ship_that_returns_is_bound_for_its_home():
    w = harbour_town()
    home, other = (2, 4), (9, 4)
    assert w.ship(0, "merchant", 4, 4, job="returning", home=home).destination == [2, 4]
    assert w.ship(0, "merchant", 4, 5, job="returning", home=home, temp_home=other).destination == [9, 4]
    assert w.ship(0, "merchant", 4, 6, job="returning", home=home, destination=other).destination == [9, 4]
    sound(w)


def test_only_the_home_of_a_dormant_ship_may_be_off_the_map():
    w = harbour_town()
    assert w.ship(0, "cruise_ship", 4, 4, home=(30, 1), dormant=True).home is None
    with pytest.raises(CaseError, match="outside the map"):
        w.ship(0, "cruise_ship", 5, 4, home=(30, 1))


def test_an_item_map_is_the_owners_own_goods_aboard():
    w = harbour_town()
    ship = w.ship(0, "fishing_boat", 5, 5, home=(2, 4), cargo={"food": 9, "wood": 0})
    assert ship.cargo == {"food": 9}
    (place,) = (w.world.parcels["state"] == parcel.ABOARD).nonzero()[0]
    made = w.world.parcels[place]
    assert [int(made[name]) for name in ("kind", "source", "receiver", "deal", "port")] == [0, 0, 0, -1, -1]
    sound(w)


def test_sold_goods_keep_their_price_and_tariff():
    w = harbour_town()
    sold = {
        "item": "goods",
        "quantity": 30,
        "kind": "trade",
        "from": 1,
        "to": 0,
        "price": 10.125,
        "tariff": 0.5,
    }
    ship = w.ship(1, "merchant", 4, 4, home=(9, 4), cargo=[sold, {**sold, "price": 11}])
    assert ship.cargo == {"goods": 60}
    made = w.world.parcels[0]
    assert [int(made[name]) for name in ("kind", "price", "tariff", "source", "receiver", "ship")] == [
        parcel.TRADE, 10_125, 500, 1, 0, 0,
    ]  # fmt: skip
    assert w.world.clock["parcels"][0] == 2
    sound(w)


def test_goods_to_load_lie_at_the_port_beside_the_ship():
    w = harbour_town()
    w.cell(4, 4, terrain="port", owner=0, level=1)
    sold = [{"item": "goods", "quantity": 30, "kind": "trade", "to": 1}]
    between = w.ship(0, "merchant", 3, 4, home=(4, 4), job="loading", to_load=sold)  # beside both ports
    afar = w.ship(0, "merchant", 7, 7, home=(4, 4), job="loading", to_load=sold)
    lost = w.ship(0, "merchant", 5, 4, home=(9, 4), job="loading", to_load=sold)
    assert [between.to_load, afar.to_load, lost.to_load, between.cargo] == [{"goods": 30}] * 3 + [{}]
    ports = [w.world.parcels[p]["port"] for p in range(3)]
    assert ports == [w.place(4, 4)] * 3
    with pytest.raises(CaseError, match="lies at no port"):
        w.ship(0, "merchant", 7, 8, to_load=sold)
    sound(w)


def test_goods_bound_for_bond_are_their_owners():
    w = harbour_town(rules={"port.transit_deposits_enabled": 1})
    entry = {"item": "steel", "quantity": 100, "kind": "bond", "from": 0, "to": 1, "value": 1500}
    w.ship(0, "merchant", 8, 4, home=(2, 4), cargo=[entry])
    made = w.world.parcels[0]
    assert [int(made[name]) for name in ("price", "source", "receiver", "deal")] == [1_500_000, 0, 0, -1]
    sound(w)


def test_bonded_goods_lie_at_a_port_since_a_turn():
    w = harbour_town()
    stored = w.bonded((9, 4), 0, "steel", 40, deposited=34)
    assert (stored.port, stored.owner, stored.quantity, stored.deposited) == ([9, 4], 0, 40, 34)
    assert w.bonded((9, 4), 1, "fuel", 4).deposited == 40
    assert len(w.matching("bonded", {"item": "steel", "port": [9, 4]})) == 1
    with pytest.raises(CaseError, match="is no port"):
        w.bonded((5, 5), 0, "steel", 1)
    sound(w)


def test_an_open_lot_holds_its_goods_and_its_bid():
    w = harbour_town()
    lot = w.auction(17, 0, "steel", 10, 50, 45, bid=105, bidder=1, extensions=2)
    shown = {name: lot.read(name) for name in ("lot", "seller", "item", "quantity", "bid", "bidder", "state")}
    assert shown == {"lot": 17, "seller": 0, "item": "steel", "quantity": 10, "bid": 105, "bidder": 1,
                     "state": "open"}  # fmt: skip
    assert (lot.freight, lot.lost, lot.extensions, lot.settled) == (11, 0, 2, None)  # ceil(10.5)
    assert w.world.clock["lots_made"][0] == 17
    assert not w.world.transports["kind"].any()
    sound(w)


def test_a_sold_lot_waits_but_for_what_is_lost_or_under_way():
    """Of 100, 20 are lost and 50 aboard: 30 wait; 800 are held for them, and ceil(80) for freight."""
    w = harbour_town()
    lot = w.auction(2, 0, "goods", 100, 500, 30, bid=800, bidder=1, state="sold", lost=20)
    cargo = {"item": "goods", "quantity": 50, "kind": "auction", "lot": 2}
    w.ship(0, "merchant", 3, 4, home=(2, 4), cargo=[cargo])
    (waiting,) = w.matching("transport", {"lot": 2})
    assert (waiting.kind, waiting.sender, waiting.receiver, waiting.quantity) == ("auction", 0, 1, 30)
    assert (waiting.ordered, waiting.price, waiting.freight, waiting.created) == (100, 800, 80, 30)
    assert (lot.freight, lot.lost, lot.settled) == (80, 20, 30)
    assert w.world.parcels[0]["deal"] == 0
    w.transport("auction", 0, 1, "goods", 25, lot=2, port=(9, 4))  # 5 more are lost
    assert (lot.lost, waiting.port) == (25, [9, 4])
    with pytest.raises(CaseError, match="auction 2 has 25 units to carry, not 26"):
        w.ship(0, "merchant", 3, 5, cargo=[{**cargo, "quantity": 26}])
    sound(w)


def test_aid_under_way_has_a_transport_of_its_own():
    w = harbour_town()
    aid = {"item": "steel", "quantity": 40, "kind": "aid", "to": 1}
    w.ship(0, "merchant", 3, 4, cargo=[aid, {**aid, "item": "funds", "quantity": 7}])
    sent = w.world.transports
    assert sent["kind"][:3].tolist() == [parcel.AID, parcel.AID, 0]
    assert sent["quantity"][:2].tolist() == [40, 7]
    assert w.matching("transport", {}) == []  # nothing of it waits
    sound(w)


def test_a_regular_shipment_is_paid_with_what_is_held():
    w = harbour_town()
    w.shipment(12, 0, 1, "steel", 10, 150, (9, 4), 30, freight_cap=5, interval=3, accepted=35)
    w.ship(0, "merchant", 3, 4, cargo=[{"item": "steel", "quantity": 10, "kind": "regular", "shipment": 12}])
    sent = w.world.transports[0]
    assert (sent["price"], sent["quantity"], sent["waiting"], sent["port"]) == (150, 10, 0, w.place(9, 4))
    assert w.transport("regular", 0, 1, "steel", 10, shipment=12).price == 150
    offer = w.shipment(13, 1, 0, "oil", 4, 9, (2, 4), 39)
    assert (offer.accepted, offer.revision, offer.id) == (None, 1, 13)
    sound(w)


def test_cargo_of_a_contract_is_a_shipment_that_was_sent():
    w = harbour_town()
    deal = w.contract(3, 1, 0, "steel", 32, 12.5, 30, 6, port=(9, 4), delivered=1)
    assert (deal.sent, deal.delivered, deal.price, deal.port) == (1, 1, 12.5, [9, 4])
    due = {"item": "steel", "quantity": 32, "kind": "contract", "contract": 3}
    w.ship(0, "merchant", 3, 4, home=(2, 4), cargo=[due])
    assert deal.sent == 2
    made = w.world.parcels[0]
    assert [int(made[name]) for name in ("price", "source", "receiver", "deal")] == [0, 0, 1, 0]
    sound(w)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda w: w.ship(0, "merchant", 3, 4, cargo=[{"item": "steel", "quantity": 4}]),
         '"kind" is missing'),
        (lambda w: w.ship(0, "merchant", 3, 4, cargo=["steel"]), "no object with item, quantity"),
        (lambda w: w.ship(0, "merchant", 3, 4, cargo={"gold": 3}), 'unknown item "gold"'),
        (lambda w: w.ship(0, "merchant", 3, 4, cargo={"food": -3}), "-3 is not between 0"),
        (lambda w: w.ship(0, "merchant", 3, 4, cargo={"funds": 3}), 'unknown item "funds"'),
        (lambda w: w.ship(None, "pirate", 3, 4, cargo={"food": 3}), "only private ships carry goods"),
        (lambda w: w.ship(0, "cruiser", 3, 4, job="idle"), "only private ships have it"),
        (lambda w: w.ship(0, "merchant", 3, 4, job="asleep"), "unknown job 'asleep'; there are idle"),
        (lambda w: w.ship(0, "merchant", 3, 4, fuel_counter=-1), "-1 is not between 0"),
        (lambda w: cargo(w, "trade"), '"to" is missing'),
        (lambda w: cargo(w, "loot"), "unknown kind of cargo 'loot'"),
        (lambda w: cargo(w, "own", price=3), '"price" does not go with kind "own"'),
        (lambda w: cargo(w, "trade", to=1, lot=3), '"lot" does not go with kind "trade"'),
        (lambda w: cargo(w, "trade", to=1, mood=3), 'unknown key "mood"'),
        (lambda w: cargo(w, "trade", to=5), "5 is not between 0 and 1"),
        (lambda w: cargo(w, "contract"), '"contract" is missing'),
        (lambda w: cargo(w, "contract", contract=1), "there is no contract 1"),
        (lambda w: cargo(w, "auction", lot=17), 'auction 17 is not in state "sold"'),
        (lambda w: cargo(w, "regular", shipment=12), "the deal is about goods"),
        (lambda w: cargo(w, "regular", item="goods", shipment=12, to=0), '"from" and "to" are not 0 and 1'),
        (lambda w: w.auction(17, 0, "ore", 3, 1, 50), "two auctions have the number 17"),
        (lambda w: w.auction(18, 0, "ore", 3, 1, 50, bid=4), "a bid has a bidder"),
        (lambda w: w.auction(18, 0, "ore", 3, 1, 50, bid=4, bidder=0), "are the same nation"),
        (lambda w: w.auction(18, None, "ore", 3, 1, 50), "None is not a whole number"),
        (lambda w: w.auction(18, 0, "funds", 3, 1, 50), 'unknown item "funds"'),
        (lambda w: w.auction(18, 0, "ore", 3, 1, 50, lost=1), 'only an auction in state "sold"'),
        (lambda w: w.auction(18, 0, "ore", 3, 1, 50, state="sold"), "has a bid and a bidder"),
        (lambda w: w.auction(18, 0, "ore", 3, 1, 50, state="free"), "unknown state 'free'"),
        (lambda w: w.auction(18, 0, "ore", 3, -1, 50), 'auction field "min_price": -1 is not between 0'),
        (lambda w: w.auction(18, 0, "ore", 3, 1, 50, fee=2), 'unknown auction field "fee"'),
        (lambda w: w.contract(1, 1, 1, "ore", 20, 5, 30, 4), '"buyer" and "seller" are the same nation'),
        (lambda w: w.contract(0, 1, 0, "ore", 20, 5, 30, 4), "0 is not between 1"),
        (lambda w: w.transport("trade", 0, 1, "ore", 3), "is no kind of transport"),
        (lambda w: w.transport("aid", 0, 1, "ore", 3, lot=17), '"lot" does not go with kind "aid"'),
        (lambda w: w.nation(0, waiting_last=[1]), "are not containers for ports"),
        (lambda w: w.nation(0, supply_forbid=[[0, None]]), "0 is the nation itself"),
        (lambda w: w.nation(0, short_last=["funds"]), 'unknown item "funds"'),
        (lambda w: w.relation(0, 1, gate_closed=[3]), "only 0 and 1 can set it"),
        (lambda w: w.cell(2, 4, fish_stock=3), "only sea can be a fishing ground"),
    ],
)  # fmt: skip
def test_what_can_not_be_says_what_and_why(call, message):
    w = harbour_town()
    w.auction(17, 0, "steel", 10, 50, 45)
    w.shipment(12, 0, 1, "goods", 10, 150, (9, 4), 30)
    with pytest.raises(CaseError) as error:
        call(w)
    assert message in str(error.value)


def cargo(w, kind, item="steel", **given):
    w.ship(0, "merchant", 3, 4, cargo=[{"item": item, "quantity": 4, "kind": kind, **given}])


def test_what_a_nation_keeps_of_its_trade():
    w = SmallWorld(nations=3)
    kept = {"short_last": ["steel"], "surplus_last": ["wood", "food"], "waiting_last": [20, 7],
            "cruise_unpaid": 6.125, "cruise_record": [40, 12], "supply_forbid": [[None, "ore"], [2, None]],
            }  # fmt: skip
    nation = w.nation(0, **kept, aid_sent={"steel": 4, "funds": 9, "reserves": 100})
    assert {name: nation.read(name) for name in kept} == kept
    assert {name: sent for name, sent in nation.aid_sent.items() if sent} == {
        "steel": 4, "funds": 9, "reserves": 100,
    }  # fmt: skip
    assert (w.nation(1).supply_forbid, w.nation(1).cruise_record) == ([], [0, 0])
    w.nation(0, supply_forbid=[[1, "oil"], [2, "oil"], [1, "steel"]])
    assert nation.supply_forbid == [[None, "oil"], [1, "steel"]]
    w.nation(0, supply_forbid=[[None, None]])
    assert nation.supply_forbid == [[None, None]]
    sound(w)


def test_ports_grounds_and_gates():
    w = harbour_town()
    assert (w.cell(2, 4).handled, w.cell(5, 5).fish_stock) == (0, None)
    w.cell(9, 4, handled=200)
    w.cell(5, 5, fish_stock=300)
    w.relation(0, 1, gate_closed=[1], land_used=12)
    assert (w.cell(9, 4).handled, w.cell(5, 5).fish_stock, w.relation(1, 0).land_used) == (200, 300, 12)
    assert (w.relation(0, 1).gate_closed, w.relation(1, 0).gate_closed) == ([1], [1])
    w.cell(5, 5, fish_stock=None)
    assert w.cell(5, 5).fish_stock is None
    assert (w.relation(0, 1, gate_closed=[]).gate_closed, w.world.harbours["cell"][:2].tolist()) == (
        [], [w.place(2, 4), w.place(9, 4)],
    )  # fmt: skip
    sound(w)


CASE = {
    "id": "T-1",
    "world": {
        "height": 9, "width": 12, "nations": 2, "turn": 40,
        "cells": [
            {"x": 2, "y": 4, "terrain": "port", "owner": 0, "level": 1},
            {"x": 1, "y": 4, "terrain": "town", "owner": 0, "population": 50, "capital": True},
            {"x": 9, "y": 4, "terrain": "port", "owner": 1, "level": 1, "handled": 7},
            {"x": 10, "y": 4, "terrain": "town", "owner": 1, "population": 50, "capital": True},
        ],
        "nation": {"0": {"private_steel": 900, "tariff": 0}, "1": {"tariff": 10}},
        "ships": [
            {"owner": 0, "class": "merchant", "x": 3, "y": 4, "home": [2, 4], "job": "sailing",
             "destination": [9, 4],
             "cargo": [{"item": "goods", "quantity": 5, "kind": "auction", "from": 0, "to": 1, "lot": 2},
                       {"item": "steel", "quantity": 8, "kind": "contract", "contract": 1}]},
        ],
        "auctions": [
            {"lot": 2, "seller": 0, "item": "goods", "quantity": 9, "min_price": 5, "deadline": 30,
             "bid": 80, "bidder": 1, "state": "sold", "settled": 30},
            {"lot": 3, "seller": 1, "item": "fuel", "quantity": 9, "min_price": 5, "deadline": 50},
        ],
        "contracts": [{"id": 1, "buyer": 1, "seller": 0, "item": "steel", "quantity": 8, "price": 12.5,
                       "signed": 36, "interval": 6}],
        "shipments": [{"id": 4, "seller": 0, "buyer": 1, "item": "ore", "quantity": 3, "price": 9,
                       "port": [9, 4], "offered": 38}],
        "transports": [{"kind": "aid", "sender": 1, "receiver": 0, "item": "food", "quantity": 30}],
        "bonded": [{"port": [9, 4], "owner": 0, "item": "wood", "quantity": 6, "deposited": 38}],
    },
    "run": {"none": True},
    "expect": [
        {"ship": {"owner": 0}, "cargo": {"goods": 5, "steel": 8}, "job": "sailing", "home": [2, 4]},
        {"auction": {"lot": 2}, "state": "sold", "freight": 8},
        {"auction": {"seller": 1}, "bid": 0, "bidder": None, "count": 1},
        {"contract": {"id": 1}, "sent": 1, "port": None, "refused": False},
        {"shipment": {"buyer": 1}, "accepted": None, "freight_cap": 0},
        {"transport": {"kind": "auction"}, "quantity": 4, "lot": 2},
        {"transport": {}, "count": 2},
        {"bonded": {"owner": 0}, "quantity": 6, "deposited": 38},
        {"bonded": {"owner": 1}, "count": 0},
        {"cell": [9, 4], "handled": 7},
        {"may_trade": {"nations": [0, 1], "by": "sea"}, "value": True},
        {"may_trade": {"nations": [0, 1], "by": "land"}, "value": False},
        {"route": {"from": [3, 4], "to": [9, 4]}, "length": None},
        {"notice": {"nation": 1, "kind": "contract_breach"}, "value": False},
    ],
}  # fmt: skip


def test_a_case_of_trade_passes():
    assert run_case(CASE) == []
    sound(SmallWorld.from_case(CASE))


@pytest.mark.parametrize(
    ("entry", "failure"),
    [
        ({"ship": {"owner": 0}, "cargo": {"goods": 5}},
         "ship {'owner': 0}: cargo is {'goods': 5, 'steel': 8}, expected {'goods': 5}"),
        ({"ship": {"owner": 0}, "cargo": {}},
         "ship {'owner': 0}: cargo is {'goods': 5, 'steel': 8}, expected {}"),
        ({"ship": {"owner": 0}, "to_load": {"oil": 1}},
         "ship {'owner': 0}: to_load is {}, expected {'oil': 1}"),
        ({"auction": {"lot": 4}, "bid": 3}, "auction {'lot': 4}: 0 match, expected one"),
        ({"route": {"from": [3, 4], "to": [9, 4]}, "length": 5},
         "route {'from': [3, 4], 'to': [9, 4]}: length is None, expected 5"),
        ({"bonded": {"owner": 0}, "mood": 1}, 'expect[0]: unknown bonded field "mood"'),
        ({"may_trade": {"nations": [0, 1], "by": "air"}, "value": True}, "expect[0]: \"by\" is 'air'"),
        ({"notice": {"nation": 0, "kind": "joint_declaration"}, "value": True},
         "notice {'nation': 0, 'kind': 'joint_declaration'}: value is False, expected True"),
        ({"notice": {"nation": 0, "kind": ["rain"]}, "value": True}, "expect[0]: unknown kind of notice"),
        ({"notice": {"nation": 2, "kind": "contract_breach"}, "value": True}, "expect[0]: unknown nation 2"),
    ],
)  # fmt: skip
def test_what_does_not_hold_is_said(entry, failure):
    (said,) = run_case({**CASE, "expect": [entry]})
    assert said.startswith(failure)


def test_part_of_a_cargo_can_be_expected_by_conditions():
    entry = {"ship": {"owner": 0}, "cargo": {"goods": {"min": 5}, "steel": {"in": [8, 9]}, "oil": 0}}
    assert run_case({**CASE, "expect": [entry]}) == []


@pytest.mark.parametrize(
    ("section", "entry", "message"),
    [
        ("auctions", {"lot": 1, "seller": 0}, 'auctions[0]: "item" is missing'),
        ("auctions", {"lot": 1, "sellor": 0}, 'auctions[0]: "seller" is missing'),
        ("contracts", 5, "contracts[0] is not an object: 5"),
        ("bonded", {"port": [2, 4], "owner": 0, "item": "wood", "quantity": 1, "id": 1},
         'bonded[0]: unknown bonded field "id"'),
        ("transports", {"kind": ["aid"], "sender": 0, "receiver": 1, "item": "wood", "quantity": 1},
         "unknown kind of cargo ['aid']"),
        ("shipments", {"id": 1, "seller": 0, "buyer": 1, "item": {}, "quantity": 1, "price": 1,
                       "port": [2, 4], "offered": 1}, 'shipments[0]: unknown item "{}"'),
        ("ships", {"owner": 0, "class": "merchant", "x": 5, "y": 5, "home": 7}, "7 is not a list"),
        ("ships", {"owner": 0, "class": "merchant", "x": 5, "y": 5, "cargo": 7}, "7 is not a list"),
        ("ships", {"owner": 0, "class": "merchant", "x": 5, "y": 5, "upkeep_paid": 1},
         "neither true nor false"),
    ],
)  # fmt: skip
def test_nothing_malformed_is_an_engine_error_or_passed_over(section, entry, message):
    case = copy.deepcopy(CASE)
    del case["world"]["ships"]
    case["world"][section] = [entry]
    case["expect"] = [{"season": True, "ended": False}]
    (failure,) = run_case(case)
    assert message in failure and "engine error" not in failure


def test_terms_of_trade_are_those_of_the_turn():
    """Steel is worth more to nation 1, which has none: midway between both prices, 10% tariff on top."""
    terms = {"trade": {"seller": 0, "buyer": 1, "item": "steel"}}
    w = SmallWorld.from_case(CASE)
    w.phase("turn_state")
    low, high = (int(w.world.nations[n]["prices"][7]) for n in (0, 1))
    assert low < high
    price = (low + high) // 2
    entry = {**terms, "price": price / 1000, "tariff": price * 10 // 100 / 1000, "made": True}
    back = {"trade": {"seller": 1, "buyer": 0, "item": "steel"}, "made": False}
    assert run_case({**CASE, "run": {"phases": ["turn_state"]}, "expect": [entry, back]}) == []


def test_a_breach_is_told_to_everybody():
    w = SmallWorld.from_case(CASE)
    w.world.clock["event_kinds"][0, event.SUPPLY_BREACH] = 1
    assert expect.check(w, {"notice": {"nation": 1, "kind": "contract_breach"}, "value": True}) == []


def test_a_phase_alone_finds_the_ports():
    w = harbour_town()
    w.phase("ranking")
    assert w.world.harbours["cell"][:2].tolist() == [w.place(2, 4), w.place(9, 4)]


def test_amounts_of_orders_may_have_64_bits() -> None:
    """The amount of an offer of 20 fuel for 300 is above 31 bits; x, y and target keep to these."""
    amount = 4 * 10**11 + 20 * 10**7 + 300 * 10**3 + 50
    w = SmallWorld(height=6, width=8, nations=2)
    w.order(0, "regular_offer", 1, 1, amount=amount, target=1)
    assert w.world.plans["amount"][0, 0] == amount
    w.order(0, "regular_offer", 1, 1, amount=-(2**63), target=1)
    with pytest.raises(CaseError, match="amount"):
        w.order(0, "regular_offer", 1, 1, amount=2**63, target=1)
    with pytest.raises(CaseError, match="target"):
        w.order(0, "regular_offer", 1, 1, amount=1, target=2**31)
    orders = [{"nation": 0, "command": "regular_offer", "x": 1, "y": 1, "amount": amount, "target": 1}]
    case = {"id": "a", "world": {"nations": 2}, "orders": orders, "run": {"phases": ["plans"]}, "expect": []}
    assert run_case(case) is not None
