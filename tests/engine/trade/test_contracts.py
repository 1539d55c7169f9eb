"""Supply contracts: signing, sending, judging, ending (SUP-001 .. SUP-018)."""

from typing import Any

import pytest

from hakoenv.engine.codes import cause, event, item
from hakoenv.engine.trade import contracts
from hakoenv.obs import events
from hakoenv.testing import SmallWorld

STEEL = item.STEEL


def strait(nations: int = 2, width: int = 15, **rules: Any) -> SmallWorld:
    """Nation 0 at (2, 4) has had 100 steel to spare for two turns, nation 1 in the east been short of 32.

    14 and 29.68: 21.84 are agreed, tariff 1.092. The way from (3, 4) is 8 cells: 2 turns.
    """
    w = SmallWorld(9, width, nations, turn=40, rules=rules)
    for nation, town, port in ((0, 1, 2), (1, width - 2, width - 3)):
        w.cell(town, 4, terrain="town", owner=nation, population=50, capital=True)
        w.cell(port, 4, terrain="port", owner=nation, level=1)
    w.nation(0, private_steel=132, private_fuel=5, surplus_last=["steel"], tariff=5)
    w.nation(1, private_funds=5000, short_last=["steel"], tariff=5)
    return w


def merchant(
    w: SmallWorld, x: int = 3, y: int = 4, owner: int = 0, kind: str = "merchant", **given: Any
) -> Any:
    return w.ship(owner, kind, x, y, **{"home": [2, 4], "job": "idle", **given})


def plan(w: SmallWorld) -> None:
    for phase in ("shipping_open", "shipping_plan"):
        w.phase(phase)


def running(w: SmallWorld) -> list[tuple[int, int, int, int]]:
    """Seller, buyer, item and quantity of the contracts that run, in order of their numbers."""
    there = sorted((c for c in w.world.contracts if c["number"]), key=lambda c: int(c["number"]))
    return [(int(c["seller"]), int(c["buyer"]), int(c["what"]), int(c["quantity"])) for c in there]


# ---------------------------------------------------------------- signing


@pytest.mark.rule("SUP-001", "SUP-006", "SUP-007", "SUP-008", "SUP-018", "SUP-005", "SUP-010")
def test_two_turns_of_shortage_and_surplus_make_a_contract_and_the_ship_takes_the_first_shipment() -> None:
    """min(ship 128, 5000 // (2 x 22.932) = 109, surplus 100): 100. Nothing paid yet; 100 more set aside."""
    w = strait()
    ship = merchant(w)
    plan(w)
    deal = w.world.contracts[0]
    assert running(w) == [(0, 1, STEEL, 100)]
    signed = {
        name: int(deal[name]) for name in ("number", "price", "signed", "interval", "sent", "delivered")
    }
    assert signed == {"number": 1, "price": 21840, "signed": 40, "interval": 4, "sent": 1, "delivered": 0}
    assert int(deal["port"]) == w.place(12, 4)
    assert (ship.job, ship.destination, ship.to_load) == ("loading", [12, 4], {"steel": 100})
    assert (w.nation(0).private_steel, w.nation(1).private_funds) == (32, 5000)
    assert int(w.world.nations[0]["set_aside"][STEEL]) == 100
    assert w.world.private_accounts[0, cause.SUPPLY, STEEL] == -100


@pytest.mark.rule("SUP-001")
@pytest.mark.parametrize(
    ("spare", "spare_last", "short_last", "signs"),
    [(16, True, True, True), (15, True, True, False), (100, False, True, False), (100, True, False, False)],
)
def test_both_must_have_been_so_for_two_turns(
    spare: int, spare_last: bool, short_last: bool, signs: bool
) -> None:
    w = strait()
    w.nation(0, private_steel=32 + spare, surplus_last=["steel"] if spare_last else [])
    w.nation(1, short_last=["steel"] if short_last else [])
    merchant(w)
    plan(w)
    assert bool(running(w)) == signs


@pytest.mark.rule("SUP-001", "MER-082")
def test_what_is_short_and_to_spare_at_the_start_of_the_plan_is_kept_for_the_next_turn() -> None:
    """Nation 1 is short of 1 unit only, nation 0 has exactly 16 to spare; the plan itself sells them."""
    w = strait(**{"market.tariff_default": 5})
    w.nation(0, private_steel=48, surplus_last=[])
    w.nation(1, private_steel=31, short_last=[])
    plan(w)
    assert (w.nation(1).short_last, w.nation(0).surplus_last) == (["steel"], ["steel"])
    w.nation(0, private_steel=47)
    w.nation(1, private_steel=32)
    w.phase("shipping_plan")
    assert (w.nation(1).short_last, w.nation(0).surplus_last) == ([], [])


@pytest.mark.rule("SUP-006", "SUP-018")
@pytest.mark.parametrize(
    ("kind", "cash", "spare", "quantity"),
    [
        ("merchant", 5000, 60, 60),
        ("merchant", 2000, 100, 43),  # 2000 // 45.864
        ("merchant", 733.9, 100, 16),  # 16.001..
        ("merchant", 733.8, 100, 0),
        ("merchant", 90000, 300, 128),
        ("large_merchant", 90000, 300, 300),
    ],
)
def test_the_quantity_is_the_least_of_ship_cash_and_surplus(
    kind: str, cash: float, spare: int, quantity: int
) -> None:
    w = strait()
    w.nation(0, private_steel=32 + spare)
    w.nation(1, private_funds=cash)
    merchant(w, kind=kind)
    plan(w)
    assert running(w) == ([(0, 1, STEEL, quantity)] if quantity else [])


@pytest.mark.rule("SUP-018")
def test_the_buyer_must_have_room_for_a_shipment() -> None:
    """The buyer holds 180 of 200 and wants 400: 20 find room."""
    w = strait(**{"resources.steel.private_cap": 200})
    w.nation(1, private_steel=180, buyback={"steel": 400})
    merchant(w)
    plan(w)
    assert running(w) == [(0, 1, STEEL, 20)]


@pytest.mark.rule("SUP-007", "SUP-018")
@pytest.mark.parametrize(("width", "interval"), [(12, 4), (22, 6), (29, 8)])
def test_the_interval_is_there_and_back_and_at_least_4(width: int, interval: int) -> None:
    """5, 15 and 22 cells at 7 are 1, 3 and 4 turns."""
    w = strait(width=width)
    merchant(w)
    plan(w)
    assert int(w.world.contracts[0]["interval"]) == interval


@pytest.mark.rule("SUP-017")
@pytest.mark.parametrize(
    ("who", "forbidden", "signs"),
    [(0, [1, "steel"], False), (1, [0, "steel"], False), (0, [1, "goods"], True), (1, [None, None], False)],
)
def test_both_nations_must_allow_it(who: int, forbidden: list[Any], signs: bool) -> None:
    w = strait()
    w.nation(who, supply_forbid=[forbidden])
    merchant(w)
    plan(w)
    assert bool(running(w)) == signs


@pytest.mark.rule("SUP-017")
def test_a_contract_goes_on_though_a_nation_would_not_allow_a_new_one() -> None:
    w = strait()
    w.nation(1, supply_forbid=[[0, "steel"]])
    w.contract(1, 1, 0, "steel", 32, 12.5, 36, 4, sent=1, delivered=1, port=(12, 4))
    ship = merchant(w)
    plan(w)
    assert ship.to_load == {"steel": 32} and running(w) == [(0, 1, STEEL, 32)]


@pytest.mark.rule("SUP-018")
def test_a_pair_has_one_contract_for_an_item_at_a_time() -> None:
    w = strait()
    w.contract(1, 1, 0, "steel", 16, 12.5, 39, 4, sent=1, port=(12, 4))
    merchant(w)
    plan(w)
    assert running(w) == [(0, 1, STEEL, 16)]


@pytest.mark.rule("SUP-018", "MER-075")
def test_a_ship_takes_the_shipment_of_one_contract_only() -> None:
    """Steel and goods both qualify; the one ship takes goods, the better container; steel waits."""
    w = strait()
    w.nation(0, private_goods=60, surplus_last=["steel", "goods"])
    w.nation(1, buyback={"goods": 60}, private_funds=50000, short_last=["steel", "goods"])
    ship = merchant(w)
    plan(w)
    assert running(w) == [(0, 1, item.GOODS, 60)] and ship.to_load == {"goods": 60}


@pytest.mark.rule("SUP-016")
@pytest.mark.parametrize(
    ("busy", "others", "signs"), [(0, 2, True), (0, 3, False), (1, 2, True), (1, 3, False)]
)
def test_a_nation_is_party_of_at_most_3(busy: int, others: int, signs: bool) -> None:
    w = strait(nations=6)
    for k in range(others):
        w.contract(1 + k, busy, 2 + k, "goods", 16, 80, 40, 4, sent=1)
    for n in range(2, 6):  # they must live and trade by sea
        w.cell(6, 2 * (n - 2) + 1, terrain="port", owner=n, level=1)
    merchant(w)
    plan(w)
    assert ((0, 1, STEEL, 100) in running(w)) == signs


@pytest.mark.rule("SUP-016")
@pytest.mark.parametrize(
    ("others", "most", "signs"), [(1, 2, True), (2, 2, False), (31, 32, True), (32, 32, False)]
)
def test_only_so_many_run_in_the_world(others: int, most: int, signs: bool) -> None:
    """32 by the rules, which is what the World has places for."""
    rules = {"supply.world_max": most, "supply.nation_max": 40}
    w = strait(nations=3, **rules)
    w.cell(7, 8, terrain="port", owner=2, level=1)
    for k in range(others):
        w.contract(1 + k, 1, 2, "goods", 16, 80, 40, 4, sent=1)
    merchant(w)
    plan(w)
    assert ((0, 1, STEEL, 100) in running(w)) == signs
    assert strait().rules.scalars["supply_world_max"][0] == len(w.world.contracts) == 32


@pytest.mark.rule("SUP-004")
@pytest.mark.parametrize("jammed", [True, False])
def test_a_ship_that_cannot_leave_signs_nothing_this_turn(jammed: bool) -> None:
    """The ship at (3, 4) has the port in the west and five water cells around it."""
    w = strait()
    merchant(w)
    around = [(4, 4), (3, 3), (2, 3), (3, 5), (2, 5)]
    for x, y in around if jammed else around[1:]:
        w.ship(None, "pirate", x, y)
    plan(w)
    assert bool(running(w)) != jammed


# ---------------------------------------------------------------- whom with


@pytest.mark.rule("SUP-002", "SUP-018")
def test_the_most_profitable_voyage_of_the_forecast_signs_first() -> None:
    """Both would sell to nation 1, whose cash pays for one contract: nation 2 is nearer (3 turns, not 5)."""
    w = strait(nations=3)
    w.cell(6, 8, terrain="town", owner=2, population=50, capital=True)
    w.cell(7, 8, terrain="port", owner=2, level=1)
    w.nation(2, private_steel=132, private_fuel=5, surplus_last=["steel"])
    w.nation(1, private_funds=5000)
    merchant(w)
    merchant(w, 8, 8, owner=2, home=[7, 8])
    plan(w)
    assert running(w)[0] == (2, 1, STEEL, 100)


@pytest.mark.rule("SUP-002", "SUP-003", "SUP-018")
def test_a_seller_outside_the_forecast_is_asked_for_what_is_missed_most() -> None:
    """Nation 0's best voyage carries goods to nation 1; steel pays, but the hold is full of goods.

    Its second ship is what the wider search takes: the buyer's lack of steel is worth a contract of its own.
    """
    w = strait()
    w.nation(0, private_goods=400)
    w.nation(1, buyback={"goods": 400}, private_funds=90000)
    first, second = merchant(w), merchant(w, 2, 3)
    plan(w)
    assert running(w) == [(0, 1, STEEL, 100)]
    assert {tuple(ship.to_load) for ship in (first, second)} == {("steel",), ("goods",)}


def archipelago(known: int, unknown: int, **rules: Any) -> SmallWorld:
    """Nation 1 in the middle is short of steel; so many sellers with and without a chart of its port.

    Each seller's ships are too small to be in the forecast: their voyage costs more than it brings.
    """
    w = SmallWorld(
        15, 30, 2 + known + unknown, turn=40, rules={"merchant.merchant.upkeep_funds": 900, **rules}
    )
    w.cell(14, 7, terrain="town", owner=1, population=50, capital=True)
    w.cell(15, 7, terrain="port", owner=1, level=1)
    w.nation(1, private_funds=90000, short_last=["steel"])
    for k in range(known + unknown):
        n, x, y = 2 + k, 2 + 3 * (k % 9), 1 if k < 9 else 13
        w.cell(x, y, terrain="port", owner=n, level=1)
        w.nation(n, private_steel=132, private_fuel=5, surplus_last=["steel"])
        w.ship(n, "merchant", x + 1, y, home=[x, y], job="idle")
    return w


@pytest.mark.rule("SUP-003")
@pytest.mark.parametrize(("per_turn", "signed"), [(8, 3), (2, 2), (0, 0)])
def test_so_many_pairs_are_looked_at_in_a_turn(per_turn: int, signed: int) -> None:
    """Five sellers qualify and nation 1 may sign 3: all of the first three looked at sign."""
    w = archipelago(5, 0, **{"supply.pairs_per_turn": per_turn})
    plan(w)
    assert len(running(w)) == signed


@pytest.mark.rule("SUP-003", "MER-083")
@pytest.mark.parametrize("searches", [4, 0])
def test_a_missing_chart_is_made_within_the_budget_of_new_searches(searches: int) -> None:
    """Charts are made by the plan only: one search charts the one port of nation 1, then it is remembered."""
    w = archipelago(0, 5, **{"merchant.distance_fields_per_turn": 0, "supply.new_paths_per_turn": searches})
    plan(w)
    assert int((w.world.harbours["charted"] > 0).sum()) == min(1, searches)
    assert len(running(w)) == (3 if searches else 0)


@pytest.mark.rule("SUP-003", "SUP-018")
def test_the_nearest_seller_signs_first() -> None:
    """Ships of sellers 2 .. 6 lie at (3, 1), (6, 1), (9, 1), (12, 1), (15, 1), the port at (15, 7).

    From the last two there are 5 cells to (15, 6), so the lower seller is first; then comes (9, 1).
    """
    w = archipelago(5, 0)
    plan(w)
    assert [deal[0] for deal in running(w)] == [5, 6, 4]


@pytest.mark.rule("SUP-003", "SUP-018")
def test_a_pair_that_could_not_sign_is_not_looked_at_again() -> None:
    """The nearest seller's ship at (6, 1) is jammed; of two pairs the second is the other seller's."""
    w = archipelago(2, 0, **{"supply.pairs_per_turn": 2})
    for x, y in ((7, 1), (7, 0), (6, 0), (7, 2), (6, 2)):
        w.ship(None, "pirate", x, y)
    plan(w)
    assert [deal[:2] for deal in running(w)] == [(2, 1)]


def two_buyers(**rules: Any) -> SmallWorld:
    """Nations 1 and 2 lack steel alike; 0 and 3 have two ships each, whose voyages would not pay."""
    w = SmallWorld(15, 30, 4, turn=40, rules={"merchant.merchant.upkeep_funds": 900, **rules})
    for n, y in ((1, 7), (2, 11)):
        w.cell(15, y, terrain="port", owner=n, level=1)
        w.nation(n, private_funds=90000, short_last=["steel"])
    for n, x in ((0, 2), (3, 8)):
        w.cell(x, 1, terrain="port", owner=n, level=1)
        w.nation(n, private_steel=1000, private_fuel=5, surplus_last=["steel"])
        for k in range(2):
            w.ship(n, "merchant", x - 1 + 2 * k, 1, home=[x, 1], job="idle")
    return w


@pytest.mark.rule("SUP-018")
def test_buyers_that_lack_as_much_are_both_served_the_lower_first() -> None:
    w = two_buyers()
    plan(w)
    assert [deal[:2] for deal in running(w)] == [(3, 1), (0, 1), (3, 2), (0, 2)]


@pytest.mark.rule("SUP-003", "MER-083")
@pytest.mark.parametrize(("searches", "buyers"), [(0, set()), (1, {1}), (2, {1, 2})])
def test_each_new_search_is_counted(searches: int, buyers: set[int]) -> None:
    w = two_buyers(**{"merchant.distance_fields_per_turn": 0, "supply.new_paths_per_turn": searches})
    plan(w)
    assert {deal[1] for deal in running(w)} == buyers
    assert int((w.world.harbours["charted"] > 0).sum()) == searches


@pytest.mark.rule("SUP-018")
def test_of_equal_voyages_in_the_forecast_the_lower_seller_signs() -> None:
    """Sellers 0 and 2 lie alike; a nation may be party of one contract."""
    w = strait(nations=3, **{"supply.nation_max": 1})
    w.cell(2, 4, terrain="sea")
    for n, y in ((0, 2), (2, 6)):
        w.cell(2, y, terrain="port", owner=n, level=1)
        w.nation(n, private_steel=132, private_fuel=5, surplus_last=["steel"])
        w.ship(n, "merchant", 3, y, home=[2, y], job="idle")
    plan(w)
    assert running(w) == [(0, 1, STEEL, 100)]


# ---------------------------------------------------------------- sending


@pytest.mark.rule("SUP-018", "SUP-010")
@pytest.mark.parametrize(("turn", "leaves"), [(43, False), (44, True), (45, True)])
def test_the_second_shipment_leaves_from_signing_and_interval_on(turn: int, leaves: bool) -> None:
    w = strait()
    w.world.clock[0]["turn"] = turn
    w.contract(1, 1, 0, "steel", 32, 12.5, 40, 4, sent=1, delivered=1, port=(12, 4))
    w.nation(0, private_steel=64, surplus_last=[])
    ship = merchant(w)
    plan(w)
    assert ship.to_load == ({"steel": 32} if leaves else {})
    assert int(w.world.contracts[0]["sent"]) == (2 if leaves else 1)


@pytest.mark.rule("SUP-010", "TURN-020")
def test_a_due_shipment_takes_the_ship_before_an_ordinary_trade() -> None:
    w = strait()
    w.nation(0, private_goods=200, surplus_last=[])
    w.nation(1, buyback={"goods": 200}, private_funds=90000, short_last=[])
    w.contract(1, 1, 0, "steel", 32, 12.5, 36, 4, sent=1, delivered=1, port=(12, 4))
    ship = merchant(w)
    plan(w)
    assert ship.to_load == {"steel": 32}


@pytest.mark.rule("SUP-018", "MER-075")
def test_a_due_shipment_takes_the_ship_before_a_new_contract() -> None:
    w = strait()
    w.nation(0, private_goods=16)
    w.contract(1, 1, 0, "goods", 16, 80, 36, 4, sent=1, delivered=1, port=(12, 4))
    ship = merchant(w)
    plan(w)
    assert ship.to_load == {"goods": 16} and running(w) == [(0, 1, item.GOODS, 16)]


@pytest.mark.rule("SUP-010")
def test_what_is_set_aside_for_the_next_shipment_is_not_sold() -> None:
    """The rule's example: stock 50, next shipment 32: 18 can be sold; steel is planned with 0."""
    w = strait(nations=3, **{"resources.steel.private_floor": 0})
    w.cell(7, 8, terrain="port", owner=2, level=1)
    w.nation(0, private_steel=50, surplus_last=[])
    w.nation(1, short_last=[])
    w.nation(2, private_funds=90000, buyback={"steel": 400})
    w.contract(1, 1, 0, "steel", 32, 12.5, 39, 4, sent=1, port=(12, 4))
    ship = merchant(w)
    plan(w)
    assert (ship.to_load, ship.destination) == ({"steel": 18}, [7, 8])


@pytest.mark.rule("SUP-018")
def test_a_shipment_waits_for_a_ship_that_holds_it_and_for_its_goods() -> None:
    """200 steel need the large ship, though the small one is asked first."""
    w = strait()
    w.nation(0, private_steel=232, surplus_last=[])
    w.nation(1, private_steel=32, short_last=[])
    w.contract(1, 1, 0, "steel", 200, 12.5, 36, 4, sent=1, delivered=1, port=(12, 4))
    small, large = merchant(w), merchant(w, 2, 3, kind="large_merchant")
    plan(w)
    assert (small.to_load, large.to_load) == ({}, {"steel": 200})
    w = strait()
    w.nation(0, private_steel=199, surplus_last=[])
    w.nation(1, private_steel=32, short_last=[])
    w.contract(1, 1, 0, "steel", 200, 12.5, 36, 4, sent=1, delivered=1, port=(12, 4))
    large = merchant(w, kind="large_merchant")
    plan(w)
    assert large.to_load == {} and int(w.world.contracts[0]["sent"]) == 1


@pytest.mark.rule("SUP-018", "MER-075")
def test_shipments_leave_by_due_turn_then_by_number() -> None:
    """One ship: number 3 has been due since 39, 1 and 2 since 40."""
    for order, quantity in (((2, 1, 3), 33), ((2, 1), 31), ((1, 2), 31)):
        w = strait(nations=2)
        w.nation(0, private_steel=500, surplus_last=[])
        w.nation(1, private_steel=32, short_last=[])
        for number in order:
            dates = {"signed": 35 if number == 3 else 36, "interval": 4, "sent": 1, "delivered": 1}
            w.contract(number, 1, 0, "steel", 30 + number, 12.5, port=(12, 4), **dates)
        ship = merchant(w)
        plan(w)
        assert ship.to_load == {"steel": quantity}


# ---------------------------------------------------------------- judging


def late(w: SmallWorld, turn: int, **given: Any) -> None:
    """The rule's contract: 32 steel at 12.5, signed on 100, every 6 turns."""
    w.world.clock[0]["turn"] = turn
    w.nation(0, private_funds=1000)
    w.nation(1, private_funds=1000)
    w.contract(1, 1, 0, "steel", 32, 12.5, 100, 6, **{"port": (12, 4), **given})


@pytest.mark.rule("SUP-011")
@pytest.mark.parametrize(
    ("turn", "delivered", "ends"),
    [(108, 0, False), (109, 0, True), (109, 1, False), (114, 1, False), (115, 1, True)],
)
def test_shipment_k_must_have_arrived_by_signing_and_k_intervals_and_3(
    turn: int, delivered: int, ends: bool
) -> None:
    w = strait()
    late(w, turn, sent=delivered, delivered=delivered)
    w.phase("cruise_and_raids")
    assert (running(w) == []) == ends


@pytest.mark.rule("SUP-011", "TURN-051")
def test_what_arrives_in_the_deadline_turn_is_in_time() -> None:
    w = strait()
    late(w, 109)
    goods = {"item": "steel", "quantity": 32, "kind": "contract", "contract": 1}
    merchant(w, 11, 4, job="unloading", destination=[12, 4], arrived=109, cargo=[goods])
    for phase in ("port_handling_3", "cruise_and_raids"):
        w.phase(phase)
    assert running(w) == [(0, 1, STEEL, 32)] and int(w.world.contracts[0]["delivered"]) == 1


@pytest.mark.rule("SUP-012")
@pytest.mark.parametrize(
    ("delivered", "refused", "paid"), [(0, False, 80), (1, False, 40), (0, True, -80), (1, True, -40)]
)
def test_the_side_at_fault_pays_a_tenth_of_what_is_outstanding(
    delivered: int, refused: bool, paid: int
) -> None:
    w = strait()
    late(w, 115, sent=2, delivered=delivered, refused=refused)
    w.phase("cruise_and_raids")
    assert (w.nation(0).private_funds, w.nation(1).private_funds) == (1000 - paid, 1000 + paid)


@pytest.mark.rule("SUP-012")
def test_a_penalty_is_floored_to_a_thousandth_and_limited_to_the_cash() -> None:
    """16 x 12.333 = 197.328 outstanding, a tenth is 19.7328."""
    for cash, paid in ((1000, 19.732), (5.5, 5.5)):
        w = strait()
        w.world.clock[0]["turn"] = 120
        w.nation(0, private_funds=cash)
        w.nation(1, private_funds=0)
        w.contract(1, 1, 0, "steel", 16, 12.333, 100, 6, sent=1, delivered=1, port=(12, 4))
        w.phase("cruise_and_raids")
        assert w.nation(1).private_funds == paid
        assert int(w.world.private_accounts[0, cause.PENALTY, item.FUNDS]) == -round(paid * 1000)


@pytest.mark.rule("SUP-013")
@pytest.mark.parametrize("refused", [False, True])
def test_everybody_learns_who_broke_which_contract(refused: bool) -> None:
    w = strait(nations=3)
    late(w, 109, refused=refused)
    w.phase("cruise_and_raids")
    told = events.Happening(event.SUPPLY_BREACH, int(refused), int(not refused), -1, STEEL)
    assert all(told in seen for seen in events.seen(w.world, w.rules))


@pytest.mark.rule("SUP-012", "SUP-015")
@pytest.mark.parametrize(("cash", "kind"), [(1000, "trade"), (100, "own")])
def test_goods_still_under_way_are_sold_at_once_or_go_home(cash: int, kind: str) -> None:
    """32 x (12.5 + 0.625) = 420: held if the buyer has it, else the ship turns back."""
    w = strait()
    late(w, 109)
    w.nation(1, private_funds=cash)
    goods = {"item": "steel", "quantity": 32, "kind": "contract", "contract": 1}
    ship = merchant(w, 8, 4, job="sailing", destination=[12, 4], cargo=[goods])
    w.phase("cruise_and_raids")  # the seller pays 80
    assert w.nation(1).private_funds == cash + 80 - (420 if kind == "trade" else 0)
    assert ship.job == ("sailing" if kind == "trade" else "returning") and ship.cargo == {"steel": 32}


# ---------------------------------------------------------------- ends without a penalty


@pytest.mark.rule("SUP-015", "CONT-013")
@pytest.mark.parametrize("phase", ["cruise_and_raids", "shipping_plan"])
@pytest.mark.parametrize(
    "what", ["war", "pending", "embargo", "containment", "closed", "port_lost", "dead", "nothing"]
)
def test_what_makes_trade_impossible_ends_a_contract_without_penalty(what: str, phase: str) -> None:
    """The goods on the way go home; in turn 109 the first shipment would else be late."""
    w = strait(nations=3)
    late(w, 105)
    goods = {"item": "steel", "quantity": 32, "kind": "contract", "contract": 1}
    ship = merchant(w, 8, 4, job="sailing", destination=[12, 4], cargo=[goods])
    if what in ("war", "pending"):
        w.relation(0, 1, state=what)
    elif what == "embargo":
        w.relation(0, 1, embargo=[0])
    elif what == "containment":
        w.containment(1, [0])
    elif what == "closed":
        w.nation(1, port_policy="closed")
    elif what == "port_lost":
        w.cell(12, 4, owner=2)
    elif what == "dead":
        w.nation(1, alive=False)
    w.phase(phase)
    goes_on = what == "nothing"
    assert (running(w) != []) == goes_on
    assert ship.job == ("sailing" if goes_on else "returning")
    assert (w.nation(0).private_funds, w.nation(1).private_funds) == (1000, 1000)
    assert event.SUPPLY_BREACH not in w.world.events["kind"]


@pytest.mark.rule("SUP-015")
def test_goods_not_yet_loaded_are_in_stock_again() -> None:
    w = strait()
    late(w, 105)
    goods = {"item": "steel", "quantity": 32, "kind": "contract", "contract": 1}
    ship = merchant(w, job="loading", destination=[12, 4], to_load=[goods])
    w.relation(0, 1, state="war")
    contracts.drop_impossible(w.world, w.rules)
    assert w.nation(0).private_steel == 132 + 32 and ship.job == "idle"
