"""The sections of the text view about other nations: neighbours, relations, war and peace."""

from __future__ import annotations

from typing import Any

import numpy as np

from hakoenv.engine import hexgrid, view
from hakoenv.engine.codes import relation
from hakoenv.obs.text_words import Knowledge, counted

STATES = {
    relation.PEACE: "peace",
    relation.AMITY: "amity",
    relation.PENDING: "war declared",
    relation.WAR: "WAR",
}
PORTS = ("closed", "friends", "open")


def war_and_peace(known: Knowledge) -> list[str]:
    """Offers to answer, wars and declared wars, amity, own offers and truces; what a young nation may not."""
    own = known.seen["own"]
    if not own["alive"]:
        return []
    rows = [row for row in known.seen["nations"][1:] if row["seated"] and row["alive"]]
    lines = []
    for tell in (_offered, _war, _pending, _amity, _offering, _truce):
        lines += [line for line in (tell(known, row) for row in rows) if line]
    if not any(row["state"] in (relation.PENDING, relation.WAR) for row in rows):
        lines.append("No war is open or declared between you and anybody.")
    young = int(known.rules.scalars[0]["diplomacy_founding_lock"]) - int(own["age"]) - 1
    if young > 0:
        lines.append(
            f"For {counted(young, 'turn')} your nation is too young to declare war, make peace or amity, "
            "cede land or fire missiles."
        )
    return lines


def _name(known: Knowledge, row: Any) -> str:
    return known.words.nation(int(row["seat"]))


def _turns(row: Any, column: str) -> str:
    return counted(int(row[column]), "turn")


def _is_war(row: Any) -> bool:
    return int(row["state"]) in (relation.PENDING, relation.WAR)


def _offered(known: Knowledge, row: Any) -> str:
    if not row["offer_received"]:
        return ""
    what = "ceasefire" if _is_war(row) else "amity"
    within = _turns(row, "offer_received")
    return f"{_name(known, row)} offers {what} for {within}: {what}:offer with nation_{row['seat']} accepts"


def _offering(known: Knowledge, row: Any) -> str:
    if not row["offer_made"]:
        return ""
    what = "ceasefire" if _is_war(row) else "amity"
    return f"your offer of {what} to {_name(known, row)} stands for {_turns(row, 'offer_made')}"


def _war(known: Knowledge, row: Any) -> str:
    if row["state"] != relation.WAR:
        return ""
    return f"WAR with {_name(known, row)} for {_turns(row, 'state_age')}{_declared(row)}"


def _pending(known: Knowledge, row: Any) -> str:
    if row["state"] != relation.PENDING:
        return ""
    return f"war with {_name(known, row)} opens in {_turns(row, 'turns_left')}{_declared(row)}"


def _declared(row: Any) -> str:
    return (", declared by you", ", declared by them")[int(row["declarer"]) - 1] if row["declarer"] else ""


def _amity(known: Knowledge, row: Any) -> str:
    if row["state"] != relation.AMITY:
        return ""
    return f"amity with {_name(known, row)} for {_turns(row, 'state_age')}"


def _truce(known: Knowledge, row: Any) -> str:
    return f"truce with {_name(known, row)} for {_turns(row, 'truce')}" if row["truce"] else ""


def neighbours(known: Knowledge) -> list[str]:
    """Nations whose cells lie beside the own ones."""
    cells = known.seen["cells"]
    border = cells[(cells["foreign"] == 1) & (cells["own_beside"] > 0)]
    lines = []
    for place in np.unique(border["owner"]).tolist():
        theirs = border[border["owner"] == place]
        where = ", ".join(f"({cell['x']},{cell['y']})" for cell in theirs)
        lines.append(f"{known.words.at_place(place)}: {counted(len(theirs), 'cell')} beside yours: {where}")
    return lines


def others(known: Knowledge) -> list[str]:
    """Public facts of the nations alive, by rank, and the relation to each."""
    rows = [row for row in known.seen["nations"] if row["seated"] and row["alive"]]
    lines = []
    for row in sorted(rows, key=lambda row: (int(row["rank"]) or 99, int(row["seat"]))):
        own = int(row["seat"]) == known.nation
        facts = (
            f"{row['rank']}. {known.words.nation(int(row['seat']))}: population {row['population']}, area "
            f"{row['area']}, strength {row['strength']}, power {row['power_score']}"
        )
        faction = f", faction {row['faction']}" if row["faction"] >= 0 else ""
        attacked = (
            f", {counted(int(row['wars_against']), 'war')} declared on it" if row["wars_against"] else ""
        )
        lines.append(
            facts + faction + attacked + ("; you" if own else f"; {_relation(row)}{_where(known, row)}")
        )
    return lines


def _where(known: Knowledge, row: Any) -> str:
    """Where a nation begins, seen from the own capital; the map extracts may not reach so far."""
    own, seat = known.seen["own"], int(row["seat"])
    if own["capital_x"] < 0:
        return ""
    height, width = known.world.cells.shape
    start = int(own["capital_y"]) * width + int(own["capital_x"])
    theirs = [
        (int(hexgrid.distance(width, start, cell)), cell)
        for cell in np.flatnonzero(known.world.cells["owner"] == seat).tolist()
        if view.owner(known.world, known.rules, known.nation, cell) == seat
    ]
    if not theirs:
        return ""
    steps, cell = min(theirs)
    return f"; nearest cell ({cell % width},{cell // width}), {counted(steps, 'step')} from your capital"


def _relation(row: Any) -> str:
    words = [STATES[int(row["state"])]]
    if row["state"] == relation.PENDING:
        words.append(f"open in {_turns(row, 'turns_left')}")
    if row["truce"]:
        words.append(f"truce for {_turns(row, 'truce')}")
    if row["declarer"]:
        words.append("declared by you" if row["declarer"] == 1 else "declared by them")
    if row["good_terms"]:
        words.append("on good terms")
    if row["embargo"]:
        words.append("your embargo")
    if row["embargoed"]:
        words.append("their embargo")
    if row["tariff"] >= 0:
        words.append(f"your tariff {row['tariff']} percent")
    if row["transit_fee"] >= 0:
        words.append(f"your transit fee {row['transit_fee']} percent")
    if row["port_policy"] >= 0:
        words.append(f"your ports {PORTS[min(int(row['port_policy']), len(PORTS) - 1)]}")
    return ", ".join(words)
