"""What a rich nation of the rule AI does with idle funds: our own rules, none of them the source's.

Each step waits until a good part of the treasury's cap would still be left (`ai.idle_funds_percent`), so
that nothing here keeps a poor nation from what the ledger tells it to do.
"""

from __future__ import annotations

from hakoenv.agents.rule_ai import building, economy, frontier, judgement, orders, sites
from hakoenv.agents.rule_ai.orders import write

from hakoenv.engine import hexgrid, stock, view
from hakoenv.engine.codes import command, deposit, item, terrain
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.codes import FACILITY_ROWS
from hakoenv.ruleset.compiled import Rules

# Amounts of urban_build (CMD-050).
_NEW_TOWN = 0
_MODERN_CITY = 1
_SEABED_CITY = 2

_MODERN_ROW = FACILITY_ROWS["modern_city"]
_SEABED_ROW = FACILITY_ROWS["seabed_city"]


@kernel
def level(world: World, rules: Rules, n: int) -> bool:
    """Make plains of ownerless wasteland and forest beside the territory, and of own wasteland, at once.

    Takes no turn, so it never fills one.
    """
    s = rules.scalars[0]
    cost = rules.commands[command.LEVEL_LAND].cost
    for k in range(s.commands_level_land_per_turn):
        if judgement.funds_after(world, n, cost * (k + 1)) < s.ai_levelling_funds_left:
            return False
        place = frontier.expansion(world, rules, n, True)
        if place < 0:
            place = sites.wasteland(world, rules, n)
        if place < 0 or not write(world, rules, n, command.LEVEL_LAND, place, 0):
            return False
    return False


@kernel
def build_arsenal(world: World, rules: Rules, n: int) -> bool:
    """An arsenal level more where goods and steel lie idle and ammo does not."""
    s = rules.scalars[0]
    nation = world.nations[n]
    spare = nation.treasury[item.STEEL] - economy.steel_reserve(world, rules, n)
    if nation.treasury[item.AMMO] >= s.ai_ammo_stock or spare < s.ai_arsenal_steel:
        return False
    if not _goods_lie_idle(world, rules, n) or not judgement.has_idle_funds(world, rules, n, 0):
        return False
    return building.facility(world, rules, n, int(terrain.ARSENAL), int(building.ARSENAL))


@kernel
def build_market(world: World, rules: Rules, n: int) -> bool:
    """A market level more where goods lie idle and people have no work."""
    hands = rules.terrains[terrain.MARKET].workers_per_level
    if world.nations[n].town_farmers < hands or not _goods_lie_idle(world, rules, n):
        return False
    if not judgement.has_idle_funds(world, rules, n, 0):
        return False
    return building.facility(world, rules, n, int(terrain.MARKET), int(building.MARKET))


@kernel
def _goods_lie_idle(world: World, rules: Rules, n: int) -> bool:
    return judgement.goods_turns(world, rules, n, rules.scalars[0].ai_plenty_goods_turns)


@kernel
def build_warehouse(world: World, rules: Rules, n: int) -> bool:
    """A warehouse level more when some stock is nearly at its cap."""
    if not judgement.has_idle_funds(world, rules, n, 0):
        return False
    full = False
    for what in range(item.COUNT):
        filled = 100 * world.nations[n].treasury[what]
        full = full or filled >= rules.scalars[0].ai_warehouse_percent * stock.cap(world, rules, n, what)
    if not full:
        return False
    return building.raise_or_found(world, rules, n, int(terrain.WAREHOUSE), int(command.WAREHOUSE))


@kernel
def build_modern_city(world: World, rules: Rules, n: int) -> bool:
    """Make the most populous metropolis or new town a modern city, of steel that is not held back."""
    if not _can_spend(world, rules, n, int(_MODERN_ROW)):
        return False
    nation = world.nations[n]
    cells = world.cells.flat
    best = frontier.NOTHING
    for k in range(nation.first, nation.first + nation.held):
        i = int(world.territory[k])
        if cells[i].owner != n or (
            cells[i].terrain != terrain.METROPOLIS and cells[i].terrain != terrain.NEW_TOWN
        ):
            continue
        if best < 0 or cells[i].population > cells[best].population:
            best = i
    return best >= 0 and write(world, rules, n, command.URBAN_BUILD, best, _MODERN_CITY)


@kernel
def build_new_town(world: World, rules: Rules, n: int) -> bool:
    """A new town on own plains, as long as some plains are left for other things."""
    if sites.count_own(world, n, terrain.PLAINS) <= rules.scalars[0].ai_plains_kept:
        return False
    if not judgement.has_idle_funds(world, rules, n, rules.commands[command.URBAN_BUILD].cost):
        return False
    place = sites.building_site(world, rules, n, False)
    return place >= 0 and write(world, rules, n, command.URBAN_BUILD, place, _NEW_TOWN)


@kernel
def build_seabed_city(world: World, rules: Rules, n: int) -> bool:
    """A city in the sea beside own land, where food covers what is eaten."""
    if not _can_spend(world, rules, n, int(_SEABED_ROW)) or judgement.wants_farm(world, rules, n):
        return False
    place = _beside(world, rules, n, int(terrain.SEA), command.URBAN_BUILD, _SEABED_CITY)
    return place >= 0 and write(world, rules, n, command.URBAN_BUILD, place, _SEABED_CITY)


@kernel
def survey(world: World, rules: Rules, n: int) -> bool:
    """Look for oil in wasteland, own or beside own land (SURVEY-001, SURVEY-002)."""
    if not judgement.has_idle_funds(world, rules, n, rules.commands[command.SURVEY].cost):
        return False
    place = _beside(world, rules, n, int(terrain.WASTELAND), command.SURVEY, 0)
    return place >= 0 and write(world, rules, n, command.SURVEY, place, 0)


@kernel
def _can_spend(world: World, rules: Rules, n: int, row: int) -> bool:
    """Whether a facility's funds are idle and its steel is not held back (AI-063)."""
    price = rules.facility_costs[row]
    left = world.nations[n].treasury[item.STEEL] - price.build_materials[item.STEEL]
    if left < economy.steel_reserve(world, rules, n):
        return False
    return judgement.has_idle_funds(world, rules, n, price.build_funds)


@kernel
def _beside(world: World, rules: Rules, n: int, ground: int, what: int, amount: int) -> int:
    """A cell of a terrain, own or beside own ones, where a command is allowed; farthest from foreign land."""
    nation = world.nations[n]
    height, width = world.cells.shape
    best, farthest = frontier.NOTHING, -1
    for k in range(nation.first, nation.first + nation.held):
        own = int(world.territory[k])
        for d in range(frontier.NEIGHBOURS):
            i = hexgrid.nth(width, height, own, d)
            if i < 0 or view.terrain(world, rules, n, i) != ground:
                continue
            if view.deposit(world, rules, n, i) != deposit.NONE:
                continue
            away = frontier.foreign_distance(world, rules, n, i)
            if away < farthest or (away == farthest and i >= best):
                continue
            if orders.allowed(world, rules, n, what, i, amount):
                if not orders.is_planned(world, n, i, int(command.LEVEL_LAND)):
                    best, farthest = i, away
    return best
