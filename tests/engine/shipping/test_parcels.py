"""Goods in no stock as records: containers, capacities, parts of a cargo (MER-006 .. MER-010)."""

import pytest

from hakoenv.engine.codes import item, parcel
from hakoenv.engine.shipping import parcels
from hakoenv.testing import SmallWorld


@pytest.mark.rule("MER-007", "NAVY-029")
def test_containers_are_rounded_up_item_by_item() -> None:
    """Wood 4 to a container: ceil(11 / 4) = 3; 1 wood and 1 steel (1 each) take one each."""
    rules = SmallWorld(3, 3, 1).rules
    assert parcels.containers(rules, item.WOOD, 11) == 3
    assert parcels.containers(rules, item.WOOD, 12) == 3
    assert parcels.containers(rules, item.WOOD, 1) + parcels.containers(rules, item.STEEL, 1) == 2
    assert parcels.containers(rules, item.WOOD, 0) == 0
    rules = SmallWorld(3, 3, 1, rules={"resources.fuel.units_per_container": 3}).rules
    assert parcels.containers(rules, item.FUEL, 10) == 4


@pytest.mark.rule("MER-008")
def test_units_of_a_container_and_money_that_needs_none() -> None:
    """The rule's example: ceil(10 / 4) + ceil(3 / 2) = 5; 128 containers hold 512 fuel or 128 steel."""
    rules = SmallWorld(3, 3, 1).rules
    assert parcels.containers(rules, item.FUEL, 10) + parcels.containers(rules, item.AMMO, 3) == 5
    assert (parcels.units_in(rules, item.FUEL, 128), parcels.units_in(rules, item.STEEL, 128)) == (512, 128)
    assert [parcels.units_in(rules, what, 1) for what in range(item.FUNDS)] == [4, 2, 2, 4, 4, 1, 2, 1, 4]
    assert parcels.containers(rules, item.FUNDS, 5000) == 0


@pytest.mark.rule("MER-007")
def test_entries_of_a_ship_are_rounded_up_each_for_itself() -> None:
    """5 fuel at one price and 5 at another: 2 + 2 containers are handled, though 10 fuel would fill 3."""
    w = SmallWorld(9, 9, 2)
    w.cell(5, 4, terrain="port", owner=1, level=1)
    sold = {"item": "fuel", "quantity": 5, "kind": "trade", "from": 0, "to": 1, "tariff": 0}
    cargo = [{**sold, "price": price} for price in (1, 2)]
    w.ship(0, "merchant", 4, 4, job="unloading", destination=[5, 4], cargo=cargo)
    w.phase("port_handling_1")
    assert w.nation(1).private_fuel == 10 and w.cell(5, 4).handled == 4


@pytest.mark.rule("MER-006", "NAVY-030", "MER-010")
@pytest.mark.parametrize(
    ("kind", "level", "trade", "of_nations"),
    [
        ("merchant", 0, 128, 128),
        ("merchant", 1, 131, 128),  # floor(131.84)
        ("merchant", 5, 147, 128),  # floor(147.2)
        ("large_merchant", 0, 1024, 1024),
        ("large_merchant", 5, 1177, 1024),  # floor(1177.6)
    ],
)
def test_capacity_grows_with_research_but_not_for_goods_of_nations(
    kind: str, level: int, trade: int, of_nations: int
) -> None:
    w = SmallWorld(9, 9, 1)
    w.nation(0, shipping=level)
    w.ship(0, kind, 4, 4)
    assert parcels.capacity(w.world, w.rules, 0, False) == trade
    assert parcels.capacity(w.world, w.rules, 0, True) == of_nations


def goods_ashore(w: SmallWorld, quantity: int, ship: int) -> int:
    return int(parcels.put(w.world, parcel.TRADE, item.STEEL, quantity, 0, 1, ship, 40))


@pytest.mark.rule("MER-012")
def test_parts_that_come_aboard_one_after_another_are_one_entry() -> None:
    w = SmallWorld(9, 9, 2)
    p = goods_ashore(w, 100, 3)
    goods_ashore(w, 10, 4)  # another ship's: stays apart
    assert [parcels.bring_aboard(w.world, p, quantity) for quantity in (30, 50, 20)] == [30, 50, 20]
    held = [(int(q["quantity"]), int(q["state"]), int(q["port"])) for q in w.world.parcels if q["state"]]
    assert sorted(held) == [(10, parcel.ASHORE, 40), (100, parcel.ABOARD, -1)]


@pytest.mark.rule("MER-012")
def test_with_the_list_full_a_part_stays_ashore_and_the_whole_still_comes_aboard() -> None:
    w = SmallWorld(9, 9, 2)
    places = [goods_ashore(w, 10, 3 + k) for k in range(len(w.world.parcels))]
    assert min(places) >= 0 and goods_ashore(w, 1, 3) == -1
    assert parcels.bring_aboard(w.world, places[0], 4) == 0
    assert parcels.bring_aboard(w.world, places[0], 10) == 10
    assert int(w.world.parcels["quantity"].sum()) == 10 * len(places)


def test_a_freed_place_is_empty_and_the_list_as_short_as_it_can_be() -> None:
    w = SmallWorld(9, 9, 2)
    places = [goods_ashore(w, 10, 3) for _ in range(3)]
    parcels.free(w.world, places[1])
    assert w.world.clock[0]["parcels"] == 3
    parcels.take(w.world, places[2], 10)
    assert w.world.clock[0]["parcels"] == 1
    assert not w.world.parcels[1:].tobytes().strip(b"\0")
