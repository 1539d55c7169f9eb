"""How goods of nations are carried: over land or by hired ships, for how much, and how it ends (MER-078)."""

from __future__ import annotations

from typing import Any

import pytest

from hakoenv.engine import survival
from hakoenv.engine.codes import job, parcel
from hakoenv.engine.diplomacy import carriers, transports
from hakoenv.engine.shipping import parcels
from hakoenv.testing import SmallWorld

WIDTH = 27
HOME, ABROAD = 4 * WIDTH + 2, 4 * WIDTH + 24  # the ports of nations 0 and 1


def neighbours(**given: Any) -> SmallWorld:
    """Two nations whose lands touch, with 1000 funds each; nation 1 asks a tariff of 50%."""
    w = SmallWorld(9, 9, 2, turn=40, rules={"fundraise.income": 0, **given})
    for n, town, land in ((0, 2, 3), (1, 5, 4)):
        w.cell(town, 4, terrain="town", owner=n, population=50, capital=True)
        w.cell(land, 4, terrain="plains", owner=n)
        w.nation(n, funds=1000, tariff=50)
    return w


def islands(nations: int = 2, **given: Any) -> SmallWorld:
    """Ports of nations 0 and 1 at (2, 4) and (24, 4), whose berths (3, 4) and (23, 4) are 20 cells apart.

    Nation 2 has a port at (13, 8).
    """
    w = SmallWorld(9, WIDTH, nations, turn=40, rules={"fundraise.income": 0, **given})
    for n, town, port, y in ((0, 1, 2, 4), (1, 25, 24, 4), (2, 12, 13, 8))[:nations]:
        w.cell(town, y, terrain="town", owner=n, population=50, capital=True)
        w.cell(port, y, terrain="port", owner=n, level=1)
        w.nation(n, funds=1000)
    return w


def start(w: SmallWorld) -> None:
    w.phase("shipping_open")
    w.phase("diplomatic_transport")


def loads(w: SmallWorld) -> list[tuple[int, int, int]]:
    """Ship, quantity and port of what lies ashore for ships."""
    return [
        (int(p["ship"]), int(p["quantity"]), int(p["port"]))
        for p in w.world.parcels
        if p["state"] == parcel.ASHORE
    ]


# ---------------------------------------------------------------- over land


@pytest.mark.rule("MER-078", "MER-015", "MER-017", "NAVY-048", "AID-019", "TURN-017")
def test_land_takes_64_containers_a_turn_and_no_tariff() -> None:
    """100 steel: 64 containers cost ceil(9.6) = 10, which the sender pays to itself; 36 wait."""
    w = neighbours()
    w.transport("aid", 0, 1, "steel", 100)
    w.phase("diplomatic_transport")
    assert (w.nation(0).funds, w.nation(1).funds, w.nation(1).steel) == (1000, 1000, 64)
    assert [t.quantity for t in w.matching("transport", {})] == [36]
    w.phase("diplomatic_transport")  # nothing is left of the route in this turn
    assert w.nation(1).steel == 64
    w.world.relations["land_used"] = 0
    w.phase("diplomatic_transport")
    assert w.nation(1).steel == 100 and not w.world.transports["kind"].any()


@pytest.mark.rule("MER-013", "MER-078")
def test_both_directions_share_the_route_in_order_of_creation() -> None:
    """40 containers one way leave 24 the other way; 4 wood make a container: 24 x 4 = 96."""
    w = neighbours()
    w.transport("aid", 1, 0, "wood", 128, created=40)
    w.transport("aid", 0, 1, "steel", 40, created=39)
    w.phase("diplomatic_transport")
    assert (w.nation(1).steel, w.nation(0).wood) == (40, 96)
    assert int(w.world.relations[0, 1]["land_used"]) == int(w.world.relations[1, 0]["land_used"]) == 64


@pytest.mark.rule("MER-015", "NAVY-033")
def test_land_freight_is_rounded_up_to_whole_funds() -> None:
    """60 containers: 9; 1: ceil(0.15) = 1. A sender without the money waits, though it gets it back."""
    w = neighbours()
    assert [carriers.land_fare(w.rules, n) for n in (0, 1, 60, 64)] == [0, 1, 9, 10]
    w.nation(0, funds=0)
    w.transport("aid", 0, 1, "steel", 40)
    w.phase("diplomatic_transport")
    assert w.nation(1).steel == 0
    w.nation(0, funds=6)
    w.phase("diplomatic_transport")
    assert (w.nation(0).funds, w.nation(1).steel) == (6, 40)


@pytest.mark.rule("MER-078", "MKT-014")
def test_what_the_receiver_has_no_room_for_waits() -> None:
    w = neighbours(**{"resources.steel.treasury_cap": 100})
    w.nation(1, steel=90)
    w.transport("aid", 0, 1, "steel", 40)
    w.phase("diplomatic_transport")
    assert w.nation(1).steel == 100 and [t.quantity for t in w.matching("transport", {})] == [30]


@pytest.mark.rule("MER-078", "MER-008")
def test_money_goes_over_land_without_a_container() -> None:
    w = neighbours()
    w.world.relations["land_used"] = 64
    w.transport("aid", 0, 1, "funds", 700)
    w.phase("diplomatic_transport")
    assert (w.nation(0).funds, w.nation(1).funds) == (1000, 1700)


@pytest.mark.rule("MER-078", "MER-064")
@pytest.mark.parametrize("who", [0, 1])
def test_a_closed_gate_leaves_the_sea(who: int) -> None:
    """The two touch by land, but a gate is closed: goods wait for a ship; without ports they go back."""
    w = neighbours()
    w.relation(0, 1, gate_closed=[who])
    w.transport("aid", 0, 1, "steel", 40)
    w.phase("diplomatic_transport")
    assert w.nation(0).steel == 40 and not w.world.transports["kind"].any()
    w.nation(0, steel=0)
    w.cell(3, 5, terrain="port", owner=0, level=1)
    w.cell(5, 5, terrain="port", owner=1, level=1)
    w.transport("aid", 0, 1, "steel", 40)
    w.phase("diplomatic_transport")
    assert [t.quantity for t in w.matching("transport", {})] == [40]
    assert (w.nation(0).steel, w.nation(1).steel) == (0, 0)


@pytest.mark.rule("CONT-013", "MER-078")
@pytest.mark.parametrize("hegemon", [0, 1])
@pytest.mark.parametrize("what", ["steel", "funds"])
def test_the_embargo_of_the_containment_sends_what_waits_back(hegemon: int, what: str) -> None:
    w = neighbours()
    w.nation(0, **{what: 0})
    w.transport("aid", 0, 1, what, 40)
    w.containment(hegemon, [1 - hegemon])
    w.phase("diplomatic_transport")
    assert w.nation(0).read(what) == 40 and not w.world.transports["kind"].any()


# ---------------------------------------------------------------- by ship


@pytest.mark.rule("AID-017", "AID-018", "MER-015", "MER-016", "MER-078")
@pytest.mark.parametrize(("away", "fare"), [(0, 12), (4, 32), (6, 42), (7, None)])
def test_an_idle_ship_within_six_cells_is_called_for_five_funds_a_cell(away: int, fare: int | None) -> None:
    """60 containers over 20 cells: 12; a ship 4 cells away: + 20. The sender pays when it is called.

    The ship of nation 2, whose port lies on its way, gets it for its owner's private sector.
    """
    w = islands(3)
    w.cell(3 + away + 1, 5, terrain="port", owner=2, level=1)
    w.ship(2, "merchant", 3 + away, 4, home=[3 + away + 1, 5])
    w.transport("aid", 0, 1, "steel", 60)
    start(w)
    assert w.nation(0).funds == 1000 - (fare or 0)
    assert w.nation(2).private_funds == (fare or 0)
    assert loads(w) == ([(0, 60, HOME)] if fare else [])
    if fare:
        entry = w.world.jobs[0]
        assert (int(entry["job"]), int(entry["goal"])) == (job.LOADING, ABROAD)


@pytest.mark.rule("MER-015")
@pytest.mark.parametrize(("containers", "cells", "fare"), [(60, 20, 12), (61, 20, 13), (0, 20, 0), (1, 1, 1)])
def test_sea_freight_is_a_hundredth_a_container_and_cell(containers: int, cells: int, fare: int) -> None:
    """61 x 20 x 0.01 = 12.2 -> 13."""
    w = islands()
    assert carriers.sea_fare(w.rules, containers, cells, 0) == fare
    assert carriers.sea_fare(w.rules, containers, cells, 4) == fare + 20


@pytest.mark.rule("MER-010", "NAVY-009", "AID-019", "MER-078")
def test_a_ship_of_nations_goods_holds_its_base_capacity() -> None:
    """Shipping level 5 makes 147 of 128 containers in trade, not here; the rest waits for another ship."""
    w = islands()
    w.nation(0, shipping=5)
    w.ship(0, "merchant", 3, 4, home=[2, 4])
    w.transport("aid", 0, 1, "steel", 200)
    start(w)
    assert loads(w) == [(0, 128, HOME)]
    assert [t.quantity for t in w.matching("transport", {})] == [72]
    assert w.nation(0).funds == 1000 - 26  # 128 x 20 x 0.01 = 25.6
    w.ship(0, "merchant", 3, 3, home=[2, 4])
    start(w)
    assert sorted(loads(w))[1][:2] == (1, 72) and not w.matching("transport", {})


@pytest.mark.rule("MER-016", "AID-018")
def test_own_ships_come_first_then_the_nearest_then_the_lowest_number() -> None:
    """Own ships: 4 is 2 cells from a berth, 2 and 3 are 3; of nation 2's, 1 is at one, 0 one cell away."""
    w = islands(3)
    w.cell(4, 5, terrain="port", owner=2, level=1)
    for owner, x, y in ((2, 3, 5), (2, 3, 4), (0, 5, 5), (0, 5, 6), (0, 5, 4)):
        w.ship(owner, "merchant", x, y, home=[4, 5])
    called = []
    for _ in range(5):
        w.transport("aid", 0, 1, "steel", 1)
        start(w)
        called += [ship for ship, _, _ in loads(w) if ship not in called]
    assert called == [4, 2, 3, 1, 0]


@pytest.mark.rule("AID-018", "MER-016", "MER-075")
@pytest.mark.parametrize(
    "what",
    ["war with sender", "pending with receiver", "embargo of receiver", "embargo by owner", "ports of sender",
     "busy", "unpaid", "new", "fishing boat", "laden"],
)  # fmt: skip
def test_ships_that_are_not_hired(what: str) -> None:
    w = islands(3)
    w.cell(5, 5, terrain="port", owner=2, level=1)
    w.ship(2, "fishing_boat" if what == "fishing boat" else "merchant", 4, 4, home=[5, 5])
    entry = w.world.jobs[0]
    if what == "war with sender":
        w.war(0, 2)
    elif what == "pending with receiver":
        w.relation(1, 2, state="pending", declarer=1, turns_left=2)
    elif what == "embargo of receiver":
        w.relation(1, 2, embargo=[1])
    elif what == "embargo by owner":
        w.relation(0, 2, embargo=[2])
    elif what == "ports of sender":
        w.relation(0, 2, port_policy={"0": "closed"})
    elif what == "busy":
        entry["job"] = job.SAILING
    elif what == "unpaid":
        entry["paid"] = 0
    elif what == "new":
        entry["built"] = 40
    elif what == "laden":
        parcels.put(w.world, parcel.OWN, 8, 5, 2, 2, 0, -1)
    w.transport("aid", 0, 1, "steel", 10)
    w.world.clock[0]["turn"] = 40
    start(w)
    assert loads(w) == [] and w.nation(0).funds == 1000
    assert [t.quantity for t in w.matching("transport", {})] == [10]


@pytest.mark.rule("MER-078", "AID-018")
@pytest.mark.parametrize(("funds", "sent"), [(12, True), (11, False)])
def test_a_sender_that_can_not_pay_the_fare_waits(funds: int, sent: bool) -> None:
    w = islands()
    w.nation(0, funds=funds)
    w.ship(0, "merchant", 3, 4, home=[2, 4])
    w.transport("aid", 0, 1, "steel", 60)
    start(w)
    assert bool(loads(w)) == sent and w.nation(0).funds == funds - 12 * sent


@pytest.mark.rule("MER-078", "MER-008")
def test_money_needs_a_ship_but_no_container() -> None:
    """No ship: it waits. A ship two cells away: only the call is paid, 10."""
    w = islands(3)
    w.transport("aid", 0, 1, "funds", 700)
    start(w)
    assert [t.quantity for t in w.matching("transport", {})] == [700]
    w.cell(6, 5, terrain="port", owner=2, level=1)
    w.ship(2, "merchant", 5, 4, home=[6, 5])
    start(w)
    assert loads(w) == [(0, 700, HOME)] and w.nation(0).funds == 990


@pytest.mark.rule("MER-078")
def test_the_receiving_port_is_the_nearest_or_the_one_named() -> None:
    """Nation 1 has ports at (24, 4) and (14, 4); from (3, 4) the second is 10 cells away."""
    w = islands()
    w.cell(14, 4, terrain="port", owner=1, level=1)
    for x in (3, 2):
        w.ship(0, "merchant", x, 4 + (x == 2), home=[2, 4])
    w.transport("aid", 0, 1, "steel", 60)
    w.transport("aid", 0, 1, "steel", 60, port=[24, 4])
    start(w)
    assert [int(w.world.jobs[k]["goal"]) for k in range(2)] == [4 * WIDTH + 14, ABROAD]
    assert w.nation(0).funds == 1000 - 6 - 12


@pytest.mark.rule("MER-078")
def test_transports_are_served_in_order_of_creation() -> None:
    """One ship, two transports: the older gets it, though it stands later in the list."""
    w = islands()
    w.ship(0, "merchant", 3, 4, home=[2, 4])
    w.transport("aid", 0, 1, "wood", 10, created=40)
    w.transport("exchange", 0, 1, "steel", 20, created=38)
    start(w)
    assert loads(w) == [(0, 20, HOME)]


@pytest.mark.rule("MER-078")
@pytest.mark.parametrize("what", ["war", "embargo", "closed", "friends only", "port lost", "own port lost"])
def test_what_can_not_go_any_more_goes_back(what: str) -> None:
    w = islands()
    w.transport("aid", 0, 1, "steel", 60)
    if what == "war":
        w.war(1, 0)
    elif what == "embargo":
        w.relation(0, 1, embargo=[1])
    elif what == "closed":
        w.nation(1, port_policy="closed")
    elif what == "friends only":
        w.nation(1, port_policy="friends")
    else:
        w.cell(*((24, 4) if what == "port lost" else (2, 4)), terrain="plains", owner=None)
    start(w)
    assert w.nation(0).steel == 60 and not w.world.transports["kind"].any()


@pytest.mark.rule("MER-078", "TURN-017")
def test_a_voyage_from_port_to_port() -> None:
    """Loads in phase 20 of turn 40, leaves on 41, sails 20 cells at 7 a turn: there and unloaded on 43."""
    w = islands()
    w.ship(0, "merchant", 3, 4, home=[2, 4])
    w.transport("aid", 0, 1, "steel", 60)
    start(w)
    for turn in range(40, 44):
        w.world.clock[0]["turn"] = turn
        w.phase("port_handling_1")
        w.phase("ordinary_ships")
        w.phase("port_handling_3")
        assert w.nation(1).steel == (60 if turn == 43 else 0), turn
        w.world.harbours["handled"] = 0
    assert not w.world.transports["kind"].any()


# ---------------------------------------------------------------- how a transport ends


@pytest.mark.rule("MER-078", "AUC-008", "AUC-009")
def test_a_transport_is_settled_once_when_nothing_of_it_is_left() -> None:
    """Of 100 for 800: 60 arrive, 30 are lost, 10 come back: floor(800 x 60 / 100) = 480, 320 and 12 back."""
    w = islands(2)
    t = transports.open(w.world, parcel.AUCTION, 7, 100, 0, 1)
    entry = w.world.transports[t]
    entry["price"], entry["freight"], entry["waiting"] = 800, 12, 10
    transports.arrived(w.world, w.rules, t, 60)
    transports.lost(w.world, w.rules, t, 30)
    assert (w.nation(0).funds, w.nation(1).funds, w.nation(1).steel) == (1000, 1000, 60)
    transports.recall(w.world, w.rules, t)
    assert (w.nation(0).funds, w.nation(0).steel, w.nation(1).funds) == (1480, 10, 1332)
    assert not entry["kind"]


@pytest.mark.rule("AID-020", "MER-058")
def test_lost_aid_is_neither_delivered_nor_returned() -> None:
    w = islands(2)
    t = transports.open(w.world, parcel.AID, 7, 40, 0, 1)
    w.world.transports[t]["waiting"] = 0
    transports.lost(w.world, w.rules, t, 40)
    assert (w.nation(0).steel, w.nation(1).steel, w.nation(0).funds) == (0, 0, 1000)
    assert not w.world.transports[t]["kind"]


@pytest.mark.rule("TURN-055", "MER-081")
@pytest.mark.parametrize("who", [0, 1])
def test_a_fallen_nation_gets_nothing_any_more(who: int) -> None:
    """100 steel for 800 wait. The seller fell: they vanish, 800 go back; the buyer fell: vice versa."""
    w = islands(2)
    t = transports.open(w.world, parcel.AUCTION, 7, 100, 0, 1)
    w.world.transports[t]["price"] = 800
    w.world.nations["alive"][who] = 0
    transports.end_nation(w.world, w.rules, who)
    steel, funds = w.world.nations["treasury"][:, 7].tolist(), w.world.nations["treasury"][:, 9].tolist()
    assert (steel, funds) == (([0, 0], [1000, 1800]) if who == 0 else ([100, 0], [1000, 1000]))
    lost = w.world.transit.tolist()
    assert (lost[7], lost[9]) == ((-100, 0) if who == 0 else (0, -800))
    assert not w.world.transports["kind"].any()


@pytest.mark.rule("MER-081", "TURN-055")
def test_whoever_takes_the_seat_of_a_fallen_nation_has_no_part_in_its_deals() -> None:
    """60 of 100 steel for 800 are at sea when the buyer falls, and come home when another has its seat."""
    w = islands(2)
    w.auction(1, 0, "steel", 100, 500, 40, bid=800, bidder=1, state="sold", settled=40)
    cargo = {"item": "steel", "quantity": 60, "kind": "auction", "lot": 1}
    w.ship(0, "merchant", 9, 4, home=[2, 4], job="sailing", destination=[24, 4], cargo=[cargo])
    w.nation(1, alive=False)
    w.world.nations[1]["fell"] = 40
    survival.free_abandoned_land(w.world, w.rules)
    assert (w.nation(0).steel, w.matching("auction", {})) == (40, [])
    assert [int(w.world.transit[k]) for k in (7, 9)] == [0, -880]  # price and freight part are lost with it
    w.nation(1, alive=True, founded=40, funds=1000)
    parcels.free(w.world, 0)
    transports.returned(w.world, w.rules, 0, 60)
    assert (w.nation(0).steel, w.nation(0).funds, w.nation(1).funds) == (100, 1000, 1000)
