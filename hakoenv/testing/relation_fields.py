"""The fields of what stands between two nations by the names of case files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from hakoenv.engine.codes import relation, war_origin
from hakoenv.engine.diplomacy import terms
from hakoenv.engine.trade import partners
from hakoenv.testing import names
from hakoenv.testing.errors import CaseError
from hakoenv.testing.fields import (
    Field,
    Kind,
    coded,
    listed,
    number,
    owner,
    owner_number,
    truth,
    whole,
)
from hakoenv.testing.names import Names

if TYPE_CHECKING:
    from hakoenv.testing.small_world import SmallWorld

_GATE_CLOSED, _BY_DEFAULT = 0, -1  # of `relations.land_gate`


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


def _write_origin(small: SmallWorld, where: tuple[int, int], value: Any) -> None:
    code = names.WAR_ORIGINS.number(value)
    for side in (where, where[::-1]):
        small.world.relations[side]["origin"] = code


def _read_joint(small: SmallWorld, where: tuple[int, int]) -> bool:
    """Whether it is a war by a joint declaration of the containment (CONT-014)."""
    return bool(small.world.relations[where]["origin"] == war_origin.JOINT)


def _write_joint(small: SmallWorld, where: tuple[int, int], value: Any) -> None:
    code = war_origin.JOINT if truth(value) else war_origin.DECLARATION
    for side in (where, where[::-1]):
        small.world.relations[side]["origin"] = code


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


def _read_gates(small: SmallWorld, where: tuple[int, int]) -> list[int]:
    """Those of the two nations whose land gate is closed to the other."""
    sides = sorted({where, where[::-1]})
    return [host for host, guest in sides if not partners.gate_open(small.world, host, guest)]


def _write_gates(small: SmallWorld, where: tuple[int, int], value: Any) -> None:
    """Those given close their gate to the other; the rest go by their setting for all nations."""
    chosen = [whole(nation) for nation in listed(value, "nations")]
    if not set(chosen) <= set(where):
        raise CaseError(f"{value!r}: only {where[0]} and {where[1]} can set it")
    for side in (where, where[::-1]):
        small.world.relations[side]["land_gate"] = _GATE_CLOSED if side[0] in chosen else _BY_DEFAULT


RELATION_FIELDS: dict[str, Field] = {
    "state": Field(coded("relations", "state", lambda: names.RELATIONS).read, _write_state),
    "turns_left": _both_ways("turns_left"),
    "truce": _both_ways("truce"),
    "since": _both_ways("since"),
    "declarer": Field(owner("relations", "declarer").read, _write_declarer),
    "by": Field(owner("relations", "declarer").read, _write_declarer),
    "amity_offer": _offer("amity", lambda state: state in (relation.PEACE, relation.AMITY)),
    "ceasefire_offer": _offer("ceasefire", lambda state: state in (relation.PENDING, relation.WAR)),
    "origin": Field(coded("relations", "origin", lambda: names.WAR_ORIGINS).read, _write_origin),
    "joint": Field(_read_joint, _write_joint),
    "embargo": _setters("embargo"),
    "port_policy": _settings("port_policy", names.PORT_POLICIES),
    "tariff": _settings("tariff"),
    "transit_fee": _settings("transit_fee"),
    "gate_closed": Field(_read_gates, _write_gates),
    "land_used": _both_ways("land_used"),
}
RELATIONS = Kind("relation", RELATION_FIELDS)
