"""A text view within a number of characters: what is least important is shortened first, by whole lines.

The budget is in characters, so that every model gets the same text whatever its tokens are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Section(NamedTuple):
    """A part of the text view.

    Attributes:
        title: its heading.
        keep: the higher, the longer it stays when there is too much.
        lines: what it says.
        whole: shown whole or not at all.
    """

    title: str
    keep: int
    lines: Sequence[str]
    whole: bool = False


def joined(sections: Sequence[Section], budget: int | None = None) -> str:
    """Sections as one text of at most ``budget`` characters.

    A section that is too long keeps its first lines and says how many are left out; the titles of those
    that went whole stand at the end, where there is room for that.
    """
    texts = {section.title: _text(section.title, section.lines) for section in sections}
    if budget is None or _length(texts) <= budget:
        return _joined(texts)
    gone: list[str] = []
    for section in sorted(sections, key=lambda section: section.keep):
        room = budget - _length(texts, without=section.title) - len(_note([*gone, section.title]))
        shorter = "" if section.whole else _shortened(section, room)
        if shorter:
            texts[section.title] = shorter
            break
        del texts[section.title]
        gone.append(section.title)
        if _length(texts) + len(_note(gone)) <= budget:
            break
    kept = _joined(texts)
    if not kept:
        return kept
    note = _note([section.title for section in sections if section.title in gone])
    return kept + note if len(kept) + len(note) <= budget else kept


def _text(title: str, lines: Sequence[str]) -> str:
    return "\n".join([f"## {title}", *lines])


def _joined(texts: dict[str, str]) -> str:
    return "\n\n".join(texts.values())


def _length(texts: dict[str, str], without: str = "") -> int:
    """Characters of texts joined; without one of them: of the rest, and of the gap before it."""
    rest = [len(text) + 2 for title, text in texts.items() if title != without]
    return sum(rest) - (0 if without else min(2, sum(rest)))


def _note(gone: Sequence[str]) -> str:
    return f"\n\n[left out for length: {', '.join(gone)}]" if gone else ""


def _shortened(section: Section, room: int) -> str:
    """The first lines of a section within ``room`` characters; empty if not one of them fits."""
    for count in range(len(section.lines) - 1, 0, -1):
        rest = len(section.lines) - count
        more = f"({rest} more line{'s' * (rest > 1)})"
        text = _text(section.title, [*section.lines[:count], more])
        if len(text) <= room:
            return text
    return ""
