"""A plan in the making: what the commands given so far leave possible of a menu.

Each further command is judged after booking the ones before it: the purse pays, a cell serves once,
cells beside dug ones are out, and what has so many uses a turn is used up. So no command of a plan is
refused because of its own predecessors. Menus may be any numbers: nothing is read outside its array.
"""

from __future__ import annotations

from typing import Any

from hakoenv.engine import hexgrid
from hakoenv.engine.kernel import kernel
from hakoenv.obs import menu_draft_deals
from hakoenv.obs.menu_deals import NO_DEAL, PACT, TIES
from hakoenv.obs.menu_pieces import Draft as Draft
from hakoenv.obs.menu_pieces import Pieces, amount_to_pay, pays
from hakoenv.obs.menu_pieces import new_draft as new_draft
from hakoenv.obs.menu_table import (
    AIM,
    ALL_KEPT,
    ANYBODY,
    ANYTHING,
    CALM,
    DISTURBED,
    EMBARK,
    FILLS,
    FLEETLESS,
    FREE,
    GROUPS,
    HEEDS,
    HERE,
    JOIN,
    LEADS,
    MAKES,
    MEANS,
    MISSILES,
    NO_FLEET,
    NOTHING,
    OWN_BASE,
    OWN_HARBOUR,
    OWN_KEPT,
    OWN_PORT,
    RESERVES,
    SERVED,
    SHIPS,
    TOUCHED,
    TURNS,
    MenuTable,
)
from hakoenv.obs.menu_table import CELL as CELL
from hakoenv.obs.menu_table import FACTOR as FACTOR
from hakoenv.obs.menu_table import HEADS as HEADS
from hakoenv.obs.menu_table import NATION as NATION
from hakoenv.obs.menu_table import VERB as VERB

MODE = 0  # the first head of an action
KEEP, FRONT, REPLACE, APPEND = range(4)  # APPEND is no choice of an action: for one command at a time
ANY = -1  # whatever the nation head says
FILLED, LEFT, TURNED = range(3)  # `Draft.fleets`: who may be full; who may lack a ship; who got an order
NO_LIMIT = 1 << 15  # of missiles, once new bases were built or the old ones have learnt: above any `limits`
_SPAN = 1 << 15  # wider than any map: names cells by column and row


@kernel
def begin(table: MenuTable, pieces: Pieces, n: int, draft: Draft) -> None:
    """Nothing has been given yet."""
    for what in range(MEANS):
        draft.purse[what] = pieces.purse[n, what]
    for group in range(GROUPS):
        draft.uses[group] = pieces.uses[n, group]
    draft.treated[0] = 0
    draft.fleets[:] = 0
    draft.mindful[0] = 0
    for k in range(table.mindful.shape[0]):
        if pieces.verbs[n, table.mindful[k] + 1]:
            draft.mindful[0] = 1
    draft.blocked[:] = CALM
    menu_draft_deals.begin(pieces, n, draft)


@kernel
def has_uses(table: MenuTable, v: int, draft: Draft) -> bool:
    """Whether this turn's uses of a verb are not spent, nor all commands by giving the nation up."""
    group = table.verbs[v].group
    return bool(draft.uses[ANYTHING] > 0 and (group < 0 or draft.uses[group] > 0))


@kernel
def is_open(table: MenuTable, pieces: Pieces, n: int, v: int, draft: Draft) -> int:
    """0 if a verb can't be given any more; else how many places it may name, 1 if it needs none."""
    if not pieces.verbs[n, v + 1] or not has_uses(table, v, draft):
        return 0
    verb = table.verbs[v]
    if verb.cell_row >= 0:
        return find_spots(table, pieces, n, v, ANY, draft)
    asks = verb.treaty != FREE or verb.deal != NO_DEAL or verb.whom != ANYBODY
    if asks and verb.nation and not find_nations(table, pieces, n, v, draft):
        return 0
    if verb.treaty == HEEDS and not verb.nation and draft.treated[0]:
        return 0
    if verb.deal and not verb.nation and not menu_draft_deals.has_choice(table, pieces, n, v, draft):
        return 0
    if not _has_fleet(pieces, n, v, verb, draft):
        return 0
    return int(pays(pieces, n, int(pieces.flat_price[n, v]), draft.purse, verb, 0, 0))


@kernel
def find_spots(table: MenuTable, pieces: Pieces, n: int, v: int, nation: int, draft: Draft) -> int:
    """How many places a verb may still name, for the place of a nation or `ANY`; they are ``draft.spots``."""
    verb = table.verbs[v]
    row = verb.cell_row
    takers = _open_nations(table, pieces, n, v, draft)
    if 0 <= nation < pieces.nations.shape[2]:
        takers &= 1 << nation
    if not _has_fleet(pieces, n, v, verb, draft):
        return 0
    if verb.treaty == HEEDS and not verb.nation and draft.treated[0]:
        return 0
    closed = closed_fleets(verb, draft)
    found = 0
    for place in range(pieces.cells.shape[2]):
        entry = int(pieces.cells[n, row, place])
        if not entry or draft.blocked[place] > verb.bears:
            continue
        if verb.nation and not pieces.beside[n, place] & takers:
            continue
        if verb.options >= 0 and not int(pieces.options[n, place, verb.options]) & ~closed:
            continue
        if verb.fleet == OWN_KEPT and _fleet_at(pieces, n, place) & draft.fleets[LEFT]:
            continue
        if pays(pieces, n, entry - 1, draft.purse, verb, int(pieces.limits[n, place]), verb.least):
            draft.spots[found] = place
            found += 1
    return found


@kernel
def find_nations(table: MenuTable, pieces: Pieces, n: int, v: int, draft: Draft) -> int:
    """Whom a verb may still name, one bit for each place of the nation head."""
    verb = table.verbs[v]
    found = _open_nations(table, pieces, n, v, draft)
    if verb.cell_row >= 0:
        takers = 0
        for k in range(find_spots(table, pieces, n, v, ANY, draft)):
            takers |= int(pieces.beside[n, draft.spots[k]])
        found &= takers
    return found


@kernel
def closed_fleets(verb: Any, draft: Draft) -> int:
    """Fleets that a verb can't name any more, one bit each."""
    if verb.fleet == FILLS:
        return int(draft.fleets[FILLED])
    if verb.fleet == LEADS:
        return int(draft.fleets[LEFT])
    return int(draft.fleets[LEFT] | draft.fleets[TURNED]) if verb.fleet == TURNS else 0


@kernel
def _has_fleet(pieces: Pieces, n: int, v: int, verb: Any, draft: Draft) -> bool:
    """Whether a verb that names a fleet may still name one, and one for all fleets has them all."""
    if verb.fleet == ALL_KEPT:
        return bool(draft.fleets[LEFT] == 0)
    if verb.fleet == NO_FLEET or verb.fleet == OWN_KEPT:
        return True
    closed = closed_fleets(verb, draft)
    for value in range(pieces.factors.shape[3]):
        if pieces.factors[n, v, 0, value] and not (closed >> value) & 1:
            return True
    return False


@kernel
def _fleet_at(pieces: Pieces, n: int, place: int) -> int:
    """The fleet of the own warship at a place as a bit; 0 no ship, or one without a fleet."""
    here = int(pieces.options[n, place, HERE])
    return 1 << (here - 1) if 0 < here <= FLEETLESS else 0


@kernel
def _open_nations(table: MenuTable, pieces: Pieces, n: int, v: int, draft: Draft) -> int:
    """Whom a verb may name, wherever; with whom a treaty was made or ended is out for some."""
    verb = table.verbs[v]
    found = 0
    for place in range(pieces.nations.shape[2] if verb.nation else 0):
        if pieces.nations[n, v, place]:
            found |= 1 << place
    if verb.deal != NO_DEAL:
        return menu_draft_deals.partners(table, pieces, n, v, found, draft)
    return found & ~int(draft.treated[0]) if verb.treaty != FREE else found


@kernel
def book(table: MenuTable, pieces: Pieces, n: int, v: int, heads: Any, draft: Draft) -> None:
    """Take from the draft what a command costs and spoils; one that the menu does not have costs nothing.

    ``heads`` are those of the command, whatever numbers they hold.
    """
    verb = table.verbs[v]
    price, limit = int(pieces.flat_price[n, v]), 0
    if verb.cell_row >= 0:
        place = heads[CELL]
        if place < 0 or place >= pieces.cells.shape[2] or not pieces.cells[n, verb.cell_row, place]:
            return
        price, limit = int(pieces.cells[n, verb.cell_row, place]) - 1, int(pieces.limits[n, place])
        if verb.way == AIM and draft.uses[MISSILES] < table.uses[MISSILES]:
            limit = NO_LIMIT
        _block(pieces, n, verb, place, draft)
    if price < pieces.prices.shape[1]:
        _pay(pieces, n, price, verb, limit, heads, draft)
    if verb.group >= 0:
        draft.uses[verb.group] -= 1
    if verb.arms:
        draft.uses[MISSILES] -= 1
    if verb.closes >= 0:
        draft.uses[verb.closes] = 0
    if verb.treaty == MAKES and 0 <= heads[NATION] < pieces.nations.shape[2]:
        draft.treated[0] |= 1 << heads[NATION]
        if int(pieces.deals[n, heads[NATION], TIES]) & int(verb.severs) & PACT:
            draft.treated[0] |= menu_draft_deals.tied(pieces, n, PACT)  # they are in that war, too
    if verb.fleet != NO_FLEET:
        _order_fleet(pieces, verb, heads, draft)
    if verb.deal != NO_DEAL or verb.estranges or verb.bars or verb.severs:
        menu_draft_deals.book(table, pieces, n, verb, heads, draft)


@kernel
def _order_fleet(pieces: Pieces, verb: Any, heads: Any, draft: Draft) -> None:
    """Note what a command does to the fleet that it names; the place apart."""
    fleet = heads[FACTOR]
    if verb.fleet == ALL_KEPT and verb.leaves:
        draft.fleets[LEFT] |= 1 << FLEETLESS
    if 0 <= fleet < pieces.factors.shape[3]:
        if verb.fleet == FILLS:
            draft.fleets[FILLED] |= 1 << fleet
        elif verb.fleet == TURNS:
            draft.fleets[TURNED] |= 1 << fleet


@kernel
def _pay(pieces: Pieces, n: int, price: int, verb: Any, limit: int, heads: Any, draft: Draft) -> None:
    """Take a price from the purse, as often as the command's factor says; missiles as far as it goes."""
    value = 0
    if verb.scales >= 0:
        choice = heads[FACTOR + verb.scales]
        value = int(verb.value[verb.scales, choice]) if 0 <= choice < verb.count[verb.scales] else verb.least
    times = amount_to_pay(verb, limit, value)
    for what in range(MEANS if verb.way == AIM else 0):
        if pieces.prices[n, price, what] > 0:
            times = min(times, draft.purse[what] // int(pieces.prices[n, price, what]))
    for what in range(MEANS):
        draft.purse[what] -= int(pieces.prices[n, price, what]) * max(0, times)


@kernel
def _block(pieces: Pieces, n: int, verb: Any, place: int, draft: Draft) -> None:
    """A place is out, and with it those as near as the work disturbs; its owner may be another then.

    Where an own missile base may be lost by it, no missiles follow, and no ships where a naval port may.
    """
    radius = int(verb.disturbs)
    if radius == NOTHING:
        return
    draft.blocked[place] = SERVED
    _spoil(pieces, n, verb, place, draft)
    touched = int(draft.mindful[0])
    if max(radius, touched) == 0:
        return
    struck = radius if verb.way == AIM else 0  # cells nearer than this may be hit themselves
    here = int(pieces.places[n, place, 1]) * _SPAN + int(pieces.places[n, place, 0])
    for other in range(pieces.places.shape[1]):
        x, y = int(pieces.places[n, other, 0]), int(pieces.places[n, other, 1])
        if x < 0 or y < 0:
            continue
        distance = hexgrid.distance(_SPAN, here, y * _SPAN + x)
        if distance <= radius:
            draft.blocked[other] = max(int(draft.blocked[other]), DISTURBED)
        elif distance <= touched:
            draft.blocked[other] = max(int(draft.blocked[other]), TOUCHED)
        if distance < struck:
            _spoil(pieces, n, verb, other, draft)


@kernel
def _spoil(pieces: Pieces, n: int, verb: Any, place: int, draft: Draft) -> None:
    """What may be gone from a place: a missile base, a port, by some verbs a ship from its fleet."""
    if pieces.limits[n, place] == OWN_BASE:
        draft.uses[MISSILES] = 0
    if pieces.options[n, place, HERE] == OWN_PORT:
        draft.uses[SHIPS] = 0
    if pieces.options[n, place, HERE] == OWN_HARBOUR and verb.bars:
        draft.partners[menu_draft_deals.ESTRANGED] |= 1 << menu_draft_deals.EVERYBODY
    leaves = verb.leaves == 1 or verb.options == EMBARK
    takes_ship = leaves and pieces.options[n, place, HERE] > 0
    if takes_ship or pieces.options[n, place, HERE] == OWN_PORT:
        draft.caps[menu_draft_deals.OF_AID, RESERVES] = 0  # a ship may not take any aboard there now
    if verb.leaves:
        draft.fleets[LEFT] |= _fleet_at(pieces, n, place)


@kernel
def book_action(table: MenuTable, pieces: Pieces, n: int, action: Any, commands: int, draft: Draft) -> bool:
    """Book the first ``commands`` commands of an action; tell whether more may follow."""
    for k in range(commands):
        base = 1 + k * HEADS
        v = action[base + VERB] - 1
        if v < 0 or v >= table.verbs.shape[0]:
            return False
        if pieces.verbs[n, v + 1]:
            book(table, pieces, n, v, action[base : base + HEADS], draft)
    return bool(draft.uses[ANYTHING] > 0)


@kernel
def next_head(
    table: MenuTable, pieces: Pieces, n: int, prefix: Any, length: int, mode_free: bool, out: Any,
    draft: Draft,
) -> None:  # fmt: skip
    """Mark in ``out`` (all 0) what the head after the first ``length`` ones of ``prefix`` may be."""
    begin(table, pieces, n, draft)
    if length == 0:
        out[:] = 1
        return
    k = (length - 1) // HEADS
    head = (length - 1) % HEADS
    base = 1 + k * HEADS
    more = book_action(table, pieces, n, prefix, k, draft) and not (mode_free and prefix[MODE] == KEEP)
    if head == VERB:
        out[0] = 1
        for v in range(table.verbs.shape[0] if more else 0):
            out[v + 1] = is_open(table, pieces, n, v, draft) > 0
        return
    v = prefix[base + VERB] - 1
    found = 0
    if more and 0 <= v < table.verbs.shape[0]:
        found = mark_values(table, pieces, n, v, head, prefix[base : base + HEADS], out, draft)
    if found == 0:
        out[0] = 1


@kernel
def mark_values(
    table: MenuTable, pieces: Pieces, n: int, v: int, head: int, heads: Any, out: Any, draft: Draft
) -> int:
    """Mark the values of a head of a verb that needs it, given the heads before it; how many they are."""
    verb = table.verbs[v]
    found = 0
    if head == CELL and verb.cell_row >= 0:
        found = find_spots(table, pieces, n, v, heads[NATION] if verb.nation else ANY, draft)
        for k in range(found):
            out[draft.spots[k]] = 1
    elif head == NATION and verb.nation:
        nations = find_nations(table, pieces, n, v, draft)
        for place in range(pieces.nations.shape[2]):
            if (nations >> place) & 1:
                out[place] = 1
                found += 1
    elif head >= FACTOR and head - FACTOR < verb.factors:
        for value in range(pieces.factors.shape[3]):
            if value_fits(table, pieces, n, v, head - FACTOR, value, heads, draft):
                out[value] = 1
                found += 1
    return found


@kernel
def value_fits(
    table: MenuTable, pieces: Pieces, n: int, v: int, factor: int, value: int, heads: Any, draft: Draft
) -> bool:
    """Whether a factor may have its ``value``-th value, given the heads before it."""
    verb = table.verbs[v]
    if not pieces.factors[n, v, factor, value]:
        return False
    if verb.deal != NO_DEAL:
        fits = menu_draft_deals.fits(table, pieces, n, v, factor, value, heads, draft)
        return fits and (factor > 0 or _has_option(pieces, n, verb, value, heads))
    if factor == 0 and (verb.options >= 0 or verb.fleet != NO_FLEET):
        return not (closed_fleets(verb, draft) >> value) & 1 and _has_option(pieces, n, verb, value, heads)
    if factor == verb.scales and verb.cell_row >= 0:
        place = heads[CELL]
        if place < 0 or place >= pieces.cells.shape[2]:
            return True
        price, limit = int(pieces.cells[n, verb.cell_row, place]) - 1, int(pieces.limits[n, place])
        return bool(pays(pieces, n, price, draft.purse, verb, limit, int(verb.value[factor, value])))
    before = heads[FACTOR + factor - 1]
    if factor != 1 or verb.joint < 0 or before < 0 or before >= pieces.factors.shape[3]:
        return True
    return bool(table.joint[verb.joint, before, value])


@kernel
def _has_option(pieces: Pieces, n: int, verb: Any, value: int, heads: Any) -> bool:
    """Whether the place that a command names leaves it a value of its factor."""
    place = heads[CELL]
    if verb.options < 0 or place < 0 or place >= pieces.options.shape[1]:
        return True
    return bool((int(pieces.options[n, place, verb.options]) >> value) & 1)


@kernel
def shrink(table: MenuTable, pieces: Pieces, n: int, action: Any, commands: int, draft: Draft) -> None:
    """Make the menu what it is after an action's commands: what `Menu.book` does."""
    begin(table, pieces, n, draft)
    more = book_action(table, pieces, n, action, commands, draft)
    for v in range(table.verbs.shape[0]):
        left = is_open(table, pieces, n, v, draft) if more else 0
        verb = table.verbs[v]
        row = verb.cell_row
        if row >= 0 and pieces.verbs[n, v + 1]:
            kept = 0
            for place in range(pieces.cells.shape[2]):
                if kept < left and draft.spots[kept] == place:
                    kept += 1
                else:
                    pieces.cells[n, row, place] = 0
        for place in range(pieces.nations.shape[2] if verb.treaty != FREE else 0):
            if (draft.treated[0] >> place) & 1:
                pieces.nations[n, v, place] = 0
        if verb.deal != NO_DEAL:
            menu_draft_deals.shrink(table, pieces, n, v, draft)
        closed = closed_fleets(verb, draft)
        for value in range(pieces.factors.shape[3] if closed else 0):
            if (closed >> value) & 1:
                pieces.factors[n, v, 0, value] = 0
        if left == 0:
            pieces.verbs[n, v + 1] = 0
    for place in range(pieces.options.shape[1] if draft.fleets[FILLED] else 0):
        if pieces.options[n, place, HERE] > 0:
            pieces.options[n, place, JOIN] &= ~int(draft.fleets[FILLED])
    for what in range(MEANS):
        pieces.purse[n, what] = max(0, draft.purse[what])
    for group in range(GROUPS):
        pieces.uses[n, group] = max(0, draft.uses[group])
    menu_draft_deals.keep_caps(pieces, n, draft)
