"""War and peace by the rule AI's own judgement (AI-086 is the floor, the rest is ours).

A nation covets the weakest of its land neighbours, by the might that all can see: strength and a share of the
people; a rich one with a navy and no weaker neighbour looks across the sea. The longer it has lived in peace,
the smaller the advantage it asks for; how fast it grows bold, and how long it fights, is its temper, which
its capital's place gives. It ends a war when it has lost heart, has won enough, has fought too long, or when
nothing moves.
"""

from __future__ import annotations

import numpy as np
from hakoenv.agents.rule_ai import defence, ferry, judgement, shipyard
from hakoenv.agents.rule_ai.orders import address
from hakoenv.agents.rule_ai.staff import NOTHING, Staff

from hakoenv.engine import census, chance, territory
from hakoenv.engine.codes import command, controller, item, relation
from hakoenv.engine.diplomacy import terms
from hakoenv.engine.economy import consumption
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

_TEMPERS = 100


@kernel
def negotiate(world: World, rules: Rules, n: int, staff: Staff) -> None:
    """Offer or accept ceasefires, accept amity (AI-086), or declare war; none of it takes a turn.

    As the proxy of a silent nation (AI-001) it declares no war.
    """
    turn = world.clock[0].turn + 1
    for b in range(world.nations.shape[0]):
        if b == n or not world.nations[b].alive:
            continue
        side = world.relations[n, b]
        asked = terms.offers(world, b, n, turn)
        if (staff.head[0].rivals >> b) & 1:
            if (asked or not terms.offers(world, n, b, turn)) and wants_peace(world, rules, n, b, staff):
                address(world, rules, n, command.CEASEFIRE, b)
        elif asked and side.state == relation.PEACE:
            address(world, rules, n, command.AMITY, b)
    if not staff.head[0].rivals and world.nations[n].controller == controller.RULE_AI:
        prey = whom_to_attack(world, rules, n, staff)
        if prey < 0:
            prey = whom_to_raid(world, rules, n, staff)
        if prey >= 0:
            address(world, rules, n, command.DECLARE_WAR, prey)


@kernel
def temper(world: World, n: int) -> int:
    """How warlike a nation is, 0..99: given by the place of its capital, so no nation knows another's."""
    drawn = chance.mix(np.uint64(max(0, int(world.nations[n].capital))))
    return int(drawn % np.uint64(_TEMPERS))


@kernel
def between(low: int, high: int, share: int) -> int:
    """The number that lies ``share`` hundredths of the way from low to high."""
    return low + (high - low) * share // _TEMPERS


@kernel
def might(world: World, rules: Rules, n: int) -> int:
    """What a nation could bring to the field: strength and a share of its people, both public."""
    people = int(world.nations[n].population)
    return census.strength(world, n) + people * rules.scalars[0].ai_mobilize_percent // 100


@kernel
def power(world: World, n: int) -> int:
    """People and strength: the power that AI-086 compares. Deployed strength alone is not public."""
    return census.strength(world, n) + int(world.nations[n].population)


@kernel
def wants_peace(world: World, rules: Rules, n: int, b: int, staff: Staff) -> bool:
    """Whether a war, or one about to open, should end for a nation."""
    s = rules.scalars[0]
    if 100 * power(world, n) < s.ai_yield_percent * power(world, b):  # AI-086
        return True
    side = world.relations[n, b]
    if side.state != relation.WAR:
        return False
    lasted = world.clock[0].turn - side.since
    patience = between(s.ai_war_patience[0], s.ai_war_patience[1], temper(world, n))
    if 100 * lasted >= patience * s.season_max_turns or judgement.food_emergency(world, rules, n):
        return True
    cells = world.cells.flat
    won = 0
    last = int(side.since)
    for i in range(world.cells.size):
        cell = cells[i]
        if cell.taken_turn < side.since or cell.taken_turn == 0 or not territory.is_land(world, rules, i):
            continue
        if (cell.owner == n and cell.taken_from == b) or (cell.owner == b and cell.taken_from == n):
            last = max(last, int(cell.taken_turn))
            won += cell.owner == n
    by_land = staff.lands[b].border > 0
    if world.clock[0].turn - last >= (s.ai_stalemate_turns if by_land else s.ai_stalemate_sea):
        return True
    greed = between(s.ai_war_spoils[0], s.ai_war_spoils[1], temper(world, n))
    return won >= s.ai_war_spoils_min and 100 * won >= greed * (world.nations[b].land + won)


@kernel
def whom_to_attack(world: World, rules: Rules, n: int, staff: Staff) -> int:
    """The neighbour to declare war on now, -1 none: the weakest, if one's own might exceeds it by enough.

    Whoever is at war already is left alone, and so are friends. A nation attacks only with an army, food,
    funds and fuel for its fields; the advantage it asks for falls with every turn of peace, after a war only
    once it has rested.
    """
    s = rules.scalars[0]
    if not _is_ready(world, rules, n):
        return NOTHING
    prey, least = NOTHING, 0
    for b in range(world.nations.shape[0]):
        if staff.lands[b].border < s.ai_war_border or not _may_be_attacked(world, n, b):
            continue
        theirs = might(world, rules, b)
        if prey < 0 or theirs < least:
            prey, least = b, theirs
    fall = between(s.ai_boldness[0], s.ai_boldness[1], temper(world, n))
    asked = max(s.ai_advantage[1], s.ai_advantage[0] - fall * _peace(world, rules, n))
    return prey if prey >= 0 and 100 * might(world, rules, n) >= asked * least else NOTHING


@kernel
def whom_to_raid(world: World, rules: Rules, n: int, staff: Staff) -> int:
    """The nation across the sea to declare war on now, -1 none: the weakest whose coast ships can reach.

    Only by a rich nation with ships to spare and no weaker neighbour, after long peace; it thinks of it every
    few turns.
    """
    s = rules.scalars[0]
    if staff.head[0].hulls - shipyard.kept(rules, staff) < s.ai_raid_ships or staff.head[0].harbours == 0:
        return NOTHING
    if (world.clock[0].turn + n) % s.ai_raid_interval != 0:
        return NOTHING
    if world.nations[n].treasury[item.FUNDS] < s.ai_raid_funds or not _is_ready(world, rules, n):
        return NOTHING
    if _peace(world, rules, n) < s.ai_raid_peace:
        return NOTHING
    own = might(world, rules, n)
    for b in range(world.nations.shape[0]):
        if staff.lands[b].border > 0 and not defence.is_friend(world, n, b) and might(world, rules, b) < own:
            return NOTHING
    kind = int(s.ai_overseas_class)
    sources = shipyard.list_waters(world, rules, n, staff, kind, False)
    ferry.chart(world, rules, n, staff, kind, sources, int(s.ai_raid_reach))
    prey, least = NOTHING, 0
    for b in range(world.nations.shape[0]):
        if (
            b == n
            or not world.nations[b].alive
            or staff.lands[b].border > 0
            or not _may_be_attacked(world, n, b)
        ):
            continue
        theirs = might(world, rules, b)
        if 100 * own < s.ai_raid_advantage * theirs or (prey >= 0 and theirs >= least):
            continue
        if shipyard.coast_within(world, rules, n, staff, b):
            prey, least = b, theirs
    return prey


@kernel
def _is_ready(world: World, rules: Rules, n: int) -> bool:
    """Whether a nation has army, food, funds, ammo and fuel for a war of its own choice."""
    s = rules.scalars[0]
    treasury = world.nations[n].treasury
    if treasury[item.FUNDS] < s.ai_war_funds or treasury[item.AMMO] < s.ai_target_ammo_peace:
        return False
    if census.strength(world, n) < s.ai_war_strength:
        return False
    if treasury[item.FOOD] < s.ai_war_food_turns * consumption.rations(world, rules, n):
        return False
    return judgement.has_fuel_for_fields(world, rules, n)


@kernel
def _peace(world: World, rules: Rules, n: int) -> int:
    """For how many hundredths of the season a nation has lived in peace, a rest after a war not counted."""
    s = rules.scalars[0]
    founded = int(world.nations[n].founded)
    quiet = founded
    for b in range(world.nations.shape[0]):
        quiet = max(quiet, int(world.relations[n, b].since))
    peace = 100 * (world.clock[0].turn - quiet) // max(1, s.season_max_turns)
    if quiet > founded:
        peace -= s.ai_war_rest
    return int(peace)


@kernel
def _may_be_attacked(world: World, n: int, b: int) -> bool:
    """Whether no friendship or truce stands between two nations and the other has no war yet."""
    if defence.is_friend(world, n, b) or _is_at_war(world, b):
        return False
    side = world.relations[n, b]
    return bool(side.good_terms == 0 and side.truce == 0)


@kernel
def _is_at_war(world: World, n: int) -> bool:
    for b in range(world.nations.shape[0]):
        state = world.relations[n, b].state
        if world.nations[b].alive and (state == relation.WAR or state == relation.PENDING):
            return True
    return False
