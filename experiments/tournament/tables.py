"""What the commands print: tables for a terminal."""

from __future__ import annotations

from typing import Any

from hakoenv.experiments.tournament.standings import strangers
from rich.console import Console
from rich.table import Table

_MATRIX = 6  # most entrants whose head-to-head matrix fits a terminal


def show(table: dict[str, Any]) -> None:
    """A tournament: points first, then ratings, head-to-head, endings."""
    console = Console(highlight=False, markup=False)
    console.print(_standings(table))
    field = table["field_points"]
    if field is not None:
        console.print(f"a seat of the field {field['name']}: {_points(field)}", soft_wrap=True)
    console.print(_ratings(table))
    names = [row["entrant"] for row in table["standings"]]
    if 2 <= len(names) <= _MATRIX:
        console.print(_matrix(table, names))
    if strangers(table):
        words = "not all entrants met each other: points of those who did not come from different opponents"
        console.print(words, soft_wrap=True)
    endings = ", ".join(f"{name} {count}" for name, count in table["endings"].items())
    console.print(f"endings: {endings}; {table['mean_turns']:.1f} turns a season", soft_wrap=True)
    _note_stand_ins(console, table["stand_ins"])
    first: dict[str, str] = {}
    for entry in table["forfeits"]:
        first.setdefault(entry["entrant"], entry["reason"])
    for row in table["standings"]:
        if row["forfeits"]:
            words = (
                f"{row['entrant']} forfeits {row['forfeits']}, the first because it {first[row['entrant']]}"
            )
            console.print(words, soft_wrap=True)


def show_pair(found: dict[str, Any]) -> None:
    """Two entrants compared."""
    console = Console(highlight=False, markup=False)
    one, other, gap = found["entrant"], found["against"], found["difference"]
    how = (
        "every seed twice, with seats swapped"
        if found["together"]
        else f"the same seat of the same seeds among {found['field']['name']}"
    )
    title = f"{one['name']} against {other['name']} in {found['scenario']} (rules {found['rules_version']})"
    table = Table(title=f"{title}, {found['seeds']} seeds: {how}", title_justify="left")
    table.add_column("entrant", overflow="fold")
    for heading in ("seasons", "points", "95%", "forfeits"):
        table.add_column(heading, justify="right")
    for side in (one, other):
        table.add_row(
            side["name"],
            str(side["seasons"]),
            f"{side['mean']:.2f}",
            _range(side["interval"]),
            str(side["forfeits"]),
        )
    console.print(table)
    console.print(
        f"difference {gap['mean']:+.2f}, 95% interval over seeds {_range(gap['interval']) or 'unknown'}"
    )
    what = "seasons" if found["together"] else "pairs of seasons"
    console.print(
        f"{one['name']} won {found['won']}, tied {found['tied']}, lost {found['lost']} {what}: "
        f"{found['won_share']:.1%}"
    )
    _note_stand_ins(console, found["stand_ins"])


def show_seats(found: dict[str, Any]) -> None:
    """Points by seat, and the test."""
    console = Console(highlight=False, markup=False)
    name = found["entrants"][0]["name"]
    rules = f"{found['scenario']} (rules {found['rules_version']})"
    title = f"{name} in every seat of {rules}, {found['seasons']} seasons"
    table = Table(title=title, title_justify="left")
    for heading in ("seat", "points", "95%", "wins"):
        table.add_column(heading, justify="right")
    for entry in found["seats"]:
        table.add_row(
            str(entry["seat"]), f"{entry['mean']:.2f}", _range(entry["interval"]), str(entry["wins"])
        )
    console.print(table)
    test = found["test"]
    console.print(
        f"are seats alike? joint permutation test: p = {test['p']:.4f} "
        f"({test['permutations']:,} permutations of the points within seasons; "
        f"statistic {test['statistic']:.3f})",
        soft_wrap=True,
    )
    if found["forfeits"]:
        console.print(f"forfeits: {found['forfeits']}")
    _note_stand_ins(console, found["stand_ins"])


def _note_stand_ins(console: Console, count: int) -> None:
    if count:
        console.print(f"seeds whose maps have too few sites, so that others stood in: {count}")


def _standings(table: dict[str, Any]) -> Table:
    title = f"{table['scenario']} (rules {table['rules_version']}), {table['seasons']} seasons: season points"
    found = Table(title=title, title_justify="left")
    found.add_column("", justify="right")
    found.add_column("entrant", overflow="fold")
    for heading in ("seasons", "points", "±95%", "wins", "rank", "forfeits"):
        found.add_column(heading, justify="right", no_wrap=True)
    for row in table["standings"]:
        found.add_row(
            str(row["place"]),
            row["entrant"],
            str(row["seasons"]),
            f"{row['mean']:.2f}",
            "" if row["half_width"] is None else f"{row['half_width']:.2f}",
            str(row["wins"]),
            f"{row['mean_rank']:.2f}",
            str(row["forfeits"]),
        )
    return found


def _ratings(table: dict[str, Any]) -> Table:
    found = Table(title="Ratings (Bradley-Terry, an average player has 0)", title_justify="left")
    found.add_column("player", overflow="fold")
    for heading in ("rating", "95%"):
        found.add_column(heading, justify="right")
    for entry in table["ratings"]:
        bounds = entry["interval"]
        found.add_row(
            entry["player"],
            f"{entry['rating']:+.0f}",
            "" if bounds is None else f"{bounds[0]:+.0f} .. {bounds[1]:+.0f}",
        )
    return found


def _matrix(table: dict[str, Any], names: list[str]) -> Table:
    pairs = {(entry["entrant"], entry["against"]): entry for entry in table["head_to_head"]}
    found = Table(
        title="Head to head: more points than (row - column), share of seasons ahead", title_justify="left"
    )
    found.add_column("", overflow="fold")
    for name in names:
        found.add_column(name, justify="right", overflow="fold")
    for one in names:
        cells = []
        for other in names:
            entry = pairs.get((one, other))
            met = entry is not None and entry["seasons"] > 0
            cells.append(f"{entry['difference']['mean']:+.1f} {entry['ahead']:.0%}" if entry and met else "")
        found.add_row(one, *cells)
    return found


def _points(entry: dict[str, Any]) -> str:
    bounds = _range(entry["interval"])
    return f"{entry['mean']:.2f} points" + f" ({bounds})" * bool(bounds)


def _range(bounds: list[float] | None) -> str:
    return "" if bounds is None else f"{bounds[0]:.2f} .. {bounds[1]:.2f}"
