"""What a nation knows as text, made from the same arrays as a learner's observation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from hakoenv.engine.names import NationName
from hakoenv.engine.world import World
from hakoenv.obs import pieces
from hakoenv.obs.spec import Spec
from hakoenv.obs.text_sections import SECTIONS, UNDIVIDED
from hakoenv.obs.text_words import Knowledge, Words
from hakoenv.ruleset import Rules, Ruleset


class _Section(NamedTuple):
    title: str
    keep: int  # the higher, the longer it stays when there is too much
    lines: list[str]


def text(
    world: World,
    rules: Rules,
    ruleset: Ruleset,
    nation: int,
    names: Sequence[NationName] | None = None,
    budget: int | None = None,
    japanese: bool = False,
) -> str:
    """What a nation knows, as text in sections.

    Args:
        world: the world at the end of a turn; not changed.
        rules: its compiled rules.
        ruleset: the same as data.
        nation: the observer, 0..N-1.
        names: display names of the nations by number.
        budget: the most characters that come back; the least important sections are shortened from their
            ends or left out, by whole lines. None: no limit.
        japanese: names of nations, terrain, items and commands in Japanese.

    Raises:
        ValueError: there is no such nation, or the budget is negative.
    """
    seats = len(world.nations)
    if not 0 <= nation < seats:
        raise ValueError(f"nation={nation} must lie in 0..{seats - 1}")
    if budget is not None and budget < 0:
        raise ValueError(f"budget={budget} must be 0 or more")
    spec = _spec(ruleset, seats)
    buffers = spec.buffers()
    spec.fill(world, rules, buffers)
    seen = {
        name: array.view(pieces.RECORDS[name])[..., 0] if name in pieces.RECORDS else array
        for name, array in spec.of(buffers, nation).items()
    }
    known = Knowledge(seen, Words(ruleset, names, nation, seats, japanese), world, rules, nation)
    sections = [_Section(title, keep, write(known)) for title, keep, write in SECTIONS]
    return _within([section for section in sections if section.lines], budget)


@lru_cache(maxsize=8)
def _spec(ruleset: Ruleset, seats: int) -> Spec:
    return Spec(ruleset, seats)


def _within(sections: list[_Section], budget: int | None) -> str:
    """Sections as one text of at most ``budget`` characters, shortened by whole lines."""
    whole = _joined(sections)
    if budget is None or len(whole) <= budget:
        return whole
    kept = list(sections)
    for section in sorted(sections, key=lambda section: section.keep):
        excess = len(_joined(kept)) - budget
        if excess <= 0:
            break
        kept = _shortened(kept, section, excess)
    result = _joined(kept)
    missing = [section.title for section in sections if section not in kept]
    note = f"\n\n[shortened or left out for length: {', '.join(missing)}]"
    return result + note if missing and result and len(result) + len(note) <= budget else result


def _shortened(sections: list[_Section], section: _Section, excess: int) -> list[_Section]:
    """Without the last lines of a section, or without the section, to save ``excess`` characters."""
    lines = [] if section.title in UNDIVIDED else list(section.lines)
    while lines and excess > 0:
        excess -= len(lines.pop()) + 1
    place = sections.index(section)
    shorter = [section._replace(lines=lines)] if lines else []
    return [*sections[:place], *shorter, *sections[place + 1 :]]


def _joined(sections: list[_Section]) -> str:
    return "\n\n".join("\n".join([f"## {section.title}", *section.lines]) for section in sections)
