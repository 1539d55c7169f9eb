"""Masks of deals between nations: aid, exchanges, regular shipments, auctions, and what a command leaves."""

import itertools
import json
from typing import Any

import numpy as np
import pytest

from hakoenv.engine import territory
from hakoenv.engine.codes import controller, item, reason
from hakoenv.engine.commands import execute, plans, table, validate
from hakoenv.engine.shipping import charts, harbours
from hakoenv.engine.world import copy_world
from hakoenv.envs.actions import REPLACE, apply
from hakoenv.envs.flat_commands import candidates
from hakoenv.envs.plan_space import PlanSpace
from hakoenv.envs.written import actions_of
from hakoenv.obs import menu_deals
from hakoenv.obs.language import answers, forms, hints
from hakoenv.obs.language.vocabulary import Vocabulary
from hakoenv.obs.menu import Menu
from hakoenv.obs.menu_draft import HEADS
from hakoenv.ruleset import load_ruleset
from hakoenv.testing import SmallWorld

DEALS = ("auction_list", "auction_bid", "regular_offer", "regular_accept", "regular_withdraw", "national_aid",
         "exchange")  # fmt: skip
SETTINGS = ("embargo", "port_policy", "land_gate", "declare_war", "supply_policy")
RULESET = load_ruleset("season")
MENU = Menu(RULESET, 4, [*DEALS, *SETTINGS, "prepare_land", "dig", "fundraise"], cells=48)
SPACE = PlanSpace(MENU, 6)
ONE = PlanSpace(MENU, 1)
NAMES = ["none", *(verb.name for verb in MENU.verbs)]
CELLS = np.tile(np.arange(48, dtype=np.int32), (4, 1))  # place k is cell k: column k % 8, row k // 8
TURN = 100
WOOD, OIL, STEEL, FOOD, FUNDS = 0, 3, 7, 8, 9


def at(x: int, y: int) -> int:
    return y * 8 + x


def coast(rules: Any = None, **nation: Any) -> SmallWorld:
    """Nation 0 touches 1 by land; 2 lies over the sea; 3, on an island, is under embargo.

    Ports: 0 on (1, 1), 1 on (3, 1), 2 on (7, 1), 3 on (5, 4). Row 0 and columns 4 and 6 are sea.
    """
    w = SmallWorld(6, 8, 4, turn=TURN, rules=rules)
    for y in range(1, 6):
        for x, owner in ((0, 0), (1, 0), (2, 1), (3, 1), (7, 2)):
            w.cell(x, y, terrain="plains", owner=owner)
    for x, y, owner in ((0, 5, 0), (3, 5, 1), (7, 5, 2), (5, 3, 3)):
        w.cell(x, y, terrain="town", owner=owner, population=50, capital=True)
    for x, y, owner in ((1, 1, 0), (3, 1, 1), (7, 1, 2), (5, 4, 3)):
        w.cell(x, y, terrain="port", owner=owner, level=1)
    for n in range(4):
        w.nation(n, founded=0, funds=5000, food=1000, steel=400)
    w.nation(0, **{"funds": 1000, "food": 500, "wood": 90, "oil": 1, "steel": 0, **nation})
    w.world.nations["port_policy"] = 2
    w.world.nations["prices"][:] = [4000, 5000, 6000, 12000, 17000, 20000, 22000, 26000, 1000]
    w.world.relations["embargo"][0, 3] = 1
    harbours.enlist(w.world)
    for h in range(len(w.world.harbours)):
        if w.world.harbours["cell"][h] >= 0:
            charts.make(w.world, h)
    territory.index(w.world, w.rules)
    return w


def busy(**nation: Any) -> SmallWorld:
    """A coast with auctions, offers of shipments and of exchanges, those made for and by nation 0."""
    w = coast(**nation)
    w.auction(5, 1, "wood", 30, 100, TURN + 3)
    w.auction(7, 2, "steel", 30, 150, TURN + 3, bid=200, bidder=1)
    w.auction(9, 0, "oil", 5, 50, TURN + 9)
    w.auction(11, 1, "oil", 5, 50, TURN + 9, bid=60, bidder=0)
    w.auction(12, 3, "oil", 5, 50, TURN + 9)
    w.auction(20, 1, "oil", 5, 5000, TURN + 9)
    w.shipment(3, 1, 0, "steel", 20, 300, (1, 1), TURN - 2, revision=2)
    w.shipment(4, 2, 0, "steel", 20, 300, (1, 1), TURN - 9)
    w.shipment(6, 0, 1, "wood", 20, 300, (3, 1), TURN - 2)
    w.shipment(8, 0, 2, "wood", 20, 300, (7, 1), TURN - 30, accepted=TURN - 25, interval=3)
    swap(w, 1, 0, STEEL, 50, WOOD, 30)
    swap(w, 2, 0, STEEL, 50, WOOD, 300)
    swap(w, 0, 2, WOOD, 10, FOOD, 30)
    w.world.clock["lots_made"], w.world.clock["promises_made"] = 20, 8
    return w


def swap(w: SmallWorld, a: int, b: int, give: int, given: int, want: int, wanted: int) -> None:
    """Let a nation offer another an exchange, two turns ago."""
    side = w.world.relations[a, b : b + 1]
    side["swap_until"] = TURN + 8
    side["swap_give"], side["swap_given"], side["swap_want"], side["swap_wanted"] = give, given, want, wanted


def filled(w: SmallWorld, menu: Menu = MENU) -> dict[str, Any]:
    buffers = menu.buffers()
    menu.fill(w.world, w.rules, CELLS, buffers)
    return buffers


def mask_of(w: SmallWorld, nation: int = 0) -> dict[str, Any]:
    return MENU.of(filled(w), nation)


def command(name: str, *picks: int, nation: int = 0, cell: int = 0) -> list[int]:
    return [NAMES.index(name), nation, cell, *picks, *[0] * (4 - len(picks))]


def allowed(mask: Any, *heads: Any) -> list[int]:
    """What may follow the first heads, whole commands given as lists."""
    prefix = [REPLACE, *itertools.chain.from_iterable(h if isinstance(h, list) else [h] for h in heads)]
    return np.flatnonzero(SPACE.next_mask(mask, prefix)).tolist()


def is_open(mask: Any, name: str, *before: list[int]) -> bool:
    return NAMES.index(name) in allowed(mask, *before)


def nations_for(mask: Any, name: str, *before: list[int]) -> set[int]:
    return set(allowed(mask, *before, NAMES.index(name))) if is_open(mask, name, *before) else set()


def values_for(mask: Any, name: str, *picks: int, nation: int = 0, before: Any = ()) -> list[int]:
    """Places that the factor after the given ones may have."""
    if not is_open(mask, name, *before):
        return []
    return allowed(mask, *before, command(name, nation=nation)[:3], *picks)


def decoded(w: SmallWorld, commands: Any, nation: int = 0) -> list[tuple[Any, ...]]:
    """Commands of an action as they stand in the plan."""
    action = np.array([REPLACE, *np.array(commands).reshape(-1)], np.int64)[np.newaxis]
    world = copy_world(w.world)
    apply(world, w.rules, MENU, np.array([nation]), action, CELLS)
    return [tuple(order) for order in plans.plan_of(world, nation)]


def ways_to_say(name: str, picks: Any = None) -> list[list[int]]:
    """Heads of a verb, all or with chosen places of the values."""
    v = NAMES.index(name) - 1
    verb, record = MENU.verbs[v], MENU.table.verbs[v]
    values = picks or [range(int(record["count"][k])) for k in range(int(record["factors"]))]
    spots = [at(1, 1), at(3, 1), at(7, 1), at(5, 4), at(2, 2)] if verb.needs_cell else [0]
    return [
        command(name, *chosen, nation=who, cell=spot)
        for who, spot in itertools.product(range(4) if verb.needs_nation else [0], spots)
        for chosen in itertools.product(*values)
    ]


PICKS = {
    "exchange:offer": [(0, 3, 7, 9), range(4), (0, 9), range(4)],
    "regular_offer": [(0, 7, 8), (0, 3), (0, 2), (1,)],
    "auction_list": [(0, 3, 7, 8), range(4), range(4), (0, 3)],
}
WORLDS = {
    "busy": {},
    "poor": {"funds": 110, "food": 0, "wood": 2},
    "penniless": {"funds": 0, "food": 1, "wood": 0, "oil": 0},
    "young": {"founded": TURN - 13},
    "ruled by a program": {"controller": "rule_ai"},
}


@pytest.mark.rule("CMD-005")
@pytest.mark.parametrize("state", WORLDS)
def test_every_head_is_offered_if_and_only_if_the_decoded_command_is_accepted(state: str) -> None:
    w = busy(**WORLDS[state])
    buffers = filled(w)
    wrong, seen = [], set()
    names = [name for name in NAMES if name.split(":")[0] in (*DEALS, "land_gate", "supply_policy")]
    for name in names:
        ways = ways_to_say(name, PICKS.get(name))
        actions = np.array([[REPLACE, *heads] for heads in ways], np.int64)
        faults = ONE.faults(buffers, np.zeros(len(ways), np.int64), actions)
        for first in range(0, len(ways), 50):
            several = ways[first : first + 50]
            orders = decoded(w, several)
            meant = [heads for heads in several if not means_nothing(name, heads)]
            assert len(orders) == len(meant)
            for heads, order in zip(meant, orders, strict=True):
                offered = faults[ways.index(heads)] == -1
                seen |= {name} if offered else set()
                if offered != validate.is_legal(w.world, w.rules, 0, *order):
                    wrong.append((heads, order))
            assert all(faults[ways.index(heads)] >= 0 for heads in several if heads not in meant)
    assert wrong == []
    if state == "busy":
        assert seen == set(names)


def means_nothing(name: str, heads: list[int]) -> bool:
    return name == "exchange:offer" and heads[4] == heads[6] == 0


@pytest.mark.rule("AUC-002", "AUC-003", "AUC-013", "AUC-016")
def test_lots_are_listed_by_number_with_the_lowest_bid_on_each() -> None:
    """Lots 5, 7, 9, 11, 12, 20. Lowest: 100; 200 + 5% = 210; the own one 50; 60 + 3 = 63; 50; 5000.

    Of these the own lot, the own bid, that of a nation under embargo, and what is too dear are out. With 1000
    funds and a tenth held for freight: 130% of 210 are 273 + 28.
    """
    mask = mask_of(busy())
    assert mask["trade"][menu_deals.LOT, :7].tolist() == [5, 7, 9, 11, 12, 20, 0]
    assert mask["trade"][menu_deals.LOWEST, :6].tolist() == [100, 210, 50, 63, 50, 5000]
    assert values_for(mask, "auction_bid") == [0, 1]
    assert values_for(mask, "auction_bid", 1) == [0, 1, 2]
    heads = command("auction_bid", 1, 2)
    assert MENU.numbers(mask, heads) == [7, 273]
    assert decoded(busy(), [heads]) == [(93, 0, 0, 273, 7)]


@pytest.mark.rule("AUC-002")
def test_a_bid_that_the_purse_does_not_hold_is_not_offered() -> None:
    """Bids for lot 5: 100, 110, 130, held with 10, 11, 13. 121 funds hold two of them, 109 none."""
    assert values_for(mask_of(busy(funds=121)), "auction_bid") == [0]
    assert values_for(mask_of(busy(funds=121)), "auction_bid", 0) == [0, 1]
    assert not is_open(mask_of(busy(funds=109)), "auction_bid")


@pytest.mark.rule("AUC-002", "AUC-003")
def test_bids_are_booked() -> None:
    """320 funds: after 110 + 11 for lot 5 there are 199, too few for lot 7 (210 + 21); lot 5 is served."""
    first = command("auction_bid", 0, 1)
    assert not is_open(mask_of(busy(funds=320)), "auction_bid", first)
    assert values_for(mask_of(busy(funds=352)), "auction_bid", before=[first]) == [1]
    assert values_for(mask_of(busy(funds=352)), "auction_bid", 1, before=[first]) == [0]


@pytest.mark.rule("AUC-001", "AUC-018")
def test_shares_of_a_stock_are_put_up_at_shares_of_its_price() -> None:
    """90 wood at 4.000: a quarter is 22, worth 88; 80% are 70 funds. Of 1 oil every share is 1; no steel."""
    w = coast()
    mask = mask_of(w)
    assert values_for(mask, "auction_list") == [WOOD, OIL, FOOD]
    assert values_for(mask, "auction_list", WOOD) == [0, 1, 2, 3]
    quarter = command("auction_list", WOOD, 1, 1, 1)
    oil = [command("auction_list", OIL, 0, k, 3) for k in range(4)]
    assert MENU.numbers(mask, quarter) == [WOOD, 6, 22, 70]
    assert decoded(w, [quarter]) == [(92, WOOD, 6, 22, 70)]
    assert {order[3:] for order in decoded(w, oil)} == {(1, 15)}  # 130% of 12


@pytest.mark.rule("AUC-001", "AUC-014")
def test_listings_are_booked() -> None:
    """Of 90 wood 45 are put up: the half and the whole of the 90 are out; three auctions at most."""
    w = coast()
    mask = mask_of(w)
    half = command("auction_list", WOOD, 0, 2, 0)
    assert values_for(mask, "auction_list", WOOD, 0, before=[half]) == [0, 1, 2]
    assert values_for(mask, "auction_list", before=[half, half]) == [OIL, FOOD]
    food = command("auction_list", FOOD, 0, 0, 0)
    assert is_open(mask, "auction_list", half, food)
    assert not is_open(mask, "auction_list", half, food, food)
    w.auction(9, 0, "oil", 5, 50, TURN + 9)
    assert mask_of(w)["uses"][9] == 2
    assert not is_open(mask_of(w), "auction_list", half, food)


@pytest.mark.rule("AUC-015")
def test_where_listing_costs_a_fee_the_purse_must_hold_it() -> None:
    """Half of the price, with 30 funds: 9 wood at half of 36 (18) cost 9, 90 at 130% of 360 cost 234."""
    ruleset = load_ruleset("season", {"auction.fee_percent": 50})
    menu = Menu(ruleset, 4, "auction_list", cells=48)
    w = coast(funds=30)
    buffers = menu.buffers()
    menu.fill(w.world, ruleset.rules, CELLS, buffers)
    space = PlanSpace(menu, 1)
    ways = [
        [2, 1, 0, 0, *picks] for picks in itertools.product((WOOD, OIL, FOOD), range(4), range(4), range(4))
    ]
    faults = space.faults(buffers, np.zeros(len(ways), np.int64), np.array(ways, np.int64))
    found = []
    for way, fault in zip(ways, faults, strict=True):
        what, turns, quantity, price = menu.numbers(menu.of(buffers, 0), way[1:])
        legal = validate.is_legal(w.world, ruleset.rules, 0, 92, what, turns, quantity, price)
        assert legal == (fault == -1), (what, turns, quantity, price)
        found.append(legal)
    assert any(found) and not all(found)
    twice = np.array([[2, *[1, 0, 0, WOOD, 0, 0, 2] * 2]], np.int64)  # 36 funds, so 18 of 30 each
    assert PlanSpace(menu, 2).faults(buffers, np.zeros(1, np.int64), twice)[0] > HEADS


@pytest.mark.rule("AUC-014")
def test_the_first_lots_by_number_are_listed() -> None:
    w = coast(funds=9000)
    for number in range(40, 0, -1):
        w.auction(number, 1, "oil", 5, 50, TURN + 9)
    mask = mask_of(w)
    assert mask["trade"][menu_deals.LOT].tolist() == list(range(1, 33))
    assert values_for(mask, "auction_bid") == list(range(32))
    assert mask["uses"][9] == 0 and not is_open(mask, "auction_list")


@pytest.mark.rule("AID-007", "LIMIT-012")
def test_aid_is_a_share_of_stock_and_cap_and_counts_toward_the_cap_of_the_turn() -> None:
    """Wood: a quarter of 128 of 1000; funds: the whole of 1000. To 1 by land and 2 by sea, not to 3."""
    w = coast(funds=5000, wood=1000)
    mask = mask_of(w)
    assert nations_for(mask, "national_aid") == {1, 2}
    assert values_for(mask, "national_aid", nation=1) == [WOOD, OIL, FOOD, FUNDS]
    assert MENU.numbers(mask, command("national_aid", WOOD, 1, nation=1)) == [WOOD, 32]  # a quarter of 128
    whole = command("national_aid", FUNDS, 3, nation=1)
    assert decoded(w, [whole]) == [(123, FUNDS, 0, 1000, 1)]
    assert values_for(mask, "national_aid", nation=2, before=[whole]) == [WOOD, OIL, FOOD]
    half = command("national_aid", FUNDS, 2, nation=1)
    assert values_for(mask, "national_aid", FUNDS, nation=2, before=[half]) == [0, 1, 2, 3]  # cut to 500
    assert values_for(mask, "national_aid", nation=2, before=[half, whole]) == [WOOD, OIL, FOOD]


@pytest.mark.rule("LIMIT-006", "AID-006")
def test_the_young_give_nothing_away() -> None:
    """14 turns old in the coming turn: no aid, and no exchange that wants nothing; 15: both."""
    young, old = (mask_of(coast(founded=TURN + 1 - age)) for age in (14, 15))
    assert not is_open(young, "national_aid") and is_open(old, "national_aid")
    assert values_for(young, "exchange:offer", WOOD, 1, STEEL, nation=1) == [1, 2, 3]
    assert values_for(old, "exchange:offer", WOOD, 1, STEEL, nation=1) == [0, 1, 2, 3]
    assert values_for(old, "exchange:offer", WOOD, 0, STEEL, nation=1) == [1, 2, 3]  # not nothing for nothing


@pytest.mark.rule("CMD-047", "MER-017")
def test_exchanges_are_accepted_with_what_they_ask() -> None:
    """Nation 1 asks for 30 wood of 90, nation 2 for 300. Whoever was accepted or got an offer is served."""
    mask = mask_of(busy())
    assert nations_for(mask, "exchange:accept") == {1}
    assert mask["deals"][:3, 1:3].tolist() == [[0, 0], [WOOD, 30], [0, 0]]
    assert nations_for(mask, "exchange:withdraw") == {2}
    accept = command("exchange:accept", nation=1)
    assert decoded(busy(), [accept]) == [(124, 0, 0, 0, 1)]
    assert nations_for(mask, "exchange:offer", accept) == {2}
    listing = command("auction_list", WOOD, 0, 2, 0)  # of the 90 45 are left, then 15
    assert values_for(mask, "auction_list", WOOD, 0, before=[accept, listing]) == [0]
    assert not is_open(mask, "exchange:accept", listing, command("auction_list", WOOD, 0, 1, 0))
    offer = command("exchange:offer", WOOD, 1, STEEL, 3, nation=2)
    assert decoded(busy(), [offer]) == [(124, WOOD, STEEL, 220300, 2)]
    assert not is_open(mask, "exchange:withdraw", offer)


@pytest.mark.rule("SHIP-002", "SHIP-010")
def test_shipments_are_offered_to_ports_of_those_one_deals_with() -> None:
    """To (3, 1) of nation 1 and (7, 1) of 2. A tenth of 300 steel is 30, worth 780; 120% are 936; cap 50.

    The whole of 300 steel is worth 7800: more than 3000 is not asked.
    """
    w = coast()
    mask = mask_of(w)
    assert nations_for(mask, "regular_offer") == {1, 2}
    for nation, port in ((1, at(3, 1)), (2, at(7, 1))):
        assert allowed(mask, NAMES.index("regular_offer"), nation) == [port]
    heads = command("regular_offer", STEEL, 0, 2, 0, nation=1, cell=at(3, 1))
    dear = command("regular_offer", STEEL, 3, 2, 0, nation=1, cell=at(3, 1))
    assert MENU.numbers(mask, heads) == [STEEL, 30, 936, 10]
    assert decoded(w, [heads, dear]) == [
        (94, 3, 1, 7 * 10**11 + 30 * 10**7 + 936 * 10**3 + 10, 1),
        (94, 3, 1, 7 * 10**11 + 300 * 10**7 + 3000 * 10**3 + 10, 1),
    ]
    assert is_open(mask, "regular_offer", heads)


@pytest.mark.rule("SHIP-003", "SHIP-007", "SHIP-009")
def test_offers_of_shipments_are_accepted_and_withdrawn_once() -> None:
    """Offer 3 at revision 2 and offer 4, of which this is the last turn; 6 is the own one."""
    w = busy()
    mask = mask_of(w)
    assert mask["trade"][menu_deals.RECEIVED, :3].tolist() == [302, 401, 0]
    assert values_for(mask, "regular_accept") == [0, 1]
    first = command("regular_accept", 0)
    assert decoded(w, [first]) == [(95, 0, 0, 302, 0)]
    assert values_for(mask, "regular_accept", before=[first]) == [1]
    withdraw = command("regular_withdraw", 0)
    assert decoded(w, [withdraw]) == [(96, 0, 0, 6, 0)]
    assert is_open(mask, "regular_withdraw", first) and not is_open(mask, "regular_withdraw", withdraw)
    for number in range(9):  # one place is left in the port
        w.shipment(30 + number, 2, 0, "food", 20, 300, (1, 1), TURN - 9, accepted=TURN - 5, interval=3)
    assert mask_of(w)["uses"][10] == 1
    assert not is_open(mask_of(w), "regular_accept", first)
    w.nation(0, controller="rule_ai")
    assert not is_open(mask_of(w), "regular_accept")


@pytest.mark.rule("SHIP-003")
def test_an_offer_changed_as_often_as_it_may_be_is_not_changed_again() -> None:
    """Revision 99 is the last that an acceptance can name."""
    w = coast()
    w.shipment(6, 0, 1, "steel", 20, 300, (3, 1), TURN - 2, revision=99)
    mask = mask_of(w)
    items = allowed(mask, NAMES.index("regular_offer"), 1, at(3, 1))
    assert items == [0, 1, 2, 3, 4, 5, 6, 8]


@pytest.mark.rule("AUC-016", "MER-064")
def test_nothing_is_dealt_with_those_to_whom_the_way_is_closed_before() -> None:
    mask = mask_of(busy())
    for before in (
        command("embargo:on", nation=1),
        command("declare_war", nation=1),
        command("land_gate:closed", nation=1),
        command("port_policy:closed", nation=1),
    ):
        assert nations_for(mask, "national_aid", before) == {2}
        assert nations_for(mask, "exchange:offer", before) == {2}
        assert nations_for(mask, "regular_offer", before) == {2}
        assert not is_open(mask, "exchange:accept", before)
        assert not is_open(mask, "auction_bid", before)
        assert is_open(mask, "auction_list", before) and is_open(mask, "regular_withdraw", before)
    for before in (command("port_policy:open", nation=1), command("embargo:off", nation=3)):
        assert nations_for(mask, "national_aid", before) == {1, 2}
        assert is_open(mask, "auction_bid", before)
    everybody = command("port_policy:closed", nation=0)
    for name in ("national_aid", "exchange:offer", "regular_offer", "auction_bid"):
        assert not is_open(mask, name, everybody)


@pytest.mark.rule("MER-064")
def test_nothing_that_needs_a_way_follows_the_loss_of_land_or_of_a_port() -> None:
    mask = mask_of(busy())
    for before in (command("dig", cell=at(1, 4)), command("prepare_land", cell=at(1, 1))):
        for name in ("national_aid", "exchange:offer", "regular_offer", "regular_accept"):
            assert not is_open(mask, name, before), (name, before)
        assert is_open(mask, "auction_list", before)


@pytest.mark.parametrize("seed", range(12))
def test_no_command_of_a_plan_fails_through_those_before_it(seed: int) -> None:
    """All are free of turns: the plan is carried out as a whole, and everything in it is done."""
    w = busy(wood=[90, 30][seed % 2], funds=[1000, 300][seed // 2 % 2])
    mask = mask_of(w)
    space = PlanSpace(MENU, 8, seed=seed)
    words = Vocabulary.of(w.world, RULESET, [*DEALS, *SETTINGS, "prepare_land", "dig", "fundraise"])
    given = 0
    for _ in range(4):
        action = space.sample_legal(mask, mode=2)
        world = copy_world(w.world)
        apply(world, w.rules, MENU, np.zeros(1, np.int64), action[np.newaxis], CELLS)
        orders = plans.plan_of(world, 0)
        said = [forms.document(table.Packed(*order)) for order in orders]
        heard = answers.parse(json.dumps({"mode": "replace", "commands": said}), w.world, w.rules, 0, words)
        assert heard.rejected == () and list(heard.commands) == orders
        world.clock["turn"] += 1
        execute.run_plan(world, w.rules, 0)
        count = int(world.nations["result_count"][0])
        results = world.results[0, :count]
        given += count
        assert (results["reason"] == reason.DONE).all(), [tuple(order) for order in orders]
    assert given > 4


def test_a_menu_after_commands_is_that_of_a_prefix() -> None:
    """One command at a time, `Menu.book` says the same as the heads of a longer action."""
    w = busy()
    mask = mask_of(w)
    steps = [
        command("auction_bid", 0, 1),
        command("exchange:accept", nation=1),
        command("national_aid", FOOD, 3, nation=1),
        command("regular_accept", 0),
        command("embargo:on", nation=2),
    ]
    buffers = filled(w)
    for k, step in enumerate(steps):
        MENU.book(buffers, np.zeros(1, np.int64), np.array([[0, *step]], np.int64))
        left = MENU.of(buffers, 0)
        alone = np.flatnonzero(ONE.next_mask(left, [REPLACE])).tolist()
        assert alone == allowed(mask, *steps[: k + 1])
        for name in NAMES[1:]:
            head = NAMES.index(name)
            if head not in alone or name == "regular_offer":
                continue
            nations = np.flatnonzero(ONE.next_mask(left, [REPLACE, head])).tolist()
            assert nations == allowed(mask, *steps[: k + 1], head)
            if MENU.verbs[head - 1].needs_cell or not MENU.verbs[head - 1].factors:
                continue
            for who in nations:
                values = np.flatnonzero(ONE.next_mask(left, [REPLACE, head, who, 0])).tolist()
                assert values == allowed(mask, *steps[: k + 1], head, who, 0), (name, who)


@pytest.mark.parametrize(
    "names", [["auction_bid", "auction_list"], ["national_aid"], ["exchange", "fundraise"]]
)
def test_candidates_are_all_ways_to_give_a_deal(names: list[str]) -> None:
    """As many as the masks of the heads allow, none twice, each one legal; of many a choice."""
    w = busy(wood=3, food=0, funds=700)
    menu = Menu(RULESET, 4, names, cells=48)
    space = PlanSpace(menu, 1, one_at_a_time=True)
    mask = menu.of(filled(w, menu), 0)
    rows, left_out = candidates(space, mask, 20_000)
    assert left_out == 0 and len({tuple(row) for row in rows.tolist()}) == len(rows)
    buffers = menu.alone(mask)
    actions = np.hstack([np.zeros((len(rows), 1), np.int64), np.maximum(rows, 0)])
    assert (space.faults(buffers, np.zeros(len(rows), np.int64), actions) == -1).all()
    expected = 1
    for v, verb in enumerate(menu.verbs):
        counts = [range(int(n)) for n in menu.table.verbs[v]["count"][: len(verb.factors)]]
        ways = [
            [0, v + 1, who, 0, *picks, *[0] * (4 - len(picks))]
            for who in (range(4) if verb.needs_nation else [0])
            for picks in itertools.product(*counts)
        ]
        faults = space.faults(buffers, np.zeros(len(ways), np.int64), np.array(ways, np.int64))
        expected += int((faults == -1).sum())
    assert len(rows) == expected
    some, left_out = candidates(space, mask, 20)
    assert len(some) == 20 and left_out == expected - 20
    assert {tuple(row) for row in some.tolist()} <= {tuple(row) for row in rows.tolist()}


def test_plans_become_actions_that_say_the_same_or_the_nearest() -> None:
    """Of 90 wood 22 are nearest to 20; 70 funds (80% of 88) to 65. Lots and offers must be those named."""
    w = busy()
    orders = [
        ("auction_list", WOOD, 6, 20, 65),
        ("auction_bid", 0, 0, 120, 5),
        ("auction_bid", 0, 0, 120, 6),
        ("regular_accept", 0, 0, 401, 0),
        ("regular_accept", 0, 0, 402, 0),
        ("national_aid", FOOD, 0, 130, 1),
        ("exchange", 0, 0, 0, 1),
        ("exchange", FUNDS, FOOD, 2500000, 2),
    ]
    plans.set_plan(w.world, 0, orders)
    buffers = {name: array[:1] for name, array in filled(w).items()}
    actions = actions_of(
        MENU,
        w.world.plans[:1],
        w.world.nations["plan_length"][:1],
        np.zeros(1, np.int64),
        CELLS[:1],
        w.width,
        buffers,
        8,
        w.world.cells["population"].reshape(1, -1),
    )
    assert decoded(w, actions[0, 1:]) == [
        (92, WOOD, 6, 22, 70),
        (93, 0, 0, 110, 5),
        (95, 0, 0, 401, 0),
        (123, FOOD, 0, 125, 1),
        (124, 0, 0, 0, 1),
        (124, FUNDS, FOOD, 2500000, 2),
    ]


@pytest.mark.rule("CMD-005", "LLM-015")
def test_words_name_lots_and_offers_by_number() -> None:
    w = busy()
    words = Vocabulary.of(w.world, RULESET, ["trade", "diplomacy"])
    offers = {offer.verb.name: offer for offer in hints.offers(w.world, w.rules, words, 0)}
    assert [order.target for order in offers["auction_bid"].examples] == [5, 7]
    assert offers["auction_bid"].ways == 2
    assert [order.amount for order in offers["regular_accept"].examples] == [302, 401]
    assert [order.amount for order in offers["regular_withdraw"].examples] == [6]
    for offer in offers.values():
        for order in offer.examples:
            assert validate.is_legal(w.world, w.rules, 0, *order), order
    said = [
        "auction_bid lot=7 bid=210",
        "auction_bid lot=7 bid=230",
        "auction_bid lot=5 bid=99",
        "auction_bid lot=5 bid=300",
        "auction_list item=wood turns=3 quantity=80 price=100",
        "auction_list item=wood turns=3 quantity=11 price=1",
        "exchange:accept with nation_1",
        "national_aid to nation_1 item=food quantity=9000",
        "national_aid to nation_2 item=food quantity=1",
    ]
    heard = answers.parse(json.dumps({"mode": "replace", "commands": said}), w.world, w.rules, 0, words)
    assert [entry.place for entry in heard.rejected] == [f"commands[{k}]" for k in (1, 2, 5, 6, 7)]
    assert "same lot" in heard.rejected[0].reason and "lowest" in heard.rejected[1].reason


def test_what_lies_in_other_treasuries_is_in_no_mask() -> None:
    w = busy()
    before = mask_of(w)
    w.world.nations["treasury"][1:] += 500
    w.world.nations["aid_sent"][1:] += 50
    after = mask_of(w)
    for name, array in before.items():
        assert np.array_equal(array, after[name]), name


def test_codes() -> None:
    """Controllers other than people's never accept shipments; the world above has people everywhere."""
    assert busy().world.nations["controller"].tolist() == [controller.EXTERNAL] * 4
    assert (WOOD, OIL, STEEL, FOOD, FUNDS) == (item.WOOD, item.OIL, item.STEEL, item.FOOD, item.FUNDS)


@pytest.mark.rule("CMD-032", "CMD-047", "CMD-005")
def test_aid_and_accepted_exchanges_of_a_plan_leave_fewer_transports() -> None:
    """Two are left: aid takes one, what nation 1 is sent for its steel the other; then no exchange either."""
    w = busy()
    for _ in range(10):
        w.transport("aid", 0, 1, "food", 1)
    mask = mask_of(w)
    aid, accept = command("national_aid", FOOD, 0, nation=1), command("exchange:accept", nation=1)
    assert is_open(mask, "national_aid", aid) and is_open(mask, "exchange:offer", aid)
    for before in ([aid, aid], [aid, accept]):
        for name in ("national_aid", "exchange:offer", "exchange:accept"):
            assert not is_open(mask, name, *before), (name, before)
    w.transport("aid", 0, 1, "food", 1)
    w.transport("aid", 0, 1, "food", 1)
    mask = mask_of(w)
    assert not any(is_open(mask, name) for name in ("national_aid", "exchange:offer", "exchange:accept"))
    w.world.relations["swap_wanted"][1, 0] = 0
    assert nations_for(mask_of(w), "exchange:accept") == {1}


@pytest.mark.rule("SHIP-002", "SHIP-003", "CMD-005")
def test_a_plan_offers_no_more_shipments_than_may_be_open() -> None:
    """Of eight one stands (wood to nation 1), six more leave one; where eight stand, only changes."""
    w = busy()
    for number, what in enumerate(("stone", "ore", "oil", "fuel", "goods", "ammo"), 9):
        w.shipment(number, 0, 2, what, 1, 1, (7, 1), TURN)
    mask = mask_of(w)
    offer = command("regular_offer", STEEL, 0, 0, 0, nation=1, cell=at(3, 1))
    assert is_open(mask, "regular_offer") and not is_open(mask, "regular_offer", offer)
    w.shipment(15, 0, 2, "steel", 1, 1, (7, 1), TURN)
    mask = mask_of(w)
    change = command("regular_offer", WOOD, 0, 0, 0, nation=1, cell=at(3, 1))
    assert values_at(mask, change) == [WOOD]
    assert is_open(mask, "regular_offer", change, change)


def values_at(mask: Any, heads: list[int]) -> list[int]:
    """Items that may be offered to the port that the heads name."""
    return allowed(mask, heads[:3])


@pytest.mark.rule("AID-007", "SHIP-010", "CMD-005")
@pytest.mark.parametrize("capped", ["aid_caps.exchange.max_per_send", "diplomacy.exchange_food_max",
                                    "diplomacy.exchange_funds_max", "all"])  # fmt: skip
def test_of_an_item_with_a_cap_of_0_nothing_is_offered(capped: str) -> None:
    """A share is at least 1, but not of nothing: mask and engine agree; where all caps are 0, no exchange."""
    keys = ["aid_caps.exchange.max_per_send", "diplomacy.exchange_food_max", "diplomacy.exchange_funds_max"]
    rules = dict.fromkeys(keys if capped == "all" else [capped], 0)
    for founded in (0, TURN - 3):  # a young nation gives no gifts
        w = coast(rules=rules, founded=founded)
        menu = Menu(w.ruleset, 4, ["exchange:offer", "regular_offer"], cells=48)
        buffers, one = filled(w, menu), PlanSpace(menu, 1)
        seen = set()
        for name in ("regular_offer", "exchange:offer"):
            v = [verb.name for verb in menu.verbs].index(name) + 1
            ways = [[v, *heads[1:]] for heads in ways_to_say(name, {
                "exchange:offer": [(0, 8, 9), (0, 1), (0, 8, 9), (0, 1)],
                "regular_offer": [(0, 8), (0,), (0,), (1,)],
            }[name])]  # fmt: skip
            actions = np.array([[REPLACE, *heads] for heads in ways], np.int64)
            faults = one.faults(buffers, np.zeros(len(ways), np.int64), actions)
            for heads, fault in zip(ways, faults, strict=True):
                action = np.array([[REPLACE, *heads]], np.int64)
                world = copy_world(w.world)
                apply(world, w.rules, menu, np.array([0]), action, CELLS)
                orders = plans.plan_of(world, 0)
                legal = bool(orders) and validate.is_legal(w.world, w.rules, 0, *orders[0])
                legal = legal and not (name == "exchange:offer" and heads[4] == heads[6] == 0)
                assert (fault == -1) == legal, (name, heads)
                seen |= {name} if legal else set()
        assert ("exchange:offer" in seen) == (capped != "all")


@pytest.mark.rule("MER-065", "CMD-005")
def test_a_plan_builds_no_more_ports_than_the_map_has_places_for() -> None:
    w = coast(steel=900, wood=900, stone=900, funds=9000)
    menu = Menu(w.ruleset, 4, ["economic_facility:port"], cells=48)
    space = PlanSpace(menu, 3)
    assert len(w.world.harbours) == 24
    taken = [at(x, 0) for x in range(2, 8)] + [at(x, y) for x in (4, 6) for y in range(1, 6)]
    for cell in [*taken, at(7, 2)]:
        w.cell(cell % 8, cell // 8, terrain="port", owner=2, level=1)
    assert menu.of(filled(w, menu), 0)["uses"][18] == 3  # 4 + 17 ports
    for y in (3, 4):
        w.cell(7, y, terrain="port", owner=2, level=1)
    mask = menu.of(filled(w, menu), 0)
    spots = np.flatnonzero(space.next_mask(mask, [REPLACE, 1, 0])).tolist()
    assert len(spots) > 0
    built = [1, 0, spots[0], 0, 0, 0, 0, 0]
    assert np.flatnonzero(space.next_mask(mask, [REPLACE, *built])).tolist() == [0]
