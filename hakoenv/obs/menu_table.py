"""What a menu knows before any world: its verbs as arrays, where each may be of use, and the prices.

Which ground can be of use to which verb, which prices there are and which work disturbs its neighbours
is not written down here: it is found once by asking ``sites.work`` about every kind of cell. Nor is which
values of a factor there can ever be: the validator is asked in a world where nothing stands against them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine import territory
from hakoenv.engine.codes import command as number
from hakoenv.engine.codes import (
    deposit,
    item,
    reason,
    research,
    ship_class,
    terrain,
    unit_item,
    unit_type,
)
from hakoenv.engine.commands import fleet_orders, prices, shipyard, sites, table, validate
from hakoenv.engine.commands.look import Site
from hakoenv.engine.diplomacy import factions
from hakoenv.engine.handles import handle
from hakoenv.engine.kernel import as_kernel_array, kernel, zeros
from hakoenv.engine.missiles import bases
from hakoenv.engine.world import PROMISES, World, new_world
from hakoenv.obs import menu_deals
from hakoenv.ruleset.compiled import Rules

FACTORS = 4  # factors of a verb at most
VALUES = table.MAX_CHOICES
X, Y, AMOUNT, TARGET = range(4)  # fields of a command, as `table.FIELDS`
VERB, NATION, CELL, FACTOR = range(4)  # heads of a command in an action; its factors follow
HEADS = FACTOR + FACTORS
# Uses in one action: what can be done only so often. Missiles any number of times, until something ends
# them; ANYTHING is all that follows giving up; new warships and salvages one, mines as many as there may be,
# likewise auctions and acceptances of regular shipments. Then one each: the own place in a faction, members
# let in (any number, or one where applicants fight each other), a new name, a notice, the trade league, the
# containment; reserves by land as often as the rules say. Ports as the map has room for; aid and exchanges as
# may be under way, which take room only in part, so that menus of deals count them; offers of shipments.
RESEARCH, POLICY, LEVEL_LAND, CESSION, MISSILES, ANYTHING, SHIPS, MINES, SALVAGE = range(9)
LISTINGS, ACCEPTANCES = range(9, 11)
BELONGING, ADMISSIONS, NAMING, NOTICE, LEAGUE, COALITION, RESERVE_AIDS = range(11, 18)
PORTS, CARRIAGES, OFFERS = range(18, 21)
GROUPS = 21
# How a verb is judged: by the kind of ground, without a cell, or each in its own way. At sea: CREW concerns
# an own ship, YARD builds one, COURSE and SALVO name a cell to sail to or fire at, LAY and SWEEP are of
# mines. In trade, DEAL names no cell, HARBOUR a foreign port. BOND is of factions, leagues, the containment.
GROUND, FLAT, CEDE, CONSCRIPT, PLACE, EQUIP, AIM, BLAST = range(8)
CREW, YARD, COURSE, SALVO, LAY, SWEEP, WRECK = range(8, 15)
DEAL, HARBOUR, BOND = range(15, 18)
WAYS = 18
# What pays: the items of the treasury, the reserves, then the items for units in the national store.
RESERVES = item.COUNT
MEANS = RESERVES + unit_item.COUNT  # `unit_item.NONE` is nothing, so item k stands at RESERVES + k
ITEM = prices.KINDS  # one more kind of price: the command's own and an item for a unit; row = item
KINDS = prices.KINDS + 1
OWN_BASE = -1  # in `limits` of a menu: an own missile base stands there
# Columns of `options` of a menu: which values the factor of a verb may have at a place, one bit each; and
# what is there: 0 nothing, OWN_PORT, OWN_HARBOUR, or 1 + the fleet of an own warship (1 + FLEETLESS: in
# none). Of a foreign port JOIN says which items may be offered there.
JOIN, EMBARK, DISEMBARK, STEP, HERE = range(5)
OPTIONS = 5
OWN_PORT, OWN_HARBOUR = -1, -2  # a naval port, a port of trade
FLEETLESS = 16
# What a verb asks of the fleet it names: room for a ship; a ship; a ship, and no other order of this kind
# before it. Those that name none: that fleets are as they were, all or the one of the ship there.
NO_FLEET, FILLS, LEADS, TURNS, ALL_KEPT, OWN_KEPT = range(6)
# A place beside one that may be another then; one that a work may spoil; one that a command named. A verb
# bears what its `bears` says.
CALM, TOUCHED, DISTURBED, SERVED = range(4)
NOTHING = -1  # `disturbs` of a verb that changes nothing on the map: its place serves others, too
# Ways to other nations may be lost where land or water is, or where an own port is.
NO_BAR, ALWAYS, IN_PORT = range(3)
# Treaties: a nation can be named once in an action by those that make or end one; others heed these. So can
# one in the faction's affairs, which wars have a say in.
FREE, HEEDS, MAKES = range(3)
# Whom a verb of factions may concern at all.
ANYBODY, LEADERS, APPLICANTS, MEMBERS = range(4)
NONE = -1
NOBODY, FOREIGN, OWN = range(3)  # whose cell
LEVEL, PEOPLE = range(2)

_WAY_OF_COMMAND = {
    number.CEDE_LAND: CEDE,
    number.CONSCRIPT: CONSCRIPT,
    number.PLACE_UNIT: PLACE,
    number.EQUIP_ITEM: EQUIP,
    number.MISSILE_NORMAL: AIM,
    number.MISSILE_PP: AIM,
    number.MISSILE_ANTIPERSONNEL: AIM,
    number.MISSILE_BALLISTIC: AIM,
    number.BUILD_SHIP: YARD,
    number.FORM_FLEET: CREW,
    number.FLEET_MOVE: COURSE,
    number.FLEET_MODE: CREW,
    number.SALVO_ORDER: SALVO,
    number.NAVAL_REPAIR: CREW,
    number.EMBARK: CREW,
    number.DISEMBARK: CREW,
    number.DECOMMISSION: CREW,
    number.LAY_MINE: LAY,
    number.REMOVE_MINE: SWEEP,
    number.SHIP_STEP: CREW,
    number.SALVAGE_WRECK: WRECK,
    number.AUCTION_LIST: DEAL,
    number.AUCTION_BID: DEAL,
    number.REGULAR_OFFER: HARBOUR,
    number.REGULAR_ACCEPT: DEAL,
    number.REGULAR_WITHDRAW: DEAL,
    number.NATIONAL_AID: DEAL,
    number.EXCHANGE: DEAL,
    number.AID_RESERVES: DEAL,
    number.FACTION_CREATE: BOND,
    number.FACTION_APPLY: BOND,
    number.FACTION_DECIDE: BOND,
    number.FACTION_WITHDRAW: BOND,
    number.FACTION_LEAVE: BOND,
    number.FACTION_EXPEL: BOND,
    number.FACTION_HANDOVER: BOND,
    number.FACTION_RENAME: BOND,
    number.FACTION_DISSOLVE: BOND,
    number.FACTION_DEMAND_LEADER: BOND,
    number.LEAGUE_JOIN: BOND,
    number.LEAGUE_LEAVE: BOND,
    number.CONTAINMENT_JOIN: BOND,
    number.CONTAINMENT_LEAVE: BOND,
}
_GROUP_OF_COMMAND = {
    number.RESEARCH: RESEARCH,
    number.INDUSTRIAL_POLICY: POLICY,
    number.LEVEL_LAND: LEVEL_LAND,
    number.CEDE_LAND: CESSION,
    number.ABANDON_NATION: ANYTHING,
    number.BUILD_SHIP: SHIPS,
    number.LAY_MINE: MINES,
    number.SALVAGE_WRECK: SALVAGE,
    number.AUCTION_LIST: LISTINGS,
    number.REGULAR_OFFER: OFFERS,
    number.REGULAR_ACCEPT: ACCEPTANCES,
    number.AID_RESERVES: RESERVE_AIDS,
    number.FACTION_CREATE: BELONGING,
    number.FACTION_APPLY: BELONGING,
    number.FACTION_WITHDRAW: BELONGING,
    number.FACTION_LEAVE: BELONGING,
    number.FACTION_DEMAND_LEADER: BELONGING,
    number.FACTION_RENAME: NAMING,
    number.FACTION_DISSOLVE: NOTICE,
    number.LEAGUE_JOIN: LEAGUE,
    number.LEAGUE_LEAVE: LEAGUE,
    number.CONTAINMENT_JOIN: COALITION,
    number.CONTAINMENT_LEAVE: COALITION,
}
_TREATY_OF_COMMAND = {
    number.CEDE_LAND: HEEDS,
    number.DECLARE_WAR: MAKES,
    number.CEASEFIRE: MAKES,
    number.AMITY: MAKES,
    number.DISEMBARK: HEEDS,
    number.FACTION_DECIDE: MAKES,
    number.FACTION_EXPEL: MAKES,
    number.FACTION_HANDOVER: MAKES,
    number.CONTAINMENT_JOIN: HEEDS,  # amity with the hegemon bars it
}
_WHOM = {
    number.FACTION_APPLY: LEADERS,
    number.FACTION_DECIDE: APPLICANTS,
    number.FACTION_EXPEL: MEMBERS,
    number.FACTION_HANDOVER: MEMBERS,
}
# Verbs that may make a friend, near whom no missile may come down (MSL-014), by command and amount.
_BEFRIENDING = ((number.CEASEFIRE, 0), (number.AMITY, 0), (number.GOOD_TERMS, 1))
_OPTIONS_OF_COMMAND = {
    number.FORM_FLEET: JOIN,
    number.EMBARK: EMBARK,
    number.DISEMBARK: DISEMBARK,
    number.SHIP_STEP: STEP,
}
_DISTURBS = {  # at sea; a unit or ship that comes or goes concerns the ships beside its new cell, too
    number.EMBARK: 2,
    number.DISEMBARK: 2,
    number.SHIP_STEP: 2,
    number.DECOMMISSION: 1,
    number.REMOVE_MINE: 1,
    number.FLEET_MOVE: NOTHING,
    number.SALVO_ORDER: NOTHING,
    number.FLEET_MODE: NOTHING,
}
# Verbs that ask what lies beside the cell, not only whether it is land, water or a mountain.
_MINDFUL = (
    number.CEDE_LAND, number.BUILD_SHIP, number.NAVAL_REPAIR, number.EMBARK, number.DISEMBARK,
    number.SHIP_STEP,
)  # fmt: skip
_LEAVING = (number.DECOMMISSION, number.SHIP_STEP)  # a ship may leave its fleet; a step may end on a mine
_NEVER = (reason.UNKNOWN_COMMAND, reason.LOCKED, reason.PRIVATE_ONLY, reason.NOT_BUILT_YET)
_DEPOSITS = deposit.COUNT
_LEVELS = 4  # levels asked about: 0, 1, all but the top one, the top one
_PRICE_ROWS = number.LIMIT
_MANY = 1000  # people: enough for any condition
_HUNDRED = 100  # people of whom a percentage is as many as it says
_ALL_AROUND = 6
_LATE = 1 << 30  # a turn in which no early price holds
_RICH = 1 << 50
_SPOT = np.zeros(WAYS, np.int64)  # the cell of the world of plenty at which a way is asked about
_SPOT[[PLACE, LAY, AIM]] = 1, 4, 8
_GROUND_OF_WAY = {CONSCRIPT: terrain.TOWN, PLACE: terrain.DEPOT}

verb_dtype = np.dtype(
    [
        ("command", np.int64),
        ("cell_row", np.int64),  # row of `cells`, -1: the verb needs no cell
        ("nation", np.int64),  # 1: the verb needs a nation
        ("possible", np.int64),  # 0: refused in this ruleset whatever the world is like
        ("way", np.int64),  # how it is judged
        ("group", np.int64),  # whose uses it takes, -1 none
        ("closes", np.int64),  # the group that nothing is left of after it, -1 none
        ("treaty", np.int64),  # FREE, HEEDS or MAKES
        ("disturbs", np.int64),  # how far around it things may not be what they were; NOTHING: not even there
        ("bears", np.int64),  # the worst state of a place that it can still be given for
        ("arms", np.int64),  # 1: builds a missile base, so that more missiles can be fired after it
        ("missile", np.int64),  # kind of missile
        ("options", np.int64),  # column of `options` that says which values fit a place, -1 all do
        ("fleet", np.int64),  # NO_FLEET, FILLS, ...; a fleet that is named is the first factor
        ("leaves", np.int64),  # 1: the ship there may not be in its fleet any more
        ("deal", np.int64),  # kind of deal (`menu_deals`)
        ("whom", np.int64),  # ANYBODY, or whom it may concern
        ("estranges", np.int64),  # 1: deals with whom it names may not be possible after it
        ("severs", np.int64),  # with whom deals may not be possible after it: those of one of TIES, 0 nobody
        ("bars", np.int64),  # NO_BAR, ALWAYS or IN_PORT: whether ways to other nations may be lost by it
        ("parts", np.int64),  # the factor that says how much leaves the treasury, -1 none
        ("factors", np.int64),
        ("scales", np.int64),  # the factor that multiplies its price, -1 none
        ("least", np.int64),  # of that factor: least value that may be legal
        ("most", np.int64),  # and greatest
        ("first", np.int64, (2,)),  # places of the first values of two factors that go together
        ("joint", np.int64),  # table of which values of its two factors go together, -1 all do
        ("split", np.int64),  # what its factors from this one on may be depends on those before it alone
        ("fixed", np.int64, (4,)),  # x, y, amount, target before the factors add to them
        ("field", np.int64, (FACTORS,)),
        ("times", np.int64, (FACTORS,)),
        ("count", np.int64, (FACTORS,)),  # values offered
        ("plain", np.int64, (FACTORS,)),  # of these, how many are numbers; the rest are percentages
        ("of", np.int64, (FACTORS,)),  # of what these are, or the list whose places the values are
        ("about", np.int64, (FACTORS,)),  # the factor that says of which item
        ("low", np.int64, (FACTORS,)),  # least and greatest number that a percentage may become
        ("high", np.int64, (FACTORS,)),
        ("exact", np.int64, (FACTORS,)),  # 1: a number that is near another means something else
        ("value", np.int64, (FACTORS, VALUES)),
    ],
    align=True,
)
price_dtype = np.dtype([(name, np.int64) for name in ("command", "kind", "row", "level")], align=True)


@handle
class MenuTable(NamedTuple):
    """The arrays; kernels take them together. V verbs, R of them with a cell, P prices."""

    verbs: Any  # (V,) verb_dtype
    row_verb: Any  # (R,) int64: verb of a row of `cells`
    flat: Any  # (F,) int64: verbs without a cell that are possible
    deals: Any  # (D,) int64: verbs of trade between nations that are possible
    bonds: Any  # (B,) int64: verbs of factions, leagues and the containment that are possible, lists apart
    rows_of: Any  # (ways, R + 1) int16: how many rows are judged in a way and possible, and which
    marks: Any  # (V, 4, 32) int8: values of each factor that may be legal
    useful: Any  # (terrains, 3, 2, R + 1) int16: how many rows may be of use on such a cell, and which
    costs: Any  # (R, P + 1) int16: how many prices a row may have, and which
    minds: Any  # (terrains, 2) int8: whether what is possible there depends on level, on people
    prices: Any  # (P,) price_dtype; row 0 is "free"
    price_at: Any  # (kinds, rows) int16: the price of (kind, row), -1 none
    price_levels: Any  # (kinds, rows) int16: 0, or highest level if each level has a price of its own
    joint: Any  # (J, 32, 32) int8
    mindful: Any  # (M,) int64: verbs that ask what lies beside their cell
    uses: Any  # (21,) int8: uses of each group in one action
    caps: Any  # (4, 11) int64: by item, the most of one aid, of aid in a turn, in exchanges, by land
    fees: Any  # (2,) int64: percent of a bid that are held for freight, and of a lowest price for listing it


def build(rules: Rules, verbs: Sequence[table.Verb]) -> MenuTable:
    """The table of a ruleset and a choice of verbs.

    Raises:
        RuntimeError: two commands share a row of prices but not the price.
    """
    records, marks, joint = _records(rules, verbs)
    row_verb = np.flatnonzero(records["cell_row"] >= 0)
    of_use = np.zeros((terrain.COUNT, 3, 2, len(row_verb)), np.int8)
    found = np.full((KINDS, _PRICE_ROWS), NONE, np.int64)
    top = np.zeros((KINDS, _PRICE_ROWS), np.int64)
    minds = np.zeros((terrain.COUNT, 2), np.int8)
    paid = np.zeros((len(row_verb), KINDS, _PRICE_ROWS), np.int8)
    clash = ask(rules, records, row_verb, of_use, paid, minds, found, top)
    if clash >= 0:
        raise RuntimeError(f"{verbs[clash].name} shares a price row with another command")
    for record in records[records["possible"] == 1]:
        for kind, row in prices_of(record):
            found[kind, row] = record["command"]
    top[prices.PER_LEVEL, number.REMOVE_MINE] = rules.scalars["naval_mine_strength_max"][0]
    catalogue, price_at, price_levels = _prices(rules, found, top)
    uses = np.ones(GROUPS, np.int64)
    uses[LEVEL_LAND] = rules.scalars["commands_level_land_per_turn"][0]
    uses[CESSION] = rules.scalars["diplomacy_cession_per_turn"][0]
    uses[MISSILES] = np.iinfo(np.int8).max
    uses[MINES] = rules.scalars["naval_mine_nation_max"][0]
    uses[LISTINGS] = rules.scalars["auction_nation_max"][0]
    uses[ACCEPTANCES] = PROMISES
    uses[ADMISSIONS] = np.iinfo(np.int8).max
    uses[RESERVE_AIDS] = rules.scalars["aid_reserves_per_turn"][0]
    uses[PORTS] = np.iinfo(np.int8).max
    uses[CARRIAGES] = rules.scalars["diplomacy_transports_max"][0]
    uses[OFFERS] = rules.scalars["regular_offers_max"][0]
    costs = np.zeros((len(row_verb), len(catalogue)), np.int8)
    for p, price in enumerate(catalogue.tolist()):
        costs[:, p] = paid[:, price[1], price[2]]
    possible = records["possible"] == 1
    ways = records["way"][row_verb][np.newaxis] == np.arange(WAYS)[:, np.newaxis]
    return MenuTable(
        records,
        row_verb,
        np.flatnonzero(possible & (records["way"] == FLAT)),
        np.flatnonzero(possible & (records["deal"] != menu_deals.NO_DEAL)),
        np.flatnonzero(possible & (records["way"] == BOND)),
        _lists(ways & possible[row_verb]),
        marks,
        _lists(of_use),
        _lists(costs),
        minds,
        catalogue,
        price_at,
        price_levels,
        joint,
        np.flatnonzero(possible & (records["bears"] == CALM)),
        np.minimum(uses, np.iinfo(np.int8).max).astype(np.int8),
        menu_deals.caps(rules),
        menu_deals.fees(rules),
    )


def _records(rules: Rules, verbs: Sequence[table.Verb]) -> tuple[NDArray[Any], Any, Any]:
    """The verbs as records, the values of their factors, and which of these go together."""
    records = zeros(len(verbs), verb_dtype)
    world = _world_of_plenty(rules)
    row = 0
    for record, verb in zip(records, verbs, strict=True):
        fixed = [verb.fixed.get(field, 0) for field in table.FIELDS]
        why = validate.check(world, rules, 0, 0, _LATE + 1, verb.command, *fixed)
        record["command"] = verb.command
        record["cell_row"] = row if verb.needs_cell else NONE
        record["nation"] = verb.needs_nation
        record["possible"] = why not in _NEVER
        record["factors"] = len(verb.factors)
        record["fixed"] = fixed
        record["scales"] = record["joint"] = NONE
        menu_deals.describe(rules, record, verb)
        _say_what_it_spoils(rules, record, verb)
        row += verb.needs_cell
    marks = np.zeros((len(verbs), FACTORS, VALUES), np.int8)
    pairs = np.zeros((len(verbs), VALUES, VALUES), np.int8)
    ask_values(world, rules, records, marks, pairs)
    joint: list[NDArray[np.int8]] = []
    for record, mark, pair in zip(records, marks, pairs, strict=True):
        if record["deal"] != menu_deals.NO_DEAL:
            menu_deals.mark_values(world, rules, record, mark)
            continue
        known = record["factors"] > 0 and record["possible"]
        legal = np.argwhere(pair)
        record["possible"] = record["possible"] and (not known or len(legal) > 0)
        if not known or not len(legal):
            continue
        record["first"] = legal[0]
        if record["scales"] >= 0:
            offered = record["value"][record["scales"]][mark[record["scales"]] > 0]
            record["least"], record["most"] = offered.min(), offered.max()
        if record["factors"] == 2 and (pair != np.outer(mark[0], mark[1])).any():
            record["joint"] = len(joint)
            record["split"] = 1
            joint.append(pair)
    return records, marks, np.array(joint, np.int8).reshape(-1, VALUES, VALUES)


def _say_what_it_spoils(rules: Rules, record: Any, verb: table.Verb) -> None:
    """How a verb is judged, and what it leaves possible for the commands after it."""
    amount = int(record["fixed"][AMOUNT])
    handled = validate.HANDLED[verb.command]
    without_cell = handled == validate.OF_NATION or handled == validate.OF_TREATY
    record["way"] = _WAY_OF_COMMAND.get(verb.command, FLAT if without_cell else GROUND)
    record["group"] = _GROUP_OF_COMMAND.get(verb.command, NONE)
    record["bears"] = CALM if verb.command in _MINDFUL else TOUCHED
    record["options"] = NONE
    record["closes"] = MISSILES if (verb.command, amount) in _BEFRIENDING else NONE
    record["treaty"] = _TREATY_OF_COMMAND.get(verb.command, FREE)
    record["arms"] = verb.command == number.MISSILE_BASE or verb.command == number.SEABED_BASE
    record["estranges"] = menu_deals.estranges(verb.command, amount)
    if record["way"] == BOND:
        _say_what_it_binds(record, verb)
    if verb.command == number.DEFENSE_FACILITY and amount == sites.SELF_DESTRUCT:
        record["way"], record["group"] = BLAST, ANYTHING
    elif verb.command == number.ECONOMIC_FACILITY and amount == sites.PORT:
        record["group"] = PORTS
    elif verb.command == number.DECLARE_WAR and rules.scalars["diplomacy_war_delay"][0] == 0:
        record["group"] = ANYTHING  # the enemy stands at the gates at once
    elif record["way"] == CEDE:
        record["disturbs"] = 1
        record["bars"] = ALWAYS
    elif record["way"] == AIM:
        record["missile"] = bases.missile_of(rules, verb.command)
        record["group"] = MISSILES
        widest = rules.weather["missile_scatter_bonus"].max()
        record["disturbs"] = 1 + max(0, rules.missiles["scatter"][record["missile"]] + widest)
        record["bears"] = DISTURBED
        record["leaves"] = 1
        record["bars"] = IN_PORT
    elif record["way"] == HARBOUR:
        record["disturbs"] = NOTHING
        record["options"] = JOIN
    elif handled == validate.OF_NAVY:
        _say_what_it_does_at_sea(record, verb, amount)


def _say_what_it_binds(record: Any, verb: table.Verb) -> None:
    """The same of the verbs of factions, trade leagues and the containment."""
    if record["deal"] != menu_deals.NO_DEAL:
        record["way"] = DEAL  # one of a list
    if verb.needs_nation:
        record["whom"] = _WHOM.get(verb.command, ANYBODY)
    elif record["treaty"] == MAKES:
        record["treaty"] = FREE
    if verb.command == number.FACTION_DECIDE and record["fixed"][AMOUNT] == factions.APPROVE:
        record["group"] = ADMISSIONS
    elif verb.command == number.FACTION_HANDOVER and not verb.needs_nation:
        record["group"] = BELONGING


def _say_what_it_does_at_sea(record: Any, verb: table.Verb, amount: int) -> None:
    """The same of the verbs of the navy."""
    command, fleet = verb.command, any(factor.name == "fleet" for factor in verb.factors)
    record["disturbs"] = _DISTURBS.get(command, 0)
    record["leaves"] = command in _LEAVING
    if verb.factors and command in _OPTIONS_OF_COMMAND:
        record["options"] = _OPTIONS_OF_COMMAND[command]
    if not verb.needs_cell:
        record["way"] = FLAT
    elif command == number.BUILD_SHIP and not fleet:  # a naval port is built like any building
        record["way"], record["group"], record["bears"] = GROUND, NONE, TOUCHED
    if command == number.SALVO_ORDER:
        record["bears"] = DISTURBED
        record["fleet"] = LEADS if fleet else ALL_KEPT
        record["leaves"] = not verb.needs_cell  # there is nothing to clear any more
    elif command == number.FLEET_MOVE:
        record["fleet"] = LEADS if amount == fleet_orders.TARGET else TURNS
    elif command == number.FORM_FLEET and fleet:
        record["fleet"], record["leaves"] = FILLS, 1
    elif command == number.FORM_FLEET and amount == fleet_orders.FLAGSHIP:
        record["fleet"] = OWN_KEPT  # who follows a flagship is one already
    elif fleet:
        record["fleet"] = FILLS


def _world_of_plenty(rules: Rules) -> World:
    """Two old nations with means for everything; nation 0 has what its commands need, where `_SPOT` says."""
    world = new_world(3, 3, 2, 0)
    world.clock["turn"] = _LATE
    world.nations["alive"] = 1
    world.nations["treasury"] = _RICH
    world.nations["reserves"] = _LATE
    world.factions["active"][0] = 1
    world.factions["leader"][0] = world.nations["faction"][0] = 0
    cells = world.cells.reshape(-1)
    for way, ground in _GROUND_OF_WAY.items():
        cells["terrain"][_SPOT[way]] = ground
        cells["owner"][_SPOT[way]] = 0
        cells["population"][_SPOT[way]] = _HUNDRED
    territory.index(world, rules)
    return world


def prices_of(record: Any) -> list[tuple[int, int]]:
    """Kinds and rows of the prices of a verb that is not judged by the ground."""
    way, command = int(record["way"]), int(record["command"])
    if way == PLACE:  # a unit that stands there may keep its type
        return [(prices.UNIT, kind) for kind in range(unit_type.COUNT)]
    if way == AIM:
        return [(prices.MISSILE, int(record["missile"]))]
    if way == EQUIP:
        return [(ITEM, int(record["fixed"][AMOUNT]))]
    if way == YARD:
        return [(prices.SHIP, shipyard.ordered(int(record["fixed"][AMOUNT]))[0])]
    if command == number.NAVAL_REPAIR:
        return [(prices.REPAIR, k) for k in range(ship_class.FIRST_WARSHIP, ship_class.LAST_WARSHIP + 1)]
    if way in (LAY, SWEEP):
        return [(prices.PER_LEVEL, command)]
    return [] if way in (GROUND, BLAST, DEAL, HARBOUR) else [(prices.COMMAND, command)]


def _lists(marks: NDArray[np.int8]) -> NDArray[np.int16]:
    """Along the last axis the places that are 1, as a list: how many, then which."""
    lists = np.zeros((*marks.shape[:-1], marks.shape[-1] + 1), np.int16)
    for where in np.ndindex(marks.shape[:-1]):
        places = np.flatnonzero(marks[where])
        lists[where][0] = len(places)
        lists[where][1 : len(places) + 1] = places
    return lists


def _prices(rules: Rules, found: NDArray[np.int64], top: NDArray[np.int64]) -> tuple[Any, Any, Any]:
    """Number the prices: one each, or one for each level where a price depends on it."""
    rows = [(0, NONE, 0, 0)]  # free
    price_at = np.full(found.shape, NONE, np.int16)
    price_levels = np.zeros(found.shape, np.int16)
    for kind, row in np.argwhere(found >= 0).tolist():
        command = int(found[kind, row])
        price_at[kind, row] = len(rows)
        if kind == prices.COMMAND and command == number.RESEARCH:
            continue  # its prices stand in the research table
        if kind == prices.UNIT or kind == prices.MISSILE or command == number.LAY_MINE:
            rows.append((command, kind, row, 1))  # of one
            continue
        if kind != ITEM and varies(rules, command, kind, row):
            price_levels[kind, row] = top[kind, row]
        rows += [(command, kind, row, level) for level in range(int(price_levels[kind, row]) + 1)]
    if found[prices.COMMAND, number.RESEARCH] >= 0:
        levels = rules.research.shape[1] - 1
        for branch in range(research.COUNT):
            price_at[prices.RESEARCH, branch] = len(rows)
            price_levels[prices.RESEARCH, branch] = levels
            rows += [(number.RESEARCH, prices.RESEARCH, branch, level) for level in range(levels + 1)]
    catalogue = np.array(rows, price_dtype)
    return as_kernel_array(catalogue), price_at, price_levels


@kernel
def ask(
    rules: Rules, verbs: Any, row_verb: Any, of_use: Any, paid: Any, minds: Any, found: Any, top: Any
) -> int:
    """Note on which kinds of cell each verb can be done, at which prices, and whether it disturbs others.

    Everything that could stand against it is left out. Returns a verb whose price row belongs to another
    command, too, or -1.
    """
    for k in range(terrain.COUNT * 3 * 2 * _DEPOSITS * row_verb.shape[0]):
        row = k % row_verb.shape[0]
        rest = k // row_verb.shape[0]
        near, whose, lying, ground = rest % 2, rest // 2 % 3, rest // 6 % _DEPOSITS, rest // 6 // _DEPOSITS
        verb = verbs[row_verb[row]]
        command = int(verb.command)
        if not verb.possible or verb.way != GROUND:
            continue
        mine = rules.terrains[ground].mine
        most = int(rules.mines[mine].level_max if mine >= 0 else rules.terrains[ground].level_max)
        usual = NONE
        for step in range(_LEVELS + 1):  # the last one: level 0 again, but no people
            level = step if step < 2 else max(0, most + step - _LEVELS + 1)
            site = _kind_of_cell(ground, whose, near, lying, 0 if step == _LEVELS else level, step < _LEVELS)
            why, result, kind, price = sites.work(rules, site, command, verb.fixed[AMOUNT])
            answer = (why * prices.KINDS + kind) * _PRICE_ROWS + price
            usual = answer if step == 0 else usual
            if answer != usual:
                minds[ground, PEOPLE if step == _LEVELS else LEVEL] = 1
            if why != reason.DONE:
                continue
            if kind == prices.STEP:
                minds[ground, LEVEL] = 1
            if found[kind, price] >= 0 and found[kind, price] != command:
                return int(row_verb[row])
            of_use[ground, whose, near, row] = 1
            paid[row, kind, price] = 1
            found[kind, price] = command
            top[kind, price] = max(top[kind, price], site.level)
            takes = _takes(rules, ground, result)
            if command == number.TUNNEL or takes:
                verb.disturbs = 1
            if takes:
                verb.bars = ALWAYS
            elif verb.bars == NO_BAR and ground == terrain.PORT and result != terrain.PORT:
                verb.bars = IN_PORT
    return NONE


@kernel
def _kind_of_cell(ground: int, whose: int, near: int, lying: int, level: int, people: bool) -> Site:
    own, foreign, many = int(whose == OWN), int(whose == FOREIGN), _MANY if people else 0
    return Site(ground, own, foreign, level, many, lying, 0, 0, 0, 0, 0, 0, 0, near, near, 1, _ALL_AROUND)


@kernel
def _takes(rules: Rules, before: int, after: int) -> bool:
    """Whether the cells beside lose land, water or a mountain that they may have needed."""
    water = before == terrain.SEA or before == terrain.SHALLOWS or before == terrain.NAVAL_MINE
    if water and after != terrain.SEA and after != terrain.SHALLOWS:
        return True
    if before == terrain.MOUNTAIN and after != terrain.MOUNTAIN:
        return True
    land = rules.terrains[before].counts_as_land == 1 or before == terrain.PORT
    return land and not (rules.terrains[after].counts_as_land == 1 or after == terrain.PORT)


@kernel
def varies(rules: Rules, command: int, kind: int, row: int) -> bool:
    """Whether a price depends on the level of the cell."""
    for what in range(item.COUNT):
        for turn in (1, _LATE):
            low = prices.price(rules, turn, command, kind, row, 1, what)
            if prices.price(rules, turn, command, kind, row, 2, what) != low:
                return True
    return False


@kernel
def ask_values(world: World, rules: Rules, verbs: Any, marks: Any, pairs: Any) -> None:
    """Note which values of one or two factors can be legal, and which of them together."""
    turn = int(world.clock[0].turn) + 1
    width = world.cells.shape[1]
    for v in range(verbs.shape[0]):
        verb = verbs[v]
        if not verb.possible or verb.deal or verb.factors == 0 or verb.factors > 2:
            continue
        x, y = _SPOT[verb.way] % width, _SPOT[verb.way] // width
        people = int(world.cells.flat[_SPOT[verb.way]].population)
        for k in range(verb.count[0] * max(1, verb.count[1])):
            a, b = k % verb.count[0], k // verb.count[0]
            amount = field(verb, AMOUNT, a, b, 0, 0, people)
            why = validate.check(world, rules, 0, 0, turn, verb.command, x, y, amount, 1)
            if why == reason.DONE or verb.way == AIM or verb.fleet or verb.options >= 0:
                # shots as many as one likes, if a base were there; any fleet, any direction
                pairs[v, a, b] = marks[v, 0, a] = 1
                if verb.factors > 1:
                    marks[v, 1, b] = 1


@kernel
def field(verb: Any, which: int, a: int, b: int, c: int, d: int, stock: int) -> int:
    """A field of the command of a verb whose factors have their a-th, b-th, ... values.

    A percentage means that share of the stock, floored, but at least 1.
    """
    total = int(verb.fixed[which])
    for k in range(FACTORS):
        if k < verb.factors and verb.field[k] == which:
            place = a if k == 0 else b if k == 1 else c if k == 2 else d
            value = int(verb.value[k, place])
            if place >= verb.plain[k]:
                value = max(1, stock * value // _HUNDRED)
            total += verb.times[k] * value
    return total
