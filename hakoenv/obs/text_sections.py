"""The sections of the text view: each turns pieces of the observation into lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hakoenv.engine.codes import deposit, ending, item, reason
from hakoenv.obs.text_army import (
    army,
    at_war,
    bases,
    monsters,
    others_forces,
    resistance,
    threats,
    whole_resistance,
)
from hakoenv.obs.text_bonds import bonds, faction_map, mates
from hakoenv.obs.text_diplomacy import PORTS, neighbours, others, war_and_peace
from hakoenv.obs.text_economy import market, private_sector
from hakoenv.obs.text_events import happenings
from hakoenv.obs.text_map import chart
from hakoenv.obs.text_messages import messages
from hakoenv.obs.text_navy import ships, waters
from hakoenv.obs.text_trade import auctions, deals, private_trade
from hakoenv.obs.text_words import Knowledge, counted
from hakoenv.ruleset import codes

_POLICIES = ("light", "heavy", "advanced")


def situation(known: Knowledge) -> list[str]:
    """Turn, nation, means and settings."""
    clock, own = known.seen["clock"], known.seen["own"]
    turn, last = int(clock["turn"]), int(clock["max_turns"])
    lines = [
        f"Turn {turn} of {last} is over; conquest counts from turn {clock['conquest_from']}. You are "
        f"{known.words.nation(known.nation)}. Nations alive: {clock['living']} of {clock['seats']}. Free "
        f"land: {clock['free_land']} of {counted(int(clock['all_land']), 'cell')}."
    ]
    if clock["ending"]:
        lines.append(f"The season has ended: {ending.NAMES[int(clock['ending'])]}.")
    if not own["alive"]:
        return [*lines, "Your nation is not on the map (fallen or never founded)."]
    lines += [
        f"Capital ({own['capital_x']},{own['capital_y']}); population {own['population']} (units of 100) in "
        f"{counted(int(own['towns']), 'town')}, rank {own['rank']}; area "
        f"{counted(int(own['area']), 'cell')}, {own['land']} of them land; power score "
        f"{own['power_score']}; mean assets {own['mean_assets']} funds.",
        "Stocks (change, capacity, private sector): "
        + "; ".join(_stock(known, k) for k in _item_order())
        + ".",
        f"Food: needs {own['rations']} and makes {own['food_made']} a turn; the stock alone lasts "
        f"{counted(int(own['food_turns']), 'turn')}." + (" FAMINE." if own["famine"] else ""),
        f"Workers (units of 100): agriculture {own['workers_agriculture']} of "
        f"{counted(int(own['farm_jobs']), 'job')}, "
        f"industry {own['workers_industry']} of {own['industry_jobs']}, commerce {own['workers_commerce']}, "
        f"without a job {own['workers_idle']}; shares {own['share_agriculture']}/{own['share_industry']}/"
        f"{own['share_commerce']} percent.",
        f"Fuel: industry got {own['fuel_used']} of {own['fuel_need']} ({own['fuel_percent']} percent), power "
        f"plants {own['plant_fuel']} for {counted(int(own['plant_levels']), 'level')}; mines and refineries "
        f"made {own['fuel_made']}. Power plants: {own['generating_capacity']} thousand kW.",
        f"Output of the last turn: factories {own['industry_value']} funds at base prices, fields "
        f"{own['farm_food']} food, expected sales of goods {own['commerce_value']} funds, all before a lack "
        "of fuel.",
        f"Industrial policy: {_POLICIES[int(own['policy'])]}"
        + (f", next turn {_POLICIES[int(own['policy_next'])]}" if own["policy"] != own["policy_next"] else "")
        + (f" (changed {counted(int(own['policy_age']), 'turn')} ago)" if own["policy_age"] >= 0 else "")
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
    left = counted(int(own["research_turns_left"]), "turn")
    return f"; {codes.RESEARCH_BRANCHES[branch]} running, {left} left"


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
        cut = counted(int(known.seen["own"]["plan_cut"]), "command")
        waiting.append(f"({cut} cut: the plan was full)")
    return waiting or (
        ["No command waits: the nation would fundraise."] if known.seen["own"]["alive"] else []
    )


def land(known: Knowledge) -> list[str]:
    """Own cells by terrain, those with most people or the highest level first."""
    cells = _listed(known.seen["cells"])
    lines = _by_terrain(known, cells[cells["own"] == 1])
    left_out = int(known.seen["counts"]["cells_left_out"])
    if left_out:
        lines.append(f"({counted(left_out, 'further cell')} not listed in this turn)")
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
    lines, war = [], at_war(known)
    for name, group in groups.items():
        group.sort(key=lambda cell: (-int(cell["capital"]), -int(cell["population"]), -int(cell["level"])))
        told = (_cell(cell) + _worn(known, cell) * war for cell in group)
        lines.append(f"{name} ({len(group)}): " + ", ".join(told))
    return lines


def _worn(known: Knowledge, cell: Any) -> str:
    """The resistance of an own cell that has lost some of it."""
    worn = cell["own"] and cell["resistance"] < whole_resistance(known, cell)
    return f" {resistance(known, cell)}" if worn else ""


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


def _listed(rows: Any) -> Any:
    return rows[rows["listed"] == 1]


SECTIONS: tuple[tuple[str, int, Callable[[Knowledge], list[str]]], ...] = (
    ("Situation", 10, situation),
    ("Last turn's commands", 9, results),
    ("What happened", 8, happenings),
    ("Messages", 6, messages),
    ("War and peace", 8, war_and_peace),
    ("Threats", 8, threats),
    ("Plan", 8, plan),
    ("Army", 7, army),
    ("Missile bases", 5, bases),
    ("Your land", 7, land),
    ("Free cells beside your land", 4, beside),
    ("Neighbours", 5, neighbours),
    ("Nations and relations", 6, others),
    ("Factions, leagues, containment", 7, bonds),
    ("Mates", 5, mates),
    ("What mates see", 4, faction_map),
    ("Other forces", 3, others_forces),
    ("Monsters", 5, monsters),
    ("Your ships", 6, ships),
    ("Mines and wrecks", 3, waters),
    ("Private sector and accounts", 4, private_sector),
    ("Market", 5, market),
    ("Offers and deals", 7, deals),
    ("Auctions", 4, auctions),
    ("Private trade and ships", 3, private_trade),
    ("Map", 1, chart),
)
"""Title, importance (what is least important goes first when there is too much), writer."""
UNDIVIDED = ("Map",)  # shown whole or not at all
