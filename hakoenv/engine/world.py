"""What exists: the World, a tuple of structured arrays (DESIGN: one world, plain data).

All numbers are whole. A cell is named by its flat index ``y * width + x``. Fields are declared once,
below, with unit, range and the meaning of zero where it is not "none"; ``describe()`` prints them.
Nothing derived stands here except what a turn computes once and many phases read (``territory``,
the census fields of a nation); statistics and names stand beside the World.
"""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

import numpy as np

from hakoenv.engine.codes import cause, event, item, research, unit_item
from hakoenv.engine.handles import handle
from hakoenv.engine.kernel import as_kernel_array, zeros

PLAN_LENGTH = 50  # places in a plan (CMD-001); a size of the data, not a setting
RESULT_LENGTH = PLAN_LENGTH + 1  # the idle fundraise may follow a full plan (CMD-008)
EVENT_LENGTH = 2048  # listed events of a turn, more than armies and disasters make; counts go on beyond it
ASSET_TURNS = 12  # remembered economic assets (SEASON-012)
MARKET_TURNS = 12  # remembered payments and household sales of a private sector (FIN-025, FIN-027)
ORE_TURNS = 3  # remembered inflow of ore (AI-011)
LOANS = 32  # loans that a private sector owes at a time; one a turn, so `finance.term` stays below
QUEUE_PER_NATION = 4  # requests in the queue of withdrawals, times nations
FACTIONS = 8
CORPS_COUNT = 32  # of a nation (ARMY-001)
CLIMATES = 5
SIGHTINGS = 64  # foreign units and warships that a nation remembers
FLEETS = 16  # of a nation (NAVY-001)
WAYPOINTS = 8  # of a course at most (NAVY-049)
VOYAGE = 4  # what the rule AI remembers of an expansion overseas (AI-037)
CLASSES_OF_PORTS = 2  # waiting cargo: for any port, for large ones (MER-079)
CRUISE_TURNS = 20  # remembered turns of cruise ships (CRU-012)
RECORD_TURNS = 48  # remembered turns of faction and diplomacy (FAC-020, CONT-003)
AID_ITEMS = item.COUNT + 1  # items, funds, reserves (command 123)
DETOUR = 64  # steps of a way around that a private ship remembers (MER-025)
LOTS = 128  # auctions that are open or under way (AUC-014: 40 open)
PROMISES = 256  # regular shipments, offered (`regular.offers_max` a seller) or running
CONTRACTS = 32  # supply contracts (SUP-016)
TRANSPORTS = 512  # between nations, not finished (`diplomacy.transports_max` of each, and what was sold)

SHORES = 64  # changes of land and water that charts may take up one by one
NO_WAY = 255  # of `distances`

CELL = {
    "surveyed": ("i4", "turn of the last survey; 0 never"),
    "mustered": ("i4", "turn in which a depot last placed troops or a town gave conscripts; 0 never"),
    "taken_turn": ("i4", "turn in which it was last taken from another nation; 0 never"),
    "population": ("i2", "people, units of 100; 0..300"),
    "level": ("i2", "size of farms and factories (1,000 jobs), trees of a forest, level of the rest"),
    "richness": ("i2", "of the deposit: first pile of its mine"),
    "pile": ("i2", "what a mine or oil field can still give"),
    "resistance": ("i2", "against occupation"),
    "experience": ("i2", "of a missile base or seabed base"),
    "unit": ("i2", "index of the unit standing here, -1 none"),
    "ship": ("i2", "index of the ship lying here, -1 none"),
    "terrain": ("u1", "terrain number (codes.terrain)"),
    "owner": ("i1", "nation, -1 ownerless"),
    "taken_from": ("i1", "nation that lost it then, -1 none"),
    "deposit": ("u1", "deposit kind (codes.deposit)"),
    "climate": ("u1", "climate zone 0..4"),
    "below": ("u1", "terrain under a facility that stands on water or wasteland (MAP-015)"),
    "tunnel": ("u1", "1 = tunnel (MAP-033)"),
    "hits": ("u1", "hits taken by a facility"),
    "worked": ("u1", "1 = mine worked in this turn (TURN-060)"),
}
NATION = {
    "treasury": (("i8", (item.COUNT,)), "stock by item: wood..steel, food, funds"),
    "private": (("i8", (item.COUNT,)), "the private sector's stock by item; funds in thousandths"),
    "assets": (("i8", (ASSET_TURNS,)), "economic assets of the last turns in thousandths of funds (a ring)"),
    "prices": (("i8", (item.COUNT - 1,)), "national prices of the turn in thousandths of funds (MER-069)"),
    "targets": (("i8", (item.COUNT - 1,)), "stock that the treasury buys up to, by item (command 98)"),
    "export_caps": (("i8", (item.COUNT - 1,)), "most that the treasury sells to its private sector a turn"),
    "planned": (("i8", (item.COUNT - 1,)), "level that the private sector plans with, this phase (MER-068)"),
    "inbound": (
        ("i8", (item.COUNT - 1,)),
        "what it bought and has not got, this phase (MER-068)",
    ),
    "set_aside": (("i8", (item.COUNT - 1,)), "private stock kept for supply contracts, this phase (SUP-010)"),
    "wanted": (("i8", (item.COUNT - 1,)), "what households wanted last, thousandths of a unit (MER-068)"),
    "unserved": (("i8", (item.COUNT - 1,)), "fraction of a unit carried by households, millionths (IND-046)"),
    "payments": (("i8", (MARKET_TURNS,)), "private purchases and shipbuilding by turn, thousandths (a ring)"),
    "household_sales": (("i8", (MARKET_TURNS,)), "likewise sales to households (FIN-027)"),
    "shorts": (("i8", (item.COUNT - 1,)), "what the private sector was short of last (MER-082)"),
    "neighbours": ("i8", "nations whose land touches its own as of phase 16, one bit each (MER-064)"),
    "deposit": ("i8", "principal at the clearing house, thousandths of funds"),
    "cruise_unpaid": ("i8", "income of cruise ships that waits for room, thousandths (CRU-009)"),
    "carry": ("i8", "thousandths of funds that the treasury has yet to be credited (MER-063)"),
    "industry_value": ("i8", "factory output of the turn at base prices, before a lack of fuel (AI-004)"),
    "commerce_value": ("i8", "sales of goods expected for the turn, thousandths, likewise (AI-004)"),
    "power_score": ("i8", "SEASON-017, as of the last census"),
    "army_funds": ("i8", "funds that its units cost a turn in hundredths, as of the last census (ARMY-067)"),
    "army_fuel": ("i8", "likewise fuel"),
    "assets_recorded": ("i4", "how many records were ever made"),
    "reserves": ("i4", "strength not deployed"),
    "conscripts": ("i4", "strength that joins the reserves next turn"),
    "wounded": ("i4", "strength in hospital"),
    "founded": ("i4", "turn of founding"),
    "fell": ("i4", "turn of its end; 0 alive or never founded (`alive` tells)"),
    "capital": ("i4", "cell of the capital, -1 none"),
    "research_done_turn": ("i4", "turn in which the running research is finished"),
    "policy_turn": ("i4", "turn of the last policy change; 0 never"),
    "faction_joined": ("i4", "turn in which it became a full member"),
    "applied": ("i4", "turn of its application to a faction (FAC-004)"),
    "faction_left": ("i4", "turn in which it left its last faction, however; 0 never (FAC-007)"),
    "league_joined": ("i4", "turn in which it joined its trade league (TRD-006)"),
    "league_left": ("i4", "turn in which it left its last trade league, 0 never (TRD-005)"),
    "captured": ("i4", "land cells taken in war in this turn (CONT-003)"),
    "no_loan_until": ("i4", "last turn of the ban on loans after a default; 0 none (FIN-030)"),
    "ships_fuel": ("i4", "fuel that its private ships took since the last domestic trade (MER-071)"),
    "ships_steel": ("i4", "likewise steel for new ones"),
    "waiting": (("i4", (CLASSES_OF_PORTS,)), "containers left waiting last: any port, large ones (MER-079)"),
    "aid_sent": (("i4", (AID_ITEMS,)), "aid given in this turn by item, then funds, reserves (LIMIT-012)"),
    # census: recomputed from the map (engine/census.py)
    "population": ("i4", "people in all towns, units of 100"),
    "towns": ("i4", "cells of the town class"),
    "land": ("i4", "own land cells (SEASON-007)"),
    "area": ("i4", "all own cells (SEASON-010)"),
    "deployed": ("i4", "strength of its units, embarked ones included"),
    "warehouses": ("i4", "levels of its warehouses"),
    "rank": ("i4", "place in the population ranking, 1 first; 0 dead"),
    "first": ("i4", "where its cells start in `territory`"),
    "held": ("i4", "how many cells of `territory` are its"),
    # this turn's work, food and fuel (phases 10 to 12)
    "assigned_turn": ("i4", "turn of the worker assignment below; -1 never"),
    "assigned": (("i4", (3,)), "workers by sector: agriculture, industry, commerce"),
    "farm_workers": ("i4", "of these, on farms"),
    "town_farmers": ("i4", "people in town farming: without a job"),
    "mine_workers": ("i4", "workers of mines and oil fields"),
    "factory_workers": ("i4", "workers of factories and large factories"),
    "refinery_workers": ("i4", "workers of refineries"),
    "arsenal_workers": ("i4", "workers of arsenals"),
    "market_workers": ("i4", "workers of markets"),
    "farm_jobs": ("i4", "jobs of farms and large farms"),
    "industry_jobs": ("i4", "jobs of mines, factories, refineries and arsenals"),
    "ore_in": (("i4", (ORE_TURNS,)), "ore that came in, by turn (a ring; AI-011)"),
    "farm_food": ("i4", "food of the fields in this turn, before a lack of fuel (AI-004)"),
    "fuel_made": ("i4", "fuel of mines and refineries in this turn (AI-010)"),
    "food_made": ("i4", "food produced in this turn, town farming included"),
    "rations": ("i4", "food that population and soldiers need in this turn"),
    "plant_levels": ("i4", "levels of its power plants, each of which wants fuel"),
    "plant_fuel": ("i4", "fuel that power plants took in this turn"),
    "fuel_need": ("i4", "industry fuel wanted in this turn"),
    "fuel_used": ("i4", "industry fuel taken; need 0 means no cut"),
    "expanded": ("i4", "rule AI: turn of the last expansion"),
    "developed": ("i4", "rule AI: turn of the last step of resource development"),
    "expanded_before": ("i4", "rule AI: `expanded` without the plan of the coming turn"),
    "developed_before": ("i4", "rule AI: `developed` likewise"),
    "voyage": (("i4", (VOYAGE,)), "rule AI: its expansion overseas (agents/rule_ai/overseas.py); 0 none"),
    "voyage_before": (("i4", (VOYAGE,)), "rule AI: `voyage` without the plan of the coming turn"),
    "voyage_planned": ("i4", "rule AI: turn that `voyage` was last planned for"),
    "plan_length": ("i2", "commands waiting in `plans`"),
    "result_count": ("i2", "entries in `results` of the last turn"),
    "cut": ("i2", "commands cut from a plan that was too long (CMD-001)"),
    "short_last": ("i2", "items that it was short of last, one bit each (SUP-001)"),
    "surplus_last": ("i2", "items of which it had enough to spare last, likewise"),
    "cruise_turns": (("i2", (CRUISE_TURNS,)), "cruise ships that ran, by turn (a ring; CRU-012)"),
    "cruise_calls": (("i2", (CRUISE_TURNS,)), "their paid calls, likewise"),
    "conquests": (("i2", (RECORD_TURNS,)), "land cells taken in war, by turn (a ring; CONT-003)"),
    "items": (("i2", (unit_item.COUNT,)), "national store of unit items by number; 0 is no item (ARMY-055)"),
    "research": (("u1", (research.COUNT,)), "levels 0..5: production, military, shipping"),
    "shares": (("u1", (3,)), "percent of workers: agriculture, industry, commerce"),
    "research_branch": ("i1", "branch of the running research, -1 none"),
    "faction": ("i1", "faction 0..7, -1 none"),
    "applied_to": ("i1", "faction that it applied to, -1 none (FAC-003)"),
    "league": ("i1", "trade league by place in `leagues`, -1 none (TRD-002)"),
    "alive": ("u1", "1 = founded and not fallen"),
    "controller": ("u1", "who drives it (codes.controller)"),
    "author": ("u1", "who wrote this turn's plan (codes.author)"),
    "ai_policy": ("u1", "its settings for the rule AI (codes.ai_policy); 0 standard"),
    "policy": ("u1", "industrial policy in force"),
    "policy_next": ("u1", "policy from the next turn on"),
    "tariff": ("u1", "percent, for all nations without a setting of their own"),
    "transit_fee": ("u1", "percent, likewise"),
    "port_policy": ("u1", "0 closed, 1 friends, 2 open, likewise"),
    "land_gate": ("u1", "0 closed, 1 open, likewise (command 97)"),
    "levelled": ("u1", "uses of level_land in this turn"),
    "ceded": ("u1", "cells ceded in this turn (LIMIT-010)"),
    "stalled": ("u1", "1 = fuel upkeep fell short: units that burn fuel take no step (ARMY-067)"),
    "mines_first": ("u1", "worker order of this turn (AI-031)"),
    "famine": ("u1", "1 = food 0 and rations short in this turn (TURN-061)"),
    "abandoning": ("u1", "1 = gives up at the end of this turn (TURN-075)"),
    "winner": ("u1", "1 = winner of the ended season"),
    "demands": ("u1", "1 = demands another leader of its faction (FAC-011)"),
    "contained": ("u1", "1 = member of the containment (CONT-006)"),
    "breaches": (("u1", (RECORD_TURNS,)), "factions left and treaties cancelled, by turn (a ring; FAC-020)"),
    "declarations": (("u1", (RECORD_TURNS,)), "wars that it declared itself, likewise (CONT-003)"),
}
UNIT = {
    "met": ("i8", "nations whose ships ran into it unseen in this turn, one bit each (EMBARK-007)"),
    "cell": ("i4", "where it stands, -1 aboard a ship"),
    "serial": ("i4", "how many units had been made before it: the older acts first (ARMY-064)"),
    "strength": ("i2", "1..200"),
    "experience": ("i2", "0..100"),
    "aboard": ("i2", "index of its ship, -1 none"),
    "owner": ("i1", "nation, -1 = free place in the list"),
    "type": ("u1", "unit type 0..6"),
    "corps": ("u1", "0..31"),
    "carries": ("u1", "item it carries: 0 none, 1..5"),
}
CORPS = {
    "name": ("i2", "name number 0..999, a label (ARMY-002)"),
    "colour": ("u1", "colour number 0..31, a label"),
    "order": ("u1", "codes.corps_order"),
    "direction": ("u1", "0 none, 1..6 a neighbour"),
}
SHIP = {
    "met": ("i8", "nations whose ships ran into it unseen in this turn, one bit each (NAVY-097)"),
    "cell": ("i4", "where it lies"),
    "serial": ("i4", "how many ships had been made before it: the older acts first (NAVY-096)"),
    "moved": ("i4", "turn in which it was last moved by hand (NAVY-101); 0 never"),
    "repaired": ("i4", "turn of the last repair by command (NAVY-089); 0 never"),
    "hp": ("i2", "hit points"),
    "experience": ("i2", "0..255"),
    "aid": ("i2", "reserves aboard for a mate (AID-013), 0 none"),
    "owner": ("i1", "nation, -1 neutral"),
    "aid_to": ("i1", "the mate that they are for, -1 none"),
    "kind": ("u1", "ship class (codes.ship_class); 0 = free place in the list"),
    "fleet": ("i1", "0..15, -1 none"),
    "mode": ("u1", "codes.fleet_mode"),
    "escort": ("u1", "1 = follows the flagship of its fleet (NAVY-059)"),
}
JOB = {
    "unlooted": ("i8", "cruise ship: rest of its latest income, thousandths of funds (CRU-023)"),
    "home": ("i4", "cell of its home port, -1 none"),
    "refuge": ("i4", "cell of its temporary home port, -1 none (MER-044)"),
    "goal": (
        "i4",
        "cell that it is bound for: a port, or a fishing ground; of a warship that brought reserves the "
        "naval port to which it returns (AID-026); -1 none",
    ),
    "built": ("i4", "turn in which it was built; it acts from the next on"),
    "arrived": ("i4", "turn in which it came to the port it lies at (MKT-016)"),
    "handled": ("i4", "turn in which it last loaded or unloaded (MER-018)"),
    "strayed": ("i4", "turn in which it last had a way home, 0 it has one (MER-044)"),
    "unloaded_at": ("i4", "cell of the port where it last unloaded, -1 never (MER-045)"),
    "searched": ("i4", "turn of its last search for a way; 0 never"),
    "chosen": ("i4", "cruise ship: turn from which on it may choose again (CRU-018)"),
    "called": ("i4", "cruise ship: cell of the port of its latest call, -1 none (CRU-007)"),
    "fuel_counter": ("i4", "hundredths of a fuel burnt and not yet taken; 100 are owed (MER-033)"),
    "waited": ("i2", "turns in which it has been blocked, in a row (MER-025)"),
    "job": ("u1", "codes.job"),
    "paid": ("u1", "1 = its upkeep of the turn was paid (MER-071)"),
    "dormant": ("u1", "1 = its home port is lost (CRU-006)"),
    "detour_length": ("u1", "steps of the way around that it follows"),
    "detour_done": ("u1", "of these, those it has made"),
    "detour": (("u1", (DETOUR,)), "their directions 1..6"),
}
PARCEL = {
    "quantity": ("i8", "units"),
    "price": ("i8", "thousandths of funds a unit; bond: value of the whole"),
    "tariff": ("i8", "trade: thousandths of funds a unit, held beside the price (MER-073)"),
    "port": ("i4", "cell of the port where it lies, -1 aboard"),
    "turn": ("i4", "turn in which it was put there"),
    "deal": ("i4", "place in `contracts` or `transports`, -1 none"),
    "ship": ("i2", "its ship, -1 none"),
    "source": ("i1", "nation that sends it"),
    "receiver": ("i1", "nation that it goes to; of own goods and in bond the owner"),
    "what": ("u1", "item, funds among them"),
    "kind": ("u1", "codes.parcel"),
    "state": ("u1", "codes.parcel; 0 = free place in the list"),
}
HARBOUR = {
    "cell": ("i4", "a port, -1 = free place in the list"),
    "handled": ("i4", "containers handled in this turn (MKT-007)"),
    "charted": ("i4", "`waters` when its distances were made; 0 never (MER-067)"),
}
GROUND = {"cell": ("i4", "a fishing ground, -1 = free place"), "fish": ("i4", "food in it")}
LOT = {
    "quantity": ("i8", "units"),
    "min_price": ("i8", "funds"),
    "bid": ("i8", "highest bid in funds, held with the freight part; 0 none"),
    "number": ("i4", "lot number"),
    "deadline": ("i4", "turn"),
    "settled": ("i4", "turn"),
    "seller": ("i1", "nation"),
    "bidder": ("i1", "nation, -1 none"),
    "what": ("u1", "item"),
    "extensions": ("u1", "how often a late bid moved the deadline"),
    "state": ("u1", "codes.lot; 0 = free place in the list"),
}
PROMISE = {
    "quantity": ("i8", "units of one shipment"),
    "price": ("i8", "funds for one shipment"),
    "freight_cap": ("i8", "most that the seller pays for one voyage, funds"),
    "number": ("i4", "number of the offer; 0 = free place in the list"),
    "revision": ("i4", "1, and 1 more with each change of the offer"),
    "port": ("i4", "cell of the buyer's receiving port"),
    "offered": ("i4", "turn"),
    "accepted": ("i4", "turn; 0 still an offer"),
    "interval": ("i2", "turns from one shipment to the next"),
    "seller": ("i1", "nation"),
    "buyer": ("i1", "nation"),
    "what": ("u1", "item"),
}
CONTRACT = {
    "quantity": ("i8", "units of one shipment"),
    "price": ("i8", "thousandths of funds a unit"),
    "number": ("i4", "number of the contract; 0 = free place in the list"),
    "signed": ("i4", "turn"),
    "port": ("i4", "cell of the receiving port, -1 not chosen"),
    "interval": ("i2", "turns between the shipments"),
    "buyer": ("i1", "nation"),
    "seller": ("i1", "nation"),
    "what": ("u1", "item"),
    "sent": ("u1", "shipments that a ship has taken"),
    "delivered": ("u1", "shipments that have arrived"),
    "refused": ("u1", "1 = cargo came and the buyer had no cash or no room"),
}
TRANSPORT = {
    "quantity": ("i8", "units or funds in all"),
    "waiting": ("i8", "of these, not yet with a carrier"),
    "arrived": ("i8", "of these, arrived"),
    "price": ("i8", "funds held for the sender until the goods arrive"),
    "freight": ("i8", "funds held for freight, what is left of them"),
    "created": ("i4", "turn"),
    "port": ("i4", "cell of the receiving port, -1 the nearest"),
    "deal": ("i4", "place in `lots` or `promises`, -1 none"),
    "sender": ("i1", "nation"),
    "receiver": ("i1", "nation"),
    "what": ("u1", "item, funds among them"),
    "kind": ("u1", "codes.parcel; 0 = free place in the list"),
}
FLEET = {
    "target": ("i4", "cell that it sails to, -1 none (NAVY-056)"),
    "waypoints": (("i4", (WAYPOINTS,)), "cells to pass before the target, in order, -1 from `legs` on"),
    "salvo": ("i4", "cell to fire at in this turn, -1 none (BOMB-033)"),
    "flagship": ("i2", "index of a ship, -1 none"),
    "name": ("i2", "name number 0..999, a label"),
    "legs": ("u1", "waypoints left"),
    "colour": ("u1", "colour number 0..31, a label"),
}
WRECK = {
    "cell": ("i4", "where it lies, -1 none"),
    "turn": ("i4", "turn of the sinking (NAVY-042)"),
    "kind": ("u1", "ship class; 0 = free place in the list"),
}
ORDER = {
    "amount": ("i8", "as the command codes it"),
    "command": ("i4", "command number"),
    "x": ("i4", "column, or a plain number"),
    "y": ("i4", "row, or a plain number"),
    "target": ("i4", "nation, or a plain number"),
    "turn": ("i4", "results: turn in which it was handled"),
    "reason": ("u1", "codes.reason; plans: WAITING until handled"),
}
RELATION = {
    "since": ("i4", "turn of the last change of state"),
    "swap_until": ("i4", "last turn of this side's offer of an exchange; 0 none (command 124)"),
    "swap_given": ("i4", "what it offers in it"),
    "swap_wanted": ("i4", "what it wants for it"),
    "offer_until": (
        "i4",
        "last turn in which the other may accept this side's offer: a ceasefire in war, "
        "amity in peace; 0 none",
    ),
    "turns_left": ("i2", "until a pending war opens"),
    "truce": ("i2", "turns in which no war can be declared"),
    "tariff": ("i2", "own setting toward the other, -1 = the default"),
    "transit_fee": ("i2", "likewise"),
    "land_used": ("i2", "containers that went over land in this turn, both ways together (MER-013)"),
    "no_supply": ("i2", "items without new supply contracts with the other, one bit each (SUP-017)"),
    "port_policy": ("i1", "own setting toward the other, -1 = the default"),
    "land_gate": ("i1", "likewise"),
    "swap_give": ("u1", "item offered in the exchange"),
    "swap_want": ("u1", "item wanted"),
    "declarer": ("i1", "who declared the pending or open war, -1 none"),
    "state": ("u1", "codes.relation, the same both ways"),
    "good_terms": ("u1", "1 = the other is on this nation's good terms list"),
    "embargo": ("u1", "1 = own embargo against the other"),
    "origin": ("u1", "how a pending or open war came about (codes.war_origin)"),
}
FACTION = {
    "created": ("i4", "turn"),
    "dissolves": ("i4", "turn in which a running notice ends it; 0 none"),
    "renamed": ("i4", "turn of the last renaming, 0 never (FAC-009)"),
    "offered": ("i4", "turn in which the leadership was offered to the heir (FAC-008)"),
    "name": ("i2", "name number 0..999"),
    "leader": ("i1", "nation"),
    "heir": ("i1", "member that is offered the leadership, -1 none"),
    "active": ("u1", "1 = exists"),
}
LEAGUE = {
    "founded": ("i4", "turn"),
    "name": ("i2", "name number 0..999"),
    "representative": ("i1", "nation (TRD-006)"),
    "active": ("u1", "1 = exists"),
}
CONTAINMENT = {
    "formed": ("i4", "turn"),
    "declared": ("i4", "turn of the last joint declaration of war, 0 never (CONT-017)"),
    "announced": ("i4", "turn in which members outside were last told of one (CONT-020), 0 never"),
    "target": ("i1", "hegemon against which it stands, -1 there is none"),
}
SIGHTING = {
    "turn": ("i4", "turn in which it was seen last"),
    "cell": ("i4", "where it was then"),
    "record": ("i4", "its place in `units` or `ships`; never shown to anybody"),
    "strength": ("i2", "of a unit; hit points of a warship"),
    "owner": ("i1", "nation, -1 neutral"),
    "what": ("u1", "0 free place, 1 unit, 2 warship (engine/sightings.py)"),
    "type": ("u1", "unit type or ship class"),
}
MARKET = {
    "price": ("i8", "world price in thousandths of funds"),
    "asked": ("i8", "units asked in this turn (MER-082)"),
    "offered": ("i8", "units offered in this turn"),
}
FINANCE = {
    "cash": ("i8", "cash on hand of the clearing house, thousandths of funds"),
    "reserve": ("i8", "what it has put by against losses, likewise (FIN-016)"),
    "uncovered": ("i8", "written-off debt that the reserve did not cover, likewise (FIN-021)"),
    "queued": ("i4", "requests in `withdrawals`"),
}
LOAN = {
    "principal": ("i8", "outstanding, thousandths of funds; 0 = free place"),
    "interest": ("i8", "accrued and unpaid, likewise"),
    "fraction": ("i4", "of 0.001 funds of interest, in hundredths (FIN-014)"),
    "taken": ("i4", "turn in which it was taken"),
}
WITHDRAWAL = {"amount": ("i8", "thousandths of funds"), "nation": ("i4", "whose private sector asked")}
EVENT = {
    "amount": ("i8", "what the kind says"),
    "cell": ("i4", "-1 none"),
    "kind": ("u1", "codes.event"),
    "nation": ("i1", "-1 none"),
    "other": ("i1", "-1 none"),
}
CLOCK = {
    "seed": ("u8", "of the world: every draw depends on it"),
    "turn": ("i4", "the turn last begun; 0 before the first"),
    "all_land": ("i4", "land cells of the world"),
    "ownerless_land": ("i4", "of these without owner"),
    "initial_land": ("i4", "land cells when the map was made"),
    "listed": ("i4", "cells in `territory`"),
    "units_made": ("i4", "units ever placed"),
    "ships_made": ("i4", "ships ever built or appeared"),
    "waters": ("i4", "1, and 1 more with every change of land, water, port or mine (MER-067)"),
    "units": ("i4", "no place in `units` from this on is used"),
    "ships": ("i4", "no place in `ships` from this on is used"),
    "parcels": ("i4", "one above the last used place in `parcels`"),
    "charted_last": ("i4", "cell of the port whose distances were made last, -1 none"),
    "searched_last": ("i4", "ship without a way home that was last served (MER-050), -1 none"),
    "lots_made": ("i4", "auctions ever listed"),
    "promises_made": ("i4", "regular shipments ever offered"),
    "contracts_made": ("i4", "supply contracts ever signed"),
    "detours": ("i4", "searches for a way around in this turn (MER-067)"),
    "rescues": ("i4", "searches by ships without a way in this turn (MER-050)"),
    "estimates": ("i4", "route estimates of cruise ships in this turn (CRU-018)"),
    "discrepancies": ("i4", "stocks that did not match their accounts, ever (must stay 0)"),
    "priced": ("i4", "turn whose national prices are fixed, -1 none (MER-069)"),
    "event_count": ("i4", "events of this turn, listed or not"),
    "event_kinds": (("i4", (event.COUNT,)), "events of this turn by kind"),
    "ending": ("u1", "codes.ending; 0 while the season runs"),
    "tunnels_unlocked": ("u1", "MAP-030"),
    "weather": (("u1", (CLIMATES,)), "weather number by climate zone"),
}


def _dtype(fields: dict[str, tuple[Any, str]]) -> np.dtype[Any]:
    """An aligned record without holes: NumPy does not copy padding, and a hash must not see it."""
    columns: list[Any] = []
    for name, (kind, _) in fields.items():
        columns.append((name, *kind) if isinstance(kind, tuple) else (name, kind))
    size = sum(np.dtype([column]).itemsize for column in columns)
    spare = np.dtype(columns, align=True).itemsize - size  # at the end only: fields go from wide to narrow
    return np.dtype([*columns, ("spare", "u1", (spare,))] if spare else columns, align=True)


cell_dtype = _dtype(CELL)
nation_dtype = _dtype(NATION)
unit_dtype = _dtype(UNIT)
corps_dtype = _dtype(CORPS)
ship_dtype = _dtype(SHIP)
job_dtype = _dtype(JOB)
parcel_dtype = _dtype(PARCEL)
harbour_dtype = _dtype(HARBOUR)
ground_dtype = _dtype(GROUND)
lot_dtype = _dtype(LOT)
promise_dtype = _dtype(PROMISE)
contract_dtype = _dtype(CONTRACT)
transport_dtype = _dtype(TRANSPORT)
fleet_dtype = _dtype(FLEET)
wreck_dtype = _dtype(WRECK)
order_dtype = _dtype(ORDER)
relation_dtype = _dtype(RELATION)
faction_dtype = _dtype(FACTION)
league_dtype = _dtype(LEAGUE)
containment_dtype = _dtype(CONTAINMENT)
sighting_dtype = _dtype(SIGHTING)
market_dtype = _dtype(MARKET)
finance_dtype = _dtype(FINANCE)
loan_dtype = _dtype(LOAN)
withdrawal_dtype = _dtype(WITHDRAWAL)
event_dtype = _dtype(EVENT)
clock_dtype = _dtype(CLOCK)


@handle
class World(NamedTuple):
    """One world. H, W: map size; N: seats for nations (dead and unfounded ones included)."""

    clock: Any  # (1,) clock_dtype
    cells: Any  # (H, W) cell_dtype
    nations: Any  # (N,) nation_dtype
    units: Any  # (units,) unit_dtype, free places have owner -1
    corps: Any  # (N, 32) corps_dtype
    ships: Any  # (ships,) ship_dtype, free places have kind 0
    jobs: Any  # (ships,) job_dtype: what the private ship of that place in `ships` is about
    parcels: Any  # (parcels,) parcel_dtype, free places have state 0
    harbours: Any  # (ports,) harbour_dtype, free places have cell -1
    distances: Any  # (ports, H * W) uint8: steps by water to a berth of the port, 255 no way (MER-067)
    shores: Any  # (64,) int32: cells of the last changes of `clock.waters` (a ring), -1 unknown
    grounds: Any  # (grounds,) ground_dtype, free places have cell -1
    lots: Any  # (128,) lot_dtype
    promises: Any  # (128,) promise_dtype: regular shipments
    contracts: Any  # (32,) contract_dtype: supply contracts
    transports: Any  # (256,) transport_dtype: goods of nations that are sent to others
    fleets: Any  # (N, 16) fleet_dtype
    wrecks: Any  # (ships,) wreck_dtype, free places have kind 0
    relations: Any  # (N, N) relation_dtype: [a, b] is a's side toward b
    plans: Any  # (N, 50) order_dtype
    results: Any  # (N, 51) order_dtype: what became of the last turn's commands
    factions: Any  # (8,) faction_dtype
    leagues: Any  # (N,) league_dtype: trade leagues, league number 1 first
    containment: Any  # (1,) containment_dtype: nations against a hegemon
    market: Any  # (9,) market_dtype by item
    finance: Any  # (1,) finance_dtype: the clearing house
    loans: Any  # (N, 32) loan_dtype
    withdrawals: Any  # (4 N,) withdrawal_dtype in order of request, the first `finance.queued` count
    accounts: Any  # (N, causes, items) int64: booked changes of the treasury in this turn
    private_accounts: Any  # (N, causes, items) int64: likewise of the private sector; funds in thousandths
    finance_accounts: Any  # (causes,) int64: likewise of the cash of the clearing house, in thousandths
    transit: Any  # (items,) int64: goods in no stock that appeared in this turn, less those that vanished
    order: Any  # (N,) int16: nations in this turn's order (TURN-009); the first `alive` entries count
    roster: Any  # (units,) int32: units in the order in which they act in phase 26 (engine/land/roster.py)
    territory: Any  # (H * W,) int32: cells by owner, then ownerless land (engine/territory.py)
    events: Any  # (2048,) event_dtype
    sightings: Any  # (N, 64) sighting_dtype: what a nation has seen of others, and where last


def new_world(width: int, height: int, nations: int, seed: int) -> World:
    """An empty world: all sea, nobody founded, turn 0.

    Args:
        width: columns.
        height: rows.
        nations: seats, 1..40.
        seed: 0..2**64 - 1.

    There are as many places for ports as may ever be built: one for 90 cells, 24 at least.
    """
    cells = width * height
    units = max(64, cells // 4)  # more than land has room for
    ships = max(32, cells // 16)
    harbours = max(24, cells // 90)
    world = World(
        clock=zeros(1, clock_dtype),
        cells=zeros((height, width), cell_dtype),
        nations=zeros(nations, nation_dtype),
        units=zeros(units, unit_dtype),
        corps=zeros((nations, CORPS_COUNT), corps_dtype),
        ships=zeros(ships, ship_dtype),
        jobs=zeros(ships, job_dtype),
        parcels=zeros(2 * ships, parcel_dtype),
        harbours=zeros(harbours, harbour_dtype),
        distances=np.full((harbours, cells), NO_WAY, np.uint8),
        shores=np.full(SHORES, -1, np.int32),
        grounds=zeros(max(8, cells // 32), ground_dtype),
        lots=zeros(LOTS, lot_dtype),
        promises=zeros(PROMISES, promise_dtype),
        contracts=zeros(CONTRACTS, contract_dtype),
        transports=zeros(TRANSPORTS, transport_dtype),
        fleets=zeros((nations, FLEETS), fleet_dtype),
        wrecks=zeros(ships, wreck_dtype),
        relations=zeros((nations, nations), relation_dtype),
        plans=zeros((nations, PLAN_LENGTH), order_dtype),
        results=zeros((nations, RESULT_LENGTH), order_dtype),
        factions=zeros(FACTIONS, faction_dtype),
        leagues=zeros(nations, league_dtype),
        containment=zeros(1, containment_dtype),
        market=zeros(item.COUNT - 1, market_dtype),
        finance=zeros(1, finance_dtype),
        loans=zeros((nations, LOANS), loan_dtype),
        withdrawals=zeros(nations * QUEUE_PER_NATION, withdrawal_dtype),
        accounts=np.zeros((nations, cause.COUNT, item.COUNT), np.int64),
        private_accounts=np.zeros((nations, cause.COUNT, item.COUNT), np.int64),
        finance_accounts=np.zeros(cause.COUNT, np.int64),
        transit=np.zeros(item.COUNT, np.int64),
        order=np.zeros(nations, np.int16),
        roster=np.zeros(units, np.int32),
        territory=np.zeros(cells, np.int32),
        events=zeros(EVENT_LENGTH, event_dtype),
        sightings=zeros((nations, SIGHTINGS), sighting_dtype),
    )
    world.clock["seed"] = np.uint64(seed)
    world.clock["priced"] = world.clock["charted_last"] = world.clock["searched_last"] = -1
    world.clock["waters"] = 1
    for name in ("owner", "taken_from", "unit", "ship"):
        world.cells[name] = -1
    for name in ("capital", "research_branch", "faction", "applied_to", "league", "assigned_turn"):
        world.nations[name] = -1
    world.units["owner"] = world.units["cell"] = world.units["aboard"] = -1
    world.ships["owner"] = world.ships["cell"] = world.ships["fleet"] = world.ships["aid_to"] = -1
    for name in ("target", "waypoints", "salvo", "flagship"):
        world.fleets[name] = -1
    world.fleets["name"] = world.fleets["colour"] = np.arange(FLEETS)
    world.wrecks["cell"] = world.harbours["cell"] = world.grounds["cell"] = -1
    for name in ("home", "refuge", "goal", "unloaded_at", "called"):
        world.jobs[name] = -1
    world.nations["land_gate"] = 1
    world.corps["name"] = world.corps["colour"] = np.arange(CORPS_COUNT)
    world.factions["leader"] = world.factions["heir"] = -1
    world.leagues["representative"] = world.containment["target"] = -1
    for name in ("declarer", "tariff", "transit_fee", "port_policy", "land_gate"):
        world.relations[name] = -1
    return world


def copy_world(world: World) -> World:
    """A copy that shares no memory."""
    copy = World(*(as_kernel_array(np.zeros(array.shape, array.dtype)) for array in world))
    assign_world(copy, world)
    return copy


def assign_world(target: World, source: World) -> None:
    """Overwrite ``target`` in place with ``source`` (same shapes), byte by byte: far faster than by field."""
    for into, array in zip(target, source, strict=True):
        into.reshape(-1).view(np.uint8)[:] = array.reshape(-1).view(np.uint8)


def state_hash(world: World) -> str:
    """Hexadecimal digest of the whole World: equal worlds, and only these, have equal digests."""
    digest = hashlib.blake2b(digest_size=16)
    for name, array in zip(World._fields, world, strict=True):
        digest.update(f"{name}{array.shape}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def world_bytes(world: World) -> int:
    """Memory of one world in bytes."""
    return sum(array.nbytes for array in world)


def describe() -> dict[str, dict[str, str]]:
    """What each field of each record means, for documentation: ``{"cells": {"owner": ...}, ...}``."""
    tables: dict[str, dict[str, tuple[Any, str]]] = {
        "cells": CELL, "nations": NATION, "units": UNIT, "corps": CORPS, "ships": SHIP, "fleets": FLEET,
        "wrecks": WRECK, "plans": ORDER, "jobs": JOB, "parcels": PARCEL, "harbours": HARBOUR,
        "grounds": GROUND, "lots": LOT, "promises": PROMISE, "contracts": CONTRACT, "transports": TRANSPORT,
        "results": ORDER, "relations": RELATION, "factions": FACTION, "leagues": LEAGUE,
        "containment": CONTAINMENT, "market": MARKET, "finance": FINANCE,
        "loans": LOAN, "withdrawals": WITHDRAWAL, "events": EVENT, "clock": CLOCK, "sightings": SIGHTING,
    }  # fmt: skip
    return {name: {field: text for field, (_, text) in fields.items()} for name, fields in tables.items()}
