"""What AI nations list and bid for, once a turn and outside their plans (AI-073 .. AI-079)."""

from __future__ import annotations

from typing import Any

import pytest

from hakoenv.engine.codes import item
from hakoenv.engine.diplomacy import threat
from hakoenv.testing import SmallWorld

WOOD, STONE, ORE, FUEL, AMMO, STEEL, FOOD = (
    item.WOOD, item.STONE, item.ORE, item.FUEL, item.AMMO, item.STEEL, item.FOOD
)  # fmt: skip


def world(*controllers: str, turn: int = 40, **rules: Any) -> SmallWorld:
    """Nations with a capital each whose lands do not touch, no allowances, and prices of 10 funds for all."""
    w = SmallWorld(9, 15, len(controllers), turn=turn, rules={"fundraise.income": 0, **rules})
    for n, driver in enumerate(controllers):
        w.cell(1 + 4 * n, 1, terrain="town", owner=n, population=50, capital=True)
        w.nation(n, controller=driver)
    w.world.clock["priced"] = turn
    w.world.nations["prices"] = 10_000
    w.world.nations["export_caps"] = 0
    return w


def stock(w: SmallWorld, nation: int, what: int, held: int, cap: int = 0, price: float = 10) -> None:
    """What a nation holds of an item, may export a turn, and its price."""
    record = w.world.nations[nation]
    record["treasury"][what], record["export_caps"][what] = held, cap
    record["prices"][what] = round(1000 * price)


def lots(w: SmallWorld) -> list[tuple[Any, ...]]:
    """Item, quantity, minimum price and deadline of the open lots."""
    return [(e.item, e.quantity, e.min_price, e.deadline) for e in w.matching("auction", {"state": "open"})]


# ---------------------------------------------------------------- listing


@pytest.mark.rule("AUC-020", "AI-075", "AI-079")
@pytest.mark.parametrize(
    ("cap", "price", "quantity", "least"),
    [(80, 17, 35, 536), (20, 17, 10, 153), (80, 20, 30, 540), (1, 17, 0, 0), (2, 0.5, 1, 1), (3, 700, 0, 0)],
)
def test_how_much_is_listed_and_from_which_price(cap: int, price: float, quantity: int, least: int) -> None:
    """The smaller of half the allowance and what is worth 600, floored; 90% of its price, rounded up.

    80 fuel at 17: min(40, floor(35.29)) = 35, ceil(35 x 17 x 0.9) = ceil(535.5) = 536. At 700: none for 600.
    """
    w = world("rule_ai")
    stock(w, 0, FUEL, 100, cap, price)
    w.phase("auctions")
    assert lots(w) == ([("fuel", quantity, least, 46)] if quantity else [])
    assert w.nation(0).fuel == 100 - quantity
    assert w.world.nations["export_caps"][0][FUEL] == cap


@pytest.mark.rule("AUC-020")
def test_no_more_is_listed_than_there_is() -> None:
    w = world("rule_ai")
    stock(w, 0, FUEL, 7, 80, 10)
    w.phase("auctions")
    assert lots(w) == [("fuel", 7, 63, 46)] and w.nation(0).fuel == 0


@pytest.mark.rule("AI-073", "LLM-010", "AUC-020")
@pytest.mark.parametrize(("driver", "lists"), [("rule_ai", True), ("llm", True), ("external", False)])
def test_ai_nations_list_by_themselves(driver: str, lists: bool) -> None:
    w = world(driver)
    stock(w, 0, STEEL, 50, 20)
    w.phase("auctions")
    assert lots(w) == ([("steel", 10, 90, 46)] if lists else [])


@pytest.mark.rule("LLM-010", "AI-073", "AUC-024")
def test_a_listing_of_its_own_plan_comes_first_and_counts() -> None:
    """An LLM nation lists wood by its plan; the automatic listing comes on top, to 3 lots at most."""
    w = world("llm")
    stock(w, 0, STEEL, 50, 20)
    stock(w, 0, WOOD, 50)
    w.order(0, "auction_list", x=WOOD, y=3, amount=5, target=9)
    w.phase("plans")
    w.phase("auctions")
    assert lots(w) == [("wood", 5, 9, 43), ("steel", 10, 90, 46)]
    w.phase("auctions")
    w.phase("auctions")
    assert len(lots(w)) == 3 and w.nation(0).steel == 30


@pytest.mark.rule("AI-074", "AUC-020")
def test_the_item_whose_allowance_is_worth_most_is_listed() -> None:
    """Ore 30 x 30 = 900, steel 40 x 30 = 1200, food 500 x 1 = 500: steel; equals go by item order."""
    w = world("rule_ai")
    for what, cap, price in ((ORE, 30, 30), (STEEL, 40, 30), (FOOD, 500, 1)):
        stock(w, 0, what, 1000, cap, price)
    w.phase("auctions")
    assert lots(w) == [("steel", 20, 540, 46)]
    w = world("rule_ai")
    stock(w, 0, FOOD, 1000, 600, 2)
    stock(w, 0, STONE, 1000, 40, 30)
    w.phase("auctions")
    assert lots(w) == [("stone", 20, 540, 46)]


@pytest.mark.rule("AUC-021", "AI-074")
def test_an_item_with_two_open_lots_in_the_world_is_left_out() -> None:
    w = world("rule_ai", "external")
    stock(w, 0, STEEL, 100, 40, 30)
    stock(w, 0, ORE, 100, 30, 30)
    w.auction(1, 1, "steel", 5, 100, 50)
    w.phase("auctions")
    assert lots(w)[-1] == ("steel", 20, 540, 46)
    w.phase("auctions")
    assert lots(w)[-1] == ("ore", 15, 405, 46)


@pytest.mark.rule("AUC-022", "AI-074", "AI-079")
@pytest.mark.parametrize("state", ["peace", "pending", "war"])
@pytest.mark.parametrize(("what", "name"), [(AMMO, "ammo"), (FUEL, "fuel"), (STEEL, "steel"), (ORE, "ore")])
def test_war_goods_are_kept_under_threat(state: str, what: int, name: str) -> None:
    """Then the next in value is listed."""
    w = world("rule_ai", "external")
    stock(w, 0, what, 100, 40, 30)
    stock(w, 0, WOOD, 100, 10, 10)
    w.relation(0, 1, state=state, declarer=1, turns_left=3)
    w.phase("auctions")
    kept = state != "peace" and name != "ore"
    assert [lot[0] for lot in lots(w)] == ["wood" if kept else name]


def border(own: int, other: int) -> SmallWorld:
    """Two nations that touch by land, with so many reserves."""
    w = SmallWorld(9, 9, 2, turn=40)
    w.cell(3, 4, terrain="town", owner=0, population=50, capital=True)
    w.cell(4, 4, terrain="town", owner=1, population=50, capital=True)
    w.nation(0, reserves=own)
    w.nation(1, reserves=other)
    w.counted()
    return w


def is_threatened(w: SmallWorld) -> bool:
    world = w.counted()
    return bool(threat.is_threatened(world, w.rules, 0))


@pytest.mark.rule("AI-079", "AUC-022")
@pytest.mark.parametrize(("own", "other", "found"), [(100, 200, False), (100, 201, True), (0, 1, True)])
def test_a_neighbour_more_than_twice_as_strong_is_a_threat(own: int, other: int, found: bool) -> None:
    assert is_threatened(border(own, other)) == found


@pytest.mark.rule("AI-079")
def test_units_count_as_strength_and_friends_are_no_threat() -> None:
    """Reserves 100 and 100: a unit of 101 makes it 201 against 100; amity, mates, good terms end the fear."""
    w = border(100, 100)
    w.unit(1, "infantry", 4, 4, strength=101)
    assert is_threatened(w)
    w.relation(0, 1, state="amity")
    assert not is_threatened(w)
    w = border(100, 201)
    w.nation(1, good_terms=[0])
    assert not is_threatened(w)
    w = border(100, 201)
    w.faction("A", 0, [0, 1])
    assert not is_threatened(w)
    w = border(100, 201)
    w.cell(3, 4, terrain="sea")  # they touch no more
    w.cell(1, 4, terrain="town", owner=0, population=50, capital=True)
    assert not is_threatened(w)


# ---------------------------------------------------------------- bidding


def buyer(funds: int, target: int, held: int, *controllers: str, **rules: Any) -> SmallWorld:
    """Nation 0 is an AI that wants steel; nations 1 and more sell."""
    w = world("rule_ai", *(controllers or ("external", "external")), **rules)
    w.nation(0, funds=funds, steel=held)
    w.world.nations["targets"][0][STEEL] = target
    return w


@pytest.mark.rule("AI-076", "AUC-023")
@pytest.mark.parametrize(("quantity", "fits"), [(40, True), (41, False), (1, True)])
def test_a_lot_may_be_twice_what_is_missing(quantity: int, fits: bool) -> None:
    """Target 100, stock 80: 20 are missing."""
    w = buyer(5000, 100, 80)
    w.auction(1, 1, "steel", quantity, 5, 50)
    w.phase("auctions")
    assert bool(w.matching("auction", {"bidder": 0})) == fits
    assert w.nation(0).funds == (5000 - 6 if fits else 5000)  # the minimum price 5 and 1


@pytest.mark.rule("AI-076", "AUC-023")
def test_what_is_not_missing_is_not_bid_for() -> None:
    w = buyer(5000, 100, 100)
    w.auction(1, 1, "steel", 10, 5, 50)
    w.auction(2, 1, "ore", 10, 5, 50)
    w.phase("auctions")
    assert not w.matching("auction", {"bidder": 0})


@pytest.mark.rule("AI-077", "AUC-023")
@pytest.mark.parametrize(("least", "bids"), [(627, True), (628, False)])
def test_the_limit_of_a_bid(least: int, bids: bool) -> None:
    """60 steel at 10 are worth 600, limit 690: 627 + ceil(62.7) = 690 fits, 628 + 63 = 691 does not."""
    w = buyer(10000, 100, 0)
    w.auction(1, 1, "steel", 60, least, 50)
    w.phase("auctions")
    assert [e.bid for e in w.matching("auction", {})] == [least if bids else 0]
    assert w.nation(0).funds == (10000 - 690 if bids else 10000)


@pytest.mark.rule("AI-077", "AUC-023", "AUC-024", "AUC-003")
def test_it_makes_the_lowest_legal_bid_and_never_against_its_own() -> None:
    """Another's 100: 105 is next, 116 taken, the other has its 110 back. Asked again, it bids no more."""
    w = buyer(5000, 100, 0)
    w.auction(1, 1, "steel", 60, 50, 50, bid=100, bidder=2)
    w.phase("auctions")
    assert [(e.bid, e.bidder) for e in w.matching("auction", {})] == [(105, 0)]
    assert (w.nation(0).funds, w.nation(2).funds) == (4884, 110)
    w.phase("auctions")
    assert w.nation(0).funds == 4884


@pytest.mark.rule("AI-078", "AUC-023")
@pytest.mark.parametrize(("funds", "most"), [(4000, 800), (3000, 600), (1200, 200), (1000, 0), (999, 0)])
def test_what_may_be_put_into_bids(funds: int, most: int) -> None:
    """A fifth of the treasury, and 1000 stay in it; a deposit of one fund more is not made.

    Deposits of 800, 600 and 200 belong to bids of 727, 545 and 181 (727 + ceil(72.7) = 800, and so on).
    """
    bid = {800: 727, 600: 545, 200: 181, 0: 0}[most]
    for least, fits in ((bid, most > 0), (bid + 1, False)):
        w = buyer(funds, 100, 0)
        w.auction(1, 1, "steel", 100, max(1, least), 50)
        w.phase("auctions")
        assert bool(w.matching("auction", {"bidder": 0})) == fits, least
        assert w.nation(0).funds == funds - most * fits


@pytest.mark.rule("AI-078", "AUC-023")
@pytest.mark.parametrize(("least", "bids"), [(318, True), (319, False)])
def test_open_deposits_count_as_treasury_and_as_spent(least: int, bids: bool) -> None:
    """Cash 3950 and a deposit of 550 (bid 500): a fifth of 4500 is 900, so 350 are left.

    318 + ceil(31.8) = 350; 319 + 32 = 351 is too much.
    """
    w = buyer(3950, 100, 0)
    w.auction(1, 1, "steel", 100, 400, 50, bid=500, bidder=0)
    w.auction(2, 2, "steel", 100, least, 50)
    w.phase("auctions")
    assert bool(w.matching("auction", {"lot": 2, "bidder": 0})) == bids


@pytest.mark.rule("AI-076", "AUC-023")
def test_which_lot_is_bid_for_first() -> None:
    """The largest missing share of the target, the nearest deadline, the lowest number; one a turn."""
    w = buyer(20000, 100, 50)
    w.nation(0, ore=10)
    w.world.nations["targets"][0][ORE] = 40  # 30 of 40 are missing, of steel 50 of 100
    for number, what, deadline in ((4, "steel", 44), (5, "ore", 52), (7, "ore", 50), (6, "ore", 50)):
        w.auction(number, 1 + (number > 5), what, 10, 5, deadline)
    found = []
    for _ in range(4):
        w.phase("auctions")
        found += [e.lot for e in w.matching("auction", {"bidder": 0}) if e.lot not in found]
    assert found == [6, 7, 5, 4]


@pytest.mark.rule("AI-076", "AUC-016", "AUC-024")
@pytest.mark.parametrize("what", ["own", "war", "embargo", "gate", "ports"])
def test_forbidden_partners_are_forbidden_to_ai_nations_too(what: str) -> None:
    w = buyer(20000, 100, 0)
    w.auction(1, 0 if what == "own" else 1, "steel", 10, 5, 50)
    if what == "war":
        w.war(0, 1)
    elif what == "embargo":
        w.relation(0, 1, embargo=[0])
    elif what == "gate":
        w.relation(0, 1, gate_closed=[1])
    elif what == "ports":
        w.nation(1, port_policy="friends")
    w.phase("auctions")
    assert not w.matching("auction", {"bidder": 0})


@pytest.mark.rule("AUC-012", "AUC-024")
def test_a_late_bid_of_an_ai_nation_moves_the_deadline() -> None:
    w = buyer(20000, 100, 0)
    w.auction(1, 1, "steel", 10, 5, 40)
    w.phase("auctions")
    assert [(e.deadline, e.extensions) for e in w.matching("auction", {})] == [(42, 1)]


@pytest.mark.rule("TURN-048", "AI-073")
def test_ai_nations_act_in_the_order_of_the_turn_and_before_the_closing() -> None:
    """Both AI nations want the lot of nation 2 that closes in this turn: who is first bids 5, the other 6."""
    w = buyer(20000, 100, 0, "rule_ai", "external")
    w.nation(1, funds=20000)
    w.world.nations["targets"][1][STEEL] = 100
    w.auction(1, 2, "steel", 10, 5, 40, extensions=6)
    w.phase("auctions")
    last = int(w.world.order[[n for n in range(3) if w.world.order[n] != 2][-1]])
    assert [(e.bid, e.bidder, e.state) for e in w.matching("auction", {})] == [(6, last, "sold")]
