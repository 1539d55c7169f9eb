"""The sections of the text view: each turns pieces of the observation into lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hakoenv.engine.codes import deposit, ending, item, reason
from hakoenv.obs.text_army import army, bases, monsters, others_forces, ships, threats
from hakoenv.obs.text_diplomacy import PORTS, neighbours, others, war_and_peace
from hakoenv.obs.text_economy import market, private_sector
from hakoenv.obs.text_events import happenings
from hakoenv.obs.text_words import Knowledge
from hakoenv.render import ansi
from hakoenv.ruleset import codes

_POLICIES = ("light", "heavy", "advanced")
_MARGIN = 2  # cells of the map shown around the own land
_MAP_WIDTH = 36
_MAP_HEIGHT = 24


def situation(known: Knowledge) -> list[str]:
    """Turn, nation, means and settings."""
    clock, own = known.seen["clock"], known.seen["own"]
    turn, last = int(clock["turn"]), int(clock["max_turns"])
    lines = [
        f"Turn {turn} of {last} is over; conquest counts from turn {clock['conquest_from']}. You are "
        f"{known.words.nation(known.nation)}. Nations alive: {clock['living']} of {clock['seats']}. Free "
        f"land: {clock['free_land']} of {clock['all_land']} cells."
    ]
    if clock["ending"]:
        lines.append(f"The season has ended: {ending.NAMES[int(clock['ending'])]}.")
    if not own["alive"]:
        return [*lines, "Your nation is not on the map (fallen or never founded)."]
    lines += [
        f"Capital ({own['capital_x']},{own['capital_y']}); population {own['population']} (units of 100) in "
        f"{own['towns']} towns, rank {own['rank']}; area {own['area']} cells, {own['land']} of them land; "
        f"power score {own['power_score']}; mean assets {own['mean_assets']} funds.",
        "Stocks (change, capacity, private sector): "
        + "; ".join(_stock(known, k) for k in _item_order())
        + ".",
        f"Food: needs {own['rations']} and makes {own['food_made']} a turn; the stock alone lasts "
        f"{own['food_turns']} turns." + (" FAMINE." if own["famine"] else ""),
        f"Workers (units of 100): agriculture {own['workers_agriculture']} of {own['farm_jobs']} jobs, "
        f"industry {own['workers_industry']} of {own['industry_jobs']}, commerce {own['workers_commerce']}, "
        f"without a job {own['workers_idle']}; shares {own['share_agriculture']}/{own['share_industry']}/"
        f"{own['share_commerce']} percent.",
        f"Fuel: industry got {own['fuel_used']} of {own['fuel_need']} ({own['fuel_percent']} percent), power "
        f"plants {own['plant_fuel']} for {own['plant_levels']} levels; mines and refineries made "
        f"{own['fuel_made']}. Power plants: {own['generating_capacity']} thousand kW.",
        f"Output of the last turn: factories {own['industry_value']} funds at base prices, fields "
        f"{own['farm_food']} food, expected sales of goods {own['commerce_value']} funds, all before a lack "
        "of fuel.",
        f"Industrial policy: {_POLICIES[int(own['policy'])]}"
        + (f", next turn {_POLICIES[int(own['policy_next'])]}" if own["policy"] != own["policy_next"] else "")
        + (f" (changed {own['policy_age']} turns ago)" if own["policy_age"] >= 0 else "")
        + f". Tariff {own['tariff']}, transit fee {own['transit_fee']} percent, ports "
        f"{PORTS[min(int(own['port_policy']), len(PORTS) - 1)]}.",
        f"Research: production {own['research_production']}, military {own['research_military']}, shipping "
        f"{own['research_shipping']}" + _research(own) + ".",
        f"Army: strength {own['strength']} ({own['deployed']} deployed, {own['reserves']} in reserve).",
    ]
    zones = ", ".join(
        f"{zone} {codes.WEATHERS[int(number)]}"
        for zone, number in zip(codes.CLIMATES, known.seen["weather"], strict=True)
    )
    return [*lines, f"Weather: {zones}."]


def _item_order() -> list[int]:
    return [item.FUNDS, item.FOOD, *range(item.FOOD)]


def _stock(known: Knowledge, what: int) -> str:
    row, name = known.seen["stocks"][what], known.words.item(what)
    return f"{name} {row['treasury']} ({int(row['change']):+d}, {row['capacity']}, {row['private']})"


def _research(own: Any) -> str:
    branch = int(own["research_branch"])
    if branch < 0:
        return "; none running"
    return f"; {codes.RESEARCH_BRANCHES[branch]} running, {own['research_turns_left']} turns left"


def results(known: Knowledge) -> list[str]:
    """What became of the last turn's commands, with reasons."""
    return [
        f"{k}. {known.words.order(row)}: {reason.SENTENCES.get(int(row['reason']), 'not carried out')}"
        for k, row in enumerate(_listed(known.seen["results"]), 1)
    ]


def plan(known: Knowledge) -> list[str]:
    """The commands that wait."""
    waiting = [f"{k}. {known.words.order(row)}" for k, row in enumerate(_listed(known.seen["plan"]), 1)]
    if known.seen["own"]["plan_cut"]:
        waiting.append(f"({known.seen['own']['plan_cut']} commands were cut: the plan was full)")
    return waiting or (
        ["No command waits: the nation would fundraise."] if known.seen["own"]["alive"] else []
    )


def land(known: Knowledge) -> list[str]:
    """Own cells by terrain, those with most people or the highest level first."""
    cells = _listed(known.seen["cells"])
    lines = _by_terrain(known, cells[cells["own"] == 1])
    left_out = int(known.seen["counts"]["cells_left_out"])
    if left_out:
        lines.append(f"({left_out} further cells are not listed in this turn)")
    return lines


def beside(known: Knowledge) -> list[str]:
    """Land and deposits beside the own land that nobody owns."""
    cells = _listed(known.seen["cells"])
    free = cells[(cells["owner"] < 0) & (cells["own_beside"] > 0)]
    return _by_terrain(known, free[(free["land"] == 1) | (free["deposit"] > 0)])


def _by_terrain(known: Knowledge, cells: Any) -> list[str]:
    groups: dict[str, list[Any]] = {}
    for cell in cells:
        groups.setdefault(known.words.terrain(cell["terrain"], cell["base"]), []).append(cell)
    lines = []
    for name, group in groups.items():
        group.sort(key=lambda cell: (-int(cell["capital"]), -int(cell["population"]), -int(cell["level"])))
        lines.append(f"{name} ({len(group)}): " + ", ".join(_cell(cell) for cell in group))
    return lines


def _cell(cell: Any) -> str:
    notes = []
    if cell["capital"]:
        notes.append("capital")
    if cell["population"]:
        notes.append(f"pop {cell['population']}")
    if cell["level"]:
        notes.append(f"level {cell['level']}")
    if cell["deposit"]:
        notes.append(deposit.NAMES[int(cell["deposit"])].replace("_", " "))
    if cell["pile"]:
        notes.append(f"pile {cell['pile']}")
    if cell["hits"]:
        notes.append(f"hits {cell['hits']}")
    if cell["tunnel"]:
        notes.append("tunnel")
    if cell["planned"]:
        notes.append(f"plan {cell['planned']}")
    return f"({cell['x']},{cell['y']})" + (f" {' '.join(notes)}" if notes else "")


def chart(known: Knowledge) -> list[str]:
    """The map around the own land, and what its signs mean."""
    cells = _listed(known.seen["cells"])
    own = cells[cells["own"] == 1]
    if not len(own):
        return []
    height, width = known.world.cells.shape
    left, right = _window(own["x"], int(known.seen["own"]["capital_x"]), width, _MAP_WIDTH)
    top, bottom = _window(own["y"], int(known.seen["own"]["capital_y"]), height, _MAP_HEIGHT)
    rows = ansi.ansi_map(known.world, known.rules, colour=False, viewer=known.nation).split("\n")
    drawn = []
    signs: set[str] = set()
    for y in range(top, bottom + 1):  # odd rows begin with a blank; a cell is a sign, then its owner's letter
        start = 2 * left + y % 2
        shown = rows[y][start : start + 2 * (right - left + 1)]
        signs.update(shown[::2])
        drawn.append((" " * (y % 2) + shown).rstrip())
    key = [f"{glyph} {words}" for glyph, words in ansi.GLYPHS.values() if glyph in signs and glyph != " "]
    return [
        f"Columns {left}..{right}, rows {top}..{bottom}; a cell is a sign and its owner's letter "
        f"(yours {ansi.LETTERS[known.nation % len(ansi.LETTERS)]}); odd rows lie half a cell to the right.",
        "Signs: "
        + ", ".join([*key, f"{ansi.CAPITAL} capital", f"{ansi.UNIT} unit", f"{ansi.WARSHIP} warship"]),
        *(f"{y:3} {row}" for y, row in zip(range(top, bottom + 1), drawn, strict=True)),
    ]


def _window(places: Any, centre: int, size: int, most: int) -> tuple[int, int]:
    """First and last row or column that show the own land, around the capital if it is too large."""
    low, high = max(0, int(places.min()) - _MARGIN), min(size - 1, int(places.max()) + _MARGIN)
    if high - low < most:
        return low, high
    start = min(max(low, centre - most // 2), high - most + 1)
    return start, start + most - 1


def _listed(rows: Any) -> Any:
    return rows[rows["listed"] == 1]


SECTIONS: tuple[tuple[str, int, Callable[[Knowledge], list[str]]], ...] = (
    ("Situation", 10, situation),
    ("Last turn's commands", 9, results),
    ("What happened", 8, happenings),
    ("War and peace", 8, war_and_peace),
    ("Threats", 8, threats),
    ("Plan", 8, plan),
    ("Army", 7, army),
    ("Missile bases", 5, bases),
    ("Your land", 7, land),
    ("Free cells beside your land", 4, beside),
    ("Neighbours", 5, neighbours),
    ("Nations and relations", 6, others),
    ("Other forces", 3, others_forces),
    ("Monsters", 5, monsters),
    ("Your ships", 3, ships),
    ("Private sector and accounts", 4, private_sector),
    ("Market", 5, market),
    ("Map", 1, chart),
)
"""Title, importance (what is least important goes first when there is too much), writer."""
UNDIVIDED = ("Map",)  # shown whole or not at all
