"""What a nation sets in trade, and what lasts one turn of it: commands 91 and 97, the resets of phase 5."""

import pytest

from hakoenv.engine.codes import item
from hakoenv.engine.commands import plans
from hakoenv.engine.trade import partners
from hakoenv.testing import SmallWorld

ALL_ITEMS = 511  # nine bits


def three() -> SmallWorld:
    """Three nations without anything but a town each."""
    small = SmallWorld(5, 9, 3)
    for owner in range(3):
        small.cell(1 + 3 * owner, 2, terrain="town", owner=owner, population=50, capital=True)
    return small


def give(small: SmallWorld, *orders: tuple[str, int, int]) -> list[str]:
    """Carry out commands of nation 0, each with amount and target; return what became of them."""
    plans.set_plan(small.world, 0, [(name, 0, 0, amount, target) for name, amount, target in orders])
    before = len(small.results(0))
    small.phase("plans")
    return [entry["reason"] for entry in small.results(0)[before:]][: len(orders)]


@pytest.mark.rule("CMD-049", "MER-064", "CMD-016")
def test_land_gates_are_set_for_one_nation_or_for_all() -> None:
    small = three()
    assert give(small, ("land_gate", 0, 1), ("land_gate", 1, 2)) == ["done"] * 2
    assert small.world.relations["land_gate"][0].tolist() == [-1, 0, 1]
    assert small.world.nations["land_gate"].tolist() == [1, 1, 1]
    assert small.world.relations["land_gate"][1:].tolist() == [[-1] * 3] * 2
    assert give(small, ("land_gate", 0, 0)) == ["done"]
    assert small.world.nations["land_gate"].tolist() == [0, 1, 1]
    assert small.world.relations["land_gate"][0].tolist() == [-1, 0, 1]  # settings of their own stay
    assert give(small, ("land_gate", 2, 1), ("land_gate", -1, 1), ("land_gate", 1, 3)) == [
        "bad_amount", "bad_amount", "bad_target",
    ]  # fmt: skip


@pytest.mark.rule("CMD-017", "SUP-017")
def test_supply_contracts_are_forbidden_by_item_and_partner() -> None:
    small = three()
    steel, food = item.STEEL, item.FOOD
    assert (
        give(small, ("supply_policy", 70, 1), ("supply_policy", 80, 1), ("supply_policy", 71, 1))
        == ["done"] * 3
    )
    assert small.world.relations["no_supply"][0].tolist() == [0, 1 << food, 0]
    assert give(small, ("supply_policy", 70, 0)) == ["done"]  # the own nation names all others
    assert small.world.relations["no_supply"][0].tolist() == [0, 1 << steel | 1 << food, 1 << steel]
    assert give(small, ("supply_policy", 90, 2)) == ["done"]  # all items
    assert small.world.relations["no_supply"][0].tolist() == [0, 1 << steel | 1 << food, ALL_ITEMS]
    assert give(small, ("supply_policy", 91, 1)) == ["done"]
    assert small.world.relations["no_supply"][0].tolist() == [0, 0, ALL_ITEMS]
    assert give(small, ("supply_policy", 1, 2)) == ["done"]  # wood, item 0
    assert small.world.relations["no_supply"][0].tolist() == [0, 0, ALL_ITEMS - 1]
    assert give(small, ("supply_policy", 91, 0)) == ["done"]
    assert not small.world.relations["no_supply"].any()


@pytest.mark.rule("CMD-005", "CMD-017")
@pytest.mark.parametrize(
    ("amount", "target", "why"),
    [(2, 1, "bad_amount"), (79, 1, "bad_amount"), (100, 1, "bad_amount"), (-1, 1, "bad_amount"),
     (0, 3, "bad_target"), (0, -1, "bad_target")],
)  # fmt: skip
def test_a_supply_policy_that_makes_no_sense_is_refused(amount: int, target: int, why: str) -> None:
    small = three()
    assert give(small, ("supply_policy", amount, target)) == [why]
    assert not small.world.relations["no_supply"].any()


@pytest.mark.rule("CMD-016", "CMD-049")
def test_settings_of_trade_cost_nothing_and_take_no_turn() -> None:
    small = three()
    small.nation(0, funds=7)
    orders = [("supply_policy", 70, 1), ("land_gate", 0, 1), ("port_policy", 1, 1), ("tariff_and_fee", 9, 1)]
    orders += [
        ("embargo", 1, 1),
        ("export_cap", 700015, 0),
        ("buyback_target", 700020, 0),
        ("fundraise", 0, 0),
    ]
    assert give(small, *orders) == ["done"] * 8
    assert small.nation(0).funds == 7 + 10  # the fundraise is the one that takes the turn
    assert small.nation(0).export_cap["steel"] == 15
    assert small.nation(0).buyback["steel"] == 20


@pytest.mark.rule("LIMIT-016", "MER-064")
def test_an_amity_treaty_opens_ports_for_friends() -> None:
    small = three()
    small.nation(1, port_policy="friends")
    assert not partners.by_sea(small.world, 0, 1)
    for offers, accepts in ((0, 1), (1, 0)):
        small.order(offers, "amity", target=accepts)
        small.phase("plans")
        small.phase("commit")
    assert partners.by_sea(small.world, 0, 1)
    small.order(0, "amity", target=1, amount=1)
    small.phase("plans")
    assert not partners.by_sea(small.world, 0, 1)


@pytest.mark.rule("TURN-006", "MER-013", "MER-011", "MER-067", "LIMIT-012")
def test_what_is_counted_by_turn_begins_anew() -> None:
    small = three()
    world = small.world
    world.relations["land_used"][0, 1] = world.relations["land_used"][1, 0] = 64
    small.cell(2, 2, terrain="port", owner=0, level=1)
    world.harbours["cell"][0], world.harbours["handled"][0] = small.place(2, 2), 256
    for name in ("detours", "rescues", "estimates"):
        world.clock[name] = 4
    world.nations["aid_sent"] = 7
    small.phase("turn_state")
    assert not world.relations["land_used"].any()
    assert not world.harbours["handled"].any()
    assert [int(world.clock[0][name]) for name in ("detours", "rescues", "estimates")] == [0, 0, 0]
    assert not world.nations["aid_sent"].any()


@pytest.mark.rule("TURN-071")
def test_an_offer_of_exchange_lapses_after_its_last_turn() -> None:
    small = three()
    side = small.world.relations[0, 1]
    for name in ("swap_given", "swap_wanted", "swap_give", "swap_want"):
        side[name] = 3
    side["swap_until"] = small.turn
    small.phase("turn_state")
    assert side["swap_until"] == small.turn
    small.phase("clock")
    small.phase("turn_state")
    names = ("swap_until", "swap_given", "swap_wanted", "swap_give", "swap_want")
    assert [int(side[name]) for name in names] == [0] * 5
