"""Filling a menu with the verbs of factions, trade leagues and the containment.

Who can be meant at all (leaders, applicants, members) is public, or known to the leader; the validator is
asked about these only.
"""

from __future__ import annotations

from hakoenv.engine.codes import reason
from hakoenv.engine.commands import prices, validate
from hakoenv.engine.diplomacy import containment, leagues, membership
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import World
from hakoenv.obs.menu_deals import FELLOW, HEGEMON, PACT, TIES
from hakoenv.obs.menu_pieces import Pieces, Scratch, number_of_price, offer_verb
from hakoenv.obs.menu_table import (
    ADMISSIONS,
    AMOUNT,
    APPLICANTS,
    LEADERS,
    MEMBERS,
    TARGET,
    MenuTable,
    field,
)
from hakoenv.ruleset.compiled import Rules


@kernel
def offer(
    world: World, rules: Rules, table: MenuTable, pieces: Pieces, scratch: Scratch, n: int, turn: int
) -> None:
    """Judge the verbs of factions, leagues and the containment for a nation, lists of leagues apart."""
    seats = world.nations.shape[0]
    _note_ties(world, rules, pieces, n, turn)
    for k in range(table.bonds.shape[0]):
        v = int(table.bonds[k])
        verb = table.verbs[v]
        p = number_of_price(table, prices.COMMAND, int(verb.command), 0)
        if not scratch.payable[p]:
            continue
        pieces.flat_price[n, v] = p
        amount = field(verb, AMOUNT, verb.first[0], verb.first[1], 0, 0, 0)
        for place in range(seats if verb.nation else 1):
            target = (n + place) % seats if verb.nation else int(verb.fixed[TARGET])
            if verb.nation and not _concerns(world, rules, n, target, int(verb.whom), turn):
                continue
            why = validate.check(world, rules, n, n, turn, int(verb.command), 0, 0, amount, target)
            if why == reason.DONE:
                pieces.nations[n, v, place] = verb.nation
                offer_verb(table, pieces, n, v)
                if verb.group == ADMISSIONS and fights_an_applicant(world, rules, n, target, turn):
                    pieces.uses[n, ADMISSIONS] = 1  # whoever is let in keeps its enemies out


@kernel
def _concerns(world: World, rules: Rules, n: int, other: int, whom: int, turn: int) -> bool:
    """Whether another nation is of those whom a verb may be about."""
    if other == n or not world.nations[other].alive:
        return False
    if whom == LEADERS:
        return bool(membership.led_by(world, other) >= 0)
    own = membership.led_by(world, n)
    if whom == MEMBERS:
        return own >= 0 and membership.is_full_member(world, other, own)
    if whom == APPLICANTS:
        return own >= 0 and membership.application(world, rules, other, turn) == own
    return True


@kernel
def fights_an_applicant(world: World, rules: Rules, n: int, applicant: int, turn: int) -> bool:
    """Whether an applicant is at war with another one of the own faction."""
    own = membership.led_by(world, n)
    for other in range(world.nations.shape[0]):
        if membership.are_fighting(world, applicant, other):
            if membership.application(world, rules, other, turn) == own:
                return True
    return False


@kernel
def _note_ties(world: World, rules: Rules, pieces: Pieces, n: int, turn: int) -> None:
    """Note who is bound so that a command about bonds or war reaches further than whom it names."""
    seats = world.nations.shape[0]
    target = containment.target_in(world, rules, turn)
    for place in range(1, seats):
        pieces.deals[n, place, TIES] = ties(world, rules, n, (n + place) % seats, target, turn)


@kernel
def ties(world: World, rules: Rules, n: int, other: int, target: int, turn: int) -> int:
    """What another nation is to one (`menu_deals.TIES`), the containment standing against ``target``."""
    found = FELLOW if leagues.are_partners(world, n, other) else 0
    if other == target:
        found |= HEGEMON
    if n == target and containment.is_member_in(world, rules, other, turn):
        found |= PACT
    return int(found)
