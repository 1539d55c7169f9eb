"""Phase 19 as a whole: its order, and what is kept for the next turn (MER-075, MER-082, TURN-020)."""

from typing import Any

import pytest

from hakoenv.engine.codes import item
from hakoenv.testing import SmallWorld

STEEL, GOODS = item.STEEL, item.GOODS


def strait(**rules: Any) -> SmallWorld:
    """Nation 0 has 100 steel to spare, nation 1 is short of 32; ports 8 cells apart."""
    w = SmallWorld(9, 15, 2, turn=40, rules=rules)
    for nation, town, port in ((0, 1, 2), (1, 13, 12)):
        w.cell(town, 4, terrain="town", owner=nation, population=50, capital=True)
        w.cell(port, 4, terrain="port", owner=nation, level=1)
    w.nation(0, private_steel=132, private_fuel=5)
    w.nation(1, private_funds=1000)
    return w


def plan(w: SmallWorld) -> None:
    for phase in ("shipping_open", "shipping_plan"):
        w.phase(phase)


@pytest.mark.rule("MER-082", "MER-075")
def test_what_is_short_after_all_assignments_is_kept() -> None:
    """The ship takes what 480 buys: 480 // 22.932 = 20 of 32 steel; 12 stay missing."""
    w = strait()
    w.nation(1, private_funds=480)
    w.ship(0, "merchant", 3, 4, home=[2, 4], job="idle")
    plan(w)
    assert w.world.nations["shorts"][:, STEEL].tolist() == [0, 12]
    w.nation(1, alive=False)
    w.phase("shipping_plan")
    assert not w.world.nations[1]["shorts"].any()


@pytest.mark.rule("MER-082", "SUP-001")
def test_flags_of_short_and_surplus_are_those_at_the_start_of_the_plan() -> None:
    """Steel is sold in the same plan, all that is missing; the flags say how it was before."""
    w = strait()
    w.ship(0, "merchant", 3, 4, home=[2, 4], job="idle")
    plan(w)
    assert (w.nation(1).short_last, w.nation(0).surplus_last) == (["steel"], ["steel"])
    assert w.world.nations[1]["shorts"][STEEL] == 0


@pytest.mark.rule("MER-075", "MER-068")
def test_shorts_and_surpluses_are_taken_anew() -> None:
    """What an earlier phase planned with does not count: the treasury now wants 60 for itself."""
    w = strait()
    w.ship(0, "merchant", 3, 4, home=[2, 4], job="idle")
    plan(w)
    w.nation(0, buyback={"steel": 60})
    w.phase("shipping_plan")
    assert w.world.nations[0]["planned"][STEEL] == 60


@pytest.mark.rule("MER-075", "SUP-010", "TURN-020")
def test_a_new_contract_takes_the_ship_and_ordinary_trade_the_next_one() -> None:
    """Goods and steel pay; steel is under contract with the first ship, the second carries goods."""
    w = strait()
    w.nation(0, private_goods=60, surplus_last=["steel"])
    w.nation(1, private_funds=50000, short_last=["steel"], buyback={"goods": 60})
    first = w.ship(0, "merchant", 3, 4, home=[2, 4], job="idle")
    second = w.ship(0, "merchant", 2, 3, home=[2, 4], job="idle")
    plan(w)
    assert (first.to_load, second.to_load) == ({"steel": 100}, {"goods": 60})


@pytest.mark.rule("MER-075", "MER-073")
def test_money_of_trades_called_off_can_be_spent_in_the_same_plan() -> None:
    """Nation 1 has 0.5 and 32 x 21.5 held with nation 0's last cargo, whose port is gone: 688.5 buy 30."""
    w = strait()
    w.cell(12, 8, terrain="plains", owner=1)
    w.nation(1, private_funds=0.5)
    sold = {"item": "goods", "quantity": 32, "kind": "trade", "from": 0, "to": 1, "price": 20, "tariff": 1.5}
    w.ship(0, "merchant", 8, 8, home=[2, 4], job="sailing", destination=[12, 8], cargo=[sold])
    ship = w.ship(0, "merchant", 3, 4, home=[2, 4], job="idle")
    plan(w)
    assert ship.to_load == {"steel": 30}  # 688.5 // 22.932
    assert w.nation(1).private_funds == pytest.approx(688.5 - 30 * 22.932)


@pytest.mark.rule("MER-075", "FISH-006")
def test_idle_boats_go_out_in_the_plan() -> None:
    w = strait()
    w.cell(7, 7, fish_stock=400)
    boat = w.ship(0, "fishing_boat", 2, 5, home=[2, 4], job="idle")
    plan(w)
    assert (boat.job, boat.destination) == ("fishing", [7, 7])


@pytest.mark.rule("MER-083")
def test_the_same_world_gives_the_same_plan() -> None:
    worlds = []
    for _ in range(2):
        w = strait()
        for x, y in ((3, 4), (2, 3), (2, 5)):
            w.ship(0, "merchant", x, y, home=[2, 4], job="idle")
        w.nation(0, surplus_last=["steel"])
        w.nation(1, short_last=["steel"])
        plan(w)
        worlds.append([array.tobytes() for array in w.world])
    assert worlds[0] == worlds[1]
