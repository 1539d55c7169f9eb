"""The fields of cells, nations, units and relations by the names of case files (ships: `ship_fields`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from hakoenv.engine import census, scoring
from hakoenv.engine.codes import item, relation
from hakoenv.engine.diplomacy import terms
from hakoenv.engine.world import NATION
from hakoenv.obs import sight
from hakoenv.testing import names
from hakoenv.testing.errors import CaseError
from hakoenv.testing.names import Names

if TYPE_CHECKING:
    from hakoenv.testing.small_world import SmallWorld

Reader: TypeAlias = Callable[["SmallWorld", Any], Any]
Writer: TypeAlias = Callable[["SmallWorld", Any, Any], None]


class Field(NamedTuple):
    """How a named field of a thing is read, and set where it can be."""

    read: Reader
    write: Writer | None = None


class Kind(NamedTuple):
    """The fields of one kind of thing; `later` are those of rules that are not built yet."""

    name: str
    fields: Mapping[str, Field]
    later: frozenset[str] = frozenset()

    def field(self, name: str) -> Field:
        """The field of that name.

        Raises:
            CaseError: no such field, or it belongs to rules that are not built yet.
        """
        if name in self.fields:
            return self.fields[name]
        if name in self.later:
            raise CaseError(f'{self.name} field "{name}" belongs to rules that are not built yet')
        raise CaseError(f'unknown {self.name} field "{name}"; {names.nearest(name, self.fields)}')

    def write(self, small: SmallWorld, where: Any, name: str, value: Any) -> None:
        """Set a field of one thing.

        Raises:
            CaseError: no such field, not to be set, or a value it can't have.
        """
        setter = self.field(name).write
        if setter is None:
            raise CaseError(f'{self.name} field "{name}" can\'t be set: it follows from the world')
        try:
            setter(small, where, value)
        except CaseError as error:
            raise CaseError(f'{self.name} field "{name}": {error}') from None


def whole(value: Any, low: int = -(2**63), high: int = 2**63 - 1) -> int:
    """A whole number within bounds, or a CaseError."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise CaseError(f"{value!r} is not a whole number")
    if not low <= value <= high:
        raise CaseError(f"{int(value)} is not between {low} and {high}")
    return int(value)


def truth(value: Any) -> bool:
    """True or false itself, or a CaseError."""
    if not isinstance(value, bool):
        raise CaseError(f"{value!r} is neither true nor false")
    return value


def listed(value: Any, what: str) -> list[Any]:
    """A list, or a CaseError that says of what it should be one."""
    if not isinstance(value, list | tuple):
        raise CaseError(f"{value!r} is not a list of {what}")
    return list(value)


def nation_number(small: SmallWorld, value: Any) -> int:
    """The number of a nation of this world, or a CaseError."""
    return whole(value, 0, small.nations - 1)


def owner_number(small: SmallWorld, value: Any) -> int:
    """A nation's number, -1 for null."""
    return -1 if value is None else nation_number(small, value)


def record(small: SmallWorld, table: str, where: Any) -> Any:
    """One record of the World by its flat place (relations: by the two nations)."""
    array = getattr(small.world, table)
    return array[where] if isinstance(where, tuple) else array.reshape(-1)[where]


def number(table: str, column: str, place: int | None = None) -> Field:
    """A whole number that stands in the World as it is."""

    def read(small: SmallWorld, where: Any) -> int:
        value = record(small, table, where)[column]
        return int(value if place is None else value[place])

    def write(small: SmallWorld, where: Any, value: Any) -> None:
        entry = record(small, table, where)
        bounds = np.iinfo(entry[column].dtype)
        checked = whole(value, int(bounds.min), int(bounds.max))
        if place is None:
            entry[column] = checked
        else:
            entry[column][place] = checked

    return Field(read, write)


def coded(table: str, column: str, known: Callable[[], Names], none: int | None = None) -> Field:
    """A name that stands in the World as a number; `none` is the number of null."""

    def read(small: SmallWorld, where: Any) -> str | None:
        value = int(record(small, table, where)[column])
        return None if value == none else known().name(value)

    def write(small: SmallWorld, where: Any, value: Any) -> None:
        empty = none is not None and value is None
        record(small, table, where)[column] = none if empty else known().number(value)

    return Field(read, write)


def flag(table: str, column: str) -> Field:
    """True or false."""

    def write(small: SmallWorld, where: Any, value: Any) -> None:
        record(small, table, where)[column] = int(truth(value))

    return Field(lambda small, where: bool(record(small, table, where)[column]), write)


def owner(table: str, column: str = "owner") -> Field:
    """A nation's number, or None."""

    def read(small: SmallWorld, where: Any) -> int | None:
        value = int(record(small, table, where)[column])
        return None if value < 0 else value

    def write(small: SmallWorld, where: Any, value: Any) -> None:
        record(small, table, where)[column] = owner_number(small, value)

    return Field(read, write)


# ---------------------------------------------------------------- cells


def _read_terrain(small: SmallWorld, where: int) -> str:
    cell = record(small, "cells", where)
    return sight.terrain_name(int(cell["terrain"]), int(cell["below"]))


def _read_weather(small: SmallWorld, where: int) -> str:
    zone = int(record(small, "cells", where)["climate"])
    return names.WEATHERS.name(small.world.clock[0]["weather"][zone])


def _read_capital(small: SmallWorld, where: int) -> bool:
    holder = int(record(small, "cells", where)["owner"])
    return holder >= 0 and int(small.world.nations[holder]["capital"]) == where


def _trees(small: SmallWorld, where: int) -> int:
    return int(record(small, "cells", where)["level"])


def _standing(column: str) -> Field:
    def read(small: SmallWorld, where: int) -> Any:
        index = int(record(small, "cells", where)[column])
        return None if index < 0 else small.record(column, index)

    return Field(read)


def _read_wrecks(small: SmallWorld, where: int) -> list[dict[str, Any]]:
    """The wrecks of a cell, the oldest first."""
    there = [wreck for wreck in small.world.wrecks if wreck["kind"] and wreck["cell"] == where]
    there.sort(key=lambda wreck: int(wreck["turn"]))
    return [
        {"class": names.ship_classes().name(wreck["kind"]), "age": small.turn - int(wreck["turn"])}
        for wreck in there
    ]


def _write_wrecks(small: SmallWorld, where: int, value: Any) -> None:
    """Let exactly these wrecks, as `{"class", "age"}`, lie on a cell."""
    entries = listed(value, "wrecks")
    small.clear_wrecks(where)
    for entry in entries:
        if not isinstance(entry, Mapping):
            raise CaseError(f"{entry!r} is no object with class and age")
        given = dict(entry)
        if "class" not in given:
            raise CaseError('"class" is missing')
        kind, age = given.pop("class"), given.pop("age", 0)
        for name in given:
            raise CaseError(f'unknown key "{name}"; there are class, age')
        small.wreck(where % small.width, where // small.width, kind, age=age)


def _write_wreck(small: SmallWorld, where: int, value: Any) -> None:
    _write_wrecks(small, where, [] if value is None else [value])


_CELL_NUMBERS = names.words("population level richness pile resistance experience surveyed hits worked")

CELL_FIELDS: dict[str, Field] = {name: number("cells", name) for name in _CELL_NUMBERS} | {
    "terrain": Field(_read_terrain),  # set by SmallWorld.cell, with all that hangs on it
    "weather": Field(_read_weather),
    "capital": Field(_read_capital),
    "trees": Field(_trees),
    "owner": owner("cells"),
    "deposit": coded("cells", "deposit", lambda: names.DEPOSITS, none=0),
    "climate": coded("cells", "climate", lambda: names.CLIMATES),
    "below": coded("cells", "below", names.terrains),
    "tunnel": flag("cells", "tunnel"),
    "unit": _standing("unit"),
    "ship": _standing("ship"),
    "wrecks": Field(_read_wrecks, _write_wrecks),
    "wreck": Field(lambda small, where: next(iter(_read_wrecks(small, where)), None), _write_wreck),
}
CELLS = Kind("cell", CELL_FIELDS, frozenset({"handled", "fish_stock"}))

# ---------------------------------------------------------------- nations


def _read_store(small: SmallWorld, where: int) -> dict[str, int]:
    held = record(small, "nations", where)["items"]
    return {name: int(held[number]) for name, number in names.unit_items().numbers.items()}


def _write_store(small: SmallWorld, where: int, value: Any) -> None:
    if not isinstance(value, Mapping):
        raise CaseError(f"{value!r} is not a map of items")
    for name, given in value.items():
        record(small, "nations", where)["items"][names.unit_items().number(name)] = whole(given, 0, 9999)


MONEY = 1000  # private funds are kept in thousandths
MOST_SET = 99999  # what a command can set for an item
PAYMENT_TURNS = 4  # of the memory that the finance rules read (FIN-025)
SALE_TURNS = 10  # likewise (FIN-027)


def decimal(thousandths: Any) -> int | float:
    """A number that the World keeps in thousandths; whole ones as int."""
    whole, rest = divmod(int(thousandths), MONEY)
    return whole if rest == 0 else int(thousandths) / MONEY


def thousandths(value: Any) -> int:
    """A number with up to three decimals in thousandths, or a CaseError."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 2**53:
        raise CaseError(f"{value!r} is not a number below 2**53")
    found = round(value * MONEY)
    if abs(found - value * MONEY) > 1e-6:
        raise CaseError(f"{value!r} has more than three decimals")
    return found


def resource(name: object) -> int:
    """The number of an item that is no money, or a CaseError."""
    if name not in names.RESOURCES:
        raise CaseError(f'unknown item "{name}"; {names.nearest(name, names.RESOURCES)}')
    return names.RESOURCES.index(str(name))


def item_values(value: Any, checked: Callable[[Any], int]) -> dict[int, int]:
    """An item map by item number, each value checked, or a CaseError that names the item."""
    if not isinstance(value, Mapping):
        raise CaseError(f"{value!r} is not a map of items")
    found = {}
    for name, given in value.items():
        number = resource(name)
        try:
            found[number] = checked(given)
        except CaseError as error:
            raise CaseError(f"{name}: {error}") from None
    return found


def _item_map(column: str, checked: Callable[[Any], int], shown: Callable[[Any], int | float]) -> Field:
    """A vector by item as an item map; items that are not given stay as they are."""

    def read(small: SmallWorld, where: int) -> dict[str, int | float]:
        held = record(small, "nations", where)[column]
        return {name: shown(held[number]) for number, name in enumerate(names.RESOURCES)}

    def write(small: SmallWorld, where: int, value: Any) -> None:
        for number, given in item_values(value, checked).items():
            record(small, "nations", where)[column][number] = given

    return Field(read, write)


def _last_turns(column: str, turns: int) -> Field:
    """Money by turn, a ring in the World: the turns that ended before this one, oldest first."""

    def read(small: SmallWorld, where: int) -> list[int | float]:
        ring = record(small, "nations", where)[column]
        return [decimal(ring[(small.turn - back) % len(ring)]) for back in range(turns, 0, -1)]

    def write(small: SmallWorld, where: int, value: Any) -> None:
        ring = record(small, "nations", where)[column]
        amounts = [amount(given) for given in listed(value, "amounts")]
        if len(amounts) > turns:
            raise CaseError(f"{value!r} are more than {turns} turns")
        ring[:] = 0
        for back, given in enumerate(reversed(amounts), start=1):
            ring[(small.turn - back) % len(ring)] = given

    return Field(read, write)


def _stock_number(value: Any) -> int:
    return whole(value, 0, MOST_SET)


def amount(value: Any) -> int:
    """A number of 0 or more with up to three decimals in thousandths, or a CaseError."""
    return whole(thousandths(value), 0)


def _read_private_funds(small: SmallWorld, where: int) -> int | float:
    return decimal(record(small, "nations", where)["private"][item.FUNDS])


def _write_private_funds(small: SmallWorld, where: int, value: Any) -> None:
    record(small, "nations", where)["private"][item.FUNDS] = thousandths(value)


def _write_carry(small: SmallWorld, where: int, value: Any) -> None:
    record(small, "nations", where)["carry"] = whole(thousandths(value), 0, MONEY - 1)


def _write_policy(small: SmallWorld, where: int, value: Any) -> None:
    entry = record(small, "nations", where)
    entry["policy"] = entry["policy_next"] = names.POLICIES.number(value)


def _read_shares(small: SmallWorld, where: int) -> list[int]:
    return [int(share) for share in record(small, "nations", where)["shares"]]


def _write_shares(small: SmallWorld, where: int, value: Any) -> None:
    shares = [whole(share, 0, 100) for share in listed(value, "three percentages")]
    if len(shares) != 3 or sum(shares) != 100:
        raise CaseError(f"{value!r} are not three percentages that add up to 100")
    record(small, "nations", where)["shares"] = shares


def _read_good_terms(small: SmallWorld, where: int) -> list[int]:
    return [other for other in range(small.nations) if small.world.relations[where, other]["good_terms"]]


def _write_good_terms(small: SmallWorld, where: int, value: Any) -> None:
    liked = [nation_number(small, other) for other in listed(value, "nations")]
    for other in range(small.nations):
        small.world.relations[where, other]["good_terms"] = int(other in liked)


def _read_capital_cell(small: SmallWorld, where: int) -> list[int] | None:
    place = int(record(small, "nations", where)["capital"])
    return None if place < 0 else [place % small.width, place // small.width]


def _read_faction(small: SmallWorld, where: int) -> str | None:
    slot = int(record(small, "nations", where)["faction"])
    return None if slot < 0 else small.faction_names.get(slot, str(slot))


def _counted(column: str) -> Field:
    return Field(lambda small, where: int(small.counted().nations[where][column]))


def _read_score(small: SmallWorld, where: int) -> float:
    return float(scoring.scores(small.counted(), small.rules)[where])


def _read_rank(small: SmallWorld, where: int) -> int:
    return int(record(small, "nations", where)["rank"]) or int(small.counted().nations[where]["rank"])


def _read_ore(small: SmallWorld, where: int) -> list[int]:
    ring = record(small, "nations", where)["ore_in"]
    return [int(ring[(small.turn - back) % len(ring)]) for back in range(len(ring) - 1, -1, -1)]


def _write_ore(small: SmallWorld, where: int, value: Any) -> None:
    ring = record(small, "nations", where)["ore_in"]
    amounts = [whole(ore, 0, 2**31 - 1) for ore in listed(value, "amounts")]
    if len(amounts) > len(ring):
        raise CaseError(f"{value!r} are more than {len(ring)} turns")
    ring[:] = 0
    for back, ore in enumerate(reversed(amounts)):
        ring[(small.turn - back) % len(ring)] = ore


def _write_commerce(small: SmallWorld, where: int, value: Any) -> None:
    record(small, "nations", where)["commerce_value"] = amount(value)


def _read_commerce(small: SmallWorld, where: int) -> int | float:
    return decimal(record(small, "nations", where)["commerce_value"])


def _marked(small: SmallWorld, chosen: Any) -> list[list[int]]:
    """Columns and rows of chosen cells."""
    return [[int(i) % small.width, int(i) // small.width] for i in np.flatnonzero(chosen)]


def _mark(small: SmallWorld, value: Any, loser: int) -> None:
    """Note that cells, given as pairs of column and row, were taken from a nation in the last turn."""
    for pair in listed(value, "cells"):
        place = listed(pair, "column and row")
        if len(place) != 2:
            raise CaseError(f"{pair!r} is no pair of column and row")
        cell = record(small, "cells", small.place(*place))
        cell["taken_from"], cell["taken_turn"] = loser, small.turn


def _read_lost(small: SmallWorld, where: int) -> list[list[int]]:
    cells = small.world.cells.reshape(-1)
    now = (cells["taken_turn"] == small.turn) & (cells["taken_turn"] > 0)
    return _marked(small, (cells["taken_from"] == where) & now)


def _write_lost(small: SmallWorld, where: int, value: Any) -> None:
    _mark(small, value, where)


def _read_taken(small: SmallWorld, where: int) -> list[list[int]]:
    cells = small.world.cells.reshape(-1)
    taken = (cells["taken_turn"] > 0) & (cells["taken_from"] >= 0)
    return _marked(small, (cells["owner"] == where) & taken)


def _write_taken(small: SmallWorld, where: int, value: Any) -> None:
    if small.nations < 2:
        raise CaseError("there is no other nation")
    _mark(small, value, (where + 1) % small.nations)


AI = Kind(
    "ai",
    {name: number("nations", name) for name in ("fuel_made", "farm_food", "food_made", "industry_value")}
    | {
        "last_develop": number("nations", "developed"),
        "last_policy": number("nations", "policy_turn"),
        "last_expand": number("nations", "expanded"),
        "ore_in": Field(_read_ore, _write_ore),
        "commerce_value": Field(_read_commerce, _write_commerce),
        "policy": coded("nations", "policy", lambda: names.POLICIES),
        "lost": Field(_read_lost, _write_lost),
        "taken": Field(_read_taken, _write_taken),
    },
    frozenset({"overseas_since"}),
)
"""What the rule AI remembers of a nation, and what was noted of its last finished turn."""


def _read_ai(small: SmallWorld, where: int) -> dict[str, Any]:
    return {name: field.read(small, where) for name, field in AI.fields.items()}


def _write_ai(small: SmallWorld, where: int, value: Any) -> None:
    if not isinstance(value, Mapping):
        raise CaseError(f"{value!r} is not an object")
    given = dict(value)
    if "farm_food" in given:
        given.setdefault("food_made", given["farm_food"])
    for name, content in given.items():
        AI.write(small, where, name, content)


def _read_worker_order(small: SmallWorld, where: int) -> str:
    return "industry_first" if record(small, "nations", where)["mines_first"] else "fields_first"


_CENSUS = names.words("population towns land area deployed power_score warehouses held")
_NATION_NUMBERS = names.words(
    """
    reserves conscripts wounded captured ceded stalled founded fell research_done_turn research_branch
    policy_turn expanded developed faction_joined tariff transit_fee levelled mines_first famine abandoning
    """
)
_SET_OR_COUNTED = {*_CENSUS, *_NATION_NUMBERS}
_READ_ONLY = tuple(n for n, (kind, _) in NATION.items() if isinstance(kind, str) and n not in _SET_OR_COUNTED)

NATION_FIELDS: dict[str, Field] = (
    {name: Field(number("nations", name).read) for name in _READ_ONLY}
    | {name: number("nations", name) for name in _NATION_NUMBERS}
    | {name: number("nations", "treasury", place) for name, place in names.ITEMS.numbers.items()}
    | {f"private_{name}": number("nations", "private", place) for name, place in names.ITEMS.numbers.items()}
    | {name: number("nations", "research", place) for place, name in enumerate(names.BRANCHES)}
    | {name: _counted(name) for name in _CENSUS}
    | {
        "private_funds": Field(_read_private_funds, _write_private_funds),
        "policy": Field(coded("nations", "policy", lambda: names.POLICIES).read, _write_policy),
        "policy_next": coded("nations", "policy_next", lambda: names.POLICIES),
        "controller": coded("nations", "controller", lambda: names.CONTROLLERS),
        "port_policy": coded("nations", "port_policy", lambda: names.PORT_POLICIES),
        "shares": Field(_read_shares, _write_shares),
        "good_terms": Field(_read_good_terms, _write_good_terms),
        "alive": flag("nations", "alive"),
        "winner": Field(flag("nations", "winner").read),
        "capital": Field(_read_capital_cell),
        "faction": Field(_read_faction),
        "rank": Field(_read_rank),
        "score": Field(_read_score),
        "strength": Field(lambda small, where: int(census.strength(small.counted(), where))),
        "carry": Field(lambda small, where: decimal(record(small, "nations", where)["carry"]), _write_carry),
        "export_cap": _item_map("export_caps", _stock_number, int),
        "buyback": _item_map("targets", _stock_number, int),
        "items": Field(_read_store, _write_store),
        "household_use": _item_map("wanted", amount, decimal),
        "ai": Field(_read_ai, _write_ai),
        "worker_order": Field(_read_worker_order),
        "payments": _last_turns("payments", PAYMENT_TURNS),
        "household_sales": _last_turns("household_sales", SALE_TURNS),
    }
)
NATIONS = Kind(
    "nation",
    NATION_FIELDS,
    frozenset(
        names.words(
            """
            short_last surplus_last waiting_last
            cruise_unpaid cruise_record supply_forbid left_faction left_league unreliable war_record
            aid_sent hegemon points48 containment_power league
        """
        )
    ),
)

# ---------------------------------------------------------------- units


def place(table: str, axis: int) -> Field:
    """The column (axis 0) or row (1) of a thing that lies on the map, else None."""

    def read(small: SmallWorld, where: int) -> int | None:
        cell = int(record(small, table, where)["cell"])
        if cell < 0:
            return None
        return cell // small.width if axis else cell % small.width

    return Field(read)


def _read_items(small: SmallWorld, where: int) -> list[str]:
    held = int(record(small, "units", where)["carries"])
    return [names.unit_items().name(held)] if held else []


def _write_items(small: SmallWorld, where: int, value: Any) -> None:
    held = [names.unit_items().number(name) for name in listed(value, "items")]
    if len(held) > 1:
        raise CaseError(f"{value!r}: a unit carries one item")
    record(small, "units", where)["carries"] = held[0] if held else 0


def _read_aboard(small: SmallWorld, where: int) -> int | None:
    index = int(record(small, "units", where)["aboard"])
    return None if index < 0 else index


UNIT_FIELDS: dict[str, Field] = {
    "owner": Field(owner("units").read),
    "type": Field(coded("units", "type", names.unit_types).read),
    "x": place("units", 0),
    "y": place("units", 1),
    "aboard": Field(_read_aboard),
    "items": Field(_read_items, _write_items),
    "strength": number("units", "strength"),
    "experience": number("units", "experience"),
    "corps": number("units", "corps"),
}
UNITS = Kind("unit", UNIT_FIELDS)


def _write_direction(small: SmallWorld, where: tuple[int, int], value: Any) -> None:
    number = names.DIRECTIONS.number(value) if isinstance(value, str) else whole(value, 0, 6)
    record(small, "corps", where)["direction"] = number


CORPS = Kind(
    "corps",
    {
        "order": coded("corps", "order", lambda: names.CORPS_ORDERS),
        "direction": Field(number("corps", "direction").read, _write_direction),
        "name": number("corps", "name"),
        "colour": number("corps", "colour"),
    },
)


# ---------------------------------------------------------------- relations


def _both_ways(column: str) -> Field:
    """A number that is the same on both sides."""
    one = number("relations", column)

    def write(small: SmallWorld, where: tuple[int, int], value: Any) -> None:
        assert one.write is not None
        one.write(small, where, value)
        one.write(small, where[::-1], value)

    return Field(one.read, write)


def _write_state(small: SmallWorld, where: tuple[int, int], value: Any) -> None:
    code = names.RELATIONS.number(value)
    for side in (where, where[::-1]):
        small.world.relations[side]["state"] = code


def _write_declarer(small: SmallWorld, where: tuple[int, int], value: Any) -> None:
    who = owner_number(small, value)
    if who not in (-1, *where):
        raise CaseError(f"{who} is neither of the two nations")
    for side in (where, where[::-1]):
        small.world.relations[side]["declarer"] = who


def _offer(word: str, fits: Callable[[int], bool]) -> Field:
    """Who has offered the other a ceasefire or amity, or None; set, the offer is one of this turn."""

    def read(small: SmallWorld, where: tuple[int, int]) -> int | None:
        if not fits(int(small.world.relations[where]["state"])):
            return None
        sides = (where, where[::-1])
        return next((a for a, b in sides if terms.offers(small.world, a, b, small.turn)), None)

    def write(small: SmallWorld, where: tuple[int, int], value: Any) -> None:
        who = owner_number(small, value)
        if who not in (-1, *where):
            raise CaseError(f"{who} is neither of the two nations")
        last = small.turn + int(small.rules.scalars[0][f"diplomacy_{word}_offer_turns"])
        for side in (where, where[::-1]):
            small.world.relations[side]["offer_until"] = last if side[0] == who else 0

    return Field(read, write)


def _setters(column: str) -> Field:
    """The list of those of the two nations whose own flag is set."""

    def sides(where: tuple[int, int]) -> list[tuple[int, int]]:
        return sorted({where, where[::-1]})

    def read(small: SmallWorld, where: tuple[int, int]) -> list[int]:
        return [side[0] for side in sides(where) if small.world.relations[side][column]]

    def write(small: SmallWorld, where: tuple[int, int], value: Any) -> None:
        chosen = [whole(nation) for nation in listed(value, "nations")]
        if not set(chosen) <= set(where):
            raise CaseError(f"{value!r}: only {where[0]} and {where[1]} can set it")
        for side in sides(where):
            small.world.relations[side][column] = int(side[0] in chosen)

    return Field(read, write)


def _settings(column: str, known: Names | None = None) -> Field:
    """A map from each nation to its own setting toward the other (-1 in the World: the default)."""

    def read(small: SmallWorld, where: tuple[int, int]) -> dict[str, Any]:
        values = {side[0]: int(small.world.relations[side][column]) for side in (where, where[::-1])}
        return {str(n): known.name(v) if known else v for n, v in values.items() if v >= 0}

    def write(small: SmallWorld, where: tuple[int, int], value: Any) -> None:
        if not isinstance(value, Mapping):
            raise CaseError(f"{value!r} is not a map from nation to setting")
        for who, setting in value.items():
            side = {str(where[0]): where, str(where[1]): where[::-1]}.get(str(who))
            if side is None:
                raise CaseError(f"{who!r} is neither of the two nations")
            small.world.relations[side][column] = known.number(setting) if known else whole(setting, 0, 100)

    return Field(read, write)


RELATION_FIELDS: dict[str, Field] = {
    "state": Field(coded("relations", "state", lambda: names.RELATIONS).read, _write_state),
    "turns_left": _both_ways("turns_left"),
    "truce": _both_ways("truce"),
    "since": _both_ways("since"),
    "declarer": Field(owner("relations", "declarer").read, _write_declarer),
    "by": Field(owner("relations", "declarer").read, _write_declarer),
    "amity_offer": _offer("amity", lambda state: state in (relation.PEACE, relation.AMITY)),
    "ceasefire_offer": _offer("ceasefire", lambda state: state in (relation.PENDING, relation.WAR)),
    "embargo": _setters("embargo"),
    "port_policy": _settings("port_policy", names.PORT_POLICIES),
    "tariff": _settings("tariff"),
    "transit_fee": _settings("transit_fee"),
}
LATER_RELATION = frozenset({"gate_closed", "land_used", "joint"})
RELATIONS = Kind("relation", RELATION_FIELDS, LATER_RELATION)

KINDS = {
    "cells": CELLS,
    "nations": NATIONS,
    "units": UNITS,
    "corps": CORPS,
    "relations": RELATIONS,
}
