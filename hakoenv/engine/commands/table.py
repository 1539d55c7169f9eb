"""What a player can say: verbs and their factors, and how they are packed into a command record.

A verb is a command and its kind (``build_ship:cruiser``); factors are the numbers left to choose. The
data stands in ``verbs.toml``; `pack` and `unpack` are the only places that know how amounts are coded,
so nobody else ever sees a packed integer (CMD-003).
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from hakoenv.ruleset import load_ruleset

FIELDS = ("x", "y", "amount", "target")
MAX_CHOICES = 32  # values that one factor offers at most
_CELL_TARGETS = ("own_cell", "near_cell", "any_cell", "own_ship", "nation_cell")
_NATION_TARGETS = ("nation", "nation_cell")
GROUPS: dict[str, tuple[str, ...]] = {
    "economy": ("develop", "build", "operate", "finance", "export_cap", "buyback_target"),
    "war": (
        "army",
        "attack",
        "depot",
        "missile_base",
        "seabed_base",
        "defense_facility",
        "declare_war",
        "ceasefire",
    ),
    "navy": ("navy",),
    "trade": ("trade",),
    "diplomacy": ("diplomacy", "faction"),
}
"""Groups of verbs by category or command; besides them `all` and `everything`."""


class Packed(NamedTuple):
    """A command as the engine takes it (CMD-002)."""

    command: int
    x: int = 0
    y: int = 0
    amount: int = 0
    target: int = 0


class Meaning(NamedTuple):
    """A command as a player says it; cell and nation are None where the verb needs none."""

    verb: Verb
    cell: tuple[int, int] | None
    nation: int | None
    values: tuple[int, ...]


@dataclass(frozen=True)
class Factor:
    """A number to choose; it adds ``times * value`` to its field.

    Attributes:
        name: what the number is.
        field: `x`, `y`, `amount` or `target`.
        times: its weight in the field.
        low: least value.
        high: greatest value.
        numbers: values offered as they are.
        percents: percentages of the stock named by `of` that are offered.
        of: which stock the percentages are of; empty if there are none.
        listed: which list of the state offers its values; empty if none does.
        scales: the price of the command is for one unit of it.
    """

    name: str
    field: str
    times: int
    low: int
    high: int
    numbers: tuple[int, ...] = ()
    percents: tuple[int, ...] = ()
    of: str = ""
    listed: str = ""
    scales: bool = False


@dataclass(frozen=True)
class Verb:
    """A command and its kind.

    Attributes:
        name: `command` or `command:kind`.
        command: command number.
        kind: the kind, empty if the command has only one.
        words: what it does, in a few words.
        category: category of the command.
        fixed: the fields that the kind sets, before its factors add to them.
        factors: the numbers to choose, in order.
        needs_cell: whether x and y name a cell.
        needs_nation: whether target names a nation.
        everything_only: only in the group `everything`.
        alias: another amount with the same meaning (all factors at their least), or None.
    """

    name: str
    command: int
    kind: str
    words: str
    category: str
    fixed: Mapping[str, int]
    factors: tuple[Factor, ...]
    needs_cell: bool
    needs_nation: bool
    everything_only: bool
    alias: int | None = None

    def __hash__(self) -> int:
        return hash(self.name)


@cache
def verbs() -> tuple[Verb, ...]:
    """Every verb, by command number and then in the order of the data (cached)."""
    text = (files("hakoenv.engine.commands") / "verbs.toml").read_text(encoding="utf-8")
    tree = tomllib.loads(text)
    rows = {str(row["name"]): row for row in load_ruleset().table("commands")}
    if set(tree) != set(rows):
        raise ValueError(f"verbs.toml and the command table differ in {sorted(set(tree) ^ set(rows))}")
    found = []
    for name in sorted(rows, key=lambda name: int(str(rows[name]["number"]))):
        node = tree[name]
        for kind in node.get("kinds", [node]):
            found.append(_verb(name, rows[name], node, kind))
    return tuple(found)


def _verb(command: str, row: Mapping[str, Any], shared: Mapping[str, Any], kind: Mapping[str, Any]) -> Verb:
    allowed = {"name", "words", "kinds", "factors", "alias", "cell", "nation", "everything", *FIELDS}
    unknown = (set(shared) | set(kind)) - allowed
    if unknown:
        raise ValueError(f"verbs.toml: {command} has unknown keys {sorted(unknown)}")
    name = kind.get("name", "")
    return Verb(
        name=f"{command}:{name}" if name else command,
        command=int(row["number"]),
        kind=name,
        words=kind["words"],
        category=str(row["category"]),
        fixed={field: int(kind[field]) for field in FIELDS if field in kind},
        factors=tuple(_factor(node) for node in kind.get("factors", shared.get("factors", []))),
        needs_cell=kind.get("cell", row["target"] in _CELL_TARGETS),
        needs_nation=kind.get("nation", row["target"] in _NATION_TARGETS),
        everything_only=kind.get("everything", False),
        alias=kind.get("alias"),
    )


def _factor(node: Mapping[str, Any]) -> Factor:
    low, high = int(node["low"]), int(node["high"])
    numbers = tuple(range(low, high + 1)) if node.get("all") else tuple(node.get("numbers", ()))
    factor = Factor(
        node["name"],
        node.get("field", "amount"),
        int(node.get("times", 1)),
        low,
        high,
        numbers,
        tuple(node.get("percents", ())),
        node.get("of", ""),
        node.get("listed", ""),
        node.get("scales", False),
    )
    if not (numbers or factor.percents or factor.listed) or len(numbers) + len(factor.percents) > MAX_CHOICES:
        raise ValueError(
            f"verbs.toml: factor {factor.name} offers nothing, or more than {MAX_CHOICES} values"
        )
    return factor


@cache
def by_name() -> dict[str, Verb]:
    """Verbs by name."""
    return {verb.name: verb for verb in verbs()}


@cache
def _by_command() -> dict[int, tuple[Verb, ...]]:
    return {n: tuple(v for v in verbs() if v.command == n) for n in {v.command for v in verbs()}}


def select(what: str | Iterable[str] = "all") -> tuple[Verb, ...]:
    """The verbs of a choice: groups, command names and verb names, in table order.

    Args:
        what: `all` (without what is of great consequence), `everything`, `economy`, `war`, `navy`, `trade`,
            `diplomacy`, names of commands or verbs; one or several.

    Raises:
        ValueError: there is no group, command or verb of that name.
    """
    chosen: set[str] = set()
    for word in [what] if isinstance(what, str) else what:
        chosen.update(verb.name for verb in _group(word))
    return tuple(verb for verb in verbs() if verb.name in chosen)


def _group(word: str) -> list[Verb]:
    if word == "everything":
        return list(verbs())
    if word == "all":
        return [verb for verb in verbs() if not verb.everything_only]
    if word in GROUPS:
        return [verb for verb in verbs() if _belongs(verb, GROUPS[word]) and not verb.everything_only]
    named = [verb for verb in verbs() if word in {verb.name, verb.name.split(":")[0]}]
    if not named:
        words = ["all", "everything", *GROUPS, *by_name(), *(v.name.split(":")[0] for v in verbs())]
        near = ", ".join(difflib.get_close_matches(str(word), dict.fromkeys(words), 3, 0.0))
        raise ValueError(f"commands={word!r} is no group, command or verb; nearest: {near}")
    return named


def _belongs(verb: Verb, group: tuple[str, ...]) -> bool:
    return verb.category in group or verb.name.split(":")[0] in group


def pack(
    verb: Verb,
    cell: tuple[int, int] | None = None,
    nation: int | None = None,
    values: Sequence[int] = (),
) -> Packed:
    """The command record of a verb.

    Args:
        verb: what to do.
        cell: (x, y) if the verb needs one.
        nation: nation number if the verb needs one.
        values: one number per factor, in order, as they mean it (no packing).

    Raises:
        ValueError: cell, nation or a value is missing, a value lies outside its factor's bounds,
            or the values would mean another verb (an exchange of nothing for nothing is an acceptance).
    """
    if verb.needs_cell and cell is None:
        raise ValueError(f"{verb.name} needs a cell")
    if verb.needs_nation and nation is None:
        raise ValueError(f"{verb.name} needs a nation")
    if len(values) != len(verb.factors):
        names = ", ".join(factor.name for factor in verb.factors) or "no values"
        raise ValueError(f"{verb.name} needs {names}; {len(values)} values were given")
    fields = dict.fromkeys(FIELDS, 0)
    fields.update(verb.fixed)
    if verb.needs_cell and cell is not None:
        fields["x"], fields["y"] = int(cell[0]), int(cell[1])
    if verb.needs_nation and nation is not None:
        fields["target"] = int(nation)
    for factor, value in zip(verb.factors, values, strict=True):
        if not factor.low <= value <= factor.high:
            raise ValueError(f"{verb.name}: {factor.name}={value} must lie in {factor.low}..{factor.high}")
        fields[factor.field] += factor.times * int(value)
    packed = Packed(verb.command, **fields)
    meaning = unpack(*packed)
    if meaning is None or meaning.verb is not verb:
        other = meaning.verb.name if meaning else "nothing"
        raise ValueError(f"{verb.name} with values {tuple(values)} would mean {other}")
    return packed


def unpack(command: int, x: int = 0, y: int = 0, amount: int = 0, target: int = 0) -> Meaning | None:
    """What a command record says, or None if no verb is packed like that."""
    fields = {"x": int(x), "y": int(y), "amount": int(amount), "target": int(target)}
    for verb in _by_command().get(int(command), ()):
        values = _values(verb, fields)
        if values is not None:
            cell = (fields["x"], fields["y"]) if verb.needs_cell else None
            return Meaning(verb, cell, fields["target"] if verb.needs_nation else None, values)
    return None


def _values(verb: Verb, fields: Mapping[str, int]) -> tuple[int, ...] | None:
    """The factors' values behind the fields, or None if they are not those of this verb."""
    if verb.alias is not None and fields["amount"] == verb.alias:
        return tuple(factor.low for factor in verb.factors)
    found: dict[str, int] = {}
    for field in FIELDS:
        factors = [factor for factor in verb.factors if factor.field == field]
        if field not in verb.fixed and not factors:
            continue  # not used, or the cell or nation
        rest = fields[field] - verb.fixed.get(field, 0) - sum(f.times * f.low for f in factors)
        for factor in sorted(factors, key=lambda factor: -factor.times):
            value = factor.low + rest // factor.times
            if not factor.low <= value <= factor.high:
                return None
            found[factor.name] = value
            rest %= factor.times
        if rest:
            return None
    return tuple(found[factor.name] for factor in verb.factors)


@cache
def command_names() -> dict[int, str]:
    """Names of the 86 commands by number."""
    return {verb.command: verb.name.split(":")[0] for verb in verbs()}


@cache
def command_numbers() -> dict[str, int]:
    """Numbers of the 86 commands by name."""
    return {name: code for code, name in command_names().items()}
