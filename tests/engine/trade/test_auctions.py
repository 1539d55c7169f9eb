"""Auctions: listing, bidding, deadline and award, and how a deal ends (AUC-001 .. AUC-019)."""

from __future__ import annotations

from typing import Any

import pytest

from hakoenv.engine.codes import command, job, lot
from hakoenv.engine.commands import table
from hakoenv.engine.diplomacy import transport
from hakoenv.engine.trade import bidding
from hakoenv.testing import SmallWorld
from hakoenv.testing.driver import give

GOODS, STEEL, FOOD = 5, 7, 8


def market(nations: int = 3, turn: int = 40, **given: Any) -> SmallWorld:
    """Nations with a capital each and 1000 funds, whose lands do not touch; nobody fundraises."""
    w = SmallWorld(9, 15, nations, turn=turn, rules={"fundraise.income": 0, **given})
    for n in range(nations):
        w.cell(1 + 4 * n, 1, terrain="town", owner=n, population=50, capital=True)
        w.nation(n, funds=1000)
    return w


def neighbours(turn: int = 40) -> SmallWorld:
    """Two nations whose lands touch."""
    w = SmallWorld(9, 9, 2, turn=turn, rules={"fundraise.income": 0})
    for n, town, land in ((0, 2, 3), (1, 5, 4)):
        w.cell(town, 4, terrain="town", owner=n, population=50, capital=True)
        w.cell(land, 4, terrain="plains", owner=n)
    return w


def listing(what: int = STEEL, turns: int = 6, quantity: int = 10, price: int = 100) -> tuple[Any, ...]:
    return ("auction_list", what, turns, quantity, price)


def bid(number: int, funds: int) -> tuple[Any, ...]:
    return ("auction_bid", 0, 0, funds, number)


# ---------------------------------------------------------------- listing


@pytest.mark.rule("AUC-001", "AUC-018", "CMD-024")
def test_listed_goods_leave_the_treasury_at_once() -> None:
    """x = 8 is food, y = 6 turns, amount = 500, target = 450; listed on 40, so the deadline is 46."""
    w = market()
    w.nation(0, food=800)
    assert give(w, 0, listing(FOOD, 6, 500, 450)) == ["done"]
    assert w.nation(0).food == 300
    assert w.world.lots[0]["state"] == lot.OPEN and w.world.lots[0]["number"] == 1
    assert w.matching("auction", {"seller": 0, "item": "food", "quantity": 500, "min_price": 450})
    assert w.matching("auction", {"deadline": 46, "bid": 0, "bidder": None})


@pytest.mark.rule("AUC-001", "CMD-005")
def test_what_is_not_there_is_not_listed() -> None:
    w = market()
    w.nation(0, steel=9)
    assert give(w, 0, listing(quantity=10), listing(quantity=0)) == ["no_materials", "bad_amount"]
    assert w.nation(0).steel == 9 and not w.matching("auction", {})


@pytest.mark.rule("AUC-018")
@pytest.mark.parametrize("what", range(-1, 11))
def test_items_0_to_8_can_be_listed(what: int) -> None:
    """Eight resources in order and food; funds (9) and reserves (10) are no goods."""
    w = market()
    w.world.nations["treasury"][0] = 50
    assert give(w, 0, listing(what))[0] == ("done" if 0 <= what <= 8 else "bad_item")
    if 0 <= what <= 8:
        assert int(w.world.nations["treasury"][0][what]) == 40


@pytest.mark.rule("AUC-011")
@pytest.mark.parametrize(("turns", "ok"), [(2, False), (3, True), (24, True), (25, False), (-3, False)])
def test_a_listing_lasts_3_to_24_turns_and_is_not_clamped(turns: int, ok: bool) -> None:
    w = market(turn=100)
    w.nation(0, steel=10)
    assert give(w, 0, listing(turns=turns)) == ["done" if ok else "bad_amount"]
    assert [entry.deadline for entry in w.matching("auction", {})] == ([100 + turns] if ok else [])


@pytest.mark.rule("AUC-013")
def test_a_minimum_price_is_at_least_1() -> None:
    w = market()
    w.nation(0, steel=20)
    assert give(w, 0, listing(price=0), listing(price=1)) == ["bad_price", "done"]


@pytest.mark.rule("AUC-014")
def test_a_nation_has_three_open_lots_at_most() -> None:
    """Sold ones that are under way do not count."""
    w = market()
    w.nation(0, steel=100)
    assert give(w, 0, *[listing(quantity=1)] * 4) == ["done"] * 3 + ["too_many_lots"]
    assert w.nation(0).steel == 97
    w.world.lots[1]["state"] = lot.SOLD
    assert give(w, 0, listing(quantity=1)) == ["done"]


@pytest.mark.rule("AUC-014")
def test_the_world_has_forty_open_lots_at_most() -> None:
    w = market(nations=1, **{"auction.nation_max": 100})
    w.nation(0, steel=100)
    for number in range(1, 40):
        w.auction(number, 0, "wood", 1, 1, 50)
    assert give(w, 0, listing(quantity=1), listing(quantity=1)) == ["done", "too_many_lots"]


@pytest.mark.rule("AUC-015", "CMD-024", "CMD-025")
def test_listing_and_bidding_are_free_and_take_no_turn() -> None:
    """Both orders are followed by a third in the same turn; of the funds only the deposit 110 is taken."""
    w = market()
    w.nation(0, steel=10)
    w.auction(5, 1, "wood", 10, 100, 50)
    done = give(w, 0, listing(), bid(5, 100), ("port_policy", 0, 0, 1, 0))
    assert done == ["done"] * 3 and w.nation(0).funds == 890
    w = market(**{"auction.fee_percent": 5})  # ceil(101 x 5%) = 6
    w.nation(0, steel=10)
    assert give(w, 0, listing(price=101)) == ["done"] and w.nation(0).funds == 994
    w.nation(0, steel=10, funds=5)
    assert give(w, 0, listing(price=101)) == ["no_funds"]


@pytest.mark.rule("AUC-010")
def test_no_command_takes_a_listing_or_a_bid_back() -> None:
    """Of all commands two speak of auctions: one lists, one bids."""
    assert [name for name in table.command_numbers() if "auction" in name] == ["auction_list", "auction_bid"]
    assert (command.AUCTION_LIST, command.AUCTION_BID) == (92, 93)


# ---------------------------------------------------------------- bidding


@pytest.mark.rule("AUC-002", "AUC-019", "CMD-025")
@pytest.mark.parametrize(("funds", "held"), [(100, 110), (105, 116), (4, 5), (1234, 1358), (1, 2), (10, 11)])
def test_a_deposit_is_the_bid_and_a_tenth_of_it_rounded_up(funds: int, held: int) -> None:
    """E.g. 105: 10.5 is rounded up to 11; one fund less than the deposit is not enough."""
    w = market()
    w.auction(17, 0, "steel", 10, 1, 50)
    w.nation(1, funds=held - 1)
    w.nation(2, funds=held)
    assert give(w, 1, bid(17, funds)) == ["no_funds"] and w.nation(1).funds == held - 1
    assert give(w, 2, bid(17, funds)) == ["done"] and w.nation(2).funds == 0
    assert w.matching("auction", {"lot": 17, "bid": funds, "bidder": 2})


@pytest.mark.rule("AUC-003")
def test_who_is_outbid_has_its_money_back_within_the_turn() -> None:
    """Bid 100 holds 110, bid 120 holds 132; the 110 are back before anything else happens."""
    w = market()
    w.auction(3, 0, "fuel", 50, 80, 48)
    assert give(w, 1, bid(3, 100)) == ["done"] and w.nation(1).funds == 890
    assert give(w, 2, bid(3, 120)) == ["done"]
    assert (w.nation(1).funds, w.nation(2).funds) == (1000, 868)


@pytest.mark.rule("AUC-001", "AUC-003")
def test_nobody_bids_on_its_own_lot_or_above_its_own_bid() -> None:
    w = market()
    w.auction(3, 0, "fuel", 50, 80, 48)
    assert give(w, 0, bid(3, 80)) == ["own_lot"]
    assert give(w, 1, bid(3, 80), bid(3, 200)) == ["done", "own_bid"]
    assert (w.nation(0).funds, w.nation(1).funds) == (1000, 912)
    assert give(w, 1, bid(4, 80), bid(-1, 80)) == ["no_lot", "no_lot"]


@pytest.mark.rule("AUC-013")
@pytest.mark.parametrize(
    ("highest", "least"),
    [(10, 11), (20, 21), (21, 23), (100, 105), (101, 107), (1000, 1050), (1234, 1296), (1, 2)],
)
def test_the_lowest_next_bid(highest: int, least: int) -> None:
    """Highest + max(1, ceil(highest x 5%)); e.g. 21: ceil(1.05) = 2."""
    w = market()
    w.auction(1, 0, "wood", 40, 1, 50, bid=highest, bidder=2)
    w.nation(1, funds=5000)
    assert give(w, 1, bid(1, least - 1)) == ["bid_too_low"] and w.nation(1).funds == 5000
    assert give(w, 1, bid(1, least)) == ["done"]


@pytest.mark.rule("AUC-013")
def test_the_first_bid_is_the_minimum_price_or_more() -> None:
    w = market()
    w.auction(1, 0, "wood", 40, 50, 50)
    assert give(w, 1, bid(1, 49), bid(1, 50)) == ["bid_too_low", "done"]


@pytest.mark.rule("CMD-025", "AUC-002")
def test_bids_that_no_treasury_can_pay_are_refused_whatever_their_size() -> None:
    w = market()
    w.auction(1, 0, "wood", 40, 1, 50)
    for funds in (1001, 2**31, 2**62, 2**63 - 1):
        assert give(w, 1, bid(1, funds)) == ["no_funds"], funds
    for funds in (0, -1, -(2**62)):
        assert give(w, 1, bid(1, funds)) == ["bid_too_low"], funds
    assert w.nation(1).funds == 1000


@pytest.mark.rule("AUC-012")
def test_late_bids_move_the_deadline_six_times() -> None:
    """Deadline 106. A bid on 104 leaves it. On 105: 107; another on 105 finds 2 turns left. On 106: 108.

    Then each on the last turn moves it by 2: 110, 112, 114, 116 are the third to the sixth extension.
    """
    w = market(turn=104)
    w.auction(1, 0, "ore", 30, 10, 106)
    for n in (1, 2):
        w.nation(n, funds=20000)
    entry = w.world.lots[0]
    price, found = 10, []
    for n, turn in enumerate((104, 105, 105, 106, 108, 110, 112, 114, 116, 116)):
        w.world.clock[0]["turn"] = turn
        assert give(w, 1 + n % 2, bid(1, price)) == ["done"]
        found.append((int(entry["deadline"]), int(entry["extensions"])))
        price = bidding.lowest_bid(w.world, w.rules, 0)
    assert found == [(106, 0), (107, 1), (107, 1), (108, 2), (110, 3), (112, 4), (114, 5), (116, 6), (116, 6),
                     (116, 6)]  # fmt: skip


# ---------------------------------------------------------------- who may bid

BANS: dict[str, Any] = {
    "war": lambda w: w.relation(0, 1, state="war", declarer=1),
    "pending": lambda w: w.relation(0, 1, state="pending", declarer=0, turns_left=3),
    "embargo of the seller": lambda w: w.relation(0, 1, embargo=[0]),
    "embargo of the bidder": lambda w: w.relation(0, 1, embargo=[1]),
    "gate of the seller": lambda w: w.relation(0, 1, gate_closed=[0]),
    "gate of the bidder": lambda w: w.relation(0, 1, gate_closed=[1]),
    "closed ports": lambda w: w.nation(0, port_policy="closed"),
    "ports for friends": lambda w: (w.relation(0, 1, state="amity"), w.nation(0, port_policy="friends")),
    "ports closed to one": lambda w: w.relation(0, 1, port_policy={"0": "closed"}),
    "ports for friends in a league": lambda w: (w.league("L", [0, 1]), w.nation(0, port_policy="friends")),
    "containment of the seller": lambda w: w.containment(0, [1]),
    "containment of the bidder": lambda w: w.containment(1, [0, 2]),
}
FREE: dict[str, Any] = {
    "nothing": lambda w: None,
    "ports of the bidder": lambda w: w.nation(1, port_policy="closed"),
    "ports closed to another": lambda w: w.relation(0, 2, port_policy={"0": "closed"}),
    "ports open to one": lambda w: (w.nation(0, port_policy="closed"),
                                    w.relation(0, 1, port_policy={"0": "open"})),
    "embargo of a third": lambda w: w.relation(1, 2, embargo=[1, 2]),
    "containment of a third": lambda w: w.containment(2, [0, 1]),
    "containment without it": lambda w: w.containment(0, [2]),
}  # fmt: skip


@pytest.mark.rule("AUC-016", "CONT-013")
@pytest.mark.parametrize("what", [*BANS, *FREE])
def test_who_may_bid(what: str) -> None:
    w = market()
    w.auction(1, 0, "fuel", 20, 100, 50)
    (BANS | FREE)[what](w)
    assert give(w, 1, bid(1, 100)) == ["no_deals" if what in BANS else "done"]


@pytest.mark.rule("AUC-016", "AUC-004", "CONT-013")
@pytest.mark.parametrize("what", [*BANS, *FREE])
def test_the_same_test_at_the_deadline_calls_the_deal_off(what: str) -> None:
    """Bid 100, deposit 110; on failure 20 fuel and 110 funds go back, else the deal waits for a carrier."""
    w = market()
    w.auction(1, 0, "fuel", 20, 100, 40, bid=100, bidder=1)
    (BANS | FREE)[what](w)
    w.phase("auctions")
    off = what in BANS
    assert (w.nation(0).fuel, w.nation(1).funds) == ((20, 1110) if off else (0, 1000))
    assert [entry.state for entry in w.matching("auction", {})] == ([] if off else ["sold"])


# ---------------------------------------------------------------- the deadline


@pytest.mark.rule("AUC-004", "TURN-048")
def test_a_bid_of_the_deadline_turn_still_counts() -> None:
    """Turn 40 is the deadline, no extension is left: a bid of its plans counts, then the lot is settled."""
    w = market()
    w.auction(1, 0, "fuel", 20, 100, 40, bid=100, bidder=1, extensions=6)
    w.order(2, "auction_bid", amount=105, target=1)
    w.phase("plans")
    assert w.matching("auction", {"lot": 1, "state": "open"})
    w.phase("auctions")
    assert w.matching("auction", {"lot": 1, "state": "sold", "bidder": 2, "settled": 40})
    assert (w.nation(1).funds, w.nation(2).funds) == (1110, 884)
    assert w.matching(
        "transport", {"kind": "auction", "sender": 0, "receiver": 2, "item": "fuel", "quantity": 20}
    )


@pytest.mark.rule("AUC-004")
def test_a_lot_is_open_until_its_deadline() -> None:
    w = market(turn=39)
    w.auction(1, 0, "fuel", 20, 100, 40, bid=100, bidder=1)
    w.phase("auctions")
    assert w.matching("auction", {"lot": 1, "state": "open"})


@pytest.mark.rule("AUC-005")
def test_goods_that_nobody_wants_go_back_as_far_as_there_is_room() -> None:
    w = market(**{"resources.goods.treasury_cap": 100})
    w.nation(0, goods=70)
    w.auction(4, 0, "goods", 40, 900, 40)
    w.phase("auctions")
    assert w.nation(0).goods == 100 and not w.matching("auction", {})


# ---------------------------------------------------------------- delivery


@pytest.mark.rule("AUC-006", "AUC-007", "MER-017", "NAVY-048")
def test_a_lot_is_delivered_over_land_and_paid() -> None:
    """100 steel need two turns: freight ceil(64 x 0.15) = 10, ceil(36 x 0.15) = 6; 80 - 16 = 64 back.

    The price is paid when the last part has arrived; no tariff.
    """
    w = neighbours()
    w.nation(1, tariff=50)
    w.auction(9, 0, "steel", 100, 300, 40, bid=800, bidder=1)
    w.phase("auctions")
    w.phase("diplomatic_transport")
    assert (w.nation(0).funds, w.nation(1).funds, w.nation(1).steel) == (10, 0, 64)
    assert w.matching("auction", {"lot": 9, "state": "sold"})
    w.world.clock[0]["turn"] = 41
    w.world.relations["land_used"] = 0
    w.phase("diplomatic_transport")
    assert (w.nation(0).funds, w.nation(1).funds, w.nation(1).steel) == (816, 64, 100)
    assert not w.matching("auction", {}) and not w.world.transports["kind"].any()


def islands(**given: Any) -> SmallWorld:
    """A seller's port with an idle merchant of its own beside it, and the buyer's port 20 cells away.

    Loading berth (3, 4), berth of the receiving port (23, 4): the route is 20.
    """
    w = SmallWorld(9, 27, 2, turn=40, rules={"fundraise.income": 0, **given})
    for n, town, port in ((0, 1, 2), (1, 25, 24)):
        w.cell(town, 4, terrain="town", owner=n, population=50, capital=True)
        w.cell(port, 4, terrain="port", owner=n, level=1)
    w.ship(0, "merchant", 3, 4, home=[2, 4])
    w.phase("shipping_open")
    return w


@pytest.mark.rule("AUC-006", "AUC-007", "MER-015", "MER-078")
def test_a_ship_is_paid_out_of_the_freight_part() -> None:
    """60 goods are 60 containers: 60 x 20 x 0.01 = 12 of the 80; they go to the owner's private sector."""
    w = islands()
    w.auction(9, 0, "goods", 60, 300, 40, bid=800, bidder=1)
    w.phase("auctions")
    w.phase("diplomatic_transport")
    assert w.matching("auction", {"lot": 9, "state": "sold", "freight": 68})
    assert w.nation(0).private_funds == 12
    assert w.world.jobs[0]["job"] == job.LOADING and not w.matching("transport", {})


@pytest.mark.rule("AUC-007")
@pytest.mark.parametrize(("freight", "sent"), [(12, True), (11, False)])
def test_a_transport_dearer_than_the_freight_part_is_not_started(freight: int, sent: bool) -> None:
    """The voyage costs 12."""
    w = islands()
    w.auction(9, 0, "goods", 60, 300, 40, bid=800, bidder=1, state="sold", settled=40, freight=freight)
    w.phase("diplomatic_transport")
    assert bool(w.matching("transport", {"lot": 9})) == (not sent)
    assert (w.world.jobs[0]["job"] == job.LOADING) == sent


def at_sea(aboard: int, sold: int, price: int, freight: int = 0, lost: int = 0) -> SmallWorld:
    """A sold lot aboard a ship beside the buyer's port, where it unloads."""
    w = islands()
    w.auction(9, 0, "goods", sold, 1, 40, bid=price, bidder=1, state="sold", settled=40, freight=freight,
              lost=lost)  # fmt: skip
    w.ship(0, "merchant", 23, 4, home=[2, 4], job="unloading", destination=[24, 4], arrived=39, cargo=[
        {"item": "goods", "quantity": aboard, "kind": "auction", "from": 0, "to": 1, "lot": 9}
    ])  # fmt: skip
    return w


@pytest.mark.rule("AUC-008", "MER-058")
@pytest.mark.parametrize(
    ("sold", "price", "lost", "paid"), [(100, 800, 50, 400), (3, 100, 1, 66), (3, 100, 0, 100), (7, 3, 5, 0)]
)
def test_only_what_is_delivered_is_paid(sold: int, price: int, lost: int, paid: int) -> None:
    """floor(price x delivered / sold) to the seller, the rest and the unused freight part to the buyer."""
    w = at_sea(sold - lost, sold, price, freight=34, lost=lost)
    w.phase("port_handling_1")
    assert (w.nation(0).funds, w.nation(1).funds) == (paid, price - paid + 34)
    assert w.nation(1).goods == sold - lost and not w.matching("auction", {})


@pytest.mark.rule("AUC-009", "MER-078")
@pytest.mark.parametrize("what", ["war", "embargo", "ports", "no port"])
def test_goods_that_can_not_be_carried_go_back_and_so_does_the_money(what: str) -> None:
    """Bid 800 with 80 for freight; 10 of 60 goods are lost already, the others wait."""
    w = islands()
    w.auction(9, 0, "goods", 60, 300, 40, bid=800, bidder=1, state="sold", settled=40, lost=10)
    if what == "war":
        w.war(0, 1)
    elif what == "embargo":
        w.relation(0, 1, embargo=[1])
    elif what == "ports":
        w.nation(1, port_policy="closed")
    else:
        w.cell(24, 4, terrain="plains", owner=1)
    w.phase("diplomatic_transport")
    assert (w.nation(0).goods, w.nation(0).funds, w.nation(1).funds) == (50, 0, 880)
    assert not w.matching("auction", {}) and not w.world.transports["kind"].any()


@pytest.mark.rule("AUC-017", "TURN-071")
@pytest.mark.parametrize(("turn", "undone"), [(141, False), (142, True)])
def test_a_deal_is_undone_36_turns_after_its_settlement(turn: int, undone: bool) -> None:
    """Settled on 106: on 142 what waits is the seller's again, price and freight part the buyer's."""
    w = market(turn=turn)
    w.auction(1, 0, "fuel", 20, 100, 106, bid=100, bidder=1, state="sold", settled=106)
    w.phase("auctions")
    assert (w.nation(0).fuel, w.nation(1).funds) == ((20, 1110) if undone else (0, 1000))
    assert len(w.matching("auction", {})) == (not undone)


@pytest.mark.rule("AUC-017", "AUC-009")
def test_undone_at_sea_the_ship_takes_the_goods_home() -> None:
    """Of 100 goods for 800, 20 have arrived, 50 are aboard, 30 wait: floor(800 x 20 / 100) = 160 is paid.

    The 30 are back at once, 640 and the freight part of 80 are the buyer's; the 50 sail home.
    """
    w = at_sea(50, 100, 800, freight=80)
    deal = w.world.transports[0]
    deal["waiting"], deal["arrived"] = 30, 20
    w.world.jobs[1]["arrived"] = 0
    w.world.clock[0]["turn"] = 76
    w.phase("auctions")
    assert (w.nation(0).goods, w.nation(0).funds, w.nation(1).funds) == (30, 160, 720)
    assert w.world.jobs[1]["job"] == job.RETURNING and w.world.jobs[1]["goal"] == 4 * 27 + 2
    assert not w.matching("auction", {})
    assert (int(w.world.parcels[0]["quantity"]), int(w.world.parcels[0]["receiver"])) == (50, 0)


@pytest.mark.rule("TURN-055")
def test_a_fallen_nation_leaves_the_market() -> None:
    """Lots of nation 0 end and its bidder has 110 back; its own bid of 50 for another's lot is no more."""
    w = market()
    w.auction(1, 0, "fuel", 20, 100, 50, bid=100, bidder=1)
    w.auction(2, 2, "wood", 20, 40, 50, bid=50, bidder=0)
    w.world.nations["alive"][0] = 0
    transport.end_deals(w.world, w.rules, 0)
    assert w.nation(1).funds == 1110
    assert [(entry.lot, entry.bid, entry.bidder) for entry in w.matching("auction", {})] == [(2, 0, None)]
    w.phase("auctions")
    assert give(w, 1, bid(2, 40)) == ["done"]
