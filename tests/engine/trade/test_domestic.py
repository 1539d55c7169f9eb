"""Phase 17: ship upkeep, sales with a view to partners, what ships use (MER-071, TURN-062)."""

import pytest

from hakoenv.engine.codes import cause, item
from hakoenv.engine.shipping import charts, harbours
from hakoenv.testing import SmallWorld

FUEL, STEEL, FUNDS = item.FUEL, item.STEEL, item.FUNDS
BETWEEN = 3  # column of the sea or land between nations 0 and 1


def alone(**nation: object) -> SmallWorld:
    """One nation of few words."""
    small = SmallWorld(3, 9, 1)
    small.nation(0, **nation)
    return small


def paid(small: SmallWorld) -> list[int]:
    """Whose upkeep was paid, by place."""
    return [int(small.world.jobs[ship]["paid"]) for ship in (small.world.ships["kind"] > 0).nonzero()[0]]


# ---------------------------------------------------------------- upkeep


@pytest.mark.rule("MER-071", "MER-005", "TURN-018")
@pytest.mark.parametrize(
    ("funds", "flags", "left"),
    [(12, [1, 1, 1, 1], 0), (11, [1, 1, 0, 1], 1), (5, [0, 1, 1, 1], 1), (0, [0, 0, 0, 1], 0)],
)
def test_ships_are_paid_for_in_their_order_each_in_full_or_not(
    funds: int, flags: list[int], left: int
) -> None:
    """A large merchant costs 8, a merchant 2, a cruise ship nothing."""
    small = alone(private_funds=funds)
    for x, kind in enumerate(("large_merchant", "merchant", "merchant", "cruise_ship")):
        small.ship(0, kind, x, 1)
    small.phase("domestic_trade")
    assert paid(small) == flags
    assert small.nation(0).private_funds == left


@pytest.mark.rule("MER-071", "TURN-038")
def test_upkeep_leaves_the_world() -> None:
    small = alone(private_funds=9)
    small.ship(0, "merchant", 1, 1)
    small.ship(0, "fishing_boat", 2, 1)
    for phase in ("accounts_open", "domestic_trade", "accounts_close"):
        small.phase(phase)
    assert small.world.private_accounts[0, cause.SHIP_UPKEEP, FUNDS] == -3000
    assert not small.world.accounts[0, cause.SHIP_UPKEEP].any()
    assert small.nation(0).funds == 0
    assert small.world.clock[0]["discrepancies"] == 0


@pytest.mark.rule("MER-071")
def test_others_ships_and_warships_are_not_paid_for() -> None:
    small = SmallWorld(3, 9, 2)
    small.nation(0, private_funds=100)
    small.ship(1, "merchant", 1, 1)
    small.ship(0, "destroyer", 2, 1)
    small.ship(None, "pirate", 3, 1)
    small.phase("domestic_trade")
    assert small.nation(0).private_funds == 100
    assert paid(small)[0] == 0


@pytest.mark.rule("TURN-062", "MER-071")
@pytest.mark.parametrize(("ships", "bought"), [(0, 1), (1, 0)])
def test_upkeep_comes_before_anything_is_bought(ships: int, bought: int) -> None:
    """2 goods are short (4 x 0.4 rounded up) and cost 79.98 each; of 81 funds a ship takes 2."""
    small = alone(private_funds=81, goods=20, household_use={"goods": 0.4})
    for x in range(ships):
        small.ship(0, "merchant", x, 1)
    small.phase("domestic_trade")
    assert small.nation(0).private_goods == bought


# ---------------------------------------------------------------- sales


@pytest.mark.rule("MER-071", "MKT-026", "MER-063")
def test_the_treasury_sells_what_is_short() -> None:
    """W 2, price 106640: 2 goods at 79980 a unit."""
    small = alone(private_funds=1000, goods=20, household_use={"goods": 0.4})
    small.phase("domestic_trade")
    nation = small.nation(0)
    assert (nation.goods, nation.private_goods) == (18, 2)
    assert (nation.funds, nation.carry) == (159, 0.96)
    assert nation.private_funds == 1000 - 159.96


def neighbours(nations: int = 2) -> SmallWorld:
    """Nation 0 between its neighbours, with 100 steel in the treasury and 32 with its private sector.

    Its steel price is 20000, the others' 29680: they trade at 24840 with a tariff of 1242.
    """
    small = SmallWorld(5, 9, nations)
    small.cell(2, 2, terrain="town", owner=0, population=50, capital=True)
    small.cell(3, 2, terrain="plains", owner=1)
    small.cell(4, 2, terrain="town", owner=1, population=50, capital=True)
    if nations > 2:
        small.cell(1, 2, terrain="town", owner=2, population=50, capital=True)
    small.nation(0, steel=100, private_steel=32, private_funds=5000)
    small.world.nations["shorts"][1, STEEL] = 15
    return small


@pytest.mark.rule("MER-071", "MKT-026")
def test_a_private_sector_buys_what_a_neighbour_was_short_of() -> None:
    """15 at 20000 x 0.75: 225 funds."""
    small = neighbours()
    small.phase("domestic_trade")
    nation = small.nation(0)
    assert (nation.steel, nation.private_steel) == (85, 47)
    assert (nation.funds, nation.private_funds) == (225, 5000 - 225)


@pytest.mark.rule("MER-071")
@pytest.mark.parametrize(
    ("held", "cap", "target", "bought"),
    [
        (40, 20, 0, 7),  # 8 can be spared: 15 - 8
        (50, 20, 0, 0),  # 18 can be spared
        (20, 20, 0, 20),  # short of 12, and 15 for the neighbour: more than the cap
        (20, 50, 0, 27),
        (20, 50, 90, 10),  # the treasury keeps its target
        (20, 50, 200, 0),
        (20, 0, 0, 0),
    ],
)
def test_pull_beside_the_own_shortage(held: int, cap: int, target: int, bought: int) -> None:
    small = neighbours()
    small.nation(0, private_steel=held, export_cap={"steel": cap}, buyback={"steel": target})
    small.phase("domestic_trade")
    assert small.nation(0).private_steel == held + bought


@pytest.mark.rule("MER-071")
def test_what_all_partners_were_short_of_counts_of_each_item_by_itself() -> None:
    small = neighbours(3)
    small.nation(0, export_cap={"steel": 50})
    small.world.nations["shorts"][2, STEEL] = 6
    small.world.nations["shorts"][2, FUEL] = 90
    small.world.nations["shorts"][0, STEEL] = 500  # its own is none of it
    small.phase("domestic_trade")
    assert small.nation(0).private_steel == 32 + 15 + 6


@pytest.mark.rule("MER-071", "MER-064", "MER-070")
@pytest.mark.parametrize(
    "why_not", ["no border", "gate", "embargo", "war", "tariff", "no shortage", "no gain"]
)
def test_only_partners_count_whom_it_may_trade_with_and_who_would_pay(why_not: str) -> None:
    small = neighbours()
    if why_not == "no border":
        small.cell(3, 2, terrain="sea")
    elif why_not == "gate":
        small.world.nations["land_gate"][1] = 0
    elif why_not == "embargo":
        small.relation(0, 1, embargo=[1])
    elif why_not == "war":
        small.war(0, 1)
    elif why_not == "tariff":
        small.nation(1, tariff=20)  # 4968 on a margin of 4840
    elif why_not == "no shortage":
        small.world.nations["shorts"][1, STEEL] = 0
    else:
        small.nation(1, private_steel=32)  # the same price
    small.phase("domestic_trade")
    assert small.nation(0).private_steel == 32


@pytest.mark.rule("MER-071", "MER-067")
@pytest.mark.parametrize(
    ("ship", "charted", "bought"), [(True, True, 15), (False, True, 0), (True, False, 0)]
)
def test_over_the_sea_a_partner_counts_with_a_merchant_and_a_route(
    ship: bool, charted: bool, bought: int
) -> None:
    small = neighbours()
    small.cell(BETWEEN, 2, terrain="sea")
    small.cell(2, 1, terrain="port", owner=0, level=1)
    small.cell(4, 3, terrain="port", owner=1, level=1)
    harbours.enlist(small.world)
    for h in range(2):
        if charted:
            charts.make(small.world, h)
    if ship:
        small.ship(0, "merchant", 7, 4)
    small.phase("domestic_trade")
    assert small.nation(0).private_steel == 32 + bought


# ---------------------------------------------------------------- purchases


@pytest.mark.rule("MKT-024", "MER-071", "SUP-010")
@pytest.mark.parametrize(("set_aside", "treasury", "private"), [(0, 94, 0), (4, 90, 4), (50, 84, 10)])
def test_a_treasury_buys_back_what_is_free_then_from_the_world(
    set_aside: int, treasury: int, private: int
) -> None:
    """Target 100, 60 held; 10 private, of which some may be set aside; then 24 from the world."""
    small = SmallWorld(3, 3, 2)
    small.nation(0, funds=5000, fuel=60, private_fuel=10, buyback={"fuel": 100})
    deal = small.world.contracts[0]
    deal["number"], deal["seller"], deal["buyer"], deal["what"], deal["quantity"] = 1, 0, 1, FUEL, set_aside
    small.phase("domestic_trade")
    assert (small.nation(0).fuel, small.nation(0).private_fuel) == (treasury, private)


@pytest.mark.rule("MER-071")
@pytest.mark.parametrize(("burnt", "bought"), [(0, 3), (4, 7), (20, 10)])
def test_fuel_that_ships_burned_is_bought_from_the_world(burnt: int, bought: int) -> None:
    """Households use 2.5 a turn: W 10, short 10, a turn's use 3; 17000 x 1.25 = 21.25 a unit."""
    small = alone(private_funds=1000, household_use={"fuel": 2.5})
    small.world.nations["ships_fuel"][0] = burnt
    small.phase("domestic_trade")
    assert small.nation(0).private_fuel == bought
    assert small.nation(0).private_funds == 1000 - 21.25 * bought
    assert small.world.nations["ships_fuel"][0] == 0


@pytest.mark.rule("IND-018", "IND-019", "MER-071")
@pytest.mark.parametrize(("used", "bought"), [(0, 0), (2, 2), (8, 8), (40, 22)])
def test_steel_is_bought_from_the_world_as_far_as_ships_used_it(used: int, bought: int) -> None:
    """10 held, 22 short; 25.1 a unit at home, so that the world's 25.0 is no dearer."""
    small = alone(private_funds=1000, private_steel=10)
    small.world.nations["ships_steel"][0] = used
    small.phase("domestic_trade")
    assert small.nation(0).private_steel == 10 + bought
    assert small.nation(0).private_funds == 1000 - 25 * bought
    assert small.world.nations["ships_steel"][0] == 0
    small.phase("domestic_trade")  # what was used is bought once
    assert small.nation(0).private_steel == 10 + bought


@pytest.mark.rule("MER-071")
@pytest.mark.parametrize(("held", "bought"), [(10, 2), (11, 0)])
def test_the_world_is_asked_only_where_it_is_no_dearer(held: int, bought: int) -> None:
    """11 held: 1000 + 10500 // 44 = 1238, 24760 a unit, below 25000."""
    small = alone(private_funds=1000, private_steel=held)
    small.world.nations["ships_steel"][0] = 2
    small.phase("domestic_trade")
    assert small.nation(0).private_steel == held + bought


@pytest.mark.rule("FIN-025", "MER-071")
def test_purchases_are_payments_and_upkeep_is_none() -> None:
    small = alone(private_funds=1000, goods=20, household_use={"goods": 0.4, "fuel": 2.5})
    small.ship(0, "merchant", 1, 1)
    small.phase("domestic_trade")
    small.phase("clock")
    assert small.nation(0).payments[-1] == 159.96 + 3 * 21.25
