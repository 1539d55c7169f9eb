"""Stocks and their caps, item by item (RES-004, RES-008, RES-011)."""

import pytest

from hakoenv.engine import stock
from hakoenv.engine.codes import cause, item
from hakoenv.ruleset.codes import ITEM_NAMES
from hakoenv.testing import SmallWorld

TREASURY = {"wood": 2000, "stone": 2000, "ore": 1000, "oil": 2000, "fuel": 2000, "goods": 1000,
            "ammo": 1000, "steel": 1000, "food": 30_000, "funds": 30_000}  # fmt: skip
PRIVATE = {"wood": 10_000, "stone": 10_000, "ore": 5000, "oil": 10_000, "fuel": 10_000, "goods": 5000,
           "ammo": 5000, "steel": 5000, "food": 150_000, "funds": 100_000}  # fmt: skip


@pytest.mark.rule("RES-004", "RES-011")
@pytest.mark.parametrize("name", ITEM_NAMES)
def test_what_exceeds_a_treasury_cap_is_lost(name: str) -> None:
    w, what = SmallWorld(), ITEM_NAMES.index(name)
    w.nation(0, **{name: TREASURY[name] - 7})
    assert stock.gain(w.world, w.rules, 0, what, 5, cause.TAX) == 5
    assert stock.gain(w.world, w.rules, 0, what, 5, cause.TAX) == 2
    assert w.world.nations[0]["treasury"][what] == TREASURY[name]
    assert w.world.accounts[0, cause.TAX, what] == 10
    assert w.world.accounts[0, cause.LOST_OVER_CAP, what] == -3


@pytest.mark.rule("RES-004", "RES-011")
@pytest.mark.parametrize("name", ITEM_NAMES)
def test_a_private_cap_is_a_cap_of_its_own(name: str) -> None:
    w, what = SmallWorld(), ITEM_NAMES.index(name)
    unit = stock.THOUSANDTHS if what == item.FUNDS else 1  # private funds are kept in thousandths
    w.nation(0, **{f"private_{name}": PRIVATE[name] - 7})
    w.cell(4, 4, terrain="warehouse", owner=0, level=5)
    w.phase("nation_update")  # the warehouse is the treasury's
    assert stock.private_gain(w.world, w.rules, 0, what, 9 * unit, cause.BUYBACK) == 7 * unit
    assert w.world.nations[0]["private"][what] == PRIVATE[name] * unit
    assert w.world.private_accounts[0, cause.LOST_OVER_CAP, what] == -2 * unit


@pytest.mark.rule("RES-004", "RES-008")
def test_each_item_has_room_of_its_own() -> None:
    w = SmallWorld()
    w.nation(0, wood=TREASURY["wood"], steel=0)
    assert stock.gain(w.world, w.rules, 0, item.STEEL, 1000, cause.TAX) == 1000
    assert stock.gain(w.world, w.rules, 0, item.WOOD, 1, cause.TAX) == 0
    w.cell(4, 4, terrain="warehouse", owner=0, level=3)
    w.phase("nation_update")
    caps = [int(stock.cap(w.world, w.rules, 0, what)) for what in range(item.COUNT)]
    assert caps == [TREASURY[name] * (100 if name == "funds" else 130) // 100 for name in ITEM_NAMES]
