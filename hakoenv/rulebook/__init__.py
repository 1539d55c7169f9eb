"""The rulebook: every numbered rule of the game as data, with the constants it uses and its tests.

`hakoenv rules ARMY-012` prints one; `rules()` gives them all. The text is in `ledger/`, the tests of each
rule are in `coverage.json`.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

__all__ = ["Rule", "RulebookError", "areas", "find", "phases", "rules"]

PHASE_RULE = "TURN-058"
"""The rule whose values give every rule its phase."""

LABELS = {
    "static": "no phase: always true",
    "event": "no phase of its own: at the moment of the booking",
    "index": "no phase: points to other rules",
    "0": "before the first turn",
}
"""Phase labels that are not phase numbers."""


class RulebookError(ValueError):
    """There is no such rule or area; the message names the nearest ones."""


@dataclass(frozen=True)
class Rule:
    """One rule of the ledger.

    Attributes:
        id: `ARMY-012`.
        area: `ARMY`.
        title: a few words.
        statement: the rule; sentences after "Reading:" are choices, not the source's words.
        example: a case worked out; may be empty.
        source: lines of the source, `S:143`.
        kind: `stated`, or `open` where the source is silent.
        values: the numbers of the rule by name.
        phase: label of the turn's phase, `14` or `21|24`; or `static`, `event`, `index`, `0`, or empty.
    """

    id: str
    area: str
    title: str
    statement: str
    example: str
    source: str
    kind: str
    values: Mapping[str, Any] = field(hash=False)
    phase: str

    @property
    def phase_text(self) -> str:
        """The phase with its name: `14 plans`."""
        if not self.phase:
            return "not part of the turn"
        if self.phase in LABELS:
            return LABELS[self.phase]
        names = phases()
        parts = [(label, names.get(label.rstrip("+"), "")) for label in self.phase.split("|")]
        return ", ".join(
            f"after {n.rstrip('+')} {name}" if n.endswith("+") else f"{n} {name}" for n, name in parts
        )


@cache
def rules() -> Mapping[str, Rule]:
    """All rules by id, in the order of the ledger. Read once, when first asked for."""
    found: dict[str, Rule] = {}
    entries = [
        entry
        for file in sorted((files("hakoenv.rulebook") / "ledger").iterdir(), key=lambda item: item.name)
        if file.name.endswith(".toml")
        for entry in tomllib.loads(file.read_text(encoding="utf-8"))["rule"]
    ]
    labels = _phase_labels(next(entry["values"] for entry in entries if entry["id"] == PHASE_RULE))
    for entry in entries:
        name, values = entry["id"], entry.get("values", {})
        if name in found:
            raise RulebookError(f"rule {name} stands twice in the ledger")
        found[name] = Rule(
            id=name,
            area=name.rsplit("-", 1)[0],
            title=entry["title"],
            statement=entry["statement"],
            example=entry.get("example", ""),
            source=entry["source"],
            kind=entry["kind"],
            values=MappingProxyType(values),
            phase=labels.get(name, _own_phase(name, values)),
        )
    return MappingProxyType(found)


@cache
def areas() -> Mapping[str, tuple[Rule, ...]]:
    """The rules of each area, in the order of the ledger."""
    grouped: dict[str, list[Rule]] = {}
    for rule in rules().values():
        grouped.setdefault(rule.area, []).append(rule)
    return MappingProxyType({area: tuple(members) for area, members in grouped.items()})


@cache
def phases() -> Mapping[str, str]:
    """The name of each phase of the turn by its number, as the TURN rules give them."""
    turn = [rule.values for rule in rules().values() if rule.area == "TURN"]
    return MappingProxyType({str(v["phase"]): v["name"] for v in turn if "phase" in v and "name" in v})


def find(id_or_area: str) -> tuple[Rule, ...]:
    """The rule of an id, or the rules of an area; upper and lower case are the same.

    Raises:
        RulebookError: no such rule or area; the message names the nearest.
    """
    name = id_or_area.upper()
    if name in rules():
        return (rules()[name],)
    if name in areas():
        return areas()[name]
    near = difflib.get_close_matches(name, [*areas(), *rules()], n=3, cutoff=0.0)
    raise RulebookError(f"no rule or area {id_or_area!r}; nearest: {', '.join(near)}")


def expand(text: str) -> Iterator[str]:
    """The ids of a list like `MAP-002..004,007 CMD-003`."""
    for group in text.split():
        area, numbers = re.fullmatch(r"([A-Z]+)-(.+)", group, re.ASCII).groups()  # type: ignore[union-attr]
        for part in numbers.split(","):
            first, _, last = part.partition("..")
            for number in range(int(first), int(last or first) + 1):
                yield f"{area}-{number:03d}"


def _phase_labels(values: Mapping[str, str]) -> dict[str, str]:
    """The label of every rule that the list names."""
    return {name: label for label, text in values.items() for name in expand(text)}


def _own_phase(name: str, values: Mapping[str, Any]) -> str:
    """The phase of a TURN rule outside the list: its own values say it."""
    return str(values["phase"]) if name.startswith("TURN-") and "phase" in values else ""
