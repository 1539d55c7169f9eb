"""What an observation says of factions, trade leagues and the containment, and of mates.

Who belongs to what is public, and so is what follows from public events: how often a nation broke with
others, its points as a conqueror, its land. Applications and the offered leadership are known to the two
whom they concern, demands for another leader to the faction. What mates have, plan and see is for full
members alone (FAC-015); the own view never uses it (FAC-017).
"""

from __future__ import annotations

import numpy as np

from hakoenv.engine.codes import war_origin
from hakoenv.engine.world import FACTIONS, RECORD_TURNS
from hakoenv.obs.columns import (
    AGE,
    FLAG,
    LARGE,
    NATIONS,
    PLACE,
    SHIP_CLASS,
    SIGNED,
    SMALL,
    X,
    columns,
    record,
)

MATES = 16  # mates listed
MATE_PLAN = 15  # commands of a mate's plan that are shown at most (FAC-018)
FACTION_SIGHTINGS = 96  # units and warships listed that a mate sees

BOND = columns(
    land=(LARGE, "own land cells, as the hegemon is found by"),
    points=(
        (0, 2**31 - 1),
        "points as a conqueror in the coming turn, in 48ths: 1 a land cell taken in war, 10 a declaration of "
        "its own, less with their age",
    ),
    breaches=(
        (0, 255 * RECORD_TURNS),
        "how often it left a faction, was expelled or cancelled a treaty, as AI leaders count it in the "
        "coming turn",
    ),
    faction_age=(LARGE, "turns that it has been a full member of its faction"),
    mate=(FLAG, "1 = another member of the observer's faction"),
    demands=(FLAG, "mates: 1 = demands another leader"),
    applies=(
        LARGE,
        "turns in which the observer may still decide on its application, 0 none; for the leader",
    ),
    leadership=(
        LARGE,
        "turns in which the leadership that one of the two offers the other may still be accepted",
    ),
    league=((0, NATIONS), "number of its trade league, 0 none"),
    league_age=(LARGE, "turns that it has been in it"),
    representative=(FLAG, "1 = represents its trade league"),
    contained=(FLAG, "1 = belongs to the containment"),
    origin=(
        (war_origin.DECLARATION, war_origin.PACT),
        "how the pending or open war with it came about: 0 a declaration, 1 a joint one, 2 the pact",
    ),
)
DIPLOMACY = columns(
    applied_to=((-1, FACTIONS - 1), "faction that the own nation applied to, -1 none"),
    application_left=(LARGE, "turns in which that may still be accepted"),
    may_apply_in=(LARGE, "turns after the coming one that must pass before it may apply, 0 none"),
    leadership_left=(LARGE, "turns in which it may still accept the offered leadership, 0 none is offered"),
    may_rename_in=(LARGE, "turns after the coming one before the own faction may be renamed; for its leader"),
    demands=((0, NATIONS), "members of the own faction that demand another leader"),
    demands_needed=((0, NATIONS), "demands that make another leader while the faction's end is announced"),
    applications=((0, NATIONS), "nations on whose applications it may decide"),
    may_join_league_in=(LARGE, "turns after the coming one before it may found or join a trade league"),
    invited=(FLAG, "1 = it is invited to join the containment"),
    notice_age=(
        AGE,
        "members that agents drive: turns since they were last told of a joint declaration of war, -1 never",
    ),
    power=(LARGE, "own power as the containment counts it: population and deployed strength"),
    reserves_afloat=(LARGE, "own reserves aboard warships, on their way to mates or back"),
    mates=((0, MATES), "mates listed"),
    mates_left_out=((0, NATIONS), "mates for whom there was no place"),
    faction_sightings=((0, FACTION_SIGHTINGS), "faction sightings listed"),
    faction_sightings_left_out=((0, 2**16), "those for which there was no place"),
)
LEAGUE = columns(
    active=(FLAG, "1 = exists"),
    representative=(PLACE, "place of its representative, -1 none"),
    members=((0, NATIONS), "members"),
    age=(LARGE, "turns since it was founded"),
    name=((0, 999), "name number, a label"),
)
CONTAINMENT = columns(
    hegemon=(PLACE, "place of the nation that is the hegemon by the land as it is, -1 there is none"),
    target=(PLACE, "place of the hegemon against whom the containment stands, -1 there is none"),
    age=(LARGE, "turns since it was formed"),
    members=((0, NATIONS), "members"),
    joint_age=(AGE, "turns since its last joint declaration of war, -1 never"),
    threshold=(LARGE, "points of the hegemon, in 48ths, at which a containment forms"),
)
MATE = columns(
    listed=(FLAG, "1 = a mate stands here"),
    place=(PLACE, "its place"),
    leader=(FLAG, "1 = leads the faction"),
    funds=(SIGNED, "funds in its treasury"),
    food=(SIGNED, "food in its treasury"),
    plan_length=((0, MATE_PLAN), "commands of its plan that are shown"),
)
FACTION_SIGHTING = columns(
    what=((0, 2), "0 an empty place, 1 unit, 2 warship"),
    owner=(PLACE, "place of its owner, -1 neutral"),
    x=(X, "column"),
    y=(X, "row"),
    type=(SHIP_CLASS, "unit type or ship class"),
    strength=(SMALL, "strength or hit points"),
    watchers=((0, NATIONS), "members of the faction that see it, its owner included"),
    own=(FLAG, "1 = in the observer's own sight, too"),
)

bond_record = record(BOND, np.int32)
diplomacy_record = record(DIPLOMACY, np.int32)
league_record = record(LEAGUE, np.int32)
containment_record = record(CONTAINMENT, np.int32)
mate_record = record(MATE, np.int32)
faction_sighting_record = record(FACTION_SIGHTING, np.int16)

BONDS = {
    "bonds": (BOND, bond_record, NATIONS, "what binds each nation, and binds it to the observer: a row a "
              "place", "FAC-003 FAC-020 TRD-002 CONT-003 CONT-006"),
    "diplomacy": (DIPLOMACY, diplomacy_record, 0, "own applications, offers, waits and notices, and how much "
                  "the lists of the faction hold",
                  "FAC-004 FAC-007 FAC-008 FAC-011 TRD-005 CONT-010 CONT-020"),
    "leagues": (LEAGUE, league_record, NATIONS, "the trade leagues by number, number 1 first",
                "TRD-002 TRD-006"),
    "containment": (CONTAINMENT, containment_record, 0, "hegemon and containment",
                    "CONT-001 CONT-004 CONT-017"),
    "mates": (MATE, mate_record, MATES, "other members of the own faction, by place, for full members only",
              "FAC-015 FAC-018"),
    "faction_sightings": (FACTION_SIGHTING, faction_sighting_record, FACTION_SIGHTINGS, "the faction map: "
                          "foreign units and warships that a member sees, mates' own included; first those "
                          "of others out of the own sight, then those of mates, then what is in the own "
                          "sight; each in map order", "FAC-015 FAC-017"),
}  # fmt: skip
"""Columns, record, places (0: a single record), words and rules of the pieces, by name."""
MATE_PLANS = "mate_plans"
"""Plans of mates: row k are the first commands of the plan of mate k of `mates`."""
LISTS = ("bonds", "leagues", "mates", "faction_sightings", MATE_PLANS)
"""Pieces in which only what stands there is written."""
