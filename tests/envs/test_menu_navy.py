"""Masks of the navy's commands: ships, fleets, directions, mines, and what a command leaves for the next."""

import itertools
import json
from typing import Any

import numpy as np
import pytest

from hakoenv.engine import territory
from hakoenv.engine.commands import plans, table, validate
from hakoenv.engine.world import copy_world
from hakoenv.envs.actions import REPLACE, apply
from hakoenv.envs.flat_commands import candidates
from hakoenv.envs.plan_space import PlanSpace
from hakoenv.envs.written import actions_of
from hakoenv.obs.language import answers, forms, hints
from hakoenv.obs.language.vocabulary import Vocabulary
from hakoenv.obs.menu import Menu
from hakoenv.obs.menu_draft import HEADS
from hakoenv.ruleset import load_ruleset
from hakoenv.testing import SmallWorld

OTHERS = ("fundraise", "prepare_land", "farm", "ceasefire", "missile_normal", "place_unit:infantry", "mine")
RULESET = load_ruleset("season")
MENU = Menu(RULESET, 3, ["navy", *OTHERS], cells=100)
SPACE = PlanSpace(MENU, 4)
NAMES = ["none", *(verb.name for verb in MENU.verbs)]
CELLS = np.tile(np.arange(100, dtype=np.int32), (3, 1))  # place k is cell k: column k % 10, row k // 10
NORTH_EAST, EAST, SOUTH_EAST, SOUTH_WEST, WEST, NORTH_WEST = range(6)  # places of the values 1..6


def at(x: int, y: int) -> int:
    return y * 10 + x


def strait(**nation: Any) -> SmallWorld:
    """Nation 0 holds columns 0..2 with a naval port on (2, 3), nation 1 columns 7..9; sea lies between.

    Beside the port is water on (3, 2), (3, 3) and (3, 4), the last one shallow.
    """
    w = SmallWorld(10, 10, 3, turn=100)
    for y in range(10):
        for x in (0, 1, 2, 7, 8, 9):
            w.cell(x, y, terrain="plains", owner=0 if x < 5 else 1)
    w.cell(0, 0, terrain="town", owner=0, population=60, capital=True)
    w.cell(9, 0, terrain="town", owner=1, population=60, capital=True)
    w.cell(9, 9, terrain="town", owner=2, population=60, capital=True)
    w.cell(2, 3, terrain="naval_port", owner=0)
    w.cell(0, 9, terrain="naval_port", owner=0)
    w.cell(3, 4, terrain="shallows")
    w.nation(0, **{"funds": 2000, "steel": 20, "food": 500, **nation})
    w.war(0, 1)
    return w


def ship(w: SmallWorld, kind: str, x: int, y: int, fleet: int = 0, **given: Any) -> int:
    """A ship of nation 0, which leads its fleet if it is the first in it."""
    w.ship(0, kind, x, y, fleet=fleet, **given)
    index = int(w.world.cells["ship"][y, x])
    if w.world.fleets["flagship"][0, fleet] < 0:
        w.world.fleets["flagship"][0, fleet] = index
    return index


def go_aboard(w: SmallWorld, index: int, x: int, y: int, **given: Any) -> None:
    """A new unit of nation 0, aboard a ship."""
    w.unit(0, "infantry", x, y, **given)
    unit = int(w.world.cells["unit"][y, x])
    w.world.units["aboard"][unit], w.world.units["cell"][unit] = index, -1
    w.world.cells["unit"][y, x] = -1


def mask_of(w: SmallWorld, menu: Menu = MENU, nation: int = 0) -> dict[str, Any]:
    territory.index(w.world, w.rules)
    buffers = menu.buffers()
    menu.fill(w.world, w.rules, CELLS, buffers)
    return menu.of(buffers, nation)


def command(name: str, cell: int = 0, a: int = 0, nation: int = 0) -> list[int]:
    return [NAMES.index(name), nation, cell, a, 0, 0, 0]


def allowed(mask: Any, *heads: Any) -> list[int]:
    """What may follow the first heads, whole commands given as lists."""
    prefix = [REPLACE, *itertools.chain.from_iterable(h if isinstance(h, list) else [h] for h in heads)]
    return np.flatnonzero(SPACE.next_mask(mask, prefix)).tolist()


def is_open(mask: Any, name: str, *before: list[int]) -> bool:
    return NAMES.index(name) in allowed(mask, *before)


def cells_for(mask: Any, name: str, *before: list[int]) -> set[int]:
    return set(allowed(mask, *before, NAMES.index(name), 0)) if is_open(mask, name, *before) else set()


def values_for(mask: Any, name: str, cell: int, *before: list[int]) -> set[int]:
    """Places of the values of the factor of a verb at a cell."""
    if cell not in cells_for(mask, name, *before):
        return set()
    return set(allowed(mask, *before, NAMES.index(name), 0, cell))


def fleets_for(mask: Any, name: str, *before: list[int]) -> set[int]:
    """Fleets of a verb that names no cell."""
    return set(allowed(mask, *before, NAMES.index(name), 0, 0)) if is_open(mask, name, *before) else set()


def decoded(w: SmallWorld, *commands: list[int]) -> list[tuple[Any, ...]]:
    """The commands of an action as they stand in the plan."""
    action = np.zeros((1, 1 + 4 * HEADS), np.int64)
    action[0, 0] = REPLACE
    for k, heads in enumerate(commands):
        action[0, 1 + k * HEADS : 1 + (k + 1) * HEADS] = heads
    world = copy_world(w.world)
    apply(world, w.rules, MENU, np.zeros(1, np.int64), action, CELLS)
    return [tuple(order) for order in plans.plan_of(world, 0)]


def busy(**nation: Any) -> SmallWorld:
    """A strait with ships in three fleets, one laden, a unit ashore, mines, a wreck, an enemy."""
    w = strait(**{"funds": 5000, **nation})
    ship(w, "destroyer", 3, 3, 0)
    ship(w, "battleship", 3, 2, 0, hp=2)
    laden = ship(w, "destroyer", 3, 6, 1, hp=4)
    ship(w, "cruiser", 5, 5, 3, escort=True)
    w.unit(0, "infantry", 2, 2, strength=50)
    w.cell(2, 1, terrain="naval_port", owner=0)
    go_aboard(w, laden, 2, 8, strength=30)
    w.cell(5, 1, terrain="naval_mine", owner=0, level=2)
    w.cell(4, 1, terrain="naval_mine", owner=1, level=1)
    w.wreck(4, 5, "carrier")
    w.ship(1, "destroyer", 6, 5)
    w.fleet(0, 0, target=(5, 8))
    w.fleet(0, 1, target=(5, 8))
    w.world.fleets["legs"][0, 1] = 8
    territory.index(w.world, w.rules)
    return w


SPOTS = [
    at(*place)
    for place in ((3, 1), (3, 2), (3, 3), (3, 4), (2, 3), (3, 6), (5, 5), (4, 5), (5, 1), (4, 1), (8, 8))
]


@pytest.mark.rule("CMD-005")
@pytest.mark.parametrize("means", [{}, {"funds": 700, "steel": 3}, {"funds": 0, "food": 10}])
def test_every_head_is_offered_if_and_only_if_the_decoded_command_is_accepted(means: dict[str, int]) -> None:
    w = busy(**means)
    mask = mask_of(w)
    wrong = []
    for v, verb in enumerate(MENU.verbs):
        if verb.category != "navy":
            continue
        count = int(MENU.table.verbs[v]["count"][0])
        spots = SPOTS if verb.needs_cell else [0]
        cells = cells_for(mask, verb.name) if verb.needs_cell else {0} if is_open(mask, verb.name) else set()
        for spot in spots:
            fits = set(allowed(mask, v + 1, 0, spot)) if count and spot in cells else set()
            for value in range(max(1, count)):
                (order,) = decoded(w, command(verb.name, spot, value))
                offered = spot in cells and (value in fits or not count)
                if offered != validate.is_legal(w.world, w.rules, 0, *order):
                    wrong.append((verb.name, spot, value))
    assert wrong == []
    if not means:
        quiet = {"salvo_order:clear"}  # no salvo order outlives its turn
        navy = {verb.name for verb in MENU.verbs if verb.category == "navy"}
        assert {name for name in navy if not is_open(mask, name)} == quiet


@pytest.mark.rule("NAVY-095", "NAVY-081", "NAVY-034")
def test_ships_are_built_on_water_beside_an_own_naval_port() -> None:
    """A destroyer costs 400 funds and 3 steel and enters shallows, a cruiser 800 and 4 and does not."""
    mask = mask_of(strait())
    assert cells_for(mask, "build_ship:destroyer") == {at(3, 2), at(3, 3), at(3, 4)}
    assert cells_for(mask, "build_ship:cruiser") == {at(3, 2), at(3, 3)}
    assert values_for(mask, "build_ship:cruiser", at(3, 2)) == set(range(16))
    assert is_open(mask_of(strait(funds=400, steel=3)), "build_ship:destroyer")
    assert not is_open(mask_of(strait(funds=399)), "build_ship:destroyer")
    assert not is_open(mask_of(strait(steel=2)), "build_ship:destroyer")
    poor = mask_of(strait(funds=400, steel=3))
    entry = int(poor["cells"][MENU.cell_row[NAMES.index("build_ship:destroyer") - 1], at(3, 3)])
    assert poor["prices"][entry - 1].tolist() == [0, 0, 0, 0, 0, 0, 0, 3, 0, 400, *[0] * 6]


@pytest.mark.rule("NAVY-038", "NAVY-039")
def test_fleets_and_ports_bound_new_ships() -> None:
    """Five ships in fleet 2: it is full; with ten ships two naval ports have no more."""
    w = strait()
    for k in range(5):
        ship(w, "destroyer", 5, k, 2)
    assert values_for(mask_of(w), "build_ship:destroyer", at(3, 3)) == set(range(16)) - {2}
    for k in range(4):
        ship(w, "destroyer", 6, k, 3)
    assert is_open(mask_of(w), "build_ship:destroyer")
    ship(w, "destroyer", 6, 4, 4)
    mask = mask_of(w)
    assert not is_open(mask, "build_ship:destroyer") and mask["uses"][6] == 0


@pytest.mark.rule("NAVY-039", "NAVY-102")
def test_a_fleet_is_joined_once_in_an_action() -> None:
    w = strait()
    ship(w, "destroyer", 5, 5, 1)
    ship(w, "destroyer", 5, 8, 1)
    mask = mask_of(w)
    assert values_for(mask, "form_fleet:join", at(5, 5)) == set(range(16)) - {1}
    built = command("build_ship:destroyer", at(3, 3), 7)
    assert not is_open(mask, "build_ship:cruiser", built)  # one new ship
    assert values_for(mask, "form_fleet:join", at(5, 5), built) == set(range(16)) - {1, 7}
    joined = command("form_fleet:join", at(5, 5), 4)
    assert cells_for(mask, "form_fleet:join", joined) == {at(5, 8)}
    assert values_for(mask, "form_fleet:join", at(5, 8), joined) == set(range(16)) - {1, 4}
    assert 4 not in values_for(mask, "build_ship:destroyer", at(3, 3), joined)


@pytest.mark.rule("NAVY-056", "NAVY-057", "NAVY-049")
def test_fleets_with_ships_are_sent_to_water() -> None:
    w = strait()
    ship(w, "destroyer", 5, 5, 1)
    ship(w, "destroyer", 5, 7, 4)
    w.fleet(0, 4, target=(5, 1))
    mask = mask_of(w)
    sea = {at(x, y) for x in range(3, 7) for y in range(10)}
    assert cells_for(mask, "fleet_move:target") == sea | {at(2, 3), at(0, 9)}
    assert values_for(mask, "fleet_move:target", at(4, 4)) == {1, 4}
    assert values_for(mask, "fleet_move:waypoint", at(4, 4)) == {4}
    assert fleets_for(mask, "fleet_move:clear") == {4}
    w.world.fleets["legs"][0, 4] = 8
    assert not is_open(mask_of(w), "fleet_move:waypoint")
    point = command("fleet_move:waypoint", at(4, 4), 4)  # another one might be too many
    assert not is_open(mask, "fleet_move:waypoint", point) and not is_open(mask, "fleet_move:clear", point)
    assert values_for(mask, "fleet_move:target", at(4, 4), point) == {1, 4}
    gone = command("decommission", at(5, 7))
    assert values_for(mask, "fleet_move:target", at(4, 4), gone) == {1}
    assert not is_open(mask, "fleet_move:clear", gone)


@pytest.mark.rule("BOMB-033")
def test_any_cell_may_be_fired_at_by_fleets_with_ships() -> None:
    w = strait()
    ship(w, "destroyer", 5, 5, 1)
    mask = mask_of(w)
    assert cells_for(mask, "salvo_order:all") == set(range(100))
    assert values_for(mask, "salvo_order:fleet", at(9, 0)) == {1}
    fired = command("salvo_order:fleet", at(9, 0), 1)
    assert at(9, 0) in cells_for(mask, "salvo_order:fleet", fired)  # an order changes nothing there
    step = command("ship_step", at(5, 5), EAST)  # onto a mine that is not seen, perhaps
    for name in ("salvo_order:all", "salvo_order:fleet", "fleet_move:target"):
        assert is_open(mask, name) and not is_open(mask, name, step)
    assert not is_open(mask_of(strait()), "salvo_order:all")


@pytest.mark.rule("NAVY-080", "NAVY-081", "NAVY-101")
def test_directions_of_a_step_depend_on_the_ship() -> None:
    """West of (3, 3) is the port, south-west shallows."""
    for kind, ways in (
        ("destroyer", {NORTH_EAST, EAST, SOUTH_EAST, SOUTH_WEST, NORTH_WEST}),
        ("cruiser", {NORTH_EAST, EAST, SOUTH_EAST, NORTH_WEST}),
    ):
        w = strait()
        ship(w, kind, 3, 3)
        ship(w, "cruiser", 5, 5)
        mask = mask_of(w)
        assert values_for(mask, "ship_step", at(3, 3)) == ways
        assert values_for(mask, "ship_step", at(5, 5)) == set(range(6))
        assert decoded(w, command("ship_step", at(3, 3), EAST)) == [(78, 3, 3, 2, 0)]


@pytest.mark.rule("EMBARK-001", "EMBARK-002", "EMBARK-003", "EMBARK-011")
def test_directions_of_boarding_and_landing() -> None:
    """West of (3, 6) lies (2, 6) with a unit; (2, 5) north-west of it and (2, 7) south-west are free."""
    w = strait()
    carrier = ship(w, "destroyer", 3, 6)
    w.unit(0, "infantry", 2, 6, strength=200)
    mask = mask_of(w)
    assert values_for(mask, "embark", at(3, 6)) == {WEST}
    assert not is_open(mask, "disembark")
    unit = int(w.world.cells["unit"][6, 2])
    w.world.units["aboard"][unit], w.world.units["cell"][unit] = carrier, -1
    w.world.cells["unit"][6, 2] = -1
    mask = mask_of(w)
    assert values_for(mask, "disembark", at(3, 6)) == {WEST, NORTH_WEST, SOUTH_WEST}
    assert not is_open(mask, "embark") and not is_open(mask, "decommission")
    built = command("farm", at(2, 7))  # what lies beside the ship is another ground then
    assert is_open(mask, "disembark", command("farm", at(2, 9))) and not is_open(mask, "disembark", built)
    assert not is_open(mask, "disembark", command("ceasefire:offer", nation=1))


@pytest.mark.rule("NAVY-101", "EMBARK-011")
def test_ships_near_one_that_moves_or_lands_wait() -> None:
    """(5, 3) lies 2 cells from (3, 3), (6, 3) lies 3."""
    w = strait()
    for x in (3, 5, 6):
        ship(w, "destroyer", x, 3)
    mask = mask_of(w)
    step = command("ship_step", at(3, 3), EAST)
    assert cells_for(mask, "ship_step") == {at(3, 3), at(5, 3), at(6, 3)}
    assert cells_for(mask, "ship_step", step) == {at(6, 3)}
    assert cells_for(mask, "fleet_mode:hunt", step) == {at(6, 3)}
    mode = command("fleet_mode:hunt", at(3, 3))
    assert cells_for(mask, "ship_step", mode) == {at(3, 3), at(5, 3), at(6, 3)}


@pytest.mark.rule("NAVY-089", "NAVY-090")
def test_repairs_cost_ten_times_the_upkeep_beside_a_naval_port() -> None:
    """A battleship: 200 funds and 150 food."""
    w = strait()
    ship(w, "battleship", 3, 2, hp=3)
    ship(w, "destroyer", 3, 3, hp=4)  # full
    ship(w, "destroyer", 5, 5, hp=1)  # too far
    mask = mask_of(w)
    assert cells_for(mask, "naval_repair") == {at(3, 2)}
    entry = int(mask["cells"][MENU.cell_row[NAMES.index("naval_repair") - 1], at(3, 2)])
    assert mask["prices"][entry - 1, [8, 9]].tolist() == [150, 200]
    assert not is_open(mask, "naval_repair", command("naval_repair", at(3, 2)))
    for few in ({"funds": 199}, {"food": 149}):
        w.nation(0, **few)
        assert not is_open(mask_of(w), "naval_repair")
        w.nation(0, funds=2000, food=500)


@pytest.mark.rule("NAVY-038", "NAVY-089")
def test_nothing_counts_on_a_naval_port_that_is_pulled_down() -> None:
    w = strait()
    ship(w, "battleship", 3, 2, hp=3)
    mask = mask_of(w)
    gone = command("prepare_land", at(2, 3))
    assert not is_open(mask, "naval_repair", gone) and not is_open(mask, "build_ship:destroyer", gone)
    other = command("prepare_land", at(0, 9))  # ships may be too many for the ports left
    assert is_open(mask, "naval_repair", other) and not is_open(mask, "build_ship:destroyer", other)


@pytest.mark.rule("NMINE-003", "NMINE-012")
def test_mines_cost_their_strength_and_are_ten_at_most() -> None:
    shore = at(3, 0)
    assert values_for(mask_of(strait(funds=600)), "lay_mine", shore) == {0, 1}
    assert values_for(mask_of(strait(funds=599)), "lay_mine", shore) == {0}
    assert not is_open(mask_of(strait(funds=299)), "lay_mine")
    mask = mask_of(strait(funds=1000))
    strong = command("lay_mine", at(3, 0), 1)
    assert values_for(mask, "lay_mine", at(3, 1), strong) == {0}
    assert at(3, 4) not in cells_for(mask, "lay_mine") and at(4, 4) not in cells_for(mask, "lay_mine")
    w = strait()
    for k in range(9):
        w.cell(5, k, terrain="naval_mine", owner=0, level=1)
    mask = mask_of(w)
    assert mask["uses"][7] == 1
    assert is_open(mask, "lay_mine") and not is_open(mask, "lay_mine", command("lay_mine", at(3, 0)))
    w.cell(5, 9, terrain="naval_mine", owner=0, level=1)
    assert not is_open(mask_of(w), "lay_mine")


@pytest.mark.rule("NMINE-005")
def test_own_mines_are_removed_for_a_fifth() -> None:
    w = strait(funds=119)
    for x, owner, level in ((4, 0, 1), (5, 0, 2), (6, 1, 1)):
        w.cell(x, 5, terrain="naval_mine", owner=owner, level=level)
    assert cells_for(mask_of(w), "remove_mine") == {at(4, 5)}
    w.nation(0, funds=120)
    mask = mask_of(w)
    assert cells_for(mask, "remove_mine") == {at(4, 5), at(5, 5)}
    row = MENU.cell_row[NAMES.index("remove_mine") - 1]
    for x, funds in ((4, 60), (5, 120)):
        assert mask["prices"][int(mask["cells"][row, at(x, 5)]) - 1, 9] == funds


@pytest.mark.rule("NAVY-043", "NAVY-044")
def test_one_wreck_is_salvaged_beside_an_own_ship() -> None:
    """The first could leave no room in the treasury for the second."""
    w = strait()
    for x, y in ((5, 5), (6, 5), (3, 0)):
        w.wreck(x, y, "carrier")
    ship(w, "destroyer", 5, 5)
    mask = mask_of(w)
    assert cells_for(mask, "salvage_wreck") == {at(5, 5), at(6, 5)}
    assert not is_open(mask, "salvage_wreck", command("salvage_wreck", at(6, 5)))
    assert not is_open(mask, "salvage_wreck", command("ship_step", at(5, 5), WEST))


@pytest.mark.rule("NAVY-102")
def test_a_flagship_is_chosen_while_its_fleet_stays_together() -> None:
    w = strait()
    ship(w, "destroyer", 5, 5, 1)
    ship(w, "destroyer", 5, 8, 1)
    mask = mask_of(w)
    assert cells_for(mask, "form_fleet:flagship") == {at(5, 8)}
    leaving = command("form_fleet:join", at(5, 5), 2)  # the other one leads the fleet then
    assert not is_open(mask, "form_fleet:flagship", leaving)


@pytest.mark.rule("NAVY-020", "NMINE-012")
def test_who_hides_changes_no_direction() -> None:
    """An enemy cruiser and a mine 4 and more cells from nation 0's land, 3 from its ship: none is seen."""
    w = strait()
    ship(w, "cruiser", 3, 0)
    before = mask_of(w)
    w.ship(1, "cruiser", 6, 6)
    w.cell(6, 7, terrain="naval_mine", owner=1, level=2)
    after = mask_of(w)
    for name in before:
        assert np.array_equal(before[name], after[name]), name


def test_a_nation_without_a_coast_has_no_verb_of_the_navy() -> None:
    mask = mask_of(strait(), nation=2)
    navy = [v for v, verb in enumerate(MENU.verbs) if verb.category == "navy"]
    assert not mask["verbs"][1:][navy].any() and not mask["options"].any()


def test_candidates_have_the_directions_of_each_ship() -> None:
    w = strait()
    ship(w, "cruiser", 3, 3)
    ship(w, "cruiser", 5, 5)
    menu = Menu(RULESET, 3, ["ship_step"], cells=100)
    rows, left_out = candidates(PlanSpace(menu, one_at_a_time=True), mask_of(w, menu), 50)
    expected = [(1, at(3, 3), k) for k in (0, 1, 2, 5)] + [(1, at(5, 5), k) for k in range(6)]
    assert [(verb, cell, a) for verb, _, cell, a, *_ in rows[1:].tolist()] == expected
    assert left_out == 0


def test_a_menu_after_commands_is_what_they_leave() -> None:
    w = busy()
    mask = mask_of(w)
    for first in (
        command("form_fleet:join", at(3, 3), 5),
        command("fleet_move:waypoint", at(4, 4), 0),
        command("build_ship:destroyer", at(3, 4), 9),
        command("decommission", at(5, 5)),
    ):
        buffers = {name: array[np.newaxis].copy() for name, array in mask.items()}
        MENU.book(buffers, np.zeros(1, np.int64), np.array([[REPLACE, *first]]))
        after = MENU.of(buffers, 0)
        assert allowed(after) == allowed(mask, first)
        for name in ("form_fleet:join", "fleet_move:target", "fleet_move:waypoint", "fleet_mode:hunt"):
            assert cells_for(after, name) == cells_for(mask, name, first)
            for cell in sorted(cells_for(after, name))[:4]:
                assert values_for(after, name, cell) == values_for(mask, name, cell, first)


def test_plans_written_by_others_keep_their_fleets_and_directions() -> None:
    """What can't be said is left out, not turned into what is near: fleet 3 has no ships."""
    w = strait()
    ship(w, "destroyer", 3, 3, 2)
    orders = [(68, 5, 5, 103, 0), (68, 5, 5, 102, 0), (66, 3, 2, 141, 0), (78, 3, 3, 5, 0), (76, 3, 0, 2, 0)]
    plans.set_plan(w.world, 0, orders)
    mask = mask_of(w)
    buffers = {name: array[np.newaxis] for name, array in mask.items()}
    action = actions_of(
        MENU, w.world.plans[:1], w.world.nations["plan_length"][:1], np.zeros(1, np.int64), CELLS[:1], 10,
        buffers, 4, np.zeros((1, 100), np.int64),
    )  # fmt: skip
    heads = action[0, 1:].reshape(-1, HEADS).tolist()
    assert heads[:3] == [
        command("fleet_move:target", at(5, 5), 2),
        command("build_ship:destroyer", at(3, 2), 4),
        command("lay_mine", at(3, 0), 1),
    ]


def words(w: SmallWorld) -> Vocabulary:
    return Vocabulary(w.ruleset, 3, 10, 10)


def said(w: SmallWorld, *lines: Any) -> answers.ParseResult:
    answer = json.dumps({"mode": "replace", "commands": list(lines)})
    return answers.parse(answer, w.world, w.rules, 0, words(w))


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("build_ship:destroyer at (3,4) fleet=2", (66, 3, 4, 121, 0)),
        ("build_ship:naval_port at (2,7)", (66, 2, 7, 0, 0)),
        ("fleet_move:target at (5,9) fleet=0", (68, 5, 9, 100, 0)),
        ("fleet_move:clear fleet=1", (68, 0, 0, 1001, 0)),
        ("ship_step at (3,3) direction=2", (78, 3, 3, 2, 0)),
        ("disembark at (3,6) direction=5", (74, 3, 6, 5, 0)),
        ("salvo_order:fleet at (8,8) fleet=3", (70, 8, 8, 2004, 0)),
        ("lay_mine at (3,0) strength=2", (76, 3, 0, 2, 0)),
    ],
)
def test_lines_of_the_navy(line: str, order: tuple[int, ...]) -> None:
    w = busy()
    result = said(w, line)
    assert result.rejected == () and tuple(result.commands[0]) == order
    assert result.lines == (line,)
    assert said(w, forms.document(table.Packed(*order))).commands == result.commands


@pytest.mark.rule("MAP-002")
@pytest.mark.parametrize("east", ["east", "East", 2, "2", "2.0"])
def test_a_direction_may_be_named(east: Any) -> None:
    w = busy()
    result = said(w, {"command": "ship_step", "x": 3, "y": 3, "direction": east})
    assert result.lines == ("ship_step at (3,3) direction=2",)
    assert said(w, f"ship_step at (3,3) direction={east}").commands == result.commands
    assert said(w, f"ship_step at (3,3) direction {east}").commands == result.commands


@pytest.mark.rule("MAP-002")
def test_all_directions_have_names() -> None:
    """1 north-east, then clockwise; also for corps, which may have none."""
    names = ["north_east", "east", "south_east", "south_west", "west", "north_west"]
    for number, name in enumerate(names, 1):
        for spelling in (name, name.replace("_", "-"), name.replace("_", ""), name.upper()):
            (line,) = said(strait(), f"corps_orders:attack corps=3 direction={spelling}").lines
            assert line == f"corps_orders:attack corps=3 direction={number}"
    assert said(strait(), "corps_orders:hold corps=3 direction=none").lines[0].endswith("direction=0")
    refused = said(busy(), "ship_step at (3,3) direction=none", "ship_step at (3,3) direction=up").rejected
    assert all("direction" in entry.reason and "1..6" in entry.reason for entry in refused)
    assert len(refused) == 2


def test_language_books_what_masks_book() -> None:
    w = busy()
    result = said(
        w,
        "build_ship:destroyer at (3,4) fleet=2",
        "build_ship:destroyer at (3,4) fleet=4",  # the same cell
        "build_ship:cruiser at (3,2) fleet=4",  # a ship lies there
        "form_fleet:join at (5,5) fleet=2",  # the fleet that the new ship goes to
        "form_fleet:join at (5,5) fleet=7",
        "fleet_move:target at (5,9) fleet=3",  # the cruiser was all of it
        "salvo_order:all at (8,8)",
        "fleet_move:target at (5,9) fleet=0",
        "fleet_move:waypoint at (5,8) fleet=0",
        "fleet_move:waypoint at (5,7) fleet=0",
        "ship_step at (3,6) direction=east",
        "disembark at (3,6) direction=west",
    )
    assert [int(place[9:-1]) for place in result.places] == [0, 4, 7, 8, 10]
    told = [entry.reason for entry in result.rejected]
    assert "can't be done again" in told[0] and "same fleet" in told[2]
    assert "out of the fleet" in told[3] and "out of the fleet" in told[4]
    assert "course of the fleet" in told[5] and "same cell" in told[6]


def test_prices_and_offers_in_words() -> None:
    prices = {
        "build_ship:carrier": "3000 funds, 13 steel",
        "build_ship:naval_port": "600 funds",
        "lay_mine": "300 funds for each strength",
        "remove_mine": "60..120 funds",
        "naval_repair": "50..300 funds, 40..250 food",
        "ship_step": "free",
    }
    for name, told in prices.items():
        assert hints.price(RULESET, table.by_name()[name]) == told
    w = busy()
    offers = hints.offers(w.world, w.rules, words(w), 0)
    assert {"ship_step", "embark", "disembark", "build_ship:submarine"} <= {
        offer.verb.name for offer in offers
    }
