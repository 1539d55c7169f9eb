"""What cases can't say of the market: its memory by turn, what is noted of output, the ends of numbers."""

import numpy as np
import pytest

from hakoenv.engine.codes import cause, item
from hakoenv.engine.economy import prices
from hakoenv.engine.trade import market
from hakoenv.testing import SmallWorld

STEEL, GOODS, FUEL, FUNDS = item.STEEL, item.GOODS, item.FUEL, item.FUNDS


def town(people: int = 250, **rules: object) -> SmallWorld:
    """One nation with a town; goods sell at 1 per 50 people, rich or poor."""
    plain = {"goods.population_per_unit": 50, "goods.wealth_bonus_max": 0}
    small = SmallWorld(9, 9, 1, turn=60, rules={**plain, **rules})
    small.cell(4, 4, terrain="modern_city", owner=0, population=people, capital=True)
    small.nation(0, food=9000, shares=[100, 0, 0])
    return small


@pytest.mark.rule("MER-068", "IND-017")
@pytest.mark.parametrize(("held", "short", "surplus"), [(20, 12, 0), (32, 0, 0), (40, 0, 8)])
def test_short_and_surplus_against_the_planned_level(held: int, short: int, surplus: int) -> None:
    small = SmallWorld(3, 3, 1)
    small.nation(0, private_steel=held, buyback={"steel": 10})
    market.plan(small.world, small.rules, 0, STEEL)
    assert small.world.nations[0]["planned"][STEEL] == 32
    assert market.short(small.world, 0, STEEL) == short
    assert market.surplus(small.world, 0, STEEL) == surplus


@pytest.mark.rule("MER-068")
def test_use_that_is_no_whole_number_and_the_gap_of_the_treasury() -> None:
    small = SmallWorld(3, 3, 1)
    small.nation(0, household_use={"fuel": 0.1}, buyback={"fuel": 100})
    market.plan(small.world, small.rules, 0, FUEL)
    assert small.world.nations[0]["planned"][FUEL] == 1 + 100  # ceil(0.4) + gap


@pytest.mark.rule("MKT-025")
@pytest.mark.parametrize(
    ("asked", "offered", "before", "after"),
    [(60, 20, 20000, 20264), (20, 60, 20000, 19736), (0, 0, 20000, 20000), (5, 5, 30000, 29900)],
)
def test_a_world_price_moves_with_what_was_asked_and_offered(
    asked: int, offered: int, before: int, after: int
) -> None:
    small = SmallWorld(3, 3, 1)
    entry = small.world.market[STEEL]
    entry["asked"], entry["offered"], entry["price"] = asked, offered, before
    prices.update(small.world, small.rules)
    assert entry["price"] == after  # 20000 + 266.667 - 2.667; 30000 - 100


@pytest.mark.rule("IND-046", "IND-043")
def test_demand_that_finds_no_stock_is_not_carried_but_its_fraction_is() -> None:
    small = town(60)  # 1.2 goods a turn
    small.phase("household_market")
    small.nation(0, private_goods=9)
    small.phase("household_market")  # 1.2 + 0.2
    assert small.nation(0).private_goods == 8
    for _ in range(3):  # 0.4, 0.6, 0.8 and then 1.0 carried
        small.phase("household_market")
    assert small.nation(0).private_goods == 9 - 1 - 1 - 1 - 2


@pytest.mark.rule("IND-044", "IND-047")
def test_sales_are_booked_on_both_sides() -> None:
    small = town()
    small.nation(0, private_goods=20, household_use={"goods": 5})  # W 20 = z: 80 a unit
    for phase in ("accounts_open", "household_market", "accounts_close"):
        small.phase(phase)
    assert small.world.clock[0]["discrepancies"] == 0
    private = small.world.private_accounts[0, cause.HOUSEHOLD_SALE]
    assert (private[GOODS], private[FUNDS]) == (-5, 360000)
    assert small.world.accounts[0, cause.SALES_TAX, FUNDS] == 40
    assert np.count_nonzero(small.world.accounts[0, 1:]) == 1  # nothing else was taken or given


@pytest.mark.rule("FIN-025", "FIN-027")
def test_payments_and_sales_are_remembered_by_turn() -> None:
    small = town()
    small.nation(0, payments=[1, 2, 3, 4], household_sales=[10] * 10, private_goods=20,
                 household_use={"goods": 5}, steel=9, private_funds=1000)  # fmt: skip
    assert small.nation(0).payments == [1, 2, 3, 4]
    for phase in ("turn_state", "domestic_trade", "household_market", "clock"):
        small.phase(phase)
    assert small.nation(0).payments == [2, 3, 4, 9 * 22.26]  # W 32, z 0: 29.68 x 0.75
    assert small.nation(0).household_sales == [10] * 9 + [400]
    small.phase("turn_state")
    small.phase("clock")
    assert small.nation(0).payments[-1] == 0


def test_what_a_turn_brings_is_noted() -> None:
    small = town()
    small.cell(1, 1, terrain="open_pit", owner=0, level=1, pile=20)
    small.cell(2, 1, terrain="refinery", owner=0, level=1)
    small.cell(3, 1, terrain="coal_mine", owner=0, level=1, pile=20)
    small.nation(0, shares=[0, 100, 0], oil=9, funds=100, buyback={"ore": 7, "fuel": 300})
    for phase in ("accounts_open", "turn_state", "income", "industry", "domestic_trade", "accounts_close"):
        small.phase(phase)
    booked = small.world.accounts[0, :, item.ORE]
    assert booked[cause.WORLD_PURCHASE] == 2  # 5 mined, 7 wanted
    noted = small.nation(0).ai
    assert noted["ore_in"] == [0, 0, 7]
    assert noted["fuel_made"] == 5 + 50  # the refinery's and the mine's, nothing bought


@pytest.mark.rule("MER-069")
def test_every_nation_has_prices_before_the_first_turn_is_played() -> None:
    from hakoenv.engine.season import Season

    world = Season.new("duel", seed=1).world
    fuel = world.nations["prices"][:, FUEL]
    assert (fuel == 17000).all()  # nothing wanted or held


@pytest.mark.rule("MER-063")
def test_no_number_of_a_ruleset_makes_a_price_or_payment_wrap() -> None:
    most = {"resources.goods.base_price": 10**9, "market.demand_coefficient_max": 1000.0,
            "market.demand_coefficient.slope": 1000.0, "market.household_price_ratio": 1000.0,
            "market.price_ceiling": 1000.0, "resources.goods.private_cap": 10**9,
            "resources.goods.world_buy_price_factor": 1000.0, "private.planning_turns": 1000}  # fmt: skip
    small = town(300, **most)
    small.nation(0, private_goods=10**9, household_use={"goods": 10**9}, private_funds=5, funds=10**6,
                 buyback={"goods": 99999}, goods=0)  # fmt: skip
    small.phase("accounts_open")
    for _ in range(3):
        for phase in ("turn_state", "domestic_trade", "land_trade", "household_market", "world_prices"):
            small.phase(phase)
    small.phase("accounts_close")
    assert small.world.clock[0]["discrepancies"] == 0
    assert 0 < small.world.nations[0]["prices"][GOODS] <= 10**12
    assert 0 < small.world.market[GOODS]["price"] <= 10**12
    assert (small.world.nations[0]["private"] >= 0).all()
    assert (small.world.nations[0]["treasury"] >= 0).all()


@pytest.mark.rule("MER-063", "TURN-038")
def test_the_books_of_whole_turns_balance_with_trade_at_home() -> None:
    small = town(300)
    small.cell(5, 5, terrain="factory", owner=0, level=30)
    small.cell(5, 6, terrain="market", owner=0, level=2)
    small.nation(0, funds=900, fuel=30, goods=30, steel=60, private_funds=800, private_food=40,
                 buyback={"ammo": 20, "fuel": 60}, shares=[60, 30, 10], food=5000)  # fmt: skip
    small.run(12)
    assert small.world.clock[0]["discrepancies"] == 0
    nation = small.nation(0)
    assert sum(nation.household_sales) > 0
    assert nation.ammo == 20
