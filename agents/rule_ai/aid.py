"""Reserves for mates at war: whom the rule AI helps, when it refuses, how much it gives.

Mates whose land touches its own get reserves by land, at once; to the others `relief` ships them, and
`land_route` takes land toward them. Only nations of the rule AI do so, no proxy of a silent one (AID-008 ..
AID-012, AID-028).
"""

from __future__ import annotations

from hakoenv.agents.rule_ai.orders import address
from hakoenv.agents.rule_ai.staff import NOTHING, Staff

from hakoenv.engine import census, hexgrid, territory
from hakoenv.engine.codes import command, controller, relation, war_origin
from hakoenv.engine.diplomacy import relations, threat
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

_PERCENT = 100


# ------------------------------------------------------------------ whom


@kernel
def consider(world: World, rules: Rules, n: int, staff: Staff) -> None:
    """Note which mates are in need, unless the nation needs its reserves itself (AID-008, AID-009)."""
    head = staff.head[0]
    head.helped = head.given = 0
    head.far = head.relief = head.landing = head.route = NOTHING
    if world.nations[n].controller != controller.RULE_AI or world.nations[n].faction < 0:
        return
    needy = 0
    for b in range(world.nations.shape[0]):
        if world.nations[b].alive and relations.are_mates(world, n, b) and is_in_need(world, b):
            needy |= 1 << b
    if needy and not refuses(world, rules, n, staff):
        head.helped = needy


@kernel
def is_in_need(world: World, b: int) -> bool:
    """Whether a nation is in an open war, or another has declared one on it that will open (AID-008)."""
    for c in range(world.nations.shape[0]):
        side = world.relations[b, c]
        if c == b or not world.nations[c].alive:
            continue
        if side.state == relation.WAR or (side.state == relation.PENDING and side.declarer != b):
            return True
    return False


@kernel
def is_attacked(world: World, b: int) -> bool:
    """Whether a war that another declared on a nation is open (AID-028)."""
    for c in range(world.nations.shape[0]):
        side = world.relations[b, c]
        if c != b and world.nations[c].alive and side.state == relation.WAR and side.declarer != b:
            return True
    return False


@kernel
def neediest(world: World, mates: int) -> int:
    """Of some mates (one bit each) the weakest beside its enemies, of equals the first; -1 none (AID-011)."""
    best, own, theirs = NOTHING, 0, 0
    for b in range(world.nations.shape[0]):
        if not (mates >> b) & 1:
            continue
        strength, against = census.strength(world, b), _strength_against(world, b)
        if best < 0 or strength * theirs < own * against:
            best, own, theirs = b, strength, against
    return best


@kernel
def _strength_against(world: World, b: int) -> int:
    """The strength of all with whom a nation is at war or about to be: all of it is public."""
    total = 0
    for c in range(world.nations.shape[0]):
        state = world.relations[b, c].state
        if c != b and world.nations[c].alive and (state == relation.WAR or state == relation.PENDING):
            total += census.strength(world, c)
    return total


@kernel
def by_sea_only(staff: Staff) -> int:
    """The mates to be helped whose land does not touch own land, one bit each."""
    return int(staff.head[0].helped & ~staff.head[0].neighbours)


# ------------------------------------------------------------------ whether


@kernel
def refuses(world: World, rules: Rules, n: int, staff: Staff) -> bool:
    """Whether a nation gives nothing: others' wars with it, or an attack that is likely (AID-009, AID-011).

    A war that it entered by its own choice does not count, but who is near its land does.
    """
    for c in range(world.nations.shape[0]):
        if (staff.head[0].rivals >> c) & 1 and not _chose(world, n, c):
            return True
    return threat.is_outmatched(world, rules, n) or _is_beset(world, rules, n, staff)


@kernel
def _chose(world: World, n: int, c: int) -> bool:
    """Whether a nation entered a war by itself: it declared it, and no pact drew it in (AID-012)."""
    side = world.relations[n, c]
    return bool(side.declarer == n and side.origin != war_origin.PACT)


@kernel
def _is_beset(world: World, rules: Rules, n: int, staff: Staff) -> bool:
    """Whether an enemy's unit is seen near own land (AID-011)."""
    height, width = world.cells.shape
    for f in range(staff.head[0].foes):
        for k in range(hexgrid.disc_size(rules.scalars[0].ai_aid_danger_radius)):
            near = hexgrid.nth(width, height, int(staff.foes[f].cell), k)
            if near >= 0 and world.cells.flat[near].owner == n and territory.is_land(world, rules, near):
                return True
    return False


# ------------------------------------------------------------------ how much


@kernel
def amount(world: World, rules: Rules, n: int, staff: Staff) -> int:
    """The strength that a nation gives with the next command, 0 none (AID-010).

    A share of what it has beyond the reserve floor and the capital's part, and never so much that reserves
    and units fall below a least sum. What this plan has placed or given is in reserve no more.
    """
    s = rules.scalars[0]
    head = staff.head[0]
    nation = world.nations[n]
    surplus = head.reserves - s.ai_aid_reserve_floor - s.ai_aid_capital_reserve
    if not head.helped or surplus <= 0:
        return 0
    together = nation.reserves + nation.conscripts + nation.deployed - head.given
    most = min(surplus * s.ai_aid_percent // _PERCENT, s.aid_reserves_max, together - s.ai_aid_floor)
    return int(max(0, most))


@kernel
def send(world: World, rules: Rules, n: int, staff: Staff) -> None:
    """Reserve aid by land, to the neediest of the mates whose land touches own land (AID-008, AID-010)."""
    b = neediest(world, int(staff.head[0].helped & staff.head[0].neighbours))
    strength = amount(world, rules, n, staff)
    if b >= 0 and strength > 0 and address(world, rules, n, command.AID_RESERVES, b, strength):
        note_given(staff, strength)


@kernel
def note_given(staff: Staff, strength: int) -> None:
    """Keep account of what this plan gives away."""
    staff.head[0].reserves -= strength
    staff.head[0].given += strength
