"""The menu says exactly what the validator says on the nation's own view, and nothing hidden shows in it."""

import itertools
import pickle
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from hakoenv.engine import view
from hakoenv.engine.codes import item, reason
from hakoenv.engine.commands import prices, table, validate
from hakoenv.engine.commands.table import by_name
from hakoenv.engine.season import Season
from hakoenv.envs.plan_space import PlanSpace
from hakoenv.obs import menu_table
from hakoenv.obs.menu import NATIONS, Menu
from hakoenv.ruleset import load_ruleset
from hakoenv.testing import SmallWorld
from hakoenv.testing.hidden import vary_hidden

RULESET = load_ruleset("season")
MENU = Menu(RULESET, 3, "everything")


def filled(w: SmallWorld, cells: Any, menu: Menu = MENU) -> dict[str, Any]:
    buffers = menu.buffers()
    menu.fill(w.world, w.rules, cells, buffers)
    return buffers


MANY = 63  # ways to choose the values of a verb, beyond which some stand for all


@cache
def one_of(menu: Menu) -> PlanSpace:
    return PlanSpace(menu, 1)


def choices(menu: Menu, v: int) -> list[tuple[int, ...]]:
    """The places of offered values; the first ones where a command isn't built (it is refused anyway)."""
    record = menu.table.verbs[v]
    counts = [int(record["count"][k]) for k in range(int(record["factors"]))]
    if not validate.HANDLED[menu.verbs[v].command]:
        return [(0,) * len(counts)] if all(counts) else []
    ways = list(itertools.product(*(range(count) for count in counts)))
    return ways if len(ways) <= MANY else ways[:: len(ways) // 11]


def orders_of(menu: Menu, cells: Any, nation: int) -> Any:
    """Everything that heads can say: (verb, place of the cell, place of the nation, places of the values)."""
    seats = menu.seats
    for v, verb in enumerate(menu.verbs):
        spots = np.flatnonzero(cells[nation] >= 0).tolist() if verb.needs_cell else [0]
        for spot, who, picks in itertools.product(
            spots, range(seats) if verb.needs_nation else [0], choices(menu, v)
        ):
            yield v, spot, who, picks


def packed(
    w: SmallWorld, menu: Menu, buffers: Any, cells: Any, n: int, v: int, spot: int, who: int, picks: Any
) -> Any:
    """The command of some heads; None if they mean none."""
    verb = menu.verbs[v]
    cell = int(cells[n, spot])
    people = int(w.world.cells.reshape(-1)["population"][cell])
    values = [
        max(1, people * menu.values(v, k)[pick] // 100)
        if menu.percents(v, k)[pick]
        else menu.values(v, k)[pick]
        for k, pick in enumerate(picks)
    ]
    if menu.table.verbs["deal"][v]:  # what these say: test_menu_trade.py
        heads = [v + 1, who, spot, *picks, *[0] * (4 - len(picks))]
        values = menu.numbers(menu.of(buffers, n), heads)
        if verb.name == "exchange:offer" and values[1] == values[3] == 0:
            return None
    return table.pack(verb, (cell % w.width, cell // w.width), (n + who) % w.nations, values)


def offered(menu: Menu, buffers: Any, n: int, v: int, spot: int, who: int, picks: Any) -> bool:
    verb, record = menu.verbs[v], menu.table.verbs[v]
    if record["deal"]:
        action = np.array([[2, v + 1, who, spot, *picks, *[0] * (4 - len(picks))]], np.int64)
        return bool(one_of(menu).faults(buffers, np.array([n]), action)[0] == -1)
    legal = bool(buffers["verbs"][n, v + 1])
    if verb.needs_cell:
        legal = legal and bool(buffers["cells"][n, menu.cell_row[v], spot])
    if verb.needs_nation:
        legal = legal and bool(buffers["nations"][n, v, who])
    if verb.needs_cell and verb.needs_nation:
        legal = legal and bool(buffers["beside"][n, spot] >> who & 1)
    if legal and verb.name.startswith("place_unit"):
        legal = can_place(buffers, n, menu.values(v, 1)[picks[1]], menu.cell_row[v], spot)
    if legal and verb.name == "lay_mine":
        entry = int(buffers["cells"][n, menu.cell_row[v], spot]) - 1
        price = buffers["prices"][n, entry].astype(np.int64) * menu.values(v, 0)[picks[0]]
        legal = bool((buffers["purse"][n] >= price).all())
    if record["options"] >= 0:
        legal = legal and bool(buffers["options"][n, spot, record["options"]] >> picks[0] & 1)
    for factor, pick in enumerate(picks):
        legal = legal and bool(buffers["factors"][n, v, factor, pick])
    if record["joint"] >= 0:
        legal = legal and bool(menu.table.joint[record["joint"], picks[0], picks[1]])
    return legal


def can_place(buffers: Any, n: int, strength: int, row: int, spot: int) -> bool:
    """Whether the purse pays what finds room, and the reserves hold all that is named (ARMY-061)."""
    price = buffers["prices"][n, int(buffers["cells"][n, row, spot]) - 1].astype(np.int64)
    due = price * min(strength, int(buffers["limits"][n, spot]))
    due[item.COUNT] = strength
    return bool((buffers["purse"][n] >= due).all())


@pytest.mark.rule("CMD-005")
@pytest.mark.parametrize("seed", range(50))
def test_menu_is_the_validator_on_the_own_view(
    seed: int, crowded_world: Callable[..., SmallWorld], cells_around: Any
) -> None:
    w = crowded_world(seed)
    cells = cells_around(w)
    cells[:, :40] = np.random.default_rng(seed).permuted(cells[:, :40], axis=1)  # any order, with gaps
    w.world.nations["alive"][2] = seed % 4 > 0
    buffers = filled(w, cells)
    n = seed % 3
    if not w.world.nations["alive"][n]:
        assert buffers["verbs"][n].sum() == 1
        return
    wrong = []
    for order in orders_of(MENU, cells, n):
        command = packed(w, MENU, buffers, cells, n, *order)
        legal = command is not None and validate.is_legal(w.world, w.rules, n, *command)
        if offered(MENU, buffers, n, *order) != legal:
            wrong.append((MENU.verbs[order[0]].name, *command))
    assert wrong == []
    for v, verb in enumerate(MENU.verbs):  # a verb is offered if and only if there is a way to give it
        ways = buffers["cells"][n, MENU.cell_row[v]] if verb.needs_cell else [1]
        ways = buffers["nations"][n, v] if verb.needs_nation else ways
        assert buffers["verbs"][n, v + 1] <= np.any(ways)
        if verb.needs_cell:
            assert buffers["verbs"][n, v + 1] == np.any(ways)


@pytest.mark.rule("CMD-005")
@pytest.mark.parametrize("seed", range(12))
def test_what_a_nation_would_be_refused_on_its_own_view_is_refused_in_truth(
    seed: int, crowded_world: Callable[..., SmallWorld]
) -> None:
    """Else a masked command could be carried out, and tell what is hidden."""
    w = crowded_world(seed, means=9)
    n = seed % 3
    for command in np.flatnonzero(validate.HANDLED == validate.OF_CELL).tolist():
        for amount, y, x in itertools.product((0, 1, 2, 3, 4, 10), range(8), range(8)):
            truth, own = (
                validate.check(w.world, w.rules, viewer, n, w.turn, command, x, y, amount, 0)
                for viewer in (view.TRUTH, n)
            )
            assert truth != reason.DONE or own == reason.DONE, (command, amount, x, y)


def test_the_worlds_above_offer_every_verb_that_is_built(
    crowded_world: Callable[..., SmallWorld], cells_around: Any
) -> None:
    """Else their comparison would say nothing; ties of nations are compared in test_menu_diplomacy.py."""
    seen = np.zeros(len(MENU.verbs) + 1, bool)
    for seed in range(50):
        w = crowded_world(seed)
        seen |= filled(w, cells_around(w))["verbs"][seed % 3] > 0
    apart = (validate.OF_FACTION, validate.OF_ALLIANCE)
    built = [bool(validate.HANDLED[verb.command]) for verb in MENU.verbs]
    verbs = zip(MENU.verbs, built, seen[1:], strict=True)
    missed = {verb.name for verb, is_built, offered in verbs if is_built and not offered}
    assert {name for name in missed if validate.HANDLED[by_name()[name].command] not in apart} == set()
    assert not seen[1:][~np.array(built)].any()


@pytest.mark.rule("CMD-006", "CMD-007")
def test_prices_are_those_of_the_commands(
    crowded_world: Callable[..., SmallWorld], cells_around: Any
) -> None:
    """Of the coming turn: a farm costs 20 funds, a factory 50 up to turn 100 and 100 from turn 101."""
    for turn, factory in ((99, 50), (100, 100)):
        w = SmallWorld(8, 8, 3, turn=turn)
        w.cell(4, 4, terrain="town", owner=0, population=50)
        w.cell(5, 4, terrain="plains", owner=0)
        w.nation(0, funds=1000, wood=100, stone=100, ore=100)
        buffers = filled(w, cells_around(w))
        place = np.flatnonzero((buffers["places"][0] == (5, 4)).all(1))[0]
        for name, funds, wood, stone in (
            ("farm", 20, 0, 0),
            ("factory", factory, 0, 0),
            ("warehouse", 200, 20, 10),
        ):
            v = [verb.name for verb in MENU.verbs].index(name)
            entry = buffers["cells"][0, MENU.cell_row[v], place]
            assert entry > 0
            expected = [0] * menu_table.MEANS
            expected[item.FUNDS], expected[item.WOOD], expected[item.STONE] = funds, wood, stone
            assert buffers["prices"][0, entry - 1].tolist() == expected
        assert buffers["purse"][0].tolist() == [*w.world.nations["treasury"][0].tolist(), *[0] * 6]


@pytest.mark.rule("DEV-010")
def test_a_price_by_level_is_that_of_the_level(cells_around: Any) -> None:
    w = SmallWorld(8, 8, 3, turn=100)
    for x, level in ((2, 1), (4, 9)):
        w.cell(x, 4, terrain="quarry", owner=0, level=level)
    w.nation(0, funds=900, wood=10, stone=10)
    buffers = filled(w, cells_around(w))
    v = [verb.name for verb in MENU.verbs].index("mine_level_up")
    for x, cost in ((2, 100), (4, 900)):  # DEV-010: level x 100
        place = np.flatnonzero((buffers["places"][0] == (x, 4)).all(1))[0]
        entry = buffers["cells"][0, MENU.cell_row[v], place]
        assert buffers["prices"][0, entry - 1, item.FUNDS] == cost


def test_every_price_is_the_price_kernels() -> None:
    w = SmallWorld(8, 8, 3, turn=100)
    buffers = filled(w, np.full((3, 256), -1, np.int32))
    for p, (command, kind, row, level) in enumerate(MENU.table.prices.tolist()[1:], 1):
        for what in range(item.COUNT):
            table_of = (prices.COMMAND, command) if kind == menu_table.ITEM else (kind, row)
            expected = prices.price(w.rules, 101, command, *table_of, level, what)
            assert buffers["prices"][0, p, what] == expected
        others = [0] * 6  # reserves, then the items for units
        if kind == prices.UNIT:
            others[0] = 1
        elif kind == menu_table.ITEM and row > 0:
            others[row] = 1
        assert buffers["prices"][0, p, item.COUNT :].tolist() == others


def test_a_world_that_differs_in_hidden_things_has_the_same_menu(
    crowded_world: Callable[..., SmallWorld], cells_around: Any
) -> None:
    for seed in range(60):
        w = crowded_world(seed)
        cells = cells_around(w)
        buffers = filled(w, cells)
        viewer = seed % 3
        changed = vary_hidden(w.world, w.rules, viewer, np.random.default_rng(seed))
        other = MENU.buffers()
        MENU.fill(changed, w.rules, cells, other)
        for name in buffers:
            assert np.array_equal(buffers[name][viewer], other[name][viewer]), name


def test_menus_lie_in_their_space_and_always_leave_a_choice(
    crowded_world: Callable[..., SmallWorld], cells_around: Any
) -> None:
    space = MENU.space()
    w = crowded_world(1)
    w.world.nations["treasury"][0] = 0
    w.world.nations["treasury"][1] = 2**40
    w.world.nations["alive"][2] = 0
    buffers = filled(w, cells_around(w))
    for n in range(3):
        menu = MENU.of(buffers, n)
        assert space.contains(menu)
        assert menu["verbs"][0] == 1
    fundraise = 1 + [verb.name for verb in MENU.verbs].index("fundraise")
    assert buffers["verbs"][:, fundraise].tolist() == [1, 1, 0]


def test_buffers_hold_nothing_of_an_earlier_fill(
    crowded_world: Callable[..., SmallWorld], cells_around: Any
) -> None:
    w = crowded_world(2)
    cells = cells_around(w)
    clean, dirty = filled(w, cells), MENU.buffers()
    for array in dirty.values():
        array.fill(77)
    MENU.fill(w.world, w.rules, cells, dirty)
    copy = pickle.loads(pickle.dumps(MENU))
    again = copy.buffers()
    copy.fill(w.world, w.rules, cells, again)
    for name in clean:
        assert clean[name].tobytes() == dirty[name].tobytes() == again[name].tobytes()


def test_a_choice_of_commands_is_all_the_menu_has() -> None:
    menu = Menu(RULESET, 2, ["farm", "research:military"], cells=10)
    assert [verb.name for verb in menu.verbs] == ["farm", "research:military"]
    assert {name: space.shape for name, space in menu.space().items()} == {
        "verbs": (3,),
        "cells": (1, 10),
        "nations": (2, NATIONS),
        "factors": (2, 4, 32),
        "prices": (len(menu.table.prices), 16),
        "flat_price": (2,),
        "purse": (16,),
        "uses": (21,),
        "places": (10, 2),
        "beside": (10,),
        "limits": (10,),
        "options": (10, 5),
        "trade": (9, 32),
        "deals": (40, 4),
    }


@pytest.mark.parametrize(
    ("settings", "said"),
    [({"seats": 41}, "seats=41"), ({"seats": 0}, "seats=0"), ({"cells": 0}, "cells=0"),
     ({"commands": "frm"}, "nearest")],
)  # fmt: skip
def test_what_can_not_be_is_refused(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Menu(RULESET, **{"seats": 2, **settings})


def test_a_ruleset_with_very_many_prices_gets_wider_entries(cells_around: Any) -> None:
    """If a step of a large farm costs 20 x level, there are as many prices as levels."""
    rules = {"facility_costs.large_farm.step_funds.per_level": 1, "terrains.large_farm.level_max": 250}
    w = SmallWorld(8, 8, 3, turn=100, rules=rules)
    menu = Menu(w.ruleset, 3)
    w.cell(4, 4, terrain="large_farm", owner=0, level=240)
    w.nation(0, funds=30_000, wood=100, stone=100)
    buffers = filled(w, cells_around(w), menu)
    assert buffers["cells"].dtype == np.uint16
    v = [verb.name for verb in menu.verbs].index("farm")
    entry = buffers["cells"][0, menu.cell_row[v]].max()
    step = w.ruleset["facility_costs.large_farm.step_funds"]
    assert buffers["prices"][0, entry - 1, item.FUNDS] == 240 * step


@pytest.mark.rule("MAP-030")
def test_menus_are_right_in_the_middle_of_a_season(cells_around: Any) -> None:
    """A sample of a played season, every cell of each list."""
    season = Season.new("duel", seed=5, agents="rule_ai")
    season.run(until=60)
    w = SmallWorld(8, 8, 2)
    w.world = season.world
    w.width, w.height, w.nations = season.world.cells.shape[1], season.world.cells.shape[0], 2
    cells = cells_around(w)
    menu = Menu(season.ruleset, 2)
    buffers = menu.buffers()
    menu.fill(season.world, season.rules, cells, buffers)
    count = 0
    for n in range(2):
        for order in orders_of(menu, cells, n):
            command = packed(w, menu, buffers, cells, n, *order)
            legal = command is not None and validate.is_legal(season.world, season.rules, n, *command)
            assert offered(menu, buffers, n, *order) == legal, command
            count += legal
    assert count > 50


@pytest.mark.rule("CMD-049")
def test_all_settings_of_trade_with_the_private_sector_are_on_the_menu_and_in_the_economy(
    cells_around: Any,
) -> None:
    w = SmallWorld(8, 8, 3)
    w.cell(4, 4, terrain="town", owner=0, population=50)
    menu = Menu(RULESET, 3, "economy")
    buffers = filled(w, cells_around(w), menu)
    for name in ("export_cap", "buyback_target"):
        v = [verb.name for verb in menu.verbs].index(name)
        assert buffers["verbs"][0, v + 1] == 1
        assert menu.values(v, 0) == list(range(9))  # wood .. food
        assert buffers["factors"][0, v].sum(1).tolist() == [9, 7, 0, 0]
    sampled: Counter[str] = Counter()
    space = PlanSpace(menu, seed=2)
    for _ in range(60):
        action = space.sample(menu.of(buffers, 0))
        sampled.update(menu.verbs[v - 1].name for v in action[1::7].tolist() if v)
    assert sampled["export_cap"] and sampled["buyback_target"]


@pytest.mark.rule("CMD-001", "CMD-049")
def test_a_plan_full_of_settings_is_carried_out_in_one_turn_and_ends() -> None:
    w = SmallWorld(8, 8, 1)
    w.cell(4, 4, terrain="town", owner=0, population=50, capital=True)
    for k in range(50):
        w.order(0, "buyback_target", 0, 0, k % 9 * 100_000 + k)
    w.run(1)
    done = w.log(0)
    assert len(done) == 51 and ": fundraise " in done[50]
    assert all(": buyback_target " in line and line.endswith("carried out") for line in done[:50])
    assert w.world.nations["targets"][0].tolist() == [45, 46, 47, 48, 49, 41, 42, 43, 44]
