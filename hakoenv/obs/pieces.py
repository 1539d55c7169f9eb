"""What an observation consists of: every piece and every column, declared once.

A piece is an array; most are records, whose columns are declared here by name, range and words. The
compiled fillers write the columns by name, the spaces take their ranges from here, and so do text and
documentation. Nations are told by their *place* seen from the observer: 0 itself, 1 the next seat, and
so on around the table; the column `seat` of `nations` has their own number.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hakoenv.engine.codes import (
    cause,
    command,
    corps_order,
    deposit,
    ending,
    fleet_mode,
    item,
    relation,
    ship_class,
    unit_item,
    unit_type,
)
from hakoenv.engine.world import (
    CLIMATES,
    CORPS_COUNT,
    FACTIONS,
    FLEETS,
    PLAN_LENGTH,
    RESULT_LENGTH,
    SIGHTINGS,
    WAYPOINTS,
)
from hakoenv.obs import bond_pieces, trade_pieces
from hakoenv.obs.columns import (
    AGE,
    ANY,
    BYTE,
    FLAG,
    LARGE,
    PLACE,
    SHIP_CLASS,
    SIGNED,
    SMALL,
    TERRAIN,
    UNIT_TYPE,
    X_OR_NONE,
    Range,
    X,
    columns,
    record,
)
from hakoenv.obs.columns import NATIONS as NATIONS
from hakoenv.obs.columns import Column as Column
from hakoenv.ruleset.codes import WEATHERS

CELLS = 256  # places for cells in the list
UNITS = 64  # own units listed
SHIPS = 64  # own ships listed


class Piece(NamedTuple):
    """One array of an observation.

    Attributes:
        name: its key.
        shape: of one nation's array.
        dtype: of the array.
        columns: what stands along the last axis, or along the first axis of `planes`; empty: all alike.
        range: of all numbers, where there are no columns.
        words: what it is.
        rules: rules that it follows.
        view: the view it belongs to; empty: every observation has it.
    """

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    columns: tuple[Column, ...]
    range: Range
    words: str
    rules: str = ""
    view: str = ""

    def bounds(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Lowest and highest value of every number, in the array's shape."""
        limits = np.array([column.range for column in self.columns] or self.range, self.dtype).reshape(-1, 2)
        shape = (-1, 1, 1) if self.view == "planes" else (-1,)
        low, high = (np.broadcast_to(limits[:, k].reshape(shape), self.shape).copy() for k in (0, 1))
        return low, high


CELL = columns(
    listed=(FLAG, "1 = a cell stands here, 0 = an empty place"),
    x=(X, "column"),
    y=(X, "row"),
    distance=(SMALL, "steps from the capital; 0 without a capital"),
    terrain=(TERRAIN, "terrain number, disguises applied"),
    base=(TERRAIN, "terrain under an oil field or monster, else the terrain itself"),
    land=(FLAG, "1 = counts as land"),
    owner=(PLACE, "place of its owner, -1 ownerless"),
    own=(FLAG, "1 = own cell"),
    foreign=(FLAG, "1 = another nation's cell"),
    relation=((0, relation.WAR), "state between observer and owner (as `state` of `nations`)"),
    population=(SMALL, "people, units of 100"),
    level=(SMALL, "size, trees or level; foreign forests show 0; a monster's kind x 10 + hit points"),
    monster=((-1, 7), "kind of the monster there, -1 none"),
    monster_hp=(SMALL, "its hit points"),
    deposit=((0, deposit.COUNT - 1), "deposit kind"),
    climate=((0, CLIMATES - 1), "climate zone"),
    weather=((0, len(WEATHERS) - 1), "weather number of the zone in the last turn (effects: see Codes)"),
    tunnel=(FLAG, "1 = tunnel"),
    capital=(FLAG, "1 = own capital"),
    sees_units=(FLAG, "1 = a foreign unit would be seen here"),
    sees_warships=(FLAG, "1 = a foreign warship would be seen here"),
    unit_owner=(PLACE, "place of the owner of the unit seen here, -1 no unit seen"),
    unit_type=((-1, unit_type.COUNT - 1), "unit type, -1 none"),
    unit_strength=(SMALL, "its strength"),
    ship_owner=((-2, NATIONS - 1), "place of the owner of the ship seen here, -1 neutral, -2 no ship seen"),
    ship_class=(SHIP_CLASS, "ship class, 0 none"),
    ship_hp=(SMALL, "its hit points; of foreign ships in sight only"),
    wreck=(SHIP_CLASS, "ship class of the oldest wreck there, 0 none"),
    wreck_age=(AGE, "turns since that ship sank, -1 no wreck"),
    richness=(SMALL, "own cells: first pile of the mine on this deposit"),
    pile=(SMALL, "own cells: what the mine or oil field can still give"),
    resistance=(SMALL, "own cells: against occupation"),
    experience=(SMALL, "own cells: of a missile base"),
    missile_range=(
        SMALL,
        "own cells: how far this missile base reaches, 0 no base; ballistic ones further",
    ),
    missile_shots=(SMALL, "own cells: missiles that it can fire in one command"),
    hits=(BYTE, "own cells: hits taken by a facility"),
    worked=(FLAG, "own cells: 1 = the mine worked in the last turn"),
    survey_age=(AGE, "own cells: turns since the last survey, -1 never"),
    taken_age=(AGE, "owned land: turns since it was taken from another nation, -1 never"),
    taken_from=(PLACE, "place of the nation that lost it then, -1 none"),
    own_beside=((0, 6), "own cells around it"),
    foreign_beside=((0, 6), "other nations' cells around it"),
    free_land_beside=((0, 6), "ownerless land cells around it"),
    water_beside=((0, 6), "sea and shallows around it"),
    mountains_beside=((0, 6), "mountains around it"),
    planned=((0, PLAN_LENGTH), "place in the own plan (1 first) of the first command for this cell, 0 none"),
)
COUNTS = columns(
    cells=((0, 2**16), "cells listed"),
    cells_left_out=((0, 2**16), "cells of interest for which there was no place"),
    units=((0, UNITS), "own units listed"),
    units_left_out=((0, 2**16), "own units on the map for which there was no place"),
    ships=((0, SHIPS), "own ships listed"),
    ships_left_out=((0, 2**16), "own ships for which there was no place"),
    sightings=((0, SIGHTINGS), "sightings listed"),
)
CLOCK = columns(
    turn=(LARGE, "the turn last played; plans are for the next"),
    max_turns=(LARGE, "last turn of the season"),
    turns_left=(LARGE, "turns still to be played"),
    conquest_from=(LARGE, "turn from which a conquest ends the season"),
    width=((0, 255), "columns of the map"),
    height=((0, 255), "rows of the map"),
    seats=((1, NATIONS), "seats for nations"),
    living=((0, NATIONS), "nations alive"),
    all_land=(LARGE, "land cells of the world"),
    free_land=(LARGE, "of these without owner"),
    tunnels_unlocked=(FLAG, "1 = tunnels may be built"),
    ending=((0, len(ending.NAMES) - 1), "how the season ended, 0 while it runs"),
)
_STORE = {
    name.lower(): (SMALL, "of this item in the national store: for units to carry")
    for name in vars(unit_item)
    if name.isupper() and name not in ("NONE", "COUNT")
}
OWN = columns(
    seat=((0, NATIONS - 1), "own nation number"),
    alive=(FLAG, "1 = founded and not fallen"),
    age=(LARGE, "turns since the founding"),
    capital_x=((-1, 254), "column of the capital, -1 none"),
    capital_y=((-1, 254), "row of the capital, -1 none"),
    population=(LARGE, "people in all towns, units of 100"),
    towns=(LARGE, "cells of the town class"),
    land=(LARGE, "own land cells"),
    area=(LARGE, "all own cells"),
    rank=((0, NATIONS), "place in the population ranking, 1 first; 0 dead"),
    power_score=(SIGNED, "as of the last turn"),
    mean_assets=(LARGE, "economic assets in funds, mean of the last turns"),
    asset_records=(LARGE, "turns whose assets were recorded"),
    strength=(LARGE, "reserves and deployed strength"),
    reserves=(LARGE, "strength not deployed"),
    conscripts=(LARGE, "strength that joins the reserves next turn"),
    wounded=(LARGE, "strength in hospital"),
    deployed=(LARGE, "strength of the units"),
    stalled=(FLAG, "1 = fuel for the army fell short: units that burn fuel took no step in the last turn"),
    upkeep_funds=(LARGE, "funds that units and reserves cost a turn, as they stand"),
    upkeep_fuel=(LARGE, "fuel that the units burn a turn, as they stand"),
    captured=(LARGE, "land cells taken in war in the last turn"),
    naval_ports=(LARGE, "own naval ports"),
    warships=(LARGE, "own warships"),
    warships_more=(LARGE, "warships that may still be built, by the limits of nation and naval ports"),
    naval_mines=(LARGE, "own naval mines"),
    naval_mines_more=(LARGE, "naval mines that may still be laid"),
    **_STORE,
    food_turns=((0, 999), "turns that the food would last if none were made; 999 = long"),
    rations=(LARGE, "food needed in the last turn"),
    food_made=(LARGE, "food made in the last turn"),
    famine=(FLAG, "1 = food ran out in the last turn"),
    fuel_percent=((0, 100), "industry fuel got in the last turn, in percent of what was wanted"),
    fuel_need=(LARGE, "industry fuel wanted in the last turn"),
    fuel_used=(LARGE, "industry fuel taken"),
    plant_levels=(LARGE, "levels of the power plants that wanted fuel in the last turn"),
    plant_fuel=(LARGE, "fuel they took"),
    generating_capacity=(LARGE, "of the power plants as they stand, in thousand kW; information only"),
    fuel_made=(LARGE, "fuel of mines and refineries in the last turn"),
    farm_food=(LARGE, "food of the fields in the last turn, before a lack of fuel"),
    industry_value=(LARGE, "factory output of the last turn at base prices in funds, before a lack of fuel"),
    commerce_value=(LARGE, "sales of goods expected for the last turn in whole funds, likewise"),
    workers_agriculture=(LARGE, "workers on fields in the last turn, units of 100"),
    workers_industry=(LARGE, "workers in industry and mines"),
    workers_commerce=(LARGE, "workers in markets"),
    workers_idle=(LARGE, "people without a job, who feed themselves in the towns"),
    farm_jobs=(LARGE, "jobs of farms"),
    industry_jobs=(LARGE, "jobs of mines, factories, refineries and arsenals"),
    mine_workers=(LARGE, "workers of mines and oil fields"),
    factory_workers=(LARGE, "workers of factories"),
    refinery_workers=(LARGE, "workers of refineries"),
    arsenal_workers=(LARGE, "workers of arsenals"),
    share_agriculture=((0, 100), "percent of the workers that agriculture may have"),
    share_industry=((0, 100), "likewise industry"),
    share_commerce=((0, 100), "likewise commerce"),
    policy=((0, 2), "industrial policy in force: 0 light, 1 heavy, 2 advanced"),
    policy_next=((0, 2), "industrial policy from the next turn on"),
    policy_age=((-1, 2**31 - 1), "turns since the last change, -1 never"),
    tariff=((0, 255), "percent, for all nations without a setting of their own"),
    transit_fee=((0, 255), "percent, likewise"),
    port_policy=((0, 255), "0 closed, 1 friends, 2 open, likewise"),
    research_production=((0, 255), "research level"),
    research_military=((0, 255), "research level"),
    research_shipping=((0, 255), "research level"),
    research_branch=((-1, 2), "branch of the running research, -1 none"),
    research_turns_left=(LARGE, "turns until it is finished"),
    warehouses=(LARGE, "levels of the warehouses"),
    faction=((-1, FACTIONS - 1), "own faction, -1 none"),
    household_sales=(LARGE, "what households paid the own private sector in the last turn, in whole funds"),
    private_purchases=(LARGE, "what it paid for goods in the last turn, in whole funds"),
    working_capital=(LARGE, "cash that it wants to have in the coming turn, in whole funds"),
    deposit=(LARGE, "the own private sector's deposit at the clearing house, in whole funds"),
    deposit_queued=(LARGE, "of it, asked for and not paid yet"),
    debt=(LARGE, "what the own private sector owes the clearing house, interest included, in whole funds"),
    debt_due_in=((-1, 2**31 - 1), "turns until the next of its loans falls due, -1 no loan"),
    loan_ban=(LARGE, "turns in which it gets no new loan"),
    plan_length=((0, PLAN_LENGTH), "commands waiting"),
    plan_cut=(LARGE, "commands cut from a plan that was too long"),
)
STOCK = columns(
    treasury=(SIGNED, "the treasury's stock"),
    capacity=(LARGE, "the most that the treasury holds"),
    private=(SIGNED, "the own private sector's stock, funds in whole funds"),
    change=(SIGNED, "change of the treasury in the last turn"),
    price=(
        LARGE,
        "the nation's own price in the last turn in thousandths of funds; this and the next: funds 0",
    ),
    target=(LARGE, "stock that the treasury buys up to (buyback_target)"),
    export_cap=(LARGE, "the most that the treasury sells to the private sector a turn (export_cap)"),
    household_use=(LARGE, "what households wanted in the last turn, in thousandths of a unit"),
    planned=(LARGE, "stock that the private sector planned with in the last turn"),
)
NATION = columns(
    seated=(FLAG, "1 = there is such a seat in this scenario"),
    seat=((0, NATIONS - 1), "nation number"),
    alive=(FLAG, "1 = founded and not fallen"),
    age=(LARGE, "turns since the founding"),
    fallen_for=((-1, 2**31 - 1), "turns since its end, -1 not fallen"),
    population=(LARGE, "statistics series"),
    strength=(LARGE, "statistics series"),
    area=(LARGE, "statistics series"),
    power_score=(SIGNED, "statistics series"),
    rank=((0, NATIONS), "place in the population ranking, 0 dead"),
    faction=((-1, FACTIONS - 1), "faction, -1 none"),
    leader=(FLAG, "1 = leads its faction"),
    state=((0, relation.WAR), "between observer and it: 0 peace, 1 amity, 2 war pending, 3 war"),
    state_age=(LARGE, "turns since the state changed"),
    turns_left=(LARGE, "turns until a pending war opens"),
    truce=(LARGE, "turns in which no war can be declared"),
    declarer=((0, 2), "who declared the war: 0 nobody, 1 the observer, 2 the other"),
    offer_made=(
        LARGE,
        "turns in which it may still accept the observer's offer: ceasefire in war, else amity",
    ),
    offer_received=(LARGE, "turns in which the observer may still accept its offer, likewise"),
    wars_against=((0, NATIONS), "nations whose declared war against it is pending or open"),
    tariff=((-1, 32_767), "own setting toward it in percent, -1 the default"),
    transit_fee=((-1, 32_767), "likewise"),
    port_policy=((-1, 127), "likewise"),
    good_terms=(FLAG, "1 = on the own list of good terms"),
    embargo=(FLAG, "1 = own embargo against it"),
    embargoed=(FLAG, "1 = its embargo against the observer"),
)
FACTION = columns(
    active=(FLAG, "1 = exists"),
    leader=(PLACE, "place of its leader, -1 none"),
    members=((0, NATIONS), "members"),
    age=(LARGE, "turns since it was founded"),
    dissolves_in=(LARGE, "turns until a running notice ends it, 0 none"),
    land=(LARGE, "land cells of its members"),
    name=((0, 999), "name number, a label"),
)
MARKET = columns(
    price=(LARGE, "world price in thousandths of funds"),
    base_price=(LARGE, "base price in funds"),
)
ORDER = columns(
    listed=(FLAG, "1 = a command stands here"),
    command=((0, command.LIMIT - 1), "command number, 0 one that there isn't"),
    x=(SIGNED, "column, or a plain number"),
    y=(SIGNED, "row, or a plain number"),
    amount=(ANY, "as the command codes it"),
    target=(SIGNED, "nation number, or a plain number"),
)
RESULT = (*ORDER, Column("reason", (0, 255), "what became of it: 0 done, else why not (reason code)"))
SIGHTING = columns(
    what=((0, 2), "0 an empty place, 1 unit, 2 warship"),
    owner=(PLACE, "place of its owner, -1 neutral"),
    x=(X, "column where it was seen last"),
    y=(X, "row"),
    type=(SHIP_CLASS, "unit type or ship class"),
    strength=(SMALL, "strength or hit points then"),
    age=(SMALL, "turns since; 0 = in sight at the end of the last turn, or run into by an own ship in it"),
)
UNIT = columns(
    listed=(FLAG, "1 = a unit stands here"),
    x=(X, "column"),
    y=(X, "row"),
    type=(UNIT_TYPE, "unit type"),
    strength=(SMALL, "strength"),
    experience=(SMALL, "experience"),
    level=(SMALL, "level that the experience gives"),
    corps=((0, CORPS_COUNT - 1), "corps"),
    carries=((0, unit_item.COUNT - 1), "item it carries, 0 none"),
)
CORPS = columns(
    order=((0, corps_order.COUNT - 1), "standing order"),
    direction=((0, 6), "where it heads: 0 none, 1 north-east .. 6 north-west, clockwise"),
    name=((0, 999), "name number, a label"),
    colour=(BYTE, "colour number, a label"),
    units=(SMALL, "units, those aboard ships included"),
    strength=(LARGE, "their strength"),
)
SHIP = columns(
    listed=(FLAG, "1 = a ship stands here"),
    x=(X, "column"),
    y=(X, "row"),
    ship_class=(SHIP_CLASS, "ship class"),
    hp=(SMALL, "hit points"),
    hp_max=(SMALL, "the most that it can have, rank included"),
    experience=(SMALL, "experience"),
    speed=(SMALL, "movement points a turn by research and the weather of the last turn"),
    fleet=((-1, FLEETS - 1), "fleet, -1 none"),
    flagship=(FLAG, "1 = leads its fleet"),
    mode=((0, fleet_mode.COUNT - 1), "what it does of its own: 0 normal, 1 hunt, 2 cruise, 3 stop"),
    escort=(FLAG, "1 = follows the flagship of its fleet"),
    units_aboard=(SMALL, "units aboard"),
    strength_aboard=(SMALL, "their strength"),
)
FLEET = columns(
    ships=(SMALL, "ships"),
    x=(X_OR_NONE, "column of the flagship, -1 none"),
    y=(X_OR_NONE, "row of the flagship"),
    target_x=(X_OR_NONE, "column of the target, -1 none"),
    target_y=(X_OR_NONE, "row of the target"),
    next_x=(X_OR_NONE, "column of the next waypoint, -1 none"),
    next_y=(X_OR_NONE, "row of the next waypoint"),
    legs=((0, WAYPOINTS), "waypoints left before the target"),
    name=((0, 999), "name number, a label"),
    colour=(BYTE, "colour number, a label"),
)
OWN_CLASS = columns(
    damage=(SMALL, "hit points that a hit takes, by military research"),
    speed=(SMALL, "movement points a turn in fine weather, by shipping research"),
    containers=(SMALL, "containers that it carries, by shipping research"),
)
PLANES = columns(
    terrain=(TERRAIN, "terrain number, disguises applied"),
    base=(TERRAIN, "terrain under an oil field or monster, else the terrain itself"),
    population=(BYTE, "people in steps of 2 (200 people)"),
    level=(BYTE, "size, trees or level; foreign forests show 0; a monster's kind x 10 + hit points"),
    deposit=((0, deposit.COUNT - 1), "deposit kind"),
    climate=((0, CLIMATES - 1), "climate zone"),
    weather=((0, len(WEATHERS) - 1), "weather number in the last turn"),
    tunnel=(FLAG, "1 = tunnel"),
    owner=((0, NATIONS), "1 + place of the owner: 1 own, 0 ownerless"),
    sees_units=(FLAG, "1 = a foreign unit would be seen here"),
    sees_warships=(FLAG, "1 = a foreign warship would be seen here"),
    unit_owner=((0, NATIONS), "1 + place of the owner of the unit seen here, 0 none"),
    unit_type=((0, unit_type.COUNT), "1 + unit type, 0 none"),
    unit_strength=(BYTE, "its strength"),
    ship_owner=((0, 255), "1 + place of the owner of the ship seen here, 255 neutral, 0 none"),
    ship_class=(SHIP_CLASS, "ship class, 0 none"),
    ship_hp=(BYTE, "its hit points; of foreign ships in sight only"),
    wreck=(SHIP_CLASS, "ship class of the oldest wreck there, 0 none"),
    wreck_age=(BYTE, "1 + turns since that ship sank, 0 none"),
    capital=(FLAG, "1 = own capital"),
    richness=(BYTE, "own cells: in steps of 16"),
    pile=(BYTE, "own cells: what the mine can still give, in steps of 4"),
    resistance=(BYTE, "own cells: against occupation, in steps of 4"),
    hits=(BYTE, "own cells: hits taken by a facility"),
    missile_range=(BYTE, "own cells: how far this missile base reaches, 0 no base"),
    missile_shots=(BYTE, "own cells: missiles that it can fire in one command"),
    planned=((0, PLAN_LENGTH), "place in the own plan of the first command for this cell, 0 none"),
    last_seen=((0, 2), "a remembered foreign unit (1) or warship (2), 0 none"),
    last_seen_owner=((0, 255), "1 + place of its owner, 255 neutral, 0 none"),
    last_seen_age=(BYTE, "1 + turns since it was seen, 0 none"),
)


cell_record = record(CELL, np.int16)
counts_record = record(COUNTS, np.int32)
clock_record = record(CLOCK, np.int32)
own_record = record(OWN, np.int32)
stock_record = record(STOCK, np.int32)
nation_record = record(NATION, np.int32)
faction_record = record(FACTION, np.int32)
market_record = record(MARKET, np.int32)
order_record = record(ORDER, np.int64)
result_record = record(RESULT, np.int64)
sighting_record = record(SIGHTING, np.int16)
unit_record = record(UNIT, np.int16)
corps_record = record(CORPS, np.int32)
ship_record = record(SHIP, np.int16)
fleet_record = record(FLEET, np.int16)
own_class_record = record(OWN_CLASS, np.int16)

RECORDS: dict[str, np.dtype[Any]] = {
    "cells": cell_record, "counts": counts_record, "clock": clock_record, "own": own_record,
    "stocks": stock_record, "nations": nation_record, "factions": faction_record, "market": market_record,
    "plan": order_record, "results": result_record, "sightings": sighting_record, "units": unit_record,
    "corps": corps_record, "ships": ship_record, "fleets": fleet_record, "ship_classes": own_class_record,
    **{name: piece[1] for name, piece in trade_pieces.TRADE.items()},
    **{name: piece[1] for name, piece in bond_pieces.BONDS.items()}, bond_pieces.MATE_PLANS: order_record,
}  # fmt: skip
"""The pieces that are records; one dtype object each, which compiled code is fastest with."""


def all_pieces(height: int, width: int, cells: int) -> tuple[Piece, ...]:
    """Every piece of both views, in order.

    Args:
        height: rows of the map.
        width: columns.
        cells: places in the list of cells.
    """

    def rows(
        name: str, columns: tuple[Column, ...], count: int, words: str, rules: str = "", view: str = ""
    ) -> Piece:
        shape = (count, len(columns)) if count else (len(columns),)
        kind = RECORDS[name][0]
        return Piece(name, shape, kind, columns, (0, 0), words, rules, view)

    return (
        rows("cells", CELL, cells, "cells of interest, by kind of interest and then in map order",
             "MAP-025 MAP-026 MAP-027 ARMY-058 NAVY-020 NAVY-022 NAVY-042 NMINE-012", "cells"),
        Piece("planes", (len(PLANES), height, width), np.dtype(np.uint8), PLANES, BYTE,
              "the map, one plane a fact; what exceeds a plane's range is shown as its limit",
              "MAP-025 MAP-026 MAP-027 ARMY-058 NAVY-020 NAVY-022 NAVY-042 NMINE-012", "planes"),
        rows("counts", COUNTS, 0, "how much the lists hold, and what they had no room for"),
        rows("clock", CLOCK, 0, "season, map and time", "SEASON-003 SEASON-004 TURN-077"),
        Piece("weather", (CLIMATES,), np.dtype(np.uint8), (), (0, len(WEATHERS) - 1),
              "weather number of each climate zone in the last turn"),
        rows("own", OWN, 0, "the own nation", "FIN-034 MAP-050 TURN-077"),
        rows("stocks", STOCK, item.COUNT, "own stocks: a row an item, wood .. steel, food, funds", "RES-002"),
        Piece("accounts", (cause.COUNT, item.COUNT), np.dtype(np.int32), (), SIGNED,
              "changes of the treasury in the last turn: a row a cause, a column an item; row 0 is the "
              "stock at its start", "TURN-004 TURN-038"),
        Piece("private_accounts", (cause.COUNT, item.COUNT), np.dtype(np.int32), (), SIGNED,
              "likewise of the own private sector; its funds are in thousandths here", "TURN-004 MER-063"),
        rows("nations", NATION, NATIONS, "public facts of all nations and the relation to each: a row a "
             "place, the observer first", "SEASON-015 SEASON-016 SEASON-017"),
        Piece("relations", (NATIONS, NATIONS), np.dtype(np.uint8), (), (0, relation.WAR),
              "state between any two nations, by place"),
        rows("factions", FACTION, FACTIONS, "the factions"),
        rows("market", MARKET, item.COUNT - 1, "world market: a row an item, wood .. food"),
        rows("plan", ORDER, PLAN_LENGTH, "the own plan", "CMD-001 CMD-002"),
        rows("results", RESULT, RESULT_LENGTH, "what became of the commands of the last turn", "CMD-005"),
        rows("sightings", SIGHTING, SIGHTINGS, "foreign units and warships where they were seen last, the "
             "freshest first", "ARMY-058 NAVY-020 NAVY-021"),
        rows("units", UNIT, UNITS, "own units on the map, in map order", "ARMY-054 ARMY-055"),
        rows("corps", CORPS, CORPS_COUNT, "the own corps, by number", "ARMY-001 ARMY-002 ARMY-003"),
        rows("ships", SHIP, SHIPS, "own ships, in map order", "NAVY-013 NAVY-022"),
        rows("fleets", FLEET, FLEETS, "the own fleets, by number", "NAVY-001 NAVY-049 NAVY-056"),
        rows("ship_classes", OWN_CLASS, ship_class.COUNT, "what research makes of the ship classes for the "
             "own nation, by number; base values stand in the rules", "NAVY-005 NAVY-007 NAVY-008"),
        *(rows(name, declared, places, words, rules)
          for name, (declared, _, places, words, rules) in trade_pieces.TRADE.items()),
        Piece(trade_pieces.SUPPLY_ALLOWED, (NATIONS, item.COUNT - 1), np.dtype(np.uint8), (), FLAG,
              "whether the own nation lets its private sector sign supply contracts: a row a place, a column "
              "an item", "SUP-017"),
        *(rows(name, declared, places, words, rules)
          for name, (declared, _, places, words, rules) in bond_pieces.BONDS.items()),
        Piece(bond_pieces.MATE_PLANS, (bond_pieces.MATES, bond_pieces.MATE_PLAN, len(ORDER)),
              np.dtype(np.int64), ORDER, (0, 0), "first commands of the plans of mates: block k is the plan "
              "of row k of `mates`", "FAC-015 FAC-018"),
    )  # fmt: skip
