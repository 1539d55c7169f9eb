"""Shortage and surplus with ships, goods under way and supply contracts (MER-068, MER-069, MER-082)."""

import numpy as np
import pytest

from hakoenv.engine.codes import item, parcel
from hakoenv.engine.shipping import parcels
from hakoenv.engine.trade import market
from hakoenv.testing import SmallWorld

FUEL, STEEL, GOODS = item.FUEL, item.STEEL, item.GOODS


def levels(small: SmallWorld, what: int) -> list[int]:
    """The planned level of an item by nation."""
    market.open_phase(small.world, small.rules)
    return small.world.nations["planned"][:, what].tolist()


def contract(small: SmallWorld, quantity: int, sent: int, what: int = STEEL) -> None:
    """A supply contract of nation 0 with nation 1, of whose two shipments some have been sent."""
    deal = small.world.contracts[0]
    deal["number"], deal["seller"], deal["buyer"] = 1, 0, 1
    deal["what"], deal["quantity"], deal["sent"] = what, quantity, sent


def bought(small: SmallWorld, kind: int, quantity: int, port: int = -1) -> int:
    """Steel on its way from nation 0 to nation 1; its place in the list."""
    return parcels.put(small.world, kind, STEEL, quantity, 0, 1, 0, port)


@pytest.mark.rule("MER-068")
def test_the_fuel_of_ships_is_planned_for() -> None:
    """4 x 2 ships x 7 cells x 2 / 100 = 1.12: 2; with a use of 0.1 a turn and a gap of 100 it makes 103."""
    small = SmallWorld(5, 9, 2)
    small.nation(0, household_use={"fuel": 0.1}, buyback={"fuel": 100})
    for x in (1, 2):
        small.ship(0, "merchant", x, 1)
    assert levels(small, FUEL) == [1 + 100 + 2, 0]
    market.plan(small.world, small.rules, 0, FUEL)  # one item alone
    assert small.world.nations[0]["planned"][FUEL] == 103
    assert levels(small, STEEL) == [32, 32]
    assert levels(small, GOODS) == [0, 0]


@pytest.mark.rule("MER-068", "MER-009")
@pytest.mark.parametrize(
    ("ships", "shipping", "level"),
    [
        (["merchant"] * 7, 0, 4),  # 4 x 7 x 7 x 2 / 100 = 3.92
        (["merchant"] * 7, 5, 5),  # speed 8: 4.48
        (["large_merchant"], 0, 2),  # 4 x 5 x 8 / 100 = 1.6
        (["fishing_boat"], 0, 1),  # 4 x 4 x 2 / 100 = 0.32
        (["large_merchant", "fishing_boat"], 0, 2),  # 1.92: rounded once
        (["cruise_ship"], 0, 0),
        (["destroyer"], 0, 0),  # the treasury's
    ],
)
def test_fuel_by_class_and_speed(ships: list[str], shipping: int, level: int) -> None:
    small = SmallWorld(5, 9, 2)
    small.nation(0, shipping=shipping)
    for x, kind in enumerate(ships):
        small.ship(0, kind, x, 1)
    assert levels(small, FUEL) == [level, 0]


@pytest.mark.rule("MER-068", "SUP-010")
@pytest.mark.parametrize(("sent", "free"), [(0, 18), (1, 18), (2, 50)])
def test_the_next_shipment_of_a_contract_is_set_aside(sent: int, free: int) -> None:
    """Of 50 steel 32 are for the next shipment; both sent, nothing is."""
    small = SmallWorld(3, 3, 2)
    small.nation(0, private_steel=50)
    small.nation(1, private_steel=50)
    contract(small, 32, sent)
    market.open_phase(small.world, small.rules)
    assert market.free_stock(small.world, 0, STEEL) == free
    assert market.free_stock(small.world, 1, STEEL) == 50  # the buyer's stock is its own
    assert market.surplus(small.world, 0, STEEL) == max(0, free - 32)
    assert market.short(small.world, 0, STEEL) == max(0, 32 - free)


@pytest.mark.rule("SUP-010")
def test_no_more_is_set_aside_than_there_is_and_contracts_add_up() -> None:
    small = SmallWorld(3, 3, 2)
    small.nation(0, private_steel=50)
    contract(small, 32, 0)
    small.world.contracts[3] = small.world.contracts[0]
    market.open_phase(small.world, small.rules)
    assert small.world.nations["set_aside"][0, STEEL] == 64
    assert market.free_stock(small.world, 0, STEEL) == 0
    small.world.contracts["number"][3] = 0  # a free place in the list
    market.open_phase(small.world, small.rules)
    assert market.free_stock(small.world, 0, STEEL) == 18


@pytest.mark.rule("MER-068")
@pytest.mark.parametrize(
    ("kind", "inbound"),
    [(parcel.TRADE, 22), (parcel.CONTRACT, 22), (parcel.OWN, 0), (parcel.BOND, 0), (parcel.AID, 0),
     (parcel.AUCTION, 0)],
)  # fmt: skip
def test_what_was_bought_and_has_not_arrived_is_not_short(kind: int, inbound: int) -> None:
    """10 ashore at the seller's port and 12 aboard; the buyer plans with 32 steel."""
    small = SmallWorld(3, 3, 2)
    bought(small, kind, 10, port=4)
    bought(small, kind, 12)
    market.open_phase(small.world, small.rules)
    assert small.world.nations["inbound"][:, STEEL].tolist() == [0, inbound]
    assert market.short(small.world, 1, STEEL) == 32 - inbound
    assert market.surplus(small.world, 1, STEEL) == 0


@pytest.mark.rule("MER-068")
def test_inbound_goods_are_no_surplus_and_leave_with_their_parcel() -> None:
    small = SmallWorld(3, 3, 2)
    small.nation(1, private_steel=40)
    place = bought(small, parcel.TRADE, 100)
    market.open_phase(small.world, small.rules)
    assert market.surplus(small.world, 1, STEEL) == 8
    parcels.free(small.world, place)
    market.open_phase(small.world, small.rules)
    assert not small.world.nations["inbound"].any()


@pytest.mark.rule("MER-069", "MKT-004")
def test_a_price_counts_stock_at_hand_and_inbound() -> None:
    """W 32; z 0, 10 inbound, 22 in stock of which 12 set aside and 10 inbound: 20."""
    small = SmallWorld(3, 3, 3)
    bought(small, parcel.TRADE, 10)
    small.world.parcels[bought(small, parcel.TRADE, 10)]["receiver"] = 0
    small.nation(0, private_steel=22)
    contract(small, 12, 1)
    market.fix_prices(small.world, small.rules)
    assert small.world.nations["prices"][:, STEEL].tolist() == [
        20 * (1000 + 6000 // 53),  # 1113
        20 * (1000 + 11000 // 43),  # 1255
        20 * (1000 + 16000 // 33),  # 1484
    ]


@pytest.mark.rule("MER-069", "MKT-004")
@pytest.mark.parametrize(
    ("use", "held", "price"),
    [(5, 100, 11900), (45, 0, 25449), (0, 0, 17000), (0, 50, 11900), (5, 0, 25092)],
)
def test_national_prices_of_fuel(use: int, held: int, price: int) -> None:
    """World price 17000; W is 4 turns of use. 20 against 0: 1000 + 10000 // 21 = 1476."""
    small = SmallWorld(3, 3, 1)
    small.nation(0, household_use={"fuel": use}, private_fuel=held)
    market.fix_prices(small.world, small.rules)
    assert small.world.nations["prices"][0, FUEL] == price


@pytest.mark.rule("MER-069")
def test_a_price_stays_for_the_turn_whatever_is_traded() -> None:
    small = SmallWorld(3, 3, 1)
    small.nation(0, household_use={"fuel": 5}, private_fuel=100, private_funds=100)
    small.phase("domestic_trade")
    before = small.world.nations["prices"].copy()
    small.nation(0, private_fuel=0)
    for phase in ("domestic_trade", "land_trade", "household_market"):
        small.phase(phase)
    assert np.array_equal(small.world.nations["prices"], before)


@pytest.mark.rule("MER-082", "TURN-036")
def test_what_is_asked_and_offered_of_steel() -> None:
    """A treasury sells 20, its private sector is then short of 12; another one has 48 to spare, 10 set aside.

    Asked 20 + ceil(12 / 4), and 3 more for what a third lacks of 32 with 21 on their way (11); offered
    20 + ceil(38 / 4).
    """
    small = SmallWorld(3, 3, 3)
    small.nation(0, steel=50, private_funds=9000)
    small.nation(1, private_steel=80)
    small.world.parcels[bought(small, parcel.TRADE, 21)]["receiver"] = 2
    contract(small, 10, 1)
    small.world.contracts["seller"][0], small.world.contracts["buyer"][0] = 1, 0
    small.phase("domestic_trade")
    entry = small.world.market[STEEL]
    assert (entry["asked"], entry["offered"]) == (20, 20)
    small.phase("land_trade")
    assert (entry["asked"], entry["offered"]) == (20 + 3 + 3, 20 + 10)


@pytest.mark.rule("MER-082")
def test_what_a_treasury_buys_from_the_world_is_asked_and_an_idle_item_keeps_its_price() -> None:
    small = SmallWorld(3, 3, 1)
    small.nation(0, funds=1000, buyback={"goods": 3})
    for phase in ("domestic_trade", "land_trade"):
        small.phase(phase)
    entry = small.world.market[GOODS]
    assert (entry["asked"], entry["offered"]) == (3, 0)
    small.phase("world_prices")
    assert entry["price"] == 80000 + round(80000 * 0.04 * 3 / 43 * 0.99)  # 221.02: then 1% back
    assert small.world.market[item.OIL]["price"] == 12000
