"""So much may be under way or offered: no nation takes all places of the lists."""

from __future__ import annotations

from typing import Any

import pytest

from hakoenv.engine.codes import parcel
from hakoenv.engine.diplomacy import transports
from hakoenv.testing import SmallWorld
from hakoenv.testing.driver import give, is_legal

FUEL, STEEL, FUNDS = 4, 7, 9
AID = ("national_aid", FUNDS, 0, 1, 1)
SWAP = ("exchange", STEEL, FUEL, 20 * 10**4 + 10, 1)


def coast(**rules: Any) -> SmallWorld:
    """Two nations whose land touches, each with a port."""
    w = SmallWorld(6, 8, 2, turn=100, rules={"fundraise.income": 0, **rules})
    for n, town, land, port in ((0, 1, 2, 1), (1, 4, 3, 4)):
        w.cell(town, 3, terrain="town", owner=n, population=50, capital=True)
        w.cell(land, 3, terrain="plains", owner=n)
        w.cell(port, 2, terrain="port", owner=n, level=1)
        w.nation(n, founded=0, funds=5000, food=1000, steel=500, fuel=500, port_policy="open")
    w.phase("shipping_open")
    return w


def waiting(w: SmallWorld, count: int, sender: int = 0) -> None:
    """Let so much aid of a nation wait for a carrier."""
    for _ in range(count):
        assert transports.open(w.world, int(parcel.AID), FUNDS, 1, sender, 1 - sender) >= 0


def offer(item: int, price: int = 50) -> tuple[Any, ...]:
    return ("regular_offer", 4, 2, item * 10**11 + 10 * 10**7 + price * 10**3 + 50, 1)


@pytest.mark.rule("CMD-032")
def test_a_nation_has_so_many_transports_of_aid_at_most() -> None:
    """Eleven wait: one more is sent, the thirteenth is refused, mask and truth alike; another may still."""
    w = coast()
    waiting(w, 11)
    assert is_legal(w, 0, *AID)
    assert give(w, 0, AID, AID) == ["done", "too_many_transports"]
    assert not is_legal(w, 0, *AID)
    assert is_legal(w, 1, "national_aid", FUNDS, 0, 1, 0)


@pytest.mark.rule("CMD-032")
def test_shipments_and_auctions_do_not_count_as_aid() -> None:
    w = coast(**{"diplomacy.transports_max": 1})
    w.auction(1, 0, "steel", 5, 10, 90, bid=20, bidder=1, state="sold", settled=99)
    assert w.world.transports["sender"][0] == 0 and w.world.transports["kind"][0] == parcel.AUCTION
    assert give(w, 0, AID, AID) == ["done", "too_many_transports"]


@pytest.mark.rule("CMD-047")
def test_who_has_too_much_under_way_offers_and_accepts_no_exchange() -> None:
    """Nation 1 may not accept as it would have to send; a gift to it needs nothing of its own."""
    w = coast(**{"diplomacy.transports_max": 2})
    assert give(w, 0, SWAP) == ["done"]
    w.world.clock["turn"] = 101
    waiting(w, 2, sender=1)
    accept = ("exchange", 0, 0, 0, 0)
    assert not is_legal(w, 1, *accept)
    assert give(w, 1, accept) == ["too_many_transports"]
    assert give(w, 1, ("exchange", STEEL, FUEL, 20 * 10**4 + 10, 0)) == ["too_many_transports"]
    w.world.relations["swap_wanted"][0, 1] = 0
    assert is_legal(w, 1, *accept) and give(w, 1, accept) == ["done"]


@pytest.mark.rule("CMD-047", "CMD-005")
def test_what_the_other_has_under_way_counts_in_truth_alone() -> None:
    w = coast(**{"diplomacy.transports_max": 2})
    assert give(w, 0, SWAP) == ["done"]
    w.world.clock["turn"] = 101
    waiting(w, 2)
    assert is_legal(w, 1, "exchange", 0, 0, 0, 0)
    assert give(w, 1, ("exchange", 0, 0, 0, 0)) == ["blocked"]


@pytest.mark.rule("SHIP-002", "SHIP-003")
def test_a_seller_has_so_many_open_offers_at_most() -> None:
    """Eight items are offered, the ninth is refused; an open offer can still be changed."""
    w = coast()
    assert give(w, 0, *(offer(what) for what in range(9))) == ["done"] * 8 + ["too_many_offers"]
    assert not is_legal(w, 0, *offer(8)) and is_legal(w, 0, *offer(7, 60))
    assert give(w, 0, ("regular_withdraw", 0, 0, 1, 0), offer(7, 60), offer(8)) == ["done"] * 3


@pytest.mark.rule("SHIP-002", "SHIP-005")
def test_what_has_lapsed_or_runs_is_no_open_offer() -> None:
    """Two offers at most: one runs, one stands for its last turn, 110, and is gone in 111."""
    w = coast(**{"regular.offers_max": 2})
    w.shipment(1, 0, 1, "wood", 10, 50, (4, 2), 100, accepted=101, interval=1)
    w.shipment(2, 0, 1, "stone", 10, 50, (4, 2), 100)
    w.shipment(3, 0, 1, "steel", 10, 50, (4, 2), 105)
    w.world.clock["turn"] = 110
    assert give(w, 0, offer(FUEL)) == ["too_many_offers"]
    assert is_legal(w, 0, *offer(FUEL))  # the mask is that of the coming turn


@pytest.mark.rule("AUC-006")
def test_open_lots_keep_their_places_among_the_transports() -> None:
    """Of 512 places all but two are taken, and one lot is open: aid is sent once, and the lot is sold."""
    w = coast(**{"diplomacy.transports_max": 512})
    w.auction(1, 1, "steel", 5, 10, 100, bid=20, bidder=0)
    waiting(w, len(w.world.transports) - 2, sender=1)
    assert len(w.world.transports) == 512
    assert give(w, 0, AID, AID) == ["done", "blocked"]
    assert give(w, 0, ("auction_list", STEEL, 6, 5, 20)) == ["blocked"]
    w.phase("auctions")
    assert transports.free_places(w.world) == 0
    assert w.world.lots["state"][0] == 2
