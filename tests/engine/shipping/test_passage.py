"""Whom and what private ships pass, where they stop, what fuel they take (MER-022 .. MER-033, MER-040).

Ships sail east along a canal of one row of water, so nobody can be gone around.
"""

from __future__ import annotations

from typing import Any

import pytest

from hakoenv.engine import view
from hakoenv.engine.codes import cause, event, item, terrain
from hakoenv.engine.shipping import charts, harbours, merchants
from hakoenv.testing import SmallWorld

WIDTH = 14
NORTH_EAST, EAST = 1, 2
SHOES = ["shoes_of_water_movement"]


def canal(
    speed: int = 7, kind: str = "merchant", x: int = 2, rules: dict[str, Any] | None = None, **given: Any
) -> SmallWorld:
    """A ship (0) of nation 0 in the canal, laden for the port of nation 1 at its east end."""
    w = SmallWorld(3, WIDTH, 3, turn=100, rules={f"merchant.{kind}.speed": speed, **(rules or {})})
    w.world.cells["terrain"][[0, 2]] = terrain.PLAINS
    w.cell(0, 1, terrain="port", owner=0)
    w.cell(WIDTH - 1, 1, terrain="port", owner=1)
    w.nation(0, private_fuel=50)
    cargo = [{"item": "steel", "quantity": 5, "kind": "trade", "from": 0, "to": 1}]
    if kind == "fishing_boat":
        cargo = []
    settings = {"home": [0, 1], "job": "sailing", "destination": [WIDTH - 1, 1], "cargo": cargo}
    w.ship(0, kind, x, 1, **(settings | given))
    return w


def sail(w: SmallWorld, ship: int = 0) -> int:
    """Let a ship make its move; the column in which it is then."""
    harbours.enlist(w.world)
    for h in range(len(w.world.harbours)):
        if w.world.harbours[h]["cell"] >= 0:
            charts.make(w.world, h)
    merchants.sail(w.world, w.rules, ship)
    return int(w.record("ship", ship).x)


def put(w: SmallWorld, owner: int | None, *columns: int, kind: str = "destroyer") -> None:
    for x in columns:
        w.ship(owner, kind, x, 1)


# ---------------------------------------------------------------- past ships


@pytest.mark.rule("MER-022", "NAVY-052", "NAVY-071", "NAVY-072")
@pytest.mark.parametrize(
    ("speed", "ships", "end"),
    [
        (3, [3], 5),  # passes, and one cell more
        (2, [3], 4),  # stops on the empty cell beyond
        (1, [3], 2),  # can't reach it
        (3, [3, 4, 5], 2),  # needs 4
        (4, [3, 4, 5], 6),
        (3, [3, 4], 5),
        (2, [3, 4], 2),
        (3, [5], 4),  # one point left before the ship
        (7, [4, 6, 8], 9),  # one by one
    ],
)
@pytest.mark.parametrize("owner", [0, 1])
def test_a_ship_is_passed_if_an_empty_cell_beyond_is_within_reach(
    speed: int, ships: list[int], end: int, owner: int
) -> None:
    """The rule's examples from (2, 1), with ships of the own and of another nation at peace."""
    w = canal(speed)
    put(w, owner, *ships)
    assert sail(w) == end


@pytest.mark.rule("MER-022", "NAVY-072")
def test_ships_up_to_the_goal_leave_no_empty_cell() -> None:
    """(11, 1) and the berth (12, 1) are taken: the ship stays in front of them, however far it could go."""
    w = canal(7, x=9)
    put(w, 1, 11, 12)
    assert sail(w) == 10


@pytest.mark.rule("MER-023", "NAVY-071")
def test_two_ships_never_share_a_cell() -> None:
    for ships in ([3], [4], [3, 5], [4, 5], [9], [8, 9], [2 + 7]):
        w = canal(7)
        put(w, 1, *ships)
        end = sail(w)
        assert end not in ships
        assert w.world.cells["ship"][1, end] == 0 and (w.world.cells["ship"] == 0).sum() == 1


@pytest.mark.rule("MER-024", "NAVY-073", "MER-026")
@pytest.mark.parametrize(("state", "end"), [("war", 3), ("pending", 3), ("peace", 9), ("amity", 9)])
@pytest.mark.parametrize("kind", ["destroyer", "merchant"])
def test_an_enemys_ship_is_not_passed(state: str, kind: str, end: int) -> None:
    w = canal(7)
    w.relation(0, 2, state=state)
    put(w, 2, 4, kind=kind)
    assert sail(w) == end


@pytest.mark.rule("MER-024", "NAVY-073")
def test_a_ship_of_nobody_is_not_passed() -> None:
    w = canal(7)
    put(w, None, 4, kind="pirate")
    assert sail(w) == 3


@pytest.mark.rule("MER-024", "MER-022")
def test_nor_is_an_enemys_ship_behind_a_friend() -> None:
    w = canal(7)
    w.war(0, 2)
    put(w, 1, 4)
    put(w, 2, 5)
    assert sail(w) == 3


@pytest.mark.rule("MER-027", "NAVY-075")
def test_a_warship_passes_nobody() -> None:
    w = canal()
    w.ship(0, "destroyer", 5, 1, fleet=0)
    w.fleet(0, 0, target=[10, 1])
    put(w, 0, 7)
    w.phase("fast_ships")
    assert w.record("ship", 1).x == 6


@pytest.mark.rule("FISH-002", "MER-022", "MER-024")
@pytest.mark.parametrize("kind", ["large_merchant", "fishing_boat"])
def test_large_merchants_and_boats_pass_as_merchants_do(kind: str) -> None:
    for owner, end in ((1, 5), (None, 2)):
        w = canal(3, kind)
        put(w, owner, 3, kind="pirate" if owner is None else "merchant")
        assert sail(w) == end


# ---------------------------------------------------------------- over ports


@pytest.mark.rule("MER-028", "MER-030", "NAVY-076", "NAVY-078")
@pytest.mark.parametrize("port", ["port", "naval_port"])
@pytest.mark.parametrize(("speed", "end"), [(1, 3), (2, 3), (3, 5), (4, 6)])
def test_a_port_is_crossed_if_an_empty_cell_beyond_is_within_reach(port: str, speed: int, end: int) -> None:
    """At (4, 1): with one point left the ship stops before it, with two it gets to (5, 1); never on it."""
    w = canal(speed)
    w.cell(4, 1, terrain=port, owner=1)
    assert sail(w) == end


@pytest.mark.rule("MER-028", "MER-030", "MER-022")
@pytest.mark.parametrize(("speed", "end"), [(3, 2), (4, 6)])
def test_ports_and_ships_in_a_row_are_crossed_together(speed: int, end: int) -> None:
    w = canal(speed)
    w.cell(3, 1, terrain="port", owner=0)
    w.cell(5, 1, terrain="naval_port", owner=1)
    put(w, 1, 4)
    assert sail(w) == end


@pytest.mark.rule("MER-029", "NAVY-077")
@pytest.mark.parametrize("port", ["port", "naval_port"])
@pytest.mark.parametrize(("state", "end"), [("war", 3), ("pending", 3), ("peace", 9)])
def test_an_enemys_port_is_closed(port: str, state: str, end: int) -> None:
    w = canal(7)
    w.cell(4, 1, terrain=port, owner=2)
    w.relation(0, 2, state=state)
    assert sail(w) == end


@pytest.mark.rule("MER-029", "MER-046")
def test_a_port_that_is_closed_to_trade_is_crossed_all_the_same() -> None:
    """Only war and its announcement close the water."""
    w = canal(7)
    w.cell(4, 1, terrain="port", owner=2)
    w.nation(2, port_policy="closed")
    assert sail(w) == 9


# ---------------------------------------------------------------- waters, units, monsters


@pytest.mark.rule("MER-066")
@pytest.mark.parametrize(
    ("ground", "end"),
    [("sea", 9), ("shallows", 9), ("offshore_oil", 9), ("naval_mine", 3), ("breakwater", 3), ("fish_farm", 3),
     ("seabed_base", 3), ("seabed_city", 3), ("monster", 3)],
)  # fmt: skip
def test_waters_that_private_ships_enter(ground: str, end: int) -> None:
    """What came there after the chart was made stops them (MER-067)."""
    w = canal(7)
    sail(w)
    w.world.cells["ship"][1, int(w.record("ship", 0).x)] = -1
    w.world.ships[0]["cell"] = w.place(2, 1)
    w.world.cells["ship"][1, 2] = 0
    w.cell(4, 1, terrain=ground, owner=1, **({"level": 64} if ground == "monster" else {}))
    merchants.sail(w.world, w.rules, 0)
    assert w.record("ship", 0).x == end


@pytest.mark.rule("MER-040", "EMBARK-007", "FISH-002")
@pytest.mark.parametrize("kind", ["merchant", "large_merchant", "fishing_boat"])
@pytest.mark.parametrize("owner", [0, 1])
def test_nobody_enters_the_cell_of_a_unit(kind: str, owner: int) -> None:
    """Its nation learns of a unit that it did not see."""
    w = canal(7, kind)
    w.cell(4, 1, terrain="shallows")
    w.unit(owner, "infantry", 4, 1, items=SHOES)
    assert sail(w) == 3
    met = [e for e in w.world.events[: w.world.clock[0]["event_count"]] if e["kind"] == event.SHIP_MET]
    assert [(int(e["nation"]), int(e["cell"])) for e in met] == ([(0, w.place(4, 1))] if owner else [])
    assert view.unit(w.world, w.rules, 0, w.place(4, 1)) >= 0


@pytest.mark.rule("MER-041", "EMBARK-009")
@pytest.mark.parametrize(("items", "end"), [(SHOES, 9), ([], 2)])
def test_a_ship_over_a_unit_leaves_unless_that_would_drown_it(items: list[str], end: int) -> None:
    w = canal(7, x=2)
    w.unit(1, "infantry", 2, 1, items=items)
    assert sail(w) == end
    assert w.world.units[0]["cell"] == w.place(2, 1) and w.world.cells["unit"][1, 2] == 0


@pytest.mark.rule("MER-041", "EMBARK-009")
@pytest.mark.parametrize(("items", "end"), [(SHOES, 5), ([], 4)])
def test_so_does_a_ship_that_has_nothing_to_do(items: list[str], end: int) -> None:
    """It steps aside, to the first free cell: east of it, since north-east is land."""
    w = canal(7, x=4, job="idle", home=None, destination=None, cargo=[])
    w.unit(1, "infantry", 4, 1, items=items)
    assert sail(w) == end


# ---------------------------------------------------------------- what is not seen


@pytest.mark.rule("MER-026", "NAVY-097", "MER-034")
@pytest.mark.parametrize(("kind", "seen"), [("merchant", True), ("fishing_boat", False)])
def test_an_unseen_warship_is_met(kind: str, seen: bool) -> None:
    """A merchant sees it from two cells off, a boat sees nothing; both stop before it."""
    w = canal(7, kind)
    w.war(0, 2)
    put(w, 2, 6)
    assert sail(w) == 5
    met = [int(e["cell"]) for e in w.world.events[: w.world.clock[0]["event_count"]]
           if e["kind"] == event.SHIP_MET]  # fmt: skip
    assert met == ([] if seen else [w.place(6, 1)])
    assert view.ship(w.world, w.rules, 0, w.place(6, 1)) == 1


@pytest.mark.rule("MER-026", "MER-022")
def test_an_unseen_warship_at_peace_is_passed_and_seen() -> None:
    w = canal(7, "fishing_boat")
    put(w, 1, 6)
    assert sail(w) == 9
    assert int(w.world.ships[1]["met"]) == 1


# ---------------------------------------------------------------- fuel


@pytest.mark.rule("MER-033", "NAVY-053")
@pytest.mark.parametrize(
    ("kind", "speed", "counter"), [("merchant", 7, 14), ("large_merchant", 5, 40), ("fishing_boat", 4, 8)]
)
def test_fuel_is_counted_by_the_cells_covered(kind: str, speed: int, counter: int) -> None:
    """2, 8 and 2 hundredths a cell."""
    w = canal(speed, kind)
    assert sail(w) == 2 + speed
    assert w.world.jobs[0]["fuel_counter"] == counter
    assert w.nation(0).private_fuel == 50


@pytest.mark.rule("MER-033", "NAVY-053")
def test_only_cells_really_covered_count() -> None:
    """Ordered to go 7, barred after 4: 4 cells, 8 hundredths; waiting uses none."""
    w = canal(7)
    put(w, None, 7, kind="pirate")
    assert sail(w) == 6
    assert w.world.jobs[0]["fuel_counter"] == 8
    assert sail(w) == 6
    assert w.world.jobs[0]["fuel_counter"] == 8


@pytest.mark.rule("MER-033", "NAVY-053")
def test_a_full_counter_takes_a_fuel_from_the_private_stock() -> None:
    """95 + 8 = 103: 1 fuel is taken, 3 are left; four more cells bring 35."""
    w = canal(5, "large_merchant", fuel_counter=95)
    assert sail(w) == 7
    assert w.world.jobs[0]["fuel_counter"] == 35
    assert w.nation(0).private_fuel == 49
    assert w.world.private_accounts[0, cause.SHIP_FUEL, item.FUEL] == -1
    assert w.world.nations[0]["ships_fuel"] == 1


@pytest.mark.rule("MER-033", "NAVY-053")
def test_without_fuel_it_stops_after_the_step_and_goes_on_when_there_is_some() -> None:
    w = canal(5, "large_merchant", fuel_counter=95)
    w.nation(0, private_fuel=0)
    assert sail(w) == 3
    assert w.world.jobs[0]["fuel_counter"] == 103
    assert sail(w) == 3
    assert w.record("ship", 0).hp == 4  # a lack of fuel harms no private ship
    w.nation(0, private_fuel=1)
    assert sail(w) == 8
    assert w.world.jobs[0]["fuel_counter"] == 3 + 5 * 8
    assert w.nation(0).private_fuel == 0


@pytest.mark.rule("MER-033", "MER-023")
def test_a_passage_is_finished_before_fuel_stops_a_ship() -> None:
    """Over (3, 1) to (4, 1): 99 + 16 = 115 hundredths for the two cells."""
    w = canal(5, "large_merchant", fuel_counter=99)
    w.nation(0, private_fuel=0)
    put(w, 1, 3)
    assert sail(w) == 4
    assert w.world.jobs[0]["fuel_counter"] == 115


@pytest.mark.rule("MER-033")
def test_fuel_is_the_private_sectors_not_the_treasurys() -> None:
    w = canal(5, "large_merchant", fuel_counter=95)
    w.nation(0, private_fuel=0, fuel=50)
    assert sail(w) == 3
    assert w.nation(0).fuel == 50
