"""Bonded storage at ports (MKT-009 .. MKT-013, MKT-017 .. MKT-019)."""

from typing import Any

import pytest

from hakoenv.engine.codes import parcel
from hakoenv.engine.shipping import bond
from hakoenv.testing import SmallWorld

OPEN = {"port.transit_deposits_enabled": 1}
HANDLING = "port_handling_1"


def port_of_1(**rules: Any) -> SmallWorld:
    """Nation 1's port with its transit fee of 2% at (2, 4), nation 0's at (9, 4)."""
    w = SmallWorld(9, 12, 2, turn=40, rules=rules)
    for nation, town, port in ((1, 1, 2), (0, 10, 9)):
        w.cell(town, 4, terrain="town", owner=nation, population=50, capital=True)
        w.cell(port, 4, terrain="port", owner=nation, level=1)
    w.nation(0, private_funds=100)
    w.nation(1, transit_fee=2)
    return w


def bound_for_bond(w: SmallWorld, *goods: tuple[str, int, int], kind: str = "merchant") -> Any:
    """A ship of nation 0 there to put goods (item, quantity, value) into the storage."""
    cargo = [
        {"item": what, "quantity": q, "kind": "bond", "from": 0, "value": value} for what, q, value in goods
    ]
    return w.ship(0, kind, 3, 4, home=[9, 4], job="unloading", destination=[2, 4], arrived=39, cargo=cargo)


def stored(w: SmallWorld) -> list[tuple[int, int, int]]:
    """Owner, item and quantity of all that lies in bond."""
    lies = w.world.parcels[w.world.parcels["state"] == parcel.BONDED]
    return [(int(p["source"]), int(p["what"]), int(p["quantity"])) for p in lies]


@pytest.mark.rule("MKT-012", "MKT-011", "MKT-019", "MKT-003")
def test_the_fee_is_paid_on_deposit_and_the_goods_stay_their_owners() -> None:
    """2% of 1500 are 30."""
    w = port_of_1(**OPEN)
    ship = bound_for_bond(w, ("steel", 100, 1500))
    w.phase(HANDLING)
    assert (w.nation(0).private_funds, w.nation(1).funds) == (70, 30)
    assert stored(w) == [(0, 7, 100)] and ship.cargo == {}
    assert (w.nation(1).private_steel, w.nation(0).private_steel) == (0, 0)
    for phase in (HANDLING, "port_handling_2", "shipping_open"):
        w.phase(phase)
    assert w.nation(0).private_funds == 70  # once


@pytest.mark.rule("MKT-012")
def test_a_setting_toward_the_owner_goes_before_the_general_fee_and_an_own_port_takes_none() -> None:
    w = port_of_1(**OPEN)
    w.relation(0, 1, transit_fee={"1": 4})
    bound_for_bond(w, ("steel", 100, 1500))
    w.phase(HANDLING)
    assert w.nation(1).funds == 60
    w = port_of_1(**OPEN)
    w.cell(2, 4, owner=0)
    bound_for_bond(w, ("steel", 100, 1500))
    w.phase(HANDLING)
    assert (w.nation(0).private_funds, w.nation(0).funds, stored(w)) == (100, 0, [(0, 7, 100)])


@pytest.mark.rule("TRD-008", "TRD-009", "MKT-012")
def test_a_partner_in_a_league_pays_half_and_fractions_are_carried() -> None:
    """2% of 375 are 7.5, half of it 3.75: 3 for the treasury and 0.75 carried; then 4 and 0.5."""
    for goods, funds, carry in ((["steel"], 3, 0.75), (["steel", "goods"], 7, 0.5)):
        w = port_of_1(**OPEN)
        w.league("L", [0, 1])
        bound_for_bond(w, *[(what, 25, 375) for what in goods])
        w.phase(HANDLING)
        assert w.nation(0).private_funds == 100 - 3.75 * len(goods)
        assert (w.nation(1).funds, w.nation(1).carry) == (funds, carry)


@pytest.mark.rule("TRD-010", "TRD-008", "MKT-013")
def test_a_full_treasury_takes_what_fits_of_the_half_fee() -> None:
    """2% of 400 are 8, half of it 4: room for 1 of them."""
    w = port_of_1(**OPEN)
    w.league("L", [0, 1])
    w.nation(1, funds=29999)
    bound_for_bond(w, ("steel", 25, 400))
    w.phase(HANDLING)
    assert (w.nation(0).private_funds, w.nation(1).funds, stored(w)) == (96, 30000, [(0, 7, 25)])


@pytest.mark.rule("TRD-008", "TRD-007")
def test_the_share_that_partners_pay_is_the_ruleset_s_and_friends_of_no_league_pay_all() -> None:
    w = port_of_1(**OPEN, **{"league.transit_fee_factor": 0.25})
    w.league("L", [0, 1])
    bound_for_bond(w, ("steel", 100, 1500))
    w.phase(HANDLING)
    assert w.nation(1).funds == 7  # 30 x 0.25
    w = port_of_1(**OPEN)
    w.relation(0, 1, state="amity")
    bound_for_bond(w, ("steel", 100, 1500))
    w.phase(HANDLING)
    assert w.nation(1).funds == 30


@pytest.mark.rule("MKT-013", "TRD-010")
def test_a_full_treasury_takes_what_fits_and_the_owner_pays_all() -> None:
    """Room for 10 of 30."""
    w = port_of_1(**OPEN)
    w.nation(1, funds=29990)
    bound_for_bond(w, ("steel", 100, 1500))
    w.phase(HANDLING)
    assert (w.nation(0).private_funds, w.nation(1).funds, stored(w)) == (70, 30000, [(0, 7, 100)])


@pytest.mark.rule("MKT-012", "MKT-015")
def test_a_part_that_is_handled_pays_its_part_of_the_fee() -> None:
    """60 of 100 units: 900 of the value 1500, 2% of it 18; the other 40 pay 12 in the next turn."""
    w = port_of_1(**OPEN)
    w.cell(2, 4, handled=196)
    ship = bound_for_bond(w, ("steel", 100, 1500))
    w.phase(HANDLING)
    assert (w.nation(0).private_funds, ship.cargo, stored(w)) == (82, {"steel": 40}, [(0, 7, 60)])
    w.cell(2, 4, handled=0)
    w.phase(HANDLING)
    assert (w.nation(0).private_funds, ship.cargo) == (70, {}) and sorted(stored(w)) == [
        (0, 7, 40),
        (0, 7, 60),
    ]


@pytest.mark.rule("MKT-009", "MKT-010", "MKT-014")
def test_the_storage_holds_so_many_containers_of_any_items_and_owners() -> None:
    """Of 50 containers 40 are taken by nation 1's goods; 8 food fill 2, of 20 steel 8 find room.

    What does not find room goes home with the ship, as private goods do (MER-073).
    """
    w = port_of_1(**OPEN, **{"port.bonded_cap": 50})
    w.bonded((2, 4), 1, "goods", 40)
    w.bonded((9, 4), 1, "goods", 40)  # another port's
    ship = bound_for_bond(w, ("food", 8, 0), ("steel", 20, 0))
    w.phase(HANDLING)
    assert sorted(stored(w)) == [(0, 7, 8), (0, 8, 8), (1, 5, 40), (1, 5, 40)]
    assert bond.room(w.world, w.rules, w.place(2, 4)) == 0
    assert (ship.cargo, ship.job) == ({"steel": 12}, "returning")


@pytest.mark.rule("MKT-009")
def test_the_capacity_is_2_to_the_24_less_1() -> None:
    w = port_of_1(**OPEN)
    w.bonded((2, 4), 0, "goods", 16777210)
    assert bond.room(w.world, w.rules, w.place(2, 4)) == 5
    bound_for_bond(w, ("goods", 10, 0))
    w.phase(HANDLING)
    assert sorted(stored(w)) == [(0, 5, 5), (0, 5, 16777210)]


@pytest.mark.rule("MKT-017")
def test_new_deposits_are_suspended() -> None:
    w = port_of_1()
    ship = bound_for_bond(w, ("steel", 100, 1500))
    w.phase(HANDLING)
    assert (stored(w), w.nation(0).private_funds, w.nation(1).funds) == ([], 100, 0)
    assert (ship.cargo, ship.job, ship.destination) == ({"steel": 100}, "returning", [9, 4])


@pytest.mark.rule("MKT-018", "MKT-019", "MKT-012")
def test_a_ship_that_waits_there_takes_its_owners_goods_over_and_brings_them_home_without_a_fee() -> None:
    """Deposits are suspended and the fee is 2%: taking over goes on, and is free. It searched in turn 39."""
    w = port_of_1()
    w.bonded((2, 4), 0, "steel", 150, deposited=38)
    ship = w.ship(0, "merchant", 3, 4, home=[9, 4], temp_home=[2, 4], job="idle")
    w.world.jobs[0]["searched"] = 39
    for phase in ("shipping_open", "shipping_plan"):
        w.phase(phase)
    assert (ship.job, ship.destination, ship.temp_home) == ("loading", [9, 4], None)
    w.phase(HANDLING)
    assert ship.cargo == {"steel": 128} and stored(w) == [(0, 7, 22)]
    assert ship.job == "returning" and w.nation(0).private_funds == 100


@pytest.mark.rule("MKT-018")
def test_goods_of_others_and_of_nations_are_not_taken_over() -> None:
    w = port_of_1()
    w.bonded((2, 4), 1, "steel", 30, deposited=38)
    ship = w.ship(0, "merchant", 3, 4, home=[9, 4], temp_home=[2, 4], job="idle")
    w.world.jobs[0]["searched"] = 39
    for phase in ("shipping_open", "shipping_plan"):
        w.phase(phase)
    assert ship.temp_home == [2, 4] and ship.to_load == {} and stored(w) == [(1, 7, 30)]


@pytest.mark.rule("MKT-018", "MKT-019")
def test_goods_in_bond_return_to_their_owner_after_6_turns() -> None:
    w = port_of_1()
    w.bonded((2, 4), 0, "steel", 40, deposited=34)
    w.bonded((2, 4), 0, "steel", 7, deposited=35)
    w.phase("shipping_open")
    assert (w.nation(0).private_steel, stored(w)) == (40, [(0, 7, 7)])
