"""The outline of a new world: continents of exact size and islets, apart from each other (MAP-051).

A landmass grows from its heart, cheapest shore cell first. A cell costs its distance to the nearest of
the continent's hearts, bent by noise; a cell that lies in a bay is cheap, one near the map's edge dear.
A cell whose land neighbours don't hang together is left out, so nothing ever closes a lake.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine import chance, hexgrid
from hakoenv.engine.handles import handle
from hakoenv.engine.kernel import kernel
from hakoenv.engine.mapgen import heap, noise
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

HEARTS = 5  # of a continent
FAR = 1 << 20  # farther than any cell
_CANDIDATES = 40  # places compared for each continent and islet
_COAST = 1024  # cost of the nominal coast
_BAY = (0, 0, 0, 100, 700, 5000, 5000)  # discount by the number of land neighbours
_ROUGH = 33  # percent of roughness at which noise weighs as much as one nominal radius
_RIM = (4000, 1600, 500, 0)  # surcharge by the distance to the map's edge
_DRAWS = 64  # draws of a landmass in one attempt
_SHIFT = 18  # bits of a cell in a key, and of a landmass


@handle
class Sketch(NamedTuple):
    """The outline of one attempt. C: cells, M: landmasses."""

    mass: NDArray[np.int64]  # (C,) landmass of each cell, -1 water
    shore: NDArray[np.int64]  # (C,) steps to land
    cost: NDArray[np.int64]  # (C,) what the coast noise and the map's edge add to the cost
    hearts: NDArray[np.int64]  # (M, HEARTS, 3) east, south, radius squared
    seed: NDArray[np.int64]  # (M,) the cell a landmass grows from
    goal: NDArray[np.int64]  # (M,) wanted cells
    size: NDArray[np.int64]  # (M,) cells
    total: NDArray[np.int64]  # (2,) land wanted, land there
    queue: NDArray[np.int64]  # cells or keys in waiting


def land_target(rules: Rules, nations: int) -> int:
    """Land cells of a new world (MAP-051): as set, or by the number of nations."""
    s = rules.scalars[0]
    fixed = int(s["worldgen_land_cells"])
    wanted = int(s["worldgen_land_cells_per_nation"]) * nations
    return fixed or min(max(wanted, int(s["worldgen_land_min"])), int(s["worldgen_land_max"]))


def continent_target(rules: Rules, nations: int) -> int:
    """Continents of a new world (MAP-051): as set, or by the number of nations.

    The style scales the number; each continent keeps land for a nation.
    """
    s = rules.scalars[0]
    by_nations = nations // int(s["worldgen_continents_nations_per_continent"])
    count = int(s["worldgen_continent_count"]) or by_nations
    return max(1, min(count * style(rules, "continents_percent") // 100, room_for(rules, nations)))


def room_for(rules: Rules, nations: int) -> int:
    """Nations, or continents, that the land holds at ``worldgen.land_cells_per_nation`` each."""
    return land_target(rules, nations) // max(1, int(rules.scalars[0]["worldgen_land_cells_per_nation"]))


def style(rules: Rules, what: str) -> int:
    """A value of the world's style, ``worldgen.styles.*``."""
    s = rules.scalars[0]
    return int(s["worldgen_styles_" + what][s["worldgen_style"]])


def draw(world: World, rules: Rules, attempt: int) -> Sketch:
    """The outline of a world: the continents first, then islets, exactly the wanted number of cells."""
    height, width = world.cells.shape
    seats = len(world.nations)
    land = min(world.cells.size, land_target(rules, seats))
    continents = continent_target(rules, seats)
    rough = style(rules, "roughness")
    strait = style(rules, "strait")
    sketch = _new_sketch(width * height, continents + land)
    sketch.total[0] = land
    cells = np.arange(width * height)
    scale = int(rules.scalars[0]["worldgen_noise_coast"])
    wave = noise.field(world, noise.COAST, attempt, scale, cells)
    edge = np.minimum(_rim(width, height, cells), len(_RIM) - 1)
    sketch.cost[:] = wave * rough // _ROUGH + np.array(_RIM)[edge]
    main = land - land * style(rules, "islets_percent") // 100
    sketch.goal[:continents] = _shares(main, continents, seats)
    for k in range(continents):
        _place_continent(world, rules, attempt, k, sketch)
    for gap in range(strait, 0, -1):
        grow(width, height, sketch, 0, continents, gap)
    masses = _add_islets(world, rules, attempt, continents, strait, sketch)
    sketch.goal[:continents] = land  # what found no room goes to the continents
    for gap in range(strait, -1, -1):
        grow(width, height, sketch, 0, masses, gap)
    _measure_shore(width, height, sketch)
    return sketch


def _new_sketch(cells: int, masses: int) -> Sketch:
    mass, shore, cost = np.full(cells, -1), np.full(cells, FAR), np.zeros(cells, np.int64)
    seed, goal, size = np.zeros((3, masses), np.int64)
    hearts = np.zeros((masses, HEARTS, 3), np.int64)
    total, queue = np.zeros(2, np.int64), np.zeros(16 * cells, np.int64)
    return Sketch(mass, shore, cost, hearts, seed, goal, size, total, queue)


def _shares(land: int, continents: int, seats: int) -> NDArray[np.int64]:
    """Goals of the continents: by the nations that each will hold, equal if they hold the same."""
    whole = max(seats, continents)
    ends = np.cumsum([0] + [whole // continents + (k < whole % continents) for k in range(continents)])
    return np.diff(land * ends // whole)


def _place_continent(world: World, rules: Rules, attempt: int, k: int, sketch: Sketch) -> None:
    """Choose the hearts of continent ``k``: the first far from other continents and the map's edge."""
    height, width = world.cells.shape
    index = attempt * _DRAWS
    places = noise.rolls(world, chance.MAP_SEEDS, k, index + np.arange(_CANDIDATES), width * height)
    room = 2 * _rim(width, height, places)
    for c in range(_CANDIDATES):
        for other in range(k):
            room[c] = min(room[c], hexgrid.distance(width, int(places[c]), int(sketch.seed[other])))
    sketch.seed[k] = places[np.argmax(room)]
    _set_hearts(width, k, sketch)
    reach = math.isqrt(int(sketch.hearts[k, 0, 2])) * style(rules, "stretch") // 100
    later = index + _CANDIDATES + np.arange(2 * HEARTS)
    shifts = noise.rolls(world, chance.MAP_SEEDS, k, later, 2 * reach + 1) - reach
    sketch.hearts[k, 1:, :2] += shifts.reshape(HEARTS, 2)[1:]
    sketch.hearts[k, :, 2] //= HEARTS


def _set_hearts(width: int, k: int, sketch: Sketch) -> None:
    """All hearts of a landmass on its seed, with the radius of a disc of its size."""
    sketch.hearts[k, :, 0] = noise.east(width, sketch.seed[k])
    sketch.hearts[k, :, 1] = noise.south(width, sketch.seed[k])
    sketch.hearts[k, :, 2] = max(1, sketch.goal[k]) * noise.UNIT * noise.ROW * 7 // 22  # area / pi


def _add_islets(
    world: World, rules: Rules, attempt: int, continents: int, strait: int, sketch: Sketch
) -> int:
    """Spend the rest of the land on islets off the coasts; return the number of landmasses."""
    height, width = world.cells.shape
    largest = style(rules, "islet_cells")
    left = int(sketch.total[0] - sketch.goal[:continents].sum())
    k = continents
    while left > 0:
        _measure_shore(width, height, sketch)
        index = attempt * _DRAWS
        places = noise.rolls(world, chance.MAP_SEEDS, k, index + np.arange(_CANDIDATES), width * height)
        off = sketch.shore[places] - strait - 2
        off[(off < 0) | (_rim(width, height, places) < 2)] = FAR
        size = 1 + chance.roll(world, chance.MAP_SEEDS, k, index + _CANDIDATES, largest)
        size = min(left, size * size // largest + 1)  # more small ones than large
        left -= size
        if off.min() < FAR:
            sketch.goal[k] = size
            sketch.seed[k] = places[np.argmin(off)]
            _set_hearts(width, k, sketch)
            grow(width, height, sketch, k, k + 1, strait)
        k += 1
    return k


def _measure_shore(width: int, height: int, sketch: Sketch) -> None:
    """Bring the steps to the nearest land up to date after land was added."""
    sketch.shore[sketch.mass >= 0] = 0
    measure(width, height, sketch.shore, sketch.queue)


def _rim(width: int, height: int, cells: NDArray[np.int64]) -> NDArray[np.int64]:
    """Cells between a cell and the nearest edge of the map."""
    x, y = cells % width, cells // width
    return np.minimum(np.minimum(x, width - 1 - x), np.minimum(y, height - 1 - y))


@kernel
def measure(width: int, height: int, steps: NDArray[np.int64], queue: NDArray[np.int64]) -> None:
    """Lower ``steps`` to the steps from the nearest cell that holds 0."""
    waiting = 0
    for i in range(steps.shape[0]):
        if steps[i] == 0:
            queue[waiting] = i
            waiting += 1
    done = 0
    while done < waiting:
        cell = queue[done]
        done += 1
        for direction in range(1, 7):
            other = hexgrid.neighbour(width, height, cell, direction)
            if other >= 0 and steps[other] > steps[cell] + 1:
                steps[other] = steps[cell] + 1
                queue[waiting] = other
                waiting += 1


@kernel
def grow(width: int, height: int, sketch: Sketch, first: int, end: int, gap: int) -> None:
    """Let the landmasses ``first..end-1`` grow to their goals with ``gap`` cells of water between them.

    With gap 0 any shore cell will do: the last resort of a map that is too full.
    """
    waiting = 0
    for k in range(first, end):
        if sketch.size[k] == 0 and sketch.goal[k] > 0:
            waiting = _offer(width, height, sketch, k, sketch.seed[k], waiting)
    for i in range(sketch.mass.shape[0]):
        k = sketch.mass[i]
        if first <= k < end and sketch.size[k] < sketch.goal[k]:
            waiting = _offer_around(width, height, sketch, k, i, waiting)
    while waiting > 0 and sketch.total[1] < sketch.total[0]:
        key = heap.pop(sketch.queue, waiting)
        waiting -= 1
        cell = key & ((1 << _SHIFT) - 1)
        k = (key >> _SHIFT) & ((1 << _SHIFT) - 1)
        if sketch.mass[cell] >= 0 or sketch.size[k] >= sketch.goal[k]:
            continue
        if gap == 0 or _fits(width, height, sketch, k, cell, gap):
            sketch.mass[cell] = k
            sketch.size[k] += 1
            sketch.total[1] += 1
            waiting = _offer_around(width, height, sketch, k, cell, waiting)


@kernel
def _offer_around(width: int, height: int, sketch: Sketch, k: int, cell: int, waiting: int) -> int:
    """Queue the water cells beside a land cell; return the new length of the queue."""
    for direction in range(1, 7):
        other = hexgrid.neighbour(width, height, cell, direction)
        if other >= 0 and sketch.mass[other] < 0:
            waiting = _offer(width, height, sketch, k, other, waiting)
    return waiting


@kernel
def _offer(width: int, height: int, sketch: Sketch, k: int, cell: int, waiting: int) -> int:
    """Queue a cell for landmass ``k`` at its present cost; of several entries the cheapest counts."""
    y = cell // width
    x = noise.UNIT * (cell - y * width) + noise.UNIT // 2 * (y & 1)
    cost = FAR
    for h in range(HEARTS):
        dx = x - sketch.hearts[k, h, 0]
        dy = noise.ROW * y - sketch.hearts[k, h, 1]
        cost = min(cost, (dx * dx + dy * dy) * _COAST // sketch.hearts[k, h, 2])
    land = 0
    for direction in range(1, 7):
        other = hexgrid.neighbour(width, height, cell, direction)
        land += other >= 0 and sketch.mass[other] == k
    cost = max(0, cost + sketch.cost[cell] - _BAY[land])
    return heap.push(sketch.queue, waiting, (cost << 2 * _SHIFT) + (k << _SHIFT) + cell)


@kernel
def _fits(width: int, height: int, sketch: Sketch, k: int, cell: int, gap: int) -> bool:
    """Whether a cell may join landmass ``k``: no other land within ``gap``, no lake or loop closed."""
    for j in range(1, hexgrid.disc_size(gap)):
        other = hexgrid.nth(width, height, cell, j)
        if other >= 0 and sketch.mass[other] >= 0 and sketch.mass[other] != k:
            return False
    arcs = 0
    before = hexgrid.neighbour(width, height, cell, 6)
    for direction in range(1, 7):
        here = hexgrid.neighbour(width, height, cell, direction)
        arcs += (here >= 0 and sketch.mass[here] == k) and not (before >= 0 and sketch.mass[before] == k)
        before = here
    return arcs == 1 or sketch.size[k] == 0
