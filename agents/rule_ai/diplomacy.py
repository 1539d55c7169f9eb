"""War and peace by the rule AI's own judgement (AI-086 is the floor, the rest is ours).

A nation covets the weakest of its land neighbours, by the might that all can see: strength and a share of the
people; a rich one with a navy and no weaker neighbour looks across the sea. The longer it has lived in peace,
the smaller the advantage it asks for; how fast it grows bold, and how long it fights, is its temper, which
its capital's place gives. It reckons with the mates of both, and fights along with its own where it can. It
ends a war when it has lost heart, has won enough, has fought too long, or when nothing moves.
"""

from __future__ import annotations

from hakoenv.agents.rule_ai import defence, ferry, judgement, shipyard, standing
from hakoenv.agents.rule_ai.orders import address
from hakoenv.agents.rule_ai.staff import NOTHING, Staff
from hakoenv.agents.rule_ai.standing import between, might, power, temper

from hakoenv.engine import census, territory
from hakoenv.engine.codes import command, controller, item, relation
from hakoenv.engine.diplomacy import relations, terms
from hakoenv.engine.diplomacy.membership import are_fighting
from hakoenv.engine.economy import consumption
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules


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
            waits = terms.offers(world, n, b, turn) and not asked
            gives_in = asked and _is_outmatched(world, rules, n, b)
            if not waits and (gives_in or wants_peace(world, rules, n, b, staff)):
                address(world, rules, n, command.CEASEFIRE, b, 0)
        elif asked and side.state == relation.PEACE:
            address(world, rules, n, command.AMITY, b, 0)
    if not staff.head[0].rivals and world.nations[n].controller == controller.RULE_AI:
        prey = whom_to_fight_along(world, rules, n, staff)
        if prey < 0:
            prey = whom_to_attack(world, rules, n, staff)
        if prey < 0:
            prey = whom_to_raid(world, rules, n, staff)
        if prey >= 0:
            address(world, rules, n, command.DECLARE_WAR, prey, 0)


@kernel
def wants_peace(world: World, rules: Rules, n: int, b: int, staff: Staff) -> bool:
    """Whether a war, or one about to open, should end for a nation.

    While others stand by it in this war, their power counts as its own.
    """
    s = rules.scalars[0]
    if 100 * standing.power_against(world, n, b) < s.ai_yield_percent * power(world, b):
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
def _is_outmatched(world: World, rules: Rules, n: int, b: int) -> bool:
    """Whether a nation has so little of an enemy's power that it accepts a ceasefire (AI-086)."""
    return bool(100 * power(world, n) < rules.scalars[0].ai_yield_percent * power(world, b))


@kernel
def whom_to_fight_along(world: World, rules: Rules, n: int, staff: Staff) -> int:
    """The neighbour to declare war on now because a mate fights it, -1 none: the weakest that can be beaten.

    Its own might and that of the mates in this war must exceed the side of the other by enough. It has
    entered such a war by its own choice (AID-012).
    """
    s = rules.scalars[0]
    if world.nations[n].faction < 0 or not _is_ready(world, rules, n):
        return NOTHING
    prey, least = NOTHING, 0
    for b in range(world.nations.shape[0]):
        if staff.lands[b].border < s.ai_war_border or not _is_fair_game(world, n, b):
            continue
        mates = 0
        for m in range(world.nations.shape[0]):
            if relations.are_mates(world, n, m) and are_fighting(world, m, b):
                mates += might(world, rules, m)
        theirs = standing.side(world, rules, b, n)
        enough = 100 * (might(world, rules, n) + mates) >= s.ai_along_advantage * theirs
        if mates > 0 and enough and (prey < 0 or theirs < least):
            prey, least = b, theirs
    return prey


@kernel
def whom_to_attack(world: World, rules: Rules, n: int, staff: Staff) -> int:
    """The neighbour to declare war on now, -1 none: the weakest, if one's own might exceeds it by enough.

    Both count with the help that they can hope for. Whoever is at war already is left alone, and so are
    friends. A nation attacks only with an army, food, funds and fuel for its fields; the advantage that it
    asks for falls with every turn of peace, after a war only once it has rested.
    """
    s = rules.scalars[0]
    if not _is_ready(world, rules, n):
        return NOTHING
    prey, least = NOTHING, 0
    for b in range(world.nations.shape[0]):
        if staff.lands[b].border < s.ai_war_border or not _may_be_attacked(world, n, b):
            continue
        theirs = standing.side(world, rules, b, n)
        if prey < 0 or theirs < least:
            prey, least = b, theirs
    fall = between(s.ai_boldness[0], s.ai_boldness[1], temper(world, n))
    asked = max(s.ai_advantage[1], s.ai_advantage[0] - fall * _peace(world, rules, n))
    if prey < 0:
        return NOTHING
    return prey if 100 * standing.side(world, rules, n, prey) >= asked * least else NOTHING


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
        theirs = standing.side(world, rules, b, n)
        ours = standing.side(world, rules, n, b)
        if 100 * ours < s.ai_raid_advantage * theirs or (prey >= 0 and theirs >= least):
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
    """Whether no tie or truce stands between two nations and the other has no war yet."""
    return _is_fair_game(world, n, b) and not _is_at_war(world, b)


@kernel
def _is_fair_game(world: World, n: int, b: int) -> bool:
    """Whether no tie or truce stands between two nations.

    They are no friends and no fellows of the containment, and neither has applied to the other's faction, as
    far as the first knows.
    """
    if defence.is_friend(world, n, b) or standing.are_fellows(world, n, b):
        return False
    faction, theirs = int(world.nations[n].faction), int(world.nations[b].faction)
    if theirs >= 0 and world.nations[n].applied_to == theirs:
        return False
    leads = faction >= 0 and world.factions[faction].leader == n
    if leads and world.nations[b].applied_to == faction:
        return False
    terms_with = world.relations[n, b]
    return bool(terms_with.good_terms == 0 and terms_with.truce == 0)


@kernel
def _is_at_war(world: World, n: int) -> bool:
    for b in range(world.nations.shape[0]):
        if world.nations[b].alive and are_fighting(world, n, b):
            return True
    return False
