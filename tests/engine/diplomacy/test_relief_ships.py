"""Reserves for distant mates by warship: command 123 with item 10 (AID-003, AID-013 .. AID-016, TURN-074)."""

from __future__ import annotations

from typing import Any

import pytest

from hakoenv.engine import soundness, territory
from hakoenv.engine.codes import command as number
from hakoenv.engine.codes import event, fleet_mode, reason
from hakoenv.engine.commands import execute, plans, validate
from hakoenv.engine.navy import hulls
from hakoenv.ruleset import RulesetError
from hakoenv.testing import SmallWorld

WIDTH = 14
PORT = (11, 4)  # nation 1's
VOYAGE = ("port_handling_1", "fast_ships", "port_handling_2", "ordinary_ships", "port_handling_3")


def islands(ships: int = 1, kind: str = "destroyer", **rules: Any) -> SmallWorld:
    """A naval port of nation 0 at (2, 4), a port of its mate 1 at (11, 4), open sea between them.

    Destroyers sail 5 cells: from (3, 4) to (8, 4), then to the berth (10, 4).
    """
    w = SmallWorld(9, WIDTH, 3, turn=40, rules={"fundraise.income": 0, **rules})
    w.cell(1, 4, terrain="town", owner=0, population=50, capital=True)
    w.cell(2, 4, terrain="naval_port", owner=0)
    w.cell(12, 4, terrain="town", owner=1, population=50, capital=True)
    w.cell(*PORT, terrain="port", owner=1, level=1)
    w.cell(1, 0, terrain="town", owner=2, population=50, capital=True)
    w.faction("A", 0, [0, 1])
    w.nation(0, reserves=500)
    w.nation(1, reserves=20)
    for x, y in ((3, 4), (2, 3), (2, 5))[:ships]:
        w.ship(0, kind, x, y, fleet=0)
    return w


def relieve(amount: int, to: int = 1) -> tuple[Any, ...]:
    return ("national_aid", 10, 0, amount, to)


def give(w: SmallWorld, *orders: tuple[Any, ...]) -> list[str]:
    """Carry out a plan of nation 0, and load; what became of each order."""
    territory.index(w.world, w.rules)
    plans.set_plan(w.world, 0, orders)
    execute.run_plan(w.world, w.rules, 0)
    w.phase("diplomatic_transport")
    w.world.nations["plan_length"][0] = 0
    w.world.nations["result_count"][0] = 0
    return [reason.name(entry["reason"]) for entry in w.world.results[0]][: len(orders)]


def is_offered(w: SmallWorld, amount: int = 50, to: int = 1) -> bool:
    territory.index(w.world, w.rules)
    return bool(validate.is_legal(w.world, w.rules, 0, number.NATIONAL_AID, 10, 0, amount, to))


def aboard(w: SmallWorld) -> list[int]:
    return [int(ship["aid"]) for ship in w.world.ships if ship["kind"] > 0]


def pools(w: SmallWorld) -> tuple[int, int]:
    return int(w.world.nations[0]["reserves"]), int(w.world.nations[1]["reserves"])


def at(w: SmallWorld, ship: int = 0) -> tuple[int, int]:
    cell = int(w.world.ships[ship]["cell"])
    return cell % WIDTH, cell // WIDTH


def sail(w: SmallWorld, turns: int = 1) -> tuple[int, int]:
    """What turns do with ships after phase 16; where ship 0 is then."""
    for _ in range(turns):
        for phase in VOYAGE:
            w.phase(phase)
        check(w)
    return at(w)


def fall(w: SmallWorld, nation: int) -> None:
    """A nation ends, with all that phases 28 to 31 do then."""
    w.world.nations["abandoning"][nation] = 1
    for phase in ("nation_update", "faction_settle", "abandoned_land"):
        w.phase(phase)


def check(w: SmallWorld) -> None:
    """The world is sound."""
    territory.index(w.world, w.rules)
    assert soundness.faults(w.world, w.rules) == []


def news(w: SmallWorld, kind: int) -> list[tuple[int, int, int, int]]:
    """Nation, other, cell and amount of the events of a kind."""
    listed = w.world.events[: int(w.world.clock[0]["event_count"])]
    return [
        (int(e["nation"]), int(e["other"]), int(e["cell"]), int(e["amount"]))
        for e in listed
        if e["kind"] == kind
    ]


def cell(x: int, y: int) -> int:
    return y * WIDTH + x


# ---------------------------------------------------------------- the order


@pytest.mark.rule("AID-013", "AID-015", "TURN-074", "CMD-032")
def test_the_order_is_checked_with_the_plans_and_carried_out_in_phase_16() -> None:
    w = islands()
    plans.set_plan(w.world, 0, [relieve(300)])
    w.phase("plans")
    assert plans.results_of(w.world, 0)[0].reason == reason.DONE
    assert (pools(w), aboard(w)) == ((500, 20), [0])
    w.phase("diplomatic_transport")
    assert (pools(w), aboard(w)) == ((300, 20), [200])
    assert w.world.ships["aid_to"][0] == 1
    assert news(w, event.RESERVES_SENT) == [(0, 1, cell(3, 4), 200)]
    check(w)


@pytest.mark.rule("AID-015", "CMD-032")
@pytest.mark.parametrize(
    ("ships", "amount", "loaded", "left"),
    [
        (1, 300, [200], 300),
        (2, 300, [200, 100], 200),
        (3, 300, [200, 100, 0], 200),
        (3, 500, [200, 200, 100], 0),
        (3, 200, [200, 0, 0], 300),
        (2, 1, [1, 0], 499),
        (1, 2**60, [200], 300),
    ],
)
def test_a_ship_holds_200_and_more_needs_more_ships(
    ships: int, amount: int, loaded: list[int], left: int
) -> None:
    w = islands(ships)
    assert give(w, relieve(amount)) == ["done"]
    assert (aboard(w), pools(w)[0]) == (loaded, left)


@pytest.mark.rule("AID-015")
@pytest.mark.parametrize("kind", ["destroyer", "cruiser", "battleship", "carrier", "submarine"])
def test_every_class_but_the_submarine_carries_reserves(kind: str) -> None:
    w = islands(kind=kind)
    fits = kind != "submarine"
    assert is_offered(w) == fits
    assert give(w, relieve(300)) == ["done" if fits else "no_ship"]
    assert (aboard(w), pools(w)[0]) == (([200], 300) if fits else ([0], 500))


@pytest.mark.rule("AID-015")
def test_the_capacity_of_the_class_and_that_of_a_ship_both_bind() -> None:
    w = islands(2, **{"ship_classes.destroyer.capacity_strength": 150})
    assert give(w, relieve(500)) == ["done"] and aboard(w) == [150, 150]
    w = islands(2, **{"aid.ship_strength": 120})
    assert give(w, relieve(500)) == ["done"] and aboard(w) == [120, 120]


@pytest.mark.rule("AID-013")
@pytest.mark.parametrize("where", ["civil port", "away", "foreign naval port", "merchant", "foreign ship"])
def test_only_an_own_warship_beside_an_own_naval_port_is_loaded(where: str) -> None:
    w = islands(0 if where in ("merchant", "foreign ship") else 1)
    if where == "civil port":
        w.cell(2, 4, terrain="port", level=1)
    elif where == "away":
        w.cell(2, 4, terrain="sea", owner=None)
        w.cell(2, 2, terrain="naval_port", owner=0)
    elif where == "foreign naval port":
        w.cell(2, 4, owner=1)
    elif where == "merchant":
        w.ship(0, "merchant", 3, 4)
    else:
        w.ship(1, "destroyer", 3, 4)
    assert not is_offered(w)
    assert give(w, relieve(100)) == ["no_ship"]
    assert (aboard(w), pools(w)) == ([0], (500, 20))


@pytest.mark.rule("AID-003", "AID-013")
def test_a_merchant_carries_none_in_whatever_ruleset() -> None:
    w = islands(0, **{"ship_classes.merchant.capacity_strength": 200})
    w.ship(0, "merchant", 3, 4)
    assert not is_offered(w)
    assert (give(w, relieve(100)), aboard(w), pools(w)) == (["no_ship"], [0], (500, 20))


@pytest.mark.rule("AID-015")
def test_the_greatest_ship_of_any_ruleset_holds_what_its_record_does() -> None:
    """10000 is the most that `aid.ship_strength` may be; of 70000 reserves 60000 stay."""
    w = islands(**{"ship_classes.destroyer.capacity_strength": 10**9, "aid.ship_strength": 10000})
    w.nation(0, reserves=70000)
    assert (give(w, relieve(70000)), aboard(w), pools(w)) == (["done"], [10000], (60000, 20))
    assert soundness.faults(w.world, w.rules) == []
    with pytest.raises(RulesetError, match="aid.ship_strength"):
        islands(**{"aid.ship_strength": 10001})


@pytest.mark.rule("AID-015", "EMBARK-011")
def test_a_ship_with_a_unit_or_with_reserves_aboard_takes_none() -> None:
    """Of three ships the first carries a unit, the second reserves already."""
    w = islands(3)
    w.unit(0, "infantry", aboard=0, strength=10)
    w.world.ships["aid"][1], w.world.ships["aid_to"][1] = 30, 1
    assert give(w, relieve(500)) == ["done"]
    assert (aboard(w), pools(w)[0]) == ([0, 30, 200], 300)
    assert not is_offered(w)


@pytest.mark.rule("EMBARK-011", "AID-015", "NAVY-104")
def test_no_unit_boards_a_ship_with_reserves_and_it_is_not_struck_off() -> None:
    """Once they are ashore, both work."""
    w = islands()
    w.cell(4, 4, terrain="plains", owner=0)
    w.unit(0, "infantry", 4, 4, strength=10)
    w.world.ships["aid"][0], w.world.ships["aid_to"][0] = 1, 1
    orders = ("embark", 3, 4, 2, 0), ("decommission", 3, 4, 0, 0)
    assert give(w, *orders) == ["aid_aboard", "aid_aboard"]
    assert len(w.ships()) == 1 and aboard(w) == [1]
    w.world.ships["aid"][0], w.world.ships["aid_to"][0] = 0, -1
    assert give(w, *orders) == ["done", "carries"]
    assert give(w, ("disembark", 3, 4, 2, 0), ("decommission", 3, 4, 0, 0)) == ["done", "done"]


@pytest.mark.rule("AID-015", "TURN-074")
def test_a_ship_that_sails_or_takes_a_unit_aboard_after_the_order_is_not_loaded() -> None:
    """The reserves stay in the pool."""
    w = islands(2)
    w.cell(4, 4, terrain="plains", owner=0)
    w.unit(0, "infantry", 4, 4, strength=10)
    assert give(w, relieve(300), ("embark", 3, 4, 2, 0)) == ["done", "done"]
    assert (aboard(w), pools(w)[0]) == ([0, 200], 300)
    w = islands()
    assert give(w, relieve(300), ("ship_step", 3, 4, 2, 0)) == ["done", "done"]
    assert (at(w), aboard(w), pools(w)[0]) == ((4, 4), [0], 500)


@pytest.mark.rule("CMD-032", "TURN-074")
@pytest.mark.parametrize(
    ("reserves", "ships", "amount", "why"),
    [
        (0, 1, 5, "no_strength"),
        (4, 1, 5, "no_strength"),
        (5, 1, 5, "done"),
        (200, 1, 300, "done"),
        (199, 1, 300, "no_strength"),
        (250, 2, 300, "no_strength"),
        (300, 2, 300, "done"),
        (500, 1, 0, "bad_amount"),
        (500, 1, -1, "bad_amount"),
        (500, 0, 5, "no_ship"),
    ],
)
def test_what_finds_room_must_be_in_the_pool(reserves: int, ships: int, amount: int, why: str) -> None:
    w = islands(ships)
    w.nation(0, reserves=reserves)
    assert give(w, relieve(amount)) == [why]
    assert sum(aboard(w)) + pools(w)[0] == reserves and (sum(aboard(w)) > 0) == (why == "done")


@pytest.mark.rule("AID-015", "TURN-074")
def test_ships_and_reserves_of_earlier_orders_are_spoken_for() -> None:
    """250 take two ships of three; then 250 of 500 are left."""
    w = islands(3)
    w.cell(12, 0, terrain="town", owner=2, population=50, capital=True)
    w.cell(11, 0, terrain="port", owner=2, level=1)
    w.world.nations["faction"][2] = 0
    assert give(w, relieve(250), relieve(100, 2), relieve(1)) == ["done", "done", "no_ship"]
    assert (aboard(w), pools(w)[0]) == ([200, 50, 100], 150)
    assert w.world.ships["aid_to"][:3].tolist() == [1, 1, 2]
    w = islands(3)
    w.nation(0, reserves=299)
    assert give(w, relieve(200), relieve(100), relieve(99)) == ["done", "no_strength", "done"]


@pytest.mark.rule("TURN-074")
def test_reserves_spent_after_the_order_are_not_loaded() -> None:
    w = islands(2)
    w.cell(1, 5, terrain="depot", owner=0)
    w.nation(0, reserves=300, funds=9000, food=900, ammo=900, goods=900, steel=900)
    assert give(w, relieve(300), ("place_unit", 1, 5, 150, 0)) == ["done", "done"]
    deployed = int(w.world.units["strength"][w.world.units["owner"] == 0].sum())
    assert deployed > 0 and sum(aboard(w)) == 300 - deployed and pools(w)[0] == 0


@pytest.mark.rule("AID-003", "AID-001")
def test_a_mate_whose_land_touches_gets_none_by_ship() -> None:
    """And command 50 fails for one beyond the sea."""
    w = islands()
    assert give(w, ("aid_reserves", 0, 0, 100, 1)) == ["no_land_border"]
    w.cell(1, 5, terrain="plains", owner=1)
    assert not is_offered(w)
    assert give(w, relieve(100), ("aid_reserves", 0, 0, 100, 1)) == ["land_border", "done"]
    assert (aboard(w), pools(w)) == ([0], (400, 120))


@pytest.mark.rule("AID-004")
def test_only_mates_are_sent_reserves() -> None:
    w = islands()
    w.relation(0, 2, state="amity")
    w.cell(2, 0, terrain="port", owner=2, level=1)
    assert not is_offered(w, to=2)
    assert give(w, relieve(50, 2)) == ["not_a_mate"]


@pytest.mark.rule("TURN-074", "AID-014")
@pytest.mark.parametrize("why", ["no port", "lake", "naval port"])
def test_the_mate_must_have_a_port_that_the_ship_can_reach(why: str) -> None:
    w = islands()
    if why == "no port":
        w.cell(*PORT, terrain="plains")
    elif why == "lake":  # one water cell beside the port, with land all around
        for x, y in ((9, 3), (10, 3), (11, 3), (9, 4), (9, 5), (10, 5), (11, 5)):
            w.cell(x, y, terrain="mountain", owner=None)
    else:
        w.cell(*PORT, terrain="naval_port", owner=1)
    ok = why == "naval port"
    assert is_offered(w) == ok
    assert give(w, relieve(50)) == ["done" if ok else "no_sea_way"]
    assert (aboard(w), pools(w)[0]) == (([50], 450) if ok else ([0], 500))


@pytest.mark.rule("AID-026", "TURN-074")
def test_a_ship_on_a_lake_is_passed_over() -> None:
    """The first battleship's water leads nowhere, since it can't pass the port; the second is loaded."""
    w = islands(kind="battleship")
    w.ship(0, "battleship", 1, 3)
    for x, y in ((2, 5), (3, 5), (4, 4), (3, 3), (2, 3)):
        w.cell(x, y, terrain="mountain", owner=None)
    assert give(w, relieve(50)) == ["done"]
    assert aboard(w) == [0, 50]


# ---------------------------------------------------------------- the voyage


@pytest.mark.rule("TURN-074", "AID-014", "NAVY-097")
def test_the_ship_sails_to_the_mates_port_and_unloads_in_the_next_handling_phase() -> None:
    """5 cells in turn 40; in 41 two more in phase 21, and ashore in phase 22."""
    w = islands()
    give(w, relieve(150))
    assert (sail(w), aboard(w), pools(w)) == ((8, 4), [150], (350, 20))
    w.phase("port_handling_1")
    w.phase("fast_ships")
    assert (at(w), aboard(w), pools(w)) == ((10, 4), [150], (350, 20))
    w.phase("port_handling_2")
    assert (aboard(w), pools(w)) == ([0], (350, 170))
    assert w.world.ships["aid_to"][0] == -1
    assert news(w, event.RESERVES_ARRIVED) == [(0, 1, cell(*PORT), 150)]
    check(w)


@pytest.mark.rule("TURN-074", "TURN-025")
def test_an_ordinary_ship_sails_in_phase_24_and_unloads_in_25() -> None:
    w = islands(kind="cruiser", **{"ship_classes.cruiser.speed": 7})
    give(w, relieve(150))
    for phase in ("port_handling_1", "fast_ships", "port_handling_2"):
        w.phase(phase)
    assert (at(w), aboard(w)) == ((3, 4), [150])
    w.phase("ordinary_ships")
    assert (at(w), aboard(w)) == ((10, 4), [150])
    w.phase("port_handling_3")
    assert (aboard(w), pools(w)) == ([0], (350, 170))


@pytest.mark.rule("AID-014", "TURN-074")
@pytest.mark.parametrize("port", ["port", "naval_port"])
def test_containers_are_not_asked(port: str) -> None:
    w = islands()
    w.cell(*PORT, terrain=port, owner=1, **({"handled": 256} if port == "port" else {}))
    w.world.ships["cell"][0], w.world.cells[4, 3]["ship"], w.world.cells[4, 10]["ship"] = cell(10, 4), -1, 0
    w.world.ships["aid"][0], w.world.ships["aid_to"][0] = 150, 1
    w.phase("port_handling_1")
    assert (aboard(w), pools(w)) == ([0], (500, 170))


@pytest.mark.rule("TURN-074")
def test_the_voyage_overrides_the_fleets_course_until_the_ship_has_unloaded() -> None:
    """Two ships of a fleet bound for (3, 8): the loaded flagship goes to the mate, the other there."""
    w = islands(2)
    w.fleet(0, 0, target=[3, 8])
    give(w, relieve(150))
    sail(w)
    assert (at(w, 0), at(w, 1), w.fleet(0, 0).target) == ((8, 4), (3, 8), [3, 8])
    assert sail(w) == (10, 4) and pools(w) == (350, 170)
    assert sail(w) == (7, 8)  # back to its fleet's target
    assert sail(w) == (4, 8)  # beside it: the other ship is there
    assert w.fleet(0, 0).target is None


@pytest.mark.rule("TURN-074", "NAVY-060", "NAVY-101")
def test_a_ship_without_fleet_sails_too_and_a_stopped_one_waits() -> None:
    w = islands()
    w.world.ships["fleet"][0] = -1
    w.world.fleets["flagship"][0, 0] = -1
    give(w, relieve(150))
    w.world.ships["mode"][0] = fleet_mode.STOP
    assert (sail(w), aboard(w)) == ((3, 4), [150])
    w.world.ships["mode"][0] = fleet_mode.CRUISE
    w.world.ships["moved"][0] = 40
    assert sail(w) == (3, 4)
    w.world.ships["moved"][0] = 39
    assert sail(w) == (8, 4)


@pytest.mark.rule("AID-026", "TURN-074")
def test_after_unloading_the_ship_goes_home_by_the_way_it_came() -> None:
    """To the naval port where it was loaded, and there it stays."""
    w = islands()
    give(w, relieve(150))
    assert sail(w, 2) == (10, 4)
    assert sail(w) == (5, 4)
    assert sail(w) == (3, 4)
    assert sail(w) == (3, 4)
    assert w.world.jobs["goal"][0] == -1


@pytest.mark.rule("AID-026", "TURN-074")
def test_a_new_course_ends_the_way_home_and_so_does_the_loss_of_the_port() -> None:
    w = islands()
    give(w, relieve(150))
    sail(w, 2)
    w.fleet(0, 0, target=[10, 8])
    assert sail(w) == (10, 8)
    assert sail(w) == (10, 8) and w.world.jobs["goal"][0] == -1
    w = islands()
    give(w, relieve(150))
    sail(w, 2)
    w.cell(2, 4, terrain="sea", owner=None)
    assert sail(w) == (10, 4) and w.world.jobs["goal"][0] == -1


@pytest.mark.rule("TURN-074")
def test_an_escort_goes_with_the_loaded_flagship() -> None:
    w = islands(2)
    w.world.ships["escort"][1] = 1
    give(w, relieve(150))
    sail(w)
    assert at(w, 0) == (8, 4)
    height = abs(at(w, 1)[1] - 4)
    assert at(w, 1)[0] >= 6 and height <= 1


@pytest.mark.rule("TURN-074", "AID-014")
@pytest.mark.parametrize(("other", "end"), [((5, 7), (5, 6)), ((11, 0), (8, 4))])
def test_of_two_ports_the_nearest_by_sea_is_called_at(other: tuple[int, int], end: tuple[int, int]) -> None:
    """A naval port at (5, 7) is 3 steps off; one at (11, 0) farther than the 7 to (10, 4)."""
    w = islands()
    w.cell(*other, terrain="naval_port", owner=1)
    give(w, relieve(150))
    assert sail(w) == end
    assert (pools(w)[1] == 170) == (end != (8, 4))


@pytest.mark.rule("AID-026")
def test_a_ship_enters_a_dead_end_inlet_when_it_is_free_and_waits_outside_before() -> None:
    """The port touches one sea cell, (10, 4), whose only sea neighbour is (9, 4). A merchant lies in it."""
    w = islands()
    for x, y in ((9, 3), (10, 3), (11, 3), (9, 5), (10, 5), (11, 5)):
        w.cell(x, y, terrain="mountain", owner=None)
    w.ship(1, "merchant", 10, 4)
    give(w, relieve(150))
    assert sail(w) == (8, 4)
    assert (sail(w), aboard(w)) == ((9, 4), [150, 0])
    assert (sail(w), aboard(w)) == ((9, 4), [150, 0])
    hulls.strike_off(w.world, 1)
    assert (sail(w), aboard(w), pools(w)[1]) == ((10, 4), [0], 170)
    assert sail(w) == (5, 4)  # and out again


@pytest.mark.rule("AID-026", "TURN-074")
def test_a_port_that_is_blocked_counts_after_a_free_one() -> None:
    """The mate's own warship lies in the inlet of the near port, out of the ship's sight; its owner tells."""
    w = islands()
    for x, y in ((9, 3), (10, 3), (11, 3), (9, 5), (10, 5), (11, 5)):
        w.cell(x, y, terrain="mountain", owner=None)
    w.ship(1, "battleship", 10, 4)
    w.cell(8, 8, terrain="naval_port", owner=1)
    give(w, relieve(150))
    sail(w)
    assert (sail(w), aboard(w)) in [((7, 7), [0, 0]), ((8, 7), [0, 0])]
    assert pools(w)[1] == 170


# ---------------------------------------------------------------- what may go wrong


@pytest.mark.rule("AID-016", "NAVY-070")
@pytest.mark.parametrize(
    ("loaded", "back"), [(155, 46), (200, 60), (1, 0), (3, 0), (4, 1), (10, 3), (199, 59)]
)
def test_of_a_sunk_ships_reserves_30_percent_return(loaded: int, back: int) -> None:
    w = islands()
    give(w, relieve(loaded))
    hulls.sink(w.world, w.rules, 0, 2)
    assert pools(w) == (500 - loaded + back, 20)
    assert news(w, event.RESERVES_LOST) == [(0, 1, cell(3, 4), loaded - back)]
    assert len(w.ships()) == 0 and not w.world.ships["aid"].any()
    check(w)


@pytest.mark.rule("AID-016")
def test_a_ruleset_may_save_all_or_none_and_an_empty_ship_saves_nobody() -> None:
    for percent, left in ((100, 500), (0, 345)):
        w = islands(**{"aid.sunk_return_percent": percent})
        give(w, relieve(155))
        hulls.sink(w.world, w.rules, 0, -1)
        assert pools(w) == (left, 20)
    w = islands()
    hulls.sink(w.world, w.rules, 0, 2)
    assert pools(w) == (500, 20) and news(w, event.RESERVES_LOST) == []


@pytest.mark.rule("AID-016", "NMINE-004")
def test_a_mine_on_the_way_sinks_the_ship_and_its_reserves() -> None:
    w = islands()
    w.cell(6, 4, terrain="naval_mine", owner=2, level=2, below="sea")
    w.world.ships["hp"][0] = 1
    give(w, relieve(200))
    sail(w)
    assert len(w.ships()) == 0 and pools(w) == (360, 20)


@pytest.mark.rule("TURN-074", "AID-014")
def test_without_a_port_of_the_mate_the_ship_turns_round_and_goes_on_when_there_is_one() -> None:
    w = islands()
    give(w, relieve(150))
    assert sail(w) == (8, 4)
    w.cell(*PORT, terrain="plains")
    assert (sail(w), aboard(w)) == ((3, 4), [0])
    assert pools(w) == (500, 20)
    assert news(w, event.RESERVES_RETURNED) == [(0, 1, cell(2, 4), 150)]
    w = islands()
    give(w, relieve(150))
    sail(w)
    w.cell(*PORT, terrain="plains")
    w.cell(2, 4, terrain="plains")  # no own port, either: it waits
    assert (sail(w), aboard(w)) == ((8, 4), [150])
    w.cell(*PORT, terrain="port", owner=1, level=1)
    assert (sail(w), aboard(w), pools(w)) == ((10, 4), [0], (350, 170))


@pytest.mark.rule("TURN-074", "AID-004")
@pytest.mark.parametrize("end", ["left", "war", "fell"])
def test_who_is_no_mate_any_more_gets_nothing_and_the_reserves_come_home(end: str) -> None:
    w = islands()
    give(w, relieve(150))
    sail(w)
    if end == "fell":
        fall(w, 1)
    else:
        w.world.nations["faction"][1] = -1
    if end == "war":
        w.war(0, 1)
    w.world.ships["mode"][0] = fleet_mode.CRUISE
    assert sail(w) == (3, 4)
    assert (aboard(w), int(w.world.nations[0]["reserves"])) == ([0], 500)


@pytest.mark.rule("TURN-074")
def test_any_own_port_takes_them_back() -> None:
    """A civil port at (8, 6), nearer than the naval port."""
    w = islands()
    w.cell(8, 6, terrain="port", owner=0, level=1)
    give(w, relieve(150))
    sail(w)
    w.world.nations["faction"][1] = -1
    sail(w)
    assert (aboard(w), pools(w)) == ([0], (500, 20))
    assert news(w, event.RESERVES_RETURNED) == [(0, 1, cell(8, 6), 150)]


@pytest.mark.rule("TURN-074", "TURN-055")
def test_reserves_under_way_of_a_nation_that_falls_vanish_with_its_ships() -> None:
    w = islands()
    give(w, relieve(150))
    sail(w)
    fall(w, 0)
    assert len(w.ships()) == 0 and pools(w) == (0, 20) and not w.world.ships["aid"].any()
    check(w)


@pytest.mark.rule("TURN-074", "AID-016")
def test_in_whole_turns_no_soldier_is_lost_or_doubled() -> None:
    """Three turns: 240 sent by two ships, and the sum of pools and holds never changes."""
    w = islands(2)
    for n in range(3):
        w.nation(n, food=9000, funds=9000, fuel=900, ammo=900)
    plans.set_plan(w.world, 0, [relieve(240)])
    total = sum(pools(w))
    for _ in range(3):
        w.run(1)
        assert sum(pools(w)) + sum(aboard(w)) == total
        assert soundness.faults(w.world, w.rules) == []
    assert pools(w) == (260, 260)
