"""What one nation sees of one cell, by name (MAP-025 .. MAP-027, ARMY-058)."""

from __future__ import annotations

from functools import cache
from typing import Any

from hakoenv.engine import view
from hakoenv.engine.codes import item, terrain
from hakoenv.engine.diplomacy import relations
from hakoenv.engine.world import World
from hakoenv.obs import faction_view
from hakoenv.obs.bond_pieces import MATE_PLAN
from hakoenv.ruleset import Rules, Ruleset, codes, load_ruleset
from hakoenv.ruleset.compiled import PRIVATE_SHIPS

LAND_OIL = "land_oil"  # terrain 24 on wasteland is a category of its own (MAP-015)

_TERRAINS = {code: name.lower() for name, code in vars(terrain).items() if name.isupper() and name != "COUNT"}


def terrain_name(number: int, base: int) -> str:
    """The name of a terrain number, given the terrain under it."""
    if number == terrain.OFFSHORE_OIL and base == terrain.WASTELAND:
        return LAND_OIL
    return _TERRAINS[int(number)]


def ship_class_names(ruleset: Ruleset, japanese: bool = False) -> list[str]:
    """The names of ship classes by number; private ships that have no row of the class table come last."""
    key = "name_ja" if japanese else "name"
    names = {int(str(row["id"])): str(row[key]) for row in ruleset.table("ship_classes")}
    for row in ruleset.table("merchant"):
        number = PRIVATE_SHIPS.get(str(row["id"]))
        if number is not None:
            names.setdefault(number, str(row["name_ja" if japanese else "id"]))
    return [names[number] for number in range(len(names))]


def sees(world: World, rules: Rules, nation: int, cell: int) -> dict[str, Any]:
    """What a nation's observation says of a cell.

    Args:
        world: the world at the end of a turn.
        rules: its compiled rules.
        nation: the viewer, 0..N-1.
        cell: flat index.

    Returns:
        `x`, `y`, `terrain`, `climate` (names), `owner` (number or None), `level`, `population` (units of
        100), `deposit` (name or None), `unit` and `ship` (None or what is seen of it).
    """
    place = world.cells.reshape(-1)[cell]
    width = world.cells.shape[1]
    owner = int(view.owner(world, rules, nation, cell))
    deposit = int(view.deposit(world, rules, nation, cell))
    unit = int(view.unit(world, rules, nation, cell))
    ship = int(view.ship(world, rules, nation, cell))
    return {
        "x": cell % width,
        "y": cell // width,
        "terrain": terrain_name(int(view.terrain(world, rules, nation, cell)), int(place["below"])),
        "climate": codes.CLIMATES[int(place["climate"])],
        "owner": None if owner < 0 else owner,
        "level": int(view.level(world, rules, nation, cell)),
        "population": int(view.population(world, rules, nation, cell)),
        "deposit": codes.DEPOSITS[deposit] if deposit else None,
        "unit": None if unit < 0 else _unit(world, nation, unit),
        "ship": None if ship < 0 else _ship(world, nation, ship),
    }


def faction_sees(world: World, rules: Rules, nation: int, cell: int) -> dict[str, Any] | None:
    """What the faction map of a nation says of a cell (FAC-017); None if it is no full member (FAC-015).

    Arguments and result as for `sees`; `unit` and `ship` are those that a member sees, mates' own included.
    """
    if not world.nations["alive"][nation] or world.nations["faction"][nation] < 0:
        return None
    unit = int(faction_view.unit(world, rules, nation, cell))
    ship = int(faction_view.ship(world, rules, nation, cell))
    return sees(world, rules, nation, cell) | {
        "unit": None if unit < 0 else _unit(world, nation, unit),
        "ship": None if ship < 0 else _ship(world, nation, ship),
    }


def faction_shows(world: World, rules: Rules, nation: int, member: int) -> dict[str, Any] | None:
    """What the faction screen of a nation tells of a mate: funds, food, commands shown (FAC-018).

    None if they are no mates, or one of them is not alive.
    """
    if not (world.nations["alive"][[nation, member]].all() and relations.are_mates(world, nation, member)):
        return None
    mate = world.nations[member]
    most = int(rules.scalars["faction_visible_plan_commands"][0])
    return {
        "funds": int(mate["treasury"][item.FUNDS]),
        "food": int(mate["treasury"][item.FOOD]),
        "plan_shown": min(int(mate["plan_length"]), most, MATE_PLAN),
    }


def _unit(world: World, nation: int, index: int) -> dict[str, Any]:
    """Owner, type and strength; corps, experience and item only of one's own."""
    unit = world.units[index]
    seen: dict[str, Any] = {
        "owner": int(unit["owner"]),
        "type": _names("unit_types")[int(unit["type"])],
        "strength": int(unit["strength"]),
    }
    if unit["owner"] == nation:
        item = int(unit["carries"])
        seen |= {"experience": int(unit["experience"]), "corps": int(unit["corps"])}
        seen["items"] = [_names("items")[item]] if item else []
    return seen


def _ship(world: World, nation: int, index: int) -> dict[str, Any]:
    """Owner (None: neutral), class and hit points; fleet and experience only of one's own."""
    ship = world.ships[index]
    owner = int(ship["owner"])
    seen: dict[str, Any] = {
        "owner": None if owner < 0 else owner,
        "class": _ship_names()[int(ship["kind"])],
        "hp": int(ship["hp"]),
    }
    if owner == nation:
        seen |= {"experience": int(ship["experience"]), "fleet": int(ship["fleet"])}
    return seen


@cache
def _ship_names() -> list[str]:
    return ship_class_names(load_ruleset())


@cache
def _names(table: str) -> dict[int, str]:
    """The names of the rows of a table by their id."""
    return {int(str(row["id"])): str(row["name"]) for row in load_ruleset().table(table)}
