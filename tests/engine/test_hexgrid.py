"""Odd-row offset hexes: neighbours, discs, distance, edges."""

from collections import deque

import pytest

from hakoenv.engine import hexgrid

WIDTH, HEIGHT = 23, 22


def index(x: int, y: int, width: int = WIDTH) -> int:
    return y * width + x


def around(cell: int, width: int = WIDTH, height: int = HEIGHT) -> list[int]:
    return [hexgrid.neighbour(width, height, cell, direction) for direction in range(1, 7)]


@pytest.mark.rule("MAP-002")
@pytest.mark.parametrize(
    ("cell", "neighbours"),
    [
        ((10, 10), [(10, 9), (11, 10), (10, 11), (9, 11), (9, 10), (9, 9)]),
        ((10, 11), [(11, 10), (11, 11), (11, 12), (10, 12), (9, 11), (10, 10)]),
    ],
)
def test_neighbours_are_the_ledgers(cell: tuple[int, int], neighbours: list[tuple[int, int]]) -> None:
    assert around(index(*cell)) == [index(*place) for place in neighbours]


@pytest.mark.rule("MAP-002")
def test_opposite_directions_lead_back() -> None:
    for cell in range(WIDTH * HEIGHT):
        for direction in range(1, 7):
            other = hexgrid.neighbour(WIDTH, HEIGHT, cell, direction)
            if other >= 0:
                assert hexgrid.neighbour(WIDTH, HEIGHT, other, (direction + 2) % 6 + 1) == cell


@pytest.mark.rule("MAP-002")
def test_nothing_lies_beyond_the_edge() -> None:
    """The corners of a map of 23 x 22: the last row is odd, so it lies half a cell to the right."""
    assert [d for d, cell in enumerate(around(index(0, 0)), 1) if cell >= 0] == [2, 3]
    assert [d for d, cell in enumerate(around(index(22, 0)), 1) if cell >= 0] == [3, 4, 5]
    assert [d for d, cell in enumerate(around(index(0, 21)), 1) if cell >= 0] == [1, 2, 6]
    assert [d for d, cell in enumerate(around(index(22, 21)), 1) if cell >= 0] == [5, 6]


@pytest.mark.rule("MAP-002")
@pytest.mark.parametrize(("radius", "cells"), [(0, 1), (1, 7), (2, 19), (3, 37)])
@pytest.mark.parametrize("centre", [(11, 10), (11, 11)])
def test_a_disc_holds_1_7_19_37_cells_each_within_its_radius(
    radius: int, cells: int, centre: tuple[int, int]
) -> None:
    assert hexgrid.disc_size(radius) == cells == hexgrid.DISC_SIZE[radius]
    middle = index(*centre)
    disc = [hexgrid.nth(WIDTH, HEIGHT, middle, k) for k in range(cells)]
    within = [cell for cell in range(WIDTH * HEIGHT) if hexgrid.distance(WIDTH, middle, cell) <= radius]
    assert sorted(disc) == within
    steps = [hexgrid.distance(WIDTH, middle, cell) for cell in disc]
    assert steps == sorted(steps)


@pytest.mark.rule("MAP-002")
@pytest.mark.parametrize("radius", [0, 1, 2, 5])
def test_a_disc_lies_in_rows_without_gaps(radius: int) -> None:
    for x, y in ((11, 10), (11, 11)):
        rows = [
            index(hexgrid.first_in_row(x, y, radius, dy) + k, y + dy)
            for dy in range(-radius, radius + 1)
            for k in range(2 * radius + 1 - abs(dy))
        ]
        middle = index(x, y)
        places = range(hexgrid.disc_size(radius))
        assert rows == sorted(hexgrid.nth(WIDTH, HEIGHT, middle, k) for k in places)


@pytest.mark.rule("MAP-002")
def test_the_first_places_of_a_disc_are_the_neighbours() -> None:
    for cell in (index(5, 5), index(5, 6)):
        assert [hexgrid.nth(WIDTH, HEIGHT, cell, k) for k in range(1, 7)] == around(cell)


@pytest.mark.rule("MAP-002")
@pytest.mark.parametrize("start", [(0, 0), (11, 10), (7, 13), (22, 21)])
def test_distance_is_the_number_of_steps(start: tuple[int, int]) -> None:
    steps = {index(*start): 0}
    waiting = deque(steps)
    while waiting:
        cell = waiting.popleft()
        for other in around(cell):
            if other >= 0 and other not in steps:
                steps[other] = steps[cell] + 1
                waiting.append(other)
    assert len(steps) == WIDTH * HEIGHT
    assert all(hexgrid.distance(WIDTH, index(*start), cell) == n for cell, n in steps.items())


@pytest.mark.rule("MAP-002")
def test_discs_of_any_radius_go_on_as_the_small_ones_do() -> None:
    width = height = 41
    for centre in (20 * width + 20, 21 * width + 20, 0, 40 * width + 40):
        small = hexgrid.disc_size(hexgrid.MAX_RADIUS)
        walk = [hexgrid.nth_far(width, height, centre, k) for k in range(hexgrid.disc_size(24))]
        assert walk[:small] == [hexgrid.nth(width, height, centre, k) for k in range(small)]
        there = [cell for cell in walk if cell >= 0]
        away = [hexgrid.distance(width, centre, cell) for cell in there]
        assert len(set(there)) == len(there) and away == sorted(away)
        near = [cell for cell in range(width * height) if hexgrid.distance(width, centre, cell) <= 24]
        assert sorted(there) == near
    centre = 20 * width + 20  # rings begin in the north-east and go on clockwise
    ring = [hexgrid.nth_far(width, height, centre, hexgrid.disc_size(11) + k) for k in range(72)]
    places = [(26, 8), (32, 20), (26, 32), (14, 32), (8, 20), (14, 8)]
    assert [ring[12 * side] for side in range(6)] == [index(x, y, width) for x, y in places]
