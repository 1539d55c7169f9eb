"""How the rule AI takes land without war (AI-028, AI-034, AI-035), and keeps its own (AI-039, AI-052)."""

from __future__ import annotations

from hakoenv.agents.rule_ai import building, frontier, industry, judgement, staff, worth
from hakoenv.agents.rule_ai.orders import write
from hakoenv.agents.rule_ai.standing import are_sided

from hakoenv.engine import hexgrid, view
from hakoenv.engine.codes import command, deposit, relation, terrain
from hakoenv.engine.diplomacy import leagues
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

NOTHING = -1
_MOST = 1 << 60  # more than any hex is worth


@kernel
def expand(world: World, rules: Rules, n: int, idle: bool) -> bool:
    """Take the best ownerless land hex beside the territory (AI-027, AI-028, AI-034)."""
    nation = world.nations[n]
    if not idle and nation.expanded > 0:
        if world.clock[0].turn + 1 - nation.expanded < rules.scalars[0].ai_expand_interval:
            return False
    place = frontier.expansion(world, rules, n, False)
    if place < 0:
        return False
    what = frontier.taking(world, rules, n, place)
    if what == command.PLANT_FOREST:
        done = settle_plains(world, rules, n, place)
    else:
        done = write(world, rules, n, what, place, 0)
    if done:
        nation.expanded = world.clock[0].turn + 1
    return done


@kernel
def settle_plains(world: World, rules: Rules, n: int, place: int) -> bool:
    """Take plains by the building wanted next, else by planting a forest (AI-034, AI-035)."""
    fields = judgement.wants_farm(world, rules, n) or judgement.wants_spare_farm(world, rules, n)
    if fields and write(world, rules, n, command.FARM, place, 0):
        return True
    if industry.wants_factory(world, rules, n) and write(world, rules, n, command.FACTORY, place, 0):
        return True
    if judgement.wants_market(world, rules, n):
        if write(world, rules, n, command.ECONOMIC_FACILITY, place, building.MARKET):
            return True
    return write(world, rules, n, command.PLANT_FOREST, place, 0)


@kernel
def plant_border(world: World, rules: Rules, n: int) -> bool:
    """Turn own plains on an open border into forest, which development can't take (AI-039)."""
    place = frontier.border_plains(world, rules, n)
    return place >= 0 and write(world, rules, n, command.PLANT_FOREST, place, 0)


@kernel
def take_neighbours_hex(world: World, rules: Rules, n: int) -> bool:
    """Take a neighbour's plains, farm, factory or wasteland by a command of development (AI-035, AI-045).

    Tried from the most valuable down (AI-042), of equals the lowest cell; spared are friends, hexes on which
    a unit is seen, and deposits (AI-036). Plains fall to the building wanted next, farms and factories to
    enlarging, wasteland to levelling.
    """
    nation = world.nations[n]
    height, width = world.cells.shape
    below, at = _MOST, NOTHING  # the hex tried last
    while True:
        best, most = NOTHING, NOTHING
        for k in range(nation.first, nation.first + nation.held):
            own = int(world.territory[k])
            for d in range(1, frontier.NEIGHBOURS):
                i = hexgrid.nth(width, height, own, d)
                if i < 0 or not staff.is_takeable(view.terrain(world, rules, n, i)):
                    continue
                owner = view.owner(world, rules, n, i)
                if owner < 0 or owner == n or _is_spared(world, rules, n, owner, i):
                    continue
                value = worth.of_hex(world, rules, n, i)
                tried = value > below or (value == below and i <= at)
                if not tried and (value > most or (value == most and i < best)):
                    best, most = i, value
        if best < 0:
            return False
        if _take(world, rules, n, best):
            return True
        below, at = most, best


@kernel
def _is_spared(world: World, rules: Rules, n: int, owner: int, i: int) -> bool:
    """Whether nothing is taken there in peace (AI-036, TRD-013, CONT-018).

    From mates, partners in amity or in a trade league, fellows of the containment and nations on the own list
    of good terms; a deposit; under a unit in sight.
    """
    side = world.relations[n, owner]
    if side.state == relation.AMITY or side.good_terms:
        return True
    if are_sided(world, n, owner) or leagues.are_partners(world, n, owner):
        return True
    return view.deposit(world, rules, n, i) != deposit.NONE or view.unit(world, rules, n, i) >= 0


@kernel
def _take(world: World, rules: Rules, n: int, i: int) -> bool:
    """Give the command that takes a hex of another nation (AI-045)."""
    ground = view.terrain(world, rules, n, i)
    if ground == terrain.FARM:
        return write(world, rules, n, command.FARM, i, 0)
    if ground == terrain.FACTORY:
        return write(world, rules, n, command.FACTORY, i, 0)
    if ground == terrain.WASTELAND:
        return write(world, rules, n, command.PREPARE_LAND, i, 0)
    return settle_plains(world, rules, n, i)


@kernel
def plant_taken(world: World, rules: Rules, n: int) -> bool:
    """Turn plains that were taken from another nation into forest (AI-052), unless that is long ago.

    The limit keeps a nation from planting again what it felled since.
    """
    since = world.clock[0].turn - rules.scalars[0].ai_taken_forest_turns
    nation = world.nations[n]
    cells = world.cells.flat
    for k in range(nation.first, nation.first + nation.held):
        i = int(world.territory[k])
        taken = cells[i].taken_turn > 0 and cells[i].taken_turn >= since
        if cells[i].owner == n and cells[i].terrain == terrain.PLAINS and taken:
            if write(world, rules, n, command.PLANT_FOREST, i, 0):
                return True
    return False
