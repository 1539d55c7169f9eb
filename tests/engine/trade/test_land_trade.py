"""Phase 18: private trade over land (MER-072), its capacity (MER-013) and its freight (MER-014)."""

import numpy as np
import pytest

from hakoenv.engine import territory
from hakoenv.engine.codes import cause, item
from hakoenv.engine.trade import land_route, market, reach
from hakoenv.testing import SmallWorld

WOOD, FUEL, STEEL, FUNDS = item.WOOD, item.FUEL, item.STEEL, item.FUNDS


def neighbours(nations: int = 2, **rules: object) -> SmallWorld:
    """Nations 1 and 2 beside nation 0, which has 132 private steel; they have 5000 private funds each.

    Steel costs 14000 at nation 0's and 29680 at one that has none: they trade at 21840, the tariff is 1092.
    """
    small = SmallWorld(5, 9, nations, rules=rules)
    small.cell(3, 2, terrain="town", owner=0, population=50, capital=True)
    small.cell(4, 2, terrain="town", owner=1, population=50, capital=True)
    if nations > 2:
        small.cell(2, 2, terrain="town", owner=2, population=50, capital=True)
    small.nation(0, private_steel=132)
    for n in range(1, nations):
        small.nation(n, private_funds=5000)
    return small


def trade(small: SmallWorld, order: list[int] | None = None) -> None:
    """Run the phase with the nations in an order (0, 1, ... if none is given)."""
    territory.index(small.world, small.rules)
    reach.note_borders(small.world, small.rules)
    small.world.order[:] = list(range(small.nations)) if order is None else order
    land_route.trade(small.world, small.rules)


def set_prices(small: SmallWorld, what: int, prices: list[int]) -> None:
    """Give an item these national prices and no tariff, for this turn; all else costs nothing."""
    small.world.nations["prices"] = 0
    small.world.nations["prices"][:, what] = prices
    small.world.nations["tariff"] = 0
    small.world.clock["priced"] = small.turn


def private(small: SmallWorld, what: int) -> list[int]:
    """Private stocks of an item by nation."""
    return small.world.nations["private"][:, what].tolist()


@pytest.mark.rule("MER-072", "MER-070", "MER-014", "MKT-003", "RES-015", "NAVY-033")
def test_goods_price_tariff_and_freight_of_a_trade() -> None:
    """32 steel: price 698.88, tariff 34.944, freight of 32 containers 4.8."""
    small = neighbours()
    trade(small)
    seller, buyer = small.nation(0), small.nation(1)
    assert (seller.private_steel, buyer.private_steel) == (100, 32)
    assert seller.private_funds == 694.08
    assert buyer.private_funds == 4266.176
    assert (seller.funds, seller.carry) == (4, 0.8)
    assert (buyer.funds, buyer.carry) == (34, 0.944)


@pytest.mark.rule("MER-072", "MER-007", "RES-008")
def test_fuel_goes_four_to_a_container() -> None:
    """80 to spare, 180 short, T 18674, f 933: 20 containers, freight 3.0."""
    small = neighbours()
    small.nation(0, private_steel=32, private_fuel=100, household_use={"fuel": 5})
    small.nation(1, private_steel=32, buyback={"fuel": 180})
    trade(small)
    assert private(small, FUEL) == [20, 80]
    assert small.nation(0).private_funds == 1493.92 - 3
    assert small.nation(1).private_funds == 5000 - 1493.92 - 74.64
    assert small.world.relations["land_used"].tolist() == [[0, 20], [20, 0]]


@pytest.mark.rule("MER-013", "NAVY-032", "TURN-019", "MER-072")
@pytest.mark.parametrize(("used", "moved"), [(0, 64), (40, 24), (63, 1), (64, 0), (70, 0)])
def test_a_pair_moves_64_containers_a_turn(used: int, moved: int) -> None:
    """100 steel are short (a target of 100), 200 can be spared; what phase 16 moved counts."""
    small = neighbours()
    small.nation(0, private_steel=232)
    small.nation(1, buyback={"steel": 100})
    small.relation(0, 1, land_used=used)
    trade(small)
    assert private(small, STEEL) == [232 - moved, moved]
    assert small.relation(1, 0).land_used == max(64, used) if moved else used
    trade(small)  # nothing is left
    assert private(small, STEEL) == [232 - moved, moved]


@pytest.mark.rule("MER-013", "NAVY-032")
@pytest.mark.parametrize(("order", "steel", "fuel"), [([0, 1], 40, 96), ([1, 0], 0, 256)])
def test_both_directions_share_the_capacity(order: list[int], steel: int, fuel: int) -> None:
    """Nation 1 lacks 40 steel, nation 0 400 fuel, 100 containers; whoever sells first has them first."""
    small = neighbours()
    small.nation(0, buyback={"fuel": 400}, private_funds=9000)
    small.nation(1, buyback={"steel": 40}, private_fuel=1000)
    trade(small, order)
    assert private(small, STEEL) == [132 - steel, steel]
    assert private(small, FUEL) == [fuel, 1000 - fuel]
    assert small.relation(0, 1).land_used == 64


@pytest.mark.rule("MER-013", "TURN-006")
def test_each_pair_has_its_own_capacity_and_has_it_again_next_turn() -> None:
    small = neighbours(3)
    small.nation(0, private_steel=500)
    for n in (1, 2):
        small.nation(n, buyback={"steel": 100})
    trade(small)
    assert private(small, STEEL) == [372, 64, 64]
    for phase in ("clock", "turn_state"):
        small.phase(phase)
    trade(small)
    assert private(small, STEEL) == [300, 100, 100]


@pytest.mark.rule("MER-014", "NAVY-033", "MER-063")
def test_the_fraction_of_a_fund_waits_for_the_next_freight() -> None:
    """37 containers: 5.55; then 64: 9.60, with the carry 10.15."""
    small = neighbours()
    small.nation(0, private_steel=500)
    small.nation(1, buyback={"steel": 37})
    trade(small)
    assert (small.nation(0).funds, small.nation(0).carry) == (5, 0.55)
    small.nation(1, buyback={"steel": 101})
    for phase in ("clock", "turn_state"):
        small.phase(phase)
    trade(small)
    assert private(small, STEEL)[1] == 101
    assert (small.nation(0).funds, small.nation(0).carry) == (15, 0.15)


@pytest.mark.rule("MER-072")
@pytest.mark.parametrize(
    ("second", "goes_to"),
    [(0, [20, 0]), (20, [20, 0]), (None, [0, 20])],
)
def test_the_best_container_goes_first_then_the_lower_nation(second: int | None, goes_to: list[int]) -> None:
    """20 steel to spare. Nation 2 has as much as nation 1, or more and pays less; or nation 1 has more."""
    small = neighbours(3)
    small.nation(0, private_steel=52)
    small.nation(1 if second is None else 2, private_steel=20 if second is None else second)
    before = private(small, STEEL)
    trade(small)
    after = private(small, STEEL)
    assert [after[n] - before[n] for n in (1, 2)] == goes_to


@pytest.mark.rule("MER-072", "RES-008")
def test_items_are_compared_by_the_container() -> None:
    """Fuel brings 6774 a unit, four to a container, steel 7840; 100 funds buy 5 fuel at 19607."""
    small = neighbours()
    small.nation(0, private_fuel=100, household_use={"fuel": 5})
    small.nation(1, buyback={"fuel": 180}, private_funds=100)
    trade(small)
    assert private(small, FUEL) == [95, 5]
    assert private(small, STEEL) == [132, 0]


@pytest.mark.rule("MER-072")
def test_equal_containers_go_by_the_lower_item() -> None:
    """Wood and stone at such prices that a container of either brings 4000; the buyer can pay for one."""
    small = neighbours()
    small.nation(0, private_steel=32, private_wood=100, private_stone=100)
    small.nation(1, buyback={"wood": 4, "stone": 2}, private_funds=12)
    set_prices(small, WOOD, [2000, 4000])
    small.world.nations["prices"][:, item.STONE] = [4000, 8000]
    trade(small)
    assert private(small, WOOD) == [96, 4]
    assert private(small, item.STONE) == [100, 0]


@pytest.mark.rule("MER-072", "MER-014")
@pytest.mark.parametrize(
    ("what", "prices", "short", "traded"),
    [
        ("steel", [20000, 20300], 40, 0),  # 150 a container: what the freight costs
        ("steel", [20000, 20302], 40, 40),  # 151
        ("wood", [4000, 4076], 3, 0),  # 38 a unit, 152 a full container, but 114 this one
        ("wood", [4000, 4076], 4, 4),
        ("wood", [4000, 4076], 5, 0),  # 190 for two
        ("wood", [4000, 4074], 4, 0),  # 37 a unit: 148
    ],
)
def test_a_trade_must_bring_more_than_its_freight(
    what: str, prices: list[int], short: int, traded: int
) -> None:
    small = neighbours()
    number = WOOD if what == "wood" else STEEL
    small.nation(0, **{"private_steel": 32, f"private_{what}": 200})
    small.nation(1, buyback={what: short})
    set_prices(small, number, prices)
    trade(small)
    assert private(small, number) == [200 - traded, traded]


@pytest.mark.rule("RES-008", "MER-007", "NAVY-030")
def test_items_do_not_share_containers() -> None:
    """5 wood, 3 stone and 1 steel need 2 + 2 + 1 containers."""
    small = neighbours()
    small.nation(0, private_wood=100, private_stone=100)
    small.nation(1, buyback={"wood": 5, "stone": 3}, private_steel=31)
    set_prices(small, STEEL, [20000, 30000])
    small.world.nations["prices"][:, WOOD] = [4000, 6000]
    small.world.nations["prices"][:, item.STONE] = [4000, 6000]
    trade(small)
    assert small.world.nations["private"][1, [WOOD, item.STONE, STEEL]].tolist() == [5, 3, 32]
    assert small.relation(0, 1).land_used == 5


@pytest.mark.rule("MER-072")
@pytest.mark.parametrize(
    ("seller", "buyer", "rules", "traded"),
    [
        ({"private_steel": 42}, {}, {}, 10),  # what can be spared
        ({}, {"private_steel": 22}, {}, 10),  # what is short
        ({}, {"private_funds": 229.319}, {}, 9),  # 10 cost 229.32
        ({}, {"private_funds": 229.32}, {}, 10),
        ({}, {}, {"resources.steel.private_cap": 10}, 10),  # room; nation 0 holds more than that
        ({}, {"private_funds": 0}, {}, 0),
    ],
)
def test_what_bounds_a_trade(
    seller: dict[str, int], buyer: dict[str, int], rules: dict[str, object], traded: int
) -> None:
    small = neighbours(**rules)
    small.nation(0, **seller)
    small.nation(1, **buyer)
    if "private_steel" in seller or "private_steel" in buyer:  # prices as if there were plenty and nothing
        set_prices(small, STEEL, [14000, 29680])
    before = private(small, STEEL)
    trade(small)
    assert private(small, STEEL)[1] == before[1] + traded
    assert private(small, STEEL)[0] == before[0] - traded


@pytest.mark.rule("MER-072", "MER-064", "CONT-013")
@pytest.mark.parametrize("why_not", ["gate", "embargo", "containment", "war", "sea"])
def test_no_trade_where_none_is_allowed(why_not: str) -> None:
    small = neighbours()
    if why_not == "gate":
        small.relation(0, 1, gate_closed=[1])
    elif why_not == "embargo":
        small.relation(0, 1, embargo=[0])
    elif why_not == "containment":
        small.containment(1, [0])
    elif why_not == "war":
        small.war(0, 1)
    else:
        small.cell(4, 2, terrain="sea")
        small.cell(5, 2, terrain="town", owner=1, population=50, capital=True)
    trade(small)
    assert private(small, STEEL) == [132, 0]


@pytest.mark.rule("MER-072", "MER-068")
def test_a_shortage_is_filled_once() -> None:
    """Nations 0 and 2 could both sell to nation 1; what the first sold is no longer short."""
    small = neighbours(3)
    small.cell(4, 1, terrain="plains", owner=2)
    small.nation(2, private_steel=132)
    trade(small, [2, 0, 1])
    assert private(small, STEEL) == [132, 32, 100]


@pytest.mark.rule("MER-072", "SUP-010", "MER-068")
def test_what_is_set_aside_or_inbound_is_not_traded() -> None:
    small = neighbours()
    deal = small.world.contracts[0]
    deal["number"], deal["seller"], deal["buyer"], deal["what"], deal["quantity"] = 1, 0, 1, STEEL, 80
    trade(small)
    assert private(small, STEEL) == [112, 20]  # 132 - 80 - 32


@pytest.mark.rule("MKT-013", "MER-063", "RES-015")
def test_a_full_treasury_stops_no_trade_and_what_it_cannot_hold_vanishes() -> None:
    """The tariff of 34.944 finds room for 10, the freight of 4.8 for none; both are paid in full."""
    small = neighbours()
    small.nation(0, funds=30000)
    small.nation(1, funds=29990)
    small.phase("accounts_open")
    trade(small)
    small.phase("accounts_close")
    assert (small.nation(0).funds, small.nation(1).funds) == (30000, 30000)
    assert small.nation(0).private_funds == 694.08
    assert small.nation(1).private_funds == 5000 - 733.824
    assert private(small, STEEL) == [100, 32]
    assert small.world.accounts[:, cause.LOST_OVER_CAP, FUNDS].tolist() == [-4, -24]
    assert small.world.clock[0]["discrepancies"] == 0


@pytest.mark.rule("MER-014", "MER-063")
def test_a_seller_that_cannot_pay_the_whole_freight_pays_what_it_has_and_no_more_is_credited() -> None:
    """Of 698.88 for 32 steel the seller has room for 2 funds; the freight is 4.8."""
    small = neighbours(**{"private.cash_cap": 2})
    trade(small)
    assert private(small, STEEL) == [100, 32]
    assert (small.nation(0).private_funds, small.nation(0).funds, small.nation(0).carry) == (0, 2, 0)


@pytest.mark.rule("TURN-038", "MER-072")
def test_a_trade_is_booked_on_all_sides() -> None:
    small = neighbours()
    small.phase("accounts_open")
    trade(small)
    small.phase("accounts_close")
    assert small.world.clock[0]["discrepancies"] == 0
    books = small.world.private_accounts
    assert books[:, cause.TRADE, STEEL].tolist() == [-32, 32]
    assert books[:, cause.TRADE, FUNDS].tolist() == [698880, -698880 - 34944]
    assert books[:, cause.FREIGHT, FUNDS].tolist() == [-4800, 0]
    assert small.world.accounts[:, cause.TARIFF, FUNDS].tolist() == [0, 34]
    assert small.world.accounts[:, cause.FREIGHT, FUNDS].tolist() == [4, 0]


@pytest.mark.rule("FIN-025", "MER-072")
def test_what_a_buyer_pays_is_a_purchase() -> None:
    small = neighbours()
    trade(small)
    small.phase("clock")
    assert small.nation(1).payments[-1] == 733.824
    assert small.nation(0).payments[-1] == 0


@pytest.mark.rule("MKT-002", "MER-002", "CMD-017", "MER-061")
def test_nations_without_a_plan_trade() -> None:
    small = neighbours()
    small.nation(0, food=500)
    small.nation(1, food=500)
    small.run(1)
    assert private(small, STEEL) == [100, 32]


@pytest.mark.rule("MER-082", "MER-072")
def test_gaps_are_counted_before_anything_is_traded() -> None:
    small = neighbours()
    trade(small)
    assert small.world.market[STEEL]["asked"] == 32 // 4
    assert small.world.market[STEEL]["offered"] == 100 // 4


@pytest.mark.rule("MER-063")
def test_no_number_of_a_ruleset_makes_land_trade_wrap() -> None:
    most = {"resources.steel.base_price": 10**9, "market.demand_coefficient_max": 1000.0,
            "market.demand_coefficient.slope": 1000.0, "resources.steel.private_cap": 10**9,
            "resources.steel.units_per_container": 10**9, "land.containers_per_pair": 10**9,
            "land.freight": 10.0**9, "private.cash_cap": 10**7}  # fmt: skip
    small = neighbours(**most)
    small.nation(0, private_steel=10**9)
    small.nation(1, private_funds=10**7, buyback={"steel": 99999})
    small.phase("accounts_open")
    trade(small)
    small.phase("accounts_close")
    assert small.world.clock[0]["discrepancies"] == 0
    assert (small.world.nations["private"] >= 0).all()
    assert (small.world.nations["treasury"] >= 0).all()
    assert 0 <= int(small.world.relations["land_used"][0, 1]) <= 2**15 - 1


@pytest.mark.rule("MER-083", "TURN-043")
def test_the_same_world_trades_the_same() -> None:
    results = []
    for _ in range(2):
        small = neighbours(3)
        small.nation(2, private_steel=9, private_fuel=400)
        small.nation(1, buyback={"fuel": 300})
        for phase in ("domestic_trade", "land_trade"):
            small.phase(phase)
        results.append(small.world.nations["private"].copy())
    assert np.array_equal(*results)
    market.open_phase(small.world, small.rules)  # opening a phase changes no stock
    assert np.array_equal(small.world.nations["private"], results[0])
