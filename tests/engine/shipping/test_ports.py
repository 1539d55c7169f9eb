"""Cargo handling at ports: allowance, order, what follows for the ship (MKT-005 .. MKT-016, MER-077)."""

from typing import Any

import pytest

from hakoenv.engine.codes import job
from hakoenv.testing import SmallWorld

PASSES = ("port_handling_1", "port_handling_2", "port_handling_3")


def strait(**rules: Any) -> SmallWorld:
    """Nation 0 has a port in the west at (2, 4), nation 1 one in the east at (9, 4)."""
    w = SmallWorld(9, 12, 3, turn=40, rules=rules)
    for nation, town, port in ((0, 1, 2), (1, 10, 9)):
        w.cell(town, 4, terrain="town", owner=nation, population=50, capital=True)
        w.cell(port, 4, terrain="port", owner=nation, level=1)
    return w


def sold(quantity: int, what: str = "steel", **given: Any) -> dict[str, Any]:
    """Private goods of nation 1 for nation 0 at 20 and a tariff of 1 a unit."""
    plain = {
        "item": what,
        "quantity": quantity,
        "kind": "trade",
        "from": 1,
        "to": 0,
        "price": 20,
        "tariff": 1,
    }
    return {**plain, **given}


def at_west(w: SmallWorld, kind: str, x: int = 3, y: int = 4, **given: Any) -> Any:
    """A ship of nation 1 beside the western port."""
    plain = {"home": [9, 4], "job": "unloading", "destination": [2, 4], "arrived": 39}
    return w.ship(1, kind, x, y, **{**plain, **given})


def new_turn(w: SmallWorld) -> None:
    w.world.clock[0]["turn"] += 1
    w.phase("turn_state")


def handled(w: SmallWorld) -> int:
    return int(w.world.harbours[w.world.harbours["cell"] == w.place(2, 4)]["handled"][0])


# ---------------------------------------------------------------- how much


@pytest.mark.rule("MKT-005", "MER-011", "NAVY-031", "MER-012", "MKT-014", "MKT-015", "TURN-045")
def test_the_example_600_containers_at_a_normal_port() -> None:
    """256 in the first turn, whatever the pass, 256 in the next, 88 in the third; then 168 are left."""
    w = strait()
    ship = at_west(w, "large_merchant", cargo=[sold(600)])
    left = []
    for _ in range(3):
        for phase in PASSES:
            w.phase(phase)
        left.append((w.nation(0).private_steel, ship.cargo.get("steel", 0)))
        if left[-1][1]:
            new_turn(w)
    assert left == [(256, 344), (512, 88), (600, 0)]
    assert 256 - handled(w) == 168


@pytest.mark.rule("MKT-006", "MKT-008", "MER-011", "NAVY-031")
@pytest.mark.parametrize(("level", "taken"), [(1, 256), (2, 1024), (3, 1024)])
def test_a_port_of_level_2_or_more_is_a_large_one(level: int, taken: int) -> None:
    w = strait()
    w.cell(2, 4, level=level)
    at_west(w, "large_merchant", cargo=[sold(1024)])
    w.phase(PASSES[0])
    assert w.nation(0).private_steel == taken


@pytest.mark.rule("MKT-006", "NAVY-031")
def test_a_large_port_handles_2048_and_no_more() -> None:
    w = strait()
    w.cell(2, 4, level=2)
    for y, ship_x in ((3, 2), (4, 3), (5, 2)):
        at_west(w, "large_merchant", ship_x, y, cargo=[sold(1024)])
    w.phase(PASSES[0])
    assert w.nation(0).private_steel == 2048


@pytest.mark.rule("MKT-007", "MER-011", "NAVY-031", "TURN-021", "TURN-023", "TURN-026")
def test_loading_and_unloading_share_the_allowance_in_all_three_passes() -> None:
    """200 are unloaded in the first pass; of 100 that come in the second 56 are loaded, none in the third."""
    w = strait()
    at_west(w, "large_merchant", cargo=[sold(200)])
    w.phase(PASSES[0])
    goods = sold(100, "goods", **{"from": 0, "to": 1})
    mine = w.ship(0, "merchant", 2, 3, home=[2, 4], job="loading", destination=[9, 4], to_load=[goods])
    w.phase(PASSES[1])
    assert (mine.cargo, mine.to_load) == ({"goods": 56}, {"goods": 44})
    w.phase(PASSES[2])
    assert mine.cargo == {"goods": 56} and handled(w) == 256
    new_turn(w)
    w.phase(PASSES[0])
    assert mine.cargo == {"goods": 100} and handled(w) == 44


@pytest.mark.rule("MER-007", "MKT-005")
def test_a_part_of_a_container_counts_as_one() -> None:
    """253 containers are used up: 3 are left. 5 wood fill 2, then one is left for 4 of 9 fuel."""
    w = strait()
    w.cell(2, 4, handled=253)
    ship = at_west(w, "merchant", cargo=[sold(5, "wood"), sold(9, "fuel")])
    w.phase(PASSES[0])
    assert (w.nation(0).private_wood, w.nation(0).private_fuel) == (5, 4)
    assert ship.cargo == {"fuel": 5} and handled(w) == 256


@pytest.mark.rule("MER-008", "MKT-014")
def test_money_is_handled_at_a_port_without_allowance_left() -> None:
    w = strait()
    w.cell(2, 4, handled=256)
    aid = {"item": "funds", "quantity": 900, "kind": "aid", "from": 1, "to": 0}
    ship = at_west(w, "merchant", cargo=[aid, sold(10)])
    w.phase(PASSES[0])
    assert w.nation(0).funds == 900
    assert ship.cargo == {"steel": 10}


# ---------------------------------------------------------------- who


@pytest.mark.rule("MKT-016")
@pytest.mark.parametrize(
    ("first", "second", "taken"), [(10, 11, (200, 56)), (11, 10, (56, 200)), (10, 10, (200, 56))]
)
def test_ships_are_served_by_arrival_then_by_number(first: int, second: int, taken: tuple[int, int]) -> None:
    w = strait()
    ships = [
        at_west(w, "large_merchant", 3, 4, arrived=first, cargo=[sold(200)]),
        at_west(w, "large_merchant", 2, 3, arrived=second, cargo=[sold(200)]),
    ]
    w.phase(PASSES[0])
    assert tuple(200 - ship.cargo.get("steel", 0) for ship in ships) == taken


@pytest.mark.rule("MER-031", "NAVY-082")
@pytest.mark.parametrize(("x", "taken"), [(3, 30), (4, 0)])
def test_only_beside_the_port_goods_come_ashore(x: int, taken: int) -> None:
    w = strait()
    at_west(w, "merchant", x, cargo=[sold(30)])
    w.phase(PASSES[0])
    assert w.nation(0).private_steel == taken


@pytest.mark.rule("MER-031", "NAVY-082")
@pytest.mark.parametrize(("x", "taken"), [(3, {"goods": 20}), (4, {})])
def test_only_beside_the_port_goods_come_aboard(x: int, taken: dict[str, int]) -> None:
    w = strait()
    goods = sold(20, "goods", **{"from": 0, "to": 1})
    ship = w.ship(0, "merchant", x, 4, home=[2, 4], job="loading", destination=[9, 4], to_load=[goods])
    w.phase(PASSES[0])
    assert ship.cargo == taken


@pytest.mark.rule("MER-077", "MKT-014")
def test_goods_are_not_landed_at_a_port_that_is_no_longer_their_buyers() -> None:
    w = strait()
    ship = at_west(w, "merchant", cargo=[sold(30)])
    w.cell(2, 4, owner=2)
    w.phase(PASSES[0])
    assert ship.cargo == {"steel": 30} and w.nation(0).private_steel == 0


# ---------------------------------------------------------------- what follows for the ship


@pytest.mark.rule("MER-077", "NAVY-055", "TURN-045")
def test_a_ship_sails_when_all_is_aboard_and_is_marked_as_having_handled() -> None:
    w = strait()
    w.cell(2, 4, handled=200)
    goods = sold(100, "goods", **{"from": 0, "to": 1})
    ship = w.ship(0, "merchant", 3, 4, home=[2, 4], job="loading", destination=[9, 4], to_load=[goods])
    w.phase(PASSES[0])
    assert ship.job == "loading" and w.world.jobs[0]["handled"] == 40
    new_turn(w)
    w.phase(PASSES[1])
    assert ship.job == "sailing" and ship.destination == [9, 4] and w.world.jobs[0]["handled"] == 41


@pytest.mark.rule("NAVY-055", "MKT-014")
def test_a_ship_that_found_nothing_to_handle_is_not_marked() -> None:
    w = strait()
    w.cell(2, 4, handled=256)
    at_west(w, "merchant", cargo=[sold(10)])
    w.phase(PASSES[0])
    assert w.world.jobs[0]["handled"] == 0


@pytest.mark.rule("MER-077")
def test_an_empty_ship_goes_home_and_remembers_where_it_unloaded() -> None:
    w = strait()
    ship = at_west(w, "merchant", cargo=[sold(10)])
    w.phase(PASSES[2])
    assert (ship.job, ship.destination, ship.last_unload) == ("returning", [9, 4], [2, 4])


@pytest.mark.rule("MER-077", "MER-073")
def test_goods_on_their_way_back_are_landed_at_home_and_the_ship_is_idle() -> None:
    w = strait()
    own = [{"item": "steel", "quantity": 10, "kind": "own"}]
    ship = w.ship(1, "merchant", 8, 4, home=[9, 4], job="returning", destination=[9, 4], cargo=own)
    w.phase(PASSES[0])
    assert w.nation(1).private_steel == 10
    assert (ship.job, ship.destination) == ("idle", None)


@pytest.mark.rule("MER-077", "FISH-006")
def test_cargo_ships_come_before_fishing_boats_of_the_pass() -> None:
    """The merchant's 5 steel come first, then what is left for the earlier boat: 0 or 4 containers."""
    for left, food in ((5, 0), (9, 16)):
        w = strait()
        w.cell(2, 4, handled=256 - left)
        fish = {"item": "food", "quantity": 40, "kind": "own"}
        w.ship(0, "fishing_boat", 2, 3, home=[2, 4], job="returning", arrived=30, cargo=[fish])
        at_west(w, "merchant", arrived=39, cargo=[sold(5)])
        w.phase(PASSES[0])
        assert (w.nation(0).private_steel, w.nation(0).private_food) == (5, food)


@pytest.mark.rule("TURN-045", "MER-012")
def test_whose_goods_they_are_does_not_change_while_they_wait() -> None:
    """Half of 512 is ashore: it is the buyer's and paid, the rest the seller's; all is accounted for."""
    w = strait()
    w.phase("accounts_open")
    ship = at_west(w, "large_merchant", cargo=[sold(512)])
    w.phase(PASSES[0])
    assert (w.nation(0).private_steel, ship.cargo) == (256, {"steel": 256})
    assert w.nation(1).private_funds == 256 * 20
    assert int(w.world.parcels[0]["source"]) == 1 and w.world.jobs[0]["job"] == job.UNLOADING
    w.phase("accounts_close")
    assert w.world.clock[0]["discrepancies"] == 0
