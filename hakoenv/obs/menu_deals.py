"""Verbs of trade between nations, as a menu knows them before any world.

Each is a kind of deal. The values of their factors are percentages of something of the state, or places of a
list of it; what stands behind them is `trade` of a menu, one row each, and `menu_values` makes numbers of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine.codes import command as number
from hakoenv.engine.codes import item, reason
from hakoenv.engine.commands import table, validate
from hakoenv.engine.world import World
from hakoenv.ruleset.compiled import Rules

# Kinds of deals; the first are toward a nation that the command names.
(
    NO_DEAL, AID, SWAP, SWAP_ACCEPTANCE, SWAP_WITHDRAWAL, SHIPMENT, ACCEPTANCE, WITHDRAWAL, LISTING, BID,
    RESERVE_AID, ENROLMENT,
) = range(12)  # fmt: skip
KINDS = 12
KIND_OF_VERB = {
    "national_aid": AID,
    "exchange:offer": SWAP,
    "exchange:accept": SWAP_ACCEPTANCE,
    "exchange:withdraw": SWAP_WITHDRAWAL,
    "regular_offer": SHIPMENT,
    "regular_accept": ACCEPTANCE,
    "regular_withdraw": WITHDRAWAL,
    "auction_list": LISTING,
    "auction_bid": BID,
    "aid_reserves": RESERVE_AID,
    "league_join:join": ENROLMENT,
}
# What the values of a factor are: numbers, percentages of something, or places of a list.
(
    NUMBERS, PEOPLE, TREASURY, NATIONAL_PRICE, EXCHANGE_CAP, EXCHANGE_STOCK, AID_CAP, LOWEST_BID,
    RESERVES_CAP, OPEN_LOTS, OFFERS_RECEIVED, OFFERS_MADE, LEAGUES,
) = range(13)  # fmt: skip
FIRST_LIST = OPEN_LOTS
LISTS = 4
SHARES = {
    "town_population": PEOPLE,
    "treasury": TREASURY,
    "national_price": NATIONAL_PRICE,
    "exchange_cap": EXCHANGE_CAP,
    "exchange_stock": EXCHANGE_STOCK,
    "aid_cap": AID_CAP,
    "lowest_bid": LOWEST_BID,
    "reserves_cap": RESERVES_CAP,
}
"""Stocks of which percentages are offered, by the word of the verb table."""
LISTED = {
    "open_lots": OPEN_LOTS,
    "offers_received": OFFERS_RECEIVED,
    "offers_made": OFFERS_MADE,
    "leagues": LEAGUES,
}
# Rows of `trade` of a menu: treasury and reserves, national prices, lots and the lowest bid on each, what
# names an offer of regular shipments, received or made, how much of each item may still go as aid and in
# exchanges that the nation accepts, and the numbers of trade leagues.
STOCK, PRICE, LOT, LOWEST, RECEIVED, MADE, AID_LEFT, EXCHANGE_LEFT, LEAGUE = range(9)
ROWS = 9
ROW_OF_LIST = np.array([LOT, RECEIVED, MADE, LEAGUE], np.int64)
# Columns of `deals` of a menu, a row for each place of the nation head: the items that may be sent to the
# nation as aid, one bit each; the item that it wants in its offer of an exchange, and how much; TIES.
AID_ITEMS, SWAP_ITEM, SWAP_QUANTITY, TIES = range(4)
COLUMNS = 4
# Of TIES: another member of the own trade league, the hegemon against whom the containment stands, and a
# member of the containment against the own nation: war on one of these is war with all.
FELLOW, HEGEMON, PACT = 1, 2, 4
AID_KINDS = item.COUNT + 1  # items, funds and reserves
# Rows of `MenuTable.caps`, by item: the most of one aid, of aid in a turn, of one side of exchanges, and of
# reserves by land.
AID_MOST, AID_IN_TURN, EXCHANGE_MOST, BY_LAND = range(4)
FREIGHT_FEE, LISTING_FEE = range(2)  # `MenuTable.fees`
ABOUT_RESERVES = -1  # `about` of a factor that no item belongs to

_DURATION = 1  # factor of a listing
_PRICE = 2  # factor of an offer of regular shipments
_SPLIT = {SWAP: 2, LISTING: 3, BID: 1, AID: 1}


def describe(rules: Rules, record: Any, verb: table.Verb) -> None:
    """Write into a verb's record what deal it is about, and what its factors say."""
    record["deal"] = KIND_OF_VERB.get(verb.name, NO_DEAL)
    record["parts"] = -1
    record["split"] = _SPLIT.get(int(record["deal"]), 0)
    for k, factor in enumerate(verb.factors):
        _describe_factor(record, k, factor)
    record["severs"] = _SEVERS.get(int(record["command"]), 0)
    if record["deal"] == SHIPMENT:  # a price above the most is cut to it: SHIP-010
        record["high"][_PRICE] = min(record["high"][_PRICE], rules.scalars["diplomacy_exchange_funds_max"][0])


def estranges(command: int, amount: int) -> bool:
    """Whether a command may end what deals with the nation that it names need (AUC-016, MER-064)."""
    if command == number.DECLARE_WAR:
        return True
    return (command, amount) in _ESTRANGING


_SEVERS = {
    number.LEAGUE_LEAVE: FELLOW,  # who may have opened its ports to the league
    number.CONTAINMENT_JOIN: HEGEMON,
    number.DECLARE_WAR: PACT,
}
_ESTRANGING = (
    (number.EMBARGO, 1),
    (number.PORT_POLICY, 0),
    (number.PORT_POLICY, 1),
    (number.LAND_GATE, 0),
    (number.AMITY, 1),
)


def _describe_factor(record: Any, k: int, factor: table.Factor) -> None:
    """Write what the values of a verb's k-th factor are into its record."""
    shares = factor.percents if factor.of in SHARES else ()
    values = (*factor.numbers, *shares)
    if factor.listed in LISTED:
        record["of"][k] = LISTED[factor.listed]
        values = tuple(range(table.MAX_CHOICES))
    elif shares:
        record["of"][k] = SHARES[factor.of]
    record["field"][k] = table.FIELDS.index(factor.field)
    record["times"][k] = factor.times
    record["plain"][k] = len(values) - len(shares)
    record["count"][k] = len(values)
    record["value"][k, : len(values)] = values
    record["low"][k], record["high"][k] = factor.low, factor.high
    record["exact"][k] = factor.name.endswith("item") or bool(factor.listed)
    if factor.name.endswith("item"):
        record["about"][k:] = k
    elif factor.of == "reserves_cap":
        record["about"][k] = ABOUT_RESERVES
    if factor.scales:
        record["scales"] = k
    elif factor.of in ("treasury", "aid_cap", "reserves_cap"):
        record["parts"] = k


def caps(rules: Rules) -> NDArray[np.int64]:
    """The most of each item in one aid, of aid in a turn, in exchanges, by land (AID-007, SHIP-010)."""
    s = rules.scalars
    names = [*["resources"] * item.FOOD, "food", "funds", "reserves_sea"]
    found = np.zeros((4, AID_KINDS), np.int64)
    for what, name in enumerate(names):
        found[AID_IN_TURN, what] = s[f"aid_caps_{name}_max_per_turn"][0]
        found[AID_MOST, what] = min(s[f"aid_caps_{name}_max_per_send"][0], found[AID_IN_TURN, what])
    found[EXCHANGE_MOST, : item.FOOD] = s["aid_caps_exchange_max_per_send"][0]
    found[EXCHANGE_MOST, item.FOOD] = s["diplomacy_exchange_food_max"][0]
    found[EXCHANGE_MOST, item.FUNDS] = s["diplomacy_exchange_funds_max"][0]
    found[BY_LAND, -1] = s["aid_reserves_max"][0]
    return found


def fees(rules: Rules) -> NDArray[np.int64]:
    """Percent of a bid that are held for freight (AUC-002) and of a lowest price for listing it (AUC-015)."""
    s = rules.scalars
    return np.array([s["auction_freight_percent"][0], s["auction_fee_percent"][0]], np.int64)


def mark_values(world: World, rules: Rules, record: Any, marks: NDArray[np.int8]) -> None:
    """Mark the values of a deal's factors that can be legal: the validator is asked for durations."""
    for k in range(int(record["factors"])):
        marks[k, : int(record["count"][k])] = 1
    if record["deal"] != LISTING or not record["possible"]:
        return
    for place in range(int(record["count"][_DURATION])):
        turns = int(record["value"][_DURATION, place])
        turn = int(world.clock["turn"][0]) + 1
        why = validate.check(world, rules, 0, 0, turn, number.AUCTION_LIST, item.WOOD, turns, 1, 1)
        marks[_DURATION, place] = why == reason.DONE
    record["possible"] = marks[_DURATION].any()
