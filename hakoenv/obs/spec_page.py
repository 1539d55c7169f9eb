"""The page `docs/observation.md`: every array of an observation, made from its declaration.

`python -m hakoenv.obs.spec_page docs/observation.md` writes it anew.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from hakoenv.engine.codes import cause, corps_order, deposit, job, reason, terrain
from hakoenv.engine.commands import table
from hakoenv.engine.world import SIGHTINGS
from hakoenv.obs import pieces, planes
from hakoenv.obs.bond_pieces import MATE_PLAN
from hakoenv.obs.sight import ship_class_names
from hakoenv.obs.spec import VIEWS, Spec
from hakoenv.ruleset import codes, load_ruleset

_HEAD = """# What a nation sees

Made from `hakoenv/obs/pieces.py` by `python -m hakoenv.obs.spec_page docs/observation.md`; edit there.

An observation is a dictionary of whole-number arrays, filled at the end of a turn from what the nation may
know: public facts, its own affairs, and foreign units and warships in sight (`hakoenv/engine/view.py`).
Two worlds that differ only in what is hidden from a nation give it the same bytes.

* All shapes are the same in every scenario, but for `planes` (the map's size) and `cells` with
  `cells="all"`. Nations have {nations} places, unused ones are 0.
* **Places.** Nations are told by their place seen from the observer: 0 itself, 1 the next seat, and so on
  around the table: place k is nation (own number + k) mod seats. Commands in `plan` and `results` name
  nations by their own number; column `seat` of `nations` translates.
* **Lists** (`cells`, `units`, `ships`, `sightings`, `plan`, `results`, those of trade and of mates) are
  filled from the front; empty places are all 0. `counts`, `trade_counts` and `diplomacy` say how much they
  hold and what they had no room for. Place k of `open_lots`, `offers_received` and `offers_made` is value k
  of the factor of that name.
* **Trade.** Everybody knows open auctions and where private ships are. Jobs and cargo of private ships and
  private stocks are their nation's own affair; a deal is known to its two parties. What two nations let each
  other do (ports, land gates) is known to these two.
* **Bonds.** Who belongs to which faction, trade league or containment is public, and so are land, points and
  breaches, which follow from public events. An application and the offered leadership are known to the two
  whom they concern, demands for another leader to the faction. Full members see the funds, the food and the
  first {mate_plan} commands of their mates (`mates`, `mate_plans`), and on the faction map
  (`faction_sightings`) what any of them sees; all other pieces, and the masks, are made from the own sight
  alone.
* **Sight.** A foreign unit is seen on own land, {land_search} cell around it, and within the search range of
  an own unit on the map (see Codes). A foreign warship or naval mine is seen on own cells of any kind,
  {land_search} cell around them, and within the search range of own ships (see Codes), naval ports
  ({port_search}) and lighthouses ({lighthouse_search}); a warship also for the turn in which an own ship ran
  into it. Ships and troops aboard search for no units. Where no warship would be seen, mines and all shallows
  look like sea. Merchants, cruise ships, pirates and wrecks are seen by everybody.
* **The list of cells** has {cells} places. In this order, as long as there is room: the capital; own cells,
  up to three quarters of the places (a nation with more sees another stretch of them each turn); land beside
  them; own units and ships elsewhere; foreign units and warships in sight, and monsters near own cells; units
  and warships remembered; cells that the plan names; of the navy: water beside own naval ports, where fleets
  are bound, what warships may fire at (cells of nations at war with the own one, monsters, mines), wrecks
  near them, and how far flagships sail in a turn straight ahead; of each nation that the own one may deal
  with the port nearest its capital; what lies within one step of own units, then
  within two; what own missiles reach of the cells of nations at war with the own one, and monsters (what only
  ballistic ones reach last); what lies within a step of own warships; water beside own cells; the other own
  cells. An action's cell means a place in this list.
* **Limits.** A number beyond a column's range is shown as the nearest limit.
* The fallen and the never founded get whole arrays, too: public facts, and nothing of their own.
* `planes` scale what a byte can't hold: population // {population}, richness // {richness}, pile // {pile},
  resistance // {resistance}.
* A sighting is a foreign unit or warship, where it was seen last. It is refreshed when the thing is seen
  again and goes when its place is in sight without it; {sightings} are remembered, the longest unseen are
  forgotten first.

`env.text(agent)` says the same in words.
"""


def page() -> str:
    """The page as Markdown, for the scenario `season`."""
    ruleset = load_ruleset("season")
    spec = Spec(ruleset, ruleset.nations, VIEWS)
    head = _HEAD.format(
        nations=pieces.NATIONS,
        cells=pieces.CELLS,
        mate_plan=MATE_PLAN,
        sightings=SIGHTINGS,
        land_search=ruleset["army.land_cell_search"],
        port_search=ruleset["ship_classes.naval_port.search_range"],
        lighthouse_search=ruleset["lighthouse.search_range"],
        population=planes.POPULATION_STEP,
        richness=planes.RICHNESS_STEP,
        pile=planes.PILE_STEP,
        resistance=planes.RESISTANCE_STEP,
    )
    described = spec.describe()
    overview = _table(
        ("piece", "shape", "type", "what it is"),
        ((f"`{p['name']}`", _shape(p["shape"]), p["dtype"], p["words"]) for p in described),
    )
    parts = [head, "## Pieces\n", f"Shapes of `season` ({ruleset.nations} nations).\n", overview]
    parts += [_piece(piece) for piece in described]
    parts += ["## Codes\n", *_codes()]
    return "\n".join(parts).rstrip() + "\n"


def write(path: str | Path) -> None:
    """Write the page to a file."""
    Path(path).write_text(page(), encoding="utf-8")


def _piece(piece: Mapping[str, Any]) -> str:
    rules = f" Rules: {', '.join(piece['rules'])}." if piece["rules"] else ""
    words = piece["words"][0].upper() + piece["words"][1:]
    lines = [f"## `{piece['name']}`\n", f"{words}.{rules}\n"]
    if piece["columns"]:
        axis = "plane" if piece["name"] == "planes" else "column"
        rows = (
            (str(k), f"`{column['name']}`", _range(column["range"]), column["words"])
            for k, column in enumerate(piece["columns"])
        )
        lines.append(_table((axis, "name", "range", "what it is"), rows))
    else:
        lines.append(f"Range {_range(piece['range'])}.\n")
    return "\n".join(lines)


def _codes() -> list[str]:
    ruleset = load_ruleset()
    grounds = {v: k.lower() for k, v in vars(terrain).items() if k.isupper() and k != "COUNT"}
    listed: dict[str, Iterable[tuple[int, str]]] = {
        "Items (rows of `stocks` and `market`, columns of both accounts)": enumerate(codes.ITEM_NAMES),
        "Causes (rows of both accounts)": [
            (0, "opening"),
            *((k, v) for k, v in cause.NAMES.items() if k),
        ],
        "Terrain": sorted(grounds.items()),
        "Deposits": enumerate(deposit.NAMES),
        "Climate zones (what a unit loses there in land battle)": enumerate(
            f"{row['name']} ({row['unit_damage_percent']}%)" for row in ruleset.table("climate")
        ),
        "Weather, drawn anew each turn": enumerate(_weather(row) for row in ruleset.table("weather")),
        "Unit types and their search ranges": enumerate(
            f"{row['name']} ({row['search_range']})" for row in ruleset.table("unit_types")
        ),
        "Items of units": enumerate(["none", *(str(row["name"]) for row in ruleset.table("items"))]),
        "Corps orders": enumerate(corps_order.NAMES),
        "Monsters": ((int(str(row["id"])), str(row["name"])) for row in ruleset.table("monsters")),
        "Ship classes and their search ranges": enumerate(
            f"{name} ({reach})"
            for name, reach in zip(
                ship_class_names(ruleset), ruleset.rules.ship_classes["search_range"], strict=True
            )
        ),
        "Jobs of private ships": enumerate(job.NAMES),
        "Commands (`plan`, `results`)": table.command_names().items(),
        "Reasons (`results`)": ((k, f"{reason.name(k)}: {v}") for k, v in reason.SENTENCES.items()),
    }
    return [
        f"**{title}.** " + "; ".join(f"{number} {name}" for number, name in rows) + ".\n"
        for title, rows in listed.items()
    ]


def _weather(row: Mapping[str, object]) -> str:
    """A weather with what it does to attacks of units, crops and the aim of missiles."""
    wider = row["missile_scatter_bonus"]
    scatter = f", missiles scatter {wider} wider" if wider else ""
    return f"{row['name']} (attacks {row['attack_percent']}%, crops {row['crop_percent']}%{scatter})"


def _range(limits: tuple[int, int]) -> str:
    return f"{limits[0]}..{limits[1]}"


def _shape(shape: tuple[int, ...]) -> str:
    return " × ".join(str(size) for size in shape)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    write(sys.argv[1])
