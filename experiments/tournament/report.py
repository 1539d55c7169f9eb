"""A tournament as one page that needs nothing else: figures, plots, and what they mean."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from typing import Any

from hakoenv.experiments.tournament import fields, standings, svg
from hakoenv.experiments.tournament.page_style import LINES, STYLE

Record = dict[str, Any]

_MOST_FORFEITS = 50
_POINTS = (
    "Every season gives 100 season points in all. If it is played to its last turn, or stopped, they "
    "are shared by territory, population and assets; a nation that conquers gets all of them, an "
    "alliance that does shares them, and who has fallen gets none. Who forfeits a season gets 0 for it, "
    "and what it had goes to the others in proportion to their points; where all forfeit nobody gets "
    "anything. An entrant is ranked by its mean over the seasons that it played. Points hold only "
    "against these opponents, in this scenario, under these rules."
)
_INTERVALS = (
    "Intervals are 95 percent intervals of the mean over seasons (Student's t). Two entrants whose "
    "intervals overlap may well be equally good: the difference in the head-to-head table, from the "
    "same seasons, tells more."
)
_STRANGERS = (
    "Not all of these entrants met each other (see below, head to head): points of those who did not come "
    "from different opponents and do not compare. Fewer entrants, or more seats, make all of them meet."
)
_MATRIX = (
    "The row's points less the column's, over the seasons in which both played; below, the share of "
    "these in which the row had more (ties half), and how many there were."
)
_RATINGS = (
    "Bradley-Terry ratings of who had more points than whom, all seasons at once, so that their order "
    "has no influence; ties count half. 400 more means ten to one on having more points. Everybody is "
    "taken to have drawn one more season against an average player, whose rating is 0. Intervals by "
    "drawing seasons anew 1,000 times. A rating does not say by how much somebody is ahead: points "
    "decide."
)


def page(table: dict[str, Any], records: Sequence[Record]) -> str:
    """The page.

    Args:
        table: as `table.json` holds it.
        records: of the seasons, in order.

    Returns:
        HTML.
    """
    title = f"Tournament: {table['scenario']}, {table['seasons']:,} seasons"
    names = [row["entrant"] for row in table["standings"]]
    parts = [
        f"<h1>{escape(title)}</h1>",
        _about(table),
        f"<p>{_POINTS}</p>",
        "<h2>Season points</h2>",
        _standings(table),
        _point_plot(table),
        f'<p class="soft">{_INTERVALS}</p>',
        f"<p>{_STRANGERS}</p>" if standings.strangers(table) else "",
        "<h2>How the means came about</h2>",
        svg.courses([(name, _course(name, records)) for name in names[:LINES]], "Mean points by season"),
        "<h2>Points of single seasons</h2>",
        _histograms(names, records),
        "<h2>Ratings</h2>",
        _rating_plot(table),
        _ratings(table),
        f'<p class="soft">{_RATINGS}</p>',
        "<h2>Head to head</h2>",
        _matrix(table, names),
        f'<p class="soft">{_MATRIX}</p>',
        "<h2>How seasons ended</h2>",
        _endings(table),
        _forfeits(table),
    ]
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body>\n</html>\n"
    )


def _about(table: dict[str, Any]) -> str:
    field = table["field"]
    words = fields.FIELDS[field["name"]].words if field["name"] in fields.FIELDS else field["driver"]
    changed = (
        json.dumps(table["overrides"], ensure_ascii=False, sort_keys=True) if table["overrides"] else "none"
    )
    first, last = table["seeds"]
    stood_in = table["stand_ins"]
    others = f"; {stood_in:,} of their maps have too few sites, so that others stood in" if stood_in else ""
    rows = [
        ("scenario", table["scenario"]),
        ("rules", f"version {table['rules_version']}, changed constants: {changed}"),
        ("field", f"{field['name']}: {words}" + ("" if table["field_points"] else " (had no seat)")),
        ("seeds", f"{first} to {last}, each used once, none of them used for training{others}"),
        ("last turn", "the scenario's" if table["turns"] is None else str(table["turns"])),
        ("time limit", f"{table['turn_seconds']:g} s a turn"),
        ("seasons", f"{table['seasons']:,}" + _until(table)),
        ("entrants", ", ".join(_spec(entry) for entry in table["entrants"])),
    ]
    return (
        "<dl>" + "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in rows) + "</dl>"
    )


def _until(table: dict[str, Any]) -> str:
    half = table["until"]
    return "" if half is None else f"; to end once every interval is within {half:g} points of its mean"


def _spec(entry: dict[str, Any]) -> str:
    return entry["name"] if entry["name"] == entry["spec"] else f"{entry['name']} = {entry['spec']}"


def _standings(table: dict[str, Any]) -> str:
    rows = [
        [
            str(row["place"]),
            row["entrant"],
            f"{row['mean']:.2f}",
            _range(row["interval"]),
            f"{row['seasons']:,}",
            f"{row['wins']:,}",
            f"{row['mean_rank']:.2f}",
            f"{row['forfeits']:,}",
        ]
        for row in table["standings"]
    ]
    field = table["field_points"]
    if field is not None:
        rows.append(["", f"(a seat of {field['name']})", f"{field['mean']:.2f}", _range(field["interval"]),
                     f"{field['seasons']:,}", "", "", ""])  # fmt: skip
    return _table(
        ["", "entrant", "points", "95%", "seasons", "wins", "mean rank", "forfeits"], rows, names={1}
    )


def _point_plot(table: dict[str, Any]) -> str:
    rows = [_whisker(row["entrant"], row["mean"], row["interval"], 2) for row in table["standings"]]
    if table["field_points"] is not None:
        entry = table["field_points"]
        rows.append(_whisker(f"a seat of {entry['name']}", entry["mean"], entry["interval"], 2))
    even = 100 / table["seats"]
    return svg.whiskers(
        rows, "Mean season points with 95 percent intervals", even, f"an even share, {even:.4g} points"
    )


def _rating_plot(table: dict[str, Any]) -> str:
    rows = [_whisker(entry["player"], entry["rating"], entry["interval"], 0) for entry in table["ratings"]]
    return svg.whiskers(rows, "Ratings with 95 percent intervals", 0.0, "an average player")


def _whisker(name: str, value: float, interval: Sequence[float] | None, digits: int) -> svg.Whisker:
    bounds = "" if interval is None else f" ({interval[0]:.{digits}f} to {interval[1]:.{digits}f})"
    return svg.Whisker(name, value, interval, f"{value:.{digits}f}{bounds}")


def _ratings(table: dict[str, Any]) -> str:
    rows = [
        [
            entry["player"],
            f"{entry['rating']:+.0f}",
            "" if entry["interval"] is None else _range(entry["interval"], 0),
        ]
        for entry in table["ratings"]
    ]
    return _table(["player", "rating", "95%"], rows, names={0})


def _histograms(names: Sequence[str], records: Sequence[Record]) -> str:
    points = {name: _points(name, records) for name in names}
    top = max((max(svg.counted(values)) for values in points.values()), default=1)
    return (
        '<div class="small">' + "".join(svg.histogram(points[name], name, top) for name in names) + "</div>"
    )


def _matrix(table: dict[str, Any], names: Sequence[str]) -> str:
    pairs = {(entry["entrant"], entry["against"]): entry for entry in table["head_to_head"]}
    head = "<th></th>" + "".join(f'<th class="n">{escape(name)}</th>' for name in names)
    body = []
    for one in names:
        cells = "".join(_cell(pairs.get((one, other))) for other in names)
        body.append(f'<tr><td class="name">{escape(one)}</td>{cells}</tr>')
    return _framed(head, "".join(body))


def _cell(entry: dict[str, Any] | None) -> str:
    """A pair, tinted by who is ahead."""
    if entry is None:
        return '<td class="n m"></td>'
    if not entry["seasons"]:
        return '<td class="n m soft">never met</td>'
    share = entry["ahead"]
    colour, depth = ("accent", share - 0.5) if share >= 0.5 else ("warm", 0.5 - share)
    tint = f"background: color-mix(in srgb, var(--{colour}) {round(60 * depth)}%, transparent)"
    return (
        f'<td class="n m" style="{tint}">{entry["difference"]["mean"]:+.2f}'
        f"<small>{share:.0%} of {entry['seasons']:,}</small></td>"
    )


def _endings(table: dict[str, Any]) -> str:
    rows = [
        [name.replace("_", " "), f"{count:,}", f"{count / table['seasons']:.1%}"]
        for name, count in table["endings"].items()
    ]
    turns = f'<p class="soft">{table["mean_turns"]:.1f} turns a season.</p>'
    return _table(["ending", "seasons", "share"], rows, names={0}) + turns


def _forfeits(table: dict[str, Any]) -> str:
    found = table["forfeits"]
    if not found:
        return ""
    rows = [
        [entry["entrant"], entry["reason"], entry["id"], str(entry["seat"]), str(entry["turn"])]
        for entry in found[:_MOST_FORFEITS]
    ]
    more = f'<p class="soft">and {len(found) - len(rows):,} more</p>' if len(found) > len(rows) else ""
    return (
        "<h2>Forfeits</h2>" + _table(["entrant", "why", "season", "seat", "turn"], rows, names={0, 1}) + more
    )


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], names: set[int]) -> str:
    """A table whose columns are numbers, except for ``names``."""
    top = "".join(f"<th{_kind(k, names)}>{escape(head)}</th>" for k, head in enumerate(heads))
    body = "".join(
        "<tr>" + "".join(f"<td{_kind(k, names)}>{escape(cell)}</td>" for k, cell in enumerate(row)) + "</tr>"
        for row in rows
    )
    return _framed(top, body)


def _framed(head: str, body: str) -> str:
    """A table that scrolls where the screen is small."""
    rows = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return f'<div class="scroll"><table>{rows}</table></div>'


def _kind(column: int, names: set[int]) -> str:
    return ' class="name"' if column in names else ' class="n"'


def _points(name: str, records: Sequence[Record]) -> list[float]:
    return [float(r["points"][r["seats"].index(name)]) for r in records if name in r["seats"]]


def _course(name: str, records: Sequence[Record]) -> list[tuple[int, float]]:
    """Mean points after each season that an entrant played."""
    found: list[tuple[int, float]] = []
    total = 0.0
    for number, record in enumerate(records, start=1):
        if name in record["seats"]:
            total += record["points"][record["seats"].index(name)]
            found.append((number, total / (len(found) + 1)))
    return found


def _range(bounds: Sequence[float] | None, digits: int = 2) -> str:
    return "" if bounds is None else f"{bounds[0]:.{digits}f} to {bounds[1]:.{digits}f}"
