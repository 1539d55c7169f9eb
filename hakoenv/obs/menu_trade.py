"""Filling a menu with the verbs of trade between nations: aid, exchanges, regular shipments, auctions.

To whom goods can go at all is found once for all nations, in one pass over the land (`find_ways`); what that
does not settle is the validator's own answer: each lot and offer is asked about, each item for one nation.
"""

from __future__ import annotations

from typing import Any

from hakoenv.engine import hexgrid, territory
from hakoenv.engine.codes import item, reason, terrain
from hakoenv.engine.commands import deals, validate
from hakoenv.engine.diplomacy import relations, relief, shipments, transports
from hakoenv.engine.kernel import kernel
from hakoenv.engine.shipping import harbours
from hakoenv.engine.trade import lots, partners
from hakoenv.engine.world import World
from hakoenv.obs import menu_values
from hakoenv.obs.menu_deals import (
    AID,
    AID_IN_TURN,
    AID_ITEMS,
    AID_KINDS,
    AID_LEFT,
    AID_MOST,
    BY_LAND,
    EXCHANGE_LEFT,
    EXCHANGE_MOST,
    FIRST_LIST,
    LEAGUES,
    LISTING_FEE,
    RESERVE_AID,
    ROW_OF_LIST,
    SHIPMENT,
    STOCK,
    SWAP,
    SWAP_ACCEPTANCE,
    SWAP_ITEM,
    SWAP_QUANTITY,
)
from hakoenv.obs.menu_pieces import Pieces, Scratch, offer_verb
from hakoenv.obs.menu_table import (
    ACCEPTANCES,
    AMOUNT,
    CARRIAGES,
    FACTOR,
    FACTORS,
    HERE,
    JOIN,
    LISTINGS,
    NATION,
    NONE,
    OFFERS,
    OWN_HARBOUR,
    TARGET,
    VALUES,
    MenuTable,
    X,
    Y,
)
from hakoenv.ruleset.compiled import Rules

_NEIGHBOURS = 6
_FREE = 1  # entry of `cells`: 1 + the price that is none
_INT8_MAX = 127
_GIFT, _LEAST = 0, 1  # values of what is wanted in an exchange: nothing, the least that is something
_GIVEN, _WANTED = 1, 3  # factors of an exchange


@kernel
def offer(
    world: World, rules: Rules, table: MenuTable, cell_index: Any, pieces: Pieces, scratch: Scratch, n: int,
    turn: int,
) -> None:  # fmt: skip
    """Judge the verbs of trade for a nation; `find_ways` must have been called since the last turn."""
    if table.deals.shape[0] == 0:
        return
    trade = pieces.trade[n]
    menu_values.note(world, rules, n, trade, scratch.found)
    for what in range(AID_KINDS):
        trade[AID_LEFT, what] = table.caps[AID_IN_TURN, what]
        trade[EXCHANGE_LEFT, what] = table.caps[EXCHANGE_MOST, what]
    trade[AID_LEFT, item.COUNT] = room_for_reserves(world, rules, n)
    pieces.uses[n, LISTINGS] = max(0, min(listings_left(world, rules, n), _INT8_MAX))
    pieces.uses[n, CARRIAGES] = min(transports.left(world, rules, n), _INT8_MAX)
    pieces.uses[n, OFFERS] = offers_left(world, rules, n, turn)
    pieces.uses[n, ACCEPTANCES] = max(0, min(acceptances_left(world, rules, n, turn), _INT8_MAX))
    for k in range(table.deals.shape[0]):
        v = int(table.deals[k])
        deal = int(table.verbs[v].deal)
        if deal == SHIPMENT:
            _offer_shipments(world, rules, table, cell_index, pieces, scratch, n, turn, v)
        elif not table.verbs[v].nation:
            _offer_first(world, rules, table, pieces, scratch, n, turn, v)
        elif deal == RESERVE_AID:
            _offer_reserves(world, rules, table, pieces, scratch, n, turn, v)
        elif deal == AID:
            _offer_aid(world, rules, table, pieces, scratch, n, turn, v)
        elif deal == SWAP:
            _offer_swaps(world, rules, table, pieces, scratch, n, turn, v)
        else:
            _offer_answers(world, rules, table, pieces, scratch, n, turn, v)
    _note_harbours(world, cell_index, pieces, n)


@kernel
def room_for_reserves(world: World, rules: Rules, n: int) -> int:
    """Reserves that the warships of a nation hold that could be loaded, if it is in a faction (AID-015)."""
    if world.nations[n].faction < 0:
        return 0
    total = 0
    ship = relief.next_free(world, rules, n, 0)
    while ship >= 0:
        total += relief.room(rules, int(world.ships[ship].kind))
        ship = relief.next_free(world, rules, n, ship + 1)
    return int(total)


@kernel
def listings_left(world: World, rules: Rules, n: int) -> int:
    """How many lots a nation may still put up (AUC-014)."""
    s = rules.scalars[0]
    own = s.auction_nation_max - lots.count_open(world, n)
    return int(min(own, s.auction_world_max - lots.count_open(world, NONE)))


@kernel
def offers_left(world: World, rules: Rules, n: int, turn: int) -> int:
    """How many offers of regular shipments a nation may make; where only changes are left, any number."""
    left = int(rules.scalars[0].regular_offers_max) - shipments.count_open(world, rules, n, turn)
    return int(min(left, _INT8_MAX) if left > 0 else _INT8_MAX)


@kernel
def acceptances_left(world: World, rules: Rules, n: int, turn: int) -> int:
    """How many regular shipments a nation may accept in any case: as many as the fullest port has room for.

    Of the ports that are named in offers to it and have room (SHIP-009).
    """
    s = rules.scalars[0]
    least = world.promises.shape[0]
    for k in range(world.promises.shape[0]):
        entry = world.promises[k]
        if entry.number == 0 or entry.buyer != n or not shipments.is_open(world, rules, k, turn):
            continue
        port = int(entry.port)
        left = int(s.regular_per_large_port if harbours.is_large(world, rules, port) else s.regular_per_port)
        for other in range(world.promises.shape[0]):
            running = shipments.is_running(world, rules, other, turn)
            left -= int(running and world.promises[other].port == port)
        if left > 0:
            least = min(least, left)
    return int(least)


# ------------------------------------------------------------------ to whom goods can go


@kernel
def find_ways(world: World, rules: Rules, table: MenuTable, scratch: Scratch) -> None:
    """Find for all nations to whom goods can go, as `carriers.is_possible` says of two of them."""
    if table.deals.shape[0] == 0:
        return
    scratch.ways[:] = 0
    scratch.borders[:] = 0
    scratch.touching[:] = 0
    ports = _owners_of_ports(world)
    for a in range(world.nations.shape[0]):
        for b in range(world.nations.shape[0] if (ports >> a) & 1 else 0):
            if a != b and (ports >> b) & 1 and partners.may_call(world, b, a):
                scratch.ways[a] |= 1 << b
    _find_borders(world, rules, scratch)
    for a in range(world.nations.shape[0]):
        scratch.ways[a] |= scratch.borders[a]


@kernel
def _owners_of_ports(world: World) -> int:
    """The nations that own a listed port, one bit each."""
    found = 0
    for h in range(world.harbours.shape[0]):
        cell = int(world.harbours[h].cell)
        if cell >= 0 and world.cells.flat[cell].terrain == terrain.PORT and world.cells.flat[cell].owner >= 0:
            found |= 1 << int(world.cells.flat[cell].owner)
    return found


@kernel
def _find_borders(world: World, rules: Rules, scratch: Scratch) -> None:
    """Find whose land touches whose, and who may trade over land (MER-064)."""
    height, width = world.cells.shape
    cells = world.cells.flat
    for k in range(world.clock[0].listed):
        cell = int(world.territory[k])
        a = int(cells[cell].owner)
        if a < 0 or not territory.is_land(world, rules, cell):
            continue
        for direction in range(1, _NEIGHBOURS + 1):
            near = hexgrid.neighbour(width, height, cell, direction)
            b = int(cells[near].owner) if near >= 0 else NONE
            if b < 0 or b == a or (scratch.touching[a] >> b) & 1 or not territory.is_land(world, rules, near):
                continue
            scratch.touching[a] |= 1 << b
            scratch.touching[b] |= 1 << a
            if partners.gates_open(world, a, b):
                scratch.borders[a] |= 1 << b
                scratch.borders[b] |= 1 << a


# ------------------------------------------------------------------ verb by verb


@kernel
def _ask(
    world: World, rules: Rules, table: MenuTable, pieces: Pieces, scratch: Scratch, n: int, turn: int, v: int,
    cell: int,
) -> int:  # fmt: skip
    """The validator's answer to the command that `scratch.heads` say, on the nation's view."""
    verb = table.verbs[v]
    trade, heads = pieces.trade[n], scratch.heads
    width = world.cells.shape[1]
    x = menu_values.field_of(table, verb, X, trade, heads, 0)
    y = menu_values.field_of(table, verb, Y, trade, heads, 0)
    if cell >= 0:
        y = cell // width
        x = cell - y * width
    amount = menu_values.field_of(table, verb, AMOUNT, trade, heads, 0)
    target = menu_values.field_of(table, verb, TARGET, trade, heads, 0)
    if verb.nation:
        target = (n + int(heads[NATION])) % world.nations.shape[0]
    return int(validate.check(world, rules, n, n, turn, int(verb.command), x, y, amount, target))


@kernel
def _start(table: MenuTable, scratch: Scratch, v: int) -> None:
    """Let the heads to ask about name the first value of each factor that may be legal."""
    scratch.heads[:] = 0
    for f in range(FACTORS):
        for value in range(VALUES):
            if table.marks[v, f, value]:
                scratch.heads[FACTOR + f] = value
                break


@kernel
def _offer_first(
    world: World, rules: Rules, table: MenuTable, pieces: Pieces, scratch: Scratch, n: int, turn: int, v: int
) -> None:
    """Auctions, answers to offers of shipments, trade leagues: ask about each lot and offer.

    Of items one stands for all that are there, unless the fee depends on what it is; of leagues likewise.
    """
    verb = table.verbs[v]
    of = int(verb.of[0])
    _start(table, scratch, v)
    known = False
    for value in range(verb.count[0]):
        row = int(ROW_OF_LIST[of - FIRST_LIST]) if of >= FIRST_LIST else STOCK
        column = value if of >= FIRST_LIST else int(verb.value[0, value])
        if pieces.trade[n, row, column] == 0:
            continue
        scratch.heads[FACTOR] = value
        if known or _ask(world, rules, table, pieces, scratch, n, turn, v, NONE) == reason.DONE:
            _offer_value(table, pieces, n, v, value)
            known = of == LEAGUES or (of < FIRST_LIST and table.fees[LISTING_FEE] == 0)
        elif of == LEAGUES:  # who may join one may join all
            return


@kernel
def _offer_value(table: MenuTable, pieces: Pieces, n: int, v: int, value: int) -> None:
    """Offer a verb with one value of its first factor, beside those that it has already."""
    if not pieces.verbs[n, v + 1]:
        offer_verb(table, pieces, n, v)
        for other in range(VALUES):
            pieces.factors[n, v, 0, other] = 0
    pieces.factors[n, v, 0, value] = 1


@kernel
def _offer_reserves(
    world: World, rules: Rules, table: MenuTable, pieces: Pieces, scratch: Scratch, n: int, turn: int, v: int
) -> None:
    """Reserves by land: to those whose land touches the own, as the validator says (AID-001, AID-005)."""
    seats = world.nations.shape[0]
    reserves = int(pieces.trade[n, STOCK, item.COUNT])
    if reserves == 0:
        return
    verb = table.verbs[v]
    _start(table, scratch, v)
    scratch.heads[FACTOR] = verb.plain[0]  # the least share
    for place in range(1, seats):
        other = (n + place) % seats
        if not (scratch.touching[n] >> other) & 1:
            continue
        if rules.scalars[0].aid_faction_only and not relations.are_mates(world, n, other):
            continue
        scratch.heads[NATION] = place
        if _ask(world, rules, table, pieces, scratch, n, turn, v, NONE) != reason.DONE:
            continue
        pieces.nations[n, v, place] = 1
        for value in range(verb.count[0] if not pieces.verbs[n, v + 1] else 0):
            strength = menu_values.share(table, verb, pieces.trade[n], scratch.heads, 0, 0, value)
            if min(strength, int(table.caps[BY_LAND, item.COUNT])) <= reserves:
                _offer_value(table, pieces, n, v, value)


@kernel
def _offer_aid(
    world: World, rules: Rules, table: MenuTable, pieces: Pieces, scratch: Scratch, n: int, turn: int, v: int
) -> None:
    """Aid: goods that may go to one nation may go to all to whom goods can go; reserves are asked apart."""
    seats = world.nations.shape[0]
    verb = table.verbs[v]
    _start(table, scratch, v)
    goods = NONE
    for place in range(1, seats):
        other = (n + place) % seats
        scratch.heads[NATION] = place
        there = (scratch.ways[n] >> other) & 1
        if there and goods < 0:
            goods = _items_to_send(world, rules, table, pieces, scratch, n, turn, v, 0, item.COUNT)
        items = goods if there else 0
        by_sea = relations.are_mates(world, n, other) and not (scratch.touching[n] >> other) & 1
        if by_sea and pieces.trade[n, AID_LEFT, item.COUNT] > 0:
            items |= _items_to_send(world, rules, table, pieces, scratch, n, turn, v, item.COUNT, AID_KINDS)
        if items == 0:
            continue
        pieces.deals[n, place, AID_ITEMS] = items
        pieces.nations[n, v, place] = 1
        for value in range(verb.count[0]):
            if (items >> int(verb.value[0, value])) & 1:
                _offer_value(table, pieces, n, v, value)


@kernel
def _items_to_send(
    world: World, rules: Rules, table: MenuTable, pieces: Pieces, scratch: Scratch, n: int, turn: int, v: int,
    first: int, end: int,
) -> int:  # fmt: skip
    """Which items of a range the nation may send to the one that the heads name, one bit each.

    One stands for all that are there and may be sent at all.
    """
    verb = table.verbs[v]
    found = 0
    for value in range(verb.count[0]):
        what = int(verb.value[0, value])
        if (
            what < first
            or what >= end
            or pieces.trade[n, STOCK, what] == 0
            or table.caps[AID_MOST, what] == 0
        ):
            continue
        scratch.heads[FACTOR] = value
        if found == 0 and _ask(world, rules, table, pieces, scratch, n, turn, v, NONE) != reason.DONE:
            return 0
        found |= 1 << what
    return found


@kernel
def _offer_swaps(
    world: World, rules: Rules, table: MenuTable, pieces: Pieces, scratch: Scratch, n: int, turn: int, v: int
) -> None:
    """Offers of an exchange: to all with whom goods can go both ways; if it may be a gift is asked once."""
    seats = world.nations.shape[0]
    gift = NONE
    given = _first_with_cap(table)
    if given < 0 or pieces.uses[n, CARRIAGES] == 0:
        return
    _start(table, scratch, v)
    scratch.heads[FACTOR] = given
    for place in range(1, seats):
        other = (n + place) % seats
        if not (scratch.ways[n] >> other) & (scratch.ways[other] >> n) & 1:
            continue
        pieces.nations[n, v, place] = 1
        if gift < 0:
            offer_verb(table, pieces, n, v)
            scratch.heads[NATION] = place
            scratch.heads[FACTOR + _GIVEN] = _LEAST
            scratch.heads[FACTOR + _WANTED] = _GIFT
            gift = int(_ask(world, rules, table, pieces, scratch, n, turn, v, NONE) == reason.DONE)
            pieces.factors[n, v, _WANTED, _GIFT] = gift


@kernel
def _first_with_cap(table: MenuTable) -> int:
    """The first item of which anything may be in an exchange (AID-007), -1 none."""
    for what in range(item.COUNT):
        if table.caps[EXCHANGE_MOST, what] > 0:
            return what
    return NONE


@kernel
def _offer_answers(
    world: World, rules: Rules, table: MenuTable, pieces: Pieces, scratch: Scratch, n: int, turn: int, v: int
) -> None:
    """Answers to offers of an exchange, and taking the own one back."""
    seats = world.nations.shape[0]
    accepts = table.verbs[v].deal == SWAP_ACCEPTANCE
    _start(table, scratch, v)
    for place in range(1, seats):
        other = (n + place) % seats
        side = world.relations[other, n] if accepts else world.relations[n, other]
        if side.swap_until == 0:
            continue
        scratch.heads[NATION] = place
        if _ask(world, rules, table, pieces, scratch, n, turn, v, NONE) != reason.DONE:
            continue
        pieces.nations[n, v, place] = 1
        pieces.verbs[n, v + 1] = 1
        if accepts:
            pieces.deals[n, place, SWAP_ITEM] = side.swap_want
            pieces.deals[n, place, SWAP_QUANTITY] = side.swap_wanted


@kernel
def _offer_shipments(
    world: World, rules: Rules, table: MenuTable, cell_index: Any, pieces: Pieces, scratch: Scratch, n: int,
    turn: int, v: int,
) -> None:  # fmt: skip
    """Offers of regular shipments: to which foreign ports, and of which items."""
    seats = world.nations.shape[0]
    verb = table.verbs[v]
    row = int(verb.cell_row)
    if table.caps[EXCHANGE_MOST, item.FUNDS] == 0:  # no price may be asked: SHIP-010
        return
    each = _has_worn_offer(world, n)
    each = each or shipments.count_open(world, rules, n, turn) >= rules.scalars[0].regular_offers_max
    _start(table, scratch, v)
    for place in range(cell_index.shape[1]):
        cell = int(cell_index[n, place])
        if cell < 0 or world.cells.flat[cell].terrain != terrain.PORT:
            continue
        other = int(world.cells.flat[cell].owner)
        if other < 0 or other == n or not partners.may_deal(world, n, other):
            continue
        at = (other - n) % seats
        scratch.heads[NATION] = at
        is_asked = each or not (scratch.borders[n] >> other) & 1  # over land there is a way
        items = 0
        for value in range(verb.count[0]):
            if table.caps[EXCHANGE_MOST, int(verb.value[0, value])] == 0:
                continue
            scratch.heads[FACTOR] = value
            if is_asked and _ask(world, rules, table, pieces, scratch, n, turn, v, cell) != reason.DONE:
                if not each:
                    break
                continue
            items |= 1 << value
            is_asked = each
        if items == 0:
            continue
        pieces.options[n, place, JOIN] = items
        pieces.beside[n, place] = 1 << at
        pieces.cells[n, row, place] = _FREE
        pieces.nations[n, v, at] = 1
        offer_verb(table, pieces, n, v)


@kernel
def _has_worn_offer(world: World, n: int) -> bool:
    """Whether an own offer has been changed as often as it may be."""
    for k in range(world.promises.shape[0]):
        entry = world.promises[k]
        if entry.number > 0 and entry.seller == n and entry.revision >= deals.REVISION_BASE - 1:
            return True
    return False


@kernel
def _note_harbours(world: World, cell_index: Any, pieces: Pieces, n: int) -> None:
    """Note where own ports of trade are: without them there may be no way to anybody."""
    for place in range(cell_index.shape[1]):
        cell = int(cell_index[n, place])
        if cell >= 0 and world.cells.flat[cell].owner == n and world.cells.flat[cell].terrain == terrain.PORT:
            pieces.options[n, place, HERE] = OWN_HARBOUR
