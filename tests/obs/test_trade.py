"""What a nation is told of trade: auctions, deals, partners, private ships and goods."""

from typing import Any

import numpy as np
import pytest

from hakoenv.engine.codes import item, job, lot, parcel, research, ship_class
from hakoenv.engine.trade import partners
from hakoenv.obs import pieces
from hakoenv.obs.spec import Spec
from hakoenv.testing import SmallWorld

TURN = 50
WIDTH = 20


def three_nations(**settings: Any) -> SmallWorld:
    """Capitals far apart in the sea, a port beside each."""
    w = SmallWorld(height=9, width=WIDTH, nations=3, turn=TURN, **settings)
    for n in range(3):
        w.cell(7 * n, 4, terrain="town", owner=n, population=50, capital=True)
        w.cell(7 * n + 1, 4, terrain="port", owner=n, level=1 + n % 2)
    w.world.harbours["cell"][:3] = [4 * WIDTH + 7 * n + 1 for n in (2, 0, 1)]
    w.phase("sightings")
    return w


def seen(w: SmallWorld, nation: int = 0, **settings: Any) -> dict[str, Any]:
    """One nation's pieces, records by the names of their columns."""
    spec = Spec(w.ruleset, w.nations, **settings)
    buffers = spec.buffers()
    spec.fill(w.world, w.rules, buffers)
    found = spec.of(buffers, nation)
    space = spec.space()
    assert not [name for name, array in found.items() if not space[name].contains(array)]
    return {
        name: array.view(pieces.RECORDS[name])[..., 0] if name in pieces.RECORDS else array
        for name, array in found.items()
    }


def put(records: Any, place: int, **given: Any) -> None:
    for name, value in given.items():
        records[name][place] = value


def put_lot(w: SmallWorld, place: int, number: int, seller: int, **given: Any) -> None:
    told = {"what": item.OIL, "quantity": 100, "min_price": 50, "deadline": TURN + 4, "bidder": -1,
            "state": lot.OPEN}  # fmt: skip
    put(w.world.lots, place, number=number, seller=seller, **(told | given))


def values(row: Any, *names: str) -> list[int]:
    return [int(row[name]) for name in names]


@pytest.mark.rule("AUC-001", "AUC-003", "AUC-013")
def test_open_lots_are_told_to_everybody_by_number() -> None:
    """Bid 101: 101 + ceil(5.05) = 107; without a bid the minimum price; oil at 12.5: 100 are worth 1250."""
    w = three_nations()
    put_lot(w, 3, 17, 1, bid=101, bidder=2, extensions=2)
    put_lot(w, 0, 19, 0, quantity=7)
    put_lot(w, 7, 5, 2, what=item.WOOD, bid=20, bidder=0, deadline=TURN + 1)
    put_lot(w, 1, 18, 1, bid=90, bidder=2, state=lot.SOLD)
    w.world.nations["prices"][0, item.OIL] = 12_500
    told = seen(w)
    rows = told["open_lots"]
    assert rows["number"].tolist()[:4] == [5, 17, 19, 0] and rows["listed"].sum() == 3
    names = ("seller", "own", "item", "quantity", "min_price", "bid", "bidder", "leading", "turns_left",
             "extensions", "may_bid", "lowest_bid", "value")  # fmt: skip
    assert values(rows[0], *names) == [2, 0, 0, 100, 50, 20, 0, 1, 1, 0, 0, 21, 0]
    assert values(rows[1], *names) == [1, 0, 3, 100, 50, 101, 2, 0, 4, 2, 1, 107, 1250]
    assert values(rows[2], *names) == [0, 1, 3, 7, 50, 0, -1, 0, 4, 0, 0, 50, 87]
    other = seen(w, 2)["open_lots"]  # seen from nation 2, nation 1 is at place 2 and nation 0 at place 1
    assert values(other[1], *names)[:10] == [2, 0, 3, 100, 50, 101, 0, 1, 4, 2]
    assert values(told["trade_counts"], "open_lots", "open_lots_left_out") == [3, 0]


@pytest.mark.rule("AUC-016", "CONT-013")
@pytest.mark.parametrize(
    ("field", "seller", "bidder", "may"),
    [
        ({}, {}, {}, 1),
        ({"state": 1}, {}, {}, 1),
        ({"state": 2}, {}, {}, 0),
        ({"state": 3}, {}, {}, 0),
        ({}, {"embargo": 1}, {}, 0),
        ({}, {}, {"embargo": 1}, 0),
        ({}, {"land_gate": 0}, {}, 0),
        ({}, {}, {"land_gate": 0}, 0),
        ({}, {"port_policy": 0}, {}, 0),
        ({"state": 1}, {"port_policy": 1}, {}, 0),  # friends only, and they are friends
        ({}, {"port_policy": 2}, {}, 1),
        ({}, {}, {"port_policy": 0}, 1),  # the bidder's own ports bar nothing
    ],
)
def test_who_may_bid_is_told(field: Any, seller: Any, bidder: Any, may: int) -> None:
    """A field of both sides, then what the seller and the bidder have set toward each other."""
    w = three_nations()
    put_lot(w, 0, 1, 1)
    for one, other, own in ((1, 0, seller), (0, 1, bidder)):
        for name, value in (field | own).items():
            w.world.relations[name][one, other] = value
    assert int(seen(w)["open_lots"][0]["may_bid"]) == may
    assert int(seen(w, 2)["open_lots"][0]["may_bid"]) == 1


@pytest.mark.rule("AUC-014")
def test_lists_say_what_they_had_no_room_for() -> None:
    w = three_nations()
    for k in range(40):
        put_lot(w, (7 * k) % 40, 100 - k, k % 3)
        put(w.world.promises, (7 * k) % 40, number=100 - k, seller=1, buyer=0, interval=3, offered=TURN)
        put(w.world.transports, k, kind=parcel.AID, quantity=5, sender=0, receiver=1, created=40 - k)
    for k in range(10):
        put(w.world.contracts, k, number=30 - k, seller=1, buyer=0, interval=5)
    told = seen(w)
    counts = told["trade_counts"]
    assert values(counts, "open_lots", "open_lots_left_out") == [32, 8]
    assert values(counts, "offers_received", "offers_received_left_out", "offers_made") == [32, 8, 0]
    assert values(counts, "transports", "transports_left_out") == [32, 8]
    assert values(counts, "contracts", "contracts_left_out") == [8, 2]
    for name in ("open_lots", "offers_received"):
        assert told[name]["number"].tolist() == list(range(61, 93)), name
    assert told["transports"]["age"].tolist() == [TURN - 1 - k for k in range(32)]  # the oldest first
    assert values(seen(w, 1)["trade_counts"], "offers_made", "offers_received", "contracts") == [32, 0, 8]


def promise(w: SmallWorld, place: int, **given: Any) -> None:
    told = {"quantity": 30, "price": 400, "freight_cap": 50, "revision": 2, "port": 4 * WIDTH + 1,
            "offered": 45, "interval": 5, "seller": 1, "buyer": 0, "what": item.FUEL}  # fmt: skip
    put(w.world.promises, place, number=place + 1, **(told | given))


@pytest.mark.rule("SHIP-002", "SHIP-003", "SHIP-005")
def test_offers_of_regular_shipments_are_told_to_the_two() -> None:
    """Offered on turn 45, it can be accepted until turn 55: 5 turns more."""
    w = three_nations()
    promise(w, 4)
    row = seen(w)["offers_received"][0]
    names = ("listed", "number", "revision", "partner", "selling", "item", "quantity", "price", "freight_cap",
             "port_x", "port_y", "interval", "turns_left", "next_in")  # fmt: skip
    assert values(row, *names) == [1, 5, 2, 1, 0, 4, 30, 400, 50, 1, 4, 5, 5, -1]
    own = seen(w, 1)
    assert values(own["offers_made"][0], *names) == [1, 5, 2, 2, 1, 4, 30, 400, 50, 1, 4, 5, 5, -1]
    assert not own["offers_received"]["listed"].any() and not own["shipments"]["listed"].any()
    third = seen(w, 2)
    assert not any(third[name]["listed"].any() for name in ("offers_received", "offers_made", "shipments"))


@pytest.mark.rule("SHIP-001", "SHIP-004")
@pytest.mark.parametrize(
    ("accepted", "interval", "left", "following"),
    [
        (40, 5, 25, 5),  # 40, 45, 50, 55 ..; the last that can start is on turn 75
        (40, 12, 25, 2),  # 40, 52, 64
        (TURN, 4, 35, 4),
        (20, 15, 5, -1),  # 20, 35, 50; the next would be 65, the last turn is 55
        (14, 5, 0, -1),  # 14 + 36 = 50: over
    ],
)
def test_running_shipments_tell_when_the_next_is_due(
    accepted: int, interval: int, left: int, following: int
) -> None:
    w = three_nations()
    promise(w, 0, accepted=accepted, interval=interval)
    for nation, selling in ((0, 0), (1, 1)):
        row = seen(w, nation)["shipments"][0]
        assert values(row, "selling", "turns_left", "next_in") == [selling, left, following]


@pytest.mark.rule("SUP-007", "SUP-008", "SUP-011")
@pytest.mark.parametrize(("delivered", "due"), [(0, 4), (1, 10)])
def test_supply_contracts_tell_until_when_a_shipment_must_be_there(delivered: int, due: int) -> None:
    """Signed on 45 with interval 6: the first by 45 + 6 + 3 = 54, the second by 45 + 12 + 3 = 60."""
    w = three_nations()
    put(w.world.contracts, 3, number=9, quantity=51, price=18_674, signed=45, port=-1, interval=6, buyer=0,
        seller=2, what=item.FUEL, sent=1, delivered=delivered, refused=1)  # fmt: skip
    names = ("listed", "selling", "partner", "item", "quantity", "price", "port_x", "interval", "sent",
             "delivered", "due_in", "refused")  # fmt: skip
    row = seen(w)["contracts"][0]
    assert values(row, *names) == [1, 0, 2, 4, 51, 18_674, -1, 6, 1, delivered, due, 1]
    assert values(seen(w, 2)["contracts"][0], *names)[:3] == [1, 1, 1]
    assert not seen(w, 1)["contracts"]["listed"].any()


@pytest.mark.rule("MER-017", "MER-078", "AUC-006")
def test_goods_between_nations_are_told_to_both() -> None:
    """60 in all: 20 wait, 10 have arrived, 25 are under way in two parts, so 5 are lost."""
    w = three_nations()
    put_lot(w, 6, 33, 0, state=lot.SOLD)
    put(w.world.transports, 8, kind=parcel.AUCTION, quantity=60, waiting=20, arrived=10, price=800,
        freight=34, created=44, port=-1, deal=6, sender=0, receiver=2, what=item.OIL)  # fmt: skip
    ship = w.ship(1, "merchant", 4, 0)._where
    for p, quantity in ((0, 15), (2, 10)):
        put(w.world.parcels, p, kind=parcel.AUCTION, state=parcel.ABOARD, quantity=quantity, port=-1, deal=8,
            ship=ship, source=0, receiver=2, what=item.OIL)  # fmt: skip
    put(w.world.parcels, 1, kind=parcel.CONTRACT, state=parcel.ABOARD, quantity=99, deal=8, ship=31)
    w.world.clock["parcels"] = 3
    names = ("listed", "kind", "number", "sending", "partner", "item", "quantity", "waiting", "under_way",
             "arrived", "price", "freight", "age", "port_x")  # fmt: skip
    row = seen(w)["transports"][0]
    assert values(row, *names) == [1, parcel.AUCTION, 33, 1, 2, 3, 60, 20, 25, 10, 800, 34, 6, -1]
    assert values(seen(w, 2)["transports"][0], *names)[2:5] == [33, 0, 1]
    carrier = seen(w, 1)  # who carries the goods sees them in its ship only: ceil(15/4) + ceil(10/4)
    assert not carrier["transports"]["listed"].any()
    assert values(carrier["private_ships"][0], "load", "item", "quantity", "receiver") == [7, 3, 15, 1]


def test_the_list_of_transports_does_not_go_by_their_places() -> None:
    w = three_nations()
    records = [
        {"kind": parcel.AID, "what": item.WOOD, "quantity": 5, "waiting": 5, "created": 49, "receiver": 1},
        {"kind": parcel.AID, "what": item.WOOD, "quantity": 5, "waiting": 2, "created": 49, "receiver": 1},
        {"kind": parcel.AID, "what": item.WOOD, "quantity": 8, "waiting": 8, "created": 49, "receiver": 1},
        {"kind": parcel.AID, "what": item.FUEL, "quantity": 5, "waiting": 5, "created": 49, "receiver": 2},
        {
            "kind": parcel.EXCHANGE,
            "what": item.FUEL,
            "quantity": 5,
            "waiting": 5,
            "created": 48,
            "receiver": 2,
        },
    ]
    told = set()
    for order in ((0, 1, 2, 3, 4), (4, 3, 2, 1, 0), (2, 0, 4, 1, 3)):
        w.world.transports[:] = np.zeros(1, w.world.transports.dtype)
        for place, which in enumerate(order):
            put(w.world.transports, 3 * place, deal=-1, port=-1, sender=0, **records[which])
        told.add(seen(w)["transports"].tobytes())
    assert len(told) == 1


@pytest.mark.rule("MER-002", "MER-007", "MER-009")
def test_own_private_ships_tell_what_they_do_and_carry() -> None:
    """10 fuel and 3 ammo: ceil(10/4) + ceil(3/2) = 5 containers; 128 containers with level 5: 147."""
    w = three_nations()
    w.world.nations["research"][0, research.SHIPPING] = 5
    ship = w.ship(0, "merchant", 10, 2, hp=1)._where
    w.ship(0, "fishing_boat", 3, 7)
    w.ship(1, "merchant", 12, 2)
    w.ship(0, "destroyer", 5, 7)
    put(w.world.jobs, ship, job=job.SAILING, home=4 * WIDTH + 1, refuge=-1, goal=4 * WIDTH + 8, waited=2,
        strayed=47, paid=0, built=30, fuel_counter=104)  # fmt: skip
    for p, what, quantity in ((0, item.AMMO, 3), (1, item.FUEL, 10)):
        put(w.world.parcels, p, kind=parcel.TRADE, state=parcel.ABOARD, quantity=quantity, port=-1, deal=-1,
            ship=ship, source=0, receiver=1, what=what)  # fmt: skip
    w.world.clock["parcels"] = 2
    told = seen(w)
    names = ("listed", "x", "y", "ship_class", "hp", "job", "home_x", "home_y", "refuge_x", "goal_x",
             "goal_y", "load", "capacity", "item", "quantity", "receiver", "blocked", "astray", "unpaid",
             "owes_fuel")  # fmt: skip
    first, second, third = told["private_ships"][:3]
    assert values(first, *names) == [1, 10, 2, 6, 1, 2, 1, 4, -1, 8, 4, 5, 147, 4, 10, 1, 2, 3, 1, 1]
    assert values(second, "listed", "x", "y", "ship_class", "load", "capacity", "item", "receiver") == [
        1, 3, 7, ship_class.FISHING_BOAT, 0, 57, -1, -1,
    ]  # fmt: skip
    assert not third["listed"]  # a warship is none
    assert values(told["trade_counts"], "private_ships", "private_ships_left_out") == [2, 0]
    counted = ("merchants", "large_merchants", "cruise_ships", "fishing_boats", "idle", "astray")
    assert values(told["commerce"], *counted) == [1, 0, 0, 1, 0, 1]
    assert values(seen(w, 1)["commerce"], *counted) == [1, 0, 0, 0, 1, 0]


@pytest.mark.rule("MER-035")
def test_of_foreign_private_ships_only_class_owner_and_place_are_told() -> None:
    w = three_nations()
    ship = w.ship(1, "large_merchant", 3, 1)._where
    before = seen(w, cells="all")
    cell = before["cells"][1 * WIDTH + 3]
    assert values(cell, "ship_owner", "ship_class") == [1, ship_class.LARGE_MERCHANT]
    put(w.world.jobs, ship, job=job.SAILING, home=5, goal=70, waited=3, strayed=9)
    put(w.world.parcels, 0, kind=parcel.TRADE, state=parcel.ABOARD, quantity=40, port=-1, deal=-1, ship=ship,
        source=1, receiver=2, what=item.STEEL)  # fmt: skip
    w.world.clock["parcels"] = 1
    after = seen(w, cells="all")
    assert [name for name in before if before[name].tobytes() != after[name].tobytes()] == []


@pytest.mark.rule("MER-068", "SUP-010")
def test_private_goods_are_told_by_item() -> None:
    """Planned 100: with 30 in stock, 10 of it set aside, and 25 coming, 55 are short; wood: 60 - 20."""
    w = three_nations()
    nation = w.world.nations
    nation["planned"][0], nation["private"][0] = 0, 0
    nation["planned"][0, item.FUEL], nation["private"][0, item.FUEL] = 100, 30
    nation["set_aside"][0, item.FUEL], nation["inbound"][0, item.FUEL] = 10, 25
    nation["planned"][0, item.WOOD], nation["private"][0, item.WOOD] = 20, 60
    ship = w.ship(1, "merchant", 12, 2)._where
    for p, what, source, receiver, state in (
        (0, item.FUEL, 1, 0, parcel.ABOARD),
        (1, item.WOOD, 0, 1, parcel.ASHORE),
        (2, item.WOOD, 2, 1, parcel.ABOARD),
    ):
        put(w.world.parcels, p, kind=parcel.TRADE, state=state, quantity=25, deal=-1, ship=ship,
            source=source, receiver=receiver, what=what)  # fmt: skip
    put(w.world.parcels, 3, kind=parcel.AID, state=parcel.ABOARD, quantity=9, ship=ship, source=1, receiver=0)
    put(w.world.parcels, 4, kind=parcel.OWN, state=parcel.ABOARD, quantity=7, deal=-1, ship=ship, source=0,
        receiver=0, what=item.FOOD)  # fmt: skip
    w.world.clock["parcels"] = 5
    rows = seen(w)["private_market"]
    assert rows[item.FUEL].tolist() == (55, 0, 10, 25, 0)
    assert rows[item.WOOD].tolist() == (0, 40, 0, 0, 25)
    assert rows[item.FOOD].tolist() == (0, 0, 0, 7, 0)


@pytest.mark.rule("MER-064")
@pytest.mark.parametrize(
    ("own", "theirs", "state", "sea", "land"),
    [
        ({}, {}, 0, 1, 1),
        ({}, {"port_policy": 1}, 0, 0, 1),
        ({}, {"port_policy": 1}, 1, 1, 1),  # friends by treaty
        ({"port_policy": 0}, {}, 1, 0, 1),
        ({"embargo": 1}, {}, 0, 0, 0),
        ({}, {"embargo": 1}, 0, 0, 0),
        ({}, {}, 2, 0, 0),
        ({"land_gate": 0}, {}, 0, 1, 0),
        ({}, {"land_gate": 0}, 0, 1, 0),
    ],
)
def test_with_whom_the_private_sector_may_trade(
    own: Any, theirs: Any, state: int, sea: int, land: int
) -> None:
    w = three_nations()
    w.cell(6, 4, terrain="plains", owner=0)  # touches the town of nation 1 at (7, 4)
    w.phase("sightings")
    for a, b, given in ((0, 1, own), (1, 0, theirs)):
        for name, value in (given | {"state": state}).items():
            w.world.relations[name][a, b] = value
    rows = seen(w)["partners"]
    assert values(rows[1], "by_sea", "by_land", "touches") == [sea, land, 1]
    assert values(rows[2], "by_sea", "by_land", "touches") == [1, 0, 0]
    assert values(rows[1], "gate", "its_gate", "ports", "its_ports") == [
        *(side.get("land_gate", 1) for side in (own, theirs)),
        *(side.get("port_policy", 2) for side in (own, theirs)),
    ]
    assert not any(rows[0].tolist())


@pytest.mark.rule("MER-064")
def test_partners_are_those_of_the_engine(make_random_world: Any) -> None:
    for seed in range(3):
        w = make_random_world(seed)
        for n in range(3):
            rows = seen(w, n)["partners"]
            for place in (1, 2):
                other = (n + place) % 3
                assert rows[place]["by_sea"] == partners.by_sea(w.world, n, other)
                assert rows[place]["by_land"] == partners.by_land(w.world, w.rules, n, other)
                assert rows[place]["touches"] == partners.touch(w.world, w.rules, n, other)


@pytest.mark.rule("MER-070", "MER-013", "CMD-047", "SUP-017")
def test_terms_with_a_partner() -> None:
    w = three_nations()
    w.world.nations["tariff"][0] = 5
    put(w.world.relations, (0, 1), tariff=12, land_used=30, no_supply=0b10010)
    put(w.world.relations, (1, 0), land_used=30, tariff=40, no_supply=511)
    put(w.world.relations, (0, 1), swap_until=53, swap_give=item.WOOD, swap_given=40, swap_want=item.FUNDS,
        swap_wanted=900)  # fmt: skip
    put(w.world.relations, (2, 0), swap_until=51, swap_give=item.FUNDS, swap_given=0, swap_want=item.FOOD,
        swap_wanted=70)  # fmt: skip
    put(w.world.relations, (1, 0), swap_until=TURN, swap_give=3, swap_given=5)  # has lapsed
    told = seen(w)
    first, second = told["partners"][1:3]
    assert values(first, "tariff", "land_used") == [12, 30] and int(second["tariff"]) == 5
    own = ("own_offer", "own_gives", "own_gives_quantity", "own_wants", "own_wants_quantity")
    its = ("its_offer", "its_gives", "its_gives_quantity", "its_wants", "its_wants_quantity")
    assert values(first, *own, *its) == [3, 0, 40, 9, 900, 0, -1, 0, -1, 0]
    assert values(second, *own, *its) == [0, -1, 0, -1, 0, 1, -1, 0, 8, 70]
    assert told["supply_allowed"][1].tolist() == [1, 0, 1, 1, 0, 1, 1, 1, 1]
    assert told["supply_allowed"][2].all() and not told["supply_allowed"][3:].any()
    assert not any(values(seen(w, 1)["partners"][1], *own[:1], *its[:1]))  # nation 2's side of it is not told


@pytest.mark.rule("AUC-002", "CRU-009", "MER-079")
def test_the_own_commerce() -> None:
    """Bid 105: 11 more are held for freight, bid 100: 10 more. Only open lots count."""
    w = three_nations()
    w.cell(2, 6, terrain="port", owner=0, level=2)
    w.phase("sightings")
    nation = w.world.nations
    nation["cruise_unpaid"][0], nation["land_gate"][0] = 12_900, 0
    nation["waiting"][0] = (40, 16)
    for place, seller, bid, bidder in ((0, 1, 105, 0), (1, 2, 100, 0), (2, 0, 30, 1), (3, 0, 0, -1)):
        put_lot(w, place, place + 1, seller, bid=bid, bidder=bidder)
    put_lot(w, 4, 5, 1, bid=1000, bidder=0, state=lot.SOLD)
    own = seen(w)["commerce"]
    names = (
        "land_gate",
        "ports",
        "large_ports",
        "waiting",
        "waiting_large",
        "lots",
        "bids_held",
        "cruise_unpaid",
    )
    assert values(own, *names) == [0, 2, 1, 40, 16, 2, 226, 12]
    assert values(seen(w, 1)["commerce"], *names) == [1, 1, 1, 0, 0, 1, 33, 0]


def test_the_dead_know_of_auctions_and_have_nothing() -> None:
    w = three_nations()
    put_lot(w, 0, 1, 1)
    promise(w, 0)
    w.ship(0, "merchant", 10, 2)
    w.world.nations["alive"][0] = 0
    told = seen(w)
    assert values(told["open_lots"][0], "listed", "may_bid", "value", "lowest_bid") == [1, 0, 0, 50]
    for name in ("offers_received", "private_ships", "partners", "private_market"):
        assert not told[name].tobytes().strip(b"\0"), name
    assert not any(told["commerce"].tolist())


@pytest.mark.rule("SHIP-002")
def test_a_port_of_each_partner_is_among_the_cells() -> None:
    """Commands that name a receiving port choose from the list; whom one does not deal with has none."""
    w = three_nations()
    w.cell(13, 4, terrain="port", owner=2)  # nearer to nation 0 than the other one at (15, 4)
    w.world.harbours["cell"][5] = 4 * WIDTH + 13
    w.phase("sightings")

    def ports() -> list[tuple[int, int]]:
        rows = seen(w)["cells"]
        return [(int(row["x"]), int(row["y"])) for row in rows if row["listed"] and row["x"] >= 8]

    assert ports() == [(8, 4), (13, 4)]
    w.world.relations["embargo"][1, 0] = 1
    assert ports() == [(13, 4)]
