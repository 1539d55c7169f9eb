"""The words of case files for what the World stores as numbers."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from functools import cache

from hakoenv.engine.codes import (
    controller,
    corps_order,
    ending,
    fleet_mode,
    job,
    lot,
    parcel,
    policy,
    relation,
    war_origin,
)
from hakoenv.obs.sight import LAND_OIL
from hakoenv.ruleset import codes, load_ruleset
from hakoenv.ruleset.compiled import PRIVATE_SHIPS
from hakoenv.testing.errors import CaseError


class Names:
    """A two-way list of names and numbers.

    Args:
        what: what the names are of, for messages.
        numbers: the number of each name.
    """

    def __init__(self, what: str, numbers: Mapping[str, int]) -> None:
        self.what = what
        self.numbers = dict(numbers)
        self._names = {number: name for name, number in reversed(list(numbers.items()))}

    def number(self, name: object) -> int:
        """The number of a name.

        Raises:
            CaseError: there is no such name; the message gives the nearest ones.
        """
        if isinstance(name, str) and name in self.numbers:
            return self.numbers[name]
        raise CaseError(f"unknown {self.what} {name!r}; {nearest(name, self.numbers)}")

    def name(self, number: int) -> str:
        """The name of a number (the number itself, as text, where it has none)."""
        return self._names.get(int(number), str(int(number)))


def words(text: str) -> tuple[str, ...]:
    """The words of a text, for long lists of names."""
    return tuple(text.split())


def nearest(word: object, words: Iterable[str]) -> str:
    """What to use instead of an unknown word: all of a short list, else the three most like it."""
    known = list(words)
    if len(known) <= 10:
        return f"there are {', '.join(known)}"
    return f"nearest: {', '.join(difflib.get_close_matches(str(word), known, n=3, cutoff=0.0))}"


def _listed(what: str, names: Iterable[str]) -> Names:
    return Names(what, {name: number for number, name in enumerate(names)})


RESOURCES = codes.MATERIALS  # items 0..8
ITEMS = _listed("item", codes.ITEM_NAMES)
BRANCHES = codes.RESEARCH_BRANCHES
DEPOSITS = Names("deposit", {name: k for k, name in enumerate(codes.DEPOSITS) if k})
CLIMATES = _listed("climate", codes.CLIMATES)
WEATHERS = _listed("weather", codes.WEATHERS)
CONTROLLERS = _listed("controller", controller.NAMES)
ENDINGS = _listed("ending", ending.NAMES)
POLICIES = Names("policy", {"light": policy.LIGHT, "heavy": policy.HEAVY, "advanced": policy.ADVANCED})
PORT_POLICIES = _listed("port policy", ("closed", "friends", "open"))
FLEET_MODES = _listed("mode", fleet_mode.NAMES)
JOBS = _listed("job", job.NAMES)
PARCELS = _listed("kind of cargo", parcel.NAMES)
LOT_STATES = Names("state", {name: code for code, name in enumerate(lot.NAMES) if code != lot.FREE})
CORPS_ORDERS = _listed("order", corps_order.NAMES)
DIRECTIONS = _listed(
    "direction", ("none", "north_east", "east", "south_east", "south_west", "west", "north_west")
)
RELATIONS = Names(
    "state",
    {"peace": relation.PEACE, "amity": relation.AMITY, "pending": relation.PENDING, "war": relation.WAR},
)
WAR_ORIGINS = Names(
    "origin",
    {"declaration": war_origin.DECLARATION, "joint": war_origin.JOINT, "pact": war_origin.PACT},
)


@cache
def terrains() -> Names:
    """Terrains a cell can have (tables/terrains.csv and `land_oil`; ships are no terrain of a cell)."""
    rows = load_ruleset().table("terrains")
    numbers = {str(row["name"]): int(str(row["number"])) for row in rows if row["kind"] != "ship"}
    return Names("terrain", {**numbers, LAND_OIL: numbers["offshore_oil"]})


@cache
def _table(table: str, what: str) -> Names:
    rows = load_ruleset().table(table)
    return Names(what, {str(row["name"]): int(str(row["id"])) for row in rows})


def unit_types() -> Names:
    """Unit types (tables/unit_types.csv)."""
    return _table("unit_types", "unit type")


def unit_items() -> Names:
    """Items a unit can carry (tables/items.csv)."""
    return _table("items", "item")


@cache
def ship_classes() -> Names:
    """Ship classes (tables/ship_classes.csv, merchant.csv) without the naval port, which is a terrain."""
    known = _table("ship_classes", "ship class").numbers | PRIVATE_SHIPS
    return Names("ship class", {name: number for name, number in known.items() if number})


@cache
def commands() -> Names:
    """Commands of a plan (tables/commands.csv)."""
    rows = load_ruleset().table("commands")
    return Names("command", {str(row["name"]): int(str(row["number"])) for row in rows})
