"""Sea ways of ships against a plain search, and what they avoid (NAVY-050, NAVY-051, NAVY-076 to 081)."""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np
import pytest

from hakoenv.engine import view
from hakoenv.engine.navy import routes
from hakoenv.ruleset import load_ruleset
from hakoenv.testing import SmallWorld

OPEN, PORT, SHUT = "open", "port", "shut"
EVEN = ((0, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (-1, -1))  # directions 1..6 of rows with even y
ODD = ((1, -1), (1, 0), (1, 1), (0, 1), (-1, 0), (0, -1))


def way(
    w: SmallWorld, ship: int, x: int, y: int, most: int = 50, viewer: int = 0
) -> list[tuple[int, int]] | None:
    """The cells of a ship's way to a cell; None if there is none."""
    path = np.full(most, -9, np.int64)
    count = routes.find(w.world, w.rules, viewer, ship, w.place(x, y), path)
    return None if count == routes.NO_WAY else [(int(c) % w.width, int(c) // w.width) for c in path[:count]]


# ---------------------------------------------------------------- against a plain search


def around(w: SmallWorld, x: int, y: int) -> list[tuple[int, int]]:
    """The neighbours on the map in the order of directions."""
    steps = ((x + dx, y + dy) for dx, dy in (ODD if y % 2 else EVEN))
    return [(u, v) for u, v in steps if 0 <= u < w.width and 0 <= v < w.height]


def hops(w: SmallWorld, kinds: dict[Any, str], here: tuple[int, int]) -> list[list[tuple[int, int]]]:
    """What a ship can do on open water: go one cell, or two over a port, in the order of directions."""
    found = []
    for near in around(w, *here):
        if kinds[near] == OPEN:
            found.append([near])
        elif kinds[near] == PORT:
            found += [
                [near, beyond] for beyond in around(w, *near) if kinds[beyond] == OPEN and beyond != here
            ]
    return found


def plain_way(w: SmallWorld, kinds: dict[Any, str], start: Any, goal: Any) -> list[tuple[int, int]] | None:
    """Dijkstra over hops, from the ship, with the directions of all cells as the tie-break."""
    goals = {goal} if kinds[goal] == OPEN else {c for c in around(w, *goal) if kinds[c] == OPEN}
    kinds = {**kinds, start: OPEN}
    if start in around(w, *goal) and kinds[goal] != OPEN:
        goals.add(start)
    heap: list[Any] = [(0, [], [], start)]
    done = set()
    while heap:
        cost, turns, cells, here = heapq.heappop(heap)
        if here in goals:
            return list(cells)
        if here in done:
            continue
        done.add(here)
        for hop in hops(w, kinds, here):
            places, last = [], here
            for cell in hop:
                table = ODD if last[1] % 2 else EVEN
                places.append(table.index((cell[0] - last[0], cell[1] - last[1])) + 1)
                last = cell
            heapq.heappush(heap, (cost + len(hop), turns + places, cells + hop, last))
    return None


def random_sea(number: int) -> tuple[SmallWorld, dict[Any, str], dict[Any, str], Any, Any]:
    """A map of all that matters with ships and units on it, and what its cells are to ship 0.

    The second form of the cells is as if no other ship or unit were there.
    """
    rng = np.random.default_rng(number)
    height, width = int(rng.choice([4, 7, 12])), int(rng.choice([5, 9, 12]))
    w = SmallWorld(height, width, 3)
    w.war(0, 1)
    kind = str(rng.choice(["destroyer", "destroyer", "cruiser"]))
    shallow = OPEN if kind == "destroyer" else SHUT
    harbour = PORT if kind == "destroyer" else SHUT
    ground = {
        "sea": OPEN, "shallows": shallow, "plains": SHUT, "breakwater": SHUT, "offshore_oil": OPEN,
        "naval_mine": SHUT, "port": harbour, "naval_port": harbour,
    }  # fmt: skip
    land = float(rng.choice([0.1, 0.3, 0.45]))
    odds = [1 - land, *(land * part for part in (0.2, 0.3, 0.05, 0.05, 0.1, 0.2, 0.1))]
    crowd = float(rng.choice([0, 0.1, 0.3]))
    taken, empty = {}, {}
    water = [(x, y) for y in range(height) for x in range(width)]
    start = water[int(rng.integers(len(water)))]
    w.ship(0, kind, *start)
    names = rng.choice(list(ground), len(water), p=odds)
    for (x, y), name in zip(water, names.tolist(), strict=True):
        name = "sea" if (x, y) == start else name
        owner = 0 if name == "naval_mine" else int(rng.integers(3))
        if name != "sea":
            w.cell(x, y, terrain=name, owner=None if name == "shallows" else owner)
        hostile = name in ("port", "naval_port") and owner == 1
        empty[x, y] = taken[x, y] = SHUT if hostile else ground[name]
        if rng.random() < crowd and (x, y) != start:
            taken[x, y] = SHUT
            if empty[x, y] == OPEN and (w.world.ships["kind"] == 0).any() and rng.random() < 0.7:
                w.ship(int(rng.integers(3)), "merchant", x, y)
            else:
                w.unit(0, "infantry", x, y)
    return w, taken, empty, start, water[int(rng.integers(len(water)))]


def compare(number: int) -> int:
    """Whether a way was found on a random map; the ways must be the same, cell by cell."""
    w, taken, empty, start, goal = random_sea(number)
    expected = plain_way(w, taken, start, goal)
    if expected is None and (through := plain_way(w, empty, start, goal)) is not None:
        free = [taken[cell] != SHUT for cell in through]
        expected = through[: free.index(False)] if False in free else through
        while expected and taken[expected[-1]] == PORT:
            expected.pop()
    found = way(w, 0, goal[0], goal[1], most=200)
    assert found == expected, number
    for most in (1, 3):  # the same way, cut where it is no port
        head = None if expected is None else expected[:most]
        while head and empty[head[-1]] == PORT:
            head.pop()
        assert way(w, 0, goal[0], goal[1], most=most) == head, number
    return int(found is not None)


@pytest.mark.rule(
    "NAVY-050", "NAVY-054", "NAVY-076", "NAVY-077", "NAVY-079", "NAVY-081", "NAVY-097", "EMBARK-007"
)
@pytest.mark.parametrize("maps", [300, pytest.param(10_000, marks=pytest.mark.soak)])
def test_ways_are_those_of_a_plain_search(maps: int) -> None:
    """Equal length, equal cells: the tie-break is part of the rule."""
    found = sum(compare(number) for number in range(maps))
    assert maps // 2 < found < maps


@pytest.mark.rule("NAVY-050")
def test_a_large_map() -> None:
    """As above over distances that three stacks must turn over many times."""
    rng = np.random.default_rng(5)
    w = SmallWorld(40, 40, 1)
    kinds = {}
    for y in range(40):
        for x in range(40):
            blocked = (x, y) not in ((1, 1), (38, 37)) and rng.random() < 0.35
            kinds[x, y] = SHUT if blocked else OPEN
            if blocked:
                w.cell(x, y, terrain="plains")
    w.ship(0, "cruiser", 1, 1)
    expected = plain_way(w, kinds, (1, 1), (38, 37))
    assert expected is not None and len(expected) > 57  # hex distance
    assert way(w, 0, 38, 37, most=999) == expected


# ---------------------------------------------------------------- rules by hand


@pytest.mark.rule("NAVY-050", "NAVY-054")
def test_open_sea_costs_a_point_a_cell_and_ties_take_the_smallest_direction() -> None:
    """(2, 2) to (5, 4): two cells east and two south-east in any order, so east first."""
    w = SmallWorld(9, 9, 1)
    w.ship(0, "cruiser", 2, 2)
    assert way(w, 0, 5, 4) == [(3, 2), (4, 2), (4, 3), (5, 4)]
    assert load_ruleset("season")["river.cost"] == 2  # of a layer that no world has


def corridor(kinds: dict[int, str], width: int = 12, **owners: Any) -> SmallWorld:
    """Row 1 of three is water, the other two are land; what stands in some columns of it."""
    w = SmallWorld(3, width, 3)
    for x in range(width):
        w.cell(x, 0, terrain="plains")
        w.cell(x, 2, terrain="plains")
    for x, kind in kinds.items():
        w.cell(x, 1, terrain=kind, **owners)
    return w


@pytest.mark.rule("NAVY-050")
def test_a_mine_is_gone_around_and_closes_the_only_way() -> None:
    w = SmallWorld(9, 12, 2)
    w.cell(5, 4, terrain="naval_mine", owner=0, level=1)
    w.ship(0, "cruiser", 2, 4)
    path = way(w, 0, 8, 4)
    assert path is not None and len(path) == 7 and (5, 4) not in path  # 6 straight, 7 around
    w = corridor({5: "naval_mine"}, owner=0)
    w.ship(0, "cruiser", 2, 1)
    assert way(w, 0, 8, 1) is None


@pytest.mark.rule("NAVY-050", "NMINE-012")
def test_a_foreign_mine_is_avoided_only_where_it_is_seen() -> None:
    """A destroyer searches 2 cells; the example of NMINE-012 has it at 3 and at 2."""
    for start, cells, crosses in ((2, 6, True), (3, 6, False)):
        w = SmallWorld(9, 12, 2)
        w.cell(5, 4, terrain="naval_mine", owner=1, level=1)
        w.ship(0, "destroyer", start, 4)
        path = way(w, 0, 8, 4)
        assert path is not None and len(path) == cells and ((5, 4) in path) == crosses
    assert way(w, 0, 8, 4, viewer=view.TRUTH) == path


@pytest.mark.rule("NAVY-051")
def test_enemy_guns_are_not_avoided() -> None:
    """A path of 5 under the guns of a battleship, and none longer outside them."""
    w = SmallWorld(12, 12, 2)
    w.war(0, 1)
    w.ship(0, "cruiser", 2, 4)
    w.ship(1, "battleship", 4, 3)
    assert way(w, 0, 7, 4) == [(3, 4), (4, 4), (5, 4), (6, 4), (7, 4)]


@pytest.mark.rule("NAVY-051")
def test_enemy_guns_are_not_avoided_where_there_is_a_way_outside_them() -> None:
    """The rule's example: (4, 4) and (5, 4) lie beside a destroyer, row 5 does not and takes 6 cells."""
    w = SmallWorld(12, 12, 2)
    w.war(0, 1)
    w.ship(0, "cruiser", 2, 4)
    w.ship(1, "destroyer", 4, 3)  # range 1
    assert way(w, 0, 7, 4, viewer=view.TRUTH) == [(x, 4) for x in range(3, 8)]


@pytest.mark.rule("NAVY-020", "NAVY-097")
def test_only_ships_that_are_seen_are_in_the_way() -> None:
    """An enemy cruiser at 3 of a cruiser that searches 2 is not known; a merchant is at any distance."""
    for kind, crosses in (("cruiser", True), ("merchant", False)):
        w = SmallWorld(9, 12, 2)
        w.ship(0, "cruiser", 2, 4)
        w.ship(1, kind, 5, 4)
        path = way(w, 0, 8, 4)
        assert path is not None and ((5, 4) in path) == crosses


@pytest.mark.rule("EMBARK-007")
def test_a_unit_is_in_the_way_where_it_is_seen() -> None:
    """A unit on shallows; nobody's land and no unit of the viewer is near, unless the unit is its own."""
    for owner, crosses in ((0, False), (1, True)):
        w = SmallWorld(9, 12, 2)
        w.cell(5, 4, terrain="shallows")
        w.unit(owner, "infantry", 5, 4)
        w.ship(0, "destroyer", 2, 4)
        path = way(w, 0, 8, 4)
        assert path is not None and ((5, 4) in path) == crosses


@pytest.mark.rule("NAVY-081")
@pytest.mark.parametrize("kind", ["destroyer", "cruiser", "battleship", "carrier", "submarine"])
def test_shallows_are_the_destroyers(kind: str) -> None:
    w = corridor({5: "shallows"})
    w.ship(0, kind, 3, 1)
    assert (way(w, 0, 7, 1) is not None) == (kind == "destroyer")


@pytest.mark.rule("NAVY-076", "NAVY-079")
def test_one_port_is_passed_two_in_a_row_are_not() -> None:
    w = corridor({5: "port"}, owner=0, level=1)
    w.ship(0, "destroyer", 3, 1)
    assert way(w, 0, 7, 1) == [(4, 1), (5, 1), (6, 1), (7, 1)]
    assert way(w, 0, 7, 1, most=2) == [(4, 1)]  # two points end on the port
    assert way(w, 0, 7, 1, most=3) == [(4, 1), (5, 1), (6, 1)]
    w = corridor({5: "port", 6: "naval_port"}, owner=0)
    w.ship(0, "destroyer", 3, 1)
    assert way(w, 0, 8, 1) is None


@pytest.mark.rule("NAVY-077", "CONT-013")
@pytest.mark.parametrize(
    ("state", "passes"),
    [("peace", True), ("amity", True), ("pending", False), ("war", False), ("containment", False)],
)
def test_ports_are_closed_to_enemies_and_by_the_containment(state: str, passes: bool) -> None:
    w = corridor({5: "port"}, owner=1, level=1)
    if state == "containment":
        w.containment(1, [0])
    elif state != "peace":
        w.relation(0, 1, state=state)
    w.ship(0, "destroyer", 3, 1)
    assert (way(w, 0, 7, 1) is not None) == passes


@pytest.mark.rule("NAVY-097")
@pytest.mark.parametrize("goal", ["port", "plains", "naval_mine"])
def test_a_closed_goal_means_the_cell_before_it(goal: str) -> None:
    w = corridor({8: goal}, owner=0)
    w.ship(0, "destroyer", 3, 1)
    assert way(w, 0, 8, 1) == [(4, 1), (5, 1), (6, 1), (7, 1)]
    assert way(w, 0, 3, 1) == []
    w.world.cells[1, 7]["ship"], w.world.cells[1, 3]["ship"], w.world.ships[0]["cell"] = 0, -1, w.place(7, 1)
    assert way(w, 0, 8, 1) == []
    assert routes.is_reached(w.world, w.rules, 0, 0, w.place(8, 1))


@pytest.mark.rule("NAVY-097", "NAVY-075")
def test_with_no_other_way_it_goes_up_to_who_is_seen_in_it() -> None:
    w = corridor({})
    w.ship(0, "destroyer", 3, 1)
    w.ship(2, "merchant", 7, 1)
    assert way(w, 0, 10, 1) == [(4, 1), (5, 1), (6, 1)]
    w.cell(6, 1, terrain="port", owner=0, level=1)
    assert way(w, 0, 10, 1) == [(4, 1), (5, 1)]  # the port before the merchant is no place to stop
    w.cell(9, 1, terrain="plains")
    assert way(w, 0, 10, 1) is None


def test_every_goal_walled_in_is_no_way() -> None:
    w = SmallWorld(5, 5, 1)
    for x, y in [(2, 2), *around(w, 2, 2)]:
        w.cell(x, y, terrain="plains")
    w.ship(0, "cruiser", 0, 0)
    assert way(w, 0, 2, 2) is None
