"""Naval ports and warships of the rule AI: where they are built, which, and how many (AI-050, AI-064; ours).

In war a nation whose rival has a coast within reach builds a naval port and a mix of ships, as far as funds,
steel and upkeep go; in peace only one with idle funds keeps a small navy.
"""

from __future__ import annotations

from hakoenv.agents.rule_ai import economy, ferry, judgement, orders
from hakoenv.agents.rule_ai.orders import write
from hakoenv.agents.rule_ai.staff import NEIGHBOURS, NOTHING, Staff

from hakoenv.engine import hexgrid, sightings, territory, view
from hakoenv.engine.codes import cause, command, item, ship_class, terrain
from hakoenv.engine.commands import shipyard
from hakoenv.engine.economy import consumption
from hakoenv.engine.kernel import kernel
from hakoenv.engine.navy import fleets, waters
from hakoenv.engine.world import FLEETS, SIGHTINGS, World
from hakoenv.ruleset.compiled import Rules

_PERCENT = 100


@kernel
def kept(rules: Rules, staff: Staff) -> int:
    """Warships that are kept for defence (AI-050, AID-023)."""
    guards = rules.scalars[0].ai_guard_ships
    return int(max(guards, guards * staff.head[0].harbours))


@kernel
def affords(world: World, rules: Rules, n: int, kind: int) -> bool:
    """Whether the treasury holds the funds and steel of a ship class (0: naval port)."""
    treasury = world.nations[n].treasury
    price = rules.ship_classes[kind]
    return bool(treasury[item.FUNDS] >= price.cost and treasury[item.STEEL] >= price.steel)


# ------------------------------------------------------------------ places


@kernel
def nearest_harbour(world: World, staff: Staff, cell: int) -> int:
    """The own naval port nearest to a cell, -1 none; ties: lowest index."""
    best, least = NOTHING, 0
    for k in range(staff.head[0].harbours):
        away = hexgrid.distance(world.cells.shape[1], int(staff.harbours[k]), cell)
        if best < 0 or away < least:
            best, least = int(staff.harbours[k]), away
    return best


@kernel
def list_waters(world: World, rules: Rules, n: int, staff: Staff, kind: int, sites_too: bool) -> int:
    """Write the open water beside own naval ports to the queue, or beside plains for one; return how many."""
    nation = world.nations[n]
    wanted = terrain.PLAINS if sites_too else terrain.NAVAL_PORT
    staff.head[0].charts += 1  # so that none is listed twice
    count = 0
    for k in range(nation.first, nation.first + nation.held):
        i = int(world.territory[k])
        if world.cells.flat[i].owner != n or world.cells.flat[i].terrain != wanted:
            continue
        count = _list_beside(world, rules, n, staff, kind, i, count)
    return count


@kernel
def _list_beside(world: World, rules: Rules, n: int, staff: Staff, kind: int, i: int, count: int) -> int:
    """Add the open water beside a cell to the ``count`` cells of the queue; return how many they are."""
    height, width = world.cells.shape
    for direction in range(1, NEIGHBOURS):
        near = hexgrid.nth(width, height, i, direction)
        if near < 0 or ferry.is_charted(staff, near):
            continue
        if waters.way(world, rules, n, n, kind, near) == waters.OPEN:
            staff.charted[near] = staff.head[0].charts
            staff.queue[count] = near
            count += 1
    return count


@kernel
def harbour_site(world: World, rules: Rules, n: int, staff: Staff, kind: int) -> int:
    """Own plains for a naval port beside the charted water nearest to where the chart begins, -1 none.

    Ties: lowest index.
    """
    nation = world.nations[n]
    cells = world.cells.flat
    best, least = NOTHING, 0
    for k in range(nation.first, nation.first + nation.held):
        i = int(world.territory[k])
        if cells[i].owner != n or cells[i].terrain != terrain.PLAINS:
            continue
        away = ferry.miles_to(world, rules, n, staff, kind, i)
        if away < 0 or (best >= 0 and away >= least):
            continue
        if orders.allowed(world, rules, n, command.BUILD_SHIP, i, shipyard.NAVAL_PORT):
            best, least = i, away
    return best


@kernel
def berth(world: World, rules: Rules, n: int, staff: Staff, kind: int) -> tuple[int, int]:
    """Where a ship of a class can be built on charted water, -1 nowhere, and the amount that orders it.

    It goes into the lowest fleet with a free place.
    """
    height, width = world.cells.shape
    fleet = 0
    while fleet < FLEETS and fleets.size(world, n, fleet) >= rules.scalars[0].ship_per_fleet:
        fleet += 1
    amount = kind
    if fleet > 0:
        amount += int(shipyard.SHIP_BASE + fleet * shipyard.FLEET_BASE)
    for k in range(staff.head[0].harbours):
        for direction in range(1, NEIGHBOURS):
            near = hexgrid.nth(width, height, int(staff.harbours[k]), direction)
            if near >= 0 and ferry.is_charted(staff, near):
                if orders.allowed(world, rules, n, command.BUILD_SHIP, near, amount):
                    return near, amount
    return NOTHING, amount


# ------------------------------------------------------------------ what is built


@kernel
def arm(world: World, rules: Rules, n: int, staff: Staff) -> bool:
    """In war or pending war: a naval port facing a rival's coast, then warships, as means allow."""
    s = rules.scalars[0]
    head = staff.head[0]
    if not head.rivals or not _keeps_up(world, rules, n, staff, s.ai_navy_war):
        return False
    kind = _next_in_war(world, rules, n, staff) if head.harbours > 0 else int(ship_class.NAVAL_PORT)
    price = rules.ship_classes[kind]
    if judgement.funds_after(world, n, int(price.cost)) < s.ai_navy_funds_left:
        return False
    if not _has_steel(world, rules, n, kind):
        return False
    if _order(world, rules, n, staff, kind, True):
        return True
    return kind > ship_class.DESTROYER and _order(world, rules, n, staff, int(ship_class.DESTROYER), True)


@kernel
def keep_navy(world: World, rules: Rules, n: int, staff: Staff) -> bool:
    """In peace: a few ships where there is a naval port, of funds that lie idle."""
    head = staff.head[0]
    s = rules.scalars[0]
    if head.harbours == 0 or head.rivals or not _keeps_up(world, rules, n, staff, s.ai_navy_peace):
        return False
    kind = int(ship_class.DESTROYER)
    if _count(staff, kind) >= s.ai_navy_carriers:
        kind = int(ship_class.CRUISER)
    if not judgement.has_idle_funds(world, rules, n, int(rules.ship_classes[kind].cost)):
        return False
    if not _has_steel(world, rules, n, kind):
        return False
    if _order(world, rules, n, staff, kind, False):
        return True
    return kind > ship_class.DESTROYER and _order(world, rules, n, staff, int(ship_class.DESTROYER), False)


@kernel
def _order(world: World, rules: Rules, n: int, staff: Staff, kind: int, fights: bool) -> bool:
    """Build a ship, or a naval port for destroyers, on water that the class can sail.

    ``fights``: only where it gets from there to the coast of a rival.
    """
    sails = max(kind, int(ship_class.DESTROYER))
    if fights:
        sources = _coasts_of(world, rules, n, staff, sails)
    else:
        sources = list_waters(world, rules, n, staff, sails, False)
    ferry.chart(
        world, rules, n, staff, sails, sources, int(rules.scalars[0].ai_strike_reach) if fights else 0
    )
    if kind == ship_class.NAVAL_PORT:
        place, amount = harbour_site(world, rules, n, staff, sails), int(shipyard.NAVAL_PORT)
    else:
        place, amount = berth(world, rules, n, staff, kind)
    return place >= 0 and write(world, rules, n, command.BUILD_SHIP, place, amount)


@kernel
def _keeps_up(world: World, rules: Rules, n: int, staff: Staff, most: int) -> bool:
    """Whether the nation can keep one ship more: their number, its taxes, and supplies (NAVY-083)."""
    s = rules.scalars[0]
    head = staff.head[0]
    if head.hulls >= most or head.hulls >= s.ship_nation_max:
        return False
    kind = int(ship_class.DESTROYER)
    funds = upkeep(rules, staff, kind, item.FUNDS)
    if _PERCENT * funds > s.ai_navy_percent * world.accounts[n, cause.TAX, item.FUNDS]:
        return False
    return supplies(world, rules, n, staff, kind)


@kernel
def upkeep(rules: Rules, staff: Staff, kind: int, what: int) -> int:
    """Funds, food or fuel of naval ports and warships in a turn, one more of a class included (NAVY-083)."""
    total = _charge(rules, int(ship_class.NAVAL_PORT), what) * staff.head[0].harbours
    total += _charge(rules, kind, what)
    for h in range(staff.head[0].hulls):
        total += _charge(rules, int(staff.hulls[h].kind), what)
    return int(total)


@kernel
def _charge(rules: Rules, kind: int, what: int) -> int:
    """What one of a class takes of funds, food or fuel."""
    built = rules.ship_classes[kind]
    if what == item.FUNDS:
        return int(built.upkeep_funds)
    return int(built.upkeep_food if what == item.FOOD else built.upkeep_fuel)


@kernel
def supplies(world: World, rules: Rules, n: int, staff: Staff, kind: int) -> bool:
    """Whether food and fuel are in stock for some turns of ships and ports, one of a class more included.

    Beyond the rations of some turns: nobody goes hungry for a navy.
    """
    turns = int(rules.scalars[0].ai_navy_turns)
    food = turns * upkeep(rules, staff, kind, item.FOOD)
    food += rules.scalars[0].ai_navy_food_turns * consumption.rations(world, rules, n)
    return bool(
        world.nations[n].treasury[item.FOOD] >= food and has_fuel(world, rules, n, staff, kind, turns)
    )


@kernel
def has_fuel(world: World, rules: Rules, n: int, staff: Staff, kind: int, turns: int) -> bool:
    """The same for fuel alone: without it a ship is worn down and sinks (NAVY-088).

    Industry and power plants take theirs first, so a turn of that has to be there, too.
    """
    wanted = turns * upkeep(rules, staff, kind, item.FUEL) + economy.fuel_demand(world, rules, n)
    return bool(world.nations[n].treasury[item.FUEL] >= wanted)


@kernel
def _has_steel(world: World, rules: Rules, n: int, kind: int) -> bool:
    """Whether a ship's steel is there beyond what arsenals hold back (AI-063)."""
    left = world.nations[n].treasury[item.STEEL] - rules.ship_classes[kind].steel
    return bool(left >= economy.arsenal_steel(world, rules, n) or rules.ship_classes[kind].steel == 0)


@kernel
def _count(staff: Staff, kind: int) -> int:
    """Own ships of a class."""
    found = 0
    for h in range(staff.head[0].hulls):
        found += staff.hulls[h].kind == kind
    return found


@kernel
def _next_in_war(world: World, rules: Rules, n: int, staff: Staff) -> int:
    """The class that is built next in war.

    Destroyers to carry troops and against submarines in sight; then cruisers and battleships in turn, and a
    carrier for the very rich.
    """
    s = rules.scalars[0]
    submarines = 0
    for k in range(SIGHTINGS):
        seen = world.sightings[n, k]
        if seen.what == sightings.WARSHIP and seen.type == ship_class.SUBMARINE and seen.owner != n:
            submarines += waters.is_hostile(world, n, int(seen.owner))
    if _count(staff, int(ship_class.DESTROYER)) < s.ai_navy_carriers + submarines:
        return int(ship_class.DESTROYER)
    left = judgement.funds_after(world, n, int(rules.ship_classes[ship_class.CARRIER].cost))
    if left >= s.ai_carrier_funds and _count(staff, int(ship_class.CARRIER)) == 0:
        return int(ship_class.CARRIER)
    if _count(staff, int(ship_class.BATTLESHIP)) < _count(staff, int(ship_class.CRUISER)):
        return int(ship_class.BATTLESHIP)
    return int(ship_class.CRUISER)


@kernel
def _coasts_of(world: World, rules: Rules, n: int, staff: Staff, kind: int) -> int:
    """Write the open water beside the land of rivals to the queue; return how much it is."""
    staff.head[0].charts += 1  # so that none is listed twice
    count = 0
    for b in range(world.nations.shape[0]):
        if not (staff.head[0].rivals >> b) & 1:
            continue
        for k in range(world.nations[b].first, world.nations[b].first + world.nations[b].held):
            i = int(world.territory[k])
            if view.owner(world, rules, n, i) != b or not territory.is_land(world, rules, i):
                continue
            count = _list_beside(world, rules, n, staff, kind, i, count)
    return count


@kernel
def coast_within(world: World, rules: Rules, n: int, staff: Staff, b: int) -> bool:
    """Whether the last chart reached the land of a nation."""
    for k in range(world.nations[b].first, world.nations[b].first + world.nations[b].held):
        i = int(world.territory[k])
        if view.owner(world, rules, n, i) == b and territory.is_land(world, rules, i):
            if ferry.miles_to(world, rules, n, staff, int(ship_class.DESTROYER), i) >= 0:
                return True
    return False


# ------------------------------------------------------------------ wrecks


@kernel
def salvage(world: World, rules: Rules, n: int, staff: Staff) -> bool:
    """Take a wreck beside an own ship while less steel is in stock than is held back (NAVY-043)."""
    if staff.head[0].hulls == 0:
        return False
    if world.nations[n].treasury[item.STEEL] >= economy.steel_reserve(world, rules, n):
        return False
    width = world.cells.shape[1]
    for k in range(world.wrecks.shape[0]):
        wreck = world.wrecks[k]
        if wreck.kind == 0:
            continue
        for h in range(staff.head[0].hulls):
            if hexgrid.distance(width, int(staff.hulls[h].cell), int(wreck.cell)) <= 1:
                if write(world, rules, n, command.SALVAGE_WRECK, int(wreck.cell), 0):
                    return True
    return False
