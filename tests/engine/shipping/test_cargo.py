"""What becomes of goods on the way and of the money held for them (MER-036, MER-073, MER-081, SUP-014)."""

from typing import Any

import pytest

from hakoenv.engine import survival
from hakoenv.engine.codes import cause, item, parcel
from hakoenv.engine.navy import hulls
from hakoenv.engine.shipping import cargo
from hakoenv.testing import SmallWorld

STEEL, GOODS, FUNDS = item.STEEL, item.GOODS, item.FUNDS
HANDLING = "port_handling_1"


def strait(**rules: Any) -> SmallWorld:
    """Nation 0 has a port at (2, 4), nation 1 one at (9, 4), nation 2 none; they have no money."""
    w = SmallWorld(9, 12, 3, turn=40, rules=rules)
    for nation, town, port in ((0, 1, 2), (1, 10, 9)):
        w.cell(town, 4, terrain="town", owner=nation, population=50, capital=True)
        w.cell(port, 4, terrain="port", owner=nation, level=1)
    return w


def entry(quantity: int, kind: str = "trade", what: str = "steel", **given: Any) -> dict[str, Any]:
    """Goods of nation 0 for nation 1; of private trade at 20 and a tariff of 1.5 a unit."""
    held = {"price": 20, "tariff": 1.5} if kind == "trade" else {}
    return {"item": what, "quantity": quantity, "kind": kind, "from": 0, "to": 1, **held, **given}


def laden(w: SmallWorld, *entries: dict[str, Any], x: int = 8, owner: int = 0, **given: Any) -> Any:
    """A merchant beside the eastern port, there to unload."""
    plain = {"home": [2, 4], "job": "unloading", "destination": [9, 4], "arrived": 39}
    return w.ship(owner, "merchant", x, 4, **{**plain, **given}, cargo=list(entries))


def contract(w: SmallWorld, quantity: int = 32, **given: Any) -> Any:
    """A supply contract for steel at 12.5: nation 0 sells, nation 1 buys. A ship's cargo of it was sent."""
    plain: dict[str, Any] = {"price": 12.5, "signed": 38, "interval": 6, "port": [9, 4]}
    return w.contract(1, 1, 0, "steel", quantity, **{**plain, **given})


def private(w: SmallWorld, nation: int) -> tuple[int, float]:
    """Steel and cash of a private sector."""
    return w.nation(nation).private_steel, w.nation(nation).private_funds


def in_transit(w: SmallWorld) -> int:
    return int(w.world.parcels["quantity"].sum())


# ---------------------------------------------------------------- private trade arrives


@pytest.mark.rule("MER-073", "MKT-003")
def test_each_unit_landed_pays_the_seller_its_price_and_the_buyers_treasury_the_tariff() -> None:
    """30 x 20 = 600 to the seller, 30 x 1.5 = 45 to nation 1's treasury; nobody pays anything now."""
    w = strait()
    w.world.nations[1]["inbound"][STEEL] = 32  # 2 more are on another ship
    laden(w, entry(30))
    w.phase(HANDLING)
    assert private(w, 0) == (0, 600) and private(w, 1) == (30, 0)
    assert w.world.nations[1]["inbound"][STEEL] == 2
    assert (w.nation(1).funds, w.nation(0).funds) == (45, 0)
    assert w.world.private_accounts[1, cause.TRADE, STEEL] == 30


@pytest.mark.rule("MER-073", "MKT-014")
def test_what_finds_no_room_is_called_off_and_goes_home() -> None:
    """Room for 10 of 30: 200 to the seller, 15 tariff; 20 x 21.5 = 430 back to the buyer; 20 sail home."""
    w = strait(**{"resources.steel.private_cap": 50})
    w.nation(1, private_steel=40)
    ship = laden(w, entry(30))
    w.phase(HANDLING)
    assert private(w, 0) == (0, 200) and private(w, 1) == (50, 430) and w.nation(1).funds == 15
    assert ship.cargo == {"steel": 20} and (ship.job, ship.destination) == ("returning", [2, 4])
    assert cargo.arrive(w.world, w.rules, 0, 20) == 20  # at home
    assert private(w, 0) == (20, 200) and in_transit(w) == 0


@pytest.mark.rule("MER-073")
def test_one_item_without_room_does_not_hold_up_the_others() -> None:
    w = strait(**{"resources.steel.private_cap": 50})
    w.nation(1, private_steel=50)
    ship = laden(w, entry(30), entry(8, what="goods"))
    w.phase(HANDLING)
    assert w.nation(1).private_goods == 8 and w.nation(1).private_funds == 30 * 21.5
    assert ship.cargo == {"steel": 30} and ship.job == "returning"


@pytest.mark.rule("MER-073")
def test_goods_that_came_home_above_the_cap_are_lost() -> None:
    w = strait(**{"resources.steel.private_cap": 50})
    w.nation(0, private_steel=40)
    laden(w, {"item": "steel", "quantity": 30, "kind": "own"}, x=3, job="returning", destination=[2, 4])
    w.phase(HANDLING)
    assert w.nation(0).private_steel == 50
    assert w.world.private_accounts[0, cause.LOST_OVER_CAP, STEEL] == -20


# ---------------------------------------------------------------- supply contracts arrive


@pytest.mark.rule("SUP-009", "SUP-008")
def test_a_shipment_is_paid_on_arrival_at_the_signed_price_and_the_tariff_of_today() -> None:
    """32 x 12.5 = 400; tariff 20%: 2.5 a unit, 80. Market prices and the tariff at signing don't matter."""
    w = strait()
    w.nation(1, private_funds=500, tariff=20)
    deal = contract(w)
    laden(w, entry(32, "contract", contract=1))
    w.phase(HANDLING)
    assert private(w, 0) == (0, 400) and private(w, 1) == (32, 20) and w.nation(1).funds == 80
    assert deal.delivered == 1
    assert int(w.world.nations[1]["payments"][40 % 12]) == 480000


@pytest.mark.rule("SUP-009", "SUP-012")
@pytest.mark.parametrize(("cash", "landed"), [(26.25, 2), (13.124, 0), (0, 0)])
def test_without_the_cash_contract_goods_wait_and_the_contract_notes_it(cash: float, landed: int) -> None:
    """Price and tariff are 12.5 + 0.625 = 13.125 a unit: 26.25 pay for two."""
    w = strait()
    w.nation(1, private_funds=cash, tariff=5)
    deal = contract(w)
    ship = laden(w, entry(32, "contract", contract=1))
    w.phase(HANDLING)
    assert (w.nation(1).private_steel, ship.cargo) == (landed, {"steel": 32 - landed})
    assert (deal.refused, deal.delivered, ship.job) == (True, 0, "unloading")
    w.nation(1, private_funds=1000)
    w.phase("port_handling_2")
    assert (deal.refused, deal.delivered, ship.cargo) == (False, 1, {})


@pytest.mark.rule("SUP-012")
def test_without_room_contract_goods_wait_too() -> None:
    w = strait(**{"resources.steel.private_cap": 50})
    w.nation(1, private_funds=1000, private_steel=45)
    deal = contract(w)
    ship = laden(w, entry(32, "contract", contract=1))
    w.phase(HANDLING)
    assert (ship.cargo, ship.job) == ({"steel": 27}, "unloading")
    assert (deal.refused, deal.delivered) == (True, 0)


@pytest.mark.rule("SUP-007", "MKT-015")
def test_a_shipment_counts_when_all_of_it_is_ashore_and_the_last_one_ends_the_contract() -> None:
    w = strait()
    w.nation(1, private_funds=5000)
    w.cell(9, 4, handled=246)
    deal = contract(w, delivered=1)
    laden(w, entry(32, "contract", contract=1))
    w.phase(HANDLING)
    assert w.nation(1).private_steel == 10 and deal.delivered == 1 and deal.refused is False
    w.cell(9, 4, handled=0)
    w.phase("port_handling_2")
    assert w.nation(1).private_steel == 32
    assert not w.world.contracts["number"].any()


# ---------------------------------------------------------------- lost


@pytest.mark.rule("MER-036", "MER-060", "NAVY-070", "MER-073")
def test_a_sunk_ship_loses_what_is_aboard_and_held_money_goes_back_to_the_buyer() -> None:
    """30 x 21.5 = 645 back; the 12 own units are gone as well; the oil under the shallows is there again."""
    w = strait()
    w.cell(5, 4, terrain="shallows", deposit="oil", richness=20)
    laden(w, entry(30), {"item": "goods", "quantity": 12, "kind": "own"}, x=5, job="sailing")
    assert hulls.hurt(w.world, w.rules, 0, 99, 1)
    assert private(w, 0) == (0, 0) and private(w, 1) == (0, 645) and w.nation(0).private_goods == 0
    assert in_transit(w) == 0 and w.world.transit[[STEEL, GOODS]].tolist() == [-30, -12]
    place = w.cell(5, 4)
    assert (place.terrain, place.deposit, place.ship, place.wreck) == ("shallows", "oil", None, None)


@pytest.mark.rule("MER-036", "MER-073", "MER-077")
def test_what_waits_ashore_for_a_ship_that_sinks_is_its_owners_again() -> None:
    """20 of 50 are aboard: 20 are lost, 30 are back in stock; all 50 x 21.5 = 1075 go back to the buyer."""
    w = strait()
    ship = w.ship(0, "merchant", 3, 4, home=[2, 4], job="loading", destination=[9, 4], to_load=[entry(50)])
    w.cell(2, 4, handled=236)
    w.phase(HANDLING)
    assert ship.cargo == {"steel": 20}
    hulls.sink(w.world, w.rules, 0, -1)
    assert private(w, 0) == (30, 0) and private(w, 1) == (0, 1075) and in_transit(w) == 0


@pytest.mark.rule("MER-036")
def test_other_ships_keep_their_cargo() -> None:
    w = strait()
    laden(w, entry(30), x=5)
    other = laden(w, entry(7))
    hulls.sink(w.world, w.rules, 0, -1)
    assert other.cargo == {"steel": 7} and w.nation(1).private_funds == 645


@pytest.mark.rule("SUP-014")
def test_looted_contract_goods_count_as_delivered_and_only_what_arrives_is_paid() -> None:
    """The rule's example: 16 of 32 are looted; 16 x 12.5 = 200 are paid, the shipment is delivered."""
    w = strait()
    w.nation(1, private_funds=1000, tariff=0)
    deal = contract(w)
    laden(w, entry(32, "contract", contract=1))
    cargo.lose(w.world, w.rules, 0, 16)
    assert (deal.sent, deal.delivered) == (1, 0)
    w.phase(HANDLING)
    assert private(w, 0) == (0, 200) and private(w, 1) == (16, 800)
    assert (deal.sent, deal.delivered, deal.refused) == (1, 1, False)


@pytest.mark.rule("SUP-014", "MER-036")
def test_a_sunk_shipment_can_be_sent_again() -> None:
    w = strait()
    deal = contract(w)
    laden(w, entry(32, "contract", contract=1), x=5, job="sailing")
    hulls.sink(w.world, w.rules, 0, -1)
    assert (deal.sent, deal.delivered) == (0, 0)
    assert private(w, 0) == (0, 0) and private(w, 1) == (0, 0)


@pytest.mark.rule("SUP-014")
def test_a_shipment_half_ashore_that_is_lost_with_its_ship_is_unsent_once() -> None:
    w = strait()
    deal = contract(w, delivered=1)
    goods = entry(32, "contract", contract=1)
    w.ship(0, "merchant", 3, 4, home=[2, 4], job="loading", destination=[9, 4], to_load=[goods])
    w.cell(2, 4, handled=246)
    w.phase(HANDLING)
    hulls.sink(w.world, w.rules, 0, -1)
    assert (deal.sent, deal.delivered) == (1, 1) and private(w, 0) == (22, 0)


@pytest.mark.rule("MER-060", "AID-020")
def test_sunk_goods_of_nations_are_lost_to_both() -> None:
    w = strait()
    laden(w, entry(40, "aid"), x=5, job="sailing")
    hulls.sink(w.world, w.rules, 0, -1)
    assert (w.nation(0).steel, w.nation(1).steel) == (0, 0)
    assert in_transit(w) == 0 and not w.world.transports["kind"].any()


# ---------------------------------------------------------------- goods of nations


@pytest.mark.rule("MER-077", "MKT-014")
def test_goods_of_nations_enter_the_treasury_and_what_has_no_room_stays_aboard() -> None:
    """The treasury holds 5000 steel: 4990 are there, 10 of 40 find room."""
    w = strait(**{"resources.steel.treasury_cap": 5000})
    w.nation(1, steel=4990)
    ship = laden(w, entry(40, "aid"))
    w.phase(HANDLING)
    assert w.nation(1).steel == 5000 and ship.cargo == {"steel": 30} and ship.job == "unloading"
    w.nation(1, steel=0)
    w.phase("port_handling_2")
    assert w.nation(1).steel == 30 and ship.cargo == {} and ship.job == "returning"


@pytest.mark.rule("MER-073", "MER-078")
def test_goods_of_nations_that_are_called_off_go_home_with_the_ship_to_their_sender() -> None:
    w = strait()
    ship = laden(w, entry(40, "aid"), x=5, job="sailing")
    cargo.give_back(w.world, w.rules, 0)
    assert (w.nation(0).steel, ship.cargo) == (0, {"steel": 40})
    assert (ship.job, ship.destination) == ("returning", [2, 4])
    assert cargo.arrive(w.world, w.rules, 0, 40) == 40
    assert w.nation(0).steel == 40 and in_transit(w) == 0


# ---------------------------------------------------------------- called off


@pytest.mark.rule("MER-073")
def test_a_trade_called_off_at_sea_pays_the_buyer_back_and_the_ship_turns_home() -> None:
    w = strait()
    ship = laden(w, entry(30), x=5, job="sailing")
    cargo.give_back(w.world, w.rules, 0)
    assert private(w, 0) == (0, 0) and private(w, 1) == (0, 645)
    assert ship.cargo == {"steel": 30} and (ship.job, ship.destination) == ("returning", [2, 4])
    assert w.world.parcels[0]["kind"] == parcel.OWN and w.world.parcels[0]["receiver"] == 0


@pytest.mark.rule("MER-073", "MER-077")
@pytest.mark.parametrize(("x", "work", "goal"), [(3, "idle", None), (5, "returning", [2, 4])])
def test_goods_still_ashore_are_in_stock_at_once_and_their_ship_is_free(x: int, work: str, goal: Any) -> None:
    w = strait()
    ship = w.ship(0, "merchant", x, 4, home=[2, 4], job="loading", destination=[9, 4], to_load=[entry(50)])
    cargo.give_back(w.world, w.rules, 0)
    assert private(w, 0) == (50, 0) and private(w, 1) == (0, 1075)
    assert (ship.job, ship.destination) == (work, goal)


@pytest.mark.rule("MER-073", "CONT-013")
@pytest.mark.parametrize(
    "what", ["war", "pending", "embargo", "containment", "closed", "port_gone", "port_taken", "none"]
)
def test_trades_that_have_become_impossible_end_in_the_plan(what: str) -> None:
    w = strait()
    ship = laden(w, entry(30), x=5, job="sailing")
    if what in ("war", "pending"):
        w.relation(0, 1, state=what)
    elif what == "embargo":
        w.relation(0, 1, embargo=[1])
    elif what == "containment":
        w.containment(0, [1])
    elif what == "closed":
        w.nation(0, port_policy="closed")  # its own exports are stopped, too: MER-064
    elif what == "port_gone":
        w.cell(9, 4, terrain="wasteland", owner=1)
    elif what == "port_taken":
        w.cell(9, 4, owner=2)
    w.phase("shipping_plan")
    ends = what != "none"
    assert w.nation(1).private_funds == (645 if ends else 0)
    assert ship.job == ("returning" if ends else "sailing") and ship.cargo == {"steel": 30}


@pytest.mark.rule("MER-073")
def test_goods_whose_loading_port_is_lost_are_in_stock_again() -> None:
    w = strait()
    ship = w.ship(0, "merchant", 3, 4, home=[2, 4], job="loading", destination=[9, 4], to_load=[entry(50)])
    w.cell(2, 4, owner=2)
    w.phase("shipping_plan")
    assert private(w, 0) == (50, 0) and private(w, 1) == (0, 1075) and ship.to_load == {}


@pytest.mark.rule("MER-073", "MER-077")
def test_a_ship_called_off_while_it_loads_unloads_what_it_has_and_is_idle() -> None:
    """20 of 50 are aboard when the embargo comes: 30 are in stock at once, 20 when they are ashore again."""
    w = strait()
    ship = w.ship(0, "merchant", 3, 4, home=[2, 4], job="loading", destination=[9, 4], to_load=[entry(50)])
    w.cell(2, 4, handled=236)
    w.phase(HANDLING)
    w.relation(0, 1, embargo=[0])
    w.phase("shipping_plan")
    assert (w.nation(0).private_steel, ship.cargo, ship.job) == (30, {"steel": 20}, "returning")
    w.cell(2, 4, handled=0)
    w.phase("port_handling_2")
    assert (w.nation(0).private_steel, ship.cargo, ship.job) == (50, {}, "idle")


@pytest.mark.rule("MER-078")
@pytest.mark.parametrize(("state", "work"), [("war", "returning"), ("peace", "sailing")])
def test_transports_turn_back_in_war(state: str, work: str) -> None:
    w = strait()
    ship = laden(w, entry(40, "aid"), x=5, job="sailing")
    w.relation(0, 1, state=state)
    w.phase("shipping_plan")
    assert ship.job == work and ship.cargo == {"steel": 40}


# ---------------------------------------------------------------- the end of a nation


def dead(w: SmallWorld, nation: int) -> None:
    """A nation falls in this turn and its land is freed."""
    w.nation(nation, alive=False)
    w.world.nations[nation]["fell"] = 40
    survival.free_abandoned_land(w.world, w.rules)


@pytest.mark.rule("MER-081", "TURN-055")
def test_a_seller_that_falls_loses_ships_and_goods_and_the_buyer_has_its_money_back() -> None:
    w = strait()
    laden(w, entry(30), {"item": "goods", "quantity": 5, "kind": "own"}, x=5, job="sailing")
    dead(w, 0)
    assert not w.ships(owner=0) and in_transit(w) == 0
    assert private(w, 1) == (0, 645) and private(w, 0) == (0, 0)


@pytest.mark.rule("MER-081")
def test_goods_of_others_on_the_ships_of_a_fallen_nation_are_their_owners_again() -> None:
    """Nation 2's ship carries goods of nation 0 for nation 1, and aid of nation 0."""
    w = strait()
    laden(w, entry(30), entry(40, "aid"), x=5, owner=2, job="sailing", home=None)
    dead(w, 2)
    assert not w.ships(owner=2) and in_transit(w) == 0
    assert private(w, 0) == (30, 0) and private(w, 1) == (0, 645) and w.nation(0).steel == 40


@pytest.mark.rule("MER-081", "MER-073")
def test_purchases_of_a_fallen_nation_are_called_off_and_the_ship_brings_the_goods_home() -> None:
    w = strait()
    ship = laden(w, entry(30), x=5, job="sailing")
    dead(w, 1)
    assert private(w, 1) == (0, 0) and ship.cargo == {"steel": 30}
    assert (ship.job, ship.destination) == ("returning", [2, 4])


@pytest.mark.rule("MER-081", "SUP-015")
@pytest.mark.parametrize("who", [0, 1])
def test_contracts_of_a_fallen_nation_end_and_nobody_pays_a_penalty(who: int) -> None:
    w = strait()
    w.nation(1, private_funds=1000)
    w.nation(0, private_funds=1000)
    contract(w)
    laden(w, entry(32, "contract", contract=1), x=5, job="sailing")
    dead(w, who)
    assert not w.world.contracts["number"].any()
    assert w.nation(1 - who).private_funds == 1000
    assert in_transit(w) == (32 if who == 1 else 0)


@pytest.mark.rule("MER-081", "TURN-055")
def test_what_still_waits_to_be_sent_to_a_fallen_nation_is_its_senders_again() -> None:
    w = strait()
    w.transport("aid", 0, 1, "steel", 40)
    dead(w, 1)
    assert w.nation(0).steel == 40 and not w.world.transports["kind"].any()


@pytest.mark.rule("MER-081")
def test_its_goods_on_the_ship_of_another_vanish_and_the_ship_goes_home() -> None:
    w = strait()
    ship = laden(w, entry(30), x=5, owner=1, job="sailing", home=[9, 4])
    dead(w, 0)
    assert ship.cargo == {} and (ship.job, ship.destination) == ("returning", [9, 4])
    assert private(w, 1) == (0, 645)


@pytest.mark.rule("MER-081", "MKT-011")
def test_its_goods_in_bond_vanish_and_those_of_others_at_its_ports_stay() -> None:
    w = strait()
    w.bonded((9, 4), 0, "steel", 20)
    w.bonded((2, 4), 1, "goods", 7)
    dead(w, 0)
    kept = w.world.parcels[w.world.parcels["state"] == parcel.BONDED]
    assert [(int(p["source"]), int(p["quantity"])) for p in kept] == [(1, 7)]


@pytest.mark.rule("MER-073", "MER-081", "MER-060")
def test_every_way_to_end_a_cargo_is_booked() -> None:
    """Opening stocks and booked changes give the closing ones, and no money is made or lost on the way."""
    w = strait()
    w.phase("accounts_open")
    w.nation(1, private_funds=0)
    for x in (4, 5, 6, 7):
        laden(w, entry(10), x=x, job="sailing")
    cargo.lose(w.world, w.rules, 0, 4)
    hulls.sink(w.world, w.rules, 1, -1)
    cargo.give_back(w.world, w.rules, 2)
    assert cargo.arrive(w.world, w.rules, 3, 10) == 10
    assert w.nation(1).private_funds == (4 + 10 + 10) * 21.5
    assert w.nation(0).private_funds == 200 and w.nation(1).funds == 15
    assert w.world.transit[STEEL] == -14
    w.phase("accounts_close")
    assert w.world.clock[0]["discrepancies"] == 0
