"""Deep-sea fishing: boats of private sectors go out to grounds, fill up, and bring the fish home (FISH-006).

A boat that is `FISHING` is bound for a ground or on it; `arrived` of its job is then the turn in which it
came there, 0 before. How it sails is the merchants' matter. Fish aboard is a parcel of the owner's food.
"""

from __future__ import annotations

import numpy as np

from hakoenv.engine import hexgrid, nation_order, stock
from hakoenv.engine.codes import item, job, parcel, ship_class
from hakoenv.engine.kernel import kernel
from hakoenv.engine.shipping import cargo, charts, grounds, harbours, jobs, launch, parcels
from hakoenv.engine.trade import bargain, market, reach
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

NONE = -1


# ---------------------------------------------------------------- going out


@kernel
def assign(world: World, rules: Rules) -> None:
    """Idle boats get a ground each, nation by nation, in ship order, as long as there are any (FISH-006)."""
    for k in range(nation_order.count(world)):
        for ship in range(world.clock[0].ships):
            if world.ships[ship].owner == world.order[k] and _is_idle(world, rules, ship):
                _send_out(world, rules, ship)


@kernel
def is_boat(world: World, ship: int) -> bool:
    """Whether a place in the list of ships holds a nation's fishing boat."""
    return bool(world.ships[ship].kind == ship_class.FISHING_BOAT and world.ships[ship].owner >= 0)


@kernel
def _is_idle(world: World, rules: Rules, ship: int) -> bool:
    """Whether a boat waits at an own port that it is at home at: empty, paid for and not new (MER-075)."""
    if not is_boat(world, ship):
        return False
    entry = world.jobs[ship]
    if entry.job != job.IDLE or entry.paid == 0 or entry.built == world.clock[0].turn:
        return False
    port = jobs.base(world, ship)
    if port < 0 or not harbours.is_port_of(world, port, int(world.ships[ship].owner)):
        return False
    reach_of_port = max(rules.scalars[0].port_handling_distance, rules.scalars[0].private_wait_distance)
    away = hexgrid.distance(world.cells.shape[1], int(world.ships[ship].cell), port)
    return bool(away <= reach_of_port and catch_of(world, ship) < 0)


@kernel
def _send_out(world: World, rules: Rules, ship: int) -> bool:
    """A boat is bound for the best ground, if there is one (return whether)."""
    k = _best_ground(world, rules, harbours.find(world, jobs.base(world, ship)), ship)
    if k < 0:
        return False
    entry = world.jobs[ship]
    entry.job = job.FISHING
    entry.goal = world.grounds[k].cell
    entry.arrived = 0
    jobs.forget_way(world, ship)
    return True


@kernel
def _best_ground(world: World, rules: Rules, h: int, ship: int) -> int:
    """The ground nearest to a listed port by its chart, of equal ones that of the lowest cell; -1 none.

    It holds enough food for a turn's catch, nobody lies on it but the boat itself, and no other boat is
    bound for it.
    """
    found, least = NONE, 0
    for k in range(world.grounds.shape[0]):
        ground = world.grounds[k]
        if ground.cell < 0 or ground.fish < rules.scalars[0].fishing_boat_catch:
            continue
        cell = int(ground.cell)
        steps = charts.way(world, h, cell)
        rank = steps * world.cells.size + cell
        if steps < 0 or (found >= 0 and rank > least):
            continue
        if _is_clear(world, rules, cell, ship) and not _is_sought(world, cell, ship):
            found, least = k, rank
    return found


@kernel
def _is_clear(world: World, rules: Rules, cell: int, ship: int) -> bool:
    """Whether a boat could lie on a cell, or does."""
    if world.cells.flat[cell].ship >= 0:
        return bool(world.cells.flat[cell].ship == ship)
    return harbours.is_free(world, rules, cell)


@kernel
def _is_sought(world: World, cell: int, ship: int) -> bool:
    """Whether another boat is bound for a ground, or fishes there."""
    for other in range(world.clock[0].ships):
        entry = world.jobs[other]
        if other != ship and entry.job == job.FISHING and entry.goal == cell and is_boat(world, other):
            return True
    return False


# ---------------------------------------------------------------- on the ground


@kernel
def catch(world: World, rules: Rules) -> None:
    """Boats that have come to their grounds, and not in this turn, fish there (end of phase 24)."""
    for ship in range(world.clock[0].ships):
        entry = world.jobs[ship]
        if entry.job != job.FISHING or not is_boat(world, ship):
            continue
        goal = int(entry.goal)
        if world.ships[ship].cell != goal:
            if _is_barred(world, rules, ship, goal):
                _go_on(world, rules, ship)
        elif entry.arrived == 0:
            entry.arrived = world.clock[0].turn
        elif entry.arrived < world.clock[0].turn:
            _haul(world, rules, ship, grounds.find(world, goal))


@kernel
def _haul(world: World, rules: Rules, ship: int, k: int) -> None:
    """Take a turn's catch from a ground; go home full, go on from an empty ground."""
    s = rules.scalars[0]
    fish = int(world.grounds[k].fish) if k >= 0 else 0
    room = s.fishing_boat_capacity - fish_aboard(world, ship)
    caught = int(max(0, min(min(s.fishing_boat_catch, fish), room)))
    if caught > 0 and _stow(world, ship, caught):
        stock.appear(world, item.FOOD, caught)
        world.grounds[k].fish -= caught
        fish -= caught
        room -= caught
    if room <= 0:
        _go_home(world, ship)
    elif fish == 0:
        _go_on(world, rules, ship)


@kernel
def _stow(world: World, ship: int, caught: int) -> bool:
    """Put fish into a boat's hold; False if the list of parcels is full."""
    p = catch_of(world, ship)
    if p < 0:
        owner = int(world.ships[ship].owner)
        return parcels.put(world, parcel.OWN, item.FOOD, caught, owner, owner, ship, NONE) >= 0
    world.parcels[p].quantity += caught
    return True


@kernel
def catch_of(world: World, ship: int) -> int:
    """The parcel of a boat's fish, -1 none."""
    for p in range(world.clock[0].parcels):
        entry = world.parcels[p]
        if entry.state == parcel.ABOARD and entry.ship == ship and entry.what == item.FOOD:
            return p
    return NONE


@kernel
def fish_aboard(world: World, ship: int) -> int:
    """Food in a boat's hold."""
    p = catch_of(world, ship)
    return int(world.parcels[p].quantity) if p >= 0 else 0


@kernel
def _is_barred(world: World, rules: Rules, ship: int, cell: int) -> bool:
    """Whether a boat can't get onto its ground: that is no water, or it is beside and finds it taken."""
    if not harbours.is_berth(world, rules, cell):
        return True
    away = hexgrid.distance(world.cells.shape[1], int(world.ships[ship].cell), cell)
    return away == 1 and not _is_clear(world, rules, cell, ship)


@kernel
def _go_on(world: World, rules: Rules, ship: int) -> None:
    """A boat leaves a ground: for the next one with little in its hold, else, or if there is none, home."""
    little = fish_aboard(world, ship) < rules.scalars[0].fishing_boat_go_on_below
    if not little or not _send_out(world, rules, ship):
        _go_home(world, ship)


@kernel
def _go_home(world: World, ship: int) -> None:
    """A boat is bound for its effective home port."""
    entry = world.jobs[ship]
    entry.job = job.RETURNING
    entry.goal = jobs.base(world, ship)
    entry.arrived = 0
    jobs.forget_way(world, ship)


# ---------------------------------------------------------------- unloading


@kernel
def unload(world: World, rules: Rules) -> None:
    """Boats at their own home port unload, by arrival, then in ship order, after cargo ships (FISH-006)."""
    for ship in range(world.clock[0].ships):
        if _is_home(world, ship) and world.jobs[ship].arrived == 0:
            world.jobs[ship].arrived = world.clock[0].turn
    key = _next_in_line(world, NONE)
    while key >= 0:
        _unload_one(world, rules, key % world.ships.shape[0])
        key = _next_in_line(world, key)


@kernel
def _is_home(world: World, ship: int) -> bool:
    """Whether a boat that is not out fishing lies beside an own port that it is at home at."""
    if not is_boat(world, ship) or world.jobs[ship].job == job.FISHING:
        return False
    port, owner = jobs.base(world, ship), int(world.ships[ship].owner)
    return harbours.is_at(world, ship, port) and harbours.is_port_of(world, port, owner)


@kernel
def _next_in_line(world: World, after: int) -> int:
    """Arrival and place in the list, as one number, of the next boat that has fish to unload; -1 none.

    A boat unloads once a turn: what a port can handle then does not grow within the turn.
    """
    found = NONE
    for ship in range(world.clock[0].ships):
        entry = world.jobs[ship]
        key = int(entry.arrived * world.ships.shape[0] + ship)
        if key <= after or 0 <= found < key or entry.handled == world.clock[0].turn:
            continue
        if _is_home(world, ship) and catch_of(world, ship) >= 0:
            found = key
    return found


@kernel
def _unload_one(world: World, rules: Rules, ship: int) -> None:
    """Bring fish ashore, so many containers as boat and port handle in a turn; an empty boat is idle."""
    port = jobs.base(world, ship)
    h = harbours.find(world, port)
    p = catch_of(world, ship)
    room = harbours.left(world, rules, h) if h >= 0 else 0
    room = min(room, int(rules.scalars[0].fishing_unload_containers))
    quantity = min(int(world.parcels[p].quantity), parcels.units_in(rules, item.FOOD, room))
    if quantity <= 0:
        return
    world.harbours[h].handled += parcels.containers(rules, item.FOOD, quantity)
    entry = world.jobs[ship]
    entry.handled = world.clock[0].turn
    entry.unloaded_at = port
    cargo.arrive(world, rules, p, quantity)
    if catch_of(world, ship) < 0:
        entry.job = job.IDLE
        entry.goal = NONE
        jobs.forget_way(world, ship)


# ---------------------------------------------------------------- building


@kernel
def build(world: World, rules: Rules, n: int) -> bool:
    """Build a fishing boat where there are fewest, if it is of use; return whether (FISH-007)."""
    s = rules.scalars[0]
    price = int(rules.ship_classes[ship_class.FISHING_BOAT].cost) * stock.THOUSANDTHS
    left = s.fishing_build_rule_cash_left * stock.THOUSANDTHS
    if not s.fishing_build_enabled or world.nations[n].private[item.FUNDS] - price < left:
        return False
    port = _slip(world, rules, n)
    if port < 0:
        return False
    if not _is_food_scarce(world, rules, n) and not _is_food_wanted_abroad(world, rules, n):
        return False
    berth = harbours.free_berth(world, rules, port)
    return launch.launch(world, rules, n, ship_class.FISHING_BOAT, port, berth, price) >= 0


@kernel
def _is_food_scarce(world: World, rules: Rules, n: int) -> bool:
    """Whether the free food lasts the households for less than so many turns."""
    use = rules.scalars[0].fishing_build_rule_food_turns * world.nations[n].wanted[item.FOOD]
    return bool(market.free_stock(world, n, item.FOOD) * stock.THOUSANDTHS < use)


@kernel(allocates=True)
def _is_food_wanted_abroad(world: World, rules: Rules, n: int) -> bool:
    """Whether a partner was short of food last and would pay for it (MER-071)."""
    takers = 0
    for b in range(world.nations.shape[0]):
        if b != n and world.nations[b].alive and world.nations[b].shorts[item.FOOD] > 0:
            takers |= int(bargain.pays(world, n, b, item.FOOD)) << b
    if takers == 0:
        return False
    partners = np.zeros(world.nations.shape[0], np.int64)
    reach.add_land(world, partners)
    reach.add_sea(world, rules, partners)
    return bool(partners[n] & takers != 0)


@kernel
def _slip(world: World, rules: Rules, n: int) -> int:
    """The own port for which a boat is built: of fewest boats, then of lowest cell; -1 none.

    It has room for one, a free berth, and a way to a ground that no boat is bound for.
    """
    found, fewest = NONE, 0
    for h in range(world.harbours.shape[0]):
        port = int(world.harbours[h].cell)
        if not harbours.is_port_of(world, port, n):
            continue
        boats = _boats_of(world, n, port)
        if boats >= rules.scalars[0].fishing_boats_per_port or harbours.free_berth(world, rules, port) < 0:
            continue
        if found >= 0 and (boats > fewest or (boats == fewest and port > found)):
            continue
        if _has_ground(world, rules, h):
            found, fewest = port, boats
    return found


@kernel
def _boats_of(world: World, n: int, port: int) -> int:
    """Boats of a nation whose home is a port."""
    found = 0
    for ship in range(world.clock[0].ships):
        own = is_boat(world, ship) and world.ships[ship].owner == n
        found += own and world.jobs[ship].home == port
    return found


@kernel
def _has_ground(world: World, rules: Rules, h: int) -> bool:
    """Whether a listed port has a way to a ground that holds a turn's catch and that no boat is bound for."""
    for k in range(world.grounds.shape[0]):
        ground = world.grounds[k]
        if ground.cell < 0 or ground.fish < rules.scalars[0].fishing_boat_catch:
            continue
        cell = int(ground.cell)
        if charts.way(world, h, cell) >= 0 and not _is_sought(world, cell, NONE):
            return True
    return False
