"""The sections of the text view about what binds nations: factions, trade leagues, the containment, mates."""

from __future__ import annotations

from typing import Any

from hakoenv.engine.codes import event
from hakoenv.obs import events
from hakoenv.obs.text_words import Knowledge, counted

_POINT = 48  # parts of a point as a conqueror
_WARSHIP = 2  # `what` of a faction sighting


def bonds(known: Knowledge) -> list[str]:
    """The own part in factions, leagues and the containment, what waits for an answer; then what there is."""
    if not known.seen["own"]["alive"]:
        return []
    tellers = (_own_faction, _answers, _afloat, _own_league, _containment, _factions, _leagues)
    return [line for tell in tellers for line in tell(known)]


def mates(known: Knowledge) -> list[str]:
    """What full members know of each other: head of state, funds, food and the first commands (FAC-018)."""
    lines = []
    for row, plan in zip(known.seen["mates"], known.seen["mate_plans"], strict=True):
        if not row["listed"]:
            continue
        seat = (known.nation + int(row["place"])) % known.words.seats
        head = known.words.head_of_state(seat)
        orders = [known.words.order(order) for order in plan[: int(row["plan_length"])]]
        lines.append(
            f"{known.words.nation(seat)}"
            + (f", head of state {head}" if head else "")
            + (", leader" if row["leader"] else "")
            + f": funds {row['funds']}, food {row['food']}; plan: "
            + ("; ".join(orders) or "nothing waits")
        )
    left_out = int(known.seen["diplomacy"]["mates_left_out"])
    if left_out:
        lines.append(f"({counted(left_out, 'further mate')} not listed)")
    return lines


def faction_map(known: Knowledge) -> list[str]:
    """Units and warships that mates see and the own nation does not (FAC-017)."""
    rows = known.seen["faction_sightings"]
    lines = [_sighting(known, row) for row in rows[(rows["what"] > 0) & (rows["own"] == 0)]]
    left_out = int(known.seen["diplomacy"]["faction_sightings_left_out"])
    if left_out:
        lines.append(f"({counted(left_out, 'further one')} not listed)")
    return lines


def _sighting(known: Knowledge, row: Any) -> str:
    if row["what"] == _WARSHIP:
        what = f"{known.words.ships[int(row['type'])]} hp {row['strength']}"
    else:
        what = f"{known.words.units[int(row['type'])]} strength {row['strength']}"
    return f"({row['x']},{row['y']}) {what} of {known.words.at_place(int(row['owner']))}"


def _turns(number: int) -> str:
    return counted(int(number), "turn")


def _of(known: Knowledge, column: str) -> list[str]:
    """The nations alive that a column of the bonds is true of, the observer told as `you`."""
    rows = known.seen["bonds"]  # of the dead all 0
    return [known.words.at_place(k) for k in range(known.words.seats) if rows[k][column]]


def _own_faction(known: Knowledge) -> list[str]:
    own, faction = known.seen["diplomacy"], int(known.seen["own"]["faction"])
    if faction < 0:
        wait = int(own["may_apply_in"])
        if not wait and not known.seen["factions"]["active"].any():
            return []
        lines = ["You belong to no faction." + (f" You may apply to one in {_turns(wait)}." if wait else "")]
        if own["application_left"]:
            lines.append(
                f"Your application to faction {own['applied_to']} may still be accepted for "
                f"{_turns(own['application_left'])}."
            )
        return lines
    row = known.seen["factions"][faction]
    leads = row["leader"] == 0
    lines = [
        f"You {'lead' if leads else 'are a full member of'} faction {faction}"
        + f" for {_turns(known.seen['bonds'][0]['faction_age'])}."
    ]
    if row["dissolves_in"]:
        lines.append(
            f"Its end is announced: in {_turns(row['dissolves_in'])}. Another leader is demanded by "
            f"{own['demands']} of the {own['demands_needed']} members that make one."
        )
    if leads and own["may_rename_in"]:
        lines.append(f"It may be renamed in {_turns(own['may_rename_in'])}.")
    return lines


def _answers(known: Knowledge) -> list[str]:
    """Applications and the offered leadership."""
    own, faction = known.seen["diplomacy"], int(known.seen["own"]["faction"])
    leads = faction >= 0 and known.seen["factions"][faction]["leader"] == 0
    lines = []
    for place in range(1, known.words.seats):
        row, seat = known.seen["bonds"][place], int(known.seen["nations"][place]["seat"])
        name = known.words.nation(seat)
        if row["applies"]:
            lines.append(
                f"{name} applies to your faction, for {_turns(row['applies'])} more; times that it left a "
                f"faction or ended a treaty lately: {row['breaches']}; faction_decide:accept or "
                f"faction_decide:refuse with nation_{seat} answers"
            )
        if row["leadership"] and leads:
            lines.append(f"your offer of the leadership to {name} stands for {_turns(row['leadership'])}")
    if own["leadership_left"]:
        lines.append(
            f"the leadership is offered to you for {_turns(own['leadership_left'])}: faction_handover:accept "
            "takes it"
        )
    return lines


def _afloat(known: Knowledge) -> list[str]:
    strength = int(known.seen["diplomacy"]["reserves_afloat"])
    return [f"Reserves aboard your warships, for mates or on the way back: {strength}."] if strength else []


def _own_league(known: Knowledge) -> list[str]:
    row, own = known.seen["bonds"][0], known.seen["diplomacy"]
    if row["league"]:
        return [f"You belong to trade league {row['league']} for {_turns(row['league_age'])}."]
    if own["may_join_league_in"]:
        return [f"You may join or found a trade league in {_turns(own['may_join_league_in'])}."]
    return []


def _containment(known: Knowledge) -> list[str]:
    row, own = known.seen["containment"], known.seen["diplomacy"]
    lines = []
    if row["hegemon"] >= 0:
        points = int(known.seen["bonds"][int(row["hegemon"])]["points"]) / _POINT
        lines.append(
            f"Hegemon by its land: {known.words.at_place(int(row['hegemon']))}, with {points:.1f} points as "
            f"a conqueror of the {int(row['threshold']) // _POINT} that make others stand together."
        )
    if row["target"] >= 0:
        members = ", ".join(_of(known, "contained")) or "nobody yet"
        lines.append(
            f"Containment against {known.words.at_place(int(row['target']))} for {_turns(row['age'])}: "
            f"{members}."
        )
    if own["invited"]:
        lines.append("You are invited to join it: containment_join.")
    if own["notice_age"] == 0:
        by = ", ".join(_declarers(known)) or "no member that rules drive could"
        lines.append(
            f"The containment outweighs {known.words.at_place(int(row['target']))}. War was declared jointly "
            f"by: {by}. Whether you declare is yours to decide."
        )
    return lines


def _declarers(known: Knowledge) -> list[str]:
    """The nations of this turn's joint declaration."""
    seen = events.seen(known.world, known.rules)[known.nation]
    return [known.words.party(entry.nation) for entry in seen if entry.kind == event.JOINT_DECLARATION]


def _factions(known: Knowledge) -> list[str]:
    nations = known.seen["nations"]
    lines = []
    for number, row in enumerate(known.seen["factions"]):
        if not row["active"]:
            continue
        members = [
            known.words.at_place(k)
            for k in range(known.words.seats)
            if nations[k]["alive"] and nations[k]["faction"] == number and k != row["leader"]
        ]
        lines.append(
            f"Faction {number} (name {row['name']}), founded {_turns(row['age'])} ago, land {row['land']}: "
            f"leader {known.words.at_place(int(row['leader']))}"
            + (f"; members {', '.join(members)}" if members else "")
            + (f"; ends in {_turns(row['dissolves_in'])}" if row["dissolves_in"] else "")
        )
    return lines


def _leagues(known: Knowledge) -> list[str]:
    nations, rows = known.seen["nations"], known.seen["bonds"]
    lines = []
    for place, row in enumerate(known.seen["leagues"]):
        if not row["active"]:
            continue
        members = [
            known.words.at_place(k)
            for k in range(known.words.seats)
            if nations[k]["alive"] and rows[k]["league"] == place + 1 and k != row["representative"]
        ]
        lines.append(
            f"Trade league {place + 1} (name {row['name']}): "
            + ", ".join([known.words.at_place(int(row["representative"])), *members])
        )
    return lines
