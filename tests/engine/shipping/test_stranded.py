"""Ships without a way home: where they go, and what they leave in bond (MER-044 .. MER-050, MER-080).

Two seas are parted by a wall of land in column 7. Nation 0's port (1, 4) lies in the western one; ships that
are at home there lie in the eastern one.
"""

from __future__ import annotations

from typing import Any

import pytest

from hakoenv.engine.codes import cause, item, parcel, terrain
from hakoenv.testing import SmallWorld

WALL = 7
TRADE = [{"item": "steel", "quantity": 40, "kind": "trade", "from": 0, "to": 1, "price": 20, "tariff": 1}]


def seas(turn: int = 105, width: int = 20, nations: int = 3, **rules: Any) -> SmallWorld:
    """The two seas with the home port, and fuel for all."""
    w = SmallWorld(9, width, nations, turn=turn, rules=rules)
    w.world.cells["terrain"][:, WALL] = terrain.PLAINS
    w.cell(1, 4, terrain="port", owner=0)
    for n in range(nations):
        w.nation(n, private_fuel=50)
    return w


def port(w: SmallWorld, x: int, y: int, owner: int = 0) -> None:
    w.cell(x, y, terrain="port", owner=owner)


def ship(w: SmallWorld, x: int, y: int = 4, kind: str = "merchant", **given: Any) -> int:
    """A ship of nation 0 that wants to go home; its index."""
    usual = {"home": [1, 4], "job": "returning", "destination": [1, 4]}
    w.ship(0, kind, x, y, **{**usual, **given})
    return int(w.world.cells["ship"][y, x])


def opens(w: SmallWorld, turn: int | None = None) -> None:
    """Let the term of private ships open, in a turn if one is given."""
    if turn is not None:
        w.world.clock["turn"] = turn
    w.world.clock["rescues"] = w.world.clock["detours"] = 0
    w.world.harbours["handled"] = 0
    w.phase("shipping_open")


def plays(w: SmallWorld, turn: int) -> None:
    """The parts of a turn that this is about."""
    opens(w, turn)
    for phase in ("ordinary_ships", "port_handling_3"):
        w.phase(phase)


def strayed(w: SmallWorld, k: int = 0) -> int:
    return int(w.world.jobs[k]["strayed"])


def bonded(w: SmallWorld) -> list[tuple[int, int, int, int]]:
    """What lies in bond: port, owner, item, quantity."""
    found = w.world.parcels[w.world.parcels["state"] == parcel.BONDED]
    return [(int(p["port"]), int(p["receiver"]), int(p["what"]), int(p["quantity"])) for p in found]


# ---------------------------------------------------------------- since when


@pytest.mark.rule("MER-044", "TURN-016")
def test_from_the_sixth_turn_without_a_way_on_it_looks_for_another_port() -> None:
    """The way home last existed on turn 100: nothing until 105; on 106 it makes for its port nearby."""
    w = seas(turn=100)
    port(w, 12, 4)
    ship(w, 10)
    for turn in range(101, 106):
        opens(w, turn)
        assert strayed(w) == 100
        assert w.record("ship", 0).destination == [1, 4]
        assert w.world.clock[0]["rescues"] == 0
    opens(w, 106)
    assert w.record("ship", 0).destination == [12, 4]
    assert w.world.clock[0]["rescues"] == 1


@pytest.mark.rule("MER-044")
def test_with_a_way_home_again_the_count_starts_anew() -> None:
    w = seas()
    port(w, 12, 4)
    ship(w, 10, no_route_since=100)
    w.world.cells["terrain"][4, WALL] = terrain.SEA
    opens(w, 106)
    assert strayed(w) == 0
    assert w.record("ship", 0).destination == [1, 4]


@pytest.mark.rule("MER-044", "MER-067")
def test_a_home_without_a_chart_yet_tells_nothing() -> None:
    w = seas(**{"merchant.distance_fields_per_turn": 0})
    ship(w, 10)
    opens(w, 106)
    assert strayed(w) == 0


@pytest.mark.rule("MER-044", "MER-025")
def test_so_does_a_way_that_nobody_can_go() -> None:
    """In a canal an enemy bars it: the chart knows a way, but the ship finds none from turn 100 on."""
    w = SmallWorld(3, 14, 2, turn=99)
    w.world.cells["terrain"][[0, 2]] = terrain.PLAINS
    port(w, 0, 1)
    port(w, 11, 0)
    w.nation(0, private_fuel=5)
    w.relation(0, 1, state="pending")
    w.ship(0, "merchant", 10, 1, home=[0, 1], job="returning", destination=[0, 1])
    w.ship(1, "destroyer", 8, 1)
    for turn in range(100, 106):
        opens(w, turn)
        assert strayed(w) == (0 if turn == 100 else 100)
        w.phase("ordinary_ships")
        assert (w.record("ship", 0).x, w.record("ship", 0).destination) == (9, [0, 1])
    opens(w, 106)
    assert w.record("ship", 0).destination == [11, 0]


# ---------------------------------------------------------------- empty ships


@pytest.mark.rule("MER-044")
@pytest.mark.parametrize(("x", "found"), [(11, True), (12, True), (13, False)])
def test_an_own_port_within_two_cells_becomes_the_temporary_home(x: int, found: bool) -> None:
    """From (10, 4); when it has arrived there it is idle."""
    w = seas()
    port(w, x, 4)
    ship(w, 10, no_route_since=100)
    opens(w, 106)
    w.phase("ordinary_ships")
    entry = w.record("ship", 0)
    assert (entry.job, entry.temp_home) == (("idle", [x, 4]) if found else ("returning", None))
    assert entry.home == [1, 4]


@pytest.mark.rule("MER-044")
def test_only_on_arrival_it_is_its_temporary_home() -> None:
    w = seas()
    port(w, 12, 4)
    ship(w, 10, no_route_since=100)
    opens(w, 106)
    assert (w.record("ship", 0).temp_home, w.record("ship", 0).job) == (None, "returning")


@pytest.mark.rule("MER-044")
def test_the_nearest_first_of_equals_the_lowest_and_own_ones_only() -> None:
    """Nation 1's port (9, 4) is beside it; own ones at (12, 4), (11, 6) and (9, 6) are two away."""
    w = seas()
    port(w, 9, 4, owner=1)
    for x, y in ((12, 4), (11, 6), (9, 6)):
        port(w, x, y)
    ship(w, 10, no_route_since=100)
    opens(w, 106)
    assert w.record("ship", 0).destination == [12, 4]
    w = seas()
    port(w, 12, 4)
    port(w, 10, 5)
    ship(w, 10, no_route_since=100)
    opens(w, 106)
    assert w.record("ship", 0).temp_home == [10, 5]  # it lies beside it


@pytest.mark.rule("MER-044")
@pytest.mark.parametrize(("taken", "found"), [(True, False), (False, True)])
def test_a_port_without_a_free_berth_is_not_free(taken: bool, found: bool) -> None:
    """Of (12, 4) only the berth (12, 5) is water; a way leads there over row 6."""
    w = seas()
    port(w, 12, 4)
    for x, y in ((11, 3), (12, 3), (11, 4), (13, 4), (11, 5)):
        w.cell(x, y, terrain="plains")
    ship(w, 12, 6, no_route_since=100)
    if taken:
        w.ship(1, "destroyer", 12, 5)
    opens(w, 106)
    assert (w.record("ship", 0).destination == [12, 4]) == found


@pytest.mark.rule("MER-045")
def test_else_the_port_where_it_last_unloaded() -> None:
    """It is nation 1's and lets it in; the ship sails there, and is idle there."""
    w = seas()
    port(w, 16, 4, owner=1)
    ship(w, 10, no_route_since=100, last_unload=[16, 4])
    opens(w, 106)
    assert w.record("ship", 0).destination == [16, 4]
    w.phase("ordinary_ships")
    assert (w.record("ship", 0).job, w.record("ship", 0).temp_home) == ("idle", [16, 4])


@pytest.mark.rule("MER-045", "MER-044")
def test_an_own_port_nearby_comes_before_that() -> None:
    w = seas()
    port(w, 16, 4, owner=1)
    port(w, 12, 4)
    ship(w, 10, no_route_since=100, last_unload=[16, 4])
    opens(w, 106)
    assert w.record("ship", 0).destination == [12, 4]


@pytest.mark.rule("MER-045", "MER-049", "MER-050")
def test_one_that_never_unloaded_stays_and_searches_again_after_six_turns() -> None:
    w = seas()
    ship(w, 10, no_route_since=100)
    searches = []
    for turn in range(106, 120):
        plays(w, turn)
        if w.world.clock[0]["rescues"]:
            searches.append(turn)
    assert searches == [106, 112, 118]
    assert (w.record("ship", 0).x, w.record("ship", 0).y) == (10, 4)
    port(w, 12, 4)
    plays(w, 123)
    assert w.record("ship", 0).temp_home is None
    plays(w, 124)
    assert w.record("ship", 0).temp_home == [12, 4]


# ---------------------------------------------------------------- laden ships


@pytest.mark.rule("MER-046", "MER-048", "MER-073")
def test_a_laden_ship_leaves_its_goods_in_a_port_nearby() -> None:
    """The deal is off: 40 x 21 funds go back to nation 1; the steel stays nation 0's, in bond at (12, 4)."""
    w = seas()
    port(w, 12, 4, owner=1)
    ship(w, 10, no_route_since=100, cargo=TRADE, job="sailing", destination=[4, 4])
    plays(w, 106)
    entry = w.record("ship", 0)
    assert (entry.job, entry.temp_home, entry.cargo) == ("idle", [12, 4], {})
    assert bonded(w) == [(w.place(12, 4), 0, item.STEEL, 40)]
    assert w.nation(1).private_funds == 840
    assert w.nation(0).private_steel == 0
    assert entry.last_unload == [12, 4]


@pytest.mark.rule("MER-046")
def test_a_ship_beside_the_port_leaves_them_at_once() -> None:
    w = seas()
    port(w, 11, 4, owner=1)
    ship(w, 10, no_route_since=100, cargo=TRADE, job="sailing", destination=[4, 4])
    opens(w, 106)
    assert bonded(w) == [(w.place(11, 4), 0, item.STEEL, 40)]
    assert w.record("ship", 0).temp_home == [11, 4]


@pytest.mark.rule("MER-046", "MER-064")
@pytest.mark.parametrize(
    ("closed", "found"),
    [({}, 12), ({"state": "war"}, 9), ({"state": "pending"}, 9), ({"embargo": [2]}, 9), ({"embargo": [0]}, 9),
     ({"port_policy": {2: "closed"}}, 9), ({"port_policy": {2: "friends"}}, 9),
     ({"port_policy": {2: "friends"}, "state": "amity"}, 12), ({"port_policy": {0: "closed"}}, 12)],
)  # fmt: skip
def test_in_which_ports_it_may(closed: dict[str, Any], found: int) -> None:
    """Nation 2's port (12, 4) is one cell away, nation 1's (9, 4) two; only the owner's policy is asked."""
    w = seas()
    port(w, 12, 4, owner=2)
    port(w, 9, 4, owner=1)
    w.relation(0, 2, **closed)
    ship(w, 11, no_route_since=100, cargo=TRADE)
    opens(w, 106)
    plays(w, 107)
    assert w.record("ship", 0).temp_home == [found, 4]


@pytest.mark.rule("MER-046", "MER-044")
def test_an_own_port_is_among_them_and_the_nearest_counts() -> None:
    w = seas()
    port(w, 12, 4)
    port(w, 9, 4, owner=1)
    ship(w, 11, no_route_since=100, cargo=TRADE)
    opens(w, 106)
    assert bonded(w) == [(w.place(12, 4), 0, item.STEEL, 40)]
    assert w.record("ship", 0).temp_home == [12, 4]


@pytest.mark.rule("MER-047")
def test_else_it_sails_to_the_nearest_reachable_one_by_route() -> None:
    """(13, 4) is three cells off but on a lake; (15, 1) is nation 2's and closed; (17, 4) lets it in."""
    w = seas()
    for x, y in ((12, 3), (13, 3), (12, 4), (14, 4), (12, 5), (13, 5)):
        w.cell(x, y, terrain="plains")
    port(w, 13, 4, owner=1)
    port(w, 15, 1, owner=2)
    w.nation(2, port_policy="closed")
    port(w, 17, 4, owner=1)
    ship(w, 10, no_route_since=100, cargo=TRADE)
    plays(w, 106)
    assert w.record("ship", 0).destination == [17, 4] and bonded(w) == []
    for turn in (107, 108):
        plays(w, turn)
    assert bonded(w) == [(w.place(17, 4), 0, item.STEEL, 40)]
    assert (w.record("ship", 0).job, w.record("ship", 0).temp_home) == ("idle", [17, 4])


@pytest.mark.rule("MER-047")
def test_of_two_at_sea_that_with_the_shorter_way_is_nearer() -> None:
    """(13, 4) is nearer straight; a bar in column 12 makes its way longer than that to (10, 8)."""
    w = seas()
    for y in range(1, 9):
        w.cell(12, y, terrain="plains")
    port(w, 13, 6, owner=1)
    port(w, 10, 8, owner=1)
    ship(w, 10, 4, no_route_since=100, cargo=TRADE)
    opens(w, 106)
    assert w.record("ship", 0).destination == [10, 8]


@pytest.mark.rule("MER-046", "MER-011", "MER-012", "MER-018", "MKT-014")
def test_leaving_goods_is_unloading_within_what_the_port_handles() -> None:
    """256 containers a turn: 400 steel take two turns, in which the ship stays; then it is idle there."""
    goods = [{"item": "steel", "quantity": 400, "kind": "own"}]
    w = seas()
    port(w, 11, 4, owner=1)
    ship(w, 10, kind="large_merchant", no_route_since=100, cargo=goods)
    plays(w, 106)
    assert bonded(w) == [(w.place(11, 4), 0, item.STEEL, 256)]
    assert (w.record("ship", 0).job, w.record("ship", 0).temp_home) == ("returning", None)
    assert w.world.jobs[0]["handled"] == 106
    plays(w, 107)
    assert sum(entry[3] for entry in bonded(w)) == 400
    assert (w.record("ship", 0).job, w.record("ship", 0).temp_home) == ("idle", [11, 4])


@pytest.mark.rule("MER-046", "MKT-009")
def test_bonded_storage_may_be_full() -> None:
    w = seas(**{"port.bonded_cap": 30})
    port(w, 11, 4, owner=1)
    ship(w, 10, no_route_since=100, cargo=TRADE)
    opens(w, 106)
    assert bonded(w) == [(w.place(11, 4), 0, item.STEEL, 30)]
    assert w.record("ship", 0).cargo == {"steel": 10}


@pytest.mark.rule("FISH-002", "FISH-006", "MER-046")
def test_fish_is_own_cargo() -> None:
    w = seas()
    port(w, 11, 4, owner=1)
    ship(w, 10, kind="fishing_boat", no_route_since=100, cargo={"food": 9})
    opens(w, 106)
    assert bonded(w) == [(w.place(11, 4), 0, item.FOOD, 9)]


@pytest.mark.rule("MER-046", "MER-078")
def test_a_nations_goods_in_bond_stay_part_of_their_transport_and_return_to_it() -> None:
    w = seas()
    port(w, 11, 4, owner=1)
    aid = [{"item": "steel", "quantity": 40, "kind": "aid", "from": 0, "to": 1}]
    ship(w, 10, no_route_since=100, cargo=aid)
    opens(w, 106)
    held = w.world.parcels[w.world.parcels["state"] == parcel.BONDED]
    assert [(int(p["kind"]), int(p["quantity"])) for p in held] == [(parcel.AID, 40)]
    assert held["deal"][0] >= 0
    opens(w, 112)
    assert bonded(w) == [] and w.nation(0).steel == 40


@pytest.mark.rule("MER-080", "MER-044")
def test_work_that_it_can_go_on_with_goes_on() -> None:
    """Without a way home for long, but with one to where its goods go: they are unloaded there."""
    w = seas()
    port(w, 12, 4)
    port(w, 17, 4, owner=1)
    ship(w, 10, no_route_since=90, cargo=TRADE, job="sailing", destination=[17, 4])
    plays(w, 106)
    assert (w.record("ship", 0).x, w.record("ship", 0).last_unload) == (16, [17, 4])
    assert w.nation(1).private_steel == 40


@pytest.mark.rule("MER-073")
def test_after_six_turns_without_a_way_to_its_goal_the_trade_is_off() -> None:
    """Its home is near, its goal in the other sea: it waits on turns 101 to 106 and takes the goods home."""
    w = seas(turn=100)
    port(w, 12, 4, owner=1)
    ship(w, 4, cargo=TRADE, job="sailing", destination=[12, 4])
    for turn in range(101, 107):
        opens(w, turn)
        assert w.record("ship", 0).job == "sailing"
        w.phase("ordinary_ships")
    opens(w, 107)
    assert (w.record("ship", 0).job, w.record("ship", 0).destination) == ("returning", [1, 4])
    assert w.nation(1).private_funds == 840
    w.phase("ordinary_ships")
    w.phase("port_handling_3")
    assert w.nation(0).private_steel == 40


@pytest.mark.rule("MER-073", "MER-077")
def test_so_are_goods_that_a_ship_can_not_come_to_load() -> None:
    """They lie in the other sea's port (12, 4) and are in their owner's stock again."""
    w = seas(turn=100)
    port(w, 12, 4)
    port(w, 17, 4, owner=1)
    ship(w, 11, job="loading", destination=[17, 4], to_load=TRADE)
    w.world.cells["ship"][4, 11], w.world.cells["ship"][4, 4] = -1, 0
    w.world.ships[0]["cell"] = w.place(4, 4)
    for turn in range(101, 107):
        opens(w, turn)
        w.phase("ordinary_ships")
    assert w.record("ship", 0).to_load == {"steel": 40}
    opens(w, 107)
    assert w.record("ship", 0).to_load == {} and w.nation(0).private_steel == 40
    assert w.record("ship", 0).destination == [1, 4]


# ---------------------------------------------------------------- goods in bond


@pytest.mark.rule("MER-048", "MKT-018", "MKT-019")
def test_goods_in_bond_return_to_the_private_stock_after_six_turns() -> None:
    """Left on 200, there until 205; on 206 in stock, booked as returned."""
    w = seas(turn=200)
    port(w, 11, 4, owner=1)
    ship(w, 10, no_route_since=190, cargo=TRADE)
    opens(w, 200)
    for turn in range(201, 206):
        opens(w, turn)
        assert bonded(w) == [(w.place(11, 4), 0, item.STEEL, 40)]
    opens(w, 206)
    assert bonded(w) == []
    assert w.nation(0).private_steel == 40
    assert w.world.private_accounts[0, cause.RETURNED, item.STEEL] == 40


@pytest.mark.rule("MER-048")
def test_what_is_above_the_private_cap_is_lost() -> None:
    w = seas(turn=200, **{"resources.steel.private_cap": 50})
    port(w, 11, 4, owner=1)
    w.nation(0, private_steel=20)
    ship(w, 10, no_route_since=190, cargo=TRADE)
    opens(w, 200)
    opens(w, 206)
    assert w.nation(0).private_steel == 50


# ---------------------------------------------------------------- at a temporary home


@pytest.mark.rule("MER-049")
def test_every_six_turns_it_searches_its_way_home_and_goes_when_there_is_one() -> None:
    """It came on 106; there is a way from 108 on, which it finds on 112."""
    w = seas()
    port(w, 12, 4)
    ship(w, 10, no_route_since=100)
    plays(w, 106)
    plays(w, 107)
    w.world.cells["terrain"][4, WALL] = terrain.SEA
    w.world.clock["waters"] += 1
    for turn in range(108, 112):
        plays(w, turn)
        assert (w.record("ship", 0).temp_home, w.record("ship", 0).job) == ([12, 4], "idle")
    opens(w, 112)
    assert w.world.clock[0]["rescues"] == 1
    assert (w.record("ship", 0).temp_home, w.record("ship", 0).destination) == (None, [1, 4])
    for turn in (112, 113):
        w.world.clock["turn"] = turn
        w.phase("ordinary_ships")
    assert (w.record("ship", 0).x, w.record("ship", 0).job) == (2, "idle")


@pytest.mark.rule("MER-049")
def test_in_vain_it_searches_again_after_six_turns() -> None:
    w = seas()
    port(w, 12, 4)
    ship(w, 10, no_route_since=100)
    searches = []
    for turn in range(106, 126):
        plays(w, turn)
        if w.world.clock[0]["rescues"]:
            searches.append(turn)
    assert searches == [106, 112, 118, 124]
    assert w.record("ship", 0).temp_home == [12, 4]


@pytest.mark.rule("MER-049", "MER-046")
def test_a_temporary_home_that_is_closed_to_it_is_none_any_more() -> None:
    w = seas()
    port(w, 12, 4, owner=1)
    port(w, 16, 4, owner=2)
    ship(w, 11, no_route_since=100, temp_home=[12, 4], job="idle", destination=None, last_unload=[16, 4])
    w.world.jobs[0]["searched"] = 105
    opens(w, 106)
    assert w.record("ship", 0).temp_home == [12, 4]
    w.nation(1, port_policy="closed")
    opens(w, 107)
    assert (w.record("ship", 0).temp_home, w.record("ship", 0).destination) == (None, [16, 4])


# ---------------------------------------------------------------- the world's searches


@pytest.mark.rule("MER-050", "MER-044")
def test_four_searches_a_turn_in_ship_order_after_the_last_one_served() -> None:
    """The rule's example: of six ships four are served on 106, two on 107."""
    w = seas()
    port(w, 13, 4)
    for k in range(6):
        ship(w, 9 + k % 3, 2 + k // 3, no_route_since=100, last_unload=[13, 4])
    assert w.ruleset["cruise.path_searches_per_turn"] == 4
    opens(w, 106)
    assert [w.record("ship", k).destination == [13, 4] for k in range(6)] == [True] * 4 + [False] * 2
    opens(w, 107)
    assert [w.record("ship", k).destination == [13, 4] for k in range(6)] == [True] * 6
    assert w.world.clock[0]["rescues"] == 2


@pytest.mark.rule("MER-050")
def test_who_was_served_last_is_remembered() -> None:
    w = seas()
    port(w, 13, 4)
    for k in range(6):
        ship(w, 9 + k % 3, 2 + k // 3, no_route_since=100, last_unload=[13, 4])
    w.world.clock["searched_last"] = 3
    opens(w, 106)
    assert [w.record("ship", k).destination == [13, 4] for k in range(6)] == [
        True,
        True,
        False,
        False,
        True,
        True,
    ]


@pytest.mark.rule("MER-050", "MER-044")
def test_waiting_for_a_search_does_not_stop_the_count() -> None:
    w = seas(**{"cruise.path_searches_per_turn": 0})
    port(w, 12, 4)
    ship(w, 10, no_route_since=100)
    opens(w, 106)
    opens(w, 107)
    assert (strayed(w), w.record("ship", 0).destination) == (100, [1, 4])


# ---------------------------------------------------------------- lost homes


@pytest.mark.rule("MER-080")
@pytest.mark.parametrize("loss", ["captured", "destroyed"])
def test_a_ship_whose_home_is_lost_has_no_way_home(loss: str) -> None:
    """Though the chart may know one. Its temporary home, an own port, becomes its home on the next turn."""
    w = seas(turn=100)
    port(w, 4, 6)
    ship(w, 4, 4)
    w.cell(1, 4, **({"owner": 1} if loss == "captured" else {"terrain": "wasteland", "owner": 0}))
    opens(w, 101)
    assert strayed(w) == 100
    for turn in range(102, 107):
        plays(w, turn)
    entry = w.record("ship", 0)
    assert (entry.job, entry.temp_home, entry.home) == ("idle", [4, 6], [1, 4])
    opens(w, 107)
    assert (w.record("ship", 0).home, w.record("ship", 0).temp_home) == ([4, 6], None)
    opens(w, 108)
    assert strayed(w) == 0


@pytest.mark.rule("MER-080")
def test_a_port_rebuilt_before_that_is_home_again() -> None:
    w = seas(turn=100)
    ship(w, 4, 4)
    w.cell(1, 4, terrain="wasteland", owner=0)
    for turn in (101, 102, 103):
        opens(w, turn)
    assert strayed(w) == 100
    w.cell(1, 4, terrain="port", owner=0)
    opens(w, 104)
    assert strayed(w) == 0
    w.phase("ordinary_ships")
    assert w.record("ship", 0).job == "idle"


@pytest.mark.rule("MER-080")
def test_a_foreign_temporary_home_does_not_become_home() -> None:
    w = seas()
    port(w, 12, 4, owner=1)
    w.cell(1, 4, terrain="wasteland", owner=0)
    ship(w, 11, no_route_since=100, temp_home=[12, 4], job="idle", destination=None)
    opens(w, 106)
    assert (w.record("ship", 0).home, w.record("ship", 0).temp_home) == ([1, 4], [12, 4])
