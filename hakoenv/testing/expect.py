"""The `expect` entries of a case: what must hold after the run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from hakoenv.engine.codes import cause, event
from hakoenv.testing import alliances, clearing_house, council, driver, fields, names
from hakoenv.testing.cargo_fields import Cargo
from hakoenv.testing.deal_fields import PLACES
from hakoenv.testing.entries import mapping, only, pair_of, take
from hakoenv.testing.errors import CaseError
from hakoenv.testing.small_world import Record, SmallWorld

KINDS = names.words(
    """
    result mask sees plan_has account season relation faction_sees faction_shows messages notice
    route may_trade trade transport contract shipment auction bonded containment finance market
    price cell unit ship fleet nation league faction
    """
)
"""What an entry can be about: the first of these keys that it has, since the later ones name fields, too."""
SAME = 1e-9  # real numbers (scores, private funds) are equal within this


def check(small: SmallWorld, entry: Mapping[str, Any]) -> list[str]:
    """What an entry says that does not hold, one sentence each.

    Raises:
        CaseError: the entry has an unknown key, field or name.
    """
    kind = next((kind for kind in KINDS if kind in entry), None)
    if kind is None:
        raise CaseError(f"entry {list(entry)} is about nothing known; it needs one of {', '.join(ENTRIES)}")
    return ENTRIES[kind](small, dict(entry))


def matches(actual: Any, wanted: Any) -> bool:
    """Whether a value is what a case wants: equal, or by `min`, `max`, `in`, `not`; objects by their keys."""
    if isinstance(wanted, Mapping):
        conditions = _conditions(wanted)
        if conditions:
            return all(_CONDITIONS[key](actual, limit) for key, limit in conditions.items())
        if isinstance(actual, Record):
            return all(matches(actual.read(name), value) for name, value in wanted.items())
        if isinstance(actual, Cargo):
            return all(matches(actual.get(name, 0), wanted.get(name, 0)) for name in {*actual, *wanted})
        if isinstance(actual, Mapping):
            return all(name in actual and matches(actual[name], value) for name, value in wanted.items())
        return False
    if isinstance(wanted, bool) or isinstance(actual, bool):
        return isinstance(wanted, bool) and isinstance(actual, bool) and actual == wanted
    if isinstance(wanted, float) or isinstance(actual, float):
        numbers = isinstance(actual, int | float) and isinstance(wanted, int | float)
        return numbers and abs(actual - wanted) <= SAME
    if isinstance(wanted, list) and isinstance(actual, list):
        return len(actual) == len(wanted) and all(map(matches, actual, wanted))
    return bool(actual == wanted)


def _conditions(wanted: Mapping[str, Any]) -> Mapping[str, Any]:
    found = [key for key in wanted if key in _CONDITIONS]
    if found and len(found) < len(wanted):
        unknown = next(key for key in wanted if key not in _CONDITIONS)
        raise CaseError(f'unknown condition "{unknown}"; {names.nearest(unknown, _CONDITIONS)}')
    return wanted if found else {}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _limit(name: str, value: Any) -> Any:
    if not _is_number(value) or value != value:
        raise CaseError(f'condition "{name}": {value!r} is not a number')
    return value


_CONDITIONS: dict[str, Callable[[Any, Any], bool]] = {
    "min": lambda actual, limit: _limit("min", limit) <= actual if _is_number(actual) else False,
    "max": lambda actual, limit: _limit("max", limit) >= actual if _is_number(actual) else False,
    "in": lambda actual, choices: any(matches(actual, choice) for choice in fields.listed(choices, "values")),
    "not": lambda actual, value: not matches(actual, value),
}


def compare(what: str, read: Callable[[str], Any], wanted: Mapping[str, Any]) -> list[str]:
    """The fields of one thing that are not as wanted.

    Raises:
        CaseError: nothing is wanted, so that nothing could fail.
    """
    if not wanted:
        raise CaseError(f"{what}: the entry does not say what should hold")
    failures = []
    for name, value in wanted.items():
        actual = read(name)
        if not matches(actual, value):
            shown = actual.values() if isinstance(actual, Record) else actual
            failures.append(f"{what}: {name} is {shown!r}, expected {value!r}")
    return failures


def _cell(small: SmallWorld, entry: dict[str, Any]) -> list[str]:
    place = entry.pop("cell")
    cell = small.cell(*pair_of(place))
    return compare(f"cell {tuple(place)}", cell.read, entry)


def _nation(small: SmallWorld, entry: dict[str, Any]) -> list[str]:
    number = entry.pop("nation")
    return compare(f"nation {number}", small.nation(number).read, entry)


def _thing(kind: str, small: SmallWorld, entry: dict[str, Any]) -> list[str]:
    """The one unit, ship, auction ... that matches, or how many do (`count`)."""
    match = mapping(entry.pop(kind), kind)
    return _one_of(f"{kind} {match}", small.matching(kind, match), entry)


def _one_of(what: str, found: list[Record], wanted: dict[str, Any]) -> list[str]:
    count = _count(wanted)
    if count is not None and not matches(len(found), count):
        return [f"{what}: {len(found)} match, expected {count!r}"]
    if not wanted:
        return [] if found or count is not None else [f"{what}: none matches"]
    if len(found) != 1:
        return [f"{what}: {len(found)} match, expected one"]
    return compare(what, found[0].read, wanted)


def _count(wanted: dict[str, Any]) -> Any:
    """Take the wanted `count` out of an entry: a whole number or conditions; None if it has none."""
    if "count" not in wanted:
        return None
    count = wanted.pop("count")
    if not isinstance(count, Mapping):
        fields.whole(count, 0)
    return count


def _fleet(small: SmallWorld, entry: dict[str, Any]) -> list[str]:
    asked = mapping(entry.pop("fleet"), "fleet")
    (nation, fleet), rest = take(asked, ("nation", "fleet"))
    only(rest, ())
    return compare(f"fleet {asked}", small.fleet(nation, fleet).read, entry)


def _relation(small: SmallWorld, entry: dict[str, Any]) -> list[str]:
    pair = entry.pop("relation")
    return compare(f"relation {pair}", small.relation(*pair_of(pair)).read, entry)


def _listing(kind: str, small: SmallWorld, entry: dict[str, Any]) -> list[str]:
    """The one faction or trade league that matches, or how many do (`count`)."""
    match = mapping(entry.pop(kind), kind)
    only({**match, **entry}, (*alliances.FIELDS[kind], "count"))
    found = [
        one
        for one in _LISTINGS[kind](small)
        if all(matches(_of(one, name), value) for name, value in match.items())
    ]
    count = _count(entry)
    if count is not None and not matches(len(found), count):
        return [f"{kind} {match}: {len(found)} match, expected {count!r}"]
    if not entry and count is not None:
        return []
    if len(found) != 1:
        return [f"{kind} {match}: {len(found)} match, expected one"]
    return [] if not entry else compare(f"{kind} {match}", lambda name: _of(found[0], name), entry)


_LISTINGS = {"faction": alliances.factions, "league": alliances.leagues}


def _of(values: Mapping[str, Any], name: str) -> Any:
    if name not in values:
        raise CaseError(f'unknown field "{name}"; {names.nearest(name, values)}')
    return values[name]


def _containment(small: SmallWorld, entry: dict[str, Any]) -> list[str]:
    entry.pop("containment")
    state = alliances.containment(small)
    return compare("containment", lambda name: _of(state, name), entry)


def _result(small: SmallWorld, entry: dict[str, Any]) -> list[str]:
    (place, nation), wanted = take(entry, ("result", "nation"))
    results = small.results(nation)
    if fields.whole(place, 0) >= len(results):
        return [f"result {place} of nation {nation}: only {len(results)} commands were handled"]
    return compare(f"result {place} of nation {nation}", lambda name: _of(results[place], name), wanted)


def _mask(small: SmallWorld, entry: dict[str, Any]) -> list[str]:
    asked, wanted = mapping(entry.pop("mask"), "mask"), entry
    only(wanted, ("legal",))
    (nation, command), rest = take(asked, ("nation", "command"))
    only(rest, ("x", "y", "amount", "target"))
    legal = driver.is_legal(small, nation, command, **rest)
    return compare(f"mask {asked}", lambda _: legal, wanted)


def _sees(small: SmallWorld, entry: dict[str, Any]) -> list[str]:
    (nation, x, y), rest = take(mapping(entry.pop("sees"), "sees"), ("nation", "x", "y"))
    only(rest, ())
    seen = driver.sees(small, nation, small.place(x, y))
    return compare(f"nation {nation} sees of cell ({x}, {y})", lambda name: _of(seen, name), entry)


def _season(small: SmallWorld, entry: dict[str, Any]) -> list[str]:
    entry.pop("season")
    state = small.season_state()
    return compare("season", lambda name: _of(state, name), entry)


def _plan_has(small: SmallWorld, entry: dict[str, Any]) -> list[str]:
    asked = mapping(entry.pop("plan_has"), "plan_has")
    only(entry, ("value",))
    (nation, command), rest = take(asked, ("nation", "command"))
    only(rest, ("x", "y", "amount", "target"))
    wanted = {"command": names.commands().number(command), **rest}
    seat = small.seat(nation)
    plan = small.world.plans[seat][: int(small.world.nations[seat]["plan_length"])]
    held = any(all(matches(int(line[key]), value) for key, value in wanted.items()) for line in plan)
    return compare(f"plan_has {asked}", lambda _: held, entry)


def _account(small: SmallWorld, entry: dict[str, Any]) -> list[str]:
    asked = mapping(entry.pop("account"), "account")
    only(entry, ("amount",))
    (nation, what, why), rest = take(asked, ("nation", "item", "cause"))
    only(rest, ())
    causes = names.Names("cause", {name: code for code, name in cause.NAMES.items()})
    booked = small.world.accounts[small.seat(nation), causes.number(why), names.ITEMS.number(what)]
    return compare(f"account {asked}", lambda _: int(booked), entry)


def _finance(small: SmallWorld, entry: dict[str, Any]) -> list[str]:
    """The clearing house (`true`), or one nation's account there."""
    asked = entry.pop("finance")
    if asked is True:
        return compare("clearing house", lambda name: clearing_house.read(small, name, entry[name]), entry)
    (nation,), rest = take(mapping(asked, "finance"), ("nation",))
    only(rest, ())
    figures = clearing_house.account(small, small.seat(nation))
    return compare(f"account of nation {nation}", lambda name: _of(figures, name), entry)


def _market(small: SmallWorld, entry: dict[str, Any]) -> list[str]:
    """The world market of an item: `price`, and the units asked and offered in this turn."""
    name = entry.pop("market")
    place = fields.resource(name)
    record = small.world.market[place]
    known: dict[str, Any] = {"price": fields.decimal(record["price"])}
    known |= {what: int(record[what]) for what in ("asked", "offered")}
    return compare(f"market {name}", lambda what: _of(known, what), entry)


def _price(small: SmallWorld, entry: dict[str, Any]) -> list[str]:
    """A national price: that of the turn, or what it would be if it is not fixed yet (MER-069)."""
    asked = mapping(entry.pop("price"), "price")
    only(entry, ("value",))
    (nation, name), rest = take(asked, ("nation", "item"))
    only(rest, ())
    place = fields.resource(name)
    price = driver.national_price(small, small.seat(nation), place)
    return compare(f"price {asked}", lambda _: fields.decimal(price), entry)


def _trade(small: SmallWorld, entry: dict[str, Any]) -> list[str]:
    """A unit of an item from one private sector to another, by the margins alone (MER-070)."""
    asked = mapping(entry.pop("trade"), "trade")
    (seller, buyer, name), rest = take(asked, ("seller", "buyer", "item"))
    only(rest, ())
    terms = driver.trade_terms(small, small.seat(seller), small.seat(buyer), fields.resource(name))
    return compare(f"trade {asked}", lambda what: _of(terms, what), entry)


def _may_trade(small: SmallWorld, entry: dict[str, Any]) -> list[str]:
    asked = mapping(entry.pop("may_trade"), "may_trade")
    only(entry, ("value",))
    (nations, by), rest = take(asked, ("nations", "by"))
    only(rest, ())
    a, b = (small.seat(nation) for nation in pair_of(nations))
    allowed = driver.may_trade(small, a, b, by)
    return compare(f"may_trade {asked}", lambda _: allowed, entry)


def _route(small: SmallWorld, entry: dict[str, Any]) -> list[str]:
    asked = mapping(entry.pop("route"), "route")
    only(entry, ("length",))
    (start, port), rest = take(asked, ("from", "to"))
    only(rest, ())
    length = driver.route_length(small, fields.cell_of(small, start), fields.cell_of(small, port))
    return compare(f"route {asked}", lambda _: length, entry)


def _notice(small: SmallWorld, entry: dict[str, Any]) -> list[str]:
    """Whether a nation is told of something in this turn."""
    asked = mapping(entry.pop("notice"), "notice")
    only(entry, ("value",))
    (nation, kind), rest = take(asked, ("nation", "kind"))
    only(rest, ())
    if not isinstance(kind, str) or kind not in _NOTICES:
        raise CaseError(f'unknown kind of notice "{kind}"; {names.nearest(kind, _NOTICES)}')
    told = _NOTICES[kind](small, small.seat(nation))
    return compare(f"notice {asked}", lambda _: told, entry)


_NOTICES: dict[str, Callable[[SmallWorld, int], bool]] = {
    "containment_invitation": driver.is_invited,
    "joint_declaration": driver.is_told_of_war,
    "contract_breach": lambda small, _: driver.happened(small, event.SUPPLY_BREACH),  # public: SUP-013
}


def _faction_sees(small: SmallWorld, entry: dict[str, Any]) -> list[str]:
    (nation, x, y), rest = take(mapping(entry.pop("faction_sees"), "faction_sees"), ("nation", "x", "y"))
    only(rest, ())
    seen = driver.faction_sees(small, small.seat(nation), small.place(x, y))
    return compare(
        f"nation {nation} sees of cell ({x}, {y}) with its faction", lambda name: _of(seen, name), entry
    )


def _faction_shows(small: SmallWorld, entry: dict[str, Any]) -> list[str]:
    (nation, member), rest = take(mapping(entry.pop("faction_shows"), "faction_shows"), ("nation", "member"))
    only(rest, ())
    shown = driver.faction_shows(small, small.seat(nation), small.seat(member))
    return compare(f"nation {nation} is shown of nation {member}", lambda name: _of(shown, name), entry)


def _messages(small: SmallWorld, entry: dict[str, Any]) -> list[str]:
    """The council messages that a nation may read, of a faction by the name that it had first."""
    (nation, faction), rest = take(mapping(entry.pop("messages"), "messages"), ("nation", "faction"))
    only(rest, ())
    state = council.state(small, small.seat(nation), faction)
    return compare(f"messages of {faction} to nation {nation}", lambda name: _of(state, name), entry)


ENTRIES: dict[str, Callable[[SmallWorld, dict[str, Any]], list[str]]] = {
    "cell": _cell,
    **{kind: partial(_thing, kind) for kind in ("unit", "ship", *PLACES)},
    "fleet": _fleet,
    "relation": _relation,
    **{kind: partial(_listing, kind) for kind in _LISTINGS},
    "containment": _containment,
    "result": _result,
    "mask": _mask,
    "sees": _sees,
    "season": _season,
    "plan_has": _plan_has,
    "account": _account,
    "finance": _finance,
    "market": _market,
    "price": _price,
    "trade": _trade,
    "may_trade": _may_trade,
    "route": _route,
    "notice": _notice,
    "faction_sees": _faction_sees,
    "faction_shows": _faction_shows,
    "messages": _messages,
    "nation": _nation,
}
assert set(ENTRIES) == set(KINDS)
