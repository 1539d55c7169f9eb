"""What ships cost: a season with fleets at sea, and the search of a way."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine import hexgrid
from hakoenv.engine.codes import item, ship_class, terrain
from hakoenv.engine.navy import hulls, routes, vessels
from hakoenv.engine.world import World
from hakoenv.ruleset import Rules

_PER_FLEET = 5
_FIRST_FLEET = 8  # the lower ones may be the nation's own
_NEAR = 10
_WAYS = 400
_CLASSES = (ship_class.DESTROYER, ship_class.CRUISER, ship_class.BATTLESHIP, ship_class.SUBMARINE)


def launch(world: World, rules: Rules, ships: int) -> None:
    """Give each living nation so many ships near its capital, in fleets bound for somewhere at sea.

    Their supply is given, too, so that they stay afloat.
    """
    draws = np.random.default_rng(0)
    sea = _open_sea(world)
    for n in np.flatnonzero(world.nations["alive"]).tolist():
        world.nations["treasury"][n] += 10_000
        home = int(world.nations["capital"][n])
        near = sorted(sea.tolist(), key=lambda cell: hexgrid.distance(world.cells.shape[1], home, cell))
        free = [cell for cell in near if world.cells.reshape(-1)["ship"][cell] < 0]
        for k in range(ships):
            fleet = _FIRST_FLEET + k // _PER_FLEET
            vessels.place(world, rules, n, _CLASSES[k % len(_CLASSES)], free[k], fleet)
            world.fleets["target"][n, fleet] = draws.choice(sea)


def fill_ports(world: World, rules: Rules) -> None:
    """Give every port of a nation as many merchants as it may be home to, and the cash that they cost."""
    width = world.cells.shape[1]
    cells = world.cells.reshape(-1)
    sea = _open_sea(world).tolist()
    most = int(rules.ship_classes["per_port_cap"][ship_class.MERCHANT])
    world.nations["private"][world.nations["alive"] == 1, item.FUNDS] += 10_000_000
    for port in world.harbours["cell"][world.harbours["cell"] >= 0].tolist():
        owner = int(cells["owner"][port])
        at_home = (world.jobs["home"] == port) & (world.ships["kind"] == ship_class.MERCHANT)
        near = sorted(sea, key=lambda cell: hexgrid.distance(width, port, cell))
        free = [cell for cell in near if cells["ship"][cell] < 0]
        for cell in free[: most - int(at_home.sum())] if owner >= 0 else ():
            ship = vessels.place(world, rules, owner, ship_class.MERCHANT, cell, vessels.NONE)
            world.jobs["home"][ship] = port


def way_microseconds(far: bool, seed: int = 0) -> float:
    """Microseconds of a search for a destroyer's way on a map of `season`, the median of many.

    Args:
        far: goals anywhere, not within some cells.
        seed: of the map.
    """
    from hakoenv.engine.season import Season

    season = Season.new("season", seed=seed, agents="idle")
    world, width = season.world, season.world.cells.shape[1]
    draws = np.random.default_rng(seed)
    sea = _open_sea(world)
    path = np.zeros(8, np.int64)
    spent = []
    for k in range(_WAYS + 1):
        start = int(draws.choice(sea))
        near = [c for c in sea.tolist() if 0 < hexgrid.distance(width, start, c) <= _NEAR]
        goal = int(draws.choice(sea if far else near)) if near else start
        ship = vessels.place(world, season.rules, 0, ship_class.DESTROYER, start, -1)
        before = time.perf_counter()
        routes.find(world, season.rules, 0, ship, goal, path)
        if k > 0:  # the first call compiles or loads
            spent.append(time.perf_counter() - before)
        hulls.strike_off(world, ship)
    return float(np.median(spent)) * 1e6


def _open_sea(world: World) -> NDArray[Any]:
    """Cells of sea with nothing on them."""
    cells = world.cells.reshape(-1)
    return np.flatnonzero((cells["terrain"] == terrain.SEA) & (cells["ship"] < 0) & (cells["unit"] < 0))
