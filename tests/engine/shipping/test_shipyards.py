"""When private sectors build merchants, and where (MER-003 .. MER-005, MER-079, TURN-063)."""

from typing import Any

import pytest

from hakoenv.engine.codes import cause, item, ship_class
from hakoenv.testing import SmallWorld

STEEL, FUNDS = item.STEEL, item.FUNDS
NO_CRUISES = {"merchant.cruise_ship.cost_funds": 10**6}


def strait(**rules: Any) -> SmallWorld:
    """Nation 0 has 42 steel, 32 of it planned for, and 30 in its treasury; nation 1 is short of 18.

    18.66 and 23.82: 21.24 are agreed, with 1.062 tariff below 23.82. Cash 2300, in turn 39 18 were waiting.
    """
    w = SmallWorld(9, 15, 2, turn=40, rules={**NO_CRUISES, **rules})
    for nation, town, port in ((0, 1, 2), (1, 13, 12)):
        w.cell(town, 4, terrain="town", owner=nation, population=50, capital=True)
        w.cell(port, 4, terrain="port", owner=nation, level=1)
    w.nation(0, private_steel=42, steel=30, private_funds=2300, waiting_last=[18, 0])
    w.nation(1, private_steel=14, private_funds=500)
    return w


def plan(w: SmallWorld) -> None:
    for phase in ("shipping_open", "shipping_plan"):
        w.phase(phase)


def fleet(w: SmallWorld, nation: int = 0) -> list[str]:
    """The classes of a nation's ships in order of their making."""
    ships = sorted(
        (s for s in w.world.ships if s["kind"] and s["owner"] == nation), key=lambda s: int(s["serial"])
    )
    names = {ship_class.MERCHANT: "merchant", ship_class.LARGE_MERCHANT: "large_merchant"}
    names |= {ship_class.CRUISE_SHIP: "cruise_ship", ship_class.FISHING_BOAT: "fishing_boat"}
    return [names[int(s["kind"])] for s in ships]


def waiting(w: SmallWorld, nation: int = 0) -> list[int]:
    return [int(count) for count in w.world.nations[nation]["waiting"]]


# ---------------------------------------------------------------- the example


@pytest.mark.rule("MER-079", "MER-004", "MER-005", "TURN-063", "IND-019")
def test_18_containers_waiting_for_two_turns_build_a_merchant_for_200_and_2_steel() -> None:
    """min(10 + 30, 18) = 18 >= 16; cash 2300 - 200 = 2100; steel 42 - 2 = 40."""
    w = strait()
    plan(w)
    assert fleet(w) == ["merchant"] and waiting(w) == [18, 0]
    assert (w.nation(0).private_funds, w.nation(0).private_steel) == (2100, 40)
    assert int(w.world.nations[0]["payments"][40 % 12]) == 200000  # FIN-025
    assert int(w.world.nations[0]["ships_steel"]) == 2
    assert w.world.private_accounts[0, cause.SHIP_BUILDING, [STEEL, FUNDS]].tolist() == [-2, -200000]
    (ship,) = w.ships(owner=0)
    assert (ship.hp, ship.home, ship.job, [ship.x, ship.y]) == (2, [2, 4], "idle", [1, 3])


@pytest.mark.rule("TURN-063", "MER-005")
def test_a_new_ship_does_nothing_in_its_turn_and_works_in_the_next() -> None:
    """It lies at (1, 3), the berth of the lowest cell."""
    w = strait()
    plan(w)
    for phase in ("port_handling_1", "ordinary_ships", "port_handling_3"):
        w.phase(phase)
    (ship,) = w.ships(owner=0)
    assert ([ship.x, ship.y], ship.job) == ([1, 3], "idle")
    w.world.clock[0]["turn"] = 41
    w.nation(0, private_steel=132)
    plan(w)
    assert ship.job == "loading" and ship.to_load == {"steel": 18}


@pytest.mark.rule("MER-079", "MER-004")
@pytest.mark.parametrize(("cash", "built"), [(2200, True), (2199.999, False)])
def test_2000_must_be_left(cash: float, built: bool) -> None:
    w = strait()
    w.nation(0, private_funds=cash)
    plan(w)
    assert (fleet(w) == ["merchant"]) == built
    assert w.nation(0).private_funds == (2000 if built else cash)


@pytest.mark.rule("MER-079", "IND-018")
@pytest.mark.parametrize(("cash", "built"), [(2225, True), (2224.999, False)])
def test_missing_steel_is_bought_from_the_world_and_counts_in_the_price(cash: float, built: bool) -> None:
    """1 of 2 steel is there, the other costs 20 x 1.25 = 25; the treasury's 30 are what waits to be sold."""
    w = strait()
    w.nation(0, private_steel=1, private_funds=cash)
    w.nation(1, private_steel=0)
    w.world.nations[0]["prices"][STEEL] = 15000
    w.world.nations[1]["prices"][STEEL] = 25000
    w.world.clock[0]["priced"] = 40
    plan(w)
    assert (fleet(w) == ["merchant"]) == built
    assert w.nation(0).private_funds == (2000 if built else cash)
    assert w.nation(0).private_steel == (0 if built else 1)
    assert int(w.world.nations[0]["ships_steel"]) == (1 if built else 0)
    assert int(w.world.nations[0]["payments"][40 % 12]) == (225000 if built else 0)


# ---------------------------------------------------------------- what waits


@pytest.mark.rule("MER-079", "MER-004", "MER-082")
@pytest.mark.parametrize(
    ("last", "now", "built"), [(16, 16, True), (15, 16, False), (16, 15, False), (0, 18, False)]
)
def test_enough_must_have_waited_in_this_turn_and_the_last(last: int, now: int, built: bool) -> None:
    w = strait()
    w.nation(0, waiting_last=[last, 0])
    w.nation(1, private_steel=32 - now)
    plan(w)
    assert (fleet(w) == ["merchant"]) == built and waiting(w)[0] == now


@pytest.mark.rule("MER-079")
def test_60_fuel_fill_15_containers() -> None:
    """Fuel: nation 0 has 100 and plans with none, nation 1 wants 60 (15 a turn); no steel is wanted."""
    w = strait()
    w.nation(0, private_fuel=100)
    w.nation(1, private_steel=32, household_use={"fuel": 15})
    plan(w)
    assert waiting(w) == [15, 0] and fleet(w) == []


@pytest.mark.rule("MER-079")
@pytest.mark.parametrize(
    ("treasury", "target", "cap", "count"),
    [(30, 0, 20, 40), (30, 25, 20, 15), (30, 0, 2, 18), (300, 0, 20, 90)],
)
def test_what_the_treasury_would_sell_counts_up_to_4_turns_of_its_cap(
    treasury: int, target: int, cap: int, count: int
) -> None:
    """Surplus 10 and min(treasury - target, 4 x cap), at most what is wanted: 90."""
    w = strait()
    w.nation(0, steel=treasury, buyback={"steel": target}, export_cap={"steel": cap})
    w.nation(1, private_steel=0, buyback={"steel": 90})
    plan(w)
    assert waiting(w)[0] == count


@pytest.mark.rule("MER-079")
@pytest.mark.parametrize("what", ["no_chart", "closed", "no_margin"])
def test_only_partners_that_trade_by_sea_on_a_remembered_route_count(what: str) -> None:
    w = strait()
    if what == "closed":
        w.nation(1, port_policy="closed")
    elif what == "no_margin":
        w.nation(1, tariff=40)
    if what != "no_chart":
        w.phase("shipping_open")
    w.phase("shipping_plan")
    assert waiting(w) == [0, 0] and fleet(w) == []


@pytest.mark.rule("MER-079", "MER-075")
def test_what_ships_were_given_in_this_turn_does_not_wait() -> None:
    """The one ship takes 10 of the 18; 8 are still wanted, and the treasury has 30."""
    w = strait()
    w.ship(0, "merchant", 3, 4, home=[2, 4], job="idle")
    w.nation(0, private_fuel=5)
    plan(w)
    assert waiting(w) == [8, 0]


# ---------------------------------------------------------------- where, and how many


@pytest.mark.rule("MER-079")
@pytest.mark.parametrize(
    ("kind", "work", "built"),
    [("merchant", "idle", False), ("merchant", "returning", True), ("large_merchant", "idle", True)],
)
def test_none_is_built_while_one_of_the_class_lies_idle(kind: str, work: str, built: bool) -> None:
    """There is nothing to load: the private stock is what it plans with; the treasury's steel waits."""
    w = strait()
    w.nation(0, private_steel=32, steel=300, private_fuel=1)
    w.ship(0, kind, 3, 4, home=[2, 4], job=work)
    plan(w)
    assert waiting(w)[0] == 18
    assert fleet(w) == [kind] + ["merchant"] * built


@pytest.mark.rule("MER-079", "MER-004")
def test_the_port_with_the_fewest_merchants_then_of_the_lowest_cell_and_4_at_most() -> None:
    def built_at(*homes: list[int]) -> list[int] | None:
        w = strait()
        w.cell(2, 2, terrain="port", owner=0, level=1)
        w.nation(0, private_steel=32, private_fuel=9, steel=300)
        for k, home in enumerate(homes):
            w.ship(0, "merchant", 5 + k % 4, 1 + 2 * (k // 4), home=home, job="returning")
        before = len(w.ships(owner=0))
        plan(w)
        ships = w.ships(owner=0)
        return ships[-1].home if len(ships) > before else None

    assert built_at() == [2, 2]
    assert built_at([2, 2]) == [2, 4]
    assert built_at(*[[2, 2]] * 4) == [2, 4]
    assert built_at(*[[2, 2]] * 4, *[[2, 4]] * 3) == [2, 4]
    assert built_at(*[[2, 2]] * 4, *[[2, 4]] * 4) is None


@pytest.mark.rule("MER-079")
def test_a_port_without_an_empty_berth_builds_none() -> None:
    w = strait()
    for x, y in ((1, 3), (2, 3), (3, 4), (2, 5)):
        w.ship(None, "pirate", x, y)
    plan(w)
    (ship,) = w.ships(owner=0)
    assert [ship.x, ship.y] == [1, 5]
    w = strait()
    for x, y in ((1, 3), (2, 3), (3, 4), (1, 5), (2, 5)):
        w.ship(None, "pirate", x, y)
    plan(w)
    assert fleet(w) == [] and w.nation(0).private_funds == 2300


# ---------------------------------------------------------------- large ones, and the order


def wide_strait(**rules: Any) -> SmallWorld:
    """Both ports are large; 150 steel wait, and did so last turn; cash for all."""
    w = strait(**rules)
    for x in (2, 12):
        w.cell(x, 4, level=2)
    w.nation(0, private_steel=300, steel=0, private_funds=9000, waiting_last=[150, 150])
    w.nation(1, private_steel=0, buyback={"steel": 150})
    return w


@pytest.mark.rule("MER-079", "MER-004", "MER-005", "TURN-063")
def test_a_large_merchant_costs_1200_and_8_steel_and_comes_after_the_small_one() -> None:
    """9000 - 200 - 1200; steel 300 - 2 - 8."""
    w = wide_strait()
    plan(w)
    assert fleet(w) == ["merchant", "large_merchant"] and waiting(w) == [150, 150]
    assert (w.nation(0).private_funds, w.nation(0).private_steel) == (7600, 290)
    assert [ship.hp for ship in w.ships(owner=0)] == [2, 4]


@pytest.mark.rule("MER-079", "MER-004")
@pytest.mark.parametrize(("own", "other", "last"), [(1, 2, 150), (2, 1, 150), (2, 2, 127)])
def test_a_large_merchant_needs_large_ports_at_both_ends_and_its_cargo(
    own: int, other: int, last: int
) -> None:
    w = wide_strait()
    w.cell(2, 4, level=own)
    w.cell(12, 4, level=other)
    w.nation(0, waiting_last=[150, last])
    plan(w)
    assert fleet(w) == ["merchant"]
    assert waiting(w) == [150, 150 if other == 2 else 0]


@pytest.mark.rule("MER-004")
def test_at_most_2_large_merchants_for_a_port() -> None:
    w = wide_strait()
    for k in range(2):
        w.ship(0, "large_merchant", 6 + k, 1, home=[2, 4], job="returning")
    w.nation(0, private_fuel=20)
    plan(w)
    assert fleet(w) == ["large_merchant", "large_merchant", "merchant"]


@pytest.mark.rule("TURN-063", "MER-075", "CRU-025", "FISH-007")
def test_nation_by_nation_merchants_then_a_cruise_ship_then_a_fishing_boat() -> None:
    """Cruise ships cost nothing here, and food is scarce; both nations could build all four."""
    w = wide_strait(**{"merchant.cruise_ship.cost_funds": 0})
    w.nation(0, household_use={"food": 1})
    w.nation(1, household_use={"food": 1}, private_funds=9000)
    w.cell(7, 7, fish_stock=400)
    w.cell(7, 1, fish_stock=400)
    plan(w)
    first, second = (int(n) for n in w.world.order[:2])
    assert fleet(w, 0) == ["merchant", "large_merchant", "cruise_ship", "fishing_boat"]
    assert fleet(w, 1) == ["cruise_ship", "fishing_boat"]
    owners = [
        int(s["owner"])
        for s in sorted((s for s in w.world.ships if s["kind"]), key=lambda s: int(s["serial"]))
    ]
    assert owners == sorted(owners, key=[first, second].index)


@pytest.mark.rule("MER-003")
@pytest.mark.parametrize("amount", [6, 7, 8, 106, 107, 118])
def test_a_nation_cannot_order_a_private_ship_and_pays_nothing(amount: int) -> None:
    w = strait()
    w.cell(3, 2, terrain="naval_port", owner=0, level=1)
    w.nation(0, funds=5000, steel=500, goods=50, fuel=50)
    w.order(0, "build_ship", 4, 2, amount=amount)
    w.phase("plans")
    assert not w.results(0)[0]["done"]
    assert w.nation(0).steel == 500 and w.nation(0).funds >= 5000 and fleet(w) == []
