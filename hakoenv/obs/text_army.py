"""The sections of the text view about troops: the own ones, those of others, missile bases and monsters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hakoenv.engine import hexgrid
from hakoenv.engine.codes import corps_order, relation, terrain, unit_item
from hakoenv.obs.text_words import Knowledge, counted
from hakoenv.ruleset import codes

DIRECTIONS = ("none", "north-east", "east", "south-east", "south-west", "west", "north-west")
_NEAR = 3  # steps from own cells within which a foreign unit is a threat
_UNIT = 1  # `what` of a sighting
_FREE_TOLD = 3  # corps without units that are named
_STORE = tuple(
    (number, name.lower())
    for name, number in vars(unit_item).items()
    if name.isupper() and name not in ("NONE", "COUNT")
)
_HARDENED = {"odd_turns": 1, "even_turns": 0}  # turn number modulo 2


def army(known: Knowledge) -> list[str]:
    """Upkeep, items, depots, and the corps with their orders and units."""
    own, words = known.seen["own"], known.words
    if not own["alive"]:
        return []
    lines = [
        f"Reserves {own['reserves']}, {own['conscripts']} more next turn, wounded {own['wounded']}, units "
        f"{own['deployed']}. Upkeep a turn: {own['upkeep_funds']} funds, {own['upkeep_fuel']} fuel."
        + (" Fuel fell short: units that burn it took no step." if own["stalled"] else "")
    ]
    store = [f"{own[name]} {words.unit_items[number]}" for number, name in _STORE if own[name]]
    if store:
        lines.append(f"Items in store: {', '.join(store)}.")
    cells = _listed(known.seen["cells"])
    depots = cells[(cells["own"] == 1) & (cells["terrain"] == terrain.DEPOT)]
    if len(depots):
        lines.append("Depots: " + ", ".join(_at(cell) for cell in depots) + ".")
    units = _listed(known.seen["units"])
    free, used = [], False
    for number, corps in enumerate(known.seen["corps"]):
        if corps["units"]:
            size = f"{counted(int(corps['units']), 'unit')}, strength {corps['strength']}"
            lines.append(f"corps {number}: {_order(corps)}; {size}")
            lines += [_unit(known, row) for row in units[units["corps"] == number]]
        else:
            free.append(f"{number} {_order(corps)}")
        used |= bool(corps["units"] or corps["order"] != corps_order.HOLD or corps["direction"])
    if free and used:
        lines.append(f"{len(free)} corps without units, the first: {'; '.join(free[:_FREE_TOLD])}.")
    left_out = int(known.seen["counts"]["units_left_out"])
    return [*lines, f"({counted(left_out, 'further unit')} not listed)"] if left_out else lines


def _order(corps: Any) -> str:
    heading = f", heading {DIRECTIONS[int(corps['direction'])]}" if corps["direction"] else ""
    return corps_order.NAMES[int(corps["order"])] + heading


def _unit(known: Knowledge, row: Any) -> str:
    item = f", carries {known.words.unit_items[int(row['carries'])]}" if row["carries"] else ""
    learned = f", experience {row['experience']} (level {row['level']})" if row["experience"] else ""
    kind = known.words.units[int(row["type"])]
    return f"- {kind} {_at(row)}{_ground(known, row, whose=True)} strength {row['strength']}{learned}{item}"


def _ground(known: Knowledge, row: Any, whose: bool = False) -> str:
    """The terrain under a unit as the nation sees it, and whose it is if not its own, where it is listed."""
    cell = _cell_under(known, row)
    if cell is None:
        return ""
    owner = known.words.at_place(int(cell["owner"]))
    ground = known.words.terrain(cell["terrain"], cell["base"])
    return f" on {ground}" + (f" of {owner}" if whose and not cell["own"] else "")


def _cell_under(known: Knowledge, row: Any) -> Any | None:
    cells = _listed(known.seen["cells"])
    found = cells[(cells["x"] == row["x"]) & (cells["y"] == row["y"])]
    return found[0] if len(found) else None


def bases(known: Knowledge) -> list[str]:
    """Own missile bases, what they reach and how often they fire."""
    cells = _listed(known.seen["cells"])
    further = max((int(missile["range_bonus"]) for missile in known.rules.missiles), default=0)
    return [
        f"{known.words.terrain(cell['terrain'], cell['base'])} {_at(cell)}: range {cell['missile_range']} "
        f"(ballistic {int(cell['missile_range']) + further}), "
        f"{counted(int(cell['missile_shots']), 'missile')} a command, "
        f"experience {cell['experience']}, hits {cell['hits']}"
        for cell in cells[cells["missile_shots"] > 0]
    ]


def threats(known: Knowledge) -> list[str]:
    """Foreign units in sight near own cells: enemies first, then the nearest."""
    found = []
    for row in _sightings(known):
        away = _steps_from_own(known, row)
        if row["what"] == _UNIT and row["age"] == 0 and 0 <= away <= _NEAR:
            state = _state(known, int(row["owner"]))
            place = _cell_under(known, row) if state == relation.WAR and away == 0 else None
            holds = "" if place is None else f", {resistance(known, place)}"
            found.append((-state, away, f"{_sighting(known, row)}; {_away(away)}{holds}"))
    return [line for *_, line in sorted(found, key=lambda entry: entry[:2])]


def resistance(known: Knowledge, cell: Any) -> str:
    """What an own cell has left against occupation, and has when whole; nobody else knows it."""
    return f"resistance {cell['resistance']} of {max(whole_resistance(known, cell), int(cell['resistance']))}"


def whole_resistance(known: Knowledge, cell: Any) -> int:
    """The most resistance of an own cell, without what peace monuments add (ARMY-009)."""
    if cell["capital"]:
        return int(known.rules.scalars[0]["resistance_capital"])
    return int(known.rules.terrains[int(cell["terrain"])]["resistance_max"])


def at_war(known: Knowledge) -> bool:
    """Whether a war of the nation is open."""
    return bool((known.seen["nations"]["state"] == relation.WAR).any())


def others_forces(known: Knowledge) -> list[str]:
    """Foreign units and warships in sight farther off, then those remembered."""
    return [
        _sighting(known, row)
        for row in _sightings(known)
        if row["what"] != _UNIT or row["age"] > 0 or not 0 <= _steps_from_own(known, row) <= _NEAR
    ]


def _sighting(known: Knowledge, row: Any) -> str:
    words = known.words
    names, size = (words.units, "strength") if row["what"] == _UNIT else (words.ships, "hp")
    state = _state(known, int(row["owner"]))
    at_war = " (at war with you)" if state == relation.WAR else ""
    when = "in sight" if row["age"] == 0 else f"seen {counted(int(row['age']), 'turn')} ago"
    whose = words.at_place(int(row["owner"]))
    ground = _ground(known, row) if row["what"] == _UNIT else ""
    return f"{whose}{at_war}: {names[int(row['type'])]} {_at(row)}{ground} {size} {row['strength']}, {when}"


def monsters(known: Knowledge) -> list[str]:
    """Monsters that are listed, the nearest first."""
    cells = _listed(known.seen["cells"])
    found = []
    for cell in cells[cells["monster"] >= 0]:
        beast = known.rules.monsters[int(cell["monster"])]
        hardened = _HARDENED.get(codes.HARDENING[int(beast["hardening"])])
        hard = ", hits have no effect next turn" if hardened == (known.turn + 1) % 2 else ""
        away = _steps_from_own(known, cell)
        owner = "" if cell["owner"] < 0 else f" on land of {known.words.at_place(int(cell['owner']))}"
        name = known.words.monsters[int(cell["monster"])]
        found.append((away, f"{name} {_at(cell)} hp {cell['monster_hp']}{owner}{hard}; {_away(away)}"))
    return [line for _, line in sorted(found, key=lambda entry: entry[0])]


def _state(known: Knowledge, place: int) -> int:
    """The relation to the nation at a place; peace with neutrals."""
    return int(known.seen["nations"][place]["state"]) if place > 0 else relation.PEACE


def _steps_from_own(known: Knowledge, row: Any) -> int:
    """Steps to the nearest own cell that is listed, -1 if there is none."""
    width = int(known.seen["clock"]["width"])
    cells = _listed(known.seen["cells"])
    here = int(row["y"]) * width + int(row["x"])
    own = cells[cells["own"] == 1]
    places = (own["y"].astype(int) * width + own["x"]).tolist()
    return min((int(hexgrid.distance(width, here, place)) for place in places), default=-1)


def _away(steps: int) -> str:
    return "on your land" if steps == 0 else f"{counted(steps, 'step')} from your land"


def _at(row: Any) -> str:
    return f"({row['x']},{row['y']})"


def _sightings(known: Knowledge) -> Iterable[Any]:
    rows = known.seen["sightings"]
    return list(rows[rows["what"] > 0])


def _listed(rows: Any) -> Any:
    return rows[rows["listed"] == 1]
