"""What happened in the last turn, in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from hakoenv.engine.codes import deposit, ending, event
from hakoenv.obs import events
from hakoenv.obs.events import Happening
from hakoenv.obs.text_words import Knowledge, Words, counted
from hakoenv.ruleset import codes

_Teller: TypeAlias = Callable[[Words, Happening], str]


def happenings(known: Knowledge) -> list[str]:
    """What happened in the last turn, as far as the nation knows."""
    lines: list[str] = []
    seen = events.seen(known.world, known.rules)[known.nation]
    left = [entry for entry in seen if not _is_others_market(known, entry)]
    while left:
        entry, *left = left
        answer = _answer_to(entry, left)
        if answer is not None:
            left.remove(answer)
        lines.append(_happening(known, entry, answer))
    return lines


def _is_others_market(known: Knowledge, entry: Happening) -> bool:
    """Whether it tells of an auction between others: those that are open have a section of their own."""
    return entry.kind in _MARKET and known.nation not in (entry.nation, entry.other)


def _answer_to(entry: Happening, later: Sequence[Happening]) -> Happening | None:
    """The counter to an attack: it follows at once, or after what the attack cost."""
    if entry.kind != event.BATTLE:
        return None
    for follower in later:
        if follower == entry._replace(kind=event.COUNTERED, amount=follower.amount):
            return follower
        if follower.kind != event.UNIT_LOST:
            break
    return None


def _happening(known: Knowledge, entry: Happening, answer: Happening | None) -> str:
    place = ""
    if entry.cell >= 0:
        y, x = divmod(entry.cell, known.world.cells.shape[1])
        place = f" ({x},{y})"
    if entry.kind == event.BATTLE:
        return f"battle{place}: {_battle(known, entry, answer)}"
    if entry.kind in _TOLD:
        return f"{event.NAMES[entry.kind].replace('_', ' ')}{place}: {_TOLD[entry.kind](known.words, entry)}"
    whose = "" if entry.nation in (events.NOBODY, known.nation) else f"{known.words.nation(entry.nation)}: "
    told = _AMOUNTS.get(entry.kind)
    amount = f" {told(known.words, entry)}" if told else ""
    return f"{whose}{event.NAMES[entry.kind].replace('_', ' ')}{place}{amount}"


def _battle(known: Knowledge, entry: Happening, answer: Happening | None) -> str:
    """Who attacked, what that cost both sides, and which own unit stands there now."""
    ours = entry.nation == known.nation
    attacker, target = ("your unit", f"one of {known.words.party(entry.other)}") if ours else (
        f"a unit of {known.words.party(entry.nation)}", "yours")  # fmt: skip
    words = f"{attacker} attacked {target}, which lost {entry.amount}"
    words += f"; the attacker lost {answer.amount}" if answer is not None else "; no counter"
    width = known.world.cells.shape[1]
    for row in known.seen["units"]:
        if not ours and row["listed"] and int(row["y"]) * width + int(row["x"]) == entry.cell:
            kind = known.words.units[int(row["type"])]
            words += f" (there now: your {kind} strength {row['strength']}, corps {row['corps']})"
    return words


def _missile(words: Words, entry: Happening) -> str:
    down = entry.amount < 0
    kind = words.missiles[-1 - entry.amount if down else entry.amount]
    return f"{kind} of {words.party(entry.nation)}" + (" was shot down" if down else "")


def _killed(words: Words, entry: Happening) -> str:
    by = f"by {words.party(entry.nation)}" if entry.nation >= 0 else "by a defense facility"
    return f"{words.monsters[entry.amount]} {by}"


def _parties(words: str) -> _Teller:
    """Two nations and what is between them."""
    return lambda names, entry: words.format(names.party(entry.nation), names.party(entry.other))


def _captured(words: Words, entry: Happening) -> str:
    told = f"{words.party(entry.nation)} took it from {words.party(entry.other)}"
    concerned = words.observer in (entry.nation, entry.other)
    return f"{told} ({words.terrain(entry.amount, entry.amount)})" if concerned else told


def _thing(words: Words, what: str, nation: int) -> str:
    """A thing of a nation: `your ship`, `a ship of nation_3 Aoba`; without owner as it is."""
    if nation < 0:
        return f"a {what}"
    return f"your {what}" if nation == words.observer else f"a {what} of {words.party(nation)}"


def _sea_battle(words: Words, entry: Happening) -> str:
    target = _thing(words, "pirate" if entry.other < 0 else "ship", entry.other)
    return f"{_thing(words, 'warship', entry.nation)} hit {target}, which lost {entry.amount} hp"


def _sunk(words: Words, entry: Happening) -> str:
    by = "" if entry.other < 0 else f", by {words.party(entry.other)}"
    return _thing(words, words.ships[entry.amount], entry.nation) + by


def _bombarded(words: Words, entry: Happening) -> str:
    place = _thing(words, words.terrain(entry.amount, entry.amount), entry.other)
    return f"{_thing(words, 'shell', entry.nation)} hit {place}"


def _mine_struck(words: Words, entry: Happening) -> str:
    mine = _thing(words, "mine", entry.other)
    return f"{_thing(words, 'ship', entry.nation)} ran on {mine} and lost {entry.amount} hp"


def _landed(words: Words, entry: Happening) -> str:
    where = "free land" if entry.other < 0 else _thing(words, "cell", entry.other)
    return f"{_thing(words, 'unit', entry.nation)} of strength {entry.amount} went ashore on {where}"


def _returned(words: Words, entry: Happening) -> str:
    why = "found no buyer" if entry.other < 0 else f"may not go to {words.party(entry.other)}"
    return f"lot {entry.amount} of {words.party(entry.nation)} {why}"


def _breach(words: Words, entry: Happening) -> str:
    what, other = words.item(entry.amount), words.party(entry.other)
    return f"{words.party(entry.nation)} broke its contract with {other} ({what})"


def _deal(amount: int) -> str:
    return f"regular shipments (offer {amount})" if amount else "an exchange"


_MARKET = (event.LOT_LISTED, event.LOT_SOLD, event.LOT_RETURNED)
_TOLD: dict[int, _Teller] = {
    event.WAR_DECLARED: _parties("{} on {}"),
    event.WAR_OPENED: _parties("{} and {}"),
    event.PEACE: _parties("{} and {}"),
    event.AMITY: _parties("{} and {}"),
    event.AMITY_ENDED: _parties("{} toward {}"),
    event.CEASEFIRE_OFFERED: _parties("by {} to {}"),
    event.AMITY_OFFERED: _parties("by {} to {}"),
    event.CELL_CAPTURED: _captured,
    event.CELL_CEDED: _parties("by {} to {}"),
    event.COUNTERED: lambda words, entry: f"the attacker, {words.party(entry.nation)}, lost {entry.amount}",
    event.MISSILE: _missile,
    event.MONSTER_KILLED: _killed,
    event.SEA_BATTLE: _sea_battle,
    event.SHIP_SUNK: _sunk,
    event.BOMBARDED: _bombarded,
    event.MINE_STRUCK: _mine_struck,
    event.LANDED: _landed,
    event.SHIP_MET: lambda words, entry: "your ship was stopped there by something unseen",
    event.SUPPLY_BREACH: _breach,
    event.LOT_LISTED: lambda words, entry: f"lot {entry.amount} of {words.party(entry.nation)}",
    event.LOT_SOLD: lambda words, entry: (
        f"by {words.party(entry.nation)} to {words.party(entry.other)} for {entry.amount} funds"
    ),
    event.LOT_RETURNED: _returned,
    event.OUTBID: lambda words, entry: (
        f"{words.party(entry.nation)} on lot {entry.amount}, by {words.party(entry.other)}"
    ),
    event.DEAL_OFFERED: lambda words, entry: (
        f"{_deal(entry.amount)} by {words.party(entry.nation)} to {words.party(entry.other)}"
    ),
    event.DEAL_AGREED: lambda words, entry: (
        f"{words.party(entry.nation)} accepted {_deal(entry.amount)} of {words.party(entry.other)}"
    ),
    event.DELIVERED: lambda words, entry: (
        f"{entry.amount} units from {words.party(entry.nation)} to {words.party(entry.other)}"
    ),
    event.FACTION_FOUNDED: lambda words, entry: f"faction {entry.amount} by {words.party(entry.nation)}",
    event.FACTION_APPLIED: _parties("{} to the faction of {}"),
    event.FACTION_REFUSED: _parties("{} by {}"),
    event.FACTION_JOINED: _parties("{}, the faction of {}"),
    event.FACTION_LEFT: _parties("{}, the faction of {}"),
    event.FACTION_EXPELLED: _parties("{} by {}"),
    event.FACTION_OFFERED: _parties("the leadership, by {} to {}"),
    event.FACTION_LED: lambda words, entry: (
        f"faction {entry.amount} by {words.party(entry.nation)}"
        + (f", after {words.party(entry.other)}" if entry.other >= 0 else "")
    ),
    event.FACTION_RENAMED: lambda words, entry: (
        f"that of {words.party(entry.nation)}, to name {entry.amount}"
    ),
    event.FACTION_NOTICE: lambda words, entry: (
        f"{words.party(entry.nation)} announced the end of its faction, in turn {entry.amount}"
    ),
    event.FACTION_KEPT: lambda words, entry: f"that of {words.party(entry.nation)} goes on",
    event.FACTION_DEMANDED: _parties("{} demands another leader than {}"),
    event.FACTION_ENDED: lambda words, entry: (
        f"faction {entry.amount}" + (f", led by {words.party(entry.nation)}" if entry.nation >= 0 else "")
    ),
    event.LEAGUE_FOUNDED: lambda words, entry: f"trade league {entry.amount} by {words.party(entry.nation)}",
    event.LEAGUE_JOINED: lambda words, entry: f"trade league {entry.amount} by {words.party(entry.nation)}",
    event.LEAGUE_LEFT: lambda words, entry: f"trade league {entry.amount} by {words.party(entry.nation)}",
    event.LEAGUE_ENDED: lambda words, entry: f"trade league {entry.amount}",
    event.CONTAINMENT_FORMED: lambda words, entry: f"against {words.party(entry.nation)}",
    event.CONTAINMENT_ENDED: lambda words, entry: f"against {words.party(entry.nation)}",
    event.CONTAINMENT_JOINED: _parties("{}, against {}"),
    event.CONTAINMENT_LEFT: _parties("{}, against {}"),
    event.JOINT_DECLARATION: _parties("of war, by {} on {}"),
    event.PACT_ENTERED: _parties("{} enters the war against {} for a fellow member"),
    event.RESERVES_SENT: lambda words, entry: (
        f"{entry.amount} from {words.party(entry.nation)} to {words.party(entry.other)}"
        + (", by warship" if entry.cell >= 0 else ", over land")
    ),
    event.RESERVES_ARRIVED: lambda words, entry: (
        f"{entry.amount} of {words.party(entry.nation)} for {words.party(entry.other)}"
    ),
    event.RESERVES_RETURNED: lambda words, entry: (
        f"{entry.amount} of {words.party(entry.nation)}, which did not reach {words.party(entry.other)}"
    ),
    event.RESERVES_LOST: lambda words, entry: (
        f"{entry.amount} of {words.party(entry.nation)} for {words.party(entry.other)}, with their ship"
    ),
    event.RAIDED: lambda words, entry: (
        f"pirates took {entry.amount} units of goods, or of funds, from your private ship"
    ),
    event.WHALE_HIT: lambda words, entry: f"your warship hit a sea monster, which lost {entry.amount} hp",
}
"""Kinds that take a sentence."""
_AMOUNTS: dict[int, _Teller] = {
    event.CELL_CLAIMED: lambda words, entry: (
        "free land" if entry.other < 0 else f"from {words.party(entry.other)}"
    ),
    event.NEW_TOWN: lambda words, entry: f"population {entry.amount}",
    event.METROPOLIS: lambda words, entry: f"population {entry.amount}",
    event.METROPOLIS_LOST: lambda words, entry: f"population {entry.amount}",
    event.FACILITY_BUILT: lambda words, entry: words.terrain(entry.amount, entry.amount),
    event.FACILITY_RAISED: lambda words, entry: f"to {entry.amount}",
    event.FAMINE: lambda words, entry: f"{entry.amount} food short",
    event.RESEARCH_DONE: lambda words, entry: codes.RESEARCH_BRANCHES[entry.amount],
    event.DEPOSIT_FOUND: lambda words, entry: deposit.NAMES[entry.amount].replace("_", " "),
    event.SEASON_ENDED: lambda words, entry: ending.NAMES[entry.amount].replace("_", " "),
    event.LAND_ABANDONED: lambda words, entry: counted(entry.amount, "cell"),
    event.FIRE: lambda words, entry: (
        f"{entry.amount} people lost (units of 100)" if entry.amount else "burnt down"
    ),
    event.MINE_COLLAPSED: lambda words, entry: f"level {entry.amount} left",
    event.TURN_CUP: lambda words, entry: f"{entry.amount} funds and an item",
    event.UNIT_LOST: lambda words, entry: f"of strength {entry.amount}",
    event.MONSTER_APPEARED: lambda words, entry: words.monsters[entry.amount],
    event.MONSTER_TRAMPLED: lambda words, entry: f"by {words.monsters[entry.amount]}",
    event.ITEM_WON: lambda words, entry: words.unit_items[entry.amount],
}
"""How the amount of an event is told."""
