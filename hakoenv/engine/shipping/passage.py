"""How a private ship gets from cell to cell: where it may go, past whom, and what fuel that takes.

Merchants and fishing boats pass ships that are not hostile and ports that are no enemy's where an empty cell
beyond is within reach (MER-022, MER-028 .. MER-030); two ships never share a cell (MER-023). What its nation
doesn't see is met when the ship gets there, and is seen until the turn ends (MER-026, NAVY-097).
Every cell costs one movement point: a world has no rivers and currents (MER-032).
"""

from __future__ import annotations

from hakoenv.engine import happenings, hexgrid, stock, view
from hakoenv.engine.codes import cause, event, item, ship_class, terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import vessels, waters
from hakoenv.engine.shipping import charts
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

NO_WAY = -1
_NEIGHBOURS = 6
_FUEL = 100  # of `fuel_per_100_cells`: what counts as one fuel
_MOST_FUEL = 1 << 30  # that a counter holds

# what a cell is to a ship
BARRED = 0
CROSSING = 1  # may be passed over, not stopped on: a port, or a ship that lets it pass
FREE = 2

# what comes of a step, if it isn't made
STUCK = 0  # who is in the way may move on (MER-025)
SHUT = -1  # no use waiting (MER-026)
NO_ROUTE = -2


@kernel
def sails(world: World, ship: int) -> bool:
    """Whether a place in the list of ships holds a merchant or fishing boat of a nation (FISH-002).

    Cruise ships have rules of their own.
    """
    record = world.ships[ship]
    is_kind = vessels.is_private(int(record.kind)) and record.kind != ship_class.CRUISE_SHIP
    return bool(is_kind and record.owner >= 0)


# ---------------------------------------------------------------- cells


@kernel
def look(world: World, rules: Rules, ship: int, cell: int) -> int:
    """What a cell truly is to a private ship: free, to be crossed, or barred (MER-066)."""
    place = world.cells.flat[cell]
    if place.terrain == terrain.SEA and place.ship < 0 and place.unit < 0:
        return int(FREE)  # most cells
    record = world.ships[ship]
    nation = int(record.owner)
    water = waters.way(world, rules, view.TRUTH, nation, int(record.kind), cell)
    if (water != waters.OPEN and water != waters.PASSAGE) or place.unit >= 0:
        return int(BARRED)
    if place.ship >= 0:
        return int(CROSSING if lets_pass(world, nation, int(place.ship)) else BARRED)
    return int(FREE if water == waters.OPEN else CROSSING)


@kernel
def lets_pass(world: World, nation: int, other: int) -> bool:
    """Whether a nation's private ships may pass a ship: none of an enemy's or of nobody's (MER-024)."""
    owner = int(world.ships[other].owner)
    return owner >= 0 and not waters.is_hostile(world, nation, owner)


@kernel
def meet(world: World, rules: Rules, ship: int, cell: int) -> None:
    """A ship comes upon whoever is on a cell: its nation sees them if it didn't (NAVY-097, EMBARK-007)."""
    place = world.cells.flat[cell]
    nation = int(world.ships[ship].owner)
    hidden_ship = place.ship >= 0 and view.ship(world, rules, nation, cell) < 0
    hidden_unit = place.unit >= 0 and view.unit(world, rules, nation, cell) < 0
    if not hidden_ship and not hidden_unit:
        return
    happenings.record(world, event.SHIP_MET, nation, cell, 0)
    if hidden_ship:
        world.ships[place.ship].met |= 1 << nation
    if hidden_unit:
        world.units[place.unit].met |= 1 << nation


# ---------------------------------------------------------------- the route


@kernel
def next_cell(world: World, rules: Rules, ship: int, h: int, goal: int, cell: int, k: int) -> int:
    """Where a ship's route leads on from a cell that is ``k`` steps ahead; -1 it ends there.

    It is what is left of the way around that the ship follows, then the chart of its port (listed as ``h``).
    A goal at sea has no chart: its route leads straight.
    """
    entry = world.jobs[ship]
    place = int(entry.detour_done) + k
    if place < entry.detour_length:
        height, width = world.cells.shape
        return int(hexgrid.neighbour(width, height, cell, int(entry.detour[place])))
    if h >= 0:
        return int(charts.onward(world, h, cell))
    return _nearer(world, rules, ship, goal, cell)


@kernel
def _nearer(world: World, rules: Rules, ship: int, goal: int, cell: int) -> int:
    """The first neighbour that is nearer to a cell at sea and is water or an open port; -1 none."""
    if world.cells.flat[goal].terrain == terrain.PORT:
        return int(NO_WAY)  # one that is on no list
    height, width = world.cells.shape
    record = world.ships[ship]
    away = hexgrid.distance(width, cell, goal)
    for direction in range(1, _NEIGHBOURS + 1):
        near = hexgrid.neighbour(width, height, cell, direction)
        if near >= 0 and hexgrid.distance(width, near, goal) < away:
            water = waters.way(world, rules, view.TRUTH, int(record.owner), int(record.kind), near)
            if water == waters.OPEN or water == waters.PASSAGE:
                return int(near)
    return int(NO_WAY)


@kernel
def is_on_detour(world: World, ship: int) -> bool:
    """Whether a ship follows a way around (MER-025)."""
    return bool(world.jobs[ship].detour_done < world.jobs[ship].detour_length)


# ---------------------------------------------------------------- steps


@kernel
def advance(world: World, rules: Rules, ship: int, h: int, goal: int, points: int) -> int:
    """Go on along the route to its next empty cell, over whatever may be crossed (MER-022, MER-030).

    Returns:
        The cells covered, at most ``points``; or why the ship stays: `STUCK`, `SHUT` or `NO_ROUTE`.
    """
    cell = int(world.ships[ship].cell)
    for k in range(points):
        near = next_cell(world, rules, ship, h, goal, cell, k)
        if near < 0:
            return _at_end(world, h, goal, cell, k)
        found = look(world, rules, ship, near)
        if found == FREE:
            _go(world, rules, ship, near, k + 1)
            return k + 1
        meet(world, rules, ship, near)
        if found == BARRED:
            return int(SHUT)
        cell = near
    return int(STUCK)


@kernel
def _at_end(world: World, h: int, goal: int, cell: int, k: int) -> int:
    """What it means that a route leads nowhere from a cell that is ``k`` steps ahead."""
    has_chart = h >= 0 or world.cells.flat[goal].terrain == terrain.PORT
    if not has_chart and cell != goal:
        return int(SHUT)  # land is in the straight way
    return int(STUCK if k > 0 else NO_ROUTE)  # what can be crossed goes on to the end


@kernel
def _go(world: World, rules: Rules, ship: int, cell: int, steps: int) -> None:
    """A ship comes to a cell; a unit that was on its old one stays there (MER-041)."""
    record = world.ships[ship]
    entry = world.jobs[ship]
    world.cells.flat[record.cell].ship = -1
    world.cells.flat[cell].ship = ship
    record.cell = cell
    entry.waited = 0
    if is_on_detour(world, ship):
        entry.detour_done = min(int(entry.detour_length), int(entry.detour_done) + steps)
    _burn(world, rules, ship, steps)


@kernel
def step_aside(world: World, rules: Rules, ship: int) -> None:
    """A ship leaves a cell that it shares with a unit for the first free one beside it (MER-041)."""
    height, width = world.cells.shape
    start = int(world.ships[ship].cell)
    for direction in range(1, _NEIGHBOURS + 1):
        near = hexgrid.neighbour(width, height, start, direction)
        if near >= 0 and look(world, rules, ship, near) == FREE:
            world.jobs[ship].detour_length = world.jobs[ship].detour_done = 0
            _go(world, rules, ship, near, 1)
            return


# ---------------------------------------------------------------- fuel


@kernel
def _burn(world: World, rules: Rules, ship: int, cells: int) -> None:
    """Count the fuel for the cells covered and pay what is due (MER-033)."""
    entry = world.jobs[ship]
    rate = int(rules.ship_classes[world.ships[ship].kind].fuel_per_100_cells)
    entry.fuel_counter = min(_MOST_FUEL, int(entry.fuel_counter) + cells * rate)
    pay_fuel(world, ship)


@kernel
def pay_fuel(world: World, ship: int) -> bool:
    """Take the fuel that a ship has used up from its owner's private stock; whether none is owed."""
    entry = world.jobs[ship]
    due = int(entry.fuel_counter) // _FUEL
    if due == 0:
        return True
    owner = int(world.ships[ship].owner)
    taken = stock.private_take(world, owner, item.FUEL, due, cause.SHIP_FUEL)
    entry.fuel_counter -= taken * _FUEL
    world.nations[owner].ships_fuel += taken
    return bool(taken == due)
