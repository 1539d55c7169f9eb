"""What an observation tells of trade, piece by piece and column by column: a part of `pieces.py`.

Public are open auctions. All else is of the nation itself, or known to both sides of a deal; what two nations
let each other do (ports, land gates) is known to these two.
"""

from __future__ import annotations

import numpy as np

from hakoenv.engine.codes import item, job, parcel
from hakoenv.engine.world import CONTRACTS
from hakoenv.obs.columns import (
    FLAG,
    LARGE,
    NATIONS,
    PLACE,
    SHIP_CLASS,
    SMALL,
    X_OR_NONE,
    Range,
    X,
    columns,
    record,
)
from hakoenv.obs.listed_deals import LISTED

PRIVATE_SHIPS = 64  # places for own private ships
OWN_CONTRACTS = 8  # for supply contracts; a nation is part of 3 at most (SUP-016)
TRANSPORTS = 32  # for transports between nations

_RESOURCE: Range = (0, item.FUNDS - 1)
_ITEM: Range = (0, item.COUNT - 1)
_ITEM_OR_NONE: Range = (-1, item.COUNT - 1)
_PORTS: Range = (0, 2)
_TURNS_OR_NONE: Range = (-1, 2**31 - 1)

LOT = columns(
    listed=(FLAG, "1 = a lot stands here"),
    number=(LARGE, "lot number, which auction_bid names"),
    seller=(PLACE, "place of the seller"),
    own=(FLAG, "1 = the own nation sells it"),
    item=(_RESOURCE, "item"),
    quantity=(LARGE, "units"),
    min_price=(LARGE, "least first bid in funds"),
    bid=(LARGE, "highest bid in funds, 0 none"),
    bidder=(PLACE, "place of the highest bidder, -1 none"),
    leading=(FLAG, "1 = the highest bid is the own one"),
    turns_left=(LARGE, "turns in which bids can still be made"),
    extensions=(SMALL, "how often a late bid has moved the end"),
    may_bid=(FLAG, "1 = the own nation may bid, if it can pay"),
    lowest_bid=(LARGE, "lowest bid that counts, in funds; a tenth comes on top for freight"),
    value=(LARGE, "the goods at own prices of the last turn, in whole funds"),
)
OFFER = columns(
    listed=(FLAG, "1 = an offer or shipment stands here"),
    number=(LARGE, "its number"),
    revision=(LARGE, "its revision; regular_accept names number x 100 + revision"),
    partner=(PLACE, "place of the other nation"),
    selling=(FLAG, "1 = the own nation sells"),
    item=(_RESOURCE, "item"),
    quantity=(LARGE, "units of one shipment"),
    price=(LARGE, "funds for one shipment"),
    freight_cap=(LARGE, "the most that the seller pays for one voyage, in funds"),
    port_x=(X_OR_NONE, "column of the buyer's receiving port"),
    port_y=(X_OR_NONE, "row of it"),
    interval=(SMALL, "turns from one shipment to the next"),
    turns_left=(LARGE, "offer: turns in which it can be accepted; running: in which shipments can start"),
    next_in=(_TURNS_OR_NONE, "running: turns until the next shipment is due, -1 none; offers -1"),
)
CONTRACT = columns(
    listed=(FLAG, "1 = a contract stands here"),
    selling=(FLAG, "1 = the own private sector sells"),
    partner=(PLACE, "place of the other nation"),
    item=(_RESOURCE, "item"),
    quantity=(LARGE, "units of one shipment"),
    price=(LARGE, "price of a unit in thousandths of funds"),
    port_x=(X_OR_NONE, "column of the receiving port, -1 not chosen"),
    port_y=(X_OR_NONE, "row of it"),
    interval=(SMALL, "turns between the shipments"),
    sent=(SMALL, "shipments that a ship has taken"),
    delivered=(SMALL, "shipments that have arrived"),
    due_in=(LARGE, "turns in which the next shipment can still arrive in time"),
    refused=(FLAG, "1 = cargo came and the buyer had no cash or no room"),
)
TRANSPORT = columns(
    listed=(FLAG, "1 = a transport stands here"),
    kind=((0, len(parcel.NAMES) - 1), "why it goes: 3 aid, 4 exchange, 5 regular shipment, 6 auction"),
    number=(LARGE, "number of its lot or regular shipment, 0 none"),
    sending=(FLAG, "1 = the own nation sends it"),
    partner=(PLACE, "place of the other nation"),
    item=(_ITEM, "item, funds among them"),
    quantity=(LARGE, "units in all"),
    waiting=(LARGE, "of these, without a carrier yet"),
    under_way=(LARGE, "of these, aboard a ship or waiting for one that will take them"),
    arrived=(LARGE, "of these, arrived; the rest is lost or has gone back"),
    price=(LARGE, "funds held for the sender until the goods arrive"),
    freight=(LARGE, "funds held for freight"),
    age=(SMALL, "turns since it was ordered"),
    port_x=(X_OR_NONE, "column of the receiving port, -1 the nearest"),
    port_y=(X_OR_NONE, "row of it"),
)
PRIVATE_SHIP = columns(
    listed=(FLAG, "1 = a ship stands here"),
    x=(X, "column"),
    y=(X, "row"),
    ship_class=(SHIP_CLASS, "ship class"),
    hp=(SMALL, "hit points"),
    job=((0, len(job.NAMES) - 1), "what it does (see Codes)"),
    home_x=(X_OR_NONE, "column of its home port, -1 none"),
    home_y=(X_OR_NONE, "row of it"),
    refuge_x=(X_OR_NONE, "column of its temporary home port, -1 none"),
    refuge_y=(X_OR_NONE, "row of it"),
    goal_x=(X_OR_NONE, "column of where it is bound: a port or fishing ground, -1 none"),
    goal_y=(X_OR_NONE, "row of it"),
    load=(SMALL, "containers of its cargo, those still ashore included"),
    capacity=(SMALL, "containers that it holds, by shipping research"),
    item=(_ITEM_OR_NONE, "item of the largest part of its cargo, -1 no cargo"),
    quantity=(SMALL, "units of that part"),
    receiver=(PLACE, "place of the nation that this part goes to, -1 no cargo"),
    blocked=(SMALL, "turns in a row in which its way has been blocked"),
    astray=(SMALL, "turns without a way home, 0 it has one"),
    dormant=(FLAG, "1 = its home port is lost (cruise ships)"),
    unpaid=(FLAG, "1 = its upkeep was not paid in the last turn"),
    owes_fuel=(FLAG, "1 = it lies still until the private sector has fuel"),
)
PARTNER = columns(
    by_land=(FLAG, "1 = private trade by land is allowed: no war or embargo, land that touches, open gates"),
    by_sea=(FLAG, "1 = private trade by sea is allowed: no war or embargo, ports that admit each other"),
    touches=(FLAG, "1 = land of both touches"),
    gate=(FLAG, "1 = the own land gate is open to it"),
    its_gate=(FLAG, "1 = its land gate is open to the observer"),
    ports=(_PORTS, "whom the own ports admit of it: 0 nobody, 1 friends, 2 all"),
    its_ports=(_PORTS, "likewise its ports toward the observer"),
    tariff=(SMALL, "percent on what the own private sector buys from it"),
    land_used=(SMALL, "containers that went over land in the last turn, both ways together"),
    own_offer=(LARGE, "turns in which it may still accept the own offer of exchange, 0 none"),
    own_gives=(_ITEM_OR_NONE, "item that the own nation gives in it, -1 nothing"),
    own_gives_quantity=(LARGE, "units of it"),
    own_wants=(_ITEM_OR_NONE, "item that the own nation wants for it, -1 nothing"),
    own_wants_quantity=(LARGE, "units of it"),
    its_offer=(LARGE, "turns in which the own nation may still accept its offer of exchange, 0 none"),
    its_gives=(_ITEM_OR_NONE, "item that it gives in it, -1 nothing"),
    its_gives_quantity=(LARGE, "units of it"),
    its_wants=(_ITEM_OR_NONE, "item that it wants for it, -1 nothing"),
    its_wants_quantity=(LARGE, "units of it"),
)
PRIVATE_ITEM = columns(
    short=(LARGE, "what the private sector lacks of the stock that it planned with"),
    surplus=(LARGE, "what it has above that and may sell"),
    set_aside=(LARGE, "of its stock, kept for supply contracts"),
    coming=(LARGE, "units on their way to it"),
    going=(LARGE, "units on their way from it to others"),
)
COMMERCE = columns(
    land_gate=(FLAG, "1 = the land gate is open to nations without a setting of their own"),
    ports=(SMALL, "own ports, naval ports apart"),
    large_ports=(SMALL, "of these, large ones"),
    merchants=(SMALL, "own merchants"),
    large_merchants=(SMALL, "own large merchants"),
    cruise_ships=(SMALL, "own cruise ships"),
    fishing_boats=(SMALL, "own fishing boats"),
    idle=(SMALL, "merchants of both classes without work"),
    astray=(SMALL, "private ships without a way home"),
    waiting=(LARGE, "containers that found no ship in the last turn"),
    waiting_large=(LARGE, "of these, for partners with a large port"),
    lots=(SMALL, "own open lots"),
    bids_held=(LARGE, "funds held in own bids, freight parts included"),
    cruise_unpaid=(LARGE, "income of own cruise ships that waits for room, in whole funds"),
)
_FULL = (0, 2**16)
TRADE_COUNTS = columns(
    open_lots=((0, LISTED), "open lots listed"),
    open_lots_left_out=(_FULL, "open lots for which there was no place"),
    offers_received=((0, LISTED), "offers of regular shipments to the nation listed"),
    offers_received_left_out=(_FULL, "likewise left out"),
    offers_made=((0, LISTED), "its own offers of regular shipments listed"),
    offers_made_left_out=(_FULL, "likewise left out"),
    shipments=((0, LISTED), "running regular shipments listed"),
    shipments_left_out=(_FULL, "likewise left out"),
    contracts=((0, OWN_CONTRACTS), "supply contracts listed"),
    contracts_left_out=((0, CONTRACTS), "likewise left out"),
    transports=((0, TRANSPORTS), "transports listed"),
    transports_left_out=(_FULL, "likewise left out"),
    private_ships=((0, PRIVATE_SHIPS), "own private ships listed"),
    private_ships_left_out=(_FULL, "likewise left out"),
)

lot_record = record(LOT, np.int32)
offer_record = record(OFFER, np.int32)
contract_record = record(CONTRACT, np.int32)
transport_record = record(TRANSPORT, np.int32)
private_ship_record = record(PRIVATE_SHIP, np.int16)
partner_record = record(PARTNER, np.int32)
private_item_record = record(PRIVATE_ITEM, np.int32)
commerce_record = record(COMMERCE, np.int32)
trade_counts_record = record(TRADE_COUNTS, np.int32)

TRADE = {
    "open_lots": (LOT, lot_record, LISTED, "open auctions, by number: whoever sells, all know of them",
                  "AUC-001 AUC-013 AUC-016"),
    "offers_received": (OFFER, offer_record, LISTED, "regular shipments that others offer, by number",
                        "SHIP-002 SHIP-003 SHIP-005"),
    "offers_made": (OFFER, offer_record, LISTED, "own offers of regular shipments, by number",
                    "SHIP-002 SHIP-006"),
    "shipments": (OFFER, offer_record, LISTED, "running regular shipments from and to the nation, by number",
                  "SHIP-001 SHIP-004"),
    "contracts": (CONTRACT, contract_record, OWN_CONTRACTS, "supply contracts of the own private sector, by "
                  "number", "SUP-007 SUP-008 SUP-011"),
    "transports": (TRANSPORT, transport_record, TRANSPORTS, "goods of nations that are on their way from or "
                   "to the own one, the oldest first", "MER-017 MER-078"),
    "private_ships": (PRIVATE_SHIP, private_ship_record, PRIVATE_SHIPS, "own merchants, cruise ships and "
                      "fishing boats, in map order", "MER-002 MER-035"),
    "partners": (PARTNER, partner_record, NATIONS, "trade with each nation: a row a place; that of the "
                 "observer is empty", "MER-064 MER-070 MER-013"),
    "private_market": (PRIVATE_ITEM, private_item_record, item.FUNDS, "the own private sector's trade: a row "
                       "an item, wood .. food", "MER-068 SUP-010"),
    "commerce": (COMMERCE, commerce_record, 0, "ports, private ships and auctions of the own nation",
                 "CRU-009 MER-079"),
    "trade_counts": (TRADE_COUNTS, trade_counts_record, 0, "how much the lists of trade hold, and what they "
                     "had no room for", ""),
}  # fmt: skip
"""Columns, record, places (0: a single record), words and rules of the pieces, by name."""
LISTS = (
    "open_lots", "offers_received", "offers_made", "shipments", "contracts", "transports", "private_ships",
    "partners",
)  # fmt: skip
"""Pieces in which only what stands there is written."""
SUPPLY_ALLOWED = "supply_allowed"
