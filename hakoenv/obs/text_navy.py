"""The sections of the text view about the sea: own ships by fleet, mines of others in sight, wrecks."""

from __future__ import annotations

from typing import Any

from hakoenv.engine.codes import fleet_mode, ship_class, terrain
from hakoenv.obs.text_words import Knowledge, counted

_WITHOUT = -1  # fleet of a ship that is in none
_CLASSES = (  # those that research changes
    *range(ship_class.FIRST_WARSHIP, ship_class.MERCHANT + 1),
    ship_class.LARGE_MERCHANT,
    ship_class.FISHING_BOAT,
)


def ships(known: Knowledge) -> list[str]:
    """Limits, fleets with their ships, and what research makes of the ship classes (NAVY-007)."""
    own = known.seen["own"]
    rows = _listed(known.seen["ships"])
    rows = rows[rows["ship_class"] <= ship_class.LAST_WARSHIP]  # private ones: text_trade.py
    lines = []
    if own["naval_ports"] or own["warships"] or own["naval_mines"]:
        lines.append(
            f"Naval ports {own['naval_ports']}; warships {own['warships']}, {own['warships_more']} more may "
            f"be built; naval mines {own['naval_mines']}, {own['naval_mines_more']} more may be laid."
        )
    for number, fleet in enumerate(known.seen["fleets"]):
        if fleet["ships"]:
            lines.append(f"fleet {number}: {counted(int(fleet['ships']), 'ship')}{_course(fleet)}")
            lines += [f"- {_ship(known, row)}" for row in rows[rows["fleet"] == number]]
    lines += [_ship(known, row) for row in rows[rows["fleet"] == _WITHOUT]]
    left_out = int(known.seen["counts"]["ships_left_out"])
    if left_out:
        lines.append(f"({counted(left_out, 'further ship')} not listed)")
    return [*lines, _classes(known)] if lines else []


def _course(fleet: Any) -> str:
    """Where a fleet is bound."""
    course = f", bound for ({fleet['target_x']},{fleet['target_y']})" if fleet["target_x"] >= 0 else ""
    if fleet["legs"]:
        left = counted(int(fleet["legs"]), "waypoint")
        course += f", {left} left, the next ({fleet['next_x']},{fleet['next_y']})"
    return course


def _ship(known: Knowledge, row: Any) -> str:
    mode = int(row["mode"])
    return (
        f"{known.words.ships[int(row['ship_class'])]} {_at(row)} hp {row['hp']} of {row['hp_max']}"
        f", speed {row['speed']}"
        + (f", experience {row['experience']}" if row["experience"] else "")
        + (", flagship" if row["flagship"] else "")
        + (", escort" if row["escort"] else "")
        + (f", mode {fleet_mode.NAMES[mode]}" if mode != fleet_mode.NORMAL else "")
        + (f", {row['strength_aboard']} strength aboard" if row["units_aboard"] else "")
    )


def _classes(known: Knowledge) -> str:
    """The class table with the own research: base / effective."""
    told = []
    for kind in _CLASSES:
        base, now = known.rules.ship_classes[kind], known.seen["ship_classes"][kind]
        told.append(
            f"{known.words.ships[kind]} {base['damage']}/{now['damage']}, {base['speed']}/{now['speed']}, "
            f"{base['capacity_containers']}/{now['containers']}"
        )
    return "Damage, speed, containers of ship classes (base/yours): " + "; ".join(told) + "."


def waters(known: Knowledge) -> list[str]:
    """Mines of others in sight, and wrecks, where they are listed."""
    cells = _listed(known.seen["cells"])
    mines = cells[(cells["terrain"] == terrain.NAVAL_MINE) & (cells["own"] == 0)]
    lines = [
        f"naval mine {_at(cell)} of {known.words.at_place(int(cell['owner']))}, strength {cell['level']}"
        for cell in mines
    ]
    for cell in cells[cells["wreck"] > 0]:
        kind, age = known.words.ships[int(cell["wreck"])], counted(int(cell["wreck_age"]), "turn")
        lines.append(f"wreck of a {kind} {_at(cell)}, sunk {age} ago")
    return lines


def _at(row: Any) -> str:
    return f"({row['x']},{row['y']})"


def _listed(rows: Any) -> Any:
    return rows[rows["listed"] == 1]
