"""Trade in the text view."""

from typing import Any

import pytest

from hakoenv.engine import happenings
from hakoenv.engine.codes import event, item, job, lot, parcel
from hakoenv.obs.text import text
from hakoenv.testing import SmallWorld

TURN = 50
WIDTH = 20


def world() -> SmallWorld:
    w = SmallWorld(height=9, width=WIDTH, nations=3, turn=TURN)
    for n in range(3):
        w.cell(7 * n, 4, terrain="town", owner=n, population=50, capital=True)
        w.cell(7 * n + 1, 4, terrain="port", owner=n)
    w.phase("sightings")
    return w


def sections(w: SmallWorld, nation: int = 0, **settings: Any) -> dict[str, list[str]]:
    whole = text(w.world, w.rules, w.ruleset, nation, **settings)
    parts = whole.removeprefix("## ").split("\n\n## ")
    return {part.split("\n")[0]: part.split("\n")[1:] for part in parts}


def put(records: Any, place: Any, **given: Any) -> None:
    for name, value in given.items():
        records[name][place] = value


def test_without_trade_little_is_said() -> None:
    w = world()
    found = sections(w)
    assert "Auctions" not in found and "Offers and deals" not in found
    assert found["Private trade and ships"] == [
        "May trade by sea with all nations.",
        "Ports 1; merchants 0, large merchants 0 (0 idle), cruise ships 0, fishing boats 0.",
    ]
    w.world.nations["alive"][0] = 0
    assert "Private trade and ships" not in sections(w)


@pytest.mark.rule("AUC-013", "AUC-016", "AUC-002")
def test_auctions_are_told_by_what_one_can_do() -> None:
    w = world()
    w.world.nations["prices"][0, item.OIL] = 12_500
    w.world.relations["embargo"][2, 0] = 1
    for k, (number, seller, bid, bidder) in enumerate(
        ((9, 0, 0, -1), (7, 0, 60, 1), (5, 1, 100, 0), (3, 1, 200, 2), (4, 1, 0, -1), (2, 2, 0, -1))
    ):
        put(w.world.lots, k, number=number, seller=seller, bid=bid, bidder=bidder, min_price=50, quantity=100,
            what=item.OIL, deadline=TURN + 1 + k, state=lot.OPEN)  # fmt: skip
    assert sections(w)["Auctions"] == [
        "lot 7: your 100 oil, highest bid 60 by nation_1, 2 turns left",
        "lot 9: your 100 oil, no bid yet, at least 50, 1 turn left",
        "lot 5: 100 oil of nation_1, you lead with 100, 3 turns left",
        "lot 3: 100 oil of nation_1, bids from 210 (highest 200 by nation_2), 4 turns left; worth 1250 at "
        "your prices",
        "lot 4: 100 oil of nation_1, bids from 50, 5 turns left; worth 1250 at your prices",
        "not open to you: 2 (100 oil of nation_2)",
        "Your highest bids hold 110 funds, freight parts included.",
    ]


@pytest.mark.rule("SHIP-003", "SHIP-005", "SUP-011")
def test_deals_are_told_with_what_accepts_them() -> None:
    w = world()
    put(w.world.relations, (1, 0), swap_until=53, swap_give=item.WOOD, swap_given=40, swap_want=item.FUNDS,
        swap_wanted=900)  # fmt: skip
    put(w.world.relations, (0, 2), swap_until=51, swap_give=item.FOOD, swap_given=70)
    given = {
        "quantity": 30,
        "price": 400,
        "freight_cap": 50,
        "port": 4 * WIDTH + 1,
        "interval": 5,
        "what": item.FUEL,
    }
    put(w.world.promises, 0, number=12, revision=2, offered=45, seller=1, buyer=0, **given)
    put(w.world.promises, 1, number=13, revision=1, offered=49, seller=0, buyer=2, **given)
    put(w.world.promises, 2, number=3, revision=1, accepted=40, seller=0, buyer=2, **given)
    put(w.world.promises, 3, number=2, revision=1, offered=40, seller=1, buyer=0, **given)  # has lapsed
    put(w.world.contracts, 0, number=1, quantity=51, price=18_674, signed=45, interval=6, buyer=0, seller=2,
        what=item.FUEL, delivered=1)  # fmt: skip
    put(w.world.transports, 0, kind=parcel.AID, quantity=60, waiting=20, arrived=35, created=48, port=-1,
        deal=-1, sender=0, receiver=1, what=item.FOOD)  # fmt: skip
    assert sections(w)["Offers and deals"] == [
        "nation_1 offers 40 wood for 900 funds, for 3 turns: exchange:accept with nation_1 accepts",
        "your offer to nation_2 of 70 food for nothing stands for 1 turn",
        "nation_1 offers 30 fuel for 400 funds every 5 turns to port (1,4), freight at most 50, for 5 turns: "
        "regular_accept offer=1202 accepts",
        "your offer 13 to nation_2 of 30 fuel for 400 funds every 5 turns to port (1,4), freight at most 50 "
        "stands for 9 turns",
        "regular shipments: you sell nation_2 30 fuel for 400 funds every 5 turns to port (1,4), freight at "
        "most 50; the next in 5 turns, 25 turns left",
        "aid: 60 food to nation_1: 20 waiting for a carrier, 35 arrived, 5 lost or back",
        "supply contract of your private sector: 51 fuel a shipment from nation_2 at 18.674; 1 delivered, "
        "the next due within 10 turns",
    ]


@pytest.mark.rule("MER-064", "SUP-017")
def test_private_trade_tells_ships_goods_and_what_bars_it() -> None:
    w = world()
    nation = w.world.nations
    nation["planned"][0] = nation["private"][0] = 0
    nation["planned"][0, item.FUEL], nation["private"][0, item.WOOD] = 30, 60
    nation["cruise_unpaid"][0] = 3000
    nation["waiting"][0] = (40, 0)
    put(w.world.relations, (0, 1), port_policy=0, no_supply=0b10010)
    put(w.world.relations, (1, 0), port_policy=1)
    put(w.world.relations, (0, 2), no_supply=511)
    ship = w.ship(0, "merchant", 10, 2)._where
    idle = w.ship(0, "large_merchant", 2, 3)._where
    put(w.world.jobs, ship, job=job.SAILING, goal=4 * WIDTH + 8, waited=2, paid=1)
    put(w.world.jobs, idle, job=job.IDLE, paid=1, goal=-1)
    put(w.world.parcels, 0, kind=parcel.TRADE, state=parcel.ABOARD, quantity=10, port=-1, deal=-1, ship=ship,
        source=0, receiver=2, what=item.WOOD)  # fmt: skip
    w.world.clock["parcels"] = 1
    found = sections(w)
    assert found["Private trade and ships"] == [
        "Your private sector lacks 30 fuel; can spare 60 wood; has sold and under way 10 wood.",
        "May trade by sea with nation_2.",
        "Barred: nation_1 (your ports are closed, its ports are for friends only).",
        "New supply contracts forbidden with nation_1 (stone, fuel); nation_2 (anything).",
        "Ports 1; merchants 1, large merchants 1 (1 idle), cruise ships 0, fishing boats 0; 40 containers "
        "found no ship.",
        "3 funds of your cruise ships wait to be paid.",
        "merchant (10,2): sailing to (8,4) with 10 wood for nation_2 (3 of 128 containers), blocked for 2 "
        "turns",
        "idle: large merchant (2,3)",
    ]
    assert "Your ships" not in found  # these are warships


@pytest.mark.rule("SUP-013")
def test_what_happened_in_trade() -> None:
    w = world()
    for kind, nation, other, amount in (
        (event.SUPPLY_BREACH, 1, 2, item.FUEL),
        (event.LOT_LISTED, 1, -1, 17),
        (event.LOT_LISTED, 0, -1, 18),
        (event.LOT_SOLD, 1, 2, 800),
        (event.LOT_SOLD, 1, 0, 700),
        (event.LOT_RETURNED, 0, -1, 12),
        (event.LOT_RETURNED, 0, 2, 13),
        (event.OUTBID, 0, 1, 9),
        (event.OUTBID, 1, 2, 9),
        (event.DEAL_OFFERED, 1, 0, 5),
        (event.DEAL_AGREED, 0, 1, 0),
        (event.DEAL_AGREED, 1, 2, 0),
        (event.DELIVERED, 0, 1, 40),
    ):
        happenings.record_between(w.world, kind, nation, other, -1, amount)
    assert sections(w)["What happened"] == [
        "supply breach: nation_1 broke its contract with nation_2 (fuel)",
        "lot listed: lot 18 of you",
        "lot sold: by nation_1 to you for 700 funds",
        "lot returned: lot 12 of you found no buyer",
        "lot returned: lot 13 of you may not go to nation_2",
        "outbid: you on lot 9, by nation_1",
        "deal offered: regular shipments (offer 5) by nation_1 to you",
        "deal agreed: you accepted an exchange of nation_1",
        "delivered: 40 units from you to nation_1",
    ]


@pytest.mark.parametrize(("japanese", "name"), [(False, "large merchant"), (True, "大型商船")])
def test_all_ship_classes_have_names(japanese: bool, name: str) -> None:
    w = world()
    ship = w.ship(0, "large_merchant", 2, 3)._where
    put(w.world.jobs, ship, paid=1, goal=-1)
    assert sections(w, japanese=japanese)["Private trade and ships"][-1] == f"idle: {name} (2,3)"
    assert w.ship(0, "fishing_boat", 5, 3).read("class") == "fishing_boat"
