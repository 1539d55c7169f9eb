"""What a mask of deals must not tell: mines on the merchants' way, and the deals of others."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from hakoenv.engine.codes import reason
from hakoenv.engine.commands import validate
from hakoenv.obs.menu import Menu
from hakoenv.obs.spec import Spec
from hakoenv.testing import SmallWorld
from hakoenv.testing.driver import give, is_legal

FUEL = 4
OFFER = FUEL * 10**11 + 10 * 10**7 + 100 * 10**3 + 50  # 10 fuel for 100, freight 50 at most
LIST = ("auction_list", 8, 6, 10, 20)  # 10 food, six turns, 20 at least
TRUTH = -1


def strait(mine: str = "") -> SmallWorld:
    """A channel in row 2 between mountains: ports of nations 0 and 1 at its ends, nation 2 on its bank."""
    w = SmallWorld(5, 12, 3, turn=100, rules={"fundraise.income": 0})
    for y, x in itertools.product(range(5), range(12)):
        w.cell(x, y, terrain="sea" if y == 2 and 1 < x < 10 else "mountain")
    for n, town, port in ((0, (0, 2), (1, 2)), (1, (11, 2), (10, 2)), (2, (5, 0), (5, 1))):
        w.cell(*town, terrain="town", owner=n, population=50, capital=True)
        w.cell(*port, terrain="port" if n < 2 else "plains", owner=n, level=1)
        w.nation(n, founded=0, funds=5000, food=1000, port_policy="open")
    if mine:
        w.cell(6, 2, terrain=mine, owner=2, level=1)
    w.run(3)  # charts of the ports are made
    return w


def mask(w: SmallWorld) -> dict[str, Any]:
    """Nation 0's whole mask of deals."""
    spec = Spec(w.ruleset, w.nations)
    seen = spec.buffers()
    spec.fill(w.world, w.rules, seen)
    menu = Menu(w.ruleset, w.nations, ["trade", "diplomacy"])
    buffers = menu.buffers()
    menu.fill(w.world, w.rules, seen["cell_index"], buffers)
    return {name: array.copy() for name, array in menu.of(buffers, 0).items()}


def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return all(one[name].tobytes() == other[name].tobytes() for name in one)


@pytest.mark.rule("SHIP-002", "CMD-005", "NMINE-006")
@pytest.mark.parametrize("what", ["naval_mine", "seabed_base"])
def test_an_offer_of_shipments_tells_nothing_of_what_lies_under_water(what: str) -> None:
    """The way is shut, but nation 0 sees sea: its mask lets the offer in, and the offer is blocked."""
    free, shut = strait(), strait(what)
    assert is_legal(free, 0, "regular_offer", 10, 2, OFFER, 1)
    assert is_legal(shut, 0, "regular_offer", 10, 2, OFFER, 1)
    assert same(mask(free), mask(shut))
    order = ("regular_offer", 10, 2, OFFER, 1)
    assert give(free, 0, order) == ["done"]
    assert give(shut, 0, order) == ["blocked"]
    assert not shut.world.promises["number"].any()


@pytest.mark.rule("SHIP-002")
def test_without_a_port_of_the_own_there_is_no_way_to_offer() -> None:
    """Whose the ports are is public: nation 2 has none."""
    w = strait()
    assert not is_legal(w, 2, "regular_offer", 10, 2, OFFER, 1)
    assert give(w, 2, ("regular_offer", 10, 2, OFFER, 1)) == ["not_a_port"]


@pytest.mark.rule("AUC-001", "CMD-005")
def test_a_listing_tells_nothing_of_sold_lots() -> None:
    """With 128 lots under way there is no place; only the truth knows, and the listing is blocked."""
    worlds = []
    for sold in (0, 128):
        w = SmallWorld(6, 10, 3, turn=100, rules={"fundraise.income": 0})
        for n in range(3):
            w.cell(3 * n + 1, 1, terrain="town", owner=n, population=50, capital=True)
            w.nation(n, funds=5000, food=1000, founded=0)
        for k in range(sold):
            w.auction(k + 1, 1, "wood", 5, 10, 90, bid=20, bidder=2, state="sold", settled=90)
        w.world.clock["lots_made"] = 128
        worlds.append(w)
    empty, full = worlds
    assert is_legal(empty, 0, *LIST) and is_legal(full, 0, *LIST)
    assert same(mask(empty), mask(full))
    number = validate.check(full.world, full.rules, TRUTH, 0, 100, 92, *LIST[1:])
    assert number == reason.LISTS_FULL
    assert give(full, 0, LIST) == ["blocked"]
    assert give(empty, 0, LIST) == ["done"]
