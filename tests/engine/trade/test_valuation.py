"""What nations own outside their stocks, for loans and for the score (FIN-028, FIN-008, SEASON-014)."""

import numpy as np
import pytest

from hakoenv.engine import scoring
from hakoenv.engine.codes import item, lot, parcel
from hakoenv.engine.shipping import parcels
from hakoenv.engine.trade import holdings, loans
from hakoenv.testing import SmallWorld

FUEL, GOODS, STEEL, FOOD, FUNDS = item.FUEL, item.GOODS, item.STEEL, item.FOOD, item.FUNDS


def put(small: SmallWorld, kind: int, what: int, quantity: int, port: int = -1, ship: int = 0) -> int:
    """A parcel from nation 0 to nation 1: aboard a ship, or at a port."""
    owner = 0 if kind in (parcel.OWN, parcel.BOND) else 1
    return int(parcels.put(small.world, kind, what, quantity, 0, owner, ship, port))


def outside(small: SmallWorld) -> list[float]:
    """What nations own outside their stocks, in funds."""
    values = np.zeros(small.nations, np.int64)
    holdings.add_assets(small.world, small.rules, values)
    return [value / 1000 for value in values.tolist()]


@pytest.mark.rule("FIN-028", "FIN-010")
def test_a_private_stock_is_valued_wherever_it_lies() -> None:
    """1000 food at 1, 50 fuel at 18, 20 goods on their way to a buyer at 60: 3100."""
    small = SmallWorld(3, 3, 2)
    small.nation(0, private_food=1000, private_fuel=50)
    small.world.market["price"][FUEL] = 18000
    small.world.market["price"][GOODS] = 60000
    small.world.market["price"][FOOD] = 3000  # food is worth its fixed price
    put(small, parcel.TRADE, GOODS, 20)
    assert loans.stock_value(small.world, small.rules, 0) == 3100 * 1000
    assert loans.stock_value(small.world, small.rules, 1) == 0  # not the buyer's before they arrive


@pytest.mark.rule("FIN-028")
@pytest.mark.parametrize(
    ("kind", "port", "ship", "counts"),
    [
        (parcel.OWN, -1, 0, True),
        (parcel.TRADE, 4, 0, True),
        (parcel.CONTRACT, -1, 0, True),
        (parcel.BOND, 4, -1, True),  # in bonded storage
        (parcel.AID, -1, 0, False),  # the treasury's
        (parcel.EXCHANGE, -1, 0, False),
        (parcel.REGULAR, -1, 0, False),
        (parcel.AUCTION, -1, 0, False),
    ],
)
def test_whose_goods_are_under_way(kind: int, port: int, ship: int, counts: bool) -> None:
    small = SmallWorld(3, 3, 2)
    place = put(small, kind, STEEL, 7, port, ship)
    assert loans.stock_value(small.world, small.rules, 0) == (7 * 20000 if counts else 0)
    assert loans.stock_value(small.world, small.rules, 1) == 0
    parcels.free(small.world, place)
    assert loans.stock_value(small.world, small.rules, 0) == 0


@pytest.mark.rule("FIN-008", "SUP-010")
@pytest.mark.parametrize(("set_aside", "left"), [(0, 0), (32, 32)])
def test_a_debt_takes_only_what_is_free(set_aside: int, left: int) -> None:
    """A due debt of 5000 takes all 50 steel, but not what a supply contract has promised."""
    small = SmallWorld(3, 3, 2)
    small.nation(0, private_steel=50)
    deal = small.world.contracts[0]
    deal["number"], deal["seller"], deal["buyer"], deal["what"], deal["quantity"] = 1, 0, 1, STEEL, set_aside
    loan = small.world.loans[0, 0]
    loan["principal"], loan["taken"] = 5_000_000, small.turn - int(small.rules.scalars[0]["finance_term"])
    small.phase("turn_state")
    assert small.nation(0).private_steel == left


@pytest.mark.rule("FIN-008", "FIN-028")
def test_goods_under_way_are_valued_and_not_taken() -> None:
    small = SmallWorld(3, 3, 2)
    put(small, parcel.TRADE, STEEL, 50)
    loan = small.world.loans[0, 0]
    loan["principal"], loan["taken"] = 5_000_000, small.turn - int(small.rules.scalars[0]["finance_term"])
    small.phase("turn_state")
    assert small.world.parcels[0]["quantity"] == 50
    assert small.world.loans["principal"][0, 0] >= 5_000_000


@pytest.mark.rule("SEASON-014", "SEASON-012")
def test_economic_assets_of_stocks_at_base_prices() -> None:
    """1000 + 10 x 80 + 500 + 4 x 20, whatever the world market says."""
    small = SmallWorld(3, 3, 1)
    small.nation(0, funds=1000, goods=10, private_funds=500, private_steel=4)
    small.world.market["price"] = 1
    scoring.record_assets(small.world, small.rules)
    assert small.world.nations["assets"][0, 0] == 2380 * 1000


@pytest.mark.rule("SEASON-014", "MER-073")
def test_of_a_trade_under_way_the_goods_are_the_sellers_the_money_the_buyers() -> None:
    """3 steel at base price 20; 3 x (21.84 + 1.092) are held."""
    small = SmallWorld(3, 3, 2)
    entry = small.world.parcels[put(small, parcel.TRADE, STEEL, 3)]
    entry["price"], entry["tariff"] = 21840, 1092
    assert outside(small) == [60, 68.796]
    scoring.record_assets(small.world, small.rules)
    assert small.world.nations["assets"][:, 0].tolist() == [60000, 68796]


@pytest.mark.rule("SEASON-014")
@pytest.mark.parametrize(
    ("kind", "what", "worth"),
    [
        (parcel.OWN, FOOD, 7),
        (parcel.CONTRACT, STEEL, 140),
        (parcel.AID, GOODS, 560),
        (parcel.AID, FUNDS, 7),
        (parcel.REGULAR, FUEL, 119),
        (parcel.BOND, STEEL, 140),
    ],
)
def test_goods_and_money_on_the_way_are_the_senders(kind: int, what: int, worth: int) -> None:
    small = SmallWorld(3, 3, 2)
    entry = small.world.parcels[put(small, kind, what, 7)]
    entry["price"] = 999  # the value of a bond, the price of a contract: nothing is held
    assert outside(small) == [worth, 0]


@pytest.mark.rule("SEASON-014", "AUC-002")
def test_goods_of_an_open_lot_are_the_sellers_a_bid_is_the_bidders() -> None:
    """10 steel; a bid of 105 and ceil(10.5) for freight."""
    small = SmallWorld(3, 3, 2)
    offer = small.world.lots[0]
    offer["state"], offer["seller"], offer["bidder"], offer["what"] = lot.OPEN, 0, 1, STEEL
    offer["quantity"], offer["bid"] = 10, 105
    assert outside(small) == [200, 116]
    offer["bid"], offer["bidder"] = 0, -1
    assert outside(small) == [200, 0]
    offer["state"] = lot.SOLD  # its goods wait in a transport
    assert outside(small) == [0, 0]


@pytest.mark.rule("SEASON-014")
def test_what_waits_for_a_carrier_is_the_senders_what_is_held_the_receivers() -> None:
    small = SmallWorld(3, 3, 2)
    sent = small.world.transports[0]
    sent["kind"], sent["sender"], sent["receiver"], sent["what"] = parcel.AUCTION, 0, 1, STEEL
    sent["quantity"], sent["waiting"], sent["price"], sent["freight"] = 12, 7, 50, 5
    assert outside(small) == [140, 55]
    sent["kind"] = 0
    assert outside(small) == [0, 0]


@pytest.mark.rule("SEASON-014")
def test_the_largest_holdings_do_not_wrap() -> None:
    small = SmallWorld(3, 3, 2, rules={"resources.steel.base_price": 10**9})
    for _ in range(20):
        entry = small.world.parcels[put(small, parcel.TRADE, STEEL, 10**12)]
        entry["price"] = entry["tariff"] = 10**12
    scoring.record_assets(small.world, small.rules)
    assert small.world.nations["assets"][:, 0].tolist() == [holdings.MOST] * 2
    assert 0 < loans.stock_value(small.world, small.rules, 0) < 2**53
