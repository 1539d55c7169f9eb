"""The arrays of menus as kernels take them, and what all who fill them share."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hakoenv.engine.codes import terrain
from hakoenv.engine.handles import handle
from hakoenv.engine.kernel import kernel
from hakoenv.engine.world import FLEETS
from hakoenv.obs.listed_deals import LISTED
from hakoenv.obs.menu_deals import AID_KINDS, LISTS
from hakoenv.obs.menu_table import AIM, GROUPS, HEADS, LAY, MEANS, NONE, RESERVES, MenuTable

SLOTS = 4096  # sites remembered; a power of 2
NATIONS = 40  # places of a nation head: shapes are equal in all scenarios
_BASES = 1024  # own missile bases that a menu knows of


@handle
class Pieces(NamedTuple):
    """The arrays of a menu; the leading axis is the seat."""

    verbs: Any  # (N, V + 1) int8
    cells: Any  # (N, R, C) uint8
    nations: Any  # (N, V, 40) int8
    factors: Any  # (N, V, 4, 32) int8
    prices: Any  # (N, P, 16) int32
    flat_price: Any  # (N, V) uint8
    purse: Any  # (N, 16) int32
    uses: Any  # (N, 21) int8
    places: Any  # (N, C, 2) int16
    beside: Any  # (N, C) int64
    limits: Any  # (N, C) int16
    options: Any  # (N, C, 5) int32
    trade: Any  # (N, 9, 32) int32
    deals: Any  # (N, 40, 4) int32


@handle
class Scratch(NamedTuple):
    """Room to work in; what sites allow, and prices, are remembered: they depend on little but rules."""

    payable: Any  # (P,) int8
    payable_row: Any  # (R,) int8: whether any price of a row can be paid
    timely: Any  # (R,) int8: whether a row's verb can be done in the coming turn, -1 not asked yet
    keys: Any  # (4096,) int64: the site noted in a slot, -1 none
    counts: Any  # (4096,) int64
    rows: Any  # (4096, most rows of use to one kind of cell) int16
    prices: Any  # likewise
    due: Any  # (2, P, 16) int32: the prices late and early in a season
    due_known: Any  # (2,) int8: 1 = they have been found
    purse: Any  # (16,) int64
    fleets: Any  # (16,) int64: warships of each fleet
    waters: (
        Any  # (terrains,) int8: whether a fleet may be sent to such ground as it is seen, -1 not asked yet
    )
    bases: Any  # (1024, 4) int64: own missile bases: cell, range, shots, distance to the cell aimed at
    heads: Any  # (7,) int64: of a command that is asked about
    found: Any  # (32, 2) int64: a list of deals
    ways: Any  # (40,) int64: to whom goods of each nation can go, one bit each
    borders: Any  # (40,) int64: to whom over land
    touching: Any  # (40,) int64: whose land touches its own


def new_scratch(table: MenuTable) -> Scratch:
    """Fresh scratch."""
    most = int(table.useful[..., 0].max(initial=1))
    return Scratch(
        np.empty(len(table.prices), np.int8),
        np.empty(len(table.row_verb), np.int8),
        np.empty(len(table.row_verb), np.int8),
        np.full(SLOTS, NONE, np.int64),
        np.empty(SLOTS, np.int64),
        np.empty((SLOTS, most), np.int16),
        np.empty((SLOTS, most), np.int16),
        np.zeros((2, len(table.prices), MEANS), np.int32),
        np.zeros(2, np.int8),
        np.empty(MEANS, np.int64),
        np.empty(FLEETS, np.int64),
        np.empty(terrain.COUNT, np.int8),
        np.empty((_BASES, 4), np.int64),
        np.zeros(HEADS, np.int64),
        np.zeros((LISTED, 2), np.int64),
        np.zeros(NATIONS, np.int64),
        np.zeros(NATIONS, np.int64),
        np.zeros(NATIONS, np.int64),
    )


@handle
class Draft(NamedTuple):
    """What is left, and scratch."""

    purse: Any  # (16,) int64
    uses: Any  # (21,) int64
    treated: Any  # (1,) int64: nations that a treaty was made or ended with, by place of the nation head
    fleets: Any  # (3,) int64: what became of fleets, one bit each
    mindful: Any  # (1,) int64: 1 = the menu has verbs that ask what lies beside their cell
    blocked: Any  # (C,) int8: what other commands did there: CALM nothing, TOUCHED, DISTURBED, SERVED
    spots: Any  # (C,) int64: scratch, places that a verb may name
    choices: Any  # (V + 1,) int64: scratch
    cursor: Any  # (1,) int64: draws made
    caps: Any  # (2, 11) int64: how much of each item may still be sent as aid and in exchanges
    listed: Any  # (4,) int64: lots, offers received, offers made and leagues that were named, one bit each
    partners: Any  # (2,) int64: nations of an exchange; those to whom the way may be closed


def new_draft(verbs: int, cells: int) -> Draft:
    """A draft for a menu of so many verbs and cells."""
    return Draft(
        np.zeros(MEANS, np.int64),
        np.zeros(GROUPS, np.int64),
        np.zeros(1, np.int64),
        np.zeros(3, np.int64),
        np.zeros(1, np.int64),
        np.zeros(cells, np.int8),
        np.zeros(cells, np.int64),
        np.zeros(verbs + 1, np.int64),
        np.zeros(1, np.int64),
        np.zeros((2, AID_KINDS), np.int64),
        np.zeros(LISTS, np.int64),
        np.zeros(2, np.int64),
    )


@kernel
def number_of_price(table: MenuTable, kind: int, row: int, level: int) -> int:
    """Which of the menu's prices a kind, row and level mean."""
    return int(table.price_at[kind, row]) + min(level, int(table.price_levels[kind, row]))


@kernel
def offer_verb(table: MenuTable, pieces: Pieces, n: int, v: int) -> None:
    """Offer a verb, with all values of its factors that can be legal at all."""
    if pieces.verbs[n, v + 1]:
        return
    pieces.verbs[n, v + 1] = 1
    verb = table.verbs[v]
    for factor in range(verb.factors):
        for value in range(verb.count[factor]):
            pieces.factors[n, v, factor, value] = table.marks[v, factor, value]


@kernel
def amount_to_pay(verb: Any, limit: int, value: int) -> int:
    """How often a verb's price is due if the factor that scales it has a value; no more than the limit.

    Missiles: 0 stands for as many as there are. Nothing limits the strength of a naval mine.
    """
    if verb.scales < 0:
        return 1
    if verb.way == LAY:
        return int(max(1, value))
    if verb.way == AIM and value == 0:
        value = limit
    return int(max(1, min(value, limit)))


@kernel
def pays(pieces: Pieces, n: int, price: int, purse: Any, verb: Any, limit: int, value: int) -> bool:
    """Whether a purse pays for a verb at a price of seat ``n``; a price that there is not never is.

    The reserves must hold all that is named, even what finds no room (ARMY-061); of missiles it is enough
    if one can be paid (MSL-010).
    """
    if price < 0 or price >= pieces.prices.shape[1]:
        return False
    due = 1 if verb.way == AIM else amount_to_pay(verb, limit, value)
    named = due if verb.way == AIM or verb.scales < 0 else max(1, value)
    for what in range(MEANS):
        if purse[what] < int(pieces.prices[n, price, what]) * (named if what == RESERVES else due):
            return False
    return True
