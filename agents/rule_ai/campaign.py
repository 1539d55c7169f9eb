"""The field army of a nation in war: how much it raises beyond its guards, of which types, and where.

All of this is ours: the source says nothing of it (AI-050 is a floor). Nobody mobilizes who has neither a
land border with a rival nor ships to carry troops to one.
"""

from __future__ import annotations

from hakoenv.agents.rule_ai import defence, fleet
from hakoenv.agents.rule_ai.staff import FREE, NEIGHBOURS, Staff, front

from hakoenv.engine import census, hexgrid, view
from hakoenv.engine.codes import item, terrain, unit_type
from hakoenv.engine.economy import consumption
from hakoenv.engine.kernel import kernel
from hakoenv.engine.land import movement
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

_ANY = -1  # type of unit


@kernel
def raise_army(world: World, rules: Rules, n: int, staff: Staff) -> None:
    """Conscript up to a share of the people and place what is in reserve at the depots nearest to the front.

    While the depots are far from the front another one is wanted beside it.
    """
    s = rules.scalars[0]
    head = staff.head[0]
    nation = world.nations[n]
    by_sea = not head.rivals & head.neighbours
    if by_sea and (head.lifts == 0 or head.harbours == 0):
        return
    if by_sea:
        goal = int(staff.harbours[0])
        wanted = _wanted_at_sea(world, rules, staff) - int(head.reserves)
    else:
        goal = front(world, staff, int(nation.capital))
        wanted = _wanted(world, rules, n, staff) - census.strength(world, n) - nation.conscripts
    fed = nation.treasury[item.FOOD] >= s.ai_war_food_turns * consumption.rations(world, rules, n)
    if wanted > 0 and fed:
        defence.conscript(world, rules, n, min(wanted, nation.population * s.ai_conscript_percent // 100))
    far = True
    for k in range(head.yards):
        far = far and hexgrid.distance(world.cells.shape[1], int(staff.yards[k].cell), goal) > s.ai_depot_far
        y = defence.nearest_yard(world, staff, defence.EVERYWHERE, goal, _ANY)
        if y < 0:
            continue
        yard = staff.yards[y]
        strength = min(int(head.reserves), int(s.army_unit_max_strength - yard.standing))
        if by_sea:
            strength = min(strength, _wanted_at_sea(world, rules, staff))
            strength = min(strength, int(s.ai_landing_party - yard.standing))
        is_free = yard.man < 0 or staff.men[yard.man].task == FREE  # a guard is not made an army
        if is_free and strength >= s.ai_unit_strength_min:
            defence.place(
                world, rules, n, staff, y, strength, _kind(world, rules, n, staff, strength, by_sea)
            )
        yard.used = 1
    if far and head.depot < 0 and head.yards < s.ai_depots_max:
        head.depot = defence.depot_site(world, rules, n, staff, int(head.rivals), goal)
        head.depot_priority = s.ai_priority_war


@kernel
def _wanted(world: World, rules: Rules, n: int, staff: Staff) -> int:
    """The strength that a nation in war wants: more than its rivals', and no less than a share of its people.

    People give no more than another share.
    """
    s = rules.scalars[0]
    theirs = 0
    for b in range(world.nations.shape[0]):
        if (staff.head[0].rivals >> b) & 1:
            theirs += census.strength(world, b)
    people = world.nations[n].population
    least = people * s.ai_levy_percent // 100
    return int(min(max(least, theirs * s.ai_army_percent // 100), people * s.ai_mobilize_percent // 100))


@kernel
def _wanted_at_sea(world: World, rules: Rules, staff: Staff) -> int:
    """The strength still wanted for ships that carry troops: a party each, less units without a task."""
    head = staff.head[0]
    wanted = head.lifts * rules.scalars[0].ai_landing_party
    for m in range(head.men):
        if staff.men[m].task == FREE:
            wanted -= staff.men[m].strength
    for h in range(head.hulls):
        if staff.hulls[h].cargo >= 0 and staff.hulls[h].role == fleet.LIFT:
            wanted -= world.units[staff.hulls[h].cargo].strength
    return int(max(0, wanted))


@kernel
def _kind(world: World, rules: Rules, n: int, staff: Staff, strength: int, by_sea: bool) -> int:
    """The type of the next unit: half occupy, the rest is armor and artillery where there are the means.

    Before mountains all are mountain troops: nobody else gets through. Whoever lands has to occupy.
    """
    s = rules.scalars[0]
    head = staff.head[0]
    treasury = world.nations[n].treasury
    takers = armor = guns = 0
    for m in range(head.men):
        if staff.men[m].task == FREE and staff.men[m].strength >= s.ai_unit_strength_min:
            takers += rules.unit_types[staff.men[m].type].occupation > 0
            armor += staff.men[m].type == unit_type.ARMOR
            guns += staff.men[m].type == unit_type.ARTILLERY
    spare = head.funds - s.ai_army_funds_left
    if not by_sea and armor + guns < takers and not _is_rough(world, rules, n, staff):
        kind = int(unit_type.ARMOR if armor <= guns else unit_type.ARTILLERY)
        lacks = treasury[item.FUEL if kind == unit_type.ARMOR else item.AMMO] < s.ai_army_stock
        if spare >= strength * rules.unit_types[kind].cost_per_strength and not lacks:
            return kind
    rich = spare >= strength * rules.unit_types[unit_type.MOUNTAIN_TROOPS].cost_per_strength
    return int(unit_type.MOUNTAIN_TROOPS if rich else unit_type.INFANTRY)


@kernel
def _is_rough(world: World, rules: Rules, n: int, staff: Staff) -> bool:
    """Whether most of the rivals' border hexes are mountains or mines (ARMY-029)."""
    height, width = world.cells.shape
    balance = 0
    for e in range(staff.head[0].edges):
        for d in range(1, NEIGHBOURS):
            j = hexgrid.nth(width, height, int(staff.edges[e].cell), d)
            owner = view.owner(world, rules, n, j) if j >= 0 else -1
            if owner >= 0 and (staff.head[0].rivals >> owner) & 1:
                mountain = movement.ground_of(world, rules, n, j) == terrain.MOUNTAIN
                balance += 1 if mountain else -1
    return bool(balance >= 0)
