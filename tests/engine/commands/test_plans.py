"""Plans from Python: three modes, the cut at 50, and any number or none at all."""

from typing import Any

import numpy as np
import pytest

from hakoenv.engine.codes import command, reason
from hakoenv.engine.commands import plans
from hakoenv.testing import SmallWorld


@pytest.fixture
def w() -> SmallWorld:
    return SmallWorld(height=9, width=9, nations=2)


def amounts(w: SmallWorld) -> list[int]:
    return [order.amount for order in plans.plan_of(w.world, 0)]


@pytest.mark.rule("CMD-001")
def test_a_plan_of_53_is_cut_to_its_first_50(w: SmallWorld) -> None:
    assert plans.set_plan(w.world, 0, [("fundraise", 0, 0, k) for k in range(53)]) == 3
    assert amounts(w) == list(range(50))
    assert w.world.nations["cut"][0] == 3
    assert plans.set_plan(w.world, 0, [], "keep") == 0
    assert w.world.nations["cut"][0] == 0 and len(amounts(w)) == 50


@pytest.mark.rule("CMD-001")
def test_front_puts_commands_before_the_queue_and_cuts_its_end(w: SmallWorld) -> None:
    plans.set_plan(w.world, 0, [("fundraise", 0, 0, k) for k in range(49)])
    assert plans.set_plan(w.world, 0, [("fundraise", 0, 0, 100 + k) for k in range(3)], "front") == 2
    assert amounts(w) == [100, 101, 102, *range(47)]
    assert plans.set_plan(w.world, 0, [("fundraise", 0, 0, 7)], "replace", limit=5) == 0
    assert amounts(w) == [7]
    assert not w.world.plans[0, 1:].tobytes().strip(b"\0")


@pytest.mark.rule("CMD-002")
def test_fields_are_whole_numbers_of_any_kind_and_size(w: SmallWorld) -> None:
    orders: list[Any] = [
        (np.int32(12), np.uint8(3), 4.0, np.int64(5), True),
        ("farm", 2**40, -(2**40), 2**80, 10**9),
        [2**33],
        plans.Order("survey", 1, 2),
    ]
    plans.set_plan(w.world, 0, orders)
    assert plans.plan_of(w.world, 0) == [
        (12, 3, 4, 5, 1),
        (command.FARM, -(2**31), -(2**31), -(2**63), 10**9),
        (-(2**31), 0, 0, 0, 0),
        (command.SURVEY, 1, 2, 0, 0),
    ]
    assert (w.world.plans["reason"][0, :4] == reason.WAITING).all()


@pytest.mark.parametrize(
    ("order", "says"),
    [
        (("farm", "three", 4), "x='three' must be a whole number"),
        (("farm", 3, 4, float("nan")), "amount=nan"),
        (("farm", 3, 4, 0.5), "amount=0.5"),
        (("farm", 3, None), "y=None"),
        (("frm", 3, 4), "nearest: farm"),
        ((None, 3, 4), "command=None"),
        ((), "1 to 5 fields"),
        ((1, 2, 3, 4, 5, 6), "1 to 5 fields"),
        ("farm", "must be"),
        (7, "must be"),
    ],
)
def test_no_numbers_are_named(w: SmallWorld, order: Any, says: str) -> None:
    before = w.world.plans.tobytes()
    with pytest.raises(ValueError, match=says):
        plans.set_plan(w.world, 0, [order])
    assert w.world.plans.tobytes() == before


@pytest.mark.parametrize(
    ("nation", "mode", "orders", "says"),
    [
        (2, "replace", [], r"nation=2 must lie in 0\.\.1"),
        (-1, "replace", [], "nation=-1"),
        (0, "append", [], "mode='append' must be one of replace, front, keep"),
        (0, "keep", [("farm", 1, 1)], "takes no orders"),
    ],
)
def test_nation_and_mode_are_checked(
    w: SmallWorld, nation: int, mode: str, orders: list[Any], says: str
) -> None:
    with pytest.raises(ValueError, match=says):
        plans.set_plan(w.world, nation, orders, mode)


def test_orders_and_results_in_words() -> None:
    assert plans.order_name((66, 3, 4, 122, 0)) == "build_ship:cruiser at (3, 4) fleet=2"
    assert plans.order_name((55, 0, 0, 1, 3)) == "good_terms:set nation=3"
    assert plans.order_name((66, 3, 4, 9, 0)) == "build_ship x=3 y=4 amount=9 target=0"
    assert plans.order_name((500, 0, 0, 0, 0)).startswith("command 500")
    result = plans.Result(12, 3, 4, 0, 0, 7, reason.NO_FUNDS)
    assert plans.result_text(result) == "farm at (3, 4): not enough funds" and not result.done
