"""What full members of a faction see of each other, and with each other's eyes (FAC-015, FAC-017, FAC-018).

Nothing of it enters the own view: cells, planes, sightings and masks are made from the own sight alone.
"""

from __future__ import annotations

from hakoenv.engine import view
from hakoenv.engine.codes import item
from hakoenv.engine.diplomacy import relations
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import PLAN_LENGTH, World
from hakoenv.obs.arrays import Arrays, Scratch, fit, place_of
from hakoenv.obs.nation import shown, signed
from hakoenv.ruleset.compiled import Rules

_UNIT, _WARSHIP = 1, 2  # `what` of a faction sighting
_STRANGE, _OF_MATES, _IN_OWN_SIGHT = range(3)  # in this order they are listed
_ORDERS = 3
_INT16 = 32_767


@kernel
def fill_view(world: World, rules: Rules, n: int, out: Arrays, scratch: Scratch, occupied: int) -> None:
    """The faction screen and map of nation ``n``; nothing for who is no full member, or has no mate."""
    row = out.diplomacy[n]
    row.mates = row.mates_left_out = row.faction_sightings = row.faction_sightings_left_out = 0
    members = members_of(world, n)
    if members & (members - 1) == 0:  # nobody, or the nation alone
        return
    _fill_mates(world, rules, n, members, out)
    for which in range(_ORDERS):
        for k in range(occupied):
            _list_cell(world, n, members, which, int(scratch.occupied[k, 0]), out, scratch)


@kernel
def members_of(world: World, n: int) -> int:
    """The members of a living nation's faction, itself included, one bit each; 0 if it is in none."""
    found = 0
    if world.nations[n].alive and world.nations[n].faction >= 0:
        for k in range(world.nations.shape[0]):
            if world.nations[k].alive and world.nations[k].faction == world.nations[n].faction:
                found |= 1 << k
    return found


@kernel
def _fill_mates(world: World, rules: Rules, n: int, members: int, out: Arrays) -> None:
    """Funds, food and the first commands of each mate's plan, by place."""
    seats = world.nations.shape[0]
    row = out.diplomacy[n]
    count = 0
    for place in range(1, seats):
        mate = (n + place) % seats
        if (members >> mate) & 1 == 0:
            continue
        if count < out.mates.shape[1]:
            nation = world.nations[mate]
            line = out.mates[n, count]
            line.listed, line.place = 1, place
            line.leader = int(world.factions[nation.faction].leader == mate)
            line.funds = signed(nation.treasury[item.FUNDS])
            line.food = signed(nation.treasury[item.FOOD])
            most = min(out.mate_plans.shape[2], int(rules.scalars[0].faction_visible_plan_commands))
            line.plan_length = max(0, min(int(nation.plan_length), PLAN_LENGTH, most))
            for k in range(line.plan_length):
                order = out.mate_plans[n, count, k]
                order.listed = 1
                order.command, order.x, order.y, order.amount, order.target = shown(world.plans[mate, k])
        count += 1
    row.mates = min(count, out.mates.shape[1])
    row.mates_left_out = count - row.mates


@kernel
def _list_cell(
    world: World, n: int, members: int, which: int, cell: int, out: Arrays, scratch: Scratch
) -> None:
    """List the unit and the warship of a cell if a member sees it and it is of one of the three orders."""
    unit, ship = int(world.cells.flat[cell].unit), int(world.cells.flat[cell].ship)
    if unit >= 0:
        there = world.units[unit]
        seen = members & (int(scratch.watch[view.UNITS, cell]) | int(there.met))
        _list_thing(world, n, members, which, cell, _UNIT, seen, there.owner, there.type, there.strength, out)
    if ship >= 0 and view.hides(world, ship):
        afloat = world.ships[ship]
        seen = members & (int(scratch.watch[view.WARSHIPS, cell]) | int(afloat.met))
        _list_thing(world, n, members, which, cell, _WARSHIP, seen, afloat.owner, afloat.kind, afloat.hp, out)


@kernel
def _list_thing(
    world: World,
    n: int,
    members: int,
    which: int,
    cell: int,
    what: int,
    seen: int,
    owner: int,
    kind: int,
    strength: int,
    out: Arrays,
) -> None:
    """List a unit or warship that the members ``seen`` (one bit each) see, besides its owner."""
    ours = owner >= 0 and (members >> int(owner)) & 1 == 1
    if ours:
        seen |= 1 << int(owner)
    own = (seen >> n) & 1
    order = _OF_MATES if ours else _IN_OWN_SIGHT if own else _STRANGE
    if seen == 0 or owner == n or order != which:
        return
    counts = out.diplomacy[n]
    if counts.faction_sightings >= out.faction_sightings.shape[1]:
        counts.faction_sightings_left_out += 1
        return
    row = out.faction_sightings[n, counts.faction_sightings]
    width = world.cells.shape[1]
    row.what = what
    row.owner = place_of(int(owner), n, world.nations.shape[0])
    row.x, row.y = cell % width, cell // width
    row.type = kind
    row.strength = fit(int(strength), _INT16)
    row.own = own
    row.watchers = 0
    while seen > 0:
        row.watchers += 1
        seen &= seen - 1
    counts.faction_sightings += 1


@kernel
def unit(world: World, rules: Rules, n: int, cell: int) -> int:
    """Index of the unit on a cell of the faction map of nation ``n``, -1 none is seen there (FAC-017)."""
    for k in range(world.nations.shape[0]):
        if k == n or (world.nations[k].alive and relations.are_mates(world, n, k)):
            found = view.unit(world, rules, k, cell)
            if found >= 0:
                return int(found)
    return int(view.NOTHING)


@kernel
def ship(world: World, rules: Rules, n: int, cell: int) -> int:
    """Likewise of a ship."""
    for k in range(world.nations.shape[0]):
        if k == n or (world.nations[k].alive and relations.are_mates(world, n, k)):
            found = view.ship(world, rules, k, cell)
            if found >= 0:
                return int(found)
    return int(view.NOTHING)
