"""Fair homes for many nations: sites spread over the landmasses, each in the middle of its share of land.

The landmasses get seats by their land, so that the least land per nation is as large as can be. On each,
sites are chosen one by one, each far from those before, then moved to the middle of the land nearest to
them. Of several such sets the one whose poorest home is richest is taken.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine import chance, hexgrid, sites
from hakoenv.engine.codes import deposit
from hakoenv.engine.handles import handle
from hakoenv.engine.kernel import kernel
from hakoenv.engine.mapgen import noise
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

_SPREAD = 3  # distances above this many times the least one count alike
_LUCK = 512  # about equal distances are settled by a draw of so many sides
_STEP = 256  # what a step of distance counts beside that draw
_PATIENCE = 8  # so many times the tries while a landmass has too few homes


@handle
class Homes(NamedTuple):
    """Homes and their land. C: cells of the map, L: land cells, S: sites, W: homes wanted."""

    centre: NDArray[np.int64]  # (W,) site of each home; the first ``found[0]`` count
    found: NDArray[np.int64]  # (1,)
    land: NDArray[np.int64]  # (L,) land cells in cell order
    part: NDArray[np.int64]  # (L,) home to whose land a cell belongs, -1 none on its landmass
    mass: NDArray[np.int64]  # (C,) landmass of a cell, -1 water
    site: NDArray[np.int64]  # (S,) sites to choose from
    luck: NDArray[np.int64]  # (S,) draws that settle ties


def choose(world: World, rules: Rules, wanted: int, bare: bool = False) -> Homes:
    """Choose a site for each home wanted, as many as there is room for. Nothing is changed.

    Args:
        world: its cells and nations.
        rules: the ruleset.
        wanted: how many homes.
        bare: the land has no forests and deposits yet, so they are not asked for.
    """
    height, width = world.cells.shape
    land, roomy, site = np.zeros((3, width * height), np.int64)
    count = sites.survey(world, rules, land, roomy)
    land = land[:count].copy()
    site = land[roomy[:count] > 0] if bare else site[: sites.sites(world, rules, site)].copy()
    mass = np.full(width * height, -1)
    mass[land] = -2
    label(width, height, land, mass)
    centre, part, luck = np.zeros(wanted, np.int64), np.full(count, -1), np.zeros_like(site)
    homes = Homes(centre, np.zeros(1, np.int64), land, part, mass, site, luck)
    for m, seats in enumerate(_seats(homes)):
        if seats > 0:
            _settle(world, rules, homes, homes.land[mass[land] == m], site[mass[site] == m], int(seats))
    missing = wanted - int(homes.found[0])
    if missing > 0:  # a landmass was too narrow for its seats
        _settle(world, rules, homes, land[:0], site, missing)
    divide(width, homes)
    return homes


def _settle(
    world: World, rules: Rules, homes: Homes, land: NDArray[np.int64], site: NDArray[np.int64], seats: int
) -> None:
    """Add up to ``seats`` homes on some land: the best of several sets."""
    s = rules.scalars[0]
    width = world.cells.shape[1]
    least = int(s["founding_min_distance"])
    first = int(homes.found[0])
    away = [steps_to_homes(width, int(cell), least, homes, first) >= least for cell in site]
    site = site[np.array(away, bool)]
    seats = min(seats, len(site))
    centre, part = np.zeros(seats, np.int64), np.full(len(land), -1)
    local = Homes(centre, np.zeros(1, np.int64), land, part, homes.mass, site, np.zeros_like(site))
    best = (0, 0)
    tries = int(s["worldgen_site_tries"])
    for t in range(_PATIENCE * tries):
        if t >= tries and best[0] == seats:
            break
        local.luck[:] = noise.rolls(world, chance.SITE_CHOICE, site, t, _LUCK)
        spread(width, least, int(s["worldgen_site_rounds"]), t >= tries, local)
        count = int(local.found[0])
        worth = (count, _poorest(world, rules, local))
        if worth > best:
            best = worth
            homes.centre[first : first + count] = local.centre[:count]
            homes.found[0] = first + count


def _seats(homes: Homes) -> NDArray[np.int64]:
    """Homes on each landmass: one by one where land per home stays largest (D'Hondt)."""
    masses = int(homes.mass.max()) + 1
    land = np.bincount(homes.mass[homes.land], minlength=masses)
    room = np.bincount(homes.mass[homes.site], minlength=masses)
    seats = np.zeros(masses, np.int64)
    for _ in range(min(len(homes.centre), len(homes.site))):
        best = max((m for m in range(masses) if room[m] > seats[m]), key=lambda m: land[m] / (seats[m] + 1))
        seats[best] += 1
    return seats


def _poorest(world: World, rules: Rules, homes: Homes) -> int:
    """Worth of the poorest home: its land, and what its deposits count."""
    own = homes.part >= 0
    each = int(rules.scalars[0]["worldgen_site_deposit_worth"])
    worth = np.bincount(homes.part[own], minlength=int(homes.found[0]))
    rich = own & (world.cells.reshape(-1)["deposit"][homes.land] != deposit.NONE)
    worth += each * np.bincount(homes.part[rich], minlength=len(worth))
    return int(worth.min()) if len(worth) else 0


@kernel(allocates=True)
def label(width: int, height: int, land: NDArray[np.int64], mass: NDArray[np.int64]) -> None:
    """Number the landmasses; ``mass`` is -2 on land that has no number yet."""
    waiting = np.empty(land.shape[0], np.int64)
    count = 0
    for k in range(land.shape[0]):
        if mass[land[k]] != -2:
            continue
        mass[land[k]] = count
        waiting[0] = land[k]
        done = 0
        end = 1
        while done < end:
            cell = waiting[done]
            done += 1
            for direction in range(1, 7):
                other = hexgrid.neighbour(width, height, cell, direction)
                if other >= 0 and mass[other] == -2:
                    mass[other] = count
                    waiting[end] = other
                    end += 1
        count += 1


@kernel
def spread(width: int, least: int, rounds: int, dense: bool, homes: Homes) -> None:
    """Fill ``centre``, ``found`` and ``part``: a set of sites, then each moved to the middle of its land."""
    homes.found[0] = 0
    if dense:
        _pack(width, least, homes)
    else:
        _scatter(width, least, homes)
    for _ in range(rounds):
        divide(width, homes)
        for h in range(homes.found[0]):
            _move_to_middle(width, least, homes, h)
    divide(width, homes)


@kernel
def _scatter(width: int, least: int, homes: Homes) -> None:
    """Choose sites one by one, each as far as can be from those before."""
    for count in range(homes.centre.shape[0]):
        best = -1
        for k in range(homes.site.shape[0]):
            room = steps_to_homes(width, homes.site[k], _SPREAD * least, homes, count)
            if room >= least and room * _STEP + homes.luck[k] > best:
                best = room * _STEP + homes.luck[k]
                homes.centre[count] = homes.site[k]
        if best < 0:
            return
        homes.found[0] += 1


@kernel(allocates=True)
def _pack(width: int, least: int, homes: Homes) -> None:
    """Choose as many sites as can be: each time the one that takes the place of fewest others."""
    site = homes.site
    rivals = np.zeros(site.shape[0], np.int64)  # -1: too near to a chosen one
    for a in range(site.shape[0]):
        for b in range(site.shape[0]):
            rivals[a] += hexgrid.distance(width, site[a], site[b]) < least
    for count in range(homes.centre.shape[0]):
        chosen = -1
        for k in range(site.shape[0]):
            if rivals[k] >= 0 and (
                chosen < 0 or rivals[k] * _STEP + homes.luck[k] < rivals[chosen] * _STEP + homes.luck[chosen]
            ):
                chosen = k
        if chosen < 0:
            return
        homes.centre[count] = site[chosen]
        homes.found[0] += 1
        for a in range(site.shape[0]):
            if rivals[a] >= 0 and hexgrid.distance(width, site[a], site[chosen]) < least:
                rivals[a] = -1
                for b in range(site.shape[0]):
                    if rivals[b] > 0 and hexgrid.distance(width, site[a], site[b]) < least:
                        rivals[b] -= 1


@kernel
def steps_to_homes(width: int, cell: int, most: int, homes: Homes, count: int) -> int:
    """Steps from a cell to the nearest of the first ``count`` homes, at most ``most``."""
    room = most
    for h in range(count):
        room = min(room, hexgrid.distance(width, cell, homes.centre[h]))
    return room


@kernel
def divide(width: int, homes: Homes) -> None:
    """Give every land cell to the nearest home of its landmass."""
    for k in range(homes.land.shape[0]):
        cell = homes.land[k]
        nearest = homes.mass.shape[0]
        homes.part[k] = -1
        for h in range(homes.found[0]):
            if homes.mass[homes.centre[h]] == homes.mass[cell]:
                steps = hexgrid.distance(width, cell, homes.centre[h])
                if steps < nearest:
                    nearest = steps
                    homes.part[k] = h


@kernel
def _move_to_middle(width: int, least: int, homes: Homes, h: int) -> None:
    """Move home ``h`` to the site from which the cells of its part are nearest."""
    best = 1 << 40
    old = homes.centre[h]
    for k in range(homes.site.shape[0]):
        cell = homes.site[k]
        if hexgrid.distance(width, cell, old) > least:
            continue
        room = least
        for other in range(homes.found[0]):
            if other != h:
                room = min(room, hexgrid.distance(width, cell, homes.centre[other]))
        if room < least:
            continue
        way = 0
        for j in range(homes.land.shape[0]):
            if homes.part[j] == h:
                steps = hexgrid.distance(width, cell, homes.land[j])
                way += steps * steps
                if way >= best:
                    break
        if way < best:
            best = way
            homes.centre[h] = cell
